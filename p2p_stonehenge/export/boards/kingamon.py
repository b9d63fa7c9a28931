"""Byzantine Kingamon drawn as its way: out along the top, back along the bottom, homes at the right."""

from functools import cache

from engine.games.kingamon import CUBE, GAME, KING, NEUTRAL, OFF, SAFE, State
from p2p_stonehenge.export.svg import Picture, box, circle, crown, disc, group, label, path

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_LETTERS = "WR"
_CELL = 42.0
_RADIUS = 18.5
_LEFT, _TOP, _BAR, _TRAY = 12.0, 34.0, 54.0, 92.0
_HEIGHT = 500.0
_LEGEND = 30.0
"""Room for the legend below the board."""
_WIDTH = 2 * _LEFT + 15 * _CELL + _BAR + _TRAY
_POINT = 180.0
_DEEP = 5
"""Pieces of a space that are drawn; of more there is a number."""
_WAY_OUT = (*range(15, 6, -1), 0, *range(6, 0, -1))
"""The spaces along the top, 0 for the bar; opposite space s lies 30 - s, and nothing opposite 15."""


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
    """Return the board, White's bar and home above, with what each side bore off at the right, dice and cube."""
    del names
    pieces = []
    for space in range(1, OFF):
        held = [_held(state, seat, space) for seat in (1, 2)]
        shared = all(disks + kings for disks, kings in held)
        for seat, (disks, kings) in enumerate(held, 1):
            pieces += _column(space, seat, disks, kings, 2 if shared and seat == 2 else 0, _DEEP - 3 * shared)
        if str(space) in last:
            x, y, inward = _edge(space)
            pieces.append(box(x - _CELL / 2 + 2, min(y, y + inward * 6) - 1, _CELL - 4, 8, "f-mark", 3))
    for seat in (1, 2):
        pieces += _bar(state, seat) + _borne_off(state, seat)
    return Picture(_WIDTH, _HEIGHT + _LEGEND, _board(bool(state.rules & SAFE)), (*pieces, *_dice(state), *_cube(state)))


def _held(state: State, seat: int, space: int) -> tuple[int, int]:
    """Return the disks and kings of a side on a space; 0 is its bar, OFF what it bore off."""
    way = space if seat == 1 or space in (0, OFF) else OFF - space
    byte = (state.white if seat == 1 else state.red)[way]
    return byte & 15, int(byte >= KING)


def _edge(space: int) -> tuple[float, float, int]:
    """Return the middle of a space's outer edge, and 1 if inwards is down, -1 if it is up."""
    top = space <= 15
    at = _WAY_OUT.index(space if top else OFF - space)
    x = _LEFT + _CELL * (at + 0.5) + (_BAR - _CELL if at > 9 else 0)
    return (x, _TOP, 1) if top else (x, _HEIGHT - _TOP, -1)


def _column(space: int, seat: int, disks: int, kings: int, skip: int, deep: int) -> list[str]:
    """Return the pieces of a side on a space, from its edge inwards, the king first."""
    x, y, inward = _edge(space)
    count = disks + kings
    drawn = []
    for depth in range(min(count, deep)):
        at = y + inward * (_RADIUS + 8 + (depth + skip) * (2 * _RADIUS - 1))
        more = count if depth == deep - 1 and count > deep else 0
        drawn.append(_piece(x, at, seat, king=depth < kings, more=more))
    return drawn


def _piece(x: float, y: float, seat: int, *, king: bool, more: int = 0) -> str:
    colour = _COLOURS[seat - 1]
    if king:
        return group(circle(x, y, _RADIUS, f"f-{colour} s-edge rim"), crown(x, y, 11, f"on-{colour}"))
    return disc(x, y, _RADIUS, colour, f"{_LETTERS[seat - 1]}{more or ''}")


def _bar(state: State, seat: int) -> list[str]:
    disks, kings = _held(state, seat, 0)
    x = _LEFT + 9 * _CELL + _BAR / 2
    step = 1 if seat == 1 else -1
    y = _TOP + 26 if seat == 1 else _HEIGHT - _TOP - 26
    drawn = [_piece(x, y, seat, king=True)] if kings else []
    if disks:
        drawn.append(_piece(x, y + step * kings * 2 * _RADIUS, seat, king=False, more=disks if disks > 1 else 0))
    return drawn


