"""The project's own virtual environment: `.venv` in the project's root, made once, with locked versions.

`play.py` and `test.py` share it. `python3 scripts/environment.py [EXTRA...]` makes it and prints its Python.
Written so that a Python too old for the project still gets as far as saying so.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NoReturn

OLDEST = (3, 11)
WINDOWS = os.name == "nt"
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
STAMP = VENV / "installed"
"""What was installed: a hash of all that decides it, then the extras."""
LOCK = VENV / "lock"
LOG = VENV / "install.log"

_UNREACHABLE = re.compile(
    r"No matching distribution|connection broken|Failed to establish|Temporary failure|Name or service not known"
    r"|Max retries|timed out|ProxyError|SSLError|getaddrinfo failed",
    re.IGNORECASE,
)


def ready(extras: Sequence[str] = ()) -> Path:
    """Return the Python of an environment in which the project and `extras` are installed.

    Ends the process with one line and status 1 if that cannot be done.
    """
    if sys.version_info < OLDEST:
        here, oldest = ".".join(map(str, sys.version_info[:3])), ".".join(map(str, OLDEST))
        _fail(f"this is Python {here}, too old: install Python {oldest} or newer and run this with it")
    if not _installed(extras):
        try:
            VENV.mkdir(exist_ok=True)
            with _alone():
                if not _installed(extras):
                    _install(extras)
        except OSError as error:
            _fail(f"cannot write to {VENV} ({error.strerror}): make it writable, or clone to where you may write")
    return PYTHON


def run(command: Sequence[str]) -> NoReturn:
    """Become `command`, which is arguments to the environment's Python; its exit status is ours."""
    words = [str(PYTHON), *command]
    sys.stdout.flush()
    if not WINDOWS:
        os.execv(words[0], words)
    # Windows has no exec that a console waits for. Ctrl-C reaches the child as well, which answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(words))


def _installed(extras: Sequence[str]) -> bool:
    try:
        key, *there = STAMP.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return False
    return PYTHON.exists() and key == _key() and set(extras) <= set(there)


def _key() -> str:
    """Stands for what decides the installation, also where the project lies and which Python `.venv` leads to."""
    places = f"{ROOT}\n{os.path.realpath(PYTHON)}\n".encode("utf-8", "surrogateescape")
    files = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\0".join([places, *files])).hexdigest()


def _install(extras: Sequence[str]) -> None:
    STAMP.unlink(missing_ok=True)
    if not _usable():
        _make()
    what = ".[{}]".format(",".join(extras)) if extras else "."
    pip = [str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    _say("Installing the project and what it needs into .venv (once, about half a minute) ...")
    if _logged([*pip, "-c", "constraints.txt", "-e", what]) != 0:
        _fail(_why_not())
    # The key is taken now: making `.venv` decided which Python it leads to.
    fresh = STAMP.with_name("installed.new")
    fresh.write_text(" ".join([_key(), *sorted(extras)]) + "\n", encoding="utf-8")
    fresh.replace(STAMP)


def _usable() -> bool:
    """Whether `.venv` has a Python that is new enough and still runs, with its pip."""
    check = f"import pip, sys; sys.exit(sys.version_info < {OLDEST})"
    try:
        return subprocess.run([str(PYTHON), "-c", check], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _make() -> None:
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        _fail("this Python cannot make virtual environments: install its venv module (apt install python3-venv)")
    for entry in VENV.iterdir():
        if entry != LOCK:
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    _say("Making .venv ...")
    if _logged([sys.executable, "-m", "venv", str(VENV)]) != 0:
        _fail(f"cannot make .venv; {LOG} says why. On Debian or Ubuntu: apt install python3-venv, then run this again")


def _logged(command: Sequence[str]) -> int:
    with LOG.open("wb") as log:
        return subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False
        ).returncode


def _why_not() -> str:
    said = LOG.read_text(encoding="utf-8", errors="replace")
    if _UNREACHABLE.search(said):
        why = "the package index cannot be reached: go online, or set PIP_INDEX_URL to a mirror, then run this again"
    else:
        errors = re.findall(r"^ERROR: (.+)$", said, re.MULTILINE)
        why = f"pip failed ({errors[-1] if errors else 'without saying why'}): mend that, then run this again"
    return f"{why}; details are in {LOG}"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock of `.venv`: of all processes only one installs. The system lets it go when a process dies."""
    with LOCK.open("a+b") as lock:
        if not _locked(lock):
            _say("Waiting for another process that is installing into .venv ...")
            while not _locked(lock):
                time.sleep(0.2)
        yield


def _locked(lock: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _fail(line: str) -> NoReturn:
    _say(f"p2p-stonehenge: {line}")
    sys.exit(1)


def _main() -> None:
    try:
        print(ready(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    _main()
