"""Fidchell: the rule sheet case by case, options, and the engine against the slow reference."""

from random import Random
from typing import Any

import fidchell_reference as reference
import pytest
from fidchell_positions import CROWD, derived, men, play, position, start
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from perft_cases import cases, name_of

from engine import OptionError, OptionValue
from engine.games.fidchell import GAME, State, with_turn
from engine.games.fidchell.board import board_of, fields_of, size


def reached(state: State, origin: str) -> set[str]:
    return {action.split("-")[1] for action in GAME.legal(state, state.to_move) if action.startswith(f"{origin}-")}


# The board


def test_the_default_board() -> None:
    names = start().rules.board.names
    assert len(names) == 138 == size("53035", 6)
    assert [sum(name.endswith(str(circle)) for name in names) for circle in range(7, 0, -1)] == [
        30,
        30,
        30,
        18,
        18,
        6,
        6,
    ]
    innermost = {row: min(int(name[-1]) for name in names if name[-2] == row) for row in "ABCDE"}
    assert innermost == {"A": 5, "B": 3, "C": 1, "D": 3, "E": 5}
    assert {"5D4", "6C5", "6D5", "6E5"} <= set(names)


def test_start() -> None:
    state = start(3)
    assert state.hands == (27, 27, 27)
    assert tuple(GAME.legal(state, 1)) == state.rules.board.names
    assert GAME.legal(state, 2) == ()


def fields_near(state: State, name: str) -> set[str]:
    board = state.rules.board
    return {other for field, other in enumerate(board.names) if board.near[board.named[name]] >> field & 1}


@pytest.mark.parametrize(
    ("field", "neighbours"),
    [
        ("5D4", "5C4 6B4 5D5 5D3"),
        ("5D3", "5C3 6B3 5D4"),
        ("1A7", "6E7 1B7 1A6"),
        ("6E5", "6D5 1A5 6E6"),
        ("2C1", "1C1 3C1 2C2"),
        ("6B4", "6C4 5D4 6B5 6B3"),
    ],
)
def test_neighbours(field: str, neighbours: str) -> None:
    assert fields_near(start(), field) == set(neighbours.split())


LAYOUTS = [("53035", 6), ("0", 12), ("111111110", 3), ("70", 4), ("0123", 5), ("2205", 3), ("1015", 8), ("707", 7)]


@pytest.mark.parametrize(("layout", "sections"), LAYOUTS)
def test_boards_of_other_layouts(layout: str, sections: int) -> None:
    board, model = board_of(layout, sections), reference.Board(layout, sections)
    fields = model.fields()
    assert [reference.name(field) for field in fields] == list(board.names)
    assert size(layout, sections) == len(fields)
    for number, field in enumerate(fields):
        there = [model.next(field, direction) for direction in reference.DIRECTIONS]
        near = {fields.index(other) for other in fields if other in there}
        assert set(fields_of(board.near[number])) == near
    for circle in range(1, 8):
        assert len(model.circle(circle)) >= 3


# Placing and capturing


def test_the_capture_of_the_sheet() -> None:
    state = play(position("R:6C5 G:6D5"), "6E5")
    assert men(state) == "R:6C5,6E5"
    assert (state.to_move, state.hands) == (1, (8, 9)), "one more turn"
    state = play(state, "1A7")
    assert state.to_move == 2, "a turn without a capture ends it"


def test_one_or_more_captured_at_once_earn_one_turn() -> None:
    state = play(position("R:5B5,5D7 G:5C5,5D6"), "5D5")
    assert men(state) == "R:5B5,5D5,5D7"
    assert state.to_move == 1
    assert play(state, "1A7").to_move == 2


def test_captures_again_and_again() -> None:
    state = play(position("R:1A7,2A7,3A7 G:1B7,2B7,3B7"), "1C7", "2C7", "3C7")
    assert state.to_move == 1
    assert men(state) == "R:1A7,1C7,2A7,2C7,3A7,3C7"
    assert play(state, "5A7").to_move == 2


def test_entering_between_two_opponents_is_safe() -> None:
    state = play(position("R:6C5,6E5 G:1A7", to_move=2), "6D5")
    assert "G:1A7,6D5" in men(state)
    state = play(state, "1B7", "3A7")
    assert "6D5" in men(state), "and stays so"


