"""The command `analyse`: what a bot makes of a saved game."""

import sys
from argparse import Namespace

from p2p_stonehenge.cli.arguments import complaint
from p2p_stonehenge.cli.reading import Meter, open_saved
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.output import folded
from p2p_stonehenge.text.safe import safe


def analyse(args: Namespace) -> int:
    """Print what a bot would have played in a saved game, where the game turned, and the luck of dice and cards."""
    from p2p_stonehenge.bots.thought import always
    from p2p_stonehenge.cli.play import level_of
    from p2p_stonehenge.screen.analysing import QUICKER, WORKING, Analysis

    saved = open_saved(args.file)
    names = [quoted(safe(name)) for name in saved.names]
    analysis = Analysis(saved, names, level_of(args.level, least=1) if args.level else None)
    so_far = "" if saved.result else ". The game is not over: this is what was played so far."
    print(folded(f"{saved.game.title}: {', '.join(names)}{so_far}", indent=2), flush=True)
    if long := analysis.takes_long(f"--level {QUICKER}"):
        print(complaint(long), file=sys.stderr, flush=True)
    with Meter(WORKING, wait=0.0) as meter:
        lines = analysis.lines(always, meter)
    for line in lines:
        print(folded(line, indent=6 if line.startswith(" ") else 2))
    return 0
