"""Shuffling a masked deck, with a proof that the cards are still the same.

The proof of shuffle is that of Terelius and Wikström (Africacrypt 2010; Wikström, ACISP 2009) as written out by
Haenni, Locher, Koenig and Dubuis (Financial Cryptography 2017), made non-interactive with the challenge in place of
the commitments. Names here: a card is (a, b); G is the base, Y the joint key, H and H[i] the generators.

    proof = C[1..N], D[1..N]                      commitments to the permutation and to the running product
            | c, s1, s2, s3, s4, v[1..N], w[1..N]   challenge and responses

The prover takes everything secret from the 32-byte secret and the hash of all that it depends on, so that equal
calls give equal bytes and calls for different statements share nothing.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, reduce
from operator import mul
from typing import NamedTuple

from protocol.cards.group import (
    BASE,
    ORDER,
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
    stream,
    subtract,
    total,
    trusted_points,
)
from protocol.chance import below

CARD_BYTES = 2 * SIZE
MOST_CARDS = 256
"""The largest deck: `below` draws from single bytes, and no deck of cards comes near."""

GENERATORS = "sh/generator/1"


class Witness(NamedTuple):
    """What the prover knows: card i of the new deck is card order[i] of the old one plus masks[i] * (G, Y)."""

    order: Sequence[int]
    masks: Sequence[int]


def proof_bytes(cards: int) -> int:
    """Return the size of the proof for a deck of that many cards."""
    return SIZE * (4 * cards + 5)


def card_count(deck: bytes) -> int:
    """Return how many cards a deck has. Raises ValueError if it cannot be a deck."""
    cards, rest = divmod(len(deck), CARD_BYTES)
    if rest or not 2 <= cards <= MOST_CARDS:
        raise ValueError("a deck has 2 to 256 cards of 64 bytes")
    return cards


def shuffle(secret: bytes, deck: bytes, joint: bytes, context: bytes) -> tuple[bytes, bytes]:
    """Return a new deck, the same cards in another order under other masks, and the proof of that.

    Deck and joint key must have been checked. Raises ValueError if `deck` has no size of a deck.
    """
    witness = draw_witness(secret, deck, joint, context)
    key = Point(joint)
    lefts, rights = _columns(trusted_points(deck))
    shuffled = b"".join(
        add(lefts[source], multiply(mask, BASE)) + add(rights[source], multiply(mask, key))
        for source, mask in zip(*witness, strict=True)
    )
    return shuffled, prove(secret, deck, shuffled, joint, context, witness)


def draw_witness(secret: bytes, deck: bytes, joint: bytes, context: bytes) -> Witness:
    """Return an order, uniform over all orders, and the masks, from the secret for this deck alone."""
    seed = digest("sh/shuffle-draw/1", context, joint, deck)
    cards = card_count(deck)
    order = list(range(cards))
    random = stream(secret, "sh/shuffle-order/1", seed)
    for last in range(cards - 1, 0, -1):
        chosen = below(last + 1, random)
        order[last], order[chosen] = order[chosen], order[last]
    return Witness(order, [nonce(secret, "sh/shuffle-mask/1", seed, place) for place in range(cards)])


def prove(secret: bytes, deck: bytes, shuffled: bytes, joint: bytes, context: bytes, witness: Witness) -> bytes:
    """Return the proof that `shuffled` is `deck` in the order and with the masks of the witness."""
    order, masks = witness
    cards = len(order)
    head, *generators = _generators(cards)
    key = Point(joint)
    statement = _statement(deck, shuffled, joint, context)

    def drawn(name: str, seed: bytes, size: int) -> list[int]:
        return [nonce(secret, name, seed, place) for place in range(size)]

    # Column order[i] of the permutation matrix, committed to with blinds[i].
    blinds = drawn("sh/shuffle-blind/1", statement, cards)
    commitments = [BASE] * cards
    for source, blind, generator in zip(order, blinds, generators, strict=True):
        commitments[source] = add(multiply(blind, BASE), generator)

    seed, weights = _weights(statement, commitments)
    permuted = [weights[source] for source in order]

    # D[i] = chain_blinds[i] * G + permuted[i] * D[i - 1]; D[0] = H. `tail` becomes the blind of D[N] against H.
    chain_blinds = drawn("sh/shuffle-link/1", seed, cards)
    chain = [head]
    tail = 0
    for blind, weight in zip(chain_blinds, permuted, strict=True):
        chain.append(add(multiply(blind, BASE), multiply(weight, chain[-1])))
        tail = (blind + weight * tail) % ORDER

    seed = _chained(seed, chain[1:])
    r1, r2, r3, r4 = drawn("sh/shuffle-nonce/1", seed, 4)
    link_nonces = drawn("sh/shuffle-link-nonce/1", seed, cards)
    weight_nonces = drawn("sh/shuffle-weight-nonce/1", seed, cards)

    # The sum over the new deck, taken over the old one: equal, and the first deck has one left side for all cards.
    shift = sum(map(mul, weight_nonces, masks)) - r4
    lefts, rights = ([column[source] for source in order] for column in _columns(trusted_points(deck)))
    c = _challenge(
        seed,
        [
            multiply(r1, BASE),
            multiply(r2, BASE),
            combine([(r3, BASE), *zip(weight_nonces, generators, strict=True)]),
            combine([(shift, BASE), *zip(weight_nonces, lefts, strict=True)]),
            combine([(shift, key), *zip(weight_nonces, rights, strict=True)]),
            *(
                add(multiply(link_nonce, BASE), multiply(weight_nonce, before))
                for link_nonce, weight_nonce, before in zip(link_nonces, weight_nonces, chain[:-1], strict=True)
            ),
        ],
    )
    responses = [
        r1 + c * sum(blinds),
        r2 + c * tail,
        r3 + c * sum(map(mul, permuted, blinds)),
        r4 + c * sum(map(mul, permuted, masks)),
        *(link_nonce + c * blind for link_nonce, blind in zip(link_nonces, chain_blinds, strict=True)),
        *(weight_nonce + c * weight for weight_nonce, weight in zip(weight_nonces, permuted, strict=True)),
    ]
    return b"".join([*commitments, *chain[1:]]) + encode_scalars([c, *responses])


def proves_shuffle(deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
    """Return whether `proof` shows that `shuffled` holds the cards of `deck`, each once, for this key and context.

    `deck` and `joint` must have been checked before. False for bytes that are no deck or no proof; never raises.
    """
    with suppress(Exception):
        return _holds(deck, shuffled, joint, proof, context)
    return False


def _holds(deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
    cards = card_count(deck)
    if len(shuffled) != len(deck) or len(proof) != proof_bytes(cards):
        return False
    points, scalars = proof[: CARD_BYTES * cards], proof[CARD_BYTES * cards :]
    c, s1, s2, s3, s4, *rest = decode_scalars(scalars)
    links, responses = rest[:cards], rest[cards:]
    received = decode_points(points)
    commitments, chain = received[:cards], received[cards:]
    new_lefts, new_rights = _columns(decode_points(shuffled))
    old_lefts, old_rights = _columns(trusted_points(deck))
    head, *generators = _generators(cards)
    statement = _statement(deck, shuffled, joint, context)
    seed, weights = _weights(statement, commitments)
    shares = [-c * weight for weight in weights]
    column_sum = subtract(total(commitments), _generator_sum(cards))
    return c == _challenge(
        _chained(seed, chain),
        [
            combine([(s1, BASE), (-c, column_sum)]),
            combine([(s2, BASE), (-c, chain[-1]), (c * _product(weights), head)]),
            combine([(s3, BASE), *zip(responses, generators, strict=True), *zip(shares, commitments, strict=True)]),
            combine([(-s4, BASE), *zip(responses, new_lefts, strict=True), *zip(shares, old_lefts, strict=True)]),
            combine(
                [(-s4, Point(joint)), *zip(responses, new_rights, strict=True), *zip(shares, old_rights, strict=True)]
            ),
            *(
                combine([(link, BASE), (response, before), (-c, after)])
                for link, response, before, after in zip(links, responses, [head, *chain[:-1]], chain, strict=True)
            ),
        ],
    )


def _generators(cards: int) -> tuple[Point, ...]:
    """Return H, then one generator for each place of the deck."""
    return hash_to_points(GENERATORS, cards + 1)


@cache
def _generator_sum(cards: int) -> Point:
    return total(_generators(cards)[1:])


def _statement(deck: bytes, shuffled: bytes, joint: bytes, context: bytes) -> bytes:
    return digest("sh/shuffle/1", GENERATORS, context, joint, deck, shuffled)


def _weights(statement: bytes, commitments: Sequence[Point]) -> tuple[bytes, list[int]]:
    """Return the hash of the statement and the commitments, and from it the challenge that weighs each card."""
    seed = digest("sh/shuffle-columns/1", statement, b"".join(commitments))
    return seed, [challenge("sh/shuffle-weight/1", seed, place) for place in range(len(commitments))]


def _chained(seed: bytes, chain: Sequence[Point]) -> bytes:
    """Return the hash of `seed` and the running product."""
    return digest("sh/shuffle-chain/1", seed, b"".join(chain))


def _challenge(seed: bytes, announced: Sequence[Point]) -> int:
    return challenge("sh/shuffle-challenge/1", seed, b"".join(announced))


def _columns(points: list[Point]) -> tuple[list[Point], list[Point]]:
    """Return the left sides of the cards of a deck, and the right sides."""
    return points[::2], points[1::2]


def _product(scalars: Sequence[int]) -> int:
    return reduce(lambda left, right: left * right % ORDER, scalars)
