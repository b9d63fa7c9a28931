"""The table of slots and events, from which all else derives: it is whole, and each body is exactly what it says."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replicas import IDENTITIES, circle_of
from whist import whist

from engine import HASH_BYTES, MOST_SEATS, MalformedError, encode
from protocol.events import (
    ASYNCHRONOUS,
    EVENTS,
    NUMBER_LIMIT,
    SHARE_BYTES,
    SLOTS,
    TEXT_LIMIT,
    EventKind,
    Givers,
    Head,
    Leaving,
    Slot,
    SlotKind,
    bodies,
    make_event,
    read_event,
)
from protocol.events.slots import (
    DECK_LIMIT,
    KEY_BYTES,
    PROOF_BYTES,
    SHUFFLE_PROOF_LIMIT,
    entries_of,
    kind_of,
    read_event_body,
)

HASH = bytes(range(HASH_BYTES))
MOST_SHARES = SHARE_BYTES * 66

FITS = {
    EventKind.MOVE: [("",), ("A2-A3",), ("x" * TEXT_LIMIT,)],
    EventKind.PLAY: [("G9", 0, bytes(SHARE_BYTES)), ("x" * TEXT_LIMIT, 255, bytes(SHARE_BYTES))],
    EventKind.SEQUENCE: [()],
    EventKind.RESIGN: [(), (1,)],
    EventKind.WISH: [(0,), (1,)],
    EventKind.COMMITMENT: [(HASH,)],
    EventKind.REVELATION: [(HASH, HASH)],
    EventKind.KEY: [(bytes(KEY_BYTES), bytes(PROOF_BYTES))],
    EventKind.SHUFFLE: [(b"", b""), (bytes(64), bytes(32)), (bytes(DECK_LIMIT), bytes(SHUFFLE_PROOF_LIMIT))],
    EventKind.SHARES: [(b"",), (bytes(SHARE_BYTES),), (bytes(MOST_SHARES),)],
    EventKind.RESULT: [(b"",), (bytes(SHARE_BYTES),), (bytes(MOST_SHARES),)],
    EventKind.EPOCH: [(1, ()), (NUMBER_LIMIT, ((1, 0, b""), (2, 1, HASH), (4, NUMBER_LIMIT, HASH), (5, 0, b"")))],
    EventKind.ACT: [(0, ""), (MOST_SEATS, "x" * 2 * TEXT_LIMIT)],
    EventKind.TAKEBACK: [(0,), (2**31 - 1,)],
}
"""For each kind of event the smallest and the largest bodies."""

FITS_NOT = {
    EventKind.MOVE: [(), ("x" * (TEXT_LIMIT + 1),), (b"A2-A3",), (1,), (None,), (("A2-A3",),), ("A2-A3", "A3-A4")],
    EventKind.PLAY: [
        ("G9", 0),
        ("G9", -1, bytes(SHARE_BYTES)),
        ("G9", 256, bytes(SHARE_BYTES)),
        ("G9", "0", bytes(SHARE_BYTES)),
        ("G9", 0, b""),
        ("G9", 0, bytes(SHARE_BYTES - 1)),
        ("G9", 0, bytes(SHARE_BYTES + 1)),
        (b"G9", 0, bytes(SHARE_BYTES)),
        ("x" * (TEXT_LIMIT + 1), 0, bytes(SHARE_BYTES)),
    ],
    EventKind.SEQUENCE: [(1,), ((),)],
    EventKind.RESIGN: [(0,), ("please",), (2,), (-1,), (1, 1)],
    EventKind.WISH: [(), (2,), (-1,), (b"",), (None,), (1, 1)],
    EventKind.COMMITMENT: [(), (HASH[:-1],), (HASH + b"x",), ("x" * HASH_BYTES,), (bytes(SHARE_BYTES),), (HASH, HASH)],
    EventKind.REVELATION: [(HASH,), (HASH[:-1], HASH), (HASH, HASH[:-1]), (HASH, HASH + b"x"), (HASH, HASH, HASH)],
    EventKind.KEY: [(bytes(KEY_BYTES),), (bytes(KEY_BYTES - 1), bytes(PROOF_BYTES)), (bytes(KEY_BYTES), b"")],
    EventKind.SHUFFLE: [
        (b"",),
        (bytes(63), b""),
        (bytes(64), bytes(31)),
        (bytes(DECK_LIMIT + 64), b""),
        (b"", bytes(SHUFFLE_PROOF_LIMIT + 32)),
        ("", b""),
    ],
    EventKind.SHARES: [(), (bytes(SHARE_BYTES - 1),), (bytes(MOST_SHARES + SHARE_BYTES),), (HASH, b"")],
    EventKind.RESULT: [(), (1,), ((1,),), (bytes(SHARE_BYTES - 1),), (bytes(MOST_SHARES + SHARE_BYTES),)],
    EventKind.EPOCH: [
        (),
        (1,),
        (0, ()),
        (-1, ()),
        (NUMBER_LIMIT + 1, ()),
        ("1", ()),
        (1, b""),
        (1, ((0, 0, b""),)),
        (1, ((MOST_SEATS + 1, 0, b""),)),
        (1, ((2, 0, b""), (1, 0, b""))),
        (1, ((1, 0, b""), (1, 0, b""))),
        (1, ((1, 0),)),
        (1, ((1, 0, HASH),)),
        (1, ((1, 1, b""),)),
        (1, ((1, 1, HASH[:-1]),)),
        (1, ((1, -1, HASH),)),
        (1, ((1, NUMBER_LIMIT + 1, HASH),)),
        (1, (("1", 0, b""),)),
        (1, (1,)),
        (1, tuple((seat, 0, b"") for seat in range(1, MOST_SEATS + 1))),
    ],
    EventKind.ACT: [(), (6, ""), (-1, ""), (1, "x" * (2 * TEXT_LIMIT + 1)), (1, b""), ("1", "")],
    EventKind.TAKEBACK: [(), (-1,), (2**31,), (b"",), (None,), (1, 1)],
}
"""For each kind of event bodies that are none: by their number of entries, their types, their bounds."""


def pairs(samples: dict[EventKind, Any]) -> list[Any]:
    return [(kind, body) for kind, several in samples.items() for body in several]


def test_every_kind_of_slot_and_event_has_its_row() -> None:
    assert list(SLOTS) == list(SlotKind)
    assert list(EVENTS) == list(EventKind) == list(FITS) == list(FITS_NOT)
    assert [*map(int, SlotKind)] == list(range(1, 8))
    assert [*map(int, EventKind)] == list(range(1, 15))


def test_each_kind_of_event_fills_one_kind_of_slot_or_none() -> None:
    """A contribution could else be taken for another slot's."""
    taken = [kind for rule in SLOTS.values() for kind in rule.takes]
    assert len(taken) == len(set(taken))
    assert {*EventKind} - {*taken} == ASYNCHRONOUS | {EventKind.EPOCH, EventKind.ACT}


