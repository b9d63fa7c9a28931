"""Byzantine Kingamon: dice, bearing off, the bar, the cube, and how a game ends."""

import pytest
from kingamon_positions import (
    BACKGAMMON,
    RED,
    STUCK,
    WHITE,
    Pieces,
    alone,
    board,
    legal,
    placed,
    position,
    result_of,
    run,
    why,
)

from engine import CHANCE, Chance, Dice, OptionValue, Over, Result, Turn
from engine.games.kingamon import ANSWER, GAME, PLAY, ROLL, State

# Dice


def test_dice_are_played_one_at_a_time_in_either_order_and_lapse() -> None:
    state = alone(WHITE, [3, 5], king="off", s10=1)
    assert legal(state) == {"10/13", "10/15"}
    after = GAME.apply(state, WHITE, "10/15")
    assert after.dice == b"\3"
    assert legal(after) == {"15/18"}
    done = GAME.apply(after, WHITE, "15/18")
    assert (done.phase, done.seat, done.dice) == (ROLL, RED, b"")


def test_no_duty_to_choose_the_order_that_uses_both() -> None:
    state = position(WHITE, [1, 6], {"king": "off", "s10": 1}, {"s17": 2, "s24": 8})
    assert legal(state) == {"10/11", "10/16"}
    lapsed = GAME.apply(state, WHITE, "10/16")
    assert (lapsed.phase, lapsed.seat) == (ROLL, RED)
    blocked_after_one = GAME.apply(state, WHITE, "10/11")
    assert blocked_after_one.seat == RED


def rolling(seat: int, white: Pieces, red: Pieces, roll: str, **options: OptionValue) -> State:
    start = GAME.start(options, 2)
    state = State(start.rules, ROLL, seat, placed(WHITE, white), placed(RED, red), b"", 0, 1, 0)
    return GAME.apply(state, CHANCE, roll)


def test_a_roll_without_a_play_passes_the_turn() -> None:
    after = rolling(WHITE, *STUCK, "3-5")
    assert (after.phase, after.seat) == (ROLL, RED)


def test_doubles_roll_again_also_when_nothing_could_be_played() -> None:
    after = rolling(WHITE, *STUCK, "4-4")
    assert (after.phase, after.seat, after.again) == (ROLL, WHITE, 0)
    assert rolling(WHITE, *STUCK, "2-1").phase == PLAY
    movable: tuple[Pieces, Pieces] = {"king": "off", "s10": 2}, {"s5": 10}
    first = rolling(WHITE, *movable, "2-2")
    second = GAME.apply(first, WHITE, "10/12")
    assert (second.phase, second.dice, second.again) == (PLAY, b"\2", 1)
    third = GAME.apply(second, WHITE, "12/14")
    assert (third.phase, third.seat) == (ROLL, WHITE)
    assert GAME.apply(third, CHANCE, "3-3").again == 1
    assert GAME.apply(third, CHANCE, "3-4").again == 0


@pytest.mark.parametrize("roll", ["1-2", "2-1"])
def test_acey_ducey_rolls_again(roll: str) -> None:
    stuck: tuple[Pieces, Pieces] = {"king": "off", "s27": 1}, {"s5": 10}
    assert rolling(WHITE, *stuck, roll).again == 0
    state = rolling(WHITE, *stuck, roll, acey_ducey=True)
    assert state.again == 1
    for action in ("27/28", "28/off"):
        assert state.seat == WHITE
        state = GAME.apply(state, WHITE, action) if action in GAME.legal(state, WHITE) else state
    assert rolling(WHITE, *stuck, "1-3", acey_ducey=True).again == 0


# Bearing off and winning


def test_bearing_off_the_last_piece_wins_and_a_king_alone_is_not_enough() -> None:
    last = alone(RED, [4], king="off", s4=1)
    assert result_of(GAME.apply(last, RED, "4/off")) == Result((RED,), (0, 1), "all pieces borne off")
    king = alone(RED, [4], king="s4")
    assert result_of(GAME.apply(king, RED, "K4/off")).reason == "all pieces borne off"
    early = alone(RED, [4], king="s4", s3=1)
    assert not isinstance(GAME.pending(GAME.apply(early, RED, "K4/off")), Over)


