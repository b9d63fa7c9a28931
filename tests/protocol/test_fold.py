"""Turns, resignations, draw wishes and the races between them: what counts, where, and the same for all."""

from random import Random

import pytest
from protocol._event import COMMIT, COMMITMENT, END, MOVE, RESIGN, RESULT, REVEAL, REVELATION, SEQUENCE, SHUFFLE, WISH
from protocol._replica import AHEAD_BYTES, PENDING_LIMIT
from replicas import FAST, FAST_SIGNERS, Circle, charter_of, events_of, local_table, replica, summary

from engine import Chance, Over, Turn
from protocol import LocalFaultError, PeerFaultError, Table, event_record, load, verify
from protocol.identity.secrets import Secrets


def pair(key="fidchess", **options):
    circle = Circle(charter_of(key, 2, options, fast=True), fast=True)
    circle.settle()
    return circle


def pebbles(seats, **options):
    return Circle(charter_of("pebbles", seats, {"first": 1, **options}, fast=True), fast=True)


def agree(circle):
    """All replicas, and fresh ones that hear it in another order, see one game; return its position."""
    circle.meet()
    circle.settle()
    circle.meet()
    events = events_of(circle[1])
    for seed in range(3):
        fresh = replica(circle[1], FAST)
        Random(seed).shuffle(events)
        for event in events:
            fresh.receive(event.raw, event.signature)
        for table in circle.tables:
            assert summary(table) == summary(fresh)
    return circle[1].fold.position


def random_move(circle, seat):
    table = circle[seat]
    return table.play(seat, table.game.legal(table.state, seat)[0])


def actions(circle):
    return [(entry.actor, entry.action) for entry in circle[1].fold.log]


# Turns.


def test_only_the_seat_to_act_moves():
    """A move out of turn is refused by the own client, and has no effect when signed all the same."""
    circle = pair(first=1)
    with pytest.raises(LocalFaultError, match="turn"):
        circle[2].play(2, "A2-A3")
    with pytest.raises(LocalFaultError, match="elsewhere"):
        circle[2].play(1, "A2-A3")
    move = circle[1].game.legal(circle[1].state, 1)[0]
    circle.spread(circle.forge(2, MOVE, (move,)))
    position = agree(circle)
    assert (position.plies, position.cheats, position.due) == (0, (), Turn(1))


def test_the_first_of_two_moves_counts():
    """A mover that signs two moves for one slot in one chain: the first is its move, the other is nothing."""
    circle = pair(first=1)
    legal = circle[1].game.legal(circle[1].state, 1)
    position, digest = circle[1].fold.position, circle[1].fold.digest
    circle.spread(circle[1].play(1, legal[0]))
    circle.spread(circle.forge(1, MOVE, (legal[1],), slot=position.slot, digest=digest))
    agree(circle)
    assert actions(circle) == [(1, legal[0])]


def test_moves_after_the_end_are_ignored():
    circle = pair(first=1)
    circle.spread(circle[2].resign(2))
    before = agree(circle)
    assert before.slot.kind == END
    for kind, body in ((MOVE, ("A2-A3",)), (RESIGN, ()), (WISH, (1,)), (COMMITMENT, (bytes(32),)), (SEQUENCE, ())):
        circle.spread(circle.forge(1, kind, body))
    after = agree(circle)
    assert after == before
    for call in (circle[1].resign, lambda seat: circle[1].play(seat, "A2-A3"), lambda s: circle[1].wish_draw(s, True)):
        with pytest.raises(LocalFaultError, match="over"):
            call(1)


def test_what_is_typed_is_read_and_judged_first():
    circle = pair(first=1)
    for text, reason in (("blah", "not a move"), ("draw", "agreed")):
        with pytest.raises(LocalFaultError, match=reason):
            circle[1].play(1, text)
    assert circle[1].chains[0] == []
    circle.spread(circle[1].play(1, "Resign"))
    assert agree(circle).result.winners == (2,)


# Resignations.


