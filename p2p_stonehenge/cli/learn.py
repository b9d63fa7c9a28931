"""The command `learn`: a guided first game."""

from argparse import Namespace

from p2p_stonehenge.cli.common import find_game
from p2p_stonehenge.cli.play import nick_of, run
from p2p_stonehenge.failure import NOT_FOUND, Failure
from p2p_stonehenge.screen import plain, terminal
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.lesson import LessonTable, lessons, read
from p2p_stonehenge.text.output import plain_wanted
from p2p_stonehenge.text.program import command_here


def learn(args: Namespace) -> int:
    """Lead through the first moves of a game, or list which games have a lesson."""
    if args.game is None:
        for key in lessons():
            print(f"{key:14}{find_game(key).title}")
        print(f"\nA first game, step by step: {command_here()} learn GAME")
        return 0
    game = find_game(args.game)
    if game.key not in lessons():
        raise Failure(f"There is no lesson of {game.title}: there are {', '.join(lessons())}.", NOT_FOUND)
    table = LessonTable(game, read(game.key), nick_of(Home.open(args.home), args.name))
    settings = Settings(args.charset, args.palette, args.bell != "off", board=args.board, careful=False)
    screen = plain if args.plain or plain_wanted() else terminal
    run(screen.run(table, settings))
    return 0
