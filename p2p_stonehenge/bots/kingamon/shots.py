"""What the next roll may capture in Byzantine Kingamon, counted exactly over the 36 rolls.

A side is a number with eight bits a place, so that all its pieces move at once by a shift. Places are those of the side
that rolls, the hunter; its opponent's pieces are seen from there.
"""

from functools import lru_cache
from typing import NamedTuple

from engine.games.kingamon import BAR_FIRST, DISK, KING, NEUTRAL, OFF, SAFE, WAITING

ROLLS = 36
PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))

HERE = bytes(int(byte > 0) for byte in range(256))
LONE_DISK = bytes(int(byte == DISK) for byte in range(256))
LONE_KING = bytes(int(byte == KING) for byte in range(256))
OPEN = bytes(int(byte in (0, DISK, KING)) for byte in range(256))
EMPTY = bytes(int(byte == 0) for byte in range(256))
NEUTRALS = sum(1 << 8 * way for way in NEUTRAL)
BOARD = sum(1 << 8 * way for way in range(1, OFF))


class Shots(NamedTuple):
    """What one roll of the hunter may do. An extra roll after equal dice is counted as one more roll from there."""

    rolls: int
    """How many of the 36 rolls capture the opposing king."""
    king: float
    """The chance to capture the opposing king."""
    lost: float
    """The pips that the opponent loses on average by its dearest disk that the roll captures."""


@lru_cache(maxsize=1 << 16)
def shots(rules: int, own: bytes, other: bytes) -> Shots:
    """Return what the next roll of the side `own` may capture of the side `other`, each given along its own way."""
    facing = b"\0" + other[29:0:-1]
    number = int.from_bytes
    neutral = 0 if rules & SAFE else NEUTRALS
    disks = number(facing.translate(LONE_DISK), "little") & ~NEUTRALS
    king = number(facing.translate(LONE_KING), "little") & ~NEUTRALS
    targets = disks | king
    pieces = number(own[:OFF].translate(HERE), "little")
    if not targets or (pieces & -pieces) > targets:
        return Shots(0, 0.0, 0.0)
    free = number(facing.translate(OPEN), "little") & ~neutral
    free |= number(facing.translate(EMPTY), "little") & neutral
    if rules & SAFE:
        free |= NEUTRALS
    obliged = own[0] % WAITING if rules & BAR_FIRST else 0
    entering = (obliged & 15) + (obliged >= KING)
    hits = lost = repeats = 0
    if entering:
        left = pieces if own[0] >= WAITING else pieces & ~1
        steps = [_from_the_bar(left, free, entering, a, b) for a, b in PAIRS]
    else:
        direct = [0, *(pieces << 8 * die for die in range(1, 7))]
        steps = [
            direct[a] | direct[b] | ((direct[a] & free) << 8 * b) | ((direct[b] & free) << 8 * a) for a, b in PAIRS
        ]
    for (a, b), step in zip(PAIRS, steps, strict=True):
        found = step & targets
        weight = 1 if a == b else 2
        if not found:
            repeats += a == b
        elif found & king:
            hits += weight
        else:
            repeats += a == b
            lowest = (found & -found).bit_length() >> 3
            lost += weight * (OFF - lowest)
    extra = 1 + repeats / ROLLS
    return Shots(hits, min(hits / ROLLS * extra, 1.0), lost / ROLLS * extra)


def _from_the_bar(left: int, free: int, entering: int, a: int, b: int) -> int:
    """Return where a roll can take a side that must first enter so many pieces; `left` can move once one has."""
    ends = 0
    for first, second in ((a, b), (b, a)):
        entry = 1 << 8 * first
        ends |= entry
        if entering == 1 and entry & free:
            ends |= (left | entry) << 8 * second
    return ends
