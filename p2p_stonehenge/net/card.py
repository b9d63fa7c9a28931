"""The card says which client listens at an address: for addresses typed by hand, where no key is known yet.

Beside its ROUTER (PORT) a client listens on PORT + 1 with a plain socket, sends its signed card to each client that
connects and reads nothing.
"""

import asyncio
import contextlib
import os
import socket

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.net.network import Readers, split_address
from p2p_stonehenge.net.shares import Share
from protocol import CARD_LIMIT, Card, VersionMismatchError, read_card

BACKLOG = 128
"""Connections that wait to be accepted; each then lives for one write. Beyond that Linux makes them wait seconds."""
AT_ONCE = 8
"""Connections accepted before the rest of the program gets its turn."""


class CardDesk:
    """Sends the card on each connection and ends it at once, before anything is read."""

    def __init__(self, card: bytes, host: str, port: int, readers: Readers, share: Share) -> None:
        """Listen at `host`, `port`. The time that it takes is charged to `share`. Raises OSError."""
        self._card, self._readers, self._share = card, readers, share
        self._loop = asyncio.get_running_loop()
        self._later: asyncio.TimerHandle | None = None
        self._end = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if os.name == "posix":  # elsewhere it would let two programs have one port
                self._end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._end.setblocking(False)
            self._end.bind((host, port))
            self._end.listen(BACKLOG)
        except BaseException:
            self._end.close()
            raise
        self._open()

    def close(self) -> None:
        """Listen no more."""
        if self._later is None:
            self._readers.remove(self._end.fileno())
        else:
            self._later.cancel()
        self._end.close()

    def _open(self) -> None:
        self._later = None
        self._readers.add(self._end.fileno(), self._serve)

    def _serve(self) -> None:
        began = self._loop.time()
        with contextlib.suppress(OSError):  # nobody is left, or nothing is left to open one with
            for _ in range(AT_ONCE):
                guest, _ = self._end.accept()
                with guest:
                    guest.send(self._card)
        now = self._loop.time()
        self._share.charge(now, now - began)
        if wait := self._share.wait(now):
            self._readers.remove(self._end.fileno())
            self._later = self._loop.call_later(wait, self._open)


async def fetch_card(address: str, timeout: float = 5) -> Card:
    """Return the card of the client that listens at `HOST:PORT`. Raises Failure."""
    host, port = split_address(address)
    try:
        async with asyncio.timeout(timeout):
            reader, writer = await asyncio.open_connection(host, port + 1, limit=CARD_LIMIT, family=socket.AF_INET)
            try:
                data = await _read_to_end(reader)
            finally:
                writer.transport.abort()
        return read_card(data)
    except TimeoutError as error:
        hint = "is the address right, and does the firewall there let Python through?"
        raise Failure(f"No answer from {address} in {timeout:g} seconds: {hint}", NETWORK) from error
    except ConnectionRefusedError as error:
        hint = "is the other program running, and is that the port it shows?"
        raise Failure(f"Nobody listens at {address}: {hint}", NETWORK) from error
    except (socket.gaierror, UnicodeError) as error:
        raise Failure(f"There is no computer called {host} on this network.", NETWORK) from error
    except OSError as error:
        hint = "is the address right, and are both computers on one network?"
        raise Failure(f"{address} cannot be reached from here: {hint}", NETWORK) from error
    except VersionMismatchError as error:
        raise Failure(f"At {address} {error}: both need the same version of p2p-stonehenge.", NETWORK) from error
    except ValueError as error:
        raise Failure(f"What answers at {address} is not p2p-stonehenge.", NETWORK) from error


async def _read_to_end(reader: asyncio.StreamReader) -> bytes:
    """Return everything up to the end, or a little more than a card could be."""
    data = b""
    while len(data) <= CARD_LIMIT and (piece := await reader.read(CARD_LIMIT)):
        data += piece
    return data
