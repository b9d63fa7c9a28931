"""Speed, side by side with peers in one run, as ratios: `python scripts/bench.py [NAME...]`, `--list` names them.

Absolute figures move from machine to machine; only the ratios mean something, and one under 1.2 means nothing.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

MOVES = 400
WARM_UP = 50
TRIPS = 100
"""Bare round trips after each game."""


class Row(NamedTuple):
    """One comparison. `ratio` is ours to the peer's; `target` says in words what it should be."""

    name: str
    ours: str
    peer: str
    ratio: float
    target: str


# The table: a move and a roll between two processes on loopback.


def table() -> Iterator[Row]:
    """A move and a fair roll between two processes, against bare round trips of the same size in between.

    A roll falls due when the move that leads to it is signed and on disk. The mover's part goes with that move, so it
    is counted from the choice of the move as well, which is more than the roll: the move is checked and signed in it.
    The least that either could take is a bare round trip and its signatures: one for a move, two for a roll.
    """
    size, trip, move, (due, mover, chosen), fsync = asyncio.run(_table())
    signature = _signature(size)
    bare = f"{trip:.0f} us"
    yield Row("a move, until acknowledged", f"{move:.0f} us", f"{bare} ({size} B there and back)", move / trip, "<= 3")
    for name, taken, target in (
        ("a roll, until both know it", due, "<= 3"),
        ("a roll, until its mover knows it", mover, "<= 3"),
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
        self._child.wait()


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
    with tempfile.TemporaryDirectory(dir=_memory()) as memory:
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
        child = _child("seat", str(seat.home), str(game))
        assert child.stdout
        port = int(child.stdout.readline())
        await seat.sit(game, port)
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
        from p2p_stonehenge.home import Home
        from p2p_stonehenge.net_table import NetTable
        from p2p_stonehenge.transport import Transport
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
        self.up = asyncio.Event()
        self.transport = Transport(
            own, "p", interface="127.0.0.1", port=None, on_message=self._message, on_link=self._link,
            on_loss=lambda _peer: None, on_trouble=lambda _peer, text: print(text, file=sys.stderr),
        )  # fmt: skip
        await self.transport.start()
        home = Home.open(str(self.home / f"{game}-{self.number}"))
        self.game, self.known = game, {}
        self.node = Node(Table(charter, {self.number: own}, Secrets.from_seed(seed)))
        self.session = NetTable(self.node, home.journal(charter.table.hex()), self, ())
        self.session.listen(self._heard)
        self.transport.dial(self.other, [f"127.0.0.1:{port}"] if port else [])
        return self.transport.port

    def send(self, peer: bytes, data: bytes) -> bool:
        """Send for the session, noting when the own move goes out and how large the largest one is."""
        if not self.made:
            self.made = time.perf_counter()
            self.size = max(self.size, len(data))
        return self.transport.send(peer, data)

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

    def _heard(self, notice: object) -> None:
        from p2p_stonehenge.session import Ply

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
            if not chance:
                moves.append(self.acknowledged - start)
            elif self.session.result is None:
                rolls.append((plies + 2, start, self.made))
        await self.session.watch()
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


def _memory() -> str | None:
    """Where fsync costs nothing, if there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _child(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, __file__, "--child", *words], stdout=subprocess.PIPE, text=True)


# Verification and start-up.


def verification() -> Iterator[Row]:
    """The whole check of a transcript without cards, against checking its signatures only, in one thread."""
    from concurrent.futures import ThreadPoolExecutor

    from protocol import verify

    with ThreadPoolExecutor() as pool:
        for name in ("fidchess", "qenqe", "fidchell", "kingamon"):
            games = [_transcript(name, seed) for seed in range(8)]
            times: list[list[float]] = [[], [], []]
            for data, claims in games * 5:
                for kind, work in enumerate(
                    (
                        lambda data=data: verify(data),
                        lambda data=data: verify(data, spread=pool.map),
                        lambda claims=claims: [key.verify(message, signature) for key, message, signature in claims],
                    )
                ):
                    start = time.perf_counter()
                    work()
                    times[kind].append((time.perf_counter() - start) / len(claims))
            alone, shared, bare = (1 / statistics.median(taken) for taken in times)
            for text, rate in ((f"verify {name}, one thread", alone), (f"verify {name}", shared)):
                yield Row(text, f"{rate:.0f} events/s", f"{bare:.0f} PyNaCl verify/s", rate / bare, ">= 0.5")


def _transcript(name: str, seed: int) -> tuple[bytes, list[tuple[Any, bytes, bytes]]]:
    """Return the file of a random game between two keys, and of each event the key, what was signed, the signature."""
    from nacl.signing import VerifyKey

    from engine import all_games
    from protocol import NET, Formation, Identity, Seat, Secrets, Table, charter_record, event_record, make_body

    game = all_games()[name]
    signers = {number: Identity(bytes([number]) * 32) for number in (1, 2)}
    seats = tuple(Seat(one.id, f"p{number}", number) for number, one in signers.items())
    charter = Formation(make_body(NET, game, {}, seats, bytes(16)), signers, bytes([seed]) * 32).charter
    assert charter
    table = Table(charter, signers, Secrets.from_seed(bytes(32)))
    rng = Random(seed)
    events = list(table.duties())
    while table.fold.position.result is None and len(events) < 400:
        (seat,) = table.owing()
        events.append(table.play(seat, rng.choice(game.legal(table.state, seat))))
        events += table.duties()
    keys = {seat: VerifyKey(signer.id) for seat, signer in signers.items()}
    claims = [(keys[event.seat], *event.claim(signers[event.seat].id)[1:]) for event in events]
    return charter_record(charter) + b"".join(map(event_record, events)), claims


def startup() -> Iterator[Row]:
    """The light commands, against a Python that does nothing."""
    bare = _wall("-c", "pass")
    for words in (["--version"], ["rules", "kingamon"]):
        ours = _wall("-m", "p2p_stonehenge", *words)
        yield Row(" ".join(words), f"{ours * 1e3:.1f} ms", f"{bare * 1e3:.1f} ms python -c pass", ours / bare, "<= 3")


def _wall(*words: str) -> float:
    times = []
    for _ in range(21):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


# Engines: random play, driven from Python. One core.

PLAYOUT_SECONDS = 0.5
PLAYOUT_ROUNDS = 9
PLY_CAP = 300


def engines() -> Iterator[Row]:
    """Random play of each game (legal moves plus apply), against engines of the same kind driven from Python."""
    from engine import all_games

    chess, spiel = _python_chess(), _open_spiel()
    pairs = {
        "fidchess": (2, chess, "python-chess", "moves", 4.0),
        "qenqe": (2, chess, "python-chess", "moves", 1.0),
        "fidchell": (2, spiel and spiel("havannah(board_size=7)", "moves"), "OpenSpiel havannah", "moves", 0.25),
        "celtic-whist": (4, spiel and spiel("spades", "games"), "OpenSpiel spades", "games", 1.0),
        "kingamon": (2, spiel and spiel("backgammon", "moves"), "OpenSpiel backgammon", "moves", 0.5),
    }
    for key, (seats, peer, name, unit, target) in pairs.items():
        if key not in all_games():
            continue
        own = partial(_playouts, key, seats, unit)
        own(Random(0))  # warms up what is remembered between games
        shown = "rounds" if unit == "games" else "moves"
        if peer:
            ours, theirs = _in_turn(own, peer)
            yield Row(
                f"{key}, {seats} players",
                f"{ours:,.0f} {shown}/s",
                f"{theirs:,.0f} {name} {'hands' if unit == 'games' else 'moves'}/s",
                ours / theirs,
                f">= {target:g}",
            )
        else:
            rate = own(Random(1))
            yield Row(
                f"{key}, {seats} players", f"{rate:,.0f} {shown}/s", f"{name}: not installed", 0.0, f">= {target:g}"
            )


Rate = Callable[[Random], float]
"""Plays at random for a while; returns what it did in a second of one processor."""


def _in_turn(ours: Rate, peer: Rate) -> tuple[float, float]:
    """Return the median rates of two engines that take turns, so that both meet the same machine."""
    rates = [(ours(Random(seed)), peer(Random(seed))) for seed in range(1, PLAYOUT_ROUNDS + 1)]
    return statistics.median(rate for rate, _ in rates), statistics.median(rate for _, rate in rates)


def _playouts(key: str, seats: int, unit: str, rng: Random) -> float:
    """Return random moves (or rounds of cards) a second, chance drawn like moves and counted as one."""
    from engine import CHANCE, Chance, Deal, Over, Turn, all_games

    game = all_games()[key]
    first = game.start({}, seats)
    moves = rounds = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < PLAYOUT_SECONDS:
        state = first
        for _ in range(PLY_CAP):
            due = game.pending(state)
            if isinstance(due, Turn):
                actions = game.legal(state, due.seat)
                state = game.apply(state, due.seat, actions[int(rng.random() * len(actions))])
            elif isinstance(due, Over):
                break
            elif isinstance(due, Chance) and isinstance(due.draw, Deal):
                deck = list(due.draw.deck)
                rng.shuffle(deck)
                state = game.apply(state, CHANCE, f"deal {' '.join(deck)}")
                rounds += 1
            else:
                values = game.legal(state, CHANCE)
                state = game.apply(state, CHANCE, values[int(rng.random() * len(values))])
            moves += 1
    return (rounds if unit == "games" else moves) / spent


def _python_chess() -> Rate | None:
    """Return what measures random moves of python-chess, or None where it is not installed."""
    try:
        import chess
    except ImportError:
        return None

    def measure(rng: Random) -> float:
        moves = 0
        start = time.process_time()
        while (spent := time.process_time() - start) < PLAYOUT_SECONDS:
            board = chess.Board()
            for _ in range(PLY_CAP):
                legal = list(board.legal_moves)
                if not legal:
                    break
                board.push(legal[int(rng.random() * len(legal))])
                moves += 1
        return moves / spent

    return measure


def _open_spiel() -> Callable[[str, str], Rate] | None:
    """Return what measures random moves or whole games a second of an OpenSpiel game, or None if it is missing."""
    try:
        import pyspiel
    except ImportError:
        return None

    def measure(name: str, unit: str, rng: Random) -> float:
        game = pyspiel.load_game(name)
        moves = games = 0
        start = time.process_time()
        while (spent := time.process_time() - start) < PLAYOUT_SECONDS:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
                moves += 1
            games += 1
        return (games if unit == "games" else moves) / spent

    return lambda name, unit: partial(measure, name, unit)


# Cards: the masked deck.


def cards() -> Iterator[Row]:
    """Shuffling, checking and opening a masked deck, against the bare group operations that the algorithm needs."""
    from protocol._deck import MASKED_DECK as DECK

    seats = [bytes([seat]) * 32 for seat in (1, 2)]
    public, _ = DECK.make_key(seats[0], b"")
    joint = DECK.joint_key([public, DECK.make_key(seats[1], b"")[0]])
    for n in (31, 36, 61):
        deck, _ = DECK.shuffle(seats[1], DECK.first_deck(n, joint), joint, b"")
        shuffled, proof = DECK.shuffle(seats[0], deck, joint, b"")
        share = DECK.make_share(seats[0], deck, 1, b"")
        for name, work in (
            ("shuffle", lambda d=deck: DECK.shuffle(seats[0], d, joint, b"")),
            ("check_shuffle", lambda d=deck, s=shuffled, p=proof: DECK.check_shuffle(d, s, joint, p, b"")),
            ("make_share", lambda d=deck: DECK.make_share(seats[0], d, 1, b"")),
            ("check_share", lambda d=deck, s=share: DECK.check_share(public, d, 1, s, b"")),
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
        "check_shuffle": (8 * n + 4, n + 4, 9 * n + 3, 4 * n),
        "make_share": (2, 2, 0, 0),
        "check_share": (3, 1, 2, 1),
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
    for _ in range(15):
        for work, taken in zip((ours, peer), times, strict=True):
            start = time.perf_counter()
            for _ in range(repeat):
                work()
            taken.append((time.perf_counter() - start) / repeat)
    return statistics.median(times[0]), statistics.median(times[1])


# A deal among processes.

DEALS = 5


def deals() -> Iterator[Row]:
    """A deal of Celtic Whist among processes on loopback, against its group operations one after the other."""
    floors = {(name, n): floor for n in (31, 36) for name, floor in _card_floors(n).items()}
    for seats, cards, hand in ((2, 31, 15), (3, 31, 10), (4, 31, 7), (5, 36, 7)):
        shared = (seats - 1) * hand
        path = seats * (floors["shuffle", cards] + floors["check_shuffle", cards])
        path += shared * floors["make_share", cards] + (seats - 1) * shared * floors["check_share", cards]
        times, size = asyncio.run(_deals(seats))
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
    from p2p_stonehenge.bots import Bots
    from p2p_stonehenge.client import Network
    from p2p_stonehenge.home import Home
    from p2p_stonehenge.hosting import HostLobby
    from p2p_stonehenge.net_table import NetTable
    from p2p_stonehenge.session import Notice, Ply
    from protocol import Node, Table

    times: list[float] = []
    began = 0.0
    enough = asyncio.Event()
    with tempfile.TemporaryDirectory(dir=_memory()) as memory:
        home = Home.open(f"{memory}/1")
        async with Network(home, "bench", "127.0.0.1", None) as network:
            lobby = HostLobby(network, home, lambda _text: None, all_games()["celtic-whist"], {}, seats, 0)
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
            table = NetTable(node, home.journal(formed.charter.table.hex()), network.transport, ())

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
            watching = asyncio.create_task(table.watch())
            await asyncio.wait_for(enough.wait(), 120)
            size = table.path.stat().st_size // len(times)
            watching.cancel()
        for guest in guests:
            guest.kill()
            guest.wait()
    return times[1:], size


SECTIONS: dict[str, Callable[[], Iterator[Row]]] = {
    "startup": startup,
    "verification": verification,
    "table": table,
    "cards": cards,
    "deals": deals,
    "engines": engines,
}


def main() -> None:
    """Run the sections that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = ", ".join(SECTIONS)
    parser.add_argument("section", nargs="*", metavar="NAME", help=f"what to measure: {names} (default: all)")
    parser.add_argument("--list", action="store_true", help="name the sections")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        what, *words = args.child
        asyncio.run({"echo": _echo, "seat": _seat}[what](*words))
        return
    if unknown := set(args.section) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}: there are {names}")
    if args.list:
        print("\n".join(f"{name}: {section.__doc__}" for name, section in SECTIONS.items()))
        return
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    print(f"{'what':34} {'ours':>16} {'peer':>32} {'ratio':>7}  target")
    for name in args.section or SECTIONS:
        for row in SECTIONS[name]():
            print(f"{row.name:34} {row.ours:>16} {row.peer:>32} {row.ratio:>7.2f}  {row.target}", flush=True)


if __name__ == "__main__":
    main()
