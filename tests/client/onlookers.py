"""A client that watches a table of the room: what its player reads and may type."""

import time
from collections.abc import Iterable
from random import Random

import pytest
from net_tables import IDENTITIES, Room

from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, Notice, RefusedError
from p2p_stonehenge.table.watching import WatchedTable
from protocol import AskNext, Identity, Send, Sight, Spectator, Watchers, Watching

ALL = Watching(Watchers.EVERYBODY, 0)
WATCHER = Identity(bytes([77]) * 32)


class Onlooker:
    """Somebody who watches a room: the session, what it has told, and a console to type at."""

    def __init__(self, room: Room, through: int = 1) -> None:
        self.room, self.now = room, 0.0
        room.guests[WATCHER.id] = lambda sender, data: self._hears(IDENTITIES[sender - 1].id, data)
        self.spectator = Spectator(WATCHER.id, IDENTITIES[through - 1].id, Random(1).randbytes)
        self.table: WatchedTable | None = None
        self.told: list[Notice] = []
        self.early: list[Sight] = []
        self._carry(self.spectator.link(self.spectator.player, True))
        self.wait(2)
        assert self.spectator.caught_up
        assert self.spectator.table
        journal = Home.open(str(room.folder / f"watcher {through}")).journal(self.spectator.table.id)
        self.table = WatchedTable(self.spectator, self.spectator.table, journal, self, self._turn)
        self.table.listen(self.told.append)
        self.console = Console(self.table, Settings(), "ascii", redraws=False)

    def send(self, peer: bytes, data: bytes) -> bool:
        seat = next(n for n, one in enumerate(IDENTITIES, 1) if one.id == peer)
        if seat not in self.room.away:
            self.room.tables[seat].receive(WATCHER.id, data)
        return True

    def _turn(self, turned: AskNext) -> None:
        assert self.table
        self.table.looking_on.link(turned.before, up=False)
        seat = next(n for n, one in enumerate(IDENTITIES, 1) if one.id == turned.player)
        if seat not in self.room.away:
            self.table.looking_on.link(turned.player, up=True)

    def _hears(self, peer: bytes, data: bytes) -> None:
        if self.table:
            self.table.looking_on.receive(peer, data)
        else:
            self._carry(self.spectator.receive(peer, data, time.monotonic()))

    def _carry(self, sights: Iterable[Sight]) -> None:
        for sight in sights:
            self.early.append(sight)
            if isinstance(sight, Send):
                self.send(sight.peer, sight.data)

    def wait(self, seconds: float) -> None:
        """Let time pass for the players, who serve, and here."""
        for _ in range(round(2 * seconds)):
            self.now += 0.5
            for operator, table in self.room.tables.items():
                if operator not in self.room.away:
                    table.serve(time.monotonic() + self.now, ())
            self.room.carry()
            if self.table:
                self.table.tick(time.monotonic() + self.now)

    def type(self, line: str) -> list[str]:
        return [text_of(part).rstrip() for part in self.console.enter(line)]

    def refused(self, line: str) -> str:
        with pytest.raises(RefusedError) as caught:
            self.type(line)
        return str(caught.value)

    def notes(self) -> list[str]:
        found = [("! " if note.urgent else "- ") + note.text for note in self.told if isinstance(note, Note)]
        self.told.clear()
        return found


def onlooker(room: Room) -> Onlooker:
    """Return somebody who watches a room, and has read what there was to read."""
    one = Onlooker(room)
    one.wait(1)
    one.notes()
    return one
