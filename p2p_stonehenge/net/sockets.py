"""What all our ZeroMQ sockets have in common, and the DEALERs: one for each address at which a peer is tried.

The times make a peer be back in play within 3 seconds after a cut link has healed. A connection counts as dead
before TCP, which waits twice as long after each loss, would wait that long; a new one is tried at a steady pace.
"""

import asyncio
import contextlib
import socket
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass

import zmq

from p2p_stonehenge.net.network import Readers

__all__ = ["CURVE_BYTES", "FAILED", "MAX_MESSAGE", "Line", "Socket", "Way", "secure", "what_happened", "wire_bytes"]

MAX_MESSAGE = 65536
"""Bytes of one message; the connection of a peer that sends a longer one is cut by ZeroMQ."""
CURVE_BYTES = 33
"""What CURVE adds to a message (RFC 26), which ZeroMQ's limit counts."""
HEARTBEAT, DEAD_AFTER = 1000, 4000
"""Milliseconds between signs of life, and without one."""
HANDSHAKE, CONNECT = 5000, 1000
"""Milliseconds for an attempt; on a network that loses much, more attempts are better than long ones."""
PAUSE = 200
"""Milliseconds between two attempts."""

DIALLED_BUFFER = 1 << 12
"""Bytes that may wait in the kernel on a connection that we dial: the other end sends nothing but signs of life."""
HANDSHAKES = 4096
"""Bytes that come on such a connection before signs of life, and more."""
OF_A_STRANGER = 10_500
"""Bytes that may come of a stranger and not be delivered: the beginning of a lobby's longest message, or signs of life
for two minutes. Then it has a seat, or has to knock again."""
SIGNS_OF_LIFE = 200
"""Bytes for each second of a connection that are never delivered: heartbeats, twice over."""

FAILED = zmq.Event.HANDSHAKE_FAILED_NO_DETAIL | zmq.Event.HANDSHAKE_FAILED_PROTOCOL | zmq.Event.HANDSHAKE_FAILED_AUTH
_EVENTS = zmq.Event.CONNECTED | zmq.Event.HANDSHAKE_SUCCEEDED | zmq.Event.DISCONNECTED | FAILED
_EVENT = struct.Struct("=Hi")
"""How a socket's monitor begins a message: what has happened, and to which file descriptor, where that makes sense."""
_WAITING = struct.Struct("=i")
_RECEIVED = struct.Struct("=128xQ")
"""Where Linux's tcp_info has `tcpi_bytes_received`."""

TELLS = sys.platform == "linux"
"""Whether the system tells how much has come on a connection."""

Socket = zmq.Socket[bytes]


def secure(end: Socket, keys: tuple[bytes, bytes]) -> Socket:
    """Return the socket `end`, set up to speak as the owner of `keys` (public, secret) and to notice silence."""
    end.curve_publickey, end.curve_secretkey = keys
    end.linger = 0
    end.rcvhwm = 0  # where a queue is full and its connection is reset, ZeroMQ ends the program
    end.maxmsgsize = MAX_MESSAGE + CURVE_BYTES
    end.handshake_ivl = HANDSHAKE
    end.heartbeat_ivl, end.heartbeat_timeout, end.heartbeat_ttl = HEARTBEAT, DEAD_AFTER, DEAD_AFTER
    return end


def wire_bytes(size: int) -> int:
    """Return how many bytes a message of `size` bytes takes on a connection."""
    sealed = size + CURVE_BYTES
    return sealed + (9 if sealed > 255 else 2)  # the head of a frame (RFC 37)


def what_happened(monitor: Socket) -> tuple[int, int] | None:
    """Return the next event of a socket's `monitor` with its value, or None if nothing has happened."""
    try:
        event, _ = monitor.recv_multipart(zmq.DONTWAIT)
    except zmq.Again:
        return None
    kind, value = _EVENT.unpack(event)
    return kind, value


