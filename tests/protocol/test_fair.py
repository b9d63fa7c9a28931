"""Fair chance: uniform, fixed in every byte, bound to table, slot and seats; nobody steers it."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol._event import COMMIT, COMMITMENT, MOVE, OPENING, REVEAL, REVELATION
from protocol._fair import Drawing, below, commitment, commitments_hash, outcome, salt, shuffled
from replicas import FAST, FAST_SIGNERS, Circle, charter_of, events_of, summary

from engine import CHANCE, Chance, Deal, Dice, Pick, blake, encode
from engine.house import outcomes
from protocol import Slot, Table, draw_locally, verify
from protocol.identity.secrets import Secrets

DRAWING = Drawing(bytes(range(32)), Slot(0, 7, COMMIT), (1, 2, 3))
SALTS = (b"a" * 32, b"b" * 32, b"c" * 32)
PICK5 = Pick(("v", "w", "x", "y", "z"))

CHI_SQUARE = {119: 172.7, 35: 66.6, 4: 18.5}
"""The 0.1 % points: a uniform source stays below; the seeds are fixed, so the test is too."""


@pytest.mark.parametrize("draw", [Dice(2, 6), PICK5], ids=["2d6", "pick5"])
def test_outcomes_are_uniform(draw):
    """A skew in the mapping from hash to outcome would favour a seat in every game."""
    rng = Random(2024)
    values = outcomes(Chance(draw))
    rounds = 200 * len(values)
    seen = Counter(
        outcome(DRAWING._replace(slot=Slot(0, step, COMMIT)), draw, tuple(rng.randbytes(32) for _ in range(3)))
        for step in range(rounds)
    )
    assert set(seen) == set(values)
    expected = rounds / len(values)
    assert sum((seen[value] - expected) ** 2 / expected for value in values) < CHI_SQUARE[len(values) - 1]


def test_one_honest_salt_is_enough():
    """The others fix their salts; the outcome is still uniform over the honest seat's."""
    rng = Random(7)
    seen = Counter(outcome(DRAWING, PICK5, (SALTS[0], rng.randbytes(32), SALTS[2])) for _ in range(2000))
    assert sum((seen[value] - 400) ** 2 / 400 for value in PICK5.outcomes) < CHI_SQUARE[4]


def test_known_answers():
    """The layout of every hash, bit for bit: another program must get the same, and so must next year's."""
    assert salt(b"seed", DRAWING, 2).hex() == KNOWN["salt"]
    assert commitment(DRAWING, 2, SALTS[1]).hex() == KNOWN["commitment"]
    assert commitments_hash(DRAWING, SALTS).hex() == KNOWN["commitments"]
    rolls = [outcome(DRAWING._replace(slot=Slot(0, step, COMMIT)), Dice(2, 6), SALTS) for step in range(8)]
    assert " ".join(rolls) == KNOWN["rolls"]
    picks = [outcome(DRAWING._replace(slot=Slot(0, step, COMMIT)), PICK5, SALTS) for step in range(16)]
    assert "".join(picks) == KNOWN["picks"]
    assert draw_locally(Dice(5, 6), b"entropy") == KNOWN["local"]


KNOWN = {
    "salt": "da2d9c2286e264834751e90811a82d6e617e5e00446288cf63befe1fd0151b27",
    "commitment": "54bd59326c588f5beeb24d568b9bf140f89ed1fe11ff7864c1a84868e4a797d3",
    "commitments": "20b38ee55ad5192d55c668d5494320641b6c5f322e19a7e0d28b87974edebac3",
    "rolls": "6-3 4-5 4-3 5-4 6-3 6-5 5-1 2-4",
    "picks": "vvzywxxxvzxzvyyw",
    "local": "1-1-5-6-6",
}


