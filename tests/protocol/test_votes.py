"""Absence: votes that remove a seat, those that lapse, and what a claim is worth (rules 8 to 11)."""

from random import Random

import pytest
from gossip import hear, hear_all
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import COMMIT, COMMITMENT, MOVE, OPENING, RESIGN, REVEAL, REVELATION, SHARING, VOTE
from replicas import FAST, Circle, charter_of, events_of, replica, summary

from engine import Chance, Over, Turn
from protocol import LocalFaultError, verify


def circle_of(key="pebbles", seats=3, operators=None, **options):
    options = {"first": 1, **options} if key == "pebbles" else options
    return Circle(charter_of(key, seats, options, fast=True, operators=operators), fast=True)


def give_all(circle, events, seats):
    for seat in seats:
        circle.give(circle[seat], *events)


def vote(circle, seat, target):
    """Let a client vote, and the others but the target hear it."""
    event = circle[seat].vote(target)
    give_all(circle, [event], [table.signers and min(table.signers) for table in circle.tables])
    return event


def settle_without(circle, *gone):
    """Let all but those who are gone sign what they owe and hear it."""
    present = [table for table in circle.tables if not {*table.signers} & {*gone}]
    progress = True
    while progress:
        progress = False
        for table in present:
            for event in circle.owed(table):
                progress = True
                for other in present:
                    circle.give(other, event)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_more_than_half_of_the_players_remove_a_seat(seats):
    """Rule 9: one vote more than half of all, the absent one included; the epoch rises and the others play on."""
    circle = circle_of(seats=seats)
    for voter in range(2, seats + 1):
        position = circle[seats].fold.position
        if position.slot.epoch:
            break
        vote(circle, voter, 1)
    needed = seats // 2 + 1
    assert sum(event.kind == VOTE for event in events_of(circle[seats])) == needed
    for table in circle.tables[1:]:
        position = table.fold.position
        assert (position.slot.epoch, position.slot.step, position.slot.kind) == (1, 1, 1)
        assert position.live == tuple(range(2, seats + 1))
        assert [(entry.actor, entry.action, entry.removed) for entry in table.fold.log] == [(1, "resign", True)]
        assert isinstance(position.due, Turn)
        assert position.due.seat == 2
    move = circle[2].play(2, "take 1")
    give_all(circle, [move], range(2, seats + 1))
    settle_without(circle, 1)
    assert circle[2].fold.position.plies == 3
    assert summary(circle[2]) == summary(circle[seats])
    report = verify(circle.files[seats - 1], FAST)
    assert report.ok
    assert "seat 1 was voted out" in " ".join(report.lines)


def test_half_of_the_players_are_not_enough():
    """Two against two can only wait."""
    circle = circle_of(seats=4)
    vote(circle, 2, 1)
    vote(circle, 3, 1)
    assert circle[4].fold.position.slot.epoch == 0
    assert circle[4].owing() == (1,)


def test_a_vote_lapses_when_the_seat_comes_back():
    """What it owed counts as soon as it is there, as long as no majority has voted."""
    circle = circle_of(seats=3)
    against = vote(circle, 2, 1)
    move = circle[1].play(1, "take 2")
    give_all(circle, [move], (2, 3))
    circle.give(circle[1], against)
    assert [table.fold.position.plies for table in circle.tables] == [1, 1, 1]
    circle.settle()
    assert circle[1].fold.position.slot.epoch == 0
    assert len({str(summary(table)) for table in circle.tables}) == 1
    assert circle[3].owing() == (2,)
    with pytest.raises(LocalFaultError, match="waits for"):
        circle[3].vote(1)


def test_who_abstains_cannot_stop_the_game():
    """Two of five vote, two have seen the move, one says nothing: the move counts and play goes on."""
    circle = circle_of(seats=5)
    for seat in (3, 5):
        give_all(circle, [circle[seat].vote(1)], (2, 3, 5))
    move = circle[1].play(1, "take 2")
    give_all(circle, [move], (2, 3, 5))
    assert [circle[seat].fold.position.plies for seat in (1, 2, 3, 5)] == [1, 1, 1, 1]


def test_a_majority_takes_back_what_one_alone_had_seen():
    """Only seat 5 had the move of seat 1; it goes back to the slot and on without that seat, as all do."""
    circle = circle_of(seats=5)
    move = circle[1].play(1, "take 2")
    circle.give(circle[5], move)
    signed = circle.owed(circle[5])
    assert circle[5].fold.position.plies == 1
    assert [event.kind for event in signed] == [COMMITMENT]
    for voter in (2, 3, 4):
        event = circle[voter].vote(1)
        give_all(circle, [event], range(2, 6))
    circle.give(circle[2], move, *signed)
    circle.meet()
    for table in circle.tables:
        assert [entry.action for entry in table.fold.log] == ["resign"]
        assert table.fold.position.slot.epoch == 1
    assert len({str(summary(table)) for table in circle.tables}) == 1
    assert summary(replica_of(circle)) == summary(circle[1])


