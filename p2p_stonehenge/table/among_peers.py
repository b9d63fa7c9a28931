"""A table among peers, as a session: what arrives, what is due by time, and what the player is told of it."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

from engine import Over, Result, Turn, listed
from p2p_stonehenge.storage.home import Journal
from p2p_stonehenge.table.base import TableSession, may_watch
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.session import Note, Notice, Progress, Question, RefusedError, Said
from p2p_stonehenge.text.sparing import Sparing
from p2p_stonehenge.text.style import spell
from protocol import (
    ADJOURN,
    QUIT,
    SLOTS,
    Again,
    Blame,
    Caught,
    Clock,
    Disputed,
    Effect,
    Folded,
    Heard,
    Keep,
    Left,
    LocalFaultError,
    Lost,
    Node,
    Overdue,
    Proposed,
    Send,
    Store,
    Watches,
    Went,
    charter_record,
    phrase,
)

TICK = 0.5
"""Seconds between two looks at what time demands."""
CHAT_LINES = 10
"""Lines of chat that are shown of one seat at once; after that, one a second. Its own client sends one line fewer."""
SHUFFLING_NOW = "The cards are being shuffled: wait a moment, then type it again."
ON_A_CLOCK = 30
"""Seconds of a clock that are left at the first warning; of a time for each turn that is half of it."""
LAST_CALL = 10
"""Seconds of the turn time that are left when the player is warned for the last time."""


class Sender(Protocol):
    """The part of the transport that a table needs."""

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` for `peer`; False if that is not possible now."""

    def keep(self, peer: bytes, seated: bool) -> None:
        """Let no stranger crowd out a peer, or let them again."""


class _Seen(NamedTuple):
    """The table as it was before a thread went to work on it."""

    state: Any
    waiting: str
    wishes: tuple[int, ...]
    remarks: dict[int, str]
    unwanted: bool


