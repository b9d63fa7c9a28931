"""Fidchell as it is written: refusals, notation, stories, worth and states as bytes."""

import pytest
from checks import assert_read_exactly, assert_refused, sentences
from fidchell_positions import CROWD, SPOKE, play, position, start
from hypothesis import given
from hypothesis import strategies as st

from engine import CHANCE, NotationError
from engine.games.fidchell import GAME

# Refusals and notation

MIDDLE = f"{CROWD},5D4 G:5B4,5D7,1A6"


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        ("", "notation", "a piece is placed by naming a field"),
        ("5D4", "hand", "Your hand is empty: you move a piece now"),
        ("5D8", "no-field", "There is no field 5D8; row D runs from circle 7 to 3."),
        ("7D4", "no-field", "sections are 1-6"),
        ("5F4", "no-field", "rows are A-E"),
        ("5C0", "no-field", "Circle 0 is the king's alone"),
        ("5D4-5D2", "no-field", "row D runs from circle 7 to 3"),
        ("5D4-5D4", "reach", "on 5D4 already"),
        ("5B4-5B5", "not-yours", "5B4 holds a piece of Green: move a piece of your own."),
        ("5C4-5C5", "empty", "5C4 is empty."),
        ("5D4-5D7", "occupied", "5D7 holds a piece of Green: a piece moves to empty fields only."),
        ("1A7-1B7", "occupied", "1B7 holds a piece of Red"),
        ("1A7-1A5", "blocked", "The way from 1A7 to 1A5 is blocked: 1A6 holds a piece of Green."),
        ("1C7-3C7", "blocked", "both ways round the circle"),
        ("5D4-6C5", "reach", "along its circle or its row: from 5D4 it cannot reach 6C5"),
        ("5d4-5d5", "notation", "Write this move 5D4-5D5."),
    ],
)
def test_refusals_say_why(action: str, code: str, words: str) -> None:
    assert_refused(GAME, position(MIDDLE, hands=(0, 9)), 1, action, code, words)


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        ("5B4", "occupied", "5B4 holds a piece of Green: a piece is placed on an empty field."),
        ("5D4-5D5", "hand", "You still have 9 pieces in hand: place one by naming a field, as in 5D4."),
        ("6c5", "notation", "Write this move 6C5."),
        ("05D4", "notation", "That is no move"),
    ],
)
def test_refusals_while_placing(action: str, code: str, words: str) -> None:
    assert_refused(GAME, position(MIDDLE), 1, action, code, words)


def test_rows_and_circles_of_one() -> None:
    refusal = GAME.refuse(start(layout="0", sections=4, pieces=7), 1, "1B7")
    assert refusal is not None
    assert refusal.text == "There is no field 1B7; there is but row A."
    refusal = GAME.refuse(start(layout="70", sections=12), 1, "1A6")
    assert refusal is not None
    assert refusal.text == "There is no field 1A6; row A has circle 7 alone."


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("5d4", "5D4"),
        (" 5 D 4 ", "5D4"),
        ("5d4x", "5D4"),
        ("5d4-5d7", "5D4-5D7"),
        ("5D4 5D7", "5D4-5D7"),
        ("5d45d7", "5D4-5D7"),
        ("5d4x5d7", "5D4-5D7"),
        ("5d4 to 5d7*", "5D4-5D7"),
        ("5d4>5d7", "5D4-5D7"),
        ("12i7 12i1", "12I7-12I1"),
        ("FIRST 3", "first 3"),
        (" Resign", "resign"),
    ],
)
def test_parsing_is_lenient(text: str, action: str) -> None:
    assert GAME.parse(start(), text) == action


