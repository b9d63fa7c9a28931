"""The secrets of one client at one table: three seeds, all made from one random seed at the start.

Every secret of the table derives from a seed and from what the secret is for, so a restart repeats the same bytes.
The seed of the cards moves on after each round, and its old value is forgotten: a thief of the computer cannot open
the hands of rounds that are over.

What is kept of them names the table and has a checksum: a client that signs by wrong secrets looks like a cheat.
"""

import zlib
from typing import NamedTuple

from engine import MalformedError, Value, blake, decode, encode

SEED_BYTES = 32
"""Random bytes of which an identity is made, and of which the secrets of a table are."""
_NO_SECRETS = "not the secrets of a table"


class Secrets(NamedTuple):
    """The seeds for chance, for the keys of bots, and for the cards of deal number `deal` and later ones."""

    chance: bytes
    bots: bytes
    cards: bytes
    deal: int

    @classmethod
    def from_seed(cls, seed: bytes) -> "Secrets":
        """Return the secrets of a new table from 32 random bytes."""
        return cls(blake("sh/chance/1", seed), blake("sh/bots/1", seed), blake("sh/cards/1", seed), 0)

    @classmethod
    def restored(cls, data: bytes, table: bytes) -> "Secrets":
        """Return the secrets of the table with this id from the bytes kept: what `kept` wrote.

        What was kept before there was a checksum is read as well: the first seed, or what `packed` wrote. Raises
        MalformedError for other bytes, and for those of another table.
        """
        if len(data) == SEED_BYTES:
            return cls.from_seed(data)
        match _decoded(data):
            case (bytes(packed), bytes(kept_for), int(checksum)):
                if checksum != _checksum(packed, kept_for):
                    raise MalformedError("the checksum does not fit")
                if kept_for != table:
                    raise MalformedError("the secrets of another table")
                return cls.unpacked(packed)
        return cls.unpacked(data)

    def kept(self, table: bytes) -> bytes:
        """Return the bytes to keep of the secrets of the table with this id."""
        packed = self.packed()
        return encode((packed, table, _checksum(packed, table)))

    def packed(self) -> bytes:
        """Return the secrets alone in canonical bytes."""
        return encode(self)

    @classmethod
    def unpacked(cls, data: bytes) -> "Secrets":
        """Return the secrets that `packed` wrote. Raises MalformedError for other bytes."""
        match _decoded(data):
            case (bytes(chance), bytes(bots), bytes(cards), int(deal)):
                if len(chance) == len(bots) == len(cards) == SEED_BYTES and deal >= 0:
                    return cls(chance, bots, cards, deal)
        raise MalformedError(_NO_SECRETS)

    def moved_on(self, deal: int) -> "Secrets":
        """Return the secrets without those of deals before number `deal`."""
        if deal <= self.deal:
            return self
        cards = self.cards
        for _ in range(self.deal, deal):
            cards = blake("sh/ratchet/1", cards)
        return self._replace(cards=cards, deal=deal)

    def for_deal(self, deal: int, purpose: bytes) -> bytes | None:
        """Return the secret for deal number `deal` and `purpose`, 32 bytes, or None if it is forgotten.

        `purpose`: canonical bytes that name table, deal and seat.
        """
        if deal < self.deal:
            return None
        return blake("sh/round/1", self.moved_on(deal).cards, purpose)


def _decoded(data: bytes) -> Value:
    try:
        return decode(data)
    except MalformedError as error:
        raise MalformedError(_NO_SECRETS) from error


def _checksum(packed: bytes, table: bytes) -> int:
    """Return a checksum by which damage to the disk is noticed, but no change on purpose."""
    return zlib.crc32(packed + table)
