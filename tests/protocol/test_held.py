"""Chains: what is taken in, what waits for its causes, what can never count, how much of it is held."""

import sys
from typing import Any

import pytest
from held_tables import begun, flood, take
from replicas import FAST, Circle, circle_of, events_of, replica, summary

from engine import Turn
from protocol import SignedEvent
from protocol.events import Head, Leaving, bodies
from protocol.messages import WAITING_LIMIT
from protocol.table import PeerFaultError
from protocol.table import held as held_module
from protocol.table.held import AHEAD_BYTES, AHEAD_LIMIT, EPOCH_STRIDE

NOTHING = Head(0, b"")


# Causes.


def test_events_in_any_order_wait_until_their_causes_are_here() -> None:
    circle = begun(moves=3)
    fresh = replica(circle[1], FAST)
    events = events_of(circle[1])
    for event in events[:0:-1]:
        assert take(fresh, event) == []
    assert len(fresh.held.waiting) == len(events) - 1
    assert {*take(fresh, events[0])} == {*events}
    assert not fresh.held.waiting
    assert summary(fresh) == summary(circle[1])


def test_an_event_that_is_held_already_changes_nothing() -> None:
    circle = begun()
    before = summary(circle[2])
    for event in events_of(circle[1]):
        assert take(circle[2], event) == []
    assert summary(circle[2]) == before
    assert not circle[2].held.proofs


def test_an_event_that_names_what_nobody_has_leaves_its_author_owing() -> None:
    circle = begun(2)
    heads, mover = circle[1].held.heads, circle.mover
    ahead = tuple(head if seat == mover else Head(head.length + 3, bytes(32)) for seat, head in enumerate(heads, 1))
    assert take(circle[3 - mover], circle.forge(mover, bodies.Move("take 1"), heads=ahead)) == []
    assert circle[3 - mover].fold.owing() == (mover,)
    assert circle[3 - mover].held.heads == heads
    assert circle[3 - mover].held.waits(mover)


def test_an_event_that_names_another_version_waits_and_is_not_waited_for() -> None:
    """Nothing will ever bring the version it names: its author's client does not have to wait for it."""
    circle = begun(2)
    heads = circle[1].held.heads
    parted = (heads[0], Head(heads[1].length, bytes(32)))
    assert take(circle[2], circle.forge(1, bodies.Resign(), heads=parted)) == []
    assert (1, heads[0].length + 1) in circle[2].held.waiting
    assert not circle[2].held.waits(1)


def test_what_waits_is_given_up_at_the_players_word() -> None:
    circle = begun(2)
    heads = circle[1].held.heads
    for seat in (1, 2):
        ahead = tuple(head if one == seat else Head(9, bytes(32)) for one, head in enumerate(heads, 1))
        take(circle[1], circle.forge(seat, bodies.Resign(), heads=ahead))
    circle[1].held.forgo({1})
    assert [seat for seat, _ in circle[1].held.waiting] == [2]


# What can never count.


def refused(circle: Circle, event: SignedEvent) -> bool:
    """Whether every replica drops an event for good, and takes the next one of its author without a proof."""
    lawful = circle.forge(event.seat, bodies.Resign(), slot=event.slot._replace(step=event.slot.step + 9, epoch=EPOCHS))
    for table in circle.tables:
        before = table.held.heads
        wrong = table.held.contradicts(event)
        assert bool(take(table, event)) != wrong
        if wrong:
            assert table.held.heads == before
            assert not table.held.waiting
            assert take(table, lawful) == [lawful], "the refused event is forgotten, not taken for another version"
            assert not table.held.proofs
    return wrong


EPOCHS = 500
"""An epoch above all that the tests agree on."""


def test_a_slot_below_that_of_the_event_before_is_refused() -> None:
    circle = begun(2)
    slot = circle[1].held.chains[0][-1].slot
    assert refused(circle, circle.forge(1, bodies.Resign(), slot=slot._replace(step=slot.step - 1)))


def test_the_slot_of_the_event_before_is_not_refused() -> None:
    circle = begun(2)
    assert not refused(circle, circle.forge(1, bodies.Resign(), slot=circle[1].held.chains[0][-1].slot))


