"""What bots tell people: the best moves and why, and what is wrong with another one."""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine import Game, Turn
from p2p_stonehenge.bots.reasons import LOST_AT_ONCE
from p2p_stonehenge.bots.search import SURE, UNSEEN
from p2p_stonehenge.bots.thinking import alike, estimate, explain, same, think, told_outcome, told_standing, unit, weigh
from p2p_stonehenge.bots.thought import Running, Thought, Weighed
from p2p_stonehenge.table.losing import winning_reply

LEVEL = 4
"""The level at which bots give advice."""
AGAIN = 3
"""How many of the best moves are looked at again, with as many nodes for each of them as for all moves before."""
SHOWN = 3
"""Moves that a hint names at most."""
CLOSE = 0.2
"""The part of `alike` within which a move is called as good where the worth has no unit that people count in."""
LIKE = 0.15
"""In the game's unit: less than this is not worth telling."""


def hint(game: Game[Any], view: Any, seat: int, running: Running) -> list[str]:
    """Return the best move of `seat`, which is to act, and those as good, a line each with reason and worth."""
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    best = thoughts[0]
    if len(thoughts) == 1:
        return [f"Hint: {best.action} is the only move."]
    if UNSEEN < thoughts[-1].worth <= best.worth <= LOST_AT_ONCE:
        return [f"Hint: every move {best.reason}. {_told(game, view, seat, best._replace(reason=''))}"]
    best, *others = _weighed(game, view, seat, thoughts, running).thoughts
    worth = estimate(game, view, seat, best)
    least, told = worth - alike(game), [best]
    lines = [f"Hint: {_judged(game, view, seat, best)}"]
    for thought in others:
        near = least <= thought.worth and estimate(game, view, seat, thought) <= worth
        if abs(best.worth) >= SURE:
            near = thought.worth == best.worth  # to lose a turn earlier, or to win a turn later, is not as good
        if near and len(told) < SHOWN and not any(same(game, view, one, thought) for one in told):
            told.append(thought)
            beside = _beside(game, view, seat, best, thought)
            known = beside == "As good" and unit(game)[1]  # its standing is that of the best move, which has been told
            lines.append(f"{beside}: {(_told if known else _judged)(game, view, seat, thought)}")
    return lines


def _weighed(game: Game[Any], view: Any, seat: int, thoughts: Sequence[Thought], running: Running) -> Weighed:
    """Return the best of some candidates, weighed anew against each other, with what is said of them.

    A search of all moves knows of most only that they are worse, and may have looked at some farther than at others.
    """
    best, *others = thoughts
    if not others or best.worth >= SURE:  # a win is proven
        return Weighed(tuple(thoughts), 0)
    saves = UNSEEN < others[0].worth <= -SURE < best.worth
    first = thoughts[: 1 if saves else AGAIN]
    reasons = {thought.action: thought for thought in first}
    found = weigh(game, view, seat, [*reasons], LEVEL, running)
    if not found.depth:  # its bot searches nothing, or had no time
        return Weighed(tuple(thoughts), 0)
    return found._replace(
        thoughts=tuple(_explained(game, view, seat, thought, reasons[thought.action]) for thought in found.thoughts)
    )


def _explained(game: Game[Any], view: Any, seat: int, thought: Thought, before: Thought) -> Thought:
    """Return a candidate with what is said of it: as `before`, unless it turned out to win or lose."""
    same = before.reason and (abs(thought.worth) < SURE or thought.worth == before.worth)
    return thought._replace(reason=before.reason if same else explain(game, view, seat, thought))


def _beside(game: Game[Any], view: Any, seat: int, best: Thought, near: Thought) -> str:
    """Return what a move is beside the best one; where chance decides much, `alike` is wide."""
    if unit(game)[1]:  # a player reads both, and may compare
        standings = {_standing(game, view, estimate(game, view, seat, one)) for one in (best, near)}
        return "As good" if len(standings) == 1 else "Nearly as good"
    return "As good" if best.worth - near.worth <= CLOSE * alike(game) else "Nearly as good"


