"""Play simulated games over a bad network, with crashes and cheats: python scripts/simulate.py qenqe --seed 17

A seed says everything: python scripts/simulate.py GAME --seed N plays one run again, exactly. Without a game all are
played; --seeds N plays so many of each. Exit codes: 1 something
went wrong, with the command that repeats it; 2 bad usage.
"""

import argparse
import gc
import os
import sys
import time
import traceback
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "protocol")]  # of a checkout not installed

FAILED, USAGE = 1, 2
CHUNK = 50
"""Seeds that one process plays in a row."""
RENEWED = 40
"""Chunks after which a process is replaced by a new one: each remembers the states of all tables that it began."""
SHOWN = 10
"""Failing seeds that are printed for each game."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"simulate: {message}", file=sys.stderr)
        raise SystemExit(USAGE)


def main() -> int:
    from simulator_plan import GAMES

    parser = Parser(description="Play simulated games over a bad network, with crashes and cheats.")
    parser.add_argument(
        "game", nargs="?", choices=GAMES, metavar="GAME", help=f"one of {', '.join(GAMES)}; all if left out"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="play this one again and print its plan")
    parser.add_argument("--seeds", type=int, default=200, metavar="N", help="seeds for each game; default: 200")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first of them; default: 0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: one a processor")
    parser.add_argument("--real", action="store_true", help="real signatures and cards, and each game to its end")
    said = parser.parse_args()
    if min(said.seeds, said.jobs) < 1 or said.first < 0:
        parser.error("--seeds and --jobs are 1 or more, --first is 0 or more")
    games = [said.game] if said.game else list(GAMES)
    if said.seed is not None:
        if not said.game:
            parser.error("--seed needs a GAME")
        return again(said.game, said.seed, said.real)
    with Pool(said.jobs, maxtasksperchild=RENEWED) as pool:
        return FAILED if sum([many(pool, game, said) for game in games]) else 0


def again(game: str, seed: int, real: bool) -> int:
    """Play one seed and tell all about it."""
    from simulator_plan import opening, plan_of

    plan = plan_of(game, Random(f"{game} {seed}"))
    body = opening(game, plan.opening).charter.body
    print(f"{len(body.seats)} seats, played by {[seat.operator for seat in body.seats]}, {dict(body.options)}")
    for name, value in plan._asdict().items():
        print(
            f"  {name}: {value}"
            if not isinstance(value, tuple)
            else "\n".join([f"  {name}:", *(f"    {x}" for x in value)])
        )
    try:
        network = run(game, seed, real)
    except Exception:  # noqa: BLE001  whatever it is, it is what we are looking for
        traceback.print_exc()
        return FAILED
    print(
        f"fine: {network.events} events, {network.steps} steps, {network.now:.0f} seconds,"
        f" trace {network.trace.hexdigest()}"
    )
    return 0


def run(game: str, seed: int, real: bool) -> Any:
    from simulator import REAL, STAND_INS, simulate
    from simulator_plan import plan_of

    return simulate(plan_of(game, Random(f"{game} {seed}")), REAL if real else STAND_INS, whole=real)


def many(pool: Any, game: str, said: argparse.Namespace) -> int:
    """Play many seeds of a game; return how many went wrong."""
    began = time.perf_counter()
    last = said.first + said.seeds
    chunks = [(game, at, min(at + CHUNK, last), said.real) for at in range(said.first, last, CHUNK)]
    wrong = events = 0
    for counted, failures in pool.imap(chunk, chunks):
        events += counted
        for seed, told in failures:
            wrong += 1
            if wrong <= SHOWN:
                print(f"{told}\n  python scripts/simulate.py {game} --seed {seed}{' --real' * said.real}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{game}: {said.seeds} seeds, {events} events, {wrong} wrong, {seconds:.0f} s", flush=True)
    return wrong


def chunk(work: tuple[str, int, int, bool]) -> tuple[int, list[tuple[int, str]]]:
    """Play some seeds in this process; return the number of events and what went wrong at which seed."""
    game, first, last, real = work
    events, failures = 0, []
    # A network that is closed leaves no garbage; one that failed does, until the next chunk.
    gc.disable()
    gc.collect()
    gc.freeze()
    for seed in range(first, last):
        try:
            network = run(game, seed, real)
            events += network.events
            network.close()
        except Exception as error:  # noqa: BLE001  as above
            failures.append((seed, f"{game} {seed}: {type(error).__name__}: {error}"))
    return events, failures


if __name__ == "__main__":
    sys.exit(main())
