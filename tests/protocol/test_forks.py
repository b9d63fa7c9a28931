"""Two versions of one event, at tables where the others can decide, and where two are left (rule 4)."""

from random import Random

import pytest
from gossip import hear, hear_all
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import COMMITMENT, MOVE, OPENING, RESIGN, RESULT, VOTE, WISH, Head
from protocol._replica import PENDING_LIMIT
from replicas import FAST, events_of, replica, summary
from test_votes import circle_of, give_all, replica_of, settle_without

from engine import Turn
from protocol import LocalFaultError


def twins(circle, seat):
    """Let a seat have two clients that know nothing of each other: every event of it may exist twice."""
    twin = circle.client(seat)
    circle.tables.append(twin)
    circle.files.append(b"")
    circle._stored.append(set())
    return twin


def vote_a_forker_out(circle):
    """Seat 1 shows seat 4 another move than seats 2 and 3; when they meet, they remove it."""
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (2, 3))
    circle.give(circle[4], two)
    for seat in (2, 3, 4):
        circle.owed(circle[seat])
    circle.meet()
    settle_without(circle, 1)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_seat_that_signed_two_versions_is_voted_out_by_the_clients(seats):
    """Rule 4: the fork freezes what rests on it; the others' clients remove the seat, and all see one game again."""
    circle = circle_of(seats=seats)
    *most, last = range(2, seats + 1)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], most)
    give_all(circle, [two], (last,))
    for seat in (*most, last):
        circle.owed(circle[seat])
    assert {circle[seat].fold.log[0].action for seat in (*most, last)} == {"take 1", "take 2"}
    circle.give(circle[2], two)
    assert circle[2].fold.cut(1) == 0
    assert circle[2].fold.log == []
    circle.meet()
    settle_without(circle, 1)
    for seat in (*most, last):
        fold = circle[seat].fold
        assert fold.position.live == (*most, last)
        assert [(entry.actor, entry.action, entry.removed) for entry in fold.log] == [(1, "resign", True)]
    give_all(circle, [circle[2].play(2, "take 1")], (*most, last))
    settle_without(circle, 1)
    assert circle[2].fold.position.due == Turn(3)
    assert summary(circle[2]) == summary(circle[3]) == summary(circle[seats])


def test_a_removal_by_a_vote_that_was_forked_is_taken_back():
    """A vote moves no cursor: the fold goes back to its slot all the same."""
    circle = circle_of(seats=4)
    votes = [circle[seat].vote(1) for seat in (2, 3, 4)]
    circle.give(circle[2], *votes)
    assert circle[2].fold.position.slot.epoch == 1
    other = circle.forge(4, RESIGN, (), at=circle[1])
    circle.give(circle[2], other)
    assert circle[2].fold.cut(4) == 0
    assert circle[2].fold.position.slot.epoch == 0
    assert summary(circle[2]) == summary(circle[1])


def test_what_a_seat_signed_in_two_versions_does_not_come_back_when_it_is_gone():
    """Rule 4: all events name what stands before them, also of a seat that was removed: that does not speak for it."""
    circle = circle_of("qenqe", first=3)
    vote_of_two, other = circle.forge(2, VOTE, (3,)), circle.forge(2, WISH, (1,))
    vote_of_one = circle[1].vote(3)
    (moved, *_) = circle[3].game.legal(circle[3].state, 3)
    moved = circle[3].play(3, moved)
    for seat in (1, 3):
        circle.give(circle[seat], vote_of_one, moved, vote_of_two, other)
        assert circle[seat].fold.cut(2) == 0
        assert circle[seat].fold.position.live == (1, 2, 3)
    for mover in (1, 3, 1):
        (move, *_) = circle[mover].game.legal(circle[mover].state, mover)
        give_all(circle, [circle[mover].play(mover, move)], (1, 3))
        settle_without(circle, 2)
    for seat in (1, 3):
        assert [entry.actor for entry in circle[seat].fold.log] == [3, 1, 2, 3, 1]
        assert circle[seat].fold.position.live == (1, 3)
        assert circle[seat].refolded().digest == circle[seat].fold.digest
    late = replica(circle[1], FAST)
    for event in (*events_of(circle[3]), other):
        late.receive(event.raw, event.signature)
    assert summary(late) == summary(circle[1])


