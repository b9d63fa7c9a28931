"""Attacks on a client that awaits an agreement: it stands behind the others, and looks at what they have signed."""

from contextlib import suppress
from typing import Any

import pytest
from agreeing import rolling
from clients import Clients, clients, first_move, one_way, timed
from equivocating import anew, begun
from going_on import agree, agreements, epochs, live, without
from puppets import Puppet
from replicas import FAST, charter_of, hearing
from verdicts import alike, judged, result_of

from protocol import LocalFaultError, Table, verify
from protocol.events import Head, Leaving, SlotKind, bodies
from protocol.table.held import AHEAD_LIMIT
from protocol.table.step import step

pytestmark = pytest.mark.usefixtures("fast_signatures")


# The end.


def test_agreements_at_the_end_make_no_file_invalid() -> None:
    """The loser of two signs no result, and agreement after agreement that nobody leaves; the winner signs each.

    After 1,024 of them, sent in some seconds, the winner's own file holds more ahead of the end than a file may.
    """
    table = clients("pebbles", 2, pile=1)
    table.tick()
    ben = Puppet(table, 2)
    table.play("take 1")
    ben.hear()
    for number in range(1, AHEAD_LIMIT + 1):
        ben.tell(ben.sign(bodies.Epoch(number, ())))
        ben.hear()
    report = verify(table.disks[1], FAST, scheme=table.forger.scheme)
    assert report.ok, report.error


def test_one_cheat_signs_no_result_after_an_agreement_that_undoes_it() -> None:
    """Clients 1 and 2 are cut off from 3 and 4, who agree with seat 5 that they leave. Then seat 1 wins.

    Seat 5 signs the agreement, and after that the result, in the epoch of the agreement. Client 3, which has not heard
    of the signature of client 4, sees a result that three of five have signed: 1, 2 and 5.
    """
    table = clients("pebbles", 5, pile=3)
    table.tick()
    eve = Puppet(table, 5)
    eve.others = [1, 2, 3, 4]
    for one in (1, 2):
        table.part(one, 3)
        table.part(one, 4)
    without(table, 3, 1)
    table.wait(12)
    without(table, 3, 2)
    table.wait(12)
    table.part(3, 4)
    eve.others = [3]
    eve.hear()
    proposed = agreements(table, 3)[-1]
    assert [one.seat for one in proposed.leaving] == [1, 2]
    agree(table, 4)
    assert agreements(table, 4)[-1] == proposed
    signed = eve.sign(proposed)
    table.play("take 3")
    eve.others = [1, 2]
    eve.hear()
    end = table[1].table.fold.position
    assert end.slot.kind == SlotKind.END
    result = table.forger.forge(
        5, bodies.Result(b""), at=eve.table, slot=end.slot._replace(epoch=proposed.number), digest=end.digest
    )
    eve.tell(*[event for seat in (1, 2) for event in table[seat].table.held.chains[seat - 1]], signed, result, to=[3])
    shown = table[3].table.fold.result
    table.link(3, 4)
    table.wait(5)
    assert shown is None or table[3].table.fold.result == shown


def test_a_client_that_waits_goes_on_without_a_cheat_that_is_out_where_the_others_stand() -> None:
    """Client 3 has signed that seat 1 leaves, which lacks seat 2. Seat 1 moves, seat 2 is out by a breach, and gone.

    Nobody can sign what client 3 wants: for client 1 seat 2 plays no more. Client 3 waits for the word of seat 2.
    """
    table = clients("qenqe", 3)
    table.tick()
    ben = Puppet(table, 2)
    table.part(1, 3)
    without(table, 3, 1)
    table.tick(5.0, 3)
    table.play(first_move(table))
    ben.hear()
    ben.tell(ben.sign(bodies.Move("nonsense")))
    table.leave(2)
    table.link(1, 3)
    assert live(table, 1) == (1, 3)
    for _ in range(30):
        ben.wait(10)
        for one, other in ((1, 2), (3, 2)):
            with suppress(LocalFaultError):
                without(table, one, other)
    assert live(table, 1, 3) == (1, 3)
    table.play(first_move(table))
    table.check(1, 3)


