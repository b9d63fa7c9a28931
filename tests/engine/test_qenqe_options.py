"""Fidchess Qenqe: its options, who begins, resigning and agreed draws."""

import pytest
from qenqe_positions import CIRCLE, LETTERS, at, moves_of, play, position, reached, start, won

from engine import CHANCE, OptionError, OptionValue, Over, Result, Turn
from engine.games.qenqe import GAME

# Options


def test_a_rigant_in_stacks() -> None:
    state = position("w@B9 WB@B10", rigant_stacking=True)
    assert {"B9+B10", "B9-A9"} < moves_of(state, "B9")
    assert reached(state, "B9") == {"A9", "C9", "B8", "B10"}, "alone one space, without the jump"
    joined = play(state, "B9+B10", "C22-C23")
    assert at(joined, "B10") == ["wWB"]
    assert reached(joined, "B10") == reached(position("WWB@B10 w@D1", rigant_stacking=True), "B10"), "moves as a Teth"
    assert {a for a in moves_of(joined, "B10") if ">" in a} == {f"B10>1@{s}" for s in ("A10", "B9", "B11", "C10")}
    assert at(play(joined, "B10>1@B9"), "B10", "B9") == ["WB", "w"]


def test_a_rigant_lands_on_others_as_an_oin() -> None:
    state = position("w@B9 BWB@B10 B@D1", rigant_stacking=True)
    assert at(play(state, "B9+B10"), "B10") == ["wWBB"]
    state = position("wB@B9 BBBW@B11 B@D1", rigant_stacking=True)
    assert at(play(state, "B9+B11"), "B11") == ["wWBB"], "the Rigant stays on top"


def test_no_piece_lands_on_its_own_rigant_in_a_stack() -> None:
    state = position("wW@B9 W@B10 WW@A9", rigant_stacking=True)
    assert not [a for a in GAME.legal(state, 1) if a.endswith("+B9")]
    assert {"B9+B10", "B9+A9"} < moves_of(state, "B9")


def test_a_stack_with_the_rigant_is_as_high_as_others() -> None:
    assert "B9+B10" not in moves_of(position("wWW@B9 WW@B10", rigant_stacking=True), "B9")
    assert "B9+B10" in moves_of(position("wWW@B9 WW@B10", rigant_stacking=True, quen=True), "B9")
    assert at(play(position("w@B9 WWWW@B10", rigant_stacking=True, quen=True), "B9+B10"), "B10") == ["wWWWW"]


def test_landing_on_a_stack_with_a_rigant_captures_it() -> None:
    state = play(position("W@B9 bBW@B10 B@D1", rigant_stacking=True), "B9xB10")
    assert GAME.pending(state) == won(1)
    assert at(state, "B10") == ["WWB"], "the rest joins"


def test_disks_under_their_own_rigant_count() -> None:
    state = position("W@B9 bB@B20 B@B10", rigant_stacking=True)
    assert GAME.pending(play(state, "B9+B10")) == Turn(2)
    state = position("W@B9 bW@B20 B@B10", rigant_stacking=True)
    assert GAME.pending(play(state, "B9+B10")) == won(1, reason="no disks left")


def test_elimination() -> None:
    state = position("W@B9 BBBW@B10 W@C9 B@D1", elimination=True)
    assert {"B9xB10", "B9+C9"} < moves_of(state, "B9")
    assert at(play(state, "B9xB10"), "B9", "B10") == ["", "W"]
    assert "B9+B10" not in GAME.legal(state, 1)
    both = position("w@B9 BBB@B10 W@C9 B@D1", elimination=True, rigant_stacking=True)
    assert {"B9xB10", "B9+C9"} < moves_of(both, "B9"), "the Rigant joins friends and removes others"
    assert at(play(both, "B9xB10"), "B10") == ["w"]
    taken = play(position("W@B9 bBB@B10 B@D1", elimination=True, rigant_stacking=True), "B9xB10")
    assert (GAME.pending(taken), at(taken, "B10")) == (won(1), ["W"])


