"""The mathematics of masked decks once more, slow and plain: edwards25519 (RFC 8032) and the equations of the proofs.

Nothing here comes from the program: points are affine pairs of ints, hashes are written out again. It exists to be
compared with.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgpack

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
ZERO = (0, 1)
Point: TypeAlias = tuple[int, int]
Fraction: TypeAlias = tuple[int, int, int]


def plus(left: Point, right: Point) -> Point:
    """The addition law of the curve -x² + y² = 1 + d x² y²."""
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def minus(point: Point) -> Point:
    return (-point[0] % P, point[1])


def times(scalar: int, point: Point) -> Point:
    """Double and add, with x and y as fractions over one denominator: only the last step divides."""
    x, y, z = 0, 1, 1
    for bit in bin(scalar)[2:]:
        x, y, z = fraction_plus((x, y, z), (x, y, z))
        if bit == "1":
            x, y, z = fraction_plus((x, y, z), (*point, 1))
    inverse = pow(z, -1, P)
    return (x * inverse % P, y * inverse % P)


def fraction_plus(left: Fraction, right: Fraction) -> Fraction:
    (x1, y1, z1), (x2, y2, z2) = left, right
    z = z1 * z2 % P
    square = z * z % P
    product = D * (x1 * x2 % P) * (y1 * y2 % P) % P
    below, above = square - product, square + product
    return (
        z * below * (x1 * y2 + x2 * y1) % P,
        z * above * (y1 * y2 + x1 * x2) % P,
        below * above % P,
    )


def add_up(points: Iterable[Point]) -> Point:
    result = ZERO
    for point in points:
        result = plus(result, point)
    return result


def square_root(square: int) -> int | None:
    """A root of a square mod P, None for anything else."""
    root = pow(square, (P + 3) // 8, P)
    for candidate in (root, root * ROOT % P):
        if candidate * candidate % P == square % P:
            return candidate
    return None


def unpack_any(data: bytes) -> Point:
    """The point of the whole curve with this encoding, which must be canonical."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    assert len(data) == 32
    assert y < P
    x = square_root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    assert x is not None
    assert x or not sign
    return (x if x % 2 == sign else -x % P, y)


def unpack(data: bytes) -> Point:
    """The point of the prime-order group, not the identity, with this encoding."""
    point = unpack_any(data)
    assert point != ZERO
    assert times(L, point) == ZERO
    return point


def pack(point: Point) -> bytes:
    x, y = point
    return (y + (x % 2 << 255)).to_bytes(32, "little")


def scalar(data: bytes) -> int:
    number = int.from_bytes(data, "little")
    assert len(data) == 32
    assert 0 < number < L
    return number


def pieces(data: bytes) -> list[bytes]:
    assert len(data) % 32 == 0
    return [data[start : start + 32] for start in range(0, len(data), 32)]


G = unpack(bytes.fromhex("58" + 31 * "66"))


def hash_to_point(name: str, number: int) -> Point:
    """Elligator 2 (RFC 9380, 6.7.1) of a hash, with the sign of x from its top bit, times 8."""
    person = name.encode().ljust(16, b"\0")
    seed = hashlib.blake2b(number.to_bytes(4, "big"), digest_size=32, person=person).digest()
    r = int.from_bytes(seed, "little")
    sign, r = r >> 255, r % 2**255
    a = 486662
    u = -a * pow(1 + 2 * r * r, -1, P) % P
    if square_root(u**3 + a * u * u + u) is None:
        u = (-a - u) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    return times(8, unpack_any((y + (sign << 255)).to_bytes(32, "little")))


def sha(*parts: object) -> bytes:
    return hashlib.sha512(msgpack.packb(parts, use_bin_type=True)).digest()


def hashed(*parts: object) -> int:
    return int.from_bytes(sha(*parts), "little") % L


