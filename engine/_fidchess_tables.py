"""Fidchess: the board, the coding of stacks, the notation, and the moves of one stack.

A space is an index 8 * row + column, `A1` = 0 to `D8` = 31. A stack is one byte: its disks (bits 0-2), whether the
Rigant is in it (bit 3) and its seat (bits 4-5); 0 is an empty space, so that adding the contents of two friendly
stacks joins them.

A board is also kept as one int of planes, each a set of the 32 spaces, so that one `&` with the reach of a stack
leaves all that decides its moves: that is the key under which they are remembered.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from sys import intern
from typing import NamedTuple

from engine.stacks import PIECES, ROWS, Line, lines_of, shared_out

COLUMNS = "12345678"
SPACES = tuple(row + column for row in ROWS for column in COLUMNS)
INDEX = {name: space for space, name in enumerate(SPACES)}

DISKS = 7
RIGANT = 8
CONTENT = 15
SEAT_SHIFT = 4
SUPPLY = 10
"""The disks of a seat, on and off the board."""

BACK = (frozenset[int](), frozenset(range(7, 32, 8)), frozenset(range(0, 32, 8)))
"""By seat: the opponent's back column, where a disk is promoted and no stack is divided."""

_SETUP = (RIGANT, 1, 0, 3, 1, 0, 2, 1, 0, 1, 1, 0)
"""Yellow's columns 1-3 from row A to row D; Green's mirror them."""


def _start() -> bytes:
    cells = bytearray(32)
    for place, content in enumerate(_SETUP):
        row, column = divmod(place, 3)
        if content:
            cells[8 * row + column] = 1 << SEAT_SHIFT | content
            cells[8 * row + 7 - column] = 2 << SEAT_SHIFT | content
    return bytes(cells)


START = _start()


def size(stack: int) -> int:
    """Return the size of a stack, a Rigant counting as a disk."""
    return (stack & DISKS) + (stack >> 3 & 1)


def piece(stack: int) -> str:
    """Return what players call a stack: `Duo`, `Rigant`, `Teth with the Rigant`."""
    if stack & CONTENT == RIGANT:
        return "Rigant"
    return PIECES[size(stack)] + " with the Rigant" * (stack >> 3 & 1)


# Lines of movement

LINES = lines_of(8, ring=False)
"""By kind of movement and space."""

ADJACENT = tuple(tuple(space for line in steps for space in line) for steps in LINES[0])
"""The spaces next to each space horizontally or vertically, in the order of their names."""


def movement(stack: int) -> int:
    """Return the kind of movement of a stack, an index into `LINES`: its size, but 0 for a Rigant alone."""
    return 0 if stack & CONTENT == RIGANT else size(stack)


# A board: the two bits of the reserves, then planes: all stacks of a seat (kind 0), and those without a Rigant
# that are at most 4, 3, 2 and 1 high. What is asked for most is lowest, which makes small numbers.

FULL = 0xFFFF_FFFF


def _plane(seat: int, kind: int) -> int:
    return 2 + 32 * (2 * (-kind % 5) + seat - 1)


OCCUPIED = (0, _plane(1, 0), _plane(2, 0))
"""By seat: how far to shift a board for the set of its stacks."""
RESERVE = (0, 1, 2)
"""By seat: the bit of a board that says there are disks in reserve."""


def _planes(stack: int) -> int:
    seat = stack >> SEAT_SHIFT
    if seat not in (1, 2):
        return 0
    heights = range(max(stack & DISKS, 1), 5) if not stack & RIGANT else range(0)
    return sum(1 << _plane(seat, kind) for kind in (0, *heights))


PLANES = tuple(_planes(stack) for stack in range(48))
"""By stack: its bits in a board, to be shifted by its space."""


def disks(cells: bytes | bytearray, seat: int) -> int:
    """Return how many disks of a seat are on the board."""
    return sum(stack & DISKS for stack in cells if stack >> SEAT_SHIFT == seat)


def board_of(cells: bytes) -> int:
    """Return the planes of a board."""
    board = 0
    for space, stack in enumerate(cells):
        board |= PLANES[stack] << space
    for seat in (1, 2):
        if disks(cells, seat) < SUPPLY:
            board |= RESERVE[seat]
    return board


# The moves of one stack


class Reach(NamedTuple):
    """Some of the moves of a stack: those along `lines`, or for no lines those that divide it.

    `mask` has the bits of a board that decide them, and `moves` those moves for every case met before.
    """

    mask: int
    moves: dict[int, tuple[str, ...]]
    lines: tuple[Line, ...]


MEMORY = 2048
"""How many cases a `Reach` remembers. A million moves at random meet some 200 thousand cases in all."""


@cache
def reaches(stacking: int, highest: int) -> tuple[tuple[tuple[Reach, ...], ...], ...]:
    """Return what each stack on each space may reach under the options: [stack][space]."""
    return tuple(tuple(_reaches(stack, space, stacking, highest) for space in range(32)) for stack in range(48))


def _reaches(stack: int, space: int, stacking: int, highest: int) -> tuple[Reach, ...]:
    seat = stack >> SEAT_SHIFT
    if seat not in (1, 2) or not 1 <= size(stack) <= highest:
        return ()
    joins = _joins(stack, stacking, highest)
    found = []
    for group in shared_out(LINES[movement(stack)][space]):
        spaces = [reached for line in group for reached in line]
        mask = _cases(spaces, joins)
        if stack & CONTENT == 1 and BACK[seat].intersection(spaces):
            mask |= RESERVE[seat]
        found.append(Reach(mask, {}, group))
    if size(stack) > 1 and space not in BACK[seat]:
        mask = _cases(ADJACENT[space], 0)
        if stack & DISKS and BACK[seat].intersection(ADJACENT[space]):
            mask |= RESERVE[seat]
        found.append(Reach(mask, {}, ()))
    return tuple(found)


