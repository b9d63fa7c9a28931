"""The terminal in windows of other sizes: compact boards, boards in parts, long texts, names and refusals."""

import re
from pathlib import Path
from random import Random

import pytest
from fake_table import FakeTable
from net_tables import NAMES, Room
from window import ENTER, F1, PAGE_DOWN, PAGE_UP, Window, play

from engine import CHANCE, Chance, all_games
from p2p_stonehenge.screen import status
from p2p_stonehenge.screen.commands import commands_at
from p2p_stonehenge.screen.helping import AFTER, help_told
from p2p_stonehenge.screen.status import Spare
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import text_of, wrap
from p2p_stonehenge.table.session import Note
from protocol import Watchers, Watching, draw_locally


def test_a_small_window_gets_the_compact_board() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("├──────┼")
        window.screen.resize(15, 50)
        window.screen.reset()
        table.tell(Note("the window has changed"))
        await window.shows(" 8   GR   G3   G2   G1", "move>", "your turn")
        assert "├──" not in window.text
        window.screen.resize(24, 80)
        window.screen.reset()
        table.tell(Note("again"))
        await window.shows("├──────┼")

    play(table, script)


def test_a_window_that_becomes_narrower_keeps_nothing_of_the_board_before() -> None:
    """A terminal that breaks what was drawn into more rows, as tmux does, left the first of them above the board."""
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        window.screen.resize(40, 120)
        window.screen.reset()
        table.tell(Note("the window is wide"))
        await window.shows("PLAYERS", "├──────┼")
        window.screen.resize(40, 90)
        window.screen.cursor_down(4)  # by as many rows more that stand above the cursor now
        table.tell(Note("the window is narrower"))
        await window.until(lambda: "PLAYERS" not in window.text and "is narrower" in window.text)
        assert window.text.count("A      B      C      D") == 1
        assert window.text.count("- the window is wide") == window.text.count("- the window is narrower") == 1
        assert (
            window.text.index("Fidchess, table 7f3a") < window.text.index("is wide") < window.text.index("is narrower")
        )

    play(table, script)


def test_a_board_that_does_not_fit_the_window_is_shown_in_parts() -> None:
    async def script(window: Window) -> None:
        window.screen.resize(9, 50)
        window.screen.reset()
        table.tell(Note("the window has changed"))
        await window.shows(" 8   GR", "(1-5 of 9 lines: `more` or Page Down)", "move>")
        await window.types(PAGE_DOWN)
        await window.shows(" 1   YR   Y3", "(6-9 of 9 lines: `more` or Page Down)")
        await window.types("more" + ENTER)
        await window.shows(" 8   GR", "(1-5 of 9 lines")
        await window.types(PAGE_UP)
        await window.shows(" 1   YR   Y3")

    table = FakeTable("fidchess", first=1)
    play(table, script)


def test_a_window_that_is_too_narrow_for_any_board_tells_the_position() -> None:
    async def script(window: Window) -> None:
        window.screen.resize(24, 20)
        window.screen.reset()
        table.tell(Note("the window has changed"))
        await window.shows("The window is too", "Yellow: Rigant on")

    table = FakeTable("fidchess", first=1)
    play(table, script)


def test_a_long_name_takes_no_key_out_of_the_status_line() -> None:
    """There are fewer of them, and the name gives way, marked as cut."""
    table = FakeTable("fidchess", first=2)
    table.names = ("anna", "b" * 70)

    async def script(window: Window) -> None:
        await window.until(lambda: re.fullmatch(r" b+~ to move  all here .*F1 help", window.text.splitlines()[-1]))

    play(table, script)


@pytest.mark.parametrize("width", [80, 60])
def test_long_names_do_not_hide_what_the_status_line_says(width: int) -> None:
    """The names give way: what is waited for, and that a draw is offered, is read whole."""
    table = FakeTable("fidchess", first=2)
    table.names = ("anna", "Maximilian-Theodoric-Ben")
    table.draws = {2}

    async def script(window: Window) -> None:
        window.screen.resize(24, width)
        window.screen.reset()
        table.tell(Note("the window has changed"))
        told = r" Maxi\S*~ to move  Maxi\S*~ offers a draw: `draw`( accepts)?( .* F1 help)?"
        await window.until(lambda: re.fullmatch(told, window.text.splitlines()[-1]))

    play(table, script)


class _Dealing(FakeTable):
    """A table at which a player who is missing holds up the deal, and another one wants to go on without."""

    def waiting(self) -> str:
        return "cards shuffled by 3 of 4, waiting for Pink (cara)"

    def to_move(self) -> str:
        return ""

    def proposed(self) -> str:
        return "go on without cara? `agree`"


def test_what_the_player_has_to_type_is_not_cut_from_the_status_line() -> None:
    async def script(window: Window) -> None:
        await window.until(lambda: re.match(r" go on without cara\? `agree`  cards", window.text.splitlines()[-1]))

    play(_Dealing("fidchess", first=2), script)