@pytest.mark.parametrize(
    ("taker", "taken", "out", "winner"),
    [
        ("W", "b", (), 1),
        ("G", "b", (), 1),
        ("Y", "w", (), 4),
        ("G", "y", (), 3),
        ("Y", "g", (2,), 1),
        ("Y", "w", (3,), 4),
    ],
)
def test_left_wins(taker: str, taken: str, out: tuple[int, ...], winner: int) -> None:
    seat = LETTERS.index(taker) + 1
    state = position(f"{taker}@B9 {taken}@B10", to_move=seat, seats=4, out=out, left_wins=True)
    assert GAME.pending(play(state, "B9xB10")) == won(winner, seats=4)
    assert GAME.pending(play(state._replace(rules=state.rules._replace(left_wins=0)), "B9xB10")) == won(seat, seats=4)


def test_left_wins_with_two_is_the_plain_game() -> None:
    assert GAME.pending(play(position("W@B9 b@B10", left_wins=True), "B9xB10")) == won(1)


@pytest.mark.parametrize("left_wins", [False, True])
def test_partners_win_and_lose_together(left_wins: bool) -> None:
    state = position("W@B9 b@B10", seats=4, partners=True, left_wins=left_wins)
    assert GAME.pending(play(state, "B9xB10")) == won(1, 3, seats=4)
    state = position("Y@B9 g@B10", to_move=4, seats=4, partners=True, left_wins=left_wins)
    assert GAME.pending(play(state, "B9xB10")) == won(2, 4, seats=4)
    state = position("W@B9 G@B10", seats=4, partners=True, left_wins=left_wins)
    assert GAME.pending(play(state, "B9+B10")) == won(2, 4, seats=4, reason="no disks left"), "whoever did it"


def test_a_partners_rigant_is_spared() -> None:
    state = position("W@B9 g@B10 GG@A9", seats=4, partners=True)
    assert "B9+A9" in moves_of(state, "B9"), "other stacks of the partner are like any"
    assert "B10" not in reached(state, "B9")
    state = position("W@B9 gG@B10 w@C10", seats=4, partners=True, rigant_stacking=True)
    assert "B10" not in reached(state, "B9") | reached(state, "C10")
    assert "B10" in reached(position("W@B9 gG@B10", seats=4, rigant_stacking=True), "B9")
    state = position("w@B9 g@B10 G@A9", seats=4, partners=True, elimination=True)
    assert reached(state, "B9") == {"A9", "C9", "B8"}


def test_a_slide_stops_before_the_partners_rigant() -> None:
    state = position("WW@B9 g@B12", seats=4, partners=True)
    assert {"B10", "B11", "B13"} < reached(state, "B9")
    assert "B12" not in reached(state, "B9")


