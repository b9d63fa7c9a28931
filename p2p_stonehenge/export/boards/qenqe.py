"""Fidchess Qenqe drawn as its ring: 30 columns clockwise, row A outside, row D inside."""

from functools import cache
from math import cos, pi, sin

from engine import counted
from engine.games.qenqe import GAME, INDEX, LETTERS, RING, ROWS, SPACES, State, has_rigant, owner
from p2p_stonehenge.export.svg import Drawing, box, circle, group, label, path, pile

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_SIZE = 760.0
_MIDDLE = _SIZE / 2
_EDGES = (352.0, 292.0, 238.0, 190.0, 146.0)
"""Distances of the edges of the rows from the middle, row A first."""


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Drawing:
    """Return the ring; the players, and how many stacks each controls, stand in the middle."""
    pieces = [path(_cell(place), "last s-mark") for place in last if place in INDEX]
    tops = [0] * state.rules.seats
    for place, stack in zip(SPACES, state.cells, strict=True):
        if not stack:
            continue
        seat = owner(stack)
        row, column = ROWS.index(place[0]), int(place[1:])
        x, y = _at((_EDGES[row] + _EDGES[row + 1]) / 2, column)
        colours = [_COLOURS[LETTERS.index(letter)] for letter in stack.upper()]
        letter = LETTERS[seat - 1] if seat in state.playing else LETTERS[seat - 1].lower()
        written = f"*{len(stack) if len(stack) > 1 else ''}" if has_rigant(stack) else letter
        written = f"{letter}{len(stack)}" if len(stack) > 1 and not has_rigant(stack) else written
        pieces.append(pile(x, y, (17.5, 15.5, 13.5, 11.5)[row], colours, written))
        tops[seat - 1] += 1
    for seat in range(1, state.rules.seats + 1):
        y = _MIDDLE + (seat - (state.rules.seats + 1) / 2) * 30
        out = "" if seat in state.playing else ", resigned"
        name = names[seat - 1] if names else GAME.colours[seat - 1]
        told = f"{name[:11]}: {counted(tops[seat - 1], 'stack')}{out}"
        dot = circle(_MIDDLE - 88, y, 10, f"f-{_COLOURS[seat - 1]} s-edge rim")
        pieces.append(group(dot, label(_MIDDLE - 70, y, told, 15, "f-ink")))
    return Drawing(_SIZE, _SIZE, _board(), tuple(pieces))


def _at(distance: float, column: float) -> tuple[float, float]:
    turn = 2 * pi * (column - 0.5) / RING
    return _MIDDLE + distance * sin(turn), _MIDDLE - distance * cos(turn)


def _cell(place: str) -> list[tuple[float, float]]:
    """Return the outline of a space."""
    row, column = ROWS.index(place[0]), int(place[1:])
    steps = [column - 0.5 + part / 4 for part in range(5)]
    return [_at(_EDGES[row], step) for step in steps] + [_at(_EDGES[row + 1], step) for step in reversed(steps)]


@cache
def _board() -> str:
    parts = [box(0, 0, _SIZE, _SIZE, "f-paper")]
    for place in SPACES:
        dark = (ROWS.index(place[0]) + int(place[1:])) % 2
        parts.append(path(_cell(place), f"{'f-shade' if dark else 'f-stone'} s-line thin"))
    for column in range(1, RING + 1):
        parts.append(label(*_at(_EDGES[0] + 14, column), str(column), 13, "f-dim middle"))
    for row, name in enumerate(ROWS):
        x, y = _at((_EDGES[row] + _EDGES[row + 1]) / 2, 0.5)
        parts += [circle(x, y, 8, "f-paper s-line thin"), label(x, y, name, 11, "f-dim middle")]
    return "".join(parts)
