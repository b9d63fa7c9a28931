"""Positions that have one answer: what they claim is proven, and bots find it from a level on."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import suite_proofs
from suite_proofs import GAMES, KINDS, asked, entries, good, position, proven

from engine import Game, Turn, all_games
from p2p_stonehenge.bots.players import LEVELS
from p2p_stonehenge.bots.thinking import bot_of

FROM_LEVEL = {"win in one": 2, "keep": 2, "win in two": 3}


@pytest.mark.parametrize("fast", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", GAMES)
def test_what_a_suite_claims_holds_by_the_rules(key: str, kind: str, fast: bool) -> None:
    game = all_games()[key]
    for entry in entries(key, kind, fast):
        assert proven(game, position(entry, key), kind) == good(entry)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["keep", "win in two"])
@pytest.mark.parametrize("key", ["qenqe", "fidchell"])
def test_what_proofs_leave_out_changes_nothing(key: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def every(game: Game[Any], state: Any, seat: int, *_: int) -> Sequence[str]:
        return game.legal(state, seat)

    monkeypatch.setattr(suite_proofs, "may_win", every)
    monkeypatch.setattr(suite_proofs, "may_save", every)
    game = all_games()[key]
    for entry in entries(key, kind, fast=True):
        assert proven(game, position(entry, key), kind) == good(entry)


CASES = [(kind, level) for kind in KINDS for level in range(FROM_LEVEL[kind], len(LEVELS))]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("kind", "level", "fast"),
    [(kind, level, True) for kind, level in CASES if level < 4]
    + [pytest.param(kind, level, False, marks=pytest.mark.slow) for kind, level in CASES],
)
@pytest.mark.parametrize("key", GAMES)
def test_bots_find_what_their_level_must_find(key: str, kind: str, level: int, fast: bool) -> None:
    game, missed = all_games()[key], []
    suite = asked(entries(key, kind, fast), level)
    for number, entry in enumerate(suite):
        state = position(entry, key)
        due = game.pending(state)
        assert isinstance(due, Turn)
        played = bot_of(game).think(state, due.seat, level, Random(number))[0].action
        if played not in good(entry):
            missed.append((number, played, good(entry)))
    assert suite
    assert missed == []