@pytest.mark.parametrize("seat", [1, 2])
def test_resigning_in_a_turn_slot(seat):
    """Rule 5: the mover's resignation fills its slot; the other's waits for the mover's client, which signs
    SEQUENCE."""
    circle = pair(first=1)
    circle.spread(circle[seat].resign(seat))
    position = agree(circle)
    assert position.result.winners == (3 - seat,)
    assert [event.kind for event in circle[1].chains[0]] == ([RESIGN, RESULT] if seat == 1 else [SEQUENCE, RESULT])


@pytest.mark.parametrize("key", ["fidchess", "kingamon", "pebbles"])
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("kind", [COMMIT, REVEAL])
def test_resigning_in_a_gather_slot(key, seat, kind):
    """A resignation instead of a commitment or revelation: nothing is drawn, the other seat has won."""
    circle = Circle(charter_of(key, 2, fast=True), fast=True)
    if kind == REVEAL:
        commit(circle)
    assert circle[1].fold.position.slot.kind == kind
    circle.spread(circle[seat].resign(seat))
    position = agree(circle)
    assert position.result.winners == (3 - seat,)
    assert actions(circle) == [(seat, "resign")]


def commit(circle):
    """Let all commit and nobody reveal yet."""
    for (event,) in [table.duties() for table in circle.tables]:
        circle.spread(event)


def test_both_resign_at_once_in_a_gather_slot():
    """Rule 5: each has seen itself lose; when the news cross, both apply in seat order and both clients see one
    winner."""
    circle = Circle(charter_of("fidchess", 2, fast=True), fast=True)
    a, b = circle[1].resign(1), circle[2].resign(2)
    mine = circle[2].duties()
    assert [event.kind for event in mine] == [RESULT]
    assert circle[2].fold.position.result.winners == (1,)
    circle.give(circle[2], a)
    circle.give(circle[1], b)
    assert circle[2].fold.position.result.winners == (2,)
    position = agree(circle)
    assert position.result.winners == (2,)
    assert circle[1].confirmed() == (1, 2), "the seat whose view changed signs the result again"


def test_both_resign_at_once_in_a_turn_slot():
    """The mover's resignation fills the slot; the other's, which it did not name, comes too late."""
    circle = pair(first=1)
    a, b = circle[1].resign(1), circle[2].resign(2)
    circle.give(circle[2], a)
    circle.give(circle[1], b)
    assert agree(circle).result.winners == (2,)


def winning(mover):
    """A game of pebbles that `mover` wins if it takes all three."""
    return pebbles(2, pile=3, first=mover)


@pytest.mark.parametrize("mover", [1, 2])
def test_resignation_against_a_winning_move(mover):
    """The mover fixes the place: a win that does not name the resignation stands, and so does the result."""
    circle = winning(mover)
    other = 3 - mover
    left = circle[other].resign(other)
    won = circle[mover].play(mover, "take 3")
    circle.give(circle[mover], left)
    circle.give(circle[other], won)
    position = agree(circle)
    assert (position.result.winners, position.result.reason) == ((mover,), "last pebble")
    assert position.live == (1, 2)


@pytest.mark.parametrize("mover", [1, 2])
def test_a_mover_cannot_move_past_a_resignation_that_it_names(mover):
    """A mover that has named the resignation wins by it and not by its move: one reason everywhere."""
    circle = winning(mover)
    other = 3 - mover
    digest, slot = circle[mover].fold.digest, circle[mover].fold.position.slot
    circle.give(circle[mover], circle[other].resign(other))
    circle.spread(circle.forge(mover, MOVE, ("take 3",), slot=slot, digest=digest))
    assert agree(circle).result.reason == "resigned"


def test_a_mover_delays_a_resignation_by_its_own_slots_only():
    """Rule 5: a mover that ignores a resignation can finish its turn; what comes next gives the resignation its
    place."""
    circle = pebbles(3)
    circle.settle()
    left = circle[3].resign(3)
    slot, heads, digest = circle[1].fold.position.slot, circle[1].heads, circle[1].fold.digest
    circle.spread(left)
    assert circle[1].fold.position.live == (1, 2, 3)
    circle.spread(circle.forge(1, MOVE, ("take 1",), heads=heads, slot=slot, digest=digest))
    assert circle[1].fold.position.live == (1, 2), "the roll after the move cannot wait for a seat that has left"
    agree(circle)
    assert actions(circle)[:2] == [(1, "take 1"), (3, "resign")]


