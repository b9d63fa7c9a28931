"""Seats that sign what the rules refuse: one verdict at every replica and in the file, and nothing is rolled.

What cards can be cheated with is in `test_card_cheats`, two versions of an event in `test_equivocation`.
"""

from collections.abc import Callable
from typing import Any

import pytest
from kinds import expect
from replicas import FAST, Circle, circle_of, events_of, summary
from verdicts import caught, evidence_of, result_of, settled, verdict
from whist import reach

from engine import Turn
from protocol import Exit, event_record, verify
from protocol.chance import Roll
from protocol.chance.salts import commitment
from protocol.events import EventKind, SlotKind, bodies


def pebbles(seats: int, **options: Any) -> Circle:
    return circle_of("pebbles", seats, **({"first": 1} | options))


def rolling(seats: int) -> Circle:
    """A table where all have committed to who begins, and nobody has revealed."""
    return reach(pebbles(seats, first="random"), SlotKind.REVEAL)


def rolled_once(seats: int) -> Circle:
    """A table after its first roll: all have committed to the next, and a move leads to it."""
    circle = pebbles(seats, pile=40)
    circle.spread(circle[1].own.play(1, "take 1"))
    circle.settle()
    assert circle[1].fold.position.bound
    return circle


WRONG = bodies.Revelation(bytes(32), bytes(32))
UNFIT = "a revelation that does not fit its commitment"


# Moves.


@pytest.mark.parametrize("text", ["A2-A9", "nonsense", "", "resign", "draw", "first 1", "\x1b[2J", "x" * 200])
def test_an_unlawful_move_is_resigning(text: str) -> None:
    """A client that signs a move the rules refuse loses by it at once, everywhere, with the reason on record."""
    circle = circle_of("fidchess", 2, first=1)
    event = circle.forge(1, bodies.Move(text))
    circle.spread(event)
    report = caught(circle, event, words="an unlawful move")
    assert result_of(report).winners == (2,)
    assert [cheat.seat for cheat in report.cheats] == [1]
    assert circle[2].fold.log[-1].exit is Exit.BREACH, "its player has resigned nothing"
    assert evidence_of(report).resigned == 0


def test_a_printed_reason_is_safe() -> None:
    """An unlawful move is chosen by the cheat: its text must not reach a terminal as control characters."""
    circle = circle_of("fidchess", 2, first=1)
    circle.spread(circle.forge(1, bodies.Move("\x1b[2J\u202e")))
    report = verdict(circle)
    assert all(one.reason.isprintable() for one in report.cheats)


def test_an_unlawful_move_is_the_last_event_of_its_author() -> None:
    circle = pebbles(3)
    circle.spread(circle.forge(1, bodies.Move("take 9")))
    circle.settle()
    before = summary(circle[2])
    for body in (bodies.Move("take 1"), bodies.Sequence()):
        circle.spread(circle.forge(1, body))
    assert summary(circle[2]) == before
    position = circle[2].fold.position
    assert (position.live, position.due) == ((2, 3), Turn(2))


def test_an_unlawful_move_for_another_state_is_none() -> None:
    """What its author takes for the state is not the table's: nothing can be judged by it."""
    circle = pebbles(3)
    circle.spread(circle.forge(1, bodies.Move("take 9"), digest=bytes(32)))
    assert circle[2].fold.position.cheats == ()
    assert circle[2].fold.owing() == (1,)


def test_a_wrong_digest_is_disputed_and_owed() -> None:
    circle = circle_of("fidchess", 2, first=1)
    move = circle[1].game.legal(circle[1].state, 1)[0]
    wrong = circle.forge(1, bodies.Move(move), digest=bytes(32))
    circle.spread(wrong)
    for table in circle.tables:
        assert table.fold.disputed() == (wrong,)
        assert table.fold.owing() == (1,)
        assert table.fold.position.plies == 0
    circle.spread(circle[1].own.play(1, move))
    report = verdict(circle)
    assert (report.events, report.cheats) == (1, ())
    assert circle[1].fold.disputed() == ()


# Rolls.


