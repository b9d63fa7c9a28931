"""What bots tell people: the best moves and why, and what is wrong with another one."""

from collections.abc import Callable, Sequence
from random import Random
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from engine import Game, Turn
from p2p_stonehenge.bots.game_bot import GameBot
from p2p_stonehenge.bots.reasons import LOST_AT_ONCE
from p2p_stonehenge.bots.search import SURE, UNSEEN
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Kind, Reason, Running, Thought, Weighed, further, together
from p2p_stonehenge.table.losing import winning_reply

AGAIN = 3
"""How many of the best moves are looked at again, with as many nodes for each of them as for all moves before."""
SHOWN = 3
"""Moves that a hint names at most."""
BATCHES = 5
"""How often so many moves are looked at, at most, where all turn out to lose."""
CLOSE = 0.2
"""The part of `alike` within which a move is called as good where the worth has no unit that people count in."""
LIKE = 0.15
"""In the game's unit: less than this is not worth telling."""
COLUMNS = 80
"""In a window so wide advice takes no more rows than its bot has room for."""
MOST_CUT = 6
"""How often advice is made shorter that takes more."""


Cut: TypeAlias = Callable[[int], str]
"""What tells something when it is cut so often: 0 for all of it."""


class Answered(NamedTuple):
    """The best answer to a move."""

    answer: Cut
    verdict: str
    """How much worse than the best move that makes it; "" if that is not told."""


def hint(game: Game[Any], view: Any, seat: int, running: Running) -> list[str]:
    """Return the best move of `seat`, which is to act, and those as good, a line each with reason and worth."""
    bot = bot_of(game)
    level = bot.adviser
    thoughts = bot.think(view, seat, level, Random(0), running)
    best = thoughts[0]
    if len(thoughts) == 1:
        return [f"Hint: {best.action} is the only move."]
    if UNSEEN < thoughts[-1].worth <= best.worth <= LOST_AT_ONCE:
        lost = "the position is lost: " if best.tells(Kind.LOSS) else ""
        return [f"Hint: {lost}every move {best.reason}. {_told(bot, view, seat, best._replace(parts=()))}"]
    again, depth = weighed(bot, view, seat, thoughts, level, running)
    best, *others = again
    worth = bot.estimate(view, seat, best)
    least, told = worth - bot.alike, [best]
    lost = "The position is lost: a bot finds nothing that lasts longer." if _is_lost(thoughts, again) else ""
    advised = _advised(bot, view, seat, best)
    lines = _fitting(bot, lambda cut: [f"Hint: {_sentences([advised(cut), lost])}"])
    for thought in others:
        near = least <= thought.worth and bot.estimate(view, seat, thought) <= worth
        if abs(best.worth) >= SURE:
            near = thought.worth == best.worth  # to lose a turn earlier, or to win a turn later, is not as good
        if near and len(told) < SHOWN and not any(bot.same(view, one, thought) for one in told):
            told.append(thought)
            beside = _beside(bot, view, seat, best, thought)
            known = beside == "As good" and bot.unit.size  # its standing is that of the best move, which has been told
            if bot.room:
                line = f"{beside}: {_in_short(bot, view, seat, thought, best, standing=not known)}"
            else:
                line = f"{beside}: {_advised(bot, view, seat, thought, best.parts, standing=not known)(0)}"
            lines += [line] if _fits(bot, [*lines, line]) else []
    if depth and others and len(told) == 1 and not best.because:
        longer = [_sentences([lines[0], _next_best(bot, view, seat, best, others[0])])]
        lines = longer if _fits(bot, longer) else lines
    return lines


