"""Revokes in Celtic Whist: seats that did not follow suit while able, found once their cards are known."""

from collections.abc import Sequence
from functools import cache
from itertools import compress
from operator import getitem

from engine.games.celtic_whist.cards import BLACK, OF_SUIT, SUIT_OF
from engine.games.celtic_whist.state import BLACK_FOLLOWS, HANDS, ORDER, State, played_by

_BIT = tuple(bytes(1 << suit if suit <= BLACK else 0 for suit in suits) for suits in SUIT_OF)
"""`_BIT[trump][card]`: the suit as a bit."""
_BINDING = (tuple(bits.replace(bytes((1 << BLACK,)), b"\0") for bits in _BIT), _BIT)
"""`_BINDING[whether Black must be followed][trump][card led]`: the suit that must be followed as a bit, 0 for none."""


@cache
def _turned(seats: bytes) -> tuple[tuple[bytes, ...], ...]:
    """Return by trick and leader: where among all plays the card of each seat is, the seats in order."""
    players = len(seats)
    return tuple(
        tuple(bytes(players * trick + order.index(seat) for seat in seats) if order else b"" for order in ORDER[seats])
        for trick in range(max(HANDS))
    )


@cache
def _leading(players: int) -> bytes:
    """Return for each play of a round where the card is that led to its trick."""
    return bytes(players * trick for trick in range(max(HANDS)) for _ in range(players))


def revokes(state: State) -> list[tuple[int, int, int]]:
    """Return the revokes in a round that has been played out, each as (seat, trick from 1, card played)."""
    seats, plays, trump = state.standing.seats, state.plays, state.trump
    players = len(seats)
    where = b"".join(map(getitem, _turned(seats), state.leads[: len(plays) // players]))
    binding = _BINDING[state.standing.rules & BLACK_FOLLOWS > 0][trump]
    # Numbers with a byte for each seat, trick by trick, in which each suit has its bit.
    played = int.from_bytes(where.translate(plays.translate(_BIT[trump]).ljust(256, b"\0")), "little")
    led = _leading(players)[: len(plays)]
    asked = int.from_bytes(led.translate(plays.translate(binding).ljust(256, b"\0")), "little")
    trick = 8 * players
    later = played >> trick
    for tricks in (1, 2, 4, 8):  # the suits of the next trick, of the next two, four, eight and sixteen
        later |= later >> trick * tricks
    kept_back = later & asked & ~played
    if not kept_back:
        return []
    found = compress(range(len(plays)), kept_back.to_bytes(len(plays), "little"))
    return sorted((seats[at % players], at // players + 1, plays[where[at]]) for at in found)


def revokes_of(state: State, seat: int, hand: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the revokes of one seat in a round that was broken off while the seat held the cards `hand`."""
    players, suit_of = len(state.standing.seats), SUIT_OF[state.trump]
    played = [card for one, card in played_by(state) if one == seat]
    leading = state.plays[::players][: len(played)].translate(suit_of)
    line = bytes((*played, *hand)).translate(suit_of)
    return [(seat, at + 1, played[at]) for at in _kept_back(line, leading, state.standing.rules & BLACK_FOLLOWS)]


def denied(state: State) -> list[int]:
    """Return the cards that each seat of the table cannot hold if it has followed suit, as masks."""
    seats, plays, trump = state.standing.seats, state.plays, state.trump
    players, bound = len(seats), state.standing.rules & BLACK_FOLLOWS
    masks = [0] * len(state.hands)
    if players > 1:
        for at, card in enumerate(plays):
            suit = SUIT_OF[trump][plays[at - at % players]]
            if SUIT_OF[trump][card] != suit and (suit != BLACK or bound):
                seat = seats[(seats.index(state.leads[at // players]) + at % players) % players]
                masks[seat - 1] |= OF_SUIT[trump][suit]
    return masks


def _kept_back(line: bytes, leading: bytes, bound: int) -> list[int]:
    """Return the tricks, from 0, in which a seat did not follow the suit that led though it held that suit.

    `leading` has the suit that led to each trick; `line` has the suits of the cards that the seat played, in their
    order, and after them the suits of the cards that it still holds. `bound`: Black must be followed.
    """
    return [
        at for at, led in enumerate(leading) if line[at] != led and line.find(led, at) >= 0 and (led != BLACK or bound)
    ]
