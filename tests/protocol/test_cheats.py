"""Seats that sign what the rules refuse: the same verdict at every replica and in the file, and nothing is rolled."""

import pytest
from protocol._event import COMMIT, COMMITMENT, MOVE, OPENING, REVEAL, REVELATION, SEQUENCE, make_event
from protocol._fair import commitment, commitments_hash, outcome, salt
from replicas import FAST, FAST_SIGNERS, Circle, charter_of, events_of, replica, summary

from engine import Turn
from protocol import Table, event_record, verify
from protocol.identity.secrets import Secrets


def circle_of(key="fidchess", seats=2, **options):
    return Circle(charter_of(key, seats, options, fast=True), fast=True)


def verdict(circle):
    """What all replicas and the files of all agree on: the cheats and the result."""
    circle.meet()
    circle.settle()
    circle.meet()
    assert len({(summary(table)[:4], summary(table)[4]) for table in circle.tables}) == 1
    reports = [verify(file, FAST) for file in circle.files]
    for report in reports:
        assert report.error is None
        assert report.ok
        assert report.cheats == reports[0].cheats
        assert (report.result, report.events, report.digest) == (
            reports[0].result,
            reports[0].events,
            reports[0].digest,
        )
    assert reports[0].result == circle[1].fold.position.result
    return reports[0]


@pytest.mark.parametrize("text", ["A2-A9", "nonsense", "", "resign", "draw", "first 1", "\x1b[2J", "x" * 200])
def test_an_unlawful_move_is_resigning(text):
    """Rule 7: a client that signs a move the rules refuse loses by it at once, everywhere, with the reason on
    record."""
    circle = circle_of(first=1)
    circle.spread(circle.forge(1, MOVE, (text,)))
    report = verdict(circle)
    assert report.result.winners == (2,)
    assert len(report.cheats) == 1
    assert report.cheats[0].startswith("seat 1 signed an unlawful move")
    assert any(line.startswith("CHEAT: seat 1") for line in report.lines)
    assert circle[1].fold.position.cheats[0].event == circle[1].chains[0][0].hash


def test_a_printed_reason_is_safe():
    """An unlawful move is chosen by the cheat: its text must not reach a terminal as control characters."""
    circle = circle_of(first=1)
    circle.spread(circle.forge(1, MOVE, ("\x1b[2J\u202e",)))
    report = verdict(circle)
    assert all(text.isprintable() for text in (*report.cheats, *report.lines))


def test_an_unlawful_move_is_the_last_event_of_its_author():
    """Rule 7: whatever the cheat signs later has no effect."""
    circle = circle_of("pebbles", 3, first=1)
    circle.spread(circle.forge(1, MOVE, ("take 9",)))
    circle.settle()
    before = summary(circle[2])
    for kind, body in ((MOVE, ("take 1",)), (SEQUENCE, ())):
        circle.spread(circle.forge(1, kind, body))
    assert summary(circle[2]) == before
    assert circle[2].fold.position.live == (2, 3)
    assert circle[2].fold.position.due == Turn(2)


def test_a_wrong_digest_is_disputed_and_owed():
    """Rule 6: a move for another state: not applied, told of, and the seat still has to move."""
    circle = circle_of(first=1)
    move = circle[1].game.legal(circle[1].state, 1)[0]
    wrong = circle.forge(1, MOVE, (move,), digest=bytes(32))
    circle.spread(wrong)
    for table in circle.tables:
        assert table.fold.disputed() == (wrong,)
        assert table.owing() == (1,)
        assert table.fold.position.plies == 0
    circle.spread(circle[1].play(1, move))
    report = verdict(circle)
    assert report.events == 1
    assert report.cheats == ()
    assert circle[1].fold.disputed() == ()


def committed(seats=2, without=0, **options):
    """A table where all but one seat have committed to their salts for who begins."""
    circle = circle_of("pebbles", seats, **options)
    signed = [circle[seat].duties() for seat in range(1, seats + 1) if seat != without]
    for (event,) in signed:
        circle.spread(event)
    return circle


def revealed(circle, cheat, body):
    """Let all but the cheat reveal, then the cheat show `body`."""
    for table in circle.tables:
        if cheat not in table.signers:
            for event in table.duties():
                circle.spread(event)
    circle.spread(circle.forge(cheat, REVELATION, body))


@pytest.mark.parametrize("cheat", [1, 2])
def test_another_salt_than_committed_is_resigning(cheat):
    """The last to reveal knows the outcome; showing another salt rolls nothing and costs the seat."""
    circle = committed()
    revealed(circle, cheat, (bytes(32), circle[cheat].fold.position.machine.answered(), bytes(32)))
    report = verdict(circle)
    assert report.result.winners == (3 - cheat,)
    assert report.cheats[0].startswith(f"seat {cheat} signed a revelation that does not fit its commitment")
    assert [entry.action for entry in circle[1].fold.log] == ["resign"]


