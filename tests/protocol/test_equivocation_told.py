"""Two versions of one event on their way: floods of them cost little, and each client comes to hold the proof."""

import time
from random import Random

import pytest
from clients import clients, id_of, of
from equivocating import NOTHING, anew, begun, settled, verdict_of, versions
from replicas import FAST, FAST_SIGNERS, FastVerifier, events_of, replica
from verdicts import result_of

from protocol import Caught, Send, Store, Table, message_bytes, read_message
from protocol.events import Leaving, bodies
from protocol.messages import Have
from protocol.table.equivocation import PROOFS_KEPT
from protocol.table.held import AHEAD_LIMIT, AT_ONE_SLOT


class CountingVerifier(FastVerifier):
    """Counts the signatures that it is asked to check."""

    def __init__(self) -> None:
        self.checked = 0

    def verify(self, id: bytes, message: bytes, signature: bytes) -> bool:
        self.checked += 1
        return super().verify(id, message, signature)


# Without end: memory, time, events.


def test_a_flood_of_versions_costs_a_few_proofs_and_checks() -> None:
    """One seat signs as many events as are taken in, then other versions of all of them, downwards."""
    circle = begun(5, moves=2)
    table = Table(circle.charter, {3: FAST_SIGNERS[2]}, None, counting := CountingVerifier(), circle.scheme)
    for event in events_of(circle[3]):
        table.receive(event.raw, event.signature)
    heads, slot = table.held.heads, table.fold.position.slot
    chain = []
    for count in range(240):
        later = slot._replace(step=slot.step + 9 + count // AT_ONE_SLOT)
        chain.append(circle.forge(1, bodies.Wish(0), heads=heads, slot=later))
        heads = chain[-1].heads_after
    others = [anew(circle, event, bodies.Wish(1)) for event in reversed(chain)]
    checked, began = counting.checked, time.process_time()
    for event in chain:
        table.receive(event.raw, event.signature)
    assert len(table.held.chains[0]) - table.fold.position.behind[0] <= AHEAD_LIMIT
    assert counting.checked - checked <= AHEAD_LIMIT
    checked = counting.checked
    for event in others:
        table.receive(event.raw, event.signature)
    assert len(table.held.proofs) == PROOFS_KEPT
    assert counting.checked - checked == PROOFS_KEPT
    assert time.process_time() - began < 5.0
    assert table.fold.result


def test_a_flood_of_settled_versions_costs_a_few_proofs() -> None:
    circle = begun(3, moves=20)
    checked = [event for event in circle[3].held.chains[0] if settled(circle[3], event)]
    assert len(checked) > 15
    for event in reversed(checked):
        circle.spread(anew(circle, event))
    assert len(circle[3].held.proofs) == PROOFS_KEPT
    assert circle[3].fold.result is None
    circle.play(Random(1), circle[1].fold.position.plies + 3)
    report = verdict_of(circle)
    assert [one.kind for one in report.cheats] == ["equivocation"] * PROOFS_KEPT


def test_agreements_without_end_are_bounded_and_hold_nobody_up() -> None:
    """A seat signs one agreement after the other: only so many are taken in, and the others play on."""
    circle = begun(3, moves=2)
    seat = next(one for one in (1, 2, 3) if one != circle.mover)
    began = time.process_time()
    for number in range(1, 200):
        circle.spread(circle.forge(seat, bodies.Epoch(number, ()), slot=circle[circle.mover].fold.position.slot))
    other = circle[circle.mover]
    ahead = len(other.held.chains[seat - 1]) - other.fold.position.behind[seat - 1]
    assert ahead <= AHEAD_LIMIT
    assert len(other.fold.agreements) <= AHEAD_LIMIT
    assert time.process_time() - began < 10.0
    plies = other.fold.position.plies
    circle.spread(other.own.play(circle.mover, "take 1"))
    assert other.fold.position.plies > plies
    assert seat in other.fold.owing(), "it has promised to sign nothing more in this epoch"


def test_two_agreements_with_one_number_of_an_event_are_two_versions() -> None:
    circle = begun(3)
    leaving = (Leaving(3, 0, b""),)
    for body in (bodies.Epoch(1, ()), bodies.Epoch(1, leaving)):
        circle.spread(circle.forge(2, body, heads=(NOTHING,) * 3))
    assert result_of(circle[1].fold).reason == "ben signed two versions of an event"


# How it comes to all.


def test_two_holders_of_two_versions_find_them() -> None:
    """A seat shows each peer another move: as soon as these two compare what they hold, both have the proof on disk."""
    table = clients("pebbles", 3, linked=False)
    one, other = versions(table.forger, 1)
    table.do(2, table.tell(2, one, 1))
    table.do(3, table.tell(3, other, 1))
    table.link(2, 3)
    table.wait(6)
    for operator in (2, 3):
        held = table[operator].table.held
        assert [proof.kept.seat for proof in held.proofs] == [1]
        assert of(Caught, table.told[operator]) == [Caught(1, "signed two versions of its event 1")]
        assert result_of(table[operator].table.fold).winners == ()
    report = table.check(2)
    assert [(one.seat, one.kind) for one in report.cheats] == [(1, "equivocation")]


def test_a_proof_reaches_all_and_is_stored_once() -> None:
    table = clients("pebbles", 4)
    one, other = versions(table.forger, 1)
    table.leave(1)
    table.do(2, table.tell(2, one, 1))
    table.do(2, table.tell(2, other, 1))
    table.wait(10)
    for operator in (2, 3, 4):
        assert len(table[operator].table.held.proofs) == 1
        assert len(of(Caught, table.told[operator])) == 1
        table.check(operator)


def test_a_proof_is_on_disk_before_it_is_passed_on() -> None:
    table = clients("pebbles", 3)
    one, other = versions(table.forger, 1)
    table.do(2, table.tell(2, one, 1))
    effects = table.tell(2, other, 1)
    assert isinstance(effects[0], Store)
    assert effects[0].sync
    sent = [read_message(effect.data) for effect in of(Send, effects)]
    assert any((other.raw, other.signature) in getattr(message, "events", ()) for message in sent)


def test_a_resumed_client_does_not_store_its_proof_again() -> None:
    """A second record of one proof would make its file invalid."""
    table = clients("pebbles", 3, linked=False)
    one, other = versions(table.forger, 1)
    for event in (one, other):
        table.do(2, table.tell(2, event, 1))
    node = table.resume(2)
    before = table.disks[2]
    for event in (one, other):
        table.do(2, table.tell(2, event, 1))
    assert table.disks[2] == before
    assert len(node.table.held.proofs) == 1
    table.check(2)


def test_a_client_is_done_once_all_that_are_linked_hold_the_proof() -> None:
    """Seat 4 is away and has named neither version: the game is over for those who hold both."""
    table = clients("pebbles", 4)
    one, other = versions(table.forger, 1)
    table.leave(1)
    table.leave(4)
    for event in (one, other):
        table.do(2, table.tell(2, event, 1))
    table.wait(6)
    assert table[2].done(table.now)
    assert table[3].done(table.now)
    assert table[2].table.confirmed() == ()


def test_a_peer_that_says_it_holds_no_proof_is_told() -> None:
    table = clients("pebbles", 3)
    for event in versions(table.forger, 1):
        table.do(2, table.tell(2, event, 1))
    held = table[2].table.held
    said = message_bytes(Have(table[2].table.id, held.heads))
    answer = of(Send, table[2].receive(id_of(3), said, table.now + 9.0))
    told = {pair for effect in answer for pair in getattr(read_message(effect.data), "events", ())}
    assert {(event.raw, event.signature) for event in held.proofs[0]} <= told


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_heard_first_the_game_has_ended_alike(seed: int) -> None:
    """Which version is held depends on the order; how the game ended does not."""
    circle = begun(4, moves=3)
    for event in (circle.forge(2, bodies.Wish(0)), circle.forge(2, bodies.Wish(1))):
        circle.spread(event)
    (proof,) = circle[1].held.proofs
    events, rng = [*events_of(circle[1]), proof.other], Random(seed)
    fresh = replica(circle[1], FAST)
    for _ in range(20):
        rng.shuffle(events)
        for event in events:
            fresh.receive(event.raw, event.signature)
    assert fresh.fold.result == circle[1].fold.result
    assert fresh.fold.log == circle[1].fold.log
