"""The command `replay`: goes through a saved game, on a screen, by typed words, or all of it in one go."""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from p2p_stonehenge.cli.reading import open_saved, ply_of
from p2p_stonehenge.export import board_lines
from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.table.exits import was_typed
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.output import charset, folded, plain_wanted
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import fit


def replay(args: Namespace) -> int:
    """Go through a saved game; where nobody can type, print it ply by ply up to the position wanted."""
    saved = open_saved(args.file)
    ply = ply_of(saved, args.at)
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        for line in lines(saved, ply):
            print(line)
        return 0

    from p2p_stonehenge.screen.playback import Playback
    from p2p_stonehenge.screen.replaying import Replay, plain
    from p2p_stonehenge.storage.notes import Notes

    by_words = args.plain or plain_wanted()
    notes = Notes(Path(args.file), saved.table.id)
    characters = "ascii" if by_words else charset(args.charset)
    playback = Playback(saved, prove(saved), ply or 0, characters, notes, _side(saved, args.home))
    if by_words:
        plain(playback, lambda: input("go> "), lambda line: print(folded(line, indent=2), flush=True))
    else:
        asyncio.run(Replay(playback, args.palette).run())
    return 0


def _side(saved: SavedGame, path: str | None) -> int:
    """Return the seat at which the owner of the home at `path` played, 0 if at none or at several."""
    from p2p_stonehenge.storage.files import is_there
    from p2p_stonehenge.storage.home import Home
    from p2p_stonehenge.storage.settings import place

    home = Home(place(path))
    if not is_there(home.games):  # to look at a game makes no home
        return 0
    own = home.identity().id
    seats = enumerate(saved.table.charter.body.seats, 1)
    played = [number for number, seat in seats if seat.id == own and seat.operator == number]
    return played[0] if len(played) == 1 else 0


def lines(saved: SavedGame, ply: int | None) -> list[str]:
    """Return the plies up to `ply`, the position there, and at the end how the game ended."""
    names = [quoted(safe(name)) for name in saved.names]
    told = [f"{saved.game.title}: {', '.join(names)}; table {saved.table.id.hex()[:16]}"]
    told += [saved.game_of_match] * bool(saved.game_of_match)
    for step in saved.steps[:ply]:
        who = names[step.actor - 1] if step.actor else "-"
        action = step.action if was_typed(step.exit) else ""  # that player has not resigned
        told.append(f"{step.number:4}. {fit(who, 12)} {action:14} {safe(step.told, 600)}")
    last = len(saved) if ply is None else ply
    told += ["", *board_lines(saved, last)]
    if last == len(saved) and saved.result:
        told += [saved.outcome, *([saved.score] if saved.score else ())]
    return told
