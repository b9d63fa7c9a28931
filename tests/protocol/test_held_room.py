"""What waits takes no room from what counts, and a file has nothing that does not fit into it."""

from held_tables import begun, flood, take
from replicas import Circle

from protocol import SignedEvent, verify
from protocol.events import Head, bodies
from protocol.messages import WAITING_LIMIT
from protocol.table.held import AHEAD_BYTES, AT_ONE_SLOT

LARGE = bodies.Shuffle(bytes(4224), bytes(8000))


def nonsense(circle: Circle, seat: int) -> list[SignedEvent]:
    """Events far ahead of a chain whose causes never come: more, and larger ones, than may wait."""
    heads, events = list(circle[seat].held.heads), list[SignedEvent]()
    slot = circle[seat].fold.position.slot
    for _ in range(WAITING_LIMIT + 9):
        heads[seat - 1] = Head(heads[seat - 1].length + 2, b"x" * 32)
        events.append(circle.forge(seat, LARGE, heads=tuple(heads), slot=slot))
    return events


def test_what_can_never_be_taken_in_leaves_room_for_what_counts() -> None:
    """Else one player could keep another one from going on: all others have moved on, and wait for that one."""
    circle = begun(4)
    liar = circle.mover
    victim = circle[liar % 4 + 1]
    circle.give(victim, *nonsense(circle, liar))
    assert len(victim.held.waiting) == WAITING_LIMIT
    for body in (bodies.Result(b""), bodies.Move("take 1")):
        circle.spread(circle.forge(liar, body))
    circle.settle()
    circle.meet()
    assert {table.fold.position.slot for table in circle.tables} == {circle[liar].fold.position.slot}
    assert not victim.fold.owing() or victim.fold.owing() == (circle.mover,)


def test_an_event_that_comes_first_and_late_makes_no_file_invalid() -> None:
    """Those after it come in with it as far as there is room; the others are dropped, and can be asked for again."""
    circle = begun(3)
    liar = 1
    events = flood(circle, liar, 60, LARGE)
    size = len(events[-1].raw)
    fit = AHEAD_BYTES // size
    assert 2 * AT_ONE_SLOT < fit < 59 < WAITING_LIMIT
    victim = circle[2]
    circle.give(victim, *events[1:])
    assert len(victim.held.waiting) == 59
    circle.give(victim, events[0])
    report = verify(circle.files[1], circle.verifier, scheme=circle.scheme)
    assert report.ok, report.error
    ahead = victim.held.chains[liar - 1][victim.fold.position.behind[liar - 1] :]
    assert AHEAD_BYTES - size < sum(len(one.raw) for one in ahead) <= AHEAD_BYTES
    assert take(victim, events[fit]) == [], "there is no room for it yet"
