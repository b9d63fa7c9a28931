"""When a client may leave a game that is over: once the others hold what it means, or after some patience."""

from collections.abc import Mapping

from protocol.table.exchange import Exchange
from protocol.table.table import Table

RESULT_PATIENCE = 10.0
"""Seconds that a client waits for the signatures of others under the result, before it may leave."""
AWAKE = 1.0
"""Seconds that count at most between two looks at the clock: for the rest the computer slept."""


class Ending:
    """The signatures under the result of one table, and how long they have been awaited. `seat_of`: by peer."""

    def __init__(self, table: Table, exchange: Exchange, seat_of: Mapping[bytes, int]) -> None:
        self._table, self._exchange, self._seat_of = table, exchange, seat_of
        self._over_at: float | None = None
        """When this client last looked whether it may go, the game being over."""
        self._waited = 0.0

    @property
    def signed(self) -> bool:
        """Return whether all signatures under the result that are awaited are here."""
        return self._wanted() <= {*self._table.confirmed()}

    def done(self, now: float) -> bool:
        """Return whether the game is over and this client may leave.

        It may once every seat that has not left has signed the result, and its client holds the other signatures; or
        once every linked peer holds the proof that ended the game; or after `RESULT_PATIENCE`.
        """
        if self._table.fold.result is None:
            self._over_at = None
            return False
        self._waited = 0.0 if self._over_at is None else self._waited + min(now - self._over_at, AWAKE)
        self._over_at = now
        if self._waited >= RESULT_PATIENCE:
            return True
        if self._table.fold.broken:
            return self._exchange.all_hold_proofs()
        wanted = self._wanted()
        operators = self._table.fold.rules.operators_of(wanted)
        others = [peer for peer, operator in self._seat_of.items() if operator in operators]
        return self.signed and all(self._exchange.served(peer, wanted) for peer in others)

    def _wanted(self) -> set[int]:
        """Return the seats whose signatures under the result are awaited: those that play, and those that watch."""
        fold, here = self._table.fold, self._exchange.present
        cheats = {cheat.seat for cheat in fold.position.cheats}
        left = {entry.actor for entry in fold.log if entry.left_behind}
        watching = {seat for seat, operator in enumerate(fold.operators, 1) if operator in here}
        return {*fold.position.live, *self._table.own.signers, *watching - cheats - left}
