"""Closing slots: what fills each kind of slot, where resignations and wishes have their place, who owes what."""

from random import Random
from typing import Any

import pytest
from kinds import expect
from replicas import Circle, circle_of, events_of, local_table
from verdicts import result_of, settled
from whist import STEPS, honest, own_cards, play_to, reach, share, whist

from engine import Chance, Over, Turn
from protocol import Head, LocalFaultError, SignedEvent
from protocol.chance import Roll
from protocol.events import (
    SLOTS,
    Act,
    Commitment,
    EventKind,
    Givers,
    Move,
    Play,
    Resign,
    Result,
    Revelation,
    Sequence,
    SlotKind,
    Wish,
)


def pair(key: str = "fidchess", **options: Any) -> Circle:
    circle = circle_of(key, 2, first=1, **options)
    circle.settle()
    return circle


def pebbles(seats: int, **options: Any) -> Circle:
    return circle_of("pebbles", seats, **({"first": 1} | options))


def legal(circle: Circle, seat: int) -> tuple[str, ...]:
    return tuple(circle[seat].game.legal(circle[seat].state, seat))


def moved(circle: Circle, seat: int) -> SignedEvent:
    return circle[seat].own.play(seat, legal(circle, seat)[0])


def actions(circle: Circle) -> list[tuple[int, str]]:
    return [(entry.actor, entry.action) for entry in circle[1].fold.log]


def contributions(circle: Circle, *seats: int) -> list[SignedEvent]:
    """What these seats (all by default) give to the open slot; nobody else hears of it."""
    return [event for seat in seats or circle[1].fold.position.live for event in circle.owed(circle[seat])]


def rolling(seats: int = 2, kind: SlotKind = SlotKind.COMMIT, **options: Any) -> Circle:
    """A table at which a roll is under way."""
    return reach(pebbles(seats, first="random", **options), kind)


# Turns.


def test_only_the_seat_to_act_moves() -> None:
    """A move out of turn is refused by the own client, and has no effect when it is signed all the same."""
    circle = pair()
    with pytest.raises(LocalFaultError, match="turn"):
        circle[2].own.play(2, "A2-A3")
    with pytest.raises(LocalFaultError, match="elsewhere"):
        circle[2].own.play(1, "A2-A3")
    circle.spread(circle.forge(2, Move(legal(circle, 1)[0])))
    position = settled(circle)
    assert (position.plies, position.cheats, position.due) == (0, (), Turn(1))


def test_the_first_of_two_moves_counts() -> None:
    circle = pair()
    first, second = legal(circle, 1)[:2]
    position = circle[1].fold.position
    circle.spread(circle[1].own.play(1, first))
    circle.spread(circle.forge(1, Move(second), slot=position.slot, digest=position.digest))
    settled(circle)
    assert actions(circle) == [(1, first)]


@pytest.mark.parametrize("changes", ["digest", "step", "epoch", "kind"])
def test_a_move_for_another_state_or_slot_does_nothing(changes: str) -> None:
    circle = pair()
    slot = circle[1].fold.position.slot
    places: dict[str, dict[str, Any]] = {
        "digest": {"digest": bytes(32)},
        "step": {"slot": slot._replace(step=slot.step + 1)},
        "epoch": {"slot": slot._replace(epoch=1)},
        "kind": {"slot": slot._replace(kind=SlotKind.COMMIT)},
    }
    before = circle[2].fold.position
    circle.spread(circle.forge(1, Move(legal(circle, 1)[0]), **places[changes]))
    assert circle[2].fold.position == before
    assert circle[2].fold.owing() == (1,)


NO_MOVES = (Commitment(bytes(32)), Revelation(bytes(32), bytes(32)), Result(b""), Resign(), Wish(1), Act(1, "take 1"))


@pytest.mark.parametrize("body", NO_MOVES, ids=lambda body: type(body).__name__)
def test_no_other_kind_of_event_fills_a_turn(body: Any) -> None:
    circle = pebbles(3)
    before, event = circle[2].fold.position, circle.forge(1, body)
    assert event.kind not in SLOTS[SlotKind.TURN].takes
    circle.give(circle[2], event)
    assert circle[2].fold.position == before


def test_a_move_that_does_not_name_what_lies_behind_does_nothing() -> None:
    """The author had applied less than it has to know; it still owes its move, and can give it."""
    circle = pair()
    circle.spread(moved(circle, 1))
    position = circle[2].fold.position
    blind = circle.forge(
        2, Move(legal(circle, 2)[0]), heads=(circle[2].held.heads[0]._replace(length=0, hash=b""),) * 2
    )
    circle.spread(blind)
    assert circle[1].fold.position == position
    assert circle[1].fold.owing() == (2,)
    circle.spread(moved(circle, 2))
    assert settled(circle).plies == 2


