"""The other clients of a table among peers: which are here, since when, and for whom the game waits."""

import time
from collections.abc import Collection

from engine import listed
from p2p_stonehenge.table.session import ALL_HERE
from p2p_stonehenge.table.shown import ShownTable
from protocol import Attending, Node

ASLEEP = 5.0
"""Seconds between two looks from which on this computer, or the program, counts as having slept meanwhile."""
WAKING = 15.0
"""Seconds after that in which links that break are of this computer's doing, and are made anew."""


class Presence:
    """Knows which clients of one table are here. A client is named by its operator: the seat of its player."""

    def __init__(self, session: ShownTable, node: Node) -> None:
        self._session = session
        self._seats = session.table.charter.body.seats
        clients = session.table.charter.body.clients
        self.seat_of = {id: seat for id, seat in clients.items() if id in node.peers}
        """The operators of the other clients, by the ids of those."""
        self._people = session.roster
        self._latest, self._wall = 0.0, time.time()
        """The last look, by both clocks: a clock that only goes forward may stand still while a computer sleeps."""
        self._woke = float("-inf")
        """When this computer woke last."""
        self._unread: dict[int, float] = {}
        """For each operator since when it was away when the player here was told that it does not read what is said."""
        self.waits_for: object = None
        """What the table waited for at the last look."""
        self.waits_since = 0.0
        """When the table began to wait for that, or this computer woke since."""

    # The clock

    def now(self) -> float:
        """Return the time of the clock that `look` is given."""
        return max(self._latest, time.monotonic())

    def look(self, now: float) -> float:
        """Note a look at the clocks; return for how many seconds this computer has slept since the last one, or 0.

        The others were not gone in that time. What was waited for begins to be waited for when this computer wakes.
        """
        wall = time.time()
        gap = max(now - self._latest, wall - self._wall) if self._latest else 0.0
        self._latest, self._wall = now, wall
        if gap <= ASLEEP:
            return 0.0
        self._woke = self.waits_since = now
        return gap

    @property
    def wakes(self) -> bool:
        """Return whether this computer has slept until just now."""
        return self.now() <= self._woke + WAKING

    @property
    def place(self) -> object:
        """Return what the table waits for; an epoch in which nobody leaves goes on waiting for the same."""
        return self._session.position.slot.place

    def await_slot(self) -> None:
        """Restart the waiting time if another slot is open."""
        if self.waits_for != (place := self.place):
            self.waits_for, self.waits_since = place, self.now()

    @property
    def waited(self) -> float:
        """Return the waiting time: for how many seconds the table has waited for the open slot."""
        return self.now() - self.waits_since

    # Who is here

    def operator(self, seat: int) -> int:
        """Return the seat whose client plays `seat`."""
        return self._seats[seat - 1].operator

    def absent(self) -> list[int]:
        """Return the operators that are not here, also of seats that play no more."""
        return [operator for operator in sorted(self.seat_of.values()) if not self._people[operator].here]

    def unread(self) -> str:
        """Return in a sentence who does not read what is said now, of each absence once; else nothing."""
        away = {operator: self._people[operator].since for operator in self.absent()}
        news = [
            self._session.speaker(operator) for operator, since in away.items() if self._unread.get(operator) != since
        ]
        self._unread = away
        one = len(news) == 1
        return f"{listed(news)} {'is' if one else 'are'} not here and {'does' if one else 'do'} not read that." * bool(
            news
        )

    @property
    def here(self) -> list[bytes]:
        """Return the ids of the other clients that are at this table."""
        absent = {*self.absent()}
        return [id for id, operator in self.seat_of.items() if operator not in absent]

    def missed(self) -> list[int]:
        """Return the operators of live seats that are not here."""
        playing = self.playing
        return [operator for operator in self.absent() if operator in playing]

    @property
    def company(self) -> bool:
        """Return whether a player of another client is here, or all seats are played by this one."""
        return not self.seat_of or len(self.absent()) < len(self.seat_of)

    @property
    def departed(self) -> tuple[bytes, ...]:
        """Return the other clients whose players have left by wish."""
        return tuple(id for id, seat in self.seat_of.items() if self._people[seat].has_left)

    def away(self, seat: int) -> str:
        """Return how long a seat's client has been away, and why; empty if it is here or, in a game, plays no more."""
        operator, over = self.operator(seat), self._session.result is not None
        missed = self.absent() if over else self.missed()
        return self._people[operator].away_for(None if over else self.now()) if operator in missed else ""

    def status(self) -> str:
        """Return which players are not here; if none is missing, whether all are here or all who still play."""
        away, over = self.absent(), self._session.result is not None
        told = self._people.status(away, None) if over else self._people.status(self.missed(), self.now())
        return told or ALL_HERE[bool(away)]

    def attendance(self) -> list[tuple[int, Attending, int]]:
        """Return of each other client its seat, how it is there as in Attendance, and for how many seconds."""
        now, found = self.now(), []
        for seat in sorted(self.seat_of.values()):
            person = self._people[seat]
            since = now if person.became is Attending.UNREACHED else person.since
            found.append((seat, person.became, max(0, round(now - since))))
        return found

    # Who plays

    @property
    def playing(self) -> set[int]:
        """Return the operators of live seats."""
        session = self._session
        return {self.operator(seat) for seat in session.game.live(session.state)}

    @property
    def staying(self) -> set[int]:
        """Return the operators of live seats that have not resigned."""
        shown = self._session.shown
        return {self.operator(seat) for seat in shown.position.live if seat not in shown.resigned}

    @property
    def only_two(self) -> bool:
        """Return whether at most two clients are left, of which none can go on without the other."""
        return len(self.playing) < 3

    def may_be_left_behind(self) -> bool:
        """Return whether the others could go on without the player here."""
        session = self._session
        return session.result is None and session.table.own.operator in self.playing and not self.only_two

    def awaited(self) -> tuple[int, ...]:
        """Return the seats of others that the table waits for: to be heard, to agree, or to give what they owe."""
        shown, own = self._session.shown, self._session.table.own.signers
        owing = shown.unheard or (shown.missing if shown.has_agreed else shown.owing)
        return tuple(seat for seat in owing if seat not in own)

    def seats_playing(self, operators: set[int]) -> list[int]:
        """Return the live seats of these operators."""
        session = self._session
        return [seat for seat in session.game.live(session.state) if self.operator(seat) in operators]

    def bots_of(self, operator: int) -> list[int]:
        """Return the live seats that a client plays besides that of its player."""
        return [seat for seat in self.seats_playing({operator}) if seat != operator]

    @property
    def own_bots(self) -> list[int]:
        """Return the live seats of bots that this client plays beside its player: they leave with that player."""
        return self.bots_of(self._session.table.own.operator)

    def meanwhile(self) -> str:
        """Return, as sentences after others, what becomes of the game if the player here leaves it for now."""
        told, bots = "", [self._session.speaker(seat) for seat in self.own_bots]
        if bots and self._session.result is None:
            one = len(bots) == 1
            told = f" Your bot{'s' * (not one)}, {listed(bots)}, {'leaves' if one else 'leave'} with you:"
            told += f" until then the game waits for {'it' if one else 'them'}."
        if self.may_be_left_behind():
            told += f" If the others do not wait, they can go on without {'them' if self._session.out else 'you'}."
        return told

    def named(self, operator: int, seats: Collection[int] = ()) -> str:
        """Return how a client's player is called, or its bots where these `seats`, or all that play, are bots."""
        session, own = self._session, self._session.label(operator)
        bots = [seat for seat in seats or self.seats_playing({operator}) if self.operator(seat) == operator]
        if operator in bots or not bots:
            return own
        return f"{listed([session.label(seat) for seat in bots])} on the computer of {own}"
