"""Tables in memory for the tests: identities, charters, several replicas that exchange events, forged events."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from fast_deck import FAST_DECK
from forming import agree

from engine import OptionValue, Over, Turn, all_games
from protocol import (
    LOCAL,
    NET,
    Body,
    Charter,
    Clock,
    Formation,
    Identity,
    Seat,
    SignedEvent,
    Signer,
    Table,
    Watching,
    charter_record,
    draw_locally,
    event_record,
    local_charter,
    make_body,
)
from protocol.cards.deck import MASKED_DECK, DeckScheme
from protocol.events import EventBody, Head, Leaving, Slot, make_event
from protocol.file import proof_record
from protocol.formation import UNWATCHED
from protocol.identity import ED25519, Verifier
from protocol.identity.secrets import Secrets

ATTEMPT = b"attempt-attempt-"
NAMES = ("anna", "ben", "cleo", "dan", "eve")
IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))


class FastSigner:
    """Signs with a keyed hash under the id of a real key: 20 times faster, the same sizes, the same refusals."""

    def __init__(self, seed: bytes) -> None:
        self.id = Identity(seed).id

    def sign(self, message: bytes) -> bytes:
        return hashlib.blake2b(message, key=self.id).digest()


class FastVerifier:
    """Accepts what a FastSigner signed."""

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        return hashlib.blake2b(message, key=id).digest() == signature


FAST = FastVerifier()
FAST_SIGNERS = tuple(FastSigner(bytes([number]) * 32) for number in range(1, 6))


def body_of(
    key: str,
    seats: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    operators: Iterable[int] | None = None,
    signers: Sequence[Signer] = IDENTITIES,
    watching: Watching = UNWATCHED,
    turn_time: int | Clock = 0,
) -> Body:
    """A body for a game among peers."""
    operators = operators or range(1, seats + 1)
    roster = tuple(
        Seat(signer.id, name, operator)
        for signer, name, operator in zip(signers[:seats], NAMES, operators, strict=False)
    )
    return make_body(NET, all_games()[key], options or {}, roster, ATTEMPT, turn_time, watching=watching)


def charter_of(
    key: str,
    seats: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    *,
    fast: bool = False,
    operators: Iterable[int] | None = None,
    watching: Watching = UNWATCHED,
    turn_time: int | Clock = 0,
) -> Charter:
    """The charter of a table where every seat has its own client, or those that `operators` names."""
    signers: tuple[Signer, ...] = FAST_SIGNERS if fast else IDENTITIES
    verifier: Verifier = FAST if fast else ED25519
    body = body_of(key, seats, options, operators, signers, watching, turn_time)
    played = [{n: signers[n - 1] for n in range(1, seats + 1) if body.seats[n - 1].operator == o} for o in range(1, 6)]
    return agree([Formation(body, own, b"s%d" % min(own), verifier) for own in played if own])


def local_table(key: str, options: Mapping[str, OptionValue] | None = None) -> Table:
    """A table with one signer."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()[key], options or {}, seats, ATTEMPT)
    return Table(local_charter(body, IDENTITIES[0], b"n" * 32), {1: IDENTITIES[0]})


def play_locally(table: Table, rng: Random, plies: int | None = None) -> bytes:
    """Play a random game at a local table; return its file."""
    data = charter_record(table.charter)
    while not isinstance(due := table.fold.position.due, Over) and plies != table.fold.position.plies:
        if isinstance(due, Turn):
            event = table.own.act(due.seat, rng.choice(table.game.legal(table.state, due.seat)))
        else:
            event = table.own.act(0, draw_locally(due.draw, rng.randbytes(32)))
        table.advance([event])
        data += event_record(event)
    return data + b"".join(map(event_record, table.duties()))


