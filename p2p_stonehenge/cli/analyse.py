"""The command `analyse`: what a bot makes of a saved game."""

from argparse import Namespace

from p2p_stonehenge.cli.reading import Meter, open_saved
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.text.style import folded, safe
from protocol import in_effect


def analyse(args: Namespace) -> int:
    """Print what a bot would have played in a saved game, where the game turned, and the luck of the dice."""
    from p2p_stonehenge.bots.analysis import LEVEL, Entry, judged, luck_of, told
    from p2p_stonehenge.cli.play import level_of

    table = open_saved(args.file).table
    level = max(level_of(args.level), 1) if args.level else LEVEL
    game = table.game
    names = [safe(seat.name) for seat in table.charter.body.seats]
    log = table.fold.log
    if any(one.action.startswith("deal") for one in log):
        raise Failure(
            f"{game.title} cannot be looked through: what a player held is not in the file. `replay` shows it."
        )
    # What was taken back led nowhere: nobody is judged by it.
    entries = [Entry(place + 1, log[place].actor, log[place].action, log[place].before) for place in in_effect(log)]
    so_far = "" if table.fold.result else ". The game is not over: this is what was played so far."
    print(folded(f"{game.title}: {', '.join(names)}{so_far}", indent=2), flush=True)
    found = []
    with Meter("looking through the game") as meter:
        for played in judged(game, entries, level):
            found.append(played)
            meter(played.number / len(log))
        luck = luck_of(game, entries)
    if not found:
        print("Nobody had a choice in this game yet: `replay` shows what happened.")
    for line in told(game, names, found, luck):
        print(folded(line, indent=6 if line.startswith(" ") else 2))
    if found:
        print("A `hint` may name other moves: at the table a bot has less time.")
    return 0
