"""Questions at a real terminal: what is typed unseen, typed wrong, or broken off."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import LOOPBACK, ROOT
from test_transport import free_port

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

import pty

pytestmark = [pytest.mark.network, pytest.mark.timeout(60)]

WORDS = "three old stones"


class Sitting:
    """Somebody at a terminal of 80 columns at which the client runs."""

    def __init__(self, home: Path, *words: str) -> None:
        self.end, other = pty.openpty()
        command = [sys.executable, "-m", "p2p_stonehenge", *words, *LOOPBACK, "--plain", "--home", str(home)]
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
            env=os.environ | {"TERM": "dumb", "COLUMNS": "400"},
        )
        os.close(other)
        self.shown = ""

    def reads(self, text: str, times: int = 1, seconds: float = 30) -> None:
        """Wait until the terminal has shown something so many times."""
        until = time.monotonic() + seconds
        while " ".join(self.shown.split()).count(text) < times:
            ready, _, _ = select.select([self.end], [], [], max(0.0, until - time.monotonic()))
            assert ready, self.shown
            try:
                piece = os.read(self.end, 4096)
            except OSError:
                piece = b""
            assert piece, self.shown
            self.shown += piece.decode()

    def types(self, line: str) -> None:
        os.write(self.end, f"{line}\n".encode())

    def leave(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.end)


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[list[Sitting]]:
    here: list[Sitting] = []
    yield here
    for one in here:
        one.leave()


def test_a_passphrase_is_asked_for_unseen_and_again_after_a_mistake(tmp_path: Path, seats: list[Sitting]) -> None:
    port = free_port()
    anna = Sitting(tmp_path / "anna", "host", "fidchess", "--name", "anna", "--passphrase", "--port", str(port))
    seats.append(anna)
    anna.reads("A passphrase for your table:")
    anna.types(WORDS)
    anna.reads("They are asked for the passphrase")
    ben = Sitting(tmp_path / "ben", "join", f"127.0.0.1:{port}", "--name", "ben")
    seats.append(ben)
    for number, line in enumerate(("three odd stones", "", "three new stones", WORDS), 1):
        ben.reads("The passphrase of anna's table:", number)
        ben.types(line)
    ben.reads("That is not the passphrase of anna's table", 2)
    for one in (anna, ben):
        one.reads("is signed by all")
        assert WORDS not in one.shown
    assert "odd stones" not in ben.shown


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 4)], ids=["Ctrl-C", "Ctrl-D"])
def test_a_question_can_be_left(tmp_path: Path, seats: list[Sitting], key: str, status: int) -> None:
    """And the terminal shows again what is typed."""
    port = free_port()
    ben = Sitting(tmp_path / "ben", "host", "fidchess", "--passphrase", "--port", str(port))
    seats.append(ben)
    ben.reads("A passphrase for your table:")
    os.write(ben.end, key.encode())
    assert ben.process.wait(20) == status
    import termios

    assert termios.tcgetattr(ben.end)[3] & termios.ECHO
    if status != 130:
        ben.reads("Nothing was answered")
    assert "Traceback" not in ben.shown