@pytest.mark.parametrize("cheat", [1, 2])
def test_another_salt_than_committed_is_resigning(cheat: int) -> None:
    """The last to reveal knows the outcome: another salt rolls nothing and costs the seat."""
    circle = rolling(2)
    event = circle.forge(cheat, WRONG)
    circle.spread(event)
    circle.settle()
    report = caught(circle, event, words=UNFIT)
    assert result_of(report).winners == (3 - cheat,)
    assert [entry.action for entry in circle[1].fold.log] == ["resign"]


def test_all_wrong_salts_of_a_slot_are_on_record() -> None:
    """Three of four cheat at once: the slot is judged when all have given their parts, in whatever order they came."""
    circle = rolling(4)
    events = [circle.forge(seat, WRONG) for seat in (4, 1, 3)]
    for event in events:
        circle.spread(event)
        assert circle[1].fold.position.cheats == ()
    circle.settle()
    report = caught(circle, *events, words=UNFIT)
    assert result_of(report).winners == (2,)


def test_a_cheat_in_a_roll_cannot_escape_by_a_resignation() -> None:
    """Neither its own nor that of a partner: a resignation waits for a turn, and the slot is judged before."""
    circle = rolling(4)
    circle.spread(circle[2].own.resign(2))
    event = circle.forge(4, WRONG)
    circle.spread(event)
    circle.settle()
    report = verdict(circle)
    assert [(one.seat, one.kind) for one in report.cheats] == [(4, "breach")]
    assert circle[1].fold.position.live == (1, 3)


def test_those_left_roll_anew_with_salts_that_nobody_has_seen() -> None:
    circle = rolling(3)
    event = circle.forge(3, WRONG)
    circle.spread(event)
    shown = {expect(bodies.Revelation, circle.owed(circle[seat])[0].body).salt for seat in (1, 2)}
    circle.meet()
    position = circle[1].fold.position
    assert (position.live, position.slot.kind, position.rolls) == ((1, 2), SlotKind.COMMIT, 2)
    circle.settle()
    again = {
        expect(bodies.Revelation, event.body).salt
        for chain in circle[1].held.chains[:2]
        for event in chain[2:]
        if event.kind == EventKind.REVELATION
    }
    assert len(again) == 2
    assert not shown & again
    caught(circle, event, words=UNFIT)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_wrong_salt_behind_a_move_is_resigning(seats: int) -> None:
    """The move counts, the roll after it does not."""
    circle = rolled_once(seats)
    mover = circle.mover
    circle.spread(circle[mover].own.play(mover, "take 1"))
    event = circle.forge(mover, WRONG)
    circle.spread(event)
    circle.settle()
    caught(circle, event, words=UNFIT)
    assert [entry.action for entry in circle[1].fold.log][2:4] == ["take 1", "resign"]


BINDINGS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "table": lambda table, epoch, number, seat: (bytes(32), epoch, number, seat),
    "epoch": lambda table, epoch, number, seat: (table, epoch + 1, number, seat),
    "number": lambda table, epoch, number, seat: (table, epoch, number + 1, seat),
    "seat": lambda table, epoch, number, seat: (table, epoch, number, 3 - seat),
    "nothing else": lambda *about: about,
}


@pytest.mark.parametrize("other", BINDINGS)
def test_a_commitment_binds_table_epoch_roll_and_seat(other: str) -> None:
    """A commitment copied from somebody else, another roll, epoch or table opens nothing here."""
    circle = pebbles(2, first="random")
    reach(circle, SlotKind.COMMIT)
    position = circle[1].fold.position
    about = (circle[1].id, position.slot.epoch, expect(Roll, position.machine).number, 1)
    salt = b"s" * 32
    circle.spread(circle.forge(1, bodies.Commitment(commitment(*(*BINDINGS[other](*about), salt)))))
    circle.owed(circle[2])
    circle.meet()
    assert circle[1].fold.position.slot.kind == SlotKind.REVEAL
    circle.spread(circle.forge(1, bodies.Revelation(salt, bytes(32))))
    circle.owed(circle[2])
    circle.meet()
    cheats = circle[2].fold.position.cheats
    assert [cheat.reason for cheat in cheats] == ([] if other == "nothing else" else [UNFIT])


