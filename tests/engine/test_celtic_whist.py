"""Celtic Whist: against the slow reference over random games, and the cards, bids and tricks of its rules."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import pytest
from celtic_whist_reference import Reference
from golden import MORE, known_to
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect

from engine import CHANCE, PUBLIC, Chance, Deal, OptionError, OptionValue, Over, Pick, Result, Turn, all_games
from engine.games.celtic_whist import GAME, State
from engine.games.celtic_whist.cards import ALL, FIVE, NAMES, PLAIN
from engine.games.celtic_whist.state import DEAL, NULL_MAX, PLAY, Standing

WHITE, BLUE, GREEN, YELLOW, RED = range(1, 6)
CHOICES: dict[str, tuple[OptionValue, ...]] = {
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
Setup: TypeAlias = tuple[dict[str, OptionValue], int]
"""Options, and a number of players."""
ALONE = ("hand", "start", "timer")
SUITS_OF_THE_SHEET = {
    "W": (1, 7, 13, 19, 25),
    "B": (2, 8, 14, 20, 26),
    "G": (3, 9, 15, 21, 27),
    "Y": (4, 10, 16, 22, 28),
    "R": (5, 11, 17, 23, 29),
    "K": (6, 12, 18, 24, 30),
}


def allowed(options: Mapping[str, OptionValue], seats: int) -> bool:
    """Whether the rules let these options go together for so many players."""
    on = {name for name, chosen in options.items() if chosen is True}
    return not (
        ("all_cards" in on and seats != 5)
        or (seats == 1 and on & {"restrictive_null", "cooperative"})
        or ("cooperative" in on and on & {"doubling", "restrictive_null"})
    )


@st.composite
def setups(draw: st.DrawFn, seats: Sequence[int] = range(1, 6)) -> Setup:
    """Options and a number of players that go together."""
    players = draw(st.sampled_from(seats))
    names = [name for name in CHOICES if (name in ALONE) <= (players == 1)]
    options: dict[str, OptionValue] = {name: draw(st.sampled_from(CHOICES[name])) for name in names}
    for name in ("all_cards", "cooperative", "restrictive_null", "doubling"):
        if not allowed(options, players):
            options[name] = False
    return options, players


def shuffled_deal(draw: Deal, rng: Random) -> str:
    cards = list(draw.deck)
    rng.shuffle(cards)
    return f"deal {' '.join(cards)}"


def actor_of(state: State) -> int:
    due = GAME.pending(state)
    return due.seat if isinstance(due, Turn) else CHANCE


def run(state: State, *actions: str) -> State:
    """Do some actions, each of the actor to act; `3 resign` is an action of seat 3."""
    for action in actions:
        match = re.fullmatch(r"(\d) (resign)", action)
        actor, text = (int(match[1]), match[2]) if match else (actor_of(state), action)
        assert GAME.refuse(state, actor, text) is None, (action, GAME.refuse(state, actor, text))
        state = GAME.apply(state, actor, text)
    return state


def deal_of(state: State) -> Deal:
    """The deal that is due."""
    return expect(Deal, expect(Chance, GAME.pending(state)).draw)


def dealt(state: State, hands: dict[int, str], seed: int = 0) -> State:
    """Return the state after a deal in which seats have the cards named (`2: "G9 TG"`), the rest at random."""
    draw = deal_of(state)
    wanted = {seat: text.split() for seat, text in hands.items()}
    free = [card for card in draw.deck if all(card not in cards for cards in wanted.values())]
    Random(seed).shuffle(free)
    cards = [wanted[owner].pop(0) if wanted.get(owner) else free.pop() for owner in draw.owners]
    assert not any(wanted.values())
    return run(state, f"deal {' '.join(cards)}")


def table(seats: int, hands: dict[int, str], trump: str = "TG", first: int = 1, **options: OptionValue) -> State:
    """Return the state in which the first round is bid."""
    return table_of(seats, hands, trump, first, options)


def table_of(seats: int, hands: dict[int, str], trump: str, first: int, options: Mapping[str, OptionValue]) -> State:
    chosen = options if seats == 1 else {"first": first, **options}
    return dealt(run(GAME.start(chosen, seats), f"trump {trump}"), hands)


def result(state: State) -> Result:
    due = GAME.pending(state)
    assert isinstance(due, Over)
    return due.result


def why(state: State, action: str, actor: int | None = None) -> tuple[str, ...]:
    refusal = GAME.refuse(state, actor_of(state) if actor is None else actor, action)
    assert refusal is not None
    return refusal.code, refusal.text


def tell(state: State, action: str) -> list[str]:
    return [event.text for event in GAME.story(state, actor_of(state), action)]


def legal(state: State) -> set[str]:
    return set(GAME.legal(state, state.seat))


# Against the reference


@settings(max_examples=60 * MORE, deadline=None)
@given(setups(), st.integers(0, 2**32), st.sampled_from([0, 0.002, 0.02]))
def test_random_games_agree_with_the_reference(setup: Setup, seed: int, leaving: float) -> None:
    options, seats = setup
    rng, reference, state = Random(seed), Reference(*setup), GAME.start(options, seats)
    while not isinstance(due := GAME.pending(state), Over):
        actor = actor_of(state)
        assert reference.actor() == actor
        assert GAME.live(state) == tuple(reference.live)
        if state.phase == DEAL:
            deal = deal_of(state)
            assert deal.owners == tuple(reference.owners())
            assert sorted(deal.deck) == sorted(reference.deck())
            action = shuffled_deal(deal, rng)
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
    assert reference.actor() is None
    assert due.result.winners == reference.winners
    assert due.result.points == reference.points()
    assert GAME.live(state) == ()


@pytest.mark.many
@settings(max_examples=40 * MORE, deadline=None)
@given(setups(range(2, 6)), st.integers(0, 2**32), st.sampled_from([0.0, 0.03, 0.3]))
def test_revokes_come_to_light_in_every_view_as_in_the_reference(setup: Setup, seed: int, dishonesty: float) -> None:
    """Each view is folded from what its viewer sees; the reference knows all cards, and so every revoke.

    Inside a round `audit` finds the same revokes when it is shown what a seat still holds.
    """
    options, seats = setup
    rng, reference = Random(seed), Reference(*setup)
    honest = rng.randint(1, seats)
    views = {viewer: GAME.start(options, seats) for viewer in (PUBLIC, honest)}
    while (actor := reference.actor()) is not None:
        choices = reference.choices()
        if reference.stage == "deal":
            action = shuffled_deal(deal_of(views[PUBLIC]), rng)
        elif reference.stage == "play" and actor != honest and rng.random() < dishonesty:
            action = rng.choice(reference.hands[actor])
        else:
            action = rng.choice(choices)
        for viewer, view in views.items():
            told = known_to(viewer, GAME.pending(view), action)
            assert GAME.refuse(view, actor, told) is None
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


def test_the_game_is_found_and_described() -> None:
    assert all_games()["celtic-whist"] is GAME
    assert (GAME.title, GAME.seats) == ("Celtic Whist", range(1, 6))
    assert GAME.colours == ("White", "Blue", "Green", "Yellow", "Red")
    assert [option.name for option in GAME.options] == list(CHOICES)


def test_cards_of_each_suit() -> None:
    names = [NAMES[0][card] for card in PLAIN]
    assert names == [
        *(next(f"{s}{n}" for s, own in SUITS_OF_THE_SHEET.items() if n in own) for n in range(1, 31)),
        "TW",
    ]


@pytest.mark.parametrize(
    ("seats", "options", "cards", "hand"),
    [(2, {}, 31, 15), (3, {}, 31, 10), (4, {}, 31, 7), (5, {}, 36, 7), (5, {"all_cards": True}, 61, 12)],
)
def test_deck_and_hand_sizes(seats: int, options: Mapping[str, OptionValue], cards: int, hand: int) -> None:
    state = run(GAME.start({"first": 2, **options}, seats), "trump TY")
    deck, owners = deal_of(state)
    assert len(deck) == len(set(deck)) == len(owners) == cards
    assert "TY" in deck
    assert {card for card in deck if card[0] == "T"} == {"TY"}
    assert owners.count(0) == cards - seats * hand >= 1
    assert all(owners.count(seat) == hand for seat in range(1, seats + 1))
    after_dealer = 3 if seats > 2 else 1
    assert owners[0] == after_dealer
    assert owners[seats - 1] == 2
    assert owners[:seats] == owners[seats : 2 * seats]


def test_five_players_add_the_second_copies_from_nine_down_until_a_hand_has_seven() -> None:
    assert {NAMES[0][card] for card in set(FIVE) - set(PLAIN)} == {"G9'", "B8'", "W7'", "K6'", "R5'"}
    assert len(set(ALL)) == 61
    assert len(FIVE) // 5 == 7
    assert (len(FIVE) - 1) // 5 == 7
    assert len(PLAIN) // 5 < 7


def test_solitaire_deals_to_player_and_dummy_in_turn() -> None:
    for hand in (13, 15):
        state = run(GAME.start({"hand": hand}, 1), "trump TW")
        deck, owners = deal_of(state)
        assert owners == (1, 0) * hand + (0,) * (31 - 2 * hand)
        state = run(state, f"deal {' '.join(deck)}")
        assert GAME.view(state, 1) == state._replace(dummy=b"\xff" * hand)
        assert run(state, "bid 1").plays == state.dummy[:1]


def test_trump_is_drawn_from_five_and_solitaire_draws_no_dealer() -> None:
    assert GAME.pending(GAME.start({}, 4)) == Chance(Pick(tuple(f"first {n}" for n in range(1, 5))))
    trumps = tuple(f"trump T{letter}" for letter in "WBGYR")
    for state in (run(GAME.start({}, 4), "first 3"), GAME.start({}, 1), GAME.start({"first": 3}, 4)):
        assert GAME.pending(state) == Chance(Pick(trumps))
    assert run(GAME.start({}, 4), "first 3") == GAME.start({"first": 3}, 4)


# Options


@given(st.fixed_dictionaries({n: st.sampled_from(v) for n, v in CHOICES.items() if n not in ALONE}), st.integers(1, 5))
def test_combinations_are_refused_where_they_are_forbidden(options: Mapping[str, OptionValue], seats: int) -> None:
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
def test_a_refused_option_is_named_with_what_it_allows(
    options: Mapping[str, OptionValue], seats: int, name: str, says: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(says)) as error:
        GAME.start(options, seats)
    assert error.value.option == name


# Following suit and winning


def trick(trump: str, *cards: str, seats: int | None = None, **options: OptionValue) -> int:
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
def test_the_highest_card_takes_the_trick(trump: str, cards: str, winner: int) -> None:
    assert trick(trump, *cards.split()) == winner


@pytest.mark.parametrize("card", [25, 26, 27, 28, 29, 30])
def test_the_example_of_the_sheet_on_a_black_24_led(card: int) -> None:
    letter = "KWBGYR"[card % 6]
    for trump in ("TW", "TB", "TG", "TY", "TR"):
        assert trick(trump, "K24", f"{letter}{card}", "W1") == 2
        assert trick(trump, "K24", "W1", trump) == 3
        assert trick(trump, "K24", "R23", "Y22") == 1


def test_of_two_copies_the_one_played_first_is_higher() -> None:
    for one, two in (("G9", "G9'"), ("G9'", "G9")):
        assert trick("TW", one, two, "G3", "B2", "B8") == 1
        assert trick("TG", "W1", one, two, "B2", "B14") == 2
        assert trick("TW", "K6", one, two, "B2", "R5", black_must_follow=True) == 2
        assert trick("TW", one, two, "G15", "G15'", "G21'", all_cards=True) == 5


def leading(cards: str, hand: str, trump: str = "TG", **options: OptionValue) -> set[str]:
    """What the second of two seats may play when `cards` is led and it holds `hand`."""
    state = table(2, {1: cards, 2: hand}, trump=trump, first=2, **options)
    state = state._replace(hands=(state.hands[0], sum(1 << NAMES[2].index(card) for card in hand.split())))
    state = state._replace(phase=PLAY, seat=1, bids=(1, 1), leads=b"\1")
    return legal(GAME.apply(state, 1, cards))


def test_suit_is_followed_if_possible() -> None:
    assert leading("W1", "W7 W25 B2 TG") == {"W7", "W25"}
    assert leading("W1", "B2 G9 K30 TG") == {"B2", "G9", "K30", "TG"}
    assert leading("G3", "W7 G9 TG") == {"G9", "TG"}  # the trilithon is of the trump suit
    assert leading("G3", "W7 TG") == {"TG"}
    assert leading("TG", "W7 G3") == {"G3"}
    assert leading("K30", "K6 W7 TG") == {"K6", "W7", "TG"}
    assert leading("K30", "K6 K24 W7 TG", black_must_follow=True) == {"K6", "K24"}
    assert leading("K30", "W7 TG", black_must_follow=True) == {"W7", "TG"}


# Bids


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


def finished(
    seats: int,
    bids: dict[int, str],
    takes: dict[int, int],
    before: Callable[[Standing], Standing] | None = None,
    first: int | None = None,
    **options: OptionValue,
) -> State:
    """Return the state after a round with these bids in which seats took so many tricks (`takes`)."""
    if any("double" in text for text in bids.values()):
        options["doubling"] = True
    state = table_of(seats, {}, "TG", first or seats, options)
    return finish(state._replace(standing=before(state.standing)) if before else state, bids, takes)


def finish(state: State, bids: dict[int, str], takes: dict[int, int]) -> State:
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


def bidding(
    seats: int, bids: tuple[str, ...], first: int, totals: tuple[int, ...] | None = None, **options: OptionValue
) -> State:
    """Return the state when all have bid; `bids` by seat."""
    state = table_of(seats, {}, "TG", first, options)
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


def between(state: State, **changes: Any) -> State:
    return state._replace(standing=state.standing._replace(**changes))


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