@pytest.mark.parametrize("kind", [SlotKind.REVEAL, SlotKind.SHUFFLE, SlotKind.SHARE])
def test_a_part_that_does_not_name_what_lies_behind_is_not_taken(kind: SlotKind) -> None:
    """F5 for the slots of a roll and of a deal: the same part counts once its author knows enough."""
    circle = reach(rolling(3) if kind == SlotKind.REVEAL else whist(3), kind)
    seat = circle.owed_by()[0]
    body, heads = honest(circle, seat), circle[seat].held.heads
    for blind in (True, False):
        known = tuple(Head(0, b"") if blind and one != seat else head for one, head in enumerate(heads, 1))
        event = circle.forge(seat, body, heads=known)
        table = circle.client(seat, [*events_of(circle[seat]), event])
        assert (seat in table.fold.owing() and table.fold.position.slot.kind == kind) == blind


def contributions_heard(circle: Circle) -> None:
    for event in contributions(circle):
        circle.spread(event)


def test_after_the_end_nothing_changes() -> None:
    circle = pair()
    circle.spread(circle[2].own.resign(2))
    before = settled(circle)
    assert before.slot.kind == SlotKind.END
    for body in (Move("A2-A3"), Resign(), Wish(1), Commitment(bytes(32)), Sequence()):
        circle.spread(circle.forge(1, body))
    assert settled(circle) == before
    own = circle[1].own
    for call in (own.resign, lambda seat: own.play(seat, "A2-A3"), lambda seat: own.wish_draw(seat, True)):
        with pytest.raises(LocalFaultError, match="over"):
            call(1)


# SEQUENCE.


def test_a_sequence_that_places_nothing_does_nothing() -> None:
    """Else a seat could close slots without end, and the others would wait and store."""
    circle = pebbles(3)
    position = circle[2].fold.position
    for body in (Sequence(), Sequence()):
        circle.spread(circle.forge(1, body))
    assert circle[2].fold.position == position
    circle.spread(circle.forge(2, Wish(0)))
    circle.spread(circle.forge(1, Sequence()))
    assert circle[2].fold.position == position, "taking back a wish that does not stand changes nothing"
    circle.spread(circle[1].own.play(1, "take 1"))
    assert circle[2].fold.position.plies == 1


def test_a_sequence_places_what_it_names_and_nothing_else() -> None:
    circle = pebbles(3)
    one, other = circle[2].own.wish_draw(2, True), circle[3].own.wish_draw(3, True)
    circle.give(circle[1], one)
    circle.owed(circle[1])
    circle.give(circle[1], other)
    position = circle[1].fold.position
    assert position.wishes == (0, 2, 0)
    assert position.slot.kind == SlotKind.TURN
    assert settled(circle).wishes == (0, 2, 2)


def test_a_move_that_names_what_has_no_place_does_nothing() -> None:
    """The client of the seat to act gives resignations and wishes their place first."""
    for body in (Resign(), Wish(1)):
        circle = pebbles(3)
        circle.spread(circle.forge(3, body))
        position = circle[2].fold.position
        circle.spread(circle.forge(1, Move("take 1")))
        assert circle[2].fold.position == position
        circle.settle()
        assert circle[1].held.chains[0][-1].kind == EventKind.SEQUENCE
        circle.spread(circle[1].own.play(1, "take 1"))
        assert settled(circle).plies == (2 if isinstance(body, Resign) else 1) + 1, "the move, and the roll after it"


def test_a_move_may_name_what_changes_nothing() -> None:
    circle = pebbles(3)
    circle.spread(circle.forge(3, Wish(0)))
    circle.spread(circle.forge(1, Move("take 1")))
    assert circle[2].fold.log[0].action == "take 1"


def test_resignations_and_wishes_have_their_place_by_step_seat_and_number() -> None:
    circle = pebbles(4)
    events = [circle[4].own.resign(4), circle[2].own.wish_draw(2, True), circle[3].own.resign(3)]
    for event in events:
        circle.give(circle[1], event)
    assert circle[1].fold.asynchronous() == [events[1], events[2], events[0]]
    position = settled(circle)
    assert [action for action in actions(circle) if action[1] == "resign"] == [(3, "resign"), (4, "resign")]
    assert position.wishes[1] == 2


def test_a_sequence_out_of_turn_does_nothing() -> None:
    circle = pebbles(3)
    circle.spread(circle[3].own.resign(3))
    position = circle[1].fold.position
    circle.spread(circle.forge(2, Sequence()))
    assert circle[1].fold.position == position


