"""Celtic Whist: the state of a game and how a round goes on, from the deal to the score."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engine._whist_cards import (
    ALL,
    BIT,
    BLACK,
    BYTES,
    CARD,
    FIVE,
    FOLLOW,
    FOLLOW_FREELY,
    NAMES,
    NO_TRUMP,
    OF_SUIT,
    PLAIN,
    STRENGTH,
    SUIT_OF,
    UNKNOWN,
    mask,
    texts,
)
from engine.game import Action, Deal
from engine.house import next_seat

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


_FOLLOW = {0: FOLLOW_FREELY, BLACK_FOLLOWS: FOLLOW}


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


_new = tuple.__new__  # a good deal faster than the constructor of a named tuple


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


def circle(standing: Standing) -> bytes:
    """Return who is dealt a card in turn: clockwise from the dealer's left; alone the player and the dummy, 0."""
    if len(standing.totals) == 1:
        return b"\1\0"
    at = standing.seats.index(standing.dealer) + 1
    return standing.seats[at:] + standing.seats[:at]


@lru_cache(maxsize=1024)
def layout(rules: int, table: int, seats: bytes, dealer: int, trump: int) -> Deal:
    """Return the deal for these seats of a table."""
    none = (0,) * table
    standing = Standing(rules, 0, seats, dealer, 0, 0, none, none)
    return Deal(tuple(map(NAMES[trump].__getitem__, deck(standing))), owners(standing))


def owners(standing: Standing) -> tuple[int, ...]:
    """Return who gets each position of the shuffled deck; the solitaire dummy's cards stay face down."""
    dealt = tuple(circle(standing)) * size(standing)
    return dealt + (0,) * (len(deck(standing)) - len(dealt))


def unseen(state: State) -> int:
    """Return the cards of the deck that are neither played nor in a hand that is known, as a mask."""
    seen = mask(state.plays) | sum(state.hands)
    return mask(deck(state.standing)) & ~(seen | mask([card for card in state.dummy if card != UNKNOWN]))


def lead_of(state: State) -> int:
    """Return the card that led to the trick in progress, UNKNOWN if there is none."""
    players = len(state.standing.seats)
    at = len(state.plays) - (len(state.plays) % players if players > 1 else 1)
    return state.plays[at] if at < len(state.plays) else UNKNOWN


def playable(state: State) -> tuple[Action, ...]:
    """Return the cards that the seat to act may play."""
    standing, _, seat, trump, _, hands, unknown, plays, _, _ = state
    hand = hands[seat - 1]
    if unknown[seat - 1]:
        return texts(trump, hand | unseen(state))
    players = len(standing.seats)
    held = len(plays) % players if players > 1 else 1
    if held and (led := plays[-held]) != UNKNOWN:
        return texts(trump, hand & _FOLLOW[standing.rules & BLACK_FOLLOWS][trump][led] or hand)
    return texts(trump, hand)


def deal(state: State, words: Sequence[str]) -> State:
    """Return the state after a deal of these cards, `?` for each unknown; no words where all are."""
    standing, trump = state.standing, state.trump
    count, players = size(standing), len(standing.seats)
    hands, unknown = [0] * len(standing.totals), bytearray(len(standing.totals))
    bits = BIT[trump].__getitem__
    row = circle(standing)
    end = count * len(row)
    dummy = b""
    for at, seat in enumerate(row):
        cards = words[at : end : len(row)] or ("?",) * count
        if seat:
            hands[seat - 1] = sum(map(bits, cards))
            unknown[seat - 1] = cards.count("?")
        else:
            dummy = bytes(CARD[trump].get(card, UNKNOWN) for card in cards)
    first = row[0] if players == 1 else max(row, key=lambda seat: standing.won[seat - 1])
    return State(standing, BID, first, trump, (0,) * len(hands), tuple(hands), bytes(unknown), b"", b"", dummy)


