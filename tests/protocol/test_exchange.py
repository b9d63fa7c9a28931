"""The version of a forked event that all others have named takes the place of the one that came first (rule 4)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import COMMITMENT, MOVE, OPENING, WISH, Head
from replicas import FAST, events_of, replica, summary
from test_votes import circle_of, give_all

from protocol import Fork, LocalFaultError, Node, Store, charter_record, fork_record, load, verify
from protocol.messages import event_batches


def opened_for_two(later):
    """Seat 3 is out and holds another commitment of seat 2 than the one that seat 1 has opened.

    Where there is something `later`, seat 1 has named that, and seat 3 has never seen it.
    """
    circle = circle_of(seats=3)
    circle.spread(circle[3].resign(3))
    circle.settle()
    circle.spread(circle[1].play(1, "take 1"))
    other = circle.forge(2, COMMITMENT, (bytes(32),))
    (commitment,) = circle.owed(circle[2])
    circle.give(circle[1], commitment)
    if later:
        circle.give(circle[1], circle[2].wish_draw(2, True))
    (opening,) = circle.owed(circle[1])
    assert opening.kind == OPENING
    circle.give(circle[3], other, commitment, opening)
    circle.give(circle[2], opening)
    (revelation,) = circle.owed(circle[2])
    if later:
        assert circle[3].passed_over() == []
    else:
        circle.give(circle[3], revelation)
        circle[3].exchange(*circle[3].passed_over())
    assert opening in circle[3].chains[0]
    assert circle[3].fold.position.cheats == ()
    assert circle[3].fold.position.live == (1, 2)
    return circle


def test_what_answers_another_version_is_not_judged_where_two_are_left():
    """The opening of the last honest seat does not fit the commitment that is held here, and is no cheating."""
    circle = opened_for_two(later=True)
    assert circle[2].fold.position.plies > circle[3].fold.position.plies


def test_a_seat_that_is_out_takes_the_version_that_the_last_honest_seat_has_answered():
    """Rule 4: what all others who are left have named stands, also where another version came first."""
    circle = opened_for_two(later=False)
    assert summary(circle[3]) == summary(circle[2])


def stored_of(node, event):
    """Let a node hear of an event; return what it stores by that."""
    peer = next(iter(node.peers))
    effects = [one for batch in event_batches(node.table.id, [event]) for one in node.receive(peer, batch, 0.0)]
    return b"".join(effect.data for effect in effects if isinstance(effect, Store))


@given(seed=st.integers(0, 2**32), later=st.integers(0, 3))
@settings(max_examples=20, deadline=None)
def test_an_old_copy_takes_the_version_that_all_have_named_in_whatever_order_it_comes(seed, later):
    """Rule 4: its player had named that one as well, and what it had played since comes back with it."""
    rng = Random(seed)
    circle = circle_of(seats=4, pile=30)
    twin = circle.client(1)
    others = [twin.play(1, "take 2")]
    for _ in range(later):
        twin.take(wish := circle.forge(1, WISH, (1,), at=twin))
        others.append(wish)
    circle.spread(circle[1].play(1, "take 1"))
    circle.play(rng, 9)
    for event in others:
        circle.spread(event)
    before = summary(circle[2])
    events = [*events_of(circle[2]), *others]
    rng.shuffle(events)
    old = Node(circle.client(3), resumed=True)
    # What had no place beside the other version comes again.
    file = charter_record(circle.charter) + b"".join(stored_of(old, one) for one in (*events, *events_of(circle[2])))
    assert summary(old.table) == before
    assert old.table.refolded().digest == old.table.fold.digest
    assert old.table.heads == circle[2].heads
    assert old.table.forked
    report = verify(file, FAST, scheme=circle.scheme)
    assert (report.error, report.digest) == (None, before[0].hex())
    again = load(file, FAST, scheme=circle.scheme, signers=old.table.signers, secrets=old.table.secrets)
    assert (summary(again), again.forks) == (before, old.table.forks)
    assert [event.seat for event in again.duties()] == ([3] if 3 in circle[2].owing() else [])


def test_a_client_that_died_before_it_stored_an_exchange_makes_up_for_it():
    """Nobody has anything to tell it by which it would notice."""
    circle = circle_of(seats=3, pile=30)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.spread(one)
    circle.settle()
    before = summary(circle[2])
    node = Node(circle.client(3), resumed=True)
    for event in (two, one, *events_of(circle[2])):
        node.table.take(event)
    assert summary(node.table) != before
    (stored,) = [effect.data for effect in node.tick(1.0) if isinstance(effect, Store)]
    assert stored.startswith(fork_record(Fork(one, two)))
    assert summary(node.table) == before
    assert not any(isinstance(effect, Store) for effect in node.tick(2.0))


def test_who_has_signed_two_versions_itself_goes_on_from_neither():
    """Rule 4: it would sign later numbers twice as well. Whoever only looks on sees the game of the others."""
    circle = circle_of(seats=3, pile=30)
    twin, watching = circle.client(1), replica(circle[1], FAST)
    two = twin.play(1, "take 2")
    watching.take(two)
    circle.spread(circle[1].play(1, "take 1"))
    circle.play(Random(3), 9)
    for event in events_of(circle[2]):
        twin.take(event)
        watching.take(event)
    assert twin.passed_over() == []
    assert twin.chains[0] == [two]
    assert twin.duties() == []
    with pytest.raises(LocalFaultError, match="Two versions of your own play"):
        twin.resign(1)
    watching.exchange(*watching.passed_over())
    assert summary(watching) == summary(circle[2])


def test_no_version_is_taken_that_contradicts_what_its_author_had_seen():
    """Seats 1 and 2 work together: until seat 2 is known to have forked, what all have named cannot be held here."""
    circle = circle_of(seats=5, pile=60)
    circle.spread(circle[3].resign(3))
    circle.settle()
    position, digest = circle[4].fold.position, circle[4].fold.digest

    def forged(seat, kind, body, heads):
        return circle.forge(seat, kind, body, heads=heads, slot=position.slot, digest=digest)

    out, low = Node(circle.client(3), resumed=True), circle[4].heads
    events = events_of(circle[4])
    wish = circle[4].wish_draw(4, True)
    knowing, ignorant = forged(2, WISH, (1,), circle[4].heads), forged(2, WISH, (0,), low)
    held = forged(1, MOVE, ("take 2",), low)
    passed = forged(1, MOVE, ("take 1",), (low[0], Head(knowing.number, knowing.hash), *low[2:]))
    give_all(circle, [wish, knowing, ignorant, passed], (4, 5))
    naming = forged(2, WISH, (1,), circle[4].heads)
    assert passed in circle[4].chains[0]
    later = [event for _ in range(2) for seat in (4, 5) for event in circle.owed(circle[seat])]
    give_all(circle, later, (4, 5))
    later.append(circle[5].wish_draw(5, True))
    file = charter_record(circle.charter)
    file += b"".join(stored_of(out, one) for one in (*events, wish, knowing, held, passed, naming, *later))
    assert held in out.table.chains[0]
    assert out.table.forked == ((1, held.number),)
    file += b"".join(stored_of(out, one) for one in (ignorant, *later))
    assert passed in out.table.chains[0]
    assert summary(out.table) == summary(circle[4])
    report = verify(file, FAST, scheme=circle.scheme)
    assert (report.error, report.digest) == (None, out.table.fold.digest.hex())
