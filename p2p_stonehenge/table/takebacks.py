"""Take-backs in words: what would go back, why nothing can, and what became of it."""

from collections.abc import Callable, Sequence
from typing import Any

from engine import CHANCE, Chance, Dice, Event, Game, listed
from p2p_stonehenge.table.exits import told
from p2p_stonehenge.table.session import Ply, Session
from protocol import Applied, Exit, Position, Table, in_effect, latest, takeback_target

DEALT = "Cards have been dealt, and what is shown of a closed hand stays shown: nothing is taken back in this game."
DICE_SINCE = (
    "New dice have been rolled since: what they show stands. A die can be taken back as long as another one of the same"
    " roll is still to be played."
)
NOTHING_YET = "You have done nothing yet that could be taken back."
TAKEN_BACK_UNASKED = 8
"""How often a player takes back within one turn before persons are asked, and bots decline."""


def how_refused(session: Session) -> str:
    """Return how a player who is asked for a take-back refuses it: no event says so, it is off with the next action."""
    if session.turn in session.people:
        return "to refuse it, play on"
    mover = session.label(session.turn) if session.turn else "somebody"
    return f"to refuse it, wait: it is off once {mover} plays on"


def story_of(game: Game[Any], log: Sequence[Applied], place: int, before: Any) -> tuple[Event, ...]:
    """Return what the action at a place of a log (from 0) did, as sentences; `before` is the state that is told of."""
    entry = log[place]
    to = takeback_target(entry.actor, entry.action)
    if to is None:
        return game.story(before, entry.actor, entry.action, told(entry.exit or Exit.RESIGNED).story)
    undone = _undone(log, to, until=place)
    back = [event for one in undone for event in game.story(one.before, one.actor, one.action)]
    places = dict.fromkeys(spot for event in back for spot in event.places)
    verb = "is" if len(undone) == 1 else "are"
    return (Event(f"{_actions(game, undone)} {verb} taken back.", tuple(places)),)


def _acted(entry: Applied, label: str) -> str:
    """Return what a player has done, or what became of a player who did nothing."""
    match entry.exit:
        case Exit.LEFT_BEHIND:
            return f"The others have gone on without {label}"
        case Exit.OUT_OF_TIME:
            return f"{label} has run out of time"
        case _:
            return f"{label} has acted"


def undone_actions(game: Game[Any], log: Sequence[Applied], to: int) -> str:
    """Return in words what goes back to where the game stood after `to` actions: `Yellow's A2-A3`."""
    return _actions(game, _undone(log, to))


def _undone(log: Sequence[Applied], to: int, until: int | None = None) -> list[Applied]:
    """Return the actions that a take-back to the state after `to` actions undoes, after the first `until` of a log."""
    return [log[place] for place in latest(log, until, since=to)][::-1]


def _actions(game: Game[Any], undone: Sequence[Applied]) -> str:
    return listed([f"{game.colours[one.actor - 1]}'s {one.action}" for one in undone])


def moves_taken_back(log: Sequence[Applied | Ply]) -> int:
    """Return how many moves of a log do not stand any more."""
    moves = {place for place, entry in enumerate(log) if entry.actor != CHANCE and entry.action != "resign"}
    return len(moves.difference(in_effect(log)))


def still_stands(plies: Sequence[Ply], ply: Ply) -> bool:
    """Return whether an action has not been taken back, nor cut off."""
    return ply.number <= len(plies) and plies[ply.number - 1] == ply and ply.number - 1 in latest(plies)


def times_taken_back(log: Sequence[Applied], seat: int) -> int:
    """Return how often the game has gone back since anybody but a seat has acted."""
    times = 0
    for entry in reversed(log):
        if takeback_target(entry.actor, entry.action) is not None:
            times += 1
        elif entry.actor != seat:
            break
    return times


def too_late(table: Table, position: Position, log: Sequence[Applied], seat: int, label: Callable[[int], str]) -> str:
    """Return why the last turn of a seat cannot be taken back in `position`, to which the actions of `log` have led.

    `label` tells what a seat is called.
    """
    operator = table.operator
    if position.deals:
        return DEALT
    last = next((place for place in latest(log) if log[place].actor == seat), None)
    if last is None:
        return NOTHING_YET
    for entry in log[last + 1 :]:
        if entry.actor == CHANCE and takeback_target(entry.actor, entry.action) is None:
            due = table.game.pending(entry.before)
            rolled = isinstance(due, Chance) and isinstance(due.draw, Dice)
            return DICE_SINCE if rolled else "Chance has decided since: what it has shown stands."
        if entry.actor != CHANCE and operator(entry.actor) != operator(seat):
            return f"{_acted(entry, label(entry.actor))} since: your turn stands."
    return "That turn put a player out of the game, who cannot be asked: it stands."
