"""Fidchess as it is written: refusals, notation, stories, worth and states as bytes."""

import pytest
from checks import assert_read_exactly, assert_refused, sentences
from fidchess_positions import REST, play, position, start
from hypothesis import given
from hypothesis import strategies as st

from engine import CHANCE, Event, NotationError
from engine.games.fidchess import GAME

# Refusals

CROWD = "YR@A1 Y3@B1 Y2@C2 Y1@A2 Y2@B5 Y1@C7 Y1@D4 G1@B4 G2@C3 GR@A8 G1@D8"


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        ("", "notation", "A2-A3"),
        ("hello", "notation", "no move"),
        ("first 1", "notation", "no move"),
        ("A2-A9", "notation", "That is no move: there is no space A9; rows are A-D, columns are 1-8."),
        ("A" * 10_000, "notation", "no move"),
        ("c2 b2", "notation", "Write this move C2-B2."),
        ("C2xB2", "notation", "Write this move C2-B2."),
        ("C2-C3", "notation", "Write this move C2xC3."),
        ("A2-C2", "reach", "from A2 it cannot reach C2"),
        ("D5-D6", "empty", "D5 is empty"),
        ("B4-B3", "not-yours", "The Oin on B4 belongs to Green."),
        ("B4>1@B3", "not-yours", "belongs to Green"),
        ("A1-B2", "reach", "The Rigant moves one space along its row or column: from A1 it cannot reach B2."),
        ("A2-A4", "reach", "An Oin moves one space along its row or column, or jumps"),
        ("C2-D4", "reach", "A Duo slides only in straight lines, along its row or column: from C2 it cannot reach D4."),
        ("B1-D4", "reach", "A Teth slides"),
        ("C2-C2", "reach", "on C2 already"),
        ("C2-C5", "blocked", "The way from C2 to C5 is blocked: C3 holds a Duo of Green."),
        ("b1xb4", "notation", "Write this move B1xB4."),
        ("B1+B5", "blocked", "B4 holds an Oin of Green"),
        ("A2+A1", "own-rigant", "Your Rigant is on A1"),
        ("B1+A1", "own-rigant", "Your Rigant is on A1"),
        ("A1+A2", "rigant-joins", "The Rigant joins no stack: A2 holds your Oin."),
        ("A1+B1", "rigant-joins", "B1 holds your Teth"),
        ("B5-B6=D", "promotion", "Only a single disk is promoted, not a Duo."),
        ("D4-D5=D", "promotion", "promoted in column 8, not on D5"),
        ("A2+B1=D", "reach", "A2"),
        ("A2>1@A3", "single", "The Oin on A2 is a single piece"),
        ("A1>R@A3", "single", "The Rigant on A1"),
        ("C2>1@B2,1@B2", "same-space", "different space"),
        ("C2>1@D4", "reach", "D4 is not next to C2"),
        ("C2>1@B1", "reach", "B1 is not next to C2"),
        ("C2>1@C3", "occupied", "C3 holds a Duo of Green: parts go to empty spaces only."),
        ("C2>2@B2", "nothing-stays", "has 2 disks: something must stay when 2 disks leave"),
        ("C2>1@B2,1@C1", "nothing-stays", "something must stay"),
        ("C2>5@B2", "nothing-stays", "5 disks"),
        ("C2>6@B2", "notation", "no move"),
        ("C2>R@B2", "rigant-part", "The Duo on C2 is without the Rigant"),
        ("C2>1@C1,1@B2", "nothing-stays", "something must stay"),
        ("B1>1@C1,1@B2", "notation", "Write this move B1>1@B2,1@C1."),
        ("C2>1@B2=D", "promotion", "in column 8, not on B2"),
        ("B1>2@B2=D", "promotion", "not a Duo"),
    ],
)
def test_refusals_say_why(action: str, code: str, words: str) -> None:
    state = position(CROWD)
    assert_refused(GAME, state, 1, action, code, words)


