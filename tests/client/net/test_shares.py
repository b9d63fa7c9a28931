"""Whose message comes next, and who has to wait: no peer takes more than its share of the processor."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from p2p_stonehenge.net import shares
from p2p_stonehenge.net.shares import AT_A_STRETCH, Share, Turns

ANNA, BEN = b"anna", b"ben"
A_CALL = 1e-6
"""Seconds that a call takes at least: what is due a rounding error later comes."""


@dataclass
class Call:
    """A call that a clock owes."""

    at: float
    callback: Callable[[], None]
    cancelled: bool = False

    def when(self) -> float:
        return self.at

    def cancel(self) -> None:
        self.cancelled = True


class SetClock:
    """A clock that tests set forward."""

    def __init__(self) -> None:
        self.now = 100.0
        self._calls: list[Call] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], None], /) -> Call:
        self._calls.append(Call(when, callback))
        return self._calls[-1]

    def runs_next(self, until: float) -> bool:
        """Make the next call that is due by a time; return whether there was one, else that time has come."""
        due = [call for call in self._calls if not call.cancelled and call.at <= until]
        if not due:
            self.now = max(self.now, until)
            return False
        call = min(due, key=Call.when)
        self._calls.remove(call)
        self.now = max(self.now, call.at) + A_CALL
        call.callback()
        return True

    def runs_until(self, until: float) -> None:
        """Make all calls that are due by a time."""
        while self.runs_next(until):
            pass


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


def test_a_share_is_used_up_and_comes_back() -> None:
    share = Share(0.25, 1.0, 100.0)
    assert share.wait(100.0) == 0
    share.charge(100.0, 2.0)
    assert share.wait(100.0) == pytest.approx(4.0)
    assert share.wait(102.0) == pytest.approx(2.0)
    assert share.wait(104.1) == 0
    share.charge(200.0, 0.5)
    assert share.wait(200.0) == 0, "at most so much is saved, and here all of it was"


def test_who_sends_cheap_messages_does_not_wait_behind_who_sends_costly_ones(clock: SetClock) -> None:
    """However many of the costly ones came before; those wait until their sender has some of its share again."""
    heard: list[bytes] = []

    def work(peer: bytes, _data: bytes) -> None:
        heard.append(peer)
        if peer == BEN:
            clock.now += 0.02

    turns, costly, cheap = Turns(work, clock), Share(0.25, 0.02, clock.now), Share(0.25, 0.02, clock.now)
    for _ in range(50):
        assert turns.put(BEN, costly, b"x" * 1000)
    for _ in range(20):
        done, before = heard.count(ANNA), heard.count(BEN)
        assert turns.put(ANNA, cheap, b"x")
        while heard.count(ANNA) == done:
            assert clock.runs_next(clock.now), "what is cheap waits for no share"
        assert heard.count(BEN) - before <= 1, "not behind the 50"
    began, before = clock.now, heard.count(BEN)
    clock.runs_until(clock.now + 2)
    took = 0.02 * (heard.count(BEN) - before)
    assert took == pytest.approx(0.25 * (clock.now - began), abs=0.04)
    turns.close()


def test_a_message_that_comes_alone_after_a_costly_one_is_heard(clock: SetClock) -> None:
    """It waits for its sender's share to recover, and nothing else comes that would wake it."""
    heard: list[bytes] = []

    def work(_peer: bytes, data: bytes) -> None:
        heard.append(data)
        if data == b"costly":
            clock.now += 0.02

    turns, share = Turns(work, clock), Share(0.25, 0.01, clock.now)
    turns.put(ANNA, share, b"costly")
    turns.put(ANNA, share, b"last")
    clock.runs_until(clock.now + 0.03)
    assert heard == [b"costly"]
    assert turns.waits(ANNA)
    clock.runs_until(clock.now + 0.02)
    assert heard == [b"costly", b"last"]
    turns.close()


