"""Friends play again: who is awaited, who is asked when somebody has left, and which score all have to agree to."""

import os
import sys
from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import Club, advert_of, answers, club, failure
from fake_table import FakeTable
from forming import agree
from net_tables import IDENTITIES, NAMES, Room
from test_after import Staying
from window import SETTINGS, opened

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.company import Company, next_of_match, rematch
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.origins import series_of
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import (
    NET,
    Body,
    Charter,
    Form,
    Formation,
    Seat,
    Series,
    Table,
    make_body,
    origin_of,
)

__all__ = ["club"]

ANNA, BEN, CARA = IDENTITIES[:3]
BEFORE = Series(5, 2, b"t" * 32, (0, 1, 1))


@pytest.fixture(autouse=True)
def _names(monkeypatch: pytest.MonkeyPatch) -> None:
    for one, name in zip(IDENTITIES, NAMES, strict=True):
        monkeypatch.setitem(clubs.NAMES, one.id, name)


def over(folder: Path, series: Series = BEFORE) -> Room:
    """A game of three that is over: two of them have resigned."""
    room = Room(folder / "room", "fidchell", NAMES[:3], series=series)
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    return room


class Friends:
    """The players of a game that is over, at their way to the next one."""

    def __init__(self, club: Club, last: Table) -> None:
        self.club, self.last = club, last
        self.asked: dict[bytes, list[str]] = {}

    def sit(self, one: Any, *lines: str, without: tuple[Any, ...] = ()) -> HostLobby | GuestLobby:
        """Let a player play again who answers questions with `lines`."""
        ask, self.asked[one.id] = answers(*lines)
        company = Company(self.last, {other.id for other in without})
        people, setup = company.rematch()
        client, told = self.club.client(one), self.club.told.setdefault(one.id, [])
        network: Any = client
        home = Home.open(str(self.club.path / NAMES[IDENTITIES.index(one)]))
        if people[0] == one.id:
            client.handler = HostLobby(network, home, told.append, setup, company, ask)
        else:
            client.handler = GuestLobby(network, home, told.append, people[0], ask=ask, company=company)
        return client.handler  # type: ignore[no-any-return]

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


def test_when_all_play_again_nobody_is_asked_and_the_score_goes_on(friends: Friends) -> None:
    lobbies = [friends.sit(one) for one in (ANNA, BEN, CARA)]
    friends.meet()
    tables = {signed(lobby).table for lobby in lobbies}
    assert len(tables) == 1
    body = signed(lobbies[0]).body
    assert [seat.name for seat in body.seats] == ["ben", "cara", "anna"]
    (winner,) = friends.last.fold.result.winners  # type: ignore[union-attr]
    points = {name: made + (seat == winner) for seat, (name, made) in enumerate(zip(NAMES, (0, 1, 1), strict=False), 1)}
    assert body.series == Series(5, 3, friends.last.id, (points["ben"], points["cara"], points["anna"]))
    assert not any(friends.asked.values())


def test_without_a_player_who_left_the_next_game_begins_only_when_all_who_stay_agree(friends: Friends) -> None:
    """Each is asked by name; nobody is left out unasked."""
    anna, ben = friends.sit(ANNA, "yes"), friends.sit(BEN, "yes")
    friends.meet()
    assert not anna.done.done()
    friends.club.pass_time(1)
    friends.club.pass_time(1)
    assert friends.asked[ANNA.id] == friends.asked[BEN.id] == ["cara is gone. Play again without cara? [y/N]: "]
    assert signed(anna).table == signed(ben).table
    assert [seat.name for seat in signed(ben).body.seats] == ["ben", "anna"]


def test_a_host_who_wants_to_wait_waits_and_a_player_who_comes_back_plays(friends: Friends) -> None:
    anna, ben = friends.sit(ANNA, "no"), friends.sit(BEN)
    friends.meet()
    friends.club.pass_time(5)
    assert "Waiting for cara to come back. Ctrl-C leaves." in friends.club.told[ANNA.id]
    assert len(friends.asked[ANNA.id]) == 1, "asked once"
    assert not anna.done.done()
    cara = friends.sit(CARA)
    friends.meet()
    assert len({signed(lobby).table for lobby in (anna, ben, cara)}) == 1


def test_a_guest_who_does_not_agree_signs_nothing(friends: Friends) -> None:
    anna, ben = friends.sit(ANNA, "yes"), friends.sit(BEN, "no")
    friends.meet()
    friends.club.pass_time(2)
    assert "did not agree to play without cara" in failure(ben)
    assert not anna.done.done()


