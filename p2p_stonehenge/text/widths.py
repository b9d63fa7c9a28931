"""How many columns a text takes, and texts of a given width."""

import textwrap
import unicodedata

_HALF = "\ue000"
"""Stands behind a letter of two columns while its line is broken; no text that is safe to print has it."""


def lines_of(text: str, width: int, indent: int = 0, *, breaks: bool = False) -> list[str]:
    """Return a text as lines of at most `width` columns, broken between words; all but the first are indented.

    A longer word stands alone on a line, such as a path; or it is broken as well, if `breaks`.
    """
    counted = text if text.isascii() else "".join(letter + _HALF * (cells(letter) == 2) for letter in text)
    right = " " * indent
    found = textwrap.wrap(counted, width, subsequent_indent=right, break_on_hyphens=False, break_long_words=breaks)
    return [line.replace(_HALF, "") for line in found]


def cells(text: str) -> int:
    """Return how many columns printable text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def fit(text: str, width: int) -> str:
    """Return text cut or filled with blanks to exactly `width` columns."""
    while cells(text) > width:
        text = text[:-1]
    return text + " " * (width - cells(text))


def cut(text: str, width: int) -> str:
    """Return text of at most `width` columns; a `~` at its end tells that there was more."""
    return text if cells(text) <= width else fit(text, width - 1).rstrip() + "~" if width > 0 else ""
