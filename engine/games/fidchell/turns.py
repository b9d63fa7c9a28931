"""Who acts next in Fidchell, and what that seat may do."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from engine.game import Action
from engine.games.fidchell.board import CROWDED, Board, fields_of
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


def ways_of(board: Board, own: int, hand: int, empty: int, crowds: int) -> int:
    """Return what a seat may do that has the pieces `own` on the board and `hand` pieces in hand: a bit each action."""
    if hand:
        return empty & board.fields
    # The sum carries each piece through the empty bits before it: these are the bits that change.
    return (empty + ((own & board.starts) << 1) ^ empty) & empty & board.once[crowds & CROWDED]


def turn(state: State, order: Sequence[int]) -> tuple[int, int]:
    """Return the first seat of `order` that can act, and what it may do; (0, 0) if none can."""
    for seat in order:
        own, hand = state.standing[seat - 1], state.hands[seat - 1]
        if ways := ways_of(state.rules.board, own, hand, state.empty, state.crowds):
            return seat, ways
    return 0, 0


def with_turn(state: State, seat: int) -> State:
    """Return a state in which it is the turn of `seat`, which may be able to do nothing: for bots."""
    if state.to_move == seat:
        return state
    standing, hands, playing, _, actions, winner, reason, history, rules, empty, crowds, joined, _ = state
    ways = ways_of(rules.board, standing[seat - 1], hands[seat - 1], empty, crowds)
    return build(
        State,
        (standing, hands, playing, seat, actions, winner, reason, history, rules, empty, crowds, joined, ways),
    )


def captures(state: State) -> list[Action]:
    """Return the actions of the seat to act that capture, in the order of `legal`."""
    rules, seat = state.rules, state.to_move
    board, own = rules.board, state.standing[seat - 1]
    others = reduce(or_, (state.standing[other - 1] for other in state.playing if other != seat), 0)
    kings = 0 if rules.dormant_king and 0 not in state.hands else board.kings
    # An opponent's piece one step ahead in a lane, and a friend's or the king two steps ahead.
    caught = others >> 1 & (own | kings) >> 2 & board.starts
    targets = reduce(or_, (board.pieces[board.field_at[bit]] for bit in fields_of(caught)), 0)
    found = []
    for bit in fields_of(state.ways & targets):
        field, origin = board.field_at[bit], board.origin(bit, own)
        # A piece that moves away is no friend any more where it stood.
        left = board.pieces[board.field_at[origin]] if origin >= 0 else 0
        if board.ahead[field] & others & ((own ^ left) | kings) >> 1:
            found.append(board.text(bit, origin))
    return found
