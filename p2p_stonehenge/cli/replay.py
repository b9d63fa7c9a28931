"""The command `replay`: goes through a saved game."""

from argparse import Namespace

from p2p_stonehenge.cli.reading import open_saved, ply_of
from p2p_stonehenge.export import board_lines
from p2p_stonehenge.saved import SavedGame
from p2p_stonehenge.text.style import fit, safe


def replay(args: Namespace) -> int:
    """Print a saved game move by move, or the position after some moves."""
    saved = open_saved(args.file)
    ply = ply_of(saved, args.at)
    for line in lines(saved, ply):
        print(line)
    return 0


def lines(saved: SavedGame, ply: int | None) -> list[str]:
    """Return the plies up to `ply`, the position there, and at the end how the game ended."""
    names = [safe(name) for name in saved.names]
    told = [f"{saved.game.title}: {', '.join(names)}; table {saved.table.id.hex()[:16]}"]
    for step in saved.steps[:ply]:
        who = names[step.actor - 1] if step.actor else "-"
        told.append(f"{step.number:4}. {fit(who, 12)} {step.action:14} {safe(step.told, 600)}")
    last = len(saved) if ply is None else ply
    told += ["", *board_lines(saved, last)]
    if last == len(saved) and saved.result:
        told.append(saved.outcome)
    return told
