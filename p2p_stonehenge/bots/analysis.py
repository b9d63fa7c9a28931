"""What a bot makes of a game that is over: the moves it would have played, where the game turned, and luck."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from random import Random
from typing import Any, NamedTuple

from engine import CHANCE, Game, Turn, counted
from p2p_stonehenge.bots.advice import weighed
from p2p_stonehenge.bots.game_bot import ADVISER, GameBot
from p2p_stonehenge.bots.reasons import LOST_AT_ONCE
from p2p_stonehenge.bots.search import SURE
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import HARMFUL, Kind, Running, Thought, always, further, together
from p2p_stonehenge.text.seats import in_names

HIGHEST = 5
"""The level at which a move is looked at again whose answer the bot had not expected."""
MOST = 10.0
"""In the game's unit: the most that one move can lose, or one roll bring. A lost game is worth no more."""
TURNED = 1.0
"""In the game's unit: a move that costs less turned nothing, unless it lost the game or gave a won one away."""
TURNED_OF_CHANCE = 2.0
"""The same where the worth has no unit that people count in, in how much good moves may differ (`alike`)."""
TOLD = 5
"""So many moves at which the game turned are told, at most."""
LOOKS_BACK = 60
"""Positions before a move that the bot knows to have been."""


class Played(NamedTuple):
    """One lawful action that a seat chose where it had a choice."""

    number: int
    """Of the action in the game, as `replay` counts."""
    seat: int
    action: str
    best: str
    """What the bot would have played."""
    reason: str
    """Why, in words; empty if there is nothing to say."""
    loss: float
    """In the game's unit: how much worse the action was than the best one."""
    lost: str = ""
    """How the action loses, in words that go on from "it", where the best one does not; else empty."""
    outlook: float = 0.0
    """In the game's unit: how the seat stands after the action."""
    tells: frozenset[Kind] = frozenset()
    """What kinds of things the reason tells."""
    harm: str = ""
    """What the action does to others, in words that go on from "it", where the bot would have played another."""
    answer: Thought | None = None
    """An answer that wins by force, where one is known."""


class PlyBefore(NamedTuple):
    """An action of a game, and the state before it as the seat that acted saw it. `number` is as `replay` counts."""

    number: int
    actor: int
    action: str
    before: Any


def judged(
    game: Game[Any], entries: Sequence[PlyBefore], level: int = ADVISER, running: Running = always
) -> Iterator[Played]:
    """Yield each action that a seat chose, with what a bot of this level would have played instead.

    Where two play without dice the worth of a position tells what the action before it was worth: if that is much less
    than the bot had thought, the bot looks at that action once more as one of the highest level. An answer that wins by
    force, once found behind an action, is known when that is answered. What comes after `running` has said no is good
    for nothing: the bot had no time for it.
    """
    bot = bot_of(game)
    last: tuple[PlyBefore, Any, Played] | None = None
    corrected = False
    expected: dict[int, float] = {}
    for at, entry in enumerate(entries):
        due = game.pending(entry.before)
        if not isinstance(due, Turn) or due.seat != entry.actor or entry.action == "draw":
            continue
        if entry.action == "resign" and bot.given_up(entry.before) is None:  # what that costs is not known
            continue
        legal = game.legal(entry.before, entry.actor)
        if not bot.knows_hand(entry.before, entry.actor) or len(legal) < 2:
            continue
        if entry.action not in legal and entry.action != "resign":  # a revoke, which only the open hands show
            continue
        past = [one.before for one in entries[max(at - LOOKS_BACK, 0) : at]]
        view = bot.remembering(entry.before, past)
        played = _judge(bot, entry, view, level, running)
        stood = played.outlook + played.loss
        if last:
            before, seen, was = last
            answers = entry.actor != was.seat and before.number + 1 == entry.number and entry.actor in expected
            if corrected and stood <= -MOST:  # it won as well
                was = was._replace(loss=0.0)
            elif bot.unit.size and answers and was.outlook + stood >= TURNED and level < HIGHEST and not corrected:
                was = _judge(bot, before, seen, HIGHEST, running)
            yield was
            corrected = False
            if answers and was.answer and stood < MOST:
                corrected, played = True, _corrected(bot, view, played, was.answer)
        expected = {}
        if len(game.live(entry.before)) == 2:
            expected = dict.fromkeys(game.live(entry.before), -played.outlook) | {entry.actor: played.outlook}
        last = entry, view, played
    if last:
        yield last[2]


