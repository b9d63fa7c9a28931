"""Byzantine Kingamon: against the slow reference over random games, setting up, moving, entering and capturing."""

import re
from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from kingamon_positions import (
    CHOICES,
    RED,
    WHITE,
    Pieces,
    allowed,
    alone,
    any_options,
    board,
    game,
    legal,
    option_sets,
    position,
    result_of,
    why,
)
from kingamon_reference import Reference

from engine import CHANCE, Chance, Dice, OptionError, OptionValue, Over, Pick, Result, all_games
from engine.games.kingamon import GAME
from engine.games.kingamon.plays import STEPS

# Against the reference


@pytest.mark.many
@settings(max_examples=80 * MORE, deadline=None)
@given(option_sets, st.integers(0, 2**32), st.booleans())
def test_random_games_agree_with_the_reference(options: Mapping[str, OptionValue], seed: int, long: bool) -> None:
    reference = Reference(options)
    for state, actor, action in game(options, Random(seed), long=long):
        assert reference.actor() == actor
        assert board(state) == reference.board()
        if actor is None:
            result = result_of(state)
            assert result.winners == (reference.winner,)
            assert result.points == reference.points()
            return
        offered = GAME.legal(state, actor)
        assert len(set(offered)) == len(offered)
        assert sorted(offered) == sorted(reference.choices())
        assert GAME.legal(state, 3 - actor if actor else 1) == ()
        reference.apply(actor, action)


@pytest.mark.many
@settings(max_examples=25 * MORE, deadline=None)
@given(option_sets, st.integers(0, 2**32), st.booleans())
def test_every_offered_action_reads_as_itself(options: Mapping[str, OptionValue], seed: int, long: bool) -> None:
    for state, actor, action in game(options, Random(seed), long=long):
        if actor is None:
            return
        for offered in GAME.legal(state, actor):
            assert GAME.parse(state, offered) == offered
            assert GAME.refuse(state, actor, offered) is None
        assert GAME.story(state, actor, action)


@pytest.mark.many
@settings(max_examples=12 * MORE, deadline=None)
@given(option_sets, st.integers(0, 2**32), st.booleans())
def test_a_play_that_is_not_offered_is_refused_and_a_misspelt_one_corrected(
    options: Mapping[str, OptionValue], seed: int, long: bool
) -> None:
    rng = Random(seed)
    every = sorted({*STEPS[WHITE], *STEPS[RED], "roll", "double", "take", "drop", "3-5", "first 1", "", "4/4", "x"})
    for state, actor, _ in game(options, rng, long=long):
        if not actor:
            continue
        offered = GAME.legal(state, actor)
        for text in rng.sample(every, 40):
            refusal = GAME.refuse(state, actor, text)
            assert (refusal is None) == (text in offered)
            if refusal and refusal.text.startswith("That play is written "):
                assert refusal.text[21:-1] in offered
        for text in offered:
            if text.endswith("*"):
                assert why(state, text[:-1]) == ("notation", f"That play is written {text}.")


@pytest.mark.many
@pytest.mark.parametrize("long", [False, True])
def test_all_ways_to_end_on_the_board_come_up_and_games_stay_short(long: bool) -> None:
    lengths: list[int] = []
    reasons: Counter[str] = Counter()
    for seed in range(60):
        options = {"quick": seed % 3 == 0}
        states = [state for state, *_ in game(options, Random(seed), long=long)]
        lengths.append(len(states))
        reasons[result_of(states[-1]).reason] += 1
    assert reasons["king captured"] if not long else reasons["all pieces borne off"] and reasons["king borne off"]
    assert max(lengths) < 5000


# Setting up


def test_the_game_is_found_and_described() -> None:
    assert all_games()["kingamon"] is GAME
    assert (GAME.title, GAME.seats, GAME.colours) == ("Byzantine Kingamon", range(2, 3), ("White", "Red"))
    assert [option.name for option in GAME.options] == list(CHOICES)


