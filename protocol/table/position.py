"""Where a game stands: everything that the signed events say up to one slot, the open one."""

from enum import StrEnum
from operator import le
from typing import Any, NamedTuple

from engine import Action, Pending, Turn
from protocol.cards import Dealing, Hands
from protocol.chance import Bound, Roll
from protocol.events import SignedEvent, Slot
from protocol.table.earlier import Earlier

NOWHERE = -1
"""In place of a number of actions: the seat wishes no take-back."""


class Cheat(NamedTuple):
    """A breach of the rules that a seat signed; `event` is the hash of the evidence, `reason` follows "signed"."""

    seat: int
    event: bytes
    reason: str


class Exit(StrEnum):
    """How a seat left the game before its end: to the rules of the game each of these is a resignation."""

    RESIGNED = "resigned"
    """Its player resigned."""
    OUT_OF_TIME = "out of time"
    """Its client resigned, as its time was up."""
    LEFT_BEHIND = "left behind"
    """All others have agreed to go on without it."""
    BREACH = "breach"
    """It signed a breach of the rules."""


class Applied(NamedTuple):
    """One action of the game as it took effect in public, with the state before it.

    `hands` opens what was dealt. `exit`: of a resignation how the seat left, None of all other actions.
    """

    actor: int
    action: Action
    before: Any
    hands: Hands | None = None
    exit: Exit | None = None

    @property
    def left_behind(self) -> bool:
        """Return whether the others went on without the seat."""
        return self.exit is Exit.LEFT_BEHIND


class Unplaced:
    """What `asynchronous` has found at one position in chains that only grow, so that it looks at no event twice.

    `looked`: how many events of each chain it has looked at. `first`: of each chain the number of the first event that
    has no place yet and would change something, 0 while none is known. It follows from the position and the chains, so
    it is no part of the value of a position: any two are equal.
    """

    __slots__ = ("chains", "first", "looked")

    def __init__(self) -> None:
        self.chains: object = None
        self.looked: list[int] = []
        self.first: list[int] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unplaced)

    def __hash__(self) -> int:
        return 0


class Position(NamedTuple):
    """The game at the open slot. Immutable but for `unplaced`; tuples over seats or chains stand in seat order.

    * `digest`: of the public state, 32 bytes. `due`: what the game waits for. `live`: the seats that still play.
    * `behind`: how many events of each chain lie behind; `placed`: among how many of them resignations and wishes have
      their place.
    * `wishes`: how many of its own moves a seat's draw wish still outlives; `wished`: 1 if a seat has wished since its
      own last move, else 0.
    * `earlier`: the last state that a take-back can bring back. `takebacks`: for each seat after how many actions the
      state was that it wishes back, NOWHERE for none.
    * `machine`: the roll or deal under way. `parts`: contributions to the open slot from before the epoch began.
      `bound`: the commitments for the next roll. `hands`: the last deal.
    * `renewed`: how many epochs have begun at the open slot with nobody leaving; `rolls`, `deals`: how many have begun.
    * `effects`: how many events had an effect. `plies`: how many actions were applied; `applied`: those of them since
      the position before. `cheats`: all breaches so far.
    * `unplaced`: what `asynchronous` remembers between two calls; None where no slot has been opened.
    """

    slot: Slot
    state: Any
    digest: bytes
    due: Pending
    live: tuple[int, ...]
    behind: tuple[int, ...]
    placed: tuple[int, ...]
    wishes: tuple[int, ...]
    wished: tuple[int, ...]
    takebacks: tuple[int, ...]
    earlier: Earlier | None = None
    machine: Roll | Dealing | None = None
    parts: tuple[SignedEvent, ...] = ()
    bound: tuple[Bound, ...] = ()
    hands: Hands | None = None
    renewed: int = 0
    rolls: int = 0
    deals: int = 0
    effects: int = 0
    plies: int = 0
    cheats: tuple[Cheat, ...] = ()
    applied: tuple[Applied, ...] = ()
    unplaced: Unplaced | None = None

    @property
    def givers(self) -> tuple[int, ...]:
        """Return the seats from which the open slot takes a contribution, given or not."""
        if isinstance(self.due, Turn):
            return (self.due.seat,)
        return self.machine.givers if self.machine else self.live

    @property
    def dealing(self) -> Dealing | None:
        """Return the deal under way: its steps take tenths of a second each, better not where a player waits."""
        return self.machine if isinstance(self.machine, Dealing) else None

    @property
    def asking(self) -> tuple[int, ...]:
        """Return the seats that wish a take-back."""
        return tuple([seat for seat, to in enumerate(self.takebacks, 1) if to != NOWHERE])

    def earlier_at(self, to: int) -> Earlier | None:
        """Return the state after the first `to` actions, None if the game cannot go back there."""
        return self.earlier.at(to) if self.earlier else None

    def turn_start(self, seat: int) -> int | None:
        """Return how many actions came before the last turn of a seat, None if that cannot be taken back."""
        found = self.earlier
        while found and found.seat != seat:
            found = found.before
        while found and found.before and found.before.seat == seat:
            found = found.before
        return found.ply if found else None

    def knows(self, lengths: tuple[int, ...]) -> bool:
        """Return whether an author that had applied so many events of each chain knows everything that lies behind."""
        return lengths == self.behind or all(map(le, self.behind, lengths))


_new = tuple.__new__
_PLACES = {name: place for place, name in enumerate(Position._fields)}


def _changed(position: Position, /, **changes: Any) -> Position:
    values = [*position]
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return _new(Position, values)


# Each event makes some positions: this takes half the time of what NamedTuple has (`bench.py layouts`). The name stays
# `_replace`, of which mypy knows the fields and their types.
Position._replace = _changed  # type: ignore[method-assign, assignment]


def put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return a tuple over seats with another value for one of them."""
    return (*values[: seat - 1], value, *values[seat:])
