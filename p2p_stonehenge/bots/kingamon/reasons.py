"""Why a play of Byzantine Kingamon is good, in a few words."""

from engine.games.kingamon import KING, KING_BAR, NEUTRAL, OFF, PLAY, State, space
from p2p_stonehenge.bots.kingamon.shots import shots


def reason(before: State, seat: int, after: State) -> str:
    """Return what a roll does that is played so that `after` follows, "" if there is nothing to say.

    First what matters most: a win, the kings, captures, bearing off.
    """
    if after.phase > PLAY:
        return "wins the game"
    own, other = _sides(after, seat)
    old, old_other = _sides(before, seat)
    rules = before.rules
    at_mine, was = shots(rules, other, own).rolls, shots(rules, old_other, old).rolls
    if at_mine:
        return f"{at_mine} of 36 rolls take the king"
    if was:
        return "brings the king out of danger"
    if aimed := shots(rules, own, other).rolls:
        return f"aims {aimed} of 36 rolls at the opposing king"
    if taken := _count(other[0]) - _count(old_other[0]):
        return f"captures {taken} piece{'s' * (taken > 1)}"
    if off := _count(own[OFF]) - _count(old[OFF]):
        return f"bears off {off} piece{'s' * (off > 1)}"
    made = [way for way in range(1, OFF) if _count(own[way]) > 1 >= _count(old[way]) and way not in NEUTRAL]
    if made:
        return f"makes space {space(seat, made[-1])} safe"
    return ""


def king_faced(state: State, seat: int) -> int:
    """Return how many of the 36 rolls take the king of `seat` and win, when the other side is to roll."""
    if state.rules & KING_BAR or state.phase > PLAY:
        return 0
    own, other = _sides(state, seat)
    return shots(state.rules, other, own).rolls


def _sides(state: State, seat: int) -> tuple[bytes, bytes]:
    return (state.white, state.red) if seat == 1 else (state.red, state.white)


def _count(byte: int) -> int:
    return (byte & 15) + (byte >= KING)
