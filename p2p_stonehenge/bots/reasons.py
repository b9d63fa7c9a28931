"""Why a move is good or bad, in a few words for a player."""

from collections.abc import Sequence
from typing import TypeVar

from engine import counted
from p2p_stonehenge.bots.search import SURE, UNSEEN, WIN, SearchPosition, winning
from p2p_stonehenge.bots.thought import Kind, Part, Reason, Thought

N = TypeVar("N")

BETTER = 8
"""In hundredths of a disk or piece: less than this is no reason for a move."""
EXPLAINED = 3
"""Candidates that get a reason."""
LOST_AT_ONCE = 2 - WIN
"""The worth of a move after which the others win with their next one; a loss further off is worth more."""


def explained(position: SearchPosition[N], root: N, thoughts: Sequence[Thought]) -> list[Thought]:
    """Return the thoughts of a search, the first of them with reasons."""
    lost = -SURE if position.forces else LOST_AT_ONCE
    saves = len(thoughts) > 1 and thoughts[-1].worth > UNSEEN and thoughts[1].worth <= lost < thoughts[0].worth
    first = [
        thought._replace(parts=reason(position, root, thought, only=saves and not number))
        for number, thought in enumerate(thoughts[:EXPLAINED])
    ]
    return [*first, *thoughts[EXPLAINED:]]


def reason(
    position: SearchPosition[N], root: N, thought: Thought, *, only: bool = False, praised: bool = True
) -> Reason:
    """Return why a move of the side that moves at `root` is worth what it is.

    `only`: all others lose. Without `praised` it is told what the move does, but not what it is good for.
    """
    if thought.worth >= SURE:
        return (_wins(WIN - int(thought.worth), position.forces),)
    if UNSEEN < thought.worth <= -SURE:
        return (_loses(WIN + int(thought.worth), position.forces),)
    child, passed = position.apply(root, thought.action), position.passed(root)
    found = [*position.remark(root, child)]
    again = position.turn(child) == position.turn(root)
    if again:
        found.append(Part("moves again"))
    if not again and not only and winning(position, passed) and not winning(position, child):
        found.append(Part(f"meets the threat of {position.others} to win at once"))
    elif not again and position.captures(passed) and not position.captures(child):
        found.append(Part(f"leaves {position.others} nothing to capture"))
    if not again and winning(position, position.passed(child)):
        found.append(Part("threatens to win at once", Kind.HARM))
    if not found:
        found += _prevented(position, passed, child)
    if praised and not found and not again:
        gain = -position.worth(child) - position.worth(root)
        found += position.aims(root, child, thought.action, gains=gain >= BETTER)
    if only:
        found.insert(
            0, Part(f"is the only move that {'does not lose' if position.forces else 'lets no rival win at once'}")
        )
    return tuple(found)


def _prevented(position: SearchPosition[N], passed: N, child: N) -> list[Part]:
    """Return which capture the others can make no more, if there are fewer than before; `passed`: before the move."""
    before, after = dict.fromkeys(position.takes(passed)), {*position.takes(child)}  # two rivals may have the same one
    gone = [move for move in before if move not in after]
    if len(after) >= len(before):
        return []
    return [Part(f"keeps {position.others} from capturing by {gone[0]}", Kind.PREVENTS)]


def _wins(plies: int, forces: bool) -> Part:
    """Return that a move wins within so many plies, as far as that is known."""
    turns = (plies + 1) // 2
    if plies <= 1:
        return Part("wins at once", Kind.WIN_NOW)
    if not forces:
        return Part(f"may win within {counted(turns, 'turn')}", Kind.HARM)
    return Part(f"wins by force within {counted(turns, 'turn')}", Kind.WIN)


def _loses(plies: int, forces: bool) -> Part:
    """Return that a move loses within so many plies, as far as that is known."""
    turns = (plies + 1) // 2
    if not forces:
        return Part(
            "lets a rival win at once" if plies <= 2 else f"may let a rival win within {counted(turns, 'turn')}"
        )
    return Part("loses at once" if plies <= 2 else f"loses by force within {counted(turns, 'turn')}", Kind.LOSS)