def test_a_long_refusal_takes_no_line_of_the_board_s_lower_end() -> None:
    table = FakeTable("fidchell", first=1)

    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "4A  3E")
        await window.types("x" * 60 + " is what is typed here, which is not a field of any board" + ENTER)
        await window.shows("is not a move", "4A  3E", "place>")

    play(table, script)


def test_a_long_answer_takes_the_place_of_the_board_until_enter() -> None:
    async def script(window: Window) -> None:
        await window.types(F1)
        await window.shows("Enter shows the board", "quit             leave the table", "moves [FROM]")
        assert "A move is written A2-A3" in window.text, "all of it fits"
        assert "├──" not in window.text
        await window.types(ENTER)
        await window.shows("├──────┼")

    play(FakeTable("fidchess", first=1), script)


def test_what_is_typed_while_a_long_text_stands_brings_the_board_back_and_shows_on_the_prompt() -> None:
    async def script(window: Window) -> None:
        await window.types(F1)
        await window.shows("Enter shows the board", "moves [FROM]")
        await window.types("a2")
        await window.shows("├──────┼", "move> a2")
        assert "Enter shows the board" not in window.text
        assert "moves [FROM]" not in window.text

    play(FakeTable("fidchess", first=1), script)


def test_a_space_turns_the_page_and_ctrl_c_closes_a_long_text() -> None:
    async def script(window: Window) -> None:
        await window.types(F1)
        await window.shows("moves [FROM]")
        await window.types("\x03")
        await window.shows("├──────┼")
        assert "Ctrl-D leaves" not in window.text
        await window.types(F1)
        await window.shows("Enter shows the board")
        await window.types(" ")
        await window.shows("├──────┼")

    play(FakeTable("fidchess", first=1), script)


def test_a_key_that_turns_the_board_round_shows_the_board() -> None:
    async def script(window: Window) -> None:
        await window.types(F1)
        await window.shows("Enter shows the board")
        await window.types("\x1bOS")
        await window.shows("├──────┼")

    play(FakeTable("fidchess", first=1), script)


def test_the_first_line_of_a_text_is_in_sight_however_long_the_text_is() -> None:
    """Also where it fills the window to the last line."""
    table, rng = FakeTable("fidchess", first=1), Random(1)
    while len(table.plies) < 40:
        table.act(table.turn, rng.choice(table.game.legal(table.state, table.turn)))

    async def script(window: Window) -> None:
        for count in range(16, 26):
            first = f"\n{len(table.plies) - count + 1:4}  "
            await window.types(f"log {count}" + ENTER)
            await window.shows("Enter ", first[1:])
            assert first in f"\n{window.text}", count
            await window.types(ENTER * 3)
            await window.until(lambda: "Enter " not in window.text)

    play(table, script)


def test_an_answer_longer_than_the_window_is_read_from_its_first_line_on() -> None:
    """The best move of a hint comes first, and had scrolled away in a low window."""

    async def script(window: Window) -> None:
        window.screen.resize(12, 40)
        window.screen.reset()
        for number in range(3):
            table.tell(Note(f"move {number}: {'it does this and that, ' * 6}as said.", answers=True))
        await window.shows("- move 0: it does this", "(1-", "Enter goes on", "move>")
        assert "move 2:" not in window.text
        await window.types(ENTER)
        await window.shows("- move 2: it does this", "Enter shows the board")
        await window.types(ENTER)
        await window.shows(" 8   GR", "move>")
        assert "move 2:" not in window.text
        table.tell(Note("move 3: short.", answers=True))
        await window.shows("- move 3: short.", " 8   GR")

    table = FakeTable("fidchess", first=1)
    play(table, script)


@pytest.mark.parametrize("key", ["fidchess", "qenqe", "fidchell", "kingamon"])
def test_help_fits_one_page_of_the_usual_window(key: str, tmp_path: Path) -> None:
    """Also at a table of friends, where there are more commands, and spectators may talk; none is left out."""
    seats = 3 if 3 in all_games()[key].seats else 2
    room = Room(tmp_path, key, NAMES[:seats], watching=Watching(Watchers.EVERYBODY, 0, talk=True))
    table = room.tables[1]
    table.stays = True
    lines = [part for line in help_told(table, "", 80, redraws=True) for part in wrap(line, 79)]
    assert len(lines) <= 24 - FURNITURE
    told = " ".join(map(text_of, lines))
    assert told.endswith(AFTER)
    for name in {*commands_at(table)} - {"help", "board"}:
        assert re.search(rf"\b{name}\b", told), name


def test_an_answer_stands_apart_from_the_end_of_the_one_before() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types(F1)
        await window.shows("  quit             leave the table (asks first", "Enter shows the board")
        await window.types("look B2" + ENTER)
        await window.shows("while the game goes on)\n\nB2 holds Yellow's Oin, 1 disk.\n      A      B")
        table.tell(Note("Hint: A2-A3.", answers=True))
        await window.shows("1 disk.\n- Hint: A2-A3.\n      A      B")

    play(table, script)