def weighed(
    bot: GameBot[Any], view: Any, seat: int, thoughts: Sequence[Thought], level: int, running: Running
) -> Weighed:
    """Return the best of some candidates, weighed anew against each other, with what is said of them.

    A search of all moves knows of most only that they are worse, and may have looked at some farther than at others.
    While all that are weighed so lose, so are the next ones.
    """
    best, *others = thoughts
    if not others or best.worth >= SURE or not bot.unit.size:  # a win is proven, or the game's bot searches nothing
        return Weighed(tuple(thoughts), 0)
    losing = [thought for thought in thoughts if UNSEEN < thought.worth <= -SURE]
    hopeful = [thought for thought in thoughts if thought not in losing]
    batches = [some[first : first + AGAIN] for some in (hopeful, losing) for first in range(0, len(some), AGAIN)]
    found: tuple[Thought, ...] = ()
    depth = 0
    for batch in batches[:BATCHES]:
        before = {thought.action: thought for thought in batch}
        more, reached = bot.weigh(view, seat, [*before], level, running)
        if not reached:  # there was no time
            break
        told = [_explained(bot, view, seat, thought, before[thought.action]) for thought in more]
        found, depth = tuple(sorted((*found, *told), key=lambda thought: -thought.worth)), reached
        if found[0].worth > -SURE:
            break
    return Weighed(found or tuple(thoughts), depth)


def _explained(bot: GameBot[Any], view: Any, seat: int, thought: Thought, before: Thought) -> Thought:
    """Return a candidate with what is said of it: as `before`, unless it turned out to win or lose."""
    same = before.parts and (abs(thought.worth) < SURE or thought.worth == before.worth)
    return thought._replace(parts=before.parts if same else bot.explain(view, seat, thought))


def _is_lost(thoughts: Sequence[Thought], again: Sequence[Thought]) -> bool:
    """Return whether each of the `thoughts` loses by force, as far as a bot knows; some were looked at `again`."""
    known = {thought.action: thought.worth for thought in (*thoughts, *again)}
    return again[0].tells(Kind.LOSS) and all(UNSEEN < worth <= -SURE for worth in known.values())


def _beside(bot: GameBot[Any], view: Any, seat: int, best: Thought, near: Thought) -> str:
    """Return what a move is beside the best one; where chance decides much, `alike` is wide."""
    if bot.unit.size:  # a player reads both, and may compare
        standings = {_standing(bot, view, bot.estimate(view, seat, one)) for one in (best, near)}
        return "As good" if len(standings) == 1 else "Nearly as good"
    return "As good" if best.worth - near.worth <= CLOSE * bot.alike else "Nearly as good"


def why(game: Game[Any], view: Any, seat: int, actions: Sequence[str], running: Running) -> list[str]:
    """Return what `actions` of one turn of `seat` do, what follows, and how much worse they are than the best ones.

    Without `actions` it is the best move that is told of.
    """
    bot = bot_of(game)
    thoughts = bot.think(view, seat, bot.adviser, Random(0), running)
    found = weighed(bot, view, seat, thoughts, bot.adviser, running)
    best = found.thoughts[0]
    *first, last = actions or (best.action,)
    lines, now = [], view
    for action in first:
        lines.append(_told(bot, now, seat, Thought(action, 0.0)))
        now = game.apply(now, seat, action)
    if first:
        thoughts, found = bot.think(now, seat, bot.adviser, Random(0), running), Weighed((), found.depth)
    asked, depth = _looked_at(bot, now, seat, last, found, thoughts, len(first), running)
    only, same = len(thoughts) == 1 and not first, {*first, last, asked.then, ""} == {best.action, best.then, ""}
    praised = same or best.worth - asked.worth < LIKE * bot.unit.size
    if not asked.parts or not praised:
        asked = asked._replace(parts=bot.explain(now, seat, asked, praised=praised))
    played_too = "It is the only move." if only else "A bot would play it too." if same and actions else ""
    several = depth > 0 and len(game.live(view)) > 2  # of two it is told how much worse one is
    told = _line_of(bot, now, seat, asked, follows=several, stands=several or (same and not only))
    answered = _answered(bot, view, seat, best, asked, game.apply(now, seat, last), depth, running, compared=not same)
    compared = None if same else _comparison(bot, view, seat, best, asked, answered.verdict)

    def all_told(cut: int) -> list[str]:
        answer = answered.answer(cut)
        return [*lines, _sentences([told(cut), played_too]), answer, *(compared(cut) if compared else [])]

    return _fitting(bot, all_told) if bot.unit.size else [line for line in all_told(0) if line]


