"""What a move of Fidchess that captures nothing is for: what it attacks or guards, or brings out of danger."""

import re

from engine import listed
from engine.games.fidchess import GAME, State, captures
from p2p_stonehenge.bots.thought import Part, Reason

NAMED = 3
"""Spaces, at most, that a reason names."""
_CAPTURE = re.compile(r"(..)x(..)")


def aims(before: State, after: State, action: str) -> Reason:
    """Return what a move is for, what matters most first; nothing of what was so before it."""
    seat, rival = before.to_move, after.to_move
    (faced, faces), (had, has) = ([_landings(state, one) for state in (before, after)] for one in (rival, seat))
    origin, _, target = action.partition("-")
    found = []
    if target and origin in faced and target not in faces:
        found.append(Part(f"brings the piece on {origin} out of danger"))
    guarded = [
        space
        for space, moves in faces.items()
        if space in faced
        and not any(_is_retaken(before, rival, move, space) for move in faced[space])
        and all(_is_retaken(after, rival, move, space) for move in moves)
    ]
    if 0 < len(guarded) <= NAMED:
        found.append(Part(f"guards {listed(sorted(guarded))}"))
    attacked = [
        space
        for space, moves in has.items()
        if space not in had and not any(_is_retaken(after, seat, move, space) for move in moves)
    ]
    if 0 < len(attacked) <= NAMED:
        found.append(Part(f"attacks {listed(sorted(attacked))}, which nothing guards"))
    return tuple(found)


def _landings(state: State, hunter: int) -> dict[str, list[str]]:
    """Return the captures of a seat, if it is its turn, by the space of what they capture."""
    found: dict[str, list[str]] = {}
    for move in captures(state._replace(to_move=hunter)):
        if match := _CAPTURE.match(move):
            found.setdefault(match[2], []).append(move)
    return found


def _is_retaken(state: State, hunter: int, move: str, space: str) -> bool:
    """Return whether the other side can capture on a space once a seat has captured there."""
    after = GAME.apply(state._replace(to_move=hunter), hunter, move)
    return bool(after.reason) or space in _landings(after, 3 - hunter)
