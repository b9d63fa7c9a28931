"""What is held of a table: the chain of each seat, what waits for its causes, and proofs of equivocation.

Which events are in the chains depends on the set of events received, not on their order, as long as no seat signs two
versions of one number. Of two versions the first one held stays; the proof says that there is another.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from itertools import takewhile

from engine import MalformedError
from protocol.events import Epoch, Head, Proof, SignedEvent, Slot, causes_first, read_event
from protocol.formation import Charter
from protocol.identity import Verifier
from protocol.table.position import Position

AT_ONE_SLOT, AGREEMENTS_AT_ONE_SLOT = 8, 128
"""Events that a seat may sign for one slot: first all but agreements, then agreements. An honest seat has a handful."""
AHEAD_LIMIT = 1024
"""Events of a seat that are held ahead; later ones are dropped, and can be asked for again.

A client that waits for an agreement may have to take in what others signed for some five slots further on."""
AHEAD_BYTES = 512 * 1024
"""Bytes of a seat's events that are held ahead: a bound for what signed nonsense costs."""
EPOCH_STRIDE = 256
"""How far the number of an epoch may lie above the highest that its author knew, so that numbers cannot run out."""
REFUSED_LIMIT = 16
"""Hashes remembered, for each seat, of events that can never count."""

_NOTHING = Head(0, b"")


