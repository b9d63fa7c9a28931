"""Fidchell drawn round: seven circles about the king, and the rows that run towards it."""

from functools import lru_cache
from math import cos, pi, sin

from engine.games.fidchell import CIRCLES, GAME, ROWS, State, fields_of
from p2p_stonehenge.export.svg import Picture, box, circle, crown, group, label, line, path

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_SIZE = 640.0
_MIDDLE = _SIZE / 2
_RIM = 258.0
_KING = 26.0
_NAMES, _SECTIONS = _RIM + 26, _RIM + 50
"""Distances from the middle at which rows and sections are named."""


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
    """Return the round board with the pieces on it."""
    del names
    rules = state.rules
    points = _points(rules.layout, rules.sections)
    radius = _piece(rules.layout, rules.sections)
    pieces = []
    for seat, men in enumerate(state.men, 1):
        for field in fields_of(men):
            x, y = points[rules.board.names[field]]
            if seat in state.playing or len(state.men) == 2:  # of two, one that is out leaves no obstacles: it has lost
                pieces.append(
                    group(
                        circle(x, y, radius, f"f-{_COLOURS[seat - 1]} s-edge rim"),
                        label(x, y, GAME.colours[seat - 1][0], radius * 1.3, f"on-{_COLOURS[seat - 1]} middle bold"),
                    )
                )
            else:
                pieces.append(
                    group(
                        circle(x, y, radius, "f-stone s-dim rim"),
                        label(x, y, GAME.colours[seat - 1][0].lower(), radius * 1.3, "f-dim middle"),
                    )
                )
    for place in last:
        if place in points:
            x, y = points[place]
            held = any(men >> rules.board.named[place] & 1 for men in state.men)
            # Where the move ended a ring in ink keeps the mark apart from a piece of a colour near to it.
            ring = [circle(x, y, radius + 2.5, "outline s-ink best"), circle(x, y, radius + 5.5, "last s-mark")]
            pieces.append(group(*ring) if held else circle(x, y, radius - 2, "last s-mark dashed"))
    return Picture(_SIZE, _SIZE, _board(rules.layout, rules.sections), tuple(pieces))


def _at(distance: float, turn: float) -> tuple[float, float]:
    """Return the point at a distance from the middle, `turn` from 0 to 1 clockwise from the top."""
    return _MIDDLE + distance * sin(2 * pi * turn), _MIDDLE - distance * cos(2 * pi * turn)


def _distance(ring: int) -> float:
    return _KING + 14 + (_RIM - _KING - 14) * (ring - 0.35) / (CIRCLES - 0.35)


def _piece(layout: str, sections: int) -> float:
    """Return the radius of a piece: as large as the narrowest circle leaves room for."""
    gaps = [_RIM / CIRCLES]
    for ring in range(1, CIRCLES + 1):
        turns = sorted(_turn(layout, sections, 0, row) for row, inner in enumerate(layout) if int(inner) <= ring)
        near = [after - before for before, after in zip(turns, [*turns[1:], turns[0] + 1 / sections], strict=True)]
        gaps.append(2 * _distance(ring) * sin(pi * min(*near, 0.5)))
    return min(13.0, 0.42 * min(gaps))


def _turn(layout: str, sections: int, section: int, row: int) -> float:
    return (section + (row + 0.5) / len(layout)) / sections


@lru_cache(8)
def _points(layout: str, sections: int) -> dict[str, tuple[float, float]]:
    """Return where each field lies, by its name."""
    return {
        f"{section + 1}{ROWS[row]}{ring}": _at(_distance(ring), _turn(layout, sections, section, row))
        for section in range(sections)
        for row, inner in enumerate(layout)
        for ring in range(max(int(inner), 1), CIRCLES + 1)
    }


@lru_cache(8)
def _board(layout: str, sections: int) -> str:
    parts = [box(0, 0, _SIZE, _SIZE, "f-paper"), circle(_MIDDLE, _MIDDLE, _RIM + 14, "f-stone s-line")]
    for section in range(0, sections - sections % 2, 2):
        edge = [_at(_RIM + 14, (section + step / 12) / sections) for step in range(13)]
        parts.append(path([(_MIDDLE, _MIDDLE), *edge], "f-shade"))
    parts += [circle(_MIDDLE, _MIDDLE, _distance(ring), "outline s-line thin") for ring in range(1, CIRCLES + 1)]
    for section in range(sections):
        for row, inner in enumerate(layout):
            turn = _turn(layout, sections, section, row)
            start = 0 if inner == "0" else _distance(int(inner))
            parts.append(line(*_at(start, turn), *_at(_RIM, turn), "s-line thin"))
            parts.append(label(*_at(_NAMES, turn), ROWS[row], 17, "f-dim middle"))
        parts.append(label(*_at(_SECTIONS, (section + 0.5) / sections), str(section + 1), 22, "f-ink middle bold"))
    points = _points(layout, sections)
    parts += [circle(x, y, 3.2, "f-paper s-line thin") for x, y in points.values()]
    for ring in range(1, CIRCLES + 1):
        parts.append(label(*_at(_distance(ring), 0), str(ring), 17, "f-ink middle"))
    parts.append(circle(_MIDDLE, _MIDDLE, _KING, "f-black s-ink"))
    parts.append(crown(_MIDDLE, _MIDDLE, 14, "f-yellow"))
    return "".join(parts)
