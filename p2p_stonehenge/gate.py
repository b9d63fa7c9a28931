"""How much others can make this program hold and do: connections at the door, messages from each peer.

ZeroMQ lets everybody in and counts the whole messages of a connection alone, so what it does not bound is watched from
here, by the connection's file descriptor: how many connections there are, how long one may stay without a greeting,
and how much it may send without ever completing a message. Whoever goes beyond that is cut off.
"""

import contextlib
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import zmq
from zmq.utils.monitor import parse_monitor_message

from p2p_stonehenge.network import Readers
from p2p_stonehenge.sockets import CURVE_BYTES, MAX_MESSAGE, Socket

T = TypeVar("T")

MAX_CONNECTIONS = 32
RECEIVE_QUEUE = 64
"""Messages of a connection that wait inside of ZeroMQ; with MAX_MESSAGE that bounds all peers together to 128 MB."""
RECEIVE_BUFFER = 1 << 18
"""Bytes of a connection that wait in the kernel, which takes up to twice as much."""
HELD = 2 * RECEIVE_QUEUE * MAX_MESSAGE
"""Bytes that a connection may have sent and not delivered, while this program does not get to read everything."""
UNDER_WAY = 2 * MAX_MESSAGE
"""The same where all whole messages are read: the beginning of one. ZeroMQ holds a message of many parts until its last
one and has no limit for that; an empty part takes 35 bytes on the wire and up to 2.7 kB of memory."""
IDLE = 1000
"""Bytes for each second, heartbeats above all, that are never delivered."""
GREET_WITHIN = 10.0
"""Seconds that a connection may stay without a message; clients greet at once."""
USUAL_GREETING = 2.0
"""Seconds after which a connection without a message is the first to go where room is scarce."""
CONNECTIONS_OF_ONE = 3
"""Of one key: one that works, one that has died unnoticed, one under way."""

_ZAP = "inproc://zeromq.zap.01"
_EVENTS = zmq.Event.ACCEPTED | zmq.Event.DISCONNECTED
_WAITING = struct.Struct("=i")
_RECEIVED = struct.Struct("=128xQ")
"""Where Linux's tcp_info has `tcpi_bytes_received`."""


class Allowance(NamedTuple):
    """Messages and bytes, for each second and at once."""

    messages: int
    burst: int
    bytes: int
    byte_burst: int


GREETING = 50
"""Messages that a greeting counts for, as it may open sockets."""
SEATED = Allowance(400, 2000, 1 << 20, 8 << 20)
"""Of a peer that this client dialled. Bots at full speed and the proofs of a shuffle stay far below."""
GUEST = Allowance(50, 300, 1 << 16, 1 << 20)
"""Of one that greeted us: it asks for a seat and signs a charter."""
STRANGER = Allowance(GREETING, 8 * GREETING, 1024, 4096)
"""Of a connection whose greeting has not been accepted: it may greet."""


class Bucket:
    """A token bucket for messages and bytes."""

    def __init__(self, allowed: Allowance, now: float) -> None:
        self._allowed, self._when = allowed, now
        self._messages, self._bytes = float(allowed.burst), float(allowed.byte_burst)

    def _fill(self, now: float) -> None:
        passed, self._when = now - self._when, now
        allowed = self._allowed
        self._messages = min(allowed.burst, self._messages + passed * allowed.messages)
        self._bytes = min(allowed.byte_burst, self._bytes + passed * allowed.bytes)

    def recovered(self, now: float) -> bool:
        """Return whether there is room again for a quarter of a second's messages, however long one of them is."""
        self._fill(now)
        return self._messages >= self._allowed.messages / 4 and self._bytes >= MAX_MESSAGE

    def take(self, now: float, messages: int, size: int) -> bool:
        """Return whether so much may come now, and count it if so."""
        self._fill(now)
        if self._messages < messages or self._bytes < size:
            return False
        self._messages -= messages
        self._bytes -= size
        return True


def crowded_out(strangers: Iterable[T], address: Callable[[T], str], worth: Callable[[T], int]) -> T | None:
    """Return who has to make room: at the address with most of them the one of least `worth`, and the first of those.

    So whoever comes with many keys or connections takes the room from itself. `strangers` stand in order of arrival.
    """
    here = list(strangers)
    crowd = Counter(map(address, here))
    return min(here, key=lambda one: (-crowd[address(one)], worth(one)), default=None)


@dataclass(slots=True, eq=False)
class Visitor:
    """One connection: `port` is the other end's, `name` its key once it has said something.

    Of its bytes ZeroMQ had `taken` so many at the last look, and has `delivered` so many in whole messages.
    """

    file: int
    address: str
    port: int
    since: float
    bucket: Bucket
    name: str = ""
    taken: int = 0
    delivered: int = 0
    expelled: bool = False


