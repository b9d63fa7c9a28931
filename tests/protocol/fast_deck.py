"""A masked deck for long games: the real algebra over a group where logarithms are free, so it hides nothing.

A point is a number modulo a prime and G is 1. Sizes, refusals and what a proof binds are those of the real scheme; a
shuffle is proven by a hash, and checked by looking through all masks.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, TypeAlias

from engine import Value, encode

if TYPE_CHECKING:
    import hashlib

PRIME = 2**255 - 19
CARD_BYTES, CARD_LIMIT = 64, 256
Hash: TypeAlias = "hashlib._Hash"


class FastDeck:
    """A DeckScheme."""

    def make_key(self, secret: bytes, context: bytes) -> tuple[bytes, bytes]:
        x = _number(secret, "key")
        return _bytes(x), _proof(secret, x, "key", context, [1])

    def proves_key(self, public: bytes, proof: bytes, context: bytes) -> bool:
        return _proves(_point(public), proof, "key", context, [1], [_point(public)])

    def joint_key(self, publics: Sequence[bytes]) -> bytes:
        if len(set(publics)) < len(publics):
            raise ValueError("two seats have the same key")
        joint = sum(map(_point, publics)) % PRIME
        if not joint:
            raise ValueError("the keys cancel out")
        return _bytes(joint)

    def first_deck(self, cards: int, joint: bytes) -> bytes:
        if not 2 <= cards <= CARD_LIMIT:
            raise ValueError("a deck has 2 to 256 cards")
        return b"".join(_bytes(1) + _bytes(card + 1 + _point(joint)) for card in range(cards))

    def shuffle(self, secret: bytes, deck: bytes, joint: bytes, context: bytes) -> tuple[bytes, bytes]:
        cards = _cards(deck)
        seed = sha256(encode((context, joint, deck))).digest()
        order = sorted(range(len(cards)), key=lambda at: _number(secret, "order", seed, at))
        masks = [_number(secret, "mask", seed, at) for at in range(len(cards))]
        shuffled = b"".join(
            _bytes(cards[at][0] + mask) + _bytes(cards[at][1] + mask * _point(joint))
            for at, mask in zip(order, masks, strict=True)
        )
        return shuffled, self.honest_looking(deck, shuffled, joint, context)

    def honest_looking(self, deck: bytes, shuffled: bytes, joint: bytes, context: bytes) -> bytes:
        """A proof that is bound to all that it should be, whether the statement is true or not."""
        size = 32 * (4 * (len(deck) // CARD_BYTES) + 5)
        seed = sha256(encode(("shuffle", context, joint, deck, shuffled))).digest()
        return b"".join(blake2b(seed, salt=at.to_bytes(2, "big")).digest() for at in range(size // 64 + 1))[:size]

    def proves_shuffle(self, deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
        if len(shuffled) != len(deck) or proof != self.honest_looking(deck, shuffled, joint, context):
            return False
        if any(not 0 < part < PRIME for card in _cards(shuffled) for part in card):
            return False
        key = _point(joint)
        old, new = (sorted((b - a * key) % PRIME for a, b in _cards(one)) for one in (deck, shuffled))
        return old == new

    def make_share(self, secret: bytes, deck: bytes, position: int, context: bytes) -> bytes:
        a, _ = _card(deck, position)
        x = _number(secret, "key")
        return _bytes(x * a) + _proof(secret, x, "share", encode((context, deck, position)), [1, a])

    def proves_share(self, public: bytes, deck: bytes, position: int, share: bytes, context: bytes) -> bool:
        if len(share) != 96 or not 0 <= position < len(deck) // CARD_BYTES:
            return False
        a, _ = _card(deck, position)
        statement = encode((context, deck, position))
        return _proves(_point(public), share[32:], "share", statement, [1, a], [_point(public), _point(share[:32])])

    def open_card(self, deck: bytes, position: int, shares: Sequence[bytes]) -> int | None:
        _, b = _card(deck, position)
        card = (b - sum(_point(share[:32]) for share in shares)) % PRIME - 1
        return card if 0 <= card < len(deck) // CARD_BYTES else None


FAST_DECK = FastDeck()


def _number(secret: bytes, *use: Value) -> int:
    inner, outer = _hmac(secret)
    inner, outer = inner.copy(), outer.copy()
    inner.update(encode(use))
    outer.update(inner.digest())
    return int.from_bytes(outer.digest(), "little") % (PRIME - 1) + 1


@lru_cache(maxsize=256)
def _hmac(secret: bytes) -> tuple[Hash, Hash]:
    """HMAC-SHA256 under a secret of 64 bytes at most, set up: that takes longer than what is left of it."""
    padded = secret.ljust(64, b"\0")
    inner, outer = (sha256(bytes(byte ^ mask for byte in padded)) for mask in (0x36, 0x5C))
    return inner, outer


def _bytes(point: int) -> bytes:
    return (point % PRIME).to_bytes(32, "little")


def _point(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _cards(deck: bytes) -> list[tuple[int, int]]:
    numbers = [int.from_bytes(deck[at : at + 32], "little") for at in range(0, len(deck), 32)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _card(deck: bytes, position: int) -> tuple[int, int]:
    if not 0 <= position < len(deck) // CARD_BYTES:
        raise ValueError("no such position in the deck")
    at = CARD_BYTES * position
    return _point(deck[at : at + 32]), _point(deck[at + 32 : at + 64])


def _challenge(
    use: str, statement: bytes, bases: Sequence[int], points: Sequence[int], announced: Sequence[int]
) -> int:
    numbers = [(number % PRIME).to_bytes(32, "little") for number in (*bases, *points, *announced)]
    return _point(sha256(encode((use, statement, *numbers))).digest()) % (PRIME - 1) + 1


def _proof(secret: bytes, x: int, use: str, statement: bytes, bases: Sequence[int]) -> bytes:
    """One logarithm for all bases, as 64 bytes: challenge, response."""
    k = _number(secret, "nonce", use, statement)
    c = _challenge(use, statement, bases, [x * base for base in bases], [k * base for base in bases])
    return _bytes(c) + _bytes(k + c * x)


def _proves(public: int, proof: bytes, use: str, statement: bytes, bases: Sequence[int], points: Sequence[int]) -> bool:
    if len(proof) != 64 or not all(0 < point < PRIME for point in (public, *points)):
        return False
    c, s = _point(proof[:32]), _point(proof[32:])
    announced = [s * base - c * point for base, point in zip(bases, points, strict=True)]
    return c == _challenge(use, statement, bases, points, announced)
