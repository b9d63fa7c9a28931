"""How beginners look at a board, and how players who are not sure choose.

A beginner sees a capture the worse the farther it reaches, looks one reply ahead, and plays what seems good enough.
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from p2p_stonehenge.bots.search import SURE, WIN, SearchPosition
from p2p_stonehenge.bots.thought import Thought

N = TypeVar("N")

SIGHT = 0.8
"""The chance to see a capture, for each space that it goes beyond the first."""
WARMTH = 25.0
"""How freely a beginner chooses, see `chosen`."""


def glance(
    position: SearchPosition[N],
    root: N,
    moves: Sequence[str],
    reach: Callable[[str], int],
    rng: Random,
    sight: float = SIGHT,
) -> list[Thought]:
    """Return the moves that a beginner considers, the one to be played first. `reach` tells how far a move goes."""

    def sees(move: str) -> bool:
        beyond = reach(move) - 1
        return beyond <= 0 or rng.random() < sight**beyond

    side = position.turn(root)
    captures = {*position.captures(root)}
    thoughts = []
    for move in moves:
        if move in captures and not sees(move):
            continue
        child = position.apply(root, move)
        result = position.result(child)
        keeps = position.turn(child) == side
        if result is not None:
            worth = result * WIN * (1 if keeps else -1)
        elif keeps:
            worth = position.worth(child)
        else:
            worth = -max(
                [position.worth(child), *(_reply(position, child, reply) for reply in _few(position, child, sees))]
            )
        thoughts.append(Thought(move, worth))
    rng.shuffle(thoughts)
    return chosen(thoughts or [Thought(move, 0) for move in moves], WARMTH, rng)


def _few(position: SearchPosition[N], node: N, sees: Callable[[str], bool]) -> list[str]:
    """Return the replies that are seen: captures, and a move that wins."""
    seen = [move for move in position.captures(node) if sees(move)]
    if (win := position.win(node, seen)) and win not in seen:
        seen.append(win)
    return seen


def _reply(position: SearchPosition[N], node: N, move: str) -> int:
    """Return what a reply is worth for the side that makes it, if nothing is taken back."""
    after = position.apply(node, move)
    result = position.result(after)
    keeps = position.turn(after) == position.turn(node)
    worth = position.worth(after) if result is None else result * WIN
    return worth if keeps else -worth


def chosen(thoughts: Sequence[Thought], warmth: float, rng: Random) -> list[Thought]:
    """Return candidates best first, but one of those that a weak level finds nearly as good as the best in front.

    One that is worse by `warmth` is played e times more seldom; without warmth, and where the best one wins by force or
    all lose, there is nothing to choose.
    """
    ranked = sorted(thoughts, key=lambda thought: -thought.worth)
    best = ranked[0].worth
    if not warmth or abs(best) >= SURE:
        return ranked
    near = [thought for thought in ranked if thought.worth > best - 6 * warmth]
    weights = [math.exp((thought.worth - best) / warmth) for thought in near]
    played = rng.choices(near, weights)[0]
    ranked.remove(played)
    return [played, *ranked]
