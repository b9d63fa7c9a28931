"""The terminal: what stands on a real screen (pyte) while somebody types, peers act and the window changes."""

import asyncio
import re

import pytest
from fake_table import FakeTable
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from window import CTRL_C, CTRL_D, ENTER, F3, F4, F5, SETTINGS, TAB, Window, opened, play

from p2p_stonehenge.cli.play import run
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.table.session import Note, Said


def test_the_board_stands_above_the_prompt() -> None:
    async def script(window: Window) -> None:
        await window.shows(
            "8 │  GR  │  G3  │  G2  │  G1  │", "> Y  anna (you)", "move>", "your turn", "all here", "F1 help"
        )

    window = play(FakeTable("fidchess", first=1), script)
    assert "You have left the table." in window.text
    assert "saved in\ngames/7f3a.stonehenge" in window.text


def test_the_path_of_the_saved_game_is_broken_nowhere_where_it_can_be_copied() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")

    path = "/games of gwen of the hill/long/13cade22af242463.stonehenge".rjust(80, "/")
    window = play(FakeTable("fidchess", first=1), script, SETTINGS._replace(saved=path))
    assert f"The table is saved in\n{path}\n" in window.text


def test_a_known_name_with_another_key_is_a_red_line_until_something_is_typed() -> None:
    """Printed above the board it may be out of sight at once."""
    table = FakeTable("fidchess", first=1)
    table.strangers[2] = f"ben (abcdefgh) is NOT the ben (hgfedcba) you know since 2026-05-01: {'what now? ' * 5}"

    async def script(window: Window) -> None:
        await window.shows(
            "! WARNING: ben (abcdefgh) is NOT the ben (hgfedcba) you know", "now? what now?", "your turn"
        )
        status = window.text.splitlines().index(window.line(" your turn"))
        for above in (1, 2):
            line = window.screen.buffer[status - above]
            assert {line[at].bg for at in range(10)} == {"af0000"}, "red in each of its lines"
        await window.types("w")
        await window.until(lambda: not window.text.splitlines()[-2].startswith(("! WARNING", "2026")))
        await window.types("ho" + ENTER)
        await window.shows("ben  NOT the one you know by this name")

    play(table, script)


def test_a_move_is_played_and_the_board_follows() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("Tab moves")
        await window.types("a2 a3" + ENTER)
        await window.shows("Yellow moves an Oin from A2 to A3.", "│ [Y1] │", "wait>", "ben to move")
        assert "F1 help" in window.text
        assert "Tab moves" not in window.text, "there is none to be offered"
        assert table.plies[-1].action == "A2-A3"
        table.act(2, "D7-D6")
        await window.shows("Green moves an Oin from D7 to D6.", "move>")

    window = play(table, script)
    rung = re.sub(r"\x1b\]2;[^\a]*\a", "", window.written)  # the title of the window ends with a bell as well
    assert rung.count("\a") == 1  # when ben had moved, not for one's own move


def test_half_typed_text_outlives_what_happens() -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("a2-")
        await window.shows("wait> a2-")
        table.act(2, "D7-D6")
        table.tell(Said("ben", "good \x1b[2J evening\x07"))
        table.tell(Note("ben is back", urgent=True))
        await window.shows("Green moves", "ben: good [2J evening", "! ben is back", "move> a2-")
        await window.types("a3" + ENTER)
        await window.shows("Yellow moves an Oin from A2 to A3.")

    play(table, script)


def test_tab_offers_the_moves_and_their_meaning() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("c2" + TAB)
        await window.shows("C2+B2", "moves an Oin from C2 onto the Oin on B2, making a Duo", "C2-D4")
        await window.types(TAB + ENTER)
        await window.until(lambda: window.line("move>") == "move> C2+B2")
        assert table.plies == []
        await window.types(ENTER)
        await window.shows("making a Duo.", "wait>")

    play(table, script)


def test_a_chosen_beginning_is_offered_further() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types(TAB)
        await window.shows(" C2 ", " D2 ", " 7 moves")
        await window.types(TAB)
        await window.until(lambda: len(window.line("move>")) == len("move> C2"))
        begun = window.line("move>")[-2:]
        await window.types(ENTER)
        await window.shows(f"from {begun}")

    play(table, script)


