"""Fidchess on the screen: four rows across and eight columns up, a stack as its owner's letter and its height.

`Y3` is a stack of three disks of Yellow, `YR` its Rigant, `Y2R` two disks and the Rigant; `[ ]` marks the last move.
"""

from engine import counted, listed
from engine.games.fidchess import (
    COLUMNS,
    CONTENT,
    DISKS,
    GAME,
    INDEX,
    RIGANT,
    ROWS,
    SEAT_SHIFT,
    SPACES,
    SUPPLY,
    State,
    disks,
    piece,
    size,
)
from p2p_stonehenge.screen.views import Fragment, Line, Look, Places, View, beside, row, who_moves
from p2p_stonehenge.text.palettes import side
from p2p_stonehenge.text.widths import cut

_LETTERS = ("", "Y", "G")
_STYLES = ("", *map(side, GAME.colours))
_FULL = (62, 18)
"""Columns and rows that the full layout needs."""
_CELL = 6
_YOU = 14
"""Columns of a name that leave room to say that it is the viewer's."""
_SHORT = 26
"""Columns of the compact board, and the gap beside it."""
_ALONE = "Y2 two disks, YR the Rigant, [ ] last move"
_IN_STACKS = "Y2R two disks, the Rigant: a Teth; [ ] last"
"""What the signs mean, where the Rigant stands alone, and where it may stand on disks."""
_BOX = {"unicode": "┌─┬┐│├┼┤└┴┘·", "ascii": "+-++|++++++."}


def render(state: State, look: Look) -> list[Line]:
    """Return the board with the players beside it."""
    roomy = look.width >= _FULL[0] and look.height >= _FULL[1]
    full = roomy if look.layout == "" else look.layout == "full" and roomy
    return beside(
        _boxes(state, look) if full else _grid(state, look),
        _panel(state, look) if full else _short_panel(state, look),
        look.width,
    )


def describe(state: State) -> list[str]:
    """Return where everything stands, seat by seat."""
    sentences = []
    for seat, colour in enumerate(GAME.colours, 1):
        kinds: dict[int, list[str]] = {}
        for name, stack in zip(SPACES, state.cells, strict=True):
            if stack >> SEAT_SHIFT == seat:
                kinds.setdefault(stack, []).append(name)
        ranked = sorted(kinds, key=lambda stack: (stack & CONTENT == RIGANT, stack & RIGANT, size(stack)), reverse=True)
        stacks = "; ".join(f"{piece(stack)} on {listed(kinds[stack])}" for stack in ranked)
        reserve = SUPPLY - disks(state.cells, seat)
        sentences.append(f"{colour}: {stacks}; {reserve} in reserve." if reserve else f"{colour}: {stacks}.")
    if not state.reason:
        sentences.append(who_moves(GAME.colours, state.to_move))
    return sentences


def look_at(state: State, place: str, _viewer: int = 0) -> str:
    """Return what stands on a space."""
    name = place.strip().upper()
    if name not in INDEX:
        return f"There is no space {place.strip()[:20]}: spaces are A1 to D8."
    stack = state.cells[INDEX[name]]
    if not stack:
        return f"{name} is empty."
    text = f"{name} holds {GAME.colours[(stack >> SEAT_SHIFT) - 1]}'s {piece(stack)}"
    count = stack & DISKS
    return f"{text}, {counted(count, 'disk')}." if count else f"{text}."


def ask(_: State) -> str:
    """Return the word of the prompt."""
    return "move"


def _order(look: Look) -> tuple[str, str]:
    """Return the columns from the top and the rows from the left, the viewer's own end at the bottom."""
    return (COLUMNS, ROWS[::-1]) if _seats(look)[1] == 2 else (COLUMNS[::-1], ROWS)


def _stack(state: State, look: Look, name: str, width: int, empty: str) -> Fragment:
    stack = state.cells[INDEX[name]]
    text = f"{_LETTERS[stack >> SEAT_SHIFT]}{stack & DISKS or ''}{'R' * (stack & RIGANT > 0)}" or look.empty(
        name, empty
    )
    style = _STYLES[stack >> SEAT_SHIFT] if stack else "class:dim"
    if sign := look.sign(name, held=bool(stack)):
        return f"{style} {sign[0]}", f"{sign[1]}{text}{sign[2]}".center(width)
    return style, text.center(width)