def test_who_gives_nothing_its_place_does_not_end_its_turn():
    """Else a seat could close slots without end, and the others would wait and store."""
    circle = pebbles(3, first=1)
    circle.settle()
    slot, effects = circle[2].fold.position.slot, circle[2].fold.position.effects
    for kind, body in ((SEQUENCE, ()), (WISH, (0,)), (SEQUENCE, ()), (WISH, (0,))):
        circle.spread(circle.forge(1, kind, body))
        assert circle[2].fold.position.slot == slot
    circle.spread(circle[1].wish_draw(1, True))
    assert circle[2].fold.position.slot.step == slot.step + 1
    circle.spread(circle[1].wish_draw(1, False))
    slot = circle[2].fold.position.slot
    for body in ((1,), (0,), (1,), (0,)):
        circle.spread(circle.forge(1, WISH, body))
        assert circle[2].fold.position.slot == slot
    assert circle[2].fold.position.effects == effects + 2
    circle.spread(circle[1].play(1, "take 1"))
    assert circle[2].fold.position.plies == 1
    agree(circle)


def test_wishes_that_change_nothing_keep_nobody_signing():
    """The client of the seat to act gives a wish its place once; the same wish again costs it no signature."""
    circle = pebbles(3, first=1)
    circle.settle()
    lengths = []
    for body in ((1,), (0,), (1,), (0,), (1,), (0,)):
        circle.spread(circle.forge(2, WISH, body))
        circle.settle()
        lengths.append(len(circle[1].chains[0]))
    assert lengths == [1, 2, 2, 2, 2, 2]
    circle.spread(circle[1].play(1, "take 1"))
    assert circle[3].fold.position.plies == 1
    agree(circle)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_those_who_stay_play_on(seats):
    """A table of several seats goes on without those who resign, and the last one has won."""
    circle = pebbles(seats)
    circle.settle()
    for seat in range(seats, 1, -1):
        circle.spread(circle[seat].resign(seat))
        agree(circle)
        if seat > 2:
            assert circle[1].fold.position.live == tuple(range(1, seat))
            circle.play(Random(seat), circle[1].fold.position.plies + 2)
    assert agree(circle).result.winners == (1,)
    assert circle[1].confirmed() == tuple(range(1, seats + 1)), "those who left sign the result too"
    assert circle[1].owing() == ()


def test_a_resigned_seat_is_out():
    circle = pebbles(3)
    circle.settle()
    circle.spread(circle[3].resign(3))
    circle.settle()
    for call in (
        lambda: circle[3].resign(3),
        lambda: circle[3].play(3, "take 1"),
        lambda: circle[3].wish_draw(3, True),
    ):
        with pytest.raises(LocalFaultError, match="no longer"):
            call()
    before = agree(circle)
    circle.spread(circle.forge(3, WISH, (1,)))
    circle.spread(circle.forge(3, MOVE, ("take 1",)))
    assert agree(circle) == before


# Draw wishes.


def test_a_draw_is_agreed():
    """The game is drawn where all live seats' wishes stand, at once and without the mover's move."""
    circle = pair(first=1)
    circle.spread(circle[2].wish_draw(2, True))
    circle.settle()
    assert circle[1].fold.position.wishes == (0, 2)
    assert circle[1].chains[0][-1].kind == SEQUENCE
    circle.spread(circle[1].wish_draw(1, True))
    position = agree(circle)
    assert (position.result.winners, actions(circle)) == ((), [(0, "draw")])


@pytest.mark.parametrize("seats", [3, 4])
def test_all_that_are_left_must_agree(seats):
    """Of several seats each must wish; one that resigns no longer has to."""
    circle = pebbles(seats)
    circle.settle()
    for seat in range(1, seats):
        circle.spread(circle[seat].wish_draw(seat, True))
        circle.settle()
    assert circle[1].fold.position.result is None
    circle.spread(circle[seats].resign(seats))
    assert agree(circle).result.reason == "draw agreed"


