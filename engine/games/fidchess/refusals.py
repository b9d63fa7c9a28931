"""Why a move of Fidchess is not possible, in the words of its rules page."""

from engine.game import Refusal
from engine.games.fidchess.board import (
    ADJACENT,
    BACK,
    COLOURS,
    CONTENT,
    DISKS,
    LINES,
    RIGANT,
    SEAT_SHIFT,
    SPACES,
    SUPPLY,
    movement,
    piece,
    size,
)
from engine.games.fidchess.notation import ReadAction
from engine.games.fidchess.state import State
from engine.stacks import HOW
from engine.words import counted


def why_not(state: State, seat: int, said: ReadAction) -> Refusal:
    """Return why `seat`, which is to act, may not make a move that is well written."""
    stack = state.cells[said.origin]
    place = SPACES[said.origin]
    if not stack:
        return Refusal("empty", "moves", f"{place} is empty: there is no piece to move.")
    if stack >> SEAT_SHIFT != seat:
        return Refusal("not-yours", "moves", f"The {piece(stack)} on {place} belongs to {COLOURS[2 - seat]}.")
    return _not_divided(state, seat, said) if said.parts else _not_moved(state, seat, said)


def _not_moved(state: State, seat: int, said: ReadAction) -> Refusal:
    cells, rules = state.cells, state.rules
    origin, target = SPACES[said.origin], SPACES[said.target]
    stack, there = cells[said.origin], cells[said.target]
    if said.origin == said.target:
        return Refusal("reach", "moves", f"The {piece(stack)} is on {origin} already: a move ends elsewhere.")
    kind = movement(stack)
    line = next((line for line in LINES[kind][said.origin] if said.target in line), None)
    if line is None:
        return Refusal("reach", "moves", f"{HOW[kind]}: from {origin} it cannot reach {target}.")
    for space in line[: line.index(said.target)]:
        if cells[space]:
            text = f"The way from {origin} to {target} is blocked: {SPACES[space]} holds {_owned(cells[space])}."
            return Refusal("blocked", "moves", text)
    if there >> SEAT_SHIFT == seat:
        if there & RIGANT:
            return Refusal("own-rigant", "joining", f"Your Rigant is on {target}: no piece of yours lands on it.")
        if stack & RIGANT and not rules.rigant_stacking:
            text = f"The Rigant joins no stack: {target} holds your {piece(there)}."
            return Refusal("rigant-joins", "joining", text)
        high = size(stack) + size(there)
        if high > rules.highest:
            text = f"The {piece(stack)} and the {piece(there)} would be {high} high: {rules.highest} is the most."
            return Refusal("too-high", "joining", text)
        return Refusal("promotion", "promotion", f"A disk that joins the {piece(there)} on {target} is not promoted.")
    return _not_promoted(seat, stack, said.target)


def _not_divided(state: State, seat: int, said: ReadAction) -> Refusal:
    stack, place = state.cells[said.origin], SPACES[said.origin]
    if size(stack) == 1:
        return Refusal("single", "dividing", f"The {piece(stack)} on {place} is a single piece: it cannot be divided.")
    if said.origin in BACK[seat]:
        text = f"{place} is in the opponent's back column: no stack divides there."
        return Refusal("back-column", "dividing", text)
    for part in said.parts:
        target = SPACES[part.space]
        if part.space not in ADJACENT[said.origin]:
            text = f"{target} is not next to {place}: parts go one space, not diagonally."
            return Refusal("reach", "dividing", text)
        if state.cells[part.space]:
            text = f"{target} holds {_owned(state.cells[part.space])}: parts go to empty spaces only."
            return Refusal("occupied", "dividing", text)
    if len({part.space for part in said.parts}) < len(said.parts):
        return Refusal("same-space", "dividing", "Each part goes to a different space.")
    rigants = sum(part.content & RIGANT for part in said.parts)
    if rigants > stack & RIGANT:
        text = "There is but one Rigant" if stack & RIGANT else f"The {piece(stack)} on {place} is without the Rigant"
        return Refusal("rigant-part", "dividing", f"{text}: write a part of disks alone as 1@{target}.")
    leaving = sum(part.content & DISKS for part in said.parts)
    if leaving > stack & DISKS or leaving + rigants == stack & CONTENT:
        text = f"The stack on {place} has {counted(stack & DISKS, 'disk')}"
        text += " and the Rigant" if stack & RIGANT else ""
        return Refusal(
            "nothing-stays", "dividing", f"{text}: something must stay when {counted(leaving, 'disk')} leave."
        )
    wrong = (part for part in said.parts if part.promotes)
    part = next((part for part in wrong if part.content != 1 or part.space not in BACK[seat]), said.parts[-1])
    return _not_promoted(seat, part.content, part.space)


def _not_promoted(seat: int, stack: int, target: int) -> Refusal:
    if stack & CONTENT != 1:
        return Refusal("promotion", "promotion", f"Only a single disk is promoted, not a {piece(stack)}.")
    if target not in BACK[seat]:
        column = 8 if seat == 1 else 1
        return Refusal("promotion", "promotion", f"A disk is promoted in column {column}, not on {SPACES[target]}.")
    text = f"All your {SUPPLY} disks are on the board: none is left to promote with."
    return Refusal("no-reserve", "promotion", text)


def _owned(stack: int) -> str:
    name = piece(stack)
    return f"{'an' if name[0] == 'O' else 'a'} {name} of {COLOURS[(stack >> SEAT_SHIFT) - 1]}"
