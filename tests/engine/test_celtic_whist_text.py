"""Celtic Whist as it is seen and written: views, words and bytes."""

from random import Random

import pytest
from celtic_whist_rounds import (
    BLUE,
    WHITE,
    Setup,
    actor_of,
    between,
    deal_of,
    dealt,
    result,
    revoking,
    run,
    setups,
    shuffled_deal,
    table,
    tell,
    why,
)
from golden import MORE, known_to
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect

from engine import CHANCE, PUBLIC, Chance, Deal, Ends, NotationError, Over
from engine.games.celtic_whist import CARD, GAME
from engine.games.celtic_whist.state import DEAL, PLAY

# Views


def test_a_hand_belongs_to_its_seat() -> None:
    state = table(3, {1: "TG"}, first=3)
    own, other, public = (GAME.view(state, viewer) for viewer in (1, 2, PUBLIC))
    assert own.hands == (state.hands[0], 0, 0)
    assert own.unknown == bytes((0, 10, 10))
    assert public.hands == (0, 0, 0)
    assert set(GAME.legal(own, 1)) == set(GAME.legal(state, 1))
    playing = run(state, "bid 3", "bid 2", "bid 1")
    seen = GAME.legal(GAME.view(playing, 2), 1)
    mine = set(GAME.legal(playing._replace(seat=2), 2))
    assert set(seen) == set(deal_of(run(GAME.start({"first": 1}, 3), "trump TG")).deck) - mine
    assert len(GAME.legal(GAME.view(playing, PUBLIC), 1)) == 31
    assert other.unknown == bytes((10, 0, 10))


def test_what_a_viewer_learns_of_a_deal() -> None:
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    due = GAME.pending(state)
    whole = f"deal {' '.join(deal_of(state).deck)}"
    assert known_to(2, due, whole).split()[:6] == ["deal", "W1", "?", "?", "?", "R5"]
    for viewer in range(5):
        told = known_to(viewer, due, whole)
        assert GAME.apply(state, CHANCE, told) == GAME.view(GAME.apply(state, CHANCE, whole), viewer)


def test_a_hand_may_be_known_in_part() -> None:
    state = run(GAME.start({"first": 1}, 2), "trump TG")
    deck = deal_of(state).deck
    partly = run(state, " ".join(("deal", *deck[:6], *"?" * 25)))
    assert partly.unknown == bytes((12, 12))
    assert [hand.bit_count() for hand in partly.hands] == [3, 3]
    assert GAME.view(partly, 2).unknown == bytes((15, 12))
    assert GAME.view(partly, PUBLIC) == run(state, "deal")
    playing = run(partly, "bid 2", "bid 1")
    assert len(GAME.legal(playing, playing.seat)) == 31 - 3
    known, other = deck[0], deck[10]
    assert run(playing, known).unknown == bytes((12, 12))
    assert run(playing, other).unknown == bytes((12, 11))
    assert GAME.view(GAME.complete(partly, Random(1)), 2).hands[1] & partly.hands[1] == partly.hands[1]


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_only_permutations_of_the_deck_are_deals(seats: int) -> None:
    state = run(GAME.start({} if seats == 1 else {"first": 1}, seats), "trump TB")
    deck = list(deal_of(state).deck)
    good = [
        "deal",
        " ".join(["deal", *deck]),
        " ".join(["deal", *deck[::-1]]),
        " ".join(["deal", deck[0], *"?" * (len(deck) - 1)]),
    ]
    for text in good:
        assert GAME.refuse(state, CHANCE, text) is None
        assert GAME.parse(state, text.lower()) == text
    bad = [
        "",
        "deals",
        "deal ",
        "deal W1",
        " ".join(["deal", *deck[:-1]]),
        " ".join(["deal", *deck, "W1"]),
        " ".join(["deal", *deck[:-1], deck[0]]),
        " ".join(["deal", *deck[:-1], "TW"]),
        " ".join(["deal", *deck[:-1], "B30"]),
        " ".join(["deal", *["?"] * len(deck)]),
        " ".join(["deal", *deck]).lower(),
        "  ".join(["deal", *deck]),
        " ".join(["Deal", *deck]),
        "first 1",
        "trump TB",
    ]
    for text in bad:
        assert GAME.refuse(state, CHANCE, text) is not None, text
    for seat in range(1, seats + 1):
        assert GAME.refuse(state, seat, good[0]) is not None
    assert GAME.parse(state, " ".join(["deal", *"?" * len(deck)])) == "deal"


