"""What may be looked at of a table among peers, which stays the same while a thread works on the table."""

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.endings import End
from protocol import Agreement, Node, Position


class Shown:
    """A table among peers as the last effect, or the last job, has left it.

    Each part is worked out when it is first asked for, and all at once before a thread works on the table: then nothing
    changes them. What is named as in `Node`, `Fold` or `GoingOn` means the same.
    """

    def __init__(self, node: Node) -> None:
        self._node, self._fold, self._going_on = node, node.table.fold, node.going_on

    def work_out(self) -> None:
        """Work out all parts."""
        for part in PARTS:
            getattr(self, part)

    @cached_property
    def position(self) -> Position:
        return self._fold.position

    @cached_property
    def end(self) -> End:
        return End.of(self._node.table)

    @cached_property
    def views(self) -> Mapping[int, Any]:
        """The state as each own seat sees it."""
        own = self._node.table.own
        return {seat: own.view(seat) for seat in own.signers}

    @cached_property
    def linked(self) -> tuple[bytes, ...]:
        """The peers with a link."""
        return self._node.linked

    @cached_property
    def unheard(self) -> tuple[int, ...]:
        return self._node.unheard

    @cached_property
    def own_waits(self) -> bool:
        return self._node.own_waits

    @cached_property
    def seconds_left(self) -> float | None:
        return self._node.seconds_left

    @cached_property
    def clocks(self) -> tuple[float | None, ...]:
        """What each seat has left on a clock, seat 1 first."""
        return tuple([self._node.clock(seat) for seat in range(1, len(self._fold.operators) + 1)])

    @cached_property
    def has_agreed(self) -> bool:
        """Whether this client has signed an agreement, and can sign nothing else until one is in force."""
        return self._node.table.own.has_agreed

    @cached_property
    def owing(self) -> tuple[int, ...]:
        return self._fold.owing()

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        return tuple(self._fold.agreements)

    @cached_property
    def resigned(self) -> frozenset[int]:
        """The live seats that have signed a resignation."""
        return frozenset(filter(self._fold.has_resigned, self.position.live))

    @cached_property
    def draws_waiting(self) -> Mapping[int, bool]:
        return self._fold.draws_waiting()

    @cached_property
    def proposed(self) -> Mapping[int, Agreement]:
        return self._going_on.proposed

    @cached_property
    def wanted(self) -> frozenset[int]:
        return frozenset(self._going_on.wanted)

    @cached_property
    def unwanted(self) -> frozenset[int]:
        return frozenset(self._going_on.unwanted)

    @cached_property
    def missing(self) -> tuple[int, ...]:
        return self._going_on.missing()

    @cached_property
    def held_up(self) -> bool:
        return self._going_on.held_up

    @cached_property
    def could_be_left(self) -> frozenset[int]:
        return frozenset(self._going_on.could_be_left())

    @cached_property
    def dispensable(self) -> frozenset[int]:
        """The operators without which the player here may want to go on now."""
        table, live = self._node.table, self.position.live
        seats = {one: {seat for seat in live if table.operator(seat) == one} for one in self.could_be_left}
        return frozenset([one for one in seats if not self.unheard and self._fold.enough(seats[one])])

    def too_few(self, operators: Set[int]) -> bool:
        """Return whether too few would stay if these operators left; not to be asked while a thread works."""
        table = self._node.table
        return not self._fold.enough({seat for seat in self.position.live if table.operator(seat) in operators})

    @cached_property
    def may_go_on(self) -> bool:
        """Whether a game that two versions of an event have ended may prove not to be over."""
        return self._fold.broken is not None and self._fold.may_go_on(self._node.table.own.signers)


PARTS = tuple(name for name, part in vars(Shown).items() if isinstance(part, cached_property))


class ShownTable(TableSession):
    """A table among peers, at which nothing is looked at but what is `shown`, whether a thread works on it or not."""

    def __init__(self, node: Node, people: Sequence[int]) -> None:
        super().__init__(node.table, people)
        self._node = node
        self.shown = Shown(node)

    def thread_begins(self) -> None:
        """Work out all that may be looked at while a thread works on the table."""
        self.shown.work_out()

    def note_change(self) -> None:
        """Have the table looked at anew; not while a thread works on it."""
        self.shown = Shown(self._node)

    @property
    def position(self) -> Position:
        return self.shown.position

    @property
    def end(self) -> End:
        return self.shown.end

    @property
    def owing(self) -> tuple[int, ...]:
        return self.shown.owing

    def seen_by(self, seat: int) -> Any:
        return self.shown.views.get(seat, self.shown.position.state)
