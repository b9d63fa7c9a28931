"""A position of Celtic Whist."""

from itertools import combinations
from typing import NamedTuple

from engine.games.celtic_whist.cards import ALL, FIVE, FOLLOW, FOLLOW_FREELY, NO_TRUMP, PLAIN, UNKNOWN
from engine.house import build, points_reached

ALL_CARDS, BLACK_FOLLOWS, DOUBLING, RESTRICTIVE, HARD, COOPERATIVE, LONG = (1 << bit for bit in range(7))
"""The options that matter once the game has begun, as bits of `Standing.rules`; LONG: 15 cards in solitaire."""
FIRST, TRUMP, DEAL, BID, PLAY = range(5)
"""Phases: draw the first dealer; draw the trump; deal; bid; play cards."""
REACHED, TIMER, SHARED, FALLEN, RESIGNED, REVOKED = range(5, 11)
"""Phases of a game that is over."""
GOAL = 30
"""The game ends when a total or the timer stands here."""
EXTRA_ROUNDS = 10
"""Rounds that tied seats play before they share the win."""
REASONS = {
    REACHED: points_reached(GOAL),
    TIMER: f"the timer reached {GOAL}",
    SHARED: f"still tied after {EXTRA_ROUNDS} more rounds",
    FALLEN: "no points left",
    RESIGNED: "resigned",
    REVOKED: "a revoke",
}
HANDS = (0, 13, 15, 10, 7, 7)
"""Cards a hand by the number of seats."""
LONG_HAND, ALL_HAND = 15, 12
"""Cards a hand with LONG, and with ALL_CARDS for five seats."""
NULL_MAX = -99
"""The worth of a bid `null max` until bidding ends and fixes it."""


class Standing(NamedTuple):
    """The part of a state that lasts from round to round. Tuples have an entry for each seat of the table."""

    rules: int
    """The options, as bits."""
    start: int
    """The total with which a solitaire player began; 0 for more players."""
    seats: bytes
    """The seats still playing, in order; when the game is over, those that won."""
    dealer: int
    timer: int
    extra: int
    """Rounds played to break a tie."""
    totals: tuple[int, ...]
    """The points of each seat, all the same in a cooperative game."""
    won: tuple[int, ...]
    """The points of each seat in the round before; 0 if there was none or it was abandoned."""


class State(NamedTuple):
    """A position. Fields that concern a round are empty outside of it. `follow` results from the rest, unpacked."""

    standing: Standing
    phase: int
    seat: int
    """The seat that bids or plays; 0 in other phases."""
    trump: int
    bids: tuple[int, ...]
    """The worth of each seat's bid, negative for a null bid; 0 before it is made, and in the all-null round."""
    hands: tuple[int, ...]
    """The known cards of each hand, as masks."""
    unknown: bytes
    """The number of unknown cards in each hand, a byte a seat."""
    plays: bytes
    """The cards played in this round, in order."""
    leads: bytes
    """The seat that led to each trick so far, and so took the trick before it; 0 for the solitaire dummy."""
    dummy: bytes
    """The dummy's cards, the next first."""
    follow: int = 0
    """The cards that follow suit in the trick in progress, as a mask; 0 where any card may be played."""


def between(standing: Standing) -> State:
    """Return the state in which the trump of the next round is drawn."""
    return build(State, (standing, TRUMP, 0, NO_TRUMP, (), (), b"", b"", b"", b"", 0))


def over(standing: Standing, end: int, winners: bytes) -> State:
    """Return the state of a game that has ended: `end` is its phase."""
    return between(standing._replace(seats=winners))._replace(phase=end)


def _orders() -> dict[bytes, tuple[bytes, ...]]:
    """Return the order of play when each seat leads, for each set of seats still playing."""
    found = {}
    for players in range(2, 6):
        for seats in map(bytes, combinations(range(1, 6), players)):
            rows = {seat: seats[at:] + seats[:at] for at, seat in enumerate(seats)}
            found[seats] = tuple(rows.get(leader, b"") for leader in range(6))
    return found


ORDER = _orders()
"""`ORDER[seats][leader]`: the seats clockwise from the one that leads."""


def size(standing: Standing) -> int:
    """Return how many cards a hand has."""
    rules, players = standing.rules, len(standing.seats)
    if rules & (ALL_CARDS | LONG):
        if rules & LONG:
            return LONG_HAND
        if players == 5:
            return ALL_HAND
    return HANDS[players]


def deck(standing: Standing) -> tuple[int, ...]:
    """Return the cards of a round in canonical order."""
    if len(standing.seats) < 5:
        return PLAIN
    return ALL if standing.rules & ALL_CARDS else FIVE


def follows(rules: int, trump: int, led: int) -> int:
    """Return the cards that follow suit to the card `led`, as a mask; 0 where any card may be played."""
    if led == UNKNOWN:
        return 0
    return (FOLLOW if rules & BLACK_FOLLOWS else FOLLOW_FREELY)[trump][led]


def lead_of(state: State) -> int:
    """Return the card that led to the trick in progress, UNKNOWN if there is none."""
    players = len(state.standing.seats)
    at = len(state.plays) - (len(state.plays) % players if players > 1 else 1)
    return state.plays[at] if at < len(state.plays) else UNKNOWN


def taken(state: State, seat: int) -> int:
    """Return how many tricks a seat has taken in this round."""
    return state.leads.count(seat, 1)


def played_by(state: State) -> list[tuple[int, int]]:
    """Return the round's plays so far as (seat, card), seat 0 for the dummy."""
    seats, leads = state.standing.seats, state.leads
    players = len(seats)
    if players == 1:
        return [(at % 2, card) for at, card in enumerate(state.plays)]
    return [
        (seats[(seats.index(leads[at // players]) + at % players) % players], card)
        for at, card in enumerate(state.plays)
    ]
