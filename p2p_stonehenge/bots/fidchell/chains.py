"""How near a seat of Fidchell is to a chain: the fields that it lacks, and which they are."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine.games.fidchell import GAME, State, fields_of

FAR = 99
"""The lack of a seat that can join the king to the rim no more."""


@cache
def _octets(near: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the fields beside sets of fields: for each eight fields in a row, by the bits of the set among them."""
    found = []
    for first in range(0, len(near), 8):
        sets = [0]
        for beside in near[first : first + 8]:
            sets += [around | beside for around in sets]
        found.append(tuple(sets))
    return tuple(found)


class Distance(NamedTuple):
    """How near a seat is to a chain."""

    lack: int
    """Fields that the shortest chain lacks."""
    layers: tuple[int, ...]
    """By number of fields taken: the fields that the king is joined to by taking so many, the field itself included."""


def onto(turned: State, seat: int, fields: int) -> Sequence[str]:
    """Return what `seat`, which is to move, may do that ends on one of some fields."""
    board = turned.rules.board
    if turned.hands[seat - 1]:
        return [board.names[field] for field in fields_of(fields & turned.ways)]
    mask = 0
    for field in fields_of(fields):
        mask |= board.pieces[field]
    return GAME.legal(turned._replace(ways=turned.ways & mask), seat) if turned.ways & mask else ()


class Chains:
    """The chains of one board; those of positions that a search comes to again are remembered."""

    def __init__(self, root: State) -> None:
        self.board = root.rules.board
        self._near = _octets(self.board.near)
        self._lacks: dict[tuple[int, int], int] = {}

    def lack(self, state: State, seat: int) -> int:
        """Return how many fields the shortest chain of a seat lacks."""
        fields = self.board.fields
        own = closed = 0
        for number, some in enumerate(state.standing, 1):
            if number == seat:
                own = some & fields
            else:
                closed |= some & fields
        known = self._lacks.get((own, closed))
        if known is None:
            known = self._lacks[own, closed] = self._way(own, closed, self.board.gate, self.board.rim).lack
        return known

    def lacking(self, state: State, seat: int) -> int:
        """Return the empty fields on the shortest chains of a seat."""
        board = self.board
        own, occupied = state.standing[seat - 1] & board.fields, 0
        for some in state.standing:
            occupied |= some & board.fields
        closed = occupied ^ own
        out = self._way(own, closed, board.gate, board.rim)
        if out.lack >= FAR:
            return 0
        back = self._way(own, closed, board.rim, board.gate)
        found = 0
        for number, layer in enumerate(out.layers):
            if 0 <= out.lack - number + 1 < len(back.layers):
                found |= layer & back.layers[out.lack - number + 1]
        return found & ~occupied

    def missing(self, state: State, seat: int) -> list[str]:
        """Return the fields that one of the shortest chains of a seat lacks."""
        found = 0
        while lacking := self.lacking(state, seat):
            field = fields_of(lacking)[0]
            found |= 1 << field
            standing = list(state.standing)
            standing[seat - 1] |= self.board.pieces[field]
            state = state._replace(standing=tuple(standing))
        return [self.board.names[field] for field in fields_of(found)]

    def _way(self, own: int, closed: int, start: int, goal: int) -> Distance:
        """Return the way from some fields to others, over own and empty fields, by fewest empty ones."""
        near = self._near
        here, nearly = start & own, start & ~own & ~closed
        seen = closed
        layers = []
        while True:
            layer = 0
            while here:
                layer |= here
                seen |= here
                around = 0
                for fields, octet in zip(near, here.to_bytes(len(near), "little"), strict=True):
                    if octet:
                        around |= fields[octet]
                around &= ~seen
                here = around & own
                nearly |= around & ~own
            layers.append(layer)
            if layer & goal:
                return Distance(len(layers) - 1, tuple(layers))
            here = nearly & ~seen
            nearly = 0
            if not here:
                return Distance(FAR, tuple(layers))