def _line_of(bot: GameBot[Any], now: Any, seat: int, asked: Thought, *, follows: bool, stands: bool) -> Cut:
    """Return what tells, cut so often, what an action does and what it leads to.

    `follows`: also what may follow; `stands`: also how `seat` stands then, which is told where a unit does not tell it.
    """
    then = _then(bot, now, seat, asked) if follows else ""
    standing = _standing(bot, now, bot.estimate(now, seat, asked)) if stands or not bot.unit.size else ""
    outcome = bot.outcome(now, seat, asked)

    def told(cut: int) -> str:
        return _sentences([_told(bot, now, seat, asked, cut), then if cut < 2 else "", standing, outcome])

    return told


def _comparison(
    bot: GameBot[Any], view: Any, seat: int, best: Thought, asked: Thought, verdict: str
) -> Callable[[int], list[str]]:
    """Return what tells, cut so often, what a bot would play instead of what was `asked` about.

    Where a `verdict` has named it, a cut says only what sets it apart.
    """
    if not bot.unit.size and _beside(bot, view, seat, best, asked) == "As good":
        return lambda _: [f"{best.action}, which a bot would play, is as good."]
    apart = best._replace(parts=further(best.parts, asked.parts))
    standing = _standing(bot, view, bot.estimate(view, seat, best))
    outcome = bot.outcome(view, seat, best)

    def told(cut: int) -> list[str]:
        if cut and verdict:
            because = together(_kept(apart, cut))
            return [_sentences([verdict, f"{best.action} {because}." if because else ""])]
        if cut == MOST_CUT:
            return [f"A bot would play {best.action}."]
        does = _told(bot, view, seat, apart if cut else best, cut)
        return [verdict, f"A bot would play {_sentences([does, standing, outcome])}"]

    return told


def _looked_at(
    bot: GameBot[Any],
    view: Any,
    seat: int,
    action: str,
    found: Weighed,
    thoughts: Sequence[Thought],
    played: int,
    running: Running,
) -> tuple[Thought, int]:
    """Return what is thought of an action, and how far it and the best one were looked at; 0 if not equally far.

    `found`: the best ones, weighed; `thoughts`: of all actions now, after so many that the turn has `played` before.
    """
    asked, depth = _found(action, found.thoughts), found.depth
    if not asked and depth:
        plies = max(depth - played, 1)
        alone = bot.weigh(view, seat, [action], bot.adviser + 1, running, plies)
        asked = _found(action, alone.thoughts)
        if alone.depth < plies and asked and abs(asked.worth) < SURE:
            depth = 0  # time was up: what is not looked at as far as the best move is not compared with it
    asked = asked or _found(action, thoughts)
    if not asked and not bot.unit.size:  # of many bids a bot tries those that may be good
        asked = _found(action, bot.weigh(view, seat, [action], bot.adviser, running).thoughts)
    return asked or Thought(action, 0.0), depth


def _answered(
    bot: GameBot[Any],
    view: Any,
    seat: int,
    best: Thought,
    asked: Thought,
    after: Any,
    depth: int,
    running: Running,
    *,
    compared: bool,
) -> Answered:
    """Return the best answer to what was `asked` about, which leads to `after`; of two players how much worse it is.

    Nothing is said of what chance or hidden cards may change. `compared`: it is another move than the best one.
    """
    game, due, in_time = bot.game, bot.game.pending(after), running()
    if not isinstance(due, Turn) or due.seat == seat or game.complete(view, Random(0)) != view:
        return Answered(lambda _: "", "")
    two = len(game.live(view)) == 2
    # Where time is up this is what a search has found at once: it sees at least what is captured.
    answer = bot.think(after, due.seat, bot.adviser, Random(0), running)[0]
    if not two and answer.worth <= -SURE:
        answer = answer._replace(parts=())  # which of its rivals may win then, it does not say
    wins, rival = winning_reply(game, after, seat), due.seat
    beside = _answer_beside(bot, view, seat, asked, answer, rival)

    def told(cut: int) -> str:
        if wins and wins.rival != rival:
            return f"{game.colours[wins.rival - 1]} {wins.told()}."
        does = f"{answer.action}." if cut == MOST_CUT else _told(bot, after, rival, answer, cut and cut + 1)
        return f"{beside} {does}"

    verdict = ""
    if compared and two and (depth or in_time):
        known = asked if depth else asked._replace(worth=-answer.worth)
        verdict = _verdict(bot, best, known, answer)
    return Answered(told, verdict)


