"""Fidchess Qenqe: the board, the coding of stacks, the notation, and the moves of one stack.

A space is an index 30 * row + column, `A1` = 0 to `D30` = 119. A stack is a text, its top first: a capital letter is a
disk of the colour that it begins, a small one the Rigant. `wWB` is White's Rigant on a disk of White on one of Blue;
an empty text is an empty space.

A board is also kept as one int of planes, each a set of the 120 spaces.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import permutations
from sys import intern
from typing import NamedTuple

from engine.stacks import PIECES, ROWS, Line, lines_of, shared_out

RING = 30
"""Columns; the last is next to the first."""
SPACES = tuple(f"{row}{column}" for row in ROWS for column in range(1, RING + 1))
INDEX = {name: space for space, name in enumerate(SPACES)}

LETTERS = "WBGYR"
"""The disks of the seats, seat 1 first; the small letters are their Rigants."""
SUPPLY = 10
"""The disks of a seat."""

_COLUMNS = {
    2: ((30, 1, 2), (15, 16, 17)),
    3: ((30, 1, 2), (10, 11, 12), (20, 21, 22)),
    4: ((30, 1, 2), (8, 9, 10), (15, 16, 17), (23, 24, 25)),
    5: ((29, 30, 1), (5, 6, 7), (11, 12, 13), (17, 18, 19), (23, 24, 25)),
}
"""By the number of seats: where each sets up."""


@cache
def setup(seats: int) -> tuple[str, ...]:
    """Return the first position of so many seats."""
    cells = [""] * len(SPACES)
    for disk, columns in zip(LETTERS, _COLUMNS[seats], strict=False):
        for row, middle in zip("ABC", (disk.lower(), disk * 2, disk * 2), strict=True):
            for column, stack in zip(columns, (disk, middle, disk), strict=True):
                cells[INDEX[f"{row}{column}"]] = stack
    return tuple(cells)


# Stacks


def owner(stack: str) -> int:
    """Return the seat whose disk or Rigant is on top of a stack."""
    return LETTERS.index(stack[0].upper()) + 1


def has_rigant(stack: str) -> bool:
    """Return whether the Rigant, which always lies on top, is in a stack."""
    return stack[:1].islower()


def is_armed(stack: str) -> bool:
    """Return whether the seat that controls a stack has a disk in it."""
    return stack[:1].upper() in stack if has_rigant(stack) else stack != ""


def piece(stack: str) -> str:
    """Return what players call a stack: `Duo`, `Rigant`, `Teth with the Rigant`."""
    if len(stack) == 1 and has_rigant(stack):
        return "Rigant"
    return PIECES[len(stack)] + " with the Rigant" * has_rigant(stack)


def shown(stack: str) -> str:
    """Return a stack as players write it, top first: `W*WB`, a star for the Rigant."""
    return f"{stack[0].upper()}*{stack[1:]}" if has_rigant(stack) else stack


@lru_cache(1 << 14)
def landed(stack: str, there: str, highest: int) -> str:
    """Return what becomes of a stack that lands on another seat's stack and joins it."""
    own = stack[0].upper() + stack[0].lower()
    joined = stack + (there[1:] if has_rigant(there) else there)
    return ("".join(p for p in joined if p in own) + "".join(p for p in joined if p not in own))[:highest]


# A board: the set of all stacks, of those each seat controls, of those with a Rigant, of those with a disk of the seat
# that controls them, and of those without a Rigant that are at most 1, 2, 3 and 4 high.

_PLANE = len(SPACES)
FULL = (1 << _PLANE) - 1
CONTROL = tuple(_PLANE * seat for seat in range(6))
"""By seat: how far to shift a board for the set of its stacks."""
RIGANTS = _PLANE * 6
ARMED = _PLANE * 7
LOW = tuple(_PLANE * (7 + high) for high in range(5))
"""By height from 1: how far to shift a board for the set of stacks without a Rigant that are no higher."""