def test_a_wish_against_a_move():
    """A wish that the move does not name takes effect after it, the other one before it; either way it stands."""
    circle = pair(first=1)
    wish = circle[2].wish_draw(2, True)
    move = random_move(circle, 1)
    circle.give(circle[1], wish)
    circle.give(circle[2], move)
    position = agree(circle)
    assert position.plies == 1
    assert position.wishes == (0, 2)
    assert position.due == Turn(2)


def test_a_move_beside_the_wishes_of_all_is_none():
    """Rule 21: who wished the draw and names the others' wishes cannot move on: the game was drawn before its move."""
    circle = pebbles(3)
    circle.settle()
    for seat in (1, 2):
        circle.spread(circle[seat].wish_draw(seat, True))
        circle.settle()
    slot, digest = circle[1].fold.position.slot, circle[1].fold.digest
    wish = circle[3].wish_draw(3, True)
    move = circle.forge(1, MOVE, ("take 1",), at=circle[2], heads=circle[3].heads, slot=slot, digest=digest)
    for event in (wish, move):
        circle.spread(event)
    assert agree(circle).result.reason == "draw agreed"
    assert actions(circle) == [(0, "draw")]


def test_a_wish_withdrawn_does_not_stand():
    """An answer to a wish that was taken back before it does not end the game."""
    circle = pair(first=1)
    circle.spread(circle[2].wish_draw(2, True))
    circle.settle()
    circle.spread(circle[2].wish_draw(2, False))
    circle.settle()
    circle.spread(circle[1].wish_draw(1, True))
    position = agree(circle)
    assert position.result is None
    assert position.wishes == (2, 0)


def test_a_withdrawal_against_the_answer():
    """The mover's client fixes the place: an answer that does not name the withdrawal comes before it."""
    circle = pair(first=1)
    circle.spread(circle[2].wish_draw(2, True))
    circle.settle()
    back = circle[2].wish_draw(2, False)
    yes = circle[1].wish_draw(1, True)
    circle.give(circle[1], back)
    circle.give(circle[2], yes)
    assert agree(circle).result.reason == "draw agreed"


def test_a_wish_lapses_with_the_second_own_move():
    """Rule 21: it stands over the author's next move and ends with the one after: nobody is drawn by an old offer."""
    circle = pair(first=1)
    circle.spread(circle[1].wish_draw(1, True))
    circle.settle()
    stood = []
    for ply in range(4):
        stood.append(circle[1].fold.position.wishes[0])
        seat = 1 + ply % 2
        circle.spread(random_move(circle, seat))
        circle.settle()
    assert stood == [2, 1, 1, 0]
    circle.spread(circle[2].wish_draw(2, True))
    assert agree(circle).result is None


def test_one_wish_between_own_moves():
    """Rule 21: wishes cannot nag: the client refuses the second, and one signed all the same does nothing."""
    circle = pair(first=1)
    for wish in (True, False):
        circle.spread(circle[1].wish_draw(1, wish))
        circle.settle()
    with pytest.raises(LocalFaultError, match="make a move first"):
        circle[1].wish_draw(1, True)
    circle.spread(circle.forge(1, WISH, (1,)))
    assert agree(circle).wishes == (0, 0)
    circle.spread(random_move(circle, 1))
    circle.settle()
    circle.spread(circle[1].wish_draw(1, True))
    assert agree(circle).wishes == (2, 0)
    with pytest.raises(LocalFaultError):
        circle[1].wish_draw(1, True)
    with pytest.raises(LocalFaultError, match="no draw"):
        circle[2].wish_draw(2, False)


@pytest.mark.parametrize("kind", [COMMIT, REVEAL])
def test_wishes_while_chance_acts(kind):
    """A wish signed before its author's contribution stands before the slot, so both can agree before a roll."""
    circle = Circle(charter_of("fidchess", 2, fast=True), fast=True)
    if kind == REVEAL:
        commit(circle)
    assert circle[1].fold.position.slot.kind == kind
    for seat in (1, 2):
        circle.spread(circle[seat].wish_draw(seat, True))
    position = agree(circle)
    assert position.result.reason == "draw agreed"
    assert actions(circle) == [(0, "draw")]


