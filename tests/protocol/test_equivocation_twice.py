"""Several events signed twice: what honest clients come to does not depend on which versions they hear of first."""

import pytest
from equivocating import anew, played_out, verdict_of
from replicas import Circle, circle_of
from verdicts import judged, result_of

from protocol.events import bodies

pytestmark = pytest.mark.usefixtures("fast_signatures")


def play(circle: Circle, seat: int) -> None:
    """Let a seat play its first lawful move."""
    table = circle[seat]
    circle.spread(table.own.play(seat, table.game.legal(table.state, seat)[0]))
    circle.settle()


@pytest.mark.parametrize("later_first", [True, False], ids=["the later one first", "the earlier one first"])
def test_of_two_events_signed_twice_the_earlier_one_ends_the_game_for_all(later_first: bool) -> None:
    """Between them seat 2 resigns: behind the later one two are left, and one of them would have won."""
    circle = circle_of("qenqe", 3, first="1")
    circle.settle()
    while circle.mover != 1 or circle[1].fold.position.plies < 6:
        play(circle, circle.mover)
    moves = circle[1].game.legal(circle[1].state, 1)
    first_anew = circle.forge(1, bodies.Move(moves[1]))
    circle.spread(circle[1].own.play(1, moves[0]))
    circle.spread(circle[2].own.resign(2))
    circle.settle()
    wish = circle[1].own.wish_draw(1, True)
    circle.spread(wish)
    found = [anew(circle, wish, bodies.Wish(0)), first_anew]
    circle.give(circle[3], *(found if later_first else found[::-1]))
    report = verdict_of(circle)
    assert report.result
    assert report.result.winners == ()
    assert {table.fold.broken.plies for table in circle.tables if table.fold.broken} == {6}


def test_who_is_named_does_not_depend_on_which_second_version_came_first() -> None:
    circle = circle_of("qenqe", 5, first="1")
    for seat in range(1, 6):
        play(circle, seat)
    one = circle.forge(4, bodies.Wish(1))
    circle.spread(one)
    upon = circle.forge(2, bodies.Wish(1))
    circle.spread(upon)
    two = circle.forge(4, bodies.Wish(0))
    circle.spread(two)
    others = [anew(circle, one, bodies.Wish(0)), anew(circle, two, bodies.Wish(1)), anew(circle, upon, bodies.Wish(0))]
    for seat, order in ((1, (0, 1, 2)), (3, (1, 0, 2)), (5, (2, 1, 0))):
        circle.give(circle[seat], *(others[number] for number in order))
    report = verdict_of(circle)
    assert report.result
    names = [seat.name for seat in circle.charter.body.seats]
    assert report.result.reason == f"{names[3]} signed two versions of an event"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_two_take_back_no_result_that_all_have_signed(seats: int) -> None:
    """One signs an event of the last round anew, the other the RESULT that alone has named it."""
    circle = played_out(seats)
    before, chains = circle[1].fold.result, circle[1].held.chains
    found = [
        (chains[author - 1][named - 1], result)
        for result in (chain[-1] for chain in chains)
        for author, named in enumerate(result.lengths, 1)
        if author != result.seat and chains[result.seat - 1][-2].lengths[author - 1] < named
    ]
    assert found
    for old, result in found:
        circle = played_out(seats)
        pair = anew(circle, old, bodies.Wish(0)), anew(circle, result, bodies.Wish(0))
        assert isinstance(result.body, bodies.Result)
        for table in circle.tables[::2]:
            circle.give(table, *pair)
        for table in circle.tables[1::2]:
            circle.give(table, *pair[::-1])
        report = verdict_of(circle)
        assert report.result == before
        assert report.signed_by == tuple(range(1, seats + 1))


def test_a_proof_that_matters_only_for_what_waits_stands_in_the_file_as_well() -> None:
    """Seat 1 is out, with a harmless proof against it; seat 2 names later events of it, of which one is not here."""
    circle = circle_of("qenqe", 4, first="1")
    for seat in (1, 2, 3, 4):
        play(circle, seat)
    circle.spread(circle[1].own.resign(1))
    circle.settle()
    for seat in (2, 3, 4):
        play(circle, seat)
    for seat in (3, 4):
        circle.give(circle[seat], anew(circle, circle[3].held.chains[0][0], bodies.Wish(0)))
    late = circle.forge(1, bodies.Wish(1), at=circle[3])
    circle.give(circle[1], late)
    latest = circle.forge(1, bodies.Wish(0), at=circle[1])
    circle.give(circle[1], latest)
    position = circle[3].fold.position
    names_both = circle.forge(2, bodies.Wish(1), at=circle[1], slot=position.slot, digest=position.digest)
    for seat in (3, 4):
        circle.give(circle[seat], late, names_both, anew(circle, late, bodies.Wish(0)), latest)
        found = judged(circle.files[seat - 1], circle.verifier, circle.scheme)
        assert found
        assert circle[seat].fold.result
        assert found["result"]["reason"] == result_of(circle[seat].fold).reason