class Gate:
    """Lets everybody in and sends the worst guests away.

    The answer to ZeroMQ's question whom to let in (ZAP, RFC 27) names the peer by its key in hex, and ZeroMQ puts
    that on each message as `User-Id`. Nobody is refused there: a peer once refused does not try again by itself.
    """

    def __init__(
        self,
        context: zmq.Context[Socket],
        router: Socket,
        readers: Readers,
        favoured: Callable[[str], bool],
        clock: Callable[[], float],
    ) -> None:
        """Open the gate of `router`, which is not bound yet; whoever has a `favoured` key never has to make room."""
        self._readers, self._favoured, self._clock = readers, favoured, clock
        self._inside: dict[int, Visitor] = {}
        self._named: dict[bytes, Visitor] = {}
        self._nobody = Visitor(-1, "", 0, clock(), Bucket(STRANGER, clock()))
        router.rcvhwm, router.rcvbuf = RECEIVE_QUEUE, RECEIVE_BUFFER
        self._router, self._arrivals = router, router.get_monitor_socket(_EVENTS)
        self._questions = context.socket(zmq.REP)
        self._questions.bind(_ZAP)
        router.zap_domain = b"stonehenge"
        readers.add(self._questions.FD, self._answer)
        readers.add(self._arrivals.FD, self._note)
        self._answer()
        self._note()

    def close(self) -> None:
        """Answer nobody any more."""
        self._readers.remove(self._questions.FD)
        self._readers.remove(self._arrivals.FD)
        self._router.disable_monitor()
        self._arrivals.close(0)
        self._questions.close(0)

    def _answer(self) -> None:
        while not self._questions.closed:
            try:
                # version, request, domain, address, routing id, mechanism, and the key if it is CURVE
                _, request, _, _, _, _, *keys = self._questions.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            verdict = (b"200", b"OK", keys[0].hex().encode()) if keys else (b"400", b"no key", b"")
            self._questions.send_multipart([b"1.0", request, *verdict, b""])

    def visitor(self, connection: bytes, frame: zmq.Frame, name: str) -> Visitor:
        """Return who sent `frame`, the first of a message on `connection`, and count it as delivered."""
        visitor = self._named.get(connection)
        if visitor is None:
            self._note()
            file = int(frame.get(zmq.SRCFD))
            visitor = self._inside.get(file, self._nobody)
            if visitor.name:  # the one that spoke is gone, and another one has its number
                visitor = self._nobody
            elif visitor is not self._nobody:
                visitor.name = name
                self._named[connection] = visitor
                own = [one for one in self._inside.values() if one.name == name and not one.expelled]
                for old in own[:-CONNECTIONS_OF_ONE]:
                    self.expel(old)
        sealed = len(frame) + CURVE_BYTES
        visitor.delivered += sealed + (9 if sealed > 255 else 2)  # the head of a frame (RFC 37)
        return visitor

    def _note(self) -> None:
        """Take note of who has come and gone."""
        with contextlib.suppress(zmq.Again):
            while not self._arrivals.closed:
                event = parse_monitor_message(self._arrivals.recv_multipart(zmq.DONTWAIT))
                file = int(event["value"])
                self._gone(file)
                if event["event"] == zmq.Event.ACCEPTED:
                    self._came(file)

    def _gone(self, file: int) -> None:
        visitor = self._inside.pop(file, None)
        if visitor is not None and visitor.name:
            self._named = {connection: one for connection, one in self._named.items() if one is not visitor}

    def _came(self, file: int) -> None:
        with contextlib.suppress(OSError), socket.fromfd(file, socket.AF_INET, socket.SOCK_STREAM) as end:
            address, port = end.getpeername()
            now = self._clock()
            self._inside[file] = Visitor(file, address, port, now, Bucket(STRANGER, now))
        while sum(not one.expelled for one in self._inside.values()) > MAX_CONNECTIONS:
            strangers = (one for one in self._inside.values() if not (one.expelled or self._favoured(one.name)))
            worst = crowded_out(strangers, lambda one: one.address, self._worth)
            if worst is None:
                return
            self.expel(worst)

    def _worth(self, visitor: Visitor) -> int:
        """Return 0 for who has had time to greet, 1 for a stranger, 2 for who may yet turn out to be a friend."""
        return 1 if visitor.name else 2 * (self._clock() < visitor.since + USUAL_GREETING)

    def expel(self, visitor: Visitor) -> None:
        """Cut a connection. ZeroMQ has no call for it, but sees the end of the stream like any other."""
        if visitor.file < 0 or visitor.expelled:
            return
        visitor.expelled = True
        with contextlib.suppress(OSError), socket.fromfd(visitor.file, socket.AF_INET, socket.SOCK_STREAM) as end:
            if end.getpeername() == (
                visitor.address,
                visitor.port,
            ):  # or else it has ended, and the number is another's
                end.shutdown(socket.SHUT_RDWR)

    def look(self, *, read: bool) -> bool:
        """Send away who does not greet, and who sends and sends without completing a message.

        To be called often; `read`: everything is read that had come. Return whether to look again at once.
        """
        self._note()
        now, again = self._clock(), False
        for visitor in list(self._inside.values()):
            age = now - visitor.since
            most = visitor.delivered + IDLE * age + (UNDER_WAY if read else HELD)
            if visitor.taken > most or (not visitor.name and age > GREET_WITHIN):
                self.expel(visitor)
            visitor.taken = _taken(visitor)
            again |= visitor.taken > most and not visitor.expelled
        return again


def _taken(visitor: Visitor) -> int:
    """Return how many bytes of a connection ZeroMQ has taken from the kernel, 0 where that is not told."""
    if sys.platform == "linux":
        from fcntl import ioctl
        from termios import FIONREAD

        with (
            contextlib.suppress(OSError, struct.error),
            socket.fromfd(visitor.file, socket.AF_INET, socket.SOCK_STREAM) as end,
        ):
            (waiting,) = _WAITING.unpack(ioctl(end, FIONREAD, bytes(_WAITING.size)))
            (received,) = _RECEIVED.unpack(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED.size))
            return int(received - waiting)
    return 0
