"""Host, guests and those who would rather disturb them: charters, what was advertised, seats and limits."""

import asyncio
from types import SimpleNamespace
from typing import Any

import ifaddr
import pytest
from clubs import ANNA, BEN, CLEO, EVE, GAME, NAMES, WORDS, Club, advert_of, answers, body_of, failure, formation

from engine import all_games, encode
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import hosting as hosts
from p2p_stonehenge.lobby import lobby as lobbies
from p2p_stonehenge.lobby.known import meet
from p2p_stonehenge.lobby.lobby import ATTEMPTS_PER_MINUTE, LOBBY, LOBBY_MESSAGE, REMEMBERED
from p2p_stonehenge.net.network import is_near
from protocol import (
    NET,
    Decline,
    DeclineReason,
    Form,
    Formation,
    Identity,
    Join,
    Seat,
    Watchers,
    Watching,
    id_text,
    make_body,
    message_bytes,
)
from protocol import read_message as really_read
from protocol.messages import Message


def test_all_sign_one_charter(club: Club) -> None:
    lobbies_ = [club.host(3), club.guest(BEN), club.guest(CLEO)]
    club.meet(BEN, CLEO)
    tables = {lobby.done.result().charter.table for lobby in lobbies_}
    assert len(tables) == 1


def test_a_guest_hears_where_the_host_is_linked_with_the_other_one_though_nobody_sees_anybody(club: Club) -> None:
    """As in an overlay network, which passes no multicast on."""
    club.host(3)
    club.guest(BEN)
    cleo = club.client(CLEO)  # a bare peer that keeps what it hears
    club.places = {BEN.id: "10.8.0.3:41730", CLEO.id: "10.8.0.4:41730"}
    club.meet(BEN)
    club.say(CLEO, ANNA, Join())
    hints = [hint for one in cleo.heard if isinstance(one, Form) for hint in one.hints]
    assert (BEN.id, "10.8.0.3:41730") in hints


def test_everybody_is_introduced_before_the_table_stands(club: Club) -> None:
    """Who is new, who is known, and who comes with a known name and another key: to each of the others."""
    host, ben, cleo = club.host(3), club.guest(BEN), club.guest(CLEO)
    for lobby, known, name in ((host, BEN, "ben"), (host, EVE, "cleo"), (ben, EVE, "anna"), (cleo, EVE, "ben")):
        meet(lobby.home, known.id, name)
    club.meet(BEN)
    seated = len(club.told[ANNA.id])
    club.meet(CLEO)
    assert host.done.done()

    def told(identity: Identity) -> list[str]:
        ours = {id_text(one.id)[:8]: NAMES[one.id] for one in (ANNA, BEN, CLEO)}
        people = [text for text in club.told[identity.id] if any(f"({key})" in text for key in ours)]
        return [" ".join(text.split(" (")[0].split() + text.split(") ")[1].split()[:2]) for text in people]

    assert told(ANNA) == ["ben is known", "! WARNING: cleo is NOT"]
    assert any("ben is known" in text.replace(f" ({id_text(BEN.id)[:8]})", "") for text in club.told[ANNA.id][:seated])
    assert told(BEN) == ["! WARNING: anna is NOT", "cleo is new"]
    assert told(CLEO) == ["anna is new", "! WARNING: ben is NOT"]
    club.clients[BEN.id].handler.introduce(ANNA.id, "anna")
    assert told(BEN) == ["! WARNING: anna is NOT", "cleo is new"], "once each"


# A charter in the making.


def test_a_guest_that_starts_again_shows_a_nonce_that_nobody_has_seen(club: Club) -> None:
    """The host keeps the body of the attempt that the guest's crash broke off, and chooses its own nonce anew."""
    shown = []
    for _ in range(2):
        guest = club.guest(BEN)
        club.client(ANNA)
        club.propose(BEN, formation(ANNA).body)
        assert guest.formation
        (_, _, nonces, *_) = guest.formation.message()
        assert isinstance(nonces, tuple)
        shown.append(nonces[1])
    assert None not in shown
    assert shown[0] != shown[1]


