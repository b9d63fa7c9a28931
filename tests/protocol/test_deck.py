"""The masked deck as a table uses it: keys, dealing and opening cards, and every lie about a key or a share."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import edwards
import pytest
from bad_points import REFUSED
from fast_deck import FAST_DECK, FastDeck
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect

from engine import encode
from protocol.cards import group as _group
from protocol.cards.deck import MASKED_DECK, DeckScheme, MaskedDeck
from protocol.cards.group import BASE, ORDER, Point, add, challenge, encode_scalars, multiply, nonce, subtract, total
from protocol.cards.shuffle import CARD_BYTES, proof_bytes
from protocol.events.slots import KEY_BYTES, PROOF_BYTES, SHARE_BYTES

DECK: DeckScheme = MASKED_DECK
SEATS = (1, 3, 4)
TABLE, DEAL = b"t" * 32, 2


def context(
    seat: int,
    *,
    table: bytes = TABLE,
    slot: tuple[int, ...] = (1, 17, 3),
    deal: int = DEAL,
    live: tuple[int, ...] = SEATS,
) -> bytes:
    return encode((table, slot, deal, seat, live))


SECRETS = {seat: bytes([seat]) * 32 for seat in SEATS}
KEYS = {seat: DECK.make_key(SECRETS[seat], context(seat)) for seat in SEATS}
PUBLICS = {seat: public for seat, (public, _) in KEYS.items()}
JOINT = DECK.joint_key(list(PUBLICS.values()))

OTHER_CONTEXTS = {
    "table": context(1, table=b"u" * 32),
    "slot": context(1, slot=(1, 18, 3)),
    "round": context(1, deal=DEAL + 1),
    "seat": context(3),
    "order of seats": context(1, live=(3, 1, 4)),
    "seats": context(1, live=(1, 3)),
    "none": b"",
}


def dealt(cards: int) -> bytes:
    deck = DECK.first_deck(cards, JOINT)
    for seat in SEATS:
        deck, _ = DECK.shuffle(SECRETS[seat], deck, JOINT, context(seat))
    return deck


SMALL = dealt(5)
SHARE = DECK.make_share(SECRETS[1], SMALL, 2, context(1))


def share_of(seat: int, position: int, deck: bytes = SMALL) -> bytes:
    return DECK.make_share(SECRETS[seat], deck, position, context(seat))


def scalar(number: int) -> bytes:
    return number.to_bytes(32, "little")


def secret_key(seat: int) -> int:
    """The x of a seat, which nobody else can compute."""
    x = nonce(SECRETS[seat], "sh/key/1")
    assert multiply(x, BASE) == PUBLICS[seat]
    return x


def altered(proof: bytes) -> Iterator[Any]:
    """Proofs of two scalars that differ from a good one in every way that keeps, or breaks, the layout."""
    pair = [proof[:32], proof[32:]]
    yield proof[32:] + proof[:32]
    for place, piece in enumerate(pair):
        value = int.from_bytes(piece, "little")
        for other in (value + 1, value - 1, ORDER - value, 0, 1, value + ORDER, value + 2 * ORDER, 2**256 - 1):
            lie = list(pair)
            lie[place] = scalar(other)
            yield b"".join(lie)
    yield from (b"", proof[:-1], proof[1:], proof[:32], proof + b"\0", proof + proof, proof + bytes(32), bytes(64))


# A whole deal.


@pytest.mark.parametrize("cards", [2, 31, 36, 61])
def test_all_cards_of_a_deck_open_once_each(cards: int) -> None:
    deck = dealt(cards)
    opened = [expect(int, DECK.open_card(deck, i, [share_of(seat, i, deck) for seat in SEATS])) for i in range(cards)]
    assert sorted(opened) == list(range(cards))
    assert opened != sorted(opened)


@given(seed=st.integers(0, 2**64), cards=st.integers(2, 6), seats=st.integers(2, 5))
@settings(max_examples=15, deadline=None)
def test_a_deal_among_any_seats(seed: int, cards: int, seats: int) -> None:
    """Everybody checks everything, with contexts of any kind; the cards are the same ones."""
    rng = Random(seed)
    secrets = [rng.randbytes(32) for _ in range(seats)]
    contexts = [rng.randbytes(rng.randrange(60)) for _ in range(seats)]
    keys = [DECK.make_key(*pair) for pair in zip(secrets, contexts, strict=True)]
    assert all(DECK.proves_key(*key, about) for key, about in zip(keys, contexts, strict=True))
    joint = DECK.joint_key([public for public, _ in keys])
    deck = DECK.first_deck(cards, joint)
    for secret, about in zip(secrets, contexts, strict=True):
        shuffled, proof = DECK.shuffle(secret, deck, joint, about)
        assert DECK.proves_shuffle(deck, shuffled, joint, proof, about)
        deck = shuffled
    opened = []
    for position in range(cards):
        shares = [DECK.make_share(secret, deck, position, b"open") for secret in secrets]
        for share, (public, _) in zip(shares, keys, strict=True):
            assert DECK.proves_share(public, deck, position, share, b"open")
        rng.shuffle(shares)
        opened.append(expect(int, DECK.open_card(deck, position, shares)))
    assert sorted(opened) == list(range(cards))


def test_sizes() -> None:
    public, proof = KEYS[1]
    assert (len(public), len(proof), len(SHARE), len(SMALL)) == (KEY_BYTES, PROOF_BYTES, SHARE_BYTES, 5 * 64)


def test_equal_calls_give_equal_bytes() -> None:
    """A client that restarts must not say something else than before; the layout is fixed bit for bit."""
    assert DECK.make_key(SECRETS[1], context(1)) == KEYS[1]
    assert share_of(1, 2) == SHARE
    everything = b"".join((*KEYS[1], JOINT, DECK.first_deck(5, JOINT), SMALL, SHARE))
    assert hashlib.sha256(everything).hexdigest() == "b8ddf8ddbde8fb4dab1fb2815dbbbb8f1c7a435def4cc4fd79b7802c0c971d7e"


def test_the_key_is_that_of_the_round_secret() -> None:
    """The proof is for one context, the key for the secret: shares given elsewhere must open the same cards."""
    public, proof = DECK.make_key(SECRETS[1], b"elsewhere")
    assert public == PUBLICS[1]
    assert proof != KEYS[1][1]
    assert DECK.make_key(bytes(32), b"")[0] != DECK.make_key(bytes(31) + b"\1", b"")[0]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_size_is_an_error_of_ours(size: int) -> None:
    secret = bytes(size)
    for make in (
        lambda: DECK.make_key(secret, b""),
        lambda: DECK.make_share(secret, SMALL, 0, b""),
        lambda: DECK.shuffle(secret, SMALL, JOINT, b""),
    ):
        with pytest.raises(ValueError, match="32 bytes"):
            make()


def test_the_work_is_that_of_the_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `docs/cards.md` counts; above all, each received point is checked, and once."""
    done: Counter[str] = Counter()

    def work(call: Callable[..., Any]) -> tuple[int, ...]:
        done.clear()
        assert call()
        return tuple(done[name] for name in ("noclamp", "base_noclamp", "sums", "is_valid_point"))

    def counted(kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: bytes) -> Any:
            done[kind] += 1
            return original(*arguments)

        return call

    for name, kind in (
        ("scalarmult_ed25519_noclamp", "noclamp"),
        ("scalarmult_ed25519_base_noclamp", "base_noclamp"),
        ("core_ed25519_add", "sums"),
        ("core_ed25519_sub", "sums"),
        ("core_ed25519_is_valid_point", "is_valid_point"),
    ):
        monkeypatch.setattr(_group, f"crypto_{name}", counted(kind, getattr(_group, f"crypto_{name}")))
    assert work(lambda: DECK.make_key(SECRETS[1], b"")) == (0, 2, 0, 0)
    assert work(lambda: DECK.proves_key(*KEYS[1], context(1))) == (1, 1, 1, 1)
    assert work(lambda: DECK.make_share(SECRETS[1], SMALL, 2, b"")) == (2, 2, 0, 0)
    assert work(lambda: DECK.proves_share(PUBLICS[1], SMALL, 2, SHARE, context(1))) == (3, 1, 2, 1)
    shares = [share_of(seat, 2) for seat in SEATS]
    assert work(lambda: DECK.open_card(SMALL, 2, shares) is not None) == (0, 0, 3, 0)
    assert work(lambda: DECK.first_deck(5, JOINT)) == (0, 0, 5, 0)


