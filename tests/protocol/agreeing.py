"""Tables for the tests of epochs, and seats that sign agreements whatever their clients think of them."""

from typing import Any

from replicas import Circle, circle_of
from whist import reach

from protocol import SignedEvent, Table
from protocol.events import Leaving, SlotKind, bodies

OPERATORS = {"each its own": None, "one with a bot": (1, 1, 3, 4, 5)}


def table_of(seats: int, *, operators: tuple[int, ...] | None = None, moves: int = 1, **options: Any) -> Circle:
    """A table of pebbles after some moves."""
    circle = circle_of("pebbles", seats, operators=operators, **({"first": 1, "pile": 60} | options))
    circle.settle()
    for _ in range(moves):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    return circle


def rolling(seats: int, kind: SlotKind = SlotKind.REVEAL, *, operators: tuple[int, ...] | None = None) -> Circle:
    """A table at which all have to give their part in the first roll."""
    return reach(circle_of("pebbles", seats, operators=operators, first="random", pile=60), kind)


def held(circle: Circle, *seats: int, at: Table | None = None) -> tuple[Leaving, ...]:
    """The leaving list of an agreement that lets count all that is held of these seats."""
    heads = (at or circle.tables[0]).held.heads
    return tuple(Leaving(seat, *heads[seat - 1]) for seat in seats)


def sign(circle: Circle, seat: int, number: int, leaving: tuple[Leaving, ...] = (), **changes: Any) -> SignedEvent:
    """Let a seat sign an agreement, whatever its client thinks of it; all hear of it."""
    event = circle.forge(seat, bodies.Epoch(number, leaving), **changes)
    circle.spread(event)
    return event


def all_sign(circle: Circle, seats: list[int] | tuple[int, ...], number: int, *leavers: int) -> None:
    """Let these seats sign that some leave; each names what all held before the first one signed."""
    leaving = held(circle, *leavers)
    for event in [circle.forge(seat, bodies.Epoch(number, leaving)) for seat in seats]:
        circle.spread(event)


def epoch_of(circle: Circle) -> int:
    epochs = {table.fold.position.slot.epoch for table in circle.tables}
    assert len(epochs) == 1
    return epochs.pop()


def waiting_for(seats: int, seat: int, **options: Any) -> Circle:
    """A table where it is the turn of a seat."""
    circle = table_of(seats, moves=0, **options)
    while circle.mover != seat:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    return circle
