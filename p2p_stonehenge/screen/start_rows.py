"""What the start page has rows of: games to go on with, tables to sit down at, and what can be begun."""

from collections.abc import Hashable
from typing import NamedTuple

from p2p_stonehenge.text.widths import cells, cut


class Entry(NamedTuple):
    """A game to go on with or a table to sit down at: what it is, with whom, when, how it stands, the command."""

    key: Hashable
    what: str
    who: str
    when: str
    state: str
    words: tuple[str, ...]
    likely: bool = False
    """Whether Enter should take it: a game at which friends wait, or who are all free, one alone where the player is
    to move, or a friend's table."""
    awaited: bool = False
    """Whether friends sit at this game to go on with and wait, or have opened the table of its next one, as which a
    table is one too."""
    score: str = ""
    """The score of the match, which may be all by which two rows differ."""
    briefly: str = ""
    """Who plays without what can be left out where there is no room: the bots."""

    def told(self) -> str:
        """Return the entry as a sentence."""
        return ", ".join(part for part in (f"{self.what} with {self.who}", self.score, self.when, self.state) if part)

    def people(self, width: int) -> str:
        """Return who plays and the score, cut to the width: bots are left out first, then a long name is cut."""
        who = self.briefly or self.who
        bare = self._behind.replace("match: ", "")
        for text in (self.who + self._behind, who + self._behind, who + bare):
            if cells(text) <= width:
                return text
        return cut(cut(who, max(width - cells(bare), 1)) + bare, width)

    @property
    def people_cells(self) -> int:
        """Return how many columns that takes uncut."""
        return cells(self.who + self._behind)

    @property
    def _behind(self) -> str:
        return f", {self.score}" if self.score else ""


class Begin(NamedTuple):
    """What can be begun: the letter, the words that mean it, what the page says of it."""

    letter: str
    names: tuple[str, ...]
    text: str


BEGIN = (
    Begin("h", ("host",), "host a table"),
    Begin("a", ("alone", "solo"), "alone, or two at this keyboard"),
    Begin("j", ("join",), "join a table"),
    Begin("b", ("back", "saved", "look"), "look back at a saved game"),
    Begin("r", ("rules",), "rules of a game"),
    Begin("l", ("learn",), "learn a game, step by step"),
    Begin("o", ("options", "config", "settings"), "settings: name, colours, bell"),
    Begin("d", ("doctor",), "doctor: nobody here?"),
    Begin("q", ("quit", "exit", "leave"), "leave"),
)


def begun_by(line: str) -> Begin | None:
    """Return what a letter, a word or the beginning of one means, if it means one thing."""
    word = line.strip().lower()
    exact = [begin for begin in BEGIN if word == begin.letter or word in begin.names]
    begun = [begin for begin in BEGIN if begin.names[0].startswith(word)]
    found = exact or begun or [begin for begin in BEGIN if any(name.startswith(word) for name in begin.names)]
    return found[0] if len(found) == 1 else None
