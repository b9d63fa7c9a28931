"""What a client announces to the network of its table: a hint for those who look for one, never a proof."""

import re
from typing import NamedTuple

from engine import all_games

MOST = 40
"""Letters of an announcement."""
_PLAYING, _WATCHING, _LOCKED, _PRIVATE = "playing", "watching", "passphrase", "private"


_AWAITS = re.compile(r"(\S+)(?: o([\da-f]+))?(?: (?:m(\d{1,3})|(\S+)))?")
"""What is announced of a table that awaits players, but for the game and who may sit down or watch."""


class Announced(NamedTuple):
    """A table as it is announced: `kingamon 1/2` while players are awaited, `kingamon playing 3f9a` afterwards.

    `seats` is `1/2`, or empty once the game has begun; `short_id` is that of the table then. `locked`: a passphrase
    is asked for. `private`: nobody may watch. `watching`: that client only watches the table, as `kingamon watching
    3f9a` says. `after`: what the table is called whose game this one follows, as in `kingamon 1/2 3f9a`. `match`: to
    how many points the match is of which this is the first game, or one that goes on, as in `kingamon 1/2 m5`, else 0.
    `origin`: what the table is called that this one goes on from, as in `kingamon 1/2 o3f9a m5`.
    """

    game: str
    seats: str = ""
    short_id: str = ""
    locked: bool = False
    private: bool = False
    watching: bool = False
    after: str = ""
    match: int = 0
    origin: str = ""

    @property
    def text(self) -> str:
        """Return the announcement, small letters and digits. Where there is no room for both, it names no match."""
        how = _WATCHING if self.watching else _PLAYING
        of_match, origin = self.after or f"m{self.match}" * bool(self.match), f"o{self.origin}" * bool(self.origin)
        seats = [" ".join(filter(None, (self.seats, *more))) for more in ((origin, of_match), (origin,), (of_match,))]
        marks = f"{f' {_LOCKED}' * self.locked}{f' {_PRIVATE}' * self.private}"
        texts = [f"{self.game} {what}{marks}" for what in ([f"{how} {self.short_id}"] if self.short_id else seats)]
        return next((text for text in texts if len(text) <= MOST), texts[-1])

    @property
    def told(self) -> str:
        """Return the table in words: `Byzantine Kingamon, 1 of 2 seats`."""
        known = all_games().get(self.game)
        taken, slash, seats = self.seats.partition("/")
        how = (_WATCHING if self.watching else _PLAYING) if self.short_id else f"{taken} of {seats} seats" * bool(slash)
        return ", ".join(part for part in (known.title if known else self.game, how, self.marks) if part)

    @property
    def marks(self) -> str:
        """Return in words what is special about the table: `passphrase, match to 5`."""
        of_match = "next game" if self.after else f"match to {self.match}" * bool(self.match)
        return ", ".join(part for part in (_LOCKED * self.locked, "goes on" * bool(self.origin), of_match) if part)

    @property
    def full(self) -> bool:
        """Return whether no seat is left."""
        taken, slash, seats = self.seats.partition("/")
        return bool(slash) and taken == seats


def read_announced(text: str) -> Announced | None:
    """Return what an announcement says, None for that of a client without a table."""
    game, _, rest = text.partition(" ")
    words = rest.split()
    locked, private = _LOCKED in words, _PRIVATE in words
    words = [word for word in words if word not in (_LOCKED, _PRIVATE)]
    if not game:
        return None
    if words[:1] in ([_PLAYING], [_WATCHING]) and len(words) == 2:
        return Announced(game, short_id=words[1], locked=locked, private=private, watching=words[0] == _WATCHING)
    if not (found := _AWAITS.fullmatch(" ".join(words))):
        return Announced(game, " ".join(words), locked=locked, private=private)
    seats, origin, match, after = found.groups("")
    return Announced(game, seats, locked=locked, private=private, after=after, match=int(match or 0), origin=origin)
