"""What a guest's client compares before it signs: it refuses, or asks its player, where a charter differs."""

import asyncio
from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import Club, answers, failure
from forming import agree
from friends import ANNA, BEFORE, BEN, CARA, Friends, guest_of, home_at, next_body, over, propose
from net_tables import IDENTITIES, NAMES, Room

from engine import all_games
from p2p_stonehenge.lobby.company import next_of_match
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.objections import OwnFiles
from p2p_stonehenge.lobby.origins import saved_table
from p2p_stonehenge.net.announced import read_announced
from p2p_stonehenge.table.agreed import short_id
from protocol import (
    FIRST_GAME,
    NET,
    Body,
    Clock,
    Form,
    Formation,
    Origin,
    Seat,
    Series,
    Table,
    Watchers,
    Watching,
    charter_record,
    event_record,
    load,
    make_body,
    origin_of,
)
from protocol.events import EventKind, Proof
from protocol.file import proof_record

ALL_THE_SAME = "Play at that table all the same? [y/N]: "
UNKNOWN = b"u" * 32


def signs(guest: GuestLobby) -> bool:
    return guest.formation is not None


def under_way(folder: Path, plies: int = 4, series: Series = BEFORE) -> Room:
    """A game of three in which so many moves were made."""
    room = Room(folder / "room", "fidchell", NAMES[:3], series=series)
    for _ in range(plies):
        move(room)
    return room


async def two_bids(folder: Path, series: Series) -> Room:
    """A game of cards of three, in whose first round two players have bid."""
    room = Room(folder / "room", "celtic-whist", NAMES[:3], series=series)
    await room.rest()
    for _ in range(2):
        move(room)
        await room.rest()
    return room


def move(room: Room, at: int = 0) -> None:
    turn = room.tables[1].turn
    mover = room.tables[turn]
    mover.play(turn, mover.game.legal(mover.state, turn)[at])
    room.carry()


def resigned(folder: Path, series: Series) -> Room:
    """Another game of three, which two of them have resigned."""
    room = Room(folder / "ended", "fidchell", NAMES[:3], turn_time=60, series=series)
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    return room


def keep(guest: GuestLobby, room: Room) -> None:
    """Put ben's file of a room among the saved games of a guest."""
    path = room.tables[2].path
    (guest.home.games / path.name).write_bytes(path.read_bytes())


def going_on(room: Room, ply: int | None = None, **changes: Any) -> Body:
    """The charter of a table that goes on from a room."""
    table = room.tables[2].table
    body = table.charter.body._replace(attempt=b"another attempt.", origin=origin_of(table, ply))
    return body._replace(**changes)


def swapped(body: Body) -> Body:
    """The same table with anna and ben on each other's seats, and their points with them."""
    first, second, *others = body.seats
    seats = (second._replace(operator=1), first._replace(operator=2), *others)
    points = body.series.points
    return body._replace(seats=seats, series=body.series._replace(points=(points[1], points[0], *points[2:])))


def test_the_last_position_of_the_own_file_is_signed_unasked(club: Club, tmp_path: Path) -> None:
    room = under_way(tmp_path)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, going_on(room))
    assert signs(guest)
    assert "Your own file of that table says the same." in club.told[BEN.id]


@pytest.mark.parametrize("series", [BEFORE, FIRST_GAME], ids=["match", "alone"])
def test_that_a_round_of_cards_is_dealt_anew_is_no_small_thing(club: Club, tmp_path: Path, series: Series) -> None:
    """Else a host with a bad hand could have another one without a word."""
    room = asyncio.run(asyncio.wait_for(two_bids(tmp_path, series), 60))
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, going_on(room))
    told = "The round of cards under way there, in which players acted 2 times, is dealt anew."
    if series.match:
        assert not signs(guest)
        assert told in failure(guest)
    else:
        assert signs(guest)
        assert any(told in line for line in club.told[BEN.id])


# The score.


