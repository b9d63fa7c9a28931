"""How many turns a side of Byzantine Kingamon still needs if nothing is captured any more."""

import sys
from array import array
from collections.abc import Iterator
from functools import cache
from io import FileIO

from engine.games.kingamon import BACKGAMMON, DISKS, HOME, KING, OFF, QUICK
from p2p_stonehenge.bots import weights

BEAR_OFF_FILE = "kingamon-bear-off.bin"
PIECES = DISKS + 1
SCALE = 1024
"""The unit of the file: parts of a turn."""
PIPS = 49 / 6
"""Pips that a turn brings: 7 with each roll, and one roll in six rolls again."""
COUNT = bytes((byte & 15) + (byte >= KING) for byte in range(256))
"""How many pieces stand on a place, by its byte."""
AWAY = tuple(OFF - way for way in range(OFF))
"""How far each place is from the end."""
TO_HOME = AWAY[OFF - HOME : OFF]
"""How far each place before the home is from there."""
KING_COUNTS = 6.0
"""What a pip of a king that runs alone counts beside one of a whole side, which has some 270 to go, not 30."""
KING_WASTED = 1.5
"""Turns lost by rolls that do not bear the king off."""
WASTED = 5
"""Turns lost by rolls that bear nothing off, in an ordinary race."""
WAITING = 2.5
"""The same in pips for each piece."""
FEEL = 0.05
"""How much a player who does not know the table feels of what it says."""
ARRIVALS = (HOME, HOME + 1, HOME + 2)
"""Where pieces that are not home yet are taken to arrive, in turn."""


def homes() -> list[bytes]:
    """Return every way to put up to PIECES pieces on the six places of a home, in the order of the file."""

    def fill(places: int, pieces: int) -> Iterator[tuple[int, ...]]:
        if not places:
            yield ()
            return
        for count in range(pieces + 1):
            for rest in fill(places - 1, pieces - count):
                yield (count, *rest)

    return [bytes(counts) for counts in fill(6, PIECES)]


@cache
def bear_off(exact: bool) -> dict[bytes, float]:
    """Return the expected turns to bear off each home, its first place first: with exact rolls, or as in backgammon."""
    with FileIO(f"{weights.__path__[0]}/{BEAR_OFF_FILE}") as file:
        row = array("H", file.readall())
    if sys.byteorder == "big":
        row.byteswap()
    half = len(row) // 2
    return {home: turns / SCALE for home, turns in zip(homes(), row[:half] if exact else row[half:], strict=True)}


@cache
def _arrived(count: int) -> tuple[int, ...]:
    """Return how so many pieces on their way are taken to fill a home."""
    cells = [0] * 6
    for at in range(count):
        cells[ARRIVALS[at % len(ARRIVALS)] - HOME] += 1
    return tuple(cells)


def turns_left(rules: int, own: bytes) -> float:
    """Return about how many turns a side needs to win the race; exact once all its pieces are home.

    With QUICK it is the king that has to bear off.
    """
    if rules & QUICK:
        return _turns_of_king(rules, own)
    counts = own.translate(COUNT)
    home = counts[HOME:OFF]
    away = PIECES - counts[OFF] - sum(home)
    table = bear_off(not rules & BACKGAMMON)
    if not away:
        return table[home]
    cells = _arrived(away)
    # Pieces on their way come to the first places of the home; the pips to there are not lost by exact rolls.
    pips = sum(map(int.__mul__, counts, AWAY)) - sum(map(int.__mul__, home, AWAY[HOME:]))
    pips -= sum(map(int.__mul__, cells, AWAY[HOME:]))
    return max(pips, 0) / PIPS + table[bytes(map(int.__add__, home, cells))]


def pips_left(rules: int, own: bytes) -> float:
    """Return how many pips a side has to go, and loses before its last piece is off: so a piece gladly bears off.

    With QUICK: those before its king is off; where that runs alone, times what makes them count as a whole side's do.
    """
    if king_runs(rules):
        return KING_COUNTS * king_left(own)
    if rules & QUICK:
        return pips_to_home(own) + min(king_left(own), OFF - HOME)
    counts = own.translate(COUNT)
    return sum(map(int.__mul__, counts, AWAY)) + WAITING * (PIECES - counts[OFF])


def turns_by_pips(rules: int, own: bytes) -> float:
    """Return about how many turns a side needs for a player who does not think of what exact rolls cost."""
    if rules & QUICK:
        return pips_left(rules, own) / (KING_COUNTS if king_runs(rules) else 1) / PIPS + KING_WASTED
    return sum(map(int.__mul__, own.translate(COUNT), AWAY)) / PIPS + WASTED


def turns_by_feel(rules: int, own: bytes) -> float:
    """Return about how many turns a side needs for a player who counts pips and hardly sees what exact rolls cost."""
    return (1 - FEEL) * turns_by_pips(rules, own) + FEEL * turns_left(rules, own)


def racing(white: bytes, red: bytes) -> bool:
    """Return whether the two sides have passed each other, so that nothing can be captured any more."""
    last = [next((way for way, byte in enumerate(side) if byte), OFF) for side in (white, red)]
    return sum(last) > OFF


def king_runs(rules: int) -> bool:
    """Return whether bearing off the king wins and waits for no other piece, as it does with BACKGAMMON."""
    return rules & QUICK > 0 and not rules & BACKGAMMON


def king_left(own: bytes) -> int:
    """Return how far the king of a side still has to go."""
    return OFF - next(way for way, byte in enumerate(own) if byte >= KING)


def pips_to_home(own: bytes) -> int:
    """Return how many pips a side has to go until all its pieces are in the home from which they bear off."""
    return sum(map(int.__mul__, own[:HOME].translate(COUNT), TO_HOME))


def faced_by(own: bytes, other: bytes) -> int:
    """Return how many opposing pieces stand before the king of the side `own`, or may still enter there."""
    king = OFF - king_left(own)
    if king >= OFF:
        return 0
    return sum(other[: OFF - king].translate(COUNT))


def settled(rules: int, own: bytes, other: bytes) -> bool:
    """Return whether only the race counts: nothing can be captured any more that matters, nor stand in the way."""
    if king_runs(rules):
        return not faced_by(own, other) and not faced_by(other, own)
    return racing(own, other)


def _turns_of_king(rules: int, own: bytes) -> float:
    """Return about how many turns a side needs to bear off its king, when its other pieces take the dice left over."""
    distance, exact = king_left(own), not rules & BACKGAMMON
    if exact or not distance:
        return _king_alone(exact)[distance]
    return pips_to_home(own) / PIPS + _king_alone(exact)[min(distance, OFF - HOME)]


@cache
def _king_alone(exact: bool) -> tuple[float, ...]:
    """Return the expected turns that a king needs from each distance when other pieces can take every other die."""
    turns = [0.0]
    for distance in range(1, OFF + 1):
        total, stays = 0.0, 0
        for a in range(1, 7):
            for b in range(1, 7):
                steps = (step if exact else min(step, distance) for step in (a, b, a + b))
                ends = [distance - step for step in {*steps} if step <= distance]
                again = a == b
                if not ends:
                    stays += 1
                    total += not again
                else:
                    best = min(ends, key=turns.__getitem__)
                    total += turns[best] + (not again or best == 0)
        turns.append(total / (36 - stays))
    return tuple(turns)
