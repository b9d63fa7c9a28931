"""When an agreement is in force, what its epoch begins with, and what no agreement can take back."""

import pytest
from agreeing import all_sign, epoch_of, held, rolling, waiting_for
from replicas import Circle, circle_of, events_of, summary
from verdicts import alike, result_of, settled
from whist import reach, whist

from engine import Turn
from protocol import Exit, LocalFaultError, SignedEvent
from protocol.chance import Roll
from protocol.events import Leaving, SlotKind, bodies
from protocol.table.epochs import Agreement, NotInForce, enter

# In force: every seat that stays has signed the same.


@pytest.mark.parametrize("signers", [(1, 2), (1, 3), (2, 3), (1, 2, 3)])
def test_all_seats_that_stay_must_sign(signers: tuple[int, ...]) -> None:
    """Three of four go on without the seat to act, when all three have signed, and not before."""
    circle = waiting_for(4, 4)
    all_sign(circle, signers, 1, 4)
    assert (epoch_of(circle) == 1) == (signers == (1, 2, 3))
    assert (circle[1].fold.position.live == (1, 2, 3)) == (signers == (1, 2, 3))


def test_the_bots_of_an_operator_must_sign_as_well() -> None:
    circle = waiting_for(5, 5, operators=(1, 1, 3, 4, 5))
    all_sign(circle, (1, 3, 4), 1, 5)
    assert epoch_of(circle) == 0
    all_sign(circle, (2,), 1, 5)
    assert epoch_of(circle) == 1


def test_an_operators_seats_sign_as_one() -> None:
    circle = waiting_for(5, 5, operators=(1, 1, 3, 4, 5))
    circle.agree(1, 5)
    assert epoch_of(circle) == 1
    assert alike(circle).live == (1, 2, 3, 4)


@pytest.mark.parametrize("other", ["number", "leaving", "length", "nothing"])
def test_they_must_sign_the_same(other: str) -> None:
    circle = waiting_for(4, 4)
    less = held(circle, 4)
    wish = circle.forge(4, bodies.Wish(1))
    for seat in (1, 2) if other == "length" else ():
        circle.give(circle[seat], wish)
    number, leaving = {"number": (2, less), "leaving": (1, ())}.get(other, (1, less))
    events = [circle.forge(seat, bodies.Epoch(1, held(circle, 4))) for seat in (1, 2)]
    events.append(circle.forge(3, bodies.Epoch(number, leaving)))
    for event in (*((wish,) if other == "length" else ()), *events):
        circle.spread(event)
    assert (epoch_of(circle) == 1) == (other == "nothing")


# In force: more than half of the operators, and two.


@pytest.mark.parametrize(("seats", "leavers", "enough"), [
    (3, (3,), True),
    (4, (4,), True),
    (4, (3, 4), False),
    (5, (4, 5), True),
    (5, (3, 4, 5), False),
])  # fmt: skip
def test_more_than_half_of_the_operators_must_stay(seats: int, leavers: tuple[int, ...], enough: bool) -> None:
    """All that leave owe something: the roll waits for them."""
    circle = rolling(seats)
    stay = [seat for seat in range(1, seats + 1) if seat not in leavers]
    for seat in stay:
        for event in circle.owed(circle[seat]):
            circle.spread(event)
    all_sign(circle, stay, 1, *leavers)
    assert (epoch_of(circle) == 1) == enough
    fold = circle[1].fold
    assert fold.position.live == (tuple(stay) if enough else tuple(range(1, seats + 1)))
    for agreement, signed in fold.agreements.items():
        if agreement.number > epoch_of(circle):
            entered = enter(fold.rules, fold.held.chains, fold.held.resigned, fold.positions, agreement, signed)
            assert isinstance(entered, NotInForce)


def test_of_two_operators_nobody_can_leave_the_other() -> None:
    circle = waiting_for(2, 2)
    all_sign(circle, (1,), 1, 2)
    assert epoch_of(circle) == 0
    assert circle[1].fold.position.live == (1, 2)


