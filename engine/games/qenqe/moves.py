"""The moves of Fidchess Qenqe: each stack's are remembered for every case of the spaces that decide them."""

from functools import cache
from sys import intern
from typing import NamedTuple

from engine.game import Action
from engine.games.qenqe.board import (
    CONTROL,
    FULL,
    LINES,
    LOW,
    PLANE,
    RIGANTS,
    RING,
    SPACES,
    movement,
)
from engine.games.qenqe.divisions import divisions, pattern
from engine.games.qenqe.state import Rules, State, partner
from engine.stacks import Line, shared_out

UPPER = PLANE
"""How far to shift a field for its upper plane."""

_ROW = (1 << RING) - 1


def moves(state: State, spaces: int = FULL) -> list[Action]:
    """Return what the stacks of the seat to act may do; only those on the set `spaces`."""
    # Never empty, so that no seat is ever skipped: every stack may step to a neighbour that is empty or another seat's,
    # unless it holds the partner's Rigant. The stacks of a seat are eleven at most, too few to cut the ring, so they
    # border on at least two such neighbours.
    cells, board, seat = state.cells, state.board, state.to_move
    occupied = board & FULL
    own = board >> CONTROL[seat] & spaces
    fields = _fields(board, seat, state.rules)
    row_of = (occupied & _ROW, occupied >> RING & _ROW, occupied >> 2 * RING & _ROW, occupied >> 3 * RING)
    found: list[Action] = []
    while own:
        space = (own & -own).bit_length() - 1
        own &= own - 1
        kind, divided = _kind(cells[space])
        field = fields[kind]
        for mask, reach in reaches(kind, space):
            found += reach[field & mask]
        if kind > 1:
            row, column, targets, right, left, joins, takes = _slide(space)
            around = row_of[row]
            around = (around >> column | around << RING - column) & _ROW - 1
            if around:
                near, far = (around & -around).bit_length() - 1, around.bit_length() - 1
                found += right[near]
                found += left[RING - far]
                for distance in (near, far) if near != far else (near,):
                    target = targets[distance]
                    if not field >> target + UPPER & 1:
                        found.append(joins[distance])
                    elif not field >> target & 1:
                        found.append(takes[distance])
            else:
                found += right[RING]
        if divided:
            division = divisions(divided, space)
            found += division[occupied & division.mask]
    return found


@cache
def _kind(stack: str) -> tuple[int, str]:
    """Return the kind of movement of a stack, and its pattern if it can be divided."""
    return movement(stack), pattern(stack) if stack[0].upper() in stack[1:] else ""


# A field has two planes that tell what landing on each space would be: on an empty space (0 in both), joining what
# stands there (1 in the lower), taking it (1 in the upper), or not allowed (1 in both).


def _fields(board: int, seat: int, rules: Rules) -> tuple[int, ...]:
    """Return the field of each kind of movement for the stacks of `seat`."""
    occupied, own, rigants = board & FULL, board >> CONTROL[seat] & FULL, board >> RIGANTS & FULL
    closed = own | (rigants & board >> CONTROL[partner(seat)] if rules.partners else 0)
    removing = closed | occupied << UPPER
    joining = removing if rules.elimination else closed | occupied & ~rigants | (closed | rigants) << UPPER
    highest = rules.highest
    sizes = [joining ^ (own & board >> LOW[highest - size]) << UPPER for size in range(1, highest)]
    return (sizes[0] if rules.rigant_stacking else removing, *sizes, joining)


# Steps, jumps and slides up and down


class Reach(dict[int, tuple[Action, ...]]):
    """The moves of a stack on `space` along `lines`, by the bits of a field; worked out when first asked for."""

    MEMORY = 512
    """Cases remembered."""

    def __init__(self, space: int, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.space, self.lines = space, lines

    def mask(self) -> int:
        """Return the bits of a field that decide the moves."""
        every = sum(1 << space for line in self.lines for space in line)
        return every | every << UPPER

    def __missing__(self, field: int) -> tuple[Action, ...]:
        if len(self) >= self.MEMORY:
            self.clear()
        origin, found = SPACES[self.space], []
        for line in self.lines:
            for target in line:
                landing = field >> target & 1 | (field >> target + UPPER & 1) << 1
                if landing < 3:
                    found.append(intern(f"{origin}{'-+x'[landing]}{SPACES[target]}"))
                if landing:
                    break
        self[field] = tuple(found)
        return self[field]


@cache
def reaches(kind: int, space: int) -> tuple[tuple[int, Reach], ...]:
    """Return what a stack reaches from a space, but for sliding round the ring, as (mask, reach)."""
    short = tuple(line for line in LINES[kind][space] if len(line) < RING - 1)
    return tuple((reach.mask(), reach) for reach in (Reach(space, lines) for lines in shared_out(short)))


# Slides round the ring


class Slide(NamedTuple):
    """The way round the ring from a space, by the distance 0-30 to the right, and for `left` to the left."""

    row: int
    column: int
    targets: tuple[int, ...]
    right: tuple[tuple[Action, ...], ...]
    """The moves to the empty spaces that are nearer."""
    left: tuple[tuple[Action, ...], ...]
    joins: tuple[Action, ...]
    takes: tuple[Action, ...]


@cache
def _slide(space: int) -> Slide:
    """Return the way round the ring from a space."""
    row, column = divmod(space, RING)
    targets = tuple(RING * row + (column + distance) % RING for distance in range(RING + 1))
    goes, joins, takes = (tuple(intern(f"{SPACES[space]}{mark}{SPACES[t]}") for t in targets) for mark in "-+x")
    right = tuple(goes[1:distance] for distance in range(RING + 1))
    left = tuple(goes[RING - 1 : RING - distance : -1] for distance in range(RING + 1))
    return Slide(row, column, targets, right, left, joins, takes)
