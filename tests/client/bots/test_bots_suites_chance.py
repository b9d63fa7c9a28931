"""What bots must find in Byzantine Kingamon and Celtic Whist, in positions kept as data and proven again here."""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from suite_proofs import asked

from engine.games import celtic_whist as whist
from engine.games import kingamon
from p2p_stonehenge.bots.celtic_whist import BOT as WHIST_BOT
from p2p_stonehenge.bots.kingamon import BOT as KINGAMON_BOT
from p2p_stonehenge.bots.kingamon.race import bear_off
from p2p_stonehenge.bots.thought import always

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import make_suites_chance as suites  # noqa: E402  after the path is set

WASTE = 0.003
"""Turns that the rounding of the table may hide."""
SOME, ALL = 12, 300


def lines(game: str, kind: str, count: int) -> list[list[Any]]:
    """The first lines of a suite."""
    rows: list[list[Any]] = json.loads((ROOT / "tests" / "data" / "suites" / f"{game}.json").read_text())[kind]
    assert len(rows) == ALL
    return rows[:count]


def played(state: kingamon.State, level: int) -> kingamon.State:
    """The state after a roll that a bot has played."""
    seat = state.seat
    while state.phase == kingamon.PLAY and state.seat == seat:
        action = state.plays[0]
        if len(state.plays) > 1:
            action = KINGAMON_BOT.candidates(state, seat, level, Random(1), always)[0].action
        state = kingamon.GAME.apply(state, seat, action)
    return state


@pytest.mark.parametrize("level", [2, 3, 4, 5])
@pytest.mark.parametrize("count", [SOME, pytest.param(ALL, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_no_bot_above_the_first_level_leaves_its_king_a_shot_when_it_need_not(level: int, count: int) -> None:
    for row in asked(lines("kingamon", "king", count), level):
        assert not suites.king_in_danger(played(suites.position(row), level)), row


@pytest.mark.parametrize("count", [SOME, pytest.param(ALL, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_the_highest_level_bears_off_without_waste(count: int) -> None:
    table = bear_off(True)
    for row in asked(lines("kingamon", "bear off", count), 5):
        state = suites.position(row)
        left = {end: table[suites.home_of(end, row[2])] for end in suites.played_out(state)}
        assert max(left.values()) > min(left.values()) + WASTE, "some play is waste"
        assert left[played(state, 5)] <= min(left.values()) + WASTE, row


@pytest.mark.parametrize("kind", ["two", "sure", "team"])
@pytest.mark.parametrize("count", [SOME, pytest.param(ALL, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_the_highest_level_plays_the_last_four_tricks_as_well_as_can_be(kind: str, count: int) -> None:
    for row in asked(lines("celtic-whist", kind, count), 5):
        state = suites.standing(row)
        assert state.phase == whist.PLAY
        assert len(whist.members(state.hands[state.seat - 1])) == suites.CARDS
        found = suites.worths(state)
        assert max(found.values()) > min(found.values()), "some card is worse"
        best = WHIST_BOT.candidates(state, state.seat, 5, Random(1), always)[0].action
        assert found[best] == pytest.approx(max(found.values())), row


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_king_suite_is_of_positions_with_a_choice() -> None:
    for row in asked(lines("kingamon", "king", ALL), 2):
        ends = suites.played_out(suites.position(row))
        assert len({suites.king_in_danger(end) for end in ends}) == 2, row