@pytest.mark.parametrize("right", [True, False])
def test_the_score_is_that_of_the_game_before_where_nobody_has_the_table_that_is_gone_on_with(
    club: Club, tmp_path: Path, right: bool
) -> None:
    """A host may name any table as the one from which its own goes on; who has won the games before is known."""
    room = over(tmp_path)
    honest = next_body(room.tables[2].table)
    points = honest.series.points if right else tuple(reversed(honest.series.points))
    body = honest._replace(origin=Origin(UNKNOWN, ()), series=honest.series._replace(points=points))
    guest, _ = guest_of(club, room, BEN, "yes")  # that there is no file of that table is asked about
    club.client(ANNA)
    propose(club, body)
    assert signs(guest) == right
    if not right:
        assert "anna tells another score than your own games give." in failure(guest)


@pytest.mark.parametrize("line", [None, "no", "yes"])
def test_a_score_of_unknown_games_is_signed_only_by_a_player_who_agrees(
    club: Club, tmp_path: Path, line: str | None
) -> None:
    room = over(tmp_path)
    body = room.charter.body._replace(origin=Origin(UNKNOWN, ()), series=Series(5, 4, b"v" * 32, (4, 0, 0)))
    guest, asked = guest_of(club, room, BEN, *([line] if line else []))
    club.client(ANNA)
    propose(club, body)
    assert signs(guest) == (line == "yes")
    assert asked == [ALL_THE_SAME] * (line is not None)
    said = [*club.told[BEN.id], "" if signs(guest) else failure(guest)]
    told = "anna tells a score of games that you have no file of: match to 5, anna 4, ben 0, cara 0 after 4 games."
    assert any(told in text for text in said)


def test_the_score_at_a_table_that_was_only_watched_is_none_that_is_known(club: Club, tmp_path: Path) -> None:
    """All who signed it may have agreed on any score for themselves, against those who look on."""
    watched = Room(tmp_path / "watched", "fidchell", NAMES[:3], series=BEFORE)
    own = under_way(tmp_path)
    home = home_at(own.folder / "4", IDENTITIES[3])
    (home.games / watched.tables[1].path.name).write_bytes(watched.tables[1].path.read_bytes())
    guest, _ = guest_of(club, own, IDENTITIES[3])
    body = going_on(watched)
    seats = (*body.seats[:1], Seat(IDENTITIES[3].id, NAMES[3], 2), *body.seats[2:])
    club.client(ANNA)
    body = body._replace(seats=seats, series=BEFORE._replace(points=(4, 0, 1)))
    clubs.NAMES[IDENTITIES[3].id] = NAMES[3]
    for _ in range(2):
        club.say(ANNA, IDENTITIES[3], clubs.advert_of(body))
        club.say(ANNA, IDENTITIES[3], Form(Formation(body, {1: ANNA}, b"seed").message(), ()))
    assert "tells a score of games that you have no file of" in failure(guest)


def test_a_file_of_another_table_whose_id_begins_alike_is_none_of_this_one(tmp_path: Path) -> None:
    room = under_way(tmp_path)
    home, id = home_at(room.folder / "2", BEN), room.charter.table
    assert saved_table(home, id)
    assert saved_table(home, id[:8] + bytes(24)) is None
    path = home.saved(id)
    path.rename(path.with_name("with-anna.stonehenge"))
    assert saved_table(home, id), "also under another name"


# Who sits where.


@pytest.mark.parametrize("line", [None, "yes"])
@pytest.mark.parametrize("where", ["the same game", "the next game"])
def test_nobody_gets_the_side_of_another_player_unasked(
    club: Club, tmp_path: Path, where: str, line: str | None
) -> None:
    room = under_way(tmp_path) if where == "the same game" else over(tmp_path)
    honest = going_on(room) if where == "the same game" else next_body(room.tables[2].table)
    for body, fair in ((honest, True), (swapped(honest), False)):
        guest, asked = guest_of(club, room, BEN, *([line] if line else []))
        club.client(ANNA)
        propose(club, body)
        assert signs(guest) == (fair or line == "yes"), failure(guest)
        assert len(asked) == (not fair and line is not None)
    said = [*club.told[BEN.id], "" if signs(guest) else failure(guest)]
    assert any("By the game before the seats are: " in text and "you " in text for text in said), said


