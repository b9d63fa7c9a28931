"""Fair chance: uniform, fixed in every byte, bound to table, epoch, number and seat; nobody steers it."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import expect
from replicas import FAST, FAST_SIGNERS, Circle, circle_of, events_of, summary
from verdicts import caught, evidence_of, verdict
from whist import honest, reach

from engine import CHANCE, Chance, Deal, Dice, Draw, Pick, blake, encode
from engine.house import outcomes
from protocol import Secrets, Table, draw_locally, verify
from protocol.chance import Bound, Breaches, Roll, Rolled
from protocol.chance.salts import below, bound_salt, commitment, outcome, salt, shuffled
from protocol.events import EventKind, SlotKind, bodies

TABLE = bytes(range(32))
LIVE = (1, 2, 3)
SALTS = (b"a" * 32, b"b" * 32, b"c" * 32)
PICK5 = Pick(("v", "w", "x", "y", "z"))

CHI_SQUARE = {119: 172.7, 35: 66.6, 4: 18.5}
"""The 0.1 % points: a uniform source stays below; the seeds are fixed, so the test is too."""


def rolled(
    draw: Draw, salts: tuple[bytes, ...], *, table: bytes = TABLE, number: int = 7, live: tuple[int, ...] = LIVE
) -> str:
    """The value of a roll."""
    return outcome(table, number, live, draw, salts)


@pytest.mark.parametrize("draw", [Dice(2, 6), PICK5], ids=["2d6", "pick5"])
def test_outcomes_are_uniform(draw: Dice | Pick) -> None:
    """A skew in the mapping from hash to outcome would favour a seat in every game."""
    rng = Random(2024)
    values = outcomes(Chance(draw))
    rounds = 200 * len(values)
    seen = Counter(rolled(draw, tuple(rng.randbytes(32) for _ in range(3)), number=number) for number in range(rounds))
    assert set(seen) == set(values)
    expected = rounds / len(values)
    assert sum((seen[value] - expected) ** 2 / expected for value in values) < CHI_SQUARE[len(values) - 1]


def test_one_honest_salt_is_enough() -> None:
    """The others fix their salts; the outcome is still uniform over the honest seat's."""
    rng = Random(7)
    seen = Counter(rolled(PICK5, (SALTS[0], rng.randbytes(32), SALTS[2])) for _ in range(2000))
    assert sum((seen[value] - 400) ** 2 / 400 for value in PICK5.outcomes) < CHI_SQUARE[4]


KNOWN = {
    "salt": "bdbe8bd2688349840df542787b7a2fd00765f66d81eec5593ee4b9036530e227",
    "commitment": "25d41a23260ac11f27a4f9230f8db87f24a5850ecdbffd8cf0068573d7bc2b9e",
    "rolls": "3-1 4-4 6-3 1-5 5-5 5-3 6-5 2-1",
    "picks": "xwyywvxzxwvywwvx",
    "local": "1-6-2-1-1",
}
"""For the inputs in the test below; also in the specification."""


def test_known_answers() -> None:
    """The layout of every hash, bit for bit: another program must get the same, and so must next year's."""
    assert salt(b"seed", TABLE, 0, 7, 2).hex() == KNOWN["salt"]
    assert commitment(TABLE, 0, 7, 2, SALTS[1]).hex() == KNOWN["commitment"]
    assert " ".join(rolled(Dice(2, 6), SALTS, number=number) for number in range(8)) == KNOWN["rolls"]
    assert "".join(rolled(PICK5, SALTS, number=number) for number in range(16)) == KNOWN["picks"]
    assert draw_locally(Dice(5, 6), b"entropy") == KNOWN["local"]


