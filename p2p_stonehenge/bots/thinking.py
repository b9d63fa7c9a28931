"""Who thinks about a game: the bot of its own that this package has, or else one that thinks about any game."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeVar

from engine import Game
from p2p_stonehenge.bots.game_bot import GameBot
from p2p_stonehenge.bots.greedy import Greedy

S = TypeVar("S")


def bot_of(game: Game[S]) -> GameBot[S]:
    """Return the bot of a game, whose module is imported only now."""
    module = _module(game.key)
    if module is None:
        return Greedy(game)
    bot: GameBot[S] = module.BOT
    return bot


@cache
def _module(key: str) -> ModuleType | None:
    """Return the module of this package that is named after a game, if there is one."""
    name = f"{__package__}.{key.replace('-', '_')}"
    return None if find_spec(name) is None else import_module(name)
