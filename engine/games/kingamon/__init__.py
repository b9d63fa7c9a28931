"""Byzantine Kingamon, by Rich Hutnik: backgammon with a king, on the outer ring of Stonehenge.

To be read in this order: `board`, `state`, `plays`, `notation`, `rules`, then `refusals`, `story` and `worth`.

For bots: `captures`, and the fields of `State`, among them `plays`.
"""

from engine.games.kingamon.board import KING, NEUTRAL, OFF
from engine.games.kingamon.plays import captures
from engine.games.kingamon.rules import GAME
from engine.games.kingamon.state import ANSWER, CHOOSE, CUBE, PLAY, ROLL, SAFE, State

__all__ = ["ANSWER", "CHOOSE", "CUBE", "GAME", "KING", "NEUTRAL", "OFF", "PLAY", "ROLL", "SAFE", "State", "captures"]
