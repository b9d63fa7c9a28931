"""What a player should hear of, each once: votes, claims, and cheats that came to light."""

from engine import Value
from protocol._effects import Broken, Caught, Claimed, Disputed, Effect, Voted
from protocol._event import CLAIM, VOTE, SignedEvent, Slot
from protocol._reading import Cheat
from protocol._table import Table


class News:
    """Compares what is seen at one table with what has been told of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._said: set[tuple[Value, ...]] = set()
        """The votes and claims for the open slot."""
        self._caught: set[Cheat] = set()
        self._disputes: set[tuple[Slot, int]] = set()
        self._confirmed = b""
        """The digest of the last state that was folded anew."""

    def opinion(self, event: SignedEvent) -> list[Effect]:
        """Return what a player should hear of a vote or a claim that counts now, once for each."""
        if event.kind not in (VOTE, CLAIM):
            return []
        fold = self._table.fold
        if event.slot != fold.position.slot or event.seat not in fold.position.live:
            return []
        if event.seat in self._table.signers:  # an old copy hears of its own
            return []
        said = (event.slot, event.seat, *event.body)
        news = said not in self._said
        self._said = {*(one for one in self._said if one[0] == event.slot), said}
        match event.body:
            case (int(target),) if news and target in fold.owing() and fold.given(target) is None:
                return [Voted(event.seat, target)]
            case () if news and len(fold.operators()) < 3:
                return [Claimed(event.seat)]
        return []

    def cheats(self) -> list[Effect]:
        """Return what cheats came to light since the last time."""
        cheats = [cheat for cheat in self._table.fold.position.cheats if cheat not in self._caught]
        self._caught.update(cheats)
        return [*(Caught(cheat.seat, f"signed {cheat.reason}") for cheat in cheats), *self._compare()]

    def _compare(self) -> list[Effect]:
        """Look into events made for another state: whose fold is wrong, theirs or ours?"""
        fold = self._table.fold
        news = [event for event in fold.disputed() if (event.slot, event.seat) not in self._disputes]
        if news and (fold.votes or self._table.forks):
            self._disputes.update((event.slot, event.seat) for event in news)
            news = [event for event in news if not self._table.consistent(event)]
        if not news:
            return []
        if self._confirmed != self._table.fold.digest:
            again = self._table.refolded()
            self._confirmed = again.digest
        if self._confirmed != self._table.fold.digest:
            return [Broken()]
        self._disputes.update((event.slot, event.seat) for event in news)
        return [Disputed(event.seat, self._table.fold.position.plies + 1) for event in news]