def test_a_row_captures_inwards_and_outwards_across_circles() -> None:
    assert "G" not in men(play(position("R:5D3 G:5D4"), "5D5"))
    assert "G" not in men(play(position("R:5D7 G:5D6"), "5D5"))


def test_the_circle_closes_and_skips_rows_that_do_not_reach_it() -> None:
    assert "G" not in men(play(position("R:6E7 G:1A7"), "1B7"))
    assert "G" not in men(play(position("R:6C4 G:6D4"), "1B4"))
    assert "G" not in men(play(position("R:6C1 G:1C1"), "2C1"))


def test_two_pieces_in_a_line_are_not_captured() -> None:
    assert "G:1B7,1C7" in men(play(position("R:1A7 G:1B7,1C7"), "1D7"))


def test_nothing_is_captured_round_a_corner_nor_at_the_end_of_a_row() -> None:
    assert "G:5D4" in men(play(position("R:5C4 G:5D4"), "5D5"))
    assert "G:5D3" in men(play(position("G:5D3"), "5D4"))
    assert "G:5D7" in men(play(position("G:5D7"), "5D6"))


def test_the_king_captures_with_the_seat_that_moves() -> None:
    state = play(position("G:3C1"), "3C2")
    assert men(state) == "R:3C2"
    assert state.to_move == 1
    assert men(play(position("R:3C1", to_move=2), "3C2")) == "G:3C2"


def test_the_king_joins_no_two_rows() -> None:
    assert "G:3C1" in men(play(position("R:6C1 G:3C1"), "3D3"))
    assert "G:3C1" in men(play(position("G:3C1"), "6C1"))


def test_a_piece_between_king_and_opponent_enters_safely() -> None:
    assert "R:3C1" in men(play(position("G:3C2"), "3C1"))


@pytest.mark.parametrize(("hands", "captures"), [((9, 9), False), ((1, 9), False), ((9, 0), True)])
def test_a_dormant_king_wakes_once_a_hand_was_empty(hands: tuple[int, int], captures: bool) -> None:
    crowd = "G:3C1,1A7,1C7,1E7,2B7,2D7,3A7 R:4A7,4C7,4E7,5B7,5D7,5A5,5C5"
    state = play(position(crowd, hands=hands, dormant_king=True), "3C2")
    assert ("3C1" not in men(state)) == captures
    assert "3C1" not in men(play(position(crowd, hands=hands), "3C2"))


def test_a_dormant_king_wakes_for_the_action_after_the_last_placing() -> None:
    crowd = "G:3C1,1A7,1C7,1E7,2B7,2D7,3A7 R:4A7,4C7,4E7,5B7,5D7,5A5,5C5"
    state = play(position(crowd, hands=(1, 9), dormant_king=True), "3C4", "6C1")
    assert "3C1" not in men(play(state, "3C4-3C2"))


# Moving


def test_a_seat_moves_once_its_hand_is_empty() -> None:
    state = play(position("R:1A7,1B7,1C7,1D7,1E7,2A7 G:4A7", hands=(1, 9)), "5D4", "4C7")
    assert all("-" in action for action in GAME.legal(state, 1))
    assert GAME.refuse(state, 1, "6A7") is not None
    state = play(state, "5D4-5D7")
    assert len(GAME.legal(state, 2)) == 138 - len(men(state).replace(" ", ",").split(",")), "Green still places"


def test_any_distance_along_circle_and_row() -> None:
    state = position(f"{CROWD},5D4 G:5B4,5D7", hands=(0, 9))
    others = {f"{section}{row}4" for section in range(1, 7) for row in "BCD"} - {"5B4", "5D4"}
    assert reached(state, "5D4") == others | {"5D3", "5D5", "5D6"}


def test_an_empty_circle_is_gone_round_once_and_never_back_to_the_start() -> None:
    state = position(f"{CROWD},2C1", hands=(0, 9))
    moves = [action for action in GAME.legal(state, 1) if action.startswith("2C1-") and action.endswith("1")]
    assert sorted(moves) == sorted(f"2C1-{section}C1" for section in (1, 3, 4, 5, 6))


def test_neither_pieces_nor_the_king_are_passed() -> None:
    state = position(f"{CROWD},3C2 G:3C1,3C4,2C2,6C2", hands=(0, 9))
    assert reached(state, "3C2") == {"3C3", "4C2", "5C2"}
    state = position(f"{CROWD},3C3", hands=(0, 9))
    assert {name for name in reached(state, "3C3") if name[1] == "C" and name[0] in "36" and name[2] in "12"} == {
        "3C1",
        "3C2",
    }


