"""A table with a passphrase: who gets a seat, what is asked, and what guessing brings."""

from typing import Any

import pytest
from clubs import ANNA, BEN, CLEO, EVE, NAMES, WORDS, Club, answers, failure, formation

from p2p_stonehenge.lobby.finding import open_tables
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.screen.asking import LeavingError
from protocol import Advert, Form, Handshake, Identity, Join
from protocol.formation import UNWATCHED


def test_who_knows_the_passphrase_gets_a_seat(club: Club) -> None:
    host, guest = club.host(2, WORDS), club.guest(BEN, WORDS)
    club.meet(BEN)
    assert guest.done.result().charter == host.done.result().charter
    assert any("takes a passphrase" in text for text in club.told[BEN.id])


def test_a_passphrase_can_be_asked_for(club: Club) -> None:
    ask, asked = answers(WORDS)
    host, guest = club.host(2, WORDS), club.guest(BEN, None, ask)
    club.meet(BEN)
    assert asked == ["The passphrase of anna's table (Enter alone leaves): "]
    assert guest.done.result().charter == host.done.result().charter


def test_a_link_that_lapses_at_the_question_is_not_told(club: Club) -> None:
    """The host keeps none to a guest without a seat: its table is open all the same."""
    club.host(2, WORDS)

    async def ask(_question: str, _hidden: bool) -> str:
        for up in (False, True, False, True):
            guest.link(ANNA.id, up)
        return WORDS

    guest = club.guest(BEN, None, ask)
    club.meet(BEN)
    assert not any("is gone" in text for text in club.told[BEN.id])
    guest.link(ANNA.id, False)
    assert any("is gone" in text for text in club.told[BEN.id])


def test_who_mistypes_the_passphrase_is_asked_again_once_a_second(club: Club) -> None:
    ask, asked = answers("three odd stones", "x" * 201, "three new stones", WORDS)
    host, guest = club.host(2, WORDS), club.guest(BEN, None, ask)
    club.meet(BEN)
    assert len(asked) == 3, "the second answer of the host is not due yet"
    club.pass_time(2)
    assert len(asked) == 4
    assert guest.done.result().charter == host.done.result().charter
    assert len([text for text in club.told[BEN.id] if "not the passphrase" in text]) == 2


def test_enter_alone_gives_the_passphrase_up(club: Club) -> None:
    ask, asked = answers("three odd stones", "")
    host, guest = club.host(2, WORDS), club.guest(BEN, None, ask)
    club.meet(BEN)
    club.pass_time(2)
    assert len(asked) == 2
    assert isinstance(guest.done.exception(), LeavingError)
    assert not host.done.done()


@pytest.mark.parametrize("words", ["three new stones", "Three old stones", None])
def test_who_does_not_know_it_gets_none(club: Club, words: str | None) -> None:
    host, guest = club.host(2, WORDS), club.guest(BEN, words)
    club.meet(BEN)
    assert "passphrase" in failure(guest)
    assert (host.guests, host.formation, guest.formation) == ([], None, None)


def test_a_client_that_claims_a_seat_at_such_a_table_gets_none(club: Club) -> None:
    """Join again and again, tags without a session, statements of a charter: nothing stands in for the passphrase."""
    host = club.host(2, WORDS)
    eve = club.client(EVE)
    club.meet(EVE)
    for message in (Join(), Join(), Handshake(bytes(32), b"", bytes(64)), Form(formation(EVE).message(), ())):
        club.say(EVE, ANNA, message)
    questions = [message for message in eve.heard if isinstance(message, Handshake)]
    assert len({question.session for question in questions}) == 2
    club.say(EVE, ANNA, Handshake(questions[-1].session, b"", bytes(64)))
    assert (host.guests, host.formation) == ([], None)
    assert not [message for message in eve.heard if isinstance(message, Form)]


