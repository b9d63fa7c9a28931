"""Whose message comes next, and who has to wait: no peer takes more than its share of the processor."""

import asyncio
import time

import pytest

from p2p_stonehenge.net import shares
from p2p_stonehenge.net.shares import Share, Turns

ANNA, BEN = b"anna", b"ben"


def run(main: object) -> None:
    asyncio.run(main())  # type: ignore[operator]


def test_a_share_is_used_up_and_comes_back() -> None:
    share = Share(0.25, 1.0, 100.0)
    assert share.wait(100.0) == 0
    share.charge(100.0, 2.0)
    assert share.wait(100.0) == pytest.approx(4.0)
    assert share.wait(102.0) == pytest.approx(2.0)
    assert share.wait(104.1) == 0
    share.charge(200.0, 0.5)
    assert share.wait(200.0) == 0, "at most so much is saved, and here all of it was"


def test_who_sends_cheap_messages_does_not_wait_behind_who_sends_costly_ones() -> None:
    """However many of the costly ones came before; those wait until their sender has some of its share again."""
    heard: list[bytes] = []

    def work(peer: bytes, data: bytes) -> None:
        heard.append(peer)
        if peer == BEN:
            time.sleep(0.02)

    async def main() -> None:
        turns, now = Turns(work), asyncio.get_running_loop().time()
        costly, cheap = Share(0.25, 0.02, now), Share(0.25, 0.02, now)
        for _ in range(50):
            assert turns.put(BEN, costly, b"x" * 1000)
        for _ in range(20):
            began = time.monotonic()
            done = heard.count(ANNA)
            assert turns.put(ANNA, cheap, b"x")
            while heard.count(ANNA) == done:
                await asyncio.sleep(0)
            assert time.monotonic() - began < 0.5, "not behind the 50 that take a second"
        began, before = time.monotonic(), heard.count(BEN)
        await asyncio.sleep(0.5)
        took = 0.02 * (heard.count(BEN) - before)
        assert 0 < took <= 0.3 * (time.monotonic() - began) + 0.04
        turns.close()

    run(main)


def test_a_message_that_comes_alone_after_a_costly_one_is_heard() -> None:
    """It waits for its sender's share to recover, and nothing else comes that would wake it."""
    heard: list[bytes] = []

    def work(_peer: bytes, data: bytes) -> None:
        heard.append(data)
        if data == b"costly":
            time.sleep(0.02)

    async def main() -> None:
        turns, share = Turns(work), Share(0.25, 0.01, asyncio.get_running_loop().time())
        turns.put(ANNA, share, b"costly")
        turns.put(ANNA, share, b"last")
        assert heard == [b"costly"]
        async with asyncio.timeout(60):
            while turns.waits(ANNA):
                await asyncio.sleep(0.01)
        assert heard == [b"costly", b"last"]
        turns.close()

    run(main)


def test_the_rest_of_the_program_gets_its_turn_between_messages() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        turns = Turns(lambda _peer, _data: time.sleep(0.004))
        share, slowest = Share(100.0, 100.0, loop.time()), 0.0
        for _ in range(100):
            turns.put(ANNA, share, b"x")
        while turns.waits(ANNA):
            began = time.monotonic()
            await asyncio.sleep(0)
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 0.1

    run(main)


def test_what_a_thread_works_at_is_waited_for_and_charged() -> None:
    """As the shuffles of a deal; meanwhile no message is handed over."""
    heard: list[bytes] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        work: list[asyncio.Future[None]] = []

        def hand(peer: bytes, data: bytes) -> asyncio.Future[None]:
            heard.append(data)
            work.append(loop.create_future())
            return work[-1]

        turns, share = Turns(hand), Share(0.25, 0.01, loop.time())
        turns.put(ANNA, share, b"one")
        turns.put(ANNA, share, b"two")
        turns.put(BEN, Share(0.25, 1.0, loop.time()), b"three")
        await asyncio.sleep(0.05)
        assert heard == [b"one"]
        work[0].set_result(None)
        while len(heard) < 2:
            await asyncio.sleep(0)
        assert heard == [b"one", b"three"]
        assert share.wait(loop.time()) > 0
        turns.close()

    run(main)


def test_what_waits_of_a_peer_is_bounded() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        turns, share = Turns(lambda _peer, _data: None), Share(0.25, 0.0, loop.time())
        share.charge(loop.time(), 1000.0)
        taken = sum(turns.put(ANNA, share, b"x" * 65536) for _ in range(100))
        assert taken == shares.WAITING_BYTES // 65536
        assert sum(turns.put(BEN, share, b"x") for _ in range(1000)) == shares.MAX_WAITING
        turns.close()

    run(main)


def test_a_message_that_fails_stops_nobody() -> None:
    heard: list[bytes] = []

    def work(peer: bytes, data: bytes) -> None:
        heard.append(data)
        if data == b"bad":
            raise ZeroDivisionError

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, _context: None)
        turns, share = Turns(work), Share(0.25, 1.0, loop.time())
        with pytest.raises(ZeroDivisionError):
            turns.put(ANNA, share, b"bad")
        turns.put(ANNA, share, b"good")
        async with asyncio.timeout(60):
            while b"good" not in heard:
                await asyncio.sleep(0)
        turns.close()

    run(main)
