"""A masked deck of cards that nobody controls (Barnett and Smart, Cryptography and Coding 2003).

A card is an ElGamal ciphertext (a, b) = (r * G, M + r * Y) of its point M under the joint key Y = sum of the seats'
keys X = x * G. Each seat shuffles the deck in turn; a card opens when every seat has shown its share x * a.
All values are bytes; `docs/cards.md` has the layouts, what the proofs say and what they do not.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Protocol

from protocol.cards import shuffle as _shuffle
from protocol.cards.group import (
    BASE,
    IDENTITY,
    SIZE,
    Point,
    add,
    challenge,
    combine,
    decode_points,
    decode_scalars,
    digest,
    encode_scalars,
    hash_to_points,
    multiply,
    nonce,
    subtract,
    total,
    trusted_points,
)
from protocol.cards.shuffle import CARD_BYTES, MOST_CARDS, card_count


class DeckScheme(Protocol):
    """What a table needs of a deck; a simulator may put a fast stand-in here.

    `secret` is a seat's secret of the round, 32 bytes, and the only source of randomness: equal calls give equal
    bytes. `context` says in the caller's canonical bytes what the value is for (table, epoch, deal, live seats,
    seat); a proof holds in its own context only. The checks never raise. Public keys, decks and shares are
    trusted everywhere else: check each once when it comes in.
    """

    def make_key(self, secret: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return the public key of a seat for one round, 32 bytes, and the proof that it knows the secret key."""

    def proves_key(self, public: bytes, proof: bytes, context: bytes) -> bool:
        """Return whether `public` is a key, and `proof` shows that its sender knows the secret key."""

    def joint_key(self, publics: Sequence[bytes]) -> bytes:
        """Return the key that masks the deck. Raises ValueError if two keys are equal or they cancel out."""

    def first_deck(self, cards: int, joint: bytes) -> bytes:
        """Return the deck in canonical order, 64 bytes a card. Raises ValueError if no deck has so many cards."""

    def shuffle(self, secret: bytes, deck: bytes, joint: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return the same cards in another order under other masks, and the proof of that."""

    def proves_shuffle(self, deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
        """Return whether `shuffled` holds the cards of `deck`, each once."""

    def make_share(self, secret: bytes, deck: bytes, position: int, context: bytes) -> bytes:
        """Return a seat's decryption share of one card, 96 bytes. Raises ValueError if there is no such position."""

    def proves_share(self, public: bytes, deck: bytes, position: int, share: bytes, context: bytes) -> bool:
        """Return whether `share` is the share of the card at `position` by the owner of `public`."""

    def open_card(self, deck: bytes, position: int, shares: Sequence[bytes]) -> int | None:
        """Return the card's index in the first deck, None if `shares` are not those of all live seats.

        Raises ValueError if there is no such position.
        """


class MaskedDeck:
    """The real scheme, over the prime-order subgroup of edwards25519."""

    def make_key(self, secret: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return X and a Schnorr proof of knowledge of x, 64 bytes: challenge, response."""
        x = _secret_key(secret)
        public = multiply(x, BASE)
        k = nonce(secret, "sh/key-nonce/1", context, public)
        c = _key_challenge(context, public, multiply(k, BASE))
        return public, encode_scalars([c, k + c * x])

    def proves_key(self, public: bytes, proof: bytes, context: bytes) -> bool:
        """Return whether `public` is one point and the proof holds for it in this context."""
        with suppress(Exception):
            c, s = decode_scalars(proof)
            (key,) = decode_points(public)
            return c == _key_challenge(context, key, combine([(s, BASE), (-c, key)]))
        return False

    def joint_key(self, publics: Sequence[bytes]) -> bytes:
        """Return the sum of the keys."""
        if len(set(publics)) < len(publics):
            raise ValueError("two seats have the same key")
        joint = total(map(Point, publics))
        if joint == IDENTITY:
            raise ValueError("the keys cancel out")
        return joint

    def first_deck(self, cards: int, joint: bytes) -> bytes:
        """Return (G, M + Y) for the point M of each card: masked once, with the known mask 1."""
        if not 2 <= cards <= MOST_CARDS:
            raise ValueError("a deck has 2 to 256 cards")
        return b"".join(BASE + add(point, Point(joint)) for point in _card_points(cards))

    def shuffle(self, secret: bytes, deck: bytes, joint: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return the new deck and the proof of shuffle."""
        return _shuffle.shuffle(secret, deck, joint, context)

    def proves_shuffle(self, deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
        """Return whether the proof of shuffle holds."""
        return _shuffle.proves_shuffle(deck, shuffled, joint, proof, context)

    def make_share(self, secret: bytes, deck: bytes, position: int, context: bytes) -> bytes:
        """Return x * a and a Chaum-Pedersen proof that x is that of the key: challenge, response. 96 bytes."""
        a, _ = _card(deck, position)
        x = _secret_key(secret)
        statement = _share_statement(context, deck, position, multiply(x, BASE), opened := multiply(x, a))
        k = nonce(secret, "sh/share-nonce/1", statement)
        c = _share_challenge(statement, multiply(k, BASE), multiply(k, a))
        return opened + encode_scalars([c, k + c * x])

    def proves_share(self, public: bytes, deck: bytes, position: int, share: bytes, context: bytes) -> bool:
        """Return whether the share is one point with a proof that holds for key, deck, position and context."""
        with suppress(Exception):
            a, _ = _card(deck, position)
            c, s = decode_scalars(share[SIZE:])
            (opened,) = decode_points(share[:SIZE])
            key = Point(public)
            return c == _share_challenge(
                _share_statement(context, deck, position, key, opened),
                combine([(s, BASE), (-c, key)]),
                combine([(s, a), (-c, opened)]),
            )
        return False

    def open_card(self, deck: bytes, position: int, shares: Sequence[bytes]) -> int | None:
        """Return which card's point is b less all shares."""
        _, b = _card(deck, position)
        point = subtract(b, total(Point(share[:SIZE]) for share in shares))
        return _card_numbers(card_count(deck)).get(point)


MASKED_DECK = MaskedDeck()


def _secret_key(secret: bytes) -> int:
    return nonce(secret, "sh/key/1")


def _key_challenge(context: bytes, public: Point, announced: Point) -> int:
    return challenge("sh/key-challenge/1", context, public, announced)


def _share_statement(context: bytes, deck: bytes, position: int, public: Point, opened: Point) -> bytes:
    return digest("sh/share/1", context, deck, position, public, opened)


def _share_challenge(statement: bytes, *announced: Point) -> int:
    return challenge("sh/share-challenge/1", statement, *announced)


def _card(deck: bytes, position: int) -> tuple[Point, Point]:
    if not 0 <= position < card_count(deck):
        raise ValueError("no such position in the deck")
    a, b = trusted_points(deck[CARD_BYTES * position : CARD_BYTES * (position + 1)])
    return a, b


def _card_points(cards: int) -> tuple[Point, ...]:
    return hash_to_points("sh/card-point/1", cards)


@cache
def _card_numbers(cards: int) -> dict[Point, int]:
    return {point: number for number, point in enumerate(_card_points(cards))}