def _answer_beside(bot: GameBot[Any], view: Any, seat: int, asked: Thought, answer: Thought, rival: int) -> str:
    """Return what an answer is beside what its player threatens, which has been told where there are several rivals."""
    threat = None if len(bot.game.live(view)) == 2 else bot.threat(view, seat, asked.action)
    if threat is None or threat.rival != rival or threat.move == answer.action:
        return "The answer may be"
    return f"The bot likes another answer of {bot.game.colours[rival - 1]} better than {threat.move}:"


def _advised(
    bot: GameBot[Any], view: Any, seat: int, thought: Thought, known: Reason = (), *, standing: bool = True
) -> Cut:
    """Return what tells a move, what it does, why, what answers it, and what it is worth, which must be known.

    Where a move has no reason it is told last what chance may bring: a drawback is no reason for it. Parts of the
    reason that are `known` are left out.
    """
    left = thought._replace(parts=further(thought.parts, known))
    then = _then(bot, view, seat, thought)
    comes = "" if thought.parts else bot.outcome(view, seat, thought)
    stands = _standing(bot, view, bot.estimate(view, seat, thought)) if standing else ""
    return lambda cut: _sentences([_told(bot, view, seat, left, cut), then, stands, comes])


def _next_best(bot: GameBot[Any], view: Any, seat: int, best: Thought, other: Thought) -> str:
    """Return in a sentence what is wrong with the move that comes next, which is a reason for the best one."""
    name, size = bot.unit
    much = round((best.worth - other.worth) / size, 1)
    which = f"The next best move that the bot sees, {other.action},"
    if other.worth <= -SURE < best.worth:
        return f"{which} {other.reason}."
    if abs(best.worth) >= SURE or much < LIKE:
        return ""
    worse = f"{which} is about {much:g} {name if much == 1 else f'{name}s'} worse"
    found, known = (bot.threat(view, seat, one.action) for one in (other, best))
    if found is None or found == known:
        return f"{worse}."
    return f"{worse}: then {bot.game.colours[found.rival - 1]} {found.does.partition(': ')[0]}."


def _in_short(
    bot: GameBot[Any], view: Any, seat: int, thought: Thought, best: Thought, *, standing: bool = True
) -> str:
    """Return what is told of another turn than the best one where there is little room: no more than sets it apart.

    Both plays stand together, as they can be typed, and what a play does only where the play itself does not say it.
    """
    play, *_ = bot.game.story(view, seat, thought.action)
    reason = together(further(thought.parts, best.parts))
    comes, known = ("" if one.parts else bot.outcome(view, seat, one) for one in (thought, best))
    told = [
        play.text if play.takes else "",
        f"It {reason}." if reason else "",
        comes if comes != known else "",
        _standing(bot, view, bot.estimate(view, seat, thought)) if standing else "",
    ]
    turn, more = " ".join(filter(None, (thought.action, thought.then))), _sentences(told)
    return f"{turn}: {more}" if more else f"{turn}."


def _fitting(bot: GameBot[Any], lines: Callable[[int], list[str]]) -> list[str]:
    """Return lines, cut no more often than it takes to make them fit."""
    for cut in range(MOST_CUT + 1):
        found = [line for line in lines(cut) if line]
        if _fits(bot, found):
            break
    return found


