"""What replicas, files and a third person come to: the same for all, or the test fails."""

import json
from random import Random
from typing import Any

import second_verifier
from kinds import expect
from replicas import FAST, Circle, replica, summary

from engine import Result, Turn
from protocol import SignedEvent, Table, verify
from protocol.cards.deck import MASKED_DECK, DeckScheme
from protocol.events import SlotKind
from protocol.identity import ED25519, Verifier
from protocol.table.fold import Fold
from protocol.table.position import Position
from protocol.transcript.proofs import Evidence
from protocol.transcript.verification import Report


def shuffled(table: Table, rng: Random, verifier: Verifier = FAST) -> Table:
    """A fresh replica that hears everything in any order, some of it twice, and again what it had no room for."""
    fresh = replica(table, verifier)
    while fresh.held.heads != table.held.heads or len(fresh.held.proofs) < len(table.held.proofs):
        proven = [(proof.kept.seat, proof.kept.number) for proof in fresh.held.proofs]
        events = table.held.lacking(fresh.held.heads, proven, fresh.fold.position.live, frozenset())
        assert events, "the replicas hold different things and cannot say which"
        events += rng.choices(events, k=len(events) // 4)
        rng.shuffle(events)
        for event in events:
            fresh.receive(event.raw, event.signature)
    return fresh


def alike(circle: Circle, *operators: int) -> Position:
    """The position of all replicas (or of those of some clients), and of fresh ones that hear all in other orders."""
    tables = [circle[operator] for operator in operators] or circle.tables
    for table in (*tables, *(shuffled(tables[0], Random(seed), circle.verifier) for seed in range(3))):
        assert summary(table) == summary(tables[0])
        assert table.fold.replayed() == table.fold.position.digest
    return tables[0].fold.position


def settled(circle: Circle) -> Position:
    """The position once all have heard everything and signed what they owe."""
    circle.meet()
    circle.settle()
    circle.meet()
    return alike(circle)


def verdict(circle: Circle) -> Report:
    """The report on every file, once all have heard everything: all files tell what all replicas hold."""
    position = settled(circle)
    reports = [verify(file, circle.verifier, scheme=circle.scheme) for file in circle.files]
    for report in reports:
        assert report.ok, report.error
        assert report == reports[0]
        assert all(cheat.reason.isprintable() for cheat in report.cheats)
    fold = circle.tables[0].fold
    assert (reports[0].result, reports[0].digest) == (fold.result, position.digest.hex())
    assert reports[0].finished or position.slot.kind == SlotKind.TURN
    return reports[0]


def caught(circle: Circle, *events: SignedEvent, words: str) -> Report:
    """The report on a game where a seat was caught by each of these events: the others play on, or one has won."""
    report = verdict(circle)
    assert {(one.seat, one.event, one.kind) for one in report.cheats} == {
        (event.seat, event.number, "breach") for event in events
    }
    assert all(words in one.reason for one in report.cheats)
    position = circle.tables[0].fold.position
    assert {cheat.event for cheat in position.cheats} == {event.hash for event in events}
    guilty = {event.seat for event in events}
    left = tuple(seat for seat in range(1, len(circle.charter.body.seats) + 1) if seat not in guilty)
    if len(left) == 1:
        assert report.result
        assert report.result.winners == left
    else:
        assert position.live == left
        assert isinstance(position.due, Turn)
    return report


def judged(data: bytes, verifier: Verifier = ED25519, scheme: DeckScheme = MASKED_DECK) -> dict[str, Any] | None:
    """What both verifiers find in a file, None for an invalid one; they must agree."""
    report = verify(data, verifier, scheme=scheme)
    try:
        second = second_verifier.verify(data)
    except second_verifier.Invalid:
        second = None
    if not report.ok:
        assert second is None, report.error
        return None
    assert second is not None, "the second verifier refuses the file"
    found = {name: value for name, value in report._asdict().items() if name != "evidence"}
    found |= {"result": report.result and report.result._asdict(), "cheats": [cheat[:3] for cheat in report.cheats]}
    assert second == json.loads(json.dumps(found))
    return second


def result_of(ended: Report | Fold) -> Result:
    """How a game that is to be over ended."""
    return expect(Result, ended.result)


def evidence_of(report: Report) -> Evidence:
    """What a file proves of which a part is good."""
    return expect(Evidence, report.evidence)


def error_of(report: Report) -> str:
    """What is wrong with a file that is not to be valid."""
    return expect(str, report.error)
