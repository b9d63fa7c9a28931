"""Speed of the table: a move and a roll between two processes on loopback. `bench.py` runs this."""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench_rows import ROOT, Row, memory_disk

MOVES = 400
WARM_UP = 50
TRIPS = 100
"""Bare round trips after each game."""


def table() -> Iterator[Row]:
    """A move and a fair roll between two processes, against bare round trips of the same size in between.

    A roll falls due when the move that leads to it is signed and on disk. The mover's part goes with that move, so it
    is counted from the choice of the move as well, which is more than the roll: the move is checked and signed in it.
    The least that either could take is a bare round trip and its signatures: one for a move, two for a roll.
    """
    size, trip, move, (due, mover, chosen), fsync = asyncio.run(_table())
    signature = _signature(size)
    bare = f"{trip:.0f} us"
    there_and_back = f"{bare} ({size} B there and back)"
    yield Row("a move, until acknowledged", f"{move:.0f} us", there_and_back, move / trip, "<= 2.5")
    for name, taken, target in (
        ("a roll, until both know it", due, "<= 3.5"),
        ("a roll, until its mover knows it", mover, "<= 3.5"),
        ("a roll with the choice of its move", chosen, "-"),
    ):
        yield Row(name, f"{taken:.0f} us", bare, taken / trip, target)
    for name, number in (("a move", 1), ("a roll", 2)):
        least = trip + number * signature
        yield Row(f"the least for {name}", f"{least:.0f} us", bare, least / trip, "-")
    yield Row("fsync of a move's record, apart", f"{fsync:.0f} us", "-", fsync / trip, "-")


class _Bare:
    """A bare zmq.asyncio CURVE round trip to another process."""

    def __init__(self) -> None:
        import zmq
        import zmq.asyncio

        public, secret = zmq.curve_keypair()
        self._child = _child("echo", public.hex(), secret.hex())
        assert self._child.stdout
        port = int(self._child.stdout.readline())
        self._context = zmq.asyncio.Context()
        self._dealer = self._context.socket(zmq.DEALER)
        self._dealer.linger = 0
        self._dealer.curve_publickey, self._dealer.curve_secretkey = zmq.curve_keypair()
        self._dealer.curve_serverkey = public
        self._dealer.connect(f"tcp://127.0.0.1:{port}")
        self.times: list[float] = []
        """Seconds that each took."""

    async def trips(self, size: int, number: int) -> None:
        """Make so many round trips, some more before them to warm up."""
        payload = os.urandom(size)
        for at in range(-WARM_UP, number):
            start = time.perf_counter()
            await self._dealer.send(payload)
            await self._dealer.recv()
            if at >= 0:
                self.times.append(time.perf_counter() - start)

    def close(self) -> None:
        """End the other process as well."""
        self._dealer.close()
        self._context.term()
        self._child.kill()
        with self._child:  # waits for it, and closes what it wrote to
            pass


async def _echo(public: str, secret: str) -> None:
    import zmq
    import zmq.asyncio

    router = zmq.asyncio.Context.instance().socket(zmq.ROUTER)
    router.curve_server = True
    router.curve_publickey, router.curve_secretkey = bytes.fromhex(public), bytes.fromhex(secret)
    print(router.bind_to_random_port("tcp://127.0.0.1"), flush=True)
    while True:
        await router.send_multipart(await router.recv_multipart())


def _signature(size: int) -> float:
    """Return the median time to sign a message of so many bytes and to check that, in microseconds."""
    from nacl.signing import SigningKey

    signer, message = SigningKey(bytes(32)), os.urandom(size)
    key, times = signer.verify_key, []
    for _ in range(MOVES):
        start = time.perf_counter()
        key.verify(message, signer.sign(message).signature)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


class _Roll(NamedTuple):
    """When the move that led to a roll was chosen, and when it was made; when each seat knew the roll, the mover first.

    Both processes read one clock, which counts from the start of the computer.
    """

    chosen: float
    due: float
    known: tuple[float, float]


