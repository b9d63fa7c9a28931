"""What bots tell people: the best moves and why, and what is wrong with another one."""

from random import Random
from typing import Any

from engine import Game, Turn
from p2p_stonehenge.bots.players import alike, explain, think, told_standing, unit
from p2p_stonehenge.bots.search import SURE
from p2p_stonehenge.bots.thinking import Running, Thought

LEVEL = 4
"""The level at which bots give advice."""
SHOWN = 3
"""Moves that a hint names at most."""
CLOSE = 0.2
"""The part of `alike` within which a move is called as good where the worth has no unit that people count in."""
LIKE = 0.15
"""In the game's unit: less than this is not worth telling."""


def hint(game: Game[Any], view: Any, seat: int, running: Running) -> list[str]:
    """Return the best move of `seat`, which is to act, and those as good, a line each with the reason."""
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    if len(thoughts) == 1:
        return [f"Hint: {thoughts[0].action} is the only move."]
    best, *others = thoughts
    least, told = best.worth - alike(game), [{best.action, best.then}]
    near: list[Thought] = []
    for thought in others:
        if thought.worth >= least and {thought.action, thought.then} not in told and len(near) < SHOWN - 1:
            near.append(thought)
            told.append({thought.action, thought.then})
    standing = told_standing(game, view, best.worth) or _standing(game, best.worth)
    lines = [f"Hint: {_told(game, view, seat, best)}{f' {standing}' if standing else ''}"]
    return lines + [f"{_beside(game, best, thought)}: {_told(game, view, seat, thought)}" for thought in near]


def _beside(game: Game[Any], best: Thought, near: Thought) -> str:
    """Return what a move is beside the best one; where chance decides much, `alike` is wide."""
    return "As good" if unit(game)[1] or best.worth - near.worth <= CLOSE * alike(game) else "Nearly as good"


def why(game: Game[Any], view: Any, seat: int, action: str, running: Running) -> list[str]:
    """Return what `action` of `seat` does, the answer to it, and how much worse it is than the best one."""
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    best = thoughts[0]
    if best.action == action:
        return [f"{_told(game, view, seat, best)} A bot would play it too."]
    asked = next((thought for thought in thoughts if thought.action == action), Thought(action, 0.0))
    lines = [_told(game, view, seat, asked._replace(reason=explain(game, view, seat, asked), then=""))]
    after = game.apply(view, seat, action)
    due = game.pending(after)
    if isinstance(due, Turn) and due.seat != seat and game.complete(view, Random(0)) == view:
        answer = think(game, after, due.seat, LEVEL, Random(0), running)[0]
        lines.append(f"The answer may be {_told(game, after, due.seat, answer)}")
        if len(game.live(view)) == 2 and (worse := _worse(game, best, answer)):
            lines.append(worse)
    return [*lines, f"A bot would play {_told(game, view, seat, best)}"]


def _told(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return a move, what it does, and why, as sentences."""
    does = " ".join(event.text for event in game.story(view, seat, thought.action)[:1]).rstrip(".")
    because = f" It {thought.because}." if thought.because else ""
    return f"{thought.action}: {does}.{because}" if does else f"{thought.action}.{because}"


def _standing(game: Game[Any], worth: float) -> str:
    name, size = unit(game)
    if not size or abs(worth) >= SURE:
        return ""
    lead = round(worth / size, 1)
    if abs(lead) < 2 * LIKE:
        return "The game is level then."
    return f"You are about {abs(lead):g} {name}s {'ahead' if lead > 0 else 'behind'} then."


def _worse(game: Game[Any], best: Thought, answer: Thought) -> str:
    """Return how much worse than the best move of one side is the move to which the other side's `answer` is best."""
    name, size = unit(game)
    loss = best.worth + answer.worth
    if not size or loss / size < LIKE:
        return ""
    if answer.worth >= SURE:
        return f"That loses by force; {best.action} does not." if best.worth > -SURE else ""
    if best.worth >= SURE:
        return f"That gives a win away: {best.action} wins by force."
    return f"That is about {round(loss / size, 1):g} {name}s worse than {best.action}."