class PeerFaultError(Exception):
    """What a peer sent cannot come from an honest client; `reason` is fit to print."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Held:
    """The signed events of one table. `position` below is the one that the fold has reached."""

    def __init__(self, charter: Charter, verifier: Verifier) -> None:
        seats = charter.body.seats
        self.table = charter.table
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self.proofs: list[Proof] = []
        self._ids = tuple(seat.id for seat in seats)
        self._operators = tuple(seat.operator for seat in seats)
        self._verifier = verifier
        self._heads: list[Head] = [_NOTHING for _ in self.chains]
        self._sizes: tuple[list[int], ...] = tuple([0] for _ in self.chains)
        """For each chain the bytes of its first n events, by n."""
        self._agreed: tuple[list[tuple[int, int]], ...] = tuple([] for _ in self.chains)
        """For each chain the agreements it has signed: the event's number, the epoch's number."""
        self._pending: dict[tuple[int, int], SignedEvent] = {}
        self._refused: tuple[list[bytes], ...] = tuple([] for _ in self.chains)

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return how far each chain goes."""
        return tuple(self._heads)

    def nameable(self, position: Position, own: Collection[int]) -> tuple[Head, ...]:
        """Return the heads that an event signed now states: of the seats that play, all that is held.

        Of a seat that no longer plays they state what lies behind, and what other events that they name have named.
        More would divide the table, if that seat showed each client another version of an event.
        """
        playing = {*position.live, *own}
        lengths = [
            head.length if seat in playing else behind
            for seat, (head, behind) in enumerate(zip(self._heads, position.behind, strict=True), 1)
        ]
        last: list[int] = []
        while last != lengths:
            last = list(lengths)
            for chain, length in zip(self.chains, last, strict=True):
                if length:
                    lengths = [
                        max(one, head.length) for one, head in zip(lengths, chain[length - 1].heads, strict=True)
                    ]
        return tuple(
            [
                head if length == head.length else Head(length, chain[length - 1].hash) if length else _NOTHING
                for length, head, chain in zip(lengths, self._heads, self.chains, strict=True)
            ]
        )

    def agreement(self, seat: int) -> SignedEvent | None:
        """Return the last agreement that a chain holds, None if it holds none."""
        signed = self._agreed[seat - 1]
        return self.chains[seat - 1][signed[-1][0] - 1] if signed else None

    def agreed(self, seat: int, length: int | None = None) -> int:
        """Return the highest epoch that the first `length` events of a chain agree to (all by default), 0 for none."""
        signed = self._agreed[seat - 1]
        if length is None:
            return signed[-1][1] if signed else 0
        return max((epoch for number, epoch in signed if number <= length), default=0)

    def room(self, seat: int, slot: Slot, *, agreements: bool) -> int:
        """Return how many more agreements, or other events, a seat may sign for a slot, after what its chain has."""
        same = takewhile(lambda one: one.slot[:2] == slot[:2], reversed(self.chains[seat - 1]))
        signed = sum(isinstance(one.body, Epoch) == agreements for one in same)
        return (AGREEMENTS_AT_ONE_SLOT if agreements else AT_ONE_SLOT) - signed

    def waits(self, seat: int) -> bool:
        """Return whether the next event of a chain is here and waits for causes that can still come."""
        event = self._pending.get((seat, len(self.chains[seat - 1]) + 1))
        return event is not None and not self._parted(event)

    @property
    def waiting(self) -> Mapping[tuple[int, int], SignedEvent]:
        """Return the events that wait for their causes, by seat and number."""
        return self._pending

    def forgo(self, seats: Collection[int]) -> None:
        """Drop the events of these seats that wait: their causes never come."""
        self._pending = {key: event for key, event in self._pending.items() if event.seat not in seats}

    # What comes in.

    def receive(self, raw: bytes, signature: bytes, position: Position) -> list[SignedEvent]:
        """Take in an event as it came from a peer. Returns and raises as `take`."""
        try:
            event = read_event(raw, signature)
        except MalformedError as error:
            raise PeerFaultError(f"a malformed event ({error})") from error
        return self.take(event, position)

    def take(self, event: SignedEvent, position: Position) -> list[SignedEvent]:
        """Take in one event; return the events that this adds to the chains, causes first.

        An event whose causes are not held waits. An event that is held already, lies too far ahead or can never count
        changes nothing. A second version may add to `proofs`. Raises PeerFaultError, with nothing changed, for an event
        that no honest peer sends.
        """
        if event.table != self.table or len(event.heads) != len(self.chains):
            raise PeerFaultError("an event of another table")
        seat, number = event.seat, event.number
        chain = self.chains[seat - 1]
        known = chain[number - 1] if number <= len(chain) else self._pending.get((seat, number))
        second = number <= len(chain)
        if known and known.hash == event.hash:
            return [] if second else self.accept()
        if not second and event.hash in self._refused[seat - 1]:
            return []
        if second and not self._tells(chain[number - 1], position):
            return []
        if not second and self._too_far(event, position.behind[seat - 1]):
            return []
        if not event.signed_by(self._ids[seat - 1], self._verifier):
            raise PeerFaultError(f"an event that seat {seat} did not sign")
        if second:
            self.proofs.append(Proof(chain[number - 1], event))
            return []
        self._pending[seat, number] = event
        return self.accept()

    def _too_far(self, event: SignedEvent, behind: int) -> bool:
        """Return whether an event lies further ahead than a seat may be, by number or by bytes."""
        sizes = self._sizes[event.seat - 1]
        behind = min(behind, len(sizes) - 1)
        if event.number > behind + AHEAD_LIMIT:
            return True
        if event.number == behind + 1:  # it always has room; else one long event could keep a chain from growing
            return False
        waiting = sum(len(one.raw) for one in self._pending.values() if one.seat == event.seat)
        return sizes[-1] - sizes[behind] + waiting + len(event.raw) > AHEAD_BYTES

    def append(self, event: SignedEvent) -> None:
        """Add an event that follows its chain and whose causes are held."""
        at = event.seat - 1
        self.chains[at].append(event)
        self._heads[at] = Head(event.number, event.hash)
        self._sizes[at].append(self._sizes[at][-1] + len(event.raw))
        if isinstance(event.body, Epoch):
            self._agreed[at].append((event.number, event.body.number))

    def accept(self) -> list[SignedEvent]:
        """Add waiting events whose causes are all held to their chains; return these events, causes first."""
        accepted: list[SignedEvent] = []
        found = True
        while found and self._pending:
            found = False
            for seat, chain in enumerate(self.chains, 1):
                event = self._pending.get((seat, len(chain) + 1))
                if event is None or not self._causes_held(event):
                    continue
                del self._pending[seat, event.number]
                if self.contradicts(event):
                    self._refused[seat - 1].append(event.hash)
                    del self._refused[seat - 1][:-REFUSED_LIMIT]
                    continue
                self.append(event)
                accepted.append(event)
                found = True
        return accepted

    def _causes_held(self, event: SignedEvent) -> bool:
        """Return whether everything that an event names is held, in the version that it names."""
        beyond = any(head.length > own.length for head, own in zip(event.heads, self._heads, strict=True))
        return not beyond and not self._parted(event)

    def _parted(self, event: SignedEvent) -> bool:
        """Return whether an event names another version of an event than the one held."""
        return any(
            0 < head.length <= len(chain) and chain[head.length - 1].hash != head.hash
            for head, chain in zip(event.heads, self.chains, strict=True)
        )

    def contradicts(self, event: SignedEvent) -> bool:
        """Return whether an event, whose causes are held, can never count, by what it names alone.

        * Its slot lies before that of the author's previous event.
        * Its author has signed too many events for its slot.
        * It names less than its author's previous event, or than an event that it names.
        * It belongs to a lower epoch than its author has agreed to.
        * It is an agreement whose number does not rise, or rises by more than EPOCH_STRIDE.
        """
        chain = self.chains[event.seat - 1]
        if chain and event.slot[:2] < chain[-1].slot[:2]:
            return True
        if not self.room(event.seat, event.slot, agreements=isinstance(event.body, Epoch)):
            return True
        before = chain[-1].heads_after if chain else tuple([_NOTHING] * len(self.chains))
        for seat, (head, known) in enumerate(zip(event.heads, before, strict=True), 1):
            if head.length < known.length:
                return True
            if head.length > known.length and seat != event.seat:
                named = self.chains[seat - 1][head.length - 1].heads
                if any(its.length > own.length for its, own in zip(named, event.heads, strict=True)):
                    return True
        agreed = self.agreed(event.seat)
        if not isinstance(event.body, Epoch):
            return event.slot.epoch < agreed
        number = event.body.number
        known_to_author = [self.agreed(seat, head.length) for seat, head in enumerate(event.heads, 1)]
        highest = max(event.slot.epoch, *known_to_author)
        return number <= agreed or number > highest + EPOCH_STRIDE

    # Equivocation.

    def settled(self, event: SignedEvent, live: Sequence[int]) -> bool:
        """Return whether every other operator that still plays has signed an event that names this one."""
        author = self._operators[event.seat - 1]
        named = {self._operators[seat - 1] for seat in live if self.names(seat, event)}
        return {self._operators[seat - 1] for seat in live} - {author} <= named

    def names(self, seat: int, event: SignedEvent) -> bool:
        """Return whether a seat has signed an event that names `event`, which is held, or a later one of its chain."""
        chain = self.chains[seat - 1]
        return bool(chain) and chain[-1].heads[event.seat - 1].length >= event.number

    def counts(self, proof: Proof, position: Position) -> bool:
        """Return whether a proof ends the game: its event is not settled, and its author plays or others rely on it."""
        kept = proof.kept
        counts = kept.seat in position.live or kept.number <= position.behind[kept.seat - 1]
        return (counts or self._relied_on(kept, position)) and not self.settled(kept, position.live)

    def _relied_on(self, event: SignedEvent, position: Position) -> bool:
        """Return whether another operator named this number of a chain, any version, while its author played."""
        at, author, gone = event.seat - 1, self._operators[event.seat - 1], position.gone[event.seat - 1]
        if gone is None:
            return False
        others = [chain for seat, chain in enumerate(self.chains, 1) if self._operators[seat - 1] != author]
        first = [next((one for one in chain if one.heads[at].length >= event.number), None) for chain in others]
        waiting = [one for one in self._pending.values() if one.heads[at].length >= event.number]
        return any(one is not None and one.slot <= gone and one.seat != event.seat for one in (*first, *waiting))

    def _tells(self, kept: SignedEvent, position: Position) -> bool:
        """Return whether a second version of `kept` would add to the proofs held.

        The first proof against a seat is evidence. After that only a proof that ends the game is kept, one at a time.
        """
        own = [proof for proof in self.proofs if proof.kept.seat == kept.seat]
        if not own:
            return True
        return self.counts(Proof(kept, kept), position) and not any(self.counts(one, position) for one in own)

    # What others lack.

    def lacking(
        self, heads: tuple[Head, ...], proven: Collection[tuple[int, int]], live: Sequence[int], told: Set[bytes]
    ) -> list[SignedEvent]:
        """Return the events that a peer with these heads lacks, causes first.

        Left out are those that it was `told`, by hash. `proven`: the proofs that the peer holds, by seat and number.
        Where the peer holds another version of an event, it gets all events of that chain that not every live seat has
        named: the two versions part there.
        """
        wanted: list[SignedEvent] = []
        for seat, (head, chain) in enumerate(zip(heads, self.chains, strict=True), 1):
            other = 0 < head.length <= len(chain) and chain[head.length - 1].hash != head.hash
            wanted += chain[min(head.length - 1, self._named_by_all(seat, live)) if other else head.length :]
        for proof in self.proofs:
            if (proof.kept.seat, proof.kept.number) not in proven:
                wanted += proof
        news = {event.hash: event for event in wanted if event.hash not in told}
        return causes_first(news.values())

    def _named_by_all(self, seat: int, live: Sequence[int]) -> int:
        """Return how many events of a seat every other live seat has named."""
        others = [self.chains[other - 1] for other in live if other != seat]
        return min((chain[-1].heads[seat - 1].length if chain else 0 for chain in others), default=0)