def test_of_two_operators_nobody_can_leave_one_that_waits_for_an_agreement() -> None:
    """Where an agreement is awaited each other one is tried to its end."""
    circle = waiting_for(2, 1)
    circle[1].advance(circle[1].own.agree(1, ()))
    known = Leaving(1, *circle[2].held.heads[0])
    circle.give(circle[1], circle.forge(2, bodies.Epoch(1, (known,)), at=circle[2]))
    assert circle[1].fold.position.slot.epoch == 0


@pytest.mark.parametrize(("operators", "stay", "enough"), [
    ((1, 1, 1, 4, 5), (1, 2, 3), False),
    ((1, 2, 3, 3, 3), (1, 2), True),
])  # fmt: skip
def test_bots_count_nowhere(operators: tuple[int, ...], stay: tuple[int, ...], enough: bool) -> None:
    """Three seats of one client are one operator of three; two clients of three are more than half."""
    seats = len(operators)
    circle = rolling(seats, operators=operators)
    for table in circle.tables:
        if {*table.own.signers} & {*stay}:
            circle.spread(*circle.owed(table)[:1])
    circle.meet()
    leavers = [seat for seat in range(1, seats + 1) if seat not in stay]
    leaving = held(circle, *leavers)
    for table in circle.tables:
        if {*table.own.signers} & {*stay}:
            for event in table.own.agree(1, leaving):
                circle.give(table, event)
    circle.meet()
    assert (circle[1].fold.position.slot.epoch == 1) == enough


# In force: resigned operators count on neither side.


def resigned(circle: Circle, *seats: int) -> None:
    """Let seats sign their resignation, which has no place yet."""
    for seat in seats:
        circle.spread(circle.forge(seat, bodies.Resign()))


@pytest.mark.parametrize(("gone", "enough"), [((3, 4), True), ((3,), True), ((), False)])
def test_operators_that_resigned_do_not_count_among_those_that_play(gone: tuple[int, ...], enough: bool) -> None:
    """Seats 1 and 2 of four go on without 3 and 4: two of four are not enough, two of three or two are."""
    circle = waiting_for(4, 4)
    resigned(circle, *gone)
    all_sign(circle, (1, 2), 1, 3, 4)
    assert (epoch_of(circle) == 1) == enough
    assert circle[1].fold.position.live == ((1, 2) if enough else (1, 2, 3, 4))


def test_operators_that_resigned_do_not_count_among_those_that_stay() -> None:
    """Seat 2 has resigned: with its signature seat 1 of three is still one of two."""
    circle = waiting_for(3, 3)
    resigned(circle, 2)
    all_sign(circle, (1, 2), 1, 3)
    assert epoch_of(circle) == 0


def test_one_operator_is_enough_where_all_others_have_resigned() -> None:
    """Else two that resign and leave would keep the last one from its result."""
    circle = waiting_for(3, 3)
    resigned(circle, 2, 3)
    all_sign(circle, (1,), 1, 2, 3)
    assert epoch_of(circle) == 1
    assert result_of(circle[1].fold).winners == (1,)
    assert [(entry.actor, entry.left_behind) for entry in circle[1].fold.log[-2:]] == [(2, False), (3, False)]


def test_all_operators_count_where_all_have_resigned() -> None:
    """Else a game in which everybody resigned could never end without the one who has to act."""
    circle = waiting_for(3, 3)
    resigned(circle, 1, 2, 3)
    all_sign(circle, (1, 2), 1, 3)
    assert epoch_of(circle) == 1
    assert settled(circle).live == (2,), "the seat that has to act resigns, and the other one has won"


def test_one_of_several_is_not_enough_where_all_have_resigned() -> None:
    circle = waiting_for(3, 3)
    resigned(circle, 1, 2, 3)
    all_sign(circle, (1,), 1, 2, 3)
    assert epoch_of(circle) == 0


