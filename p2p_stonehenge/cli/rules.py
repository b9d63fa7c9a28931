"""The command `rules`: how a game is played."""

import sys
from argparse import Namespace

from p2p_stonehenge.cli.arguments import screen_width
from p2p_stonehenge.cli.common import nearest, shown
from p2p_stonehenge.failure import NOT_FOUND, Failure
from p2p_stonehenge.rules import no_topic, page, pages, title
from p2p_stonehenge.text.program import command_here


def rules(args: Namespace) -> int:
    """Print a page of rules, or one topic of it, or which games have a page.

    On a terminal a text longer than the window comes in parts.
    """
    if args.game is None:
        for key in pages():
            print(f"{key:14}{title(key)}")
        print(f"\nHow one is played: {command_here()} rules GAME [TOPIC]")
        return 0
    game = args.game.lower()
    if game not in pages():
        raise Failure(f"There are no rules of {shown(args.game)}: {nearest(game, pages())}", NOT_FOUND)
    topic = " ".join(args.topic)
    text = page(game, topic, screen_width())
    if text is None:
        raise Failure(f"The rules of {game} have no topic {shown(topic)}: {no_topic(game, topic)}", NOT_FOUND)
    if args.plain or not sys.stdout.isatty() or not _turned(game, text, args.home):
        print(text)
    return 0


def _turned(game: str, text: str, home: str | None) -> bool:
    """Show a page of rules in parts until the reader leaves it; return False if it fits, or nobody could turn it.

    It has the palette that the environment or the settings of `home` say.
    """
    import asyncio
    from shutil import get_terminal_size

    from p2p_stonehenge.storage.settings import Settings
    from p2p_stonehenge.text.output import plain_wanted

    if plain_wanted() or len(text.splitlines()) < get_terminal_size().lines:
        return False
    from p2p_stonehenge.screen.pages import TextPage
    from p2p_stonehenge.screen.turning import on_terminal
    from p2p_stonehenge.storage.settings import SETTINGS, in_force, place

    palette, known = in_force(place(home))["palette"].value, SETTINGS["palette"]
    settings = Settings(palette=palette if palette in known.values else known.usual)
    asyncio.run(on_terminal(TextPage(game, text), settings, lambda: None))
    return True
