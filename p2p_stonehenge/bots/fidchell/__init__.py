"""How bots think about Fidchell.

Only some fields are looked at: those where a seat captures, or its rivals would, and those on a shortest chain of
either side. All rivals of the seat that thinks are one side: with three seats the two answer with one turn of either.
A move is written with its seat before it: `25D4`.

To be read in this order: `chains`, `position`, `reasons`, `losses`, then the bot here.
"""

from collections.abc import Sequence
from random import Random

from engine import listed
from engine.games.fidchell import GAME, State, with_turn
from p2p_stonehenge.bots.fidchell.losses import costly
from p2p_stonehenge.bots.fidchell.position import Beginner, Every, FidchellNode, FidchellPosition, Threatened
from p2p_stonehenge.bots.fidchell.reasons import aims, closings
from p2p_stonehenge.bots.game_bot import GameBot, Unit
from p2p_stonehenge.bots.glance import chosen, glance
from p2p_stonehenge.bots.reasons import EXPLAINED, explained, reason
from p2p_stonehenge.bots.search import DEEPEST, SURE, WIN, Budget, Search, with_forced
from p2p_stonehenge.bots.thought import Kind, Reason, Running, Thought, Weighed
from p2p_stonehenge.bots.threats import Threat, Winning, threatened
from p2p_stonehenge.table.losing import winning_reply

__all__ = ["BOT", "FidchellPosition"]

BUDGETS = {
    2: Budget(1_500, depth=2, margin=100, captures=3, warmth=40),
    3: Budget(300, margin=10, captures=3),
    4: Budget(3_000, margin=10, captures=3),
    5: Budget(30_000, margin=10, captures=3),
}
OF_THREE = {
    2: Budget(1_500, depth=2, margin=100, captures=3, warmth=80),
    3: Budget(1_000, margin=10, captures=3, warmth=20),
    4: Budget(6_000, margin=10, captures=3),
}
"""By level, where three play and there is more: two rivals have more answers than one, and with the 300 nodes of two
seats a club bot often looked no further than its own move. Casual and club err more, or strong would win too little."""
FAR_AHEAD, BEGINNER, FINISHER = 4, 6, 4
"""So many pieces ahead once all are placed, a beginner farther, a bot of a lower level looks as closely as one of the
last: by its own look it lets a game go on that is won, moving to and fro."""
SIGHT = 0.7
"""The chance that a beginner sees a capture by a piece that is placed; of one by a piece that moves, its square."""


