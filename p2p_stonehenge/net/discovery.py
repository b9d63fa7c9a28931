"""Finds the clients on this network by multicast DNS: a hint where to dial, never a proof and never a sign of life.

A service is `<8 letters>-<44 letters>._stonehenge._tcp.local.`, the whole id of the peer, so names are unique
without asking around. Its TXT record has v, id, nick, inst and table. A client that answers at an address must own the
key of the id, or the transport refuses it; so nothing here is more than text to be cleaned.
"""

import asyncio
import contextlib
import ipaddress
import logging
import re
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.net.announced import Announced, read_announced
from p2p_stonehenge.net.network import FREE_PORT, SERVICE, check_interface, is_loopback, is_near, local_addresses
from p2p_stonehenge.net.sieve import LABEL, MAX_NAMES, NAME, Sieve, Sieved
from protocol import INSTANCE_BYTES, clean_nick, id_bytes, id_text, passes_for_bot

VERSION = b"1"
"""Of the TXT record."""
ANNOUNCED_ADDRESSES = 8
"""Addresses of a client that are taken from what it announces."""
LOOK_UP = 3000
"""Milliseconds for asking for the details of a name that did not come with it."""
ASKED_AT_ONCE, ASKED_OF_ONE_SOURCE = 16, 4
"""Names asked about at one time, and those of them that came from one source."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 600.0
"""Seconds before a name that nobody has told more about is asked about again."""
SECONDS_A_CLIENT = 0.6
"""Seconds between two kicks for each client that is seen: on a full network all together ask no more often than 25."""
POLL = 5.0
"""Seconds between looks at this computer's own addresses, which change with the Wi-Fi."""
_TABLE = re.compile(r"[a-z0-9 /._-]{1,40}")
_NAME_LETTERS = 52


class Sighting(NamedTuple):
    """What a peer says of itself. `table`: the text that announces its table, such as `kingamon 1/2`, or nothing."""

    id: bytes
    nick: str
    addresses: tuple[str, ...]
    instance: bytes
    table: str

    @property
    def announced(self) -> Announced | None:
        """Return what its announcement says, None where it announces no table."""
        return read_announced(self.table)


