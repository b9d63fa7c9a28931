"""The deal of Celtic Whist: which seat gets which card, what each viewer knows, and full states that fit a view."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Chance, Deal
from engine.games.celtic_whist.cards import BIT, CARD, NAMES, UNKNOWN, mask, members
from engine.games.celtic_whist.revokes import denied
from engine.games.celtic_whist.state import BID, ORDER, PLAY, Standing, State, deck, size
from engine.house import build, next_seat

if TYPE_CHECKING:
    from random import Random

TRIES = 100
"""Deals tried in search of one in which every seat has followed suit."""


@lru_cache(maxsize=1024)
def layout(rules: int, table: int, seats: bytes, dealer: int, trump: int) -> Chance:
    """Return the deal for these seats of a table."""
    none = (0,) * table
    standing = Standing(rules, 0, seats, dealer, 0, 0, none, none)
    return Chance(Deal(tuple(map(NAMES[trump].__getitem__, deck(standing))), owners(standing)))


def owners(standing: Standing) -> tuple[int, ...]:
    """Return the seat that gets each card of the shuffled deck; 0 for a card that stays face down, as the dummy's."""
    dealt = tuple(circle(standing)) * size(standing)
    return dealt + (0,) * (len(deck(standing)) - len(dealt))


def circle(standing: Standing) -> bytes:
    """Return the order of dealing: clockwise from the dealer's left; in solitaire seat 1 and the dummy, as 0."""
    if len(standing.totals) == 1:
        return b"\1\0"
    seats = standing.seats
    return ORDER[seats][next_seat(seats, standing.dealer)]


def deal(state: State, words: Sequence[str]) -> State:
    """Return the state after a deal of the cards `words`, `?` for an unknown card; no words if all are unknown."""
    standing, trump = state.standing, state.trump
    count, table = size(standing), len(standing.totals)
    hands, unknown, dummy = [0] * table, bytearray(table), b""
    row = circle(standing)
    step = len(row)
    dealt = words[: count * step] or ("?",) * (count * step)
    bit = BIT[trump].__getitem__
    for at, seat in enumerate(row):
        cards = dealt[at::step]
        if seat:
            hands[seat - 1] = hand = sum(map(bit, cards))
            unknown[seat - 1] = count - hand.bit_count()
        else:
            dummy = bytes(CARD[trump].get(card, UNKNOWN) for card in cards)
    first, won = row[0], standing.won
    for seat in row:
        if won[seat - 1] > won[first - 1]:
            first = seat
    fields = (standing, BID, first, trump, (0,) * table, tuple(hands), bytes(unknown), b"", b"", dummy, 0)
    return build(State, fields)


def view(state: State, viewer: int) -> State:
    """Return the state with every card blanked that `viewer` does not know."""
    if state.phase not in (BID, PLAY):
        return state
    hands, unknown = list(state.hands), bytearray(state.unknown)
    for at, hand in enumerate(hands):
        if hand and at != viewer - 1:
            hands[at] = 0
            unknown[at] += hand.bit_count()
    dummy = bytes((UNKNOWN,)) * len(state.dummy)
    return state._replace(hands=tuple(hands), unknown=bytes(unknown), dummy=dummy)


def complete(view: State, rng: "Random") -> State:
    """Return a full state that fits the view, its hidden cards dealt at random.

    No seat gets a card of a suit that it did not follow, unless TRIES random deals found no such state.
    """
    if not any(view.unknown) and UNKNOWN not in view.dummy:
        return view
    cards = list(members(unseen(view)))
    barred = denied(view)
    for attempt in range(TRIES + 1):
        rng.shuffle(cards)
        hands = _shared_out(view, cards, barred if attempt < TRIES else [0] * len(barred))
        if hands:
            break
    rest = [card for card in cards if not any(hand >> card & 1 for hand in hands)]
    dummy = bytes(rest.pop() if card == UNKNOWN else card for card in view.dummy)
    return view._replace(hands=hands, unknown=bytes(len(hands)), dummy=dummy)


def _shared_out(view: State, cards: Sequence[int], barred: Sequence[int]) -> tuple[int, ...]:
    """Return the hands filled up from `cards` in their order, without the barred ones; () if that is not possible."""
    hands, left = list(view.hands), list(cards)
    for at in sorted(range(len(hands)), key=lambda at: -barred[at].bit_count()):
        fits = [card for card in left if not barred[at] >> card & 1][: view.unknown[at]]
        if len(fits) < view.unknown[at]:
            return ()
        hands[at] |= mask(fits)
        left = [card for card in left if card not in fits]
    return tuple(hands)


def unseen(state: State) -> int:
    """Return the cards of the deck that are neither played nor in a hand that is known, as a mask."""
    seen = mask(state.plays) | sum(state.hands)
    return mask(deck(state.standing)) & ~(seen | mask([card for card in state.dummy if card != UNKNOWN]))
