"""The other players at a table among peers: which are missed, what can be done about it, and what is asked before."""

import time
from collections.abc import Callable, Collection

from engine import listed
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.people import Became
from p2p_stonehenge.table.session import ALL_HERE, Note, Question, RefusedError
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.style import spell
from protocol import ADJOURN, ANSWER, LocalFaultError, Node, SlotKind, table_named

MISSED_AFTER = 3.0
"""Seconds from the first look at a table until the player is told which clients no link has led to yet."""
ADVISE_AFTER = 30.0
"""Seconds that a player is missing before the others are told what can be done."""
HEARD_SOON = 10.0
"""Seconds that a resumed client waits to hear the others before its player is told what can be done."""
ASKED_ENOUGH = 60.0
"""Seconds for which a player who is connected may think, or be at a question, before another one can go on without."""
ASLEEP = 5.0
"""Seconds between two looks from which on this computer, or the program, counts as having slept meanwhile."""
MORE_HEARD = "Another player has said how far the game had come: type it again."
"""Why a player is not asked any more whether the own copy is the newest."""
SETTLING = 2.0
"""Seconds that clients have to agree that nobody leaves, as most do at once, before it is told that this takes time."""
LATELY = 5.0
"""Seconds after a link came up in which what arrives is taken for what was done before."""
GOES_ON = "the game goes on with all"
"""What comes of a proposal to which not all others agree."""
ANSWER_TIME = spell(round(ANSWER))
"""How long the others have to agree to go on without a player who is here."""
WAKING = 15.0
"""Seconds after that in which links that break are of this computer's doing, and are made anew."""


