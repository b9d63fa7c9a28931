"""The boards of Fidchell: golden pictures, and positions read back from every form of the picture."""

import re
from math import atan2, pi
from pathlib import Path
from random import Random

import pytest
from at_a_board import board, console
from fake_table import FakeTable
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, OptionValue, Over, Turn
from engine.games.fidchell import GAME, State
from p2p_stonehenge.screen.views import Look, text_of, view_of
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.widths import cells

PICTURE = Path(__file__).parent / "boards" / "fidchell.txt"
VIEW = view_of("fidchell")
MARKS = {"·": 1, "∘": 0, ".": 1, ":": 0}
"""The marks of empty fields, by whether their circle is odd."""


def start(seats: int = 2, **options: OptionValue) -> State:
    return GAME.start({"first": 1, **options}, seats)


def play(state: State, *actions: str) -> State:
    for action in actions:
        due = GAME.pending(state)
        assert isinstance(due, Turn)
        assert GAME.refuse(state, due.seat, action) is None, action
        state = GAME.apply(state, due.seat, action)
    return state


def in_play() -> State:
    state = play(start(3), "5D4", "6B4", "1A7", "5D5", "1B7", "2C1", "5D6", "6C2")
    return GAME.apply(state, 2, "resign")


LOOKS = {
    "round": Look(last=("6C2", "5D5"), recent=((1, "5D6"), (2, "6C2")), names=("anna", "ben", "cleo"), viewer=1),
    "round, in ASCII, turned round": Look(charset="ascii", flip=True, short_id="7f3a"),
    "large": Look(width=120, height=37, last=("1A7",)),
    "compact": Look(layout="compact", last=("1A7", "1B7", "5D5"), recent=((1, "5D6"), (2, "6C2"))),
    "compact, in ASCII, narrow, turned round": Look(width=50, height=12, charset="ascii", flip=True),
}


def pictures() -> str:
    """Every golden picture; as a script with `tests/client` on its path this file writes them."""
    parts = []
    for name, look in LOOKS.items():
        lines = "\n".join(text_of(line).rstrip() for line in VIEW.render(in_play(), look))
        parts.append(f"== {name}\n{lines}\n")
    return "\n".join(parts)


def test_the_boards_look_as_they_did() -> None:
    assert pictures() == PICTURE.read_text("utf-8")


def test_every_style_has_a_colour() -> None:
    lines = [line for look in LOOKS.values() for line in VIEW.render(in_play(), look)]
    used = {name for line in lines for style, _ in line for name in style.replace("class:", "").split()}
    assert {"side-red", "side-blue", "dim", "frame", "title", "mark-last"} <= used
    assert used <= set(rules("dark"))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_round_board_leaves_room_for_prompt_and_status_on_80_by_24(seats: int) -> None:
    lines = [text_of(line) for line in VIEW.render(start(seats), Look(names=("anna" * 9,) * seats))]
    assert len(lines) <= 21
    assert max(map(cells, lines)) <= 80
    assert any(re.fullmatch(r"5C .* K .* 2C.*", line) for line in lines), "the king is in the middle"


SIZES = [Look(), Look(width=120, height=37), Look(layout="compact"), Look(width=50, height=12)]


@st.composite
def positions(draw: st.DrawFn) -> State:
    """A position that some random moves lead to."""
    layout, sections = draw(st.sampled_from([("53035", 6), ("0", 6), ("3303", 9), ("535035535", 12)]))
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    state = start(draw(st.sampled_from([2, 3])), layout=layout, sections=sections, pieces=10)
    for _ in range(draw(st.integers(0, 120))):
        due = GAME.pending(state)
        if isinstance(due, Over):
            break
        actor = due.seat if isinstance(due, Turn) else CHANCE
        action = rng.choice(GAME.legal(state, actor)) if rng.random() > 0.01 else "resign"
        state = GAME.apply(state, actor, action)
    return state


@settings(deadline=None, max_examples=60)
@given(positions(), st.sampled_from(SIZES), st.sampled_from(["unicode", "ascii"]), st.booleans(), st.randoms())
def test_a_board_can_be_read_back(state: State, look: Look, charset: str, flip: bool, random: Random) -> None:
    last = tuple(random.sample(state.rules.board.names, 3))
    look = look._replace(charset=charset, flip=flip, last=last)
    lines = VIEW.render(state, look)
    texts = [text_of(line) for line in lines]
    assert max(map(cells, texts)) <= look.width
    assert charset == "unicode" or all(map(str.isascii, texts))
    for seat in state.playing:
        down, hand = state.men[seat - 1].bit_count(), state.hands[seat - 1]
        assert any(f"{down} down, {hand} in hand" in text or f" {down}+{hand}" in text for text in texts)
    if any(re.match(r" [1-7] ", text) for text in texts):
        read = read_blocks(texts)
    elif any(re.match(r"[1-7] ", text) for text in texts):
        read = read_tight(texts, state, flip)
    else:
        read = read_round(state, texts, flip)
    for field, name in enumerate(state.rules.board.names):
        text = read[name]
        owner = next((seat for seat, men in enumerate(state.men, 1) if men >> field & 1), 0)
        if owner:
            letter = "RGB"[owner - 1]
            stays = owner in state.playing or len(state.men) == 2
            assert text == (letter if stays else letter.lower())
        else:
            assert MARKS[text] == int(name[-1]) % 2
    bracketed = {text for line in lines for style, text in line if "last" in style}
    assert bracketed, "the last move is marked"


