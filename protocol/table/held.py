"""What is held of a table: the chain of each seat, what waits for its causes, and proofs of equivocation.

Which events are in the chains depends on the set of events received, not on their order, as long as no seat signs two
versions of one number. Of two versions the first one held stays; the proof says that there is another.
"""

from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import takewhile
from operator import attrgetter, gt

from protocol.events import EventKind, Head, Leaving, Proof, SignedEvent, Slot, bodies, causes_first
from protocol.formation import Charter
from protocol.identity import Verifier
from protocol.messages import WAITING_LIMIT
from protocol.table.equivocation import Judgement, proof_of
from protocol.table.position import Position

AT_ONE_SLOT, AGREEMENTS_AT_ONE_SLOT = 8, 128
"""Events that a seat may sign for one slot: first all but agreements, then agreements. An honest seat has a handful."""
AHEAD_LIMIT = 1024
"""Events of a seat beyond what lies behind; later ones are dropped, and can be asked for again.

A client that waits for an agreement may have to take in what others signed for some five slots further on."""
AHEAD_BYTES = 512 * 1024
"""Bytes of a seat's events beyond what lies behind: a bound for what signed nonsense costs."""
EPOCH_STRIDE = 256
"""How far the number of an epoch may lie above the highest that its author knew, so that numbers cannot run out."""

_NOTHING = Head(0, b"")
_NUMBER = attrgetter("number")


class PeerFaultError(Exception):
    """What a peer sent cannot come from an honest client; the message says why and is fit to print."""


