"""Celtic Whist: against the slow reference over random games, cards, the deal, options, and tricks."""

import re
from collections.abc import Mapping
from random import Random

import pytest
from celtic_whist_reference import Reference
from celtic_whist_rounds import (
    ALONE,
    CHOICES,
    SUITS_OF_THE_SHEET,
    Setup,
    actor_of,
    allowed,
    deal_of,
    legal,
    result,
    run,
    setups,
    shuffled_deal,
    table,
)
from golden import MORE, known_to
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PUBLIC, Chance, OptionError, OptionValue, Over, Pick, all_games
from engine.games.celtic_whist import GAME
from engine.games.celtic_whist.cards import ALL, FIVE, NAMES, PLAIN
from engine.games.celtic_whist.state import DEAL, PLAY

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
