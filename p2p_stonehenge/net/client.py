"""One client on the network: its links, the peers that it sees, and the lobby or table that messages go to."""

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

from p2p_stonehenge.net.discovery import Discovery, Sighting
from p2p_stonehenge.net.network import raise_limit
from p2p_stonehenge.net.transport import Listener, Transport
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.safe import Alarm
from protocol import Identity

TWICE = Alarm(
    "another program on this network has your key, perhaps from a copied folder. Stop one of the two; one"
    " that stays needs another --home DIR, and so a key of its own."
)
PERHAPS = (
    "Somebody on this network announces your key without proving to have it. If another program of yours runs from a"
    " copied folder, behind a firewall say, stop one of the two; if none does, play on: nobody can use your key."
)
ADDRESSES_CHECKED = 2
CHECK_AGAIN = 60.0
"""Seconds between two checks whether another program announces the own key."""


class Handler(Protocol):
    """A lobby or a table: it handles what arrives."""

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""

    def receive(self, peer: bytes, data: bytes) -> asyncio.Future[None] | None:
        """Take in a message; return what is to be awaited before the next one, if anything is."""

    def loss(self, peer: bytes) -> None:
        """Note that a peer had sent too much and was not heard for a moment, but is now."""

    def trouble(self, peer: bytes | None, text: str, stands: Callable[[], bool] = lambda: True) -> None:
        """Tell the player of a trouble with the network, which need not be kept in sight when it no longer `stands`."""


class Aside(Protocol):
    """Takes what arrives for tables that this client has left, beside the handler."""

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""

    def receive(self, peer: bytes, data: bytes) -> bool:
        """Take in a message that is about another table than the present one; return whether it is."""

    def close(self) -> None:
        """Answer nobody any more."""


class Network:
    """The transport and the discovery of one client, from `async with` to its end."""

    def __init__(self, home: Home, nick: str, interface: str | None, port: int | None) -> None:
        self.identity: Identity = home.identity()
        self.nick = nick
        self.interface = interface
        self.handler: Handler | None = None
        self.aside: Aside | None = None
        self.table = b""
        """The id of the table at which this client is, empty at none."""
        self.again = b""
        """The id of a table that is over, while this client waits for another game of its players; else empty."""
        self.sightings: dict[bytes, Sighting] = {}
        self.seen = asyncio.Event()
        self.warning = ""
        """A fault of this network, as a sentence for the player; empty while none is known."""
        self._dialled: set[bytes] = set()
        self._check: asyncio.Task[None] | None = None
        self._checked = -CHECK_AGAIN
        self._announcing = asyncio.Lock()
        self.transport = Transport(
            self.identity,
            nick,
            Listener(
                message=self._message,
                link=self._link,
                loss=lambda peer: self.handler.loss(peer) if self.handler else None,
                trouble=lambda peer, text: self.handler.trouble(peer, text) if self.handler else None,
            ),
            interface=interface,
            port=port,
        )
        self.discovery = Discovery(interface, self._sighted, self._lost)

    async def __aenter__(self) -> Self:
        raise_limit()
        await self.transport.start()
        await self.discovery.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.handler = None
        if self.aside:
            self.aside.close()
        if self._check is not None:
            self._check.cancel()
        await self.discovery.close()
        await self.transport.close()

    def _message(self, peer: bytes, data: bytes) -> asyncio.Future[None] | None:
        if self.handler is None or (self.aside and self.aside.receive(peer, data)):
            return None
        return self.handler.receive(peer, data)

    def _link(self, peer: bytes, up: bool) -> None:
        if self.aside:
            self.aside.link(peer, up)
        if self.handler:
            self.handler.link(peer, up)

    async def announce(self, table: str) -> None:
        """Announce this client to the network, and its open table if it has one."""
        transport = self.transport
        async with self._announcing:
            await self.discovery.announce(self.identity.id, self.nick, transport.instance, transport.port, table)

    def _sighted(self, sighting: Sighting) -> None:
        if sighting.id == self.identity.id:
            now = asyncio.get_running_loop().time()
            if self.warning != TWICE and now >= self._checked + CHECK_AGAIN:
                self._checked = now
                self._check = asyncio.get_running_loop().create_task(self._check_twin(sighting))
            return
        self.sightings[sighting.id] = sighting
        self.seen.set()
        if sighting.id in self._dialled:
            self.transport.dial(sighting.id, sighting.addresses)

    async def _check_twin(self, sighting: Sighting) -> None:
        """Find out whether another program has the own key: anybody can announce it."""
        for address in sighting.addresses[:ADDRESSES_CHECKED]:
            if await self.transport.has_own_key(address):
                self._warn(TWICE)
                return
        self._warn(PERHAPS)

    def _warn(self, text: str) -> None:
        if self.warning != text:
            self.warning = text
            if self.handler:
                self.handler.trouble(None, text)

    def dial(self, peer: bytes, addresses: Sequence[str], *, watched: bool = False) -> None:
        """Keep a link to `peer` at these addresses, and at those where it is seen later.

        `watched`: this client plays at no table, and looks on at one through this peer.
        """
        self._dialled.add(peer)
        nick = self.sightings[peer].nick if peer in self.sightings else ""
        self.transport.dial(peer, addresses, nick=nick, watched=watched)

    def hang_up(self, peer: bytes) -> None:
        """Keep a link to `peer` no longer."""
        self._dialled.discard(peer)
        self.transport.hang_up(peer)

    def _lost(self, peer: bytes) -> None:
        self.sightings.pop(peer, None)
