"""A position of Fidchess Qenqe, and who wins."""

from typing import NamedTuple

RIGANT_TAKEN = "Rigant captured"
DISKS_TAKEN = "no disks left"


class Rules(NamedTuple):
    """The number of seats and the options that matter during play; 0 is off or false."""

    seats: int
    repetition: int
    turn_limit: int
    rigant_stacking: int
    quen: int
    elimination: int
    left_wins: int
    partners: int

    @property
    def highest(self) -> int:
        """Return the most pieces in a stack."""
        return 4 + self.quen


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


def partner(seat: int) -> int:
    """Return the seat opposite, at a table of four."""
    return (seat + 1) % 4 + 1


def winners_over(loser: int, seat: int, playing: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """Return who wins when a move of `seat` puts `loser` out."""
    if rules.partners:
        return tuple(other for other in playing if other not in (loser, partner(loser)))
    return (playing[playing.index(loser) - 1] if rules.left_wins else seat,)