def _corrected(bot: GameBot[Any], view: Any, played: Played, winning: Thought) -> Played:
    """Return what an action is worth beside one that wins by force, which the bot had not found."""
    reason = bot.explain(view, played.seat, winning)
    worth = MOST if played.action == winning.action else played.outlook
    return played._replace(
        best=winning.action,
        reason=together(reason),
        loss=MOST - worth,
        outlook=worth,
        tells=frozenset(part.kind for part in reason),
    )


def _judge(bot: GameBot[Any], entry: PlyBefore, view: Any, level: int, running: Running) -> Played:
    """Return what a bot of this level makes of an action."""
    number, seat, action, _ = entry
    thoughts = bot.think(view, seat, level, Random(number), running)
    best, worth, lost, harm, answer = thoughts[0], thoughts[0].worth, "", "", ""
    if action == "resign" and (then := bot.given_up(view)) is not None:
        worth = min(then, worth)
    elif action != best.action:
        # Two alone are looked at farther than among all.
        found = {one.action: one for one in bot.weigh(view, seat, (best.action, action), level, running).thoughts}
        worth, answer = (found[action].worth, found[action].answer) if action in found else (-math.inf, "")
        if best.worth < SURE:  # else a win was proven that a search may not see
            best = best._replace(worth=found[best.action].worth)
        if action in found:
            # What was weighed may have been looked at more closely than what a lower level thought of.
            best = best._replace(parts=further(found[best.action].parts or best.parts, found[action].parts))
        if best.worth <= -SURE:  # another one may not lose
            best = weighed(bot, view, seat, thoughts, level, running).thoughts[0]
        why = bot.explain(view, seat, Thought(action, worth))
        # What is no proof, as another rival may answer, leaves much to do: to let one win at once is another mistake.
        unproven = worth <= LOST_AT_ONCE < best.worth and not any(part.kind is Kind.LOSS for part in why)
        if worth <= -SURE < best.worth or unproven:
            lost = together(why)
        parts = bot.explain(view, seat, Thought(action, worth), praised=False)
        harm = together(parts) if any(part.kind in HARMFUL for part in parts) else ""
    return Played(
        number,
        seat,
        action,
        best.action,
        best.because,
        MOST if lost and best.worth <= -SURE else max(_costs(bot, best.worth, worth), 0.0),
        lost=lost,
        outlook=min(_bounded(bot, best.worth), _bounded(bot, worth)),
        tells=frozenset(part.kind for part in best.parts),
        harm=harm,
        answer=Thought(answer, 1 - worth) if answer else None,  # a ply nearer
    )


def luck_of(game: Game[Any], entries: Sequence[PlyBefore], running: Running = always) -> dict[int, float]:
    """Return what dice or cards brought each seat beside average ones, as a bot reckons it; none for other games.

    It is that of a part of the game once `running` says no.
    """
    bot = bot_of(game)
    found: dict[int, float] = {}
    for entry in entries:
        if not running():
            break
        if entry.actor == CHANCE:
            for seat, much in bot.fortune(entry.before, entry.action).items():
                found[seat] = found.get(seat, 0.0) + much
    return found


def told(
    game: Game[Any],
    names: Sequence[str],
    found: Sequence[Played],
    luck: Mapping[int, float] = {},
    state: Any = None,
) -> list[str]:
    """Return what was found, as lines for the players: their choices, luck, and the moves at which the game turned.

    `state`: any state of the game, which may tell what a worth is counted in.
    """
    bot = bot_of(game)
    lines = []
    for seat, player in enumerate(names, 1):
        if own := [played for played in found if played.seat == seat]:
            lines.append(f"{player}: {_choices(bot, state, own)}{_luck(bot, state, luck.get(seat))}.")
    return lines + _turning_points(bot, names, found, luck, state)


def _near(bot: GameBot[Any]) -> float:
    """Return, in the game's unit, in how much moves may differ that are as good as each other."""
    return bot.alike / (bot.unit.size or 1.0)


def _choices(bot: GameBot[Any], state: Any, own: Sequence[Played]) -> str:
    """Return how many choices of a player were as good as the bot's, and what the others cost."""
    worse = [played.loss for played in own if played.loss > _near(bot) and played.action != played.best]
    told = f"{counted(len(own), 'choice')}, {len(own) - len(worse)} as good as the bot's"
    if not worse:
        return told
    if len(worse) == len(own):
        costs = "it costs" if len(own) == 1 else "together they cost"
    else:
        costs = "the other one costs" if len(worse) == 1 else "the others together cost"
    return f"{told}; {costs} about {_much(bot, state, sum(worse))}"


