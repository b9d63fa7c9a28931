"""What the games share: who begins, resigning, agreed draws; in board games also repetition and the turn limit.

A game is a subclass of `HouseGame`, or of `BoardGame` if it has neither dice nor cards, that fills in the methods with
an underscore. A game with hidden cards also overrides `view` and `complete`.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from engine.codec import Value, encode
from engine.game import (
    CHANCE,
    MOST_SEATS,
    TYPED,
    Action,
    Chance,
    Dice,
    Event,
    NotationError,
    Over,
    Pending,
    Pick,
    Refusal,
    Resignation,
    Result,
    Revoke,
    Turn,
)
from engine.options import SEATS, Option, OptionValue, resolve

if TYPE_CHECKING:
    from random import Random

S = TypeVar("S")

FIRST = Option("first", "random", ("random",), "the seat that begins", low=1, high=SEATS)
REPETITION = Option("repetition", "off", ("off", 3), "3: a position for the 3rd time is a draw")
TURN_LIMIT = Option("turn_limit", "off", ("off",), "draws the game after so many actions", low=1, high=100_000)
OPTIONS = (FIRST, REPETITION, TURN_LIMIT)
"""The first options of every board game."""

RESIGNED = "resigned"
AGREED = "draw agreed"
REPEATED = "repetition"
LIMIT = "turn limit"


def points_reached(goal: int) -> str:
    """Return the reason of an end that came as somebody had so many points."""
    return f"{goal} points reached"


WON = 1000
"""The worth of a won game: more than that of any position."""

RECALLED = 1 << 30
"""In place of the option `repetition` in a state whose history is for bots only."""

LONGEST_TYPED = 500
"""Characters of a typed move; the longest deal has 259."""
LONGEST_EXPLAINED = 100
"""Characters of an action that is read to explain why it is refused; a longer one is not even parsed."""

TURNS = tuple(map(Turn, range(MOST_SEATS + 1)))
"""The `Turn` of each seat, made once."""


class HouseGame(Generic[S]):
    """The parts of `Game` that every game writes the same way. `S` is the game's state."""

    key: str
    title: str
    version: int
    seats: range
    options: tuple[Option, ...]
    colours: tuple[str, ...]
    suits: tuple[str, ...] = ()
    draws: bool = True
    why_no_draw: str = "This game cannot be drawn."
    """Why a draw is refused where `draws` is false."""
    stakes: bool = False
    goal: int = 0
    finite_with: tuple[tuple[str, OptionValue], ...] = ()
    notation: str
    """The hint for text that is no action, without a full stop."""

    # What a game fills in.

    def pending(self, state: S) -> Pending:
        raise NotImplementedError

    def live(self, state: S) -> tuple[int, ...]:
        raise NotImplementedError

    def _moves(self, state: S) -> Sequence[Action]:
        """Return what the seat to act may do."""
        raise NotImplementedError

    def _read(self, state: S, text: str) -> Action | None:
        """Return the action that `text` (stripped, lower case) names in the game's own notation, or None."""
        raise NotImplementedError

    def _how(self, state: S, text: str) -> str:
        """Return the hint for `text` (stripped, lower case), which is no action: a place that the board has not, or how
        actions of this state are written, as `notation` is one for all."""
        return self.notation

    def _why_not(self, state: S, seat: int, action: Action) -> Refusal:
        """Return why `seat`, which is to act, may not do `action`: canonical, but not among `_moves`."""
        raise NotImplementedError

    def _begin(self, state: S, seat: int) -> S:
        """Return the state in which `seat` has been drawn to begin."""
        raise NotImplementedError

    def _resign(self, state: S, seat: int) -> S:
        """Return the state in which `seat` has resigned."""
        raise NotImplementedError

    def _draw(self, state: S) -> S:
        """Return the state in which all have agreed to a draw."""
        raise NotImplementedError

    def _tell(self, before: S, after: S, actor: int, action: Action) -> Iterable[Event]:
        """Return the story of an action of the game itself that led from `before` to `after`."""
        raise NotImplementedError

    def _tell_begin(self, seat: int) -> Iterable[Event]:
        """Return the story of the draw of `seat` to begin."""
        return (Event(f"{self.colours[seat - 1]} begins."),)

    def _tell_resignation(self, before: S, after: S, seat: int, does: str) -> Iterable[Event]:
        """Return the story of a resignation, without the end of the game; `does` tells it, without a full stop."""
        return (Event(f"{does}."),)

    def _tell_end(self, before: S, after: S, action: Action) -> Iterable[Event]:
        """Return the story of the end that `action` brought about."""
        raise NotImplementedError

    def _tell_end_by_resignation(self, before: S, after: S, did: str) -> Iterable[Event]:
        """Return the story of the end that a resignation brought about; `did` tells it, without a full stop."""
        return self._tell_end(before, after, "resign")

    # What follows from it.

    def is_team(self, options: Mapping[str, OptionValue]) -> bool:
        return False

    def resolve(self, options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
        """Return every option that applies with its canonical value. Raises OptionError; ValueError for `seats`."""
        if seats not in self.seats:
            raise ValueError(f"{self.title} is for {self.seats[0]}-{self.seats[-1]} players")
        return resolve(self.options, options, seats)

    def legal(self, state: S, actor: int) -> Sequence[Action]:
        due = self.pending(state)
        if isinstance(due, Turn):
            return self._moves(state) if due.seat == actor else ()
        if isinstance(due, Chance) and actor == CHANCE:
            return outcomes(due)
        return ()

    def refuse(self, state: S, actor: int, action: Action) -> Refusal | None:
        due = self.pending(state)
        if isinstance(due, Turn) and due.seat == actor and self._lawful(state, action):
            return None  # as nearly always; neither `resign` nor `draw` is among the moves
        if isinstance(due, Over):
            return Refusal("over", "end", "The game is over.")
        if action == "resign":
            if actor in self.live(state):
                return None
            return Refusal("not-playing", "end", "Only a seat that is still playing can resign.")
        if action == "draw":
            if actor == CHANCE and self.draws:
                return None
            agreed = "A draw is agreed by all seats together, not played as a move."
            return Refusal("no-draw", "end", agreed if self.draws else self.why_no_draw)
        if isinstance(due, Chance):
            if actor != CHANCE:
                return Refusal("chance", "turn", "First a value is drawn; then it is somebody's turn.")
            if action in outcomes(due):
                return None
            return Refusal("chance", "turn", "That is not a value that can be drawn here.")
        if actor != due.seat:
            return Refusal("turn", "turn", f"It is {self.colours[due.seat - 1]}'s turn.")
        return self._explain(state, actor, action)

    def _lawful(self, state: S, action: Action) -> bool:
        """Return whether `action` is among `_moves`."""
        return action in self._moves(state)

    def _explain(self, state: S, seat: int, action: Action) -> Refusal:
        """Return why `seat`, which is to act, may not do `action`."""
        words = action.strip().lower() if len(action) <= LONGEST_EXPLAINED else ""
        canonical = self._read(state, words)
        if canonical is None:
            return Refusal("notation", "notation", f"That is no move: {self._how(state, words)}.")
        if canonical != action and canonical in self._moves(state):
            return Refusal("notation", "notation", f"Write this move {canonical}.")
        return self._why_not(state, seat, canonical)

    def apply(self, state: S, actor: int, action: Action) -> S:
        # The actions that all games have. A game overrides this for its own, and hands over the others.
        if action == "resign":
            return self._resign(state, actor)
        if action == "draw":
            return self._draw(state)
        return self._begin(state, int(action.removeprefix("first ")))

    def revokes(self, state: S, actor: int, action: Action) -> tuple[Revoke, ...]:
        return ()

    def audit(self, state: S, seat: int, hand: Sequence[Action]) -> tuple[Revoke, ...]:
        return ()

    def view(self, state: S, viewer: int) -> S:
        return state

    def complete(self, view: S, rng: "Random") -> S:
        return view

    def parse(self, state: S, text: str) -> Action:
        if len(text) > LONGEST_TYPED:
            raise NotationError("that is too long for a move")
        words = text.strip().lower()
        if words in ("resign", "draw"):
            return words
        if match := re.fullmatch(r"first\s*([1-9])", words):
            return f"first {match[1]}"
        action = self._read(state, words)
        if action is None:
            shown = "".join(c if c.isprintable() else "?" for c in text.strip()[:40])
            raise NotationError(f"{shown!r} is not a move: {self._how(state, words)}")
        return action

    def worth(self, state: S, seat: int) -> int:
        return 0

    def pack(self, state: S) -> bytes:
        return encode(state)  # type: ignore[arg-type]

    def story(self, before: S, actor: int, action: Action, resignation: Resignation = TYPED) -> tuple[Event, ...]:
        after = self.apply(before, actor, action)
        is_over = isinstance(self.pending(after), Over)
        if action == "resign":
            does, did = (words.format(self.colours[actor - 1]) for words in resignation)
            end = self._tell_end_by_resignation(before, after, did) if is_over else ()
            return (*self._tell_resignation(before, after, actor, does), *end)
        told: Iterable[Event] = ()
        if action.startswith("first "):
            told = self._tell_begin(int(action.removeprefix("first ")))
        elif action != "draw":
            told = self._tell(before, after, actor, action)
        if is_over:
            return (*told, *self._tell_end(before, after, action))
        return tuple(told)


# Board games


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


# Parts

build = tuple.__new__
"""`build(State, fields)` makes a NamedTuple in half the time of `State(*fields)` (`scripts/bench.py layouts`)."""

NOTHING = ()
"""`state + NOTHING` is a NamedTuple as a plain tuple, whose fields are unpacked in two thirds of the time."""


def outcomes(due: Chance) -> tuple[Action, ...]:
    """Return all outcomes of a pick or of dice in a fixed order; () for a deal."""
    draw = due.draw
    if isinstance(draw, Pick):
        return draw.outcomes
    return _rolls(draw.number, draw.sides) if isinstance(draw, Dice) else ()


@cache
def _rolls(number: int, sides: int) -> tuple[Action, ...]:
    faces = [str(face) for face in range(1, sides + 1)]
    return tuple("-".join(roll) for roll in product(faces, repeat=number))


def first_draw(live: Sequence[int]) -> Chance:
    """Return the draw of who begins among the seats still playing."""
    return Chance(Pick(tuple(f"first {seat}" for seat in live)))


@cache
def next_seat(live: tuple[int, ...] | bytes, seat: int) -> int:
    """Return the next seat still playing, clockwise after `seat`.

    >>> next_seat((1, 2, 4), 2), next_seat((1, 2, 4), 3), next_seat((1, 2, 4), 4)
    (4, 4, 1)
    """
    return next((s for s in live if s > seat), live[0])


def one_point_each(winners: tuple[int, ...], seats: int, reason: str) -> Result:
    """Return the result of a game in which every winner has one point and nobody else has any."""
    return Result(winners, tuple(int(seat in winners) for seat in range(1, seats + 1)), reason)


def position_hash(position: Value) -> bytes:
    """Return the 16 bytes that stand for a position in the history that `repetition` needs."""
    return hashlib.blake2b(encode(position), digest_size=16).digest()


def limits(chosen: Mapping[str, OptionValue]) -> tuple[int, int]:
    """Return the options `repetition` and `turn_limit` as numbers, 0 for off."""
    repetition, limit = chosen["repetition"], chosen["turn_limit"]
    return 0 if repetition == "off" else int(repetition), 0 if limit == "off" else int(limit)


def counted(number: int, thing: str) -> str:
    """Return how many of a thing there are, in words.

    >>> counted(1, "action"), counted(12, "action")
    ('1 action', '12 actions')
    """
    return f"{number} {thing}{'s' * (number != 1)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words, empty for none.

    >>> listed(["A2", "B3", "C4"]), listed(["A2", "B3"]), listed(["A2"]), listed([])
    ('A2, B3 and C4', 'A2 and B3', 'A2', '')
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
