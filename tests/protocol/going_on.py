"""Tables that wait for one seat, and what their clients do about it."""

from clients import Clients, clients

from protocol.events import bodies

LIMIT = 30


def waiting_for(seat: int, seats: int = 4, *, operators: tuple[int, ...] | None = None, pile: int = 60) -> Clients:
    """Clients of a table where it is the turn of a seat, all of them linked."""
    table = clients("pebbles", seats, operators=operators, pile=pile)
    table.tick()
    while table.mover != seat:
        assert table.mover < seat
        table.play()
    return table


def agreements(table: Clients, operator: int) -> list[bodies.Epoch]:
    """The agreements that an operator has signed, by its own seat."""
    chain = table[operator].table.held.chains[operator - 1]
    return [event.body for event in chain if isinstance(event.body, bodies.Epoch)]


def live(table: Clients, *operators: int) -> tuple[int, ...]:
    """The seats that play, as all these clients have it."""
    found = {table[operator].table.fold.position.live for operator in operators or table.nodes}
    assert len(found) == 1
    return found.pop()


def epochs(table: Clients, *operators: int) -> set[int]:
    return {table[operator].table.fold.position.slot.epoch for operator in operators or table.nodes}


def without(table: Clients, operator: int, seat: int) -> None:
    table.do(operator, table[operator].without(seat))


def agree(table: Clients, operator: int) -> None:
    table.do(operator, table[operator].agree())
