"""The saved games of a home: which there are, and in which order a player reads them.

To read a long game takes a moment, so what was read is kept in `shelf.json`, by name, size and time of each file. The
file may be deleted: it is made again.
"""

import contextlib
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from engine import Result, all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.facts import DECIDED, GONE_ON, Facts, Saved, SeatFacts
from p2p_stonehenge.storage.home import SAVED_LIMIT, SUFFIX, Home, explained, put, read_json, read_saved
from p2p_stonehenge.text.safe import safe
from protocol import LOCAL, Series, Table, TranscriptError, id_bytes, load, whole

SHELF = "shelf.json"
_FORM = 9
"""Of `shelf.json`; a file of another form is made anew."""
_LAST_DAY = 253370764800.0
"""The first second of the year 9999."""


class _Stamp(NamedTuple):
    """By what it is told that a file has changed."""

    size: int
    time: int
    """When it was written last, in nanoseconds."""


class _File(NamedTuple):
    """A file among the saved games, as it was when it was read."""

    stamp: _Stamp
    facts: Facts | None
    """What it tells, None if it is no saved game of this version."""


class _Game(NamedTuple):
    """A file that tells of a game."""

    name: str
    stamp: _Stamp
    facts: Facts


class _After:
    """What the games of one player that this player had a seat in say of the tables before them."""

    def __init__(self, own: Iterable[Facts]) -> None:
        own = [*own]
        self._followed = {told.series.table for told in own if told.series.games}
        self._gone_on = {told.origin for told in own if told.origin}
        self._decided: dict[bytes, set[bytes]] = {}
        """The tables at which the game after a game of a match, or evening, was decided, by the id of that table."""
        for told in own:
            if told.series.games and told.result and not told.void:
                self._decided.setdefault(told.series.table, set()).add(told.table)

    def is_followed(self, facts: Facts) -> bool:
        """Return whether the next game of its match, or evening, is there of a game that is over.

        Also where it follows the same game as it was decided at another table, or goes on from a game without a winner.
        """
        return bool({facts.table, *self._decided_as(facts)} & self._followed) or (
            facts.void and facts.table in self._gone_on
        )

    def elsewhere(self, facts: Facts) -> str:
        """Return what became at another table of a game without an end, empty if nothing is known."""
        if facts.table in self._followed or self._decided_as(facts) - {facts.table}:
            return DECIDED
        return GONE_ON if facts.table in self._gone_on else ""

    def _decided_as(self, facts: Facts) -> set[bytes]:
        """Return the tables at which the same game of a match, or evening, was decided."""
        return self._decided.get(facts.series.table, set()) if facts.series.games else set()


