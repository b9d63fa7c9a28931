"""A table among peers, as a session: what arrives, what is due by time, and what the player is told of it."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

from engine import Over, Turn
from p2p_stonehenge.home import Journal
from p2p_stonehenge.session import Note, Notice, Progress, RefusedError, Said
from p2p_stonehenge.sparing import Sparing
from p2p_stonehenge.style import spell
from p2p_stonehenge.tables import TableSession
from protocol import (
    COMMIT,
    KEYING,
    PLEDGING,
    REVEAL,
    SETTLE,
    SHARING,
    SHUFFLING,
    TURN,
    Blame,
    Broken,
    Caught,
    Claimed,
    Disputed,
    Effect,
    Folded,
    Heard,
    Keep,
    LocalFaultError,
    Node,
    Overdue,
    Send,
    Store,
    Voted,
    charter_record,
    phrase,
)

TICK = 0.5
"""Seconds between two looks at what time demands."""
CHAT_LINES = 10
"""Lines of chat that are shown of one seat at once; after that, one a second."""
MISSED_AFTER = 3.0
"""Seconds from the first look at a table until the player is told whom no link has led to yet."""
ADVISE_AFTER = 30.0
"""Seconds that somebody is missing before the player is told what can be done."""
LAST_CALL = 10
"""Seconds of the turn time that are left when the player is warned for the last time."""

_OWED = {
    COMMIT: "the commitment",
    REVEAL: "the share in the roll",
    SETTLE: "the confirmation",
    PLEDGING: "the key",
    KEYING: "the key",
    SHUFFLING: "the shuffle",
    SHARING: "the shares",
}
"""What a client gives to each kind of slot by itself, and who does not give it withholds."""


class Sender(Protocol):
    """The part of the transport that a table needs."""

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` for `peer`; False if that is not possible now."""


