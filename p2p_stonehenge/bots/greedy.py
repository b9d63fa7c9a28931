"""The way of thinking about a game that has none of its own: what looks best after one reply."""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine import Game, Turn
from p2p_stonehenge.bots.thought import Thought

REPLIES = 60
"""Replies looked at for each action."""


def think(game: Game[Any], view: Any, seat: int, rng: Random) -> tuple[Thought, ...]:
    """Return all actions, best first by the game's own `worth` after the reply that hurts most; alike ones shuffled."""
    world = game.complete(view, rng)
    actions = game.legal(view, seat)
    thoughts = [Thought(action, _outlook(game, game.apply(world, seat, action), seat, rng)) for action in actions]
    rng.shuffle(thoughts)
    return tuple(sorted(thoughts, key=lambda thought: -thought.worth))


def _outlook(game: Game[Any], state: Any, seat: int, rng: Random) -> int:
    """Return what a state is worth for `seat` after the reply that hurts it most."""
    due = game.pending(state)
    if not isinstance(due, Turn) or due.seat == seat:
        return game.worth(state, seat)
    replies: Sequence[str] = game.legal(state, due.seat)
    if len(replies) > REPLIES:
        replies = rng.sample(list(replies), REPLIES)
    return min(game.worth(game.apply(state, due.seat, reply), seat) for reply in replies)
