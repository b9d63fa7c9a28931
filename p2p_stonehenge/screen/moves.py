"""The lawful moves as somebody at a prompt may want them: those that continue what is typed, and lists of them.

What a place is each game says for itself, as `Places` of its view. `moves FROM`, Tab and what Tab offers next go by it
alone, so that all three agree.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine import Game, counted
from p2p_stonehenge.screen.views import Line, Places, row, view_of

FEW = 12
"""As many moves are offered whole; more are offered place by place."""
MANY = 24
"""As many places are offered whole, which a window can show; more are offered by their first coordinate."""

_APART = re.compile(r"[0-9][^0-9A-Za-z]+[0-9]")
"""Two numbers that something stands between: `2/5` and `2 5` are no place 25."""


class Choice(NamedTuple):
    """A way to go on with what is typed, and what it means."""

    text: str
    meaning: str


def continuations(
    game: Game[Any], state: Any, seat: int, text: str, in_names: Callable[[str], str] = str
) -> list[Choice]:
    """Return the ways in which `seat` may go on after `text`: places, where there are many moves, else moves.

    `in_names` puts names of players for the colours of seats, see `Session.in_names`.
    """
    places = view_of(game.key).places
    fits = fitting(places, game.legal(state, seat), text)
    groups: dict[str, list[str]] = {action: [action] for action in fits}
    if len(fits) > FEW:
        groups = _grouped(fits, lambda action: _begun(action, places.stops(action), places.reach(action, text)))
        if len(groups) > MANY:
            groups = _grouped(fits, lambda action: _begun(action, places.steps(action), places.reach(action, text)))
    return [
        Choice(found[0], in_names(_meaning(game, state, seat, found[0])))
        if len(found) == 1
        else Choice(start, counted(len(found), "move"))
        for start, found in groups.items()
    ]


def listed(
    game: Game[Any],
    state: Any,
    seat: int,
    origin: str,
    width: int,
    in_names: Callable[[str], str] = str,
    *,
    heard: bool = False,
) -> list[Line]:
    """Return the lawful moves that begin with `origin` as lines: few with what each would do, of many which capture.

    How to ask for few of many stands last, or first where lines are `heard`. `in_names` puts names of players for the
    colours of seats, see `Session.in_names`.
    """
    view = view_of(game.key)
    fits = fitting(view.places, game.legal(state, seat), origin)
    told = view.note(state, fits)
    lines, hint = _lines_of(game, state, seat, fits, width, in_names)
    ordered = [*hint, *lines] if heard else [*lines, *hint]
    return ordered + ([row(f"  {told}")] if told else [])


def _lines_of(
    game: Game[Any], state: Any, seat: int, fits: Sequence[str], width: int, in_names: Callable[[str], str]
) -> tuple[list[Line], list[Line]]:
    """Return the moves as lines, and how to ask for few of them where they are many."""
    places = view_of(game.key).places
    if len(fits) <= FEW:
        meanings = (in_names(_meaning(game, state, seat, action)) for action in fits)
        return [
            row(("class:action", f"  {action:<14} "), meaning) for action, meaning in zip(fits, meanings, strict=True)
        ], []
    groups = _grouped(fits, places.origin)
    if len(groups) == len(fits):
        groups = _grouped(fits, lambda action: action[: places.steps(action)[0]])
    lines = []
    head = max(map(len, groups))
    for start, found in groups.items():
        first, *more = _wrapped(found, width - head - 5)
        lines.append(row(("class:action", f"  {start:<{head}}  "), first))
        lines += [row(" " * (head + 4) + part) for part in more]
    if taking := [action for action in fits if _captures(game, state, seat, action)]:
        lines += [row(("class:action", "  captures:"))]
        lines += [row(" " * (head + 4) + part) for part in _wrapped(taking, width - head - 5)]
    few = next((start for start, found in groups.items() if len(found) <= FEW), "")
    hint = [row(("class:dim", f"  `moves {few}` lists those of {few}, with what each does."))] if few else []
    return lines, hint


def fitting(places: Places, actions: Sequence[str], text: str) -> list[str]:
    """Return the actions that `text` begins: `b1` means the place B1 where an action has it, else B10 as well."""
    typed, literal = places.bare(text), _joined(text)
    if not literal:
        return list(actions)
    if _APART.search(text):
        return [action for action in actions if _goes_on(action, text)]
    ways: list[Callable[[str], bool]] = [
        lambda action: _joined(action).startswith(literal),
        lambda action: typed != "" and places.bare(action).startswith(typed),
    ]
    if literal.endswith(typed[-1:] or "?"):  # no sign or mark is behind the place
        ways.insert(0, lambda action: typed in places.begins(action))
    found = ([action for action in actions if way(action)] for way in ways)
    return next((fits for fits in found if fits), [])


class MovesFrom(NamedTuple):
    """Where the piece of one place can go: `takes` are the targets where it captures."""

    origin: str
    targets: tuple[str, ...]
    takes: tuple[str, ...]
    example: str
    """One of its actions."""


def reach(game: Game[Any], state: Any, seat: int, text: str) -> MovesFrom | None:
    """Return where the piece of the place that `text` names can go, or None if `text` is no such place alone."""
    places = view_of(game.key).places
    if not places.bare(text) or _APART.search(text):
        return None
    fits = [
        action
        for action in fitting(places, game.legal(state, seat), text)
        if places.bare(places.origin(action)) == places.bare(text)
    ]
    targets: dict[str, None] = {}
    takes: dict[str, None] = {}
    for action in fits:
        for target in places.named(action)[1:2]:
            targets[target] = None
            if _captures(game, state, seat, action):
                takes[target] = None
    return MovesFrom(places.origin(fits[0]), tuple(targets), tuple(takes), fits[0]) if targets else None


def placed(game: Game[Any], state: Any, seat: int, text: str) -> str:
    """Return the place that `text` names, if to name it alone is an action: a piece comes there from the hand."""
    places = view_of(game.key).places
    alone = (action for action in game.legal(state, seat) if places.bare(action) == places.bare(text))
    return next((action for action in alone if places.named(action) == [action]), "")


def _captures(game: Game[Any], state: Any, seat: int, action: str) -> bool:
    return any(event.takes for event in game.story(state, seat, action))


def _goes_on(action: str, text: str) -> bool:
    """Return whether `text` begins an action by whole numbers and words but for its last one; a king's K may lack."""
    *whole, last = _words(text)
    begun = len(whole)
    return any(
        words[:begun] == whole and len(words) > begun and words[begun].startswith(last)
        for words in (_words(action), _words(action.removeprefix("K")))
    )


def _words(text: str) -> list[str]:
    return re.findall("[0-9]+|[a-z]+", text.lower())


def _joined(text: str) -> str:
    return "".join(text.lower().split())


def _wrapped(actions: Sequence[str], width: int) -> list[str]:
    """Return actions two blanks apart, on as many lines as they need; none is broken."""
    lines = [actions[0]]
    for action in actions[1:]:
        if len(lines[-1]) + 2 + len(action) <= width:
            lines[-1] += f"  {action}"
        else:
            lines.append(action)
    return lines


def _grouped(actions: Sequence[str], start: Callable[[str], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for action in actions:
        groups.setdefault(start(action), []).append(action)
    return groups


def _begun(action: str, stops: Sequence[int], begun: int) -> str:
    """Return an action up to the first stop behind `begun`."""
    return action[: next((stop for stop in stops if stop > begun), len(action))]


def _meaning(game: Game[Any], state: Any, seat: int, action: str) -> str:
    """Return what an action would do, without saying who does it, and no more of it than the action itself says."""
    told = " ".join(event.text for event in game.story(state, seat, action))
    return told.removeprefix(game.colours[seat - 1]).strip().removeprefix(f"plays {action}.").strip().rstrip(".")
