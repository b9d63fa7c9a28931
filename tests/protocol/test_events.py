"""Signed events: one canonical form, every byte covered by the signature, nothing valid anywhere else."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replicas import FAST, FAST_SIGNERS, IDENTITIES, Circle, FastSigner, charter_of, events_of, hearing, replica
from whist import play_to, whist

from engine import MalformedError, encode
from protocol import Card, Identity, Secrets, Table, card_bytes, read_card
from protocol.events import (
    EVENT_LIMIT,
    FORM,
    NUMBER_LIMIT,
    TEXT_LIMIT,
    EventKind,
    Head,
    Leaving,
    SignedEvent,
    Slot,
    SlotKind,
    bodies,
    make_event,
    read_event,
)
from protocol.file import MAGIC, records
from protocol.formation.charter import sign_charter, sign_commitment
from protocol.identity import ED25519
from protocol.table import PeerFaultError

CHARTER = charter_of("fidchess")
TABLE = CHARTER.table
HASH = bytes(range(32))
HEADS = (Head(1, HASH), Head(0, b""))
SLOT = Slot(0, 3, SlotKind.TURN)


def fields(**changes: Any) -> tuple[Any, ...]:
    """The array of a lawful event with some fields replaced."""
    named = {
        "form": FORM,
        "table": TABLE,
        "seat": 1,
        "heads": HEADS,
        "slot": SLOT,
        "digest": HASH,
        "kind": int(EventKind.MOVE),
        "body": ("A2-A3",),
    }
    assert changes.keys() <= named.keys()
    return tuple({**named, **changes}.values())


def epoch(
    number: int = 1, leaving: tuple[tuple[int, int, bytes], ...] = ((2, 0, b""),), **changes: Any
) -> tuple[Any, ...]:
    """The array of an agreement of seat 1."""
    return fields(kind=int(EventKind.EPOCH), body=(number, leaving), **changes)


def some_events() -> list[SignedEvent]:
    """Events of most kinds that a short game has."""
    circle = Circle(CHARTER)
    circle.play(Random(1), 4)
    circle.spread(circle[circle.mover].own.wish_draw(circle.mover, True))
    circle.agree(1)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    return events_of(circle[1])


EVENTS = some_events()


def test_events_read_back() -> None:
    assert len({event.kind for event in EVENTS}) >= 7
    for event in EVENTS:
        assert read_event(event.raw, event.signature) == event
        assert event.signed_by(IDENTITIES[event.seat - 1].id, ED25519)
        assert not event.signed_by(IDENTITIES[2 - event.seat].id, ED25519)


def test_an_event_says_what_its_author_had_applied_and_where_it_stands() -> None:
    """`number` and `heads_after` derive from what is signed: no author states them, so none can misstate them."""
    for event in EVENTS:
        at = event.seat - 1
        assert event.number == event.heads[at].length + 1
        assert event.heads_after[at] == Head(event.number, event.hash)
        assert event.heads_after[1 - at] == event.heads[1 - at]


@pytest.mark.parametrize("event", EVENTS[:4] + EVENTS[-4:], ids=lambda event: f"{event.seat}-{event.number}")
def test_every_altered_byte_is_refused(event: SignedEvent) -> None:
    """A relay that changes one bit of an event or its signature: no replica takes it in, nothing changes."""
    table = hearing(Table(CHARTER, {}), [one for one in EVENTS if one.hash != event.hash])
    before = table.held.heads
    whole = event.raw + event.signature
    for at in range(len(whole)):
        altered = whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]
        with suppress(PeerFaultError):
            assert table.receive(altered[:-64], altered[-64:]) == []
    assert table.held.heads == before
    assert not table.held.proofs


@given(st.binary(max_size=300), st.binary(min_size=64, max_size=64))
def test_garbage_is_refused(raw: bytes, signature: bytes) -> None:
    with pytest.raises(MalformedError):
        read_event(raw, signature)
    with pytest.raises(PeerFaultError, match="malformed"):
        Table(CHARTER, {}).receive(raw, signature)


MALFORMED = {
    "another form": fields(form=FORM + 1),
    "the form of version 1": fields(form=1),
    "a short table id": fields(table=TABLE[:31]),
    "seat nought": fields(seat=0),
    "a seat without a head": fields(seat=3),
    "a negative seat": fields(seat=-1),
    "a short digest": fields(digest=HASH[:31]),
    "a slot of two": fields(slot=(0, 3)),
    "a slot of four": fields(slot=(0, 3, 1, 0)),
    "a slot of text": fields(slot=(0, "3", 1)),
    "a slot of a kind nought": fields(slot=(0, 3, 0)),
    "a slot of a kind that is none": fields(slot=(0, 3, 8)),
    "a negative epoch": fields(slot=(-1, 3, 1)),
    "a negative step": fields(slot=(0, -1, 1)),
    "a step of 2**31": fields(slot=(0, NUMBER_LIMIT + 1, 1)),
    "an unknown kind": fields(kind=14),
    "kind nought": fields(kind=0),
    "a body that is no array": fields(body="A2-A3"),
    "a body of another kind": fields(kind=int(EventKind.WISH)),
    "a head with a hash for nothing": fields(heads=(Head(0, HASH), Head(0, b""))),
    "a head without a hash": fields(heads=(Head(1, b""), Head(0, b""))),
    "a head with a short hash": fields(heads=(Head(1, HASH[:31]), Head(0, b""))),
    "a negative head": fields(heads=(Head(-1, HASH), Head(0, b""))),
    "a head with no number after it": fields(heads=(Head(NUMBER_LIMIT, HASH), Head(0, b""))),
    "a head of three": fields(heads=((1, HASH, 0), (0, b""))),
    "a head of text": fields(heads=(("1", HASH), (0, b""))),
    "no heads": fields(heads=()),
    "an agreement on its own base": epoch(number=3, slot=(3, 0, 1)),
    "an agreement that leads down": epoch(number=2, slot=(3, 0, 1)),
    "an agreement that its author leaves": epoch(leaving=((1, *HEADS[0]),)),
    "an agreement that a seat leaves which is not there": epoch(leaving=((3, 0, b""),)),
    "an agreement with more of who leaves than its author knows": epoch(leaving=((2, 1, HASH),)),
    "an agreement with less of who leaves than its author knows": epoch(seat=2, leaving=((1, 0, b""),)),
    "an agreement with another version of who leaves": epoch(seat=2, leaving=((1, 1, HASH[::-1]),)),
    "a field more": (*fields(), None),
    "a field less": fields()[:-1],
    "no array": 7,
}


def test_lawful_fields_are_an_event() -> None:
    """What the cases below change is the reason why they are refused."""
    assert read_event(encode(fields()), bytes(64)).body == bodies.Move("A2-A3")
    assert read_event(encode(epoch()), bytes(64)).body == bodies.Epoch(1, (Leaving(2, 0, b""),))
    assert read_event(encode(epoch(number=4, seat=2, slot=(3, 0, 1), leaving=((1, *HEADS[0]),))), bytes(64)).seat == 2
    largest = fields(slot=(NUMBER_LIMIT, NUMBER_LIMIT, 7), heads=(Head(NUMBER_LIMIT - 1, HASH), Head(0, b"")))
    assert read_event(encode(largest), bytes(64)).number == NUMBER_LIMIT


@pytest.mark.parametrize("value", MALFORMED.values(), ids=MALFORMED)
def test_another_shape_is_refused(value: int | tuple[Any, ...]) -> None:
    """What no client writes is refused before anything looks at it, well signed or not."""
    with pytest.raises(MalformedError):
        read_event(encode(value), bytes(64))


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(65)])
def test_a_signature_has_64_bytes(signature: bytes) -> None:
    with pytest.raises(MalformedError):
        read_event(encode(fields()), signature)
    assert not ED25519.verify(IDENTITIES[0].id, b"message", signature)


def test_sizes_are_bounded() -> None:
    """An event of more than its limit is refused before it is decoded."""
    assert read_event(encode(fields(body=("x" * TEXT_LIMIT,))), bytes(64)).body == bodies.Move("x" * TEXT_LIMIT)
    long = encode(fields(heads=(Head(1, HASH),) * (EVENT_LIMIT // 36 + 1)))
    assert len(long) > EVENT_LIMIT
    with pytest.raises(MalformedError, match="bytes, at most"):
        read_event(long, bytes(64))


def spelled(value: tuple[Any, ...], at: int, spelling: bytes) -> bytes:
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
def test_there_is_one_spelling(raw: bytes) -> None:
    """Msgpack knows many encodings of one value; two for one event would be two hashes of one signed
    meaning."""
    assert spelled(fields(), 2, b"\x01") == encode(fields())
    with pytest.raises(MalformedError):
        read_event(raw, bytes(64))


def test_the_spellings_are_msgpack() -> None:
    """The cases above are refused for their spelling, not because they are no msgpack at all."""
    for name in ("a long int", "a longer text", "long bytes", "a long array"):
        assert msgpack.unpackb(OTHER_SPELLINGS[name], use_list=False) == fields()


def with_another_leaf(value: Any, leaf: object) -> Iterator[Any]:
    """Yield `value` with one entry after the other, at any depth, replaced by `leaf`."""
    yield leaf
    for at, entry in enumerate(value if isinstance(value, tuple) else ()):
        for changed in with_another_leaf(entry, leaf):
            yield (*value[:at], changed, *value[at + 1 :])


@pytest.mark.parametrize(
    "leaf", [True, False, 1.0, {}, msgpack.ExtType(1, b"")], ids=["true", "false", "a float", "a map", "an extension"]
)
def test_no_entry_of_an_event_is_of_a_kind_that_has_no_place_there(leaf: object) -> None:
    """Python takes True and 1.0 for 1: an event with one of them would have two spellings."""
    resigned, wished = (fields(kind=int(kind), body=(1,)) for kind in (EventKind.RESIGN, EventKind.WISH))
    for lawful in (fields(), epoch(), resigned, wished):
        assert read_event(encode(lawful), bytes(64)).raw == encode(lawful)
        for value in with_another_leaf(lawful, leaf):
            raw = msgpack.packb(value, use_bin_type=True)
            with pytest.raises(MalformedError):
                read_event(raw, bytes(64))
    for value in with_another_leaf((2, encode(fields()), bytes(64)), leaf):
        record = msgpack.packb(value, use_bin_type=True)
        with pytest.raises(MalformedError):
            list(records(MAGIC + len(record).to_bytes(4, "big") + record))


def test_deep_nesting_is_refused() -> None:
    """At most 8 arrays within each other."""
    for depth in (9, 200, 5000):
        with pytest.raises(MalformedError):
            read_event(b"\x91" * depth + b"\x00", bytes(64))


def test_an_event_of_another_table_is_refused() -> None:
    """Splicing: a lawful event of another table of the same seats, game and options."""
    other = Circle(charter_of("fidchess", options={"quen": True}))
    event = other[1].own.duties()[0]
    with pytest.raises(PeerFaultError, match="another table"):
        Table(CHARTER, {}).receive(event.raw, event.signature)


@pytest.mark.parametrize("heads", [((0, b""),), ((0, b""),) * 3])
def test_an_event_names_every_chain(heads: tuple[tuple[int, bytes], ...]) -> None:
    """An event with too few or too many heads has no place in the order of causes."""
    event = make_event(IDENTITIES[0], TABLE, 1, tuple(Head(*h) for h in heads), SLOT, HASH, bodies.Resign())
    with pytest.raises(PeerFaultError, match="another table"):
        Table(CHARTER, {}).receive(event.raw, event.signature)


def test_a_seat_signs_only_for_itself() -> None:
    """An event in the name of seat 1 with the signature of seat 2."""
    table = Table(CHARTER, {})
    event = make_event(IDENTITIES[1], TABLE, 1, table.held.heads, SLOT, table.fold.position.digest, bodies.Resign())
    with pytest.raises(PeerFaultError, match="did not sign"):
        table.receive(event.raw, event.signature)
    assert table.held.heads == replica(table).held.heads


def test_signatures_of_one_kind_never_count_as_another() -> None:
    """Domains: a signed card, charter or event shows nothing under another name, whatever the bytes signed."""
    key = IDENTITIES[0]
    event = EVENTS[0]
    assert event.seat == 1
    assert ED25519.verify(key.id, b"stonehenge/event/2" + event.raw, event.signature)
    signatures = {
        "event": key.sign(b"stonehenge/event/2" + event.raw),
        "charter": sign_charter(CHARTER.body, CHARTER.nonces, key),
        "commitment": sign_commitment(CHARTER.body, 1, CHARTER.nonces[0], key)[32:],
        "card": card_bytes(Card(key.id, "anna", 5000), key)[-64:],
        "bare": key.sign(event.raw),
    }
    for kind, signature in signatures.items():
        assert ED25519.verify(key.id, b"stonehenge/event/2" + event.raw, signature) == (kind == "event")
    body = card_bytes(Card(key.id, "anna", 5000), key)[:-64]
    for kind, signature in signatures.items():
        if kind != "card":
            with pytest.raises(MalformedError):
                read_card(body + signature)


def test_domains_are_prefix_free() -> None:
    """No domain string begins another one, so no signed message can be read under two of them."""
    domains = (b"stonehenge/event/2", b"stonehenge/charter/1", b"stonehenge/card/1", b"stonehenge/commitment/1")
    assert not any(a.startswith(b) for a in domains for b in domains if a != b)
    signed = []

    class Recorder:
        id = IDENTITIES[0].id

        def sign(self, message: bytes) -> bytes:
            signed.append(message)
            return bytes(64)

    table = Table(CHARTER, {1: Recorder()}, Secrets.from_seed(b""), FAST)
    table.duties()
    sign_charter(CHARTER.body, CHARTER.nonces, Recorder())
    card_bytes(Card(IDENTITIES[0].id, "anna", 5000), Recorder())
    sign_commitment(CHARTER.body, 1, bytes(32), Recorder())
    assert [message.startswith(domain) for message, domain in zip(signed, domains, strict=True)] == [True] * 4


def test_a_key_does_nothing_but_sign_four_kinds_of_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forming a table, a deal, a trick and the end: decks and rolls never touch the key of an identity."""
    kinds: Counter[bytes] = Counter()

    def sign(self: FastSigner, message: bytes) -> bytes:
        (kind,) = re.findall(rb"^stonehenge/([a-z]+)/\d", message)
        kinds[kind] += 1
        return original(self, message)

    original = FastSigner.sign
    monkeypatch.setattr(FastSigner, "sign", sign)
    circle = play_to(whist(2), 2)
    circle.spread(circle[2].own.resign(2))
    circle.settle()
    card_bytes(Card(FAST_SIGNERS[0].id, "anna", 5000), FAST_SIGNERS[0])
    assert circle[1].confirmed() == (1, 2)
    assert kinds == {b"card": 1, b"commitment": 2, b"charter": 2, b"event": sum(map(len, circle[1].held.chains))}
    assert {name for name in vars(Identity) if name[0] != "_"} == {"sign", "curve"}, "there is no other way to it"
    assert {name for name in vars(FastSigner) if name[0] != "_"} == {"sign"}
