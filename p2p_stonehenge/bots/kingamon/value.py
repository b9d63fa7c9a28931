"""The chance to win a position of Byzantine Kingamon, for the side that is to roll."""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from engine.games.kingamon import BACKGAMMON, DISK, KING, KING_BAR, NEUTRAL, OFF, QUICK, SAFE
from p2p_stonehenge.bots.kingamon.learned import Learned
from p2p_stonehenge.bots.kingamon.race import COUNT, PIECES, PIPS, faced_by, king_left, king_runs, settled, turns_left
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
FACED, FACED_QUICK = 0.05, 0.1
"""What each opposing piece before a king counts against it; where the king runs alone, past all of them."""
HELD = (0.0, 0.1, 0.25, 0.45, 0.75, 1.3, 3.0)
"""Turns that a king loses by so many of the six spaces before it held by the other side."""
KING_RACE = 0.2
"""How fast the spread of a race between kings grows."""


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
    weight = FACED
    if king_runs(rules):  # a captured disk costs no turn
        weight = FACED_QUICK
        gain, loss = held_up(rules, other, own), held_up(rules, own, other) / LATER
    if rules & KING_BAR:  # a captured king only begins again
        gain += hit * (OFF - king_left(other)) / PIPS
        loss += later / LATER * (OFF - king_left(own)) / PIPS
        hit = later = 0.0
    unit = STEEP / math.sqrt(SPREAD * (mine + theirs) + LEAST)
    lead = (theirs - mine + 0.5 + gain - loss * LATER) * unit
    faced, facing = faced_by(own, other), faced_by(other, own)
    base = lead + weight * (facing - faced)
    return Features(
        hit,
        later,
        base,
        (1.0, lead, mine / 40, theirs / 40, gain, loss, hit, later, faced / 10, facing / 10),
    )


def held_up(rules: int, own: bytes, other: bytes) -> float:
    """Return about how many turns the king of a side loses to the spaces near before it that the other side holds."""
    king = OFF - king_left(own)
    held = 0
    for way in range(king + 1, min(king + 7, OFF)):
        facing = other[OFF - way]
        held += facing > 0 and not rules & SAFE if way in NEUTRAL else facing not in (0, DISK, KING)
    return HELD[held]


def chance(rules: int, own: bytes, other: bytes, correction: Learned | None = None, turns: Turns = turns_left) -> float:
    """Return the chance that the side `own`, which is to roll, wins."""
    if own[OFF] and over(rules, own):
        return 1.0
    if other[OFF] and over(rules, other):
        return 0.0
    if settled(rules, own, other):
        mine, theirs = turns(rules, own), turns(rules, other)
        spread = KING_RACE if king_runs(rules) else BACKGAMMON_RACE if rules & BACKGAMMON else EXACT_RACE
        return 1 / (1 + math.exp((mine - theirs - 0.5) / math.sqrt(spread * (mine + theirs))))
    hit, later, odds, scalars = features(rules, own, other, turns)
    if correction is not None:
        odds += correction.correction(own, other, scalars)
    return hit + (1 - hit) * (1 - later) / (1 + math.exp(-odds))


def over(rules: int, own: bytes) -> bool:
    """Return whether the side `own` has borne off all that it needs to win."""
    return own[OFF] >= KING and (rules & QUICK > 0 or COUNT[own[OFF]] == PIECES)
