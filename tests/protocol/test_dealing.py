"""Cards dealt over the network: everybody sees its own hand and no other, whatever is late, resigned or restarted."""

from random import Random

import pytest
from gossip import play_out
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._chance import Dealing
from protocol._event import COMMIT, KEY, KEYING, MOVE, PLEDGE, PLEDGING, RESULT, SHARING, SHUFFLE, SHUFFLING, TURN
from protocol._fair import Drawing
from protocol._replica import PENDING_LIMIT
from protocol._transcript import EventRecord, records
from replicas import FAST, events_of, replica, summary
from whist import Truth, dealt, move, play_to, reach, restarted, verdict, whist

from engine import Deal, Over, all_games, blake, encode
from engine.games.celtic_whist.cards import CARD
from engine.games.celtic_whist.state import BID, Standing, between
from protocol import LocalFaultError, Secrets, Slot, Table

NAMES = set().union(*CARD)
STEPS = {"pledge": PLEDGING, "key": KEYING, "shuffle": SHUFFLING, "share": SHARING}
GAMES = {
    "two": (2, {}),
    "two, a team": (2, {"cooperative": True}),
    "three, doubling": (3, {"doubling": True, "first": "random"}),
    "four, restrictive": (4, {"restrictive_null": True, "black_must_follow": True}),
    "five": (5, {"scoring": "hard"}),
    "five, all cards": (5, {"all_cards": True}),
}

KNOWN = {
    "pledge": "38e10755588b7c8bcb8605e406b18ec5d65b38c31b3df0f7990c8da4dc46afd2",
    "answer": "309e8bc75a6f57fd567cfe81fa2abba7d8552a2ce74e0a7e5abd218a168eb218",
}
"""For the inputs in the test below; also in the specification."""


def rounds(circle, number, rng):
    """Play until so many deals are done, looking at all views all the time."""
    truth = Truth(circle)
    circle.settle()
    truth.check()
    while circle[1].fold.position.deals < number and not circle[1].fold.position.result:
        move(circle, rng)
        truth.check()
    return truth


def in_any_order(circle, rng):
    """Somebody who hears everything late, twice and in a wild order sees the same game."""
    events = events_of(circle[1])
    fresh = replica(circle[1], circle.verifier, circle.scheme)
    for at in range(0, len(events), PENDING_LIMIT):
        late = events[at : at + PENDING_LIMIT]
        late += rng.choices(late, k=len(late) // 4)
        rng.shuffle(late)
        for event in late:
            fresh.receive(event.raw, event.signature)
    assert summary(fresh) == summary(circle[1])


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_sees_its_own_hand_and_no_other(name):
    """Rule 14: after every action of several rounds each client's view is the game's view of the true state for its
    seat."""
    seats, options = GAMES[name]
    circle = whist(seats, **options)
    rng = Random(name)
    rounds(circle, 3, rng)
    report = verdict(circle)
    assert report.cheats == ()
    assert any(line.startswith("3 deals") for line in report.lines)
    in_any_order(circle, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whole_games(name):
    """To the end, tie-breaks included."""
    seats, options = GAMES[name]
    circle = whist(seats, **options)
    rng = Random(name)
    rounds(circle, 99, rng)
    report = verdict(circle)
    assert report.finished
    assert report.signed_by == tuple(range(1, seats + 1))
    assert not any("not audited" in line for line in report.lines)
    in_any_order(circle, rng)


def real_round(seats):
    circle = whist(seats, fast=False)
    truth = rounds(circle, 1, Random(1))
    rng = Random(2)
    while circle[1].fold.position.deals < 2:
        move(circle, rng)
        truth.check()
    return circle


def test_a_round_with_real_keys_and_decks():
    """The same over the group itself, checked again by a third person."""
    assert verdict(real_round(2)).cheats == ()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 5])
def test_rounds_with_real_keys_and_decks(seats):
    assert verdict(real_round(seats)).cheats == ()


@pytest.mark.parametrize("fast", [True, False])
def test_all_others_together_cannot_open_a_card(fast):
    """What everybody has heard opens no card of a hand, for want of its owner's share, and none of the stock."""
    circle = whist(3 if fast else 2, fast=fast)
    circle.settle()
    hands = circle[1].fold.position.hands
    owners = hands.dealing.deal.owners
    for at, owner in enumerate(owners):
        others = hands._others(at)
        assert len(others) == (len(hands.dealing.keys) - 1 if owner else 0)
        assert circle.scheme.open_card(hands.dealing.deck, at, others) is None
    held = [hands.own(seat, circle[seat].secrets, circle.scheme) for seat in hands.dealing.drawing.live]
    assert {at: owners[at] for cards in held for at in cards} == {at: own for at, own in enumerate(owners) if own}
    assert len(set(dealt(circle, hands).values())) == sum(owner > 0 for owner in owners)
    assert hands.own(2, circle[1].secrets, circle.scheme) == {}, "another seat's secrets open nothing"