@settings(max_examples=40 * MORE, deadline=None)
@given(setups(range(2, 6)), st.integers(0, 2**32))
def test_completed_views_give_no_seat_a_suit_that_it_did_not_follow(setup: Setup, seed: int) -> None:
    options, seats = setup
    rng, state = Random(seed), GAME.start(options, seats)
    while state.phase != PLAY or len(state.plays) < 2 * seats:
        deals = state.phase == DEAL
        moves = () if deals else GAME.legal(state, actor_of(state))
        state = run(state, shuffled_deal(deal_of(state), rng) if deals else rng.choice(moves))
    world = GAME.complete(GAME.view(state, 1), rng)
    assert not any(world.unknown)
    assert world.hands[0] == state.hands[0]
    assert [hand.bit_count() for hand in world.hands] == [hand.bit_count() for hand in state.hands]
    while world.phase == PLAY:
        world = run(world, rng.choice(GAME.legal(world, world.seat)))
    over = isinstance(GAME.pending(world), Over)
    assert result(world).reason != "a revoke" if over else GAME.live(world) == GAME.live(state)


# Words


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("w1", "W1"),
        (" W 1 ", "W1"),
        ("tg", "TG"),
        ("t", "TG"),
        ("g9", "G9"),
        ("9", "G9"),
        ("g9'", "G9'"),
        ("G9\u2019", "G9'"),
        ("g9`", "G9'"),
        ("k30", "K30"),
        ("the k12", "K12"),
        ("black 30", "K30"),
        ("30 Black", "K30"),
        ("12k", "K12"),
        ("my black twelve", "K12"),
        ("twenty-one green", "G21"),
        ("Green nine'", "G9'"),
        ("9' green", "G9'"),
        ("green trilithon", "TG"),
        ("the trilithon", "TG"),
        ("play the red five", "R5"),
        ("Play  my k12", "K12"),
        ("play 9", "G9"),
        ("play t", "TG"),
        ("bid3", "bid 3"),
        ("n2", "null 2"),
        ("null 2", "null 2"),
        ("null double", "null double"),
        ("NULLDOUBLE", "null double"),
        ("double", "double"),
        ("nm", "null max"),
        ("null max", "null max"),
        ("resign", "resign"),
        ("first3", "first 3"),
        ("trump tg", "trump TG"),
        ("trump g", "trump TG"),
    ],
)
def test_lenient_reading_in_play(typed: str, action: str) -> None:
    assert GAME.parse(run(table(3, {}), "bid 1", "bid 1", "bid 1"), typed) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("3", "bid 3"),
        ("bid3", "bid 3"),
        ("bid 10", "bid 10"),
        ("n2", "null 2"),
        ("nd", "null double"),
        ("bid three", "bid 3"),
        ("three", "bid 3"),
        ("3 tricks", "bid 3"),
        ("Bid one trick", "bid 1"),
        ("null one", "null 1"),
        ("twelve tricks", "bid 12"),
    ],
)
def test_lenient_reading_of_bids(typed: str, action: str) -> None:
    assert GAME.parse(table(3, {}), typed) == action


def test_a_null_bid_without_its_number_is_refused_with_what_the_number_is() -> None:
    null = "null 1 to null 10: the points that you win with no trick and lose with any"
    for text in ("null", "no tricks", "bid no trick"):
        with pytest.raises(NotationError) as refused:
            GAME.parse(table(3, {}), text)
        assert str(refused.value) == f"a null bid needs a number; type `bid 1` to `bid 10`, or {null}"


def test_a_card_at_the_bid_prompt_is_no_bid() -> None:
    state = table(3, {1: "B8"}, first=1)
    assert GAME.parse(state, "b8") == GAME.parse(state, "B 8") == "B8"
    for card in ("B8", "B14", "TG"):
        told = f"First everybody bids: type `bid 3`, or `null 2` for no trick; {card} is a card."
        assert why(state, card) == ("bid-first", told)
    for text in ("b4", "b 4", "b-4", "d", "play 3"):
        with pytest.raises(NotationError):
            GAME.parse(state, text)


def test_tg_is_a_trump_when_the_trump_is_drawn() -> None:
    assert GAME.parse(GAME.start({"first": 1}, 3), "tg") == "trump TG"


