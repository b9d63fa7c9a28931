"""Cards dealt over the network: everybody sees its own hand and no other, whatever is late, resigned or restarted."""

from random import Random

import pytest
from gossip import play_out
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import Circle
from verdicts import alike, evidence_of, result_of, verdict
from whist import (
    STEPS,
    Truth,
    dealing_of,
    dealt,
    hands_of,
    move,
    own_cards,
    play_to,
    reach,
    round_secret,
    rounds,
    secrets_of,
    share,
    whist,
)

from engine import Deal, OptionValue, Over, all_games, encode
from engine.games.celtic_whist.cards import CARD
from engine.games.celtic_whist.state import BID, Standing, between
from protocol import LocalFaultError
from protocol.cards import Dealing, Hands
from protocol.events import EventKind, SlotKind, bodies

NAMES = set().union(*CARD)
STEP = {kind.name.lower(): kind for kind in STEPS}
GAMES: dict[str, tuple[int, dict[str, OptionValue]]] = {
    "two": (2, {}),
    "two, a team": (2, {"cooperative": True}),
    "three, doubling": (3, {"doubling": True, "first": "random"}),
    "four, restrictive": (4, {"restrictive_null": True, "black_must_follow": True}),
    "five": (5, {"scoring": "hard"}),
    "five, all cards": (5, {"all_cards": True}),
}


@pytest.mark.many
@pytest.mark.parametrize("name", GAMES)
def test_every_seat_sees_its_own_hand_and_no_other(name: str) -> None:
    """After every action of several rounds each client's view is the game's view of the true state for its
    seat."""
    seats, options = GAMES[name]
    circle = whist(seats, fast=True, operators=None, **options)
    rounds(circle, 2, Random(name))
    report = verdict(circle)
    assert report.cheats == ()
    assert len(evidence_of(report).deals) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whole_games(name: str) -> None:
    """To the end, tie-breaks included."""
    seats, options = GAMES[name]
    circle = whist(seats, fast=True, operators=None, **options)
    rounds(circle, 99, Random(name))
    report = verdict(circle)
    assert report.finished
    assert report.signed_by == tuple(range(1, seats + 1))
    assert not evidence_of(report).unaudited


def real_round(seats: int) -> Circle:
    circle = whist(seats, fast=False)
    truth = rounds(circle, 1, Random(1))
    rng = Random(2)
    while circle[1].fold.position.deals < 2:
        move(circle, rng)
        truth.check()
    return circle


@pytest.mark.many
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)])
def test_rounds_with_real_keys_and_decks(seats: int) -> None:
    """The same over the group itself, checked again by a third person."""
    assert verdict(real_round(seats)).cheats == ()


@pytest.mark.parametrize("fast", [True, False])
def test_all_others_together_cannot_open_a_card(fast: bool) -> None:
    """What everybody has heard opens no card of a hand, for want of its owner's share, and none of the stock."""
    circle = whist(3 if fast else 2, fast=fast)
    circle.settle()
    hands = hands_of(circle)
    owners = hands.dealing.deal.owners
    for at, owner in enumerate(owners):
        others = hands._others(at)
        assert len(others) == (len(hands.dealing.keys) - 1 if owner else 0)
        assert circle.scheme.open_card(hands.dealing.deck, at, others) is None
    held = [own_cards(circle, seat) for seat in hands.dealing.live]
    assert {at: owners[at] for cards in held for at in cards} == {at: own for at, own in enumerate(owners) if own}
    assert len(set(dealt(circle, hands).values())) == sum(owner > 0 for owner in owners)
    assert hands.own(2, secrets_of(circle, 1), circle.scheme) == {}, "another seat's secrets open nothing"


def test_a_client_sees_the_hands_of_its_bots() -> None:
    """The host's client plays two seats, and shuffles, opens and plays for both."""
    circle = whist(3, operators=(1, 1, 3))
    assert len(circle.tables) == 2
    rounds(circle, 2, Random(4))
    assert verdict(circle).cheats == ()
    table = circle[1]
    assert table.own.view(1) != table.own.view(2) != table.own.view(3) == table.state


