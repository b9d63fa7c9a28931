"""The personal record: games, results and opponents, counted from the saved games."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine import all_games, counted
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.text.names import distinct
from protocol import score_after, winners_of_match

ENDS = ("won", "lost", "drawn")
"""How a game ends for a player."""


BOTS = "bots"
"""What all bots are called, as one opponent."""


class Tally(NamedTuple):
    """Games that are over: how many were played, won, lost and drawn; and how many matches were won and lost."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    matches_won: int = 0
    matches_lost: int = 0

    def add(self, score: str) -> "Tally":
        """Return the tally with one more game that ended so."""
        won, lost, drawn = (score == way for way in ENDS)
        more = {"played": self.played + 1, "won": self.won + won, "lost": self.lost + lost, "drawn": self.drawn + drawn}
        return self._replace(**more)

    def add_match(self, *, won: bool) -> "Tally":
        """Return the tally with one more match."""
        return self._replace(matches_won=self.matches_won + won, matches_lost=self.matches_lost + (not won))

    def told(self) -> str:
        """Return the tally in words: `3 games: 2 won, 1 lost`."""
        drawn = f", {self.drawn} drawn" * bool(self.drawn)
        games = f"{counted(self.played, 'game')}: {self.won} won, {self.lost} lost{drawn}"
        matches = self.matches_won + self.matches_lost
        of_matches = f"; {matches} match{'es' * (matches != 1)}: {self.matches_won} won, {self.matches_lost} lost"
        return games + of_matches * bool(matches)


def _counts(one: Saved) -> bool:
    """Return whether a game counts, as far as it is known by itself."""
    return len(one.people) == 1 and one.score() in ENDS


def _replaced(games: Sequence[Saved]) -> tuple[set[bytes], set[bytes]]:
    """Return the tables of which the game was decided at a table that went on from there; and those with what follows.

    Games of a match that followed a game which was decided anew count for that match no more.
    """
    origins = {one.table: one.facts.origin for one in games if one.own and one.facts.origin}
    replaced: set[bytes] = set()
    for one in games:
        before = origins.get(one.table, b"") if _counts(one) else b""
        while before and before not in replaced:
            replaced.add(before)
            before = origins.get(before, b"")
    undone = {*replaced}
    for one in sorted(games, key=lambda one: one.facts.series.games):
        series = one.facts.series
        if series.match and series.games and series.table in undone:
            undone.add(one.table)
    return replaced, undone


def _match_won(one: Saved) -> bool | None:
    """Return whether this player has won the match of which this was the last game; None where it was not."""
    series, result = one.facts.series, one.facts.result
    if not series.match or result is None or one.facts.leads_on:
        return None
    return one.people[0] in winners_of_match(series.match, score_after(series, all_games()[one.facts.game], result))


def record(games: Iterable[Saved]) -> tuple[dict[str, Tally], dict[str, dict[str, Tally]]]:
    """Return the tally of each game, and of each opponent the tally of each game, most played first.

    A game counts if one person of this computer played it, and it is over, or that person is out. Opponents
    are told apart by their keys, and each is shown under the last name. All bots are one opponent. Of a game that went
    on at another table, and was decided there, that table alone counts; of a match it counts who won it.
    """
    games = list(games)
    replaced, undone = _replaced(games)
    by_game: dict[str, Tally] = {}
    by_opponent: dict[str, dict[str, Tally]] = {}
    names, since = {BOTS: BOTS}, {BOTS: "0"}  # older than any time: that word stands for bots alone
    for one in sorted(games, key=lambda one: one.played):
        if not _counts(one) or one.table in replaced:
            continue
        match = None if one.table in undone else _match_won(one)

        def counted_in(tallies: dict[str, Tally], one: Saved = one, match: bool | None = match) -> None:
            tally = tallies.get(one.title, Tally()).add(one.score())
            tallies[one.title] = tally if match is None else tally.add_match(won=match)

        counted_in(by_game)
        people = one.opponents_by_id
        names |= people
        for id in people or (BOTS,) * (len(one.names) > 1):
            since.setdefault(id, f"{one.played:020.3f}")
            counted_in(by_opponent.setdefault(id, {}))

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
