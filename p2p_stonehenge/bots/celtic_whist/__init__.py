"""How bots think about Celtic Whist: bids and cards are tried in deals that fit what the seat has seen.

To be read in this order: `layout`, `playout`, `hope`, `aims`, `worlds`, `endings`, `alone`, `levels`, `bidding`,
`reasons`, `cards`, `luck`, then the bot here.
"""

from collections.abc import Sequence
from random import Random

from engine.games.celtic_whist import BID, COOPERATIVE, GAME, State
from p2p_stonehenge.bots.celtic_whist.aims import MADE, POINT, STAKE
from p2p_stonehenge.bots.celtic_whist.bidding import bids
from p2p_stonehenge.bots.celtic_whist.cards import cards
from p2p_stonehenge.bots.celtic_whist.levels import spent
from p2p_stonehenge.bots.celtic_whist.luck import brought
from p2p_stonehenge.bots.game_bot import GameBot
from p2p_stonehenge.bots.search import DEEPEST
from p2p_stonehenge.bots.thought import Running, Thought, Weighed

__all__ = ["BOT"]


class WhistBot(GameBot[State]):
    """The bot of Celtic Whist. Worth is in hundredths of a point."""

    adviser = 5
    """Even that takes a few tenths of a second."""
    alike = 50.0

    def candidates(
        self, view: State, seat: int, level: int, rng: Random, running: Running, asked: Sequence[str] = ()
    ) -> tuple[Thought, ...]:
        """Return bids or cards, best first; only those that are `asked` about, if any are."""
        standing = view.standing
        effort = spent(level, len(standing.seats), standing.rules & COOPERATIVE > 0)
        return (bids if view.phase == BID else cards)(view, seat, effort, rng, running, asked)

    def weigh(
        self, view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int = DEEPEST
    ) -> Weighed:
        """Return what actions of `seat` are worth to the bot that gives advice, tried in the same deals.

        Few deals would tell little: they are as many at each `level`, and nothing is searched to a `depth`.
        """
        return Weighed(self.candidates(view, seat, self.adviser, Random(0), running, actions), 0)

    def same(self, view: State, one: Thought, other: Thought) -> bool:
        """Return also whether two candidates are bids that differ in name alone, as the null bids of a team do."""
        alike = view.phase == BID and (one.parts, one.worth) == (other.parts, other.worth)
        return alike or super().same(view, one, other)

    def worth_told(self, view: State, worth: float) -> str:
        """Return in a sentence how often the seat to act wins then."""
        if view.standing.rules & COOPERATIVE or len(view.standing.seats) == 1:
            return ""
        return f"You win about {min(max(_games(worth), 1), 99)} of 100 games from there."

    def counted_worth(self, state: State, worth: float) -> str:
        if state.standing.rules & COOPERATIVE:
            return f"{worth / POINT / MADE:.2f} rounds"
        if len(state.standing.totals) == 1:
            return f"{worth / POINT:.1f} points"
        games = _games(worth)
        return f"{games / 100:.1f} games" if games > 100 else f"{games} of 100 games"

    def fortune(self, before: State, action: str) -> dict[int, float]:
        return brought(before, action)

    def knows_hand(self, view: State, seat: int) -> bool:
        """Return whether all cards of a seat are known: those of a round broken off are not in a saved game."""
        return not view.unknown[seat - 1]


BOT = WhistBot(GAME)


def _games(worth: float) -> int:
    """Return how many of 100 games are won with a chance that counts so much."""
    return round(100 * worth / POINT / STAKE)
