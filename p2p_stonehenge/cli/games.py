"""The command `games`: lists the games and their options."""

from argparse import Namespace
from textwrap import wrap
from typing import Any

from engine import Game, Option, all_games, counted, option_text
from p2p_stonehenge.cli.arguments import screen_width
from p2p_stonehenge.cli.common import print_json
from p2p_stonehenge.text.program import command_here


def games(args: Namespace) -> int:
    """Print every game with its players and options."""
    found = all_games().values()
    if args.json:
        print_json({"games": [_game_entry(game) for game in found]})
        return 0
    for game in found:
        print(f"{game.key}: {game.title}, {_players(game.seats)}")
        for option in game.options:
            _print_option(option, game.seats[-1])
        print()
    print(f"How one is played: {command_here()} rules GAME")
    return 0


def _players(seats: range) -> str:
    few, many = seats[0], seats[-1]
    return counted(few, "player") if few == many else f"{few}-{many} players"


def _print_option(option: Option, seats: int) -> None:
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
