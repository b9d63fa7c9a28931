"""How bots think about Fidchess Qenqe.

Where two sides move in turn, seats or pairs of partners, they are searched as such. With more seats the rivals of the
seat that thinks are taken for one side that answers with one move of any of them ("best-reply search"). A win or loss
that this finds further off than the next move of anybody is no proof: more rivals may answer.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from engine import counted
from engine.games.qenqe import GAME, INDEX, LETTERS, RING, State, captures
from p2p_stonehenge.bots.game_bot import GameBot, Unit
from p2p_stonehenge.bots.glance import chosen, glance
from p2p_stonehenge.bots.reasons import explained, reason
from p2p_stonehenge.bots.search import DEEPEST, SURE, Budget, Search, SearchPosition, winning, with_forced
from p2p_stonehenge.bots.thought import Kind, Part, Reason, Running, Thought, Weighed, always, together
from p2p_stonehenge.bots.threats import PAYS, Threat, threatened

N = TypeVar("N")

BUDGETS = {
    2: Budget(3_000, depth=1, margin=100, warmth=40),
    3: Budget(2_000, margin=10),
    4: Budget(20_000, margin=10),
    5: Budget(150_000, margin=10),
}
OF_SEVERAL = {4: Budget(30_000, margin=10)}
"""By level, where three or more play each alone and there is more: many rivals have more answers than one."""
OF_MANY = {2: Budget(3_000, depth=1, margin=100, warmth=55), 3: Budget(2_000, margin=100, warmth=18)}
"""By level, where four or five do: most games are lost by a third player's mistake, and so lower levels make more."""
RIVALS, LIKELY = 3, 50
"""The level at which a rival is asked whether it would carry out a threat, and how much better its best move may be,
unless the threat gains it something in any case."""


class QenqeBot(GameBot[State]):
    """The bot of Fidchess Qenqe. Worth is in hundredths of a disk."""

    unit = Unit("disk", 100.0)
    hopeless = -700
    """Seven disks behind."""
    has_styles = True
    knows_threats = True

    def candidates(self, view: State, seat: int, level: int, rng: Random, running: Running) -> tuple[Thought, ...]:
        moves = list(GAME.legal(view, seat))
        rng.shuffle(moves)
        root, excluded = GAME.bare(view), GAME.repeating(view, moves)
        if _has_two_sides(view):
            found = _thoughts(Sides(root), root, moves, excluded, level, rng, running)
        else:
            found = _thoughts(Replies(root, seat), QenqeNode(root, seat), moves, excluded, level, rng, running)
        return tuple(found)

    def explain(self, view: State, seat: int, thought: Thought, *, praised: bool = True) -> Reason:
        root = GAME.bare(view)
        if _has_two_sides(view):
            return reason(Sides(root), root, thought, praised=praised)
        return reason(Replies(root, seat), QenqeNode(root, seat), thought, praised=praised)

    def threat(self, view: State, seat: int, action: str = "") -> Threat | None:
        """Return what a rival threatens; of three seats or more, if nothing is done, only what that rival would play.

        After an action it may also be what costs the rival still more: it helps the others.
        """
        root = GAME.bare(view)
        after = GAME.apply(view, seat, action) if action else view
        if _has_two_sides(view):
            move, does = threatened(Sides(root), root, action, self.unit.name)
        else:
            replies, node = Replies(root, seat), QenqeNode(root, seat)
            move, does = threatened(
                replies, node, action, self.unit.name, lambda move: bool(action) or self._would_play(after, move)
            )
            if action and not move and (found := _meanwhile(replies, replies.apply(node, action))):
                move, saver, _ = found
                child = replies.apply(node, action).state
                takes = together(_remark(child, GAME.apply(child, _SEAT[child.cells[_PLACES[move][0]][0]], move)))
                colour, own = (GAME.colours[one - 1] for one in (saver, seat))
                does = f"which {takes}, while {colour} can still keep {own} from winning at once"
        return Threat(_SEAT[after.cells[_PLACES[move][0]][0]], f"threatens {move}, {does}") if move else None

    def _would_play(self, view: State, move: str) -> bool:
        """Return whether the rival whose move it is gains by it, or hardly has a better one.

        A capture may cost more than it takes. But one that gains hangs over a player also where the rival has a better
        move, as one that threatens to win: it may not find that.
        """
        rival = _SEAT[view.cells[_PLACES[move][0]][0]]
        turned = _with_turn(view, rival)
        found = self.candidates(turned, rival, RIVALS, Random(0), always)
        best = max(found, key=lambda thought: thought.worth)  # a bot may choose another one
        if best.action == move:
            return True
        one, other = self.weigh(turned, rival, (best.action, move), RIVALS, always).thoughts
        if one.action == move or other.worth > one.worth - LIKELY:
            return True
        stands = Replies(turned, rival).worth(QenqeNode(turned, rival))
        return other.worth >= stands + PAYS

    def weigh(
        self, view: State, seat: int, actions: Sequence[str], level: int, running: Running, depth: int = DEEPEST
    ) -> Weighed:
        # A bot of level 1 searches nothing: it is level 2 that sees for it.
        root, excluded, budget = GAME.bare(view), GAME.repeating(view, actions), BUDGETS[max(level, 2)]
        if _has_two_sides(view):
            return Search(Sides(root), budget, running).weighed(root, actions, excluded, depth)
        replies, node = Replies(root, seat), QenqeNode(root, seat)
        weighed = Search(replies, budget, running).weighed(node, actions, excluded, depth)
        told = [self._with_meanwhile(replies, node, thought) for thought in weighed.thoughts]
        return weighed._replace(thoughts=tuple(sorted(told, key=lambda thought: -thought.worth)))

    @staticmethod
    def _with_meanwhile(replies: "Replies", node: "QenqeNode", thought: Thought) -> Thought:
        """Return a thought that is worth less where a rival may take something while another one meets a threat."""
        if abs(thought.worth) >= SURE or not (found := _meanwhile(replies, replies.apply(node, thought.action))):
            return thought
        return thought._replace(worth=thought.worth - found[2])


