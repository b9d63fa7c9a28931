"""What Byzantine Kingamon's bots go by: the race, kings and disks that stand alone, the cube."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kingamon_positions import RED, WHITE, game, option_sets, side

from engine import OptionValue
from engine.games.kingamon import ANSWER, CHOOSE, GAME, ROLL, State


def standing(
    white: bytes,
    red: bytes,
    *,
    seat: int = WHITE,
    phase: int = ROLL,
    stake: int = 1,
    owner: int = 0,
    **options: OptionValue,
) -> State:
    return GAME.start({"first": 1, **options}, 2)._replace(
        phase=phase, seat=seat, white=white, red=red, stake=stake, owner=owner
    )


def race(**white: int) -> State:
    """White and Red far past each other: Red has all disks on space 6."""
    return standing(side(WHITE, "s29", **white), side(RED, "s1", s6=10))


@pytest.mark.many
@settings(deadline=None)
@given(option_sets, st.integers(0, 2**32 - 1))
def test_what_one_side_hopes_for_the_other_fears(options: Mapping[str, OptionValue], seed: int) -> None:
    for state, _, _ in game(options, Random(seed)):
        assert GAME.worth(state, WHITE) == -GAME.worth(state, RED)
        assert abs(GAME.worth(state, WHITE)) <= 1000 * state.stake


def test_a_won_game_is_worth_the_stake_and_a_drawn_one_nothing() -> None:
    state = standing(side(WHITE, s2=10), side(RED, s28=10), stake=4, owner=RED, cube=True)
    assert GAME.worth(GAME.apply(state, WHITE, "resign"), RED) == 4000
    assert GAME.worth(GAME.apply(state, 0, "draw"), RED) == 0


def test_pips_decide_a_race_and_the_more_the_nearer_its_end() -> None:
    assert GAME.worth(race(s24=10), WHITE) > GAME.worth(race(s23=10), WHITE) > GAME.worth(race(s20=10), WHITE)
    near = standing(side(WHITE, "off", s28=1), side(RED, "off", s8=1))
    far = standing(side(WHITE, "s4", s4=10), side(RED, "start", s26=9, s28=1))
    assert GAME.worth(near, WHITE) > 2 * GAME.worth(far, WHITE) > 0, "both are 6 pips ahead"


def test_with_quick_only_the_kings_run() -> None:
    ahead = standing(side(WHITE, "s29", s2=10), side(RED, "s25", s6=10), quick=True)
    assert GAME.worth(ahead, WHITE) > 600


@pytest.mark.parametrize("roller", [WHITE, RED])
def test_a_king_alone_before_the_enemy_is_a_danger(roller: int) -> None:
    enemy = side(RED, s14=2, s28=8)
    alone = standing(side(WHITE, "s8", s2=10), enemy, seat=roller)
    guarded = standing(side(WHITE, "s8", s8=1, s2=9), enemy, seat=roller)
    assert GAME.worth(alone, WHITE) < GAME.worth(guarded, WHITE) - 100


def test_no_king_is_in_danger_behind_its_enemies_or_on_a_neutral_space() -> None:
    enemy = side(RED, s14=2, s28=8)
    behind = standing(side(WHITE, "s29", s2=10), enemy, seat=RED)
    assert GAME.worth(behind, WHITE) > GAME.worth(standing(side(WHITE, "s27", s2=10), enemy, seat=RED), WHITE)
    neutral, beside = (standing(side(WHITE, king, s2=10), enemy, seat=RED) for king in ("s12", "s13"))
    assert GAME.worth(neutral, WHITE) > GAME.worth(beside, WHITE)


def test_a_disk_that_may_be_captured_costs_its_way() -> None:
    enemy = side(RED, s29=10)
    pairs, alone = (standing(side(WHITE, "s2", s24=two, s25=2 - two, s2=8), enemy, seat=RED) for two in (2, 1))
    assert GAME.worth(pairs, WHITE) > GAME.worth(alone, WHITE)


def test_the_cube_is_worth_more_to_the_side_that_holds_it() -> None:
    even = [standing(side(WHITE, "s2", s2=10), side(RED, "s28", s28=10), owner=one, cube=True) for one in (1, 0, 2)]
    mine, nobodys, theirs = (GAME.worth(state, WHITE) for state in even)
    assert mine > nobodys > theirs


def test_at_the_top_stake_nobody_may_double_so_that_the_cube_is_worth_nothing() -> None:
    even = side(WHITE, "s2", s2=10), side(RED, "s28", s28=10)
    plain = GAME.worth(standing(*even, stake=64), WHITE)
    assert plain
    for owner in (0, WHITE, RED):
        assert GAME.worth(standing(*even, stake=64, owner=owner, cube=True), WHITE) == plain


@pytest.mark.parametrize(
    ("white", "answer"), [({"s20": 10}, "take"), ({"s17": 10}, "take"), ({"s8": 10}, "drop"), ({"s2": 10}, "drop")]
)
def test_a_double_is_dropped_in_a_lost_race_only(white: dict[str, int], answer: str) -> None:
    state = standing(side(WHITE, "s29", **white), side(RED, "s1", s10=10), phase=ANSWER, stake=1, cube=True)
    better = max(GAME.legal(state, WHITE), key=lambda action: GAME.worth(GAME.apply(state, WHITE, action), WHITE))
    assert better == answer


def test_nobody_doubles_at_the_start() -> None:
    state = GAME.start({"first": 1, "cube": True}, 2)._replace(phase=CHOOSE)
    taken = GAME.apply(GAME.apply(state, WHITE, "double"), RED, "take")
    assert GAME.worth(taken, WHITE) < GAME.worth(GAME.apply(state, WHITE, "roll"), WHITE)
