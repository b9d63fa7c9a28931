"""Which branches of engine and protocol their fast tests take: `python3 scripts/test.py --coverage [PYTEST ARGS...]`.

Tests marked `many` are run as well, but their branches are not counted: that would take longer than all else. Prints a
line for each package and each room, then the branches that no other test takes. Exit codes: that of pytest if a test
fails, 1 if fewer branches than LEAST are taken in a package, 6 if coverage.py is not installed.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"
TESTS = ("tests/engine", "tests/protocol")
LEAST = 95.0
"""Of a hundred branches of a package, how many its tests have to take."""
NO_TESTS = 5
"""The exit code of pytest where the arguments select none."""
NO_COVERAGE = 6
UNINSTALLED = "coverage is not installed: run `python3 scripts/test.py --coverage`, which installs it"
LEFT_OUT = (
    "what only type checkers read (`if TYPE_CHECKING`)",
    "tests marked `many`: examples by the thousand",
    "the client: its tests start processes that are killed, and a terminal for each",
)


class Share(NamedTuple):
    """How many branches of a file, room or package there are, and how many of them are taken."""

    taken: int
    branches: int

    def plus(self, other: "Share") -> "Share":
        """Return both together."""
        return Share(self.taken + other.taken, self.branches + other.branches)

    @property
    def percent(self) -> float:
        """Return how many of a hundred branches are taken; 100 where there is none."""
        return 100 * self.taken / self.branches if self.branches else 100.0


def shares(files: Mapping[str, Any]) -> dict[str, Share]:
    """Return the share of each package and room, from the files of a report of coverage.py."""
    found: defaultdict[str, Share] = defaultdict(lambda: Share(0, 0))
    for name, file in files.items():
        share = Share(file["summary"]["covered_branches"], file["summary"]["num_branches"])
        for folder in list(Path(name).parents)[:-1]:
            found[folder.as_posix()] = found[folder.as_posix()].plus(share)
    return dict(sorted(found.items()))


def too_low(found: Mapping[str, Share]) -> list[str]:
    """Return the packages of which fewer branches than LEAST are taken."""
    return [name for name, share in found.items() if "/" not in name and share.percent < LEAST]


def report(files: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines to print, of the files of a report of coverage.py."""
    found = shares(files)
    for name, share in found.items():
        yield f"{name:<28}{share.percent:>7.1f} %  {share.taken} of {share.branches} branches"
    yield ""
    for name, file in sorted(files.items()):
        missed = [f"{line} -> {then if then > 0 else 'end'}" for line, then in file["missing_branches"]]
        if missed:
            yield f"{name}: {', '.join(missed)}"
    yield ""
    yield f"Left out: {'; '.join(LEFT_OUT)}."
    for name in too_low(found):
        yield f"{name}: fewer than {LEAST:g} % of the branches"


def main(arguments: list[str]) -> int:
    """Run the tests, print the report, return the exit code."""
    parser = argparse.ArgumentParser(
        description="Which branches of engine and protocol their fast tests take.",
        epilog="All other arguments are those of pytest.",
        usage="%(prog)s [-h] [PYTEST ARGS...]",
        allow_abbrev=False,
    )
    _, arguments = parser.parse_known_args(arguments)
    if find_spec("coverage") is None:
        print(f"branches: {UNINSTALLED}", file=sys.stderr)
        return NO_COVERAGE
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    coverage = [sys.executable, "-m", "coverage"]
    counted = [*coverage, "run", "-m", "pytest", "-m", "not slow and not many"]
    others = [sys.executable, "-m", "pytest", "-m", "not slow and many"]
    for tests in (counted, others):
        failed = subprocess.run([*tests, *TESTS, *arguments], cwd=ROOT, check=False).returncode
        if failed not in (0, NO_TESTS):
            return failed
    subprocess.run([*coverage, "combine", "--quiet"], cwd=ROOT, check=True)
    subprocess.run([*coverage, "json", "--quiet", "-o", BUILD / "report.json"], cwd=ROOT, check=True)
    files = json.loads((BUILD / "report.json").read_text("utf-8"))["files"]
    print(*report(files), sep="\n")
    return int(bool(too_low(shares(files))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
