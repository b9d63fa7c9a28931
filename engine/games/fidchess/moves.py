"""The moves of Fidchess: each stack's are remembered for every case of the spaces that decide them."""

from collections.abc import Iterator
from functools import cache
from sys import intern

from engine.game import Action
from engine.games.fidchess.board import (
    ADJACENT,
    BACK,
    CONTENT,
    DISKS,
    FULL,
    LINES,
    OCCUPIED,
    RESERVE,
    RIGANT,
    SEAT_SHIFT,
    SPACES,
    movement,
    plane,
    size,
)
from engine.games.fidchess.state import State
from engine.stacks import Line, shared_out


def moves(state: State, spaces: int = FULL) -> list[Action]:
    """Return what the stacks of the seat to act may do; only those on the set `spaces`."""
    # Never empty: every stack may step to any neighbour that is empty or hostile, and the at most eleven stacks of a
    # seat cannot fill the board, so some stack has such a neighbour. No seat is ever skipped.
    cells, board, rules = state.cells, state.board, state.rules
    stacks = reaches(rules.rigant_stacking, rules.highest)
    own = board >> OCCUPIED[state.to_move] & spaces
    found: list[Action] = []
    while own:
        space = (own & -own).bit_length() - 1
        own &= own - 1
        for mask, reach in stacks[cells[space]][space]:
            found += reach[board & mask]
    return found


class Reach(dict[int, tuple[Action, ...]]):
    """Some of the moves of a stack, by the bits of a board that decide them; worked out when first asked for.

    The moves are those along `lines`, or without lines those that divide the stack.
    """

    MEMORY = 2048
    """Cases remembered. A million moves at random meet some 200 thousand cases in all."""

    def __init__(self, stack: int, space: int, joins: int, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.stack, self.space, self.joins, self.lines = stack, space, joins, lines

    def mask(self) -> int:
        """Return the bits of a board that decide the moves."""
        seat, lines = self.stack >> SEAT_SHIFT, self.lines
        spaces = [reached for line in lines for reached in line] if lines else ADJACENT[self.space]
        every = sum(1 << space for space in spaces)
        mask = every << OCCUPIED[1] | every << OCCUPIED[2]
        if lines and self.joins:
            mask |= every << self.joins
        promotes = self.stack & CONTENT == 1 if lines else self.stack & DISKS
        return mask | RESERVE[seat] if promotes and BACK[seat].intersection(spaces) else mask

    def __missing__(self, case: int) -> tuple[Action, ...]:
        if len(self) >= self.MEMORY:
            self.clear()
        found = self[case] = tuple(map(intern, self._along(case) if self.lines else self._divided(case)))
        return found

    def _along(self, board: int) -> Iterator[Action]:
        """Yield the moves along the lines."""
        stack, origin, seat = self.stack, SPACES[self.space], self.stack >> SEAT_SHIFT
        own = board >> OCCUPIED[seat]
        other = board >> OCCUPIED[3 - seat]
        friends = board >> self.joins if self.joins else 0
        promotes = self._promotes(board)
        for line in self.lines:
            for target in line:
                if own >> target & 1:
                    if friends >> target & 1:
                        yield f"{origin}+{SPACES[target]}"
                    break
                captures = other >> target & 1
                move = f"{origin}{'-x'[captures]}{SPACES[target]}"
                yield move
                if stack & CONTENT == 1 and target in promotes:
                    yield move + "=D"
                if captures:
                    break

    def _divided(self, board: int) -> Iterator[Action]:
        """Yield the moves that divide the stack."""
        stack, taken = self.stack, board >> OCCUPIED[1] | board >> OCCUPIED[2]
        empty = tuple(target for target in ADJACENT[self.space] if not taken >> target & 1)
        for parts in divisions(stack & DISKS, stack & RIGANT, empty, self._promotes(board)):
            if parts:
                yield f"{SPACES[self.space]}>{','.join(parts)}"

    def _promotes(self, board: int) -> frozenset[int]:
        """Return the spaces where a disk is promoted."""
        seat = self.stack >> SEAT_SHIFT
        return BACK[seat] if board & RESERVE[seat] else BACK[0]


@cache
def reaches(stacking: int, highest: int) -> tuple[tuple[tuple[tuple[int, Reach], ...], ...], ...]:
    """Return what each stack on each space reaches under the options: [stack][space], as (mask, reach)."""
    return tuple(tuple(_reaches(stack, space, stacking, highest) for space in range(32)) for stack in range(48))


def _reaches(stack: int, space: int, stacking: int, highest: int) -> tuple[tuple[int, Reach], ...]:
    seat = stack >> SEAT_SHIFT
    if seat not in (1, 2) or not 1 <= size(stack) <= highest:
        return ()
    joins = _joins(stack, stacking, highest)
    found = [Reach(stack, space, joins, lines) for lines in shared_out(LINES[movement(stack)][space])]
    if size(stack) > 1 and space not in BACK[seat]:
        found.append(Reach(stack, space, joins, ()))
    return tuple((reach.mask(), reach) for reach in found)


def _joins(stack: int, stacking: int, highest: int) -> int:
    """Return how far to shift a board for the set of the stacks that `stack` may join, or 0 if there are none."""
    room = highest - size(stack)
    if not room or (stack & RIGANT and not stacking):
        return 0
    return plane(stack >> SEAT_SHIFT, room)


def divisions(count: int, rigant: int, empty: tuple[int, ...], promotes: frozenset[int]) -> Iterator[tuple[str, ...]]:
    """Yield every way in which parts of a stack may go to the `empty` spaces while something stays.

    The stack has `count` disks, and `rigant` is RIGANT if it holds the Rigant, else 0. Where a part of one disk may
    be promoted both ways are yielded. The first way is that nothing leaves.

    >>> [*divisions(2, 0, (0, 1), frozenset())]
    [(), ('1@A2',), ('1@A1',)]
    """
    if not empty:
        yield ()
        return
    target, *others = empty
    for with_rigant in (0, RIGANT) if rigant else (0,):
        for number in range(count + 1):
            if number == count and with_rigant == rigant:
                continue  # nothing would stay
            part = f"{'R' if with_rigant else ''}{number or ''}@{SPACES[target]}"
            for rest in divisions(count - number, rigant - with_rigant, tuple(others), promotes):
                if not number and not with_rigant:
                    yield rest
                    continue
                yield (part, *rest)
                if number == 1 and not with_rigant and target in promotes:
                    yield (part + "=D", *rest)