def test_wishes_that_change_nothing_keep_nobody_signing() -> None:
    """The client of the seat to act gives a wish its place once; the same wish again costs it no signature."""
    circle = pebbles(3)
    lengths = []
    for wanted in (1, 0, 1, 0, 1, 0):
        circle.spread(circle.forge(2, Wish(wanted)))
        circle.settle()
        lengths.append(len(circle[1].held.chains[0]))
    assert lengths == [1, 2, 2, 2, 2, 2]
    circle.spread(circle[1].own.play(1, "take 1"))
    settled(circle)


# Resignations.


@pytest.mark.parametrize("seat", [1, 2])
def test_a_resignation_takes_effect_by_the_sequence_of_the_seat_to_act(seat: int) -> None:
    """Also one's own."""
    circle = pair()
    circle.spread(circle[seat].own.resign(seat))
    assert circle[1].fold.result is None
    position = settled(circle)
    assert circle[1].fold.result
    assert result_of(circle[1].fold).winners == (3 - seat,)
    kinds = [event.kind for event in circle[1].held.chains[0]]
    own = [EventKind.RESIGN] if seat == 1 else []
    assert kinds == [*own, EventKind.SEQUENCE, EventKind.RESULT]
    assert position.slot.kind == SlotKind.END


@pytest.mark.parametrize("kind", [SlotKind.COMMIT, SlotKind.REVEAL])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_resignation_during_a_roll_waits_for_the_next_turn(kind: SlotKind, seat: int) -> None:
    """The seat still owes its part, and its client gives it: no roll is void."""
    circle = rolling(3, kind)
    circle.spread(circle[seat].own.resign(seat))
    assert seat in circle[1].fold.owing()
    assert circle[1].fold.position.live == (1, 2, 3)
    circle.settle()
    assert [action.split()[0] for _, action in actions(circle)] == ["first", "resign"]
    settled(circle)


def test_of_two_resignations_that_cross_the_one_named_first_counts_first() -> None:
    circle = pebbles(3)
    one, other = circle[2].own.resign(2), circle[3].own.resign(3)
    circle.give(circle[1], other)
    circle.owed(circle[1])
    circle.spread(one)
    position = settled(circle)
    assert actions(circle) == [(3, "resign"), (2, "resign")]
    assert result_of(circle[1].fold).winners == (1,)
    assert position.slot.kind == SlotKind.END


@pytest.mark.parametrize("mover", [1, 2])
def test_a_winning_move_that_does_not_name_a_resignation_stands(mover: int) -> None:
    circle = pebbles(2, pile=3, first=mover)
    other = 3 - mover
    left, won = circle[other].own.resign(other), circle[mover].own.play(mover, "take 3")
    circle.give(circle[mover], won, left)
    circle.give(circle[other], left, won)
    settled(circle)
    assert (result_of(circle[1].fold).winners, result_of(circle[1].fold).reason) == ((mover,), "last pebble")


def test_a_seat_that_is_not_told_of_a_resignation_delays_it_by_its_own_turn_only() -> None:
    """What comes next gives the resignation its place: the next seat to act knows of it."""
    circle = pebbles(3)
    left = circle[3].own.resign(3)
    move = circle[1].own.play(1, "take 1")
    for event in (left, move):
        circle.spread(event)
    circle.settle()
    assert [action for _, action in actions(circle) if not action.isdigit()] == ["take 1", "resign"]
    assert settled(circle).live == (1, 2)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_those_who_stay_play_on(seats: int) -> None:
    """A table of several seats goes on without those who resign, and the last one has won."""
    circle = pebbles(seats, pile=60)
    for seat in range(seats, 1, -1):
        circle.spread(circle[seat].own.resign(seat))
        settled(circle)
        if seat > 2:
            assert circle[1].fold.position.live == tuple(range(1, seat))
            circle.play(Random(seat), circle[1].fold.position.plies + 2)
    settled(circle)
    assert result_of(circle[1].fold).winners == (1,)
    assert circle[1].confirmed() == tuple(range(1, seats + 1)), "those who left sign the result too"
    assert circle[1].fold.owing() == ()


def test_what_a_seat_signs_after_it_resigned_does_nothing() -> None:
    circle = pebbles(3)
    circle.spread(circle[3].own.resign(3))
    before = settled(circle)
    circle.spread(circle.forge(3, Wish(1)))
    circle.spread(circle.forge(3, Move("take 1")))
    assert settled(circle) == before


# Draw wishes.


