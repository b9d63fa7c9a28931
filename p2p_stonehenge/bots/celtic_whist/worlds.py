"""Full deals of a round of Celtic Whist that fit what a seat has seen, and what the bids tell about them."""

import math
from collections.abc import Iterator, Sequence
from random import Random

from engine.games.celtic_whist import BLACK_FOLLOWS, GAME, State, deck, members, played_by, taken
from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.hope import chances, hope
from p2p_stonehenge.bots.celtic_whist.layout import Layout, layout, places
from p2p_stonehenge.bots.celtic_whist.playout import Round

ABOVE = {2: 0.5, 3: -0.5, 4: -0.6, 5: -0.9}
"""By the number of players: what the hand of a regular bid may hope for above that bid, on average. Counted over bids
that 250 deals had been tried for. Null bids are made with hands of all kinds and tell next to nothing."""
WIDE = 1.3
"""How far such a hand is off the average, as a rule; with some room for players who bid otherwise."""
SETTLING, APART = 8.0, 1.5
"""Swaps for each hidden card before the first deal that has to fit the bids, and from each deal to the next. With half
a swap a deal tells less than half as much as one drawn anew."""


def deals(view: State, count: int, inferring: bool, rng: Random) -> Iterator[list[int]]:
    """Yield deals that fit the view of a round of two or more: the hands of the seats in their order, by the layout.

    The first deal is one that `complete` gives, each other one comes from that before it by swaps of two hidden cards.
    `inferring`: a swap that fits the bids less well is made the less often (Metropolis), so that deals come as often as
    they are likely. If all cards are known there is one deal, else `count`.
    """
    seats, plan = view.standing.seats, layout(view.trump)
    full = [plan.mask(members(hand)) for hand in GAME.complete(view, rng).hands]
    hands = [full[seat - 1] for seat in seats]
    if not any(view.unknown):
        yield hands
        return
    owners, cards = _hidden(view, plan, hands)
    barred = [*_barred(view, plan), 0]
    off, sharp = _fitting(view, plan, hands) if inferring else ([], [])
    weighing = any(sharp)
    by_place = chances(view.trump, len(seats))
    hands.append(0)  # of the cards that lie face down
    draw, count_hidden = rng.random, len(cards)
    swaps = int(SETTLING * count_hidden) if weighing else 0
    for _ in range(count):
        for _ in range(swaps + max(1, int(APART * count_hidden))):
            first, second = int(draw() * count_hidden), int(draw() * count_hidden)
            one, two = owners[first], owners[second]
            mine, theirs = cards[first], cards[second]
            if one == two or barred[two] >> mine & 1 or barred[one] >> theirs & 1:
                continue
            if weighing:
                gain = by_place[theirs] - by_place[mine]
                worse = gain * (sharp[one] * (2 * off[one] + gain) - sharp[two] * (2 * off[two] - gain))
                if worse > 0 and draw() > math.exp(-worse):
                    continue
                off[one] += gain
                off[two] -= gain
            cards[first], cards[second] = theirs, mine
            both = 1 << mine | 1 << theirs
            hands[one] ^= both
            hands[two] ^= both
        swaps = 0
        yield hands[:-1]


def _hidden(view: State, plan: Layout, hands: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the owner and the place of each hidden card of a deal; a card that lies face down is owned by no seat,
    the number after those of the seats."""
    seen = plan.mask(view.plays)
    owners, cards = [], []
    for owner, hand in enumerate([*hands, plan.mask(deck(view.standing)) & ~(seen | sum(hands))]):
        seat = view.standing.seats[owner] if owner < len(hands) else 0
        found = places(hand & ~plan.mask(members(view.hands[seat - 1])) if seat else hand)
        owners += [owner] * len(found)
        cards += found
    return owners, cards


def _barred(view: State, plan: Layout) -> list[int]:
    """Return by seat in order the cards that it cannot hold, since it did not follow suit."""
    seats, follow = view.standing.seats, follow_of(view, plan)
    masks = [0] * len(seats)
    for at, (seat, card) in enumerate(played_by(view)):
        place = plan.place[card]
        if at % len(seats) == 0:
            must = follow[plan.suit[place]]
        if must and not must >> place & 1:
            masks[seats.index(seat)] |= must
    return masks


def _fitting(view: State, plan: Layout, hands: Sequence[int]) -> tuple[list[float], list[float]]:
    """Return how much more each hand hopes for than its bid says, and what the square of that counts; at last 0 for
    the cards that lie face down."""
    seats, played = view.standing.seats, played_by(view)
    off, sharp = [], []
    for seat, hand in zip(seats, hands, strict=True):
        bid = view.bids[seat - 1]
        dealt = hand | plan.mask(card for one, card in played if one == seat)
        off.append(hope(view.trump, len(seats), dealt) - bid - ABOVE[len(seats)])
        sharp.append(0.5 / WIDE**2 if bid > 0 and view.unknown[seat - 1] else 0.0)
    return [*off, 0.0], [*sharp, 0.0]


def round_of(world: State, aims: Aims, plan: Layout) -> Round:
    """Return the round in play of two or more seats, as playouts need it; hands hold what is known of them."""
    seats, down = world.standing.seats, len(world.plays) % len(world.standing.seats)
    hands = [plan.mask(members(world.hands[seat - 1])) for seat in seats]
    need = [target - taken(world, seat) for seat, target in zip(seats, aims.targets, strict=True)]
    found = Round(plan, follow_of(world, plan), hands, need, seats.index(world.leads[-1]))
    for card in world.plays[len(world.plays) - down :]:
        place = plan.place[card]
        found.hands[found.turn] |= 1 << place
        found.play(place)
    return found


def follow_of(state: State, plan: Layout) -> tuple[int, ...]:
    """Return by the suit led the cards that must follow it."""
    return plan.follow(state.standing.rules & BLACK_FOLLOWS > 0)
