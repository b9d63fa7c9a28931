"""What searching bots ask of some games: captures alone, and facts that are kept from move to move."""

import re
from random import Random
from typing import Any

import pytest
from golden import MORE, choice
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import OptionValue, Over, Turn
from engine.games import fidchell, fidchess, kingamon, qenqe

FLAGS = {
    "fidchell": ("dormant_king",),
    "fidchess": ("rigant_stacking", "quen"),
    "kingamon": ("quick", "bar_first", "safe_spaces", "cube"),
    "qenqe": ("rigant_stacking", "quen", "elimination", "left_wins", "partners"),
}


def captures_fidchess(state: fidchess.State, action: str) -> bool:
    """By the stacks of the other seat that are left."""
    after = fidchess.GAME.apply(state, state.to_move, action)
    other = 3 - state.to_move
    return sum(cell >> 4 == other for cell in after.cells) < sum(cell >> 4 == other for cell in state.cells)


def captures_fidchell(state: fidchell.State, action: str) -> bool:
    """By the pieces of the other seats that are left."""
    after = fidchell.GAME.apply(state, state.to_move, action)
    pairs = enumerate(zip(state.men, after.men, strict=True), 1)
    return any(before != left for seat, (before, left) in pairs if seat != state.to_move)


def captures_kingamon(state: kingamon.State, action: str) -> bool:
    """By the pieces of the other side that are left on their places."""
    after = kingamon.GAME.apply(state, state.seat, action)
    sides = (state.red, after.red) if state.seat == 1 else (state.white, after.white)
    before, left = (sum(byte % 16 + byte // 16 for byte in side[1:]) for side in sides)
    return left < before


def captures_qenqe(state: qenqe.State, action: str) -> bool:
    """By whose stack lies on the space that is landed on."""
    there = [state.cells[qenqe.INDEX[space]] for space in re.findall("[A-D][0-9]+", action)[1:]]
    return ">" not in action and there[0] != "" and qenqe.owner(there[0]) != state.to_move


def losers_fidchess(state: fidchess.State, action: str) -> set[int]:
    return {3 - state.to_move} if captures_fidchess(state, action) else set()


def losers_fidchell(state: fidchell.State, action: str) -> set[int]:
    """By the pieces of each other seat that are left."""
    after = fidchell.GAME.apply(state, state.to_move, action)
    pairs = enumerate(zip(state.men, after.men, strict=True), 1)
    return {seat for seat, (before, left) in pairs if before != left and seat != state.to_move}


def losers_kingamon(state: kingamon.State, action: str) -> set[int]:
    return {3 - state.seat} if captures_kingamon(state, action) else set()


def losers_qenqe(state: qenqe.State, action: str) -> set[int]:
    """By what of the stack that is landed on is no more: its Rigant, or all of it, however else its disks go on."""
    if not captures_qenqe(state, action):
        return set()
    origin, target = (qenqe.INDEX[space] for space in re.findall("[A-D][0-9]+", action)[:2])
    stack, there = state.cells[origin], state.cells[target]
    removed = state.rules.elimination or (stack.islower() and not state.rules.rigant_stacking)
    return {qenqe.owner(there)} if removed or there != there.upper() else set()


CASES = [
    (fidchell, captures_fidchell, losers_fidchell),
    (fidchess, captures_fidchess, losers_fidchess),
    (kingamon, captures_kingamon, losers_kingamon),
    (qenqe, captures_qenqe, losers_qenqe),
]


@pytest.mark.parametrize(("game", "is_capture", "losers"), CASES, ids=lambda case: getattr(case, "__name__", ""))
@settings(deadline=None, max_examples=20 * MORE)
@given(st.integers(0, 2**32), st.data())
def test_captures_are_those_among_the_legal_moves_and_are_told_with_whose_pieces_they_take(
    game: Any, is_capture: Any, losers: Any, seed: int, data: st.DataObject
) -> None:
    rng = Random(seed)
    seats = data.draw(st.sampled_from(game.GAME.seats))
    flags = [flag for flag in FLAGS[game.GAME.key] if flag != "partners" or seats == 4]
    options: dict[str, OptionValue] = {flag: data.draw(st.booleans(), flag) for flag in flags}
    if game is fidchell:
        options |= {"layout": "101", "sections": 5, "pieces": data.draw(st.integers(7, 20), "pieces")}
    state = game.GAME.start(options, seats)
    for _ in range(120):
        due = game.GAME.pending(state)
        if isinstance(due, Over):
            return
        actor, action = choice(game.GAME, state, due, rng)
        if isinstance(due, Turn):
            legal = game.GAME.legal(state, actor)
            found = game.captures(state)
            assert found == [move for move in legal if is_capture(state, move)]
            action = rng.choice(found) if found and rng.random() < 0.2 else action
            takes = [event.takes for event in game.GAME.story(state, actor, action) if event.takes]
            assert takes == [(*sorted(taken),) for taken in [losers(state, action)] if taken], action
        state = game.GAME.apply(state, actor, action)


@settings(deadline=None, max_examples=20 * MORE)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_fidchess_counts_the_disks_on_the_board(seed: int, stacking: bool, quen: bool) -> None:
    game, rng = fidchess.GAME, Random(seed)
    state = game.start({"first": 1, "rigant_stacking": stacking, "quen": quen}, 2)
    while not state.reason and state.actions < 200:
        assert state.disks == (0, fidchess.disks(state.cells, 1), fidchess.disks(state.cells, 2))
        state = game.apply(state, state.to_move, rng.choice(game.legal(state, state.to_move)))