def test_a_host_who_changes_the_options_for_the_next_game_is_noticed(friends: Friends) -> None:
    """What is played again follows from the last table, not from what the host advertises now."""
    ben = friends.sit(BEN, "no")
    friends.club.client(ANNA)
    seats = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(zip((BEN, CARA, ANNA), NAMES, strict=False), 1))
    setup = rematch(friends.last, [one.id for one in (ANNA, BEN, CARA)]).setup._replace(options={"pieces": 9})
    propose(friends.club, setup.body(seats, bytes(16)))
    assert any("pieces: 27 -> 9" in text for text in friends.club.told[BEN.id]), friends.club.told[BEN.id]
    assert "did not agree to that table" in failure(ben)


def test_who_agreed_at_the_last_table_is_not_asked_again(friends: Friends) -> None:
    anna, ben = (friends.sit(one, without=(CARA,)) for one in (ANNA, BEN))
    friends.meet()
    assert signed(anna).table == signed(ben).table
    assert not any(friends.asked.values())


def test_a_guest_is_asked_at_once_about_a_host_who_is_gone(friends: Friends) -> None:
    ben = friends.sit(BEN, "yes")
    assert isinstance(ben, GuestLobby)
    ben.tick()
    assert friends.asked[BEN.id] == ["anna is gone. Play again without anna? [y/N]: "]
    assert "anna is gone." in failure(ben)


def test_the_last_one_is_told_that_nobody_is_left_and_not_asked(friends: Friends) -> None:
    """A game without the others cannot be had, whatever the answer."""
    anna = friends.sit(ANNA)
    friends.club.pass_time(2)
    gone = "ben and cara are gone, and nobody else is left to play with."
    told = f"{gone} Waiting for ben and cara to come back. Ctrl-C leaves."
    assert friends.club.told[ANNA.id] == [told]
    assert not anna.done.done()
    ben, cara = friends.sit(BEN), friends.sit(CARA)
    friends.meet()
    assert len({signed(lobby).table for lobby in (anna, ben, cara)}) == 1
    assert not any(friends.asked.values())


@pytest.mark.parametrize("before", [True, False], ids=["before", "meanwhile"])
def test_a_guest_is_told_of_a_host_without_whom_nobody_is_left(friends: Friends, before: bool) -> None:
    """And asked nothing, whether the host went before this player looked for the next table or after that."""
    ben = friends.sit(BEN, without=(CARA,))
    assert isinstance(ben, GuestLobby)
    if not before:
        ben.link(ANNA.id, False)
    for _ in range(2):
        ben.tick()
    assert friends.asked[BEN.id] == []
    gone = "anna is gone, and nobody else is left to play with"
    told = f"{gone}: waiting up to a minute for anna to come back. Ctrl-C leaves."
    assert friends.club.told[BEN.id] == [told]


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


@pytest.mark.parametrize("other", ["a stranger", "another game", "the next game"])
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
    setup = found.setup if other != "another game" else Setup(all_games()["fidchell"], {}, 3)
    hosts: list[HostLobby] = []
    for one, offered in ((goes, found.setup), (first, setup)):
        network: Any = club.client(one)
        network.handler = HostLobby(network, Home.open(str(tmp_path / one.id.hex()[:8])), print, offered)
        hosts.append(network.handler)
    for lobby, peer in zip(hosts, (first, goes), strict=True):
        seen = Sighting(peer.id, clubs.NAMES[peer.id], ("127.0.0.1:1",), bytes(8), "fidchell 1/3")
        lobby.network.sightings = {peer.id: seen}
    for _ in range(3):
        for lobby in hosts:
            if not lobby.done.done():
                lobby.tick()
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


SCORE = Series(5, 3, b"t" * 32, (2, 1, 0))


@pytest.mark.parametrize("what", forged(SCORE))
def test_a_score_that_is_not_that_of_the_games_before_is_refused(friends: Friends, what: str) -> None:
    """Whoever opens the next table: each client computes the score from the game that it holds."""
    _, setup = rematch(friends.last, [one.id for one in (ANNA, BEN, CARA)])
    seats = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(zip((BEN, CARA, ANNA), NAMES, strict=False), 1))
    right = setup.series(seats)
    body = make_body(NET, setup.game, setup.options, seats, bytes(16), watching=setup.watching)
    for series, fair in ((right, True), (forged(right)[what], False)):
        guest = friends.sit(BEN)
        anna = friends.club.client(ANNA)
        propose(friends.club, body._replace(series=series))
        assert (guest.formation is not None) == fair
        assert bool([one for one in anna.heard if isinstance(one, Form)]) == fair
    told = failure(guest)
    assert "tells another score than your own games give" in told
    assert f"Your own games: match to 5, {', '.join(points_of(right, seats))} after 3 games." in told


def points_of(series: Series, seats: tuple[Seat, ...]) -> list[str]:
    order = sorted(range(3), key=lambda place: -series.points[place])
    return [f"{seats[place].name} {series.points[place]}" for place in order]


