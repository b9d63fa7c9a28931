"""How a game ended, in words: from a player's own side, with why and by how much."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import AGREED, LIMIT, REPEATED, RESIGNED, Result, counted, listed, points_reached
from p2p_stonehenge.table.agreed import plays_as_team
from p2p_stonehenge.table.exits import told
from p2p_stonehenge.text.names import quoted
from protocol import Applied, Exit, Table

_BY = {
    RESIGNED: "by resignation",
    AGREED: "by agreement",
    REPEATED: "by repetition",
    LIMIT: "by the turn limit",
}
"""Reasons that read better so than after a colon."""


class End(NamedTuple):
    """How a game has ended.

    `result` is None while it goes on; `broken`: two versions of an event have ended it; `last`: the last action.
    """

    result: Result | None
    broken: bool
    last: Applied | None

    @property
    def void(self) -> bool:
        """Return whether two versions of an event ended the game, and nobody has won."""
        return self.broken and self.result is not None and not self.result.winners

    @classmethod
    def of(cls, table: Table) -> "End":
        """Return how the game of a table has ended."""
        fold = table.fold
        return cls(fold.result, fold.broken is not None, fold.log[-1] if fold.log else None)


def outcome_of(table: Table, viewers: Sequence[int] = (), labels: Sequence[str] = (), end: End | None = None) -> str:
    """Return how the game of a table ended for the seats `viewers`, or nothing while it goes on.

    The seats are called by `labels`, or else by the names of their players. `end`: as at the table now by default.
    """
    result, broken, last = end or End.of(table)
    if result is None:
        return ""
    if broken and not result.winners:
        return f"Nobody has won: {result.reason}."
    names = labels or [quoted(seat.name) for seat in table.charter.body.seats]
    if last and last.exit and not broken:
        result = result._replace(reason=_whose_exit(last, last.exit, result, viewers, names))
    game, team = table.game, plays_as_team(table.charter)
    return outcome(result, viewers, names, draws=game.draws, goal=game.goal, team=team)


def _whose_exit(last: Applied, exit: Exit, result: Result, viewers: Sequence[int], names: Sequence[str]) -> str:
    """Return by whose leaving a game ended. Of a resignation only another player who lost by it has to be told."""
    own = tuple(viewers) == (last.actor,)
    lost_too = len(viewers) == 1 and not own and viewers[0] not in result.winners
    if exit is Exit.RESIGNED and not lost_too:
        return result.reason
    return f"you {told(exit).yours}" if own else told(exit).story.did.format(names[last.actor - 1])


def outcome(
    result: Result,
    viewers: Sequence[int],
    labels: Sequence[str],
    *,
    draws: bool = True,
    goal: int = 0,
    team: bool = False,
) -> str:
    """Return a result as one sentence for the seats `viewers`: `You won: all pieces borne off, 2 points.`

    With no viewers, as in a replay, or with several, the winners are named. `labels` are the seats' names. In a game
    without `draws` all have lost if nobody has won; `goal`: so many points end the game; `team`: all seats win or lose
    together.
    """
    if goal and result.reason == points_reached(goal):
        return _first_to(goal, result, viewers, labels, team)
    return f"{_headline(result, viewers, labels, draws, team)}{_why(result, viewers, labels, team)}."


def _first_to(goal: int, result: Result, viewers: Sequence[int], labels: Sequence[str], team: bool) -> str:
    """Return how a game ended in which somebody has reached so many points, as people tell it."""
    most, *others = sorted(result.points, reverse=True)
    if team or len(labels) == 1:
        who = "The team" if team else "You" if viewers else labels[0]
        return f"{who} reached {most} points and won."
    score = f"{most} to {listed([*map(str, others)])}"
    alone = not others or others[0] < goal
    winner = listed([labels[seat - 1] for seat in result.winners])
    if len(viewers) == 1 and viewers[0] not in result.winners:
        return (
            f"You lost to {winner}, who {f'reached {goal} points first' if alone else 'had the most points'}, {score}."
        )
    who = "You" if len(viewers) == 1 else winner
    return f"{who} {f'reached {goal} points first and won' if alone else 'won with the most points'}, {score}."


def _headline(result: Result, viewers: Sequence[int], labels: Sequence[str], draws: bool, team: bool) -> str:
    winners = result.winners
    if not winners and draws:
        return "Drawn"
    if team and len(labels) > 1:
        return "The team won" if winners else "The team lost"
    named = listed([labels[seat - 1] for seat in winners])
    if len(viewers) != 1:
        return f"{named} won" if named else f"{listed(labels)} lost"
    (viewer,) = viewers
    if viewer not in winners:
        return f"You lost to {named}" if named else "You lost"
    partners = [labels[seat - 1] for seat in winners if seat != viewer]
    return f"{listed(['You', *partners])} won"


def _why(result: Result, viewers: Sequence[int], labels: Sequence[str], team: bool) -> str:
    """Return the reason, and the points where they tell more than who won."""
    reason = f" {_BY[result.reason]}" if result.reason in _BY else f": {result.reason}"
    best = max(result.points, default=0)
    only_winner = len([one for one in result.points if one]) == 1 and all(
        result.points[seat - 1] for seat in result.winners
    )
    if team or len(labels) == 1 or (best > 1 and only_winner):
        return f"{reason}, {counted(best, 'point')}"
    if best < 2:
        return reason
    most, *others = map(str, sorted(result.points, reverse=True))
    if not all(result.points[seat - 1] == best for seat in result.winners) or result.points.count(best) > len(
        result.winners
    ):  # it was not by points that these seats won
        names = ["you" if [seat] == [*viewers] else label for seat, label in enumerate(labels, 1)]
        stood = [f"{name} {points}" for name, points in zip(names, result.points, strict=True)]
        return f"{reason}; the points stood at {listed(stood)}"
    return f"{reason}, {most} points to {listed(others)}"
