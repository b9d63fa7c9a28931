"""Celtic Whist: against the slow reference over random games, and every example and number of its rules."""

import re
from random import Random

import pytest
from celtic_whist_reference import Reference
from golden import MORE
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, PUBLIC, Chance, Deal, NotationError, OptionError, Over, Pick, Turn, all_games, encode
from engine._whist_cards import ALL, FIVE, NAMES, PLAIN
from engine._whist_rounds import BID, DEAL, FIRST, NULL_MAX, PLAY, TRUMP, revokes
from engine.games.celtic_whist import GAME

WHITE, BLUE, GREEN, YELLOW, RED = range(1, 6)
CHOICES = {
    "first": ("random", 1),
    "all_cards": (False, True),
    "black_must_follow": (False, True),
    "doubling": (False, True),
    "restrictive_null": (False, True),
    "scoring": ("standard", "hard"),
    "hand": (13, 15),
    "start": (15, 1, 28),
    "timer": (15, 1, 27),
    "cooperative": (False, True),
}
ALONE = ("hand", "start", "timer")
SUITS_OF_THE_SHEET = {
    "W": (1, 7, 13, 19, 25),
    "B": (2, 8, 14, 20, 26),
    "G": (3, 9, 15, 21, 27),
    "Y": (4, 10, 16, 22, 28),
    "R": (5, 11, 17, 23, 29),
    "K": (6, 12, 18, 24, 30),
}


def allowed(options, seats):
    """Whether the rules let these options go together for so many players."""
    on = {name for name, chosen in options.items() if chosen is True}
    return not (
        ("all_cards" in on and seats != 5)
        or (seats == 1 and on & {"restrictive_null", "cooperative"})
        or ("cooperative" in on and on & {"doubling", "restrictive_null"})
    )


@st.composite
def setups(draw, seats=range(1, 6)):
    """Options and a number of players that go together."""
    players = draw(st.sampled_from(seats))
    names = [name for name in CHOICES if (name in ALONE) <= (players == 1)]
    options = draw(st.fixed_dictionaries({name: st.sampled_from(CHOICES[name]) for name in names}))
    for name in ("all_cards", "cooperative", "restrictive_null", "doubling"):
        if not allowed(options, players):
            options[name] = False
    return options, players


def shuffled_deal(draw, rng):
    cards = list(draw.deck)
    rng.shuffle(cards)
    return f"deal {' '.join(cards)}"


def actor_of(state):
    due = GAME.pending(state)
    return due.seat if isinstance(due, Turn) else CHANCE


def run(state, *actions):
    """Do some actions, each by whoever is due; `3 resign` is by seat 3."""
    for action in actions:
        match = re.fullmatch(r"(\d) (resign)", action)
        actor, text = (int(match[1]), match[2]) if match else (actor_of(state), action)
        assert GAME.refuse(state, actor, text) is None, (action, GAME.refuse(state, actor, text))
        state = GAME.apply(state, actor, text)
    return state


def dealt(state, hands, seed=0):
    """Return the state after a deal in which seats have the cards named (`2: "G9 TG"`), the rest at random."""
    draw = GAME.pending(state).draw
    wanted = {seat: text.split() for seat, text in hands.items()}
    free = [card for card in draw.deck if all(card not in cards for cards in wanted.values())]
    Random(seed).shuffle(free)
    cards = [wanted[owner].pop(0) if wanted.get(owner) else free.pop() for owner in draw.owners]
    assert not any(wanted.values())
    return run(state, f"deal {' '.join(cards)}")


def table(seats, hands, trump="TG", first=1, **options):
    """Return the state in which the first round is bid."""
    chosen = options if seats == 1 else {"first": first, **options}
    return dealt(run(GAME.start(chosen, seats), f"trump {trump}"), hands)


def result(state):
    due = GAME.pending(state)
    assert isinstance(due, Over)
    return due.result


def why(state, action, actor=None):
    refusal = GAME.refuse(state, actor_of(state) if actor is None else actor, action)
    assert refusal is not None
    return refusal.code, refusal.text


def tell(state, action):
    return [event.text for event in GAME.story(state, actor_of(state), action)]


def legal(state):
    return set(GAME.legal(state, state.seat))


# Against the reference


@settings(max_examples=60 * MORE, deadline=None)
@given(setups(), st.integers(0, 2**32), st.sampled_from([0, 0.002, 0.02]))
def test_random_games_agree_with_the_reference(setup, seed, leaving):
    options, seats = setup
    rng, reference, state = Random(seed), Reference(*setup), GAME.start(options, seats)
    while not isinstance(due := GAME.pending(state), Over):
        actor = actor_of(state)
        assert reference.actor() == actor
        assert GAME.live(state) == tuple(reference.live)
        if state.phase == DEAL:
            assert due.draw.owners == tuple(reference.owners())
            assert sorted(due.draw.deck) == sorted(reference.deck())
            action = shuffled_deal(due.draw, rng)
        else:
            offered = GAME.legal(state, actor)
            assert len(set(offered)) == len(offered)
            assert sorted(offered) == sorted(reference.choices())
            action = rng.choice(offered)
        if rng.random() < leaving:
            actor, action = rng.choice(reference.live), "resign"
        state = GAME.apply(state, actor, action)
        reference.apply(actor, action)
        standing = state.standing
        assert standing.timer == reference.timer
        assert standing.totals == reference.points()
        assert GAME.unpack(GAME.pack(state)) == state
    assert reference.actor() is None
    assert due.result.winners == reference.winners
    assert due.result.points == reference.points()
    assert GAME.live(state) == ()


