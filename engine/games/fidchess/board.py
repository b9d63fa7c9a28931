"""The board of Fidchess: its spaces, the coding of stacks, and the planes of a position.

A space is an index 8 * row + column, `A1` = 0 to `D8` = 31. A stack is one byte: its disks (bits 0-2), whether the
Rigant is in it (bit 3) and its seat (bits 4-5); 0 is an empty space, so that adding the contents of two friendly
stacks joins them.

A position is also kept as one int, the board, in which a move changes the bits of some stacks. From it a seat reads its
view. One `&` of the view and the mask of a stack leaves all that decides the moves of the stack: the key under which
they are remembered, for both seats.
"""

from engine.stacks import PIECES, ROWS, lines_of

COLOURS = ("Yellow", "Green")
"""The colours of the seats, seat 1 first."""

COLUMNS = "12345678"
SPACES = tuple(row + column for row in ROWS for column in COLUMNS)
INDEX = {name: space for space, name in enumerate(SPACES)}

DISKS = 7
"""The bits of a stack that count its disks."""
RIGANT = 8
"""The bit of a stack that holds the Rigant."""
CONTENT = DISKS | RIGANT
"""The bits of a stack without those of its seat."""
SEAT_SHIFT = 4
"""How far to shift a stack for its seat."""
SUPPLY = 10
"""The disks of a seat, on and off the board."""

BACK = (frozenset[int](), frozenset(range(7, 32, 8)), frozenset(range(0, 32, 8)))
"""The opponent's back column by seat: there a disk is promoted and no stack is divided."""

_SETUP = (RIGANT, 1, 0, 3, 1, 0, 2, 1, 0, 1, 1, 0)
"""What stands in columns 1-3 for Yellow, from row A to row D; Green's columns mirror them."""


def _start() -> bytes:
    cells = bytearray(32)
    for place, content in enumerate(_SETUP):
        row, column = divmod(place, 3)
        if content:
            cells[8 * row + column] = 1 << SEAT_SHIFT | content
            cells[8 * row + 7 - column] = 2 << SEAT_SHIFT | content
    return bytes(cells)


START = _start()
"""The stacks of the first position."""


def size(stack: int) -> int:
    """Return the size of a stack, a Rigant counting as a disk.

    >>> size(1 << SEAT_SHIFT | 3), size(1 << SEAT_SHIFT | RIGANT | 3)
    (3, 4)
    """
    return (stack & DISKS) + (stack >> 3 & 1)


def piece(stack: int) -> str:
    """Return what players call a stack: `Duo`, `Rigant`, `Teth with the Rigant`."""
    if stack & CONTENT == RIGANT:
        return "Rigant"
    return PIECES[size(stack)] + " with the Rigant" * (stack >> 3 & 1)


# Lines of movement

LINES = lines_of(8, ring=False)
"""The lines by kind of movement and space."""

ADJACENT = tuple(tuple(space for line in steps for space in line) for steps in LINES[0])
"""The spaces next to each space horizontally or vertically, in the order of their names."""


def movement(stack: int) -> int:
    """Return the kind of movement of a stack, an index into `LINES`: its size, but 0 for a Rigant alone."""
    return 0 if stack & CONTENT == RIGANT else size(stack)


# A board holds the stacks, a byte a space, and above them the views of both seats, seat 1's first. A view has a bit
# that says whether its seat has disks in reserve, then planes, sets of spaces: all stacks, the seat's own stacks, and
# its own stacks without a Rigant that are at most 3, 2, 1 and 4 high. The planes needed most often come first, since
# small numbers are faster.

FULL = 0xFFFF_FFFF
"""The set of all spaces."""
RESERVE = 1
"""The bit of a view that says that its seat has disks in reserve."""
ALL, OWN, *_LOW = range(1, 193, 32)
"""How far to shift a view for the set of all stacks, and of its seat's own."""
LOW = dict(zip((3, 2, 1, 4), _LOW, strict=True))
"""How far to shift a view for the set of its seat's stacks without a Rigant, by their greatest height."""
_CELLS = (1 << 8 * len(SPACES)) - 1
"""The bits of a board that are the stacks."""
VIEW = (0, 256, 449)
"""How far to shift a board for the view of a seat, by seat."""


def _in_view(stack: int, viewer: int) -> int:
    """Return the bits of a stack on space 0 in the view of a seat."""
    planes = [ALL]
    if stack >> SEAT_SHIFT == viewer:
        planes.append(OWN)
        if not stack & RIGANT:
            planes += [LOW[height] for height in LOW if height >= stack & DISKS]
    return sum(1 << plane for plane in planes)


def _in_views(stack: int) -> int:
    """Return the bits of a stack on space 0 in the views of a board."""
    return _in_view(stack, 1) << VIEW[1] | _in_view(stack, 2) << VIEW[2] if stack >> SEAT_SHIFT in (1, 2) else 0


PLANES = tuple(tuple(stack << 8 * space | _in_views(stack) << space for space in range(32)) for stack in range(48))
"""`PLANES[stack][space]`: the bits of a stack in a board; none for an empty space."""


def cells_of(board: int) -> bytes:
    """Return the stack on each space of a board."""
    return (board & _CELLS).to_bytes(32, "little")


def disks(cells: bytes | bytearray, seat: int) -> int:
    """Return how many disks of a seat are on the board."""
    return sum(stack & DISKS for stack in cells if stack >> SEAT_SHIFT == seat)


def board_of(cells: bytes) -> int:
    """Return the board of a position with these stacks."""
    board = 0
    for space, stack in enumerate(cells):
        board |= PLANES[stack][space]
    for seat in (1, 2):
        if disks(cells, seat) < SUPPLY:
            board |= RESERVE << VIEW[seat]
    return board
