"""Fidchell on the screen: the round board where it fits, else circles as lines and sections as blocks.

A piece is its owner's letter, in lower case once its owner is out; an empty field is a mark that tells odd circles
from even ones; `K` is the king, `[ ]` marks the last move and `{ }` the chain that has won.
"""

from functools import lru_cache
from math import cos, pi, sin
from typing import NamedTuple

from engine import counted, listed
from engine.games.fidchell import CHAINED, CIRCLES, GAME, ROWS, State, board_of, fields_of
from p2p_stonehenge.screen.views import Fragment, Line, Look, Places, View, beside, flow, row, text_of, who_moves
from p2p_stonehenge.text.palettes import side
from p2p_stonehenge.text.widths import cells, cut

_LETTERS = "RGB"
_STYLES = tuple(map(side, GAME.colours))
_MARKS = {"unicode": "·∘│", "ascii": ".:|"}
"""An empty field on an odd circle, on an even one, and the bar between two sections."""
_APART = 3
"""Columns between two fields on one line, so that both can be in brackets."""
_PANEL = 24
_LOW = 12
"""Rows up to which sections have no numbers above them: they stand in order."""


class _Scale(NamedTuple):
    """How large a round board is drawn: columns to a row of the screen, and the radius of each circle in rows."""

    height: int
    aspect: float
    radii: tuple[float, ...]


_SCALES = (
    _Scale(33, 2.1, (16.0, 13.6, 11.4, 9.2, 7.0, 4.6, 2.4)),
    _Scale(19, 2.2, (9.5, 8.0, 6.61, 5.55, 4.13, 2.65, 1.46)),
)
"""Radii at which the 138 fields of the usual board keep apart, found by trying."""


def render(state: State, look: Look) -> list[Line]:
    """Return the board with the players beside it, or under it; whether it is round depends on the window alone."""
    look = look._replace(chain=_chain(state))
    if look.layout != "compact":
        tall = max(look.height, look.window)
        for number, scale in enumerate(_SCALES):
            lines = _round(state, look, number) if tall >= scale.height + 2 else None
            if lines and max(cells(text_of(line)) for line in lines) + _PANEL + 3 <= look.width:
                return beside(lines, _panel(state, look._replace(height=tall)), look.width)
    players, board = _strip(state, look), _blocks(state, look)
    if len(players) + len(board) > look.height:
        players = flow("", [_brief(state, look, seat) for seat in range(1, len(state.men) + 1)], look.width)
    return [*players, *board]


def _stays(state: State, seat: int) -> bool:
    """Return whether a seat has not become an obstacle: of two, one that is out has lost, and nobody plays round it."""
    return seat in state.playing or len(state.men) == 2


def describe(state: State) -> list[str]:
    """Return where everything stands, seat by seat."""
    sentences = []
    for seat, (men, hand) in enumerate(zip(state.men, state.hands, strict=True), 1):
        names = [state.rules.board.names[field] for field in fields_of(men)]
        pieces = f"{counted(len(names), 'piece')} on {listed(sorted(names))}" if names else "no pieces"
        if _stays(state, seat):
            sentences.append(f"{GAME.colours[seat - 1]}: {pieces}; {hand} in hand.")
        else:
            sentences.append(f"{GAME.colours[seat - 1]} is out: {pieces}, obstacles now.")
    if chain := _chain(state):
        sentences.append(f"{GAME.colours[state.winner - 1]}'s chain to the king: {listed(chain[::-1])}.")
    if _asleep(state):
        sentences.append("The king is asleep: it captures nothing yet.")
    if not state.reason:
        sentences.append(who_moves(GAME.colours, state.to_move, ask(state)))
    return sentences