@pytest.mark.parametrize(
    ("stacks_", "stacking", "quen", "action", "code", "words"),
    [
        ("Y3@B2 Y2@B3 YR@D1", 0, 0, "B2+B3", "too-high", "The Teth and the Duo would be 5 high: 4 is the most."),
        ("Y3@B2 Y3@B3 YR@D1", 0, 1, "B2+B3", "too-high", "would be 6 high: 5 is the most"),
        ("YR2@B2 Y2@B3", 1, 0, "B2+B3", "too-high", "The Teth with the Rigant and the Duo would be 5 high"),
        ("YR2@B2 Y1@B3", 1, 0, "B3+B2", "own-rigant", "Your Rigant is on B2"),
        ("YR2@B2", 1, 0, "B2>R@B3,R@A2", "rigant-part", "but one Rigant"),
        ("YR2@B2", 1, 0, "B2>R2@B3", "nothing-stays", "2 disks and the Rigant"),
        ("YR2@B2", 1, 0, "B2>3@B3", "nothing-stays", "2 disks and the Rigant"),
        ("YR1@B7", 1, 0, "B7>R@B8=D", "promotion", "not a Rigant"),
        ("YR1@B7", 1, 0, "B7-B8=D", "promotion", "not a Duo with the Rigant"),
        ("Y4@B2 YR@D1", 0, 0, "B2-C5", "reach", "A Peth slides"),
        ("Y5@B2 YR@D1", 0, 1, "B2-D5", "reach", "up to three spaces diagonally"),
        ("Y5@A2 G1@B3 YR@D1", 0, 1, "A2-D5", "blocked", "B3 holds an Oin of Green"),
        ("Y4@B8 YR@D1", 0, 0, "B8>1@B7", "back-column", "B8 is in the opponent's back column"),
        ("Y3@B2 Y3@B3 Y3@B4 Y1@C7 YR@D1", 0, 0, "C7-C8=D", "no-reserve", "All your 10 disks are on the board"),
        ("Y3@B2 Y3@B3 Y2@B4 Y2@C7 YR@D1", 0, 0, "C7>1@C8=D", "no-reserve", "All your 10 disks"),
        ("Y1@C7 Y1@C8 YR@D1", 0, 0, "C7+C8=D", "promotion", "A disk that joins the Oin on C8 is not promoted."),
    ],
)
def test_refusals_of_rarer_cases(stacks_: str, stacking: int, quen: int, action: str, code: str, words: str) -> None:
    state = position(f"{stacks_} GR@D8 G1@A8", stacking=stacking, quen=quen)
    assert_refused(GAME, state, 1, action, code, words)


# Notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("a2a3", "A2-A3"),
        (" A2 - a3 ", "A2-A3"),
        ("a2xa3", "A2-A3"),
        ("a2 to a3", "A2-A3"),
        ("c2c3", "C2xC3"),
        ("c2-c3", "C2xC3"),
        ("c2*c3", "C2xC3"),
        ("c2+c3", "C2xC3"),
        ("a2 b1", "A2+B1"),
        ("c7c8d", "C7-C8=D"),
        ("c7-c8 = d", "C7-C8=D"),
        ("c7 c8=duo", "C7-C8=D"),
        ("b1>1@b2", "B1>1@B2"),
        ("b1 1b2", "B1>1@B2"),
        ("b11b2", "B1>1@B2"),
        ("b1>1@c1, 1@b2", "B1>1@B2,1@C1"),
        ("b1 1c1 1b2", "B1>1@B2,1@C1"),
        ("b1>ra2", "B1>R@A2"),
        ("b1 > r1 @ a2 ; 1@b2", "B1>R1@A2,1@B2"),
        ("b7>1@b8=d", "B7>1@B8=D"),
        ("b7 1b8d 1a7", "B7>1@A7,1@B8=D"),
        ("FIRST2", "first 2"),
        (" Resign", "resign"),
    ],
)
def test_parsing_is_lenient(text: str, action: str) -> None:
    assert GAME.parse(position(CROWD), text) == action


