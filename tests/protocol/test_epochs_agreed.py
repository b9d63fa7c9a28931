"""Agreements that cross: which number wins, and what the lists of leavers may say."""

import pytest
from agreeing import all_sign, epoch_of, held, rolling, sign, table_of, waiting_for
from verdicts import alike

from protocol.events import Leaving, bodies

# Numbers.


def test_of_several_in_force_the_highest_wins() -> None:
    """Ballots cross: all signed both, and heard of them in another order."""
    circle = waiting_for(4, 4)
    tables, events = circle.tables, []
    for number in (1, 2):
        leaving = held(circle, 4) if number == 2 else ()
        for seat in (1, 2, 3, *((4,) if number == 1 else ())):
            events.append(circle.forge(seat, bodies.Epoch(number, leaving)))
            circle.give(circle[seat], events[-1])
    for event in events:
        circle.spread(event)
    assert epoch_of(circle) == 2
    assert tables[0].fold.position.live == (1, 2, 3)
    alike(circle)


def test_an_epoch_stands_on_the_one_before() -> None:
    circle = table_of(3)
    circle.agree(1)
    circle.agree(2)
    assert epoch_of(circle) == 2
    assert circle[1].fold.position.renewed == 2
    alike(circle)


def test_a_lower_epoch_is_not_entered_after_a_higher_one() -> None:
    """The last signature under an old agreement comes late."""
    circle = waiting_for(4, 4)
    late = circle.forge(4, bodies.Epoch(1, ()))
    all_sign(circle, (1, 2, 3), 1)
    all_sign(circle, (1, 2, 3), 2, 4)
    assert epoch_of(circle) == 2
    before = circle[1].fold.position
    circle.spread(late)
    assert circle[1].held.chains[3][-1] == late
    assert circle[1].fold.position == before
    alike(circle)


def test_signatures_for_another_base_do_not_add_up() -> None:
    """The same number and list, signed at the slot of another epoch, is another agreement."""
    circle = table_of(3)
    low = circle[1].fold.position.slot
    circle.agree(1)
    for seat, slot in ((1, None), (2, None), (3, low)):
        sign(circle, seat, 2, slot=slot)
    assert epoch_of(circle) == 1
    assert len(circle[1].fold.agreements) == 2


def test_signatures_for_a_lower_base_are_refused_once_their_author_has_played_on() -> None:
    circle = table_of(3)
    low = circle[1].fold.position.slot
    circle.agree(1)
    seat = circle.mover
    circle.spread(circle[seat].own.play(seat, "take 1"))
    circle.settle()
    before = circle[1].held.heads
    for one in (1, 2, 3):
        event = circle.forge(one, bodies.Epoch(2, ()), slot=low)
        assert circle[2].held.contradicts(event)
        circle.spread(event)
    assert circle[1].held.heads == before
    assert epoch_of(circle) == 1


def test_a_signature_of_another_seat_does_not_serve() -> None:
    """An event of one seat in the name of another one is refused before it can count (see `test_events`)."""
    circle = waiting_for(3, 3)
    all_sign(circle, (1,), 1, 3)
    signed = circle[1].held.chains[0][-1]
    again = circle.forge(1, signed.body)
    circle.spread(again)
    assert len(circle[2].held.chains[0]) == signed.number, "a second one of that number is refused"
    assert epoch_of(circle) == 0


# Leaving lists.


def test_a_list_that_is_not_what_its_author_had_applied_is_no_event() -> None:
    """Forged leaving lists: shorter, longer, another version, its author's own seat: see `test_events`."""
    circle = waiting_for(4, 4)
    for leaving in (
        (Leaving(4, 0, b""),),
        (Leaving(4, 9, bytes(32)),),
        (Leaving(4, circle[1].held.heads[3].length, bytes(32)),),
        (Leaving(1, *circle[1].held.heads[0]),),
    ):
        event = circle.forge(1, bodies.Epoch(1, leaving))
        with pytest.raises(Exception, match="contradicts the rest"):
            circle[2].receive(event.raw, event.signature)
    assert epoch_of(circle) == 0


def test_a_list_cannot_leave_out_what_somebody_who_stays_relied_on() -> None:
    """Seat 1 has named the move of seat 4: no list that seat 1 signs can drop it."""
    circle = waiting_for(4, 4)
    old = circle[1].held.heads[3]
    circle.spread(circle[4].own.play(4, "take 1"))
    circle.settle()
    heads = tuple(old if seat == 4 else head for seat, head in enumerate(circle[1].held.heads, 1))
    event = circle.forge(1, bodies.Epoch(1, (Leaving(4, *old),)), heads=heads)
    assert circle[2].held.contradicts(event)


def test_what_those_who_stay_signed_before_counts() -> None:
    """Seat 2 moved before it agreed, and not all had heard of it: the move counts, and the epoch begins after it."""
    circle = rolling(4)
    leaving = held(circle, 4)
    parts = {seat: circle.owed(circle[seat]) for seat in (1, 2, 3)}
    events = [circle.forge(seat, bodies.Epoch(1, leaving)) for seat in (1, 2, 3)]
    for seat in (1, 2, 3):
        for event in (*parts[seat], events[seat - 1]):
            circle.spread(event)
    position = circle[1].fold.position
    assert position.slot.epoch == 1
    assert all(position.behind[seat - 1] == events[seat - 1].number for seat in (1, 2, 3))
