"""The other players at a table among peers: which are missed, what can be done about it, and what is asked before."""

import time
from typing import Any

from p2p_stonehenge.session import Note, Question, RefusedError
from p2p_stonehenge.style import spell
from p2p_stonehenge.tables import TableSession
from protocol import ADJOURN, TURN, Node

MISSED_AFTER = 3.0
"""Seconds from the first look at a table until the player is told which clients no link has led to yet."""
ADVISE_AFTER = 30.0
"""Seconds that a player is missing before the others are told what can be done."""
ASKED_ENOUGH = 60.0
"""Seconds for which a player who is connected may think, or be at a question, before a vote or a claim is possible."""


class Presence:
    """Watches the other clients of one table. What there is to tell goes to the session's listeners."""

    def __init__(self, session: TableSession, node: Node) -> None:
        self._session, self._node = session, node
        self._seats = session.table.charter.body.seats
        self._seat_of = {self._seats[one.operator - 1].id: one.operator for one in self._seats}
        self._seat_of = {id: seat for id, seat in self._seat_of.items() if id in node.peers}
        self._people = session.roster
        self._latest = 0.0
        self._began: float | None = None
        self._asked: tuple[object, float] = (None, 0.0)
        """What the table waits for, and since when."""
        self._missing: tuple[Any, float] = (None, 0.0)
        """Which seats were missing for which slot at the last look, and since when; below 0 after advice was given."""

    def now(self) -> float:
        """Return the time of the clock that `look` is given."""
        return max(self._latest, time.monotonic())

    @property
    def two(self) -> bool:
        """Return whether two clients are left, of which neither can vote."""
        session = self._session
        return len({self.operator(seat) for seat in session.game.live(session.state)}) < 3

    # What is noted

    def look(self, now: float) -> None:
        """Note the time, and tell which players have not been reached and what can be done about missing ones."""
        self._latest = now
        self.await_slot()
        self._began = now if self._began is None else self._began
        if now >= self._began + MISSED_AFTER and not self._node.unheard:
            for seat in self.gone():
                self._tell(self._people.lose(seat, now), urgent=True)
        self._advise(now)

    def await_slot(self) -> None:
        """Note since when the table has waited for what it waits for."""
        if self._asked[0] != (slot := self._session.table.fold.position.slot):
            self._asked = (slot, self.now())

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        seat, now = self._seat_of[peer], self.now()
        if up:
            self._tell(self._people.arrive(seat, now))
        else:
            self._tell(self._people.lose(seat, now), urgent=True)

    def begin(self, peer: bytes) -> None:
        """Note a link that stands already."""
        self._people.seat(self._seat_of[peer], self.now())

    def leave(self, seat: int, reason: int) -> None:
        """Note that a player leaves by wish."""
        ways = f"wait, or `adjourn` too: `p2p-stonehenge resume {self._session.title}` brings all back"
        ways = ways if reason == ADJOURN else self._ways(seat)
        told = self._people.leave(seat, self.now(), adjourned=reason == ADJOURN, ways=ways)
        self._tell(told, urgent=True)

    def _tell(self, text: str, *, urgent: bool = False) -> None:
        """Tell of a coming or going, while that matters to the game."""
        if text and self._session.result is None:
            self._session.tell(Note(text, urgent=urgent))

    # What is known

    def gone(self) -> list[int]:
        """Return the operators of live seats that are not here."""
        session = self._session
        live = {self.operator(seat) for seat in session.game.live(session.state)}
        others = sorted(self._seat_of.values())
        return [operator for operator in others if operator in live and not self._people[operator].here]

    def operator(self, seat: int) -> int:
        """Return the seat whose client plays `seat`."""
        return self._seats[seat - 1].operator

    def status(self) -> str:
        """Return which players are not here, or that all are."""
        return self._people.status(self.gone(), self.now())

    def away(self, seat: int) -> str:
        """Return how long a live seat's client has been away, and why; empty if it is here."""
        operator = self.operator(seat)
        return self._people[operator].away_for(self.now()) if operator in self.gone() else ""

    def _asked_for(self) -> str:
        return spell(round(self.now() - self._asked[1]))

    # What is told and asked

    def voted(self, seat: int, target: int) -> str:
        """Return what a player is told of the vote of another."""
        session = self._session
        if target in session.people:
            return f"{session.label(seat)} votes to go on without you: move now."
        state = self.away(target) or f"connected, asked for {self._asked_for()}"
        text = f"{session.label(seat)} votes to go on without {session.label(target)} ({state})."
        return f"{text} `vote {session.call(target)}` agrees." if session.people else text

    def question(self, command: str, seat: int) -> Question:
        """Return what to ask before a vote against a seat that the game waits for, or a claim.

        Raises RefusedError for a seat that is connected and has not been asked for long: its player may be thinking.
        """
        session = self._session
        if command == "claim":
            seat = next(one for one in session.table.fold.owing() if one not in session.table.signers)
        label, away = session.label(seat), self.away(seat)
        state = f"{label}: {away}." if away else f"{label} is connected and has been asked for {self._asked_for()}."
        if not away and self.now() - self._asked[1] < ASKED_ENOUGH and session.left != 0:
            raise RefusedError(f"{state} Give a player at least {spell(round(ASKED_ENOUGH))}.")
        number = len(session.table.fold.operators())
        ask = f"Go on without? If {number // 2 + 1} of {number} players vote so, {session.speaker(seat)} has lost."
        if command == "claim":
            ask = "Write down that you claim the game? Nobody can confirm it."
        return Question(f"{state} {ask}", (self._asked[0], bool(away)))

    def _advise(self, now: float) -> None:
        """Tell what can be done once a player has been missing for a while."""
        session, fold, unheard = self._session, self._session.table.fold, self._node.unheard
        slot, away = fold.position.slot, self.gone()
        # A player who is linked may think about a move; what a client gives by itself is withheld if it does not come.
        missing = unheard or tuple(
            seat
            for seat in fold.owing()
            if seat not in session.table.signers and (slot.kind != TURN or self.operator(seat) in away)
        )
        if not {*session.people} & {*fold.position.live}:
            missing = ()
        if (slot, missing) != self._missing[0]:
            self._missing = ((slot, missing), now)
        elif missing and 0 <= self._missing[1] <= now - ADVISE_AFTER:
            self._missing = ((slot, missing), -1.0)
            names = " and ".join(session.label(seat) for seat in missing)
            ways = self._ways(missing[0])
            if unheard:
                ways = "wait, `adjourn` or `newest` if there is no newer copy of this game"
            elif {*fold.claims()} & {*session.people}:
                ways = "wait or `adjourn`; you have claimed the game"
            session.tell(Note(f"Still waiting for {names}: {ways}.", urgent=True))

    def _ways(self, seat: int) -> str:
        """Return what can be done about a player who is missing."""
        return f"wait, `adjourn` or {'`claim` the game' if self.two else f'`vote {self._session.call(seat)}`'}"
