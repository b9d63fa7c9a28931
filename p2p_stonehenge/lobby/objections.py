"""What speaks against a charter that a host proposes: where it differs from what was agreed, and from the own files.

All that a guest's client compares before it signs is compared here. A player is asked about each objection; a client
that asks nobody signs in spite of a slight one alone.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import all_games, counted, listed
from p2p_stonehenge.lobby.company import rematch
from p2p_stonehenge.lobby.origins import (
    begun_told,
    decided_told,
    difference,
    gone_on_told,
    later_told,
    made_anew,
    match_told,
    round_broken_off,
    saved_table,
    series_of,
    unfinished_told,
)
from p2p_stonehenge.lobby.setup import Setup, places_of
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.lobby.terms import Terms
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import short_id
from p2p_stonehenge.table.scores import series_told
from p2p_stonehenge.text.program import command_here
from protocol import FIRST_GAME, Body, Origin, Series, Table, is_void, origin_of


class Objection(NamedTuple):
    """One thing in which a charter differs; `text` says both.

    `final`: no player may agree to it. `slight`: a client that asks nobody signs all the same, and says so: no score of
    a match changes by it. `alarm`: it is shown as a warning. `about` tells apart what one text may say of several
    charters: a player who agreed to one has not agreed to another.
    """

    text: str
    final: bool = False
    slight: bool = False
    alarm: bool = False
    about: object = None


class OwnFiles(NamedTuple):
    """What the own files tell of a charter. `later`: which saved games its game would take the place of.

    `match`: which match of the same players goes on, where another one begins; else "".
    `origin`: the table that it goes on from; `watched`: the same, where this player had no seat at it and its players
    may have signed there what they liked. `last`: the table of the game before. Each is None without a file; `origin`
    and `last` also where this player had no seat.
    """

    origin: Table | None = None
    last: Table | None = None
    later: tuple[str, ...] = ()
    match: str = ""
    watched: Table | None = None

    @classmethod
    def of(cls, body: Body, home: Home, own: bytes) -> "OwnFiles":
        """Return what the files of the player with this id tell; to read them takes a moment.

        Raises Failure for a damaged file.
        """
        series, told, match = body.series, [], ""
        before = saved_table(home, body.origin.table) if body.origin else None
        origin, watched = (before, None) if before and _sat(before, own) else (None, before)
        last = saved_table(home, series.table) if series.games else None
        unknown = body.origin is not None and origin is None
        games = list(Shelf(home).games()) if series != FIRST_GAME or unknown else []
        if body.origin and series != FIRST_GAME:
            told.append(later_told(games, body.origin.table))
        if origin and series != FIRST_GAME:
            told.append(gone_on_told(games, series, origin.id))
        if origin and series.games:
            told.append(decided_told(games, series.table, origin.id))
        elif series.games:
            told.append(begun_told(games, series.table))
            if last and last.charter.body.series.games:
                told.append(decided_told(games, last.charter.body.series.table, series.table))
        elif series.match and origin is None:  # else it is no new match
            match = match_told(games, body.game, body.clients)
        if unknown and not any(told):
            told.append(unfinished_told(games, body.game, body.clients))
        last = last if last and _sat(last, own) else None
        return cls(origin, last, tuple(dict.fromkeys(filter(None, told))), match, watched)


NOTHING_HELD = OwnFiles()


def files_matter(body: Body, agreed: Setup | None) -> bool:
    """Return whether a charter has to be compared with the own files, as `OwnFiles.of` reads them."""
    return body.origin is not None or (agreed is None and body.series != FIRST_GAME)


class Proposal(NamedTuple):
    """A charter that a host proposes to the player with the id `own`; `host` is what the host is called here.

    `terms`: what this player sat down to. `agreed`: the table that follows from the last one, where the client knows
    it: it has opened that table as well, or plays again. `after`: what the table is called whose game this one follows,
    as the host announced it; empty if it announced none.
    """

    body: Body
    host: str
    own: bytes
    terms: Terms
    agreed: Setup | None = None
    after: str = ""

    def objections(self, held: OwnFiles) -> Iterator[Objection]:
        """Yield all that speaks against it, what is final first."""
        yield from self._other_terms()
        yield from self._other_score(held)
        yield from self._other_seats(held)
        yield from self._unknown_origin(held)
        if self.body.origin and (before := held.origin or held.watched):
            yield from self._other_options(before)
            yield from _other_position(self.body.origin, before, self.own)
        if self.after and self.after != short_id(self.body.series.table):
            follows = (
                f"follows table {short_id(self.body.series.table)}" if self.body.series.games else "is a first game"
            )
            told = f"{self.host} announced the game that follows table {self.after}, and proposes one that {follows}."
            yield Objection(told, alarm=True)
        yield from (Objection(text) for text in held.later)
        if held.match:
            yield Objection(held.match, slight=True)

    def remark(self, held: OwnFiles) -> str:
        """Return what the player reads where nothing speaks against it; "" if it was compared with no file."""
        compared = held.origin if self.body.origin else held.last
        return "Your own file of that table says the same." if compared else ""

    def _other_terms(self) -> Iterator[Objection]:
        terms, than = Terms.proposed(self.body), "agreed" if self.agreed else "advertised"
        if (terms.game, terms.version) != (self.terms.game, self.terms.version):
            told = f"{self.host} proposes another game than the one that was {than}. Choose another table."
            yield Objection(told, final=True)
        elif terms != self.terms:
            yield Objection(f"{self.host} proposes another table than was {than}: {self.terms.differences(terms)}.")

    def _unknown_origin(self, held: OwnFiles) -> Iterator[Objection]:
        """Yield that the table to go on from is not known here: its id and position are then the host's choice."""
        origin, agreed = self.body.origin, self.agreed
        if origin is None or held.origin or (agreed and agreed.origin == origin):
            return
        named = (
            f"That table goes on, after {counted(len(origin.actions), 'action')}, from table {short_id(origin.table)}"
        )
        known = (
            "which you only watched: its players may have agreed on any position"
            if held.watched
            else f"which you have no file of: that it was played, and how it stands, is what {self.host} says"
        )
        yield Objection(f"{named}, {known}.", slight=not self.body.series.match, alarm=True, about=origin)

    def _other_options(self, before: Table) -> Iterator[Objection]:
        """Yield how the rules differ from those of the own file of the table that is gone on with."""
        there = before.charter.body
        if (self.body.game, self.body.options) != (there.game, there.options):
            was, proposed = (Terms.proposed(body._replace(origin=None)) for body in (there, self.body))
            told = was._replace(turn_time=proposed.turn_time, watching=proposed.watching, bots=proposed.bots)
            yield Objection(f"By your own file that game has other options: {told.differences(proposed)}.", alarm=True)

    def _other_score(self, held: OwnFiles) -> Iterator[Objection]:
        body, names = self.body, [seat.name for seat in self.body.seats]
        expected = self._score(held)
        told = series_told(body.series, names)
        if expected is None and body.series.games:
            slight = body.origin is not None and not body.series.match
            told = f"{self.host} tells a score of games that you have no file of: {told}."
            yield Objection(told, slight=slight, about=body.series)
        elif expected is not None and expected != body.series:
            own = f"Your own games: {series_told(expected, names)}."
            other = f"{self.host} tells another score than your own games give. {self.host}: {told}. {own}"
            if self.agreed and not body.series.games:  # as after a crash: no fault, but no next game either
                there = f"{own} `{command_here()} join` leads there all the same"
                other = f"{self.host} has opened another table, and not that of your next game. {there}."
            yield Objection(other, final=True)

    def _score(self, held: OwnFiles) -> Series | None:
        """Return the score that follows from the games before, None if neither of them was this player's own."""
        seats = self.body.seats
        if self.agreed:
            return self.agreed.series(seats)
        if held.origin:  # not of a table that this player watched: others have signed it
            return series_of(held.origin, seats, goes_on=True)
        return series_of(held.last, seats, goes_on=False) if held.last else None

    def _other_seats(self, held: OwnFiles) -> Iterator[Objection]:
        body, places = self.body, self._places(held)
        here, colours = body.clients, all_games()[body.game].colours
        moved = [(id, seat, places[id]) for id, seat in here.items() if places.get(id, seat) != seat]
        if moved:
            names = ["you" if id == self.own else body.seats[seat - 1].name for id, seat, _ in moved]
            then = ", ".join(f"{name} {colours[place - 1]}" for name, (_, _, place) in zip(names, moved, strict=True))
            now = ", ".join(f"{name} {colours[seat - 1]}" for name, (_, seat, _) in zip(names, moved, strict=True))
            yield Objection(f"By the game before the seats are: {then}. At that table: {now}.", alarm=True)
        if not places or (body.origin and not self.agreed and (held.origin or not held.last)):
            return  # at a table that goes on seats are free for others
        if others := [body.seats[seat - 1].name for id, seat in here.items() if id not in places]:
            yield Objection(f"{listed(others)} did not play the game before, and would play the next one.", alarm=True)
        if missing := places.keys() - here.keys():
            gone = counted(len(missing), "player")
            named = (
                listed([seat.name for seat in held.last.charter.body.seats if seat.id in missing]) if held.last else ""
            )
            yield Objection(f"{named or gone} of the game before would not play the next one.")

    def _places(self, held: OwnFiles) -> Mapping[bytes, int]:
        """Return the seat that each player has to have, by id; none where no game before this one is known."""
        body = self.body
        if self.agreed:
            return self.agreed.places
        before = held.origin or (held.watched if held.last is None else None)
        if body.origin and before:
            playing = body.live()
            return {id: seat for id, seat in places_of(before.charter.body).items() if seat in playing}
        if held.last is None or is_void(held.last) or held.last.fold.result is None:
            return {}
        return rematch(held.last, held.last.charter.body.clients).setup.places


