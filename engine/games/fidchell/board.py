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
    """By lawful action: the field it ends on, and all bits of its piece that change."""
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
    name_at: tuple[str, ...]
    """By bit: the name of the field."""
    below: tuple[int, ...]
    """By bit: all bits below."""
    pieces: tuple[int, ...]
    """By field: all bits of a piece there."""
    ahead: tuple[int, ...]
    """By field: the next bit of each lane."""
    open: int
    """All bits but the walls."""
    starts: int
    """The bits of lanes that pieces set out from: not those where a circle is repeated."""
    kings: int
    """The walls where the king stands."""
    begins: int
    """The first bits of the lanes clockwise."""
    ends: int
    """The walls of the lanes clockwise."""
    round: int
    """The bits of the lanes clockwise that pieces set out from."""
    once: dict[int, int]
    """By the walls of some lanes clockwise: all bits but the other lanes counter-clockwise."""
    halves: tuple[tuple[int, int], ...]
    """Widths, each half of the one before, that lead to a bit, and as many ones."""

    def standing(self, men: int) -> int:
        """Return the bits of pieces on a set of fields."""
        return reduce(or_, map(self.pieces.__getitem__, fields_of(men)), 0)

    def ways(self, own: int, occupied: int, hand: int) -> int:
        """Return where the pieces in `own` can move, or a piece in hand be placed: a bit for each action."""
        empty = self.open ^ occupied
        if hand:
            return empty & self.fields
        ways = (empty + ((own & self.starts) << 1) ^ empty) & empty
        # A piece alone on its circle gets everywhere clockwise already. One subtracted from a circle removes its first
        # piece; subtracted again it removes the wall, unless there are other pieces.
        begins, ends = self.begins, self.ends
        others = occupied & self.round
        others &= (others | ends) - begins
        return ways & self.once[(others | ends) - begins & ends]

    def is_chain(self, own: int, field: int) -> bool:
        """Return whether pieces in `own` join the king to the rim, now that one has arrived at `field`."""
        near = self.near
        touching = own & near[field]
        if not touching & touching - 1 and not (self.rim | self.gate) >> field & 1:
            return False  # a chain goes on from the field, or ends there
        chained = rest = own & self.gate
        while rest:
            bit = rest & -rest
            more = near[bit.bit_length() - 1] & own & ~chained
            chained |= more
            rest ^= bit | more
        return bool(chained & self.rim)


class Deeds(dict[str, tuple[int, int]]):
    """What lawful actions do: the field each ends on, and the bits of its piece that change; worked out when asked."""

    def __init__(self, named: dict[str, int], pieces: Sequence[int]) -> None:
        super().__init__()
        self.named, self.pieces = named, pieces

    def __missing__(self, action: str) -> tuple[int, int]:
        origin, _, target = action.rpartition("-")
        field = self.named[target]
        moved = self.pieces[field] ^ (self.pieces[self.named[origin]] if origin else 0)
        found = self[action] = field, moved
        return found


class Actions(Sequence[str]):
    """What a seat may do, a bit each. Most are never looked at: their texts are made when they are."""

    __slots__ = ("_board", "_own", "_ways")

    def __init__(self, board: Board, ways: int, own: int) -> None:
        self._board, self._ways, self._own = board, ways, own

    def __len__(self) -> int:
        return self._ways.bit_count()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if type(index) is slice:
            return tuple(self)[index]
        rest, at = self._ways, 0
        if index < 0:
            index += rest.bit_count()
        board = self._board
        for width, ones in board.halves:
            low = rest & ones
            count = low.bit_count()
            if index < count:
                rest = low
            else:
                index -= count
                rest >>= width
                at += width
        while index and rest:
            rest &= rest - 1
            index -= 1
        if not rest:
            raise IndexError
        return self._text(at + (rest & -rest).bit_length() - 1)

    def __iter__(self) -> Iterator[str]:
        return map(self._text, fields_of(self._ways))

    def __contains__(self, action: object) -> bool:
        board = self._board
        target = board.named.get(str(action).rpartition("-")[2], -1)
        return target >= 0 and any(self._text(at) == action for at in fields_of(self._ways & board.pieces[target]))

    def _text(self, at: int) -> str:
        board = self._board
        name_at = board.name_at
        if at < len(board.names):
            return name_at[at]
        origin = (self._own & board.below[at]).bit_length() - 1  # nothing stands between it and there
        return f"{name_at[origin]}-{name_at[at]}"


@lru_cache(16)
def board_of(layout: str, sections: int) -> Board:
    """Return the board of a layout."""
    places = [
        (section, row, circle)
        for circle in range(CIRCLES, 0, -1)
        for section in range(1, sections + 1)
        for row, innermost in enumerate(layout)
        if int(innermost) <= circle
    ]
    names = tuple(f"{section}{ROWS[row]}{circle}" for section, row, circle in places)
    every = range(len(places))
    circles = [[field for field in every if places[field][2] == circle] for circle in range(CIRCLES, 0, -1)]
    rows = [
        [field for field in every if places[field][:2] == (section, row)]
        for section in range(1, sections + 1)
        for row in range(len(layout))
    ]
    spokes = rows[layout.index("0") :: len(layout)]

    field_at = list(every)
    near, pieces, ahead = [0 for _ in every], [1 << field for field in every], [0 for _ in every]
    starts = 0

    def lay(line: list[int], closed: bool = False) -> tuple[int, int]:
        """Write out a lane; return its first bit, and its wall."""
        nonlocal starts
        begin = 1 << len(field_at)
        for step, field in enumerate(line * 2 if closed else line):
            bit = 1 << len(field_at)
            pieces[field] |= bit
            if step < len(line):
                starts |= bit
                ahead[field] |= bit << 1
            if step:
                near[field_at[-1]] |= 1 << field
            field_at.append(field)
        field_at.append(-1)
        return begin, 1 << len(field_at) - 1

    clockwise = [lay(circle, closed=True) for circle in circles]
    on_circles = starts
    back = [lay(circle[::-1], closed=True) for circle in circles]
    kings = sum(lay(row)[1] for row in rows if row in spokes)
    for row in rows:
        lay(row[::-1])
        if row not in spokes:
            lay(row)
    once = {0: (1 << len(field_at)) - 1 - sum(wall - begin for begin, wall in back)}
    for (_, end), (begin, wall) in zip(clockwise, back, strict=True):
        once |= {ends | end: bits + wall - begin for ends, bits in once.items()}

    named = {name: field for field, name in enumerate(names)}

    halves = [(len(field_at) + 1) // 2]
    while halves[-1] > 40:
        halves.append((halves[-1] + 1) // 2)
    return Board(
        names=names,
        named=named,
        deeds=Deeds(named, tuple(pieces)),
        fields=(1 << len(names)) - 1,
        near=tuple(near),
        rim=_set(circles[0]),
        gate=_set(spoke[-1] for spoke in spokes),
        spokes=tuple(map(_set, spokes)),
        circles=tuple(map(tuple, circles)),
        field_at=tuple(field_at),
        name_at=tuple([names[field] for field in field_at]),
        below=tuple([(1 << bit) - 1 for bit in range(len(field_at))]),
        pieces=tuple(pieces),
        ahead=tuple(ahead),
        open=_set(bit for bit, field in enumerate(field_at) if field >= 0),
        starts=starts,
        kings=kings,
        begins=sum(begin for begin, _ in clockwise),
        ends=sum(end for _, end in clockwise),
        round=on_circles,
        once=once,
        halves=tuple((width, (1 << width) - 1) for width in halves),
    )


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