class FidchellBot(GameBot[State]):
    """The bot of Fidchell. Worth is in hundredths of a piece."""

    unit = Unit("piece", 100.0)
    room = 4
    hopeless = -1200
    """Twelve pieces behind."""
    knows_threats = True

    def candidates(self, view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        level = _closer(view, seat, level)
        position = FidchellPosition(view, seat) if level > 1 else Beginner(view, seat)
        root = _root(view, seat)
        moves = position.moves(root)
        rng.shuffle(moves)
        if level == 1:
            found = glance(position, root, moves, _reach, rng, SIGHT)
        else:
            budget = _budget(view, level)
            found = Search(position, budget, running).best(root, moves, _drawn(view, moves))
            every = Every(view, seat)
            if found[0].worth <= 2 - WIN and (saving := every.saving(root)):
                found = Search(position, budget, running).best(root, saving, _drawn(view, saving))
            if level > 2 and len(view.playing) == 2:
                tries = every.tries(root)
                first = [one.action for one in found if one.action in tries]
                found = with_forced(every, root, found, list(dict.fromkeys([*first, *tries])), running)
            found = explained(position, root, chosen(found, budget.warmth, rng))
            found = [*(_with_aims(position, root, one) for one in found[:EXPLAINED]), *found[EXPLAINED:]]
        return tuple(thought._replace(action=thought.action[1:]) for thought in found)

    def explain(self, view: State, seat: int, thought: Thought, *, praised: bool = True) -> Reason:
        position, root = FidchellPosition(view, seat), _root(view, seat)
        named = thought._replace(action=f"{seat}{thought.action}")
        named = named._replace(parts=reason(position, root, named, praised=praised))
        return _with_aims(position, root, named).parts if praised else named.parts

    def threat(self, view: State, seat: int, action: str = "") -> Threat | None:
        named = f"{seat}{action}" if action else ""
        move, does = threatened(Threatened(view, seat), _root(view, seat), named, self.unit.name)
        if not move:
            return None
        rival, move = int(move[0]), move[1:]
        if does == Winning.SOON and (turn := _winning_turn(view, seat, action)):
            move, *then = turn
            does = f"{does}, with {listed(then)} after it"
        if " and " not in does and "; " not in does:  # one capture: it fits a line of 80 columns
            does = does.replace(": all in all worth", ", worth")
        return Threat(rival, f"threatens {move}, {does}")

    def risk(self, view: State, seat: int, actions: Sequence[str]) -> Threat | None:
        return Threat(*found) if (found := costly(view, seat, tuple(actions))) else None

    def weigh(
        self, view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int = DEEPEST
    ) -> Weighed:
        # A bot of level 1 searches nothing: it is level 2 that sees for it.
        moves = [f"{seat}{action}" for action in actions]
        budget = _budget(view, _closer(view, seat, max(level, 2)))
        search = Search(FidchellPosition(view, seat), budget, running)
        found = search.weighed(_root(view, seat), moves, _drawn(view, moves), depth)
        told = (one._replace(action=one.action[1:], answer=one.answer[1:]) for one in found.thoughts)
        return found._replace(thoughts=tuple(told))


BOT = FidchellBot(GAME)


def _winning_turn(view: State, seat: int, action: str) -> tuple[str, ...]:
    """Return how the other of two seats wins in one turn after an action, or if `seat` passes, if that is seen."""
    after = (
        GAME.apply(view, seat, action) if action else with_turn(view, next(one for one in view.playing if one != seat))
    )
    found = winning_reply(GAME, after, seat)
    return found.actions if found and len(found.actions) > 1 else ()


def _with_aims(position: FidchellPosition, root: FidchellNode, thought: Thought) -> Thought:
    """Return a thought that has a reason with what else its move is for, unless it loses or ends the game."""
    child = position.apply(root, thought.action)
    if thought.worth <= -SURE or child.state.reason or child.side == root.side:
        return thought
    chains, states = position.chains, (root.state, child.state)
    more = closings(chains, *states) if thought.worth >= SURE else aims(chains, *states, alone=not thought.parts)
    known = thought.parts
    if any(part.kind is Kind.GUARDS for part in more):  # by which piece one is captured tells less than which one
        known = tuple(part for part in known if part.kind is not Kind.PREVENTS)
    return thought._replace(parts=(*known, *more))


def _closer(view: State, seat: int, level: int) -> int:
    """Return the level as which a bot looks: a higher one than its own where it is far ahead."""
    pieces = {one: view.men[one - 1].bit_count() for one in view.playing}
    most = max(many for one, many in pieces.items() if one != seat)
    far = not any(view.hands) and pieces[seat] >= most + (FAR_AHEAD if level > 1 else BEGINNER)
    return max(level, FINISHER) if far else level


def _budget(view: State, level: int) -> Budget:
    """Return how much a bot of level 2 or above may search."""
    return BUDGETS[level] if len(view.playing) == 2 else OF_THREE.get(level, BUDGETS[level])


def _root(view: State, seat: int) -> FidchellNode:
    return FidchellNode(GAME.bare(view), seat)


def _drawn(state: State, moves: Sequence[str]) -> frozenset[str]:
    """Return the moves to a position that has been before: it may come a third time."""
    before = {*state.history}
    if not before or state.hands[state.to_move - 1]:
        return frozenset()
    return frozenset(move for move in moves if before & {*GAME.apply(state, state.to_move, move[1:]).history[-1:]})


def _reach(move: str) -> int:
    """Return how hard a capture is to see: by a piece that moves it is harder than by one that is placed."""
    return 2 if "-" not in move else 3
