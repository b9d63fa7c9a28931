"""Two versions of one event: what ends the game, what is evidence, and what colluding seats cannot do."""

from random import Random
from typing import Any

import pytest
from agreeing import held, sign, waiting_for
from equivocating import NOTHING, anew, begun, played_out, settled, verdict_of, versions
from replicas import Circle, circle_of, events_of, summary
from verdicts import result_of

from protocol import LocalFaultError, SignedEvent, actions_of, origin_of
from protocol.events import EventKind, bodies

# What ends the game.


def test_of_two_players_the_other_one_has_won() -> None:
    circle = begun(2)
    for event in versions(circle, 1):
        circle.spread(event)
    report = verdict_of(circle)
    assert result_of(report).winners == (2,)
    assert result_of(report).reason == "anna signed two versions of an event"
    assert [(one.seat, one.event, one.kind) for one in report.cheats] == [(1, 1, "equivocation")]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_of_more_players_nobody_has_won_and_the_author_is_named(seats: int) -> None:
    """Else a partner could be made the winner by a sacrifice."""
    circle = begun(seats)
    for event in versions(circle, 1):
        circle.spread(event)
    report = verdict_of(circle)
    assert (result_of(report).winners, result_of(report).points) == ((), (0,) * seats)
    assert result_of(report).reason == "anna signed two versions of an event"


def test_whichever_version_was_held_first_the_game_has_ended_alike() -> None:
    circle = begun(3)
    one, other = versions(circle, 1)
    circle.give(circle[2], one, other)
    circle.give(circle[3], other, one)
    assert circle[2].fold.result == circle[3].fold.result
    assert circle[2].held.chains[0] != circle[3].held.chains[0]


def test_whichever_version_was_held_first_another_table_goes_on_where_neither_counted() -> None:
    """Else half of the players would be asked to play on from a move that is another one in their own files."""
    circle = begun(3, moves=2)
    moves, seat = len(circle[1].fold.log), circle.mover
    one, other = versions(circle, seat)
    first, second = {1, 2, 3} - {seat}
    circle.give(circle[first], one, other)
    circle.give(circle[second], other, one)
    assert circle[first].fold.log != circle[second].fold.log
    assert origin_of(circle[first]) == origin_of(circle[second])
    assert origin_of(circle[first]).actions == actions_of(circle[first], moves)


def test_what_was_played_behind_one_of_two_versions_is_left_out_as_well() -> None:
    circle = circle_of("fidchell", 3, first=1)
    one, other = (circle.forge(1, bodies.Move(field)) for field in ("1A7", "2A7"))
    circle.give(circle[2], one)
    moved = circle[2].own.play(2, "3A7")
    circle.give(circle[3], one, moved, other)
    assert circle[3].fold.broken
    assert [entry.actor for entry in circle[3].fold.log] == [1, 2]
    assert origin_of(circle[3]).actions == ()
    assert origin_of(circle[3], 1).actions == actions_of(circle[3], 1)


def test_an_agreement_signed_in_two_versions_makes_nobody_the_winner() -> None:
    """Where it counts two play on, and of two the other one has won; where the wish is held three play."""
    circle = waiting_for(3, 1)
    agreed, wish = circle.forge(3, bodies.Epoch(1, held(circle, 1))), circle.forge(3, bodies.Wish(1))
    assert agreed.number == wish.number
    sign(circle, 2, 1, held(circle, 1))
    circle.give(circle[1], wish, agreed)
    circle.give(circle[2], agreed, wish)
    assert [table.fold.position.slot.epoch for table in circle.tables[:2]] == [0, 1]
    assert circle[1].fold.result == circle[2].fold.result
    assert result_of(verdict_of(circle)).winners == ()


def test_after_that_nothing_is_signed() -> None:
    circle = begun(3)
    for event in versions(circle, 1):
        circle.spread(event)
    for table in circle.tables:
        assert table.own.duties() == []
        assert table.fold.owing() == ()
        assert table.confirmed() == ()
        (seat,) = table.own.signers
        for call in (table.own.resign, lambda seat, own=table.own: own.wish_draw(seat, True)):
            with pytest.raises(LocalFaultError, match="GAME_OVER"):
                call(seat)


def test_a_bot_that_signs_two_versions_is_its_operators_doing() -> None:
    circle = circle_of("pebbles", 3, operators=(1, 1, 3), first=2)
    for event in versions(circle, 2):
        circle.spread(event)
    assert result_of(circle[3].fold).winners == (3,), "of two operators the other one has won"
    assert result_of(circle[3].fold).reason == "anna signed two versions of an event"


