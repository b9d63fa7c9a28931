"""A match that goes on after all have left: who may open its next table, and who may sit there."""

from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import Club, club, failure
from friends import ANNA, BEFORE, BEN, CARA, named, over, signed
from net_tables import IDENTITIES, NAMES, Room

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.company import next_of_match, rematch
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.origins import series_of
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import Series

__all__ = ["club", "named"]


def test_a_match_that_all_have_left_between_two_games_goes_on_with_the_saved_game(club: Club, tmp_path: Path) -> None:
    """Any of the players opens the table; the others join it as any other one, and check the score by their files."""
    room = over(tmp_path)
    last = room.tables[2].table
    found = next_of_match(last, BEN.id)
    assert found
    lobbies: list[HostLobby | GuestLobby] = []
    for number, one in ((2, BEN), (1, ANNA), (3, CARA)):
        network: Any = club.client(one)
        home, tell = Home.open(str(room.folder / str(number))), club.told.setdefault(one.id, []).append
        host = HostLobby(network, home, tell, found.setup)
        lobbies.append(host if one == BEN else GuestLobby(network, home, tell, BEN.id))
        network.handler = lobbies[-1]
    for _ in range(3):
        for lobby in lobbies:
            for other in (ANNA, BEN, CARA):
                if lobby.network.identity.id != other.id:
                    lobby.link(other.id, True)
        club.deliver()
    bodies = [signed(lobby).body for lobby in lobbies]
    assert bodies[0].series == series_of(last, bodies[0].seats, goes_on=False)
    assert bodies[0].series.games == BEFORE.games + 1
    assert bodies[0].series.table == last.id
    assert [seat.name for seat in bodies[0].seats] == ["ben", "cara", "anna"]
    assert "Your own file of that table says the same." in club.told[ANNA.id]


@pytest.mark.parametrize(("series", "kept"), [(BEFORE, "match"), (Series(), "last game")], ids=["match", "evening"])
def test_a_stranger_is_told_for_whom_a_table_with_free_seats_is_kept(
    club: Club, tmp_path: Path, series: Series, kept: str
) -> None:
    room = over(tmp_path, series)
    network: Any = club.client(BEN)
    setup = rematch(room.tables[2].table, [one.id for one in (ANNA, BEN, CARA)]).setup
    host = network.handler = HostLobby(network, Home.open(str(room.folder / "2")), print, setup)
    network = club.client(IDENTITIES[4])
    guest = network.handler = GuestLobby(network, Home.open(str(tmp_path / "eve")), print, BEN.id)
    host.link(IDENTITIES[4].id, True)
    guest.link(BEN.id, True)
    club.deliver()
    assert f"That table is kept for the players of its {kept}." in failure(guest)


@pytest.mark.parametrize("other", ["a stranger", "another game", "another match", "the next game"])
def test_of_two_hosts_of_the_same_next_game_one_sits_down_at_the_table_of_the_other(
    club: Club, tmp_path: Path, other: str
) -> None:
    """The lesser id stays the host, whoever was first; a table of others, or of another game, is none of this match."""
    room = over(tmp_path)
    found = next_of_match(room.tables[2].table, BEN.id)
    assert found
    stays, goes = sorted((ANNA, BEN), key=lambda one: one.id)
    first = min(IDENTITIES[3:], key=lambda one: one.id) if other == "a stranger" else stays
    assert first.id < goes.id
    setup = found.setup
    if other.startswith("another"):  # as `host fidchell` opens it, or `host fidchell --match 5`
        match = Series(BEFORE.match) if other == "another match" else Series()
        setup = Setup(all_games()["fidchell"], {}, 3, series=lambda _: match)
    hosts: list[HostLobby] = []
    for one, offered in ((goes, found.setup), (first, setup)):
        network: Any = club.client(one)
        network.handler = HostLobby(network, Home.open(str(tmp_path / one.id.hex()[:8])), print, offered)
        hosts.append(network.handler)
    for lobby, peer, host in zip(hosts, (first, goes), reversed(hosts), strict=True):
        seen = Sighting(peer.id, clubs.NAMES[peer.id], ("127.0.0.1:1",), bytes(8), host.hint)
        lobby.network.sightings = {peer.id: seen}
    for _ in range(3):
        for lobby in hosts:
            if not lobby.done.done():
                lobby.tick()
        if any(client.dialled for client in club.clients.values()):
            hosts[0].link(first.id, True)
            hosts[1].link(goes.id, True)
        club.deliver()
    assert not hosts[1].done.done(), "that client stays the host"
    if other == "the next game":
        assert hosts[0].gives_way_to == stays.id
        name = clubs.NAMES[stays.id]
        assert failure(hosts[0]) == f"{name} has opened a table for that game as well: you sit down there."
    else:
        assert hosts[0].gives_way_to is None


def test_only_the_players_of_a_match_that_is_over_go_on_with_it(tmp_path: Path) -> None:
    last = over(tmp_path).tables[1].table
    with pytest.raises(Failure, match="That match is not yours to go on with"):
        next_of_match(last, IDENTITIES[4].id)
    going = Room(tmp_path / "going", "fidchell", NAMES[:3], series=BEFORE).tables[1].table
    assert next_of_match(going, ANNA.id) is None, "a game that is not over is resumed"
    matchless = over(tmp_path / "matchless", Series()).tables[1].table
    assert next_of_match(matchless, ANNA.id) is None
