"""Friends play again: who is awaited, and who is asked when somebody has left."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from clubs import AFTER, Club, failure
from forming import agree
from friends import ANNA, BEN, CARA, Friends, over, propose, signed
from net_tables import IDENTITIES, NAMES, Room, refused

from engine import all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.company import Company, rematch
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.lobby import ANSWERS_WITHIN, LONG_AWAITED, WAIT_FOR_TABLE
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.storage.home import Home
from protocol import (
    NET,
    Advert,
    Decline,
    Formation,
    Join,
    Leave,
    LeaveReason,
    Seat,
    Series,
    Table,
    make_body,
    message_bytes,
)
from protocol.events import bodies, make_event
from protocol.formation import charter
from protocol.messages import Events

BY_JOINING = "by `p2p-stonehenge join anna --interface 127.0.0.1`"
STILL_WAITING = (
    "Still waiting for {0}. Wait on, or leave with Ctrl-C: then `p2p-stonehenge host` opens a table for those who play"
    " without {0}."
)


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


def test_who_plays_without_a_player_reads_who_else_is_awaited(friends: Friends) -> None:
    friends.sit(ANNA, "yes")
    friends.club.client(BEN)  # at the last table still
    friends.club.pass_time(2)
    friends.club.pass_time(1)
    assert friends.asked[ANNA.id] == ["cara is gone. Play again without cara? [y/N]: "]
    assert friends.club.told[ANNA.id][-1] == "Waiting for ben."


def test_a_host_who_wants_to_wait_waits_and_a_player_who_comes_back_plays(friends: Friends) -> None:
    anna, ben = friends.sit(ANNA, "no"), friends.sit(BEN)
    friends.meet()
    friends.club.pass_time(5)
    assert f"Waiting for cara to come back, {BY_JOINING}. Ctrl-C leaves." in friends.club.told[ANNA.id]
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
    sitting = zip((BEN, CARA, ANNA), ("ben", "cara", "anna"), strict=True)
    seats = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(sitting, 1))
    setup = rematch(friends.last, [one.id for one in (ANNA, BEN, CARA)]).setup._replace(options={"pieces": 9})
    propose(friends.club, setup.body(seats, bytes(16)))
    assert any("pieces: 27 -> 9" in text for text in friends.club.told[BEN.id]), friends.club.told[BEN.id]
    assert "did not agree to that table" in failure(ben)


def test_who_agreed_at_the_last_table_is_not_asked_again(friends: Friends) -> None:
    anna, ben = (friends.sit(one, without=(CARA,)) for one in (ANNA, BEN))
    friends.meet()
    assert signed(anna).table == signed(ben).table
    assert not any(friends.asked.values())


def test_a_player_at_a_question_has_as_long_as_the_others_wait(friends: Friends) -> None:
    """The host reads whose agreement is awaited, soon and after a minute; no guest is sent away.

    A late yes begins the game.
    """
    club = friends.club
    anna = friends.sit(ANNA, "yes")
    ben = club.client(BEN)  # at the question until it sits down below
    anna.link(BEN.id, True)
    club.say(BEN, ANNA, Join())
    club.pass_time(600)
    waiting = "Waiting for ben to agree: ben may be at a question about this table. Ctrl-C leaves."
    told = [text for text in club.told[ANNA.id] if "sits down" not in text and "new to you" not in text]
    assert told == [waiting, STILL_WAITING.format("ben")]
    assert not [message for message in ben.heard if isinstance(message, Decline)]
    late = friends.sit(BEN, "yes")
    friends.meet()
    club.pass_time(2)
    assert signed(anna).table == signed(late).table


def test_a_guest_reads_as_well_who_is_awaited(friends: Friends) -> None:
    club = friends.club
    lobbies = [friends.sit(one) for one in (ANNA, BEN)]
    club.client(CARA)
    friends.meet()
    club.say(CARA, ANNA, Join())
    waiting = "Waiting for cara to agree: cara may be at a question about this table. Ctrl-C leaves."
    still = STILL_WAITING.format("cara")
    for seconds, counts in ((ANSWERS_WITHIN, (1, 0)), (LONG_AWAITED - ANSWERS_WITHIN - 2, (1, 0)), (1, (1, 1))):
        club.now += seconds + 1
        for lobby in lobbies:
            for _ in range(2):
                lobby.tick()
        for one in (ANNA, BEN):
            assert (club.told[one.id].count(waiting), club.told[one.id].count(still)) == counts


@pytest.mark.parametrize("here", [True, False])
def test_a_host_reads_after_a_while_who_is_still_at_the_last_table(friends: Friends, here: bool) -> None:
    """Not who is gone, for whom the player wants to wait: that is told when the player says so."""
    club = friends.club
    friends.sit(ANNA, "no")
    friends.sit(BEN)
    if here:
        club.client(CARA)  # has yet to type `again`
    friends.meet()
    club.pass_time(LONG_AWAITED + 60)
    assert club.told[ANNA.id].count(STILL_WAITING.format("cara")) == here
    assert sum("aiting for" in text for text in club.told[ANNA.id]) == 1


def test_no_time_runs_out_for_a_guest_at_a_question(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question is about a host who is gone; the lobby ends with the answer."""
    ben = friends.sit(BEN)
    assert isinstance(ben, GuestLobby)

    async def pass_second() -> None:
        friends.club.now += 1
        if friends.club.now > 1000 + WAIT_FOR_TABLE * 5:
            raise Failure("answered")

    monkeypatch.setattr(ben, "wait", pass_second)
    monkeypatch.setattr(ben, "tick", lambda: None)
    with pytest.raises(Failure, match="answered"):
        asyncio.get_running_loop().run_until_complete(ben.gather(()))


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
    title = friends.last.id.hex()[:4]
    gone = "ben and cara are gone, and nobody else is left to play with."
    after = AFTER.replace("host fidchell` opens another table", f"host --from {title}` goes on with the match")
    told = f"{gone} Waiting for ben and cara to come back, {BY_JOINING}. {after}"
    assert friends.club.told[ANNA.id] == [told]
    assert not anna.done.done()
    ben, cara = friends.sit(BEN), friends.sit(CARA)
    friends.meet()
    assert len({signed(lobby).table for lobby in (anna, ben, cara)}) == 1
    assert not any(friends.asked.values())


