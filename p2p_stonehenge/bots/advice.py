"""What bots tell people: the best moves and why, and what is wrong with another one."""

from random import Random
from typing import Any

from engine import Game, Turn
from p2p_stonehenge.bots.players import think, unit
from p2p_stonehenge.bots.search import SURE
from p2p_stonehenge.bots.thinking import Running, Thought

LEVEL = 4
"""The level at which bots give advice."""
SHOWN = 3
"""Moves that a hint names."""
LIKE = 0.15
"""In the game's unit: moves that differ by less are as good as each other."""


def hint(game: Game[Any], view: Any, seat: int, running: Running) -> list[str]:
    """Return the best moves of `seat`, which is to act, a line each with the reason."""
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    if len(thoughts) == 1:
        return [f"Hint: {thoughts[0].action} is the only move."]
    best = thoughts[0]
    near = [
        thought for thought in thoughts[1:SHOWN] if thought.reason or _lead(game, best.worth - thought.worth) < LIKE
    ]
    standing = _standing(game, best.worth)
    lines = [f"Hint: {_told(game, view, seat, best)}{f' {standing}' if standing else ''}"]
    return lines + [f"Or {_told(game, view, seat, thought)}" for thought in near]


def why(game: Game[Any], view: Any, seat: int, action: str, running: Running) -> list[str]:
    """Return what `action`, which `seat` might play, is worth beside the best one, and the answer to it."""
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    best = thoughts[0]
    if best.action == action:
        return [f"{_told(game, view, seat, best)} A bot would play it too."]
    lines = []
    after = game.apply(view, seat, action)
    due = game.pending(after)
    if isinstance(due, Turn) and due.seat != seat and game.complete(view, Random(0)) == view:
        answer = think(game, after, due.seat, LEVEL, Random(0), running)[0]
        lines.append(f"The answer to {action} may be {_told(game, after, due.seat, answer)}")
        if len(game.live(view)) == 2 and (worse := _worse(game, best.worth + answer.worth)):
            lines.append(f"That is {worse} than {best.action}.")
    return [*lines, f"A bot would play {_told(game, view, seat, best)}"]


def _told(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return a move, what it does, and why, as a sentence."""
    does = " ".join(event.text for event in game.story(view, seat, thought.action)[:1]).rstrip(".")
    because = f" It {_clause(thought.reason)}." if thought.reason else ""
    return f"{thought.action}: {does}.{because}" if does else f"{thought.action}.{because}"


def _clause(reason: str) -> str:
    first, *rest = reason.split(", ")
    if first.startswith("the only"):
        first = f"is {first}"
    return ", ".join((first, *rest))


def _lead(game: Game[Any], worth: float) -> float:
    """Return a worth in the unit of the game, as people count."""
    _, size = unit(game)
    return worth / size if size else worth


def _standing(game: Game[Any], worth: float) -> str:
    name, size = unit(game)
    if not size or abs(worth) >= SURE:
        return ""
    lead = round(worth / size, 1)
    if abs(lead) < 2 * LIKE:
        return "The game is level then."
    return f"You are about {abs(lead):g} {name}s {'ahead' if lead > 0 else 'behind'} then."


def _worse(game: Game[Any], loss: float) -> str:
    name, size = unit(game)
    if not size or loss / size < LIKE:
        return ""
    return "a lost game worse" if loss >= SURE else f"about {round(loss / size, 1):g} {name}s worse"
