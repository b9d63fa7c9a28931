"""Which packets of multicast DNS are looked at, so that no computer fills the lists of tables of all others.

Everybody on a network can announce whatever names it likes. Names are counted by where their packets come from: a
computer that announces many of them takes the room from itself, never from a friend.
"""

import asyncio
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from zeroconf import DNSAddress, DNSIncoming, DNSNsec, DNSPointer, DNSRecord, DNSService, DNSText

from p2p_stonehenge.net.network import SERVICE
from p2p_stonehenge.net.shares import Bucket, Limits, crowded_out

MAX_NAMES, NAMES_OF_ONE_SOURCE = 256, 32
"""Names remembered; a network with more players than this is none that friends sit at."""
IN_ONE_PACKET = 4
"""Names that one answer may have; each program announces its own."""
PACKETS = Limits(50, 300, 1 << 15, 1 << 18)
"""Of one source: a program announces itself three times, then asks and answers a few times a minute; each packet may
be read at two sockets, and one computer may have many players."""
ALL_PACKETS = Limits(150, 600, 1 << 17, 1 << 19)
MAX_SOURCES = 256
BINDING = 30.0
"""Seconds without a word from its source after which a name may come from another one: computers change networks. The
source that it came from first gets it back with its next word: a name that was taken in a silence is not kept so."""

NAME = re.compile(rf"[a-z2-7]{{8}}-[a-z2-7]{{44}}\.{re.escape(SERVICE)}")
LABEL = 53
"""Letters of a name before that of the service."""
_SERVICE_BYTES = b"\x0b_stonehenge\x04_tcp"
_RESPONSE, _INTERNET = 0x80, 1


class _Known(NamedTuple):
    name: str
    source: str
    heard: float
    first: str
    """Where it came from first."""


class Sieve:
    """Says which packets to look at. `forget(name)` is called for a name that had to make room."""

    def __init__(self, clock: Callable[[], float], forget: Callable[[str], None]) -> None:
        self._clock, self._forget = clock, forget
        self._names: dict[str, _Known] = {}
        self._sources: dict[str, Bucket] = {}
        self._all = Bucket(ALL_PACKETS, clock())

    def source(self, name: str) -> str:
        """Return where a name came from: the letters before the service's name."""
        known = self._names.get(name)
        return known.source if known is not None else ""

    def take_packet(self, data: bytes, source: str) -> bool:
        """Return whether to look at a packet from `source`. Each that names the service of this program is counted."""
        if _SERVICE_BYTES not in data:
            return False
        now = self._clock()
        bucket = self._sources.pop(source, None) or Bucket(PACKETS, now)
        self._sources[source] = bucket
        if len(self._sources) > MAX_SOURCES:
            del self._sources[next(iter(self._sources))]
        if not bucket.take(now, 1, len(data)) or not self._all.take(now, 1, len(data)):
            return False
        if not data[2] & _RESPONSE:
            return True
        names = announced(data)
        if names is None or len(names) > IN_ONE_PACKET or any(self._is_of_another(name, source, now) for name in names):
            return False
        for name in names:
            known = self._names.pop(name, None)
            self._names[name] = _Known(name, source, now, known.first if known is not None else source)
            self._make_room(source)
        return True

    def _is_of_another(self, name: str, source: str, now: float) -> bool:
        known = self._names.get(name)
        return known is not None and source not in (known.source, known.first) and now < known.heard + BINDING

    def _make_room(self, source: str) -> None:
        """Forget the name heard longest ago of the source with most of them, or of `source` if it has too many."""
        own = [known for known in self._names.values() if known.source == source]
        worst = own[0] if len(own) > NAMES_OF_ONE_SOURCE else None
        if worst is None and len(self._names) > MAX_NAMES:
            worst = crowded_out(self._names.values(), lambda known: known.source, lambda _known: 0)
        if worst is not None:
            del self._names[worst.name]
            self._forget(worst.name)


def announced(data: bytes) -> set[str] | None:
    """Return which names an answer tells of, by their letters before the service's name.

    None if it has a record that no program like this one sends: whatever else it holds would be kept as well, and what
    is kept is said again with each question. So would another spelling be, which counts as the same name in DNS.
    """
    names = {_told_of(record) for record in DNSIncoming(data).answers()}
    return {name[:LABEL] for name in names} if all(map(NAME.fullmatch, names)) else None


def _told_of(record: DNSRecord) -> str:
    """Return the whole name of which a record tells, nothing for a record that no program like this one sends.

    A unique record takes the place of all others of its name and type: only the pointers belong to several programs.
    """
    if record.class_ != _INTERNET or record.unique == isinstance(record, DNSPointer):
        return ""
    if isinstance(record, DNSPointer):
        return record.alias if record.name == SERVICE else ""
    if isinstance(record, DNSService):
        return record.name if record.server == record.name else ""
    return record.name if isinstance(record, DNSText | DNSAddress | DNSNsec) else ""


class Sieved(asyncio.DatagramProtocol):
    """Stands before a protocol and hands on what the sieve admits."""

    def __init__(self, inner: asyncio.BaseProtocol, sieve: Sieve) -> None:
        self.inner, self._sieve = cast(asyncio.DatagramProtocol, inner), sieve

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Take in a packet."""
        if len(data) > 2 and self._sieve.take_packet(data, addr[0]):
            self.inner.datagram_received(data, addr)

    def error_received(self, error: Exception) -> None:
        """Note what the system says of a packet."""
        self.inner.error_received(error)

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the socket is closed."""
        self.inner.connection_lost(error)