def test_quick_is_won_by_the_king() -> None:
    state = alone(WHITE, [4], king="s26", options={"quick": True}, s10=9)
    assert result_of(GAME.apply(state, WHITE, "K26/off")) == Result((WHITE,), (1, 0), "king borne off")


def test_quick_with_removed_disks() -> None:
    options: dict[str, OptionValue] = {"quick": True, "captured_disks": "removed"}
    state = position(WHITE, [5, 1], {"s4": 10}, {"s9": 1, "s20": 9}, **options)
    after = GAME.apply(state, WHITE, "4/9*")
    assert board(after)[RED, "disk"] == ["20"] * 9
    king = position(WHITE, [5], {"s4": 10}, {"king": "s9", "s20": 10}, **options)
    assert result_of(GAME.apply(king, WHITE, "4/9*")).reason == "king captured"


def test_quick_with_the_captured_king_on_the_bar() -> None:
    options: dict[str, OptionValue] = {"quick": True, "captured_king": "bar"}
    state = position(WHITE, [5, 1], {"s4": 10}, {"king": "s9", "s20": 10}, **options)
    after = GAME.apply(state, WHITE, "4/9*")
    assert board(after)[RED, "king"] == ["bar"]
    assert after.phase == PLAY


@pytest.mark.parametrize("seat", [WHITE, RED])
def test_backgammon_bearing_off_waits_for_all_and_takes_larger_dice(seat: int) -> None:
    def at(space: int) -> int:
        return space if seat == WHITE else 30 - space

    def moves(dice: list[int], king: str, *spaces: int | str) -> set[str]:
        mine: Pieces = {"king": king} | {space if isinstance(space, str) else f"s{at(space)}": 1 for space in spaces}
        white, red = (mine, {}) if seat == WHITE else ({}, mine)
        return {move for move in legal(position(seat, dice, white, red, **BACKGAMMON)) if "off" in move}

    home = f"s{at(28)}"
    assert moves([4], home, 26, 27) == {f"{at(26)}/off", f"{at(27)}/off(4)", f"K{at(28)}/off(4)"}
    assert moves([6], home, 24, 26) == {f"{at(24)}/off", f"{at(26)}/off(6)", f"K{at(28)}/off(6)"}
    assert moves([5, 6], "off", 26) == {f"{at(26)}/off(5)", f"{at(26)}/off(6)"}
    assert moves([4, 6], "off", 26) == {f"{at(26)}/off", f"{at(26)}/off(6)"}
    assert moves([3], "off", 26) == set()
    assert moves([4], home, 26, 23) == set()
    assert moves([4], home, 26, "bar") == set()
    assert moves([4], "start", 26) == set()


def test_the_larger_die_is_the_one_that_is_spent() -> None:
    state = alone(WHITE, [4, 6], king="off", options=BACKGAMMON, s26=2)
    assert GAME.apply(state, WHITE, "26/off").dice == b"\6"
    assert GAME.apply(state, WHITE, "26/off(6)").dice == b"\4"


# The bar first


def test_bar_first_holds_the_board_until_all_have_entered() -> None:
    options = {"bar_first": True}
    state = alone(WHITE, [3, 5], bar=1, s10=1, options=options)
    assert legal(state) == {"bar/3", "bar/5", "Kbar/3", "Kbar/5"}
    by_king = GAME.apply(state, WHITE, "Kbar/3")
    assert legal(by_king) == {"bar/5"}
    by_disk = GAME.apply(state, WHITE, "bar/3")
    assert legal(by_disk) == {"Kbar/5", "3/8", "10/15"}
    home = alone(WHITE, [4], king="off", bar=1, s26=1, options=options)
    assert legal(home) == {"bar/4"}


def test_bar_first_is_for_a_captured_king_too_but_not_for_one_that_never_entered() -> None:
    waiting = alone(WHITE, [3], s10=1, options={"bar_first": True})
    assert legal(waiting) == {"Kbar/3", "10/13"}
    captured = alone(WHITE, [3], king="bar", s10=1, options={"bar_first": True, "quick": True, "captured_king": "bar"})
    assert legal(captured) == {"Kbar/3"}