def read_blocks(texts: list[str]) -> dict[str, str]:
    """Read circles as lines and sections as blocks."""
    found = {}
    sections: list[str] = []
    for text in texts:
        if re.fullmatch(r" +\d[\d ]*", text):
            sections = text.split()
        elif match := re.match(r" ([1-7]) [│|]", text):
            width = (text.rindex(text[3]) - 3) // len(sections)
            for number, section in enumerate(sections):
                block = text[4 + number * width : 3 + (number + 1) * width]
                for place, mark in enumerate(block[1::2]):
                    found[f"{section}{'ABCDEFGHI'[place]}{match[1]}"] = mark
    return found


def read_tight(texts: list[str], state: State, flip: bool) -> dict[str, str]:
    """Read the same with no blank between fields; where no numbers stand above, sections are in order."""
    rows = len(state.rules.layout)
    bands = [text for text in texts if re.fullmatch(r"  [A-I]+( [A-I]+)*", text)]
    counts = [len(text.split()) for text in bands]
    starts = [1 + sum(counts[:at]) for at in range(len(counts))]
    if flip:
        starts = [1 + sum(counts[at + 1 :]) for at in range(len(counts))]
    found = {}
    band = -1
    for number, text in enumerate(texts):
        if text in bands:
            band += 1
            above = texts[number - 1].split()
            if number and all(one.isdecimal() for one in above):
                assert [int(one) for one in above] == [starts[band] + at for at in range(counts[band])]
        elif band >= 0 and (match := re.match(r"([1-7]) ", text)):
            for section in range(counts[band]):
                block = text.ljust(200)[2 + section * (rows + 1) :][:rows]
                for place, mark in enumerate(block):
                    found[f"{starts[band] + section}{'ABCDEFGHI'[place]}{match[1]}"] = mark
    return found


def read_round(state: State, texts: list[str], flip: bool) -> dict[str, str]:
    """Read the round board: every field stands on its circle, in its order round the king, beside the right name."""
    board = {(line, column): mark for line, text in enumerate(texts) for column, mark in enumerate(text)}
    middle = min(key for key, mark in board.items() if mark == "K" and len(set(texts[key[0]][: key[1]])) > 1)
    panel = next(text.index("FIDCHELL") for text in texts if "FIDCHELL" in text)
    points = [
        (line - middle[0], column - middle[1], mark)
        for (line, column), mark in board.items()
        if column < panel and (mark in MARKS or mark in "RGBrgb") and not is_label(texts[line], column)
    ]
    assert len(points) == len(state.rules.board.names)
    found = {}
    by_radius = sorted(points, key=lambda point: -((2.15 * point[0]) ** 2 + point[1] ** 2))
    for circle in state.rules.board.circles:
        ring, by_radius = by_radius[: len(circle)], by_radius[len(circle) :]
        turned = pi if flip else 0.0
        ring.sort(key=lambda point: (atan2(point[1], -2.15 * point[0]) - turned) % (2 * pi))
        for field, (_, _, mark) in zip(circle, ring, strict=True):
            found[state.rules.board.names[field]] = mark
    return found


def is_label(text: str, column: int) -> bool:
    """Whether the letter is the row's in a name such as `12B` around the board."""
    return column > 0 and text[column - 1].isdigit()


def test_boards_of_other_layouts_are_round_where_they_fit() -> None:
    state = play(start(sections=7), "1A7", "4C7", "7E5")
    lines = [text_of(line) for line in VIEW.render(state, Look(width=120, height=37))]
    panel = next(line.index("FIDCHELL") for line in lines if "FIDCHELL" in line)
    board = "".join(line[:panel] for line in lines)
    assert panel > 60
    assert sum(map(board.count, "·∘")) == 161 - 3
    assert (board.count("R"), board.count("G"), board.count("K")) == (2, 1, 1)


def test_names_stand_beside_their_fields() -> None:
    state = play(start(), "1A7", "5C7", "3E7")
    lines = [text_of(line) for line in VIEW.render(state, Look())]
    assert any(re.search(r"5C  G  ", line) for line in lines)
    assert "6E  1A" in lines[0]
    assert lines[0].index("1A") == lines[1].index("R")
    assert lines[-1].index("3E") == lines[-2].index("R")


def test_a_board_that_does_not_fit_is_unrolled() -> None:
    for state in (start(layout="535035535", sections=12), start(layout="70", sections=12)):
        lines = VIEW.render(state, Look())
        assert any(re.match(r" ?7 ", text_of(line)) for line in lines)
        assert len(lines) <= 21, "scores and all sections are in sight"
    low = [text_of(line) for line in VIEW.render(start(), Look(height=20))]
    assert any(line.startswith(" 7 │") for line in low)
    narrow = [text_of(line) for line in VIEW.render(start(), Look(width=30))]
    assert max(map(len, narrow)) <= 30