def test_a_seat_that_resigned_may_stay_until_its_place() -> None:
    circle = waiting_for(4, 4)
    resigned(circle, 3)
    all_sign(circle, (1, 2, 3), 1, 4)
    assert epoch_of(circle) == 1
    assert circle[1].fold.position.live == (1, 2, 3), "the next seat to act gives the resignation its place"
    assert settled(circle).live == (1, 2)


# What the list lets count of a leaver.


def test_more_than_half_can_leave_a_seat_that_owes_nothing() -> None:
    """They could as well deny what it has given. Honest clients do not sign that."""
    circle = waiting_for(4, 4)
    all_sign(circle, (1, 2, 4), 1, 3)
    assert epoch_of(circle) == 1
    assert circle[1].fold.position.live == (1, 2, 4)


@pytest.mark.parametrize("given", [True, False])
def test_what_the_list_names_of_a_leaver_counts(given: bool) -> None:
    """Seat 4 has moved: if the list names its move, the slot is closed before it leaves."""
    circle = waiting_for(4, 4)
    without = held(circle, 4)
    move = circle[4].own.play(4, "take 1")
    for seat in (1, 2, 3) if given else ():
        circle.give(circle[seat], move)
        circle.owed(circle[seat])
    circle.give(circle[4], move)
    if given:
        circle.owed(circle[4])
        circle.meet()
        without = held(circle, 4)
    for event in [circle.forge(seat, bodies.Epoch(1, without)) for seat in (1, 2, 3)]:
        circle.spread(event)
    assert epoch_of(circle) == 1, "its own client sees so as well, where its move came too late"
    assert [entry.action for entry in circle[1].fold.log if entry.actor == 4] == ["take 1"] * given + ["resign"]


def test_an_operator_leaves_with_all_its_seats() -> None:
    circle = waiting_for(5, 4, operators=(1, 2, 3, 4, 4))
    all_sign(circle, (1, 2, 3), 1, 4, 5)
    assert epoch_of(circle) == 1
    assert [(entry.actor, entry.left_behind) for entry in circle[1].fold.log[-2:]] == [(4, True), (5, True)]


def test_nothing_of_a_leaver_counts_beyond_the_list() -> None:
    circle = waiting_for(4, 4)
    leaving = held(circle, 4)
    late = circle[4].own.play(4, "take 2")
    circle.give(circle[4], late)
    events = [circle.forge(seat, bodies.Epoch(1, leaving)) for seat in (1, 2, 3)]
    for event in events:
        circle.spread(event)
    circle.spread(late)
    assert epoch_of(circle) == 1
    assert "take 2" not in [entry.action for entry in circle[2].fold.log]
    alike(circle)


# What an epoch begins with.


def test_an_epoch_that_nobody_leaves_carries_over_what_was_given() -> None:
    """Else fresh rolls could be had for nothing."""
    circle = rolling(3)
    parts = [circle.owed(circle[seat])[0] for seat in (1, 2)]
    circle.meet()
    before = circle[1].fold.position
    circle.agree(1)
    position = circle[1].fold.position
    assert position.slot == before.slot._replace(epoch=1)
    assert position.parts == (*parts,)
    assert (position.machine, position.rolls) == (before.machine, before.rolls)
    assert circle[1].fold.owing() == (3,)
    circle.owed(circle[3])
    circle.meet()
    assert isinstance(circle[1].fold.position.due, Turn)
    alike(circle)


def test_a_deal_goes_on_where_nobody_leaves() -> None:
    circle = reach(whist(3), SlotKind.SHUFFLE)
    before = circle[1].fold.position
    circle.agree(1)
    assert circle[1].fold.position.machine == before.machine
    circle.settle()
    assert circle[1].fold.log[-1].action.split()[0] != "resign"
    alike(circle)