@pytest.mark.parametrize(
    "text", ["", "5", "5d", "d4", "5dd4", "5j4", "5d4-", "5d4-5", "05d4", "5d44", "5d\u0664", "x" * 501]
)
def test_parsing_refuses_other_text(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(start(), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5j4", "there is no field 5J4; rows are A-E"),
        ("5d44", "there is no field 5D44; row D runs from circle 7 to 3"),
        ("05d4", "there is no field 05D4; sections are 1-6"),
        ("0d4", "there is no field 0D4; sections are 1-6"),
        ("5d4-5z4", "there is no field 5Z4; rows are A-E"),
        ("5d4-", "a piece is placed by naming a field"),
    ],
)
def test_a_field_that_does_not_exist_is_named_with_those_that_do(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=f"is not a move: {why}"):
        GAME.parse(start(), text)


@given(st.text(alphabet="123456abcdeABCDE70-x ", max_size=9), st.booleans())
def test_parsing_is_canonical_and_refusing_exact_for_any_text(text: str, moving: bool) -> None:
    state = position(MIDDLE, hands=(0 if moving else 9, 9))
    assert_read_exactly(GAME, state, 1, text)


# Stories


def test_stories() -> None:
    state = position("R:5B5,5D7 G:5C5 B:5D6", hands=(9, 9, 6))
    told = GAME.story(state, 1, "5D5")
    assert told[0].text == "Red places a piece on 5D5 and captures Green's piece on 5C5 and Blue's piece on 5D6."
    assert told[0].places == ("5D5", "5C5", "5D6")
    assert [event.takes for event in told] == [(2, 3), (), ()]
    assert [event.text for event in told[1:]] == ["Blue has only 6 pieces left and is out.", "Red has another turn."]
    state = position(f"{CROWD},6C5,6E6 G:6D5,1C6", hands=(0, 9))
    assert sentences(GAME, state, 1, "6E6-6E5") == [
        "Red moves a piece from 6E6 to 6E5 and captures Green's piece on 6D5.",
        "Red has another turn.",
    ]
    state = position("R:5B5,5D7 G:5C5,5D6")
    assert sentences(GAME, state, 1, "5D5")[0].endswith("captures Green's pieces on 5D6 and 5C5.")
    assert sentences(GAME, start(), 1, "5D4") == ["Red places a piece on 5D4."]


def test_stories_of_beginning_and_ending() -> None:
    fresh = GAME.start({}, 3)
    assert sentences(GAME, fresh, CHANCE, "first 3") == ["Blue begins."]
    assert sentences(GAME, fresh, 1, "resign") == ["Red resigns."]
    assert sentences(GAME, fresh, CHANCE, "draw") == ["The game is drawn by agreement."]
    assert sentences(GAME, start(), 1, "resign") == ["Red resigns.", "Green wins."]
    assert sentences(GAME, start(turn_limit=1), 1, "5D4")[-1] == "The game is drawn: the limit of 1 moves is reached."
    assert sentences(GAME, position(f"R:{SPOKE[:-4]}"), 1, "5C7")[-1] == (
        "Red wins: a chain joins the king to the outer circle."
    )
    assert sentences(GAME, position("R:6C5 G:6D5", hands=(9, 6)), 1, "6E5")[1:] == [
        "Green has only 6 pieces left and is out.",
        "Red wins.",
    ]


# Worth


def test_worth_goes_by_pieces_then_by_open_rows() -> None:
    state = position("R:6C5,5C3 G:6D5")
    assert GAME.worth(play(state, "6E5"), 1) > GAME.worth(play(state, "5C4"), 1) > GAME.worth(play(state, "5D4"), 1)
    assert GAME.worth(start(), 1) == 0 == GAME.worth(GAME.apply(start(), CHANCE, "draw"), 1)
    won = play(position(f"R:{SPOKE[:-4]}"), "5C7")
    assert GAME.worth(won, 1) == -GAME.worth(won, 2) > GAME.worth(state, 1)
    out = GAME.apply(start(3), 2, "resign")
    assert GAME.worth(out, 2) < GAME.worth(out, 1) == GAME.worth(out, 3)


# States as bytes


EMPTY = bytes(18)
FULL = b"\xff" * 17 + b"\x03"
