"""What may be looked at of a table among peers: one value, which stays the same while a thread works on the table."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from p2p_stonehenge.table.base import End, TableSession
from protocol import Agreement, Node, Position


class Shown(NamedTuple):
    """A table among peers as the last effect, or the last job, has left it. Nothing changes what is in here.

    * `views`: the state as each own seat sees it. `linked`: the peers with a link.
    * `unheard`, `own_waits`, `seconds_left`: as of `Node`; `clocks`: what each seat has left on a clock, seat 1 first.
    * `has_agreed`: whether this client has signed an agreement, and can sign nothing else until one is in force.
    * `owing`, `agreements`: as of `Fold`; `resigned`: the live seats that have signed a resignation.
    * `proposed`, `wanted`, `unwanted`, `missing`, `held_up`, `could_be_left`: as of `GoingOn`.
    * `dispensable`: the operators without which the player here may want to go on now.
    * `may_go_on`: whether a game that two versions of an event have ended may prove not to be over.
    """

    position: Position
    end: End
    views: Mapping[int, Any]
    linked: tuple[bytes, ...]
    unheard: tuple[int, ...]
    own_waits: bool
    seconds_left: float | None
    clocks: tuple[float | None, ...]
    has_agreed: bool
    owing: tuple[int, ...]
    agreements: tuple[Agreement, ...]
    resigned: frozenset[int]
    proposed: Mapping[int, Agreement]
    wanted: frozenset[int]
    unwanted: frozenset[int]
    missing: tuple[int, ...]
    held_up: bool
    could_be_left: frozenset[int]
    dispensable: frozenset[int]
    may_go_on: bool


def shown_of(node: Node) -> Shown:
    """Return what may be looked at of a table; not while a thread works on it."""
    table, going_on = node.table, node.going_on
    fold, own = table.fold, table.own
    agreements = tuple(fold.agreements)  # there is hardly ever one
    live, could_be_left = fold.position.live, going_on.could_be_left()
    seats = {one: {seat for seat in live if table.operator(seat) == one} for one in could_be_left}
    return Shown(
        position=fold.position,
        end=End.of(table),
        views={seat: own.view(seat) for seat in own.signers},
        linked=node.linked,
        unheard=node.unheard,
        own_waits=node.own_waits,
        seconds_left=node.seconds_left,
        clocks=tuple([node.clock(seat) for seat in range(1, len(fold.operators) + 1)]),
        has_agreed=own.has_agreed,
        owing=fold.owing(),
        agreements=agreements,
        resigned=frozenset(filter(fold.has_resigned, live)),
        proposed=going_on.proposed if agreements else {},
        wanted=frozenset(going_on.wanted),
        unwanted=frozenset(going_on.unwanted if agreements else ()),
        missing=going_on.missing() if agreements else (),
        held_up=bool(agreements) and going_on.held_up,
        could_be_left=frozenset(could_be_left),
        dispensable=frozenset([one for one in could_be_left if not node.unheard and fold.enough(seats[one])]),
        may_go_on=fold.broken is not None and fold.may_go_on(own.signers),
    )


class ShownTable(TableSession):
    """A table among peers, at which nothing is looked at but what is `shown`, whether a thread works on it or not."""

    def __init__(self, node: Node, people: Sequence[int]) -> None:
        super().__init__(node.table, people)
        self._node = node
        self.shown = shown_of(node)

    def publish(self) -> Shown:
        """Show the table as it stands; not while a thread works on it."""
        self.shown = shown_of(self._node)
        return self.shown

    @property
    def position(self) -> Position:
        return self.shown.position

    @property
    def end(self) -> End:
        return self.shown.end

    def seen_by(self, seat: int) -> Any:
        return self.shown.views.get(seat, self.shown.position.state)
