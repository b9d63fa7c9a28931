"""One client's copy of a table: the chains it holds, the fold over them, and what its own seats sign.

Nothing is sent from here: new events come back to the caller, who stores them before anybody sees them.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

from engine import CHANCE, Action, MalformedError, NotationError, Over, Turn, Value, all_games
from protocol._chance import Dealing, Hands, Roll
from protocol._charter import LOCAL, Charter
from protocol._deck import MASKED_DECK, DeckScheme
from protocol._event import (
    ACT,
    END,
    MOVE,
    OPENING,
    RESIGN,
    RESULT,
    SEQUENCE,
    SETTLE,
    TURN,
    WISH,
    Head,
    SignedEvent,
    make_event,
    read_event,
)
from protocol._fold import Applied, Fold
from protocol._identity import ED25519, Signer, Verifier
from protocol._own_work import OwnWork
from protocol._secrets import Secrets

PENDING_LIMIT = 256
"""Events a seat may have ahead of what the fold has used; later ones are dropped and asked for again.

An honest seat has a handful. A flood of signed nonsense thus costs neither memory nor time.
"""


class PeerFaultError(Exception):
    """What a peer sent cannot be true; `reason` is fit to print."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LocalFaultError(Exception):
    """What this client's player asked for is not possible now; the message says why."""


class Fork(NamedTuple):
    """Two events that one seat signed with the same number: proof against it that anybody can check."""

    kept: SignedEvent
    other: SignedEvent


