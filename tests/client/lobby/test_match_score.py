"""The score of a match: each client computes it from its own games, and all have to agree to it."""

from pathlib import Path
from typing import Any

import clubs
import pytest
import saved_games
from clubs import Club, advert_of, answers, failure
from friends import ANNA, BEFORE, BEN, CARA, Friends, over, propose, signed
from net_tables import NAMES, Room
from saved_games import home_of

from engine import all_games
from p2p_stonehenge.lobby.company import rematch
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.origins import series_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.local import LocalTable
from protocol import LOCAL, NET, Form, Seat, Series, Table, local_charter, make_body, origin_of

SCORE = Series(5, 3, b"t" * 32, (2, 1, 0))


def forged(series: Series) -> dict[str, Series]:
    """Scores that a host could wish for, none of them that of the games that were played."""
    return {
        "a point more": series._replace(points=(series.points[0] + 1, *series.points[1:])),
        "points of another player": series._replace(points=series.points[::-1]),
        "a game less": series._replace(games=series.games - 1),
        "another table before": series._replace(table=b"u" * 32),
        "a match to more points": series._replace(match=7),
        "no match any more": series._replace(match=0),
        "a new match": Series(5),
        "nothing before": Series(),
    }


@pytest.mark.parametrize("what", forged(SCORE))
def test_a_score_that_is_not_that_of_the_games_before_is_refused(friends: Friends, what: str) -> None:
    """Whoever opens the next table: each client computes the score from the game that it holds."""
    _, setup = rematch(friends.last, [one.id for one in (ANNA, BEN, CARA)])
    sitting = ("ben", "cara", "anna")
    seats = tuple(
        Seat(one.id, name, n) for n, (one, name) in enumerate(zip((BEN, CARA, ANNA), sitting, strict=True), 1)
    )
    right = setup.series(seats)
    body = make_body(NET, setup.game, setup.options, seats, bytes(16), watching=setup.watching)
    for series, fair in ((right, True), (forged(right)[what], False)):
        guest = friends.sit(BEN)
        anna = friends.club.client(ANNA)
        propose(friends.club, body._replace(series=series))
        assert (guest.formation is not None) == fair
        assert bool([one for one in anna.heard if isinstance(one, Form)]) == fair
    told, begins = failure(guest), what in ("a new match", "nothing before")
    assert ("has opened another table, and not that of your next game" in told) == begins
    assert ("tells another score than your own games give" in told) == (not begins)
    assert f"Your own games: match to 5, {', '.join(points_of(right, seats))} after 3 games." in told


def points_of(series: Series, seats: tuple[Seat, ...]) -> list[str]:
    order = sorted(range(3), key=lambda place: -series.points[place])
    return [f"{seats[place].name} {series.points[place]}" for place in order]


@pytest.mark.parametrize("what", ["right", *forged(SCORE)])
def test_a_table_that_goes_on_from_a_game_has_the_score_before_that_game(club: Club, tmp_path: Path, what: str) -> None:
    """As after two versions of a move, or with `host --from`: no result of that game counts, and it counts once."""
    room = over(tmp_path)
    last = room.tables[2].table
    body = last.charter.body._replace(attempt=b"another attempt.", origin=origin_of(last, 0))
    right = series_of(last, body.seats, goes_on=True)
    assert right == BEFORE
    body = body._replace(series=right if what == "right" else forged(right)[what])
    client, told = club.client(BEN), club.told.setdefault(BEN.id, [])
    network: Any = client
    client.handler = guest = GuestLobby(network, Home.open(str(room.folder / "2")), told.append, ANNA.id)
    club.client(ANNA)
    propose(club, body)
    assert ("tells another score than your own games give" in failure(guest)) == (what != "right")
    assert ("By your own file that game is over" in failure(guest)) == (what == "right"), "all else is right"


def test_a_score_of_games_that_a_guest_has_no_file_of_is_refused(club: Club) -> None:
    """A stranger's table begins without a score, whatever its host would like."""
    seats = Seat(ANNA.id, "anna", 1), Seat(BEN.id, "ben", 2)
    body = make_body(NET, all_games()["fidchess"], {}, seats, bytes(16), series=Series(5, 4, b"t" * 32, (4, 0)))
    client, told = club.client(BEN), club.told.setdefault(BEN.id, [])
    network: Any = client
    client.handler = guest = GuestLobby(network, Home.open(str(club.path / "ben")), told.append, ANNA.id)
    club.client(ANNA)
    propose(club, body)
    assert "tells a score of games that you have no file of" in failure(guest)