def look_at(state: State, place: str, _viewer: int = 0) -> str:
    """Return what stands on a field, and which fields are next to it."""
    board = state.rules.board
    name = "".join(place.split()).upper()
    if name in ("K", "KING") or (name[-1:] == "0" and f"{name[:-1]}1" in board.named):
        gate = listed([board.names[field] for field in fields_of(board.gate)])
        return f"The king stands in the middle, next to {gate}."
    if name not in board.named:
        return f"There is no field {place.strip()[:20]}: a field is section, row and circle, as {board.names[0]}."
    field = board.named[name]
    owner = _owner(state, field)
    near = [
        f"{board.names[other]} ({GAME.colours[seat - 1]})" if (seat := _owner(state, other)) else board.names[other]
        for other in fields_of(board.near[field])
    ]
    if board.gate >> field & 1:
        near.append("the king")
    what = f"holds a piece of {GAME.colours[owner - 1]}" if owner else "is empty"
    return f"{name} {what}. Next to it: {listed(near)}."


def ask(state: State) -> str:
    """Return the word of the prompt."""
    return "place" if state.to_move and state.hands[state.to_move - 1] else "move"


def _owner(state: State, field: int) -> int:
    """Return the seat whose piece is on a field, 0 if it is empty."""
    return next((seat for seat, men in enumerate(state.men, 1) if men >> field & 1), 0)


def _chain(state: State) -> tuple[str, ...]:
    """Return the fields of a shortest chain that has won the game, from the king on; none if no chain has."""
    if state.reason != CHAINED:
        return ()
    board, men = state.rules.board, state.men[state.winner - 1]
    seen = {*fields_of(board.gate & men)}
    ways: list[tuple[int, ...]] = [(field,) for field in sorted(seen)]
    for way in ways:  # longer ones come behind
        if way[-1] in board.circles[0]:
            return tuple(board.names[field] for field in way)
        more = [field for field in fields_of(board.near[way[-1]] & men) if field not in seen]
        seen.update(more)
        ways += [(*way, field) for field in more]
    return ()


def _asleep(state: State) -> bool:
    return state.rules.dormant_king == 1 and all(state.hands)


def _mark(state: State, look: Look, field: int) -> Fragment:
    owner = _owner(state, field)
    if not owner:
        name = state.rules.board.names[field]
        return "class:dim", look.empty(name, _MARKS[look.charset][int(name[-1]) % 2 == 0])
    if not _stays(state, owner):
        return "class:dim", _LETTERS[owner - 1].lower()
    return _STYLES[owner - 1], _LETTERS[owner - 1]


# The round board


@lru_cache(8)
def _points(layout: str, sections: int, number: int) -> dict[int, tuple[int, int]] | None:
    """Return the line and column of each field, the king at (0, 0), or None if fields would come too close."""
    scale = _SCALES[number]
    points = {}
    taken = {(0, 0)}
    for circle, radius in zip(board_of(layout, sections).circles, scale.radii, strict=True):
        for place, field in enumerate(circle):
            angle = 2 * pi * (place + 0.5) / len(circle)
            line, column = round(-radius * cos(angle)), round(scale.aspect * radius * sin(angle))
            if any((line, column + shift) in taken for shift in range(1 - _APART, _APART)):
                return None
            points[field] = (line, column)
            taken.add((line, column))
    return points


def _round(state: State, look: Look, number: int) -> list[Line] | None:
    """Return the round board with the names of its rows around it, if this layout can be drawn so."""
    board = state.rules.board
    points = _points(state.rules.layout, state.rules.sections, number)
    if points is None:
        return None
    if look.flip:
        points = {field: (-line, -column) for field, (line, column) in points.items()}
    drawn: dict[int, dict[int, Fragment]] = {0: {0: ("class:title", "K")}}
    ends: dict[int, tuple[int, int]] = {}
    for field, (line, column) in points.items():
        style, text = _mark(state, look, field)
        marks = drawn.setdefault(line, {})
        if sign := look.sign(board.names[field], held=bool(_owner(state, field))):
            marks[column - 1] = (f"{style} {sign[0]}", f"{sign[1]}{text}{sign[2]}")
        else:
            marks[column] = (style, text)
        left, right = ends.get(line, (column, column))
        ends[line] = (min(left, column), max(right, column))
    top = max(drawn) + 1
    for field in board.circles[0]:
        line, column = points[field]
        name = board.names[field][:-1]
        if column == ends[line][0] or column == ends[line][1]:
            at = column + _APART if column > 0 else column - _APART + 1 - len(name)
            drawn[line][at] = ("class:dim", name)
        elif abs(line) == top - 1:
            drawn.setdefault(top if line > 0 else -top, {})[column] = ("class:dim", name)
    return _lines(drawn)


