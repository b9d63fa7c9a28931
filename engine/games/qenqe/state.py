"""A position of Fidchess Qenqe, and who wins."""

from functools import cached_property
from typing import NamedTuple

from engine.games.qenqe.options import Options, partner
from engine.games.qenqe.planes import Coding, coding
from engine.games.qenqe.reach import Reaches, reaches

RIGANT_TAKEN = "Rigant captured"
DISKS_TAKEN = "no disks left"


class Rules(Options):
    """The options with the tables that follow from them."""

    @cached_property
    def codes(self) -> Coding:
        """Return the bits of stacks in a board."""
        return coding(self)

    @cached_property
    def reaches(self) -> tuple[tuple[Reaches, ...], ...]:
        """Return what stacks reach: [kind of movement][space]."""
        return reaches(self)


class State(NamedTuple):
    """A position. `board` follows from `cells` and is not packed."""

    cells: tuple[str, ...]
    """The stack on each of the 120 spaces."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    playing: tuple[int, ...]
    """The seats that have not resigned."""
    actions: int
    winners: tuple[int, ...]
    """Empty while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """Every position since the last resignation, if repetition counts: those before it cannot come again."""
    rules: Rules
    board: int


def winners_over(loser: int, seat: int, playing: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """Return who wins when a move of `seat` puts `loser` out."""
    if rules.partners:
        return tuple(other for other in playing if other not in (loser, partner(loser)))
    return (playing[playing.index(loser) - 1] if rules.left_wins else seat,)
