"""Celtic Whist from round to round: the timer, the end, ties, resignations, revokes, Together and Solitaire."""

from collections.abc import Callable, Mapping

import pytest
from celtic_whist_rounds import (
    BLUE,
    GREEN,
    WHITE,
    between,
    deal_of,
    dealt,
    finish,
    finished,
    legal,
    result,
    revoking,
    run,
    table,
    tell,
    why,
)

from engine import CHANCE, OptionValue, Result
from engine.games.celtic_whist import GAME, State
from engine.games.celtic_whist.cards import NAMES
from engine.games.celtic_whist.revokes import revokes
from engine.games.celtic_whist.state import BID, FIRST, PLAY, TRUMP, Standing

# The timer, the end and ties


def test_the_timer_moves_one_or_to_the_leader() -> None:
    slow = finished(4, dict.fromkeys(range(1, 5), "bid 1"), {1: 7})
    assert (slow.standing.totals, slow.standing.timer) == ((0, 0, 0, 0), 1)
    fast = finished(4, {1: "bid 4", 2: "bid 3", 3: "null 1", 4: "null 2"}, {1: 4, 2: 3})
    assert (fast.standing.totals, fast.standing.timer) == ((4, 3, 1, 2), 4)
    assert fast.standing.dealer == 1
    assert fast.phase == TRUMP


def test_reaching_thirty_wins() -> None:
    final = finished(
        4,
        {1: "bid 4", 2: "bid 3", 3: "null 1", 4: "null 2"},
        {1: 4, 2: 3},
        before=lambda standing: standing._replace(totals=(27, 26, 20, 20), timer=27),
    )
    assert result(final) == ((1,), (31, 29, 21, 22), "30 points reached")


def test_the_timer_at_thirty_ends_the_game() -> None:
    final = finished(
        4,
        dict.fromkeys(range(1, 5), "bid 1"),
        {1: 6, 2: 1},
        before=lambda standing: standing._replace(totals=(9, 8, 3, 2), timer=29),
    )
    assert result(final) == ((2,), (5, 9, 2, 1), "the timer reached 30")


def test_tied_seats_play_on_alone_and_only_they_are_compared() -> None:
    tied = finished(
        4,
        dict.fromkeys(range(1, 5), "bid 1"),
        {1: 5, 3: 1, 4: 1},
        before=lambda standing: standing._replace(totals=(20, 2, 9, 9), timer=29),
    )
    assert tied.standing.totals == (17, 1, 10, 10)
    assert result(tied).winners == (1,)
    tied = finished(
        4,
        dict.fromkeys(range(1, 5), "bid 1"),
        {1: 5, 3: 1, 4: 1},
        before=lambda standing: standing._replace(totals=(2, 2, 9, 9), timer=29),
    )
    assert tied.standing.totals == (0, 1, 10, 10)
    assert GAME.live(tied) == (3, 4)
    assert tied.standing.dealer == 3  # the deal passed from Yellow; seats 1 and 2 are out
    assert why(tied, "resign", 1)[0] == "not-playing"
    state = run(tied, "trump TG")
    assert deal_of(state).owners.count(3) == 15
    state = dealt(state, {})
    assert len(GAME.legal(state, state.seat)) == 30
    broken = finish(state, {3: "bid 8", 4: "bid 9"}, {3: 8, 4: 7})
    assert result(broken) == ((3,), (0, 1, 18, 1), "the timer reached 30")


def test_ten_more_rounds_and_the_win_is_shared() -> None:
    for extra in range(9):
        state = tied_round(extra)
        assert (GAME.live(state), state.standing.extra, state.standing.timer) == ((1, 2), extra + 1, 30)
    final = tied_round(9)
    assert result(final) == ((1, 2), (10, 10), "still tied after 10 more rounds")


def tied_round(extra: int) -> State:
    """Return the state after a round in which two tied seats that have played `extra` more rounds tie again."""
    return finished(
        2,
        {1: "bid 7", 2: "bid 7"},
        {1: 7, 2: 8},
        before=lambda standing: standing._replace(totals=(3, 4), timer=30, extra=extra),
    )


# Leaving


