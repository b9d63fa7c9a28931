"""`analyse`: what a bot makes of a game that was played."""

import re
from pathlib import Path

import pytest

from engine import CHANCE, OptionValue, Turn, all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.analysis import Entry, judged, told


def entries(key: str, actions: str, **options: OptionValue) -> list[Entry]:
    game = all_games()[key]
    state = game.start(options, 2)
    found: list[Entry] = []
    for action in actions.split():
        due = game.pending(state)
        actor = due.seat if isinstance(due, Turn) else CHANCE
        found.append(Entry(len(found) + 1, actor, action, state))
        state = game.apply(state, actor, action)
    return found


def test_a_move_that_leaves_the_rigant_is_where_the_game_turned() -> None:
    """Yellow comes next to the Rigant, and Green moves something else."""
    played = entries("fidchess", "D2-D3 A7-A6 D3-D4 A6-A5 D4-C6 B8-A6 C6-B8 D7-D6 B8xA8", first=1)
    found = list(judged(all_games()["fidchess"], played))
    assert [one.number for one in found] == [*range(1, 10)]
    worst = max(found, key=lambda one: one.loss)
    assert (worst.number, worst.seat, worst.action) == (8, 2, "D7-D6")
    lines = told(all_games()["fidchess"], ["anna", "ben"], found)
    assert lines[0].startswith("anna: 5 choices, ")
    assert lines[2] == "Where the game turned:"
    assert any(line.startswith("   8. ben played D7-D6; the bot would play ") for line in lines)


def test_a_saved_game_is_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "solo",
        "fidchess",
        "--auto",
        "1",
        "-o",
        "turn_limit=8",
        "-o",
        "first=1",
        "--plain",
        "--home",
        str(tmp_path),
    ]
    assert main(command) == 0
    (path,) = tmp_path.glob("games/*.stonehenge")
    capsys.readouterr()
    assert main(["analyse", str(path), "--level", "casual"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Fidchess: bot Aoife, bot Brigid"
    assert re.match(r"bot Aoife: \d+ choices?, ", out[1])
    assert re.match(r"bot Brigid: \d+ choices?, ", out[2]), "a forced move is no choice"


def test_a_game_of_hidden_cards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solo", "celtic-whist", "--auto", "0", "--players", "2", "--plain", "--home", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("games/*.stonehenge")
    assert main(["analyse", str(path)]) == 1
    assert "what a player held is not in the file" in capsys.readouterr().err