def test_a_guest_that_lies_about_another_is_sent_away_alone(club: Club) -> None:
    host, ben = club.host(3), club.guest(BEN)
    eve = club.client(EVE)
    club.meet(BEN, EVE)
    club.say(EVE, ANNA, Join())
    (proposed,) = {body_of(message) for message in eve.heard if isinstance(message, Form)}
    lie = (proposed, (None, b"x" * 96, None), (None, None, None), (None, None, None))
    club.say(EVE, BEN, Form(lie, ()))
    assert not ben.done.done()
    club.say(EVE, ANNA, Form(lie, ()))
    assert host.guests == [BEN.id]
    assert any("eve does not follow the protocol" in text and "is void" in text for text in club.told[ANNA.id])
    # She does not come back to do it again, and the others play without her.
    club.say(EVE, ANNA, Join())
    assert host.guests == [BEN.id]
    club.guest(CLEO)
    club.meet(CLEO)
    assert ben.done.result().charter == host.done.result().charter


def test_a_guest_that_commits_twice_is_the_one_to_go(club: Club) -> None:
    """Eve states one nonce to the host and another to Ben, who honestly passes it on."""
    host, _ = club.host(3), club.guest(BEN)
    eve = club.client(EVE)
    club.meet(BEN, EVE)
    club.say(EVE, ANNA, Join())
    body = club.clients[ANNA.id].handler.formation.body
    # Both are under way at once, so Ben takes his and passes it on before he hears of the other.
    for receiver, seed in ((BEN, b"one"), (ANNA, b"two")):
        club.clients[EVE.id].send(receiver.id, message_bytes(Form(Formation(body, {3: EVE}, seed).message(), ())))
    club.deliver()
    assert host.guests == [BEN.id]
    assert eve.heard


@pytest.mark.parametrize("rubbish", [b"", b"\xc1", encode((3, ("x",), ())), b"\x93" * 5000])
def test_rubbish_from_a_stranger_ends_no_lobby(club: Club, rubbish: bytes) -> None:
    host, guest = club.host(2), club.guest(BEN)
    club.say(EVE, BEN, rubbish)
    club.say(EVE, ANNA, rubbish)
    club.meet(BEN)
    assert guest.done.result().charter == host.done.result().charter


def test_only_places_nearby_are_dialled_on_a_hosts_word(club: Club) -> None:
    guest = club.guest(BEN)
    body = formation(ANNA, BEN, CLEO).body
    hints = ["127.0.0.1:41732", "192.0.2.1:41732", "127.0.0.1:22", "cleo.local:41732", "here", "127.0.0.1:0000099999"]
    hints += [f"127.0.0.{number}:41732" for number in range(2, 9)]
    club.client(ANNA)
    club.propose(BEN, body, tuple((CLEO.id, text) for text in hints))
    assert club.clients[BEN.id].dialled == {CLEO.id: ["127.0.0.1:41732", "127.0.0.2:41732", "127.0.0.3:41732"]}
    assert guest.formation


@pytest.mark.parametrize(
    ("address", "interface", "near"),
    [
        ("192.168.7.9:41730", None, True),
        ("192.168.7.9:1024", None, True),
        ("192.168.7.9:1023", None, False),
        ("192.168.8.9:41730", None, False),
        ("192.168.7.255:41730", None, False),
        ("192.168.7.0:41730", None, False),
        ("127.0.0.1:41730", None, False),
        ("8.8.8.8:41730", None, False),
        ("224.0.0.251:41730", None, False),
        ("router:41730", None, False),
        ("192.168.7.9", None, False),
        ("10.1.2.3:41730", "192.168.7.2", False),
        ("10.1.2.3:41730", None, True),
        ("127.0.0.1:41730", "127.0.0.1", True),
        ("192.168.7.9:41730", "127.0.0.1", False),
    ],
)
def test_near_is_what_lies_in_a_network_of_this_computer(
    monkeypatch: pytest.MonkeyPatch, address: str, interface: str | None, near: bool
) -> None:
    own = [("127.0.0.1", 8), ("192.168.7.2", 24), ("10.1.0.1", 16), (("fe80::1", 0, 0), 64)]
    ips = [SimpleNamespace(ip=ip, network_prefix=prefix) for ip, prefix in own]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [SimpleNamespace(ips=ips)])
    assert is_near(address, interface) == near


def test_attempts_are_five_a_minute_and_broken_ones_are_shown(club: Club) -> None:
    """A guest that comes and goes makes the host begin again and again; the others keep their seats and wait."""
    host, ben = club.host(3), club.guest(BEN)
    club.client(EVE)
    club.meet(BEN, EVE)
    for _ in range(20):
        club.say(EVE, ANNA, Join())
        host.link(EVE.id, False)
        club.deliver()
    assert len(host.attempts) == len(ben.attempts) == ATTEMPTS_PER_MINUTE
    assert [text for text in club.told[ANNA.id] if "eve has left" in text and "is void" in text]
    assert len([text for text in club.told[BEN.id] if "is void" in text]) == 4
    assert len(club.told[ANNA.id]) <= 15, "they do not fill the screen"
    assert host.guests == [BEN.id]
    assert not ben.done.done()
    club.guest(CLEO)
    club.meet(CLEO)
    assert not host.done.done()
    club.pass_time(61)
    assert ben.done.result().charter == host.done.result().charter


