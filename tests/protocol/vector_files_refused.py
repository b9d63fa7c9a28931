"""The saved games of the test vectors that one check refuses: a record more than may be there, a few lines each."""

from typing import Any

from vector_tables import ATTEMPT, IDENTITIES, NAMES, Circle, Records, board, last

from engine import Value, all_games, encode
from protocol import LOCAL, Seat, SignedEvent, Table, charter_record, event_record, local_charter, make_body, takeback
from protocol.events import EventBody, Head, Leaving, Slot, bodies, make_event
from protocol.file import MAGIC


def record(*entries: Value) -> bytes:
    return framed(entries)


def framed(value: Value) -> bytes:
    payload = encode(value)
    return len(payload).to_bytes(4, "big") + payload


# Events.


def a_head_too_many() -> Records:
    circle = board().play(2)
    move = circle.forge(1, bodies.Move(circle.lawful(1)[0]), heads=(*circle.heads, Head(0, b"")))
    return [*circle.records, event_record(move)]


def another_hash() -> Records:
    """A move that names an event of the other seat by its number, with another hash."""
    circle = board().play(2)
    heads = (circle.heads[0], circle.heads[1]._replace(hash=bytes(32)))
    return [*circle.records, event_record(circle.forge(1, bodies.Move(circle.lawful(1)[0]), heads=heads))]


def heads_leave_out() -> Records:
    """A wish that names the last event of seat 2, and less of seat 3 than that event names."""
    circle = board(3).play(5)
    before = circle.heads
    circle.move(3)
    circle.say(2, bodies.Wish(1))
    heads = (before[0], circle.heads[1], before[2])
    return [*circle.records, event_record(circle.forge(1, bodies.Wish(1), heads=heads))]


def epoch_again() -> Records:
    """A second agreement under a number that its author has signed."""
    circle = board(3).play(4)
    circle.say(1, bodies.Epoch(2, ()))
    return [*circle.records, event_record(circle.forge(1, bodies.Epoch(2, (Leaving(3, *circle.heads[2]),))))]


def too_many_agreements() -> Records:
    """128 agreements for one step, and one more."""
    circle = board(3).play(1)
    for number in range(1, 129):
        circle.say(1, bodies.Epoch(number, ()))
    return [*circle.records, event_record(circle.forge(1, bodies.Epoch(129, ())))]


# Proofs.


def moved() -> tuple[Circle, SignedEvent]:
    """A game, and the last move of its first player."""
    circle = board().play(3)
    return circle, last(circle, 1)


def proof(kept: SignedEvent, other: SignedEvent) -> bytes:
    return record(3, kept.raw, kept.signature, other.raw, other.signature)


def anew(event: SignedEvent, by: int = 1, **changes: Any) -> SignedEvent:
    """The event with other fields, signed by a seat."""
    fields = {name: getattr(event, name) for name in ("table", "seat", "heads", "slot", "digest")}
    return make_event(IDENTITIES[by - 1], **{**fields, "body": bodies.Move("resign"), **changes})


def proof_of_another_table() -> Records:
    circle, move = moved()
    return [*circle.records, proof(move, anew(move, table=bytes(32)))]


def proof_with_a_head_too_many() -> Records:
    circle, move = moved()
    return [*circle.records, proof(move, anew(move, heads=(*move.heads, Head(0, b""))))]


def proof_of_two_seats() -> Records:
    """Two events with one number, of two seats."""
    circle, move = moved()
    heads = (Head(0, b""), Head(1, circle.listener.held.chains[1][0].hash))
    return [*circle.records, proof(move, anew(move, 2, seat=2, heads=heads))]


def proof_of_two_numbers() -> Records:
    circle, move = moved()
    return [*circle.records, proof(move, anew(move, heads=circle.heads))]


def proof_beyond_the_chain() -> Records:
    """A proof whose first event does not stand before it."""
    circle, move = moved()
    kept = anew(move, heads=circle.heads)
    return [*circle.records, proof(kept, anew(kept, body=bodies.Move("draw")))]


