"""A line that is refused stays, selected, at the board and in menus: a letter replaces it, Backspace edits it."""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from at_a_board import CAPTURES_WIN
from fake_table import FakeTable, Staying
from start_pages import opened as start_page
from start_pages import wizard
from window import BACKSPACE, CTRL_C, CTRL_D, DELETE, ENTER, HOME, LEFT, RIGHT, TAB, Window, opened, play

from engine import CHANCE, Chance, NotationError, Turn
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.pages import Item, ListPage, Page, TextPage, Words
from p2p_stonehenge.screen.turning import on_terminal
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Said
from protocol import draw_locally

DOWN = "\x1b[B"
PAGES: dict[str, tuple[Callable[[], Page], str]] = {
    "start page": (start_page, "zzz is no command"),
    "wizard": (lambda: wizard("solo", "fidchess"), "There is no row 'zzz'"),
    "settings": (
        lambda: ConfigPage({"name": "anna", "bell": "on"}, lambda _name, value: value),
        "There is no row 'zzz'",
    ),
    "list": (lambda: ListPage("WHICH?", [Item("1", "oak", lambda: Words(("oak",)), ("oak",))], "tree"), "no such row"),
    "text": (lambda: TextPage("rules", "one\ntwo"), "'zzz' is not in this text"),
}
"""Each kind of page, and what it says of `zzz`."""


def _fits(window: Window, start: str, fits: Callable[[str, str], object]) -> object:
    return fits(window.line(start).removeprefix(start).strip(), window.text)


def type_at(
    page: Page, said: str, *steps: tuple[str, Callable[[str, str], object]], leave: str = CTRL_C + CTRL_D
) -> None:
    """Have `zzz` refused on a page, then type the keys of each step and wait until the line and the screen fit it."""

    async def sitting() -> None:
        shown = asyncio.create_task(on_terminal(page, Settings(title=False), lambda: None))
        start = page.prompt().rstrip()
        await window.shows(start)
        await window.types("zzz" + ENTER)
        await window.shows(f"{start} zzz", said)
        for keys, fits in steps:
            await window.types(keys)
            await window.until(partial(_fits, window, start, fits))
        await window.types(leave)
        await asyncio.wait_for(shown, 60)

    with opened() as window:
        asyncio.run(sitting())


@pytest.mark.parametrize("page", PAGES)
def test_ctrl_u_drops_a_refused_line_and_ctrl_d_leaves_it(page: str) -> None:
    opens, said = PAGES[page]
    again = ("zzz" + ENTER, lambda typed, text: typed == "zzz" and said in text)
    # The page is left by Ctrl-D at the end, which `type_at` waits for.
    type_at(opens(), said, ("\x15", lambda typed, text: typed == ""), again, leave=CTRL_D)


@pytest.mark.parametrize("page", PAGES)
def test_escape_drops_a_refused_line_and_takes_no_letter_with_it(page: str) -> None:
    """The letter came with Escape, or within a second after it, as one that is pressed with Alt."""
    opens, said = PAGES[page]
    dropped, cleared = ("\x1b" + "r", lambda typed, text: typed == "r"), ("\x1b", lambda typed, text: typed == "")
    type_at(opens(), said, dropped, cleared, leave=CTRL_D)


@pytest.mark.parametrize("page", PAGES)
def test_a_letter_replaces_a_line_that_a_menu_refused_and_backspace_or_an_arrow_edits_it(page: str) -> None:
    opens, said = PAGES[page]
    again = (CTRL_C + "zzz" + ENTER, lambda typed, text: typed == "zzz" and said in text)
    type_at(
        opens(),
        said,
        ("q", lambda typed, _: typed == "q"),
        again,
        (BACKSPACE, lambda typed, text: typed == "zz" and said not in text),
        again,
        (LEFT + BACKSPACE + "a", lambda typed, _: typed == "zaz"),
    )


def test_at_a_menu_an_arrow_up_or_down_lets_the_refused_line_go_and_goes_to_a_row() -> None:
    page = start_page()
    type_at(page, "zzz is no command", (DOWN, lambda typed, _: typed == ""))
    assert page.mark == "8888", "the second row"


