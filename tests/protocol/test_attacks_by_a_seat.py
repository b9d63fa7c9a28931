"""Attacks on a table by a seat that is linked to all others, and tells each of them what it likes."""

from contextlib import suppress

import pytest
from clients import Clients, clients
from equivocating import begun, both, out
from going_on import agreements, live, waiting_for, without
from puppets import Puppet, resigned_in_a_roll
from replicas import FAST, circle_of

from protocol import LocalFaultError, verify
from protocol.chance import Roll, Rolled
from protocol.events import EventKind, Leaving, Slot, SlotKind, bodies
from protocol.table.path import Path


def won_at_once() -> tuple[Clients, Puppet]:
    """A table of five at which the first move has won. Seat 4, which does as the test says, has signed no result."""
    table = clients("pebbles", 5, pile=1)
    table.tick()
    puppet = Puppet(table, 4)
    table.play()
    puppet.hear()
    return table, puppet


# What an honest client signs.


def test_what_a_bot_signs_that_is_out_is_no_proposal_of_its_operator() -> None:
    """Shown 256, 512 and 700 at once, the others would sign 700 by themselves, as their operator still plays.

    They do not name the chain of a seat that is out: their own event would leap by 700, and nobody could take it in.
    """
    table = clients("pebbles", 3, operators=(1, 2, 2), pile=60)
    table.tick()
    table.do(2, [*table[2]._publish([table[2].table.own.resign(3)])])
    table.play()
    assert table[1].table.fold.position.live == (1, 2)
    puppet = Puppet(table, 2)
    for numbers in ((1,), (257, 512, 700)):
        puppet.tell(*[puppet.sign(bodies.Epoch(number, ()), seat=3) for number in numbers])
        puppet.wait(5)
    assert agreements(table, 1) == []
    report = verify(table.disks[1], FAST, scheme=table.forger.scheme)
    assert report.ok, report.error


# The end.


def test_one_cheat_of_five_takes_no_result_back_that_all_others_have_signed() -> None:
    """Nothing that it proposes at the end is signed; an epoch would begin there without the others' signatures."""
    table, puppet = won_at_once()
    results = [table[one].table.fold.result for one in puppet.others]
    assert {table[one].table.confirmed() for one in puppet.others} == {(1, 2, 3, 5)}
    puppet.tell(puppet.sign(bodies.Epoch(1, (Leaving(2, *puppet.table.held.heads[1]),))))
    puppet.wait(3)
    puppet.hear()
    assert [agreements(table, one) for one in puppet.others] == [[]] * 4
    wish = puppet.sign(bodies.Wish(1), slot=puppet.table.fold.position.slot._replace(epoch=1))
    other = table.forger.forge(4, bodies.Wish(0), at=puppet.table, heads=wish.heads)
    puppet.tell(wish, other)
    puppet.wait(20)
    assert [table[one].table.fold.result for one in puppet.others] == results
    table.check(*puppet.others)


def test_one_cheat_of_five_gives_no_two_players_different_results() -> None:
    """One of the two versions is the signature that an epoch at END lacks: two enter it, and two have the RESULTs."""
    table, puppet = won_at_once()
    puppet.tell(puppet.sign(bodies.Epoch(1, (Leaving(2, *puppet.table.held.heads[1]),))))
    puppet.wait(3)
    puppet.hear()
    end, heads = puppet.table.fold.position.slot, puppet.table.held.heads
    epoch = puppet.sign(bodies.Epoch(2, ()))
    wish = table.forger.forge(4, bodies.Wish(1), at=puppet.table, heads=heads, slot=end._replace(epoch=1))
    told = {one: puppet.told(one, epoch if one in (1, 2) else wish) for one in puppet.others}
    for one, effects in told.items():
        table.do(one, effects)
    puppet.wait(30)
    assert len({table[one].table.fold.result for one in puppet.others}) == 1
    table.check(*puppet.others)


def test_who_has_agreed_and_lost_the_network_sees_the_end() -> None:
    """Client 1 has signed that seat 2 leaves, which no other wants; then seat 2 wins. Client 1 hears all of it later.

    Its file tells the result, and its player is shown a game that waits for seat 2, for as long as the others are not
    all at that table again.
    """
    table = clients("pebbles", 4, pile=5)
    table.tick()
    table.play("take 2")
    without(table, 1, 2)
    assert agreements(table, 1)
    table.leave(1)
    table.play(f"take {table[2].table.state.pile}")
    table.wait(12)
    result = table[2].table.fold.result
    assert result
    table.part(2, 3, 4)
    table.link(1, 2)
    for _ in range(60):
        table.tick(1.0, 1, 2)
    assert table[1].table.held.heads[1:] == table[2].table.held.heads[1:]
    assert verify(table.disks[1], FAST, scheme=table.forger.scheme).result == result
    assert table[1].table.fold.result == result


def test_the_files_of_all_name_who_has_ended_the_game() -> None:
    """Seat 5 is out and signs two versions; seat 4, which plays, names the one that seats 1 to 3 do not hold.

    The game is over for all by the event of seat 4 that waits. No file of the three can hold it; each holds the proof.
    """
    circle = begun(5, moves=2)
    out(circle, 5)
    one, other = both(circle, 5)
    for seat in (1, 2, 3):
        circle.give(circle[seat], one, other)
    circle.give(circle[4], other, one)
    circle.spread(circle.forge(4, bodies.Wish(1)))
    circle.meet()
    assert {circle[seat].fold.result and circle[seat].fold.broken for seat in (1, 2, 3, 4)} == {circle[1].fold.broken}
    reports = [verify(file, FAST, scheme=circle.scheme) for file in circle.files[:4]]
    assert [report.error for report in reports] == [None] * 4
    assert [[(cheat.seat, cheat.kind) for cheat in report.cheats] for report in reports] == [[(5, "equivocation")]] * 4