@settings(max_examples=60 * MORE, deadline=None)
@given(setups(range(2, 6)), st.integers(0, 2**32), st.sampled_from([0.0, 0.03, 0.3]))
def test_revokes_come_to_light_in_every_view_as_in_the_reference(setup, seed, dishonesty):
    """The views are folded alone, from what each may see; the reference knows all cards and who keeps one back.

    Inside of a round so does whoever is shown what a seat still holds.
    """
    options, seats = setup
    rng, reference = Random(seed), Reference(*setup)
    honest = rng.randint(1, seats)
    views = {viewer: GAME.start(options, seats) for viewer in (PUBLIC, honest)}
    while reference.actor() is not None:
        actor, choices = reference.actor(), reference.choices()
        if reference.stage == "deal":
            action = shuffled_deal(GAME.pending(views[PUBLIC]).draw, rng)
        elif reference.stage == "play" and actor != honest and rng.random() < dishonesty:
            action = rng.choice(reference.hands[actor])
        else:
            action = rng.choice(choices)
        for viewer, view in views.items():
            told = GAME.seen(view, actor, action, viewer)
            assert (told == action) == (reference.stage != "deal")
            assert GAME.refuse(view, actor, told) is None
            assert GAME.unpack(GAME.pack(view)) == view
            views[viewer] = GAME.apply(view, actor, told)
        reference.apply(actor, action)
        assert GAME.view(views[honest], PUBLIC) == views[PUBLIC]
        if reference.stage == "play":
            for seat in reference.live:
                breaches = [
                    (seat, card, f"a revoke: {card} in trick {trick}") for trick, card in reference.kept_back(seat)
                ]
                assert GAME.audit(views[PUBLIC], seat, reference.hands[seat]) == tuple(breaches)
        for view in views.values():
            assert view.standing.totals == reference.points()
            assert view.standing.timer == reference.timer
            assert reference.winners is not None or GAME.live(view) == tuple(reference.live)
    for view in views.values():
        assert result(view).winners == reference.winners


# Cards and the deal


def test_the_game_is_found_and_described():
    assert all_games()["celtic-whist"] is GAME
    assert (GAME.title, GAME.seats) == ("Celtic Whist", range(1, 6))
    assert GAME.colours == ("White", "Blue", "Green", "Yellow", "Red")
    assert [option.name for option in GAME.options] == list(CHOICES)


def test_cards_of_each_suit():
    names = [NAMES[0][card] for card in PLAIN]
    assert names == [
        *(next(f"{s}{n}" for s, own in SUITS_OF_THE_SHEET.items() if n in own) for n in range(1, 31)),
        "TW",
    ]


@pytest.mark.parametrize(
    ("seats", "options", "cards", "hand"),
    [(2, {}, 31, 15), (3, {}, 31, 10), (4, {}, 31, 7), (5, {}, 36, 7), (5, {"all_cards": True}, 61, 12)],
)
def test_deck_and_hand_sizes(seats, options, cards, hand):
    state = run(GAME.start({"first": 2, **options}, seats), "trump TY")
    deck, owners = GAME.pending(state).draw
    assert len(deck) == len(set(deck)) == len(owners) == cards
    assert "TY" in deck
    assert {card for card in deck if card[0] == "T"} == {"TY"}
    assert owners.count(0) == cards - seats * hand >= 1
    assert all(owners.count(seat) == hand for seat in range(1, seats + 1))
    after_dealer = 3 if seats > 2 else 1
    assert owners[0] == after_dealer
    assert owners[seats - 1] == 2
    assert owners[:seats] == owners[seats : 2 * seats]


def test_five_players_add_the_second_copies_from_nine_down_until_a_hand_has_seven():
    assert {NAMES[0][card] for card in set(FIVE) - set(PLAIN)} == {"G9'", "B8'", "W7'", "K6'", "R5'"}
    assert len(set(ALL)) == 61
    assert len(FIVE) // 5 == 7
    assert (len(FIVE) - 1) // 5 == 7
    assert len(PLAIN) // 5 < 7


def test_solitaire_deals_to_player_and_dummy_in_turn():
    for hand in (13, 15):
        state = run(GAME.start({"hand": hand}, 1), "trump TW")
        deck, owners = GAME.pending(state).draw
        assert owners == (1, 0) * hand + (0,) * (31 - 2 * hand)
        state = run(state, f"deal {' '.join(deck)}")
        assert GAME.view(state, 1) == state._replace(dummy=b"\xff" * hand)
        assert run(state, "bid 1").plays == state.dummy[:1]


def test_trump_is_drawn_from_five_and_solitaire_draws_no_dealer():
    assert GAME.pending(GAME.start({}, 4)) == Chance(Pick(tuple(f"first {n}" for n in range(1, 5))))
    trumps = tuple(f"trump T{letter}" for letter in "WBGYR")
    for state in (run(GAME.start({}, 4), "first 3"), GAME.start({}, 1), GAME.start({"first": 3}, 4)):
        assert GAME.pending(state) == Chance(Pick(trumps))
    assert run(GAME.start({}, 4), "first 3") == GAME.start({"first": 3}, 4)


# Options


