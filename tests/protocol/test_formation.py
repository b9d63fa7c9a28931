"""How clients agree on a charter: every order of messages, every lie, every altered byte."""

from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest
from forming import agree
from forming_clients import BODY, clients
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import FAST_SIGNERS, IDENTITIES, body_of

from engine import MalformedError, blake, encode
from protocol import (
    Formation,
    FormationError,
)
from protocol.formation.charter import COMMITMENT_BYTES, nonce_commitment, sign_charter, sign_commitment

COMMITMENTS, NONCES, SIGNATURES = range(1, 4)
"""Where the parts of what a client states stand in its message."""


def pair() -> list[Formation]:
    return clients(BODY, 2)


def part(formation: Formation, number: int) -> tuple[Any, ...]:
    """One part of what a client states: COMMITMENTS, NONCES or SIGNATURES, an entry for each seat."""
    return expect(tuple, formation.message()[number])


def known(formation: Formation, number: int) -> list[bool]:
    """For which seats a client states that part."""
    return [item is not None for item in part(formation, number)]


@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_order_of_messages_leads_to_one_charter(seats: int, seed: int) -> None:
    """Delay, repetition and old messages: whoever hears what when, all sign the same charter."""
    rng = Random(seed)
    body = body_of("pebbles", seats, signers=FAST_SIGNERS)
    group = clients(body, seats, fast=True)
    heap = [(receiver, sender.message()) for sender in group for receiver in group if sender is not receiver]
    while heap:
        receiver, message = heap[rng.randrange(len(heap))]
        if rng.random() < 0.7:
            heap.remove((receiver, message))
        if receiver.merge(message):
            heap += [(other, receiver.message()) for other in group if other is not receiver]
    assert len({formation.charter for formation in group}) == 1
    assert group[0].charter == agree(clients(body, seats, fast=True)), "the order of messages changed the charter"
    assert not group[0].missing


def test_a_chain_of_links_is_enough() -> None:
    """Clients linked only in a row: what each states travels through the others."""
    body = body_of("pebbles", 5)
    group = clients(body, 5)
    for _ in range(12):
        for a, b in pairwise(group):
            b.merge(a.message())
            a.merge(b.message())
    assert len({formation.charter for formation in group}) == 1
    assert group[0].charter is not None


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_no_nonce_before_all_commitments(order: tuple[int, ...]) -> None:
    """A seat that could see a nonce before it commits could choose the table id and forge the words read
    aloud."""
    body = body_of("pebbles", 3)
    group = clients(body, 3)
    hub = group[order[0]]
    assert known(hub, NONCES) == [False] * 3
    hub.merge(group[order[1]].message())
    assert known(hub, NONCES) == [False] * 3
    assert known(hub, SIGNATURES) == [False] * 3
    hub.merge(group[order[2]].message())
    assert sum(known(hub, NONCES)) == 1, "only the own nonce follows the last commitment"
    assert known(hub, SIGNATURES) == [False] * 3, "nobody signs before all nonces are shown"


def changed(message: tuple[Any, ...], number: int, seat: int, value: bytes) -> tuple[Any, ...]:
    """What a client states, with another value for one seat in one part."""
    entries = list(message[number])
    entries[seat - 1] = value
    return (*message[:number], tuple(entries), *message[number + 1 :])


SIZES = {COMMITMENTS: COMMITMENT_BYTES, NONCES: 32, SIGNATURES: 64}


def refused(formation: Formation, message: tuple[Any, ...], seat: int = 0) -> str:
    """Nothing of the message is taken in, and `seat` is to blame, or the sender."""
    before = formation.message()
    with pytest.raises(FormationError) as raised:
        formation.merge(message)
    assert raised.value.seat == seat
    assert formation.message() == before
    return str(raised.value)


@pytest.mark.parametrize("part", [1, 2, 3])
def test_a_changed_statement_is_refused(part: int) -> None:
    """A commitment, nonce or signature that changes after others saw it: the attempt is given up."""
    one, two = pair()
    agree([one, two])
    refused(one, changed(two.message(), part, 2, b"x" * SIZES[part]))


@pytest.mark.parametrize("part", [1, 2, 3])
def test_nobody_speaks_for_another_client(part: int) -> None:
    """A peer that states something else in my name is refused, also before I have stated it."""
    one, two = pair()
    refused(one, changed(two.message(), part, 1, b"x" * SIZES[part]))


@pytest.mark.parametrize("part", [1, 2, 3])
@pytest.mark.parametrize("early", [True, False])
def test_nobody_speaks_for_a_third_seat(part: int, early: bool) -> None:
    """A guest that states something in a third seat's name is itself to blame, and the third goes on."""
    body = body_of("pebbles", 3)
    anna, ben, eve = clients(body, 3)
    if not early:
        for _ in range(2):
            for one, other in permutations((anna, ben, eve), 2):
                one.merge(other.message())
    else:
        anna.merge(eve.message())
    refused(anna, changed(eve.message(), part, 2, b"x" * SIZES[part]))
    # Neither does a real statement of another seat pass for one of the third.
    real = sign_commitment(body, 3, b"n" * 32, IDENTITIES[2])
    refused(anna, changed(eve.message(), 1, 2, real))
    assert agree([anna, ben, eve])


def test_nobody_states_anything_with_a_key_that_is_not_that_of_the_seat() -> None:
    with pytest.raises(FormationError, match="a key that is not that of seat 2"):
        Formation(BODY, {2: IDENTITIES[0]}, b"seed")


