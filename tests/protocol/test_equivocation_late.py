"""Two versions of what comes late: beside a result, and after their author has left. Nothing that stood falls by it."""

from collections.abc import Callable

import pytest
from equivocating import anew, begun, both, out, verdict_of
from replicas import Circle
from verdicts import result_of

from protocol import SignedEvent
from protocol.events import Head, Leaving, bodies, make_event

# Beside a result that is signed.


def ending(seats: int) -> tuple[Circle, int]:
    """The seat to act wins with its next move."""
    circle = begun(seats, pile=20)
    while circle[1].state.pile > 3:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    return circle, circle.mover


def won(circle: Circle, winner: int) -> None:
    circle.spread(circle[winner].own.play(winner, f"take {circle[winner].state.pile}"))


def stands_behind(circle: Circle, winner: int, wish: SignedEvent) -> None:
    """Let the winner of three win and all sign the result; another version of the wish then changes nothing."""
    won(circle, winner)
    circle.settle()
    circle.meet()
    assert [table.confirmed() for table in circle.tables] == [(1, 2, 3)] * 3
    circle.spread(anew(circle, wish, bodies.Wish(0)))
    assert result_of(verdict_of(circle)).winners == (winner,)


def test_a_loser_that_shows_one_player_more_than_the_other_takes_no_result_back() -> None:
    """It shows a wish to one player only, right before the last move: the signature of that player must not rest on it.

    Then all sign the result; the other version of the wish comes when the game is over for everybody.
    """
    circle, winner = ending(3)
    loser, other = [seat for seat in (1, 2, 3) if seat != winner]
    wish = circle.forge(loser, bodies.Wish(1))
    circle.give(circle[loser], wish)
    circle.give(circle[other], wish)
    stands_behind(circle, winner, wish)


def test_nor_does_one_whose_wish_another_player_has_answered() -> None:
    """With a wish of its own, which the third player did not know when it made the last move."""
    circle, winner = ending(3)
    loser, other = [seat for seat in (1, 2, 3) if seat != winner]
    wish = circle.forge(loser, bodies.Wish(1))
    for seat in (loser, other):
        circle.give(circle[seat], wish)
    circle.give(circle[other], circle[other].own.wish_draw(other, True))
    stands_behind(circle, winner, wish)


def test_a_signature_under_the_result_rests_on_no_other_signature() -> None:
    """Else who signs first could have the second one fall by signing anew."""
    circle, winner = ending(3)
    won(circle, winner)
    for table in circle.tables:
        circle.spread(*circle.owed(table))
    results = [table.held.chains[seat - 1][-1] for seat, table in enumerate(circle.tables, 1)]
    for event in results:
        assert isinstance(event.body, bodies.Result)
        assert all(other is event or event.heads[other.seat - 1].length < other.number for other in results)


