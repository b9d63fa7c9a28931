"""The start page in a terminal window: what a player sees there while the program works behind it."""

import asyncio
from pathlib import Path

import pytest
from friends import over
from saved_games import home_of, solo
from start_pages import opened as start_page
from window import CTRL_D, ENTER, SETTINGS, Window, opened

from p2p_stonehenge.cli import start as program
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.start import UNREAD, _Start
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.screen import keyboard
from p2p_stonehenge.screen.turning import on_terminal
from p2p_stonehenge.storage.home import Home


def test_saved_games_that_a_fault_keeps_from_being_read_are_told_so_and_the_fault_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def games(_: Shelf) -> None:
        raise IndexError("of a seat")

    async def away(_: _Start) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Shelf, "games", games)
    monkeypatch.setattr(_Start, "_look_around", away)
    monkeypatch.setattr("p2p_stonehenge.cli.start.plain_wanted", lambda: False)
    start = _Start(parse(("--home", str(tmp_path))), "")

    async def script(window: Window) -> None:
        showing = asyncio.create_task(start.run())
        await window.shows("GO ON WITH", UNREAD[:60])
        assert "looking at your saved games" not in window.text
        await window.types("b" + ENTER)
        await window.until(lambda: window.text.count(UNREAD[:60]) == 2)
        await window.types(CTRL_D * 2)
        await showing

    with opened() as window:
        asyncio.run(script(window))
    assert UNREAD in start.page.told()
    assert "An error of this program was ignored (IndexError: of a seat)" in capsys.readouterr().err


def test_rows_are_numbered_from_1_where_a_match_above_them_was_left(tmp_path: Path) -> None:
    """Though a letter was typed on the page before, which holds its rows as long as it stands on the prompt."""
    over(tmp_path)
    home = Home.open(str(tmp_path / "room" / "1"))
    (home.path / "identity.key").write_bytes(bytes([21]) * 32)
    start = _Start(parse(("--home", str(home.path))), "")
    (one,) = Shelf(home).games()
    start.shelf = [one, one._replace(facts=one.facts._replace(table=bytes(32)))]
    start._show_games()

    async def script(window: Window) -> None:
        choosing = asyncio.create_task(on_terminal(start.page, SETTINGS, lambda: None))
        await window.shows("1  Fidchell", "2  Fidchell")
        await window.types("b" + ENTER)
        await window.shows("SAVED GAMES")
        await window.types("1" + ENTER)
        await window.shows("leave its match")
        await window.types("leave" + ENTER)
        await window.shows("You have left the match")
        await window.types(CTRL_D * 3)
        await window.shows("GO ON WITH", "1  Fidchell", "Ctrl-D leaves")
        assert "2  Fidchell" not in window.text
        await window.types(CTRL_D)
        await choosing

    with opened() as window:
        asyncio.run(script(window))


def test_the_line_at_the_bottom_goes_with_what_is_typed() -> None:
    page = start_page([])

    async def script(window: Window) -> None:
        choosing = asyncio.create_task(on_terminal(page, SETTINGS, lambda: None))
        await window.shows("Enter: host a table")
        await window.types("a")
        await window.shows("Enter: alone, or two at this keyboard")
        await window.types("\x7f")
        await window.until(lambda: "Enter: alone" not in window.text and "Enter: host a table" in window.text)
        await window.types(CTRL_D)
        await choosing

    with opened() as window:
        asyncio.run(script(window))


BEHIND = pytest.mark.parametrize(
    ("typed", "shows"),
    [
        ("", "do what>"),
        ("export", "SHOW IT TO OTHERS"),
        ("3", "SHOW IT TO OTHERS"),
        ("zzz", "There is no such row"),
        ("host", "HOST A TABLE"),
        ("o", "palette"),
    ],
)
"""What is typed where Enter goes back to the page of a saved game, and what that leads to."""


def came_from_a_saved_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, *, menu: str = "", plain: bool = False
) -> _Start:
    """The start page where a player came from the page of a saved game, which is the first of two."""

    async def away(_: _Start) -> None:
        await asyncio.Event().wait()

    home = home_of(tmp_path)
    for nonce, played in enumerate((1.7e9, 1.6e9)):
        solo(home, ((1, "B2-B3"), (2, "resign")), played, nonce)
    monkeypatch.setattr(_Start, "_look_around", away)
    monkeypatch.setattr(program, "plain_wanted", lambda: plain)
    return _Start(parse(("--home", str(tmp_path))), "", typed, menu or str(next(iter(Shelf(home).games())).path))


@BEHIND
def test_a_line_typed_behind_a_saved_game_is_for_its_page_unless_it_means_one_thing_on_the_start_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, shows: str
) -> None:
    start = came_from_a_saved_game(tmp_path, monkeypatch, typed)

    async def script(window: Window) -> None:
        showing = asyncio.create_task(start.run())
        await window.shows(shows)
        assert "where to>" not in window.text
        for _ in range(4):
            await window.types(CTRL_D)
        assert await asyncio.wait_for(showing, 60) == ()

    with opened() as window:
        asyncio.run(script(window))


@BEHIND
def test_line_by_line_it_is_so_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, shows: str
) -> None:
    class Typed:
        first: str | None = None

        def put_back(self, line: str) -> None:
            self.first = line

        async def line(self) -> str | None:
            """What was put back, and Ctrl-D behind that."""
            line, self.first = self.first, None
            return line

    keys = Typed()
    monkeypatch.setattr(keyboard, "KEYBOARD", keys)
    monkeypatch.setattr(program, "KEYBOARD", keys)
    start = came_from_a_saved_game(tmp_path, monkeypatch, typed, plain=True)
    assert asyncio.run(start.run()) == ()
    told = capsys.readouterr().out
    assert shows in told
    assert ("There is no such row" in told) == (typed == "zzz")


def test_where_the_saved_game_is_gone_a_row_of_its_page_is_none_of_the_start_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = came_from_a_saved_game(tmp_path, monkeypatch, "1", menu=str(tmp_path / "gone"))
    solo(Home.open(str(tmp_path)), ((1, "B2-B3"),), 1.5e9, 2)

    async def script(window: Window) -> None:
        showing = asyncio.create_task(start.run())
        await window.shows("GO ON WITH", "1  Fidchess", "anna, where to>")
        await window.types(CTRL_D)
        assert await asyncio.wait_for(showing, 60) == ()

    with opened() as window:
        asyncio.run(script(window))
