"""Links between real transports on loopback: greetings, restarts, impostors, garbage and floods."""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import zmq
import zmq.asyncio

import p2p_stonehenge.net.roster as roster_module
from p2p_stonehenge.net import gate as gate_module
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.shares import SEATED, STRANGERS_AT_ONCE
from p2p_stonehenge.net.sockets import OF_A_STRANGER
from p2p_stonehenge.net.transport import MAX_MESSAGE, Listener, Transport
from protocol import Greeting, Identity, curve_public, greeting_bytes

pytestmark = pytest.mark.network

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


@in_loop
async def test_one_side_dials_and_both_can_talk() -> None:
    async with running(ANNA, "anna") as (anna, anna_log), running(BOB, "bob") as (bob, bob_log):
        assert not anna.send(BOB.id, b"too early")
        anna.dial(BOB.id, at(bob))
        anna.dial(BOB.id, at(bob))
        await anna_log.entry("link", BOB.id, True)
        await bob_log.entry("link", ANNA.id, True)
        assert (anna.linked(), bob.linked()) == ((BOB.id,), (ANNA.id,))
        assert (anna.nick_of(BOB.id), bob.nick_of(ANNA.id)) == ("bob", "anna")
        long = b"x" * (OF_A_STRANGER - 500)  # Bob, who has not dialled, may cut Anna's connection for more
        assert anna.send(BOB.id, b"")
        assert anna.send(BOB.id, long)
        assert bob.send(ANNA.id, b"hello anna")
        await bob_log.entry("message", ANNA.id, long)
        await anna_log.entry("message", BOB.id, b"hello anna")
        assert bob_log.of("message")[0] == (ANNA.id, b"")
        assert len(anna_log.of("link")) == len(bob_log.of("link")) == 1
        assert anna_log.of("trouble") == bob_log.of("trouble") == []


