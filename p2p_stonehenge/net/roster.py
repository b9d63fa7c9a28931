"""The peers that a transport knows, and which of them makes room for another one."""

from collections.abc import Iterator, Mapping

from p2p_stonehenge.net.gate import Tie
from p2p_stonehenge.net.peer import Peer
from p2p_stonehenge.net.shares import crowded_out

MAX_PEERS = 24
"""Peers that are known at one time, linked or not."""
MAX_STRANGERS = 8
"""Of them, peers that were not dialled from here, have no seat and do not watch."""
SETTLING = 1.0
"""Seconds that a stranger has to find a seat before it makes room for the next one, if room is scarce."""


class Roster(Mapping[bytes, Peer]):
    """All peers of one client by id; `by_key`: by CURVE key, of which two ids can have one, but not two peers."""

    def __init__(self) -> None:
        self._by_id: dict[bytes, Peer] = {}
        self.by_key: dict[str, Peer] = {}

    def __getitem__(self, id: bytes) -> Peer:
        return self._by_id[id]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, peer: Peer) -> None:
        """Add a peer; its key is that of no other one."""
        self._by_id[peer.id] = self.by_key[peer.key] = peer

    def remove(self, peer: Peer) -> None:
        """Remove a peer."""
        del self._by_id[peer.id], self.by_key[peer.key]

    def makes_room_for(self, peer: Peer, now: float) -> Peer | None:
        """Return the stranger that has to go before `peer` can be added: None if there is room, else perhaps `peer`."""
        strangers = [one for one in (*self.values(), peer) if not (one.wanted or one.kept)]
        if len(self) < MAX_PEERS and len(strangers) <= MAX_STRANGERS:
            return None
        worst = crowded_out(strangers, lambda one: one.address, lambda one: int(now < one.arrived + SETTLING))
        settling = worst is not None and now < worst.arrived + SETTLING and worst.address != peer.address
        return peer if worst is None or (settling and not peer.wanted) else worst

    def tie_to(self, key: str) -> Tie:
        """Return what the owner of `key` is here."""
        peer = self.by_key.get(key)
        if peer is None:
            return Tie.UNKNOWN
        return Tie.FRIEND if peer.wanted else Tie.KEPT if peer.kept else Tie.UNKNOWN

    def friends(self) -> set[str]:
        """Return the IPv4 addresses of peers that were dialled from here, have a seat or watch."""
        friends = (peer for peer in self.values() if peer.wanted or peer.kept)
        return {way.rpartition(":")[0] for peer in friends for way in peer.ways}
