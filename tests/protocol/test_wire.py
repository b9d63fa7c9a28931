"""Messages, greetings and cards: each comes back as it was sent; whatever is not exactly one is refused by name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds import expect
from replicas import IDENTITIES, circle_of, events_of

from engine import MOST_SEATS, MalformedError, encode
from protocol import (
    CHARTER_LIMIT,
    Advert,
    Attendance,
    Attending,
    Card,
    Chat,
    Decline,
    DeclineReason,
    Form,
    Greeting,
    Handshake,
    Join,
    Leave,
    LeaveReason,
    Talk,
    VersionMismatchError,
    Watch,
    Watchers,
    Watching,
    card_bytes,
    greeting_bytes,
    message_bytes,
    read_card,
    read_greeting,
    read_message,
)
from protocol.events import EVENT_LIMIT, Head, Leaving, bodies
from protocol.events.slots import DECK_LIMIT, SHUFFLE_PROOF_LIMIT
from protocol.formation import PROTOCOL_VERSION, UNWATCHED
from protocol.messages import ASKS_BYTES, BATCH_BYTES, MESSAGE_LIMIT, PROOFS_LIMIT, Events, Have, event_batches

TABLE = bytes(range(32))
HEADS = (Head(3, TABLE), Head(0, b""))
EVERYBODY = (1, 2, 3, 4, 5)
ID = IDENTITIES[0].id
NO_CODE: Any = 3
LATER = Watching(Watchers.WITH_PASSPHRASE, 3)

MESSAGES: dict[str, Any] = {
    "a guest": Join(),
    "a table": Advert("kingamon", 1, (("points", "3"),), ("anna", "ben"), 2, 60, 1, b"", 0, UNWATCHED),
    "a table that goes on": Advert("kingamon", 1, (), ("anna",), 2, 0, 0, bytes(32), 7, LATER),
    "no seat": Decline(DeclineReason.FULL),
    "a place in the queue": Decline(DeclineReason.QUEUED),
    "a charter in the making": Form((1, (b"x", None), "y"), ((ID, "10.0.0.1:47100"),)),
    "what is held": Have(TABLE, HEADS),
    "what is held, and more": Have(TABLE, HEADS, ((1, 2), (2, 7)), bytes(8), b"12345678", (1, 2)),
    "the most that can be asked": Have(
        TABLE, (Head(0, b""),) * MOST_SEATS, (), bytes(ASKS_BYTES), bytes(8), (1, 2, 3, 4, 5)
    ),
    "events": Events(TABLE, ((b"raw", bytes(64)), (bytes(EVENT_LIMIT), bytes(64)))),
    "no events": Events(TABLE, ()),
    "a line": Chat(TABLE, "well played"),
    "leaving": Leave(TABLE, LeaveReason.QUIT),
    "another day": Leave(TABLE, LeaveReason.ADJOURN),
    "a handshake": Handshake(bytes(32), b"", b""),
    "a spectator who knows nothing": Watch(),
    "a spectator": Watch(TABLE, (3, 0), ((1, 2),)),
    "who is there": Attendance(
        TABLE, 12, 47, ((1, Attending.PRESENT, 0), (2, Attending.AWAY, 93), (5, Attending.UNREACHED, 0))
    ),
    "who is there at a table without a clock": Attendance(TABLE, 0, None, ((1, Attending.AGAIN, 0),)),
    "a player's line, passed on": Talk(TABLE, 2, "", "well played"),
    "a spectator's line": Talk(TABLE, 0, "wim", "well played"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_comes_back_as_it_was_sent(name: str) -> None:
    data = message_bytes(MESSAGES[name])
    assert len(data) <= MESSAGE_LIMIT
    assert read_message(data) == MESSAGES[name]
    assert type(read_message(data)) is type(MESSAGES[name])


HAVE = tuple(Have(TABLE, HEADS, ((1, 2),), b"", b"", (2,)))
NONE = {
    "no array": 7,
    "an empty array": (),
    "an unknown kind": (12,),
    "who is there at a short table": (10, TABLE[:31], 0, None, ()),
    "who is there after less than nothing": (10, TABLE, -1, None, ()),
    "a clock that runs backwards": (10, TABLE, 0, -1, ()),
    "a clock of text": (10, TABLE, 0, "1", ()),
    "a clock of ages": (10, TABLE, 0, 2**31, ()),
    "six players": (10, TABLE, 0, None, tuple((seat, 1, 0) for seat in range(1, 7))),
    "a player twice": (10, TABLE, 0, None, ((2, 1, 0), (2, 1, 0))),
    "a player at no seat": (10, TABLE, 0, None, ((0, 1, 0),)),
    "a player who is there in no way": (10, TABLE, 0, None, ((1, 6, 0),)),
    "a player away for less than nothing": (10, TABLE, 0, None, ((1, 2, -1),)),
    "a player of two": (10, TABLE, 0, None, ((1, 2),)),
    "a line of nobody": (11, TABLE, 0, "", "x"),
    "a line of a player with a name": (11, TABLE, 1, "wim", "x"),
    "a line of seat six": (11, TABLE, 6, "", "x"),
    "no line": (11, TABLE, 1, "", ""),
    "a line of a player that moves the cursor": (11, TABLE, 1, "", "x\x1b[2J"),
    "a line of a name that moves the cursor": (11, TABLE, 0, "w\x1b[2J", "x"),
    "a line that is too long": (11, TABLE, 1, "", "x" * 201),
    "a spectator of a short table": (9, TABLE[:31], (3, 0), ()),
    "a spectator of no table who holds events": (9, b"", (3, 0), ()),
    "a spectator who holds less than nothing": (9, TABLE, (-1, 0), ()),
    "a spectator who holds text": (9, TABLE, ("3", 0), ()),
    "a spectator of six chains": (9, TABLE, (0,) * 6, ()),
    "a spectator with proofs of text": (9, TABLE, (3, 0), (("1", 2),)),
    "a negative kind": (-1,),
    "a guest with something": (0, 1),
    "heads of six chains": (4, TABLE, ((0, b""),) * 6, (), b"", b"", ()),
    "a head without a hash": (4, TABLE, ((1, b""), (0, b"")), (), b"", b"", ()),
    "a head with a hash for nothing": (4, TABLE, ((0, TABLE), (0, b"")), (), b"", b"", ()),
    "a short table": (4, TABLE[:31], HEADS, (), b"", b"", ()),
    "proofs that are no pairs": (4, TABLE, HEADS, ((1, 2, 3),), b"", b"", ()),
    "proofs of text": (4, TABLE, HEADS, (("1", 2),), b"", b"", ()),
    "too long a question": (4, TABLE, HEADS, (), bytes(ASKS_BYTES + 1), b"", ()),
    "too long an answer": (4, TABLE, HEADS, (), b"", bytes(ASKS_BYTES + 1), ()),
    "apart from a seat that is none": (4, TABLE, HEADS, (), b"", b"", (3,)),
    "apart from seat nought": (4, TABLE, HEADS, (), b"", b"", (0,)),
    "apart from more seats than there are": (4, TABLE, HEADS, (), b"", b"", (1, 2, 1)),
    "a statement of four": HAVE[:4],
    "an event of three": (5, TABLE, ((b"raw", bytes(64), b""),)),
    "an event of text": (5, TABLE, (("raw", bytes(64)),)),
    "an event too long": (5, TABLE, ((bytes(EVENT_LIMIT + 1), bytes(64)),)),
    "events of a short table": (5, TABLE[:31], ()),
    "a line that moves the cursor": (6, TABLE, "a\x1b[2Jb"),
    "a line of two lines": (6, TABLE, "a\nb"),
    "a line too long": (6, TABLE, "x" * 201),
    "leaving for no reason": (8, TABLE, 3),
    "a session too short": (7, bytes(31), b"", b""),
    "an address that is none": (3, (), ((ID, "\u00e4.local:1"),)),
    "an address of no peer": (3, (), ((7, "10.0.0.1:1"),)),
    "a question in text": (4, TABLE, HEADS, (), "", b"", ()),
    "heads that are no array": (4, TABLE, 7, (), b"", b"", ()),
}


@pytest.mark.parametrize("value", NONE.values(), ids=NONE)
def test_what_is_no_message(value: int | tuple[Any, ...]) -> None:
    with pytest.raises(MalformedError):
        read_message(encode(value))


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "kingamon\u202e"},
        {"game": "k" * 41},
        {"options": (("points", "3\n"),)},
        {"options": (("points", "3" * 41),)},
        {"options": (("points", 3),)},
        {"names": ("anna\u202e",)},
        {"names": (7,)},
        {"seats": 6},
        {"seats": 0},
        {"turn_time": 9},
        {"turn_time": (60,)},
        {"turn_time": (60, 3601)},
        {"locked": 2},
        {"origin": bytes(31)},
        {"ply": -1},
        {"ply": CHARTER_LIMIT},
        {"watching": Watching(NO_CODE, 0)},
        {"watching": Watching(Watchers.NOBODY, 1)},
        {"watching": Watching(Watchers.NOBODY, 0, 1)},
        {"watching": Watching(Watchers.WITH_PASSPHRASE, 1001)},
        {"watching": Watching(Watchers.EVERYBODY, -1)},
        {"watching": Watching(Watchers.EVERYBODY, 1, 1)},
        {"watching": Watching(Watchers.EVERYBODY, 0, 2)},
        {"match": 1},
        {"match": 1000},
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_not_shown(changed: dict[Any, Any]) -> None:
    """What a stranger advertises is printed for a player."""
    with pytest.raises(MalformedError):
        read_message(message_bytes(MESSAGES["a table"]._replace(**changed)))


@given(st.binary(max_size=200))
def test_garbage_is_no_message(data: bytes) -> None:
    with pytest.raises(MalformedError):
        read_message(data + b"\0")


def test_a_statement_of_what_is_held_names_a_bounded_number_of_proofs() -> None:
    """A seat that equivocates again and again makes no message longer than this."""
    proofs = tuple((1, number) for number in range(PROOFS_LIMIT + 9))
    read = read_message(message_bytes(Have(TABLE, HEADS, proofs)))
    assert isinstance(read, Have)
    assert read.proofs == proofs[:PROOFS_LIMIT]


def test_events_go_out_in_order_in_messages_that_are_not_too_long() -> None:
    """The longest events as well: none is left out, none is sent twice, and every message can be read."""
    circle = circle_of("pebbles", 2, pile=99)
    circle.spread(circle.forge(1, bodies.Shuffle(bytes(DECK_LIMIT), bytes(SHUFFLE_PROOF_LIMIT))))
    for _ in range(6):
        circle.spread(circle.forge(2, bodies.Shuffle(bytes(DECK_LIMIT), bytes(SHUFFLE_PROOF_LIMIT))))
    circle.settle()
    events = events_of(circle[1])
    batches = event_batches(circle.charter.table, events)
    read = [expect(Events, read_message(batch)) for batch in batches]
    assert {one.table for one in read} == {circle.charter.table}
    assert [pair for one in read for pair in one.events] == [(event.raw, event.signature) for event in events]
    assert all(len(batch) <= MESSAGE_LIMIT for batch in batches)
    assert 1 < len(batches) <= 1 + sum(len(event.raw) for event in events) // (BATCH_BYTES - EVENT_LIMIT)
    assert event_batches(circle.charter.table, []) == []


def test_the_longest_event_fits_its_limit() -> None:
    """A shuffle of the largest deck with heads of five chains; and an agreement that lists four."""
    circle = circle_of("pebbles", 5)
    heads = tuple(Head(2**31 - 2, TABLE) for _ in range(5))
    leaving = tuple(Leaving(seat, *heads[seat - 1]) for seat in (1, 2, 3, 4))
    for body in (bodies.Shuffle(bytes(DECK_LIMIT), bytes(SHUFFLE_PROOF_LIMIT)), bodies.Epoch(2**31 - 1, leaving)):
        assert len(circle.forge(5, body, heads=heads).raw) < EVENT_LIMIT


# Greetings and cards.

GREETING = Greeting(ID, bytes(8), "anna", 47100)
CARD = Card(ID, "anna", 47100)


@pytest.mark.parametrize(
    "line", [Chat(TABLE, "well \uffff"), Talk(TABLE, 2, "", "well \uffff")], ids=["own", "passed on"]
)
def test_a_line_with_a_letter_of_a_later_unicode_is_read_with_a_sign_in_its_place(line: Chat | Talk) -> None:
    """It stands here for what this Unicode does not know and that of the sender does: U+FFFF is in no Unicode."""
    assert read_message(message_bytes(line)) == line._replace(text="well \ufffd")
    for other in ("\uffff" * 201, "\uffff\u200b", "\uffff\x1b[2J", "\uffff  a"):
        with pytest.raises(MalformedError):
            read_message(message_bytes(line._replace(text=other)))


def test_greetings_and_cards_come_back() -> None:
    assert read_greeting(greeting_bytes(GREETING)) == GREETING
    assert read_card(card_bytes(CARD, IDENTITIES[0])) == CARD


@pytest.mark.parametrize("version", [1, PROTOCOL_VERSION + 1])
def test_a_peer_of_another_version_is_told_by_name(version: int) -> None:
    """Whatever else its greeting or card holds: the player reads which versions meet, not that something is broken."""
    said = f"the peer speaks protocol {version}, this program speaks {PROTOCOL_VERSION}"
    old = encode(("stonehenge", version, *GREETING))
    for data in (old, encode(("stonehenge", version)), encode(("stonehenge", version, "something", 9))):
        with pytest.raises(VersionMismatchError, match=said):
            read_greeting(data)
        with pytest.raises(VersionMismatchError, match=said):
            read_card(data + bytes(64))


def test_a_version_that_is_no_number_is_not_repeated() -> None:
    with pytest.raises(VersionMismatchError, match=r"speaks protocol \?"):
        read_greeting(encode(("stonehenge", "\x1b[2J")))


@pytest.mark.parametrize(
    "changed",
    [
        {"id": bytes(31)},
        {"instance": bytes(7)},
        {"nick": ""},
        {"nick": "an\u202ena"},
        {"nick": "x" * 25},
        {"nick": "bot 2"},
        {"nick": "\uff42ot 2"},
        {"nick": "Bot Brigid"},
        {"port": 0},
        {"port": 65535},
        {"port": "47100"},
    ],
    ids=str,
)
def test_what_is_no_greeting(changed: dict[Any, Any]) -> None:
    with pytest.raises(MalformedError):
        read_greeting(encode(("stonehenge", PROTOCOL_VERSION, *GREETING._replace(**changed))))


@pytest.mark.parametrize(
    "changed",
    [
        {"nick": "an\u202ena"},
        {"nick": "bot 2"},
        {"nick": "\uff22\uff2f\uff34 2"},
        {"port": 0},
        {"port": 65535},
        {"nick": 7},
    ],
    ids=str,
)
def test_what_is_no_card_though_its_key_signed_it(changed: dict[str, int] | dict[str, str]) -> None:
    with pytest.raises(MalformedError):
        read_card(card_bytes(Card(ID, "anna", 47100)._replace(**changed), IDENTITIES[0]))


def test_a_card_signed_by_another_key_is_none() -> None:
    with pytest.raises(MalformedError):
        read_card(card_bytes(CARD, IDENTITIES[1]))


@pytest.mark.parametrize("data", [b"", b"\0", b"GET / HTTP/1.1\r\n\r\n", encode(("stonehenge",)), encode(("other", 2))])
def test_what_is_no_peer_of_this_program(data: bytes) -> None:
    with pytest.raises(MalformedError):
        read_greeting(data)
