"""What `hint` and `why` say a move of Fidchell is for: each sentence in a position made for it, and so by the rules."""

from random import Random

from claims import CLAIMS, Claim, read
from fake_table import FakeTable

from engine import all_games
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Thought, always, together

FAR_OFF = ("6A7", "6E7", "5A7", "5E7", "6A5", "6E5", "5A5")
"""Fields where pieces of Green touch nothing."""
DOUBLE = (("3C7", "3C6", "3C5", "3C4", "3C3", "2C2"), FAR_OFF[:6])
"""Red's chain lacks 3C2, and then 3C1 or 2C1."""


def told(red: tuple[str, ...], green: tuple[str, ...], move: str, pieces: int = 27) -> str:
    """Return why Red moves so, with these pieces on the board; each sentence holds by the rules."""
    table = FakeTable("fidchell", first=1, pieces=pieces)
    table.replay(*(place for both in zip(red, green, strict=True) for place in both))
    thought = Thought(move, 0.0)
    told = together(bot_of(table.game).explain(table.state, 1, thought))
    claim = Claim(table.game, table.state, 1, thought)
    for known, what in read(told):
        CLAIMS[known](claim, *(one for one in what if one is not None))
    return told


def test_two_ways_to_close_the_chain_are_named_also_of_a_move_that_wins_by_force() -> None:
    two = "it makes 2 ways to close Red's chain (2C1, 3C1)"
    assert two in told(*DOUBLE, "3C2")
    table = FakeTable("fidchell", first=1).replay(*(place for both in zip(*DOUBLE, strict=True) for place in both))
    best, *_ = bot_of(table.game).think(table.state, 1, 4, Random(0), always)
    assert (best.action, best.reason) == ("3C2", f"wins by force within 2 turns; {two}")
    assert "ways to close" not in told(*DOUBLE, "3B3"), "there is one"


def test_a_chain_that_no_single_move_can_block_is_told_as_that() -> None:
    red, green = ("3C1", "3C2", "3C3", "3C4", "3B6"), FAR_OFF[:5]
    surely = "leaves no single move that blocks Red's chain"
    assert surely in told(red, green, "3C5"), "by 3C6 and 3C7, or by 3C6 and 3B7"
    assert surely not in told(red[:4], green[:4], "3C5"), "Green takes 3C6 or 3C7"


def test_two_pieces_that_are_attacked_at_once_are_named() -> None:
    far = ("1C7", "1C6")
    assert told(far, ("4B4", "4D4"), "4C4") == "threatens to capture 4B4 or 4D4"
    assert told(far, ("4B4", "6E7"), "4C4") == "threatens to capture 4B4", "where nothing else is to be said"
    assert "threatens" not in told(("2C5", "5C5"), ("2C6", "5C6"), "2C4"), "2C6, from 2C7: many moves attack one"


def test_the_piece_that_a_move_guards_is_named() -> None:
    assert "guards 2C5 from capture" in told(("2C5", "5C5"), ("2C6", "5C6"), "2C4")
    alone = told(("2C5", "5C7"), ("2C6", "6E7"), "2C4")
    assert "guards" not in alone
    assert "leaves the other side nothing to capture" in alone, "which says it of all pieces"


def test_a_piece_that_moves_out_of_danger_or_stands_safe_beside_a_rival_is_told_as_that() -> None:
    red = ("5C5", "1C7", "1C6", "1A7", "2A7", "2E7", "3A7")
    green = ("5C6", "5D4", "6A7", "6E7", "6A5", "6E5", "5A7")
    assert "brings its piece out of danger" in told(red, green, "5C5-4E5", pieces=7)
    assert told(("1C7", "1C6"), ("4E6", "4E5"), "4E7") == "cannot be captured on 4E7"


def test_of_a_move_that_costs_much_it_is_not_told_what_it_is_for() -> None:
    table = FakeTable("fidchell", first=1).replay("1C7", "4B4", "1C6", "4D4")
    assert not bot_of(table.game).explain(table.state, 1, Thought("4C4", 0.0), praised=False)


TWO_RIVALS_BY_ONE_MOVE = """
    5C5 3A6 4A7 5E6 4D4 4B6 5C7 6C7 6C3 3E5 5C3 3B5 2C6 2E6 2A7 1C1 4B3 2E7 5D7 4C2 4C4 4D3 1C2 6C1 5B4 6E7 1D5 5E5
    4D5 1D4 3B7 2C7 1C4 5B6 2B7 4C7 5E7 3E7 4E7 5B5 4B7 4B5 1B6 4A7 5B7 6A7 5B3 2D6 1D3 2C5 4C3 5A6 6D3 4A5 1A5 6B3
    2C6 2C4 5E6 3D3 6C3 5D3 3C6 5C3 2D6 6D7 4C6 1D7 6D6 2C1 4D7
"""
"""Both rivals of seat 2 can capture by one and the same place; 6B3-6B4 takes that from one of them."""


def test_a_capture_that_another_rival_still_has_is_not_said_to_be_prevented() -> None:
    game = all_games()["fidchell"]
    state = game.start({"first": 1}, 3)
    for action in TWO_RIVALS_BY_ONE_MOVE.split():
        state = game.apply(state, state.to_move, action)
    assert "from capturing" not in together(bot_of(game).explain(state, 2, Thought("6B3-6B4", 0.0)))
