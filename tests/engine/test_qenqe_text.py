"""Fidchess Qenqe as it is written: refusals, notation, stories, worth and states as bytes."""

from typing import Any

import pytest
from checks import assert_read_exactly, assert_refused, sentences
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st
from qenqe_positions import CIRCLE, at, play, position, start

from engine import CHANCE, Event, NotationError
from engine.games.qenqe import GAME

# Refusals

CROWD = "w@A1 WB@B1 W@C1 WWW@A2 WBWW@B5 W@D9 BB@B9 B@C9 b@D11 G@D5 g@B30 W@B29"


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        ("", "notation", "B2-B5"),
        ("hello", "notation", "no move"),
        ("first 1", "notation", "no move"),
        ("A2-A31", "notation", "That is no move: there is no space A31; rows are A-D, columns are 1-30."),
        ("A02-A3", "notation", "no move"),
        ("A" * 10_000, "notation", "no move"),
        ("b5 b4", "notation", "Write this move B5-B4."),
        ("B5xB9", "notation", "Write this move B5+B9."),
        ("D9xC9", "notation", "Write this move D9+C9."),
        ("A2>1@B2,1@A3", "notation", "Write this move A2>1@A3,1@B2."),
        ("A5-A6", "empty", "A5 is empty"),
        ("B9-B10", "not-yours", "The Duo on B9 belongs to Blue."),
        ("B9>1@B10", "not-yours", "belongs to Blue"),
        ("D5-D6", "neutral", "The Oin on D5 is neutral: Green is out."),
        ("A1-C1", "reach", "The Rigant moves one space along its row or column: from A1 it cannot reach C1."),
        ("D9-D12", "reach", "An Oin moves one space"),
        ("B1-C2", "reach", "A Duo slides only in straight lines, along its row or column: from B1 it cannot reach C2."),
        ("A2-C4", "reach", "A Teth slides"),
        ("B5-D7", "reach", "A Peth slides"),
        ("B1-B1", "reach", "on B1 already"),
        ("B5-B15", "blocked", "Both ways round from B5 to B15 are blocked: B9 holds a Duo of Blue and B1 holds a Duo"),
        ("B1-D1", "blocked", "The way from B1 to D1 is blocked: C1 holds an Oin of White."),
        ("C1-C9", "reach", "An Oin moves one space"),
        ("A2+A1", "own-rigant", "Your Rigant is on A1"),
        ("B1+A1", "own-rigant", "Your Rigant is on A1"),
        ("A1+B1", "rigant-joins", "The Rigant joins no stack: B1 holds your Duo."),
        ("B5+B1", "too-high", "The Peth and your Duo would be 6 high: 4 is the most."),
        ("D9>1@D8", "single", "The Oin on D9 is a single piece"),
        ("A1>1@A30", "single", "The Rigant on A1"),
        ("A2>1@A3,1@A3", "same-space", "different space"),
        ("A2>1@B3", "reach", "B3 is not next to A2"),
        ("A2>1@A4", "reach", "A4 is not next to A2"),
        ("B1>1@B30", "occupied", "B30 holds a neutral Rigant of Green: parts go to empty spaces only."),
        ("B1>1@A1", "occupied", "A1 holds a Rigant of White"),
        ("B1>2@B2", "nothing-stays", "The Duo on B1 is 2 high: something must stay when 2 leave."),
        ("A2>2@A3,1@B2", "nothing-stays", "something must stay when 3 leave"),
        ("A2>5@A3", "nothing-stays", "5"),
        ("B5>1@B4", "reveals", "Cut 1 from the top, the stack on B5 (WBWW) would show a disk of Blue:"),
        ("B5>2@B4,1@B6,1@A5", "nothing-stays", "4 high"),
        ("A2>6@A3", "notation", "no move"),
        ("A2>R@A3", "notation", "no move"),
    ],
)
def test_refusals_say_why(action: str, code: str, words: str) -> None:
    state = position(CROWD, seats=3, out=(3,))
    assert_refused(GAME, state, 1, action, code, words)