def test_a_move_captures_and_earns_a_turn() -> None:
    state = play(position(f"{CROWD},6C5,6E6 G:6D5", hands=(0, 9)), "6E6-6E5")
    assert "6D5" not in men(state)
    assert state.to_move == 1


# Options


@pytest.mark.parametrize(
    ("options", "seats", "option", "words"),
    [
        ({"layout": "535"}, 2, "layout", "layout is 53035 or 1-9 digits 0-7 with just one 0"),
        ({"layout": "50305"}, 2, "layout", "just one 0"),
        ({"layout": "53085"}, 2, "layout", "digits 0-7"),
        ({"layout": "5303555555"}, 2, "layout", "1-9 digits"),
        ({"layout": ""}, 2, "layout", "1-9 digits"),
        ({"layout": "\u0665\u0660"}, 2, "layout", "1-9 digits"),
        ({"sections": 2}, 2, "sections", "sections is 3-12"),
        ({"sections": 13}, 2, "sections", "sections is 3-12"),
        ({"pieces": 6}, 2, "pieces", "pieces is 7-40"),
        ({"pieces": 41}, 2, "pieces", "pieces is 7-40"),
        ({"layout": "0"}, 2, "pieces", "on 42 fields with 2 players pieces is 7-20"),
        ({"layout": "0", "sections": 12, "pieces": 28}, 3, "pieces", "on 84 fields with 3 players pieces is 7-27"),
        ({"layout": "0", "sections": 3, "pieces": 7}, 3, "layout", "21 fields: 3 players need 22 or more"),
        ({"dormant_king": "maybe"}, 2, "dormant_king", "false or true"),
        ({"king": "asleep"}, 2, "king", "there is no option king"),
        ({"first": 3}, 2, "first", "random or 1-2"),
    ],
)
def test_options_are_refused_with_what_they_allow(
    options: dict[str, OptionValue], seats: int, option: str, words: str
) -> None:
    with pytest.raises(OptionError) as refused:
        GAME.start(options, seats)
    assert refused.value.option == option
    assert words in str(refused.value)


def test_options_as_text_and_as_values() -> None:
    given = {"layout": "035", "sections": "4", "pieces": "7", "dormant_king": "true", "first": "2"}
    assert GAME.start(given, 2) == GAME.start(
        {"layout": "035", "sections": 4, "pieces": 7, "dormant_king": True, "first": 2}, 2
    )
    assert GAME.start({"layout": 53035}, 2) == GAME.start({}, 2)
    assert list(GAME.resolve({}, 3).items())[3:] == [
        ("layout", "53035"),
        ("sections", 6),
        ("pieces", 27),
        ("dormant_king", False),
    ]


def test_the_largest_board_of_all() -> None:
    """Its lanes have more bits than any other's: each move is still named by the fields where it starts and ends."""
    state = position("R:1A7,12I1 G:6E4,6E1", hands=(0, 0), layout="111111110", sections=12)
    circle = {f"{section}{row}" for section in range(1, 13) for row in "ABCDEFGHI"}
    column = {str(number) for number in range(1, 8)}
    assert reached(state, "1A7") == {f"{place}7" for place in circle - {"1A"}} | {
        f"1A{number}" for number in column - {"7"}
    }
    between = {f"{place}1" for place in circle - {"12I", "6E"}}
    assert reached(state, "12I1") == between | {f"12I{number}" for number in column - {"1"}}
    assert all(action in GAME.legal(state, 1) for action in list(GAME.legal(state, 1)))


def test_the_smallest_board_of_all() -> None:
    assert len(GAME.legal(start(layout="0", sections=3, pieces=10), 1)) == 21


# Against the reference


