"""What a deal of Celtic Whist brings each seat, beside an average one."""

from random import Random

from engine import CHANCE, PUBLIC
from engine.games.celtic_whist import GAME, State, members
from p2p_stonehenge.bots.celtic_whist.aims import POINT
from p2p_stonehenge.bots.celtic_whist.bidding import Bidders
from p2p_stonehenge.bots.celtic_whist.worlds import deals

TRIED = 400
"""How often a deal is played out, and how many others are, once each."""
ERRATIC = 0.1
"""The part of the cards that are played at random then: else a deal would come out the same each time."""


def brought(before: State, action: str) -> dict[int, float]:
    """Return by seat how much more a deal is worth than an average one, in hundredths of a point.

    All seats bid what their hands call for and play by a rule of thumb: so luck is told apart from skill. Empty for
    another draw, for a deal of which not all is known, and for a player alone, whose dummy plays in a fixed order.
    """
    seats = before.standing.seats
    if not action.startswith("deal") or len(seats) == 1:
        return {}
    dealt = GAME.apply(before, CHANCE, action)
    if any(dealt.unknown):
        return {}
    rng, table = Random(0), Bidders(dealt, 0, racing=True, erratic=ERRATIC)
    own = [table.plan.mask(members(dealt.hands[seat - 1])) for seat in seats]
    sums = [0.0] * len(seats)
    for other in deals(GAME.view(dealt, PUBLIC), TRIED, False, rng):
        for one, (more, less) in enumerate(zip(table.worths(own, rng), table.worths(other, rng), strict=True)):
            sums[one] += more - less
    return {seat: POINT * more / TRIED for seat, more in zip(seats, sums, strict=True)}