def test_two_versions_by_a_cheat_that_is_out_end_the_game_for_all_or_nobody() -> None:
    """Clients 2 and 3 have signed that seat 1 leaves, which lacks seat 4, who resigns. Seat 1 comes back and goes on.

    Then seat 4, which is out for client 1, signs two versions: the game waits for client 2, who sees its end.
    """
    table = clients("qenqe", 4)
    table.tick()
    dan = Puppet(table, 4)
    table.leave(1)
    without(table, 2, 1)
    agree(table, 3)
    nothing = (Head(0, b""),) * 4
    resigned = table.forger.forge(4, bodies.Resign(), at=dan.table, heads=nothing)
    wishes = [table.forger.forge(4, bodies.Wish(one), at=dan.table, heads=resigned.heads_after) for one in (1, 0)]
    dan.tell(resigned)
    assert live(table, 1) == (1, 2, 3)
    dan.tell(*wishes)
    table.leave(4)
    table.link(1, 2, 3)
    dan.others = [1, 2, 3]
    dan.wait(60)
    results = {one: table[one].table.fold.result for one in (1, 2, 3)}
    assert len({*results.values()}) == 1
    for one, result in results.items():
        assert verify(table.disks[one], FAST, scheme=table.forger.scheme).result == result


def test_nothing_is_shown_that_two_versions_led_to_while_who_signed_them_may_still_leave() -> None:
    """Client 4 has agreed that seat 1 leaves, then hears its commitment, in two versions; then seat 2 agrees as well.

    The proof ends the game, until seat 1 has left. What all commitments lead to is not shown meanwhile: it would go
    back.
    """
    circle, leaving = rolling(4, SlotKind.COMMIT), (Leaving(1, 0, b""),)
    table, given = circle[4], {seat: circle[seat].duties() for seat in (1, 2, 3, 4)}
    agreed = {seat: circle[seat].own.agree(1, leaving) for seat in (2, 3, 4)}
    table.advance(agreed[4])
    hearing(table, [*given[2], *given[3], *agreed[3], *given[1]])
    assert table.fold.position.slot.kind == SlotKind.COMMIT
    hearing(table, [anew(circle, given[1][0])])
    assert table.fold.broken
    assert table.fold.position.slot.kind == SlotKind.COMMIT
    hearing(table, agreed[2])
    assert not table.fold.broken
    assert table.fold.position.live == (2, 3, 4)


def test_two_versions_take_no_result_from_a_client_that_waits() -> None:
    """Client 3 had signed that seat 1 leaves when it won; 1 and 2 sign the result, more than half of the honest three.

    Client 2 has left the table. Seat 4 signs two versions. Client 1 has won, and client 3 does not see another end.
    """
    table = clients("pebbles", 4, pile=3)
    table.tick()
    dan = Puppet(table, 4)
    for one in (1, 2):
        table.part(one, 3)
    without(table, 3, 1)
    table.wait(12)
    table.play("take 3")
    nothing = (Head(0, b""),) * 4
    dan.tell(*(table.forger.forge(4, bodies.Wish(wanted), at=dan.table, heads=nothing) for wanted in (1, 0)))
    table.leave(2)
    table.leave(4)
    table.link(1, 3)
    dan.others = [1, 3]
    dan.wait(60)
    results = [table[one].table.fold.result for one in (1, 3)]
    assert results[1] in (None, results[0])
    assert verify(table.disks[3], FAST, scheme=table.forger.scheme).result == results[0]


# Players who fell apart.


@pytest.mark.xfail(strict=True, reason="who leaves and has given its part stays, though it signs in a higher epoch")
def test_who_fell_apart_in_a_roll_keeps_no_majority_from_going_on() -> None:
    """All are honest. 1, 2 and 3 have given their parts of a roll; then 1 and 2 go on alone, and later without 3.

    3, 4 and 5 go on without 1 and 2, who are offline. As these have given their parts they stay in the new epoch, where
    they can sign nothing, since they have signed in a higher one. Then 5 is gone for good: 3 and 4 are two of five.
    """
    table = clients("pebbles", 5, pile=60)
    table.tick()
    while table.mover != 3:
        table.play()
    for one in (1, 2, 3):
        table.part(one, 4)
        table.part(one, 5)
    without(table, 5, 3)
    table.tick(9.0, 5)
    table.do(3, table[3].play(3, "take 1"))
    table.part(1, 3)
    table.part(2, 3)
    one_way(table, 3, 1, 2)
    for gone in (4, 5):
        without(table, 3, gone)
    table.tick(5.0, 3)
    for one in (1, 2):
        agree(table, one)
    assert live(table, 1, 2) == (1, 2, 3)
    table.leave(3)
    table.link(3, 4, 5)
    for _ in range(8):
        for one in (3, 4, 5):
            for gone in (1, 2):
                with suppress(LocalFaultError):
                    without(table, one, gone)
        table.wait(5)
    assert len(epochs(table, 3, 4, 5) - {0}) == 1
    without(table, 1, 3)
    table.wait(60)
    agree(table, 2)
    table.wait(20)
    assert max(epochs(table, 1, 2)) > max(epochs(table, 3, 4, 5)), "its player took some time to agree"
    table.leave(5)
    table.link(1, 2, 3, 4)
    before = table[4].table.fold.position.plies
    for _ in range(20):
        for one in (1, 2, 3, 4):
            for gone in (1, 2, 5):
                with suppress(LocalFaultError):
                    without(table, one, gone)
            with suppress(LocalFaultError):
                agree(table, one)
        table.wait(5)
        if table[4].table.fold.position.slot.kind == SlotKind.TURN:
            table.play()
    assert table[4].table.fold.position.plies > before + 5
    table.check(3, 4)


