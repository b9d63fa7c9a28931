"""Saved games for the tests of what finds and lists them: of one computer, and of friends at several."""

import os
from collections.abc import Sequence
from pathlib import Path

from forming import agree

from engine import all_games
from p2p_stonehenge.storage.home import Home
from protocol import (
    FIRST_GAME,
    LOCAL,
    NET,
    Charter,
    Formation,
    Identity,
    Seat,
    Series,
    Table,
    charter_record,
    event_record,
    local_charter,
    make_body,
)

ANNA, BEN, CLEO = (Identity(bytes([number]) * 32) for number in (31, 32, 33))
LOST = ((1, "B2-B3"), (2, "B7-B6"), (1, "resign"))
"""A game of Fidchess that seat 1 loses."""


def home_of(path: Path, identity: Identity = ANNA, nick: str = "anna") -> Home:
    """A home with a known key."""
    home = Home.open(str(path))
    seeds = {one.id: bytes([number]) * 32 for number, one in ((31, ANNA), (32, BEN), (33, CLEO))}
    (home.path / "identity.key").write_bytes(seeds[identity.id])
    home.set_nick(nick)
    return home


def keep(home: Home, name: str, content: bytes, played: float) -> Path:
    path = home.games / f"{name}.stonehenge"
    path.write_bytes(content)
    os.utime(path, (played, played))
    return path


def solo(
    home: Home,
    actions: Sequence[tuple[int, str]],
    played: float,
    nonce: int = 0,
    names: tuple[str, ...] = ("anna", "bot 2"),
    key: str = "fidchess",
    series: Series = FIRST_GAME,
    **options: int,
) -> Path:
    """A game at anna's computer; the player named first begins: anna, unless `names` says otherwise."""
    seats = tuple(Seat(ANNA.id, name, 1) for name in names)
    body = make_body(LOCAL, all_games()[key], {"first": 1, **options}, seats, bytes([nonce]) * 16, series=series)
    table = Table(local_charter(body, ANNA, bytes(32)), {1: ANNA})
    events = [table.act(actor, action) for actor, action in actions] + table.duties()
    content = charter_record(table.charter) + b"".join(map(event_record, events))
    return keep(home, table.id.hex()[:16], content, played)


def agreed(key: str, players: Sequence[tuple[Identity, str]], nonce: int = 0, **options: str) -> Charter:
    """The charter of a table that friends have signed."""
    seats = tuple(Seat(one.id, name, number) for number, (one, name) in enumerate(players, 1))
    body = make_body(NET, all_games()[key], options, seats, bytes([nonce]) * 16)
    return agree([Formation(body, {number: one}, b"s%d" % number) for number, (one, _) in enumerate(players, 1)])


def among_friends(
    home: Home, key: str, players: Sequence[tuple[Identity, str]], played: float, nonce: int = 0, *, going: bool = True
) -> Path:
    """A game with friends, just begun; `going`: what is needed to go on with it is there."""
    charter = agreed(key, players, nonce, first="1")
    if going:
        home.new_secret(charter.table, bytes(32))
    return keep(home, charter.table.hex()[:16], charter_record(charter), played)
