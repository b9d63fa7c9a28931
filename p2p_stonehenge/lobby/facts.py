"""What is known of a saved game: what its file tells, and what the player's other files add; both in words."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from engine import Result, Turn, all_games
from p2p_stonehenge.lobby.setup import is_bot
from p2p_stonehenge.storage.home import letters_of
from p2p_stonehenge.table.agreed import plays_as_team
from p2p_stonehenge.table.exits import told as told_exit
from p2p_stonehenge.table.scores import game_told, match_goes_on, score_told
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.times import day
from protocol import FIRST_GAME, LOCAL, Exit, Series, Table, id_text, is_void, score_after

GONE_ON, DECIDED = "goes on at another table", "over at another table"
"""What became of a game without an end that another saved game has gone on from, or has decided for its match."""
ALONE = "alone"
"""With whom a game is played that needs nobody else."""
RESUME = "resume"
"""The command that goes on with a game: it has no use for one that is over."""


class SeatFacts(NamedTuple):
    """What a file tells of a seat."""

    id: str
    """The player's key, as text."""
    name: str
    operator: int
    """The seat whose client plays it."""


class Facts(NamedTuple):
    """What one file tells. `turn`: the seat to move, 0 if none is; `result` is None while the game goes on."""

    table: bytes
    """The table's id, which the file need not be named by: a player may have renamed or copied it."""
    game: str
    kind: str
    seats: tuple[SeatFacts, ...]
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
        seats = tuple(SeatFacts(id_text(seat.id), seat.name, seat.operator) for seat in body.seats)
        series = FIRST_GAME if plays_as_team(table.charter) else body.series
        last = fold.log[-1].before if fold.result and fold.log else table.state
        gone = {done.actor: done.exit.value for done in fold.log if done.exit}
        return cls(
            table=table.id,
            game=body.game,
            kind=body.kind,
            seats=seats,
            plies=len(fold.log),
            turn=turn,
            result=fold.result,
            series=series,
            live=table.game.live(last),
            gone=tuple(gone.get(seat, "") for seat in range(1, len(seats) + 1)),
            origin=body.origin.table if body.origin else b"",
            void=is_void(table),
        )

    @property
    def leads_on(self) -> bool:
        """Return whether this is a game of a match that is over, and with which nobody has won the match."""
        return self.result is not None and match_goes_on(self.series, all_games()[self.game], self.result)

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot plays a seat."""
        told = self.seats[seat - 1]
        return is_bot(self.kind, seat, told.name, told.operator)

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
    def table(self) -> bytes:
        """Return the table's id."""
        return self.facts.table

    @property
    def letters(self) -> str:
        """Return the first letters of the table's id, as commands and lists name the game."""
        return letters_of(self.table)

    def is_table(self, game: str, short_id: str) -> bool:
        """Return whether this is the table that is announced so: by its game and short id.

        A table that awaits players has no short id yet.
        """
        return short_id != "" and game == self.facts.game and self.letters.startswith(short_id)

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
        return tuple(told.id for seat, told in seats if told.operator == seat and seat not in self.own)

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
        return {self.facts.seats[seat - 1].id: self.names[seat - 1] for seat in self._elsewhere}

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
        words = [where.get(self.facts.seats[seat - 1].id, "") for seat in self._elsewhere]
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
            return "host", "--from", self.letters
        return (RESUME, self.letters) if self.unfinished or self.between else ()

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
