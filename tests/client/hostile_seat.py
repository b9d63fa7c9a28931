"""A hostile player, to be run by `attacking.py`: `hostile_seat.py KIND SECONDS join ...` attacks the table it joins.

It plays some moves, gives up, and then sends what its KIND says at each of the other players. `nothing` stays quiet.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client")]

from protocol._event import CLAIM, SEQUENCE, Head, make_event  # noqa: E402
from test_hostile import rubbish  # noqa: E402  after the path is set

from p2p_stonehenge.__main__ import main as client  # noqa: E402
from p2p_stonehenge.net.shares import SEATED  # noqa: E402
from p2p_stonehenge.table.among_peers import NetTable  # noqa: E402
from protocol import Events, Have, message_bytes  # noqa: E402

GIVES_UP = 10
FLOOD = 10_000
"""Messages a second of the one kind that keeps no limit."""
PAUSE = 0.01
IN_ONE = 100
"""Events in a message."""


def nothing(table: NetTable) -> Iterator[bytes]:
    """Send nothing."""
    del table
    return iter(())


def noise(table: NetTable) -> Iterator[bytes]:
    """Send what no honest client sends, well made and badly made."""
    return cycle([one for one in rubbish(table) if len(one) < 2000])


def flood(table: NetTable) -> Iterator[bytes]:
    """Send many times as much of the same as any client takes."""
    return noise(table)


def events(table: NetTable) -> Iterator[bytes]:
    """Sign events without end, each behind the one before, none with an effect."""
    inner = table.table
    own = max(inner.signers)
    heads, slot, digest = list(inner.heads), inner.fold.position.slot, inner.fold.digest
    while True:
        signed = []
        for number in range(IN_ONE):
            kind = SEQUENCE if number % 2 else CLAIM
            event = make_event(inner.signers[own], inner.id, own, tuple(heads), slot, digest, kind, ())
            heads[own - 1] = Head(heads[own - 1].length + 1, event.hash)
            signed.append((event.raw, event.signature))
        yield message_bytes(Events(inner.id, tuple(signed)))


def ahead(table: NetTable) -> Iterator[bytes]:
    """Sign events far ahead of what anybody holds."""
    inner = table.table
    own = max(inner.signers)
    heads, slot, digest = list(inner.heads), inner.fold.position.slot, inner.fold.digest
    length = heads[own - 1].length + 1000
    while True:
        signed = []
        for _ in range(IN_ONE):
            length += 1
            heads[own - 1] = Head(length, length.to_bytes(32, "big"))
            event = make_event(inner.signers[own], inner.id, own, tuple(heads), slot, digest, SEQUENCE, ())
            signed.append((event.raw, event.signature))
        yield message_bytes(Events(inner.id, tuple(signed)))


def questions(table: NetTable) -> Iterator[bytes]:
    """Ask for the whole game again and again."""
    return cycle([message_bytes(Have(table.table.id, (Head(0, b""),) * len(table.table.chains)))])


KINDS: dict[str, Callable[[NetTable], Iterator[bytes]]] = {
    "nothing": nothing,
    "noise": noise,
    "flood": flood,
    "events": events,
    "ahead": ahead,
    "questions": questions,
}


async def attack(table: NetTable, kind: str, seconds: float) -> None:
    while len(table.plies) < GIVES_UP:
        await asyncio.sleep(0.01)
    (own,) = table.table.signers
    table.play(own, "resign")
    await asyncio.sleep(0.5)
    messages = KINDS[kind](table)
    print("attacking", flush=True)
    began, sent, many, node = time.monotonic(), 0, 0, table._node
    most, many_at_most = (1 << 30, FLOOD) if kind == "flood" else (SEATED.bytes, SEATED.messages)
    while (passed := time.monotonic() - began) < seconds:
        while sent < passed * most and many < passed * many_at_most:
            message = next(messages, None)
            if message is None:
                break
            for peer in node.peers:
                table._sender.send(peer, message)
            sent, many = sent + len(message), many + 1
        await asyncio.sleep(PAUSE)
    print(f"attacked: {sent} bytes in {many} messages at each", flush=True)


def main(kind: str, seconds: float, words: list[str]) -> int:
    begin = NetTable.begin

    def begun(table: NetTable, *args: object) -> None:
        begin(table, *args)  # type: ignore[arg-type]
        table.attack = asyncio.ensure_future(attack(table, kind, seconds))  # type: ignore[attr-defined]
        table.attack.add_done_callback(asyncio.Future.result)  # type: ignore[attr-defined]

    NetTable.begin = begun  # type: ignore[method-assign, assignment]
    sys.argv[1:] = words
    return client() or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