def test_friends_who_play_again_move_on_by_one_seat_or_are_asked(friends: Friends) -> None:
    """A host cannot keep its side, which may be the better one."""
    kept = next_body(friends.last)
    sitting = tuple(
        Seat(one.id, name, n) for n, (one, name) in enumerate(zip((ANNA, BEN, CARA), NAMES[:3], strict=True), 1)
    )
    points = dict(zip((seat.id for seat in kept.seats), kept.series.points, strict=True))
    series = kept.series._replace(points=tuple(points[seat.id] for seat in sitting))
    ben = friends.sit(BEN, "no")
    friends.club.client(ANNA)
    propose(friends.club, kept._replace(seats=sitting, series=series))
    assert "did not agree" in failure(ben)
    told = "! WARNING: By the game before the seats are: anna "
    assert any(text.startswith(told) for text in friends.club.told[BEN.id]), friends.club.told[BEN.id]


@pytest.mark.parametrize("what", ["a stranger", "a bot"])
def test_the_next_game_is_for_the_players_of_the_last_one(club: Club, tmp_path: Path, what: str) -> None:
    room = over(tmp_path)
    honest = next_body(room.tables[2].table)
    (place,) = (at for at, seat in enumerate(honest.seats) if seat.id == CARA.id)
    (host,) = (at for at, seat in enumerate(honest.seats, 1) if seat.id == ANNA.id)
    other = (NAMES[3], place + 1) if what == "a stranger" else ("bot 1", host)
    seats = (*honest.seats[:place], Seat(IDENTITIES[3].id, *other), *honest.seats[place + 1 :])
    points = (*honest.series.points[:place], 0, *honest.series.points[place + 1 :])
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    body = honest._replace(seats=seats, series=honest.series._replace(points=points))
    club.say(ANNA, BEN, clubs.advert_of(body)._replace(names=("anna", "bot 1")[: 1 + (what == "a bot")]))
    for _ in range(2):
        club.say(ANNA, BEN, Form(Formation(body, {host: ANNA}, b"seed").message(), ()))
    assert "cara of the game before would not play the next one." in failure(guest)
    assert ("dora did not play the game before" in failure(guest)) == (what == "a stranger")


# How the game stands.


@pytest.mark.parametrize("line", [None, "no", "yes"])
@pytest.mark.parametrize("ended", [False, True])
def test_a_game_is_played_again_from_an_earlier_position_only_by_a_player_who_agrees(
    club: Club, tmp_path: Path, ended: bool, line: str | None
) -> None:
    """The loser of a game of a match would open it once more."""
    room = under_way(tmp_path)
    while ended and room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    guest, asked = guest_of(club, room, BEN, *([line] if line else []))
    club.client(ANNA)
    propose(club, going_on(room, 3))
    assert signs(guest) == (line == "yes")
    assert asked == [ALL_THE_SAME] * (line is not None)
    said = [*club.told[BEN.id], "" if signs(guest) else failure(guest)]
    stands = f"is over, and {winner(room)} won" if ended else "stands after 5 actions"
    told = f"By your own file that game {stands}; at that table it goes on after 3 actions."
    assert any(told in text for text in said), said
    assert any("What it counted would count no more." in text for text in said) == ended


def winner(room: Room) -> str:
    result = room.tables[1].result
    assert result
    (seat,) = result.winners
    return NAMES[seat - 1]


def test_what_was_taken_back_is_no_position_to_go_on_from_unasked(club: Club, tmp_path: Path) -> None:
    room = Room(tmp_path / "room", "fidchess", NAMES[:2])
    for _ in range(3):
        move(room)
    before = going_on(room)
    turn = room.tables[1].turn
    for seat in (3 - turn, turn):
        room.agree_to(seat, "takeback")
    assert before.origin
    assert origin_of(room.tables[2].table).actions == before.origin.actions[:-1]
    for body, fair in ((before, False), (going_on(room), True)):
        guest, _ = guest_of(club, room, BEN)
        club.client(ANNA)
        propose(club, body)
        assert signs(guest) == fair
    assert "Your own file of that table says the same." in club.told[BEN.id]


