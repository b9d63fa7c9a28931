"""How many lines a player is told about one cause: what others do again and again must not fill the screen."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol import Allowances

AT_ONCE, EVERY = 4, 15.0
"""Lines about one cause that come at once, and seconds for each one after that: 8 in any minute."""
MAX_CAUSES = 256


class Sparing:
    """Says which lines may be told. `clock` returns the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    @cached_property
    def _lines(self) -> "Allowances":
        from protocol import Allowances  # the start page is there before the protocol is loaded

        return Allowances(AT_ONCE, EVERY, MAX_CAUSES)

    def take(self, cause: str) -> bool:
        """Return whether another line about a cause may be told now, and count it if so."""
        return self._lines.take(cause, self._clock())
