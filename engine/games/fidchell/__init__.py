"""Fidchell, by Rich Hutnik: a chain from the king to the rim of a round board.

To be read in this order: `board`, `state`, `turns`, `notation`, `rules`, then `refusals`, `story` and `worth`.

For bots: `captures`, `with_turn`, the fields of `State`, and the tables of `Board`.
"""

from engine.games.fidchell.board import CIRCLES, ROWS, board_of, fields_of
from engine.games.fidchell.rules import GAME
from engine.games.fidchell.state import CHAINED, State
from engine.games.fidchell.turns import captures, with_turn

__all__ = ["CHAINED", "CIRCLES", "GAME", "ROWS", "State", "board_of", "captures", "fields_of", "with_turn"]
