"""The group of the masked deck: the prime-order subgroup of edwards25519, written additively.

Scalars are ints modulo ORDER; outside they are 32 bytes, little endian, 1 .. ORDER - 1. Points are their canonical
32-byte encodings. Received bytes become scalars and points in `decode_scalars` and `decode_points` and nowhere
else; all other functions trust their arguments. Every hash is taken over the canonical msgpack of a tuple that begins
with the name of its use, so no two hashed messages of different meaning are equal.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from typing import NewType

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from engine import Value, blake, encode

ORDER = 2**252 + 27742317777372353535851937790883648493
"""The prime order of the group (RFC 8032, L)."""

SECRET_BYTES = 32
SIZE = 32
"""The bytes of an encoded point, and of an encoded scalar."""

Point = NewType("Point", bytes)
"""The encoding of an element of the group: decoded, or computed from decoded ones."""

BASE = Point(bytes.fromhex("58" + 31 * "66"))
IDENTITY = Point(bytes([1, *bytes(31)]))
"""Never sent: it may only turn up inside a sum."""


def decode_points(data: bytes) -> list[Point]:
    """Return the points that `data` holds one after the other.

    Raises ValueError unless each is the canonical encoding of a group element other than the identity.
    """
    if not all(map(crypto_core_ed25519_is_valid_point, _slices(data))):
        raise ValueError("not a point of the group")
    return trusted_points(data)


def trusted_points(data: bytes) -> list[Point]:
    """Return the points of bytes that were decoded before, or that were made here."""
    return [Point(item) for item in _slices(data)]


def decode_scalars(data: bytes) -> list[int]:
    """Return the scalars that `data` holds one after the other. Raises ValueError unless each is 1 .. ORDER - 1."""
    scalars = [int.from_bytes(item, "little") for item in _slices(data)]
    if not all(0 < scalar < ORDER for scalar in scalars):
        raise ValueError("not a scalar")
    return scalars


def encode_scalars(scalars: Iterable[int]) -> bytes:
    """Return the scalars one after the other, 32 bytes each."""
    return b"".join((scalar % ORDER).to_bytes(SIZE, "little") for scalar in scalars)


def multiply(scalar: int, point: Point) -> Point:
    """Return `scalar` times `point`."""
    scalar %= ORDER
    if not scalar or point == IDENTITY:
        # The library refuses to compute the identity.
        return IDENTITY
    factor = scalar.to_bytes(SIZE, "little")
    if point == BASE:
        return Point(crypto_scalarmult_ed25519_base_noclamp(factor))
    return Point(crypto_scalarmult_ed25519_noclamp(factor, point))


def add(left: Point, right: Point) -> Point:
    """Return the sum of two points."""
    return Point(crypto_core_ed25519_add(left, right))


def subtract(left: Point, right: Point) -> Point:
    """Return `left` minus `right`."""
    return Point(crypto_core_ed25519_sub(left, right))


def total(points: Iterable[Point]) -> Point:
    """Return the sum of the points, the identity if there are none."""
    result = IDENTITY
    for point in points:
        result = point if result == IDENTITY else add(result, point)
    return result


def combine(terms: Iterable[tuple[int, Point]]) -> Point:
    """Return the sum of the multiples: a point that comes several times is multiplied once."""
    scalars: dict[Point, int] = {}
    for scalar, point in terms:
        scalars[point] = scalars.get(point, 0) + scalar
    return total([multiply(scalar, point) for point, scalar in scalars.items()])


@cache
def hash_to_points(name: str, size: int) -> tuple[Point, ...]:
    """Return points numbered from 0 whose logarithms nobody knows, to any base or each other."""
    hashes = (blake(name, number.to_bytes(4, "big")) for number in range(size))
    # Elligator 2, then times the cofactor: an element of the group, perhaps the identity, so it is checked as well.
    return tuple(decode_points(b"".join(map(crypto_core_ed25519_from_uniform, hashes))))


def digest(name: str, *parts: Value) -> bytes:
    """Return 64 bytes that stand for `parts` in the use called `name`."""
    return hashlib.sha512(encode((name, *parts))).digest()


def challenge(name: str, *parts: Value) -> int:
    """Return the Fiat-Shamir challenge for a statement and commitments, uniform modulo ORDER."""
    return int.from_bytes(digest(name, *parts), "little") % ORDER


def nonce(secret: bytes, name: str, *parts: Value) -> int:
    """Return a secret scalar, uniform modulo ORDER: the same for the same `parts`, unrelated for others."""
    return int.from_bytes(_keyed(secret, name, parts), "little") % ORDER


def stream(secret: bytes, name: str, *parts: Value) -> Iterator[int]:
    """Yield secret uniform bytes without end, the same for the same `parts`."""
    for block in count():
        yield from _keyed(secret, name, (block, *parts))


def _keyed(secret: bytes, name: str, parts: tuple[Value, ...]) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError("a secret has 32 bytes")
    return hmac.digest(secret, encode((name, *parts)), "sha512")


def _slices(data: bytes) -> list[bytes]:
    if len(data) % SIZE:
        raise ValueError("not a whole number of points or scalars")
    return [data[start : start + SIZE] for start in range(0, len(data), SIZE)]
