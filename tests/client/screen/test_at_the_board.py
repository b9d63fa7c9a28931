"""At the board: where a piece can go, what is new, layouts, options in force, long texts."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from at_a_board import CAPTURE, board, console, local
from fake_table import FakeTable
from window import ENTER, PAGE_DOWN, PAGE_UP, SETTINGS, Window, opened

from engine import all_games
from p2p_stonehenge.screen import at_the_end, terminal
from p2p_stonehenge.screen.moves import reach
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.table.local import against_bots
from p2p_stonehenge.table.session import Note, RefusedError
from p2p_stonehenge.text.program import command_here

# Where a piece can go.


def test_a_place_that_is_typed_lights_where_its_piece_goes_captures_apart() -> None:
    at = console(FakeTable("fidchess", first=1).replay(*CAPTURE))
    at.drawing.typing = "c6"
    shown = board(at)
    assert "(Y1)" in shown
    assert "<G" in shown
    assert "•" in shown
    assert at.drawing.ways().startswith("C6 captures on ")
    at.drawing.typing = "c6 a"
    assert "(Y1)" not in board(at), "only a place alone is looked at"


def test_what_joins_a_friend_is_between_plus_signs() -> None:
    at = console(FakeTable("fidchess", first=1))
    at.drawing.typing = "b2"
    assert "+Y1+" in board(at)
    assert at.drawing.ways() == "B2 goes to " + ", ".join(
        reach(at.session.game, at.session.state, 1, "b2").targets  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("key", ["fidchess", "qenqe", "fidchell", "kingamon"])
def test_every_target_of_every_piece_is_shown_on_the_board(key: str) -> None:
    """The board with the signs differs from the one without at each place that is named."""
    table = FakeTable(key, first=1)
    if key == "kingamon":
        table.replay("3-5")
    if key == "fidchell":
        for _ in range(54):
            table.act(table.turn, table.game.legal(table.state, table.turn)[0])
    at = console(table, "ascii")
    game, places = table.game, at.view.places
    plain = board(at)
    origins = {places.origin(action) for action in game.legal(table.state, 1)}
    lit = 0
    for origin in origins:
        at.drawing.typing = origin
        found = at.drawing.reach()
        if found:
            lit += 1
            assert {*found.takes} <= {*found.targets}
            assert board(at) != plain
    assert lit > 0 or key == "fidchell"


def test_the_field_that_is_typed_to_place_a_piece_is_marked() -> None:
    at = console(FakeTable("fidchell", first=1).replay("5D4", "6C3"))
    for typed in ("5d", "5d4", "5d5 6", ""):
        at.drawing.typing = typed
        assert "(·)" not in board(at), typed
    at.drawing.typing = "5d5"
    assert board(at).count("(·)") == 1
    assert at.drawing.look(80, 21).origin == "5D5"
    at.drawing.past = 1
    assert not at.drawing.look(80, 21).origin, "what is typed is for the present board"
    table = FakeTable("kingamon", first=1).replay("3-5")
    at = console(table)
    for action in table.game.legal(table.state, 1):
        at.drawing.typing = action
        assert not at.drawing.look(80, 21).origin, "a whole move of a piece on the board"


def test_a_place_alone_is_no_refusal_but_a_list() -> None:
    at = console(FakeTable("fidchess", first=1), redraws=False)
    assert [text_of(line) for line in at.enter("b2")] == [text_of(line) for line in at.enter("moves b2")]
    with pytest.raises(RefusedError):
        at.enter("b5")


# What is new.


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("careful off", "`careful` is a setting: in a shell, `{} config careful off` changes it for later games."),
        ("Bell", "`bell` is a setting: in a shell, `{} config bell on|off|notify` changes it for later games."),
        ("palette blue", "`palette` is a setting: in a shell, `{} config palette auto|dark|light|mono|safe` "),
        ("config careful off", "`careful` is a setting: in a shell, `{} config careful off` changes it"),
        ("config", "Settings are changed in a shell, by `{} config`."),
    ],
)
@pytest.mark.parametrize("people", [(1,), (2,)])
def test_a_setting_typed_at_the_board_is_said_to_be_one(line: str, told: str, people: tuple[int, ...]) -> None:
    at = console(FakeTable("fidchess", people=people, first=1))
    assert at.refuse(line).startswith(told.format(command_here()))


def test_a_list_of_codes_says_how_each_move_is_explained(tmp_path: Path) -> None:
    at = console(local(tmp_path))
    codes = [text_of(line) for line in at.enter("moves")]
    assert codes[0].startswith("  A2  A2-A3  ")
    assert codes[-1] == "  `moves A2` lists those of A2, with what each does."
    explained = [text_of(line) for line in at.enter("moves A2")]
    assert all("moves an Oin" in line or "joins" in line or "onto" in line for line in explained)
    assert not any("`moves" in line for line in explained)


def test_more_says_where_all_of_the_board_is_shown(tmp_path: Path) -> None:
    at = console(local(tmp_path))
    board(at)
    assert [text_of(line) for line in at.enter("more")] == ["All of the board is shown."]
    low = board(at, height=8)
    assert at.enter("more") == []
    assert board(at, height=8) != low


def test_all_that_happened_since_the_own_last_move_is_lit() -> None:
    table = FakeTable("qenqe", first=1)
    table.replay("C1-D1")
    at = console(table)
    assert set(at.drawing.look(80, 21).last) == {"C1", "D1"}, "the own move until another one follows"
    actions = table.game.legal(table.state, 2)
    table.act(2, actions[0])
    assert "D1" not in at.drawing.look(80, 21).last


# Below a text.


def test_the_low_board_of_fidchess_has_its_stacks_below_each_other_as_the_high_one() -> None:
    """A text above it leaves no room for lines between the spaces; where to look for a stack stays the same."""
    at = console(FakeTable("fidchess", first=1).replay(*CAPTURE))

    def places(height: int) -> dict[str, list[tuple[int, str]]]:
        lines = [line[:32] for line in board(at, height=height).splitlines()]
        ranks = {line[1]: line for line in lines if line[1:2].isdigit()}
        return {rank: [(one.start(), one[0]) for one in re.finditer(r"[YG]\w", line)] for rank, line in ranks.items()}

    assert len(board(at, height=17).splitlines()) < 12
    assert places(17) == places(21)
    assert len(places(17)) == 8


@pytest.mark.parametrize(("window", "differs"), [(17, False), (21, True)])
def test_where_no_layout_would_look_otherwise_a_larger_window_is_said_to_be_needed(window: int, differs: bool) -> None:
    at = console(FakeTable("fidchell", first=1))
    at.drawing.window = window
    for layout in ("compact", "the largest that fits"):
        (told,) = map(text_of, at.enter("view"))
        assert told.startswith(f"Layout: {layout}.")
        assert ("in a larger one they differ" in told) != differs


# Options in force.


def test_options_that_are_not_the_usual_ones_stand_above_the_board_and_in_who(tmp_path: Path) -> None:
    at = console(local(tmp_path, quen=True, turn_limit=90))
    told = " options: turn_limit 90, quen"
    assert board(at).splitlines()[0] == told
    assert f" {told}" in [text_of(line) for line in at.enter("who")]
    assert "options" not in board(at, 80, 18), "where there is no room the board comes first"


def test_an_option_that_the_program_has_chosen_against_bots_is_not_told_but_its_change_is(tmp_path: Path) -> None:
    usual = local(tmp_path / "usual", repetition=against_bots(all_games()["fidchess"])["repetition"])
    changed = local(tmp_path / "changed", repetition="off")
    assert "options: repetition 3" in board(console(usual)), "where no bots are known somebody has chosen it"
    usual.levels = changed.levels = {2: "casual"}
    assert "options" not in board(console(usual))
    assert "  options: repetition off" in [text_of(line) for line in console(changed).enter("who")]


# On the screen.


def play(table: FakeTable, script: Callable[[Window], Awaitable[None]]) -> None:
    async def run() -> None:
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await script(window)
            table.act(1, "resign")
            await shown

    asyncio.run(run())


def test_the_signs_come_while_the_place_is_typed() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types("b2")
        await window.shows("(Y1)", " B2 goes to ")
        await window.types(" b3" + ENTER)
        await window.shows("Yellow moves an Oin from B2 to B3.")
        assert "(Y1)" not in window.text

    play(FakeTable("fidchess", first=1), script)


def test_a_text_that_is_longer_than_the_window_is_read_in_parts() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types("help" + ENTER)
        await window.shows("Enter shows the board")
        await window.types(ENTER + "rules" + ENTER)
        await window.shows("AIM", ": Enter goes on")
        assert "├──" not in window.text
        await window.until(lambda: not window.text.splitlines()[0].strip())  # what is left of `help` goes
        await window.types(ENTER)
        await window.until(lambda: "AIM" not in window.text)
        await window.types(PAGE_DOWN)
        await window.types("who" + ENTER)
        await window.shows("├──────┼", "anna (you)")

    play(FakeTable("fidchess", first=1), script)


def test_a_move_typed_while_looking_back_stays_on_the_prompt() -> None:
    table = FakeTable("fidchess", first=1).replay("A2-A3", "D7-D6")

    async def script(window: Window) -> None:
        await window.types("back" + ENTER)
        await window.shows("LOOKING BACK")
        await window.types("a3-a4" + ENTER)
        await window.shows("Not played: you were looking back", "move> a3-a4")
        assert "LOOKING BACK" not in window.text
        assert len(table.plies) == 2
        await window.types(ENTER)
        await window.shows("Yellow moves an Oin from A3 to A4.")

    play(table, script)


def test_the_board_of_fidchell_stays_round_whatever_is_told_above_and_below_it() -> None:
    """In a window that it fills: what has no room beside a text is cut off above, and nothing of it moves."""
    table = FakeTable("fidchell", first=1)
    middle = "5C  ·  ∘  ·  ∘  ·  ∘  ·  K"

    async def script(window: Window) -> None:
        await window.shows("place>", "6E  1A", middle)
        for number in range(6):
            table.tell(Note(f"advice {number}", answers=True))
        await window.shows("advice 0", "advice 5", "Enter shows the whole board, Page Down its other", "4A  3E")
        assert "6E  1A" not in window.text
        await window.types(PAGE_DOWN)
        await window.shows("advice 0", "advice 5", "6E  1A", middle)
        await window.types(PAGE_UP)
        await window.shows("advice 0", "advice 5", middle, "4A  3E")
        await window.types(ENTER)
        await window.shows("6E  1A", middle)
        table.act(1, "1A7")
        table.act(2, "4A7")
        await window.types("back" + ENTER)
        await window.shows("LOOKING BACK", middle, "4A  3E")
        assert "6E  1A" not in window.text
        await window.types("more" + ENTER)
        await window.shows("LOOKING BACK", middle, "6E  1A")
        assert "4A  3E" not in window.text
        await window.types("more" + ENTER + "who" + ENTER)
        await window.shows("LOOKING BACK", "anna (you)", middle, "Enter shows the whole board")

    play(table, script)


def test_advice_stays_in_sight_where_a_line_stands_above_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as how the last round came out: the first line of the advice was scrolled away."""
    monkeypatch.setattr(at_the_end, "round_before", lambda _: ["Last round: anna made her bid."])
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("move>", "Last round")
        for number in range(4):
            table.tell(Note(f"advice {number}", answers=True))
        await window.shows("advice 0", "advice 3", "Enter shows the larger board")

    play(table, script)
