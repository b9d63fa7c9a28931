"""Speed, side by side with peers in one run, as ratios: `python scripts/bench.py [NAME...]`, `--list` names them.

Absolute figures move from machine to machine; only the ratios mean something, and one under 1.2 means nothing.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from bench_cards import cards, deals
from bench_layouts import layouts
from bench_rows import ROOT, Row
from bench_table import table

sys.path.insert(0, str(ROOT))


# Verification and start-up.

GAMES = 8
"""Saved games that are checked, of each kind."""
STARTS = 21


def verification() -> Iterator[Row]:
    """The whole check of a transcript without cards, against checking its signatures only, in one thread.

    The signatures are those of the events and those under the charter.
    """
    from concurrent.futures import ThreadPoolExecutor

    from p2p_stonehenge.cli.reading import uncollected
    from protocol import verify

    with ThreadPoolExecutor() as pool, uncollected():  # as the commands that read a file
        for name in ("fidchess", "qenqe", "fidchell", "kingamon"):
            games = [_transcript(name, seed) for seed in range(GAMES)]
            times: list[list[float]] = [[], [], []]
            for data, claims in games * 5:
                ways: tuple[Callable[[], object], ...] = (
                    partial(verify, data),
                    partial(verify, data, spread=pool.map),
                    partial(_check_signatures, claims),
                )
                for kind, work in enumerate(ways):
                    start = time.perf_counter()
                    work()
                    times[kind].append((time.perf_counter() - start) / len(claims))
            alone, shared, bare = (1 / statistics.median(taken) for taken in times)
            for text, rate in ((f"verify {name}, one thread", alone), (f"verify {name}", shared)):
                yield Row(text, f"{rate:.0f} signatures/s", f"{bare:.0f} PyNaCl verify/s", rate / bare, ">= 0.7")


def _check_signatures(claims: Sequence[tuple[Any, bytes, bytes]]) -> None:
    """Check signatures, each given as key, message and signature."""
    for key, message, signature in claims:
        key.verify(message, signature)


class _Noting:
    """A verifier that believes everything, and notes it."""

    def __init__(self) -> None:
        self.claims: list[tuple[Any, bytes, bytes]] = []

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        from nacl.signing import VerifyKey

        self.claims.append((VerifyKey(id), message, signature))
        return True


def _transcript(name: str, seed: int) -> tuple[bytes, list[tuple[Any, bytes, bytes]]]:
    """Return the file of a random game between two keys, and its signatures, each with the key and what was signed."""
    from engine import all_games
    from protocol import NET, Formation, Identity, Seat, Secrets, Table, charter_record, event_record, make_body, verify

    game = all_games()[name]
    signers = {number: Identity(bytes([number]) * 32) for number in (1, 2)}
    seats = tuple(Seat(one.id, f"p{number}", number) for number, one in signers.items())
    charter = Formation(make_body(NET, game, {}, seats, bytes(16)), signers, bytes([seed]) * 32).charter
    assert charter
    table = Table(charter, signers, Secrets.from_seed(bytes(32)))
    rng = Random(seed)
    events = list(table.duties())
    while table.fold.result is None and len(events) < 400:
        (seat,) = table.fold.owing()
        moved = [table.own.play(seat, rng.choice(game.legal(table.state, seat)))]
        table.advance(moved)
        events += moved + table.duties()
    data, noting = charter_record(charter) + b"".join(map(event_record, events)), _Noting()
    assert verify(data, noting).ok
    return data, noting.claims


def startup() -> Iterator[Row]:
    """The light commands, against a Python that does nothing."""
    bare = _wall("-c", "pass")
    for words in (["--version"], ["rules", "kingamon"]):
        ours = _wall("-m", "p2p_stonehenge", *words)
        yield Row(" ".join(words), f"{ours * 1e3:.1f} ms", f"{bare * 1e3:.1f} ms python -c pass", ours / bare, "<= 3")


def _wall(*words: str) -> float:
    times = []
    for _ in range(STARTS):
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
        "fidchess": (2, chess, "python-chess", "moves", 6.0),
        "qenqe": (2, chess, "python-chess", "moves", 2.5),
        "fidchell": (2, spiel and spiel("havannah(board_size=7)", "moves"), "OpenSpiel havannah", "moves", 0.5),
        "celtic-whist": (4, spiel and spiel("spades", "games"), "OpenSpiel spades", "games", 2.0),
        "kingamon": (2, spiel and spiel("backgammon", "moves"), "OpenSpiel backgammon", "moves", 2.5),
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
                deck = sorted(due.draw.deck, key=lambda _: rng.random())  # one draw a card, as the peer's deal
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


SECTIONS: dict[str, Callable[[], Iterator[Row]]] = {
    "startup": startup,
    "verification": verification,
    "table": table,
    "cards": cards,
    "deals": deals,
    "engines": engines,
    "layouts": layouts,
}


def main() -> None:
    """Run the sections that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = ", ".join(SECTIONS)
    parser.add_argument("section", nargs="*", metavar="NAME", help=f"what to measure: {names} (default: all)")
    parser.add_argument("--list", action="store_true", help="name the sections")
    args = parser.parse_args()
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
