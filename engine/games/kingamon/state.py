"""A position of Byzantine Kingamon."""

from typing import NamedTuple

from engine.game import Action

QUICK, REMOVED, KING_BAR, BACKGAMMON, BAR_FIRST, SAFE, ACEY, CUBE = (1 << bit for bit in range(8))
"""The options that matter once the game has begun, as bits of `State.rules`."""

FIRST, CHOOSE, ANSWER, ROLL, PLAY = range(5)
"""Phases: draw who begins; roll or double; take or drop; roll; play a die."""
ALL_OFF, KING_OFF, CAPTURED, DROPPED, RESIGNED, AGREED = range(5, 11)
"""Phases of a game that is over."""
REASONS = {
    ALL_OFF: "all pieces borne off",
    KING_OFF: "king borne off",
    CAPTURED: "king captured",
    DROPPED: "double dropped",
    RESIGNED: "resigned",
    AGREED: "draw agreed",
}


TOP_STAKE = 64
"""The stake at which nobody may double any more."""


class State(NamedTuple):
    """A position. `white` and `red` are sides: see `board`. `plays` follows from the rest and is not packed."""

    rules: int
    phase: int
    seat: int
    """The seat that acts or rolls; when the game is over, the winner; 0 before the first draw and after a draw."""
    white: bytes
    red: bytes
    dice: bytes
    """The dice still to play, in the order rolled; only in the phase PLAY."""
    again: int
    """1 if `seat` rolls again when it has played."""
    stake: int
    owner: int
    """The seat that holds the cube, 0 for both."""
    plays: tuple[Action, ...] = ()
    """What `seat` may play; only in the phase PLAY."""