async def _table() -> tuple[int, float, float, tuple[float, float, float], float]:
    """Return the size of a move's message, and the medians of a bare trip, a move, rolls, an fsync, in microseconds.

    A roll lasts until both seats know its value, or until its mover does, or until both do from the choice of its move.
    """
    with tempfile.TemporaryDirectory(dir=memory_disk()) as memory:
        moves, rolls, trips, size = await _play(_Seat(1, "kingamon", Path(memory)))
    with tempfile.TemporaryDirectory(dir=ROOT) as disk:
        fsync = _fsync(Path(disk), size)
    due, mover, chosen = (
        statistics.median(spans) * 1e6
        for spans in (
            [max(roll.known) - roll.due for roll in rolls],
            [roll.known[0] - roll.due for roll in rolls],
            [max(roll.known) - roll.chosen for roll in rolls],
        )
    )
    return size, statistics.median(trips) * 1e6, statistics.median(moves) * 1e6, (due, mover, chosen), fsync


async def _play(seat: "_Seat") -> tuple[list[float], list[_Roll], list[float], int]:
    """Play whole games against another process, bare round trips after each, so that both meet the same machine.

    Return the times of moves, of rolls and of those trips, and the size of a move.
    """
    moves: list[float] = []
    rolls: list[_Roll] = []
    bare = _Bare()
    game = 0
    while len(moves) < MOVES or len(rolls) < MOVES:
        game += 1
        with _child("seat", str(seat.home), str(game)) as child:
            assert child.stdout
            await seat.sit(game, int(child.stdout.readline()))
            made = await seat.timed_game(moves)
            child.wait(10)
        theirs = json.loads(seat.known_file(2).read_text())
        rolls += [_Roll(chosen, due, (seat.known[ply], theirs[str(ply)])) for ply, chosen, due in made]
        await bare.trips(seat.size, TRIPS)
    bare.close()
    return moves[WARM_UP:], rolls[WARM_UP:], bare.times, seat.size


