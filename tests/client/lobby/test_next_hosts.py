"""Several who open the next game of a match at once: all come to one table."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import clubs
import pytest
from clubs import EVE, GAME, Club
from friends import ANNA, BEN, Friends, over
from net_tables import NAMES, Room

from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby import again, known
from p2p_stonehenge.lobby.company import Company, next_of_match
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.setup import Setup, from_position, places_of
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import Series, origin_of


def test_a_host_shows_its_table_to_another_one_that_has_not_seen_it_opened(club: Club, tmp_path: Path) -> None:
    """What is announced comes late, and a client that opens its table again may not have been seen to do so."""
    found = next_of_match(over(tmp_path).tables[2].table, BEN.id)
    assert found
    stays, goes = ANNA, BEN
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


def test_of_two_people_who_open_tables_of_one_game_one_is_told_to_sit_down_at_the_other(
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
                assert len(told) == counts, "also of somebody never met before, and once"
                then = (
                    ": Ctrl-C closes yours, then `p2p-stonehenge join ben` sits down there."
                    if one == more
                    else ", and ben reads how to sit down at yours."
                )
                assert told in ([], [f"ben has opened a table of Fidchess Qenqe as well{then}"])
                told.clear()
            host.done.cancel()


def test_a_host_reads_of_few_strangers_who_have_opened_tables_of_the_same_game_and_of_every_friend(
    club: Club, tmp_path: Path
) -> None:
    network: Any = club.client(ANNA)
    home, told = Home.open(str(tmp_path / "anna")), list[str]()
    friend = EVE.id
    known.meet(home, friend, "eve")
    host = HostLobby(network, home, told.append, Setup(GAME, {}, 2))
    strangers = {bytes([number]) * 32: f"host{number}" for number in range(1, 9)}
    for id, nick in {**strangers, friend: "eve"}.items():
        network.sightings[id] = Sighting(id, nick, (), bytes(8), "qenqe 1/2")
    host.tick()
    host.tick()
    assert [text.partition(" ")[0] for text in told] == ["host1", "host2", "host3", "eve"]
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


@pytest.mark.parametrize("again", [ANNA, BEN], ids=["the first one", "the next one"])
def test_of_a_host_who_waits_since_the_last_game_and_one_who_opens_the_match_anew_one_gives_way(
    friends: Friends, again: Any
) -> None:
    """Each shows its table as soon as they are linked, and both have one order."""
    other = BEN if again == ANNA else ANNA
    company = Company(friends.last, ())
    company.away = {ANNA.id} if again == BEN else set()
    hosts: dict[bytes, HostLobby] = {}
    for one in (again, other):
        network: Any = friends.club.client(one)
        found = next_of_match(friends.last, one.id)
        assert found
        home = Home.open(str(friends.club.path / clubs.NAMES[one.id]))
        network.handler = hosts[one.id] = HostLobby(
            network, home, print, found.setup, company if one == again else None
        )
    friends.see()
    friends.meet()
    friends.club.pass_time(2)
    assert {id: lobby.done.done() for id, lobby in hosts.items()} == {ANNA.id: False, BEN.id: True}