def test_layout():
    """The same by hand, from the words of the specification."""
    context = (bytes(range(32)), (0, 7, 2), (1, 2, 3))
    assert commitment(DRAWING, 2, SALTS[1]) == blake("sh/commit/1", encode((*context, 2, SALTS[1])))
    assert salt(b"seed", DRAWING, 2) == blake("sh/salt/1", b"seed", encode((*context, 2)))
    assert commitments_hash(DRAWING, SALTS) == blake("sh/commits/1", encode((*context, SALTS)))
    seed = blake("sh/outcome/1", encode((*context, ("Dice", 2, 6), SALTS)))
    block = blake("sh/stream/1", seed, bytes(8))
    faces = [str(1 + byte % 6) for byte in block if byte < 252][:2]
    assert outcome(DRAWING, Dice(2, 6), SALTS) == "-".join(faces)


@pytest.mark.parametrize("bound", range(1, 257))
def test_rejection_is_exact(bound):
    """Over all 256 bytes each number comes equally often, and the bytes left over are thrown away."""
    seen = Counter(below(bound, iter((byte, 0))) for byte in range(256 - 256 % bound))
    assert set(seen.values()) == {256 // bound}
    assert len(seen) == bound
    for byte in range(256 - 256 % bound, 256):
        assert below(bound, iter((byte, byte, bound - 1))) == bound - 1


@pytest.mark.parametrize("bound", [-1, 0, 257, 1000])
def test_a_byte_does_not_choose_among_more_than_256(bound):
    with pytest.raises(ValueError, match="256"):
        below(bound, iter(bytes(9)))


def test_the_stream_goes_on():
    """A long draw takes further blocks of the stream, never the same block again."""
    faces = outcome(DRAWING, Dice(100, 6), SALTS).split("-")
    assert len(faces) == 100
    assert faces[:32] != faces[32:64]


def test_a_deal_is_not_drawn_here():
    with pytest.raises(ValueError, match="masked deck"):
        outcome(DRAWING, Deal(("A", "B"), (1, 2)), SALTS)


def test_a_local_deal_is_every_card_once_and_the_same_from_the_same_bytes():
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
    assert draw_locally(Deal(tuple("ABCDEFGH"), (1, 2, 1, 2, 1, 2, 0, 0)), b"entropy") == "deal C B D A H E G F"


def test_local_deals_are_uniform():
    """All 120 orders of five cards come equally often; a biased swap, or a skew in its bounds, would show."""
    rng = Random(2026)
    seen = Counter(draw_locally(Deal(tuple("ABCDE"), (1, 2, 3, 4, 0)), rng.randbytes(32)) for _ in range(120 * 60))
    assert len(seen) == 120
    assert sum((count - 60) ** 2 / 60 for count in seen.values()) < CHI_SQUARE[119]


def test_shuffling_reaches_every_order_from_exactly_its_share_of_the_draws():
    """The swaps of four cards have 4 * 3 * 2 outcomes: each gives another order."""
    orders = {
        tuple(shuffled("ABCD", iter((four, three, two)))) for four in range(4) for three in range(3) for two in range(2)
    }
    assert len(orders) == 24


CONTEXTS = [
    DRAWING,
    DRAWING._replace(table=bytes(32)),
    DRAWING._replace(slot=Slot(1, 7, COMMIT)),
    DRAWING._replace(slot=Slot(0, 8, COMMIT)),
    DRAWING._replace(live=(1, 2)),
    DRAWING._replace(live=(1, 2, 4)),
]


@pytest.mark.parametrize(
    "use",
    [
        lambda drawing: salt(b"seed", drawing, 1),
        lambda drawing: commitment(drawing, 1, SALTS[0]),
        lambda drawing: commitments_hash(drawing, SALTS),
        lambda drawing: outcome(drawing, Dice(20, 6), SALTS),
    ],
    ids=["salt", "commitment", "commitments", "outcome"],
)
def test_everything_is_bound_to_the_drawing(use):
    """Replay: nothing made for one table, slot or set of seats fits another."""
    assert len({use(drawing) for drawing in CONTEXTS}) == len(CONTEXTS)


def test_commitments_and_salts_are_bound_to_the_seat():
    """Copying: the commitment of one seat never opens from another, whatever salt it shows."""
    assert len({commitment(DRAWING, seat, SALTS[0]) for seat in (1, 2, 3)}) == 3
    assert len({salt(b"seed", DRAWING, seat) for seat in (1, 2, 3)}) == 3
    assert len({salt(seed, DRAWING, 1) for seed in (b"seed", b"other")}) == 2


@given(st.permutations(SALTS))
def test_the_order_of_salts_matters(order):
    """The salts stand in seat order; another order is another outcome, so no client may take them as they come."""
    same = tuple(order) == SALTS
    assert (outcome(DRAWING, Dice(20, 6), tuple(order)) == outcome(DRAWING, Dice(20, 6), SALTS)) == same


def test_copying_the_commitment_of_another_seat_fails():
    """The copier waits for the others' salts, shows the copied one, and is out; nothing is rolled."""
    circle = Circle(charter_of("pebbles", 3, fast=True), fast=True)
    for seat in (1, 2):
        for event in circle[seat].duties():
            circle.spread(event)
    copied = circle[1].chains[0][0].body
    circle.spread(circle.forge(3, COMMITMENT, copied, at=circle[1]))
    for seat in (1, 2):
        for event in circle[seat].duties():
            circle.spread(event)
    shown = circle[1].chains[0][-1].body
    circle.spread(circle.forge(3, REVELATION, shown, at=circle[1]))
    for table in circle.tables:
        assert [(entry.actor, entry.action) for entry in table.fold.log] == [(3, "resign")]
        assert [cheat.seat for cheat in table.fold.position.cheats] == [3]
        assert "does not fit its commitment" in table.fold.position.cheats[0].reason
    circle.settle()
    assert circle[1].fold.position.live == (1, 2)
    assert circle[1].fold.log[1].action.startswith("first ")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_last_to_commit_opens_at_once(seats):
    """All the others are bound by then: the last seat shows its salt in place of a commitment and owes nothing more."""
    circle = Circle(charter_of("pebbles", seats, fast=True), fast=True)
    machine = circle[1].fold.position.machine
    for seat in range(1, seats + 1):
        (given,) = circle[seat].duties()
        assert given.kind == (COMMITMENT if seat < seats else OPENING)
        circle.spread(given)
    for table in circle.tables:
        assert table.fold.position.slot.kind == REVEAL
        assert table.owing() == tuple(range(1, seats))
        assert table.fold.log == []
    assert circle[seats].duties() == []
    circle.settle()
    salts = tuple(chain[-1].body[0] for chain in circle[1].chains)
    assert circle[1].fold.log[0].action == outcome(machine.drawing, machine.draw, salts)
    assert {chain[-1].kind for chain in circle[1].chains[:-1]} == {REVELATION}
    report = verify(circle.files[0], FAST)
    assert report.ok
    assert report.cheats == ()


def test_who_restarts_before_it_opens_shows_the_salt_of_its_commitment():
    """One salt for one drawing, whichever of the two events it comes in: no second look at the dice."""
    circle = Circle(charter_of("pebbles", 2, fast=True), fast=True)
    drawing = circle[1].fold.position.machine.drawing
    (committed,) = circle[1].duties()
    (bound,) = circle[2].duties()
    again = circle.client(1)
    again.receive(bound.raw, bound.signature)
    opened = again.duties()[0]
    assert opened.kind == OPENING
    assert commitment(drawing, 1, opened.body[0]) == committed.body[0]


@given(st.integers(0, 10**6), st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_a_restart_signs_the_same_bytes(seed, keep):
    """Reload to roll again: a client that lost any tail of its events signs those with no choice in them again, the
    same to the byte, so that nobody gets a second look at the dice and no restart looks like a cheat."""
    circle = Circle(charter_of("kingamon", fast=True), fast=True)
    circle.play(Random(seed), 12)
    circle.settle()
    whole = events_of(circle[1])
    held, lost = whole[:keep], whole[keep:]
    again = Table(circle.charter, {1: FAST_SIGNERS[0]}, Secrets.from_seed(b"seed1"), FAST)
    again.load(held)
    for event in lost:
        signed = again.duties()
        if event.seat == 1 and event.kind in (COMMITMENT, OPENING, REVELATION):
            assert event in signed or event in again.chains[0]
        assert all(mine in whole for mine in signed)
        again.receive(event.raw, event.signature)
    assert not again.forks
    assert summary(again) == summary(circle[1])


def test_another_seed_is_another_roll():
    """Salts come from the secret seed: with another one the client would commit to something else."""
    charter = charter_of("kingamon", fast=True)
    first = {
        Table(charter, {1: FAST_SIGNERS[0]}, Secrets.from_seed(seed), FAST).duties()[0].body
        for seed in (b"seed1", b"seed3")
    }
    assert len(first) == 2


def test_slots_of_rolls_never_repeat():
    """Rule 1: every drawing of a game is about another slot, so no salt is ever shown or committed to twice."""
    circle = Circle(charter_of("kingamon", fast=True), fast=True)
    circle.play(Random(5))
    for chain in circle[1].chains:
        reveals = [event for event in chain if event.kind in (OPENING, REVELATION) or event.shows]
        assert len({event.slot for event in reveals}) == len(reveals) > 10
        assert len({event.body[-3] for event in reveals}) == len(reveals)
        assert len({event.body[-1] for event in reveals}) == len(reveals)
        assert {event.slot.kind for event in reveals if event.kind == REVELATION} == {REVEAL}
    steps = [event.slot.step for event in circle[1].chains[0]]
    assert steps == sorted(steps)


def test_a_roll_is_committed_to_with_the_one_before_and_goes_with_the_move():
    """After the first roll two players sign two events a roll: the move, which shows a salt, and the answer."""
    circle = Circle(charter_of("kingamon", fast=True), fast=True)
    circle.play(Random(5))
    kinds = Counter(event.kind for chain in circle[1].chains for event in chain)
    assert kinds[COMMITMENT] + kinds[OPENING] == 2
    rolls = sum(entry.actor == CHANCE for entry in circle[1].fold.log)
    with_moves = sum(event.shows for chain in circle[1].chains for event in chain)
    assert kinds[REVELATION] == with_moves + 2 * (rolls - with_moves)
    assert 0.9 * rolls < with_moves < rolls  # who cannot move rolls again at once
    report = verify(circle.files[0], FAST)
    assert report.ok
    assert report.cheats == ()


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_nobody_shows_a_salt_before_it_holds_the_move(seats):
    """Rule 8: all are bound before the move, and all salts but its author's stay hidden until the move is there, so
    it cannot be chosen by the roll that follows."""
    circle = Circle(charter_of("pebbles", seats, {"first": 1}, fast=True), fast=True)
    circle.play(Random(1), 2)  # a move and the first roll
    mover = circle.mover
    before = len(events_of(circle[1]))
    assert circle[1].fold.position.standing
    assert not circle.step()
    circle.spread(circle[mover].play(mover, "take 1"))
    assert circle[mover].chains[mover - 1][-1].shows
    assert circle[1].fold.position.slot.kind == REVEAL
    assert circle[1].owing() == tuple(seat for seat in range(1, seats + 1) if seat != mover)
    assert {event.kind for event in circle.step()} == {REVELATION}
    assert len(events_of(circle[1])) == before + seats
    assert circle[1].fold.log[-1].actor == CHANCE


def test_a_salt_that_goes_with_a_move_is_the_one_that_a_revelation_shows():
    """Who does not show it with its move shows the same one after it: no choice between two salts."""
    circle = Circle(charter_of("pebbles", 2, {"first": 1}, fast=True), fast=True)
    circle.play(Random(1), 2)
    mover = circle.mover
    twin = circle.client(mover)
    twin.load(events_of(circle[mover]))
    shown = twin.play(mover, "take 1").body[-3:]
    circle.spread(circle.forge(mover, MOVE, ("take 1",)))
    (event,) = circle[mover].duties()
    assert (event.kind, event.slot.kind) == (REVELATION, REVEAL)
    assert event.body[0] == shown[0]
    circle.spread(event)
    circle.settle()
    assert circle[1].fold.log[-1].actor == CHANCE
    assert verify(circle.files[0], FAST).cheats == ()