# The cube


def test_no_cube_before_the_first_turn_nor_without_the_option() -> None:
    first = GAME.start({"first": 1, "cube": True}, 2)
    assert GAME.pending(first) == Chance(Dice(2, 6))
    second = run(first, "3-5", "2/5", "2/7")
    assert GAME.pending(second) == Turn(RED)
    assert GAME.legal(second, RED) == ("roll", "double")
    assert GAME.pending(run(GAME.start({"first": 1}, 2), "3-5", "2/5", "2/7")) == Chance(Dice(2, 6))


def test_double_and_take_and_access_to_the_cube() -> None:
    state = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7", "double")
    assert (state.phase, GAME.pending(state)) == (ANSWER, Turn(WHITE))
    assert GAME.legal(state, WHITE) == ("take", "drop")
    state = run(state, "take")
    assert (state.stake, state.owner, state.phase, state.seat) == (2, WHITE, ROLL, RED)
    state = run(state, "3-5", "28/25", "28/23")
    assert (GAME.pending(state), state.seat) == (Turn(WHITE), WHITE)
    state = run(state, "roll", "3-5", "3/6", "3/8")
    assert GAME.pending(state) == Chance(Dice(2, 6))
    assert state.seat == RED


def test_no_choice_before_an_extra_roll() -> None:
    state = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7", "roll", "1-1", "28/27", "28/27")
    assert (GAME.pending(state), state.seat) == (Chance(Dice(2, 6)), RED)


def test_dropping_loses_the_old_stake_and_resigning_under_an_offer_too() -> None:
    offer = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7", "double")
    assert result_of(run(offer, "drop")) == Result((RED,), (0, 1), "double dropped")
    assert result_of(GAME.apply(offer, WHITE, "resign")) == Result((RED,), (0, 1), "resigned")
    assert result_of(GAME.apply(offer, RED, "resign")) == Result((WHITE,), (1, 0), "resigned")
    again = run(offer, "take", "3-5", "28/25", "28/23", "double")
    assert result_of(run(again, "drop")).points == (2, 0)
    assert result_of(GAME.apply(again, RED, "resign")).points == (2, 0)


def test_the_stake_rises_to_64_and_then_nobody_has_access() -> None:
    opening = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7")
    turn = {WHITE: ("3-5", "3/6", "3/8"), RED: ("3-5", "28/25", "28/23")}
    state = opening
    for stake in (2, 4, 8, 16, 32, 64):
        state = run(state, "double", "take")
        assert state.stake == stake
        state = run(state, *turn[state.seat])._replace(white=opening.white, red=opening.red)
    assert (GAME.pending(state), state.seat) == (Chance(Dice(2, 6)), RED)
    assert GAME.pending(run(state, *turn[RED])) == Chance(Dice(2, 6))
    assert result_of(GAME.apply(state, RED, "resign")).points == (64, 0)


def test_a_win_on_the_board_is_worth_the_stake() -> None:
    state = position(WHITE, [5, 1], {"s4": 10}, {"king": "s9", "s20": 10}, cube=True)
    over = GAME.apply(state._replace(stake=4, owner=RED), WHITE, "4/9*")
    assert result_of(over) == Result((WHITE,), (4, 0), "king captured")


# Resigning and agreeing a draw


@pytest.mark.parametrize("seat", [WHITE, RED])
def test_resigning_and_drawing_before_anything_else(seat: int) -> None:
    start = GAME.start({}, 2)
    assert GAME.refuse(start, seat, "resign") is None
    won = GAME.apply(start, seat, "resign")
    assert result_of(won).winners == (3 - seat,)
    assert GAME.refuse(start, CHANCE, "draw") is None
    drawn = GAME.apply(start, CHANCE, "draw")
    assert result_of(drawn) == Result((), (0, 0), "draw agreed")
    for over in (won, drawn):
        assert why(over, "resign", seat)[0] == "over"
        assert GAME.legal(over, seat) == ()
