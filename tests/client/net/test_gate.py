"""What strangers and hostile friends cannot take from others: the room at the door, the memory, the time."""

import asyncio
import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest
from bare_curve import BareCurve, BareHost
from transports import ANNA, BOB, CARA, HOST, MALLORY, Log, answered, at, in_loop, running, stranger

from p2p_stonehenge.net import gate
from p2p_stonehenge.net.shares import crowded_out
from p2p_stonehenge.net.sockets import HEARTBEAT
from p2p_stonehenge.net.transport import STRANGER_AFTER, Transport
from protocol import Greeting, Identity, greeting_bytes

pytestmark = pytest.mark.network

FEW = 4


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MAX_CONNECTIONS", FEW)
    monkeypatch.setattr("p2p_stonehenge.net.roster.MAX_PEERS", FEW)
    monkeypatch.setattr("p2p_stonehenge.net.roster.MAX_STRANGERS", FEW)


def memory() -> int:
    """Return the megabytes that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


async def cut(end: BareCurve) -> None:
    """Wait until the other end of a connection has cut it."""
    end._socket.setblocking(False)
    async with asyncio.timeout(60):
        while await asyncio.get_running_loop().sock_recv(end._socket, 1000):
            pass


def greeting(identity: Identity) -> bytes:
    return greeting_bytes(Greeting(identity.id, b"instance", "m", 999))


def test_who_comes_with_many_makes_room() -> None:
    def out(*strangers: str) -> str | None:
        return crowded_out(strangers, lambda one: one[0], lambda one: int(one[1:] or 9))

    assert out() is None
    assert out("a1") == "a1"
    assert out("a1", "b1", "b2", "c1") == "b1"
    assert out("b2", "a0", "b1", "b1") == "b1"
    assert out("b", "a", "a2") == "a2"


@in_loop
async def test_a_stranger_with_many_keys_keeps_nobody_out() -> None:
    """Neither a friend that is dialled, at the same address, nor a newcomer at another one."""
    async with (
        running(ANNA, "anna") as (anna, log),
        running(BOB, "bob") as (bob, bob_log),
        running(CARA, "cara", interface="127.0.0.2") as (cara, cara_log),
        AsyncExitStack() as crowd,
    ):
        for _ in range(3 * FEW):
            many = Identity(os.urandom(32))
            dealer = await crowd.enter_async_context(stranger(many, anna))
            await dealer.send(greeting(many))
        anna.dial(BOB.id, at(bob))
        await bob_log.entry("link", ANNA.id, True)
        await answered(anna, log, bob)
        cara.dial(ANNA.id, at(anna))
        await cara_log.entry("link", ANNA.id, True)
        await answered(anna, log, cara)
        for _ in range(3 * FEW):  # and nobody who is in has to go
            many = Identity(os.urandom(32))
            dealer = await crowd.enter_async_context(stranger(many, anna))
            await dealer.send(greeting(many))
            await answered(anna, log, bob)
            await answered(anna, log, cara)
        assert len(anna._peers) <= FEW
        assert [up for _, up in log.of("link")] == [True, True]


@in_loop
async def test_silent_connections_keep_nobody_out() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        silent = [socket.create_connection((HOST, anna.port)) for _ in range(5 * FEW)]
        bob.dial(ANNA.id, at(anna))
        await bob_log.entry("link", ANNA.id, True)
        await answered(anna, log, bob)
        for one in silent:
            one.close()


@in_loop
async def test_one_key_holds_few_connections() -> None:
    async with running(ANNA, "anna") as (anna, _), AsyncExitStack() as crowd:
        for _ in range(2 * FEW):
            dealer = await crowd.enter_async_context(stranger(MALLORY, anna))
            await dealer.send(greeting(MALLORY))
            async with asyncio.timeout(60):
                while anna._peers.get(MALLORY.id) is None or len(anna.inbox.gate._named) < 1:
                    await asyncio.sleep(0)
        async with asyncio.timeout(60):
            while len(anna.inbox.gate._inside) > gate.CONNECTIONS_OF_ONE:
                await asyncio.sleep(0)


@in_loop
async def test_a_connection_without_a_greeting_is_ended() -> None:
    with pytest.MonkeyPatch.context() as patch:
        async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
            anna.dial(BOB.id, at(bob))
            await log.entry("link", BOB.id, True)
            await bob_log.entry("link", ANNA.id, True)
            patch.setattr(gate, "GREET_WITHIN", 0.2)
            mute = await asyncio.to_thread(BareCurve, MALLORY, ANNA.id, anna.port)
            await cut(mute)
            mute.close()
            await answered(anna, log, bob)
            assert log.of("link") == [(BOB.id, True)]


@in_loop
async def test_a_message_of_several_parts_ends_the_connection() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        parts = await asyncio.to_thread(BareCurve, MALLORY, ANNA.id, anna.port)
        for _ in range(100):
            parts.part(greeting(MALLORY), more=True)
        parts.part(b"", more=False)
        await cut(parts)
        parts.close()
        await answered(anna, log, bob)
        assert (anna.inbox.dropped, MALLORY.id in anna._peers) == (1, False)


@in_loop
async def test_a_stranger_that_floods_is_cut_off_and_a_friend_is_heard() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        flooder = await asyncio.to_thread(BareCurve, MALLORY, ANNA.id, anna.port)
        flooder.part(greeting(MALLORY), more=False)
        flood = [os.urandom(200)] * 100
        async with asyncio.timeout(60):
            with contextlib.suppress(OSError):
                while True:
                    await asyncio.to_thread(flooder.messages, flood)
        flooder.close()
        await answered(anna, log, bob)
        assert log.of("link") == [(BOB.id, True)]
        assert not log.of("trouble"), "what a stranger does is nothing that the player can change"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much has come on a connection")
@pytest.mark.parametrize("size", [60_000, 0], ids=["long parts", "empty parts"])
@pytest.mark.parametrize("dialled", [False, True], ids=["by a stranger", "where a player is dialled"])
def test_parts_without_end_on_a_link_that_we_dial_are_cut_too(size: int, dialled: bool) -> None:
    """A client sends nothing on a link that is dialled to it; whoever greets is dialled back."""

    async def main() -> None:
        async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
            anna.dial(BOB.id, at(bob))
            await log.entry("link", BOB.id, True)
            before, most, cut = memory(), 0, asyncio.Event()
            loop, listening = asyncio.get_running_loop(), socket.socket()
            listening.bind((HOST, 0))
            listening.listen()
            port = listening.getsockname()[1]

            def pour() -> None:
                nonlocal most
                link = None if dialled else BareCurve(MALLORY, ANNA.id, anna.port)
                if link:
                    link.part(greeting_bytes(Greeting(MALLORY.id, b"instance", "m", port)), more=False)
                endless, sent = BareHost(MALLORY, listening), 0
                try:
                    while sent < 1 << 30:
                        sent += sum(endless.part(bytes(size), more=True) for _ in range(50))
                        most = max(most, memory())
                except OSError:
                    endless.close()
                    if link:
                        link.close()
                    loop.call_soon_threadsafe(cut.set)

            pouring = threading.Thread(target=pour, daemon=True)
            pouring.start()
            if dialled:
                anna.dial(MALLORY.id, [f"{HOST}:{port}"])
            async with asyncio.timeout(60):
                await cut.wait()
            await answered(anna, log, bob)
            pouring.join()
            listening.close()
            assert most - before < 16
            assert [up for peer, up in log.of("link") if peer == BOB.id] == [True]
            assert anna.linked() == (BOB.id,)

    in_loop(main)()


@asynccontextmanager
async def dialled_back(anna: Transport, log: Log) -> AsyncIterator[tuple[BareCurve, BareHost]]:
    """A stranger that has greeted, and whom the client has dialled: its ends of both connections."""
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        link = await asyncio.to_thread(BareCurve, MALLORY, ANNA.id, anna.port)
        hello = Greeting(MALLORY.id, b"instance", "m", listening.getsockname()[1])
        link.part(greeting_bytes(hello), more=False)
        back = await asyncio.to_thread(BareHost, MALLORY, listening)
        await log.entry("link", MALLORY.id, True)
        yield link, back
        link.close()
        back.close()


@in_loop
async def test_a_message_where_nobody_sends_one_ends_the_connection() -> None:
    async with running(ANNA, "anna") as (anna, log), dialled_back(anna, log) as (link, back):
        back.messages([b"x"])
        await log.entry("link", MALLORY.id, False)
        await cut(link)
        assert MALLORY.id not in anna._peers


def reset_unread(dialled: bool) -> None:
    """Be a program that stands still while a stranger resets a connection of which nobody has read all."""

    async def main() -> None:
        async with running(ANNA, "anna") as (anna, log), dialled_back(anna, log) as ends:
            ends[dialled].messages([b"x"] * 50)
            time.sleep(0.5)
            ends[dialled].reset()
            time.sleep(2 * HEARTBEAT / 1000)

    asyncio.run(main())


@pytest.mark.parametrize("dialled", [False, True])
def test_a_connection_that_is_reset_unread_ends_no_program(dialled: bool) -> None:
    """ZeroMQ itself ends it where the queue of that connection is full and a sign of life falls due."""
    program = get_context("spawn").Process(target=reset_unread, args=(dialled,))
    program.start()
    program.join(60)
    assert program.exitcode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_program_takes_more_than_the_256_files_that_it_is_given_at_first() -> None:
    import resource

    from p2p_stonehenge.net.network import FILES, raise_limit

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        raise_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == (FILES if hard < 0 else min(FILES, hard))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@in_loop
async def test_while_too_many_knock_only_friends_get_in() -> None:
    """Strangers' systems are not answered, which costs nothing; a friend's address is let in at once."""
    async with running(ANNA, "anna") as (anna, _), running(BOB, "bob", interface="127.0.0.9") as (bob, bob_log):
        anna.dial(BOB.id, [f"127.0.0.9:{bob.port}"])
        await bob_log.entry("link", ANNA.id, True)
        door = anna.inbox.gate.door
        assert door is not None
        if not door.shut({"127.0.0.9"}):
            pytest.skip("this system cannot shut a door")
        for address, gets_in in (("127.0.0.8", False), ("127.0.0.9", True)):
            with socket.socket() as knocking:
                knocking.settimeout(0.2)
                knocking.bind((address, 0))
                with contextlib.nullcontext() if gets_in else pytest.raises(TimeoutError):
                    await asyncio.to_thread(knocking.connect, (HOST, anna.port))
        door.open()
        with socket.socket() as knocking:
            knocking.bind(("127.0.0.8", 0))
            await asyncio.to_thread(knocking.connect, (HOST, anna.port))
        assert anna.linked() == (BOB.id,)


@in_loop
async def test_a_guest_with_a_seat_may_wait_for_the_others_for_hours_and_a_stranger_may_not() -> None:
    """All that comes of either are signs of life, which no message ever delivers."""
    async with running(ANNA, "anna") as (anna, _), running(BOB, "bob") as (bob, bob_log):
        bob.dial(ANNA.id, at(anna))
        await bob_log.entry("link", ANNA.id, True)
        (visitor,) = anna.inbox.gate._inside.values()
        way = anna._peers[BOB.id].way
        assert way is not None
        for seated in (True, False):
            anna.keep(BOB.id, seated)
            for one in (visitor, way):
                one.since = asyncio.get_running_loop().time() - 7200
                assert one.line is not None
                one.line.taken = lambda: 7200 * 90  # type: ignore[method-assign]
            anna.inbox.gate._stirred(visitor)
            anna._outbox._stirred(anna._peers[BOB.id], way)
            assert visitor.expelled != seated
            assert (BOB.id in anna.linked()) == seated


@in_loop
async def test_a_friend_gets_in_though_silent_strangers_with_keys_and_addresses_of_their_own_wait_at_the_door() -> None:
    async with running(ANNA, "anna") as (anna, _), running(BOB, "bob") as (bob, bob_log):
        silent = []
        for number in range(3 * FEW):
            own = Identity(os.urandom(32))
            silent.append(await asyncio.to_thread(BareCurve, own, ANNA.id, anna.port, source=f"127.0.1.{number + 1}"))
            silent[-1].part(greeting(own), more=False)
        async with asyncio.timeout(60):
            while len(anna._peers) < FEW:
                await asyncio.sleep(0)
        bob.dial(ANNA.id, at(anna))
        await bob_log.entry("link", ANNA.id, True, seconds=STRANGER_AFTER / 2)
        for one in silent:
            one.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much has come on a connection")
@pytest.mark.parametrize("size", [60_000, 0], ids=["long parts", "empty parts"])
def test_parts_without_end_are_cut_before_they_fill_the_memory(size: int) -> None:
    async def main() -> None:
        async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
            anna.dial(BOB.id, at(bob))
            await log.entry("link", BOB.id, True)
            before, most, sent, cut = memory(), 0, 0, asyncio.Event()
            loop = asyncio.get_running_loop()

            def pour() -> None:
                nonlocal sent, most
                endless = BareCurve(MALLORY, ANNA.id, anna.port)
                try:
                    while sent < 1 << 30:
                        sent += sum(endless.part(bytes(size), more=True) for _ in range(50))
                        most = max(most, memory())
                except OSError:
                    endless.close()
                    loop.call_soon_threadsafe(cut.set)

            pouring = threading.Thread(target=pour, daemon=True)
            pouring.start()
            async with asyncio.timeout(60):
                await cut.wait()
            await answered(anna, log, bob)
            pouring.join()
            print(f"cut after {sent} bytes, {most - before} MB more in memory")
            assert most - before < 16
            assert log.of("link") == [(BOB.id, True)]

    in_loop(main)()
