"""Throw hostile bytes at one decoder, led by coverage: python scripts/fuzz.py message --seconds 60

With `all` every decoder gets that long, and a line each says how many inputs it took and how much memory:
python scripts/fuzz.py all --seconds 600 --jobs 2

Begins with the saved inputs in tests/fuzz/corpus and keeps what leads further in build/fuzz. Without atheris one can
give one file to a target (--input) and choose anew which inputs are saved (--save). Exit codes: 2 bad usage, 5 no such
target or file, 6 atheris is not installed, 77 a promise was broken: the input is saved, and its file named.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
FUZZ = ROOT / "tests" / "fuzz"
sys.path[:0] = [str(ROOT), str(FUZZ)]  # runs from a checkout that is not installed

USAGE, MISSING, NO_ATHERIS = 2, 5, 6
PACKAGES = ("engine", "protocol", "p2p_stonehenge")
OWN = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
SAVED, SAVED_BYTES = 40, 24_000
"""Inputs saved for a target, and their bytes."""
UNINSTALLED = "atheris is not installed: on Linux, run `python -m pip install -c constraints.txt '.[fuzz]'`"
MEMORY = 2048
"""Megabytes, far above what any input may need."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(USAGE, message)


def fail(code: int, message: str) -> NoReturn:
    print(f"fuzz: {message}", file=sys.stderr)
    raise SystemExit(code)


def main() -> None:
    parser = Parser(description="Throw hostile bytes at one decoder, led by coverage.")
    parser.add_argument("target", nargs="?", metavar="TARGET", help="a decoder, or `all`")
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="default: 60")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="of all targets so many at once, default: 1")
    parser.add_argument("--input", type=Path, metavar="FILE", help="give this one input to the target and stop")
    parser.add_argument("--save", action="store_true", help="choose the saved inputs anew, from all in build/fuzz")
    parser.add_argument("--list", action="store_true", help="name the targets")
    said = parser.parse_args()
    if not said.list and said.target is None:
        fail(USAGE, "name a TARGET, or ask for them with --list")
    if min(said.seconds, said.jobs) < 1:
        fail(USAGE, "--seconds and --jobs are 1 or more")
    if said.list:
        print(*targets().TARGETS, sep="\n")
    elif said.target == "all":
        every(said.seconds, said.jobs)
    elif said.input:
        once(said.target, said.input)
    elif said.save:
        save(said.target)
    else:
        fuzz(said.target, said.seconds)


def targets(wanted: str | None = None) -> ModuleType:
    """Return the module of targets, which must know the wanted one."""
    import targets

    if wanted is not None and wanted not in targets.TARGETS:
        fail(MISSING, f"there is no target {wanted!r}: ask for them with --list")
    return targets


def once(target: str, path: Path) -> None:
    """Give one file to a target."""
    attack = targets(target).attack
    try:
        data = path.read_bytes()
    except OSError as error:
        fail(MISSING, f"{path} cannot be read ({error.strerror}): name a file with the bytes")
    attack(target, data)
    print(f"{target} keeps its promises for {path}")


def save(target: str) -> None:
    """Save the real inputs, and of those found the smallest that run a line which those before do not."""
    attack = targets(target).attack
    from seeds import seeds

    place, found = FUZZ / "corpus" / target, ROOT / "build" / "fuzz" / target
    real = sorted(set(seeds(target)), key=len)
    others = {path.read_bytes() for path in (*place.glob("*"), *found.glob("*"))} - set(real)
    covered: set[tuple[str, int]] = set()
    kept: list[bytes] = []
    room = SAVED_BYTES
    for data in (*real, *sorted(others, key=lambda data: (len(data), data))):
        lines = run(attack, target, data)
        if len(kept) < SAVED and len(data) <= room and (data in real or not lines <= covered):
            covered |= lines
            room -= len(data)
            kept.append(data)
    place.mkdir(parents=True, exist_ok=True)
    for path in place.glob("*"):
        path.unlink()
    for data in kept:
        (place / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    print(f"{target}: {len(kept)} inputs, {SAVED_BYTES - room} bytes, {len(covered)} lines")


def run(attack: Callable[[str, bytes], None], target: str, data: bytes) -> set[tuple[str, int]]:
    """Return the lines of the project that one input runs."""
    lines = set()

    def note(frame: FrameType, *_: object) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        if not name.startswith(OWN):
            return None
        lines.add((name, frame.f_lineno))
        return note

    sys.settrace(note)
    try:
        attack(target, data)
    finally:
        sys.settrace(None)
    return lines


def every(seconds: int, jobs: int) -> None:
    """Fuzz all targets, each in a process of its own; exit as the worst of them."""
    if find_spec("atheris") is None:
        fail(NO_ATHERIS, UNINSTALLED)

    def one(target: str) -> int:
        words = [sys.executable, __file__, target, "--seconds", str(seconds)]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        told = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
        if done.returncode or "peak_rss_mb" not in told:
            print(f"{target}: BROKEN (exit code {done.returncode})\n{done.stderr[-3000:]}", flush=True)
            return done.returncode or 1
        inputs, memory = int(told["number_of_executed_units"]), told["peak_rss_mb"]
        print(f"{target}: {seconds} s, {inputs:,} inputs, at most {memory} MB, no promise broken", flush=True)
        return 0

    with ThreadPoolExecutor(jobs) as pool:
        raise SystemExit(max(pool.map(one, targets().TARGETS)))


def fuzz(target: str, seconds: int) -> None:
    """Fuzz until the time is over or a promise is broken; ends the process."""
    try:
        import atheris
    except ImportError:
        fail(NO_ATHERIS, UNINSTALLED)
    with atheris.instrument_imports(include=list(PACKAGES)):
        attack, limit = targets(target).attack, targets().SECONDS
        from mutation import mutated
        from seeds import seeds
    found = ROOT / "build" / "fuzz" / target
    found.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds(target)):
        (found / f"seed-{number}").write_bytes(data)

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.3:
            return bytes(atheris.Mutate(data, longest))
        return mutated(data, rng)[:longest]

    saved = FUZZ / "corpus" / target
    words = [
        f"-max_total_time={seconds}",
        f"-timeout={int(4 * limit)}",
        f"-rss_limit_mb={MEMORY}",
        f"-artifact_prefix={found.parent}{os.sep}{target}-",
        "-max_len=131072",
        "-print_final_stats=1",
        str(found),
        *([str(saved)] if saved.is_dir() else []),
    ]
    atheris.Setup([sys.argv[0], *words], lambda data: attack(target, data), custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
