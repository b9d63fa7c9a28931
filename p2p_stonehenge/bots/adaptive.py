"""A level that follows the player: one up after each game that the player wins, one down after each that a bot wins.

So a player soon wins about half. The level is kept in the home, for each game and number of seats on its own.
"""

import contextlib
import json
from pathlib import Path

from engine import Result
from p2p_stonehenge.bots.players import LEVELS, USUAL
from p2p_stonehenge.storage.home import Home, put

ADAPTIVE = "adaptive"
"""What is typed instead of a level."""
FILE = "levels.json"
FILE_LIMIT = 1 << 16
"""Bytes of the file that are read; it takes one thousand."""


def level_for(home: Home, key: str, seats: int) -> int:
    """Return the level of the next game with so many seats; the usual one where nothing useful is kept."""
    level = _kept(home).get(f"{key} {seats}")
    return level if type(level) is int and level in range(1, len(LEVELS)) else USUAL


def note(home: Home, key: str, seats: int, people: tuple[int, ...], level: int, result: Result) -> None:
    """Keep the level of the next game, now that one against bots of `level` has ended. Raises Failure.

    It stays where nobody has won, or all have, as the team of a cooperative game does.
    """
    if len(result.winners) in (0, seats):
        return
    changed = level + 1 if {*result.winners} & {*people} else level - 1
    levels = _kept(home) | {f"{key} {seats}": min(max(changed, 1), len(LEVELS) - 1)}
    put(_place(home), json.dumps(levels, indent=1, sort_keys=True).encode(), replace=True)


def _place(home: Home) -> Path:
    return home.path / FILE


def _kept(home: Home) -> dict[str, object]:
    """Return what the file holds; nothing if there is none, or if it is no such file."""
    with contextlib.suppress(OSError, ValueError, RecursionError), _place(home).open("rb") as file:
        found = json.loads(file.read(FILE_LIMIT))
        if isinstance(found, dict):
            return found
    return {}
