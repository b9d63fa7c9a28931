"""A saved game as one SVG file: one position, a strip of several, or all of them one after the other."""

from collections.abc import Sequence
from textwrap import wrap

from engine import counted
from p2p_stonehenge.export.boards import board_of
from p2p_stonehenge.export.svg import Picture, box, circle, element, escape, group, label, number, styles
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen.views import view_of
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cut

STRIP = 6
"""Positions in a strip."""
_FRAME, _LAST_FRAME = 1.2, 6.0
"""Seconds that a film shows a position, and the last one."""
_ABREAST = 3
_SCALE = 0.6
_PLAYER = 10.7
"""Room for a player's name and colour, in sizes of a letter."""
_SIZE = 15.0
"""Of the smallest letters of names and captions."""
_BROAD = 44.0
"""Letters of names and captions are at least this part of the picture's width: it may be shown small."""
_LETTER = 0.54
"""Width of a letter of a caption, in parts of its size; a little more than most are, so that nothing is cut."""
_LINE = 1.4
"""Height of a line, in parts of its size."""


def drawing(saved: SavedGame, ply: int) -> Picture:
    """Return the board after `ply` plies."""
    names = tuple(map(safe, saved.names))
    return board_of(saved.game.key).draw(saved.position(ply), names, saved.touched(ply))


def told(saved: SavedGame, ply: int) -> str:
    """Return what ply `ply` was, in a sentence; for the last one also how the game ended."""
    if ply == 0:
        return f"The start; {counted(len(saved), 'action')} to follow." if len(saved) else "The start."
    step = saved.steps[ply - 1]
    end = f" {saved.outcome}" if ply == len(saved) and saved.result else ""
    return safe(f"{ply}. {step.told}{end}", 600)


def picture(saved: SavedGame, ply: int) -> str:
    """Return the position after `ply` plies as an SVG document."""
    drawn = drawing(saved, ply)
    lines = _lines(told(saved, ply), drawn.width)
    head, top = _head(saved, drawn.width)
    height = top + drawn.height + _room(lines, drawn.width)
    parts = [head, group(_inner(drawn), transform=f"translate(0 {number(top)})")]
    parts += _caption(lines, 12, top + drawn.height, _size(drawn.width))
    words = " ".join((*lines, *map(saved.in_names, view_of(saved.game.key).describe(saved.position(ply)))))
    return _document(drawn.width, height, parts, f"{saved.game.title}, after {counted(ply, 'action')}", words)


def strip(saved: SavedGame, ply: int | None = None) -> str:
    """Return some positions from the start to `ply`, or to the end, side by side, as an SVG document."""
    last = len(saved) if ply is None else ply
    count = min(STRIP, last + 1)
    plies = [round(at * last / max(count - 1, 1)) for at in range(count)]
    drawn = [drawing(saved, ply) for ply in plies]
    board_width = max(one.width for one in drawn)
    board_height = max(one.height for one in drawn)
    captions = [wrap(told(saved, ply), int(board_width * _SCALE / _LETTER / _SIZE)) for ply in plies]
    abreast = min(_ABREAST, count)
    width = abreast * (board_width * _SCALE + 16)
    head, y = _head(saved, width, close=True)
    parts = [head]
    for first in range(0, count, abreast):
        row = range(first, min(first + abreast, count))
        for place, at in enumerate(row):
            x = place * (board_width * _SCALE + 16) + 8
            parts.append(group(_inner(drawn[at]), transform=f"translate({number(x)} {number(y)}) scale({_SCALE})"))
            parts += _caption(captions[at], x + 4, y + board_height * _SCALE, _SIZE)
        y += board_height * _SCALE + 24 + _LINE * _SIZE * max(len(captions[at]) for at in row)
    words = " ".join(told(saved, ply) for ply in plies)
    return _document(width, y, parts, f"{saved.game.title}, {count} positions", words)


