"""Who holds what: what each peer is sent, told and asked, so that all come to hold the same events."""

from collections.abc import Iterable, Iterator, Mapping

from protocol.events import Head, SignedEvent
from protocol.messages import ASK_BYTES, PROOFS_LIMIT, WAITING_LIMIT, Have, event_batches, message_bytes
from protocol.table.effects import Effect, Send, Store
from protocol.table.resuming import Resuming
from protocol.table.table import Table

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
LEAVE_AFTER = 2.0
"""Seconds after the loss of a link before this client relies on another one to deliver the final signatures.

Two clients that lose the same peer together need the time to learn of each other's loss; else each relies on the other
and both leave."""

_LOST = bytes(ASK_BYTES)
"""Asks a peer of whose messages some were dropped: it says what it holds, and sends what is lacking."""


class Exchange:
    """What is known of the peers at one table, by id; `now` is the time of the latest call."""

    def __init__(self, table: Table, seat_of: Mapping[bytes, int], resuming: Resuming) -> None:
        self.now = 0.0
        self.linked: dict[bytes, float] = {}
        """The peers whose link is up, each with the time from which it may be asked again."""
        self.theirs: dict[bytes, tuple[Head, ...]] = {}
        """How far the chains of each peer go, as far as this client knows."""
        self._table = table
        self._seat_of = seat_of
        self._resuming = resuming
        self._asked: dict[bytes, bytes] = {}
        """With what each peer that came back has asked."""
        self._proven: dict[bytes, tuple[tuple[int, int], ...]] = {}
        """The proofs of equivocation that each peer has said to hold."""
        self._apart: dict[bytes, tuple[int, ...]] = {}
        """The operators that each peer has said to have no link to."""
        self._parted: dict[bytes, float] = {}
        """When links went down."""
        self._answered: dict[bytes, tuple[float, set[bytes]]] = {}
        """For each peer until when it is not told again what, by hash."""
        self._next_have = AT_ONCE

    @property
    def present(self) -> set[int]:
        """Return the operators that this client has a link to."""
        return {self._seat_of[peer] for peer in self.linked}

    def link(self, peer: bytes, up: bool) -> list[Send]:
        """Note that a link came up or went down; return what the peer is told."""
        if self.linked.pop(peer, None) is not None:
            self._parted[peer] = self.now
        self._answered.pop(peer, None)
        self._next_have = AT_ONCE  # all should know soon what has to be passed on to this client
        if not up or peer not in self._seat_of:
            return []
        self.theirs.pop(peer, None)  # the peer's program may have started again, with an old copy
        self.linked[peer] = AT_ONCE
        return [self.have(peer)]

    def ask(self, peer: bytes) -> list[Send]:
        """Ask a peer for what was lost of what it sent, and soon again: the answer may be lost as well."""
        self._next_have = min(self._next_have, self.now + ASK_AGAIN)
        return [self.have(peer, _LOST)] if peer in self.linked else []

    def tick(self) -> list[Send]:
        """Tell all what is held here, from time to time."""
        if self.now < self._next_have:
            return []
        self._next_have = self.now + HAVE_EVERY
        return [self.have(peer) for peer in self.linked]

    def have(self, peer: bytes, asks: bytes = b"") -> Send:
        """Return the statement of what is held here."""
        held = self._table.held
        proofs = tuple((proof.kept.seat, proof.kept.number) for proof in held.proofs[:PROOFS_LIMIT])
        apart = tuple(seat for other, seat in self._seat_of.items() if other not in self.linked)
        asks = self._resuming.asks(peer) or asks
        said = Have(self._table.id, held.heads, proofs, asks, self._asked.get(peer, b""), apart)
        return Send(peer, message_bytes(said))

    def may_ask(self, peer: bytes) -> bool:
        """Return whether it is time to ask a linked peer again; then it is not for a while."""
        if self.now < self.linked.get(peer, float("inf")):
            return False
        self.linked[peer] = self.now + ASK_AGAIN
        return True

    # What peers are known to hold.

    def learn(self, peer: bytes, accepted: Iterable[SignedEvent]) -> None:
        """Note what a peer holds, by the events of its own that it sent."""
        for event in accepted:
            if event.seat == self._seat_of[peer]:
                heads = event.heads_after  # it may come again after its author has said more
                self.theirs[peer] = tuple(map(max, heads, self.theirs.get(peer, heads)))

    def holds(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer, linked or not, is known to hold all that these seats have signed."""
        heads = self.theirs.get(peer, ())
        return heads != () and all(heads[seat - 1].length >= self._table.held.heads[seat - 1].length for seat in seats)

    def served(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer holds what these seats have signed, or gets it from another client that stays for that.

        That client holds it, and has a link to the peer where this one has none.
        """
        if peer in self.linked or self.holds(peer, seats):
            return self.holds(peer, seats)
        if self.now < self._parted.get(peer, -LEAVE_AFTER) + LEAVE_AFTER:
            return False
        near = [other for other, apart in self._apart.items() if self._seat_of[peer] not in apart]
        return any(other != peer and self.holds(other, seats) for other in near)

    def all_hold_proofs(self) -> bool:
        """Return whether all linked peers have said to hold as many proofs of equivocation as there are here."""
        return all(len(self._proven.get(peer, ())) >= len(self._table.held.proofs) for peer in self.linked)

    # What peers lack.

    def hear(self, peer: bytes, have: Have) -> list[SignedEvent]:
        """Note what a peer says it holds; return the events of its own seats that only wait here, and that it lacks.

        A client that came back must not sign what it has signed before. Whether its events have their place here, or
        only wait, makes no difference; unless they wait there as well, and nobody has what they wait for.
        """
        self.theirs[peer], self._apart[peer], self._proven[peer] = have.heads, have.apart, have.proofs
        there = {have.asks[at : at + ASK_BYTES] for at in range(ASK_BYTES, len(have.asks), ASK_BYTES)}
        waiting = [
            event
            for (seat, number), event in sorted(self._table.held.waiting.items())
            if have.asks and self._table.operator(seat) == self._seat_of[peer] and number > have.heads[seat - 1].length
        ]
        waiting = [event for event in waiting[:WAITING_LIMIT] if event.hash[:ASK_BYTES] not in there]
        self._asked[peer] = b"" if waiting else have.asks
        return waiting

    def answer(self, peer: bytes, have: Have, waiting: list[SignedEvent]) -> Iterator[Effect]:
        """Send a peer what it lacks, and `waiting`; ask for what is lacking here."""
        if have.asks:
            # A crash must not take back what a peer that came back goes by.
            yield Store(b"", sync=True)
        held = self._table.held
        until, told = self._answered.get(peer, (AT_ONCE, set()))
        if self.now >= until:
            until, told = self.now + REPEAT_AFTER, set()
        lacking = held.lacking(have.heads, have.proofs, self._table.fold.position.live, told)
        lacking += [event for event in waiting if event.hash not in told]
        told.update(event.hash for event in lacking)
        self._answered[peer] = until + sum(len(event.raw) for event in lacking) / REPEAT_BYTES, told
        yield from self.sends(lacking, [peer])
        behind = any(theirs.length > own.length for theirs, own in zip(have.heads, held.heads, strict=True))
        if have.asks or (behind and self.may_ask(peer)):
            yield self.have(peer)

    def sends(self, events: list[SignedEvent], peers: Iterable[bytes]) -> list[Send]:
        """Return the messages that carry events to peers."""
        batches = event_batches(self._table.id, events)
        return [Send(peer, batch) for peer in peers for batch in batches]

    def pass_on(self, sender: bytes, events: list[SignedEvent]) -> list[Send]:
        """Send what is new to the peers that neither its author nor its sender has a link to, as they have said."""
        found: list[Send] = []
        if not any(self._apart.values()):
            return found
        for peer in self.linked:
            apart, held = {*self._apart.get(peer, ())}, self.theirs.get(peer)
            # An author sends its events to all that it has a link to, and so does a client what its author sent it.
            authors = apart if self._seat_of[sender] in apart else apart & self.present
            news = [event for event in events if self._table.operator(event.seat) in authors]
            news = [event for event in news if not held or held[event.seat - 1].length < event.number]
            found += self.sends(news, [peer])
        return found