def test_a_wish_after_the_own_contribution_waits_for_the_next_slot():
    circle = Circle(charter_of("fidchess", 2, fast=True), fast=True)
    circle.spread(circle[1].duties()[0])
    circle.spread(circle[1].wish_draw(1, True))
    circle.spread(circle[2].duties()[0])
    assert circle[1].fold.position.slot.kind == REVEAL
    assert circle[1].fold.position.wishes == (0, 0)
    assert agree(circle).wishes == (2, 0)


# Causes.


def test_an_event_waits_for_its_causes():
    """Rule 3: an event counts from when all that it names is held; what is missing is a gap, not a fault."""
    circle = pair(first=1)
    circle.play(Random(1), 6)
    fresh = replica(circle[1], FAST)
    events = events_of(circle[1])
    for event in events[:0:-1]:
        assert fresh.receive(event.raw, event.signature) == []
    assert fresh.heads == replica(circle[1]).heads
    assert set(fresh.receive(events[0].raw, events[0].signature)) == set(events)
    assert summary(fresh) == summary(circle[1])


def test_heads_that_go_back_are_refused():
    """Rule 3: a seat that forgets what it had seen could pretend not to know of a resignation or a commitment."""
    circle = pair(first=1)
    circle.spread(random_move(circle, 1))
    circle.spread(random_move(circle, 2))
    heads = circle[2].heads
    old = (heads[0]._replace(length=0, hash=b""), heads[1])
    event = circle.forge(2, RESIGN, (), heads=old)
    for table in circle.tables:
        assert table.receive(event.raw, event.signature) == []
        assert table.refused == [event]
        assert len(table.chains[1]) == 1


def test_heads_that_are_not_closed_are_refused():
    """Naming an event means knowing its causes: seat 3 names what seat 1 signed, and not what seat 1 had named."""
    circle = pebbles(3)
    circle.settle()
    circle.spread(circle[2].wish_draw(2, True))
    circle.settle()
    heads = circle[3].heads
    assert heads[0].length == heads[1].length == 1
    event = circle.forge(3, RESIGN, (), heads=(heads[0], heads[1]._replace(length=0, hash=b""), heads[2]))
    for table in circle.tables:
        assert table.receive(event.raw, event.signature) == []
        assert table.refused == [event]


def test_heads_that_nobody_holds_leave_their_author_owing():
    """Rule 3: naming events that do not exist: the event waits for ever, the game waits for its author."""
    circle = pair(first=1)
    heads = circle[1].heads
    event = circle.forge(1, MOVE, ("A2-A3",), heads=(heads[0], heads[1]._replace(length=3, hash=bytes(32))))
    assert circle[2].receive(event.raw, event.signature) == []
    assert circle[2].owing() == (1,)
    assert circle[2].heads == heads


def test_memory_is_bounded_under_a_flood_of_events_far_ahead():
    """A seat that signs events for a future that never comes: only so many of them are kept."""
    circle = pair(first=1)
    heads = circle[1].heads
    for number in range(1, 2 * PENDING_LIMIT):
        ahead = (heads[0]._replace(length=number, hash=bytes(32)), heads[1])
        event = circle.forge(1, RESIGN, (), heads=ahead)
        circle[2].receive(event.raw, event.signature)
    assert len(circle[2]._pending) <= PENDING_LIMIT
    assert circle[2].heads == heads


def test_memory_is_bounded_under_a_flood_of_nonsense_in_order():
    """A seat that signs a long chain of events that never count: only so many of them enter the table and the file."""
    circle = pair(first=2)
    for _ in range(PENDING_LIMIT + 50):
        event = circle.forge(1, MOVE, ("nonsense",))
        circle[1].chains[0].append(event)
        circle.give(circle[2], event)
    assert len(circle[2].chains[0]) == PENDING_LIMIT
    assert len(circle[2]._pending) == 0
    circle[2].play(2, circle[2].game.legal(circle[2].state, 2)[0])
    assert circle[2].fold.position.due == Turn(1)