@given(st.fixed_dictionaries({n: st.sampled_from(v) for n, v in CHOICES.items() if n not in ALONE}), st.integers(1, 5))
def test_combinations_are_refused_where_they_are_forbidden(options, seats):
    if allowed(options, seats):
        chosen = GAME.resolve({name: str(value) for name, value in options.items()}, seats)
        assert {name: value for name, value in chosen.items() if name not in ALONE} == options
        assert [name for name in CHOICES if seats == 1 or name not in ALONE] == list(chosen)
    else:
        with pytest.raises(OptionError) as error:
            GAME.start(options, seats)
        assert error.value.option in ("all_cards", "restrictive_null", "cooperative", "doubling")
        assert error.value.option in str(error.value)


@pytest.mark.parametrize(
    ("options", "seats", "name", "says"),
    [
        ({"all_cards": True}, 4, "all_cards", "only for 5 players"),
        ({"restrictive_null": True}, 1, "restrictive_null", "2-5 players"),
        ({"cooperative": "true"}, 1, "cooperative", "2-5 players"),
        ({"cooperative": True, "doubling": True}, 3, "doubling", "cooperative=true"),
        ({"cooperative": True, "restrictive_null": True}, 3, "restrictive_null", "cooperative=true"),
        ({"hand": 13}, 2, "hand", "only for 1 player"),
        ({"start": 15}, 2, "start", "only for 1 player"),
        ({"timer": 15}, 5, "timer", "only for 1 player"),
        ({"hand": 14}, 1, "hand", "13 or 15"),
        ({"start": 30}, 1, "start", "1-29"),
        ({"start": 0}, 1, "start", "1-29"),
        ({"timer": 28}, 1, "timer", "1-27"),
        ({"first": 4}, 3, "first", "random or 1-3"),
        ({"scoring": "soft"}, 3, "scoring", "standard or hard"),
        ({"repetition": 3}, 3, "repetition", "no option"),
        ({"turn_limit": 9}, 3, "turn_limit", "no option"),
    ],
)
def test_a_refused_option_is_named_with_what_it_allows(options, seats, name, says):
    with pytest.raises(OptionError, match=re.escape(says)) as error:
        GAME.start(options, seats)
    assert error.value.option == name


# Following suit and winning


def trick(trump, *cards, seats=None, **options):
    """Return the seat (counted from the leader, 1) that takes a trick of these cards, played by seats 1, 2, ..."""
    seats = seats or len(cards)
    hands = dict(enumerate(cards, 1))
    state = table(seats, hands, trump=trump, first=seats, **options)
    state = state._replace(phase=PLAY, seat=1, bids=(1,) * seats, leads=b"\1")
    for card in cards:
        state = GAME.apply(state, state.seat, card)
    return state.leads[-1]


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("TG", "W7 W13 W1", 2),  # the highest of the suit led
        ("TG", "W7 B26 R29", 1),  # other suits cannot win
        ("TG", "W25 G3 R29", 2),  # a trump beats the suit led
        ("TG", "W25 G3 G9", 3),  # the highest trump
        ("TG", "W25 TG G27", 2),  # the trilithon is the highest trump
        ("TG", "G27 TG W1", 2),  # and of the suit when that is led
        ("TG", "TG G27 K30", 1),
        ("TG", "K6 W7 B2", 2),  # Black led: the highest number, whatever its suit
        ("TG", "K24 G3 Y22", 1),  # trumps have no power then
        ("TG", "K30 G27 TG", 3),  # but the trilithon beats every number
        ("TG", "W1 K30 K24", 1),  # Black is no trump
        ("TR", "K18 R23 TR", 3),
        ("TR", "Y4 K30 R5", 3),
    ],
)
def test_who_takes_a_trick(trump, cards, winner):
    assert trick(trump, *cards.split()) == winner


@pytest.mark.parametrize("card", [25, 26, 27, 28, 29, 30])
def test_the_example_of_the_sheet_on_a_black_24_led(card):
    letter = "KWBGYR"[card % 6]
    for trump in ("TW", "TB", "TG", "TY", "TR"):
        assert trick(trump, "K24", f"{letter}{card}", "W1") == 2
        assert trick(trump, "K24", "W1", trump) == 3
        assert trick(trump, "K24", "R23", "Y22") == 1


def test_of_two_copies_the_one_played_first_is_higher():
    for one, two in (("G9", "G9'"), ("G9'", "G9")):
        assert trick("TW", one, two, "G3", "B2", "B8") == 1
        assert trick("TG", "W1", one, two, "B2", "B14") == 2
        assert trick("TW", "K6", one, two, "B2", "R5", black_must_follow=True) == 2
        assert trick("TW", one, two, "G15", "G15'", "G21'", all_cards=True) == 5


def leading(cards, hand, trump="TG", **options):
    """What the second of two seats may play when `cards` is led and it holds `hand`."""
    state = table(2, {1: cards, 2: hand}, trump=trump, first=2, **options)
    state = state._replace(hands=(state.hands[0], sum(1 << NAMES[2].index(card) for card in hand.split())))
    state = state._replace(phase=PLAY, seat=1, bids=(1, 1), leads=b"\1")
    return legal(GAME.apply(state, 1, cards))


def test_suit_is_followed_if_possible():
    assert leading("W1", "W7 W25 B2 TG") == {"W7", "W25"}
    assert leading("W1", "B2 G9 K30 TG") == {"B2", "G9", "K30", "TG"}
    assert leading("G3", "W7 G9 TG") == {"G9", "TG"}  # the trilithon is of the trump suit
    assert leading("G3", "W7 TG") == {"TG"}
    assert leading("TG", "W7 G3") == {"G3"}
    assert leading("K30", "K6 W7 TG") == {"K6", "W7", "TG"}
    assert leading("K30", "K6 K24 W7 TG", black_must_follow=True) == {"K6", "K24"}
    assert leading("K30", "W7 TG", black_must_follow=True) == {"W7", "TG"}