@pytest.mark.parametrize("moment", ["deal", "bidding", "play", "last card"])
def test_a_seat_that_resigns_in_a_round_abandons_it(moment: str) -> None:
    state = between(run(GAME.start({"first": 2}, 4), "trump TG"), won=(1, 2, 3, 4), timer=7, totals=(1, 2, 3, 4))
    if moment != "deal":
        state = dealt(state, {})
    if moment in ("play", "last card"):
        state = run(state, *["bid 1"] * 4)
    for _ in range({"play": 5, "last card": 27}.get(moment, 0)):
        state = run(state, GAME.legal(state, state.seat)[0])
    after = run(state, "4 resign")
    assert after.phase == TRUMP
    assert GAME.live(after) == (1, 2, 3)
    standing = after.standing
    assert (standing.dealer, standing.timer, standing.totals, standing.won) == (3, 7, (1, 2, 3, 4), (0, 0, 0, 0))
    after = dealt(run(after, "trump TR"), {})
    assert after.seat == 1  # from the dealer's left, whatever was won before
    assert len(GAME.legal(after, 1)) == 20
    assert "The round is abandoned and does not count." in [e.text for e in GAME.story(state, 4, "resign")]


def test_between_rounds_nothing_is_abandoned() -> None:
    state = between(GAME.start({"first": 2}, 4), won=(1, 2, 3, 4), timer=7)
    after = run(state, "4 resign")
    assert (after.standing.dealer, after.standing.won, after.phase) == (2, (1, 2, 3, 4), TRUMP)
    assert run(state, "2 resign").standing.dealer == 3
    assert [e.text for e in GAME.story(state, 4, "resign")] == ["Yellow resigns."]
    drawn = run(GAME.start({}, 3), "2 resign")
    assert drawn.phase == FIRST
    assert GAME.legal(drawn, CHANCE) == ("first 1", "first 3")


def test_the_last_seat_left_wins_and_a_solitaire_player_loses() -> None:
    for state in (GAME.start({}, 2), table(2, {}), run(table(2, {}), "bid 1", "bid 1")):
        assert result(run(state, "1 resign")) == ((2,), (0, 0), "resigned")
    assert result(run(GAME.start({}, 3), "3 resign", "1 resign")).winners == (2,)
    assert result(run(GAME.start({}, 1), "1 resign")).winners == ()
    for seats in (2, 3):
        over = run(GAME.start({"cooperative": True}, seats), *[f"{n} resign" for n in range(2, seats + 1)])
        assert result(over).winners == ()


def test_all_cards_no_longer_applies_when_one_has_left() -> None:
    state = run(GAME.start({"first": 1, "all_cards": True}, 5), "trump TG", "5 resign", "trump TG")
    assert len(deal_of(state).deck) == 31
    assert deal_of(state).owners.count(1) == 7


def test_there_is_no_draw() -> None:
    state = table(3, {})
    told = "Nobody draws in Celtic Whist: play goes on until a player or the timer is at 30."
    assert why(state, "draw", CHANCE) == ("no-draw", told)
    assert why(run(GAME.start({"first": 1}, 3), "trump TG"), "draw", CHANCE) == ("no-draw", told)


# Revokes


def test_with_two_players_the_other_wins() -> None:
    before, after = revoking(2, ("W1 B2", "W7 B8"), "W1 B8 B2 W7")
    # Seat 2 keeps W7 back, and White wins nothing of it but the game.
    assert before.phase == PLAY
    assert result(after) == ((1,), (0, 0), "a revoke")


def test_with_more_the_round_does_not_count() -> None:
    before, after = revoking(3, ("W1 B2", "W7 B8", "G3 G9"), "W1 B8 G3 B2 W7 G9", trump="TR")
    assert revokes_of(before, "G9") == [(BLUE, 1, NAMES[0].index("B8"))]
    assert GAME.live(after) == (1, 3)
    assert after.phase == TRUMP
    assert (after.standing.totals, after.standing.timer, after.standing.dealer) == ((0, 0, 0), 0, 1)
    story = tell(before, "G9")
    assert "Blue revoked: B8 in trick 1, though it could have followed suit." in story
    assert "Blue leaves the table." in story
    assert "The round does not count." in story


def test_if_all_revoke_nobody_wins() -> None:
    before, after = revoking(2, ("W1 R5 W13 B2", "W7 B8 R11 W19"), "W1 B8 R5 R11 W7 B2 W19 W13")
    assert {(seat, number) for seat, number, _ in revokes_of(before, "W13")} == {(BLUE, 1), (WHITE, 3)}
    assert result(after) == ((), (0, 0), "a revoke")