def test_a_client_sees_the_hands_of_its_bots():
    """The host's client plays two seats, and shuffles, opens and plays for both."""
    circle = whist(3, operators=(1, 1, 3))
    assert len(circle.tables) == 2
    rounds(circle, 3, Random(4))
    report = verdict(circle)
    assert report.cheats == ()
    table = circle[1]
    assert table.view(1) != table.view(2) != table.view(3) == table.state
    in_any_order(circle, Random(5))


def test_known_answers():
    """Every byte of what a pledge hides and of what shares answer is fixed."""
    drawing = Drawing(bytes(range(32)), Slot(0, 7, PLEDGING), (1, 2, 3))
    dealing = Dealing(drawing, Deal(("a", "b"), (1, 2)), 2)
    pledge = blake("sh/pledge/1", encode((dealing.context(2), b"k" * 32, b"p" * 64)))
    assert pledge.hex() == KNOWN["pledge"]
    keys = (b"a" * 32, b"b" * 32, b"c" * 32)
    assert dealing._replace(keys=keys, deck=b"d" * 128)._final().hex() == KNOWN["answer"]
    assert dealing.context(2) == encode((bytes(range(32)), (0, 7, 6), (1, 2, 3), 2, 2))


# Those who leave.


def statements(circle, kind):
    """All that was said in events of one kind, by deal."""
    return [event.body[0] for chain in circle.tables[0].chains for event in chain if event.kind == kind]


def resigned(circle, seat):
    circle.spread(circle[seat].resign(seat))
    circle.settle()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("others", [False, True])
def test_a_resignation_in_a_deal_abandons_it(step, seat, others):
    """Rule 12: at every step, before or after the others did theirs: those left deal anew with keys of their own."""
    circle = reach(whist(), STEPS[step])
    before = circle[1].fold.position.machine
    if others:
        for table in circle.tables:
            if seat not in table.signers:
                for event in circle.owed(table):
                    circle.spread(event)
    resigned(circle, seat)
    position = circle[1].fold.position
    assert position.live == tuple(one for one in (1, 2, 3) if one != seat)
    assert position.hands.dealing.number == before.number + 1
    assert position.hands.dealing.drawing.live == position.live
    assert not set(position.hands.dealing.keys) & set(before.keys)
    for kind in (PLEDGE, KEY, SHUFFLE):
        said = statements(circle, kind)
        assert len(said) == len(set(said)), "something was used twice"
    Truth(circle).check()
    rounds(circle, position.deals + 1, Random(step))
    assert verdict(circle).cheats == ()
    in_any_order(circle, Random(seat))


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_resignation_in_a_deal_between_two_ends_the_game(step, seat):
    circle = reach(whist(2), STEPS[step])
    resigned(circle, seat)
    report = verdict(circle)
    assert report.result.winners == (3 - seat,)
    assert report.cheats == ()
    assert not any("not audited" in line for line in report.lines)


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("cards", [0, 4])
def test_a_resignation_inside_a_round_abandons_it(seat, cards):
    circle = play_to(whist(), cards)
    truth = Truth(circle)
    truth.check()
    before = circle[1].fold.position.hands
    resigned(circle, seat)
    position = circle[1].fold.position
    assert len(position.live) == 2
    assert not set(position.hands.dealing.keys) & set(before.dealing.keys)
    assert position.hands.plays == ()
    truth.check()
    rounds(circle, position.deals + 1, Random(1))
    assert verdict(circle).cheats == ()


@pytest.mark.parametrize(("cards", "said"), [(0, False), (5, True), (None, False)])
def test_a_game_that_ends_inside_a_round_is_not_audited(cards, said):
    """Rule 15: unless the winner opens its hand nobody can tell whether it had revoked in it; a round played out, or
    not begun, needs no such note."""
    circle = whist(2)
    if cards is None:
        rounds(circle, 2, Random(3))
    else:
        play_to(circle, cards)
    circle.tables[1].secrets = None
    resigned(circle, 1)
    report = verdict(circle)
    assert report.result.winners == (2,)
    assert any("last round not audited" in line for line in report.lines) == said
    assert not any("last round audited" in line for line in report.lines)


