"""Links between real transports on loopback: impostors, garbage, floods, and clients of another version."""

import asyncio
import os
import socket
import time

import pytest
from transports import (
    ANNA,
    BOB,
    CARA,
    HOST,
    MALLORY,
    answered,
    at,
    free_port,
    in_loop,
    link,
    running,
    stranger,
)

import p2p_stonehenge.net.roster as roster_module
from p2p_stonehenge.net import gate as gate_module
from p2p_stonehenge.net import sockets as sockets_module
from p2p_stonehenge.net.outbox import HANDSHAKE_FAILURES
from p2p_stonehenge.net.shares import AT_A_STRETCH, SEATED, STRANGERS_AT_ONCE
from p2p_stonehenge.net.transport import MAX_MESSAGE
from protocol import Greeting, Identity, greeting_bytes

pytestmark = pytest.mark.network


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
async def test_another_key_at_the_address_is_reported_once_and_left_alone() -> None:
    async with running(ANNA, "anna") as (anna, log), running(MALLORY, "bob") as (mallory, mallory_log):
        anna.dial(BOB.id, at(mallory))
        await log.until(lambda log: bool(log.of("trouble")))
        [(id, text)] = log.of("trouble")
        assert id == BOB.id
        assert f" is not reached at {HOST}:{mallory.port}: another program is there now, " in text
        assert "tried again by itself" in text
        way = anna._peers[BOB.id].ways[f"{HOST}:{mallory.port}"]
        assert way.dealer is None
        assert way.due - asyncio.get_running_loop().time() > 1
        assert log.of("link") == mallory_log == []


@in_loop
async def test_a_program_that_hung_and_has_ended_is_not_taken_for_another_one() -> None:
    """As when a friend ends a client that hangs and starts it again: then nobody is at the address for a moment."""
    port = free_port()
    async with running(ANNA, "anna") as (anna, log):
        with socket.create_server((HOST, port)), pytest.MonkeyPatch.context() as patch:  # where nobody answers
            patch.setattr(sockets_module, "HANDSHAKE", 1000)
            anna.dial(BOB.id, [f"{HOST}:{port}"])
            (way,) = anna._peers[BOB.id].ways.values()
            while way.failures < HANDSHAKE_FAILURES - 1 or way.line is None:
                await asyncio.sleep(0.01)
        async with running(BOB, "bob", port):
            await log.entry("link", BOB.id, True)
        assert log.of("trouble") == []


@in_loop
async def test_that_a_peer_is_not_reached_is_not_said_of_one_that_has_just_been_heard() -> None:
    """Nor is it said once and for all: after the peer's return it is news again."""
    async with running(ANNA, "anna") as (anna, log), running(MALLORY, "bob") as (mallory, _):
        anna.dial(BOB.id, at(mallory))
        await log.until(lambda log: bool(log.of("trouble")))
        async with running(BOB, "bob") as (bob, _):
            bob.dial(ANNA.id, at(anna))
            await log.entry("link", BOB.id, True)
            peer = anna._peers[BOB.id]
            false, right = peer.ways[f"{HOST}:{mallory.port}"], peer.way
            peer.way = None
            anna._outbox._rest(peer, false)
            assert len(log.of("trouble")) == 1, "bob has just greeted"
            peer.greeted = False
            anna._outbox._rest(peer, false)
            assert len(log.of("trouble")) == 2, "bob was back meanwhile"
            peer.way, peer.greeted = right, True


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
    """ZeroMQ holds no longer message; how many bytes it holds of a connection is looked at from beside it."""
    async with running(ANNA, "anna") as (anna, _):
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
        await link((anna, log), (bob, bob_log), (mallory, mallory_log))
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
async def test_costly_messages_are_heard_one_by_one_while_the_rest_of_the_program_goes_on() -> None:
    """However often something stirs at the socket, by others, while this client is behind with what came before."""
    async with (
        running(ANNA, "anna") as (anna, log),
        running(BOB, "bob") as (bob, bob_log),
        running(CARA, "cara") as (cara, cara_log),
    ):
        await link((anna, log), (bob, bob_log), (cara, cara_log))
        heard = []

        def think(peer: bytes) -> None:
            heard.append(peer)
            time.sleep(AT_A_STRETCH)  # what a message costs

        anna._turns._hand = lambda peer, _data: think(peer)
        most = asked = 0
        assert all(bob.send(ANNA.id, b"costly") for _ in range(40))
        while heard.count(BOB.id) < 40:
            before = len(heard)
            await asyncio.sleep(0)
            most = max(most, len(heard) - before)
            if heard.count(CARA.id) == asked and asked < 40:  # nothing of Cara waits: the next stirs at the socket
                asked += 1
                assert cara.send(ANNA.id, b"costly")
        assert most == 1


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