def _boxes(state: State, look: Look) -> list[Line]:
    box = _BOX[look.charset]
    columns, rows = _order(look)

    def rule(left: str, cross: str, right: str) -> Line:
        return row(("class:frame", "   " + left + cross.join([box[1] * _CELL] * 4) + right))

    edge = ("class:frame", box[4])
    lines = [row(("class:dim", "    " + " ".join(name.center(_CELL) for name in rows)))]
    lines.append(rule(box[0], box[2], box[3]))
    for place, column in enumerate(columns):
        if place:
            lines.append(rule(box[5], box[6], box[7]))
        line = row(("class:dim", f" {column} "), edge)
        for name in rows:
            line += [_stack(state, look, name + column, _CELL, box[11]), edge]
        lines.append(line)
    lines.append(rule(box[8], box[9], box[10]))
    return lines


def _grid(state: State, look: Look) -> list[Line]:
    """Return the board without lines; where there is room for them, each row stands where it does between lines."""
    columns, rows = _order(look)
    gap, wide = (" ", _CELL) if look.width >= _FULL[0] else ("", _CELL - 1)
    lines = [row(("class:dim", "   " + "".join(gap + name.center(wide) for name in rows)))]
    for column in columns:
        line = row(("class:dim", f" {column} "))
        for name in rows:
            line += [("", gap), _stack(state, look, name + column, wide, _BOX[look.charset][11])]
        lines.append(line)
    return lines


def _player(state: State, look: Look, seat: int, width: int) -> Line:
    name = look.names[seat - 1] if look.names else GAME.colours[seat - 1]
    you = " (you)" if look.viewer == seat and width >= _YOU else ""
    mark = ">" if state.to_move == seat and not state.reason else " "
    return row(("class:title", f"{mark} "), (_STYLES[seat], _LETTERS[seat]), f"  {cut(name, width - len(you))}{you}")


def _seats(look: Look) -> tuple[int, int]:
    """Return the seat at the top and the seat at the bottom."""
    return (1, 2) if (look.viewer == 2) != look.flip else (2, 1)


def _panel(state: State, look: Look) -> list[Line]:
    upper, lower = (
        [_player(state, look, seat, 24), row(("class:dim", f"     {_supply(state, seat)}"))] for seat in _seats(look)
    )
    moves = [(seat, action) for seat, action in look.recent if seat][-6:]
    told = [row("  ", (_STYLES[seat], _LETTERS[seat]), f"  {action}") for seat, action in moves]
    if told:
        told[-1][-1] = ("class:title", told[-1][-1][1])
    told += [row() for _ in range(6 - len(told))]
    return [
        row(),
        row(("class:title", "FIDCHESS"), ("class:dim", f"   {look.short_id}")),
        row(),
        *upper,
        row(),
        *told,
        row(),
        *lower,
        row(),
        row(("class:dim", _IN_STACKS if state.rules.rigant_stacking else _ALONE)),
        row(("class:dim", ", ".join(f"Y{height} {piece(height)}" for height in range(1, state.rules.highest + 1)))),
    ]


def _supply(state: State, seat: int) -> str:
    on = disks(state.cells, seat)
    return f"{counted(on, 'disk')}{f', {SUPPLY - on} in reserve' if on < SUPPLY else ''}"


def _short_panel(state: State, look: Look) -> list[Line]:
    room = max(min(14, look.width - _SHORT - 5), 8)
    lines = [row(("class:title", "FIDCHESS"), ("class:dim", f" {look.short_id}")), row()]
    for seat in _seats(look):
        off = SUPPLY - disks(state.cells, seat)
        lines.append(_player(state, look, seat, room))
        lines.append(row(("class:dim", f"     {off} reserve" if off else "")))
    for seat, action in [(seat, action) for seat, action in look.recent if seat][-3:]:
        lines.append(row("  ", (_STYLES[seat], _LETTERS[seat]), f"  {action}"))
    return lines


VIEW = View(("full", "compact"), Places(r"([A-D])([1-8])", marks="x"), render, describe, look_at, ask, lasts={2: 33})