# Keys.


def test_the_reference_agrees_on_keys() -> None:
    for seat, (public, proof) in KEYS.items():
        assert DECK.proves_key(public, proof, context(seat))
        assert edwards.proves_key(public, proof, context(seat))
        for lie in altered(proof):
            assert not DECK.proves_key(public, lie, context(seat))
            assert not edwards.verdict(edwards.proves_key, public, lie, context(seat))


@pytest.mark.parametrize("name", OTHER_CONTEXTS)
def test_a_replayed_proof_of_possession(name: str) -> None:
    public, proof = KEYS[1]
    assert not DECK.proves_key(public, proof, OTHER_CONTEXTS[name])


def test_a_proof_of_possession_for_another_key() -> None:
    assert not DECK.proves_key(PUBLICS[3], KEYS[1][1], context(1))
    assert not DECK.proves_key(add(Point(PUBLICS[1]), BASE), KEYS[1][1], context(1))
    assert not DECK.proves_key(multiply(-1, Point(PUBLICS[1])), KEYS[1][1], context(1))


def test_a_rogue_key() -> None:
    """A key made of the others' so that the joint key is the rogue's own: it has no proof, whatever is tried."""
    own = 12345
    rogue = subtract(multiply(own, BASE), total([Point(PUBLICS[1]), Point(PUBLICS[3])]))
    assert DECK.joint_key([PUBLICS[1], PUBLICS[3], rogue]) == multiply(own, BASE), "the attack is a real one"
    c = challenge("sh/key-challenge/1", context(4), rogue, multiply(777, BASE))
    guesses = [
        encode_scalars([c, 777 + c * own]),
        encode_scalars([c, 777]),
        encode_scalars([c, 777 - c * own]),
        *(proof for _, proof in KEYS.values()),
    ]
    assert not any(DECK.proves_key(rogue, guess, context(seat)) for guess in guesses for seat in SEATS)


