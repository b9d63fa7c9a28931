"""Encrypted links between peers over ZeroMQ.

Every peer binds one ROUTER, which only receives, and connects one DEALER to each other peer, which only sends.
CURVE proves who sends: a message counts as coming from the key in its `User-Id`, whatever it says itself. The
first message on each connection is the greeting, which tells the id that belongs to that key. A link is up once
our DEALER has shaken hands and the peer's greeting has come; what arrives before is dropped.

Sockets are plain ones, read until empty whenever their file descriptor stirs: the descriptor of a ZeroMQ
socket tells of changes only, and a task for each message would cost more than the message.
"""

import asyncio
import errno
import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import zmq
from zmq.utils.monitor import parse_monitor_message

from p2p_stonehenge.card import fetch_card, serve_card
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.gate import Bucket, Gate
from p2p_stonehenge.network import DEFAULT_PORT, Readers, check_interface, local_addresses, split_address
from protocol import (
    INSTANCE_BYTES,
    Card,
    Greeting,
    Identity,
    VersionMismatchError,
    card_bytes,
    clean_nick,
    curve_public,
    greeting_bytes,
    id_text,
    read_greeting,
)

__all__ = ["MAX_MESSAGE", "Transport", "fetch_card"]

MAX_MESSAGE = 65536
"""Bytes of one message; the connection of a peer that sends a longer one is cut by ZeroMQ."""
CURVE_BYTES = 33
"""What CURVE adds to a message (RFC 26), which ZeroMQ's limit counts."""
MAX_PEERS = 32
MAX_ADDRESSES = 4
"""Addresses tried for one peer; each takes four file descriptors."""
GREETING_COST = 50
"""Messages that a greeting counts for, as it may open sockets."""
BATCH = 64
"""Messages read before the rest of the program gets its turn."""
PORT_PAIRS = 20
HANDSHAKE_FAILURES = 3
"""In a row, until an address is believed to belong to somebody else and rests."""
SHORTEST_REST, LONGEST_REST = 2.0, 60.0
TICK = 0.5
ONE_WAY_AFTER = 8.0
"""Seconds until a peer that reaches us and is not reached by us is worth a word to the player."""
STRANGER_AFTER = 60.0
"""Seconds for which a peer that nobody dialled here is kept without a link."""
LAST_WORDS = 300
"""Milliseconds for what is still queued at `close`."""

_MARK = greeting_bytes(Greeting(bytes(32), bytes(INSTANCE_BYTES), "nobody", 1))[1:12]
"""What a greeting of any version begins with, after the byte that holds its length."""
_FAILED = zmq.Event.HANDSHAKE_FAILED_NO_DETAIL | zmq.Event.HANDSHAKE_FAILED_PROTOCOL | zmq.Event.HANDSHAKE_FAILED_AUTH
_DEALER_EVENTS = zmq.Event.HANDSHAKE_SUCCEEDED | zmq.Event.DISCONNECTED | _FAILED

_Socket = zmq.Socket[bytes]


@dataclass(slots=True, eq=False)
class _Way:
    """One address of a peer and, unless it rests until `due`, the DEALER that tries it."""

    address: str
    dealer: _Socket | None = None
    monitor: _Socket | None = None
    failures: int = 0
    rest: float = 0.0
    due: float = 0.0


@dataclass(slots=True, eq=False)
class _Peer:
    """`way` has shaken hands; `greeted`: a greeting came since the last loss; `since`: when `linked` changed.

    `connection` is the one that the last greeting came on, `heard` the one whose messages count.
    """

    id: bytes
    key: str
    wanted: bool
    nick: str
    bucket: Bucket
    since: float
    ways: dict[str, _Way] = field(default_factory=dict)
    way: _Way | None = None
    instance: bytes = b""
    connection: bytes = b""
    heard: bytes = b""
    greeted: bool = False
    linked: bool = False
    barred: bool = False
    complaints: set[str] = field(default_factory=set)


