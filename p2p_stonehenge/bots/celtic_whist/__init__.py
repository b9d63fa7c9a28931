"""How bots think about Celtic Whist: bids and cards are tried in deals that fit what the seat has seen.

To be read in this order: `layout`, `playout`, `hope`, `aims`, `worlds`, `endings`, `alone`, `levels`, `bidding`,
`reasons`, `cards`, `luck`, then `think` here.
"""

from collections.abc import Sequence
from random import Random

from engine.games.celtic_whist import BID, COOPERATIVE, State
from p2p_stonehenge.bots.celtic_whist.aims import MADE, POINT, STAKE
from p2p_stonehenge.bots.celtic_whist.bidding import bids
from p2p_stonehenge.bots.celtic_whist.cards import cards
from p2p_stonehenge.bots.celtic_whist.levels import spent
from p2p_stonehenge.bots.celtic_whist.luck import fortune
from p2p_stonehenge.bots.thought import Running, Thought, Weighed

__all__ = ["ADVISER", "ALIKE", "counted_worth", "fortune", "knows_hand", "same", "standing", "think", "weigh"]

ADVISER = 5
"""The level at which advice is given: even that takes a few tenths of a second."""
ALIKE = 50.0
"""In hundredths of a point: bids and cards that differ by no more are as good as each other to people."""


def think(
    view: State, seat: int, level: int, rng: Random, running: Running, asked: Sequence[str] = ()
) -> tuple[Thought, ...]:
    """Return what `seat`, which is to act, may do, best first. The worth is in hundredths of a point.

    Only the actions that are `asked` about, if any are.
    """
    standing = view.standing
    effort = spent(level, len(standing.seats), standing.rules & COOPERATIVE > 0)
    return (bids if view.phase == BID else cards)(view, seat, effort, rng, running, asked)


def weigh(view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int) -> Weighed:
    """Return what actions of `seat` are worth to the bot that gives advice, tried in the same deals.

    Few deals would tell little: they are as many at each `level`, and nothing is searched to a `depth`.
    """
    del level, depth
    return Weighed(think(view, seat, ADVISER, Random(0), running, actions), 0)


def knows_hand(view: State, seat: int) -> bool:
    """Return whether all cards of a seat are known: those of a round that was broken off are not in a saved game."""
    return not view.unknown[seat - 1]


def same(view: State, one: Thought, other: Thought) -> bool:
    """Return whether two candidates are bids that differ in name alone, as the null bids of a team do."""
    return view.phase == BID and (one.reason, one.worth) == (other.reason, other.worth)


def standing(view: State, worth: float) -> str:
    """Return in a sentence how often the seat to act wins after a candidate that advice found to be worth so much."""
    if view.standing.rules & COOPERATIVE or len(view.standing.seats) == 1:
        return ""
    return f"You win about {min(max(_games(worth), 1), 99)} of 100 games from there."


def counted_worth(view: State, worth: float) -> str:
    """Return how much a worth is that `weigh` found, in words."""
    if view.standing.rules & COOPERATIVE:
        return f"{worth / POINT / MADE:.2f} rounds"
    if len(view.standing.totals) == 1:
        return f"{worth / POINT:.1f} points"
    games = _games(worth)
    return f"{games / 100:.1f} games" if games > 100 else f"{games} of 100 games"


def _games(worth: float) -> int:
    """Return how many of 100 games are won with a chance that counts so much."""
    return round(100 * worth / POINT / STAKE)