def test_a_guest_takes_part_in_five_attempts_a_minute(club: Club) -> None:
    """A host that seeks three words that suit it gets five tries a minute, and the guest's player reads of each."""
    guest = club.guest(BEN)
    club.client(ANNA)
    bodies = [formation(ANNA).body._replace(attempt=bytes([number]) * 16) for number in range(20)]
    for body in bodies:
        club.propose(BEN, body)
    assert guest.formation
    assert guest.formation.body == bodies[ATTEMPTS_PER_MINUTE - 1]
    assert len([text for text in club.told[BEN.id] if "is void" in text]) == ATTEMPTS_PER_MINUTE - 1
    assert not guest.done.done()
    club.now += 61
    club.propose(BEN, bodies[-1])
    assert guest.formation.body == bodies[-1]


def test_what_all_have_signed_stays_when_a_guest_goes_at_that_moment(club: Club) -> None:
    host, guest = club.host(2), club.guest(BEN)
    club.meet(BEN)
    table = host.done.result().charter.table
    host.link(BEN.id, False)
    assert host.guests == [BEN.id]
    host.abandon()
    guest.abandon()
    assert host.home.kept_secret(table)
    assert guest.home.kept_secret(table)
    assert host.formation


def test_a_host_that_repeats_an_old_attempt_takes_no_secrets_of_an_adjourned_table(club: Club) -> None:
    """Its charter has the attempt, and the table its name, of a table that the guest plays on another day."""
    guest = club.guest(BEN)
    old = formation(ANNA).body
    for table in (old.attempt, bytes(32)):
        guest.home.new_secret(table, b"kept")
    club.client(ANNA)
    club.propose(BEN, old)
    assert guest.formation
    guest.abandon()
    for table in (old.attempt, bytes(32)):
        assert guest.home.kept_secret(table) == b"kept"
        with pytest.raises(Failure, match="under way"):
            guest.home.new_secret(table, b"another")
    assert guest.home.kept_secret(old.attempt) == b"kept"


def test_secrets_are_kept_from_when_all_have_signed(club: Club) -> None:
    host = club.host(2)
    club.client(EVE)
    club.say(EVE, ANNA, Join())
    host.link(EVE.id, False)
    assert not list((host.home.path / "secrets").iterdir())
    club.guest(BEN)
    club.meet(BEN)
    assert host.home.kept_secret(host.done.result().charter.table)


# What a charter says, and what was advertised.


def terms(**changes: Any) -> Any:
    body = formation(ANNA).body
    options = changes.pop("options", None)
    if options:
        body = make_body(NET, GAME, options, body.seats, body.attempt)
    return body._replace(**changes)


