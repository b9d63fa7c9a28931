"""Fidchess: the rule sheet case by case, and the engine against the slow reference."""

from random import Random
from typing import Any

import fidchess_reference as reference
import pytest
from checks import played_at_random
from fidchess_positions import REST, play, position, start
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from perft_cases import cases, name_of

from engine import CHANCE, OptionError, OptionValue, Over, Result, Turn
from engine.games.fidchess import GAME, State
from engine.games.fidchess.board import board_of
from engine.games.fidchess.reach import Reach, reaches
from engine.games.fidchess.state import Rules

OPTION_SETS = [(stacking, quen) for stacking in (False, True) for quen in (False, True)]


def stacks(state: State) -> str:
    """The inverse of `position`, in the order of the spaces."""
    words = []
    for space, stack in enumerate(state.cells):
        if stack:
            content = f"{'?YG'[stack >> 4]}{'R' if stack & 8 else ''}{stack & 7 or ''}"
            words.append(f"{content}@{'ABCD'[space // 8]}{space % 8 + 1}")
    return " ".join(words)


def moves_of(state: State, space: str) -> set[str]:
    return {action for action in GAME.legal(state, state.to_move) if action.startswith(space)}


def reached(state: State, space: str) -> set[str]:
    """Where the stack on `space` goes as a whole, without the promotions."""
    return {action[3:] for action in moves_of(state, space) if action[2] != ">" and "=" not in action}


def test_setup() -> None:
    yellow = "YR@A1 Y1@A2 Y3@B1 Y1@B2 Y2@C1 Y1@C2 Y1@D1 Y1@D2"
    green = "G1@A7 GR@A8 G1@B7 G3@B8 G1@C7 G2@C8 G1@D7 G1@D8"
    assert sorted(stacks(start()).split()) == sorted(f"{yellow} {green}".split())


@pytest.mark.parametrize(
    ("stack", "where"),
    [
        ("1", "C3 C5 B4 D4 A3 A5 B2 B6 D2 D6"),
        ("2", "C1 C2 C3 C5 C6 C7 C8 A4 B4 D4"),
        ("3", "C1 C2 C3 C5 C6 C7 C8 A4 B4 D4 A3 A5 B2 B6 D2 D6"),
        ("4", "C1 C2 C3 C5 C6 C7 C8 A4 B4 D4 A3 A5 B2 B6 D2 D6 B3 B5 D3 D5"),
        ("5", "C1 C2 C3 C5 C6 C7 C8 A4 B4 D4 A3 A5 B2 B6 D2 D6 B3 B5 D3 D5 A2 A6"),
    ],
)
def test_each_piece_on_an_empty_board(stack: str, where: str) -> None:
    state = position(f"Y{stack}@C4{REST}", quen=1)
    assert reached(state, "C4") == set(where.split())


def test_the_rigant_moves_one_space_straight() -> None:
    assert reached(position("YR@C4 Y1@A1 GR@D8 G1@A8"), "C4") == {"B4", "D4", "C3", "C5"}


def test_rows_and_columns_do_not_wrap() -> None:
    assert reached(position("Y1@A8 YR@D1 GR@D8 G1@A1"), "A8") == {"A7", "B8", "B6", "C7"}


def test_an_oin_jumps_over_pieces_and_a_duo_does_not() -> None:
    state = position(f"Y1@B2 Y2@C2 G1@B3 G1@C3 G1@A2{REST}")
    assert moves_of(state, "B2") & {"B2-D3", "B2-C4", "B2-A4"} == {"B2-D3", "B2-C4", "B2-A4"}
    assert reached(state, "C2") == {"B2", "D2", "C1", "C3"}
    assert {"C2+B2", "C2xC3"} < moves_of(state, "C2")


def test_a_diagonal_of_a_quen_is_blocked_and_three_long() -> None:
    state = position("Y5@A4 G1@B5 YR@D1 GR@D8 G1@A1", quen=1)
    assert {"B3", "C2", "D1"} & reached(state, "A4") == {"B3", "C2"}, "D1 is the own Rigant"
    assert "A4xB5" in GAME.legal(state, 1)
    assert not {"C6", "D7"} & reached(state, "A4")