def test_the_steps_of_a_deal_come_in_order() -> None:
    """Trump, then keys, one shuffle after another, shares: each in slots of its own. Nothing is promised before the
    keys: each comes with a proof that its secret is known."""
    circle = whist(3)
    kinds = []
    while circle[1].fold.position.slot.kind != SlotKind.TURN:
        kinds.append(circle[1].fold.position.slot.kind)
        assert circle.step()
    assert kinds[:2] == [SlotKind.COMMIT, SlotKind.REVEAL]
    assert kinds[2:] == [SlotKind.KEY, *[SlotKind.SHUFFLE] * 3, SlotKind.SHARE]


def test_seats_shuffle_one_after_the_other() -> None:
    circle = reach(whist(3), SlotKind.SHUFFLE)
    for seat in (1, 2, 3):
        assert circle[1].fold.owing() == (seat,)
        circle.step()
    assert circle[1].fold.owing() == (1, 2, 3), "the shares of all are due at once"


@pytest.mark.parametrize("name", GAMES)
def test_owners_of_a_deal_are_the_live_seats(name: str) -> None:
    """Every live seat gets as many cards as any other, nobody else gets one, and the rest stays face down."""
    seats, options = GAMES[name]
    circle = reach(whist(seats, fast=True, operators=None, **options), SlotKind.KEY)
    machine = dealing_of(circle)
    assert isinstance(machine.deal, Deal)
    owners = machine.deal.owners
    assert len(owners) == len(machine.deal.deck) == len(set(machine.deal.deck))
    assert set(owners) - {0} == set(machine.live)
    assert len({owners.count(seat) for seat in machine.live}) == 1
    assert sorted(owners, key=bool, reverse=True) == list(owners)


# Those who leave.


def statements(circle: Circle, kind: type[bodies.Key | bodies.Shuffle]) -> list[bytes]:
    """The keys, or the decks, of all events of one kind."""
    said = [event.body for chain in circle.tables[0].held.chains for event in chain]
    return [body[0] for body in said if isinstance(body, kind)]


def resigned(circle: Circle, seat: int) -> None:
    circle.spread(circle[seat].own.resign(seat))
    circle.settle()


def anew(circle: Circle, before: Dealing, live: tuple[int, ...]) -> None:
    """Those who are left have dealt with keys of their own; nothing was used twice; all see what they should."""
    position = circle[live[0]].fold.position
    dealing = expect(Hands, position.hands).dealing
    assert position.live == dealing.live == live
    assert dealing.number > before.number
    assert not set(dealing.keys) & set(before.keys)
    kinds: tuple[type[bodies.Key | bodies.Shuffle], ...] = (bodies.Key, bodies.Shuffle)
    for kind in kinds:
        said = statements(circle, kind)
        assert len(said) == len(set(said)), "something was used twice"
    Truth(circle).check()


@pytest.mark.many
@pytest.mark.parametrize("step", STEP)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_resignation_in_a_deal_takes_effect_when_the_deal_is_done(step: str, seat: int) -> None:
    """Its author's part is still given, so no deal hangs on it; then it has its place, and the others deal anew."""
    circle = reach(whist(), STEP[step])
    before = dealing_of(circle)
    resigned(circle, seat)
    log = [entry.action for entry in circle[1].fold.log]
    assert log[:3] == [log[0], "deal", "resign"]
    anew(circle, before, tuple(one for one in (1, 2, 3) if one != seat))
    rounds(circle, circle[1].fold.position.deals + 1, Random(step))
    assert verdict(circle).cheats == ()


@pytest.mark.many
@pytest.mark.parametrize("step", STEP)
@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("given", [False, True])
def test_a_seat_that_leaves_in_a_deal_gives_it_up(step: str, seat: int, given: bool) -> None:
    """At every step, whether the others have done theirs or not: those left deal anew with other keys."""
    circle = reach(whist(), STEP[step], seat=seat if step == "shuffle" else 0)
    before = dealing_of(circle)
    if given:
        for table in circle.tables:
            if seat not in table.own.signers:
                for event in circle.owed(table):
                    circle.spread(event)
    live = tuple(one for one in (1, 2, 3) if one != seat)
    circle.agree(1, seat)
    position = circle[live[0]].fold.position
    assert (position.slot.epoch, position.slot.kind) == (1, SlotKind.COMMIT), "the trump is drawn anew as well"
    circle.settle()
    anew(circle, before, live)
    report = verdict(circle)
    assert report.cheats == ()
    assert evidence_of(report).left_behind == (seat,)


