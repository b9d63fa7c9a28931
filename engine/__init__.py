"""The rules of the games: pure, deterministic, without input or output.

`all_games()` finds every game; `Game` says what each can do. A new game builds on `engine.house`.

>>> fidchess = all_games()["fidchess"]
>>> state = fidchess.start({"first": 1}, 2)
>>> fidchess.pending(state)
Turn(seat=1)
>>> fidchess.legal(state, 1)[:3]
['A2-A3', 'A2+B2', 'A2-B4']
>>> fidchess.refuse(state, 1, "A1-A2").text
'The Rigant joins no stack: A2 holds your Oin.'
>>> state = fidchess.apply(state, 1, fidchess.parse(state, "a2a3"))
>>> [event.text for event in fidchess.story(state, 2, "resign")]
['Green resigns.', 'Yellow wins.']
"""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from engine.board_game import LIMIT, REPEATED
from engine.codec import HASH_BYTES, MalformedError, Value, blake, checked, decode, encode, unpack
from engine.game import (
    CHANCE,
    MOST_SEATS,
    PUBLIC,
    Action,
    Chance,
    Deal,
    Dice,
    Draw,
    Ends,
    Event,
    Game,
    NotationError,
    Over,
    Pending,
    Pick,
    Refusal,
    Resignation,
    Result,
    Revoke,
    Turn,
    digest,
    fewest_players,
)
from engine.house import AGREED, RESIGNED, points_reached
from engine.options import Option, OptionError, OptionValue, option_text, resolve
from engine.words import counted, listed

__all__ = [
    "AGREED",
    "CHANCE",
    "HASH_BYTES",
    "LIMIT",
    "MOST_SEATS",
    "PUBLIC",
    "REPEATED",
    "RESIGNED",
    "Action",
    "Chance",
    "Deal",
    "Dice",
    "Draw",
    "Ends",
    "Event",
    "Game",
    "MalformedError",
    "NotationError",
    "Option",
    "OptionError",
    "OptionValue",
    "Over",
    "Pending",
    "Pick",
    "Refusal",
    "Resignation",
    "Result",
    "Revoke",
    "Turn",
    "Value",
    "all_games",
    "blake",
    "checked",
    "counted",
    "decode",
    "digest",
    "encode",
    "fewest_players",
    "listed",
    "option_text",
    "points_reached",
    "resolve",
    "unpack",
]


@cache
def all_games() -> dict[str, Game[Any]]:
    """Return every game by its key, in the order of the keys: each package in `engine.games` has one as GAME.

    Raises ValueError for a game of more seats than a table has.
    """
    from engine import games

    found = [import_module(f"engine.games.{module.name}").GAME for module in pkgutil.iter_modules(games.__path__)]
    for game in found:
        if game.seats[-1] > MOST_SEATS:
            raise ValueError(f"{game.title} is for {game.seats[-1]} seats: a table has {MOST_SEATS} at most")
    return {game.key: game for game in sorted(found, key=lambda game: str(game.key))}