BOT = QenqeBot(GAME)


def _has_two_sides(view: State) -> bool:
    """Return whether two sides play against each other; else all rivals together answer one seat."""
    return bool(view.rules.partners) or len(view.playing) == 2


def _budget(position: SearchPosition[N], level: int) -> Budget:
    found = BUDGETS[level]
    if isinstance(position, Replies):
        found = OF_SEVERAL.get(level, found)
        if len(position.playing) > 3:
            found = OF_MANY.get(level, found)
    return found


def _thoughts(
    position: SearchPosition[N],
    root: N,
    moves: Sequence[str],
    excluded: frozenset[str],
    level: int,
    rng: Random,
    running: Running,
) -> list[Thought]:
    if level == 1:
        return glance(position, root, moves, _reach, rng)
    budget = _budget(position, level)
    found = chosen(Search(position, budget, running).best(root, moves, excluded), budget.warmth, rng)
    if level > 2 and isinstance(position, Sides):
        found = with_forced(position, root, found, [one.action for one in found], running)
    return explained(position, root, found)


def _meanwhile(replies: "Replies", child: "QenqeNode") -> tuple[str, int, int] | None:
    """Return a capture that a rival has while the seat that thinks threatens to win at once, if it pays.

    With it the rival that can meet the threat after it, and what the capture costs. To the search, which lets one rival
    answer, whoever leaves the threat to others seems to lose.
    """
    state = child.state
    if state.reason or not winning(replies, replies.passed(child)) or winning(replies, child):
        return None
    stood, found = replies.worth(replies.passed(child)), None
    for move in replies.captures(child):
        if _SEAT[state.cells[_PLACES[move][0]][0]] != state.to_move:
            continue  # whoever moves later has to meet the threat
        after = replies.apply(child, move)
        if after.state.reason or not winning(replies, after):
            continue  # it meets the threat itself
        retakes = (replies.apply(after, one) for one in replies.captures(after))
        back = [replies.worth(replies.passed(one)) for one in retakes if not one.state.reason]
        cost = stood - max([replies.worth(after), *back])
        saver = after.state.to_move
        if cost >= max(PAYS, found[2] + 1 if found else 0) and saver != replies.seat:
            saves = (GAME.apply(after.state, saver, one) for one in GAME.legal(after.state, saver))
            if any(not one.reason and not winning(replies, after._replace(state=one)) for one in saves):
                found = move, saver, cost
    return found


