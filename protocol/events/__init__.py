"""What seats sign: slots, kinds of events and their bodies, signed events."""

from protocol.events.bodies import EventBody, Leaving
from protocol.events.signed import (
    EVENT_LIMIT,
    FORM,
    Head,
    Proof,
    SignedEvent,
    Slot,
    causes_first,
    make_event,
    read_event,
    read_heads,
)
from protocol.events.slots import (
    ASYNCHRONOUS,
    EVENTS,
    NUMBER_LIMIT,
    SHARE_BYTES,
    SLOTS,
    TEXT_LIMIT,
    EventKind,
    Givers,
    SlotKind,
)

__all__ = [
    "ASYNCHRONOUS",
    "EVENTS",
    "EVENT_LIMIT",
    "FORM",
    "NUMBER_LIMIT",
    "SHARE_BYTES",
    "SLOTS",
    "TEXT_LIMIT",
    "EventBody",
    "EventKind",
    "Givers",
    "Head",
    "Leaving",
    "Proof",
    "SignedEvent",
    "Slot",
    "SlotKind",
    "bodies",
    "causes_first",
    "make_event",
    "read_event",
    "read_heads",
]
