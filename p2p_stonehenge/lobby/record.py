"""The personal record: games, results and opponents, counted from the saved games."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import counted
from p2p_stonehenge.lobby.shelf import Saved
from p2p_stonehenge.text.names import distinct

ENDS = ("won", "lost", "drawn")
"""How a game ends for a player."""


BOTS = "bots"
"""What all bots are called, as one opponent."""


class Tally(NamedTuple):
    """Games that are over: how many were played, won, lost and drawn."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0

    def add(self, score: str) -> "Tally":
        """Return the tally with one more game that ended so."""
        won, lost, drawn = (score == way for way in ENDS)
        return Tally(self.played + 1, self.won + won, self.lost + lost, self.drawn + drawn)

    def told(self) -> str:
        """Return the tally in words: `3 games: 2 won, 1 lost`."""
        drawn = f", {self.drawn} drawn" * bool(self.drawn)
        return f"{counted(self.played, 'game')}: {self.won} won, {self.lost} lost{drawn}"


def record(games: Iterable[Saved]) -> tuple[dict[str, Tally], dict[str, dict[str, Tally]]]:
    """Return the tally of each game, and of each opponent the tally of each game, most played first.

    A game counts if one person of this computer played it, and it is over, or that person is out. Opponents
    are told apart by their keys, and each is shown under the last name. All bots are one opponent.
    """
    by_game: dict[str, Tally] = {}
    by_opponent: dict[str, dict[str, Tally]] = {}
    names, since = {BOTS: BOTS}, {BOTS: "0"}  # older than any time: that word stands for bots alone
    for one in sorted(games, key=lambda one: one.played):
        score = one.score()
        if len(one.people) != 1 or score not in ENDS:
            continue
        by_game[one.title] = by_game.get(one.title, Tally()).add(score)
        people = one.opponents_by_id
        names |= people
        for id in people or (BOTS,) * (len(one.names) > 1):
            since.setdefault(id, f"{one.played:020.3f}")
            tallies = by_opponent.setdefault(id, {})
            tallies[one.title] = tallies.get(one.title, Tally()).add(score)

    def ordered(tallies: dict[str, Tally]) -> dict[str, Tally]:
        return dict(sorted(tallies.items(), key=lambda entry: (-entry[1].played, entry[0])))

    def played(entry: tuple[str, dict[str, Tally]]) -> tuple[int, str]:
        return -sum(tally.played for tally in entry[1].values()), entry[0]

    shown = dict(zip(names, distinct([*names.values()], [*names], [since[id] for id in names]), strict=True))
    named: dict[str, dict[str, Tally]] = {}
    for id, tallies in by_opponent.items():
        name = shown[id] if shown[id] not in named else f"{shown[id]} ({id})"  # also two keys can begin alike
        named[name] = ordered(tallies)
    return ordered(by_game), dict(sorted(named.items(), key=played))