# What stacks are worth. The lanes of a number hold the worth for each seat, that of seat 1 lowest.

LANE = 20
ONES = (1 << LANE) - 1
OWN_DISK, CAPTIVE, HELD = 100, 30, 20
"""To the seat that controls a stack: each own disk, each disk of others; to others: each of their disks in it."""
BY_HEIGHT = (0, 0, 15, 50, 40, 30)
"""To the seat that controls a stack, by its height: how well it moves."""
_SEAT = {letter: LETTERS.index(letter.upper()) + 1 for letter in LETTERS + LETTERS.lower()}


class _Worth(dict[str, int]):
    """The worth of each stack in lanes; worked out when first asked for."""

    def __missing__(self, stack: str) -> int:
        owner = _SEAT[stack[0]]
        found = BY_HEIGHT[len(stack)] << LANE * (owner - 1)
        for letter in stack:
            if letter.isupper():
                seat = _SEAT[letter]
                found += (OWN_DISK if seat == owner else HELD) << LANE * (seat - 1)
                found += (0 if seat == owner else CAPTIVE) << LANE * (owner - 1)
        self[stack] = found
        return found


_WORTH = _Worth().__getitem__


class _Places(dict[str, tuple[int, int]]):
    """The two spaces of a move that divides nothing, the first twice of one that does; worked out when asked for."""

    def __missing__(self, move: str) -> tuple[int, int]:
        at = 2 if move[2] in "-+x>" else 3
        origin = INDEX[move[:at]]
        found = self[move] = origin, origin if move[at] == ">" else INDEX[move[at + 1 :]]
        return found


_PLACES = _Places()


def _reach(move: str) -> int:
    """Return how many spaces a move goes, along its longer side."""
    (row, column), (to_row, to_column) = (divmod(space, RING) for space in _PLACES[move])
    across = abs(column - to_column)
    return max(abs(row - to_row), min(across, RING - across))


def _order(state: State, found: Iterable[str], worst: str) -> list[str]:
    """Return captures, the most promising first. Rigants whose capture wins lie in stacks that begin with `worst`."""
    cells = state.cells
    ranked = []
    for move in found:
        origin, target = _PLACES[move]
        there = cells[target]
        rank = 1000 if there[0] in worst else 10 * len(there) if there[0].isupper() else -1000
        ranked.append((len(cells[origin]) - rank, move))
    if len(ranked) > 1:
        ranked.sort()
    return [move for _, move in ranked]