@pytest.mark.parametrize("kind", [SlotKind.COMMIT, SlotKind.REVEAL])
def test_where_a_seat_leaves_the_roll_is_given_up(kind: SlotKind) -> None:
    circle = rolling(3, kind)
    shown = [event for seat in (1, 2) for event in circle.owed(circle[seat])]
    circle.meet()
    circle.agree(1, 3)
    position = circle[1].fold.position
    assert (position.slot.kind, position.live, position.rolls) == (SlotKind.COMMIT, (1, 2), 2)
    assert (position.bound, position.parts) == ((), ())
    circle.settle()
    salts = [
        event.body.salt
        for chain in circle[1].held.chains[:2]
        for event in chain
        if isinstance(event.body, bodies.Revelation)
    ]
    assert len({*salts}) == len(salts)
    assert shown
    alike(circle)


def test_where_a_seat_leaves_all_commitments_fall() -> None:
    """Those of the seats that stay as well: the seat that left may have known more."""
    circle = waiting_for(3, 3)
    before = {one.hash for one in circle[1].fold.position.bound}
    assert len(before) == 3
    circle.agree(1, 3)
    assert circle[1].fold.position.bound == ()
    mover = circle.mover
    circle.spread(circle[mover].own.play(mover, "take 1"))
    assert circle[1].fold.position.slot.kind == SlotKind.COMMIT
    circle.settle()
    said = [event.body for chain in circle[1].held.chains for event in chain]
    made = {body.hash for body in said if isinstance(body, bodies.Commitment)}
    assert not before & made


@pytest.mark.parametrize("kind", [SlotKind.KEY, SlotKind.SHUFFLE, SlotKind.SHARE])
def test_where_a_seat_leaves_a_deal_begins_anew_with_new_keys(kind: SlotKind) -> None:
    circle = reach(whist(3), kind, seat=3 if kind == SlotKind.SHUFFLE else 0)
    for seat in (1, 2):
        circle.owed(circle[seat])
    circle.meet()
    circle.agree(1, 3)
    position = circle[1].fold.position
    assert (position.slot.epoch, position.live, position.hands) == (1, (1, 2), None)
    assert isinstance(position.machine, Roll), "the next dealer is drawn"
    circle.settle()
    keys = [event.body.public for event in events_of(circle[1]) if isinstance(event.body, bodies.Key)]
    assert len({*keys}) == len(keys)
    alike(circle)


@pytest.mark.parametrize(
    ("body", "exit"),
    [(None, Exit.LEFT_BEHIND), (bodies.Resign(0), Exit.RESIGNED), (bodies.Resign(1), Exit.OUT_OF_TIME)],
)
def test_a_seat_left_behind_is_told_from_one_that_resigned(body: bodies.Resign | None, exit: Exit) -> None:
    """Whose resignation has no place yet has resigned all the same: the others go on without a seat that left."""
    circle = waiting_for(4, 4)
    if body:
        circle.spread(circle[4].own.sign(4, body))
    circle.agree(1, 4)
    last = circle[1].fold.log[-1]
    assert (last.actor, last.exit, last.left_behind) == (4, exit, body is None)


def test_the_two_that_are_left_play_on_to_the_end() -> None:
    circle = waiting_for(3, 3)
    circle.agree(1, 3)
    circle.settle()
    while isinstance(circle[1].fold.position.due, Turn):
        circle.spread(circle[circle.mover].own.play(circle.mover, f"take {min(3, circle[1].state.pile)}"))
        circle.tables = [table for table in circle.tables if 3 not in table.own.signers]
        circle.settle()
    assert result_of(circle[1].fold).winners[0] in (1, 2)
    assert summary(circle[1]) == summary(circle[2])


# Nothing that was shown goes back.


@pytest.mark.parametrize("number", [1, 2])
def test_a_client_that_has_agreed_closes_no_slot_until_the_agreement_cannot_come_into_force(number: int) -> None:
    """What it would show could be left out of the base: the others may have agreed without that move.

    They have not where they sign another agreement with the same number, or a higher one.
    """
    circle = waiting_for(4, 4)
    move = circle[4].own.play(4, "take 1")
    circle.give(circle[1], *circle[1].own.agree(1, held(circle, 4)), move)
    before = circle[1].fold.position
    assert move in circle[1].held.chains[3]
    assert circle[1].own.has_agreed
    assert before.slot == circle[2].fold.position.slot
    for seat in (2, 3):
        circle.give(circle[seat], move)
        circle.give(circle[1], *circle.owed(circle[seat]))
    assert circle[1].fold.position == before, "seats 2 and 3 have not said that they go on otherwise"
    for seat in (2, 3):
        circle.give(circle[1], circle.forge(seat, bodies.Epoch(number, ())))
    assert circle[1].fold.log[-1][:2] == (4, "take 1")


