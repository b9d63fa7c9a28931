"""Going on without a player as clients meet it: words typed, ballots that cross, coming back in between."""

from collections.abc import Callable

import pytest
from clients import clients, first_move, of, timed
from going_on import LIMIT, agree, agreements, epochs, live, waiting_for, without
from replicas import FAST
from verdicts import evidence_of

from protocol import EpochBegun, LocalFaultError, Overdue, Proposed, verify
from protocol.events import EventKind, bodies
from protocol.table.going_on import ANSWER_WITHIN, COOL, GRACE, RENEWALS, SIGNED_AT_ONCE
from protocol.table.held import AGREEMENTS_AT_ONE_SLOT
from protocol.table.resuming import PATIENCE

# The players' words.


def test_a_player_who_is_gone_is_left_behind_when_all_others_have_said_so() -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    assert table.told[2] == table.told[3] == [Proposed(1, (4,))]
    assert live(table) == (1, 2, 3, 4)
    agree(table, 2)
    assert live(table) == (1, 2, 3, 4), "seat 3 has not agreed"
    agree(table, 3)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    assert [of(EpochBegun, table.told[seat]) for seat in (1, 2, 3)] == [[EpochBegun((4,))]] * 3
    assert of(Proposed, table.told[1]) == [Proposed(2, (4,))]
    table.play()
    table.check(1, 2, 3)
    assert evidence_of(verify(table.disks[1], FAST, scheme=table.forger.scheme)).left_behind == (4,)


def test_the_same_word_from_all_makes_one_agreement() -> None:
    """Each says `without` by itself: the others' proposal is signed, no second one is made."""
    table = waiting_for(4)
    table.leave(4)
    for operator in (3, 1, 2):
        without(table, operator, 4)
        table.tick(1.0)
    table.wait(8)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    assert {len(agreements(table, operator)) for operator in (1, 2, 3)} == {1}
    table.check(1, 2, 3)


def test_a_proposal_is_told_once() -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    for _ in range(3):
        table.part(1, 2)
        table.link(1, 2)
        table.wait(2)
    assert of(Proposed, table.told[2]) == [Proposed(1, (4,))]


def test_without_a_word_nobody_leaves() -> None:
    table = waiting_for(4)
    table.leave(4)
    table.wait(120)
    assert epochs(table) == {0}
    assert all(agreements(table, operator) == [] for operator in table.nodes)


def test_a_player_who_sleeps_is_left_behind_with_the_one_who_is_gone() -> None:
    """Of five one is gone and one does not answer: after that the other three go on."""
    table = waiting_for(4, 5)
    table.leave(4)
    without(table, 1, 4)
    for operator in (2, 5):
        agree(table, operator)
    assert table[1].going_on.missing() == (3,)
    for operator in (1, 2, 5):
        without(table, operator, 3)
    table.wait(int(GRACE) + 12)
    assert live(table, 1, 2, 5) == (1, 2, 5)
    table.play()
    table.check(1, 2, 5)


def test_a_client_leaves_with_its_bots() -> None:
    """A word against one of the seats is a word against the client that plays them."""
    table = waiting_for(4, 5, operators=(1, 1, 3, 4, 4))
    table.leave(4)
    without(table, 1, 5)
    agree(table, 3)
    assert live(table, 1, 3) == (1, 2, 3)
    assert of(EpochBegun, table.told[1]) == [EpochBegun((4, 5))]
    assert {len([e for e in c if e.kind == EventKind.EPOCH]) for c in table[3].table.held.chains[:3]} == {1}
    table.play()
    table.check(1, 3)


def test_a_player_who_resigned_and_left_is_left_behind_without_a_word() -> None:
    """Where another agreement is on its way: a signature of a seat that resigned and is gone never comes."""
    table = waiting_for(4, 5)
    table.do(3, table[3].play(3, "resign"))
    table.leave(3)
    table.leave(4)
    without(table, 1, 4)
    for operator in (2, 5):
        agree(table, operator)
    table.wait(10)
    assert live(table, 1, 2, 5) == (1, 2, 5)
    assert of(EpochBegun, table.told[1]) == [EpochBegun((4,))], "seat 3 resigned"
    table.check(1, 2, 5)


