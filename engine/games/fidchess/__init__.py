"""Fidchess, by Rich Hutnik: chess with stacks that join and divide.

To be read in this order: `board`, `reach`, `state`, `moves`, `notation`, `rules`, then `refusals`, `story` and `worth`.

For bots: `captures`, and the fields of `State`, among them `disks`.
"""

from engine.games.fidchess.board import (
    COLUMNS,
    CONTENT,
    DISKS,
    INDEX,
    RIGANT,
    SEAT_SHIFT,
    SPACES,
    SUPPLY,
    disks,
    piece,
    size,
)
from engine.games.fidchess.moves import captures
from engine.games.fidchess.rules import GAME
from engine.games.fidchess.state import State
from engine.stacks import ROWS

__all__ = [
    "COLUMNS",
    "CONTENT",
    "DISKS",
    "GAME",
    "INDEX",
    "RIGANT",
    "ROWS",
    "SEAT_SHIFT",
    "SPACES",
    "SUPPLY",
    "State",
    "captures",
    "disks",
    "piece",
    "size",
]