def test_a_game_of_a_match_that_was_decided_at_another_table_is_not_played_once_more_unasked(
    club: Club, tmp_path: Path
) -> None:
    """Its first file stays unfinished, and says the same as the host; another file has the end."""
    room = under_way(tmp_path)
    ended = resigned(tmp_path, BEFORE)
    guest, _ = guest_of(club, room, BEN)
    keep(guest, ended)
    club.client(ANNA)
    propose(club, going_on(room))
    told = "That game of the match is over by another of your saved games: Fidchell with "
    assert told in failure(guest)
    while room.tables[1].result is None:  # it is resumed, and comes to another end
        room.agree_to(room.tables[1].turn, "resign")
    guest, _ = guest_of(club, room, BEN)
    propose(club, next_body(room.tables[2].table))
    assert told in failure(guest)


# A table that this player has no file of, or only watched: its id and position may be made up.

NO_FILE = "which you have no file of: that it was played, and how it stands, is what anna says."


def anew(room: Room, ply: int | None = None) -> Body:
    """The charter of a table with the players, score and position of a room, said to go on from an unknown table."""
    body = going_on(room, ply)
    assert body.origin
    return body._replace(origin=body.origin._replace(table=UNKNOWN))


def said(club: Club, guest: GuestLobby) -> str:
    return " ".join([*club.told[BEN.id], "" if signs(guest) else failure(guest)])


@pytest.mark.parametrize("line", [None, "no", "yes"])
@pytest.mark.parametrize("series", [BEFORE, FIRST_GAME], ids=["match", "alone"])
def test_a_player_without_a_file_of_the_table_joins_when_told_that_nothing_is_known_of_it(
    club: Club, tmp_path: Path, series: Series, line: str | None
) -> None:
    """It may be lost, or this player takes the place of another one. A client that asks nobody risks no match."""
    room = under_way(tmp_path, series=series)
    guest, asked = guest_of(club, room, BEN, *([line] if line else []))
    for path in guest.home.games.iterdir():
        path.unlink()
    club.client(ANNA)
    score = () if series == FIRST_GAME else BEFORE.points
    propose(club, anew(room)._replace(series=series._replace(points=score)))
    assert signs(guest) == (line == "yes" or (line is None and not series.match))
    assert asked == [ALL_THE_SAME] * (line is not None)
    assert f"from table {short_id(UNKNOWN)}, {NO_FILE}" in said(club, guest)
    assert "Your own file of that table says the same." not in club.told[BEN.id]


@pytest.mark.parametrize("somebody", [True, False], ids=["with a player", "with nobody to ask"])
@pytest.mark.parametrize("ply", [0, 3])
def test_the_next_game_of_a_match_begins_at_no_position_of_the_hosts_choice_unasked(
    club: Club, tmp_path: Path, ply: int, somebody: bool
) -> None:
    room = over(tmp_path)
    other = under_way(tmp_path / "other", plies=3)
    origin = origin_of(other.tables[1].table, ply)._replace(table=UNKNOWN)
    guest, asked = guest_of(club, room, BEN, *(["no"] if somebody else []))
    club.client(ANNA)
    propose(club, next_body(room.tables[2].table)._replace(origin=origin))
    assert not signs(guest)
    assert len(asked) == somebody
    assert NO_FILE in said(club, guest)


def test_who_sits_where_is_compared_with_the_last_game_where_nothing_is_known_of_the_origin(
    club: Club, tmp_path: Path
) -> None:
    room = over(tmp_path)
    honest = next_body(room.tables[2].table)
    dora = Seat(IDENTITIES[3].id, NAMES[3], 1)
    seats = tuple(
        dora._replace(operator=number) if seat.id == CARA.id else seat for number, seat in enumerate(honest.seats, 1)
    )
    points = tuple(
        0 if seat.id == CARA.id else held for seat, held in zip(honest.seats, honest.series.points, strict=True)
    )
    replaced = honest._replace(seats=seats, series=honest.series._replace(points=points))
    for body, told in (
        (swapped(honest), "By the game before the seats are: "),
        (replaced, "dora did not play the game before, and would play the next one."),
    ):
        guest, _ = guest_of(club, room, BEN, "no")
        club.client(ANNA)
        propose(club, body._replace(origin=Origin(UNKNOWN, ())))
        assert not signs(guest)
        assert told in said(club, guest)


