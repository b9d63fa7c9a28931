"""Several who open the next game of a match at once: all come to one table."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from clubs import GAME, Club
from friends import ANNA, BEN, over
from net_tables import NAMES, Room

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby import again, known
from p2p_stonehenge.lobby.company import next_of_match
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.setup import Setup, from_position, places_of
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import Series, origin_of


def test_a_host_shows_its_table_to_another_one_that_has_not_seen_it_opened(club: Club, tmp_path: Path) -> None:
    """What is announced comes late, and a client that opens its table again may not have been seen to do so."""
    found = next_of_match(over(tmp_path).tables[2].table, BEN.id)
    assert found
    stays, goes = sorted((ANNA, BEN), key=lambda one: one.id)
    hosts = []
    for one in (stays, goes):
        network: Any = club.client(one)
        network.handler = HostLobby(network, Home.open(str(tmp_path / one.id.hex()[:8])), print, found.setup)
        hosts.append(network.handler)
    club.say(goes, stays, hosts[1]._advert())
    assert hosts[1].gives_way_to == stays.id
    assert hosts[0].gives_way_to is None
    hosts[1].done.exception()


def test_a_table_that_goes_on_from_another_one_is_announced_so(club: Club, tmp_path: Path) -> None:
    table = Room(tmp_path / "room", "fidchell", NAMES[:2], series=Series(3)).tables[1].table
    setup = from_position(table.charter.body, origin_of(table), places_of(table.charter.body))
    network: Any = club.client(ANNA)
    lobby = HostLobby(network, Home.open(str(tmp_path / "home")), print, setup)
    assert lobby.announcement == f"fidchell 1/2 o{table.id.hex()[:4]} m3 private"
    lobby.done.cancel()


def test_of_two_friends_who_open_tables_of_one_game_one_is_told_to_sit_down_at_the_other(
    club: Club, tmp_path: Path
) -> None:
    """Each would wait for the other one, who has taken the first row of the start page as well."""
    less, more = sorted((ANNA, BEN), key=lambda one: one.id)
    tables = {"qenqe 1/2": True, "qenqe 2/2": False, "qenqe 1/2 ffff": False, "fidchell 1/2": False}
    for one, other in ((less, more), (more, less)):
        network: Any = club.client(one)
        home, told = Home.open(str(tmp_path / one.id.hex()[:8])), list[str]()
        for met in (False, True):
            if met:
                known.meet(home, other.id, "ben")
            host = HostLobby(network, home, told.append, Setup(GAME, {}, 2))
            for table, counts in tables.items():
                network.sightings = {other.id: Sighting(other.id, "ben", (), bytes(8), table)}
                host.tick()
                host.tick()
                assert len(told) == (met and counts), "of a friend, and once"
                then = (
                    ": Ctrl-C closes yours, then `p2p-stonehenge join ben` sits down there."
                    if one == more
                    else ", and ben reads how to sit down at yours."
                )
                assert told in ([], [f"ben has opened a table of Fidchess Qenqe as well{then}"])
                told.clear()
            host.done.cancel()


def test_who_sits_at_a_table_that_gives_way_to_a_third_one_opens_the_own_table_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of three hosts the first one may have sat down at the table of the second one before that one gives way."""
    done: list[str] = []
    signed = object()

    class Host:
        def __init__(self, *_: object) -> None:
            self.gives_way_to = (b"ben", b"cara")[done.count("hosts")]

        async def gather(self) -> None:
            done.append("hosts")
            raise Failure(f"{self.gives_way_to.decode()} has opened a table for that game as well.", NETWORK)

    class Guest:
        def __init__(self, *given: Any, offered: object, given_up: set[bytes]) -> None:
            self.host, self.closed = given[3], given[3] == b"ben"
            assert offered is nothing, "what the player has agreed to is the own table"
            assert len(given_up) == len(done) // 2, "one set for all tables"
            given_up.add(self.host)

        async def gather(self, _: object) -> object:
            done.append(f"sits at the table of {self.host.decode()}")
            if self.closed:
                raise Failure("ben has closed the table before the game began.", NETWORK)
            return signed

    async def announce(_: str) -> None:
        pass

    monkeypatch.setattr(again, "HostLobby", Host)
    monkeypatch.setattr(again, "GuestLobby", Guest)
    network: Any = SimpleNamespace(announce=announce, transport=SimpleNamespace(nick_of=bytes.decode))
    nothing: Any = SimpleNamespace(passphrase=None)
    told: list[str] = []
    formed = asyncio.run(again.gather_next(network, nothing, told.append, nothing, None))
    assert formed is signed
    assert done == ["hosts", "sits at the table of ben", "hosts", "sits at the table of cara"]
    assert "ben has closed that table: yours is open again." in told
