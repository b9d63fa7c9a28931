"""Pictures as SVG: elements as text, everything that they hold escaped, colours by class for light and dark."""

from collections.abc import Iterable
from typing import NamedTuple

PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#f7f4ec", "#1b1d1b"),
    "stone": ("#e9e3d3", "#2b2e2a"),
    "shade": ("#dcd4bf", "#353932"),
    "line": ("#a2977d", "#6d6959"),
    "ink": ("#2a2823", "#ece7d8"),
    "edge": ("#2a2823", "#0d0d0c"),
    "dim": ("#6b6454", "#a9a28f"),
    "mark": ("#c8590a", "#ff9b45"),
    "card": ("#fffdf6", "#f3eee0"),
    "back": ("#7d8b80", "#56635a"),
    "white": ("#fffdf6", "#f3eee0"),
    "red": ("#b53a2e", "#c9503f"),
    "blue": ("#2c5fa8", "#4a7fca"),
    "green": ("#2d7a48", "#3f9459"),
    "yellow": ("#e3b62f", "#e3b62f"),
    "black": ("#33312d", "#0e0e0d"),
}
"""The colours by class: on a light background, on a dark one."""
_ON = {"white": "#2a2823", "yellow": "#2a2823"}
"""What is written on these colours, and in both themes on cards; on the others it is white."""
_SIDES = ("white", "red", "blue", "green", "yellow", "black")

STYLE_RULES = (
    ".outline{fill:none}.thin{stroke-width:1}.rim{stroke-width:1.5}.bold{font-weight:700}"
    "text{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".middle{text-anchor:middle}.right{text-anchor:end}"
    ".even{font-family:ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre}"
    ".last{fill:none;stroke-width:3.5}.best{stroke-width:3}.dashed{stroke-dasharray:5 4}"
)


class Picture(NamedTuple):
    """A picture of a position: `board` is the same in all positions of a game, of `pieces` each is one element."""

    width: float
    height: float
    board: str
    pieces: tuple[str, ...]


def styles() -> str:
    """Return the rules for all classes; in a dark environment the dark colours take effect."""
    light = "".join(_rules(name, colours[0]) for name, colours in PALETTE.items())
    dark = "".join(_rules(name, colours[1]) for name, colours in PALETTE.items())
    written = "".join(f".on-{name}{{fill:{_ON.get(name, '#fff')}}}" for name in _SIDES)
    return f"{STYLE_RULES}{light}{written}@media(prefers-color-scheme:dark){{{dark}}}"


def _rules(name: str, colour: str) -> str:
    return f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}"


def escape(text: str) -> str:
    """Return text as it stands in XML and HTML, in elements and in attributes; what no document may hold is left out.

    >>> escape('<b a="1">&')
    '&lt;b a=&quot;1&quot;&gt;&amp;'
    """
    kept = "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    for letter, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        kept = kept.replace(letter, written)
    return kept


def number(value: float) -> str:
    """Return a coordinate in as few letters as tell tenths: the same on every machine.

    >>> number(3.0), number(-0.04), number(2.25)
    ('3', '0', '2.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(name: str, classes: str = "", text: str | None = None, **attributes: float | str) -> str:
    """Return an element without children; `text` is escaped, and so are attributes. `_` in a name stands for `-`."""
    parts = [f'class="{escape(classes)}"'] if classes else []
    for key, value in attributes.items():
        shown = escape(value) if isinstance(value, str) else number(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    head = " ".join((name, *parts))
    return f"<{head}/>" if text is None else f"<{head}>{escape(text)}</{name}>"


def group(*children: str, classes: str = "", transform: str = "") -> str:
    """Return elements as one."""
    head = "".join(
        f' {key}="{escape(value)}"' for key, value in (("class", classes), ("transform", transform)) if value
    )
    return f"<g{head}>{''.join(children)}</g>"


def circle(x: float, y: float, radius: float, classes: str) -> str:
    """Return a circle."""
    return element("circle", classes, cx=x, cy=y, r=radius)


def box(x: float, y: float, width: float, height: float, classes: str, round_: float = 0) -> str:
    """Return a rectangle whose corners are rounded by `round_`."""
    return element("rect", classes, x=x, y=y, width=width, height=height, rx=round_)


def line(x1: float, y1: float, x2: float, y2: float, classes: str) -> str:
    """Return a straight line."""
    return element("line", classes, x1=x1, y1=y1, x2=x2, y2=y2)


def path(points: Iterable[tuple[float, float]], classes: str, *, closed: bool = True) -> str:
    """Return a polygon, or a line through points."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return element("path", classes, d=f"M{steps}{'Z' * closed}")


def label(x: float, y: float, text: str, size: float, classes: str = "f-ink middle") -> str:
    """Return a line of text, its middle at a height of `y`."""
    return element("text", classes, text, x=x, y=y + size * 0.35, font_size=size)


def disc(x: float, y: float, radius: float, colour: str, text: str = "") -> str:
    """Return a piece of a colour with a letter on it."""
    made = circle(x, y, radius, f"f-{colour} s-edge rim")
    size = radius * (1.15 if len(text) < 2 else 0.95)
    return group(made, label(x, y, text, size, f"on-{colour} middle bold")) if text else made


def star(x: float, y: float, radius: float, classes: str) -> str:
    """Return a star of five points: the sign of a Rigant."""
    from math import cos, pi, sin

    corners = [(radius * (1, 0.42)[step % 2], step * pi / 5) for step in range(10)]
    return path([(x + far * sin(angle), y - far * cos(angle)) for far, angle in corners], classes)


def crown(x: float, y: float, radius: float, classes: str) -> str:
    """Return a crown: the sign of a king."""
    shape = ((-1, -0.5), (-0.5, 0.05), (0, -0.85), (0.5, 0.05), (1, -0.5), (0.8, 0.7), (-0.8, 0.7))
    return path([(x + radius * across, y + radius * down) for across, down in shape], classes)


def pile(x: float, y: float, radius: float, colours: list[str], top: str = "", *, lift: float = 0.0) -> str:
    """Return a stack of discs seen from above, the first colour on top; the others show below it.

    `top` is written on the top disc; `*` stands for the Rigant.
    """
    lift = lift or radius * 0.34
    low = y + lift * (len(colours) - 1) / 2
    discs = [disc(x, low - lift * at, radius, colour) for at, colour in enumerate(reversed(colours))]
    at = low - lift * (len(colours) - 1)
    written = f"on-{colours[0]}"
    if top.startswith("*"):
        count = top[1:]
        discs.append(star(x, at - (radius * 0.15 if count else 0), radius * (0.62 if count else 0.75), written))
        discs += [label(x, at + radius * 0.62, count, radius * 0.62, f"{written} middle bold")] if count else []
    elif top:
        discs.append(label(x, at, top, radius * 1.05, f"{written} middle bold"))
    return group(*discs)
