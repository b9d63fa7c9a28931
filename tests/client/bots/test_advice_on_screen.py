"""Advice as it is asked for and read: that a bot is thinking, and of which position it tells."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
from fake_table import FakeTable, Staying
from window import ENTER, Window, play

from p2p_stonehenge.bots import advice
from p2p_stonehenge.screen import plain
from p2p_stonehenge.storage.settings import Settings

PRESENT = "You were looking back: the answer is about the present position."


class Thinker:
    """The bot that gives advice: it thinks until it `may` answer."""

    def __init__(self) -> None:
        self.may = threading.Event()

    def __call__(self, *_: object) -> list[str]:
        assert self.may.wait(60)
        return ["Hint: A2-A3."]


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thinker]:
    thinker = Thinker()
    monkeypatch.setattr(advice, "hint", thinker)
    monkeypatch.setattr(advice, "why", thinker)
    yield thinker
    thinker.may.set()


def alone() -> FakeTable:
    table = FakeTable("fidchess", first=1).replay("B2-B3", "B7-B6")
    table.advises = True
    return table


@pytest.mark.parametrize("asks", ["hint", "why"])
def test_the_line_at_the_bottom_says_that_a_bot_thinks_until_it_has_answered(bot: Thinker, asks: str) -> None:
    async def script(window: Window) -> None:
        await window.types(asks + ENTER)
        await window.shows(" your turn  thinking...")
        bot.may.set()
        await window.shows("Hint: A2-A3.")
        await window.until(lambda: "thinking..." not in window.text)

    play(alone(), script)


def test_a_move_that_makes_an_answer_needless_ends_the_thinking_too(bot: Thinker) -> None:
    async def script(window: Window) -> None:
        await window.types("hint" + ENTER)
        await window.shows("thinking...")
        await window.types("C2-C3" + ENTER)
        await window.shows("ben to move")
        bot.may.set()
        await window.until(lambda: "thinking..." not in window.text)
        assert "Hint" not in window.text

    play(alone(), script)


def test_line_by_line_it_is_said_at_once_that_a_bot_thinks(bot: Thinker, capsys: pytest.CaptureFixture[str]) -> None:
    async def typing() -> AsyncIterator[str]:
        yield "back 2"
        yield "hint"

    bot.may.set()
    asyncio.run(plain.run(alone(), Settings(), typing()))
    told = capsys.readouterr().out
    assert f"\n{PRESENT}\n- Thinking...\nHint: A2-A3.\n" in told.partition("LOOKING BACK")[2]


@pytest.mark.parametrize("asks", ["hint", "why", "threats"])
def test_advice_is_about_the_present_position_which_the_board_shows_then(bot: Thinker, asks: str) -> None:
    bot.may.set()

    async def script(window: Window) -> None:
        await window.types("back 2" + ENTER)
        await window.shows("LOOKING BACK")
        await window.types(asks + ENTER)
        await window.shows(PRESENT, "Nothing to warn of now." if asks == "threats" else "Hint: A2-A3.")
        assert "LOOKING BACK" not in window.text

    play(alone(), script)


def test_that_turns_begin_with_threats_is_read_above_the_threat_of_now() -> None:
    """Above the board of Fidchell there is one row in a window of 24."""
    table = FakeTable("fidchell", first=1).replay("6D7", "6C7")
    table.advises = True

    async def script(window: Window) -> None:
        await window.types("threats on" + ENTER)
        told = "- Your turns begin with what is threatened: `threats off` ends that.\n- Green (ben) threatens"
        await window.until(lambda: window.text.startswith(told) and "Enter shows the whole board" in window.text)

    play(table, script)


def test_a_refused_line_leaves_the_threat_that_comes_with_the_turn_in_sight() -> None:
    table = FakeTable("fidchell", first=1).replay("6D7")
    table.advises = True

    async def script(window: Window) -> None:
        await window.types("threats on" + ENTER)
        await window.shows("Your turns begin")
        await window.types("5A7" + ENTER)
        await window.shows("It is not your turn")
        table.act(2, "6C7")
        below = ("! Green (ben) threatens", " It is your turn now", " your turn")
        await window.until(lambda: all(map(window.line, below)))

    play(table, script)


def test_the_threat_that_comes_with_a_turn_leaves_the_whole_board_in_sight() -> None:
    """In the row above it or, where that is taken, below the prompt."""
    table = FakeTable("fidchell", first=1).replay("6D7")
    table.advises = True

    async def script(window: Window) -> None:
        await window.types("threats on" + ENTER)
        await window.shows("Your turns begin")
        await window.types(ENTER)
        table.act(2, "6C7")
        await window.until(lambda: window.line("! Green (ben) threatens") and "your turn" in window.text)
        await window.shows("6E  1A", "4A  3E")  # the first line of the board, and its last one
        assert "Enter shows" not in window.text

    play(table, script)


def test_all_of_a_result_is_read_above_the_line_that_says_who_won() -> None:
    table = Staying("fidchell", first=1).replay("6D7", "resign")

    async def script(window: Window) -> None:
        await window.types("result" + ENTER)
        told = "You won by resignation.\nIt took 1 turn.\n"
        await window.until(lambda: window.text.startswith(told) and window.line(" the game is over"))

    play(table, script)
