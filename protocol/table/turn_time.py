"""The time that a charter gives for turns: how much of it is left, and which seats have used it up.

No time is signed. Each client counts by its own clock, from when it learns that a turn has begun; what follows when the
time is up takes the agreement of clients. A client that was resumed counts each player's clock from its full time.
"""

from bisect import bisect
from collections.abc import Collection, Set
from operator import attrgetter

from protocol.events import Slot, SlotKind
from protocol.formation import Clock
from protocol.table.log import latest, takeback_target
from protocol.table.position import Position
from protocol.table.table import Table

BESIDE_A_CLOCK = 60.0
"""Seconds for what clients do without their players, a roll or a deal, where a clock counts the turns."""
BACK_FOR = 60.0
"""Seconds for which a link has to be up again before a player who was cut off loses by time."""


class TurnTime:
    """Runs for each action of a turn, and for each other slot. Times are seconds on any clock that does not go back.

    What was taken back within a turn, and is done again, gets no time of its own: else a turn could last for ever.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._limit = table.charter.body.turn_time
        self._spent: dict[int, float] = {}
        """By a clock: the seconds that each seat has used for its turns, less the increments for them."""
        self._moved = 0
        """The seat that moved last."""
        self._seen: Position | None = None
        """Where the game stood at the last look."""
        self._mover, self._since, self._looked = 0, 0.0, float("inf")
        """The seat to move there (0 if none is), since when the time runs, and when it was last looked at."""
        self._undone = 0
        """How many actions of the turn that is seen are taken back and not done again yet."""
        self._told: set[tuple[Slot, int]] = set()
        self._met, self._apart = False, float("-inf")
        """Whether the players have been linked, and when they were last apart after that."""

    @staticmethod
    def _what(position: Position) -> Slot | int:
        """Return what is due: a slot, or an action of a turn, for which no wish for a draw makes the time longer."""
        return position.plies if position.slot.kind == SlotKind.TURN else position.slot

    def _given(self, seat: int) -> float:
        """Return the seconds that a seat, 0 for none, has for what the time runs for now."""
        if not isinstance(self._limit, Clock):
            return self._limit
        return self._limit.seconds - self._spent.get(seat, 0.0) if seat else BESIDE_A_CLOCK

    def seconds_left(self, now: float) -> float | None:
        """Return how many seconds are left, None where no time runs."""
        fold, seen = self._table.fold, self._seen
        if not self._limit or seen is None or self._what(seen) != self._what(fold.position) or fold.result:
            return None
        return max(0.0, self._since + self._given(self._mover) - now)

    def clock(self, seat: int, now: float) -> float | None:
        """Return how many seconds a seat has left on its clock, None where turns are not counted by one."""
        if not isinstance(self._limit, Clock):
            return None
        running = self.seconds_left(now) if seat == self._mover else None
        return max(0.0, self._given(seat)) if running is None else running

    def late(self, now: float, *, held_up: bool = False) -> tuple[int, ...]:
        """Look at the clock; return the seats that owe a contribution and have no time left.

        `held_up`: one of them can give nothing before others have signed; the time stands still.
        """
        if not self._limit or self._table.fold.result:
            return ()
        self._look(now)
        if held_up:
            self._since += max(0.0, now - self._looked)
        self._looked = now
        return self._table.fold.owing() if self.seconds_left(now) == 0.0 else ()

    def _look(self, now: float) -> None:
        """Go through all that was due since the last look, also where that was for a moment only.

        The time between two looks counts for what was due at the earlier one. A turn that begins and ends between two
        looks costs nothing; a turn during which a look falls costs the time to the next look. Over many turns that is
        as much as they took.
        """
        positions, seen = self._table.fold.positions, self._seen
        if seen is positions[-1]:
            return
        first = bisect(positions, seen.slot, key=attrgetter("slot")) if seen else 0
        if not first or positions[first - 1] is not seen:  # the first look, or an epoch has taken the place of that
            self._seen, first = None, -1
        for position in positions[first:]:
            if self._seen is None or self._begins(self._seen, position):
                self._begin(position, now)
            self._seen = position

    def _begins(self, before: Position, position: Position) -> bool:
        """Return whether time begins at a position, which comes after `before`; note what is taken back there."""
        if not before.slot.kind == position.slot.kind == SlotKind.TURN or before.due != position.due:
            return True
        begins, log = False, self._table.fold.log
        for place in range(before.plies, position.plies):
            to = takeback_target(log[place].actor, log[place].action)
            if to is not None:
                self._undone += len([*latest(log, until=place, since=to)])
            elif self._undone:
                self._undone -= 1
            else:
                begins = True
        return begins

    def _begin(self, position: Position, now: float) -> None:
        """Let the time run for what is due at a position; what was due before goes on the clock of its player."""
        mover = position.givers[0] if position.slot.kind == SlotKind.TURN else 0
        before, self._mover = self._mover, mover
        since, self._since, self._undone = self._since, now, 0
        if not isinstance(self._limit, Clock):
            return
        self._spent[before] = self._spent.get(before, 0.0) + now - since
        if mover and mover != self._moved:
            self._spent[self._moved] = self._spent.get(self._moved, 0.0) - self._limit.increment
            self._moved = mover

    def newly_late(self, late: tuple[int, ...]) -> list[int]:
        """Return the seats in `late` that were not told of at this slot, and note them as told."""
        slot = self._table.fold.position.slot
        news = [seat for seat in late if (slot, seat) not in self._told]
        self._told = {*(one for one in self._told if one[0] == slot), *((slot, seat) for seat in news)}
        return news

    def given_up(self, late: Collection[int], present: Set[int], now: float) -> list[int]:
        """Return the own seats in `late` that are to resign because their time is up. `present`: the linked operators.

        Where several other clients play, they agree to leave a late seat behind. One other client could agree to
        nothing alone, so this client keeps to the turn time that both have signed; so it does alone with bots. It waits

        * until a link that was down has been up again for BACK_FOR seconds,
        * while it has signed an agreement that has not come into force,
        * while an event that the seat signed later, with an older copy of the file, waits for its causes.
        """
        fold, own, held = self._table.fold, self._table.own, self._table.held
        others = fold.playing - {own.operator}
        together = self._together(others <= present, now)
        if not together or len(others) > 1 or own.has_agreed:
            return []
        moves = [seat for seat in late if seat in own.signers and not held.waits(seat)]
        return [seat for seat in moves if not fold.has_resigned(seat)]

    def grace(self, now: float) -> float:
        """Return for how many seconds more neither of two players loses by time, since their link was down."""
        return max(0.0, self._apart + BACK_FOR - now)

    def _together(self, linked: bool, now: float) -> bool:
        """Return whether the players are `linked`, and have been for a while or ever since they first were."""
        self._met = self._met or linked
        if self._met and not linked:
            self._apart = now
        return linked and not self.grace(now)
