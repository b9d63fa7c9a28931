"""A second look at a log: does every action follow from what the seats have signed? It knows nothing of the fold.

What follows: the author of a move signed it for the state before; a roll opens what all live seats had committed to at
one slot; slots follow each other; nobody's knowledge goes back; cards dealt to different seats differ.
"""

from itertools import takewhile
from typing import Any, NamedTuple

from engine import CHANCE, Chance, Deal, Turn, digest
from protocol import Table
from protocol._event import (
    COMMIT,
    COMMITMENT,
    MOVE,
    OPENING,
    REVEAL,
    REVELATION,
    SHARES,
    SHARING,
    SHUFFLE,
    SignedEvent,
    Slot,
)
from protocol._fair import Drawing, commitment, commitments_hash, outcome


class Rolled(NamedTuple):
    """A roll that was made: the slot in which salts were shown, and what showed each seat's."""

    slot: Slot
    shown: dict[int, SignedEvent]


def audit(table: Table) -> None:
    """Check what a table has come to. Raises AssertionError."""
    whole = [
        min((n for seat, n in table.forked if seat == at), default=2**31) for at in range(1, len(table.chains) + 1)
    ]
    for chain in table.chains:
        for before, event in zip([None, *chain], chain, strict=False):
            _check_heads(table, whole, before, event)
    step = -1
    moves: list[SignedEvent] = []
    rolled: Rolled | None = None
    for number, entry in enumerate(table.fold.log, 1):
        due = table.game.pending(entry.before)
        if entry.actor != CHANCE and entry.action != "resign":
            assert due == Turn(entry.actor), f"action {number} is out of turn"
            moves = _moved(table, step, number)
            step = moves[0].slot.step
        elif isinstance(due, Chance) and entry.actor == CHANCE and entry.action != "draw":
            if isinstance(due.draw, Deal):
                step = _dealt(table, entry, step, number)
            else:
                rolled = _rolled(table, entry, due, step, number, rolled, moves)
                step = rolled.slot.step
            moves = []
        else:
            moves = []


def _check_heads(table: Table, whole: list[int], before: SignedEvent | None, event: SignedEvent) -> None:
    """What an event names is held, and it names all that this had named, as far as no seat signed two versions.

    `whole` are the first numbers of which two versions are known.
    """
    known = [head.length for head in event.heads]
    for at, (length, hash) in enumerate(event.heads):
        if length and length < whole[at]:
            named = table.chains[at][length - 1]
            assert named.hash == hash, "an event names another version"
            past = [min(head.length, end - 1) for head, end in zip(named.heads, whole, strict=True)]
            assert all(a <= b for a, b in zip(past, known, strict=True)), "an event's knowledge goes back"
    assert before is None or before.hash == event.heads[event.seat - 1].hash, "an event skips the one before"


def _for(table: Table, kind: int, state: Any, after: int) -> list[SignedEvent]:
    """Events of a kind that were signed for this state, at a slot later than that step.

    Those that go on from another version come last: the same again, signed for the version held, takes their place.
    """
    wanted = digest(table.game, state)
    found = [
        event
        for chain in table.chains
        for event in chain
        if event.kind == kind and event.slot.step > after and event.digest == wanted
    ]
    return sorted(found, key=lambda event: _elsewhere(table, event))


def _elsewhere(table: Table, event: SignedEvent) -> bool:
    """Return whether an event goes on from another version of what a seat signed twice than the one held."""
    named = [(event.heads[kept.seat - 1], kept) for kept, _ in table.forks]
    return any(
        length >= kept.number and hash not in [one.hash for one in table.chains[kept.seat - 1][length - 1 : length]]
        for (length, hash), kept in named
    )


def _moved(table: Table, after: int, number: int) -> list[SignedEvent]:
    """Return the event by which a move was made: for the state before it, or that before resignations it names.

    After it come others that say the same, if its author has signed it again: the first may have come too late.
    """
    entry, *earlier = reversed(table.fold.log[:number])
    resigned = takewhile(lambda one: one.action == "resign", earlier)
    found = [
        event
        for state in (entry.before, *(one.before for one in resigned))
        for event in _for(table, MOVE, state, after)
        if (event.seat, event.body[0]) == (entry.actor, entry.action)
    ]
    assert found, f"nobody signed action {number}, {entry.action}, for the state before it"
    return sorted(found, key=lambda event: event.slot.step)


