"""Signed events: one canonical form, every byte covered by the signature, nothing valid anywhere else."""

import re
from collections import Counter
from random import Random

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol._event import (
    ACT,
    COMMIT,
    COMMITMENT,
    EVENT_LIMIT,
    MOVE,
    OPENING,
    RESIGN,
    RESULT,
    REVELATION,
    SEQUENCE,
    SHARE_BYTES,
    TEXT_LIMIT,
    WISH,
    make_event,
    read_event,
)
from replicas import FAST, FAST_SIGNERS, IDENTITIES, Circle, FastSigner, charter_of, replica
from whist import play_to, whist

from engine import MalformedError, encode
from protocol import ED25519, Card, Head, Identity, PeerFaultError, Secrets, Slot, Table, card_bytes, read_card
from protocol.formation.charter import sign_charter, sign_commitment

CHARTER = charter_of("fidchess")
TABLE = CHARTER.table
HASH = bytes(range(32))
HEADS = (Head(1, HASH), Head(0, b""))
SLOT = Slot(0, 3, 1)


def fields(**changes):
    """The array of a lawful event with some fields replaced."""
    named = {
        "form": 1,
        "table": TABLE,
        "seat": 1,
        "heads": HEADS,
        "slot": SLOT,
        "digest": HASH,
        "kind": MOVE,
        "body": ("A2-A3",),
    }
    assert changes.keys() <= named.keys()
    return tuple({**named, **changes}.values())


def some_events():
    """Events of each kind that a short game has."""
    circle = Circle(CHARTER)
    circle.play(Random(1), 4)
    circle.spread(circle[circle.mover].wish_draw(circle.mover, True))
    circle.spread(circle[1].resign(1))
    circle.settle()
    return [event for chain in circle[1].chains for event in chain]


EVENTS = some_events()


def test_events_read_back():
    assert {event.kind for event in EVENTS} >= {MOVE, RESIGN, WISH, COMMITMENT, REVELATION, RESULT}
    for event in EVENTS:
        assert read_event(event.raw, event.signature) == event
        assert event.signed_by(IDENTITIES[event.seat - 1].id, ED25519)
        assert not event.signed_by(IDENTITIES[2 - event.seat].id, ED25519)


@pytest.mark.parametrize("event", EVENTS[:4] + EVENTS[-4:], ids=lambda event: f"{event.seat}-{event.number}")
def test_every_altered_byte_is_refused(event):
    """A relay that changes one bit of an event or its signature: no replica takes it in, nothing changes."""
    circle = Circle(CHARTER)
    for other in EVENTS:
        if other.hash != event.hash:
            circle[1].receive(other.raw, other.signature)
    table = circle[1]
    before = table.heads
    whole = event.raw + event.signature
    for at in range(len(whole)):
        altered = whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]
        with pytest.raises(PeerFaultError):
            table.receive(altered[:-64], altered[-64:])
    assert table.heads == before
    assert not table.forks


@given(st.binary(max_size=300), st.binary(min_size=64, max_size=64))
def test_garbage_is_refused(raw, signature):
    with pytest.raises(MalformedError):
        read_event(raw, signature)
    with pytest.raises(PeerFaultError):
        Table(CHARTER, {}).receive(raw, signature)


MALFORMED = {
    "another form": fields(form=2),
    "a short table id": fields(table=TABLE[:31]),
    "seat nought": fields(seat=0),
    "a seat without a head": fields(seat=3),
    "a negative seat": fields(seat=-1),
    "a short digest": fields(digest=HASH[:31]),
    "a slot of two": fields(slot=(0, 3)),
    "a slot of text": fields(slot=(0, "3", 1)),
    "an unknown kind": fields(kind=9),
    "kind nought": fields(kind=0),
    "a head with a hash for nothing": fields(heads=(Head(0, HASH), Head(0, b""))),
    "a head without a hash": fields(heads=(Head(1, b""), Head(0, b""))),
    "a negative head": fields(heads=(Head(-1, HASH), Head(0, b""))),
    "a head of 2**31": fields(heads=(Head(2**31, HASH), Head(0, b""))),
    "a head of three": fields(heads=((1, HASH, 0), (0, b""))),
    "no heads": fields(heads=()),
    "a move of two texts": fields(body=("A2-A3", "A3-A4")),
    "a move of bytes": fields(body=(b"A2-A3",)),
    "a move too long": fields(body=("x" * (TEXT_LIMIT + 1),)),
    "a sequence with a body": fields(kind=SEQUENCE, body=(1,)),
    "a resignation with a body": fields(kind=RESIGN, body=("please",)),
    "a wish of 2": fields(kind=WISH, body=(2,)),
    "a wish of nothing": fields(kind=WISH, body=()),
    "a short commitment": fields(kind=COMMITMENT, body=(HASH[:31],)),
    "a long commitment": fields(kind=COMMITMENT, body=(HASH + b"x",)),
    "a revelation without its answer": fields(kind=REVELATION, body=(HASH,)),
    "a short salt": fields(kind=REVELATION, body=(HASH[:31], HASH)),
    "an opening without its answer": fields(kind=OPENING, body=(HASH,)),
    "an opening with a short answer": fields(kind=OPENING, body=(HASH, HASH[:31])),
    "a result with a body": fields(kind=RESULT, body=((1,),)),
    "a result with a number": fields(kind=RESULT, body=(1,)),
    "a result with no shares": fields(kind=RESULT, body=(b"",)),
    "a result with a part of a share": fields(kind=RESULT, body=(bytes(SHARE_BYTES - 1),)),
    "a commitment of the size of a share": fields(kind=COMMITMENT, body=(bytes(SHARE_BYTES),)),
    "a move of the size of a share": fields(kind=MOVE, body=(bytes(SHARE_BYTES),)),
    "an actor of 6": fields(kind=ACT, body=(6, "A2-A3")),
    "an actor below nought": fields(kind=ACT, body=(-1, "A2-A3")),
    "a field more": (*fields(), None),
    "a field less": fields()[:-1],
    "no array": 7,
}


