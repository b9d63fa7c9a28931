"""Pages told line by line, as `--plain` does it: what a player hears who sees none of them."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from start_pages import DAI, EVE, opened

from p2p_stonehenge.screen import keyboard
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.join_page import join_page
from p2p_stonehenge.screen.pages import Item, ListPage, Page, TextPage, Words
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.screen.turning import line_by_line


class Hearing:
    """A player who types lines at pages, and hears what is printed."""

    def __init__(self, heard: Callable[[], str]) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._waits = asyncio.Event()
        self._heard = heard

    async def line(self) -> str:
        if self._lines.empty():
            self._waits.set()
        return await self._lines.get()

    async def hears(self, *lines: str) -> str:
        """Type lines; return what was told since the last time, until another one is waited for."""
        for line in lines:
            self._waits.clear()
            self._lines.put_nowait(line)
        await asyncio.wait_for(self._waits.wait(), 60)
        return self._heard()

    async def leaves(self, choosing: "asyncio.Task[tuple[str, ...]]", line: str) -> tuple[str, ...]:
        self._lines.put_nowait(line)
        return await asyncio.wait_for(choosing, 60)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hearing:
    hearing = Hearing(lambda: capsys.readouterr().out)
    monkeypatch.setattr(keyboard, "KEYBOARD", hearing)
    return hearing


def run(page: StartPage, script: Callable[["asyncio.Task[tuple[str, ...]]"], Awaitable[None]]) -> None:
    async def both() -> None:
        choosing = asyncio.create_task(line_by_line(page, lambda: None))
        await script(choosing)
        assert choosing.done()

    asyncio.run(both())


def with_page(letter: str, opens: Callable[[StartPage], Page | Words]) -> StartPage:
    page = opened([])
    page._pages = {**page._pages, letter: lambda: opens(page)}
    return page


def test_on_the_page_for_joining_a_table_that_opens_or_is_gone_is_told_as_on_the_start_page(at: Hearing) -> None:
    page = with_page("j", join_page)

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        assert "No table is open here yet: one that opens is shown here." in await at.hears("j")
        page.know_tables([DAI], ())
        told = await at.hears()
        assert told == "\nOpen now: 1. Fidchess Qenqe of dai, 2 of 4 seats.\ntable or address> "
        page.know_tables([DAI, EVE], ())
        assert "Open now: 2. Fidchess of eve, 1 of 2 seats, passphrase." in await at.hears()
        page.know_tables([EVE], ())
        assert "Gone: 1. Fidchess Qenqe of dai." in await at.hears()
        assert "Fidchess Qenqe of dai is gone: it is not open any more." in await at.hears("1")
        told = await at.hears("")
        assert "dai" not in told
        assert "\n2. Fidchess of eve, 1 of 2 seats, passphrase.\n" in told
        page.know_tables([DAI, EVE], ())
        assert "Open now: 1. Fidchess Qenqe of dai" in await at.hears()
        assert await at.leaves(choosing, "2") == ("join", "eve")

    run(page, script)


def test_on_other_pages_no_table_is_told(at: Hearing) -> None:
    page = with_page(
        "r", lambda _: ListPage("RULES: of which game?", [Item("1", "oak", lambda: Words(()))], "rules of")
    )

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        assert "RULES: of which game?" in await at.hears("r")
        page.know_tables([DAI], ())
        assert "dai" not in await at.hears("7")
        assert "1. Fidchess Qenqe of dai" in await at.hears("back")
        assert await at.leaves(choosing, "1") == ("join", "dai")

    run(page, script)


def test_a_text_is_told_as_a_whole_and_leads_back_at_once(at: Hearing) -> None:
    text = "\n".join(f"line {number}" for number in range(200))
    games = ListPage("RULES: of which game?", [Item("1", "oak", lambda: TextPage("oak", text))], "rules of")
    page = with_page("r", lambda _: games)

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        told = await at.hears("help")
        assert told.endswith("\ngwen, where to> ")
        assert "\ngwen, where to> Type what stands before a row, or words of it" in told
        assert "Up and Down" not in told
        assert "doctor: does that." in " ".join(told.split())
        told = await at.hears("r", "1")
        assert told.endswith("line 198\nline 199\nrules of> ")
        assert told.count("RULES") == 1
        assert "You are gwen." in await at.hears("back")
        assert await at.leaves(choosing, "q") == ()

    run(page, script)


def test_enter_alone_takes_no_row_that_is_marked_for_those_who_see_it_but_tells_the_page_again(at: Hearing) -> None:
    changed: list[str] = []

    def change(_name: str, value: str) -> str:
        changed.append(value)
        return value

    page = with_page("h", lambda _: ListPage("WHICH?", [Item("1", "oak", lambda: Words(("host", "oak")))], "game"))
    page._pages = {**page._pages, "o": lambda: ConfigPage({"palette": "auto"}, change)}

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        first = await at.hears()
        assert await at.hears("") == first
        assert await at.hears("h") == (listed := await at.hears(""))
        assert "Up and Down" not in await at.hears("help")
        assert "oak" in listed
        await at.hears("back")
        assert await at.hears("o") == await at.hears("")
        assert not changed
        assert "Up and Down" not in await at.hears("?")
        await at.hears("back")
        assert await at.leaves(choosing, "q") == ()

    run(page, script)


def test_lines_that_lead_back_to_a_page_are_entered_before_anything_is_told(at: Hearing) -> None:
    games = ListPage("SAVED GAMES", [Item("1", "oak", lambda: ListPage("oak", [], "do what"))], "which game")
    page = with_page("b", lambda _: games)
    page.entered = lambda: ["b", "1"]

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        told = await at.hears()
        assert told.startswith("oak\n")
        assert told.endswith("do what> ")
        assert "SAVED GAMES" in await at.hears("back")
        await at.hears("back")
        assert await at.leaves(choosing, "q") == ()

    run(page, script)


def test_an_answer_is_broken_between_words(at: Hearing, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened([])
    monkeypatch.setattr("p2p_stonehenge.text.output.columns", lambda _out=None: 30)

    async def script(choosing: "asyncio.Task[tuple[str, ...]]") -> None:
        await at.hears()
        told = await at.hears("zzzzz")
        assert all(len(line) < 30 for line in told.splitlines())
        assert "zzzzz is no command: type a" in told
        assert await at.leaves(choosing, "q") == ()

    run(page, script)
