"""Points, matches and scores in words."""

from collections.abc import Sequence
from typing import Any

from engine import Game, Result, counted, listed
from protocol import Series, score_after, winners_of_match


def points_told(names: Sequence[str], points: Sequence[int]) -> str:
    """Return the points of all players in words, best first: `anna 3, ben 1`."""
    order = sorted(range(len(names)), key=lambda place: -points[place])
    return ", ".join(f"{names[place]} {points[place]}" for place in order)


def series_told(series: Series, names: Sequence[str]) -> str:
    """Return the match and the score before a game in words: `match to 5, anna 3, ben 1 after 4 games`."""
    score = f"{points_told(names, series.points)} after {counted(series.games, 'game')}" if series.games else "no game"
    return f"match to {series.match}, {score}" if series.match else score


def game_told(series: Series, names: Sequence[str]) -> str:
    """Return which game of a match this is, or of an evening, and the score before it; nothing of a first game."""
    if not (series.match or series.games):
        return ""
    of = f" of a match to {series.match}" if series.match else ""
    before = f": {points_told(names, series.points)} before it" if series.games else ""
    return f"Game {series.games + 1}{of}{before}."


def score_told(series: Series, game: Game[Any], result: Result, names: Sequence[str]) -> str:
    """Return the score after a game that ended so, and who won a match; nothing where no other game came before."""
    if not (series.games or series.match):
        return ""
    points = score_after(series, game, result)
    told, games = points_told(names, points), counted(series.games + 1, "game")
    if not series.match:
        return f"Score after {games}: {told}."
    if winners := winners_of_match(series.match, points):
        return f"{listed([names[seat - 1] for seat in winners])} won the match to {series.match} in {games}: {told}."
    return f"Match to {series.match}, after {games}: {told}."


def match_goes_on(series: Series, game: Game[Any], result: Result) -> bool:
    """Return whether another game of a match follows one that ended so; also False where there is no match."""
    return bool(series.match) and not winners_of_match(series.match, score_after(series, game, result))
