"""What the next roll may capture in Byzantine Kingamon, counted exactly over the 36 rolls.

A side is a number with a bit a place, so that all its pieces move at once by a shift. Places are those of the side
that rolls, the hunter; its opponent's pieces are seen from there.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.games.kingamon import BAR_FIRST, DISK, KING, NEUTRAL, OFF, SAFE, WAITING

ROLLS = 36
PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))

ONE, ZERO = b"10"


def _marks(marked: Iterable[int]) -> bytes:
    """Return the table that turns a side into the digits of a number: 1 where one of some bytes stands."""
    return bytes(ONE if byte in marked else ZERO for byte in range(256))


HERE, LONE_DISK, LONE_KING = _marks(range(1, 256)), _marks((DISK,)), _marks((KING,))
OPEN, EMPTY = _marks((0, DISK, KING)), _marks((0,))
NEUTRALS = sum(1 << way for way in NEUTRAL)


class Shots(NamedTuple):
    """What one roll of the hunter may do. An extra roll after equal dice is counted as one more roll from there."""

    rolls: int
    """How many of the 36 rolls capture the opposing king."""
    king: float
    """The chance to capture the opposing king."""
    lost: float
    """The pips that the opponent loses on average by its dearest disk that the roll captures."""
    disks: int
    """How many of the 36 rolls capture a disk, but not the king."""


@lru_cache(maxsize=1 << 16)
def shots(rules: int, own: bytes, other: bytes) -> Shots:
    """Return what the next roll of the side `own` may capture of the side `other`, each given along its own way."""
    # The highest digit comes first: the bar of the hunter has the lowest one.
    facing = other[1:OFF] + b"\0"
    neutral = 0 if rules & SAFE else NEUTRALS
    disks = int(facing.translate(LONE_DISK), 2) & ~NEUTRALS
    king = int(facing.translate(LONE_KING), 2) & ~NEUTRALS
    targets = disks | king
    pieces = int(own[OFF - 1 :: -1].translate(HERE), 2)
    if not targets or (pieces & -pieces) > targets:
        return Shots(0, 0.0, 0.0, 0)
    free = int(facing.translate(OPEN), 2) & ~neutral
    free |= int(facing.translate(EMPTY), 2) & neutral
    if rules & SAFE:
        free |= NEUTRALS
    obliged = own[0] % WAITING if rules & BAR_FIRST else 0
    entering = (obliged & 15) + (obliged >= KING)
    hits = lost = repeats = disk_hits = 0
    if entering:
        left = pieces if own[0] >= WAITING else pieces & ~1
        steps = [_from_the_bar(left, free, entering, a, b) for a, b in PAIRS]
    else:
        direct = [0, *(pieces << die for die in range(1, 7))]
        steps = [direct[a] | direct[b] | ((direct[a] & free) << b) | ((direct[b] & free) << a) for a, b in PAIRS]
    for (a, b), step in zip(PAIRS, steps, strict=True):
        found = step & targets
        weight = 1 if a == b else 2
        if not found:
            repeats += a == b
        elif found & king:
            hits += weight
        else:
            repeats += a == b
            lowest = (found & -found).bit_length() - 1
            lost += weight * (OFF - lowest)
            disk_hits += weight
    extra = 1 + repeats / ROLLS
    return Shots(hits, min(hits / ROLLS * extra, 1.0), lost / ROLLS * extra, disk_hits)


def _from_the_bar(left: int, free: int, entering: int, a: int, b: int) -> int:
    """Return where a roll can take a side that must first enter so many pieces; `left` can move once one has."""
    ends = 0
    for first, second in ((a, b), (b, a)):
        entry = 1 << first
        ends |= entry
        if entering == 1 and entry & free:
            ends |= (left | entry) << second
    return ends