def test_two_resign_at_once_in_a_deal():
    """Neither has heard of the other: both are out, and the third has won, for everybody."""
    circle = reach(whist(), SHARING)
    one, two = circle[1].resign(1), circle[2].resign(2)
    for event in (one, two):
        circle.spread(event)
    assert verdict(circle).result.winners == (3,)


def gossiped(seed, **faults):
    """A table of four whose news travels late and in bits, until everybody has heard everything."""
    circle = whist(4)
    play_out(circle, Random(seed), steps=400, **faults)
    for table in circle.tables:
        assert summary(table) == summary(circle[1])
        assert table.fold.position.machine == circle[1].fold.position.machine
        assert table.fold.position.hands == circle[1].fold.position.hands
    in_any_order(circle, Random(seed))
    return circle


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_resignations_at_any_moment_of_a_deal_converge(seed):
    """Two may leave at once, one in a shuffle and one in a trick, and hear of each other late: one game for all."""
    circle = gossiped(seed, resign=0.004, wish=0.0)
    assert circle[1].fold.position.cheats == ()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_signed_nonsense_in_a_deal_is_the_same_nonsense_for_all(seed):
    """One seat signs keys, shuffles, shares and cards at random: one verdict everywhere, and on nobody else."""
    circle = gossiped(seed, resign=0.0, wish=0.0, cheat=0.05, cheats=(2,))
    assert {cheat.seat for cheat in circle[1].fold.position.cheats} <= {2}


def test_late_news_reaches_every_step_of_a_deal():
    """The two tests above would prove little if their games ended before the cards are dealt."""
    steps, played = set(), 0
    for seed in range(6):
        circle = gossiped(seed, resign=0.004, wish=0.0)
        steps |= {event.slot.kind for chain in circle[1].chains for event in chain}
        played += sum(entry.action in NAMES for entry in circle[1].fold.log)
    assert steps >= {PLEDGING, KEYING, SHUFFLING, SHARING, TURN}
    assert played > 20


# Those who start again.


def own_events(circle, table):
    """A client's events in the order in which it stored them."""
    file = circle.files[circle.tables.index(table)]
    stored = {(record.raw, record.signature) for _, record in records(file) if isinstance(record, EventRecord)}
    held = [event for event in events_of(table) if (event.raw, event.signature) in stored]
    order = [record.raw for _, record in records(file) if isinstance(record, EventRecord)]
    return sorted(held, key=lambda event: order.index(event.raw))


@pytest.mark.parametrize("fast", [True, False])
def test_a_restart_at_any_step_repeats_the_same_bytes(fast):
    """Before each own event of a deal and a trick: started again from the file, the client signs that very event."""
    circle = play_to(whist(3 if fast else 2, fast=fast), 3)
    kinds = set()
    for table in circle.tables if fast else circle.tables[:1]:
        events = own_events(circle, table)
        for at, event in enumerate(events):
            if event.seat in table.signers:
                fresh = restarted(circle, table, events[:at])
                again = fresh.play(event.seat, event.body[0]) if event.kind == MOVE else fresh.duties()[0]
                assert (again.raw, again.signature) == (event.raw, event.signature)
                kinds.add(event.kind)
    assert len(kinds) >= 7


def second_deal(circle, kind=KEYING):
    """A table where the first round is over and the second deal under way, its keys pledged by default."""
    play_to(circle, 29)
    seat = circle.mover
    table = circle[seat]
    circle.spread(table.play(seat, table.game.legal(table.view(seat), seat)[0]))
    return reach(circle, kind)


def test_every_part_of_a_deal_is_in_its_secrets_and_contexts():
    """Rule 2: table, place, epoch, circle of seats, number or seat: where one differs, so do secret and context."""
    circle = reach(whist(), PLEDGING)
    deal = circle[1].fold.position.machine
    table, slot, live = deal.drawing
    drawings = [
        deal.drawing,
        Drawing(bytes(32), slot, live),
        Drawing(table, slot._replace(epoch=slot.epoch + 1), live),
        Drawing(table, slot._replace(step=slot.step + 1), live),
        Drawing(table, slot._replace(kind=KEYING), live),
        Drawing(table, slot, live[:2]),
        Drawing(table, slot, live[::-1]),
    ]
    others = [deal._replace(drawing=drawing) for drawing in drawings] + [deal._replace(number=deal.number + 1)]
    secrets = circle[1].secrets
    for made in (lambda one, seat: one.context(seat), lambda one, seat: one.secret(seat, secrets)):
        assert len({made(one, seat) for one in others for seat in (1, 2)}) == 2 * len(others)


