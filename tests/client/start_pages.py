"""Start pages and wizards as their tests open them, and what they show."""

import time
from collections.abc import Callable
from pathlib import Path

from engine import all_games
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.screen.pages import Page, Words
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.screen.start_rows import BEGIN, Entry
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.screen.wizard import Wizard

ROOT = Path(__file__).resolve().parents[2]
SIZES = [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)]
GAMES = [
    Entry("7f3a", "Byzantine Kingamon", "anna (here)", "yesterday 19:40", "your turn", ("resume", "7f3a"), likely=True),
    Entry("8888", "Celtic Whist", "anna, ben, cleo", "3 May", "ben's turn", ("resume", "8888")),
]
DAI = Entry(b"dai", "Fidchess Qenqe", "dai", "2 of 4 seats", "", ("join", "dai"))
EVE = Entry(b"eve", "Fidchess", "eve", "1 of 2 seats", "passphrase", ("join", "eve"))


def opened(games: list[Entry] | None = None, *tables: Entry, clock: Callable[[], float] = time.monotonic) -> StartPage:
    letters = {begin.letter: lambda letter=begin.letter: Words((f"page {letter}",)) for begin in BEGIN}
    page = StartPage(dict.fromkeys(COMMANDS, "does that"), letters, clock=clock)
    page.nick, page.place = "gwen", "192.168.1.20"
    page.know_games(GAMES if games is None else games)
    page.know_tables(list(tables), ())
    return page


def shown(page: Page, width: int = 80, height: int = 21) -> str:
    return "\n".join(text_of(line).rstrip() for line in page.render(width, height))


def wizard(command: str = "host", key: str = "qenqe", kept: list[dict[str, str]] | None = None, **last: str) -> Wizard:
    return Wizard(
        command, all_games()[key], ("0", "1", "2", "adaptive"), last, (kept if kept is not None else []).append
    )