def _fits(bot: GameBot[Any], lines: Sequence[str]) -> bool:
    """Return whether a bot has room for lines in a usual window, where they have a mark in front."""
    return not bot.room or sum(len(wrap(f"- {line}", COLUMNS - 1)) for line in lines) <= bot.room


def _kept(thought: Thought, cut: int) -> Reason:
    """Return the parts of a reason that are told when it is cut so often: from the second time on fewer and fewer."""
    return thought.parts if cut < 2 else thought.parts[: max(MOST_CUT - 1 - cut, 0)]


def _then(bot: GameBot[Any], view: Any, seat: int, thought: Thought) -> str:
    """Return what is threatened after a move that neither wins nor loses; or that nothing is, if there is no reason."""
    if not bot.unit.size or abs(thought.worth) >= SURE:
        return ""
    due = bot.game.pending(bot.game.apply(view, seat, thought.action))
    if not isinstance(due, Turn) or due.seat == seat:
        return ""
    if found := bot.threat(view, seat, thought.action):
        return f"Then {bot.game.colours[found.rival - 1]} {found.does}."
    return "" if thought.because else "Then nobody has a capture that pays."


def _told(bot: GameBot[Any], view: Any, seat: int, thought: Thought, cut: int = 0) -> str:
    """Return a move, what it does, and why, as sentences; where it is cut, not what the action itself says."""
    does = _does(bot, view, seat, thought.action, taking=cut > 0)
    if thought.action.endswith(does.split(" ", 2)[-1]):
        does = ""  # no more than the action itself says, as "Red plays R5" and "Red bids null 7"
    thought = thought._replace(parts=_kept(thought, cut))
    because = f" It {thought.because}." if thought.because else ""
    return f"{thought.action}: {does}.{because}" if does else f"{thought.action}.{because}"


def _does(bot: GameBot[Any], view: Any, seat: int, action: str, *, taking: bool = False) -> str:
    """Return what an action does, as a sentence without its full stop; where only `taking` counts, "" for all else."""
    told = (event for event in bot.game.story(view, seat, action)[:1] if event.takes or not taking)
    return " ".join(event.text for event in told).rstrip(".")


def _sentences(told: Sequence[str]) -> str:
    return " ".join(filter(None, told))


def _standing(bot: GameBot[Any], view: Any, worth: float) -> str:
    """Return in a sentence how the seat to act stands after a candidate of that worth; "" where there is no measure."""
    name, size = bot.unit
    if not size or abs(worth) >= SURE:
        return bot.worth_told(view, worth)
    lead = round(worth / size, 1)
    if abs(lead) < 2 * LIKE:
        return "The game is level then."
    many = name if abs(lead) == 1 else f"{name}s"
    return f"The bot reckons you about {abs(lead):g} {many} {'ahead' if lead > 0 else 'behind'} then."


def _found(action: str, thoughts: Sequence[Thought]) -> Thought | None:
    return next((thought for thought in thoughts if thought.action == action), None)


def _verdict(bot: GameBot[Any], best: Thought, asked: Thought, answer: Thought) -> str:
    """Return how much worse than the best move of one side is another, to which the other side's `answer` is best.

    Empty if that is not known, or both win or lose as fast.
    """
    name, size = bot.unit
    loss = best.worth - asked.worth
    if not size or (loss <= 0 and max(abs(worth) for worth in (best.worth, asked.worth, answer.worth)) >= SURE):
        return ""
    if max(answer.worth, -asked.worth) >= SURE:
        return f"That loses by force; {best.action} {'does not' if best.worth > -SURE else 'loses later'}."
    if best.worth >= SURE:
        return f"That gives a win away: {best.action} wins by force." if asked.worth < SURE else ""
    if loss / size < LIKE:
        return f"The bot reckons that as good as {best.action}."
    much = round(loss / size, 1)
    return f"The bot reckons that about {much:g} {name if much == 1 else f'{name}s'} worse than {best.action}."