def test_two_that_sign_two_versions_each_leave_nobody_the_winner() -> None:
    circle = begun(2, first="random")
    for seat in (1, 2):
        for wanted in (0, 1):
            event = circle.forge(seat, bodies.Wish(wanted), heads=(NOTHING, NOTHING))
            for table in circle.tables:
                table.receive(event.raw, event.signature)
    assert result_of(circle[1].fold).winners == ()


def test_the_author_cannot_mend_it_with_more_events() -> None:
    circle = begun(3)
    one, other = versions(circle, 1)
    circle.give(circle[2], one, other)
    before = circle[2].fold.result
    for event in (anew(circle, one, bodies.Wish(0)), anew(circle, one, bodies.Move("take 3"))):
        circle.give(circle[2], event)
    circle.give(circle[2], circle.forge(1, bodies.Move("take 1"), at=circle[2]))
    assert circle[2].fold.result == before


# What does not.


def test_another_version_of_a_settled_event_is_evidence_and_nothing_else() -> None:
    """Every other operator has named it: all hold that one, and nobody can be fooled by another."""
    circle = begun(3, moves=4)
    event = circle[1].held.chains[0][0]
    assert settled(circle[1], event)
    before = circle[1].fold.position
    circle.spread(anew(circle, event))
    assert circle[1].fold.position == before
    assert circle[1].fold.result is None
    circle.play(Random(2), before.plies + 4)
    report = verdict_of(circle)
    assert [(one.seat, one.event, one.kind) for one in report.cheats] == [(1, 1, "equivocation")]


def test_an_event_is_settled_when_every_other_live_operator_has_named_it() -> None:
    circle = begun(4)
    move = circle[1].own.play(1, "take 1")
    circle.spread(move)
    for seat in (2, 3, 4):
        assert not settled(circle[1], move)
        circle.spread(*circle.owed(circle[seat]))
    assert settled(circle[1], move)


def test_where_the_last_one_had_named_it_all_along_the_game_was_never_over() -> None:
    """The fold is a function of what is held: the proof came before the news that settle the event."""
    circle = begun(3, moves=4)
    event = circle[1].held.chains[0][0]
    fresh = circle.client(2)
    fresh.receive(event.raw, event.signature)
    fresh.receive((other := anew(circle, event)).raw, other.signature)
    assert fresh.fold.result
    assert fresh.own.duties() == []
    for one in events_of(circle[1]):
        fresh.receive(one.raw, one.signature)
    assert fresh.fold.result is None
    assert fresh.fold.position == circle[1].fold.position


def test_a_finished_game_stays_as_it_was_confirmed() -> None:
    """No event that all have named can be taken back; of a signature under the result nothing follows."""
    circle = played_out(3)
    before = {str(summary(table)) for table in circle.tables}
    for seat in (1, 2, 3):
        for event in circle[1].held.chains[seat - 1][:-1]:
            circle.spread(anew(circle, event))
    after = {str(summary(table)) for table in circle.tables}
    assert all(table.fold.broken is None for table in circle.tables)
    assert after == before


@pytest.mark.parametrize("late", [False, True])
def test_two_versions_end_nothing_behind_a_result_that_all_have_signed(late: bool) -> None:
    """Of a signature under the result, or of a wish after it: no other seat's signature names one of them."""
    circle = played_out(3)
    result = circle[1].fold.result
    last = circle[1].held.chains[0][-1]
    if late:
        last = circle.forge(1, bodies.Wish(1))
        circle.spread(last)
    circle.spread(anew(circle, last, bodies.Wish(0)))
    for table in circle.tables:
        assert [proof.kept.number for proof in table.held.proofs] == [last.number]
        assert table.fold.result == result


def test_two_versions_end_the_game_while_a_signature_under_the_result_is_missing() -> None:
    """Who has signed two versions may have shown the other one to the seat that has not signed."""
    circle = played_out(3)
    *most, last = events_of(circle[1])
    fresh = circle.client(2)
    for event in (*most, anew(circle, circle[1].held.chains[0][-1])):
        fresh.receive(event.raw, event.signature)
    assert last.seat == 3
    assert fresh.fold.broken
    fresh.receive(last.raw, last.signature)
    assert fresh.fold.result == circle[1].fold.result


