"""Tables with spectators for the tests."""

from replicas import Circle, charter_of
from watched import ALL, House, Watcher, door

from engine import OptionValue
from protocol import (
    Watching,
)
from protocol.table.gallery import Gallery

WORDS = "three old stones"


def circle_for(key: str = "pebbles", seats: int = 2, watching: Watching = ALL, **options: OptionValue) -> Circle:
    return Circle(charter_of(key, seats, {"first": 1, **options}, fast=True, watching=watching), fast=True)


def house_of(circle: Circle, passphrase: str | None = None) -> House:
    """The galleries of all clients of a table."""
    ids = [entry.id for number, entry in enumerate(circle.charter.body.seats, 1) if entry.operator == number]
    galleries = {}
    for table in circle.tables:
        own = table.own.operator
        me = circle.charter.body.seats[own - 1].id
        galleries[me] = Gallery(table, {*ids} - {me}, door(passphrase, own) if passphrase else None)
    return House(galleries)


def plies(watcher: Watcher) -> int:
    return watcher.table.fold.position.plies
