"""Tables that go on from another one: the game saved before, and how a proposed position differs from it."""

import time
from collections.abc import Collection, Iterable, Sequence

from engine import CHANCE, counted, listed
from p2p_stonehenge.failure import NOT_A_TRANSCRIPT, USAGE, Failure
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.lobby.shelf import Shelf, table_in
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import short_id
from protocol import (
    Origin,
    Seat,
    Series,
    Table,
    TranscriptError,
    actions_of,
    has_shown,
    id_text,
    is_deal,
    load,
    origin_of,
    series_after,
    series_within,
    takeback_target,
    whole,
)

OLDER = "Play on from the older game all the same?"
"""What a player is asked who has a later game of a match, or evening, among the saved ones."""


def saved_table(home: Home, table: bytes) -> Table | None:
    """Return the table with this id from this player's own file, None if there is none.

    A file that was renamed is found as well. Raises Failure for a damaged file.
    """
    path = home.saved(table)
    if not path.exists():
        path = next((one.path for one in Shelf(home).games() if one.table == table), path)
    if not path.exists():
        return None
    try:
        found = table_in(path)
    except (OSError, TranscriptError) as error:
        raise Failure(
            f"{path} is damaged: {error}. Move the file away to go on without it.", NOT_A_TRANSCRIPT
        ) from None
    return found if found.id == table else None  # a name has only the beginning of an id


def later_told(games: Iterable[Saved], table: bytes) -> str:
    """Return in a sentence which saved game follows that of a table in its match, or evening; "" if none does.

    Games of others, at which this player looked on, count nothing: their players may name any table there.
    """
    later = next((one for one in games if one.own and one.facts.series.table == table), None)
    return f"A later game of that {_series(later)} is among your saved games: {_told(later)}." if later else ""


def begun_told(games: Iterable[Saved], before: bytes) -> str:
    """Return in a sentence which saved game has the place in its match of one that follows the table `before`.

    "" if none has: the saved game is no later one then, but the same one, begun at another table.
    """
    one = next((one for one in games if one.own and one.facts.series.table == before), None)
    return (
        f"That game of the {_series(one)} was begun already at a table that you have saved: {_told(one)}."
        if one
        else ""
    )


def decided_told(games: Iterable[Saved], before: bytes, table: bytes) -> str:
    """Return in a sentence which saved game is over that came after the table `before`, as that of `table` does.

    "" if none is, but for the game of `table` itself and games that two versions of an event left without a winner.
    """
    for one in games:
        same = one.own and one.facts.series.games and one.facts.series.table == before
        if same and one.facts.result and one.table != table and not one.facts.void:
            return f"That game of the {_series(one)} is over by another of your saved games: {_told(one)}."
    return ""


def gone_on_told(games: Iterable[Saved], series: Series, table: bytes) -> str:
    """Return in a sentence which saved game at the same place of its match has gone on from a table; "" if none has.

    The file of that table stands where it stood then, and a host could go on from it until a roll or deal suits.
    """
    for one in games:
        if one.own and one.facts.series[:3] == series[:3] and one.facts.origin == table:
            return f"One of your saved games has gone on from that table: {_told(one)}."
    return ""


def moved_told(games: Sequence[Saved], series: Series, table: bytes) -> str:
    """Return in a sentence which saved game follows that of a table, has decided it or has gone on from it.

    "" if none has. `series`: the match, or evening, and the score before the game of that table.
    """
    decided = decided_told(games, series.table, table) if series.games else ""
    return later_told(games, table) or decided or gone_on_told(games, series, table)


def unfinished_told(games: Iterable[Saved], game: str, people: Collection[bytes]) -> str:
    """Return in a sentence which saved game of all these people, and perhaps others, has no end; "" if none is so.

    `people`: their ids.
    """
    sought = {*map(id_text, people)}
    for one in games:
        sat = {id for seat, (id, _, operator) in enumerate(one.facts.seats, 1) if operator == seat}
        if one.own and one.facts.game == game and one.facts.result is None and sought <= sat:
            return f"A game of yours with the same players has no end yet: {_told(one)}. That table may begin it anew."
    return ""