@pytest.mark.parametrize("before", [True, False], ids=["before", "meanwhile"])
def test_a_guest_opens_the_table_of_a_host_without_whom_nobody_is_left(friends: Friends, before: bool) -> None:
    """And is asked nothing, whether the host went before this player looked for the next table or after that."""
    ben = friends.sit(BEN, without=(CARA,))
    assert isinstance(ben, GuestLobby)
    if not before:
        ben.link(ANNA.id, False)
    for _ in range(2):
        ben.tick()
    assert friends.asked[BEN.id] == []
    assert failure(ben) == "anna is gone: the next player at the table opens it."
    friends.move_on(ben)
    friends.club.pass_time(2)
    assert friends.asked[BEN.id] == []
    gone = "anna is gone, and nobody else is left to play with."
    back = BY_JOINING.replace("anna", "ben")
    (told,) = friends.club.told[BEN.id]
    assert told.startswith(f"{gone} Waiting for anna to come back, {back}. Ctrl-C leaves")


def test_one_plays_without_the_host_who_is_gone_and_another_does_not_and_all_find_one_table(friends: Friends) -> None:
    """The one who waits opens it; the one who would play on without that player sits down there, and reads why."""
    ben, cara = friends.sit(BEN, "no"), friends.sit(CARA, without=(ANNA,))
    assert isinstance(cara, GuestLobby)
    friends.meet()
    friends.club.now += ANSWERS_WITHIN + 1
    cara.tick()
    may_be = "Waiting for ben, who may be at a question about the next game. Ctrl-C leaves."
    assert friends.club.told[CARA.id][-1] == may_be
    ben.tick()
    assert friends.asked[BEN.id] == ["anna is gone. Play again without anna? [y/N]: "]
    assert failure(ben)
    host = friends.move_on(ben)
    assert isinstance(host, HostLobby)
    friends.club.pass_time(2)
    cara.tick()
    friends.club.deliver()
    assert len(friends.asked[BEN.id]) == 1, "asked once"
    assert (
        f"Waiting for anna to come back, {BY_JOINING.replace('anna', 'ben')}. Ctrl-C leaves."
        in (friends.club.told[BEN.id])
    )
    assert friends.club.told[CARA.id][-1].endswith("Waiting for 1 more; Ctrl-C leaves")
    assert host.announcement == f"fidchell 2/3 {friends.last.id.hex()[:4]} private"
    friends.guest(ANNA, BEN)
    friends.meet()
    assert "anna sits down: 3 of 3." in friends.club.told[BEN.id]