def _lines(drawn: dict[int, dict[int, Fragment]]) -> list[Line]:
    left = min(min(marks) for marks in drawn.values())
    lines = []
    for number in range(min(drawn), max(drawn) + 1):
        line: Line = []
        at = left
        for column, (style, text) in sorted(drawn.get(number, {}).items()):
            line += [("", " " * (column - at)), (style, text)]
            at = column + len(text)
        lines.append(line)
    return lines


# Circles as lines, sections as blocks


def _blocks(state: State, look: Look) -> list[Line]:
    """Return the board unrolled: all sections abreast, if need be with no blank between fields, or as many as fit."""
    rows, sections = len(state.rules.layout), state.rules.sections
    loose, tight = (look.width - 4) // (2 * rows + 2), (look.width - 1) // (rows + 1)
    wide = loose >= sections
    abreast = max(1, min(sections, loose if wide else tight))
    bands = [range(first, min(first + abreast, sections + 1)) for first in range(1, sections + 1, abreast)]
    lines: list[Line] = []
    for band in bands[::-1] if look.flip else bands:
        lines += _band(state, look, band) if wide else _tight_band(state, look, band)
    return lines


def _circles(look: Look) -> range:
    return range(1, CIRCLES + 1) if look.flip else range(CIRCLES, 0, -1)


def _band(state: State, look: Look, band: range) -> list[Line]:
    rows = ROWS[: len(state.rules.layout)]
    bar = _MARKS[look.charset][2]
    head = "   " + "".join(f"{bar} {' '.join(rows)} " for _ in band) + bar
    numbers = "   " + "".join(f" {section}".center(2 * len(rows) + 2) for section in band)
    lines = [row(("class:dim", numbers.rstrip())), row(("class:dim", head))]
    for circle in _circles(look):
        line = row(("class:dim", f" {circle} "))
        for section in band:
            line += [("class:frame", bar), *_block(state, look, [f"{section}{name}{circle}" for name in rows])]
        lines.append([*line, ("class:frame", bar)])
    return lines


def _tight_band(state: State, look: Look, band: range) -> list[Line]:
    """Return the same with no room for brackets: the last move has another style alone."""
    rows = ROWS[: len(state.rules.layout)]
    bar = _MARKS[look.charset][2]
    numbers = "  " + " ".join(f"{section}".center(len(rows)) for section in band)
    lines = [row(("class:dim", numbers.rstrip()))] if look.height > _LOW else []
    lines.append(row(("class:dim", f"  {' '.join(rows for _ in band)}")))
    for circle in _circles(look):
        line = row(("class:dim", f"{circle} "))
        for number, section in enumerate(band):
            line += [("class:frame", bar)] if number else []
            for name in (f"{section}{name}{circle}" for name in rows):
                field = state.rules.board.named.get(name)
                style, text = _mark(state, look, field) if field is not None else ("", " ")
                line.append((f"{style} class:mark-last" if name in look.chain or name in look.last else style, text))
        lines.append(line)
    return lines


def _block(state: State, look: Look, names: list[str]) -> Line:
    """Return the fields of one circle in a section, blanks where a row does not reach it."""
    line: Line = []
    before = None
    for name in [*names, ""]:
        field = state.rules.board.named.get(name)
        sign = look.sign(name, held=field is not None and bool(_owner(state, field))) if name else None
        edge = "|" if before and sign else sign[1] if sign else before[2] if before else " "
        line.append(((sign or before or ("",))[0], edge))
        before = sign
        if name:
            style, text = _mark(state, look, field) if field is not None else ("", " ")
            line.append((f"{style} {sign[0]}" if sign else style, text))
    return line


