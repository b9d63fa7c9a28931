"""Fidchell: the board of a layout as tables, and the ways of pieces along its circles and rows.

A field is a number: circle 7 comes first, each circle clockwise from section 1, row A. A set of fields is an int, a
bit a field; the bit after the last field stands for the king.

What the pieces on a line may do depends on that line alone. A `Stretch` is a line, or a few short ones, and remembers
the moves for what stood on it. A state keeps the moves by stretch: an action renews those of the few it touches.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import chain, pairwise
from operator import or_
from sys import intern
from typing import NamedTuple, TypeAlias

CIRCLES = 7
ROWS = "ABCDEFGHI"
LAYOUT = "53035"
LAYOUTS = "|".join(f"[1-7]{{{at}}}0[1-7]{{0,{len(ROWS) - 1 - at}}}" for at in range(len(ROWS)))
"""The pattern of a layout: for each row of a section its innermost circle. One row reaches the king on circle 0, and
so every circle has a field in each section."""
SECTIONS = range(3, 13)
CHAIN = 7
"""Pieces in the shortest chain: a seat with fewer is out."""

SHORT = 8
"""Fields that the lines of one stretch have together, at most, unless it is a long line: 10 and 12 were slower."""
MEMORY = 4096
"""How many cases a stretch remembers: those of short lines for good, those of circles while they last."""


def size(layout: str, sections: int) -> int:
    """Return how many fields a layout has."""
    return sections * sum(CIRCLES + 1 - max(int(innermost), 1) for innermost in layout)


Ways: TypeAlias = tuple[tuple[str, ...], ...]
"""The moves of each seat along some lines; always of three seats."""

_NO_WAYS: Ways = ((), (), ())


class Line(NamedTuple):
    """A circle, which is closed, or a row from the rim inwards: its fields, in ascending order."""

    fields: tuple[int, ...]
    closed: bool
    onwards: tuple[tuple[str, ...], ...]
    """From each place of the line: the moves onwards, nearest first, as far as the line goes."""
    backwards: tuple[tuple[str, ...], ...]

    def moves(self, men: tuple[int, int, int]) -> Ways:
        """Return the moves along the line by seat. `men` are the fields of each seat's pieces."""
        fields, onwards, backwards = self.fields, self.onwards, self.backwards
        length = len(fields)
        if self.closed:  # its fields follow one another
            start, every = fields[0], (1 << length) - 1
            first, second, third = men[0] >> start & every, men[1] >> start & every, men[2] >> start & every
        else:
            first, second, third = (
                _set(place for place, field in enumerate(fields) if some >> field & 1) for some in men
            )
        rest = first | second | third
        if not rest:
            return _NO_WAYS
        found: tuple[list[str], list[str], list[str]] = ([], [], [])
        # Gap by gap: `last` is the place of the piece before it, `left` where the moves of that piece are collected.
        last = -1
        left: list[str] = []
        open_ended = not self.closed or not rest & rest - 1
        if not open_ended:
            bit = 1 << rest.bit_length() - 1
            last = rest.bit_length() - 1 - length
            left = found[0 if first & bit else 1 if second & bit else 2]
        elif self.closed:
            last = rest.bit_length() - 2  # alone on a circle: all of it lies onwards, and nothing need lie backwards
        while rest:
            bit = rest & -rest
            rest ^= bit
            place = bit.bit_length() - 1
            right = found[0 if first & bit else 1 if second & bit else 2]
            gap = place - last - 1
            if gap:
                left += onwards[last][:gap]
                right += backwards[place][:gap]
            last, left = place, right
        if open_ended:
            left += onwards[last]
        return tuple(found[0]), tuple(found[1]), tuple(found[2])


