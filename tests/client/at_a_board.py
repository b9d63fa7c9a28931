"""A console at a table of boards, and what it shows."""

from pathlib import Path
from typing import Any

from saved_games import ANNA, home_of
from window import SETTINGS

from engine import all_games
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.local import LocalTable
from protocol import LOCAL, Seat, Table, local_charter, make_body

CAPTURE = ("D2-D3", "A7-A6", "D3-D4", "A6-A5", "D4-C6", "B8-A6")
"""Of Fidchess: after these Yellow may capture."""


def console(table: Any, charset: str = "unicode", settings: Settings = SETTINGS, redraws: bool = True) -> Console:
    return Console(table, settings, charset, redraws)


def board(at: Console, width: int = 80, height: int = 21) -> str:
    return "\n".join(text_of(line).rstrip() for line in at.board(width, height))


def local(tmp_path: Path, key: str = "fidchess", players: int = 2, **options: Any) -> LocalTable:
    home = home_of(tmp_path)
    seats = (Seat(ANNA.id, "anna", 1), *(Seat(ANNA.id, f"bot {seat}", 1) for seat in range(2, players + 1)))
    body = make_body(LOCAL, all_games()[key], {"first": 1, **options}, seats, bytes(16))
    charter = local_charter(body, ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: ANNA}), home.journal(charter.table), (1,))
    table.begin()
    return table


def bids(table: LocalTable) -> list[str]:
    return [*table.game.legal(table.seen_by(table.turn), table.turn)]


CAPTURES_WIN = (
    "3C5 6C1 6C4 6C3 6C2 6C6 6C3 6C1 6C5 6C4 5C4 6C7 6C6 1B3 5C6 1B6 4C2 5C3 6B3 5B5 5D3 5B3 5B7 1C3 1B7 5A5 5C5 5D5"
    " 5D7 5D6 5D4 1B5 5E6 4C4 4C3 4C5 5B4 4D4 5C5 5C7 5E7 5E5 5C2"
)
"""A game of Fidchell after which Green can capture two pieces of Red, and close its chain with the turn after them."""
