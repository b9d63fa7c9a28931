"""Closing turns: what fills them, where resignations and wishes have their place, who owes what."""

from random import Random
from typing import Any

import pytest
from replicas import events_of
from stepping import actions, legal, moved, pair, pebbles, rolling
from verdicts import result_of, settled
from whist import honest, reach, whist

from engine import Turn
from protocol import LocalFaultError
from protocol.events import SLOTS, EventKind, Head, SlotKind, bodies

# Turns.


def test_only_the_seat_to_act_moves() -> None:
    """A move out of turn is refused by the own client, and has no effect when it is signed all the same."""
    circle = pair()
    with pytest.raises(LocalFaultError, match="turn"):
        circle[2].own.play(2, "A2-A3")
    with pytest.raises(LocalFaultError, match="PLAYED_ELSEWHERE"):
        circle[2].own.play(1, "A2-A3")
    circle.spread(circle.forge(2, bodies.Move(legal(circle, 1)[0])))
    position = settled(circle)
    assert (position.plies, position.cheats, position.due) == (0, (), Turn(1))


def test_the_first_of_two_moves_counts() -> None:
    circle = pair()
    first, second = legal(circle, 1)[:2]
    position = circle[1].fold.position
    circle.spread(circle[1].own.play(1, first))
    circle.spread(circle.forge(1, bodies.Move(second), slot=position.slot, digest=position.digest))
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
    circle.spread(circle.forge(1, bodies.Move(legal(circle, 1)[0]), **places[changes]))
    assert circle[2].fold.position == before
    assert circle[2].fold.owing() == (1,)


NO_MOVES = (
    bodies.Commitment(bytes(32)),
    bodies.Revelation(bytes(32), bytes(32)),
    bodies.Result(b""),
    bodies.Resign(),
    bodies.Wish(1),
    bodies.Act(1, "take 1"),
)


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
        2, bodies.Move(legal(circle, 2)[0]), heads=(circle[2].held.heads[0]._replace(length=0, hash=b""),) * 2
    )
    circle.spread(blind)
    assert circle[1].fold.position == position
    assert circle[1].fold.owing() == (2,)
    circle.spread(moved(circle, 2))
    assert settled(circle).plies == 2


@pytest.mark.parametrize("kind", [SlotKind.REVEAL, SlotKind.SHUFFLE, SlotKind.SHARE])
def test_a_part_that_does_not_name_what_lies_behind_is_not_taken(kind: SlotKind) -> None:
    """In the slots of a roll and of a deal, too: the same part counts once its author knows enough."""
    circle = reach(rolling(3) if kind == SlotKind.REVEAL else whist(3), kind)
    seat = circle.owed_by()[0]
    body, heads = honest(circle, seat), circle[seat].held.heads
    for blind in (True, False):
        known = tuple(Head(0, b"") if blind and one != seat else head for one, head in enumerate(heads, 1))
        event = circle.forge(seat, body, heads=known)
        table = circle.client(seat, [*events_of(circle[seat]), event])
        assert (seat in table.fold.owing() and table.fold.position.slot.kind == kind) == blind


def test_after_the_end_nothing_changes() -> None:
    circle = pair()
    circle.spread(circle[2].own.resign(2))
    before = settled(circle)
    assert before.slot.kind == SlotKind.END
    for body in (
        bodies.Move("A2-A3"),
        bodies.Resign(),
        bodies.Wish(1),
        bodies.Commitment(bytes(32)),
        bodies.Sequence(),
    ):
        circle.spread(circle.forge(1, body))
    assert settled(circle) == before
    own = circle[1].own
    for call in (own.resign, lambda seat: own.play(seat, "A2-A3"), lambda seat: own.wish_draw(seat, True)):
        with pytest.raises(LocalFaultError, match="GAME_OVER"):
            call(1)


# SEQUENCE.


def test_a_sequence_that_places_nothing_does_nothing() -> None:
    """Else a seat could close slots without end, and the others would wait and store."""
    circle = pebbles(3)
    position = circle[2].fold.position
    for body in (bodies.Sequence(), bodies.Sequence()):
        circle.spread(circle.forge(1, body))
    assert circle[2].fold.position == position
    circle.spread(circle.forge(2, bodies.Wish(0)))
    circle.spread(circle.forge(1, bodies.Sequence()))
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
    for body in (bodies.Resign(), bodies.Wish(1)):
        circle = pebbles(3)
        circle.spread(circle.forge(3, body))
        position = circle[2].fold.position
        circle.spread(circle.forge(1, bodies.Move("take 1")))
        assert circle[2].fold.position == position
        circle.settle()
        assert circle[1].held.chains[0][-1].kind == EventKind.SEQUENCE
        circle.spread(circle[1].own.play(1, "take 1"))
        assert settled(circle).plies == (2 if isinstance(body, bodies.Resign) else 1) + 1, (
            "the move, and the roll after it"
        )


def test_a_move_may_name_what_changes_nothing() -> None:
    circle = pebbles(3)
    circle.spread(circle.forge(3, bodies.Wish(0)))
    circle.spread(circle.forge(1, bodies.Move("take 1")))
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
    circle.spread(circle.forge(2, bodies.Sequence()))
    assert circle[1].fold.position == position


def test_wishes_that_change_nothing_keep_nobody_signing() -> None:
    """The client of the seat to act gives a wish its place once; the same wish again costs it no signature."""
    circle = pebbles(3)
    lengths = []
    for wanted in (1, 0, 1, 0, 1, 0):
        circle.spread(circle.forge(2, bodies.Wish(wanted)))
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
    circle.spread(circle.forge(3, bodies.Wish(1)))
    circle.spread(circle.forge(3, bodies.Move("take 1")))
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
    circle.spread(circle.forge(1, bodies.Wish(1)))
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
