"""Byzantine Kingamon, by Rich Hutnik: backgammon with a king, on the outer ring of Stonehenge.

To be read in this order: `board`, `state`, `plays`, `notation`, `rules`, then `refusals`, `story` and `worth`.

For bots: `captures`, and the fields of `State`, among them `plays`.
"""

from engine.games.kingamon.board import DISK, DISKS, HOME, KING, NEUTRAL, OFF, WAITING, space
from engine.games.kingamon.plays import captures
from engine.games.kingamon.rules import GAME
from engine.games.kingamon.state import (
    ACEY,
    ANSWER,
    BACKGAMMON,
    BAR_FIRST,
    CHOOSE,
    CUBE,
    KING_BAR,
    PLAY,
    QUICK,
    ROLL,
    SAFE,
    State,
)
from engine.games.kingamon.worth import POINT, equity

__all__ = [
    "ACEY",
    "ANSWER",
    "BACKGAMMON",
    "BAR_FIRST",
    "CHOOSE",
    "CUBE",
    "DISK",
    "DISKS",
    "GAME",
    "HOME",
    "KING",
    "KING_BAR",
    "NEUTRAL",
    "OFF",
    "PLAY",
    "POINT",
    "QUICK",
    "ROLL",
    "SAFE",
    "WAITING",
    "State",
    "captures",
    "equity",
    "space",
]
