"""A second look at a log: does every action follow from what the seats have signed? It knows nothing of the fold.

What follows: the author of a move signed it for the state before; a roll opens what all live seats had committed to;
slots follow each other; nobody's knowledge goes back; a seat that was left behind owes its leaving to everybody else.
"""

from typing import Any

from engine import CHANCE, Chance, Deal, Turn, digest
from protocol import Table, in_effect, takeback_target
from protocol.chance.salts import commitment, outcome
from protocol.events import EventKind, SignedEvent, bodies


def audit(table: Table) -> None:
    """Check what a table has come to. Raises AssertionError."""
    for chain in table.held.chains:
        for before, event in zip([None, *chain], chain, strict=False):
            _check_heads(table, before, event)
    step = -1
    epochs = {event.body.number for event in _all(table) if isinstance(event.body, bodies.Epoch)}
    for number, entry in enumerate(table.fold.log, 1):
        due = table.game.pending(entry.before)
        if entry.left_behind:
            assert epochs, f"seat {entry.actor} was left behind by nobody"
        elif (to := takeback_target(entry.actor, entry.action)) is not None:
            _check_takeback(table, number, to)
        elif entry.actor != CHANCE and entry.action != "resign":
            assert due == Turn(entry.actor), f"action {number} is out of turn"
            step = _moved(table, step, number)
        elif isinstance(due, Chance) and entry.actor == CHANCE and entry.action != "draw":
            find = _dealt if isinstance(due.draw, Deal) else _rolled
            step = find(table, entry, due, step, number)


def _check_takeback(table: Table, number: int, to: int) -> None:
    """A take-back undoes only what one operator's seats did, and each operator that played had signed it."""
    log = table.fold.log
    undone = [log[place] for place in in_effect(log[: number - 1]) if place >= to]
    assert undone, f"action {number} takes nothing back"
    assert all(entry.actor != CHANCE for entry in undone), f"action {number} takes chance back"
    assert len({table.operator(entry.actor) for entry in undone}) == 1, f"action {number} takes back two players"
    before = log[number - 1].before
    live = table.game.live(before)
    assert live == table.game.live(log[to].before), f"action {number} brings a seat back"
    assert not any(entry.action.startswith("deal") for entry in log[:number]), f"action {number} closes cards again"
    states = [
        before
    ]  # of several take-backs that have their place at once all were signed for the state before the first
    for entry in reversed(log[: number - 1]):
        if takeback_target(entry.actor, entry.action) is None:
            break
        states.append(entry.before)
    signed = [
        {
            table.operator(event.seat)
            for event in _for(table, (EventKind.TAKEBACK,), state, -1)
            if event.body == bodies.Takeback(to) and event.seat in live
        }
        for state in states
    ]
    assert {table.operator(seat) for seat in live} in signed, f"action {number} is not wished by all"


def _all(table: Table) -> list[SignedEvent]:
    return [event for chain in table.held.chains for event in chain]


def _check_heads(table: Table, before: SignedEvent | None, event: SignedEvent) -> None:
    """What an event names is held, and it names all that this had named; but for what seats signed that are out."""
    known = [head.length for head in event.heads]
    position = table.fold.position
    for at, (length, hash) in enumerate(event.heads):
        if length and (at + 1 in position.live or length <= position.behind[at]):
            named = table.held.chains[at][length - 1]
            assert named.hash == hash, "an event names another version"
            past = [head.length for head in named.heads]
            assert all(a <= b for a, b in zip(past, known, strict=True)), "an event's knowledge goes back"
    assert before is None or before.hash == event.heads[event.seat - 1].hash, "an event skips the one before"


def _for(table: Table, kinds: tuple[EventKind, ...], state: Any, after: int) -> list[SignedEvent]:
    """Events of some kinds that were signed for this state, at a slot later than that step."""
    wanted = digest(table.game, state)
    found = _all(table)
    return [event for event in found if event.kind in kinds and event.slot.step > after and event.digest == wanted]


def _moved(table: Table, after: int, number: int) -> int:
    """Return the step at which a move was made."""
    entry = table.fold.log[number - 1]
    found = []
    for event in _for(table, (EventKind.MOVE, EventKind.PLAY), entry.before, after):
        text = (
            event.body.card
            if isinstance(event.body, bodies.Play)
            else event.body.text
            if isinstance(event.body, bodies.Move)
            else ""
        )
        if (event.seat, text) == (entry.actor, entry.action):
            found.append(event)
    assert found, f"nobody signed action {number}, {entry.action}, for the state before it"
    return min(event.slot.step for event in found)


def _by_step(events: list[SignedEvent]) -> list[tuple[int, dict[int, SignedEvent]]]:
    """Return what seats gave at each step, in order; of what a seat gave the last, which knew most."""
    given: dict[int, dict[int, SignedEvent]] = {}
    for event in events:
        given.setdefault(event.slot.step, {})[event.seat] = event
    return sorted(given.items())


def _dealt(table: Table, entry: Any, due: Chance, after: int, number: int) -> int:
    """Return the step at which cards were dealt for good."""
    del due
    live = set(table.game.live(entry.before))
    steps = [
        step for step, given in _by_step(_for(table, (EventKind.SHARES,), entry.before, after)) if live <= set(given)
    ]
    assert steps, f"action {number} was dealt without a share of everybody"
    shuffles = {event.seat for event in _for(table, (EventKind.SHUFFLE,), entry.before, after)}
    assert live <= shuffles, f"action {number} was dealt without a shuffle of everybody"
    return steps[0]


def _rolled(table: Table, entry: Any, due: Chance, after: int, number: int) -> int:
    """Return the step at which a value was rolled: every live seat opens a commitment that it had signed before."""
    live = table.game.live(entry.before)
    bound = {seat: _commitments(table, seat) for seat in live}
    shown: dict[int, list[SignedEvent]] = {}
    for event in _for(table, (EventKind.REVELATION,), entry.before, after):
        shown.setdefault(event.slot.step, []).append(event)
    for step, events in sorted(shown.items()):
        for roll in range(len(table.fold.log) * 3 + 3):
            salts = [_salt(table, roll, events, seat, bound[seat]) for seat in live]
            if None not in salts and outcome(table.id, roll, live, due.draw, tuple(salts)) == entry.action:  # type: ignore[arg-type]
                return step
    raise AssertionError(f"action {number} is no outcome")


def _salt(
    table: Table, roll: int, events: list[SignedEvent], seat: int, bound: dict[int, dict[bytes, int]]
) -> bytes | None:
    """Return the salt that a seat shows for a roll, if an earlier commitment of it is to that salt."""
    for event in events:
        if event.seat == seat and isinstance(event.body, bodies.Revelation):
            for epoch, numbers in bound.items():
                if numbers.get(commitment(table.id, epoch, roll, seat, event.body.salt), event.number) < event.number:
                    return event.body.salt
    return None


def _commitments(table: Table, seat: int) -> dict[int, dict[bytes, int]]:
    """Return all that a seat has committed to: by epoch each hash, with the number of the first event that has it."""
    found: dict[int, dict[bytes, int]] = {}
    for event in table.held.chains[seat - 1]:
        match event.body:
            case bodies.Commitment(hash) | bodies.Revelation(_, hash):
                found.setdefault(event.slot.epoch, {}).setdefault(hash, event.number)
    return found
