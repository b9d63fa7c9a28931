"""The end of a round of Celtic Whist: its score, and what follows."""

from engine.games.celtic_whist.revokes import revokes
from engine.games.celtic_whist.state import (
    COOPERATIVE,
    EXTRA_ROUNDS,
    FALLEN,
    FIRST,
    GOAL,
    HARD,
    REACHED,
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


def score_round(state: State) -> State:
    """Return the state after the last card of a round: seats that revoked leave, else the round is scored."""
    if found := revokes(state):
        return leave(state, {seat for seat, _, _ in found}, REVOKED)
    return _score_team(state) if state.standing.rules & COOPERATIVE else _score_each(state)


def _score_team(state: State) -> State:
    standing, bids, leads = state.standing, state.bids, state.leads
    seats = standing.seats
    # An all-null round is never made: somebody takes its tricks.
    made = all(exact(bids[seat - 1], leads.count(seat, 1)) for seat in seats)
    total, timer = standing.totals[0] + made * len(seats), min(standing.timer + 1, GOAL)
    standing = standing._replace(totals=(total,) * len(bids), timer=timer)
    if total >= GOAL:
        return over(standing, REACHED, seats)
    if timer == GOAL:
        return over(standing, TIMER, b"")
    return between(standing._replace(dealer=next_seat(seats, standing.dealer)))


def _score_each(state: State) -> State:
    standing, _, _, _, bids, _, _, _, leads, _, _ = state
    rules, _, seats, dealer, timer, extra, totals, _ = standing
    hand = len(leads) - 1
    points, sums, highest = [0] * len(totals), list(totals), 0
    for seat in seats:
        at = seat - 1
        points[at] = gained = score(rules, hand, bids[at], leads.count(seat, 1))
        total = totals[at] + gained
        if total < 0:
            total = 0
        elif total > highest:
            highest = total
        sums[at] = total
    after = timer + 1 if timer >= highest else highest
    if after < GOAL:
        fields = (rules, 0, seats, next_seat(seats, dealer), after, extra, tuple(sums), tuple(points))
        return between(build(Standing, fields))
    extra += timer == GOAL
    seats = bytes(seat for seat in seats if sums[seat - 1] == highest)
    standing = Standing(rules, 0, seats, dealer, GOAL, extra, tuple(sums), tuple(points))
    if len(seats) == 1:
        return over(standing, REACHED if highest >= GOAL else TIMER, seats)
    if extra == EXTRA_ROUNDS:
        return over(standing, SHARED, seats)
    return between(standing._replace(dealer=next_seat(seats, dealer)))


def score_alone(state: State) -> State:
    """Return the state after the last card of a solitaire round."""
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
    """Return the points that a bid of this worth brings with `tricks` taken of `hand`.

    >>> score(0, 7, 3, 5), score(0, 7, 3, 2), score(0, 7, -2, 0), score(HARD, 7, 3, 5)
    (1, -3, 2, 0)
    """
    if worth < 0:
        return worth if tricks else -worth
    need = min(worth, hand)
    if tricks < need:
        return -worth
    if rules & HARD and worth and tricks > need:
        return 0
    return worth - (tricks - need)


def exact(worth: int, tricks: int) -> bool:
    """Return whether a bid was made exactly, as a cooperative team needs."""
    return tricks == max(worth, 0)


def leave(state: State, leavers: set[int], end: int) -> State:
    """Return the state in which seats have resigned or revoked: their round is abandoned. `end` if it ends the game."""
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
