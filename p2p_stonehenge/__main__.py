"""`python -m p2p_stonehenge`: runs the command line and turns what goes wrong into a complaint and an exit status."""

from __future__ import annotations

import io
import os
import sys

from p2p_stonehenge.cli.arguments import complaint
from p2p_stonehenge.cli.run import run
from p2p_stonehenge.failure import FAILED, INTERRUPTED, Failure

TYPE_CHECKING = False  # as in typing, whose import alone takes 2 ms
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    """Run the command that `words` (or else the command line) names and return the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a friend's nick may have letters that this terminal has not
    try:
        try:
            return run(sys.argv[1:] if words is None else words)
        finally:
            sys.stdout.flush()
    except Failure as failure:
        print(complaint(str(failure)), file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The program that read our output has ended. Python flushes stdout once more at exit: let that succeed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
