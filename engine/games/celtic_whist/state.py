"""A position of Celtic Whist."""

from typing import NamedTuple

from engine.games.celtic_whist.cards import ALL, FIVE, NO_TRUMP, PLAIN, UNKNOWN

ALL_CARDS, BLACK_FOLLOWS, DOUBLING, RESTRICTIVE, HARD, COOPERATIVE, LONG = (1 << bit for bit in range(7))
"""The options that matter once the game has begun, as bits of `Standing.rules`; LONG is solitaire with 15 cards."""
FIRST, TRUMP, DEAL, BID, PLAY = range(5)
"""Phases: draw the first dealer; draw the trump; deal; bid; play cards."""
REACHED, TIMER, SHARED, FALLEN, RESIGNED, REVOKED = range(5, 11)
"""Phases of a game that is over."""
GOAL = 30
"""Where the game ends, for totals and for the timer."""
EXTRA_ROUNDS = 10
"""Rounds between tied seats before they share the win."""
REASONS = {
    REACHED: "30 points reached",
    TIMER: "the timer reached 30",
    SHARED: f"still tied after {EXTRA_ROUNDS} more rounds",
    FALLEN: "no points left",
    RESIGNED: "resigned",
    REVOKED: "a revoke",
}
HANDS = (0, 13, 15, 10, 7, 7)
"""Cards a hand by the number of seats."""
LONG_HAND, ALL_HAND = 15, 12
NULL_MAX = -99
"""A bid whose worth is fixed when bidding ends."""


class Standing(NamedTuple):
    """What lasts from round to round. Tuples have one entry a seat of the table."""

    rules: int
    start: int
    """Where a solitaire player began."""
    seats: bytes
    """The seats still playing, in order; when the game is over, those that won."""
    dealer: int
    timer: int
    extra: int
    """Rounds played to break a tie."""
    totals: tuple[int, ...]
    """The points of each seat, all the same in a cooperative game."""
    won: tuple[int, ...]
    """What each seat won in the round before; nothing if there was none or it was abandoned."""


class State(NamedTuple):
    """A position. What concerns a round is empty outside of it."""

    standing: Standing
    phase: int
    seat: int
    """Who bids or plays, else 0."""
    trump: int
    bids: tuple[int, ...]
    """Each bid as its worth, negative for null bids; 0 before it is made, and after it for the all-null round."""
    hands: tuple[int, ...]
    """The cards known in each hand."""
    unknown: bytes
    """How many more are in each hand."""
    plays: bytes
    """The cards played in this round, in order."""
    leads: bytes
    """Who led to each trick so far, and so who took the one before; 0 for the solitaire dummy."""
    dummy: bytes
    """The dummy's cards, the next first."""


def between(standing: Standing) -> State:
    """Return the state in which the trump of the next round is drawn."""
    return State(standing, TRUMP, 0, NO_TRUMP, (), (), b"", b"", b"", b"")


def over(standing: Standing, end: int, winners: bytes) -> State:
    """Return the state of a game that has ended."""
    return between(standing._replace(seats=winners))._replace(phase=end)


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