@pytest.mark.parametrize("series", [BEFORE, Series(5), FIRST_GAME], ids=["match", "first of a match", "alone"])
def test_a_game_that_has_no_end_is_not_begun_anew_from_a_made_up_table(
    club: Club, tmp_path: Path, series: Series
) -> None:
    """Neither from an earlier position nor from the same one: cards and rolls under way would be made anew."""
    room = under_way(tmp_path, series=series)
    for ply in (2, None):
        guest, _ = guest_of(club, room, BEN)
        club.client(ANNA)
        propose(club, anew(room, ply))
        told = failure(guest)
        assert ("A game of yours with the same players has no end yet: Fidchell with " in told) == (not series.games)
        assert not signs(guest)


def test_a_later_game_of_a_match_is_not_begun_anew_from_a_made_up_table(club: Club, tmp_path: Path) -> None:
    room = over(tmp_path)
    body = next_body(room.tables[2].table)
    guest, _ = guest_of(club, room, BEN)
    keep_charter(guest, body)
    club.client(ANNA)
    propose(club, body._replace(attempt=b"another attempt.", origin=Origin(UNKNOWN, ())))
    assert "That game of the match was begun already at a table that you have saved: Fidchell with " in failure(guest)


def keep_charter(guest: GuestLobby, body: Body) -> bytes:
    """Put the file of a table at which nothing has been played yet among the saved games of a guest; return its id."""
    by_id = {one.id: one for one in IDENTITIES}
    charter = agree(
        [Formation(body, {n: by_id[seat.id]}, b"seed %d" % n) for n, seat in enumerate(body.seats, 1)],
    )
    guest.home.saved(charter.table).write_bytes(charter_record(charter))
    return charter.table


@pytest.mark.parametrize("series", [BEFORE, Series(5)], ids=["later game", "first game"])
def test_a_game_of_a_match_that_has_gone_on_is_not_gone_on_with_once_more_from_its_first_file(
    club: Club, tmp_path: Path, series: Series
) -> None:
    """That file stands where it stood; a host could go on from there until the rolls, or the cards, suit."""
    room = under_way(tmp_path, series=series)
    guest, _ = guest_of(club, room, BEN)
    table = keep_charter(guest, going_on(room))
    club.client(ANNA)
    propose(club, going_on(room, attempt=b"a third attempt."))
    assert "One of your saved games has gone on from that table: Fidchell with " in failure(guest)
    guest, _ = guest_of(club, room, BEN)
    body = going_on(room, attempt=b"one attempt more")
    assert body.origin
    propose(club, body._replace(origin=body.origin._replace(table=table)))
    assert signs(guest), failure(guest)
    assert "Your own file of that table says the same." in club.told[BEN.id]


@pytest.mark.parametrize("somebody", [True, False], ids=["with a player", "with nobody to ask"])
def test_a_match_goes_on_from_no_table_that_was_only_watched_unasked(
    club: Club, tmp_path: Path, somebody: bool
) -> None:
    """Its players, one of whom the host may be, have agreed on the position among themselves."""
    room = over(tmp_path)
    body = next_body(room.tables[2].table)
    guest, _ = guest_of(club, room, BEN, *(["no"] if somebody else []))
    seats = tuple(
        seat._replace(id=IDENTITIES[3].id, name=NAMES[3]) if seat.id == BEN.id else seat for seat in body.seats
    )
    watched = keep_charter(guest, body._replace(seats=seats, series=FIRST_GAME))
    club.client(ANNA)
    propose(club, body._replace(origin=Origin(watched, ())))
    assert not signs(guest)
    assert "which you only watched: its players may have agreed on any position." in said(club, guest)
    assert "Your own file of that table says the same." not in club.told[BEN.id]


# A match that would begin anew.


