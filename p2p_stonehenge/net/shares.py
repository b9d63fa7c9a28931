"""How much others can make this program do: messages, bytes and time of the processor, for each peer."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from p2p_stonehenge.net.sockets import MAX_MESSAGE

T = TypeVar("T")


class Limits(NamedTuple):
    """Messages and bytes, for each second and at once."""

    messages: int
    burst: int
    bytes: int
    byte_burst: int


GREETING = 50
"""Messages that a greeting counts for, as it may open sockets."""
SEATED = Limits(400, 2000, 1 << 20, 8 << 20)
"""Of a peer that this client dialled. Bots at full speed and the proofs of a shuffle stay far below."""
GUEST = Limits(50, 300, 1 << 16, 1 << 20)
"""Of a peer that greeted this client: it asks for a seat and signs a charter."""
STRANGER = Limits(GREETING, 8 * GREETING, 1024, 4096)
"""Of a connection whose greeting has not been accepted: it may greet."""
PART, PART_AT_ONCE = 0.25, 1.0
"""What part of the processor's time the messages of a friend may take, and seconds at once: a deal takes some tenths.
The messages of a bot at full speed take a tenth."""
STRANGERS_PART, STRANGERS_AT_ONCE = 0.04, 0.1
"""The same of all strangers together."""
AT_A_STRETCH = 0.01
"""Seconds for which messages are worked at before the rest of the program gets its turn."""
MAX_WAITING, WAITING_BYTES = 256, 1 << 19
"""Messages of one peer that wait for their turn."""


class Bucket:
    """A token bucket for messages and bytes."""

    def __init__(self, allowed: Limits, now: float) -> None:
        self._allowed, self._when = allowed, now
        self._messages, self._bytes = float(allowed.burst), float(allowed.byte_burst)

    def _fill(self, now: float) -> None:
        passed, self._when = now - self._when, now
        allowed = self._allowed
        self._messages = min(allowed.burst, self._messages + passed * allowed.messages)
        self._bytes = min(allowed.byte_burst, self._bytes + passed * allowed.bytes)

    def recovered(self, now: float) -> bool:
        """Return whether there is room again for a quarter of a second's messages, however long one of them is."""
        self._fill(now)
        return self._messages >= self._allowed.messages / 4 and self._bytes >= MAX_MESSAGE

    def take(self, now: float, messages: int, size: int) -> bool:
        """Return whether so much may come now, and count it if so."""
        self._fill(now)
        if self._messages < messages or self._bytes < size:
            return False
        self._messages -= messages
        self._bytes -= size
        return True


class Share:
    """A token bucket whose cost is known only afterwards: above all seconds of the processor's time.

    `part` tokens come each second, up to `at_once`. A cost may exceed what is left: then the share has to recover.
    """

    def __init__(self, part: float, at_once: float, now: float) -> None:
        self._part, self._at_once, self._left, self._when = part, at_once, at_once, now

    def charge(self, now: float, taken: float) -> None:
        """Subtract a cost."""
        self._left = min(self._at_once, self._left + self._part * (now - self._when)) - taken
        self._when = now

    def wait(self, now: float) -> float:
        """Return the seconds until the share has recovered; 0 if something is left."""
        return max(0.0, -self._left / self._part - (now - self._when)) if self._left <= 0 else 0.0


@dataclass(slots=True, eq=False)
class Queue:
    """What waits of one peer."""

    share: Share
    messages: deque[bytes] = field(default_factory=deque)
    size: int = 0


class Appointment(Protocol):
    """A call that is to come."""

    def when(self) -> float:
        """Return at what time it comes."""

    def cancel(self) -> None:
        """Let it not come."""


class Timer(Protocol):
    """The time, and calls at a later time: an event loop, or a clock that tests set forward."""

    def time(self) -> float:
        """Return the seconds since some moment."""

    def call_at(self, when: float, callback: Callable[[], None], /) -> Appointment:
        """Call at that time, or soon after."""


class Turns:
    """Hands messages over, peer by peer, so that no peer keeps the others waiting.

    `hand(peer, data)` takes a message. What it returns, if anything, is awaited before the next message is handed over.
    The time that both take is charged to the peer; a peer that has used up its share waits until it has some again.
    """

    def __init__(self, hand: Callable[[bytes, bytes], asyncio.Future[None] | None], clock: Timer | None = None) -> None:
        """`clock`: that of the shares; the running event loop if it is left out."""
        self._clock: Timer = clock or asyncio.get_running_loop()
        self._hand = hand
        self._turns: dict[bytes, Queue] = {}
        """The peers of which messages wait; the peer that had its turn last stands at the end."""
        self._later: Appointment | None = None
        """When to go on: at once, to let others have the processor first, or when a share has recovered."""
        self._working: asyncio.Task[None] | None = None

    def put(self, peer: bytes, share: Share, data: bytes) -> bool:
        """Hand a message over in its turn, perhaps at once; False if too much of that peer waits."""
        turn = self._turns.get(peer) or Queue(share)
        if len(turn.messages) >= MAX_WAITING or turn.size + len(data) > WAITING_BYTES:
            return False
        self._turns[peer], turn.share = turn, share
        turn.messages.append(data)
        turn.size += len(data)
        if self._working is None and (self._later is None or self._later.when() > self._clock.time()):
            self._go_on()
        return True

    def waits(self, peer: bytes) -> bool:
        """Return whether something of a peer waits."""
        return peer in self._turns

    def drop(self, peer: bytes) -> None:
        """Forget what waits of a peer."""
        self._turns.pop(peer, None)

    def close(self) -> None:
        """Hand nothing over any more."""
        self._turns.clear()
        if self._later is not None:
            self._later.cancel()
        if self._working is not None:
            self._working.cancel()

    def _go_on(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        began = now = self._clock.time()
        try:
            while self._working is None and (peer := self._next(now)) is not None:
                if now - began > AT_A_STRETCH:
                    return
                self._take_turn(peer, now)
                now = self._clock.time()
        finally:
            if self._turns and self._working is None:
                soonest = min(turn.share.wait(now) for turn in self._turns.values())
                self._later = self._clock.call_at(now + soonest, self._go_on)

    def _next(self, now: float) -> bytes | None:
        for peer, turn in self._turns.items():
            if not turn.share.wait(now):
                return peer
        return None

    def _take_turn(self, peer: bytes, began: float) -> None:
        turn = self._turns.pop(peer)
        data = turn.messages.popleft()
        turn.size -= len(data)
        if turn.messages:
            self._turns[peer] = turn
        more = None
        try:
            more = self._hand(peer, data)
        finally:
            now = self._clock.time()
            turn.share.charge(now, now - began)
        if more is not None:
            self._working = asyncio.create_task(self._await(more, turn.share))

    async def _await(self, more: asyncio.Future[None], share: Share) -> None:
        began = self._clock.time()
        try:
            await asyncio.wait({more})
        finally:
            now = self._clock.time()
            share.charge(now, now - began)
            self._working = None
            self._go_on()


def crowded_out(strangers: Iterable[T], address: Callable[[T], str], worth: Callable[[T], int]) -> T | None:
    """Return the stranger that has to make room, None if there is none.

    It is at the address with most strangers the one of least `worth`, and of several such the first. So a computer
    with many keys or connections takes the room from itself. `strangers` stand in order of arrival.
    """
    here = list(strangers)
    crowd = Counter(map(address, here))
    return min(here, key=lambda one: (-crowd[address(one)], worth(one)), default=None)