def match_told(games: Iterable[Saved], game: str, people: Collection[bytes]) -> str:
    """Return in a sentence which match of a game, in which games are over, goes on between these people; "" if none.

    `people`: their ids.
    """
    own = [one for one in games if one.own]
    over = {(one.facts.series.table, one.table) for one in own if one.facts.result and one.facts.series.games}
    for one in own:
        sat = {id for seat, (id, _, operator) in enumerate(one.facts.seats, 1) if operator == seat}
        if one.facts.game != game or not one.facts.series.match or sat != {*map(id_text, people)}:
            continue
        another = any(one.facts.series.games and one.facts.series.table == at and one.table != by for at, by in over)
        goes_on = one.between or (one.facts.result is None and one.facts.series.games > 0)
        if goes_on and not another and not one.facts.void:
            told = f"A match of yours with the same players goes on, at {one.match_points()}: {_told(one)}."
            return f"{told} Here a new one begins."
    return ""


def _series(one: Saved) -> str:
    return "match" if one.facts.series.match else "evening"


def _told(one: Saved) -> str:
    return one.told(time.time())


def made_anew(table: Table, player: bytes) -> str:
    """Return in a sentence that a roll or deal whose outcome others may know would be made anew; "" if there is none.

    It is under way in the own file of the player with this id, who has shown what the others lacked.
    """
    seats = [number for number, seat in enumerate(table.charter.body.seats, 1) if seat.id == player]
    if not any(has_shown(table, seat) for seat in seats):
        return ""
    owing = listed([table.charter.body.seats[seat - 1].name for seat in table.fold.owing()])
    return f"A roll or deal is under way in your own file, whose outcome {owing} may know: it would be made anew."


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
    told = f"Goes on from table {short_id(origin.table)} after {counted(len(origin.actions), 'action')}"
    before = table.charter.body.origin
    count = len(table.fold.log) + (len(before.actions) if before else 0) if ply is None else ply
    undone = count - len(actions_of(table, ply))
    told += f": {undone} of the {count} are take-backs and what they took back." if undone else "."
    redealt = round_broken_off(table, origin, ply)
    return f"{told} {redealt}" if redealt and not table.fold.broken else told


def round_broken_off(table: Table, origin: Origin, ply: int | None = None) -> str:
    """Return in a sentence that cards were dealt after the position of `origin` in a table's own file; "" if none were.

    `ply`: how many actions of that file count, all by default.
    """
    after = actions_of(table, ply)[len(origin.actions) :]
    if not any(is_deal(*one) for one in after):
        return ""
    played = sum(actor != CHANCE for actor, _ in after)
    return f"The round of cards under way there, in which players acted {counted(played, 'time')}, is dealt anew."


def difference(origin: Origin, own: Table) -> str:
    """Return in words where an origin differs from the player's own file of that table, "" if it does not."""
    if _stood_at(own, origin.actions):
        return ""
    actions = actions_of(own)
    for number, (theirs, ours) in enumerate(zip(origin.actions, actions, strict=False), 1):
        if theirs != ours:
            return f"action {number} is {_said(*theirs, own)} there, and {_said(*ours, own)} in your own file"
    if len(origin.actions) > len(actions):
        return f"your own file ends after action {len(actions)}"
    return ""


def _stood_at(table: Table, sought: Sequence[tuple[int, str]]) -> bool:
    """Return whether these actions, and no others, were in effect at some moment of a table; one walk through it.

    `alike`: how many of the actions in effect at a moment, from the first one on, are those that are sought.
    """
    before = table.charter.body.origin.actions if table.charter.body.origin else ()
    past = [*before, *((one.actor, one.action) for one in table.fold.log)]
    in_effect: list[int] = []  # after each action of the past how many are in effect; `len(before)` lie before the log
    count, alike = 0, 0
    for actor, action in past:
        if count == alike == len(sought):
            return True
        in_effect.append(count)
        to = takeback_target(actor, action)
        if to is not None:
            count = in_effect[len(before) + to]
            alike = min(alike, count)
            continue
        if count == alike < len(sought) and sought[count] == (actor, action):
            alike += 1
        count += 1
    return count == alike == len(sought)


def series_of(before: Table, seats: Sequence[Seat], *, goes_on: bool) -> Series:
    """Return the match and the score before the game of `seats`, from the table before.

    `goes_on`: whether that table's game is gone on with; else the next game follows it.
    """
    body, result = before.charter.body, before.fold.result
    return series_within(body, seats) if goes_on or result is None else series_after(before.id, body, result, seats)


def _said(actor: int, action: str, table: Table) -> str:
    who = table.game.colours[actor - 1] if actor else "chance"
    return f"`{action}` by {who}"
