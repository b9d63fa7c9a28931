"""What tables on one machine and tables among peers share: a table of the protocol as a session."""

from collections.abc import Sequence
from typing import Any

from p2p_stonehenge.endings import outcome
from p2p_stonehenge.people import People
from p2p_stonehenge.session import Note, Ply, Session
from protocol import Charter, Table

TITLE_LETTERS = 4
"""Letters of the table id that people see and type."""


def title_of(table: bytes) -> str:
    """Return what the table with this id is called."""
    return table.hex()[:TITLE_LETTERS]


class TableSession(Session):
    """A protocol table behind the session."""

    def __init__(self, table: Table, people: Sequence[int]) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.names = tuple(seat.name for seat in table.charter.body.seats)
        self.people = tuple(people)
        self.title = title_of(table.id)
        self.team = plays_as_team(table.charter)
        self.roster = People({seat: (self.speaker(seat), self.label(seat)) for seat in range(1, len(self.names) + 1)})

    @property
    def state(self) -> Any:
        return self.seen_by(self.people[0]) if len(self.people) == 1 else self.table.state

    def seen_by(self, seat: int) -> Any:
        """Return the state as `seat` may see it, for the bot or the person that plays it."""
        return self.table.view(seat)

    def fate(self, seat: int) -> str:
        return self.roster[seat].fate or super().fate(seat)

    def _voters(self, target: int) -> str:
        """Return which players voted a seat out: the authors of the latest votes against it."""
        seats = self.table.charter.body.seats
        votes = [vote for vote in self.table.fold.votes if vote.body == (target,)]
        voters = sorted({seats[vote.seat - 1].operator for vote in votes if vote.slot == votes[-1].slot})
        return " and ".join("you" if seat in self.people else self.label(seat) for seat in voters)

    def _tell_plies(self) -> None:
        """Tell what the fold applied since the last time."""
        log = self.table.fold.log
        first = self.table.fold.changes()
        if first < len(self.plies):
            del self.plies[first:]
            self.roster.take_back(first)
            self.tell(Note("Two events crossed: the last moves stand in another order now.", urgent=True))
        for number in range(first, len(log)):
            actor, action, before, hands, removed = log[number]
            if action == "resign":
                cheated = actor in {cheat.seat for cheat in self.table.fold.position.cheats}
                fate = "was voted out" if removed else "is out for cheating" if cheated else "has resigned"
                self.roster.leave_game(actor, number, fate)
            self.tell(Ply(number + 1, actor, action, self.game.story(before, actor, action)))
            if removed:
                text = f"{self.label(actor)} was voted out by {self._voters(actor)}, which counts as resigning."
                if actor in self.people:
                    text = f"You were voted out by {self._voters(actor)}: you may watch on, or `quit`."
                self.tell(Note(text, urgent=True))
            if hands:
                seats = len(hands.dealing.drawing.live)
                self.tell(Note(f"Cards shuffled by {seats} of {seats}, all proofs checked."))


def plays_as_team(charter: Charter) -> bool:
    """Return whether all seats of a table win or lose together."""
    return dict(charter.body.options).get("cooperative") == "true"


def outcome_of(table: Table) -> str:
    """Return how the game of a table ended, with the winners named, or nothing while it goes on."""
    result, names = table.fold.position.result, [seat.name for seat in table.charter.body.seats]
    return outcome(result, (), names, draws=table.game.draws, team=plays_as_team(table.charter)) if result else ""


def own_seats(charter: Charter, id: bytes) -> tuple[int, ...]:
    """Return the seats that the client with this id plays: its own and its bots'."""
    seats = charter.body.seats
    return tuple(number for number, seat in enumerate(seats, 1) if seats[seat.operator - 1].id == id)
