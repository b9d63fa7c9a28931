"""The start page's rows of what is around: games to go on with, open tables, people. Knows no network and no files.

What reads games and protocol is imported where it is needed: the page is there before.
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from p2p_stonehenge.screen.start_rows import Entry

if TYPE_CHECKING:
    from p2p_stonehenge.lobby.facts import Saved
    from p2p_stonehenge.net.announced import Announced
    from p2p_stonehenge.net.discovery import Sighting

HERE, WAITING, SITTING, BUSY = "here", "waiting", "at the table", "busy"
"""Where a friend is whose client is seen: on this network, at the table of the game, or at another table."""
KEPT = "kept for others"
"""What is said of a table for the next game of players of whom this one is none."""
SETTLED = 2.0
"""Seconds after which all players of a table that has begun are seen to play there: each says it in its own time."""


class Present(NamedTuple):
    """A client that is seen on the network, and its player."""

    seen: "Sighting"
    name: str
    """What the player is called on this screen."""
    strange: bool
    """Whether the key is not the one that this name, or one that looks like it, had before."""


class TableRows:
    """The tables that are seen: each keeps one row while it stands, from its first free seat to the end of its game."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[bytes, Entry] = {}
        """The rows of tables that await players, by the id of the host."""
        self._since: dict[Announced, float] = {}
        """When each table that plays was seen first."""
        self._rows: dict[Announced, Entry] = {}
        self._names: dict[Announced, set[str]] = {}
        """The players of each who were ever seen to play there."""

    def rows(self, opened: Mapping[bytes, Entry], playing: "Mapping[Announced, list[Present]]") -> list[Entry]:
        """Return a row for each table that awaits players, by its host, and for each that plays."""
        now = self._clock()
        self._since = {table: self._since.get(table, now) for table in playing}
        self._names = {
            table: self._names.get(table, set()) | {one.name for one in players} for table, players in playing.items()
        }
        shown: dict[Announced, Entry] = {}
        for table, players in playing.items():
            before = self._rows.get(table) or self._before(table, players, opened)
            if now >= self._since[table] + SETTLED:
                row, names = watched(table, players), sorted(self._names[table], key=str.casefold)
                shown[table] = row._replace(who=", ".join(names), key=before.key if before else table)
            elif before:
                shown[table] = before
        self._rows = shown
        self._open = {id: entry._replace(key=self._key(id)) for id, entry in opened.items()}
        return [*self._open.values(), *shown.values()]

    def _before(self, table: "Announced", players: Sequence[Present], opened: Mapping[bytes, Entry]) -> Entry | None:
        """Return the row that a table had while it awaited players."""
        hosts = (one.seen.id for one in players if one.seen.id in self._open and one.seen.id not in opened)
        return next((self._open[id] for id in hosts if self._open[id].what == _title(table.game)), None)

    def _key(self, id: bytes) -> Hashable:
        """Return the key of the table with this host: not that of one which plays on without this host."""
        key: Hashable = self._open[id].key if id in self._open else id
        while key in {row.key for row in self._rows.values()}:
            key = key, "next"
        return key


def believed(before: "Sighting | None", now: "Sighting") -> "Sighting":
    """Return what to believe of a client that is seen now, and was seen before.

    What a program announced may come twice, and late: one that plays does not await players for a first game again.
    """
    was, table = before.announced if before else None, now.announced
    if before is None or was is None or table is None or before.instance != now.instance:
        return now
    late = was.short_id and not (was.watching or table.short_id or table.after or table.origin)
    return now._replace(table=before.table) if late else now


def rows(
    present: Sequence[Present], shelf: "Sequence[Saved]", before: TableRows | None = None
) -> tuple[list[Entry], tuple[str, ...]]:
    """Return the rows of tables, as they were `before`, and the people who are here besides.

    A player who is shown with a game to go on with, or with another saved game, has no row here.
    """
    from protocol import id_text

    going = [saved for saved in shelf if saved.goes_on]
    here = {one.seen.id: one.seen for one in present}
    for_matches = {one for saved in going for one in _opened_for(saved, here)}
    friends = {id for saved in going for id, *_ in saved.facts.seats}
    tables, people = dict[bytes, Entry](), list[str]()
    playing: dict[Announced, list[Present]] = {}
    for one in present:
        table = one.seen.announced
        at = table and next((saved for saved in shelf if saved.is_table(table.game, table.short_id)), None)
        if table and table.watching:
            people.append(f"{one.name} (watching)")
        elif one.seen in for_matches or (at and at.goes_on):
            continue  # it is shown as a game to go on with
        elif at and at.own and at.facts.result:
            people.append(f"{one.name} (at a game that is over: host, and {one.name} reads how)")
        elif table and table.short_id:
            playing.setdefault(table, []).append(one)
        elif table:
            own = any(saved.own and saved.is_table(table.game, table.after) for saved in shelf)
            tables[one.seen.id] = open_table(one, table, own=own)
        elif id_text(one.seen.id) not in friends:  # a friend of an unfinished game is shown to be here with that game
            people.append(f"{one.name} (NOT the one you know)" if one.strange else one.name)
    if before:
        return before.rows(tables, playing), tuple(people)
    return [*tables.values(), *(watched(table, players) for table, players in playing.items())], tuple(people)