@cache
def planes(stack: str) -> int:
    """Return the bits of a stack in a board, to be shifted by its space."""
    if not stack:
        return 0
    bits = 1 | 1 << CONTROL[owner(stack)] | is_armed(stack) << ARMED
    if has_rigant(stack):
        return bits | 1 << RIGANTS
    return bits | sum(1 << LOW[high] for high in range(len(stack), 5))


def board_of(cells: tuple[str, ...]) -> int:
    """Return the planes of a board."""
    return sum(planes(stack) << space for space, stack in enumerate(cells) if stack)


# The moves of one stack as a whole. A field tells in two planes what landing on each space would be: free (0), joining
# what stands there (1 in the lower plane), taking it (1 in the upper), or not allowed (1 in both).

UPPER = _PLANE
"""How far to shift a field for its upper plane."""

LINES = lines_of(RING, ring=True)
"""By kind of movement and space."""

ADJACENT = tuple(tuple(space for line in steps for space in line) for steps in LINES[0])
"""The spaces next to each space horizontally or vertically."""


def movement(stack: str) -> int:
    """Return the kind of movement of a stack, an index into `LINES`: its size, but 0 for a Rigant alone."""
    return 0 if len(stack) == 1 and has_rigant(stack) else len(stack)


class Reach(NamedTuple):
    """Some of the moves of a stack: those along `lines`.

    `mask` has the bits of a field that decide them, and `moves` those moves for every case met before.
    """

    mask: int
    moves: dict[int, tuple[str, ...]]
    lines: tuple[Line, ...]


MEMORY = 512
"""How many cases a `Reach` remembers."""


@cache
def reaches(kind: int, space: int) -> tuple[Reach, ...]:
    """Return what a stack reaches from a space, but for sliding round the ring."""
    short = tuple(line for line in LINES[kind][space] if len(line) < RING - 1)
    return tuple(Reach(_both(group), {}, group) for group in shared_out(short))


def _both(group: tuple[Line, ...]) -> int:
    every = sum(1 << space for line in group for space in line)
    return every | every << UPPER


def stack_moves(space: int, lines: tuple[Line, ...], field: int) -> tuple[str, ...]:
    """Return the moves of the stack on `space` along `lines`."""
    moves: list[str] = []
    for line in lines:
        for target in line:
            landing = field >> target & 1 | (field >> target + UPPER & 1) << 1
            if landing < 3:
                moves.append(intern(f"{SPACES[space]}{'-+x'[landing]}{SPACES[target]}"))
            if landing:
                break
    return tuple(moves)


class Slide(NamedTuple):
    """The way round the ring from a space, by the distance 0-30 to the right, and for `left` to the left."""

    row: int
    column: int
    targets: tuple[int, ...]
    right: tuple[tuple[str, ...], ...]
    """The moves to the empty spaces that are nearer."""
    left: tuple[tuple[str, ...], ...]
    joins: tuple[str, ...]
    takes: tuple[str, ...]


@cache
def slide(space: int) -> Slide:
    """Return the way round the ring from a space."""
    row, column = divmod(space, RING)
    targets = tuple(RING * row + (column + distance) % RING for distance in range(RING + 1))
    goes, joins, takes = (tuple(intern(f"{SPACES[space]}{mark}{SPACES[t]}") for t in targets) for mark in "-+x")
    right = tuple(goes[1:distance] for distance in range(RING + 1))
    left = tuple(goes[RING - 1 : RING - distance : -1] for distance in range(RING + 1))
    return Slide(row, column, targets, right, left, joins, takes)


# Dividing a stack


class Division(NamedTuple):
    """The ways to divide a stack on a space."""

    mask: int
    """The spaces next to it."""
    moves: dict[int, tuple[str, ...]]
    """The moves for every set of stacks on those spaces that was met before."""
    every: tuple[tuple[int, str], ...]
    """All moves in the order of their texts, each with the spaces that it needs empty."""
    canonical: Mapping[str, str]
    """Of every way to write one of them, the way that is listed."""


