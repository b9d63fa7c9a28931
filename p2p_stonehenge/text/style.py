"""What this terminal can show: its characters, its colours, how wide a text is, and what of a text is safe to print.

Letters and digits carry every meaning; a colour only repeats it, so that nothing is lost without colours.
"""

import math
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
    palette: str = "auto"
    """dark, light: for such a background; safe: for any, and all eyes; mono: no colours; auto: see `palette_for`."""
    bell: bool = True
    """Ring when it becomes the player's turn."""
    notify: bool = False
    """Then ask the terminal for a notification of the desktop as well."""
    board: str = "asked"
    """What the plain mode shows at the player's turn: `drawn`, the board; `told`, the position; `asked`, nothing."""
    careful: bool = True
    """Ask before a move after which another player can win at once."""
    threats: bool = False
    """Alone against bots: tell at the player's turn what the others threaten."""
    title: bool = True
    """Say in the title of the window whose turn it is."""
    saved: str = ""
    """Where the game is kept, shown when it ends or is left; empty if it is not kept."""


_COLOURS = ("white", "black", "red", "blue", "green", "yellow")
_SHADES = {
    "dark": ("#ffffff", "#bcbcbc", "#ff875f", "#00afd7", "#afffaf", "#ffd700"),
    "light": ("#6c6c6c", "#000000", "#870000", "#0000af", "#005f5f", "#875f00"),
    "either": ("", "#808080", "#ff0000", "#0087ff", "#00875f", "#878700"),
    "mono": ("",) * 6,
}
"""A palette's colours in this order, all among the 256 of a terminal; `either` can be read on any background."""


def _pieces(palette: str) -> dict[str, str]:
    """Return the styles of pieces and of cards: never a bare `white`, which prompt_toolkit has as a class already."""
    shades = zip(_COLOURS, _SHADES[palette], strict=True)
    return {f"{what}-{name}": f"bold {shade}".strip() for name, shade in shades for what in ("side", "suit")}


_TILES = (
    "bg:#ffffff #000000",
    "bg:#000000 #ffffff",
    "bg:#d70000 #ffffff",
    "bg:#005f87 #ffffff",
    "bg:#00af87 #000000",
    "bg:#ffd700 #000000",
)
"""White to yellow, each on a ground of its own: as far apart for colour-blind eyes as six colours can be."""


def _tiles() -> dict[str, str]:
    """Return styles of pieces that bring their own background."""
    named = zip(_COLOURS, _TILES, strict=True)
    return {f"{what}-{name}": f"bold {tile}" for name, tile in named for what in ("side", "suit")}


PALETTES: dict[str, dict[str, str]] = {
    "dark": _pieces("dark")
    | {
        "mark-last": "bg:#303030",
        "mark-target": "bold #d7afff",
        "frame": "#8a8a8a",
        "dim": "#9e9e9e",
        "alarm": "noreverse bg:#af0000 bold #ffffff",
        "bottom-toolbar": "noreverse bg:#303030 #d0d0d0",
        "refusal": "noreverse bg:default #ffaf5f",
        "completion-menu": "bg:#303030 #d0d0d0",
        "completion-menu.completion.current": "noreverse bg:#5f87af #ffffff",
        "completion-menu.meta.completion": "bg:#262626 #a8a8a8",
        "completion-menu.meta.completion.current": "noreverse bg:#444444 #ffffff",
    },
    "light": _pieces("light")
    | {
        "mark-last": "bg:#ffffaf",
        "mark-target": "bold #8700af",
        "frame": "#8a8a8a",
        "dim": "#6c6c6c",
        "alarm": "noreverse bg:#af0000 bold #ffffff",
        "bottom-toolbar": "noreverse bg:#e4e4e4 #303030",
        "refusal": "noreverse bg:default #875f00",
        "completion-menu": "bg:#e4e4e4 #303030",
        "completion-menu.completion.current": "noreverse bg:#005f87 #ffffff",
        "completion-menu.meta.completion": "bg:#eeeeee #5f5f5f",
        "completion-menu.meta.completion.current": "noreverse bg:#c6c6c6 #000000",
    },
    "either": _pieces("either")
    | {
        "mark-last": "underline",
        "mark-target": "bold underline",
        "frame": "#808080",
        "dim": "#808080",
        "alarm": "noreverse bg:#af0000 bold #ffffff",
        "refusal": "noreverse bg:default bold",
        "completion-menu": "bg:#303030 #d0d0d0",
        "completion-menu.completion.current": "noreverse bg:#5f87af #ffffff",
        "completion-menu.meta.completion": "bg:#262626 #a8a8a8",
        "completion-menu.meta.completion.current": "noreverse bg:#444444 #ffffff",
    },
    "safe": _tiles()
    | {
        "mark-last": "underline",
        "mark-target": "bold underline",
        "frame": "#808080",
        "alarm": "noreverse bg:#af0000 bold #ffffff",
        "refusal": "noreverse bg:default bold",
        "completion-menu.completion.current": "reverse",
    },
    "mono": _pieces("mono")
    | {
        "mark-last": "reverse",
        "mark-target": "bold underline",
        "alarm": "noreverse bold",
        "refusal": "noreverse bold",
        "completion-menu.completion.current": "reverse",
    },
}
"""Styles by class, as prompt_toolkit writes them."""

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


