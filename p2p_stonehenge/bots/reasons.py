"""Why a move is good or bad, in a few words for a player."""

from collections.abc import Sequence
from typing import TypeVar

from engine import listed
from p2p_stonehenge.bots.search import SURE, UNSEEN, WIN, Position, winning
from p2p_stonehenge.bots.thought import Thought

N = TypeVar("N")

BETTER = 8
"""In hundredths of a disk or piece: less than this is no reason for a move."""
EXPLAINED = 3
"""Candidates that get a reason."""


def explained(position: Position[N], root: N, thoughts: Sequence[Thought]) -> list[Thought]:
    """Return the thoughts of a search, the first of them with reasons."""
    saves = len(thoughts) > 1 and thoughts[-1].worth > UNSEEN and thoughts[1].worth <= -SURE < thoughts[0].worth
    first = [
        thought._replace(reason=reason(position, root, thought, only=saves and not number))
        for number, thought in enumerate(thoughts[:EXPLAINED])
    ]
    return [*first, *thoughts[EXPLAINED:]]


def reason(position: Position[N], root: N, thought: Thought, *, only: bool = False) -> str:
    """Return why a move of the side that moves at `root` is worth what it is; `only`: all others lose."""
    plies = WIN - abs(int(thought.worth))
    if thought.worth >= SURE:
        return "wins at once" if plies <= 1 else f"wins by force within {(plies + 1) // 2} turns"
    if UNSEEN < thought.worth <= -SURE:
        return "loses at once" if plies <= 2 else f"loses by force within {(plies + 1) // 2} turns"
    child, passed = position.apply(root, thought.action), position.passed(root)
    found = ["is the only move that does not lose"] if only else []
    if remark := position.remark(root, child):
        found.append(remark)
    again = position.turn(child) == position.turn(root)
    if again:
        found.append("moves again")
    if not again and not only and winning(position, passed) and not winning(position, child):
        found.append(f"meets the threat of {position.others} to win at once")
    elif not again and position.captures(passed) and not position.captures(child):
        found.append(f"leaves {position.others} nothing to capture")
    if not again and winning(position, position.passed(child)):
        found.append("threatens to win at once")
    gain = -position.worth(child) - position.worth(root)
    if not found and not again and gain >= BETTER:
        found.append("improves the position")  # by how much the search knows better: see the worth
    return listed(found)