class Stretch(dict[int, Ways]):
    """The moves along some lines by what stands there, remembered. What stands is an int, see `Board.standing`."""

    def __init__(self, lines: Iterable[Line], width: int) -> None:
        super().__init__()
        self.lines = tuple(lines)
        self.fields = _set(field for line in self.lines for field in line.fields)
        self.width = width
        self.mask = self.fields | self.fields << width | self.fields << 2 * width

    def __missing__(self, standing: int) -> Ways:
        if len(self) >= MEMORY:
            self.clear()
        fields, width = self.fields, self.width
        men = standing & fields, standing >> width & fields, standing >> 2 * width & fields
        if len(self.lines) == 1:
            ways = self.lines[0].moves(men)
        else:
            by_line = [line.moves(men) for line in self.lines]
            ways = tuple(tuple(chain.from_iterable(moves)) for moves in zip(*by_line, strict=True))
        self[standing] = ways
        return ways


class Board(NamedTuple):
    """The tables of one layout; those by field have an entry for each."""

    names: tuple[str, ...]
    named: dict[str, int]
    """The field of each name."""
    near: tuple[int, ...]
    """By field: its neighbours."""
    traps: tuple[tuple[tuple[int, int], ...], ...]
    """By field: each neighbour that may be captured from there, and what lies beyond it, maybe the king."""
    king: int
    rim: int
    """Circle 7."""
    gate: int
    """The fields next to the king."""
    spokes: tuple[int, ...]
    """The rows that reach the king."""
    circles: tuple[Line, ...]
    rows: tuple[Line, ...]
    stretches: tuple[Stretch, ...]
    lies_on: tuple[tuple[int, ...], ...]
    """By field: the stretches that it lies on."""

    def standing(self, men: tuple[int, ...]) -> int:
        """Return what stands on the board as one number: the fields of seat 3 above those of seat 2 above seat 1."""
        width = len(self.names)
        standing = men[0] | men[1] << width
        return standing | men[2] << 2 * width if len(men) == 3 else standing

    def ways(self, men: tuple[int, ...]) -> tuple[Ways, ...]:
        """Return all moves by stretch."""
        standing = self.standing(men)
        return tuple([stretch[standing & stretch.mask] for stretch in self.stretches])

    def ways_after(self, before: tuple[Ways, ...], men: tuple[int, ...], changed: Iterable[int]) -> tuple[Ways, ...]:
        """Return all moves by stretch, which were `before`, now that some fields have changed."""
        standing = self.standing(men)
        stretches, lies_on = self.stretches, self.lies_on
        after = list(before)
        for field in changed:
            for number in lies_on[field]:
                stretch = stretches[number]
                after[number] = stretch[standing & stretch.mask]
        return tuple(after)

    def is_chain(self, own: int, field: int) -> bool:
        """Return whether the pieces in `own` that hang together with `field` join the king to the rim."""
        touching = own & self.near[field]
        ends = self.rim | self.gate
        if not touching or not (touching & touching - 1 or ends >> field & 1):
            return False  # a chain goes through the field, or ends there
        chained = rest = 1 << field
        while rest:
            bit = rest & -rest
            more = self.near[bit.bit_length() - 1] & own & ~chained
            chained |= more
            rest ^= bit | more
        return bool(chained & self.rim and chained & self.gate)

    def empty(self, occupied: int) -> tuple[str, ...]:
        """Return the names of the empty fields."""
        return tuple(name for field, name in enumerate(self.names) if not occupied >> field & 1)


