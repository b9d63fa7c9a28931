"""Fidchell: winning and losing, and seats that cannot move."""

from random import Random
from typing import Any

from checks import sentences
from fidchell_positions import CROWD, SPOKE, men, play, position, result, start
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, Result, Turn
from engine.games.fidchell import GAME

# Winning and losing


def test_a_direct_chain_wins_with_seven_pieces() -> None:
    for missing in SPOKE.split(","):
        state = position(f"R:{','.join(name for name in SPOKE.split(',') if name != missing)}")
        assert result(play(state, missing)) == Result((1,), (1, 0), "chain to the king")


def test_an_indirect_chain_wins() -> None:
    state = position("R:5C1,5C2,5C3,5D4,5D5,5D6,5D7", hands=(9, 9))
    assert result(play(state, "5D3")).winners == (1,)
    assert result(play(position("G:6C1,5C1,5C2,5C3,5C4,5C5,5C6", to_move=2), "5C7")).winners == (2,)


def test_a_broken_or_mixed_chain_wins_nothing() -> None:
    assert not play(position("R:5C1,5C2,5C4,5C5,5C6,6A6,6A7"), "5C7").reason
    assert not play(position("R:5C1,5C2,5C4,5C5,5C6 G:5C3"), "5C7").reason
    assert not play(position("R:5C2,5C3,5C4,5C5,5C6"), "5C7").reason


def test_only_the_row_that_reaches_the_king_joins_it() -> None:
    one = "1A1,1A2,1A3,1A4,1A5,1A6"
    assert not play(position(f"R:{one}", layout="1037"), "1A7").reason
    assert play(position(f"R:{one},1B1", layout="1037"), "1A7").winner == 1


def test_the_king_stays_neutral_in_chains() -> None:
    assert not play(position("R:5C1,5C2,5C3,2C1,2C2,2C3,2C4,2C5,2C6"), "5C4").reason


def test_a_chain_may_be_completed_by_a_move() -> None:
    state = position(f"R:{SPOKE[:-4]},5D7", hands=(0, 9))
    assert result(play(state, "5D7-5C7")).winners == (1,)


def test_a_chain_made_by_capturing_through_is_checked_after_captures() -> None:
    state = position("R:5C1,5C2,5C3,5C4,5C5,5C6,5A7 G:5B7", hands=(9, 7))
    state = play(state, "5C7")
    assert "5B7" not in men(state)
    assert state.reason == "chain to the king"
    state = play(position("R:5C1,5C2,5C3,5C4,5C5,5C6,5A7 G:5B7", hands=(9, 6)), "5C7")
    assert result(state) == Result((1,), (1, 0), "chain to the king"), "though Green would be out as well"


def test_six_pieces_are_too_few() -> None:
    state = play(position("R:6C5 G:6D5", hands=(9, 6)), "6E5")
    assert result(state) == Result((1,), (1, 0), "too few pieces")
    assert GAME.live(state) == ()
    assert not play(position("R:6C5 G:6D5", hands=(9, 7)), "6E5").reason


def test_the_pieces_of_a_seat_that_is_out_stay_as_obstacles() -> None:
    state = play(position("R:6C5,1A6 G:6D5,1A7,3C1 B:2A7", hands=(9, 4, 9)), "6E5")
    assert GAME.live(state) == (1, 3)
    assert men(state).split()[1] == "G:1A7,3C1"
    assert state.to_move == 1, "the capture still earns a turn"
    state = play(state, "3C2")
    assert "3C1" in men(state), "an obstacle is not captured"
    assert state.to_move == 3
    state = play(state, "1A5")
    assert "1A6" in men(state), "and captures nothing"
    assert state.to_move == 1


def test_two_seats_may_go_out_at_once() -> None:
    state = play(position("R:5B5,5D7 G:5C5 B:5D6", hands=(9, 6, 6)), "5D5")
    assert result(state) == Result((1,), (1, 0, 0), "too few pieces")


def test_a_seat_that_resigned_leaves_obstacles() -> None:
    state = position("R:6C5 G:6D5 B:1A7", hands=(9, 9, 9), to_move=2)
    state = GAME.apply(state, 2, "resign")
    assert (GAME.live(state), state.to_move) == ((1, 3), 3)
    state = play(state, "2A7", "6E5")
    assert "6D5" in men(state)
    state = GAME.apply(state, 1, "resign")
    assert result(state) == Result((3,), (0, 0, 1), "resigned")


def test_resigning_before_the_first_seat_is_drawn() -> None:
    state = GAME.apply(GAME.start({}, 3), 2, "resign")
    assert GAME.legal(state, CHANCE) == ("first 1", "first 3")
    assert GAME.refuse(state, CHANCE, "first 2") is not None
    state = GAME.apply(state, CHANCE, "first 3")
    assert GAME.pending(state) == Turn(3)
    assert GAME.pending(play(state, "1A7")) == Turn(1)


def test_resigning_out_of_turn_leaves_the_turn() -> None:
    state = GAME.apply(play(start(3), "1A7"), 1, "resign")
    assert GAME.pending(state) == Turn(2)
    assert GAME.pending(play(state, "1B7")) == Turn(3)
    assert GAME.pending(play(state, "1B7", "1C7")) == Turn(2)