@in_loop
async def test_both_sides_dial_and_messages_stay_in_order() -> None:
    async with running(ANNA, "anna") as (anna, anna_log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        bob.dial(ANNA.id, at(anna))
        await anna_log.entry("link", BOB.id, True)
        await bob_log.entry("link", ANNA.id, True)
        sent = [*(number.to_bytes(4, "big") for number in range(500)), b"x" * MAX_MESSAGE]
        assert all(anna.send(BOB.id, data) for data in sent)
        await bob_log.entry("message", ANNA.id, sent[-1])
        assert [data for _, data in bob_log.of("message")] == sent


@in_loop
async def test_of_several_addresses_the_right_one_is_found() -> None:
    async with (
        running(ANNA, "anna") as (anna, anna_log),
        running(BOB, "bob") as (bob, bob_log),
        running(CARA, "cara") as (cara, _),
    ):
        anna.dial(BOB.id, [f"{HOST}:{free_port()}", *at(cara), *at(anna)])
        anna.dial(BOB.id, [f"localhost:{bob.port}"])
        await anna_log.entry("link", BOB.id, True)
        await bob_log.entry("link", ANNA.id, True)
        assert anna_log.of("trouble") == []
        assert cara.linked() == ()


@in_loop
async def test_restart_is_a_link_that_goes_down_and_up() -> None:
    port = free_port()
    async with running(ANNA, "anna") as (anna, log):
        async with running(BOB, "bob", port) as (bob, _):
            anna.dial(BOB.id, at(bob))
            await log.entry("link", BOB.id, True)
        await log.entry("link", BOB.id, False)
        assert not anna.send(BOB.id, b"nobody there")
        async with running(BOB, "robert", port) as (bob, bob_log):
            await log.until(lambda log: log.of("link")[2:] == [(BOB.id, True)])
            await bob_log.entry("link", ANNA.id, True)
            assert anna.nick_of(BOB.id) == "robert"
            assert anna.send(BOB.id, b"again")
            await bob_log.entry("message", ANNA.id, b"again")
        assert not log.of("trouble"), "a restart is not a second program with the same key"


@in_loop
async def test_a_guest_that_starts_again_on_another_port_is_reached_there() -> None:
    """Nobody dials the guest: where it is now, its greeting alone tells."""
    async with running(ANNA, "anna") as (anna, log):
        for _ in range(2):
            log.clear()
            async with running(BOB, "bob", free_port()) as (bob, _):
                bob.dial(ANNA.id, at(anna))
                await log.entry("link", BOB.id, True)
                assert list(anna._peers[BOB.id].ways) == at(bob)
            await log.entry("link", BOB.id, False)


@in_loop
async def test_restart_is_seen_even_if_the_old_connection_seems_alive() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        async with stranger(BOB, anna) as restarted:
            await restarted.send(greeting_bytes(Greeting(BOB.id, b"restart!", "bob", bob.port)))
            await log.until(lambda log: log.of("link") == [(BOB.id, True), (BOB.id, False), (BOB.id, True)])
            assert anna.send(BOB.id, b"to the new one")
            await bob_log.entry("message", ANNA.id, b"to the new one")


@in_loop
async def test_two_programs_with_one_key_are_told_apart_from_a_restart() -> None:
    """A home that was copied to another computer: the link changes hands again and again, and the player reads why."""
    async with running(ANNA, "anna") as (anna, log), AsyncExitStack() as stack:
        copy = await stack.enter_async_context(stranger(BOB, anna))
        while not anna.inbox.gate._inside:
            await asyncio.sleep(0.01)
        one = await stack.enter_async_context(stranger(BOB, anna))  # who comes last is the first to speak
        judge = anna._judge

        def watched(peer: Peer) -> None:
            judge(peer)
            log.add("greeted", peer.instance)

        anna._judge = watched  # type: ignore[method-assign]

        def twice() -> bool:
            return any("bob is here twice" in text for _, text in log.of("trouble"))

        for end, instance in ((one, b"original"), (copy, b"the copy")):
            await end.send(greeting_bytes(Greeting(BOB.id, instance, "bob", 41730)))
            await log.entry("greeted", instance)
        assert not twice(), "a restart looks like this"
        await one.send(greeting_bytes(Greeting(BOB.id, b"original", "bob", 41730)))
        await log.until(lambda _: twice())


@in_loop
async def test_a_stranger_does_not_pay_for_other_programs_on_a_busy_computer() -> None:
    async with running(ANNA, "anna") as (anna, log), stranger(BOB, anna) as bob, stranger(CARA, anna) as cara:
        greeted = anna._greeted

        def held_up(arrival, peer):  # type: ignore[no-untyped-def]
            time.sleep(2 * STRANGERS_AT_ONCE)  # the computer does something else
            log.add("greeted", arrival.key)
            return greeted(arrival, peer)

        anna._greeted = held_up  # type: ignore[method-assign]
        for end, identity in ((bob, BOB), (cara, CARA)):
            await end.send(greeting_bytes(Greeting(identity.id, b"instance", "m", 999)))
            await log.entry("greeted", identity.curve().public.hex())


@in_loop
async def test_a_cut_on_one_side_only_heals() -> None:
    """Anna's DEALER breaks while Bob's stays: Bob sees no new handshake, yet must greet again."""
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        await bob_log.entry("link", ANNA.id, True)
        way = anna._peers[BOB.id].way
        assert way is not None
        assert way.dealer is not None
        way.dealer.send(b"x" * (MAX_MESSAGE + 1), zmq.DONTWAIT)  # Bob's ROUTER cuts this connection
        await log.until(lambda log: log.of("link") == [(BOB.id, True), (BOB.id, False), (BOB.id, True)])
        assert bob.send(ANNA.id, b"still here")
        await log.entry("message", BOB.id, b"still here")
        assert bob_log.of("link") == [(ANNA.id, True)]
        assert bob_log.of("message") == []


@in_loop
async def test_hang_up_and_dial_again() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        await bob_log.entry("link", ANNA.id, True)
        anna.hang_up(BOB.id)
        anna.hang_up(BOB.id)
        assert log.of("link") == [(BOB.id, True), (BOB.id, False)]
        assert anna.linked() == ()
        assert not anna.send(BOB.id, b"over")
        bob.send(ANNA.id, b"to deaf ears")
        anna.dial(BOB.id, at(bob))
        await log.until(lambda log: len(log.of("link")) == 3)
        bob.send(ANNA.id, b"heard again")
        await log.entry("message", BOB.id, b"heard again")
        assert log.of("message") == [(BOB.id, b"heard again")]
        assert log.of("trouble") == bob_log.of("trouble") == []


@in_loop
async def test_another_key_at_the_address_is_reported_once_and_left_alone() -> None:
    async with running(ANNA, "anna") as (anna, log), running(MALLORY, "bob") as (mallory, mallory_log):
        anna.dial(BOB.id, at(mallory))
        await log.until(lambda log: bool(log.of("trouble")))
        [(id, text)] = log.of("trouble")
        assert id == BOB.id
        assert f" is not reached at {HOST}:{mallory.port}: " in text
        assert "another program" in text
        assert "tried again by itself" in text
        way = anna._peers[BOB.id].ways[f"{HOST}:{mallory.port}"]
        assert way.dealer is None
        assert way.due - asyncio.get_running_loop().time() > 1
        assert log.of("link") == mallory_log == []


@in_loop
async def test_who_claims_an_id_of_another_key_stays_a_stranger() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        await bob_log.entry("link", ANNA.id, True)
        twin = MALLORY.id[:31] + bytes([MALLORY.id[31] ^ 0x80])  # has Mallory's CURVE key
        false = [greeting_bytes(Greeting(id, b"instance", "bob", 999)) for id in (BOB.id, ANNA.id, CARA.id)]
        false.append(b"a message without a greeting")
        false.append(greeting_bytes(Greeting(MALLORY.id, b"instance", "m", 999))[:-1])
        for number, data in enumerate(false, 1):
            async with stranger(MALLORY, anna) as mallory:
                await mallory.send(data)
                async with asyncio.timeout(60):
                    while anna.inbox.dropped < number:
                        await answered(anna, log, bob)
            assert anna.linked() == (BOB.id,)
            assert set(anna._peers) == {BOB.id}
        async with stranger(MALLORY, anna) as mallory:
            await mallory.send(greeting_bytes(Greeting(MALLORY.id, b"instance", "m", 999)))
            await mallory.send(b"a message after a greeting, but on half a link")
            await mallory.send(greeting_bytes(Greeting(twin, b"instance", "twin", 999)))
            async with asyncio.timeout(60):
                while anna.inbox.dropped < len(false) + 2:
                    await answered(anna, log, bob)
        assert anna.linked() == (BOB.id,)
        assert anna.nick_of(BOB.id) == "bob"
        assert anna.nick_of(MALLORY.id) == "m"
        assert twin not in anna._peers
        assert {id for id, _ in log.of("message")} == {BOB.id}
        assert log.of("trouble") == []


@in_loop
async def test_the_second_id_of_a_key_is_refused() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
        for identity in (ANNA, BOB):
            twin = identity.id[:31] + bytes([identity.id[31] ^ 0x80])
            anna.dial(BOB.id, at(bob))
            anna.dial(twin, at(bob))
            assert set(anna._peers) == {BOB.id}
        await log.entry("link", BOB.id, True)


@in_loop
async def test_peers_beyond_the_limit_are_left_out_and_idle_strangers_make_room() -> None:
    old, roster_module.MAX_PEERS = roster_module.MAX_PEERS, 2
    try:
        async with running(ANNA, "anna") as (anna, log), stranger(MALLORY, anna) as mallory:
            await mallory.send(greeting_bytes(Greeting(MALLORY.id, b"instance", "m", 999)))
            async with asyncio.timeout(60):
                while MALLORY.id not in anna._peers:
                    await asyncio.sleep(0)
            anna.dial(BOB.id, [f"{HOST}:{free_port()}"])
            assert set(anna._peers) == {MALLORY.id, BOB.id}
            anna.dial(CARA.id, [f"{HOST}:{free_port()}"])
            assert set(anna._peers) == {CARA.id, BOB.id}
            dora = Identity(b"d" * 32).id
            anna.dial(dora, [f"{HOST}:{free_port()}"])
            anna.dial(dora, [f"{HOST}:{free_port()}"])
            assert set(anna._peers) == {CARA.id, BOB.id}
            assert len(log.of("trouble")) == 1
    finally:
        roster_module.MAX_PEERS = old


@in_loop
async def test_garbage_and_silence_on_the_port_harm_nobody() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        writers = []
        for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(2000), b"\xff" + bytes(8) + b"\x7f" + b"A" * 500):
            for port in (anna.port, anna.port + 1):
                _, writer = await asyncio.open_connection(HOST, port)
                writer.write(noise)
                writers.append(writer)
        anna.dial(BOB.id, at(bob))
        await bob_log.entry("link", ANNA.id, True)
        await answered(anna, log, bob)
        for writer in writers:
            writer.transport.abort()
        assert log.of("trouble") == []