@pytest.mark.parametrize(
    ("stacks", "flags", "action", "code", "words"),
    [
        ("WWW@B2 WW@B3", {"quen": True, "seats": 2}, "B2-D4", "reach", "A Teth slides"),
        ("WWW@B2 WWW@B3", {"quen": True}, "B2+B3", "too-high", "would be 6 high: 5 is the most"),
        ("WWWWW@B2", {"quen": True}, "B2-D5", "reach", "up to three spaces diagonally"),
        ("WWWWW@A2 B@B3", {"quen": True}, "A2-C4", "blocked", "B3 holds an Oin of Blue"),
        ("wWW@B2 WW@B3", {"rigant_stacking": True}, "B2+B3", "too-high", "The Teth with the Rigant and your Duo"),
        ("wWW@B2 W@B3", {"rigant_stacking": True}, "B3+B2", "own-rigant", "Your Rigant is on B2"),
        ("wBB@B2", {"rigant_stacking": True}, "B2>1@B3", "reveals", "the stack on B2 (W*BB) would show a disk of Blue"),
        ("w@B2", {"rigant_stacking": True}, "B2-D3", "reach", "The Rigant moves one space"),
        ("W@B2 g@B3", {"partners": True, "seats": 4}, "B2xB3", "partner-rigant", "Your partner's Rigant is on B3"),
        ("W@B2 B@B3", {"elimination": True}, "B2+B3", "notation", "Write this move B2xB3."),
        ("w@B2 B@B3", {}, "B2+B3", "notation", "Write this move B2xB3."),
    ],
)
def test_refusals_of_rarer_cases(stacks: str, flags: dict[str, Any], action: str, code: str, words: str) -> None:
    assert_refused(GAME, position(stacks, **flags), 1, action, code, words)


# Notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("a2a3", "A2-A3"),
        (" A2 - a3 ", "A2-A3"),
        ("a2xa3", "A2-A3"),
        ("a2 to a3", "A2-A3"),
        ("b5b9", "B5+B9"),
        ("b5-b9", "B5+B9"),
        ("b5*b9", "B5+B9"),
        ("d9d11", "D9xD11"),
        ("a1 b1", "A1+B1"),
        ("a1-b9", "A1xB9"),
        ("a12b3", "A12-B3"),
        ("a1 2b3", "A1>2@B3"),
        ("a31b3", "A3>1@B3"),
        ("b1>1@b2", "B1>1@B2"),
        ("b1 1b2", "B1>1@B2"),
        ("a2>1@b2,1@a3", "A2>1@A3,1@B2"),
        ("a2 1b2 1a3", "A2>1@A3,1@B2"),
        ("a2>1b21a3", "A2>1@A3,1@B2"),
        ("a2 > 1 @ b2 ; 1@a3", "A2>1@A3,1@B2"),
        ("b5>2@b6,1@b4", "B5>2@B6,1@B4"),
        ("b5>2@b4,1@b6", "B5>2@B4,1@B6"),
        ("b5 1b6 2b4", "B5>1@B6,2@B4"),
        ("FIRST2", "first 2"),
        (" Resign", "resign"),
    ],
)
def test_parsing_is_lenient(text: str, action: str) -> None:
    assert GAME.parse(position(CROWD, seats=3, out=(3,)), text) == action


