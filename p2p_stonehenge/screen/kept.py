"""Messages that must not be overlooked: they stand below the prompt where they are out of sight above the board."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from p2p_stonehenge.screen.views import Line

ROWS = 4
"""Rows that messages out of sight may take of the board; the newest one may take more, if the window has them."""


class _Message(NamedTuple):
    line: Line
    printed: int | None
    """How many rows had been printed before it; None for a message that is shown below the prompt in any case."""
    stands: Callable[[], bool]
    """Whether it is still so."""
    points: bool
    """Whether it points to what was printed there, and is shown only where that is out of sight."""

    def is_gone(self, above: int) -> bool:
        """Return whether it is out of sight, where the first `above` of the printed rows are."""
        return self.printed is None or self.printed < above


class Kept:
    """The messages since something was typed last, the newest one last; one that is said twice stands once."""

    def __init__(self) -> None:
        self._messages: list[_Message] = []

    def add(
        self, line: Line, printed: int | None, stands: Callable[[], bool] = lambda: True, *, points: bool = False
    ) -> None:
        """Keep a line, as long as it `stands`, that is about to be printed behind so many rows.

        With None it is shown below the prompt in any case. One that `points` to what is printed there is not shown
        where only other messages are out of sight.
        """
        others = [one for one in self._messages if one.line != line]
        self._messages = [*others, _Message(line, printed, stands, points)]

    def drop(self) -> None:
        """Keep none of them any longer."""
        self._messages = []

    def out_of_sight(self, first: Callable[[], int], rows: Callable[[Sequence[Line]], int]) -> list[Line]:
        """Return the newest messages, if any of them is not to be seen above the board.

        `first` returns how many rows were printed before the first one in sight, `rows` how many rows lines take.
        """
        self._messages = [one for one in self._messages if one.stands()]
        if not self._messages:
            return []
        above = first()
        room, shown = ROWS, list[_Message]()
        for one in reversed([one for one in self._messages if not one.points or one.is_gone(above)]):
            room -= rows([one.line])
            if shown and room < 0:
                break
            shown.insert(0, one)
        return [one.line for one in shown] if any(one.is_gone(above) for one in shown) else []
