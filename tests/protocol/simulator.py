"""Whole games over a bad network in virtual time: one heap of events, one random generator, so that a seed repeats all.

Messages are lost, doubled, delayed and overtaken; links flap; clients crash between any two effects and start again
from what was safe on disk.
"""

import heapq
from collections.abc import Callable
from random import Random

from fast_deck import FAST_DECK
from replicas import FAST, FAST_SIGNERS

from engine import Turn
from protocol import (
    Blame,
    Broken,
    Caught,
    Charter,
    Disputed,
    Events,
    Keep,
    LocalFaultError,
    Node,
    Secrets,
    Send,
    Store,
    Table,
    TornError,
    charter_record,
    event_record,
    read_message,
    records,
)
from protocol._event import read_event
from protocol._transcript import EventRecord


class Client:
    """One client, which may play bots' seats too: its node, its disk (of which `safe` bytes survive a crash) and what
    it was told."""

    def __init__(self, charter: Charter, seat: int) -> None:
        self.charter = charter
        self.seats = [n for n, entry in enumerate(charter.body.seats, 1) if entry.operator == seat]
        self.id = FAST_SIGNERS[seat - 1].id
        self.secrets = Secrets.from_seed(b"seed%d" % self.seats[0])
        self.disk = charter_record(charter)
        self.safe = len(self.disk)
        self.told: list[object] = []
        self.restart()

    def restart(self) -> None:
        """Start from what a crash leaves: what was made safe, and some of the rest."""
        signers = {seat: FAST_SIGNERS[seat - 1] for seat in self.seats}
        table = Table(self.charter, signers, self.secrets, FAST, FAST_DECK)
        try:
            for end, record in records(self.disk):
                self.safe = end
                if isinstance(record, EventRecord):
                    table.load([read_event(*record)])
        except TornError as torn:
            self.disk = self.disk[: torn.good]
        self.node = Node(table)

    @property
    def table(self) -> Table:
        return self.node.table


class Network:
    """Clients and what lies between them."""

    def __init__(self, charter: Charter, seed: int, *, loss=0.0, twice=0.0, delay=0.05, flaps=0.0, crashes=0.0) -> None:
        self.rng = Random(seed)
        self.loss, self.twice, self.delay, self.flaps, self.crashes = loss, twice, delay, flaps, crashes
        self.clients = [Client(charter, seat) for seat in sorted({entry.operator for entry in charter.body.seats})]
        self.by_id = {client.id: client for client in self.clients}
        self.now = 0.0
        self.up: set[tuple[bytes, bytes]] = set()
        self.crashed = 0
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        for client in self.clients:
            self.do(client, client.node.start())
            self.after(self.rng.random(), lambda client=client: self._tick(client))
        for a in self.clients:
            for b in self.clients:
                if a is not b:
                    self._link(a, b, up=True)

    def after(self, delay: float, call: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._heap, (self.now + delay, self._count, call))

    def run(self, until: float) -> None:
        """Let time pass."""
        while self._heap and self._heap[0][0] <= until:
            self.now, _, call = heapq.heappop(self._heap)
            call()

    def heal(self) -> None:
        """End all faults; every link comes up."""
        self.loss = self.twice = self.flaps = self.crashes = 0.0
        for a in self.clients:
            for b in self.clients:
                if a is not b and (a.id, b.id) not in self.up:
                    self._link(a, b, up=True)

    def done(self) -> bool:
        return all(client.node.done(self.now) for client in self.clients)

    def do(self, client: Client, effects) -> None:
        """Carry out effects in order; a crash may come between any two of them."""
        for effect in effects:
            if self.rng.random() < self.crashes:
                self._crash(client)
                return
            match effect:
                case Store(data, sync):
                    client.disk += data
                    if sync:
                        client.safe = len(client.disk)
                case Keep(secrets):
                    client.secrets = Secrets.unpacked(secrets)
                case Send(peer, data):
                    self._check_safe(client, data)
                    self._send(client, self.by_id[peer], data)
                case Blame() | Broken() | Caught() | Disputed():
                    client.told.append(effect)

    def _check_safe(self, client: Client, data: bytes) -> None:
        assert len(data) <= 65536
        message = read_message(data)
        if isinstance(message, Events):
            for raw, signature in message.events:
                event = read_event(raw, signature)
                stored = client.disk[: client.safe] if event.seat in client.seats else client.disk
                assert event_record(event) in stored, "sent before it was stored"

    def _send(self, sender: Client, receiver: Client, data: bytes) -> None:
        if (sender.id, receiver.id) not in self.up:
            return
        for _ in range(1 + (self.rng.random() < self.twice)):
            if self.rng.random() >= self.loss:
                self.after(self.rng.expovariate(1 / self.delay), lambda: self._arrive(sender, receiver, data))

    def _arrive(self, sender: Client, receiver: Client, data: bytes) -> None:
        self.do(receiver, receiver.node.receive(sender.id, data, self.now))

    def _link(self, one: Client, other: Client, *, up: bool) -> None:
        (self.up.add if up else self.up.discard)((one.id, other.id))
        self.do(one, one.node.link(other.id, up))

    def _crash(self, client: Client) -> None:
        self.crashed += 1
        client.disk = client.disk[: self.rng.randint(client.safe, len(client.disk))]
        client.restart()
        for other in self.clients:
            if other is not client:
                self._link(client, other, up=True)
        self.after(self.rng.random(), lambda: self.do(client, client.node.start()))

    def _tick(self, client: Client) -> None:
        self.do(client, client.node.tick(self.now))
        self._choose(client)
        for other in self.clients:
            if other is not client and self.rng.random() < self.flaps:
                self._link(client, other, up=(client.id, other.id) not in self.up)
        self.after(0.5 + self.rng.random(), lambda: self._tick(client))

    def _choose(self, client: Client) -> None:
        """What the players of a client do: move soon, seldom wish."""
        table, rng = client.table, self.rng
        seat = rng.choice(client.seats)
        due = table.fold.position.due
        try:
            if rng.random() < 0.02:
                self.do(client, client.node.wish_draw(seat, rng.random() < 0.6))
            elif isinstance(due, Turn) and due.seat == seat:
                self.do(client, client.node.play(seat, rng.choice(table.game.legal(table.view(seat), seat))))
        except LocalFaultError:
            pass
