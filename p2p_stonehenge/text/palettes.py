"""Colours: which palette suits a terminal, and the style of each class that views and shells use.

Letters and digits carry every meaning; a colour only repeats it, so that nothing is lost without colours.
"""

import os
from collections.abc import Mapping

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
