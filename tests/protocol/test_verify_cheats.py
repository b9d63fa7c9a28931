"""What `verify` makes of events without effect, of too many of them, and of cheats: each as seat, event and kind."""

from random import Random
from unittest.mock import Mock

import pytest
from fast_deck import FAST_DECK
from replicas import (
    FAST,
    Circle,
    circle_of,
)
from sample_games import FILE, altered, game
from verdicts import error_of, evidence_of, result_of
from whist import play_to, revoke, whist

from protocol import CheatKind, SignedEvent, event_record, verify
from protocol.events import EventBody, Leaving, Proof, bodies, make_event
from protocol.file import proof_record
from protocol.table import path
from protocol.table.epochs import enter
from protocol.table.equivocation import PROOFS_KEPT
from protocol.table.held import AGREEMENTS_AT_ONE_SLOT, AHEAD_BYTES, AHEAD_LIMIT, AT_ONE_SLOT
from protocol.transcript import FoundCheat

# Events that are signed and do nothing.


def also(circle: Circle, *said: EventBody, digest: bytes | None = None) -> bytes:
    """The file of seat 1 with more events of seat 2, that are nobody's client's."""
    file = circle.files[0]
    for body in said:
        event = circle.forge(2, body, at=circle[1], digest=digest)
        circle.give(circle[1], event)
        file += event_record(event)
    return file


NOTHING: dict[str, tuple[EventBody, bytes | None]] = {
    "a wrong digest": (bodies.Move("A2-A3"), bytes(32)),
    "a commitment that nobody asked for": (bodies.Commitment(bytes(32)), None),
    "a result before the end": (bodies.Result(b""), None),
    "a wish that is taken back before it was made": (bodies.Wish(0), None),
    "an action of a local table": (bodies.Act(2, "resign"), None),
    "an agreement with oneself": (bodies.Epoch(1, ()), None),
}


@pytest.mark.parametrize("name", NOTHING)
def test_an_event_without_effect_is_signed_and_does_nothing(name: str) -> None:
    """It is no fault of the file, and no cheat: counted among the signed events, and nowhere else."""
    circle = game("fidchess", 3)
    body, digest = NOTHING[name]
    if isinstance(body, bodies.Epoch):  # without the other one
        body = bodies.Epoch(1, (Leaving(1, *circle[1].held.heads[0]),))
    report = verify(also(circle, body, digest=digest))
    before = verify(FILE)
    assert report.ok, report.error
    assert (report.digest, report.events, report.result, report.cheats) == (before.digest, before.events, None, ())
    assert report.signed_events == before.signed_events + 1