def test_a_forged_proof_for_a_chosen_challenge() -> None:
    """T = s G - c X can be made to fit any key, if only the challenge did not depend on key and T."""
    rogue, c, s = Point(PUBLICS[3]), 5, 7
    announced = subtract(multiply(s, BASE), multiply(c, rogue))
    assert not DECK.proves_key(rogue, encode_scalars([c, s]), context(4))
    real = challenge("sh/key-challenge/1", context(4), rogue, announced)
    assert not DECK.proves_key(rogue, encode_scalars([real, s]), context(4))


@pytest.mark.parametrize("name", REFUSED)
def test_bad_points_as_keys(name: str) -> None:
    """Also one of which the secret is known but for a point of small order."""
    for proof in (KEYS[1][1], encode_scalars([1, 1])):
        assert not DECK.proves_key(REFUSED[name], proof, context(1))


@pytest.mark.parametrize("order", [2, 4, 8])
def test_a_key_with_torsion_and_the_best_proof_for_it(order: int) -> None:
    """If c is a multiple of the order the equation holds for X + T as well: only the check of the point is left."""
    torsion = REFUSED[f"order {order}"]
    x = secret_key(1)
    mixed = add(Point(PUBLICS[1]), Point(torsion))
    k = 1
    while (c := challenge("sh/key-challenge/1", context(1), mixed, multiply(k, BASE))) % order:
        k += 1
    proof = encode_scalars([c, k + c * x])
    plain = edwards.times(c, edwards.unpack_any(mixed))
    assert edwards.plus(edwards.times((k + c * x) % ORDER, edwards.G), edwards.minus(plain)) == edwards.times(
        k, edwards.G
    )
    assert not DECK.proves_key(mixed, proof, context(1))


