"""Closing slots that gather something of every seat: rolls, deals, the end; and tables with one signer."""

from random import Random

import pytest
from kinds import expect
from replicas import local_table
from stepping import actions, contributions, contributions_heard, pair, rolling
from verdicts import result_of, settled
from whist import STEPS, honest, own_cards, play_to, reach, share, whist

from engine import Chance, Over, Turn
from protocol import LocalFaultError
from protocol.chance import Roll
from protocol.events import SLOTS, EventKind, Givers, SlotKind, bodies

# Rolls.


def test_a_roll_takes_a_commitment_then_a_revelation_of_every_live_seat() -> None:
    circle = rolling(3)
    for kind in (SlotKind.COMMIT, SlotKind.REVEAL):
        assert circle[1].fold.position.slot.kind == kind
        parts = contributions(circle)
        for event, owed in zip(parts, ((2, 3), (3,), None), strict=True):
            circle.spread(event)
            if owed:
                assert circle[1].fold.owing() == owed
    assert actions(circle)[0][1].startswith("first ")
    assert isinstance(circle[1].fold.position.due, Turn)


def test_there_is_no_second_commit_slot() -> None:
    """Each revelation commits to the next roll."""
    circle = rolling(3, pile=40)
    circle.play(Random(3), 9)
    kinds = [event.kind for event in circle[1].held.chains[0]]
    assert kinds.count(EventKind.COMMITMENT) == 1
    assert kinds.count(EventKind.REVELATION) == circle[1].fold.position.rolls > 2


def test_the_first_commitment_counts() -> None:
    circle = rolling(2)
    first, second = bodies.Commitment(b"1" * 32), bodies.Commitment(b"2" * 32)
    position = circle[1].fold.position
    circle.spread(circle.forge(2, first))
    circle.spread(circle.forge(2, second, slot=position.slot, digest=position.digest))
    circle.settle()
    machine = circle[1].fold.position.machine
    assert isinstance(machine, Roll)
    assert [one.hash for one in machine.bound if one.seat == 2] == [first.hash]
    assert circle[1].fold.owing() == (2,), "its client shows nothing that does not open what it committed to first"


def test_a_revelation_before_all_have_committed_is_not_taken() -> None:
    circle = rolling(2)
    early = circle.forge(1, bodies.Revelation(bytes(32), bytes(32)))
    circle.spread(early)
    assert circle[1].fold.owing() == (1, 2)
    assert settled(circle).cheats == ()


def test_no_commitments_stand_where_a_seat_has_left() -> None:
    """The next roll needs commitments of all live seats, and of nobody else: it takes them anew."""
    circle = rolling(3)
    circle.settle()
    before = {one.hash for one in circle[1].fold.position.bound}
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
    position = circle[1].fold.position
    assert position.slot.kind == SlotKind.REVEAL, "those of the seats that are left still stand"
    assert {one.hash for one in expect(Roll, position.machine).bound} < before
    settled(circle)


def test_a_wrong_salt_gives_up_the_roll_and_all_commitments_fall() -> None:
    circle = rolling(3, SlotKind.REVEAL)
    circle.spread(circle.forge(3, bodies.Revelation(bytes(32), bytes(32))))
    for event in contributions(circle, 1, 2):
        circle.spread(event)
    position = circle[1].fold.position
    assert (position.live, position.slot.kind) == ((1, 2), SlotKind.COMMIT)
    assert position.bound == expect(Roll, position.machine).bound == ()
    assert position.rolls == 2, "no salt serves two rolls"


def test_a_withheld_part_rolls_nothing() -> None:
    """The last one to reveal knows the roll before: keeping its salt back only stops the game."""
    circle = rolling(3, SlotKind.REVEAL)
    for event in contributions(circle, 1, 2):
        circle.spread(event)
    for table in circle.tables:
        assert (table.fold.log, table.fold.owing()) == ([], (3,))


# Deals.


def test_a_deal_takes_keys_of_all_a_shuffle_of_each_in_turn_and_shares_of_all() -> None:
    circle = reach(whist(3), SlotKind.KEY)
    taken = []
    while circle[1].fold.position.slot.kind in STEPS:
        position = circle[1].fold.position
        taken.append((position.slot.kind, circle[1].fold.owing()))
        assert (len(position.givers) == 1) == (SLOTS[position.slot.kind].givers == Givers.NEXT)
        contributions_heard(circle)
    every = (1, 2, 3)
    assert taken == [
        (SlotKind.KEY, every),
        *((SlotKind.SHUFFLE, (seat,)) for seat in every),
        (SlotKind.SHARE, every),
    ]
    assert circle[1].fold.log[-1].action == "deal"


def test_a_shuffle_out_of_turn_is_not_taken() -> None:
    circle = reach(whist(3), SlotKind.SHUFFLE)
    first = honest(circle, 1)
    position = circle[2].fold.position
    circle.spread(circle.forge(2, first))
    assert circle[2].fold.position == position


def test_a_card_is_played_with_the_share_that_opens_it() -> None:
    circle = play_to(whist(3), 1)
    seat = circle.mover
    card = circle[seat].game.legal(circle[seat].own.view(seat), seat)[0]
    at = next(at for at, held in own_cards(circle, seat).items() if held == card)
    event = circle[seat].own.play(seat, card)
    assert event.body == bodies.Play(card, at, share(circle, seat, at))
    plies = circle[1].fold.position.plies
    circle.spread(event)
    assert circle[1].fold.log[plies][:2] == (seat, card)


# The end.


def test_the_result_is_signed_by_all_and_waits_for_nobody() -> None:
    circle = pair()
    circle.spread(circle[2].own.resign(2))
    contributions_heard(circle)
    assert circle[1].fold.position.slot.kind == SlotKind.END
    assert circle[1].fold.owing() == (1,), "of a seat that has resigned none is awaited"
    circle.settle()
    assert circle[1].confirmed() == (1, 2)
    assert isinstance(circle[1].fold.position.due, Over)


def test_a_signature_under_another_result_does_not_count() -> None:
    circle = pair()
    circle.spread(circle[2].own.resign(2))
    contributions_heard(circle)
    circle.spread(circle.forge(1, bodies.Result(b""), digest=bytes(32)))
    assert circle[2].confirmed() == ()
    circle.settle()
    assert circle[2].confirmed() == (1, 2)


# One signer.


def test_a_table_with_one_signer_acts_for_all() -> None:
    """Solo and hot-seat: chance and seats are plain events of one chain; nothing unlawful is signed."""
    table = local_table("fidchess")
    assert isinstance(table.fold.position.due, Chance)
    with pytest.raises(LocalFaultError):
        table.act(0, "first 3")
    table.act(0, "first 2")
    with pytest.raises(LocalFaultError):
        table.act(1, table.game.legal(table.state, 2)[0])
    table.act(2, table.game.legal(table.state, 2)[0])
    table.act(1, "resign")
    assert result_of(table.fold).winners == (2,)
    assert [event.kind for event in table.duties()] == [EventKind.RESULT]
    assert table.duties() == []
    assert table.confirmed() == (1,)