# Chance.


def test_a_roll_that_all_have_seen_is_not_undone_by_leaving_out_the_part_of_who_leaves() -> None:
    """Seat 2 gives its part of the roll after the move of seat 1, and is gone when it has to move. All see the roll.

    Seat 1 does not like it, and proposes to go on without seat 2 and without that part. The others agree.
    """
    table = clients("pebbles", 4, pile=60)
    table.tick()
    table.play()
    assert table.mover == 2
    ann = Puppet(table, 1)
    rolls = {one: [*table[one].table.fold.log] for one in (3, 4)}
    part = table[3].table.held.chains[1][-1]
    assert isinstance(part.body, bodies.Revelation)
    assert table[3].table.fold.position.behind[1] == part.number
    table.leave(2)
    ann.others = [3, 4]
    heads = tuple(ann.table.held.chains[0][-1].heads_after)
    assert heads[1].length < part.number
    ann.tell(table.forger.forge(1, bodies.Epoch(1, (Leaving(2, *heads[1]),)), at=ann.table, heads=heads))
    for one in (3, 4):
        agree(table, one)
    ann.wait(20)
    for one, before in rolls.items():
        assert table[one].table.fold.log[: len(before)] == before


# Resignations that are passed over.


def test_a_resignation_that_a_draw_passes_over_divides_no_table() -> None:
    """All are honest, and all four wish a draw; seat 4 resigns as well. Seat 1 gives that its place: the game is drawn.

    Clients 2 and 3 have not heard of that, and go on without 1 and 4: two of three, as seat 4 has resigned. For client
    1, where the game is over before the resignation counts, they are two of four.
    """
    circle = begun(4)
    for event in (*(circle[seat].own.wish_draw(seat, True) for seat in (1, 2, 3, 4)), circle[4].own.resign(4)):
        circle.spread(event)
    leaving = tuple(Leaving(seat, *circle[2].held.heads[seat - 1]) for seat in (1, 4))
    assert circle[2].fold.enough({1, 4})
    for one, other in ((2, 3), (3, 2)):
        circle.give(circle[one], *(agreed := circle[one].own.agree(1, leaving)))
        circle.give(circle[other], *agreed)
    for event in circle.owed(circle[1]):
        circle.give(circle[4], event)
    assert [result_of(circle[seat].fold).reason for seat in (1, 4)] == ["draw agreed"] * 2
    circle.meet()
    alike(circle)
    for file in circle.files:
        assert judged(file, FAST, circle.scheme)


# Debts.


def held(table: Table, seat: int) -> tuple[Leaving, ...]:
    """The leaving list of an agreement that lets count all that a table holds of a seat."""
    return (Leaving(seat, *table.held.heads[seat - 1]),)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_has_signed_a_higher_agreement_and_gone_stops_nobody(seats: int) -> None:
    """The last seat proposes that seat 2 leaves, and goes; before that it shows one player a second such proposal.

    Others have asked all to stay, below that: they can give nothing, and for all clients the cheat owes nothing.
    """
    table = clients("pebbles", seats, pile=60)
    table.tick()
    cheat = Puppet(table, seats)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 2))))
    cheat.wait(5)
    assert agreements(table, 2)
    for one in cheat.others[:-1]:
        table.part(one, seats)
    cheat.hear()
    higher = cheat.sign(bodies.Epoch(cheat.table.held.agreed(2) + 1, held(cheat.table, 2)))
    cheat.tell(higher, to=cheat.others[-1:])
    table.leave(seats)
    for _ in range(60):
        with suppress(LocalFaultError):
            table.do(1, table[1].play(1, "take 1"))
        for one in cheat.others:
            with suppress(LocalFaultError):
                without(table, one, seats)
            with suppress(LocalFaultError):
                agree(table, one)
        cheat.wait(2)
    assert live(table, *cheat.others) == tuple(cheat.others)