def test_keys_flip_the_board_and_show_the_log() -> None:
    async def script(window: Window) -> None:
        await window.shows(" 8 │  GR  │")
        await window.types(F4)
        await window.shows(" 1 │  Y1  │  Y2  │  Y3  │  YR  │")
        await window.types(F3)
        await window.shows("   1  A2-A3    Yellow moves")

    play(FakeTable("fidchess", first=1).replay("A2-A3"), script)


def test_a_key_shows_the_next_layout() -> None:
    async def script(window: Window) -> None:
        await window.shows("FIDCHELL", "5C  ·  ∘  ·  ∘")
        await window.types(F5)
        await window.shows("Layout: compact.", "│ A B C D E │ A B C D E │", "place>")

    play(FakeTable("fidchell", first=1), script)


def test_resigning_asks_first() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("resi" + ENTER)
        await window.shows("Write `resign` in full")
        await window.types("resign" + ENTER)
        await window.shows("Give the game up? It is lost then. [y/N]", "resign? [y/N]>")
        await window.types("n" + ENTER)
        await window.shows("Not done: ", "move>")
        assert table.result is None
        await window.types("resign" + ENTER)
        await window.shows("resign? [y/N]>")
        await window.types("yes" + ENTER)
        await window.shows("You lost to ben by resignation.", "The table is saved in")

    window = play(table, script)
    assert "GR  │" in window.text  # the last position stays on the screen


def test_a_question_stays_in_sight_until_it_is_answered_or_lapses() -> None:
    table = FakeTable("kingamon", first=1, cube=True).replay("6-5", "3/9", "3/8")
    table.act(2, "double")
    asked = "Drop? That loses the game: 1 point for Red (ben). [y/N]"

    async def script(window: Window) -> None:
        await window.types("drop" + ENTER)
        await window.shows(asked, "drop? [y/N]>")
        for number in range(30):
            table.tell(Said("ben", f"are you there? {number}"))
        await window.shows("there? 29", asked)
        await window.types("y")
        table.act(1, "take")
        await window.shows("`drop` is not asked any more", "wait> y")
        assert asked not in window.text
        await window.types(ENTER)
        await window.shows("Nothing is asked of you now: `drop` is not asked any more.")
        assert table.result is None

    play(table, script)


def test_ctrl_c_at_a_question_is_a_no() -> None:
    async def script(window: Window) -> None:
        await window.types("resign" + ENTER)
        await window.shows("resign? [y/N]>")
        await window.types("y" + CTRL_C)
        await window.shows("Not done: ", "move>")

    table = FakeTable("fidchess", first=1)
    play(table, script)
    assert table.result is None


def test_the_end_of_the_game_ends_the_sitting() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("draw" + ENTER)
        await window.shows("draw? [y/N]>")
        await window.types("y" + ENTER)
        await window.shows("you offer a draw")
        await window.types("draw off" + ENTER)
        await window.until(lambda: table.draws == set())
        table.wish_draw(2)
        await window.shows("Green (ben) offers a draw")
        await window.types("draw" + ENTER)
        await window.shows("Agree to the draw that Green (ben) offers? [y/N]")
        await window.types("yes" + ENTER)
        await window.shows("Drawn by agreement.")

    play(table, script)
    assert table.result is not None


def test_two_people_share_the_prompt() -> None:
    async def script(window: Window) -> None:
        await window.shows("Yellow, move>")
        await window.types("a2-a3" + ENTER)
        await window.shows("Green, move>", "Green (ben) to move")

    play(FakeTable("fidchess", people=(1, 2), first=1), script)


def test_a_spectator_looks_on() -> None:
    async def script(window: Window) -> None:
        await window.shows("watch>")
        await window.types("a2-a3" + ENTER)
        await window.shows("You are watching")

    play(FakeTable("fidchess", people=(), first=1), script)


