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
from functools import partial

import zmq

from p2p_stonehenge.card import fetch_card, serve_card
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.gate import GREETING, GUEST, SEATED, Bucket, Gate, crowded_out
from p2p_stonehenge.network import DEFAULT_PORT, Readers, check_interface, local_addresses, split_address
from p2p_stonehenge.peer import Peer
from p2p_stonehenge.sockets import FAILED, MAX_MESSAGE, Socket, Way, secure
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

MAX_PEERS = 32
MAX_ADDRESSES = 4
"""Addresses tried for one peer; each takes four file descriptors."""
BATCH = 64
"""Frames read before the rest of the program gets its turn."""
PORT_PAIRS = 20
HANDSHAKE_FAILURES = 3
"""In a row, until an address is believed to belong to somebody else and rests."""
SHORTEST_REST, LONGEST_REST = 2.0, 60.0
TICK = 0.1
"""Seconds; a gigabit network brings 12 MB in one."""
ONE_WAY_AFTER = 8.0
"""Seconds until a peer that reaches us and is not reached by us is worth a word to the player."""
STRANGER_AFTER = 60.0
"""Seconds for which a peer that nobody dialled here is kept without a link."""
LAST_WORDS = 300
"""Milliseconds for what is still queued at `close`."""

_MARK = greeting_bytes(Greeting(bytes(32), bytes(INSTANCE_BYTES), "nobody", 1))[1:12]
"""What a greeting of any version begins with, after the byte that holds its length."""


