"""The score of games that follow each other: what a game counts, who has won a match, what the next charter says.

Points belong to players, not to seats. So each client that holds the game before computes the score of the next one,
and a charter with another score is refused.
"""

from collections.abc import Sequence
from typing import Any

from engine import Game, Result, all_games
from protocol.formation.charter import NET, Body, Seat, Series


def score_after(series: Series, game: Game[Any], result: Result) -> tuple[int, ...]:
    """Return the points of each seat after a game with this result, those of the games before included.

    A winner gets one point or, where points are what a game was worth (`Game.stakes`), these, at least one.
    """
    before = series.points or (0,) * len(result.points)
    worth = [max(1, points) if game.stakes else 1 for points in result.points]
    return tuple(points + (worth[seat - 1] if seat in result.winners else 0) for seat, points in enumerate(before, 1))


def winners_of_match(match: int, points: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that have won a match to so many points; none before a player has so many.

    All seats that have the most points have won: partners have the same.
    """
    best = max(points)
    return tuple(seat for seat, one in enumerate(points, 1) if one == best) if 0 < match <= best else ()


def series_after(table: bytes, body: Body, result: Result, seats: Sequence[Seat]) -> Series:
    """Return the series of the game of `seats` that follows the game of the table with this id and body.

    After the last game of a match it is that of the first game of another match.
    """
    points = score_after(body.series, all_games()[body.game], result)
    if winners_of_match(body.series.match, points):
        return Series(body.series.match)
    series = Series(body.series.match, body.series.games + 1, table, points)
    return series_within(body._replace(series=series), seats)


def series_within(body: Body, seats: Sequence[Seat]) -> Series:
    """Return the series of another table, with these `seats`, that goes on with the game of the table with this body.

    Points stay with their players, wherever they sit now; a player who is new has none.
    """
    if not body.series.games:
        return body.series
    known = dict(zip(_players(body, body.seats), body.series.points, strict=True))
    return body.series._replace(points=tuple(known.get(player, 0) for player in _players(body, seats)))


def _players(body: Body, seats: Sequence[Seat]) -> list[bytes | str]:
    """Return for each seat a value that names its player, the same at this table and at the next one.

    A bot has a new key at each table, and all seats of a local table have one key: these go by their names.
    """
    own = [body.kind == NET and seat.operator == number for number, seat in enumerate(seats, 1)]
    return [seat.id if by_key else seat.name for seat, by_key in zip(seats, own, strict=True)]
