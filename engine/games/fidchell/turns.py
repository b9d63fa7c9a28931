"""Who acts next in Fidchell, and what that seat may do."""

from collections.abc import Sequence
from itertools import combinations

from engine.games.fidchell.board import TWO, UP_TO_TWO, Board
from engine.games.fidchell.state import State
from engine.house import build


def _turns_after() -> dict[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    every = [playing for count in range(1, 4) for playing in combinations(range(1, 4), count)]
    return {
        playing: tuple(tuple(sorted(playing, key=lambda other: (other <= seat, other))) for seat in range(4))
        for playing in every
    }


TURNS_AFTER = _turns_after()
"""`TURNS_AFTER[playing][seat]`: the seats still playing in the order of their turns after that of `seat`, which comes
last."""


def turn(
    board: Board, standing: tuple[int, ...], hands: tuple[int, ...], empty: int, crowds: int, order: Sequence[int]
) -> tuple[int, int]:
    """Return the first seat of `order` that can act, and what it may do, a bit for each action; (0, 0) if none can."""
    for seat in order:
        if hands[seat - 1]:
            ways = empty & board.fields
        else:
            # The sum carries each piece through the empty bits before it: these are the bits that change.
            ways = (empty + ((standing[seat - 1] & board.starts) << 1) ^ empty) & empty
            ways &= board.once[crowds + UP_TO_TWO & TWO]
        if ways:
            return seat, ways
    return 0, 0


def with_turn(state: State, seat: int) -> State:
    """Return a state in which it is the turn of `seat`, which may be able to do nothing: for bots."""
    if state.to_move == seat:
        return state
    standing, hands, playing, _, actions, winner, reason, history, rules, empty, crowds, joined, _ = state
    _, ways = turn(rules.board, standing, hands, empty, crowds, (seat,))
    return build(
        State,
        (standing, hands, playing, seat, actions, winner, reason, history, rules, empty, crowds, joined, ways),
    )
