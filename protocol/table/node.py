"""One client at one table, seen from its links: what arrives, what goes out, what must be on disk before it does.

Nothing here waits or writes. Every call returns effects, which the caller carries out in their order, each as it comes:
what is to be sent is there before what follows from it has been worked out.
"""

from collections.abc import Iterable, Iterator

from engine import MalformedError, Value
from protocol._greeting import clean_text
from protocol._wire import (
    ASK_BYTES,
    CHAT_LENGTH,
    PROOFS_LIMIT,
    STARTED,
    WAITING_LIMIT,
    Chat,
    Decline,
    Events,
    Form,
    Have,
    Join,
    Leave,
    event_batches,
    message_bytes,
    read_message,
)
from protocol.cards import Dealing
from protocol.events import EventKind, Head, SignedEvent
from protocol.table.effects import Blame, Effect, Folded, Heard, Keep, Left, Overdue, Send, Store
from protocol.table.going_on import GoingOn
from protocol.table.held import PeerFaultError
from protocol.table.news import News
from protocol.table.own import LocalFaultError
from protocol.table.resuming import Resuming
from protocol.table.table import Table
from protocol.table.turn_time import TurnTime
from protocol.transcript.file import event_record, proof_record

AT_ONCE = float("-inf")
"""A time that is past on any clock, wherever it counts from."""
HAVE_EVERY = 4.0
"""Seconds between two statements of what is held: a lost message is noticed within 5, a busy machine included."""
ASK_AGAIN = 0.5
"""Seconds before a peer is asked again for something that it seems to hold."""
REPEAT_AFTER = 0.2
"""Seconds in which no peer is told the same event twice, whatever it says it lacks."""
REPEAT_BYTES = 200_000
"""Bytes of answers for which that is a second longer: a slow network takes as long to carry them."""
RESULT_PATIENCE = 10.0
"""Seconds that a client stays for the others' signatures under the result."""
LEAVE_AFTER = 2.0
"""Seconds after the loss of a link before this client relies on another one to deliver the final signatures.

Two clients that lose the same peer together need the time to learn of each other's loss; else each relies on the other
and both leave."""

_LOST = bytes(ASK_BYTES)
"""Asks a peer of whose messages some were dropped: it says what it holds, and sends what is lacking."""


