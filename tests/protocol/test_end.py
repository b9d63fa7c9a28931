"""The end of a game: how long clients stay for signatures under the result, and to whom they leave theirs."""

import pytest
from clients import Clients, clients, id_of, of

from engine import Over
from protocol import RESULT_PATIENCE, Send
from protocol.events import Leaving, bodies
from protocol.table.exchange import LEAVE_AFTER


def all_done(table: Clients, *operators: int) -> list[bool]:
    """Whether each of these clients, or of all, may leave now."""
    return [table[operator].done(table.now) for operator in operators or table.nodes]


def test_a_client_stays_for_the_last_signature() -> None:
    """It leaves when all have signed the result and are known to hold each other's signatures."""
    table = clients()
    assert all_done(table) == [False, False]
    table.do(1, table[1].play(1, "resign"))
    table.tick(5.0)
    assert all_done(table) == [True, True]
    assert table[1].table.confirmed() == table[2].table.confirmed() == (1, 2)
    report = table.check()
    assert (report.finished, report.signed_by) == (True, (1, 2))


def test_a_client_does_not_stay_for_ever() -> None:
    """A signature that is withheld keeps nobody: the result follows from the game."""
    table = clients(linked=False)
    table.do(1, table[1].play(1, "resign"))
    assert table[1].table.fold.result
    for second in range(int(RESULT_PATIENCE)):
        assert not table[1].done(table.now + second)
    assert table[1].done(table.now + RESULT_PATIENCE)


def test_patience_begins_with_the_end() -> None:
    """However long the game took before."""
    table = clients(linked=False)
    table.wait(30)
    assert all_done(table) == [False, False]
    table.do(1, table[1].play(1, "resign"))
    assert not table[1].done(table.now)


def test_nobody_waits_for_the_signature_of_a_seat_that_was_left_behind() -> None:
    """It has gone; a seat that has resigned and watches on signs as well."""
    table = clients("pebbles", 4)
    while table.mover != 3:
        table.play()
    table.leave(3)
    here = (1, 2, 4)
    for seat in here:
        table.do(seat, table[seat].without(3))
    table.wait(10)
    assert table[1].table.fold.position.live == here
    for seat in (4, 2):
        table.do(seat, table[seat].play(seat, "resign"))
    table.tick(5.0)
    assert isinstance(table[1].table.fold.position.due, Over)
    assert table[1].table.confirmed() == here
    assert all_done(table, *here) == [True] * 3
    assert table.check(*here).signed_by == here


def test_a_cheat_that_is_out_is_not_waited_for() -> None:
    """Nobody who was caught is asked to confirm who has won."""
    table = clients("pebbles", 3)
    event = table.forger.forge(1, bodies.Move("nonsense"))
    for operator in (2, 3):
        table.do(operator, table.tell(operator, event, 1))
    table.leave(1)
    table.tick(5.0, 2, 3)
    assert table[2].table.fold.position.live == (2, 3)
    table.do(2, table[2].play(2, "resign"))
    table.tick(5.0, 2, 3)
    assert table[2].table.confirmed() == (2, 3)
    assert all_done(table, 2, 3) == [True, True]
    assert [one.seat for one in table.check(2, 3).cheats] == [1]


def test_a_game_that_equivocation_ended_is_left_when_all_hold_the_proof() -> None:
    """No result is signed there: the proof is what everybody takes home."""
    table = clients("pebbles", 3)
    one, two = (table.forger.forge(1, bodies.Move(f"take {number}")) for number in (1, 2))
    table.leave(1)
    table.leave(2)
    for event in (one, two):
        table.do(2, table.tell(2, event, 1))
    assert table[2].table.fold.broken
    assert table[2].done(table.now), "there is nobody who could be told"
    table.link(2, 3)
    table.tick(5.0, 2, 3)
    assert all_done(table, 2, 3) == [True, True]
    assert table[3].table.fold.broken == table[2].table.fold.broken
    for operator in (2, 3):
        report = table.check(operator)
        assert [(cheat.seat, cheat.event, cheat.kind) for cheat in report.cheats] == [(1, 1, "equivocation")]


