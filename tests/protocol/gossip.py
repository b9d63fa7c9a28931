"""Random play under the worst delivery: replicas that hear late and in bits, and resign or wish at any moment."""

from collections import abc
from random import Random
from typing import Any

from replicas import Circle, events_of

from engine import Turn
from protocol import LocalFaultError, Table
from protocol.events import Leaving, bodies


def hear(circle: Circle, rng: Random) -> None:
    """Let one replica hear some of what another holds, perhaps in the wrong order."""
    one, other = rng.sample(circle.tables, 2)
    proven = [(proof.kept.seat, proof.kept.number) for proof in one.held.proofs]
    news = other.held.lacking(one.held.heads, proven, other.fold.position.live, frozenset())
    if rng.random() < 0.2:
        rng.shuffle(news)
    circle.give(one, *news[: rng.randint(1, 8)])


def act(circle: Circle, table: Table, rng: Random, *, resign: float, wish: float, takeback: float = 0.1) -> None:
    """Let one client do what it owes, or what its player may like."""
    if astray(table):
        return
    seat = rng.choice([*table.own.signers])
    due = table.fold.position.due
    try:
        if rng.random() < resign:
            circle.give(table, table.own.resign(seat))
        elif rng.random() < wish:
            circle.give(table, table.own.wish_draw(seat, rng.random() < 0.7))
        elif rng.random() < (0.5 if table.fold.position.asking else takeback):
            circle.give(table, table.own.take_back(seat))
        elif isinstance(due, Turn) and due.seat in table.own.signers and not table.fold.asynchronous():
            moves = table.game.legal(table.own.view(due.seat), due.seat)
            circle.give(table, table.own.play(due.seat, rng.choice(moves)))
    except LocalFaultError:
        pass
    while circle.owed(table):
        pass


def astray(table: Table) -> bool:
    """Whether a client has signed for a slot that is not open yet: nothing that it signs before that one counts."""
    step = table.fold.position.slot[:2]
    return any(chain and chain[-1].slot[:2] > step for chain in (table.held.chains[at - 1] for at in table.own.signers))


def misbehave(circle: Circle, seat: int, rng: Random) -> None:
    """Let a seat sign something that its client would not, on top of what its replica holds."""
    table = circle[seat]
    position = table.fold.position
    heads = table.held.heads
    others = [one for one in range(1, len(heads) + 1) if one != seat]
    leaving = tuple(Leaving(one, *heads[one - 1]) for one in sorted(rng.sample(others, rng.randint(0, len(others)))))
    card = rng.choice([bodies.Move("G9"), bodies.Play("G9", rng.randrange(40), rng.randbytes(96))])
    body: Any = rng.choice(
        [
            bodies.Move("nonsense"),
            bodies.Move("take 1"),
            bodies.Sequence(),
            bodies.Resign(),
            bodies.Wish(rng.randrange(2)),
            bodies.Commitment(rng.randbytes(32)),
            bodies.Revelation(rng.randbytes(32), rng.randbytes(32)),
            bodies.Epoch(position.slot.epoch + rng.choice([1, 2, 300]), leaving[:4]),
            card,
            bodies.Key(rng.randbytes(32), rng.randbytes(64)),
            bodies.Shuffle(rng.randbytes(64), rng.randbytes(288)),
            bodies.Shares(rng.randbytes(96 * rng.randrange(3))),
        ]
    )
    slot = position.slot._replace(step=max(0, position.slot.step + rng.choice([0, 0, 0, -1, 1, 2])))
    digest = position.digest if rng.random() < 0.7 else rng.randbytes(32)
    circle.give(table, circle.forge(seat, body, slot=slot, digest=digest))


def play_out(
    circle: Circle,
    rng: Random,
    *,
    steps: int,
    resign: float = 0.01,
    wish: float = 0.03,
    cheat: float = 0.0,
    cheats: abc.Sequence[int] = (),
) -> None:
    """Let the replicas play with bad delivery for some steps, then let everybody hear everything."""
    for _ in range(steps):
        hear(circle, rng)
        table = rng.choice(circle.tables)
        for seat in {*table.own.signers} & {*cheats}:
            if rng.random() < cheat:
                misbehave(circle, seat, rng)
        act(circle, table, rng, resign=resign, wish=wish)
    hear_all(circle)


def hear_all(circle: Circle) -> None:
    """Let all replicas hear everything, and all clients sign what they owe, until nothing is new."""
    held = -1
    while held != (held := sum(len(events_of(table)) for table in circle.tables)):
        circle.meet()
        for table in circle.tables:
            while not astray(table) and circle.owed(table):
                pass