@in_loop
async def test_what_waits_inside_of_a_link_is_bounded() -> None:
    """ZeroMQ holds so many messages of a connection, none longer, and no client makes it hold more."""
    async with running(ANNA, "anna") as (anna, _):
        assert anna.inbox.router.rcvhwm == 16
        assert 0 < int(anna.inbox.router.maxmsgsize) < 2 * MAX_MESSAGE
        assert gate_module.MAX_CONNECTIONS == 24


@in_loop
async def test_oversized_message_cuts_its_sender_only() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        with pytest.raises(ValueError, match="at most 65536"):
            anna.send(BOB.id, b"x" * (MAX_MESSAGE + 1))
        anna.dial(BOB.id, at(bob))
        await bob_log.entry("link", ANNA.id, True)
        async with stranger(MALLORY, anna) as mallory:
            await mallory.send(b"x" * (MAX_MESSAGE + 1))
            async with asyncio.timeout(60):
                while MALLORY.id not in anna._peers:  # what was under way with the long one is lost
                    await mallory.send(greeting_bytes(Greeting(MALLORY.id, b"instance", "m", 999)))
                    await answered(anna, log, bob)
        assert log.of("link") == [(BOB.id, True)]


@in_loop
async def test_another_version_is_reported_once_and_not_dialled() -> None:
    greeting = greeting_bytes(Greeting(MALLORY.id, b"instance", "m", 999))
    future = greeting.replace(b"\xaastonehenge\x02", b"\xaastonehenge\x03")
    assert future != greeting
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
        async with stranger(MALLORY, anna) as mallory:
            await mallory.send(future)
            await mallory.send(future)
            await log.until(lambda log: bool(log.of("trouble")))
        bob._outbox.greeting = bob._outbox.greeting.replace(b"\xaastonehenge\x02", b"\xaastonehenge\x03")
        anna.dial(BOB.id, at(bob))
        await log.until(lambda log: len(log.of("trouble")) == 2)
        (nobody, one), (someone, two) = log.of("trouble")
        assert (nobody, someone) == (None, BOB.id)
        for text in (one, two):
            assert "speaks protocol 3, this program speaks 2" in text
        assert anna._peers[BOB.id].ways[f"{HOST}:{bob.port}"].dealer is None
        anna._tick()
        assert anna._peers[BOB.id].ways[f"{HOST}:{bob.port}"].dealer is None
        assert log.of("link") == []