@pytest.mark.parametrize("back", [0, 1])
def test_heads_that_go_back_are_refused(back: int) -> None:
    """A seat that forgets what it has seen could pretend not to know of a resignation or a commitment."""
    circle = begun(2)
    heads = circle[2].held.heads
    first = circle[1].held.chains[0][0]
    old = (Head(back, first.hash) if back else NOTHING, heads[1])
    assert refused(circle, circle.forge(2, bodies.Resign(), heads=old))


def test_heads_that_are_not_closed_are_refused() -> None:
    """Whoever names an event knows its causes: seat 3 names what seat 1 signed, and not what that names."""
    circle = circle_of("pebbles", 3, first=1)
    circle.spread(circle[2].own.wish_draw(2, True))
    circle.settle()
    heads = circle[3].held.heads
    assert heads[0].length == heads[1].length == 1
    assert refused(circle, circle.forge(3, bodies.Resign(), heads=(heads[0], NOTHING, heads[2])))


def test_heads_that_are_closed_are_not_refused() -> None:
    circle = circle_of("pebbles", 3, first=1)
    circle.spread(circle[2].own.wish_draw(2, True))
    circle.settle()
    assert not refused(circle, circle.forge(3, bodies.Resign(), heads=(NOTHING, circle[3].held.heads[1], NOTHING)))


def agreement(circle: Circle, seat: int, number: int, **changes: Any) -> SignedEvent:
    return circle.forge(seat, bodies.Epoch(number, ()), **changes)


def test_an_event_below_the_epoch_agreed_to_is_refused() -> None:
    """An author that has agreed to go on in epoch 2 signs nothing more in epoch 0 or 1."""
    for epoch, wrong in ((0, True), (1, True), (2, False)):
        circle = begun(2)
        circle.spread(agreement(circle, 1, 2))
        event = circle.forge(1, bodies.Resign(), slot=circle[1].fold.position.slot._replace(epoch=epoch))
        assert refused(circle, event) == wrong


@pytest.mark.parametrize(("number", "wrong"), [(1, True), (2, True), (3, False)])
def test_an_agreement_whose_number_does_not_rise_is_refused(number: int, wrong: bool) -> None:
    circle = begun(2)
    circle.spread(agreement(circle, 1, 2))
    assert refused(circle, agreement(circle, 1, number)) == wrong


@pytest.mark.parametrize(("number", "wrong"), [(EPOCH_STRIDE, False), (EPOCH_STRIDE + 1, True)])
def test_an_agreement_whose_number_leaps_is_refused(number: int, wrong: bool) -> None:
    assert refused(begun(2), agreement(begun(2), 1, number)) == wrong


@pytest.mark.parametrize("known", [True, False])
def test_a_number_leaps_from_what_its_author_knew(known: bool) -> None:
    """Seat 1 goes far ahead: seat 2 may follow if it names that, and only then."""
    circle = begun(2)
    heads = circle[2].held.heads
    circle.spread(agreement(circle, 1, EPOCH_STRIDE))
    event = agreement(circle, 2, EPOCH_STRIDE + 1, heads=None if known else heads)
    assert refused(circle, event) != known


def test_a_number_leaps_from_the_epoch_of_its_slot() -> None:
    circle = begun(2)
    slot = circle[1].fold.position.slot
    assert not refused(circle, agreement(circle, 1, EPOCH_STRIDE + 1, slot=slot._replace(epoch=1)))


# Limits.


def test_memory_is_bounded_under_a_flood_of_events_that_wait() -> None:
    """A seat signs events for a future that never comes: those with the lowest numbers are kept."""
    circle = begun(2)
    heads = circle[1].held.heads
    numbers = [*range(heads[0].length + 1, heads[0].length + 1 + 2 * WAITING_LIMIT)]
    for number in numbers[::2] + numbers[1::2]:
        ahead = (Head(number, bytes(32)), heads[1])
        take(circle[2], circle.forge(1, bodies.Resign(), heads=ahead))
    assert sorted(number for _, number in circle[2].held.waiting) == [number + 1 for number in numbers[:WAITING_LIMIT]]
    assert circle[2].held.heads == heads