def test_a_file_holds_no_secret():
    """Rule 23: no seed, no secret of a round, and of no card that its owner holds the share that would open it."""
    circle = play_to(whist(), 5)
    hands = circle[1].fold.position.hands
    deal = hands.dealing
    hidden = []
    for table in circle.tables:
        (seat,) = table.signers
        hidden += [table.secrets.chance, table.secrets.bots, table.secrets.cards, deal.secret(seat, table.secrets)]
        for at in hands.own(seat, table.secrets, circle.scheme):
            share = circle.scheme.make_share(deal.secret(seat, table.secrets), deal.deck, at, deal.context(seat))
            assert (share in circle.files[0]) == (at in hands.opened)
            hidden += [share] * (at not in hands.opened)
    assert len(hidden) == 3 * 4 + 3 * len(deal.deal.deck[:10]) - 5
    assert not any(secret in file for secret in hidden for file in circle.files)


def test_a_fork_of_a_round_that_is_over_takes_nothing_back():
    """Rule 16: with the pledge for the next deal all have named every event of this one, so no play comes back."""
    circle = whist(3)
    circle.settle()
    second_deal(circle, PLEDGING)
    events = events_of(circle[1])
    played = next(event for event in reversed(events) if event.kind == MOVE)
    seat = played.seat
    other = circle.forge(seat, MOVE, ("bid 0",), heads=played.heads, slot=played.slot, digest=played.digest)
    early = replica(circle[1], circle.verifier, circle.scheme)
    early.load(events[: events.index(played) + 1])
    early.receive(other.raw, other.signature)
    assert early.fold.cut(seat) is not None, "at the last card it would still be open"
    reach(circle, KEYING)
    before = summary(circle[1])
    circle[1].receive(other.raw, other.signature)
    assert circle[1].forked == ((seat, played.number),)
    assert summary(circle[1]) == before
    assert circle[1].fold.cut(seat) is None


def test_secrets_of_a_round_are_forgotten_when_the_next_is_pledged():
    """Rule 16: whoever steals the computer then cannot open the hands of rounds that are over."""
    circle = whist(3)
    circle.settle()
    first = circle[1].fold.position.hands
    old = circle[1].secrets
    assert not circle[1].forget(), "this round is not over"
    second_deal(circle, PLEDGING)
    assert not circle[1].forget(), "another seat may not have heard of its last card"
    reach(circle, KEYING)
    table = circle[1]
    assert first.own(1, table.secrets, circle.scheme)
    assert table.forget()
    assert not table.forget()
    assert first.own(1, table.secrets, circle.scheme) == {}
    assert Secrets.unpacked(table.secrets.packed()) == table.secrets != old
    assert old.cards not in table.secrets
    assert table.secrets.for_deal(0, b"") is None
    assert table.secrets.for_deal(5, b"x") == old.for_deal(5, b"x")


@pytest.mark.parametrize("step", ["key", "shuffle", "share"])
def test_a_seat_goes_on_after_the_ratchet_and_a_restart(step):
    """The new deal needs nothing of the old one; the view of the old round is lost, that of the new one right."""
    circle = second_deal(whist(3))
    for table in circle.tables:
        assert table.forget()
    reach(circle, STEPS[step])
    at = circle.tables.index(circle[2])
    circle.tables[at] = restarted(circle, circle[2], own_events(circle, circle[2]), circle[2].secrets)
    circle.settle()
    hand = circle[2].view(2).hands[1]
    assert hand.bit_count() == 10
    assert circle[2].view(2) == circle[2].game.view(circle[2].view(2), 2)
    rng = Random(9)
    while circle[1].fold.position.deals < 3:
        move(circle, rng)
    assert verdict(circle).cheats == ()


def test_an_older_copy_of_the_file_waits_for_what_it_signed():
    """Secrets that have moved on do not sign for the deal where an old file ends: peers bring back what was signed."""
    circle = second_deal(whist(3))
    table = circle[2]
    table.forget()
    events = own_events(circle, table)
    cut = next(at for at, event in enumerate(events) if event.kind == KEY)
    old = restarted(circle, table, events[:cut], table.secrets)
    assert old.duties() == []
    assert 2 in old.owing()
    for event in events:
        old.receive(event.raw, event.signature)
    assert [event.kind for event in old.duties()] == [KEY]