def test_tab_at_a_menu_offers_how_a_refused_line_goes_on() -> None:
    trees = [Item(str(number), f"tree {number}", lambda: Words(()), (f"zzz{number}",)) for number in (1, 2)]
    page = ListPage("WHICH?", trees, "tree")
    offered = (TAB, lambda _, text: text.count("tree 2") == 2)
    type_at(
        page, "Several fit that", offered, (TAB, lambda typed, _: typed == "zzz1"), (CTRL_C, lambda typed, _: not typed)
    )


def test_a_refused_line_does_not_follow_to_the_page_that_ctrl_d_goes_back_to() -> None:
    async def sitting() -> None:
        inner = ListPage("WHICH?", [Item("1", "oak", lambda: Words(("oak",)), ("oak",))], "tree")
        outer = ListPage("WHAT?", [Item("1", "wood", lambda: inner, ("wood",))], "thing")
        shown = asyncio.create_task(on_terminal(outer, Settings(title=False), lambda: None))
        await window.shows("thing>")
        await window.types("1" + ENTER)
        await window.shows("tree>")
        await window.types("zzz" + ENTER)
        await window.shows("tree> zzz", "no such row")
        await window.types(CTRL_D)
        await window.until(lambda: window.line("thing>").rstrip() == "thing>")
        await window.types(CTRL_D)
        await asyncio.wait_for(shown, 60)

    with opened() as window:
        asyncio.run(sitting())


# At the board


def test_a_refusal_says_why_and_keeps_the_text() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("c1 d4" + ENTER)
        await window.shows("straight lines", "reach D4.", "move> c1 d4", "your turn")
        await window.types("nonsense")
        await window.until(lambda: "straight" not in window.text)
        await window.types(ENTER)
        await window.shows("'nonsense' is not a move")
        assert table.plies == []

    play(table, script)


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("a2 a3", "a2 a3"),
        (BACKSPACE + "2", "c1 d2"),
        (2 * BACKSPACE, "c1"),
        (LEFT + BACKSPACE + "1", "c1 14"),
        (RIGHT + "4", "c1 d44"),
        (HOME + "x", "xc1 d4"),
        (DELETE, ""),
        (CTRL_C, ""),
    ],
    ids=["typing", "backspace", "twice", "left", "right", "home", "delete", "ctrl-c"],
)
def test_a_letter_takes_the_place_of_a_refused_line_and_backspace_or_an_arrow_edits_it(keys: str, left: str) -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("c1 d4" + ENTER)
        await window.shows("straight lines")
        await window.types(keys)
        await window.until(lambda: window.line("move>").removeprefix("move>").strip() == left)

    play(table, script)


def test_a_refused_line_can_be_sent_again_and_completed() -> None:
    async def script(window: Window) -> None:
        await window.types("c2" + ENTER)
        await window.shows("C2 alone is no move")
        await window.types(ENTER)
        await window.shows("C2 alone is no move", "move> c2")
        await window.types(TAB)
        await window.shows("C2+B2", "making a Duo")
        await window.types(TAB)
        await window.until(lambda: window.line("move>") == "move> C2+B2")

    play(FakeTable("fidchess", first=1), script)


def test_enter_behind_a_wrong_answer_lets_the_question_go() -> None:
    async def script(window: Window) -> None:
        await window.types("resign" + ENTER)
        await window.shows("resign? [y/N]>")
        await window.types("maybe" + ENTER)
        await window.shows("maybe is no answer", "resign? [y/N]> maybe")
        await window.types(ENTER)
        await window.until(lambda: window.line("move>").strip() == "move>")

    table = FakeTable("fidchess", first=1)
    play(table, script)
    assert not table.result


def test_what_the_table_refuses_is_shown() -> None:
    table = FakeTable("fidchess", first=1)
    table.names = ("anna", "")

    async def script(window: Window) -> None:
        await window.types('"hello' + ENTER)
        await window.shows("There is nobody to hear you.", 'move> "hello')

    play(table, script)


