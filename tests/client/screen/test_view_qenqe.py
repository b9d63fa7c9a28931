"""The board of Fidchess Qenqe: golden pictures, and positions read back from the picture, so that nothing is lost."""

import re
from pathlib import Path
from random import Random

import pytest
from fake_table import FakeTable
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Over
from engine.games.qenqe import GAME
from engine.games.qenqe.board import SPACES
from engine.games.qenqe.planes import board_of
from engine.games.qenqe.state import Rules, State
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import Look, qenqe, text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.widths import cells

PICTURE = Path(__file__).parent / "boards" / "qenqe.txt"
NAMES = ("anna", "ben", "cleo", "dai", "eve")
LOOKS = {
    "full": Look(),
    "full, as seat 2 sees it": Look(viewer=2),
    "full, in ASCII, turned round": Look(charset="ascii", flip=True),
    "compact": Look(width=70, height=12),
    "compact, narrower": Look(width=50, height=12),
    "compact, narrowest, in ASCII": Look(width=40, height=18, charset="ascii"),
}


def wander(seats: int, seed: int, plies: int, **options: bool) -> tuple[State, Look]:
    """A position that some chance moves lead to, with the look of a table that has come there."""
    rng = Random(seed)
    state = GAME.start({"first": 1, **options}, seats)
    look = Look(names=NAMES[:seats], short_id="7f3a")
    for ply in range(plies):
        if isinstance(GAME.pending(state), Over):
            break
        legal = GAME.legal(state, state.to_move)
        onto = [action for action in legal if "+" in action]
        action = rng.choice(onto if onto and rng.random() < 0.4 else legal)
        last = GAME.story(state, state.to_move, action)[0].places
        look = look._replace(last=last, recent=(*look.recent, (state.to_move, action))[-8:])
        state = GAME.apply(state, state.to_move, action)
        if ply == 20 and seats == 5 and not state.reason:
            state = GAME.apply(state, 2, "resign")
    return state, look


FIVE = (
    "W@A2 w@A30 WWW@B29 W@C30 W@D1 WW@D2 W@D30 B@A5 b@A6 B@A7 BB@B6 B@B7 B@C4 BBB@C7 G@A13 gGGYG@A14 G@B12 G@B13 "
    "GGG@C12 G@C13 y@A19 YYY@B20 Y@C19 YYY@D16 YY@D17 RR@A21 rR@A25 R@B23 RRRWB@B24 R@D24"
)
"""A board with Quens, and Rigants in stacks."""


def five() -> tuple[State, Look]:
    """A table of five at which Blue has resigned and Green is to move."""
    cells = [""] * 120
    for word in FIVE.split():
        stack, space = word.split("@")
        cells[SPACES.index(space)] = stack
    after = tuple(cells)
    rules = Rules(5, 0, 0, rigant_stacking=1, quen=1, elimination=0, left_wins=0, partners=0)
    state = State(after, 3, (1, 3, 4, 5), 44, (), "", (), rules, board_of(after, rules))
    recent = ((1, "D1>2@D2"), (3, "B12>1@B13"), (4, "B19+D18"), (5, "A23-A21"), (1, "B30-B29"))
    return state, Look(names=NAMES, short_id="7f3a", last=("B30", "B29"), recent=recent)


TABLES = {
    "two at the start": wander(2, 0, 0),
    "five in play, with Quens and Rigants in stacks": five(),
}


def shown(state: State, look: Look, like: Look) -> list[str]:
    wanted = like._replace(names=look.names, short_id=look.short_id, last=look.last, recent=look.recent)
    return [text_of(line).rstrip() for line in qenqe.render(state, wanted)]


def pictures() -> str:
    """Every golden picture; as a script with `tests/client` on its path this file writes them."""
    parts = []
    for when, (state, look) in TABLES.items():
        for name, like in LOOKS.items():
            parts.append(f"== {when}, {name}\n" + "\n".join(shown(state, look, like)) + "\n")
    return "\n".join(parts)


def test_the_board_looks_as_it_did() -> None:
    assert pictures() == PICTURE.read_text("utf-8")


