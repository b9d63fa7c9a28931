"""Tables at which seats sign two versions of one event."""

from random import Random
from typing import Any

from replicas import Circle, circle_of

from protocol import SignedEvent, Table, verify
from protocol.events import Head, bodies, make_event
from protocol.transcript.verification import Report

NOTHING = Head(0, b"")


def begun(seats: int = 3, *, moves: int = 0, **options: Any) -> Circle:
    circle = circle_of("pebbles", seats, **({"first": 1, "pile": 60} | options))
    for _ in range(moves):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    return circle


def versions(circle: Circle, seat: int) -> tuple[SignedEvent, SignedEvent]:
    """Two events that a seat signs with one number."""
    one, other = (circle.forge(seat, bodies.Move(f"take {number}")) for number in (1, 2))
    assert one.number == other.number
    return one, other


def anew(circle: Circle, event: SignedEvent, body: bodies.Move | bodies.Wish | None = None) -> SignedEvent:
    """Another version of an event: it names and stands where the first one does."""
    return make_event(
        circle.signers[event.seat - 1],
        event.table,
        event.seat,
        event.heads,
        event.slot,
        event.digest,
        body or bodies.Wish(1),
    )


def settled(table: Table, event: SignedEvent) -> bool:
    return table.held.judgement(table.fold.position).settled(event)


def played_out(seats: int) -> Circle:
    """A finished game, its result signed by all."""
    circle = begun(seats, pile=20)
    circle.play(Random(seats))
    circle.settle()
    assert circle[1].confirmed() == tuple(range(1, seats + 1))
    return circle


def verdict_of(circle: Circle) -> Report:
    """The report on the files of a game with proofs: they may hold other versions, and come to one result."""
    for _ in range(3):
        circle.meet()
        circle.settle()
    reports = [verify(file, circle.verifier, scheme=circle.scheme) for file in circle.files]
    for report, table in zip(reports, circle.tables, strict=True):
        assert report.ok, report.error
        assert report.result == table.fold.result == circle.tables[0].fold.result
        assert sorted(report.cheats) == sorted(reports[0].cheats)
    return reports[0]


def out(circle: Circle, seat: int) -> None:
    """Let a seat resign, and the others play on a little."""
    circle.spread(circle[seat].own.resign(seat))
    circle.settle()
    while seat in circle[1].fold.position.live:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()


def both(circle: Circle, seat: int) -> tuple[SignedEvent, SignedEvent]:
    """Two versions of what a seat signs after it has left."""
    one = circle.forge(seat, bodies.Wish(1))
    return one, anew(circle, one, bodies.Wish(0))
