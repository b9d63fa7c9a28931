"""Why a move of Fidchess Qenqe is not possible, in the words of its rules page."""

from engine.game import Refusal
from engine.games.qenqe.board import ADJACENT, COLOURS, LINES, SPACES, has_rigant, movement, owner, piece, shown
from engine.games.qenqe.notation import ReadAction
from engine.games.qenqe.state import State
from engine.stacks import HOW


def why_not(state: State, seat: int, said: ReadAction) -> Refusal:
    """Return why `seat`, which is to act, may not make a move that is well written."""
    stack, place = state.cells[said.origin], SPACES[said.origin]
    if not stack:
        return Refusal("empty", "moves", f"{place} is empty: there is no piece to move.")
    if owner(stack) != seat:
        holder = COLOURS[owner(stack) - 1]
        if owner(stack) not in state.playing:
            return Refusal("neutral", "resigning", f"The {piece(stack)} on {place} is neutral: {holder} is out.")
        return Refusal("not-yours", "stacks", f"The {piece(stack)} on {place} belongs to {holder}.")
    return _not_divided(state, said) if said.parts else _not_moved(state, said)


def _not_moved(state: State, said: ReadAction) -> Refusal:
    cells, highest = state.cells, state.rules.highest
    origin, target = SPACES[said.origin], SPACES[said.target]
    stack, there = cells[said.origin], cells[said.target]
    if said.origin == said.target:
        return Refusal("reach", "moves", f"The {piece(stack)} is on {origin} already: a move ends elsewhere.")
    kind = movement(stack)
    ways = [line[: line.index(said.target)] for line in LINES[kind][said.origin] if said.target in line]
    if not ways:
        return Refusal("reach", "moves", f"{HOW[kind]}: from {origin} it cannot reach {target}.")
    if all(any(cells[space] for space in way) for way in ways):
        blocks = " and ".join(
            f"{SPACES[space]} holds {_owned(state, cells[space])}"
            for space in (next(space for space in way if cells[space]) for way in sorted(ways, key=len))
        )
        way = "Both ways round" if len(ways) > 1 else "The way"
        text = f"{way} from {origin} to {target} {'are' if len(ways) > 1 else 'is'} blocked: {blocks}."
        return Refusal("blocked", "moves", text)
    if owner(there) != owner(stack):
        return Refusal("partner-rigant", "variants", f"Your partner's Rigant is on {target}: spare it.")
    if has_rigant(there):
        return Refusal("own-rigant", "joining", f"Your Rigant is on {target}: no piece of yours lands on it.")
    if stack.islower() and not state.rules.rigant_stacking:
        return Refusal("rigant-joins", "joining", f"The Rigant joins no stack: {target} holds your {piece(there)}.")
    high = len(stack) + len(there)
    text = f"The {piece(stack)} and your {piece(there)} would be {high} high: {highest} is the most."
    return Refusal("too-high", "joining", text)


def _not_divided(state: State, said: ReadAction) -> Refusal:
    stack, place = state.cells[said.origin], SPACES[said.origin]
    if len(stack) == 1:
        return Refusal("single", "dividing", f"The {piece(stack)} on {place} is a single piece: it cannot be divided.")
    for space, _ in said.parts:
        if space not in ADJACENT[said.origin]:
            text = f"{SPACES[space]} is not next to {place}: parts go one space, not diagonally."
            return Refusal("reach", "dividing", text)
        if state.cells[space]:
            text = f"{SPACES[space]} holds {_owned(state, state.cells[space])}: parts go to empty spaces only."
            return Refusal("occupied", "dividing", text)
    if len({space for space, _ in said.parts}) < len(said.parts):
        return Refusal("same-space", "dividing", "Each part goes to a different space.")
    leaving = sum(size for _, size in said.parts)
    if leaving >= len(stack):
        text = f"The {piece(stack)} on {place} is {len(stack)} high: something must stay when {leaving} leave."
        return Refusal("nothing-stays", "dividing", text)
    at = 0
    for _, size in said.parts:
        at += size
        if owner(stack[at]) != owner(stack):
            break
    colour = COLOURS[owner(stack[at]) - 1]
    text = f"Cut {at} from the top, the stack on {place} ({shown(stack)}) would show a disk of {colour}:"
    return Refusal("reveals", "dividing", f"{text} each part and what stays needs a piece of yours on top.")


def _owned(state: State, stack: str) -> str:
    neutral = "neutral " * (owner(stack) not in state.playing)
    name = neutral + piece(stack)
    return f"{'an' if name[0] == 'O' else 'a'} {name} of {COLOURS[owner(stack) - 1]}"
