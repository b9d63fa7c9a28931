"""What a side may play with its dice, from precomputed tables."""

from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

from engine.game import Action
from engine.games.kingamon.board import DISK, DISKS, HOME, KING, NEUTRAL, OFF, WAITING, space
from engine.games.kingamon.state import ANSWER, BACKGAMMON, BAR_FIRST, CHOOSE, SAFE, State

CUBE_WORDS = {CHOOSE: ("roll", "double"), ANSWER: ("take", "drop")}
"""What may be said to the cube, by phase."""


def moves(state: State) -> tuple[Action, ...]:
    """Return what the seat to act may do."""
    return state.plays or CUBE_WORDS.get(state.phase, ())


def captures(state: State) -> list[Action]:
    """Return the plays of the seat to act that capture, in the order of `moves`."""
    return [play for play in state.plays if play[-1] == "*"]


class SinglePlay(NamedTuple):
    """A play, from `origin` to `target` on the way of the side that makes it."""

    origin: int
    target: int
    die: int
    king: int
    hits: int


def _written(seat: int, king: bool, origin: int, die: int, mark: str = "") -> Action:
    """Return the play of `die` with a disk or the king from `origin`."""
    target = origin + die
    start = str(space(seat, origin)) if origin else "bar"
    end = str(space(seat, target)) if target < OFF else "off" if target == OFF else f"off({die})"
    return f"{'K' * king}{start}/{end}{mark}"


STEPS: tuple[dict[Action, SinglePlay], ...] = tuple(
    {
        _written(seat, king, origin, die, mark): SinglePlay(
            origin, min(origin + die, OFF), die, int(king), int(mark != "")
        )
        for origin in range(OFF)
        for die in range(1, 7)
        for mark in ("", "*")
        for king in (False, True)
    }
    for seat in range(3)
)
"""Each seat's plays by their text."""

DISK_HERE, KING_HERE = 1, 2
KINDS = bytes((byte & 15 > 0) * DISK_HERE + (byte > 15) * KING_HERE for byte in range(256))
"""What stands on a place that can move, by the byte of the place."""

ByFacing = tuple[tuple[Action, ...], ...]
"""Plays by the byte of the opposing side where they end."""


def _by_facing(seat: int, kind: int, origin: int, die: int, safe: bool) -> ByFacing:
    """Return the plays of `die` with each piece of a kind from `origin`."""
    pieces = [king for king, here in ((False, DISK_HERE), (True, KING_HERE)) if kind & here]
    plain, hit = (tuple(_written(seat, king, origin, die, mark) for king in pieces) for mark in ("", "*"))
    if origin + die in NEUTRAL:
        return tuple(plain if safe or not facing else () for facing in range(KING + DISKS + 1))
    return tuple({0: plain, DISK: hit, KING: hit}.get(facing, ()) for facing in range(KING + DISKS + 1))


PLAYS = tuple(
    tuple(
        tuple(
            tuple(tuple(_by_facing(seat, kind, origin, die, safe) for die in range(7)) for kind in range(4))
            for origin in range(OFF)
        )
        for seat in range(3)
    )
    for safe in (False, True)
)
"""`PLAYS[safe spaces][seat][origin][kind of the origin][die][byte faced at the end]`."""

WAYS = range(OFF)
EXACT, ANY, NO = b"\0\2\2\2\2\2", b"\0\0\0\0\0\0", b"\2\2\2\2\2\2"
"""What a piece meets at 30 to 35: nothing where it may bear off, a blockade where not."""
OUTSIDE = bytes(HOME)


def plays(rules: int, seat: int, own: bytes, other: bytes, dice: bytes) -> tuple[Action, ...]:
    """Return all that `seat` may play with any of `dice`, its own side being `own`."""
    if rules & BACKGAMMON:
        ends = ANY if own.startswith(OUTSIDE) else NO
    else:
        ends = EXACT
    facing = b"\0" + other[29:0:-1] + ends
    origins: Iterable[int] = (0,) if rules & BAR_FIRST and own[0] % WAITING else compress(WAYS, own)
    kinds = own.translate(KINDS)
    rows = PLAYS[rules & SAFE > 0][seat]
    first, last = dice[0], dice[-1]
    found: list[Action] = []
    if first == last:
        for origin in origins:
            found += rows[origin][kinds[origin]][first][facing[origin + first]]
        return tuple(found)
    more: list[Action] = []
    for origin in origins:
        by_die = rows[origin][kinds[origin]]
        found += by_die[first][facing[origin + first]]
        more += by_die[last][facing[origin + last]]
    return (*found, *more)