@in_loop
async def test_a_flood_does_not_silence_the_others() -> None:
    """What is over the limit is dropped before it is decoded."""
    async with (
        running(ANNA, "anna") as (anna, log),
        running(BOB, "bob") as (bob, bob_log),
        running(MALLORY, "mallory") as (mallory, mallory_log),
    ):
        for one in (bob, mallory):
            anna.dial(one._identity.id, at(one))
        await bob_log.entry("link", ANNA.id, True)
        await mallory_log.entry("link", ANNA.id, True)
        stop = asyncio.Event()
        sent = 0

        async def flood() -> None:
            nonlocal sent
            while not stop.is_set():
                for _ in range(100):
                    sent += mallory.send(ANNA.id, b"!" * 200)
                await asyncio.sleep(0)

        began = asyncio.get_running_loop().time()
        flooding = asyncio.create_task(flood())
        await log.until(lambda log: bool(log.of("trouble")))
        slowest = 0.0
        for _ in range(100):
            before = time.process_time()  # whatever else this computer does
            await answered(anna, log, bob)
            slowest = max(slowest, time.process_time() - before)
        seconds = asyncio.get_running_loop().time() - began
        stop.set()
        await flooding
        taken = sum(id == MALLORY.id for id, _ in log.of("message"))
        allowed = SEATED.burst + SEATED.messages * seconds
        assert sent > 2 * allowed, "that was a flood"
        assert taken <= allowed + 1
        assert slowest < 0.5
        assert [id for id, _ in log.of("trouble")] == [MALLORY.id]
        assert set(anna.linked()) == {BOB.id, MALLORY.id}