def test_kingamon_asks_for_what_is_due() -> None:
    table = FakeTable("kingamon", first=1, cube=True)

    async def script(window: Window) -> None:
        await window.shows("wait>", "the dice", "Kingamon")
        table.replay("6-5")
        await window.shows("White rolls 6 and 5.", "dice [6]  [5]", "move>")
        await window.types("3/9" + ENTER + "3/8" + ENTER)
        await window.shows("wait>", "┌──────────+─────────*──*────┬─────┬───────────*───────┐")
        table.act(2, "double")
        await window.shows("take or drop>")
        await window.types("dr" + ENTER)
        await window.shows("Write `draw` or `drop` in full")
        await window.types("take" + ENTER)
        await window.shows("cube 2 W")

    play(table, script)


def test_colours_are_left_out_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(window: Window) -> None:
        await window.shows("GR")

    assert "\x1b[0;38;5;" in play(FakeTable("fidchess", first=1), script).written
    monkeypatch.setenv("NO_COLOR", "1")
    written = play(FakeTable("fidchess", first=1), script).written
    assert "38;5;" not in written
    assert "48;5;" not in written


def test_the_prompt_works_without_a_screen() -> None:
    table = FakeTable("fidchess", first=1)

    async def evening(keyboard: PipeInput) -> None:
        sitting = asyncio.create_task(terminal.run(table, SETTINGS))
        keyboard.send_text("a2 a3" + ENTER)
        for _ in range(1000):  # the first Ctrl-D asks, and the one after the question was drawn leaves
            keyboard.send_text(CTRL_D)
            if (await asyncio.wait([sitting], timeout=0.02))[0]:
                return await sitting
        pytest.fail("the prompt does not end")

    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        asyncio.run(evening(keyboard))
    assert [ply.action for ply in table.plies] == ["A2-A3"]


def test_a_finished_table_is_only_shown() -> None:
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        table = FakeTable("fidchess", first=1).replay("resign")
        asyncio.run(asyncio.wait_for(terminal.run(table, SETTINGS), 60))


def test_what_fails_while_a_move_is_made_ends_the_program() -> None:
    """As where the disk is full: nothing goes on as if the move were safe."""

    class Full(FakeTable):
        def play(self, seat: int, action: str) -> None:
            raise Failure("The disk is full: make room.")

    async def evening(window: Window) -> None:
        await asyncio.gather(terminal.run(Full("fidchess", first=1), SETTINGS), window.types("a2 a3" + ENTER))

    with opened() as window, pytest.raises(Failure, match="disk is full"):
        run(evening(window))
    assert "exception" not in window.written.lower()
    assert "saved" not in window.written


def test_ctrl_c_on_an_empty_line_says_how_to_leave() -> None:
    async def script(window: Window) -> None:
        await window.types("a2" + CTRL_C)
        await window.until(lambda: "a2" not in window.text)
        assert "leaves the table" not in window.text
        await window.types(CTRL_C)
        await window.shows("`quit` or Ctrl-D leaves the table.")
        await window.types(CTRL_D)
        await window.shows("quit? [y/N]>", "Leave the table?")
        assert "`quit` or Ctrl-D leaves the table." not in window.text
        await window.types(CTRL_C)
        await window.until(lambda: "[y/N]" not in window.text)

    play(FakeTable("fidchess", first=1), script)


@pytest.mark.parametrize("lines", [1, 6])
def test_advice_that_was_asked_for_stays_in_sight_from_its_first_line(lines: int) -> None:
    """The best move stands first, and nobody scrolls back while the board stands there."""
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        for number in range(lines):
            table.tell(Note(f"advice {number}", answers=True))
        await window.shows(*(f"- advice {number}" for number in range(lines)))
        assert ("8 │  GR  │" in window.text) == (lines == 1), "the board gives way only where there is no room"
        assert ("8    GR     G3" in window.text) == (lines > 1), "and is lower then"
        await window.types("a2")
        await window.shows("- advice 0", "move> a2")
        await window.types(ENTER)
        await window.types(CTRL_C + ENTER)
        await window.shows("8 │  GR  │")

    play(table, script)


def test_where_nothing_can_be_turned_round_the_key_says_so() -> None:
    async def script(window: Window) -> None:
        await window.shows("F1 help  F3 log  F5 view")
        await window.types(F4)
        await window.shows("There is no board here that could be turned round.")

    play(FakeTable("celtic-whist", first=1), script)
