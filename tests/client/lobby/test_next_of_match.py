"""A match that goes on after all have left: who may open its next table, and who may sit there."""

from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import Club, failure
from friends import ANNA, BEFORE, BEN, CARA, guest_of, home_at, next_body, over, propose, signed
from net_tables import IDENTITIES, NAMES, Room

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.company import next_of_match, rematch
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.origins import later_told, series_of
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import Form, Series, origin_of


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


def played_on(room: Room, folder: Path) -> Series:
    """Let the three play the next game of their match as well, which lies among ben's; return the score before it."""
    setup = rematch(room.tables[2].table, [one.id for one in (ANNA, BEN, CARA)]).setup
    before = setup.series(room.charter.body.seats)
    following = Room(folder / "following", "fidchell", NAMES[:3], series=before)
    while following.tables[2].result is None:
        following.agree_to(following.tables[1].turn, "resign")
    saved = following.tables[2].path
    (room.folder / "2" / "games" / saved.name).write_bytes(saved.read_bytes())
    return before


@pytest.mark.parametrize("line", [None, "no", "yes"])
@pytest.mark.parametrize("goes_on", [False, True], ids=["the next game", "the same game"])
def test_a_guest_is_asked_before_a_game_of_a_match_is_played_that_it_has_played_already(
    club: Club, tmp_path: Path, line: str | None, goes_on: bool
) -> None:
    """Its loser opens it once more: the score before it is right, and a later one is among the guest's own files."""
    room = over(tmp_path)
    last = room.tables[2].table
    before = played_on(room, tmp_path)
    body = room.charter.body._replace(origin=origin_of(last, 0), series=BEFORE) if goes_on else next_body(last)
    assert goes_on or body.series.points == (before.points[1], before.points[2], before.points[0])
    guest, asked = guest_of(club, room, BEN, *([line] if line else []))
    told, anna = club.told[BEN.id], club.client(ANNA)
    propose(club, body._replace(attempt=b"another attempt."))
    assert len(asked) == (line is not None)
    assert all("Play at that table all the same?" in question for question in asked)
    if line == "yes":
        assert guest.formation
        said = told
    else:
        said = [failure(guest), *told]
        assert ("You did not agree to that table." if line else "Nobody is here to agree to that.") in said[0]
        assert not [message for message in anna.heard if isinstance(message, Form)]
    later = "A later game of that match is among your saved games: Fidchell "
    same = "That game of the match was begun already at a table that you have saved: Fidchell "
    assert any((later if goes_on else same) in text for text in said)


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
    """The first one by seats stays the host, whoever was first; a table of others, or another game, is no such game."""
    room = over(tmp_path)
    found = next_of_match(room.tables[2].table, BEN.id)
    assert found
    stays, goes = ANNA, BEN
    first = IDENTITIES[3] if other == "a stranger" else stays
    setup = found.setup
    if other == "a stranger":
        setup = setup._replace(places={first.id: 0, **setup.places})
    if other.startswith("another"):  # as `host fidchell` opens it, or `host fidchell --match 5`
        match = Series(BEFORE.match) if other == "another match" else Series()
        setup = Setup(all_games()["fidchell"], {}, 3, series=lambda _: match)
    hosts: list[HostLobby] = []
    for one, offered in ((goes, found.setup), (first, setup)):
        network: Any = club.client(one)
        network.handler = HostLobby(network, Home.open(str(tmp_path / one.id.hex()[:8])), print, offered)
        hosts.append(network.handler)
    for lobby, peer, host in zip(hosts, (first, goes), reversed(hosts), strict=True):
        seen = Sighting(peer.id, clubs.NAMES[peer.id], ("127.0.0.1:1",), bytes(8), host.announcement)
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


def test_a_table_that_was_watched_takes_no_match_off_the_list(tmp_path: Path) -> None:
    """Its players may name any table as the one before theirs."""
    room = over(tmp_path)
    home = home_at(room.folder / "2", BEN)
    assert [one.between for one in Shelf(home).games()] == [True]
    others = Room(tmp_path / "others", "fidchell", NAMES[:2], series=Series(5, 3, room.charter.table, (4, 4)))
    stranger = home_at(tmp_path / "stranger", CARA)
    for path in (room.tables[2].path, others.tables[1].path):
        (stranger.games / path.name).write_bytes(path.read_bytes())
    found = {one.table: one for one in Shelf(stranger).games()}
    assert found[others.charter.table].watched
    assert found[room.charter.table].between
    assert later_told(Shelf(stranger).games(), room.charter.table) == ""
    (home.games / others.tables[1].path.name).write_bytes(others.tables[1].path.read_bytes())
    assert later_told(Shelf(home).games(), room.charter.table), "it is ben's own"