def test_what_a_place_holds_in_words() -> None:
    state = play(start(), "5D4", "6B4")
    look = VIEW.look_at
    assert look(state, "5 d4", 0) == "5D4 holds a piece of Red. Next to it: 5D5, 5C4, 6B4 (Green) and 5D3."
    assert look(state, "3c1", 0) == "3C1 is empty. Next to it: 3C2, 2C1, 4C1 and the king."
    assert look(state, "k", 0) == "The king stands in the middle, next to 1C1, 2C1, 3C1, 4C1, 5C1 and 6C1."
    assert look(state, "5C0", 0) == look(state, "king", 0)
    assert look(state, "5d2", 0).startswith("There is no field 5d2")
    assert look(state, "", 0).startswith("There is no field")


def test_whole_positions_in_words() -> None:
    assert VIEW.describe(GAME.start({}, 2)) == [
        "Red: no pieces; 27 in hand.",
        "Green: no pieces; 27 in hand.",
        "It is not yet drawn who begins.",
    ]
    assert VIEW.describe(in_play()) == [
        "Red: 3 pieces on 5D4, 5D5 and 5D6; 24 in hand.",
        "Green is out: 3 pieces on 1B7, 6B4 and 6C2, obstacles now.",
        "Blue: 2 pieces on 1A7 and 2C1; 25 in hand.",
        "Blue is to place.",
    ]
    asleep = start(dormant_king=True)
    assert VIEW.describe(asleep)[2] == "The king is asleep: it captures nothing yet."
    assert "asleep" in "".join(text_of(line) for line in VIEW.render(asleep, Look()))


def test_where_two_play_a_seat_that_resigned_has_left_no_obstacles() -> None:
    """The game is over: nobody plays round them."""
    state = play(start(first=1), "5D4", "1B7", "5D5", "resign")
    assert VIEW.describe(state)[1] == "Green: 1 piece on 1B7; 26 in hand."
    for look in (Look(), Look(width=50, height=18)):
        text = "\n".join(map(text_of, VIEW.render(state, look)))
        assert not re.search("obstacles|out|\\bg\\b", text), text


def test_the_prompt_asks_for_a_place_then_for_a_move() -> None:
    state = start(layout="0", sections=4, pieces=7)
    assert VIEW.ask(GAME.start({}, 2)) == "move"
    for circle in (7, 5, 3):
        for section in (1, 3, 2, 4):
            assert VIEW.ask(state) == "place"
            state = play(state, f"{section}A{circle}")
    state = play(state, "1A1", "4A1")
    assert VIEW.ask(state) == "move"


def test_a_capture_is_marked_among_the_moves() -> None:
    table = FakeTable("fidchell", first=1).replay("6D7", "6C7")
    at = console(table)
    assert "x captured" not in board(at)
    actions = table.game.legal(table.state, 1)
    capture = next(one for one in actions if any(event.takes for event in table.game.story(table.state, 1, one)))
    table.act(1, capture)
    assert f"R  {capture} x" in board(at)
    assert "x captured" in board(at)


def test_the_chain_that_won_is_between_braces_and_told_in_words() -> None:
    state = GAME.start({"first": 1}, 2)
    green = iter(("4A7", "4B7", "4D7", "4E7", "3A7", "3B7"))
    for circle in range(7, 0, -1):
        assert "chain" not in " ".join(VIEW.describe(state))
        state = GAME.apply(state, 1, f"1C{circle}")
        if circle > 1:
            state = GAME.apply(state, 2, next(green))
    for layout in ("round", "compact"):
        shown = "\n".join(text_of(line) for line in VIEW.render(state, Look(layout=layout, last=("1C1",))))
        assert shown.count("{R}") == 7
        assert ("{ } the chain" in shown) == (layout == "round")
    assert "Red's chain to the king: 1C7, 1C6, 1C5, 1C4, 1C3, 1C2 and 1C1." in VIEW.describe(state)


def test_the_board_keeps_its_height_when_three_have_played_to_a_chain() -> None:
    """Three players, the chain and the obstacles have their lines beside it: the list of moves gives way."""
    state = GAME.apply(GAME.start({"first": 1}, 3), 1, "1C7")
    state = GAME.apply(GAME.apply(state, 2, "4A7"), 3, "resign")
    for circle, green in zip(range(6, 0, -1), ("4B7", "4D7", "4E7", "3A7", "3B7", ""), strict=True):
        state = GAME.apply(state, 1, f"1C{circle}")
        state = GAME.apply(state, 2, green) if green else state
    recent = tuple((1, f"1C{circle}") for circle in range(7, 0, -1))
    lines = [text_of(line) for line in VIEW.render(state, Look(last=("1C1",), recent=recent))]
    assert len(lines) <= 21
    shown = "\n".join(lines)
    for told in ("{ } the chain", "r g b obstacles", "K king", "R  1C1"):
        assert told in shown


if __name__ == "__main__":
    PICTURE.write_text(pictures(), "utf-8")
