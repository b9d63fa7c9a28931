"""How a bot of some level thinks about any game: by the module of this package named after it, else one reply ahead."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from engine import Game
from p2p_stonehenge.bots import greedy
from p2p_stonehenge.bots.search import DEEPEST
from p2p_stonehenge.bots.thought import Running, Thought, Weighed, always
from p2p_stonehenge.bots.threats import Threat

ADVISER = 4
"""The level at which advice is given, where the game's bot names no other."""
AS_GOOD = 0.1
"""In the game's unit: moves that differ by no more are a matter of style."""


@runtime_checkable
class Recalling(Protocol):
    """A game whose states can be told which positions have been before."""

    def recalled(self, state: Any, past: Sequence[Any]) -> Any:
        """Return a state that counts repetitions, with the positions of `past` as its history."""


def choose(game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always) -> str:
    """Return the action that a bot of this level plays for `seat`, seeing only its `view`."""
    return think(game, view, seat, level, rng, running)[0].action


def think(
    game: Game[Any], view: Any, seat: int, level: int, rng: Random, running: Running = always
) -> tuple[Thought, ...]:
    """Return the candidates of `seat`, which is to act, best first as a bot of this level sees them.

    A game without a module of its own in this package is looked at one reply ahead.
    """
    actions = game.legal(view, seat)
    if level == 0 or len(actions) == 1:
        return (Thought(rng.choice(actions), 0.0),)
    module = _module(game.key)
    if module is None:
        return greedy.think(game, view, seat, rng)
    thoughts: tuple[Thought, ...] = module.think(view, seat, level, rng, running)
    return thoughts


def weigh(
    game: Game[Any],
    view: Any,
    seat: int,
    actions: Sequence[str],
    level: int,
    running: Running = always,
    depth: int = DEEPEST,
) -> Weighed:
    """Return what actions of `seat` are worth to a bot of this level, all looked at equally far, at most `depth` plies.

    Where the game's bot searches nothing, its candidates are weighed so in any case, and others are left out.
    """
    module = _module(game.key)
    if module is not None and hasattr(module, "weigh"):
        found: Weighed = module.weigh(view, seat, actions, level, running, depth)
        return found
    thoughts = think(game, view, seat, level, Random(0), running)
    return Weighed(tuple(thought for thought in thoughts if thought.action in actions), 0)


def explain(game: Game[Any], view: Any, seat: int, thought: Thought, *, praised: bool = True) -> str:
    """Return why a candidate of `seat` is worth what it is, in words that go on from "it"; empty if unknown.

    Without `praised` it is told what the candidate does, but not what it is good for.
    """
    module = _module(game.key)
    if module is not None and hasattr(module, "explain"):
        told: str = module.explain(view, seat, thought, praised)
        return told
    return thought.because


def knows_threats(game: Game[Any]) -> bool:
    """Return whether bots can say what is threatened in a game."""
    return hasattr(_module(game.key), "threat")


def threat(game: Game[Any], view: Any, seat: int, action: str = "") -> Threat | None:
    """Return what a rival of `seat`, which is to act, threatens now, or after an action that does not end the game.

    None for nothing, or if it is unknown.
    """
    look: Callable[[Any, int, str], Threat | None] | None = getattr(_module(game.key), "threat", None)
    return look(view, seat, action) if look else None


def risk(game: Game[Any], view: Any, seat: int, actions: Sequence[str]) -> Threat | None:
    """Return by what luck a rival may win at once after lawful `actions` of one turn of `seat`.

    None where others risk as much, or if it is unknown.
    """
    look: Callable[[Any, int, Sequence[str]], Threat | None] | None = getattr(_module(game.key), "risk", None)
    return look(view, seat, actions) if look else None


def adviser(game: Game[Any]) -> int:
    """Return the level at which advice is given: strong, or a better one where that is as quick."""
    level: int = getattr(_module(game.key), "ADVISER", ADVISER)
    return level


