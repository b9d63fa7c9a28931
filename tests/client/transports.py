"""Real transports on loopback for the tests: their identities, what they say, and strangers that say anything."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import zmq
import zmq.asyncio

from p2p_stonehenge.net.transport import Listener, Transport
from protocol import Identity, curve_public

HOST = "127.0.0.1"
# New ones each time: tests that run side by side reuse each other's ports and must not know each other.
ANNA, BOB, CARA, MALLORY = (Identity(os.urandom(32)) for _ in range(4))


class Log(list[Any]):
    """What the callbacks said, in order; `until` waits for an entry."""

    def __init__(self) -> None:
        super().__init__()
        self._stirred = asyncio.Event()

    def add(self, *entry: Any) -> None:
        self.append(entry)
        self._stirred.set()

    async def until(self, check: Callable[["Log"], bool], seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not check(self):
                self._stirred.clear()
                await self._stirred.wait()

    async def entry(self, *entry: Any, seconds: float = 60) -> None:
        await self.until(lambda log: entry in log, seconds)

    def of(self, kind: str) -> list[Any]:
        return [entry[1:] for entry in self if entry[0] == kind]


def peer(identity: Identity, nick: str, port: int | None = None, interface: str | None = HOST) -> tuple[Transport, Log]:
    log = Log()
    listener = Listener(
        message=lambda who, data: log.add("message", who, data),
        link=lambda who, up: log.add("link", who, up),
        loss=lambda who: log.add("loss", who),
        trouble=lambda who, text: log.add("trouble", who, text),
    )
    return Transport(identity, nick, listener, interface=interface, port=port), log


@asynccontextmanager
async def running(
    identity: Identity, nick: str, port: int | None = None, interface: str = HOST
) -> AsyncIterator[tuple[Transport, Log]]:
    made, log = peer(identity, nick, port, interface)
    await made.start()
    try:
        yield made, log
    finally:
        await made.close()


def at(end: Transport) -> list[str]:
    return [f"{HOST}:{end.port}"]


async def link(one: tuple[Transport, Log], *others: tuple[Transport, Log]) -> None:
    """Let one dial the others, and wait until both ends of each link know of it."""
    for other, other_log in others:
        one[0].dial(other._identity.id, at(other))
        await one[1].entry("link", other._identity.id, True)
        await other_log.entry("link", one[0]._identity.id, True)


def free_port() -> int:
    """Return a port that is free together with the next one."""
    while True:
        with socket.socket() as one, socket.socket() as two:
            one.bind((HOST, 0))
            port: int = one.getsockname()[1]
            try:
                two.bind((HOST, port + 1))
            except (OSError, OverflowError):
                continue
            return port


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run `main`; an exception in any callback is a failure too."""
    lost: list[Any] = []

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(context))
        await main()

    asyncio.run(watched())
    assert lost == []


def in_loop(main: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def test() -> None:
        run(main)

    test.__name__ = main.__name__
    return test


@asynccontextmanager
async def stranger(identity: Identity, to: Transport, key: bytes = ANNA.id) -> AsyncIterator[zmq.asyncio.Socket]:
    """A bare DEALER that says whatever a test wants."""
    context = zmq.asyncio.Context()
    dealer = context.socket(zmq.DEALER)
    keys = identity.curve()
    dealer.curve_publickey, dealer.curve_secretkey, dealer.curve_serverkey = keys.public, keys.secret, curve_public(key)
    dealer.linger = 1000
    dealer.connect(f"tcp://{HOST}:{to.port}")
    try:
        yield dealer
    finally:
        dealer.close()
        await asyncio.to_thread(context.term)


async def answered(end: Transport, log: Log, asked: Transport) -> None:
    """Wait until everything that came to `end` before is done with: a round trip of another peer behind it."""
    mark = ("message", asked._identity.id, os.urandom(8))
    async with asyncio.timeout(60):
        while mark not in log:  # what is under way when a connection breaks is lost
            asked.send(end._identity.id, mark[2])
            with contextlib.suppress(TimeoutError):
                await log.entry(*mark, seconds=1)
