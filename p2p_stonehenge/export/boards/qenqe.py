"""Fidchess Qenqe drawn as its ring: 30 columns clockwise, row A outside, row D inside."""

from functools import cache
from math import cos, pi, sin

from engine import counted
from engine.games.qenqe import GAME, INDEX, LETTERS, RING, ROWS, SPACES, State, has_rigant, owner
from p2p_stonehenge.export.svg import Picture, box, circle, group, label, path, pile

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_SIZE = 760.0
_MIDDLE = _SIZE / 2
_EDGES = (350.0, 299.0, 249.0, 201.0, 155.0)
"""Distances of the edges of the rows from the middle, row A first."""


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
    """Return the ring; the players, and how many own and captive disks each controls, stand in the middle."""
    pieces = [path(_cell(place), "last s-mark") for place in last if place in INDEX]
    held = [[0, 0] for _ in range(state.rules.seats)]
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
        pieces.append(pile(x, y, (19.0, 18.0, 17.5, 16.5)[row], colours, written, lift=min(6.0, 18 / len(stack))))
        for colour in colours[1:] if has_rigant(stack) else colours:
            held[seat - 1][colour != _COLOURS[seat - 1]] += 1
    for seat in range(1, state.rules.seats + 1):
        y = _MIDDLE + (seat - (state.rules.seats + 1) / 2) * 48
        name = names[seat - 1] if names else GAME.colours[seat - 1]
        own, captives = held[seat - 1]
        told = counted(own, "disk") + (f", {counted(captives, 'captive')}" if captives else "")
        told = told if seat in state.playing else f"resigned, {counted(own, 'disk')}"
        dot = circle(_MIDDLE - 94, y - 10, 10, f"f-{_COLOURS[seat - 1]} s-edge rim")
        written = label(_MIDDLE - 76, y - 10, name[:11], 18, "f-ink bold")
        pieces.append(group(dot, written, label(_MIDDLE - 76, y + 11, told, 17, "f-ink")))
    return Picture(_SIZE, _SIZE, _board(), tuple(pieces))


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
        parts.append(label(*_at(_EDGES[0] + 16, column), str(column), 20, "f-dim middle"))
    for row, name in enumerate(ROWS):
        # Near the outer corners, where the stacks of both columns leave room.
        x, y = _at(_EDGES[row] - 11, 0.5)
        parts += [circle(x, y, 11, "f-paper s-line thin"), label(x, y, name, 18, "f-dim middle")]
    return "".join(parts)