# Turn times.


@pytest.mark.parametrize("seats", [2, 4])
def test_who_has_to_move_loses_no_game_by_time_for_what_another_one_does_not_sign(seats: int) -> None:
    """The last seat proposes that another one leaves, which nobody wants; so all others ask all to stay.

    The cheat signs that when the time of seat 1 is up, which thinks for a minute and can then not move. Where the
    others propose then that seat 1 leaves, the cheat signs this.
    """
    table = timed(seats, 90)
    table.tick()
    cheat = Puppet(table, seats)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 1 if seats == 2 else 2))))
    cheat.wait(60)
    with suppress(LocalFaultError):
        table.do(1, table[1].play(1, "take 1"))
    for _ in range(40):
        cheat.wait(1)
        cheat.hear()
        asked = sorted(agreement for one in cheat.others for agreement in table[one].table.fold.agreements)
        if asked and table[1].seconds_left == 0.0 and asked[-1].leavers == (() if seats == 2 else (1,)):
            cheat.tell(cheat.sign(bodies.Epoch(asked[-1].number, asked[-1].leaving)))
    assert all(table[one].table.fold.position.live[0] == 1 for one in cheat.others)


def test_nor_does_who_has_to_move_next() -> None:
    """In a game without rolls: client 2 signs that nobody leaves while seat 1 has to move. Then it is its turn."""
    table = Clients(charter_of("qenqe", 4, {"first": 1}, fast=True, turn_time=90))
    table.tick()
    cheat = Puppet(table, 4)
    cheat.tell(cheat.sign(bodies.Epoch(1, held(cheat.table, 3))))
    cheat.wait(6)
    for _ in range(220):
        cheat.wait(1)
        for one in (1, 2):
            with suppress(LocalFaultError, IndexError):
                table.do(one, table[one].play(one, table[one].table.game.legal(table[one].table.state, one)[0]))
        cheat.hear()
        asked = sorted(agreement for one in (1, 3) for agreement in table[one].table.fold.agreements)
        if asked and asked[-1].leavers in ((1,), (2,)) and asked[-1].number > cheat.table.held.agreed(4):
            cheat.tell(cheat.sign(bodies.Epoch(asked[-1].number, asked[-1].leaving)))
    assert {1, 2, 3} <= {*table[3].table.fold.position.live}


def test_agreements_of_a_pair_that_is_out_have_no_game_folded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 5 resigns, and seat 4 right after; seat 5 signs agreements that state of seat 4 what it knew of it then.

    Without seat 4 the game went on to the present place: each of them would have been folded from the start to there,
    whenever a client awaits an agreement and hears of an event.
    """
    table = clients("qenqe", 5)
    table.tick()
    pair = Puppet(table, 5)
    pair.tell(pair.sign(bodies.Resign()))
    table.do(4, table[4].play(4, "resign"))
    for _ in range(30):
        table.play(first_move(table))
    assert live(table, 1, 2, 3) == (1, 2, 3)
    many, leaving = 40, (Leaving(4, *pair.table.held.heads[3]),)
    pair.tell(*[pair.sign(bodies.Epoch(100 + number, leaving)) for number in range(many)])
    cheat = Puppet(table, 3)
    cheat.tell(cheat.sign(bodies.Epoch(1, (Leaving(2, *cheat.table.held.heads[1]),))), to=(1, 2))
    assert table[1].table.own.has_agreed
    cheat.hear()
    steps: list[object] = []

    def counted(*about: Any) -> Any:
        steps.append(about)
        return step(*about)

    monkeypatch.setattr("protocol.table.epochs.step", counted)
    cheat.tell(cheat.sign(bodies.Epoch(table[1].table.held.agreed(1) + 1, ())), to=(1,))
    assert many <= len(steps) <= 3 * many
