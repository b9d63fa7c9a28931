"""A client that comes back with an old copy, where a seat shows it another version of what all have named since."""

from random import Random

import pytest
from clients import clients
from replicas import FAST, circle_of, events_of, hearing, replica, summary

from protocol.events import Move

PARTED = pytest.mark.xfail(
    strict=True,
    reason="events that name the other version only wait, so the client never learns that the event is settled",
)


def second_version(circle, event):
    """Another move of the same seat with the same number."""
    place = {"heads": event.heads, "slot": event.slot, "digest": event.digest}
    return circle.forge(event.seat, Move("take 2"), **place)


@pytest.mark.parametrize("first", [False, pytest.param(True, marks=PARTED)])
def test_another_version_of_what_is_settled_changes_nothing_whenever_it_comes(first):
    """The fold is a function of what is held, not of which version came first: the game that all have played stands."""
    circle = circle_of("pebbles", 3, first=1)
    circle.play(Random(1))
    other = second_version(circle, circle[1].held.chains[0][0])
    events = [other, *events_of(circle[2])] if first else [*events_of(circle[2]), other]
    late = hearing(replica(circle[2], FAST), events)
    assert late.held.proofs
    assert summary(late) == summary(circle[2])


@PARTED
def test_a_client_with_an_old_copy_is_not_cut_off_by_another_version_of_an_old_move():
    """It asks the others what they hold; one of them shows it another move first. All three play one game."""
    table = clients("pebbles", 3, pile=60)
    old = len(table.disks[3])
    for _ in range(4):
        table.play("take 1")
    table.tick(5.0)
    moved = table[2].table.held.chains[0][0]
    assert table[2].table.held.settled(moved, (1, 2, 3))
    table.resume(3, old)
    table.do(3, table.tell(3, second_version(table.forger, moved), 1))
    table.come(3)
    table.wait(20)
    assert table[2].table.fold.broken is None
    assert table[3].table.fold.broken is None
    assert summary(table[3].table) == summary(table[2].table)
