"""ZMTP 3 with CURVE (RFC 37, RFC 26) spoken by hand over a plain socket, for what libzmq would not send."""

import socket
import struct
import time
from collections.abc import Iterable

from nacl.bindings import (
    crypto_box,
    crypto_box_afternm,
    crypto_box_beforenm,
    crypto_box_keypair,
    crypto_box_open,
    crypto_box_open_afternm,
)
from nacl.utils import random

from protocol import Identity, curve_public

MORE = 1
COMMAND = 4
PATIENCE, STALLED = 60.0, 0.2
"""Seconds for the other end to answer or to take what is sent; for it to take some before its end is looked for."""


class Bare:
    """One end of a connection, once hands are shaken: it sends what it is told to and reads nothing."""

    _socket: socket.socket
    _shared: bytes
    _sent: int
    _nonce: bytes
    """Begins the nonce of each message of this end."""

    def part(self, data: bytes, more: bool) -> int:
        """Send one part of a message; return how many bytes it took. Raises OSError once the connection is cut."""
        sealed = self._sealed(data, more)
        self._say(sealed)
        return len(sealed)

    def messages(self, many: Iterable[bytes]) -> None:
        """Send whole messages at one stroke."""
        self._say(b"".join(self._sealed(data, False) for data in many))

    def parts(self, many: Iterable[bytes]) -> int:
        """Send parts of a message that does not end, at one stroke; return how many bytes they took."""
        sealed = b"".join(self._sealed(data, True) for data in many)
        self._say(sealed)
        return len(sealed)

    def _sealed(self, data: bytes, more: bool) -> bytes:
        self._sent += 1
        box = crypto_box_afternm(bytes([more * MORE]) + data, self._nonce + _number(self._sent), self._shared)
        body = b"\x07MESSAGE" + _number(self._sent) + box
        return (bytes([0, len(body)]) if len(body) < 256 else b"\x02" + struct.pack(">Q", len(body))) + body

    def close(self) -> None:
        self._socket.close()

    def reset(self) -> None:
        """End the connection as a computer does on which the program has crashed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def _say(self, data: bytes) -> None:
        """Send all of it. Raises OSError once the connection is cut.

        The kernel of a sender whose window was full at that moment is told of the end, and of no error: it would wait
        for minutes.
        """
        rest, until = memoryview(data), time.monotonic() + PATIENCE
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                if self._ended() or time.monotonic() > until:
                    raise

    def _ended(self) -> bool:
        """Return whether the other end has closed the connection; what it sent is not looked at."""
        try:
            return not self._socket.recv(1 << 16)
        except TimeoutError:
            return False

    def _command(self, body: bytes) -> None:
        short = len(body) < 256
        self._say((bytes([COMMAND, len(body)]) if short else b"\x06" + struct.pack(">Q", len(body))) + body)

    def _take(self) -> bytes:
        flags, length = self._read(2)
        if flags & 2:
            length = struct.unpack(">Q", bytes([length]) + self._read(7))[0]
        return self._read(length)

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise ConnectionError("the other end has closed the connection")
            data += more
        return data


class BareCurve(Bare):
    """A connection of `identity` to the client with the id `to`, which it dials."""

    _nonce = b"CurveZMQMESSAGEC"

    def __init__(
        self, identity: Identity, to: bytes, port: int, host: str = "127.0.0.1", source: str = "127.0.0.1"
    ) -> None:
        self._socket = socket.create_connection((host, port), timeout=PATIENCE, source_address=(source, 0))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keys, server = identity.curve(), curve_public(to)
        self._say(b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32))
        self._read(64)
        public, secret = crypto_box_keypair()
        box = crypto_box(bytes(64), b"CurveZMQHELLO---" + _number(1), server, secret)
        self._command(b"\x05HELLO\x01\0" + bytes(72) + public + _number(1) + box)
        welcome = self._take()
        assert welcome[:8] == b"\x07WELCOME"
        opened = crypto_box_open(welcome[24:], b"WELCOME-" + welcome[8:24], server, secret)
        theirs, cookie = opened[:32], opened[32:]
        self._shared = crypto_box_beforenm(theirs, secret)
        vouch = crypto_box(public + server, b"VOUCH---" + bytes(16), theirs, keys.secret)
        about = b"\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"
        sealed = crypto_box_afternm(
            keys.public + bytes(16) + vouch + about, b"CurveZMQINITIATE" + _number(2), self._shared
        )
        self._command(b"\x08INITIATE" + cookie + _number(2) + sealed)
        ready = self._take()
        assert ready[:6] == b"\x05READY", ready
        crypto_box_open_afternm(ready[14:], b"CurveZMQREADY---" + ready[6:14], self._shared)
        self._sent = 2
        self._socket.settimeout(STALLED)


class BareHost(Bare):
    """The other end of a connection on which a client dials `identity`; `listening` is where."""

    _nonce = b"CurveZMQMESSAGES"

    def __init__(self, identity: Identity, listening: socket.socket) -> None:
        self._socket, _ = listening.accept()
        self._socket.settimeout(PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keys = identity.curve()
        self._say(b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + b"\x01" + bytes(31))
        self._read(64)
        hello = self._take()
        theirs = hello[80:112]
        public, secret = crypto_box_keypair()
        nonce, cookie = random(16), random(96)
        welcome = crypto_box(public + cookie, b"WELCOME-" + nonce, theirs, keys.secret)
        self._command(b"\x07WELCOME" + nonce + welcome)
        assert self._take()[:9] == b"\x08INITIATE"
        self._shared = crypto_box_beforenm(theirs, secret)
        about = b"\x0bSocket-Type" + struct.pack(">I", 6) + b"ROUTER" + b"\x08Identity" + bytes(4)
        self._command(
            b"\x05READY" + _number(1) + crypto_box_afternm(about, b"CurveZMQREADY---" + _number(1), self._shared)
        )
        self._sent = 1
        self._socket.settimeout(STALLED)


def _number(value: int) -> bytes:
    return struct.pack(">Q", value)
