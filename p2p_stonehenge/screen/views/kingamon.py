"""Byzantine Kingamon on the screen: the way out along the top and back along the bottom, homes at the right.

Space s stands opposite space 30 - s, so that the board is the same for both sides. `W` and `R` are disks, `WK` and
`RK` kings; a number at depth 5 counts all pieces of a space that holds more. `*` in the frame at a space, or before its
number, marks the last turn. The compact layout counts: `W3` three disks, `WK2` the king and two disks.
"""

from itertools import takewhile
from typing import NamedTuple

from engine import counted
from engine.games.kingamon import ANSWER, CHOOSE, CUBE, GAME, KING, NEUTRAL, OFF, PLAY, ROLL, SAFE, State
from p2p_stonehenge.screen.views import Fragment, Line, Look, Places, View, beside, row
from p2p_stonehenge.text.palettes import side
from p2p_stonehenge.text.widths import cut

_LETTERS = ("", "W", "R")
_STYLES = ("", *map(side, GAME.colours))
_FULL = (78, 17)
"""Columns and rows that the full layout needs."""
_DEPTH = 5
_CELL = 4
_HALVES = 15 * _CELL + 2
"""Columns that the compact layout needs for half the board on a line."""
_TOP = (*range(15, 6, -1), 0, *range(6, 0, -1))
"""The spaces along the top, 0 for the bar; along the bottom stands 30 - s opposite s, and nothing opposite 15."""
_BOTTOM = (-1, *range(16, 24), 0, *range(24, 30))
_BOX = {"unicode": "┌─┬┐│└┴┘·", "ascii": "+-++|+++."}


class Pile(NamedTuple):
    """What a side has on one space, on the bar or off."""

    seat: int
    disks: int
    king: int


def render(state: State, look: Look) -> list[Line]:
    """Return the board with the players, the dice and the cube beside it."""
    roomy = look.width >= _FULL[0] and look.height >= _FULL[1]
    full = roomy if look.layout == "" else look.layout == "full" and roomy
    if full:
        stands = "both sides may stand there" if state.rules & SAFE else "only one side may stand there"
        legend = f" W moves up, R down, then off.  + {stands}.  * last turn"
        return [*beside(_board(state, look), _panel(state, look), look.width), row(("class:dim", legend))]
    return _strip(state, look) + _summary(state, look)


def describe(state: State) -> list[str]:
    """Return where everything stands, side by side."""
    sentences = []
    for seat, colour in enumerate(GAME.colours, 1):
        held = [(space, _pile(state, seat, space)) for space in range(1, OFF)]
        spaces = [f"{_counted(pile)} on {space}" for space, pile in held if _size(pile)]
        for place, pile in (("on the bar", _pile(state, seat, 0)), ("borne off", _pile(state, seat, OFF))):
            if _size(pile):
                spaces.append(f"{_counted(pile)} {place}")
        sentences.append(f"{colour}: {', '.join(spaces)}.")
    if state.rules & CUBE:
        owner = f"{GAME.colours[state.owner - 1]} holds it" if state.owner else "in the middle"
        sentences.append(f"The cube shows {state.stake}, {owner}.")
    if state.phase == PLAY:
        sentences.append(f"{GAME.colours[state.seat - 1]} has {' and '.join(map(str, state.dice))} to play.")
    return sentences


def look_at(state: State, place: str, _viewer: int = 0) -> str:
    """Return what stands on a space, on the bar or off the board."""
    name = place.strip().lower()
    if name in ("bar", "off"):
        where, way = ("The bar", 0) if name == "bar" else ("Off the board", OFF)
        piles = [(GAME.colours[seat - 1], _pile(state, seat, way)) for seat in (1, 2)]
        return f"{where}: {'; '.join(f'{colour} {_counted(pile)}' for colour, pile in piles)}."
    if not (name.isascii() and name.isdigit() and len(name) <= 2 and 0 < int(name) < OFF):
        return f"There is no space {place.strip()[:20]}: spaces are 1 to 29, bar and off."
    space = int(name)
    held = [f"{_counted(pile)} of {GAME.colours[pile.seat - 1]}" for pile in _piles(state, space)]
    one_side = " One side only may stand here." if space in NEUTRAL and not state.rules & SAFE else ""
    return f"Space {space} {'holds ' + ' and '.join(held) if held else 'is empty'}.{one_side}"


def ask(state: State) -> str:
    """Return the word of the prompt."""
    return {CHOOSE: "roll or double", ANSWER: "take or drop"}.get(state.phase, "move")


def _pile(state: State, seat: int, space: int) -> Pile:
    """Return what `seat` has on a space; 0 is its bar and 30 what it bore off."""
    if space in (0, OFF):
        byte = (state.white if seat == 1 else state.red)[space]
    else:
        byte = state.white[space] if seat == 1 else state.red[OFF - space]
    return Pile(seat, byte & 15, int(byte >= KING))


def _piles(state: State, space: int) -> list[Pile]:
    return [pile for pile in (_pile(state, 1, space), _pile(state, 2, space)) if _size(pile)]


