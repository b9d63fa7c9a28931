"""The options of Fidchess Qenqe that matter during play."""

from typing import NamedTuple


class Options(NamedTuple):
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


def partner(seat: int) -> int:
    """Return the seat opposite, at a table of four."""
    return (seat + 1) % 4 + 1
