"""How hard each level of a bot thinks about Celtic Whist."""

from typing import NamedTuple


class Level(NamedTuple):
    """What a level spends on a decision."""

    worlds: int
    """Deals that are tried for a card."""
    bids: int
    """Deals that are tried for a bid; 0 for a bid by adding up chances."""
    pride: tuple[float, ...]
    """By the number of players: how many tricks more than its chances add up to a hand seems to hold, for each point of
    the own total: a beginner who stands well grows careless."""
    erratic: float
    """The part of the cards that are played at random when a deal is played out: no rule of thumb is always right, and
    a beginner does not see yet what the others play for."""
    inferring: bool
    """Whether the bids say something about the hidden hands."""
    racing: bool
    """Whether it plays for the chance of winning the game, and so dares more when it is behind; else for its lead."""
    ending: tuple[int, ...]
    """By the number of players: with how many cards a hand or less each deal is searched to its end."""


NONE = (0,) * 6
LEVELS = (
    Level(1, 0, NONE, 1.0, False, False, NONE),
    Level(1, 0, (0, 0.035, 0.04, 0.035, 0.035, 0.035), 1.0, False, False, NONE),
    Level(2, 0, (0, 0, 0, 0.015, 0, 0), 0.1, False, False, NONE),
    Level(6, 20, NONE, 0.1, False, False, NONE),
    Level(80, 250, NONE, 0.1, False, False, NONE),
    Level(1000, 1000, NONE, 0.1, True, True, (0, 0, 6, 3, 2, 2)),
)
"""By level; the first is not used."""
AGAINST = {
    3: {2: (4, 12), 3: (3, 10), 4: (2, 3), 5: (2, 3)},
    4: {2: (20, 60), 3: (16, 53), 4: (6, 20), 5: (6, 20)},
}
"""By level and number of players: the deals that are tried for a card and for a bid where all play against each other,
so set that each level stands about as far above the one below it whatever the number of players."""
ALL_KNOWN = 4
"""With how many cards a hand or less a round is searched to its end, at level 5, if every card is known."""
ENDINGS = 40
"""Deals at most that are searched to their ends for one decision."""


def spent(level: int, players: int, team: bool) -> Level:
    """Return what a level from 1 to 5 spends on a decision in a game of so many players, who may be a team."""
    usual = LEVELS[level]
    if team:
        return usual._replace(pride=NONE)
    if players not in (tried := AGAINST.get(level, {})):
        return usual
    worlds, bids = tried[players]
    return usual._replace(worlds=worlds, bids=bids)
