"""The moves of Fidchess Qenqe."""

from engine.game import Action
from engine.games.qenqe.board import RING, movement
from engine.games.qenqe.divisions import Divisions, divisions, pattern
from engine.games.qenqe.planes import ALL, FULL, LOWER, OWN, VIEW
from engine.games.qenqe.reach import landings_of
from engine.games.qenqe.state import State
from engine.stacks import Members

_ROW = (1 << RING) - 1
"""The set of all columns."""
_AROUND = _ROW - 1
"""The set of the distances round the ring that lead elsewhere."""
_A, _B, _C, _D = (Members(RING * row) for row in range(4))


def moves(state: State, spaces: int = FULL) -> list[Action]:
    """Return what the stacks of the seat to act may do; only those on the set `spaces`."""
    # Never empty, so that no seat is ever skipped: every stack may step to a neighbour that is empty or another seat's,
    # unless it holds the partner's Rigant. The stacks of a seat are eleven at most, too few to cut the ring, so they
    # border on at least two such neighbours.
    cells, seat, _, _, _, _, _, rules, board = state
    stacks = rules.reaches
    view = board >> VIEW[seat]
    own = view >> OWN & spaces
    found: list[Action] = []
    for space in _A[own & _ROW] + _B[own >> RING & _ROW] + _C[own >> 2 * RING & _ROW] + _D[own >> 3 * RING]:
        kind, divided = _KIND[cells[space]]
        parts, slide = stacks[kind][space]
        for mask, known, learn in parts:
            try:
                found += known[view & mask]
            except KeyError:
                found += learn(view)
        if slide:
            row, column, rest, right, left, lower, upper, joins, takes = slide
            around = view >> row & _ROW
            around = (around >> column | around << rest) & _AROUND
            if around:
                near, far = (around & -around).bit_length() - 1, around.bit_length() - 1
                found += right[near]
                found += left[far]
                for distance in (near, far) if near != far else (near,):
                    if not view & upper[distance]:
                        found.append(joins[distance])
                    elif not view & lower[distance]:
                        found.append(takes[distance])
            else:
                found += right[RING]
        if divided is not None:
            mask, division = divided[space]
            found += division[view & mask]
    return found


def captures(state: State) -> list[Action]:
    """Return the moves of the seat to act onto stacks of other seats, in the order of `moves`."""
    cells, seat, _, _, _, _, _, rules, board = state
    stacks, landings = rules.reaches, landings_of(rules)
    view = board >> VIEW[seat]
    own = view >> OWN & FULL
    others = (view >> ALL ^ own) & FULL
    found: list[Action] = []
    for space in _A[own & _ROW] + _B[own >> RING & _ROW] + _C[own >> 2 * RING & _ROW] + _D[own >> 3 * RING]:
        kind = _KIND[cells[space]][0]
        for lines, (mask, known, learn) in landings[kind][space]:
            if others & lines:
                try:
                    found += known[view & mask]
                except KeyError:
                    found += learn(view)
        slide = stacks[kind][space][1]
        if slide:
            row, column, rest, _, _, lower, upper, joins, takes = slide
            around = view >> row & _ROW
            around = (around >> column | around << rest) & _AROUND
            if around:
                near, far = (around & -around).bit_length() - 1, around.bit_length() - 1
                for distance in (near, far) if near != far else (near,):
                    if view & upper[distance]:
                        if not view & lower[distance]:
                            found.append(takes[distance])
                    elif others & lower[distance] >> LOWER:
                        found.append(joins[distance])
    return found


class _Kind(dict[str, tuple[int, Divisions | None]]):
    """The kind of movement of a stack, and how it can be divided, if it can; worked out when first asked for."""

    def __missing__(self, stack: str) -> tuple[int, Divisions | None]:
        found = self[stack] = movement(stack), divisions(pattern(stack)) if stack[0].upper() in stack[1:] else None
        return found


_KIND = _Kind()