@pytest.mark.parametrize("seats", [3, 5])
def test_a_player_who_resigned_unheard_and_left_can_be_left_behind(seats: int) -> None:
    """The mover has not heard of it, so the resignation has no place, and now the game waits for that player."""
    table = waiting_for(2, seats)
    table.leave(2)
    table.do(3, table[3].play(3, "resign"))
    table.leave(3)
    table.play()
    stay = [operator for operator in table.nodes if operator != 3]
    table.link(*stay)
    assert {(table[one].table.fold.owing(), table[one].table.fold.has_resigned(3)) for one in stay} == {((3,), True)}
    table.wait(60)
    assert live(table, *stay) == tuple(table.nodes), "nobody has said so: the part that it owes may be on its way"
    without(table, 1, 3)
    table.wait(2)
    assert live(table, *stay) == tuple(stay), "of the others no word is needed"
    table.play()
    table.check(*stay)


def test_one_who_resigned_and_left_does_not_keep_another_at_the_table() -> None:
    table = waiting_for(2, 5)
    table.leave(2)
    table.do(3, table[3].play(3, "resign"))
    table.leave(3)
    table.play()
    table.link(1, 2, 4, 5)
    table.leave(2)
    for operator in (1, 4, 5):
        without(table, operator, 3)
    table.wait(int(GRACE) + 2)
    for operator in (1, 4, 5):
        without(table, operator, 2)
    table.wait(60)
    assert live(table, 1, 4, 5) == (1, 4, 5)
    table.check(1, 4, 5)


def test_who_does_not_sign_cannot_hold_the_others_up_where_another_has_resigned_and_left() -> None:
    """That only seat 3 leaves, which has resigned, is no more tried again and again than that nobody leaves."""
    table = waiting_for(2, 5)
    table.leave(2)
    table.do(3, table[3].play(3, "resign"))
    table.leave(3)
    table.play()
    stay = (2, 4, 5)
    table.link(1, *stay)
    table.up -= {(operator, 1) for operator in stay}  # seat 1 is there, and hears nothing
    for operator in stay:
        without(table, operator, 3)
    table.wait(int(GRACE) + 2)
    for operator in stay:
        without(table, operator, 1)
    table.wait(int(GRACE) + 6)
    assert live(table, *stay) == stay
    table.check(*stay)


@pytest.mark.parametrize("seats", [3, 5])
def test_who_has_not_signed_what_another_client_asked_can_be_left_behind(seats: int) -> None:
    """The one to be left behind comes back and moves; meanwhile another one, whose signature is needed, has gone."""
    table = clients("qenqe", seats)
    table.tick()
    table.leave(1)
    table.leave(3)
    without(table, 2, 1)
    stayed = [operator for operator in table.nodes if operator != 3]
    table.link(*stayed)
    table.play(first_move(table))
    table.wait(int(GRACE) + 2)
    for operator in stayed:
        without(table, operator, 3)
    table.wait(int(GRACE) + 2 * seats)
    assert live(table, *stayed) == tuple(stayed)
    table.play(first_move(table))
    table.check(*stayed)


# What is refused, and with which words.


def test_a_player_who_owes_nothing_cannot_be_left() -> None:
    table = waiting_for(4)
    with pytest.raises(LocalFaultError, match="NOT_AWAITED"):
        table[1].without(3)
    with pytest.raises(LocalFaultError, match="OWN_SEAT"):
        table[1].without(1)
    with pytest.raises(LocalFaultError, match="NOTHING_PROPOSED"):
        table[1].agree()


def test_of_two_players_nobody_can_leave_the_other() -> None:
    table = waiting_for(2, 2)
    table.leave(2)
    with pytest.raises(LocalFaultError, match="OF_TWO_PLAYERS"):
        table[1].without(2)


def test_a_client_that_has_agreed_signs_nothing_else_until_it_is_settled() -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    with pytest.raises(LocalFaultError, match="AGREED"):
        table[1].wish_draw(1, True)
    with pytest.raises(LocalFaultError, match="AGREED"):
        table[1].play(1, "resign")


def test_a_resumed_client_proposes_and_agrees_to_nothing_before_the_others_were_heard() -> None:
    """An old copy may have signed that number already. Nor does its clock run before that."""
    table = timed(4, LIMIT)
    table.tick()
    node = table.resume(2)
    calls: list[Callable[[], object]] = [lambda: node.without(1), node.agree]
    for call in calls:
        with pytest.raises(LocalFaultError, match="UNHEARD"):
            call()
    for now in (0.0, 25.0, 29.0):
        assert not of(Overdue, node.tick(now))
    assert agreements(table, 2) == []


# Ballots.


def test_ballots_that_cross_end_in_one_epoch() -> None:
    """Two clients that cannot hear each other propose with one number; the third hears both."""
    table = waiting_for(4)
    table.leave(4)
    table.part(1, 2)
    table.part(1, 3)
    table.part(2, 3)
    for operator in (1, 2, 3):
        without(table, operator, 4)
    table.wait(12)
    assert all(agreements(table, operator) for operator in (1, 2, 3))
    table.link(1, 2, 3)
    table.wait(40)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.check(1, 2, 3)