# What a client takes in.


@pytest.mark.parametrize("more", [0, 1])
def test_who_waits_for_an_agreement_is_not_cut_off_by_a_player_who_signs_too_much(more: int) -> None:
    """Client 1 has signed that seat 2 leaves, and closes no slot; all others do, and their events name more of seat 5.

    Seat 5 fills what client 1 may hold of it; the move of seat 2 lets that lie behind for all others, who take in one
    event more and name it. Client 1 drops that one, so all that the others sign waits there for ever, and they wait for
    its signature.
    """
    table = clients("pebbles", 5, pile=60)
    table.tick()
    table.play()
    puppet = Puppet(table, 5)
    without(table, 1, 2)
    step, long = table[1].table.fold.position.slot.step, bodies.Shuffle(bytes(4224), bytes(8608))
    events = [puppet.sign(long, slot=Slot(0, step + at // 8, SlotKind.SHUFFLE)) for at in range(42 + more)]
    room = 524_288 // len(events[0].raw)
    assert len(table[1].table.held.chains[4]) + room == 42
    for event in events[:room]:
        puppet.tell(event)
    table.play()
    for event in events[room : room + more]:
        puppet.tell(event)
    for _ in range(12):
        for operator in puppet.others:
            with suppress(LocalFaultError):
                without(table, operator, 5)
        puppet.wait(5)
    assert live(table, 2, 3, 4) == (1, 2, 3, 4)
    assert live(table, 1) == (1, 2, 3, 4)


# Going on.


def test_a_player_who_signs_other_agreements_does_not_keep_the_others_waiting_for_ever() -> None:
    """Of five one is gone, and its partner signs a higher agreement, which nobody wants, some seconds after each one.

    Its time to sign begins anew each time. After 128 agreements, in 43 minutes, nobody can sign any more.
    """
    table = waiting_for(4, 5)
    puppet = Puppet(table, 5)
    table.leave(4)
    puppet.others.remove(4)
    for second in range(180):
        for operator in (1, 2, 3):
            for gone in (4, 5):
                with suppress(LocalFaultError):
                    without(table, operator, gone)
        puppet.wait(1)
        puppet.hear()
        highest = max(map(puppet.table.held.agreed, (1, 2, 3)))
        if second % 7 == 6 and highest > puppet.table.held.agreed(5):
            puppet.tell(puppet.sign(bodies.Epoch(highest + 1, (Leaving(1, *puppet.table.held.heads[0]),))))
    assert live(table, 1, 2, 3) in ((1, 2, 3), (1, 2, 3, 5))


# Chance.


def test_who_has_seen_a_roll_gets_no_other_one_by_a_player_who_has_resigned() -> None:
    """Seat 3 resigns in a roll, gives its part and goes. Seat 4 knows the value, and proposes to go on without seat 3.

    All others sign that by themselves. Where a seat leaves, the roll begins anew, and seat 4 has lost nothing.
    """
    table, puppet = resigned_in_a_roll()
    position, secrets = puppet.table.fold.position, puppet.table.own.secrets
    assert puppet.table.fold.owing() == (4,)
    assert secrets
    assert isinstance(position.machine, Roll)
    given = [event for seat in (1, 2, 3) if (event := puppet.table.fold.given(seat))]
    shown = position.machine.part(4, position.slot.epoch, secrets)
    assert shown
    part = table.forger.forge(4, shown, at=puppet.table)
    assert len(given) == 3, "with its own part the cheat knows the value"
    assert isinstance(position.machine.take([*given, part]), Rolled)
    puppet.tell(puppet.sign(bodies.Epoch(1, (Leaving(3, *puppet.table.held.heads[2]),))), to=(1, 2))
    table.tick(1.0, 1, 2)
    assert [table[one].table.fold.position.slot.kind for one in (1, 2)] != [SlotKind.COMMIT] * 2, live(table, 1, 2)


# Work.


def test_agreements_that_are_void_cost_no_work() -> None:
    """Seat 5 signs with each epoch that nobody leaves, before it goes on, many agreements more on the base before."""
    circle = circle_of("pebbles", 5, first=1, pile=99)
    circle.settle()
    number, costs = 0, []
    for _ in range(3):
        base = circle[1].fold.position
        circle.agree(number := number + 1)
        for _ in range(100):
            number += 1
            circle.spread(circle.forge(5, bodies.Epoch(number, ()), slot=base.slot, digest=base.digest))
        circle.agree(number := number + 1)
        assert {table.fold.position.slot.epoch for table in circle.tables} == {number}
        looks = 0
        may = Path._may_be_in_force

        def counted(path: Path, *of: object, may: object = may, **how: object) -> bool:
            nonlocal looks
            looks += path is circle[1].fold._path
            return may(path, *of, **how)  # type: ignore[operator, no-any-return]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "_may_be_in_force", counted)
            circle.spread(circle[circle.mover].own.play(circle.mover, "take 1"))
            circle.settle()
        costs.append(looks)
    assert sum(event.kind == EventKind.EPOCH for event in circle[1].held.chains[4]) > 300
    assert max(costs) < 200, costs