def test_a_host_who_was_out_of_reach_only_is_the_host_again(friends: Friends) -> None:
    """The players who wait for that host go there, and so does one who would have played without that host."""
    ben, cara = friends.sit(BEN, "no"), friends.sit(CARA, without=(ANNA,))
    friends.meet()
    ben.tick()
    host = friends.move_on(ben)
    friends.club.pass_time(2)
    anna = friends.sit(ANNA)
    friends.meet()
    for lobby in (host, cara):
        assert failure(lobby) == "anna is back and has opened the table: you sit down there."
    ben, cara = friends.move_on(host), friends.move_on(cara)
    friends.meet()
    friends.club.pass_time(2)
    assert len({signed(lobby).table for lobby in (anna, ben, cara)}) == 1


def open_without_anna(friends: Friends, *lines: str) -> tuple[HostLobby, Any]:
    """Ben opens the table that anna has not, answers with `lines` there, and cara sits down at it."""
    ben, cara = friends.sit(BEN, "no", *lines), friends.sit(CARA, without=(ANNA,))
    friends.meet()
    ben.tick()
    host = friends.move_on(ben)
    assert isinstance(host, HostLobby)
    friends.club.pass_time(2)
    cara.tick()
    friends.club.deliver()
    assert host.names == ("ben", "cara")
    return host, cara


def test_a_guest_is_asked_about_a_host_who_is_gone_while_a_charter_is_signed(friends: Friends) -> None:
    """What all sign meanwhile still counts; nobody waits for ever."""
    friends.sit(ANNA)
    ben = friends.sit(BEN, "yes")
    friends.club.client(CARA)  # at a question
    friends.meet()
    friends.club.say(CARA, ANNA, Join())
    assert ben.formation
    del friends.club.clients[ANNA.id]
    ben.link(ANNA.id, False)
    ben.tick()
    assert friends.asked[BEN.id] == ["anna is gone. Play again without anna? [y/N]: "]
    assert failure(ben) == "anna is gone."


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_of_two_hosts_the_first_one_by_seats_stays_and_neither_answers_the_other_without_end(
    friends: Friends, seen: bool
) -> None:
    """Though they are to play in different company: anna without cara, ben with all three."""
    club = friends.club
    anna, ben = friends.sit(ANNA, "yes"), friends.sit(BEN, "no", "yes")
    for lobby in (anna, ben):
        lobby._company.departed.add(CARA.id)  # type: ignore[union-attr]
    club.pass_time(1)
    ben.link(ANNA.id, False)
    anna.link(BEN.id, False)
    ben._take_over(ben._company)  # type: ignore[arg-type, union-attr]
    host = friends.move_on(ben)
    assert (anna.setup.players, host.setup.players) == (2, 3)  # type: ignore[union-attr]
    if seen:
        friends.see()
    anna.link(BEN.id, True)
    host.link(ANNA.id, True)
    club.deliver()
    assert failure(host) == "anna is back and has opened the table: you sit down there."
    ben = friends.move_on(host)
    friends.meet()
    for _ in range(2):
        club.pass_time(1)
    assert friends.asked[BEN.id][-1].endswith("Play again without cara? [y/N]: ")