class Node:
    """Keeps one table in step with its peers: the ids of the clients that play the other seats."""

    def __init__(self, table: Table, formation: Value = None, *, resumed: bool = False, challenge: bytes = b"") -> None:
        """`challenge` are random bytes (at most 8) with which a resumed table asks what the others hold."""
        self.table = table
        self.going_on = GoingOn(table.held, table.fold, table.own)
        seats, own = table.charter.body.seats, table.own.operator
        self._formation = formation
        self._seat_of = {seats[seat.operator - 1].id: seat.operator for seat in seats if seat.operator != own}
        self._resuming = Resuming(table, self._seat_of, challenge, resumed=resumed)
        self._turn_time = TurnTime(table)
        self._news = News(table)
        self._asked: dict[bytes, bytes] = {}
        """With what each peer that came back has asked."""
        self._theirs: dict[bytes, tuple[Head, ...]] = {}
        """How far the chains of each peer go, as far as this client knows."""
        self._proven: dict[bytes, tuple[tuple[int, int], ...]] = {}
        """The proofs of equivocation that each peer has said to hold."""
        self._apart: dict[bytes, tuple[int, ...]] = {}
        """The operators that each peer has said to have no link to."""
        self._linked: dict[bytes, float] = {}
        """The peers whose link is up, each with the time from which it may be asked again."""
        self._parted: dict[bytes, float] = {}
        """When links went down."""
        self._answered: dict[bytes, tuple[float, set[bytes]]] = {}
        """For each peer until when it is not told again what, by hash."""
        self._next_have = AT_ONCE
        self._over_since: float | None = None
        self._now = 0.0

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
        return all(self._holds(peer, {*self.table.own.signers}) for peer in self._linked)

    @property
    def dealing(self) -> Dealing | None:
        """Return the deal under way: its steps take tenths of a second each, better not where a player waits."""
        machine = self.table.fold.position.machine
        return machine if isinstance(machine, Dealing) else None

    @property
    def left(self) -> float | None:
        """Return how many seconds of the turn time are left, as of the latest call, or None where no time runs."""
        return None if self.unheard else self._turn_time.left(self._now)

    @property
    def unheard(self) -> tuple[int, ...]:
        """Return the seats that have to say what they hold of a resumed table, before anything is signed here."""
        return self._resuming.unheard(self._now, self._theirs)

    # The end.

    def done(self, now: float) -> bool:
        """Return whether the game is over and nothing is left to wait for.

        That is when all who have not left have signed the result, and have said that they hold the others' signatures;
        or hold the proof that ended the game.
        """
        self._now = now
        if self.table.fold.result is None:
            self._over_since = None
            return False
        if self._over_since is None:
            self._over_since = now
        if now >= self._over_since + RESULT_PATIENCE:
            return True
        if self.table.fold.broken:
            return all(len(self._proven.get(peer, ())) >= len(self.table.held.proofs) for peer in self._linked)
        wanted = self._to_sign()
        operators = {self.table.operator(seat) for seat in wanted}
        others = [peer for peer, operator in self._seat_of.items() if operator in operators]
        return wanted <= {*self.table.confirmed()} and all(self._served(peer, wanted) for peer in others)

    def _to_sign(self) -> set[int]:
        """Return the seats whose signatures under the result are waited for: those that play, and those that watch."""
        position, here = self.table.fold.position, {self._seat_of[peer] for peer in self._linked}
        cheats = {cheat.seat for cheat in position.cheats}
        left = {entry.actor for entry in self.table.fold.log if entry.left}
        watching = {seat for seat, operator in enumerate(self.table.fold.operators, 1) if operator in here}
        return {*position.live, *self.table.own.signers, *watching - cheats - left}

    def _served(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer holds what these seats have signed, or gets it from another client that stays for that.

        That client holds it, and has a link to the peer where this one has none.
        """
        if peer in self._linked or self._holds(peer, seats):
            return self._holds(peer, seats)
        if self._now < self._parted.get(peer, -LEAVE_AFTER) + LEAVE_AFTER:
            return False
        near = [other for other, apart in self._apart.items() if self._seat_of[peer] not in apart]
        return any(other != peer and self._holds(other, seats) for other in near)

    def _holds(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer, linked or not, is known to hold all that these seats have signed."""
        heads = self._theirs.get(peer, ())
        return heads != () and all(heads[seat - 1].length >= self.table.held.heads[seat - 1].length for seat in seats)

    # What the client calls.

    def start(self) -> list[Effect]:
        """Sign what is due at once."""
        return list(self._publish([]))

    def trust(self) -> list[Effect]:
        """Take the player's word that this is the newest copy: nobody has to be heard any more."""
        self._resuming.trust()
        return list(self._publish([]))

    def link(self, peer: bytes, up: bool) -> list[Effect]:
        """Note that a link came up or went down."""
        if self._linked.pop(peer, None) is not None:
            self._parted[peer] = self._now
        self._answered.pop(peer, None)
        self._next_have = AT_ONCE  # all should know soon what has to be passed on to this client
        if not up or peer not in self._seat_of:
            return []
        self._theirs.pop(peer, None)  # the peer's program may have started again, with an old copy
        self._linked[peer] = AT_ONCE
        return [self._have(peer)]

    def ask(self, peer: bytes) -> list[Effect]:
        """Ask a peer for what was lost of what it sent, and soon again: the answer may be lost as well."""
        self._next_have = min(self._next_have, self._now + ASK_AGAIN)
        return [self._have(peer, _LOST)] if peer in self._linked else []

    def tick(self, now: float) -> list[Effect]:
        """Do what is due by time; to be called about once a second."""
        self._now = now
        self._resuming.tick(now)
        effects = list(self._publish([])) if self._resuming.asleep else []
        if not self.unheard:
            late = self._turn_time.late(now)
            effects += map(Overdue, self._turn_time.newly_late(late))
            effects += self._agree({self.table.operator(seat) for seat in late} - {self.table.own.operator})
        if now >= self._next_have:
            self._next_have = now + HAVE_EVERY
            effects += map(self._have, self._linked)
        return effects

    def receive(self, peer: bytes, data: bytes, now: float) -> Iterable[Effect]:
        """Take in a message. A peer without a seat learns only that the game has begun."""
        self._now = now
        if peer not in self._seat_of:
            return [Send(peer, message_bytes(Decline(STARTED)))] if data == message_bytes(Join()) else []
        try:
            message = read_message(data)
        except MalformedError:
            return [Blame(peer, "a malformed message")]
        match message:
            case Events(table, events) if table == self.table.id:
                return self._take(peer, events)
            case Have(table, heads) if table == self.table.id and len(heads) == len(self.table.held.chains):
                return self._answer(peer, message)
            case Chat(table, text) if table == self.table.id and text:
                return [Heard(self._seat_of[peer], text)]
            case Leave(table, reason) if table == self.table.id:
                return [Left(self._seat_of[peer], reason)]
            case Form((*_, tuple(signatures)), _) if self._formation is not None and None in signatures:
                # The peer lacks a signature of the charter. Nobody answers a complete one, or two would for ever.
                return [Send(peer, message_bytes(Form(self._formation, ())))]
        return []

    def play(self, seat: int, action: str) -> Iterable[Effect]:
        """Make a move. Raises LocalFaultError with the reason if it is not lawful."""
        self.may_sign()
        return self._publish([self.table.own.play(seat, action)])

    def wish_draw(self, seat: int, wish: bool) -> list[Effect]:
        """Offer or accept a draw, or take the offer back. Raises LocalFaultError."""
        self.may_sign()
        return list(self._publish([self.table.own.wish_draw(seat, wish)]))

    def without(self, seat: int) -> list[Effect]:
        """Note that the player wants to go on without the client that plays `seat`. Raises LocalFaultError."""
        self.may_go_on_without(seat)
        self.going_on.want({self.table.operator(seat)})
        return list(self._agree(set()))

    def may_go_on_without(self, seat: int) -> None:
        """Raise LocalFaultError if the player cannot want that now."""
        self.may_sign()
        operator = self.table.operator(seat)
        if operator == self.table.own.operator:
            raise LocalFaultError("That is your own seat: `resign` gives it up.")
        if len(self.table.fold.playing) < 3:
            raise LocalFaultError("Of two players nobody can go on without the other: wait, `adjourn`, or `quit`.")
        if operator not in self.going_on.debtors():
            raise LocalFaultError(
                "The game does not wait for that player. You can go on without a player from whom something is due."
            )

    def agree(self) -> list[Effect]:
        """Note that the player wants what others have proposed: to go on without somebody. Raises LocalFaultError."""
        self.going_on.want(self.may_agree())
        return list(self._agree(set()))

    def may_agree(self) -> set[int]:
        """Return the operators that others want to go on without. Raises LocalFaultError if there are none."""
        self.may_sign()
        leavers = self.going_on.unwanted - {self.table.own.operator}
        if not leavers:
            raise LocalFaultError("Nobody has proposed to go on without another player.")
        return leavers

    def say(self, text: str) -> list[Effect]:
        """Send a line of chat to all. Raises LocalFaultError where nobody hears it."""
        line = clean_text(text, CHAT_LENGTH)
        if not line or not self._linked:
            raise LocalFaultError("Nobody is connected who could hear you." if line else "There is nothing to say.")
        data = message_bytes(Chat(self.table.id, line))
        return [Send(peer, data) for peer in self._linked]

    def may_sign(self) -> None:
        """Raise LocalFaultError while the others have to be heard first."""
        if self.unheard:
            reason = "First the others have to say how far the game had come: wait for them, or see `newest`."
            raise LocalFaultError(reason)

    def leave(self, reason: int) -> list[Send]:
        """Tell all that this client leaves the table by its player's wish: QUIT or ADJOURN."""
        data = message_bytes(Leave(self.table.id, reason))
        return [Send(peer, data) for peer in self.linked]

    # What arrives.

    def _take(self, peer: bytes, events: tuple[tuple[bytes, bytes], ...]) -> Iterator[Effect]:
        held, accepted, records = self.table.held, [], []
        proven = len(held.proofs)
        fault = ""
        for raw, signature in events:
            known = len(held.proofs)
            try:
                news = self.table.receive(raw, signature)
            except PeerFaultError as error:
                fault = error.reason
                break
            records += [*map(proof_record, held.proofs[known:]), *map(event_record, news)]
            accepted += news
        if fault:
            yield Blame(peer, fault)
        for event in accepted:
            if event.seat == self._seat_of[peer]:
                heads = event.heads_after  # it may come again after its author has said more
                self._theirs[peer] = tuple(map(max, heads, self._theirs.get(peer, heads)))
        evidence = [event for proof in held.proofs[proven:] for event in proof]
        passed_on = [*self._pass_on(peer, accepted), *self._sends(evidence, self._linked)]
        record = b"".join(records)
        if passed_on:
            yield Store(record, sync=bool(evidence))
            record = b""
            yield from passed_on
        self._resuming.hear(peer)
        told = False
        for effect in self._publish([], record, accepted):
            told = told or (isinstance(effect, Send) and effect.peer == peer)
            yield effect
        # An event tells what its author holds, so one that goes out anyway acknowledges as well. Where nothing was
        # new, two peers with two versions of one event would answer each other without end.
        if not told and (accepted or self._may_ask(peer)):
            yield self._have(peer)
        if accepted and self.table.fold.result and self._to_sign() <= {*self.table.confirmed()}:
            # A client that knows that all hold all signatures may leave.
            yield from [self._have(other) for other in self._linked if other != peer]

    def _answer(self, peer: bytes, have: Have) -> Iterator[Effect]:
        heads = self._theirs[peer] = have.heads
        self._apart[peer], self._proven[peer] = have.apart, have.proofs
        # A client that came back must not sign what it has signed before. Whether its events have their place here, or
        # only wait, makes no difference; unless they wait there as well, and nobody has what they wait for.
        there = {have.asks[at : at + ASK_BYTES] for at in range(ASK_BYTES, len(have.asks), ASK_BYTES)}
        waiting = [one for one in self._waiting_of(peer, heads) if have.asks and one.hash[:ASK_BYTES] not in there]
        self._asked[peer] = b"" if waiting else have.asks
        # What is signed on waking is among what the peer lacks, and must be on disk before it is sent. So must what the
        # answer says is held here: a crash must not take back what a peer that came back goes by.
        self._resuming.hear(peer, have)
        yield from self._publish([])
        if have.asks:
            yield Store(b"", sync=True)
        until, told = self._answered.get(peer, (AT_ONCE, set()))
        if self._now >= until:
            until, told = self._now + REPEAT_AFTER, set()
        lacking = self.table.held.lacking(heads, have.proofs, self.table.fold.position.live, told)
        lacking += [event for event in waiting if event.hash not in told]
        told.update(event.hash for event in lacking)
        self._answered[peer] = until + sum(len(event.raw) for event in lacking) / REPEAT_BYTES, told
        yield from self._sends(lacking, [peer])
        behind = any(theirs.length > own.length for theirs, own in zip(heads, self.table.held.heads, strict=True))
        if have.asks or (behind and self._may_ask(peer)):
            yield self._have(peer)

    def _waiting_of(self, peer: bytes, heads: tuple[Head, ...]) -> list[SignedEvent]:
        """Return what waits here of the seats of a peer whose own copy has these heads, and lacks it.

        It may never count, but its author must not sign anything else in its place.
        """
        return [
            event
            for (seat, number), event in sorted(self.table.held.waiting.items())
            if self.table.operator(seat) == self._seat_of[peer] and number > heads[seat - 1].length
        ][:WAITING_LIMIT]

    def _may_ask(self, peer: bytes) -> bool:
        """Return whether it is time to ask a linked peer again; then it is not for a while."""
        if self._now < self._linked.get(peer, float("inf")):
            return False
        self._linked[peer] = self._now + ASK_AGAIN
        return True

    # What goes out.

    def _publish(
        self, signed: list[SignedEvent], heard: bytes = b"", accepted: list[SignedEvent] | None = None
    ) -> Iterator[Effect]:
        """Store and send what was signed and what is owed after it; then say what came to light.

        `heard` are the records of the events `accepted` from a peer, which are not stored yet.
        """
        table = self.table
        if signed and not table.fold.position.bound:
            yield from self._out(signed, heard)
            heard = b""
            table.advance(signed)
            signed = []
        elif signed:  # a roll may follow, and the salt goes along with the move
            table.advance(signed)
        if not self.unheard:
            self._resuming.asleep = False
            signed = signed + table.duties()
        if signed:
            yield from self._out(signed, heard)
        if signed or accepted:
            yield Folded()
        if heard and not signed:
            yield Store(heard, sync=False)
        if table.own.forget() and table.own.secrets:
            yield Keep(table.own.secrets.packed())
        if any(event.kind == EventKind.EPOCH for event in accepted or ()):
            yield from self._agree(set())
        yield from self._news.of(accepted or [])
        table.own.prepare()

    def _agree(self, late: set[int]) -> Iterator[Effect]:
        """Sign the agreement that is due, if one is, and what is owed once it is in force."""
        present = {self._seat_of[peer] for peer in self._linked}
        signed = self.going_on.due(present, late, self._now)
        if signed:
            yield from self._out(signed, b"")
            self.table.advance(signed)
            yield from self._publish([], b"", [])
            yield Folded()

    def _out(self, signed: list[SignedEvent], heard: bytes) -> Iterator[Effect]:
        yield Store(b"".join((heard, *map(event_record, signed))), sync=True)
        yield from self._sends(signed, self._linked)

    def _sends(self, events: list[SignedEvent], peers: Iterable[bytes]) -> list[Send]:
        batches = event_batches(self.table.id, events)
        return [Send(peer, batch) for peer in peers for batch in batches]

    def _pass_on(self, sender: bytes, events: list[SignedEvent]) -> list[Send]:
        """Send what is new to the peers that neither its author nor its sender has a link to, as they have said."""
        found: list[Send] = []
        if not any(self._apart.values()):
            return found
        linked = {self._seat_of[peer] for peer in self._linked}
        for peer in self._linked:
            apart, held = {*self._apart.get(peer, ())}, self._theirs.get(peer)
            # An author sends its events to all that it has a link to, and so does a client what its author sent it.
            authors = apart if self._seat_of[sender] in apart else apart & linked
            news = [event for event in events if self.table.operator(event.seat) in authors]
            news = [event for event in news if not held or held[event.seat - 1].length < event.number]
            found += self._sends(news, [peer])
        return found

    def _have(self, peer: bytes, asks: bytes = b"") -> Send:
        held = self.table.held
        proofs = tuple((proof.kept.seat, proof.kept.number) for proof in held.proofs[:PROOFS_LIMIT])
        apart = tuple(seat for other, seat in self._seat_of.items() if other not in self._linked)
        asks = self._resuming.asks(peer) or asks
        return Send(
            peer, message_bytes(Have(self.table.id, held.heads, proofs, asks, self._asked.get(peer, b""), apart))
        )
