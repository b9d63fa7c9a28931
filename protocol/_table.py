"""One client's copy of a table, and what its own seats sign.

Nothing is sent from here: new events come back to the caller, who stores them before anybody sees them.
"""

from collections.abc import Mapping
from typing import Any

from engine import CHANCE, Action, NotationError, Over, Turn, Value
from protocol._audit import LastRound
from protocol._chance import Dealing, Hands, Roll
from protocol._charter import LOCAL, Charter
from protocol._deck import MASKED_DECK, DeckScheme
from protocol._event import (
    ACT,
    CLAIM,
    COMMIT,
    END,
    MOVE,
    OPENING,
    RESIGN,
    RESULT,
    SEQUENCE,
    SETTLE,
    TURN,
    VOTE,
    WISH,
    Fork,
    SignedEvent,
    make_event,
)
from protocol._fold import Applied
from protocol._identity import ED25519, Signer, Verifier
from protocol._own_work import OwnWork
from protocol._replica import Replica
from protocol._secrets import Secrets


class LocalFaultError(Exception):
    """What this client's player asked for is not possible now; the message says why."""


class Table(Replica):
    """A replica with seats of its own. `signers` holds their keys, if any are played here, `secrets` what they hide."""

    def __init__(
        self,
        charter: Charter,
        signers: Mapping[int, Signer],
        secrets: Secrets | None = None,
        verifier: Verifier = ED25519,
        scheme: DeckScheme = MASKED_DECK,
    ) -> None:
        super().__init__(charter, verifier, OwnWork(scheme) if secrets else scheme)
        self.signers = dict(sorted(signers.items()))
        self.secrets = secrets
        self.last_round = LastRound(self._fold, self._scheme)
        self._own_cards: dict[bytes, dict[int, Action]] = {}
        self._views: dict[int, tuple[int, Applied, Any]] = {}
        self._against: set[int] = set()
        """Operators that this client's player wants removed, until they are heard of again."""

    def _append(self, event: SignedEvent) -> None:
        self._against.discard(self._operator(event.seat))
        super()._append(event)

    def passed_over(self) -> list[Fork]:
        # A seat played here that has signed both would, going on from the other, sign later numbers twice as well.
        return [fork for fork in super().passed_over() if fork.kept.seat not in self.signers]

    # What its players see.

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
        key = hands.dealing.context(seat)
        if key not in self._own_cards and self.secrets:
            self._own_cards[key] = hands.own(seat, self.secrets, self._scheme)
        return self._own_cards.get(key, {})

    # What this client's seats sign.

    def duties(self) -> list[SignedEvent]:
        """Sign everything that the seats played here owe without a choice; return the new events, in order.

        Where an old copy signs again what it had signed before, what waited for that counts, and is new as well.
        """
        signed: list[SignedEvent] = []
        while given := self.due():
            signed += given
        return signed

    def due(self) -> list[SignedEvent]:
        """Sign what is owed to the slot that is open; what follows from it is left for the next call."""
        signed = self._accept()
        slot = self.fold.position.slot
        for seat in self.signers:
            event = self._duty(seat)
            if event:
                signed.append(event)
            if seat != max(self.signers) and self.fold.position.slot != slot:
                break
        return signed

    def _duty(self, seat: int) -> SignedEvent | None:
        position = self.fold.position
        kind = position.slot.kind
        if self.fold.cut(seat) is not None or self._signed_before(seat):
            return None
        if kind == END:
            if self.fold.contributed(seat):
                return None
            return self._sign(seat, RESULT, self.last_round.body(seat, self.secrets))
        if seat not in position.live or self.charter.body.kind == LOCAL:
            return None
        return self._owed(seat) or self._opinion(seat)

    def forgo(self) -> None:
        """Give up own events that only wait here: what they name never comes."""
        self._pending = {key: event for key, event in self._pending.items() if event.seat not in self.signers}
        for seat in self.signers:
            self._waiting[seat - 1] = 0

    def _signed_before(self, seat: int) -> bool:
        """Return whether an own seat's next event is here already, though what else it names is not."""
        event, chain = self._pending.get((seat, len(self.chains[seat - 1]) + 1)), self.chains[seat - 1]
        return event is not None and event.heads[seat - 1].hash == (chain[-1].hash if chain else b"")

    def _owed(self, seat: int) -> SignedEvent | None:
        """Sign what a seat owes to the open slot without a choice."""
        position = self.fold.position
        kind = position.slot.kind
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
        own = self.chains[seat - 1][position.cursors[seat - 1] :]
        if self.forks and any(
            (one.kind, one.slot, one.digest) == (OPENING, position.slot, self.fold.digest) for one in own
        ):
            return None  # the commitments that it answered were forked: there is nothing left to hide
        if kind == COMMIT and isinstance(machine, Roll) and (commitments := self.fold.commitments(seat, self.heads)):
            return self._sign(seat, OPENING, machine.open(seat, self.secrets, commitments))
        body = machine.contribute(seat, self.secrets, self._scheme)
        return self._sign(seat, machine.contribution, body) if body else None

    def prepare(self) -> None:
        """Work out what own seats will show if the open turn leads to a roll: then nobody has to wait for it."""
        roll = self.fold.expected()
        for seat in self.signers:
            if roll and self.secrets and seat in roll.contributors:
                roll.contribute(seat, self.secrets, self._scheme)

    def _opinion(self, seat: int) -> SignedEvent | None:
        """Vote against who forked, or was voted against before, where the game waits for it."""
        fold, operator = self.fold, self._operator(seat)
        if not (self._against or self.forks or fold.votes) or seat != self._speaker():
            return None
        for target in fold.asked():
            if self._operator(target) == operator or operator in fold.voters(target):
                continue
            if fold.given(target) is None:
                wanted = fold.cut(target) is not None or self._operator(target) in self._against
                if wanted and len(fold.operators()) > 2:
                    return self._sign(seat, VOTE, (target,))
        return None

    def _speaker(self) -> int | None:
        """Return the live seat that votes for this client.

        One whose resignation waits for its place may vote as well: else a table could be too few to go on.
        """
        return min(self.signers.keys() & {*self.fold.position.live}, default=None)

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
        # The seat's salt goes with the move that leads to a roll: one signature and one way less until all know it.
        roll = self.fold.foreseen(seat, action)
        shown = roll.contribute(seat, self.secrets, self._scheme) if roll and self.secrets else None
        return self._sign(seat, MOVE, (action, *(shown or ())))

    def resign(self, seat: int) -> SignedEvent:
        """Sign the resignation of a seat. Raises LocalFaultError if it no longer plays."""
        self._may_act(seat)
        return self._sign(seat, RESIGN, ())

    def wish_draw(self, seat: int, wish: bool) -> SignedEvent:
        """Sign a draw wish of a seat, or take it back. Raises LocalFaultError if that is not possible now."""
        self.may_wish(seat, wish)
        return self._sign(seat, WISH, (int(wish),))

    def may_wish(self, seat: int, wish: bool) -> None:
        """Raise LocalFaultError if a seat cannot wish a draw, or take its wish back, now."""
        self._may_act(seat)
        position = self.fold.position
        refusal = self.game.refuse(self.state, CHANCE, "draw")
        if refusal:
            raise LocalFaultError(refusal.text)
        if wish and position.wished[seat - 1]:
            raise LocalFaultError("You have offered a draw since your last move; make a move first.")
        if wish == bool(position.wishes[seat - 1]):
            raise LocalFaultError("You have offered a draw already." if wish else "You have offered no draw.")

    def vote(self, target: int) -> SignedEvent:
        """Sign a vote to remove a seat that the game waits for. Raises LocalFaultError if that is not possible now."""
        speaker = self.may_vote(target)
        event = self._sign(speaker, VOTE, (target,))
        self._against.add(self._operator(target))
        return event

    def may_vote(self, target: int) -> int:
        """Return the own seat that votes to remove `target`. Raises LocalFaultError if that is not possible now."""
        speaker = self._speaker() or min(self.signers)
        self._may_act(speaker)
        operator = self._operator(target)
        if operator == self._operator(speaker):
            raise LocalFaultError("You cannot vote against your own seat: `resign` gives it up.")
        if len(self.fold.operators()) < 3:
            raise LocalFaultError("Two players cannot vote: wait, `adjourn`, or `claim` the game.")
        if target not in self.fold.owing():
            raise LocalFaultError("Only a seat that the game waits for can be voted out.")
        if self._operator(speaker) in self.fold.voters(target):
            raise LocalFaultError("You have voted already: more than half of the players have to.")
        return speaker

    def claim(self) -> SignedEvent:
        """Sign that the only other player is gone. Raises LocalFaultError if that is not possible now."""
        return self._sign(self.may_claim(), CLAIM, ())

    def may_claim(self) -> int:
        """Return the own seat that claims. Raises LocalFaultError if that is not possible now."""
        speaker = self._speaker() or min(self.signers)
        self._may_act(speaker)
        if len(self.fold.operators()) > 2:
            raise LocalFaultError("With three or more players you `vote` a seat out instead.")
        if all(self._operator(seat) == self._operator(speaker) for seat in self.fold.owing()):
            raise LocalFaultError("It is you the game waits for.")
        if speaker in self.fold.claims():
            raise LocalFaultError("You have claimed the game already: `quit` leaves it, a move of the other goes on.")
        return speaker

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
        if self.fold.cut(seat) is not None:
            raise LocalFaultError("Two versions of your own play are about: an old copy was played on. You are out.")
        if self._signed_before(seat):
            raise LocalFaultError("You have played on from here already: what the others did then is on its way.")

    def _sign(self, seat: int, kind: int, body: tuple[Value, ...]) -> SignedEvent:
        fold = self.fold
        event = make_event(self.signers[seat], self.id, seat, self.heads, fold.position.slot, fold.digest, kind, body)
        self._append(event)
        self._folded = False
        return event