def _cases(spaces: Iterable[int], joins: int) -> int:
    """Return the bits of a board that tell what is on `spaces`."""
    every = sum(1 << space for space in spaces)
    return every << OCCUPIED[1] | every << OCCUPIED[2] | (every << joins if joins else 0)


def _joins(stack: int, stacking: int, highest: int) -> int:
    """Return how far to shift a board for the set of the stacks that `stack` may join, or 0 if there are none."""
    room = highest - size(stack)
    if not room or (stack & RIGANT and not stacking):
        return 0
    return _plane(stack >> SEAT_SHIFT, room)


def stack_moves(
    stack: int, space: int, board: int, lines: tuple[Line, ...], stacking: int, highest: int
) -> tuple[str, ...]:
    """Return the moves of the stack on `space` along `lines`, or without lines those that divide it."""
    seat = stack >> SEAT_SHIFT
    own = board >> OCCUPIED[seat] & FULL
    other = board >> OCCUPIED[3 - seat] & FULL
    joins = _joins(stack, stacking, highest)
    friends = board >> joins & FULL if joins else 0
    promotes = BACK[seat] if board & RESERVE[seat] else BACK[0]
    origin = SPACES[space]
    if not lines:
        empty = tuple(target for target in ADJACENT[space] if not (own | other) >> target & 1)
        divided = _divisions(stack & DISKS, stack & RIGANT, empty, promotes)
        return tuple(intern(f"{origin}>{','.join(parts)}") for parts in divided if parts)
    moves: list[str] = []
    for line in lines:
        for target in line:
            bit = 1 << target
            if own & bit:
                if friends & bit:
                    moves.append(f"{origin}+{SPACES[target]}")
                break
            move = f"{origin}{'x' if other & bit else '-'}{SPACES[target]}"
            moves.append(move)
            if stack & CONTENT == 1 and target in promotes:
                moves.append(move + "=D")
            if other & bit:
                break
    return tuple(map(intern, moves))


def _divisions(count: int, rigant: int, empty: tuple[int, ...], promotes: frozenset[int]) -> Iterator[tuple[str, ...]]:
    """Yield every way in which parts of a stack may go to the `empty` spaces while something stays."""
    if not empty:
        yield ()
        return
    target = empty[0]
    for with_rigant in (0, RIGANT) if rigant else (0,):
        for number in range(count + 1):
            if number == count and with_rigant == rigant:
                continue  # nothing would stay
            part = f"{'R' if with_rigant else ''}{number or ''}@{SPACES[target]}"
            for rest in _divisions(count - number, rigant - with_rigant, empty[1:], promotes):
                if not number and not with_rigant:
                    yield rest
                    continue
                yield (part, *rest)
                if number == 1 and not with_rigant and target in promotes:
                    yield (part + "=D", *rest)


# Notation


class Part(NamedTuple):
    """A part that leaves a stack: what it holds (a stack without a seat) and the space it goes to."""

    space: int
    content: int
    promotes: int


class Act(NamedTuple):
    """A canonical action, read: a move of a whole stack to `target`, or `parts` that leave it (`target` is -1)."""

    origin: int
    target: int
    promotes: int
    parts: tuple[Part, ...]
    mark: str


_SPACE = "([a-d][1-8])"
_MOVE = re.compile(rf"{_SPACE}\s*+(?:[-+x*]|to)?\s*+{_SPACE}\s*+(=?\s*+d(?:uo)?)?")
_PART = rf"(?:(r)\s*+([1-5]?)|([1-5]))\s*+@?\s*+{_SPACE}\s*+(=?\s*+d(?:uo)?)?"
_EACH_PART = re.compile(_PART)
_DIVISION = re.compile(rf"{_SPACE}\s*+>?\s*+({_PART}(?:[\s,;]*+{_PART}){{0,7}})")


def read(text: str, marks: tuple[str, ...]) -> str | None:
    """Return the canonical action that lower-case text names, or None; `marks` by target space are `-`, `+` or `x`."""
    if move := _MOVE.fullmatch(text):
        origin, target = move[1].upper(), move[2].upper()
        return f"{origin}{marks[INDEX[target]]}{target}{'=D' if move[3] else ''}"
    if division := _DIVISION.fullmatch(text):
        parts = [
            (part[4].upper(), f"{'R' if part[1] else ''}{part[2] or part[3] or ''}", "=D" if part[5] else "")
            for part in _EACH_PART.finditer(division[2])
        ]
        written = ",".join(f"{content}@{space}{promotes}" for space, content, promotes in sorted(parts))
        return f"{division[1].upper()}>{written}"
    return None


@lru_cache(1 << 15)  # more than the actions of a game
def act(action: str) -> Act:
    """Return what a canonical action says."""
    promotes = int(action.endswith("=D"))
    origin = INDEX[action[:2]]
    if action[2] != ">":
        return Act(origin, INDEX[action[3:5]], promotes, (), action[2])
    return Act(origin, -1, int("=D" in action), tuple(map(_part, action[3:].split(","))), ">")


def _part(text: str) -> Part:
    content, place = text.split("@")
    rigant = RIGANT if content.startswith("R") else 0
    return Part(INDEX[place[:2]], rigant | int(content.removeprefix("R") or 0), int(place.endswith("=D")))