def _size(pile: Pile) -> int:
    return pile.disks + pile.king


def _counted(pile: Pile) -> str:
    """Return a pile in words."""
    disks = counted(pile.disks, "disk")
    if pile.king:
        return f"the king and {disks}" if pile.disks else "the king"
    return disks if pile.disks else "nothing"


def _held(pile: Pile) -> str:
    """Return a pile in letters: `W3`, `WK`, `WK+3`."""
    letter = _LETTERS[pile.seat]
    if pile.king:
        return f"{letter}K+{pile.disks}" if pile.disks else f"{letter}K"
    return f"{letter}{pile.disks}" if pile.disks else "-"


def _column(piles: list[Pile], empty: Fragment) -> list[Fragment]:
    """Return the pieces of a space from the edge inwards, at most `_DEPTH` of them."""
    if not piles:
        return [empty]
    pieces = [
        (_STYLES[pile.seat], _LETTERS[pile.seat] + letter)
        for pile in piles
        for letter in ["K"] * pile.king + [""] * pile.disks
    ]
    if len(pieces) <= _DEPTH:
        return pieces
    if len(piles) == 1:
        return [*pieces[: _DEPTH - 1], (_STYLES[piles[0].seat], str(len(pieces)))]
    short = []
    for pile in piles:
        short += [(_STYLES[pile.seat], _LETTERS[pile.seat] + "K")] * pile.king
        short += [(_STYLES[pile.seat], f"{_LETTERS[pile.seat]}{pile.disks}")] * (pile.disks > 0)
    return short


def _lower(look: Look) -> int:
    """Return the seat at the bottom: the viewer's, unless the board is turned round."""
    return 2 if (look.viewer == 2) != look.flip else 1


def _labels(spaces: tuple[int, ...], look: Look) -> Line:
    line = row("  ")
    for space in spaces:
        if space == 0:
            line.append(("class:dim", "   BAR  "))
        else:
            touched = str(space) in look.last
            line.append(("class:title" if touched else "class:dim", f"{space:3}" if space > 0 else "   "))
    return line


def _half(state: State, look: Look, spaces: tuple[int, ...], bar_seat: int) -> list[Line]:
    """Return five lines of the board, the edge first."""
    box = _BOX[look.charset]
    columns = []
    for space in spaces:
        empty = ("class:dim", box[8] if space > 0 else "")
        piles = _piles(state, space) if space > 0 else []
        if space == 0:
            piles = [pile for pile in (_pile(state, bar_seat, 0),) if _size(pile)]
        columns.append((space, _column(piles, empty)))
    edge = ("class:frame", box[4])
    lines = []
    for depth in range(_DEPTH):
        line = row(" ", edge)
        for space, pieces in columns:
            style, text = pieces[depth] if depth < len(pieces) else ("", "")
            if space == 0:
                line += [("", " "), edge, (style, text.rjust(3) + "  "), edge]
            else:
                line.append((style, f"{text:>3}"))
        lines.append([*line, ("", " "), edge])
    return lines


def _board(state: State, look: Look) -> list[Line]:
    box = _BOX[look.charset]
    top, bottom = (_TOP, _BOTTOM) if _lower(look) == 1 else (_BOTTOM, _TOP)
    seats = (1, 2) if _lower(look) == 1 else (2, 1)

    def rule(spaces: tuple[int, ...], seat: int, left: str, cross: str, right: str) -> Line:
        """Return the frame of a half: the sign of each space, and a star if the bar of `seat` was touched."""
        marks = [
            box[1] + ("+" if space in NEUTRAL else box[1]) + (_sign(look, str(space)) or box[1]) for space in spaces
        ]
        bar = spaces.index(0)
        marks[bar] = box[1] * 2 + ("*" if seat in _barred(look) else box[1])
        drawn = ["".join(part) + box[1] for part in (marks[:bar], marks[bar : bar + 1], marks[bar + 1 :])]
        drawn[1] += box[1]
        return row(" ", ("class:frame", left + cross.join(drawn) + right))

    edge = ("class:frame", box[4])
    middle = row(" ", edge, " " * 28, edge, " " * 5, edge, " " * 19, edge)
    return [
        _labels(top, look),
        rule(top, seats[0], box[0], box[2], box[3]),
        *_half(state, look, top, seats[0]),
        middle,
        *reversed(_half(state, look, bottom, seats[1])),
        rule(bottom, seats[1], box[5], box[6], box[7]),
        _labels(bottom, look),
    ]


def _sign(look: Look, space: str) -> str:
    """Return `x` where the piece taken up captures, a dot where it can go, a star at spaces of the last turn."""
    if space in look.targets:
        return "x" if space in look.takes else look.empty(space, "")
    return "*" if space in look.last else ""