@pytest.mark.parametrize("quen", [0, 1])
def test_joining_up_to_four_or_five(quen: int) -> None:
    highest = 5 if quen else 4
    for lower in range(1, 6 if quen else 5):
        for upper in range(1, 6 if quen else 5):
            if lower + upper > 9:
                continue
            state = position(f"Y{upper}@B2 Y{lower}@B3{REST}", quen=quen)
            assert ("B2+B3" in GAME.legal(state, 1)) == (lower + upper <= highest)


def test_a_joined_stack_has_the_disks_of_both() -> None:
    state = play(position(f"Y1@B2 Y2@B3{REST}"), "B2+B3")
    assert "Y3@B3" in stacks(state)
    assert "@B2" not in stacks(state)


def test_nothing_joins_the_rigant_nor_the_rigant_anything() -> None:
    state = position("YR@B2 Y1@B3 Y2@A2 GR@D8 G1@A1")
    assert not [action for action in GAME.legal(state, 1) if "+" in action]


def test_a_capture_takes_the_whole_stack_to_its_owners_reserve() -> None:
    state = play(position("Y1@B2 G4@B3 YR@D1 GR@D8 G1@A1 G1@D2"), "B2xB3")
    assert stacks(state) == "G1@A1 Y1@B3 YR@D1 G1@D2 GR@D8"


def test_two_of_the_examples_of_dividing() -> None:
    alone = position(f"Y3@B1{REST}")
    assert "Y2@B1" in stacks(play(alone, "B1>1@B2"))
    assert "Y1@B1" in stacks(play(alone, "B1>2@B2"))
    both = play(position("Y3@B1 YR@D1 GR@D8 G1@C8"), "B1>1@A1,1@B2")
    assert {"Y1@A1", "Y1@B1", "Y1@B2"} < set(stacks(both).split())


@pytest.mark.parametrize(
    ("count", "shapes"),
    [
        (1, set()),
        (2, {"1"}),
        (3, {"1", "2", "11"}),
        (4, {"1", "2", "3", "11", "12", "111"}),
        (5, {"1", "2", "3", "4", "11", "12", "13", "22", "111", "112", "1111"}),
    ],
)
def test_what_a_stack_may_divide_into(count: int, shapes: set[str]) -> None:
    state = position(f"Y{count}@B4{REST}", quen=1)
    divided = [action for action in moves_of(state, "B4") if ">" in action]
    found = {"".join(sorted(part[0] for part in action[3:].split(","))) for action in divided}
    assert found == shapes


def test_parts_go_to_empty_spaces_next_to_the_stack() -> None:
    state = position(f"Y4@B4 Y1@B3 G1@A4{REST}")
    assert {part[-2:] for action in moves_of(state, "B4") if ">" in action for part in action[3:].split(",")} == {
        "B5",
        "C4",
    }


def test_no_stack_divides_in_the_opponents_back_column() -> None:
    assert not [a for a in GAME.legal(position("Y4@B8 YR@A1 GR@D8 G1@C1"), 1) if ">" in a]
    assert not [a for a in GAME.legal(position("G4@B1 YR@A1 GR@D8 Y1@C8", to_move=2), 2) if ">" in a]
    assert [a for a in GAME.legal(position("Y4@B1 YR@A1 GR@D8 G1@C1"), 1) if ">" in a], "its own is no matter"


@pytest.mark.parametrize(
    ("stacks_", "to_move", "action", "becomes"),
    [
        ("Y1@B7", 1, "B7-B8", "Y{}@B8"),
        ("Y1@B7 G3@B8", 1, "B7xB8", "Y{}@B8"),
        ("Y1@A8", 1, "A8-B8", "Y{}@B8"),
        ("Y2@B7", 1, "B7>1@B8", "Y{}@B8"),
        ("G1@C3", 2, "C3-B1", "G{}@B1"),
    ],
)
def test_a_disk_may_be_promoted(stacks_: str, to_move: int, action: str, becomes: str) -> None:
    state = position(f"{stacks_} Y1@D3 YR@D1 GR@D8 G1@D6", to_move)
    assert {action, action + "=D"} <= set(GAME.legal(state, to_move))
    assert becomes.format(1) in stacks(play(state, action)).split()
    promoted = play(state, action + "=D")
    assert becomes.format(2) in stacks(promoted).split()