def test_two_agreements_of_one_number_end_in_one_epoch() -> None:
    """One client knows more of the player who is gone than the others: they sign two lists under one number."""
    table = waiting_for(4)
    table.part(4, 1)
    table.part(4, 2)
    table.part(1, 2)
    table.part(1, 3)
    table.part(2, 3)
    table.do(4, table[4].wish_draw(4, True))
    table.leave(4)
    for operator in (1, 3):
        without(table, operator, 4)
    table.wait(12)
    first, other = (agreements(table, operator)[0] for operator in (1, 3))
    assert first.number == other.number
    assert first.leaving != other.leaving
    table.link(1, 2, 3)
    table.wait(2)
    agree(table, 2)
    table.wait(int(GRACE))
    without(table, 1, 4)  # another slot has opened for seat 1: its player is asked anew
    table.wait(60)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.check(1, 2, 3)


def test_words_against_different_players_end_in_one_epoch() -> None:
    """In a roll two players owe; each of the others wants to go on without another one first."""
    table = clients("pebbles", 5, pile=60)
    table.tick()
    table.leave(4)
    table.leave(5)
    table.play()
    assert table[1].table.fold.owing() == (4, 5)
    without(table, 1, 4)
    without(table, 2, 5)
    without(table, 3, 4)
    table.wait(int(GRACE) + 4)
    for operator in (1, 2, 3):
        for seat in (4, 5):
            if seat in table[operator].table.fold.position.live:
                without(table, operator, seat)
    table.wait(60)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.play()
    table.check(1, 2, 3)


def test_a_player_who_comes_back_in_between_plays_on() -> None:
    """Some have signed that it leaves: those who are present agree that nobody leaves, without a word."""
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    agree(table, 2)
    table.come(4)
    table.wait(20)
    assert live(table) == (1, 2, 3, 4)
    assert len(epochs(table)) == 1
    assert epochs(table) != {0}
    assert not table[1].table.own.has_agreed
    table.play()
    assert table[1].table.fold.log[-2].actor == 4
    table.check()


def test_a_player_who_is_back_before_one_of_the_others_has_noticed_plays_on() -> None:
    """Client 1 still asks for agreement, client 2 sees that nobody is gone: what each proposes fails at first."""
    table = waiting_for(3, 3)
    table.leave(3)
    table.do(1, table[1].without(3))
    table.link(1, 3)
    table.tick(0.3)
    assert table[1].going_on.wanted == {3}, "client 1 saw operator 3 present from the beginning"
    table.link(2, 3)
    for _ in range(int(2 * (ANSWER_WITHIN + GRACE) / 0.7)):  # never at the very moment at which something is due
        table.tick(0.7)
    assert epochs(table) != {0}
    assert live(table) == (1, 2, 3)
    table.play()
    table.check()


def test_a_player_who_comes_back_too_late_sees_that_it_was_left_behind() -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    for operator in (2, 3):
        agree(table, operator)
    table.play()
    table.come(4)
    table.wait(10)
    assert live(table) == (1, 2, 3)
    assert of(EpochBegun, table.told[4]) == [EpochBegun((4,))]
    with pytest.raises(LocalFaultError, match="OUT_OF_THE_GAME"):
        table[4].play(4, "take 1")
    table.check()


def test_a_move_that_came_too_late_for_an_agreement_does_not_count() -> None:
    """It was made at a client that nobody heard; its player is told by the position that it was left behind."""
    table = waiting_for(4)
    table.leave(4)
    table.play()
    assert table[4].table.fold.log[-1].actor == 4
    without(table, 1, 4)
    for operator in (2, 3):
        agree(table, operator)
    table.come(4)
    table.wait(10)
    assert live(table) == (1, 2, 3)
    table.check()


def test_renewals_come_to_an_end() -> None:
    """Else "nobody leaves" could be asked for without end: after some at one slot the players' words count."""
    table = waiting_for(4)
    for _ in range(RENEWALS + 3):
        table.leave(4)
        without(table, 1, 4)
        table.wait(3)
        table.come(4)
        table.wait(int(GRACE + COOL) + 10)
    renewed = table[1].table.fold.position.renewed
    assert renewed == RENEWALS
    assert live(table) == (1, 2, 3, 4)
    for operator in (1, 2, 3):
        without(table, operator, 4)
    table.wait(60)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.check()


