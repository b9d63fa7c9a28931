"""How bots think about Fidchell.

Only some fields are looked at: those where a seat captures, or its rivals would, and those on a shortest chain of
either side. All rivals of the seat that thinks are one side: with three seats the two answer with one turn of either.
A move is written with its seat before it: `25D4`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from engine import counted
from engine.games.fidchell import GAME, State, captures, fields_of, with_turn
from p2p_stonehenge.bots.glance import chosen, glance
from p2p_stonehenge.bots.reasons import explained, reason
from p2p_stonehenge.bots.search import WIN, Budget, Search, winning, with_forced
from p2p_stonehenge.bots.thought import Running, Thought, Weighed, together
from p2p_stonehenge.bots.threats import WINNING, Threat, threatened

BUDGETS = {
    2: Budget(1_500, depth=2, margin=100, captures=3),
    3: Budget(300, margin=10, captures=3),
    4: Budget(3_000, margin=10, captures=3),
    5: Budget(30_000, margin=10, captures=3),
}
OF_THREE = {3: 1_000, 4: 6_000}
"""Nodes with three seats, by level, where there are more: two rivals have more answers than one. With the 300 nodes of
two seats a club bot often looked no further than its own move."""
UNIT = ("piece", 100.0)
"""In what people count the worth of a position, and how much that is."""
HOPELESS = -1200
"""The worth at which a bot gives the game up: twelve pieces behind."""
FAR = 99
"""The lack of a seat that can join the king to the rim no more."""
BY_LACK = (900, 600, 420, 230, 140, 90, 50, 25)
"""What a chain is worth, in hundredths of a piece, by how many fields it lacks."""
WIDTH = 24
"""Fields looked at, at most, beside captures."""
FEWEST = 8
"""Pieces: a seat with no more is out after one or two captures."""
NAMED = 4
"""Fields that a chain lacks, at most, for which a reason names them."""
SIGHT = 0.7
"""The chance that a beginner sees a capture by a piece that is placed; of one by a piece that moves, its square."""
PLAIN = 10
"""What a piece is worth in the count of material."""
CAPTURES = 8
"""Captures followed at each turn where the depth ends, at most; on a full board there are dozens."""


def think(view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
    """Return the candidates of `seat`, best first; worth in hundredths of a piece."""
    position = Position(view, seat) if level > 1 else Beginner(view, seat)
    root = _root(view, seat)
    moves = position.moves(root)
    rng.shuffle(moves)
    if level == 1:
        found = glance(position, root, moves, _reach, rng, SIGHT)
    else:
        found = Search(position, _budget(view, level), running).best(root, moves, _drawn(view, moves))
        every = Every(view, seat)
        if found[0].worth <= 2 - WIN and (saving := every.saving(root)):
            found = Search(position, _budget(view, level), running).best(root, saving, _drawn(view, saving))
        if level > 2 and len(view.playing) == 2:
            tries = every.tries(root)
            first = [one.action for one in found if one.action in tries]
            found = with_forced(every, root, found, list(dict.fromkeys([*first, *tries])), running)
        found = explained(position, root, chosen(found, level, rng) if level == 2 else found)
    return tuple(thought._replace(action=thought.action[1:]) for thought in found)


def explain(view: State, seat: int, thought: Thought, praised: bool) -> str:
    """Return why a move of `seat` is worth what it is, as a player is told."""
    named = thought._replace(action=f"{seat}{thought.action}")
    return reason(Position(view, seat), _root(view, seat), named, praised=praised)


def threat(view: State, seat: int, action: str) -> Threat | None:
    """Return what a rival of `seat`, which is to act, threatens now, or after an action; None for nothing."""
    move, does = threatened(Position(view, seat), _root(view, seat), f"{seat}{action}" if action else "", UNIT[0])
    if not move:
        return None
    capture = "" if does in WINNING else "to capture by "  # what a remark says of one piece is not enough
    return Threat(int(move[0]), f"threatens {capture}{move[1:]}, {does}")


def weigh(view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int) -> Weighed:
    """Return the true worth of actions of `seat`, as far as a bot of this level sees and no farther than `depth`.

    A bot of level 1 searches nothing: it is level 2 that sees for it.
    """
    moves = [f"{seat}{action}" for action in actions]
    search = Search(Position(view, seat), _budget(view, max(level, 2)), running)
    found = search.weighed(_root(view, seat), moves, _drawn(view, moves), depth)
    return found._replace(thoughts=tuple(one._replace(action=one.action[1:]) for one in found.thoughts))


def _budget(view: State, level: int) -> Budget:
    """Return how much a bot of level 2 or above may search."""
    budget = BUDGETS[level]
    return budget if len(view.playing) == 2 else budget._replace(nodes=OF_THREE.get(level, budget.nodes))


def _root(view: State, seat: int) -> "Node":
    return Node(GAME.bare(view), seat)


def _drawn(state: State, moves: Sequence[str]) -> frozenset[str]:
    """Return the moves to a position that has been before: it may come a third time."""
    before = {*state.history}
    if not before or state.hands[state.to_move - 1]:
        return frozenset()
    return frozenset(move for move in moves if before & {*GAME.apply(state, state.to_move, move[1:]).history[-1:]})


def _reach(move: str) -> int:
    """Return how hard a capture is to see: by a piece that moves it is harder than by one that is placed."""
    return 2 if "-" not in move else 3


class Node(NamedTuple):
    """A position, and whether the seat that thinks is to move (its number), or one of its rivals (0)."""

    state: State
    side: int


@cache
def _octets(near: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the fields beside sets of fields: for each eight fields in a row, by the bits of the set among them."""
    found = []
    for first in range(0, len(near), 8):
        sets = [0]
        for beside in near[first : first + 8]:
            sets += [around | beside for around in sets]
        found.append(tuple(sets))
    return tuple(found)