def test_a_host_answers_no_table_that_is_shown(friends: Friends) -> None:
    """It shows the own one once a second to each player who is to sit down there."""
    anna = friends.sit(ANNA, without=(CARA,))
    assert isinstance(anna, HostLobby)
    friends.club.client(BEN)
    friends.club.say(BEN, ANNA, anna._advert())
    assert not friends.club.clients[BEN.id].heard
    anna.tick()
    friends.club.deliver()
    assert [type(message) for message in friends.club.clients[BEN.id].heard] == [Advert]


@pytest.mark.parametrize("after_last", [True, False])
def test_nobody_gives_a_table_up_for_one_that_does_not_follow_the_last_one(
    tmp_path: Path, club: Club, after_last: bool
) -> None:
    """As `host fidchell --players 3` opens it: also where no match is played, in which all else is the same."""
    friends = Friends(club, over(tmp_path, Series(0, 2, b"t" * 32, (0, 1, 1))).tables[1].table)
    host, cara = open_without_anna(friends)
    if after_last:
        friends.sit(ANNA)
    else:
        network: Any = club.client(ANNA)
        setup = Setup(friends.last.game, {}, 3)
        network.handler = HostLobby(network, Home.open(str(club.path / "anna")), print, setup)
    friends.see()
    friends.meet()
    friends.club.pass_time(2)
    assert (host.done.done(), cara.done.done()) == (after_last, after_last)


def test_nobody_gives_way_to_a_host_who_is_back_while_a_charter_is_signed(friends: Friends) -> None:
    """The last signature may be under way: the other player would sit alone at the table."""
    club = friends.club
    ben, cara = (friends.sit(one, without=(ANNA,)) for one in (BEN, CARA))
    ben.link(CARA.id, True)
    cara.link(BEN.id, True)
    while not cara.done.done():
        sender, receiver, data = club.wire.popleft()
        club.clients[receiver].handler.receive(sender, data)
    assert not ben.done.done()
    late = [*club.wire]
    club.wire.clear()
    anna = friends.sit(ANNA)
    assert isinstance(anna, HostLobby)
    ben.receive(ANNA.id, message_bytes(anna._advert()))
    club.wire.extend(late)
    club.deliver()
    assert signed(ben).table == signed(cara).table


def test_who_did_not_give_way_while_a_charter_was_signed_does_so_once_that_is_void(friends: Friends) -> None:
    club = friends.club
    ben = friends.sit(BEN, without=(ANNA,))
    club.client(CARA)  # at a question
    ben.link(CARA.id, True)
    club.say(CARA, BEN, Join())
    assert ben.formation
    anna = friends.sit(ANNA)
    anna.link(BEN.id, True)
    club.deliver()
    assert not ben.done.done()
    ben.link(CARA.id, False)
    club.pass_time(1)
    assert failure(ben) == "anna is back and has opened the table: you sit down there."


def test_a_player_who_waits_is_asked_again_when_the_awaited_one_has_come_and_gone(friends: Friends) -> None:
    host, _ = open_without_anna(friends, "no")
    assert len(friends.asked[BEN.id]) == 1
    host.link(ANNA.id, True)
    host.link(ANNA.id, False)
    friends.club.pass_time(1)
    assert friends.asked[BEN.id][1:] == ["anna is gone. Play again without anna? [y/N]: "]


def test_a_player_who_waits_is_asked_again_when_the_awaited_one_has_left(friends: Friends) -> None:
    host, _ = open_without_anna(friends, "yes")
    friends.club.client(ANNA)
    host.link(ANNA.id, True)
    friends.club.say(ANNA, BEN, Leave(friends.last.id, LeaveReason.QUIT))
    del friends.club.clients[ANNA.id]
    host.link(ANNA.id, False)
    friends.club.pass_time(1)
    assert friends.asked[BEN.id][1:] == ["anna has left. Play again without anna? [y/N]: "]
    assert host.setup.players == 2


