"""Moves that lose at once: what a player is asked about before making one."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from engine import PUBLIC, Action, Game, Over, Pending, Turn, listed

MOVES_TRIED = 40
"""Moves that meet a threat, of which so many at most are tried to learn whether each loses at once in another way."""
REPLIES_TRIED = 40_000
"""Replies looked at for one answer, at most: about a tenth of a second. In Fidchell, where a turn goes on after each
capture, a position of random moves may have many more; after a move of people or bots there are hardly ever 4,000."""


class Win(NamedTuple):
    """How a rival can win in its next turn."""

    rival: int
    """The seat of the rival."""
    actions: tuple[Action, ...]
    """What the rival plays in that turn: several actions only in a game in which a turn may go on."""

    def told(self) -> str:
        """Return in words that go on from the name of the rival what it can do."""
        return f"can win {'at once' if len(self.actions) == 1 else 'in one turn'} with {listed(self.actions)}"


class Loss(NamedTuple):
    """What a move leaves to others: how one of them can win, and whether that was to be avoided."""

    win: Win
    anyway: bool
    """Whether somebody can win before the same player moves again after every other move too, as far as is known."""


class _UnclearError(Exception):
    """Raised where `REPLIES_TRIED` are spent: nobody knows whether the others win."""


def loses(due: Pending, seat: int) -> bool:
    """Return whether the game is over, and won by others than `seat`."""
    return isinstance(due, Over) and bool(due.result.winners) and seat not in due.result.winners


def losing_reply(game: Game[Any], state: Any, seat: int, action: Action) -> Loss | None:
    """Return how a rival would win before `seat` moves again, or None.

    None in a game with hidden cards, after a move that leaves the turn with the same player, and where too many replies
    would have to be looked at. Where the other moves are too many, nobody knows that they lose as well.
    """
    if game.view(state, PUBLIC) != state:
        return None
    left = iter(range(REPLIES_TRIED))
    try:
        threat = _winning(game, game.apply(state, seat, action), seat, left)
    except _UnclearError:
        return None
    if threat is None:
        return None
    others = (game.apply(state, seat, other) for other in game.legal(state, seat) if other != action)
    meeting = (other for other in others if not _wins(game, other, seat, threat))
    try:
        anyway = all(_winning(game, other, seat, left) for other in islice(meeting, MOVES_TRIED))
    except _UnclearError:
        return Loss(threat, anyway=False)
    return Loss(threat, anyway and next(meeting, None) is None)


def _wins(game: Game[Any], after: Any, seat: int, threat: Win) -> bool:
    """Return whether what wins after another move of `seat` wins as well in `after`; see `winning_reply`."""
    while isinstance(due := game.pending(after), Turn) and due.seat not in (seat, threat.rival):
        after = game.apply(after, due.seat, "resign")
    for action in threat.actions:
        if game.pending(after) != Turn(threat.rival) or game.refuse(after, threat.rival, action):
            return False
        after = game.apply(after, threat.rival, action)
    return loses(game.pending(after), seat)


def winning_reply(game: Game[Any], after: Any, seat: int) -> Win | None:
    """Return how the first rival that can do so wins in its next turn after `after`, where `seat` has moved, or None.

    Looked at is each rival that moves before `seat` does, as the board stands: for one that does nothing about it
    stands one that resigns, after whom the game goes on where there are several.
    """
    try:
        return _winning(game, after, seat, iter(range(REPLIES_TRIED)))
    except _UnclearError:
        return None


def _winning(game: Game[Any], after: Any, seat: int, left: Iterator[int]) -> Win | None:
    """The same; raises _UnclearError if none of the replies that may be looked at are `left`."""
    while isinstance(due := game.pending(after), Turn) and due.seat != seat:
        if actions := _turn(game, after, due, seat, left):
            return Win(due.seat, actions)
        after = game.apply(after, due.seat, "resign")
    return None


def _turn(game: Game[Any], before: Any, due: Turn, seat: int, left: Iterator[int]) -> tuple[Action, ...]:
    """Return the fewest actions of one turn that win for the rival that is to act; none if there are none."""
    waiting: list[tuple[Any, tuple[Action, ...]]] = [(before, ())]
    seen = set[Any]()
    for state, done in waiting:
        for action in game.legal(state, due.seat):
            if next(left, None) is None:
                raise _UnclearError
            then = game.pending(after := game.apply(state, due.seat, action))
            if loses(then, seat):
                return (*done, action)
            if then == due and after not in seen:  # captures in another order lead to the same position
                seen.add(after)
                waiting.append((after, (*done, action)))
    return ()
