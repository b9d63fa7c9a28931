"""Celtic Whist: what may be bid, who leads, and what bids bring."""

import pytest
from celtic_whist_rounds import between, bidding, dealt, finished, run, table, table_of, tell

from engine import OptionValue
from engine.games.celtic_whist import GAME
from engine.games.celtic_whist.state import NULL_MAX


def test_bids_by_the_options() -> None:
    def bids(seats: int = 4, **options: OptionValue) -> list[str]:
        return list(GAME.legal(table_of(seats, {}, "TG", seats, options), 1))

    ones = [f"bid {n}" for n in range(1, 8)]
    nulls = [f"null {n}" for n in range(1, 8)]
    assert bids() == ones + nulls
    assert bids(doubling=True) == [*ones, *nulls, "double", "null double"]
    assert bids(restrictive_null=True) == [*ones, "null 1", "null max"]
    assert bids(restrictive_null=True, doubling=True) == [*ones, "null 1", "null max", "double"]
    assert len(bids(2)) == 30
    assert len(bids(3)) == 20
    assert len(bids(5, all_cards=True)) == 24
    alone = run(GAME.start({"doubling": True}, 1), "trump TG")
    assert len(GAME.legal(dealt(alone, {}), 1)) == 28


@pytest.mark.parametrize(
    ("bid", "taken", "standard", "hard"),
    [
        ("bid 5", 3, -5, -5),  # the examples of the sheet
        ("bid 4", 4, 4, 4),
        ("bid 4", 6, 2, 0),
        ("null 3", 0, 3, 3),
        ("null 5", 2, -5, -5),
        ("bid 7", 7, 7, 7),
        ("bid 1", 7, -5, 0),
        ("bid 1", 0, -1, -1),
        ("null 7", 0, 7, 7),
        ("null 7", 1, -7, -7),
        ("double", 7, 14, 14),  # with 7 cards: 14 points either way
        ("double", 6, -14, -14),
        ("null double", 0, 14, 14),
        ("null double", 1, -14, -14),
    ],
)
def test_scores(bid: str, taken: int, standard: int, hard: int) -> None:
    for scoring, points in (("standard", standard), ("hard", hard)):
        final = finished(4, {1: bid, 2: "bid 1", 3: "bid 1", 4: "bid 1"}, {1: taken, 2: 7 - taken}, scoring=scoring)
        assert final.standing.won[0] == points
        assert final.standing.totals[0] == max(0, points)


@pytest.mark.parametrize("scoring", ["standard", "hard"])
def test_when_all_bid_null_every_trick_costs_a_point(scoring: str) -> None:
    bids = {1: "null 1", 2: "null 7", 3: "null 2", 4: "null 3"}
    state = table(4, {}, first=3)
    for _ in range(3):
        state = run(state, bids[state.seat])
    assert tell(state, "null 2") == [
        "Green bids null 2.",
        "All bids are null: every bid is 0 now, and each trick costs a point.",
        "Green leads.",  # all bids and totals tie: the dealer
    ]
    after = run(state, "null 2")
    assert (after.seat, after.bids) == (3, (0, 0, 0, 0))
    final = finished(4, bids, {1: 3, 2: 4}, scoring=scoring)
    assert final.standing.won == (-3, -4, 0, 0)
    assert final.standing.totals == (0, 0, 0, 0)


def test_one_player_may_bid_null() -> None:
    alone = dealt(run(GAME.start({}, 1), "trump TG"), {})
    assert run(alone, "null 5").bids == (-5,)


@pytest.mark.parametrize(
    ("bids", "leader"),
    [
        (("bid 2", "bid 5", "bid 3", "null 7"), 2),
        (("null 7", "null 1", "bid 1", "null 3"), 3),
        (("null 1", "double", "bid 7", "null 3"), 2),
        (("null double", "bid 1", "null 7", "null 7"), 2),
    ],
)
def test_the_highest_bid_leads_and_null_bids_are_negative(bids: tuple[str, ...], leader: int) -> None:
    assert bidding(4, bids, 1, doubling=True).seat == leader


def test_ties_for_the_lead_go_to_the_higher_total_and_then_clockwise_from_the_dealer() -> None:
    tied = ("bid 3", "bid 3", "bid 2", "bid 3")
    assert bidding(4, tied, 3, totals=(5, 7, 9, 7)).seat == 4
    assert bidding(4, tied, 1, totals=(5, 7, 9, 7)).seat == 2
    assert bidding(4, tied, 1, totals=(9, 7, 9, 7)).seat == 1
    for dealer, leader in ((1, 1), (2, 2), (3, 4), (4, 4)):
        assert bidding(4, tied, dealer).seat == leader
    assert bidding(4, tied, 3, cooperative=True).seat == 4


def test_null_max_is_worth_the_highest_other_bid() -> None:
    state = table(4, {}, first=4, restrictive_null=True, doubling=True)
    state = run(state, "null max", "bid 2", "null 1")
    assert state.bids == (NULL_MAX, 2, -1, 0)
    five = run(state, "bid 5")
    assert (five.bids, five.seat) == ((-5, 2, -1, 5), 4)
    assert "White's null max is worth 5." in tell(state, "bid 5")
    assert run(state, "double").bids == (-14, 2, -1, 14)
    both = run(state, "null max")
    assert both.bids == (-2, 2, -1, -2)
    assert {"White's null max is worth 2.", "Yellow's null max is worth 2."} <= set(tell(state, "null max"))
    zero = run(table(2, {}, first=2, restrictive_null=True), "null max", "null 1")
    assert zero.bids == (0, 0)


def test_the_seat_that_won_most_before_the_floor_bids_first() -> None:
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    assert dealt(state, {}).seat == 2  # the first round: the dealer's left
    assert dealt(between(state, won=(-3, -7, 2, 2)), {}).seat == 3
    assert dealt(between(state, won=(5, -7, 2, 2)), {}).seat == 1
    assert dealt(between(state, won=(-3, -7, -5, -4)), {}).seat == 1
    assert dealt(between(state, won=(2, 1, 2, 2), dealer=3), {}).seat == 4
    assert dealt(between(state, won=(2, 1, 2, 1), dealer=3), {}).seat == 1


def test_bids_go_clockwise() -> None:
    state = between(run(GAME.start({"first": 1}, 4), "trump TG"), won=(0, 0, 3, 0))
    state, seats = dealt(state, {}), []
    for _ in range(4):
        seats.append(state.seat)
        state = run(state, "bid 1")
    assert seats == [3, 4, 1, 2]
