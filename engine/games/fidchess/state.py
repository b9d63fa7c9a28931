"""A position of Fidchess."""

from functools import cached_property
from typing import NamedTuple

from engine.games.fidchess.reach import Reaches, reaches

RIGANT_TAKEN = "Rigant captured"
DISKS_TAKEN = "all disks captured"


class _Rules(NamedTuple):
    repetition: int
    turn_limit: int
    rigant_stacking: int
    quen: int


class Rules(_Rules):
    """The options that matter during play; 0 is off or false."""

    @property
    def highest(self) -> int:
        """Return the most pieces in a stack."""
        return 4 + self.quen

    @cached_property
    def counting(self) -> bool:
        """Return whether positions or actions are counted, either of which may end the game."""
        return self.repetition > 0 or self.turn_limit > 0

    @cached_property
    def reaches(self) -> Reaches:
        """Return what each stack on each space may do."""
        return reaches(self.rigant_stacking, self.highest)


class State(NamedTuple):
    """A position. `board` and `disks` follow from `cells` and are not packed."""

    cells: bytes
    """The stack on each of the 32 spaces."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    actions: int
    winner: int
    """0 while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """Every position that occurred, if repetition counts."""
    rules: Rules
    board: int
    """The stacks and the views of the seats: see `board_of`."""
    disks: tuple[int, int, int]
    """How many disks each seat has on the board, by seat; 0 for no seat."""
