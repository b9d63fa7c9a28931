"""The ends of a roll in Byzantine Kingamon, and what they are worth after the other side's next roll."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import CHANCE
from engine.games.kingamon import CHOOSE, GAME, PLAY, State
from p2p_stonehenge.bots.kingamon.shots import PAIRS, ROLLS
from p2p_stonehenge.bots.kingamon.value import Chance
from p2p_stonehenge.bots.thought import Interrupted, Running, Thought


class PlayedOut(NamedTuple):
    """A state in which a roll has been played out, and how it came about."""

    first: str
    """The first play."""
    middle: State
    """The state after it."""
    then: str
    """The second play, empty if there is none."""
    state: State


def rolled(state: State) -> Iterator[tuple[int, Sequence[State]]]:
    """Yield for each roll of the side that is to roll how many of the 36 it stands for, and what it can lead to."""
    if state.phase == CHOOSE:
        state = GAME.apply(state, state.seat, "roll")
    for a, b in PAIRS:
        now = GAME.apply(state, CHANCE, f"{a}-{b}")
        found = {(end.state.white, end.state.red): end.state for end in ends(now)} if now.phase == PLAY else {}
        yield 1 if a == b else 2, [*found.values()] or [now]


def ends(state: State) -> list[PlayedOut]:
    """Return what the roll in play can lead to, once for each first play that leads there."""
    seat, apply = state.seat, GAME.apply
    found = {}
    for first in state.plays:
        middle = apply(state, seat, first)
        if middle.phase == PLAY and middle.seat == seat:
            for second in middle.plays:
                end = apply(middle, seat, second)
                found[first, end.white, end.red] = PlayedOut(first, middle, second, end)
        else:
            found[first, middle.white, middle.red] = PlayedOut(first, middle, "", middle)
    return list(found.values())


def after(state: State, seat: int, thought: Thought) -> State:
    """Return the state behind a candidate of `seat` and the play that is to follow it."""
    for play in (thought.action, thought.then):
        state = GAME.apply(state, seat, play) if play else state
    return state


def advantage(state: State, roll: str, chance: Chance) -> float:
    """Return how much more often the side that is to roll wins after a roll than on average, each played as looks best.

    In chances to win, from -1 to 1.
    """
    wins = [(weight, max(outlook(end, state.seat, chance) for end in found)) for weight, found in rolled(state)]
    low, high = sorted(map(int, roll.split("-")))
    _, own = wins[PAIRS.index((low, high))]
    return own - sum(weight * won for weight, won in wins) / ROLLS


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
    roller, total = state.seat, 0.0
    for weight, found in rolled(state):
        if not running():
            raise Interrupted
        total += max(outlook(end, roller, chance) for end in found) * weight
    return total / ROLLS if roller == seat else 1 - total / ROLLS
