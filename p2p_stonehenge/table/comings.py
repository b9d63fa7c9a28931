"""What the player at a table among peers reads of players who come and go, and what can be done about a missing one."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from engine import listed
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.proposals import ANSWER_TIME, ASKED_ENOUGH, GOES_ON, Proposals
from p2p_stonehenge.table.session import Note, Question
from p2p_stonehenge.table.shown import ShownTable
from p2p_stonehenge.text.names import alike, quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.times import spell
from protocol import LeaveReason, SlotKind, table_named

MISSED_AFTER = 3.0
"""Seconds from the first look at a table until the player is told which clients no link has led to yet."""
ADVISE_AFTER = 30.0
"""Seconds that a player is missing before the others are told what can be done."""
HEARD_SOON = 10.0
"""Seconds that a resumed client waits to hear the others before its player is told what can be done."""
SETTLING = 2.0
"""Seconds that clients have to agree that nobody leaves, as most do at once, before it is told that this takes time."""
NEWEST = "if you have always played it on this computer, `newest`"
"""On what condition a player need not wait for others to be heard."""
MORE_HEARD = "Another player has said how far the game had come: type it again."
"""Why a player is not asked any more whether the own copy is the newest."""


class Advice(NamedTuple):
    """What can be done about those that the table waits for."""

    text: str
    """A sentence, or more; empty where nothing can be advised."""
    after: float
    """For how many seconds that has to be so before it is told."""


NO_ADVICE = Advice("", 0.0)


class PlacedAdvice(NamedTuple):
    """What can be done at one place of the game."""

    place: object
    text: str


class Comings:
    """Notes the players who come and go at one table. The methods return what there is to tell."""

    def __init__(
        self,
        session: ShownTable,
        presence: Presence,
        proposals: Proposals,
        elsewhere: Callable[[bytes], str],
        nick_of: Callable[[bytes], str],
    ) -> None:
        """`elsewhere` returns in a sentence where a player is who has left this table, or nothing.

        `nick_of` returns what a peer calls itself now.
        """
        self._session, self._elsewhere, self._nick_of = session, elsewhere, nick_of
        self.presence, self.proposals = presence, proposals
        self._people = session.roster
        self._silent: set[bytes] = set()
        """The clients with a link that have not spoken of this table on it: they may be at another one."""
        self._renamed: set[int] = set()
        """The players of whom it was told that they go by another name now."""
        self._began: float | None = None
        """When the table was looked at first."""
        self._advice: PlacedAdvice | None = None
        """What could be advised at the last look."""
        self._advise_at = 0.0
        """When that is told; never again once it was."""

    # What is noted

    def look(self, now: float) -> list[Note]:
        """Return which players have not been reached and what can be done about missing ones."""
        self.presence.await_slot()
        self._began = now if self._began is None else self._began
        told: list[Note] = []
        if now >= self._began + MISSED_AFTER and not self.presence.wakes and not self._session.shown.unheard:
            for seat in self.presence.missed():
                told += self._lose(seat, now)
        return told + self._advise(now)

    def look_at_the_end(self) -> list[Note]:
        """Return, once the game is over, who was not reached again after this computer had slept, each once."""
        if self._session.result is None or self.presence.wakes:
            return []
        missed = [(peer, seat) for peer, seat in self.presence.seat_of.items() if self._people.miss(seat)]
        told = (self._at_the_end(peer, f"has not been reached {self._people[seat].not_yet}") for peer, seat in missed)
        return [note for notes in told for note in notes]

    def note_time(self, now: float) -> list[Note]:
        """Note a look at the clocks; return that this computer has slept since the last one, if it has."""
        if not (slept := self.presence.look(now)):
            return []
        self._advice = None
        if not self.presence.seat_of or self._session.result is not None:
            return []
        what = f"This computer was asleep, or this program stopped, for {spell(round(slept))}"
        told = f"{what}: reaching the others again."
        return [Note(told, urgent=True, stands=lambda: self.presence.wakes or bool(self.presence.missed()))]

    def link(self, peer: bytes, up: bool) -> list[Note]:
        """Note a link that came up or went down."""
        seat, now = self.presence.seat_of[peer], self.presence.now()
        slept = self.note_time(now)
        if up:
            self._silent.add(peer)
            return slept
        self._silent.discard(peer)
        if self.presence.wakes:
            self._people.expect(seat, now)
            return slept
        left = self._people[seat].has_left
        told = self._lose(seat, now)
        return told if left else told + self._at_the_end(peer, "does not answer any more")

    def hear(self, peer: bytes, data: bytes) -> list[Note]:
        """Note by a message that a player is at this table."""
        if peer not in self._silent or table_named(data) != self._session.table.id:
            return []
        self._silent.discard(peer)
        seat = self.presence.seat_of[peer]
        back = self._people.arrive(seat, self.presence.now())
        told = self._told_of(seat, back) + (self._at_the_end(peer, "is back") if back else [])
        return told + self._told_of_name(peer, seat)

    def _told_of_name(self, peer: bytes, seat: int) -> list[Note]:
        """Return, once, that a player goes by another name now than at this table, where the name stays."""
        session, nick = self._session, self._nick_of(peer)
        names = session.names[seat - 1], session.table.charter.body.seats[seat - 1].name
        if seat in self._renamed or any(alike(nick, name) for name in names):
            return []
        self._renamed.add(seat)
        return [Note(f"{session.label(seat)} goes by {quoted(nick)} now: at this table the name stays.")]

    def begin(self, peer: bytes) -> None:
        """Note a link that stands already."""
        self._people.seat(self.presence.seat_of[peer], self.presence.now())

    def leave(self, seat: int, reason: LeaveReason) -> list[Note]:
        """Note that a player leaves by wish."""
        plays = seat in self.presence.staying
        ways = f"{self._waiting}, or `adjourn` too: `{command_here()} resume {self._session.short_id}` brings all back"
        ways = ways if reason == LeaveReason.ADJOURN else self._ways(seat)
        adjourned, bots, out = reason == LeaveReason.ADJOURN, self._bots_there(seat), self._out_by_time(seat)
        ways, now = ways if plays else "", self.presence.now()
        told = self._people.leave(seat, now, adjourned=adjourned, ways=ways, bots=bots, out=out)
        peer = next(id for id, one in self.presence.seat_of.items() if one == seat)
        return self._told_of(seat, told, urgent=plays) + (self._at_the_end(peer, "has left the table") if told else [])

    def _lose(self, seat: int, now: float) -> list[Note]:
        """Note that a player is not reached; return that, and what can be done while the player has a seat."""
        ways = self._ways(seat) if seat in self.presence.playing else ""
        bots = self._bots_there(seat) if ways else ""
        return self._told_of(seat, self._people.lose(seat, now, ways, bots, self._out_by_time(seat)), urgent=True)

    def _at_the_end(self, peer: bytes, what: str) -> list[Note]:
        """Return what is told of a player who goes or comes when the game is over: another game may be wanted."""
        if self._session.result is None or not self._session.stays:
            return []
        alone = "" if self.presence.company else " There is nobody to play again with: `quit` leaves."
        label = self._session.label(self.presence.seat_of[peer])
        return [Note(f"{label} {what}.{alone}{self._elsewhere(peer)}")]

    def _told_of(self, seat: int, text: str, *, urgent: bool = False) -> list[Note]:
        """Return the note of a coming or, if `urgent`, of a going, while that matters to the game."""
        note = Note(text, urgent=urgent, stands=lambda: seat in self.presence.missed())
        return [note] if text and self._session.result is None else []

    # What can be done about a missing player

    def _advise(self, now: float) -> list[Note]:
        """Return what can be done, once a player has been missing for a while; again only when that has changed."""
        text, after = self._advised()
        advice = PlacedAdvice(self.presence.place, text)
        if advice != self._advice:
            self._advice, self._advise_at = advice, now + after
        if not text or now < self._advise_at:
            return []
        self._advise_at = math.inf
        text += self._out_by_time(*self.presence.missed())
        return [Note(text, urgent=True, stands=lambda: self._advice == advice)]

    def _advised(self) -> Advice:
        """Return what can be done about those that the table waits for."""
        session, presence = self._session, self.presence
        position, awaited = session.position, presence.awaited()
        if not {*session.people} & {*position.live}:
            return NO_ADVICE
        if session.shown.unheard:
            return self._about_unheard(awaited)
        away = presence.missed()
        if session.shown.has_agreed:
            return self._about_agreement(awaited, away)
        # A player who is linked may think about a move; what a client gives by itself is withheld if it does not come.
        may_think = position.slot.kind == SlotKind.TURN
        return self._about_missing([seat for seat in awaited if not may_think or presence.operator(seat) in away])

    def _about_agreement(self, awaited: Collection[int], away: Collection[int]) -> Advice:
        """Return what can be done about the seats that have to agree to what this client has signed.

        `away`: the operators that are missing.
        """
        session, presence = self._session, self.presence
        if not away and (back := self.proposals.back_since_wanted()):
            who = f"{listed([session.label(seat) for seat in back])} {'is' if len(back) == 1 else 'are'} back"
            text = f"{who}: unless the others agree with you, {GOES_ON} within about {ANSWER_TIME}."
            return Advice(text, SETTLING)
        missing = [seat for seat in awaited if presence.operator(seat) in away]
        if not missing and away and any(map(self._has_come_back, awaited)):
            names = listed([session.label(seat) for seat in awaited])
            first = "who has come back has to hear all others first, or to type `newest`"
            return Advice(f"Still waiting for {names} to agree: a player {first}.", HEARD_SOON)
        return self._about_missing(self.proposals.refusing(), agree=True)

    def _about_missing(self, missing: Sequence[int], *, agree: bool = False) -> Advice:
        """Return what can be done about missing players: the table waits for these seats to go on, or to `agree`."""
        if not missing:
            return NO_ADVICE
        presence, proposals = self.presence, self.proposals
        # What a bot owes, the client of its operator has to give.
        operators = sorted({presence.operator(seat) for seat in missing})
        names = listed([presence.named(operator, missing) for operator in operators])
        asked = [seat for seat in missing if proposals.was_asked_enough(presence.operator(seat))]
        ways = self._ways((asked or missing)[0])
        if not agree and all(map(self._went_before, operators)):
            # What was told when they went was for another slot.
            return Advice(f"The game waits for {names} now: {ways}.", 0.0)
        # Who is connected may still be thinking: nobody is told to type what would be refused.
        after = ADVISE_AFTER if asked or presence.only_two else ASKED_ENOUGH
        return Advice(f"Still waiting for {names}{' to agree' * agree}: {ways}.", after)

    def _about_unheard(self, unheard: Collection[int]) -> Advice:
        """Return what can be done about the seats that have yet to say how far the game had come.

        It is told at once where others want to go on without one of these, to which the player here cannot agree yet;
        else late, as friends resume a game one after the other.
        """
        session = self._session
        names = listed([session.label(seat) for seat in unheard])
        going_on = [seat for seat, leaving in self.proposals.open_proposals().items() if {*leaving} & {*unheard}]
        if going_on:
            by = f"{listed([session.label(seat) for seat in going_on])} propose{'s' * (len(going_on) == 1)}"
            told = f"{by} to go on without a player whom you have to hear first. {self.first_to_be_heard()}"
            return Advice(f"{told} Then `agree`.", 0.0)
        ways = f"wait, `adjourn` or, {NEWEST}"
        ended = ""
        if not self.presence.company:  # only who hosts, or plays with others, has a client that delivers the end
            one = names if len(unheard) == 1 else "one of them"
            ended = f" If the game has ended without you, ask {one} to host a table of any game: you read the end here."
        return Advice(f"Still waiting for {names}: {ways}.{ended}", ADVISE_AFTER)

    def first_to_be_heard(self) -> str:
        """Return, as a sentence, whom this resumed client has to hear before it signs anything, and what else does."""
        unheard = self._session.shown.unheard
        names = listed([self._session.label(seat) for seat in unheard])
        have = "has" if len(unheard) == 1 else "have"
        return f"First {names} {have} to say how far the game had come: wait or, {NEWEST}."

    def _has_come_back(self, seat: int) -> bool:
        """Return whether the player of a seat is here and came after this client had looked at the table first."""
        person, began = self._people[self.presence.operator(seat)], self._began
        return person.here and began is not None and person.since > began + MISSED_AFTER

    def _went_before(self, operator: int) -> bool:
        """Return whether a player was missed already when the waiting time of the open slot began."""
        person = self._people[operator]
        return self._session.result is None and person.missed and person.since < self.presence.waits_since

    def _ways(self, seat: int) -> str:
        """Return what can be done about a player who is missing: going on without it where the game waits for it."""
        presence, operator = self.presence, self.presence.operator(seat)
        if operator in self._session.shown.dispensable:
            return f"{self._waiting}, `adjourn` or `without {self._session.name_to_type(seat)}`"
        if presence.only_two and operator not in presence.seats_playing({operator}):
            return f"{self._waiting}, `adjourn` or {self.proposals.own_bots}"  # only bots play there
        return f"{self._waiting} or `adjourn`"

    def _out_by_time(self, *operators: int) -> str:
        """Return, as a sentence after others, when those of these players are out for whom the time runs; or nothing.

        Only a player who is missing, and without whom the others may go on, is out when the time is up.
        """
        left, dispensable = self._session.seconds_left, self._session.shown.dispensable
        late = [self._session.speaker(operator) for operator in operators if operator in dispensable]
        if not left or not late:
            return ""
        out, back = (f"{listed(late)} {'is' if len(late) == 1 else 'are'} {state}" for state in ("out", "back"))
        return f" {out} in {spell(left)} unless {back}."

    @property
    def _waiting(self) -> str:
        """Return what is done by a player who does nothing about a missing one."""
        return "play on" if self._session.turn in self._session.people else "wait"

    def _bots_there(self, operator: int) -> str:
        """Return which bots play on the computer of a player who goes, in words that follow a verb; or nothing."""
        names = [self._session.speaker(seat) for seat in self.presence.bots_of(operator)]
        return f"; {listed(names)} play{'s' * (len(names) == 1)} on that computer" if names else ""

    # What is asked

    def ask_newest(self, unheard: tuple[int, ...]) -> Question:
        """Return what to ask before the player goes on from this copy though these seats have not been heard.

        Without such seats, something that the player's later moves rest on is lost.
        """
        names = listed([self._session.label(seat) for seat in unheard])
        text = f"{names} cannot say how far the game had come" if unheard else "Nobody here has what you did next"
        copy = "Yours is the newest copy of this game if you have always played it on this computer"
        old = "a backup that was restored may be older, and to go on from an old copy looks like cheating"
        return Question(f"{text}. {copy}; {old}. Is yours the newest?", unheard, MORE_HEARD)
