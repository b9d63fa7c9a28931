"""The notation of Fidchess: moves `A2-A3`, `A2+B2`, `C2xC7`, `A7xA8=D`, divided stacks `B1>1@B2`."""

import re
from typing import NamedTuple

from engine.games.fidchess.board import INDEX, RIGANT


class LeavingPart(NamedTuple):
    """A part that leaves a stack: what it holds (a stack without a seat) and the space it goes to."""

    space: int
    content: int
    promotes: int


class ReadAction(NamedTuple):
    """A canonical action, read: a move of a whole stack to `target`, or `parts` that leave it (`target` is -1)."""

    origin: int
    target: int
    promotes: int
    parts: tuple[LeavingPart, ...]
    mark: str


_SPACE = "([a-d][1-8])"
_MOVE = re.compile(rf"{_SPACE}\s*+(?:[-+x*]|to)?\s*+{_SPACE}\s*+(=?\s*+d(?:uo)?)?")
_PART = rf"(?:(r)\s*+([1-5]?)|([1-5]))\s*+@?\s*+{_SPACE}\s*+(=?\s*+d(?:uo)?)?"
_EACH_PART = re.compile(_PART)
_DIVISION = re.compile(rf"{_SPACE}\s*+>?\s*+({_PART}(?:[\s,;]*+{_PART}){{0,7}})")


def read(text: str, marks: tuple[str, ...]) -> str | None:
    """Return the canonical action that lower-case text names, or None; `marks` by target space are `-`, `+` or `x`."""
    if move := _MOVE.fullmatch(text):
        origin, target = move[1].upper(), move[2].upper()
        return f"{origin}{marks[INDEX[target]]}{target}{'=D' if move[3] else ''}"
    if division := _DIVISION.fullmatch(text):
        parts = [
            (part[4].upper(), f"{'R' if part[1] else ''}{part[2] or part[3] or ''}", "=D" if part[5] else "")
            for part in _EACH_PART.finditer(division[2])
        ]
        written = ",".join(f"{content}@{space}{promotes}" for space, content, promotes in sorted(parts))
        return f"{division[1].upper()}>{written}"
    return None


def act(action: str) -> ReadAction:
    """Return what a canonical action says."""
    promotes = int(action.endswith("=D"))
    origin = INDEX[action[:2]]
    if action[2] != ">":
        return ReadAction(origin, INDEX[action[3:5]], promotes, (), action[2])
    return ReadAction(origin, -1, int("=D" in action), tuple(map(_part, action[3:].split(","))), ">")


class _Lawful(dict[str, tuple[int, int, int, tuple[tuple[int, int, int], ...]]]):
    def __missing__(self, action: str) -> tuple[int, int, int, tuple[tuple[int, int, int], ...]]:
        origin, target, promotes, parts, _ = act(action)
        found = self[action] = origin, target, promotes, tuple((*part,) for part in parts)
        return found


LAWFUL = _Lawful()
"""`LAWFUL[action]` is `act(action)` without its mark, remembered in plain tuples, which are unpacked twice as fast.

Only for lawful actions, of which there are not so many.
"""


def _part(text: str) -> LeavingPart:
    content, place = text.split("@")
    rigant = RIGANT if content.startswith("R") else 0
    return LeavingPart(INDEX[place[:2]], rigant | int(content.removeprefix("R") or 0), int(place.endswith("=D")))