def test_the_only_seat_that_did_not_revoke_wins() -> None:
    hands = ("W1 R5 W13 B2", "W7 B8 R11 W19", "G3 G9 G15 G21")
    _, after = revoking(3, hands, "W1 B8 G3 R5 R11 G9 W7 G15 B2 W19 G21 W13", trump="TY")
    assert result(after) == ((GREEN,), (0, 0, 0), "a revoke")


def revokes_of(before: State, last: str) -> list[tuple[int, int, int]]:
    """The revokes of a round that `last` ends."""
    plays = before.plays + bytes((NAMES[before.trump].index(last),))
    return revokes(before._replace(plays=plays, leads=before.leads + b"\1"))


def test_black_need_not_be_followed_unless_the_option_says_so() -> None:
    hands, plays = ("K6 B2", "K30 W25"), "K6 W25 K30 B2"
    assert revoking(2, hands, plays)[1].phase == TRUMP
    assert result(revoking(2, hands, plays, black_must_follow=True)[1]).winners == (1,)


def test_a_trilithon_kept_back_is_a_revoke_too() -> None:
    assert result(revoking(2, ("G9 B2", "TG W1"), "G9 W1 B2 TG")[1]).winners == (1,)
    assert result(revoking(2, ("TG B2", "G9 W1"), "TG W1 B2 G9")[1]).winners == (1,)


def test_a_team_of_two_has_lost_when_a_seat_revokes() -> None:
    assert result(revoking(2, ("W1 B2", "W7 B8"), "W1 B8 B2 W7", cooperative=True)[1]).winners == ()
    after = revoking(3, ("W1 B2", "W7 B8", "G3 G9"), "W1 B8 G3 B2 W7 G9", trump="TR", cooperative=True)[1]
    assert GAME.live(after) == (1, 3)


# Together


def team(
    bids: dict[int, str], takes: dict[int, int], before: Callable[[Standing], Standing] | None = None, seats: int = 3
) -> State:
    return finished(seats, bids, takes, before=before, cooperative=True)


