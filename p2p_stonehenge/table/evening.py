"""The score of an evening: what the players have made in the games that followed each other with `again`.

A match is an evening that ends: the player has won it who first has so many points, and more than each other one.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from engine import Result
from protocol import LOCAL, Body


class Evening(NamedTuple):
    """How many games are over, and the points that each player has made in them."""

    games: int = 0
    points: Mapping[Hashable, int] = {}
    match: int = 0
    """The points that win a match; 0 where none is played."""

    def before(self, body: Body) -> tuple[int, ...]:
        """Return the points of the players at a table before its game, seat 1 first."""
        return tuple(self.points.get(player, 0) for player in _players(body))

    def after(self, body: Body, result: Result | None) -> "Evening":
        """Return the evening after the game at a table; without a result it does not count.

        Behind the last game of a match another match begins.
        """
        if result is None:
            return self
        points = added(self.before(body), result)
        if self.match and winner_of_match(points, self.match):
            return Evening(match=self.match)
        return self._replace(
            games=self.games + 1, points={**self.points, **dict(zip(_players(body), points, strict=True))}
        )


NO_GAMES = Evening()


def evening_before(body: Body, games: int, points: Sequence[int], match: int) -> Evening:
    """Return the evening before the game at a table, from what each seat had then; no points stand for none made."""
    return Evening(games, dict(zip(_players(body), points, strict=False)), match)


def added(before: Sequence[int], result: Result) -> list[int]:
    """Return the points of each seat with those of one more game."""
    return [sum(both) for both in zip(before, result.points, strict=True)]


def winner_of_match(points: Sequence[int], match: int) -> int:
    """Return the seat that has won a match to so many points, 0 while none has: of two with as many neither has."""
    best = max(points)
    return points.index(best) + 1 if best >= match and [*points].count(best) == 1 else 0


def _players(body: Body) -> list[Hashable]:
    """Return for each seat a value that names its player, the same at this table and at the next one.

    Bots get a new key at each table, but keep the operator and the name. All seats of a local table have one key.
    """
    found: list[Hashable] = []
    for number, seat in enumerate(body.seats, 1):
        own = body.kind != LOCAL and seat.operator == number
        found.append(seat.id if own else (body.seats[seat.operator - 1].id, seat.name))
    return found
