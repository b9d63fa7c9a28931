"""Agreements beside each other: players who fall apart come to one game; what comes to nothing costs little."""

from unittest.mock import Mock

import pytest
from agreeing import all_sign, held, rolling, table_of
from clients import Clients, clients, one_way
from fast_deck import FAST_DECK
from going_on import agree, agreements, epochs, live, waiting_for, without
from replicas import FAST, circle_of
from verdicts import alike

from protocol import charter_record, event_record, verify
from protocol.events import Head, Leaving, SlotKind, bodies
from protocol.table import path
from protocol.table.epochs import enter


def fallen_apart() -> Clients:
    """All are honest: clients 1 and 2 play on in one epoch, 3 to 5 in another one; client 3 has signed for both."""
    table = clients("pebbles", 5, pile=60)
    table.tick()
    while table.mover != 3:
        table.play()
    for operator in (3, 4, 5):
        table.leave(operator)
    one_way(table, 3, 1, 2)
    table.do(3, table[3].play(3, "take 1"))
    for gone in (4, 5):
        without(table, 3, gone)
    table.tick(5.0, 3)
    for operator in (1, 2):
        agree(table, operator)
    assert live(table, 1, 2) == (1, 2, 3)
    assert live(table, 3) == (1, 2, 3, 4, 5), "it has not heard that the others have signed as well"
    table.leave(3)
    table.link(3, 4, 5)
    for operator in (3, 4, 5):
        for gone in (1, 2):
            without(table, operator, gone)
    table.wait(60)
    assert live(table, 3, 4, 5) == (3, 4, 5)
    without(table, 1, 3)
    table.wait(60)
    agree(table, 2)
    table.wait(20)
    assert live(table, 1, 2) == (1, 2)
    assert max(epochs(table, 1, 2)) > max(epochs(table, 3, 4, 5)), "its player took some time to agree"
    return table


def test_players_who_fell_apart_while_they_agreed_come_to_one_game() -> None:
    """The later agreement on the epoch where the two games part counts, however far the other game went."""
    table = fallen_apart()
    assert len({node.table.fold.position.slot for node in table.nodes.values()}) == 2
    table.link(1, 2, 3, 4, 5)
    table.wait(20)
    assert live(table) == (3, 4, 5)
    for _ in range(4):
        table.play()
    table.check()


def test_who_shows_one_player_more_than_the_others_is_left_behind_all_the_same() -> None:
    """The seat to act never moves, and gives the others something that counts for nothing, each time another one.

    Else none of them could sign what another one has proposed, until none of them may sign any more at that slot.
    """
    table = waiting_for(4)
    for operator in (1, 2, 3):
        table.up.remove((operator, 4))
    wishes = [table.forger.forge(4, bodies.Wish(1), at=table[4].table)]
    wishes.append(table.forger.forge(4, bodies.Wish(0), at=table[4].table, heads=wishes[0].heads_after))
    table.do(2, table.tell(2, wishes[0], 4))
    for wish in wishes:
        table.do(3, table.tell(3, wish, 4))
    assert [table[operator].table.held.heads[3].length for operator in (1, 2, 3)] == [4, 5, 6]
    without(table, 1, 4)
    for operator in (2, 3):
        agree(table, operator)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    assert [len(agreements(table, operator)) for operator in (1, 2, 3)] == [1, 1, 1]
    table.play()
    table.check(1, 2, 3)


def test_who_names_what_a_leaver_showed_keeps_no_other_player_from_signing() -> None:
    """What a partner of the leaver has signed for one player names more than is stated: it is left out as well."""
    table = waiting_for(5, 5)
    for operator in (1, 2, 3, 4):
        table.up.remove((operator, 5))
    for event in (
        (wish := table.forger.forge(5, bodies.Wish(1), at=table[5].table)),
        table.forger.forge(
            4, bodies.Wish(1), at=table[4].table, heads=table[4].table.held.heads[:4] + wish.heads_after[4:]
        ),
    ):
        table.do(2, table.tell(2, event, event.seat))
    assert table[2].table.held.named(4, 5) == wish.number
    without(table, 1, 5)
    agree(table, 2)
    assert agreements(table, 2) == agreements(table, 1) != []


