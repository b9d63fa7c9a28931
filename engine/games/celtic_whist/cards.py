"""The cards of Celtic Whist: what each must follow and what it beats, from precomputed tables.

A card is a number: `copy * 30 + suit * 5 + rank`, and 60 for the one trilithon in play, which is of the trump suit.
A hand is a mask of such bits; 61 of them pack as one integer.
"""

from collections.abc import Sequence

from engine.game import Action

COLOURS = ("White", "Blue", "Green", "Yellow", "Red")
"""The colours of the seats, seat 1 first."""

SUITS = ("White", "Blue", "Green", "Yellow", "Red", "Black")
SPOKEN = tuple(map(str.lower, SUITS))
"""The suits as sentences name them: a capital letter marks the colour of a seat."""
LETTERS = "WBGYRK"
"""The letter of each suit in the names of its cards."""
BLACK = 5
"""The suit Black."""
TRUMPS = range(5)
"""The suits that may be trump."""
NO_TRUMP = -1
"""The trump before it is drawn."""
RANKS = 5
"""Number cards of a suit, in one copy."""
COPY = len(SUITS) * RANKS
"""Number cards in one copy."""
TRILITHON = 2 * COPY
"""The trilithon as a card."""
CARDS = range(TRILITHON + 1)
UNKNOWN = 255
"""A card that is not known, in a row of cards."""


def number(card: int) -> int:
    """Return the number on a card; the trilithon, which beats every number, has 31."""
    suit, rank = divmod(card % COPY, RANKS)
    return COPY + 1 if card == TRILITHON else rank * len(SUITS) + suit + 1


def name(card: int, trump: int) -> str:
    """Return the name of a card.

    >>> name(numbered(9), 0), name(numbered(9, copy=1), 0), name(TRILITHON, 2)
    ('G9', "G9'", 'TG')
    """
    if card == TRILITHON:
        return f"T{LETTERS[trump]}"
    return f"{LETTERS[card % COPY // RANKS]}{number(card)}" + "'" * (card >= COPY)


def numbered(value: int, copy: int = 0) -> int:
    """Return the card with a number from 1 to 30."""
    rank, suit = divmod(value - 1, len(SUITS))
    return copy * COPY + suit * RANKS + rank


def _suit(card: int, trump: int) -> int:
    return trump if card == TRILITHON else card % COPY // RANKS


def _strengths(trump: int, led: int) -> bytes:
    """Return the strength of each card in a trick to which the suit `led` was led; a card of strength 0 cannot win."""
    table = bytearray(256)
    for card in CARDS:
        suit = _suit(card, trump)
        if led == BLACK or suit in (led, trump):
            table[card] = number(card) + 100 * (led != BLACK and suit == trump)
    return bytes(table)


def mask(cards: Sequence[int]) -> int:
    """Return the hand that holds `cards`, as a mask."""
    return sum(1 << card for card in cards)


def members(hand: int) -> tuple[int, ...]:
    """Return the cards of a hand, by suit and rank."""
    return tuple(card for card in CARDS if hand >> card & 1)


NAMES = tuple(tuple(name(card, trump) for card in CARDS) for trump in TRUMPS)
"""`NAMES[trump][card]`."""
CARD = tuple({text: card for card, text in enumerate(names)} for names in NAMES)
"""`CARD[trump][name]`."""
BIT = tuple({"?": 0, **{text: 1 << card for card, text in enumerate(names)}} for names in NAMES)
"""`BIT[trump][name]`: the card as a hand; 0 for `?`."""
BYTES = tuple(bytes((card,)) for card in CARDS)
"""`BYTES[card]`: the card (or seat) as a row of one."""

PLAYED = {text: (1 << card, BYTES[card]) for names in NAMES for card, text in enumerate(names)}
"""`PLAYED[name]`: the card as a hand, and as a row of one, whatever the trump."""

