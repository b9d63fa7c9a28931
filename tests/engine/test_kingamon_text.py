"""Byzantine Kingamon as it is written: moves read and refused, stories, and states as bytes."""

from collections.abc import Mapping
from random import Random

import pytest
from golden import MORE
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kingamon_positions import (
    BACKGAMMON,
    RED,
    STUCK,
    WHITE,
    actor_of,
    alone,
    game,
    option_sets,
    placed,
    position,
    run,
    why,
)

from engine import CHANCE, NotationError, OptionValue, digest
from engine.games.kingamon import CHOOSE, GAME, ROLL, State

# Reading moves


LENIENT = position(WHITE, [3, 5], {"bar": 1, "s4": 3, "s12": 1, "s10": 5}, {"s9": 1, "s20": 9})


@pytest.mark.parametrize(
    ("text", "action"),
    [
        *((text, "bar/3") for text in ("bar/3", "bar 3", "b/3", "b3", "BAR-3", " Bar / 3 ")),
        *((text, "Kbar/3") for text in ("kbar/3", "k bar 3", "king b3", "Kb/3", "KBAR3")),
        *(
            (text, "4/9*")
            for text in ("4/9*", "4/9", "4 9", "4-9", "49", "4x9", "4/9x", "4 9 +", "4->9", "4 to 9", "04/09")
        ),
        *((text, "10/13") for text in ("10/13", "10 13", "1013", "10,13", "10:13", "10/13*")),
        *((text, "K4/9*") for text in ("k4/9", "K4 9", "king 4-9", "k 4/9*")),
        *((text, "4/12") for text in ("4/12", "4 12", "412")),
        *((text, "10/off") for text in ("10/off", "10 off", "10o", "10/30", "10 0")),
        ("10 off 6", "10/off(6)"),
        ("Double", "double"),
        (" ROLL", "roll"),
        ("resign", "resign"),
        ("FIRST 2", "first 2"),
    ],
)
def test_lenient_reading(text: str, action: str) -> None:
    assert GAME.parse(LENIENT, text) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "4/",
        "/9",
        "4/9(5)",
        "4?9",
        "k",
        "off",
        "4/9/12",
        "٤/٩",
        "1 2 3",
    ],
)
def test_what_is_no_play_is_said_to_be_none(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move: write 4/9"):
        GAME.parse(LENIENT, text)


@pytest.mark.parametrize(
    ("text", "told"),
    [("28", "28 alone is one space: a play names two, as 2/8"), ("k12", "12 alone is one"), ("4", "4 alone is one")],
)
def test_one_space_is_no_play_even_where_its_digits_are_two_spaces(text: str, told: str) -> None:
    state = position(WHITE, [1, 6], {"s1": 1, "s2": 1}, {"s20": 9})
    assert GAME.parse(state, "2/8") in GAME.legal(state, WHITE)
    with pytest.raises(NotationError, match=f"is not a move: {told}"):
        GAME.parse(state, text)


@pytest.mark.parametrize(("text", "space"), [("31/4", 31), ("30/4", 30), ("0/4", 0), ("k4-31", 31), ("bar/50", 50)])
def test_a_space_that_does_not_exist_is_named_with_those_that_do(text: str, space: int) -> None:
    with pytest.raises(NotationError, match=f"not a move: there is no space {space}; spaces are 1-29, besides `bar`"):
        GAME.parse(LENIENT, text)


@pytest.mark.parametrize("play", ["26/21", "bar/27", "4/off"])
def test_a_newcomer_who_plays_red_reads_in_which_direction_red_counts(play: str) -> None:
    assert play in GAME.notation.partition("Red counts down, as ")[2]
    assert play in GAME.parse(LENIENT._replace(seat=2), play)


@pytest.mark.parametrize(("text", "roll"), [("3-5", "3-5"), ("35", "3-5"), ("3 5", "3-5"), (" 6-6 ", "6-6")])
def test_reading_dice(text: str, roll: str) -> None:
    assert GAME.parse(GAME.start({"first": 1}, 2), text) == roll


def test_a_play_without_mark_is_the_kings_where_no_disk_stands() -> None:
    both = alone(RED, [5], king="s25", s25=1)
    assert GAME.parse(both, "25/20") == "25/20"
    assert GAME.parse(both, "k25/20") == "K25/20"
    only = alone(RED, [5], king="s25", s10=1)
    assert GAME.parse(only, "25/20") == "K25/20"
    assert GAME.parse(only, "25/21") == "K25/21"
    assert GAME.parse(only, "10/5") == "10/5"
    assert GAME.parse(only, "bar/25") == "bar/25"


def test_reading_a_bearing_off() -> None:
    both = alone(WHITE, [4, 6], king="off", options=BACKGAMMON, s26=1, s25=1)
    assert GAME.parse(both, "26/off") == "26/off"
    assert GAME.parse(both, "26 off 6") == GAME.parse(both, "26/off(6)") == GAME.parse(both, "26off6") == "26/off(6)"
    assert GAME.parse(both, "26/off(4)") == "26/off"
    assert GAME.parse(both, "25/off") == "25/off(6)"
    assert GAME.parse(alone(WHITE, [6], king="off", options=BACKGAMMON, s26=1), "off") == "26/off(6)"
    unclear = alone(WHITE, [5, 6], king="off", options=BACKGAMMON, s26=1)
    assert GAME.parse(unclear, "26/off") == "26/off"
    assert why(unclear, "26/off") == (
        "die",
        "Bearing off so takes a 4, but you have 5 and 6 to play; with a larger die, name it as in 26/off(6).",
    )


@settings(max_examples=150 * MORE, deadline=None)
@given(option_sets, st.integers(0, 2**32), st.text("0123456789kbarof/-* ()xt", max_size=12) | st.text(max_size=12))
def test_any_text_is_read_or_said_to_be_none_and_any_reading_is_judged(
    options: Mapping[str, OptionValue], seed: int, text: str
) -> None:
    assume(text not in ("resign", "draw"))  # lawful, but never listed
    rng = Random(seed)
    for state, actor, _ in game(options, rng):
        if actor is None or rng.random() < 0.1:
            for seat in (CHANCE, WHITE, RED):
                assert (GAME.refuse(state, seat, text) is None) == (text in GAME.legal(state, seat))
            try:
                action = GAME.parse(state, text)
            except NotationError:
                return
            assert GAME.parse(state, action) == action
            if actor is not None:
                lawful = action in GAME.legal(state, actor) or action == ("resign" if actor else "draw")
                assert (GAME.refuse(state, actor, action) is None) == lawful
            return


# Refusing moves


EXPLAIN = position(
    WHITE, [3, 5], {"bar": 1, "king": "s8", "s4": 3, "s10": 1, "s12": 1, "s25": 1}, {"s9": 1, "s13": 2, "s15": 7}
)


@pytest.mark.parametrize(
    ("action", "code", "text"),
    [
        ("7/10", "no-disk", "You have no disk on space 7."),
        ("8/11", "no-disk", "You have no disk on space 8, only your king: write K8."),
        ("Kbar/3", "no-king", "Your king is not on the bar."),
        ("K4/9*", "no-king", "Your king is not on space 4."),
        ("10/7", "direction", "Your pieces move up the spaces, never back."),
        ("4/8", "die", "That takes a 4, but you have 3 and 5 to play."),
        ("bar/9", "die", "That takes a 9, but you have 3 and 5 to play."),
        ("12/20", "die", "That takes an 8, but you have 3 and 5 to play: with both it is 12/17 17/20."),
        ("10/13", "blocked", "Space 13 holds 2 pieces of Red: no piece of yours may land there."),
        ("10/15", "blocked", "Space 15 holds 7 pieces of Red: no piece of yours may land there."),
        ("10/off", "not-home", "Pieces bear off from Red's home, spaces 24 to 29 only."),
        ("bar/off", "not-home", "Pieces bear off from Red's home, spaces 24 to 29 only."),
        ("25/off(6)", "inexact", "From space 25 bearing off takes a 5, not a 6."),
        ("25/off(5)", "notation", "That play is written 25/off."),
        ("4/9", "notation", "That play is written 4/9*."),
        ("4/7*", "notation", "That play is written 4/7."),
        ("roll", "dice", "The dice are cast: play 3 and 5 first."),
        (
            "4-7",
            "notation",
            "That is no play: write 4/9, K4/9 for the king, bar/3 to enter, 26/off to bear off; "
            "Red counts down, as 26/21, bar/27 and 4/off.",
        ),
    ],
)
def test_a_refusal_says_why(action: str, code: str, text: str) -> None:
    assert why(EXPLAIN, action) == (code, text)


def test_refusals_of_options() -> None:
    waits = alone(RED, [3], bar=1, s10=1, options={"bar_first": True})
    assert why(waits, "10/7") == ("bar-first", "You have pieces on the bar: they enter before any other moves.")
    home = alone(RED, [3], king="s10", s3=1, options=BACKGAMMON)
    assert why(home, "3/off") == ("not-all-home", "First all your pieces must be in White's home, spaces 1 to 6.")
    small = alone(RED, [3], king="off", s5=1, options=BACKGAMMON)
    assert why(small, "5/off(3)") == ("inexact", "From space 5 bearing off takes a 5, not a 3.")
    assert why(small, "5/8") == ("direction", "Your pieces move down the spaces, never back.")
    choose = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7")
    assert choose.phase == CHOOSE
    assert why(choose, "28/25")[0] == "choose"
    assert why(run(choose, "double"), "roll") == ("answer", "Red doubles to 2: type take or drop.")
    assert why(choose, "roll", WHITE)[1] == "It is Red's turn."


# Stories


def story(state: State, action: str) -> list[str]:
    return [event.text for event in GAME.story(state, actor_of(state) or state.seat, action)]


def test_stories_of_plays() -> None:
    state = EXPLAIN
    assert story(state, "4/7") == ["White moves a disk from space 4 to space 7."]
    assert story(state, "4/9*") == [
        "White moves a disk from space 4 to space 9 and captures a disk, which goes to the bar."
    ]
    assert story(state, "bar/5") == ["White enters a disk on space 5."]
    assert story(state, "25/off") == ["White bears off a disk from space 25."]
    assert story(state, "K8/11") == ["White moves the king from space 8 to space 11."]
    assert [event.places for event in GAME.story(state, WHITE, "4/9*")] == [("4", "9", "bar")]
    assert [event.places for event in GAME.story(state, WHITE, "bar/5")] == [("bar", "5")]
    assert [event.places for event in GAME.story(state, WHITE, "25/off")] == [("25", "off")]


def test_stories_of_captures_and_ends() -> None:
    removed = position(RED, [4, 1], {"s6": 1, "s3": 9}, {"s10": 10}, quick=True, captured_disks="removed")
    assert story(removed, "10/6*") == [
        "Red moves a disk from space 10 to space 6 and captures a disk, which leaves the game."
    ]
    king = position(RED, [4, 1], {"king": "s6", "s3": 10}, {"s10": 10})
    assert story(king, "10/6*") == [
        "Red moves a disk from space 10 to space 6 and captures White's king.",
        "Red wins 1 point: king captured.",
    ]
    back = position(RED, [4, 1], {"king": "s6", "s3": 10}, {"s10": 10}, quick=True, captured_king="bar")
    assert story(back, "10/6*")[0].endswith("captures White's king, which goes to the bar.")
    last = alone(RED, [4], king="off", s4=1)._replace(stake=2, owner=1)
    assert story(last, "4/off")[1] == "Red wins 2 points: all pieces borne off."


def test_stories_of_dice() -> None:
    start = GAME.start({}, 2)
    assert story(start, "first 2") == ["Red begins."]
    assert story(run(start, "first 2"), "3-5") == ["Red rolls 3 and 5."]
    stuck = State(0, ROLL, WHITE, placed(WHITE, STUCK[0]), placed(RED, STUCK[1]), b"", 0, 1, 0)
    assert story(stuck, "3-5") == ["White rolls 3 and 5.", "White can play neither die."]
    assert story(stuck, "3-3") == ["White rolls 3 and 3.", "White can play neither die.", "White rolls again."]
    lapse = position(WHITE, [1, 6], {"king": "off", "s10": 1}, {"s17": 2, "s24": 8})
    assert story(lapse, "10/16")[1:] == ["White cannot play the 1."]
    doubles = position(WHITE, [3, 3], {"king": "off", "s10": 1}, {"s16": 2, "s24": 8})._replace(again=1)
    assert story(doubles, "10/13")[1:] == ["White cannot play the other 3.", "White rolls again."]
    for state, actor, action in ((stuck, CHANCE, "3-3"), (lapse, WHITE, "10/16"), (doubles, WHITE, "10/13")):
        first, second, *more = [event.lapses for event in GAME.story(state, actor, action)]
        assert (first, second, any(more)) == (False, True, False), "no other sentence tells of a die"


def test_stories_of_the_cube_and_of_leaving() -> None:
    choose = run(GAME.start({"first": 1, "cube": True}, 2), "3-5", "2/5", "2/7")
    offer = run(choose, "double")
    assert story(choose, "roll") == ["Red rolls without doubling."]
    assert story(choose, "double") == ["Red offers to double the stake to 2."]
    assert story(offer, "take") == ["White takes: the stake is 2 and the cube is White's."]
    assert story(offer, "drop") == ["White drops.", "Red wins 1 point: double dropped."]
    assert [event.text for event in GAME.story(offer, RED, "resign")] == [
        "Red resigns.",
        "White wins 1 point: Red resigned.",
    ]
    assert [event.text for event in GAME.story(offer, CHANCE, "draw")] == ["Both sides agree to a draw."]


# Packing


def test_the_digest_tells_positions_apart() -> None:
    assert digest(GAME, GAME.start({"first": 1}, 2)) != digest(GAME, GAME.start({"first": 2}, 2))
    assert digest(GAME, GAME.start({"quick": True}, 2)) != digest(GAME, GAME.start({}, 2))
