"""The planes of a position of Fidchess Qenqe: what the stacks are to each seat.

A position is also kept as one int, the board, which holds a view for each seat, that of seat 1 lowest. A view has
planes, each a set of the 120 spaces. Two of them tell what landing on each space would be for a stack of some size:
joining what lies there (in the lower plane only), taking it (in the upper only), or not allowed (in both).
"""

from functools import lru_cache

from engine.games.qenqe.board import SPACES, has_rigant, is_armed, owner
from engine.games.qenqe.options import Options, partner

PLANE = len(SPACES)
"""Bits of a plane."""
FULL = (1 << PLANE) - 1
"""The set of all spaces."""

# How far to shift a view for each of its planes. Those needed most often come first: small numbers are faster.

LOWER, *_UPPER, ALL, CLOSED, OWN, ARMED = range(0, 10 * PLANE, PLANE)
"""LOWER: the lower plane, for stacks of every size. ALL: every stack. CLOSED: the stacks on which the seat's Rigant,
alone, may not land. OWN: the stacks that the seat controls. ARMED: those of them with a disk of its own."""
UPPER = (ALL, *_UPPER)
"""The upper plane by the size of the stack that lands."""
VIEW = tuple(10 * PLANE * (seat - 1) for seat in range(6))
"""How far to shift a board for the view of a seat, by seat."""


def landing(kind: int, options: Options) -> tuple[int, int]:
    """Return the lower and the upper plane for stacks of a kind of movement."""
    if kind == 0:
        return (LOWER, UPPER[1]) if options.rigant_stacking else (CLOSED, ALL)
    return LOWER, UPPER[kind]


class Coding(dict[str, int]):
    """The bits of a stack in a board under the options, to be shifted by its space; worked out when first asked for."""

    def __init__(self, options: Options) -> None:
        super().__init__({"": 0})
        self.options = options

    def __missing__(self, stack: str) -> int:
        found = self[stack] = sum(
            1 << VIEW[seat] + plane for seat in range(1, self.options.seats + 1) for plane in self._planes(stack, seat)
        )
        return found

    def _planes(self, stack: str, viewer: int) -> list[int]:
        """Return the planes in which a stack is to the seat `viewer`."""
        options, own, rigant = self.options, owner(stack) == viewer, has_rigant(stack)
        closed = own or bool(options.partners and rigant and owner(stack) == partner(viewer))
        found = [ALL]
        if own:
            found += [OWN, ARMED] if is_armed(stack) else [OWN]
        if closed:
            found.append(CLOSED)
        if closed or not (rigant or options.elimination):
            found.append(LOWER)
        if closed or rigant or options.elimination:
            joins = options.highest - len(stack) if own and not rigant else 0
            found += UPPER[joins + 1 : options.highest + 1]
        return found


@lru_cache(64)
def coding(options: Options) -> Coding:
    """Return the bits of stacks under the options."""
    return Coding(options)


def board_of(cells: tuple[str, ...], options: Options) -> int:
    """Return the board of a position with these stacks."""
    codes = coding(options)
    return sum(codes[stack] << space for space, stack in enumerate(cells) if stack)
