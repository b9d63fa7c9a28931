"""The worth of a position of Fidchell, for simple bots."""

from engine.games.fidchell.state import State
from engine.house import WON


def worth(state: State, seat: int) -> int:
    """Return the lead of `seat` over its strongest rival.

    A piece counts ten, and each piece one that stands on the row to the king where `seat` has most, if no rival
    stands there.
    """
    if state.reason:
        return 0 if not state.winner else WON if state.winner == seat else -WON
    if seat not in state.playing:
        return -WON
    board, men = state.rules.board, state.men
    occupied = sum(men)

    def strength(seat: int) -> int:
        own = men[seat - 1]
        spokes = ((own & spoke).bit_count() for spoke in board.spokes if not (occupied ^ own) & spoke)
        return 10 * (state.hands[seat - 1] + own.bit_count()) + max(spokes, default=0)

    return strength(seat) - max(strength(other) for other in state.playing if other != seat)