class _Seat:
    """One client of a two-seat table, driven by a program."""

    def __init__(self, number: int, key: str, home: Path) -> None:
        self.number, self.key, self.home = number, key, home
        self.size = 0
        """Of the largest message with an own move."""
        self.made = self.acknowledged = 1.0
        """When the last own move was signed and on disk, and when it was acknowledged; 0 until then."""
        self.known: dict[int, float] = {}
        """When this client knew the outcome of each ply of chance."""

    async def sit(self, game: int, port: int | None) -> int:
        """Take the seat of game number `game`; the other one listens at `port`, or dials us if that is None."""
        from engine import all_games
        from p2p_stonehenge.net.transport import Listener, Transport
        from p2p_stonehenge.storage.home import Home
        from p2p_stonehenge.table.among_peers import NetTable
        from protocol import NET, Formation, Identity, Node, Seat, Secrets, Table, make_body

        seed = game.to_bytes(31, "big")
        identities = [Identity(seed + bytes([number])) for number in (1, 2)]
        seats = tuple(Seat(one.id, f"p{number}", number) for number, one in enumerate(identities, 1))
        body = make_body(NET, all_games()[self.key], {}, seats, seed[:16])
        first, second = (Formation(body, {number: identities[number - 1]}, seed) for number in (1, 2))
        for left, right in ((first, second), (second, first)) * 3:
            left.merge(right.message())
        charter = first.charter
        assert charter
        own, self.other = identities[self.number - 1], identities[2 - self.number].id
        self.up, self.gone = asyncio.Event(), False
        listener = Listener(
            self._message, self._link, lambda _peer: None, lambda _peer, text: print(text, file=sys.stderr)
        )
        self.transport = Transport(own, "p", listener, interface="127.0.0.1", port=None)
        await self.transport.start()
        home = Home.open(str(self.home / f"{game}-{self.number}"))
        self.game, self.known = game, {}
        self.node = Node(Table(charter, {self.number: own}, Secrets.from_seed(seed)))
        self.session = NetTable(self.node, home.journal(charter.table), self, ())
        self.session.listen(self._heard)
        self.transport.dial(self.other, [f"127.0.0.1:{port}"] if port else [])
        return self.transport.port

    def send(self, peer: bytes, data: bytes) -> bool:
        """Send for the session, noting when the own move goes out and how large the largest one is."""
        if not self.made:
            self.made = time.perf_counter()
            self.size = max(self.size, len(data))
        return self.transport.send(peer, data)

    def nick_of(self, peer: bytes) -> str:
        """Return what the other client calls itself, for the session."""
        return self.transport.nick_of(peer)

    def keep(self, peer: bytes, seated: bool) -> None:
        """Keep the other client's link, for the session."""
        self.transport.keep(peer, seated)

    def _message(self, peer: bytes, data: bytes) -> None:
        self.session.receive(peer, data)
        if not self.acknowledged and self.node.acknowledged:
            self.acknowledged = time.perf_counter()
        self.changed.set()

    def _link(self, peer: bytes, up: bool) -> None:
        if up and not self.up.is_set():
            self.changed = asyncio.Event()
            self.up.set()
            self.session.begin([peer])
        elif not up:  # the other one holds all that counts, and has left: its last word may be missing here
            self.gone = True
            self.acknowledged = self.acknowledged or time.perf_counter()
            self.changed.set()

    def _heard(self, notice: object) -> None:
        from p2p_stonehenge.table.session import Ply

        if isinstance(notice, Ply) and not notice.actor:
            self.known[notice.number] = time.perf_counter()

    def known_file(self, number: int) -> Path:
        """Where a seat leaves for the other one what it knew when."""
        return self.home / f"known-{self.game}-{number}"

    async def timed_game(self, moves: list[float]) -> list[tuple[int, float, float]]:
        """Play to the end, adding the time of each own move to `moves`.

        Return each roll that own play led to: its ply, when that play was chosen, and when it was made.
        """
        rng = Random(1)
        rolls = []
        await self.up.wait()
        while self.session.result is None:
            # The other one may still be taking in this seat's part of the roll: a move is timed from a quiet table.
            if self.session.turn != self.number or not self.node.acknowledged:
                self.changed.clear()
                await self.changed.wait()
                continue
            action = rng.choice(self.session.game.legal(self.session.state, self.number))
            plies = len(self.session.plies)
            self.made = self.acknowledged = 0.0
            start = time.perf_counter()
            self.session.play(self.number, action)
            chance = not self.session.turn
            while not self.acknowledged:
                self.changed.clear()
                await self.changed.wait()
            if self.session.result is not None:
                break
            if chance:
                rolls.append((plies + 2, start, self.made))
            else:
                moves.append(self.acknowledged - start)
        if not self.gone:
            await self.session.keep_time()
        await self.transport.close()
        self.known_file(self.number).write_text(json.dumps(self.known))
        return rolls


async def _seat(home: str, game: str) -> None:
    seat = _Seat(2, "kingamon", Path(home))
    print(await seat.sit(int(game), None), flush=True)
    await seat.timed_game([])


def _fsync(directory: Path, size: int) -> float:
    """Return the median time to append `size` bytes to a file and to wait for the disk, in microseconds."""
    times = []
    with (directory / "journal").open("ab", buffering=0) as file:
        for _ in range(100):
            start = time.perf_counter()
            file.write(os.urandom(size))
            os.fsync(file.fileno())
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def _child(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":  # the other process
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description="The other process of two that bench.py measures.")
    parser.add_argument("what", choices=("echo", "seat"))
    parser.add_argument("words", nargs="*", metavar="WORD")
    said = parser.parse_args()
    asyncio.run({"echo": _echo, "seat": _seat}[said.what](*said.words))
