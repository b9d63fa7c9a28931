"""A position of Fidchell."""

from functools import cached_property
from typing import NamedTuple

from engine.games.fidchell.board import Board, board_of

CHAINED = "chain to the king"
REDUCED = "too few pieces"
STUCK = "nobody can move"


class _Rules(NamedTuple):
    repetition: int
    turn_limit: int
    layout: str
    sections: int
    pieces: int
    dormant_king: int


class Rules(_Rules):
    """The options that matter during play; 0 is off or false."""

    @cached_property
    def board(self) -> Board:
        """Return the tables of the board."""
        return board_of(self.layout, self.sections)

    @cached_property
    def counting(self) -> bool:
        """Return whether positions or actions are counted, either of which may end the game."""
        return self.repetition > 0 or self.turn_limit > 0


class State(NamedTuple):
    """A position. Tuples have an entry for each seat. What follows `rules` follows from the rest and is not packed."""

    standing: tuple[int, ...]
    """Each seat's pieces on the board: their fields, which alone are packed, and where they are in the lanes."""
    hands: tuple[int, ...]
    """The pieces in hand."""
    playing: tuple[int, ...]
    """The seats that are neither out nor resigned, in order; the pieces of the others are obstacles."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    actions: int
    winner: int
    """0 while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """If repetition counts, the positions since a piece was last placed or captured, or a seat resigned."""
    rules: Rules
    empty: int
    """The bits of the board where no piece stands; walls are not among them."""
    crowds: int
    """The number of pieces on each circle: `NOBODY`, and `Board.crowd` for each piece."""
    joined: tuple[int, ...]
    """The fields where a piece of each seat is joined to the king, as `Board.joined` has them."""
    ways: int = 0
    """What the seat to act may do; 0 if no seat is to act."""

    @property
    def men(self) -> tuple[int, ...]:
        """The fields that hold each seat's pieces."""
        fields = self.rules.board.fields
        return tuple([some & fields for some in self.standing])