@pytest.mark.parametrize("cheat", [1, 2])
def test_answering_other_commitments_is_resigning(cheat):
    """Rule 8: a revelation says which commitments it answers; another hash voids the attempt, and the seat is out."""
    circle = committed()
    honest = Table(circle.charter, {cheat: FAST_SIGNERS[cheat - 1]}, Secrets.from_seed(b"seed%d" % cheat), FAST)
    honest.load(events_of(circle[1]))
    salt = honest.duties()[0].body[0]
    revealed(circle, cheat, (salt, bytes(32), bytes(32)))
    report = verdict(circle)
    assert report.result.winners == (3 - cheat,)
    assert "answers other commitments" in report.cheats[0]


def test_two_cheats_in_one_slot():
    """Both show wrong salts: both are on record; they leave in seat order, so the higher seat has won."""
    circle = committed()
    circle.tables, tables = [], circle.tables
    events = [
        make_event(
            FAST_SIGNERS[seat - 1],
            tables[0].id,
            seat,
            tables[0].heads,
            tables[0].fold.position.slot,
            tables[0].fold.digest,
            REVELATION,
            (bytes(32), tables[0].fold.position.machine.answered(), bytes(32)),
        )
        for seat in (1, 2)
    ]
    circle.tables = tables
    for event in events[::-1]:
        circle.spread(event)
    report = verdict(circle)
    assert len(report.cheats) == 2
    assert report.result.winners == (2,)


def test_those_left_roll_anew():
    """At a larger table the rest commits again, at a slot of its own; the cheat's knowledge is worth nothing."""
    circle = committed(3)
    first = circle[1].fold.position.machine.drawing
    revealed(circle, 3, (bytes(32), circle[1].fold.position.machine.answered(), bytes(32)))
    position = circle[1].fold.position
    assert position.live == (1, 2)
    assert position.slot.kind == COMMIT
    assert circle[1].fold.position.machine.drawing != first
    salts = {event.body[0] for chain in circle[1].chains for event in chain if event.kind == REVELATION}
    circle.settle()
    again = {chain[-1].body[0] for chain in circle[1].chains[:2]}
    assert not salts & again
    assert circle[1].fold.log[-1].action.startswith("first ")
    assert verdict(circle).cheats[0].startswith("seat 3")


@pytest.mark.parametrize("seats", [2, 3])
def test_a_withheld_revelation_rolls_nothing(seats):
    """Who sees the outcome and does not like it can only stop the game: nothing is drawn, and all see who owes."""
    circle = committed(seats)
    for table in circle.tables[:-1]:
        for event in table.duties():
            circle.spread(event)
    for table in circle.tables:
        assert table.fold.log == []
        assert table.owing() == (seats,)
        assert table.fold.position.slot.kind == REVEAL
    assert verdict_unfinished(circle)


def verdict_unfinished(circle):
    report = verify(circle.files[0], FAST)
    return report.ok and not report.finished and not report.cheats


def test_an_early_revelation_does_not_count_before_its_time():
    """Showing a salt before all have committed: it answers nothing, so it cannot be the seat's revelation later."""
    circle = committed(without=2)
    slot = circle[1].fold.position.slot._replace(step=1, kind=REVEAL)
    early = circle.forge(1, REVELATION, (bytes(32), bytes(32), bytes(32)), slot=slot)
    circle.spread(early)
    assert circle[1].owing() == (2,)
    assert circle[1].fold.log == []
    circle.settle()
    report = verdict(circle)
    assert "answers other commitments" in report.cheats[0]
    assert report.result.winners == (2,)


def test_a_second_commitment_changes_nothing():
    """Two commitments of one seat for one drawing: the first in its chain is the one that must be opened."""
    circle = committed(without=2)
    drawing = circle[2].fold.position.machine.drawing
    one, two = (COMMITMENT, (commitment(drawing, 2, b"1" * 32),)), (COMMITMENT, (commitment(drawing, 2, b"2" * 32),))
    slot, digest = circle[2].fold.position.slot, circle[2].fold.digest
    circle.spread(circle.forge(2, *one))
    circle.spread(circle.forge(2, *two, slot=slot, digest=digest))
    for event in circle[1].duties():
        circle.spread(event)
    circle.spread(circle.forge(2, REVELATION, (b"2" * 32, circle[1].fold.position.machine.answered(), bytes(32))))
    assert "does not fit" in verdict(circle).cheats[0]


