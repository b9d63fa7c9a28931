"""What Fidchess and Fidchess Qenqe share: the names of the pieces, and how each moves on four rows of spaces."""

import re
from collections.abc import Callable, Iterable

from engine.game import Action

ROWS = "ABCD"
PIECES = ("", "Oin", "Duo", "Teth", "Peth", "Quen")
"""What players call a stack without a Rigant, by its number of disks."""

HOW = (
    "The Rigant moves one space along its row or column",
    "An Oin moves one space along its row or column, or jumps like a chess knight",
    "A Duo slides only in straight lines, along its row or column",
    "A Teth slides along its row or column, or jumps like a chess knight",
    "A Peth slides along its row or column, jumps like a chess knight, or moves one space diagonally",
    "A Quen slides along its row or column, jumps like a chess knight, or slides up to three spaces diagonally",
)
"""How a stack moves, by kind of movement: the size of the stack, but 0 for a Rigant alone."""

_WRITTEN = re.compile("([a-qs-wyz])([0-9]{1,3})(?![0-9])")
"""What is written like a space; x is the mark of a capture and R the Rigant."""

Line = tuple[int, ...]
"""Spaces along which a piece slides until something stands in the way; a step or a jump is a line of one space."""

_STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


def no_space(text: str, columns: int) -> str:
    """Return that the board has no space which lower-case `text` names, and what spaces it has; empty if it has all.

    >>> no_space("a2-a9", 8), no_space("a2-a8", 8)
    ('there is no space A9; rows are A-D, columns are 1-8', '')
    """
    if not _WRITTEN.match(text):
        return ""
    names = {f"{row}{column}" for row in ROWS for column in range(1, columns + 1)}
    missing = next((named for one in _WRITTEN.finditer(text) if (named := one[0].upper()) not in names), "")
    return f"there is no space {missing}; rows are A-{ROWS[-1]}, columns are 1-{columns}" if missing else ""


def lines_of(columns: int, ring: bool) -> tuple[tuple[tuple[Line, ...], ...], ...]:
    """Return the lines of each kind of movement from each space: [kind][space].

    A space is `columns` times its row plus its column. On a ring the last column is next to the first.

    >>> lines_of(8, ring=False)[0][0], lines_of(8, ring=True)[0][0]
    (((1,), (8,)), ((7,), (1,), (8,)))
    """

    def ray(space: int, down: int, across: int, steps: int) -> Line:
        row, column = divmod(space, columns)
        walk = ((row + n * down, column + n * across) for n in range(1, steps + 1))
        return tuple(columns * r + c % columns for r, c in walk if 0 <= r < 4 and (ring or 0 <= c < columns))

    def rays(directions: tuple[tuple[int, int], ...], steps: int) -> tuple[tuple[Line, ...], ...]:
        every = ([ray(space, down, across, steps) for down, across in directions] for space in range(4 * columns))
        return tuple(tuple(line for line in found if line) for found in every)

    step, jump, slide = rays(_STRAIGHT, 1), rays(_KNIGHT, 1), rays(_STRAIGHT, columns - 1)
    movements = (
        (step,),
        (step, jump),
        (slide,),
        (slide, jump),
        (slide, jump, rays(_DIAGONAL, 1)),
        (slide, jump, rays(_DIAGONAL, 3)),
    )
    return tuple(tuple(sum(kinds, ()) for kinds in zip(*movement, strict=True)) for movement in movements)


def shared_out(lines: tuple[Line, ...], few: int) -> list[tuple[Line, ...]]:
    """Return the lines, the shortest first, in groups of at most `few` spaces; a longer line is a group of its own."""
    groups: list[tuple[Line, ...]] = []
    spaces = few
    for line in sorted(lines, key=len):
        if spaces + len(line) > few:
            groups.append(())
            spaces = 0
        groups[-1] += (line,)
        spaces += len(line)
    return groups


def set_of(spaces: Iterable[int]) -> int:
    """Return the set of some different spaces: a bit for each."""
    return sum(1 << space for space in spaces)


Part = tuple[int, dict[int, tuple[Action, ...]], Callable[[int], tuple[Action, ...]]]
"""Some moves: the mask of a view, the moves that are known by what it leaves, and what tells moves that are not."""


class Remembered:
    """Moves by the bits of a view that decide them, `mask`; worked out when first asked for, by `work_out`.

    What is `known` is looked up in a plain dictionary, which is faster than one that fills itself.
    """

    MEMORY = 2048
    """Cases remembered. A million moves of Fidchess at random meet some 100 thousand cases in all."""

    mask: int

    def __init__(self) -> None:
        self.known: dict[int, tuple[Action, ...]] = {}

    @property
    def part(self) -> Part:
        """Return what moves are looked up in."""
        return self.mask, self.known, self.learn

    def learn(self, view: int) -> tuple[Action, ...]:
        """Return the moves in a view, and remember them."""
        if len(self.known) >= self.MEMORY:
            self.known.clear()
        case = view & self.mask
        found = self.known[case] = tuple(self.work_out(case))
        return found

    def work_out(self, case: int) -> Iterable[Action]:
        """Return the moves by the bits that decide them."""
        raise NotImplementedError


class Members(dict[int, tuple[int, ...]]):
    """The members of sets of numbers from `first` on, in rising order; worked out when first asked for.

    >>> Members(16)[0b1001]
    (16, 19)
    """

    MEMORY = 1 << 14
    """Sets remembered."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def __missing__(self, some: int) -> tuple[int, ...]:
        if len(self) >= self.MEMORY:
            self.clear()
        found, rest = [], some
        while rest:
            low = rest & -rest
            found.append(self.first + low.bit_length() - 1)
            rest ^= low
        self[some] = tuple(found)
        return self[some]


def named(piece: str) -> str:
    """Return the name of a piece with its article.

    >>> named("Oin"), named("Duo"), named("Rigant")
    ('an Oin', 'a Duo', 'the Rigant')
    """
    return f"{'the' if piece == 'Rigant' else 'an' if piece[0] == 'O' else 'a'} {piece}"