def test_start_position() -> None:
    state = GAME.start({}, 2)
    twos = [2, 3, 4, 5, 6]
    assert board(state) == {
        (WHITE, "disk"): sorted(str(space) for space in twos for _ in "12"),
        (RED, "disk"): sorted(str(30 - space) for space in twos for _ in "12"),
        (WHITE, "king"): ["start"],
        (RED, "king"): ["start"],
    }
    assert GAME.pending(state) == Chance(Pick(("first 1", "first 2")))
    assert GAME.live(state) == (1, 2)


@pytest.mark.parametrize("seat", [WHITE, RED])
def test_the_first_seat_is_drawn_or_fixed(seat: int) -> None:
    drawn = GAME.apply(GAME.start({}, 2), CHANCE, f"first {seat}")
    assert drawn == GAME.start({"first": seat}, 2) == GAME.start({"first": str(seat)}, 2)
    assert GAME.pending(drawn) == Chance(Dice(2, 6))
    assert len(GAME.legal(drawn, CHANCE)) == 36
    assert GAME.apply(drawn, CHANCE, "3-5").seat == seat


@given(any_options)
def test_combinations_are_refused_where_the_sheet_forbids_them(options: Mapping[str, OptionValue]) -> None:
    if allowed(options):
        chosen = GAME.resolve({name: str(value) for name, value in options.items()}, 2)
        assert chosen == options
        assert list(chosen) == list(CHOICES)
    else:
        with pytest.raises(OptionError) as error:
            GAME.start(options, 2)
        assert error.value.option in ("captured_disks", "captured_king", "bearing_off")
        assert error.value.option in str(error.value)


@pytest.mark.parametrize(
    ("options", "name", "says"),
    [
        ({"captured_disks": "removed"}, "captured_disks", "quick=true"),
        ({"captured_king": "bar"}, "captured_king", "quick=true"),
        (
            {"quick": True, "captured_disks": "removed", "bearing_off": "backgammon"},
            "bearing_off",
            "captured_disks=removed",
        ),
        ({"first": 3}, "first", "random or 1-2"),
        ({"cube": "yes"}, "cube", "false or true"),
        ({"turn_limit": 5}, "turn_limit", "no option"),
        ({"repetition": 3}, "repetition", "no option"),
    ],
)
def test_a_refused_option_is_named_with_what_it_allows(
    options: Mapping[str, OptionValue], name: str, says: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(says)) as error:
        GAME.start(options, 2)
    assert error.value.option == name


def test_defaults_may_be_named_and_two_play() -> None:
    named = {"first": "random", "captured_disks": "bar", "captured_king": "loses", "bearing_off": "exact"}
    assert GAME.start(named, 2) == GAME.start({}, 2)
    for seats in (1, 3):
        with pytest.raises(ValueError, match="2-2 players"):
            GAME.start({}, seats)


# Moving, entering and capturing


@pytest.mark.parametrize("die", range(1, 7))
def test_entry_table(die: int) -> None:
    white = alone(WHITE, [die], bar=1)
    assert legal(white) == {f"bar/{die}", f"Kbar/{die}"}
    red = alone(RED, [die], bar=1)
    assert legal(red) == {f"bar/{30 - die}", f"Kbar/{30 - die}"}
    entered = GAME.apply(red, RED, f"Kbar/{30 - die}")
    assert board(entered)[RED, "king"] == [str(30 - die)]


@pytest.mark.parametrize(
    ("seat", "space", "die"), [(WHITE, 30 - n, n) for n in range(1, 7)] + [(RED, n, n) for n in range(1, 7)]
)
def test_bearing_off_table(seat: int, space: int, die: int) -> None:
    for roll in range(1, 7):
        mine: Pieces = {"king": f"s{space}", f"s{space}": 1, f"s{9 if seat == WHITE else 21}": 1}
        state = position(seat, [roll], mine if seat == WHITE else {}, mine if seat == RED else {})
        off = {move for move in legal(state) if "off" in move}
        assert off == ({f"{space}/off", f"K{space}/off"} if roll == die else set())
        stays = {move for move in legal(state) if move.startswith(f"{space}/")}
        assert len(stays) == (roll <= die)
    two: Pieces = {"s15": 1, f"s{space}": 1}
    state = position(seat, [die], two if seat == WHITE else {}, two if seat == RED else {})
    assert board(GAME.apply(state, seat, f"{space}/off"))[seat, "disk"].count("off") == 9


