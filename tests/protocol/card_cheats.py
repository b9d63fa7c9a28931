"""What a seat signs about cards against its client."""

from typing import Any

from replicas import Circle

from protocol import SignedEvent
from protocol.events import EventBody

SECRET = b"another secret".ljust(32)


def forged(circle: Circle, seat: int, body: EventBody, **changes: Any) -> SignedEvent:
    """An event that a seat signs against its client, heard by all; the others go on."""
    event = circle.forge(seat, body, **changes)
    circle.spread(event)
    return event