@st.composite
def games(draw: st.DrawFn) -> tuple[dict[str, Any], int, int]:
    """Options, seats and a seed; small boards and few pieces more often than not, so that games get far."""
    layout, sections = draw(st.sampled_from(LAYOUTS))
    seats = draw(st.sampled_from([2, 3]))
    most = min((size(layout, sections) - 1) // seats, 40)
    if most < 7:
        layout, sections, most = "53035", 6, 40
    pieces = draw(st.integers(7, min(most, 14)) | st.just(most))
    options = {"layout": layout, "sections": sections, "pieces": pieces, "dormant_king": draw(st.booleans())}
    return options, seats, draw(st.integers(0, 2**32 - 1))


def model_of(options: dict[str, Any], seats: int) -> reference.Position:
    return reference.start(
        options.get("layout", "53035"),
        options.get("sections", 6),
        seats,
        options.get("pieces", 27),
        options.get("dormant_king", False),
    )


@pytest.mark.many
@settings(deadline=None, max_examples=25 * MORE)
@given(games())
def test_games_agree_with_the_reference(game: tuple[dict[str, Any], int, int]) -> None:
    options, seats, seed = game
    rng = Random(seed)
    state = start(seats, turn_limit=120, **options)
    model = model_of(options, seats)
    board = reference.Board(options["layout"], options["sections"])
    numbers = {field: number for number, field in enumerate(board.fields())}
    while not state.reason:
        legal = GAME.legal(state, state.to_move)
        possible = [action for action, _, _ in reference.possible(model, model.turn)]
        assert sorted(legal) == sorted(possible)
        assert legal, "a seat that cannot act is skipped"
        if seats == 3 and rng.random() < 0.01:
            seat = rng.choice(GAME.live(state))
            state, model = GAME.apply(state, seat, "resign"), reference.resign(model, seat)
        else:
            action = rng.choice(legal)
            state, model = GAME.apply(state, state.to_move, action), reference.play(model, action)
        found = {
            field: seat
            for field in numbers
            for seat in range(1, seats + 1)
            if state.men[seat - 1] >> numbers[field] & 1
        }
        assert found == model.men
        assert (state.hands, state.winner) == (tuple(model.hands.values()), model.winner)
        assert (state.reason == "nobody can move") == model.stuck
        if not state.reason:
            assert (state.to_move, GAME.live(state)) == (model.turn, tuple(sorted(model.playing)))
        assert state.standing == tuple(map(state.rules.board.standing, state.men))
        assert state == state._replace(**derived(state))
        for seat in GAME.live(state):
            turned = state._replace(to_move=seat)
            assert with_turn(state, seat) == turned._replace(**derived(turned)), "as if it were the turn of the seat"


@pytest.mark.many
@settings(deadline=None, max_examples=60 * MORE)
@given(st.sampled_from(LAYOUTS), st.integers(0, 2**32 - 1))
def test_a_chain_is_found_when_its_last_piece_arrives(layout: tuple[str, int], seed: int) -> None:
    board, model = board_of(*layout), reference.start(*layout)
    fields = model.board.fields()
    own = 0
    for number in Random(seed).sample(range(len(fields)), len(fields)):
        own |= 1 << number
        if not own & board.joined(own) & board.rim:
            model.men[fields[number]] = 1
            continue
        assert not reference.has_chain(model, 1), "found as soon as it was there"
        model.men[fields[number]] = 1
        assert reference.has_chain(model, 1)
        return
    raise AssertionError("all fields together are a chain")


@pytest.mark.many
@settings(deadline=None, max_examples=10 * MORE)
@given(games())
def test_actions_are_a_sequence(game: tuple[dict[str, Any], int, int]) -> None:
    options, seats, seed = game
    rng = Random(seed)
    state = start(seats, turn_limit=60, **options)
    while not state.reason:
        legal = GAME.legal(state, state.to_move)
        listed = list(legal)
        assert [legal[index] for index in range(len(legal))] == listed == [*reversed(legal)][::-1]
        assert [legal[index] for index in range(-len(legal), 0)] == listed
        assert legal[1:-1:2] == tuple(listed[1:-1:2])
        for index in (len(legal), -len(legal) - 1):
            with pytest.raises(IndexError):
                legal[index]
        assert all(action in legal for action in listed)
        others = [f"{first}-{second}" for first, second in zip(listed, state.rules.board.names, strict=False)]
        assert [action in legal for action in others] == [action in listed for action in others]
        assert "resign" not in legal
        state = GAME.apply(state, state.to_move, rng.choice(legal))


@pytest.mark.many
@pytest.mark.parametrize("case", cases("fidchell"), ids=name_of)
def test_perft_of_the_reference(case: dict[str, Any]) -> None:
    model = model_of(case["options"], case["seats"])
    for action in case["after"]:
        model = reference.play(model, action)
    assert len(reference.possible(model, model.turn)) == case["counts"][0]
    if case["counts"][0] < 60:
        assert reference.perft(model, 2) == case["counts"][1]
