"""A bot of Fidchell that is far ahead ends the game, though a learner or a casual one."""

from random import Random

import pytest
from fake_table import FakeTable

from engine import Over, Turn
from p2p_stonehenge.bots.thinking import bot_of

FAR_AHEAD = """
    5C6 2C3 5C3 2C4 5C4 5C5 5D4 5C7 5D5 5D6 5C6 2C7 5C5 5C6 5B6 5C6 5C2 5C5 5C6 5E6 5B5 5B4 5B5 5A5 5D5 5D3 5D7 5A6
    5C1 5D6 5B6 4E6 5C6 4C2 5C5 5D5 5D6 5C6 2B5 5D6 6A6 5C5 5C6 5B5 5A6 4D6 4E5 5B6 4E6 2C1 2C2 2C1 2D4 5C7-5B7 2B4
    2C7-2C6 5D7-6A7 2B5-6B5 6A7-2C7 2C6-2C5 2C7-1D7 6B5-6B6 4D6-1D6 5E6-5E7 5D5-1D5 5D4-5D5 5E7-5D7 6A6-5D6 5D3-5D4
    4E5-2D5 2D4-2D3 2D5-2D4 2C5-2D5 2B4-2B3 2D5-4E5 5C2-1C2 5C1-5C2 1C2-6C2 4C2-5C2 2C1-5C1 2B3-2B7 5B7-4E7 4E5-2E5
    1D7-1C7 2B7-3C7 1C7-1D7 2E5-5A5 4E7-5A7 3C7-3A7 1D7-1C7 5A5-4B5 1C7-1D7 3A7-3A6 1D7-1C7 5B4-4B4 1C7-1D7 3A6-4A6
    1D7-1C7 2D3-2D4 1C7-1D7
"""
"""Seat 2 begins. Green has 15 pieces to 8 by then; a casual bot went to and fro here, as others did for a hundred more
actions."""


@pytest.mark.parametrize(
    ("level", "rival", "seed", "most"), [(2, 2, 0, 60), (2, 2, 1, 60), (1, 0, 1, 20), (1, 0, 3, 20)]
)
def test_a_bot_that_is_far_ahead_does_not_move_to_and_fro(level: int, rival: int, seed: int, most: int) -> None:
    table, rng = FakeTable("fidchell", first=2).replay(*FAR_AHEAD.split()), Random(seed)
    game, state, played = table.game, table.state, 0
    while isinstance(due := game.pending(state), Turn) and played < most:
        plays = level if due.seat == 2 else rival
        state = game.apply(state, due.seat, bot_of(game).think(state, due.seat, plays, rng)[0].action)
        played += 1
    assert isinstance(due, Over)
    assert due.result.winners == (2,)
