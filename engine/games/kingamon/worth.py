"""Byzantine Kingamon: a rough value of a state for simple bots, in thousandths of a point.

The chance of a side to win is that of the race, less what disks that stand alone may lose, changed by the shots at a
king that stands alone. What this chance is worth follows from the cube: the side that may double gains by it.
"""

from collections.abc import Sequence
from itertools import product

from engine.games.kingamon.board import DISK, KING, NEUTRAL, OFF, WAITING
from engine.games.kingamon.state import (
    BAR_FIRST,
    CHOOSE,
    CUBE,
    KING_BAR,
    PLAY,
    QUICK,
    ROLL,
    TOP_STAKE,
    State,
)

POINT = 1000
"""The worth of a point."""
ROLLS = 36
PIPS = 8
"""Pips that a turn brings: 7 with each roll, and equal dice roll again."""
LATER = 3
"""What a danger to the side that rolls first is divided by: the pieces in danger move before the other side rolls."""
SHARP, LONG = 16, 350
"""Pips of lead for which a side wins three games in four: SHARP near the end; LONG says how they grow with the pips
that are still to go."""
HITS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
"""Rolls of 36 that bring a piece so far, with one die or both; from farther away next to none do."""
LIVE, BOTH = 1 / 3, 2 / 5
"""What the right to double adds (Janowski's formulas for a cube efficiency of 2/3): to the points of its only owner for
each chance to win, and to the points of both where both may double."""


def worth(state: State, seat: int) -> int:
    """Return what a state is worth to a seat, in thousandths of a point."""
    if state.phase > PLAY:
        return POINT * state.stake * (0 if not state.seat else 1 if state.seat == seat else -1)
    if not state.seat:
        return 0
    # Where a seat has dice to play, or a double to answer, the other side rolls next.
    roller = state.seat if state.phase in (CHOOSE, ROLL) else 3 - state.seat
    wins = chance(state.rules, roller, (state.white, state.red))
    cube = 0 if not state.owner else 1 if state.owner == seat else -1
    return round(POINT * state.stake * equity(state.rules, wins if seat == roller else 1 - wins, state.stake, cube))


def chance(rules: int, roller: int, cells: Sequence[bytes]) -> float:
    """Return the chance that `roller`, the seat to roll next, wins. `cells` are both sides' own ways, seat 1 first."""
    own, other = cells[roller - 1], cells[2 - roller]
    shots, later = _shots(rules, own, other) / ROLLS, _shots(rules, other, own) / ROLLS / LATER
    mine = _distance(rules, own) + _exposed(rules, own, other) / LATER
    theirs = _distance(rules, other) + _exposed(rules, other, own)
    if rules & KING_BAR:  # a captured king only begins again
        mine, theirs = mine + later * _king(own), theirs + shots * _king(other)
        shots = later = 0.0
    lead = theirs - mine + PIPS
    race = 0.5 + lead / (2 * (abs(lead) + SHARP + min(mine, theirs) ** 2 / LONG))
    return (race + (1 - race) * shots) * (1 - later)


def equity(rules: int, wins: float, stake: int, cube: int) -> float:
    """Return the points, in stakes, to be expected by a side that wins with probability `wins`.

    `cube` says which side may double: 1 this side alone, -1 the other side alone, 0 both; at the top stake, and in a
    game without the cube, nobody may.
    """
    points = 2 * wins - 1
    if rules & CUBE and stake < TOP_STAKE:
        points += BOTH * points if not cube else LIVE * (wins if cube > 0 else wins - 1)
    return max(-1.0, min(1.0, points))


def _distance(rules: int, own: bytes) -> float:
    """Return the pips to go: of all pieces, or of the king where that is enough."""
    if rules & QUICK:
        return OFF - _king(own)
    return sum((OFF - way) * ((byte & 15) + (byte >= KING)) for way, byte in enumerate(own) if byte)


def _exposed(rules: int, own: bytes, other: bytes) -> float:
    """Return how many pips a side may lose by the other side's next roll, which captures disks that stand alone."""
    if rules & QUICK:
        return 0.0
    hunters = [OFF - way for way in range(OFF) if other[way]]
    lost = 0.0
    for way in range(1, OFF):
        if own[way] == DISK and way not in NEUTRAL:
            safe = 1.0
            for hunter in hunters:
                if 0 < hunter - way < len(HITS):
                    safe *= 1 - HITS[hunter - way] / ROLLS
            lost += way * (1 - safe)
    return lost


def _king(own: bytes) -> int:
    """Return how far a side's king has come."""
    return next(way for way, byte in enumerate(own) if byte >= KING)


def _shots(rules: int, own: bytes, other: bytes) -> int:
    """Return how many of the 36 rolls capture the other side's king, if it stands alone."""
    way = _king(other)
    if way in (0, OFF) or way in NEUTRAL or other[way] != KING:
        return 0
    target = OFF - way
    first = 1 if rules & BAR_FIRST and own[0] % WAITING else target
    reach = {target - at: at for at in range(first) if own[at]}
    return sum(_captures(other, reach, roll) for roll in product(range(1, 7), repeat=2))


def _captures(other: bytes, reach: dict[int, int], roll: Sequence[int]) -> bool:
    """Return whether a roll captures a king that some piece sees at one of the distances in `reach`."""
    if roll[0] in reach or roll[1] in reach:
        return True
    at = reach.get(sum(roll))
    return at is not None and any(_open(other, at + die) for die in roll)


def _open(other: bytes, way: int) -> bool:
    """Return whether a piece may stop on `way`, roughly: a neutral space must be free of the other side."""
    facing = other[OFF - way]
    return not facing or (facing in (DISK, KING) and way not in NEUTRAL)
