"""What a stack of Fidchess Qenqe reaches: its moves are remembered for every case of the spaces that decide them."""

import re
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from sys import intern
from typing import NamedTuple

from engine.game import Action
from engine.games.qenqe.board import LINES, RING, SPACES
from engine.games.qenqe.options import Options
from engine.games.qenqe.planes import ALL, OWN, landing
from engine.stacks import Line, Part, Remembered, set_of, shared_out

FEW = 6
"""The spaces whose cases are remembered together, at most."""


def _written(space: int, mark: str, target: int) -> Action:
    """Return the move from a space to another."""
    return intern(f"{SPACES[space]}{mark}{SPACES[target]}")


class Reach(Remembered):
    """The moves of a stack on `space` along `lines`, by the bits of a view that decide them; worked out when asked for.

    `lower` and `upper` are the planes that tell what landing would be.
    """

    MEMORY = 512
    """Cases remembered."""

    def __init__(self, space: int, lower: int, upper: int, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.space, self.lower, self.upper, self.lines = space, lower, upper, lines
        spaces = set_of(sum(lines, ()))
        self.mask = spaces << lower | spaces << upper
        """The bits of a view that decide the moves."""

    def work_out(self, view: int) -> Iterable[Action]:
        found = []
        joins, takes = view >> self.lower, view >> self.upper
        for line in self.written:
            for target, goes, joining, taking in line:
                if joins >> target & 1:
                    if not takes >> target & 1:
                        found.append(joining)
                    break
                if takes >> target & 1:
                    found.append(taking)
                    break
                found.append(goes)
        return found

    @cached_property
    def written(self) -> list[list[tuple[int, Action, Action, Action]]]:
        """Return the lines: each target with the moves that go there, that join and that take what lies there."""
        space = self.space
        return [
            [(to, _written(space, "-", to), _written(space, "+", to), _written(space, "x", to)) for to in line]
            for line in self.lines
        ]


class Landings(Remembered):
    """The moves of a stack on `space` along `lines` onto stacks of other seats; worked out when first asked for.

    Keys are the bits of a view that decide the moves, and those of the seat's own stacks on the lines.
    """

    MEMORY = Reach.MEMORY

    def __init__(self, space: int, lower: int, upper: int, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.reach = Reach(space, lower, upper, lines)
        self.spaces = set_of(sum(lines, ()))
        """The set of spaces on the lines."""
        self.mask = self.reach.mask | self.spaces << OWN

    def work_out(self, view: int) -> Iterable[Action]:
        own = {SPACES[space] for line in self.reach.lines for space in line if view >> OWN + space & 1}
        every = self.reach.work_out(view)
        return (move for move in every if "-" not in move and re.split("[+x]", move)[1] not in own)


class Slide(NamedTuple):
    """The way round the ring from a space, by the distance 0-30 to the right."""

    row: int
    """How far to shift a view for the stacks in the row."""
    column: int
    rest: int
    """The columns from here to the last one."""
    right: tuple[tuple[Action, ...], ...]
    """The moves to the empty spaces that are nearer."""
    left: tuple[tuple[Action, ...], ...]
    """The moves to the empty spaces that are further, the furthest first."""
    lower: tuple[int, ...]
    """The bits of a view, in the lower and in the upper plane, that tell what landing there would be."""
    upper: tuple[int, ...]
    joins: tuple[Action, ...]
    takes: tuple[Action, ...]


@cache
def _slide(space: int) -> Slide:
    """Return the way round the ring from a space for a stack whose lower and upper planes both begin at 0."""
    row, column = divmod(space, RING)
    targets = tuple(RING * row + (column + distance) % RING for distance in range(RING + 1))
    goes, joins, takes = (tuple(_written(space, mark, to) for to in targets) for mark in "-+x")
    right = tuple(goes[1:distance] for distance in range(RING + 1))
    left = tuple(goes[RING - 1 : distance : -1] for distance in range(RING + 1))
    bits = tuple(1 << target for target in targets)
    return Slide(ALL + RING * row, column, RING - column, right, left, bits, bits, joins, takes)


Reaches = tuple[tuple[Part, ...], Slide | None]
"""What a stack of some kind of movement reaches from a space: the moves but for those round the ring and those that
divide the stack, in parts; and the way round the ring, if the stack slides.
"""


@cache
def _reaches(kind: int, space: int, lower: int, upper: int) -> Reaches:
    parts = [Reach(space, lower, upper, lines) for lines in shared_out(_short(kind, space), FEW)]
    slide = None
    if kind > 1:
        slide = _slide(space)
        lowers, uppers = (tuple(bit << plane for bit in slide.lower) for plane in (lower, upper))
        slide = slide._replace(lower=lowers, upper=uppers)
    return tuple(reach.part for reach in parts), slide


def _short(kind: int, space: int) -> tuple[Line, ...]:
    """Return the lines of a stack but for those round the ring."""
    return tuple(line for line in LINES[kind][space] if len(line) < RING - 1)


@lru_cache(64)
def reaches(options: Options) -> tuple[tuple[Reaches, ...], ...]:
    """Return what stacks reach under the options: [kind of movement][space]."""
    kinds, spaces = range(options.highest + 1), range(len(SPACES))
    return tuple(tuple(_reaches(kind, space, *landing(kind, options)) for space in spaces) for kind in kinds)


Lands = tuple[tuple[int, Part], ...]
"""The moves onto stacks of other seats but for those round the ring, each part with its spaces."""


@cache
def _landings(kind: int, space: int, lower: int, upper: int) -> Lands:
    short = _short(kind, space)
    steps = tuple(line for line in short if len(line) == 1)
    longer = shared_out(tuple(line for line in short if len(line) > 1), FEW)
    landings = [Landings(space, lower, upper, lines) for lines in (steps, *longer)]
    return tuple((some.spaces, some.part) for some in landings)


@lru_cache(64)
def landings_of(options: Options) -> tuple[tuple[Lands, ...], ...]:
    """Return what stacks may land on under the options: [kind of movement][space]."""
    kinds, spaces = range(options.highest + 1), range(len(SPACES))
    return tuple(tuple(_landings(kind, space, *landing(kind, options)) for space in spaces) for kind in kinds)
