"""Where what others send arrives: one ROUTER with the gate beside it, and the port that it is bound to."""

import asyncio
import errno
import ipaddress
import socket
from collections.abc import Callable
from typing import NamedTuple

import zmq

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.net.card import CardDesk
from p2p_stonehenge.net.gate import Gate, Tie, Visitor
from p2p_stonehenge.net.listening import ListeningSocket
from p2p_stonehenge.net.network import DEFAULT_PORT, Readers
from p2p_stonehenge.net.shares import AT_A_STRETCH
from p2p_stonehenge.net.sockets import Socket, secure, wire_bytes

PORT_PAIRS = 20


class Arrival(NamedTuple):
    """A message of one part: who sent it, with which `key`, on which `connection`, from which `address`."""

    visitor: Visitor
    key: str
    connection: bytes
    data: bytes
    address: str


class Inbox:
    """Reads what comes, as often as something stirs, and gives each message of one part to `take`.

    That returns whether anything was done with it.
    """

    def __init__(
        self,
        keys: tuple[bytes, bytes],
        readers: Readers,
        tie_to: Callable[[str], Tie],
        friends: Callable[[], set[str]],
        take: Callable[[Arrival], bool],
    ) -> None:
        """`tie_to` and `friends` are those of the gate."""
        self.dropped = 0
        """Messages thrown away: from strangers, over the limit, on a link that was down, or badly made."""
        self.behind = False
        """Whether more had come at the last look than there was time for."""
        self._loop = asyncio.get_running_loop()
        self._readers, self._take = readers, take
        self._context: zmq.Context[Socket] = zmq.Context()
        self.router = secure(self._context.socket(zmq.ROUTER), keys)
        self.router.curve_server = True
        self.gate = Gate(self._context, self.router, readers, tie_to, friends, self._drain)
        self._skipping, self._open = False, False

    def open(self) -> None:
        """Begin to read."""
        self._open = True
        self._readers.add(self.router.FD, self._drain)
        self._drain()

    def shut(self) -> None:
        """Read no more."""
        self._open = False
        self._readers.remove(self.router.FD)

    async def close(self) -> None:
        """Let go of the sockets: all connections to here end."""
        self.gate.close()
        self.router.close(0)
        await asyncio.to_thread(self._context.term)

    def _read(self) -> None:
        more, until = True, self._loop.time() + AT_A_STRETCH
        try:
            while more and self._loop.time() < until:
                more = self._open and self._receive()
        finally:
            self.behind = more
            if more:
                self._loop.call_later(0, self._read)  # behind what is due already

    def _drain(self) -> None:
        """Take in what has come; where this is behind with that, the read that is planned already does so.

        One read at a time is planned, or the rest of the program would wait for several between two of its turns.
        """
        if not self.behind:
            self._read()

    def _receive(self) -> bool:
        """Take one frame of a message from the ROUTER; False if there is none."""
        try:
            connection = self.router.recv(zmq.DONTWAIT)
        except zmq.Again:
            return False
        if self._skipping:
            self._skipping = bool(self.router.get(zmq.RCVMORE))
            return True
        frame = self.router.recv(zmq.DONTWAIT, copy=False)
        visitor = self.gate.visitor(connection)
        key = str(frame.get("User-Id")) if visitor is None else visitor.name
        visitor = visitor or self.gate.first(connection, frame, key)
        visitor.delivered += wire_bytes(len(frame))
        if frame.more:  # no client sends more than one
            self._skipping = True
            self.gate.expel(visitor)
            self.dropped += 1
        else:
            address = visitor.address or str(frame.get("Peer-Address"))
            arrival = Arrival(visitor, key, connection, frame.bytes, address)
            if visitor.expelled or not self._take(arrival):
                self.dropped += 1
        return True


def listen(
    inbox: Inbox, interface: str | None, asked: int | None, desk: Callable[[str, int], CardDesk]
) -> tuple[int, CardDesk]:
    """Bind the ROUTER to a port and open the `desk(host, port)` that hands out the card at the next one; return both.

    `asked`: only this port will do. Raises Failure.
    """
    host = interface or str(ipaddress.IPv4Address(socket.INADDR_ANY))
    first = asked or DEFAULT_PORT
    for port in [first] if asked else range(first, first + 2 * PORT_PAIRS, 2):
        try:
            cards = desk(host, port)
        except (OSError, OverflowError) as error:
            _port_refused(error, port + 1, asked)
            continue
        try:
            inbox.gate.door = ListeningSocket(host, port, inbox.router)
        except (OSError, zmq.ZMQError) as error:
            cards.close()
            _port_refused(error, port, asked)
            continue
        return port, cards
    raise Failure(
        f"All ports from {first} to {first + 2 * PORT_PAIRS - 1} are in use. Choose one with --port.", NETWORK
    )


def _port_refused(error: Exception, port: int, asked: int | None) -> None:
    """Return if another pair of ports may do better, else raise Failure."""
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        if asked:
            raise Failure(
                f"Port {port} is in use, perhaps by another p2p-stonehenge (which takes two neighbouring ports)."
                " Choose another one with --port, or leave --port out.",
                NETWORK,
            ) from error
    elif code in {errno.EACCES, errno.EPERM}:
        text = f"Port {port} is not allowed to you. Choose one from 1024 to 65534 with --port."
        raise Failure(text, NETWORK) from error
    else:
        text = f"Cannot listen on port {port}: {error}. Choose another one with --port."
        raise Failure(text, NETWORK) from error