# Bids


def test_bids_by_the_options():
    def bids(seats=4, **options):
        return list(GAME.legal(table(seats, {}, first=seats, **options), 1))

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
def test_scores(bid, taken, standard, hard):
    for scoring, points in (("standard", standard), ("hard", hard)):
        final = finished(4, {1: bid, 2: "bid 1", 3: "bid 1", 4: "bid 1"}, {1: taken, 2: 7 - taken}, scoring=scoring)
        assert final.standing.won[0] == points
        assert final.standing.totals[0] == max(0, points)


def finished(seats, bids, takes, before=None, first=None, **options):
    """Return the state after a round with these bids in which seats took so many tricks (`takes`)."""
    doubling = any("double" in text for text in bids.values()) or options.pop("doubling", False)
    state = table(seats, {}, first=first or seats, **options, **({"doubling": True} if doubling else {}))
    return finish(state._replace(standing=before(state.standing)) if before else state, bids, takes)


def finish(state, bids, takes):
    """Play the round that is being bid so that seats take the tricks wanted: the last trick is played in earnest."""
    live, names = GAME.live(state), NAMES[state.trump]
    for _ in live:
        state = run(state, bids[state.seat])
    *order, last = [seat for seat, count in takes.items() for _ in range(count)]
    leads = bytes((order[0] if order else last, *order))
    # Red was led and followed in all tricks before; now Black is led, so that the highest number takes the trick.
    plays = bytes((names.index("R29"),)) * (len(live) * len(order))
    low = iter(("W1", "W7", "B2", "B8"))
    cards = {seat: "K6" if seat == leads[-1] else next(low) for seat in live} | {last: "K30"}
    hands = tuple(1 << names.index(cards[seat]) if seat in live else 0 for seat in range(1, len(state.hands) + 1))
    state = state._replace(hands=hands, plays=plays, leads=leads, seat=leads[-1])
    for _ in live:
        state = run(state, *GAME.legal(state, state.seat))
    return state


@pytest.mark.parametrize("scoring", ["standard", "hard"])
def test_when_all_bid_null_every_trick_costs_a_point(scoring):
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


def test_one_player_may_bid_null():
    alone = dealt(run(GAME.start({}, 1), "trump TG"), {})
    assert run(alone, "null 5").bids == (-5,)


def bidding(seats, bids, first, totals=None, **options):
    """Return the state when all have bid; `bids` by seat."""
    state = table(seats, {}, first=first, **options)
    if totals:
        state = state._replace(standing=state.standing._replace(totals=totals))
    for _ in range(seats):
        state = run(state, bids[state.seat - 1])
    return state


@pytest.mark.parametrize(
    ("bids", "leader"),
    [
        (("bid 2", "bid 5", "bid 3", "null 7"), 2),
        (("null 7", "null 1", "bid 1", "null 3"), 3),
        (("null 1", "double", "bid 7", "null 3"), 2),
        (("null double", "bid 1", "null 7", "null 7"), 2),
    ],
)
def test_the_highest_bid_leads_and_null_bids_are_negative(bids, leader):
    assert bidding(4, bids, 1, doubling=True).seat == leader


def test_ties_for_the_lead_go_to_the_higher_total_and_then_clockwise_from_the_dealer():
    tied = ("bid 3", "bid 3", "bid 2", "bid 3")
    assert bidding(4, tied, 3, totals=(5, 7, 9, 7)).seat == 4
    assert bidding(4, tied, 1, totals=(5, 7, 9, 7)).seat == 2
    assert bidding(4, tied, 1, totals=(9, 7, 9, 7)).seat == 1
    for dealer, leader in ((1, 1), (2, 2), (3, 4), (4, 4)):
        assert bidding(4, tied, dealer).seat == leader
    assert bidding(4, tied, 3, cooperative=True).seat == 4


def test_null_max_is_worth_the_highest_other_bid():
    state = table(4, {}, first=4, restrictive_null=True, doubling=True)
    state = run(state, "null max", "bid 2", "null 1")
    assert state.bids == (NULL_MAX, 2, -1, 0)
    assert GAME.unpack(GAME.pack(state)) == state
    five = run(state, "bid 5")
    assert (five.bids, five.seat) == ((-5, 2, -1, 5), 4)
    assert "White's null max is worth 5." in tell(state, "bid 5")
    assert run(state, "double").bids == (-14, 2, -1, 14)
    both = run(state, "null max")
    assert both.bids == (-2, 2, -1, -2)
    assert {"White's null max is worth 2.", "Yellow's null max is worth 2."} <= set(tell(state, "null max"))
    zero = run(table(2, {}, first=2, restrictive_null=True), "null max", "null 1")
    assert zero.bids == (0, 0)


def between(state, **changes):
    return state._replace(standing=state.standing._replace(**changes))


def test_bidding_begins_with_whoever_won_most_counted_before_the_floor():
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    assert dealt(state, {}).seat == 2  # the first round: the dealer's left
    assert dealt(between(state, won=(-3, -7, 2, 2)), {}).seat == 3
    assert dealt(between(state, won=(5, -7, 2, 2)), {}).seat == 1
    assert dealt(between(state, won=(-3, -7, -5, -4)), {}).seat == 1
    assert dealt(between(state, won=(2, 1, 2, 2), dealer=3), {}).seat == 4
    assert dealt(between(state, won=(2, 1, 2, 1), dealer=3), {}).seat == 1