class _Seen(NamedTuple):
    """The table as it was before a thread went to work on it."""

    state: Any
    waiting: str
    wishes: tuple[int, ...]
    remarks: dict[int, str]


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
        self._seen = _Seen(None, "", (), {})
        self._seat_of = {
            seat.id: number for number, seat in enumerate(node.table.charter.body.seats, 1) if seat.operator == number
        }
        self._up: set[bytes] = set()
        self._began: float | None = None
        self._lost: set[bytes] = set()
        """Whose link went down while this program ran, or was missed from the beginning."""
        self._still: tuple[Any, float] = (None, 0.0)
        """What the table waits for, or None after advice was given; and since when."""
        self._left: int | None = None
        self._unheard = node.unheard
        self._wished: tuple[int, ...] = ()
        self._blamed: set[tuple[bytes, str]] = set()
        self._spoken: dict[int, float] = {}
        self._sparing = Sparing(time.monotonic)
        if resumed:
            self._tell_plies()
        else:
            journal.append(charter_record(node.table.charter), sync=True)

    def vote(self, seat: int) -> None:
        number = len(self.table.fold.operators())
        told = f"You vote to go on without {self.label(seat)}; {number // 2 + 1} of the {number} players have to."
        self._try(lambda: self._node.vote(seat), Note(told))

    def claim(self) -> None:
        told = "You claim the game. Nobody can confirm it: `quit` leaves it so, or wait for the other player."
        self._try(self._node.claim, Note(told))

    def newest(self) -> None:
        if not self._node.unheard:
            super().newest()
        self._later(self._node.trust)

    def adjourn(self) -> None:
        super().adjourn()
        if self._node.linked:
            self._try(lambda: self._node.say(f"I adjourn: p2p-stonehenge resume {self.title} brings us back here."))

    def begin(self, linked: Sequence[bytes]) -> None:
        """Start with the links that stand already."""
        self._up.update(linked)
        for peer in linked:
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
            self._advise(now)
        self._later(partial(self._node.tick, now))
        if not self._working:
            self._miss_absent(now)
            self._tell_time()
            self._second()

    def _second(self) -> None:
        """Agree to a vote where nobody sits here who could, if whom it is against is gone here as well."""
        fold, gone, seats = self.table.fold, self._gone(), self.table.charter.body.seats
        for seat in () if self.people else fold.owing():
            if fold.voters(seat) and seats[seat - 1].operator in gone:
                told = Note(f"This client agrees to go on without {self.label(seat)}.")
                with suppress(RefusedError):  # it has agreed
                    self._try(partial(self._node.vote, seat), told)

    def _tell_time(self) -> None:
        """Show what is left of the turn time, and warn the player to move at its half and shortly before its end."""
        left = self._node.left
        before, self._left = self._left, None if left is None else math.ceil(left)
        if self._left == before:
            return
        if before is not None and self._left and self.turn in self.people:
            half = self.table.charter.body.turn_time // 2
            marks = (half, LAST_CALL) if half >= 2 * LAST_CALL else (min(half, LAST_CALL),)
            if any(before > mark >= self._left for mark in marks):
                self.tell(Note(f"{spell(self._left)} left for this turn. Then {self._late()}.", urgent=True))
        self.tell(Progress())

    def _late(self) -> str:
        """Return what follows when the player's time is up."""
        return "the other player may claim the game" if self._two else "the others' clients vote you out"

    @property
    def _two(self) -> bool:
        return len(self.table.fold.operators()) < 3

    @property
    def left(self) -> int | None:
        # As of the last look; one that was at another turn is no longer true.
        return None if self._working or self._node.left is None else self._left

    def _advise(self, now: float) -> None:
        """Say what can be done once somebody has been missing for a while."""
        fold, slot, unheard = self.table.fold, self.table.fold.position.slot, self._node.unheard
        away, seats = self._gone(), self.table.charter.body.seats
        # Who is linked may think about a move; what a client gives by itself is withheld if it does not come.
        missing = unheard or tuple(
            seat
            for seat in fold.owing()
            if seat not in self.table.signers and (slot.kind != TURN or seats[seat - 1].operator in away)
        )
        if not {*self.people} & {*fold.position.live}:
            missing = ()
        if (slot, missing) != self._still[0]:
            self._still = ((slot, missing), now)
        elif missing and 0 <= self._still[1] <= now - ADVISE_AFTER:
            self._still = ((slot, missing), -1.0)
            names = " and ".join(self.label(seat) for seat in missing)
            ways = "wait, `adjourn` or " + ("`claim` the game" if self._two else f"`vote {self.call(missing[0])}`")
            if unheard:
                ways = "wait, `adjourn` or `newest` if there is no newer copy of this game"
            elif {*fold.claims()} & {*self.people}:
                ways = "wait or `adjourn`; you have claimed the game"
            self.tell(Note(f"Still waiting for {names}: {ways}.", urgent=True))

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        if peer not in self._node.peers:
            return
        known = peer in self._up
        (self._up.add if up else self._up.discard)(peer)
        self._later(partial(self._node.link, peer, up))
        if known != up and self.result is None:
            if not self._sparing.allows(f"link {self._seat_of[peer]}"):
                self._lost.add(peer)  # a link that comes and goes; who is missing is told by the line at the bottom
            elif up:
                self.tell(Note(f"{self.label(self._seat_of[peer])} is {'back' if peer in self._lost else 'here'}."))
            else:
                self._miss(peer)

    def _miss(self, peer: bytes) -> None:
        self._lost.add(peer)
        self.tell(Note(f"{self.label(self._seat_of[peer])} is gone; reconnecting...", urgent=True))

    def _miss_absent(self, now: float) -> None:
        """Say who has not been reached at all: no link to them can break."""
        self._began = now if self._began is None else self._began
        if now < self._began + MISSED_AFTER or self._unheard or self.result:
            return
        gone = self._gone()
        for peer in self._node.peers:
            if self._seat_of[peer] in gone and peer not in self._lost:
                self._miss(peer)

    def loss(self, peer: bytes) -> None:
        """Ask a peer for what was dropped, now that it is heard again."""
        self._later(partial(self._node.ask, peer))

    def receive(self, peer: bytes, data: bytes) -> asyncio.Future[None] | None:
        """Take in a message from a peer; return what is at work on it, if a thread is."""
        self._later(lambda: self._node.receive(peer, data, time.monotonic()))
        return self._working

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
                self._working.add_done_callback(asyncio.Task.result)
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
        return _Seen(super().state, self._waiting(), self.table.fold.position.wishes, self._remarks())

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player of a trouble with the network."""
        if (peer is None or peer in self._node.peers) and self._sparing.allows("network"):
            self.tell(Note(text, urgent=True))

    @property
    def state(self) -> Any:
        return self._seen.state if self._working else super().state

    @property
    def ready(self) -> bool:
        return not self._unheard and not self._working

    @property
    def turn(self) -> int:
        # Nobody's turn comes before those who have to be heard at a resumed table have been.
        return 0 if self._unheard else super().turn

    def waiting(self) -> str:
        return self._seen.waiting if self._working else self._waiting()

    def _waiting(self) -> str:
        if self._node.unheard:
            return f"waiting for {' and '.join(self.label(seat) for seat in self._node.unheard)} to come back"
        owing = self.table.owing()
        names = " and ".join(self.label(seat) for seat in owing if seat not in self.table.signers)
        due = self.game.pending(self.table.state)
        if isinstance(due, Turn):
            return f"{self.label(due.seat)} to move"
        dealing = self._node.dealing
        owed = _OWED.get(self.table.fold.position.slot.kind, "an answer")
        if dealing:
            done, seats = dealing.shuffles, len(dealing.drawing.live)
            return f"cards shuffled by {done} of {seats}" + (f", waiting for {owed} of {names}" if names else "")
        if not names:
            return ""
        return f"{names} to confirm the result" if isinstance(due, Over) else f"waiting for {owed} of {names}"

    def wishes(self) -> tuple[int, ...]:
        standing = self._seen.wishes if self._working else self.table.fold.position.wishes
        return tuple(seat for seat, moves in enumerate(standing, 1) if moves)

    def links(self) -> str:
        linked = f"{len(self._up.intersection(self._node.peers))} of {len(self._node.peers)} peers"
        gone = " and ".join(self.names[seat - 1] for seat in self._gone())
        return f"{linked}, reconnecting to {gone}" if gone else linked

    def _gone(self) -> list[int]:
        """Return the operators of live seats whose link is down."""
        seats = self.table.charter.body.seats
        live = {seats[seat - 1].operator for seat in self.game.live(self.state)}
        away = [self._seat_of[peer] for peer in self._node.peers if peer not in self._up]
        return [operator for operator in away if operator in live]

    def remark(self, seat: int) -> str:
        gone = self.table.charter.body.seats[seat - 1].operator in self._gone()
        remarks = self._seen.remarks if self._working else self._remarks()
        return ", ".join(part for part in ("reconnecting" if gone else "", remarks.get(seat, "")) if part)

    def _remarks(self) -> dict[int, str]:
        """Return what votes and claims there are that count now, by seat."""
        fold = self.table.fold
        needed = len(fold.operators()) // 2 + 1
        votes = {seat: len(fold.voters(seat)) for seat in fold.owing()}
        told = {seat: f"{count} of {needed} needed votes against" for seat, count in votes.items() if count}
        return told | dict.fromkeys(fold.claims(), "claims the game, unconfirmed")

    def play(self, seat: int, action: str) -> None:
        self._try(lambda: self._node.play(seat, action))

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        self._try(lambda: self._node.wish_draw(seat, wish))

    def may_wish(self, seat: int) -> bool:
        """Return whether `seat` plays and may offer a draw now."""
        position = self.table.fold.position
        return seat in position.live and not position.wished[seat - 1]

    def say(self, text: str) -> None:
        self._try(lambda: self._node.say(text), Said(self.names[min(self.table.signers) - 1], text))

    def _try(self, call: Callable[[], Iterable[Effect]], told: Notice | None = None) -> None:
        """Do what the player wants, `told` before what follows from it. Raises RefusedError."""
        if self._working:
            raise RefusedError("The cards are being shuffled: wait a moment, then type it again.")
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
        unheard, self._unheard = self._unheard, self._node.unheard
        self._tell_plies()
        self._tell_wishes()
        if unheard != self._unheard:
            # Nothing may have been played, but whoever was to act could not until now.
            self.tell(Progress())

    def _carry_out(self, effect: Effect) -> None:
        """Do what is rarely to be done."""
        match effect:
            case Keep(secrets):
                self._keep(secrets)
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
            case Voted(seat, target):
                text = f"{self.label(seat)} votes to go on without {self.label(target)}."
                text += f" `vote {self.call(target)}` agrees." if self.people else ""
                if target in self.people:
                    text = f"{self.label(seat)} votes to go on without you: move now."
                self.tell(Note(text, urgent=True))
            case Claimed(seat):
                self.tell(Note(f"{self.label(seat)} claimed the game while you were away; play on.", urgent=True))
            case Overdue(seat):
                text = f"{self.label(seat)} has used up the time for this turn. "
                text += "`claim` claims the game." if self._two else "Your client votes to go on without."
                if seat in self.table.signers:
                    text = f"Your time for this turn is up: move now, or {self._late()}."
                self.tell(Note(text, urgent=True))
            case Broken():
                text = "This program disagrees with its own record. Stop playing and keep the saved game."
                self.tell(Note(text, urgent=True))

    def _caught(self, seat: int, reason: str) -> str:
        return f"CHEAT: {self.label(seat)} {reason}. The proof is in the saved game."

    def audited(self) -> list[str]:
        """Return what is known of a last round that was broken off, once the result is signed."""
        told = []
        for seat, whole, cheats in self.table.last_round.audits():
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
        now = time.monotonic()
        spent = max(now, self._spoken.get(seat, now))
        if spent < now + CHAT_LINES:
            self._spoken[seat] = spent + 1
            self.tell(Said(self.names[seat - 1], text))

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