def test_a_client_that_has_agreed_higher_enters_no_lower_epoch() -> None:
    circle = waiting_for(4, 4)
    low = [circle.forge(seat, bodies.Epoch(1, held(circle, 4))) for seat in (1, 2, 3)]
    circle.give(circle[1], low[0])
    for event in circle[1].own.agree(2, held(circle, 4)):
        circle.give(circle[1], event)
    circle.give(circle[1], *low[1:])
    assert circle[1].fold.position.slot.epoch == 0
    assert epoch_of_only(circle, 2, low) == 1


def test_an_agreement_signed_before_one_that_fails_is_still_waited_for() -> None:
    """The last seat may have signed it before it heard of the other one."""
    circle = waiting_for(4, 4)
    move, leaving = circle[4].own.play(4, "take 1"), held(circle, 4)
    low = [circle.forge(seat, bodies.Epoch(1, leaving)) for seat in (2, 3)]
    circle.give(circle[1], *circle[1].own.agree(1, leaving), low[0])
    circle.give(circle[1], *circle[1].own.agree(2, leaving), move)
    before = circle[1].fold.position
    circle.give(circle[2], low[0])
    circle.give(circle[1], circle.forge(2, bodies.Epoch(3, ())))
    assert circle[1].fold.position == before, "seat 3 may have signed the first agreement"
    circle.give(circle[1], low[1])
    assert circle[1].fold.position.slot.epoch == 1
    assert [(one.actor, one.left_behind) for one in circle[1].fold.log[before.plies :]] == [(4, True)]


def test_where_an_earlier_agreement_comes_into_force_late_nothing_goes_back_but_who_was_left_behind() -> None:
    """Seats that have signed agreements wait in the present epoch until a higher one begins: nothing else is there."""
    circle = waiting_for(5, 5)
    before = [*circle[1].fold.log]
    without_5, without_4 = held(circle, 5), held(circle, 4)
    all_sign(circle, (1, 2, 3), 1, 5)
    all_sign(circle, (1, 2, 3), 2, 4)
    all_sign(circle, (1,), 3)
    all_sign(circle, (2,), 4)
    late = circle.forge(5, bodies.Epoch(2, without_4))
    circle.give(circle[1], circle.forge(4, bodies.Epoch(1, without_5)))
    assert circle[1].fold.position.live == (1, 2, 3, 4), (
        "seat 2 can no longer sign the agreement that seat 1 signed last"
    )
    assert circle.owed(circle[1]) == []
    with pytest.raises(LocalFaultError, match="AGREED"):
        circle[1].own.play(1, "take 1")
    circle.give(circle[1], late)
    assert circle[1].fold.position.live == (1, 2, 3, 5)
    assert circle[1].fold.log[: len(before)] == before
    assert [(one.actor, one.left_behind) for one in circle[1].fold.log[len(before) :]] == [(4, True)]


def epoch_of_only(circle: Circle, seat: int, events: list[SignedEvent]) -> int:
    """The epoch of a seat's replica once it has heard these events."""
    circle.give(circle[seat], *events)
    return circle[seat].fold.position.slot.epoch