def test_without_secrets_no_card_is_played():
    """A client that cannot open its hand says so; it would be caught if it played a card without its share."""
    circle = play_to(whist(3), 0)
    mover = circle.mover
    bare = Table(circle.charter, {mover: circle.signers[mover - 1]}, None, FAST, circle.scheme)
    strange = restarted(circle, circle[mover], events_of(circle[mover]), Secrets.from_seed(b"another"))
    bare.load(events_of(circle[mover]))
    for table in (bare, strange):
        with pytest.raises(LocalFaultError, match="secrets"):
            table.play(mover, circle[mover].game.legal(circle[mover].view(mover), mover)[0])
        assert table.heads == circle[mover].heads


def test_packed_secrets_are_read_back_or_refused():
    secrets = Secrets.from_seed(b"s").moved_on(7)
    assert Secrets.unpacked(secrets.packed()) == secrets
    assert secrets.moved_on(3) == secrets
    for data in (b"", secrets.packed()[:-1], secrets.packed() + b"\0", secrets._replace(deal=-1).packed()):
        with pytest.raises(ValueError):
            Secrets.unpacked(data)


# Tie-breaks.


def test_only_tied_seats_deal_and_play_a_tie_break(monkeypatch):
    """Rule 12: the timer is at its end, two of three are tied: they alone draw, shuffle and get cards; all sign the
    result."""
    game = all_games()["celtic-whist"]
    last = between(Standing(0, 0, b"\1\2\3", 1, 29, 0, (20, 20, 5), (0, 0, 0)))
    monkeypatch.setattr(type(game), "start", lambda self, options, seats: last)
    circle = whist(3)
    circle.settle()
    rng = Random(3)
    while circle[1].state.phase == BID:
        circle.spread(circle[circle.mover].play(circle.mover, "bid 10"))
    while circle[1].fold.position.deals < 2:
        move(circle, rng)
    assert circle[1].state.standing.totals == (10, 10, 0)
    assert circle[1].fold.position.live == circle[1].game.live(circle[1].state) == (1, 2)
    dealing = circle[1].fold.position.hands.dealing
    assert dealing.drawing.live == (1, 2)
    assert len(dealing.keys) == 2
    assert set(dealing.deal.owners) == {0, 1, 2}
    assert dealing.deal.owners.count(1) == dealing.deal.owners.count(2) == 15
    quiet = len(circle[3].chains[2])
    assert circle[3].view(3) == circle[3].state
    with pytest.raises(LocalFaultError, match="no longer plays"):
        circle[3].resign(3)
    while not isinstance(circle[1].fold.position.due, Over):
        move(circle, rng)
    assert [event.kind for event in circle[1].chains[2][quiet:]] == [RESULT]
    report = verdict(circle)
    assert report.signed_by == (1, 2, 3)
    assert set(report.result.winners) < {1, 2, 3}


@pytest.mark.parametrize("name", GAMES)
def test_owners_of_a_deal_are_the_live_seats(name):
    """Every live seat gets as many cards as any other, nobody else gets one, and the rest stays face down."""
    seats, options = GAMES[name]
    circle = reach(whist(seats, **options), PLEDGING)
    machine = circle[1].fold.position.machine
    assert isinstance(machine, Dealing)
    assert isinstance(machine.deal, Deal)
    owners = machine.deal.owners
    assert len(owners) == len(machine.deal.deck) == len(set(machine.deal.deck))
    assert set(owners) - {0} == set(machine.drawing.live)
    assert len({owners.count(seat) for seat in machine.drawing.live}) == 1
    assert sorted(owners, key=bool, reverse=True) == list(owners)


def test_the_steps_of_a_deal_come_in_order():
    """Trump, then pledges, keys, one shuffle after another, shares: each in slots of its own."""
    circle = whist(3)
    kinds = []
    while circle[1].fold.position.slot.kind != TURN:
        position = circle[1].fold.position
        kinds.append(position.slot.kind)
        first = position.slot.kind in (COMMIT, PLEDGING)
        assert (position.machine.drawing.slot == position.slot) == first, "a drawing is named by its first slot"
        assert circle.step()
    assert kinds[0] == COMMIT
    assert kinds[2:] == [PLEDGING, KEYING, SHUFFLING, SHUFFLING, SHUFFLING, SHARING]