class Line:
    """A TCP connection that ZeroMQ reads, seen from beside it: how much has come, and a way to cut it.

    ZeroMQ bounds each part of a message, but holds a message until its last part is there and has no limit for that;
    an empty part takes 35 bytes on the wire and some 2 kB of memory. So what has come and was not delivered is watched
    from here. The file descriptor is doubled, so that its number cannot come to mean another connection.
    """

    def __init__(self, file: int, readers: Readers) -> None:
        """Raises OSError if the connection has ended already."""
        self._readers, self.watched = readers, False
        self._end = socket.fromfd(file, socket.AF_INET, socket.SOCK_STREAM)
        try:
            self.address = str(self._end.getpeername()[0])
        except OSError:
            self._end.close()
            raise

    def taken(self) -> int:
        """Return how many bytes ZeroMQ has taken from the kernel, 0 where the system does not tell."""
        if sys.platform == "linux":
            from fcntl import ioctl
            from termios import FIONREAD

            with contextlib.suppress(OSError, struct.error):
                (waiting,) = _WAITING.unpack(ioctl(self._end, FIONREAD, bytes(_WAITING.size)))
                (received,) = _RECEIVED.unpack(
                    self._end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED.size)
                )
                return int(received - waiting)
        return 0

    def watch(self, stirred: Callable[[], None] | None) -> None:
        """Call `stirred` whenever something comes, before much more can, or no longer (None)."""
        if self.watched:
            self._readers.remove(self._end.fileno())
        self.watched = stirred is not None and TELLS
        if stirred is not None and self.watched:
            self._readers.add(self._end.fileno(), stirred)

    def cut(self) -> None:
        """End the connection. ZeroMQ has no call for it, but sees the end of the stream like any other."""
        self.watch(None)
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the connection, which goes on or ends without us."""
        self.watch(None)
        self._end.close()


@dataclass(slots=True, eq=False)
class Way:
    """One address of a peer and, unless it rests until `due`, the DEALER that tries it."""

    address: str
    dealer: Socket | None = None
    monitor: Socket | None = None
    line: Line | None = None
    since: float = 0.0
    proven: bool = False
    """Whether its owner has shaken hands here once."""
    failures: int = 0
    rest: float = 0.0
    due: float = 0.0

    def open(
        self, dealer: Socket, key: bytes, interface: str | None, readers: Readers, watch: Callable[[], None]
    ) -> None:
        """Try the address, where the owner of `key` should be; `watch` is called when `events` may have one."""
        dealer.curve_serverkey = key
        dealer.immediate = True  # nothing queues for a peer that is away
        dealer.sndhwm, dealer.rcvbuf = 1000, DIALLED_BUFFER
        dealer.reconnect_ivl, dealer.connect_timeout = PAUSE, CONNECT
        self.dealer, self.monitor = dealer, dealer.get_monitor_socket(_EVENTS)
        self.monitor.linger = 0
        source = f"{interface}:0;" if interface else ""
        dealer.connect(f"tcp://{source}{self.address}")
        readers.add(self.monitor.FD, watch)

    async def is_of(self, key: bytes, dealer: Socket, interface: str | None, readers: Readers, seconds: float) -> bool:
        """Return whether the owner of `key` shakes hands at the address within `seconds`; then leave it."""
        shaken = asyncio.Event()

        def watch() -> None:
            while (happened := self.event()) is not None:
                if happened[0] == zmq.Event.HANDSHAKE_SUCCEEDED:
                    shaken.set()

        self.open(dealer, key, interface, readers, watch)
        asyncio.get_running_loop().call_soon(watch)
        try:
            # `wait_for` of Python 3.11 may lose a cancellation, and the canceller would wait for ever.
            async with asyncio.timeout(seconds):
                await shaken.wait()
        except TimeoutError:
            return False
        finally:
            self.shut(readers)
        return True

    def event(self) -> tuple[int, int] | None:
        """Return what has happened to the connection, or None if nothing has."""
        return None if self.monitor is None else what_happened(self.monitor)

    def overrun(self, now: float, *, lasting: bool) -> bool:
        """Return whether more has come on this way than its handshake and signs of life, as any message.

        A connection that is not to last is that of a stranger.
        """
        most = HANDSHAKES + SIGNS_OF_LIFE * (now - self.since) if lasting else OF_A_STRANGER
        return (self.line is not None and self.line.taken() > most) or self._spoken()

    def _spoken(self) -> bool:
        """Return whether a message has come."""
        if self.dealer is None:
            return False
        with contextlib.suppress(zmq.Again):
            self.dealer.recv(zmq.DONTWAIT)
            return True
        return False

    def hold(self, line: Line | None, now: float = 0.0) -> None:
        """Take the connection that this way has now, or None if it has none any more."""
        if self.line is not None:
            self.line.close()
        self.line, self.since = line, now

    def shut(self, readers: Readers, linger: int = 0) -> None:
        """Leave the address; what is queued is still sent for `linger` milliseconds."""
        self.hold(None)
        if self.dealer is not None and self.monitor is not None:
            readers.remove(self.monitor.FD)
            self.dealer.disable_monitor()
            self.monitor.close()
            self.dealer.close(linger)
        self.dealer = self.monitor = None

    def put(self, data: bytes) -> bool:
        """Queue a message; False if there is no connection or no room."""
        if self.dealer is None:
            return False
        try:
            self.dealer.send(data, zmq.DONTWAIT)
        except zmq.Again:
            # Only this makes ZeroMQ look for a new connection or for room; `send` does so once in a millisecond.
            if not int(self.dealer.get(zmq.EVENTS)) & zmq.POLLOUT:
                return False
            self.dealer.send(data, zmq.DONTWAIT)
        return True
