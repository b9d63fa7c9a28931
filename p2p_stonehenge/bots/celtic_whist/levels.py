"""How hard each level of a bot thinks about Celtic Whist."""

from typing import NamedTuple


class Level(NamedTuple):
    """What a level spends on a decision."""

    worlds: int
    """Deals that are tried for a card."""
    bids: int
    """Deals that are tried for a bid; 0 for a bid by adding up chances."""
    pride: float
    """How many tricks more than its chances add up to a hand seems to hold, for each point of the own total: a beginner
    who stands well grows careless."""
    erratic: float
    """The part of the cards that are played at random when a deal is played out: no rule of thumb is always right, and
    a beginner does not see yet what the others play for."""
    inferring: bool
    """Whether the bids say something about the hidden hands."""
    ending: tuple[int, ...]
    """By the number of players: with how many cards a hand or less each deal is searched to its end."""


NONE = (0,) * 6
LEVELS = (
    Level(1, 0, 0.0, 1.0, False, NONE),
    Level(1, 0, 0.035, 1.0, False, NONE),
    Level(2, 0, 0.0, 0.1, False, NONE),
    Level(3, 8, 0.0, 0.1, False, NONE),
    Level(12, 40, 0.0, 0.1, False, NONE),
    Level(1000, 1000, 0.0, 0.1, True, (0, 0, 6, 3, 2, 2)),
)
"""By level; the first is not used."""
TRIED = {3: {2: (4, 12), 3: (4, 10), 4: (2, 3), 5: (2, 3)}, 4: {2: (20, 60), 4: (6, 20), 5: (6, 20)}}
"""By level and number of players: the deals that are tried for a card and for a bid where the level tries others. The
same deals bring more the more players there are; so set, each level stands about as far above the one below it."""
ALL_KNOWN = 4
"""With how many cards a hand or less a round is searched to its end, at level 5, if every card is known."""
ENDINGS = 40
"""Deals at most that are searched to their ends for one decision."""


def spent(level: int, players: int) -> Level:
    """Return what a level from 1 to 5 spends on a decision in a game of so many players."""
    usual = LEVELS[level]
    worlds, bids = TRIED.get(level, {}).get(players, (usual.worlds, usual.bids))
    return usual._replace(worlds=worlds, bids=bids)