def test_a_fork_of_what_all_had_named_changes_nothing():
    """Rule 4: a loser who signs another version afterwards only marks itself."""
    circle = circle_of(seats=3)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.give(circle[1], one)
    circle.spread(one)
    twin = circle.client(1)
    twin.receive(one.raw, one.signature)
    later = circle.forge(1, WISH, (1,), at=twin)
    circle.settle()
    before = summary(circle[2])
    for seat in (2, 3):
        circle.give(circle[seat], two, later)
        assert [fork.other for fork in circle[seat].forks] == [two]
        assert circle[seat].fold.cut(1) is None
        assert summary(circle[seat]) == before
    circle.play(Random(2), 9)
    assert circle[2].fold.position.slot.epoch == 0


def test_votes_of_those_who_had_named_another_version_count():
    """An older fork of the same seat, that all had settled on, does not make them void."""
    circle = circle_of(seats=4, pile=40)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.spread(one)
    circle.settle()
    circle.spread(two)
    while circle.mover != 1:
        circle.spread(circle[circle.mover].play(circle.mover, "take 1"))
        circle.settle()
    vote_a_forker_out(circle)
    assert {circle[seat].fold.position.live for seat in (2, 3, 4)} == {(2, 3, 4)}
    assert summary(circle[2]) == summary(circle[3]) == summary(circle[4])


@pytest.mark.parametrize("way", ["resigned", "voted out"])
def test_a_late_fork_takes_nothing_back_that_only_a_seat_which_left_had_not_named(way):
    """Rule 4: else whoever loses could wait for that, and sign another version of an old move."""
    circle = circle_of(seats=4)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (1, 2, 3))
    gone = [circle[4].resign(4)] if way == "resigned" else [circle[seat].vote(4) for seat in (1, 2, 3)]
    give_all(circle, gone, (1, 2, 3))
    settle_without(circle, 4)
    for seat in (2, 3, 1):
        give_all(circle, [circle[seat].play(seat, "take 1")], (1, 2, 3))
        settle_without(circle, 4)
    before = summary(circle[2])
    assert before[1].step > 8
    early = replica(circle[2], FAST)
    for event in (one, two, *events_of(circle[2])):
        early.receive(event.raw, event.signature)
    give_all(circle, [two], (2, 3))
    assert summary(circle[2]) == summary(circle[3]) == summary(early) == before
    assert len(circle[2].forks) == len(early.forks) == 1
    assert early.fold.cut(1) is None


def test_what_all_who_are_left_have_named_stands_before_what_they_have_not():
    """Rule 4: whoever has lost could else take back an old event by signing another version of its newest one too."""
    circle = circle_of(seats=4)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one, circle[4].resign(4)], (1, 2, 3))
    settle_without(circle, 4)
    for seat in (2, 3, 1):
        give_all(circle, [circle[seat].play(seat, "take 1")], (1, 2, 3))
        settle_without(circle, 4)
    log = [entry.action for entry in circle[2].fold.log]
    newest = [circle.forge(1, kind, body) for kind, body in ((WISH, (1,)), (RESIGN, ()))]
    early = replica(circle[2], FAST)
    for event in (one, two, *events_of(circle[2]), *newest):
        early.receive(event.raw, event.signature)
    assert len(early.forks) == 2
    assert [entry.action for entry in early.fold.log] == log
    assert early.fold.cut(1) == newest[0].number - 1
    assert early.refolded().position == early.fold.position


def test_who_names_another_version_of_a_later_event_has_named_what_that_one_follows():
    """Rule 4: a forker could else take back an event, where the others hold two versions of its next one."""
    circle = circle_of(seats=3)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (2, 3))
    later = [circle.forge(1, WISH, (wish,), at=circle[2]) for wish in (1, 0)]
    for seat, event in zip((2, 3), later, strict=True):
        circle.give(circle[seat], event)
    owed = [*circle.owed(circle[2]), *circle.owed(circle[3])]
    circle.give(circle[2], later[1], *owed, two)
    assert owed[1].heads[0].hash == later[1].hash
    assert circle[2].fold.cut(1) == one.number
    circle.give(circle[3], later[0], *owed, two)
    assert circle[3].fold.cut(1) == one.number


