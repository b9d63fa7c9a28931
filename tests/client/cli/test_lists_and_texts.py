"""Lists and texts that are read like the start page, and what is typed on them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from start_pages import DAI, EVE, opened, shown, wizard

from p2p_stonehenge.cli import letters
from p2p_stonehenge.screen.config_page import ConfigPage
from p2p_stonehenge.screen.join_page import join_page
from p2p_stonehenge.screen.pages import BACK, HELP, LEAVE, Item, ListPage, NotUnderstoodError, Page, TextPage, Words
from p2p_stonehenge.screen.turning import Pages
from p2p_stonehenge.storage.home import Home


def test_a_list_is_chosen_from_by_number_or_word() -> None:
    page = ListPage(
        "WHICH?",
        [Item(str(n), word, partial(Words, (word,)), (word,)) for n, word in ((1, "oak"), (2, "ash"))],
        "tree",
    )
    assert page.enter("2") == page.enter("as") == Words(("ash",))
    page.move(5)
    assert page.enter("") == Words(("ash",))
    with pytest.raises(NotUnderstoodError):
        page.enter("elm")


def test_a_long_text_is_read_a_window_at_a_time_and_searched() -> None:
    page = TextPage("rules", "\n".join(f"line {number}" for number in range(100)))
    assert shown(page, 80, 11).splitlines() == [f"line {number}" for number in range(10)]
    assert page.enter("") is None
    assert shown(page, 80, 11).startswith("line 10\n")
    assert page.enter("/LINE 77") is None
    assert shown(page, 80, 11).startswith("line 77\n")
    with pytest.raises(NotUnderstoodError, match="is not in this text"):
        page.enter("/oak")
    assert [page.enter(""), page.enter(""), page.enter("")][-1] == BACK


PAGES: dict[str, Callable[[], Page]] = {
    "list": lambda: ListPage("WHICH?", [Item("1", "oak", lambda: BACK, ("oak",))], "tree"),
    "nothing": lambda: ListPage("WHICH?", [], "tree"),
    "join": lambda: join_of_two(),
    "text": lambda: TextPage("rules", "line\n" * 100),
    "settings": lambda: ConfigPage({"name": "anna", "palette": "auto"}, lambda _name, value: value),
    "host": lambda: wizard("host", "celtic-whist"),
    "alone": lambda: wizard("solo", "kingamon"),
}


def join_of_two() -> Page:
    page = join_page(opened([], DAI, EVE))
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("typed", ["back", "q", "Quit", "exit", "help", "?", "", "99", "zzz", "0", "-1", "2 ?", "? ?"])
def test_whatever_a_newcomer_types_on_a_page_is_answered(name: str, typed: str) -> None:
    first, page = opened(), PAGES[name]()
    pages = Pages(first)
    pages.go(page)
    pages.enter(typed)
    if typed.lower() in LEAVE:
        assert pages.top is first
    elif typed in HELP:
        assert pages.top is page
        assert "`back` or Ctrl-D goes back." in pages.answer
    elif typed in ("99", "0", "-1"):
        assert pages.answer or pages.left or name == "text", "refused with words, or an address to join"
    assert first.enter("exit") is BACK


@pytest.mark.parametrize("typed", ["/help", "HELP", "?"])
def test_help_is_found_with_a_slash_and_in_capitals(typed: str) -> None:
    assert isinstance(opened().enter(typed), TextPage)


def test_the_line_at_the_bottom_says_what_enter_does_with_what_is_typed() -> None:
    page = opened()
    assert page.status_of("a") == "Enter: alone, or two at this keyboard"
    assert page.status_of("2") == "Enter: Celtic Whist"
    assert page.status_of("solo fidchess") == "Enter: solo fidchess"
    assert page.status_of("") == page.status() == "Enter: Byzantine Kingamon"


def test_the_list_of_games_says_how_celtic_whist_is_won(tmp_path: Path) -> None:

    rows = shown(letters.games(Home.open(str(tmp_path)), "solo"))
    assert "Most points win when a player or the timer" in rows