def test_the_team_moves_when_every_bid_is_made_exactly() -> None:
    made = team({1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert (made.standing.totals, made.standing.timer) == ((3, 3, 3), 1)
    over = team({1: "bid 5", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert (over.standing.totals, over.standing.timer) == ((0, 0, 0), 1)
    null = team({1: "bid 6", 2: "bid 3", 3: "null 5"}, {1: 6, 2: 3, 3: 1})
    assert null.standing.totals == (0, 0, 0)
    five = team(dict.fromkeys((1, 2), "bid 3") | {3: "bid 1", 4: "null 1", 5: "null 7"}, {1: 3, 2: 3, 3: 1}, seats=5)
    assert five.standing.totals == (5,) * 5


def test_an_all_null_round_is_never_made() -> None:
    after = team(dict.fromkeys((1, 2, 3), "null 1"), {1: 10})
    assert after.standing.totals == (0, 0, 0)


def test_the_team_wins_at_thirty_and_loses_when_the_timer_is_there_first() -> None:
    bids, takes = {1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4}

    def at(total: int, timer: int) -> Callable[[Standing], Standing]:
        return lambda standing: standing._replace(totals=(total,) * 3, timer=timer)

    assert result(team(bids, takes, at(27, 20))) == ((1, 2, 3), (30, 30, 30), "30 points reached")
    assert result(team(bids, takes, at(27, 29))) == ((1, 2, 3), (30, 30, 30), "30 points reached")
    assert result(team(bids, takes, at(24, 29))) == ((), (27, 27, 27), "the timer reached 30")
    assert team(bids, takes, at(24, 20)).standing.timer == 21


def test_bidding_together_starts_at_the_dealers_left_in_every_round() -> None:
    after = team({1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert after.standing.dealer == 1
    assert dealt(run(after, "trump TG"), {}).seat == 2


# Solitaire


def solitaire(bid: str, answers: list[str], trump: str = "TG", **options: OptionValue) -> State:
    """Return the state after a round: `answers` are pairs (dummy, player); the rest of the hands is dealt away."""
    state = dealt(run(GAME.start(options, 1), f"trump {trump}"), {})
    names = NAMES["WBGYR".index(trump[1])]
    pairs = [pair.split() for pair in answers]
    state = state._replace(
        dummy=bytes(names.index(led) for led, _ in pairs), hands=(sum(1 << names.index(card) for _, card in pairs),)
    )
    state = run(state, bid)
    for _, card in pairs:
        state = GAME.apply(state, 1, card)
    return state


def test_the_dummy_always_leads_and_each_trick_goes_to_the_higher_card() -> None:
    state = table(1, {1: "W7 B8 G9 R29 K30"})
    names = NAMES[2]
    state = state._replace(dummy=bytes(names.index(card) for card in ("W1", "B20", "K24", "Y4", "TG")))
    state = state._replace(hands=(sum(1 << names.index(card) for card in ("W7", "B8", "R29", "G9", "G3")),))
    state = run(state, "bid 2")
    assert legal(state) == {"W7"}
    assert tell(state, "W7") == ["White plays W7.", "White takes the trick.", "The dummy leads B20."]
    state = run(state, "W7")
    assert tell(state, "B8")[1] == "The dummy takes the trick."
    state = run(state, "B8")
    assert legal(state) == {"R29", "G9", "G3"}  # Black led: anything
    state = run(state, "R29")  # 29 beats the black 24
    assert tell(state, "G3")[1] == "White takes the trick."  # a trump
    state = run(state, "G3")
    assert tell(state, "G9") == [
        "White plays G9.",
        "The dummy takes the trick.",
        "White bid 2 and took 3: +1, now 16.",
        "The timer stands at 16.",
    ]
    assert run(state, "G9").standing.totals == (16,)


@pytest.mark.parametrize(
    ("bid", "took", "options", "total", "winners"),
    [
        ("bid 1", 1, {}, 16, None),
        ("bid 1", 0, {}, 14, None),
        ("bid 2", 1, {"start": 28}, 26, None),
        ("null 2", 0, {"start": 28}, 30, (1,)),
        ("null 3", 0, {"start": 28}, 31, (1,)),
        ("null 13", 1, {"start": 13}, 0, ()),
        ("null 13", 1, {"start": 12}, 0, ()),
        ("null 13", 1, {"start": 14}, 1, None),
        ("bid 1", 2, {"start": 1}, 1, None),
        ("bid 1", 2, {"start": 1, "scoring": "hard"}, 1, None),
        ("double", 1, {"doubling": True}, 0, ()),
        ("null double", 0, {"doubling": True}, 41, (1,)),
    ],
)
def test_solitaire_scores_and_ends(
    bid: str, took: int, options: Mapping[str, OptionValue], total: int, winners: tuple[int, ...] | None
) -> None:
    pairs = [*["W1 W7", "W13 W19"][:took], "W25 R5"]
    state = solitaire(bid, pairs, trump="TG", **options)
    assert state.standing.totals == (total,)
    if winners is None:
        assert (state.phase, state.standing.timer) == (TRUMP, 16)
    else:
        assert result(state).winners == winners
        assert state.standing.timer == 15


def test_solitaire_is_lost_when_the_timer_gets_there_unless_hard_scoring_ended_higher() -> None:
    def ended(bid: str, tricks: int = 1, **options: OptionValue) -> Result:
        state = run(GAME.start({"start": 15, "timer": 27, **options}, 1), "trump TG")
        state = between(state, timer=29)
        state = dealt(state, {})
        names = NAMES[2]
        mine = ("W7", "W13")[:tricks]
        state = state._replace(dummy=bytes((0,) * tricks), hands=(sum(1 << names.index(card) for card in mine),))
        return result(run(state, bid, *mine))

    assert ended("bid 1") == ((), (16,), "the timer reached 30")
    assert ended("bid 1", scoring="hard") == ((1,), (16,), "the timer reached 30")
    assert ended("bid 2", scoring="hard") == ((), (13,), "the timer reached 30")
    assert ended("bid 1", tricks=2, scoring="hard") == ((), (15,), "the timer reached 30")


def test_a_solitaire_round_is_a_bid_and_thirteen_plays() -> None:
    state, actions = dealt(run(GAME.start({}, 1), "trump TG"), {}), 0
    while state.phase in (BID, PLAY):
        state = run(state, GAME.legal(state, 1)[0])
        actions += 1
    assert actions == 14
