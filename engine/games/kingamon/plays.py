"""What a side may play with its dice, from precomputed tables."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from engine.game import Action
from engine.games.kingamon.board import DISK, DISKS, HOME, KING, NEUTRAL, OFF, WAITING, space
from engine.games.kingamon.state import ANSWER, BACKGAMMON, BAR_FIRST, CHOOSE, PLAY, SAFE, State

CUBE_WORDS = {CHOOSE: ("roll", "double"), ANSWER: ("take", "drop")}
"""What may be said to the cube, by phase."""


def moves(state: State) -> tuple[Action, ...]:
    """Return what the seat to act may do."""
    rules, phase, seat, white, red, dice = state[:6]
    if phase == PLAY:
        return plays(rules, seat, white, red, dice) if seat == 1 else plays(rules, seat, red, white, dice)
    return CUBE_WORDS.get(phase, ())


class Step(NamedTuple):
    """A play, from `origin` to `target` on the way of the side that makes it."""

    origin: int
    target: int
    die: int
    king: int
    hits: int


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
    """Return all that `seat` may play with any of `dice`, its own side being `own`.

    Remembered, since `apply` asks whether there are any.
    """
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
