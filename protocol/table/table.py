"""One client's copy of a table: what is held, what follows from it, what this client signs."""

from collections.abc import Collection, Mapping
from typing import Any

from engine import MalformedError, Over, all_games
from protocol.cards import MASKED_DECK, DeckScheme, OwnWork
from protocol.events import SignedEvent, read_event
from protocol.formation import Charter
from protocol.identity import ED25519, Secrets, Signer, Verifier
from protocol.table.fold import Fold
from protocol.table.held import Held, PeerFaultError
from protocol.table.own import Own


class Table:
    """A copy of a table. `signers` holds the keys of the seats played here, `secrets` what these seats hide.

    `held` and `own` change only by the calls below; `fold` is brought up to date by `advance`, which `take` calls.
    """

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
        self.held = Held(charter, verifier)
        self.fold = Fold(charter, self.game, self.held, OwnWork(scheme) if secrets else scheme)
        self.own = Own(self.fold, signers, secrets)

    @property
    def state(self) -> Any:
        """Return the game's state: as everybody sees it, or in full at a table with one signer."""
        return self.fold.position.state

    def operator(self, seat: int) -> int:
        """Return the seat whose client plays `seat`."""
        return self.fold.operators[seat - 1]

    def advance(self, news: Collection[SignedEvent] = ()) -> None:
        """Bring the fold up to date; `news` are events that were added to the chains since."""
        self.fold.advance(news, own=self.own.signers)

    def receive(self, raw: bytes, signature: bytes) -> list[SignedEvent]:
        """Take in an event as it came from a peer. Returns and raises as `Held.take`."""
        try:
            event = read_event(raw, signature)
        except MalformedError as error:
            raise PeerFaultError(f"a malformed event ({error})") from error
        return self.take(event)

    def take(self, event: SignedEvent, *, signed: bool | None = None) -> list[SignedEvent]:
        """Take in an event. Returns and raises as `Held.take`, which `signed` is for."""
        return self._taken(self.held.take(event, self.fold.position, self.fold.ahead, signed=signed))

    def catch_up(self) -> list[SignedEvent]:
        """Take in the events that waited for what was signed here; return those that were added to the chains."""
        return self._taken(self.held.accept(self.fold.ahead))

    def _taken(self, accepted: list[SignedEvent]) -> list[SignedEvent]:
        if accepted or self.held.proofs:
            self.advance(accepted)
        return accepted

    def act(self, actor: int, action: str) -> SignedEvent:
        """Sign any actor's action at a table with one signer. Raises LocalFaultError with the reason."""
        event = self.own.act(actor, action)
        self.advance([event])
        return event

    def duties(self) -> list[SignedEvent]:
        """Sign everything that the seats played here owe without a choice; return the new events, in order."""
        signed: list[SignedEvent] = []
        while given := self.own.duties():
            signed += given
            self.advance(given)
        return signed

    def confirmed(self) -> tuple[int, ...]:
        """Return the seats that have signed the result as this fold has it."""
        if not isinstance(self.fold.position.due, Over) or self.fold.broken:
            return ()
        return tuple(seat for seat in range(1, len(self.held.chains) + 1) if self.fold.given(seat))
