"""What a resumed client must hear from its peers before it signs anything.

The client's file may be an older copy. Its peers may hold more of its own chains, and signing a number twice is
equivocation.
"""

from collections.abc import Mapping

from protocol.events import Head
from protocol.messages import ASK_BYTES, WAITING_LIMIT, Have
from protocol.table.epochs import is_majority
from protocol.table.table import Table

PATIENCE = 30.0
"""Seconds that a resumed client waits for statements from all peers, before a majority will do."""


class Resuming:
    """The peers that still have to state what they hold. `seat_of`: the seat of each peer, by id."""

    def __init__(self, table: Table, seat_of: Mapping[bytes, int], challenge: bytes, *, resumed: bool) -> None:
        self.asleep = True
        """Whether nothing is signed yet since the start. A client that signs again need hear no peer any more."""
        self.keeps_back = False
        """Whether something may be owed that was not signed when it was due, since peers had to be heard."""
        self._table = table
        self._seat_of = seat_of
        self._challenge = challenge
        self._resumed = resumed
        self._unheard = set(seat_of) if resumed else set()
        self._began: float | None = None
        self._said: dict[bytes, tuple[Head, ...]] = {}
        """What peers have answered to the challenge."""

    def asks(self, peer: bytes) -> bytes:
        """Return the bytes with which this client asks a peer, empty if the peer was heard.

        They are the challenge, then the first bytes of the hashes of own events that wait here and need not be sent.
        """
        if peer not in self._unheard:
            return b""
        own = [
            event for (seat, _), event in sorted(self._table.held.waiting.items()) if seat in self._table.own.signers
        ]
        return b"".join((self._challenge, *(event.hash[:ASK_BYTES] for event in own[:WAITING_LIMIT])))

    def hear(self, peer: bytes, have: Have | None = None) -> None:
        """Note a peer's statement. The peer is heard once all that it holds of the own chains is held here."""
        if have is not None and self._challenge and have.answers.startswith(self._challenge):
            self._said[peer] = have.heads
        said = self._said.get(peer)
        if said is not None and not self._lacks(said):
            self._unheard.discard(peer)

    def tick(self, now: float) -> None:
        """Note the time of the first look."""
        self._began = now if self._began is None else self._began

    def trust(self) -> None:
        """Take the player's word that this copy is the newest: no peer has to be heard any more."""
        self._unheard.clear()
        self._began = float("-inf")
        self._table.held.forgo(self._table.own.signers)

    def unheard(self, now: float, heads: Mapping[bytes, tuple[Head, ...]]) -> tuple[int, ...]:
        """Return the seats that have to be heard before anything is signed.

        `heads`: how far the chains of each peer go, by id. After `PATIENCE` more than half of the other players will
        do; of two players the other one is always needed.
        """
        early = self._resumed and (self._began is None or now < self._began + PATIENCE)
        if not early and not self.asleep:
            return ()
        # What this client had sent last may have been on its way to a peer that answered: a peer may hold more by now.
        claiming = tuple([seat for id, seat in self._seat_of.items() if id in heads and self._lacks(heads[id])])
        if not self.asleep:
            return claiming
        live = self._table.fold.position.live
        # Where no other seat plays, as after a resignation of two players, the clients of the seats that left count:
        # they hold the last events of this client.
        others = {id: seat for id, seat in self._seat_of.items() if seat in live} or self._seat_of
        missing = tuple(seat for id, seat in others.items() if id in self._unheard)
        if early:
            return missing or claiming
        return () if is_majority(len(others) - len(missing), len(others)) else missing

    def _lacks(self, heads: tuple[Head, ...]) -> bool:
        """Return whether a peer with these heads holds more of the own chains than this client."""
        chains = self._table.held.chains
        return any(heads[seat - 1].length > len(chains[seat - 1]) for seat in self._table.own.signers)
