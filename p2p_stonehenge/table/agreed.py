"""What the players of a table have agreed on in its charter, in words: its title, its time, who may watch it."""

from collections.abc import Sequence

from engine import all_games, counted
from p2p_stonehenge.text.times import spell
from protocol import Charter, Clock, Watchers, Watching

SHORT_ID_LETTERS = 4
"""Letters of the table id that people see and type."""


def short_id(table: bytes) -> str:
    """Return the first letters of a table id, by which people name the table."""
    return table.hex()[:SHORT_ID_LETTERS]


def time_given(turn_time: int | Clock) -> str:
    """Return the time for turns in words: `1 min 30 s for each turn`; `no limit` if there is none."""
    if isinstance(turn_time, Clock):
        more = f" and {spell(turn_time.increment)} more after each" if turn_time.increment else ""
        return f"{spell(turn_time.seconds)} for all turns of a player{more}"
    return f"{spell(turn_time)} for each turn" if turn_time else "no limit"


def watchers_told(watching: Watching) -> str:
    """Return who may watch a table, in words: `all, 5 actions behind the players`; `all, and may talk`."""
    if watching.by == Watchers.NOBODY:
        return "nobody"
    who = "all" if watching.by == Watchers.EVERYBODY else "those who know the passphrase"
    if watching.delay:
        return f"{who}, {counted(watching.delay, 'action')} behind the players"
    return f"{who}, and may talk" if watching.talk else who


def teams_of(charter: Charter) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each team at a table, which win or lose together; none where each plays for itself."""
    return all_games()[charter.body.game].teams(dict(charter.body.options), len(charter.body.seats))


def is_one_team(teams: Sequence[Sequence[int]]) -> bool:
    """Return whether all seats, by their teams, win or lose together."""
    return len(teams) == 1


def plays_as_team(charter: Charter) -> bool:
    """Return whether all seats of a table win or lose together."""
    return is_one_team(teams_of(charter))


def own_seats(charter: Charter, id: bytes) -> tuple[int, ...]:
    """Return the seats that the client with this id plays: its own first, then its bots'."""
    seats = charter.body.seats
    played = [number for number, seat in enumerate(seats, 1) if seats[seat.operator - 1].id == id]
    return tuple(sorted(played, key=lambda number: seats[number - 1].id != id))