def test_what_a_screen_and_the_specification_read_is_there() -> None:
    for kind, rule in SLOTS.items():
        assert rule.opens
        assert bool(rule.judged) == (kind not in (SlotKind.COMMIT, SlotKind.END)), "a wrong one costs the seat"
        assert {*rule.then} <= {*SlotKind}
        assert (rule.then == ()) == (kind == SlotKind.END)
    assert {rule.givers for rule in SLOTS.values()} == {*Givers}


def test_slots_follow_each_other_as_the_table_says() -> None:
    """The diagram of the documents is drawn from it; here games with dice and with cards are played along it."""
    seen = set()
    for circle in (circle_of("pebbles", 3, pile=6), circle_of("pebbles", 2, first=1), whist(2)):
        slots = [circle[1].fold.position.slot]
        while slots[-1].kind != SlotKind.END:
            if not circle.step():
                seat = circle.mover
                legal = circle[seat].game.legal(circle[seat].own.view(seat), seat)
                circle.spread(circle[seat].own.play(seat, "resign" if len(slots) > 40 else legal[0]))
            slots.append(circle[1].fold.position.slot)
        seen |= {(before.kind, after.kind) for before, after in pairwise(slots) if before != after}
    assert all(after in SLOTS[before].then for before, after in seen)
    assert {kind for pair in seen for kind in pair} == {*SlotKind}


