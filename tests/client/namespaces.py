"""Starts a network of namespaces (hub.py) and rules over its cables; `why_not` says why that is not possible here."""

import functools
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

HUB = Path(__file__).with_name("hub.py")
_BEGIN = 'mount -t tmpfs none /run && mkdir -p /run/netns && ip link set lo up && exec "$0" "$@"'


class Cables:
    """A network of `number` computers 10.77.0.1, 10.77.0.2, ..., from `with` to its end. Raises OSError."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> Self:
        self._hub = subprocess.Popen(
            ["unshare", "-Urnm", "sh", "-c", _BEGIN, sys.executable, str(HUB), str(self._number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._hub.stdout
        if self._hub.stdout.readline() != "ready\n":
            _, told = self._hub.communicate()
            raise OSError(told.strip().splitlines()[-1] if told.strip() else "unshare says nothing")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hub.kill()
        self._hub.communicate()

    def within(self, number: int) -> tuple[str, ...]:
        """Return what a command begins with to run on a computer."""
        space = ("nsenter", f"--target={self._hub.pid}", "--user", "--net", "--mount", "--preserve-credentials")
        return (*space, "ip", "netns", "exec", f"n{number}")

    def lose(self, percent: int, one: int | str = "*", other: int | str = "*") -> None:
        """Lose so many of the packets from `one` to `other` from now on."""
        assert self._hub.stdin
        assert self._hub.stdout
        self._hub.stdin.write(f"{one} {other} {percent}\n")
        self._hub.stdin.flush()
        assert self._hub.stdout.readline() == "done\n"

    def ip(self, number: int, *words: str) -> None:
        """Run `ip` on a computer."""
        subprocess.run([*self.within(number), "ip", *words], check=True, capture_output=True)


@functools.cache
def why_not() -> str:
    """Return why no such network can be made here, or nothing."""
    missing = [name for name in ("unshare", "nsenter", "ip") if shutil.which(name) is None]
    if sys.platform != "linux" or missing:
        return f"namespaces need Linux with {', '.join(missing) or 'its tools'}"
    try:
        with Cables(1) as cables:
            cables.ip(1, "link", "show", "eth0")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces here: {error}"
    return ""