class Sides:
    """What a search asks where two seats, or two pairs of partners, move in turn; see `SearchPosition`."""

    skips = True
    forces = True

    def __init__(self, root: State) -> None:
        self.rules, self.playing = root.rules, root.playing
        self.others = "the next player" if root.rules.partners else "the other side"
        teams = [tuple(seat for seat in root.playing if seat % 2 == odd) for odd in (0, 1)]
        if not root.rules.partners:
            teams = [(root.playing[0],), (root.playing[1],)]
        self._shifts = {
            seat: (
                tuple(LANE * (one - 1) for one in team),
                tuple(LANE * (one - 1) for one in root.playing if one not in team),
            )
            for team in teams
            for seat in team
        }
        # Also with `left_wins`: of two seats that are left each is the one before the other.
        self._targets = {
            seat: "".join(LETTERS[one - 1].lower() for one in root.playing if one not in team)
            for team in teams
            for seat in team
        }
        self._side = {seat: number for number, team in enumerate(teams) for seat in team}

    def turn(self, node: State) -> int:
        return self._side[node.to_move]

    def key(self, node: State) -> object:
        return node.cells, node.to_move

    def result(self, node: State) -> int | None:
        if not node.reason:
            return None
        return 0 if not node.winners else 1 if node.to_move in node.winners else -1

    def worth(self, node: State) -> int:
        lanes = sum(map(_WORTH, filter(None, node.cells)))
        own, others = self._shifts[node.to_move]
        return sum([lanes >> shift & ONES for shift in own]) - sum([lanes >> shift & ONES for shift in others])

    def win(self, node: State, captures: Sequence[str]) -> str | None:
        if not captures:
            return None
        first = captures[0]
        return first if node.cells[_PLACES[first][1]][0] in self._targets[node.to_move] else None

    def captures(self, node: State) -> list[str]:
        return _order(node, captures(node), self._targets[node.to_move])

    def moves(self, node: State) -> Sequence[str]:
        return GAME.legal(node, node.to_move)

    def apply(self, node: State, move: str) -> State:
        return GAME.apply(node, node.to_move, move)

    def passed(self, node: State) -> State:
        playing = self.playing
        return node._replace(to_move=playing[(playing.index(node.to_move) + 1) % len(playing)])

    def takes(self, node: State) -> list[str]:
        return self.captures(node)

    def remark(self, node: State, child: State) -> Reason:
        return _remark(node, child)

    def aims(self, node: State, child: State, move: str, *, gains: bool) -> Reason:
        del node, child, move, gains
        return ()  # of a move that captures nothing the story tells which piece it makes


class QenqeNode(NamedTuple):
    """A position, and whether the seat that thinks is to move (its number), or one of its rivals (0)."""

    state: State
    side: int
    first: int = 0
    """The rival that answered first; 0 before that."""


