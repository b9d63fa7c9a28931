"""Break the rules on purpose, one at a time, and see how soon simulated games notice: python scripts/breakages.py epoch

Each breakage puts something else in the place of one function or constant, in processes of its own. There the games are
played in turn from seed 0, as `simulate.py` does, until one goes wrong. Where they do not notice, the test that each
breakage names must fail.
NAME is any part of the names of breakages; without one all are tried. Exit codes: 1 a breakage was not noticed; 2 bad
usage; 5 no such breakage.
"""

import argparse
import os
import sys
from multiprocessing import TimeoutError as NoAnswer
from multiprocessing import get_context
from pathlib import Path
from typing import NoReturn

import pytest
from simulate import ROOT, chunk
from simulator_breakages import BREAKAGES  # the path to it is known from there
from simulator_breakages.tools import Breakage

WRONG, USAGE, MISSING = 1, 2, 5
LIMIT = 60.0
"""Seconds after which a run that has not ended has gone wrong."""
TEST_LIMIT = 120.0
"""Seconds for a test."""
SHOWN = 90
"""Characters of a complaint that are printed."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(USAGE, message)


def fail(code: int, message: str) -> NoReturn:
    print(f"breakages: {message}", file=sys.stderr)
    raise SystemExit(code)


def main() -> int:
    parser = Parser(description="Break the rules on purpose, and see how soon simulated games notice.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of the names of breakages; all if left out")
    parser.add_argument(
        "--runs", type=int, default=200, metavar="N", help="games played at most, 0 for tests alone; default: 200"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: one a processor")
    parser.add_argument("--list", action="store_true", help="name the breakages")
    said = parser.parse_args()
    if said.runs < 0 or said.jobs < 1:
        fail(USAGE, "--runs is 0 or more, --jobs is 1 or more")
    wanted = [breakage for breakage in BREAKAGES if any(name in breakage.name for name in said.names or [""])]
    for name in said.names:
        if not any(name in breakage.name for breakage in wanted):
            fail(MISSING, f"there is no breakage {name!r}: ask for them with --list")
    if said.list:
        print(*(breakage.name for breakage in wanted), sep="\n")
        return 0
    noticed = [tried(breakage, said.runs, said.jobs) for breakage in wanted]
    games, tests = noticed.count("games"), noticed.count("test")
    print(f"{len(noticed)} broken: {games} noticed by simulated games within {said.runs} runs, {tests} by tests only")
    return 0 if games + tests == len(noticed) else WRONG


def tried(breakage: Breakage, runs: int, jobs: int) -> str:
    """Try a breakage and print a line about it; return what noticed it: `games`, `test` or nothing."""
    by = ""
    told = played(breakage, runs, jobs) if runs else ""
    if told:
        by = "games"
    else:
        told = f"not within {runs} runs"
        if breakage.test:
            by = "test" if failing(breakage) else ""
            told += f", but by {breakage.test}" if by else f", and {breakage.test} does not fail"
    print(f"{breakage.name}: {told}", flush=True)
    return by


def played(breakage: Breakage, runs: int, jobs: int) -> str:
    """Play the games in turn from seed 0; return which went wrong, or nothing."""
    with get_context("spawn").Pool(min(jobs, runs), broken, (breakage.name,)) as pool:
        games = pool.apply(games_there)
        work = [(games[run % len(games)], run // len(games)) for run in range(runs)]
        results = pool.imap(chunk, [(game, seed, seed + 1, False) for game, seed in work])
        for run, (game, seed) in enumerate(work, 1):
            try:
                _, failures = results.next(LIMIT)
                told = failures[0][1] if failures else ""
            except NoAnswer:
                told = f"{game} {seed}: no end after {LIMIT:.0f} seconds"
            if told:
                return f"run {run}, {told.splitlines()[0][:SHOWN]}"
    return ""


def broken(name: str) -> None:
    """Break a rule in this process, which is a fresh one."""
    next(breakage for breakage in BREAKAGES if breakage.name == name).break_it()


def games_there() -> tuple[str, ...]:
    from simulator_plan import GAMES

    return GAMES


def failing(breakage: Breakage) -> bool:
    """Return whether the test of a breakage fails, with everything else as it is."""
    with get_context("spawn").Pool(1, broken, (breakage.name,)) as pool:
        try:
            return pool.apply_async(outcome, (breakage.test,)).get(TEST_LIMIT) == pytest.ExitCode.TESTS_FAILED
        except NoAnswer:
            return True


def outcome(test: str) -> int:
    """Run a test in this process without a word; return how that went."""
    os.chdir(ROOT)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return pytest.main(["-q", "-p", "no:cacheprovider", f"tests/protocol/{test}"])


if __name__ == "__main__":
    sys.exit(main())
