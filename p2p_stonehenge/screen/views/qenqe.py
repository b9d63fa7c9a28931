"""Fidchess Qenqe on the screen: the ring unrolled into two facing halves, a stack as letters, its top first.

`WWB` is White's stack with a disk of Blue at the bottom, `W*` White's Rigant, `W*5+` a stack too high to spell out: the
Rigant on four disks, not all of one colour. Small letters are disks of a seat that is out; `[ ]` marks the last move.
"""

from engine import counted, listed
from engine.games.qenqe import GAME, INDEX, LETTERS, RING, ROWS, SPACES, State, has_rigant, owner, piece, setup
from p2p_stonehenge.screen.views import Fragment, Line, Look, Places, View, flow, row, who_moves
from p2p_stonehenge.text.palettes import side
from p2p_stonehenge.text.widths import cut, fit

_STYLES = tuple(map(side, GAME.colours))
_FULL = (80, 20)
"""Columns and rows that the full layout needs."""
_FULL_CELL = 5
_SIGNS = {"unicode": "·─", "ascii": ".-"}
"""An empty space, and the line between the halves."""
_LEGEND = "From the top: WWB two disks of White on one of Blue; * Rigant; [ ] last move"
_NEUTRAL = "small letters are neutral"
_HIGH = "B5+ five high, Blue on top, others below: `look`"
"""What is explained where the board shows it."""
_TALL, _MIXED = "W3 three high, White on top", "+ others below: `look`"
_SPELT = 3
"""Letters to a space from which on a stack is spelled out where it fits: in fewer, a height tells apart more stacks."""
_LETTERED, _HIGHER = "WB White on Blue", "W4 four high"
"""What is explained of stacks that are spelled out below the compact board."""
_RIGANT, _LAST, _COUNT = "* Rigant", "[ ] last", "a number by a name: own disks"
"""What is explained below the compact board, where there is room for it: what that board shows of these."""


def render(state: State, look: Look) -> list[Line]:
    """Return the board with the players below it."""
    roomy = look.width >= _FULL[0] and look.height >= _FULL[1]
    return _full(state, look) if roomy and look.layout != "compact" else _compact(state, look)


def describe(state: State) -> list[str]:
    """Return where everything stands, seat by seat."""
    sentences = []
    for seat in range(1, state.rules.seats + 1):
        kinds: dict[str, list[str]] = {}
        for name, stack in zip(SPACES, state.cells, strict=True):
            if stack and owner(stack) == seat:
                kinds.setdefault(stack, []).append(name)
        ranked = sorted(kinds, key=lambda stack: (piece(stack) == "Rigant", len(stack), stack), reverse=True)
        stacks = "; ".join(f"{_told(stack)} on {listed(kinds[stack])}" for stack in ranked)
        neutral = "" if seat in state.playing else " (out, neutral)"  # a seat that is put out ends the game
        sentences.append(f"{GAME.colours[seat - 1]}{neutral}: {stacks or 'nothing'}.")
    if not state.reason:
        sentences.append(who_moves(GAME.colours, state.to_move))
    return sentences


def look_at(state: State, place: str, _viewer: int = 0) -> str:
    """Return what stands on a space, the whole stack from its top."""
    name = place.strip().upper()
    if name not in INDEX:
        return f"There is no space {place.strip()[:20]}: spaces are A1 to D30."
    stack = state.cells[INDEX[name]]
    if not stack:
        return f"{name} is empty."
    neutral = "" if owner(stack) in state.playing else "neutral "
    text = f"{name} holds {GAME.colours[owner(stack) - 1]}'s {neutral}{piece(stack)}"
    return f"{text}, from the top: {_spelt(stack)}." if len(stack) > 1 else f"{text}."


def ask(_: State) -> str:
    """Return the word of the prompt."""
    return "move"


def _spelt(stack: str) -> str:
    disks = [GAME.colours[LETTERS.index(disk)] for disk in stack.upper()]
    return ", ".join(["the Rigant", *disks[1:]] if has_rigant(stack) else disks)


def _told(stack: str) -> str:
    """Return a stack's name, and its disks if they are not all of the colour on top."""
    disks = stack.upper()
    return f"{piece(stack)} ({_spelt(stack)})" if disks.strip(disks[0]) else piece(stack)


# The board


def _order(look: Look, seats: int) -> list[int]:
    """Return the columns clockwise from the lower right corner: the viewer's own stand in the middle below.

    Who has no seat sees the board as the first one does: no home is cut.
    """
    viewer = look.viewer if 0 < look.viewer <= seats else 1
    first = setup(seats).index(LETTERS[viewer - 1].lower()) + 1 - RING // 4 + RING // 2 * look.flip
    return [(first - 1 + step) % RING + 1 for step in range(RING)]


