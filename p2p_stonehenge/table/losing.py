"""Moves that lose at once: what a player is asked about before making one."""

from itertools import islice
from typing import Any

from engine import PUBLIC, Game, Over, Pending, Turn

MOVES_TRIED = 40
"""Moves that meet a threat and are tried to find one that does not lose at once in another way."""


def loses(due: Pending, seat: int) -> bool:
    """Return whether the game is over, and won by others than `seat`."""
    return isinstance(due, Over) and bool(due.result.winners) and seat not in due.result.winners


def losing_reply(game: Game[Any], state: Any, seat: int, action: str) -> tuple[int, str] | None:
    """Return the rival and the reply with which that rival would win before `seat` moves again, or None.

    None in a game with hidden cards, after a move that leaves the turn with the same player, and where the other moves
    lose as well.
    """
    if game.view(state, PUBLIC) != state:
        return None
    threat = winning_reply(game, game.apply(state, seat, action), seat)
    if threat is None:
        return None
    others = (game.apply(state, seat, other) for other in game.legal(state, seat))
    meeting = (other for other in others if not _wins(game, other, seat, *threat))
    return threat if any(winning_reply(game, other, seat) is None for other in islice(meeting, MOVES_TRIED)) else None


def _wins(game: Game[Any], after: Any, seat: int, rival: int, reply: str) -> bool:
    """Return whether a reply that wins after another move of `seat` wins as well in `after`; see `winning_reply`."""
    while isinstance(due := game.pending(after), Turn) and due.seat not in (seat, rival):
        after = game.apply(after, due.seat, "resign")
    if due != Turn(rival) or game.refuse(after, rival, reply):
        return False
    return loses(game.pending(game.apply(after, rival, reply)), seat)


def winning_reply(game: Game[Any], after: Any, seat: int) -> tuple[int, str] | None:
    """Return the first rival that can win at once in `after`, where `seat` has moved, and its winning move, or None.

    Looked at is each rival that moves before `seat` does, as the board stands: for one that does nothing about it
    stands one that resigns, after whom the game goes on where there are several.
    """
    while isinstance(due := game.pending(after), Turn) and due.seat != seat:
        for reply in game.legal(after, due.seat):
            if loses(game.pending(game.apply(after, due.seat, reply)), seat):
                return due.seat, reply
        after = game.apply(after, due.seat, "resign")
    return None
