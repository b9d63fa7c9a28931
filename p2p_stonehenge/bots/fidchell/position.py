"""What the search of the board games asks about Fidchell: see `search.SearchPosition`."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.games.fidchell import GAME, State, captures, fields_of, with_turn
from p2p_stonehenge.bots.fidchell.chains import Chains, onto
from p2p_stonehenge.bots.fidchell.reasons import deeds
from p2p_stonehenge.bots.search import winning
from p2p_stonehenge.bots.thought import Reason

BY_LACK = (900, 600, 420, 230, 140, 90, 50, 25)
"""What a chain is worth, in hundredths of a piece, by how many fields it lacks."""
WIDTH = 24
"""Fields looked at, at most, beside captures."""
FEWEST = 8
"""Pieces: a seat with no more is out after one or two captures."""
PLAIN = 10
"""What a piece is worth in the count of material."""
CAPTURES = 8
"""Captures followed at each turn where the depth ends, at most; on a full board there are dozens."""


class FidchellNode(NamedTuple):
    """A position, and whether the seat that thinks is to move (its number), or one of its rivals (0)."""

    state: State
    side: int


class FidchellPosition:
    """What a search asks about Fidchell; see `search.SearchPosition`."""

    skips = False

    def __init__(self, root: State, seat: int) -> None:
        self.seat = seat
        self.board = root.rules.board
        self.chains = Chains(root)
        self.lack, self.lacking = self.chains.lack, self.chains.lacking
        order = [one for one in root.playing if one > seat] + [one for one in root.playing if one < seat]
        self.rivals = tuple(order)
        self.forces = not order[1:]
        self.others = "the others" if order[1:] else "the other side"

    def turn(self, node: FidchellNode) -> int:
        return node.side

    def key(self, node: FidchellNode) -> object:
        state = node.state
        return state.standing, state.hands, node.side, state.to_move

    def result(self, node: FidchellNode) -> int | None:
        state = node.state
        if not state.reason:
            return None
        return 0 if not state.winner else 1 if (state.winner == self.seat) == (node.side == self.seat) else -1

    def worth(self, node: FidchellNode) -> int:
        state = node.state
        own = self._strength(state, self.seat)
        lead = own - max([self._strength(state, rival) for rival in self.rivals if rival in state.playing])
        return lead if node.side else -lead

    def _strength(self, state: State, seat: int) -> int:
        pieces = state.hands[seat - 1] + (state.standing[seat - 1] & self.board.fields).bit_count()
        lack = self.lack(state, seat)
        return 100 * pieces + (BY_LACK[lack] if lack < len(BY_LACK) else 0)

    def win(self, node: FidchellNode, captures: Sequence[str]) -> str | None:
        state = node.state
        for seat in self._movers(node):
            if self.lack(state, seat) == 1 and (move := self._chaining(state, seat)):
                return move
        return None

    def _movers(self, node: FidchellNode) -> tuple[int, ...]:
        """Return the seats of the side that moves, but for those that are out."""
        playing = node.state.playing
        return tuple([seat for seat in ((self.seat,) if node.side else self.rivals) if seat in playing])

    def _chaining(self, state: State, seat: int) -> str:
        """Return the move of `seat`, whose chain lacks one field, that takes this field; empty if none can."""
        turned = with_turn(state, seat)
        last = self.lacking(state, seat)
        if state.hands[seat - 1]:
            return f"{seat}{self.board.names[last.bit_length() - 1]}"
        for action in onto(turned, seat, last):
            if GAME.apply(turned, seat, action).winner == seat:
                return f"{seat}{action}"
        return ""

    def captures(self, node: FidchellNode) -> list[str]:
        state = node.state
        found = [f"{seat}{action}" for seat in self._movers(node) for action in captures(with_turn(state, seat))]
        if len(found) <= CAPTURES or self.is_scarce(state):
            return found
        return found[:: -(-len(found) // CAPTURES)]

    def moves(self, node: FidchellNode) -> list[str]:
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
            actions = [*captures(turned), *onto(turned, seat, fields)]
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

    def apply(self, node: FidchellNode, move: str) -> FidchellNode:
        state, seat = node.state, int(move[0])
        after = GAME.apply(state if state.to_move == seat else with_turn(state, seat), seat, move[1:])
        # A seat that has captured acts again.
        again = after.to_move == seat and after.playing != (seat,)
        own = again == bool(node.side)
        return FidchellNode(after, self.seat if own else 0)

    def passed(self, node: FidchellNode) -> FidchellNode:
        return FidchellNode(node.state, 0 if node.side else self.seat)

    def takes(self, node: FidchellNode) -> list[str]:
        return [action for seat in self._movers(node) for action in captures(with_turn(node.state, seat))]

    def remark(self, node: FidchellNode, child: FidchellNode) -> Reason:
        return deeds(self.chains, node.state, child.state)

    def aims(self, node: FidchellNode, child: FidchellNode, move: str, *, gains: bool) -> Reason:
        del node, child, move, gains
        return ()  # but for chains and pieces nothing counts: what becomes of them is told


class Every(FidchellPosition):
    """The same with every move that may matter, for what is to be known for certain."""

    def moves(self, node: FidchellNode) -> list[str]:
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
            actions = [*onto(turned, seat, fields), *captures(turned)] if lost else GAME.legal(turned, seat)
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

    def saving(self, root: FidchellNode) -> list[str]:
        """Return the moves after which the other side cannot win at once."""
        after = ((move, self.apply(root, move)) for move in self.moves(root))
        return [move for move, child in after if self.turn(child) == root.side or not winning(self, child)]

    def tries(self, root: FidchellNode) -> list[str]:
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
            actions += onto(turned, seat, self.lacking(state, seat))
        return [f"{seat}{action}" for action in dict.fromkeys(actions)]


class Threatened(FidchellPosition):
    """The same where it is told what a move would do: it names what it captures."""

    def remark(self, node: FidchellNode, child: FidchellNode) -> Reason:
        return deeds(self.chains, node.state, child.state, named=True)


class Beginner(FidchellPosition):
    """The same for a beginner, who counts pieces and the longest own row to the king, but finds no way around."""

    def worth(self, node: FidchellNode) -> int:
        lead = GAME.worth(node.state, self.seat) * 100 // PLAIN
        return lead if node.side else -lead

    def moves(self, node: FidchellNode) -> list[str]:
        return [f"{seat}{action}" for seat in self._movers(node) for action in GAME.legal(node.state, seat)]
