"""The commands `saved` and `record`: the games of a player, and the way from what is typed to one of them."""

import os
import sys
import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from p2p_stonehenge.cli.arguments import complaint
from p2p_stonehenge.cli.common import print_json, shown
from p2p_stonehenge.failure import NOT_FOUND, Failure
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.lobby.naming import Wanted, choose, taken
from p2p_stonehenge.lobby.record import BOTS
from p2p_stonehenge.lobby.record import record as tally
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import SUFFIX, Home
from p2p_stonehenge.text.output import folded
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, fit

INDENT = 5
"""Columns that stand before what is told of a game: its number, and two."""

NAMED = 20
"""As many files that are not listed are named."""


def saved(args: Namespace) -> int:
    """Print the saved games, the unfinished ones first, each with the number that names it."""
    shelf = Shelf(Home.open(args.home))
    games = list(shelf.games())
    if strange := shelf.unreadable():
        named = ", ".join(f"{shown(name)}{f' ({what})' * bool(what)}" for name, what in strange[:NAMED])
        named += f" and {len(strange) - NAMED} more" * (len(strange) > NAMED)
        print(complaint(f"Not listed, as damaged or no saved game: {named}. `verify` says more."), file=sys.stderr)
    if args.json:
        print_json({"games": [_entry(number, game) for number, game in enumerate(games, 1)]})
        return 0
    if not games:
        print(folded(f"No game is saved yet: `{command_here()} solo kingamon` begins one."))
        return 0
    now = time.time()
    for number, game in enumerate(games, 1):
        print(folded(f"{number:3}  {game.told(now)}", indent=INDENT))
        if match := game.game_of_match():
            ahead = f" The next one: `{command_here()} {' '.join(game.goes_on[:-1])} {number}`." if game.between else ""
            print(folded(f"{'':{INDENT}}{match}{ahead}", indent=INDENT))
        if game.bots_play_on and not game.open:
            print(folded(f"{'':{INDENT}}`{command_here()} resume {number}` lets you watch on.", indent=INDENT))
    resumable = [("resume", Wanted.UNFINISHED, one) for one in games if one.unfinished and not one.open]
    over = [("replay", Wanted.FINISHED, one) for one in games if not one.unfinished]
    examples = [*resumable[:1], *over[:1]]
    if examples:
        print("\nBy number, by people or by game:")
    for command, wanted, game in examples:
        print(f"  {command_here()} {command} {games.index(game) + 1}")
        words = " ".join((*game.opponents()[:1], game.facts.game))
        with suppress(Failure):  # the words may fit others as well
            if choose(games, words, now, wanted, command) == game:
                print(f"  {command_here()} {command} {words}")
    return 0


def record(args: Namespace) -> int:
    """Print the player's games, results and opponents."""
    by_game, by_opponent = tally(Shelf(Home.open(args.home)).games())
    if args.json:
        opponents = {name: {game: one._asdict() for game, one in of.items()} for name, of in by_opponent.items()}
        print_json({"games": {game: one._asdict() for game, one in by_game.items()}, "opponents": opponents})
        return 0
    if not by_game:
        print(folded(f"No game is over yet: `{command_here()} solo kingamon` begins one."))
        return 0
    first, wide = max(map(cells, by_opponent), default=0), max(map(cells, by_game))
    for game, one in by_game.items():
        print(f"{fit(game, wide)}  {one.told()}")
    if by_opponent == {BOTS: by_game}:
        return 0  # it would be the same again
    print()
    for name, games in by_opponent.items():
        for number, (game, one) in enumerate(games.items()):
            print(f"{fit('' if number else name, first)}  {fit(game, wide)}  {one.told()}")
    return 0


def file_of(words: list[str], home: str | None, command: str, more: str = "") -> str:
    """Return the path that a player means: one that exists, or that of a saved game, which is told. Raises Failure.

    Without words it is the last game that is over. `more`: what the player typed behind the words. It is told on the
    error stream: standard output may be an export.
    """
    text = " ".join(words)
    if text.endswith(SUFFIX) or os.sep in text:
        return text
    with suppress(OSError):  # words may be too long for a name, or the folder closed to this player
        if Path(text).is_file():
            return text
    games = list(Shelf(Home.open(home)).games())
    now = time.time()
    over = (one for one in games if one.facts.result)
    try:
        game = choose(games, text, now, Wanted.FINISHED, command, more) if words else next(over, None)
    except Failure as failure:
        from p2p_stonehenge.bots.players import level_named

        if command != "analyse" or level_named(words[-1]) is None:
            raise
        line = " ".join(["analyse", *words[:-1], "--level", words[-1]])
        raise Failure(f"{failure} The level is an option: `{command_here()} {safe(line)}`.", failure.code) from None
    if game is None:
        raise Failure(f"No game is over yet that `{command}` could take: name a file.", NOT_FOUND)
    print(folded(taken(games, game, text, now), sys.stderr), file=sys.stderr, flush=True)
    return str(game.path)


def _entry(number: int, game: Saved) -> dict[str, object]:
    facts, series = game.facts, game.facts.series
    return {
        "number": number,
        "path": str(game.path),
        "table": game.letters,
        "game": facts.game,
        "players": list(game.names),
        "own_seats": list(game.own),
        "last_played": int(game.played),
        "actions": facts.plies,
        "unfinished": game.unfinished,
        "turn": facts.turn or None,
        "result": facts.result and facts.result._asdict(),
        "series": {
            "match": series.match or None,
            "game": series.games + 1,
            "points_before": list(series.points or (0,) * len(game.names)),
        }
        if series.match or series.games
        else None,
    }
