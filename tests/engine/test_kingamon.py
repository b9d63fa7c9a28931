"""Byzantine Kingamon: against the slow reference over random games, and every number and option of its rules."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypeAlias

import pytest
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from kingamon_reference import Reference

from engine import CHANCE, Chance, Dice, OptionError, OptionValue, Over, Pick, Result, Turn, all_games
from engine.games.kingamon import ANSWER, GAME, PLAY, ROLL, State
from engine.games.kingamon.plays import STEPS, plays

WHITE, RED = 1, 2
Pieces: TypeAlias = dict[str, int | str]
"""Pieces of a side as `side` takes them."""
CHOICES = {
    "first": ("random", 1, 2),
    "quick": (False, True),
    "captured_disks": ("bar", "removed"),
    "captured_king": ("loses", "bar"),
    "bearing_off": ("exact", "backgammon"),
    "bar_first": (False, True),
    "safe_spaces": (False, True),
    "acey_ducey": (False, True),
    "cube": (False, True),
}


def allowed(options: Mapping[str, OptionValue]) -> bool:
    """Whether the rules let these options go together."""
    only_quick = options["captured_disks"] == "removed" or options["captured_king"] == "bar"
    clash = options["captured_disks"] == "removed" and options["bearing_off"] == "backgammon"
    return bool(options["quick"] or not only_quick) and not clash


any_options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})
option_sets = any_options.filter(allowed)


def actor_of(state: State) -> int:
    due = GAME.pending(state)
    return due.seat if isinstance(due, Turn) else CHANCE


def game(options: Mapping[str, OptionValue], rng: Random, *, long: bool = False) -> Iterator[Any]:
    """Yield (state, actor, action) through a random game; `long` spares the kings so that pieces get home."""
    state = GAME.start(options, 2)
    while not isinstance(GAME.pending(state), Over):
        actor = actor_of(state)
        legal = list(GAME.legal(state, actor))
        if long and actor:
            calm = [a for a in legal if not isinstance(GAME.pending(GAME.apply(state, actor, a)), Over)]
            legal = ["roll"] if legal[0] == "roll" else calm or legal
        action = rng.choice(legal)
        yield state, actor, action
        state = GAME.apply(state, actor, action)
    yield state, None, None


def board(state: State) -> dict[tuple[int, str], list[str]]:
    """The pieces in the reference's words."""
    places = {}
    for seat, side in ((WHITE, state.white), (RED, state.red)):
        names = ["bar", *(str(way if seat == WHITE else 30 - way) for way in range(1, 30)), "off"]
        places[seat, "disk"] = sorted(name for name, byte in zip(names, side, strict=True) for _ in range(byte % 16))
        kings = [name for name, byte in zip(names, side, strict=True) if byte >= 16]
        places[seat, "king"] = ["start"] if side[0] >= 32 else kings
    return places


def side(seat: int, king: str = "start", **disks: int) -> bytes:
    """Return a side's bytes from `s4=2` (disks on space 4), `bar=1`, and where the king stands; the rest is off."""
    cells = bytearray(31)
    for place, count in disks.items():
        cells[way(seat, place)] += count
    cells[30] += 10 - sum(disks.values())
    cells[way(seat, king)] += 32 if king == "start" else 16
    return bytes(cells)


def way(seat: int, place: str) -> int:
    if place in ("bar", "start", "off"):
        return 30 if place == "off" else 0
    return int(place[1:]) if seat == WHITE else 30 - int(place[1:])


def placed(seat: int, pieces: Mapping[str, int | str]) -> bytes:
    """Return a side's bytes from a mapping that says what `side` takes."""
    king = str(pieces.get("king", "start"))
    return side(seat, king, **{place: int(count) for place, count in pieces.items() if place != "king"})


def position(
    seat: int, dice: list[int], white: Mapping[str, int | str], red: Mapping[str, int | str], **options: OptionValue
) -> State:
    """Return the state in which `seat` has `dice` to play."""
    rules = GAME.start(options, 2).rules
    state = State(rules, PLAY, seat, placed(WHITE, white), placed(RED, red), bytes(dice), 0, 1, 0)
    own, other = (state.white, state.red) if seat == WHITE else (state.red, state.white)
    return state._replace(plays=plays(rules, seat, own, other, state.dice))


def alone(
    seat: int, dice: list[int], king: str = "start", options: Mapping[str, OptionValue] | None = None, **disks: int
) -> State:
    """Return the state in which `seat` has these pieces and the other side has none on the board."""
    mine: Pieces = {"king": king, **disks}
    nothing: Pieces = {}
    white, red = (mine, nothing) if seat == WHITE else (nothing, mine)
    return position(seat, dice, white, red, **(options or {}))


def result_of(state: State) -> Result:
    return expect(Over, GAME.pending(state)).result


def legal(state: State) -> set[str]:
    return set(GAME.legal(state, state.seat))


def why(state: State, action: str, seat: int = 0) -> tuple[str, ...]:
    refusal = GAME.refuse(state, seat or state.seat, action)
    assert refusal is not None
    return refusal.code, refusal.text


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


STUCK: tuple[Pieces, Pieces] = {"king": "off", "s29": 1}, {"s5": 10}
"""White can only use a 1."""


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


BACKGAMMON: dict[str, OptionValue] = {"bearing_off": "backgammon"}


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


def run(state: State, *actions: str) -> State:
    for action in actions:
        actor = actor_of(state)
        assert GAME.refuse(state, actor, action) is None, action
        state = GAME.apply(state, actor, action)
    return state


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