class Circle:
    """Replicas of one table, one a client, that hear of every event at once unless told otherwise."""

    def __init__(self, charter: Charter, *, fast: bool = False) -> None:
        self.charter = charter
        self.signers: tuple[Signer, ...] = FAST_SIGNERS if fast else IDENTITIES
        self.verifier: Verifier = FAST if fast else ED25519
        self.scheme: DeckScheme = FAST_DECK if fast else MASKED_DECK
        operators = [entry.operator for entry in charter.body.seats]
        self.tables = [self.client(operator) for operator in sorted(set(operators))]
        self.files = [charter_record(charter) for _ in self.tables]
        self._stored: list[set[bytes]] = [set() for _ in self.tables]

    def client(self, operator: int, events: Iterable[SignedEvent] = (), secrets: Secrets | None = None) -> Table:
        """A client's replica as it is at the start, or after these events."""
        own = {n: self.signers[n - 1] for n, seat in enumerate(self.charter.body.seats, 1) if seat.operator == operator}
        secrets = secrets or Secrets.from_seed(b"seed%d" % operator)
        return hearing(Table(self.charter, own, secrets, self.verifier, self.scheme), events)

    def __getitem__(self, seat: int) -> Table:
        return next(table for table in self.tables if seat in table.own.signers)

    def spread(self, event: SignedEvent) -> None:
        """Let every replica have an event, its author first."""
        for table in sorted(self.tables, key=lambda table: event.seat not in table.own.signers):
            self.give(table, event)

    def give(self, table: Table, *events: SignedEvent) -> None:
        """Let one replica have events, in this order."""
        at = self.tables.index(table)
        for event in events:
            known, proofs = self._stored[at], len(table.held.proofs)
            signed = event.hash not in known and event in table.held.chains[event.seat - 1]
            if signed:
                table.advance([event])
            for accepted in [event] if signed else table.receive(event.raw, event.signature):
                self.files[at] += event_record(accepted)
                known.add(accepted.hash)
            self.files[at] += b"".join(map(proof_record, table.held.proofs[proofs:]))

    def settle(self) -> None:
        """Let all sign what they owe, and hear it, until nothing is owed."""
        while self.step():
            pass

    def step(self) -> list[SignedEvent]:
        """Let all sign what they owe to the open slot, then hear it: one slot closes."""
        signed = [event for table in self.tables for event in table.own.duties()]
        for event in signed:
            self.spread(event)
        return signed

    def owed_by(self) -> tuple[int, ...]:
        """The seats that have not given what is due, as the first replica sees it."""
        return self.tables[0].fold.owing()

    def owed(self, table: Table) -> list[SignedEvent]:
        """Let one client sign what it owes to the open slot; only its own replica hears it."""
        events = table.own.duties()
        self.give(table, *events)
        return events

    def agree(self, number: int, *leavers: int) -> list[SignedEvent]:
        """Let all live seats that do not leave sign an agreement; then all replicas hear of it, and it is returned."""
        signed = []
        for table in self.tables:
            if table.own.signers.keys() & {*table.fold.position.live} - {*leavers}:
                leaving = tuple(Leaving(seat, *table.held.heads[seat - 1]) for seat in sorted(leavers))
                signed += table.own.agree(number, leaving)
                self.give(table, *[event for event in signed if event.seat in table.own.signers])
        for event in signed:
            self.spread(event)
        return signed

    def meet(self) -> None:
        """Let every replica catch up with all the others, as links do that come back."""
        for one in self.tables:
            for other in self.tables:
                if one is not other:
                    proven = [(proof.kept.seat, proof.kept.number) for proof in one.held.proofs]
                    live = other.fold.position.live
                    self.give(one, *other.held.lacking(one.held.heads, proven, live, frozenset()))

    def play(self, rng: Random, plies: int | None = None) -> None:
        """Play random moves until the game ends or that many actions were applied."""
        self.settle()
        while isinstance(due := self[1].fold.position.due, Turn) and plies != self[1].fold.position.plies:
            table = self[due.seat]
            move = rng.choice(table.game.legal(table.own.view(due.seat), due.seat))
            self.spread(table.own.play(due.seat, move))
            self.settle()

    def forge(
        self,
        seat: int,
        body: EventBody,
        *,
        at: Table | None = None,
        heads: tuple[Head, ...] | None = None,
        slot: Slot | None = None,
        digest: bytes | None = None,
    ) -> SignedEvent:
        """An event signed by a seat that does not keep to its client; by default it fits the replica `at`."""
        table = at or self[seat]
        position = table.fold.position
        return make_event(
            self.signers[seat - 1],
            table.id,
            seat,
            heads or table.held.heads,
            slot or position.slot,
            digest or position.digest,
            body,
        )

    @property
    def mover(self) -> int:
        """The seat to act."""
        due = self[1].fold.position.due
        assert isinstance(due, Turn)
        return due.seat


def summary(table: Table) -> tuple[object, ...]:
    """All that must not depend on the order of arrival."""
    fold = table.fold
    position = fold.position
    actions = [(entry.actor, entry.action) for entry in fold.log]
    wished = position.wishes, position.takebacks
    return (position.digest, position.slot, fold.result, position.effects, position.cheats, wished, actions)


def events_of(table: Table) -> list[SignedEvent]:
    """All events held, causes first."""
    return sorted((e for chain in table.held.chains for e in chain), key=lambda e: sum(head.length for head in e.heads))


def replica(table: Table, verifier: Verifier = ED25519, scheme: DeckScheme | None = None) -> Table:
    """A fresh replica of the same table that plays no seat."""
    return Table(table.charter, {}, None, verifier, scheme or (MASKED_DECK if verifier is ED25519 else FAST_DECK))


def hearing(table: Table, events: Iterable[SignedEvent]) -> Table:
    """The table, after it has heard these events."""
    for event in events:
        table.receive(event.raw, event.signature)
    return table


def circle_of(
    key: str = "pebbles", seats: int = 2, *, operators: Iterable[int] | None = None, **options: Any
) -> Circle:
    """Replicas with stand-ins for signatures and cards, where nothing has been signed yet."""
    return Circle(charter_of(key, seats, options, fast=True, operators=operators), fast=True)
