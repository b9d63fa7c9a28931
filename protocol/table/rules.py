"""The rules of a table: what its game makes of actions, resignations, draws and take-backs at a position."""

from collections.abc import Iterable
from typing import Any

from engine import CHANCE, PUBLIC, Game, Over, Pending, Refusal, digest
from protocol.cards import DeckScheme, Hands
from protocol.events import Slot, SlotKind
from protocol.table.earlier import Earlier
from protocol.table.log import takeback
from protocol.table.position import NOWHERE, Applied, Exit, Position

_new = tuple.__new__


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
        exit: Exit | None = None,
    ) -> Position:
        """Return the position after an action; `hands` and `exit` as in `Applied`."""
        game, before, playing = self.game, position.state, position.live
        state = self.after(before, actor, action)
        due, live = game.pending(state), game.live(state)
        if isinstance(due, Over):  # a seat that resigned is not asked to sign the result
            live = tuple([seat for seat in playing if not exit or seat != actor])
        earlier = self._earlier(position, actor, live)
        if live != playing:
            position = position._replace(live=live)
        entry = _new(Applied, (actor, action, before, hands, exit))
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

    def resigned(self, position: Position, seat: int, exit: Exit = Exit.RESIGNED) -> Position:
        """Return the position after a seat left the game by `exit`, unchanged if the seat no longer plays."""
        if self.game.refuse(position.state, seat, "resign") is not None:
            return position
        return self.applied(position, seat, "resign", exit=exit)

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
