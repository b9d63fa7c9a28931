"""One signed event: what a seat says, at which slot, after having applied what.

Events are kept, hashed and sent as the raw bytes that were signed; they are never encoded again.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

from engine import MalformedError, Value, blake, decode, encode
from protocol._charter import HASH_BYTES
from protocol._identity import SIGNATURE_BYTES, Claim, Signer, Verifier

EVENT_LIMIT = 16 * 1024
"""Bytes of an event; a move needs about 200, a proof of a shuffle of 61 cards about 12,000."""
SEATS_LIMIT = 5
"""Seats of the largest table."""
TEXT_LIMIT = 200
"""Characters of a move."""
KEY_BYTES, PROOF_BYTES, SHARE_BYTES = 32, 64, 96
"""Of a key for a deal, of the proof of possession, and of one share of a card."""
_DOMAIN = b"stonehenge/event/1"

# Kinds of slots: who may fill them.
TURN = 1
"""Filled by the seat to act."""
COMMIT = 2
"""Gathers a commitment from each live seat, or from the last one an opening."""
REVEAL = 3
"""Gathers what was committed to from each seat that has committed."""
END = 4
"""The game is over; every seat confirms the result."""
SETTLE = 5
"""A drawing was abandoned and a turn follows: gathers a SEQUENCE from each live seat, so that all know who is left."""
PLEDGING = 6
"""Gathers a pledge of its key for a deal from each live seat."""
KEYING = 7
"""Gathers the keys."""
SHUFFLING = 8
"""Takes the shuffle of one seat; there is one such slot for each live seat, in their order."""
SHARING = 9
"""Gathers each live seat's shares of the cards dealt to others."""

# Kinds of events and their bodies.
MOVE = 1
"""(text,), or (card, position in the deck, its owner's share) where a dealt card is played.

Or (text, then what a REVELATION has) where it leads to a roll that all seats have committed to before.
"""
SEQUENCE = 2
"""(): the seat to act gives asynchronous events their place, without a move; also what a SETTLE slot gathers."""
RESIGN = 3
"""()"""
WISH = 4
"""(1,) offers or accepts a draw, (0,) takes it back."""
COMMITMENT = 5
"""(hash,)"""
REVELATION = 6
"""(salt, hash of the commitments it answers, commitment for the next roll)"""
RESULT = 7
"""() or (shares,): confirms the result that the slot's digest stands for; who won by the end of a round broken off
shows the cards that it still held, by its shares of them in the order of the deck."""
ACT = 8
"""(actor, text): any actor's action at a table with one signer."""

PLEDGE = 9
"""(hash of key and proof,)"""
KEY = 10
"""(public key, proof that its secret is known)"""
SHUFFLE = 11
"""(deck, proof)"""
SHARES = 12
"""(hash of the keys and the final deck, shares of all cards dealt to others in the order of the deck)"""
VOTE = 13
"""(seat,): its author wants a seat removed that owes the slot, and has not seen what it owes."""
CLAIM = 15
"""(): of two players one says that the other is gone; it changes nothing."""

OPENING = 16
"""As REVELATION: what a seat gives to a roll that all the others have committed to."""

ASYNCHRONOUS = (RESIGN, WISH)


class Slot(NamedTuple):
    """A place in the order of the game. `step` never repeats, also after an attempt was void."""

    epoch: int
    step: int
    kind: int


class Head(NamedTuple):
    """How far a seat's chain goes: the number of its events and the hash of the last (empty for none)."""

    length: int
    hash: bytes


class SignedEvent(NamedTuple):
    """A decoded event with its raw bytes.

    `heads` has one entry a signer; its own names the event before. `number` counts in the seat's own chain, from 1.
    """

    table: bytes
    seat: int
    heads: tuple[Head, ...]
    slot: Slot
    digest: bytes
    kind: int
    body: tuple[Value, ...]
    raw: bytes
    signature: bytes
    hash: bytes
    number: int

    @property
    def shows(self) -> bool:
        """Return whether it is a move that shows its author's salt for the roll it leads to."""
        return self.kind == MOVE and len(self.body) == 4

    @property
    def heads_after(self) -> tuple[Head, ...]:
        """Return what its author had applied just after it."""
        at = self.seat - 1
        return (*self.heads[:at], Head(self.number, self.hash), *self.heads[at + 1 :])

    def follows(self, other: "SignedEvent") -> bool:
        """Return whether its author had applied `other` before."""
        return other.number <= self.heads[other.seat - 1].length

    def signed_by(self, id: bytes, verifier: Verifier) -> bool:
        """Return whether the signature is that of `id`."""
        return verifier.verify(*self.claim(id))

    def claim(self, id: bytes) -> Claim:
        """Return what has to hold for `id` to have signed this."""
        return id, _DOMAIN + self.raw, self.signature