@in_loop
async def test_who_has_sent_too_much_is_ignored_until_there_is_room_for_what_was_lost() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        anna.dial(BOB.id, at(bob))
        await bob_log.entry("link", ANNA.id, True)
        sent: list[bytes] = []
        while not log.of("trouble"):
            for number in range(len(sent), len(sent) + 100):
                data = number.to_bytes(4, "big")
                if bob.send(ANNA.id, data):
                    sent.append(data)
            await asyncio.sleep(0)
        await log.entry("loss", BOB.id, seconds=60)
        heard = [entry[2] for entry in log[: log.index(("loss", BOB.id))] if entry[0] == "message"]
        assert heard == sent[: len(heard)], "all is heard, then nothing"
        assert len(heard) < len(sent)
        await answered(anna, log, bob)
        assert {*log.of("loss")} == {(BOB.id,)}


@in_loop
async def test_a_callback_that_fails_does_not_stop_the_reading() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, bob_log):
        bob.dial(ANNA.id, at(anna))
        await bob_log.entry("link", ANNA.id, True)
        failures: list[Any] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: failures.append(context["exception"]))
        careful = anna._turns._hand

        def careless(id: bytes, data: bytes) -> None:
            careful(id, data)
            if data == b"bad":
                raise ZeroDivisionError

        anna._turns._hand = careless
        for data in (b"bad", b"bad", b"good"):
            bob.send(ANNA.id, data)
        await log.entry("message", BOB.id, b"good")
        assert [type(failure) for failure in failures] == [ZeroDivisionError] * 2


@in_loop
async def test_close_sends_what_is_queued() -> None:
    async with running(ANNA, "anna") as (anna, log):
        bob, bob_log = peer(BOB, "bob")
        await bob.start()
        bob.dial(ANNA.id, at(anna))
        await bob_log.entry("link", ANNA.id, True)
        for _ in range(50):
            bob.send(ANNA.id, b"x" * 1000)
        bob.send(ANNA.id, b"good bye")
        began = asyncio.get_running_loop().time()
        await bob.close()
        await bob.close()
        assert asyncio.get_running_loop().time() - began < 1
        assert not bob.send(ANNA.id, b"after the end")
        await log.entry("message", BOB.id, b"good bye")
        await log.entry("link", BOB.id, False)


@in_loop
async def test_full_queue_is_told_and_not_waited_for() -> None:
    async with running(ANNA, "anna") as (anna, log), running(BOB, "bob") as (bob, _):
        anna.dial(BOB.id, at(bob))
        await log.entry("link", BOB.id, True)
        results = [anna.send(BOB.id, b"x" * MAX_MESSAGE) for _ in range(5000)]  # Bob reads nothing meanwhile
        assert not all(results)
        assert results[0]
