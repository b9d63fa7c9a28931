"""The group of the masked deck: what is let in, the arithmetic against a plain reference, challenges and nonces."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import edwards
import pytest
from bad_points import ELEMENT, REFUSED
from edwards import L
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import group as _group
from protocol.cards.group import (
    BASE,
    IDENTITY,
    ORDER,
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
    stream,
    subtract,
    total,
)

SECRET = bytes(range(32))
SCALARS = st.one_of(st.integers(1, 9), st.integers(ORDER - 9, ORDER - 1), st.integers(1, ORDER - 1))


def test_the_refused_points_are_what_they_are_called() -> None:
    """The list would be worth nothing if these were all, say, points off the curve."""
    for name, order in (("order 2", 2), ("order 4", 4), ("order 8", 8)):
        point = edwards.unpack_any(REFUSED[name])
        assert edwards.times(order, point) == edwards.ZERO
        assert edwards.times(order // 2, point) != edwards.ZERO
        mixed = edwards.unpack_any(REFUSED[f"element + {name}"])
        assert edwards.times(8, mixed) == edwards.times(56, edwards.G)
        assert edwards.times(L, mixed) != edwards.ZERO
    with pytest.raises(AssertionError):
        edwards.unpack_any(REFUSED["not on the curve"])


@pytest.mark.parametrize("point", REFUSED.values(), ids=REFUSED)
def test_no_bad_point_gets_in(point: bytes) -> None:
    good = ELEMENT + BASE
    assert decode_points(good) == [ELEMENT, BASE]
    for data in (point, point + good, good + point, BASE + point + ELEMENT):
        with pytest.raises(ValueError, match="not a point"):
            decode_points(data)


@pytest.mark.parametrize("scalar", [0, ORDER, ORDER + 1, 2 * ORDER, 2**255, 2**256 - 1])
def test_no_bad_scalar_gets_in(scalar: int) -> None:
    """Zero never comes from an honest prover; s + L is another encoding of s."""
    data = scalar.to_bytes(32, "little")
    one = encode_scalars([1])
    for received in (data, data + one, one + data):
        with pytest.raises(ValueError, match="not a scalar"):
            decode_scalars(received)


@pytest.mark.parametrize("decode", [decode_points, decode_scalars])
@pytest.mark.parametrize("size", [1, 31, 33, 63])
def test_no_piece_of_a_value_gets_in(decode: Callable[..., object], size: int) -> None:
    with pytest.raises(ValueError, match="whole number"):
        decode((BASE + BASE)[:size])


@given(st.lists(SCALARS, max_size=3))
def test_scalars_come_back(scalars: list[int]) -> None:
    assert decode_scalars(encode_scalars(scalars)) == scalars
    assert encode_scalars([scalar + ORDER for scalar in scalars]) == encode_scalars(scalars)


@given(left=st.integers(-L, 2 * L), right=SCALARS)
@settings(max_examples=20, deadline=None)
def test_arithmetic_agrees_with_the_reference(left: int, right: int) -> None:
    one, other = multiply(left, BASE), multiply(right, ELEMENT)
    plain_one, plain_other = edwards.times(left % L, edwards.G), edwards.times(7 * right % L, edwards.G)
    assert one == edwards.pack(plain_one)
    assert other == edwards.pack(plain_other)
    assert add(one, other) == edwards.pack(edwards.plus(plain_one, plain_other))
    assert subtract(one, other) == edwards.pack(edwards.plus(plain_one, edwards.minus(plain_other)))


def test_the_identity_may_turn_up_anywhere() -> None:
    """A peer can choose values whose sums vanish; the equations must still be computed, not refused."""
    assert multiply(0, ELEMENT) == multiply(ORDER, BASE) == multiply(5, IDENTITY) == IDENTITY
    assert add(ELEMENT, IDENTITY) == add(IDENTITY, ELEMENT) == subtract(ELEMENT, IDENTITY) == ELEMENT
    assert subtract(ELEMENT, ELEMENT) == IDENTITY
    minus = multiply(-1, ELEMENT)
    assert total([]) == total([ELEMENT, minus]) == IDENTITY
    assert total([ELEMENT, minus, BASE]) == BASE


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), max_size=6))
@settings(max_examples=50, deadline=None)
def test_a_combination_is_the_sum_of_its_terms(terms: list[tuple[int, ...]]) -> None:
    """Also where points come twice, scalars vanish, or the sum does."""
    combined = combine((scalar, multiply(base, BASE)) for scalar, base in terms)
    assert combined == multiply(sum(scalar * base for scalar, base in terms), BASE)


def test_equal_points_are_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first deck has one left side for all its cards."""
    calls: list[tuple[int, Any]] = []
    original = _group.multiply

    def watched(scalar: int, point: Any) -> Any:
        calls.append((scalar, point))
        return original(scalar, point)

    monkeypatch.setattr(_group, "multiply", watched)
    assert combine([(2, BASE), (3, ELEMENT), (5, BASE)]) == original(28, BASE)
    assert calls == [(7, BASE), (3, ELEMENT)]


