"""The secrets of one client at one table: three seeds, all made from one random seed at the start.

Every secret of the table derives from a seed and from what the secret is for, so a restart repeats the same bytes.
The seed of the cards moves on after each round, and its old value is forgotten: a thief of the computer cannot open
the hands of rounds that are over.
"""

from typing import NamedTuple

from engine import MalformedError, blake, decode, encode

SEED_BYTES = 32
"""Random bytes of which an identity is made, and of which the secrets of a table are."""


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
    def restored(cls, data: bytes) -> "Secrets":
        """Return the secrets from the bytes kept: the first seed, or what `packed` wrote. Raises MalformedError."""
        return cls.from_seed(data) if len(data) == SEED_BYTES else cls.unpacked(data)

    def packed(self) -> bytes:
        """Return the bytes to keep."""
        return encode(self)

    @classmethod
    def unpacked(cls, data: bytes) -> "Secrets":
        """Return the secrets that `packed` wrote. Raises MalformedError for other bytes."""
        match decode(data):
            case (bytes(chance), bytes(bots), bytes(cards), int(deal)):
                if len(chance) == len(bots) == len(cards) == SEED_BYTES and deal >= 0:
                    return cls(chance, bots, cards, deal)
        raise MalformedError("not the secrets of a table")

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
