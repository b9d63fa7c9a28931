"""The actions of Fidchell that capture."""

from functools import reduce
from operator import or_

from engine.game import Action
from engine.games.fidchell.board import fields_of
from engine.games.fidchell.state import State


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
