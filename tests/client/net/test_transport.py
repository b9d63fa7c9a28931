"""Links between real transports on loopback: greetings, restarts, several addresses, queues."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
import zmq
import zmq.asyncio
from transports import (
    ANNA,
    BOB,
    CARA,
    HOST,
    at,
    free_port,
    in_loop,
    peer,
    run,
    running,
    stranger,
)

from p2p_stonehenge.net import outbox
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.sockets import OF_A_STRANGER
from p2p_stonehenge.net.transport import MAX_MESSAGE, ONE_WAY_AFTER
from protocol import Greeting, greeting_bytes, id_text

pytestmark = pytest.mark.network


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
async def test_the_player_through_whom_one_watches_may_take_more_of_the_processor_than_a_player_at_ones_table() -> None:
    """Else a long game, each event of which is checked, would take minutes to come on a busy computer."""
    async with running(ANNA, "anna") as (anna, _):
        for peer, watched in ((BOB, True), (CARA, False)):
            anna.dial(peer.id, [f"{HOST}:{free_port()}"], watched=watched)
            known = anna._peers.get(peer.id)
            assert known
            known.share.charge(anna._loop.time(), 4.0)
            wait = known.share.wait(anna._loop.time())
            assert (wait < 5.0) == watched


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
async def test_who_has_not_answered_is_called_as_that_player_was_announced() -> None:
    async with running(ANNA, "anna") as (anna, _):
        anna.dial(BOB.id, (), nick="bob")
        anna.dial(CARA.id, ())
        assert (anna.nick_of(BOB.id), anna.nick_of(CARA.id)) == ("bob", id_text(CARA.id)[:8])


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
async def test_one_that_comes_back_after_a_while_is_not_told_to_look_at_its_firewall_at_once() -> None:
    """It greets, and for a moment only the old address is known: that is news only once it has lasted."""
    async with running(ANNA, "anna") as (anna, log), stranger(BOB, anna) as bob:
        anna.dial(BOB.id, [f"{HOST}:{free_port()}"])
        known, seek = anna._peers[BOB.id], anna._outbox.seek
        known.since -= 10 * ONE_WAY_AFTER

        def sought(one: Peer) -> None:
            log.add("sought", one.greeted > 0)
            seek(one)

        anna._outbox.seek = sought  # type: ignore[assignment, method-assign]
        await bob.send(greeting_bytes(Greeting(BOB.id, b"instance", "bob", free_port())))
        await log.until(lambda log: log.of("sought").count((True,)) == 2)
        assert log.of("trouble") == []
        known.greeted -= 2 * ONE_WAY_AFTER
        await log.until(
            lambda log: any(" reaches this computer but is not reached " in text for _, text in log.of("trouble"))
        )


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


def test_close_sends_what_is_queued_and_waits_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LAST_WORDS", 3_600_000)  # so that to wait for its end would last an hour
    run(close_sends_what_is_queued)


async def close_sends_what_is_queued() -> None:
    async with running(ANNA, "anna") as (anna, log):
        bob, bob_log = peer(BOB, "bob")
        await bob.start()
        bob.dial(ANNA.id, at(anna))
        anna.dial(BOB.id, at(bob))  # a stranger would be cut off where this computer has no time for strangers
        await bob_log.entry("link", ANNA.id, True)
        await log.entry("link", BOB.id, True)  # what comes before is dropped
        for _ in range(50):
            bob.send(ANNA.id, b"x" * 1000)
        bob.send(ANNA.id, b"good bye")
        await bob.close()
        await bob.close()
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
