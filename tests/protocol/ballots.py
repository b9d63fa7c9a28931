"""Agreements that each seat signs without having heard of the others."""

from collections.abc import Iterable
from random import Random

from agreeing import rolling
from fast_deck import FAST_DECK
from replicas import FAST, FAST_SIGNERS, replica
from verdicts import judged

from protocol import SignedEvent, charter_record, event_record, load
from protocol.events import Head, Leaving, SlotKind, bodies, make_event
from protocol.table.epochs import Agreement


class Ballots:
    """A table at which all owe a commitment, and agreements that each seat signs without having heard of the others."""

    def __init__(self, seats: int, operators: tuple[int, ...] | None = None) -> None:
        self.table = rolling(seats, SlotKind.COMMIT, operators=operators)[1]
        self.events: list[SignedEvent] = []
        self.chains: dict[int, list[SignedEvent]] = {seat: [] for seat in range(1, seats + 1)}

    def leave(self, *lengths: tuple[int, int]) -> tuple[Leaving, ...]:
        """The leaving list of an agreement: of each seat so many events count."""
        return tuple(Leaving(seat, *self._head(seat, length)) for seat, length in lengths)

    def sign(self, seats: Iterable[int], number: int, base: int, leaving: tuple[Leaving, ...] = ()) -> None:
        """Let seats sign an agreement. They name what they have named before, and what it states of the leavers."""
        stated, position = {one.seat: one.length for one in leaving}, self.table.fold.position
        for seat in seats:
            chain = self.chains[seat]
            before = chain[-1].heads_after if chain else (Head(0, b""),) * len(self.chains)
            heads = [max(head, self._head(other, stated.get(other, 0))) for other, head in enumerate(before, 1)]
            slot, signer = position.slot._replace(epoch=base), FAST_SIGNERS[seat - 1]
            body = bodies.Epoch(number, leaving)
            chain.append(make_event(signer, self.table.id, seat, tuple(heads), slot, position.digest, body))
            self.events.append(chain[-1])

    def _head(self, seat: int, length: int) -> Head:
        return Head(length, self.chains[seat][length - 1].hash) if length else Head(0, b"")

    def outcomes(self, *orders: list[SignedEvent]) -> set[tuple[int, tuple[int, ...]]]:
        """The epoch and its seats for a client that hears these orders (by default 10); its file tells the same."""
        found = set()
        for order in orders or [Random(seed).sample(self.events, len(self.events)) for seed in range(10)]:
            table, data = replica(self.table, FAST), charter_record(self.table.charter)
            for event in order:
                data += b"".join(map(event_record, table.receive(event.raw, event.signature)))
            assert judged(data, FAST, FAST_DECK), "the second verifier says the same"
            positions = [one.fold.position for one in (table, load(data, FAST, scheme=FAST_DECK))]
            (outcome,) = {(position.slot.epoch, position.live, position.effects) for position in positions}
            found.add(outcome[:2])
        return found

    def crossed(self) -> bool:
        """Whether an operator has signed an agreement, and one whose base is between base and number of the first."""
        signed = [(self.table.operator(event.seat), Agreement.of(event)) for event in self.events]
        return any(of == by and one.base < two.base < one.number for by, one in signed for of, two in signed)