def _stack(state: State, stack: str, room: int) -> list[Fragment]:
    """Return a stack in at most `room` letters, each in its colour."""
    neutral = [letter for seat, letter in enumerate(LETTERS, 1) if seat not in state.playing]

    def letter(disk: str) -> Fragment:
        disk = disk.upper()
        return ("class:dim", disk.lower()) if disk in neutral else (_STYLES[LETTERS.index(disk)], disk)

    top = letter(stack[0])
    star: list[Fragment] = [(top[0], "*")] if has_rigant(stack) else []
    if len(stack) + len(star) <= room and room >= _SPELT:
        return [top, *star, *map(letter, stack[1:])]
    if len(stack) == 1:
        return [top, *star]
    disks = stack.upper()
    mixed = "+" if disks.strip(disks[0]) and len(star) < room - 2 else ""
    return [top, *star, (top[0], f"{len(stack)}{mixed}")]


def _rows(state: State, look: Look, columns: list[int], width: int, rows: str) -> list[Line]:
    """Return some rows of some columns, `width` to a space: a sign of the last move, then the stack."""
    empty = _SIGNS[look.charset][0]
    lines = []
    for name in rows:
        # Letter by letter, since what is long or marked reaches into the gap before the next space.
        line: Line = [("", " ")] * (4 + width * (len(columns) - 1) + max(width, 4))
        line[1] = ("class:dim", name)
        found = [(f"{name}{column}", state.cells[INDEX[f"{name}{column}"]]) for column in columns]
        signs = [look.sign(place, held=bool(stack)) for place, stack in found]
        for number, (place, stack) in enumerate(found):
            shown = _stack(state, stack, width - 1) if stack else [("class:dim", look.empty(place, empty))]
            beside = signs[number] and any(signs[number + 1 : number + 2])
            height_tells_all = len({*stack.upper()}) == 1
            if beside and height_tells_all and sum(len(text) for _, text in shown) == width - 1:
                shown = _stack(state, stack, width - 2)  # with room for the brackets of both
            letters = [(style, one) for style, text in shown for one in text]
            start = 4 + width * number
            if sign := signs[number]:
                letters = [(f"{style} {sign[0]}", one) for style, one in letters]
                # Else two neighbours share an edge: neither may lose its bracket.
                edge = {" ": sign[1], "]": "|", ")": "|", ">": "|", "+": "|"}.get(line[start - 1][1])
                line[start - 1] = (letters[0][0], edge) if edge else line[start - 1]
                line[start + len(letters)] = (letters[0][0], sign[2])
            line[start : start + len(letters)] = letters
        lines.append(_joined(line))
    return lines


def _joined(line: Line) -> Line:
    """Return a line of single letters in as few fragments as have different styles."""
    joined: Line = []
    for style, text in line:
        if joined and joined[-1][0] == style:
            joined[-1] = (style, joined[-1][1] + text)
        else:
            joined.append((style, text))
    return joined


def _head(columns: list[int], width: int) -> Line:
    return row(("class:dim", "    " + "".join(f"{column:<{width}}" for column in columns).rstrip()))