COMMON = {"title": "bold", "urgent": "bold", "ask": "bold", "action": "bold"}


def rules(palette: str) -> dict[str, str]:
    """Return the style of every class that views and shells use."""
    return COMMON | PALETTES[palette]


def palette_for(wanted: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the palette that was wanted, or one for the background that the terminal tells of in COLORFGBG.

    Where it tells nothing, one that can be read on either.
    """
    if wanted != "auto":
        return wanted
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    if not background.isdecimal():
        return "either"
    return "light" if int(background) in (7, 15) else "dark"


def side(colour: str) -> str:
    """Return the style of a seat's pieces and name."""
    return f"class:side-{colour.lower()}"


def charset(wanted: str, environ: Mapping[str, str] = os.environ, out: TextIO | None = None) -> str:
    """Return `unicode` or `ascii`: what was wanted, or what the terminal is sure to show."""
    if wanted != "auto":
        return wanted
    encoding = (getattr(out or sys.stdout, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    return "ascii" if encoding != "utf8" or environ.get("TERM") in ("dumb", "linux") else "unicode"


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


def columns(out: TextIO | None = None) -> int:
    """Return how wide the terminal is to which `out` (standard output by default) writes, 0 if it is none."""
    return max(shutil.get_terminal_size().columns, 21) if (out or sys.stdout).isatty() else 0


_HALF = "\ue000"
"""Stands behind a letter of two columns while its line is broken; no text that is safe to print has it."""


def folded(text: str, out: TextIO | None = None, indent: int = 0) -> str:
    """Return a line as several for a terminal that would break it within words; elsewhere as it is.

    `indent`: how many columns all but the first stand to the right.
    """
    if not (width := columns(out)):
        return text
    return "\n".join(lines_of(text, width - 1, indent))


def lines_of(text: str, width: int, indent: int = 0, *, breaks: bool = False) -> list[str]:
    """Return a text as lines of at most `width` columns, broken between words; all but the first are indented.

    A longer word stands alone on a line, such as a path; or it is broken as well, if `breaks`.
    """
    counted = text if text.isascii() else "".join(letter + _HALF * (cells(letter) == 2) for letter in text)
    right = " " * indent
    found = textwrap.wrap(counted, width, subsequent_indent=right, break_on_hyphens=False, break_long_words=breaks)
    return [line.replace(_HALF, "") for line in found]


def plain_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether only the append-only mode can work: no terminal on either side, or a dumb one."""
    return environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())


def safe(text: str, limit: int = MAX_TEXT) -> str:
    """Return text from outside without anything that could drive a terminal or turn the writing round."""
    text = " ".join(text.split())
    return "".join(letter for letter in text[:limit] if letter.isprintable())


def whole_seconds(seconds: float | None) -> int | None:
    """Return seconds that are left as a screen shows them: begun ones count; None stays None.

    Sums of clock readings are off by some 1e-14: without rounding a minute would begin with 61 seconds.
    """
    return None if seconds is None else math.ceil(round(seconds, 3))


def spell(seconds: int) -> str:
    """Return a number of seconds as people write it: 90 is `1 min 30 s`."""
    parts = zip((seconds // 3600, seconds % 3600 // 60, seconds % 60), ("h", "min", "s"), strict=True)
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


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
