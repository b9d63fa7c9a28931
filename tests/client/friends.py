"""Players of a game that is over, in lobbies, at their way to the next game of their match."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import Club, advert_of, answers
from net_tables import IDENTITIES, NAMES, Room

from p2p_stonehenge.lobby.company import Company, rematch
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import Body, Charter, Form, Formation, Identity, Seat, Series, Table

ANNA, BEN, CARA = IDENTITIES[:3]
BEFORE = Series(5, 2, b"t" * 32, (0, 1, 1))


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    for one, name in zip(IDENTITIES, NAMES, strict=True):
        monkeypatch.setitem(clubs.NAMES, one.id, name)


def over(folder: Path, series: Series = BEFORE) -> Room:
    """A game of three that is over: two of them have resigned."""
    room = Room(folder / "room", "fidchell", NAMES[:3], series=series)
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    return room


def home_at(folder: Path, one: Any) -> Home:
    """The home of a player, with the player's key."""
    home = Home.open(str(folder))
    (home.path / "identity.key").write_bytes(bytes([21 + IDENTITIES.index(one)]) * 32)
    return home


def guest_of(club: Club, room: Room, one: Any, *lines: str, **more: Any) -> tuple[GuestLobby, list[str]]:
    """Let a player who sat in a room sit down at anna's table, and answer with `lines`; also what was asked."""
    network: Any = club.client(one)
    home = home_at(room.folder / str(1 + IDENTITIES.index(one)), one)
    ask, asked = answers(*lines) if lines else (None, [])
    told = club.told[one.id] = []
    network.handler = GuestLobby(network, home, told.append, ANNA.id, None, ask, **more)
    return network.handler, asked


def next_body(last: Table, players: Sequence[Identity] = (ANNA, BEN, CARA)) -> Body:
    """The charter of the game after the last one of a match, as an honest host proposes it."""
    setup = rematch(last, [one.id for one in players]).setup
    sitting = sorted(players, key=lambda one: setup.places[one.id])
    return setup.body(
        tuple(Seat(one.id, NAMES[IDENTITIES.index(one)], n) for n, one in enumerate(sitting, 1)), bytes(16)
    )


class Friends:
    """The players of a game that is over, at their way to the next one."""

    def __init__(self, club: Club, last: Table) -> None:
        self.club, self.last = club, last
        self.asked: dict[bytes, list[str]] = {}

    def sit(self, one: Any, *lines: str, without: tuple[Any, ...] = ()) -> HostLobby | GuestLobby:
        """Let a player play again who answers questions with `lines`."""
        ask, self.asked[one.id] = answers(*lines)
        return self._wait(one, Company(self.last, {other.id for other in without}), ask)

    def move_on(self, lobby: Any) -> HostLobby | GuestLobby:
        """Let a player whose lobby has ended go to the next one, as `gather_again` does."""
        one = next(one for one in IDENTITIES if one.id == lobby.network.identity.id)
        return self._wait(one, lobby._company, lobby._ask)

    def guest(self, one: Any, host: Any) -> GuestLobby:
        """Let a player sit down at the table of a host from the start page."""
        network, home, told = self._here(one)
        network.handler = GuestLobby(network, home, told, host.id)
        return network.handler  # type: ignore[no-any-return]

    def _wait(self, one: Any, company: Company, ask: Any) -> HostLobby | GuestLobby:
        host, (_, setup), (network, home, told) = company.host, company.rematch(), self._here(one)
        if host == one.id:
            network.handler = HostLobby(network, home, told, setup, company, ask)
        else:
            network.handler = GuestLobby(network, home, told, host, ask=ask, company=company)
        return network.handler  # type: ignore[no-any-return]

    def _here(self, one: Any) -> tuple[Any, Home, Any]:
        told = self.club.told.setdefault(one.id, [])
        return self.club.client(one), Home.open(str(self.club.path / NAMES[IDENTITIES.index(one)])), told.append

    def see(self) -> None:
        """Let all see what each one who hosts, or has sat down to a game, announces."""
        for id, client in self.club.clients.items():
            host = isinstance(client.handler, HostLobby)
            text = client.handler.announcement if host else client.announced
            for other in self.club.clients.values():
                if other is not client:
                    other.sightings[id] = Sighting(id, clubs.NAMES[id], (), bytes(8), text)

    def meet(self) -> None:
        for one in self.club.clients.values():
            for other in self.club.clients:
                if one.identity.id != other and one.handler:
                    one.handler.link(other, True)
        self.club.deliver()


def signed(lobby: HostLobby | GuestLobby) -> Charter:
    return lobby.done.result().charter


@pytest.fixture
def friends(club: Club, tmp_path: Path) -> Friends:
    return Friends(club, over(tmp_path).tables[1].table)


def propose(club: Club, body: Body) -> None:
    """Let anna, who has no lobby, show a table and propose its charter to ben."""
    (seat,) = (number for number, seat in enumerate(body.seats, 1) if seat.id == ANNA.id)
    message = Formation(body, {seat: ANNA}, b"seed").message()
    club.say(ANNA, BEN, advert_of(body))
    for _ in range(2):  # what was asked or compared meanwhile is proposed again
        club.say(ANNA, BEN, Form(message, ()))
