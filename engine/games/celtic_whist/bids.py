"""The bids of a round of Celtic Whist, and who leads after them."""

from collections.abc import Sequence
from functools import cache

from engine.game import Action
from engine.games.celtic_whist.cards import BYTES
from engine.games.celtic_whist.state import BID, DOUBLING, NULL_MAX, ORDER, PLAY, RESTRICTIVE, State, follows
from engine.house import build


@cache
def possible_bids(rules: int, hand: int) -> tuple[Action, ...]:
    """Return every bid that the options allow with `hand` cards a hand."""
    nulls = ("null 1", "null max") if rules & RESTRICTIVE else tuple(f"null {n}" for n in range(1, hand + 1))
    doubles = (("double",) if rules & RESTRICTIVE else ("double", "null double")) if rules & DOUBLING else ()
    return (*(f"bid {n}" for n in range(1, hand + 1)), *nulls, *doubles)


@cache
def worth_of(action: Action, hand: int) -> int:
    """Return the worth of a bid, negative for a null bid.

    >>> worth_of("bid 3", 7), worth_of("null 2", 7), worth_of("double", 7)
    (3, -2, 14)
    """
    if action == "null max":
        return NULL_MAX
    kind, _, value = action.rpartition(" ")
    worth = 2 * hand if value == "double" else int(value)
    return -worth if kind == "null" else worth


def bid(state: State, worth: int) -> State:
    """Return the state after a bid of the seat to act; the last bid opens the play."""
    standing, _, seat, trump, bids, hands, unknown, _, _, dummy, _ = state
    made = list(bids)
    made[seat - 1] = worth
    if len(made) == 1:
        follow = follows(standing.rules, trump, dummy[0])
        return State(standing, PLAY, 1, trump, tuple(made), hands, unknown, dummy[:1], b"\0", dummy[1:], follow)
    seats = standing.seats
    following = ORDER[seats][seat][1]
    if not made[following - 1]:
        return build(State, (standing, BID, following, trump, tuple(made), hands, unknown, b"", b"", b"", 0))
    order, totals = ORDER[seats][standing.dealer], standing.totals
    leader = _highest(order, made, totals)
    highest = made[leader - 1]
    if highest < 0:
        made = [0] * len(made)
        leader = _highest(order, made, totals)
    elif NULL_MAX in made:
        made = [-highest if worth == NULL_MAX else worth for worth in made]
    return build(State, (standing, PLAY, leader, trump, tuple(made), hands, unknown, b"", BYTES[leader], b"", 0))


def _highest(order: bytes, made: Sequence[int], totals: Sequence[int]) -> int:
    """Return the seat with the highest bid, of equals the one with most points, of equals the first in `order`."""
    highest = order[0]
    for seat in order:
        worth, most = made[seat - 1], made[highest - 1]
        if worth > most or (worth == most and totals[seat - 1] > totals[highest - 1]):
            highest = seat
    return highest
