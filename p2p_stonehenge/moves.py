"""The lawful moves as somebody at a prompt may want them: those that continue what is typed, and lists of them."""

import re
import textwrap
from typing import Any, NamedTuple

from engine import Game
from p2p_stonehenge.views import Line, row

FEW = 12
"""As many moves are offered whole; more are offered place by place."""
_PLACE = re.compile(r"[0-9A-Za-z']+")


class Choice(NamedTuple):
    """A way to go on with what is typed, and what it means."""

    text: str
    meaning: str


def continuations(game: Game[Any], state: Any, seat: int, text: str) -> list[Choice]:
    """Return the ways in which `seat` may go on after `text`: places, where there are many moves, else moves."""
    legal = game.legal(state, seat)
    fits = [action for action in legal if action.lower().startswith(text.lower())]
    reach = len(text)
    if not fits:
        wanted = _squash(text)
        fits = [action for action in legal if _squash(action).startswith(wanted)] if wanted else []
        reach = min((_reach(action, len(wanted)) for action in fits), default=0)
    groups: dict[str, list[str]] = {action: [action] for action in fits}
    if len(fits) > FEW:
        groups = {}
        for action in fits:
            end = next((place.end() for place in _PLACE.finditer(action) if place.end() > reach), len(action))
            groups.setdefault(action[:end], []).append(action)
    return [
        Choice(found[0], _meaning(game, state, seat, found[0]))
        if len(found) == 1
        else Choice(start, f"{len(found)} moves")
        for start, found in groups.items()
    ]


def listed(game: Game[Any], state: Any, seat: int, origin: str, width: int) -> list[Line]:
    """Return the lawful moves that begin with `origin` as lines; where they are few, with what each would do."""
    legal = game.legal(state, seat)
    start = _squash(origin)
    # `b1` means the place B1 where a piece can move from it, and otherwise whatever begins so.
    fits = [action for action in legal if (place := _PLACE.match(action)) and _squash(place[0]) == start]
    fits = fits or [action for action in legal if _squash(action).startswith(start)]
    if len(fits) <= FEW:
        return [row(("class:action", f"  {action:<14} "), _meaning(game, state, seat, action)) for action in fits]
    groups: dict[str, list[str]] = {}
    for action in fits:
        place = _PLACE.match(action)
        groups.setdefault(place[0] if place else action, []).append(action)
    if len(groups) == len(fits):  # nothing that they share, as in a hand of cards
        groups = {"": fits}
    lines = []
    for start, found in groups.items():
        wrapped = textwrap.wrap("  ".join(found), max(width - 10, 20), break_on_hyphens=False)
        lines.append(row(("class:action", f"  {start:<6}"), wrapped[0]))
        lines += [row(" " * 8 + more) for more in wrapped[1:]]
    return lines


def _meaning(game: Game[Any], state: Any, seat: int, action: str) -> str:
    """Return what an action would do, without saying who does it."""
    told = " ".join(event.text for event in game.story(state, seat, action))
    return told.removeprefix(game.colours[seat - 1]).strip().rstrip(".")


def _squash(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _reach(action: str, count: int) -> int:
    """Return where `action` goes on after its first `count` letters and digits."""
    for at, letter in enumerate(action):
        if count == 0:
            return at
        count -= letter.isalnum()
    return len(action)
