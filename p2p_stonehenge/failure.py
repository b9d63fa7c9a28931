"""How a command says that it cannot do what was asked."""

FAILED = 1
USAGE = 2
"""A usage error: a bad option or value."""
NOT_A_TRANSCRIPT = 3
NETWORK = 4
"""A peer or the network: port in use, another version, refused seat, table lost."""
NOT_FOUND = 5
"""No such game, table or file."""
INTERRUPTED = 130


class Failure(Exception):  # noqa: N818  what failed is the command; "FailureError" would say it twice
    """Ends a command with exit status `code`; the message is one line that names the next step."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code
