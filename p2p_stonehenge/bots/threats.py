"""What a rival would do if it were on move, or is once a move is made: a win at once, or a capture that pays."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeVar

from engine import counted
from p2p_stonehenge.bots.search import SURE, WIN, Budget, Search, SearchPosition
from p2p_stonehenge.bots.thought import always, together

N = TypeVar("N")

BUDGET = Budget(2_000, depth=1, margin=2_000)
"""With a margin beyond which no capture is worth telling: the worst of them may be one that no rival would make."""
PAYS = 80
"""In hundredths of a disk or piece: a capture that gains less, with what is taken back, is no threat."""


class Winning(StrEnum):
    """What the worst threats of all do."""

    AT_ONCE = "which wins at once"
    SOON = "which wins in the same turn"
    MAYBE = "which may win in the same turn"
    """Where several rivals are taken for one: they may capture in turns."""


class Threat(NamedTuple):
    """What a rival threatens."""

    rival: int
    """The seat of the rival."""
    does: str
    """What it threatens, in words that go on from the name of the rival."""

    @property
    def move(self) -> str:
        """Return the move that it threatens, where bots search."""
        return self.does.removeprefix("threatens ").partition(",")[0]


def threatened(
    position: SearchPosition[N], root: N, action: str, unit: str, would: Callable[[str], bool] = lambda _: True
) -> tuple[str, str]:
    """Return the worst move that the others threaten, and what it does; "" for none, or if they are not to move.

    They threaten it after an action of the side that moves at `root`; without one, as if that side had passed. `would`
    says whether the player whose move it is would make a capture, which may help others more.
    """
    node = position.apply(root, action) if action else position.passed(root)
    if position.turn(node) == position.turn(root):
        return "", ""
    captures = position.captures(node)
    if move := position.win(node, captures):
        return move, Winning.AT_ONCE
    if not captures:
        return "", ""
    for found in Search(position, BUDGET, always).best(node, captures):
        if found.worth >= SURE:
            soon = Winning.SOON if position.forces else Winning.MAYBE
            return found.action, Winning.AT_ONCE if found.worth == WIN - 1 else soon
        gain = found.worth - position.worth(node)
        if gain < PAYS:
            break
        if would(found.action):
            does = together(position.remark(node, position.apply(node, found.action)))
            worth = f"worth about {counted(max(round(gain / 100), 1), unit)}"  # places and what is taken back count
            return found.action, f"which {does}: all in all {worth}" if does else worth
    return "", ""