class Table:
    """A replica of one table. `signers` holds the keys of the seats played here, if any, `secrets` what they hide."""

    def __init__(
        self,
        charter: Charter,
        signers: Mapping[int, Signer],
        secrets: Secrets | None = None,
        verifier: Verifier = ED25519,
        scheme: DeckScheme = MASKED_DECK,
    ) -> None:
        self.charter = charter
        self.id = charter.table
        self.game = all_games()[charter.body.game]
        self.signers = dict(sorted(signers.items()))
        self.chains: tuple[list[SignedEvent], ...] = tuple([] for _ in charter.body.signers)
        self._scheme = OwnWork(scheme) if secrets else scheme
        self.fold = Fold(charter, self.game, self.chains, self._scheme)
        self.forks: list[Fork] = []
        self.refused: list[SignedEvent] = []
        """Signed events that can never count, because they contradict what their authors had seen before."""
        self.secrets = secrets
        self._verifier = verifier
        self._own_cards: dict[tuple[int, int], dict[int, Action]] = {}
        self._views: dict[int, tuple[int, Applied, Any]] = {}
        self._pending: dict[tuple[int, int], SignedEvent] = {}

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return how far each chain goes."""
        return tuple(Head(len(chain), chain[-1].hash if chain else b"") for chain in self.chains)

    @property
    def state(self) -> Any:
        """Return the game's state: as everybody sees it, or in full at a table with one signer."""
        return self.fold.position.state

    def view(self, seat: int) -> Any:
        """Return the state as `seat` sees it; for a seat played elsewhere, as everybody does."""
        if self.charter.body.kind == LOCAL:
            return self.game.view(self.state, seat)
        log = self.fold.log
        if seat not in self.signers or not self.fold.position.deals or not log:
            return self.state
        known, last, view = self._views.get(seat, (0, log[0], log[0].before))
        if known > len(log) or (known and log[known - 1] is not last):
            known, view = 0, log[0].before
        for applied in log[known:]:
            action = applied.hands.seen(self._cards(seat, applied.hands)) if applied.hands else applied.action
            view = self.game.apply(view, applied.actor, action)
        self._views[seat] = (len(log), log[-1], view)
        return view

    def _cards(self, seat: int, hands: Hands) -> dict[int, Action]:
        """Return what was dealt to an own seat, by position in the deck."""
        key = (seat, hands.dealing.number)
        if key not in self._own_cards and self.secrets:
            self._own_cards[key] = hands.own(seat, self.secrets, self._scheme)
        return self._own_cards.get(key, {})

    @property
    def frozen(self) -> bool:
        """Return whether a fork stops the table: with three or more seats nobody decides alone which version counts."""
        return len(self.chains) > 2 and any(not self.settled(fork.kept) for fork in self.forks)

    def settled(self, event: SignedEvent) -> bool:
        """Return whether every other live seat has signed an event that names this one."""
        at = event.seat - 1
        return all(
            self.chains[seat - 1] and self.chains[seat - 1][-1].heads[at].length >= event.number
            for seat in self.fold.position.live
            if seat != event.seat
        )

    def refolded(self) -> Fold:
        """Return a fold of all events held, from the beginning."""
        again = Fold(self.charter, self.game, self.chains, self._scheme)
        again.advance()
        return again

    # What comes in.

    def receive(self, raw: bytes, signature: bytes) -> list[SignedEvent]:
        """Take in one event as it came from a peer. Returns and raises as `take`."""
        try:
            event = read_event(raw, signature)
        except MalformedError as error:
            raise PeerFaultError(f"a malformed event ({error})") from error
        return self.take(event)

    def take(self, event: SignedEvent) -> list[SignedEvent]:
        """Take in one event; return the events that count from now on, in order: it and those that waited for it.

        An event whose causes are not held yet waits; one that is held already changes nothing. Raises
        PeerFaultError for what no honest peer sends; nothing has changed then.
        """
        if event.table != self.id or len(event.heads) != len(self.chains):
            raise PeerFaultError("an event of another table")
        chain = self.chains[event.seat - 1]
        number = event.number
        known = chain[number - 1] if number <= len(chain) else self._pending.get((event.seat, number))
        if known and known.hash == event.hash:
            return []
        if not event.signed_by(self.charter.body.seats[event.seat - 1].id, self._verifier):
            raise PeerFaultError(f"an event that seat {event.seat} did not sign")
        if known and number <= len(chain):
            self._note_fork(known, event)
            return []
        if number > self.fold.position.cursors[event.seat - 1] + PENDING_LIMIT:
            return []
        self._pending[event.seat, number] = event
        accepted = self._accept()
        if accepted:
            self.fold.advance()
        return accepted

    def _note_fork(self, kept: SignedEvent, other: SignedEvent) -> None:
        # One proof a seat is enough: more would only let a forker fill memory.
        if all(fork.kept.seat != kept.seat for fork in self.forks):
            self.forks.append(Fork(kept, other))

    def _accept(self) -> list[SignedEvent]:
        """Move events whose causes are all held from those that wait to their chains."""
        accepted: list[SignedEvent] = []
        found = True
        while found and self._pending:
            found = False
            for seat, chain in enumerate(self.chains, 1):
                event = self._pending.get((seat, len(chain) + 1))
                if event is None or not self._held(event):
                    continue
                del self._pending[seat, event.number]
                if not self._causal(event):
                    self.refused = [*self.refused[:PENDING_LIMIT], event]
                    continue
                chain.append(event)
                accepted.append(event)
                found = True
        return accepted

    def _held(self, event: SignedEvent) -> bool:
        """Return whether everything that the event names is held, in the same version."""
        for (length, hash), chain in zip(event.heads, self.chains, strict=True):
            if length > len(chain) or (length and chain[length - 1].hash != hash):
                return False
        return True

    def _causal(self, event: SignedEvent) -> bool:
        """Return whether the event names all that the events it names had named."""
        for (length, _), chain in zip(event.heads, self.chains, strict=True):
            if length:
                for (needed, _), (named, _) in zip(chain[length - 1].heads, event.heads, strict=True):
                    if needed > named:
                        return False
        return True

    def lacking(self, heads: tuple[Head, ...], told: Set[bytes] = frozenset()) -> list[SignedEvent]:
        """Return what a peer with these heads lacks, without those whose hashes it was `told`, causes first.

        Where it holds another version of an event, ours is among them, so that it can prove the fork.
        """
        if len(heads) != len(self.chains):
            return []
        wanted: list[SignedEvent] = []
        for head, chain in zip(heads, self.chains, strict=True):
            forked = 0 < head.length <= len(chain) and chain[head.length - 1].hash != head.hash
            rest = chain[head.length - 1 if forked else head.length :]
            wanted += [event for event in rest if event.hash not in told]
        return sorted(wanted, key=lambda event: sum(head.length for head in event.heads))

    # What this client's seats sign.

    def duties(self) -> list[SignedEvent]:
        """Sign everything that the seats played here owe without a choice; return the new events, in order."""
        signed: list[SignedEvent] = []
        progress = True
        while progress and not self.frozen:
            progress = False
            for seat in self.signers:
                event = self._duty(seat)
                if event:
                    signed.append(event)
                    progress = True
        return signed

    def _duty(self, seat: int) -> SignedEvent | None:
        position = self.fold.position
        kind = position.slot.kind
        if kind == END:
            if self.fold.contributed(seat):
                return None
            return self._sign(seat, RESULT, ())
        if seat not in position.live or self.charter.body.kind == LOCAL:
            return None
        if kind == TURN:
            mine = isinstance(position.due, Turn) and position.due.seat == seat
            return self._sign(seat, SEQUENCE, ()) if mine and self.fold.asynchronous() else None
        if self.fold.contributed(seat):
            return None
        if kind == SETTLE:
            return self._sign(seat, SEQUENCE, ())
        machine = position.machine
        if not machine or not self.secrets or seat not in machine.contributors:
            return None
        if isinstance(machine, Roll) and (commitments := self.fold.commitments(seat, self.heads)):
            return self._sign(seat, OPENING, machine.open(seat, self.secrets, commitments))
        body = machine.contribute(seat, self.secrets, self._scheme)
        return self._sign(seat, machine.contribution, body) if body else None

    def forget(self) -> bool:
        """Give up the secrets of deals that are over and settled; return whether there was something to forget."""
        machine = self.fold.position.machine
        if not self.secrets or not isinstance(machine, Dealing) or not machine.pledges:
            return False
        # All seats have signed a pledge for this deal after the last event of the deal before.
        before, self.secrets = self.secrets, self.secrets.moved_on(machine.number)
        return self.secrets != before

    def play(self, seat: int, text: str) -> SignedEvent:
        """Sign a move of the seat to act. Raises LocalFaultError with the reason if it is not lawful."""
        self._may_act(seat)
        view = self.view(seat)
        action = text
        if self.game.refuse(view, seat, text):
            try:
                action = self.game.parse(view, text)
            except NotationError as error:
                raise LocalFaultError(str(error)) from error
            refusal = self.game.refuse(view, seat, action)
            if refusal:
                raise LocalFaultError(refusal.text)
        if action == "resign":
            return self.resign(seat)
        if self.fold.position.slot.kind == SETTLE:
            raise LocalFaultError("A seat has just resigned; the others' clients have to confirm it first.")
        hands = self.fold.position.hands
        if hands and hands.names(action):
            own = self._cards(seat, hands)
            body = hands.play(seat, action, own, self.secrets, self._scheme) if self.secrets else None
            if body is None:
                raise LocalFaultError("The secrets that open your cards are not here: this hand cannot be played.")
            return self._sign(seat, MOVE, body)
        return self._sign(seat, MOVE, (action,))

    def resign(self, seat: int) -> SignedEvent:
        """Sign the resignation of a seat. Raises LocalFaultError if it no longer plays."""
        self._may_act(seat)
        return self._sign(seat, RESIGN, ())

    def wish_draw(self, seat: int, wish: bool) -> SignedEvent:
        """Sign a draw wish of a seat, or take it back. Raises LocalFaultError if that is not possible now."""
        self._may_act(seat)
        position = self.fold.position
        refusal = self.game.refuse(self.state, CHANCE, "draw")
        if refusal:
            raise LocalFaultError(refusal.text)
        if wish and position.wished[seat - 1]:
            raise LocalFaultError("You have offered a draw since your last move; make a move first.")
        if wish == bool(position.wishes[seat - 1]):
            raise LocalFaultError("You have offered a draw already." if wish else "You have offered no draw.")
        return self._sign(seat, WISH, (int(wish),))

    def act(self, actor: int, action: str) -> SignedEvent:
        """Sign any actor's action at a table with one signer. Raises LocalFaultError with the reason."""
        refusal = self.game.refuse(self.state, actor, action)
        if refusal:
            raise LocalFaultError(refusal.text)
        return self._sign(1, ACT, (actor, action))

    def _may_act(self, seat: int) -> None:
        if seat not in self.signers:
            raise LocalFaultError("That seat is played elsewhere.")
        if isinstance(self.fold.position.due, Over):
            raise LocalFaultError("The game is over.")
        if seat not in self.fold.position.live:
            raise LocalFaultError("That seat no longer plays.")
        if self.frozen:
            raise LocalFaultError("The table is stopped: a seat has signed two versions of one event.")

    def _sign(self, seat: int, kind: int, body: tuple[Value, ...]) -> SignedEvent:
        fold = self.fold
        event = make_event(self.signers[seat], self.id, seat, self.heads, fold.position.slot, fold.digest, kind, body)
        self.chains[seat - 1].append(event)
        fold.advance()
        return event

    # The end.

    def confirmed(self) -> tuple[int, ...]:
        """Return the seats that have signed the result as this fold has it."""
        if not isinstance(self.fold.position.due, Over):
            return ()
        return tuple(seat for seat in range(1, len(self.chains) + 1) if self.fold.contributed(seat))

    def owing(self) -> tuple[int, ...]:
        """Return the seats whom the table waits for, also for their signature under the result."""
        position = self.fold.position
        if isinstance(position.due, Over):
            return tuple(seat for seat in position.live if not self.fold.contributed(seat))
        return self.fold.owing()

    def load(self, events: Iterable[SignedEvent], forks: Iterable[Fork] = ()) -> None:
        """Take in what this client's own file holds: events, then proofs of forks, which so are not stored again.

        Raises PeerFaultError as `receive`.
        """
        for event in (*events, *(fork.other for fork in forks)):
            self.receive(event.raw, event.signature)
