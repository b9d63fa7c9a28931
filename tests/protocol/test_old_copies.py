"""A client that comes back with an old copy, where a seat shows it another version of what all have named since."""

from random import Random

from clients import clients
from equivocating import settled
from replicas import FAST, Circle, circle_of, events_of, hearing, replica, summary

from protocol import SignedEvent
from protocol.events import bodies


def second_version(circle: Circle, event: SignedEvent) -> SignedEvent:
    """Another move of the same seat with the same number."""
    return circle.forge(event.seat, bodies.Move("take 2"), heads=event.heads, slot=event.slot, digest=event.digest)


def test_another_version_of_what_is_settled_changes_nothing() -> None:
    """What all have named is held by all: the second version is evidence, and the game that all have played stands."""
    circle = circle_of("pebbles", 3, first=1)
    circle.play(Random(1))
    other = second_version(circle, circle[1].held.chains[0][0])
    late = hearing(replica(circle[2], FAST), [*events_of(circle[2]), other])
    assert late.held.proofs
    assert summary(late) == summary(circle[2])


def test_a_client_with_an_old_copy_that_is_shown_another_version_first_knows_by_whom() -> None:
    """A copy from before a move that all had named: a client has lost its own word, and nothing but that client's
    game is broken by the second version. It is told who signed it; the others play on."""
    table = clients("pebbles", 3, pile=60)
    old = len(table.disks[3])
    for _ in range(4):
        table.play("take 1")
    table.tick(5.0)
    moved = table[2].table.held.chains[0][0]
    assert settled(table[2].table, moved)
    table.resume(3, old)
    table.do(3, table.tell(3, second_version(table.forger, moved), 1))
    table.come(3)
    table.wait(20)
    assert table[2].table.fold.broken is None
    broken = table[3].table.fold.broken
    assert broken
    assert (broken.seat, broken.result.winners) == (moved.seat, ())