def _given(table: Table, entry: Any, kind: int, place: int, after: int) -> list[tuple[Slot, dict[int, SignedEvent]]]:
    """Return what seats gave to each slot of a kind, in the order of the slots."""
    given: dict[Slot, dict[int, SignedEvent]] = {}
    for event in _for(table, kind, entry.before, after):
        if event.slot.kind == place:
            given.setdefault(event.slot, {}).setdefault(event.seat, event)
    return sorted(given.items())


def _dealt(table: Table, entry: Any, after: int, number: int) -> int:
    """Return the step at which cards were dealt for good."""
    live = set(table.game.live(entry.before))
    slots = [slot for slot, events in _given(table, entry, SHARES, SHARING, after) if live <= set(events)]
    assert slots, f"action {number} was dealt without a share of everybody"
    shuffles = {event.seat for event in _for(table, SHUFFLE, entry.before, after)}
    assert live <= shuffles, f"action {number} was dealt without a shuffle of everybody"
    return slots[0].step


def _rolled(
    table: Table, entry: Any, due: Chance, after: int, number: int, before: Rolled | None, moves: list[SignedEvent]
) -> Rolled:
    """Return how a value was rolled: all had committed to their salts in the slot before, or with the roll `before`."""
    live = table.game.live(entry.before)
    for place, given in _given(table, entry, REVELATION, REVEAL, after):
        revealed = {seat: event for seat, event in given.items() if seat in live}  # whoever has left may go on signing
        slot = place._replace(step=place.step - 1, kind=COMMIT)
        drawing = Drawing(table.id, slot, live)
        first = _first(table, entry, slot, live)
        opened = {seat: event for seat, event in first.items() if event.kind == OPENING}
        if len(opened) < 2 and _opens(entry, due, drawing, drawing, first, revealed | opened):
            return Rolled(place, revealed | opened)
        if before and tuple(sorted(before.shown)) == live:
            ahead, drawing = Drawing(table.id, before.slot, live), Drawing(table.id, place, live)
            led = {one.seat: one for one in moves if len(one.body) == 4 and one.slot.step == place.step - 1}
            if _opens(entry, due, drawing, ahead, before.shown, revealed | led):
                return Rolled(place, revealed | led)
    raise AssertionError(f"action {number} is no outcome")


def _first(table: Table, entry: Any, slot: Slot, live: tuple[int, ...]) -> dict[int, SignedEvent]:
    """Return what the seats gave first to a roll: commitments, or an opening that names those of all the others."""
    first: dict[int, SignedEvent] = {}
    for event in _for(table, COMMITMENT, entry.before, slot.step - 1):
        if event.slot == slot:
            first.setdefault(event.seat, event)
    committed = dict(first)
    for event in _for(table, OPENING, entry.before, slot.step - 1):
        others = [committed.get(seat) for seat in live if seat != event.seat]
        named = [one is not None and one.number <= event.heads[one.seat - 1].length for one in others]
        own = first.get(event.seat)
        if event.slot == slot and all(named) and (own is None or event.number < own.number or _elsewhere(table, own)):
            first[event.seat] = event
    return first


def _opens(
    entry: Any,
    due: Chance,
    drawing: Drawing,
    bound: Drawing,
    first: dict[int, SignedEvent],
    shown: dict[int, SignedEvent],
) -> bool:
    """Return whether the salts open what was committed to first, and give the value drawn."""
    live = drawing.live
    if not set(live) <= set(first) or not set(live) <= set(shown):
        return False
    salts = []
    for seat in live:
        opens = shown[seat].kind == OPENING
        answered = [first[other].hash for other in live if not opens or other != seat]
        salt, answer, _ = shown[seat].body[-3:]
        if not isinstance(salt, bytes) or answer != commitments_hash(drawing, tuple(answered)):
            return False
        if not opens and commitment(bound, seat, salt) != first[seat].body[-1]:
            return False
        salts.append(salt)
    return outcome(drawing, due.draw, tuple(salts)) == entry.action
