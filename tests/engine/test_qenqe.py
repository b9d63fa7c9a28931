"""Fidchess Qenqe: the rule sheet case by case, and a slow reference beside."""

from random import Random
from typing import Any

import pytest
import qenqe_reference as reference
from checks import played_at_random
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from perft_cases import cases, name_of
from qenqe_positions import FLAGS, LETTERS, SPACES, at, moves_of, play, position, reached, start, won

from engine import Turn
from engine.games.qenqe import GAME
from engine.games.qenqe.planes import board_of
from engine.games.qenqe.reach import Reach, _reaches, reaches
from engine.games.qenqe.state import Rules

# Setting up


@pytest.mark.parametrize(
    ("seats", "columns"),
    [
        (2, [(30, 1, 2), (15, 16, 17)]),
        (3, [(30, 1, 2), (10, 11, 12), (20, 21, 22)]),
        (4, [(30, 1, 2), (8, 9, 10), (15, 16, 17), (23, 24, 25)]),
        (5, [(29, 30, 1), (5, 6, 7), (11, 12, 13), (17, 18, 19), (23, 24, 25)]),
    ],
)
def test_setup(seats: int, columns: list[tuple[int, int, int]]) -> None:
    expected: dict[str, str] = {}
    for disk, (x, y, z) in zip("WBGYR", columns, strict=False):
        expected |= {f"A{x}": disk, f"A{y}": disk.lower(), f"A{z}": disk}
        expected |= {f"B{x}": disk, f"B{y}": disk + disk, f"B{z}": disk}
        expected |= {f"C{x}": disk, f"C{y}": disk + disk, f"C{z}": disk}
    state = start(seats)
    assert {space: stack for space, stack in zip(SPACES, state.cells, strict=True) if stack} == expected
    assert GAME.live(state) == tuple(range(1, seats + 1))
    for disk in LETTERS[:seats]:
        assert "".join(state.cells).count(disk) == 10


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_players_are_possible(seats: int) -> None:
    with pytest.raises(ValueError, match="2-5 players"):
        GAME.start({}, seats)


# Moving

ROUND = {f"B{column}" for column in range(2, 31)}
ABOUT = {"A1", "C1", "D1"}
JUMPS = {"D30", "D2", "A29", "A3", "C29", "C3"}
NEAR = {"A30", "A2", "C30", "C2"}


@pytest.mark.parametrize(
    ("stack", "where"),
    [
        ("w", {"A1", "C1", "B30", "B2"}),
        ("W", {"A1", "C1", "B30", "B2"} | JUMPS),
        ("WB", ROUND | ABOUT),
        ("WBB", ROUND | ABOUT | JUMPS),
        ("WBBB", ROUND | ABOUT | JUMPS | NEAR),
        ("WBBBB", ROUND | ABOUT | JUMPS | NEAR | {"D29", "D3"}),
    ],
)
def test_each_piece_on_an_empty_board(stack: str, where: set[str]) -> None:
    assert reached(position(f"{stack}@B1", quen=True), "B1") == where


def test_rows_do_not_wrap() -> None:
    assert reached(position("W@A9"), "A9") == {"A8", "A10", "B9", "B7", "B11", "C8", "C10"}
    assert reached(position("WWWW@D9"), "D9") & {"A8", "A9", "A10"} == {"A9"}, "along its column"


def test_a_slide_reaches_every_space_once_and_never_its_own() -> None:
    legal = GAME.legal(position("WW@D9"), 1)
    assert sorted(a for a in legal if a.startswith("D9-D")) == sorted(f"D9-D{c}" for c in range(1, 31) if c != 9)
    state = position("WW@D9 B@D4")
    assert [a for a in GAME.legal(state, 1) if a.endswith("D4")] == ["D9+D4"], "reached both ways round"
    assert {f"D{c}" for c in (*range(10, 31), 1, 2, 3, 5, 6, 7, 8)} < reached(state, "D9")


def test_a_slide_is_blocked_on_each_side() -> None:
    state = position("WW@B9 B@B12 W@B2 WW@C9")
    assert reached(state, "B9") == {"A9", "B10", "B11", "B12", *(f"B{c}" for c in range(2, 9)), "C9"}
    assert {"B9+B12", "B9+B2", "B9+C9"} < moves_of(state, "B9")


