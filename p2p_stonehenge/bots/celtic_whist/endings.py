"""The last tricks of a round of Celtic Whist with all cards known: the best play by exhaustive search."""

from collections.abc import Sequence
from typing import TypeAlias

from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.playout import Round
from p2p_stonehenge.bots.thought import Interrupted, Running

Worths: TypeAlias = tuple[float, ...]
"""What an end is worth to each seat."""
ASK_EVERY = 512
"""Positions searched between two looks at the clock."""


class Ending:
    """A search of the rest of a round. `against` is a seat that all others play against; else each plays for itself."""

    def __init__(self, aims: Aims, running: Running, against: int | None = None) -> None:
        self._aims = aims
        self._running = running
        self._against = against
        self._known: dict[tuple[int, ...], Worths] = {}
        self._searched = 0

    def worths(self, state: Round) -> Worths:
        """Return what the end is worth to each seat. Raises Interrupted when there is no more time."""
        hands, turn = state.hands, state.turn
        if not hands[turn]:
            return self._end(state.need)
        trick = (state.best, state.holder, state.led) if state.down else ()
        key = (*hands, *state.need, turn, *trick)
        if (found := self._known.get(key)) is not None:
            return found
        self._searched += 1
        if self._searched % ASK_EVERY == 0 and not self._running():
            raise Interrupted
        best: Worths | None = None
        against = self._against
        legal = state.legal()
        while legal:
            place = legal.bit_length() - 1
            legal ^= 1 << place
            after = state.copy()
            after.play(place)
            worths = self.worths(after)
            if best is None:
                best = worths
            elif against is None or against == turn:
                if worths[turn] > best[turn]:
                    best = worths
            elif worths[against] < best[against]:
                best = worths
        assert best is not None
        self._known[key] = best
        return best

    def _end(self, need: Sequence[int]) -> Worths:
        return tuple(self._aims.worth(seat, need) for seat in range(len(need)))
