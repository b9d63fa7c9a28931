"""Players who are at another table of the same people: one whose game ended while they were gone, or that goes on."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.shares import Share
from p2p_stonehenge.storage.files import read_file
from p2p_stonehenge.storage.home import Home, Journal, read_saved
from p2p_stonehenge.table.agreed import short_id
from p2p_stonehenge.text.program import command_here
from protocol import (
    Charter,
    Effect,
    LeaveReason,
    Node,
    Send,
    Store,
    TranscriptError,
    first_record,
    load,
    table_named,
    whole,
)

KEPT = 4
"""Games whose end is ready to be sent; of more the oldest is read again when it is asked for."""
READ_EVERY = 1.0
"""Seconds between two files that are read because a peer asks."""
PART, AT_ONCE = 0.05, 2.0
"""What part of the time files are read for one peer, and seconds at once: a file of cards takes more than a second."""
HEAD_BYTES = 1 << 16
"""More than the first line and the first record of a file."""


class Latecomers:
    """Sends the end of finished games to their players who lack it, and keeps what these players still sign.

    Only the clients of a game's own seats are answered, and only where this client has nothing left to sign. To read a
    file takes the processor's time while another game is played, so a file is read again only if it has changed, and
    what the reading of files takes is charged to the peer that asks.

    The player here is told of another player who sits at a game of both that goes on, once for each.
    """

    def __init__(self, network: Network, home: Home) -> None:
        self._network, self._home = network, home
        self._ended: dict[bytes, tuple[Node, Journal]] = {}
        """The games that were read, by table."""
        self._charters: dict[Path, Charter] = {}
        """With what each file begins whose name was asked for."""
        self._of_no_use: dict[bytes, tuple[int, int]] = {}
        """Size and time of each file that was read, and tells of no end to be sent, by table."""
        self._shares: dict[bytes, Share] = {}
        """What is left to each peer, that has a seat at a saved table, of the time in which files are read for it."""
        self._served: set[tuple[bytes, bytes]] = set()
        """Table and peer of those that hold all now, and were told that this client has left that table, or that its
        player waits for another game of the same players."""
        self._lacked: set[tuple[bytes, bytes]] = set()
        """Table and peer of those that did not hold all when they asked."""
        self._told: set[tuple[bytes, bytes]] = set()
        """Table and peer of those of which the player was told that they are at a game that goes on."""
        self._speaks_of: dict[bytes, bytes] = {}
        """The table of which each peer spoke last, once the player was told at which one it is."""
        self._reading: asyncio.Task[None] | None = None
        self._read_at = float("-inf")

    def link(self, peer: bytes, up: bool) -> None:
        """Forget what a peer was told whose link went down."""
        if not up:
            self._speaks_of.pop(peer, None)
            self._served = {one for one in self._served if one[1] != peer}
            for node, _ in self._ended.values():
                node.link(peer, up)

    def receive(self, peer: bytes, data: bytes) -> bool:
        """Take in a message that is about another table than the present one; return whether it is."""
        table = table_named(data)
        if table and peer in self._speaks_of:
            self._speaks_of[peer] = table
        if not table or table == self._network.table or not (path := self._home.saved(table.hex())).exists():
            return False
        if table in self._ended:
            self._answer(table, peer, data)
        elif (charter := self._charter_of(path)) and charter.table == table and peer in charter.body.clients:
            self._look(charter, path, peer, data)
        return True

    def close(self) -> None:
        """Answer nobody any more."""
        if self._reading is not None:
            self._reading.cancel()
        for _, journal in self._ended.values():
            journal.close()
        self._ended.clear()

    def _charter_of(self, path: Path) -> Charter | None:
        """Return the charter with which a file begins, None if it is no saved game.

        Two tables can have one file: it is named by a part of the table's id.
        """
        if path not in self._charters:
            with suppress(OSError, TranscriptError):
                self._charters[path] = first_record(read_file(path, HEAD_BYTES))
        return self._charters.get(path)

    def _look(self, charter: Charter, path: Path, peer: bytes, data: bytes) -> None:
        """Read the file of a table for a peer, unless it was read in vain or too much was read for that peer."""
        if charter.table in self._of_no_use:
            self._tell_where(charter, peer)
        now = asyncio.get_running_loop().time()
        share = self._shares.setdefault(peer, Share(PART, AT_ONCE, now))
        if self._reading is None and now >= self._read_at + READ_EVERY and not share.wait(now):
            with suppress(OSError):
                stat = path.stat()
                if (state := (stat.st_size, stat.st_mtime_ns)) != self._of_no_use.get(charter.table):
                    self._read_at = now
                    self._reading = asyncio.create_task(self._read(charter, state, peer, data, share))

    async def _read(self, charter: Charter, state: tuple[int, int], peer: bytes, data: bytes, share: Share) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            found = await asyncio.to_thread(self._open, charter)
        finally:
            self._reading = None
            ended = loop.time()
            share.charge(ended, ended - began)
        if found is None:
            self._of_no_use[charter.table] = state
            self._tell_where(charter, peer)
        else:
            while len(self._ended) >= KEPT:
                self._ended.pop(next(iter(self._ended)))[1].close()
            self._ended[charter.table] = found
            self._answer(charter.table, peer, data)

    def _open(self, charter: Charter) -> tuple[Node, Journal] | None:
        """Return the game of a table if its file has the end, and nothing is left to sign here; else None."""
        identity, name = self._home.identity(), charter.table.hex()
        seat = charter.body.clients.get(identity.id)
        with suppress(OSError, TranscriptError, Failure):
            data = read_saved(self._home.saved(name))
            if seat and whole(data) == len(data):
                found = load(data, signers={seat: identity})
                over = found.fold.result is not None and not {*found.own.signers} & {*found.fold.owing()}
                if over and found.id == charter.table:
                    return Node(found), self._home.journal(name, resume=True)
        return None

    def _answer(self, table: bytes, peer: bytes, data: bytes) -> None:
        node, journal = self._ended[table]
        if peer not in node.peers:
            return
        now = asyncio.get_running_loop().time()
        if peer not in node.linked:
            self._carry_out(node.link(peer, True), journal)
        self._carry_out(node.receive(peer, data, now), journal)
        if not node.acknowledged:
            self._lacked.add((table, peer))
        elif (table, peer) not in self._served:
            self._served.add((table, peer))
            again = table == self._network.again
            told = node.again([peer]) if again else node.leave(LeaveReason.QUIT)
            self._carry_out([send for send in told if isinstance(send, Send) and send.peer == peer], journal)
            if not again:  # that player may never have left
                self._tell(node, peer)

    def _carry_out(self, effects: Iterable[Effect], journal: Journal) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._network.transport.send(effect.peer, effect.data)
            elif isinstance(effect, Store):
                journal.append(effect.data, effect.sync)

    def _tell_where(self, charter: Charter, peer: bytes) -> None:
        """Tell the player that another one sits at a game of both that goes on, and which of the two goes to the other.

        Both clients learn of it. Where both sit at a game that goes on, the players meet at the table with the lesser
        id.
        """
        if (charter.table, peer) in self._told or self._home.kept_secret(charter.table.hex()) is None:
            return
        self._told.add((charter.table, peer))
        name, own = self._name(charter, peer), self._network.table
        told = f"{name} is at another game of yours, {all_games()[charter.body.game].title}"
        if own and own < charter.table and self._home.kept_secret(own.hex()) is not None:
            then = f"{name} reads how to come here."
        else:
            then = f"Leave here, then `{command_here()} resume {short_id(charter.table)}` leads there."
        self._say(f"{told}. {then}", peer, charter.table)

    def _tell(self, node: Node, peer: bytes) -> None:
        name, game = self._name(node.table.charter, peer), node.table.game.title
        if (node.table.id, peer) in self._lacked:
            told = f"{name} is at a game that is over, {game}, and has its end now."
        else:
            told = f"{name} is still at the table of a game that is over, {game}."
        self._say(told, peer, node.table.id)

    def _say(self, text: str, peer: bytes, table: bytes) -> None:
        """Tell the player of a peer that is at a table, which stands as long as it is there."""
        self._speaks_of[peer] = table
        if self._network.handler:
            self._network.handler.trouble(None, text, lambda: self._speaks_of.get(peer) == table)

    def _name(self, charter: Charter, peer: bytes) -> str:
        """Return what the player of another client at a table is called here."""
        body = charter.body
        names = known.names(self._home, self._network.identity.id, [(seat.id, seat.name) for seat in body.seats])
        return names[body.clients[peer] - 1]
