"""What `hint` and `why` say a quiet move of Fidchess is for: each sentence in a position, and so by the rules."""

import pytest
from claims import CLAIMS, Claim, read
from fake_table import FakeTable

from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought, together


@pytest.mark.parametrize(
    ("moves", "move", "told"),
    [
        ("C2-D4 D8+D7", "C1-C4", "guards D4"),
        ("B2-A4", "B7+A7", "attacks A4, which nothing guards"),
        ("B1-A3", "A7-C6", "brings the piece on A7 out of danger"),
        ("", "A2+B2", ""),
    ],
)
def test_a_quiet_move_is_told_by_what_it_changes(moves: str, move: str, told: str) -> None:
    table = FakeTable("fidchess", first=1).replay(*moves.split())
    seat, thought = table.turn, Thought(move, 0.0)
    thought = thought._replace(parts=bot_of(table.game).explain(table.state, seat, thought))
    assert together(thought.parts) == told
    claim = Claim(table.game, table.state, seat, thought)
    for known, what in read(told):
        CLAIMS[known](claim, *(one for one in what if one is not None))
