"""Tables whose clients hold events that are not theirs."""

from replicas import Circle, circle_of

from protocol import SignedEvent, Table
from protocol.events import Slot, bodies
from protocol.table.held import AT_ONE_SLOT


def begun(seats: int = 3, *, moves: int = 1) -> Circle:
    """A table where some moves have been made and rolled for."""
    circle = circle_of("pebbles", seats, first=1, pile=60)
    for _ in range(moves):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    return circle


def take(table: Table, event: SignedEvent) -> list[SignedEvent]:
    return table.receive(event.raw, event.signature)


def flood(circle: Circle, seat: int, number: int, body: bodies.Shuffle | None = None) -> list[SignedEvent]:
    """So many events that one seat signs one after the other, and that never count."""
    heads = circle[seat].held.heads
    events = []
    for count in range(number):
        slot = later(circle, 50 + count // AT_ONE_SLOT)
        events.append(circle.forge(seat, body or bodies.Move("nonsense"), heads=heads, slot=slot))
        heads = events[-1].heads_after
    return events


def later(circle: Circle, steps: int = 50) -> Slot:
    """A slot that is not open for long."""
    slot = circle[1].fold.position.slot
    return slot._replace(step=slot.step + steps)
