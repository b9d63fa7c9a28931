"""Every field of every kind of event in real files, changed and signed again by its author: what it can do at most."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from fast_deck import FAST_DECK
from replicas import FAST, FAST_SIGNERS
from sample_games import KINDS_OF_FILES, framed, long_file

from engine import MalformedError, Value, decode, encode
from protocol import Report, verify
from protocol.events import EventKind, Proof, SignedEvent, read_event
from protocol.file import MAGIC, CharterRecord, EventRecord, proof_record, records

REFUSED, IDLE, BREACH, COUNTS = "refused", "idle", "breach", "counts"
FIELDS = ("form", "table", "seat", "heads", "slot", "digest", "kind", "body")
"""The entries of a signed event, in their order."""
AT_MOST = {
    "form": {REFUSED},
    "table": {REFUSED},
    "seat": {REFUSED},
    "heads": {REFUSED},
    "slot": {REFUSED, IDLE},
    "digest": {REFUSED, IDLE},
    "kind": {REFUSED, IDLE},
    "body": {REFUSED, IDLE, BREACH, COUNTS},
}
"""What an event may come to when one of its fields is another one; `idle` is valid and has no effect."""
ANYWHERE = {EventKind.EPOCH: {"slot", "digest"}, EventKind.RESULT: {"slot"}}
"""Fields that may be misstated: what an agreement says is in its body, and its base in its epoch alone; a RESULT counts
in every epoch."""


class Place(NamedTuple):
    """An event of a file, and the file before it."""

    before: bytes
    event: SignedEvent


KINDS = tuple(kind for kind in EventKind if kind != EventKind.ACT)


@cache
def places() -> dict[EventKind, tuple[Place, ...]]:
    """The first event of each kind in each of the files."""
    found: dict[EventKind, dict[bytes, Place]] = {}
    for name in KINDS_OF_FILES:
        file, end = long_file(name), 0
        seen: dict[EventKind, Place] = {}
        for after, record in records(file):
            if isinstance(record, EventRecord):
                event = read_event(*record)
                place = Place(file[:end], event)
                seen.setdefault(event.kind, place)
            end = after
        for place in seen.values():
            found.setdefault(place.event.kind, {})[place.event.hash] = place
    return {kind: tuple(several.values()) for kind, several in found.items()}


def changes(value: Value) -> Iterator[Value]:
    """Other values near a value, one after the other: of each of its parts, and of how many parts it has."""
    match value:
        case int():
            yield from (value - 1, value + 1)
        case bytes():
            yield from (value[:-1], value + b"\0")
            if value:
                yield value[:-1] + bytes([value[-1] ^ 1])
        case str():
            yield from (value[:-1], value + "x", "", "resign", "draw", "\x1b[2J")
        case tuple():
            yield from (value[:-1], (*value, 0), (*value, *value[-1:]))
            for at, part in enumerate(value):
                for other in changes(part):
                    yield (*value[:at], other, *value[at + 1 :])


def signed(place: Place, field: str) -> Iterator[tuple[bytes, bytes]]:
    """The event with another value of a field, and the signature of its author under it."""
    fields = decode(place.event.raw)
    assert isinstance(fields, tuple)
    at = FIELDS.index(field)
    for other in changes(fields[at]):
        raw = encode((*fields[:at], other, *fields[at + 1 :]))
        if raw != place.event.raw:
            yield raw, FAST_SIGNERS[place.event.seat - 1].sign(b"stonehenge/event/2" + raw)


def checked(file: bytes) -> Report:
    report = verify(file, FAST, scheme=FAST_DECK)
    assert (report.error or "").isprintable()
    return report


def came_to(before: Report, after: Report) -> str:
    """What an event did to the game."""
    if not after.ok:
        return REFUSED
    if after.cheats != before.cheats:
        return BREACH
    idle = (before.digest, before.events, before.result, before.signed_by)
    return IDLE if idle == (after.digest, after.events, after.result, after.signed_by) else COUNTS


@pytest.mark.many
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_field_changed_and_signed_again_does_no_more_than_its_author_may(kind: EventKind, field: str) -> None:
    """Nobody but its author is ever named for it, and its author wins nothing by it."""
    allowed = AT_MOST[field] | ({COUNTS} if field in ANYWHERE.get(kind, ()) else set())
    for place in places()[kind]:
        before, seat = checked(place.before), place.event.seat
        assert before.ok
        size = before.signed_events
        for raw, signature in signed(place, field):
            after = checked(place.before + framed((2, raw, signature)))
            came = came_to(before, after)
            assert came in allowed, (came, raw)
            new = [cheat for cheat in after.cheats if cheat not in before.cheats]
            assert {cheat.seat for cheat in new} <= {seat}
            assert after.signed_events == size + after.ok
            if came == REFUSED:
                assert f"event {size + 1} of the file" in str(after.error)
            if after.result and new and not before.result:
                assert seat not in after.result.winners


def identity(event: SignedEvent) -> tuple[bytes, int, int, int]:
    """What two versions of one event have in common."""
    return event.table, event.seat, event.number, len(event.heads)


@pytest.mark.many
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_another_version_of_an_event_is_evidence_against_its_author_or_nothing(kind: EventKind, field: str) -> None:
    """Beside the event itself it proves equivocation, by that seat and of that number; or it is no event at all."""
    for place in places()[kind]:
        file = place.before + framed((2, place.event.raw, place.event.signature))
        honest = checked(file)
        for raw, signature in signed(place, field):
            try:
                other = read_event(raw, signature)
            except MalformedError:
                continue
            report = checked(file + proof_record(Proof(place.event, other)))
            same = (other.table, other.seat, other.number, len(other.heads))
            assert report.ok == (
                same == (place.event.table, place.event.seat, place.event.number, len(place.event.heads))
            )
            if report.ok:
                (cheat,) = [one for one in report.cheats if one not in honest.cheats]
                assert (cheat.seat, cheat.event, cheat.kind) == (place.event.seat, place.event.number, "equivocation")
                assert not report.result or honest.result or place.event.seat not in report.result.winners


def test_every_kind_of_event_among_peers_is_tampered_with() -> None:
    assert places().keys() == {*KINDS}


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_every_field_of_a_charter_is_signed(kind: str) -> None:
    """The charter has every seat's signature over all of it: no part can be changed, left out or added."""
    file = long_file(kind)
    end, charter = next(records(file))
    assert isinstance(charter, CharterRecord)
    assert checked(file[:end]).ok
    packed = decode(charter.packed)
    tried = 0
    for other in changes(packed):
        if other == packed:
            continue
        tried += 1
        report = checked(MAGIC + framed((1, encode(other))) + file[end:])
        assert (report.ok, report.table) == (False, "")
        assert report.error
    assert tried > 20


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_every_field_of_the_body_of_a_charter_is_signed(kind: str) -> None:
    """Game, options, seats, turn time: none can be another one under the same signatures."""
    file = long_file(kind)
    end, charter = next(records(file))
    assert isinstance(charter, CharterRecord)
    packed = decode(charter.packed)
    assert isinstance(packed, tuple)
    assert isinstance(packed[0], bytes)
    body = decode(packed[0])
    tried = 0
    for other in changes(body):
        if other == body:
            continue
        tried += 1
        report = checked(MAGIC + framed((1, encode((encode(other), *packed[1:])))) + file[end:])
        assert (report.ok, report.table) == (False, "")
    assert tried > 50