def proof_of_other_versions() -> Records:
    """Neither version is the one that stands before the proof."""
    circle, move = moved()
    return [*circle.records, proof(anew(move), anew(move, body=bodies.Move("draw")))]


def proof_with_another_signature() -> Records:
    """The first event of the proof differs by one bit of its signature from what stands before."""
    circle, move = moved()
    signature = move.signature[:-1] + bytes([move.signature[-1] ^ 1])
    return [*circle.records, record(3, move.raw, signature, anew(move).raw, anew(move).signature)]


def proof_unsigned() -> Records:
    circle, move = moved()
    return [*circle.records, proof(move, anew(move, 2))]


def proof_again() -> Records:
    circle, move = moved()
    return [*circle.records, *2 * [proof(move, anew(move))]]


# Tables on one computer.


def alone(*, over: bool = False) -> tuple[Table, Records]:
    """A game after its first move, or at its end."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    made = [table.act(1, table.game.legal(table.state, 1)[0])]
    if over:
        made.append(table.act(2, "resign"))
    return table, [MAGIC, charter_record(charter)[len(MAGIC) :], *map(event_record, made)]


def signed_alone(table: Table, body: EventBody, slot: Slot | None = None, digest: bytes | None = None) -> bytes:
    """The record of an event for the open slot, or for another one."""
    at = table.fold.position
    event = make_event(
        IDENTITIES[0], table.id, 1, table.held.heads, slot or at.slot, at.digest if digest is None else digest, body
    )
    return event_record(event)


def local_to_another_slot() -> Records:
    table, records = alone()
    action, slot = table.game.legal(table.state, 2)[0], table.fold.position.slot
    return [*records, signed_alone(table, bodies.Act(2, action), slot._replace(step=slot.step + 1))]


def local_to_another_digest() -> Records:
    table, records = alone()
    return [*records, signed_alone(table, bodies.Act(2, table.game.legal(table.state, 2)[0]), digest=bytes(32))]


def local_wish() -> Records:
    """A WISH, where every event is an ACT until the end."""
    table, records = alone()
    return [*records, signed_alone(table, bodies.Wish(1))]


def local_proof() -> Records:
    """A second version of an event, where one client signs everything."""
    table, records = alone()
    move = table.held.chains[0][0]
    return [*records, proof(move, anew(move, body=bodies.Act(1, "resign")))]


def local_shares_at_the_end() -> Records:
    """An event like the RESULT, but for its kind."""
    table, records = alone(over=True)
    return [*records, signed_alone(table, bodies.Shares(b""))]


def local_takeback_by_a_seat() -> Records:
    """It is chance that says `takeback`."""
    table, records = alone()
    return [*records, signed_alone(table, bodies.Act(2, takeback(0)))]


def local_result_with_shares() -> Records:
    table, records = alone(over=True)
    return [*records, signed_alone(table, bodies.Result(bytes(96)))]


def local_results() -> Records:
    """Two RESULTs."""
    table, records = alone(over=True)
    (event,) = table.duties()
    return [*records, event_record(event), signed_alone(table, bodies.Result(b""))]


# Records.


def torn_length() -> Records:
    """The last record says that it is a byte longer than the file."""
    records = board().play(2).records
    longer = int.from_bytes(records[-1][:4], "big") + 1
    return [*records[:-1], longer.to_bytes(4, "big") + records[-1][4:]]


def no_charter() -> Records:
    """The first line, and nothing else."""
    return [MAGIC]


def second_charter() -> Records:
    records = board().play(2).records
    return [*records, records[1]]


def unknown_record() -> Records:
    return [*board().play(2).records, record(4, b"")]


def empty_record() -> Records:
    return [*board().play(2).records, framed(())]


def record_of_no_array() -> Records:
    return [*board().play(2).records, framed(2)]
