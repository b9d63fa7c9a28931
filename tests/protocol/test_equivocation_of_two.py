"""Two seats of five that sign two versions each, one upon the other: all honest clients come to one end."""

import pytest
from equivocating import NOTHING, anew, begun, versions
from replicas import Circle
from verdicts import judged, result_of

from engine import Result
from protocol.events import bodies

pytestmark = pytest.mark.usefixtures("fast_signatures")


def ends(circle: Circle, honest: list[int]) -> list[Result | None]:
    """What the honest clients come to, as their files say, once each of them has heard all that any of them holds."""
    for _ in range(4):
        for one in honest:
            for other in honest:
                table, heard = circle[one], circle[other].held
                proven = [(proof.kept.seat, proof.kept.number) for proof in table.held.proofs]
                circle.give(table, *heard.lacking(table.held.heads, proven, table.fold.position.live, frozenset()))
                circle.give(table, *heard.waiting.values())
    for seat in honest:
        found = judged(circle.files[seat - 1], circle.verifier, circle.scheme)
        assert found
        assert found["result"]["reason"] == result_of(circle[seat].fold).reason
    return [circle[seat].fold.result for seat in honest]


@pytest.mark.parametrize("moves", range(5))
@pytest.mark.parametrize("both", [True, False], ids=["both upon it", "one of them upon it"])
def test_who_signs_twice_upon_one_of_two_versions_divides_nobody(moves: int, both: bool) -> None:
    """Only who holds that version can take in what rests on it, so that only there two are guilty."""
    circle = begun(5, moves=moves)
    mover = circle.mover
    partner, first, *others = [seat for seat in range(1, 6) if seat != mover]
    one, other = versions(circle, mover)
    alone = circle.forge(partner, bodies.Wish(0))
    circle.give(circle[first], one)
    for seat in others:
        circle.give(circle[seat], other)
    upon = circle.forge(partner, bodies.Wish(1), at=circle[first])
    circle.give(circle[first], upon, anew(circle, upon, bodies.Wish(0)) if both else alone)
    found = ends(circle, [first, *others])
    assert found[0]
    assert found == found[:1] * 3
    name = circle[1].charter.body.seats[(mover if both else min(mover, partner)) - 1].name
    assert found[0].reason == f"{name} signed two versions of an event"


def test_an_event_in_doubt_settles_nothing_for_those_who_hold_one_version_of_it() -> None:
    """Seat 2 names the move of seat 1 in one version of its answer, and in the other one it does not."""
    circle = begun(5)
    move = circle[1].own.play(1, "take 1")
    circle.spread(move)
    answers = [event for seat in (3, 4, 5) for event in circle.owed(circle[seat])]
    for seat in (2, 3, 4, 5):
        circle.give(circle[seat], *(answer for answer in answers if answer.seat != seat))
    (names,) = circle[2].own.duties()
    silent = circle.forge(2, bodies.Wish(1), heads=(NOTHING,) * 5)
    assert names.number == silent.number
    for seat, version in ((3, names), (4, silent), (5, names)):
        circle.give(circle[seat], version)
    for seat in (3, 4, 5):
        circle.give(circle[seat], anew(circle, move, bodies.Move("take 2")))
    found = ends(circle, [3, 4, 5])
    assert found[0]
    assert found == found[:1] * 3
    assert {broken.plies for seat in (3, 4, 5) if (broken := circle[seat].fold.broken)} == {0}
