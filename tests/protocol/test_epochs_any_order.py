"""One set of agreements, signed by whom and for what you like, heard in any order: both verifiers come to one epoch."""

from random import Random

import pytest
from ballots import Ballots
from hypothesis import given, settings
from hypothesis import strategies as st
from replicas import FAST, hearing, replica

pytestmark = pytest.mark.usefixtures("fast_signatures")


def random_ballots(rng: Random, seats: int, operators: tuple[int, ...] | None) -> Ballots:
    """Some agreements, each on any epoch, with anybody leaving, signed by many; check 8 lets them pass."""
    ballots, numbers = Ballots(seats, operators), [0]
    for _ in range(rng.randint(3, 6)):
        numbers.append(number := numbers[-1] + rng.randint(1, 2))
        base = rng.choice(numbers[:-1])
        out = rng.sample(range(1, seats + 1), rng.randint(0, seats // 2))
        leaving = ballots.leave(*((seat, rng.choice([0, len(ballots.chains[seat])])) for seat in sorted(out)))
        for seat in ballots.chains:
            own = ballots.chains[seat][-1:]
            less = any(one.length < event.heads[one.seat - 1].length for event in own for one in leaving)
            if seat not in out and rng.random() < 0.85 and not less and not any(e.slot.epoch > base for e in own):
                ballots.sign([seat], number, base, leaving)
    ballots.events = [e for chain in hearing(replica(ballots.table, FAST), ballots.events).held.chains for e in chain]
    return ballots


TABLES = [(3, None), (4, None), (5, None), (4, (1, 1, 3, 4)), (5, (1, 1, 3, 4, 4))]


@pytest.mark.many
@pytest.mark.parametrize(("seats", "operators"), TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_agreements_in_any_order_lead_to_one_epoch(seats: int, operators: tuple[int, ...] | None, seed: int) -> None:
    """Unless an operator signs across, and so for two games; even then the verifiers agree on each file."""
    ballots = random_ballots(Random(seed), seats, operators)
    assert len(ballots.outcomes()) == 1 or ballots.crossed()


def test_an_epoch_that_follows_from_one_entered_late_is_found() -> None:
    """All are honest, seat 3 has signed for both games; the last signature under 7 lets in those under 8 as well."""
    ballots = Ballots(5)
    leaving, others = ballots.leave((4, 0), (5, 0)), ballots.leave((1, 0), (2, 0))
    ballots.sign((1, 2, 3), 5, 0, leaving)
    ballots.sign((1, 2), 9, 5, ballots.leave((3, 1)))
    ballots.sign((3, 4, 5), 7, 0, others)
    late = ballots.events[-2]
    ballots.sign((3, 4, 5), 8, 7)
    assert ballots.outcomes() == {(8, (3, 4, 5))}
    assert ballots.outcomes([*(one for one in ballots.events if one is not late), late]) == {(8, (3, 4, 5))}


def test_less_of_a_leaver_than_lies_behind_where_the_base_begins_cannot_be_stated() -> None:
    """Seat 3 has signed the agreement by which epoch 5 began: to leave it behind from there counts that signature."""
    for length, expected in ((0, (5, (1, 2, 3))), (1, (9, (1, 2)))):
        ballots = Ballots(4)
        ballots.sign((1, 2, 3), 5, 0, ballots.leave((4, 0)))
        ballots.sign((1, 2), 9, 5, ballots.leave((3, length)))
        assert ballots.outcomes() == {expected}


def test_a_bot_signs_nothing_that_counts_once_its_operator_went_on_otherwise() -> None:
    """Seats 1 and 2 are of one operator: each signs for another game, so no seat has signed for both."""
    ballots = Ballots(4, (1, 1, 3, 4))
    ballots.sign((1, 3), 5, 0, ballots.leave((2, 0), (4, 0)))
    ballots.sign((1, 3), 9, 5)
    ballots.sign((2, 4), 7, 0, ballots.leave((1, 0), (3, 0)))
    assert ballots.outcomes(ballots.events) == {(9, (1, 3))}
    assert ballots.crossed(), "the limit below holds here as well"


def test_who_signs_across_can_divide_a_table_by_what_each_hears_first() -> None:
    """The limit: seat 2 signs that 3 leaves, then that 1 leaves, then goes on with 1 before 3 has signed as well."""
    ballots = Ballots(3)
    ballots.sign((1, 2), 5, 0, ballots.leave((3, 0)))
    ballots.sign((2, 3), 7, 0, ballots.leave((1, 0)))
    ballots.sign((1, 2), 9, 5)
    assert ballots.crossed()
    assert ballots.outcomes() == {(9, (1, 2)), (7, (2, 3))}