def test_bids_go_clockwise():
    state = between(run(GAME.start({"first": 1}, 4), "trump TG"), won=(0, 0, 3, 0))
    state, seats = dealt(state, {}), []
    for _ in range(4):
        seats.append(state.seat)
        state = run(state, "bid 1")
    assert seats == [3, 4, 1, 2]


# The timer, the end and ties


def test_the_timer_moves_one_or_to_the_leader():
    slow = finished(4, dict.fromkeys(range(1, 5), "bid 1"), {1: 7})
    assert (slow.standing.totals, slow.standing.timer) == ((0, 0, 0, 0), 1)
    fast = finished(4, {1: "bid 4", 2: "bid 3", 3: "null 1", 4: "null 2"}, {1: 4, 2: 3})
    assert (fast.standing.totals, fast.standing.timer) == ((4, 3, 1, 2), 4)
    assert fast.standing.dealer == 1
    assert fast.phase == TRUMP


def test_reaching_thirty_wins():
    final = finished(
        4,
        {1: "bid 4", 2: "bid 3", 3: "null 1", 4: "null 2"},
        {1: 4, 2: 3},
        before=lambda standing: standing._replace(totals=(27, 26, 20, 20), timer=27),
    )
    assert result(final) == ((1,), (31, 29, 21, 22), "30 points reached")


def test_the_timer_at_thirty_ends_the_game():
    final = finished(
        4,
        dict.fromkeys(range(1, 5), "bid 1"),
        {1: 6, 2: 1},
        before=lambda standing: standing._replace(totals=(9, 8, 3, 2), timer=29),
    )
    assert result(final) == ((2,), (5, 9, 2, 1), "the timer reached 30")


def test_tied_seats_play_on_alone_and_only_they_are_compared():
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
    assert GAME.refuse(tied, 1, "resign").code == "not-playing"
    state = run(tied, "trump TG")
    assert GAME.pending(state).draw.owners.count(3) == 15
    state = dealt(state, {})
    assert len(GAME.legal(state, state.seat)) == 30
    broken = finish(state, {3: "bid 8", 4: "bid 9"}, {3: 8, 4: 7})
    assert result(broken) == ((3,), (0, 1, 18, 1), "the timer reached 30")


def test_ten_more_rounds_and_the_win_is_shared():
    for extra in range(9):
        state = tied_round(extra)
        assert (GAME.live(state), state.standing.extra, state.standing.timer) == ((1, 2), extra + 1, 30)
    final = tied_round(9)
    assert result(final) == ((1, 2), (10, 10), "still tied after 10 more rounds")


def tied_round(extra):
    """Return the state after a round in which two tied seats that have played `extra` more rounds tie again."""
    return finished(
        2,
        {1: "bid 7", 2: "bid 7"},
        {1: 7, 2: 8},
        before=lambda standing: standing._replace(totals=(3, 4), timer=30, extra=extra),
    )


# Leaving


@pytest.mark.parametrize("moment", ["deal", "bidding", "play", "last card"])
def test_a_seat_that_resigns_in_a_round_abandons_it(moment):
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


def test_between_rounds_nothing_is_abandoned():
    state = between(GAME.start({"first": 2}, 4), won=(1, 2, 3, 4), timer=7)
    after = run(state, "4 resign")
    assert (after.standing.dealer, after.standing.won, after.phase) == (2, (1, 2, 3, 4), TRUMP)
    assert run(state, "2 resign").standing.dealer == 3
    assert [e.text for e in GAME.story(state, 4, "resign")] == ["Yellow resigns."]
    drawn = run(GAME.start({}, 3), "2 resign")
    assert drawn.phase == FIRST
    assert GAME.legal(drawn, CHANCE) == ("first 1", "first 3")


def test_the_last_seat_left_wins_and_a_solitaire_player_loses():
    for state in (GAME.start({}, 2), table(2, {}), run(table(2, {}), "bid 1", "bid 1")):
        assert result(run(state, "1 resign")) == ((2,), (0, 0), "resigned")
    assert result(run(GAME.start({}, 3), "3 resign", "1 resign")).winners == (2,)
    assert result(run(GAME.start({}, 1), "1 resign")).winners == ()
    for seats in (2, 3):
        over = run(GAME.start({"cooperative": True}, seats), *[f"{n} resign" for n in range(2, seats + 1)])
        assert result(over).winners == ()


def test_all_cards_no_longer_applies_when_one_has_left():
    state = run(GAME.start({"first": 1, "all_cards": True}, 5), "trump TG", "5 resign", "trump TG")
    assert len(GAME.pending(state).draw.deck) == 31
    assert GAME.pending(state).draw.owners.count(1) == 7


def test_there_is_no_draw():
    state = table(3, {})
    assert why(state, "draw", CHANCE)[0] == "no-draw"
    assert why(run(GAME.start({"first": 1}, 3), "trump TG"), "draw", CHANCE)[0] == "no-draw"


# Revokes


