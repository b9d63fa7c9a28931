"""Crashes at any moment: whoever was killed comes back with `resume`, and the game ends as if nothing had happened."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from random import Random
from threading import Thread
from typing import IO

import pytest

from protocol import whole

pytestmark = pytest.mark.network

AUTO = ("--interface", "127.0.0.1", "--auto", "0")


class Player:
    """One client with a home of its own, which may be killed and resumed. A thread reads what it prints."""

    def __init__(self, home: Path, nick: str) -> None:
        self.home, self.nick = home, nick
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> None:
        command = [sys.executable, "-m", "p2p_stonehenge", *words, *AUTO, "--home", str(self.home)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: Queue[str] = Queue()
        self.told: list[str] = []
        self.reader = Thread(target=self._read, args=(self.process.stdout, self.lines, self.told))
        self.reader.start()

    @staticmethod
    def _read(stream: IO[str], lines: "Queue[str]", told: list[str]) -> None:
        with stream:
            for line in stream:
                told.append(line)
                lines.put(line)

    def read_until(self, number: int) -> None:
        """Wait until the client has told of action `number`."""
        while not self.lines.get(timeout=60).startswith(f"{number}. "):
            pass

    def kill(self) -> bool:
        """Kill the client at once; return whether it was still playing."""
        assert self.process
        playing = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        self.reader.join()
        return playing

    def end(self) -> str:
        """Wait until the client has ended well; return all that it printed."""
        assert self.process
        self.process.wait(timeout=100)
        self.reader.join()
        assert self.process.returncode == 0, self.told[-5:]
        return "".join(self.told)

    @property
    def file(self) -> Path:
        (path,) = (self.home / "games").glob("*.stonehenge")
        return path

    def report(self) -> dict[str, object]:
        done = run(self.home, "verify", "--json", str(self.file))
        assert done.returncode == 0, done.stdout
        return dict(json.loads(done.stdout))


def run(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "p2p_stonehenge", *words, "--home", str(home)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, stdin=subprocess.DEVNULL)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Player]]:
    tag = secrets.token_hex(3)
    players = [Player(tmp_path / name, f"{name}-{tag}") for name in ("anna", "ben")]
    yield players
    for player in players:
        if player.process and player.process.poll() is None:
            player.kill()


def begin(pair: list[Player], game: str, *options: str) -> None:
    anna, ben = pair
    anna.start("host", game, "--name", anna.nick, *options)
    ben.start("join", anna.nick, "--name", ben.nick)


def agree(pair: list[Player]) -> dict[str, object]:
    first, second = (player.report() for player in pair)
    assert first == second
    assert first["finished"]
    assert first["cheats"] == []
    return first


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["kingamon", "celtic-whist"])
def test_a_killed_player_comes_back(pair: list[Player], game: str, seed: int) -> None:
    rng = Random(f"{game} {seed}")
    begin(pair, game, *(("-o", "quick=true", "-o", "captured_king=bar") if game == "kingamon" else ()))
    victim = rng.choice(pair)
    victim.read_until(rng.randint(1, 60))
    assert victim.kill()
    before = victim.file.read_bytes()
    victim.start("resume")
    for player in pair:
        player.end()
    agree(pair)
    # What was whole before the crash is there unchanged: nothing was lost and nothing signed anew.
    assert victim.file.read_bytes().startswith(before[: whole(before)])


def test_both_killed_and_a_torn_file(pair: list[Player]) -> None:
    begin(pair, "celtic-whist")
    for player in pair:
        player.read_until(30)
    for player in pair:
        assert player.kill()
    anna, ben = pair
    size = anna.file.stat().st_size
    os.truncate(anna.file, size - 7)
    assert run(anna.home, "verify", str(anna.file)).returncode == 3
    anna.start("resume", anna.file.name[:6])
    ben.start("resume")
    assert "bytes without a whole record were cut off" in anna.end()
    ben.end()
    agree(pair)


def test_a_restored_old_copy_signs_nothing_twice(pair: list[Player]) -> None:
    begin(pair, "celtic-whist")
    anna, ben = pair
    ben.read_until(12)
    old = ben.file.read_bytes()
    ben.read_until(40)
    assert ben.kill()
    ben.file.write_bytes(old)
    ben.start("resume")
    anna.end()
    ben.end()
    agree(pair)


def test_nothing_to_resume_and_wrong_names_are_said(tmp_path: Path) -> None:
    done = run(tmp_path, "resume", *AUTO)
    assert done.returncode == 5
    assert "There is no interrupted table" in done.stderr
    assert run(tmp_path, "resume", "xyz", *AUTO).returncode == 2
    assert run(tmp_path, "resume", "abcd", *AUTO).returncode == 5


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    assert run(tmp_path, "solo", "fidchess", "--auto", "0").returncode == 0
    (path,) = (tmp_path / "games").iterdir()
    done = run(tmp_path, "resume", path.name[:4], *AUTO)
    assert done.returncode == 5
    assert "is over" in done.stderr


@pytest.mark.parametrize("seed", range(2))
def test_both_killed_with_whole_files(pair: list[Player], seed: int) -> None:
    """Nobody has anything to tell the other then, and still both must go on."""
    begin(pair, "kingamon", "-o", "quick=true", "-o", "captured_king=bar")
    anna, ben = pair
    ben.read_until(20 + seed)
    assert anna.kill()
    assert ben.kill()
    for player in pair:
        player.start("resume")
    for player in pair:
        player.end()
    agree(pair)