@pytest.mark.parametrize("step", STEP)
def test_a_deal_goes_on_where_nobody_leaves(step: str) -> None:
    """What was given before the agreement counts after it: nobody gets other cards by an agreement to stay."""
    circle = reach(whist(), STEP[step])
    before = dealing_of(circle)
    given = circle.owed(circle[1])
    for event in given:
        circle.spread(event)
    begun = dealing_of(circle)
    circle.agree(1)
    assert circle[1].fold.position.slot.epoch == 1
    assert dealing_of(circle) == begun
    circle.settle()
    dealing = hands_of(circle).dealing
    assert (dealing.number, dealing.epoch) == (before.number, before.epoch) == (0, 0)
    Truth(circle).check()
    assert verdict(circle).cheats == ()


@pytest.mark.parametrize("step", STEP)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_resignation_in_a_deal_between_two_ends_the_game(step: str, seat: int) -> None:
    circle = reach(whist(2), STEP[step])
    resigned(circle, seat)
    report = verdict(circle)
    assert result_of(report).winners == (3 - seat,)
    assert report.cheats == ()
    assert not evidence_of(report).unaudited


@pytest.mark.many
@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("cards", [0, 4])
def test_a_resignation_inside_a_round_abandons_it(seat: int, cards: int) -> None:
    circle = play_to(whist(), cards)
    before = hands_of(circle).dealing
    resigned(circle, seat)
    assert hands_of(circle).plays == ()
    anew(circle, before, tuple(one for one in (1, 2, 3) if one != seat))
    rounds(circle, circle[1].fold.position.deals + 1, Random(1))
    assert verdict(circle).cheats == ()


def test_two_resign_at_once_in_a_deal() -> None:
    """Neither has heard of the other: both are out, and the third has won, for everybody."""
    circle = reach(whist(), SlotKind.SHARE)
    one, two = circle[1].own.resign(1), circle[2].own.resign(2)
    for event in (one, two):
        circle.spread(event)
    assert result_of(verdict(circle)).winners == (3,)


@pytest.mark.parametrize(("cards", "said"), [(0, False), (5, True), (None, False)])
def test_a_game_that_ends_inside_a_round_is_not_audited(cards: int | None, said: bool) -> None:
    """Unless the winner opens its hand nobody can tell whether it had revoked in it; a round played out, or
    not begun, needs no such note."""
    circle = whist(2)
    if cards is None:
        rounds(circle, 2, Random(3))
    else:
        play_to(circle, cards)
    circle[2].own.secrets = None
    resigned(circle, 1)
    report = verdict(circle)
    assert result_of(report).winners == (2,)
    assert (evidence_of(report).audited, evidence_of(report).unaudited) == ((), said)


# Late news.


def gossiped(seed: int, cheats: tuple[int, ...] = (), **faults: float) -> Circle:
    """A table of four whose news travels late and in bits, until everybody has heard everything."""
    circle = whist(4)
    play_out(circle, Random(seed), steps=300, cheats=cheats, **faults)
    honest = [seat for seat in (1, 2, 3, 4) if seat not in cheats]
    alike(circle, *honest)
    for seat in honest:
        assert circle[seat].fold.position.machine == circle[1].fold.position.machine
        assert circle[seat].fold.position.hands == circle[1].fold.position.hands
    return circle


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_resignations_at_any_moment_of_a_deal_converge(seed: int) -> None:
    """Two may resign at once, one in a shuffle and one in a trick, and hear of each other late: one game for all."""
    circle = gossiped(seed, resign=0.004, wish=0.0)
    assert circle[1].fold.position.cheats == ()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_signed_nonsense_in_a_deal_is_the_same_nonsense_for_all(seed: int) -> None:
    """One seat signs keys, shuffles, shares and cards at random: one verdict everywhere, and on nobody else."""
    circle = gossiped(seed, resign=0.0, wish=0.0, cheat=0.05, cheats=(2,))
    assert {cheat.seat for cheat in circle[1].fold.position.cheats} <= {2}


