"""Tables for the tests of closing slots, and what their seats give to the open slot."""

from typing import Any

from replicas import Circle, circle_of
from whist import reach

from protocol import SignedEvent
from protocol.events import (
    SlotKind,
)


def pair(key: str = "fidchess", **options: Any) -> Circle:
    circle = circle_of(key, 2, first=1, **options)
    circle.settle()
    return circle


def pebbles(seats: int, **options: Any) -> Circle:
    return circle_of("pebbles", seats, **({"first": 1} | options))


def legal(circle: Circle, seat: int) -> tuple[str, ...]:
    return tuple(circle[seat].game.legal(circle[seat].state, seat))


def moved(circle: Circle, seat: int) -> SignedEvent:
    return circle[seat].own.play(seat, legal(circle, seat)[0])


def actions(circle: Circle) -> list[tuple[int, str]]:
    return [(entry.actor, entry.action) for entry in circle[1].fold.log]


def contributions(circle: Circle, *seats: int) -> list[SignedEvent]:
    """What these seats (all by default) give to the open slot; nobody else hears of it."""
    return [event for seat in seats or circle[1].fold.position.live for event in circle.owed(circle[seat])]


def rolling(seats: int = 2, kind: SlotKind = SlotKind.COMMIT, **options: Any) -> Circle:
    """A table at which a roll is under way."""
    return reach(pebbles(seats, first="random", **options), kind)


def contributions_heard(circle: Circle) -> None:
    for event in contributions(circle):
        circle.spread(event)
