"""Crashes at any moment: whoever was killed comes back with `resume`, and the game ends as if nothing had happened."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playing import LOOPBACK, Player, agree, begin, leave, people, run

from p2p_stonehenge.__main__ import main
from protocol import whole

pytestmark = pytest.mark.network


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Player]]:
    players = people(tmp_path, 2)
    yield players
    leave(players)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize("game", ["kingamon", pytest.param("celtic-whist", marks=pytest.mark.slow)])
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
    begin(pair, "fidchell", "-o", "turn_limit=60")
    for player in pair:
        player.read_until(20)
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
    begin(pair, "kingamon", "-o", "quick=true", "-o", "captured_king=bar")
    anna, ben = pair
    ben.read_until(8)
    old = ben.file.read_bytes()
    ben.read_until(24)
    assert ben.kill()
    ben.file.write_bytes(old)
    ben.start("resume")
    anna.end()
    ben.end()
    agree(pair)


def test_nothing_to_resume_and_wrong_names_are_said(tmp_path: Path) -> None:
    done = run(tmp_path, "resume", *LOOPBACK, "--auto", "0")
    assert done.returncode == 5
    assert "There is no interrupted table" in done.stderr
    assert run(tmp_path, "resume", "xyz", *LOOPBACK, "--auto", "0").returncode == 5
    assert run(tmp_path, "resume", "abcd", *LOOPBACK, "--auto", "0").returncode == 5


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    assert run(tmp_path, "solo", "fidchess", "--auto", "0").returncode == 0
    (path,) = (tmp_path / "games").iterdir()
    done = run(tmp_path, "resume", path.name[:4], *LOOPBACK, "--auto", "0")
    assert done.returncode == 5
    assert "is over" in done.stderr


def test_a_game_that_was_not_resumed_is_open_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The start page carries out one command after the other in one program."""
    home = ["--home", str(tmp_path)]
    assert main(["solo", "fidchess", "--auto", "0", "--plain", *home]) == 0
    (path,) = (tmp_path / "games").iterdir()
    for _ in range(2):
        assert main(["resume", path.name[:4], "--auto", "0", *home]) == 5
        assert "That game is over." in capsys.readouterr().err


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
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


def test_a_second_program_with_one_identity_is_refused(pair: list[Player]) -> None:
    """Two programs that sign with one key would look like a cheat."""
    anna, ben = pair
    anna.start("host", "kingamon", "--name", anna.nick)
    anna.line(lambda line: "waiting for" in line)
    for words in (("host", "kingamon"), ("join", ben.nick), ("resume",)):
        done = run(anna.home, *words, *LOOPBACK, "--auto", "0")
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert "Another p2p-stonehenge already uses this home: end it, or use --home DIR" in line
    assert run(anna.home, "peers", "--seconds", "0.2", *LOOPBACK).returncode == 0, "who only looks needs no lock"