class Transport:
    """All links of one client.

    The callbacks run on the event loop. `on_message(peer, data)` comes only after `on_link(peer, True)`; the last
    words of a peer may come just after `on_link(peer, False)`. A restart of the peer's program is a link that goes
    down and up. `on_loss(peer)` says that a linked peer had sent too much and was not heard for a moment, but is now.
    `on_trouble(peer or None, text)` says what the player can do something about, each thing once. Ids are 32 bytes.
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
        on_loss: Callable[[bytes], None],
        on_trouble: Callable[[bytes | None, str], None],
    ) -> None:
        self.instance = secrets.token_bytes(INSTANCE_BYTES)
        self.dropped = 0
        """Messages thrown away: from strangers, over the limit, on a link that was down, or badly made."""
        self._identity, self._keys, self._nick = identity, identity.curve(), clean_nick(nick)
        self._interface, self._asked = interface, port
        self._on_message, self._on_link = on_message, on_link
        self._on_loss, self._on_trouble = on_loss, on_trouble
        self._peers: dict[bytes, Peer] = {}
        self._by_key: dict[str, Peer] = {}
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
        # Two contexts, so that `close` can wait for the DEALERs before the ROUTER's end tells that we are gone.
        self._outbox: zmq.Context[Socket] = zmq.Context()
        self._inbox: zmq.Context[Socket] = zmq.Context()
        self._router = secure(self._inbox.socket(zmq.ROUTER), self._keys)
        self._router.curve_server = True
        self._gate = Gate(self._inbox, self._router, self._readers, self._favours, self._loop.time)
        self._skipping = self._behind = False
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
                way.shut(self._readers, LAST_WORDS)
        self._readers.remove(self._router.FD)
        self._cards.close()
        await self._tear_down()

    async def _tear_down(self) -> None:
        await asyncio.to_thread(self._outbox.term)
        self._gate.close()
        self._router.close(0)
        await asyncio.to_thread(self._inbox.term)
        self._readers.close()

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
        if not known.wanted:
            known.wanted, known.bucket = True, Bucket(SEATED, self._loop.time())
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
        return known.put(data)

    # Who is there

    def _welcome(self, id: bytes, key: str, wanted: bool, address: str = "") -> Peer | None:
        """Return a new peer, or None if there is no room or its key is taken: two ids can have one CURVE key."""
        if key in self._by_key or key == self._keys.public.hex():
            return None
        now = self._loop.time()
        peer = Peer(id, key, wanted, id_text(id)[:8], Bucket(SEATED if wanted else GUEST, now), now, address)
        if len(self._peers) >= MAX_PEERS:
            strangers = [one for one in (*self._peers.values(), peer) if not one.wanted]
            worst = crowded_out(strangers, lambda one: one.address, lambda one: int(one.linked))
            if worst is None or worst is peer:
                if wanted and not self._told_full:
                    self._told_full = True
                    self._on_trouble(id, f"More than {MAX_PEERS} players on this network: the others are left out.")
                return None
            self._forget(worst)
        self._peers[id] = self._by_key[key] = peer
        return peer

    def _favours(self, key: str) -> bool:
        """Return whether the owner of `key` always gets in: whoever was dialled from here."""
        peer = self._by_key.get(key)
        return peer is not None and peer.wanted

    def _forget(self, peer: Peer) -> None:
        del self._peers[peer.id], self._by_key[peer.key]
        for way in peer.ways.values():
            way.shut(self._readers)
        peer.way, peer.greeted = None, False
        self._judge(peer)

    def _judge(self, peer: Peer) -> None:
        """Tell if the link has come up or gone down."""
        linked = peer.way is not None and peer.greeted
        if linked != peer.linked:
            peer.linked, peer.since = linked, self._loop.time()
            if linked:
                peer.heard = peer.connection
            self._on_link(peer.id, linked)

    def _complain(self, peer: Peer, kind: str, text: str) -> None:
        if kind not in peer.complaints:
            peer.complaints.add(kind)
            self._on_trouble(peer.id, text)

    def _tick(self) -> None:
        now = self._loop.time()
        again = self._gate.look(read=not self._behind)
        self._timer = self._loop.call_later(TICK / 10 if again else TICK, self._tick)
        for peer in list(self._peers.values()):
            if peer.linked:
                if peer.ignored and peer.bucket.recovered(now):
                    peer.ignored = False
                    self._on_loss(peer.id)
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

    async def _look_up(self, peer: Peer, host: str, port: int) -> None:
        try:
            found = await self._loop.getaddrinfo(host, port, family=socket.AF_INET, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            self._complain(peer, f"name {host}", f"There is no computer called {clean_nick(host)} on this network.")
            return
        for *_, (ip, number, *_) in found:
            if self._peers.get(peer.id) is peer:
                self._try(peer, str(ip), int(number))

    def _try(self, peer: Peer, ip: str, port: int) -> None:
        """Add an address, in place of the oldest one if there are too many."""
        address = f"{ip}:{port}"
        own = (self._interface,) if self._interface else local_addresses()
        if address in peer.ways or (port == self.port and ip in own):
            return
        if len(peer.ways) >= MAX_ADDRESSES:
            oldest = next(way for way in peer.ways.values() if way is not peer.way)
            oldest.shut(self._readers)
            del peer.ways[oldest.address]
        peer.ways[address] = Way(address)
        self._seek(peer)

    def _seek(self, peer: Peer) -> None:
        """Open every way that does not rest, unless one leads there already."""
        if peer.way is None and not peer.barred:
            for way in peer.ways.values():
                if way.dealer is None and way.due <= self._loop.time():
                    self._open(peer, way)

    def _open(self, peer: Peer, way: Way) -> None:
        dealer = secure(self._outbox.socket(zmq.DEALER), self._keys)
        watch = partial(self._watch, peer, way, dealer)
        way.open(dealer, bytes.fromhex(peer.key), self._interface, self._readers, watch)
        self._loop.call_soon(watch)

    def _watch(self, peer: Peer, way: Way, dealer: Socket) -> None:
        while way.dealer is dealer and (event := way.event()) is not None:
            if event == zmq.Event.HANDSHAKE_SUCCEEDED:
                self._shaken(peer, way)
            elif event & FAILED:
                way.failures += 1
                if way.failures >= HANDSHAKE_FAILURES:
                    self._rest(peer, way)
            elif way is peer.way:
                self._lost(peer)

    def _shaken(self, peer: Peer, way: Way) -> None:
        if peer.way is not None:
            way.shut(self._readers)
            return
        peer.way = way
        way.failures, way.rest = 0, 0.0
        for other in peer.ways.values():
            if other is not way:
                other.shut(self._readers)
        peer.put(self._greeting)
        self._judge(peer)

    def _lost(self, peer: Peer) -> None:
        peer.way, peer.greeted = None, False
        self._judge(peer)
        if self._peers.get(peer.id) is peer:
            self._seek(peer)

    def _rest(self, peer: Peer, way: Way) -> None:
        """Leave an address alone for a while: ZeroMQ itself would try five times a second for ever."""
        way.shut(self._readers)
        way.failures = 0
        way.rest = min(max(SHORTEST_REST, way.rest * 2), LONGEST_REST)
        way.due = self._loop.time() + way.rest
        if peer.way is None:
            text = f"Nothing at {way.address} shows that it is {peer.nick}: it hangs, or another program is there now."
            self._complain(peer, "impostor", text)

    # Receiving

    def _read(self) -> None:
        more = True
        try:
            for _ in range(BATCH):
                more = not self._closed and self._receive()
                if not more:
                    return
        finally:
            self._behind = more
            if more:
                self._loop.call_soon(self._read)

    def _receive(self) -> bool:
        """Take one frame of a message from the ROUTER; False if there is none."""
        try:
            connection = self._router.recv(zmq.DONTWAIT)
        except zmq.Again:
            return False
        if self._skipping:
            self._skipping = bool(self._router.get(zmq.RCVMORE))
            return True
        frame = self._router.recv(zmq.DONTWAIT, copy=False)
        key, data, now = str(frame.get("User-Id")), frame.bytes, self._loop.time()
        visitor = self._gate.visitor(connection, frame, key)
        if frame.more:  # no client sends more than one
            self._skipping = True
            self._gate.expel(visitor)
            self.dropped += 1
            return True
        peer = self._by_key.get(key)
        bucket = peer.bucket if peer is not None else visitor.bucket
        is_greeting = data[1:12] == _MARK
        # Whoever has sent too much is ignored for a while, not heard by chance now and then: so what it is asked to
        # repeat after that finds room.
        ignored = peer is not None and peer.ignored and not is_greeting
        if ignored or not bucket.take(now, GREETING if is_greeting else 1, len(data)):
            self.dropped += 1
            if peer is not None:
                peer.ignored = True
                self._complain(peer, "flood", f"{peer.nick} sends more than is sensible; some of it is dropped.")
        elif is_greeting:
            self._greeted(peer, key, connection, data, str(frame.get("Peer-Address")))
        elif peer is None or connection != peer.heard:
            self.dropped += 1
        else:
            self._on_message(peer.id, data)
        return True

    def _greeted(self, peer: Peer | None, key: str, connection: bytes, data: bytes, ip: str) -> None:
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
        peer = peer or self._welcome(greeting.id, key, wanted=False, address=ip)
        if peer is None:
            self.dropped += 1
            return
        peer.nick, peer.barred = greeting.nick, False
        if peer.instance != greeting.instance:
            if peer.before == greeting.instance:  # one that had ended would not come back
                text = f"{peer.nick} is here twice: two programs use one key, perhaps that of a copied folder."
                self._complain(peer, "twice", f"{text} One of them has to stop, or links break again and again.")
            peer.before, peer.instance, peer.heard = peer.instance, greeting.instance, b""
            if peer.linked and peer.way is not None:
                peer.way.shut(self._readers)  # it leads to a program that is gone
                self._lost(peer)
        peer.greeted = True
        stale = peer.ways.pop(f"{ip}:{greeting.port}", None) if peer.way is None else None
        if stale is not None:
            stale.shut(self._readers)  # it pauses between attempts, but the peer is there now
        self._try(peer, ip, greeting.port)
        # A new connection means that the peer has lost us for a moment and waits for our greeting. It goes out on a
        # connection that the peer knows, so greetings never answer each other for ever.
        if connection != peer.connection:
            peer.connection = connection
            if peer.linked:
                peer.heard = connection
            peer.put(self._greeting)
        self._judge(peer)

    def _foreign_version(self, peer: Peer | None, key: str, text: str) -> None:
        text = f"{text}: both need the same version of p2p-stonehenge"
        if peer is not None:
            peer.barred = True
            for way in peer.ways.values():
                way.shut(self._readers)
            peer.way, peer.greeted, peer.heard = None, False, b""
            self._judge(peer)
            self._complain(peer, "version", text)
        elif key not in self._foreign and len(self._foreign) < MAX_PEERS:
            self._foreign.add(key)
            self._on_trouble(None, text)