def test_a_draw_is_agreed_where_the_wishes_of_all_live_seats_stand() -> None:
    circle = pair()
    circle.spread(circle[2].own.wish_draw(2, True))
    circle.settle()
    assert circle[1].fold.position.wishes == (0, 2)
    circle.spread(circle[1].own.wish_draw(1, True))
    settled(circle)
    assert (result_of(circle[1].fold).winners, actions(circle)) == ((), [(0, "draw")])


@pytest.mark.parametrize("seats", [3, 4])
def test_a_seat_that_resigns_need_not_agree_to_a_draw(seats: int) -> None:
    circle = pebbles(seats)
    for seat in range(1, seats):
        circle.spread(circle[seat].own.wish_draw(seat, True))
        circle.settle()
    assert circle[1].fold.result is None
    circle.spread(circle[seats].own.resign(seats))
    settled(circle)
    assert circle[1].fold.result
    assert result_of(circle[1].fold).reason == "draw agreed"


def test_a_wish_that_a_move_does_not_name_has_its_place_after_it() -> None:
    circle = pair()
    wish, move = circle[2].own.wish_draw(2, True), moved(circle, 1)
    circle.give(circle[1], move, wish)
    circle.give(circle[2], wish, move)
    position = settled(circle)
    assert (position.plies, position.wishes, position.due) == (1, (0, 2), Turn(2))


def test_a_wish_taken_back_does_not_stand() -> None:
    circle = pair()
    for seat, wanted in ((2, True), (2, False), (1, True)):
        circle.spread(circle[seat].own.wish_draw(seat, wanted))
        circle.settle()
    assert circle[1].fold.result is None
    assert settled(circle).wishes == (2, 0)


def test_an_answer_that_does_not_name_that_a_wish_was_taken_back_ends_the_game() -> None:
    """The client of the seat to act fixes the place: both are content with a draw when it signs."""
    circle = pair()
    circle.spread(circle[2].own.wish_draw(2, True))
    circle.settle()
    back = circle[2].own.wish_draw(2, False)
    yes = circle[1].own.wish_draw(1, True)
    circle.give(circle[1], yes)
    placed = circle.owed(circle[1])
    circle.give(circle[1], back)
    circle.give(circle[2], back, yes, *placed)
    settled(circle)
    assert circle[1].fold.result
    assert result_of(circle[1].fold).reason == "draw agreed"


def test_a_wish_lapses_with_the_second_own_move() -> None:
    """It stands over the author's next move and ends with the one after: nobody is drawn by an old offer."""
    circle = pair()
    circle.spread(circle[1].own.wish_draw(1, True))
    circle.settle()
    stood = []
    for ply in range(4):
        stood.append(circle[1].fold.position.wishes[0])
        circle.spread(moved(circle, 1 + ply % 2))
        circle.settle()
    assert stood == [2, 1, 1, 0]
    circle.spread(circle[2].own.wish_draw(2, True))
    settled(circle)
    assert circle[1].fold.result is None


def test_one_wish_between_own_moves() -> None:
    """Wishes cannot nag: the client refuses the second, and one signed all the same does nothing."""
    circle = pair()
    for wanted in (True, False):
        circle.spread(circle[1].own.wish_draw(1, wanted))
        circle.settle()
    circle.spread(circle.forge(1, Wish(1)))
    assert settled(circle).wishes == (0, 0)
    circle.spread(moved(circle, 1))
    circle.settle()
    circle.spread(circle[1].own.wish_draw(1, True))
    assert settled(circle).wishes == (2, 0)


@pytest.mark.parametrize("kind", [SlotKind.COMMIT, SlotKind.REVEAL])
def test_wishes_during_a_roll_wait_for_the_next_turn(kind: SlotKind) -> None:
    circle = rolling(2, kind)
    for seat in (1, 2):
        circle.spread(circle[seat].own.wish_draw(seat, True))
    assert circle[1].fold.position.wishes == (0, 0)
    settled(circle)
    assert [action.split()[0] for _, action in actions(circle)] == ["first", "draw"]


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
    first, second = Commitment(b"1" * 32), Commitment(b"2" * 32)
    position = circle[1].fold.position
    circle.spread(circle.forge(2, first))
    circle.spread(circle.forge(2, second, slot=position.slot, digest=position.digest))
    circle.settle()
    assert circle[1].fold.position.cheats[0].seat == 2, "it cannot open what it committed to first"


def test_a_revelation_before_all_have_committed_is_not_taken() -> None:
    circle = rolling(2)
    early = circle.forge(1, Revelation(bytes(32), bytes(32)))
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
    circle.spread(circle.forge(3, Revelation(bytes(32), bytes(32))))
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
    assert event.body == Play(card, at, share(circle, seat, at))
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
    circle.spread(circle.forge(1, Result(b""), digest=bytes(32)))
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
