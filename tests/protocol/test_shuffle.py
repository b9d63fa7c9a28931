"""The proof of shuffle: honest ones hold, and every altered byte and other statement is refused."""

import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import edwards
import pytest
from bad_points import REFUSED
from hypothesis import given, settings
from hypothesis import strategies as st
from shuffles import (
    CONTEXT,
    FIELDS,
    JOINT,
    MADE_FOR,
    POINTS,
    PUBLICS,
    SCALARS,
    SECRETS,
    THREE,
    TWO,
    checked,
    deck_of,
    honest,
    pieces,
    replaced,
)

from engine import Value, encode
from protocol.cards import group
from protocol.cards import shuffle as proofs
from protocol.cards.deck import MASKED_DECK
from protocol.cards.group import (
    BASE,
    IDENTITY,
    ORDER,
    Point,
    add,
    multiply,
    nonce,
    subtract,
    trusted_points,
)
from protocol.cards.shuffle import card_count, draw_witness, proof_bytes, prove, proves_shuffle, shuffle

CHI_SQUARE = {23: 49.8, 35 * 35: 1385}
"""The 0.1 % points: a uniform source stays below; the seeds are fixed, so the test is too."""


# Honest shuffles.


@pytest.mark.parametrize("cards", [2, 3, 31, 36, 61])
def test_an_honest_shuffle_holds(cards: int) -> None:
    """A first shuffle and one of a shuffled deck; the sizes are those promised."""
    deck = MASKED_DECK.first_deck(cards, JOINT)
    for secret in SECRETS[:2]:
        shuffled, proof = shuffle(secret, deck, JOINT, CONTEXT)
        assert proves_shuffle(deck, shuffled, JOINT, proof, CONTEXT)
        assert len(shuffled) == len(deck) == 64 * cards
        assert len(proof) == proof_bytes(cards) == 32 * (4 * cards + 5)
        assert not set(pieces(shuffled)) & set(pieces(deck)), "a card kept its mask"
        deck = shuffled


@pytest.mark.slow
def test_the_largest_deck_holds() -> None:
    deck = MASKED_DECK.first_deck(256, JOINT)
    shuffled, proof = shuffle(SECRETS[0], deck, JOINT, CONTEXT)
    assert proves_shuffle(deck, shuffled, JOINT, proof, CONTEXT)