class Shelf:
    """The saved games of one home, as they are when they are first asked for."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._own = home.identity().id

    def games(self) -> Iterator[Saved]:
        """Yield the games that can be read, the unfinished ones first, of both the one played last first.

        Of the unfinished ones those come last that go on without this player, or that went on at another table. A game
        of which there are several files is given once.
        Whether a game is unfinished is known only when it is read; so all is read before the first is given. What was
        read is kept.
        """
        games = [
            _Game(name, file.stamp, file.facts)
            for name, file in self._read_files.items()
            if file.facts and file.facts.game in all_games()
        ]
        # Players of whose game this one is a spectator may name any table as the one before theirs.
        after = _After([one.facts for one in games if self._own_seats(one.facts)])
        found = [self._saved(one, after) for one in self._once(games)]
        yield from sorted(found, key=lambda one: (not one.unfinished, bool(one.elsewhere), one.out, -one.played))

    def unreadable(self) -> list[tuple[str, str]]:
        """Return the names among the saved games that are none of this version, or damaged; and what else they are.

        That is `a folder`, `a link to nothing` or, of a pipe, `no file`; nothing for a file.
        """
        read = ((name, file.facts) for name, file in self._read_files.items())
        files = [(name, "") for name, facts in read if not facts or facts.game not in all_games()]
        others = [
            (path.name, "a folder" if path.is_dir() else "a link to nothing" if path.is_symlink() else "no file")
            for path in self._paths(files=False)
        ]
        return sorted([*files, *others])

    @cached_property
    def _read_files(self) -> dict[str, _File]:
        """Return the files by name, and keep what was read of them."""
        kept, read = self._kept(), {}
        for path, stamp in self._files():
            file = kept.get(path.name)
            read[path.name] = file if file and file.stamp == stamp else _File(stamp, _facts_in(path))
        if read != kept:
            self._keep(read)
        return read

    def is_behind(self, games: Collection[Saved]) -> bool:
        """Return whether another program has changed the saved games since these were read; to look reads none.

        Not by what it adds to a game that it has open: that game is read when it is left.
        """
        taken = {one.path.name for one in games if one.open}
        if any(one.open and not self._home.is_open(one.table) for one in games):
            return True
        now = {path.name: stamp for path, stamp in self._files() if path.name not in taken}
        return now != {name: file.stamp for name, file in self._read_files.items() if name not in taken}

    def note(self, path: Path, table: Table) -> None:
        """Keep what a table tells that was just left, which saves reading its file again."""
        try:
            stamp = _stamp(path)
        except OSError:  # deleted, or moved away: nothing is to be kept of it
            return
        self._keep(self._kept() | {path.name: _File(stamp, Facts.of(table))})

    def _once(self, games: Iterable[_Game]) -> Iterable[_Game]:
        """Return one file of each table: the file named by the table's id, which is played on, else the longest."""

        def rank(one: _Game) -> tuple[bool, int, int, str]:
            return one.name == self._home.saved(one.facts.table).name, one.facts.plies, one.stamp.size, one.name

        return {one.facts.table: one for one in sorted(games, key=rank)}.values()

    def _files(self) -> list[tuple[Path, _Stamp]]:
        with explained(self._home.games):
            return sorted((path, _stamp(path)) for path in self._paths(files=True))

    def _paths(self, *, files: bool) -> list[Path]:
        """Return what is named like a saved game and is a file, or what is not."""
        named = (path for path in self._home.games.iterdir() if path.name.endswith(SUFFIX))
        return [path for path in named if path.is_file() == files]

    def _saved(self, game: _Game, after: _After) -> Saved:
        """Return what a file tells; `after`: which games the other files say were followed, or gone on from."""
        facts = game.facts
        ids, own = [id_bytes(seat.id) for seat in facts.seats], self._own_seats(facts)
        names = tuple(safe(seat.name) for seat in facts.seats)
        if facts.kind != LOCAL:
            names = known.names(self._home, self._own, list(zip(ids, names, strict=True)))
        resumable = facts.kind == LOCAL or self._home.kept_secret(facts.table) is not None
        going = facts.result is None and bool(own) and resumable
        goes_on = facts.leads_on and bool(own) and not after.is_followed(facts)
        return Saved(
            path=self._home.games / game.name,
            played=_dated(game.stamp.time),
            facts=facts,
            own=own,
            names=names,
            unfinished=going and not facts.bots_play_on,
            between=goes_on and not self._home.has_left_match(facts.table),
            open=going and self._home.is_open(facts.table),
            elsewhere=after.elsewhere(facts) if going else "",
        )

    def _own_seats(self, facts: Facts) -> tuple[int, ...]:
        """Return the seats that this player's client plays."""
        operators = enumerate((seat.operator for seat in facts.seats), 1)
        return tuple(seat for seat, operator in operators if id_bytes(facts.seats[operator - 1].id) == self._own)

    def _kept(self) -> dict[str, _File]:
        """Return what is kept of each file, by its name."""
        try:
            value = read_json(self._home.path / SHELF, SAVED_LIMIT)
            if value["form"] != _FORM or value["checksum"] != _checksum(value["games"]):
                return {}
            games = value["games"].items()
            return {name: _File(_Stamp(size, time), _unpacked(facts)) for name, (size, time, facts) in games}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            return {}

    def _keep(self, files: Mapping[str, _File]) -> None:
        games = {name: (*file.stamp, file.facts and _packed(file.facts)) for name, file in files.items()}
        with contextlib.suppress(Failure):  # on a full or read-only disk all is read anew each time
            value = {"form": _FORM, "checksum": _checksum(games), "games": games}
            put(self._home.path / SHELF, json.dumps(value).encode(), replace=True)


def _checksum(games: Any) -> int:
    """Return what tells that the list was damaged or altered: what it says of a game is not checked any more."""
    return zlib.crc32(json.dumps(games).encode())


def _stamp(path: Path) -> _Stamp:
    """Return the stamp of a file. Raises OSError."""
    stat = path.stat()
    return _Stamp(stat.st_size, stat.st_mtime_ns)


def _dated(nanoseconds: int) -> float:
    """Return the time of a file in seconds, within the years that there are words for: some disks tell any time."""
    return min(max(nanoseconds / 1e9, 0.0), _LAST_DAY)


def _packed(facts: Facts) -> dict[str, Any]:
    match, games, table, points = facts.series
    result = facts.result and facts.result._asdict()
    series = [match, games, table.hex(), list(points)]
    return facts._asdict() | {
        "table": facts.table.hex(),
        "result": result,
        "series": series,
        "origin": facts.origin.hex(),
    }


def _unpacked(value: Any) -> Facts | None:
    if value is None:
        return None
    result, (match, games, table, points) = value["result"], value["series"]
    seats = tuple(SeatFacts(str(id), str(name), int(operator)) for id, name, operator in value["seats"])
    return Facts(
        table=bytes.fromhex(value["table"]),
        game=str(value["game"]),
        kind=str(value["kind"]),
        seats=seats,
        plies=int(value["plies"]),
        turn=int(value["turn"]),
        result=result and Result(tuple(result["winners"]), tuple(result["points"]), str(result["reason"])),
        series=Series(int(match), int(games), bytes.fromhex(table), tuple(map(int, points))),
        live=tuple(map(int, value["live"])),
        gone=tuple(map(str, value["gone"])),
        origin=bytes.fromhex(value["origin"]),
        void=bool(value["void"]),
    )


def table_in(path: Path) -> Table:
    """Return the table of a saved game, as far as its file is whole. Raises OSError, TranscriptError."""
    data = read_saved(path)
    return load(data[: whole(data)])


def _facts_in(path: Path) -> Facts | None:
    """Return what a file tells as far as it is whole, or None if it is no saved game of this version."""
    try:
        return Facts.of(table_in(path))
    except (OSError, TranscriptError):
        return None
