"""The ends of a roll in Byzantine Kingamon, and what they are worth after the other side's next roll."""

from typing import NamedTuple

from engine import CHANCE
from engine.games.kingamon import CHOOSE, GAME, PLAY, State
from p2p_stonehenge.bots.kingamon.shots import PAIRS, ROLLS
from p2p_stonehenge.bots.kingamon.value import Chance
from p2p_stonehenge.bots.thinking import Interrupted, Running


class End(NamedTuple):
    """A state in which a roll has been played out, and how it came about."""

    first: str
    """The first play."""
    then: str
    """The second play, empty if there is none."""
    state: State


def ends(state: State) -> list[End]:
    """Return what the roll in play can lead to, once for each first play that leads there."""
    seat, apply = state.seat, GAME.apply
    found = {}
    for first in state.plays:
        middle = apply(state, seat, first)
        if middle.phase == PLAY and middle.seat == seat:
            for second in middle.plays:
                end = apply(middle, seat, second)
                found[first, end.white, end.red] = End(first, second, end)
        else:
            found[first, middle.white, middle.red] = End(first, "", middle)
    return list(found.values())


def outlook(state: State, seat: int, chance: Chance) -> float:
    """Return the chance of `seat` to win from a state in which a roll has been played out."""
    if state.phase > PLAY:
        return 1.0 if state.seat == seat else 0.0
    own, other = (state.white, state.red) if state.seat == 1 else (state.red, state.white)
    wins = chance(state.rules, own, other)
    return wins if state.seat == seat else 1 - wins


def farther(state: State, seat: int, chance: Chance, running: Running) -> float:
    """Return the same after the roll that comes next, of whichever side, played for that side's best."""
    if state.phase > PLAY:
        return outlook(state, seat, chance)
    if state.phase == CHOOSE:
        state = GAME.apply(state, state.seat, "roll")
    roller, total = state.seat, 0.0
    for a, b in PAIRS:
        if not running():
            raise Interrupted
        rolled = GAME.apply(state, CHANCE, f"{a}-{b}")
        if rolled.phase == PLAY:
            known = {(end.state.white, end.state.red): end.state for end in ends(rolled)}
            best = max(outlook(end, roller, chance) for end in known.values())
        else:
            best = outlook(rolled, roller, chance)
        total += best * (1 if a == b else 2)
    return total / ROLLS if roller == seat else 1 - total / ROLLS