@pytest.mark.parametrize(
    "text", ["", "a2", "a9a3", "e1e2", "b1>b2", "b1>", "b1>0@b2", "a2=a3", "a2a3=e", "b1>" + "1@b2," * 9, "x" * 501]
)
def test_parsing_refuses_other_text(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(start(), text)


@pytest.mark.parametrize(
    ("text", "space"), [("a9", "A9"), ("a2 A10", "A10"), ("a2xe2", "E2"), ("a0a2", "A0"), ("b1>1@b2,1@b9", "B9")]
)
def test_a_space_that_does_not_exist_is_named_with_those_that_do(text: str, space: str) -> None:
    with pytest.raises(NotationError, match=f"not a move: there is no space {space}; rows are A-D, columns are 1-8"):
        GAME.parse(start(), text)


@pytest.mark.parametrize("text", ["b1>6@b2", "a2x9", "b1>r6@b2", "hello", "say e9"])
def test_where_all_spaces_exist_the_hint_is_how_moves_are_written(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move: a move is written A2-A3"):
        GAME.parse(start(), text)


@given(st.text(alphabet="abcd12378ABD>@,-+x=DRr ", max_size=16), st.sampled_from(["start", CROWD]))
def test_parsing_is_canonical_and_refusing_exact_for_any_text(text: str, where: str) -> None:
    state = start() if where == "start" else position(where)
    assert_read_exactly(GAME, state, 1, text)


# Stories


@pytest.mark.parametrize(
    ("action", "text", "places"),
    [
        ("C2xC3", "Yellow moves a Duo from C2 to C3 and captures a Duo.", ("C2", "C3")),
        ("D4-D5", "Yellow moves an Oin from D4 to D5.", ("D4", "D5")),
        ("B5xB4", "Yellow moves a Duo from B5 to B4 and captures an Oin.", ("B5", "B4")),
        ("D4+C2", "Yellow moves an Oin from D4 onto the Duo on C2, making a Teth.", ("D4", "C2")),
        (
            "B1>1@B2,1@C1",
            "Yellow divides the Teth on B1: an Oin goes to B2, an Oin goes to C1, an Oin stays.",
            ("B1", "B2", "C1"),
        ),
    ],
)
def test_stories(action: str, text: str, places: tuple[str, ...]) -> None:
    state = position(CROWD)
    assert action in GAME.legal(state, 1)
    assert GAME.story(state, 1, action) == (Event(text, places, takes=(2,) * ("x" in action)),)


def test_stories_of_beginning_and_ending() -> None:
    fresh = GAME.start({}, 2)
    assert sentences(GAME, fresh, CHANCE, "first 2") == ["Green begins."]
    assert sentences(GAME, fresh, 1, "resign") == ["Yellow resigns.", "Green wins."]
    assert sentences(GAME, fresh, CHANCE, "draw") == ["The game is drawn by agreement."]
    assert sentences(GAME, start(turn_limit=1), 1, "A2-A3")[-1] == "The game is drawn: the limit of 1 moves is reached."
    state = position("Y1@C7 GR@C8 YR@D1 G4@A1")
    assert sentences(GAME, state, 1, "C7xC8=D") == [
        "Yellow moves an Oin from C7 to C8, captures the Rigant and promotes to a Duo.",
        "Yellow wins: Green's Rigant is captured.",
    ]
    state = position("YR@B2 Y1@D2 GR@D8 G2@B3")
    assert sentences(GAME, state, 1, "B2xB3")[-1] == "Yellow wins: Green's last disk is captured."
    state = play(start(repetition=3), *(["A2-A3", "A7-A6", "A3-A2", "A6-A7"] * 2)[:-1])
    assert sentences(GAME, state, 2, "A6-A7")[-1] == "The game is drawn: this position has occurred three times."


def test_stories_of_promotion() -> None:
    state = position(f"Y1@C7 Y2@B7{REST}")
    assert sentences(GAME, state, 1, "C7-C8=D") == ["Yellow moves an Oin from C7 to C8 and promotes it to a Duo."]
    told = "Yellow divides the Duo on B7: an Oin goes to B8 and becomes a Duo, an Oin stays."
    assert sentences(GAME, state, 1, "B7>1@B8=D") == [told]


def test_a_story_of_a_rigant_in_a_stack() -> None:
    state = position("YR2@B2 GR@D8 G1@A8", stacking=1)
    assert sentences(GAME, state, 1, "B2>R@A2") == [
        "Yellow divides the Teth with the Rigant on B2: the Rigant goes to A2, a Duo stays."
    ]


# Worth


def test_worth_goes_by_disks_then_by_steps() -> None:
    state = position(f"Y1@B2 G2@B3{REST}")
    assert GAME.worth(play(state, "B2xB3"), 1) > GAME.worth(play(state, "B2-B1"), 1)
    assert GAME.worth(play(state, "B2-C4"), 1) > GAME.worth(play(state, "B2-C2"), 1)
    assert GAME.worth(start(), 1) == 0 == GAME.worth(GAME.apply(start(), CHANCE, "draw"), 1)
    won = play(position("Y1@C7 GR@C8 YR@D1 G4@A1"), "C7xC8")
    assert GAME.worth(won, 1) == -GAME.worth(won, 2) > GAME.worth(state, 1) == -GAME.worth(state, 2)
