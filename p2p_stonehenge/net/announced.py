"""What a client announces to the network of its table: a hint for those who look for one, never a proof."""

import re
from typing import NamedTuple

from engine import all_games

_PLAYING, _WATCHING, _LOCKED, _PRIVATE = "playing", "watching", "passphrase", "private"


class Announced(NamedTuple):
    """A table as it is announced: `kingamon 1/2` while players are awaited, `kingamon playing 3f9a` afterwards.

    `seats` is `1/2`, or empty once the game has begun; `short_id` is that of the table then. `locked`: a passphrase
    is asked for. `private`: nobody may watch. `watching`: that client only watches the table, as `kingamon watching
    3f9a` says. `after`: what the table is called whose game this one follows, as in `kingamon 1/2 3f9a`. `match`: to
    how many points the match is of which this is the first game, as in `kingamon 1/2 m5`, else 0.
    """

    game: str
    seats: str = ""
    short_id: str = ""
    locked: bool = False
    private: bool = False
    watching: bool = False
    after: str = ""
    match: int = 0

    @property
    def text(self) -> str:
        """Return the announcement, small letters and digits."""
        how = _WATCHING if self.watching else _PLAYING
        of_match = self.after or f"m{self.match}" * bool(self.match)
        what = f"{how} {self.short_id}" if self.short_id else f"{self.seats} {of_match}".rstrip()
        return f"{self.game} {what}{f' {_LOCKED}' * self.locked}{f' {_PRIVATE}' * self.private}"

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
        return ", ".join(part for part in (_LOCKED * self.locked, of_match) if part)

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
        return Announced(game, "", words[1], locked, private, words[0] == _WATCHING)
    seats, after = words if len(words) == 2 else (" ".join(words), "")
    if first := re.fullmatch(r"m(\d{1,3})", after):
        return Announced(game, seats, "", locked, private, match=int(first[1]))
    return Announced(game, seats, "", locked, private, after=after)
