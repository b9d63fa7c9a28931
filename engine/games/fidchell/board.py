"""The board of Fidchell: the tables of a layout, and the ways of pieces along its circles and rows.

A field is a number: circle 7 comes first, each circle clockwise from section 1, row A. A set of fields is an int, a
bit a field.

Pieces stand in a larger int, which repeats the fields lane by lane above the set of fields. A lane is a line written
out in one direction, a bit a step, and then a wall, a bit that no piece ever has; a circle is written out twice on
end, so that a piece comes round to itself. Thus every piece moves upwards in each of its lanes, and one sum finds the
ways of all: a bit added to the empty fields carries through them to the next piece or wall.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import overload

COLOURS = ("Red", "Green", "Blue")
"""The colours of the seats, seat 1 first."""

CIRCLES = 7
ROWS = "ABCDEFGHI"
LAYOUT = "53035"
LAYOUTS = "|".join(f"[1-7]{{{at}}}0[1-7]{{0,{len(ROWS) - 1 - at}}}" for at in range(len(ROWS)))
"""The pattern of a layout: for each row of a section its innermost circle. One row reaches the king on circle 0, and
so every circle has a field in each section."""
SECTIONS = range(3, 13)
CHAIN = 7
"""Pieces in the shortest chain: a seat with fewer is out."""

# The crowds of a position are one number with a count for each circle, circle 7 in the lowest bits. A count begins so
# far up that its highest bit is set by two pieces.

_CROWD = 8
"""Bits of a count: the largest circle has 108 pieces, which are 126 + 108 then."""
CROWDED = sum(1 << _CROWD * at + _CROWD - 1 for at in range(CIRCLES))
"""The highest bit of each count."""
NOBODY = CROWDED - 2 * (CROWDED >> _CROWD - 1)
"""The crowds of an empty board."""

_BITS = 13
"""Shift of one bit's number past another's: the largest board has fewer than 1 << 13 bits."""
_FEW = 11
"""Bits that are looked up together in `_PLACES`."""
_PLACES = tuple(tuple(at for at in range(_FEW) if some >> at & 1) for some in range(1 << _FEW))
"""By set of a few bits: the bits."""


def size(layout: str, sections: int) -> int:
    """Return how many fields a layout has."""
    return sections * sum(CIRCLES + 1 - max(int(innermost), 1) for innermost in layout)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The tables of one layout; those by field have an entry for each."""

    names: tuple[str, ...]
    named: dict[str, int]
    """The field of each name."""
    deeds: "Deeds"
    """By lawful action: the fields where it ends and starts, and what it adds to the crowds."""
    fields: int
    """All fields, without the lanes."""
    near: tuple[int, ...]
    """By field: its neighbours."""
    rim: int
    """Circle 7."""
    gate: int
    """The fields next to the king."""
    spokes: tuple[int, ...]
    """The rows that reach the king."""
    circles: tuple[tuple[int, ...], ...]
    """The fields of each circle, circle 7 first."""
    field_at: tuple[int, ...]
    """By bit: the field, -1 for a wall."""
    texts: "Texts"
    """By the bits where an action ends and starts: the action."""
    below: tuple[int, ...]
    """By bit: all bits below; none for the bits of fields, where a piece comes from the hand."""
    pieces: tuple[int, ...]
    """By field: all bits of a piece there."""
    ahead: tuple[int, ...]
    """By field: the next bit of each lane."""
    beyond: tuple[int, ...]
    """By field: the bit after the next of each lane, where it does not end before."""
    crowd: tuple[int, ...]
    """By field: what a piece there adds to the crowds."""
    open: int
    """All bits but the walls."""
    starts: int
    """The bits of lanes that pieces set out from: not those where a circle is repeated."""
    kings: int
    """The walls where the king stands."""
    once: dict[int, int]
    """By the circles that hold two pieces or more, a bit of `CROWDED` each: all bits but the lanes counter-clockwise of
    the other circles, where a piece alone gets everywhere clockwise already."""
    halves: tuple[tuple[int, int], ...]
    """Widths, each half of the one before, that lead to a few bits, and as many ones."""

    def standing(self, men: int) -> int:
        """Return the bits of pieces on a set of fields."""
        return reduce(or_, map(self.pieces.__getitem__, fields_of(men)), 0)

    def origin(self, bit: int, own: int) -> int:
        """Return the bit from which a piece in `own` gets to a bit that is empty; -1 where it comes from the hand."""
        return (own & self.below[bit]).bit_length() - 1  # nothing stands between

    def text(self, bit: int, origin: int) -> str:
        """Return the action that leads from a bit to another; `origin` is -1 for a piece from the hand."""
        return self.texts[bit << _BITS | origin + 1]

    def joined(self, own: int) -> int:
        """Return the fields where a piece is joined to the king: those next to it, and next to pieces of `own` on them.

        So `own` has a chain if a piece of it stands on such a field of circle 7.
        """
        near, found, seen = self.near, self.gate, 0
        while more := own & found ^ seen:
            bit = more & -more
            seen |= bit
            found |= near[bit.bit_length() - 1]
        return found