class Held:
    """The signed events of one table. `position` below is the one that the fold has reached."""

    def __init__(self, charter: Charter, verifier: Verifier) -> None:
        seats = charter.body.seats
        self.table = charter.table
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self.proofs: list[Proof] = []
        """In the order in which they came; `_against` has those against each seat, by number."""
        self._against: tuple[list[Proof], ...] = tuple([] for _ in self.chains)
        self.waiting: dict[tuple[int, int], SignedEvent] = {}
        """The events that wait for their causes, by seat and number."""
        self._ids = tuple(seat.id for seat in seats)
        self._operators = tuple(seat.operator for seat in seats)
        self._verifier = verifier
        self._agreements: tuple[list[SignedEvent], ...] = tuple([] for _ in self.chains)
        """The agreements in each chain, whose numbers rise."""
        self.resigned: tuple[list[SignedEvent], ...] = tuple([] for _ in self.chains)
        """The resignations in each chain."""

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return how far each chain goes."""
        return tuple([Head(len(chain), chain[-1].hash) if chain else _NOTHING for chain in self.chains])

    def closed(self, lengths: Iterable[int]) -> tuple[Head, ...]:
        """Return the heads of so many events of each chain, and of what these events have named.

        What an event names, it names with all that lies before: one look at the last events is enough.
        """
        last = [chain[length - 1].heads_after for chain, length in zip(self.chains, lengths, strict=True) if length]
        return tuple(map(max, zip((_NOTHING,) * len(self.chains), *last, strict=True)))

    def nameable(
        self, position: Position, own: Collection[int], *, alone: bool = False, leaving: Sequence[Leaving] = ()
    ) -> tuple[Head, ...]:
        """Return the heads that an event signed now states.

        * Of a live seat and of each seat in `own`: all its events; with `alone` only of the seats in `own`.
        * Of any other seat: the events that lie behind, and those named by events that the heads name. More would
          divide the table, if that seat showed each client another version of an event.
        * Of a seat in `leaving`: as many events as stated there. An event of another client that names more of it is
          left out as well, unless an own event or what lies behind names it.
        """
        seats, stated = {*own} if alone else {*position.live, *own}, {one.seat: one.length for one in leaving}
        return self.closed(
            stated.get(seat, self._naming(seat, leaving if seat not in own else ()) if seat in seats else behind)
            for seat, behind in enumerate(position.behind, 1)
        )

    def _naming(self, seat: int, leaving: Sequence[Leaving]) -> int:
        """Return how many events of a chain can be named that name no more of a seat in `leaving` than stated there."""
        number, chain = len(self.chains[seat - 1]), self.chains[seat - 1]
        while number and any(chain[number - 1].lengths[one.seat - 1] > one.length for one in leaving):
            number -= 1
        return number

    def agreed(self, seat: int, length: int | None = None) -> int:
        """Return the highest epoch that the first `length` events of a chain agree to (all by default), 0 for none."""
        signed = self._agreements[seat - 1]
        count = len(signed) if length is None else bisect_right(signed, length, key=_NUMBER)
        body = signed[count - 1].body if count else None
        return body.number if isinstance(body, bodies.Epoch) else 0

    def room(self, seat: int, slot: Slot, *, agreements: bool) -> int:
        """Return how many more agreements, or other events, a seat may sign for a slot, in whatever epochs."""
        signed = takewhile(lambda one: one.slot.step == slot.step, reversed(self.chains[seat - 1]))
        most = AGREEMENTS_AT_ONE_SLOT if agreements else AT_ONE_SLOT
        return most - sum((one.kind == EventKind.EPOCH) == agreements for one in signed)

    def waits(self, seat: int) -> bool:
        """Return whether the next event of a chain is here and waits for causes that can still come."""
        event = self.waiting.get((seat, len(self.chains[seat - 1]) + 1))
        return event is not None and not any(map(self._is_other, range(1, len(event.heads) + 1), event.heads))

    def forgo(self, seats: Collection[int]) -> None:
        """Drop the events of these seats that wait: their causes never come."""
        self.waiting = {key: event for key, event in self.waiting.items() if event.seat not in seats}

    # What comes in.

    def take(
        self, event: SignedEvent, position: Position, ahead: Position, *, signed: bool | None = None
    ) -> list[SignedEvent]:
        """Take in one event; return the events that this adds to the chains, causes first.

        `position` is that of the fold, `ahead` where other clients may be: what they name must have room here.

        An event whose causes are not held waits. An event that is held already, has no room or can never count changes
        nothing. A second version may add to `proofs`. `signed` says whether its seat signed it, None if nobody has
        checked that. Raises PeerFaultError, with nothing changed, for an event that no honest peer sends.
        """
        if event.table != self.table or len(event.heads) != len(self.chains):
            raise PeerFaultError("an event of another table")
        seat, number, chain = event.seat, event.number, self.chains[event.seat - 1]
        kept = chain[number - 1] if number <= len(chain) else None
        known = kept or (self.waiting.get((seat, number)) if self.waiting else None)
        if known and known.hash == event.hash:  # the signature may be another one, which nobody has checked
            return []
        if kept and not self.judgement(position).adds(kept):
            return []
        if not (event.signed_by(self._ids[seat - 1], self._verifier) if signed is None else signed):
            raise PeerFaultError(f"an event that seat {seat} did not sign")
        if kept:
            self.proofs.append(Proof(kept, event))
            insort(self._against[seat - 1], self.proofs[-1], key=lambda proof: proof.kept.number)
            return []
        if not self.waiting and self.follows(event):
            return self._adopt(event, ahead)
        self.waiting[seat, number] = event
        waiting = [key for key in self.waiting if key[0] == seat]
        if len(waiting) > WAITING_LIMIT:
            del self.waiting[max(waiting)]
        return self.accept(ahead)

    def follows(self, event: SignedEvent) -> bool:
        """Return whether an event is the next of its chain, and everything that it names is held."""
        return event.number == len(self.chains[event.seat - 1]) + 1 and self._causes_held(event)

    def append(self, event: SignedEvent) -> None:
        """Add an event that follows its chain and whose causes are held."""
        self.chains[event.seat - 1].append(event)
        if event.kind in (EventKind.EPOCH, EventKind.RESIGN):
            (self._agreements if event.kind == EventKind.EPOCH else self.resigned)[event.seat - 1].append(event)

    def accept(self, ahead: Position) -> list[SignedEvent]:
        """Add waiting events whose causes are all held to their chains; return these events, causes first."""
        accepted, before = list[SignedEvent](), 0
        while self.waiting and before != len(self.waiting):
            before = len(self.waiting)
            for seat, chain in enumerate(self.chains, 1):
                event = self.waiting.get((seat, len(chain) + 1))
                if event and self._causes_held(event):
                    del self.waiting[seat, event.number]
                    accepted += self._adopt(event, ahead)
        return accepted

    def _adopt(self, event: SignedEvent, ahead: Position) -> list[SignedEvent]:
        """Add an event whose causes are held to its chain, if it has room and may count; return what was added."""
        if not self._has_room(event, ahead.behind[event.seat - 1]) or self.contradicts(event):
            return []
        self.append(event)
        return [event]

    def _has_room(self, event: SignedEvent, behind: int) -> bool:
        """Return whether a chain, of which `behind` events lie behind, may hold one more event.

        The first event beyond these always has room; else one long event could keep a chain from growing.
        """
        if event.number == behind + 1:
            return True
        size = sum([len(one.raw) for one in self.chains[event.seat - 1][behind:]])
        return event.number <= behind + AHEAD_LIMIT and size + len(event.raw) <= AHEAD_BYTES

    def _causes_held(self, event: SignedEvent) -> bool:
        """Return whether everything that an event names is held, in the version that it names."""
        for at, (length, hash) in enumerate(event.heads):
            chain = self.chains[at]
            if length and (length > len(chain) or chain[length - 1].hash != hash):
                return False
        return True

    def _is_other(self, seat: int, head: Head) -> bool:
        """Return whether a head names another version of an event than the one held."""
        chain = self.chains[seat - 1]
        return 0 < head.length <= len(chain) and chain[head.length - 1].hash != head.hash

    def contradicts(self, event: SignedEvent) -> bool:
        """Return whether an event, whose causes are held, can never count, by what it names alone.

        * Its slot lies before that of the author's previous event.
        * Its author has signed too many events for its slot.
        * It names less than its author's previous event, or than another event that it names.
        * It belongs to a lower epoch than its author has agreed to.
        * It is an agreement whose number does not rise, or rises by more than EPOCH_STRIDE.
        """
        own, lengths, agrees = self.chains[event.seat - 1], event.lengths, event.kind == EventKind.EPOCH
        if (own and event.slot[:2] < own[-1].slot[:2]) or not self.room(event.seat, event.slot, agreements=agrees):
            return True
        named = own[-1].lengths if own else (0,) * len(lengths)
        for at, length in enumerate(lengths):  # where it names no more than its author's previous event, that was asked
            if length > named[at] and any(map(gt, self.chains[at][length - 1].lengths, lengths)):
                return True
        agreed = self.agreed(event.seat)
        if not isinstance(event.body, bodies.Epoch):
            return event.slot.epoch < agreed
        known = [self.agreed(seat, length) for seat, length in enumerate(lengths, 1)]
        return not agreed < event.body.number <= max(event.slot.epoch, *known) + EPOCH_STRIDE

    def proof_of(self, event: SignedEvent) -> Proof | None:
        """Return the proof that an event has two versions, if one is held."""
        return proof_of(self._against[event.seat - 1], event.number)

    def judgement(self, position: Position) -> Judgement:
        """Return what the proofs of equivocation mean at a position."""
        return Judgement(position, self._operators, self.chains, self.waiting, self._against)

    def named(self, by: int, seat: int) -> int:
        """Return how many events of a chain a seat has named."""
        chain = self.chains[by - 1]
        return chain[-1].lengths[seat - 1] if chain else 0

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
            named = (self.named(other, seat) for other in live if other != seat)
            parted = self._is_other(seat, head)
            wanted += chain[min(head.length - 1, min(named, default=0)) if parted else head.length :]
        for proof in self.proofs:
            if (proof.kept.seat, proof.kept.number) not in proven:
                wanted += proof
        return causes_first({event.hash: event for event in wanted if event.hash not in told}.values())
