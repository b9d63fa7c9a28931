"""Alpha-beta search for two sides, which games fill in with what they know about their positions.

Iterative deepening with a transposition table, null move, killers, history and late-move reductions, and quiescence:
at the end of the depth only captures are looked at. A move that wins at once ends a node before anything is applied.
The two sides need not move in turn, and need not be two seats: in a game of several, all rivals of a seat are one side.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from p2p_stonehenge.bots.thought import Interrupted, Reason, Running, Thought, Weighed

WIN = 100_000
"""The worth of a won game; a win further off is worth less by one a ply."""
SURE = WIN - 1000
"""A worth from here on means that the game is won by force."""
UNSEEN = -WIN
"""The worth of a root move that there was no time to look at; the worst that was looked at is better."""
MEMORY = 1 << 15
"""Nodes whose captures are remembered."""
ASK_EVERY = 256
"""Nodes between two questions whether to go on."""
DEEPEST = 40
FORCED = 20_000
"""Positions looked at, at most, for a win with the next turn; a side that may go on and on has millions of answers."""
FIRST_PLY = 4
"""How many times the nodes of its budget a search may take to look one ply ahead."""

N = TypeVar("N")
"""A node: a position and the side that moves."""


class SearchPosition(Protocol[N]):
    """What a search asks about the positions of a game."""

    @property
    def skips(self) -> bool:
        """Return whether a side that could pass would hardly ever want to: then a search may try that first."""

    @property
    def forces(self) -> bool:
        """Return whether a win or loss that a search finds is one by force.

        It is not where several rivals, who each move before the side that thinks moves again, are taken for one side.
        """

    @property
    def others(self) -> str:
        """Return who moves after the side that thinks, as a player is told."""

    def turn(self, node: N) -> int:
        """Return the side that moves: any number, another one for the other side."""

    def key(self, node: N) -> Hashable:
        """Return what tells a node from others."""

    def result(self, node: N) -> int | None:
        """Return None while the game goes on; once it is over -1, 0 or 1 for the side that would move."""

    def worth(self, node: N) -> int:
        """Return the lead of the side that moves, in hundredths of a disk or piece."""

    def win(self, node: N, captures: Sequence[str]) -> str | None:
        """Return a move that wins at once, if one is seen without trying."""

    def captures(self, node: N) -> list[str]:
        """Return the moves that capture, the most promising first."""

    def moves(self, node: N) -> Sequence[str]:
        """Return the moves to be looked at, which may also contain the captures."""

    def apply(self, node: N, move: str) -> N:
        """Return the node after a move."""

    def passed(self, node: N) -> N:
        """Return the node as if the side that moves had passed."""

    def takes(self, node: N) -> list[str]:
        """Return all moves that capture, as players write them."""

    def remark(self, node: N, child: N) -> Reason:
        """Return what the move from one node to the other does, if there is something to say."""

    def aims(self, node: N, child: N, move: str, *, gains: bool) -> Reason:
        """Return what a move is for of which nothing else is to be said; `gains`: the worth has grown by it."""


class Budget(NamedTuple):
    """How much a search may do."""

    nodes: int
    depth: int = DEEPEST
    margin: int = 0
    """Root moves that are worse than the best by no more than this are told with their true worth."""
    captures: int = 8
    """The most captures that are followed one after the other where the depth ends."""
    warmth: float = 0.0
    """How freely a bot chooses after the search, see `glance.chosen`; 0 for always the best."""


class Search(Generic[N]):
    """One search of one position for the side that moves there."""

    def __init__(self, position: SearchPosition[N], budget: Budget, running: Running) -> None:
        self.position = position
        self.budget = budget
        self.running = running
        self.nodes = 0
        self.depth = 0
        """The depth to which all root moves were searched."""
        self._table: dict[Hashable, tuple[int, int, int, str]] = {}
        """By key: depth, kind of bound (-1 at most, 0 exact, 1 at least), worth, best move."""
        self._killers: list[tuple[str, str]] = [("", "")] * (DEEPEST + 100)
        self._history: dict[str, int] = {}
        self._path: set[Hashable] = set()
        self._captures: dict[Hashable, list[str]] = {}
        """The captures of nodes, by key: deepening comes to most nodes again, and other orders of moves do."""

    def best(self, root: N, moves: Sequence[str], drawn: frozenset[str] = frozenset()) -> list[Thought]:
        """Return the root moves, best first; those `drawn` lead to a draw. A win at once is always found."""
        position = self.position
        side = position.turn(root)
        scores = dict.fromkeys(moves, 0)
        order = list(moves)
        if (win := winning(position, root)) in scores:
            order.remove(win)
            order.insert(0, win)
        self._path.add(position.key(root))
        try:
            for depth in range(1, self.budget.depth + 1):
                found = self._pass_over(root, side, order, drawn, depth, scores)
                scores.update(found)
                order.sort(key=lambda move: -scores[move])
                self.depth = depth
                best = scores[order[0]]
                if best >= SURE or (len(order) > 1 and scores[order[1]] <= -SURE < best):
                    break  # won, or the only move that does not lose
        except Interrupted:
            order.sort(key=lambda move: -scores[move])
        return [Thought(move, scores[move]) for move in order]

    def weighed(self, root: N, moves: Sequence[str], drawn: frozenset[str], depth: int) -> Weighed:
        """Return the true worth of root moves, all to the same depth, at most `depth`; those `drawn` lead to a draw.

        Unlike `best`, which proves only that most moves are worse, and may be interrupted when it knows some better.
        Each move adds the nodes of the budget to those of all.
        """
        self.budget = self.budget._replace(nodes=self.budget.nodes * len(moves))
        side = self.position.turn(root)
        scores: dict[str, int] = {}
        self._path.add(self.position.key(root))
        try:
            for plies in range(1, min(self.budget.depth, depth) + 1):
                order = sorted(moves, key=lambda move: -scores.get(move, 0))
                scores = {move: 0 if move in drawn else self._exact(root, side, move, plies) for move in order}
                self.depth = plies
                if all(abs(worth) >= SURE for worth in scores.values()):
                    break
        except Interrupted:
            pass  # `scores` are those of the last depth that was finished
        found = sorted(scores, key=lambda move: -scores[move])
        told = (Thought(move, scores[move], answer=self._answer(root, move, scores[move])) for move in found)
        return Weighed(tuple(told), self.depth)

    def _answer(self, root: N, move: str, worth: int) -> str:
        """Return the answer to a root move that wins by force, if the move loses so and the answer is remembered."""
        child = self.position.apply(root, move)
        sides = self.position.forces and self.position.turn(child) != self.position.turn(root)
        known = self._table.get(self.position.key(child)) if sides and worth <= -SURE else None
        return known[3] if known else ""

    def _exact(self, root: N, side: int, move: str, depth: int) -> int:
        return self._after(root, side, move, depth, -WIN, WIN, 0, reduced=0, scout=False)

    def _pass_over(
        self, root: N, side: int, order: list[str], drawn: frozenset[str], depth: int, scores: dict[str, int]
    ) -> dict[str, int]:
        """Search all root moves to a depth; return their worth. If interrupted, `scores` has the best so far first."""
        found: dict[str, int] = {}
        best = -WIN
        try:
            for number, move in enumerate(order):
                alpha = max(best - self.budget.margin - 1, -WIN)
                if move in drawn:
                    worth = 0
                else:
                    worth = self._after(root, side, move, depth, alpha, WIN, 0, reduced=0, scout=number > 0)
                found[move] = worth
                best = max(best, worth)
        except Interrupted:
            # The first move was the best one a ply less deep: whatever beats it by now is better.
            if depth > 1 and found:
                scores.update(_not_reached(order, found, scores) | found)
            elif found:
                scores.update(dict.fromkeys(order, UNSEEN) | found)
            raise
        return found

    def _after(
        self,
        node: N,
        side: int,
        move: str,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        *,
        reduced: int,
        scout: bool,
    ) -> int:
        """Return what `move` is worth for `side`: first by a narrow window or less deep, if it is a late one."""
        position = self.position
        child = position.apply(node, move)
        result = position.result(child)
        keeps = position.turn(child) == side
        if result is not None:
            value = result * (WIN - ply - 1)
            return value if keeps else -value
        if keeps:
            if scout:
                worth = self._node(child, depth - 1 - reduced, alpha, alpha + 1, ply + 1)
                if worth <= alpha or (worth >= beta and not reduced):
                    return worth
            return self._node(child, depth - 1, alpha, beta, ply + 1)
        if scout:
            worth = -self._node(child, depth - 1 - reduced, -alpha - 1, -alpha, ply + 1)
            if worth <= alpha or (worth >= beta and not reduced):
                return worth
        return -self._node(child, depth - 1, -beta, -alpha, ply + 1)

    def _node(self, node: N, depth: int, alpha: int, beta: int, ply: int, null: bool = True) -> int:
        """Return the worth of a node for the side that moves there, exact between `alpha` and `beta`."""
        self._count()
        position = self.position
        key = position.key(node)
        if key in self._path:
            return 0
        best_move = ""
        if known := self._table.get(key):
            known_depth, bound, worth, best_move = known
            if known_depth >= depth and (bound == 0 or (worth >= beta if bound > 0 else worth <= alpha)):
                return worth
        captures = self._captures_of(node, key)
        if position.win(node, captures):
            return WIN - ply - 1
        if depth <= 0 or ply > DEEPEST:
            return self._quiet(node, captures, alpha, beta, ply, self.budget.captures)
        side = position.turn(node)
        if null and depth > 1 and beta < SURE and position.skips and position.worth(node) >= beta:
            worth = -self._node(position.passed(node), depth - 3, -beta, 1 - beta, ply + 1, null=False)
            if worth >= beta:
                return worth if worth < SURE else beta
        self._path.add(key)
        try:
            return self._moves(node, key, side, captures, best_move, depth, alpha, beta, ply)
        finally:
            self._path.discard(key)

    def _moves(
        self,
        node: N,
        key: Hashable,
        side: int,
        captures: list[str],
        best_move: str,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        position, history = self.position, self._history
        every = position.moves(node)
        if not every:
            return position.worth(node)  # no move: the game lets another seat act
        first, second = self._killers[ply]
        loud = {*captures}
        late = sorted((move for move in every if move not in loud), key=lambda move: -history.get(move, 0))
        order = [*captures, *late]
        # To the front, in the end: the best move known, captures, killers, the rest by history.
        for killer in (second, first):
            if killer in late:
                order.remove(killer)
                order.insert(len(captures), killer)
        if best_move and order[0] != best_move and best_move in order:
            order.remove(best_move)
            order.insert(0, best_move)
        lowest, best, best_move = alpha, -WIN, ""
        for number, move in enumerate(order):
            reduced = 0
            if depth > 2 and number > 3 and move not in loud:
                reduced = 1 if number < 14 else 2
            worth = self._after(node, side, move, depth, alpha, beta, ply, reduced=reduced, scout=number > 0)
            if worth > best:
                best, best_move = worth, move
                if worth > alpha:
                    alpha = worth
                    if worth >= beta:
                        if move not in loud:
                            history[move] = history.get(move, 0) + depth * depth
                            if move != self._killers[ply][0]:
                                self._killers[ply] = (move, self._killers[ply][0])
                        break
        self._table[key] = (depth, 1 if best >= beta else -1 if best <= lowest else 0, best, best_move)
        return best

    def _captures_of(self, node: N, key: Hashable) -> list[str]:
        """Return the moves of a node with this key that capture, the most promising first."""
        found = self._captures.get(key)
        if found is None:
            if len(self._captures) >= MEMORY:
                self._captures.clear()
            found = self._captures[key] = self.position.captures(node)
        return found

    def _count(self) -> None:
        """Count a node. Raises Interrupted if that was the last one; the first ply may take some times as many."""
        self.nodes += 1
        spent = self.nodes >= self.budget.nodes * (1 if self.depth else FIRST_PLY)
        if spent or (self.nodes % ASK_EVERY == 0 and not self.running()):
            raise Interrupted

    def _quiet(self, node: N, captures: list[str], alpha: int, beta: int, ply: int, left: int) -> int:
        """Return the worth of a node once the captures that pay are over; to capture nothing is always possible."""
        position = self.position
        best = position.worth(node)
        if best >= beta or not captures or not left:
            return best
        alpha = max(alpha, best)
        side = position.turn(node)
        for move in captures:
            worth = self._capture(node, side, move, alpha, beta, ply, left - 1)
            if worth > best:
                best = worth
                if worth > alpha:
                    alpha = worth
                    if worth >= beta:
                        break
        return best

    def _capture(self, node: N, side: int, move: str, alpha: int, beta: int, ply: int, left: int) -> int:
        self._count()
        position = self.position
        child = position.apply(node, move)
        keeps = position.turn(child) == side
        result = position.result(child)
        if result is not None:
            value = result * (WIN - ply - 1)
        else:
            captures = self._captures_of(child, position.key(child))
            if position.win(child, captures):
                value = WIN - ply - 2
            elif keeps:
                value = self._quiet(child, captures, alpha, beta, ply + 1, left)
            else:
                value = self._quiet(child, captures, -beta, -alpha, ply + 1, left)
        return value if keeps else -value


def _not_reached(order: Sequence[str], found: dict[str, int], scores: dict[str, int]) -> dict[str, int]:
    """Return the worth of the moves that a pass has not come to: behind the best of those `found`, as far as before.

    `scores` are those of the last pass, with the best move first in `order`; many are bounds, so no distance shrinks.
    """
    leader, before = max(found.values()), scores[order[0]]
    rest = [move for move in order if move not in found]
    # Where one of the two loses, the distance tells nothing.
    behind = {move: max(before - scores[move], 1) if min(leader, scores[move]) > -SURE else 1 for move in rest}
    return {move: min(scores[move], leader - behind[move]) for move in rest}


def forced(position: SearchPosition[N], root: N, moves: Sequence[str], running: Running) -> str:
    """Return a move that wins with the next turn whatever the answer, by trying every answer; empty if none is found.

    Where many answers are possible a search of few nodes may not come so far.
    """
    side, left, won = position.turn(root), iter(range(FORCED)), set[Hashable]()
    try:
        for move in moves:
            child = position.apply(root, move)
            answered = position.turn(child) != side and position.win(child, position.captures(child)) is not None
            if not answered and _wins_soon(position, child, side, left, won, running):
                return move
    except Interrupted:
        pass
    return ""


def _wins_soon(
    position: SearchPosition[N], node: N, side: int, left: Iterator[int], won: set[Hashable], running: Running
) -> bool:
    """Return whether a side has won, or wins at once when it is to move, whatever the other side does before.

    `won` holds the keys of nodes where the other side moves and of which that is known: captures in another order lead
    to the same one. Raises Interrupted when there is no more time, or none are `left` of the positions
    that may be looked at.
    """
    if next(left, None) is None or not running():
        raise Interrupted
    own = position.turn(node) == side
    if (result := position.result(node)) is not None:
        return result == (1 if own else -1)
    if own:
        return winning(position, node) != ""
    if (key := position.key(node)) not in won:
        children = (position.apply(node, reply) for reply in position.moves(node))
        if not all(_wins_soon(position, child, side, left, won, running) for child in children):
            return False
        won.add(key)
    return True


def winning(position: SearchPosition[N], node: N) -> str:
    """Return a move with which the side that moves at a node wins at once, be it a capture that leaves too little.

    Empty if there is none.
    """
    captures = position.captures(node)
    if move := position.win(node, captures):
        return move
    side = position.turn(node)
    for move in captures:
        child = position.apply(node, move)
        if position.result(child) == (1 if position.turn(child) == side else -1):
            return move
    return ""


def with_forced(
    position: SearchPosition[N], root: N, thoughts: list[Thought], moves: Sequence[str], running: Running
) -> list[Thought]:
    """Return the thoughts with that of some moves in front that wins with the next turn whatever the answer.

    The search may have had too few nodes to see it, or have taken for such a move one that an answer it did not look at
    refutes.
    """
    if thoughts[0].worth >= WIN - 2 or not (move := forced(position, root, moves, running)):
        return thoughts
    return [Thought(move, WIN - 3), *(thought for thought in thoughts if thought.action != move)]
