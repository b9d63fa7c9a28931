"""What a player sits down to: the game and how it is played, as a host advertises it and as a charter says it."""

from typing import Any, NamedTuple

from engine import Game
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.table.agreed import time_given, watchers_told
from protocol import Advert, Body, Clock, Watching, is_bot_name


def time_limit(turn_time: int | Clock, players: int) -> str:
    """Return what the time for turns means at a table of so many clients: `25 s for each turn; when it is up, ...`."""
    two = "a connected client resigns: its player has lost"
    more = "the others' clients agree to go on without the player, who has lost"
    return f"{time_given(turn_time)}; when it is up, {more if players > 2 else two}"


def match_limit(match: int, game: Game[Any] | None) -> str:
    """Return what a match to so many points means: `match to 5 points, of which a game won counts 1`."""
    counts = "what it was worth" if game and game.stakes else "1"
    return f"match to {match} points" + (f", of which a game won counts {counts}" if game else "")


class Terms(NamedTuple):
    """What a player sits down to: what the host advertises and what the charter says have to be the same."""

    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    turn_time: int | Clock
    seats: int
    bots: int
    watching: Watching
    match: int = 0
    """The points that win the match of which a game is played, 0 if there is none."""
    origin: bytes = b""
    """The table from which this one goes on."""
    ply: int = 0
    """After how many of that table's actions."""

    @classmethod
    def advertised(cls, advert: Advert) -> "Terms":
        """Return what a host tells of its table."""
        bots = sum(map(is_bot_name, advert.names))
        game = (advert.game, advert.version, advert.options, advert.turn_time)
        return cls(*game, advert.seats, bots, advert.watching, advert.match, advert.origin, advert.ply)

    @classmethod
    def proposed(cls, body: Body) -> "Terms":
        """Return what a charter says."""
        bots = sum(seat.operator != number for number, seat in enumerate(body.seats, 1))
        origin = (body.origin.table, len(body.origin.actions)) if body.origin else (b"", 0)
        game = (body.game, body.version, body.options, body.turn_time)
        return cls(*game, len(body.seats), bots, body.watching, body.series.match, *origin)

    @classmethod
    def offered(cls, setup: Setup) -> "Terms":
        """Return what a host may offer that follows what it has agreed to."""
        return cls.proposed(setup.body())._replace(bots=setup.bots)

    def differences(self, other: "Terms") -> str:
        """Return in words what is not the same in `other`, as `turn_limit: 0 -> 60; seats: 2 -> 3`."""
        here, there = dict(self.options), dict(other.options)
        named = [(name, here.get(name, "none"), there.get(name, "none")) for name in {**here, **there}]
        named += [
            ("time", time_given(self.turn_time), time_given(other.turn_time)),
            ("seats", str(self.seats), str(other.seats)),
            ("bots", str(self.bots), str(other.bots)),
            ("may watch", watchers_told(self.watching), watchers_told(other.watching)),
            ("match to", str(self.match or "none"), str(other.match or "none")),
            ("goes on from table", self.origin.hex()[:16] or "none", other.origin.hex()[:16] or "none"),
            ("after actions", str(self.ply), str(other.ply)),
        ]
        return "; ".join(f"{name}: {before} -> {after}" for name, before, after in named if before != after)