class Deeds(dict[str, tuple[int, int, int]]):
    """The fields on which lawful actions end and start, and what they add to the crowds; worked out when asked.

    The second is -1 for a piece from the hand; the first is -1 for the actions that all games have. No more than that,
    since there are thousands of them: so all of them stay in a processor's cache.
    """

    def __init__(self, named: dict[str, int], crowd: Sequence[int]) -> None:
        super().__init__()
        self.named, self.crowd = named, crowd

    def __missing__(self, action: str) -> tuple[int, int, int]:
        origin, _, target = action.rpartition("-")
        field = self.named.get(target, -1)
        if field < 0:
            return -1, -1, 0
        start, added = -1, self.crowd[field]
        if origin:
            start = self.named[origin]
            added -= self.crowd[start]
        found = self[action] = field, start, added
        return found


class Texts(dict[int, str]):
    """The actions by the bit on which each ends and the bit after that on which it starts; worked out when asked.

    The second is 0 for a piece from the hand. Keys are the first, shifted by `_BITS`, and the second.
    """

    def __init__(self, name_at: Sequence[str]) -> None:
        super().__init__()
        self.name_at = name_at

    def __missing__(self, key: int) -> str:
        at, after = key >> _BITS, key & (1 << _BITS) - 1
        found = self[key] = f"{self.name_at[after - 1]}-{self.name_at[at]}" if after else self.name_at[at]
        return found


class Actions(Sequence[str]):
    """What a seat may do, a bit each. Most are never looked at: their texts are made when they are.

    Whoever makes it fills in the fields, which takes half the time of a constructor.
    """

    __slots__ = ("board", "own", "ways")

    board: Board
    ways: int
    """The bits where the actions end."""
    own: int
    """The bits of the seat's pieces."""

    def __len__(self) -> int:
        return self.ways.bit_count()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if type(index) is slice:
            return tuple(self)[index]
        board, rest, at = self.board, self.ways, 0
        if index < 0:
            index += rest.bit_count()
            if index < 0:
                raise IndexError
        for width, ones in board.halves:
            if index < (count := (low := rest & ones).bit_count()):
                rest = low
            else:
                index -= count
                rest >>= width
                at += width
        at += _PLACES[rest][index]
        return board.texts[at << _BITS | (self.own & board.below[at]).bit_length()]  # `_text(at)`, in one step

    def __iter__(self) -> Iterator[str]:
        return map(self._text, fields_of(self.ways))

    def __contains__(self, action: object) -> bool:
        board = self.board
        target = board.named.get(str(action).rpartition("-")[2], -1)
        return target >= 0 and any(self._text(at) == action for at in fields_of(self.ways & board.pieces[target]))

    def _text(self, at: int) -> str:
        board = self.board
        return board.text(at, board.origin(at, self.own))


class Lanes:
    """The lanes of a board, written out one behind the other above the bits of its fields."""

    def __init__(self, fields: int) -> None:
        every = range(fields)
        self.field_at = [*every]
        """By bit: the field, -1 for a wall."""
        self.near = [0 for _ in every]
        """By field: its neighbours along the lanes, as a set of fields."""
        self.pieces = [1 << field for field in every]
        """By field: all bits of a piece there."""
        self.ahead = [0 for _ in every]
        """By field: the next bit of each lane."""
        self.starts = 0
        """The bits that pieces set out from."""

    def lay(self, line: Sequence[int], closed: bool = False) -> tuple[int, int]:
        """Write out a lane; return its first bit, and its wall. A closed line is a circle, written out twice."""
        begin = 1 << len(self.field_at)
        for step, field in enumerate((*line, *line) if closed else line):
            bit = 1 << len(self.field_at)
            self.pieces[field] |= bit
            if step < len(line):
                self.starts |= bit
                self.ahead[field] |= bit << 1
            if step:
                self.near[self.field_at[-1]] |= 1 << field
            self.field_at.append(field)
        self.field_at.append(-1)
        return begin, 1 << len(self.field_at) - 1


