"""The tables of the test vectors: their keys and charters, and clients whose events become records of a file."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from forming import agree

from engine import Turn, all_games
from protocol import (
    FIRST_GAME,
    NET,
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
)
from protocol.events import EventBody, Head, Leaving, Slot, bodies, make_event
from protocol.file import MAGIC, proof_record
from protocol.formation import UNWATCHED

NAMES = ("anna", "ben", "cleo", "dan", "eve")
IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))
ATTEMPT = bytes(range(16))
Records = list[bytes]
BREACH, REVOKE, EQUIVOCATION = "breach", "revoke", "equivocation"


class Scenario(NamedTuple):
    """What a verifier must find: `winners` of a finished game, None for an unfinished one; cheats as (seat, kind)."""

    make: Callable[[], Records]
    ok: bool
    rule: str
    winners: tuple[int, ...] | None = None
    cheats: tuple[tuple[int, str], ...] = ()


def agreed(
    key: str,
    seats: int,
    origin: Origin | None = None,
    series: Series = FIRST_GAME,
    operators: Sequence[int] | None = None,
    **options: str | int | bool,
) -> Charter:
    """Return the charter of a table among peers, formed as clients form it."""
    operators = operators or range(1, seats + 1)
    roster = tuple(Seat(one.id, name, n) for one, name, n in zip(IDENTITIES, NAMES, operators, strict=False))
    watching = Watching(Watchers.EVERYBODY, 3) if origin else UNWATCHED
    clock = Clock(600, 5) if origin else 0
    body = make_body(NET, all_games()[key], options, roster, ATTEMPT, clock, origin, watching, series)
    played = {n: own for n in operators if (own := own_seats(operators, n))}
    return agree([Formation(body, own, b"seed %d" % n) for n, own in played.items()])


def own_seats(operators: Sequence[int], operator: int) -> dict[int, Identity]:
    """Return the keys of the seats that one client plays."""
    return {seat: IDENTITIES[seat - 1] for seat, one in enumerate(operators, 1) if one == operator}


class Circle:
    """Clients of one table that hear each other at once, and the file of somebody who only listens."""

    def __init__(
        self,
        key: str,
        seats: int,
        origin: Origin | None = None,
        series: Series = FIRST_GAME,
        operators: Sequence[int] | None = None,
        **options: str | int | bool,
    ) -> None:
        self.charter = agreed(key, seats, origin, series, operators, **options)
        self.operators = operators or range(1, seats + 1)
        self.clients = {
            n: Table(self.charter, own_seats(self.operators, n), Secrets.from_seed(bytes([n]) * 32))
            for n in sorted({*self.operators})
        }
        self.listener = Table(self.charter, {})
        self.records: Records = [MAGIC, charter_record(self.charter)[len(MAGIC) :]]
        self.silent: set[int] = set()
        """Seats of which the others hear nothing more, and that sign nothing by themselves."""

    def client_of(self, seat: int) -> Table:
        return self.clients[self.operators[seat - 1]]

    def spread(self, *events: SignedEvent) -> None:
        """Let every client have events, the author first."""
        for event in events:
            client = self.client_of(event.seat)
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
            table = self.client_of(self.mover)
            lawful = table.game.legal(table.own.view(self.mover), self.mover)
            chosen = lawful[(7 * table.fold.position.plies + 3) % len(lawful)]
            self.spread(table.own.play(self.mover, chosen))
            self.settle()
        return self

    def forge(
        self,
        seat: int,
        body: EventBody,
        *,
        heads: tuple[Head, ...] | None = None,
        digest: bytes | None = None,
        before: int = 0,
        slot: tuple[int, int, int] | None = None,
        table: bytes | None = None,
    ) -> SignedEvent:
        """Return an event for the open slot that the seat's client need not agree to; `before`: steps earlier."""
        held, position = self.listener.held, self.listener.fold.position
        open_slot = position.slot._replace(step=position.slot.step - before)
        return make_event(
            IDENTITIES[seat - 1],
            self.listener.id if table is None else table,
            seat,
            held.heads if heads is None else heads,
            open_slot if slot is None else Slot(slot[0], slot[1], SlotKind(slot[2])),
            position.digest if digest is None else digest,
            body,
        )

    def say(
        self,
        seat: int,
        body: EventBody,
        *,
        heads: tuple[Head, ...] | None = None,
        digest: bytes | None = None,
        slot: tuple[int, int, int] | None = None,
    ) -> SignedEvent:
        """Let a seat sign an event that its client need not agree to, and all hear of it."""
        event = self.forge(seat, body, heads=heads, digest=digest, slot=slot)
        self.spread(event)
        assert event in self.listener.held.chains[seat - 1], "the event is not taken in"
        return event

    def move(self, seat: int, choice: int = 0, *, heads: tuple[Head, ...] | None = None) -> SignedEvent:
        """Let a seat sign the lawful move of that number."""
        return self.say(seat, bodies.Move(self.lawful(seat)[choice]), heads=heads)

    def lawful(self, seat: int) -> Sequence[str]:
        """The moves of the seat to act."""
        return self.listener.game.legal(self.listener.state, seat)

    @property
    def heads(self) -> tuple[Head, ...]:
        """What somebody names who has heard everything."""
        return self.listener.held.heads

    @property
    def at(self) -> tuple[int, int]:
        """The epoch and the step of the open slot."""
        slot = self.listener.fold.position.slot
        return slot.epoch, slot.step

    def without(self, number: int, leaving: Sequence[int], signers: Sequence[int]) -> "Circle":
        """Let seats sign one agreement."""
        heads = self.listener.held.heads
        body = tuple(Leaving(seat, *heads[seat - 1]) for seat in leaving)
        signed = [self.forge(seat, bodies.Epoch(number, body), heads=heads) for seat in signers]
        self.spread(*signed)
        return self

    def second_version(self, event: SignedEvent) -> SignedEvent:
        """Return another event that the author of `event` signs with its number."""
        seat = event.seat
        return make_event(
            IDENTITIES[seat - 1], event.table, seat, event.heads, event.slot, event.digest, bodies.Move("resign")
        )


def board(seats: int = 2) -> Circle:
    """A game without chance in its play; seat 1 begins."""
    return Circle("fidchess" if seats == 2 else "qenqe", seats, first=1)


def last(circle: Circle, seat: int) -> SignedEvent:
    return circle.listener.held.chains[seat - 1][-1]