def test_a_cheat_that_shows_only_some_its_signature_under_the_result_changes_nothing() -> None:
    """The others have signed; whichever version a client held first, the result stands."""
    circle = played_out(3)
    signed = circle[1].held.chains[0][-1]
    other = anew(circle, signed, bodies.Wish(1))
    for first, second in ((signed, other), (other, signed)):
        fresh = circle.client(2)
        for event in (*[one for one in events_of(circle[1]) if one != signed], first, second):
            fresh.receive(event.raw, event.signature)
        assert fresh.held.proofs
        assert fresh.fold.result == circle[1].fold.result


def test_an_agreement_behind_a_result_that_all_have_signed_changes_nothing_of_it() -> None:
    """Nobody leaves at the end, and the signatures under the result count on: nobody owes anything."""
    circle = played_out(3)
    result = circle[1].fold.result
    circle.agree(1)
    circle.agree(2, 3)
    assert [table.fold.position.slot.epoch for table in circle.tables] == [2, 2, 2]
    assert [table.fold.owing() for table in circle.tables] == [(), (), ()]
    assert [table.confirmed() for table in circle.tables] == [(1, 2, 3)] * 3
    assert {table.fold.result for table in circle.tables} == {result}


def test_a_seat_that_is_out_harms_nobody_by_two_versions_of_what_nobody_relied_on() -> None:
    circle = begun(4, moves=1)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    for event in (circle.forge(3, bodies.Wish(1)), circle.forge(3, bodies.Wish(0))):
        circle.spread(event)
    assert circle[1].held.proofs
    assert circle[1].fold.broken is None
    plies = circle[1].fold.position.plies
    circle.play(Random(1), plies + 4)
    assert circle[1].fold.position.plies >= plies + 4


def test_a_bot_does_not_rely_on_its_operator_for_the_others() -> None:
    """An operator that is out signs two versions, and its bot names the one that another player does not hold."""
    circle = begun(4, operators=(1, 1, 3, 4), first=3)
    for seat in (1, 2):
        circle.spread(circle[1].own.resign(seat))
    circle.settle()
    one, other = circle.forge(1, bodies.Wish(1)), circle.forge(1, bodies.Wish(0))
    circle.give(circle[3], one, other)
    circle.give(circle[4], other)
    last = circle.forge(2, bodies.Wish(1), at=circle[4])
    circle.give(circle[3], last)
    assert (2, last.number) in circle[3].held.waiting
    assert circle[3].held.proofs
    assert circle[3].fold.broken is None


def test_a_seat_that_is_out_ends_the_game_by_two_versions_of_what_counted() -> None:
    """Its resignation has its place, and not all of the others have named it yet: they may hold the other version."""
    circle = begun(4)
    left = circle[3].own.resign(3)
    circle.give(circle[1], left)
    circle.owed(circle[1])
    assert 3 not in circle[1].fold.position.live
    assert circle[1].fold.position.behind[2] == left.number
    circle.give(circle[1], anew(circle, left))
    assert "cleo" in result_of(circle[1].fold).reason


def test_a_cheat_that_is_out_does_not_take_the_win_over_another_cheat_away() -> None:
    """Of two players one signs two versions; another player, who has resigned, does the same to help that cheat."""
    circle = waiting_for(3, 2)
    circle.spread(circle[1].own.resign(1))
    circle.spread(circle[2].own.sign(2, bodies.Sequence()))
    circle.settle()
    assert circle[3].fold.position.live == (2, 3)
    wishes = circle.forge(1, bodies.Wish(1)), circle.forge(1, bodies.Wish(0))
    circle.spread(wishes[0])
    moves = [circle.forge(2, bodies.Move(text)) for text in ("take 1", "take 2")]
    assert moves[0].lengths[0] == wishes[0].number
    for event in (*moves, wishes[1]):
        circle.spread(event)
    assert {proof.kept.seat for proof in circle[3].held.proofs} == {1, 2}
    assert result_of(verdict_of(circle)).winners == (3,)


def test_old_proofs_against_both_players_do_not_let_one_sign_its_last_move_twice() -> None:
    circle = begun(2, pile=20)
    circle.play(Random(1), circle[1].fold.position.plies + 6)
    while circle[1].state.pile > 3:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    for seat in (1, 2):
        circle.spread(anew(circle, circle[1].held.chains[seat - 1][0]))
    winner = circle.mover
    last = circle.forge(winner, bodies.Move(f"take {circle[1].state.pile}"))
    for event in (last, anew(circle, last)):
        circle.spread(event)
    assert result_of(verdict_of(circle)).winners == (3 - winner,)