@pytest.mark.parametrize("named", [(), (1,), (2,)])
def test_an_opening_counts_only_if_it_names_all_other_commitments(named):
    """Until all the others are bound a salt shown is no contribution, whatever its author holds by then."""
    circle = committed(3, without=3)
    drawing = circle[3].fold.position.machine.drawing
    answer = commitments_hash(drawing, tuple(circle[3].chains[seat - 1][0].hash for seat in named))
    heads = tuple(
        head if seat in (*named, 3) else head._replace(length=0, hash=b"")
        for seat, head in enumerate(circle[3].heads, 1)
    )
    shown = salt(circle[3].secrets.chance, drawing, 3)
    circle.spread(circle.forge(3, OPENING, (shown, answer, bytes(32)), heads=heads))
    for table in circle.tables:
        assert table.owing() == (3,)
        assert table.fold.position.slot.kind == COMMIT
    # What follows it is not hurt: the seat opens as it should have.
    (event,) = circle[3].duties()
    assert event.kind == OPENING
    circle.spread(event)
    assert verdict(circle).cheats == ()
    assert circle[1].fold.log[0].action.startswith("first ")


@pytest.mark.parametrize("seats", [2, 3])
def test_an_opening_that_answers_other_commitments_is_resigning(seats):
    """It names the commitments of all, and its answer is that to others."""
    circle = committed(seats, without=1)
    shown = salt(circle[1].secrets.chance, circle[1].fold.position.machine.drawing, 1)
    circle.spread(circle.forge(1, OPENING, (shown, bytes(32), bytes(32))))
    position = circle[2].fold.position
    assert position.cheats[0].reason == "an opening that answers other commitments"
    assert [entry.action for entry in circle[1].fold.log] == ["resign"]
    report = verdict(circle)
    assert report.cheats[0].startswith("seat 1 signed an opening that answers other commitments")
    assert report.result is None or report.result.winners == (2,)


def test_an_opening_after_the_own_commitment_changes_nothing():
    """The commitment is what must be opened, also if its author then shows another salt as if it had not committed."""
    circle = committed(without=2)
    machine, digest = circle[2].fold.position.machine, circle[2].fold.digest
    slot = circle[2].fold.position.slot
    circle.spread(circle.forge(2, COMMITMENT, (commitment(machine.drawing, 2, b"1" * 32),)))
    answer = commitments_hash(machine.drawing, (circle[2].chains[0][0].hash,))
    circle.spread(circle.forge(2, OPENING, (b"2" * 32, answer, bytes(32)), slot=slot, digest=digest))
    assert circle[1].owing() == (1, 2)
    assert circle[1].fold.position.slot.kind == REVEAL
    for event in circle[1].duties():
        circle.spread(event)
    circle.spread(circle.forge(2, REVELATION, (b"2" * 32, circle[1].fold.position.machine.answered(), bytes(32))))
    assert "does not fit its commitment" in verdict(circle).cheats[0]


def test_a_commitment_after_the_own_opening_changes_nothing():
    """Who has opened is bound by the salt that it has shown."""
    circle = committed(without=2)
    slot, digest, machine = circle[2].fold.position.slot, circle[2].fold.digest, circle[2].fold.position.machine
    (opened,) = circle[2].duties()
    other = (commitment(machine.drawing, 2, b"2" * 32),)
    circle.spread(opened)
    circle.spread(circle.forge(2, COMMITMENT, other, slot=slot, digest=digest))
    assert circle[1].owing() == (1,)
    (shown,) = circle[1].duties()
    circle.spread(shown)
    assert circle[1].fold.log[0].action == outcome(machine.drawing, machine.draw, (shown.body[0], opened.body[0]))
    assert verdict(circle).cheats == ()


def test_another_opening_than_the_one_answered_opens_nothing():
    """A revelation binds the salt of the opening too: it answers the event that showed it."""
    circle = committed(without=2)
    (opened,) = circle[2].duties()
    twin = circle.forge(
        2, OPENING, (b"2" * 32, *opened.body[1:]), heads=opened.heads, slot=opened.slot, digest=opened.digest
    )
    circle.spread(opened)
    shown = circle[1].duties()[0]
    other = replica(circle[1], FAST)
    for event in (circle[1].chains[0][0], twin):
        other.receive(event.raw, event.signature)
    assert circle[1].fold.log[0].action.startswith("first ")
    assert other.fold.position.slot.kind == REVEAL
    assert other.receive(shown.raw, shown.signature) == []
    assert other.fold.position.machine.answered() != shown.body[1]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_withheld_revelation_after_an_opening_rolls_nothing(seats):
    """Seat 1 learns the outcome from the opening and keeps silent: nothing is drawn, and all see who owes."""
    circle = committed(seats, without=seats)
    for seat in range(seats, 1, -1):
        for event in circle[seat].duties():
            circle.spread(event)
    for table in circle.tables:
        assert table.fold.log == []
        assert table.owing() == (1,)
    assert verdict_unfinished(circle)


