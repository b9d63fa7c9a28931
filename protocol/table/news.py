"""What players should hear of, each thing once: cheats, agreements proposed and entered, wrong digests."""

from collections.abc import Sequence

from protocol.events import SignedEvent, Slot, bodies
from protocol.table.effects import Caught, Disputed, Effect, EpochBegun, OwnFoldWrong, Proposed, SecretsWrong
from protocol.table.table import Table


class News:
    """Compares the state of one table with what its players were told."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._caught: set[tuple[int, bytes]] = set()
        self._left: set[int] = set()
        self._epoch = table.fold.position.slot.epoch
        self._disputes: set[tuple[Slot, int]] = set()
        self._secrets_wrong = False
        self._confirmed = b""
        """The digest of the last state that was worked out anew."""

    def of(self, accepted: Sequence[SignedEvent]) -> list[Effect]:
        """Return what came to light by these events."""
        return [*self._cheats(), *self._agreements(accepted), *self._compared(), *self._secrets()]

    def _cheats(self) -> list[Effect]:
        known = {(seat, event): f"signed {reason}" for seat, event, reason in self._table.fold.position.cheats}
        for kept, other in self._table.held.proofs:
            known[kept.seat, other.hash] = f"signed two versions of its event {kept.number}"
        news = [evidence for evidence in known if evidence not in self._caught]
        self._caught.update(news)
        return [Caught(evidence[0], known[evidence]) for evidence in news]

    def _agreements(self, accepted: Sequence[SignedEvent]) -> list[Effect]:
        fold, own = self._table.fold, self._table.own.signers
        found: list[Effect] = []
        if self._epoch != fold.position.slot.epoch:
            self._epoch = fold.position.slot.epoch
            left = [one.actor for one in fold.log if one.left_behind and one.actor not in self._left]
            self._left.update(left)
            found.append(EpochBegun(tuple(left)))
        for event in accepted:
            others = event.seat not in own and fold.operators[event.seat - 1] == event.seat
            if others and isinstance(event.body, bodies.Epoch) and event.body.number > self._epoch:
                found.append(Proposed(event.seat, tuple(one.seat for one in event.body.leaving)))
        return found

    def _secrets(self) -> list[Effect]:
        before, self._secrets_wrong = self._secrets_wrong, self._table.own.secrets_wrong
        return [SecretsWrong()] if self._secrets_wrong and not before else []

    def _compared(self) -> list[Effect]:
        """Return what follows from wrong digests: their authors are named, unless the fold here is wrong."""
        fold = self._table.fold
        news = [event for event in fold.disputed() if (event.slot, event.seat) not in self._disputes]
        if not news:
            return []
        if self._confirmed != fold.position.digest:
            self._confirmed = fold.replayed()
        if self._confirmed != fold.position.digest:
            return [OwnFoldWrong()]
        self._disputes.update((event.slot, event.seat) for event in news)
        return [Disputed(event.seat, fold.position.plies + 1) for event in news]
