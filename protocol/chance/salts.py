"""Salts, commitments and outcomes: each live seat commits to a salt, then shows it.

The outcome is a hash of all salts and of what the roll is about, mapped without bias by rejection sampling. Salts
derive from the table's secret seed and from what they are for, so that a restart repeats the same bytes.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine import Action, Deal, Dice, Draw, Pick, Value, blake, encode


def salt(seed: bytes, table: bytes, epoch: int, number: int, seat: int) -> bytes:
    """Return the secret of a seat for roll `number`, committed to in `epoch`: 32 bytes, the same each time."""
    return blake("sh/salt/2", seed, encode((table, epoch, number, seat)))


def commitment(table: bytes, epoch: int, number: int, seat: int, salt: bytes) -> bytes:
    """Return the hash that hides a salt and binds it to table, epoch, roll and seat: 32 bytes."""
    return blake("sh/commit/2", committed(table, epoch, number, seat, salt))


def committed(table: bytes, epoch: int, number: int, seat: int, salt: bytes) -> bytes:
    """Return the bytes of which a commitment is the hash."""
    return encode((table, epoch, number, seat, salt))


@lru_cache(64)  # a revelation is worked out before its slot opens, and again when it does
def bound_salt(seed: bytes, table: bytes, epoch: int, number: int, seat: int) -> tuple[bytes, bytes]:
    """Return the salt of a seat and the commitment to it."""
    secret = salt(seed, table, epoch, number, seat)
    return secret, commitment(table, epoch, number, seat, secret)


def outcome(table: bytes, number: int, live: tuple[int, ...], draw: Draw, salts: tuple[bytes, ...]) -> Action:
    """Return the value rolled, uniform over all outcomes, from the salts in the order of the live seats."""
    values = stream(mix(table, number, live, draw, salts))
    if isinstance(draw, Dice):
        return "-".join([str(1 + below(draw.sides, values)) for _ in range(draw.number)])
    if isinstance(draw, Pick):
        return draw.outcomes[below(len(draw.outcomes), values)]
    raise ValueError("cards are dealt from a masked deck")


def mix(table: bytes, number: int, live: tuple[int, ...], draw: Draw, salts: tuple[bytes, ...]) -> bytes:
    """Return the hash of all salts and of what the roll is about, 32 bytes: it seeds the stream that chooses."""
    return blake("sh/outcome/2", mixed(table, number, live, draw, salts))


def mixed(table: bytes, number: int, live: tuple[int, ...], draw: Draw, salts: tuple[bytes, ...]) -> bytes:
    """Return the bytes of which `mix` is the hash."""
    return encode((table, number, live, _described(draw), salts))


def draw_locally(draw: Draw, entropy: bytes) -> Action:
    """Return a value for a table on one machine, where nobody else could check it, from 32 random bytes.

    A deal has every card known: what a player may see of it is for the game's views.
    """
    if isinstance(draw, Deal):
        values = stream(blake("sh/outcome/2", encode((_described(draw), entropy))))
        return " ".join(("deal", *shuffled(draw.deck, values)))
    return outcome(b"", 0, (), draw, (entropy,))


def shuffled(deck: Sequence[str], values: Iterator[int]) -> list[str]:
    """Return the deck (at most 256 cards) in one of its orders, each equally likely (Fisher and Yates)."""
    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        at = below(last + 1, values)
        cards[at], cards[last] = cards[last], cards[at]
    return cards


def below(count: int, values: Iterator[int]) -> int:
    """Return a uniform number from 0 to count - 1 from a stream of uniform bytes.

    Raises ValueError unless 1 <= count <= 256: a byte cannot choose among more.
    """
    if not 1 <= count <= 256:
        raise ValueError("a byte chooses among 1 to 256")
    limit = 256 - 256 % count
    for byte in values:
        if byte < limit:
            return byte % count
    raise AssertionError("the stream is endless")


def _described(draw: Draw) -> tuple[Value, ...]:
    return (type(draw).__name__, *draw)


def stream(seed: bytes) -> Iterator[int]:
    """Yield uniform bytes without end, the same for the same seed."""
    counter = 0
    while True:
        yield from blake("sh/stream/2", seed, counter.to_bytes(8, "big"))
        counter += 1