def propose(club: Club, body: Body) -> None:
    """Let anna, who has no lobby, show a table and propose its charter to ben."""
    message = Formation(body, {3: ANNA}, b"seed").message()
    club.say(ANNA, BEN, advert_of(body))
    club.say(ANNA, BEN, Form(message, ()))
    club.say(ANNA, BEN, Form(message, ()))  # what was asked or compared meanwhile is proposed again


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
    propose_as_first(club, body)
    if what == "right":
        assert guest.formation
        assert "Your own file of that table says the same." in told
    else:
        assert "tells another score than your own games give" in failure(guest)


def propose_as_first(club: Club, body: Body) -> None:
    message = Formation(body, {1: ANNA}, b"seed").message()
    club.say(ANNA, BEN, advert_of(body))
    for _ in range(2):
        club.say(ANNA, BEN, Form(message, ()))


def test_a_score_of_games_that_a_guest_has_no_file_of_is_refused(club: Club) -> None:
    """A stranger's table begins without a score, whatever its host would like."""
    seats = Seat(ANNA.id, "anna", 1), Seat(BEN.id, "ben", 2)
    body = make_body(NET, all_games()["fidchess"], {}, seats, bytes(16), series=Series(5, 4, b"t" * 32, (4, 0)))
    client, told = club.client(BEN), club.told.setdefault(BEN.id, [])
    network: Any = client
    client.handler = guest = GuestLobby(network, Home.open(str(club.path / "ben")), told.append, ANNA.id)
    club.client(ANNA)
    propose_as_first(club, body)
    assert "tells a score of games that you have no file of" in failure(guest)


def test_a_first_table_shows_the_match_before_anybody_sits_down(club: Club) -> None:
    host = club.host(2)
    host.setup = host.setup._replace(series=lambda _: Series(7))
    guest = club.guest(clubs.BEN)
    club.meet(clubs.BEN)
    assert signed(host).body.series == signed(guest).body.series == Series(7)
    assert any("; match to 7 points;" in text for text in club.told[clubs.BEN.id])


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


# What can be played by those who stay.


def table_of(key: str, count: int, **options: Any) -> Table:
    seats = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(zip(IDENTITIES, NAMES, strict=True), 1))[:count]
    body = make_body(NET, all_games()[key], options, seats, bytes(16))
    return Table(agree([Formation(body, {n: IDENTITIES[n - 1]}, b"%d" % n) for n in range(1, count + 1)]), {})


@pytest.mark.parametrize(
    ("key", "count", "options", "stay", "players", "bots"),
    [
        ("celtic-whist", 5, {}, 4, 4, 0),
        ("celtic-whist", 5, {"all_cards": True}, 4, 5, 1),
        ("qenqe", 4, {"partners": True}, 3, 4, 1),
        ("qenqe", 5, {"quen": True}, 2, 2, 0),
        ("kingamon", 2, {"cube": True}, 2, 2, 0),
        ("kingamon", 2, {}, 1, 2, 1),
    ],
)
def test_options_that_fewer_cannot_play_keep_the_table_as_large_with_bots(
    key: str, count: int, options: dict[str, Any], stay: int, players: int, bots: int
) -> None:
    """Partners stay four, and a game of five that names its options of five is played by four without them."""
    last = table_of(key, count, **options)
    setup = rematch(last, [one.id for one in IDENTITIES[:stay]]).setup
    assert (setup.players, setup.bots) == (players, bots)
    assert setup.game.start(setup.options, setup.players) is not None


# What is asked at the table itself.


def test_at_the_table_again_asks_first_where_a_player_has_left(tmp_path: Path) -> None:
    room = over(tmp_path)
    table, at = room.tables[1], room.console(1)
    table.stays = True
    room.tables[3].dismiss(0.0)
    room.carry()
    room.leave(3)
    (asked,) = room.type(1, "again")
    assert asked.startswith("cara has left")
    assert asked.endswith("Play again without cara? [y/N]")
    assert at.prompt() == "again? [y/N]> "
    room.type(1, "")
    assert (table.wants_again, at.leaving) == (False, False)
    room.agree_to(1, "again")
    assert (table.wants_again, at.leaving, {*table.plays_without}) == (True, True, {CARA.id})


def test_where_all_are_here_again_asks_nothing(tmp_path: Path) -> None:
    room = over(tmp_path)
    room.tables[2].stays = True
    assert room.type(2, "again") == []
    assert (room.tables[2].wants_again, room.tables[2].plays_without) == (True, frozenset())


def test_the_score_stands_beside_the_match_before_and_after_the_game(tmp_path: Path) -> None:
    room = Room(tmp_path / "room", "fidchell", NAMES[:3], series=BEFORE)
    assert room.tables[2].options == (("match to", "5 (ben 1, cara 1, anna 0)"),)
    greeting = [line for line in room.type(2, "who") if "match" in line]
    assert greeting == ["  options: match to 5 (ben 1, cara 1, anna 0)"]
    while (result := room.tables[2].result) is None:
        room.agree_to(room.tables[1].turn, "resign")
    (winner,) = result.winners
    assert f"{NAMES[winner - 1]} {BEFORE.points[winner - 1] + 1}" in room.tables[2].options[0][1]