def test_what_a_client_has_relied_on_it_does_not_leave_out() -> None:
    """The commitment of the seat that is to leave has come to it, and it has revealed its own part after that."""
    table = clients("pebbles", 4, linked=False, first="random", pile=60)
    for operator in (1, 2, 3, 4):
        table.do(operator, table[operator].start())
    table.link(1, 2, 3)
    table.leave(3)
    without(table, 1, 4)
    (signed,) = agreements(table, 1)
    commitment, event = table[4].table.held.chains[3][0], table[1].table.held.chains[0][-1]
    table.do(3, table.tell(3, commitment, 4))
    table[3].going_on.want({4})
    table.do(3, table.tell(3, event, 1))
    assert event in table[3].table.held.chains[0]
    assert signed.leaving[0].length < commitment.number
    assert [one.leaving[0].length for one in agreements(table, 3)] == [commitment.number], "it proposes another one"


def never_in_force(number: int) -> bytes:
    """The file of a table of five that are in epoch 1, where three have signed so many agreements to leave epoch 0.

    Each would take the place of epoch 1, but lacks the signature of seat 4.
    """
    circle = circle_of("pebbles", 5, first=1, pile=60)
    table, data = circle[1], charter_record(circle.charter)
    slot, heads = table.fold.position.slot, [*table.held.heads]
    together = [circle.forge(seat, bodies.Epoch(1, ())) for seat in range(1, 6)]
    for count in range(1, number + 1):
        body, at = bodies.Epoch(count, (Leaving(5, *heads[4]),)), slot._replace(step=slot.step + count // 128)
        three = [circle.forge(seat, body, heads=tuple(heads), slot=at) for seat in (1, 2, 3)]
        for event in together if count == 1 else three:
            heads[event.seat - 1] = Head(event.number, event.hash)
            data += event_record(event)
    return data


def test_agreements_that_never_come_into_force_make_no_file_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is tried with each of its signatures, not with every event."""
    data = never_in_force(300)
    tried = Mock(wraps=enter)
    monkeypatch.setattr(path, "enter", tried)
    report = verify(data, FAST, scheme=FAST_DECK)
    assert report.ok, report.error
    assert 300 - 1 <= tried.call_count <= 3 * 300


@pytest.mark.parametrize("resigns", [False, True])
def test_what_a_seat_has_signed_before_it_played_on_is_void(resigns: bool) -> None:
    """Seat 2 has signed that 1 leaves, then goes on with 1 in a higher epoch: 3 comes too late with its signature.

    Nor does 2 undo a game that it has lost by resigning first.
    """
    circle = rolling(3)
    for event in circle.owed(circle[2]):
        circle.spread(event)
    leaving, slot, known = held(circle, 1), circle[1].fold.position.slot, circle[1].held.heads
    all_sign(circle, (1, 2), 1, 3)
    assert circle[1].fold.position.live == (1, 2)
    own = circle[2].held.heads[1]
    circle.spread(circle.forge(2, bodies.Epoch(2, leaving), slot=slot, heads=(known[0], own, known[2])))
    for seat in (1, 2):
        circle.spread(circle.forge(seat, bodies.Epoch(3, ())))
    while resigns and circle[1].fold.position.slot.kind != SlotKind.END:
        for event in (*circle.owed(circle[1]), *circle.owed(circle[2])):
            circle.spread(event)
        if circle[1].fold.position.slot.kind == SlotKind.TURN:
            circle.spread(circle.forge(2, bodies.Resign()))
            circle.spread(circle.forge(circle.mover, bodies.Sequence()))
    before = circle[1].fold.position
    assert (before.slot.epoch, before.live) == (3, (1,) if resigns else (1, 2))
    circle.spread(circle.forge(3, bodies.Epoch(2, leaving), slot=slot, heads=known))
    assert len(circle[1].held.chains[2]) == known[2].length + 1
    assert circle[1].fold.position == before


def test_what_a_seat_did_that_has_signed_nothing_may_bring_an_agreement_into_force() -> None:
    """Seat 4 is left behind; by an agreement beside that, 5 is. It lacks 4, who is out by an unlawful move."""
    circle = table_of(5, moves=3)
    assert circle.mover == 4
    leaving, before, known = held(circle, 5), circle[1].fold.position, circle[1].held.heads
    all_sign(circle, (1, 2, 3, 5), 1, 4)
    for seat in (1, 2, 3):
        heads = (*known[: seat - 1], circle[seat].held.heads[seat - 1], *known[seat:])
        circle.spread(circle.forge(seat, bodies.Epoch(2, leaving), slot=before.slot, heads=heads))
    assert circle[1].fold.position.live == (1, 2, 3, 5)
    circle.spread(circle.forge(4, bodies.Move("take 9"), slot=before.slot, digest=before.digest, heads=known))
    assert alike(circle).live == (1, 2, 3)