def test_layout() -> None:
    """The same by hand, from the words of the specification."""
    assert salt(b"seed", TABLE, 4, 7, 2) == blake("sh/salt/2", b"seed", encode((TABLE, 4, 7, 2)))
    assert commitment(TABLE, 4, 7, 2, SALTS[1]) == blake("sh/commit/2", encode((TABLE, 4, 7, 2, SALTS[1])))
    seed = blake("sh/outcome/2", encode((TABLE, 7, LIVE, ("Dice", 2, 6), SALTS)))
    block = blake("sh/stream/2", seed, bytes(8))
    faces = [str(1 + byte % 6) for byte in block if byte < 252][:2]
    assert rolled(Dice(2, 6), SALTS) == "-".join(faces)


@pytest.mark.parametrize("bound", [*range(1, 20), 36, 61, 127, 128, 129, 200, 255, 256])
def test_rejection_is_exact(bound: int) -> None:
    """Over all 256 bytes each number comes equally often, and the bytes left over are thrown away."""
    seen = Counter(below(bound, iter((byte, 0))) for byte in range(256 - 256 % bound))
    assert set(seen.values()) == {256 // bound}
    assert len(seen) == bound
    for byte in range(256 - 256 % bound, 256):
        assert below(bound, iter((byte, byte, bound - 1))) == bound - 1


@pytest.mark.parametrize("bound", [-1, 0, 257, 1000])
def test_a_byte_does_not_choose_among_more_than_256(bound: int) -> None:
    with pytest.raises(ValueError, match="256"):
        below(bound, iter(bytes(9)))


def test_the_stream_goes_on() -> None:
    """A long draw takes further blocks of the stream, never the same block again."""
    faces = rolled(Dice(100, 6), SALTS).split("-")
    assert len(faces) == 100
    assert faces[:32] != faces[32:64]


def test_a_deal_is_not_drawn_here() -> None:
    with pytest.raises(ValueError, match="masked deck"):
        rolled(Deal(("A", "B"), (1, 2)), SALTS)


def test_a_local_deal_is_every_card_once_and_the_same_from_the_same_bytes() -> None:
    deck = tuple(f"c{number}" for number in range(61))
    deal = Deal(deck, (1,) * 61)
    rng = Random(3)
    dealt = [draw_locally(deal, rng.randbytes(32)).split() for _ in range(50)]
    for word, *cards in dealt:
        assert word == "deal"
        assert sorted(cards) == sorted(deck)
    assert len(set(map(tuple, dealt))) == 50
    assert draw_locally(deal, bytes(32)) == draw_locally(deal, bytes(32))
    assert draw_locally(deal, bytes(32)) != draw_locally(deal._replace(owners=(0,) * 61), bytes(32))


def test_local_deals_are_uniform() -> None:
    """All 120 orders of five cards come equally often; a biased swap, or a skew in its bounds, would show."""
    rng = Random(2026)
    seen = Counter(draw_locally(Deal(tuple("ABCDE"), (1, 2, 3, 4, 0)), rng.randbytes(32)) for _ in range(120 * 60))
    assert len(seen) == 120
    assert sum((count - 60) ** 2 / 60 for count in seen.values()) < CHI_SQUARE[119]


def test_shuffling_reaches_every_order_from_exactly_its_share_of_the_draws() -> None:
    """The swaps of four cards have 4 * 3 * 2 outcomes: each gives another order."""
    orders = {tuple(shuffled("ABCD", iter(swaps))) for swaps in product(range(4), range(3), range(2))}
    assert len(orders) == 24


# What salts, commitments and outcomes are bound to.

Place: TypeAlias = tuple[bytes, int, int, int]
"""Table, epoch, number of the roll, seat."""
PLACES: list[Place] = [(TABLE, 0, 7, 1), (bytes(32), 0, 7, 1), (TABLE, 1, 7, 1), (TABLE, 0, 8, 1), (TABLE, 0, 7, 2)]
"""One, and others that differ from it in one thing."""


BOUND: dict[str, Callable[[Place], object]] = {
    "salt": lambda place: salt(b"seed", *place),
    "commitment": lambda place: commitment(*place, SALTS[0]),
    "both": lambda place: bound_salt(b"seed", *place),
}


@pytest.mark.parametrize("what", BOUND)
def test_salts_and_commitments_are_bound_to_table_epoch_number_and_seat(what: str) -> None:
    """Replay and copying: nothing made for one table, epoch, roll or seat fits another."""
    assert len({BOUND[what](place) for place in PLACES}) == len(PLACES)


def test_outcomes_are_bound_to_table_number_live_seats_and_what_is_drawn() -> None:
    values = [
        rolled(Dice(20, 6), SALTS),
        rolled(Dice(20, 6), SALTS, table=bytes(32)),
        rolled(Dice(20, 6), SALTS, number=8),
        rolled(Dice(20, 6), SALTS, live=(1, 2, 4)),
        rolled(Dice(21, 6), SALTS)[:39],
    ]
    assert len(set(values)) == len(values)


def test_another_seed_is_another_roll() -> None:
    """Salts come from the secret seed: with another one the client would commit to something else."""
    charter = circle_of("kingamon").charter
    first = {
        Table(charter, {1: FAST_SIGNERS[0]}, Secrets.from_seed(seed), FAST).duties()[0].body
        for seed in (b"seed1", b"seed3")
    }
    assert len(first) == 2


@given(st.permutations(SALTS))
def test_the_order_of_salts_matters(order: list[bytes]) -> None:
    """The salts stand in seat order; another order is another outcome, so no client may take them as they come."""
    same = tuple(order) == SALTS
    assert (rolled(Dice(20, 6), tuple(order)) == rolled(Dice(20, 6), SALTS)) == same


# A roll among seats.


def roll_of(circle: Circle) -> Roll:
    """The roll that the seats are making."""
    return expect(Roll, circle[1].fold.position.machine)


def test_every_live_seat_commits_then_reveals() -> None:
    """The first roll: a slot for the commitments, one for the revelations; the value is the hash of all salts."""
    circle = circle_of("pebbles", 3)
    roll = circle[1].fold.position.machine
    assert isinstance(roll, Roll)
    assert (roll.slot_kind, roll.givers, roll.number) == (SlotKind.COMMIT, LIVE, 0)
    assert [event.kind for event in circle.step()] == [EventKind.COMMITMENT] * 3
    assert circle[1].fold.position.slot.kind == SlotKind.REVEAL
    shown = circle.step()
    assert [event.kind for event in shown] == [EventKind.REVELATION] * 3
    said = [expect(bodies.Revelation, event.body) for event in shown]
    salts = tuple(body.salt for body in said)
    assert circle[1].fold.log[0].action == outcome(circle.charter.table, 0, LIVE, roll.draw, salts)
    bound = tuple(Bound(event.seat, 0, body.next) for event, body in zip(shown, said, strict=True))
    assert circle[1].fold.position.bound == bound


def test_commitments_are_made_with_the_roll_before() -> None:
    """After the first roll there is no COMMIT slot any more: each revelation commits to the next roll."""
    circle = circle_of("kingamon")
    circle.play(Random(5))
    kinds = Counter(event.kind for chain in circle[1].held.chains for event in chain)
    rolls = sum(entry.actor == CHANCE for entry in circle[1].fold.log)
    assert kinds[EventKind.COMMITMENT] == 2
    assert kinds[EventKind.REVELATION] == 2 * rolls > 20
    assert verdict(circle).cheats == ()


def test_no_salt_and_no_roll_comes_twice() -> None:
    """Every roll has a number of its own, so no salt is ever shown or committed to twice."""
    circle = circle_of("kingamon")
    circle.play(Random(5))
    for chain in circle[1].held.chains:
        shown = [(event.slot, event.body) for event in chain if isinstance(event.body, bodies.Revelation)]
        assert len({slot for slot, _ in shown}) == len(shown) > 10
        assert len({body.salt for _, body in shown}) == len({body.next for _, body in shown}) == len(shown)
        assert {slot.kind for slot, _ in shown} == {SlotKind.REVEAL}


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_nobody_shows_a_salt_before_it_holds_the_move(seats: int) -> None:
    """All are bound before the move, and all salts stay hidden until the move is there, so that it cannot be
    chosen by the roll that follows."""
    circle = circle_of("pebbles", seats, first=1)
    circle.play(Random(1), 2)  # a move and the first roll
    mover = circle.mover
    assert [one.seat for one in circle[1].fold.position.bound] == [*range(1, seats + 1)]
    before = len(events_of(circle[1]))
    assert not circle.step()
    circle.spread(circle[mover].own.play(mover, "take 1"))
    assert circle[1].fold.position.slot.kind == SlotKind.REVEAL
    assert circle[1].fold.owing() == tuple(range(1, seats + 1))
    assert {event.kind for event in circle.step()} == {EventKind.REVELATION}
    assert len(events_of(circle[1])) == before + 1 + seats
    assert circle[1].fold.log[-1].actor == CHANCE


def test_the_movers_revelation_goes_with_its_move() -> None:
    """Its client signs both before anybody answers: a roll takes one message more, not two."""
    circle = circle_of("pebbles", first=1)
    circle.play(Random(1), 2)
    mover = circle.mover
    circle.give(circle[mover], circle[mover].own.play(mover, "take 1"))
    (shown,) = circle.owed(circle[mover])
    assert (shown.kind, shown.slot.kind) == (EventKind.REVELATION, SlotKind.REVEAL)


def test_the_order_in_which_salts_are_shown_changes_nothing() -> None:
    """The parts of a roll are taken in the order of the seats, whoever showed first."""
    values = set()
    for order in ((1, 2, 3), (3, 2, 1)):
        circle = reach(circle_of("pebbles", 3), SlotKind.REVEAL)
        shown = {seat: circle.forge(seat, honest(circle, seat)) for seat in order}
        for seat in order:
            circle.spread(shown[seat])
        values.add(circle[1].fold.log[0].action)
    assert len(values) == 1


# Those who would roll again.


@pytest.mark.parametrize("seats", [2, 3])
def test_a_salt_that_does_not_fit_its_commitment_is_resigning(seats: int) -> None:
    """Another salt than the one committed to: named, out, and nothing is rolled with it."""
    circle = reach(circle_of("pebbles", seats), SlotKind.REVEAL)
    body = honest(circle, 2)._replace(salt=b"x" * 32)
    event = circle.forge(2, body)
    circle.spread(event)
    caught(circle, event, words="a revelation that does not fit its commitment")
    assert [entry.action for entry in circle[1].fold.log][:1] == ["resign"]


def test_every_wrong_revelation_is_listed_and_the_roll_is_given_up() -> None:
    """Two of four show other salts: both are out, all commitments fall, and the others roll anew."""
    circle = reach(circle_of("pebbles", 4), SlotKind.REVEAL)
    wrong = [circle.forge(seat, honest(circle, seat)._replace(salt=b"x" * 32)) for seat in (1, 3)]
    for event in wrong:
        circle.spread(event)
    for table in (circle[2], circle[4]):
        for event in circle.owed(table):
            circle.spread(event)
    position = circle[2].fold.position
    assert (position.slot.kind, position.live, position.bound, position.rolls) == (SlotKind.COMMIT, (2, 4), (), 2)
    caught(circle, *wrong, words="a revelation that does not fit its commitment")


def test_copying_the_commitment_of_another_seat_fails() -> None:
    """The copier waits for the others' salts, shows the copied one, and is out; nothing is rolled with it."""
    circle = circle_of("pebbles", 3)
    for seat in (1, 2):
        circle.spread(circle.owed(circle[seat])[0])
    circle.spread(circle.forge(3, circle[1].held.chains[0][0].body))
    for seat in (1, 2):
        circle.spread(circle.owed(circle[seat])[0])
    event = circle.forge(3, circle[1].held.chains[0][-1].body)
    circle.spread(event)
    caught(circle, event, words="a revelation that does not fit its commitment")
    assert circle[1].fold.log[1].action.startswith("first ")


@pytest.mark.parametrize("changed", ["table", "epoch", "number", "seat"])
def test_a_commitment_made_for_another_place_cannot_be_shown(changed: str) -> None:
    """The salt is the one that was hidden, but for another table, epoch, roll or seat."""
    circle = circle_of("pebbles", 3)
    table = circle.charter.table
    place: Place = {"table": (bytes(32), 0, 0, 2), "epoch": (table, 1, 0, 2), "number": (table, 0, 1, 2)}.get(
        changed, (table, 0, 0, 1)
    )
    secret = b"s" * 32
    circle.spread(circle.forge(2, bodies.Commitment(commitment(*place, secret))))
    reach(circle, SlotKind.REVEAL)
    event = circle.forge(2, bodies.Revelation(secret, bytes(32)))
    circle.spread(event)
    caught(circle, event, words="a revelation that does not fit its commitment")


def test_a_salt_of_its_own_choice_is_fine_if_it_was_committed_to() -> None:
    """The law is the commitment, not how a client makes its salts."""
    circle = circle_of("pebbles", 3)
    secret = b"s" * 32
    circle.spread(circle.forge(2, bodies.Commitment(commitment(circle.charter.table, 0, 0, 2, secret))))
    reach(circle, SlotKind.REVEAL)
    circle.spread(circle.forge(2, bodies.Revelation(secret, commitment(circle.charter.table, 0, 1, 2, secret))))
    circle.settle()
    assert circle[1].fold.log[0].action.startswith("first ")
    assert verdict(circle).cheats == ()


def test_a_second_commitment_changes_nothing() -> None:
    """The first one that fits the slot counts; the second lies there without effect."""
    circle = circle_of("pebbles", 3)
    circle.spread(circle.owed(circle[2])[0])
    circle.spread(circle.forge(2, bodies.Commitment(bytes(32))))
    circle.settle()
    assert verdict(circle).cheats == ()


def test_a_revelation_where_commitments_are_due_rolls_nothing() -> None:
    """There is one way to commit and one to show: out of its slot a part is no part."""
    circle = circle_of("pebbles", 2)
    circle.spread(circle.forge(2, bodies.Revelation(bytes(32), bytes(32))))
    assert circle[1].fold.owing() == (1, 2)
    circle.settle()
    assert verdict(circle).cheats == ()


def test_a_resignation_in_a_turn_leaves_the_commitments_of_the_others_standing() -> None:
    """What stays bound is what was signed: nobody gets another salt because somebody resigned."""
    circle = circle_of("pebbles", 3, first=1, keep=True)
    circle.play(Random(1), 2)
    before = circle[1].fold.position.bound
    leaver = next(seat for seat in LIVE if seat != circle.mover)
    circle.spread(circle[leaver].own.resign(leaver))
    circle.settle()
    circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
    assert roll_of(circle).bound == tuple(one for one in before if one.seat != leaver)
    circle.settle()
    assert verdict(circle).cheats == ()


def test_nothing_is_rolled_anew_where_nobody_leaves() -> None:
    """An agreement to stay together changes no salt: what was shown counts, what is shown later was bound before."""
    circle = reach(circle_of("pebbles", 3), SlotKind.REVEAL)
    bound = roll_of(circle).bound
    (shown,) = circle.owed(circle[1])
    circle.spread(shown)
    circle.agree(1)
    position = circle[1].fold.position
    assert (position.slot.epoch, roll_of(circle).bound, position.parts) == (1, bound, (shown,))
    assert circle[1].fold.owing() == (2, 3)
    circle.settle()
    assert [one.epoch for one in circle[1].fold.position.bound] == [0, 1, 1], "each commits in the epoch it signs in"
    assert verdict(circle).cheats == ()


def test_where_a_seat_leaves_all_commitments_fall() -> None:
    """Its salt may be known to some: those who stay commit anew, under another number."""
    circle = reach(circle_of("pebbles", 3), SlotKind.REVEAL)
    before = roll_of(circle)
    for seat in (1, 2):
        circle.spread(circle.owed(circle[seat])[0])
    circle.agree(1, 3)
    roll = roll_of(circle)
    assert (roll.slot_kind, roll.live, roll.bound) == (SlotKind.COMMIT, (1, 2), ())
    assert roll.number == before.number + 1
    circle.settle()
    said = [event.body for chain in circle[1].held.chains for event in chain]
    salts = [body.salt for body in said if isinstance(body, bodies.Revelation)]
    assert len(salts) == len(set(salts)) == 4
    assert verdict(circle).cheats == ()


# Restarts.


@given(st.integers(0, 10**6), st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_a_restart_signs_the_same_bytes(seed: int, keep: int) -> None:
    """Reload to roll again: a client that lost any tail of its events signs those with no choice in them again, the
    same to the byte, so that nobody gets a second look at the dice and no restart looks like a cheat."""
    circle = circle_of("kingamon")
    circle.play(Random(seed), 12)
    whole = events_of(circle[1])
    again = circle.client(1, whole[:keep])
    for event in whole[keep:]:
        if event.seat == 1 and event.kind in (EventKind.COMMITMENT, EventKind.REVELATION):
            again.duties()
            assert again.held.chains[0][event.number - 1].raw == event.raw
        else:
            again.receive(event.raw, event.signature)
    assert not again.held.proofs
    assert summary(again) == summary(circle[1])


@pytest.mark.parametrize("leavers", [(), (3,)])
def test_a_restart_in_another_epoch_signs_the_same_bytes(leavers: tuple[int, ...]) -> None:
    """A salt belongs to the epoch in which it was committed to: started again from just what each part names, a client
    shows and commits to the same, before and after an agreement."""
    circle = reach(circle_of("pebbles", 3), SlotKind.REVEAL)
    circle.spread(circle.owed(circle[1])[0])
    circle.agree(1, *leavers)
    circle.settle()
    circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
    circle.settle()
    seen = set()
    for event in events_of(circle[1]):
        if event.kind in (EventKind.COMMITMENT, EventKind.REVELATION):
            known = [one for one in events_of(circle[1]) if one.number <= event.heads[one.seat - 1].length]
            again = circle.client(event.seat, known)
            assert event.raw in [one.raw for one in again.own.duties()]
            seen.add((event.kind, event.slot.epoch))
    assert {epoch for kind, epoch in seen if kind == EventKind.REVELATION} == {0, 1}


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=5), st.data())
def test_a_roll_takes_only_what_was_committed_to(salts: list[bytes], data: Any) -> None:
    """The law, for any salts: all right ones give one value; any wrong ones are named, all of them, and give none."""
    seats = tuple(range(1, len(salts) + 1))
    circle = circle_of("pebbles", len(salts))
    table = circle.charter.table
    roll = Roll(table, 3, Dice(1, 6), seats)
    wrong = data.draw(st.sets(st.sampled_from(seats)))
    made = [bodies.Commitment(commitment(table, 0, 3, seat, one)) for seat, one in zip(seats, salts, strict=True)]
    committed = roll.take([circle.forge(seat, body) for seat, body in zip(seats, made, strict=True)])
    assert isinstance(committed, Roll)
    told = [bytes([one[0] ^ (seat in wrong)]) + one[1:] for seat, one in zip(seats, salts, strict=True)]
    shown = [circle.forge(seat, bodies.Revelation(one, bytes(32))) for seat, one in zip(seats, told, strict=True)]
    taken = committed.take(shown)
    if wrong:
        assert {one.event.seat for one in expect(Breaches, taken).found} == wrong
    else:
        assert isinstance(taken, Rolled)
        assert taken.action == outcome(table, 3, seats, Dice(1, 6), tuple(salts))


def test_a_file_of_rolls_is_checked_by_anybody() -> None:
    circle = circle_of("kingamon")
    circle.play(Random(2), 20)
    report = verify(circle.files[1], FAST)
    assert report.ok
    assert (evidence_of(report).clients, evidence_of(report).chance > 0) == (2, True)
