"""The end of a game: how long clients stay for signatures under the result, and to whom they leave theirs."""

import pytest
from protocol._node import LEAVE_AFTER, RESULT_PATIENCE
from test_node import carry, id_of, link, nodes

from protocol import Send


def test_a_client_stays_for_the_last_signature():
    """Rule 22: it leaves when all have signed the result and hold its own signature, or when it has waited long
    enough."""
    group = nodes()
    link(group)
    assert not group[0].done(0.0)
    effects = group[0].play(1, "resign")
    assert not group[0].done(1.0)
    assert not group[0].done(1.0 + RESULT_PATIENCE / 2)
    alone = nodes()[0]
    alone.play(1, "resign")
    assert not alone.done(1.0)
    assert alone.done(1.0 + RESULT_PATIENCE)
    carry(group, {1: effects}, 2.0)
    carry(group, {seat: node.tick(20.0) for seat, node in enumerate(group, 1)}, 20.0)
    assert group[0].done(2.0)
    assert group[1].done(2.0)
    assert group[0].table.confirmed() == group[1].table.confirmed() == (1, 2)


def test_nobody_waits_for_the_signature_of_a_seat_that_is_gone():
    """Rule 22: one that was voted out and has left; whoever has resigned and watches on signs as well."""
    group = nodes("pebbles", 4)
    link(group)
    while group[0].table.fold.position.due.seat != 3:
        seat = group[0].table.fold.position.due.seat
        carry(group, {seat: group[seat - 1].play(seat, "take 1")})
    here = (1, 2, 4)
    for seat in here:
        group[seat - 1].link(id_of(3), up=False)
    for seat in here:
        carry(group, {seat: group[seat - 1].vote(3)})
    assert group[0].table.fold.position.live == here
    for seat in (4, 2):
        assert not any(node.done(2.0) for node in group)
        carry(group, {seat: group[seat - 1].play(seat, "resign")})
    assert group[0].table.fold.position.live == (1,)
    for seat in here:
        assert group[seat - 1].table.confirmed() == here
        assert group[seat - 1].done(2.1)


def test_who_passes_signatures_on_stays_until_all_hold_them():
    """Rule 22: two seats that cannot reach each other have the third tell them what the other signed."""
    group = nodes("fidchell", 3)
    for a, b in ((1, 3), (3, 1), (2, 3), (3, 2)):
        group[a - 1].link(id_of(b), up=True)
    now = 10.0
    carry(group, {1: group[0].play(1, "resign")}, now)
    carry(group, {seat: node.tick(now) for seat, node in enumerate(group, 1)}, now)
    carry(group, {2: group[1].play(2, "resign")}, now)
    while not group[2].done(now):
        now += 1.0
        assert now < 10.0 + RESULT_PATIENCE
        carry(group, {seat: node.tick(now) for seat, node in enumerate(group, 1)}, now)
    for node in group:
        assert node.table.confirmed() == (1, 2, 3)


@pytest.mark.parametrize("near", [True, False])
def test_who_cannot_reach_another_leaves_its_signatures_to_who_can(near):
    """Rule 22: whoever holds them all and has a link stays for that one; nobody else waits, unless nobody has."""
    group = nodes("pebbles", 3, pile=1)
    for a, b in ((1, 3), (3, 1), (2, 3), (3, 2)):
        group[a - 1].link(id_of(b), up=True)
    carry(group, {seat: node.tick(1.0) for seat, node in enumerate(group, 1)})
    if not near:
        (group[2].link(id_of(2), up=False), group[1].link(id_of(3), up=False))
        carry(group, {3: group[2].tick(1.5)})
    carry(group, {1: group[0].play(1, "take 1")})
    assert group[0].table.fold.position.live == (1, 2, 3)
    assert [node.done(2.0) for node in group] == [near] * 3
    group[2].link(id_of(1), up=False)
    group[0].link(id_of(3), up=False)
    assert group[0].done(2.1) == near, "also when that one has left"


@pytest.mark.parametrize("near", [True, False])
def test_nobody_leaves_one_who_crashed_at_the_end_to_another_who_does_not_reach_it_either(near):
    """Rule 22: two who notice at one moment that the third is gone would each leave it to the other."""
    group = nodes("pebbles", 3, pile=1)
    link(group)
    carry(group, {seat: node.tick(1.0) for seat, node in enumerate(group, 1)})
    move = list(group[0].play(1, "take 1"))
    (heard,) = (
        effect.data
        for effect in move
        if isinstance(effect, Send) and effect.peer == id_of(3) and b"take" in effect.data
    )
    last = list(group[2].receive(id_of(1), heard, 2.0))

    def carry_on(effects_of, now):
        """Deliver between the first two; the third has crashed right after its own signature."""
        receive, group[2].receive = group[2].receive, lambda *_: []
        carry(group, effects_of, now)
        group[2].receive = receive

    carry_on({1: move, 3: last}, 2.0)
    for seat in (1,) if near else (1, 2):
        group[seat - 1].link(id_of(3), up=False)
    assert [node.table.confirmed() for node in group] == [(1, 2, 3), (1, 2, 3), (3,)]
    assert [node.done(2.1) for node in group[:2]] == [False, False]
    carry_on({seat: group[seat - 1].tick(2.2) for seat in (1, 2)}, 2.2)
    assert [node.done(2.2 + LEAVE_AFTER) for node in group[:2]] == [near, False]
    if not near:
        for seat in (1, 2):
            assert group[seat - 1].link(id_of(3), up=True)
        carry(group, {seat: node.tick(6.0) for seat, node in enumerate(group, 1)}, 6.0)
        assert [node.table.confirmed() for node in group] == [(1, 2, 3)] * 3
        assert all(node.done(6.1) for node in group)
