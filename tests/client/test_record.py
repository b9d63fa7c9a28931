"""The personal record: games, results and opponents, counted from the saved games."""

import json
from pathlib import Path

import pytest
from saved_games import ANNA, BEN, LOST, agreed, home_of, keep, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.lobby.shelf import Shelf, Tally, record
from protocol import charter_record

WON = ((1, "B2-B3"), (2, "resign"))


def test_the_record_counts_games_results_and_opponents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    solo(home, WON, 1e9, nonce=1)
    solo(home, WON, 1e9, nonce=2)
    solo(home, WON[:1], 1e9, nonce=3)
    charter = agreed("kingamon", [(ANNA, "anna"), (BEN, "ben")], first="1")
    keep(home, charter.table.hex()[:16], charter_record(charter), 1e9)
    by_game, by_opponent = record(Shelf(home).games())
    assert by_game == {"Fidchess": Tally(3, 2, 1, 0)}
    assert by_opponent == {"bots": {"Fidchess": Tally(3, 2, 1, 0)}}
    assert main(["record", "--home", str(home.path)]) == 0
    assert capsys.readouterr().out == "Fidchess  3 games: 2 won, 1 lost\n\nbots  Fidchess  3 games: 2 won, 1 lost\n"
    assert main(["record", "--json", "--home", str(home.path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["opponents"]["bots"]["Fidchess"] == {"played": 3, "won": 2, "lost": 1, "drawn": 0}


def test_who_resigned_before_the_others_drew_has_lost(tmp_path: Path) -> None:
    home, names = home_of(tmp_path), ("anna", "bot 2", "bot 3")
    placed = ((1, "5D4"), (2, "5D5"), (3, "5D6"))
    solo(home, [*placed, (1, "resign"), (2, "1A7")], 1e9, names=names, key="fidchell", turn_limit=4)
    solo(home, [*placed, (1, "1A7")], 2e9, nonce=1, names=names, key="fidchell", turn_limit=4)
    assert [game.score() for game in Shelf(home).games()] == ["drawn", "lost"]
    assert [game.score() for game in Shelf(home).games()] == ["drawn", "lost"], "also from what was kept of the files"


def test_the_record_of_each_opponent_is_sorted_as_that_of_all(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    (lost,) = Shelf(home).games()
    kinds = ("fidchess", "kingamon", "kingamon")
    by_game, by_opponent = record(lost._replace(facts=lost.facts._replace(game=key)) for key in kinds)
    assert [*by_game] == [*by_opponent["bots"]] == ["Byzantine Kingamon", "Fidchess"]


def test_without_a_game_that_is_over_the_next_step_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--home", str(tmp_path)]) == 0
    assert "solo kingamon" in capsys.readouterr().out
