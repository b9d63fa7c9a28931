"""Bots at Celtic Whist: they see their own view alone, bid and play by the rules, and the better level wins."""

from random import Random

import pytest

from engine import CHANCE, Chance, Over, Turn
from engine.games.celtic_whist import GAME
from p2p_stonehenge.bots.players import choose
from protocol import draw_locally


def played(seats, seed, levels, **options):
    """Return the result of a game between bots of these levels."""
    rng, state = Random(seed), GAME.start(options, seats)
    while not isinstance(due := GAME.pending(state), Over):
        if isinstance(due, Chance):
            state = GAME.apply(state, CHANCE, draw_locally(due.draw, rng.randbytes(32)))
        else:
            assert isinstance(due, Turn)
            action = choose(GAME, GAME.view(state, due.seat), due.seat, levels[due.seat - 1], rng)
            assert GAME.refuse(state, due.seat, action) is None
            state = GAME.apply(state, due.seat, action)
    return due.result


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {"black_must_follow": True}), (3, {"doubling": True, "restrictive_null": True}), (4, {})],
)
def test_level_one_beats_chance(seats, options):
    better = [1 + seed % seats for seed in range(4)]
    results = [
        played(seats, seed, [int(seat == smart) for seat in range(1, seats + 1)], **options)
        for seed, smart in enumerate(better)
    ]
    mine = sum(result.points[smart - 1] for smart, result in zip(better, results, strict=True))
    assert 2 * mine > sum(sum(result.points) for result in results)


@pytest.mark.parametrize(("seats", "options"), [(1, {}), (5, {"all_cards": True}), (2, {"cooperative": True})])
def test_every_kind_of_game_comes_to_its_end(seats, options):
    assert played(seats, 5, [1] * seats, **options).reason in (
        "30 points reached",
        "the timer reached 30",
        "no points left",
    )
