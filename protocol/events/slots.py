"""The slots of a table and the events that fill them: the one table from which all else derives.

A *slot* is the one place at which the game waits. `SLOTS` says for each kind of slot when it opens, which events it
takes from which seats, and which kinds may follow. `EVENTS` says for each kind of event what its body holds.

Bytes that do not fit `EVENTS` are *no event*: they are dropped, and the peer that sent them is blamed. An event that
fails what `judged` asks is different: it counts, and is a breach by its author.
"""

from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any, NamedTuple

from engine import HASH_BYTES, MOST_SEATS, MalformedError, Value
from protocol.events import bodies
from protocol.events.bodies import EventBody, Leaving

TEXT_LIMIT = 200
"""Characters of an action."""
NUMBER_LIMIT = 2**31 - 1
"""The largest number of an epoch, a step or an event."""
KEY_BYTES, PROOF_BYTES, SHARE_BYTES = 32, 64, 96
"""Of a key for a deal, of the proof that its secret is known, and of a decryption share of one card."""
DECK_LIMIT, SHUFFLE_PROOF_LIMIT = 64 * 66, 32 * (4 * 66 + 5)
"""Bytes of the largest deck (66 cards) and of its proof of shuffle; both fit into one event."""


class SlotKind(IntEnum):
    """What a slot is for."""

    TURN = 1
    COMMIT = 2
    REVEAL = 3
    KEY = 4
    SHUFFLE = 5
    SHARE = 6
    END = 7


class EventKind(IntEnum):
    """What an event says."""

    MOVE = 1
    PLAY = 2
    SEQUENCE = 3
    RESIGN = 4
    WISH = 5
    COMMITMENT = 6
    REVELATION = 7
    KEY = 8
    SHUFFLE = 9
    SHARES = 10
    RESULT = 11
    EPOCH = 12
    ACT = 13
    TAKEBACK = 14


class Givers(Enum):
    """The seats from which a slot takes a contribution."""

    ACTOR = "the seat to act"
    EACH = "every live seat"
    NEXT = "one live seat after the other, a slot each"


class SlotRule(NamedTuple):
    """One kind of slot.

    * `opens`: when. `takes`: the kinds of its contributions. `givers`: the seats that contribute.
    * `judged`: what a contribution must satisfy. A breach costs its author the seat.
    * `then`: the kinds of slots that may follow.
    """

    opens: str
    takes: tuple[EventKind, ...]
    givers: Givers
    judged: str
    then: tuple[SlotKind, ...]


_CHANCE = (SlotKind.COMMIT, SlotKind.REVEAL, SlotKind.KEY)
_ANY = (SlotKind.TURN, *_CHANCE, SlotKind.END)

SLOTS: dict[SlotKind, SlotRule] = {
    SlotKind.TURN: SlotRule(
        "a seat has to act",
        (EventKind.MOVE, EventKind.PLAY, EventKind.SEQUENCE),
        Givers.ACTOR,
        "the move must be lawful; a card must have been dealt to its seat, and its share must open it",
        _ANY,
    ),
    SlotKind.COMMIT: SlotRule(
        "a value has to be rolled, and no commitments for the roll stand",
        (EventKind.COMMITMENT,),
        Givers.EACH,
        "",
        (SlotKind.REVEAL,),
    ),
    SlotKind.REVEAL: SlotRule(
        "every live seat has committed to the roll",
        (EventKind.REVELATION,),
        Givers.EACH,
        "the salt must be the one committed to",
        _ANY,
    ),
    SlotKind.KEY: SlotRule(
        "cards have to be dealt",
        (EventKind.KEY,),
        Givers.EACH,
        "the key must be new, with a proof that its secret is known",
        (SlotKind.SHUFFLE, *_ANY),
    ),
    SlotKind.SHUFFLE: SlotRule(
        "all keys are shown",
        (EventKind.SHUFFLE,),
        Givers.NEXT,
        "the proof must show that the cards are the same",
        (SlotKind.SHUFFLE, SlotKind.SHARE, *_ANY),
    ),
    SlotKind.SHARE: SlotRule(
        "every live seat has shuffled",
        (EventKind.SHARES,),
        Givers.EACH,
        "there must be one right share of each card dealt to another seat",
        _ANY,
    ),
    SlotKind.END: SlotRule("the game is over", (EventKind.RESULT,), Givers.EACH, "", ()),
}


class Field(NamedTuple):
    """What one entry of a body must be: in words for the specification, and as a check of any value.

    Types are compared exactly: True is no 1.
    """

    words: str
    fits: Callable[[Any], bool]


def _text(limit: int) -> Field:
    return Field(f"text, at most {limit} characters", lambda value: type(value) is str and len(value) <= limit)


def _bytes(size: int) -> Field:
    return Field(f"{size} bytes", lambda value: type(value) is bytes and len(value) == size)