def _halves(state: State, look: Look, width: int) -> tuple[list[Line], list[Line]]:
    """Return the two halves, row D of each towards the other."""
    order = _order(look, state.rules.seats)
    below, above = order[: RING // 2][::-1], order[RING // 2 :]
    upper = [_head(above, width), *_rows(state, look, above, width, ROWS)]
    return upper, [*_rows(state, look, below, width, ROWS[::-1]), _head(below, width)]


def _full(state: State, look: Look) -> list[Line]:
    upper, lower = _halves(state, look, _FULL_CELL)
    dash = _SIGNS[look.charset][1]
    way = f"  ^{' clockwise: to the right above, to the left below '.center(15 * _FULL_CELL, dash)}v"
    return [
        row(("class:title", " FIDCHESS QENQE"), ("class:dim", f"   {look.short_id}")),
        *upper,
        row(("class:frame", way)),
        *lower,
        row(),
        *_players(state, look),
        row(("class:dim", f" {_LEGEND}")),
        *_rarer(state),
    ]


def _rarer(state: State) -> list[Line]:
    """Return what explains signs that only some positions have, whatever is marked there."""
    told = [_NEUTRAL] * _has_neutral(state) + [_HIGH] * _is_mixed(state, _FULL_CELL - 1)
    return [row(("class:dim", f" {'; '.join(told)}"))] if told else []


def _has_neutral(state: State) -> bool:
    """Return whether a seat is out, whose disks are neutral."""
    return len(state.playing) < state.rules.seats


def _is_mixed(state: State, room: int) -> bool:
    """Return whether a stack is shown with `+`, where each has so many letters."""
    return any(_stack(state, stack, room)[-1][1].endswith("+") for stack in state.cells if stack)


def _compact(state: State, look: Look) -> list[Line]:
    seats = range(1, state.rules.seats + 1)
    players = []
    for seat in seats:
        name, number = f" {cut(_name(look, seat), 14)}", f" {_disks(state, seat)[0]}"
        players.append(row(("class:title", _mark(state, seat)), _letter(state, seat), name, ("class:dim", number)))
    cell = 4 if look.width > 3 + 4 * (RING // 2) else 3 if look.width > 4 + 3 * (RING // 2) else 2
    board = _tight(state, look) if cell == 2 else [line for half in _halves(state, look, cell) for line in half]
    told = [*board, *flow("", players, look.width)]
    for explained in ([*_signs(state, cell), row(("class:dim", _COUNT))], _signs(state, cell)):
        signs = flow("  ", explained, look.width)
        if len(told) + len(signs) <= look.height:
            return [*told, *signs]
    return told


def _signs(state: State, cell: int) -> list[Line]:
    """Return what explains the signs of the compact board with `cell` letters to a space."""
    told = [_LAST] * (cell > 2)  # no `last` above `move>`
    if cell > _SPELT:
        high = any(_stack(state, stack, cell - 1)[-1][1][0].isdigit() for stack in state.cells if stack)
        told += [_LETTERED, *[_HIGHER] * high]
    else:
        told.append(_TALL)
    told += [*[_MIXED] * _is_mixed(state, cell - 1), _RIGANT]
    return [row(("class:dim", one)) for one in (*told, *[_NEUTRAL] * _has_neutral(state))]


def _tight(state: State, look: Look) -> list[Line]:
    """Return the halves with two letters to a space: whose the stack is, and its height or `*` for the Rigant.

    There is no room for brackets: the last move has another style alone.
    """
    order = _order(look, state.rules.seats)
    below, above = order[: RING // 2][::-1], order[RING // 2 :]
    lines = []
    for columns, rows in ((above, ROWS), (below, ROWS[::-1])):
        head = row(("class:dim", "   " + "".join(f"{column:<4}" for column in columns[::2]).rstrip()))
        half = []
        for name in rows:
            line = row(" ", ("class:dim", f"{name} "))
            for place in (f"{name}{column}" for column in columns):
                style, text = _pair(state, look, state.cells[INDEX[place]])
                line.append((f"{style} class:mark-last" if place in look.last else style, f"{text:<2}"))
            half.append(line)
        lines += [head, *half] if rows == ROWS else [*half, head]
    return lines


def _pair(state: State, look: Look, stack: str) -> Fragment:
    """Return a stack in two letters."""
    if not stack:
        return "class:dim", _SIGNS[look.charset][0]
    style, letter = _stack(state, stack, 1)[0]
    return style, letter + ("*" if has_rigant(stack) else str(len(stack)) if len(stack) > 1 else "")


# The players


def _players(state: State, look: Look) -> list[Line]:
    """Return a line for each seat, with the latest moves beside them."""
    seats = state.rules.seats
    moves = [(seat, action) for seat, action in look.recent if seat][-seats:]
    lines = []
    for seat in range(1, seats + 1):
        own, captives = _disks(state, seat)
        held = counted(own, "disk") + (f", {counted(captives, 'captive')}" if captives else "")
        you = " (you)" if look.viewer == seat else ""
        told = held if seat in state.playing else f"neutral: {held}"
        line = row(
            ("class:title", f" {_mark(state, seat)} "),
            _letter(state, seat),
            f"  {fit(cut(_name(look, seat), 20 - len(you)) + you, 20)} {fit(told, 30)}",
        )
        if seat <= len(moves):
            mover, action = moves[seat - 1]
            line += [("", " "), _letter(state, mover), ("class:title" if seat == len(moves) else "", f" {action[:20]}")]
        lines.append(line)
    return lines


def _mark(state: State, seat: int) -> str:
    return ">" if state.to_move == seat and not state.reason else " "


def _letter(state: State, seat: int) -> Fragment:
    letter = LETTERS[seat - 1]
    return (_STYLES[seat - 1], letter) if seat in state.playing else ("class:dim", letter.lower())


def _name(look: Look, seat: int) -> str:
    return look.names[seat - 1] if look.names else GAME.colours[seat - 1]


def _disks(state: State, seat: int) -> tuple[int, int]:
    """Return how many disks of its own, and of others, are in the stacks that a seat controls."""
    disk = LETTERS[seat - 1]
    held = "".join(stack for stack in state.cells if stack and owner(stack) == seat).replace(disk.lower(), "")
    return held.count(disk), len(held) - held.count(disk)


VIEW = View(
    ("full", "compact"),
    Places(r"([A-D])([1-9][0-9]?)", marks="x"),
    render,
    describe,
    look_at,
    ask,
    lasts={2: 26, 3: 29, 4: 32, 5: 30},
)
