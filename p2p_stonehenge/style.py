"""What this terminal can show: its characters, its colours, how wide a text is, and what of a text is safe to print.

Letters and digits carry every meaning; a colour only repeats it, so that nothing is lost without colours.
"""

import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple, TextIO

MAX_TEXT = 400
"""Characters of a line that a peer wrote; its makers allow fewer."""


class Settings(NamedTuple):
    """What a player may choose about the screen."""

    charset: str = "auto"
    """auto, unicode or ascii."""
    palette: str = "dark"
    """dark, light or mono: for a dark background, for a light one, or no colours."""
    bell: bool = True
    """Ring when it becomes the player's turn."""
    board: str = "asked"
    """What the plain mode shows at the player's turn: `drawn`, the board; `told`, the position; `asked`, nothing."""
    complete_while_typing: bool = False
    saved: str = ""
    """Where the game is kept, shown when it ends or is left; empty if it is not kept."""


PALETTES: dict[str, dict[str, str]] = {
    "dark": {
        "white": "bold",
        "yellow": "bold #f0e442",
        "green": "bold #2fc796",
        "red": "bold #ff7a33",
        "blue": "bold #56b4e9",
        "last": "bg:#3a3a3a",
        "frame": "#767676",
        "dim": "#949494",
        "alarm": "noreverse bg:default bold #ff5f5f",
        "bottom-toolbar": "noreverse bg:#262626 #c6c6c6",
        "refusal": "noreverse bg:default #ffaf5f",
        "completion-menu": "bg:#303030 #d0d0d0",
        "completion-menu.completion.current": "noreverse bg:#5f87af #ffffff",
        "completion-menu.meta.completion": "bg:#262626 #a8a8a8",
        "completion-menu.meta.completion.current": "noreverse bg:#444444 #ffffff",
    },
    "light": {
        "white": "bold",
        "yellow": "bold #806000",
        "green": "bold #00694d",
        "red": "bold #b03a00",
        "blue": "bold #005f99",
        "last": "bg:#dadada",
        "frame": "#8a8a8a",
        "dim": "#6c6c6c",
        "alarm": "noreverse bg:default bold #af0000",
        "bottom-toolbar": "noreverse bg:#e4e4e4 #303030",
        "refusal": "noreverse bg:default #a03000",
        "completion-menu": "bg:#e4e4e4 #303030",
        "completion-menu.completion.current": "noreverse bg:#005f87 #ffffff",
        "completion-menu.meta.completion": "bg:#eeeeee #5f5f5f",
        "completion-menu.meta.completion.current": "noreverse bg:#c6c6c6 #000000",
    },
    "mono": dict.fromkeys(("white", "yellow", "green", "red", "blue"), "bold")
    | {
        "last": "reverse",
        "alarm": "noreverse bold",
        "refusal": "noreverse bold",
        "completion-menu.completion.current": "reverse",
    },
}
"""Styles by class, as prompt_toolkit writes them."""

ALARM = "! WARNING: "
"""Begins each line that is red where there are colours."""

COMMON = {"title": "bold", "urgent": "bold", "ask": "bold", "action": "bold"}


def rules(palette: str) -> dict[str, str]:
    """Return the style of every class that views and shells use."""
    return COMMON | PALETTES[palette]


def charset(wanted: str, environ: Mapping[str, str] = os.environ, out: TextIO | None = None) -> str:
    """Return `unicode` or `ascii`: what was wanted, or what the terminal is sure to show."""
    if wanted != "auto":
        return wanted
    encoding = (getattr(out or sys.stdout, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    return "ascii" if encoding != "utf8" or environ.get("TERM") in ("dumb", "linux") else "unicode"


def alarming(text: str, environ: Mapping[str, str] = os.environ, out: TextIO | None = None) -> str:
    """Return a line for a terminal that is no prompt's: in red if it begins with ALARM and there are colours."""
    dumb = environ.get("TERM") == "dumb" or environ.get("NO_COLOR") or (os.name == "nt" and "WT_SESSION" not in environ)
    return f"\x1b[1;31m{text}\x1b[0m" if text.startswith(ALARM) and (out or sys.stdout).isatty() and not dumb else text


def folded(text: str, out: TextIO | None = None) -> str:
    """Return a line as several for a terminal that would break it within words; elsewhere as it is."""
    out = out or sys.stdout
    if not out.isatty():
        return text
    return textwrap.fill(
        text, max(shutil.get_terminal_size().columns - 1, 20), break_on_hyphens=False, break_long_words=False
    )


def plain_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether only the append-only mode can work: no terminal on either side, or a dumb one."""
    return environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())


def safe(text: str, limit: int = MAX_TEXT) -> str:
    """Return text from outside without anything that could drive a terminal or turn the writing round."""
    text = " ".join(text.split())
    return "".join(letter for letter in text[:limit] if letter.isprintable())


def spell(seconds: int) -> str:
    """Return a number of seconds as people write it: 90 is `1 min 30 s`."""
    parts = zip((seconds // 3600, seconds % 3600 // 60, seconds % 60), ("h", "min", "s"), strict=True)
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"


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
