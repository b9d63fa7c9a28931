"""The ways to divide a stack of Fidchess Qenqe."""

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from sys import intern

from engine.game import Action
from engine.games.qenqe.board import ADJACENT, LETTERS, SPACES
from engine.games.qenqe.planes import ALL
from engine.stacks import set_of


class Division(dict[int, tuple[Action, ...]]):
    """The moves that divide a stack on a space, by what lies next to it; worked out when first asked for."""

    def __init__(self, space: int, every: Mapping[Action, int], canonical: Mapping[str, Action]) -> None:
        super().__init__()
        self.mask = set_of(ADJACENT[space]) << ALL
        """The bits of a view that tell which spaces next to the stack are empty."""
        self.every = every
        """All moves in the order of their texts, each with the bits of a view that must be zero."""
        self.canonical = canonical
        """By every way to write one of the moves: the way that is listed."""

    def __missing__(self, view: int) -> tuple[Action, ...]:
        found = self[view] = tuple(move for move, needed in self.every.items() if not needed & view)
        return found


@cache
def pattern(stack: str) -> str:
    """Return a stack that divides in the same ways: the colours renamed in the order in which they come."""
    found: list[str] = []
    for disk in stack.upper():
        if disk not in found:
            found.append(disk)
    return stack.translate(
        {ord(case(old)): case(new) for old, new in zip(found, LETTERS, strict=False) for case in (str.upper, str.lower)}
    )


def _division(stack: str, space: int) -> Division:
    """Return the ways to divide a stack, given by its pattern, on a space."""
    ways: dict[frozenset[tuple[int, str]], list[str]] = {}
    for count in range(1, len(ADJACENT[space]) + 1):
        for parts in _cuts(stack, count):
            for targets in permutations(ADJACENT[space], count):
                sizes = ",".join(f"{len(part)}@{SPACES[to]}" for part, to in zip(parts, targets, strict=True))
                way = frozenset(zip(targets, parts, strict=True))
                ways.setdefault(way, []).append(f"{SPACES[space]}>{sizes}")
    needs = {intern(min(texts)): set_of(to for to, _ in way) << ALL for way, texts in ways.items()}
    canonical = {text: min(texts) for texts in ways.values() for text in texts}
    return Division(space, dict(sorted(needs.items())), canonical)


class Divisions(dict[int, tuple[int, Division]]):
    """The ways to divide a stack by its space, each with its mask; worked out when first asked for."""

    def __init__(self, stack: str) -> None:
        super().__init__()
        self.stack = stack

    def __missing__(self, space: int) -> tuple[int, Division]:
        division = _division(self.stack, space)
        found = self[space] = division.mask, division
        return found


@cache
def divisions(stack: str) -> Divisions:
    """Return the ways to divide a stack, given by its pattern: of those that can be divided there are 102 at most."""
    return Divisions(stack)


def _cuts(stack: str, count: int) -> list[tuple[str, ...]]:
    """Return every `count` parts that may leave a stack, top first: the mover is on top of each, and of what stays."""
    if not count:
        return [()]
    disk = stack[0].upper()
    return [
        (stack[:size], *rest)
        for size in range(1, len(stack))
        if stack[size] == disk
        for rest in _cuts(stack[size:], count - 1)
    ]