def test_a_card_typed_without_its_mark_is_the_copy_that_is_there() -> None:
    state = table(5, {1: "G9'", 2: "G9"}, trump="TW", first=5)
    state = run(state, *["bid 1"] * 4, "bid 2")._replace(seat=1)._replace(leads=b"\1")
    assert GAME.parse(state, "g9") == "G9'"
    assert GAME.parse(state._replace(seat=2), "g9") == "G9"
    assert GAME.parse(state._replace(seat=2), "g9'") == "G9'"


@pytest.mark.parametrize(
    "text", ["", "w2", "x9", "w0", "w31", "card", "bid", "null", "deal w2", "tk", "9 of green", "''"]
)
def test_text_that_is_no_action(text: str) -> None:
    for state in (table(3, {}), run(table(3, {}), "bid 1", "bid 1", "bid 1")):
        with pytest.raises(NotationError):
            GAME.parse(state, text)


def test_a_card_named_with_a_wrong_suit_is_refused_with_the_right_one() -> None:
    with pytest.raises(NotationError, match="there is no card W2: 2 is blue, B2"):
        GAME.parse(run(table(3, {}), "bid 1", "bid 1", "bid 1"), "w2")


def test_a_card_that_there_is_not_in_the_place_of_a_bid_is_refused_with_how_to_bid() -> None:
    for text in ("b4", "b 4"):
        with pytest.raises(NotationError, match="there is no card B4: 4 is yellow, Y4; type `bid 1` to `bid 7`, or"):
            GAME.parse(table(4, {}), text)


def test_refusals_of_bids() -> None:
    plain = table(4, {}, first=4)
    assert why(plain, "bid 8") == ("bid", "With 7 cards you may bid 1 to 7, or null 1 to null 7.")
    assert why(plain, "null 8")[0] == "bid"
    assert why(plain, "bid 0") == ("bid", "Nobody bids 0: a null bid, as `null 2`, promises no trick.")
    assert "option doubling" in why(plain, "double")[1]
    assert "option doubling" in why(plain, "null double")[1]
    assert "option restrictive_null" in why(plain, "null max")[1]
    assert why(plain, "G9")[0] == "bid-first"
    assert why(plain, "bid 1", BLUE) == ("turn", "It is White's turn.")
    assert why(plain, "bid 01")[0] == "bid"
    strict = table(4, {}, first=4, restrictive_null=True, doubling=True)
    for text in ("null 2", "null double", "null 9"):
        assert why(strict, text) == ("bid", "Restrictive null: the only null bids are null 1 and null max.")
    assert why(strict, "bid 9")[1] == "With 7 cards you may bid 1 to 7, or null 1 or null max."


def test_refusals_of_cards() -> None:
    state = table(2, {1: "W1 W7 B2", 2: "G3 G9 B8 TG"}, first=2)
    state = run(state, "bid 2", "bid 1", "B2")
    assert state.seat == 2
    blue = " or ".join(GAME.legal(state, 2))
    assert "B8" in blue
    assert why(state, "G9") == ("follow", f"B2 was led: follow suit in blue with {blue}.")
    first = GAME.legal(state, 2)[0]
    ways = f"play {blue.replace(' or ', ', ', len(GAME.legal(state, 2)) - 2)}, typed as {first} or {first[1:]} alone."
    assert why(state, "B2") == ("played", f"B2 has been played already: {ways}")
    assert why(state, "W1") == ("not-held", f"W1 is not in your hand: {ways}")
    assert why(state, "G9'") == ("not-in-deck", f"G9' is not in the deck of this round: {ways}")
    assert why(state, "TW")[0] == "notation"
    assert why(state, "bid 3") == ("bidding-over", f"Bidding is over: {ways}")
    assert why(state, "deal")[0] == "notation"
    assert why(state, "W1", WHITE) == ("turn", "It is Blue's turn.")


@pytest.mark.parametrize(
    ("told", "hand", "led"),
    [
        ("play B2 or B8, typed as B2 or 2 alone", "B2 B8 W1", "B14"),
        ("play TG, typed as TG", "TG W1", "G9"),
        ("play W7, typed as W7 or 7 alone", "W7 G3", "W1"),
        ("play any of your 15 cards, typed as ", "", ""),
    ],
)
def test_a_slip_at_the_card_prompt_is_answered_with_what_may_be_played_and_how_to_type_it(
    told: str, hand: str, led: str
) -> None:
    state = table(2, {1: led, 2: hand} if led else {}, first=2)
    state = run(state, "bid 2", "bid 1", *([led] if led else []))
    if led:
        known = sum(1 << CARD[state.trump][card] for card in hand.split())
        state = state._replace(hands=(state.hands[0], known))
    with pytest.raises(NotationError) as caught:
        GAME.parse(state, "hmm")
    assert str(caught.value).startswith(f"'hmm' is not a move: {told}")


