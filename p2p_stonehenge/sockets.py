"""What all our ZeroMQ sockets have in common, and the DEALERs: one for each address at which a peer is tried.

The times make a peer be back in play within 3 seconds after a cut link has healed. A connection counts as dead
before TCP, which waits twice as long after each loss, would wait that long; a new one is tried at a steady pace.
"""

from collections.abc import Callable
from dataclasses import dataclass

import zmq
from zmq.utils.monitor import parse_monitor_message

from p2p_stonehenge.network import Readers

__all__ = ["CURVE_BYTES", "FAILED", "MAX_MESSAGE", "Socket", "Way", "secure"]

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

FAILED = zmq.Event.HANDSHAKE_FAILED_NO_DETAIL | zmq.Event.HANDSHAKE_FAILED_PROTOCOL | zmq.Event.HANDSHAKE_FAILED_AUTH
_EVENTS = zmq.Event.HANDSHAKE_SUCCEEDED | zmq.Event.DISCONNECTED | FAILED

Socket = zmq.Socket[bytes]


def secure(end: Socket, keys: tuple[bytes, bytes]) -> Socket:
    """Return the socket `end`, set up to speak as the owner of `keys` (public, secret) and to notice silence."""
    end.curve_publickey, end.curve_secretkey = keys
    end.linger = 0
    end.maxmsgsize = MAX_MESSAGE + CURVE_BYTES
    end.handshake_ivl = HANDSHAKE
    end.heartbeat_ivl, end.heartbeat_timeout, end.heartbeat_ttl = HEARTBEAT, DEAD_AFTER, DEAD_AFTER
    return end


@dataclass(slots=True, eq=False)
class Way:
    """One address of a peer and, unless it rests until `due`, the DEALER that tries it."""

    address: str
    dealer: Socket | None = None
    monitor: Socket | None = None
    failures: int = 0
    rest: float = 0.0
    due: float = 0.0

    def open(
        self, dealer: Socket, key: bytes, interface: str | None, readers: Readers, watch: Callable[[], None]
    ) -> None:
        """Try the address, where the owner of `key` should be; `watch` is called when `events` may have one."""
        dealer.curve_serverkey = key
        dealer.immediate = True  # nothing queues for a peer that is away
        dealer.sndhwm, dealer.rcvhwm = 1000, 1
        dealer.reconnect_ivl, dealer.connect_timeout = PAUSE, CONNECT
        self.dealer, self.monitor = dealer, dealer.get_monitor_socket(_EVENTS)
        self.monitor.linger = 0
        source = f"{interface}:0;" if interface else ""
        dealer.connect(f"tcp://{source}{self.address}")
        readers.add(self.monitor.FD, watch)

    def event(self) -> int | None:
        """Return what has happened to the connection, or None if nothing has."""
        if self.monitor is None:
            return None
        try:
            return int(parse_monitor_message(self.monitor.recv_multipart(zmq.DONTWAIT))["event"])
        except zmq.Again:
            return None

    def shut(self, readers: Readers, linger: int = 0) -> None:
        """Leave the address; what is queued is still sent for `linger` milliseconds."""
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
