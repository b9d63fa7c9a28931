"""Provers of shuffles that lie, each so that only one equation can notice, and a verifier from the equations."""

from math import prod
from operator import mul
from random import Random

import edwards
import pytest
from bad_points import REFUSED
from hypothesis import given, settings
from hypothesis import strategies as st
from shuffles import CONTEXT, JOINT, POINTS, SECRETS, THREE, TWO, checked, deck_of, honest, pieces, replaced

from protocol.cards.group import (
    BASE,
    ORDER,
    Point,
    add,
    challenge,
    combine,
    digest,
    encode_scalars,
    hash_to_points,
    multiply,
    total,
    trusted_points,
)
from protocol.cards.shuffle import Witness, draw_witness, prove, proves_shuffle, shuffle

# Provers that lie about what they know, each so that only one equation can notice.


HONEST = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
HALF, SIXTH = pow(2, -1, ORDER), pow(6, -1, ORDER)


class Forger:
    """A prover of the published proof for three cards that takes any claim for true.

    New card i is the sum of recipe[i][j] times old card j, under masks[i], and is weighed with the sum of
    weighing[i][j] times challenge j; column j of `matrix` is what commitment j holds. All three are the same
    permutation matrix for an honest prover. `jump` is the link of the chain that lies, so that the product is right.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.recipe = self.weighing = self.matrix = HONEST
        self.blinds, self.masks = self.draw(3), self.draw(3)
        self.left_shift = self.right_shift = 0
        self.jump = 0

    def draw(self, size: int) -> list[int]:
        return [self.rng.randrange(1, ORDER) for _ in range(size)]

    def new_deck(self) -> bytes:
        old = trusted_points(THREE["deck"])
        cards = []
        for row, mask in zip(self.recipe, self.masks, strict=True):
            cards.append(combine([*zip(row, old[::2], strict=True), (mask, BASE)]))
            cards.append(combine([*zip(row, old[1::2], strict=True), (mask, Point(JOINT))]))
        cards[0] = combine([(1, cards[0]), (self.left_shift, BASE)])
        cards[1] = combine([(1, cards[1]), (self.right_shift, BASE)])
        return b"".join(cards)

    def prove(self) -> tuple[bytes, bytes, dict[str, Point]]:
        """Return the new deck, the proof, and what was announced, by the names of the equations."""
        head, *generators = hash_to_points("sh/generator/1", 4)
        shuffled = self.new_deck()
        commitments = [
            combine([(blind, BASE), *zip(column, generators, strict=True)])
            for blind, column in zip(self.blinds, zip(*self.matrix, strict=True), strict=True)
        ]
        statement = digest("sh/shuffle/1", "sh/generator/1", CONTEXT, JOINT, THREE["deck"], shuffled)
        first = digest("sh/shuffle-columns/1", statement, b"".join(commitments))
        u = [challenge("sh/shuffle-weight/1", first, number) for number in range(3)]
        weights = [sum(map(mul, row, u)) % ORDER for row in self.weighing]

        chain, tail, links = [head], 0, self.draw(3)
        for number, (link, weight) in enumerate(zip(links, weights, strict=True), 1):
            tail = (link + weight * tail) % ORDER
            chain.append(combine([(link, BASE), (weight, chain[-1])]))
            if number == self.jump:
                # What must stand here for the links that follow to lead to the right product.
                needed = prod(u) * pow(prod(weights[number:]), -1, ORDER)
                tail = link
                chain[-1] = combine([(tail, BASE), (needed, head)])

        second = digest("sh/shuffle-chain/1", first, b"".join(chain[1:]))
        k1, k2, k3, k4 = self.draw(4)
        link_nonces, weight_nonces = self.draw(3), self.draw(3)
        new = trusted_points(shuffled)
        announced = {
            "column sum": multiply(k1, BASE),
            "product": multiply(k2, BASE),
            "columns": combine([(k3, BASE), *zip(weight_nonces, generators, strict=True)]),
            "left sides": combine([(-k4, BASE), *zip(weight_nonces, new[::2], strict=True)]),
            "right sides": combine([(-k4, Point(JOINT)), *zip(weight_nonces, new[1::2], strict=True)]),
        } | {f"link {i + 1}": combine([(link_nonces[i], BASE), (weight_nonces[i], chain[i])]) for i in range(3)}
        c = challenge("sh/shuffle-challenge/1", second, b"".join(announced.values()))
        responses = [
            k1 + c * sum(self.blinds),
            k2 + c * tail,
            k3 + c * sum(map(mul, u, self.blinds)),
            k4 + c * sum(map(mul, weights, self.masks)),
            *(secret + c * link for secret, link in zip(link_nonces, links, strict=True)),
            *(secret + c * weight for secret, weight in zip(weight_nonces, weights, strict=True)),
        ]
        return shuffled, b"".join([*commitments, *chain[1:]]) + encode_scalars([c, *responses]), announced

    def noticed_by(self) -> set[str]:
        """Return the equations that do not hold; the check must refuse the proof if there are any."""
        shuffled, proof, announced = self.prove()
        reference = edwards.ShuffleProof(THREE["deck"], shuffled, JOINT, proof, CONTEXT)
        found = {name for name, point in reference.announced.items() if edwards.pack(point) != announced[name]}
        assert reference.holds == (not found)
        assert proves_shuffle(THREE["deck"], shuffled, JOINT, proof, CONTEXT) == (not found)
        return found


@pytest.fixture
def forger() -> Forger:
    return Forger(Random(5))


def test_a_forger_who_tells_the_truth_is_believed(forger: Forger) -> None:
    """Otherwise the tests below would prove nothing."""
    assert forger.noticed_by() == set()


SCALED = ((0, 2, 0), (0, 0, 3), (SIXTH, 0, 0))
"""Factors on the cards whose product is one."""
UNSCALED = ((0, HALF, 0), (0, 0, pow(3, -1, ORDER)), (6, 0, 0))
MIXED = ((2, ORDER - 1, 0), (0, 1, 0), (0, 0, 1))
"""A matrix whose rows sum to one, as those of a permutation do."""
UNMIXED = ((HALF, 0, 0), (HALF, 1, 0), (0, 0, 1))
TWICE = ((1, 0, 0), (1, 0, 0), (0, 0, 1))
"""The first card twice, the second not at all."""


def test_cards_multiplied_under_a_matrix_that_multiplies(forger: Forger) -> None:
    forger.recipe, forger.weighing, forger.matrix = UNSCALED, SCALED, SCALED
    assert forger.noticed_by() == {"column sum"}


def test_cards_multiplied_under_a_permutation(forger: Forger) -> None:
    forger.recipe, forger.weighing = UNSCALED, SCALED
    assert forger.noticed_by() == {"columns"}


def test_cards_mixed_into_each_other(forger: Forger) -> None:
    forger.recipe, forger.weighing, forger.matrix = UNMIXED, MIXED, MIXED
    assert forger.noticed_by() == {"product"}


@pytest.mark.parametrize("jump", [1, 2, 3])
def test_cards_mixed_under_a_chain_that_jumps(forger: Forger, jump: int) -> None:
    forger.recipe, forger.weighing, forger.matrix = UNMIXED, MIXED, MIXED
    forger.jump = jump
    assert forger.noticed_by() == {f"link {jump}"}


def test_a_card_twice_and_another_not_at_all(forger: Forger) -> None:
    """Whatever the prover claims to have committed to."""
    forger.recipe = TWICE
    assert forger.noticed_by() == {"left sides", "right sides"}
    forger.weighing = forger.matrix = TWICE
    assert forger.noticed_by() == {"product", "left sides", "right sides"}


def test_one_card_under_a_wrong_mask(forger: Forger) -> None:
    """Another card in its place, if the right side moves; one that never opens, if the left side does."""
    forger.right_shift = 1
    assert forger.noticed_by() == {"right sides"}
    forger.right_shift, forger.left_shift = 0, 1
    assert forger.noticed_by() == {"left sides"}


@pytest.mark.parametrize("order", [[0, 0, 2], [1, 1, 1], [2, 1, 2]])
def test_the_own_prover_proves_no_order_that_is_none(order: list[int]) -> None:
    """With a witness that repeats cards, and the deck that follows from it."""
    masks = list(draw_witness(SECRETS[0], THREE["deck"], JOINT, CONTEXT).masks)
    old = pieces(THREE["deck"], 64)
    shuffled = b""
    for source, mask in zip(order, masks, strict=True):
        left, right = trusted_points(old[source])
        shuffled += add(left, multiply(mask, BASE)) + add(right, multiply(mask, Point(JOINT)))
    proof = prove(SECRETS[0], THREE["deck"], shuffled, JOINT, CONTEXT, Witness(order, masks))
    assert not checked(THREE, shuffled=shuffled, proof=proof)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_own_prover_proves_no_wrong_mask(place: int) -> None:
    order, masks = draw_witness(SECRETS[0], THREE["deck"], JOINT, CONTEXT)
    wrong = [mask + (number == place) for number, mask in enumerate(masks)]
    arguments = (SECRETS[0], THREE["deck"], THREE["shuffled"], JOINT, CONTEXT)
    assert prove(*arguments, Witness(order, masks)) == THREE["proof"]
    assert not checked(THREE, proof=prove(*arguments, Witness(order, wrong)))


def test_commitments_that_cancel_are_computed_not_refused(forger: Forger) -> None:
    """Sums that vanish are lawful points of the equations: every verifier must come to the same verdict."""
    forger.blinds[2] = -forger.blinds[0] - forger.blinds[1]
    _, proof, _ = forger.prove()
    assert total(trusted_points(proof[:96])) == total(hash_to_points("sh/generator/1", 4)[1:])
    assert forger.noticed_by() == set()


# The verifier written from the equations.


def test_the_reference_agrees_on_honest_proofs() -> None:
    for cards in (2, 3, 5):
        assert edwards.proves_shuffle(*honest(cards).values())


@pytest.mark.many
def test_the_reference_agrees_on_altered_proofs() -> None:
    """Every field, altered so that it still decodes."""
    for index, piece in enumerate(pieces(TWO["proof"])):
        is_point = index < len(POINTS)
        other = add(Point(piece), BASE) if is_point else encode_scalars([int.from_bytes(piece, "little") + 1])
        lie = {**TWO, "proof": replaced(TWO["proof"], index, other)}
        assert edwards.verdict(edwards.proves_shuffle, *lie.values()) is False
        assert proves_shuffle(**lie) is False


def test_the_reference_agrees_on_what_does_not_decode() -> None:
    for bad in REFUSED.values():
        for name, index in (("proof", 0), ("proof", 3), ("shuffled", 2)):
            lie = {**TWO, name: replaced(TWO[name], index, bad)}
            assert edwards.verdict(edwards.proves_shuffle, *lie.values()) is False
            assert proves_shuffle(**lie) is False


@pytest.mark.slow
@given(seed=st.integers(0, 2**64), cards=st.integers(2, 6))
@settings(max_examples=30, deadline=None)
def test_the_reference_agrees_on_random_decks(seed: int, cards: int) -> None:
    rng = Random(seed)
    secret, context = rng.randbytes(32), rng.randbytes(rng.randrange(90))
    deck = deck_of(cards)
    shuffled, proof = shuffle(secret, deck, JOINT, context)
    assert proves_shuffle(deck, shuffled, JOINT, proof, context)
    assert edwards.proves_shuffle(deck, shuffled, JOINT, proof, context)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [31, 36, 61])
def test_the_reference_agrees_on_decks_of_the_games(cards: int) -> None:
    assert edwards.proves_shuffle(*honest(cards).values())
