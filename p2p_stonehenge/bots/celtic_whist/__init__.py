"""How bots think about Celtic Whist: bids and cards are tried in deals that fit what the seat has seen.

To be read in this order: `layout`, `playout`, `hope`, `aims`, `worlds`, `endings`, `alone`, `levels`, `bidding`,
`reasons`, `cards`, then `think` here.
"""

from random import Random

from engine.games.celtic_whist import BID, COOPERATIVE, State
from p2p_stonehenge.bots.celtic_whist.aims import POINT, STAKE
from p2p_stonehenge.bots.celtic_whist.bidding import bids
from p2p_stonehenge.bots.celtic_whist.cards import cards
from p2p_stonehenge.bots.celtic_whist.levels import spent
from p2p_stonehenge.bots.thought import Running, Thought

__all__ = ["ADVISER", "ALIKE", "same", "standing", "think"]

ADVISER = 5
"""The level at which advice is given: even that takes a few tenths of a second."""
ALIKE = 50.0
"""In hundredths of a point: bids and cards that differ by no more are as good as each other to people."""


def think(view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
    """Return what `seat`, which is to act, may do, best first. The worth is in hundredths of a point."""
    standing = view.standing
    effort = spent(level, len(standing.seats), standing.rules & COOPERATIVE > 0)
    return (bids if view.phase == BID else cards)(view, seat, effort, rng, running)


def same(view: State, one: Thought, other: Thought) -> bool:
    """Return whether two candidates are bids that differ in name alone, as the null bids of a team do."""
    return view.phase == BID and (one.reason, one.worth) == (other.reason, other.worth)


def standing(view: State, worth: float) -> str:
    """Return in a sentence how often the seat to act wins after a candidate that advice found to be worth so much."""
    if view.standing.rules & COOPERATIVE or len(view.standing.seats) == 1:
        return ""
    wins = round(100 * worth / POINT / STAKE)
    return f"You win about {min(max(wins, 1), 99)} of 100 games from there."