@lru_cache(16)
def board_of(layout: str, sections: int) -> Board:
    """Return the board of a layout."""
    places = _fields(layout, sections)
    names = tuple(f"{section}{ROWS[row]}{circle}" for section, row, circle in places)
    every = range(len(places))
    circles = [[field for field in every if places[field][2] == circle] for circle in range(CIRCLES, 0, -1)]
    rows = [
        [field for field in every if places[field][:2] == (section, row)]
        for section in range(1, sections + 1)
        for row in range(len(layout))
    ]
    spokes = rows[layout.index("0") :: len(layout)]

    lanes = Lanes(len(places))
    for circle in circles:
        lanes.lay(circle, closed=True)
    back = [lanes.lay(circle[::-1], closed=True) for circle in circles]
    kings = sum(lanes.lay(row)[1] for row in rows if row in spokes)
    for row in rows:
        lanes.lay(row[::-1])
        if row not in spokes:
            lanes.lay(row)

    bits = len(lanes.field_at)
    crowd = tuple([1 << _CROWD * (CIRCLES - places[field][2]) for field in every])
    named = {name: field for field, name in enumerate(names)}
    no_walls = _set(bit for bit, field in enumerate(lanes.field_at) if field >= 0)
    return Board(
        names=names,
        named=named,
        deeds=Deeds(named, crowd),
        fields=(1 << len(names)) - 1,
        near=tuple(lanes.near),
        rim=_set(circles[0]),
        gate=_set(spoke[-1] for spoke in spokes),
        spokes=tuple(map(_set, spokes)),
        circles=tuple(map(tuple, circles)),
        field_at=tuple(lanes.field_at),
        texts=Texts(tuple([names[field] for field in lanes.field_at])),
        below=tuple([(1 << bit) - 1 if bit >= len(names) else 0 for bit in range(bits)]),
        pieces=tuple(lanes.pieces),
        ahead=tuple(lanes.ahead),
        beyond=tuple([(some & no_walls) << 1 for some in lanes.ahead]),
        crowd=crowd,
        open=no_walls,
        starts=lanes.starts,
        kings=kings,
        once=_once(back, bits),
        halves=_halves(bits),
    )


def _fields(layout: str, sections: int) -> list[tuple[int, int, int]]:
    """Return section, row and circle of each field."""
    return [
        (section, row, circle)
        for circle in range(CIRCLES, 0, -1)
        for section in range(1, sections + 1)
        for row, innermost in enumerate(layout)
        if int(innermost) <= circle
    ]


def _once(back: Sequence[tuple[int, int]], bits: int) -> dict[int, int]:
    """Return `Board.once` for so many bits; `back`: the first bit and the wall of each lane counter-clockwise."""
    once = {0: (1 << bits) - 1 - sum(wall - begin for begin, wall in back)}
    for at, (begin, wall) in enumerate(back):
        once |= {many | 1 << _CROWD * at + _CROWD - 1: some + wall - begin for many, some in once.items()}
    return once


def _halves(bits: int) -> tuple[tuple[int, int], ...]:
    """Return `Board.halves` for so many bits."""
    widths = [(bits + 1) // 2]
    while widths[-1] > _FEW:
        widths.append((widths[-1] + 1) // 2)
    return tuple((width, (1 << width) - 1) for width in widths)


def fields_of(some: int) -> list[int]:
    """Return the fields of a set in order."""
    found = []
    while some:
        bit = some & -some
        found.append(bit.bit_length() - 1)
        some ^= bit
    return found


def _set(fields: Iterable[int]) -> int:
    """Return the set of some fields (or bits), each of which may be named more than once."""
    return reduce(or_, (1 << field for field in fields), 0)
