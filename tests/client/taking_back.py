"""Tables at which a turn is taken back, and what is typed there."""

from pathlib import Path

import pytest
from local_tables import table_of
from net_tables import NAMES, Room

from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import RefusedError


def room_of(folder: Path, key: str = "fidchell", players: int = 2, **more: object) -> Room:
    """A table among peers at which nobody has been told anything yet."""
    room = Room(folder, key, NAMES[:players], **more)  # type: ignore[arg-type]
    for operator in room.tables:
        room.notes(operator)
    return room


def moved(room: Room) -> tuple[int, str, str]:
    """Let whoever is due move; return the seat, the action and the name of the colour."""
    seat = room.tables[1].turn
    room.play()
    table = next(iter(room.tables.values()))
    return seat, table.plies[-1].action, table.game.colours[seat - 1]


def asked(room: Room, operator: int) -> None:
    room.agree_to(operator, "takeback")


def moved_and_taken_back(room: Room) -> tuple[int, int, str]:
    """Let two seats move, and both agree to take the second move back; return the seats, and that move."""
    first, _, _ = moved(room)
    second, action, _ = moved(room)
    asked(room, second)
    asked(room, first)
    return first, second, action


def solo(folder: Path, key: str = "fidchess", **more: object) -> tuple[LocalTable, Console]:
    table = table_of(folder, key, **more)  # type: ignore[arg-type]
    table.begin()
    return table, Console(table, Settings(), "ascii", redraws=False)


def entered(console: Console, line: str) -> str:
    return "\n".join(text_of(part).rstrip() for part in console.enter(line))


def why(console: Console, line: str) -> str:
    with pytest.raises(RefusedError) as caught:
        console.enter(line)
    return str(caught.value)
