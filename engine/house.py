"""What all games share: who begins, resigning, agreeing a draw, repetition and the turn limit.

A `HouseGame` has no secrets; a game with hidden cards overrides `view` and `complete`.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Generic, TypeVar

from engine.codec import Value, encode
from engine.game import CHANCE, Action, Chance, Dice, NotationError, Over, Pending, Pick, Refusal, Turn
from engine.options import SEATS, Option, OptionValue, resolve

if TYPE_CHECKING:
    from random import Random

S = TypeVar("S")

FIRST = Option("first", "random", ("random",), "the seat that begins", low=1, high=SEATS)
REPETITION = Option("repetition", "off", ("off", 3), "3: a position that occurs for the 3rd time draws the game")
TURN_LIMIT = Option("turn_limit", "off", ("off",), "draws the game after so many actions", low=1, high=100_000)
OPTIONS = (FIRST, REPETITION, TURN_LIMIT)
"""Those that the games without dice and cards begin with."""

RESIGNED = "resigned"
AGREED = "draw agreed"
REPEATED = "repetition"
LIMIT = "turn limit"

WON = 1000
"""What a won game is worth, more than any position."""


class HouseGame(Generic[S]):
    """The parts of `Game` that every game writes the same way. `S` is the game's state."""

    key: str
    title: str
    version: int
    seats: range
    options: tuple[Option, ...]
    colours: tuple[str, ...]
    draws: bool = True
    """Whether seats may agree a draw."""
    notation: str = "type `moves` for what is possible"
    """What to say to text that is no action."""

    def pending(self, state: S) -> Pending:
        raise NotImplementedError

    def live(self, state: S) -> tuple[int, ...]:
        raise NotImplementedError

    def _moves(self, state: S) -> Sequence[Action]:
        """What the seat to act may do."""
        raise NotImplementedError

    def _lawful(self, state: S, action: Action) -> bool:
        """Whether `action` is among `_moves`."""
        return action in self._moves(state)

    def _explain(self, state: S, seat: int, action: Action) -> Refusal:
        """Why `action`, which is not among `_moves`, is not possible for the seat to act."""
        raise NotImplementedError

    def _read(self, state: S, text: str) -> Action | None:
        """The canonical action of the game itself that the (lower-case, stripped) text names, or None."""
        raise NotImplementedError

    def resolve(self, options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
        """Return all options that apply, with canonical values. Raises OptionError."""
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
        if isinstance(due, Over):
            return Refusal("over", "end", "The game is over.")
        if action == "resign":
            if actor in self.live(state):
                return None
            return Refusal("not-playing", "end", "Only a seat that is still playing can resign.")
        if action == "draw":
            if actor == CHANCE and self.draws:
                return None
            return Refusal("no-draw", "end", "A draw is agreed by all seats together, not played as a move.")
        if isinstance(due, Chance):
            if actor != CHANCE:
                return Refusal("chance", "turn", "First a value is drawn; then it is somebody's turn.")
            if action in outcomes(due):
                return None
            return Refusal("chance", "turn", "That is not a value that can be drawn here.")
        if actor != due.seat:
            return Refusal("turn", "turn", f"It is {self.colours[due.seat - 1]}'s turn.")
        if self._lawful(state, action):
            return None
        return self._explain(state, actor, action)

    def revokes(self, state: S, actor: int, action: Action) -> tuple[tuple[int, Action, str], ...]:
        return ()

    def audit(self, state: S, seat: int, hand: Sequence[Action]) -> tuple[tuple[int, Action, str], ...]:
        return ()

    def view(self, state: S, viewer: int) -> S:
        return state

    def complete(self, view: S, rng: "Random") -> S:
        return view

    def parse(self, state: S, text: str) -> Action:
        if len(text) > 500:
            raise NotationError("that is too long for a move")
        words = text.strip().lower()
        if words in ("resign", "draw"):
            return words
        if match := re.fullmatch(r"first\s*([1-9])", words):
            return f"first {match[1]}"
        action = self._read(state, words)
        if action is None:
            shown = "".join(c if c.isprintable() else "?" for c in text.strip()[:40])
            raise NotationError(f"{shown!r} is not a move: {self.notation}")
        return action

    def worth(self, state: S, seat: int) -> int:
        return 0

    def pack(self, state: S) -> bytes:
        return encode(state)  # type: ignore[arg-type]


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


def position_hash(position: Value) -> bytes:
    """Return 16 bytes that stand for a position in the history that `repetition` needs."""
    return hashlib.blake2b(encode(position), digest_size=16).digest()


def limits(chosen: Mapping[str, OptionValue]) -> tuple[int, int]:
    """Return the options `repetition` and `turn_limit` as numbers, 0 for off."""
    repetition, limit = chosen["repetition"], chosen["turn_limit"]
    return 0 if repetition == "off" else int(repetition), 0 if limit == "off" else int(limit)


def tell_draw(reason: str, actions: int) -> str:
    """Return in words that a game is drawn for one of the reasons that games share; empty for any other reason."""
    return {
        AGREED: "The game is drawn by agreement.",
        REPEATED: "The game is drawn: this position has occurred three times.",
        LIMIT: f"The game is drawn: the limit of {actions} moves is reached.",
    }.get(reason, "")


def next_seat(live: Sequence[int], seat: int) -> int:
    """Return the next seat still playing, clockwise after `seat`."""
    return next((s for s in live if s > seat), live[0])
