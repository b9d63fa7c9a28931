"""Tables on one computer, for tests of what stands at them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from saved_games import ANNA, home_of

from engine import OptionValue, all_games
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note
from protocol import LOCAL, Seat, Table, local_charter, make_body


def table_of(
    folder: Path, key: str, people: tuple[int, ...] = (1,), seats: int = 2, **options: OptionValue | None
) -> LocalTable:
    """A table that nobody has begun, with bots on all seats that are not people's; seat 1 moves first, or as told."""
    names = [f"anna {seat}" if seat in people else f"bot {seat}" for seat in range(1, seats + 1)]
    chosen = {name: value for name, value in ({"first": 1} | options).items() if value is not None}
    return _table(folder, key, names, people, chosen)


def at_one_keyboard(folder: Path, key: str, players: int, **options: OptionValue) -> LocalTable:
    """A table at which people of one computer have all seats, begun."""
    table = _table(folder, key, _players(players), range(1, players + 1), options)
    table.begin()
    return table


def whist_table(folder: Path, players: int, people: Sequence[int], **options: OptionValue) -> LocalTable:
    """A table of Celtic Whist at which people have some of the seats, begun."""
    table = _table(folder, "celtic-whist", _players(players), people, options)
    table.begin()
    return table


def notes(table: LocalTable) -> list[str]:
    """Return a list to which everything that the table tells its player is added."""
    found: list[str] = []
    table.listen(lambda notice: found.append(notice.text) if isinstance(notice, Note) else None)
    return found


def _players(number: int) -> list[str]:
    return [f"player {seat}" for seat in range(1, number + 1)]


def _table(
    folder: Path, key: str, names: Iterable[str], people: Sequence[int], options: Mapping[str, OptionValue]
) -> LocalTable:
    seats = tuple(Seat(ANNA.id, name, 1) for name in names)
    charter = local_charter(make_body(LOCAL, all_games()[key], options, seats, bytes(16)), ANNA, bytes(32))
    return LocalTable(Table(charter, {1: ANNA}), home_of(folder).journal(charter.table), people)
