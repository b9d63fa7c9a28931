"""A saved game as one SVG file: one position, a strip of several, or all of them one after the other."""

from collections.abc import Sequence
from textwrap import wrap

from engine import counted
from p2p_stonehenge.export.boards import board_of
from p2p_stonehenge.export.svg import Drawing, box, circle, element, escape, group, label, number, styles
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.screen.views import view_of
from p2p_stonehenge.text.style import cut, safe

STRIP = 6
"""Positions in a strip."""
_FRAME, _LAST_FRAME = 1.2, 6.0
"""Seconds that a film shows a position, and the last one."""
_ABREAST = 3
_SCALE = 0.6
_PLAYER = 150.0
"""Room for a player's name and colour."""
_LINE = 20.0
_LETTER = 7.6
"""Width of a letter of a caption; a little more than most are, so that nothing is cut."""


def drawing(saved: SavedGame, ply: int) -> Drawing:
    """Return the board after `ply` plies."""
    last = saved.steps[ply - 1].places if ply else ()
    return board_of(saved.game.key).draw(saved.position(ply), tuple(map(safe, saved.names)), last)


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
    lines = wrap(told(saved, ply), int((drawn.width - 24) / _LETTER))
    head, top = _head(saved, drawn.width)
    height = top + drawn.height + 12 + _LINE * len(lines)
    parts = [head, group(_inner(drawn), transform=f"translate(0 {number(top)})")]
    parts += _caption(lines, 12, top + drawn.height)
    words = " ".join((*lines, *view_of(saved.game.key).describe(saved.position(ply))))
    return _document(drawn.width, height, parts, f"{saved.game.title}, after {counted(ply, 'action')}", words)


def strip(saved: SavedGame) -> str:
    """Return some positions from the start to the end, side by side, as an SVG document."""
    count = min(STRIP, len(saved) + 1)
    plies = [round(at * len(saved) / max(count - 1, 1)) for at in range(count)]
    drawn = [drawing(saved, ply) for ply in plies]
    board_width = max(one.width for one in drawn)
    board_height = max(one.height for one in drawn)
    captions = [wrap(told(saved, ply), int(board_width * _SCALE / _LETTER)) for ply in plies]
    abreast = min(_ABREAST, count)
    width = abreast * (board_width * _SCALE + 16)
    head, y = _head(saved, width)
    parts = [head]
    for first in range(0, count, abreast):
        row = range(first, min(first + abreast, count))
        for place, at in enumerate(row):
            x = place * (board_width * _SCALE + 16) + 8
            parts.append(group(_inner(drawn[at]), transform=f"translate({number(x)} {number(y)}) scale({_SCALE})"))
            parts += _caption(captions[at], x + 4, y + board_height * _SCALE)
        y += board_height * _SCALE + 24 + _LINE * max(len(captions[at]) for at in row)
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
    captions = [wrap(told(saved, at), int((width - 24) / _LETTER)) for at in plies]
    height = top + max(one.height for one in drawn) + 12 + _LINE * max(map(len, captions))
    shapes: dict[str, str] = {}
    frames = []
    for at, (one, lines) in enumerate(zip(drawn, captions, strict=True)):
        uses = [f'<use href="#{shapes.setdefault(piece, f"p{len(shapes)}")}"/>' for piece in (one.board, *one.pieces)]
        shown = [group(*uses, transform=f"translate(0 {number(top)})"), *_caption(lines, 12, top + one.height)]
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


def _inner(drawn: Drawing) -> str:
    return drawn.board + "".join(drawn.pieces)


def _head(saved: SavedGame, width: float) -> tuple[str, float]:
    """Return the game's title and the players with their colours, and how high that is."""
    names = [safe(name) for name in saved.names]
    abreast = max(min(len(names), int((width - 24) / _PLAYER)), 1)
    room = (width - 24) / abreast
    parts = [label(12, 22, saved.game.title, 20, "f-ink bold")]
    for seat, name in enumerate(names):
        row, place = divmod(seat, abreast)
        x, y, colour = 12 + place * room, 48 + row * 22, saved.game.colours[seat]
        shown = cut(name, max(int((room - 24) / 8) - len(colour) - 3, 4))
        parts.append(circle(x + 8, y, 8, f"f-{colour.lower()} s-edge rim"))
        parts.append(label(x + 22, y, f"{shown} ({colour})", 14, "f-ink"))
    return "".join(parts), 64.0 + 22 * ((len(names) - 1) // abreast)


def _caption(lines: Sequence[str], x: float, y: float) -> list[str]:
    return [label(x, y + _LINE * (at + 0.6), text, 14, "f-ink") for at, text in enumerate(lines)]


def _document(width: float, height: float, parts: Sequence[str], title: str, words: str) -> str:
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    told = f"{element('title', text=title)}{element('desc', text=words)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">'
    back = box(0, 0, width, height, "f-paper")
    return f"{head}{told}<style>{styles()}</style>{back}{''.join(parts)}</svg>\n"
