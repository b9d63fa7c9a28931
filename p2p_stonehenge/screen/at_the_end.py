"""What the screens tell of how a game, or a round of it, has ended, and how it goes on."""

from collections.abc import Sequence

from engine import Ends
from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.after import next_game, report, score
from p2p_stonehenge.table.session import Session
from p2p_stonehenge.text.safe import safe


def is_over(session: Session) -> bool:
    """Return whether the game has ended and the table is still open."""
    return session.result is not None and session.stays


def enter_plays_again(session: Session) -> bool:
    """Return whether another game can be had by Enter."""
    return is_over(session) and session.after().may_again


def over_told(session: Session) -> str:
    """Return that the game is over and, against bots, how the last move is looked at or made otherwise."""
    follows = session.after()
    ways = (follows.another_try, follows.way_back) if session.advises else ()
    return " ".join(filter(None, ("The game is over.", *ways)))


def result_told(session: Session) -> list[Line]:
    """Return how the game ended, or that it is not over."""
    return _lines(report(session) or ["The game is not over yet: `position` tells how it stands."])


def _lines(told: Sequence[str]) -> list[Line]:
    first, *more = told
    return [row(("class:title", safe(first))), *(row(safe(text)) for text in more)]


def after(session: Session, *, redraws: bool) -> list[Line]:
    """Return what is told when the game ends at a table that stays open; `redraws` as in `Console`.

    First what all wait for: what was checked of the game `result` tells.
    """
    # Where a text covers the board Enter shows the board: the line at the bottom says when it plays again.
    again, enter = enter_plays_again(session), "" if redraws else "Enter or "
    ways = f"{enter}`again`: {next_game(session)}. " if again else ""
    if session.watches:
        ways = "`again` follows the players into another game. "
    talk = "" if again or not session.can("say") else "You may go on talking. "
    outside = " A game outside of the match is begun on the start page." if session.after().way_on else ""
    leaves = f"`result` tells more, `quit` leaves the table.{outside}"
    return [*_lines(report(session, whole=False)), row(("class:dim", f"{ways}{talk}{leaves}"))]


def farewell(session: Session, saved: str) -> list[Line]:
    """Return how the game ended, or that it has not, where it is `saved`, and how its match goes on."""
    told = session.outcome
    lines = [row(("class:title", safe(told)) if told else "You have left the table.")]
    if saved:  # the path is copied: alone on a line, and not its last part, it is never broken
        lines += [row(("class:dim", "The table is saved in")), row(("class:dim", saved), "")]
    if (way_on := session.after().way_on) and not session.wants_again:
        lines.append(row(("class:dim", way_on)))
    return lines


def in_sight(session: Session) -> list[str]:
    """Return what has to stay in sight: how the last round came out; at the end result, score and the next bots."""
    if not is_over(session):
        return round_before(session)
    return [session.outcome, *score(session), *filter(None, (session.after().next_bots,))]


def round_before(session: Session) -> list[str]:
    """Return how the round came out that has ended since a player here acted last, in one text; else nothing.

    Where nobody here plays, or no longer, it goes with the next action of anybody.
    """
    playing = session.still_playing
    for ply in session.latest() if session.result is None else ():
        if any(event.ends is Ends.ABANDONED for event in ply.story):
            return ["The last round is abandoned and does not count."]
        if told := " ".join(event.text for event in ply.story if event.ends is Ends.ROUND):
            return [f"Last round: {told}"]
        if ply.actor in playing or (ply.actor and not playing):
            break
    return []