def test_who_has_helped_to_remove_a_forker_cannot_bring_it_back():
    """Rule 4: seat 4 held the other version of what seat 1 forked, voted, and signs two versions itself much later."""
    circle = circle_of(seats=4)
    vote_a_forker_out(circle)
    for seat in (2, 3, 4, 2):
        give_all(circle, [circle[seat].play(seat, "take 1")], (2, 3, 4))
        settle_without(circle, 1)
    log = circle[2].fold.log[:]
    assert [entry.removed for entry in log].count(True) == 1
    late = [circle.forge(4, kind, body) for kind, body in ((WISH, (1,)), (RESIGN, ()))]
    give_all(circle, late, (2, 3))
    for seat in (2, 3):
        assert circle[seat].fold.cut(4) is not None
        assert circle[seat].fold.log == log
        assert circle[seat].refolded().position == circle[seat].fold.position


def test_who_goes_on_after_a_removal_does_not_speak_for_the_removed_either():
    """Rule 4: seat 5 names what it signed for the first time when it is gone, and has not voted itself."""
    circle = circle_of(seats=5, pile=60)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (2, 3, 4))
    most = [event for seat in (2, 3, 4) for event in circle.owed(circle[seat])]
    most += [circle[seat].vote(1) for seat in (2, 3, 4)]
    give_all(circle, [one, *most], (2, 3, 4, 5))
    settle_without(circle, 1)
    assert circle[5].chains[4][0].slot.epoch == 1
    assert circle[5].fold.position.live == (2, 3, 4, 5)
    circle.give(circle[5], two)
    assert [circle[5].fold.names(seat, one) for seat in (2, 3, 4, 5)] == [True, True, True, False]


def test_who_has_signed_two_versions_can_be_voted_out_even_where_it_has_given_what_it_owes():
    """Both stand for nothing: who votes may have been shown another version of what it gave."""
    circle = circle_of(seats=3)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (1, 2, 3))
    circle.settle()
    give_all(circle, [two], (2, 3))
    circle.spread(circle[2].play(2, "take 1"))
    given = circle.owed(circle[1])
    give_all(circle, given, (2, 3))
    votes = [circle.forge(seat, VOTE, (1,)) for seat in (2, 3)]
    assert circle[2].fold.cut(1) is None
    circle.give(circle[2], *votes)
    assert circle[2].fold.position.live == (2, 3)


def test_the_fold_goes_back_to_a_fork_when_one_who_had_named_it_goes_on_without_its_author():
    """Seat 3 has gone on with seat 1 and its vote lapsed; seat 2 had not heard so, and made it a majority."""
    circle = circle_of(seats=3)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (2, 3))
    named = {seat: circle.owed(circle[seat]) for seat in (2, 3)}
    give_all(circle, [two], (2, 3))
    votes = {seat: circle.owed(circle[seat]) for seat in (2, 3)}
    assert [event.kind for seat in (2, 3) for event in votes[seat]] == [VOTE, VOTE]
    circle.give(circle[3], *named[2])
    gone_on = circle[3].wish_draw(3, wish=True)
    circle.give(circle[2], *named[3], *votes[3])
    without = circle[2].play(2, "take 1")
    assert (gone_on.slot.epoch, without.slot.epoch) == (0, 1)
    assert circle[3].fold.cut(1) is None
    circle.give(circle[3], *votes[2], without)
    circle.give(circle[2], gone_on)
    assert circle[3].fold.cut(1) == 0
    assert circle[3].fold.position == circle[3].refolded().position
    assert summary(circle[3]) == summary(circle[2])
    circle.meet()
    settle_without(circle, 1)
    assert circle[2].fold.position.live == circle[3].fold.position.live == (2, 3)


def test_who_was_once_voted_against_takes_nothing_back_later():
    """Rule 4: what it signs when it knows of the vote is settled as soon as the others have gone on with it."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    present = (1, 2, 3, 4)
    votes = [circle[seat].vote(target) for seat, target in ((2, 1), (2, 5), (3, 5), (4, 5))]
    give_all(circle, votes, present)
    settle_without(circle, 5)
    for seat in (2, 3, 4):
        give_all(circle, [circle[seat].play(seat, "take 1")], present)
        settle_without(circle, 5)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], present)
    settle_without(circle, 5)
    before = summary(circle[2])
    assert before[1].epoch == 1
    give_all(circle, [two], (2, 3, 4))
    assert len(circle[2].forks) == 1
    assert circle[2].fold.cut(1) is None
    assert summary(circle[2]) == before


def test_the_vote_of_one_who_has_forked_does_not_unsettle_what_others_go_on_with():
    """Rule 4: a forker has no say. Seat 3 votes against seat 1; seats 2 and 4 go on with it in the next epoch."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    vote, other_of_three = (circle.forge(3, kind, body) for kind, body in ((VOTE, (1,)), (WISH, (1,))))
    wish, other = (circle.forge(1, kind, body) for kind, body in ((WISH, (1,)), (RESIGN, ())))
    circle.give(circle[1], wish)
    votes = [circle[seat].vote(5) for seat in (1, 2, 4)]
    present = (1, 2, 4)
    give_all(circle, [vote, wish, *votes], present)
    settle_without(circle, 3, 5)
    assert circle[2].fold.position.slot.epoch == 1
    give_all(circle, [other_of_three, other], (2, 4))
    assert len(circle[2].forks) == 2
    assert circle[2].fold.cut(1) is None