def going_on(saved: "Saved", here: "Mapping[bytes, Sighting]") -> Entry:
    """Return the row of a saved game to go on with; `here`: those who are seen, by id."""
    from p2p_stonehenge.lobby.finding import name_of
    from p2p_stonehenge.text.times import day
    from protocol import id_text

    opened = _opened_for(saved, here)
    where = {id_text(id): WAITING if one in opened else _where(one, saved) for id, one in here.items()}
    who, score = saved.company(where), saved.match()
    briefly = saved.company(where, bots=False) if saved.others else ""
    if opened:
        host = opened[0]
        when = "next game: open" if _follows(saved) else "goes on: open"
        return Entry(
            saved.table,
            saved.title,
            who,
            when,
            f"join {host.nick}",
            ("join", name_of(host)),
            likely=True,
            awaited=True,
            score=score,
            briefly=briefly,
        )
    turn = saved.whose_turn() or ("next game" if saved.between else "unfinished")
    state = "open elsewhere" if saved.open else turn
    # Friends who sit there, or are all free, play on; a game against bots waits until the player wants it.
    others = [where.get(id) for id in saved.others]
    friends = SITTING in others or (bool(others) and {*others} == {HERE})
    return Entry(
        saved.table,
        saved.title,
        who,
        day(saved.played, time.time()),
        state,
        saved.goes_on,
        likely=not (saved.out or saved.open or saved.elsewhere) and (friends if others else turn == "your turn"),
        awaited=SITTING in others and not (saved.out or saved.open),
        score=score,
        briefly=briefly,
    )


def _where(one: "Sighting", saved: "Saved") -> str:
    """Return where a player of a saved game is whose client is seen: at its table, at another one, or at none known."""
    table = one.announced
    if table is None:
        return HERE
    at_it = not table.watching and saved.is_table(table.game, table.short_id)
    return SITTING if at_it else BUSY  # they may have gone on without the player


def _opened_for(saved: "Saved", here: "Mapping[bytes, Sighting]") -> "list[Sighting]":
    """Return the friends who have opened a table for the next game of the match of a saved one, or to go on with it."""
    if not here:
        return []
    from p2p_stonehenge.lobby.finding import opened_by
    from p2p_stonehenge.table.agreed import short_id
    from protocol import id_bytes

    last, friends = short_id(saved.table), {*map(id_bytes, saved.others)}
    return opened_by(friends, saved.facts.game, last, here, goes_on=not _follows(saved))


def _follows(saved: "Saved") -> bool:
    """Return whether another game is next, and not the same one at another table."""
    return saved.between and not saved.facts.void


def open_table(one: Present, table: "Announced", *, own: bool) -> Entry:
    """Return the row of a table that awaits players, of its host; `own`: the player here played the game before it."""
    from p2p_stonehenge.lobby.finding import name_of

    taken, slash, all_seats = table.seats.partition("/")
    when = f"{taken} of {all_seats} seats" if slash else table.seats
    kept = bool(table.after) and not own  # the next game is for the players of the one before
    marks = ", ".join(filter(None, (table._replace(after="").marks, KEPT))) if kept else table.marks
    state = "ANOTHER KEY" if one.strange else marks
    is_full = bool(slash) and taken == all_seats
    likely = not (one.strange or kept or is_full)
    words = ("join", name_of(one.seen))
    awaited = likely and bool(table.after)
    return Entry(one.seen.id, _title(table.game), one.name, when, state, words, likely, awaited)


def watched(table: "Announced", players: list[Present]) -> Entry:
    """Return the row of a table that plays and may be watched, with those of its players who are here.

    It says so where one of them is not who the name says, and leads to one who is, if there is any.
    """
    from p2p_stonehenge.lobby.finding import name_of

    names = ", ".join(one.name for one in players)
    state = "ANOTHER KEY" if any(one.strange for one in players) else table.marks
    first = min(players, key=lambda one: one.strange)
    return Entry(table, _title(table.game), names, "playing: watch", state, ("watch", name_of(first.seen)))


def _title(key: str) -> str:
    """Return what a game is called that somebody has announced."""
    from engine import all_games

    game = all_games().get(key)
    return game.title if game else key
