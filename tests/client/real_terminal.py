"""A program on a terminal of its own: what is typed reaches it through a pseudo-terminal, pyte shows what it writes."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 100.0
TAKES_IT = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background of a shell ignore it
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes standard input the terminal whose keys send signals, then becomes the command."""


class RealTerminal:
    """Runs a command until it is closed."""

    def __init__(self, command: Sequence[str], columns: int = 80, rows: int = 24, **environ: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.screen.write_process_input = self.types  # type: ignore[method-assign, assignment]  # answers where the cursor is
        self.stream = pyte.ByteStream(self.screen)
        self.terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        settings = {"TERM": "xterm", "PYTHONPATH": str(ROOT), "PS1": "$ ", "ENV": "", "PYTHONUTF8": "1"}
        settings["COLORFGBG"] = "default;default"  # it has told all that it tells: it is not asked
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKES_IT, *command],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            cwd=ROOT,
            env=kept | settings | environ,
            start_new_session=True,
        )
        os.close(inner)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def types(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def until(self, holds: Callable[[], object]) -> None:
        """Read until something holds. Raises TimeoutError with the screen."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(f"in vain:\n{self.text}")
            self._read(0.1)

    def shows(self, *texts: str) -> None:
        self.until(lambda: all(text in self.text for text in texts))

    def asks_again(self, told: str, question: str) -> None:
        """Wait until a refusal is shown and the question below it: what is typed before that is dropped."""
        self._shows_below(told, question)

    def agrees(self, line: str) -> None:
        """Type a line that asks first, and say yes when it has asked."""
        self.types(f"{line}\r")
        self._shows_below(line, "[y/N]")
        self.types("yes\r")

    def _shows_below(self, above: str, below: str) -> None:
        self.until(lambda: above in self.text and below in self.text.rpartition(above)[2])

    def ends(self) -> int:
        """Wait until the program has ended; return its exit status."""
        self.until(lambda: self.process.poll() is not None)
        self._read(0.0)
        return int(self.process.returncode)

    def _read(self, seconds: float) -> None:
        waiting = select.poll()  # `select` takes no descriptor above 1,023, of which a run of many tests has some
        waiting.register(self.terminal, select.POLLIN)
        ready = waiting.poll(seconds * 1000)
        if ready:
            with suppress(OSError):  # the other end is closed
                self.stream.feed(os.read(self.terminal, 65536))

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.terminal)


class Terminals:
    """Players at real terminals by name, each with a home. While one terminal is waited for, all are read."""

    def __init__(self, folder: Path, rows: int = 24) -> None:
        self.folder, self.rows, self.at = folder, rows, dict[str, RealTerminal]()

    def start(self, name: str, *words: str) -> None:
        options = ("--name", name, "--home", str(self.folder / name), "--interface", "127.0.0.1")
        self.at[name] = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words, *options], 100, self.rows)

    def shows(self, *texts: str, by: str = "") -> None:
        """Wait until one player's terminal, or each, shows something."""
        for end in [self.at[by]] if by else list(self.at.values()):

            def shown(end: RealTerminal = end) -> bool:
                for one in self.at.values():
                    one._read(0.0)
                return all(text in end.text for text in texts)

            end.until(shown)

    def ends(self, name: str) -> None:
        """Wait until a player's program has ended as it should."""
        assert self.at.pop(name).ends() == 0

    def close(self) -> None:
        for end in self.at.values():
            end.close()