def test_who_resigns_after_an_opening_loses_its_seat_and_the_salts_are_done_with():
    """A seat that knows the outcome can give itself up: the others draw anew, with salts that nobody has seen."""
    circle = committed(3, without=3)
    (opened,) = circle[3].duties()
    circle.spread(opened)
    circle.spread(circle[1].resign(1))
    assert circle[2].fold.position.live == (2, 3)
    circle.settle()
    assert circle[2].fold.log[1].action.startswith("first ")
    assert opened.body[0] not in {chain[-1].body[0] for chain in circle[2].chains[1:]}
    assert verdict(circle).cheats == ()


def test_who_resigns_after_its_own_opening_leaves_once_the_roll_is_done():
    """It has given all that the roll needs, so its resignation cannot void what it may have seen."""
    circle = committed(3, without=3)
    for event in circle[3].duties():
        circle.spread(event)
    circle.spread(circle[3].resign(3))
    circle.settle()
    actions = [(entry.actor, entry.action[:5]) for entry in circle[1].fold.log]
    assert actions == [(0, "first"), (3, "resig")]
    assert verdict(circle).cheats == ()


def test_a_commitment_for_another_slot_or_state_is_not_taken():
    circle = committed(without=2)
    drawing = circle[2].fold.position.machine.drawing
    body = (commitment(drawing, 2, b"1" * 32),)
    slot = circle[2].fold.position.slot
    for changes in (
        {"slot": slot._replace(step=1)},
        {"slot": slot._replace(epoch=1)},
        {"slot": slot._replace(kind=REVEAL)},
        {"digest": bytes(32)},
    ):
        circle.spread(circle.forge(2, COMMITMENT, body, **changes))
        assert circle[1].owing() == (2,)
    circle.settle()
    assert isinstance(circle[1].fold.position.due, Turn)


def test_the_first_version_held_stands_between_two():
    """Two versions of one move, sent one after the other: the first stands, the second is kept as proof."""
    circle = circle_of(first=1)
    legal = circle[1].game.legal(circle[1].state, 1)
    position = circle[1].fold.position
    first, second = (circle.forge(1, MOVE, (move,)) for move in legal[:2])
    assert first.number == second.number
    circle.give(circle[2], first)
    circle.give(circle[2], second)
    assert [fork.other for fork in circle[2].forks] == [second]
    assert circle[2].fold.log[0].action == legal[0]
    assert circle[2].fold.cut(1) is None
    assert position.plies == 0


def test_one_proof_a_seat_is_kept():
    """A forker cannot fill memory with versions."""
    circle = circle_of(first=1)
    for move in circle[1].game.legal(circle[1].state, 1)[:5]:
        event = circle.forge(1, MOVE, (move,))
        circle[2].receive(event.raw, event.signature)
    assert len(circle[2].forks) == 1


def test_a_cheat_is_evidence_for_a_third_person():
    """The file alone convicts: who reads it later needs no peer and no secret, and sees which event it was."""
    circle = circle_of(first=1)
    forged = circle.forge(1, MOVE, ("A2-A9",))
    circle.spread(forged)
    verdict(circle)
    (found,) = [line for line in verify(circle.files[1], FAST).cheats if line.startswith("seat 1")]
    assert found.endswith(f"(its number {forged.number})")
    assert event_record(forged) in circle.files[1]
    assert summary(replica(circle[1], FAST)) != summary(circle[1])


def rolled_once(seats=2):
    """A table after its first roll: all have committed to the next, and a move leads to it."""
    circle = circle_of("pebbles", seats, first=1)
    circle.spread(circle[1].play(1, "take 1"))
    circle.settle()
    assert circle[1].fold.position.standing
    return circle


