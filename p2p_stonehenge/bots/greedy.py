"""The bot of a game that has none of its own: it plays what looks best after one reply."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engine import Turn
from p2p_stonehenge.bots.game_bot import GameBot
from p2p_stonehenge.bots.thought import Running, Thought

S = TypeVar("S")

REPLIES = 60
"""Replies looked at for each action."""


class Greedy(GameBot[S]):
    """The bot of any game, the same at each level. The worth of its thoughts is what the game says of a state."""

    def candidates(self, view: S, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        """Return all actions, best first by the game's `worth` after the reply that hurts most; equal ones shuffled."""
        world = self.game.complete(view, rng)
        actions = self.game.legal(view, seat)
        thoughts = [
            Thought(action, self._outlook(self.game.apply(world, seat, action), seat, rng)) for action in actions
        ]
        rng.shuffle(thoughts)
        return tuple(sorted(thoughts, key=lambda thought: -thought.worth))

    def _outlook(self, state: S, seat: int, rng: Random) -> int:
        """Return what a state is worth for `seat` after the reply that hurts it most."""
        game = self.game
        due = game.pending(state)
        if not isinstance(due, Turn) or due.seat == seat:
            return game.worth(state, seat)
        replies: Sequence[str] = game.legal(state, due.seat)
        if len(replies) > REPLIES:
            replies = rng.sample(list(replies), REPLIES)
        return min(game.worth(game.apply(state, due.seat, reply), seat) for reply in replies)
