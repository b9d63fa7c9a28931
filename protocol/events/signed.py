"""Signed events: making one, reading one.

An event says what its author does, for which slot, and which events the author had applied by then. Events are kept,
hashed and sent as the raw bytes that were signed; nothing encodes an event again.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine import HASH_BYTES, MalformedError, blake, encode, unpack
from protocol.events import bodies
from protocol.events.bodies import EventBody
from protocol.events.slots import NUMBER_LIMIT, EventKind, SlotKind, entries_of, kind_of, read_event_body
from protocol.identity import SIGNATURE_BYTES, Claim, Signer, Verifier

EVENT_LIMIT = 16 * 1024
"""Bytes of an event; a move needs about 200, a proof of a shuffle of 61 cards about 12,000."""
FORM = 2
"""The first entry of every event; the events of version 1 of the protocol began with 1."""
_DOMAIN = b"stonehenge/event/2"


class Slot(NamedTuple):
    """One place in the order of the game. No two slots of a table are equal."""

    epoch: int
    step: int
    kind: SlotKind

    @property
    def place(self) -> tuple[int, SlotKind]:
        """Return the slot without its epoch: the same where an epoch begins in which nobody leaves."""
        return self.step, self.kind


class Head(NamedTuple):
    """How far a chain goes: the number of its events, and the hash of the last (empty for none)."""

    length: int
    hash: bytes


class SignedEvent(NamedTuple):
    """An event with its raw bytes. Hashes and `digest` have 32 bytes.

    * `table`: the table id. `seat`: the author.
    * `heads`: one for each chain, in seat order. That of the author's own chain names the event before this one.
    * `digest`: of the public state for which the event was made.
    * `number`: the place in the author's chain, from 1. `hash`: of `raw`.
    * `lengths`: those of `heads`, how many events of each chain the author had applied.
    """

    table: bytes
    seat: int
    heads: tuple[Head, ...]
    slot: Slot
    digest: bytes
    kind: EventKind
    body: EventBody
    raw: bytes
    signature: bytes
    hash: bytes
    number: int
    lengths: tuple[int, ...]

    @property
    def heads_after(self) -> tuple[Head, ...]:
        """Return how far each chain went for the author once it had signed this event."""
        at = self.seat - 1
        return (*self.heads[:at], Head(self.number, self.hash), *self.heads[at + 1 :])

    def claim(self, id: bytes) -> Claim:
        """Return the claim that the owner of `id` signed this event."""
        return id, _DOMAIN + self.raw, self.signature

    def signed_by(self, id: bytes, verifier: Verifier) -> bool:
        """Return whether the owner of `id` signed this event."""
        return verifier.verify(*self.claim(id))


class Proof(NamedTuple):
    """Two events that one seat signed with one number: evidence of equivocation that anybody can check."""

    kept: SignedEvent
    other: SignedEvent


def causes_first(events: Iterable[SignedEvent]) -> list[SignedEvent]:
    """Return events in an order in which each comes after all that it names."""
    return sorted(events, key=lambda event: sum(event.lengths))


def make_event(
    signer: Signer, table: bytes, seat: int, heads: tuple[Head, ...], slot: Slot, digest: bytes, body: EventBody
) -> SignedEvent:
    """Return a new event of `seat`, signed. The fields are those of `SignedEvent`."""
    kind = kind_of(body)
    raw = encode((FORM, table, seat, heads, slot, digest, kind, entries_of(body)))
    signature, hash = signer.sign(_DOMAIN + raw), blake("sh/event/2", raw)
    lengths = tuple([length for length, _ in heads])
    number = lengths[seat - 1] + 1
    return SignedEvent(table, seat, heads, slot, digest, kind, body, raw, signature, hash, number, lengths)


_SLOT_KINDS = {int(kind): kind for kind in SlotKind}
_new = tuple.__new__
"""`_new(Head, fields)` makes a NamedTuple in half the time of `Head(*fields)`."""

_FIELDS = (int, bytes, int, tuple, tuple, bytes, int, tuple)


def read_event(raw: bytes, signature: bytes) -> SignedEvent:
    """Return the event in `raw`: its shape is checked, its signature is not. Raises MalformedError."""
    value = unpack(raw, EVENT_LIMIT)
    if type(value) is not tuple or tuple(map(type, value)) != _FIELDS or len(signature) != SIGNATURE_BYTES:
        raise MalformedError("not an event")
    form, table, seat, stated, place, digest, kind, entries = value
    if form != FORM or len(table) != HASH_BYTES or len(digest) != HASH_BYTES:
        raise MalformedError("not an event")
    heads, slot, body = read_heads(stated), _read_slot(place), read_event_body(kind, entries)
    if not 1 <= seat <= len(heads):
        raise MalformedError("not an event: no such seat")
    if type(body) is bodies.Epoch and not _consistent(body, seat, heads, slot):
        raise MalformedError("not an event: an agreement that contradicts the rest of the event")
    hash, lengths = blake("sh/event/2", raw), tuple([length for length, _ in heads])
    number = lengths[seat - 1] + 1
    fields = (table, seat, heads, slot, digest, kind_of(body), body, raw, signature, hash, number, lengths)
    return _new(SignedEvent, fields)


def _consistent(epoch: bodies.Epoch, seat: int, heads: tuple[Head, ...], slot: Slot) -> bool:
    """Return whether an agreement fits the event that holds it.

    Its epoch lies above that of the slot, its author stays, and of each leaver counts what the event names.
    """
    return epoch.number > slot.epoch and all(
        one.seat != seat and one.seat <= len(heads) and one[1:] == heads[one.seat - 1] for one in epoch.leaving
    )


def _read_slot(value: tuple[Any, ...]) -> Slot:
    if len(value) == 3:
        epoch, step, number = value
        if type(epoch) is type(step) is type(number) is int:  # a `match` statement takes three times as long
            kind = _SLOT_KINDS.get(number)
            if kind and 0 <= epoch <= NUMBER_LIMIT and 0 <= step <= NUMBER_LIMIT:
                return _new(Slot, (epoch, step, kind))
    raise MalformedError("not an event: no slot")


def read_heads(value: tuple[Any, ...]) -> tuple[Head, ...]:
    """Return the heads that a peer stated. Raises MalformedError."""
    heads = []
    for item in value:
        if type(item) is not tuple or len(item) != 2:
            raise MalformedError("not a head")
        length, hash = item
        if type(length) is not int or type(hash) is not bytes or not 0 <= length < NUMBER_LIMIT:
            raise MalformedError("not a head")
        if len(hash) != (HASH_BYTES if length else 0):
            raise MalformedError("not a head")
        heads.append(_new(Head, item))
    return tuple(heads)