class Way(NamedTuple):
    """How near a seat is to a chain."""

    lack: int
    """Fields that the shortest chain lacks."""
    layers: tuple[int, ...]
    """By number of fields taken: the fields that the king is joined to by taking so many, the field itself included."""


class Position:
    """What a search asks about Fidchell; see `search.Position`."""

    skips = False

    def __init__(self, root: State, seat: int) -> None:
        self.seat = seat
        self.board = root.rules.board
        self._near = _octets(self.board.near)
        order = [one for one in root.playing if one > seat] + [one for one in root.playing if one < seat]
        self.rivals = tuple(order)
        self.forces = not order[1:]
        self.others = "the others" if order[1:] else "the other side"
        self._lacks: dict[tuple[int, int], int] = {}

    def turn(self, node: Node) -> int:
        return node.side

    def key(self, node: Node) -> object:
        state = node.state
        return state.standing, state.hands, node.side, state.to_move

    def result(self, node: Node) -> int | None:
        state = node.state
        if not state.reason:
            return None
        return 0 if not state.winner else 1 if (state.winner == self.seat) == (node.side == self.seat) else -1

    def worth(self, node: Node) -> int:
        state = node.state
        own = self._strength(state, self.seat)
        lead = own - max([self._strength(state, rival) for rival in self.rivals if rival in state.playing])
        return lead if node.side else -lead

    def _strength(self, state: State, seat: int) -> int:
        pieces = state.hands[seat - 1] + (state.standing[seat - 1] & self.board.fields).bit_count()
        lack = self.lack(state, seat)
        return 100 * pieces + (BY_LACK[lack] if lack < len(BY_LACK) else 0)

    def win(self, node: Node, captures: Sequence[str]) -> str | None:
        state = node.state
        for seat in self._movers(node):
            if self.lack(state, seat) == 1 and (move := self._chaining(state, seat)):
                return move
        return None

    def _movers(self, node: Node) -> tuple[int, ...]:
        """Return the seats of the side that moves, but for those that are out."""
        playing = node.state.playing
        return tuple([seat for seat in ((self.seat,) if node.side else self.rivals) if seat in playing])

    def _chaining(self, state: State, seat: int) -> str:
        """Return the move of `seat`, whose chain lacks one field, that takes this field; empty if none can."""
        turned = with_turn(state, seat)
        last = self.lacking(state, seat)
        if state.hands[seat - 1]:
            return f"{seat}{self.board.names[last.bit_length() - 1]}"
        for action in self._onto(turned, seat, last):
            if GAME.apply(turned, seat, action).winner == seat:
                return f"{seat}{action}"
        return ""

    def captures(self, node: Node) -> list[str]:
        state = node.state
        found = [f"{seat}{action}" for seat in self._movers(node) for action in captures(with_turn(state, seat))]
        if len(found) <= CAPTURES or self.is_scarce(state):
            return found
        return found[:: -(-len(found) // CAPTURES)]

    def moves(self, node: Node) -> list[str]:
        state = node.state
        others = [seat for seat in state.playing if (seat == self.seat) != bool(node.side)]
        wanted = 0
        dangers = 0
        for seat in others:
            wanted |= self.lacking(state, seat)
            for action in captures(with_turn(state, seat)):
                dangers |= self.board.pieces[self.board.deeds[action][0]]
        found: list[str] = []
        for seat in self._movers(node):
            turned = with_turn(state, seat)
            if not state.hands[seat - 1] and self.is_scarce(state):
                found += [f"{seat}{action}" for action in GAME.legal(turned, seat)]
                continue
            own = self.lacking(state, seat)
            fields = self._some(own & wanted, own, wanted) | (dangers & self.board.fields)
            actions = [*captures(turned), *self._onto(turned, seat, fields)]
            if not actions:
                actions = list(GAME.legal(turned, seat))[:WIDTH]
            found += [f"{seat}{action}" for action in dict.fromkeys(actions)]
        return found

    def is_scarce(self, state: State) -> bool:
        """Return whether a seat has so few pieces that captures decide: then every move counts."""
        fields = self.board.fields
        return any(
            state.hands[seat - 1] + (state.standing[seat - 1] & fields).bit_count() <= FEWEST for seat in state.playing
        )

    def _some(self, *sets: int) -> int:
        """Return the union of sets of fields, but of the later ones no more than `WIDTH` fields in all."""
        found = 0
        for some in sets:
            more = some & ~found
            room = WIDTH - found.bit_count()
            if more.bit_count() > room:
                fields = fields_of(more)
                step = len(fields) / max(room, 1)
                more = sum(1 << fields[int(number * step)] for number in range(room))
            found |= more
        return found

    def _onto(self, turned: State, seat: int, fields: int) -> Iterable[str]:
        """Return what the seat to move may do that ends on one of some fields."""
        if turned.hands[seat - 1]:
            names = self.board.names
            return [names[field] for field in fields_of(fields & turned.ways)]
        mask = 0
        for field in fields_of(fields):
            mask |= self.board.pieces[field]
        return GAME.legal(turned._replace(ways=turned.ways & mask), seat) if turned.ways & mask else ()

    def apply(self, node: Node, move: str) -> Node:
        state, seat = node.state, int(move[0])
        after = GAME.apply(state if state.to_move == seat else with_turn(state, seat), seat, move[1:])
        # A seat that has captured acts again.
        again = after.to_move == seat and after.playing != (seat,)
        own = again == bool(node.side)
        return Node(after, self.seat if own else 0)

    def passed(self, node: Node) -> Node:
        return Node(node.state, 0 if node.side else self.seat)

    def takes(self, node: Node) -> list[str]:
        return [action for seat in self._movers(node) for action in captures(with_turn(node.state, seat))]

    def remark(self, node: Node, child: Node) -> str:
        before, after = node.state, child.state
        moved = (one & ~old for old, one in zip(before.standing, after.standing, strict=True))
        seat = next(number for number, fields in enumerate(moved, 1) if fields)
        pieces = [
            sum(some.bit_count() for number, some in enumerate(state.men, 1) if number != seat)
            for state in (before, after)
        ]
        found = []
        if (taken := pieces[0] - pieces[1]) > 1:  # of one the story tells
            found.append(f"captures {taken} pieces")
        was, now = (self.lack(state, seat) for state in (before, after))
        if now < min(was, len(BY_LACK)):
            before_it = f"instead of {was}" if was < FAR else "where it had no way"
            named = f" ({', '.join(self._missing(after, seat))})" if 0 < now <= NAMED else ""
            found.append(
                f"leaves {GAME.colours[seat - 1]}'s chain to the king {counted(now, 'field')} short {before_it}{named}"
            )
        for other in after.playing:
            was, now = (self.lack(state, other) for state in (before, after))
            if other != seat and now > was < len(BY_LACK):
                needs = f"lacks {now} fields instead of {was}" if now < FAR else "has no way to the king now"
                found.append(f"is in the way of {GAME.colours[other - 1]}'s chain, which {needs}")
        return together(found)

    def better(self, node: Node, child: Node) -> str:
        del node, child
        return ""  # but for chains and pieces nothing counts: what becomes of them is told

    # Chains

    def lack(self, state: State, seat: int) -> int:
        """Return how many fields the shortest chain of a seat lacks."""
        fields = self.board.fields
        own = closed = 0
        for number, some in enumerate(state.standing, 1):
            if number == seat:
                own = some & fields
            else:
                closed |= some & fields
        known = self._lacks.get((own, closed))
        if known is None:
            known = self._lacks[own, closed] = self._way(own, closed, self.board.gate, self.board.rim).lack
        return known

    def lacking(self, state: State, seat: int) -> int:
        """Return the empty fields on the shortest chains of a seat."""
        board = self.board
        own, occupied = state.standing[seat - 1] & board.fields, 0
        for some in state.standing:
            occupied |= some & board.fields
        closed = occupied ^ own
        out = self._way(own, closed, board.gate, board.rim)
        if out.lack >= FAR:
            return 0
        back = self._way(own, closed, board.rim, board.gate)
        found = 0
        for number, layer in enumerate(out.layers):
            if 0 <= out.lack - number + 1 < len(back.layers):
                found |= layer & back.layers[out.lack - number + 1]
        return found & ~occupied

    def _missing(self, state: State, seat: int) -> list[str]:
        """Return the fields that one of the shortest chains of a seat lacks."""
        found = 0
        while lacking := self.lacking(state, seat):
            field = fields_of(lacking)[0]
            found |= 1 << field
            standing = list(state.standing)
            standing[seat - 1] |= self.board.pieces[field]
            state = state._replace(standing=tuple(standing))
        return [self.board.names[field] for field in fields_of(found)]

    def _way(self, own: int, closed: int, start: int, goal: int) -> Way:
        """Return the way from some fields to others, over own and empty fields, by fewest empty ones."""
        near = self._near
        here, nearly = start & own, start & ~own & ~closed
        seen = closed
        layers = []
        while True:
            layer = 0
            while here:
                layer |= here
                seen |= here
                around = 0
                for fields, octet in zip(near, here.to_bytes(len(near), "little"), strict=True):
                    if octet:
                        around |= fields[octet]
                around &= ~seen
                here = around & own
                nearly |= around & ~own
            layers.append(layer)
            if layer & goal:
                return Way(len(layers) - 1, tuple(layers))
            here = nearly & ~seen
            nearly = 0
            if not here:
                return Way(FAR, tuple(layers))


class Every(Position):
    """The same with every move that may matter, for what is to be known for certain."""

    def moves(self, node: Node) -> list[str]:
        """Return every move; where the other side would win at once if this one passed, those that may keep it from it.

        These are a win at once, captures, and moves to a field that the winning one of the other side needs: after all
        others it is still there.
        """
        state = node.state
        lost = self.win(self.passed(node), ())
        fields = self._needed(lost[1:]) if lost else 0
        found: list[str] = [move] if lost and (move := self.win(node, ())) else []
        for seat in self._movers(node):
            turned = with_turn(state, seat)
            actions = [*self._onto(turned, seat, fields), *captures(turned)] if lost else GAME.legal(turned, seat)
            found += [f"{seat}{action}" for action in actions]
        return list(dict.fromkeys(found))

    def _needed(self, action: str) -> int:
        """Return the fields that an action needs empty, and maybe more: all on the row or circle that it goes along."""
        origin, _, target = action.rpartition("-")
        names = self.board.names
        if not origin:
            return 1 << names.index(target)
        along_row = origin[:-1] == target[:-1]
        return sum(
            1 << field
            for field, name in enumerate(names)
            if (name[:-1] == target[:-1] if along_row else name[-1] == target[-1])
        )

    def saving(self, root: Node) -> list[str]:
        """Return the moves after which the other side cannot win at once."""
        after = ((move, self.apply(root, move)) for move in self.moves(root))
        return [move for move, child in after if self.turn(child) == root.side or not winning(self, child)]

    def tries(self, root: Node) -> list[str]:
        """Return the moves that a win with the next turn can begin with, unless the other side must open the way to it.

        A move takes one field of a chain at most, and only on the field that it still lacks then the next one wins.
        Only captures may do more, and few pieces of the other side may go by another capture.
        """
        state, seat = root.state, self.seat
        turned = with_turn(state, seat)
        lack = self.lack(state, seat)
        actions = captures(turned)
        if lack == 1 or self.is_scarce(state):
            actions += GAME.legal(turned, seat)
        elif lack == 2:
            actions += self._onto(turned, seat, self.lacking(state, seat))
        return [f"{seat}{action}" for action in dict.fromkeys(actions)]


class Beginner(Position):
    """The same for a beginner, who counts pieces and the longest own row to the king, but finds no way around."""

    def worth(self, node: Node) -> int:
        lead = GAME.worth(node.state, self.seat) * 100 // PLAIN
        return lead if node.side else -lead

    def moves(self, node: Node) -> list[str]:
        return [f"{seat}{action}" for seat in self._movers(node) for action in GAME.legal(node.state, seat)]
