"""What a client announces to the network of its table: a hint for those who look for one, never a proof."""

from typing import NamedTuple

_PLAYING, _LOCKED, _PRIVATE = "playing", "passphrase", "private"


class Announced(NamedTuple):
    """A table as it is announced: `kingamon 1/2` while players are awaited, `kingamon playing 3f9a` afterwards.

    `seats` is `1/2`, or empty once the game has begun; `title` is what the table is called then. `locked`: a passphrase
    is asked for. `private`: nobody may watch.
    """

    game: str
    seats: str = ""
    title: str = ""
    locked: bool = False
    private: bool = False

    @property
    def text(self) -> str:
        """Return the announcement, small letters and digits."""
        what = f"{_PLAYING} {self.title}" if self.title else self.seats
        return f"{self.game} {what}{f' {_LOCKED}' * self.locked}{f' {_PRIVATE}' * self.private}"

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
    if words[:1] == [_PLAYING] and len(words) == 2:
        return Announced(game, "", words[1], locked, private)
    return Announced(game, " ".join(words), "", locked, private)
