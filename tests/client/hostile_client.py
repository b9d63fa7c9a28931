"""A hostile program, to be run by `flooding.py`: it sends 10,000 messages a second at each of its victims.

`hostile_client.py stranger SECONDS PORT...` has a valid key and no seat. `hostile_client.py seat SECONDS join ...` is a
client that plays, gives up after some moves, waits as long as it will flood, and floods its table then. Each prints
`flooding` when it begins and at the end the messages a second that each victim was sent.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client")]

from bare_curve import BareCurve  # noqa: E402  after the path is set
from test_hostile import rubbish  # noqa: E402

from p2p_stonehenge.__main__ import main as client  # noqa: E402
from p2p_stonehenge.net_table import NetTable  # noqa: E402
from p2p_stonehenge.transport import fetch_card  # noqa: E402
from protocol import Greeting, Have, Identity, greeting_bytes, message_bytes  # noqa: E402

RATE = 10_000
BEAT = 100
"""Messages at a stroke."""
GIVES_UP = 10


async def flood(send: Callable[[int], int], seconds: float) -> float:
    """Let `send` send so many messages, again and again; return how many a second it came to."""
    print("flooding", flush=True)
    began, sent, due = time.monotonic(), 0, 0
    while (passed := time.monotonic() - began) < seconds:
        while due < passed * RATE:
            due += BEAT
            sent += send(BEAT)
        await asyncio.sleep(BEAT / RATE / 2)
    return sent / (time.monotonic() - began)


async def stranger(seconds: float, ports: list[int]) -> None:
    own = Identity(os.urandom(32))
    links = []
    for port in ports:
        card = await fetch_card(f"127.0.0.1:{port}")
        links.append(BareCurve(own, card.id, port))
        links[-1].part(greeting_bytes(Greeting(own.id, bytes(8), "mallory", 999)), more=False)

    def send(number: int) -> int:
        for link in links:
            link.messages([os.urandom(200)] * number)
        return number

    print(f"flooded {await flood(send, seconds):.0f}", flush=True)


def seat(seconds: float, words: list[str]) -> int:
    begin = NetTable.begin

    async def attack(table: NetTable) -> None:
        while len(table.plies) < GIVES_UP:
            await asyncio.sleep(0.01)
        (own,) = table.table.signers
        table.play(own, "resign")
        print("gave up", flush=True)
        await asyncio.sleep(seconds)
        nothing = message_bytes(Have(table.table.id, ((0, b""),) * len(table.table.chains)))
        messages: Iterator[bytes] = cycle([nothing, *(one for one in rubbish(table) if len(one) < 2000)])

        def send(number: int) -> int:
            peers = table._node.peers
            return sum(table._sender.send(peer, next(messages)) for _ in range(number) for peer in peers) // len(peers)

        print(f"flooded {await flood(send, seconds):.0f}", flush=True)

    def begun(table: NetTable, *args: object) -> None:
        begin(table, *args)  # type: ignore[arg-type]
        table.attack = asyncio.ensure_future(attack(table))  # type: ignore[attr-defined]
        table.attack.add_done_callback(asyncio.Future.result)  # type: ignore[attr-defined]

    NetTable.begin = begun  # type: ignore[method-assign, assignment]
    sys.argv[1:] = words
    return client() or 0


if __name__ == "__main__":
    if sys.argv[1] == "stranger":
        asyncio.run(stranger(float(sys.argv[2]), [int(port) for port in sys.argv[3:]]))
    else:
        sys.exit(seat(float(sys.argv[2]), sys.argv[3:]))
