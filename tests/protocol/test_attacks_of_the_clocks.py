"""Attacks by what clients sign unasked, on the clocks that clients keep of each other."""

from contextlib import suppress
from itertools import product

import pytest
from clients import Clients, timed
from puppets import Puppet

from protocol import LocalFaultError, Table
from protocol.events import Leaving, bodies


def held(table: Table, *seats: int) -> tuple[Leaving, ...]:
    """The leaving list of an agreement that lets count all that a table holds of these seats."""
    return tuple(Leaving(seat, *table.held.heads[seat - 1]) for seat in seats)


def move(table: Clients, seat: int) -> bool:
    """Let the player of a seat move if the client lets it; return whether it did."""
    with suppress(LocalFaultError):
        table.do(seat, table[seat].play(seat, "take 1"))
        return True
    return False


def until_it_moves(table: Clients, cheat: Puppet, seconds: int, *others: int, to: tuple[int, ...] = ()) -> None:
    """Let so many seconds go by, or until seat 1 can move. The cheat signs what these others propose against seat 1."""
    for _ in range(seconds):
        if move(table, 1):
            break
        cheat.wait(1)
        cheat.hear()
        asked = sorted(agreement for one in others for agreement in table[one].table.fold.agreements)
        if asked and asked[-1].leavers == (1,) and asked[-1].number > cheat.table.held.agreed(cheat.operator):
            cheat.tell(cheat.sign(bodies.Epoch(asked[-1].number, asked[-1].leaving)), to=to or cheat.others)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(("limit", "left"), [(30, 29), (90, 25)])
def test_who_thinks_is_not_left_behind_for_what_its_client_signed_alone(seats: int, limit: int, left: int) -> None:
    """The last seat proposes that seat 1, whose turn it is, leaves; and then, that nobody does.

    Client 1 signs the latter at once. The others ask their players for 30 seconds first, and the time runs out.
    """
    table = timed(seats, limit)
    table.tick()
    cheat = Puppet(table, seats)
    cheat.wait(limit - left)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 1))))
    cheat.tell(cheat.sign(bodies.Epoch(2, ())))
    cheat.wait(1)
    until_it_moves(table, cheat, left + 10, *cheat.others[1:])
    assert all(table[one].table.fold.position.live[0] == 1 for one in cheat.others)


def test_who_thinks_is_not_left_behind_while_the_others_pause_after_an_agreement_that_failed() -> None:
    """Seat 4 drops its link to client 1 for a moment, and proposes that seat 3 leaves: 2 and 3 ask all to stay.

    That fails without client 1. While they sign none for 25 seconds, client 1 signs one that seat 4 proposes.
    """
    table = timed(4, 90)
    table.tick()
    cheat = Puppet(table, 4)
    cheat.wait(60)
    table.part(1, 4)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 3))), to=(2, 3))
    cheat.wait(14)
    table.link(1, 4)
    cheat.hear()
    cheat.tell(*cheat.table.held.chains[3], cheat.sign(bodies.Epoch(cheat.table.held.agreed(2) + 1, ())))
    cheat.wait(1)
    until_it_moves(table, cheat, 70, 2, 3)
    assert all(table[one].table.fold.position.live[0] == 1 for one in cheat.others)


def test_who_thinks_is_not_left_behind_where_one_link_is_down() -> None:
    """Seat 4 has no link to client 2, and signs that nobody leaves. Clients 1 and 3 sign that, client 2 does not.

    Seat 1, whose turn it is, can give nothing more, and its time runs at client 2, and at 3 where that has failed.
    """
    table = timed(4, 30)
    table.tick()
    cheat = Puppet(table, 4)
    table.part(2, 4)
    cheat.tell(cheat.sign(bodies.Epoch(1, ())), to=(1, 3))
    cheat.wait(1)
    until_it_moves(table, cheat, 200, 2, 3, to=(1, 3))
    assert all(table[one].table.fold.position.live[0] == 1 for one in cheat.others)


