"""Real clients on loopback, found by zeroconf."""

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import PATIENCE

LOOPBACK = ("--interface", "127.0.0.1")


class Players:
    """Starts clients, each with a home of its own, and ends those that a test leaves behind."""

    def __init__(self, homes: Path) -> None:
        self.homes = homes
        # Tests that run side by side share the loopback: no two of them may call a player the same.
        self._tag = secrets.token_hex(3)
        self._running: list[subprocess.Popen[str]] = []

    def start(
        self, name: str, *words: str, program: tuple[str, ...] = ("-m", "p2p_stonehenge")
    ) -> "subprocess.Popen[str]":
        environment = os.environ | {"P2P_STONEHENGE_HOME": str(self.homes / name), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, *program, *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        player: subprocess.Popen[str] = subprocess.Popen(command, env=environment, text=True, **pipes)  # type: ignore[call-overload]
        self._running.append(player)
        return player

    def nick(self, name: str) -> str:
        return f"{name}-{self._tag}"

    def run(self, name: str, *words: str) -> tuple[int, str]:
        player = self.start(name, *words)
        out, _ = player.communicate(timeout=PATIENCE)
        return player.returncode, out

    def saved(self, name: str) -> Path:
        (path,) = (self.homes / name / "games").glob("*.stonehenge")
        return path

    def end(self) -> None:
        for player in self._running:
            if player.poll() is None:
                player.kill()
            player.communicate()


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    everybody = Players(tmp_path)
    yield everybody
    everybody.end()


def free_port_pair() -> int:
    """Return a port that is free together with the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