def _borne_off(state: State, seat: int) -> list[str]:
    disks, kings = _held(state, seat, OFF)
    x = _WIDTH - _LEFT - _TRAY / 2 + 4
    top = _HEIGHT - _TOP - 132 if seat == 1 else _TOP + 22
    colour = _COLOURS[seat - 1]
    bars = [box(x - 24, top + at * 11, 48, 9, f"f-{colour} s-edge thin", 3) for at in range(disks)]
    return bars + ([crown(x, top + 11 * disks + 10, 10, f"f-{colour} s-edge thin")] if kings else [])


_PIPS = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}
"""Where the pips of a die are, in a square of nine."""


def _dice(state: State) -> list[str]:
    colour = _COLOURS[state.seat - 1] if state.seat else "white"
    drawn = []
    for number, die in enumerate(state.dice):
        x, y = _LEFT + 3.2 * _CELL + number * 52, _HEIGHT / 2 - 20
        pips = [divmod(int(at) - 1, 3) for at in _PIPS[die]]
        dots = [circle(x + 9 + 11 * across, y + 9 + 11 * down, 3.6, f"on-{colour}") for down, across in pips]
        drawn.append(group(box(x, y, 40, 40, f"f-{colour} s-edge rim", 7), *dots))
    return drawn


def _cube(state: State) -> list[str]:
    if not state.rules & CUBE:
        return []
    x = _LEFT + 12 * _CELL + _BAR
    y = {0: _HEIGHT / 2, 1: _HEIGHT / 2 + 8, 2: _HEIGHT / 2 - 8}[state.owner]
    owner = f"{GAME.colours[state.owner - 1]} holds it" if state.owner else "the cube"
    drawn = group(
        box(x - 20, y - 20, 40, 40, "f-card s-edge rim", 6), label(x, y, str(state.stake), 20, "on-white middle bold")
    )
    return [drawn, label(x + 28, y, owner, 15, "f-dim")]


@cache
def _board(safe: bool) -> str:
    inner = _WIDTH - 2 * _LEFT - _TRAY
    parts = [
        box(0, 0, _WIDTH, _HEIGHT + _LEGEND, "f-paper"),
        box(_LEFT, _TOP, inner, _HEIGHT - 2 * _TOP, "f-stone s-line rim", 4),
        box(_LEFT + 9 * _CELL, _TOP, _BAR, _HEIGHT - 2 * _TOP, "f-shade s-line thin"),
        label(_LEFT + 9 * _CELL + _BAR / 2, _HEIGHT / 2, "bar", 15, "f-dim middle"),
    ]
    for space in range(1, OFF):
        x, y, inward = _edge(space)
        shade = "f-shade" if space % 2 else "f-paper"
        tip = (x, y + inward * _POINT)
        parts.append(path([(x - _CELL / 2 + 1, y), (x + _CELL / 2 - 1, y), tip], f"{shade} s-line thin"))
        parts.append(label(x, y - inward * 15, str(space), 16, "f-dim middle"))
        if space in NEUTRAL:
            parts.append(
                box(x - 5, y + inward * _POINT - 9, 10, 18, f"{'f-green' if safe else 'f-black'} s-line thin", 3)
            )
    x = _LEFT + _CELL * 0.5
    turn = [(x, _TOP + _POINT + 14), (x, _HEIGHT - _TOP - 20), (x + 12, _HEIGHT - _TOP - 20)]
    parts.append(path(turn, "outline s-line rim", closed=False))
    parts.append(
        path([(x + 12, _HEIGHT - _TOP - 26), (x + 22, _HEIGHT - _TOP - 20), (x + 12, _HEIGHT - _TOP - 14)], "f-line")
    )
    right = _WIDTH - _LEFT - _TRAY + 8
    for top, title in ((_TOP, "Red off"), (_HEIGHT - _TOP - 154, "White off")):
        parts.append(box(right, top, _TRAY - 8, 154, "f-stone s-line thin", 4))
        parts.append(label(right + _TRAY / 2 - 4, top + 12, title, 15, "f-dim middle"))
    pill, end = "f-green" if safe else "f-black", _HEIGHT + 8
    parts.append(box(_LEFT + 6, end - 9, 10, 18, f"{pill} s-line thin", 3))
    stands = "both sides may stand here" if safe else "only one side may stand here"
    told = f"{stands}.   White goes up from 1 to 29, along the arrow from 15 to 16; Red back."
    parts.append(label(_LEFT + 24, end, told, 14, "f-dim"))
    return "".join(parts)