def test_nothing_of_an_answer_stands_above_the_board_of_another_position() -> None:
    """Neither where another position is looked at, nor behind a move, whose story stands there instead."""
    table = FakeTable("fidchess", first=1).replay("A2-A3", "D7-D6")

    async def script(window: Window) -> None:
        await window.types("position" + ENTER)
        await window.shows("Yellow is to move.\n")
        await window.types("back 1" + ENTER)
        await window.shows("LOOKING BACK: after 1 of 2")
        await window.until(lambda: "is to move" not in window.text)
        await window.types("moves" + ENTER)
        await window.shows("\n  A3  A3-A2  A3-A4")
        assert "LOOKING BACK" not in window.text
        await window.types("A3-A4" + ENTER)
        await window.shows("\n   3  A3-A4    Yellow moves an Oin from A3 to A4.\n      A      B", "ben to move")
        assert not window.text.splitlines()[0].strip(), window.text

    play(table, script)


def test_an_answer_that_is_seen_whole_stays_apart_from_what_happens_then() -> None:
    table = FakeTable("celtic-whist", people=(1, 2), first=1)
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))

    async def script(window: Window) -> None:
        await window.types("look G99" + ENTER)
        await window.shows("\nThere is no card G99 in this round")
        await window.types("bid 1" + ENTER)
        await window.until(lambda: re.search(r"There is no card G99 .*\n\n.* bids 1\.", window.text))

    play(table, script)


class _Timed(FakeTable):
    """A table with a clock, at which the other player is to move."""

    seconds_left, told = 237, "ben left 41 s ago"
    asked: tuple[int, ...] = ()

    def clock(self, seat: int) -> int:
        return 275 if seat == 1 else 237

    def to_move(self) -> str:
        return "Green (ben)"

    def links(self) -> str:
        return self.told

    def asking(self) -> tuple[int, ...]:
        return self.asked


@pytest.mark.parametrize(
    ("width", "told", "draws", "asked", "line"),
    [
        (
            80,
            "ben left 41 s ago",
            set(),
            (),
            " Green (ben) to move, 3 min 57 s left; you 4 min 35 s  ben left 41 s ago",
        ),
        (60, "ben left 41 s ago", set(), (), " Green (ben) to move, 3 min 57 s left  ben left 41 s ago"),
        (40, "ben left 41 s ago", set(), (), " 3 min 57 s left  ben left 41 s ago"),
        (80, "all here", {2}, (), " Green (ben) to move, 3 min 57 s left  ben offers a draw: `draw` accepts"),
        (60, "all here", {2}, (), " Green (ben), 3 min 57 s left  ben offers a draw: `draw`"),
        (60, "all here", set(), (2,), " Green (ben), 3 min 57 s left  ben asks for a take-back"),
        (80, "all here", {2}, (1,), " Green (ben), 3 min 57 s left  ben offers a draw  you ask for a take-back"),
        (80, "all here", {1}, (2,), " Green (ben), 3 min 57 s left  you offer a draw  ben asks for a take-back"),
    ],
)
def test_the_keys_give_way_first_and_then_what_matters_less(
    width: int, told: str, draws: set[int], asked: tuple[int, ...], line: str
) -> None:
    """`ben left`, a draw and a take-back are read whole: they were cut where the line ended."""
    table = _Timed("fidchess", first=2)
    table.told, table.draws, table.asked = told, draws, asked

    async def script(window: Window) -> None:
        window.screen.resize(24, width)
        window.screen.reset()
        table.tell(Note("the window has changed"))
        await window.until(lambda: window.text.splitlines()[-1] == line)

    play(table, script)


class _PutOff(_Timed):
    """A table at which all agree first that nobody leaves."""

    def waiting(self) -> str:
        return "all go on in up to 10 s, then Green (ben) to move"

    def to_move(self) -> str:
        return ""


def test_what_is_awaited_before_a_move_does_not_give_way_as_the_mover_does() -> None:
    """The line lost it with the name of the player who is to move then."""
    (state, *_) = (part for part in status.parts(_PutOff("fidchess", first=2), 0, "") if part.text)
    assert state.at(Spare.MOVER) == "all go on in up to 10 s, then Green (ben) to move, 3 min 57 s left"
    (state, *_) = (part for part in status.parts(_Timed("fidchess", first=2), 0, "") if part.text)
    assert state.at(Spare.TO_MOVE) == "Green (ben), 3 min 57 s left"
    assert state.at(Spare.MOVER) == "3 min 57 s left"


def test_the_last_part_of_a_long_text_shows_only_what_is_new() -> None:
    async def script(window: Window) -> None:
        window.screen.resize(14, 80)
        window.screen.reset()
        await window.types(F1)
        await window.shows("moves [FROM]", "(1-10 of ", "Enter goes on")
        await window.types(PAGE_DOWN)
        await window.shows("(11-", "quit             leave the table", "Enter shows the board")
        assert "moves [FROM]" not in window.text
        await window.types(PAGE_UP)
        await window.shows("moves [FROM]", "(1-10 of ")

    play(FakeTable("fidchess", first=1), script)