def test_what_is_no_key() -> None:
    public, proof = KEYS[1]
    lie: Any  # bytes, and what is none
    for lie in (b"", public[:-1], public + b"\0", public + public, None, 7, "x" * 32):
        assert DECK.proves_key(lie, proof, context(1)) is False
    for lie in (None, 7, "x" * 64):
        assert DECK.proves_key(public, lie, context(1)) is False


def test_the_joint_key() -> None:
    assert total(map(Point, PUBLICS.values())) == JOINT
    assert DECK.joint_key(list(reversed(PUBLICS.values()))) == JOINT
    minus = multiply(-1, Point(PUBLICS[1]))
    assert DECK.joint_key([PUBLICS[1], minus, PUBLICS[3]]) == PUBLICS[3]
    for publics, complaint in (
        ([PUBLICS[1], PUBLICS[3], PUBLICS[1]], "same key"),
        ([PUBLICS[1], minus], "cancel"),
        ([], "cancel"),
    ):
        with pytest.raises(ValueError, match=complaint):
            DECK.joint_key(publics)


def test_the_first_deck() -> None:
    """Everybody computes it, and knows which card is where: mask 1."""
    deck = DECK.first_deck(4, JOINT)
    points = [Point(deck[start : start + 32]) for start in range(0, len(deck), 32)]
    assert points[::2] == [BASE] * 4
    cards = [subtract(point, Point(JOINT)) for point in points[1::2]]
    assert cards == [edwards.pack(edwards.hash_to_point("sh/card-point/1", number)) for number in range(4)]
    shares = [[share_of(seat, place, deck) for seat in SEATS] for place in range(4)]
    assert [DECK.open_card(deck, place, shares[place]) for place in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("cards", [-1, 0, 1, 257])
def test_no_deck_has_so_many_cards(cards: int) -> None:
    with pytest.raises(ValueError, match="2 to 256"):
        DECK.first_deck(cards, JOINT)


# Shares.


def test_the_reference_agrees_on_shares() -> None:
    statement = (PUBLICS[1], SMALL, 2)
    assert DECK.proves_share(*statement, SHARE, context(1))
    assert edwards.proves_share(*statement, SHARE, context(1))
    for proof in altered(SHARE[32:]):
        lie = SHARE[:32] + proof
        assert not DECK.proves_share(*statement, lie, context(1))
        assert not edwards.verdict(edwards.proves_share, *statement, lie, context(1))


@pytest.mark.parametrize("name", OTHER_CONTEXTS)
def test_a_share_for_another_table_round_or_seat(name: str) -> None:
    assert not DECK.proves_share(PUBLICS[1], SMALL, 2, SHARE, OTHER_CONTEXTS[name])


def test_a_share_for_another_position_deck_or_key() -> None:
    for position in (0, 1, 3, 4, -3, 5, 2**70):
        assert not DECK.proves_share(PUBLICS[1], SMALL, position, SHARE, context(1))
    for public in (PUBLICS[3], JOINT, add(Point(PUBLICS[1]), BASE), multiply(-1, Point(PUBLICS[1])), b""):
        assert not DECK.proves_share(public, SMALL, 2, SHARE, context(1))
    card = SMALL[128:192]
    for deck in (SMALL[:192], SMALL + card, card + SMALL[64:], SMALL[:64] + SMALL[128:] + card):
        assert not DECK.proves_share(PUBLICS[1], deck, 2, SHARE, context(1))


def test_the_position_is_in_the_challenge_itself() -> None:
    """Even where two positions hold the same card, which no lawful shuffle makes."""
    deck = SMALL[:64] * 2
    share = share_of(1, 0, deck)
    assert DECK.proves_share(PUBLICS[1], deck, 0, share, context(1))
    assert not DECK.proves_share(PUBLICS[1], deck, 1, share, context(1))


def test_a_wrong_share_and_the_best_proof_for_it() -> None:
    """x' a with x' other than that of the key, proven with x', with x, and half with each."""
    a = Point(SMALL[128:160])
    x, k = secret_key(1), 99
    for other in (x + 1, 2 * x, -x, 1):
        opened = multiply(other, a)
        statement = edwards.sha("sh/share/1", context(1), SMALL, 2, PUBLICS[1], opened)
        c = challenge("sh/share-challenge/1", statement, multiply(k, BASE), multiply(k, a))
        for claimed in (x, other):
            lie = opened + encode_scalars([c, k + c * claimed])
            assert not DECK.proves_share(PUBLICS[1], SMALL, 2, lie, context(1))
    opened = multiply(x, a)
    statement = edwards.sha("sh/share/1", context(1), SMALL, 2, PUBLICS[1], opened)
    c = challenge("sh/share-challenge/1", statement, multiply(k, BASE), multiply(k, a))
    honest = opened + encode_scalars([c, k + c * x])
    assert DECK.proves_share(PUBLICS[1], SMALL, 2, honest, context(1)), "the lies above differ in the point alone"


def test_altered_share_points() -> None:
    point = Point(SHARE[:32])
    for other in (add(point, BASE), multiply(-1, point), multiply(2, point), BASE, SHARE[32:64], SMALL[128:160]):
        assert not DECK.proves_share(PUBLICS[1], SMALL, 2, other + SHARE[32:], context(1))


@pytest.mark.parametrize("name", REFUSED)
def test_bad_points_in_shares_keys_and_decks(name: str) -> None:
    bad = REFUSED[name]
    assert not DECK.proves_share(PUBLICS[1], SMALL, 2, bad + SHARE[32:], context(1))
    assert not DECK.proves_share(bad, SMALL, 2, SHARE, context(1))
    assert not DECK.proves_share(PUBLICS[1], SMALL[:128] + bad + SMALL[160:], 2, SHARE, context(1))


@pytest.mark.parametrize("order", [2, 4, 8])
def test_a_share_with_torsion_and_the_best_proof_for_it(order: int) -> None:
    """If c is a multiple of the order, the equations hold for x a + T too; it would open as no card."""
    a, x, k = Point(SMALL[128:160]), secret_key(1), 1
    mixed = add(Point(SHARE[:32]), Point(REFUSED[f"order {order}"]))
    statement = edwards.sha("sh/share/1", context(1), SMALL, 2, PUBLICS[1], mixed)
    while (c := challenge("sh/share-challenge/1", statement, multiply(k, BASE), multiply(k, a))) % order:
        k += 1
    assert not DECK.proves_share(PUBLICS[1], SMALL, 2, mixed + encode_scalars([c, k + c * x]), context(1))


def test_what_is_no_share() -> None:
    """Whatever goes wrong in a check, the answer is no."""
    lie: Any  # bytes, and what is none
    for lie in (b"", SHARE[:-1], SHARE[1:], SHARE + b"\0", SHARE[:64], SHARE + SHARE, bytes(96), None, 7, "x" * 96):
        assert DECK.proves_share(PUBLICS[1], SMALL, 2, lie, context(1)) is False
    for lie in (b"", SMALL[:-1], None):
        assert DECK.proves_share(PUBLICS[1], lie, 2, SHARE, context(1)) is False


@given(bit=st.integers(0, 8 * SHARE_BYTES - 1))
@settings(max_examples=60, deadline=None)
def test_any_altered_bit_of_a_share(bit: int) -> None:
    lie = bytearray(SHARE)
    lie[bit // 8] ^= 1 << bit % 8
    assert not DECK.proves_share(PUBLICS[1], SMALL, 2, bytes(lie), context(1))


def test_no_nonce_comes_twice() -> None:
    """s1 - s2 = (c1 - c2) x for one nonce: two statements with it would give the key away."""
    x = secret_key(1)
    deck = SMALL[64:] + SMALL[:64]
    proofs = [
        DECK.make_key(SECRETS[1], context(1))[1],
        DECK.make_key(SECRETS[1], context(3))[1],
        *(share_of(1, position)[32:] for position in range(5)),
        *(share_of(1, position, deck)[32:] for position in range(5)),
        DECK.make_share(SECRETS[1], SMALL, 2, context(3))[32:],
    ]
    pairs = [(int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little")) for proof in proofs]
    nonces = {(s - c * x) % ORDER for c, s in pairs}
    assert len(nonces) == len(pairs) == 13
    assert not nonces & {0, x}


# Opening.


@pytest.mark.parametrize("position", range(5))
def test_fewer_shares_open_nothing(position: int) -> None:
    shares = [share_of(seat, position) for seat in SEATS]
    assert DECK.open_card(SMALL, position, shares) in range(5)
    for size in range(3):
        for some in combinations(shares, size):
            assert DECK.open_card(SMALL, position, some) is None
    assert DECK.open_card(SMALL, position, [*shares, shares[0]]) is None


def test_a_share_of_another_position_opens_nothing() -> None:
    shares = [share_of(1, 0), share_of(3, 0), share_of(4, 1)]
    assert DECK.open_card(SMALL, 0, shares) is None


def test_a_lie_that_opens_as_another_card_is_found_by_the_check() -> None:
    """The last to show a share knows the others' and can choose what the card seems to be: only the proof stops it."""
    shares = {seat: share_of(seat, 0) for seat in SEATS}
    truth = expect(int, DECK.open_card(SMALL, 0, [*shares.values()]))
    wanted = (truth + 1) % 5
    cards = [edwards.pack(edwards.hash_to_point("sh/card-point/1", number)) for number in range(5)]
    point = add(Point(shares[4][:32]), subtract(Point(cards[truth]), Point(cards[wanted])))
    lie = point + shares[4][32:]
    assert DECK.open_card(SMALL, 0, [shares[1], shares[3], lie]) == wanted
    assert not DECK.proves_share(PUBLICS[4], SMALL, 0, lie, context(4))


@pytest.mark.parametrize("position", [-1, 5, 64])
def test_no_such_position(position: int) -> None:
    with pytest.raises(ValueError, match="no such position"):
        DECK.make_share(SECRETS[1], SMALL, position, b"")
    with pytest.raises(ValueError, match="no such position"):
        DECK.open_card(SMALL, position, [])


@pytest.mark.parametrize("scheme", [MASKED_DECK, FAST_DECK], ids=["real", "stand-in"])
def test_the_stand_in_has_the_sizes_and_the_refusals_of_the_real_deck(scheme: FastDeck | MaskedDeck) -> None:
    """What a simulator puts in place of the deck is as large and refuses the same."""
    keys = {seat: scheme.make_key(SECRETS[seat], context(seat)) for seat in SEATS}
    joint = scheme.joint_key([public for public, _ in keys.values()])
    first = scheme.first_deck(5, joint)
    deck, proof = scheme.shuffle(SECRETS[1], first, joint, context(1))
    share = scheme.make_share(SECRETS[1], deck, 2, context(1))
    public, possession = keys[1]
    assert (len(public), len(possession), len(share)) == (KEY_BYTES, PROOF_BYTES, SHARE_BYTES)
    assert (len(deck), len(proof)) == (len(first), proof_bytes(5)) == (5 * CARD_BYTES, 160 + 5 * 128)
    assert scheme.proves_key(public, possession, context(1))
    assert scheme.proves_shuffle(first, deck, joint, proof, context(1))
    assert scheme.proves_share(public, deck, 2, share, context(1))
    other = keys[3][0]
    lie: Any  # bytes, and what is none
    for lie in (b"", None, bytes(len(proof)), proof[:-1], proof[:-1] + bytes([proof[-1] ^ 1])):
        assert not scheme.proves_shuffle(first, deck, joint, lie, context(1))
    assert not scheme.proves_shuffle(deck, first, joint, proof, context(1))
    assert not scheme.proves_shuffle(first, deck, other, proof, context(1))
    for wrong in OTHER_CONTEXTS.values():
        assert not scheme.proves_key(public, possession, wrong)
        assert not scheme.proves_shuffle(first, deck, joint, proof, wrong)
        assert not scheme.proves_share(public, deck, 2, share, wrong)
    assert not scheme.proves_key(other, possession, context(1))
    assert not scheme.proves_share(other, deck, 2, share, context(1))
    assert not scheme.proves_share(public, deck, 3, share, context(1))
    assert not scheme.proves_share(public, first, 2, share, context(1))
    for same in ([public, public], [public, other, public]):
        with pytest.raises(ValueError, match="same key"):
            scheme.joint_key(same)