@pytest.mark.parametrize(
    ("announced", "asked"),
    [("fidchell playing ffff", True), ("fidchell watching ffff", False), ("fidchell playing {}", False)],
)
def test_who_waits_for_a_player_who_plays_elsewhere_by_now_is_asked_again(
    friends: Friends, announced: str, asked: bool
) -> None:
    """Anna went on in smaller company while the network was in two parts."""
    host, _ = open_without_anna(friends, "no")
    friends.club.client(ANNA).announced = announced.format(friends.last.id.hex()[:4])
    friends.see()
    host.link(ANNA.id, True)
    friends.club.pass_time(2)
    assert friends.asked[BEN.id][1:] == ["anna has left. Play again without anna? [y/N]: "] * asked


def test_a_stranger_reads_that_the_table_is_kept_and_not_that_it_is_full(friends: Friends) -> None:
    friends.sit(ANNA, without=(CARA,))
    stranger = friends.guest(IDENTITIES[3], ANNA)
    friends.club.say(IDENTITIES[3], ANNA, Join())  # before the host's client has noted the link
    assert failure(stranger).startswith("That table is kept for the players of its match.")


def test_a_player_without_whom_the_others_would_play_and_who_is_back_in_time_plays(friends: Friends) -> None:
    friends.sit(ANNA, without=(CARA,))
    friends.club.client(BEN)  # at the last table still
    friends.guest(CARA, ANNA)
    friends.meet()
    assert "cara sits down: 2 of 3." in friends.club.told[ANNA.id]
    friends.sit(BEN, without=(CARA,))
    friends.meet()
    assert "ben sits down: 3 of 3." in friends.club.told[ANNA.id]


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


def test_who_cannot_go_on_with_so_long_a_game_plays_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that two versions of a move ended goes on from the position before, if a charter has room for it."""
    room = Room(tmp_path, "fidchell", NAMES[:3])
    turn = room.tables[1].turn
    cheat, inner = room.tables[turn], room.tables[turn].table
    moves = cheat.game.legal(cheat.state, turn)
    place = inner.held.heads, inner.fold.position.slot, inner.fold.position.digest
    cheat.play(turn, moves[0])
    second = make_event(inner.own.signers[turn], inner.id, turn, *place, bodies.Move(moves[1]))
    other = next(seat for seat in (1, 2, 3) if seat != turn)
    last = room.tables[other].table
    room.carry()
    room.tables[other].receive(
        IDENTITIES[turn - 1].id, message_bytes(Events(last.id, ((second.raw, second.signature),)))
    )
    assert last.fold.broken
    assert rematch(last, last.charter.body.clients).setup.origin
    goes_on = f"`p2p-stonehenge host --from {room.tables[other].short_id}` goes on with "
    assert Company(last, ()).way_on() == f"{goes_on}that game"
    room.tables[other].stays = True
    for seat in {1, 2, 3} - {other}:
        room.leave(seat)
    assert f"{goes_on}this game, and `p2p-stonehenge solo fidchell`" in refused(room, other, "again")
    monkeypatch.setattr(charter, "CHARTER_LIMIT", 600)
    people, setup = rematch(last, last.charter.body.clients)
    assert setup.origin is None
    assert (len(people), IDENTITIES[turn - 1].id in people) == (2, False)
    assert Company(last, ()).way_on() == "`p2p-stonehenge host fidchell` opens another table"


@pytest.mark.parametrize(("match", "goes_on"), [(5, True), (0, False)])
def test_whoever_leaves_the_lobby_after_a_game_of_a_match_reads_how_the_match_goes_on(
    tmp_path: Path, match: int, goes_on: bool
) -> None:
    last = over(tmp_path, Series(match)).tables[1].table
    way_on = f"`p2p-stonehenge host --from {last.id.hex()[:4]}` goes on with the match"
    assert (Company(last, ()).way_on() == way_on) == goes_on