def replica_of(circle, seat=1):
    """A fresh replica that hears everything that one holds, causes first."""
    fresh = replica(circle[seat], FAST)
    for event in events_of(circle[seat]):
        fresh.receive(event.raw, event.signature)
    return fresh


def test_a_vote_after_having_seen_the_contribution_is_void():
    """Rule 9: whoever names what the seat gave has kept it: its vote changes nothing, however late the others hear
    it."""
    circle = circle_of(seats=3)
    before = circle[2].fold
    slot, digest = before.position.slot, before.digest
    move = circle[1].play(1, "take 2")
    circle.spread(move)
    for seat in (2, 3):  # of that seat they name the move and nothing more
        circle.spread(circle.forge(seat, VOTE, (1,), slot=slot, digest=digest))
    assert all(table.refolded().position == table.fold.position for table in circle.tables)
    circle.settle()
    plies = circle[3].fold.position.plies
    for seat in (2, 3):
        circle.spread(circle.forge(seat, VOTE, (1,), slot=slot, digest=digest))
    assert [table.fold.position.plies for table in circle.tables] == [plies] * 3
    assert circle[3].fold.position.slot.epoch == 0
    assert all(table.refolded().position == table.fold.position for table in circle.tables)


def test_a_late_vote_against_nobody_changes_nothing():
    """The largest table has five seats, so a vote may name one that this table has not."""
    circle = circle_of(seats=3)
    slot, digest = circle[3].fold.position.slot, circle[3].fold.digest
    circle.spread(circle[1].play(1, "take 2"))
    circle.settle()
    before = circle[1].fold.position
    circle.spread(circle.forge(2, VOTE, (5,), slot=slot, digest=digest))
    assert circle[1].fold.position == before
    assert circle[1].refolded().position == before


@pytest.mark.parametrize("change", ["epoch", "step", "kind", "digest", "target"])
def test_a_vote_counts_for_its_slot_and_seat_alone(change):
    circle = circle_of(seats=3)
    vote(circle, 2, 1)
    fold = circle[3].fold
    slot, digest, target = fold.position.slot, fold.digest, 1
    if change == "digest":
        digest = bytes(32)
    elif change == "target":
        target = 2
    else:
        slot = slot._replace(**{change: getattr(slot, change) + 1})
    circle.spread(circle.forge(3, VOTE, (target,), slot=slot, digest=digest))
    assert circle[2].fold.position.slot.epoch == 0
    vote(circle, 3, 1)
    assert circle[2].fold.position.slot.epoch == 1


def test_one_seat_has_one_vote():
    circle = circle_of(seats=5)
    for _ in range(4):
        circle.spread(circle.forge(2, VOTE, (1,)))
    assert circle[3].fold.voters(1) == {2}
    assert circle[3].fold.position.slot.epoch == 0


def test_votes_count_players_not_seats():
    """Rule 11: a player with three bots has one vote."""
    circle = circle_of(seats=5, operators=[1, 2, 2, 2, 5])
    for seat in (2, 3, 4):
        circle.spread(circle.forge(seat, VOTE, (1,)))
    assert circle[5].fold.voters(1) == {2}
    assert circle[5].fold.position.slot.epoch == 0
    vote(circle, 5, 1)
    assert circle[2].fold.position.slot.epoch == 1
    assert circle[2].fold.operators() == {2, 5}


def test_two_players_cannot_vote():
    """Rule 10: nobody could tell who of two is gone."""
    circle = circle_of(seats=4, operators=[1, 2, 2, 2])
    with pytest.raises(LocalFaultError, match="claim"):
        circle[2].vote(1)
    circle.spread(circle.forge(2, VOTE, (1,)))
    assert circle[2].fold.position.slot.epoch == 0


def test_a_claim_changes_nothing_and_lapses_when_play_goes_on():
    """Rule 10: a claim is on record, marked as unconfirmed."""
    circle = circle_of(seats=2)
    before = circle[2].fold.position
    claim = circle[2].claim()
    circle.spread(claim)
    assert circle[1].fold.position == before
    assert circle[1].fold.claims() == (2,)
    report = verify(circle.files[1], FAST)
    assert report.result is None
    assert "seat 2 claims" in " ".join(report.lines)
    assert "unconfirmed" in " ".join(report.lines)
    with pytest.raises(LocalFaultError, match="already"):
        circle[2].claim()
    circle.spread(circle[1].play(1, "take 1"))
    circle.settle()
    assert circle[2].fold.claims() == ()
    assert "claims" not in " ".join(verify(circle.files[1], FAST).lines)