def test_memory_is_bounded_under_a_flood_of_nonsense_in_order() -> None:
    circle = begun(2)
    behind = circle[2].fold.position.behind[0]
    circle.give(circle[2], *flood(circle, 1, AHEAD_LIMIT + 50))
    assert len(circle[2].held.chains[0]) == behind + AHEAD_LIMIT
    assert len(circle[2].held.waiting) < 50


def test_bytes_are_bounded_under_a_flood_of_long_nonsense() -> None:
    """Long events that never count: so many bytes in memory and in the file, and no more."""
    circle = begun(2)
    known = len(circle.files[1])
    events = flood(circle, 1, 3 * AHEAD_BYTES // 15_000, bodies.Shuffle(bytes(4224), bytes(8608)))
    circle.give(circle[2], *events)
    size = sum(len(event.raw) for event in circle[2].held.chains[0] if isinstance(event.body, bodies.Shuffle))
    assert AHEAD_BYTES - 16_000 < size <= AHEAD_BYTES
    assert len(circle.files[1]) - known < AHEAD_BYTES + 40_000


def test_an_event_of_a_flood_costs_a_victim_no_more_the_more_of_them_wait() -> None:
    circle = begun(2)
    calls: list[int] = []
    for event in flood(circle, 1, AHEAD_LIMIT // 2)[1:]:
        calls.append(0)
        sys.setprofile(lambda *_: calls.append(calls.pop() + 1))
        try:
            take(circle[2], event)
        finally:
            sys.setprofile(None)
    assert len(circle[2].held.waiting) == WAITING_LIMIT
    assert calls[-1] < calls[10] + 50


def test_an_honest_seat_has_room_while_another_one_floods() -> None:
    circle = begun(2)
    circle.give(circle[2], *flood(circle, 1, AHEAD_LIMIT + 9))
    circle.spread(circle[2].own.play(2, "take 1"))
    circle.meet()
    assert circle[1].fold.log[-1].actor == 2


def test_the_next_event_of_a_chain_has_room_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one long event could keep a chain from growing: the game waits for its next event."""
    monkeypatch.setattr(held_module, "AHEAD_BYTES", 100)
    circle = begun(2)
    first, second = flood(circle, 1, 2, bodies.Shuffle(bytes(4224), bytes(8608)))
    circle[2].held.chains[0][circle[2].fold.position.behind[0] :] = []
    heads = (Head(circle[2].fold.position.behind[0], circle[2].held.chains[0][-1].hash), circle[2].held.heads[1])
    assert take(circle[2], circle.forge(1, first.body, heads=heads, slot=first.slot)) != []
    assert take(circle[2], second) == []


def test_what_had_no_room_is_taken_once_the_game_has_come_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_module, "AHEAD_LIMIT", 16)
    circle = circle_of("pebbles", 2, first=1, pile=99)
    fresh = replica(circle[1], FAST)
    while isinstance(circle[1].fold.position.due, Turn):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    start = fresh.fold.position
    for event in events_of(circle[1]):
        assert bool(fresh.held.take(event, start, start)) == (event.number <= 16)
    assert {len(chain) for chain in fresh.held.chains} == {16}
    fresh.advance()
    while fresh.held.heads != circle[1].held.heads:
        news = circle[1].held.lacking(fresh.held.heads, (), fresh.fold.position.live, frozenset())
        for event in news:
            take(fresh, event)
    assert not fresh.held.waiting
    assert summary(fresh) == summary(circle[1])


# What an event signed now names.


def test_an_event_names_all_that_is_held_of_the_seats_that_play() -> None:
    circle = begun()
    wish = circle[3].own.wish_draw(3, True)
    circle.give(circle[1], wish)
    assert circle[1].held.nameable(circle[1].fold.position, {1}) == circle[1].held.heads


def test_of_a_seat_that_is_out_only_what_counts_is_named() -> None:
    """A seat that is out could show each of the others another version of something."""
    circle = begun()
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    position = circle[1].fold.position
    assert 3 not in position.live
    named = circle[1].held.heads
    circle.spread(circle.forge(3, bodies.Wish(1)))
    assert circle[1].held.heads[2].length == named[2].length + 1
    assert circle[1].held.nameable(position, {1}) == named
    assert circle[3].held.nameable(position, {3})[2] == circle[3].held.heads[2], "but by its own client"
    event = circle[2].own.wish_draw(2, True)
    assert event.heads[2] == named[2]


def test_what_an_event_names_had_named_is_named_too() -> None:
    """Else what an honest client signs after a dishonest one would contradict itself."""
    circle = begun(4)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    circle.spread(circle.forge(3, bodies.Wish(1)))
    names_it = circle.forge(4, bodies.Wish(1))
    assert names_it.heads[2] == circle[1].held.heads[2]
    circle.spread(names_it)
    assert circle[1].held.nameable(circle[1].fold.position, {1}) == circle[1].held.heads
    for table in circle.tables:
        assert not table.held.contradicts(circle.forge(1, bodies.Wish(1), heads=circle[1].held.heads))


# What others lack.


def test_a_peer_is_told_what_it_lacks_causes_first_and_not_again() -> None:
    circle = begun(moves=2)
    live, held = circle[1].fold.position.live, circle[1].held
    none = (NOTHING,) * 3
    lacking = held.lacking(none, (), live, frozenset())
    assert {*lacking} == {*events_of(circle[1])}
    fresh = replica(circle[1], FAST)
    for event in lacking:
        assert event in take(fresh, event), "it came before its causes"
    told = {event.hash for event in lacking[:3]}
    assert held.lacking(none, (), live, told) == lacking[3:]
    assert held.lacking(held.heads, (), live, frozenset()) == []


def test_a_peer_with_another_version_is_told_all_that_not_everybody_has_named() -> None:
    circle = begun(3, moves=2)
    held, live = circle[1].held, circle[1].fold.position.live
    named = min(circle[seat].held.chains[seat - 1][-1].heads[0].length for seat in (2, 3))
    heads = (Head(held.heads[0].length, bytes(32)), *held.heads[1:])
    assert held.lacking(heads, (), live, frozenset()) == held.chains[0][min(named, held.heads[0].length - 1) :]


def test_a_peer_without_a_proof_is_told_both_versions() -> None:
    circle = begun()
    one, other = (circle.forge(1, bodies.Wish(wanted)) for wanted in (0, 1))
    circle.give(circle[2], one, other)
    held, live = circle[2].held, circle[2].fold.position.live
    assert [*held.proofs[0]] == [one, other]
    assert {*held.lacking(held.heads, (), live, frozenset())} == {one, other}
    assert held.lacking(held.heads, [(1, one.number)], live, frozenset()) == []


# What is blamed, with nothing changed.


def test_an_event_with_a_wrong_signature_is_blamed() -> None:
    circle = begun()
    event = circle.forge(1, bodies.Resign())
    before = summary(circle[2])
    with pytest.raises(PeerFaultError, match="seat 1 did not sign"):
        circle[2].receive(event.raw, bytes(64))
    assert summary(circle[2]) == before
    assert take(circle[2], event) == [event]


def test_an_event_that_waits_keeps_its_signature_whatever_comes_with_the_same_bytes() -> None:
    """Else a peer that passes it on could spoil the files of all who wait for its causes."""
    circle = begun()
    first = circle.forge(1, bodies.Wish(1))
    second = circle.forge(1, bodies.Wish(0), heads=first.heads_after)
    assert take(circle[2], second) == []
    assert circle[2].receive(second.raw, bytes(64)) == []
    assert [event.signature for event in take(circle[2], first)] == [first.signature, second.signature]


def test_a_second_version_with_a_wrong_signature_proves_nothing() -> None:
    circle = begun()
    one, other = (circle.forge(1, bodies.Wish(wanted)) for wanted in (0, 1))
    circle.give(circle[2], one)
    with pytest.raises(PeerFaultError, match="did not sign"):
        circle[2].receive(other.raw, bytes(64))
    assert not circle[2].held.proofs


def test_agreed_counts_what_a_chain_had_signed_by_then() -> None:
    circle = begun(3)
    held = circle[2].held
    assert held.agreed(1) == 0
    circle.spread(agreement(circle, 1, 2))
    circle.spread(circle.forge(1, bodies.Epoch(5, (Leaving(3, *held.heads[2]),))))
    first, second = (event.number for event in held.chains[0][-2:])
    assert [held.agreed(1, length) for length in (first - 1, first, second)] == [0, 2, 5]
    assert held.agreed(1) == 5
