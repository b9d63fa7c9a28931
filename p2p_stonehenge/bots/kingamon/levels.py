"""What each level of a bot sees of a position of Byzantine Kingamon."""

import math
from random import Random

from engine.games.kingamon import KING, KING_BAR, NEUTRAL, OFF
from p2p_stonehenge.bots.kingamon.learned import LINEAR_FILE, UNITS_FILE, file_for, learned
from p2p_stonehenge.bots.kingamon.race import KING_COUNTS, king_left, king_runs, pips_left, turns_by_feel, turns_by_pips
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
KNOWN, KNOWN_BAR = 0.5, 0.35
"""The part of the rolls at which a club player knows what was learned of games in which the king runs alone; and of
those in which it only begins again."""
SIGHT, SIGHT_QUICK = 0.85, 0.97
"""The chance that a learner sees a shot at a king, for each space of its distance. Where the king runs alone, past the
other side's pieces, and would be lost, a learner looks twice."""
DREAD = 8
"""Where the king runs alone and would be lost, a casual player dreads a shot as if it came so often: without that the
king was left to be taken for a small lead, and half of the games ended so, many of them within a few turns."""
ROUGHLY = 15
"""Where the king runs alone and would be lost, a casual player tells no leads apart that differ by less than about so
many pips of a whole side: two or three of the king."""
SHOT = 11 / 36
"""The rolls that have a given number on one die."""


def value_of(level: int, rng: Random) -> Chance:
    """Return how a level values positions. What weak levels overlook is drawn for each decision."""
    if level in LEARNED:
        usual = LEARNED[level]
        return lambda rules, own, other: chance(rules, own, other, learned(file_for(rules, usual)))
    if level == 1:
        drawn = [(way, rng.random()) for way in range(1, 7)]
        glimpsed, seen = ([way for way, luck in drawn if luck < sight**way] for sight in (SIGHT, SIGHT_QUICK))
        return lambda rules, own, other: _learner(rules, own, other, seen if _is_at_stake(rules) else glimpsed)
    if level == 2:
        return _casual
    # A club player does not know the table.
    thinks = rng.random()
    turns = turns_by_pips if thinks < OFF_GUARD else turns_by_feel

    def club(rules: int, own: bytes, other: bytes) -> float:
        knows = thinks > 1 - (KNOWN if _is_at_stake(rules) else KNOWN_BAR)
        file = file_for(rules, "") if knows else ""
        return chance(rules, own, other, learned(file) if file else None, turns)

    return club


def _is_at_stake(rules: int) -> bool:
    """Return whether the king runs alone and would be lost."""
    return king_runs(rules) and not rules & KING_BAR


def _casual(rules: int, own: bytes, other: bytes) -> float:
    """Return the chance of the side `own`, which is to roll, as a casual player sees it: pips, and shots at kings.

    A casual player captures a disk when the dice bring it, but minds no disk that stands alone.
    """
    ahead, behind = shots(rules, own, other), shots(rules, other, own)
    lead, hit, later = _at_sight(rules, own, other, ahead.king, behind.king)
    if _is_at_stake(rules):
        hit = 1 - (1 - hit) ** DREAD
        lead = ROUGHLY * round(lead / ROUGHLY)
    return hit + (1 - hit) * (1 - later / 2) / (1 + math.exp(-lead / 30))


def _learner(rules: int, own: bytes, other: bytes, seen: list[int]) -> float:
    """Return the chance of the side `own`, which is to roll, as a learner sees it: pips, and shots by one die."""
    ahead, behind = (_aimed(*sides, seen) for sides in ((own, other), (other, own)))
    lead, hit, later = _at_sight(rules, own, other, ahead, behind)
    race = 1 / (1 + math.exp(-lead / 30))
    return hit + (1 - hit) * (1 - (later if king_runs(rules) else later / 2)) * race


def _at_sight(rules: int, own: bytes, other: bytes, ahead: float, behind: float) -> tuple[float, float, float]:
    """Return the lead in pips of the side `own`, and the chances that it takes the other king, and loses its own.

    They are given as the chances that either king is captured: with KING_BAR a captured king only begins again.
    """
    lead = pips_left(rules, other) - pips_left(rules, own) + 4
    if not rules & KING_BAR:
        return lead, ahead, behind
    unit = KING_COUNTS if king_runs(rules) else 1.0
    return lead + unit * (ahead * (OFF - king_left(other)) - behind / 2 * (OFF - king_left(own))), 0.0, 0.0


def _aimed(own: bytes, other: bytes, seen: list[int]) -> float:
    """Return the chance that one die of the side `own` takes the opposing king, from the distances that are seen."""
    king = other.find(KING, 1, OFF)
    if king < 0 or king in NEUTRAL:
        return 0.0
    target = OFF - king
    shots = sum(1 for distance in seen if distance <= target and own[target - distance])
    return 1 - (1 - SHOT) ** shots
