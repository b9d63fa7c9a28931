"""Fair chance: each live seat commits to a salt, then shows it; nobody could foresee or steer the outcome.

The outcome is a hash of all salts and the whole context, mapped without bias by rejection sampling. The salts
derive from the table's secret seed and the context, so that a restart repeats the same bytes.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine import Action, Deal, Dice, Draw, Pick, Value, blake, encode
from protocol._event import Slot


class Drawing(NamedTuple):
    """What one drawing is about; part of every hash, so that nothing can be reused elsewhere."""

    table: bytes
    slot: Slot
    live: tuple[int, ...]


def salt(seed: bytes, drawing: Drawing, seat: int) -> bytes:
    """Return the secret of a seat for one drawing, 32 bytes; the same whenever it is asked for."""
    return blake("sh/salt/1", seed, encode((*drawing, seat)))


def commitment(drawing: Drawing, seat: int, salt: bytes) -> bytes:
    """Return what a seat shows first, 32 bytes that hide the salt and bind it to drawing and seat."""
    return blake("sh/commit/1", encode((*drawing, seat, salt)))


@lru_cache(16)  # each client asks for it when it shows its salt and when it checks those shown
def commitments_hash(drawing: Drawing, hashes: tuple[bytes, ...]) -> bytes:
    """Return the hash that stands for the ordered commitment events which a revelation answers."""
    return blake("sh/commits/1", encode((*drawing, hashes)))


def outcome(drawing: Drawing, draw: Draw, salts: tuple[bytes, ...]) -> Action:
    """Return the value drawn, uniform over all outcomes, from the salts in the order of the live seats."""
    stream = _stream(blake("sh/outcome/1", encode((*drawing, _described(draw), salts))))
    if isinstance(draw, Dice):
        return "-".join([str(1 + below(draw.sides, stream)) for _ in range(draw.number)])
    if isinstance(draw, Pick):
        return draw.outcomes[below(len(draw.outcomes), stream)]
    raise ValueError("cards are dealt from a masked deck")


def draw_locally(draw: Draw, entropy: bytes) -> Action:
    """Return a value for a table on one machine, where nobody else could check it, from 32 random bytes.

    A deal has every card known: what a player may see of it is for the game's views.
    """
    alone = Drawing(b"", Slot(0, 0, 0), ())
    if isinstance(draw, Deal):
        stream = _stream(blake("sh/outcome/1", encode((*alone, _described(draw), (entropy,)))))
        return " ".join(("deal", *shuffled(draw.deck, stream)))
    return outcome(alone, draw, (entropy,))


def shuffled(deck: Sequence[str], stream: Iterator[int]) -> list[str]:
    """Return the deck (at most 256 cards) in one of its orders, each equally likely (Fisher and Yates)."""
    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        at = below(last + 1, stream)
        cards[at], cards[last] = cards[last], cards[at]
    return cards


def below(bound: int, stream: Iterator[int]) -> int:
    """Return a uniform number from 0 to bound - 1 from a stream of uniform bytes.

    Raises ValueError unless 1 <= bound <= 256: a byte cannot choose among more.
    """
    if not 1 <= bound <= 256:
        raise ValueError("a byte chooses among 1 to 256")
    limit = 256 - 256 % bound
    for byte in stream:
        if byte < limit:
            return byte % bound
    raise AssertionError("the stream is endless")


def _described(draw: Draw) -> tuple[Value, ...]:
    return (type(draw).__name__, *draw)


def _stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from blake("sh/stream/1", seed, counter.to_bytes(8, "big"))
        counter += 1
