"""What a stack of Fidchess Qenqe reaches: its moves are remembered for every case of the spaces that decide them."""

import re
from functools import cache, lru_cache
from sys import intern
from typing import NamedTuple

from engine.game import Action
from engine.games.qenqe.board import LINES, RING, SPACES
from engine.games.qenqe.planes import ALL, OWN, landing
from engine.games.qenqe.state import Rules
from engine.stacks import Line, set_of, shared_out

FEW = 6
"""The spaces whose cases are remembered together, at most."""


class Reach(dict[int, tuple[Action, ...]]):
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

    def __missing__(self, view: int) -> tuple[Action, ...]:
        if len(self) >= self.MEMORY:
            self.clear()
        origin, found = SPACES[self.space], []
        for line in self.lines:
            for target in line:
                landing = view >> self.lower + target & 1 | (view >> self.upper + target & 1) << 1
                if landing < 3:
                    found.append(intern(f"{origin}{'-+x'[landing]}{SPACES[target]}"))
                if landing:
                    break
        self[view] = tuple(found)
        return self[view]


class Landings(dict[int, tuple[Action, ...]]):
    """The moves of a stack on `space` along `lines` onto stacks of other seats; worked out when first asked for.

    Keys are the bits of a view that decide the moves, and those of the seat's own stacks on the lines.
    """

    def __init__(self, space: int, lower: int, upper: int, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.reach = Reach(space, lower, upper, lines)
        self.spaces = set_of(sum(lines, ()))
        """The set of spaces on the lines."""
        self.mask = self.reach.mask | self.spaces << OWN

    def __missing__(self, view: int) -> tuple[Action, ...]:
        if len(self) >= self.reach.MEMORY:
            self.clear()
        own = {SPACES[space] for line in self.reach.lines for space in line if view >> OWN + space & 1}
        found = self[view] = tuple(
            move
            for move in self.reach[view & self.reach.mask]
            if "-" not in move and re.split("[+x]", move)[1] not in own
        )
        return found


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
    """How far to shift a view for what landing there would be."""
    upper: tuple[int, ...]
    joins: tuple[Action, ...]
    takes: tuple[Action, ...]


def _slide(space: int, lower: int, upper: int) -> Slide:
    """Return the way round the ring from a space."""
    row, column = divmod(space, RING)
    targets = tuple(RING * row + (column + distance) % RING for distance in range(RING + 1))
    goes, joins, takes = (tuple(intern(f"{SPACES[space]}{mark}{SPACES[t]}") for t in targets) for mark in "-+x")
    right = tuple(goes[1:distance] for distance in range(RING + 1))
    left = tuple(goes[RING - 1 : distance : -1] for distance in range(RING + 1))
    lowers, uppers = (tuple(plane + target for target in targets) for plane in (lower, upper))
    return Slide(ALL + RING * row, column, RING - column, right, left, lowers, uppers, joins, takes)


class Reaches(NamedTuple):
    """What a stack of some kind of movement reaches from a space."""

    parts: tuple[tuple[int, Reach], ...]
    """The moves but for those round the ring and those that divide the stack, each part with its mask."""
    slide: Slide | None
    """The way round the ring, if the stack slides."""
    landings: tuple[tuple[int, int, Landings], ...]
    """The moves onto stacks of other seats among those of `parts`, each part with its spaces and its mask."""


@cache
def _reaches(kind: int, space: int, lower: int, upper: int) -> Reaches:
    short = tuple(line for line in LINES[kind][space] if len(line) < RING - 1)
    parts = [Reach(space, lower, upper, lines) for lines in shared_out(short, FEW)]
    steps = tuple(line for line in short if len(line) == 1)
    longer = shared_out(tuple(line for line in short if len(line) > 1), FEW)
    landings = [Landings(space, lower, upper, lines) for lines in (steps, *longer)]
    return Reaches(
        tuple((reach.mask, reach) for reach in parts),
        _slide(space, lower, upper) if kind > 1 else None,
        tuple((some.spaces, some.mask, some) for some in landings),
    )


@lru_cache(64)
def reaches(rules: Rules) -> tuple[tuple[Reaches, ...], ...]:
    """Return what stacks reach under the options: [kind of movement][space]."""
    return tuple(
        tuple(_reaches(kind, space, *landing(kind, rules)) for space in range(len(SPACES)))
        for kind in range(rules.highest + 1)
    )
