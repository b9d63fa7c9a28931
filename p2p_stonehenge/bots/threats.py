"""What a rival would do if it were on move: a win at once, or a capture that pays."""

from typing import NamedTuple, TypeVar

from engine import counted
from p2p_stonehenge.bots.search import SURE, Budget, Position, Search
from p2p_stonehenge.bots.thought import always

N = TypeVar("N")

BUDGET = Budget(2_000, depth=1)
PAYS = 80
"""In hundredths of a disk or piece: a capture that gains less, with what is taken back, is no threat."""


class Threat(NamedTuple):
    """What a rival threatens."""

    rival: int
    """The seat of the rival."""
    does: str
    """What it threatens, in words that go on from the name of the rival."""


def threatened(position: Position[N], root: N, unit: str) -> tuple[str, str]:
    """Return the worst move of the others if the side that moves at `root` passed, and what it does; "" for none."""
    passed = position.passed(root)
    captures = position.captures(passed)
    if move := position.win(passed, captures):
        return move, "which wins at once"
    if not captures:
        return "", ""
    best = Search(position, BUDGET, always).best(passed, captures)[0]
    if best.worth >= SURE:
        return best.action, "which wins at once"
    gain = best.worth - position.worth(passed)
    if gain < PAYS:
        return "", ""
    return best.action, f"which a bot reckons worth about {counted(max(round(gain / 100), 1), unit)}"