CHANGES = {
    "an option": (terms(options={"turn_limit": "60"}), "turn_limit: off -> 60"),
    "spectators": (
        terms(watching=Watching(Watchers.EVERYBODY, 2)),
        "may watch: nobody -> all, 2 actions behind the players",
    ),
    "a time for turns": (terms(turn_time=30), "time: no limit -> 30 s for each turn"),
    "a bot": (
        formation(ANNA, BEN, CLEO).body._replace(
            seats=(Seat(ANNA.id, "anna", 1), Seat(BEN.id, "ben", 2), Seat(CLEO.id, "bot 3", 1))
        ),
        "bots: 0 -> 1",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_guest_signs_another_table_than_advertised_only_after_having_seen_what_differs(club: Club, what: str) -> None:
    body, difference = CHANGES[what]
    ask, asked = answers("yes")
    guest = club.guest(BEN, None, ask)
    club.client(ANNA)
    club.say(ANNA, BEN, advert_of(formation(ANNA).body))
    club.say(ANNA, BEN, advert_of(body))  # to show it a moment before is not to have agreed
    for _ in range(2):
        club.say(ANNA, BEN, Form(formation(ANNA, body=body).message(), ()))
    assert len(asked) == 1
    assert any(difference in text for text in club.told[BEN.id]), club.told[BEN.id]
    assert guest.formation
    assert guest.formation.body == body


@pytest.mark.parametrize("answer", ["no", "perhaps no", None])
def test_who_does_not_agree_or_is_not_there_signs_nothing(club: Club, answer: str | None) -> None:
    guest = club.guest(BEN, None, answers(*answer.split())[0] if answer else None)
    anna = club.client(ANNA)
    club.say(ANNA, BEN, advert_of(formation(ANNA).body))
    club.say(ANNA, BEN, Form(formation(ANNA, body=CHANGES["an option"][0]).message(), ()))
    assert ("agree" if answer else "turn_limit: off -> 60") in failure(guest)
    assert not [message for message in anna.heard if isinstance(message, Form)]


def test_a_charter_before_the_table_was_shown_is_asked_about_and_not_signed(club: Club) -> None:
    """What the host showed may have come before this guest looked, as where friends play again: nobody is accused."""
    guest = club.guest(BEN, None, answers()[0])
    anna = club.client(ANNA)
    club.say(ANNA, BEN, Form(formation(ANNA).message(), ()))
    assert guest.formation is None
    assert not guest.done.done()
    assert anna.heard[-1] == Join()


@pytest.mark.parametrize("where", ["charter", "advert"])
def test_another_game_than_advertised_is_refused(club: Club, where: str) -> None:
    guest = club.guest(BEN, None, answers()[0], announced="kingamon 1/2" if where == "advert" else "qenqe 1/2")
    anna = club.client(ANNA)
    other = all_games()["fidchess"]
    seats = formation(ANNA).body.seats
    club.say(ANNA, BEN, advert_of(formation(ANNA).body))
    club.say(ANNA, BEN, Form(formation(ANNA, body=make_body(NET, other, {}, seats, bytes(16))).message(), ()))
    assert "another game" in failure(guest)
    assert guest.formation is None
    assert not [message for message in anna.heard if isinstance(message, Form)]


@pytest.mark.parametrize("ask", [None, answers()[0]], ids=["nobody here", "somebody here"])
def test_a_guest_signs_no_table_at_which_it_has_another_name(club: Club, ask: Any) -> None:
    """The others would be warned of this guest, or keep its key under that name."""
    guest = club.guest(BEN, None, ask)
    anna = club.client(ANNA)
    body = formation(ANNA).body
    other = body._replace(seats=(body.seats[0], Seat(BEN.id, "dora", 2)))
    club.propose(BEN, other)
    told = "anna proposes a table at which you are called dora, not ben. Choose another table."
    assert failure(guest) == told
    assert not [message for message in anna.heard if isinstance(message, Form)]


def test_the_bots_of_a_host_have_the_names_that_they_have_alone(club: Club) -> None:
    host, _ben = club.host(4, bots=2), club.guest(BEN)
    assert host.names == ("anna", "bot Aoife", "bot Brigid")
    club.meet(BEN)
    seats = host.done.result().charter.body.seats
    assert sorted(seat.name for seat in seats) == ["anna", "ben", "bot Aoife", "bot Brigid"]


@pytest.mark.parametrize("name", ["bot 1", "\uff42ot 1"])
def test_a_guest_signs_no_table_at_which_a_player_is_called_like_a_bot(club: Club, name: str) -> None:
    guest = club.guest(BEN)
    anna = club.client(ANNA)
    seats = (Seat(ANNA.id, "anna", 1), Seat(BEN.id, "ben", 2), Seat(CLEO.id, name, 3))
    body = make_body(NET, GAME, {}, seats, b"attempt-attempt-")
    club.propose(BEN, body)
    assert "(a charter with a player called like a bot)" in failure(guest)
    assert not [message for message in anna.heard if isinstance(message, Form)]


@pytest.mark.parametrize("operator", [2, 3], ids=["this guest", "another guest"])
def test_a_guest_signs_no_table_at_which_a_guest_plays_a_bot(club: Club, operator: int) -> None:
    """The host could keep the bot's key, sign two versions of an event with it, and so name the guest a cheat."""
    guest = club.guest(BEN)
    anna = club.client(ANNA)
    people = [Seat(one.id, NAMES[one.id], number) for number, one in enumerate((ANNA, BEN, CLEO), 1)]
    body = make_body(NET, GAME, {}, (*people, Seat(EVE.id, "bot 1", operator)), b"attempt-attempt-")
    club.propose(BEN, body)
    assert "(a charter with a bot that another player than the host plays)" in failure(guest)
    assert not [message for message in anna.heard if isinstance(message, Form)]


# Guests that take seats and do not sign, and hosts that leave.


def test_a_guest_that_never_signs_keeps_no_friend_out(club: Club) -> None:
    """It has to wait behind the friend that came later, and the host reads what to do about strangers."""
    host = club.host(2)
    eve, ben = club.client(EVE), club.guest(BEN)
    club.say(EVE, ANNA, Join())
    assert host.guests == [EVE.id]
    club.meet(BEN)
    assert any("you get the next one that becomes free" in text for text in club.told[BEN.id])
    assert club.clients[ANNA.id].kept == {EVE.id, BEN.id}
    club.pass_time(hosts.PATIENCE_WITH_A_QUEUE + 2)
    assert ben.done.result().charter == host.done.result().charter
    assert any("--passphrase" in text for text in club.told[ANNA.id])
    assert [message.reason for message in eve.heard if isinstance(message, Decline)] == [DeclineReason.QUEUED]


def test_only_the_guest_that_does_not_sign_is_sent_away(club: Club) -> None:
    """The others cannot sign either before that guest has committed to a nonce."""
    host, ben = club.host(3), club.guest(BEN)
    club.meet(BEN)
    club.client(EVE)
    club.say(EVE, ANNA, Join())
    for told in ("eve did not sign in time and is asked once more", "eve did not sign in time and was sent away"):
        assert host.guests == [BEN.id, EVE.id]
        club.pass_time(hosts.FORMATION_PATIENCE + 2)
        assert any(text.startswith(told) for text in club.told[ANNA.id])
    assert host.guests == [BEN.id]
    assert not ben.done.done()


@pytest.mark.parametrize("wanted", [False, True])
def test_a_friend_of_the_game_that_goes_on_keeps_the_seat_while_nobody_else_wants_it(club: Club, wanted: bool) -> None:
    """The friend may be at a question about the own file; who was sent away for that could never come back."""
    host = club.host(2)
    host.setup = host.setup._replace(places={EVE.id: 2})
    club.client(EVE)
    club.say(EVE, ANNA, Join())
    if wanted:
        club.guest(BEN)
        club.meet(BEN)
    club.pass_time(4 * hosts.FORMATION_PATIENCE)
    assert (EVE.id in host.guests) != wanted


def test_a_queue_is_no_longer_than_it_has_to_be(club: Club) -> None:
    host = club.host(2)
    club.client(EVE)
    club.say(EVE, ANNA, Join())
    for number in range(3 * hosts.MAX_QUEUE):
        other = Identity(bytes([50 + number]) * 32)
        club.client(other)
        club.say(other, ANNA, Join())
        club.say(other, ANNA, Join())
    assert len(host.queue) == hosts.MAX_QUEUE
    assert len(club.clients[ANNA.id].kept) == hosts.MAX_QUEUE + 1
    for peer in [*host.queue]:
        host.link(peer, False)
    assert not host.queue
    assert club.clients[ANNA.id].kept == {EVE.id}


@pytest.mark.parametrize("met", [True, False])
def test_many_keys_of_one_computer_keep_no_friend_out(club: Club, met: bool) -> None:
    """A friend comes from another computer, or is known from another evening."""
    if met:
        meet(club.host(2).home, BEN.id, "ben")
    host = club.host(2)
    if not met:
        club.places[BEN.id] = "192.168.1.30:41730"
    for number in range(2 * hosts.MAX_QUEUE):
        other = Identity(bytes([50 + number]) * 32)
        club.client(other)
        club.places[other.id] = "192.168.1.66:41730"
        club.say(other, ANNA, Join())
    club.guest(BEN)
    club.meet(BEN)
    assert BEN.id in host.queue
    assert len(host.queue) == hosts.MAX_QUEUE
    host.link(host.guests[0], False)
    assert BEN.id in host.guests


def test_guests_at_as_many_computers_wait_in_the_order_in_which_they_came(club: Club) -> None:
    host = club.host(2)
    strangers = [Identity(bytes([50 + number]) * 32) for number in range(2 * hosts.MAX_QUEUE)]
    for number, one in enumerate(strangers):
        club.client(one)
        club.places[one.id] = f"192.168.1.{number}:41730"
        club.say(one, ANNA, Join())
    assert [*host.guests, *host.queue] == [one.id for one in strangers[: hosts.MAX_QUEUE + 1]]


def test_guests_are_told_that_the_host_has_left_and_what_they_can_do(club: Club, monkeypatch: Any) -> None:
    host, ben = club.host(3), club.guest(BEN)
    club.meet(BEN)

    async def interrupted() -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(host, "wait", interrupted)
    with pytest.raises(asyncio.CancelledError):
        asyncio.get_running_loop().run_until_complete(host.gather())
    club.deliver()
    assert "anna has closed the table" in failure(ben)
    assert "join" in failure(ben)


def test_a_host_that_is_gone_without_a_word_is_waited_for_and_that_is_said(club: Club) -> None:
    guest = club.guest(BEN)
    club.client(ANNA)
    guest.link(ANNA.id, False)
    assert "anna is gone" in club.told[BEN.id][-1]
    assert "Ctrl-C" in club.told[BEN.id][-1]


# Limits.


def test_what_others_do_again_and_again_does_not_fill_the_screen(club: Club) -> None:
    """For a minute a guest comes and goes, strangers with ever new names as well, and the host changes its table."""
    host, ben, cleo = club.host(3), club.guest(BEN), club.guest(CLEO)
    club.meet(BEN)
    many = iter(range(10_000))
    for _ in range(60):
        for _ in range(5):
            number = next(many)
            host._seat(CLEO.id)
            host.link(CLEO.id, False)
            stranger = Identity(number.to_bytes(32, "big")).id
            host.introduce(stranger, f"name {number}")
            host.trouble(stranger, f"name {number} cannot be reached")
            ben.hear(ANNA.id, advert_of(formation(ANNA).body)._replace(names=("anna", f"guest {number}")))
            ben.link(ANNA.id, False)
        club.now += 1
        club.wire.clear()
    assert cleo
    for told in (club.told[ANNA.id], club.told[BEN.id]):
        for cause in ("sits down", "has left", "is new to you", "cannot be reached", "at the table", "is gone"):
            assert len([text for text in told if cause in text]) <= 10, cause


@pytest.mark.parametrize("seated", [False, True])
def test_a_flood_costs_a_lobby_little(club: Club, monkeypatch: pytest.MonkeyPatch, seated: bool) -> None:
    """Ten thousand messages in a second, well made or not: some dozens are looked at, and the others sit down."""
    looked_at: list[bytes] = []
    host, ben = club.host(3), club.guest(BEN)
    club.client(EVE)
    club.meet(BEN, EVE)
    if seated:
        club.say(EVE, ANNA, Join())

    def watched(data: bytes) -> Message:
        looked_at.append(data)
        return really_read(data)

    monkeypatch.setattr(lobbies, "read_message", watched)
    flood = [message_bytes(Join()), message_bytes(Form(formation(EVE).message(), ())), bytes(LOBBY_MESSAGE + 1)]
    for number in range(10_000):
        club.now += 1e-4
        host.receive(EVE.id, flood[number % 3])
        ben.receive(EVE.id, flood[number % 3])
        club.wire.clear()
    assert len(looked_at) <= 2 * (LOBBY.burst + LOBBY.messages + 1)
    assert max(map(len, looked_at)) <= LOBBY_MESSAGE
    assert len([text for text in club.told[ANNA.id] if "more than is sensible" in text]) == 1
    host.link(EVE.id, False)  # unseated she took the free seat with her flood
    club.guest(CLEO)
    club.meet(CLEO)
    club.pass_time(2)
    assert ben.done.result().charter == host.done.result().charter


def test_memory_of_a_lobby_is_bounded(club: Club) -> None:
    """Keys cost nothing: thousands of them come, are heard once, and go."""
    host = club.host(3, WORDS)
    for number in range(3 * REMEMBERED):
        peer = bytes([number % 256, number // 256]) * 16
        host.link(peer, True)
        host.receive(peer, message_bytes(Join()))
        for _ in range(LOBBY.burst + 1):
            host.receive(peer, b"\xc1")
        host.link(peer, False)
    assert host.door
    assert len(host._buckets) <= REMEMBERED
    assert len(host.lines._told) <= REMEMBERED
    assert not host.door._sessions
    assert len(club.told[ANNA.id]) <= REMEMBERED


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, "; the usual rules; "), ({"first": 1, "quen": True}, "; options: first 1, quen; ")],
)
def test_the_options_of_a_table_are_told_to_a_guest_in_words(
    club: Club, options: dict[str, str | int | bool], told: str
) -> None:
    host = club.host(2)
    host.setup = host.setup._replace(options=options)
    club.guest(BEN)
    club.meet(BEN)
    assert any(told in text for text in club.told[BEN.id]), club.told[BEN.id]
