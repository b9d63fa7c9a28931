"""Saved games for the tests: short and long ones, with real signatures or stand-ins; and what can be done to a file."""

from functools import cache
from random import Random

from replicas import (
    Circle,
    charter_of,
    circle_of,
)
from whist import play_to, whist

from engine import OptionValue, Value, encode
from protocol.file import records


def game(key: str, plies: int | None = None, *, fast: bool = False, **options: OptionValue) -> Circle:
    """A game of two, whose first commitments cross each other."""
    circle = Circle(charter_of(key, 2, options, fast=fast), fast=fast)
    for table in circle.tables:
        circle.owed(table)
    circle.meet()
    circle.play(Random(4), plies)
    return circle


def split(data: bytes) -> list[bytes]:
    """The file as the pieces that may be moved about: the magic line with the charter, then each event."""
    ends = [end for end, _ in records(data)]
    return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]


SHORT = game("fidchess", 3)
"""Who begins and two moves, with real signatures."""
FILE = SHORT.files[0]
PIECES = split(FILE)


def altered(data: bytes, at: int, flip: int) -> bytes:
    return data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]


@cache
def long_file(name: str) -> bytes:
    """A file with every kind of event that a game of this kind has, with stand-ins for signatures and cards."""
    if name == "dice":
        return game("kingamon", fast=True).files[1]
    if name == "cards":
        circle = play_to(whist(3), 5)
        circle.spread(circle[3].own.resign(3))
    elif name == "takebacks":
        circle = circle_of("qenqe", 3, first=1)
        circle.play(Random(3), 2)
        for seat in (2, 1, 3):
            circle.spread(circle[seat].own.take_back(seat))
            circle.settle()
        circle.play(Random(4), 5)
        circle.spread(circle[2].own.resign(2))
    else:
        circle = circle_of("pebbles", 4, first=1)
        circle.play(Random(2), 4)
        circle.spread(circle[circle.mover].own.wish_draw(circle.mover, True))
        circle.agree(1)
        circle.agree(3, circle.mover)
        seat = next(seat for seat in circle[1].fold.position.live if seat != circle.mover)
        circle.spread(circle[seat].own.resign(seat))
    circle.settle()
    return circle.files[0]


KINDS_OF_FILES = ("dice", "cards", "agreements", "takebacks")


def framed(value: Value) -> bytes:
    payload = encode(value)
    return len(payload).to_bytes(4, "big") + payload