def test_a_table_announced_as_the_next_game_of_a_match_begins_no_other_one_unasked(club: Club, tmp_path: Path) -> None:
    room = over(tmp_path)
    last = room.tables[2].table
    honest = next_body(last)
    announced = read_announced(f"fidchell 1/3 {short_id(last.id)}")
    for body, fair in ((honest, True), (honest._replace(series=Series()), False)):
        guest, _ = guest_of(club, room, BEN, announced=announced)
        club.client(ANNA)
        propose(club, body)
        assert signs(guest) == fair
    follows = f"announced the game that follows table {short_id(last.id)}, and proposes one that is a first game."
    assert follows in failure(guest)


@pytest.mark.parametrize("somebody", [True, False], ids=["with a player", "with nobody to ask"])
@pytest.mark.parametrize("standing", ["between two games", "in the second game", "left", "in the first game"])
def test_a_match_does_not_begin_anew_unasked_while_one_goes_on(
    club: Club, tmp_path: Path, standing: str, somebody: bool
) -> None:
    """Whatever was announced: where some of its games are over, and the player has not left it.

    The old match is kept, so that a client that asks nobody begins another one all the same, and says so.
    """
    series = Series(5) if standing == "in the first game" else BEFORE
    room = under_way(tmp_path, series=series) if "in" in standing else over(tmp_path)
    guest, asked = guest_of(club, room, BEN, *(["no"] if somebody else []))
    if standing == "left":
        guest.home.leave_match(room.charter.table)
    club.client(ANNA)
    body = room.charter.body._replace(attempt=b"another attempt.", series=Series(5))
    if standing == "in the first game":
        body = body._replace(origin=origin_of(room.tables[2].table))
    propose(club, body)
    no_other = standing in ("left", "in the first game")
    assert signs(guest) == (no_other or not somebody)
    assert bool(asked) == (somebody and not no_other)
    told = [text for text in club.told[BEN.id] if "A match of yours with the same players goes on, at " in text]
    assert bool(told) != no_other
    assert all("Here a new one begins." in text for text in told)


