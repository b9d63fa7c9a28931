"""The worth of a position of Fidchess, for simple bots."""

from engine.games.fidchess.board import DISKS, SEAT_SHIFT
from engine.games.fidchess.state import State
from engine.house import WON


def worth(state: State, seat: int) -> int:
    """Return the lead of `seat`: a disk on the board counts ten, a step towards the opponent's back column one."""
    if state.reason:
        return 0 if not state.winner else WON if state.winner == seat else -WON
    lead = 0
    for space, stack in enumerate(state.cells):
        if stack & DISKS:
            yellow = stack >> SEAT_SHIFT == 1
            steps = space % 8 if yellow else 7 - space % 8
            lead += (10 * (stack & DISKS) + steps) * (1 if yellow else -1)
    return lead if seat == 1 else -lead
