"""Moves that lose at once: what a player is asked about before making one."""

from typing import Any

from engine import PUBLIC, Game, Over, Pending, Turn

MOVES_TRIED = 40
"""Moves that are tried to find one that does not lose at once."""


def loses(due: Pending, seat: int) -> bool:
    """Return whether the game is over, and won by others than `seat`."""
    return isinstance(due, Over) and bool(due.result.winners) and seat not in due.result.winners


def losing_reply(game: Game[Any], state: Any, seat: int, action: str) -> tuple[int, str] | None:
    """Return the next player and the reply with which that player would win at once, or None.

    None in a game with hidden cards, after a move that leaves the turn with the same player, and where the other moves
    lose as well.
    """
    if game.view(state, PUBLIC) != state or not (threat := _winning_reply(game, state, seat, action)):
        return None
    others = game.legal(state, seat)[:MOVES_TRIED]
    return threat if any(not _winning_reply(game, state, seat, other) for other in others) else None


def _winning_reply(game: Game[Any], state: Any, seat: int, action: str) -> tuple[int, str] | None:
    after = game.apply(state, seat, action)
    due = game.pending(after)
    if not isinstance(due, Turn) or due.seat == seat:
        return None
    for reply in game.legal(after, due.seat):
        if loses(game.pending(game.apply(after, due.seat, reply)), seat):
            return due.seat, reply
    return None