# The table of another player of the match, who has opened its next game as well.


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"turn_time": 10}, "time: no limit -> 10 s for each turn"),
        ({"turn_time": Clock(60, 0)}, "time: no limit -> "),
        ({"watching": Watching(Watchers.EVERYBODY, 3)}, "may watch: nobody -> all, 3 actions behind the players"),
    ],
)
def test_who_sits_down_at_the_table_of_another_host_has_agreed_to_the_own_terms(
    club: Club, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    """Not to those that the other host advertises by then."""
    room = over(tmp_path)
    last = room.tables[2].table
    found = next_of_match(last, BEN.id)
    assert found
    honest = next_body(last)
    for body, fair in ((honest, True), (honest._replace(**change), False)):
        guest, _ = guest_of(club, room, BEN, offered=found.setup)
        club.client(ANNA)
        propose(club, body)
        assert signs(guest) == fair
    assert f"anna proposes another table than was agreed: {told}" in failure(guest)


def test_a_match_is_not_dropped_where_two_have_opened_its_next_game(club: Club, tmp_path: Path) -> None:
    room = over(tmp_path)
    found = next_of_match(room.tables[2].table, BEN.id)
    assert found
    guest, _ = guest_of(club, room, BEN, "yes", offered=found.setup)
    club.client(ANNA)
    propose(club, next_body(room.tables[2].table)._replace(series=Series()))
    assert "anna has opened another table, and not that of your next game." in failure(guest)


# Attempts that were given up.


def test_a_guest_takes_part_in_no_attempt_that_it_has_given_up(club: Club) -> None:
    """Else it would commit to a second nonce for it, and another guest, who was left in it, would accuse this one."""
    seats = tuple(Seat(one.id, clubs.NAMES[one.id], n) for n, one in enumerate((ANNA, BEN, CARA), 1))
    bodies = [make_body(NET, all_games()["qenqe"], {}, seats, bytes([n]) * 16) for n in (1, 2)]
    guests = []
    for one in (BEN, CARA):
        network: Any = club.client(one)
        told = club.told.setdefault(one.id, [])
        network.handler = GuestLobby(network, home_at(club.path / one.id.hex()[:8], one), told.append, ANNA.id)
        guests.append(network.handler)
    club.client(ANNA)

    def say(one: Any, body: Body) -> None:
        club.say(ANNA, one, clubs.advert_of(body))
        club.say(ANNA, one, Form(Formation(body, {1: ANNA}, b"seed").message(), ()))

    for one, number in ((BEN, 0), (CARA, 0), (BEN, 1), (BEN, 0)):
        say(one, bodies[number])
    for guest in guests:
        guest.spread()
    club.deliver()
    assert not [text for one in (BEN, CARA) for text in club.told[one.id] if "does not follow the protocol" in text]
    assert [guest.formation and guest.formation.body for guest in guests] == [bodies[1], bodies[0]]
    assert "anna proposes once more what was given up." in club.told[BEN.id]


def test_what_a_player_agreed_to_is_not_asked_again_when_another_guest_comes(club: Club, tmp_path: Path) -> None:
    """Something else that differs is asked about."""
    room = under_way(tmp_path)
    ask, asked = answers("yes", "yes")
    guest, _ = guest_of(club, room, BEN)
    guest._ask = ask
    club.client(ANNA)
    bodies = [going_on(room, 3)]
    other = Seat(IDENTITIES[3].id, NAMES[3], 3)
    points = (*BEFORE.points[:2], 0)
    bodies.append(bodies[0]._replace(seats=(*bodies[0].seats[:2], other), series=BEFORE._replace(points=points)))
    bodies.append(going_on(room, 2))
    for number, (body, count) in enumerate(zip(bodies, (1, 1, 2), strict=True)):
        again = body._replace(attempt=bytes([number]) * 16)
        propose(club, again)
        assert guest.formation
        assert (guest.formation.body == again, len(asked)) == (True, count)


def test_nothing_is_read_twice_for_one_charter(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = under_way(tmp_path)
    read, of = [], OwnFiles.of

    def counted(*given: Any) -> OwnFiles:
        read.append(given)
        return of(*given)

    monkeypatch.setattr(OwnFiles, "of", counted)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    for number in range(4):
        propose(club, going_on(room, None, attempt=bytes([number]) * 16))
    assert signs(guest)
    assert len(read) == 1


def test_a_player_who_agreed_to_other_terms_is_asked_before_the_first_ones_come_back(
    club: Club, tmp_path: Path
) -> None:
    room = under_way(tmp_path)
    guest, asked = guest_of(club, room, BEN, "yes", "no")
    club.client(ANNA)
    first = going_on(room)
    propose(club, first)
    changed = first._replace(turn_time=60)
    for number, body in enumerate((changed, changed, first)):
        again = body._replace(attempt=bytes([number]) * 16)
        club.say(ANNA, BEN, Form(Formation(again, {1: ANNA}, b"seed").message(), ()))
    assert asked == [ALL_THE_SAME] * 2
    assert any("time: 1 min for each turn -> no limit" in text for text in club.told[BEN.id])
    assert "You did not agree to that table." in failure(guest)


def test_another_position_than_that_of_the_own_file_is_named(club: Club, tmp_path: Path) -> None:
    room = under_way(tmp_path)
    body = going_on(room)
    assert body.origin
    (*before, (actor, action)) = body.origin.actions
    state = body._replace(origin=body.origin._replace(actions=tuple(before))).beginning()
    other = next(one for one in room.tables[2].game.legal(state, actor) if one != action)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, body._replace(origin=body.origin._replace(actions=(*before, (actor, other)))))
    assert f"That is not how you know the table: action {len(before) + 1} is `{other}` by " in failure(guest)


@pytest.mark.parametrize("series", [BEFORE, FIRST_GAME], ids=["match", "alone"])
def test_a_game_goes_on_under_other_options_only_by_consent(club: Club, tmp_path: Path, series: Series) -> None:
    room = under_way(tmp_path, series=series)
    honest = going_on(room)
    changed = tuple((name, "60" if name == "turn_limit" else value) for name, value in honest.options)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, honest._replace(options=changed))
    assert not signs(guest)
    assert "By your own file that game has other options: turn_limit: " in failure(guest)