def test_hashed_points_agree_with_the_reference() -> None:
    """Generators with a known relation would let anyone forge proofs: they come from hashes alone."""
    for name in ("sh/generator/1", "sh/card-point/1"):
        points = hash_to_points(name, 62)
        assert decode_points(b"".join(points)) == list(points)
        assert points[:4] == hash_to_points(name, 4)
        assert points[:4] == tuple(edwards.pack(edwards.hash_to_point(name, number)) for number in range(4))
    assert len({*hash_to_points("sh/generator/1", 62), *hash_to_points("sh/card-point/1", 62), BASE}) == 125


def test_challenges_and_nonces_are_known_answers() -> None:
    """The layout bit for bit: another program must get the same, and so must next year's."""
    parts = (b"statement", 7)
    assert challenge("sh/x/1", *parts) == edwards.hashed("sh/x/1", *parts)
    assert digest("sh/x/1", *parts) == edwards.sha("sh/x/1", *parts)
    assert encode_scalars([nonce(SECRET, "sh/x/1", *parts)]).hex() == KNOWN["nonce"]
    assert bytes(islice(stream(SECRET, "sh/x/1", *parts), 96)).hex() == KNOWN["stream"]


KNOWN = {
    "nonce": "b02cd26f338bc518f201dbdceedafce946ecf830f8a86ecef984a4cdb37ba501",
    "stream": "9d2e787c9e34cddb75fdba4b601bb9a7e8760105dfa46f7499724fc8417491dec154717d4a28c5824a4c9ad2096f21a9"
    "f2abbbb5038d83539c7f3353b30d498c9a3719758304b8270dc7aa045998791cb60fdb9931aab16cbb86e59d369f076e",
}


def test_whatever_differs_gives_another_nonce() -> None:
    """One nonce for two statements would give the secret away."""
    other = bytes(32)
    nonces = {
        nonce(secret, name, *parts)
        for secret in (SECRET, other)
        for name in ("sh/x/1", "sh/x/2")
        for parts in ((), (b"",), (b"", b""), (b"a", b"bc"), (b"ab", b"c"), (b"abc",), (0,), (1,), ("1",), (b"1",))
    }
    assert len(nonces) == 40
    streams = {bytes(islice(stream(SECRET, "sh/x/1", part), 64)) for part in (b"a", b"b", 0, 1)}
    assert len(streams) == 4


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_of_another_size_is_an_error_of_ours(secret: bytes) -> None:
    """An empty secret would make every nonce public."""
    with pytest.raises(ValueError, match="32 bytes"):
        nonce(secret, "sh/x/1")
    with pytest.raises(ValueError, match="32 bytes"):
        next(stream(secret, "sh/x/1"))


def test_challenges_are_uniform_in_their_top_bits() -> None:
    """64 hashed bytes leave no bias: the upper half of the range is hit as often as the lower."""
    high = sum(challenge("sh/x/1", number) > ORDER // 2 for number in range(4000))
    assert abs(high - 2000) < 110
