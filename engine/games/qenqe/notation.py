"""The notation of Fidchess Qenqe: moves `B2-B5`, `A30+A29`, `C2xC15`, divided stacks `B1>1@B2,1@A1`."""

import re
from typing import NamedTuple

from engine.games.qenqe.board import INDEX, SPACES


class ReadAction(NamedTuple):
    """A canonical action, read: a whole stack goes to `target`, or `parts` (space, size) leave it (`target` is -1)."""

    origin: int
    target: int
    parts: tuple[tuple[int, int], ...]
    mark: str


_SPACE = "([a-d](?:30|[12][0-9]|[1-9]))"
_MOVE = re.compile(rf"{_SPACE}\s*+(?:[-+x*]|to)?\s*+{_SPACE}")
_PART = rf"([1-5])\s*+@?\s*+{_SPACE}"
_DIVISION = re.compile(rf"{_SPACE}\s*+>?\s*+({_PART}(?:[\s,;]*+{_PART}){{0,7}})")
_EACH_PART = re.compile(rf"{_PART}(?=[\s,;]*+(?:[1-5]\s*+@?\s*+[a-d]|$))")


def read(text: str) -> ReadAction | None:
    """Return what lower-case text says, the mark left open, or None if it is no move."""
    if move := _MOVE.fullmatch(text):
        return ReadAction(INDEX[move[1].upper()], INDEX[move[2].upper()], (), "")
    if division := _DIVISION.fullmatch(text):
        parts = _EACH_PART.finditer(division[2])
        return ReadAction(INDEX[division[1].upper()], -1, tuple((INDEX[p[2].upper()], int(p[1])) for p in parts), ">")
    return None


def write(said: ReadAction) -> str:
    """Return the text of an action, its parts in the order given."""
    if said.parts:
        return f"{SPACES[said.origin]}>{','.join(f'{size}@{SPACES[space]}' for space, size in said.parts)}"
    return f"{SPACES[said.origin]}{said.mark}{SPACES[said.target]}"


def act(action: str) -> ReadAction:
    """Return what a canonical action says."""
    at = 2 if action[2] in "-+x>" else 3
    origin, mark, rest = INDEX[action[:at]], action[at], action[at + 1 :]
    if mark != ">":
        return ReadAction(origin, INDEX[rest], (), mark)
    return ReadAction(origin, -1, tuple([(INDEX[part[2:]], int(part[0])) for part in rest.split(",")]), mark)


class _Lawful(dict[str, ReadAction]):
    def __missing__(self, action: str) -> ReadAction:
        found = self[action] = act(action)
        return found


LAWFUL = _Lawful()
"""`LAWFUL[action]` is `act(action)`, remembered: only for lawful actions, of which there are not so many."""
