"""What the games share: who begins, resigning, agreed draws.

A game is a subclass of `HouseGame`, or of `engine.board_game.BoardGame` if it has neither dice nor cards, that fills in
the methods with an underscore. A game with hidden cards also overrides `view` and `complete`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Generic, TypeVar

from engine.codec import encode
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

RESIGNED = "resigned"
AGREED = "draw agreed"


def points_reached(goal: int) -> str:
    """Return the reason of an end that came as somebody had so many points."""
    return f"{goal} points reached"


WON = 1000
"""The worth of a won game: more than that of any position."""

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

    def teams(self, options: Mapping[str, OptionValue], seats: int) -> tuple[tuple[int, ...], ...]:
        return ()

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
