"""The order of arrival does not matter: whoever hears what when, with whatever seats sign, all see one game."""

from random import Random

import pytest
from gossip import act, play_out
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import COMMIT, COMMITMENT, MOVE, OPENING, SETTLE, TURN
from replicas import FAST, Circle, charter_of, events_of, replica, summary

from engine import Chance
from protocol import LocalFaultError, Table

TABLES = {
    "fidchess": ("fidchess", 2, {"turn_limit": 30}),
    "kingamon": ("kingamon", 2, {}),
    "fidchell": ("fidchell", 2, {}),
    "qenqe for 3": ("qenqe", 3, {}),
    "qenqe for 5": ("qenqe", 5, {}),
    "pebbles for 2": ("pebbles", 2, {}),
    "pebbles for 3": ("pebbles", 3, {}),
    "pebbles for 4": ("pebbles", 4, {}),
    "pebbles for 4, rolls dropped": ("pebbles", 4, {"keep": False}),
}
PLIES = 500


def charter(name):
    key, seats, options = TABLES[name]
    return charter_of(key, seats, options, fast=True)


def shuffled(table: Table, rng: Random) -> Table:
    """A fresh replica that hears everything in any order, some of it twice, and what it had no room for again."""
    fresh = replica(table, FAST)
    accepted = []
    while fresh.heads != table.heads:
        events = table.lacking(fresh.heads)
        events += rng.choices(events_of(table), k=len(events) // 4)
        rng.shuffle(events)
        accepted += [one for event in events for one in fresh.receive(event.raw, event.signature)]
    assert len(accepted) == len(set(accepted)) == len(events_of(table))
    return fresh


@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_any_order_of_a_whole_game_gives_one_fold(name, seed):
    """Delay, repetition and reordering of all events of a random game: the same digest, log, result and count."""
    rng = Random(seed)
    circle = Circle(charter(name), fast=True)
    circle.play(rng, PLIES)
    assert circle[1].fold.position.result is not None or circle[1].fold.position.plies == PLIES
    for table in (circle[2], shuffled(circle[1], rng)):
        assert summary(table) == summary(circle[1])
        assert table.heads == circle[1].heads
        assert [entry.before for entry in table.fold.log] == [entry.before for entry in circle[1].fold.log]


@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_late_news_resignations_and_wishes_converge(name, seed):
    """Resignations and wishes at any moment while news travels slowly: replicas never end in two games."""
    rng = Random(seed)
    circle = Circle(charter(name), fast=True)
    play_out(circle, rng, steps=120, resign=0.02, wish=0.05)
    for table in (*circle.tables, shuffled(circle[1], rng)):
        assert summary(table) == summary(circle[1])
        assert not table.fold.position.cheats, "an honest client was taken for a cheat"
        opened = [event.slot for event in events_of(table) if event.kind == OPENING]
        assert len(opened) == len(set(opened)), "two seats opened one roll"
        assert not table.forks


@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_signed_nonsense_is_the_same_nonsense_for_all(name, seed):
    """A seat that signs unlawful moves, wrong digests, early revelations and false slots: one verdict everywhere."""
    rng = Random(seed)
    circle = Circle(charter(name), fast=True)
    cheats = rng.sample(range(1, len(circle.tables) + 1), rng.randint(1, 2))
    play_out(circle, rng, steps=120, cheats=cheats, cheat=0.2)
    for table in (*circle.tables, shuffled(circle[1], rng)):
        assert summary(table) == summary(circle[1])
    assert {cheat.seat for cheat in circle[1].fold.position.cheats} <= set(cheats)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_many_games_converge(name):
    """The three properties above over some hundred more games."""
    for seed in range(150):
        rng = Random(seed)
        circle = Circle(charter(name), fast=True)
        cheats = rng.sample(range(1, len(circle.tables) + 1), seed % 3)
        play_out(circle, rng, steps=150, resign=0.03, wish=0.05, cheats=cheats, cheat=0.1)
        for table in (*circle.tables, shuffled(circle[1], rng)):
            assert summary(table) == summary(circle[1]), seed


def three(**options):
    return Circle(charter_of("pebbles", 3, {"first": 1, **options}, fast=True), fast=True)


def test_a_resignation_after_the_next_commitment_is_too_late_for_the_void_slot():
    """Seat 3 voids a roll; seat 1 commits anew, then resigns. Whoever hears of seat 2's commitment before or after
    that resignation must see the same slot closed."""
    circle = three()
    circle.spread(circle[1].play(1, "take 1"))
    left = circle[3].resign(3)
    for seat in (1, 2):
        circle.give(circle[seat], left)
    one, two = circle[1].duties()[-1], circle[2].duties()[-1]
    assert one.kind == two.kind == COMMITMENT
    circle.give(circle[1], one)
    gone = circle[1].resign(1)
    first, second = replica(circle[1], FAST), replica(circle[1], FAST)
    for event in (*events_of(circle[3]), left, one, two, gone):
        first.receive(event.raw, event.signature)
    for event in (*events_of(circle[3]), left, one, gone, two):
        second.receive(event.raw, event.signature)
    assert summary(first) == summary(second)
    assert [(entry.actor, entry.action) for entry in first.fold.log][1:] == [(3, "resign"), (1, "resign")]


def test_who_has_not_heard_of_one_of_two_resignations_is_not_suspected():
    """Seats 3 and 4 void a roll at once; seat 1 hears of one and signs for the next. That is for another state than
    the others have, but its digest is not wrong: when it hears of the second it signs again."""
    circle = Circle(charter_of("pebbles", 4, {"first": 1}, fast=True), fast=True)
    circle.spread(circle[1].play(1, "take 1"))
    left = [circle[seat].resign(seat) for seat in (3, 4)]
    circle.give(circle[1], left[0])
    (early,) = circle[1].duties()
    circle.give(circle[2], *left, early)
    assert early.slot == circle[2].fold.position.slot
    assert early.digest != circle[2].fold.digest
    assert circle[2].fold.disputed() == ()
    circle.give(circle[1], left[1])
    (again,) = circle[1].duties()
    assert (again.slot, again.digest) == (early.slot, circle[2].fold.digest)


def test_a_turn_after_a_void_roll_waits_for_all_that_are_left():
    """Where a resignation turns a roll into a turn, a move and another resignation could cross: a move that had
    counted would be undone. So each seat that is left first signs that it goes on."""
    circle = three(keep=False)
    circle.spread(circle[1].play(1, "take 1"))
    assert isinstance(circle[1].fold.position.due, Chance)
    left = circle[3].resign(3)
    circle.give(circle[2], left)
    assert circle[2].fold.position.slot.kind == SETTLE
    assert circle[2].owing() == (1, 2)
    with pytest.raises(LocalFaultError, match="resigned"):
        circle[2].play(2, "take 1")
    forged = circle.forge(2, MOVE, ("take 1",))
    assert circle[2].receive(forged.raw, forged.signature) == [forged]
    assert circle[2].fold.position.plies == 2, "a move counted before all had confirmed who is left"
    circle.meet()
    circle.settle()
    assert circle[1].fold.position.slot.kind == TURN
    assert circle[1].owing() == (2,)
    circle.spread(circle[2].play(2, "take 1"))
    circle.settle()
    assert summary(circle[1]) == summary(circle[2])
    assert circle[1].fold.position.plies == 4


def test_the_log_tells_what_changed():
    """A screen that shows the log learns from where a late resignation rewrote it."""
    circle = Circle(charter_of("pebbles", 2, fast=True), fast=True)
    a, b = circle[1].resign(1), circle[2].resign(2)
    table = circle[2]
    assert table.fold.changes() == 0
    assert [entry.actor for entry in table.fold.log] == [2]
    circle.give(table, a)
    assert table.fold.changes() == 0
    assert [entry.actor for entry in table.fold.log] == [1]
    circle.give(circle[1], b)
    assert circle[1].fold.log == table.fold.log
    table.duties()
    assert table.fold.changes() == 1


def test_play_at_random_reaches_every_kind_of_slot():
    """The random play above is worth something: it voids drawings and gathers settlements."""
    kinds = set()
    for seed in range(20):
        circle = Circle(charter("pebbles for 4, rolls dropped"), fast=True)
        play_out(circle, Random(seed), steps=120, resign=0.03)
        kinds |= {event.slot.kind for event in events_of(circle[1])}
        act(circle[1], Random(seed), resign=0, wish=0)
    assert kinds >= {TURN, COMMIT, SETTLE}


def test_a_forked_event_that_had_ended_its_authors_game_is_cut_like_any_other():
    """Who heard first of the unlawful one of two versions comes to the same fold as who knew of both from the start."""
    circle = three()
    bad, good = circle.forge(1, MOVE, ("take 9",)), circle.forge(1, MOVE, ("take 1",))
    circle.give(circle[3], bad)
    assert circle[3].fold.position.live == (2, 3)
    circle.give(circle[3], good)
    assert circle[3].forks
    assert circle[3].fold.position == circle[3].refolded().position
    assert circle[3].fold.position.live == (1, 2, 3)
