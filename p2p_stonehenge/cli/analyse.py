"""The command `analyse`: what a bot makes of a saved game."""

import sys
from argparse import Namespace

from p2p_stonehenge.cli.arguments import complaint
from p2p_stonehenge.cli.reading import Meter, open_saved
from p2p_stonehenge.text.style import folded, safe
from protocol import in_effect


def analyse(args: Namespace) -> int:
    """Print what a bot would have played in a saved game, where the game turned, and the luck of dice and cards."""
    from p2p_stonehenge.bots.analysis import Entry, judged, luck_of, told
    from p2p_stonehenge.bots.players import LEVELS
    from p2p_stonehenge.bots.thinking import ADVISER, adviser
    from p2p_stonehenge.cli.play import level_of
    from p2p_stonehenge.saved import OPEN

    saved = open_saved(args.file)
    game, log = saved.game, saved.table.fold.log
    level = max(level_of(args.level), 1) if args.level else adviser(game)
    names = [safe(name) for name in saved.names]
    # What was taken back led nowhere: nobody is judged by it.
    entries = [
        Entry(place + 1, log[place].actor, saved.actions[place], saved.position(place, log[place].actor or OPEN))
        for place in in_effect(log)
    ]
    so_far = "" if saved.result else ". The game is not over: this is what was played so far."
    print(folded(f"{game.title}: {', '.join(names)}{so_far}", indent=2), flush=True)
    found = []
    if level >= adviser(game):
        quicker = f"`--level {LEVELS[ADVISER - 1]}` is several times as quick, and sees less."
        print(complaint(f"This can take minutes: {quicker}"), file=sys.stderr, flush=True)
    with Meter("looking through the game", wait=0.0) as meter:
        meter(0.0)
        for played in judged(game, entries, level):
            found.append(played)
            meter(played.number / len(log))
        luck = luck_of(game, entries)
    if not found:
        print("Nobody had a choice in this game yet: `replay` shows what happened.")
    for line in told(game, names, found, luck, saved.position(0)):
        print(folded(line, indent=6 if line.startswith(" ") else 2))
    if found:
        print("A `hint` may name other moves: at the table a bot has less time.")
    return 0
