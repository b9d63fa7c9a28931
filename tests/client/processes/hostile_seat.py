"""A hostile player, to be run by `attacking.py`: `hostile_seat.py KIND SECONDS join ...` attacks the table it joins.

It plays some moves, gives up, and then sends what its KIND says at each of the other players. `nothing` stays quiet.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client")]

from rubbish import rubbish  # noqa: E402  after the path is set

from p2p_stonehenge.__main__ import main as client  # noqa: E402
from p2p_stonehenge.net.shares import SEATED  # noqa: E402
from p2p_stonehenge.table.among_peers import NetTable  # noqa: E402
from protocol import Table, message_bytes  # noqa: E402
from protocol.events import EventBody, Head, bodies, make_event  # noqa: E402
from protocol.messages import Events, Have  # noqa: E402

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


def signed_without_end(inner: Table, said: Iterator[EventBody], skipped: int = 0) -> Iterator[bytes]:
    """Sign events at the open slot, each behind the one before, `skipped` numbers ahead of what anybody holds."""
    own = max(inner.own.signers)
    position, signer = inner.fold.position, inner.own.signers[own]
    heads = list(inner.held.heads)
    if skipped:
        heads[own - 1] = Head(heads[own - 1].length + skipped, bytes(32))
    while True:
        signed = []
        for body in islice(said, IN_ONE):
            event = make_event(signer, inner.id, own, tuple(heads), position.slot, position.digest, body)
            heads[own - 1] = Head(heads[own - 1].length + 1, event.hash)
            signed.append((event.raw, event.signature))
        yield message_bytes(Events(inner.id, tuple(signed)))


def events(table: NetTable) -> Iterator[bytes]:
    """Sign events without end, none with an effect."""
    return signed_without_end(table.table, cycle([bodies.Sequence(), bodies.Wish(1), bodies.Wish(0)]))


def ahead(table: NetTable) -> Iterator[bytes]:
    """Sign events far ahead of what anybody holds."""
    return signed_without_end(table.table, cycle([bodies.Sequence()]), skipped=1000)


def agreements(table: NetTable) -> Iterator[bytes]:
    """Propose without end that nobody leaves: each number is one that the others could sign."""
    return signed_without_end(table.table, (bodies.Epoch(number, ()) for number in count(1)))


def questions(table: NetTable) -> Iterator[bytes]:
    """Ask for the whole game again and again."""
    return cycle([message_bytes(Have(table.table.id, (Head(0, b""),) * len(table.table.held.chains)))])


KINDS: dict[str, Callable[[NetTable], Iterator[bytes]]] = {
    "nothing": nothing,
    "noise": noise,
    "flood": flood,
    "events": events,
    "ahead": ahead,
    "agreements": agreements,
    "questions": questions,
}


async def attack(table: NetTable, kind: str, seconds: float) -> None:
    while len(table.plies) < GIVES_UP:
        await asyncio.sleep(0.01)
    (own,) = table.table.own.signers
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
                table._jobs.sender.send(peer, message)
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