def test_every_style_has_a_colour_or_none_by_intent() -> None:
    used = {
        name
        for state, look in TABLES.values()
        for line in qenqe.render(state, look)
        for style, _ in line
        for name in style.replace("class:", "").split()
    }
    assert {"dim", "frame", "title", "mark-last", *(f"side-{colour.lower()}" for colour in GAME.colours)} <= used
    for palette in ("dark", "light"):
        assert used <= set(rules(palette))


HEAD = re.compile(r"    \d[ \d]*")
STACK = re.compile(r"([WBGYR])(\*?)(?:(\d)(\+?)|([WBGYR]*))", re.IGNORECASE)


def spelt(lines: list[str], width: int) -> dict[str, str]:
    """What the picture shows on each space, `width` columns to a space, without the signs of the last move."""
    found = {}
    for number, head in enumerate(lines):
        if HEAD.fullmatch(head):
            below = lines[number + 1 : number + 5]
            for line in below if below[0].startswith(" A ") else lines[number - 4 : number]:
                for at, column in enumerate(head.split()):
                    start = 4 + width * at
                    found[line[1] + column] = re.split(r"[][| ]", line[start : start + width])[0]
    return found


def check_pairs(lines: list[str], state: State) -> None:
    """Assert that a board of two letters to a space shows each stack's owner, and its height or Rigant."""
    found = {}
    for number, head in enumerate(lines):
        if not HEAD.fullmatch(f" {head}"):
            continue
        marked = [int(column) for column in head.split()]
        step = 1 if (marked[1] - marked[0]) % 30 == 2 else -1
        below = lines[number + 1 : number + 5]
        for line in below if below and below[0].startswith(" A ") else lines[number - 4 : number]:
            for at in range(15):
                column = (marked[0] - 1 + step * at) % 30 + 1
                found[f"{line[1]}{column}"] = line.ljust(40)[3 + 2 * at : 5 + 2 * at].strip()
    assert len(found) == 120
    for place, stack in zip(SPACES, state.cells, strict=True):
        if not stack:
            assert found[place] in (".", "·")
            continue
        owned = "WBGYR".index(stack[0].upper()) + 1 in state.playing
        assert found[place][0] == (stack[0].upper() if owned else stack[0].lower())
        sign = "*" if stack[0].islower() else str(len(stack)) if len(stack) > 1 else ""
        assert found[place][1:] == sign


def check(text: str, stack: str, state: State, whole: bool) -> None:
    """Assert that `text` tells all that it should of a stack."""
    assert (text in (".", "·")) == (not stack)
    if stack:
        read = STACK.fullmatch(text)
        assert read, text
        top, star, high, more, below = read.groups("")
        assert (top + below).upper() == stack.upper()[: len(top + below)]
        assert bool(star) == stack[0].islower()
        assert int(high or len(top + below)) == len(stack)
        mixed = len(set(stack.upper())) > 1
        assert bool(more) == mixed or not high or not whole
        for disk in top + below:
            assert disk.isupper() == ("WBGYR".index(disk.upper()) + 1 in state.playing)


@settings(deadline=None, max_examples=80)
@given(
    st.integers(2, 5),
    st.integers(0, 2**32 - 1),
    st.integers(0, 90),
    st.booleans(),
    st.sampled_from([(80, 5), (79, 4), (64, 4), (63, 3), (50, 3), (49, 2), (40, 2)]),
    st.integers(0, 5),
    st.booleans(),
    st.sampled_from(["unicode", "ascii"]),
)
def test_a_board_can_be_read_back(
    seats: int, seed: int, plies: int, variants: bool, size: tuple[int, int], viewer: int, flip: bool, charset: str
) -> None:
    state, look = wander(seats, seed, plies, rigant_stacking=variants, quen=variants)
    look = look._replace(width=size[0], viewer=min(viewer, seats), flip=flip, charset=charset)
    lines = [text_of(line).rstrip() for line in qenqe.render(state, look)]
    assert len(lines) <= look.height
    assert max(map(cells, lines)) <= look.width
    assert charset == "unicode" or all(map(str.isascii, lines))
    if size[1] == 2:
        check_pairs(lines, state)
        return
    seen = spelt(lines, size[1])
    assert len(seen) == 120
    for place, stack in zip(SPACES, state.cells, strict=True):
        check(seen[place], stack, state, whole=size[1] == 5)


