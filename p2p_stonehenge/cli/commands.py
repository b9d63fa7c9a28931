"""The commands that only tell something: `games`, `rules` and `identity`. Each returns its exit status."""

from __future__ import annotations

import sys

from p2p_stonehenge.cli.arguments import PROGRAM, screen_width
from p2p_stonehenge.failure import NOT_FOUND, Failure

TYPE_CHECKING = False  # as in typing, whose import would double the time of `rules`
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from engine import Game, Option

SCHEMA = 1
"""Of the JSON that commands print: grows when a field changes its meaning or goes."""


def games(args: Namespace) -> int:
    """Print every game with its players and options."""
    from engine import all_games

    found = all_games().values()
    if args.json:
        print_json({"games": [_game_entry(game) for game in found]})
        return 0
    for game in found:
        print(f"{game.key}: {game.title}, {_players(game.seats)}")
        for option in game.options:
            _print_option(option, game.seats[-1])
        print()
    print(f"How one is played: {PROGRAM} rules GAME")
    return 0


def rules(args: Namespace) -> int:
    """Print a page of rules, or one topic of it, or which games have a page."""
    from p2p_stonehenge.rules import page, pages, title, topics

    if args.game is None:
        for key in pages():
            print(f"{key:14}{title(key)}")
        print(f"\nHow one is played: {PROGRAM} rules GAME [TOPIC]")
        return 0
    game = args.game.lower()
    if game not in pages():
        raise Failure(f"there are no rules of {shown(args.game)}: {nearest(game, pages())}", NOT_FOUND)
    topic = " ".join(args.topic)
    text = page(game, topic, screen_width())
    if text is None:
        raise Failure(f"the rules of {game} have no topic {shown(topic)}: {', '.join(topics(game))}", NOT_FOUND)
    print(text)
    return 0


def identity(args: Namespace) -> int:
    """Print the nick, the id and where the key lies."""
    from p2p_stonehenge.storage.home import Home
    from protocol import id_text

    home = Home.open(args.home)
    print(f"nick  {home.nick()}")
    print(f"id    {id_text(home.identity().id)}")
    print(f"key   {home.path / 'identity.key'}")
    return 0


def find_game(key: str) -> Game[Any]:
    """Return the game that was asked for. Raises Failure with the nearest one there is."""
    from engine import all_games

    found = all_games()
    if key.lower() not in found:
        raise Failure(f"there is no game {shown(key)}: {nearest(key.lower(), list(found))}", NOT_FOUND)
    return found[key.lower()]


def nearest(word: str, known: list[str]) -> str:
    """Return which of the known words was meant, as a question, or all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"


def shown(text: str) -> str:
    """Return what was typed, short and safe to print."""
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _players(seats: range) -> str:
    few, many = seats[0], seats[-1]
    return f"{few} player{'s' * (few != 1)}" if few == many else f"{few}-{many} players"


def _print_option(option: Option, seats: int) -> None:
    from textwrap import wrap

    from engine import option_text

    print(f"  -o {option.name}={option_text(option.default)}  ({option.allows(seats)})")
    for line in wrap(f"{option.help}{_only_for(option)}", screen_width() - 7):
        print(f"       {line}")


def _only_for(option: Option) -> str:
    return "" if option.players is None else f" (players: {', '.join(map(str, option.players))})"


def _game_entry(game: Game[Any]) -> dict[str, Any]:
    return {
        "key": game.key,
        "title": game.title,
        "version": game.version,
        "players": list(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allows": option.allows(game.seats[-1]),
                "players": list(option.players or game.seats),
                "help": option.help,
            }
            for option in game.options
        ],
    }


def print_json(entry: dict[str, Any]) -> None:
    """Print one JSON object with the schema that it follows."""
    import json

    json.dump({"schema": SCHEMA, **entry}, sys.stdout)
    print()