@pytest.mark.parametrize("value", MALFORMED.values(), ids=MALFORMED)
def test_another_shape_is_refused(value):
    """What no client writes is refused before anything looks at it, well signed or not."""
    with pytest.raises(MalformedError):
        read_event(encode(value), bytes(64))


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(65)])
def test_a_signature_has_64_bytes(signature):
    with pytest.raises(MalformedError):
        read_event(encode(fields()), signature)
    assert not ED25519.verify(IDENTITIES[0].id, b"message", signature)


def test_sizes_are_bounded():
    """An event of more than its limit is refused before it is decoded."""
    assert read_event(encode(fields(body=("x" * TEXT_LIMIT,))), bytes(64)).body == ("x" * TEXT_LIMIT,)
    long = encode(fields(heads=(Head(1, HASH),) * (EVENT_LIMIT // 36 + 1)))
    assert len(long) > EVENT_LIMIT
    with pytest.raises(MalformedError, match="bytes, at most"):
        read_event(long, bytes(64))


def spelled(value, at, spelling):
    """`encode(value)` with the item at index `at` spelled otherwise."""
    return b"\x98" + b"".join(spelling if n == at else encode(item) for n, item in enumerate(value))


OTHER_SPELLINGS = {
    "a long int": spelled(fields(), 2, b"\xcc\x01"),
    "a longer int": spelled(fields(), 2, b"\xcd\x00\x01"),
    "a signed int": spelled(fields(), 2, b"\xd0\x01"),
    "true for 1": spelled(fields(), 2, b"\xc3"),
    "a float": spelled(fields(), 2, b"\xcb" + bytes.fromhex("3ff0000000000000")),
    "a long text": spelled(fields(), 7, b"\x91\xd9\x05A2-A3"),
    "a longer text": spelled(fields(), 7, b"\x91\xda\x00\x05A2-A3"),
    "long bytes": spelled(fields(), 5, b"\xc5\x00\x20" + HASH),
    "text for bytes": spelled(fields(), 5, b"\xd9\x20" + HASH),
    "a long array": spelled(fields(), 7, b"\xdc\x00\x01" + encode("A2-A3")),
    "a map for the body": spelled(fields(), 7, b"\x81\x00" + encode("A2-A3")),
    "an empty map": spelled(fields(), 7, b"\x80"),
    "an extension": spelled(fields(), 7, b"\xd4\x00\x00"),
    "a timestamp": spelled(fields(), 7, b"\xd6\xff\x00\x00\x00\x00"),
    "a lone surrogate": spelled(fields(), 7, b"\x91\xa3\xed\xa0\x80"),
    "broken utf-8": spelled(fields(), 7, b"\x91\xa1\xff"),
    "bytes after the end": encode(fields()) + b"\0",
    "the whole as a long array": b"\xdc\x00\x08" + encode(fields())[1:],
}


@pytest.mark.parametrize("raw", OTHER_SPELLINGS.values(), ids=OTHER_SPELLINGS)
def test_there_is_one_spelling(raw):
    """Rule 27: msgpack knows many encodings of one value; two for one event would be two hashes of one signed
    meaning."""
    assert spelled(fields(), 2, b"\x01") == encode(fields())
    with pytest.raises(MalformedError):
        read_event(raw, bytes(64))


def test_the_spellings_are_msgpack():
    """The cases above are refused for their spelling, not because they are no msgpack at all."""
    for name in ("a long int", "a longer text", "long bytes", "a long array"):
        assert msgpack.unpackb(OTHER_SPELLINGS[name], use_list=False) == fields()


def test_deep_nesting_is_refused():
    """Rule 27: at most 8 arrays within each other."""
    for depth in (9, 200, 5000):
        with pytest.raises(MalformedError):
            read_event(b"\x91" * depth + b"\x00", bytes(64))


def test_an_event_of_another_table_is_refused():
    """Splicing: a lawful event of another table of the same seats, game and options."""
    other = Circle(charter_of("fidchess", options={"quen": True}))
    event = other[1].duties()[0]
    with pytest.raises(PeerFaultError, match="another table"):
        Table(CHARTER, {}).receive(event.raw, event.signature)


@pytest.mark.parametrize("heads", [((0, b""),), ((0, b""),) * 3])
def test_an_event_names_every_chain(heads):
    """An event with too few or too many heads has no place in the order of causes."""
    event = make_event(IDENTITIES[0], TABLE, 1, tuple(Head(*h) for h in heads), Slot(0, 0, COMMIT), HASH, RESIGN, ())
    with pytest.raises(PeerFaultError, match="another table"):
        Table(CHARTER, {}).receive(event.raw, event.signature)


def test_a_seat_signs_only_for_itself():
    """An event in the name of seat 1 with the signature of seat 2."""
    table = Table(CHARTER, {})
    event = make_event(IDENTITIES[1], TABLE, 1, table.heads, Slot(0, 0, COMMIT), table.fold.digest, RESIGN, ())
    with pytest.raises(PeerFaultError, match="did not sign"):
        table.receive(event.raw, event.signature)
    assert table.heads == replica(table).heads


def test_signatures_of_one_kind_never_count_as_another():
    """Domains: a signed card, charter or event shows nothing under another name, whatever the bytes signed."""
    key = IDENTITIES[0]
    event = EVENTS[0]
    assert event.seat == 1
    assert ED25519.verify(key.id, b"stonehenge/event/1" + event.raw, event.signature)
    signatures = {
        "event": key.sign(b"stonehenge/event/1" + event.raw),
        "charter": sign_charter(CHARTER.body, CHARTER.nonces, key),
        "commitment": sign_commitment(CHARTER.body, 1, CHARTER.nonces[0], key)[32:],
        "card": card_bytes(Card(key.id, "anna", 5000), key)[-64:],
        "bare": key.sign(event.raw),
    }
    for kind, signature in signatures.items():
        assert ED25519.verify(key.id, b"stonehenge/event/1" + event.raw, signature) == (kind == "event")
    body = card_bytes(Card(key.id, "anna", 5000), key)[:-64]
    for kind, signature in signatures.items():
        if kind != "card":
            with pytest.raises(MalformedError):
                read_card(body + signature)


def test_domains_are_prefix_free():
    """No domain string begins another one, so no signed message can be read under two of them."""
    domains = (b"stonehenge/event/1", b"stonehenge/charter/1", b"stonehenge/card/1", b"stonehenge/commitment/1")
    assert not any(a.startswith(b) for a in domains for b in domains if a != b)
    signed = []

    class Recorder:
        id = IDENTITIES[0].id

        def sign(self, message):
            signed.append(message)
            return bytes(64)

    table = Table(CHARTER, {1: Recorder()}, Secrets.from_seed(b""), FAST)
    table.duties()
    sign_charter(CHARTER.body, CHARTER.nonces, Recorder())
    card_bytes(Card(IDENTITIES[0].id, "anna", 5000), Recorder())
    sign_commitment(CHARTER.body, 1, bytes(32), Recorder())
    assert [message.startswith(domain) for message, domain in zip(signed, domains, strict=True)] == [True] * 4


def test_a_key_does_nothing_but_sign_four_kinds_of_statements(monkeypatch):
    """Rule 26: forming a table, a deal, a trick and the end: decks and rolls never touch the key of an identity."""
    kinds = Counter()

    def sign(self, message):
        (kind,) = re.findall(rb"^stonehenge/([a-z]+)/1", message)
        kinds[kind] += 1
        return original(self, message)

    original = FastSigner.sign
    monkeypatch.setattr(FastSigner, "sign", sign)
    circle = play_to(whist(2), 2)
    circle.spread(circle[2].resign(2))
    circle.settle()
    card_bytes(Card(FAST_SIGNERS[0].id, "anna", 5000), FAST_SIGNERS[0])
    assert circle[1].confirmed() == (1, 2)
    assert kinds == {b"card": 1, b"commitment": 2, b"charter": 2, b"event": sum(map(len, circle[1].chains))}
    assert {name for name in vars(Identity) if name[0] != "_"} == {"sign", "curve"}, "there is no other way to it"
    assert {name for name in vars(FastSigner) if name[0] != "_"} == {"sign"}
