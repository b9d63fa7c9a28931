"""A level that follows the player: one up after each game that the player wins, one down after each that a bot wins.

So a player soon wins about half. The level is kept in the home, for each game and number of seats on its own. Beside
it the level of the bots of each table is kept: a game that is gone on with has the bots that it began with.
"""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine import Result
from p2p_stonehenge.bots.players import LEVELS, USUAL
from p2p_stonehenge.storage.home import Home, letters_of, put, read_json
from p2p_stonehenge.table.local import LocalTable

ADAPTIVE = "adaptive"
"""What is typed instead of a level."""
FILE = "levels.json"
FILE_LIMIT = 1 << 16
"""Bytes of the file that are read; it takes ten thousand."""
TABLES = "tables"
MOST = 200
"""Tables whose bots are kept, the last ones."""


class Seated(NamedTuple):
    """The bots of a table: how well they play, and whether their level follows the player."""

    level: int
    follows: bool


NONE_KEPT = Seated(USUAL, False)


def level_for(home: Home, key: str, seats: int) -> int:
    """Return the level of the next game with so many seats; the usual one where nothing useful is kept."""
    return _level(_kept(home).get(f"{key} {seats}")) or USUAL


def note(home: Home, key: str, seats: int, people: tuple[int, ...], level: int, result: Result) -> None:
    """Keep the level of the next game, now that one against bots of `level` has ended. Raises Failure.

    It stays where nobody has won, or all have, as the team of a cooperative game does.
    """
    if len(result.winners) not in (0, seats):
        _keep(home, _kept(home) | {f"{key} {seats}": _after(level, seats, people, result)})


def tell_level(table: LocalTable, bots: Sequence[int], seated: Seated) -> None:
    """Have the table tell the level of the bots of some seats and, once its game has ended, that of the next game.

    The latter only if it follows from the game.
    """
    table.levels, table.adaptive = dict.fromkeys(bots, LEVELS[seated.level]), seated.follows
    if seated.follows:
        seats, people = len(table.names), table.people
        table.told_next = lambda result: (
            f"The bots of the next game: {LEVELS[_after(seated.level, seats, people, result)]}."
        )


def _after(level: int, seats: int, people: tuple[int, ...], result: Result) -> int:
    """Return the level of the game that follows one with so many seats against bots of `level`."""
    if len(result.winners) in (0, seats):
        return level
    changed = level + 1 if {*result.winners} & {*people} else level - 1
    return min(max(changed, 1), len(LEVELS) - 1)


def keep_bots(home: Home, table: bytes, seated: Seated) -> None:
    """Keep which bots a new table has, for `resume`. Raises Failure."""
    if seated != NONE_KEPT:
        kept = _kept(home)
        last = list((_tables(kept) | {letters_of(table): [*seated]}).items())[-MOST:]
        _keep(home, kept | {TABLES: dict(last)})


def kept_bots(home: Home, table: bytes) -> Seated:
    """Return which bots a table has; the usual ones where nothing useful is kept."""
    match _tables(_kept(home)).get(letters_of(table)):
        case [int(level), bool(follows)] if _level(level) is not None:
            return Seated(level, follows)
    return NONE_KEPT


def _level(value: object) -> int | None:
    return value if type(value) is int and value in range(len(LEVELS)) else None


def _tables(kept: dict[str, object]) -> dict[str, object]:
    tables = kept.get(TABLES)
    return tables if isinstance(tables, dict) else {}


def _place(home: Home) -> Path:
    return home.path / FILE


def _keep(home: Home, levels: dict[str, object]) -> None:
    put(_place(home), json.dumps(levels, indent=1).encode(), replace=True)


def _kept(home: Home) -> dict[str, object]:
    """Return what the file holds; nothing if there is none, or if it is no such file."""
    with contextlib.suppress(OSError, ValueError):
        found = read_json(_place(home), FILE_LIMIT)
        if isinstance(found, dict):
            return found
    return {}