def _barred(look: Look) -> set[int]:
    """Return the seats whose bar the last turn touched: a piece entered from it, or was captured."""
    if "bar" not in look.last:
        return set()
    plays = [(seat, action) for seat, action in look.recent if "/" in action]
    turn = list(takewhile(lambda play: play[0] == plays[-1][0], reversed(plays)))
    entered = {seat for seat, action in turn if "bar/" in action}
    return entered | {3 - seat for seat, action in turn if action.endswith("*")}


def _player(state: State, look: Look, seat: int, width: int) -> Line:
    name = look.names[seat - 1] if look.names else GAME.colours[seat - 1]
    you = " (you)" if look.viewer == seat else ""
    mark = ">" if state.seat == seat and state.phase in (CHOOSE, ANSWER, ROLL, PLAY) else " "
    return row(("class:title", f"{mark} "), (_STYLES[seat], _LETTERS[seat]), f" {cut(name, width - len(you))}{you}")


def _cube(state: State) -> str:
    if not state.rules & CUBE:
        return ""
    return f"cube {state.stake}{' ' + _LETTERS[state.owner] if state.owner else ''}"


def _side(state: State, look: Look, seat: int) -> list[Line]:
    off, bar = _held(_pile(state, seat, OFF)), _held(_pile(state, seat, 0))
    return [_player(state, look, seat, 15), row(("class:dim", f"  off {off}  bar {bar}"))]


def _panel(state: State, look: Look) -> list[Line]:
    lower = _lower(look)
    upper = 3 - lower
    dice = "  ".join(f"[{die}]" for die in state.dice)
    recent = [(seat, action) for seat, action in look.recent if seat][-3:]
    lines = [
        row(("class:title", "KINGAMON"), ("class:dim", f" {cut(look.short_id, 10)}")),
        row(),
        *_side(state, look, upper),
        row(),
        row(("class:dim", "dice "), ("class:title", dice or "-")),
        row(("class:dim", _cube(state))),
        row(("class:dim", "moves" if recent else "")),
        *(row("  ", (_STYLES[seat], _LETTERS[seat]), f" {action}") for seat, action in recent),
    ]
    lines += [row() for _ in range(12 - len(lines))]
    counts = max(_size(pile) for seat in (1, 2) for pile in (_pile(state, seat, space) for space in range(1, OFF)))
    told = [row(("class:dim", f"{counts}: {counts} pieces there"))] if counts > _DEPTH else []
    return [*lines, *_side(state, look, lower), *told]


def _strip(state: State, look: Look) -> list[Line]:
    """Return the board as a line of numbers over a line of pieces, half by half where that fits, else in order."""
    halves: list[tuple[int, ...]] = [_TOP, _BOTTOM] if _lower(look) == 1 else [_BOTTOM, _TOP]
    if look.width < _HALVES:
        order, fits = range(1, OFF), max(look.width // _CELL, 1)
        halves = [tuple(order[at : at + fits]) for at in range(0, len(order), fits)]
        halves = [half[::-1] for half in halves[::-1]] if look.flip else halves
    lines: list[Line] = []
    for spaces in halves:
        numbers, pieces = row(), row()
        for space in spaces:
            piles = _piles(state, space) if space > 0 else []
            empty = _BOX[look.charset][8]
            style, text = ("class:dim", empty) if not piles else (_STYLES[piles[0].seat], _short(piles[0]))
            if len(piles) > 1:
                style, text = "class:title", "W&R"
            if space <= 0:
                numbers.append(("class:frame", " |" if space == 0 else " " * _CELL))
                pieces.append(("class:frame", " |" if space == 0 else " " * _CELL))
                continue
            touched = str(space) in look.last
            number = f"{'+' * (space in NEUTRAL)}{_sign(look, str(space))}{space}".rjust(_CELL)
            numbers.append(("class:title" if touched else "class:dim", number))
            pieces.append((style, text.rjust(_CELL)))
        lines += [numbers, pieces]
    shared = [(space, _piles(state, space)) for space in NEUTRAL if len(_piles(state, space)) > 1]
    return lines + [row(f" {space}: {' and '.join(map(_held, piles))}") for space, piles in shared]


def _short(pile: Pile) -> str:
    """Return a pile in at most four letters: `W3`, `WK`, `WK3`."""
    return f"{_LETTERS[pile.seat]}{'K' * pile.king}{pile.disks or ''}"


def _summary(state: State, look: Look) -> list[Line]:
    dice = " ".join(f"[{die}]" for die in state.dice)
    lines = []
    for seat in (1, 2):
        tail = f"  off {_held(_pile(state, seat, OFF))}  bar {_held(_pile(state, seat, 0))}"
        lines.append([*_player(state, look, seat, min(18, look.width - len(tail) - 4)), ("class:dim", tail)])
    tail = "   ".join(part for part in (f"dice {dice or '-'}", _cube(state)) if part)
    return [*lines, row(" ", tail)]


VIEW = View(
    ("full", "compact"),
    Places(r"bar|off(?:\([1-6]\))?|[1-9][0-9]?", marks="x"),
    render,
    describe,
    look_at,
    ask,
    lasts={2: 186},
)