@cache
def pattern(stack: str) -> str:
    """Return a stack that divides in the same ways: the colours renamed in the order in which they come."""
    found: list[str] = []
    for disk in stack.upper():
        if disk not in found:
            found.append(disk)
    return stack.translate(
        {ord(case(old)): case(new) for old, new in zip(found, LETTERS, strict=False) for case in (str.upper, str.lower)}
    )


@lru_cache(1 << 12)  # all that two seats meet; a table of five with Quens meets more, but seldom
def divisions(stack: str, space: int) -> Division:
    """Return the ways to divide a stack, given by its pattern, on a space."""
    ways: dict[frozenset[tuple[int, str]], list[str]] = {}
    for count in range(1, len(ADJACENT[space]) + 1):
        for parts in _cuts(stack, count):
            for targets in permutations(ADJACENT[space], count):
                sizes = ",".join(f"{len(part)}@{SPACES[to]}" for part, to in zip(parts, targets, strict=True))
                way = frozenset(zip(targets, parts, strict=True))
                ways.setdefault(way, []).append(f"{SPACES[space]}>{sizes}")
    found = [(sum(1 << to for to, _ in way), intern(min(texts))) for way, texts in ways.items()]
    canonical = {text: min(texts) for texts in ways.values() for text in texts}
    mask = sum(1 << to for to in ADJACENT[space])
    return Division(mask, {}, tuple(sorted(found, key=lambda move: move[1])), canonical)


def _cuts(stack: str, count: int) -> list[tuple[str, ...]]:
    """Return every `count` parts that may leave a stack, top first: the mover is on top of each, and of what stays."""
    if not count:
        return [()]
    disk = stack[0].upper()
    return [
        (stack[:size], *rest)
        for size in range(1, len(stack))
        if stack[size] == disk
        for rest in _cuts(stack[size:], count - 1)
    ]


def division_moves(division: Division, occupied: int) -> tuple[str, ...]:
    """Return the moves that divide a stack when the spaces of `occupied` are not empty."""
    return tuple(move for needed, move in division.every if not needed & occupied)


# Notation


class Act(NamedTuple):
    """A canonical action, read: a whole stack goes to `target`, or `parts` (space, size) leave it (`target` is -1)."""

    origin: int
    target: int
    parts: tuple[tuple[int, int], ...]
    mark: str


_SPACE = "([a-d](?:30|[12][0-9]|[1-9]))"
_MOVE = re.compile(rf"{_SPACE}\s*+(?:[-+x*]|to)?\s*+{_SPACE}")
_PART = rf"([1-5])\s*+@?\s*+{_SPACE}"
_DIVISION = re.compile(rf"{_SPACE}\s*+>?\s*+({_PART}(?:[\s,;]*+{_PART}){{0,7}})")
_EACH_PART = re.compile(rf"{_PART}(?=[\s,;]*+(?:[1-5]\s*+@?\s*+[a-d]|$))")


def read(text: str) -> Act | None:
    """Return what lower-case text says, the mark left open, or None if it is no move."""
    if move := _MOVE.fullmatch(text):
        return Act(INDEX[move[1].upper()], INDEX[move[2].upper()], (), "")
    if division := _DIVISION.fullmatch(text):
        parts = _EACH_PART.finditer(division[2])
        return Act(INDEX[division[1].upper()], -1, tuple((INDEX[p[2].upper()], int(p[1])) for p in parts), ">")
    return None


def write(act: Act) -> str:
    """Return the text of an action, its parts in the order given."""
    if act.parts:
        return f"{SPACES[act.origin]}>{','.join(f'{size}@{SPACES[space]}' for space, size in act.parts)}"
    return f"{SPACES[act.origin]}{act.mark}{SPACES[act.target]}"


@lru_cache(1 << 16)  # more than the moves of whole stacks
def act(action: str) -> Act:
    """Return what a canonical action says."""
    said = read(action.lower())
    assert said, action
    return said if said.parts else said._replace(mark=next(mark for mark in "-+x" if mark in action))
