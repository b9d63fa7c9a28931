"""The last tricks of a round of Celtic Whist with all cards known: the best play by exhaustive search."""

from typing import TypeAlias

from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.playout import Round
from p2p_stonehenge.bots.thought import Interrupted, Running

Worths: TypeAlias = tuple[float, ...]
"""What an end is worth to each seat."""
ASK_EVERY = 512
"""Positions searched between two looks at the clock."""


class EndSearch:
    """A search of the rest of a round. `against` is a seat that all others play against; else each plays for itself."""

    def __init__(self, aims: Aims, running: Running, start: Round, against: int | None = None) -> None:
        """`start`: a round with the same layout and the same cards to follow as those to be searched."""
        self._aims = aims
        self._running = running
        self._against = against
        self._suit, self._above, self._follow = start.layout.suit, start.layout.above, start.follow
        self._last = len(start.hands) - 1
        self._known: dict[tuple[int, ...], Worths] = {}
        """What was found at the start of tricks, by the hands, what each seat needs, and who leads."""
        self._ends: dict[tuple[int, ...], Worths] = {}
        """By what each seat still needed."""
        self._searched = 0

    def worths(self, state: Round) -> Worths:
        """Return what the end is worth to each seat. Raises Interrupted when there is no more time."""
        hands, need = state.hands[:], state.need[:]
        if not state.down:
            return self._trick(hands, need, state.turn)
        return self._card(hands, need, state.turn, state.down, state.led, state.best, state.holder)

    def _trick(self, hands: list[int], need: list[int], turn: int) -> Worths:
        """Return the same at the start of a trick that `turn` leads; lists are as before when it returns."""
        if not hands[turn]:
            key = tuple(need)
            if (end := self._ends.get(key)) is None:
                end = self._ends[key] = tuple([self._aims.worth(seat, need) for seat in range(len(need))])
            return end
        key = (turn, *hands, *need)
        if (found := self._known.get(key)) is None:
            self._searched += 1
            if self._searched % ASK_EVERY == 0 and not self._running():
                raise Interrupted
            found = self._known[key] = self._card(hands, need, turn, 0, 0, 0, turn)
        return found

    def _card(
        self, hands: list[int], need: list[int], turn: int, down: int, led: int, best: int, holder: int
    ) -> Worths:
        """Return the same with `down` cards in a trick: the suit led, the place of the best card, and its holder."""
        hand, last, against = hands[turn], self._last, self._against
        legal = (down and hand & self._follow[led]) or hand
        beaten = self._above[led][best] if down else legal
        most: Worths | None = None
        while legal:
            place = legal.bit_length() - 1
            bit = 1 << place
            legal ^= bit
            hands[turn] = hand ^ bit
            wins = beaten & bit
            if down == last:
                taker = turn if wins else holder
                need[taker] -= 1
                worths = self._trick(hands, need, taker)
                need[taker] += 1
            else:
                worths = self._card(
                    hands,
                    need,
                    turn + 1 if turn < last else 0,
                    down + 1,
                    led if down else self._suit[place],
                    place if wins else best,
                    turn if wins else holder,
                )
            if most is None:
                most = worths
            elif against is None or against == turn:
                if worths[turn] > most[turn]:
                    most = worths
            elif worths[against] < most[against]:
                most = worths
        hands[turn] = hand
        assert most is not None
        return most
