"""Where a game stands: everything that the signed events say up to one slot, the open one."""

from collections.abc import Iterable
from operator import le
from typing import Any, NamedTuple

from engine import CHANCE, PUBLIC, Action, Game, Over, Pending, Refusal, Turn, digest
from protocol.cards import Dealing, DeckScheme, Hands
from protocol.chance import Bound, Roll
from protocol.events import SignedEvent, Slot, SlotKind
from protocol.table.log import takeback

NOWHERE = -1
"""In place of an action, of a seat that does not wish to go back."""


class Cheat(NamedTuple):
    """A breach of the rules that a seat signed; `event` is the hash of the evidence, `reason` follows "signed"."""

    seat: int
    event: bytes
    reason: str


class Applied(NamedTuple):
    """One action of the game as it took effect in public, with the state before it.

    `hands` opens what was dealt. Of a resignation: `left_behind`, the seat was left behind; `late`, its time was up.
    """

    actor: int
    action: Action
    before: Any
    hands: Hands | None = None
    left_behind: bool = False
    late: bool = False


class Earlier:
    """A state that the game can go back to: the one before action `ply` (from 0), which `seat` did.

    `before` is the one before that. Nothing that is linked so was done by chance or by seats of two operators.
    """

    __slots__ = ("_back", "_depth", "before", "ply", "seat", "state")

    def __init__(self, seat: int, ply: int, state: Any, before: "Earlier | None") -> None:
        self.seat = seat
        self.ply = ply
        self.state = state
        self.before = before
        # Nothing cuts the links where one operator plays all seats: `_back` leads back by many at once, so that any
        # state is found in a number of steps that grows as the logarithm of theirs (Myers, An Applicative
        # Random-Access Stack, 1983).
        self._depth: int = before._depth + 1 if before else 0
        self._back: Earlier | None = before
        if before and before._back and before._back._back:
            near, far = before._back, before._back._back
            if before._depth - near._depth == near._depth - far._depth:
                self._back = far

    def __eq__(self, other: object) -> bool:
        mine: Earlier | None = self
        while isinstance(other, Earlier) and mine and mine is not other:
            if (mine.seat, mine.ply, mine.state) != (other.seat, other.ply, other.state):
                return False
            mine, other = mine.before, other.before
        return mine is other

    def __hash__(self) -> int:
        return hash((self.seat, self.ply))

    def at(self, ply: int) -> "Earlier | None":
        """Return the state before an action, None if the game cannot go back there."""
        found: Earlier | None = self
        while found and found.ply > ply:
            back = found._back
            found = back if back and back.ply >= ply else found.before
        return found if found and found.ply == ply else None


class Waiting:
    """What was found of the events that wait for a place at one position, so that none is looked at twice for it.

    `looked`: how many events of each chain have been looked at. `first`: of each chain the number of the first event
    that would change something, 0 while none is known. A note: any two are equal.
    """

    __slots__ = ("chains", "first", "looked")

    def __init__(self) -> None:
        self.chains: object = None
        self.looked: list[int] = []
        self.first: list[int] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Waiting)

    def __hash__(self) -> int:
        return 0


