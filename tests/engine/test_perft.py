"""Perft, the number of sequences of moves, counted by the games and by the script, against saved counts."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from perft_cases import GAMES, cases
from scripting import script

from engine import Game, Over, all_games

ROOT = Path(__file__).parents[2]
QUICK = 60_000
"""The largest count that every test run checks; the slow tests check the larger ones."""
CASES = [pytest.param(key, case, id=f"{key} {case['name']}") for key in GAMES for case in cases(key)]


def reached(game: Game[Any], case: dict[str, Any]) -> Any:
    """The position of a case."""
    state = game.start({"first": 1, **case["options"]}, case.get("seats", 2))
    for action in case["after"]:
        assert game.refuse(state, state.to_move, action) is None, action
        state = game.apply(state, state.to_move, action)
    return state


def perft(game: Game[Any], state: Any, depth: int) -> int:
    if isinstance(game.pending(state), Over):
        return 0
    legal = game.legal(state, state.to_move)
    if depth == 1:
        return len(legal)
    return sum(perft(game, game.apply(state, state.to_move, action), depth - 1) for action in legal)


@pytest.mark.parametrize(("key", "case"), CASES)
def test_perft(key: str, case: dict[str, Any]) -> None:
    game = all_games()[key]
    state = reached(game, case)
    for depth, count in enumerate(case["counts"], 1):
        assert count > QUICK or perft(game, state, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("key", "case"), CASES)
def test_deep_perft(key: str, case: dict[str, Any]) -> None:
    game = all_games()[key]
    assert perft(game, reached(game, case), len(case["counts"])) == case["counts"][-1]


def run_perft(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "scripts/perft.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.many
def test_the_perft_script_counts() -> None:
    counts = cases("fidchess")[0]["counts"]
    assert run_perft("fidchess", "--depth", "2").stdout == f"{counts[1]}\n"
    *divided, total = run_perft("fidchess", "--depth", "2", "--divide", "-o", "quen=false").stdout.splitlines()
    assert int(total) == counts[1] == sum(int(line.split(": ")[1]) for line in divided)
    assert len(divided) == counts[0]
    assert run_perft("fidchess", "--depth", "0").stdout == "1\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["chess"], 5, "no game 'chess'"),
        (["fidchess", "-o", "quen=5"], 2, "quen is false or true"),
        (["fidchess", "-o", "king=1"], 2, "no option king"),
        (["fidchess", "-o", "quen"], 2, "NAME=VALUE"),
        (["fidchess", "--players", "3"], 2, "--players is 2"),
        (["fidchess", "--depth", "-1"], 2, "0 or more"),
        (["fidchess", "--depth", "x"], 2, "--depth"),
    ],
)
def test_the_perft_script_refuses_in_one_line(
    arguments: list[str], code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["perft.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        script("perft").main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out, len(err.splitlines())) == (code, "", 1)
    assert words in err