def test_a_client_between_two_others_stays_until_both_hold_all_signatures() -> None:
    """Two that cannot reach each other have the third tell them what the other signed."""
    table = clients("fidchell", 3, linked=False)
    table.link(1, 3)
    table.link(2, 3)
    table.tick(5.0)
    for seat in (1, 2):
        table.do(seat, table[seat].play(seat, "resign"))
        table.tick(0.5)
    waited = 0
    while not table[3].done(table.now):
        table.tick(1.0)
        waited += 1
        assert waited < RESULT_PATIENCE
    assert [node.table.confirmed() for node in table.nodes.values()] == [(1, 2, 3)] * 3
    table.check()


def last_pebble() -> Clients:
    """A game of three in which the next move is the last; all links are up, and all know that."""
    table = clients("pebbles", 3, pile=1)
    table.tick(5.0)
    return table


def end_unheard(table: Clients) -> None:
    """Let seat 1 make the last move, and all sign; seat 3 crashes right after its own signature."""
    move = list(table[1].play(1, "take 1"))
    heard = next(effect.data for effect in of(Send, move) if effect.peer == id_of(3))
    last = list(table[3].receive(id_of(1), heard, table.now))
    table.up -= {(1, 3), (2, 3)}
    table.do(1, move)
    table.do(3, last)
    assert [node.table.confirmed() for node in table.nodes.values()] == [(1, 2, 3), (1, 2, 3), (3,)]


def test_nobody_signs_an_agreement_behind_a_result_that_all_have_signed() -> None:
    """A cheat that proposes one would keep the others waiting for a client that has left, and rightly so."""
    table = last_pebble()
    table.play()
    assert all_done(table, 1, 2, 3) == [True, True, True]
    table.up -= {(1, 3), (2, 3)}
    proposed = bodies.Epoch(1, (Leaving(3, *table[2].table.held.heads[2]),))
    table.do(2, table.tell(2, table.forger.forge(1, proposed, at=table[2].table), 1))
    assert table[2].table.fold.agreements
    table.wait(20)
    assert not table[2].table.own.has_agreed
    table.check(2, 3)


def test_nobody_waits_for_a_client_that_another_one_still_reaches() -> None:
    """A client that holds all signatures and has a link stays for the client that lacks them; the one that
    has lost its link may go, after a moment in which both could have noticed the loss."""
    table = last_pebble()
    end_unheard(table)
    table.do(2, table[2].link(id_of(3), False))
    table.tick(0.1, 1, 2)
    assert all_done(table, 1, 2) == [False, False]
    table.now += LEAVE_AFTER
    assert all_done(table, 1, 2) == [False, True]


def test_two_that_lose_a_third_at_once_do_not_leave_it_to_each_other() -> None:
    """Neither reaches it, so both stay for as long as anybody stays; when it is back it gets all."""
    table = last_pebble()
    end_unheard(table)
    table.leave(3)
    for operator in (1, 2):
        table.do(operator, table[operator].link(id_of(3), False))
    table.tick(LEAVE_AFTER + 0.5, 1, 2)
    assert all_done(table, 1, 2) == [False, False]
    table.link(1, 3)
    table.link(2, 3)
    table.tick(2.0)
    assert [node.table.confirmed() for node in table.nodes.values()] == [(1, 2, 3)] * 3
    assert all_done(table) == [True] * 3


@pytest.mark.parametrize("seat", [1, 2])
def test_a_result_is_not_signed_twice(seat: int) -> None:
    """However often a client looks at the clock after the end, or is told of it again."""
    table = clients()
    table.do(seat, table[seat].play(seat, "resign"))
    held = table[seat].table.held.heads
    table.wait(5)
    table.part(1, 2)
    table.link(1, 2)
    assert table[seat].table.held.heads == held


@pytest.mark.parametrize("seats", [3, 4])
def test_who_agreed_to_go_on_before_the_last_move_arrived_signs_the_result(seats: int) -> None:
    """The others have signed it, which decides it; all agree that nobody leaves, so that the last one can sign."""
    table = clients("pebbles", seats, pile=1)
    table.tick(5.0)
    table.leave(2)
    table.link(2, 3)
    table.do(2, table[2].without(1))
    assert table[2].table.own.has_agreed
    table.part(2, 3)
    table.play()
    table.come(2)
    table.wait(10)
    assert {table[operator].table.fold.decided for operator in table.nodes} == {True}
    assert {table[operator].table.confirmed() for operator in table.nodes} == {tuple(table.nodes)}
    assert all_done(table) == [True] * seats
    assert table.check().signed_by == tuple(table.nodes)
