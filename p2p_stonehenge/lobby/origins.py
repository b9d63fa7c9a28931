"""Tables that go on from another one: the game saved before, and how a proposed position differs from it."""

import time
from collections.abc import Sequence

from engine import counted
from p2p_stonehenge.failure import NOT_A_TRANSCRIPT, USAGE, Failure
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.base import title_of
from protocol import (
    Origin,
    Seat,
    Series,
    Table,
    TranscriptError,
    actions_of,
    load,
    origin_of,
    series_after,
    series_within,
    whole,
)

OLDER = "Play on from the older game all the same?"
"""What a player is asked who has a later game of a match, or evening, among the saved ones."""


def saved_table(home: Home, table: bytes) -> Table | None:
    """Return a table from this player's own file, None if there is none. Raises Failure for a damaged file."""
    path = home.saved(table.hex())
    if not path.exists():
        return None
    data = path.read_bytes()
    try:
        return load(data[: whole(data)])
    except TranscriptError as error:
        raise Failure(
            f"{path} is damaged: {error}. Move the file away to go on without it.", NOT_A_TRANSCRIPT
        ) from None


def later_told(home: Home, table: bytes) -> str:
    """Return in a sentence which saved game follows that of a table in its match, or evening; "" if none does.

    Games of others, at which this player looked on, count nothing: their players may name any table there.
    """
    later = next((one for one in Shelf(home).games() if one.own and one.facts.series.table == table), None)
    if later is None:
        return ""
    series = "match" if later.facts.series.match else "evening"
    return f"A later game of that {series} is among your saved games: {later.told(time.time())}."


def chosen_table(data: bytes) -> Table:
    """Return the table of a saved game. Raises Failure if the bytes are no valid transcript."""
    try:
        return load(data[: whole(data)])
    except TranscriptError as error:
        raise Failure(f"This is not a valid saved game: {error}; `verify` tells more", NOT_A_TRANSCRIPT) from error


def chosen_origin(table: Table, ply: int | None) -> Origin:
    """Return where another table may go on from this one, after at most `ply` actions.

    Raises Failure if there are not so many actions.
    """
    try:
        return origin_of(table, ply)
    except ValueError as error:
        raise Failure(f"--at {ply} is not possible: {error}.", USAGE) from error


def origin_told(table: Table, ply: int | None, origin: Origin) -> str:
    """Return in words where another table goes on from this one, `origin` being what `chosen_origin` found at `ply`.

    Of the actions up to there those that were taken back do not count, nor do the take-backs.
    """
    told = f"Goes on from table {title_of(origin.table)} after {counted(len(origin.actions), 'action')}"
    before = table.charter.body.origin
    count = len(table.fold.log) + (len(before.actions) if before else 0) if ply is None else ply
    undone = count - len(actions_of(table, ply))
    return f"{told}: {undone} of the {count} are take-backs and what they took back." if undone else f"{told}."


def difference(origin: Origin, own: Table) -> str:
    """Return in words where an origin differs from the player's own file of that table, "" if it does not."""
    plies = len(own.fold.log) + (len(own.charter.body.origin.actions) if own.charter.body.origin else 0)
    if any(actions_of(own, ply) == origin.actions for ply in range(plies, -1, -1)):
        return ""
    actions = actions_of(own)
    for number, (theirs, ours) in enumerate(zip(origin.actions, actions, strict=False), 1):
        if theirs != ours:
            return f"action {number} is {_said(*theirs, own)} there, and {_said(*ours, own)} in your own file"
    if len(origin.actions) > len(actions):
        return f"your own file ends after action {len(actions)}"
    return ""


def series_of(before: Table, seats: Sequence[Seat], *, goes_on: bool) -> Series:
    """Return the match and the score before the game of `seats`, from the table before.

    `goes_on`: whether that table's game is gone on with; else the next game follows it.
    """
    body, result = before.charter.body, before.fold.result
    return series_within(body, seats) if goes_on or result is None else series_after(before.id, body, result, seats)


def _said(actor: int, action: str, table: Table) -> str:
    who = table.game.colours[actor - 1] if actor else "chance"
    return f"`{action}` by {who}"
