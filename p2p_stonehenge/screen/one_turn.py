"""Several actions of one turn on one line, as `4/9 9/12` or `b2-c3, c3-d4`."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from engine import CHANCE, Game, NotationError, Over, Turn
from p2p_stonehenge.screen.moves import Choice, continuations
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.sentences import sentence

MOST_AT_ONCE = 8
"""Actions of one turn that may stand on a line: more than any turn has."""
ALONE = ("resign", "draw")
"""Actions that are no part of a turn."""
_GOES_ON = re.compile(r"(k?)(\w+\*?)((?:/\w+\*?){2,})", re.IGNORECASE)
"""A piece of Kingamon that goes on with its next die: `K6/8/10`."""


def further(game: Game[Any], state: Any, seat: int, text: str, in_names: Callable[[str], str]) -> list[Choice]:
    """Return the ways to go on with a line that begins with whole actions of one turn of `seat`.

    `in_names` puts names of players for the colours of seats, see `Session.in_names`.
    """
    parts = re.findall(r"[^\s,]+[\s,]+", text)
    if not 0 < len(parts) < MOST_AT_ONCE:
        return []
    for part in parts:
        try:
            action = game.parse(state, part.strip(" ,"))
        except NotationError:
            return []
        if game.refuse(state, seat, action) or action == "resign":
            return []
        state = game.apply(state, seat, action)
        if not _goes_on(game, state, seat):
            return []
    begun = "".join(parts)
    ways = continuations(game, state, seat, text.removeprefix(begun), in_names)
    return [one._replace(text=begun + one.text) for one in ways]


def actions(game: Game[Any], state: Any, seat: int, text: str, in_names: Callable[[str], str]) -> tuple[str, ...]:
    """Return the actions of a line that has several of one turn of `seat`; none if it does not begin so.

    Raises RefusedError if one of them is not lawful: then none of them is played. `in_names` as for `further`.
    """
    written = [part.strip() for part in text.split(",")] if "," in text else text.split()
    parts = [part for one in written for part in _each_die(one)]
    if not 1 < len(parts) <= MOST_AT_ONCE:
        return ()
    found: list[str] = []
    before = now = state
    for part in parts:
        try:
            action = game.parse(now, part)
        except NotationError as error:
            action, why = "", sentence(str(error))
        else:
            why = in_names(_why_not(game, before, now, seat, found, action))
        if why and not found and not _all_written(game, state, parts):
            return ()
        if why:
            raise RefusedError(f"{safe(part)[:20]}: {why} Nothing was played.")
        found.append(action)
        before, now = now, game.apply(now, seat, action)
    return tuple(found)


def _each_die(part: str) -> list[str]:
    """Return the plays of one piece that are written as one, each by itself; else the part as it is.

    >>> _each_die("K6/8*/10"), _each_die("6/8")
    (['K6/8*', 'K8*/10'], ['6/8'])
    """
    joined = _GOES_ON.fullmatch(part)
    if not joined:
        return [part]
    spaces = f"{joined[2]}{joined[3]}".split("/")
    return [f"{joined[1]}{origin}/{target}" for origin, target in pairwise(spaces)]


def _why_not(game: Game[Any], before: Any, now: Any, seat: int, found: Sequence[str], action: str) -> str:
    """Return why `action` cannot be played in `now`, to which the last one of `found` led from `before`; or nothing."""
    if action in ALONE:
        return f"`{action}` stands alone."
    if not _goes_on(game, now, seat):
        return _comes_after(game, before, now, seat, found[-1])
    refusal = game.refuse(now, seat, action)
    return refusal.text if refusal else ""


def _comes_after(game: Game[Any], before: Any, now: Any, seat: int, last: str) -> str:
    """Return why no action of this turn can follow `last`, which led from `before` to `now`."""
    lapsed = next((event.text for event in game.story(before, seat, last) if event.lapses), "")
    if lapsed:
        return f"After {last}: {lapsed}"
    if any(_goes_on(game, game.apply(now, CHANCE, roll), seat) for roll in game.legal(now, CHANCE)):
        return f"After {last} you roll again: first see the new dice."
    return f"The {'game' if isinstance(game.pending(now), Over) else 'turn'} ends with {last}."


def _goes_on(game: Game[Any], state: Any, seat: int) -> bool:
    """Return whether `seat` is to act."""
    due = game.pending(state)
    return isinstance(due, Turn) and due.seat == seat


def _all_written(game: Game[Any], state: Any, parts: list[str]) -> bool:
    """Return whether each part of a line is written as an action of this game, lawful or not."""
    with suppress(NotationError):
        return all(game.parse(state, part) for part in parts)
    return False