# The players


def _player(state: State, look: Look, seat: int) -> Line:
    name = look.names[seat - 1] if look.names else GAME.colours[seat - 1]
    you = " (you)" if look.viewer == seat else ""
    mark = ">" if state.to_move == seat and not state.reason else " "
    letter = _LETTERS[seat - 1]
    return row(
        ("class:title", f"{mark} "),
        (_STYLES[seat - 1], letter if _stays(state, seat) else letter.lower()),
        f"  {cut(name, _PANEL - 5 - len(you))}{you}",
    )


def _count(state: State, seat: int) -> str:
    if not _stays(state, seat):
        return "out"
    return f"{state.men[seat - 1].bit_count()} down, {state.hands[seat - 1]} in hand"


def _recent(look: Look, count: int) -> list[Line]:
    moves = [(seat, action) for seat, action in look.recent if seat][-count:]
    told = [row("  ", (_STYLES[seat - 1], _LETTERS[seat - 1]), f"  {action}") for seat, action in moves]
    if told:
        told[-1][-1] = ("class:title", told[-1][-1][1])
    return told


def _panel(state: State, look: Look) -> list[Line]:
    lines = [row(), row(("class:title", "FIDCHELL"), ("class:dim", f"   {look.short_id}")), row()]
    for seat in range(1, len(state.men) + 1):
        lines += [_player(state, look, seat), row(("class:dim", f"     {_count(state, seat)}"))]
    odd, even = _MARKS[look.charset][0], _MARKS[look.charset][1]
    circles = " ".join(f"{odd if circle % 2 else even}{circle}" for circle in range(CIRCLES, 0, -1))
    signs = [row(("class:dim", "K king" + " asleep" * _asleep(state) + "  [ ] last"))]
    signs += [row(("class:dim", "{ } the chain"))] * bool(look.chain)
    signs += [row(("class:dim", "x captured"))] * any(action.endswith("x") for _, action in look.recent)
    signs += [row(("class:dim", "circles from the rim:")), row(("class:dim", f"{circles} K"))]
    if not all(_stays(state, seat) for seat in range(1, len(state.men) + 1)):
        signs.append(row(("class:dim", "r g b obstacles")))
    room = min(7, look.height - len(lines) - len(signs) - 1)  # the panel is no higher than the board
    told = _recent(look, room - 1)
    return [*lines, row(), *told, *[row()] * (room - len(told)), *signs]


def _strip(state: State, look: Look) -> list[Line]:
    """Return the players and what they have, and the latest moves, above a board that may not fit whole."""
    seats = range(1, len(state.men) + 1)
    asleep = "  the king is asleep" * _asleep(state)
    lines = [row(("class:title", "FIDCHELL"), ("class:dim", cut(f" {look.short_id}{asleep}", look.width - 8)))]
    lines += [[*_player(state, look, seat), ("class:dim", f"  {_count(state, seat)}")] for seat in seats]
    moves = [f"{_LETTERS[seat - 1]} {action}" for seat, action in look.recent if seat]
    while moves and len("   ".join(moves)) + 2 > look.width:
        del moves[0]
    return [*lines, row(("class:dim", f"  {'   '.join(moves)}"))] if moves else lines


def _brief(state: State, look: Look, seat: int) -> Line:
    """Return a player in a few letters: `>G ben 14+13`, on the board and in hand."""
    mark, letter, name = _player(state, look._replace(viewer=0), seat)
    held = f" {state.men[seat - 1].bit_count()}+{state.hands[seat - 1]}" if _stays(state, seat) else " out"
    return [(mark[0], mark[1].strip()), letter, (name[0], f" {cut(name[1].strip(), 7)}"), ("class:dim", held)]


VIEW = View(
    ("round", "compact"),
    Places(r"([1-9][0-9]?)([A-I])([1-7])"),
    render,
    describe,
    look_at,
    ask,
    keeps_form=True,
    lasts={2: 42, 3: 236},
)