def test_a_forged_agreement_of_too_few_is_not_entered_by_the_function_itself() -> None:
    """`enter` alone, without what the fold asks before it."""
    circle = waiting_for(4, 4)
    rules, table = circle[1].fold.rules, circle[1]
    leaving = held(circle, 4)
    signed = {seat: circle.forge(seat, bodies.Epoch(1, leaving)) for seat in (1, 2, 3)}
    agreement = Agreement(1, 0, leaving)
    opened = [table.fold.position]
    chains = [[*chain, *filter(None, [signed.get(seat)])] for seat, chain in enumerate(table.held.chains, 1)]
    entered = enter(rules, chains, table.held.resigned, opened, agreement, signed)
    assert isinstance(entered, list)
    assert entered[-1].live == (1, 2, 3)
    assert enter(rules, chains, table.held.resigned, opened, agreement, {1: signed[1], 2: signed[2]}) == NotInForce(
        frozenset({3})
    )
    assert enter(rules, chains, table.held.resigned, opened, agreement._replace(base=7), signed) == NotInForce(
        frozenset()
    )
    rules.operators = (1, 1, 1, 4)
    assert enter(rules, chains, table.held.resigned, opened, agreement, signed) == NotInForce(frozenset())


def test_a_move_in_an_old_epoch_does_nothing() -> None:
    circle = waiting_for(4, 4)
    slot = circle[1].fold.position.slot
    circle.agree(1, 4)
    before = circle[1].fold.position
    circle.spread(circle.forge(circle.mover, bodies.Move("take 1"), slot=slot))
    assert circle[1].fold.position == before


def test_an_epoch_is_entered_also_where_all_that_leads_to_it_comes_at_once() -> None:
    """The last cause of everything else arrives last: a fold that takes in all in one step enters the epoch as well."""
    circle = circle_of("pebbles", 4, first=2)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    assert circle[2].fold.position.live == (2, 3, 4)
    circle.spread(circle[2].own.play(2, "take 1"))
    circle.agree(1, 4)
    assert circle[2].fold.position.slot.epoch == 1
    fresh = circle.client(4, events_of(circle[2])[::-1])
    assert fresh.held.heads == circle[2].held.heads
    assert fresh.fold.position == circle[2].fold.position


def test_an_agreement_in_force_where_a_resignation_has_its_place_is_entered_behind_a_higher_one() -> None:
    """Seats 2 and 3 agree to go on with all; seat 1 resigns at its turn, and does not sign.

    Where the resignation has its place two play, and both have signed. Client 2, which keeps that slot open, has signed
    a higher agreement since, which fails: seat 3 has gone on.
    """
    circle = waiting_for(3, 1)
    agreed = [circle.forge(seat, bodies.Epoch(1, ())) for seat in (2, 3)]
    circle.give(circle[2], *agreed)
    circle.give(circle[2], circle.forge(2, bodies.Epoch(2, ())))
    resigned = circle.forge(1, bodies.Resign())
    circle.give(circle[1], resigned)
    placed = circle.forge(1, bodies.Sequence())
    circle.give(circle[3], *agreed, resigned, placed)
    assert circle[3].fold.position.slot.epoch == 1
    circle.give(circle[2], resigned, placed)
    assert circle[2].fold.position.slot.epoch == 0
    circle.give(circle[2], circle.forge(3, bodies.Epoch(3, ())))
    assert circle[2].fold.position == circle[3].fold.position


def test_a_fork_of_a_path_shares_nothing_that_changes() -> None:
    """A client that awaits an agreement follows a second path, which is to move nothing of the first."""
    circle = circle_of("pebbles", 4, first=1)
    circle.agree(1)
    path = circle[1].fold._path
    for seat, number in ((2, 2), (3, 1)):
        path.note(circle.forge(seat, bodies.Epoch(number, ()), slot=path.position.slot._replace(epoch=0)))
    fork = path.fork()
    for name in ("positions", "entered", "agreements", "_void", "_awake", "_tried"):
        assert getattr(fork, name) is not getattr(path, name), name
    assert (fork.positions, fork.entered, fork.agreements) == (path.positions, path.entered, path.agreements)
    assert all(fork.agreements[one] is not signed for one, signed in path.agreements.items())
    assert {*vars(fork)} == {*vars(path)}
    fork.follow()
    assert fork.position == path.position
