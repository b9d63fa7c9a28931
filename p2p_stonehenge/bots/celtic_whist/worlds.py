"""Full deals of a round of Celtic Whist that fit what a seat has seen, and what the bids tell about them."""

import math
from random import Random

from engine.games.celtic_whist import BLACK_FOLLOWS, GAME, UNKNOWN, State, members, played_by, taken
from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.hope import hope
from p2p_stonehenge.bots.celtic_whist.layout import Layout, layout
from p2p_stonehenge.bots.celtic_whist.playout import Round

ABOVE = {2: 0.5, 3: -0.5, 4: -0.6, 5: -0.9}
"""By the number of players: what the hand of a regular bid may hope for above that bid, on average. Counted over bids
of level 4. Null bids are made with hands of all kinds and tell next to nothing."""
WIDE = 1.3
"""How far such a hand is off the average, as a rule; with some room for players who bid otherwise."""
PLENTY = 3
"""Deals drawn for each one that is kept when the bids are to be reckoned with."""


def worlds(view: State, count: int, inferring: bool, rng: Random) -> list[State]:
    """Return so many full states that fit the view; `inferring`: those that fit the bids come more often."""
    if not any(view.unknown) and UNKNOWN not in view.dummy:
        return [view]
    found = [GAME.complete(view, rng) for _ in range(count * (PLENTY if inferring else 1))]
    if not inferring or max(view.bids) <= 0 or len(view.bids) < 2:
        return found[:count]
    return rng.choices(found, [_likelihood(view, world) for world in found], k=count)


def _likelihood(view: State, world: State) -> float:
    """Return how well the hidden hands of a world fit the bids that were made."""
    seats, plan = view.standing.seats, layout(view.trump)
    players = len(seats)
    off = 0.0
    for seat in seats:
        bid = view.bids[seat - 1]
        if bid <= 0 or not view.unknown[seat - 1]:
            continue
        cards = [card for one, card in played_by(view) if one == seat]
        hoped = hope(view.trump, players, plan.mask((*members(world.hands[seat - 1]), *cards)))
        off += ((hoped - bid - ABOVE[players]) / WIDE) ** 2
    return math.exp(-off / 2)


def round_of(world: State, aims: Aims, plan: Layout) -> Round:
    """Return the round in play of two or more seats, as playouts need it."""
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
