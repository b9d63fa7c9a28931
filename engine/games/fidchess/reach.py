"""What a stack of Fidchess may do: its moves are remembered for every case of the spaces that decide them."""

from collections.abc import Iterable, Iterator
from functools import cache
from sys import intern

from engine.game import Action
from engine.games.fidchess.board import (
    ADJACENT,
    ALL,
    BACK,
    CONTENT,
    DISKS,
    LINES,
    LOW,
    OWN,
    RESERVE,
    RIGANT,
    SEAT_SHIFT,
    SPACES,
    movement,
    size,
)
from engine.stacks import Line, Part, Remembered, set_of, shared_out

FEW = 4
"""The spaces whose cases are remembered together, at most: with fewer there is more to look up, with more there
are more cases than a processor keeps at hand."""


class Reach(Remembered):
    """Some of the moves of a stack on `space`, by the bits of a view that decide them; worked out when first asked for.

    The moves are those along `lines`, or without lines those that divide the stack. `content` is the stack without its
    seat. `highest` is how high a stack may be that it joins, 0 for none. `back` has the spaces where a disk is
    promoted.
    """

    def __init__(self, space: int, content: int, highest: int, back: frozenset[int], lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.space, self.content, self.highest, self.back, self.lines = space, content, highest, back, lines
        self.spaces = set_of(sum(lines, ()) or ADJACENT[space])
        """The set of spaces that decide the moves."""
        self.mask = self.spaces << ALL | (self.spaces << OWN if lines else 0)
        """The bits of a view that decide the moves."""
        if highest:
            self.mask |= self.spaces << LOW[highest]
        if back:
            self.mask |= RESERVE

    def work_out(self, case: int) -> Iterable[Action]:
        return self.along(case) if self.lines else self._divided(case)

    def along(self, view: int) -> list[Action]:
        """Return the moves along the lines."""
        goes, joins, takes = _WRITTEN[self.space]
        spaces = self.spaces
        taken, own = view >> ALL & spaces, view >> OWN & spaces
        friends = view >> LOW[self.highest] & spaces if self.highest else 0
        promotes = self.back if view & RESERVE else BACK[0]
        found = []
        for line in self.lines:
            for target in line:
                if own >> target & 1:
                    if friends >> target & 1:
                        found.append(joins[target])
                    break
                captures = taken >> target & 1
                found.append(takes[target] if captures else goes[target])
                if target in promotes:
                    found.append(intern(found[-1] + "=D"))
                if captures:
                    break
        return found

    def _divided(self, view: int) -> Iterator[Action]:
        """Yield the moves that divide the stack."""
        empty = tuple(target for target in ADJACENT[self.space] if not view >> ALL + target & 1)
        promotes = self.back if view & RESERVE else BACK[0]
        for parts in divisions(self.content & DISKS, self.content & RIGANT, empty, promotes):
            if parts:
                yield intern(f"{SPACES[self.space]}>{','.join(parts)}")


_WRITTEN = tuple(
    tuple(tuple(intern(f"{origin}{mark}{target}") for target in SPACES) for mark in "-+x") for origin in SPACES
)
"""Moves by their origin, mark and target."""

Reaches = tuple[tuple[tuple[Part, ...], ...], ...]
"""By stack and space: what the stack may do, in parts."""


@cache
def reaches(stacking: int, highest: int) -> Reaches:
    """Return what each stack on each space may do. Options: whether the Rigant joins stacks, and the highest stack."""
    shared = cache(Reach)  # by both seats, where nothing is promoted

    def of(stack: int, space: int) -> Iterator[Reach]:
        content, seat, high = stack & CONTENT, stack >> SEAT_SHIFT, size(stack)
        if seat not in (1, 2) or not 1 <= high <= highest:
            return
        joins = 0 if content & RIGANT and not stacking else highest - high
        for lines in shared_out(LINES[movement(stack)][space], FEW):
            back = BACK[seat].intersection(sum(lines, ()) if content == 1 else ())
            yield shared(space, content, joins, back, lines)
        if high > 1 and space not in BACK[seat]:
            back = BACK[seat].intersection(ADJACENT[space] if content & DISKS else ())
            yield shared(space, content, 0, back, ())

    return tuple(tuple(tuple(reach.part for reach in of(stack, space)) for space in range(32)) for stack in range(48))


class Captures(Remembered):
    """The captures of a stack on `space` along `lines`, by the bits of a view that decide them; worked out when asked.

    In the views that are asked for, ALL has only the opponent's stacks.
    """

    def __init__(self, space: int, back: frozenset[int], lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.reach = Reach(space, 0, 0, back, lines)
        self.spaces = self.reach.spaces
        """The set of spaces on which stacks may be captured."""
        self.mask = self.reach.mask
        """The bits of a view that decide the captures: on lines of one space nothing stands in the way."""
        if all(len(line) == 1 for line in lines):
            self.mask ^= self.spaces << OWN

    def work_out(self, case: int) -> Iterable[Action]:
        return (move for move in self.reach.along(case) if move[2] == "x")


@cache
def captures_of(highest: int) -> tuple[tuple[tuple[tuple[int, Part], ...], ...], ...]:
    """Return the captures of each stack on each space: [stack][space], in parts, each with its spaces."""
    shared = cache(Captures)

    def of(stack: int, space: int) -> Iterator[Captures]:
        content, seat = stack & CONTENT, stack >> SEAT_SHIFT
        if seat not in (1, 2) or not 1 <= size(stack) <= highest:
            return
        lines = LINES[movement(stack)][space]
        steps = tuple(line for line in lines if len(line) == 1)
        for group in (steps, *shared_out(tuple(line for line in lines if len(line) > 1), FEW)):
            if group:
                yield shared(space, BACK[seat].intersection(sum(group, ()) if content == 1 else ()), group)

    return tuple(
        tuple(tuple((some.spaces, some.part) for some in of(stack, space)) for space in range(32))
        for stack in range(48)
    )


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
