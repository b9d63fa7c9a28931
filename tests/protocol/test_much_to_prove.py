"""What a saved game proves is found in one walk through it, however its players made it."""

from random import Random

import pytest
from equivocating import anew
from looked import Looked
from replicas import Circle, circle_of, local_table

from engine import Turn
from protocol import Table, latest
from protocol.events import Head, Proof, SignedEvent, bodies
from protocol.table.equivocation import PROOFS_KEPT, Judgement, ended_by
from protocol.transcript import evidence, proofs

TIMES = 200


def test_many_take_backs_are_told_apart_in_one_walk() -> None:
    """Each goes back to where the one before it went: the walk from one to the next must not be taken anew for each."""
    table = local_table("fidchess", {"first": 1})
    for turn in range(TIMES):
        table.act(1, table.game.legal(table.state, 1)[0])
        table.act(0, f"takeback {2 * turn}")
    looked = table.fold.log = Looked(table.fold.log)
    found = evidence(table)
    assert (found.takebacks, found.within, found.moves) == (TIMES, 0, TIMES)
    assert looked.looks < 10 * len(looked)


@pytest.mark.parametrize("since", [0, 3, 4, 5, 8])
def test_the_actions_since_a_place_are_those_that_led_to_a_state_and_no_earlier_ones(since: int) -> None:
    table = local_table("fidchess", {"first": 1})
    for seat in (1, 2, 1, 2, 1):
        table.act(seat, table.game.legal(table.state, seat)[0])
    table.act(0, "takeback 3")
    table.act(2, table.game.legal(table.state, 2)[0])
    table.act(0, "takeback 0")
    log = table.fold.log
    for until in range(len(log) + 1):
        assert [*latest(log, until, since)] == [place for place in latest(log[:until]) if place >= since]


def test_where_a_second_version_ends_a_game_is_found_without_a_walk_through_it() -> None:
    """While a proof counts the end is judged anew with each event that arrives."""
    circle = circle_of("fidchess", first=1)
    circle.settle()
    named_late(circle, TIMES)
    fold, chain = circle[1].fold, circle[1].held.chains[0]
    for kept in (chain[1], chain[len(chain) // 2], chain[-1]):
        positions = Looked(fold.positions)
        ended = ended_by([Proof(kept, kept)], positions, fold.positions, fold.rules, ("anna", "ben"))
        before = [at for at in fold.positions if at.behind[0] < kept.number]
        assert ended.plies == before[-1].plies
        assert positions.looks < 20 < len(positions)


def apart(table: Table) -> tuple[list[SignedEvent], ...]:
    """The chains of a table of two, changed as if neither player had named anything of the other."""
    for seat, chain in enumerate(table.held.chains):
        chain[:] = [one._replace(lengths=tuple(one.lengths[at] * (at == seat) for at in (0, 1))) for one in chain]
    return table.held.chains


def test_what_many_proofs_mean_is_found_by_few_looks_at_each_chain() -> None:
    """Where events in doubt cut a chain is the same for all proofs, and of each seat the first one in doubt decides."""
    circle = circle_of("fidchess", first=1)
    circle.settle()
    named_late(circle, TIMES)
    table = circle[1]
    chains = [Looked(chain) for chain in apart(table)]
    proofs = [[Proof(kept, kept) for kept in chain[:PROOFS_KEPT]] for chain in chains]
    for chain in chains:
        chain.looks = 0
    judgement = Judgement(table.fold.position, (1, 2), chains, {}, proofs)
    assert judgement.counting == [*proofs[0], *proofs[1]]
    assert all(chain.looks < 40 < len(chain) for chain in chains)


def test_of_thousands_of_proofs_few_are_looked_at() -> None:
    """Each of them ended the game earlier than those before it, so that each is kept."""
    circle = circle_of("fidchess", first=1)
    circle.settle()
    named_late(circle, TIMES)
    table = circle[1]
    for kept in [*apart(table)[0]][::-1]:
        table.take(anew(circle, kept), signed=True)
    number = len(table.held.chains[0])
    assert len(table.held.proofs) == number
    own = Looked(table.held._against[0])
    judgement = Judgement(table.fold.position, (1, 2), table.held.chains, {}, [own, []])
    assert [proof.kept.number for proof in judgement.ending] == [1]
    assert not judgement.adds(table.held.chains[0][-1])
    assert own.looks < 40 < len(own)


def quiet(table: Table, seat: int, rng: Random) -> str:
    """A move after which another player's turn comes."""
    moves = list(table.game.legal(table.state, seat))
    rng.shuffle(moves)
    return next(one for one in moves if isinstance(table.game.pending(table.game.apply(table.state, seat, one)), Turn))


def named_late(circle: Circle, moves: int) -> None:
    """Let two play so that neither ever names a move as the last event that it has seen of the other."""
    table, rng = circle[1], Random(1)
    for _ in range(moves):
        seat = circle.mover
        for body in (bodies.Move(quiet(table, seat, rng)), bodies.Takeback(10**6)):
            circle.spread(circle.forge(seat, body, at=table))


@pytest.mark.parametrize("answered", [False, True])
def test_the_first_move_that_is_answered_is_found_in_one_walk(answered: bool) -> None:
    circle = circle_of("fidchess", first=1)
    circle.settle()
    named_late(circle, TIMES)
    table = circle[1]
    looks, before = [0], len(table.held.chains[0])
    if answered:
        for _ in range(2):
            seat = circle.mover
            circle.spread(circle[seat].own.play(seat, quiet(table, seat, Random(seat))))

    class Heads(tuple[Head, ...]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            looks[0] += len(self)
            return super().__iter__()

        def __getitem__(self, at):  # type: ignore[no-untyped-def]
            looks[0] += 1
            return super().__getitem__(at)

    for chain in table.held.chains:
        chain[:] = [event._replace(heads=Heads(event.heads)) for event in chain]
    move = evidence(table).move
    assert (move and (move.seat, move.answered_by)) == ((1, 2) if answered else None)
    assert not move or move.hash == table.held.chains[0][before].hash
    assert looks[0] < 10 * before


def test_what_made_each_roll_is_found_without_the_rest_of_the_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    circle = circle_of("kingamon")
    circle.play(Random(1), plies=200)
    table = circle[1]
    rolls = evidence(table).rolls
    assert len(rolls) > 30
    monkeypatch.setattr(proofs, "AHEAD_LIMIT", 4)
    table.held.chains = tuple(map(Looked, table.held.chains))
    assert evidence(table).rolls == rolls
    for chain in table.held.chains:
        assert len(chain) > 60
        assert chain.looks < 8 * len(rolls)  # type: ignore[attr-defined]
