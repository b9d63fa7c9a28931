"""What each level of a bot sees of a position of Byzantine Kingamon."""

import math
from random import Random

from engine.games.kingamon import KING, NEUTRAL, OFF
from p2p_stonehenge.bots.kingamon.learned import LINEAR_FILE, UNITS_FILE, learned
from p2p_stonehenge.bots.kingamon.race import pips_left, turns_by_feel, turns_by_pips
from p2p_stonehenge.bots.kingamon.shots import shots
from p2p_stonehenge.bots.kingamon.value import Chance, chance

CAREFUL = 2
"""The first level that leaves no shot at its king where it need not."""
LEARNED = {4: LINEAR_FILE, 5: UNITS_FILE}
"""What the levels know that know what was learned."""
SECOND_PLY = 5
"""The first level that looks at the next roll."""
CANDIDATES, NEAR = 3, 0.01
"""How many ends of a roll are looked at farther, and how much worse than the best they may be.

Three within 0.01 bring 85 % of what four within 0.04 gain, in half the time."""
OFF_GUARD = 0.3
"""The part of the rolls at which a club player does not think of what exact rolls cost."""
SIGHT = 0.85
"""The chance that a learner sees a shot at a king, for each space of its distance."""
SHOT = 11 / 36
"""The rolls that have a given number on one die."""


def value_of(level: int, rng: Random) -> Chance:
    """Return how a level values positions. What weak levels overlook is drawn for each decision."""
    if level in LEARNED:
        weights = learned(LEARNED[level])
        return lambda rules, own, other: chance(rules, own, other, weights)
    if level == 1:
        seen = [way for way in range(1, 7) if rng.random() < SIGHT**way]
        return lambda _, own, other: _learner(own, other, seen)
    if level == 2:
        return _casual
    # A club player does not know the table.
    turns = turns_by_pips if rng.random() < OFF_GUARD else turns_by_feel
    return lambda rules, own, other: chance(rules, own, other, turns=turns)


def _casual(rules: int, own: bytes, other: bytes) -> float:
    """Return the chance of the side `own`, which is to roll, as a casual player sees it: pips, and shots at kings.

    A casual player captures a disk when the dice bring it, but minds no disk that stands alone.
    """
    ahead, behind = shots(rules, own, other), shots(rules, other, own)
    lead = pips_left(other) - pips_left(own) + 4
    return ahead.king + (1 - ahead.king) * (1 - behind.king / 2) / (1 + math.exp(-lead / 30))


def _learner(own: bytes, other: bytes, seen: list[int]) -> float:
    """Return the chance of the side `own`, which is to roll, as a learner sees it: pips, and shots by one die."""
    lead = pips_left(other) - pips_left(own) + 4
    race = 1 / (1 + math.exp(-lead / 30))
    ahead, behind = (_aimed(*sides, seen) for sides in ((own, other), (other, own)))
    return ahead + (1 - ahead) * (1 - behind / 2) * race


def _aimed(own: bytes, other: bytes, seen: list[int]) -> float:
    """Return the chance that one die of the side `own` takes the opposing king, from the distances that are seen."""
    king = other.find(KING, 1, OFF)
    if king < 0 or king in NEUTRAL:
        return 0.0
    target = OFF - king
    shots = sum(1 for distance in seen if distance <= target and own[target - distance])
    return 1 - (1 - SHOT) ** shots
