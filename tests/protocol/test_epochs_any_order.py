"""One set of agreements, signed by whom and for what you like, heard in any order: both verifiers come to one epoch."""

from collections.abc import Iterable
from random import Random

import pytest
from agreeing import rolling
from fast_deck import FAST_DECK
from hypothesis import given, settings
from hypothesis import strategies as st
from replicas import FAST, FAST_SIGNERS, hearing, replica
from verdicts import judged

from protocol import SignedEvent, charter_record, event_record, load
from protocol.events import Epoch, Head, Leaving, SlotKind, make_event
from protocol.table.epochs import Agreement

pytestmark = pytest.mark.usefixtures("fast_signatures")


class Ballots:
    """A table at which all owe a commitment, and agreements that each seat signs without having heard of the others."""

    def __init__(self, seats: int, operators: tuple[int, ...] | None = None) -> None:
        self.table = rolling(seats, SlotKind.COMMIT, operators=operators)[1]
        self.events: list[SignedEvent] = []
        self.chains: dict[int, list[SignedEvent]] = {seat: [] for seat in range(1, seats + 1)}

    def leave(self, *lengths: tuple[int, int]) -> tuple[Leaving, ...]:
        """The leaving list of an agreement: of each seat so many events count."""
        return tuple(Leaving(seat, *self._head(seat, length)) for seat, length in lengths)

    def sign(self, seats: Iterable[int], number: int, base: int, leaving: tuple[Leaving, ...] = ()) -> None:
        """Let seats sign an agreement. They name what they have named before, and what it states of the leavers."""
        stated, position = {one.seat: one.length for one in leaving}, self.table.fold.position
        for seat in seats:
            chain = self.chains[seat]
            before = chain[-1].heads_after if chain else (Head(0, b""),) * len(self.chains)
            heads = [max(head, self._head(other, stated.get(other, 0))) for other, head in enumerate(before, 1)]
            slot, signer = position.slot._replace(epoch=base), FAST_SIGNERS[seat - 1]
            body = Epoch(number, leaving)
            chain.append(make_event(signer, self.table.id, seat, tuple(heads), slot, position.digest, body))
            self.events.append(chain[-1])

    def _head(self, seat: int, length: int) -> Head:
        return Head(length, self.chains[seat][length - 1].hash) if length else Head(0, b"")

    def outcomes(self, *orders: list[SignedEvent]) -> set[tuple[int, tuple[int, ...]]]:
        """The epoch and its seats for a client that hears these orders (by default 10); its file tells the same."""
        found = set()
        for order in orders or [Random(seed).sample(self.events, len(self.events)) for seed in range(10)]:
            table, data = replica(self.table, FAST), charter_record(self.table.charter)
            for event in order:
                data += b"".join(map(event_record, table.receive(event.raw, event.signature)))
            assert judged(data, FAST, FAST_DECK), "the second verifier says the same"
            positions = [one.fold.position for one in (table, load(data, FAST, scheme=FAST_DECK))]
            (outcome,) = {(position.slot.epoch, position.live, position.effects) for position in positions}
            found.add(outcome[:2])
        return found

    def crossed(self) -> bool:
        """Whether an operator has signed an agreement, and one whose base is between base and number of the first."""
        signed = [(self.table.operator(event.seat), Agreement.of(event)) for event in self.events]
        return any(of == by and one.base < two.base < one.number for by, one in signed for of, two in signed)


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