def test_marked_neighbours_have_a_bracket_each() -> None:
    state, look = TABLES["five in play, with Quens and Rigants in stacks"]
    cells = list(state.cells)
    cells[SPACES.index("A10")], cells[SPACES.index("A11")] = "BBBB", "B"
    state, look = state._replace(cells=tuple(cells)), look._replace(last=("A10", "A11"), viewer=1)
    for beside, told in ((look, "[B4] [B]"), (look._replace(last=("A10",)), "[BBBB]B")):
        assert told in "".join(text_of(line) for line in qenqe.render(state, beside)).upper()


def test_what_explains_a_high_stack_stands_there_with_such_a_stack_alone() -> None:
    """A place where the piece taken up can join another one is marked `+W+`, which is no high stack."""

    def told(state: State, look: Look) -> bool:
        return "B5+ five high" in "".join(text_of(line) for line in qenqe.render(state, look))

    start = GAME.start({"first": 1}, 2)
    assert not told(start, Look(viewer=1, origin="B2", targets=("A2", "B1", "C2")))
    state, look = TABLES["five in play, with Quens and Rigants in stacks"]
    high = tuple(name for name, stack in zip(SPACES, state.cells, strict=True) if len(stack) == 5)
    assert told(state, look)
    assert told(state, look._replace(last=high))


def test_the_compact_board_explains_its_signs_where_there_is_room() -> None:
    """Also what `+` means, where it is shown; in a lower window the board comes first."""
    state, look = TABLES["five in play, with Quens and Rigants in stacks"]
    compact = look._replace(width=79, height=13)

    def below(look: Look) -> list[str]:
        return [text_of(line) for line in qenqe.render(state, look)][11:]

    told = [
        "  [ ] last  WB White on Blue  W4 four high  + others below: `look`  * Rigant",
        "  small letters are neutral  a number by a name: own disks",
    ]
    assert below(compact) == told
    assert len(below(compact._replace(height=12))) == 0
    narrower = below(compact._replace(width=50, height=20))
    signs = ["  [ ] last  W3 three high, White on top  * Rigant", "  small letters are neutral", f"  {qenqe._COUNT}"]
    assert narrower[1:] == signs, "no stack is shown with +"
    narrowest = compact._replace(width=40, height=20)
    assert below(narrowest)[1:] == [signs[0].replace("[ ] last  ", ""), *signs[1:]]
    rows = len(qenqe.render(state, narrowest)) - 1
    assert below(narrowest._replace(height=rows))[1:] == [signs[0].replace("[ ] last  ", ""), signs[1]]


def test_large_and_compact_board_write_a_stack_alike() -> None:
    """But for one that is too high for three letters; in fewer columns there is room for two."""
    state = GAME.start({"first": 1}, 2)
    cells = list(state.cells)
    for place, stack in (("A10", "WWB"), ("B10", "BB"), ("C10", "BBBB")):
        cells[SPACES.index(place)] = stack
    state = state._replace(cells=tuple(cells))

    def said(width: int) -> str:
        return "\n".join(text_of(line) for line in qenqe.render(state, Look(width=width, height=13)))

    assert " WWB " in said(70)
    assert " BB " in said(70)
    assert " B4 " in said(70)
    assert "WB White on Blue  W4 four high" in said(70)
    assert " BB " not in said(60)
    assert "W3 three high, White on top" in said(60)


def test_it_fits_a_terminal_of_80_by_24() -> None:
    table = FakeTable("qenqe", first=1)
    console = Console(table, Settings(), "unicode")
    lines = console.board(80, 24 - FURNITURE)
    assert len(lines) <= 21
    assert "FIDCHESS QENQE" in text_of(lines[0])
    assert "(the window is too low)" not in "".join(map(text_of, lines))
    state, look = TABLES["five in play, with Quens and Rigants in stacks"]
    assert len(shown(state, look, Look())) <= 21


