"""Random play under the worst delivery: replicas that hear late and in bits, and resign or wish at any moment."""

from random import Random

from protocol._event import KEY, MOVE, OPENING, PLEDGE, RESIGN, REVELATION, SEQUENCE, SHARES, SHUFFLE, WISH
from replicas import Circle, events_of

from engine import Turn
from protocol import LocalFaultError, Table


def hear(circle: Circle, rng: Random) -> None:
    """Let one replica hear some of what another holds, perhaps in the wrong order."""
    one, other = rng.sample(circle.tables, 2)
    news = other.lacking(one.heads, one.forked)
    if rng.random() < 0.2:
        rng.shuffle(news)
    for event in news[: rng.randint(1, 8)]:
        one.receive(event.raw, event.signature)


def act(table: Table, rng: Random, *, resign: float, wish: float) -> None:
    """Let one client do what it owes, or what its player may like."""
    (seat,) = table.signers
    due = table.fold.position.due
    try:
        if rng.random() < resign:
            table.resign(seat)
        elif rng.random() < wish:
            table.wish_draw(seat, rng.random() < 0.7)
        elif isinstance(due, Turn) and due.seat == seat and not table.fold.asynchronous():
            table.play(seat, rng.choice(table.game.legal(table.view(seat), seat)))
    except LocalFaultError:
        pass
    table.duties()


def misbehave(circle: Circle, seat: int, rng: Random) -> None:
    """Let a seat sign something that its client would not, on top of what its replica holds."""
    table = circle[seat]
    position = table.fold.position
    kind, body = rng.choice(
        [
            (MOVE, ("nonsense",)),
            (MOVE, ("take 1",)),
            (SEQUENCE, ()),
            (RESIGN, ()),
            (WISH, (1,)),
            (WISH, (0,)),
            (REVELATION, (rng.randbytes(32), rng.randbytes(32), rng.randbytes(32))),
            (OPENING, (rng.randbytes(32), rng.randbytes(32), rng.randbytes(32))),
            (MOVE, ("take 1", rng.randbytes(32), rng.randbytes(32), rng.randbytes(32))),
            (MOVE, ("G9", rng.randrange(40), rng.randbytes(96))),
            (PLEDGE, (rng.randbytes(32),)),
            (KEY, (rng.randbytes(32), rng.randbytes(64))),
            (SHUFFLE, (rng.randbytes(64), rng.randbytes(288))),
            (SHARES, (rng.randbytes(32), rng.randbytes(96))),
        ][: 14 if table.game.key == "celtic-whist" else 9]
    )
    slot = position.slot._replace(step=max(0, position.slot.step + rng.choice([0, 0, 0, -1, 1, 2])))
    digest = table.fold.digest if rng.random() < 0.7 else rng.randbytes(32)
    event = circle.forge(seat, kind, body, slot=slot, digest=digest)
    table.receive(event.raw, event.signature)


def play_out(circle: Circle, rng: Random, *, steps: int, resign=0.01, wish=0.03, cheat=0.0, cheats=()) -> None:
    """Let the replicas play with bad delivery for some steps, then let everybody hear everything."""
    for _ in range(steps):
        hear(circle, rng)
        table = rng.choice(circle.tables)
        (seat,) = table.signers
        if seat in cheats and rng.random() < cheat:
            misbehave(circle, seat, rng)
        act(table, rng, resign=resign, wish=wish)
    hear_all(circle, circle.tables)


def hear_all(circle: Circle, clients: list[Table]) -> None:
    """Let all replicas hear everything, and these clients sign what they owe, until nothing is new."""
    held = -1
    while held != (held := sum(len(events_of(table)) for table in circle.tables)):
        circle.meet()
        for table in clients:
            table.duties()
