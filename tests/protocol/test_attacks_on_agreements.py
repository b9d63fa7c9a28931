"""Attacks on agreements, and on results and rolls by agreements: what was tried against their latest rules."""

from contextlib import suppress
from itertools import product

import pytest
from ballots import Ballots
from clients import clients
from equivocating import begun
from going_on import agree, agreements, without
from puppets import Puppet, resigned_in_a_roll
from replicas import FAST
from verdicts import judged, result_of

from protocol import LocalFaultError, Table, verify
from protocol.events import Leaving, Slot, SlotKind, bodies

pytestmark = pytest.mark.usefixtures("fast_signatures")


def winners(*tables: Table) -> set[tuple[int, ...]]:
    return {result_of(table.fold).winners for table in tables}


# The path of epochs.


def test_an_epoch_whose_number_another_one_had_is_left_whatever_was_heard_first() -> None:
    """1 and 2 went on in epochs 2 and 3, then 3, 4 and 5 in other ones of these numbers; nobody signs across.

    The agreement by which these leave their epoch 2 is lower than that by which 1 and 2 left theirs. Seat 5 names
    nothing, so its signature is heard before the path is cut, and is lost: the client, or its file, never sees epoch 3.
    """
    ballots = Ballots(5)
    ballots.sign((1, 2, 3), 1, 0, ballots.leave((4, 0), (5, 0)))
    ballots.sign((1, 2), 2, 1, ballots.leave((3, 1)))
    ballots.sign((1, 2), 3, 2)
    ballots.sign((3, 4, 5), 2, 0, ballots.leave((1, 0), (2, 0)))
    ballots.sign((3, 4, 5), 3, 2)
    assert not ballots.crossed()
    assert ballots.outcomes(ballots.events) == {(3, (3, 4, 5))}
    *before, third, fourth, fifth, third_on, fourth_on, fifth_on = ballots.events
    assert ballots.outcomes([*before, third, fifth, fifth_on, fourth, third_on, fourth_on]) == {(3, (3, 4, 5))}


# The end.


def test_two_cheats_take_no_result_back_that_three_of_five_have_signed() -> None:
    """Seats 2 and 3 had just resigned when seat 1 won: without them the cheats are more than half of those who play.

    They begin an epoch behind the end, where no RESULT counts, and send two versions of an event in the same message:
    the game is over, and nobody has won.
    """
    circle = begun(5, pile=3)
    for event in (circle[1].own.play(1, "take 3"), *(circle[seat].own.resign(seat) for seat in (2, 3))):
        circle.spread(event)
    honest = [circle[seat] for seat in (1, 2, 3)]
    before = circle[1].held.heads
    for table in honest:
        for event in circle.owed(table):
            circle.spread(event)
    assert {table.confirmed() for table in honest} == {(1, 2, 3)}
    leaving = tuple(Leaving(seat, *before[seat - 1]) for seat in (1, 2, 3))
    signed = [circle.forge(seat, bodies.Epoch(1, leaving), heads=before) for seat in (4, 5)]
    circle.give(circle[4], *signed)
    wish = circle.forge(4, bodies.Wish(1))
    for table in honest:
        circle.give(table, *signed, wish, circle.forge(4, bodies.Wish(0), heads=wish.heads))
    assert winners(*honest) == {(1,)}


def test_what_clients_take_for_decided_is_not_taken_back_by_one_cheat() -> None:
    """Client 3 has agreed to go on without seat 1, which is late; 2 and 4 have resigned. Then seat 1 wins.

    The three sign the result, and client 3 sees it. Seat 5 signs what client 3 had signed: these two play on.
    """
    circle = begun(5, pile=3)
    resignations = [circle[seat].own.resign(seat) for seat in (2, 4)]
    for seat in (2, 3, 4, 5):
        circle.give(circle[seat], *resignations)
    heads = circle[3].held.heads
    leaving = tuple(Leaving(seat, *heads[seat - 1]) for seat in (1, 2, 4))
    agreed = circle[3].own.agree(1, leaving)
    circle.give(circle[3], *agreed)
    for event in (circle[1].own.play(1, "take 3"), *agreed, *resignations):
        circle.spread(event)
    honest = [circle[seat] for seat in (1, 2, 3, 4)]
    for seat in (1, 2, 4):
        for event in circle.owed(circle[seat]):
            circle.spread(event)
    final = {table: table.fold.result for table in honest if table.fold.decided}
    late = circle.forge(5, bodies.Epoch(1, leaving), heads=heads)
    for table in honest:
        circle.give(table, late)
    assert {table: table.fold.result for table in final} == final


def test_a_pair_takes_no_result_back_by_a_client_that_has_not_heard_of_it() -> None:
    """Seats 4 and 5 cheat, and client 3 has no link to 1 and 2 for a moment. 1, 2 and 4 sign that seat 1 has won.

    Client 3 knows of two signatures, its own and that of seat 4, and signs what 4 and 5 propose at the end, unasked.
    """
    table = clients("pebbles", 5, pile=3)
    table.tick()
    dan, eve = Puppet(table, 4), Puppet(table, 5)
    dan.others = eve.others = [1, 2, 3]
    table.part(1, 3)
    table.part(2, 3)
    table.play("take 3")
    dan.hear()
    move = dan.table.held.chains[0][0]
    before = move.heads_after
    confirmed = table.forger.forge(4, bodies.Result(b""), at=dan.table, heads=before)
    dan.table.receive(confirmed.raw, confirmed.signature)
    dan.tell(confirmed, to=[1, 2])
    dan.tell(move, to=[3])
    honest = [table[one].table for one in (1, 2, 3)]
    assert winners(*honest) == {(1,)}
    assert [one.fold.decided for one in honest] == [True, True, False]
    leaving = (Leaving(1, *before[0]), Leaving(2, *before[1]))
    signed = [
        table.forger.forge(seat, bodies.Epoch(1, leaving), at=dan.table, heads=heads)
        for seat, heads in ((4, confirmed.heads_after), (5, before))
    ]
    dan.tell(confirmed, *signed, to=[3])
    third = honest[2].held.chains[2]
    for event in (*signed, *third):
        dan.table.receive(event.raw, event.signature)
    wish = table.forger.forge(4, bodies.Wish(1), at=dan.table)
    dan.tell(*signed, *third, wish, table.forger.forge(4, bodies.Wish(0), at=dan.table, heads=wish.heads))
    assert winners(*honest) == {(1,)}