class Presence:
    """Watches the other clients of one table. Its methods return what there is to tell."""

    def __init__(
        self, session: TableSession, node: Node, busy: Callable[[], bool], elsewhere: Callable[[bytes], str]
    ) -> None:
        """`busy` returns whether a thread works on the table, at which nothing may look then.

        `elsewhere` returns in a sentence where a player is who has left this table, or nothing.
        """
        self._session, self._node, self._busy, self._elsewhere = session, node, busy, elsewhere
        self._seats = session.table.charter.body.seats
        clients = session.table.charter.body.clients
        self._seat_of = {id: seat for id, seat in clients.items() if id in node.peers}
        self._people = session.roster
        self._silent: set[bytes] = set()
        """The clients with a link that have not spoken of this table on it: they may be at another one."""
        self._latest, self._wall = 0.0, time.time()
        """The last look, by both clocks: a clock that only goes forward may stand still while a computer sleeps."""
        self._woke = float("-inf")
        """When this computer woke last."""
        self._began: float | None = None
        self._asked: tuple[object, float] = (None, 0.0)
        """What the table waits for, and since when."""
        self._told: list[tuple[int, list[int], object]] = []
        """The agreements that the player was told of: the operator that proposed it, those that leave, `_votes_at`."""
        self._wanted_at = 0.0
        """When the player here last said that the game is to go on without others."""
        self._advice: tuple[object, float] = (None, 0.0)
        """What could be advised at the last look, about which slot, and when it is told; never again after it was."""

    def now(self) -> float:
        """Return the time of the clock that `look` is given."""
        return max(self._latest, time.monotonic())

    @property
    def only_two(self) -> bool:
        """Return whether at most two clients are left, of which none can go on without the other."""
        return len(self._playing) < 3

    @property
    def _playing(self) -> set[int]:
        """Return the operators of live seats, also while a thread works on the table."""
        session = self._session
        return {self.operator(seat) for seat in session.game.live(session.state)}

    def may_be_left_behind(self) -> bool:
        """Return whether the others could go on without the player here."""
        session = self._session
        return session.result is None and session.table.own.operator in self._playing and not self.only_two

    def _staying(self) -> set[int]:
        """Return the operators of live seats that have not resigned; not while a thread works on the table."""
        fold = self._session.table.fold
        return {self.operator(seat) for seat in fold.position.live if not fold.has_resigned(seat)}

    @property
    def _place(self) -> object:
        """Return what the table waits for; an epoch in which nobody leaves goes on waiting for the same."""
        return self._session.table.fold.position.slot.place

    # What is noted

    def look(self, now: float) -> list[Note]:
        """Return which players have not been reached and what can be done about missing ones."""
        self.await_slot()
        self._began = now if self._began is None else self._began
        told: list[Note] = []
        if now >= self._began + MISSED_AFTER and not self._wakes and not self._node.unheard:
            for seat in self.missed():
                told += self._lose(seat, now)
        return told + self._advise(now)

    def note_time(self, now: float) -> list[Note]:
        """Note a look at the clocks; return that this computer has slept since the last one, if it has.

        The others were not gone in that time. What was waited for begins to be waited for when this computer wakes.
        """
        wall = time.time()
        gap = max(now - self._latest, wall - self._wall) if self._latest else 0.0
        self._latest, self._wall = now, wall
        if gap <= ASLEEP:
            return []
        self._woke, self._asked, self._advice = now, (self._asked[0], now), (None, 0.0)
        if not self._seat_of or self._session.result is not None:
            return []
        slept = f"This computer was asleep, or this program stopped, for {spell(round(gap))}"
        return [Note(f"{slept}: reaching the others again.", urgent=True)]

    @property
    def _wakes(self) -> bool:
        """Return whether this computer has slept until just now."""
        return self.now() <= self._woke + WAKING

    def await_slot(self) -> None:
        """Note since when the table has waited for what it waits for."""
        if self._asked[0] != (place := self._place):
            self._asked = (place, self.now())

    def link(self, peer: bytes, up: bool) -> list[Note]:
        """Note a link that came up or went down."""
        seat, now = self._seat_of[peer], self.now()
        slept = self.note_time(now)
        if up:
            self._silent.add(peer)
            return slept
        self._silent.discard(peer)
        if self._wakes:
            self._people.expect(seat, now)
            return slept
        left = self._people[seat].has_left
        told = self._lose(seat, now)
        return told if left else told + self._at_the_end(peer, "does not answer any more")

    def _lose(self, seat: int, now: float) -> list[Note]:
        """Note that a player is not reached; return that, and what can be done while the player has a seat."""
        ways = self._ways(seat) if seat in self._playing else ""
        bots = self._bots_there(seat) if ways else ""
        return self._told_of(seat, self._people.lose(seat, now, ways, bots), urgent=True)

    def hear(self, peer: bytes, data: bytes) -> list[Note]:
        """Note by a message that a player is at this table."""
        if peer not in self._silent or table_named(data) != self._session.table.id:
            return []
        self._silent.discard(peer)
        seat = self._seat_of[peer]
        back = self._people.arrive(seat, self.now())
        return self._told_of(seat, back) + (self._at_the_end(peer, "is back") if back else [])

    def begin(self, peer: bytes) -> None:
        """Note a link that stands already."""
        self._people.seat(self._seat_of[peer], self.now())

    def leave(self, seat: int, reason: int) -> list[Note]:
        """Note that a player leaves by wish."""
        plays = seat in self._staying()
        ways = f"{self._waiting}, or `adjourn` too: `{command_here()} resume {self._session.title}` brings all back"
        ways = ways if reason == ADJOURN else self._ways(seat)
        bots = self._bots_there(seat)
        told = self._people.leave(seat, self.now(), adjourned=reason == ADJOURN, ways=ways if plays else "", bots=bots)
        peer = next(id for id, one in self._seat_of.items() if one == seat)
        return self._told_of(seat, told, urgent=plays) + (self._at_the_end(peer, "has left the table") if told else [])

    def _at_the_end(self, peer: bytes, what: str) -> list[Note]:
        """Return what is told of a player who goes or comes when the game is over: another game may be wanted."""
        if self._session.result is None or not self._session.stays:
            return []
        alone = "" if self.company else " There is nobody to play again with: `quit` leaves."
        label = self._session.label(self._seat_of[peer])
        return [Note(f"{label} {what}.{alone}{self._elsewhere(peer)}")]

    @property
    def company(self) -> bool:
        """Return whether a player of another client is here, or all seats are played by this one."""
        return not self._seat_of or len(self.absent()) < len(self._seat_of)

    def _told_of(self, seat: int, text: str, *, urgent: bool = False) -> list[Note]:
        """Return the note of a coming or, if `urgent`, of a going, while that matters to the game."""
        note = Note(text, urgent=urgent, stands=lambda: seat in self.missed())
        return [note] if text and self._session.result is None else []

    # What is known

    def missed(self) -> list[int]:
        """Return the operators of live seats that are not here."""
        playing = self._playing
        return [operator for operator in self.absent() if operator in playing]

    def awaited(self) -> tuple[int, ...]:
        """Return the seats of others that the table waits for: to be heard, to agree, or to give what they owe."""
        table, node = self._session.table, self._node
        owing = node.unheard or (node.going_on.missing() if table.own.has_agreed else table.fold.owing())
        return tuple(seat for seat in owing if seat not in table.own.signers)

    @property
    def left(self) -> tuple[bytes, ...]:
        """Return the other clients whose players have left by wish."""
        return tuple(id for id, seat in self._seat_of.items() if self._people[seat].has_left)

    def absent(self) -> list[int]:
        """Return the operators that are not here, also of seats that play no more."""
        return [operator for operator in sorted(self._seat_of.values()) if not self._people[operator].here]

    def operator(self, seat: int) -> int:
        """Return the seat whose client plays `seat`."""
        return self._seats[seat - 1].operator

    def status(self) -> str:
        """Return which players are not here; if none is missing, whether all are here or all who still play."""
        away, over = self.absent(), self._session.result is not None
        told = self._people.status(away, None) if over else self._people.status(self.missed(), self.now())
        return told or ALL_HERE[bool(away)]

    def away(self, seat: int) -> str:
        """Return how long a seat's client has been away, and why; empty if it is here or, in a game, plays no more."""
        operator, over = self.operator(seat), self._session.result is not None
        missed = self.absent() if over else self.missed()
        return self._people[operator].away_for(None if over else self.now()) if operator in missed else ""

    def attendance(self) -> list[tuple[int, int, int]]:
        """Return of each other client its seat, how it is there as in Attendance, and for how many seconds."""
        now, found = self.now(), []
        for seat in sorted(self._seat_of.values()):
            person = self._people[seat]
            since = now if person.became is Became.EXPECTED else person.since
            found.append((seat, person.became.value, max(0, round(now - since))))
        return found

    def contested(self) -> set[int]:
        """Return the operators that others want to go on without although they are here, as long as they owe something.

        Either all others agree to that, or soon all of them have agreed that nobody leaves.
        """
        session, found = self._session, set[int]()
        fold = session.table.fold
        if session.left == 0 or not fold.agreements:  # when the turn time is over, the clients agree by themselves
            return found
        here = {self.operator(seat) for seat in fold.owing()} - {*self.absent()}
        for agreement in fold.agreements:
            operators = {self.operator(seat) for seat in agreement.leavers}
            if agreement.base == fold.position.slot.epoch and operators <= here:
                found |= operators
        return found

    # What is told and asked

    def proposed(self, seat: int, leaving: tuple[int, ...]) -> str:
        """Return what a player is told of the wish of another one to go on without these seats; empty if told."""
        session, operators = self._session, sorted({self.operator(one) for one in leaving})
        here, own = {*operators} <= self.contested(), {*leaving} & {*session.people}
        wish = seat, operators, (self._place, here and not own)  # told again of a player who is back, not to that one
        # The player here reads what others want when it can be answered; of what cannot be met any more nothing.
        unread = not own and self._node.unheard and session.people
        outdated = seat in self._node.going_on.proposed and not self.wants(seat, leaving)
        if not operators or wish in self._told or unread or outdated:
            return ""
        self._told = [*(one for one in self._told if one[2] == wish[2]), wish]
        label = session.label(seat)
        if own and self.now() < self._people[seat].since + LATELY:
            text = f"{label} proposed to go on without you while you were away: unless the others agree"
            return f"{text}, {GOES_ON}, about {ANSWER_TIME} after all are back at the latest."
        if own:
            return f"{label} wants to go on without you: move now."
        if session.people and {*operators} <= self._node.going_on.wanted:
            return f"{label} agrees to go on without {listed([self.named(one) for one in operators])}."
        text = f"{label} wants to go on without {listed([self._with_state(one, '{} ({})') for one in operators])}"
        plays = {*session.people} & {*session.table.fold.position.live}
        if not plays or session.left == 0:  # when the turn time is over, this client agrees by itself
            return f"{text}."
        if here:
            ways = "`agree`, or wait" if self.may_agree() else "you need do nothing"
            return f"{text}: {ways}; unless all others agree, {GOES_ON} within about {ANSWER_TIME}."
        return f"{text}: `agree`, or wait."

    def proposals(self) -> dict[int, tuple[int, ...]]:
        """Return the seats that other operators want to go on without, by operator, where that can still be agreed to.

        Who has proposed it may not know yet that all others have agreed that nobody leaves.
        """
        epoch = self._session.table.fold.position.slot.epoch
        found = self._node.going_on.proposed.items()
        return {operator: one.leavers for operator, one in found if one.leaving and one.base == epoch}

    def wants(self, seat: int, leaving: tuple[int, ...]) -> bool:
        """Return whether a player still wants to go on without these seats; also while nobody can tell."""
        if self._busy() or self.proposals().get(seat) == leaving:
            return True
        return {self.operator(one) for one in leaving} <= self.contested()

    def gone(self, seats: tuple[int, ...]) -> list[int]:
        """Return those of these seats whose clients are away."""
        return [seat for seat in seats if self.away(seat)]

    def unwanted(self) -> set[int]:
        """Return the operators that others want to go on without, where the player here can, and has yet to, agree."""
        session, own = self._session, self._session.table.own.operator
        if self._node.unheard or not {*session.people} & {*session.table.fold.position.live}:
            return set()
        found = {self.operator(seat) for by, seats in self.proposals().items() if by != own for seat in seats}
        return found - self._node.going_on.wanted - {own}

    def may_agree(self) -> bool:
        """Return whether the player here can agree to go on without others now: they have been waited for enough."""
        return bool(unwanted := self.unwanted()) and all(map(self._was_asked_enough, unwanted))

    def agreeing(self) -> str:
        """Return in a few words what an agreement that this client has signed waits for."""
        session, going_on = self._session, self._node.going_on
        waiting = f"waiting for {listed([session.label(seat) for seat in self.awaited()]) or 'the others'}"
        if contested := self.contested():
            names = ["you" if seat in session.people else session.speaker(seat) for seat in sorted(contested)]
            return f"{waiting}: with all, or without {listed(names)}"
        own = going_on.proposed.get(session.table.own.operator)
        return f"{waiting} to agree" if own and own.leaving else f"{waiting}, then all go on"

    @property
    def puts_off(self) -> bool:
        """Return whether who is to move has to wait until this client agrees that nobody leaves."""
        going_on = self._node.going_on
        return not self._session.table.own.has_agreed and going_on.held_up and bool(self.contested())

    def want(self, operators: set[int]) -> None:
        """Note that the player here wants to go on without these operators."""
        self._wanted_at = self.now()
        self._told.append((self._session.table.own.operator, sorted(operators), (self._place, False)))

    def went(self, left: tuple[int, ...]) -> str:
        """Return what a player is told when all have agreed: who leaves is told with the action that says so."""
        told, self._told = self._told, []
        return f"Nobody is left behind: {GOES_ON}." if told and not left else ""

    def question(self, operators: set[int]) -> Question:
        """Return what to ask before the player goes on without these operators.

        Raises RefusedError for one that is connected and has not been asked for long: its player may be thinking.
        """
        session = self._session
        for seat in sorted(operators):
            if not self._was_asked_enough(seat):
                state = "back" if self._people[seat].since > self._asked[1] else "here"
                waited = f", and the game has waited {self._waited} only" if self._waited else ""
                least = spell(round(ASKED_ENOUGH))
                raise RefusedError(f"{session.label(seat)} is {state}{waited}: give a player at least {least}.")
        missed = listed([self._with_state(seat, "{}, {}") for seat in sorted(operators)])
        fold, own = session.table.fold, session.table.own.operator
        agreed = {
            operator
            for operator, agreement in self._node.going_on.proposed.items()
            if operators <= {self.operator(seat) for seat in agreement.leavers}
        }
        waits_for = self._staying() - operators - agreed - self._node.going_on.wanted - {own}
        gone = {seat for seat in fold.position.live if self.operator(seat) in operators | self._node.going_on.wanted}
        others = [
            session.speaker(seat) + (f" ({away})" if (away := self.away(seat)) else "") for seat in sorted(waits_for)
        ]
        names = [session.speaker(seat) for seat in self._playing_of(operators)]
        lost = f"{listed(names)} {'has' if len(names) == 1 else 'have'} lost, as by resigning"
        then = f"As soon as {listed(others)} {'agrees' if len(others) == 1 else 'agree'}, {lost}"
        told = then if others else f"All others want that: with your yes {lost}"
        if not fold.enough(gone):
            told = "You are too few then: this waits until another player is back, and agrees"
        now = [f"{self.named(seat)} is {'away' if self.away(seat) else 'back'} now" for seat in sorted(operators)]
        return Question(
            f"Go on without {missed}? {told}.{session.breaks_off(self._playing_of(operators)[0])}",
            (self._asked[0], now),
            f"{listed(now)}: type it again.",
        )

    def _playing_of(self, operators: set[int]) -> list[int]:
        """Return the live seats of these operators."""
        session = self._session
        return [seat for seat in session.game.live(session.state) if self.operator(seat) in operators]

    def bots_of(self, operator: int) -> list[int]:
        """Return the live seats that a client plays besides that of its player."""
        return [seat for seat in self._playing_of({operator}) if seat != operator]

    def _bots_there(self, operator: int) -> str:
        """Return which bots play on the computer of a player who goes, in words that follow a verb; or nothing."""
        names = [self._session.speaker(seat) for seat in self.bots_of(operator)]
        return f"; {listed(names)} play{'s' * (len(names) == 1)} on that computer" if names else ""

    def named(self, operator: int, seats: Collection[int] = ()) -> str:
        """Return how a client's player is called, or its bots where these `seats`, or all that play, are bots."""
        session, own = self._session, self._session.label(operator)
        bots = [seat for seat in seats or self._playing_of({operator}) if self.operator(seat) == operator]
        return (
            own
            if operator in bots or not bots
            else f"{listed([session.label(seat) for seat in bots])} on the computer of {own}"
        )

    def _was_asked_enough(self, operator: int) -> bool:
        """Return whether a player may be left behind who is waited for: not one that may still be thinking."""
        asked = self.now() - self._asked[1]
        return bool(self.away(operator)) or asked >= ASKED_ENOUGH or self._session.left == 0

    def ask_newest(self, unheard: tuple[int, ...]) -> Question:
        """Return what to ask before the player goes on from this copy though these seats have not been heard.

        Without such seats, something that the player's later moves rest on is lost.
        """
        names = listed([self._session.label(seat) for seat in unheard])
        text = f"{names} cannot say how far the game had come" if unheard else "Nobody here has what you did next"
        copy = "Yours is the newest copy of this game if you have always played it on this computer"
        old = "a backup that was restored may be older, and to go on from an old copy looks like cheating"
        return Question(f"{text}. {copy}; {old}. Is yours the newest?", unheard, MORE_HEARD)

    def left_out(self, wanting: Collection[int]) -> list[int]:
        """Return the operators that are not here, but for those `wanting` another game, who wait where it begins.

        Should one of these be out of reach there, the player is asked there.
        """
        return [operator for operator in self.absent() if operator not in wanting]

    def ask_again(self, wanting: Collection[int]) -> Question:
        """Return what to ask before another game is played without the players who are not here; see `left_out`."""
        gone = self.left_out(wanting)
        names = listed([self._session.speaker(seat) for seat in gone])
        told = self._people.status(gone, None)
        now = f"{told or 'All are here'} now: type `again`."
        return Question(f"{told}. Play again without {names}?" if gone else "", tuple(gone), now)

    @property
    def _waited(self) -> str:
        """Return for how long the game has waited for what it waits for; nothing where it has only begun to."""
        waited = round(self.now() - self._asked[1])
        return spell(waited) if waited else ""

    def _with_state(self, seat: int, form: str) -> str:
        """Return how a player is called and for how long it is away, in this form; of one who is here, what is so."""
        label, away = self.named(seat), self.away(seat)
        waited = f" (the game has waited {self._waited})" if self._waited else ""
        return form.format(label, away) if away else f"{label}, who is here{waited}"

    def _advise(self, now: float) -> list[Note]:
        """Return what can be done, once a player has been missing for a while; again only when that has changed."""
        told, after = self._advised()
        if (advice := (self._place, told)) != self._advice[0]:
            self._advice = advice, now + after
        if not told or now < self._advice[1]:
            return []
        self._advice = advice, float("inf")
        return [Note(told, urgent=True, stands=lambda: self._advice[0] == advice)]

    def _advised(self) -> tuple[str, float]:
        """Return what can be done about those that the table waits for, and after how many seconds that is told."""
        session, own, position = self._session, self._session.table.own, self._session.table.fold.position
        awaited, away = self.awaited(), self.missed()
        if not {*session.people} & {*position.live}:
            return "", 0.0
        if self._node.unheard:
            names = listed([session.label(seat) for seat in awaited])
            ways = "wait, `adjourn` or, if you have always played it on this computer, `newest`"
            ended = ""
            if not self.company:  # only who hosts, or plays with others, has a client that delivers the end
                one = names if len(awaited) == 1 else "one of them"
                ended = f" If the game has ended without you, ask {one} to host any table: you read here how."
            return f"Still waiting for {names} to say how far the game had come: {ways}.{ended}", HEARD_SOON
        if own.has_agreed and not away and (back := self._back_since_unwanted()):
            who = f"{listed([session.label(seat) for seat in back])} {'is' if len(back) == 1 else 'are'} back"
            return f"{who}: unless the others agree with you, {GOES_ON} within about {ANSWER_TIME}.", SETTLING
        # A player who is linked may think about a move; what a client gives by itself is withheld if it does not come.
        may_think = own.has_agreed or position.slot.kind == SlotKind.TURN
        missing = [seat for seat in awaited if not may_think or self.operator(seat) in away]
        if not missing:
            return "", 0.0
        # What a bot owes, the client of its operator has to give.
        names = listed([self.named(seat, missing) for seat in sorted({self.operator(seat) for seat in missing})])
        asked = [seat for seat in missing if self._was_asked_enough(self.operator(seat))]
        ways = self._ways((asked or missing)[0])
        if not own.has_agreed and all(self._went_before(seat) for seat in missing):
            return f"The game waits for {names} now: {ways}.", 0.0  # what was told when they went was for another slot
        # Who is connected may still be thinking: nobody is told to type what would be refused.
        after = ADVISE_AFTER if asked or self.only_two else ASKED_ENOUGH
        return f"Still waiting for {names}{' to agree' * own.has_agreed}: {ways}.", after

    def _back_since_unwanted(self) -> list[int]:
        """Return the operators that have come back since the player here wanted to go on without them."""
        unwanted = sorted(self.contested() & self._node.going_on.wanted)
        return [operator for operator in unwanted if self._people[operator].since > self._wanted_at]

    def _went_before(self, seat: int) -> bool:
        """Return whether the player of a seat was missed already when the game began to wait for what it waits for."""
        person = self._people[self.operator(seat)]
        return self._session.result is None and person.missed and person.since < self._asked[1]

    def _ways(self, seat: int) -> str:
        """Return what can be done about a player who is missing: going on without it where the game waits for it."""
        without = not self._busy() and self._may_go_on_without(seat)
        if without:
            return f"{self._waiting}, `adjourn` or `without {self._session.name_to_type(seat)}`"
        if self.only_two and self.operator(seat) not in self._playing_of({self.operator(seat)}):
            return f"{self._waiting}, `adjourn` or {self.own_bots}"  # only bots play there
        return f"{self._waiting} or `adjourn`"

    @property
    def own_bots(self) -> str:
        """Return how a player of two goes on at once where only bots of the other one still play."""
        return f"`quit`; then `{command_here()} host --from {self._session.title}` goes on with bots of your own"

    @property
    def _waiting(self) -> str:
        """Return what is done by a player who does nothing about a missing one."""
        return "play on" if self._session.turn in self._session.people else "wait"

    def _may_go_on_without(self, seat: int) -> bool:
        try:
            self._node.may_go_on_without(seat)
        except LocalFaultError:
            return False
        return True
