"""Who has typed `again` reads of each player who leaves then that the player has left, and what can be done."""

from pathlib import Path
from typing import Any

import clubs
import pytest
from clubs import AFTER, Club, answers, failure
from net_tables import IDENTITIES, NAMES, Room

from p2p_stonehenge.lobby.company import Company
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.storage.home import Home
from protocol import Chat, Join, Leave, LeaveReason, Table

ANNA, BEN, CARA = IDENTITIES[:3]
STRANGER = clubs.EVE


@pytest.fixture
def last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of three that is over: two of them have resigned."""
    for one, name in zip(IDENTITIES, NAMES, strict=True):
        monkeypatch.setitem(clubs.NAMES, one.id, name)
    room = Room(tmp_path / "room")
    while room.tables[1].result is None:
        room.agree_to(room.tables[1].turn, "resign")
    return room.tables[1].table


def waits(club: Club, one: Any, last: Table, *lines: str, without: tuple[Any, ...] = ()) -> tuple[Any, list[str]]:
    """Let a player wait for the others; return the lobby, in which `lines` answer, and what is asked there."""
    network: Any = club.client(one)
    ask, asked = answers(*lines)
    company = Company(last, {other.id for other in without})
    (host, *_), setup = company.rematch()
    here = network, Home.open(str(club.path / one.id.hex()[:8])), club.told.setdefault(one.id, []).append
    lobby = (
        HostLobby(*here, setup, company, ask) if host == one.id else GuestLobby(*here, host, ask=ask, company=company)
    )
    network.handler = lobby
    return lobby, asked


def leaves(club: Club, one: Any, last: Table, lobby: Any) -> None:
    """Let a player leave the last table, which the one in the lobby hears."""
    club.client(one)
    lobby.link(one.id, True)
    club.say(one, lobby.network.identity, Leave(last.id, LeaveReason.QUIT))
    del club.clients[one.id]
    lobby.link(one.id, False)


def test_a_host_reads_who_has_left_and_how_that_player_comes_back(club: Club, last: Table) -> None:
    anna, asked = waits(club, ANNA, last, without=(CARA,))
    leaves(club, BEN, last, anna)
    club.pass_time(1)
    left = "ben has left, and nobody else is left to play with."
    waiting = f"{left} Waiting for ben to come back, by `p2p-stonehenge join anna --interface 127.0.0.1`."
    assert club.told[ANNA.id] == [f"{waiting} {AFTER}"]
    assert asked == []


def test_a_host_reads_who_has_left_though_the_link_stands_on_and_takes_that_player_back(
    club: Club, last: Table
) -> None:
    anna, _ = waits(club, ANNA, last, without=(CARA,))
    club.client(BEN)
    anna.link(BEN.id, True)
    club.say(BEN, ANNA, Leave(last.id, LeaveReason.QUIT))
    club.pass_time(1)
    assert [text.partition(",")[0] for text in club.told[ANNA.id]] == ["ben has left"]
    club.say(BEN, ANNA, Join())
    club.pass_time(1)
    assert any("ben sits down: 2 of 2" in text for text in club.told[ANNA.id])
    assert not anna._missing()


def test_a_host_who_wants_to_wait_for_one_who_has_left_reads_how_that_player_comes_back(
    club: Club, last: Table
) -> None:
    anna, asked = waits(club, ANNA, last, "no")
    club.client(BEN)
    leaves(club, CARA, last, anna)
    club.pass_time(1)
    assert asked == ["cara has left. Play again without cara? [y/N]: "]
    assert club.told[ANNA.id] == [
        "Waiting for cara to come back, by `p2p-stonehenge join anna --interface 127.0.0.1`. Ctrl-C leaves."
    ]


def test_a_guest_does_not_wait_for_a_host_who_has_left(club: Club, last: Table) -> None:
    ben, asked = waits(club, BEN, last, without=(CARA,))
    leaves(club, ANNA, last, ben)
    told = "anna has left, and nobody else is left to play with. `p2p-stonehenge host fidchell` opens another table."
    assert failure(ben) == told
    assert asked == []


def test_a_guest_who_does_not_play_without_a_host_who_has_left_does_not_wait_either(club: Club, last: Table) -> None:
    ben, asked = waits(club, BEN, last, "no")
    leaves(club, ANNA, last, ben)
    ben.tick()
    assert asked == ["anna has left. Play again without anna? [y/N]: "]
    assert failure(ben).startswith("You did not agree to play without anna.")


def test_a_guest_reads_that_nobody_is_left_while_asked_about_the_first_who_left(club: Club, last: Table) -> None:
    """The question ends with the lobby: a game without the second one cannot be had, whatever the answer."""
    ben, asked = waits(club, BEN, last)
    leaves(club, CARA, last, ben)
    leaves(club, ANNA, last, ben)
    ben.tick()
    left = "anna and cara have left, and nobody else is left to play with."
    assert failure(ben) == f"{left} `p2p-stonehenge host fidchell` opens another table."
    assert asked == []


def test_nothing_is_told_of_the_link_to_a_player_who_has_left_or_without_whom_one_plays(
    club: Club, last: Table
) -> None:
    """Only of those who are awaited."""
    for host in (True, False):
        lobby, _ = waits(club, ANNA if host else BEN, last, without=(CARA,))
        other = BEN if host else ANNA
        lobby.trouble(CARA.id, "cara is not reached.")
        lobby.trouble(other.id, "a friend is not reached.")
        assert club.told[lobby.network.identity.id] == ["a friend is not reached."]
    anna, _ = waits(club, ANNA, last, "no")
    club.client(BEN)
    leaves(club, CARA, last, anna)
    anna.trouble(CARA.id, "cara is not reached.")
    assert "cara is not reached." not in club.told[ANNA.id]


def test_who_waits_for_another_game_reads_what_the_others_still_say_at_the_last_table(club: Club, last: Table) -> None:
    for one, other, name in ((ANNA, BEN, "ben"), (BEN, ANNA, "anna")):
        waits(club, one, last, without=(CARA,))
        club.client(other)
        club.say(other, one, Chat(last.id, "one moment"))
        club.say(other, one, Chat(bytes(32), "from another table"))
        club.say(STRANGER, one, Chat(last.id, "from nobody who sat there"))
        assert club.told[one.id] == [f"{name}: one moment"]
