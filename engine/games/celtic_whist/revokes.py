"""Revokes in Celtic Whist: seats that did not follow suit while able, found once their cards are known."""

from collections.abc import Sequence

from engine.games.celtic_whist.cards import BLACK, OF_SUIT, SUIT_OF
from engine.games.celtic_whist.state import BLACK_FOLLOWS, State, played_by


def revokes(state: State) -> list[tuple[int, int, int]]:
    """Return the revokes in a round that has been played out, each as (seat, trick from 1, card played)."""
    seats, plays, suit_of = state.standing.seats, state.plays, SUIT_OF[state.trump]
    players, bound = len(seats), state.standing.rules & BLACK_FOLLOWS
    rows = []
    for at, leader in zip(range(0, len(plays), players), state.leads, strict=False):
        cut = at + players - seats.index(leader)
        rows.append(plays[cut : at + players] + plays[at:cut])
    cards = b"".join(rows)
    suits, leading = cards.translate(suit_of), plays[::players].translate(suit_of)
    return [
        (seat, at + 1, cards[at * players + place])
        for place, seat in enumerate(seats)
        for at in _kept_back(suits[place::players], leading, bound)
    ]


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