def _sat(table: Table, own: bytes) -> bool:
    """Return whether the player with this id had a seat at a table."""
    return own in {seat.id for seat in table.charter.body.seats}


def _other_position(origin: Origin, own: Table, player: bytes) -> Iterator[Objection]:
    """Yield where a position to go on from differs from the own file of that table, or is not the last one in it.

    Also where a round of cards or a roll that came after it would be made anew. `player`: the id of the player here.
    """
    differs = difference(origin, own)
    if differs:
        yield Objection(f"That is not how you know the table: {differs}.", alarm=True, about=origin)
    latest, here = origin_of(own), f"at that table it goes on after {counted(len(origin.actions), 'action')}"
    earlier = origin.actions == latest.actions[: len(origin.actions)]
    slight = earlier and not own.charter.body.series.match
    if own.fold.result and not is_void(own):
        won = listed([own.charter.body.seats[seat - 1].name for seat in own.fold.result.winners]) or "nobody"
        lost = "" if own.charter.body.series == FIRST_GAME else " What it counted would count no more."
        told = f"By your own file that game is over, and {won} won; {here}.{lost}"
        yield Objection(told, slight=slight, alarm=True, about=origin)
    elif not differs and latest != origin:
        told = f"By your own file that game stands after {counted(len(latest.actions), 'action')}; {here}."
        yield Objection(told, slight=slight, alarm=True, about=origin)
    elif not differs and not own.fold.broken and (told := round_broken_off(own, latest) or made_anew(own, player)):
        yield Objection(told, slight=slight, alarm=True, about=origin)
