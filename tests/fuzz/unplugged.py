"""A transport without its sockets: what arrives is handed to it, and what it would dial is only looked at."""

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

from seeds import IDENTITIES

from p2p_stonehenge.net.gate import Visitor
from p2p_stonehenge.net.inbox import Arrival
from p2p_stonehenge.net.outbox import Outbox
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.roster import Roster
from p2p_stonehenge.net.shares import STRANGER, Bucket, Share
from p2p_stonehenge.net.transport import Listener, Transport


class _Clock:
    """A loop that does nothing: in it no name is ever looked up."""

    def time(self) -> float:
        return 1000.0

    def create_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        work.close()
        return asyncio.get_running_loop().create_future()


class _Undialled(Outbox):
    """An outbox that looks at addresses and dials none."""

    def __init__(self, loop: Any, peers: Roster, judge: Callable[[Peer], None]) -> None:
        self._interface, self._readers, self._loop = None, cast(Any, None), loop
        self._peers, self._judge = peers, judge
        self.greeting, self.port = b"", 47100

    def _open(self, peer: Any, way: Any) -> None:
        host, _, port = way.address.rpartition(":")
        assert len(host) <= 64
        assert 0 < int(port) < 65535


class Unplugged(Transport):
    """A transport that never opens a socket: every way that it tries shakes hands in the test alone."""

    def __init__(self, heard: list[tuple[bytes, bytes]], told: Callable[[str], None]) -> None:
        listener = Listener(
            message=lambda peer, data: heard.append((peer, data)),
            link=lambda peer, up: None,
            loss=lambda peer: None,
            trouble=lambda peer, text: told(text),
        )
        super().__init__(IDENTITIES[0], "anna", listener, interface=None, port=None)
        self.port = 47100
        self._loop: Any = _Clock()
        self.inbox: Any = SimpleNamespace(gate=SimpleNamespace(expel=lambda _visitor: None))
        self._strangers = Share(1.0, 1.0, 1000.0)

        def put(peer: bytes, _share: Share, data: bytes) -> bool:
            heard.append((peer, data))
            return True

        self._turns: Any = SimpleNamespace(put=put)
        self._readers: Any = None
        self._outbox = _Undialled(self._loop, self._peers, self._judge)
        self._closed = False

    def arrive(self, data: bytes, key: str) -> None:
        visitor = Visitor(None, 1000.0, Bucket(STRANGER, 1000.0), key)
        self._take(Arrival(visitor, key, b"conn1", data, "10.0.0.2"))