class NetTable(TableSession):
    """A table among peers. `people` are the seats that a person plays here; other own seats are bots'."""

    def __init__(
        self,
        node: Node,
        journal: Journal,
        sender: Sender,
        people: Sequence[int],
        keep: Callable[[bytes], None] = lambda _secrets: None,
        *,
        resumed: bool = False,
    ) -> None:
        super().__init__(node.table, people)
        self.path = journal.path
        self.words = " ".join(phrase(node.table.charter))
        self._node = node
        self._journal = journal
        self._sender = sender
        self._keep = keep
        self._jobs: deque[Callable[[], Iterable[Effect]]] = deque()
        self._working: asyncio.Task[None] | None = None
        self._seen = _Seen(None, "", (), {}, False)
        self._seat_of = {
            seat.id: number for number, seat in enumerate(node.table.charter.body.seats, 1) if seat.operator == number
        }
        self._presence = Presence(self, node)
        self._told_of_others = ""
        self._left: int | None = None
        self.may_again = bool(people)
        self.wanting: set[int] = set()
        """The seats whose players want to play again, once the game is over."""
        self._unheard = node.unheard
        self._bound = node.table.own.bound
        """Whether this client has signed an agreement, and can sign nothing else until one is in force."""
        self._wished: tuple[int, ...] = ()
        self._blamed: set[tuple[bytes, str]] = set()
        self._spoken: dict[int, float] = {}
        self._sparing = Sparing(time.monotonic)
        if resumed:
            self._tell_plies()
        else:
            journal.append(charter_record(node.table.charter), sync=True)

    def has(self, command: str) -> bool:
        if command == "without":
            return not self._presence.two
        if command == "agree":
            return self._seen.unwanted if self._working else self._unwanted()
        return bool(self._unheard) if command == "newest" else super().has(command)

    def question(self, command: str, seat: int = 0) -> Question:
        if command == "newest" and self._unheard:
            names = listed([self.label(one) for one in self._unheard])
            text = f"{names} cannot say how far the game had come. Going on from an old copy looks like cheating."
            return Question(f"{text} Is yours the newest?", self._unheard)
        if command not in ("without", "agree", "draw"):
            return super().question(command, seat)
        if self._working:
            raise RefusedError(SHUFFLING_NOW)
        try:
            self._node.may_sign()
            if command == "draw":
                self.table.own.may_wish(seat, wish=True)
                return super().question(command, seat)
            if command == "without":
                self._node.may_go_on_without(seat)
                return self._presence.question({self.table.operator(seat)})
            return self._presence.question(self._node.may_agree())
        except LocalFaultError as fault:
            raise RefusedError(str(fault)) from fault

    def without(self, seat: int) -> None:
        told = f"You want to go on without {self.label(seat)}: now the others who stay have to agree."
        self._try(lambda: self._without(seat), Note(told))

    def _without(self, seat: int) -> Iterable[Effect]:
        effects = self._node.without(seat)
        self._presence.want({self.table.operator(seat)})
        return effects

    def agree(self) -> None:
        names = listed([self.label(seat) for seat in sorted(self._node.going_on.unwanted)]) if self.ready else ""
        self._try(self._node.agree, Note(f"You agree to go on without {names}."))

    def _unwanted(self) -> bool:
        """Return whether others want to go on without a player."""
        return bool(self._node.going_on.unwanted)

    def newest(self) -> None:
        self._later(self._node.trust)

    def leave(self, *, adjourn: bool = False) -> None:
        if self.result is None:
            # Not a job: jobs wait while a thread works on a deal, and leaving need not.
            for effect in self._node.leave(ADJOURN if adjourn else QUIT):
                self._sender.send(effect.peer, effect.data)

    def begin(self, linked: Sequence[bytes]) -> None:
        """Start with the links that stand already."""
        for peer in linked:
            if peer in self._node.peers:
                self._presence.begin(peer)
            self._later(partial(self._node.link, peer, up=True))
        self._later(self._node.start)

    async def watch(self) -> None:
        """Do what time demands until the game is over and nothing is left to wait for."""
        while self._working or not self._node.done(time.monotonic()):
            await asyncio.sleep(TICK if self.result is None else TICK / 10)
            self.tick(time.monotonic())

    def tick(self, now: float) -> None:
        """Do what is due by time, and say what can be done about who has been missing for a while."""
        if not self._working:  # while cards are dealt, what comes next works in a thread
            self._presence.look(now)
        self._later(partial(self._node.tick, now))
        if not self._working:
            self._tell_time()
            self._second()
            if self._told_of_others != (told := self.links()):
                self._told_of_others = told
                self.tell(Progress())

    def _second(self) -> None:
        """Agree to go on without a player who is gone here as well, where nobody sits at this client who could."""
        if self.people or self.result is not None:
            return
        going_on = self._node.going_on
        for seat in (going_on.unwanted - going_on.wanted) & {*self._presence.gone()}:
            with suppress(RefusedError):  # nothing is due from that player any more
                told = Note(f"This client agrees to go on without {self.label(seat)}.")
                self._try(partial(self._without, seat), told)

    def _tell_time(self) -> None:
        """Show what is left of the turn time, and warn the player to move at its half and shortly before its end."""
        left = self._node.left
        # Sums of clock readings are off by some 1e-14: without rounding a minute would begin with 61 seconds.
        before, self._left = self._left, None if left is None else math.ceil(round(left, 3))
        if self._left == before:
            return
        if before is not None and self._left and self.turn in self.people:
            limit = self.table.charter.body.turn_time
            half = ON_A_CLOCK if isinstance(limit, Clock) else limit // 2
            marks = (half, LAST_CALL) if half >= 2 * LAST_CALL else (min(half, LAST_CALL),)
            if any(before > mark >= self._left for mark in marks):
                which = "on your clock" if isinstance(limit, Clock) else "for this turn"
                self.tell(Note(f"{spell(self._left)} left {which}. Then {self._late()}.", urgent=True))
        self.tell(Progress())

    def _late(self) -> str:
        """Return what follows when the player's time is up."""
        return (
            "your client resigns for you, as both have signed" if self._presence.two else "the others go on without you"
        )

    def _overdue(self, seat: int) -> str:
        """Return what to tell when the time of a seat is up."""
        two, apart, own = self._presence.two, bool(self._presence.gone()), seat in self.table.own.signers
        if own and two:
            what = "Nobody loses by that while you two are not connected: move now." if apart else ""
            what = what or "Both have signed that this loses the game: your client resigns for you."
            return f"Your time is up. {what}"
        if own:
            return f"Your time for this turn is up: move now, or {self._late()}."
        then = "Your client agrees to go on without."
        if two:
            then = "Wait on, or `adjourn`." if apart else "That loses the game, as both have signed."
        return f"{self.label(seat)} has used up the time for this turn. {then}"

    @property
    def left(self) -> int | None:
        # As of the last look; one that was at another turn is no longer true.
        return None if self._working or self._node.left is None else self._left

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        if peer not in self._node.peers:
            self._attend(self._node.link(peer, up))
            return
        self._later(partial(self._node.link, peer, up))
        self._presence.link(peer, up)

    def loss(self, peer: bytes) -> None:
        """Ask a peer for what was dropped, now that it is heard again."""
        self._later(partial(self._node.ask, peer))

    def receive(self, peer: bytes, data: bytes) -> asyncio.Future[None] | None:
        """Take in a message from a peer; return what is at work on it, if a thread is."""
        if peer not in self._node.peers:
            self._attend(self._node.receive(peer, data, self._presence.now()))
            return None
        self._later(lambda: self._node.receive(peer, data, self._presence.now()))
        return self._working

    def serve(self, now: float, hints: Sequence[tuple[bytes, str]]) -> None:
        """Send those who watch what is due; `hints`: where the other players are. To be called twice a second."""
        if not self._working:
            self._attend(self._node.gallery.serve(now, tuple(hints)))

    def _attend(self, effects: Iterable[Effect]) -> None:
        """Do what is due to those who watch or want to: nothing of that changes the table, or waits for it."""
        for effect in effects:
            if isinstance(effect, Send):
                self._sender.send(effect.peer, effect.data)
            elif isinstance(effect, Watches):
                self._sender.keep(effect.peer, effect.stays)

    def _later(self, job: Callable[[], Iterable[Effect]]) -> None:
        """Do a job after those that came before it: at once, or in a thread while cards are dealt."""
        self._jobs.append(job)
        self._work()

    def _work(self) -> None:
        while self._jobs and self._working is None:
            job = self._jobs.popleft()
            if self._node.dealing:
                self._seen = self._look()
                self._working = asyncio.create_task(self._work_aside(job))
                # What fails there must not pass unseen; that the program ends meanwhile is no failure.
                self._working.add_done_callback(lambda task: None if task.cancelled() else task.result())
            else:
                self._do(job())

    async def _work_aside(self, job: Callable[[], Iterable[Effect]]) -> None:
        effects = await asyncio.to_thread(lambda: list(job()))
        self._working = None
        self._do(effects)
        self._work()
        self.tell(Progress())

    def _look(self) -> "_Seen":
        """Return what the screen shows of the table; a thread at work on it must not be looked at."""
        return _Seen(super().state, self._waiting(), self.table.fold.position.wishes, self._remarks(), self._unwanted())

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player of a trouble with the network."""
        if (peer is None or peer in self._node.peers) and self._sparing.allows("network"):
            self.tell(Note(text, urgent=True))

    @property
    def state(self) -> Any:
        return self._seen.state if self._working else super().state

    @property
    def ready(self) -> bool:
        return not self._unheard and not self._bound and not self._working

    @property
    def turn(self) -> int:
        # Nobody's turn comes before those who have to be heard at a resumed table have been, or have agreed; nor after
        # equivocation has ended the game.
        return 0 if self._unheard or self._bound or self.result else super().turn

    @property
    def result(self) -> Result | None:
        return None if self._working else super().result  # nothing is over while cards are dealt

    def waiting(self) -> str:
        return self._seen.waiting if self._working else self._waiting()

    def _waiting(self) -> str:
        if self._node.unheard:
            return f"waiting for {listed([self.label(seat) for seat in self._node.unheard])} to come back"
        if self.table.own.bound:
            missing = listed([self.label(seat) for seat in self._node.going_on.missing()])
            return f"waiting for {missing or 'the others'} to agree"
        owing = self.table.fold.owing()
        names = listed([self.label(seat) for seat in owing if seat not in self.table.own.signers])
        due = self.game.pending(self.table.state)
        if isinstance(due, Turn):
            return f"{self.label(due.seat)} to move"
        dealing = self._node.dealing
        owed = SLOTS[self.table.fold.position.slot.kind].owed
        if dealing:
            done, seats = dealing.shuffles, len(dealing.live)
            return f"cards shuffled by {done} of {seats}" + (f", waiting for {owed} of {names}" if names else "")
        if not names:
            return ""
        return f"{names} to confirm the result" if isinstance(due, Over) else f"waiting for {owed} of {names}"

    def wishes(self) -> tuple[int, ...]:
        standing = self._seen.wishes if self._working else self.table.fold.position.wishes
        return tuple(seat for seat, moves in enumerate(standing, 1) if moves)

    def links(self) -> str:
        # At a resumed table `waiting` says which players have to come back.
        return "" if self._unheard else self._presence.status()

    def watched(self) -> str:
        here = len(self._node.gallery)
        return may_watch(self.table.charter.body.watching) + f"; {here} now through you" * bool(here)

    def remark(self, seat: int) -> str:
        remarks = self._seen.remarks if self._working else self._remarks()
        return ", ".join(part for part in (self._presence.away(seat), remarks.get(seat, "")) if part)

    def _remarks(self) -> dict[int, str]:
        """Return which players others want to go on without, by seat."""
        found: dict[int, list[str]] = {}
        for operator, agreement in sorted(self._node.going_on.proposed.items()):
            for seat in agreement.leavers:
                found.setdefault(seat, []).append(self.speaker(operator))
        return {seat: f"{listed(names)} would go on without" for seat, names in found.items()}

    def play(self, seat: int, action: str) -> None:
        self._try(lambda: self._node.play(seat, action))

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        self._try(lambda: self._node.wish_draw(seat, wish))

    def may_wish(self, seat: int) -> bool:
        """Return whether `seat` plays and may offer a draw now."""
        position = self.table.fold.position
        return seat in position.live and not position.wished[seat - 1]

    def again(self) -> None:
        """Note that the player wants to play again with those who sit here, and tell them."""
        self.wants_again = True
        self._try(self._node.again)

    def say(self, text: str) -> None:
        seat = min(self.table.own.signers)
        if not self._may_speak(seat, CHAT_LINES - 1):
            raise RefusedError("You have said much at once, and the others would not see it: wait a second.")
        self._try(lambda: self._node.say(text), Said(self.speaker(seat), text))

    def _try(self, call: Callable[[], Iterable[Effect]], told: Notice | None = None) -> None:
        """Do what the player wants, `told` before what follows from it. Raises RefusedError."""
        if self._working:
            raise RefusedError(SHUFFLING_NOW)
        try:
            effects = call()
        except LocalFaultError as fault:
            raise RefusedError(str(fault)) from fault
        if told:
            self.tell(told)
        self._do(effects)

    def _do(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            # These are what a move waits for; a match takes longer.
            if isinstance(effect, Send):
                self._sender.send(effect.peer, effect.data)
            elif isinstance(effect, Store):
                self._journal.append(effect.data, sync=effect.sync)
            elif isinstance(effect, Folded):
                self._tell_plies()
            else:
                self._carry_out(effect)
        before = self._unheard, self._bound
        self._unheard, self._bound = self._node.unheard, self.table.own.bound
        self._tell_plies()
        self._tell_wishes()
        if not self._working:
            self._presence.await_slot()
        if before != (self._unheard, self._bound):
            # Nothing may have been played, but whoever was to act could not until now.
            self.tell(Progress())

    def _carry_out(self, effect: Effect) -> None:
        """Do what is rarely to be done."""
        match effect:
            case Keep(secrets):
                self._keep(secrets)
            case Watches():
                self._attend([effect])
            case Heard(seat, text):
                self._heard(seat, text)
            case Blame(peer, reason):
                self._blame(peer, reason)
            case Caught(seat, reason):
                self.tell(Note(self._caught(seat, reason), urgent=True))
            case Disputed(seat, ply):
                name = self.label(seat)
                text = f"{name} signed move {ply} for another position than ours, which was checked from the start."
                self.tell(Note(f"{text} {name}'s program is wrong; {name} still has to move.", urgent=True))
            case Left(seat, reason):
                self._presence.leave(seat, reason)
            case Again(seat):
                if seat not in self.wanting:
                    self.wanting.add(seat)
                    self.tell(Note(f"{self.label(seat)} wants to play again: type `again` to play on together."))
            case Proposed(seat, leaving):
                if told := self._presence.proposed(seat, leaving):
                    self.tell(Note(told, urgent=True))
            case Went(left):
                if told := self._presence.went(left):
                    self.tell(Note(told))
            case Overdue(seat):
                self.tell(Note(self._overdue(seat), urgent=True))
            case Lost():
                text = "This program disagrees with its own record. Stop playing and keep the saved game."
                self.tell(Note(text, urgent=True))

    def _caught(self, seat: int, reason: str) -> str:
        return f"CHEAT: {self.label(seat)} {reason}; the proof is saved."

    def audited(self) -> list[str]:
        """Return what is known of a last round that was broken off, once the result is signed."""
        told = []
        for seat, whole, cheats in self.table.own.last_round.audits():
            name = self.label(seat)
            told += [self._caught(seat, f"signed {cheat.reason}") for cheat in cheats]
            if not whole:
                told.append(f"The last round is not audited: {name} did not show the cards left in hand.")
            elif seat in self.people:
                told.append("The last round is audited: the cards left in your hand were shown with the result.")
            elif not cheats:
                told.append(f"The last round is audited: the cards that {name} played fit those left in hand.")
        return told

    def _heard(self, seat: int, text: str) -> None:
        """Show a line of chat, unless its author has said too much of late."""
        if self._may_speak(seat, CHAT_LINES):
            self.tell(Said(self.speaker(seat), text))

    def _may_speak(self, seat: int, lines: int) -> bool:
        """Return whether a seat that may say so many lines at once may say one more now, and count it."""
        now = time.monotonic()
        spent = max(now, self._spoken.get(seat, now))
        if spent >= now + lines:
            return False
        self._spoken[seat] = spent + 1
        return True

    def _blame(self, peer: bytes, reason: str) -> None:
        new = (peer, reason) not in self._blamed and len(self._blamed) < 20
        if new and self._sparing.allows(f"blame {self._seat_of[peer]}"):
            self._blamed.add((peer, reason))
            self.tell(Note(f"{self.label(self._seat_of[peer])} sent {reason}; it was dropped.", urgent=True))

    def _tell_wishes(self) -> None:
        wishes = self.wishes()
        before, self._wished = self._wished, wishes
        if self.result is None:
            for seat in wishes:
                if seat not in before:
                    if self.people == (seat,):
                        self.tell(Note("You offer a draw: `undraw` takes it back."))
                    else:
                        self.tell(Note(f"{self.label(seat)} offers a draw: `draw` accepts.", urgent=True))
            for seat in before:
                if seat not in wishes:
                    self.tell(Note(f"The draw offer of {self.label(seat)} no longer stands."))