@pytest.mark.parametrize("how", ["advert", "form", "wrong words"])
def test_a_guest_with_a_passphrase_trusts_no_host_without_it(club: Club, how: str) -> None:
    """A false host that skips the question, or answers it with a guess, learns nothing and gets no signature."""
    guest = club.guest(BEN, WORDS)
    anna = club.client(ANNA)
    guest.link(ANNA.id, True)
    if how == "advert":
        club.say(ANNA, BEN, Advert("qenqe", 1, (), ("anna",), 2, 0, 0, b"", 0, UNWATCHED))
    elif how == "form":
        club.say(ANNA, BEN, Form(formation(ANNA).message(), ()))
    else:
        club.say(ANNA, BEN, Handshake(b"s" * 32, b"", b""))
        club.say(ANNA, BEN, Handshake(b"s" * 32, bytes([9]) + bytes(31), bytes(64)))
    assert "passphrase" in failure(guest)
    said = [message for message in anna.heard if message != Join()]
    assert [(message.share != b"", message.tag) for message in said] == [(True, b"")] * (how == "wrong words")
    assert guest.formation is None


def test_nobody_but_the_host_ends_a_guests_exchange(club: Club) -> None:
    """A stranger that is linked to the guest answers in the host's place, or asks for the passphrase itself."""
    guest = club.guest(BEN, WORDS)
    anna, eve = club.client(ANNA), club.client(EVE)
    club.say(ANNA, BEN, Handshake(b"s" * 32, b"", b""))
    for message in (Handshake(b"s" * 32, bytes([9]) + bytes(31), bytes(64)), Handshake(b"t" * 32, b"", b"")):
        club.say(EVE, BEN, message)
    assert not guest.done.done()
    assert len(anna.heard) == 1
    assert not eve.heard


def test_many_wrong_passphrases_are_told_to_the_host(club: Club) -> None:
    """With as many keys as it likes a guesser gets one guess a second, and the host reads of it."""
    host = club.host(2, WORDS)
    guessers = [Identity(bytes([number]) * 32) for number in range(50, 74)]
    for guesser in guessers:
        club.guest(guesser, "guess")
    club.meet(*guessers)
    assert host.door
    assert host.door.wrong == 1
    club.pass_time(10)
    assert host.door.wrong == 11
    assert not [text for text in club.told[ANNA.id] if "WARNING" in text]
    club.pass_time(20)
    assert host.door.wrong == len(guessers)
    assert len([text for text in club.told[ANNA.id] if "WARNING: 20 wrong passphrases" in text]) == 1
    friend = club.guest(BEN, WORDS)
    club.meet(BEN)
    club.pass_time(1)
    assert friend.done.result()


def test_the_host_reads_of_each_wrong_passphrase_and_of_no_right_one(club: Club) -> None:
    ask, _ = answers("three odd stones", WORDS)
    host = club.host(3, WORDS)
    club.guest(BEN, None, ask)
    club.meet(BEN)
    club.pass_time(4)
    assert len(host.guests) == 1
    club.guest(CLEO, "guess")
    club.meet(CLEO)
    club.pass_time(4)
    told = [text for text in club.told[ANNA.id] if "rong passphrases" in text]
    assert told == ["Wrong passphrases so far: 1.", "Wrong passphrases so far: 2."]


def test_it_is_announced_whether_a_table_takes_a_passphrase(club: Club) -> None:
    assert club.host(2).announcement == "qenqe 1/2"
    assert club.host(2, WORDS).announcement == "qenqe 1/2 passphrase"
    network: Any = club.client(BEN)
    for identity, table in ((ANNA, "qenqe 1/2 passphrase"), (CLEO, "qenqe 1/2"), (EVE, "")):
        network.sightings[identity.id] = Sighting(identity.id, NAMES[identity.id], ("10.0.0.1:4",), bytes(8), table)

    def names(wanted: str | None, *, locked: bool) -> list[str]:
        return [one.nick for one in open_tables(network, wanted, locked=locked)]

    assert names(None, locked=False) == ["cleo", "anna"]
    assert names(None, locked=True) == ["anna"]
    assert names("cleo", locked=True) == ["cleo"]
