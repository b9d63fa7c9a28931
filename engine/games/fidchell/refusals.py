"""Why an action of Fidchell is not possible, in the words of its rules page."""

import re

from engine.game import Action, Refusal
from engine.games.fidchell.board import CIRCLES, COLOURS, ROWS
from engine.games.fidchell.state import Rules, State
from engine.words import counted

_FIELD = re.compile(r"(?<![0-9])([0-9]{1,3})\s*+([A-Z])\s*+([0-9]{1,3})(?![0-9])")
"""What is written like a field, in capitals."""


def why_not(state: State, seat: int, action: Action) -> Refusal:
    """Return why `seat`, which is to act, may not do an action that is well written."""
    board, hand = state.rules.board, state.hands[seat - 1]
    origin, _, target = action.partition("-")
    for name in (origin, target):
        if name and name not in board.named:
            text = no_place(state, name)
            return Refusal("no-field", "board", f"{text[0].upper()}{text[1:]}.")
    if not target:
        if not hand:
            return Refusal("hand", "turn", "Your hand is empty: you move a piece now, as in 5D4-5D7.")
        text = f"{origin} holds {_owned(state, origin)}: a piece is placed on an empty field."
        return Refusal("occupied", "placing", text)
    if hand:
        held = counted(hand, "piece")
        return Refusal("hand", "turn", f"You still have {held} in hand: place one by naming a field, as in 5D4.")
    if not state.men[seat - 1] >> board.named[origin] & 1:
        there = _owned(state, origin)
        text = f"{origin} holds {there}: move a piece of your own." if there else f"{origin} is empty."
        return Refusal("not-yours" if there else "empty", "moving", text)
    return _not_moved(state, origin, target)


def _not_moved(state: State, origin: str, target: str) -> Refusal:
    if origin == target:
        return Refusal("reach", "moving", f"The piece is on {origin} already: a move ends elsewhere.")
    there = _owned(state, target)
    if there:
        return Refusal("occupied", "moving", f"{target} holds {there}: a piece moves to empty fields only.")
    if origin[-1] == target[-1]:
        text = f"The way from {origin} to {target} is blocked both ways round the circle."
        return Refusal("blocked", "moving", text)
    if origin[:-1] != target[:-1]:
        text = f"A piece moves along its circle or its row: from {origin} it cannot reach {target}."
        return Refusal("reach", "moving", text)
    step = 1 if origin < target else -1
    between = (f"{origin[:-1]}{circle}" for circle in range(int(origin[-1]) + step, int(target[-1]), step))
    name, there = next((name, there) for name in between if (there := _owned(state, name)))
    return Refusal("blocked", "moving", f"The way from {origin} to {target} is blocked: {name} holds {there}.")


def _owned(state: State, name: str) -> str:
    """Return what stands on a field, in words; empty if nothing does."""
    field = state.rules.board.named[name]
    owner = next((seat for seat, some in enumerate(state.men, 1) if some >> field & 1), 0)
    return f"a piece of {COLOURS[owner - 1]}" if owner else ""


def no_place(state: State, text: str) -> str:
    """Return which field that a text names is not on the board, and which are there; empty if it has all."""
    for section, row, circle in _FIELD.findall(text.upper()):
        if f"{section}{row}{circle}" not in state.rules.board.named:
            return _no_field(section, row, circle, state.rules)
    return ""


def _no_field(section: str, row: str, circle: str, rules: Rules) -> str:
    """Return why a layout has no field of that name, a sentence without capital and full stop."""
    name, layout, sections = f"{section}{row}{circle}", rules.layout, rules.sections
    if not 0 < int(section) <= sections or section[0] == "0":
        return f"there is no field {name}; sections are 1-{sections}"
    if row not in ROWS[: len(layout)]:
        rows = f"rows are A-{ROWS[len(layout) - 1]}" if len(layout) > 1 else "there is but row A"
        return f"there is no field {name}; {rows}"
    if circle == "0":
        return "circle 0 is the king's alone; no piece stands there"
    innermost = max(int(layout[ROWS.index(row)]), 1)
    ranging = f"runs from circle {CIRCLES} to {innermost}" if innermost < CIRCLES else f"has circle {CIRCLES} alone"
    return f"there is no field {name}; row {row} {ranging}"