def test_an_oin_jumps_over_any_piece() -> None:
    state = position("W@B9 B@B10 W@B8 B@C9 W@A9 W@C10 B@C8")
    assert {"B9-D10", "B9-D8", "B9-A7", "B9-C7", "B9-A11", "B9-C11"} < moves_of(state, "B9")


def test_a_diagonal_of_a_quen_is_blocked_and_three_long() -> None:
    state = position("WWWWW@A30 B@B1 W@C28", quen=True)
    assert {"A30+B1", "A30-B29"} < moves_of(state, "A30")
    assert not {"C2", "D3", "C28", "D27"} & reached(state, "A30")


def test_a_stack_moves_whole_by_its_size_captives_counted() -> None:
    state = play(position("WBG@B9", seats=3), "B9-D10")
    assert at(state, "B9", "D10") == ["", "WBG"]


# Joining friends


@pytest.mark.parametrize("quen", [False, True])
@pytest.mark.parametrize("lower", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("upper", [1, 2, 3, 4, 5])
def test_friends_join_up_to_four_or_five(upper: int, lower: int, quen: bool) -> None:
    highest = 5 if quen else 4
    if max(upper, lower) > highest:
        return
    state = position(f"W{'B' * (upper - 1)}@B9 W{'G' * (lower - 1)}@B10", seats=3, quen=quen)
    assert ("B9+B10" in GAME.legal(state, 1)) == (upper + lower <= highest)


def test_the_moving_stack_lies_on_its_friend_in_the_old_order() -> None:
    assert at(play(position("WB@B9 WG@B10", seats=3), "B9+B10"), "B9", "B10") == ["", "WBWG"]


def test_nothing_joins_the_rigant_nor_the_rigant_anything() -> None:
    state = position("w@B9 W@B10 WW@A9 WWW@D9")
    assert not [a for a in GAME.legal(state, 1) if a.endswith("+B9") or a.startswith("B9+")]
    assert "B9xB10" not in GAME.legal(state, 1)


# Landing on others


@pytest.mark.parametrize(
    ("moving", "there", "quen", "becomes"),
    [
        ("W", "B", False, "WB"),
        ("WW", "BB", False, "WWBB"),
        ("WWW", "BBBB", False, "WWWB"),  # 7 high: the bottom 3 leave the game
        ("WWW", "BBBB", True, "WWWBB"),
        ("WWW", "BB", False, "WWWB"),
        ("WWW", "BBB", False, "WWWB"),
        ("WWWW", "B", False, "WWWW"),
        ("W", "BWBW", False, "WWWB"),
        ("WWW", "BBWW", False, "WWWW"),  # a friend is lost with the bottom
        ("WGB", "YWR", False, "WWGB"),
        ("WGB", "YWR", True, "WWGBY"),
        ("WBW", "BGWY", True, "WWWBB"),
    ],
)
def test_what_becomes_of_a_stack_on_another(moving: str, there: str, quen: bool, becomes: str) -> None:
    state = play(position(f"{moving}@B9 {there}@B10 B@A9 Y@D1", seats=5, quen=quen), "B9+B10")
    assert at(state, "B9", "B10") == ["", becomes]
    assert GAME.pending(state) == Turn(2)


def test_the_rigant_removes_the_whole_stack() -> None:
    state = play(position("w@B9 BWGW@B10 B@D1", seats=3), "B9xB10")
    assert at(state, "B9", "B10") == ["", "w"]
    assert "".join(state.cells).count("W") == 1, "its own captives are gone as well"
    assert GAME.pending(state) == Turn(2)


def test_landing_on_a_rigant_wins() -> None:
    for stack in ("W", "WW", "w", "WBBB"):
        state = play(position(f"{stack}@B9 b@B10"), "B9xB10")
        assert GAME.pending(state) == won(1)
        assert at(state, "B9", "B10") == ["", stack]
        assert GAME.live(state) == ()
        assert GAME.refuse(state, 2, "resign") is not None


def test_a_seat_without_a_disk_under_its_control_is_out() -> None:
    state = position("W@B9 BB@B10 WB@D1 W@D3")
    assert GAME.pending(play(state, "B9+B10")) == won(1, reason="no disks left"), "captives do not count"
    state = position("w@B9 BB@B10 W@D1")
    assert GAME.pending(play(state, "B9xB10")) == won(1, reason="no disks left"), "nor does the Rigant"
    state = position("W@B9 BB@B10 B@D1")
    assert GAME.pending(play(state, "B9+B10")) == Turn(2)


def test_captives_come_free_when_their_own_land_on_them() -> None:
    state = play(position("B@B10 GBB@C10 G@D1", to_move=2, seats=3), "B10+C10")
    assert at(state, "C10") == ["BBBG"]
    assert GAME.pending(state) == Turn(3)


def test_the_seat_that_moved_wins_among_several() -> None:
    state = position("Y@B9 b@B10", to_move=4, seats=5)
    assert GAME.pending(play(state, "B9xB10")) == won(4, seats=5)


# Dividing


@pytest.mark.parametrize(
    ("size", "shapes"),
    [
        (1, set()),
        (2, {"11"}),
        (3, {"111", "12", "21"}),
        (4, {"1111", "112", "121", "211", "22", "13", "31"}),
        (
            5,
            {"11111", "1112", "1121", "1211", "2111", "113", "131", "311", "122", "212", "221", "14", "41", "23", "32"},
        ),
    ],
)
def test_what_a_stack_may_divide_into(size: int, shapes: set[str]) -> None:
    stack = "W" * size
    state = position(f"{stack}@B9", quen=True)
    found = set()
    for action in moves_of(state, "B9"):
        if ">" in action:
            after = GAME.apply(state, 1, action)
            parts = [part[0] for part in action.split(">")[1].split(",")]
            found |= {"".join(map(str, (*order, len(at(after, "B9")[0])))) for order in orders(list(map(int, parts)))}
    assert found == shapes


def orders(sizes: list[int]) -> list[list[int]]:
    """Every order of some sizes: of equal colours only one order of the parts is listed."""
    if not sizes:
        return [[]]
    return [[s, *rest] for i, s in enumerate(sizes) for rest in orders(sizes[:i] + sizes[i + 1 :])]


def test_parts_are_cut_from_the_top_and_the_bottom_stays() -> None:
    state = play(position("WBWWG@B1", seats=3, quen=True), "B1>2@B2,1@A1")
    assert at(state, "B1", "B2", "A1") == ["WG", "WB", "W"]


def test_each_part_and_what_stays_has_a_disk_of_the_mover_on_top() -> None:
    divided = {a for a in GAME.legal(position("WBWWG@B1", seats=3, quen=True), 1) if a.startswith("B1>")}
    sizes = {"".join(part[0] for part in action[3:].split(",")) for action in divided}
    assert sizes == {"2", "3", "21"}
    assert not [a for a in GAME.legal(position("WBBB@B1"), 1) if a.startswith("B1>")]


def test_parts_go_to_empty_spaces_next_to_the_stack_round_the_ring() -> None:
    spaces = {
        part.split("@")[1]
        for action in GAME.legal(position("WWWW@B30 B@A30"), 1)
        if action.startswith("B30>")
        for part in action[4:].split(",")
    }
    assert spaces == {"B29", "B1", "C30"}


def test_a_stack_divides_anywhere() -> None:
    for column in range(1, 31):
        assert f"A{column}>1@B{column}" in GAME.legal(position(f"WW@A{column} W@C9 w@D9 b@D11 B@D13"), 1)


def test_of_several_ways_to_write_a_division_one_is_listed() -> None:
    state = position("WWW@A9")
    written = [a for a in GAME.legal(state, 1) if a.startswith("A9>") and "@A8" in a and "@A10" in a]
    assert written == ["A9>1@A10,1@A8"]
    assert GAME.parse(state, "A9>1@A8,1@A10") == "A9>1@A10,1@A8"
    mixed = position("WWBW@A9")
    assert {"A9>1@A10,2@A8", "A9>1@A8,2@A10"} < set(GAME.legal(mixed, 1))
    assert "A9>2@A8,1@A10" not in GAME.legal(mixed, 1), "that would show Blue's disk"
    same = position("WBWBW@A9 B@D1", quen=True)
    assert GAME.parse(same, "a9>2@a8,2@a10") == "A9>2@A10,2@A8"
    one_order = position("WBWW@A9")
    assert {"A9>2@A10,1@A8", "A9>2@A8,1@A10"} < set(GAME.legal(one_order, 1))
    assert GAME.parse(one_order, "a9>1@a8,2@a10") == "A9>1@A8,2@A10", "no other way to write a lawful one"


# Against the reference


def as_cells(model: reference.Position) -> tuple[str, ...]:
    cells = [""] * 120
    for (row, column), stack in model.board.items():
        text = "".join(LETTERS[piece.seat - 1].lower() if piece.rigant else LETTERS[piece.seat - 1] for piece in stack)
        cells[30 * row + column - 1] = text
    return tuple(cells)


@st.composite
def option_sets(draw: st.DrawFn) -> reference.Options:
    seats = draw(st.integers(2, 5))
    flags = {name: draw(st.booleans()) for name in FLAGS[:-1]}
    return reference.Options(seats, **flags, partners=seats == 4 and draw(st.booleans()))


@pytest.mark.many
@settings(deadline=None, max_examples=30 * MORE)
@given(option_sets(), st.integers(0, 2**32 - 1))
def test_games_agree_with_the_reference(options: reference.Options, seed: int) -> None:
    rng = Random(seed)
    named = {name: getattr(options, name) for name in FLAGS if name != "partners" or options.seats == 4}
    state = start(options.seats, turn_limit=60, **named)
    model = reference.start(options)
    while not state.reason:
        if rng.random() < 0.02:
            seat = rng.choice(GAME.live(state))
            state, model = GAME.apply(state, seat, "resign"), reference.resign(model, seat)
        else:
            legal = GAME.legal(state, state.to_move)
            expected = reference.moves(model)
            assert sorted(legal) == sorted(expected)
            assert legal, "a seat always has a move"
            onto = [action for action in legal if "+" in action or "x" in action]
            action = rng.choice(onto if onto and rng.random() < 0.3 else legal)
            state, model = GAME.apply(state, state.to_move, action), expected[action]
        assert state.cells == as_cells(model)
        assert state.winners == model.winners
        assert state.playing == model.playing
        assert state.to_move == model.turn or state.winners
        assert state.board == board_of(state.cells, state.rules)


@settings(deadline=None, max_examples=100 * MORE)
@given(st.randoms(use_true_random=False), st.booleans())
def test_a_seat_walled_in_by_itself_and_its_partners_rigant_can_move(rng: Random, stacking: bool) -> None:
    """Eleven single pieces as close together as they get, so that they border on as little as they can.

    They keep out of columns 17-30, where `position` puts what the other seats lack.
    """
    crowd = [rng.choice(["A5", "B5"])]
    while len(crowd) < 12:
        near = {name for place in crowd for name in map(reference.name, around(place)) if int(name[1:]) < 17}
        near -= {*crowd}
        crowd.append(min(near, key=lambda name: (len({*around(name)} - {*map(place_of, crowd)}), rng.random())))
    *own, other = crowd
    rigant = rng.choice(own)
    stacks = " ".join(f"{'w' if place == rigant else 'W'}@{place}" for place in own)
    state = position(f"{stacks} g@{other}", seats=4, partners=True, rigant_stacking=stacking)
    assert GAME.legal(state, 1)


def place_of(name: str) -> tuple[int, int]:
    return "ABCD".index(name[0]), int(name[1:])


def around(name: str) -> set[tuple[int, int]]:
    return reference.jumps(place_of(name), reference.STRAIGHT)


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = played_at_random(GAME, start(turn_limit=100), 1)
    monkeypatch.setattr(Reach, "MEMORY", 1)
    _reaches.cache_clear()
    reaches.cache_clear()
    forgetful = Rules(*start(turn_limit=100).rules)
    for state, legal in seen * 2:
        assert list(GAME.legal(state._replace(rules=forgetful), state.to_move)) == legal
    _reaches.cache_clear()
    reaches.cache_clear()


@pytest.mark.many
@pytest.mark.parametrize("case", cases("qenqe"), ids=name_of)
def test_perft_of_the_reference(case: dict[str, Any]) -> None:
    model = reference.start(reference.Options(case["seats"], **case["options"]))
    for action in case["after"]:
        model = reference.moves(model)[action]
    for depth, count in enumerate(case["counts"][:2], 1):
        assert reference.perft(model, depth) == count
