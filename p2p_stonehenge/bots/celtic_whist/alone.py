"""Solitaire at Celtic Whist: the dummy leads its cards in their order, and the player answers each."""

from random import Random

from engine.games.celtic_whist import State, members
from p2p_stonehenge.bots.celtic_whist.layout import Layout
from p2p_stonehenge.bots.celtic_whist.playout import any_of
from p2p_stonehenge.bots.celtic_whist.worlds import follow_of


class Solitaire:
    """The rest of a solitaire round in one world."""

    def __init__(self, world: State, plan: Layout) -> None:
        self.plan = plan
        self.follow = follow_of(world, plan)
        self.hand = plan.mask(members(world.hands[0]))
        down = world.plays[-1:] if len(world.plays) % 2 else b""
        self.leads = [plan.place[card] for card in down + world.dummy]
        """The places of the cards that the dummy leads, the next first."""

    def legal(self) -> int:
        """Return the cards that may answer the next lead."""
        return (self.hand & self.follow[self.plan.suit[self.leads[0]]]) or self.hand

    def tricks(self, need: int, rng: Random, erratic: float, first: int | None = None) -> int:
        """Return the tricks that the player takes from here when it wants so many.

        `erratic`: the part of the cards that are played at random. `first` is the place of the card with which it
        answers the next lead.
        """
        hand, suits, tables, taken = self.hand, self.plan.suit, self.plan.above, 0
        for lead in self.leads:
            led = suits[lead]
            legal = (hand & self.follow[led]) or hand
            better = legal & tables[led][lead]
            if first is not None:
                bit, first = 1 << first, None
            elif rng.random() < erratic:
                bit = any_of(legal, rng.random())
            elif need > taken:
                bit = better & -better if better else legal & -legal
            else:
                bit = 1 << ((legal ^ better or better).bit_length() - 1)
            hand ^= bit
            taken += (bit & better) > 0
        return taken
