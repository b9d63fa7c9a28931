"""What is held of a table: the chain of each seat, what waits for its causes, and proofs of equivocation.

Which events are in the chains depends on the set of events received, not on their order, as long as no seat signs two
versions of one number. Of two versions the first one held stays; the proof says that there is another.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import takewhile
from operator import gt

from protocol.events import Epoch, EventKind, Head, Leaving, Proof, SignedEvent, Slot, SlotKind, causes_first
from protocol.formation import Charter
from protocol.identity import Verifier
from protocol.messages import WAITING_LIMIT
from protocol.table.epochs import is_majority
from protocol.table.position import Position
from protocol.table.step import given, owing

AT_ONE_SLOT, AGREEMENTS_AT_ONE_SLOT = 8, 128
"""Events that a seat may sign for one slot: first all but agreements, then agreements. An honest seat has a handful."""
AHEAD_LIMIT = 1024
"""Events of a seat beyond what lies behind; later ones are dropped, and can be asked for again.

A client that waits for an agreement may have to take in what others signed for some five slots further on."""
AHEAD_BYTES = 512 * 1024
"""Bytes of a seat's events beyond what lies behind: a bound for what signed nonsense costs."""
EPOCH_STRIDE = 256
"""How far the number of an epoch may lie above the highest that its author knew, so that numbers cannot run out."""
PROOFS_KEPT = 8
"""Proofs against one seat that are kept whatever they show; after them only one that ends the game earlier."""

_NOTHING = Head(0, b"")


class PeerFaultError(Exception):
    """What a peer sent cannot come from an honest client; the message says why and is fit to print."""