def test_what_a_seat_that_has_left_names_late_takes_nothing_back():
    """Rule 4: a seat resigned in two versions beside another, who kept to itself that it knew of it until the end."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    resigned, other = (circle.forge(3, kind, body) for kind, body in ((RESIGN, ()), (WISH, (1,))))
    give_all(circle, [resigned, circle[5].resign(5), other], (1, 2, 4))
    settle_without(circle, 3, 5)
    give_all(circle, [circle[2].play(2, "take 1")], (1, 4))
    settle_without(circle, 3, 5)
    before = summary(circle[1])
    assert circle[1].fold.position.live == (1, 2, 4)
    assert circle[1].fold.position.plies > 4
    circle.give(circle[5], resigned)
    give_all(circle, [circle.forge(5, WISH, (1,), at=circle[5])], (1, 2, 4))
    assert summary(circle[1]) == summary(circle[2]) == summary(circle[4]) == before


def test_what_a_seat_that_was_voted_out_names_in_the_end_takes_nothing_back():
    """Rule 4: a wish in two versions has its place since that seat is gone, and keeps it."""
    circle = circle_of("qenqe", seats=5, first=4)
    wish, other = circle.forge(2, WISH, (1,)), circle.forge(2, RESIGN, ())
    give_all(circle, [wish, other], (1, 3, 4))
    give_all(circle, [play_first(circle, 4)], (1, 3))
    give_all(circle, [circle[seat].vote(5) for seat in (1, 3, 4)], (1, 3, 4))
    assert circle[1].fold.position.live == (1, 2, 3, 4)
    assert circle[1].fold.cut(2) is None
    move = play_first(circle, 1)
    give_all(circle, [move], (3, 4))
    before = summary(circle[1])
    assert before == summary(circle[3]) == summary(circle[4])
    give_all(circle, [circle.forge(5, RESULT, (), at=circle[1])], (1, 3, 4))
    assert circle[1].chains[4]
    for seat in (1, 3, 4):
        circle.give(circle[seat], other)
        assert summary(circle[seat]) == before
        assert circle[seat].refolded().digest == circle[seat].fold.digest
        assert circle[seat].refolded().position.wishes == circle[seat].fold.position.wishes


def test_who_hears_of_a_fork_first_is_not_suspected_of_a_wrong_state():
    """It had signed for the state that others see who have not heard yet; what it signs for another one follows."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    resigned, other = (circle.forge(3, kind, body) for kind, body in ((RESIGN, ()), (WISH, (1,))))
    give_all(circle, [resigned, circle[5].resign(5)], (1, 2, 4))
    (first,) = circle.owed(circle[2])
    circle.give(circle[2], other)
    again = circle.owed(circle[2])
    assert again[0].slot == first.slot
    assert again[0].digest != first.digest
    circle.give(circle[4], first, *again)
    assert circle[4].fold.digest == first.digest
    assert circle[4].fold.disputed() == ()


def test_who_has_opened_signs_no_commitment_when_one_that_it_answered_is_forked():
    """Its salt is known: it can only wait until the forker is removed, and draw anew."""
    circle = circle_of(seats=4)
    circle.spread(circle[1].play(1, "take 1"))
    other = circle.forge(1, COMMITMENT, (bytes(32),))
    for seat in (1, 2, 3):
        (commitment,) = circle.owed(circle[seat])
        circle.give(circle[4], commitment)
    assert [event.kind for event in circle.owed(circle[4])] == [OPENING]
    circle.give(circle[4], other)
    assert circle[4].fold.cut(1) is not None
    assert [event.kind for event in events_of(circle[4]) if event.seat == 4] == [OPENING]
    assert [event.kind for event in circle.owed(circle[4])] == [VOTE]


