"""How each game looks: one module a game, found by the game's key. Pure text, whatever shows it.

Places are named as the game names them; styles are classes that `p2p_stonehenge.text.palettes` gives colours to.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from p2p_stonehenge.text.widths import cells, cut, lines_of

if TYPE_CHECKING:
    from p2p_stonehenge.table.session import Ply

__all__ = [
    "COVERED",
    "Fragment",
    "Line",
    "Look",
    "Places",
    "View",
    "beside",
    "flow",
    "row",
    "text_of",
    "view_of",
    "who_moves",
    "wrap",
]

Fragment: TypeAlias = tuple[str, str]
"""A style and the text that has it."""
Line: TypeAlias = list[Fragment]


COVERED = "The hands are covered."


class Look(NamedTuple):
    """How a position is to be shown. No line of it is wider than `width`."""

    width: int = 80
    height: int = 21
    window: int = 0
    """The height where nothing is told beside the board, if that is more: a form chosen by it stays the same."""
    charset: str = "unicode"
    last: tuple[str, ...] = ()
    """The places that the last turn touched."""
    viewer: int = 0
    """The seat at the bottom of the board; 0 for a spectator."""
    names: tuple[str, ...] = ()
    flip: bool = False
    layout: str = ""
    """One of the view's layouts, or empty for the largest that fits."""
    short_id: str = ""
    """That of the table."""
    recent: tuple[tuple[int, str], ...] = ()
    """The latest actions, the last one last, each with its actor."""
    origin: str = ""
    """The place of the piece that is taken up, or on which one is placed, if there is such a place."""
    targets: tuple[str, ...] = ()
    """The places to which it can go."""
    takes: tuple[str, ...] = ()
    """Those of them where it captures."""
    chain: tuple[str, ...] = ()
    """The places of what has won the game."""
    covered: str = COVERED
    """What is said in the place of a hand of cards that is not shown."""
    opens: bool = False
    """Whether every hand that the state knows is shown, not only the viewer's."""

    def sign(self, place: str, *, held: bool = True) -> tuple[str, str, str] | None:
        """Return the style and the two brackets of a place, or None; `held`: something stands there."""
        if place == self.origin:
            return "class:mark-target", "(", ")"
        if place in self.takes:
            return "class:mark-target", "<", ">"
        if place in self.targets and held:
            return "class:mark-target", "+", "+"
        if place in self.chain:
            return "class:mark-target", "{", "}"
        if place in self.last and place not in self.targets:
            return "class:mark-last", "[", "]"
        return None

    def empty(self, place: str, usual: str) -> str:
        """Return what stands for an empty place: the usual sign, or that the piece taken up can go there."""
        return {"unicode": "•", "ascii": "o"}[self.charset] if place in self.targets else usual


class Places:
    """How a game writes places: where its actions begin, and where a player may stop while typing one.

    `pattern` matches one place; the groups of it, if any, are its coordinates. `marks` are letters between places that
    need not be typed, as the `x` of a capture. An action without a place, such as `bid 3`, is taken word by word.
    """

    def __init__(self, pattern: str = "(?!)", marks: str = "") -> None:
        self._place = re.compile(pattern)
        self._marks = marks

    def origin(self, action: str) -> str:
        """Return the place, or the word, at which an action begins: 4 of `K4/9`, A2 of `A2xB4`, `bid` of `bid 3`."""
        return self._found(action)[0][0]

    def named(self, action: str) -> list[str]:
        """Return the places that an action names, in order."""
        return [match[0] for match in self._place.finditer(action)]

    def stops(self, action: str) -> tuple[int, ...]:
        """Return behind which letters a place, or a word, of an action ends."""
        return tuple(match.end() for match in self._found(action))

    def steps(self, action: str) -> tuple[int, ...]:
        """Return behind which letters a coordinate of a place, or a word, of an action ends."""
        groups = ((match, group) for match in self._found(action) for group in range(match.re.groups + 1))
        return tuple(sorted({match.end(group) for match, group in groups if match.end(group) > 0}))

    def begins(self, action: str) -> set[str]:
        """Return the bare forms of an action's origin, and of the action up to each of its places."""
        return {self.bare(self.origin(action)), *(self.bare(action[:stop]) for stop in self.stops(action))}

    def bare(self, text: str) -> str:
        """Return a text without what need not be typed: capitals, blanks and signs, and marks."""
        return "".join(letter for letter in text.lower() if letter.isalnum() and letter not in self._marks)

    def reach(self, action: str, text: str) -> int:
        """Return how many letters of an action a text that begins it stands for."""
        if action.lower().startswith(text.strip().lower()):
            return len(text.strip())
        typed = self.bare(text)
        return next((end for end in range(len(action)) if self.bare(action[:end]) == typed), 0)

    def _found(self, action: str) -> list[re.Match[str]]:
        return list(self._place.finditer(action)) or list(re.finditer(r"\S+", action))


