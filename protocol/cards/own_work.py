"""A deck scheme that skips the check of shuffles and shares made by this client, which halves the time of a deal."""

from collections.abc import Sequence

from protocol.cards.deck import DeckScheme


class OwnWork:
    """Remembers the shuffles and shares that it made. Verification of a file checks them all.

    Each method does what that of the scheme does.
    """

    def __init__(self, scheme: DeckScheme) -> None:
        self._scheme = scheme
        self._made: set[tuple[bytes | int, ...]] = set()

    def make_key(self, secret: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return what the scheme returns."""
        return self._scheme.make_key(secret, context)

    def proves_key(self, public: bytes, proof: bytes, context: bytes) -> bool:
        """Return what the scheme returns."""
        return self._scheme.proves_key(public, proof, context)

    def joint_key(self, publics: Sequence[bytes]) -> bytes:
        """Return what the scheme returns."""
        return self._scheme.joint_key(publics)

    def first_deck(self, cards: int, joint: bytes) -> bytes:
        """Return what the scheme returns."""
        return self._scheme.first_deck(cards, joint)

    def shuffle(self, secret: bytes, deck: bytes, joint: bytes, context: bytes) -> tuple[bytes, bytes]:
        """Return what the scheme returns, and remember it."""
        shuffled, proof = self._scheme.shuffle(secret, deck, joint, context)
        self._made.add((deck, shuffled, joint, proof, context))
        return shuffled, proof

    def proves_shuffle(self, deck: bytes, shuffled: bytes, joint: bytes, proof: bytes, context: bytes) -> bool:
        """Return what the scheme returns."""
        if (deck, shuffled, joint, proof, context) in self._made:
            return True
        return self._scheme.proves_shuffle(deck, shuffled, joint, proof, context)

    def make_share(self, secret: bytes, deck: bytes, position: int, context: bytes) -> bytes:
        """Return what the scheme returns, and remember it."""
        share = self._scheme.make_share(secret, deck, position, context)
        self._made.add((deck, position, share, context))
        return share

    def proves_share(self, public: bytes, deck: bytes, position: int, share: bytes, context: bytes) -> bool:
        """Return what the scheme returns. The context names the seat, and with it the key."""
        if (deck, position, share, context) in self._made:
            return True
        return self._scheme.proves_share(public, deck, position, share, context)

    def open_card(self, deck: bytes, position: int, shares: Sequence[bytes]) -> int | None:
        """Return what the scheme returns."""
        return self._scheme.open_card(deck, position, shares)