def test_two_who_work_together_cannot_fill_the_memory_of_a_third():
    """Seat 1 names more of seat 2's chain than there is: nobody can tell, since seat 2 signs two versions."""
    circle = circle_of(seats=3)
    wish, other = circle.forge(2, WISH, (1,)), circle.forge(2, WISH, (0,))
    circle.give(circle[3], wish, other)
    start, mine, _ = circle[3].heads
    far = Head(10 * PENDING_LIMIT, bytes(32))
    circle.give(circle[3], circle.forge(1, MOVE, ("take 1",), heads=(start, far, start)))
    assert circle[3].fold.position.cursors[1] == far.length
    for number in range(mine.length, 2 * PENDING_LIMIT):
        ahead = (start, Head(number, bytes(32)), start)
        circle.give(circle[3], circle.forge(2, RESIGN, (), heads=ahead))
    assert len(circle[3]._pending) <= PENDING_LIMIT


def test_a_second_fork_after_one_that_changed_nothing_is_cut_as_well():
    """A seat cannot use up the proof against it."""
    circle = circle_of(seats=3)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.spread(one)
    circle.settle()
    circle.give(circle[2], two)
    circle.play(Random(5), 6)
    assert circle.mover == 1
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.give(circle[2], one, two)
    assert len(circle[2].forks) == 2
    assert circle[2].fold.cut(1) == one.number - 1


def test_proofs_heard_in_any_order_give_one_game():
    """Seat 1 has left without having named what seat 2 signed in two versions; whoever is left has."""
    circle = circle_of(seats=4, first="random")
    twin = circle.client(2)
    (other,) = [circle.forge(2, COMMITMENT, (bytes(32),))]
    twin.receive(other.raw, other.signature)
    later_other = circle.forge(2, WISH, (1,), at=twin)
    (committed,) = circle.owed(circle[1])
    give_all(circle, [committed, circle[1].resign(1)], (2, 3, 4))
    settle_without(circle, 1)
    assert circle[3].fold.position.live == (2, 3, 4)
    assert isinstance(circle[3].fold.position.due, Turn)
    circle.give(circle[4], other)
    circle.give(circle[3], later_other)
    assert circle[3].fold.cut(2) is None
    circle.give(circle[3], other)
    assert circle[3].fold.position.slot == circle[4].fold.position.slot
    assert summary(circle[3]) == summary(circle[4])


def test_who_votes_against_a_forker_does_not_speak_for_what_it_forked():
    """Rule 4: its vote names what it holds, the event that was forked as well, and so does what else it signs there."""
    circle = circle_of(seats=4)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    give_all(circle, [one], (2, 3, 4))
    (committed,) = circle.owed(circle[4])
    give_all(circle, [committed, two], (2, 3))
    votes = [vote for seat in (2, 3) for vote in circle.owed(circle[seat])]
    give_all(circle, votes, (2, 3))
    assert [vote.kind for vote in votes] == [VOTE, VOTE]
    assert all(vote.follows(one) for vote in votes)
    wishes = [circle[seat].wish_draw(seat, wish=True) for seat in (2, 3)]
    give_all(circle, wishes, (2, 3))
    for seat in (2, 3):
        assert circle[seat].fold.cut(1) == 0
        assert circle[seat].fold.log == []
    give_all(circle, [two, *votes, *wishes], (4,))
    settle_without(circle, 1)
    assert [(entry.actor, entry.removed) for entry in circle[4].fold.log] == [(1, True)]
    assert summary(circle[2]) == summary(circle[3]) == summary(circle[4])


def test_of_two_versions_one_chain_is_held_and_what_names_the_other_is_taken_in():
    """Rule 4: what its author signed on top of the other version waits; what others signed who hold that one counts."""
    circle = circle_of(seats=4)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.give(circle[3], two)
    later = circle.forge(1, WISH, (1,), at=circle[3])
    circle.give(circle[3], later)
    named = circle[3].wish_draw(3, wish=True)
    circle.give(circle[2], one, named)
    assert circle[2].chains[2] == [], "it names a version that is not held"
    circle.give(circle[2], two, later)
    assert circle[2].chains[0] == [one]
    assert circle[2].chains[2] == [named]
    after = circle[2].wish_draw(2, wish=True)
    assert after.follows(named)
    late = replica(circle[2], FAST)
    for event in (one, two, named, after):
        late.receive(event.raw, event.signature)
    assert late.chains[1] == [after], "its author cannot name what follows the other version"


