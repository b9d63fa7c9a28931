"""The moves of Fidchess."""

from engine.game import Action
from engine.games.fidchess.board import ALL, FULL, OWN, VIEW
from engine.games.fidchess.reach import Reaches, captures_of
from engine.games.fidchess.state import State
from engine.stacks import Members

_FIRST_HALF, _SECOND_HALF = Members(0), Members(16)


def moves(cells: bytes, view: int, stacks: Reaches, spaces: int = FULL) -> list[Action]:
    """Return what the seat with this view of a position may do; only what its stacks on the set `spaces` may do.

    `cells` are the stacks of the position, and `stacks` is what each may do under the options.
    """
    # Never empty: every stack may step to any neighbour that is empty or hostile, and the at most eleven stacks of a
    # seat cannot fill the board, so some stack has such a neighbour. No seat is ever skipped.
    own = view >> OWN & spaces
    found: list[Action] = []
    for space in _FIRST_HALF[own & 0xFFFF] + _SECOND_HALF[own >> 16]:
        for mask, known, learn in stacks[cells[space]][space]:
            try:
                found += known[view & mask]
            except KeyError:
                found += learn(view)
    return found


def captures(state: State) -> list[Action]:
    """Return the moves of the seat to act that capture, in the order of `moves`."""
    cells, seat, _, _, _, _, rules, board, _ = state
    stacks = captures_of(rules.highest)
    view = board >> VIEW[seat]
    own = view >> OWN & FULL
    others = view >> ALL & FULL ^ own
    view ^= own << ALL
    found: list[Action] = []
    for space in _FIRST_HALF[own & 0xFFFF] + _SECOND_HALF[own >> 16]:
        for spaces, (mask, known, learn) in stacks[cells[space]][space]:
            if others & spaces:
                try:
                    found += known[view & mask]
                except KeyError:
                    found += learn(view)
    return found
