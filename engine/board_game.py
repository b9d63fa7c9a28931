"""What the games without dice and cards share besides: repetition and the turn limit."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Self, TypeVar

from engine.codec import Value, encode
from engine.game import Action, Event, Over, Pending, Result
from engine.house import AGREED, FIRST, TURNS, HouseGame, first_draw
from engine.options import Option, OptionValue

REPETITION = Option("repetition", "off", ("off", 3), "3: a position for the 3rd time is a draw")
TURN_LIMIT = Option("turn_limit", "off", ("off",), "draws the game after so many actions", low=1, high=100_000)
OPTIONS = (FIRST, REPETITION, TURN_LIMIT)
"""The first options of every board game."""

REPEATED = "repetition"
LIMIT = "turn limit"

RECALLED = 1 << 30
"""In place of the option `repetition` in a state whose history is for bots only."""


class CountedRules(Protocol):
    """The options of a table, as its state holds them: those that end a game that goes on for too long."""

    @property
    def repetition(self) -> int:
        """Return after how many occurrences of a position the game is drawn; 0 for never."""

    @property
    def turn_limit(self) -> int:
        """Return after how many actions the game is drawn; 0 for never."""

    def _replace(self, *, repetition: int = ..., turn_limit: int = ...) -> Self: ...


class BoardState(Protocol):
    """The fields that the states of all board games have."""

    @property
    def to_move(self) -> int:
        """Return the seat to act; 0 until it is drawn who begins."""

    @property
    def actions(self) -> int:
        """Return how many actions of seats led here, resignations not counted."""

    @property
    def reason(self) -> str:
        """Return how the game ended; empty while it goes on."""

    @property
    def history(self) -> tuple[bytes, ...]:
        """Return the positions that may come again, as `position_hash` has them; empty if repetition is off."""

    @property
    def rules(self) -> CountedRules:
        """Return the options."""

    def _replace(
        self, *, to_move: int = ..., reason: str = ..., history: tuple[bytes, ...] = ..., rules: Any = ...
    ) -> Self: ...


P = TypeVar("P", bound=BoardState)


class BoardGame(HouseGame[P]):
    """A game without dice and cards. `P` is its state; its first options are `OPTIONS`."""

    finite_with: tuple[tuple[str, OptionValue], ...] = ((REPETITION.name, 3),)

    def _result(self, state: P) -> Result:
        """Return the result of a game that is over."""
        raise NotImplementedError

    def _repeatable(self, state: P) -> Value:
        """Return all of a state that can affect how play goes on: what repetition compares."""
        raise NotImplementedError

    def _tell_win(self, before: P, after: P, action: Action) -> str:
        """Return the sentence about an end that is no draw by agreement, repetition or turn limit."""
        raise NotImplementedError

    def pending(self, state: P) -> Pending:
        if state.reason:
            return Over(self._result(state))
        seat = state.to_move
        return TURNS[seat] if seat else first_draw(self.live(state))

    def _begin(self, state: P, seat: int) -> P:
        return self._with_new_history(state._replace(to_move=seat))

    def _draw(self, state: P) -> P:
        return state._replace(reason=AGREED)

    def bare(self, state: P) -> P:
        """Return a state without its history and limits, for bots: a search looks at each position by itself."""
        return state._replace(history=(), rules=state.rules._replace(repetition=0, turn_limit=0))

    def repeating(self, state: P, moves: Iterable[Action]) -> frozenset[Action]:
        """Return the moves to a position that has been before, for bots: it may come once more, and draw the game."""
        before = {*state.history}
        return frozenset(move for move in moves if before & {*self.apply(state, state.to_move, move).history[-1:]})

    def recalled(self, state: P, past: Iterable[P]) -> P:
        """Return a state that counts repetitions, though never enough for a draw, with `past` as its history: for bots.

        Without the option `repetition` a state does not know which positions have been before.
        """
        rules = state.rules._replace(repetition=RECALLED)
        return state._replace(rules=rules, history=tuple(position_hash(self._repeatable(one)) for one in past))

    def _with_new_history(self, state: P) -> P:
        """Return the state as the first one that can come again."""
        if not state.rules.repetition or not state.to_move:
            return state
        return state._replace(history=(position_hash(self._repeatable(state)),))

    def _counted(self, state: P) -> P:
        """Return the state after a move, added to its own history; drawn if it repeats or the limit is reached."""
        rules, reason, history = state.rules, state.reason, state.history
        if rules.repetition:
            position = position_hash(self._repeatable(state))
            history += (position,)
            if not reason and history.count(position) == rules.repetition:
                reason = REPEATED
        if state.actions == rules.turn_limit and not reason:
            reason = LIMIT
        return state._replace(reason=reason, history=history)

    def _tell_end(self, before: P, after: P, action: Action) -> Iterable[Event]:
        drawn = {
            AGREED: "The game is drawn by agreement.",
            REPEATED: "The game is drawn: this position has occurred three times.",
            LIMIT: f"The game is drawn: the limit of {after.actions} moves is reached.",
        }
        return (Event(drawn.get(after.reason) or self._tell_win(before, after, action)),)


def position_hash(position: Value) -> bytes:
    """Return the 16 bytes that stand for a position in the history that `repetition` needs."""
    return hashlib.blake2b(encode(position), digest_size=16).digest()


def limits(chosen: Mapping[str, OptionValue]) -> tuple[int, int]:
    """Return the options `repetition` and `turn_limit` as numbers, 0 for off."""
    repetition, limit = chosen["repetition"], chosen["turn_limit"]
    return 0 if repetition == "off" else int(repetition), 0 if limit == "off" else int(limit)