def test_no_promotion_without_a_reserve() -> None:
    crowd = "Y3@A3 Y3@B3 Y3@C3 YR@D1 GR@D8 G1@A1"
    assert "D7-C8=D" not in GAME.legal(position(f"Y1@D7 {crowd}"), 1)
    state = position("Y1@D6 Y3@A3 Y3@B3 Y2@C3 YR@D1 GR@D8 G1@A1")
    state = play(play(state, "D6-C8=D"), "A1-A2")
    assert not [action for action in GAME.legal(state, 1) if action.endswith("=D")], "the last one is used"


def test_only_a_single_disk_that_joins_nothing_is_promoted() -> None:
    state = position("Y2@A7 YR@B7 Y1@C7 Y1@C8 YR@B7 GR@D8 G1@A1")
    assert not [action for action in GAME.legal(state, 1) if action in ("A7-A8=D", "B7-B8=D", "C7+C8=D")]
    assert {"A7-A8", "B7-B8", "C7+C8"} < set(GAME.legal(state, 1))


def test_taking_the_rigant_wins() -> None:
    state = play(position("Y1@B2 GR@B3 YR@D1 G4@A1"), "B2xB3")
    assert GAME.pending(state) == Over(Result((1,), (1, 0), "Rigant captured"))
    assert GAME.live(state) == ()
    assert GAME.refuse(state, 2, "resign") is not None


def test_taking_the_last_disk_wins() -> None:
    state = position("Y1@B2 GR@D8 YR@D1 G2@B3 G1@A8")
    assert GAME.pending(play(state, "B2xB3")) == Turn(2)
    state = play(position("YR@B2 Y1@D2 GR@D8 G2@B3"), "B2xB3")
    assert GAME.pending(state) == Over(Result((1,), (1, 0), "all disks captured"))


def test_a_rigant_in_stacks() -> None:
    state = position("YR@B1 Y2@B2 GR@D8 G1@A8", stacking=1)
    joined = play(state, "B1+B2", "A8-A7")
    assert "YR2@B2" in stacks(joined)
    assert reached(joined, "B2") == reached(position("Y3@B2 YR@D5 GR@D8 G1@A7"), "B2"), "moves as a Teth"
    parts = {action[3:].split("@")[0] for action in moves_of(joined, "B2") if ">" in action and "," not in action}
    assert parts == {"R", "R1", "1", "2"}
    stays = play(joined, "B2>2@B3")
    assert {"YR@B2", "Y2@B3"} < set(stacks(stays).split())
    assert {"Y1@B2", "YR1@A2"} < set(stacks(play(joined, "B2>R1@A2")).split())
    assert {"YR@A2", "Y1@B2", "Y1@B3"} < set(stacks(play(joined, "B2>R@A2,1@B3")).split())


def test_limits_of_a_rigant_in_stacks() -> None:
    state = position("YR2@B1 Y2@B3 Y1@B2 GR@D8 G1@A8", stacking=1)
    assert "B1+B2" in GAME.legal(state, 1)
    assert "B2+B1" not in GAME.legal(state, 1), "its own Rigant is in it"
    assert "B1+B3" not in GAME.legal(play(state, "B2-A2", "A8-A7"), 1), "that would be 5"
    assert "B1+B3" in GAME.legal(position("YR2@B1 Y2@B3 GR@D8 G1@A8", stacking=1, quen=1), 1)
    alone = position("YR@B7 Y1@B2 GR@D8 G1@A1", stacking=1)
    assert moves_of(alone, "B7") == {"B7-A7", "B7-C7", "B7-B6", "B7-B8"}, "no jump and no promotion"
    assert "B7-B8=D" not in GAME.legal(position("YR1@B7 Y1@B2 GR@D8 G1@A1", stacking=1), 1)


def test_taking_a_stack_with_the_rigant_wins() -> None:
    state = play(position("Y1@B2 GR2@B3 YR@D1 G1@A8", stacking=1), "B2xB3")
    assert GAME.pending(state) == Over(Result((1,), (1, 0), "Rigant captured"))