def test_a_word_against_a_player_who_is_present_is_void_when_nobody_agrees() -> None:
    """Else one player's word would keep all others from going on together, for as long as that slot is open."""
    table = waiting_for(4)
    without(table, 1, 4)
    assert table[1].going_on.wanted == {4}
    table.wait(int(ANSWER_WITHIN) + 2)
    assert table[1].going_on.wanted == set()
    table.wait(int(GRACE + COOL))
    assert not table[1].table.own.has_agreed
    table.play()
    table.check()


def test_a_client_pauses_where_another_one_proposes_without_end() -> None:
    """Else a cheat could use up what the others may sign for a slot, within seconds."""
    table = waiting_for(4)
    for number in range(1, 61):
        event = table.forger.forge(3, bodies.Epoch(number, ()), at=table[3].table)
        table[3].table.held.append(event)
        table.do(1, table.tell(1, event, 3))
        table.tick(1.0, 1)
    assert SIGNED_AT_ONCE <= len(agreements(table, 1)) <= SIGNED_AT_ONCE + 60 / GRACE + 1


def test_a_client_that_nobody_answers_signs_a_bounded_number_of_agreements() -> None:
    """The others take in no more than so many events that do not count."""
    table = waiting_for(4)
    for operator in (2, 3, 4):
        table.leave(operator)
    without(table, 1, 4)
    for _ in range(60):
        table.tick(10 * (GRACE + COOL), 1)
    ahead = table[1].table.held.heads[0].length - table[1].table.fold.position.behind[0]
    assert ahead <= AGREEMENTS_AT_ONE_SLOT
    table.link(1, 2, 3)
    for operator in (2, 3):
        without(table, operator, 4)
    table.wait(90)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    table.check(1, 2, 3)


def test_of_several_that_want_the_same_the_lowest_seat_that_is_present_proposes() -> None:
    table = timed(5, LIMIT)
    table.tick()
    table.leave(1)
    table.leave(2)
    table.tick(LIMIT)
    assert [len(agreements(table, operator)) for operator in (3, 4, 5)] == [1, 1, 1]
    agreed = {agreements(table, operator)[0] for operator in (3, 4, 5)}
    assert len(agreed) == 1


@pytest.mark.parametrize("victim", [1, 2, 3])
def test_a_client_killed_while_it_agrees_signs_nothing_twice(victim: int) -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    agree(table, 2)
    if victim == 3:
        agree(table, 3)
    table.resume(victim, challenge=b"what now")
    for operator in {1, 2, 3} - {victim}:
        table.link(victim, operator)
    table.wait(int(PATIENCE) + 1)  # seat 4 is gone: the others will do
    for operator in (1, 2, 3):
        if 4 in table[operator].table.fold.position.live:
            without(table, operator, 4)
    table.wait(60)
    assert live(table, 1, 2, 3) == (1, 2, 3)
    assert all(not table[operator].table.held.proofs for operator in (1, 2, 3))
    table.check(1, 2, 3)


def test_at_the_end_nobody_is_left_behind() -> None:
    """A signature under the result is waited for some seconds (see `test_node`), and is no debt."""
    table = clients("pebbles", 3, pile=3)
    table.tick()
    table.leave(3)
    table.play("take 3")
    assert table[1].table.fold.result
    with pytest.raises(LocalFaultError, match="NOT_AWAITED"):
        table[1].without(3)


def test_at_one_moment_only_one_client_proposes() -> None:
    """All see at once that the time is up: the lowest seat that is present proposes, the others hear it first."""
    table = timed(4, LIMIT)
    table.leave(1)
    table.tick()
    table.now += LIMIT
    effects = {operator: list(table[operator].tick(table.now)) for operator in (2, 3, 4)}
    assert [len(agreements(table, operator)) for operator in (2, 3, 4)] == [1, 0, 0]
    for operator, told in effects.items():
        table.do(operator, told)
    table.wait(5)
    assert live(table, 2, 3, 4) == (2, 3, 4)


def test_an_agreement_that_cannot_come_into_force_is_not_waited_for() -> None:
    """Seat 2 has signed something else with that number: a higher one is tried at once, not after the grace."""
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    other = table.forger.forge(2, bodies.Epoch(1, ()), at=table[2].table)
    table.tell(1, other, 2)
    table.tick(1.0, 1)
    assert [body.number for body in agreements(table, 1)] == [1, 2]


def test_an_agreement_that_may_come_into_force_is_waited_for() -> None:
    table = waiting_for(4)
    table.leave(4)
    without(table, 1, 4)
    table.tick(GRACE - 1.0, 1)
    assert [body.number for body in agreements(table, 1)] == [1]