def _luck(bot: GameBot[Any], state: Any, brought: float | None) -> str:
    """Return what dice or cards brought a player, as the rest of a sentence; nothing in games without."""
    if brought is None:
        return ""
    source, more = "cards" if bot.game.suits else "dice", "more" if brought >= 0 else "less"
    return f"; the {source} brought {_much(bot, state, abs(brought))} {more} than average ones"


def _turning_points(
    bot: GameBot[Any], names: Sequence[str], found: Sequence[Played], luck: Mapping[int, float], state: Any
) -> list[str]:
    """Return the moves at which the game turned, in their order, and the last ones of it if they won."""
    least = TURNED if bot.unit.size else TURNED_OF_CHANCE * _near(bot)
    turned = [played for played in found if played.lost or played.loss >= least]
    turned = sorted(turned, key=lambda played: (not played.lost, -played.loss))[:TOLD]
    lines = ["Where the game turned:" if turned else "No single move turned the game."]
    # One turn has numbers in a row: what a seat must do, between its choices or those of others, breaks it.
    runs = groupby(enumerate(found), key=lambda each: (each[1].seat, each[1].number - each[0]))
    turns = [[played for _, played in run] for _, run in runs]
    # What chance brings in between is no answer.
    answers = {} if luck else {one[-1].number: two for one, two in pairwise(turns) if one[-1].seat != two[0].seat}
    for played in sorted(turned):
        lines.append(f"{played.number:4}. {_turn(bot, state, played, answers.get(played.number, ()), names)}")
    if turned and Kind.WIN_NOW in turns[-1][-1].tells:
        last = turns[-1]
        lines.append(f"{last[0].number:4}. {names[last[0].seat - 1]} won with {_actions(last)}.")
    return lines


def _turn(bot: GameBot[Any], state: Any, played: Played, answer: Sequence[Played], names: Sequence[str]) -> str:
    """Return in a sentence what was wrong with an action; `answer` is the turn of the next seat."""
    reason = f" ({in_names(bot.game, names, played.reason.removeprefix('is '))})" if played.reason else ""
    told = f"{names[played.seat - 1]} {'resigned' if played.action == 'resign' else f'played {played.action}'}"
    if played.lost:
        answered = ""
        if answer and (len(names) == 2 or Kind.WIN_NOW in answer[-1].tells) and answer[0].loss < TURNED:
            answered = f"; {names[answer[0].seat - 1]} answered {_actions(answer)}"
        return f"{told}: that {played.lost}{answered}; the bot would play {played.best}{reason}."
    if answer and answer[0].harm and answer[0].loss < TURNED:
        told += f", after which {names[answer[0].seat - 1]} played {answer[0].action}: it {answer[0].harm}"
    elif answer and not answer[0].tells.isdisjoint(HARMFUL):
        plays = "played" if answer[0].action == answer[0].best else "could play"
        told += f", after which {names[answer[0].seat - 1]} {plays} {answer[0].best}: it {answer[0].reason}"
    gave_away = bot.unit.size and played.loss >= MOST and not played.tells.isdisjoint({Kind.WIN_NOW, Kind.WIN})
    cost = "that gave a win away" if gave_away else f"about {_much(bot, state, played.loss)} better"
    return f"{told}; the bot would play {played.best}{reason}: {cost}."


def _actions(turn: Sequence[Played]) -> str:
    return " ".join(played.action for played in turn)


def _much(bot: GameBot[Any], state: Any, loss: float) -> str:
    """Return how much a loss is, in what people count: disks or pieces, or points where chance decides."""
    name = bot.unit.name
    return f"{loss:.1f} {name}s" if name else bot.counted_worth(state, loss)


def _costs(bot: GameBot[Any], best: float, worth: float) -> float:
    """Return how much worse one worth is than another, in the game's unit."""
    return _bounded(bot, best) - _bounded(bot, worth)


def _bounded(bot: GameBot[Any], worth: float) -> float:
    """Return a worth in the game's unit, a won or lost game no further off than `MOST` from an even one."""
    size = bot.unit.size
    return max(min(worth / (size or 1.0), MOST), -MOST) if size else worth