@pytest.mark.parametrize(("seats", "middles"), [(2, (1, 16)), (3, (1, 11, 21)), (5, (30, 6, 12, 18, 24))])
def test_everybody_sits_at_the_bottom_of_the_board(seats: int, middles: tuple[int, ...]) -> None:
    state = GAME.start({"first": 1}, seats)
    for seat, middle in (*enumerate(middles, 1), (0, middles[0])):  # who has no seat sees it as the first one does
        for flip in (False, True):
            lines = [text_of(line) for line in qenqe.render(state, Look(viewer=seat, flip=flip))]
            upper, lower = (line.split() for line in lines if HEAD.fullmatch(line))
            assert (upper if flip else lower)[7] == str(middle)


def test_the_ring_is_closed_at_both_ends() -> None:
    for viewer in range(6):
        lines = [text_of(line) for line in qenqe.render(GAME.start({}, 5), Look(viewer=viewer))]
        upper, lower = (list(map(int, line.split())) for line in lines if HEAD.fullmatch(line))
        way = upper + lower[::-1]
        assert all(there == here % 30 + 1 for here, there in zip(way, [*way[1:], way[0]], strict=True))


def test_the_seat_to_move_and_those_who_are_out_are_marked() -> None:
    state = GAME.apply(GAME.start({"first": 1}, 3), 2, "resign")
    lines = [text_of(line).rstrip() for line in qenqe.render(state, Look(names=NAMES[:3], viewer=3))]
    assert " > W  anna                 10 disks" in lines
    assert "   b  ben                  neutral: 10 disks" in lines
    assert "   G  cleo (you)           10 disks" in lines


def test_what_a_place_holds_in_words() -> None:
    state, _ = TABLES["five in play, with Quens and Rigants in stacks"]
    assert qenqe.look_at(state, "a14") == (
        "A14 holds Green's Quen with the Rigant, from the top: the Rigant, Green, Green, Yellow, Green."
    )
    assert qenqe.look_at(state, "d2") == "D2 holds White's Duo, from the top: White, White."
    assert qenqe.look_at(state, "A6") == "A6 holds Blue's neutral Rigant."
    assert qenqe.look_at(state, "A25") == "A25 holds Red's Duo with the Rigant, from the top: the Rigant, Red."
    assert qenqe.look_at(state, "c4") == "C4 holds Blue's neutral Oin."
    assert qenqe.look_at(state, " d30 ") == "D30 holds White's Oin."
    assert qenqe.look_at(state, "D3") == "D3 is empty."
    assert qenqe.look_at(state, "A31") == "There is no space A31: spaces are A1 to D30."


def test_whole_positions_in_words() -> None:
    assert qenqe.describe(GAME.start({"first": 2}, 2)) == [
        "White: Rigant on A1; Duo on B1 and C1; Oin on A2, A30, B2, B30, C2 and C30.",
        "Blue: Rigant on A16; Duo on B16 and C16; Oin on A15, A17, B15, B17, C15 and C17.",
        "Blue is to move.",
    ]
    state, _ = TABLES["five in play, with Quens and Rigants in stacks"]
    told = qenqe.describe(state)
    assert told[1].startswith("Blue (out, neutral): Rigant on A6; ")
    assert "Quen with the Rigant (the Rigant, Green, Green, Yellow, Green) on A14" in told[2]
    assert "Duo with the Rigant on A25" in told[4]
    assert qenqe.describe(GAME.start({}, 2))[-1] == "It is not yet drawn who begins."


def test_layouts_can_be_chosen() -> None:
    state = GAME.start({"first": 1}, 2)
    assert qenqe.VIEW.layouts == ("full", "compact")
    assert len(qenqe.render(state, Look(layout="compact"))) < len(qenqe.render(state, Look(layout="full")))
    assert qenqe.render(state, Look(layout="full")) == qenqe.render(state, Look())
    assert qenqe.ask(state) == "move"


if __name__ == "__main__":
    PICTURE.write_text(pictures(), "utf-8")
