"""Celtic Whist, by Rich Hutnik: tricks with thirty numbers and a trilithon, scored by exact bids.

To be read in this order: `cards`, `state`, `revokes`, `deals`, `bids`, `scoring`, `tricks`, `notation`, `rules`, then
`refusals`, `story` and `worth`.
"""

from engine.games.celtic_whist.cards import CARD, LETTERS, NAMES, SUIT_OF, SUITS, UNKNOWN, members
from engine.games.celtic_whist.rules import GAME
from engine.games.celtic_whist.state import (
    BID,
    COOPERATIVE,
    GOAL,
    NULL_MAX,
    PLAY,
    State,
    deck,
    played_by,
    size,
    taken,
)
from engine.games.celtic_whist.tricks import winning

__all__ = [
    "BID",
    "CARD",
    "COOPERATIVE",
    "GAME",
    "GOAL",
    "LETTERS",
    "NAMES",
    "NULL_MAX",
    "PLAY",
    "SUITS",
    "SUIT_OF",
    "UNKNOWN",
    "State",
    "deck",
    "members",
    "played_by",
    "size",
    "taken",
    "winning",
]
