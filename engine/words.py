"""Numbers and lists in words."""

from collections.abc import Sequence


def counted(number: int, thing: str) -> str:
    """Return how many of a thing there are, in words.

    >>> counted(1, "action"), counted(12, "action")
    ('1 action', '12 actions')
    """
    return f"{number} {thing}{'s' * (number != 1)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words, empty for none.

    >>> listed(["A2", "B3", "C4"]), listed(["A2", "B3"]), listed(["A2"]), listed([])
    ('A2, B3 and C4', 'A2 and B3', 'A2', '')
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