def revoking(seats, hands, plays, trump="TG", **options):
    """Fold the public view through a last trick or two: hands are short, plays are (cards of each seat in turn)."""
    state = table(seats, {}, trump=trump, first=seats, **options)
    for _ in range(seats):
        state = run(state, "bid 1")
    names = NAMES["WBGYR".index(trump[1])]
    known = [sum(1 << names.index(card) for card in cards.split()) for cards in hands]
    state = state._replace(hands=tuple(known), seat=1, leads=b"\1", plays=b"")
    public = GAME.view(state, PUBLIC)
    for action in plays.split():
        before, public = public, GAME.apply(public, public.seat, action)
    return before, public


def test_with_two_players_the_other_wins():
    before, after = revoking(2, ("W1 B2", "W7 B8"), "W1 B8 B2 W7")
    # Seat 2 keeps W7 back, and White wins nothing of it but the game.
    assert before.phase == PLAY
    assert result(after) == ((1,), (0, 0), "a revoke")


def test_with_more_the_round_does_not_count():
    before, after = revoking(3, ("W1 B2", "W7 B8", "G3 G9"), "W1 B8 G3 B2 W7 G9", trump="TR")
    assert revokes_of(before, "G9") == [(BLUE, 1, NAMES[0].index("B8"))]
    assert GAME.live(after) == (1, 3)
    assert after.phase == TRUMP
    assert (after.standing.totals, after.standing.timer, after.standing.dealer) == ((0, 0, 0), 0, 1)
    story = tell(before, "G9")
    assert "Blue revoked: B8 in trick 1, though it could have followed suit." in story
    assert "Blue leaves the table." in story
    assert "The round does not count." in story


def test_if_all_revoke_nobody_wins():
    before, after = revoking(2, ("W1 R5 W13 B2", "W7 B8 R11 W19"), "W1 B8 R5 R11 W7 B2 W19 W13")
    assert {(seat, number) for seat, number, _ in revokes_of(before, "W13")} == {(BLUE, 1), (WHITE, 3)}
    assert result(after) == ((), (0, 0), "a revoke")


def test_if_all_but_one_revoke_it_wins():
    hands = ("W1 R5 W13 B2", "W7 B8 R11 W19", "G3 G9 G15 G21")
    _, after = revoking(3, hands, "W1 B8 G3 R5 R11 G9 W7 G15 B2 W19 G21 W13", trump="TY")
    assert result(after) == ((GREEN,), (0, 0, 0), "a revoke")


def revokes_of(before, last):
    """The revokes of a round that `last` ends."""
    plays = before.plays + bytes((NAMES[before.trump].index(last),))
    return revokes(before._replace(plays=plays, leads=before.leads + b"\1"))


def test_black_need_not_be_followed_unless_the_option_says_so():
    hands, plays = ("K6 B2", "K30 W25"), "K6 W25 K30 B2"
    assert revoking(2, hands, plays)[1].phase == TRUMP
    assert result(revoking(2, hands, plays, black_must_follow=True)[1]).winners == (1,)


def test_a_trilithon_kept_back_is_a_revoke_too():
    assert result(revoking(2, ("G9 B2", "TG W1"), "G9 W1 B2 TG")[1]).winners == (1,)
    assert result(revoking(2, ("TG B2", "G9 W1"), "TG W1 B2 G9")[1]).winners == (1,)


def test_a_revoke_in_a_team_leaves_it_with_one_and_lost():
    assert result(revoking(2, ("W1 B2", "W7 B8"), "W1 B8 B2 W7", cooperative=True)[1]).winners == ()
    after = revoking(3, ("W1 B2", "W7 B8", "G3 G9"), "W1 B8 G3 B2 W7 G9", trump="TR", cooperative=True)[1]
    assert GAME.live(after) == (1, 3)


# Together


def team(bids, takes, before=None, seats=3):
    return finished(seats, bids, takes, before=before, cooperative=True)