@pytest.mark.parametrize("waits", [False, True])
def test_disk_and_memory_are_bounded_under_a_flood_of_long_nonsense(waits):
    """Long events that never count, in order or waiting for one that never comes: so many bytes and no more."""
    circle = pair(first=2)
    heads = circle[1].heads
    for number in range(2 * AHEAD_BYTES // 15_000):
        ahead = (heads[0]._replace(length=number + 1, hash=bytes(32)), heads[1]) if waits else None
        event = circle.forge(1, SHUFFLE, (bytes(15_000), bytes(64)), heads=ahead)
        circle[1].chains[0].append(event)
        circle.give(circle[2], event)
    held = [*circle[2].chains[0], *circle[2]._pending.values()]
    assert AHEAD_BYTES - 16_000 < sum(len(event.raw) for event in held) < AHEAD_BYTES + 16_000
    assert len(circle.files[1]) < AHEAD_BYTES + 40_000


def test_a_flood_that_comes_backwards_is_bounded_alike():
    """All hold the same of it: what one named and another did not hold would part them."""
    circle = pair(first=2)
    backwards, events = replica(circle[2], FAST), []
    backwards.load(events_of(circle[2]))
    for _ in range(2 * AHEAD_BYTES // 15_000):
        events.append(circle.forge(1, SHUFFLE, (bytes(15_000), bytes(64))))
        circle[1].chains[0].append(events[-1])
    circle.give(circle[2], *events)
    for event in reversed(events):
        backwards.receive(event.raw, event.signature)
    assert backwards.heads == circle[2].heads
    assert not backwards._pending
    assert len(circle[2].chains[0]) < len(events)


def test_a_file_may_hold_what_came_within_the_limits_of_its_time():
    """Late votes and proofs can take the fold back behind what it had used when an event came."""
    circle = pair(first=2)
    file = circle.files[0]
    for _ in range(2 * AHEAD_BYTES // 15_000):
        event = circle.forge(1, SHUFFLE, (bytes(15_000), bytes(64)))
        circle[1].chains[0].append(event)
        file += event_record(event)
    assert verify(file, FAST, scheme=circle.scheme).ok
    assert load(file, FAST, scheme=circle.scheme).heads == circle[1].heads


def test_a_table_says_whom_it_waits_for():
    circle = Circle(charter_of("fidchess", 2, fast=True), fast=True)
    assert circle[1].owing() == (1, 2)
    circle.spread(circle[1].duties()[0])
    assert circle[2].owing() == (2,)
    circle.settle()
    assert circle[1].owing() == (circle.mover,)
    circle.spread(circle[1].resign(1))
    circle.give(circle[2], *circle[1].duties())
    assert 1 not in circle[2].owing()
    circle.settle()
    assert circle[1].owing() == ()
    assert isinstance(circle[1].fold.position.due, Over)


def test_a_table_with_one_signer_acts_for_all():
    """Solo and hot-seat: chance and seats are plain events of one chain; nothing unlawful is signed."""
    table = local_table("fidchess")
    assert isinstance(table.fold.position.due, Chance)
    with pytest.raises(LocalFaultError):
        table.act(0, "first 3")
    table.act(0, "first 2")
    with pytest.raises(LocalFaultError):
        table.act(1, table.game.legal(table.state, 2)[0])
    table.act(2, table.game.legal(table.state, 2)[0])
    table.act(1, "resign")
    assert table.fold.position.result.winners == (2,)
    assert [event.kind for event in table.duties()] == [RESULT]
    assert table.duties() == []
    assert table.confirmed() == (1,)


def test_own_file_is_read_back():
    circle = pair(first=1)
    circle.play(Random(2), 5)
    again = Table(circle.charter, {1: FAST_SIGNERS[0]}, Secrets.from_seed(b"seed1"), FAST)
    again.load(events_of(circle[1]))
    assert summary(again) == summary(circle[1])
    assert again.duties() == []
    event = events_of(circle[1])[0]
    with pytest.raises(PeerFaultError):
        replica(again, FAST).load([event._replace(signature=bytes(64))])
    assert {REVELATION, COMMITMENT}.isdisjoint(e.kind for e in events_of(again))
