"""Revokes in Celtic Whist: seats that did not follow suit while able, found once their cards are known."""

from collections.abc import Sequence
from itertools import compress

from engine.games.celtic_whist.cards import BLACK, OF_SUIT, SUIT_OF
from engine.games.celtic_whist.state import BLACK_FOLLOWS, ORDER, State, played_by

_SUIT = tuple(bytes(8 * suit & 255 for suit in suits) for suits in SUIT_OF)
"""`_SUIT[trump][card]`: the suit, with room for a seat in the lowest bits."""
_BLACK = 8 * BLACK


def revokes(state: State) -> list[tuple[int, int, int]]:
    """Return the revokes in a round that has been played out, each as (seat, trick from 1, card played)."""
    seats, plays = state.standing.seats, state.plays
    players, bound = len(seats), state.standing.rules & BLACK_FOLLOWS
    suits = plays.translate(_SUIT[state.trump])
    who = b"".join(map(ORDER[seats].__getitem__, state.leads[: len(plays) // players]))
    led = bytearray(len(plays))
    for place in range(players):
        led[place::players] = suits[::players]
    # In one number: a byte for each card has its suit and, in the lowest bits, the seat that played it.
    number = int.from_bytes(suits, "big")
    played = (number + int.from_bytes(who, "big")).to_bytes(len(plays), "big")
    others = (number ^ int.from_bytes(led, "big")).to_bytes(len(plays), "big")
    found = [
        (who[at], at // players + 1, plays[at])
        for at in compress(range(len(plays)), others)
        if (led[at] != _BLACK or bound) and played.find(led[at] + who[at], at) >= 0
    ]
    return sorted(found)


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