def test_the_first_roll_of_each_side() -> None:
    white = GAME.apply(GAME.start({"first": 1}, 2), CHANCE, "3-5")
    assert " ".join(GAME.legal(white, WHITE)) == "Kbar/3 2/5 3/6 4/7 5/8 6/9 Kbar/5 2/7 3/8 4/9 5/10 6/11"
    red = GAME.apply(GAME.start({"first": 2}, 2), CHANCE, "3-5")
    assert " ".join(GAME.legal(red, RED)) == (
        "Kbar/27 28/25 27/24 26/23 25/22 24/21 Kbar/25 28/23 27/22 26/21 25/20 24/19"
    )


def test_landing_on_own_on_one_and_on_two() -> None:
    state = position(WHITE, [5], {"s4": 2, "s9": 1}, {"s14": 1, "s20": 9})
    assert legal(state) == {"4/9", "9/14*", "Kbar/5"}
    blocked = position(WHITE, [5], {"s4": 2, "s9": 1}, {"s14": 2, "s20": 8})
    assert legal(blocked) == {"4/9", "Kbar/5"}
    guarded = position(WHITE, [5], {"s4": 2, "s9": 1}, {"king": "s14", "s14": 1, "s20": 9})
    assert legal(guarded) == {"4/9", "Kbar/5"}
    taken = GAME.apply(state, WHITE, "9/14*")
    assert board(taken)[RED, "disk"] == sorted(["bar", *["20"] * 9])


def test_entering_captures_too() -> None:
    state = position(RED, [4], {"s26": 1, "s5": 9}, {"bar": 2, "s20": 8})
    after = GAME.apply(state, RED, "Kbar/26*")
    assert board(after)[WHITE, "disk"] == sorted(["bar", *["5"] * 9])


def test_capturing_the_king_wins() -> None:
    state = position(WHITE, [5, 1], {"s4": 10}, {"king": "s9", "s20": 10})
    over = GAME.apply(state, WHITE, "4/9*")
    assert GAME.pending(over) == Over(Result((WHITE,), (1, 0), "king captured"))
    by_king = position(RED, [2, 1], {"king": "s7", "s4": 10}, {"king": "s9", "s20": 10})
    assert result_of(GAME.apply(by_king, RED, "K9/7*")) == Result((RED,), (0, 1), "king captured")


@pytest.mark.parametrize("space", [12, 18])
@pytest.mark.parametrize("piece", [{"s": 1}, {"s": 2}, {"king": 1}])
def test_neutral_spaces_belong_to_one_side_unless_safe(space: int, piece: dict[str, int]) -> None:
    red: Pieces = {"king": f"s{space}", "s24": 10} if "king" in piece else {f"s{space}": piece["s"], "s24": 8}
    white = {"s10": 5, "s16": 5}
    state = position(WHITE, [2, 6], white, red)
    play = f"{space - 2}/{space}"
    assert play not in legal(state)
    assert why(state, play) == ("neutral", f"Space {space} is held by Red: no piece of yours may land there.")
    safe = position(WHITE, [2, 6], white, red, safe_spaces=True)
    assert play in legal(safe)
    assert f"{play}*" not in legal(safe)
    shared = GAME.apply(safe, WHITE, play)
    assert str(space) in board(shared)[WHITE, "disk"]
    assert board(shared)[RED, "disk"] == board(safe)[RED, "disk"]
    assert board(shared)[RED, "king"] == board(safe)[RED, "king"]


def test_own_pieces_share_a_neutral_space() -> None:
    assert "10/12" in legal(position(WHITE, [2], {"s10": 1, "s12": 1, "s2": 8}, {"s20": 10}))


def test_pieces_on_the_bar_need_not_enter_first() -> None:
    state = alone(WHITE, [3], bar=1, s10=1)
    assert legal(state) == {"bar/3", "Kbar/3", "10/13"}