def test_a_claim_needs_somebody_else_to_be_waited_for():
    circle = circle_of(seats=2)
    with pytest.raises(LocalFaultError, match="waits"):
        circle[1].claim()
    with pytest.raises(LocalFaultError, match="vote"):
        circle_of(seats=3)[2].claim()


@pytest.mark.parametrize(
    ("target", "words"), [(2, "your own seat"), (3, "waits for"), (1, None)], ids=["oneself", "not waited for", "owing"]
)
def test_whom_one_may_vote_against(target, words):
    circle = circle_of(seats=3)
    if words is None:
        circle[2].vote(target)
        words = "already"
    with pytest.raises(LocalFaultError, match=words):
        circle[2].vote(target)


def test_a_withheld_revelation_costs_the_seat_not_the_roll():
    """Rule 8: the others draw anew, in a new epoch, with other salts."""
    circle = circle_of(seats=3)
    circle.spread(circle[1].play(1, "take 1"))
    for event in [event for table in circle.tables for event in circle.owed(table)]:
        circle.spread(event)
    for seat in (2, 3):
        for event in circle.owed(circle[seat]):
            give_all(circle, [event], (2, 3))
    slot = circle[2].fold.position.slot
    assert (slot.kind, circle[2].fold.owing()) == (REVEAL, (1,))
    shown = {event.body[0] for event in events_of(circle[2]) if event.kind == REVELATION}
    for seat in (2, 3):
        give_all(circle, [circle[seat].vote(1)], (2, 3))
    position = circle[2].fold.position
    assert (position.slot.epoch, position.slot.kind, position.live) == (1, COMMIT, (2, 3))
    settle_without(circle, 1)
    assert circle[2].fold.position.due == Turn(2)
    again = [event for event in events_of(circle[2]) if event.kind in (REVELATION, OPENING) and event.slot.epoch == 1]
    assert len(again) == 2
    assert not shown & {event.body[0] for event in again}


def test_a_withheld_shuffle_is_voted_out_and_the_cards_are_dealt_anew():
    """Rule 12: the deal is abandoned and those who are left make new keys."""
    circle = Circle(charter_of("celtic-whist", 3, {}, fast=True), fast=True)
    while circle[1].fold.position.slot.kind != 8:
        circle.step()
    assert circle[2].fold.owing() == (1,)
    for seat in (2, 3):
        give_all(circle, [circle[seat].vote(1)], (2, 3))
    settle_without(circle, 1)
    position = circle[2].fold.position
    assert position.slot.epoch == 1
    assert position.live == (2, 3)
    assert position.hands
    assert position.hands.dealing.number == 1, "the second deal"
    assert isinstance(position.due, Turn)
    assert summary(circle[2]) == summary(circle[3])


def test_withheld_shares_cost_the_seat_that_has_seen_its_hand():
    """Rule 13: who does not like its cards and keeps the others from theirs is voted out, and all cards are new."""
    circle = Circle(charter_of("celtic-whist", 3, {}, fast=True), fast=True)
    while circle[1].fold.position.slot.kind != SHARING:
        circle.step()
    for seat in (2, 3):
        for event in circle.owed(circle[seat]):
            circle.spread(event)
    circle.owed(circle[1])  # signed, and sent to nobody
    assert circle[1].fold.position.hands, "it has seen its hand"
    assert circle[2].fold.owing() == circle[3].fold.owing() == (1,)
    first = circle[2].fold.position.machine
    for seat in (2, 3):
        give_all(circle, [circle[seat].vote(1)], (2, 3))
    settle_without(circle, 1)
    position = circle[2].fold.position
    assert (position.live, position.slot.epoch) == ((2, 3), 1)
    second = position.hands.dealing
    assert second.number == first.number + 1
    assert not {*second.keys} & {*first.keys}
    circle.meet()
    assert summary(circle[1]) == summary(circle[2]) == summary(circle[3]), "also its author's client goes back"


