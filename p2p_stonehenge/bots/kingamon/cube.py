"""When a bot doubles, takes and drops in Byzantine Kingamon: by what each leads to, in points."""

from engine import counted
from engine.games.kingamon import State
from p2p_stonehenge.bots.kingamon.search import outlook
from p2p_stonehenge.bots.kingamon.value import Chance
from p2p_stonehenge.bots.thought import Thought

POINT = 1000
TOP_STAKE = 64
LIVE, BOTH = 1 / 3, 2 / 5
"""What the right to double adds (Janowski's formulas for a cube efficiency of 2/3): to the points of its only owner for
each chance to win, and to the points of both where both may double."""
TIMID = {1: 0.12, 2: 0.05}
"""How much better than it stands a weak level wants to stand before it doubles or takes, as people do."""


def offers(view: State, seat: int, level: int, chance: Chance) -> tuple[Thought, ...]:
    """Return whether `seat` doubles or rolls, the better first."""
    wins = outlook(view, seat, chance)
    seen = wins - TIMID.get(level, 0.0)
    doubled = min(2 * held(seen, -1, 2 * view.stake), 1.0)
    rolled = held(wins, 1 if view.owner else 0, view.stake)
    percent = f"leads to a win in about {round(100 * wins)} of 100 games"
    thoughts = (
        Thought("double", POINT * view.stake * doubled, percent),
        Thought("roll", POINT * view.stake * rolled, percent),
    )
    # Where the other side would drop, and nothing better can come, the double wins at once.
    return thoughts if doubled >= rolled else thoughts[::-1]


def answers(view: State, seat: int, level: int, chance: Chance) -> tuple[Thought, ...]:
    """Return whether `seat` takes a double or drops, the better first."""
    wins = 1 - outlook(view._replace(seat=3 - seat), 3 - seat, chance)
    taken = 2 * held(wins - TIMID.get(level, 0.0), 1, 2 * view.stake)
    thoughts = (
        Thought("take", POINT * view.stake * taken, f"leads to a win in about {round(100 * wins)} of 100 games"),
        Thought("drop", -POINT * view.stake, f"loses {counted(view.stake, 'point')} now"),
    )
    return thoughts if taken > -1 else thoughts[::-1]


def held(wins: float, cube: int, stake: int) -> float:
    """Return the points, in stakes, of a side that wins so often.

    `cube` is 1 if that side alone may double, -1 if the other one alone, 0 if both; at the top stake nobody may.
    """
    points = 2 * wins - 1
    if stake < TOP_STAKE:
        points += BOTH * points if not cube else LIVE * (wins if cube > 0 else wins - 1)
    return max(-1.0, min(1.0, points))