class Discovery:
    """Looks for peers and, once told to, is seen by them. The callbacks run on the event loop.

    `on_sighting` comes for every new or changed peer, `on_lost(id)` when one signs off: many never do. A sighting of
    the own id is that of another program with the same key.
    """

    def __init__(
        self, interface: str | None, on_sighting: Callable[[Sighting], None], on_lost: Callable[[bytes], None]
    ) -> None:
        self.warning = ""
        """Why peers cannot be found, as a sentence for the player; empty while no reason is known."""
        self._interface = interface
        self._on_sighting, self._on_lost = on_sighting, on_lost
        self._own: AsyncServiceInfo | None = None
        self._seen: dict[str, Sighting] = {}
        self._kicked = float("-inf")
        self._browser: AsyncServiceBrowser | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking: dict[str, str] = {}
        """Names being asked about, and where each came from."""
        self._pauses: dict[str, tuple[float, float]] = {}
        """Names that nobody tells more about: how long each rests, and until when."""

    async def start(self) -> None:
        """Look for peers, without being seen. Raises Failure if this computer has no usable interface."""
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # its warnings would run across the board
        if self._interface is not None:
            check_interface(self._interface)
        self._addresses = await self._own_addresses()
        if not self._addresses:
            raise Failure(
                "This computer has no network interface with an IPv4 address: connect it to a network.", NETWORK
            )
        if self._interface is None and all(map(is_loopback, self._addresses)):
            self.warning = "No network: only players on this computer are found. Connect to a network, then try again."
        try:
            self._zeroconf = AsyncZeroconf(interfaces=list(self._addresses), ip_version=IPVersion.V4Only)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except OSError as error:
            advice = "give HOST:PORT by hand, or choose a network with --interface"
            raise Failure(f"Cannot look for players ({error.strerror or error}): {advice}.", NETWORK) from error
        self._sieve = Sieve(asyncio.get_running_loop().time, self._forget)
        self._put_sieves()
        self._browse()
        if self._interface is None:
            self._spawn(self._follow_addresses())

    async def announce(self, id: bytes, nick: str, instance: bytes, port: int, table: str) -> None:
        """Announce this client, or its changed table. `table`: small letters and digits, at most 40; see Sighting."""
        if table and not _TABLE.fullmatch(table):
            raise ValueError(f"{table!r} is no hint of a table")
        text, name = id_text(id), service_name(id)
        own = AsyncServiceInfo(
            SERVICE,
            name,
            server=name,
            port=port,
            parsed_addresses=self._reachable(),
            properties={
                "v": VERSION,
                "id": text,
                "nick": clean_nick(nick),
                "inst": instance.hex(),
                "table": table,
            },
        )
        known, self._own = self._own, own
        if known is None:
            done = await self._zeroconf.async_register_service(own, cooperating_responders=True)
        else:
            done = await self._zeroconf.async_update_service(own)
        self._spawn(_finish(done))

    async def kick(self) -> None:
        """Say and ask everything again: multicast DNS by itself goes quiet after 14 seconds.

        Does nothing where many clients are seen and the last time was not long ago.
        """
        now = asyncio.get_running_loop().time()
        if now >= self._kicked + pace(0.0, len(self._seen)):
            self._kicked = now
            await self._say_all()

    async def _say_all(self) -> None:
        if self._own is not None:
            self._own.addresses = [ipaddress.IPv4Address(text).packed for text in self._reachable()]
            self._spawn(_finish(await self._zeroconf.async_update_service(self._own)))
        if self._browser is not None:
            await self._browser.async_cancel()
        self._browse()

    async def close(self) -> None:
        """Sign off and stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
            await self._zeroconf.async_close()

    # This computer

    async def _own_addresses(self) -> tuple[str, ...]:
        if self._interface is not None:
            return (self._interface,)
        return await asyncio.get_running_loop().run_in_executor(None, local_addresses)

    def _reachable(self) -> list[str]:
        """Return the addresses to give to others; a computer without a network has loopback only."""
        return [text for text in self._addresses if not is_loopback(text)] or list(self._addresses)

    async def _follow_addresses(self) -> None:
        while True:
            await asyncio.sleep(POLL)
            addresses = await self._own_addresses()
            if addresses and addresses != self._addresses:
                self._addresses = addresses
                if not all(map(is_loopback, addresses)):
                    self.warning = ""
                with contextlib.suppress(OSError):  # an address that has just gone again
                    await self._zeroconf.async_update_interfaces(list(addresses))
                    self._put_sieves()
                    await self._say_all()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Others

    def _browse(self) -> None:
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._changed])

    def _changed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        # Anybody may put any name there, also one that zeroconf itself refuses to look up.
        if not NAME.fullmatch(name):
            return
        if state_change is ServiceStateChange.Removed:
            gone = self._seen.pop(name, None)
            if gone is not None:
                self._on_lost(gone.id)
            return
        # What an honest program announces comes together.
        info = AsyncServiceInfo(SERVICE, name)
        if info.load_from_cache(zeroconf):
            self._sighted(name, info)
        elif self._may_ask(name):
            self._looking[name] = self._sieve.source(name[:LABEL])
            self._spawn(self._look_up(name, info))

    def _may_ask(self, name: str) -> bool:
        """Return whether to ask about a name now: about few at a time, of few of each source, and seldom again."""
        source = self._sieve.source(name[:LABEL])
        now = asyncio.get_running_loop().time()
        return (
            name not in self._looking
            and len(self._looking) < ASKED_AT_ONCE
            and list(self._looking.values()).count(source) < ASKED_OF_ONE_SOURCE
            and now >= self._pauses.get(name, (0.0, 0.0))[1]
        )

    async def _look_up(self, name: str, info: AsyncServiceInfo) -> None:
        try:
            if await info.async_request(self._zeroconf.zeroconf, LOOK_UP):
                self._pauses.pop(name, None)
                self._sighted(name, info)
            else:
                pause = min(2 * self._pauses.pop(name, (FIRST_PAUSE / 2, 0.0))[0], LONGEST_PAUSE)
                self._pauses[name] = pause, asyncio.get_running_loop().time() + pause
                if len(self._pauses) > MAX_NAMES:
                    del self._pauses[next(iter(self._pauses))]
        finally:
            del self._looking[name]

    def _forget(self, label: str) -> None:
        """Forget a name that had to make room for others."""
        name, cache = f"{label}.{SERVICE}", self._zeroconf.zeroconf.cache
        pointers = [record for record in cache.entries_with_name(SERVICE) if getattr(record, "alias", "") == name]
        cache.async_remove_records([*cache.entries_with_name(name), *pointers])
        gone = self._seen.pop(name, None)
        if gone is not None:
            self._on_lost(gone.id)

    def _put_sieves(self) -> None:
        """Look at packets before zeroconf does."""
        for reader in self._zeroconf.zeroconf.engine.readers:
            protocol = reader.transport.get_protocol()
            if not isinstance(protocol, Sieved):
                reader.transport.set_protocol(Sieved(protocol, self._sieve))

    def _sighted(self, name: str, info: AsyncServiceInfo) -> None:
        sighting = read_service(name, info.properties, info.parsed_addresses(IPVersion.V4Only), info.port)
        if sighting is None or self._seen.get(name) == sighting:
            return
        near = tuple(address for address in sighting.addresses if is_near(address, self._interface))
        sighting = sighting._replace(addresses=near)
        if not near or self._seen.get(name) == sighting:
            return
        if self._own is not None and name == self._own.name:
            inst = self._own.properties[b"inst"]
            if inst is not None and sighting.instance.hex().encode() != inst:
                self._on_sighting(sighting)
            return
        self._seen[name] = sighting
        if len(self._seen) > MAX_NAMES:
            self._forget(next(iter(self._seen))[:LABEL])
        self._on_sighting(sighting)


def pace(every: float, seen: int) -> float:
    """Return how many seconds to leave between two kicks, where so many clients are seen and `every` is for a few."""
    return max(every, seen * SECONDS_A_CLIENT)


def service_name(id: bytes) -> str:
    """Return the name under which a peer is announced."""
    letters = id_text(id)
    return f"{letters[:8]}-{letters[8:]}.{SERVICE}"


def read_service(
    name: str, properties: dict[bytes, bytes | None], addresses: list[str], port: int | None
) -> Sighting | None:
    """Return what a service record says, or None unless every part of it is as we would write it."""
    texts = {key: properties.get(key) or b"" for key in (b"id", b"nick", b"inst", b"table")}
    try:
        id = id_bytes(texts[b"id"][: _NAME_LETTERS + 1].decode("ascii"))
        instance = bytes.fromhex(texts[b"inst"][: 2 * INSTANCE_BYTES + 1].decode("ascii"))
        nick = clean_nick(texts[b"nick"].decode("utf-8"))
        table = texts[b"table"].decode("ascii")
    except ValueError:
        return None
    if (
        properties.get(b"v") != VERSION
        or name != service_name(id)
        or len(instance) != INSTANCE_BYTES
        or passes_for_bot(nick)
        or (table and not _TABLE.fullmatch(table))
        or port is None
        or not FREE_PORT <= port < 65535
    ):
        return None
    usable = [text for text in addresses if _is_usable(text)][:ANNOUNCED_ADDRESSES]
    return Sighting(id, nick, tuple(f"{text}:{port}" for text in usable), instance, table) if usable else None


def _is_usable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return address.version == 4 and not (address.is_multicast or address.is_unspecified or address.is_reserved)


async def seen_within(interface: str | None, seconds: float) -> list[Sighting]:
    """Return the clients seen within some seconds; this client is not announced. Raises as `Discovery.start`."""
    seen: dict[bytes, Sighting] = {}

    def lost(peer: bytes) -> None:
        seen.pop(peer, None)

    discovery = Discovery(interface, lambda one: seen.update({one.id: one}), lost)
    try:
        await discovery.start()
        await asyncio.sleep(seconds)
    finally:
        await discovery.close()
    return list(seen.values())


async def _finish(broadcast: Any) -> None:
    """Let an announcement be repeated in its own time."""
    await broadcast