def test_a_seat_that_was_voted_out_has_no_say():
    """What it signs afterwards, or had signed for the old epoch, has no effect; its client knows that it is out."""
    circle = circle_of(seats=3)
    vote(circle, 2, 1)
    vote(circle, 3, 1)
    circle.meet()
    with pytest.raises(LocalFaultError, match="no longer plays"):
        circle[1].play(1, "take 1")
    assert circle[1].duties() == []
    before = summary(circle[2])
    for kind, body in ((MOVE, ("take 1",)), (RESIGN, ()), (VOTE, (2,))):
        circle.spread(circle.forge(1, kind, body))
    assert summary(circle[2]) == before
    circle.play(Random(1))
    assert isinstance(circle[2].fold.position.due, Over)
    assert all(verify(file, FAST).ok for file in circle.files)
    assert len({str(summary(table)) for table in circle.tables}) == 1


def test_a_resignation_and_a_removal_at_one_slot_converge():
    """A seat resigns while another one is voted out in the same gather slot, heard in either order."""
    results = set()
    for order in (0, 1):
        circle = circle_of(seats=5)
        circle.spread(circle[1].play(1, "take 1"))
        assert isinstance(circle[2].fold.position.due, Chance)
        votes = [circle[seat].vote(1) for seat in (2, 3, 4)]
        resigned = circle[5].resign(5)
        news = [*votes, resigned] if order else [resigned, *votes]
        give_all(circle, news, (2, 3, 4, 5))
        settle_without(circle, 1)
        assert circle[2].fold.position.live == (2, 3, 4)
        fresh = replica_of(circle, 2)
        assert summary(fresh) == summary(circle[2]) == summary(circle[4])
        results.add(str([entry[:2] for entry in circle[2].fold.log[:3]]))
    assert len(results) == 1


def test_who_has_gone_on_with_a_seat_no_longer_votes_against_it():
    """Rule 9: else one who was cut off, and voted out himself, could take back all that was played by a vote of old."""
    circle = circle_of(seats=3)
    circle.spread(circle[1].play(1, "take 1"))
    circle.settle()
    kept_back = circle[3].vote(2)
    give_all(circle, [circle[1].vote(2)], (1, 2))
    give_all(circle, [circle[2].play(2, "take 1")], (1, 2))
    settle_without(circle, 3)
    give_all(circle, [circle[seat].vote(3) for seat in (1, 2)], (1, 2))
    settle_without(circle, 3)
    assert circle[1].fold.position.live == (1, 2)
    before = summary(circle[1])
    give_all(circle, [kept_back], (1, 2))
    circle.give(circle[3], *events_of(circle[1]))
    assert summary(circle[1]) == summary(circle[2]) == summary(circle[3]) == before
    assert summary(replica_of(circle)) == before


def test_who_goes_on_after_all_takes_its_part_in_a_removal_back():
    """Two of three have voted, one of them had the move all the same: whoever hears so takes the removal back."""
    circle = circle_of(seats=3)
    circle.spread(circle[1].play(1, "take 1"))
    circle.settle()
    votes = [circle[seat].vote(2) for seat in (1, 3)]
    move = circle[2].play(2, "take 1")
    circle.give(circle[1], votes[0], move)
    gone_on = circle.owed(circle[1])
    assert gone_on
    circle.give(circle[3], *votes)
    assert circle[3].fold.position.live == (1, 3)
    circle.owed(circle[3])
    circle.give(circle[3], move, *gone_on)
    assert circle[3].fold.position.live == (1, 2, 3)
    circle.give(circle[1], votes[1])
    assert circle[1].fold.position.live == (1, 2, 3)
    assert summary(replica_of(circle, 3)) == summary(circle[3])


def test_a_resignation_kept_back_takes_nothing_back_once_its_author_is_voted_out():
    """Rule 9: it was for a slot that another one made void, before the others removed its author at the next."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    kept_back = circle[3].resign(3)
    give_all(circle, [circle[2].resign(2)], (1, 4, 5))
    give_all(circle, [circle[seat].vote(3) for seat in (1, 4, 5)], (1, 4, 5))
    assert circle[1].fold.position.live == (1, 4, 5)
    early = replica_of(circle)
    early.receive(kept_back.raw, kept_back.signature)
    assert summary(early) == summary(circle[1])
    settle_without(circle, 2, 3)
    before = summary(circle[1])
    give_all(circle, [kept_back], (1, 4, 5))
    assert summary(circle[1]) == summary(circle[4]) == before
    assert summary(replica_of(circle)) == before


def test_two_resignations_of_which_one_is_kept_back_converge():
    """Both who resigned may be voted against by who had not heard of it; no order of hearing makes a difference."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    two, three = circle[2].resign(2), circle[3].resign(3)
    circle.give(circle[4], two)
    circle.give(circle[5], three)
    votes = [circle[4].vote(3), circle[5].vote(2), circle[1].vote(3)]
    for table in circle.tables:
        circle.give(table, *votes)
    circle.meet()
    circle.settle()
    assert circle[1].fold.position.live == (1, 4, 5)
    assert len({str(summary(table)) for table in (*circle.tables, replica_of(circle))}) == 1


