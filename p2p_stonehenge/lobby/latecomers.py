"""Players who come back to a game that ended while they were gone, when the others sit at another table already."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.storage.home import SAVED_LIMIT, Home, Journal
from protocol import QUIT, Effect, Node, Send, Store, TranscriptError, first_record, load, table_named, whole

KEPT = 4
"""Games whose end is ready to be sent; of more the oldest is read again when it is asked for."""
READ_EVERY = 1.0
"""Seconds between two files that are read because a peer asks."""


class Latecomers:
    """Sends the end of finished games to their players who lack it, and keeps what these players still sign.

    Only the clients of a game's own seats are answered, and only where this client has nothing left to sign.
    """

    def __init__(self, network: Network, home: Home) -> None:
        self._network, self._home = network, home
        self._ended: dict[bytes, tuple[Node, Journal]] = {}
        """The games that were read, by table."""
        self._served: set[tuple[bytes, bytes]] = set()
        """Table and peer of those that hold all now, and were told that this client has left that table."""
        self._reading: asyncio.Task[None] | None = None
        self._read_at = float("-inf")

    def link(self, peer: bytes, up: bool) -> None:
        """Forget what a peer was told whose link went down."""
        if not up:
            self._served = {one for one in self._served if one[1] != peer}
            for node, _ in self._ended.values():
                node.link(peer, up)

    def receive(self, peer: bytes, data: bytes) -> bool:
        """Take in a message that is about another table than the present one; return whether it is."""
        table = table_named(data)
        if not table or table == self._network.table or not self._home.saved(table.hex()).exists():
            return False
        now = asyncio.get_running_loop().time()
        if table in self._ended:
            self._answer(table, peer, data)
        elif self._reading is None and now >= self._read_at + READ_EVERY:
            self._read_at = now
            self._reading = asyncio.create_task(self._read(table, peer, data))
        return True

    def close(self) -> None:
        """Answer nobody any more."""
        if self._reading is not None:
            self._reading.cancel()
        for _, journal in self._ended.values():
            journal.close()
        self._ended.clear()

    async def _read(self, table: bytes, peer: bytes, data: bytes) -> None:
        try:
            found = await asyncio.to_thread(self._open, table, peer)
        finally:
            self._reading = None
        if found:
            while len(self._ended) >= KEPT:
                self._ended.pop(next(iter(self._ended)))[1].close()
            self._ended[table] = found
            self._answer(table, peer, data)

    def _open(self, table: bytes, peer: bytes) -> tuple[Node, Journal] | None:
        """Return a finished game in which the client `peer` has a seat, None if there is no such file."""
        identity = self._home.identity()
        with suppress(OSError, TranscriptError, Failure):
            with self._home.saved(table.hex()).open("rb") as file:
                data = file.read(SAVED_LIMIT)
            clients = first_record(data).body.clients
            if peer in clients and identity.id in clients and whole(data) == len(data):
                found = load(data, signers={clients[identity.id]: identity})
                over = found.fold.result is not None and not {*found.own.signers} & {*found.fold.owing()}
                if over and found.id == table:
                    return Node(found), self._home.journal(table.hex(), resume=True)
        return None

    def _answer(self, table: bytes, peer: bytes, data: bytes) -> None:
        node, journal = self._ended[table]
        if peer not in node.peers:
            return
        now = asyncio.get_running_loop().time()
        if peer not in node.linked:
            self._carry_out(node.link(peer, True), journal)
        self._carry_out(node.receive(peer, data, now), journal)
        if (table, peer) not in self._served and node.acknowledged:
            self._served.add((table, peer))
            self._carry_out([send for send in node.leave(QUIT) if send.peer == peer], journal)
            self._tell(node, peer)

    def _carry_out(self, effects: Iterable[Effect], journal: Journal) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._network.transport.send(effect.peer, effect.data)
            elif isinstance(effect, Store):
                journal.append(effect.data, effect.sync)

    def _tell(self, node: Node, peer: bytes) -> None:
        body = node.table.charter.body
        names = known.names(self._home, self._network.identity.id, [(seat.id, seat.name) for seat in body.seats])
        if self._network.handler:
            name = names[body.clients[peer] - 1]
            self._network.handler.trouble(None, f"{name} is back at a game that is over, and has its end now.")