@pytest.mark.parametrize(
    "text",
    ["", "a2", "a40a2", "a0a2", "e1e2", "b1>b2", "b1>", "b1>0@b2", "a2=a3", "a2a3=d", "b1>" + "1@b2," * 9, "x" * 501],
)
def test_parsing_refuses_other_text(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(start(), text)


@pytest.mark.parametrize(("text", "space"), [("b2-e5", "E5"), ("a30 a40", "A40"), ("b1>1@b31", "B31")])
def test_a_space_that_does_not_exist_is_named_with_those_that_do(text: str, space: str) -> None:
    with pytest.raises(NotationError, match=f"not a move: there is no space {space}; rows are A-D, columns are 1-30"):
        GAME.parse(start(), text)


@given(st.text(alphabet="abcd12359ABD>@,-+x ", max_size=16), st.sampled_from(["", CROWD]))
def test_parsing_is_canonical_and_refusing_exact_for_any_text(text: str, where: str) -> None:
    state = position(where, seats=3, out=(3,)) if where else start()
    assert_read_exactly(GAME, state, 1, text)


@settings(deadline=None, max_examples=100 * MORE)
@given(st.data())
def test_every_way_to_write_a_division_is_read(data: st.DataObject) -> None:
    """Each lawful order of cuts and spaces is read as the listed move that has the same result."""
    stack = "W" + data.draw(st.text("WWBG", min_size=1, max_size=4))
    state = position(f"{stack}@B30", seats=3, quen=True)
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    spaces = data.draw(st.permutations(["A30", "B1", "B29", "C30"]))
    text = "B30>" + ",".join(f"{size}@{space}" for size, space in zip(sizes, spaces, strict=False))
    cuts = [sum(sizes[:count]) for count in range(1, len(sizes) + 1)]
    lawful = all(cut < len(stack) and stack[cut] == "W" for cut in cuts)
    action = GAME.parse(state, text)
    assert (action in GAME.legal(state, 1)) == lawful
    if lawful:
        assert action <= text
        parts = [stack[here:there] for here, there in zip([0, *cuts], [*cuts, None], strict=True)]
        assert at(play(state, action), *spaces[: len(sizes)], "B30") == parts


# Stories


@pytest.mark.parametrize(
    ("action", "text", "places"),
    [
        ("B5-B4", "White moves a Peth from B5 to B4.", ("B5", "B4")),
        ("A1-A30", "White moves the Rigant from A1 to A30.", ("A1", "A30")),
        ("C1+B1", "White moves an Oin from C1 onto its Duo on B1, making a Teth (WWB).", ("C1", "B1")),
        ("D9+C9", "White moves an Oin from D9 onto Blue's Oin on C9, making a Duo (WB).", ("D9", "C9")),
        (
            "B5+B9",
            "White moves a Peth from B5 onto Blue's Duo on B9, making a Peth (WWWB); "
            "2 disks at the bottom leave the game.",
            ("B5", "B9"),
        ),
        (
            "B29xB30",
            "White moves an Oin from B29 to B30 and captures Green's neutral Rigant.",
            ("B29", "B30"),
        ),
        (
            "B5>2@B4,1@B6",
            "White divides the Peth on B5: a Duo (WB) goes to B4, an Oin goes to B6, an Oin stays.",
            ("B5", "B4", "B6"),
        ),
    ],
)
def test_stories(action: str, text: str, places: tuple[str, ...]) -> None:
    state = position(CROWD, seats=3, out=(3,))
    assert action in GAME.legal(state, 1)
    assert GAME.story(state, 1, action) == (Event(text, places, takes=(3,) * ("x" in action)),)


def test_stories_of_beginning_and_ending() -> None:
    fresh = GAME.start({}, 3)
    assert sentences(GAME, fresh, CHANCE, "first 2") == ["Blue begins."]
    assert sentences(GAME, fresh, 1, "resign") == ["White resigns: its pieces stay as neutral stacks."]
    assert sentences(GAME, GAME.apply(fresh, 1, "resign"), 2, "resign") == ["Blue resigns.", "Green wins."]
    assert sentences(GAME, start(4, partners=True), 2, "resign") == ["Blue resigns.", "White and Green win."]
    assert sentences(GAME, fresh, CHANCE, "draw") == ["The game is drawn by agreement."]
    assert sentences(GAME, start(turn_limit=1), 1, "A2-A3")[-1] == "The game is drawn: the limit of 1 moves is reached."
    assert sentences(GAME, position("W@B9 b@B10"), 1, "B9xB10") == [
        "White moves an Oin from B9 to B10 and captures Blue's Rigant.",
        "White wins: Blue's Rigant is captured.",
    ]
    assert sentences(GAME, position("w@B9 BB@B10 W@D1"), 1, "B9xB10") == [
        "White moves the Rigant from B9 to B10 and removes Blue's Duo from the game.",
        "White wins: Blue controls no disk of its own.",
    ]
    state = play(start(repetition=3), *(CIRCLE * 2)[:-1])
    assert sentences(GAME, state, 2, "A18-A17")[-1] == "The game is drawn: this position has occurred three times."


def test_stories_of_a_rigant_in_a_stack() -> None:
    state = position("wWB@B9 W@C9 bBBB@C11", rigant_stacking=True)
    assert sentences(GAME, state, 1, "B9>1@A9") == [
        "White divides the Teth with the Rigant on B9: the Rigant goes to A9, a Duo (WB) stays."
    ]
    told = "White moves a Teth with the Rigant from B9 onto Blue's Peth with the Rigant on C11"
    assert sentences(GAME, state, 1, "B9xC11")[0] == (
        f"{told}, making a Peth with the Rigant (W*WBB); the Rigant leaves the game; "
        "2 disks at the bottom leave the game."
    )


# Worth


def test_worth_goes_by_disks_under_control() -> None:
    state = position("WW@B9 BB@B10 B@D1 W@D3")
    assert GAME.worth(play(state, "B9+B10"), 1) > GAME.worth(play(state, "B9-B8"), 1)
    assert GAME.worth(start(), 1) == 0 == GAME.worth(GAME.apply(start(), CHANCE, "draw"), 1)
    lost = play(position("W@B9 b@B10", seats=5), "B9xB10")
    assert GAME.worth(lost, 1) == -GAME.worth(lost, 2) == -GAME.worth(lost, 5) > GAME.worth(play(state, "B9+B10"), 1)


def test_worth_of_partners_is_that_of_the_team() -> None:
    state = position("WW@B9 BB@B10 B@D1", seats=4, partners=True)
    after = play(state, "B9+B10")
    assert GAME.worth(after, 1) == GAME.worth(after, 3) > GAME.worth(state, 1)
    assert GAME.worth(after, 2) == GAME.worth(after, 4) == -GAME.worth(after, 1)