def test_partners_are_four() -> None:
    for seats in (2, 3, 5):
        with pytest.raises(OptionError, match="only for 4 players"):
            GAME.start({"partners": True}, seats)
        assert start(seats, partners="false") == start(seats), "a default may be named"
    assert start(4, partners=True).rules.partners == 1


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("quen", "yes", "true"),
        ("elimination", 2, "false or true"),
        ("left_wins", "on", "false or true"),
        ("rigant_stacking", "", "false or true"),
        ("partners", "both", "false or true"),
        ("first", 5, "1-4"),
        ("turn_limit", 0, "100000"),
        ("repetition", 2, "off or 3"),
        ("q", 1, "q"),
    ],
)
def test_bad_options(name: str, value: OptionValue, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        GAME.start({name: value}, 4)


# Beginning, resigning, drawing


def test_the_first_seat_is_drawn() -> None:
    state = GAME.start({}, 3)
    assert GAME.legal(state, CHANCE) == ("first 1", "first 2", "first 3")
    assert GAME.legal(state, 1) == ()
    assert GAME.pending(GAME.apply(state, CHANCE, "first 2")) == Turn(2)
    assert GAME.pending(GAME.start({"first": "3"}, 3)) == Turn(3)
    resigned = GAME.apply(state, 2, "resign")
    assert GAME.legal(resigned, CHANCE) == ("first 1", "first 3")
    assert GAME.pending(GAME.apply(resigned, 1, "resign")) == won(3, seats=3, reason="resigned")
    assert GAME.pending(GAME.apply(state, CHANCE, "draw")) == Over(Result((), (0, 0, 0), "draw agreed"))


def test_resigned_seats_are_passed_over() -> None:
    state = start(5)
    state = GAME.apply(GAME.apply(state, 2, "resign"), 5, "resign")
    assert GAME.live(state) == (1, 3, 4)
    seen = []
    for _ in range(6):
        seen.append(state.to_move)
        state = GAME.apply(state, state.to_move, GAME.legal(state, state.to_move)[0])
    assert seen == [1, 3, 4, 1, 3, 4]
    assert GAME.pending(GAME.apply(start(3, first=3), 3, "resign")) == Turn(1)


def test_the_last_seat_wins() -> None:
    assert GAME.pending(GAME.apply(start(), 1, "resign")) == won(2, reason="resigned")
    state = GAME.apply(GAME.apply(start(3, left_wins=True), 1, "resign"), 3, "resign")
    assert GAME.pending(state) == won(2, seats=3, reason="resigned")
    assert GAME.live(state) == ()


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_resignation_loses_for_the_team(seat: int) -> None:
    winners = (2, 4) if seat in (1, 3) else (1, 3)
    for state in (start(4, partners=True), GAME.start({"partners": True}, 4)):
        assert GAME.pending(GAME.apply(state, seat, "resign")) == won(*winners, seats=4, reason="resigned")


def test_neutral_stacks_can_be_landed_on_and_win_nothing() -> None:
    state = position("W@B9 BB@B10 b@B8 w@D9", seats=3, out=(2,))
    assert GAME.legal(state, 2) == ()
    assert {"B9+B10", "B9xB8"} < moves_of(state, "B9")
    last = play(state, "B9+B10")
    assert (at(last, "B10"), GAME.pending(last)) == (["WBB"], Turn(3))
    rigant = play(state, "B9xB8")
    assert (at(rigant, "B8"), GAME.pending(rigant)) == (["W"], Turn(3))
    assert at(play(position("w@B9 BB@B10 G@D1", seats=3, out=(2,)), "B9xB10"), "B10") == ["w"]


def test_disks_of_a_resigned_seat_stay_in_the_stacks_of_others() -> None:
    state = GAME.apply(position("GBB@B9 B@D1 G@D2", to_move=3, seats=3), 2, "resign")
    assert at(state, "B9") == ["GBB"]
    assert "B9-D10" in GAME.legal(state, 3), "it still counts for the size"


def test_a_neutral_rigant_in_a_stack_is_removed_and_the_rest_joins() -> None:
    state = position("W@B9 bBG@B10", seats=3, out=(2,), rigant_stacking=True)
    after = play(state, "B9xB10")
    assert (at(after, "B10"), GAME.pending(after)) == (["WBG"], Turn(3))


def test_captured_disks_of_an_opponent_under_a_neutral_stack_change_nothing() -> None:
    state = position("W@B9 BG@B10", seats=3, out=(2,))
    assert GAME.pending(play(state, "B9+B10")) == Turn(3)


@pytest.mark.parametrize("first", ["1", "random"])
def test_repetition_counts_the_first_position(first: str) -> None:
    state = GAME.start({"repetition": 3, "first": first}, 2)
    if first == "random":
        state = GAME.apply(state, CHANCE, "first 1")
    state = play(state, *CIRCLE, *CIRCLE[:3])
    assert GAME.pending(state) == Turn(2)
    assert GAME.pending(play(state, "A18-A17")) == Over(Result((), (0, 0), "repetition"))
    assert GAME.pending(play(start(), *CIRCLE, *CIRCLE)) == Turn(1)


def test_resigned_seats_are_part_of_a_position() -> None:
    circle = ["A2-A3", "A12-A13", "A22-A23", "A3-A2", "A13-A12", "A23-A22"]
    state = play(start(3, repetition=3), *circle, *circle[:5])
    resigned = GAME.apply(state, 3, "resign")
    assert GAME.pending(resigned) == Turn(1), "with the third seat out the position is new"
    back = ["A2-A3", "A12-A13", "A3-A2", "A13-A12"]
    again = play(resigned, *back, *back[:3])
    assert GAME.pending(again) == Turn(2)
    assert GAME.pending(play(again, "A13-A12")) == Over(Result((), (0, 0, 0), "repetition"))


def test_the_turn_limit_draws_but_a_win_by_the_last_action_stands() -> None:
    assert GAME.pending(play(start(turn_limit=2), "A2-A3", "A17-A18")) == Over(Result((), (0, 0), "turn limit"))
    state = position("W@B9 b@B10", limit=1)
    assert GAME.pending(play(state, "B9xB10")) == won(1)
    assert GAME.pending(play(state, "B9-B8")) == Over(Result((), (0, 0), "turn limit"))
    resigned = GAME.apply(start(3, turn_limit=2), 3, "resign")
    assert GAME.pending(play(resigned, "A2-A3")) == Turn(2), "resigning is not counted"
