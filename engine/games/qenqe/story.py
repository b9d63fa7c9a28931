"""The story of Fidchess Qenqe: what a move did, in plain sentences."""

from engine.game import Action, Event
from engine.games.qenqe.board import COLOURS, SPACES, has_rigant, owner, piece, shown
from engine.games.qenqe.notation import ReadAction, act
from engine.games.qenqe.state import RIGANT_TAKEN, State
from engine.house import RESIGNED
from engine.stacks import named
from engine.words import counted


def told(before: State, after: State, said: ReadAction) -> Event:
    """Return the sentence about a move."""
    return _division(before, said) if said.parts else _move(before, after, said)


def told_win(before: State, after: State, action: Action) -> str:
    """Return the sentence about how a game was won."""
    colours = [COLOURS[seat - 1] for seat in after.winners]
    wins = f"{' and '.join(colours)} {'wins' if len(colours) == 1 else 'win'}"
    if after.reason == RESIGNED:
        return f"{wins}."
    loser = COLOURS[owner(before.cells[act(action).target]) - 1]
    if after.reason == RIGANT_TAKEN:
        return f"{wins}: {loser}'s Rigant is captured."
    return f"{wins}: {loser} controls no disk of its own."


def _move(before: State, after: State, said: ReadAction) -> Event:
    stack, there = before.cells[said.origin], before.cells[said.target]
    becomes = after.cells[said.target]
    origin, target = SPACES[said.origin], SPACES[said.target]
    text = f"{COLOURS[owner(stack) - 1]} moves {named(piece(stack))} from {origin}"
    if not there:
        return Event(f"{text} to {target}.", (origin, target))
    neutral = "neutral " * (owner(there) not in before.playing)
    holder = "its" if owner(there) == owner(stack) else f"{COLOURS[owner(there) - 1]}'s"
    landed_on = f"{holder} {neutral}{piece(there)}"
    takes = (owner(there),) if said.mark == "x" else ()  # a stack that is landed on is no capture: it becomes captives
    if said.mark == "x" and becomes == stack:
        deed = f"captures {landed_on}" if has_rigant(there) else f"removes {landed_on} from the game"
        return Event(f"{text} to {target} and {deed}.", (origin, target), takes=takes)
    text += f" onto {landed_on} on {target}, making {_described(becomes)}"
    lost = len(stack) + len(there) - len(becomes)
    if said.mark == "x":
        text += "; the Rigant leaves the game"
        lost -= 1
    if lost:
        text += f"; {counted(lost, 'disk')} at the bottom leave{'s' * (lost == 1)} the game"
    return Event(text + ".", (origin, target), takes=takes)


def _division(before: State, said: ReadAction) -> Event:
    stack, origin = before.cells[said.origin], SPACES[said.origin]
    parts, stays = [], stack
    for space, size in said.parts:
        parts.append(f"{_described(stays[:size])} goes to {SPACES[space]}")
        stays = stays[size:]
    colour = COLOURS[owner(stack) - 1]
    text = f"{colour} divides the {piece(stack)} on {origin}: {', '.join(parts)}, {_described(stays)} stays."
    return Event(text, (origin, *(SPACES[space] for space, _ in said.parts)))


def _described(stack: str) -> str:
    """Return a stack with its article, and with its disks if they are not all of one colour."""
    disks = stack.upper()
    return named(piece(stack)) + (f" ({shown(stack)})" if disks.strip(disks[0]) else "")