@pytest.mark.parametrize(("kind", "values"), pairs(FITS))
def test_a_body_of_its_kind_is_read(kind: EventKind, values: tuple[Any, ...]) -> None:
    body = read_event_body(kind, values)
    assert kind_of(body) == kind
    assert entries_of(body) == values
    assert len(body) == len(EVENTS[kind].fields)


@pytest.mark.parametrize(("kind", "values"), pairs(FITS_NOT))
def test_a_body_of_another_shape_is_no_event(kind: EventKind, values: tuple[Any, ...]) -> None:
    with pytest.raises(MalformedError):
        read_event_body(kind, values)


@pytest.mark.parametrize("kind", [-1, 0, 14, 255, NUMBER_LIMIT])
def test_an_unknown_kind_is_no_event(kind: int) -> None:
    with pytest.raises(MalformedError):
        read_event_body(kind, ())


leaves = st.none() | st.integers(-(2**40), 2**40) | st.binary(max_size=100) | st.text(max_size=8)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=6)


@given(st.sampled_from(EventKind), st.lists(values, max_size=3).map(tuple))
def test_whatever_is_read_as_a_body_is_within_its_bounds(kind: EventKind, entries: tuple[Any, ...]) -> None:
    """The bounds that the table states are those that are checked: no other way leads to a body."""
    try:
        body = read_event_body(kind, entries)
    except MalformedError:
        return
    rule = EVENTS[kind]
    assert type(body) is rule.body
    assert entries_of(body) == entries
    assert all(field.fits(value) for field, value in zip(rule.fields, entries, strict=False))


BODIES = (
    bodies.Move("take 1"),
    bodies.Play("G9", 3, bytes(SHARE_BYTES)),
    bodies.Sequence(),
    bodies.Resign(),
    bodies.Resign(1),
    bodies.Wish(1),
    bodies.Commitment(HASH),
    bodies.Revelation(HASH, HASH),
    bodies.Key(bytes(KEY_BYTES), bytes(PROOF_BYTES)),
    bodies.Shuffle(bytes(128), bytes(32)),
    bodies.Shares(bytes(SHARE_BYTES)),
    bodies.Result(b""),
    bodies.Epoch(1, (Leaving(2, 0, b""),)),
    bodies.Act(0, "first 1"),
)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_every_body_comes_back_from_its_event_as_it_was(body: Any) -> None:
    """Types included: what is read is what was signed, not something that is equal to it."""
    heads = (Head(0, b""), Head(0, b""))
    event = make_event(IDENTITIES[0], HASH, 1, heads, Slot(0, 0, SlotKind.TURN), HASH, body)
    again = read_event(event.raw, event.signature)
    assert again == event
    assert type(again.body) is type(body)
    assert all(isinstance(one, Leaving) for one in getattr(again.body, "leaving", ()))
    assert type(again.kind) is EventKind
    assert type(again.slot.kind) is SlotKind
    assert again.raw == encode((2, HASH, 1, heads, event.slot, HASH, int(kind_of(body)), entries_of(body)))


@pytest.mark.parametrize("kind", SlotKind)
def test_every_kind_of_slot_comes_back(kind: SlotKind) -> None:
    event = make_event(IDENTITIES[0], HASH, 1, (Head(0, b""),), Slot(1, 2, kind), HASH, bodies.Resign())
    assert read_event(event.raw, event.signature).slot == Slot(1, 2, kind)
