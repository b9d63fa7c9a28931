"""Repair: what each peer holds, is sent and is asked, so that all clients come to hold the same events."""

from collections.abc import Iterable, Iterator, Mapping

from protocol.events import Head, SignedEvent
from protocol.messages import ASK_BYTES, PROOFS_LIMIT, WAITING_LIMIT, Have, event_batches, message_bytes
from protocol.table.effects import Effect, Send, Store
from protocol.table.resuming import Resuming
from protocol.table.table import Table

LONG_AGO = float("-inf")
"""A time that is past on any clock, wherever it counts from."""
HAVE_EVERY = 4.0
"""Seconds between two statements of what is held: a lost message is noticed within 5, a busy machine included."""
ASK_AGAIN = 0.5
"""Seconds before a peer is asked again for something that it seems to hold."""
REPEAT_AFTER = 0.2
"""Seconds in which no peer is told the same event twice, whatever it says it lacks."""
REPEAT_BYTES = 200_000
"""Bytes of answers that make this time a second longer: a slow network takes as long to carry them."""
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
        """How far the chains of each peer go, as far as this client knows.

        A linked peer is missing until it has spoken of this table on its link: it may be at another table.
        """
        self._table = table
        self._seat_of = seat_of
        self._resuming = resuming
        self._asked: dict[bytes, bytes] = {}
        """The bytes with which each resumed peer has asked."""
        self._proven: dict[bytes, tuple[tuple[int, int], ...]] = {}
        """The proofs of equivocation that each peer holds, as it has stated."""
        self._apart: dict[bytes, tuple[int, ...]] = {}
        """The operators to which each peer has no link, as it has stated."""
        self._parted: dict[bytes, float] = {}
        """The time at which the link to each peer went down."""
        self._answered: dict[bytes, tuple[float, set[bytes]]] = {}
        """For each peer the hashes of events sent to it, and until when they are not sent again."""
        self._next_have = LONG_AGO

    @property
    def present(self) -> set[int]:
        """Return the operators that this client has a link to, and that are at this table."""
        return {self._seat_of[peer] for peer in self.linked if peer in self.theirs}

    def link(self, peer: bytes, up: bool) -> list[Send]:
        """Note that a link came up or went down; return what the peer is told."""
        if self.linked.pop(peer, None) is not None:
            self._parted[peer] = self.now
        self._answered.pop(peer, None)
        self._next_have = LONG_AGO  # the peers should know soon which events to pass on to this client
        if not up or peer not in self._seat_of:
            return []
        self.theirs.pop(peer, None)  # the peer's program may have started again, with an old copy
        self.linked[peer] = LONG_AGO
        return [self.have(peer)]

    def ask(self, peer: bytes) -> list[Send]:
        """Ask a peer for the messages from it that were lost, and soon state again to all what is held.

        The answer may be lost as well.
        """
        self._next_have = min(self._next_have, self.now + ASK_AGAIN)
        return [self.have(peer, _LOST)] if peer in self.linked else []

    def tick(self) -> list[Send]:
        """Tell all what is held here, from time to time."""
        if self.now < self._next_have:
            return []
        self._next_have = self.now + HAVE_EVERY
        return [self.have(peer) for peer in self.linked]

    def have(self, peer: bytes, asks: bytes = b"") -> Send:
        """Return the message that states to a peer what is held here."""
        held = self._table.held
        proofs = tuple([(proof.kept.seat, proof.kept.number) for proof in held.proofs[:PROOFS_LIMIT]])
        apart = tuple([seat for other, seat in self._seat_of.items() if other not in self.linked])
        asks = self._resuming.asks(peer) or asks
        said = Have(self._table.id, held.heads, proofs, asks, self._asked.get(peer, b""), apart)
        return Send(peer, message_bytes(said))

    def take_ask(self, peer: bytes) -> bool:
        """Return whether a linked peer may be asked again now. After a True it may not for ASK_AGAIN seconds."""
        if self.now < self.linked.get(peer, float("inf")):
            return False
        self.linked[peer] = self.now + ASK_AGAIN
        return True

    # What peers are known to hold.

    def learn(self, peer: bytes, accepted: Iterable[SignedEvent]) -> None:
        """Note what a peer holds, by the events in `accepted` that its own client signed."""
        own = [event for event in accepted if event.seat == self._seat_of[peer]]
        if own:
            heads = own[-1].heads_after  # an old event may arrive after a newer statement of its author
            self.theirs[peer] = tuple(map(max, heads, self.theirs.get(peer, heads)))
        elif peer not in self.theirs:
            held = self._table.held
            self.theirs[peer] = held.closed([0] * len(held.chains))

    def holds(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer, linked or not, is known to hold all that these seats have signed."""
        heads = self.theirs.get(peer, ())
        return heads != () and all(heads[seat - 1].length >= len(self._table.held.chains[seat - 1]) for seat in seats)

    def served(self, peer: bytes, seats: set[int]) -> bool:
        """Return whether a peer holds all that these seats have signed, or gets it from another client that stays.

        The other client holds it, and has a link to the peer where this client has none.
        """
        if peer in self.linked or self.holds(peer, seats):
            return self.holds(peer, seats)
        if self.now < self._parted.get(peer, -LEAVE_AFTER) + LEAVE_AFTER:
            return False
        near = [other for other, apart in self._apart.items() if self._seat_of[peer] not in apart]
        return any(other != peer and self.holds(other, seats) for other in near)

    def all_hold_proofs(self) -> bool:
        """Return whether each linked peer has stated as many proofs of equivocation as are held here."""
        return all(len(self._proven.get(peer, ())) >= len(self._table.held.proofs) for peer in self.linked)

    # What peers lack.

    def hear(self, peer: bytes, have: Have) -> list[SignedEvent]:
        """Note a peer's statement; return the events of the peer's own seats that wait here and that the peer lacks.

        A resumed client must not sign a number again, so it gets its own events also where they only wait here. Events
        that wait at the peer as well are left out: no client has their causes.
        """
        self.theirs[peer], self._apart[peer], self._proven[peer] = have.heads, have.apart, have.proofs
        self._asked[peer] = b""
        if not have.asks:
            return []
        there = {have.asks[at : at + ASK_BYTES] for at in range(ASK_BYTES, len(have.asks), ASK_BYTES)}
        waiting = [
            event
            for (seat, number), event in sorted(self._table.held.waiting.items())
            if self._table.operator(seat) == self._seat_of[peer] and number > have.heads[seat - 1].length
        ]
        waiting = [event for event in waiting[:WAITING_LIMIT] if event.hash[:ASK_BYTES] not in there]
        if not waiting:
            self._asked[peer] = have.asks
        return waiting

    def answer(self, peer: bytes, have: Have, waiting: list[SignedEvent]) -> Iterator[Effect]:
        """Yield what sends a peer all that it lacks, and `waiting`, and asks the peer for what is lacking here."""
        if have.asks:
            # A resumed peer relies on this answer: a crash here must not take it back.
            yield Store(b"", sync=True)
        held = self._table.held
        until, told = self._answered.get(peer, (LONG_AGO, set()))
        if self.now >= until:
            until, told = self.now + REPEAT_AFTER, set()
        same = have.heads == held.heads and not held.proofs  # as after nearly every move
        lacking = [] if same else held.lacking(have.heads, have.proofs, self._table.fold.position.live, told)
        lacking += [event for event in waiting if event.hash not in told]
        if lacking:
            told.update(event.hash for event in lacking)
            until += sum(len(event.raw) for event in lacking) / REPEAT_BYTES
        self._answered[peer] = until, told
        yield from self.sends(lacking, [peer])
        behind = any(theirs.length > len(chain) for theirs, chain in zip(have.heads, held.chains, strict=True))
        if have.asks or (behind and self.take_ask(peer)):
            yield self.have(peer)

    def sends(self, events: list[SignedEvent], peers: Iterable[bytes]) -> list[Send]:
        """Return the messages that carry events to peers."""
        batches = event_batches(self._table.id, events)
        return [Send(peer, batch) for peer in peers for batch in batches]

    def pass_on(self, sender: bytes, events: list[SignedEvent], evidence: list[SignedEvent]) -> list[Send]:
        """Return messages that pass new events on to peers that get them neither from the author nor from the sender.

        The links of a peer are those that it has stated. The `evidence` of equivocation goes to all.
        """
        found: list[Send] = []
        for peer in self.linked if any(self._apart.values()) else ():
            apart, held = {*self._apart.get(peer, ())}, self.theirs.get(peer)
            # An author sends its events to all its links; so does a client with what it has from the author.
            authors = apart if self._seat_of[sender] in apart else apart & self.present
            news = [event for event in events if self._table.operator(event.seat) in authors]
            news = [event for event in news if not held or held[event.seat - 1].length < event.number]
            found += self.sends(news, [peer])
        return found + self.sends(evidence, self.linked) if evidence else found
