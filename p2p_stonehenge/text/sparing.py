"""How many lines a player is told about one cause: what others do again and again must not fill the screen."""

from collections.abc import Callable

AT_ONCE, EVERY = 4, 15.0
"""Lines about one cause that come at once, and seconds for each one after that: 8 in any minute."""
MAX_CAUSES = 256


class Sparing:
    """Says which lines may be told. `clock` returns the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spent: dict[str, float] = {}
        """When each cause will have all its lines again; the cause told of last stands at the end."""

    def allows(self, cause: str) -> bool:
        """Return whether another line about a cause may be told now, and count it if so."""
        now = self._clock()
        until = max(now, self._spent.pop(cause, now))
        allowed = until < now + (AT_ONCE - 1) * EVERY + EVERY / 1000
        self._spent[cause] = until + EVERY if allowed else until
        if len(self._spent) > MAX_CAUSES:
            del self._spent[next(iter(self._spent))]
        return allowed