def order(secret: bytes, joint: bytes, deck: bytes, context: bytes) -> list[int]:
    """The order of a shuffle: Fisher and Yates, where a byte counts only below a multiple of the number of choices."""
    cards = list(range(len(deck) // 64))
    seed = sha("sh/shuffle-draw/1", context, joint, deck)
    random: list[int] = []
    block = 0
    for last in reversed(range(1, len(cards))):
        chosen = None
        while chosen is None:
            if not random:
                message = msgpack.packb(("sh/shuffle-order/1", block, seed), use_bin_type=True)
                random, block = list(hmac.new(secret, message, "sha512").digest()), block + 1
            byte = random.pop(0)
            if byte < 256 // (last + 1) * (last + 1):
                chosen = byte % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def proves_key(public: bytes, proof: bytes, context: bytes) -> bool:
    """Schnorr: T = s G - c X."""
    key = unpack(public)
    c, s = map(scalar, pieces(proof))
    t = plus(times(s, G), minus(times(c, key)))
    return c == hashed("sh/key-challenge/1", context, public, pack(t))


def proves_share(public: bytes, deck: bytes, position: int, share: bytes, context: bytes) -> bool:
    """Chaum and Pedersen: T1 = s G - c X, T2 = s A - c O."""
    opened, *numbers = pieces(share)
    left = unpack(pieces(deck)[2 * position])
    c, s = map(scalar, numbers)
    t1 = plus(times(s, G), minus(times(c, unpack(public))))
    t2 = plus(times(s, left), minus(times(c, unpack(opened))))
    statement = sha("sh/share/1", context, deck, position, public, opened)
    return c == hashed("sh/share-challenge/1", statement, pack(t1), pack(t2))


class ShuffleProof:
    """A proof of shuffle, read, with what each equation gives; `holds` if they are what was announced."""

    def __init__(self, deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> None:
        size = len(deck) // 64
        assert len(deck) == len(shuffled) == 64 * size
        assert len(proof) == 32 * (4 * size + 5)
        e = [unpack(item) for item in pieces(deck)]
        f = [unpack(item) for item in pieces(shuffled)]
        y = unpack(joint)
        fields = pieces(proof)
        column = [unpack(item) for item in fields[:size]]
        chain = [unpack(item) for item in fields[size : 2 * size]]
        c, s1, s2, s3, s4, *rest = [scalar(item) for item in fields[2 * size :]]
        link, weight = rest[:size], rest[size:]
        h, *generators = [hash_to_point("sh/generator/1", number) for number in range(size + 1)]

        statement = sha("sh/shuffle/1", "sh/generator/1", context, joint, deck, shuffled)
        first = sha("sh/shuffle-columns/1", statement, b"".join(fields[:size]))
        u = [hashed("sh/shuffle-weight/1", first, number) for number in range(size)]
        second = sha("sh/shuffle-chain/1", first, b"".join(fields[size : 2 * size]))
        product = 1
        for factor in u:
            product = product * factor % L

        def answer(claim: Point) -> Point:
            return minus(times(c, claim))

        def weighted(factors: Iterable[int], points: Iterable[Point]) -> Point:
            return add_up(times(*pair) for pair in zip(factors, points, strict=True))

        before = [h, *chain[:-1]]
        self.announced = {
            "column sum": plus(times(s1, G), answer(plus(add_up(column), minus(add_up(generators))))),
            "product": plus(times(s2, G), answer(plus(chain[-1], minus(times(product, h))))),
            "columns": add_up([times(s3, G), weighted(weight, generators), answer(weighted(u, column))]),
            "left sides": add_up([minus(times(s4, G)), weighted(weight, f[::2]), answer(weighted(u, e[::2]))]),
            "right sides": add_up([minus(times(s4, y)), weighted(weight, f[1::2]), answer(weighted(u, e[1::2]))]),
        } | {
            f"link {i + 1}": add_up([times(link[i], G), times(weight[i], before[i]), answer(chain[i])])
            for i in range(size)
        }
        self.holds = c == hashed("sh/shuffle-challenge/1", second, b"".join(map(pack, self.announced.values())))


def proves_shuffle(deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
    return ShuffleProof(deck, shuffled, joint, proof, context).holds


def verdict(check: Callable[..., bool], *arguments: object) -> bool:
    """What a check says when anything that goes wrong means no."""
    try:
        return check(*arguments)
    except (AssertionError, ValueError):
        return False
