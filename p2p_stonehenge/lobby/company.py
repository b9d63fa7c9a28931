"""The players of a table that is over: what they may play next, and without whom the player here goes on."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

from engine import OptionError, OptionValue, all_games, listed, option_text
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.lobby.origins import series_of
from p2p_stonehenge.lobby.setup import Setup, bots_of, from_position
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.table.agreed import short_id
from p2p_stonehenge.table.scores import match_goes_on
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from protocol import Advert, Body, Chat, Leave, Message, Table, is_bot_name, is_void, origin_of


class Rematch(NamedTuple):
    """What is played again and by whom: the ids of the people, by the order of their seats at the last table."""

    people: tuple[bytes, ...]
    setup: Setup


def rematch(last: Table, present: Collection[bytes]) -> Rematch:
    """Return what the players of a table who are still `present` may play next.

    A game that two versions of an event ended without a winner goes on from the position before them, with bots for the
    player who signed these and for the players who are gone. After any other game each seat moves on by one, and bots
    fill the table if it would be too small.
    """
    body, fold = last.charter.body, last.fold
    sitting = [number for number in sorted(set(fold.operators)) if body.seats[number - 1].id in present]
    if not fold.broken or not is_void(last):
        return _next_game(last, sitting)
    sitting = [number for number in sitting if number != fold.operators[fold.broken.seat - 1]]
    goes_on = _gone_on(last, sitting)
    return goes_on if goes_on.setup.fits else _next_game(last, sitting)  # a charter has no room for all that was played


def _gone_on(last: Table, sitting: Sequence[int]) -> Rematch:
    """Return the game that goes on from the last position, with bots for those who sit there no more."""
    body, origin = last.charter.body, origin_of(last)
    live = body._replace(origin=origin).live()
    places = {body.seats[number - 1].id: number for number in sitting if number in live}
    return Rematch(tuple(places), from_position(body, origin, places)._replace(closed=True))


def _next_game(last: Table, sitting: Sequence[int]) -> Rematch:
    """Return the next game of those who sit there, each a seat further on."""
    body = last.charter.body
    people = tuple(body.seats[number - 1].id for number in sitting)
    bots = len(body.seats) - len(set(last.fold.operators))
    players, options = _smallest(body, len(people) + bots)
    places = {id: at or len(people) for at, id in enumerate(people)}  # in the order of their seats at the last table
    free = [seat for seat in range(1, players + 1) if seat not in places.values()]
    # A seat that its player had left before plays again, by a bot: not under that player's name.
    names = [name for name in bots_of(body).values() if is_bot_name(name)]
    setup = Setup(
        last.game,
        options,
        players,
        players - len(people),
        body.turn_time,
        places=places,
        bots_called=dict(zip(free, names, strict=False)),
        closed=True,
        watching=body.watching,
        series=partial(series_of, last, goes_on=False),
    )
    return Rematch(people, setup)


def next_of_match(last: Table, own: bytes) -> Rematch | None:
    """Return the next game of the match to which the game of this table belongs; None if it is over in no match.

    All its people are awaited, and nobody else. Raises Failure unless the player with this id was one of them.
    """
    body, fold = last.charter.body, last.fold
    if not body.series.match or fold.result is None or is_void(last):
        return None
    found = rematch(last, body.clients.keys())
    if own not in found.people:
        raise Failure("That match is not yours to go on with: none of its seats was played by you.", USAGE)
    return found


def _smallest(body: Body, taken: int) -> tuple[int, dict[str, OptionValue]]:
    """Return the number of seats of the smallest table for so many at which these options can be played, and these.

    Options with their usual values are left out: they may be none of a smaller table.
    """
    game = all_games()[body.game]
    usual = {option.name: option_text(option.default) for option in game.options}
    options: dict[str, OptionValue] = {name: value for name, value in body.options if usual[name] != value}
    for players in range(max(taken, game.seats[0]), len(body.seats)):
        try:
            game.start(options, players)
        except OptionError:
            continue
        return players, options
    return len(body.seats), options


class Company:
    """The players of a table that is over. `without`: the ids of those without whom the player here goes on."""

    def __init__(self, last: Table, without: Collection[bytes]) -> None:
        self.last = last
        self.without = {*without}
        self.departed: set[bytes] = set()
        """The ids of those who have left by wish since the last table, as they have said."""
        self.away: set[bytes] = set()
        """The ids of players who are gone, come before the host, and keep their seats at the table of the host."""

    @property
    def host(self) -> bytes:
        """Return the id of the player who opens the table: the first of those who play again that is not away."""
        return next(id for id in self.rematch().people if id not in self.away)

    def hear(self, peer: bytes, message: Message) -> str:
        """Note that a player has left the last table; return what another player at that table says, else nothing."""
        match message:
            case Leave(table) if table == self.last.id:
                self.departed.add(peer)
            case Chat(table, text) if table == self.last.id and (name := self.named([peer])):
                return f"{name}: {text}"
        return ""

    def rematch(self) -> Rematch:
        """Return what those play next without whom the player here has not agreed to go on."""
        return rematch(self.last, self.last.charter.body.clients.keys() - self.without)

    def take_back(self, id: bytes) -> bool:
        """Return whether a player without whom the others would play is back in time to play again, and note that."""
        if id in self.without:
            self.without.discard(id)
            return id in self.rematch().people
        return False

    def leads_to(self, id: bytes, advert: Advert, sighting: Sighting | None) -> bool:
        """Return whether a player who comes before the host has opened a table after the last one, and note that.

        The order of seats decides, whoever else is to play at either table. A player who is seen announces which table
        that one follows; of a player who is not seen the same game has to be advertised.
        """
        people, setup = rematch(self.last, self.last.charter.body.clients.keys() - (self.without - {id}))
        if id not in people or people.index(id) >= people.index(self.host):
            return False
        body, origin = setup.body(), setup.origin
        if sighting:
            told = sighting.announced
            follows = told and told.game == body.game and (told.origin if origin else told.after)
            leads = follows == short_id(self.last.id)
        else:
            same = (body.game, body.version, origin.table if origin else b"", body.series.match)
            leads = same == (advert.game, advert.version, advert.origin, advert.match)
        if leads:
            self.away.discard(id)
            self.without.discard(id)
        return leads

    def note_elsewhere(self, sightings: Collection[Sighting]) -> None:
        """Note that those have left who are seen to play at another table."""
        people = self.rematch().people
        for one in sightings:
            told = one.announced if one.id in people else None
            if told and told.short_id not in ("", short_id(self.last.id)) and not told.watching:
                self.departed.add(one.id)

    def missing(self, here: Collection[bytes]) -> frozenset[bytes]:
        """Return the ids of those who would play, and are not among those who are here."""
        return frozenset(self.rematch().people) - {*here}

    def enough_without(self, ids: Collection[bytes]) -> bool:
        """Return whether two players or more are left for another game without these."""
        return len({*self.rematch().people} - {*ids}) > 1

    def lost_with(self, host: bytes) -> frozenset[bytes]:
        """Return the ids of a host who is gone and of all who have left.

        Not of players without whom the player here has agreed to play.
        """
        return frozenset({host, *self.departed} - self.without)

    def setup(self, people: Collection[bytes]) -> Setup:
        """Return what these of the players play next."""
        return rematch(self.last, people).setup

    def way_on(self) -> str:
        """Return the command with which a player who leaves opens another table, and what it does.

        It goes on with the last game where two versions of an event have ended it, and with a match that is not over.
        """
        last, result = self.last, self.last.fold.result
        from_last = f"`{command_here()} host --from {short_id(last.id)}` goes on with"
        if rematch(last, last.charter.body.clients.keys()).setup.origin:
            return f"{from_last} that game"
        if result and match_goes_on(last.charter.body.series, last.game, result):
            return f"{from_last} the match"
        return f"`{command_here()} host {last.game.key}` opens another table"

    def named(self, ids: Collection[bytes]) -> str:
        """Return players in words: `anna and ben`."""
        return listed([quoted(seat.name) for seat in self.last.charter.body.seats if seat.id in ids])

    def gone(self, ids: Collection[bytes]) -> str:
        """Return that these players are gone, or have left, and that nobody is left to play with if that is so."""
        alone = "" if self.enough_without(ids) else ", and nobody else is left to play with"
        one, how = len(ids) == 1, ("have left", "has left") if self.departed >= {*ids} else ("are gone", "is gone")
        return f"{self.named(ids)} {how[one]}{alone}"

    def question(self, ids: Collection[bytes]) -> str:
        """Return what is asked before a game without these players."""
        return f"{self.gone(ids)}. Play again without {self.named(ids)}?"
