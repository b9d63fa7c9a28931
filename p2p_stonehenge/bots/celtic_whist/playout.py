"""Playing a round of Celtic Whist to its end by a rule of thumb, in which every seat aims at its own bid."""

from random import Random

from p2p_stonehenge.bots.celtic_whist.layout import Layout


class Round:
    """A round as playouts need it. Seats are counted from 0, in the order of play."""

    __slots__ = ("best", "down", "follow", "hands", "holder", "layout", "led", "need", "turn")

    def __init__(self, layout: Layout, follow: tuple[int, ...], hands: list[int], need: list[int], turn: int) -> None:
        self.layout = layout
        self.follow = follow
        """By the suit led: the cards that must be played if there are any."""
        self.hands = hands
        self.need = need
        """How many more tricks each seat wants; less than 0 if it has too many."""
        self.turn = turn
        self.down = 0
        """Cards in the trick."""
        self.led = self.best = self.holder = -1
        """Of the trick: the suit led, the place of the best card, and the seat that played it."""

    def copy(self) -> "Round":
        """Return a round that changes apart from this one."""
        return self.dealt(self.hands[:])

    def dealt(self, hands: list[int]) -> "Round":
        """Return the same round with other hands, which it changes."""
        other = Round(self.layout, self.follow, hands, self.need[:], self.turn)
        other.down, other.led, other.best, other.holder = self.down, self.led, self.best, self.holder
        return other

    def legal(self) -> int:
        """Return the cards that the seat to play may play."""
        hand = self.hands[self.turn]
        return (self.down and hand & self.follow[self.led]) or hand

    def play(self, place: int) -> None:
        """Play the card at a place for the seat that is to play."""
        turn = self.turn
        self.hands[turn] ^= 1 << place
        if not self.down:
            self.led = self.layout.suit[place]
        if not self.down or self.layout.above[self.led][self.best] >> place & 1:
            self.best, self.holder = place, turn
        self.down += 1
        if self.down == len(self.hands):
            self.need[self.holder] -= 1
            self.turn, self.down = self.holder, 0
        else:
            self.turn = (turn + 1) % len(self.hands)

    def _wants(self, turn: int, left: int) -> bool:
        """Return whether a seat of two wants the trick, with so many cards left: for its bid, or to spoil the other's.

        A seat whose own bid is lost, or has enough, takes a trick that the other cannot do without.
        """
        own, other = self.need[turn], self.need[1 - turn]
        if 0 < own <= left:
            return True
        return other > 0 and (own > left or other >= left)

    def play_out(self, rng: Random, erratic: float) -> None:
        """Play until all cards are gone. `erratic`: the part of the cards that are played at random, from 0 to 1."""
        hands, need, follow, suits, tables = self.hands, self.need, self.follow, self.layout.suit, self.layout.above
        turn, down, led, best, holder = self.turn, self.down, self.led, self.best, self.holder
        chance, players = rng.random, len(hands)
        last = players - 1
        wants = self._wants
        beaten = tables[led][best] if down else 0
        while hand := hands[turn]:
            legal = (down and hand & follow[led]) or hand
            better = legal & beaten if down else legal
            if not legal & (legal - 1):
                bit = legal
            elif chance() < erratic:
                bit = any_of(legal, chance())
            elif wants(turn, hand.bit_count()) if players == 2 else need[turn] > 0:
                if not better:
                    bit = legal & -legal
                elif down == last:
                    bit = better & -better
                else:
                    bit = 1 << (better.bit_length() - 1)
            elif not down:
                bit = legal & -legal
            elif worse := legal ^ better:
                bit = 1 << (worse.bit_length() - 1)
            elif down == last:
                bit = 1 << (better.bit_length() - 1)
            else:
                bit = better & -better
            hands[turn] = hand ^ bit
            if not down:
                best = bit.bit_length() - 1
                led, holder = suits[best], turn
                beaten = tables[led][best]
            elif bit & better:
                best, holder = bit.bit_length() - 1, turn
                beaten = tables[led][best]
            if down == last:
                need[holder] -= 1
                turn, down = holder, 0
            else:
                down += 1
                turn = turn + 1 if turn < last else 0
        self.turn, self.down = turn, 0


def any_of(mask: int, chance: float) -> int:
    """Return one bit of a mask; `chance` from 0 to 1 says which."""
    for _ in range(int(chance * mask.bit_count())):
        mask &= mask - 1
    return mask & -mask