SUIT_OF = tuple(bytes(_suit(card, trump) for card in CARDS).ljust(256, b"\xff") for trump in TRUMPS)
"""`SUIT_OF[trump][card]`, long enough for `bytes.translate`."""
OF_SUIT = tuple(
    tuple(mask([card for card in CARDS if _suit(card, trump) == suit]) for suit in range(len(SUITS)))
    for trump in TRUMPS
)
"""`OF_SUIT[trump][suit]`: all cards of a suit."""
FOLLOW = tuple(tuple(OF_SUIT[trump][suit] for suit in SUIT_OF[trump][: len(CARDS)]) for trump in TRUMPS)
"""`FOLLOW[trump][card led]`: the cards that follow suit."""
FOLLOW_FREELY = tuple(
    tuple(0 if suit == BLACK else OF_SUIT[trump][suit] for suit in SUIT_OF[trump][: len(CARDS)]) for trump in TRUMPS
)
"""`FOLLOW_FREELY[trump][card led]`: the same where Black need not be followed; 0 if Black is led."""
STRENGTH = tuple(tuple(_strengths(trump, led) for led in range(len(SUITS))) for trump in TRUMPS)
"""`STRENGTH[trump][suit led]`, for `bytes.translate`: the highest wins, of equals the first played."""

STRENGTH_AFTER = tuple(tuple(STRENGTH[trump][suit] for suit in SUIT_OF[trump][: len(CARDS)]) for trump in TRUMPS)
"""`STRENGTH_AFTER[trump][card led]`: the same by the card that led."""

_NUMBERS = tuple(numbered(value) for value in range(1, COPY + 1))
_SECOND = {
    False: tuple(numbered(value, 1) for value in range(5, 10)),
    True: tuple(numbered(value, 1) for value in range(1, COPY + 1)),
}
PLAIN = (*_NUMBERS, TRILITHON)
"""The deck of up to four players, in canonical order: numbers, second copies, the trilithon."""
FIVE = (*_NUMBERS, *_SECOND[False], TRILITHON)
"""The deck of five players."""
ALL = (*_NUMBERS, *_SECOND[True], TRILITHON)
"""The deck of five players with `all_cards`."""


class _Texts(dict[int, tuple[Action, ...]]):
    """The names of the cards in a hand; worked out when first asked for."""

    def __init__(self, trump: int) -> None:
        super().__init__()
        self.trump = trump

    def __missing__(self, hand: int) -> tuple[Action, ...]:
        found = self[hand] = tuple(NAMES[self.trump][card] for card in members(hand))
        return found


SUITED = tuple(_Texts(trump) for trump in TRUMPS)
"""`SUITED[trump][hand]`: the names of the cards in a hand that are all of one suit."""

_GROUP = 10
"""Cards of a group: so few that the texts of all their hands stay in a processor's cache."""
_IN_GROUP = (1 << _GROUP) - 1
_FIRST_COPIES = (1 << COPY) - 1


def _texts_of(first: int) -> tuple[tuple[Action, ...], ...]:
    """Return the names of the cards in each hand of the group of cards that begins with `first`."""
    found: list[tuple[Action, ...]] = [()]
    for card in range(first, first + _GROUP):
        found += [(*names, NAMES[0][card]) for names in found]
    return tuple(found)


_WB, _GY, _RK, _WB2, _GY2, _RK2 = map(_texts_of, range(0, TRILITHON, _GROUP))
_TRILITHON = tuple((names[TRILITHON],) for names in NAMES)


def texts(trump: int, hand: int) -> tuple[Action, ...]:
    """Return the names of the cards in a hand, by suit and rank, the trilithon last."""
    found = _WB[hand & _IN_GROUP] + _GY[hand >> 10 & _IN_GROUP] + _RK[hand >> 20 & _IN_GROUP]
    if hand <= _FIRST_COPIES:
        return found
    hand >>= COPY
    if hand & _FIRST_COPIES:
        found += _WB2[hand & _IN_GROUP] + _GY2[hand >> 10 & _IN_GROUP] + _RK2[hand >> 20 & _IN_GROUP]
    return found + _TRILITHON[trump] if hand >> COPY else found
