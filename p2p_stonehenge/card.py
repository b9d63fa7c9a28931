"""The card: who listens at an address, for addresses typed by hand, where no key is known yet.

Beside its ROUTER (PORT) a client listens on PORT + 1 with a plain socket, hands its signed card to whoever
connects and reads nothing.
"""

import asyncio
import socket

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.network import split_address
from protocol import CARD_LIMIT, Card, VersionMismatchError, read_card

BACKLOG = 128
"""Connections that wait to be accepted; each then lives for one write. Beyond that Linux makes them wait seconds."""


async def serve_card(card: bytes, host: str, port: int) -> asyncio.Server:
    """Hand out `card` at `host`, `port`. Raises OSError."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _CardDesk(card), host, port, backlog=BACKLOG)


class _CardDesk(asyncio.Protocol):
    """Hands the card to whoever connects and hangs up at once, before anything is read."""

    def __init__(self, card: bytes) -> None:
        self._card = card

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Write the card and close: the connection lives for one write."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._card)
        transport.close()


async def fetch_card(address: str, timeout: float = 5) -> Card:
    """Return the card of whoever listens at `HOST:PORT`. Raises Failure."""
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
        raise Failure(f"No answer from {address} in {timeout:g} seconds: {hint}", 4) from error
    except ConnectionRefusedError as error:
        hint = "is the other program running, and is that the port it shows?"
        raise Failure(f"Nobody listens at {address}: {hint}", 4) from error
    except (socket.gaierror, UnicodeError) as error:
        raise Failure(f"There is no computer called {host} on this network.", 4) from error
    except OSError as error:
        raise Failure(f"{address} cannot be reached: {error.strerror or error}.", 4) from error
    except VersionMismatchError as error:
        raise Failure(f"At {address} {error}: both need the same version of p2p-stonehenge.", 4) from error
    except ValueError as error:
        raise Failure(f"What answers at {address} is not p2p-stonehenge.", 4) from error


async def _read_to_end(reader: asyncio.StreamReader) -> bytes:
    """Return everything up to the end, or a little more than a card could be."""
    data = b""
    while len(data) <= CARD_LIMIT and (piece := await reader.read(CARD_LIMIT)):
        data += piece
    return data