def test_a_pair_gives_no_two_players_different_results_by_what_they_sign_unasked() -> None:
    """Seat 1 has won, client 3 had agreed to leave it behind. 1, 2 and 3 agree that 4 and 5, who sign nothing, leave.

    While the signature of client 3 is on its way seat 4 proposes what clients 1 and 2 sign unasked, and seat 5 never;
    then it sends two versions. Client 3 has three RESULTs in the new epoch. 1 and 2 may not enter that, and count two.
    """
    table = clients("pebbles", 5, pile=3)
    table.tick()
    dan, eve = Puppet(table, 4), Puppet(table, 5)
    dan.others = eve.others = [1, 2, 3]
    without(table, 3, 1)
    for _ in range(5):
        table.tick(1.0, 3)
    table.leave(3)
    table.play("take 3")
    table.come(3)
    while [] in (left := [[a.leaving for a in agreements(table, one) if len(a.leaving) == 2] for one in (1, 2)]):
        dan.wait(1)
        for one, gone in product((1, 2), (4, 5)):
            with suppress(LocalFaultError):
                without(table, one, gone)
    asked = table[3].table.held.heads[2]
    assert left[0] == left[1]
    table.part(1, 3)
    table.part(2, 3)
    agree(table, 3)
    dan.hear()
    number = max(one.number for one in agreements(table, 1)) + 1
    signed = table.forger.forge(4, bodies.Epoch(number, (Leaving(3, *asked),)), at=table[1].table)
    effects = {one: dan.told(one, signed) for one in (1, 2)}
    assert [agreements(table, one)[-1].number for one in (1, 2)] == [number] * 2
    slot, heads = signed.slot._replace(epoch=number), signed.heads_after
    dan.tell(*(table.forger.forge(4, bodies.Wish(wanted), at=dan.table, heads=heads, slot=slot) for wanted in (1, 0)))
    for one, waiting in effects.items():
        table.do(one, waiting)
    table.link(1, 2, 3)
    dan.wait(60)
    assert table[1].table.held.proofs
    reports = [verify(table.disks[one], FAST, scheme=table.forger.scheme) for one in (1, 2, 3)]
    assert {result_of(report).winners for report in reports} == {(1,)}
    assert winners(*(table[one].table for one in (1, 2, 3))) == {(1,)}


# Chance.


def test_who_has_seen_a_roll_gets_no_other_one_by_leaving_out_the_part_of_who_has_resigned() -> None:
    """Seat 3 is honest: it resigns in a roll, gives its part and goes. Seat 4 knows the value.

    Seat 4 states of seat 3 what came before its part, and all others sign it by themselves, as their own parts do not
    name that one. The roll begins anew, and of seat 3 is told that it was left behind.
    """
    table, puppet = resigned_in_a_roll()
    fold = puppet.table.fold
    part = fold.given(3)
    assert part
    assert fold.owing() == (4,)
    assert [table[one].table.fold.given(3) for one in (1, 2)] == [part] * 2
    leaving = (Leaving(3, *part.heads[2]),)
    heads = puppet.table.held.nameable(fold.position, {4}, leaving=leaving)
    puppet.tell(table.forger.forge(4, bodies.Epoch(1, leaving), at=puppet.table, heads=heads), to=(1, 2))
    table.tick(1.0, 1, 2)
    folds = [table[one].table.fold for one in (1, 2)]
    assert not any(entry.left_behind for one in folds for entry in one.log)
    assert {one.position.slot.kind for one in folds} == {SlotKind.REVEAL}


# Files.


def test_who_waits_for_an_agreement_stores_nothing_that_makes_its_file_invalid() -> None:
    """Client 3 has agreed that 1 and 2 leave, then, as a signature was late, that nobody does, and awaits this one.

    Seat 1 makes its move, which names all that seat 2 has flooded; then the late signature comes. Client 3 looks beyond
    the move and takes in more of seat 2; its file is in epoch 2, where nothing of that lies behind.
    """
    circle = begun(5, pile=60)
    assert circle.mover == 1
    waiting, slot, nothing = circle[3], circle[1].fold.position.slot, circle[1].held.heads
    leaving = (Leaving(1, *nothing[0]), Leaving(2, *nothing[1]))
    for number, leavers in ((1, ()), (2, leaving), (3, ())):
        circle.give(waiting, *waiting.own.agree(number, leavers))
    here, late = [circle.forge(seat, bodies.Epoch(2, leaving), heads=nothing) for seat in (4, 5)]
    circle.give(waiting, here)
    long = bodies.Shuffle(bytes(4224), bytes(8608))
    for at in range(44):
        if at == 40:
            move = circle[1].own.play(1, "take 1")
            for table in (circle[1], circle[2], waiting):
                circle.give(table, move)
            circle.give(waiting, late)
        flood = circle.forge(2, long, slot=Slot(0, slot.step + at // 8, SlotKind.SHUFFLE))
        for table in (circle[1], circle[2], waiting):
            circle.give(table, flood)
    assert waiting.fold.position.slot.epoch == 0
    assert judged(circle.files[2], FAST, circle.scheme)