_Fields = tuple[int, bytes, int, tuple[Value, ...], tuple[Value, ...], bytes, int, tuple[Value, ...]]
_FIELDS = (int, bytes, int, tuple, tuple, bytes, int, tuple)


class Fork(NamedTuple):
    """Two events that one seat signed with the same number: proof against it that anybody can check."""

    kept: SignedEvent
    other: SignedEvent


def make_event(
    signer: Signer,
    table: bytes,
    seat: int,
    heads: tuple[Head, ...],
    slot: Slot,
    digest: bytes,
    kind: int,
    body: tuple[Value, ...],
) -> SignedEvent:
    """Return a new event, signed."""
    raw = encode((1, table, seat, heads, slot, digest, kind, body))
    signature, hash = signer.sign(_DOMAIN + raw), blake("sh/event/1", raw)
    number = heads[seat - 1].length + 1
    return SignedEvent(table, seat, heads, slot, digest, kind, body, raw, signature, hash, number)


def read_event(raw: bytes, signature: bytes) -> SignedEvent:
    """Return the event in `raw`, its shape checked but not its signature. Raises MalformedError."""
    value = decode(raw, EVENT_LIMIT)
    if not isinstance(value, tuple) or tuple(map(type, value)) != _FIELDS or len(signature) != SIGNATURE_BYTES:
        raise MalformedError("not an event")
    form, table, seat, stated, place, digest, kind, body = cast(_Fields, value)
    if form != 1 or len(table) != HASH_BYTES or len(digest) != HASH_BYTES:
        raise MalformedError("not an event")
    if not 1 <= seat <= len(stated):
        raise MalformedError("not an event: no seat")
    if not _fits(kind, body):
        raise MalformedError("not an event: its body is not of its kind")
    heads = read_heads(stated)
    hash, number = blake("sh/event/1", raw), heads[seat - 1].length + 1
    return SignedEvent(table, seat, heads, _read_slot(place), digest, kind, body, raw, signature, hash, number)


def _read_slot(value: tuple[Value, ...]) -> Slot:
    if tuple(map(type, value)) != (int, int, int):
        raise MalformedError("not an event: no slot")
    return Slot(*value)  # type: ignore[arg-type]


def read_heads(value: tuple[Value, ...]) -> tuple[Head, ...]:
    """Return the heads that a peer stated. Raises MalformedError."""
    heads = []
    for item in value:
        if not isinstance(item, tuple) or len(item) != 2:
            raise MalformedError("not a head")
        length, hash = item
        if not isinstance(length, int) or not isinstance(hash, bytes) or not 0 <= length < 2**31:
            raise MalformedError("not a head")
        if len(hash) != (HASH_BYTES if length else 0):
            raise MalformedError("not a head")
        heads.append(Head(length, hash))
    return tuple(heads)


def _fits(kind: int, body: tuple[Value, ...]) -> bool:
    """Return whether a body has the shape that its kind demands."""
    allowed = _BODIES.get((kind, *map(type, body)))
    return allowed is not None and allowed(*body)


def _shares(shares: bytes) -> bool:
    return len(shares) > 0 and len(shares) % SHARE_BYTES == 0


def _hashes(*hashes: bytes) -> bool:
    return {*map(len, hashes)} == {HASH_BYTES}


def _anything(*_: Value) -> bool:
    return True


_BODIES: dict[tuple[object, ...], Callable[..., bool]] = {
    (MOVE, str): lambda text: len(text) <= TEXT_LIMIT,
    (MOVE, str, bytes, bytes, bytes): lambda text, *shown: len(text) <= TEXT_LIMIT and _hashes(*shown),
    (MOVE, str, int, bytes): lambda card, position, share: (
        len(card) <= TEXT_LIMIT and 0 <= position < 256 and len(share) == SHARE_BYTES
    ),
    (SEQUENCE,): _anything,
    (RESIGN,): _anything,
    (WISH, int): lambda wish: wish in (0, 1),
    (COMMITMENT, bytes): _hashes,
    (REVELATION, bytes, bytes, bytes): _hashes,
    (OPENING, bytes, bytes, bytes): _hashes,
    (RESULT,): _anything,
    (RESULT, bytes): _shares,
    (ACT, int, str): lambda actor, text: 0 <= actor <= SEATS_LIMIT and len(text) <= 2 * TEXT_LIMIT,
    (PLEDGE, bytes): _hashes,
    (KEY, bytes, bytes): lambda key, proof: (len(key), len(proof)) == (KEY_BYTES, PROOF_BYTES),
    (SHUFFLE, bytes, bytes): _anything,
    (SHARES, bytes, bytes): _anything,
    (VOTE, int): lambda seat: 1 <= seat <= SEATS_LIMIT,
    (CLAIM,): _anything,
}
"""For each kind of event and the types of what its body holds: whether that has the right size."""
