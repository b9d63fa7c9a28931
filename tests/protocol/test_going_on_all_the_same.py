"""Going on where somebody can give nothing more, or has seen less than the others: nobody cheats, or one alone."""

from contextlib import suppress

import pytest
from clients import clients
from going_on import agree, agreements, live, waiting_for, without

from engine import Result
from protocol import LocalFaultError
from protocol.events import bodies
from protocol.table.going_on import COOL, GRACE


def test_who_owes_but_a_signature_is_left_behind_with_the_player_who_asked_for_it() -> None:
    """Seat 3 is away and owes nothing. Seat 4, whose turn it is, asks all to stay and goes: 3 has not answered that."""
    table = waiting_for(4, 5)
    table.leave(3)
    asks = table.forger.forge(4, bodies.Epoch(1, ()), at=table[4].table)
    for operator in (1, 2, 5):
        table.do(operator, table.tell(operator, asks, 4))
    table.leave(4)
    table.wait(int(GRACE) + 2)
    for operator in (1, 2, 5):
        without(table, operator, 3)
        without(table, operator, 4)
    table.wait(int(GRACE) + 2)
    assert live(table, 1, 2, 5) == (1, 2, 5)
    table.play()
    table.check(1, 2, 5)


@pytest.mark.parametrize("late", ["here", "at another player"])
def test_a_part_that_comes_too_late_for_an_agreement_stops_nobody(late: str) -> None:
    """Seat 4 gives its part of a roll and is gone for good; seat 1, which lacks that part, has agreed to go on.

    Seat 4 owes nothing any more, and seat 1 can give nothing: first all ask all to stay, then seat 4 owes that.
    """
    table = clients("pebbles", 4, first="random", pile=60, linked=False)
    table.tick()
    table.link(2, 4) if late == "at another player" else table.link(2, 3, 4)
    table.leave(4)
    without(table, 1, 4)
    table.link(1, 2, 3)
    for _ in range(2):
        table.wait(int(GRACE) + 2)
        for operator in (1, 2, 3):
            with suppress(LocalFaultError):
                without(table, operator, 4)
    table.wait(int(COOL) + 2)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.check(1, 2, 3)


def test_who_agreed_before_the_last_move_came_sees_the_end() -> None:
    """Seat 1 has agreed to go on without seat 4, whose winning move comes then; seat 3 is gone for good."""
    table = waiting_for(4, pile=6)
    table.leave(3)
    table.leave(4)
    without(table, 1, 4)
    table.do(4, table[4].play(4, f"take {table[4].table.state.pile}"))
    table.link(1, 2, 4)
    table.wait(3)
    assert {table[operator].table.fold.result for operator in (1, 2, 4)} == {Result((4,), (0, 0, 0, 1), "last pebble")}
    table.check(1, 2, 4)


def test_who_sees_the_end_signs_unasked_what_those_propose_who_do_not() -> None:
    """Seats 1 and 5 have agreed to go on without seat 4, whose winning move comes then; two of five are gone for good.

    An agreement that leaves these two needs seat 4, whose player has seen the end and is asked for nothing.
    """
    table = waiting_for(4, 5, pile=7)
    for gone in (2, 3, 4):
        table.leave(gone)
    without(table, 1, 4)
    agree(table, 5)
    table.do(4, table[4].play(4, f"take {table[4].table.state.pile}"))
    table.link(1, 4, 5)
    table.wait(int(GRACE) + 2)
    assert [table[operator].table.fold.result is None for operator in (1, 4, 5)] == [True, False, True]
    for operator in (1, 5):
        for gone in (2, 3):
            without(table, operator, gone)
    table.wait(int(GRACE) + 2)
    won = Result((4,), (0, 0, 0, 1, 0), "last pebble")
    assert [table[operator].table.fold.result for operator in (1, 4, 5)] == [won, won, won]
    table.check(1, 4, 5)


def test_who_asked_all_to_stay_where_one_was_left_behind_is_set_free_at_once() -> None:
    """Seat 4 comes back to seat 1 alone, which asks all to stay; then the last one of the others agrees to go on.

    Seat 1 can give nothing in the new epoch until all agree again. What was asked for at another slot has not failed
    here: after what has, seat 1 would sign nothing for 25 seconds.
    """
    table = waiting_for(4, 5)
    table.leave(4)
    without(table, 1, 4)
    for operator in (2, 3):
        agree(table, operator)
    table.link(1, 4)
    table.wait(2)
    assert agreements(table, 1)[-1].leaving == ()
    agree(table, 5)
    table.play()
    assert live(table, 1, 2, 3, 5) == (1, 2, 3, 5)
    table.wait(int(GRACE))
    table.play()
    table.check(1, 2, 3, 5)
