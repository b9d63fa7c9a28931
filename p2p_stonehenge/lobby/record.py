"""The personal record: games, results and opponents, counted from the saved games."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import counted
from p2p_stonehenge.lobby.shelf import Saved

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

    A game counts if one person of this computer played it, and it is over, or that person is out; all bots count as one
    opponent.
    """
    by_game: dict[str, Tally] = {}
    by_opponent: dict[str, dict[str, Tally]] = {}
    for one in games:
        score = one.score()
        if len(one.people) != 1 or score not in ENDS:
            continue
        by_game[one.title] = by_game.get(one.title, Tally()).add(score)
        for name in one.opponents() or (BOTS,) * (len(one.names) > 1):
            tallies = by_opponent.setdefault(name, {})
            tallies[one.title] = tallies.get(one.title, Tally()).add(score)

    def ordered(tallies: dict[str, Tally]) -> dict[str, Tally]:
        return dict(sorted(tallies.items(), key=lambda entry: (-entry[1].played, entry[0])))

    def played(entry: tuple[str, dict[str, Tally]]) -> tuple[int, str]:
        return -sum(tally.played for tally in entry[1].values()), entry[0]

    of_each = {name: ordered(tallies) for name, tallies in sorted(by_opponent.items(), key=played)}
    return ordered(by_game), of_each
