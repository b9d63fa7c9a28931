"""The search that bots of board games share: what it tells of moves that it had no time to look at."""

from collections.abc import Sequence
from random import Random

import pytest

from engine.games.fidchess import GAME
from p2p_stonehenge.bots.players import CHARACTERS, in_style
from p2p_stonehenge.bots.search import SURE, WIN, Budget, Search
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Reason, always


class Tree:
    """A game without captures whose nodes are named by the moves that lead there, one letter each."""

    skips, forces, others = False, True, "the other side"

    def __init__(self, worths: dict[str, int]) -> None:
        """`worths`: what nodes are worth to the side that moves first; a winning one ends the game."""
        self.worths = worths

    def turn(self, node: str) -> int:
        return len(node) % 2

    def key(self, node: str) -> str:
        return node

    def result(self, node: str) -> int | None:
        worth = self.worths.get(node, 0)
        return None if abs(worth) < SURE else (1 if worth > 0 else -1) * (1 - 2 * self.turn(node))

    def worth(self, node: str) -> int:
        return self.worths[node] * (1 - 2 * self.turn(node))

    def moves(self, node: str) -> list[str]:
        return [name[-1] for name in self.worths if name[:-1] == node]

    def apply(self, node: str, move: str) -> str:
        return node + move

    def passed(self, node: str) -> str:
        raise AssertionError(f"passed at {node}, where nothing skips")

    def captures(self, node: str) -> list[str]:
        del node
        return []

    def win(self, node: str, captures: Sequence[str]) -> None:
        del node, captures

    def takes(self, node: str) -> list[str]:
        return self.captures(node)

    def remark(self, node: str, child: str) -> Reason:
        del node, child
        return ()

    def aims(self, node: str, child: str, move: str, *, gains: bool) -> Reason:
        return ()


def searched(worths: dict[str, int], nodes: int) -> list[tuple[str, float]]:
    """Return the moves and what they are worth after a search of so many nodes, best first."""
    tree = Tree(worths)
    return [
        (found.action, found.worth) for found in Search(tree, Budget(nodes, margin=10), always).best("", ["a", "b"])
    ]


WORTHS = {"a": 40, "b": 30, "ax": 40, "bx": 28, "by": -200, "axm": 12}


def test_a_move_known_by_a_bound_is_not_as_good_when_the_best_one_comes_to_less() -> None:
    """Of `b` the first answer was seen to do, 12 behind; that `a` is worth less than it seemed makes `b` no better."""
    assert searched(WORTHS, 10) == [("a", 40), ("b", 28)], "interrupted before `a` was looked at again"
    assert searched(WORTHS, 11) == [("a", 12), ("b", 0)], "interrupted after that"


def test_a_move_that_was_not_looked_at_again_stands_behind_one_that_loses_by_force() -> None:
    """A game may look at moves then that its search leaves out."""
    assert searched(WORTHS | {"axm": -WIN}, 10) == [("a", 3 - WIN), ("b", 2 - WIN)]


@pytest.mark.parametrize("level", [3, 4, 5])
def test_no_style_costs_a_stack(level: int) -> None:
    """Green may capture with its Teth on B8 an Oin that five stacks guard."""
    state = GAME.start({"first": "2"}, 2)
    for seat, action in ((2, "B7-A5"), (1, "D2-C4")):
        state = GAME.apply(state, seat, action)
    thoughts = bot_of(GAME).think(GAME.view(state, 2), 2, level, Random(1))
    for character in CHARACTERS:
        assert in_style(GAME, thoughts, f"bot {character.name}").action != "B8xB2"
