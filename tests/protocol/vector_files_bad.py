"""The saved games of the test vectors that a verifier refuses: a few lines each."""

from vector_files_good import finished
from vector_tables import ATTEMPT, IDENTITIES, NAMES, Records, board, last

from engine import all_games
from protocol import LOCAL, Seat, SlotKind, Table, charter_record, event_record, local_charter, make_body, takeback
from protocol.events import Head, bodies, make_event
from protocol.file import MAGIC


def altered_byte() -> Records:
    records = finished()
    records[4] = records[4][:-1] + bytes([records[4][-1] ^ 1])
    return records


def torn_tail() -> Records:
    records = finished()
    return [*records[:-1], records[-1][:-7]]


def missing_record() -> Records:
    records = finished()
    return records[:3] + records[4:]


def repeated_record() -> Records:
    records = finished()
    return [*records[:5], records[4]]


def swapped_records() -> Records:
    records = finished()
    return [*records[:4], records[5], records[4], *records[6:]]


def without_charter() -> Records:
    records = finished()
    return [records[0], *records[2:]]


def of_version_1() -> Records:
    return [b"p2p-stonehenge transcript 1\n", *finished()[1:]]


def another_program() -> Records:
    return [b'[Event "?"]\n']


def second_without_proof() -> Records:
    circle = board().play(3)
    return [*circle.records, event_record(circle.second_version(last(circle, 1)))]


def empty_proof() -> Records:
    """A proof whose two events are one."""
    circle = board().play(3)
    kept = event_record(last(circle, 1))[4:]
    body = b"\x95\x03" + 2 * kept[2:]
    return [*circle.records, len(body).to_bytes(4, "big") + body]


def heads_go_back() -> Records:
    circle = board().play(4)
    seat = circle.mover
    heads = tuple(head if n == seat else Head(0, b"") for n, head in enumerate(circle.listener.held.heads, 1))
    return [*circle.records, event_record(circle.forge(seat, bodies.Move("A1-A2"), heads=heads))]


def slot_goes_back() -> Records:
    circle = board().play(4)
    return [*circle.records, event_record(circle.forge(circle.mover, bodies.Resign(), before=3))]


def below_own_epoch() -> Records:
    """A seat that agreed to epoch 1 signs for epoch 0 once more."""
    circle = board(3).play(4)
    others = [seat for seat in (1, 2, 3) if seat != circle.mover]
    circle.without(1, [circle.mover], others[:1])
    return [*circle.records, event_record(circle.forge(others[0], bodies.Wish(1)))]


def leap() -> Records:
    """An agreement whose number lies 257 above everything that its author named; another seat has signed 256."""
    circle = board(3).play(4)
    heads = circle.heads
    circle.say(2, bodies.Epoch(256, ()))
    return [*circle.records, event_record(circle.forge(1, bodies.Epoch(257, ()), heads=heads))]


def too_far_ahead() -> Records:
    """1025 events of a seat that closes nothing, each for a slot further on."""
    circle = board().play(2)
    records = list(circle.records)
    for number in range(1025):
        event = circle.forge(2, bodies.Wish(0), before=-number)
        records.append(event_record(event))
        circle.spread(event)
    return records


def too_much_for_a_slot() -> Records:
    """A ninth event for one step, in whichever epochs."""
    circle = board().play(2)
    for number in range(8):
        circle.say(2, bodies.Wish(0), slot=(number // 4, 3, SlotKind.TURN))
    return [*circle.records, event_record(circle.forge(2, bodies.Wish(0), slot=(2, 3, SlotKind.TURN)))]


def another_table() -> Records:
    circle = board().play(2)
    return [*circle.records, event_record(circle.forge(1, bodies.Move(circle.lawful(1)[0]), table=bytes(32)))]


def local_without_effect() -> Records:
    """At a local table an unlawful action makes the file invalid."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    position = table.fold.position
    event = make_event(
        IDENTITIES[0], table.id, 1, table.held.heads, position.slot, position.digest, bodies.Act(1, "A1-A9")
    )
    return [MAGIC, charter_record(charter)[len(MAGIC) :], event_record(event)]


def local_takeback_too_far() -> Records:
    """Another person has acted since the state that is to come back."""
    seats = tuple(Seat(IDENTITIES[0].id, name, n) for n, name in enumerate(NAMES[:2], 1))
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    made = [table.act(seat, table.game.legal(table.state, seat)[0]) for seat in (1, 2)]
    position = table.fold.position
    heads, back = table.held.heads, bodies.Act(0, takeback(0))
    made.append(make_event(IDENTITIES[0], table.id, 1, heads, position.slot, position.digest, back))
    return [MAGIC, charter_record(charter)[len(MAGIC) :], *map(event_record, made)]
