"""Fidchess Qenqe, by Rich Hutnik: stacks that swallow each other round a ring.

To be read in this order: `board`, `options`, `planes`, `divisions`, `reach`, `state`, `moves`, `notation`, `rules`,
then `refusals`, `story` and `worth`.

For bots: `captures`, and the fields of `State`.
"""

from engine.games.qenqe.board import INDEX, LETTERS, RING, SPACES, has_rigant, owner, piece, setup
from engine.games.qenqe.moves import captures
from engine.games.qenqe.rules import GAME
from engine.games.qenqe.state import State
from engine.stacks import ROWS

__all__ = [
    "GAME",
    "INDEX",
    "LETTERS",
    "RING",
    "ROWS",
    "SPACES",
    "State",
    "captures",
    "has_rigant",
    "owner",
    "piece",
    "setup",
]
