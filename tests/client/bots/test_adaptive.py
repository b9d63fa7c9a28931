"""`solo --level adaptive`: bots that get better after each game won against them, and worse after each lost one."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from local_tables import table_of

from engine import Result
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.adaptive import FILE_LIMIT, MOST, Seated, keep_bots, kept_bots, level_for, note, tell_level
from p2p_stonehenge.bots.players import USUAL, Bots
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.after import report
from p2p_stonehenge.table.local import LocalTable

ROOT = Path(__file__).resolve().parents[3]


def ended(*winners: int) -> Result:
    return Result(winners, (0, 0, 0, 0), "")


def test_bots_follow_each_game_on_their_own(tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    assert level_for(home, "fidchess", 2) == 2
    note(home, "fidchess", 2, (1,), 2, ended(1))
    note(home, "qenqe", 3, (2,), 2, ended(3))
    assert [level_for(home, "fidchess", 2), level_for(home, "qenqe", 3), level_for(home, "qenqe", 2)] == [3, 1, 2]


def test_partners_win_together_and_a_team_or_a_draw_changes_nothing(tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    note(home, "qenqe", 4, (1,), 3, ended(1, 3))
    assert level_for(home, "qenqe", 4) == 4
    for winners in ((), (1, 2, 3, 4)):
        note(home, "qenqe", 4, (1,), 4, ended(*winners))
    assert level_for(home, "qenqe", 4) == 4
    note(home, "qenqe", 4, (1,), 4, ended(2, 4))
    assert level_for(home, "qenqe", 4) == 3


def test_nobody_is_left_with_bots_below_the_first_or_above_the_last_level(tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    note(home, "fidchess", 2, (1,), 1, ended(2))
    assert level_for(home, "fidchess", 2) == 1
    note(home, "fidchess", 2, (1,), 5, ended(1))
    assert level_for(home, "fidchess", 2) == 5


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"fidchess 2": 9}', b'{"fidchess 2": "3"}', b"[" * 60_000])
def test_a_damaged_file_means_the_usual_level(content: bytes, tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    (tmp_path / "levels.json").write_bytes(content)
    assert level_for(home, "fidchess", 2) == 2
    note(home, "fidchess", 2, (1,), 2, ended(1))
    assert level_for(home, "fidchess", 2) == 3


@pytest.mark.parametrize("skill", [2.2, 3.3, 3.8])
def test_a_player_comes_to_win_about_half(skill: float, tmp_path: Path) -> None:
    """A player wins against a level by the distance between both: each level is as far from the next one as in play."""
    home, rng, won = Home.open(str(tmp_path)), Random(1), 0
    games = 200
    for _ in range(games):
        level = level_for(home, "fidchess", 2)
        wins = rng.random() < 1 / (1 + 5 ** (level - skill))
        won += wins
        note(home, "fidchess", 2, (1,), level, ended(1 if wins else 2))
    assert 0.42 < won / games < 0.58


def test_a_game_lost_at_the_keyboard_makes_the_next_opponent_weaker(tmp_path: Path) -> None:
    """A real one: the second game is announced at the level that the first one has led to."""
    words = ["solo", "fidchess", "--level", "adaptive", "--plain", "-o", "first=1", "--home", str(tmp_path)]
    told = [
        subprocess.run(
            [sys.executable, "-m", "p2p_stonehenge", *words],
            input="resign\nyes\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            cwd=ROOT,
        ).stdout
        for _ in range(2)
    ]
    assert "Level: casual." in told[0]
    assert "Level: learner." in told[1]
    assert json.loads((tmp_path / "levels.json").read_text())["fidchess 2"] == 1


@pytest.mark.parametrize(("follows", "loser", "level"), [(True, 1, "learner"), (True, 2, "club"), (False, 1, "")])
def test_the_level_of_the_next_game_is_told_at_the_end(follows: bool, loser: int, level: str, tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchess")
    tell_level(table, (2,), Seated(2, follows))
    table.begin()
    assert table.after().next_bots == ""
    table.play(loser, "resign")
    told = f"The bots of the next game: {level}."
    assert (told in report(table)) == bool(level)


def left(home: Path, *words: str, typed: str = "") -> str:
    """Begin a game and leave it at once, or go on with it and resign; or do what is `typed`. Return what was told."""
    done = subprocess.run(
        [sys.executable, "-m", "p2p_stonehenge", *words, "--plain", "--home", str(home)],
        input=typed or ("resign\nyes\n" if words[0] == "resume" else "quit\n"),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def test_a_game_that_was_left_counts_when_it_is_gone_on_with(tmp_path: Path) -> None:
    out = left(tmp_path, "solo", "fidchess", "--level", "adaptive", "-o", "first=1")
    assert out.splitlines()[-1].endswith("` goes on with it."), "the last line says how"
    assert level_for(Home.open(str(tmp_path)), "fidchess", 2) == 2, "nobody has won yet"
    left(tmp_path, "resume")
    assert level_for(Home.open(str(tmp_path)), "fidchess", 2) == 1


@pytest.mark.parametrize(("level", "told"), [("adaptive", "casual, adaptive"), ("club", "club"), ("casual", "casual")])
def test_the_level_is_told_by_who_and_when_a_game_is_gone_on_with(level: str, told: str, tmp_path: Path) -> None:
    words = ("solo", "fidchess", "--level", level, "-o", "first=1")
    assert f"bot Brigid  level: {told}\n" in left(tmp_path, *words, typed="who\nquit\n")
    again = left(tmp_path, "resume", typed="who\nquit\n")
    assert f"bot Brigid  level: {told}\n" in again
    assert f"Level: {told.removesuffix(', adaptive')}." in again
    assert ("It goes up when you win" in again) == (level == "adaptive")


def test_a_game_against_bots_of_a_given_level_does_not_count_after_resume(tmp_path: Path) -> None:
    left(tmp_path, "solo", "fidchess", "--level", "club", "-o", "first=1")
    left(tmp_path, "resume")
    assert level_for(Home.open(str(tmp_path)), "fidchess", 2) == 2


def test_a_game_gone_on_with_has_the_bots_that_it_began_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(tmp_path, "solo", "fidchess", "--level", "master", "-o", "first=1")
    levels: list[int] = []

    class Watched(Bots):
        def __init__(self, table: LocalTable, seats: Sequence[int], level: int, *others: Any) -> None:
            levels.append(level)
            super().__init__(table, seats, level, *others)

    monkeypatch.setattr("p2p_stonehenge.cli.resume.Bots", Watched)
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["resume", "--plain", "--home", str(tmp_path)]) == 0
    assert levels == [5]


def test_the_bots_of_the_last_tables_are_kept_and_no_more(tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    tables = [bytes([number]) * 32 for number in range(MOST + 1)]
    for table in tables:
        keep_bots(home, table, Seated(4, follows=True))
    assert kept_bots(home, tables[0]) == Seated(USUAL, follows=False)
    kept = {kept_bots(home, table) for table in tables[1:]}
    assert kept == {Seated(4, follows=True)}
    assert (tmp_path / "levels.json").stat().st_size < FILE_LIMIT / 2


@pytest.mark.parametrize(
    "kept",
    [
        *("[]", "{}", "3", "[9, true, 0, 0, []]", "[true, true, 0, 0, []]", '[3, "yes", 0, 0, []]', "[3, true, 1]"),
        *("[3, true, 0, 0, 1]", "[3, true, 0, 0, [-1]]", "[3, true, true, 0, []]"),
    ],
)
def test_damaged_bots_of_a_table_are_the_usual_ones(kept: str, tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    for content in (f'{{"tables": {{"{"00" * 8}": {kept}}}}}', f'{{"tables": {kept}}}'):
        (tmp_path / "levels.json").write_text(content)
        assert kept_bots(home, bytes(32)) == Seated(USUAL, follows=False)


@pytest.mark.parametrize(
    ("words", "told"), [(["--auto", "1"], "leave out --auto"), (["--hot-seat"], "people play all seats: leave one out")]
)
def test_there_is_one_player_to_follow(
    words: list[str], told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["solo", "fidchess", "--level", "adaptive", *words, "--home", str(tmp_path)]) == 2
    assert told in "".join(capfd.readouterr())