class Replies:
    """What a search asks where the rivals of a seat, two or more, answer it with one move; see `SearchPosition`."""

    skips = True
    forces = False

    def __init__(self, root: State, seat: int) -> None:
        self.seat, self.playing, self._begun = seat, root.playing, root.actions
        at = root.playing.index(seat)
        self.rivals = root.playing[at + 1 :] + root.playing[:at]
        self.others = "the others"
        self._shifts = [LANE * (rival - 1) for rival in self.rivals]
        # Whose Rigant may a seat take to win? In the order of turns, those to come before it will have seen to theirs.
        order = (*self.rivals, seat)
        small = {one: LETTERS[one - 1].lower() for one in order}
        if root.rules.left_wins:
            # Whoever takes it: the seat before wins, and so each rival would rather not do it for another one.
            before = {one: order[number - 1] for number, one in enumerate(order)}
            self._targets = {one: "".join(small[loser] for loser in order if before[loser] == one) for one in order}
        else:
            self._targets = {
                one: "".join(small[loser] for loser in order[number + 1 :]) for number, one in enumerate(order)
            }
            self._targets[seat] = "".join(small[rival] for rival in self.rivals)
        # Before a later answer each rival has moved, and will not have left its Rigant to another one. Nor does a rival
        # give something up so that another one can win: the Rigant of `seat` is for the rival that answered first.
        self._later = {one: "".join({*self._targets[one]} & {small[seat]}) for one in self.rivals}

    def turn(self, node: QenqeNode) -> int:
        return node.side

    def key(self, node: QenqeNode) -> object:
        return node.state.cells, node.side, self._is_later(node.state), node.first

    def result(self, node: QenqeNode) -> int | None:
        state = node.state
        if not state.reason:
            return None
        return 0 if not state.winners else 1 if (self.seat in state.winners) == (node.side == self.seat) else -1

    def worth(self, node: QenqeNode) -> int:
        lanes = sum(map(_WORTH, filter(None, node.state.cells)))
        others = [lanes >> shift & ONES for shift in self._shifts]
        lead = (lanes >> LANE * (self.seat - 1) & ONES) - sum(others) // len(others)
        return lead if node.side else -lead

    def win(self, node: QenqeNode, captures: Sequence[str]) -> str | None:
        if not captures:
            return None
        first = captures[0]
        cells = node.state.cells
        origin, target = _PLACES[first]
        return first if cells[target][0] in self._wanted(node, _SEAT[cells[origin][0]]) else None

    def captures(self, node: QenqeNode) -> list[str]:
        state = node.state
        if node.side:
            return _order(state, captures(_with_turn(state, self.seat)), self._targets[self.seat])
        cells = state.cells
        found: list[str] = []
        for rival in self.rivals:
            wanted = self._wanted(node, rival)
            some = captures(_with_turn(state, rival))
            if wanted and any(cells[_PLACES[move][1]][0] in wanted for move in some):
                return _order(state, some, wanted)
            found += some
        return [move for move in _order(state, found, "") if not self._spared(node, move)]

    def moves(self, node: QenqeNode) -> Sequence[str]:
        state = node.state
        if node.side:
            return GAME.legal(_with_turn(state, self.seat), self.seat)
        found: list[str] = []
        for rival in self.rivals:
            turned = _with_turn(state, rival)
            some = GAME.legal(turned, rival)
            if spared := {move for move in captures(turned) if self._spared(node, move)}:
                some = [move for move in some if move not in spared]
            found += some
        return found

    def _spared(self, node: QenqeNode, move: str) -> bool:
        """Return whether a move takes a Rigant that its owner will have brought into safety before."""
        state = node.state
        origin, target = _PLACES[move]
        there = state.cells[target][0]
        if there.isupper() or _SEAT[there] not in self.playing:
            return False
        return there not in self._wanted(node, _SEAT[state.cells[origin][0]])

    def _is_later(self, state: State) -> bool:
        """Return whether a rival that moves now does so after the first answer."""
        return state.actions > self._begun + 1

    def _wanted(self, node: QenqeNode, mover: int) -> str:
        """Return the first letters of the stacks that hold a Rigant which `mover` may take to win."""
        if mover == self.seat or not self._is_later(node.state):
            return self._targets[mover]
        return self._later[mover] if mover == node.first or not node.first else ""

    def apply(self, node: QenqeNode, move: str) -> QenqeNode:
        state = node.state
        seat = _SEAT[state.cells[_PLACES[move][0]][0]]
        if node.side:
            return QenqeNode(GAME.apply(state, seat, move), 0, node.first)
        return QenqeNode(GAME.apply(state, seat, move), self.seat, node.first or seat)

    def passed(self, node: QenqeNode) -> QenqeNode:
        return node._replace(side=0 if node.side else self.seat)

    def takes(self, node: QenqeNode) -> list[str]:
        return self.captures(node)

    def remark(self, node: QenqeNode, child: QenqeNode) -> Reason:
        return _remark(node.state, child.state)

    def aims(self, node: QenqeNode, child: QenqeNode, move: str, *, gains: bool) -> Reason:
        del node, child, move, gains
        return ()  # of a move that captures nothing the story tells which piece it makes


def _with_turn(state: State, seat: int) -> State:
    return state if state.to_move == seat else state._replace(to_move=seat)


def _remark(before: State, after: State) -> Reason:
    """Return what the move from one state to the next takes."""
    held = [sum(len(stack) for stack in state.cells if stack) for state in (before, after)]
    stacks = [sum(map(bool, state.cells)) for state in (before, after)]
    changed = [pair for pair in zip(before.cells, after.cells, strict=True) if all(pair) and pair[0] != pair[1]]
    landed = stacks[1] < stacks[0] and changed and len(changed) == 1
    gone = held[0] - held[1]
    if landed and _SEAT[changed[0][0][0]] != _SEAT[changed[0][1][0]]:
        disks = sum(letter.isupper() for letter in changed[0][0])
        removed = f", of which {gone} leave{'s' * (gone == 1)} the game" if gone else ""
        return (Part(f"takes a stack of {counted(disks, 'disk')}{removed}", Kind.HARM),)
    return ()