def ahead(
    circle: Circle, number: int, body: bodies.Commitment | bodies.Result | bodies.Wish
) -> tuple[bytes, list[SignedEvent]]:
    """The file of seat 1, and events of seat 2 behind each other that do nothing, as many for a slot as may be."""
    file, chain, heads = circle.files[0], [], circle[1].held.heads
    position = circle[1].fold.position
    for count in range(number):
        slot = position.slot._replace(step=position.slot.step + count // AT_ONE_SLOT)
        event = make_event(circle.signers[1], circle.charter.table, 2, heads, slot, position.digest, body)
        heads = event.heads_after
        chain.append(event)
    return file, chain


def test_events_far_ahead_of_the_game_are_refused_in_files_as_well() -> None:
    """The limits of a live table hold for files, so no signed nonsense makes a file slow to verify."""
    circle = game("fidchess", 3, fast=True)
    file, chain = ahead(circle, AHEAD_LIMIT + 2, bodies.Commitment(bytes(32)))
    behind = circle[1].fold.position.behind[1]
    most = behind + AHEAD_LIMIT - len(circle[1].held.chains[1])
    good = file + b"".join(map(event_record, chain[:most]))
    assert verify(good, FAST).ok
    report = verify(good + event_record(chain[most]), FAST)
    assert report.error
    assert f"more than {AHEAD_LIMIT} events ahead of what lies behind" in error_of(report)


def test_bytes_far_ahead_of_the_game_are_refused_in_files_as_well() -> None:
    """A few of the longest events weigh as much as many short ones."""
    circle = game("fidchess", 3, fast=True)
    long = bodies.Result(bytes(96 * 66))
    file, chain = ahead(circle, AHEAD_BYTES // (96 * 66) + 2, long)
    size = sum(len(event.raw) for event in circle[1].held.chains[1][circle[1].fold.position.behind[1] :])
    most = 0
    while most < len(chain) and size + len(chain[most].raw) <= AHEAD_BYTES:
        size += len(chain[most].raw)
        most += 1
    assert 10 < most < len(chain) < AHEAD_LIMIT
    good = file + b"".join(map(event_record, chain[:most]))
    assert verify(good, FAST).ok
    assert "more than may be ahead" in error_of(verify(good + event_record(chain[most]), FAST))


def test_a_file_full_of_events_without_effect_verifies() -> None:
    """What seats may sign without effect between two moves changes nothing of what is played."""
    circle = circle_of("pebbles", 2, first=1, pile=99)
    for _ in range(3):
        _, chain = ahead(circle, AT_ONE_SLOT - 1, bodies.Wish(0))
        for event in chain:
            circle.spread(event)
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    report = verify(circle.files[0], FAST)
    assert report.ok
    assert report.signed_events > report.events + 3 * (AT_ONE_SLOT - 2)


def test_agreements_of_one_seat_are_not_tried_with_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that goes on without everybody else, again and again: what nobody else makes valid costs nothing."""
    circle = circle_of("pebbles", 3, first=1)
    table, file = circle[1], circle.files[0]
    others = tuple(Leaving(seat, *table.held.heads[seat - 1]) for seat in (1, 3))
    for number in range(1, AGREEMENTS_AT_ONE_SLOT + 1):
        event = circle.forge(2, bodies.Epoch(number, others), at=table)
        circle.give(table, event)
        file += event_record(event)
    tried = Mock(wraps=enter)
    monkeypatch.setattr(path, "enter", tried)
    report = verify(file, FAST)
    assert (report.ok, report.signed_events, report.events) == (True, AGREEMENTS_AT_ONE_SLOT, 0)
    tried.assert_not_called()


def test_a_seat_may_sign_only_so_much_for_one_slot() -> None:
    """More than that is nonsense, and would move its author beyond what a client takes in that waits for others."""
    circle = game("fidchess", 3, fast=True)
    file, chain = ahead(circle, AT_ONE_SLOT, bodies.Wish(0))
    file += b"".join(map(event_record, chain))
    assert verify(file, FAST).ok
    position, heads = circle[1].fold.position, chain[-1].heads_after
    place = (heads, position.slot, position.digest)
    for body, fine in ((bodies.Wish(0), False), (bodies.Epoch(1, ()), True)):
        more = make_event(circle.signers[1], circle.charter.table, 2, *place, body)
        assert verify(file + event_record(more), FAST).ok == fine


# Cheats, as seat, event and kind.


def test_a_breach_is_listed_by_seat_event_and_kind() -> None:
    """`verify` tells a program, not only a reader, who did what: the number is that of the evidence in its chain."""
    circle = game("fidchess", 3)
    event = circle.forge(circle.mover, bodies.Move("A1-A9"), at=circle[1])
    circle.spread(event)
    report = verify(circle.files[0])
    (cheat,) = report.cheats
    assert (cheat.seat, cheat.event, cheat.kind) == (event.seat, event.number, "breach")
    assert cheat.reason.startswith("an unlawful move: ")


def test_a_revoke_in_a_hand_that_was_opened_is_listed_by_its_kind() -> None:
    circle = play_to(whist(2), 0)
    guilty = revoke(circle, 2, 10)
    while circle.mover != 1:
        guilty += revoke(circle, 2, len(circle[1].state.plays) + 1)
    assert guilty
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    report = verify(circle.files[0], FAST, scheme=FAST_DECK)
    assert {(one.seat, one.event, one.kind) for one in report.cheats} == {
        (2, event.number, "revoke") for event, _ in guilty
    }


def equivocated(circle: Circle) -> tuple[SignedEvent, ...]:
    """Two versions of a move; the first one stands in the file of seat 1."""
    seat = circle.mover
    legal = circle[1].game.legal(circle[1].state, seat)
    kept, other = (circle.forge(seat, bodies.Move(move), at=circle[1]) for move in legal[:2])
    circle.give(circle[1], kept)
    return kept, other


def test_a_proof_of_equivocation_is_listed_and_ends_the_game() -> None:
    """The file stays valid: it records a cheat, says by whom, and what followed: of two players the other has won."""
    circle = game("fidchess", 3)
    kept, other = equivocated(circle)
    report = verify(circle.files[0] + proof_record(Proof(kept, other)))
    assert report.ok
    assert report.cheats == (FoundCheat(kept.seat, kept.number, CheatKind.EQUIVOCATION, "two versions of it"),)
    assert (report.finished, result_of(report).winners) == (True, (3 - kept.seat,))
    assert result_of(report).reason == f"{('anna', 'ben')[kept.seat - 1]} signed two versions of an event"
    assert evidence_of(report).table.fold.broken
    assert report.signed_by == ()


def test_a_proof_about_what_is_settled_is_listed_and_changes_nothing() -> None:
    """A finished game stays finished, and who won has won."""
    circle = circle_of("pebbles", 2, first=1)
    circle.play(Random(1))
    before = verify(circle.files[0], FAST)
    kept = circle[1].held.chains[0][0]
    other = circle.forge(1, bodies.Resign(), heads=kept.heads, slot=kept.slot, digest=kept.digest)
    report = verify(circle.files[0] + proof_record(Proof(kept, other)), FAST)
    assert report.ok
    assert report.cheats == (FoundCheat(1, 1, CheatKind.EQUIVOCATION, "two versions of it"),)
    assert (report.result, report.digest, report.signed_by) == (before.result, before.digest, before.signed_by)
    assert before.finished


@pytest.mark.many
def test_a_proof_must_prove() -> None:
    """A false accusation: the same version twice, an unsigned one, another number, or one whose first is not held."""
    circle = game("fidchess", 3)
    kept, other = equivocated(circle)
    file = circle.files[0]
    earlier = circle[1].held.chains[kept.seat - 1][0]
    lies = {
        "the same twice": Proof(kept, kept),
        "unsigned": Proof(kept, other._replace(signature=bytes(64))),
        "the first unsigned": Proof(kept._replace(signature=bytes(64)), other),
        "another number": Proof(earlier, other),
        "the wrong way round": Proof(other, kept),
    }
    for name, lie in lies.items():
        report = verify(file + proof_record(lie))
        assert (report.ok, report.cheats) == (False, ()), name
    proof = proof_record(Proof(kept, other))
    assert not verify(circle.files[1] + proof).ok, "the first version does not stand in this file"
    assert not verify(file + proof + proof).ok, "the proof stands in the file twice"
    for at in range(len(proof)):
        assert not verify(file + altered(proof, at, 1 << at % 8)).ok


def test_two_versions_as_events_are_refused() -> None:
    """A file shows one history: the other version stands there as a proof or not at all."""
    circle = game("fidchess", 3)
    _, other = equivocated(circle)
    report = verify(circle.files[0] + event_record(other))
    assert not report.ok
    assert "two versions" in error_of(report)
    assert (report.finished, report.cheats) == (False, ()), "the report tells of what stands before it"


def test_a_proof_that_a_client_kept_while_it_waited_stands_in_a_valid_file() -> None:
    """It has signed an agreement and closes no slot; by its file alone a seat has left, and the event is settled."""
    circle = circle_of("pebbles", 5, first=1, pile=60)
    for _ in range(2):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    waits, guilty, mover, quits = 1, 2, 3, 4
    settled = circle[waits].held.chains[guilty - 1][0]
    circle.spread(again(circle, settled))
    assert circle[waits].held.proofs
    before = circle[quits].held.heads
    wish = circle.forge(guilty, bodies.Wish(1))
    circle.spread(wish)
    circle.spread(circle.forge(quits, bodies.Resign(), heads=before))
    leaving = Leaving(mover, *circle[waits].held.heads[mover - 1])
    circle.give(circle[waits], *(signed := circle[waits].own.agree(1, (leaving,))))
    circle.spread(signed[0])
    circle.spread(*circle.owed(circle[mover]))
    circle.spread(circle[5].own.wish_draw(5, True))
    assert quits in circle[waits].fold.position.live
    assert quits not in circle[5].fold.position.live
    circle.give(circle[waits], again(circle, wish))
    assert len(circle[waits].held.proofs) == 2
    report = verify(circle.files[0], circle.verifier, scheme=circle.scheme)
    assert report.ok, report.error


def test_a_proof_that_is_not_kept_stands_in_a_valid_file() -> None:
    circle = circle_of("pebbles", 2, first=1, pile=60)
    for _ in range(2 * PROOFS_KEPT + 4):
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    settled = circle[1].held.chains[0][: PROOFS_KEPT + 1]
    proofs = [proof_record(Proof(event, again(circle, event))) for event in settled]
    report = verify(circle.files[0] + b"".join(proofs), circle.verifier, scheme=circle.scheme)
    assert report.ok, report.error
    assert len(report.cheats) == PROOFS_KEPT


def again(circle: Circle, event: SignedEvent) -> SignedEvent:
    """Another version of an event."""
    place = event.table, event.seat, event.heads, event.slot, event.digest
    return make_event(
        circle.signers[event.seat - 1], *place, bodies.Wish(0) if event.body == bodies.Wish(1) else bodies.Wish(1)
    )
