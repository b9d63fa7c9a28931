"""Take-backs among real processes: two at a table, and people at one screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import Player, agree, leave, people, run
from three_players import sit_down


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Player]]:
    players = people(tmp_path, 2)
    for player in players:
        player.hands = ("--plain",)
    yield players
    leave(players)


@pytest.mark.network
@pytest.mark.slow
def test_two_clients_take_a_turn_back_and_play_on(pair: list[Player]) -> None:
    """What both signed stands in both files, which go on to the end of the game."""
    anna, ben = pair
    sit_down(pair, "fidchess", "-o", "first=1")
    anna.hears("Your turn")
    anna.type("a2-a3")
    ben.hears("Your turn")
    anna.type("takeback", "yes")
    anna.hears("You ask to take your turn back")
    assert "wants to take back Yellow's A2-A3: `takeback` agrees" in ben.hears("wants to take back")
    ben.type("takeback")
    ben.hears("Agree to take back Yellow's A2-A3? [y/N]")
    ben.type("yes")
    for player in pair:
        player.hears("Yellow's A2-A3 is taken back.")
    anna.hears("Your turn")
    anna.type("b2-b3")
    ben.hears("Your turn")
    ben.type("takeback")
    ben.hears("You have done nothing yet that could be taken back.")
    ben.type("resign", "yes")
    for player in pair:
        player.end()
    assert agree(pair)["ok"]
    for player in pair:
        told = run(player.home, "replay", str(player.file)).stdout
        assert "takeback 0" in told, told
        assert "Yellow's A2-A3 is taken back." in told


def test_people_at_one_screen_take_back_no_more_than_the_last_one_did(pair: list[Player]) -> None:
    anna, _ = pair
    anna.network = ()
    anna.start("solo", "fidchess", "--hot-seat", "-o", "first=1")
    anna.hears("Yellow (player 1), your turn")
    anna.type("a2-a3")
    anna.hears("Green (player 2), your turn")
    anna.type("a7-a6")
    anna.hears("Yellow (player 1), your turn")
    anna.type("takeback", "yes")
    anna.hears("Green's A7-A6 is taken back.")
    anna.hears("Green (player 2), your turn")
    anna.type("takeback")
    anna.hears("Green (player 2) has acted since: your turn stands.")
    anna.type("resign", "yes")
    anna.end()
    assert anna.report()["ok"]
