"""What of a text is safe to print, and which lines are alarms."""

import os
import sys
import unicodedata
from collections.abc import Mapping
from typing import TextIO

from p2p_stonehenge.text.output import folded

MAX_TEXT = 400
"""Characters of a line that a peer wrote; its makers allow fewer."""


ALARM = "! WARNING: "
"""Begins each line that the player must not overlook."""


_LIKE_ALARM = "!\u01c3\u2757\u2755\u26a0"
"""What a line that is no alarm may not begin with: the mark of an alarm, and what looks like it."""


class Alarm(str):
    """A line that the player must not overlook, red where there are colours.

    The program alone makes one: a text that a player wrote is none, whatever it begins with.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "Alarm":
        """Return the alarm that says `text`."""
        return super().__new__(cls, ALARM + text)


def alarming(text: str, environ: Mapping[str, str] = os.environ, out: TextIO | None = None) -> str:
    """Return a line for a terminal that is no prompt's, as `plainly` does: an alarm in red if there are colours."""
    dumb = environ.get("TERM") == "dumb" or environ.get("NO_COLOR") or (os.name == "nt" and "WT_SESSION" not in environ)
    red, line = isinstance(text, Alarm) and (out or sys.stdout).isatty() and not dumb, plainly(text, out)
    return f"\x1b[1;31m{line}\x1b[0m" if red else line


def plainly(text: str, out: TextIO | None = None) -> str:
    """Return a line that may hold words of others, safe to print and folded; in quotes if it only looks like an alarm.

    A name may begin as an alarm does, and a line with that name. Where it is folded the rest stands to the right: else
    what others say could be made to begin a line like one of the program.
    """
    line = safe(text)
    imitates = not isinstance(text, Alarm) and unicodedata.normalize("NFKC", line[:1]).startswith(tuple(_LIKE_ALARM))
    return folded(f'"{line}"' if imitates else line, out, indent=2)


def safe(text: str, limit: int = MAX_TEXT) -> str:
    """Return text from outside without anything that could drive a terminal or turn the writing round."""
    text = " ".join(text.split())
    return "".join(letter for letter in text[:limit] if letter.isprintable())
