"""What the bot of a game must say, and what it may say.

The bot of a game is one object: the `BOT` of the module of this package that is named after the game's key. It must say
which candidates a seat has. All else it may leave out: then what stands here holds, mostly that this game has no such
thing. The bot of a game without a module is `greedy`, which leaves out all else.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, final, runtime_checkable

from engine import Game
from p2p_stonehenge.bots.search import DEEPEST
from p2p_stonehenge.bots.thought import Reason, Running, Thought, Weighed, always
from p2p_stonehenge.bots.threats import Threat

S = TypeVar("S")
"""A state of the game."""

ADVISER = 4
"""The level at which most bots give advice."""
AS_GOOD = 0.1
"""In the unit of the game: moves that differ by no more are a matter of style."""


class Unit(NamedTuple):
    """In what people count the worth of thoughts."""

    name: str
    """One of it: `disk`; "" where people do not count so."""
    size: float
    """The worth of one; 0 where people do not count so."""


@runtime_checkable
class Recalling(Protocol):
    """A game whose states can be told which positions have been before."""

    def recalled(self, state: Any, past: Sequence[Any]) -> Any:
        """Return a state that counts repetitions, with the positions of `past` as its history."""


class GameBot(ABC, Generic[S]):
    """How bots think about one game.

    A bot sees the view of one seat alone, counts its effort in nodes, playouts or candidates, and depends on nothing
    but its arguments, so that a seed replays a game. In all that follows

    * `view` is what `seat` knows of a state in which it is to act;
    * `level` is from 1, a learner, to 5, a master;
    * a worth is for `seat`, in thousandths or hundredths of what the game is about, as its bot says. From `search.SURE`
      on it is a win by force, and a loss from minus that down.
    """

    unit = Unit("", 0.0)
    """In what people count a worth. Where they do, `weigh` has to search: its depth 0 means that there was no time."""
    adviser = ADVISER
    """The level at which advice is given; with a unit at most 4, since some moves are weighed at the level above it."""
    room = 0
    """Rows of 80 columns that a hint takes at most, and with a unit `why`; 0 for as many as it takes."""
    hopeless: float | None = None
    """The worth at which a bot resigns against one rival; None for never."""
    has_styles = False
    """Whether the text of a move shows what a bot may like: capturing, building, dividing."""
    knows_threats = False
    """Whether `threat` can find one."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    # What a bot must say

    @abstractmethod
    def candidates(self, view: S, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        """Return the candidates of `seat`, which has at least two lawful actions, best first; at least one of them.

        Once `running` says no it is what has been found by then.
        """

    # What a bot may say about actions

    def weigh(
        self, view: S, seat: int, actions: Sequence[str], level: int, running: Running, depth: int = DEEPEST
    ) -> Weighed:
        """Return what some lawful actions are worth, all looked at equally far, at most `depth` plies.

        A bot that searches nothing looks at all candidates equally far in any case; other actions it leaves out.
        """
        thoughts = self.think(view, seat, level, Random(0), running)
        return Weighed(tuple(thought for thought in thoughts if thought.action in actions), 0)

    def explain(self, view: S, seat: int, thought: Thought, *, praised: bool = True) -> Reason:
        """Return why a candidate is worth what it is; nothing of what is to follow it in the same turn.

        Without `praised` it is told what the candidate does, but not what it is good for.
        """
        return thought.parts

    def estimate(self, view: S, seat: int, thought: Thought) -> float:
        """Return what a candidate is reckoned to be worth; what the bot acts on may be less, out of caution."""
        return thought.worth

    def same(self, view: S, one: Thought, other: Thought) -> bool:
        """Return whether two candidates come to the same, as both actions of a turn do in either order."""
        return {one.action, one.then} == {other.action, other.then}

    def outcome(self, view: S, seat: int, thought: Thought) -> str:
        """Return in a sentence what chance may bring after a candidate; "" for nothing."""
        return ""

    def threat(self, view: S, seat: int, action: str = "") -> Threat | None:
        """Return what a rival threatens now, or after an action that does not end the game; None for nothing."""
        return None

    def risk(self, view: S, seat: int, actions: Sequence[str]) -> Threat | None:
        """Return by what luck a rival may win at once after lawful actions of one turn, or what much it may take.

        None if others risk as much, or if it is unknown.
        """
        return None

    # What a bot may say about a worth

    @property
    def alike(self) -> float:
        """Return how much the worth of two candidates may differ that are as good as each other to people.

        It is not more than the margin within which searches know the worth of every candidate.
        """
        return AS_GOOD * self.unit.size

    def worth_told(self, view: S, worth: float) -> str:
        """Return in a sentence how the seat to act stands after a candidate of that worth; "" for nothing.

        It is asked where a unit does not tell: there is none, or the candidate wins or loses by force.
        """
        return ""

    def counted_worth(self, state: S, worth: float) -> str:
        """Return in words how much a worth is in a game without a unit. `state`: any state of the game."""
        return f"{worth:.1f}"

    def given_up(self, view: S) -> float | None:
        """Return what it is worth to resign where a bot would not; None if unknown."""
        return self.hopeless

    # What a bot may say about chance and hidden cards

    def fortune(self, before: S, action: str) -> Mapping[int, float]:
        """Return by seat how much worth an action of chance brings beside an average one; empty if unknown."""
        return {}

    def knows_hand(self, view: S, seat: int) -> bool:
        """Return whether a view shows all that `seat` held; that of a saved game may not."""
        return True

    # What follows from that

    @final
    def think(self, view: S, seat: int, level: int, rng: Random, running: Running = always) -> tuple[Thought, ...]:
        """Return the candidates of `seat`, best first.

        At level 0, and where only one action is lawful, it is one action, without a worth.
        """
        actions = self.game.legal(view, seat)
        if level == 0 or len(actions) == 1:
            return (Thought(rng.choice(actions), 0.0),)
        return self.candidates(view, seat, level, rng, running)

    @final
    def remembering(self, view: S, past: Sequence[S]) -> S:
        """Return a view that also knows which positions have been before, where that is worth knowing."""
        known: S = self.game.recalled(view, past) if isinstance(self.game, Recalling) else view
        return known
