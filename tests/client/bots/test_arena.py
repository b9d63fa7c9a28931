"""`scripts/arena.py`: matches are fair, repeatable and told as they were; the table in the documents is theirs."""

import json
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import engine.games.celtic_whist as whist
from engine import Over, Turn, all_games

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import arena  # noqa: E402  after the path is set
import arena_bids  # noqa: E402


def test_everybody_sits_on_every_seat_with_the_same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot against itself: the games of a set are one game, won once by each side of it."""
    monkeypatch.setattr(arena, "chosen_by", lambda bot, game, view, seat, rng: min(game.legal(view, seat)))
    for key, players, options in (
        ("kingamon", 2, {}),
        ("qenqe", 3, {"turn_limit": "50"}),
        ("qenqe", 4, {"partners": "true"}),
    ):
        result = arena.match(key, ("0", "0"), players, options, 12, 1)
        assert result["score"] == pytest.approx(result["fair"], abs=0.001)
        assert result["games"] == 12


def test_a_match_can_be_played_again() -> None:
    results = [arena.match("fidchess", ("1", "0"), 2, {"turn_limit": "30"}, 4, 7) for _ in range(2)]
    for result in results:
        del result["ms"], result["worst_ms"]
    assert results[0] == results[1]


def test_no_opening_of_fidchess_has_decided_the_game() -> None:
    """Of openings drawn at random every thirtieth is won at once, as the sixth of this seed is."""
    game = all_games()["fidchess"]
    for number in range(12):
        state = arena.opened(game, {}, 2, f"1/{number}", 4, Random(number))
        turn = game.pending(state)
        assert isinstance(turn, Turn)
        after = [game.pending(game.apply(state, turn.seat, action)) for action in game.legal(state, turn.seat)]
        assert not any(isinstance(due, Over) for due in after)


def test_a_match_that_has_no_time_left_ends_with_a_whole_set_of_games() -> None:
    result = arena.match("qenqe", ("0", "0"), 3, {"turn_limit": "6"}, 300, 7, minutes=0.0)
    assert result["games"] == 3


def test_an_interval_is_never_nothing() -> None:
    mean, half = arena.interval([1.0] * 20)
    assert mean == 1
    assert half > 0.05
    mean, half = arena.interval([0.5, 1.0, 0.0, 0.5] * 10)
    assert (mean, round(half, 2)) == (0.5, 0.11)


def test_elo_is_of_the_odds() -> None:
    assert arena.elo(0.5, 0.5) == 0
    assert round(arena.elo(0.75, 0.5) or 0) == 191
    assert round(arena.elo(1 / 3, 1 / 3) or 0) == 0
    assert arena.elo(1.0, 0.5) is None


def test_the_table_of_the_documents_is_that_of_the_matches() -> None:
    results = [json.loads(line) for line in (ROOT / "docs" / "bots.jsonl").read_text().splitlines()]
    assert arena.table(results) in (ROOT / "docs" / "bots.md").read_text()


def test_the_bids_of_a_round_are_held_against_what_the_rules_score() -> None:
    """The tricks that are told of each round add up, and bring the points that the next round begins with."""
    for state, _, tricks in islice(arena_bids.rounds([0, 0, 0], False, 1), 5):
        standing, hand = state.standing, whist.size(state.standing)
        assert sum(tricks) == hand
        due = whist.GAME.pending(state)
        assert isinstance(due, Turn)
        after = whist.GAME.apply(state, due.seat, whist.GAME.legal(state, due.seat)[0]).standing
        for seat, took in enumerate(tricks):
            points = whist.score(standing.rules, hand, state.bids[seat], took)
            assert after.totals[seat] == max(0, standing.totals[seat] + points)


def test_levels_move_on_by_a_seat_after_each_game() -> None:
    seats, before = [], -1
    for state, seated, _ in arena_bids.rounds([1, 0], False, 1):
        if state.standing.timer < before:
            seats.append(seated)
        before = state.standing.timer
        if len(seats) == 2:
            break
    assert seats == [[0, 1], [1, 0]]


def test_the_games_of_a_match_with_several_seeds_are_one_row() -> None:
    """Its interval is that of all games together."""
    with_one = arena.match("kingamon", ("1", "0"), 2, {}, 40, 1)
    with_two = arena.match("kingamon", ("1", "0"), 2, {}, 20, 2)
    other = with_one | {"second": "greedy"}
    row, unlike = arena.pooled([with_one, other, with_two])
    assert (row["games"], unlike["games"]) == (60, 40)
    assert row["score"] == pytest.approx((2 * with_one["score"] + with_two["score"]) / 3)
    assert row["half"] == pytest.approx(((2 * with_one["half"]) ** 2 + with_two["half"] ** 2) ** 0.5 / 3)
    assert row["worst_ms"] == max(with_one["worst_ms"], with_two["worst_ms"])
    with pytest.raises(ValueError, match="twice"):
        arena.pooled([with_one, with_one])