class Transport:
    """All links of one client.

    The callbacks run on the event loop. `on_message(peer, data)` comes only after `on_link(peer, True)`; the last
    words of a peer may come just after `on_link(peer, False)`. A restart of the peer's program is a link that goes
    down and up. `on_trouble(peer or None, text)` says what the player can do something about, each thing once. Ids
    are 32 bytes.
    """

    port: int
    """Of the ROUTER, once started; the card is on the next one."""

    def __init__(
        self,
        identity: Identity,
        nick: str,
        *,
        interface: str | None,
        port: int | None,
        on_message: Callable[[bytes, bytes], None],
        on_link: Callable[[bytes, bool], None],
        on_trouble: Callable[[bytes | None, str], None],
    ) -> None:
        self.instance = secrets.token_bytes(INSTANCE_BYTES)
        self.dropped = 0
        """Messages thrown away: from strangers, over the limit, on a link that was down, or badly made."""
        self._identity, self._keys, self._nick = identity, identity.curve(), clean_nick(nick)
        self._interface, self._asked = interface, port
        self._on_message, self._on_link, self._on_trouble = on_message, on_link, on_trouble
        self._peers: dict[bytes, _Peer] = {}
        self._by_key: dict[str, _Peer] = {}
        self._foreign: set[str] = set()
        self._told_full = False
        self._lookups: set[asyncio.Task[None]] = set()
        self._closed = True

    # Start and end

    async def start(self) -> None:
        """Bind and listen. Raises Failure if the interface or the port cannot be had."""
        if self._interface is not None:
            check_interface(self._interface)
        self._loop = asyncio.get_running_loop()
        self._readers = Readers(self._loop)
        self._strangers = Bucket(self._loop.time())
        # Two contexts, so that `close` can wait for the DEALERs before the ROUTER's end tells that we are gone.
        self._outbox: zmq.Context[_Socket] = zmq.Context()
        self._inbox: zmq.Context[_Socket] = zmq.Context()
        self._router = self._secure(self._inbox.socket(zmq.ROUTER))
        self._router.curve_server = True
        self._router.rcvhwm = 64
        self._gate = Gate(self._inbox, self._router, self._readers)
        try:
            self.port, self._cards = await self._listen()
        except BaseException:
            await self._tear_down()
            raise
        self._greeting = greeting_bytes(Greeting(self._identity.id, self.instance, self._nick, self.port))
        self._closed = False
        self._readers.add(self._router.FD, self._read)
        self._read()
        self._timer = self._loop.call_later(TICK, self._tick)

    async def _listen(self) -> tuple[int, asyncio.Server]:
        host = self._interface or str(ipaddress.IPv4Address(socket.INADDR_ANY))
        first = self._asked or DEFAULT_PORT
        for port in [first] if self._asked else range(first, first + 2 * PORT_PAIRS, 2):
            try:
                card = card_bytes(Card(self._identity.id, self._nick, port), self._identity)
                cards = await serve_card(card, host, port + 1)
            except (OSError, OverflowError) as error:
                self._port_refused(error, port + 1)
                continue
            try:
                self._router.bind(f"tcp://{host}:{port}")
            except zmq.ZMQError as error:
                cards.close()
                await cards.wait_closed()
                self._port_refused(error, port)
                continue
            return port, cards
        raise Failure(f"All ports from {first} to {first + 2 * PORT_PAIRS - 1} are in use. Choose one with --port.", 4)

    def _port_refused(self, error: Exception, port: int) -> None:
        """Return if another pair of ports may do better, else raise Failure."""
        code = getattr(error, "errno", None)
        if code == errno.EADDRINUSE:
            if self._asked:
                raise Failure(
                    f"Port {port} is in use, perhaps by another p2p-stonehenge (which takes two neighbouring ports)."
                    " Choose another one with --port, or leave --port out.",
                    4,
                ) from error
        elif code in {errno.EACCES, errno.EPERM}:
            raise Failure(
                f"Port {port} is not allowed to you. Choose one from 1024 to 65534 with --port.", 4
            ) from error
        else:
            raise Failure(f"Cannot listen on port {port}: {error}. Choose another one with --port.", 4) from error

    async def close(self) -> None:
        """End all links; what is queued is still sent, for at most 300 ms."""
        if self._closed:
            return
        self._closed = True
        self._timer.cancel()
        for lookup in self._lookups:
            lookup.cancel()
        for peer in self._peers.values():
            for way in peer.ways.values():
                self._shut(way, linger=LAST_WORDS)
        self._readers.remove(self._router.FD)
        self._cards.close()
        await self._tear_down()

    async def _tear_down(self) -> None:
        await asyncio.to_thread(self._outbox.term)
        self._gate.close()
        self._router.close(0)
        await asyncio.to_thread(self._inbox.term)
        self._readers.close()

    def _secure(self, end: _Socket) -> _Socket:
        end.curve_publickey, end.curve_secretkey = self._keys.public, self._keys.secret
        end.linger = 0
        end.maxmsgsize = MAX_MESSAGE + CURVE_BYTES
        end.handshake_ivl = 5000
        end.heartbeat_ivl, end.heartbeat_timeout, end.heartbeat_ttl = 2000, 6000, 6000
        return end

    # What the rest of the client asks for

    def dial(self, peer: bytes, addresses: Sequence[str]) -> None:
        """Keep a link to `peer`, tried at all of these addresses (`HOST:PORT`) and those it was dialled at before."""
        if peer == self._identity.id:
            return
        known = self._peers.get(peer)
        if known is None:
            known = self._welcome(peer, curve_public(peer).hex(), wanted=True)
            if known is None:
                return
        known.wanted = True
        for address in addresses:
            host, port = split_address(address)
            try:
                socket.inet_pton(socket.AF_INET, host)
            except OSError:
                lookup = self._loop.create_task(self._look_up(known, host, port))
                self._lookups.add(lookup)
                lookup.add_done_callback(self._lookups.discard)
            else:
                self._try(known, host, port)

    def hang_up(self, peer: bytes) -> None:
        """End the link to `peer` and stop dialling. Its side stays up until its program ends or is told."""
        known = self._peers.get(peer)
        if known is not None:
            self._forget(known)

    def nick_of(self, peer: bytes) -> str:
        """Return what `peer` calls itself, or the first letters of its id before it has said so."""
        known = self._peers.get(peer)
        return known.nick if known is not None else id_text(peer)[:8]

    def linked(self) -> tuple[bytes, ...]:
        """Return the peers whose links are up."""
        return tuple(peer.id for peer in self._peers.values() if peer.linked)

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` (at most MAX_MESSAGE bytes) for `peer`; False if there is no link or its queue is full.

        True is no promise: what is under way when a connection breaks is lost.
        """
        if len(data) > MAX_MESSAGE:
            raise ValueError(f"{len(data)} bytes in one message, at most {MAX_MESSAGE} allowed")
        known = self._peers.get(peer)
        if known is None or not known.linked or self._closed:
            return False
        return self._put(known, data)

    # Who is there

    def _welcome(self, id: bytes, key: str, wanted: bool) -> _Peer | None:
        """Return a new peer, or None if there is no room or its key is taken: two ids can have one CURVE key."""
        if key in self._by_key or key == self._keys.public.hex():
            return None
        if len(self._peers) >= MAX_PEERS:
            idle = next((p for p in self._peers.values() if not p.wanted and not p.linked), None)
            if idle is None or not wanted:
                if wanted and not self._told_full:
                    self._told_full = True
                    self._on_trouble(id, f"More than {MAX_PEERS} players on this network: the others are left out.")
                return None
            self._forget(idle)
        now = self._loop.time()
        peer = _Peer(id, key, wanted, id_text(id)[:8], Bucket(now), now)
        self._peers[id] = self._by_key[key] = peer
        return peer

    def _forget(self, peer: _Peer) -> None:
        del self._peers[peer.id], self._by_key[peer.key]
        for way in peer.ways.values():
            self._shut(way)
        peer.way, peer.greeted = None, False
        self._judge(peer)

    def _judge(self, peer: _Peer) -> None:
        """Tell if the link has come up or gone down."""
        linked = peer.way is not None and peer.greeted
        if linked != peer.linked:
            peer.linked, peer.since = linked, self._loop.time()
            if linked:
                peer.heard = peer.connection
            self._on_link(peer.id, linked)

    def _complain(self, peer: _Peer, kind: str, text: str) -> None:
        if kind not in peer.complaints:
            peer.complaints.add(kind)
            self._on_trouble(peer.id, text)

    def _tick(self) -> None:
        now = self._loop.time()
        self._timer = self._loop.call_later(TICK, self._tick)
        for peer in list(self._peers.values()):
            if peer.linked:
                continue
            self._seek(peer)
            waited = now - peer.since
            if peer.greeted and waited > ONE_WAY_AFTER:
                where = ", ".join(peer.ways)
                self._complain(
                    peer,
                    "one way",
                    f"{peer.nick} reaches this computer but is not reached at {where}: its firewall may block Python.",
                )
            if not peer.wanted and waited > STRANGER_AFTER:
                self._forget(peer)

    # Sending: one DEALER for each address tried, until one has shaken hands

    async def _look_up(self, peer: _Peer, host: str, port: int) -> None:
        try:
            found = await self._loop.getaddrinfo(host, port, family=socket.AF_INET, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            self._complain(peer, f"name {host}", f"There is no computer called {clean_nick(host)} on this network.")
            return
        for *_, (ip, number, *_) in found:
            if self._peers.get(peer.id) is peer:
                self._try(peer, str(ip), int(number))

    def _try(self, peer: _Peer, ip: str, port: int) -> None:
        """Add an address, in place of the oldest one if there are too many."""
        address = f"{ip}:{port}"
        if address in peer.ways or (port == self.port and ip in local_addresses()):
            return
        if len(peer.ways) >= MAX_ADDRESSES:
            oldest = next(way for way in peer.ways.values() if way is not peer.way)
            self._shut(oldest)
            del peer.ways[oldest.address]
        peer.ways[address] = _Way(address)
        self._seek(peer)

    def _seek(self, peer: _Peer) -> None:
        """Open every way that does not rest, unless one leads there already."""
        if peer.way is None and not peer.barred:
            for way in peer.ways.values():
                if way.dealer is None and way.due <= self._loop.time():
                    self._open(peer, way)

    def _open(self, peer: _Peer, way: _Way) -> None:
        dealer = way.dealer = self._secure(self._outbox.socket(zmq.DEALER))
        dealer.curve_serverkey = bytes.fromhex(peer.key)
        dealer.immediate = True  # nothing queues for a peer that is away
        dealer.sndhwm, dealer.rcvhwm = 1000, 1
        dealer.reconnect_ivl, dealer.reconnect_ivl_max, dealer.connect_timeout = 200, 5000, 3000
        monitor = way.monitor = dealer.get_monitor_socket(_DEALER_EVENTS)
        monitor.linger = 0
        source = f"{self._interface}:0;" if self._interface else ""
        dealer.connect(f"tcp://{source}{way.address}")
        self._readers.add(monitor.FD, self._watch, peer, way, monitor)
        self._loop.call_soon(self._watch, peer, way, monitor)

    def _shut(self, way: _Way, linger: int = 0) -> None:
        if way.dealer is not None and way.monitor is not None:
            self._readers.remove(way.monitor.FD)
            way.dealer.disable_monitor()
            way.monitor.close()
            way.dealer.close(linger)
        way.dealer = way.monitor = None

    def _watch(self, peer: _Peer, way: _Way, monitor: _Socket) -> None:
        while way.monitor is monitor:
            try:
                event = parse_monitor_message(monitor.recv_multipart(zmq.DONTWAIT))["event"]
            except zmq.Again:
                return
            if event == zmq.Event.HANDSHAKE_SUCCEEDED:
                self._shaken(peer, way)
            elif event & _FAILED:
                way.failures += 1
                if event == zmq.Event.HANDSHAKE_FAILED_AUTH or way.failures >= HANDSHAKE_FAILURES:
                    self._rest(peer, way, full=event == zmq.Event.HANDSHAKE_FAILED_AUTH)
            elif way is peer.way:
                self._lost(peer)

    def _shaken(self, peer: _Peer, way: _Way) -> None:
        if peer.way is not None:
            self._shut(way)
            return
        peer.way = way
        way.failures, way.rest = 0, 0.0
        for other in peer.ways.values():
            if other is not way:
                self._shut(other)
        self._put(peer, self._greeting)
        self._judge(peer)

    def _lost(self, peer: _Peer) -> None:
        peer.way, peer.greeted = None, False
        self._judge(peer)
        if self._peers.get(peer.id) is peer:
            self._seek(peer)

    def _rest(self, peer: _Peer, way: _Way, full: bool) -> None:
        """Leave an address alone for a while: ZeroMQ itself would try five times a second for ever, or never again."""
        self._shut(way)
        way.failures = 0
        way.rest = min(max(SHORTEST_REST, way.rest * 2), LONGEST_REST)
        way.due = self._loop.time() + way.rest
        if full:
            self._complain(peer, "full", f"{peer.nick} has no room for more connections.")
        elif peer.way is None:
            text = f"What answers at {way.address} is not {peer.nick}: another player or program is there now."
            self._complain(peer, "impostor", text)

    def _put(self, peer: _Peer, data: bytes) -> bool:
        dealer = peer.way.dealer if peer.way is not None else None
        if dealer is None:
            return False
        try:
            dealer.send(data, zmq.DONTWAIT)
        except zmq.Again:
            # Only this makes ZeroMQ look for a new connection or for room; `send` does so once in a millisecond.
            if not int(dealer.get(zmq.EVENTS)) & zmq.POLLOUT:
                return False
            dealer.send(data, zmq.DONTWAIT)
        return True

    # Receiving

    def _read(self) -> None:
        more = True
        try:
            for _ in range(BATCH):
                more = not self._closed and self._receive()
                if not more:
                    return
        finally:
            if more:
                self._loop.call_soon(self._read)

    def _receive(self) -> bool:
        """Take one message from the ROUTER; False if there is none."""
        try:
            connection = self._router.recv(zmq.DONTWAIT)
        except zmq.Again:
            return False
        frame = self._router.recv(zmq.DONTWAIT, copy=False)
        if frame.more:
            while frame.more:
                frame = self._router.recv(zmq.DONTWAIT, copy=False)
            self.dropped += 1
            return True
        key, data, now = str(frame.get("User-Id")), frame.bytes, self._loop.time()
        peer = self._by_key.get(key)
        is_greeting = data[1:12] == _MARK
        bucket = peer.bucket if peer is not None else self._strangers
        if not bucket.take(now, GREETING_COST if is_greeting else 1, len(data)):
            self.dropped += 1
            if peer is not None:
                self._complain(peer, "flood", f"{peer.nick} sends more than is sensible; some of it is dropped.")
        elif is_greeting:
            self._greeted(peer, key, connection, data, str(frame.get("Peer-Address")))
        elif peer is None or connection != peer.heard:
            self.dropped += 1
        else:
            self._on_message(peer.id, data)
        return True

    def _greeted(self, peer: _Peer | None, key: str, connection: bytes, data: bytes, ip: str) -> None:
        try:
            greeting = read_greeting(data)
        except VersionMismatchError as error:
            self._foreign_version(peer, key, str(error))
            return
        except ValueError:
            greeting = None
        if (
            greeting is None
            or greeting.id == self._identity.id
            or curve_public(greeting.id).hex() != key
            or (peer is not None and peer.id != greeting.id)
        ):
            self.dropped += 1
            return
        peer = peer or self._welcome(greeting.id, key, wanted=False)
        if peer is None:
            self.dropped += 1
            return
        peer.nick, peer.barred = greeting.nick, False
        if peer.instance != greeting.instance:
            peer.instance, peer.heard = greeting.instance, b""
            if peer.linked and peer.way is not None:
                self._shut(peer.way)  # it leads to a program that is gone
                self._lost(peer)
        peer.greeted = True
        stale = peer.ways.pop(f"{ip}:{greeting.port}", None) if peer.way is None else None
        if stale is not None:
            self._shut(stale)  # it pauses between attempts, but the peer is there now
        self._try(peer, ip, greeting.port)
        # A new connection means that the peer has lost us for a moment and waits for our greeting. It goes out on a
        # connection that the peer knows, so greetings never answer each other for ever.
        if connection != peer.connection:
            peer.connection = connection
            if peer.linked:
                peer.heard = connection
            self._put(peer, self._greeting)
        self._judge(peer)

    def _foreign_version(self, peer: _Peer | None, key: str, text: str) -> None:
        text = f"{text}: both need the same version of p2p-stonehenge"
        if peer is not None:
            peer.barred = True
            for way in peer.ways.values():
                self._shut(way)
            peer.way, peer.greeted, peer.heard = None, False, b""
            self._judge(peer)
            self._complain(peer, "version", text)
        elif key not in self._foreign and len(self._foreign) < MAX_PEERS:
            self._foreign.add(key)
            self._on_trouble(None, text)
