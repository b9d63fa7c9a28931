"""The tables of the test vectors: their keys and charters, and clients whose events become records of a file."""

from collections.abc import Sequence

from forming import agree

from engine import Turn, all_games
from protocol import (
    FIRST_GAME,
    MAGIC,
    NET,
    UNWATCHED,
    Charter,
    Clock,
    Formation,
    Identity,
    Origin,
    Seat,
    Secrets,
    Series,
    SignedEvent,
    SlotKind,
    Table,
    Watchers,
    Watching,
    charter_record,
    event_record,
    make_body,
    proof_record,
)
from protocol.events import (
    Body,
    Epoch,
    Head,
    Leaving,
    Move,
    make_event,
)

NAMES = ("anna", "ben", "cleo", "dan", "eve")
IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))
ATTEMPT = bytes(range(16))
Records = list[bytes]


def agreed(
    key: str, seats: int, origin: Origin | None = None, series: Series = FIRST_GAME, **options: str | int | bool
) -> Charter:
    """Return the charter of a table among peers, formed as clients form it."""
    roster = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(zip(IDENTITIES, NAMES, strict=True), 1))
    watching = Watching(Watchers.EVERYBODY, 3) if origin else UNWATCHED
    clock = Clock(600, 5) if origin else 0
    body = make_body(NET, all_games()[key], options, roster[:seats], ATTEMPT, clock, origin, watching, series)
    return agree([Formation(body, {n: IDENTITIES[n - 1]}, b"seed %d" % n) for n in range(1, seats + 1)])


class Circle:
    """Clients of one table that hear each other at once, and the file of somebody who only listens."""

    def __init__(
        self,
        key: str,
        seats: int,
        origin: Origin | None = None,
        series: Series = FIRST_GAME,
        **options: str | int | bool,
    ) -> None:
        self.charter = agreed(key, seats, origin, series, **options)
        self.clients = {
            n: Table(self.charter, {n: IDENTITIES[n - 1]}, Secrets.from_seed(bytes([n]) * 32))
            for n in range(1, seats + 1)
        }
        self.listener = Table(self.charter, {})
        self.records: Records = [MAGIC, charter_record(self.charter)[len(MAGIC) :]]
        self.silent: set[int] = set()
        """Seats of which the others hear nothing more, and that sign nothing by themselves."""

    def spread(self, *events: SignedEvent) -> None:
        """Let every client have events, the author first."""
        for event in events:
            client = self.clients[event.seat]
            if event in client.held.chains[event.seat - 1]:
                client.advance([event])
            for table in (client, *self.clients.values(), self.listener):
                proofs = len(table.held.proofs)
                accepted = table.take(event)
                if table is self.listener:
                    self.records += map(event_record, accepted)
                    self.records += map(proof_record, table.held.proofs[proofs:])

    def settle(self) -> "Circle":
        """Let all that are not silent sign what they owe, until nothing is owed."""
        while signed := [e for n, table in self.clients.items() if n not in self.silent for e in table.own.duties()]:
            self.spread(*signed)
        return self

    def to(self, kind: SlotKind) -> "Circle":
        """Let all sign what they owe, a slot at a time, until a slot of this kind is open."""
        while self.listener.fold.position.slot.kind != kind:
            self.spread(*[event for table in self.clients.values() for event in table.own.duties()])
        return self

    @property
    def mover(self) -> int:
        due = self.listener.fold.position.due
        assert isinstance(due, Turn)
        return due.seat

    def play(self, moves: int) -> "Circle":
        """Play so many moves, each chosen by the number of actions before it."""
        self.settle()
        for _ in range(moves):
            table = self.clients[self.mover]
            lawful = table.game.legal(table.own.view(self.mover), self.mover)
            chosen = lawful[(7 * table.fold.position.plies + 3) % len(lawful)]
            self.spread(table.own.play(self.mover, chosen))
            self.settle()
        return self

    def forge(
        self,
        seat: int,
        body: Body,
        *,
        heads: tuple[Head, ...] | None = None,
        digest: bytes | None = None,
        before: int = 0,
    ) -> SignedEvent:
        """Return an event for the open slot that the seat's client need not agree to; `before`: steps earlier."""
        table, position = self.listener, self.listener.fold.position
        slot = position.slot._replace(step=position.slot.step - before)
        return make_event(
            IDENTITIES[seat - 1],
            table.id,
            seat,
            table.held.heads if heads is None else heads,
            slot,
            position.digest,
            body,
        )

    def without(self, number: int, leaving: Sequence[int], signers: Sequence[int]) -> "Circle":
        """Let seats sign one agreement."""
        heads = self.listener.held.heads
        body = tuple(Leaving(seat, *heads[seat - 1]) for seat in leaving)
        signed = [self.forge(seat, Epoch(number, body), heads=heads) for seat in signers]
        self.spread(*signed)
        return self

    def second_version(self, event: SignedEvent) -> SignedEvent:
        """Return another event that the author of `event` signs with its number."""
        seat = event.seat
        return make_event(
            IDENTITIES[seat - 1], event.table, seat, event.heads, event.slot, event.digest, Move("resign")
        )


def board(seats: int = 2) -> Circle:
    """A game without chance in its play; seat 1 begins."""
    return Circle("fidchess" if seats == 2 else "qenqe", seats, first=1)


def last(circle: Circle, seat: int) -> SignedEvent:
    return circle.listener.held.chains[seat - 1][-1]