def test_a_slip_at_the_bid_prompt_is_answered_with_the_bids_there_are() -> None:
    with pytest.raises(NotationError, match="'hmm' is not a move: type `bid 1` to `bid 7`, or null 1 to null 7: "):
        GAME.parse(table(4, {}, first=4), "hmm")


def test_a_round_in_words() -> None:
    state = GAME.start({}, 2)
    assert tell(state, "first 2") == ["Blue deals first."]
    state = run(state, "first 2")
    assert tell(state, "trump TR") == ["Trump is red: TR joins the deck."]
    state = run(state, "trump TR")
    assert tell(state, "deal") == ["15 cards are dealt to each; White bids first."]
    state = dealt(state, {})
    assert tell(state, "bid 4") == ["White bids 4."]
    assert tell(state, "null 2") == ["White bids null 2."]
    assert tell(run(state, "bid 4"), "bid 5") == ["Blue bids 5.", "Blue leads."]


def test_the_end_of_a_round_in_words() -> None:
    before, _ = revoking(2, ("W1", "W7"), "W1 W7")
    assert tell(before, "W7") == [
        "Blue plays W7.",
        "Blue takes the trick.",
        "White bid 1 and took 0: -1, now 0.",
        "Blue bid 1 and took 1: +1, now 1.",
        "The timer stands at 1.",
    ]
    assert GAME.story(before, 2, "W7")[0].places == ("W7",)
    last = between(before, timer=29, totals=(5, 6))
    assert tell(last, "W7")[-2:] == ["The timer stands at 30.", "Blue wins: the timer reached 30."]
    tie = between(before, timer=29, totals=(8, 6))
    assert tell(tie, "W7")[-1] == "White and Blue are tied and play on, for at most 10 more rounds."
    assert tell(between(tie, timer=30, extra=8), "W7")[-1].endswith("for at most 1 more round.")
    assert tell(between(tie, timer=30, extra=9), "W7")[-1] == "White and Blue win: still tied after 10 more rounds."


def test_the_end_of_a_round_together_in_words() -> None:
    before, _ = revoking(2, ("W1", "W7"), "W1 W7", cooperative=True)
    assert tell(before, "W7")[2:] == [
        "White bid 1 and took 0.",
        "Blue bid 1 and took 1, as bid.",
        "The team stays where it is.",
        "The timer stands at 1.",
    ]
    made = before._replace(bids=(-3, 1))
    assert tell(made, "W7")[2:] == [
        "White bid null 3 and took 0, as bid.",
        "Blue bid 1 and took 1, as bid.",
        "The team moves 2 spaces to 2.",
        "The timer stands at 1.",
    ]
    assert tell(between(made, totals=(28, 28)), "W7")[-1] == "White and Blue win: 30 points reached."
    assert tell(between(before, timer=29), "W7")[-1] == "The team loses: the timer reached 30."


def test_a_story_says_where_a_trick_or_a_round_ends() -> None:
    """Nobody has to find that in its sentences."""
    before, _ = revoking(2, ("W1", "W7"), "W1 W7", cooperative=True)
    story = GAME.story(before, 2, "W7")
    assert [event.ends for event in story] == [None, Ends.TRICK, Ends.ROUND, Ends.ROUND, Ends.ROUND, None]
    state = table(3, {1: "TG"}, first=3)
    assert [event.ends for event in GAME.story(state, 1, "resign")] == [None, Ends.ABANDONED]


def test_a_story_never_tells_a_card_that_was_dealt() -> None:
    state = run(GAME.start({"first": 1}, 4), "trump TR")
    told = tell(state, shuffled_deal(deal_of(state), Random(1)))
    assert told == ["7 cards are dealt to each; Blue bids first."]


def test_deals_are_of_the_type_that_the_protocol_draws() -> None:
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    assert isinstance(expect(Chance, GAME.pending(state)).draw, Deal)
    assert GAME.legal(state, CHANCE) == ()