def bid(state: State, worth: int) -> State:
    """Return the state after a bid; the last one opens the play."""
    standing, seat = state.standing, state.seat
    seats = standing.seats
    bids = (*state.bids[: seat - 1], worth, *state.bids[seat:])
    if len(bids) == 1:
        led, dummy = state.dummy[:1], state.dummy[1:]
        return State(standing, PLAY, 1, state.trump, bids, state.hands, state.unknown, led, b"\0", dummy)
    following = seats[(seats.index(seat) + 1) % len(seats)]
    if not bids[following - 1]:
        return _new(State, (standing, BID, following, state.trump, bids, state.hands, state.unknown, b"", b"", b""))
    highest = max([bids[one - 1] for one in seats])
    if highest < 0:
        bids = (0,) * len(bids)
    elif NULL_MAX in bids:
        bids = tuple([-highest if one == NULL_MAX else one for one in bids])
    at = seats.index(standing.dealer)
    leader = max(seats[at:] + seats[:at], key=lambda one: (bids[one - 1], standing.totals[one - 1]))
    return State(standing, PLAY, leader, state.trump, bids, state.hands, state.unknown, b"", BYTES[leader], b"")


def _following() -> dict[bytes, bytes]:
    """Return for each set of seats who comes after whom: `FOLLOWING[seats][seat]`."""
    found = {}
    for players in range(1, 6):
        for seats in map(bytes, combinations(range(1, 6), players)):
            found[seats] = bytes(next_seat(seats, seat) for seat in range(6))
    return found


FOLLOWING = _following()


def play(state: State, card: int) -> State:
    """Return the state after a card; the last one of a round scores it."""
    standing, _, seat, trump, bids, hands, unknown, plays, leads, dummy = state
    at = seat - 1
    hand, bit = hands[at], 1 << card
    if hand & bit:
        hand ^= bit
        changed = list(hands)
        changed[at] = hand
        hands = tuple(changed)
    else:
        unknown = bytes((*unknown[:at], unknown[at] - 1, *unknown[seat:]))
    plays += BYTES[card]
    seats = standing.seats
    players = len(seats)
    if players == 1:
        return _answer(state._replace(hands=hands, unknown=unknown, plays=plays))
    if len(plays) % players:
        seat = FOLLOWING[seats][seat]
        return _new(State, (standing, PLAY, seat, trump, bids, hands, unknown, plays, leads, dummy))
    leader = leads[-1]
    best = winning(trump, plays[-players:])
    seat = seats[(seats.index(leader) + best) % players]
    leads += BYTES[seat]
    state = _new(State, (standing, PLAY, seat, trump, bids, hands, unknown, plays, leads, dummy))
    return state if hand or unknown[at] else _finish(state)


def winning(trump: int, trick: bytes) -> int:
    """Return which card of a trick, in the order played, is the highest."""
    values = trick.translate(STRENGTH[trump][SUIT_OF[trump][trick[0]]])
    return values.index(max(values))


def taken(state: State, seat: int) -> int:
    """Return how many tricks a seat has taken in this round."""
    return state.leads.count(seat, 1)


def _answer(state: State) -> State:
    """Return the state when a solitaire player has answered: the dummy leads again, or the round is scored."""
    led, answer = state.plays[-2:]
    won = led != UNKNOWN and winning(state.trump, bytes((led, answer)))
    state = state._replace(leads=state.leads + BYTES[won])
    if state.dummy:
        return state._replace(plays=state.plays + state.dummy[:1], dummy=state.dummy[1:])
    standing = state.standing
    points = score(standing.rules, size(standing), state.bids[0], taken(state, 1))
    total, timer = max(0, standing.totals[0] + points), standing.timer
    if GOAL > total > 0:
        timer += 1
    standing = standing._replace(totals=(total,), won=(points,), timer=timer)
    if total >= GOAL:
        return over(standing, REACHED, b"\1")
    if total == 0:
        return over(standing, FALLEN, b"")
    if timer == GOAL:
        return over(standing, TIMER, b"\1" if standing.rules & HARD and total > standing.start else b"")
    return between(standing)


def score(rules: int, hand: int, worth: int, tricks: int) -> int:
    """Return what a bid of this worth brings with so many tricks taken of `hand`."""
    if worth < 0:
        return worth if tricks else -worth
    need = min(worth, hand)
    if tricks < need:
        return -worth
    if rules & HARD and worth and tricks > need:
        return 0
    return worth - (tricks - need)


def exact(worth: int, tricks: int) -> bool:
    """Return whether a bid was made exactly, as a cooperative team needs it."""
    return tricks == max(worth, 0)


