"""Byzantine Kingamon: what a side may play with its dice, from precomputed tables.

Each side counts its own way: 0 is the bar, 1-29 the spaces in the order it meets them, 30 is off. White's way 4
is space 4 and Red's is space 26, so a piece at way w stands on the other side's way 30 - w, and one set of rules
serves both. Entering is a step from 0 and bearing off is a step to 30.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from engine.game import Action

QUICK, REMOVED, KING_BAR, BACKGAMMON, BAR_FIRST, SAFE, ACEY, CUBE = (1 << bit for bit in range(8))
"""The options that matter once the game has begun, as bits of `State.rules`."""

OFF = 30
HOME = 24
"""Where the opponent's home begins, on everybody's own way."""
NEUTRAL = (12, 18)
"""The two spaces of one side only; 12 on one way is 18 on the other."""
DISKS = 10
DISK, KING, WAITING = 1, 16, 32
"""What a piece adds to its byte; a king on the bar since the start is WAITING, and KING once captured."""
START = bytes((WAITING, 0, 2, 2, 2, 2, 2, *bytes(24)))


class Step(NamedTuple):
    """A play, from `origin` to `target` on the way of the side that makes it."""

    origin: int
    target: int
    die: int
    king: int
    hits: int


def space(seat: int, way: int) -> int:
    """Return the space of a stage of a side's way; also the other way round."""
    return way if seat == 1 else OFF - way


Texts = tuple[tuple[Action, ...], ...]
"""Plays by what stands at their origin: nothing, disks, the king, both."""
NONE: Texts = ((), (), (), ())


def _texts(seat: int, origin: int, die: int, mark: str = "") -> Texts:
    """Return the plays of `die` from `origin`."""
    target = origin + die
    start = str(space(seat, origin)) if origin else "bar"
    end = str(space(seat, target)) if target < OFF else "off" if target == OFF else f"off({die})"
    disk, king = f"{start}/{end}{mark}", f"K{start}/{end}{mark}"
    return ((), (disk,), (king,), (disk, king))


def _landings(seat: int, origin: int, die: int, safe: bool) -> tuple[Texts, ...]:
    """Return the plays of `die` from `origin` by the byte of the opposing side where it ends."""
    plain, hit = _texts(seat, origin, die), _texts(seat, origin, die, "*")
    if origin + die in NEUTRAL:
        return tuple(plain if safe or not facing else NONE for facing in range(KING + DISKS + 1))
    return tuple({0: plain, DISK: hit, KING: hit}.get(facing, NONE) for facing in range(KING + DISKS + 1))


LANDINGS = tuple(
    tuple(
        tuple(tuple(_landings(seat, origin, die, safe) for origin in range(OFF)) for die in range(7))
        for seat in range(3)
    )
    for safe in (False, True)
)
"""`LANDINGS[safe spaces][seat][die][origin][byte faced at the end][kind of the origin]`: the plays."""
KINDS = bytes((byte & 15 > 0) + 2 * (byte > 15) for byte in range(256))

STEPS: tuple[dict[Action, Step], ...] = tuple(
    {
        text: Step(origin, min(origin + die, OFF), die, int(text[0] == "K"), int(mark != ""))
        for origin in range(OFF)
        for die in range(1, 7)
        for mark in ("", "*")
        for text in _texts(seat, origin, die, mark)[3]
    }
    for seat in range(3)
)
"""Each seat's plays by their text."""

WAYS = range(OFF)
EXACT, ANY, NO = b"\0\2\2\2\2\2", b"\0\0\0\0\0\0", b"\2\2\2\2\2\2"
"""What a piece meets at 30 to 35: nothing where it may bear off, a blockade where not."""
OUTSIDE = bytes(HOME)


@lru_cache(maxsize=4096)
def plays(rules: int, seat: int, own: bytes, other: bytes, dice: bytes) -> tuple[Action, ...]:
    """Return all that `seat` may play with any of `dice`. Remembered, since `apply` asks whether there are any."""
    if rules & BACKGAMMON:
        ends = ANY if own.startswith(OUTSIDE) else NO
    else:
        ends = EXACT
    facing = b"\0" + other[29:0:-1] + ends
    kinds = own.translate(KINDS)
    origins: Sequence[int] = (0,) if rules & BAR_FIRST and own[0] % WAITING else list(compress(WAYS, own))
    rows = LANDINGS[rules & SAFE > 0][seat]
    found: list[Action] = []
    for die in dice if dice[0] != dice[-1] else dice[:1]:
        row = rows[die]
        for origin in origins:
            found += row[origin][facing[origin + die]][kinds[origin]]
    return tuple(found)