def test_a_first_table_shows_the_match_before_anybody_sits_down(club: Club) -> None:
    host = club.host(2)
    host.setup = host.setup._replace(series=lambda _: Series(7))
    guest = club.guest(clubs.BEN)
    club.meet(clubs.BEN)
    assert signed(host).body.series == signed(guest).body.series == Series(7)
    counts = "what it was worth" if host.setup.game.stakes else "1"
    told = f"; match to 7 points, of which a game won counts {counts};"
    assert any(told in text for text in club.told[clubs.BEN.id])


def test_a_guest_reads_what_follows_when_the_time_for_a_turn_is_up(club: Club) -> None:
    host = club.host(2)
    host.setup = host.setup._replace(turn_time=30)
    club.guest(clubs.BEN)
    club.meet(clubs.BEN)
    told = "; time: 30 s for each turn; when it is up, a connected client resigns: its player has lost;"
    assert any(told in text for text in club.told[clubs.BEN.id])


def test_who_waits_for_more_players_reads_so_and_how_fewer_begin(club: Club) -> None:
    club.host(4)
    ask, _ = answers()
    club.guest(clubs.BEN, None, ask)
    club.meet(clubs.BEN)
    club.pass_time(1)
    assert club.told[clubs.BEN.id][-1].endswith(". Waiting for 2 more; Ctrl-C leaves")
    fewer = "To begin with 2, close this table by Ctrl-C and host one with `--players 2`."
    assert club.told[clubs.ANNA.id][-1] == f"ben sits down: 2 of 4. {fewer}"


def test_a_match_that_was_not_advertised_is_asked_about(club: Club) -> None:
    ask, asked = answers("yes")
    guest = club.guest(clubs.BEN, None, ask)
    club.client(clubs.ANNA)
    body = clubs.formation(clubs.ANNA).body
    club.say(clubs.ANNA, clubs.BEN, advert_of(body))
    message = Form(clubs.formation(clubs.ANNA, body=body._replace(series=Series(7))).message(), ())
    for _ in range(2):
        club.say(clubs.ANNA, clubs.BEN, message)
    assert any("match to: none -> 7" in text for text in club.told[clubs.BEN.id])
    assert len(asked) == 1
    assert guest.formation


def test_the_score_stands_beside_the_match_before_and_after_the_game(tmp_path: Path) -> None:
    room = Room(tmp_path / "room", "fidchell", NAMES[:3], series=BEFORE)
    assert room.tables[2].options == (("match to", "5 (ben 1, cara 1, anna 0)"),)
    greeting = [line for line in room.type(2, "who") if "match" in line]
    assert greeting == ["  options: match to 5 (ben 1, cara 1, anna 0)"]
    while (result := room.tables[2].result) is None:
        room.agree_to(room.tables[1].turn, "resign")
    (winner,) = result.winners
    assert f"{NAMES[winner - 1]} {BEFORE.points[winner - 1] + 1}" in room.tables[2].options[0][1]


def test_the_question_before_a_player_resigns_tells_who_gets_how_many_points_of_a_match(tmp_path: Path) -> None:
    """One point, where games have no stakes; nothing while others play on after it."""
    room = Room(tmp_path / "room", "fidchell", NAMES[:3], series=BEFORE)
    asked = []
    for _ in range(2):
        seat = room.tables[1].turn
        asked += room.type(seat, "resign")
        room.type(seat, "yes")
    (winner,) = room.tables[1].result.winners if room.tables[1].result else ()
    first, second = asked
    assert first == "Give the game up? It is lost then. [y/N]"
    assert f"It is lost then. With that {NAMES[winner - 1]} gets 1 point, and the match stands " in second
    assert f"{NAMES[winner - 1]} {BEFORE.points[winner - 1] + 1}" in second


def test_where_the_cube_was_turned_to_resign_costs_the_stake(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    seats = tuple(Seat(saved_games.ANNA.id, name, 1) for name in ("anna", "zoe"))
    options = {"first": 1, "cube": True}
    body = make_body(LOCAL, all_games()["kingamon"], options, seats, bytes(16), series=Series(3))
    charter = local_charter(body, saved_games.ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: saved_games.ANNA}), home.journal(charter.table), (1, 2))
    table.begin()
    action = ""
    while action != "take":
        legal = table.game.legal(table.state, table.turn)
        action = next((one for one in ("double", "take") if one in legal), legal[0])
        table.play(table.turn, action)
    for match, then in ((3, ", and the match stands"), (2, " and wins the match:")):
        table.series = Series(match)
        told = f"Give the game up for Red (zoe)? It is lost then. With that anna gets 2 points{then} anna 2, zoe 0."
        assert table.question("resign", 2).text == told
