"""Where messages leave: a DEALER for each address at which a peer is tried, until one of them has shaken hands."""

import asyncio
import contextlib
import errno
import secrets
import socket
from collections.abc import Callable
from functools import partial

import zmq

from p2p_stonehenge.net.gate import Gate
from p2p_stonehenge.net.network import Readers, local_addresses
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.roster import Roster
from p2p_stonehenge.net.sockets import FAILED, Line, Socket, Way, secure
from p2p_stonehenge.text.names import quoted
from protocol import CurveKeys, Identity, clean_nick

TRIED_ADDRESSES = 4
"""Addresses tried for one peer; each takes five file descriptors. A stranger is tried where it came from."""
HANDSHAKE_FAILURES = 3
"""In a row, until an address is believed to belong to another program and rests."""
SHORTEST_REST, LONGEST_REST = 2.0, 60.0
"""Seconds for which an address rests at first, and at most: each rest is twice as long as the one before."""
PROBE = 3.0
"""Seconds for another program to show that it has the key of this one."""
KEY_BYTES = 32
IMPOSTOR = "impostor"
"""The complaint that no program of a peer answers at an address of it."""
LAST_WORDS = 300
"""Milliseconds for what is still queued at `close`."""


class Outbox:
    """The connections that one client makes to its `peers`, of which it changes `way` and `ways`.

    * `judge(peer)` is called when an address has shaken hands, and when its connection was lost.
    * `dismiss(peer)` is called for a stranger from whom too much comes on such a connection.
    * `complain(peer, kind, text)` is called with what the player can mend.
    """

    greeting: bytes
    """The first message on each connection."""
    port: int
    """The port of this client, which is not to be dialled from here."""

    def __init__(
        self,
        context: zmq.Context[Socket],
        keys: CurveKeys,
        interface: str | None,
        readers: Readers,
        peers: Roster,
        *,
        judge: Callable[[Peer], None],
        dismiss: Callable[[Peer], None],
        complain: Callable[[Peer, str, str], None],
    ) -> None:
        self._context, self._keys, self._interface, self._readers = context, keys, interface, readers
        self._peers, self._judge, self._dismiss, self._complain = peers, judge, dismiss, complain
        self._loop = asyncio.get_running_loop()
        self._lookups: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Leave all addresses; what is queued is still sent, for at most 300 ms."""
        for lookup in self._lookups:
            lookup.cancel()
        for peer in self._peers.values():
            for way in peer.ways.values():
                way.shut(self._readers, LAST_WORDS)
        await asyncio.to_thread(self._context.term)

    def dial(self, peer: Peer, host: str, port: int) -> None:
        """Try a peer at an address, or at those of a computer's name."""
        try:
            socket.inet_pton(socket.AF_INET, host)
        except OSError:
            lookup = self._loop.create_task(self._look_up(peer, host, port))
            self._lookups.add(lookup)
            lookup.add_done_callback(self._lookups.discard)
        else:
            self.add(peer, host, port)

    def drop(self, peer: Peer) -> None:
        """Leave all addresses of a peer."""
        for way in peer.ways.values():
            way.shut(self._readers)

    async def has_own_key(self, address: str, gate: Gate) -> bool:
        """Return whether another program at `HOST:PORT` has the key of this one, whose gate is `gate`."""
        keys = Identity(secrets.token_bytes(KEY_BYTES)).curve()
        dealer = secure(self._context.socket(zmq.DEALER), keys)
        with gate.noting(keys.public) as came:
            shaken = await Way(address).is_of(self._keys.public, dealer, self._interface, self._readers, PROBE)
            # If the handshake came in at this program's own gate, the address only leads back to here.
            return shaken and not came()

    async def _look_up(self, peer: Peer, host: str, port: int) -> None:
        try:
            found = await self._loop.getaddrinfo(host, port, family=socket.AF_INET, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            self._complain(peer, f"name {host}", f"There is no computer called {clean_nick(host)} on this network.")
            return
        for *_, (ip, number, *_) in found:
            if self._peers.get(peer.id) is peer:
                self.add(peer, str(ip), int(number))

    def add(self, peer: Peer, ip: str, port: int) -> None:
        """Add an address, in place of the oldest one where the peer never was if there are too many."""
        address = f"{ip}:{port}"
        own = (self._interface,) if self._interface else local_addresses()
        if address in peer.ways or (port == self.port and ip in own):
            return
        if len(peer.ways) >= (TRIED_ADDRESSES if peer.wanted else 1):
            oldest = next((way for way in peer.ways.values() if way is not peer.way and not way.proven), None)
            if oldest is None:
                return
            oldest.shut(self._readers)
            del peer.ways[oldest.address]
        peer.ways[address] = Way(address)
        self.seek(peer)

    def seek(self, peer: Peer) -> None:
        """Open every way that does not rest, unless one leads there already."""
        if peer.way is None and not peer.barred:
            for way in peer.ways.values():
                if way.dealer is None and way.due <= self._loop.time():
                    self._open(peer, way)

    def _open(self, peer: Peer, way: Way) -> None:
        dealer = secure(self._context.socket(zmq.DEALER), self._keys)
        watch = partial(self._watch, peer, way, dealer)
        way.open(dealer, bytes.fromhex(peer.key), self._interface, self._readers, watch)
        self._loop.call_soon(watch)

    def _watch(self, peer: Peer, way: Way, dealer: Socket) -> None:
        while way.dealer is dealer and (happened := way.event()) is not None:
            event, value = happened
            if event == zmq.Event.CONNECTED:
                with contextlib.suppress(OSError):  # it has ended already
                    line = Line(value, self._readers)
                    way.hold(line, self._loop.time())
                    line.watch(partial(self._stirred, peer, way))
            elif event == zmq.Event.HANDSHAKE_SUCCEEDED:
                self._shaken(peer, way)
            elif event & FAILED:
                way.failures += value != errno.ECONNRESET  # what resets it has just ended: nobody is there now
                if way.failures >= HANDSHAKE_FAILURES:
                    self._rest(peer, way)
            else:
                way.hold(None)
                if way is peer.way:
                    self.lost(peer)

    def look(self, peer: Peer) -> None:
        """Look at what comes of a linked peer where nobody sends anything; to be called often."""
        if peer.way is not None:
            self._stirred(peer, peer.way)

    def _stirred(self, peer: Peer, way: Way) -> None:
        """Leave a way on which more comes than signs of life: nobody sends anything else on it."""
        if not way.overrun(self._loop.time(), lasting=peer.wanted or peer.kept):
            return
        if not (peer.wanted or peer.kept):
            self._dismiss(peer)
            return
        was = way is peer.way
        self._rest(peer, way, f"{quoted(peer.nick)} sends what no program like this one sends: its link was cut.")
        if was:
            self.lost(peer)

    def _shaken(self, peer: Peer, way: Way) -> None:
        if peer.way is not None:
            way.shut(self._readers)
            return
        peer.way = way
        way.failures, way.rest, way.proven = 0, 0.0, True
        for other in peer.ways.values():
            if other is not way:
                other.shut(self._readers)
        peer.put(self.greeting)
        self._judge(peer)

    def lost(self, peer: Peer) -> None:
        """Note that the connection to a peer has ended, and seek the peer anew."""
        peer.way, peer.greeted = None, 0.0
        self._judge(peer)
        if self._peers.get(peer.id) is peer:
            self.seek(peer)

    def _rest(self, peer: Peer, way: Way, text: str = "") -> None:
        """Leave an address alone for a while: ZeroMQ itself would try five times a second for ever."""
        way.shut(self._readers)
        way.failures = 0
        way.rest = min(max(SHORTEST_REST, way.rest * 2), LONGEST_REST)
        way.due = self._loop.time() + way.rest
        if text:
            self._complain(peer, "overrun", text)
        elif peer.way is None and not peer.greeted:  # what has just been heard does not hang
            name = quoted(peer.nick)
            text = f"{name} is not reached at {way.address}: another program is there now, or one that hangs or sleeps."
            text += f" That address is tried again by itself, and others as soon as {name} is seen there."
            self._complain(peer, IMPOSTOR, text)
