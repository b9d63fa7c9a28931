"""The saved game: the charter and every event as it arrived, each record with its length before it.

A file holds only what every seat may see. Every byte of it is either checked to be what it must be or covered by
a signature.
"""

from collections.abc import Iterator
from contextlib import suppress
from enum import IntEnum
from typing import NamedTuple

from engine import MalformedError, checked, encode, unpack
from protocol.events import EVENT_LIMIT, Proof, SignedEvent
from protocol.formation import Charter, VersionMismatchError

MAGIC = b"p2p-stonehenge transcript 2\n"
_BEFORE = b"p2p-stonehenge transcript 1\n"
RECORD_LIMIT = 2 * EVENT_LIMIT + 1024
"""Bytes of a record; a proof of equivocation, two events, is the longest."""


class RecordKind(IntEnum):
    """What a record is: its first entry."""

    CHARTER = 1
    EVENT = 2
    PROOF = 3


class CharterRecord(NamedTuple):
    """The first record: the packed charter."""

    packed: bytes


class EventRecord(NamedTuple):
    """One signed event."""

    raw: bytes
    signature: bytes


class ProofRecord(NamedTuple):
    """Two versions of one event: the one that stands before in the file, and the other."""

    kept: EventRecord
    other: EventRecord


Record = CharterRecord | EventRecord | ProofRecord


class TornError(ValueError):
    """The bytes end inside a record; `good` is where the last whole record ends."""

    def __init__(self, good: int) -> None:
        super().__init__(f"the file ends inside a record; its first {good} bytes are whole records")
        self.good = good


def charter_record(charter: Charter) -> bytes:
    """Return the start of a file: the magic line and the charter."""
    return MAGIC + _framed(encode((RecordKind.CHARTER, charter.packed())))


def event_record(event: SignedEvent) -> bytes:
    """Return the record of an event."""
    return _framed(encode((RecordKind.EVENT, event.raw, event.signature)))


def proof_record(proof: Proof) -> bytes:
    """Return the record of the proof that a seat signed two versions of an event."""
    kept, other = proof
    return _framed(encode((RecordKind.PROOF, kept.raw, kept.signature, other.raw, other.signature)))


def records(data: bytes) -> Iterator[tuple[int, Record]]:
    """Yield each record with the offset at which it ends.

    Raises MalformedError for bytes that are no transcript, VersionMismatchError for one of an earlier version,
    TornError where the last record is cut.
    """
    if data.startswith(_BEFORE):
        raise VersionMismatchError("the file was saved by version 1 of this program, which this one cannot read")
    if not data.startswith(MAGIC):
        raise MalformedError("not a saved game of this program")
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size > RECORD_LIMIT:
            raise MalformedError(f"a record of {size} bytes at byte {at}, where {RECORD_LIMIT} are the most")
        if at + 4 + size > len(data) or at + 4 > len(data):
            raise TornError(at)
        start, at = at + 4, at + 4 + size
        yield at, _read(data[start:at])


def whole(data: bytes) -> int:
    """Return how many bytes at the start are whole records: what a crash has left intact."""
    good = 0
    with suppress(MalformedError, TornError, VersionMismatchError):
        for end, _ in records(data):
            good = end
    return good


def _framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def _read(payload: bytes) -> Record:
    value = unpack(payload, RECORD_LIMIT)
    # Nearly all records are events; a `match` statement takes four times as long.
    if type(value) is tuple and tuple(map(type, value)) == (int, bytes, bytes) and value[0] == RecordKind.EVENT:
        return tuple.__new__(EventRecord, value[1:])  # in half the time
    match checked((value,))[0]:
        case (RecordKind.CHARTER, bytes(packed)):
            return CharterRecord(packed)
        case (RecordKind.PROOF, bytes(raw), bytes(signature), bytes(other), bytes(other_signature)):
            return ProofRecord(EventRecord(raw, signature), EventRecord(other, other_signature))
    raise MalformedError("not a record")
