"""How bots think about Fidchess."""

import json
from collections.abc import Sequence
from operator import getitem
from pathlib import Path
from random import Random

from engine import counted
from engine.games.fidchess import CONTENT, DISKS, GAME, INDEX, RIGANT, SEAT_SHIFT, State, captures
from p2p_stonehenge.bots.game_bot import GameBot, Unit
from p2p_stonehenge.bots.glance import chosen, glance
from p2p_stonehenge.bots.reasons import explained, reason
from p2p_stonehenge.bots.search import DEEPEST, Budget, Search, with_forced
from p2p_stonehenge.bots.stacks import aims
from p2p_stonehenge.bots.thought import Kind, Part, Reason, Running, Thought, Weighed
from p2p_stonehenge.bots.threats import Threat, threatened

BUDGETS = {
    2: Budget(3_000, depth=2, margin=100, warmth=40),
    3: Budget(300, margin=10),
    4: Budget(4_000, margin=10),
    5: Budget(60_000, margin=10),
}


class FidchessBot(GameBot[State]):
    """The bot of Fidchess. Worth is in hundredths of a disk."""

    unit = Unit("disk", 100.0)
    hopeless = -600
    """Six disks behind, whoever is to take next."""
    has_styles = True
    knows_threats = True

    def candidates(self, view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        moves = list(GAME.legal(view, seat))
        rng.shuffle(moves)
        root = GAME.bare(view)
        if level == 1:
            return tuple(glance(POSITION, root, moves, _REACH.__getitem__, rng))
        budget = BUDGETS[level]
        found = Search(POSITION, budget, running).best(root, moves, GAME.repeating(view, moves))
        found = chosen(found, budget.warmth, rng)
        if level > 2:
            found = with_forced(POSITION, root, found, [one.action for one in found], running)
        return tuple(explained(POSITION, root, found))

    def explain(self, view: State, seat: int, thought: Thought, *, praised: bool = True) -> Reason:
        assert view.to_move == seat
        return reason(POSITION, GAME.bare(view), thought, praised=praised)

    def threat(self, view: State, seat: int, action: str = "") -> Threat | None:
        move, does = threatened(POSITION, GAME.bare(view), action, self.unit.name)
        return Threat(3 - seat, f"threatens {move}, {does}") if move else None

    def weigh(
        self, view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int = DEEPEST
    ) -> Weighed:
        # A bot of level 1 searches nothing: it is level 2 that sees for it.
        assert view.to_move == seat
        search = Search(POSITION, BUDGETS[max(level, 2)], running)
        return search.weighed(GAME.bare(view), actions, GAME.repeating(view, actions), depth)


BOT = FidchessBot(GAME)


# What stacks are worth

_BY_SIZE = (0, 100, 215, 350, 440, 520)


def seen_from(seat: int, space: int) -> int:
    """Return a space as its seat sees it: Yellow's own, for Green the mirror image."""
    return space if seat == 1 else space ^ 7


def _weights() -> tuple[tuple[int, ...], ...]:
    """Return the worth of each content of a stack, by space as its seat sees it."""
    learned = json.loads((Path(__file__).parent / "weights" / "fidchess.json").read_text(encoding="ascii"))

    def of(content: int) -> tuple[int, ...]:
        if str(content) in learned:
            return tuple(learned[str(content)])
        disks = min(content & DISKS, 5)
        return tuple(_BY_SIZE[disks] + 3 * (space % 8) * disks for space in range(32))

    return tuple(map(of, range(16)))


WEIGHTS = _weights()


def _worth(stack: int, space: int) -> int:
    """Return what a stack on a space is worth for Yellow."""
    seat = stack >> SEAT_SHIFT
    if seat not in (1, 2):
        return 0
    return WEIGHTS[stack & CONTENT][seen_from(seat, space)] * (1 if seat == 1 else -1)


_TABLE = tuple(tuple(_worth(stack, space) for stack in range(64)) for space in range(32))
_PLACES = {f"{a}x{b}{p}": (INDEX[a], INDEX[b]) for a in INDEX for b in INDEX for p in ("", "=D")}
"""The two spaces of each capture."""


class _Reach(dict[str, int]):
    """How many spaces a move goes, along its longer side; worked out when first asked for."""

    def __missing__(self, move: str) -> int:
        origin, target = (divmod(INDEX[space], 8) for space in (move[:2], move.removesuffix("=D")[-2:]))
        self[move] = max(abs(origin[0] - target[0]), abs(origin[1] - target[1]))
        return self[move]


_REACH = _Reach()


def _way(seat: int, content: int, origin: int, target: int) -> str:
    """Return in which direction a stack has gained most by its new space; "" where that is no forward move."""
    corner = origin & ~7 | target & 7
    here, between, there = (WEIGHTS[content][seen_from(seat, space)] for space in (origin, corner, target))
    ahead = (seen_from(seat, target) & 7) - (seen_from(seat, origin) & 7)
    if between - here >= there - between:
        return "forward" if ahead > 0 else ""
    inner = [space >> 3 in (1, 2) for space in (origin, target)]
    return "nearer the middle" if inner == [False, True] and ahead >= 0 else ""


class _Position:
    """What a search asks about Fidchess; see `SearchPosition`."""

    skips = True
    forces = True
    others = "the other side"

    def turn(self, node: State) -> int:
        return node.to_move

    def key(self, node: State) -> object:
        return node.cells, node.to_move

    def result(self, node: State) -> int | None:
        if not node.reason:
            return None
        return 0 if not node.winner else 1 if node.winner == node.to_move else -1

    def worth(self, node: State) -> int:
        lead = sum(map(getitem, _TABLE, node.cells))
        return lead if node.to_move == 1 else -lead

    def win(self, node: State, captures: Sequence[str]) -> str | None:
        if not captures:
            return None
        first = captures[0]
        return first if node.cells[_PLACES[first][1]] & RIGANT else None

    def captures(self, node: State) -> list[str]:
        found = captures(node)
        if len(found) > 1:
            cells = node.cells

            def gain(move: str) -> int:
                origin, target = _PLACES[move]
                return (cells[origin] & CONTENT) - 16 * (cells[target] & CONTENT)

            found.sort(key=gain)
        return found

    def moves(self, node: State) -> Sequence[str]:
        return GAME.legal(node, node.to_move)

    def apply(self, node: State, move: str) -> State:
        return GAME.apply(node, node.to_move, move)

    def passed(self, node: State) -> State:
        return node._replace(to_move=3 - node.to_move)

    def takes(self, node: State) -> list[str]:
        return self.captures(node)

    def remark(self, node: State, child: State) -> Reason:
        other = 3 - node.to_move
        promoted = child.disks[node.to_move] > node.disks[node.to_move]
        taken = node.disks[other] - child.disks[other]
        found = [Part(f"takes {counted(taken, 'disk')}", Kind.HARM)] if taken else []
        return (*found, *[Part("wins a disk back from the reserve", Kind.HARM)] * promoted)

    def aims(self, node: State, child: State, move: str, *, gains: bool) -> Reason:
        if found := aims(node, child, move):
            return found
        changed = [space for space in range(32) if node.cells[space] != child.cells[space]]
        left = [space for space in changed if not child.cells[space]]
        taken = [space for space in changed if not node.cells[space]]
        if not gains or not left or not taken:  # of a stack that is joined or divided the story tells what it becomes
            return ()
        way = _way(node.to_move, node.cells[left[0]] & CONTENT, left[0], taken[0])
        return (Part(f"brings the piece {way}"),) if way else ()


POSITION = _Position()