def why(game: Game[Any], view: Any, seat: int, actions: Sequence[str], running: Running) -> list[str]:
    """Return what `actions` of one turn of `seat` do, what follows, and how much worse they are than the best ones.

    Without `actions` it is the best move that is told of.
    """
    thoughts = think(game, view, seat, LEVEL, Random(0), running)
    weighed = _weighed(game, view, seat, thoughts, running)
    best, depth = weighed.thoughts[0], weighed.depth
    *first, last = actions or (best.action,)
    lines, now = [], view
    for action in first:
        lines.append(_told(game, now, seat, Thought(action, 0.0)))
        now = game.apply(now, seat, action)
    if first:
        thoughts = think(game, now, seat, LEVEL, Random(0), running)
        weighed = Weighed((), 0)
    asked = _found(last, weighed.thoughts)
    if not asked and depth:
        asked = _found(last, weigh(game, now, seat, [last], LEVEL + 1, running, max(depth - len(first), 1)).thoughts)
    asked = asked or _found(last, thoughts) or Thought(last, 0.0)
    if not asked.reason:
        asked = asked._replace(reason=explain(game, now, seat, asked))
    only, same = len(thoughts) == 1 and not first, {*first, last, asked.then, ""} == {best.action, best.then, ""}
    told = [_told(game, now, seat, asked)]
    if not unit(game)[1] or (same and not only):  # else a search knows only that it is worse, not by how much
        told.append(_standing(game, now, estimate(game, now, seat, asked)))
    told.append(told_outcome(game, now, seat, asked))
    told.append("It is the only move." if only else "A bot would play it too." if same and actions else "")
    lines.append(_sentences(told))
    after = game.apply(now, seat, last)
    due = game.pending(after)
    if running() and isinstance(due, Turn) and due.seat != seat and game.complete(view, Random(0)) == view:
        answer = think(game, after, due.seat, LEVEL, Random(0), running)[0]
        wins = winning_reply(game, after, seat)
        if wins and wins.rival != due.seat:
            lines.append(f"{game.colours[wins.rival - 1]} {wins.told()}.")
        else:
            lines.append(f"The answer may be {_told(game, after, due.seat, answer)}")
        if not same and len(game.live(view)) == 2 and (worse := _worse(game, best, asked, answer)):
            lines.append(worse)
    if not same:
        told = [_judged(game, view, seat, best), told_outcome(game, view, seat, best)]
        lines.append(f"A bot would play {_sentences(told)}")
    return lines


def _judged(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return a move, what it does, why, and what it is worth, which must be known exactly, as sentences."""
    return _sentences([_told(game, view, seat, thought), _standing(game, view, estimate(game, view, seat, thought))])


def _told(game: Game[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return a move, what it does, and why, as sentences."""
    does = " ".join(event.text for event in game.story(view, seat, thought.action)[:1]).rstrip(".")
    if does == f"{game.colours[seat - 1]} plays {thought.action}":
        does = ""  # no more than the action itself says
    because = f" It {thought.because}." if thought.because else ""
    return f"{thought.action}: {does}.{because}" if does else f"{thought.action}.{because}"


def _sentences(told: Sequence[str]) -> str:
    return " ".join(filter(None, told))


def _standing(game: Game[Any], view: Any, worth: float) -> str:
    """Return in a sentence how the seat to act stands after a candidate of that worth; "" where there is no measure."""
    name, size = unit(game)
    if not size or abs(worth) >= SURE:
        return told_standing(game, view, worth)
    lead = round(worth / size, 1)
    if abs(lead) < 2 * LIKE:
        return "The game is level then."
    many = name if abs(lead) == 1 else f"{name}s"
    return f"The bot reckons you about {abs(lead):g} {many} {'ahead' if lead > 0 else 'behind'} then."


def _found(action: str, thoughts: Sequence[Thought]) -> Thought | None:
    return next((thought for thought in thoughts if thought.action == action), None)


def _worse(game: Game[Any], best: Thought, asked: Thought, answer: Thought) -> str:
    """Return how much worse than the best move of one side is another, to which the other side's `answer` is best."""
    name, size = unit(game)
    loss = best.worth - asked.worth
    if not size or loss <= 0:
        return ""
    if max(answer.worth, -asked.worth) >= SURE:
        return f"That loses by force; {best.action} {'does not' if best.worth > -SURE else 'loses later'}."
    if best.worth >= SURE:
        return f"That gives a win away: {best.action} wins by force."
    if loss / size < LIKE:
        return ""
    much = round(loss / size, 1)
    return f"The bot reckons that about {much:g} {name if much == 1 else f'{name}s'} worse than {best.action}."