def test_a_seat_that_commits_twice_is_named_whoever_passes_it_on() -> None:
    """A guest that commits to one nonce here and another there cannot have an honest one blamed for it."""
    body = body_of("pebbles", 3)
    anna, ben, eve = clients(body, 3)
    anna.merge(eve.message())
    ben.merge(Formation(body, {3: IDENTITIES[2]}, b"other").message())
    assert "two different things" in refused(anna, ben.message(), seat=3)
    assert "two different things" in refused(ben, anna.message(), seat=3)


def test_a_nonce_must_open_its_commitment() -> None:
    """A seat that waits for the others' nonces before it chooses its own is caught."""
    one, two = pair()
    one.merge(two.message())
    assert "another nonce" in refused(one, changed(two.message(), NONCES, 2, b"x" * 32))


def test_a_commitment_binds_body_seat_and_id() -> None:
    """Copying another seat's commitment: its nonce does not open it from another seat or for another body."""
    other = body_of("fidchess", options={"quen": True})
    values = {nonce_commitment(body, seat, b"n" * 32) for body in (BODY, other) for seat in (1, 2)}
    assert len(values) == 4
    one, two = pair()
    # Not as it stands, and not signed anew: its nonce does not open it.
    assert "did not commit" in refused(one, changed(two.message(), COMMITMENTS, 2, part(one, COMMITMENTS)[0]))
    hash: bytes = part(one, COMMITMENTS)[0][:32]
    packed = encode((blake("sh/body/1", BODY.packed()), 2, hash))
    copied = hash + IDENTITIES[1].sign(b"stonehenge/commitment/1" + packed)
    message = changed(two.message(), COMMITMENTS, 2, copied)
    one.merge(message)
    assert "another nonce" in refused(one, changed(message, NONCES, 2, part(one, NONCES)[0]))
    for other in (BODY._replace(attempt=b"x" * 16), BODY._replace(turn_time=60)):
        elsewhere = sign_commitment(other, 2, b"n" * 32, IDENTITIES[1])
        assert "did not commit" in refused(pair()[0], changed(two.message(), COMMITMENTS, 2, elsewhere))


def test_a_signature_of_another_charter_is_refused() -> None:
    """A signature under other nonces, or by another key, does not count."""
    one, two = pair()
    one.merge(two.message())
    two.merge(one.message())
    nonces: tuple[bytes, ...] = part(two, NONCES)
    lies = [
        sign_charter(BODY, nonces[::-1], IDENTITIES[1]),
        sign_charter(BODY, nonces, IDENTITIES[0]),
        sign_charter(body_of("fidchess", options={"quen": True}), nonces, IDENTITIES[1]),
    ]
    for lie in lies:
        fresh, peer = pair()
        fresh.merge(peer.message())
        assert "did not sign" in refused(fresh, changed(two.message(), SIGNATURES, 2, lie))


def test_a_signature_before_its_nonces_is_refused() -> None:
    """No honest client signs what it has not seen."""
    one, two = pair()
    assert "did not sign" in refused(one, changed(two.message(), SIGNATURES, 2, b"x" * 64))


def test_another_body_is_refused() -> None:
    """A host that shows its guests different options, names or rosters: their clients never agree."""
    one = pair()[0]
    assert "another charter" in refused(one, clients(body_of("fidchess", options={"quen": True}), 2)[1].message())


leaves = st.none() | st.integers(0, 9) | st.binary(max_size=64) | st.text(max_size=4)
junk = st.recursive(leaves, st.tuples, max_leaves=6)
parts = st.lists(st.none() | st.binary(max_size=3) | st.sampled_from([b"x" * 32, b"y" * 64, 7, "s"]), max_size=3)


@given(junk | st.tuples(st.just(BODY.packed()), *[parts.map(tuple)] * 3))
def test_nonsense_is_refused(message: bytes | tuple[Any, ...] | None) -> None:
    """Whatever a peer sends as a formation: it merges or it is refused, nothing else."""
    one = pair()[0]
    before, commitment = one.message(), part(one, COMMITMENTS)[0]
    try:
        grew = one.merge(message)
    except MalformedError:
        return
    assert grew == (one.message() != before)
    assert part(one, COMMITMENTS)[0] == commitment
    assert one.charter is None


def test_a_restart_does_not_take_its_old_statements_for_fresh_ones() -> None:
    """A host that has seen a guest's nonce proposes the same charter once more, to fit its own nonce to it."""
    guest, host = Formation(BODY, {2: IDENTITIES[1]}, b"first run"), pair()[0]
    guest.merge(host.message())
    host.merge(guest.message())
    again = Formation(BODY, {2: IDENTITIES[1]}, b"second run")
    for number in (COMMITMENTS, NONCES):
        refused(again, changed(host.message(), number, 2, part(guest, number)[1]))
    again.merge(pair()[0].message())
    assert part(again, NONCES)[1] not in (None, part(guest, NONCES)[1]), "the nonce is one that the host has not seen"


def test_the_table_id_depends_on_every_nonce() -> None:
    """A table id cannot be met twice while one seat is honest."""
    ids = {
        agree([Formation(BODY, {1: IDENTITIES[0]}, a), Formation(BODY, {2: IDENTITIES[1]}, b)]).table
        for a in (b"1", b"2")
        for b in (b"3", b"4")
    }
    assert len(ids) == 4
