"""The boards: golden pictures of both games, and positions read back from the picture, so that nothing is lost."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fake_table import FakeTable
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, OptionValue, Over, Turn, all_games
from engine.games import fidchess, kingamon
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import Look, beside, row, text_of, view_of, wrap
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.text.palettes import PALETTES, rules
from p2p_stonehenge.text.widths import cells

PICTURES = Path(__file__).parent / "boards"
GAMES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "fidchess": (
        {"first": 1, "rigant_stacking": True},
        ("A1+A2", "C7-B5", "C2+C1", "B5-C3", "C1xC3", "D8+D7", "B1>2@C1"),
    ),
    "kingamon": (
        {"first": 1, "cube": True, "safe_spaces": True},
        ("6-6", "6/12", "6/12", "5-5", "Kbar/5", "5/10", "4-2", "10/12", "2/6", "double", "take", "6-2", "bar/24"),
    ),
}
LOOKS = {
    "full": Look(),
    "full, in ASCII, turned round": Look(charset="ascii", flip=True),
    "compact": Look(width=50, height=12),
    "compact, in ASCII": Look(width=50, height=12, charset="ascii"),
}


def tables(key: str) -> dict[str, FakeTable]:
    options, actions = GAMES[key]
    return {
        "start": FakeTable(key, **options),
        "in play": FakeTable(key, **options).replay(*actions[: 7 if key == "fidchess" else 11]),
    }


def shown(table: FakeTable, look: Look) -> list[list[tuple[str, str]]]:
    console = Console(table, Settings(), look.charset)
    looked = console.drawing.look(look.width, look.height)._replace(flip=look.flip)
    return view_of(table.game.key).render(table.state, looked)


def pictures(key: str) -> str:
    """Every golden picture of a game; as a script with `tests/client` on its path this file writes them."""
    parts = []
    for when, table in tables(key).items():
        for name, look in LOOKS.items():
            lines = "\n".join(text_of(line).rstrip() for line in shown(table, look))
            parts.append(f"== {when}, {name}\n{lines}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("key", GAMES)
def test_the_boards_look_as_they_did(key: str) -> None:
    assert pictures(key) == (PICTURES / f"{key}.txt").read_text("utf-8")


@pytest.mark.parametrize("key", GAMES)
def test_every_style_of_a_board_has_a_colour_or_none_by_intent(key: str) -> None:
    used = {
        name
        for table in tables(key).values()
        for look in LOOKS.values()
        for line in shown(table, look)
        for style, _ in line
        for name in style.replace("class:", "").split()
    }
    assert {"dim", "frame", "title", "mark-last"} & used
    for palette in ("dark", "light"):
        assert used <= set(rules(palette))
    assert not any("#" in style for style in PALETTES["mono"].values())


def wander(key: str, random: Random, plies: int, **options: OptionValue) -> Any:
    """A position that some chance moves lead to."""
    game = all_games()[key]
    state = game.start(options, 2)
    for _ in range(plies):
        due = game.pending(state)
        if isinstance(due, Over):
            break
        actor = due.seat if isinstance(due, Turn) else CHANCE
        state = game.apply(state, actor, random.choice(game.legal(state, actor)))
    return state


CELL = re.compile(r"(?:([YG])(\d?)(R?)|[·.])")


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(0, 120), st.booleans(), st.booleans(), st.sampled_from([40, 80]))
def test_a_fidchess_board_can_be_read_back(random: Random, plies: int, stack: bool, flip: bool, width: int) -> None:
    state = wander("fidchess", random, plies, rigant_stacking=stack, quen=stack)
    look = Look(width=width, charset=random.choice(["unicode", "ascii"]), flip=flip, last=("A1", "B2"), viewer=2)
    lines = [text_of(line) for line in view_of("fidchess").render(state, look)]
    assert len(lines) <= look.height
    assert max(map(cells, lines)) <= width
    assert look.charset == "unicode" or all(map(str.isascii, lines))
    rows = re.findall("[A-D]", lines[0])[:4]
    found = {}
    for line in lines:
        if column := re.match(r" ([1-8]) ", line):
            read = CELL.findall(line[3:])[:4]
            for name, (owner, count, rigant) in zip(rows, read, strict=True):
                byte = " YG".index(owner) * 16 + int(count or 0) + 8 * bool(rigant) if owner else 0
                found[name + column[1]] = byte
    assert bytes(found[r + c] for r in "ABCD" for c in "12345678") == state.cells


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(0, 300), st.booleans(), st.booleans())
def test_a_compact_kingamon_board_can_be_read_back(random: Random, plies: int, flip: bool, bar: bool) -> None:
    options: dict[str, OptionValue] = {"quick": True, "captured_king": "bar"} if bar else {}
    state = wander("kingamon", random, plies, **options)
    look = Look(width=50, height=12, charset="ascii", flip=flip, last=("3",))
    lines = [text_of(line) for line in view_of("kingamon").render(state, look)]
    assert len(lines) <= look.height
    assert max(map(cells, lines)) <= look.width
    white, red = bytearray(31), bytearray(31)
    for labels, pieces in zip(lines[:6:2], lines[1:6:2], strict=True):
        for place in re.finditer(r"\*?(\d+)", labels):
            text = pieces.ljust(60)[place.end() - 4 : place.end()].strip()
            assert place[0].startswith("*") == (place[1] == "3")
            if text not in (".", "+"):
                ((owner, king, count),) = re.findall(r"^([WR])(K?)(\d*)$", text)
                side, way = (white, int(place[1])) if owner == "W" else (red, 30 - int(place[1]))
                side[way] = int(count or 0) + 16 * bool(king)
    for side, true in ((white, state.white), (red, state.red)):
        assert side[1:30] == true[1:30]


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(0, 300), st.booleans())
def test_a_full_kingamon_board_shows_every_piece(random: Random, plies: int, safe: bool) -> None:
    state = wander("kingamon", random, plies, safe_spaces=safe, cube=True)
    lines = [text_of(line) for line in view_of("kingamon").render(state, Look(names=("anna", "ben")))]
    assert len(lines) <= 21
    assert max(map(cells, lines)) <= 80
    for labels, edge in ((lines[0], range(2, 7)), (lines[14], range(12, 7, -1))):
        for place in re.finditer(r"\d+", labels[:58]):
            column = [lines[number][place.end() - 3 : place.end()].strip() for number in edge]
            pieces = [piece for piece in column if piece and piece not in "·+"]
            space = int(place[0])
            held = ((state.white[space], "W"), (state.red[30 - space], "R"))
            assert "".join(pieces).count("K") == sum(byte >= 16 for byte, _ in held)
            number = sum((byte & 15) + (byte >= 16) for byte, _ in held)
            if pieces and pieces[-1].isdigit():
                assert int(pieces[-1]) == number
            elif number <= 5:
                assert len(pieces) == number
            for byte, letter in held:
                assert any(piece[0] == letter for piece in pieces) == (byte > 0)


def test_a_number_over_a_high_pile_of_kingamon_is_explained() -> None:
    table = FakeTable("kingamon", first=1)
    white = bytearray(table.now.white)
    assert not any("pieces there" in text_of(line) for line in shown(table, Look()))
    white[23] = 6
    table.now = table.now._replace(white=bytes(white))
    lines = [text_of(line) for line in shown(table, Look())]
    assert any(line.endswith("6: 6 pieces there") for line in lines), lines
    assert len(lines) == 16


def test_the_board_of_fidchess_says_what_stacks_are_called() -> None:
    told = "Y1 Oin, Y2 Duo, Y3 Teth, Y4 Peth"
    usual, higher = FakeTable("fidchess", first=1), FakeTable("fidchess", first=1, quen=True)
    assert picture(usual).endswith(f"   {told}")
    assert picture(higher).endswith(f"   {told}, Y5 Quen")
    assert "Oin" not in "".join(text_of(line) for line in shown(usual, Look(width=80, height=15))), "no room"


def test_stacks_with_the_rigant_are_told_apart() -> None:
    table = FakeTable("fidchess", first=1, rigant_stacking=True)
    assert "YR " in picture(table)
    table.replay("A1+A2", "A7-A6", "A2+B2")
    assert "Y2R" in picture(table)
    assert view_of("fidchess").look_at(table.state, "b2", 0) == "B2 holds Yellow's Teth with the Rigant, 2 disks."


def test_everybody_sits_at_the_bottom_of_the_board() -> None:
    for key in GAMES:
        state = all_games()[key].start({"first": 1}, 2)
        for seat in (1, 2):
            for flip in (False, True):
                look = Look(viewer=seat, flip=flip, names=("anna", "ben"))
                seen = "\n".join(text_of(line) for line in view_of(key).render(state, look))
                below = ("anna", "ben")[seat - 1 if not flip else 2 - seat]
                assert seen.rindex(below) == max(seen.rindex("anna"), seen.rindex("ben"))


def test_the_last_turn_that_moved_is_marked() -> None:
    table = FakeTable("kingamon", first=1, cube=True).replay("6-5", "3/9", "3/8", "roll")
    assert set(Console(table, Settings(), "ascii").drawing.look(80, 21).last) == {"3", "8", "9"}


def test_it_is_clear_which_spaces_and_whose_bar_the_last_turn_touched() -> None:
    """A star beside a number of two digits belonged to either neighbour."""
    table = FakeTable("kingamon", people=(1,), first=1).replay("6-5", "6/12", "6/11", "1-2")
    lines = picture(FakeTable("kingamon", people=(1,), first=1).replay("6-5", "6/12", "6/11")).splitlines()
    stars = [at for at, sign in enumerate(lines[1]) if sign == "*"]
    assert [lines[0][at - 1 : at + 1].strip() for at in stars] == ["12", "11", "6"]
    table.replay("Kbar/29", "K29/27")
    above, below = (line for line in picture(table).splitlines() if line[1:2] in "┌└")
    assert above.count("*") == 0, "White's side and White's bar"
    assert [picture(table).splitlines()[-2][at - 1 : at + 1] for at, sign in enumerate(below) if sign == "*"] == [
        "BA",
        "27",
        "29",
    ]


def picture(table: FakeTable) -> str:
    return "\n".join(text_of(line) for line in shown(table, Look()))


def test_what_a_place_holds_in_words() -> None:
    look = view_of("fidchess").look_at
    state = fidchess.GAME.start({"first": 1}, 2)
    assert look(state, "b1", 0) == "B1 holds Yellow's Teth, 3 disks."
    assert look(state, "A8", 0) == "A8 holds Green's Rigant."
    assert look(state, "c4", 0) == "C4 is empty."
    assert look(state, "E9", 0).startswith("There is no space E9")
    look, spaces = view_of("kingamon").look_at, kingamon.GAME.start({"first": 1}, 2)
    assert look(spaces, "2", 0) == "Space 2 holds 2 disks of White."
    assert look(spaces, "12", 0) == "Space 12 is empty. One side only may stand here."
    assert look(spaces, "bar", 0) == "The bar: White the king; Red the king."
    assert look(spaces, "30", 0).startswith("There is no space 30")


@pytest.mark.parametrize("look", [Look(), Look(charset="ascii"), Look(width=50, height=12)])
def test_the_neutral_spaces_of_kingamon_are_marked_though_pieces_stand_there(look: Look) -> None:
    table = FakeTable("kingamon", first=1).replay("6-6", "6/12", "6/12", "5-3", "Kbar/5", "2/5", "2-1")
    lines = [text_of(line) for line in shown(table, look)]
    if look.width < 80:
        assert "+*12" in lines[0]
        assert "+18" in lines[2]
    else:
        for labels, frame, number in ((0, 1, "12"), (14, 13, "18")):
            assert lines[frame].rindex("+", 0, 20) == lines[labels].index(number)


def test_whole_positions_in_words() -> None:
    assert view_of("fidchess").describe(fidchess.GAME.start({"first": 2}, 2)) == [
        "Yellow: Rigant on A1; Teth on B1; Duo on C1; Oin on A2, B2, C2, D1 and D2.",
        "Green: Rigant on A8; Teth on B8; Duo on C8; Oin on A7, B7, C7, D7 and D8.",
        "Green is to move.",
    ]
    table = FakeTable("kingamon", first=1, cube=True).replay("6-5")
    assert view_of("kingamon").describe(table.state)[0].endswith("2 disks on 6, the king on the bar.")
    assert view_of("kingamon").describe(table.state)[2:] == [
        "The cube shows 1, in the middle.",
        "White has 6 and 5 to play.",
    ]


def test_a_long_line_hangs_under_its_text() -> None:
    lines = wrap(row(("class:dim", "  12  "), "one two three four five"), 20)
    assert [text_of(line) for line in lines] == ["  12  one two three", "      four five"]
    assert wrap([], 20) == [[]]


def test_a_panel_is_cut_to_the_width_that_is_left() -> None:
    assert [text_of(line) for line in beside([row("abc")], [row("日本語"), row("x")], 11)] == ["abc   日本~", "      x"]


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for game in GAMES:
        (PICTURES / f"{game}.txt").write_text(pictures(game), "utf-8")
