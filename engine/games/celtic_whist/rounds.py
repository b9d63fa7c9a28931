"""A round of Celtic Whist: bids, cards, tricks and the score."""

from functools import cache
from itertools import combinations

from engine.game import Action
from engine.games.celtic_whist.cards import BYTES, FOLLOW, FOLLOW_FREELY, STRENGTH, SUIT_OF, UNKNOWN, texts
from engine.games.celtic_whist.deals import unseen
from engine.games.celtic_whist.revokes import revokes
from engine.games.celtic_whist.state import (
    BID,
    BLACK_FOLLOWS,
    COOPERATIVE,
    DOUBLING,
    EXTRA_ROUNDS,
    FALLEN,
    FIRST,
    GOAL,
    HARD,
    NULL_MAX,
    PLAY,
    REACHED,
    RESTRICTIVE,
    REVOKED,
    SHARED,
    TIMER,
    TRUMP,
    Standing,
    State,
    between,
    over,
    size,
    taken,
)
from engine.house import build, next_seat


@cache
def possible_bids(rules: int, hand: int) -> tuple[Action, ...]:
    """Return every bid that the options allow with so many cards."""
    nulls = ("null 1", "null max") if rules & RESTRICTIVE else tuple(f"null {n}" for n in range(1, hand + 1))
    doubles = (("double",) if rules & RESTRICTIVE else ("double", "null double")) if rules & DOUBLING else ()
    return (*(f"bid {n}" for n in range(1, hand + 1)), *nulls, *doubles)


@cache
def worth_of(action: Action, hand: int) -> int:
    """Return what a bid is worth, negative for a null bid."""
    if action == "null max":
        return NULL_MAX
    kind, _, value = action.rpartition(" ")
    worth = 2 * hand if value == "double" else int(value)
    return -worth if kind == "null" else worth


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
        return build(State, (standing, BID, following, state.trump, bids, state.hands, state.unknown, b"", b"", b""))
    highest = max([bids[one - 1] for one in seats])
    if highest < 0:
        bids = (0,) * len(bids)
    elif NULL_MAX in bids:
        bids = tuple([-highest if one == NULL_MAX else one for one in bids])
    at = seats.index(standing.dealer)
    leader = max(seats[at:] + seats[:at], key=lambda one: (bids[one - 1], standing.totals[one - 1]))
    return State(standing, PLAY, leader, state.trump, bids, state.hands, state.unknown, b"", BYTES[leader], b"")


_FOLLOW = {0: FOLLOW_FREELY, BLACK_FOLLOWS: FOLLOW}


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
        return build(State, (standing, PLAY, seat, trump, bids, hands, unknown, plays, leads, dummy))
    leader = leads[-1]
    best = winning(trump, plays[-players:])
    seat = seats[(seats.index(leader) + best) % players]
    leads += BYTES[seat]
    state = build(State, (standing, PLAY, seat, trump, bids, hands, unknown, plays, leads, dummy))
    return state if hand or unknown[at] else _finish(state)


def winning(trump: int, trick: bytes) -> int:
    """Return which card of a trick, in the order played, is the highest."""
    values = trick.translate(STRENGTH[trump][SUIT_OF[trump][trick[0]]])
    return values.index(max(values))


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
