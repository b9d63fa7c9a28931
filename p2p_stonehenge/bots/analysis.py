"""What a bot makes of a game that is over: the moves it would have played, where the game turned, and luck."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from engine import CHANCE, Game, Turn
from p2p_stonehenge.bots.thinking import remembering, think, unit, weigh
from p2p_stonehenge.bots.thought import always

LEVEL = 4
"""The level at which a game is looked through, where no other is wanted."""
MOST = 10.0
"""In the game's unit: the most that one move can lose, or one roll bring. A lost game is worth no more."""
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
    luck: float
    """In the game's unit: how much better the seat stood after the roll before this action than before it."""


class Entry(NamedTuple):
    """An action of a game, and the state before it as the seat that acted saw it. `number` is as `replay` counts."""

    number: int
    actor: int
    action: str
    before: Any


def judged(game: Game[Any], entries: Sequence[Entry], level: int = LEVEL) -> Iterator[Played]:
    """Yield each action that a seat chose, with what a bot of this level would have played instead."""
    expected: dict[int, float] = {}
    rolled = False
    for at, (number, actor, action, before) in enumerate(entries):
        if actor == CHANCE:
            rolled = True
            continue
        due = game.pending(before)
        if not isinstance(due, Turn) or due.seat != actor or action in ("resign", "draw"):
            continue
        if len(game.legal(before, actor)) < 2:
            continue
        past = [entry.before for entry in entries[max(at - LOOKS_BACK, 0) : at]]
        view = remembering(game, before, past)
        best = think(game, view, actor, level, Random(number), always)[0]
        lost = 0.0
        if best.action != action:
            lost = max(_bounded(game, best.worth) - _bounded(game, weigh(game, view, actor, action, level)), 0.0)
        outlook = _bounded(game, best.worth)
        luck = outlook - expected[actor] if rolled and actor in expected else 0.0
        if len(game.live(before)) == 2:
            now = outlook - lost
            expected = {actor: now} | {other: -now for other in game.live(before) if other != actor}
        rolled = False
        yield Played(number, actor, action, best.action, best.because, lost, luck)


def told(game: Game[Any], names: Sequence[str], found: Sequence[Played], turning: int = 5) -> list[str]:
    """Return what was found, as lines for the players: their choices, luck, and the moves that cost most."""
    name, _ = unit(game)
    lines = []
    chance = any(played.luck for played in found)
    for seat, player in enumerate(names, 1):
        own = [played for played in found if played.seat == seat]
        if not own:
            continue
        alike = sum(played.action == played.best or played.loss == 0 for played in own)
        line = f"{player}: {len(own)} choices, {alike} as good as the bot's"
        if name:
            line += f"; the others cost {sum(played.loss for played in own):.1f} {name}s"
        if name and chance:
            line += f"; luck of the dice {sum(played.luck for played in own):+.1f}"
        lines.append(f"{line}.")
    worst = sorted((played for played in found if played.loss > 0), key=lambda played: -played.loss)[:turning]
    if worst:
        lines.append("Where the game turned:")
    for played in sorted(worst):
        reason = f" ({played.reason})" if played.reason else ""
        cost = (
            "better"
            if not name
            else "that decided the game"
            if played.loss >= MOST
            else f"{played.loss:.1f} {name}s better"
        )
        lines.append(
            f"{played.number:4}. {names[played.seat - 1]} played {played.action};"
            f" the bot would play {played.best}{reason}: {cost}."
        )
    return lines


def _bounded(game: Game[Any], worth: float) -> float:
    """Return a worth in the game's unit, a won or lost game no further off than `MOST` from an even one."""
    _, size = unit(game)
    return max(min(worth / (size or 1.0), MOST), -MOST) if size else worth