def test_points_of_a_cheat_that_had_won_go_to_nobody() -> None:
    """At the end of a game of two the winner signs the result twice before the loser has signed it."""
    circle = begun(2, pile=20)
    while circle[1].state.pile > 3:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    winner = circle.mover
    circle.spread(circle.forge(winner, bodies.Move(f"take {circle[1].state.pile}")))
    for event in [circle.forge(winner, bodies.Result(empty)) for empty in (b"", bytes(96))]:
        circle.spread(event)
    result = circle[3 - winner].fold.result
    assert result
    assert (result.winners, result.points) == ((3 - winner,), (0, 0))


def test_a_seat_that_signs_the_same_again_signs_no_second_version() -> None:
    """A restarted client derives the same bytes from its secrets and its file."""
    circle = begun(2, first="random")
    first = circle.client(1).duties()
    again = circle.client(1).duties()
    assert first == again
    circle.spread(*first)
    circle.spread(*again)
    assert not circle[2].held.proofs


# A pair that works together: two of five.


def blind(circle: Circle, seat: int, body: Any) -> SignedEvent:
    """An event whose heads name nothing but its author's own chain."""
    heads = tuple(head if one == seat else NOTHING for one, head in enumerate(circle[seat].held.heads, 1))
    return circle.forge(seat, body, heads=heads)


def test_a_pair_cannot_take_a_game_back_by_lying_about_what_it_has_seen() -> None:
    """Seat 2 names only its own chain, so that nothing of seat 1 is settled; then seat 1 signs its first event anew.

    What seat 2 gives does not count, so the game does not go on; and nothing of its log goes back.
    """
    circle = begun(5)
    first = circle[1].own.play(1, "take 1")
    circle.spread(first)
    for seat in (1, 3, 4, 5):
        circle.owed(circle[seat])
    circle.meet()
    commitment = circle[2].own._duty(2)
    circle.spread(blind(circle, 2, commitment))
    assert circle[3].fold.owing() == (2,)
    log = list(circle[3].fold.log)
    circle.spread(anew(circle, first, bodies.Move("take 3")))
    assert circle[3].fold.log == log
    assert result_of(circle[3].fold).winners == ()
    assert "anna" in result_of(circle[3].fold).reason


@pytest.mark.parametrize("seats", [3, 5])
def test_a_pair_cannot_take_back_what_the_game_has_gone_on_from(seats: int) -> None:
    """The game goes on only if seat 2 names what lies behind: then that is settled, whatever it says later."""
    circle = begun(seats, moves=2 * seats)
    log = list(circle[3].fold.log)
    step = circle[3].fold.position.slot.step
    for seat in (1, 2):
        for event in circle[3].held.chains[seat - 1]:
            if event.slot.step < step - 2:
                circle.spread(anew(circle, event, bodies.Wish(1) if event.kind != EventKind.WISH else bodies.Wish(0)))
    for table in circle.tables:
        assert table.fold.log == log
        assert table.fold.result is None
    circle.play(Random(1), len(log) + 3)
    assert circle[3].fold.log[: len(log)] == log


@pytest.mark.parametrize("seats", [3, 5])
def test_a_pair_cannot_take_back_a_finished_game(seats: int) -> None:
    """Neither by a signature under the result that names nothing, nor by new versions of what they have signed."""
    circle = begun(seats, pile=20)
    circle.play(Random(seats))
    for table in circle.tables:
        if not {1, 2} & {*table.own.signers}:
            circle.owed(table)
    circle.meet()
    result = circle[3].fold.result
    assert result
    log = list(circle[3].fold.log)
    last = circle[3].fold.position.slot.step
    circle.spread(blind(circle, 2, bodies.Result(b"")))
    for seat in (1, 2):
        for event in list(circle[3].held.chains[seat - 1]):
            if event.slot.step < last - 2:
                circle.spread(anew(circle, event))
    for table in circle.tables:
        assert table.fold.log == log
        assert table.fold.result == result


def test_a_pair_cannot_make_one_of_them_win_by_a_sacrifice() -> None:
    """Seat 1 gives itself up by two versions where seat 2 stands badly: nobody wins, and nobody loses but by name."""
    circle = begun(3, moves=3)
    for event in (circle.forge(1, bodies.Wish(0)), circle.forge(1, bodies.Wish(1))):
        circle.spread(event)
    assert result_of(circle[3].fold).winners == ()
    assert result_of(circle[3].fold).points == (0, 0, 0)