def test_late_news_reaches_every_step_of_a_deal() -> None:
    """The two tests above would prove little if their games ended before the cards are dealt."""
    steps, played = set(), 0
    for seed in range(4):
        circle = gossiped(seed, resign=0.004, wish=0.0)
        steps |= {event.slot.kind for chain in circle[1].held.chains for event in chain}
        played += sum(entry.action in NAMES for entry in circle[1].fold.log)
    assert steps >= {*STEPS, SlotKind.TURN}
    assert played > 8


# What secrets and proofs are bound to.


def test_every_part_of_a_deal_is_in_its_secrets_and_contexts() -> None:
    """Table, epoch, number, circle of seats, seat: where one differs, so do secret and context."""
    circle = reach(whist(), SlotKind.KEY)
    deal = dealing_of(circle)
    others = [
        deal,
        deal._replace(table=bytes(32)),
        deal._replace(epoch=deal.epoch + 1),
        deal._replace(number=deal.number + 1),
        deal._replace(live=deal.live[:2]),
        deal._replace(live=deal.live[::-1]),
    ]
    secrets = secrets_of(circle, 1)
    places = [(one, seat) for one in others for seat in (1, 2)]
    assert len({one.context(seat) for one, seat in places}) == len(places)
    assert len({one.secret(seat, secrets) for one, seat in places}) == len(places)


def test_the_layout_of_a_context() -> None:
    """What the pages on cards say: another program has to bind its proofs to the same bytes."""
    dealing = Dealing(bytes(range(32)), 4, 2, (1, 2, 3), Deal(("a", "b"), (1, 2)))
    assert dealing.context(2) == encode((bytes(range(32)), 4, 2, (1, 2, 3), 2))


def test_a_file_holds_no_secret() -> None:
    """No seed, no secret of a round, and of no card that its owner holds the share that would open it."""
    circle = play_to(whist(), 5)
    hands = hands_of(circle)
    hidden = []
    for table in circle.tables:
        (seat,) = table.own.signers
        secrets = secrets_of(circle, seat)
        hidden += [secrets.chance, secrets.bots, secrets.cards, round_secret(circle, hands.dealing, seat)]
        for at in own_cards(circle, seat):
            assert (share(circle, seat, at) in circle.files[0]) == (at in hands.opened)
            hidden += [share(circle, seat, at)] * (at not in hands.opened)
    assert len(hidden) == 3 * 4 + 3 * 10 - 5
    assert not any(secret in file for secret in hidden for file in circle.files)


# Tie-breaks.


def test_only_tied_seats_deal_and_play_a_tie_break(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timer is at its end, two of three are tied: they alone draw, shuffle and get cards; all sign the
    result."""
    game = all_games()["celtic-whist"]
    last = between(Standing(0, 0, b"\1\2\3", 1, 29, 0, (20, 20, 5), (0, 0, 0)))
    monkeypatch.setattr(type(game), "start", lambda self, options, seats: last)
    circle = whist(3)
    circle.settle()
    rng = Random(3)
    while circle[1].state.phase == BID:
        circle.spread(circle[circle.mover].own.play(circle.mover, "bid 10"))
    while circle[1].fold.position.deals < 2:
        move(circle, rng)
    assert circle[1].state.standing.totals == (10, 10, 0)
    assert circle[1].fold.position.live == circle[1].game.live(circle[1].state) == (1, 2)
    dealing = hands_of(circle).dealing
    assert dealing.live == (1, 2)
    assert len(dealing.keys) == 2
    assert set(dealing.deal.owners) == {0, 1, 2}
    assert dealing.deal.owners.count(1) == dealing.deal.owners.count(2) == 15
    quiet = len(circle[3].held.chains[2])
    assert circle[3].own.view(3) == circle[3].state
    with pytest.raises(LocalFaultError, match="OUT_OF_THE_GAME"):
        circle[3].own.resign(3)
    while not isinstance(circle[1].fold.position.due, Over):
        move(circle, rng)
    assert [event.kind for event in circle[1].held.chains[2][quiet:]] == [EventKind.RESULT]
    report = verdict(circle)
    assert report.signed_by == (1, 2, 3)
    assert set(result_of(report).winners) < {1, 2, 3}