def test_what_was_refused_out_of_turn_gives_way_to_what_is_typed_next() -> None:
    """But it can be sent again when the turn has come, and then it says so in the place of the refusal."""
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("a2 a3" + ENTER)
        await window.shows("It is not your turn (ben to move)")
        await window.types("who" + ENTER)
        await window.shows("  Yellow  anna (you)")
        assert "a2 a3" not in window.text
        await window.types("a2 a3" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> a2 a3")
        table.act(2, "A7-A6")
        await window.shows("It is your turn now: Enter plays A2-A3.", "move> a2 a3")
        assert "It is not your turn" not in window.text
        await window.types(ENTER)
        await window.shows("Yellow moves an Oin from A2 to A3.")

    play(table, script)


def test_a_refusal_names_the_player_who_is_to_move_now() -> None:
    table = FakeTable("fidchell", people=(3,), players=3, first=1)

    async def script(window: Window) -> None:
        await window.types("a1" + ENTER)
        await window.shows("It is not your turn (anna to move)", "wait> a1")
        table.act(1, table.game.legal(table.state, 1)[0])
        await window.shows("It is not your turn (ben to move)", "wait> a1")
        assert "anna to move" not in window.text

    play(table, script)


def test_at_the_board_ctrl_d_behind_a_refused_line_asks_whether_to_leave() -> None:
    """It leaves nothing of the line, nor of why that was refused."""
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("zzz" + ENTER)
        await window.shows("There is no command zzz", "> zzz")
        await window.types(CTRL_D)
        await window.shows("quit? [y/N]>", "Leave the table?")
        assert "zzz" not in window.text
        await window.types(CTRL_C)
        await window.until(lambda: "[y/N]" not in window.text)

    play(table, script)


def test_why_a_line_was_refused_stands_while_others_play_on() -> None:
    """None of the turns is the player's own, so neither has to do with the line."""
    table = FakeTable("fidchess", people=(), first=1)

    async def script(window: Window) -> None:
        await window.types("again" + ENTER)
        await window.shows("The game is not over yet", "watch> again")
        table.act(1, "A2-A3")
        table.act(2, "A7-A6")
        await window.shows("Green moves an Oin from A7 to A6.", "The game is not over yet", "watch> again")

    play(table, script)


def test_what_was_refused_out_of_turn_is_no_answer_to_the_question_that_it_leads_to() -> None:
    """Enter does the line once, and then means no: nothing says any more that it does the line."""
    *before, last = CAPTURES_WIN.split()
    table = FakeTable("fidchell", first=2).replay(*before)

    async def script(window: Window) -> None:
        await window.types("3C1" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> 3C1")
        table.act(2, last)
        await window.shows("It is your turn now: Enter plays 3C1.", "place> 3C1")
        await window.types(ENTER)
        await window.shows("Play 3C1? Green (ben) can win", "[y/N]")
        assert "Enter plays" not in window.text
        await window.types(ENTER)
        await window.shows("Not done: `3C1`.", "place>")

    play(table, script)


def test_what_was_refused_out_of_turn_is_gone_when_the_game_is_over() -> None:
    table = Staying("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("a2 a3" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> a2 a3")
        table.act(2, "resign")
        await window.shows("again or quit>")
        assert window.line("again or quit>") == "again or quit>"

    play(table, script)


def test_what_cannot_be_done_when_the_turn_has_come_says_why() -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("c1 d4" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> c1 d4")
        table.act(2, "A7-A6")
        await window.shows("straight lines", "move> c1 d4")

    play(table, script)


def test_what_is_typed_behind_a_line_that_is_refused_is_dropped() -> None:
    """Of several lines that were pasted the last refusal alone stood there, and what lay between was played."""
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("who" + ENTER + "c1 d4" + ENTER + "a2 a3" + ENTER + "zzz" + ENTER + "yy")
        await window.shows("  Yellow  anna (you)", "straight lines", "What you typed behind it is dropped.")
        assert "zzz" not in window.text
        await window.types(CTRL_C + "b2 b3" + ENTER)
        await window.shows("Yellow moves an Oin from B2 to B3.")

    play(table, script)
    assert [ply.action for ply in table.plies] == ["B2-B3"]


def test_what_is_typed_behind_an_answer_that_is_refused_is_dropped() -> None:
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.types("y" + ENTER + "a2 a3" + ENTER)
        await window.shows("Nothing is asked of you now", "behind it is dropped.")
        assert window.line("move>") == "move>"

    play(table, script)
    assert table.plies == []


COLOURED = "\x1b[31mqq\x1b[0m\x1b[<0;5;5M"
"""A pasted text, the ends of which look like reports of a mouse, which no screen asks for."""


def test_the_colours_of_a_text_pasted_at_a_menu_are_dropped() -> None:
    type_at(start_page(), "zzz is no command", (CTRL_C + COLOURED, lambda line, _: line == "qq"))


def test_the_colours_of_a_text_pasted_at_the_board_are_dropped() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types(COLOURED)
        await window.until(lambda: window.line("move>").rstrip() == "move> qq")

    play(FakeTable("fidchess", first=1), script)


def test_a_long_text_that_is_pasted_leaves_the_board_in_sight() -> None:
    async def script(window: Window) -> None:
        await window.shows("move>")
        await window.types("\x1b[200~" + "well met\r\n" * 300 + "\x1b[201~")
        await window.shows("1 │  YR  │", "move> well met well met well met")
        await window.types(ENTER)
        await window.shows("1 │  YR  │", "is not a move")

    play(FakeTable("fidchess", first=1), script)


def _bid_of_one(seed: int) -> FakeTable:
    """Return a table of cards at which anna has made a bid, and ben is to bid."""
    table, rng = FakeTable("celtic-whist", first=2), Random(seed)
    while table.turn != 2:
        due = table.game.pending(table.state)
        if isinstance(due, Turn):
            table.act(1, "bid 3")
        else:
            assert isinstance(due, Chance)
            table.act(CHANCE, draw_locally(due.draw, rng.randbytes(16)))
    return table


def _then_reads(table: FakeTable, line: str) -> bool:
    """Return whether a line is a lawful card of anna's once ben has bid."""
    after = table.game.apply(table.state, 2, "bid 2")
    try:
        return table.game.pending(after) == Turn(1) and table.game.parse(after, line) in table.game.legal(after, 1)
    except NotationError:
        return False


def test_a_bid_that_was_refused_out_of_turn_is_not_offered_as_a_card() -> None:
    """Enter would play another thing than was meant, which cannot be taken back."""
    table = next(table for table in map(_bid_of_one, range(100)) if _then_reads(table, "3"))

    async def script(window: Window) -> None:
        await window.types("3" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> 3")
        table.act(2, "bid 2")
        await window.until(lambda: window.line("card>").strip() == "card>")
        assert "Enter plays" not in window.text
        plies = len(table.plies)
        await window.types(ENTER + "zzz" + ENTER)
        await window.shows("card> zzz")
        assert len(table.plies) == plies

    play(table, script)


def test_ctrl_u_takes_what_was_said_of_the_line_with_it() -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("a2 a3" + ENTER)
        await window.shows("It is not your turn (ben to move)", "wait> a2 a3")
        table.act(2, "A7-A6")
        await window.shows("Enter plays A2-A3.")
        await window.types("\x15")
        await window.until(lambda: "Enter plays" not in window.text)
        assert window.line("move>").strip() == "move>"

    play(table, script)


@pytest.mark.parametrize("answer", ["y", "yes"])
def test_an_answer_to_nothing_does_not_stay_on_the_prompt_and_what_was_said_of_it_stays_true(answer: str) -> None:
    """It stood there with what accepts an offer, also when that was withdrawn."""
    table = FakeTable("fidchess", first=1)

    async def script(window: Window) -> None:
        table.wish_draw(2)
        await window.types(answer + ENTER)
        await window.shows(f"answered by a command, not by `{answer}`: `draw` accepts")
        assert window.line("move>") == "move>"
        table.wish_draw(2, wish=False)
        await window.shows("Nothing is asked of you now")
        assert "`draw` accepts" not in window.text
        table.act(1, "A2-A3")
        await window.until(lambda: "Nothing is asked" not in window.text)

    play(table, script)
    assert not table.draws


def test_what_was_said_of_a_refused_line_stands_while_others_talk() -> None:
    table = FakeTable("fidchess", first=2)

    async def script(window: Window) -> None:
        await window.types("zzz" + ENTER)
        await window.shows("There is no command zzz", "wait> zzz")
        table.tell(Said("ben", "a good game"))
        await window.shows("ben: a good game", "There is no command zzz", "wait> zzz")

    play(table, script)
