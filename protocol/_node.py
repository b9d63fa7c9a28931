"""One client at one table, seen from its links: what arrives, what goes out, what must be on disk before it does.

Nothing here waits or writes. Every call returns effects, which the caller carries out in their order, each as it comes:
what is to be sent is there before what follows from it has been worked out.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from engine import MalformedError, Value
from protocol._chance import Dealing
from protocol._effects import Blame, Caught, Effect, Folded, Heard, Keep, Left, Overdue, Send, Store
from protocol._event import TURN, Fork, Head, SignedEvent, Slot
from protocol._greeting import clean_text
from protocol._news import News
from protocol._replica import PeerFaultError
from protocol._table import LocalFaultError, Table
from protocol._transcript import event_record, fork_record
from protocol._wire import (
    ASK_BYTES,
    CHAT_LENGTH,
    FORKS_LIMIT,
    STARTED,
    WAITING_LIMIT,
    Chat,
    Decline,
    Events,
    Form,
    Have,
    Join,
    Leave,
    Message,
    event_batches,
    message_bytes,
    read_message,
)

AT_ONCE = float("-inf")
"""A time that is past on any clock, wherever it counts from."""
HAVE_EVERY = 4.0
"""Seconds between two statements of what is held: a lost message is noticed within 5, a busy machine included."""
ASK_AGAIN = 0.5
"""Seconds before a peer is asked again for something it seems to hold."""
REPEAT_AFTER = 0.2
"""Seconds in which no peer is told the same event twice, whatever it says it lacks."""
REPEAT_BYTES = 200_000
"""Bytes of answers for which it is a second longer: a slow network takes as long to carry them."""
RESUME_PATIENCE = 30.0
"""Seconds that a resumed table waits for all others to say what they hold, before a majority will do."""
RESULT_PATIENCE = 10.0
"""Seconds that a client stays for the others' signatures under the result."""
LEAVE_AFTER = 2.0
"""Seconds after a link went down until its peer may be left to another who is said to reach it: by then that one has
heard so, and has said whether its own link went down as well. Or each of two would leave a third to the other."""

_LOST = bytes(ASK_BYTES)
"""Asks a peer that was not heard for a moment: it says what it holds as well as what is lacking."""


