"""The score of an evening: what the players have made in the games that followed each other with `again`."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from engine import Result
from protocol import LOCAL, Body


class Evening(NamedTuple):
    """How many games are over, and the points that each player has made in them."""

    games: int = 0
    points: Mapping[Hashable, int] = {}

    def before(self, body: Body) -> tuple[int, ...]:
        """Return the points of the players at a table before its game, seat 1 first."""
        return tuple(self.points.get(player, 0) for player in _players(body))

    def after(self, body: Body, result: Result | None) -> "Evening":
        """Return the evening after the game at a table; without a result it does not count."""
        if result is None:
            return self
        made = zip(_players(body), self.before(body), result.points, strict=True)
        return Evening(self.games + 1, {**self.points, **{player: before + points for player, before, points in made}})


NO_GAMES = Evening()


def _players(body: Body) -> list[Hashable]:
    """Return for each seat a value that names its player, the same at this table and at the next one.

    Bots get a new key at each table, but keep the operator and the name. All seats of a local table have one key.
    """
    found: list[Hashable] = []
    for number, seat in enumerate(body.seats, 1):
        own = body.kind != LOCAL and seat.operator == number
        found.append(seat.id if own else (body.seats[seat.operator - 1].id, seat.name))
    return found
