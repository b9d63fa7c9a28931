"""Break the rules on purpose, one at a time, and see how soon simulated games notice: python scripts/breakages.py epoch

Each breakage is an exact change of one function. It is made in a copy of the project, where the games are played in
turn from seed 0, as `simulate.py` does, until one goes wrong. Where they notice too rarely a test is named that must
fail.
NAME is any part of the names of breakages; without one all are tried. Exit codes: 1 a breakage was not noticed, or no
longer fits its function; 2 bad usage; 5 no such breakage.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import TimeoutError as NoAnswer
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from simulate import ROOT, chunk
from simulator_breakages import BREAKAGES, Breakage, MisfitError  # the path to it is known from there

WRONG, USAGE, MISSING = 1, 2, 5
TESTS = ("tests/protocol", "tests/conftest.py", "tests/forming.py", "tests/kinds.py")
COPIED = ("engine", "protocol", *TESTS, "pyproject.toml")
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
    try:
        broken = [breakage.broken() for breakage in wanted]
    except MisfitError as error:
        fail(WRONG, str(error))
    noticed = [tried(*pair, said.runs, said.jobs) for pair in zip(wanted, broken, strict=True)]
    games, tests = noticed.count("games"), noticed.count("test")
    print(f"{len(noticed)} broken: {games} noticed by simulated games within {said.runs} runs, {tests} by tests only")
    return 0 if games + tests == len(noticed) else WRONG


def tried(breakage: Breakage, source: str, runs: int, jobs: int) -> str:
    """Try a breakage and print a line about it; return what noticed it: `games`, `test` or nothing."""
    by = ""
    with copied() as folder:
        (folder / breakage.module).write_text(source, encoding="utf-8")
        told = played(folder, runs, jobs) if runs else ""
        if told:
            by = "games"
        else:
            told = f"not within {runs} runs"
            if breakage.test:
                by = "test" if failing(folder, breakage.test) else ""
                told += f", but by {breakage.test}" if by else f", and {breakage.test} does not fail"
    print(f"{breakage.name}: {told}", flush=True)
    return by


@contextmanager
def copied() -> Iterator[Path]:
    """A folder with a copy of what simulated games and the tests of the protocol need."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
            (folder / part).parent.mkdir(exist_ok=True)
            copy(ROOT / part, folder / part)
        yield folder


def played(folder: Path, runs: int, jobs: int) -> str:
    """Play the games in turn from seed 0; return which went wrong, or nothing."""
    # Fresh processes, which have imported nothing of the project yet.
    with get_context("spawn").Pool(min(jobs, runs), enter, (folder,)) as pool:
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


def enter(folder: Path) -> None:
    """Let this process import what is in a folder."""
    sys.path[:0] = [str(folder), str(folder / "tests"), str(folder / "tests" / "protocol")]


def games_there() -> tuple[str, ...]:
    import simulator  # a breakage that cannot be imported is none
    from simulator_plan import GAMES

    assert simulator
    return GAMES


def failing(folder: Path, test: str) -> bool:
    """Return whether a test fails in a folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/protocol/{test}"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=False, timeout=TEST_LIMIT
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main())