class Deserted(Staying):
    """A table that is over and that one player has left."""

    def question(self, command: str, seat: int = 0) -> Any:
        asked = super().question(command, seat)
        return asked._replace(text="ben left 3 s ago. Play again without ben?") if command == "again" else asked


def test_the_question_stands_on_the_screen_though_the_result_does() -> None:
    """It took the place of the question: `again? [y/N]` said nothing of what the yes was for."""
    import asyncio

    from p2p_stonehenge.screen import terminal

    async def play() -> None:
        table: FakeTable = Deserted("fidchess", first=1)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows("move>")
            table.act(1, "resign")
            await window.shows("again or quit>", "You lost to ben by resignation.")
            await window.types("again\r")
            await window.shows("again? [y/N]>", "Play again without ben? [y/N]")
            await window.types("yes\r")
            await asyncio.wait_for(shown, 60)
            assert isinstance(table, Deserted)
            assert table.asked == 1

    asyncio.run(play())


if sys.platform != "win32":
    from real_terminal import RealTerminal

    class Terminals:
        """Friends at real terminals, each with a home; what one is waited for, the others go on being read."""

        def __init__(self, folder: Path) -> None:
            self.folder, self.at = folder, dict[str, RealTerminal]()

        def start(self, name: str, *words: str) -> None:
            options = ("--name", name, "--home", str(self.folder / name), "--interface", "127.0.0.1")
            self.at[name] = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words, *options], 100, 40)

        def shows(self, *texts: str, by: str = "") -> None:
            """Wait until one player's terminal, or each, shows something."""
            for end in [self.at[by]] if by else list(self.at.values()):

                def shown(end: RealTerminal = end) -> bool:
                    for other in self.at.values():
                        if other is not end:
                            other._read(0.0)
                    return all(text in end.text for text in texts)

                end.until(shown)

        def agrees(self, name: str, line: str) -> None:
            self.at[name].types(f"{line}\r")
            self.shows("[y/N]", by=name)
            self.at[name].types("yes\r")

        def leaves(self, name: str, line: str = "quit") -> None:
            self.agrees(name, line)
            assert self.at.pop(name).ends() == 0

    @pytest.mark.network
    @pytest.mark.slow
    def test_friends_play_a_match_to_its_end_with_a_break_in_the_middle(tmp_path: Path) -> None:
        """Both read one score at each point, also after both programs were started again."""
        anna, ben = (f"{name}-{os.getpid()}" for name in ("anna", "ben"))
        play = Terminals(tmp_path)
        try:
            play.start(anna, "host", "fidchess", "-o", "first=1", "--match", "2")
            play.shows("waiting for", by=anna)
            play.start(ben, "join", anna)
            play.shows(f"match to 2 ({anna} 0, {ben} 0)")
            play.shows("your turn", by=anna)
            play.agrees(anna, "resign")
            play.shows(f"Match to 2, after 1 game: {ben} 1, {anna} 0.", "again or quit>")
            for name in (ben, anna):
                play.at[name].types("again\r")
            play.shows(f"match to 2 ({ben} 1, {anna} 0)")
            play.shows("your turn", by=ben)
            play.shows(f"({ben}) to move", by=anna)
            for name in (anna, ben):
                play.leaves(name, "adjourn")
            for name in (anna, ben):
                play.start(name, "resume")
            play.shows(f"match to 2 ({ben} 1, {anna} 0)")
            play.shows("your turn", by=ben)
            play.agrees(ben, "resign")
            play.shows(f"Match to 2, after 2 games: {ben} 1, {anna} 1.", "again or quit>")
            for name in (ben, anna):  # nobody stays at the table: the match goes on from the saved game
                play.at[name].types("quit\r")
            for name in (ben, anna):
                assert play.at.pop(name).ends() == 0
            play.start(ben, "host", "fidchess", "--from", "1")
            play.shows("Game 3 of a match to 2: ", "before it.", "waiting for", by=ben)
            play.start(anna, "host", "--from", "1")  # both open a table, and their clients agree on one
            play.shows(f"match to 2 ({anna} 1, {ben} 1)")
            play.shows("your turn", by=anna)
            play.agrees(anna, "resign")
            play.shows(f"{ben} won the match to 2 in 3 games: {ben} 2, {anna} 1.", "again or quit>")
            for name in (ben, anna):
                play.at[name].types("again\r")
            play.shows(f"match to 2 ({ben} 0, {anna} 0)", "your turn", by=ben)
        finally:
            for end in play.at.values():
                end.close()