def _no_cards(_state: Any, _viewer: int) -> list[Line]:
    return []


def _no_note(_state: Any, _actions: Sequence[str]) -> str:
    return ""


def _no_turn(_plies: "Sequence[Ply]") -> int:
    return 0


class View(NamedTuple):
    """How one game looks: pure functions, of which each module of this package makes its `VIEW`.

    The fields with a default are for games that need them.
    """

    layouts: tuple[str, ...]
    """The names of the forms of the board, the one for large windows first."""
    places: Places
    render: Callable[[Any, Look], list[Line]]
    """`render(state, look)` returns the board, line by line."""
    describe: Callable[[Any], list[str]]
    """`describe(state)` returns the whole position in plain sentences, for those who listen to it."""
    look_at: Callable[[Any, str, int], str]
    """`look_at(state, place, viewer)` returns a sentence about what stands on a place, or that there is no such place.

    `viewer` is the seat of the one player who asks, 0 where others read it too.
    """
    ask: Callable[[Any], str]
    """`ask(state)` returns the word that asks for the action due: `move`, `roll`."""
    keeps_form: bool = False
    """Whether the form of the board goes by the window alone, whatever is told beside the board."""
    played: Callable[[Any, int], list[Line]] = _no_cards
    """`played(state, viewer)` returns which cards of the round are played and which the viewer has not seen.

    For a `viewer` of 0 it tells what anybody may know; where no cards are played, nothing.
    """
    note: Callable[[Any, Sequence[str]], str] = _no_note
    """`note(state, actions)` returns a sentence about lawful actions that a list of them does not explain, or ""."""
    last_turn: "Callable[[Sequence[Ply]], int]" = _no_turn
    """`last_turn(plies)` returns how many of the latest actions are the last turn, where several seats play in one.

    0 where a turn is what one seat does.
    """
    lasts: Mapping[int, int] = MappingProxyType({})
    """How many actions a game takes for each number of players, as casual bots play it: measured in `docs/bots.md`."""


def view_of(key: str) -> View:
    """Return the view of a game."""
    view: View = import_module(f"p2p_stonehenge.screen.views.{key.replace('-', '_')}").VIEW
    return view


def who_moves(colours: Sequence[str], to_move: int, what: str = "move") -> str:
    """Return the sentence about the seat that is to move or to do `what`; 0 if it is not drawn yet who begins."""
    return f"{colours[to_move - 1]} is to {what}." if to_move else "It is not yet drawn who begins."


def text_of(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(text for _, text in line)


def row(*fragments: Fragment | str) -> Line:
    """Return a line of fragments; a bare text has no style."""
    return [("", part) if isinstance(part, str) else part for part in fragments]


def beside(board: Sequence[Line], panel: Sequence[Line], width: int) -> list[Line]:
    """Return two columns side by side, the panel cut to what `width` leaves."""
    at = max(cells(text_of(line)) for line in board) + 3
    lines = []
    for number in range(max(len(board), len(panel))):
        left = board[number] if number < len(board) else []
        right = panel[number] if number < len(panel) else []
        gap = [("", " " * (at - cells(text_of(left))))] if right else []
        lines.append([*left, *gap, *_cut(right, width - at)])
    return lines


def _cut(line: Line, width: int) -> Line:
    kept: Line = []
    for style, text in line:
        if cells(text) > width:
            kept.append((style, cut(text, width)))
            break
        kept.append((style, text))
        width -= cells(text)
    return kept


def flow(label: str, items: Sequence[Line], width: int, gap: int = 2) -> list[Line]:
    """Return items behind a label, on as many lines as they need; only an item that is wider than a line is cut."""
    lines, used = [row(("class:dim", label))], cells(label)
    for item in items:
        needed = cells(text_of(item))
        between = " " * (gap if len(lines[-1]) > 1 else label.endswith(":"))
        if used + len(between) + needed > width and len(lines[-1]) > 1:
            lines.append(row("  "))
            between, used = "", 2
        lines[-1] += [("", between), *_cut(item, width - used - len(between))]
        used += len(between) + needed
    return lines


def wrap(line: Line, width: int) -> list[Line]:
    """Return a line as several, none wider than `width`: its last fragment is broken between words and hangs."""
    if cells(text_of(line)) <= width or not line:
        return [line]
    *head, (style, tail) = line
    hang = cells(text_of(head)) + len(tail) - len(tail.lstrip())
    hang = hang if hang <= width // 2 else 2
    first, *more = lines_of(tail.strip(), max(width - hang, 8), breaks=True) or [""]
    indent = " " * (len(tail) - len(tail.lstrip()))
    return [[*head, (style, indent + first)], *([("", " " * hang), (style, text)] for text in more)]