def _finish(state: State) -> State:
    """Return the state when the last card of a round has fallen: audited, then scored."""
    guilty = {seat for seat, _, _ in revokes(state)}
    if guilty:
        return leave(state, guilty, REVOKED)
    standing, bids, leads = state.standing, state.bids, state.leads
    rules, _, seats, dealer, timer, extra, totals, won = standing
    if rules & COOPERATIVE:
        # An all-null round is never made: somebody takes its tricks.
        made = all(exact(bids[seat - 1], leads.count(seat, 1)) for seat in seats)
        totals = (totals[0] + made * len(seats),) * len(totals)
        timer = min(timer + 1, GOAL)
        end, winners = (REACHED, seats) if totals[0] >= GOAL else (TIMER, b"")
    else:
        hand = len(leads) - 1
        points, sums = [0] * len(totals), list(totals)
        for seat in seats:
            points[seat - 1] = score(rules, hand, bids[seat - 1], leads.count(seat, 1))
            sums[seat - 1] = max(0, totals[seat - 1] + points[seat - 1])
        totals, won = tuple(sums), tuple(points)
        highest = max([totals[seat - 1] for seat in seats])
        extra += timer == GOAL
        end = REACHED if highest >= GOAL else TIMER
        timer = min(max(timer + 1, highest), GOAL)
        if timer == GOAL:
            seats = bytes(seat for seat in seats if totals[seat - 1] == highest)
        winners = seats
    tie = not rules & COOPERATIVE and len(winners) > 1
    if tie and extra == EXTRA_ROUNDS:
        end = SHARED
    if (end == REACHED or timer == GOAL) and (not tie or end == SHARED):
        return over(Standing(rules, 0, seats, dealer, timer, extra, totals, won), end, winners)
    return between(Standing(rules, 0, seats, next_seat(seats, dealer), timer, extra, totals, won))


def leave(state: State, leavers: set[int], end: int) -> State:
    """Return the state when seats have resigned or revoked: the round they were in is abandoned."""
    standing = state.standing
    seats = bytes(seat for seat in standing.seats if seat not in leavers)
    if len(seats) < 2:
        return over(standing, end, b"" if standing.rules & COOPERATIVE else seats)
    dealer, won = standing.dealer, standing.won
    if state.phase > TRUMP:
        won = (0,) * len(won)
    if dealer and (state.phase > TRUMP or dealer in leavers):
        dealer = next_seat(seats, dealer)
    standing = standing._replace(seats=seats, dealer=dealer, won=won)
    return between(standing) if dealer else between(standing)._replace(phase=FIRST)


def revokes(state: State) -> list[tuple[int, int, int]]:
    """Return who did not follow suit while able in a round that has been played out: (seat, trick, card played)."""
    trump, seats, plays, leads = state.trump, state.standing.seats, state.plays, state.leads
    players, bound = len(seats), state.standing.rules & BLACK_FOLLOWS
    rows = []
    for at, leader in zip(range(0, len(plays), players), leads, strict=False):
        cut = at + players - seats.index(leader)
        rows.append(plays[cut : at + players] + plays[at:cut])
    cards = b"".join(rows)
    suits, leading = cards.translate(SUIT_OF[trump]), plays[::players].translate(SUIT_OF[trump])
    return [
        (seat, at + 1, cards[at * players + one])
        for one, seat in enumerate(seats)
        for at in _kept_back(suits[one::players], leading, bound)
    ]


def revokes_of(state: State, seat: int, hand: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the same of one seat in a round that was broken off, where it still held the cards `hand`."""
    players, suit_of = len(state.standing.seats), SUIT_OF[state.trump]
    played = [card for one, card in played_by(state) if one == seat]
    leading = state.plays[::players][: len(played)].translate(suit_of)
    line = bytes((*played, *hand)).translate(suit_of)
    return [(seat, at + 1, played[at]) for at in _kept_back(line, leading, state.standing.rules & BLACK_FOLLOWS)]


def _kept_back(line: bytes, leading: bytes, bound: int) -> list[int]:
    """Return the tricks, from 0, where a seat did not follow the suit that led though it had it: `line` are its suits.

    First those of the cards it played, in their order, then those of what it still held.
    """
    return [
        at for at, led in enumerate(leading) if line[at] != led and line.find(led, at) >= 0 and (led != BLACK or bound)
    ]


def denied(state: State) -> list[int]:
    """Return for each seat of the table the cards that it cannot hold if it has followed suit, as masks."""
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
