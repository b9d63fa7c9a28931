"""The chance to win a position of Byzantine Kingamon, for the side that is to roll."""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from engine.games.kingamon import BACKGAMMON, KING, KING_BAR, OFF, QUICK
from p2p_stonehenge.bots.kingamon.learned import Learned
from p2p_stonehenge.bots.kingamon.race import COUNT, PIECES, PIPS, racing, turns_left
from p2p_stonehenge.bots.kingamon.shots import shots

Chance: TypeAlias = Callable[[int, bytes, bytes], float]
"""The chance to win by the options, the side that is to roll, and the other side."""

Turns: TypeAlias = Callable[[int, bytes], float]
"""The turns that a side needs to win the race."""

LATER = 1 / 3
"""What a danger to the side that rolls first counts: its pieces may be out of it by then."""
STEEP, SPREAD, LEAST = 1.7, 0.45, 1.0
"""How a lead in turns becomes a chance: the spread of a race grows with the turns that are left."""
EXACT_RACE, BACKGAMMON_RACE = 0.4, 0.07
"""How fast that spread grows once the sides have passed each other, by the option `bearing_off`: a side that waits for
exact rolls is often caught up with. Fitted to races that were played out."""
FACED = 0.05
"""What each opposing piece before a king counts against it."""


class Features(NamedTuple):
    """A position as the learned value sees it: the side that rolls first, then the side that waits."""

    hit: float
    """The chance that the roll wins at once."""
    later: float
    """The chance that the other side then wins at once, as it counts here."""
    base: float
    """The hand-made part of the chance, as log odds, if neither happens."""
    scalars: tuple[float, ...]
    """What the learned part weighs beside the places."""


def features(rules: int, own: bytes, other: bytes, turns: Turns = turns_left) -> Features:
    """Return what is known of a position in which the side `own` is to roll; `turns` judges the race of a side."""
    ahead, behind = shots(rules, own, other), shots(rules, other, own)
    mine, theirs = turns(rules, own), turns(rules, other)
    hit, later = ahead.king, behind.king * LATER
    gain, loss = ahead.lost / PIPS, behind.lost / PIPS
    if rules & QUICK:
        gain = loss = 0.0
    if rules & KING_BAR:  # a captured king only begins again
        gain += hit * (OFF - turns_to(other)) / PIPS
        loss += later / LATER * (OFF - turns_to(own)) / PIPS
        hit = later = 0.0
    unit = STEEP / math.sqrt(SPREAD * (mine + theirs) + LEAST)
    lead = (theirs - mine + 0.5 + gain - loss * LATER) * unit
    faced, facing = faced_by(own, other), faced_by(other, own)
    base = lead + FACED * (facing - faced)
    return Features(
        hit,
        later,
        base,
        (1.0, lead, mine / 40, theirs / 40, gain, loss, hit, later, faced / 10, facing / 10),
    )


def turns_to(side: bytes) -> int:
    """Return how far the king of a side still has to go."""
    return OFF - next(way for way, byte in enumerate(side) if byte >= KING)


def faced_by(own: bytes, other: bytes) -> int:
    """Return how many opposing pieces stand before the king of the side `own`, or may still enter there."""
    king = OFF - turns_to(own)
    if king >= OFF:
        return 0
    return sum(other[: OFF - king].translate(COUNT))


def chance(rules: int, own: bytes, other: bytes, correction: Learned | None = None, turns: Turns = turns_left) -> float:
    """Return the chance that the side `own`, which is to roll, wins."""
    if own[OFF] and over(rules, own):
        return 1.0
    if other[OFF] and over(rules, other):
        return 0.0
    if racing(own, other):
        mine, theirs = turns(rules, own), turns(rules, other)
        spread = BACKGAMMON_RACE if rules & BACKGAMMON else EXACT_RACE
        return 1 / (1 + math.exp((mine - theirs - 0.5) / math.sqrt(spread * (mine + theirs))))
    hit, later, odds, scalars = features(rules, own, other, turns)
    if correction is not None:
        odds += correction.correction(own, other, scalars)
    return hit + (1 - hit) * (1 - later) / (1 + math.exp(-odds))


def over(rules: int, own: bytes) -> bool:
    """Return whether the side `own` has borne off all that it needs to win."""
    return own[OFF] >= KING and (rules & QUICK > 0 or COUNT[own[OFF]] == PIECES)