class Held:
    """The signed events of one table. `position` below is the one that the fold has reached."""

    def __init__(self, charter: Charter, verifier: Verifier) -> None:
        seats = charter.body.seats
        self.table = charter.table
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self.proofs: list[Proof] = []
        self.waiting: dict[tuple[int, int], SignedEvent] = {}
        """The events that wait for their causes, by seat and number."""
        self._ids = tuple(seat.id for seat in seats)
        self._operators = tuple(seat.operator for seat in seats)
        self._verifier = verifier
        self._agreements, self.resigned = (tuple(list[SignedEvent]() for _ in self.chains) for _ in range(2))
        """The agreements in each chain, whose numbers rise, and the resignations."""

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
        """Return the heads that an event signed now states: of the seats that play, or `alone` of `own`, all held.

        Of any other seat they state what lies behind, and what other events that they name have named. More would
        divide the table, if that seat showed each client another version of an event. Of seats that are `leaving` they
        state so much, and nothing that names more of them, if what lies behind and the own events do not.
        """
        seats, stated = {*own} if alone else {*position.live, *own}, {one.seat: one.length for one in leaving}
        return self.closed(
            stated.get(seat, self._naming(seat, leaving if seat not in own else ()) if seat in seats else behind)
            for seat, behind in enumerate(position.behind, 1)
        )

    def _naming(self, seat: int, leaving: Sequence[Leaving]) -> int:
        """Return how many events of a chain name no more of each seat in `leaving` than is stated there."""
        number, chain = len(self.chains[seat - 1]), self.chains[seat - 1]
        while number and any(chain[number - 1].lengths[one.seat - 1] > one.length for one in leaving):
            number -= 1
        return number

    def agreed(self, seat: int, length: int | None = None) -> int:
        """Return the highest epoch that the first `length` events of a chain agree to (all by default), 0 for none."""
        signed = (one.body for one in reversed(self._agreements[seat - 1]) if length is None or one.number <= length)
        body = next(signed, None)
        return body.number if isinstance(body, Epoch) else 0

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
        if kept and not self._tells(kept, position):
            return []
        if not (event.signed_by(self._ids[seat - 1], self._verifier) if signed is None else signed):
            raise PeerFaultError(f"an event that seat {seat} did not sign")
        if kept:
            self.proofs.append(Proof(kept, event))
            return []
        if not self.waiting and number == len(chain) + 1 and self._causes_held(event):
            return self._adopt(event, ahead)
        self.waiting[seat, number] = event
        waiting = [key for key in self.waiting if key[0] == seat]
        if len(waiting) > WAITING_LIMIT:
            del self.waiting[max(waiting)]
        return self.accept(ahead)

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
        if not isinstance(event.body, Epoch):
            return event.slot.epoch < agreed
        known = [self.agreed(seat, length) for seat, length in enumerate(lengths, 1)]
        return not agreed < event.body.number <= max(event.slot.epoch, *known) + EPOCH_STRIDE

    # Equivocation.

    def named(self, by: int, seat: int, doubt: Iterable[SignedEvent] = ()) -> int:
        """Return how many events of a chain a seat has named, before its first event that names one in `doubt`."""
        chain = self.chains[by - 1]
        last = min([len(chain), *(self._before(chain, event) for event in doubt)])
        return chain[last - 1].lengths[seat - 1] if last else 0

    def _before(self, chain: list[SignedEvent], event: SignedEvent) -> int:
        """Return how many events of a chain neither are an event nor name it, in whichever version."""
        first = bisect_left(chain, event.number, key=lambda one: one.lengths[event.seat - 1])
        return min(first, event.number - 1) if chain is self.chains[event.seat - 1] else first

    def settled(self, event: SignedEvent, live: Sequence[int]) -> bool:
        """Return whether every other operator that still plays has signed an event that names this one.

        An event in doubt confirms nothing, nor does what rests on it: it has two versions, and not all have named it.
        Else one client could hold the version that names `event`, and another client the one that does not.
        """
        doubt = [proof.kept for proof in self.proofs if not self._named_by_all(proof.kept, live, ())]
        return self._named_by_all(event, live, doubt)

    def _named_by_all(self, event: SignedEvent, live: Sequence[int], doubt: Collection[SignedEvent]) -> bool:
        """Return whether every other operator that plays names an event without resting on one in `doubt`."""
        naming = [seat for seat in live if self.named(seat, event.seat, doubt) >= event.number]
        playing, named = ({self._operators[seat - 1] for seat in seats} for seats in (live, naming))
        return playing - {self._operators[event.seat - 1]} <= named

    def counts(self, kept: SignedEvent, position: Position) -> bool:
        """Return whether a second version of `kept` ends the game: it is not settled, and matters to those who play.

        It matters if its author plays, it lies behind, or others relied on it; not once the results decide about it.
        """
        counted = kept.seat in position.live or kept.number <= position.behind[kept.seat - 1]
        matters = (counted or self._relied_on(kept, position)) and not self.settled(kept, position.live)
        return matters and not self._ended(kept, position)

    def _ended(self, event: SignedEvent, position: Position) -> bool:
        """Return whether the results that operators have signed decide that a second version of `event` ends nothing.

        More than half name no `event`: it has not led to the result. Or all name it: all have confirmed one version.
        """
        naming, others = set[int](), set[int]()
        for seat in position.live if position.slot.kind == SlotKind.END else ():
            if result := given(position, self.chains, seat):
                named = result.lengths[event.seat - 1] >= event.number
                (naming if named else others).add(self._operators[seat - 1])
        counted = self._judges(event, position)
        return counted <= naming or is_majority(len(others & counted), len(counted))

    def may_end_without(self, event: SignedEvent, position: Position, own: Collection[int]) -> bool:
        """Return whether more than half may sign such a result though the seats in `own`, not guilty, sign no more."""
        counted, operators = self._judges(event, position), {self._operators[seat - 1] for seat in own}
        due = not {*owing(position, self.chains)}.isdisjoint(own)
        return operators <= counted and is_majority(len(counted - operators), len(counted)) and not due

    def _judges(self, event: SignedEvent, position: Position) -> set[int]:
        """Return the operators of whom more than half have to sign a result without `event`, of which are two versions.

        Operators with a proof against them do not count, unless there is a proof against each.
        """
        guilty = {self._operators[seat - 1] for seat in (event.seat, *(proof.kept.seat for proof in self.proofs))}
        playing = {self._operators[seat - 1] for seat in position.live}
        return playing - guilty or playing

    def _relied_on(self, event: SignedEvent, position: Position) -> bool:
        """Return whether what counts names this number of a chain, any version.

        Of a seat that plays all counts, and its next event while that waits; of any other seat what lies behind.
        """
        live, chains = position.live, enumerate(self.chains, 1)
        used = [chain if seat in live else chain[: position.behind[seat - 1]] for seat, chain in chains]
        last = [chain[-1] for chain in used if chain]
        last += [one for (seat, at), one in self.waiting.items() if seat in live and at == len(used[seat - 1]) + 1]
        return any(one.lengths[event.seat - 1] >= event.number for one in last)

    def _tells(self, kept: SignedEvent, position: Position) -> bool:
        """Return whether a second version of `kept` would add to the proofs held.

        Which proofs a client holds must not depend on their order: what ends the game earliest is always kept.
        """
        own = [proof.kept for proof in self.proofs if proof.kept.seat == kept.seat]
        if kept.number in [one.number for one in own]:
            return False
        if len(own) < PROOFS_KEPT:
            return True
        earlier = (one.number for one in own if self.counts(one, position))
        ends = kept.number <= position.behind[kept.seat - 1] and self.counts(kept, position)
        return ends and all(kept.number < number for number in earlier)

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