# Shut in: a board of 28 fields, four rows to the king.

SHUT_IN = "R:4A6,1A5,2A5,3A5,4A5,1A3,2A3,3A3 G:1A7,2A7,3A7,4A7,1A6,2A6,3A6"
FULL_BUT_ONE = "R:2A7,4A7,1A6,1A3,2A3,3A3,4A3 G:2A6,3A6,4A6,1A5,2A5,3A5,4A5,1A4 B:3A7,2A4,3A4,4A4,1A2,2A2,3A2,4A2"
FOUR_ROWS: dict[str, Any] = {"layout": "0", "sections": 4, "pieces": 8}


def test_a_seat_that_cannot_act_is_skipped() -> None:
    state = position(SHUT_IN, hands=(0, 0), **FOUR_ROWS)
    after = play(state, "1A3-1A4")
    assert after.to_move == 1
    assert sentences(GAME, state, 1, "1A3-1A4")[1:] == ["Green cannot move and is skipped.", "Red has another turn."]
    assert play(after, "4A5-4A4", "4A6-4A5").to_move == 2, "now the way is open"
    state = position(f"{SHUT_IN} B:1A1", to_move=3, hands=(0, 0, 7), **FOUR_ROWS)
    after = GAME.apply(state, 3, "resign")
    assert after.to_move == 1
    assert all("-" in action for action in GAME.legal(after, 1)), "with its own moves, where Blue would have placed"
    state = position(f"{SHUT_IN} B:1A1", to_move=1, hands=(0, 0, 7), **FOUR_ROWS)
    assert GAME.apply(state, 1, "resign").to_move == 3
    assert sentences(GAME, state, 1, "resign") == ["Red resigns.", "Green cannot move and is skipped."]


def test_the_game_is_drawn_if_nobody_can_act() -> None:
    state = position(FULL_BUT_ONE, hands=(1, 0, 0), out=3, **FOUR_ROWS)
    after = play(state, "1A7")
    assert result(after) == Result((), (0, 0, 0), "nobody can move")
    assert sentences(GAME, state, 1, "1A7")[-1] == "The game is drawn: nobody can move."
    assert result(GAME.apply(play(state, "1A1"), 2, "resign")).winners == (1,)


def test_the_game_is_drawn_if_the_last_seat_that_could_act_resigns() -> None:
    red = "R:2A7,4A7,1A6,1A2,2A2,3A2,4A2"
    others = "G:2A6,3A6,4A6,1A5,2A5,3A5,4A5,1A4 B:3A7,2A4,3A4,4A4,1A3,2A3,3A3,4A3"
    state = GAME.apply(position(f"{red} {others}", hands=(1, 0, 0), **FOUR_ROWS), 1, "resign")
    assert result(state) == Result((), (0, 0, 0), "nobody can move")
    assert GAME.legal(state, 1) == ()


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20 * MORE)
def test_a_seat_that_captures_can_always_act_again(seed: int) -> None:
    rng = Random(seed)
    state = start(3, layout="0", sections=4, pieces=9, turn_limit=200)
    while not state.reason:
        before, state = state, GAME.apply(state, state.to_move, rng.choice(GAME.legal(state, state.to_move)))
        gone = any(has.bit_count() < had.bit_count() for has, had in zip(state.men, before.men, strict=True))
        assert not gone or state.reason or (state.to_move == before.to_move and GAME.legal(state, state.to_move))


def test_draws_by_turn_limit_and_agreement() -> None:
    state = play(start(turn_limit=3), "1A7", "2A7")
    assert not state.reason
    assert result(play(state, "3A7")) == Result((), (0, 0), "turn limit")
    assert result(GAME.apply(start(), CHANCE, "draw")) == Result((), (0, 0), "draw agreed")


def test_a_win_by_the_last_action_stands() -> None:
    state = position(f"R:{SPOKE[:-4]}", turn_limit=6)
    assert result(play(state, "5C7")) == Result((1,), (1, 0), "chain to the king")


def test_the_first_position_of_a_repetition_counts() -> None:
    state = play(
        start(pieces=7, repetition=3), *[f"{n}A7" if seat else f"{n}C7" for n in range(1, 7) for seat in (1, 0)]
    )
    state = play(state, "1A5", "1C5")
    assert len(state.history) == 1, "nothing before the last placing can come again"
    moves = ["1A5-1A6", "1C5-1C6", "1A6-1A5", "1C6-1C5"]
    state = play(state, *moves)
    assert state.history.count(state.history[0]) == 2
    state = play(state, *moves[:3])
    assert not state.reason
    assert play(state, moves[3]).reason == "repetition"


def test_a_capture_makes_a_new_position() -> None:
    state = play(position(f"{CROWD},6C5,6E6 G:6D5", hands=(0, 9), repetition=3), "6E6-6E5")
    assert len(state.history) == 1
    assert len(play(state, "6E5-6E6").history) == 2


def test_a_resignation_makes_a_new_position() -> None:
    state = GAME.apply(play(start(3, repetition=3), "1A7"), 3, "resign")
    assert len(state.history) == 1
    assert state.history[0] != play(start(3, repetition=3), "1A7").history[0]