def alike(game: Game[Any]) -> float:
    """Return how much the worth of two candidates may differ that are as good as each other to people.

    Not more than the margin within which searches know the worth of every candidate.
    """
    _, size = unit(game)
    return AS_GOOD * size if size else float(getattr(_module(game.key), "ALIKE", 0.0))


def same(game: Game[Any], view: Any, one: Thought, other: Thought) -> bool:
    """Return whether two candidates come to the same: both actions in either order, or where the game's bot says so."""
    told: Callable[[Any, Thought, Thought], bool] | None = getattr(_module(game.key), "same", None)
    return {one.action, one.then} == {other.action, other.then} or (told is not None and told(view, one, other))


def estimate(game: Game[Any], view: Any, seat: int, thought: Thought) -> float:
    """Return what a bot reckons a candidate of `seat` to be worth; what it acts on may be less, out of caution."""
    found: Callable[[Any, int, Thought], float] | None = getattr(_module(game.key), "estimate", None)
    return found(view, seat, thought) if found else thought.worth


def told_standing(game: Game[Any], view: Any, worth: float) -> str:
    """Return in a sentence how the seat to act stands after a candidate of that worth, where the game's bot says so."""
    told: Callable[[Any, float], str] | None = getattr(_module(game.key), "standing", None)
    return told(view, worth) if told else ""


def told_worth(game: Game[Any], state: Any, worth: float) -> str:
    """Return how much a worth is in a game that has no unit; a bot that does not say so counts in no named one."""
    told: Callable[[Any, float], str] | None = getattr(_module(game.key), "counted_worth", None)
    return told(state, worth) if told else f"{worth:.1f}"


def fortune(game: Game[Any], before: Any, action: str) -> Mapping[int, float]:
    """Return by seat how much an action of chance helps or harms; empty if no bot can say."""
    look: Callable[[Any, str], Mapping[int, float]] | None = getattr(_module(game.key), "fortune", None)
    return look(before, action) if look else {}


def knows_hand(game: Game[Any], view: Any, seat: int) -> bool:
    """Return whether a view shows all that `seat` held; that of a saved game may not."""
    look: Callable[[Any, int], bool] | None = getattr(_module(game.key), "knows_hand", None)
    return look(view, seat) if look else True


def told_outcome(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return in a sentence what chance may bring after a candidate of `seat`, where the game's bot says so."""
    told: Callable[[Any, int, Thought], str] | None = getattr(_module(game.key), "outcome", None)
    return told(view, seat, thought) if told else ""


def hopeless(game: Game[Any]) -> float | None:
    """Return the worth, in the unit of the game's thoughts, at which a bot gives a game up; None for never."""
    margin: float | None = getattr(_module(game.key), "HOPELESS", None)
    return margin


def given_up(game: Game[Any], view: Any) -> float | None:
    """Return what it is worth to give a game up that need not be: as much as where a bot would; None if unknown."""
    look: Callable[[Any], float] | None = getattr(_module(game.key), "given_up", None)
    return look(view) if look else hopeless(game)


def unit(game: Game[Any]) -> tuple[str, float]:
    """Return in what people count the worth of thoughts about a game, and how much that is; 0 where they do not."""
    found: tuple[str, float] = getattr(_module(game.key), "UNIT", ("", 0.0))
    return found


def has_styles(game: Game[Any]) -> bool:
    """Return whether the text of a move shows what a bot of this game likes: capturing, building, dividing."""
    return bool(getattr(_module(game.key), "STYLES", False))


def remembering(game: Game[Any], view: Any, past: Sequence[Any]) -> Any:
    """Return a view that also knows which positions have been before, where that is worth knowing."""
    return game.recalled(view, past) if isinstance(game, Recalling) else view


@cache
def _module(key: str) -> ModuleType | None:
    """Return the module of this package that is named after a game, if there is one."""
    name = f"{__package__}.{key.replace('-', '_')}"
    return None if find_spec(name) is None else import_module(name)
