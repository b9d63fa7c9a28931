"""Build the wheel and the sdist, install each as a stranger would, and state what that costs: python scripts/release.py

Both go to dist/ (or --out DIR). The wheel is installed into an empty environment from wheels alone, the sdist into
another, and each plays a game, checks it and exports it. Then come the dependencies with their licences, and sizes,
start-up times and memory. `--licences` prints only the table of licences, from the environment that runs this. Exit
codes: 1 something does not install or work; 2 bad usage. Needs a package index.
"""

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Iterator, Sequence
from email.message import Message
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FAILED = 1
REPEATS = 5
"""Times that a command is started; the fastest one counts, the machine had other things to do in the others."""
STARTED = (("--version",), ("games",), ("rules", "kingamon"))
LIST = "import importlib.metadata as m, json; print(json.dumps([[d.name, d.version] for d in m.distributions()]))"
_BY_CLASSIFIER = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
}


class BrokenError(Exception):
    """A step of the release failed; the message says which, and what it printed."""


# Licences


def dependencies(wanted: Sequence[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield what runs with the client, directly or not, with its licence, by name."""
    waiting = [re.split(r"[^\w.-]", line)[0] for line in wanted or PROJECT["dependencies"]]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        try:
            about = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system than this
        if about.name not in found:
            found[about.name] = licence(about.metadata)
            needs = [need for need in about.requires or () if "extra" not in need]
            waiting += [re.split(r"[^\w.-]", need)[0] for need in needs]
    yield from sorted(found.items(), key=lambda item: item[0].lower())


def licence(about: Any) -> str:
    """Return the licence that a package's metadata name."""
    message: Message = about
    named = message["License-Expression"] or message["License"]
    classified = [
        line.rpartition(" :: ")[2] for line in message.get_all("Classifier", []) if line.startswith("License")
    ]
    return str(named or " ".join(_BY_CLASSIFIER.get(name, name) for name in classified) or "unknown")


def licences() -> str:
    """Return a table of what runs with the client and under which licence."""
    rows = [f"| {name} | {terms} |" for name, terms in dependencies()]
    return "\n".join(["| package | licence |", "| --- | --- |", *rows])


# Building and installing


def done(*command: str | Path, quiet: bool = True, **more: Any) -> str:
    """Return what a command printed. Raises BrokenError if it failed."""
    ran = subprocess.run(list(map(str, command)), capture_output=quiet, text=True, check=False, cwd=ROOT, **more)
    if ran.returncode:
        told = f"{ran.stdout or ''}{ran.stderr or ''}"[-2000:]
        raise BrokenError(f"{' '.join(map(str, command[1:4]))} ended with {ran.returncode}:\n{told}")
    return ran.stdout or ""


def environment(folder: Path) -> Path:
    """Return the Python of a new, empty environment."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def build(folder: Path, out: Path) -> tuple[Path, Path]:
    """Return the wheel and the sdist, built with what pyproject.toml asks for."""
    python = environment(folder)
    done(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", "hatchling")
    out.mkdir(parents=True, exist_ok=True)
    done(python, "-m", "hatchling", "build", "-d", out, "-t", "sdist", "-t", "wheel")
    newest = [max(out.glob(pattern), key=lambda path: path.stat().st_mtime) for pattern in ("*.whl", "*.tar.gz")]
    return newest[0], newest[1]


def works(python: Path, home: Path) -> None:
    """Play a game with an installed client, check it, and export it in every format. Raises BrokenError."""
    client = (python, "-I", "-m", "p2p_stonehenge")
    told = done(*client, "--version").strip()
    if not told.startswith("p2p-stonehenge "):
        raise BrokenError(f"--version says {told!r}")
    done(*client, "solo", "fidchess", "--auto", "0", "-o", "turn_limit=20", "--home", home)
    (game,) = (home / "games").iterdir()
    done(*client, "verify", game, "--home", home)
    for format in ("txt", "json", "svg", "html"):
        made = home / f"game.{format}"
        done(*client, "export", game, "--format", format, "--out", made, "--home", home)
        if not made.stat().st_size:
            raise BrokenError(f"export wrote an empty {format}")


# What it costs


def size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    return (
        path.stat().st_size if path.is_file() else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    )


def started(python: Path, words: Sequence[str]) -> tuple[float, float]:
    """Return seconds and megabytes that a command takes: the fastest of some runs."""
    meter = (
        "import os, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "_, status, use = os.wait4(child.pid, 0)\n"
        "print(time.perf_counter() - start, use.ru_maxrss, status)\n"
    )
    runs = []
    for _ in range(REPEATS):
        told = done(sys.executable, "-c", meter, python, "-I", "-m", "p2p_stonehenge", *words)
        seconds, kilobytes, status = map(float, told.split())
        if status:
            raise BrokenError(f"{' '.join(words)} failed")
        runs.append((seconds, kilobytes / (1 if sys.platform != "darwin" else 1024) / 1024))
    return min(runs)


def report(wheel: Path, sdist: Path, python: Path, home: Path) -> Iterator[str]:
    """Yield what the release is made of and what it takes, line by line."""
    yield f"{wheel.name}: {size(wheel) / 1024:.0f} kB; {sdist.name}: {size(sdist) / 1024:.0f} kB"
    packages = json.loads(done(python, "-c", LIST))
    site = Path(done(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    own = sum(size(site / name) for name in ("engine", "protocol", "p2p_stonehenge"))
    names = sorted(name for name, _ in packages if name not in ("pip", "setuptools", PROJECT["name"]))
    tools = [path for name in ("pip*", "setuptools*") for path in site.glob(name)]
    total = size(site) - sum(map(size, tools))
    yield f"installed: {own / 1e6:.1f} MB of its own, {total / 1e6:.1f} MB with {len(names)} packages"
    yield ""
    table = done(python, Path(__file__).resolve(), "--licences").rstrip()
    if len(table.splitlines()) < len(PROJECT["dependencies"]):
        raise BrokenError(f"the table of licences is too short:\n{table}")
    yield table
    if os.name != "posix":
        return
    yield ""
    yield "| command | seconds | MB of memory |"
    yield "| --- | --- | --- |"
    (game,) = (home / "games").iterdir()
    games = (("verify", str(game)), ("export", str(game), "--format", "html"))
    for words in (*STARTED, ("solo", "kingamon", "--auto", "1", "--home", str(home / "timed")), *games):
        seconds, megabytes = started(python, words)
        shown = " ".join(word if "/" not in word else "..." for word in words)
        yield f"| {shown} | {seconds:.2f} | {megabytes:.0f} |"


def main() -> int:
    """Build, install, try and measure; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the wheel and the sdist, try each, and state what it costs.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where to (default: dist)")
    parser.add_argument("--licences", action="store_true", help="print the table of licences alone")
    args = parser.parse_args()
    if args.licences:
        print(licences())
        return 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            wheel, sdist = build(folder / "build", args.out)
            for name, file, only in (("wheel", wheel, ("--only-binary", ":all:")), ("sdist", sdist, ())):
                python = environment(folder / name)
                done(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", *only, file)
                works(python, folder / f"{name}-home")
                print(f"The {name} installs, plays, verifies and exports.", flush=True)
            installed = folder / "wheel" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
            for line in report(wheel, sdist, installed, folder / "wheel-home"):
                print(line, flush=True)
        except BrokenError as broken:
            print(f"Not fit for release: {broken}", file=sys.stderr)
            return FAILED
    print(f"Done in {time.monotonic() - begun:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