def test_the_rest_of_the_program_gets_its_turn_between_messages(clock: SetClock) -> None:
    """Messages that wait are worked at for a while only, before the event loop has other calls to make."""
    heard: list[bytes] = []

    def work(_peer: bytes, data: bytes) -> None:
        heard.append(data)
        clock.now += 0.004

    turns, share = Turns(work, clock), Share(100.0, 100.0, clock.now)
    share.charge(clock.now, 200.0)
    for _ in range(100):
        turns.put(ANNA, share, b"x")
    assert heard == []
    most = done = 0
    while turns.waits(ANNA):
        assert clock.runs_next(clock.now + 1)
        most, done = max(most, len(heard) - done), len(heard)
    assert len(heard) == 100
    assert most * 0.004 < AT_A_STRETCH + 0.004
    turns.close()


def test_what_a_thread_works_at_is_waited_for_and_charged(clock: SetClock) -> None:
    """As the shuffles of a deal; meanwhile no message is handed over."""
    heard: list[bytes] = []

    async def main() -> None:
        work: list[asyncio.Future[None]] = []

        def hand(_peer: bytes, data: bytes) -> asyncio.Future[None]:
            heard.append(data)
            work.append(asyncio.get_running_loop().create_future())
            return work[-1]

        turns, share = Turns(hand, clock), Share(0.25, 0.01, clock.now)
        turns.put(ANNA, share, b"one")
        turns.put(ANNA, share, b"two")
        turns.put(BEN, Share(0.25, 1.0, clock.now), b"three")
        await asyncio.sleep(0)  # now the work is waited for
        clock.runs_until(clock.now + 0.05)
        assert heard == [b"one"]
        work[0].set_result(None)
        async with asyncio.timeout(60):
            while len(heard) < 2:
                await asyncio.sleep(0)
        assert heard == [b"one", b"three"]
        assert share.wait(clock.now) == pytest.approx((0.05 - 0.01) / 0.25)
        turns.close()

    asyncio.run(main())


def test_what_waits_of_a_peer_is_bounded(clock: SetClock) -> None:
    turns, share = Turns(lambda _peer, _data: None, clock), Share(0.25, 0.0, clock.now)
    share.charge(clock.now, 1000.0)
    taken = sum(turns.put(ANNA, share, b"x" * 65536) for _ in range(100))
    assert taken == shares.WAITING_BYTES // 65536
    assert sum(turns.put(BEN, share, b"x") for _ in range(1000)) == shares.MAX_WAITING
    turns.close()


def test_a_message_that_fails_stops_nobody(clock: SetClock) -> None:
    heard: list[bytes] = []

    def work(_peer: bytes, data: bytes) -> None:
        heard.append(data)
        if data == b"bad":
            raise ZeroDivisionError

    turns, share = Turns(work, clock), Share(0.25, 1.0, clock.now)
    with pytest.raises(ZeroDivisionError):
        turns.put(ANNA, share, b"bad")
    turns.put(ANNA, share, b"good")
    assert heard == [b"bad", b"good"]
    turns.close()


def test_a_message_that_fails_in_its_turn_stops_nobody(clock: SetClock) -> None:
    """That of another peer comes nevertheless, without a message that would wake it."""
    heard: list[bytes] = []

    def work(_peer: bytes, data: bytes) -> None:
        heard.append(data)
        if data == b"bad":
            raise ZeroDivisionError

    turns, used_up = Turns(work, clock), Share(1.0, 1.0, clock.now)
    used_up.charge(clock.now, 2.0)
    turns.put(ANNA, used_up, b"bad")
    turns.put(BEN, used_up, b"good")
    with pytest.raises(ZeroDivisionError):
        clock.runs_until(clock.now + 2)
    clock.runs_until(clock.now + 2)
    assert heard == [b"bad", b"good"]
    turns.close()


def test_the_event_loop_is_the_clock_where_none_is_given() -> None:
    async def main() -> None:
        loop, heard = asyncio.get_running_loop(), asyncio.Event()
        turns, share = Turns(lambda _peer, _data: heard.set()), Share(1.0, 1.0, loop.time())
        share.charge(loop.time(), 1.01)
        turns.put(ANNA, share, b"x")
        assert not heard.is_set()
        async with asyncio.timeout(60):
            await heard.wait()
        turns.close()

    asyncio.run(main())
