"""Files of tables with one signer: what they prove, and that nothing but what happened stands in them."""

from random import Random
from typing import Any

import pytest
from replicas import (
    IDENTITIES,
    local_table,
    play_locally,
)
from sample_games import altered
from verdicts import evidence_of

from protocol import Table, charter_record, event_record, verify
from protocol.events import Proof, bodies, make_event
from protocol.file import proof_record


@pytest.mark.parametrize("key", ["fidchess", "kingamon"])
def test_a_local_game_verifies(key: str) -> None:
    """Solo and hot-seat: rules and signature hold, and nothing proves how chance was made."""
    table = local_table(key)
    data = play_locally(table, Random(3))
    report = verify(data)
    assert report.ok
    assert report.finished
    assert report.result == table.fold.result
    assert report.signed_by == (1,)
    assert (evidence_of(report).clients, evidence_of(report).rolls) == (1, ())


def local_file(plies: int) -> tuple[Table, bytes]:
    table = local_table("fidchess", {"first": 1})
    return table, play_locally(table, Random(1), plies)


def locally(table: Table, body: Any) -> bytes:
    """The record of one more event of a local table."""
    position = table.fold.position
    return event_record(make_event(IDENTITIES[0], table.id, 1, table.held.heads, position.slot, position.digest, body))


@pytest.mark.parametrize(
    ("actor", "text"), [(1, "A2-A9"), (2, "resign now"), (0, "first 1"), (5, "resign"), (1, ""), (0, "1-1")]
)
def test_an_unlawful_action_in_a_local_file_is_found(actor: int, text: str) -> None:
    """With one signer nothing is contested: an action that the rules refuse makes the file invalid."""
    table, data = local_file(3)
    report = verify(data + locally(table, bodies.Act(actor, text)))
    assert not report.ok
    assert "event 4 of the file: number 4 of seat 1 is not lawful" in str(report.error)
    assert (report.events, report.signed_events) == (3, 3)


@pytest.mark.parametrize(
    "body",
    [bodies.Resign(), bodies.Result(b""), bodies.Commitment(bytes(32)), bodies.Move("A2-A3"), bodies.Epoch(1, ())],
)
@pytest.mark.parametrize("first", [1, "random"])
def test_an_event_without_effect_in_a_local_file_is_found(body: Any, first: int | str) -> None:
    """A local file holds what happened and nothing else, so that nothing unlawful can hide behind it."""
    table = local_table("fidchess", {"first": first})
    report = verify(charter_record(table.charter) + locally(table, body))
    assert not report.ok
    assert "event 1 of the file" in str(report.error)


def ended_locally() -> tuple[Table, bytes]:
    table = local_table("fidchess", {"first": 1})
    data = charter_record(table.charter) + event_record(table.act(1, "resign"))
    return table, data


def test_a_second_confirmation_in_a_local_file_is_found() -> None:
    table, data = ended_locally()
    data += b"".join(map(event_record, table.duties()))
    assert verify(data).ok
    assert verify(data).signed_by == (1,)
    assert not verify(data + locally(table, bodies.Result(b""))).ok


def test_two_versions_of_an_action_in_a_local_file_are_found() -> None:
    """`verify` never raises: the one signer of a local file can sign two versions like anybody else."""
    table, data = local_file(1)
    (kept,) = table.held.chains[0]
    place = (kept.heads, kept.slot, kept.digest)
    other = make_event(IDENTITIES[0], table.id, 1, *place, bodies.Act(2, "resign"))
    assert not verify(data + proof_record(Proof(kept, other))).ok
    report = verify(data + event_record(other))  # while both seats still play
    assert "in the file twice, or in two versions" in (report.error or "")


def test_a_confirmation_that_carries_something_in_a_local_file_is_found() -> None:
    """No hand is hidden from the one who plays alone, so there is none to be shown."""
    table, data = ended_locally()
    assert verify(data + locally(table, bodies.Result(b""))).ok
    assert not verify(data + locally(table, bodies.Result(bytes(96)))).ok


def test_every_altered_byte_of_a_local_file_is_found() -> None:
    _, data = local_file(2)
    for at in range(len(data)):
        assert not verify(altered(data, at, 1 << at % 8)).ok
