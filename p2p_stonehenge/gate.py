"""How much others can make this program hold and do: connections at the door, messages from each peer."""

import contextlib

import zmq
from zmq.utils.monitor import parse_monitor_message

from p2p_stonehenge.network import Readers

MAX_CONNECTIONS = 32
"""With RCVHWM 64 and messages of 64 kB this bounds what peers can make us hold to 128 MB."""
MESSAGES_PER_SECOND, MESSAGE_BURST = 1000, 3000
BYTES_PER_SECOND, BYTE_BURST = 1 << 20, 8 << 20
"""Of one peer. Bots at full speed and the proofs of a shuffle stay far below."""

_ZAP = "inproc://zeromq.zap.01"
_EVENTS = zmq.Event.ACCEPTED | zmq.Event.DISCONNECTED


class Bucket:
    """A token bucket for messages and bytes."""

    def __init__(self, now: float) -> None:
        self._messages, self._bytes, self._when = float(MESSAGE_BURST), float(BYTE_BURST), now

    def take(self, now: float, messages: int, size: int) -> bool:
        """Return whether so much may come now, and count it if so."""
        passed, self._when = now - self._when, now
        self._messages = min(MESSAGE_BURST, self._messages + passed * MESSAGES_PER_SECOND)
        self._bytes = min(BYTE_BURST, self._bytes + passed * BYTES_PER_SECOND)
        if self._messages < messages or self._bytes < size:
            return False
        self._messages -= messages
        self._bytes -= size
        return True


class Gate:
    """Answers ZeroMQ's questions whom to let in (ZAP, RFC 27): everybody, as long as there is room.

    Who it is becomes clear later, with the greeting; a peer once refused here does not try again by itself. The
    answer names the peer by its key in hex, and ZeroMQ puts that on each message as `User-Id`.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], router: zmq.Socket[bytes], readers: Readers) -> None:
        """Open the gate of `router`, which is not bound yet."""
        self._readers = readers
        self._inside: set[int] = set()
        self._router, self._arrivals = router, router.get_monitor_socket(_EVENTS)
        self._questions = context.socket(zmq.REP)
        self._questions.bind(_ZAP)
        router.zap_domain = b"stonehenge"
        readers.add(self._questions.FD, self._answer)
        self._answer()

    def close(self) -> None:
        """Answer nobody any more."""
        self._readers.remove(self._questions.FD)
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
            room = self._connections() <= MAX_CONNECTIONS
            verdict = (b"200", b"OK", keys[0].hex().encode()) if room and keys else (b"400", b"full", b"")
            self._questions.send_multipart([b"1.0", request, *verdict, b""])

    def _connections(self) -> int:
        """Return how many connections are open, the one asked about included."""
        with contextlib.suppress(zmq.Again):
            while True:
                event = parse_monitor_message(self._arrivals.recv_multipart(zmq.DONTWAIT))
                change = self._inside.add if event["event"] == zmq.Event.ACCEPTED else self._inside.discard
                change(event["value"])  # a file descriptor
        return len(self._inside)
