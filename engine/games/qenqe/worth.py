"""The worth of a position of Fidchess Qenqe, for simple bots."""

from engine.games.qenqe.board import owner
from engine.games.qenqe.options import partner
from engine.games.qenqe.state import State
from engine.house import WON


def worth(state: State, seat: int) -> int:
    """Return the lead of `seat` over the average of its rivals, times their number so that nothing is divided.

    To the seat that controls a stack its own disks count two each, captives one.
    """
    if state.reason:
        return 0 if not state.winners else WON if seat in state.winners else -WON
    disks = [0] * (state.rules.seats + 1)
    for stack in state.cells:
        if stack:
            disks[owner(stack)] += len(stack) + stack.count(stack[0].upper())
    team = (seat, partner(seat)) if state.rules.partners else (seat,)
    rivals = [rival for rival in state.playing if rival not in team]
    return sum(disks[friend] for friend in team) * len(rivals) - sum(disks[r] for r in rivals) * len(team)
