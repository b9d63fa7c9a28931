"""The turn time that a charter gives: how much of it is left, and which seats have used it up."""

from protocol.events import Slot, SlotKind
from protocol.table.table import Table


class TurnTime:
    """Runs for each turn, and for each other slot. Times are seconds on any clock that does not go back."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._limit = table.charter.body.turn_time
        self._running: tuple[Slot | int, float] | None = None
        """What the time runs for, and since when."""
        self._told: set[tuple[Slot, int]] = set()

    @property
    def _what(self) -> Slot | int:
        """Return what the time runs for: a slot, or a turn, which no wish for a draw makes longer."""
        position = self._table.fold.position
        return position.plies if position.slot.kind == SlotKind.TURN else position.slot

    def left(self, now: float) -> float | None:
        """Return how many seconds are left, None where no time runs."""
        if not self._limit or self._running is None or self._running[0] != self._what or self._table.fold.result:
            return None
        return max(0.0, self._running[1] + self._limit - now)

    def late(self, now: float) -> tuple[int, ...]:
        """Return the seats that owe a contribution and have no time left."""
        if not self._limit or self._table.fold.result:
            return ()
        if self._running is None or self._running[0] != self._what:
            self._running = self._what, now
        return self._table.fold.owing() if now >= self._running[1] + self._limit else ()

    def newly_late(self, late: tuple[int, ...]) -> list[int]:
        """Return the seats in `late` that were not told of at this slot, and note them as told."""
        slot = self._table.fold.position.slot
        news = [seat for seat in late if (slot, seat) not in self._told]
        self._told = {*(one for one in self._told if one[0] == slot), *((slot, seat) for seat in news)}
        return news