def test_the_first_seat_is_drawn() -> None:
    state = GAME.start({}, 2)
    assert GAME.legal(state, CHANCE) == ("first 1", "first 2")
    assert GAME.legal(state, 1) == ()
    assert GAME.pending(GAME.apply(state, CHANCE, "first 2")) == Turn(2)
    assert GAME.pending(GAME.start({"first": "2"}, 2)) == Turn(2)
    resigned = GAME.apply(state, 2, "resign")
    assert GAME.pending(resigned) == Over(Result((1,), (1, 0), "resigned"))
    assert GAME.pending(GAME.apply(state, CHANCE, "draw")) == Over(Result((), (0, 0), "draw agreed"))


@pytest.mark.parametrize("first", ["1", "random"])
def test_repetition_counts_the_first_position(first: str) -> None:
    state = GAME.start({"repetition": 3, "first": first}, 2)
    if first == "random":
        state = GAME.apply(state, CHANCE, "first 1")
    round_trip = ["A2-A3", "A7-A6", "A3-A2", "A6-A7"]
    state = play(state, *round_trip, *round_trip[:3])
    assert GAME.pending(state) == Turn(2)
    assert GAME.pending(play(state, "A6-A7")) == Over(Result((), (0, 0), "repetition"))
    assert GAME.pending(play(start(), *round_trip, *round_trip)) == Turn(1)


def test_the_turn_limit_draws_but_a_win_by_the_last_action_stands() -> None:
    assert GAME.pending(play(start(turn_limit=2), "A2-A3", "A7-A6")) == Over(Result((), (0, 0), "turn limit"))
    state = position("Y1@B2 GR@B3 YR@D1 G4@A1", limit=1)
    assert GAME.pending(play(state, "B2xB3")) == Over(Result((1,), (1, 0), "Rigant captured"))
    assert GAME.pending(play(state, "B2-B1")) == Over(Result((), (0, 0), "turn limit"))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("quen", "yes", "true"),
        ("first", 3, "1-2"),
        ("turn_limit", 0, "100000"),
        ("repetition", 2, "off or 3"),
        ("q", 1, "q"),
    ],
)
def test_bad_options(name: str, value: OptionValue, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        GAME.start({name: value}, 2)


# Against the reference


def as_cells(model: reference.Position) -> bytes:
    cells = bytearray(32)
    for (row, column), stack in model.board.items():
        cells[8 * row + column - 1] = stack.owner << 4 | stack.rigant << 3 | stack.disks
    return bytes(cells)


@pytest.mark.many
@settings(deadline=None, max_examples=35 * MORE)
@given(st.sampled_from(OPTION_SETS), st.integers(0, 2**32 - 1))
def test_games_agree_with_the_reference(options: tuple[bool, bool], seed: int) -> None:
    stacking, quen = options
    rng = Random(seed)
    state = start(rigant_stacking=stacking, quen=quen, turn_limit=150)
    model = reference.start(stacking, quen)
    while not state.reason:
        legal = GAME.legal(state, state.to_move)
        expected = reference.moves(model)
        assert sorted(legal) == sorted(expected)
        assert legal, "a seat always has a move"
        action = rng.choice(legal)
        state, model = GAME.apply(state, state.to_move, action), expected[action]
        assert state.cells == as_cells(model)
        assert state.winner == model.winner
        assert state.board == board_of(state.cells)


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = played_at_random(GAME, start(turn_limit=100), 1)
    monkeypatch.setattr(Reach, "MEMORY", 1)
    reaches.cache_clear()
    forgetful = Rules(*start(turn_limit=100).rules)
    for state, legal in seen * 2:
        assert list(GAME.legal(state._replace(rules=forgetful), state.to_move)) == legal
    reaches.cache_clear()


@pytest.mark.parametrize("case", cases("fidchess"), ids=name_of)
def test_perft_of_the_reference(case: dict[str, Any]) -> None:
    options = case["options"]
    model = reference.start(options.get("rigant_stacking", False), options.get("quen", False))
    for action in case["after"]:
        model = reference.moves(model)[action]
    for depth, count in enumerate(case["counts"][:2], 1):
        assert reference.perft(model, depth) == count
