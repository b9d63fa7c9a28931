"""Count the sequences of moves from the start of a game: python scripts/perft.py fidchess --depth 3 --divide

Seat 1 begins. Only for games whose play has no chance in it. Exit codes: 2 bad usage or option, 5 no such game.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout that is not installed

from engine import Game, OptionError, Over, Turn, all_games, fewest_players

USAGE, NO_GAME = 2, 5


class ChanceError(ValueError):
    """Play has come to a value that is drawn: its sequences of moves cannot be counted."""


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Return how many sequences of exactly `depth` actions lead on from `state`."""
    if depth == 0:
        return 1
    actions, seat = choices(game, state)
    if depth == 1:
        return len(actions)
    return sum(perft(game, game.apply(state, seat, action), depth - 1) for action in actions)


def choices(game: Game[Any], state: Any) -> tuple[tuple[str, ...], int]:
    """Return the actions of the seat to act, and the seat; no actions once the game is over."""
    due = game.pending(state)
    if isinstance(due, Over):
        return (), 0
    if not isinstance(due, Turn):
        raise ChanceError(f"{game.key} draws values by chance: its move sequences cannot be counted")
    return tuple(game.legal(state, due.seat)), due.seat


def start(game: Game[Any], options: Mapping[str, str], seats: int) -> Any:
    """Return the first state with seat 1 to begin."""
    if any(option.name == "first" for option in game.options):
        options = {"first": "1", **options}
    return game.start(options, seats)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(USAGE, message)


def fail(code: int, message: str) -> NoReturn:
    print(f"perft: {message}", file=sys.stderr)
    raise SystemExit(code)


def main() -> None:
    parser = Parser(description="Count the sequences of moves from the start of a game.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("-o", dest="options", action="append", default=[], metavar="NAME=VALUE", help="an option")
    parser.add_argument("--players", type=int, metavar="N", help="default: the smallest number above 1")
    parser.add_argument("--depth", type=int, default=3, metavar="D", help="default: 3")
    parser.add_argument("--divide", action="store_true", help="also count the sequences after each first move")
    said = parser.parse_args()

    game = all_games().get(said.game)
    if game is None:
        fail(NO_GAME, f"there is no game {said.game!r}: games are {', '.join(all_games())}")
    if said.depth < 0:
        fail(USAGE, "--depth is 0 or more")
    players = said.players if said.players is not None else fewest_players(game)
    if players not in game.seats:
        few, most = game.seats[0], game.seats[-1]
        fail(USAGE, f"--players is {few if few == most else f'{few}-{most}'} for {game.key}")
    options = {}
    for option in said.options:
        name, equals, value = option.partition("=")
        if not equals:
            fail(USAGE, f"-o takes NAME=VALUE, not {option!r}")
        options[name] = value
    try:
        state = start(game, options, players)
        if said.divide and said.depth:
            total = 0
            actions, seat = choices(game, state)
            for action in actions:
                count = perft(game, game.apply(state, seat, action), said.depth - 1)
                print(f"{action}: {count}")
                total += count
        else:
            total = perft(game, state, said.depth)
    except OptionError as error:
        fail(USAGE, str(error))
    except ChanceError as error:
        fail(USAGE, str(error))
    print(total)


if __name__ == "__main__":
    main()
