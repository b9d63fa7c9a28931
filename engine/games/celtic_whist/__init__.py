"""Celtic Whist, by Rich Hutnik: tricks with thirty numbers and a trilithon, scored by exact bids.

To be read in this order: `cards`, `state`, `revokes`, `deals`, `bids`, `scoring`, `tricks`, `notation`, `rules`, then
`refusals`, `story` and `worth`.
"""

from engine.games.celtic_whist.bids import worth_of
from engine.games.celtic_whist.cards import (
    BLACK,
    CARD,
    CARDS,
    LETTERS,
    NAMES,
    SPOKEN,
    STRENGTH,
    SUIT_OF,
    SUITS,
    TRUMPS,
    UNKNOWN,
    members,
    number,
)
from engine.games.celtic_whist.rules import GAME
from engine.games.celtic_whist.scoring import score
from engine.games.celtic_whist.state import (
    BID,
    BLACK_FOLLOWS,
    COOPERATIVE,
    DOUBLING,
    GOAL,
    HARD,
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
    "BLACK",
    "BLACK_FOLLOWS",
    "CARD",
    "CARDS",
    "COOPERATIVE",
    "DOUBLING",
    "GAME",
    "GOAL",
    "HARD",
    "LETTERS",
    "NAMES",
    "NULL_MAX",
    "PLAY",
    "SPOKEN",
    "STRENGTH",
    "SUITS",
    "SUIT_OF",
    "TRUMPS",
    "UNKNOWN",
    "State",
    "deck",
    "members",
    "number",
    "played_by",
    "score",
    "size",
    "taken",
    "winning",
    "worth_of",
]