def two_versions(folder: Path, series: Series, seats: int) -> tuple[Room, Table]:
    """A game in which anna has signed two versions of a move, saved as ben knows it."""
    room = Room(folder / "room", "fidchell", NAMES[:seats], series=series)
    while room.tables[1].turn != 1 or len(room.tables[1].table.fold.log) < 3:
        move(room)
    path = room.tables[2].path
    before = path.read_bytes()
    versions = []
    for number in range(2):
        copy = load(before, signers={1: ANNA}, secrets=room._secrets(1))
        versions.append(copy.own.play(1, copy.game.legal(copy.state, 1)[number]))
    first, second = versions
    path.write_bytes(before + event_record(first) + proof_record(Proof(first, second)))
    table = load(path.read_bytes())
    assert table.fold.broken
    return room, table


def test_a_game_that_two_versions_of_a_move_ended_goes_on_unasked_from_the_position_before_them(
    club: Club, tmp_path: Path
) -> None:
    """Nobody has won, and it counts nothing in the match."""
    room, table = two_versions(tmp_path, BEFORE, 3)
    again = Room(tmp_path / "again", "fidchell", NAMES[:3], turn_time=60, series=BEFORE)
    body = table.charter.body._replace(origin=origin_of(table))
    for number, (proposed, held) in enumerate(((body, False), (going_on(again), True))):
        guest, _ = guest_of(club, room, BEN)
        if held:  # the table that has gone on from it, which is gone on with in its turn
            path = again.tables[2].path
            (guest.home.games / path.name).write_bytes(path.read_bytes())
        club.client(ANNA)
        propose(club, proposed._replace(attempt=bytes([number]) * 16))
        assert signs(guest), failure(guest)


def test_a_game_of_two_that_one_has_lost_by_two_versions_is_over_like_any_other(club: Club, tmp_path: Path) -> None:
    """Else signing twice would take back the last move of who is losing."""
    series = Series(5, 2, b"t" * 32, (1, 1))
    room, table = two_versions(tmp_path, series, 2)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, table.charter.body._replace(origin=origin_of(table), attempt=b"before the move."))
    assert not signs(guest)
    assert "By your own file that game is over, and ben won" in failure(guest)
    following = next_of_match(table, BEN.id)
    assert following
    assert {*following.people} == {ANNA.id, BEN.id}
    guest, _ = guest_of(club, room, BEN)
    propose(club, next_body(table, (ANNA, BEN)))
    assert signs(guest), failure(guest)


def test_a_roll_whose_outcome_the_host_may_know_is_made_anew_only_with_consent(club: Club, tmp_path: Path) -> None:
    """Else who withholds a revelation, and leaves, could roll until the dice are good."""
    room = Room(tmp_path / "room", "kingamon", NAMES[:2], series=Series(5, 2, b"t" * 32, (1, 1)))
    while room.tables[2].turn != 2:
        move(room)
    room.withheld = {1: (EventKind.REVELATION,)}
    while room.tables[2].turn == 2:
        move(room)
    guest, _ = guest_of(club, room, BEN)
    club.client(ANNA)
    propose(club, going_on(room))
    assert not signs(guest)
    told = "A roll or deal is under way in your own file, whose outcome anna may know: it would be made anew."
    assert told in failure(guest)


def test_a_match_begins_unasked_where_the_last_one_is_over_but_for_files_that_were_gone_on_with(
    club: Club, tmp_path: Path
) -> None:
    last = Series(2, 2, b"t" * 32, (1, 1, 1))
    room = under_way(tmp_path, series=last)
    ended = resigned(tmp_path, last)
    guest, _ = guest_of(club, room, BEN)
    keep(guest, ended)
    club.client(ANNA)
    propose(club, room.charter.body._replace(attempt=b"another attempt.", series=Series(2)))
    assert signs(guest), failure(guest)


def test_the_first_game_of_a_match_goes_on_unasked_while_an_older_match_stands(club: Club, tmp_path: Path) -> None:
    room = under_way(tmp_path, series=Series(5))
    older = over(tmp_path / "older")
    guest, _ = guest_of(club, room, BEN)
    keep(guest, older)
    club.client(ANNA)
    propose(club, going_on(room))
    assert signs(guest), failure(guest)