def test_the_team_moves_when_every_bid_is_made_exactly():
    made = team({1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert (made.standing.totals, made.standing.timer) == ((3, 3, 3), 1)
    over = team({1: "bid 5", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert (over.standing.totals, over.standing.timer) == ((0, 0, 0), 1)
    null = team({1: "bid 6", 2: "bid 3", 3: "null 5"}, {1: 6, 2: 3, 3: 1})
    assert null.standing.totals == (0, 0, 0)
    five = team(dict.fromkeys((1, 2), "bid 3") | {3: "bid 1", 4: "null 1", 5: "null 7"}, {1: 3, 2: 3, 3: 1}, seats=5)
    assert five.standing.totals == (5,) * 5


def test_an_all_null_round_is_never_made():
    after = team(dict.fromkeys((1, 2, 3), "null 1"), {1: 10})
    assert after.standing.totals == (0, 0, 0)


def test_the_team_wins_at_thirty_and_loses_when_the_timer_is_there_first():
    bids, takes = {1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4}
    at = lambda total, timer: lambda standing: standing._replace(totals=(total,) * 3, timer=timer)  # noqa: E731
    assert result(team(bids, takes, at(27, 20))) == ((1, 2, 3), (30, 30, 30), "30 points reached")
    assert result(team(bids, takes, at(27, 29))) == ((1, 2, 3), (30, 30, 30), "30 points reached")
    assert result(team(bids, takes, at(24, 29))) == ((), (27, 27, 27), "the timer reached 30")
    assert team(bids, takes, at(24, 20)).standing.timer == 21


def test_bidding_together_starts_at_the_dealers_left_in_every_round():
    after = team({1: "bid 6", 2: "bid 4", 3: "null 5"}, {1: 6, 2: 4})
    assert after.standing.dealer == 1
    assert dealt(run(after, "trump TG"), {}).seat == 2


# Solitaire


def solitaire(bid, answers, trump="TG", **options):
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


def test_who_takes_a_trick_from_the_dummy_and_that_it_always_leads():
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
def test_solitaire_scores_and_ends(bid, took, options, total, winners):
    pairs = [*["W1 W7", "W13 W19"][:took], "W25 R5"]
    state = solitaire(bid, pairs, trump="TG", **options)
    assert state.standing.totals == (total,)
    if winners is None:
        assert (state.phase, state.standing.timer) == (TRUMP, 16)
    else:
        assert result(state).winners == winners
        assert state.standing.timer == 15


def test_solitaire_is_lost_when_the_timer_gets_there_unless_hard_scoring_ended_higher():
    def ended(bid, tricks=1, **options):
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


def test_a_solitaire_round_is_a_bid_and_thirteen_plays():
    state, actions = dealt(run(GAME.start({}, 1), "trump TG"), {}), 0
    while state.phase in (BID, PLAY):
        state = run(state, GAME.legal(state, 1)[0])
        actions += 1
    assert actions == 14


# Views


def test_a_hand_belongs_to_its_seat():
    state = table(3, {1: "TG"}, first=3)
    own, other, public = (GAME.view(state, viewer) for viewer in (1, 2, PUBLIC))
    assert own.hands == (state.hands[0], 0, 0)
    assert own.unknown == bytes((0, 10, 10))
    assert public.hands == (0, 0, 0)
    assert set(GAME.legal(own, 1)) == set(GAME.legal(state, 1))
    playing = run(state, "bid 3", "bid 2", "bid 1")
    seen = GAME.legal(GAME.view(playing, 2), 1)
    mine = set(GAME.legal(playing._replace(seat=2), 2))
    assert set(seen) == set(GAME.pending(run(GAME.start({"first": 1}, 3), "trump TG")).draw.deck) - mine
    assert len(GAME.legal(GAME.view(playing, PUBLIC), 1)) == 31
    assert other.unknown == bytes((10, 0, 10))


def test_what_a_viewer_learns_of_a_deal():
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    draw = GAME.pending(state).draw
    whole = f"deal {' '.join(draw.deck)}"
    assert GAME.seen(state, CHANCE, whole, PUBLIC) == "deal"
    assert GAME.seen(state, CHANCE, whole, 2).split()[:6] == ["deal", "W1", "?", "?", "?", "R5"]
    assert GAME.seen(state, CHANCE, GAME.seen(state, CHANCE, whole, 2), 2) == GAME.seen(state, CHANCE, whole, 2)
    assert GAME.seen(state, 2, "resign", 3) == "resign"
    for viewer in range(5):
        told = GAME.seen(state, CHANCE, whole, viewer)
        assert GAME.apply(state, CHANCE, told) == GAME.view(GAME.apply(state, CHANCE, whole), viewer)


def test_a_hand_may_be_known_in_part():
    state = run(GAME.start({"first": 1}, 2), "trump TG")
    deck = GAME.pending(state).draw.deck
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
def test_only_permutations_of_the_deck_are_deals(seats):
    state = run(GAME.start({} if seats == 1 else {"first": 1}, seats), "trump TB")
    deck = list(GAME.pending(state).draw.deck)
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
def test_completed_views_give_nobody_a_suit_that_it_was_seen_to_lack(setup, seed):
    options, seats = setup
    rng, state = Random(seed), GAME.start(options, seats)
    while state.phase != PLAY or len(state.plays) < 2 * seats:
        due = GAME.pending(state)
        deals = state.phase == DEAL
        state = run(state, shuffled_deal(due.draw, rng) if deals else rng.choice(GAME.legal(state, actor_of(state))))
    world = GAME.complete(GAME.view(state, 1), rng)
    assert not any(world.unknown)
    assert world.hands[0] == state.hands[0]
    assert [hand.bit_count() for hand in world.hands] == [hand.bit_count() for hand in state.hands]
    assert GAME.unpack(GAME.pack(world)) == world
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
def test_lenient_reading_in_play(typed, action):
    assert GAME.parse(run(table(3, {}), "bid 1", "bid 1", "bid 1"), typed) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [("3", "bid 3"), ("b3", "bid 3"), ("bid 10", "bid 10"), ("n2", "null 2"), ("nd", "null double"), ("d", "double")],
)
def test_lenient_reading_of_bids(typed, action):
    assert GAME.parse(table(3, {}), typed) == action


def test_tg_is_a_trump_when_the_trump_is_drawn():
    assert GAME.parse(GAME.start({"first": 1}, 3), "tg") == "trump TG"


def test_a_card_typed_without_its_mark_is_the_copy_that_is_there():
    state = table(5, {1: "G9'", 2: "G9"}, trump="TW", first=5)
    state = run(state, *["bid 1"] * 4, "bid 2")._replace(seat=1)._replace(leads=b"\1")
    assert GAME.parse(state, "g9") == "G9'"
    assert GAME.parse(state._replace(seat=2), "g9") == "G9"
    assert GAME.parse(state._replace(seat=2), "g9'") == "G9'"


@pytest.mark.parametrize(
    "text", ["", "w2", "x9", "w0", "w31", "card", "bid", "null", "deal w2", "tk", "9 of green", "''"]
)
def test_text_that_is_no_action(text):
    for state in (table(3, {}), run(table(3, {}), "bid 1", "bid 1", "bid 1")):
        with pytest.raises(NotationError):
            GAME.parse(state, text)


def test_a_wrong_suit_is_put_right():
    with pytest.raises(NotationError, match="there is no card W2: 2 is Blue, B2"):
        GAME.parse(run(table(3, {}), "bid 1", "bid 1", "bid 1"), "w2")


def test_refusals_of_bids():
    plain = table(4, {}, first=4)
    assert why(plain, "bid 8") == ("bid", "With 7 cards you may bid 1 to 7, or null 1 to null 7.")
    assert why(plain, "null 8")[0] == "bid"
    assert why(plain, "bid 0") == ("bid", "Nobody bids 0: it is a null bid that promises no trick.")
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


def test_refusals_of_cards():
    state = table(2, {1: "W1 W7 B2", 2: "G3 G9 B8 TG"}, first=2)
    state = run(state, "bid 2", "bid 1", "B2")
    assert state.seat == 2
    blue = " or ".join(GAME.legal(state, 2))
    assert "B8" in blue
    assert why(state, "G9") == ("follow", f"B2 was led: follow suit in Blue with {blue}.")
    assert why(state, "B2") == ("played", "B2 has been played already.")
    assert why(state, "W1") == ("not-held", "W1 is not in Blue's hand.")
    assert why(state, "G9'") == ("not-in-deck", "G9' is not in the deck of this round.")
    assert why(state, "TW")[0] == "notation"
    assert why(state, "bid 3") == ("bidding-over", "Bidding is over: play a card, as in G9.")
    assert why(state, "deal")[0] == "notation"
    assert why(state, "W1", WHITE) == ("turn", "It is Blue's turn.")


def test_a_round_in_words():
    state = GAME.start({}, 2)
    assert tell(state, "first 2") == ["Blue deals first."]
    state = run(state, "first 2")
    assert tell(state, "trump TR") == ["Trump is Red: TR joins the deck."]
    state = run(state, "trump TR")
    assert tell(state, "deal") == ["15 cards are dealt to each; White bids first."]
    state = dealt(state, {})
    assert tell(state, "bid 4") == ["White bids 4."]
    assert tell(state, "null 2") == ["White bids null 2."]
    assert tell(run(state, "bid 4"), "bid 5") == ["Blue bids 5.", "Blue leads."]


def test_the_end_of_a_round_in_words():
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


def test_the_end_of_a_round_together_in_words():
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
    assert tell(between(before, timer=29), "W7")[-1] == "Nobody wins: the timer reached 30."


def test_a_story_never_tells_a_card_that_was_dealt():
    state = run(GAME.start({"first": 1}, 4), "trump TR")
    told = tell(state, shuffled_deal(GAME.pending(state).draw, Random(1)))
    assert told == ["7 cards are dealt to each; Blue bids first."]


# Bytes


def test_bytes_of_states_that_no_game_reaches_are_refused():
    bidding_state = table(3, {})
    playing = run(bidding_state, "bid 1", "bid 2", "null 1")
    playing = run(playing, GAME.legal(playing, playing.seat)[0])
    alone = run(table(1, {}), "bid 1")
    over = run(GAME.start({}, 2), "1 resign")
    hand = playing.hands
    wrong = [
        playing._replace(seat=playing.seat % 3 + 1),
        playing._replace(hands=(hand[0], hand[0], hand[2])),
        playing._replace(hands=(hand[0] | 1 << 45, *hand[1:])),
        playing._replace(plays=playing.plays + b"\x3f"),
        playing._replace(plays=b""),
        playing._replace(leads=b""),
        playing._replace(leads=b"\4"),
        playing._replace(trump=5),
        playing._replace(trump=-1),
        playing._replace(bids=(1, 2)),
        playing._replace(bids=(1, 2, 11)),
        playing._replace(unknown=bytes((1, 0, 0))),
        playing._replace(dummy=b"\1"),
        playing._replace(phase=BID),
        playing._replace(phase=TRUMP),
        playing._replace(phase=77),
        bidding_state._replace(phase=PLAY),
        bidding_state._replace(seat=0),
        bidding_state._replace(bids=(0, 0, 31)),
        alone._replace(dummy=alone.dummy[:-1]),
        alone._replace(leads=b"\1"),
        alone._replace(plays=b""),
        over._replace(seat=1),
        between(playing, seats=b"\1\2"),
        between(playing, seats=b"\2\1\3"),
        between(playing, dealer=0),
        between(playing, timer=31),
        between(playing, rules=1 << 7),
        between(playing, rules=1),
        between(playing, extra=11),
        between(playing, totals=(0, -1, 0)),
        between(playing, totals=(0, 0)),
        between(playing, won=()),
        between(playing, start=3),
        between(alone, start=0),
        between(alone, start=30),
    ]
    for state in wrong:
        with pytest.raises(ValueError, match="Celtic Whist"):
            GAME.unpack(encode(state))
    for value in ((), (1, 2), (*playing[:-1], None), (*playing[:5], ("x",), *playing[6:])):
        with pytest.raises(ValueError, match="Celtic Whist"):
            GAME.unpack(encode(value))


def test_deals_are_of_the_type_that_the_protocol_draws():
    state = run(GAME.start({"first": 1}, 4), "trump TG")
    assert isinstance(GAME.pending(state), Chance)
    assert isinstance(GAME.pending(state).draw, Deal)
    assert GAME.legal(state, CHANCE) == ()