def test_who_comes_back_is_not_left_behind_where_a_link_of_two_others_is_down() -> None:
    """All are honest. Client 1 had lost its links for two seconds, and the player of client 3 typed `without`.

    After 30 seconds client 1, whose turn it is, and client 3 sign that nobody leaves; 2 and 4, who have no link, do
    not. Client 1 can give nothing more while its time runs there.
    """
    table = timed(4, 60)
    table.tick()
    table.part(2, 4)
    table.tick(5.0)
    table.leave(1)
    table.tick(2.0)
    table.do(3, table[3].without(1))
    for one in (2, 3, 4):
        table.link(1, one)
    table.wait(34)
    for _ in range(90):
        if move(table, 1):
            break
        table.tick(1.0)
    assert all(table[one].table.fold.position.live[0] == 1 for one in (2, 3, 4))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_table_does_not_stand_still_where_a_link_of_two_others_is_down(seats: int) -> None:
    """The same without a turn time: seat 1 is there and can give nothing for as long as that link is down."""
    table = timed(seats, 0)
    table.tick()
    table.part(2, seats)
    table.leave(1)
    table.tick(2.0)
    typed = 3 if seats > 3 else 2
    table.do(typed, table[typed].without(1))
    for one in range(2, seats + 1):
        table.link(1, one)
    table.wait(180)
    assert move(table, 1)


@pytest.mark.xfail(strict=True, reason="the time of who has signed that all stay stands still without an end")
@pytest.mark.parametrize("lacks", ["away", "partner"])
def test_who_has_to_move_does_not_stop_its_own_clock(lacks: str) -> None:
    """Seat 1 of five has to move, and proposes that seat 3 leaves. So all others ask all to stay; seat 1 signs that.

    The signature of one more lacks: of a player who lost the link a moment ago, or of a partner, who is there.
    """
    table = timed(5, 30)
    table.tick()
    cheat = Puppet(table, 1)
    if lacks == "away":
        table.leave(5)
    else:
        Puppet(table, 5)
    cheat.others.remove(5)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 3))))
    for _ in range(300):
        cheat.wait(1)
        cheat.hear()
        for agreement in sorted(table[2].table.fold.agreements):
            if not agreement.leaving and agreement.number > cheat.table.held.agreed(1):
                cheat.tell(cheat.sign(bodies.Epoch(agreement.number, ())))
    assert [table[one].seconds_left for one in cheat.others] == [0.0] * 3


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_thinks_is_not_left_behind_for_agreements_that_a_cheat_lets_fail(seats: int) -> None:
    """The last seat proposes that seat 2 leaves, so all others ask all to stay. After 9 seconds it proposes that again.

    What the others have signed has failed then, and they sign none for 25 seconds. Seat 1, whose turn it is, can give
    nothing all that time, which is its time; and so on.
    """
    table = timed(seats, 90)
    table.tick()
    cheat = Puppet(table, seats)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 2))))
    cheat.wait(6)
    waited = 0
    for _ in range(400):
        if move(table, 1):
            break
        cheat.wait(1)
        cheat.hear()
        asked = sorted(agreement for one in cheat.others for agreement in table[one].table.fold.agreements)
        waited = waited + 1 if asked and asked[-1].number > cheat.table.held.agreed(seats) else 0
        if asked and waited and asked[-1].leavers == (1,):
            cheat.tell(cheat.sign(bodies.Epoch(asked[-1].number, asked[-1].leaving)))
        elif waited == 9:
            cheat.tell(cheat.sign(bodies.Epoch(asked[-1].number + 1, held(cheat.table, 2))))
    assert all(table[one].table.fold.position.live[0] == 1 for one in cheat.others)


@pytest.mark.parametrize("limit", [10, 20, 25])
def test_who_has_to_move_is_not_left_behind_for_what_a_pair_does_not_sign(limit: int) -> None:
    """Seat 2 does not move, so 1, 3 and 5 agree to go on without it; seat 4 does not sign that. Then the move comes.

    Client 3, whose turn it is now, can give nothing. Again and again seat 4 signs that seat 3 leaves: so it owes no
    signature, and what all players but these two sign fails, until the time of seat 3 is up.
    """
    table = timed(5, limit)
    table.tick()
    table.play()
    mover, partner, honest = Puppet(table, 2), Puppet(table, 4), (1, 3, 5)
    mover.others = partner.others = [*honest]
    for one in honest:
        table.do(one, table[one].without(2))
    partner.wait(6)
    mover.tell(mover.sign(bodies.Move("take 1")))
    for second in range(200):
        if move(table, 3):
            break
        for one, cheat in product(honest, (2, 4) if second > 60 else (2,)):
            with suppress(LocalFaultError):
                table.do(one, table[one].without(cheat))
        if second % 7 == 0:
            pair = (partner, mover) if table[1].seconds_left == 0 else (partner,)
            for puppet in pair:
                puppet.hear()
            number = max(partner.table.held.agreed(seat) for seat in range(1, 6)) + 1
            partner.tell(*[puppet.sign(bodies.Epoch(number, held(puppet.table, 3))) for puppet in pair])
        partner.wait(1)
    assert all(3 in table[one].table.fold.position.live for one in honest)
