"""When a bot doubles, takes and drops in Byzantine Kingamon: by what each leads to, in points."""

from engine import counted
from engine.games.kingamon import POINT, State, equity
from p2p_stonehenge.bots.kingamon.search import outlook
from p2p_stonehenge.bots.kingamon.value import Chance
from p2p_stonehenge.bots.thought import Part, Thought

TIMID = {1: 0.12, 2: 0.05}
"""How much better than it stands a weak level wants to stand before it doubles or takes, as people do."""


def offers(view: State, seat: int, level: int, chance: Chance) -> tuple[Thought, ...]:
    """Return whether `seat` doubles or rolls, the better first."""
    wins = outlook(view, seat, chance)
    seen = wins - TIMID.get(level, 0.0)
    doubled = min(2 * equity(view.rules, seen, 2 * view.stake, -1), 1.0)
    rolled = equity(view.rules, wins, view.stake, 1 if view.owner else 0)
    percent = (_leads(wins),)
    thoughts = (
        Thought("double", POINT * view.stake * doubled, percent),
        Thought("roll", POINT * view.stake * rolled, percent),
    )
    # Where the other side would drop, and nothing better can come, the double wins at once.
    return thoughts if doubled >= rolled else thoughts[::-1]


def answers(view: State, seat: int, level: int, chance: Chance) -> tuple[Thought, ...]:
    """Return whether `seat` takes a double or drops, the better first."""
    wins = 1 - outlook(view._replace(seat=3 - seat), 3 - seat, chance)
    taken = 2 * equity(view.rules, wins - TIMID.get(level, 0.0), 2 * view.stake, 1)
    thoughts = (
        Thought("take", POINT * view.stake * taken, (_leads(wins),)),
        Thought("drop", -POINT * view.stake, (Part(f"loses {counted(view.stake, 'point')} now"),)),
    )
    return thoughts if taken > -1 else thoughts[::-1]


def _leads(wins: float) -> Part:
    return Part(f"leads to a win in about {round(100 * wins)} of 100 games")