@pytest.mark.parametrize("cards", [2, 5])
def test_the_work_is_that_of_the_algorithm(cards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Multiplications, of the base and of others, sums and checks: what `docs/cards.md` counts, no more, no less."""
    deck = deck_of(cards)
    assert checked(honest(cards)), "generators are made once"
    done: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        original = getattr(group, name)

        def call(*arguments: bytes) -> Any:
            done[name] += 1
            return original(*arguments)

        return call

    multiplied, base, valid = (
        f"crypto_{name}" for name in ("scalarmult_ed25519_noclamp", "scalarmult_ed25519_base_noclamp",
                                      "core_ed25519_is_valid_point")
    )  # fmt: skip
    for name in (multiplied, base, valid, "crypto_core_ed25519_add", "crypto_core_ed25519_sub"):
        monkeypatch.setattr(group, name, counted(name))
    n = cards
    shuffled, proof = shuffle(SECRETS[0], deck, JOINT, CONTEXT)
    sums = done.total() - done[multiplied] - done[base] - done[valid]
    assert (done[multiplied], done[base], sums, done[valid]) == (6 * n + 1, 4 * n + 4, 8 * n, 0)
    done.clear()
    assert proves_shuffle(deck, shuffled, JOINT, proof, CONTEXT)
    sums = done.total() - done[multiplied] - done[base] - done[valid]
    assert (done[multiplied], done[base], sums, done[valid]) == (8 * n + 4, n + 4, 9 * n + 3, 4 * n)
    done.clear()
    first = MASKED_DECK.first_deck(cards, JOINT)
    shuffled, proof = shuffle(SECRETS[0], first, JOINT, CONTEXT)
    assert done[multiplied] == 5 * n + 1, "the first deck has one left side for all cards"
    done.clear()
    assert proves_shuffle(first, shuffled, JOINT, proof, CONTEXT)
    assert done[multiplied] == 7 * n + 4


@pytest.mark.parametrize("size", [0, 64, 63, 129, 64 * 257])
def test_what_cannot_be_a_deck_is_not_shuffled(size: int) -> None:
    deck = (BASE * 600)[:size]
    with pytest.raises(ValueError, match="2 to 256 cards"):
        card_count(deck)
    with pytest.raises(ValueError, match="2 to 256 cards"):
        shuffle(SECRETS[0], deck, JOINT, CONTEXT)
    assert not checked(THREE, deck=deck)


def test_the_same_again_gives_the_same_bytes() -> None:
    """A client that restarts must not say something else than before."""
    assert honest(3) == THREE
    known = hashlib.sha256(THREE["shuffled"] + THREE["proof"]).hexdigest()
    assert known == "4b1eb44d2eae9c96c4d2dfc0f200370c84d2d3cbdeee933e45c048a9fdc02a57"


def test_the_new_deck_is_the_old_one_as_the_witness_says() -> None:
    order, masks = draw_witness(SECRETS[0], THREE["deck"], JOINT, CONTEXT)
    old, new = pieces(THREE["deck"], 64), pieces(THREE["shuffled"], 64)
    assert sorted(order) == [0, 1, 2]
    for card, source, mask in zip(new, order, masks, strict=True):
        left, right = trusted_points(old[source])
        assert card == add(left, multiply(mask, BASE)) + add(right, multiply(mask, Point(JOINT)))


# What the secret is used for.


@pytest.mark.parametrize("cards", [2, 36, 61, 200, 256])
def test_the_reference_agrees_on_orders(cards: int) -> None:
    """Bytes that would make some cards likelier are thrown away; a whole deck uses several blocks of them."""
    deck = bytes(64 * cards)
    for context in (b"", CONTEXT):
        assert draw_witness(SECRETS[0], deck, JOINT, context).order == edwards.order(SECRETS[0], JOINT, deck, context)


def test_orders_are_uniform() -> None:
    """All 24 orders of four cards come up alike."""
    rounds = 24 * 150
    seen = Counter(tuple(draw_witness(SECRETS[0], bytes(256), JOINT, b"%d" % n).order) for n in range(rounds))
    assert len(seen) == 24
    assert sum((count - 150) ** 2 / 150 for count in seen.values()) < CHI_SQUARE[23]


def test_every_card_goes_everywhere_alike() -> None:
    rounds = 36 * 40
    seen: Counter[tuple[int, int]] = Counter()
    for number in range(rounds):
        order = draw_witness(number.to_bytes(32, "big"), bytes(64 * 36), JOINT, CONTEXT).order
        assert sorted(order) == list(range(36))
        seen.update(enumerate(order))
    expected = rounds / 36
    statistic = sum((seen[place, card] - expected) ** 2 / expected for place in range(36) for card in range(36))
    assert statistic < CHI_SQUARE[35 * 35]


def test_another_statement_shares_nothing() -> None:
    """Two shuffles with one order or one mask would tell the order to everyone who compares them."""
    base = (SECRETS[0], deck_of(36), JOINT, CONTEXT)
    other_deck = replaced(base[1], 70, BASE)
    others = [
        (SECRETS[1], *base[1:]),
        (base[0], other_deck, *base[2:]),
        (*base[:2], PUBLICS[0], base[3]),
        (*base[:3], CONTEXT + b"x"),
    ]
    witnesses = [draw_witness(*arguments) for arguments in [base, *others]]
    assert len({tuple(order) for order, _ in witnesses}) == 5
    assert len({mask for _, masks in witnesses for mask in masks}) == 5 * 36


def test_two_shuffles_have_no_scalar_in_common() -> None:
    """Seen from outside: no difference of new and old cards, no commitment and no response comes twice."""
    seen: list[bytes] = []
    for deck, context in ((THREE["deck"], CONTEXT), (THREE["shuffled"], CONTEXT), (THREE["deck"], b"other")):
        shuffled, proof = shuffle(SECRETS[0], deck, JOINT, context)
        order, _ = draw_witness(SECRETS[0], deck, JOINT, context)
        old = pieces(deck)
        seen += [subtract(Point(new), Point(old[2 * i])) for new, i in zip(pieces(shuffled)[::2], order, strict=True)]
        seen += pieces(proof)
    assert len(set(seen)) == len(seen) == 3 * (3 + 17)


def test_no_secret_scalar_is_ever_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blinds, masks and nonces of one shuffle, of others with the same secret, and of a proof for another new deck."""
    drawn: list[int] = []

    def draw(secret: bytes, label: str, *parts: Value) -> int:
        drawn.append(nonce(secret, label, *parts))
        return drawn[-1]

    monkeypatch.setattr(proofs, "nonce", draw)
    for deck, context in ((THREE["deck"], CONTEXT), (THREE["shuffled"], CONTEXT), (THREE["deck"], b"other")):
        shuffle(SECRETS[0], deck, JOINT, context)
    masks = 3
    assert len(set(drawn)) == len(drawn) == 3 * (masks + 3 + 3 + 4 + 3 + 3)
    witness = draw_witness(SECRETS[0], THREE["deck"], JOINT, CONTEXT)
    del drawn[-masks:]
    prove(SECRETS[0], THREE["deck"], THREE["deck"], JOINT, CONTEXT, witness)
    assert len(set(drawn)) == len(drawn) == 3 * 19 + 16


# Another statement than the proven one.


def test_cards_altered_dropped_duplicated_or_swapped() -> None:
    cards = pieces(THREE["shuffled"], 64)
    old = pieces(THREE["deck"], 64)
    first, second, third = cards
    remasked = add(Point(first[:32]), BASE) + add(Point(first[32:]), Point(JOINT))
    other_card = first[:32] + add(Point(first[32:]), BASE)
    lies = {
        "swapped": [second, first, third],
        "duplicated": [first, first, third],
        "dropped": [first, second],
        "added": [*cards, third],
        "masked again": [remasked, second, third],
        "another card": [other_card, second, third],
        "sides exchanged": [first[32:] + first[:32], second, third],
        "from the old deck": [old[0], second, third],
        "the old deck": old,
        "none": [],
    }
    for lie, deck in lies.items():
        assert not checked(THREE, shuffled=b"".join(deck)), lie
    assert checked(THREE)


def test_another_input_deck() -> None:
    old = pieces(THREE["deck"], 64)
    for deck in ([old[1], old[0], old[2]], old[:2], [*old, old[0]], [old[0], old[0], old[2]], pieces(deck_of(4), 64)):
        assert not checked(THREE, deck=b"".join(deck))
    assert not checked(THREE, deck=THREE["shuffled"], shuffled=THREE["deck"])
    assert not checked(THREE, deck=MASKED_DECK.first_deck(3, JOINT))


@pytest.mark.parametrize(
    "change",
    [
        {"table": b"u" * 32},
        {"slot": (2, 17, 4)},
        {"slot": (1, 18, 4)},
        {"deal": 3},
        {"seat": 1},
        {"live": (1, 4, 3)},
        {"live": (1, 3)},
    ],
    ids=str,
)
def test_another_table_slot_round_seat_or_order_of_seats(change: dict[str, Value]) -> None:
    assert not checked(THREE, context=encode(tuple({**MADE_FOR, **change}.values())))


def test_another_joint_key() -> None:
    """Also one that differs by a key that the prover knows."""
    for publics in (PUBLICS[:1], PUBLICS[1:3], PUBLICS[:3]):
        assert not checked(THREE, joint=MASKED_DECK.joint_key(publics))
    assert not checked(THREE, joint=add(Point(JOINT), BASE))
    assert not checked(THREE, joint=IDENTITY)
    assert not checked(THREE, joint=b"")


def test_a_proof_for_another_deck_or_context() -> None:
    other = shuffle(SECRETS[0], THREE["shuffled"], JOINT, CONTEXT)
    assert not checked(THREE, proof=other[1])
    assert not checked(THREE, proof=honest(4)["proof"])
    shuffled, proof = shuffle(SECRETS[1], THREE["deck"], JOINT, CONTEXT)
    assert not checked(THREE, proof=proof)
    assert not checked(THREE, shuffled=shuffled)
    assert checked(THREE, shuffled=shuffled, proof=proof)


# Altered bytes.


def test_the_fields_are_those_of_the_proof() -> None:
    assert len(FIELDS) * 32 == len(TWO["proof"])


@pytest.mark.parametrize("field", SCALARS)
def test_an_altered_scalar(field: str) -> None:
    proof, index = TWO["proof"], FIELDS.index(field)
    value = int.from_bytes(pieces(proof)[index], "little")
    values = (value + 1, value - 1, ORDER - value, 2 * value % ORDER, 1, 0, value + ORDER, value + 2 * ORDER)
    for other in values:
        assert not checked(TWO, proof=replaced(proof, index, other.to_bytes(32, "little"))), other
    assert checked(TWO, proof=replaced(proof, index, value.to_bytes(32, "little")))


@pytest.mark.parametrize("field", POINTS)
def test_an_altered_point(field: str) -> None:
    proof, index = TWO["proof"], FIELDS.index(field)
    point = Point(pieces(proof)[index])
    for other in (add(point, BASE), subtract(point, BASE), multiply(-1, point), multiply(2, point), BASE, Point(JOINT)):
        assert not checked(TWO, proof=replaced(proof, index, other))


@pytest.mark.parametrize("name", REFUSED)
def test_bad_points_in_every_place(name: str) -> None:
    """In the commitments and in the new deck; the other received points of a deal have their own tests."""
    bad = REFUSED[name]
    for index in range(len(POINTS)):
        assert not checked(TWO, proof=replaced(TWO["proof"], index, bad))
        assert not checked(TWO, shuffled=replaced(TWO["shuffled"], index, bad))
        assert not checked(TWO, deck=replaced(TWO["deck"], index, bad))
    assert not checked(TWO, joint=bad)


def test_a_torsion_point_on_top_of_a_good_one_in_every_place() -> None:
    """Times the cofactor they are equal; a check that multiplies by 8 or adds without looking would accept them."""
    for torsion in ("order 2", "order 4", "order 8"):
        for name in ("proof", "shuffled"):
            for index, piece in enumerate(pieces(TWO[name])[: len(POINTS)]):
                mixed = add(Point(piece), Point(REFUSED[torsion]))
                assert not checked(TWO, **{name: replaced(TWO[name], index, mixed)})


def test_exchanged_fields() -> None:
    for i, (left, right) in enumerate(pairwise(pieces(TWO["proof"]))):
        assert not checked(TWO, proof=replaced(replaced(TWO["proof"], i, right), i + 1, left)), FIELDS[i]


def test_cut_or_extended() -> None:
    proof = TWO["proof"]
    lies = [b"", proof[:-1], proof[1:], proof[:-32], proof[32:], proof + b"\0", proof + bytes(32), proof + proof]
    for lie in lies:
        assert not checked(TWO, proof=lie)
    for shuffled in (TWO["shuffled"][:-1], TWO["shuffled"] + b"\0", TWO["shuffled"] + bytes(64)):
        assert not checked(TWO, shuffled=shuffled)


def test_what_is_no_bytes_is_no_proof() -> None:
    for wrong in (None, 7, "text", [TWO["proof"]], bytearray(TWO["proof"])):
        assert checked(TWO, proof=wrong) is False
        assert checked(TWO, shuffled=wrong) is False
        assert checked(TWO, deck=wrong) is False


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_altered_bit(data: Any) -> None:
    name = data.draw(st.sampled_from(["proof", "shuffled", "deck", "joint", "context"]))
    bit = data.draw(st.integers(0, 8 * len(TWO[name]) - 1))
    altered = bytearray(TWO[name])
    altered[bit // 8] ^= 1 << bit % 8
    assert not checked(TWO, **{name: bytes(altered)})
