"""The board of Fidchess Qenqe: its spaces, and the coding of stacks.

A space is an index 30 * row + column, `A1` = 0 to `D30` = 119. A stack is a text, its top first: a capital letter is a
disk of the colour that it begins, a small one the Rigant. `wWB` is White's Rigant on a disk of White on one of Blue;
an empty text is an empty space.
"""

from functools import cache, lru_cache

from engine.stacks import PIECES, ROWS, lines_of

RING = 30
"""Columns; the last is next to the first."""
SPACES = tuple(f"{row}{column}" for row in ROWS for column in range(1, RING + 1))
INDEX = {name: space for space, name in enumerate(SPACES)}

COLOURS = ("White", "Blue", "Green", "Yellow", "Red")
"""The colours of the seats, seat 1 first."""
LETTERS = "WBGYR"
"""The disks of the seats, seat 1 first; the small letters are their Rigants."""
SUPPLY = 10
"""The disks of a seat."""

_COLUMNS = {
    2: ((30, 1, 2), (15, 16, 17)),
    3: ((30, 1, 2), (10, 11, 12), (20, 21, 22)),
    4: ((30, 1, 2), (8, 9, 10), (15, 16, 17), (23, 24, 25)),
    5: ((29, 30, 1), (5, 6, 7), (11, 12, 13), (17, 18, 19), (23, 24, 25)),
}
"""The columns x, y, z where each seat sets up, by the number of seats."""


@cache
def setup(seats: int) -> tuple[str, ...]:
    """Return the stacks of the first position of `seats` seats."""
    cells = [""] * len(SPACES)
    for disk, columns in zip(LETTERS, _COLUMNS[seats], strict=False):
        for row, middle in zip("ABC", (disk.lower(), disk * 2, disk * 2), strict=True):
            for column, stack in zip(columns, (disk, middle, disk), strict=True):
                cells[INDEX[f"{row}{column}"]] = stack
    return tuple(cells)


# Stacks


def owner(stack: str) -> int:
    """Return the seat that controls a stack: its disk or Rigant lies on top.

    >>> owner("wWB"), owner("BW")
    (1, 2)
    """
    return LETTERS.index(stack[0].upper()) + 1


def has_rigant(stack: str) -> bool:
    """Return whether the Rigant, which always lies on top, is in a stack."""
    return stack[:1].islower()


def is_armed(stack: str) -> bool:
    """Return whether the seat that controls a stack has a disk in it."""
    return stack[:1].upper() in stack if has_rigant(stack) else stack != ""


def piece(stack: str) -> str:
    """Return what players call a stack: `Duo`, `Rigant`, `Teth with the Rigant`."""
    if len(stack) == 1 and has_rigant(stack):
        return "Rigant"
    return PIECES[len(stack)] + " with the Rigant" * has_rigant(stack)


def shown(stack: str) -> str:
    """Return a stack as players write it, top first: `W*WB`, a star for the Rigant."""
    return f"{stack[0].upper()}*{stack[1:]}" if has_rigant(stack) else stack


@lru_cache(1 << 14)
def landed(stack: str, there: str, highest: int) -> str:
    """Return what becomes of `stack` when it lands on another seat's stack `there` and joins it.

    The disks of the mover come to the top, a Rigant that is landed on leaves the game, and what lies below the
    `highest` pieces leaves it too.

    >>> landed("WB", "BWB", 4), landed("W", "bB", 4)
    ('WWBB', 'WB')
    """
    own = stack[0].upper() + stack[0].lower()
    joined = stack + (there[1:] if has_rigant(there) else there)
    return ("".join(p for p in joined if p in own) + "".join(p for p in joined if p not in own))[:highest]


LINES = lines_of(RING, ring=True)
"""The lines by kind of movement and space."""

ADJACENT = tuple(tuple(space for line in steps for space in line) for steps in LINES[0])
"""The spaces next to each space horizontally or vertically."""


def movement(stack: str) -> int:
    """Return the kind of movement of a stack, an index into `LINES`: its size, but 0 for a Rigant alone."""
    return 0 if len(stack) == 1 and has_rigant(stack) else len(stack)
