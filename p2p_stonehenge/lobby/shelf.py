"""The saved games of a home as a player knows them: which game, with whom, when, and whose turn it is.

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

from engine import Result, Turn, all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.setup import is_bot
from p2p_stonehenge.storage.home import SAVED_LIMIT, SUFFIX, Home, explained, letters_of, put, read_json, read_saved
from p2p_stonehenge.table.agreed import plays_as_team
from p2p_stonehenge.table.exits import told as told_exit
from p2p_stonehenge.table.scores import game_told, match_goes_on, score_told
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.times import day
from protocol import (
    FIRST_GAME,
    LOCAL,
    Exit,
    Series,
    Table,
    TranscriptError,
    id_bytes,
    id_text,
    is_void,
    load,
    score_after,
    whole,
)

SHELF = "shelf.json"
_FORM = 8
"""Of `shelf.json`; a file of another form is made anew."""
_LAST_DAY = 253370764800.0
"""The first second of the year 9999."""
GONE_ON, DECIDED = "goes on at another table", "over at another table"
"""What became of a game without an end that another saved game has gone on from, or has decided for its match."""
ALONE = "alone"
"""With whom a game is played that needs nobody else."""
RESUME = "resume"
"""The command that goes on with a game: it has no use for one that is over."""


class Facts(NamedTuple):
    """What one file tells. `turn`: the seat to move, 0 if none is; `result` is None while the game goes on."""

    table: str
    """The beginning of the table's id, which the file need not be named by: a player may have renamed or copied it."""
    game: str
    kind: str
    seats: tuple[tuple[str, str, int], ...]
    """Of each seat: the id as text, the name, and the seat whose client plays it."""
    plies: int
    turn: int
    result: Result | None
    series: Series
    live: tuple[int, ...]
    """The seats that still play, or of a game that is over those that did until its last action."""
    gone: tuple[str, ...]
    """Of each seat how it left the game before its end, as `Exit` names it; empty if it did not, or by the rules of
    the game."""
    origin: bytes
    """The id of the table that this one goes on from, empty if there is none."""
    void: bool
    """Whether two versions of an event ended the game, and nobody has won: another table can go on from it."""

    @classmethod
    def of(cls, table: Table) -> "Facts":
        """Return what a table tells now."""
        body, fold = table.charter.body, table.fold
        due = table.game.pending(table.state)
        turn = due.seat if isinstance(due, Turn) else 0
        seats = tuple((id_text(seat.id), seat.name, seat.operator) for seat in body.seats)
        series = FIRST_GAME if plays_as_team(table.charter) else body.series
        last = fold.log[-1].before if fold.result and fold.log else table.state
        name, live = letters_of(table.id), table.game.live(last)
        gone = {done.actor: done.exit.value for done in fold.log if done.exit}
        how = tuple(gone.get(seat, "") for seat in range(1, len(seats) + 1))
        origin, void = body.origin.table if body.origin else b"", is_void(table)
        return cls(name, body.game, body.kind, seats, len(fold.log), turn, fold.result, series, live, how, origin, void)

    @property
    def leads_on(self) -> bool:
        """Return whether this is a game of a match that is over, and with which nobody has won the match."""
        return self.result is not None and match_goes_on(self.series, all_games()[self.game], self.result)

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot plays a seat."""
        _, name, operator = self.seats[seat - 1]
        return is_bot(self.kind, seat, name, operator)

    @property
    def bots_play_on(self) -> bool:
        """Return whether nobody but bots plays a game on one computer to its end: the people there are out.

        Not of a match, whose next game comes when the bots have ended this one.
        """
        if self.kind != LOCAL or self.result or self.series.match:
            return False
        people = {seat for seat in range(1, len(self.seats) + 1) if not self.is_bot(seat)}
        return bool(people) and not people & {*self.live}


class Saved(NamedTuple):
    """A saved game. `own` are the seats that this player's client plays, `names` what the seats are called here."""

    path: Path
    played: float
    """When something happened last, in seconds of the system's clock."""
    facts: Facts
    own: tuple[int, ...]
    names: tuple[str, ...]
    unfinished: bool
    """Whether the player, or friends whose game it is, can go on with the game."""
    between: bool = False
    """Whether the game is over, and its match, which the player has not left, goes on with another one."""
    open: bool = False
    """Whether the game goes on, and another program, in another window, has it open."""
    elsewhere: str = ""
    """What became of the game at another table, as another saved game tells; empty if nothing did. See `GONE_ON`."""

    @property
    def table(self) -> str:
        """Return the beginning of the table's id."""
        return self.facts.table

    def is_table(self, game: str, title: str) -> bool:
        """Return whether this is the table that is announced so: by its game and the beginning of its id.

        A table that awaits players has none yet.
        """
        return title != "" and game == self.facts.game and self.table.startswith(title)

    @property
    def title(self) -> str:
        """Return what the game is called."""
        return all_games()[self.facts.game].title

    @property
    def people(self) -> tuple[int, ...]:
        """Return the seats of this table at which people of this computer sit."""
        return tuple(seat for seat in self.own if not self.facts.is_bot(seat))

    @property
    def others(self) -> tuple[str, ...]:
        """Return the ids of the people at other computers, as text."""
        seats = enumerate(self.facts.seats, 1)
        return tuple(id for seat, (id, _, operator) in seats if operator == seat and seat not in self.own)

    @property
    def _elsewhere(self) -> list[int]:
        """Return the seats at which people at other computers sit."""
        seats = range(1, len(self.names) + 1)
        return [seat for seat in seats if seat not in self.own and not self.facts.is_bot(seat)]

    def opponents(self) -> tuple[str, ...]:
        """Return the names of the people at other computers."""
        return tuple(self.names[seat - 1] for seat in self._elsewhere)

    @property
    def opponents_by_id(self) -> dict[str, str]:
        """Return the names of the people at other computers, by id as text."""
        return {self.facts.seats[seat - 1][0]: self.names[seat - 1] for seat in self._elsewhere}

    @property
    def watched(self) -> bool:
        """Return whether this player had no seat at a table of others, and looked on."""
        return self.facts.kind != LOCAL and not self.own

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots."""
        return tuple(name for seat, name in enumerate(self.names, 1) if self.facts.is_bot(seat))

    def company(self, where: Mapping[str, str] = {}, *, bots: bool = True) -> str:
        """Return with whom the game is played: `anna (waiting), ben`, `anna, ben (all here)`, `bot Brigid`.

        `where` says where those are who are seen, by id as text; without `bots` these are left out.
        """
        words = [where.get(self.facts.seats[seat - 1][0], "") for seat in self._elsewhere]
        alike = len(words) > 1 and len({*words}) == 1 and words[0]
        named = zip(self.opponents(), words, strict=True)
        parts = [f"{name}{f' ({word})' if word and not alike else ''}" for name, word in named]
        if alike:
            parts[-1] += f" (all {alike})"
        if len(self.people) > 1:
            parts.append(f"{len(self.people)} at one keyboard")
        if self.bots and bots:
            parts.append(self.bots[0] if len(self.bots) == 1 else f"{len(self.bots)} bots")
        return ", ".join(parts) or ALONE

    @property
    def _was_out(self) -> bool:
        """Return whether no person of this computer plays any more, or did at the end: they have lost."""
        return bool(self.people) and not {*self.people} & {*self.facts.live}

    @property
    def out(self) -> bool:
        """Return whether the game goes on without this player, who has resigned or was left behind."""
        return self.unfinished and self._was_out

    @property
    def bots_play_on(self) -> bool:
        """Return whether this player may watch how bots play on a game on this computer; see `Facts`."""
        return bool(self.own) and self.facts.bots_play_on

    @property
    def goes_on(self) -> tuple[str, ...]:
        """Return the words of the command that goes on with the game, or with its match; none where nothing does."""
        if self.between and self.facts.kind != LOCAL:
            return "host", "--from", self.table
        return (RESUME, self.table) if self.unfinished or self.between else ()

    def whose_turn(self) -> str:
        """Return whose turn it is: `your turn`, `ben's turn`, or nothing: chance acts, or nobody can go on.

        Of a game that was gone on from, or decided, at another table: that. Of a game on this computer that goes on
        without its people: `you are out`. Of one among friends how this player left it.
        """
        turn = self.facts.turn
        if self.elsewhere:
            return self.elsewhere
        if self.out and self.facts.kind == LOCAL:
            return "you are out"
        if self.out:
            gone = next((gone for seat in self.people if (gone := self.facts.gone[seat - 1])), "")
            return told_exit(Exit(gone)).briefly if gone else "out"
        if not turn or not self.unfinished:
            return ""
        return "your turn" if (turn,) == self.people else f"{quoted(self.names[turn - 1])}'s turn"

    def score(self) -> str:
        """Return how the game ended for this player: `won`, `lost`, `drawn`; if not, `unfinished` or why not."""
        result = self.facts.result
        if result is None:
            going = "unfinished" if self.unfinished else "broken off" if self.own else "as far as you watched"
            return "lost" if self._was_out else going
        if not result.winners:
            return "drawn" if all_games()[self.facts.game].draws and not self._was_out else "lost"
        if len(self.people) != 1:
            return f"{' and '.join(quoted(self.names[seat - 1]) for seat in result.winners)} won"
        return "won" if self.people[0] in result.winners else "lost"

    def game_of_match(self) -> str:
        """Return how the match, or the evening, stands to which this game belongs: after it, if it is over.

        Nothing of a first game outside of a match.
        """
        series, result = self.facts.series, self.facts.result
        if result:
            return score_told(series, all_games()[self.facts.game], result, self.names)
        return game_told(series, self.names)

    def match(self) -> str:
        """Return the score now of the match to which the game belongs, `match 2-1`, nothing if it belongs to none.

        Of more than two seats the own points, and of the others the most: `match: you 0, best 1`.
        """
        points = self.match_points()
        own, *others = points.split("-")
        if len(others) < 2 or len(self.people) != 1:
            return f"match {points}" if points else ""
        most = max(map(int, others))
        return f"match: you {own}, {'next' if int(own) > most else 'best'} {most}"

    def match_points(self) -> str:
        """Return that score alone, own points first: `2-1`."""
        series, result = self.facts.series, self.facts.result
        if not series.match:
            return ""
        before = series.points or (0,) * len(self.names)
        points = score_after(series, all_games()[self.facts.game], result) if result else before
        seats = sorted(range(len(points)), key=lambda place: place + 1 not in self.people)
        return "-".join(str(points[place]) for place in seats)

    def told(self, now: float) -> str:
        """Return the game in words: `Kingamon with anna, today 19:40, your turn`."""
        company = self.company()
        whom = company if company == ALONE else f"{'with' if self.people else 'between'} {company}"
        among = f"{self.title} {whom}"
        watched = "watched" * (self.watched and self.facts.result is not None)
        how = self.whose_turn() or self.score()
        end = "end unknown" * (self.out and self.facts.kind != LOCAL and not self.elsewhere)  # there may be one by now
        bots = "the bots play on" * self.bots_play_on
        parts = (among, day(self.played, now), watched, how, end, bots, "open in another window" * self.open)
        return ", ".join(part for part in parts if part)


class _After:
    """What the games of one player that this player had a seat in say of the tables before them."""

    def __init__(self, own: Iterable[Facts]) -> None:
        own = [*own]
        self._followed = {letters_of(told.series.table) for told in own if told.series.games}
        self._gone_on = {letters_of(told.origin) for told in own if told.origin}
        self._decided: dict[bytes, set[str]] = {}
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

    def _decided_as(self, facts: Facts) -> set[str]:
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
        readable = [
            (name, size, time, told)
            for name, (size, time, told) in self._facts.items()
            if told and told.game in all_games()
        ]
        # Players of whose game this one is a spectator may name any table as the one before theirs.
        after = _After([told for *_, told in readable if self._own_seats(told)])
        found = [self._saved(name, _dated(time), told, after) for name, _, time, told in self._once(readable)]
        yield from sorted(found, key=lambda one: (not one.unfinished, bool(one.elsewhere), one.out, -one.played))

    def unreadable(self) -> list[tuple[str, str]]:
        """Return the names among the saved games that are none of this version, or damaged; and what else they are.

        That is `a folder`, `a link to nothing` or, of a pipe, `no file`; nothing for a file.
        """
        files = [(name, "") for name, (_, _, told) in self._facts.items() if not told or told.game not in all_games()]
        others = [
            (path.name, "a folder" if path.is_dir() else "a link to nothing" if path.is_symlink() else "no file")
            for path in self._paths(files=False)
        ]
        return sorted([*files, *others])

    @cached_property
    def _facts(self) -> "dict[str, tuple[int, int, Facts | None]]":
        """Return what each file tells, as `_kept` does, and keep it."""
        kept, facts = self._kept(), {}
        for path, size, time in self._files():
            entry = kept.get(path.name)
            told = entry[2] if entry and entry[:2] == (size, time) else _read(path)
            facts[path.name] = (size, time, told)
        if facts != kept:
            self._keep(facts)
        return facts

    def is_behind(self, games: "Collection[Saved]") -> bool:
        """Return whether another program has changed the saved games since these were read; to look reads none.

        Not by what it adds to a game that it has open: that game is read when it is left.
        """
        taken = {one.path.name for one in games if one.open}
        if any(one.open and not self._home.is_open(one.table) for one in games):
            return True
        now = {path.name: (size, time) for path, size, time in self._files() if path.name not in taken}
        return now != {name: entry[:2] for name, entry in self._facts.items() if name not in taken}

    def note(self, path: Path, table: Table) -> None:
        """Keep what a table tells that was just left, which saves reading its file again."""
        try:
            stat = path.stat()
        except OSError:  # deleted, or moved away: nothing is to be kept of it
            return
        self._keep(self._kept() | {path.name: (stat.st_size, stat.st_mtime_ns, Facts.of(table))})

    def _once(self, files: "Iterable[tuple[str, int, int, Facts]]") -> "Iterable[tuple[str, int, int, Facts]]":
        """Return one file of each table: the file named by the table's id, which is played on, else the longest."""

        def rank(file: tuple[str, int, int, Facts]) -> tuple[bool, int, int, str]:
            name, size, _, told = file
            return name == self._home.saved(told.table).name, told.plies, size, name

        return {file[3].table: file for file in sorted(files, key=rank)}.values()

    def _files(self) -> list[tuple[Path, int, int]]:
        found = []
        with explained(self._home.games):
            for path in self._paths(files=True):
                stat = path.stat()
                found.append((path, stat.st_size, stat.st_mtime_ns))
        return sorted(found)

    def _paths(self, *, files: bool) -> list[Path]:
        """Return what is named like a saved game and is a file, or what is not."""
        named = (path for path in self._home.games.iterdir() if path.name.endswith(SUFFIX))
        return [path for path in named if path.is_file() == files]

    def _saved(self, name: str, played: float, facts: Facts, after: "_After") -> Saved:
        """Return what a file tells; `after`: which games the other files say were followed, or gone on from."""
        ids, own = [id_bytes(id) for id, _, _ in facts.seats], self._own_seats(facts)
        names = tuple(safe(name) for _, name, _ in facts.seats)
        if facts.kind != LOCAL:
            names = known.names(self._home, self._own, list(zip(ids, names, strict=True)))
        resumable = facts.kind == LOCAL or self._home.kept_secret(facts.table) is not None
        going = facts.result is None and bool(own) and resumable
        unfinished = going and not facts.bots_play_on
        goes_on = facts.leads_on and bool(own) and not after.is_followed(facts)
        between = goes_on and not self._home.has_left_match(facts.table)
        is_open = going and self._home.is_open(facts.table)
        elsewhere = after.elsewhere(facts) if going else ""
        return Saved(self._home.games / name, played, facts, own, names, unfinished, between, is_open, elsewhere)

    def _own_seats(self, facts: Facts) -> tuple[int, ...]:
        """Return the seats that this player's client plays."""
        operators = enumerate((operator for _, _, operator in facts.seats), 1)
        return tuple(seat for seat, operator in operators if id_bytes(facts.seats[operator - 1][0]) == self._own)

    def _kept(self) -> "dict[str, tuple[int, int, Facts | None]]":
        """Return what is kept of each file: its size, its time, and what it tells, None if it cannot be read."""
        try:
            value = read_json(self._home.path / SHELF, SAVED_LIMIT)
            if value["form"] != _FORM or value["checksum"] != _checksum(value["games"]):
                return {}
            return {name: (size, time, _unpacked(facts)) for name, (size, time, facts) in value["games"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            return {}

    def _keep(self, kept: "Mapping[str, tuple[int, int, Facts | None]]") -> None:
        games = {name: (size, time, facts and _packed(facts)) for name, (size, time, facts) in kept.items()}
        with contextlib.suppress(Failure):  # on a full or read-only disk all is read anew each time
            value = {"form": _FORM, "checksum": _checksum(games), "games": games}
            put(self._home.path / SHELF, json.dumps(value).encode(), replace=True)


def _checksum(games: Any) -> int:
    """Return what tells that the list was damaged or altered: what it says of a game is not checked any more."""
    return zlib.crc32(json.dumps(games).encode())


def _dated(nanoseconds: int) -> float:
    """Return the time of a file in seconds, within the years that there are words for: some disks tell any time."""
    return min(max(nanoseconds / 1e9, 0.0), _LAST_DAY)


def _packed(facts: Facts) -> dict[str, Any]:
    match, games, table, points = facts.series
    result = facts.result and facts.result._asdict()
    series = [match, games, table.hex(), list(points)]
    return facts._asdict() | {"result": result, "series": series, "origin": facts.origin.hex()}


def _unpacked(value: Any) -> Facts | None:
    if value is None:
        return None
    result, (match, games, table, points) = value["result"], value["series"]
    seats = tuple((str(id), str(name), int(operator)) for id, name, operator in value["seats"])
    return Facts(
        str(value["table"]),
        str(value["game"]),
        str(value["kind"]),
        seats,
        int(value["plies"]),
        int(value["turn"]),
        result and Result(tuple(result["winners"]), tuple(result["points"]), str(result["reason"])),
        Series(int(match), int(games), bytes.fromhex(table), tuple(map(int, points))),
        tuple(map(int, value["live"])),
        tuple(map(str, value["gone"])),
        bytes.fromhex(value["origin"]),
        bool(value["void"]),
    )


def table_in(path: Path) -> Table:
    """Return the table of a saved game, as far as its file is whole. Raises OSError, TranscriptError."""
    data = read_saved(path)
    return load(data[: whole(data)])


def _read(path: Path) -> Facts | None:
    """Return what a file tells as far as it is whole, or None if it is no saved game of this version."""
    try:
        return Facts.of(table_in(path))
    except (OSError, TranscriptError):
        return None