@pytest.mark.parametrize("lie", ["salt", "answer"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_wrong_salt_with_a_move_is_resigning(seats, lie):
    """The move counts, the roll does not: what it shows has to be what its author committed to, for these others."""
    circle = rolled_once(seats)
    mover = circle.mover
    roll = circle[mover].fold.foreseen(mover, "take 1")
    shown, answer, ahead = roll.contribute(mover, circle[mover].secrets, None)
    body = (bytes(32), answer, ahead) if lie == "salt" else (shown, bytes(32), ahead)
    circle.spread(circle.forge(mover, MOVE, ("take 1", *body)))
    circle.settle()
    report = verdict(circle)
    reason = "does not fit its commitment" if lie == "salt" else "answers other commitments"
    assert report.cheats[0].startswith(f"seat {mover} signed a revelation that {reason}")
    assert [entry.action for entry in circle[1].fold.log][2:4] == ["take 1", "resign"]


def test_a_salt_with_a_move_that_leads_to_no_roll_has_no_effect():
    """Before the first roll nothing is bound, and the last pebble ends the game: the move is a move and no more."""
    circle = circle_of("pebbles", 2, first=1)
    circle.spread(circle.forge(1, MOVE, ("take 1", bytes(32), bytes(32), bytes(32))))
    assert circle[1].fold.position.slot.kind == COMMIT
    assert circle[1].owing() == (1, 2)
    circle.settle()
    while circle[1].state.pile > 3:
        circle.spread(circle[circle.mover].play(circle.mover, "take 3"))
        circle.settle()
    if not circle[1].fold.position.result:
        last = f"take {circle[1].state.pile}"
        circle.spread(circle.forge(circle.mover, MOVE, (last, bytes(32), bytes(32), bytes(32))))
    report = verdict(circle)
    assert report.cheats == ()
    assert report.result.reason == "last pebble"


def test_what_was_committed_to_before_is_void_when_a_seat_leaves():
    """Rule 2: it was for all seats that were live. Those left commit anew, and nobody shows the salt it had meant."""
    circle = rolled_once(3)
    meant = {
        seat: circle[seat].fold.foreseen(2, "take 1").contribute(seat, circle[seat].secrets, None)[0] for seat in (1, 2)
    }
    circle.spread(circle[3].resign(3))
    circle.settle()
    event = circle[2].play(2, "take 1")
    assert not event.shows
    circle.spread(event)
    assert circle[1].fold.position.slot.kind == COMMIT
    circle.settle()
    assert circle[1].fold.log[-1].action.isdigit()
    assert not {*meant.values()} & {event.body[-3] for event in events_of(circle[1]) if len(event.body) > 2}
    assert verdict(circle).cheats == ()


@pytest.mark.parametrize("seen", [False, True])
def test_an_abandoned_roll_takes_the_commitments_along(seen):
    """Who gives itself up when it knows the roll, which goes with a move: all salts of it are done with, and those that
    were committed to with them."""
    circle = rolled_once(3)
    circle.spread(circle[2].play(2, "take 1"))
    for event in circle[1].duties() if seen else ():
        circle.spread(event)
    shown = {event.body[-3] for event in events_of(circle[1]) if len(event.body) > 2}
    ahead = {event.body[-1] for event in events_of(circle[1]) if len(event.body) > 2}
    circle.spread(circle[3].resign(3))
    assert circle[1].fold.position.slot.kind == COMMIT
    assert circle[1].fold.position.live == (1, 2)
    known = len(events_of(circle[1]))
    circle.settle()
    fresh = events_of(circle[1])[known:]
    assert not shown & {event.body[-3] for event in fresh if len(event.body) > 2}
    assert not ahead & {event.body[0] for event in fresh if event.kind == COMMITMENT}
    assert circle[1].fold.log[-1].action.isdigit()
    assert verdict(circle).cheats == ()


def test_another_commitment_than_the_one_answered_is_another_roll():
    """A salt answers the events that hold the commitments: with another version of one it opens nothing."""
    circle = circle_of("pebbles", 2, first=1)
    circle.spread(circle[1].play(1, "take 1"))
    for seat in (1, 2):
        circle.spread(*circle[seat].duties())
    (last,) = circle[1].duties()
    twin = circle.forge(
        1, REVELATION, (*last.body[:2], bytes(32)), heads=last.heads, slot=last.slot, digest=last.digest
    )
    other = replica(circle[2], FAST)
    other.load(events_of(circle[2]))
    circle.spread(last)
    other.receive(twin.raw, twin.signature)
    move = circle[2].play(2, "take 1")
    assert move.shows
    assert other.receive(move.raw, move.signature) == []
    assert other.fold.foreseen(2, "take 1").answered() != move.body[2]


def test_a_withheld_salt_after_a_move_is_owed():
    """The other one learns the roll from the move and keeps silent: nothing is drawn, and all see who owes."""
    circle = rolled_once()
    mover = circle.mover
    circle.spread(circle[mover].play(mover, "take 1"))
    for table in circle.tables:
        assert table.owing() == (3 - mover,)
        assert table.fold.log[-1].action == "take 1"
    assert verdict_unfinished(circle)
