"""Saved games for the tests of what looks back at them: played at random, alone or among peers, always the same."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from forming import agree

from engine import Over, Turn, all_games
from p2p_stonehenge.saved import SavedGame
from protocol import (
    FIRST_GAME,
    LOCAL,
    NET,
    Formation,
    Identity,
    Seat,
    Secrets,
    Series,
    SignedEvent,
    Table,
    charter_record,
    draw_locally,
    event_record,
    load,
    local_charter,
    make_body,
)

NAMES = ("anna", "ben", "cleo", "dai", "eve")
PEOPLE = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))
VARIANTS: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    ("celtic-whist", 1, {}),
    ("celtic-whist", 3, {}),
    ("celtic-whist", 5, {"all_cards": "true"}),
    ("fidchell", 3, {"turn_limit": "160"}),
    ("fidchell", 2, {"turn_limit": "60", "layout": "404", "sections": "4", "pieces": "9"}),
    ("fidchess", 2, {"turn_limit": "60"}),
    ("fidchess", 2, {"turn_limit": "80", "rigant_stacking": "true", "quen": "true"}),
    ("kingamon", 2, {"cube": "true", "quick": "true", "captured_king": "bar", "safe_spaces": "true"}),
    ("qenqe", 4, {"turn_limit": "90", "rigant_stacking": "true"}),
    ("qenqe", 5, {"turn_limit": "90"}),
)
"""Every game, in variants that show all that is drawn."""


@cache
def played_alone(
    key: str, seats: int, options: tuple[tuple[str, str], ...] = (), plies: int = 400, names: Sequence[str] = NAMES
) -> bytes:
    """Return the file of a game at one computer, after so many plies if it is not over before."""
    body = make_body(
        LOCAL, all_games()[key], dict(options), tuple(Seat(PEOPLE[0].id, name, 1) for name in names[:seats]), bytes(16)
    )
    table = Table(local_charter(body, PEOPLE[0], bytes(32)), {1: PEOPLE[0]})
    rng, events = Random(f"{key} {seats} {options}"), []
    while not isinstance(due := table.fold.position.due, Over) and table.fold.position.plies < plies:
        if isinstance(due, Turn):
            events.append(table.act(due.seat, rng.choice(table.game.legal(table.state, due.seat))))
        else:
            events.append(table.act(0, draw_locally(due.draw, rng.randbytes(32))))
    return charter_record(table.charter) + b"".join(map(event_record, [*events, *table.duties()]))


@cache
def played_together(
    key: str,
    seats: int = 2,
    options: tuple[tuple[str, str], ...] = (),
    plies: int = 60,
    names: Sequence[str] = NAMES,
    series: Series = FIRST_GAME,
) -> bytes:
    """Return the file of a game among peers: after so many plies the others resign, and seat 1 wins."""
    roster = tuple(Seat(PEOPLE[at].id, names[at], at + 1) for at in range(seats))
    body = make_body(NET, all_games()[key], dict(options), roster, bytes(16), series=series)
    charter = agree([Formation(body, {at + 1: PEOPLE[at]}, bytes([at]) * 32) for at in range(seats)])
    tables = [Table(charter, {at + 1: PEOPLE[at]}, Secrets.from_seed(bytes([at + 1]) * 32)) for at in range(seats)]
    file, rng = [charter_record(charter)], Random(f"{key} {seats}")

    def share(author: Table, events: Sequence[SignedEvent]) -> None:
        file.extend(map(event_record, events))
        for table in tables:
            for event in events if table is not author else ():
                table.receive(event.raw, event.signature)

    def do(author: Table, event: SignedEvent) -> None:
        author.advance([event])
        share(author, [event])

    def settle() -> None:
        while any(signed := [(table, table.duties()) for table in tables]):
            for table, events in signed:
                share(table, events)
            if not any(events for _, events in signed):
                return

    settle()
    while tables[0].fold.result is None:
        due = tables[0].fold.position.due
        assert isinstance(due, Turn)
        table = tables[due.seat - 1]
        if table.fold.position.plies < plies:
            do(table, table.own.play(due.seat, rng.choice(table.game.legal(table.own.view(due.seat), due.seat))))
        else:
            for seat in range(2, seats + 1):
                if seat in tables[0].fold.position.live:
                    do(tables[seat - 1], tables[seat - 1].own.resign(seat))
        settle()
    return b"".join(file)


def saved(file: bytes) -> SavedGame:
    """Return the game in a file."""
    return SavedGame(load(file))
