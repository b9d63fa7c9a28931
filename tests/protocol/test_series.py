"""The score of games that follow each other: points belong to players, and every client computes the same."""

import pytest

from engine import Result, all_games
from protocol import (
    FIRST_GAME,
    LOCAL,
    NET,
    Body,
    Identity,
    Seat,
    Series,
    make_body,
    score_after,
    series_after,
    series_within,
    winners_of_match,
)

ANNA, BEN, CARA = (Identity(bytes([number]) * 32).id for number in (1, 2, 3))
TABLE = b"t" * 32


def body(key: str, *seats: Seat, series: Series = FIRST_GAME, kind: str = NET) -> Body:
    return make_body(kind, all_games()[key], {}, seats, bytes(16), series=series)


@pytest.mark.parametrize(
    ("match", "points", "winners"),
    [
        (5, (0, 0), ()),
        (5, (4, 3), ()),
        (5, (5, 3), (1,)),
        (5, (3, 9), (2,)),
        (5, (6, 6, 7), (3,)),
        (5, (5, 2, 5, 2), (1, 3)),
        (0, (9, 0), ()),
    ],
)
def test_a_match_is_won_by_those_who_have_most_once_they_have_its_points(
    match: int, points: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """Partners have made the same points, and win it together."""
    assert winners_of_match(match, points) == winners


@pytest.mark.parametrize(
    ("key", "result", "points"),
    [
        ("fidchess", Result((2,), (0, 1), "resigned"), (1, 3)),
        ("fidchess", Result((), (0, 0), "draw agreed"), (1, 2)),
        ("kingamon", Result((1,), (4, 0), "all pieces borne off"), (5, 2)),
        ("kingamon", Result((1,), (0, 0), "ben signed two versions of an event"), (2, 2)),
        ("celtic-whist", Result((2,), (14, 3), "resigned"), (1, 3)),
        ("celtic-whist", Result((1, 2), (31, 31), "total of 30"), (2, 3)),
    ],
)
def test_the_player_who_won_is_ahead_whatever_the_loser_had_made_in_the_game(
    key: str, result: Result, points: tuple[int, ...]
) -> None:
    """What a game was worth counts where points are a stake, as at the cube; points within a game never do."""
    assert score_after(Series(0, 3, TABLE, (1, 2)), all_games()[key], result) == points


def test_the_score_goes_with_the_players_not_with_the_seats() -> None:
    """A bot has a new key at each table, and perhaps another operator; it keeps its name."""
    seats = Seat(ANNA, "anna", 1), Seat(BEN, "ben", 2), Seat(b"1" * 32, "bot 1", 1)
    moved = Seat(BEN, "ben", 1), Seat(b"2" * 32, "bot 1", 3), Seat(ANNA, "anna", 3)
    first = body("fidchell", *seats, series=Series(7))
    series = series_after(TABLE, first, Result((1,), (1, 0, 0), "chain"), moved)
    assert series == Series(7, 1, TABLE, (0, 0, 1))
    second = body("fidchell", *moved, series=series)
    alone = Seat(b"3" * 32, "bot 1", 2), Seat(BEN, "ben", 2)
    assert series_after(b"u" * 32, second, Result((2,), (0, 1, 0), "chain"), alone) == Series(7, 2, b"u" * 32, (1, 0))


def test_a_player_called_like_a_bot_has_not_the_points_of_the_bot() -> None:
    seats = Seat(ANNA, "anna", 1), Seat(b"1" * 32, "bot 1", 1)
    first = body("fidchess", *seats)
    guest = Seat(ANNA, "anna", 1), Seat(BEN, "bot 1", 2)
    assert series_after(TABLE, first, Result((2,), (0, 1), "resigned"), guest) == Series(0, 1, TABLE, (0, 0))


def test_a_player_who_is_new_begins_with_nothing() -> None:
    first = body("qenqe", Seat(ANNA, "anna", 1), Seat(BEN, "ben", 2), series=Series(5, 3, TABLE, (1, 2)))
    assert series_within(first, (Seat(ANNA, "anna", 1), Seat(CARA, "cara", 2))) == Series(5, 3, TABLE, (1, 0))


def test_after_a_match_another_one_to_as_many_points_begins() -> None:
    seats = Seat(ANNA, "anna", 1), Seat(ANNA, "ada", 2)
    last = body("fidchess", *seats, series=Series(3, 4, TABLE, (2, 2)), kind=LOCAL)
    assert series_after(TABLE, last, Result((1,), (1, 0), "resigned"), seats) == Series(3)
    assert series_after(TABLE, last, Result((), (0, 0), "draw agreed"), seats) == Series(3, 5, TABLE, (2, 2))


def test_a_game_that_is_gone_on_with_at_another_table_counts_once() -> None:
    """The score before it is that before its first table, not one with a result that did not stand."""
    seats = Seat(ANNA, "anna", 1), Seat(BEN, "ben", 2)
    for series in (Series(), Series(5), Series(5, 2, TABLE, (1, 1))):
        assert series_within(body("fidchess", *seats, series=series), seats) == series
