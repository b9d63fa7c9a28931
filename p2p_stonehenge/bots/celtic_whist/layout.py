"""The cards of a round of Celtic Whist as bots see them: places in a row by strength, so that hands are bit masks.

The number cards come first, by their numbers, then those of the trump suit, last the trilithon. So the highest bit of a
mask is the card most likely to win, and the lowest the one least likely to.
"""

from collections.abc import Iterable
from functools import cache

from engine.games.celtic_whist import BLACK, CARDS, STRENGTH, SUIT_OF, SUITS, TRUMPS, number


class Layout:
    """The places of the cards with one trump. A hand is a mask with a bit for each place."""

    def __init__(self, trump: int) -> None:
        suit_of = SUIT_OF[trump]
        self.trump = trump
        self.cards = tuple(sorted(CARDS, key=lambda card: (suit_of[card] == trump, number(card), card)))
        """By place: the card as the engine has it."""
        self.place = {card: at for at, card in enumerate(self.cards)}
        self.suit = tuple(suit_of[card] for card in self.cards)
        """By place: the suit."""
        self.of_suit = tuple(self.mask(card for card in CARDS if suit_of[card] == suit) for suit in range(len(SUITS)))
        """By suit: its cards."""
        self.above = tuple(self._above(STRENGTH[trump][suit]) for suit in range(len(SUITS)))
        """By the suit led and the place of a card: the cards that beat it."""

    def _above(self, strength: bytes) -> tuple[int, ...]:
        return tuple(self.mask(other for other in CARDS if strength[other] > strength[card]) for card in self.cards)

    def mask(self, cards: Iterable[int]) -> int:
        """Return the hand that holds some of the engine's cards."""
        return sum(1 << self.place[card] for card in cards)

    def follow(self, bound: bool) -> tuple[int, ...]:
        """Return by the suit led the cards that follow it; none for Black unless Black must be followed."""
        return tuple(cards if bound or suit != BLACK else 0 for suit, cards in enumerate(self.of_suit))


@cache
def layout(trump: int) -> Layout:
    """Return the layout of a trump."""
    if trump not in TRUMPS:
        raise ValueError(f"{trump} is no trump")
    return Layout(trump)


def places(mask: int) -> list[int]:
    """Return the places of the cards in a hand, the highest first."""
    found = []
    while mask:
        found.append(mask.bit_length() - 1)
        mask ^= 1 << found[-1]
    return found