def film(saved: SavedGame, ply: int | None) -> str:
    """Return all positions up to `ply`, or to the end, as an SVG document that shows them one after the other.

    Where the system of the reader asks for reduced motion, only the last one is shown.
    """
    plies = range((len(saved) if ply is None else ply) + 1)
    drawn = [drawing(saved, at) for at in plies]
    width = max(one.width for one in drawn)
    head, top = _head(saved, width)
    captions = [_lines(told(saved, at), width) for at in plies]
    height = top + max(one.height for one in drawn) + max(_room(lines, width) for lines in captions)
    shapes: dict[str, str] = {}
    frames = []
    for at, (one, lines) in enumerate(zip(drawn, captions, strict=True)):
        uses = [f'<use href="#{shapes.setdefault(piece, f"p{len(shapes)}")}"/>' for piece in (one.board, *one.pieces)]
        shown = [
            group(*uses, transform=f"translate(0 {number(top)})"),
            *_caption(lines, 12, top + one.height, _size(width)),
        ]
        last = " end" * (at == plies[-1])
        frames.append(f'<g class="frame{last}" style="animation-delay:{number(at * _FRAME)}s">{"".join(shown)}</g>')
    defined = "".join(f'<g id="{name}">{piece}</g>' for piece, name in shapes.items())
    length = (len(plies) - 1) * _FRAME + _LAST_FRAME
    shown_for = {"show": _FRAME, "stay": _LAST_FRAME}
    keys = (
        f"@keyframes {name}{{0%{{visibility:visible}}{100 * seconds / length:.4f}%{{visibility:hidden}}}}"
        for name, seconds in shown_for.items()
    )
    moves = (
        f".frame{{visibility:hidden;animation:show {number(length)}s steps(1) infinite}}.end{{animation-name:stay}}"
        f"{''.join(keys)}@media(prefers-reduced-motion:reduce){{.frame{{animation:none}}.end{{visibility:visible}}}}"
    )
    parts = [f"<style>{moves}</style><defs>{defined}</defs>", head, *frames]
    words = " ".join(told(saved, at) for at in plies)
    return _document(width, height, parts, f"{saved.game.title}, {len(plies)} positions one after the other", words)


def _inner(drawn: Picture) -> str:
    return drawn.board + "".join(drawn.pieces)


def _head(saved: SavedGame, width: float, *, close: bool = False) -> tuple[str, float]:
    """Return the game's title and the players with their colours, and how high that is.

    `close`: the players stand as close as their names let them, and over no picture of several each.
    """
    names = [safe(name) for name in saved.names]
    size = _size(width)
    abreast = max(min(len(names), int((width - 24) / _PLAYER / size)), 1)
    room, line = (width - 24) / abreast, _LINE * size + 2
    if close:
        letters = max(len(name) + len(colour) + 3 for name, colour in zip(names, saved.game.colours, strict=False))
        room = min(room, size * (2.5 + (_LETTER + 0.03) * letters))
    parts = [label(12, 10 + size * 0.8, saved.game.title, size * 1.3, "f-ink bold")]
    for seat, name in enumerate(names):
        row, place = divmod(seat, abreast)
        x, y, colour = 12 + place * room, 10 + size * 2.6 + row * line, saved.game.colours[seat]
        shown = cut(name, max(int((room - size * 1.6) / size / (_LETTER + 0.03)) - len(colour) - 3, 4))
        parts.append(circle(x + size * 0.55, y, size * 0.55, f"f-{colour.lower()} s-edge rim"))
        parts.append(label(x + size * 1.5, y, f"{shown} ({colour})", size, "f-ink"))
    return "".join(parts), 10 + size * 3.7 + line * ((len(names) - 1) // abreast)


def _size(width: float) -> float:
    """Return how large the letters of names and captions are in a picture of this width."""
    return max(_SIZE, width / _BROAD)


def _lines(text: str, width: float) -> list[str]:
    return wrap(text, int((width - 24) / _LETTER / _size(width)))


def _room(lines: Sequence[str], width: float) -> float:
    """Return how high a caption is."""
    return 12 + _LINE * _size(width) * len(lines)


def _caption(lines: Sequence[str], x: float, y: float, size: float) -> list[str]:
    return [label(x, y + _LINE * size * (at + 0.6), text, size, "f-ink") for at, text in enumerate(lines)]


def _document(width: float, height: float, parts: Sequence[str], title: str, words: str) -> str:
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    texts = f"{element('title', text=title)}{element('desc', text=words)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">'
    back = box(0, 0, width, height, "f-paper")
    return f"{head}{texts}<style>{styles()}</style>{back}{''.join(parts)}</svg>\n"