def test_a_copied_commitment_is_worth_nothing() -> None:
    """Seat 2 commits to what seat 1 has committed to, and shows what seat 1 has shown: it is out."""
    circle = pebbles(2, first="random")
    reach(circle, SlotKind.COMMIT)
    (one,) = circle.owed(circle[1])
    circle.give(circle[2], one)
    circle.spread(circle.forge(2, one.body))
    circle.meet()
    (shown,) = circle.owed(circle[1])
    circle.give(circle[2], shown)
    event = circle.forge(2, shown.body)
    circle.spread(event)
    caught(circle, event, words=UNFIT)


def test_a_commitment_for_the_next_roll_made_with_a_wrong_salt_is_worth_nothing() -> None:
    circle = rolled_once(3)
    before = {one.hash for one in circle[1].fold.position.bound}
    mover = circle.mover
    circle.spread(circle[mover].own.play(mover, "take 1"))
    circle.spread(circle.forge(mover, WRONG))
    circle.settle()
    position = circle[1].fold.position
    assert mover not in position.live
    assert not before & {one.hash for one in position.bound}
    made = [event.kind for event in circle[1].held.chains[position.live[0] - 1]]
    assert made.count(EventKind.COMMITMENT) == 2, "those left committed anew"


def test_commitments_of_a_seat_that_resigned_are_not_opened() -> None:
    """Those of the others stand: they were made before anybody knew that the seat resigns."""
    circle = rolled_once(3)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    circle.spread(circle[2].own.play(2, "take 1"))
    roll = expect(Roll, circle[1].fold.position.machine)
    assert roll.givers == (1, 2)
    assert [one.seat for one in roll.bound] == [1, 2]
    assert settled(circle).cheats == ()
    assert circle[1].fold.log[-1].action.isdigit()


@pytest.mark.parametrize("seats", [2, 3])
def test_a_withheld_salt_behind_a_move_is_owed(seats: int) -> None:
    """A client that knows the roll and keeps silent stops it, and all see that."""
    circle = rolled_once(seats)
    mover = circle.mover
    silent = 1 if mover != 1 else 2
    circle.spread(circle[mover].own.play(mover, "take 1"))
    for seat in circle[1].fold.position.live:
        if seat != silent:
            for event in circle.owed(circle[seat]):
                circle.spread(event)
    for table in circle.tables:
        assert table.fold.owing() == (silent,)
        assert table.fold.log[-1].action == "take 1"


def test_another_part_for_a_roll_that_is_done_does_nothing() -> None:
    circle = rolled_once(2)
    revealed = next(event for event in circle[1].held.chains[0] if event.kind == EventKind.REVELATION)
    before = circle[2].fold.position
    circle.spread(circle.forge(1, WRONG, slot=revealed.slot, digest=revealed.digest))
    assert circle[2].fold.position == before


def test_the_part_of_one_roll_does_not_serve_another() -> None:
    circle = rolled_once(2)
    mover = circle.mover
    shown = next(event.body for event in circle[1].held.chains[mover - 1] if event.kind == EventKind.REVELATION)
    circle.spread(circle[mover].own.play(mover, "take 1"))
    event = circle.forge(mover, shown)
    circle.spread(event)
    circle.settle()
    caught(circle, event, words=UNFIT)


# Evidence.


def test_a_cheat_is_evidence_for_a_third_person() -> None:
    """The file alone convicts: no peer and no secret is needed, and it says which event it was."""
    circle = circle_of("fidchess", 2, first=1)
    forged = circle.forge(1, bodies.Move("A2-A9"))
    circle.spread(forged)
    verdict(circle)
    (found,) = verify(circle.files[1], FAST).cheats
    assert (found.seat, found.event, found.kind) == (1, forged.number, "breach")
    assert event_record(forged) in circle.files[1]


def test_an_honest_clients_own_replica_convicts_it_like_all_others() -> None:
    """What a seat signs is judged by its own client too: no two clients see two games."""
    circle = rolling(2)
    circle.spread(circle.forge(1, WRONG))
    circle.settle()
    fresh = circle.client(2, events_of(circle[1]))
    assert summary(fresh) == summary(circle[1]) == summary(circle[2])