class Position(NamedTuple):
    """The game at the open slot. Immutable; tuples over seats or chains stand in seat order.

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
    * `waiting`: a note of what waits for a place; None where no slot has been opened.
    * `effects`: how many events had an effect. `plies`: how many actions were applied; `applied`: those of them since
      the position before. `cheats`: all breaches so far.
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
    waiting: Waiting | None = None

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
    def wishing(self) -> tuple[int, ...]:
        """Return the seats that play and wish a draw."""
        return tuple([seat for seat in self.live if self.wishes[seat - 1]])

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


# Each event makes some positions: this takes half the time of what NamedTuple has (`bench.py layouts`).
Position._replace = _changed  # type: ignore[method-assign, assignment]


class Rules:
    """What a fold needs besides events: the game, the table at which it is played, and how cards are masked."""

    def __init__(
        self, game: Game[Any], table: bytes, scheme: DeckScheme, operators: tuple[int, ...], *, local: bool
    ) -> None:
        self.game = game
        self.table = table
        self.scheme = scheme
        self.operators = operators
        """By seat: the seat whose client plays it."""
        self.local = local
        """Whether one signer plays all seats, and chance arrives as signed actions."""
        self._judged: tuple[Any, int, str, Refusal | None] = (None, 0, "", None)
        self._after: tuple[Any, int, str, Any] = (None, 0, "", None)

    def operators_of(self, seats: Iterable[int]) -> set[int]:
        """Return the seats whose clients play these seats."""
        return {self.operators[seat - 1] for seat in seats}

    def judge(self, state: Any, seat: int, text: str) -> Refusal | None:
        """Return why the action of a seat is unlawful in a state, None if it is lawful.

        The last answer is kept: a client judges its own move when it signs it, and the fold asks again.
        """
        before, actor, action, refusal = self._judged
        if before is not state or (actor, action) != (seat, text):
            refusal = self.game.refuse(state, seat, text)
            self._judged = state, seat, text, refusal
        return refusal

    def after(self, state: Any, actor: int, action: str) -> Any:
        """Return the state after a lawful action.

        The last answer is kept: a client looks what its own move leads to, and the fold applies the move later.
        """
        before, last, done, after = self._after
        if before is not state or (last, done) != (actor, action):
            after = self.game.apply(state, actor, action)
            self._after = state, actor, action, after
        return after

    def start(self, state: Any, seats: int, chains: int) -> Position:
        """Return the position at which a table begins; its first slot is still to be opened."""
        return Position(
            slot=Slot(0, 0, SlotKind.END),
            state=state,
            digest=digest(self.game, state),
            due=self.game.pending(state),
            live=self.game.live(state),
            behind=(0,) * chains,
            placed=(0,) * chains,
            wishes=(0,) * seats,
            wished=(0,) * seats,
            takebacks=(NOWHERE,) * seats,
        )

    def applied(
        self,
        position: Position,
        actor: int,
        action: str,
        hands: Hands | None = None,
        *,
        left_behind: bool = False,
        late: bool = False,
    ) -> Position:
        """Return the position after an action; `hands`, `left_behind` and `late` as in `Applied`."""
        game, before, playing = self.game, position.state, position.live
        state = self.after(before, actor, action)
        due, live = game.pending(state), game.live(state)
        if isinstance(due, Over):  # a seat that resigned is not asked to sign the result
            live = tuple([seat for seat in playing if (seat, "resign") != (actor, action)])
        earlier = self._earlier(position, actor, live)
        if live != playing:
            position = position._replace(live=live)
        entry = _new(Applied, (actor, action, before, hands, left_behind, late))
        return self._with_action(position, entry, state, due, earlier)

    def _earlier(self, position: Position, actor: int, live: tuple[int, ...]) -> Earlier | None:
        """Return the state before an action of `actor`, after which `live` play, None if it cannot be brought back.

        What chance or cards have shown cannot be made unseen, and a seat that is out cannot be asked.
        """
        if actor == CHANCE or live != position.live or position.deals:
            return None
        last = position.earlier
        if last and self.operators[last.seat - 1] != self.operators[actor - 1]:
            last = None
        return Earlier(actor, position.plies, position.state, last)

    def restored(self, position: Position, to: Earlier) -> Position:
        """Return the position after a take-back. No seat has ceased to play since that state."""
        entry = Applied(CHANCE, takeback(to.ply), position.state)
        return self._with_action(position, entry, to.state, self.game.pending(to.state), to.before)

    @staticmethod
    def _with_action(position: Position, entry: Applied, state: Any, due: Pending, earlier: Earlier | None) -> Position:
        """Return the position with one more action in the log; wishes for a take-back lapse by it."""
        return position._replace(
            state=state,
            due=due,
            takebacks=(NOWHERE,) * len(position.takebacks),
            earlier=earlier,
            plies=position.plies + 1,
            applied=(*position.applied, entry),
        )

    def resigned(self, position: Position, seat: int, *, left_behind: bool = False, late: bool = False) -> Position:
        """Return the position after a seat resigned or was left behind, unchanged if the seat no longer plays."""
        if self.game.refuse(position.state, seat, "resign") is not None:
            return position
        return self.applied(position, seat, "resign", left_behind=left_behind, late=late)

    def drawn(self, position: Position) -> Position:
        """Return the position after all live seats have agreed on a draw, unchanged if they have not."""
        wanted = all(position.wishes[seat - 1] for seat in position.live)
        if not wanted or self.game.refuse(position.state, CHANCE, "draw") is not None:
            return position
        return self.applied(position, CHANCE, "draw")

    def taken_back(self, position: Position, to: int) -> Position:
        """Return the position after all operators have agreed to go back there, unchanged if they have not."""
        agreed = self.operators_of(seat for seat in position.live if position.takebacks[seat - 1] == to)
        earlier = position.earlier_at(to)
        if earlier is None or self.operators_of(position.live) != agreed:
            return position
        return self.restored(position, earlier)

    def public(self, state: Any) -> Any:
        """Return a state as everybody sees it."""
        return self.game.view(state, PUBLIC)

    def digest(self, state: Any) -> bytes:
        """Return the digest of the public state, 32 bytes."""
        return digest(self.game, state)


def put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return a tuple over seats with another value for one of them."""
    return (*values[: seat - 1], value, *values[seat:])
