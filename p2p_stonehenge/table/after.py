"""What there is to say once a game is over: who won, by how much, how all stand, how long it was."""

from engine import CHANCE, Ends, Result, counted
from p2p_stonehenge.table.exits import told as told_exit
from p2p_stonehenge.table.scores import game_told, match_goes_on, score_told
from p2p_stonehenge.table.session import Session
from p2p_stonehenge.table.takebacks import moves_taken_back
from protocol import in_effect, is_deal


def report(session: Session, *, whole: bool = True) -> list[str]:
    """Return the end of a game in sentences, or nothing while it goes on; unless `whole` without what was checked.

    That somebody broke the rules is told all the same.
    """
    result = session.result
    if result is None:
        return []
    told = [session.outcome, *_standing(session, result), _length(session)]
    told += session.checked() if whole else session.breaches()
    follows = session.after()
    told += filter(None, (follows.way_back, follows.next_bots))
    return [*told, *score(session)]  # last, next to the offer of another game


def _standing(session: Session, result: Result) -> list[str]:
    """Return how all stand, best first, where there is more to say than who won."""
    seats = range(1, len(session.names) + 1)
    points = dict(zip(seats, result.points, strict=True))
    if len(seats) < 2 or (len(seats) == 2 and max(points.values(), default=0) < 2):
        return []
    live = session.game.live(session.state)
    drew = "drew" if not result.winners and session.game.draws and not session.team else ""
    order = sorted(seats, key=lambda seat: (seat not in result.winners, -points[seat], session.exit(seat) is not None))
    parts = []
    for seat in order:
        exit = session.exit(seat)
        out = "" if seat in live else told_exit(exit).done if exit else "out" if live else ""
        won = "won" if seat in result.winners else out
        count = counted(points[seat], "point") if any(points.values()) else ""
        about = ", ".join(part for part in (won or drew, count) if part)
        parts.append(f"{session.speaker(seat)} ({about})" if about else session.speaker(seat))
    return [f"Final standing: {', '.join(parts)}."]


def score(session: Session) -> list[str]:
    """Return the score of this game, which is over, and those before it, where there were any or a match is played."""
    if session.result is None or session.team:
        return []
    told = score_told(session.series, session.game, session.result, session.speakers)
    return [told] if told else []


def which_game(session: Session) -> str:
    """Return which game of a match this is, or of an evening, and the score before it; nothing of a first game."""
    return "" if session.team else game_told(session.series, session.speakers)


def next_game(session: Session) -> str:
    """Return what follows the game that is over: another game, the next one of the match, or another match.

    It says whether the sides are changed then.
    """
    result, series, follows = session.result, session.series, "another game"
    if result is not None and series.match:
        follows = "the next game of the match" if match_goes_on(series, session.game, result) else "another match"
    return f"{follows}, sides {'changed' if session.after().sides_change else 'as now'}"


def _length(session: Session) -> str:
    """Return how long the game was, as its rules count, and its last move.

    Where cards are dealt these are the rounds that were played to their ends, else turns. What was taken back does not
    count.
    """
    plies = [session.plies[place] for place in in_effect(session.plies)]
    moves = [ply for ply in plies if ply.actor != CHANCE and ply.action != "resign"]
    if not moves and (undone := moves_taken_back(session.plies)):
        return f"It ended before the first move; {counted(undone, 'move')} had been taken back."
    if not moves:
        return "It ended before the first move."
    rounds = sum(any(event.ends is Ends.ROUND for event in ply.story) for ply in plies)
    turns = sum(1 for number, ply in enumerate(moves) if number == 0 or moves[number - 1].actor != ply.actor)
    of = f", {counted(len(moves), 'move')} in all" if len(moves) > turns else ""
    if undone := moves_taken_back(session.plies):
        of += f"; {undone} more {'move was' if undone == 1 else 'moves were'} taken back"
    told = f"It took {counted(rounds, 'round') if rounds else counted(turns, 'turn') + of}."
    if not rounds and any(is_deal(ply.actor, ply.action) for ply in plies):
        told = "No round was played to its end."
    resigned = plies[-1].action == "resign"
    return told if resigned else f"{told} The last move: {session.speaker(moves[-1].actor)}, {moves[-1].action}."