@pytest.mark.parametrize("partner", ["names it", "withholds its own"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_pair_takes_no_result_back_by_the_signature_of_one_of_them(partner: str, first: int) -> None:
    """The other three of five have signed, and rest on none of it: whichever version a player held first."""
    circle, winner = ending(5)
    loser, helper = [seat for seat in range(1, 6) if seat != winner][:2]
    won(circle, winner)
    signed = circle.owed(circle[loser])[0]
    circle.give(circle[helper], signed)
    for table in circle.tables:
        if not {loser, helper} & {*table.own.signers}:
            circle.spread(*circle.owed(table))
    versions = [signed, anew(circle, signed, bodies.Wish(0))]
    circle.give(circle[winner], *versions[:: -1 if first else 1])
    if partner == "names it":
        names = circle.forge(helper, bodies.Result(b""), at=circle[helper])
        assert names.heads[loser - 1].length == signed.number
        circle.spread(names)
    assert circle[winner].held.proofs
    assert result_of(circle[winner].fold).winners == (winner,)


def test_a_pair_takes_no_result_back_by_an_agreement_behind_the_end() -> None:
    """One player has gone with all signatures. The rest, who lack one, agree to go on: there the others count on."""
    circle, winner = ending(5)
    loser, helper, gone, other = [seat for seat in range(1, 6) if seat != winner]
    won(circle, winner)
    given_up, signed = circle.forge(loser, bodies.Resign()), circle.owed(circle[loser])[0]
    for seat in (winner, helper, gone, other):
        circle.spread(*circle.owed(circle[seat]))
    circle.give(circle[gone], signed)
    staying, at = [circle[seat] for seat in (winner, other, helper)], circle[helper]
    for table in staying:
        circle.give(table, given_up)
    leaving = tuple(Leaving(seat, *at.held.heads[seat - 1]) for seat in sorted((loser, gone)))
    for event in [circle.forge(seat, bodies.Epoch(2, leaving), at=at) for seat in (winner, other, helper)]:
        for table in staying:
            circle.give(table, event)
    circle.meet()
    assert [table.fold.position.slot.epoch for table in staying] == [2, 2, 2]
    assert all(table.held.proofs for table in circle.tables if table is not circle[loser])
    assert {result_of(circle[seat].fold).winners for seat in (winner, other, gone)} == {(winner,)}


def test_signatures_under_a_result_count_on_where_a_new_epoch_begins() -> None:
    """One player has agreed before the last move came, and signs the result in the epoch that all agree to then."""
    circle, winner = ending(5)
    agreed, slow, *others = [seat for seat in range(1, 6) if seat != winner]
    for event in circle[agreed].own.agree(1, ()):
        circle.spread(event)
    won(circle, winner)
    for seat in (winner, others[0]):
        circle.spread(*circle.owed(circle[seat]))
    assert circle[winner].confirmed() == tuple(sorted((winner, others[0])))
    for event in [circle.forge(seat, bodies.Epoch(2, ())) for seat in range(1, 6)]:
        circle.spread(event)
    assert {table.fold.position.slot.epoch for table in circle.tables} == {2}
    assert circle[winner].confirmed() == tuple(sorted((winner, others[0])))
    circle.spread(*circle.owed(circle[agreed]))
    for event in both(circle, slow):
        circle.spread(event)
    assert circle[winner].held.proofs
    assert result_of(verdict_of(circle)).winners == (winner,)


def test_a_player_who_has_signed_two_versions_before_is_not_asked_whether_a_result_stands() -> None:
    """Of the other three two have signed it, and rest on none of what the loser signs anew."""
    circle, winner = ending(5)
    loser, guilty, slow = [seat for seat in range(1, 6) if seat != winner][:3]
    circle.spread(anew(circle, circle[1].held.chains[guilty - 1][0], bodies.Wish(0)))
    won(circle, winner)
    signed = circle.owed(circle[loser])[0]
    circle.spread(signed)
    for table in circle.tables:
        if not {loser, guilty, slow} & {*table.own.signers}:
            circle.spread(*circle.owed(table))
    circle.spread(anew(circle, signed, bodies.Wish(0)))
    assert [proof.kept.seat for proof in circle[winner].held.proofs] == [guilty, loser]
    assert result_of(verdict_of(circle)).winners == (winner,)


def test_a_signature_that_names_one_of_two_versions_is_none_for_anybody() -> None:
    """Who holds the other version can never take it in: both have to tell the same of the game."""
    circle, winner = ending(3)
    loser, helper = [seat for seat in (1, 2, 3) if seat != winner]
    won(circle, winner)
    (signed,), (result,) = (circle.owed(circle[seat]) for seat in (loser, winner))
    other = anew(circle, signed, bodies.Wish(0))
    circle.give(circle[winner], other, signed)
    circle.give(circle[helper], signed, other)
    circle.spread(circle.forge(helper, bodies.Result(b""), at=circle[helper]))
    circle.spread(result)
    circle.meet()
    results = {result_of(circle[seat].fold) for seat in (winner, helper)}
    assert [result.winners for result in results] == [()]


# After its author has left.


def test_two_that_are_out_do_not_end_the_game_of_the_others() -> None:
    """The first to leave names, at the slot at which it left, what the second one signs much later."""
    circle = begun(5, moves=2)
    out(circle, 4)
    slot = circle[4].held.chains[3][-1].slot
    out(circle, 5)
    one, other = both(circle, 5)
    circle.spread(one)
    circle.spread(circle.forge(4, bodies.Wish(1), slot=slot))
    circle.spread(other)
    assert circle[1].held.proofs
    assert [table.fold.result for table in circle.tables] == [None] * 5


def test_an_event_that_nobody_can_ever_take_in_ends_no_game() -> None:
    """It names what a seat that is out has signed, and is shown to one player: the others would play on."""
    circle = begun(5, moves=2)
    out(circle, 5)
    for seat in (1, 2, 3, 4):
        circle.give(circle[seat], *both(circle, 5))
    victim = circle[2]
    heads = list(victim.held.heads)
    heads[3] = Head(heads[3].length + 500, b"x" * 32)
    slot = victim.held.chains[4][-2].slot
    lie = make_event(circle.signers[3], victim.id, 4, tuple(heads), slot, victim.fold.position.digest, bodies.Wish(1))
    circle.give(victim, lie)
    assert lie in victim.held.waiting.values()
    assert victim.fold.result is None


def by_the_mover(circle: Circle) -> SignedEvent:
    return circle.forge(1, bodies.Move("take 1"), heads=circle[1].held.heads)


def by_another(circle: Circle) -> SignedEvent:
    return circle.forge(2, bodies.Wish(1), heads=circle[1].held.heads)


@pytest.mark.parametrize("operators", [None, (1, 2, 3, 4, 1)])
@pytest.mark.parametrize("names", [by_the_mover, by_another])
def test_who_names_one_of_two_versions_ends_the_game_for_all(
    names: Callable[[Circle], SignedEvent], operators: tuple[int, ...] | None
) -> None:
    """A seat that plays names what one that is out has signed. Who holds the other version can never go on with it:

    else some would see the end of the game, and the others wait for that seat for ever.
    """
    circle = begun(5, moves=2, operators=operators)
    out(circle, 5)
    while circle.mover != 1:
        circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
        circle.settle()
    one, other = both(circle, 5)
    for seat in (1, 2, 3):
        circle.give(circle[seat], one, other)
    circle.give(circle[4], other, one)
    assert {circle[seat].fold.result for seat in (1, 2, 3, 4)} == {None}
    circle.spread(names(circle))
    for _ in range(3):
        circle.settle()
        circle.meet()
    results = {result_of(circle[seat].fold) for seat in (1, 2, 3, 4)}
    assert len(results) == 1
    assert "signed two versions" in results.pop().reason
