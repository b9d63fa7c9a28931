"""A client of the simulator: a real node, its disk, and players that move, wish and leave by lot."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from simulator_plan import Crash, Gone, Restore

from engine import Turn
from protocol import (
    LocalFaultError,
    Node,
    Secrets,
    Table,
    charter_record,
    load,
    whole,
)

if TYPE_CHECKING:
    from simulator import Network

PATIENCE = 8.0
"""Seconds after which players want to go on without those that they wait for."""
REGRETS = 0.2
"""How often players want a move back that they have just sent."""


class Client:
    """A client, which may play bots' seats too: its node while it runs, and its disk."""

    def __init__(self, network: "Network", operator: int) -> None:
        self.network = network
        self.operator = operator
        roster = network.opening.charter.body.seats
        self.seats = tuple(seat for seat, entry in enumerate(roster, 1) if entry.operator == operator)
        self.signers = {seat: network.crypto.signers[seat - 1] for seat in self.seats}
        self.id = roster[operator - 1].id
        self.honest = True
        self.disk = bytearray(charter_record(network.opening.charter))
        self.safe = len(self.disk)
        self.secrets = hashlib.sha256(b"secrets of %d" % operator).digest()
        self.kept = [(0, self.secrets)]
        """What the secrets were from which length of the file on."""
        self.alive = True
        self.copies = 0
        """How often an old copy was put in the place of the file."""
        self.fuse: int | None = None
        """Steps until it dies."""
        self.ending: Crash | Restore | Gone | None = None
        self.skew = network.rng.uniform(0.0, 1000.0)
        self.ready = 0.0
        """When it can take in the next thing."""
        self.pause = 0.0
        self.thinking = False
        self.waits: tuple[Any, dict[int, float]] = (None, {})
        """At which slot it has waited for which seats, and since when."""
        self.stood = 0.0
        """Until when it last stood at a place from which it had not played on already."""
        self.restarts = 0
        self.node = Node(self._fresh())

    @property
    def table(self) -> Table:
        return self.node.table

    @property
    def clock(self) -> float:
        """What its own clock shows."""
        return self.network.now + self.skew

    def _fresh(self) -> Table:
        crypto = self.network.crypto
        return Table(self.network.opening.charter, self.signers, self._restored(), crypto.verifier, crypto.scheme)

    def _restored(self) -> Secrets:
        return Secrets.restored(self.secrets, self.network.opening.charter.table)

    def resume(self) -> int:
        """Start again from the disk as the command `resume` does; return how many bytes were torn off."""
        crypto = self.network.crypto
        good = whole(bytes(self.disk))
        torn = len(self.disk) - good
        del self.disk[good:]
        self.safe = good
        table = load(
            bytes(self.disk),
            crypto.verifier,
            scheme=crypto.scheme,
            signers=self.signers,
            secrets=self._restored(),
        )
        self.restarts += 1
        self.node = Node(table, resumed=True, challenge=self.restarts.to_bytes(8, "big"))
        self.alive = True
        self.thinking = False
        return torn

    # What its node is told; cheats put other things here.

    def start(self) -> Any:
        return self.node.start()

    def link(self, other: "Client", up: bool) -> Any:
        return self.node.link(other.id, up)

    def receive(self, other: "Client", data: bytes) -> Any:
        return self.node.receive(other.id, data, self.clock)

    def tick(self) -> Any:
        return [*self.node.tick(self.clock), *self.insist()]

    def insist(self) -> Any:
        """Want to go on without those that were waited for too long; agree where others want that of who is away."""
        node, table = self.node, self.table
        unwanted = node.going_on.unwanted - node.going_on.wanted - {self.operator}
        if unwanted and not any(self.network.by_seat[one].id in node.linked for one in unwanted):
            with suppress(LocalFaultError):
                return node.agree()
        owing = table.fold.owing() if table.fold.result is None else ()
        if not node.own_waits:
            self.stood = self.network.now
        elif self.network.now >= self.stood + PATIENCE and len(node.linked) == len(node.peers):
            return node.trust()
        waited = {seat for seat in (*owing, *node.going_on.missing()) if seat not in self.seats}
        slot, now = table.fold.position.slot, self.network.now
        since = self.waits[1] if self.waits[0] == slot else {}
        self.waits = slot, {**dict.fromkeys(waited, now), **since}
        waited = {seat for seat in waited if now >= self.waits[1][seat] + PATIENCE}
        effects: list[Any] = []
        for seat in sorted(waited):
            try:
                effects += node.without(seat)
            except LocalFaultError:
                continue
        return effects

    def outgoing(self, other: "Client", data: bytes) -> Iterable[bytes]:
        """What really goes to another client where the program sends `data`."""
        return (data,)

    def play(self) -> Any:
        """What the players of this client do now, if anything."""
        rng, node, table = self.network.rng, self.node, self.table
        due = table.fold.position.due
        seat = due.seat if isinstance(due, Turn) and due.seat in self.seats else rng.choice(self.seats)
        chance = rng.random()
        try:
            if chance < self.network.plan.leave:
                return node.play(seat, "resign")
            if chance > 0.97:
                return node.wish_draw(seat, rng.random() < 0.6)
            if chance > 0.95 or (table.fold.position.asking and chance > 0.4):
                return node.take_back(seat)
            if isinstance(due, Turn) and due.seat == seat:
                return self.regret(seat, node.play(seat, rng.choice(table.game.legal(table.own.view(seat), seat))))
        except LocalFaultError:
            pass
        return []

    def resign(self) -> Any:
        """Give the game of the own seat up, if that is possible now."""
        with suppress(LocalFaultError):
            if self.alive and self.honest:
                return self.node.play(self.operator, "resign")
        return []

    def regret(self, seat: int, moved: Iterable[Any]) -> Iterator[Any]:
        """Make a move, and perhaps want it back at once."""
        yield from moved
        if self.network.rng.random() < REGRETS:
            with suppress(LocalFaultError):
                yield from self.node.take_back(seat)