class Node:
    """Keeps one table in step with its peers: ids of the clients that play the other seats."""

    def __init__(self, table: Table, formation: Value = None, *, resumed: bool = False, challenge: bytes = b"") -> None:
        """`challenge` are some random bytes, with which a resumed table asks what the others hold (8 at most)."""
        self.table = table
        seats = table.charter.body.seats
        self._own = seats[min(table.signers) - 1].operator
        self._formation = formation
        self._seat_of = {
            seats[entry.operator - 1].id: entry.operator for entry in seats if entry.operator not in table.signers
        }
        self._unheard = set(self._seat_of) if resumed else set()
        self._asleep = resumed
        """Whether nothing is signed yet; who has once begun to sign again has to hear nobody any more."""
        self._resumed: float | None = None
        self._challenge = challenge
        self._asked: dict[bytes, bytes] = {}
        self._said_to_us: dict[bytes, tuple[Head, ...]] = {}
        """What peers have answered to the challenge."""
        self._theirs: dict[bytes, tuple[Head, ...]] = {}
        self._apart: dict[bytes, tuple[int, ...]] = {}
        """The operators that peers have said to have no link to."""
        self._linked: dict[bytes, float] = {}
        self._parted: dict[bytes, float] = {}
        """When links went down."""
        self._answered: dict[bytes, tuple[float, set[bytes]]] = {}
        """Until when peers are not told again what, by hash."""
        self._next_have = AT_ONCE
        self._over_since: float | None = None
        self._news = News(table)
        self._now = 0.0
        self._timed: tuple[Slot | int, float] | None = None
        """What the turn time runs for, and since when."""
        self._overdue: set[tuple[Slot, int]] = set()

    @property
    def peers(self) -> tuple[bytes, ...]:
        """Return the ids of the other clients at the table."""
        return tuple(self._seat_of)

    @property
    def linked(self) -> tuple[bytes, ...]:
        """Return the peers whose link is up."""
        return tuple(self._linked)

    @property
    def acknowledged(self) -> bool:
        """Return whether every linked peer holds all that this client's seats have signed."""
        own = [(seat - 1, len(self.table.chains[seat - 1])) for seat in self.table.signers]
        none: tuple[Head, ...] = ()
        held = [self._theirs.get(peer, none) for peer in self._linked]
        return all(heads and all(heads[at].length >= length for at, length in own) for heads in held)

    @property
    def dealing(self) -> Dealing | None:
        """Return the deal under way: its steps take tenths of a second each, better not where a player waits."""
        machine = self.table.fold.position.machine
        return machine if isinstance(machine, Dealing) else None

    def done(self, now: float) -> bool:
        """Return whether the game is over and nothing is left to wait for.

        That is when whoever has not left has signed the result and said that it holds the others' signatures, too.
        """
        self._now = now
        if self.table.fold.position.result is None:
            self._over_since = None
            return False
        if self._over_since is None:
            self._over_since = now
        if now >= self._over_since + RESULT_PATIENCE:
            return True
        wanted = self._to_sign()
        operators = {self.table.charter.body.seats[seat - 1].operator for seat in wanted}
        others = [peer for peer, operator in self._seat_of.items() if operator in operators]
        return wanted <= {*self.table.confirmed()} and all(self._served(peer, wanted) for peer in others)

    def _to_sign(self) -> set[int]:
        """Return the seats whose signatures under the result are waited for: those that play, and who watches on."""
        fold, here = self.table.fold, {self._seat_of[peer] for peer in self._linked}
        cheats = {cheat.seat for cheat in fold.position.cheats}
        watching = {seat for seat, entry in enumerate(self.table.charter.body.seats, 1) if entry.operator in here}
        return {
            seat for seat in {*fold.position.live, *self.table.signers, *watching - cheats} if fold.cut(seat) is None
        }

    def _served(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer holds what these seats have signed, or has it from somebody who stays for that.

        That is who holds it and has a link to this peer, where we have none.
        """
        if peer in self._linked or self._holds(peer, seats):
            return self._holds(peer, seats)
        if self._now < self._parted.get(peer, -LEAVE_AFTER) + LEAVE_AFTER:
            return False
        near = [other for other, apart in self._apart.items() if self._seat_of[peer] not in apart]
        return any(other != peer and self._holds(other, seats) for other in near)

    def _holds(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer, linked or not, has said that it holds all that these seats have signed."""
        heads = self._theirs.get(peer, ())
        return heads != () and all(heads[seat - 1].length >= len(self.table.chains[seat - 1]) for seat in seats)

    @property
    def unheard(self) -> tuple[int, ...]:
        """Return the seats that have to say first what they hold of a resumed table; until then nothing is signed.

        They may hold more of our own chain than a restored copy does, and signing twice would be cheating. Where some
        are missing for long, more than half of the others will do; of two players the other one is needed. Or
        the player says that no newer copy is about (`trust`).
        """
        if not self._asleep:
            return ()
        live = self.table.fold.position.live
        # Where nobody else is left, as after a resignation of two, those who left hold our last events all the same.
        others = {id: seat for id, seat in self._seat_of.items() if seat in live} or self._seat_of
        missing = tuple(seat for id, seat in others.items() if id in self._unheard)
        if self._resumed is None or self._now < self._resumed + RESUME_PATIENCE:
            return missing or tuple(seat for id, seat in self._seat_of.items() if self._holds_more(id))
        return missing if 2 * (len(others) - len(missing)) <= len(others) else ()

    def _holds_more(self, peer: bytes) -> bool:
        """Return whether a peer, left or not, has said that it holds more of our chains than we do."""
        heads = self._theirs.get(peer)
        return heads is not None and any(
            heads[seat - 1].length > len(self.table.chains[seat - 1]) for seat in self.table.signers
        )

    def trust(self) -> list[Effect]:
        """Take the player's word that this is the newest copy: who has not been heard is not waited for any more."""
        self._unheard.clear()
        self._resumed = AT_ONCE
        self.table.forgo()
        return list(self._wake())

    def start(self) -> list[Effect]:
        """Sign what is due at once."""
        return list(self._publish([]))

    def link(self, peer: bytes, up: bool) -> list[Effect]:
        """Note that a link came up or went down."""
        if self._linked.pop(peer, None) is not None:
            self._parted[peer] = self._now
        self._answered.pop(peer, None)
        self._next_have = AT_ONCE  # all should know soon what has to be passed on to us
        if not up or peer not in self._seat_of:
            return []
        self._theirs.pop(peer, None)  # whose program may have started again, with an old copy
        self._linked[peer] = AT_ONCE
        return [self._have(peer)]

    def ask(self, peer: bytes) -> list[Effect]:
        """Ask a peer for what was lost of what it sent, and soon again: the answer may be lost as well."""
        self._next_have = min(self._next_have, self._now + ASK_AGAIN)
        return [self._have(peer, _LOST)] if peer in self._linked else []

    def tick(self, now: float) -> list[Effect]:
        """Do what is due by time; to be called about once a second."""
        self._now = now
        if self._resumed is None:
            self._resumed = now
        records = self._exchange([])
        woken = [*(self._publish([], b"".join(records)) if records else self._wake()), *self._time()]
        if now < self._next_have:
            return woken
        self._next_have = now + HAVE_EVERY
        return [*woken, *(self._have(peer) for peer in self._linked)]

    def _time(self) -> list[Effect]:
        """Vote against whom the turn time has run out on; whoever is alone says so, and votes when a link is back."""
        position = self.table.fold.position
        limit = self.table.charter.body.turn_time
        if not limit or self.unheard or position.result:
            return []
        if self._timed is None or self._timed[0] != self._timing:
            self._timed = self._timing, self._now
        if self._now < self._timed[1] + limit:
            return []
        effects: list[Effect] = []
        for seat in self.table.fold.owing():
            if (position.slot, seat) not in self._overdue:
                self._overdue = {*(one for one in self._overdue if one[0] == position.slot), (position.slot, seat)}
                effects.append(Overdue(seat))
            if self._linked and seat not in self.table.signers:
                with suppress(LocalFaultError):  # it has voted, or is one of two
                    effects += self.vote(seat)
        return effects

    @property
    def left(self) -> float | None:
        """Return how many seconds of the turn time are left, as of the latest call, or None where no time runs."""
        limit, position = self.table.charter.body.turn_time, self.table.fold.position
        if not limit or self._timed is None or self._timed[0] != self._timing or self.unheard or position.result:
            return None
        return max(0.0, self._timed[1] + limit - self._now)

    @property
    def _timing(self) -> Slot | int:
        """Return what the turn time runs for: a slot, or a turn, which no wish for a draw makes longer."""
        position = self.table.fold.position
        return position.plies if position.slot.kind == TURN else position.slot

    def receive(self, peer: bytes, data: bytes, now: float) -> Iterable[Effect]:
        """Take in a message. Whoever has no seat here learns only that the game has begun."""
        self._now = now
        if peer not in self._seat_of:
            return [Send(peer, message_bytes(Decline(STARTED)))] if data == message_bytes(Join()) else []
        try:
            message = read_message(data)
        except MalformedError:
            return [Blame(peer, "a malformed message")]
        return self._handle(peer, message)

    def play(self, seat: int, action: str) -> Iterable[Effect]:
        """Make a move. Raises LocalFaultError with the reason if it is not lawful."""
        self.may_sign()
        return self._publish([self.table.play(seat, action)])

    def wish_draw(self, seat: int, wish: bool) -> list[Effect]:
        """Offer or accept a draw, or take the offer back. Raises LocalFaultError."""
        self.may_sign()
        return list(self._publish([self.table.wish_draw(seat, wish)]))

    def vote(self, seat: int) -> list[Effect]:
        """Vote to remove a seat that the game waits for. Raises LocalFaultError."""
        self.may_sign()
        return list(self._publish([self.table.vote(seat)]))

    def claim(self) -> list[Effect]:
        """Claim that the only other player is gone. Raises LocalFaultError."""
        self.may_sign()
        return list(self._publish([self.table.claim()]))

    def may_sign(self) -> None:
        """Raise LocalFaultError while the others have to be heard first."""
        if self.unheard:
            reason = "First the others have to say how far the game had come: wait for them, or see `newest`."
            raise LocalFaultError(reason)

    def say(self, text: str) -> list[Effect]:
        """Send a line of chat to all. Raises LocalFaultError where nobody hears it."""
        line = clean_text(text, CHAT_LENGTH)
        if not line or not self._linked:
            raise LocalFaultError("Nobody is connected who could hear you." if line else "There is nothing to say.")
        data = message_bytes(Chat(self.table.id, line))
        return [Send(peer, data) for peer in self._linked]

    def leave(self, reason: int) -> list[Send]:
        """Tell all that this client leaves the table by its player's wish: QUIT or ADJOURN."""
        data = message_bytes(Leave(self.table.id, reason))
        return [Send(peer, data) for peer in self.linked]

    def _handle(self, peer: bytes, message: Message) -> Iterable[Effect]:
        # A match would take longer, and a game is made of these two.
        if isinstance(message, Events):
            return self._take(peer, message.events) if message.table == self.table.id else []
        if isinstance(message, Have):
            fits = message.table == self.table.id and len(message.heads) == len(self.table.chains)
            return self._answer(peer, message) if fits else []
        match message:
            case Chat(table, text) if table == self.table.id:
                return [Heard(self._seat_of[peer], text)] if text else []
            case Leave(table, reason) if table == self.table.id:
                return [Left(self._seat_of[peer], reason)]
            case Form((*_, tuple(signatures)), _) if self._formation is not None and None in signatures:
                # The peer lacks a signature of the charter. Nobody answers a complete one, or two would for ever.
                return [Send(peer, message_bytes(Form(self._formation, ())))]
        return []

    def _answer(self, peer: bytes, have: Have) -> list[Effect]:
        heads = self._theirs[peer] = have.heads
        self._apart[peer] = have.apart
        if have.answers.startswith(self._challenge):
            self._said_to_us[peer] = heads
        # Who came back must not sign what it has signed before: that some of it only waits here makes no difference.
        # Only where it waits there as well, and nobody has what it waits for, it is as if it had never been.
        there = {have.asks[at : at + ASK_BYTES] for at in range(ASK_BYTES, len(have.asks), ASK_BYTES)}
        waiting = self.table.waiting(self._seat_of[peer], heads)[:WAITING_LIMIT] if have.asks else []
        waiting = [event for event in waiting if event.hash[:ASK_BYTES] not in there]
        self._asked[peer] = b"" if waiting else have.asks
        # What is signed on waking is among what the peer lacks, and must be on disk before it is sent. So must what the
        # answer says is held here: a crash must not take back what a peer that came back goes by.
        effects = list(self._hear_out(peer))
        if have.asks:
            effects.append(Store(b"", sync=True))
        lacking = self._lacking(peer, have, waiting)
        effects += [Send(peer, batch) for batch in event_batches(self.table.id, lacking)]
        behind = any(theirs.length > own.length for theirs, own in zip(heads, self.table.heads, strict=True))
        if have.asks or (behind and self._may_ask(peer)):
            effects.append(self._have(peer))
        return effects

    def _lacking(self, peer: bytes, have: Have, waiting: list[SignedEvent]) -> list[SignedEvent]:
        """Return what the peer lacks, of its own also what waits here, and was not answered with a moment ago."""
        until, told = self._answered.get(peer, (AT_ONCE, set()))
        if self._now >= until:
            until, told = self._now + REPEAT_AFTER, set()
        news = self.table.lacking(have.heads, have.forks, told)
        news += [event for event in waiting if event.hash not in told]
        told.update(event.hash for event in news)
        self._answered[peer] = until + sum(len(event.raw) for event in news) / REPEAT_BYTES, told
        return news

    def _go_on(self, peer: bytes, heard: bytes) -> Iterator[Effect]:
        """Sign what is due now that a peer has told news; `heard` are their records, not stored yet."""
        yield from self._sign_on([], heard)
        yield from self._hear_out(peer)

    def _hear_out(self, peer: bytes) -> Iterable[Effect]:
        """Note that a peer has said what it holds of our chains, if we hold all of that now."""
        heads = self._said_to_us.get(peer)
        if heads and all(heads[seat - 1].length <= len(self.table.chains[seat - 1]) for seat in self.table.signers):
            self._unheard.discard(peer)
        return self._wake()

    def _wake(self) -> Iterable[Effect]:
        """Sign what is due as soon as enough peers of a resumed table have been heard."""
        if not self._asleep or self.unheard:
            return []
        return self._publish([])

    def _may_ask(self, peer: bytes) -> bool:
        """Return whether it is time to ask a linked peer again; then it is not for a while."""
        if self._now < self._linked.get(peer, float("inf")):
            return False
        self._linked[peer] = self._now + ASK_AGAIN
        return True

    def _take(self, peer: bytes, events: tuple[tuple[bytes, bytes], ...]) -> Iterator[Effect]:
        blame: list[Effect] = []
        accepted: list[SignedEvent] = []
        records: list[bytes] = []
        forks: list[Fork] = []
        for raw, signature in events:
            known = len(self.table.forks)
            try:
                news = self.table.receive(raw, signature)
            except PeerFaultError as fault:
                blame.append(Blame(peer, fault.reason))
                break
            # The proof of a fork stands in the file before what can only be taken in because of it.
            proofs = self.table.forks[known:]
            records += [*map(fork_record, proofs), *map(event_record, news)]
            forks += proofs
            accepted += news
        records += self._exchange(accepted)
        for event in accepted:
            if event.seat == self._seat_of[peer]:
                heads = event.heads_after  # which may come again after its author has said more
                self._theirs[peer] = tuple(map(max, heads, self._theirs.get(peer, heads)))
        heard, passed_on = b"".join(records), self._pass_on(peer, accepted)
        yield from blame
        if forks or passed_on:
            yield Store(heard, sync=bool(forks))
            heard = b""
        for fork in forks:
            yield from self._expose(fork)
        yield from passed_on
        for event in accepted:
            yield from self._news.opinion(event)
        told: set[bytes] = set()
        for effect in self._go_on(peer, heard):
            yield effect
            if isinstance(effect, Send):
                told.add(effect.peer)
        # An event tells what its author holds, so one that goes out anyway acknowledges as well. Where nothing was
        # new, two peers with two versions of one event would answer each other without end.
        if peer not in told and (accepted or self._may_ask(peer)):
            yield self._have(peer)
        if accepted and self.table.fold.position.result and self._to_sign() <= {*self.table.confirmed()}:
            # Who knows that all hold all signatures may leave.
            yield from [self._have(other) for other in self._linked if other != peer and other not in told]
        yield from self._news.cheats()
        self.table.prepare()

    def _exchange(self, accepted: list[SignedEvent]) -> list[bytes]:
        """Hold the versions of forked events that all others have named, and note what counts by that as accepted.

        Return the records of it: the proof once more, the version first that stands from there on.
        """
        records: list[bytes] = []
        while self.table.forks and (forks := self.table.passed_over()):
            news = self.table.exchange(forks[0])
            records += [fork_record(Fork(forks[0].other, forks[0].kept)), *map(event_record, news)]
            accepted += news
        return records

    def _pass_on(self, sender: bytes, events: list[SignedEvent]) -> list[Effect]:
        """Send what is new to those who have said that neither its author nor who sent it here can reach them."""
        effects: list[Effect] = []
        if not any(self._apart.values()):
            return effects
        seats, linked = self.table.charter.body.seats, {self._seat_of[peer] for peer in self._linked}
        for peer in self._linked:
            apart, held = {*self._apart.get(peer, ())}, self._theirs.get(peer)
            # The author sends it to all that it has a link to, and so does, of what it was sent, who sent it here.
            authors = apart if self._seat_of[sender] in apart else apart & linked
            news = [event for event in events if seats[event.seat - 1].operator in authors]
            news = [event for event in news if not held or held[event.seat - 1].length < event.number]
            effects += [Send(peer, batch) for batch in event_batches(self.table.id, news)]
        return effects

    def _publish(self, signed: list[SignedEvent], heard: bytes | None = None) -> Iterator[Effect]:
        """Send what was signed and what has become due, then say what came to light; `heard` as for `_sign_on`."""
        yield from self._sign_on(signed, heard)
        yield from self._news.cheats()
        self.table.prepare()

    def _sign_on(self, signed: list[SignedEvent], heard: bytes | None = None) -> Iterator[Effect]:
        """Have what was signed stored, then sent; then sign what has become due, and so on.

        Records just `heard` are stored together with what is signed first, or else once all of it can be seen.
        """
        news = heard is not None
        while True:
            if signed:
                yield Store(b"".join((heard or b"", *map(event_record, signed))), sync=True)
                heard = None
                batches = event_batches(self.table.id, signed)
                yield from [Send(peer, batch) for peer in self._linked for batch in batches]
            # What follows is worked out only now.
            if self.table.forget() and self.table.secrets:
                yield Keep(self.table.secrets.packed())
            if news and self.table.fold.position.slot.kind == TURN:  # nobody waits for what clients sign by themselves
                yield Folded()
                news = False
            if self.unheard:
                break
            self._asleep = False
            signed = self.table.due()
            if not signed:
                break
        if news:
            yield Folded()
        if heard:
            yield Store(heard, sync=False)

    def _expose(self, fork: Fork) -> list[Effect]:
        evidence = event_batches(self.table.id, [fork.kept, fork.other])
        seat = fork.kept.seat
        return [
            Caught(seat, f"signed two versions of its event {fork.kept.number}"),
            *(Send(peer, batch) for peer in self._linked for batch in evidence),
        ]

    def _have(self, peer: bytes, asks: bytes = b"") -> Send:
        asks, answers = self._asks() if peer in self._unheard else asks, self._asked.get(peer, b"")
        forked = self.table.forked[:FORKS_LIMIT]
        apart = tuple(seat for other, seat in self._seat_of.items() if other not in self._linked)
        return Send(peer, message_bytes(Have(self.table.id, self.table.heads, forked, asks, answers, apart)))

    def _asks(self) -> bytes:
        """Return what this client asks with since it came back; it tells as well which own events wait here."""
        waiting = self.table.waiting(self._own, self.table.heads)[:WAITING_LIMIT]
        return b"".join((self._challenge, *(event.hash[:ASK_BYTES] for event in waiting)))
