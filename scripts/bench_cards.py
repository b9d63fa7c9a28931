"""Speed of the masked deck, and of a deal among processes. `bench.py` runs this."""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from random import Random

from bench_rows import ROOT, Row, memory_disk

DECKS = (31, 36, 61)
"""How many cards are shuffled."""
ROUNDS = 15
"""How often each step of the masked deck is timed."""
TABLES = ((2, 31, 15), (3, 31, 10), (4, 31, 7), (5, 36, 7))
"""Deals among processes: players, cards, cards in a hand."""
DEALS = 5
"""Deals that are timed, after one to warm up."""


def cards() -> Iterator[Row]:
    """Shuffling, checking and opening a masked deck, against the bare group operations that the algorithm needs."""
    from protocol.cards.deck import MASKED_DECK as DECK

    seats = [bytes([seat]) * 32 for seat in (1, 2)]
    public, _ = DECK.make_key(seats[0], b"")
    joint = DECK.joint_key([public, DECK.make_key(seats[1], b"")[0]])
    for n in DECKS:
        deck, _ = DECK.shuffle(seats[1], DECK.first_deck(n, joint), joint, b"")
        shuffled, proof = DECK.shuffle(seats[0], deck, joint, b"")
        share = DECK.make_share(seats[0], deck, 1, b"")
        for name, work in (
            ("shuffle", lambda d=deck: DECK.shuffle(seats[0], d, joint, b"")),
            ("proves_shuffle", lambda d=deck, s=shuffled, p=proof: DECK.proves_shuffle(d, s, joint, p, b"")),
            ("make_share", lambda d=deck: DECK.make_share(seats[0], d, 1, b"")),
            ("proves_share", lambda d=deck, s=share: DECK.proves_share(public, d, 1, s, b"")),
        ):
            ours, floor = _beside(work, _group_work(*_card_operations(n)[name]), 100 if "share" in name else 1)
            yield Row(
                f"{name}, {n} cards",
                f"{ours * 1e3:.2f} ms",
                f"{floor * 1e3:.2f} ms group operations",
                ours / floor,
                "<= 1.3",
            )


def _card_operations(n: int) -> dict[str, tuple[int, int, int, int]]:
    """Return how many multiplications, those of the base, sums and checks of points each step needs for `n` cards."""
    return {
        "shuffle": (6 * n + 1, 4 * n + 4, 8 * n, 0),
        "proves_shuffle": (8 * n + 4, n + 4, 9 * n + 3, 4 * n),
        "make_share": (2, 2, 0, 0),
        "proves_share": (3, 1, 2, 1),
    }


def _group_work(multiplied: int, base: int, summed: int, checked: int) -> Callable[[], object]:
    """Return a call that does so many operations of the group in PyNaCl and nothing else."""
    from nacl import bindings as nacl

    scalar = os.urandom(31) + b"\0"
    point = nacl.crypto_scalarmult_ed25519_base_noclamp(scalar)

    def work() -> None:
        for _ in range(multiplied):
            nacl.crypto_scalarmult_ed25519_noclamp(scalar, point)
        for _ in range(base):
            nacl.crypto_scalarmult_ed25519_base_noclamp(scalar)
        for _ in range(summed):
            nacl.crypto_core_ed25519_add(point, point)
        for _ in range(checked):
            nacl.crypto_core_ed25519_is_valid_point(point)

    return work


def _beside(ours: Callable[[], object], peer: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Return the median seconds of two calls that take turns, each `repeat` times in a row."""
    times: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for work, taken in zip((ours, peer), times, strict=True):
            start = time.perf_counter()
            for _ in range(repeat):
                work()
            taken.append((time.perf_counter() - start) / repeat)
    return statistics.median(times[0]), statistics.median(times[1])


def deals() -> Iterator[Row]:
    """A deal of Celtic Whist among processes on loopback, against its group operations one after the other."""
    for seats, cards, hand in TABLES:
        # The machine may be faster or slower a minute later: the operations are timed before the deals and after them.
        before = _card_floors(cards)
        times, size = asyncio.run(_deals(seats))
        after = _card_floors(cards)
        floors = {name: (before[name] + after[name]) / 2 for name in before}
        shared = (seats - 1) * hand
        path = seats * (floors["shuffle"] + floors["proves_shuffle"])
        path += shared * floors["make_share"] + (seats - 1) * shared * floors["proves_share"]
        took = statistics.median(times)
        row = f"{took * 1e3:.0f} ms", f"{path * 1e3:.0f} ms group operations", took / path, "<= 2"
        yield Row(f"a deal, {seats} players", *row)
        yield Row(f"a round's file, {seats} players", f"{size / 1e3:.0f} kB", "120 kB", size / 120e3, "<= 1")


def _card_floors(n: int) -> dict[str, float]:
    """Return the seconds that the group operations of each step take for a deck of `n` cards."""
    floors = {}
    for name, bare in _card_operations(n).items():
        work, repeat = _group_work(*bare), 20 if "share" in name else 1
        _, floors[name] = _beside(work, work, repeat)
    return floors


async def _deals(seats: int) -> tuple[list[float], int]:
    """Return how long each deal took, from the trump to the hands, and the mean size of a round in the file."""
    from engine import all_games
    from p2p_stonehenge.bots.players import Bots
    from p2p_stonehenge.lobby.hosting import HostLobby
    from p2p_stonehenge.lobby.setup import Setup
    from p2p_stonehenge.net.client import Network
    from p2p_stonehenge.storage.home import Home
    from p2p_stonehenge.table.among_peers import NetTable
    from p2p_stonehenge.table.session import Notice, Ply
    from protocol import Node, Table

    times: list[float] = []
    began = 0.0
    enough = asyncio.Event()
    with tempfile.TemporaryDirectory(dir=memory_disk()) as memory:
        home = Home.open(f"{memory}/1")
        async with Network(home, "bench", "127.0.0.1", None) as network:
            lobby = HostLobby(network, home, lambda _text: None, Setup(all_games()["celtic-whist"], {}, seats))
            gathering = asyncio.create_task(lobby.gather())
            address = f"127.0.0.1:{network.transport.port}"
            words = ("-m", "p2p_stonehenge", "join", address, "--auto", "0", "--interface", "127.0.0.1", "--home")
            guests = [
                subprocess.Popen([sys.executable, *words, f"{memory}/{n}"], cwd=ROOT, stdout=subprocess.DEVNULL)
                for n in range(2, seats + 1)
            ]
            formed = await gathering
            node = Node(Table(formed.charter, formed.signers, formed.secrets), formed.formation)
            for peer in node.peers:
                network.dial(peer, ())
            table = NetTable(node, home.journal(formed.charter.table), network.transport, ())

            def heard(notice: Notice) -> None:
                nonlocal began
                if isinstance(notice, Ply) and notice.action.startswith("trump"):
                    began = time.perf_counter()
                if isinstance(notice, Ply) and notice.action == "deal":
                    times.append(time.perf_counter() - began)
                if len(times) > DEALS and isinstance(notice, Ply) and notice.action.startswith("trump"):
                    enough.set()

            table.listen(heard)
            network.handler = table
            table.begin(network.transport.linked())
            Bots(table, [1], 0, Random(1)).start()
            watching = asyncio.create_task(table.keep_time())
            await asyncio.wait_for(enough.wait(), 120)
            size = table.path.stat().st_size // len(times)
            watching.cancel()
        for guest in guests:
            guest.kill()
            guest.wait()
    return times[1:], size
