"""What a host offers: the game and how it is played, for how many, and for whom."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, NamedTuple

from engine import Game, OptionValue, all_games
from protocol import (
    ATTEMPT_BYTES,
    FIRST_GAME,
    LOCAL,
    NET,
    NICK_LENGTH,
    Body,
    Clock,
    Origin,
    Seat,
    Series,
    Watchers,
    Watching,
    is_bot_name,
    make_body,
    series_within,
)

_LONGEST = Seat(bytes(32), "\N{GRINNING FACE}" * (NICK_LENGTH + 1), 1)
"""A seat that takes more room in a charter than any, also for what its player has made before."""

EVERYBODY = Watching(Watchers.EVERYBODY, 0)
"""All may watch, at once."""


class Setup(NamedTuple):
    """What a host offers. `players` counts all seats, of which bots of the host play `bots`.

    A player named in `places` gets that seat; if the table is `closed` nobody else gets one. A seat of the host's
    client in `bots_called` has the name that stands there. A table that goes on from another one has its `origin`.
    `series` returns the match and the score before the game of a roster.
    """

    game: Game[Any]
    options: dict[str, OptionValue]
    players: int
    bots: int = 0
    turn_time: int | Clock = 0
    passphrase: str | None = None
    origin: Origin | None = None
    places: Mapping[bytes, int] = {}
    bots_called: Mapping[int, str] = {}
    closed: bool = False
    watching: Watching = EVERYBODY
    series: Callable[[tuple[Seat, ...]], Series] = lambda _: FIRST_GAME

    def body(self, seats: tuple[Seat, ...] = (), attempt: bytes = b"") -> Body:
        """Return the charter's body; without seats as far as it is known before anybody sits down."""
        seats = seats or (Seat(b"", "", 1),) * self.players
        more = (self.turn_time, self.origin, self.watching, self.series(seats))
        return make_body(NET, self.game, self.options, seats, attempt, *more)

    @property
    def fits(self) -> bool:
        """Return whether there is room in a charter for it, and above all for its origin, whoever sits down."""
        return self.body((_LONGEST,) * self.players, bytes(ATTEMPT_BYTES)).fits


def from_position(body: Body, origin: Origin, places: Mapping[bytes, int]) -> Setup:
    """Return what a host offers who goes on from a position of a table: its game, options, times, score and watchers.

    Those with `places` get their seats; bots play the seats that have nobody, or that play no more.
    """
    live, players = body._replace(origin=origin).live(), len(body.seats)
    watching = body.watching if body.kind == NET else EVERYBODY  # nobody could watch a table on one computer
    return Setup(
        all_games()[body.game],
        dict(body.options),
        players,
        players - len({*live} & {*places.values()}),
        body.turn_time,
        origin=origin,
        places=places,
        bots_called=_called_at(body, live),
        watching=watching,
        series=partial(series_within, body),
    )


def _called_at(body: Body, playing: Collection[int]) -> dict[int, str]:
    """Return the names of the seats that the host's client plays at a table that goes on from this one, by seat.

    Those of bots keep their names, and those that are not among the `playing` the names of the players who left them.
    """
    return {at: seat.name for at, seat in enumerate(body.seats, 1) if at not in playing} | bots_of(body)


def places_of(body: Body) -> dict[bytes, int]:
    """Return the seats of a table, by id. At a local one all have one id: the first one that no bot had is meant."""
    found: dict[bytes, int] = {}
    bots = bots_of(body)
    for number, seat in enumerate(body.seats, 1):
        if number not in bots:
            found.setdefault(seat.id, number)
    return found


def bots_of(body: Body) -> dict[int, str]:
    """Return the names of the bots of a table, by seat."""
    seats = enumerate(body.seats, 1)
    return {at: seat.name for at, seat in seats if is_bot(body.kind, at, seat.name, seat.operator)}


def is_bot(kind: str, seat: int, name: str, operator: int) -> bool:
    """Return whether a bot plays a seat: another seat's client does, or that seat has the name of one on one computer.

    On one computer bots can play all seats, and one of them stands for the client then.
    """
    return operator != seat or (kind == LOCAL and is_bot_name(name))