def test_one_proof_is_kept_of_what_does_not_stand_anyway():
    """Or a forker could fill the memory and the file of all others with proofs that say nothing new."""
    circle = circle_of(seats=4)
    one, two, three = (circle.forge(1, MOVE, (f"take {number}",)) for number in (1, 2, 3))
    circle.give(circle[2], one, two, three)
    later = [circle.forge(1, WISH, (wish,), at=circle[2]) for wish in (1, 0)]
    circle.give(circle[2], *later)
    assert circle[2].chains[0] == [one, later[0]]
    assert circle[2].forks == [(one, two)]


def test_what_names_another_version_waits_for_the_proof_of_it():
    """Rule 4: another fork of the same seat, of a later event, proves nothing about this one."""
    circle = circle_of(seats=4)
    one, two = (circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2"))
    circle.give(circle[3], two)
    named = circle[3].wish_draw(3, wish=True)
    circle.give(circle[2], one)
    later = [circle.forge(1, WISH, (wish,), at=circle[2]) for wish in (1, 0)]
    circle.give(circle[2], *later, named)
    assert len(circle[2].forks) == 1
    assert circle[2].chains[2] == []
    circle.give(circle[2], two)
    assert len(circle[2].forks) == 2
    assert circle[2].chains[2] == [named]


def play_first(circle, seat):
    return circle[seat].play(seat, circle[seat].game.legal(circle[seat].state, seat)[0])


def test_what_is_named_late_has_its_place_where_it_was_named_first():
    """Rule 4: a wish that did not stand while its fork was open stands before the move that named it."""
    circle = circle_of("qenqe", first=3)
    wish, other = circle.forge(2, WISH, (1,)), circle.forge(2, RESIGN, ())
    circle.give(circle[1], wish, other, play_first(circle, 3))
    assert circle[1].fold.cut(2) == 0
    answer = play_first(circle, 1)
    assert circle[1].fold.position.wishes == (0, 0, 0)
    circle.give(circle[3], wish, answer, other)
    circle.give(circle[1], circle[3].wish_draw(3, wish=True))
    assert circle[1].fold.cut(2) is None
    assert circle[1].fold.position.wishes == (0, 2, 0)
    assert summary(circle[1]) == summary(circle[3]) == summary(replica_of(circle))


@pytest.mark.parametrize("kept", [0, 1], ids=["named it", "had not named it"])
def test_who_has_forked_has_no_say_in_what_stands_of_others(kept):
    """Rule 4: what it names may be two things. Seat 3 has named the wish of seat 2 in one of its own two versions."""
    circle = circle_of("qenqe", seats=4, first=4)
    wish, other = circle.forge(2, WISH, (1,)), circle.forge(2, RESIGN, ())
    had_not_named_it = circle.forge(3, WISH, (1,))
    circle.give(circle[3], wish)
    versions = [circle.forge(3, WISH, (1,)), had_not_named_it]
    circle.give(circle[1], wish, other, play_first(circle, 4))
    circle.give(circle[4], wish, play_first(circle, 1))
    circle.give(circle[1], circle[4].wish_draw(4, wish=True))
    circle.give(circle[1], versions[kept])
    assert circle[1].fold.cut(2) == (0 if kept else None)
    circle.give(circle[1], versions[1 - kept])
    assert circle[1].fold.cut(2) is None
    assert circle[1].fold.cut(3) == 0
    assert circle[1].fold.position.wishes == (0, 2, 0, 0), "the fold has gone back to before the move that named it"
    assert circle[1].refolded().position == circle[1].fold.position


@pytest.mark.parametrize("seats", [3, 4, 5])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_two_clients_with_one_key_leave_one_game_to_the_others(seats, seed):
    """A seat plays two games at once, as an old copy of its files would, while seats vote, resign and owe: all others
    that still play see the same in the end."""
    rng = Random(seed)
    circle = circle_of(seats=seats, pile=30, first=rng.choice([1, "random"]))
    forker = rng.randint(1, seats)
    twins(circle, forker)
    voting, resigning = rng.choice([0, 0.03, 0.1, 0.3]), rng.choice([0, 0, 0.01, 0.05])
    hearing, owing = rng.choice([0.3, 0.6, 1]), rng.choice([0, 0, 0.2, 0.5])
    for _ in range(rng.randint(10, 150)):
        if rng.random() < hearing:
            hear(circle, rng)
        table = rng.choice(circle.tables)
        (seat,) = table.signers
        due = table.fold.position.due
        try:
            if seat == forker and rng.random() < 0.1:
                table.wish_draw(seat, wish=True)
            elif rng.random() < voting:
                table.vote(rng.choice(table.fold.owing() or (1,)))
            elif rng.random() < resigning:
                table.resign(seat)
            elif isinstance(due, Turn) and due.seat == seat and not table.fold.asynchronous():
                table.play(seat, rng.choice(table.game.legal(table.view(seat), seat)))
        except LocalFaultError:
            pass
        if rng.random() >= owing:
            table.duties()
    honest = [table for table in circle.tables if forker not in table.signers]
    hear_all(circle, honest)
    for table in honest:
        while forks := table.passed_over():
            held = {event for chain in table.chains for event in chain if event.seat != forks[0].kept.seat}
            table.exchange(forks[0])
            assert held <= {*events_of(table)}, "an exchange loses nothing that others signed"
            assert table.refolded().digest == table.fold.digest
    hear_all(circle, honest)
    # With two operators, and for who has left, the version held may be another one.
    left = {event.seat for event in events_of(honest[0]) if event.kind == RESIGN}
    live = set.intersection(*({*table.fold.position.live} for table in honest)) - left
    playing = [table for table in honest if {*table.signers} & live]
    if any(len(table.fold.operators()) < 3 for table in playing):
        return
    summaries = [summary(table) for table in playing]
    assert all(one == summaries[0] for one in summaries), [(s[1], s[-1][-4:]) for s in summaries]
    for table in playing:
        assert table.fold.owing() != (forker,) or table.fold.cut(forker) is None, "a forker waited for is removed"
        assert table.refolded().digest == table.fold.digest


def after_a_settled_fork(seats):
    """Seat 1 has signed two versions of its first move, the second when all had named the one that stands."""
    circle = circle_of(seats=seats, pile=90)
    other = circle.forge(1, MOVE, ("take 2",))
    circle.spread(circle[1].play(1, "take 1"))
    circle.settle()
    circle.spread(other)
    return circle


def test_what_two_versions_name_orders_nothing_in_whatever_order_it_comes():
    """Two work together: one names what the other has signed since its fork, but not what that had named."""
    circle = after_a_settled_fork(5)
    table = circle[3]
    heads, slot, digest = table.heads, table.fold.position.slot, table.fold.digest
    assert table.forked
    assert table.fold.cut(1) is None
    wish = circle[4].wish_draw(4, True)
    give_all(circle, [wish], (3, 4, 5))
    named = circle.forge(1, WISH, (0,), heads=table.heads, slot=slot, digest=digest)
    heads = (Head(named.number, named.hash), *heads[1:])
    skipped = circle.forge(2, WISH, (0,), heads=heads, slot=slot, digest=digest)
    assert heads[3].length < wish.number
    give_all(circle, [skipped, named], (3,))
    give_all(circle, [named, skipped], (4, 5))
    assert summary(circle[3]) == summary(circle[4]) == summary(circle[5])
    assert circle[3].heads == circle[4].heads == circle[5].heads


def test_who_names_less_of_a_forker_than_before_unsettles_nothing():
    """Rule 4: what all had named stands, also where one of them helps the forker later on by naming less."""
    circle = after_a_settled_fork(4)
    circle.play(Random(1), 24)
    table = circle[3]
    old = table.chains[0][5]
    position, digest = table.fold.position, table.fold.digest
    for _ in range(2 * len(table.chains[1])):
        heads = (Head(1, table.chains[0][0].hash), circle[3].heads[1], *circle[2].heads[2:])
        less = circle.forge(2, WISH, (0,), heads=heads, slot=position.slot, digest=digest)
        give_all(circle, [less], (3, 4))
    assert len(table.chains[1]) > 2 * position.cursors[1]
    late = circle.forge(1, WISH, (1,), heads=old.heads, slot=old.slot, digest=old.digest)
    give_all(circle, [late], (3, 4))
    assert table.fold.position.plies == circle[4].fold.position.plies == position.plies
