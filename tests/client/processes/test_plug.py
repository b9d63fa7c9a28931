"""The plug is pulled again and again, at random moments, on one, several or all: the game ends, nothing is lost."""

import os
from pathlib import Path

import pytest
from playing import games_under_fire

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("game", "kills"), [("celtic-whist", 8), ("kingamon", 12)])
def test_twenty_kills_at_random_moments_lose_nothing(tmp_path: Path, game: str, kills: int) -> None:
    # When a kill strikes depends on the machine as well: no two runs are alike.
    total = 0
    for toll in games_under_fire(tmp_path, game, kills, os.environ.get("STONEHENGE_MORE", "1")):
        print(f"\n{game}: {toll}")
        total += toll.kills
    assert total >= kills