def test_a_removal_after_a_void_slot_is_not_final():
    """A resignation may still be on its way that has its place before it: here one that a cheat has kept back."""
    circle = circle_of(seats=5, operators=(1, 2, 3, 4, 4))
    circle.spread(circle[1].play(1, "take 1"))
    kept_back = circle.forge(5, RESIGN, ())
    give_all(circle, [circle[2].resign(2)], (1, 4))
    give_all(circle, [circle[seat].vote(3) for seat in (1, 4)], (1, 4))
    assert circle[1].fold.position.live == (1, 4, 5)
    circle.give(circle[1], kept_back)
    assert circle[1].fold.position.live == (1, 3, 4)
    assert summary(circle[1]) == summary(replica_of(circle))


def test_a_late_vote_counts_at_a_slot_that_another_removal_closed():
    """Rule 9: nothing of the seat had been given by then, so there was nothing that the vote could have named."""
    circle = circle_of(seats=5, operators=(1, 2, 1, 4, 5))
    circle.spread(circle[1].play(1, "take 1"))
    *votes, late = [circle[seat].vote(target) for seat in (4, 5, 2) for target in (1, 3)]
    circle.give(circle[5], *votes)
    assert circle[5].fold.position.live == (2, 3, 4, 5)
    circle.owed(circle[5])
    circle.give(circle[5], late)
    assert circle[5].fold.position.live == (2, 4, 5)
    assert circle[5].fold.position.slot.epoch == 2
    assert summary(replica_of(circle, 5)) == summary(circle[5])


def test_a_vote_for_another_state_of_its_slot_is_another_vote():
    """Who hears of a second resignation after its vote votes again, and that one counts, however late it is heard."""
    circle = circle_of(seats=5)
    circle.spread(circle[1].play(1, "take 1"))
    two, five = circle[2].resign(2), circle[5].resign(5)
    give_all(circle, [two], (1, 3, 4))
    first = circle[4].vote(3)
    give_all(circle, [five], (1, 3, 4))
    *committed, again = circle.owed(circle[4])
    assert again.kind == VOTE
    assert again.slot == first.slot
    circle.give(circle[3], first, *committed, *circle.owed(circle[1]), circle[1].vote(3))
    circle.owed(circle[3])
    assert circle[3].fold.position.live == (1, 3, 4)
    circle.give(circle[3], again)
    assert circle[3].fold.position.live == (1, 4)
    assert summary(replica_of(circle, 3)) == summary(circle[3])


@pytest.mark.parametrize("seats", [3, 4, 5])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_votes_at_any_time_heard_in_any_order_converge(seats, seed):
    """Players vote and resign at random, clients owe, replicas hear late and in bits: when all have heard all, all
    agree."""
    rng = Random(seed)
    operators = (*range(1, seats), rng.choice([1, seats]))
    circle = circle_of(seats=seats, operators=operators, pile=30, first=rng.choice([1, "random"]))
    voting, resigning = rng.choice([0.03, 0.06, 0.2, 0.4]), rng.choice([0, 0.01, 0.05, 0.15])
    hearing, owing = rng.choice([0.3, 0.6, 1]), rng.choice([0, 0.2, 0.5, 0.8])
    for _ in range(rng.randint(10, 120)):
        if rng.random() < hearing:
            hear(circle, rng)
        table = rng.choice(circle.tables)
        due = table.fold.position.due
        try:
            if rng.random() < voting:
                table.vote(rng.choice(table.fold.owing() or (1,)))
            elif rng.random() < resigning:
                table.resign(rng.choice([*table.signers]))
            elif isinstance(due, Turn) and due.seat in table.signers and not table.fold.asynchronous():
                table.play(due.seat, rng.choice(table.game.legal(table.view(due.seat), due.seat)))
        except LocalFaultError:
            pass
        if rng.random() >= owing:
            table.duties()
    hear_all(circle, circle.tables)
    summaries = [summary(table) for table in circle.tables]
    assert all(one == summaries[0] for one in summaries)
    assert summary(replica_of(circle)) == summaries[0]
    fold = circle[1].fold
    assert fold.position.cheats == ()
    # Nobody is stuck: only moves are owed.
    assert isinstance(fold.position.due, Turn | Over)