def _parts(size: int, limit: int) -> Field:
    return Field(
        f"a multiple of {size} bytes, at most {limit}",
        lambda value: type(value) is bytes and len(value) <= limit and len(value) % size == 0,
    )


def _number(low: int, high: int) -> Field:
    return Field(f"int, {low}-{high}", lambda value: type(value) is int and low <= value <= high)


def _one() -> Field:
    return Field("1, or left out", lambda value: type(value) is int and value == 1)


def _is_leaving(value: Any) -> bool:
    """Return whether `value` lists some seats in ascending order, each with a number and a hash."""
    if type(value) is not tuple or len(value) >= MOST_SEATS:
        return False
    before = 0
    for item in value:
        if type(item) is not tuple or tuple(map(type, item)) != (int, int, bytes):
            return False
        seat, length, hash = item
        if not before < seat <= MOST_SEATS or not 0 <= length <= NUMBER_LIMIT:
            return False
        if len(hash) != (HASH_BYTES if length else 0):
            return False
        before = seat
    return True


class EventRule(NamedTuple):
    """One kind of event: the type of its body, and what each entry of it must be.

    `least`: how many entries every event of the kind has; the others are left out where they say nothing. None: it has
    all.
    """

    body: Callable[..., EventBody]
    fields: tuple[Field, ...] = ()
    least: int | None = None


EVENTS: dict[EventKind, EventRule] = {
    EventKind.MOVE: EventRule(bodies.Move, (_text(TEXT_LIMIT),)),
    EventKind.PLAY: EventRule(bodies.Play, (_text(TEXT_LIMIT), _number(0, 255), _bytes(SHARE_BYTES))),
    EventKind.SEQUENCE: EventRule(bodies.Sequence),
    EventKind.RESIGN: EventRule(bodies.Resign, (_one(),), least=0),
    EventKind.WISH: EventRule(bodies.Wish, (_number(0, 1),)),
    EventKind.COMMITMENT: EventRule(bodies.Commitment, (_bytes(HASH_BYTES),)),
    EventKind.REVELATION: EventRule(bodies.Revelation, (_bytes(HASH_BYTES), _bytes(HASH_BYTES))),
    EventKind.KEY: EventRule(bodies.Key, (_bytes(KEY_BYTES), _bytes(PROOF_BYTES))),
    EventKind.SHUFFLE: EventRule(bodies.Shuffle, (_parts(64, DECK_LIMIT), _parts(32, SHUFFLE_PROOF_LIMIT))),
    EventKind.SHARES: EventRule(bodies.Shares, (_parts(SHARE_BYTES, SHARE_BYTES * 66),)),
    EventKind.RESULT: EventRule(bodies.Result, (_parts(SHARE_BYTES, SHARE_BYTES * 66),)),
    EventKind.EPOCH: EventRule(
        bodies.Epoch,
        (
            _number(1, NUMBER_LIMIT),
            Field(
                f"`[[seat, length, hash]...]`, seats ascending, fewer than {MOST_SEATS}; hash 32 bytes, or empty",
                _is_leaving,
            ),
        ),
    ),
    EventKind.ACT: EventRule(bodies.Act, (_number(0, MOST_SEATS), _text(2 * TEXT_LIMIT))),
    EventKind.TAKEBACK: EventRule(bodies.Takeback, (_number(0, NUMBER_LIMIT),)),
}

ASYNCHRONOUS = frozenset((EventKind.RESIGN, EventKind.WISH, EventKind.TAKEBACK))
"""Signed at any slot; the next SEQUENCE of a seat to act gives these their place."""

_KIND_OF = {rule.body: kind for kind, rule in EVENTS.items()}


def kind_of(body: EventBody) -> EventKind:
    """Return the kind of event that has such a body."""
    return _KIND_OF[type(body)]


def entries_of(body: EventBody) -> tuple[Value, ...]:
    """Return the entries of a body as they are signed."""
    return () if isinstance(body, bodies.Resign) and not body.late else body


def read_event_body(kind: int, values: tuple[Any, ...]) -> EventBody:
    """Return the body of an event of `kind`. Raises MalformedError unless every entry is what `EVENTS` says."""
    rule = EVENTS.get(kind)  # type: ignore[call-overload]
    if rule is None:
        raise MalformedError("not an event: no such kind")
    form, fields, least = rule
    if not (len(fields) if least is None else least) <= len(values) <= len(fields):
        raise MalformedError("not an event: another number of entries than its kind has")
    for at, value in enumerate(values):
        words, fits = fields[at]
        if not fits(value):
            raise MalformedError(f"not an event: its body is not of its kind ({words})")
    if form is bodies.Epoch:
        number, leaving = values
        return bodies.Epoch(number, tuple(Leaving(*item) for item in leaving))
    # `tuple.__new__` takes half the time of `form(*values)`.
    body: EventBody = tuple.__new__(form, values) if len(values) == len(fields) else form(*values)
    return body
