"""Fidchess drawn as a board of four rows and eight columns, with stacks as stacks."""

from functools import cache

from engine.games.fidchess import COLUMNS, DISKS, GAME, RIGANT, ROWS, SEAT_SHIFT, SPACES, State, piece
from p2p_stonehenge.export.svg import Picture, box, label, pile

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_CELL = 80.0
_LEFT, _TOP = 34.0, 30.0
_WIDTH, _HEIGHT = 2 * _LEFT + len(ROWS) * _CELL, 2 * _TOP + len(COLUMNS) * _CELL


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
    """Return the board, Yellow below, each stack with its name."""
    del names
    pieces = [box(*_corner(place), _CELL, _CELL, "last s-mark") for place in last if place in SPACES]
    for place, stack in zip(SPACES, state.cells, strict=True):
        if stack:
            x, y = _corner(place)
            colour = _COLOURS[(stack >> SEAT_SHIFT) - 1]
            letter = GAME.colours[(stack >> SEAT_SHIFT) - 1][0]
            disks, rigant = stack & DISKS, stack & RIGANT
            written = f"*{disks or ''}" if rigant else f"{letter}{disks}" if disks > 1 else letter
            colours = [colour] * (disks + (1 if rigant else 0))
            pieces.append(pile(x + _CELL / 2, y + 33, 20, colours, written, lift=min(5, 12 / len(colours))))
            pieces.append(label(x + _CELL / 2, y + _CELL - 11, piece(stack).split()[0], 15, "f-dim middle"))
    return Picture(_WIDTH, _HEIGHT, _board(), tuple(pieces))


def _corner(place: str) -> tuple[float, float]:
    return _LEFT + ROWS.index(place[0]) * _CELL, _TOP + (len(COLUMNS) - int(place[1:])) * _CELL


@cache
def _board() -> str:
    parts = [box(0, 0, _WIDTH, _HEIGHT, "f-paper")]
    for place in SPACES:
        dark = (ROWS.index(place[0]) + int(place[1:])) % 2
        parts.append(box(*_corner(place), _CELL, _CELL, f"{'f-shade' if dark else 'f-stone'} s-line thin"))
    for across, row in enumerate(ROWS):
        for y in (_TOP / 2, _HEIGHT - _TOP / 2):
            parts.append(label(_LEFT + (across + 0.5) * _CELL, y, row, 17, "f-dim middle"))
    for column in COLUMNS:
        y = _corner(f"A{column}")[1] + _CELL / 2
        parts += [label(x, y, column, 17, "f-dim middle") for x in (_LEFT / 2, _WIDTH - _LEFT / 2)]
    return "".join(parts)