@lru_cache(16)
def board_of(layout: str, sections: int) -> Board:
    """Return the board of a layout."""
    places = [
        (section, row, circle)
        for circle in range(CIRCLES, 0, -1)
        for section in range(1, sections + 1)
        for row, innermost in enumerate(layout)
        if int(innermost) <= circle
    ]
    names = tuple(intern(f"{section}{ROWS[row]}{circle}") for section, row, circle in places)
    king = len(names)
    circles = [
        tuple(field for field, place in enumerate(places) if place[2] == circle) for circle in range(CIRCLES, 0, -1)
    ]
    rows = [
        tuple(field for field, place in enumerate(places) if place[:2] == (section, row))
        for section in range(1, sections + 1)
        for row in range(len(layout))
    ]
    spokes = rows[layout.index("0") :: len(layout)]
    walks = [(*circle, *circle[:2]) for circle in circles]
    walks += [(*row, king) if row in spokes else row for row in rows]
    walks += [walk[::-1] for walk in walks]
    near = [0] * (king + 1)
    traps: list[tuple[tuple[int, int], ...]] = [()] * (king + 1)
    for walk in walks:
        for field, neighbour in pairwise(walk):
            near[field] |= 1 << neighbour
        for field, neighbour, beyond in zip(walk, walk[1:], walk[2:], strict=False):
            traps[field] += ((1 << neighbour, 1 << beyond),)
    gate = near.pop()
    traps.pop()
    lines = [_line(circle, True, names) for circle in circles], [_line(row, False, names) for row in rows]
    stretches = tuple(Stretch(group, king) for group in _stretches(chain(*lines)))
    return Board(
        names,
        {name: field for field, name in enumerate(names)},
        tuple(mask & (1 << king) - 1 for mask in near),
        tuple(traps),
        1 << king,
        _set(circles[0]),
        gate,
        tuple(map(_set, spokes)),
        tuple(lines[0]),
        tuple(lines[1]),
        stretches,
        tuple(
            tuple(number for number, stretch in enumerate(stretches) if stretch.fields >> field & 1)
            for field in range(king)
        ),
    )


def fields_of(some: int) -> list[int]:
    """Return the fields of a set in order."""
    found = []
    while some:
        bit = some & -some
        found.append(bit.bit_length() - 1)
        some ^= bit
    return found


def _set(fields: Iterable[int]) -> int:
    """Return the set of some fields, each of which may be named more than once."""
    return reduce(or_, (1 << field for field in fields), 0)


def _line(fields: tuple[int, ...], closed: bool, names: tuple[str, ...]) -> Line:
    def ways(walk: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
        for place, field in enumerate(walk):
            there = walk[place + 1 :] + (walk[:place] if closed else ())
            yield tuple(intern(f"{names[field]}-{names[target]}") for target in there)

    return Line(fields, closed, tuple(ways(fields)), tuple(ways(fields[::-1]))[::-1])


def _stretches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Share the lines out: long ones alone, short ones together."""
    group: list[Line] = []
    for line in lines:
        if group and sum(len(other.fields) for other in (*group, line)) > SHORT:
            yield group
            group = []
        group.append(line)
    yield group


# Notation

_FIELD = r"([1-9]\d?)\s*([a-i])\s*(\d)"
_ACTION = re.compile(rf"{_FIELD}(?:\s*(?:[-+x*>]|to)?\s*{_FIELD})?\s*[x*+]*", re.ASCII)


def read(text: str) -> str | None:
    """Return the canonical action that lower-case text names, or None; its fields need not be on the board."""
    match = _ACTION.fullmatch(text)
    if match is None:
        return None
    first, second = ("".join(field).upper() for field in (match.groups("")[:3], match.groups("")[3:]))
    return f"{first}-{second}" if second else first


def no_field(name: str, layout: str, sections: int) -> str:
    """Return why a layout has no field of that name, which is well formed."""
    section, row, circle = name[:-2], name[-2], name[-1]
    if int(section) > sections:
        return f"There is no field {name}: sections are 1-{sections}."
    if row not in ROWS[: len(layout)]:
        rows = f"rows are A-{ROWS[len(layout) - 1]}" if len(layout) > 1 else "there is but row A"
        return f"There is no field {name}: {rows}."
    if circle == "0":
        return "Circle 0 is the king's alone: no piece stands there."
    innermost = max(int(layout[ROWS.index(row)]), 1)
    ranging = f"from circle {CIRCLES} to {innermost}" if innermost < CIRCLES else f"circle {CIRCLES} alone"
    return f"There is no field {name}: row {row} has {ranging}."
