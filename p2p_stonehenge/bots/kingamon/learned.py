"""The learned correction to the hand-made value of Byzantine Kingamon: weights for what stands where, and units."""

import sys
from array import array
from collections.abc import Sequence
from functools import cache
from io import FileIO

from engine.games.kingamon import KING, KING_BAR, OFF, WAITING
from p2p_stonehenge.bots import weights
from p2p_stonehenge.bots.kingamon.race import king_runs

LINEAR_FILE, UNITS_FILE = "kingamon.bin", "kingamon-units.bin"
QUICK_FILE, QUICK_BAR_FILE = "kingamon-quick.bin", "kingamon-quick-bar.bin"
"""For games in which the king runs alone: where a captured king loses, and where it begins again."""

KINDS = 8
KIND = bytes(
    min(byte, 4) if byte < KING else 5 + min(byte % KING, 2) if byte < WAITING + KING else 0 for byte in range(256)
)
"""The kinds of a place: empty; one to three disks, more; the king alone, with one disk, with more."""
PLACES = OFF * KINDS
"""Weights of the places of one side."""
SCALARS = 10
WEIGHTS = 2 * PLACES + SCALARS
"""Weights of one sum: a weight for each place and kind of its pieces, and for each scalar."""


class Learned:
    """A correction to the hand-made value: one sum, and units, each of which counts as far as its own sum is above 0.

    In each row the weight of the one sum comes first, then that of each unit.
    """

    def __init__(self, row: Sequence[float]) -> None:
        units, rest = divmod(len(row) - WEIGHTS, WEIGHTS + 1)
        if rest or units < 0:
            raise ValueError(f"{len(row)} weights are not {WEIGHTS}, and {WEIGHTS + 1} for each unit")
        sums = [list(row[:WEIGHTS])]
        self.heights: list[float] = []
        """What each unit counts."""
        for at in range(WEIGHTS, len(row), WEIGHTS + 1):
            sums.append(list(row[at : at + WEIGHTS]))
            self.heights.append(row[at + WEIGHTS])
        columns = [list(column) for column in zip(*sums, strict=True)]
        cut = [columns[at : at + KINDS] for at in range(0, 2 * PLACES, KINDS)]
        self.first, self.second = cut[:OFF], cut[OFF:]
        """Rows by place and kind: the side that rolls, the side that waits."""
        self.scalars = columns[2 * PLACES :]
        """The row of each scalar."""

    def rows(self, own: bytes, other: bytes) -> list[list[float]]:
        """Return the rows of the pieces that are on their way, `own` being the side that is to roll."""
        found = [rows[kind] for rows, kind in zip(self.first, own[:OFF].translate(KIND), strict=True) if kind]
        found += [rows[kind] for rows, kind in zip(self.second, other[:OFF].translate(KIND), strict=True) if kind]
        return found

    def sums(self, rows: list[list[float]], scalars: tuple[float, ...]) -> list[float]:
        """Return the one sum, then that of each unit."""
        scaled = [
            [weight * scalar for weight in row] for row, scalar in zip(self.scalars, scalars, strict=True) if scalar
        ]
        return [*map(sum, zip(*rows, *scaled, strict=True))]

    def correction(self, own: bytes, other: bytes, scalars: tuple[float, ...]) -> float:
        """Return what to add to the log odds of the side `own`, which is to roll."""
        first, *units = self.sums(self.rows(own, other), scalars)
        return first + sum([height * unit for height, unit in zip(self.heights, units, strict=True) if unit > 0])

    def row(self) -> list[float]:
        """Return the weights in the order of the file."""
        columns = [row for side in (self.first, self.second) for rows in side for row in rows]
        first, *units = zip(*columns, *self.scalars, strict=True)
        return [
            *first,
            *(weight for unit, height in zip(units, self.heights, strict=True) for weight in (*unit, height)),
        ]


def file_for(rules: int, usual: str) -> str:
    """Return the name of what was learned for these options, which is `usual` but where the king runs alone."""
    if not king_runs(rules):
        return usual
    return QUICK_BAR_FILE if rules & KING_BAR else QUICK_FILE


@cache
def learned(name: str) -> Learned:
    """Return a correction that the repository holds."""
    with FileIO(f"{weights.__path__[0]}/{name}") as file:
        row = array("f", file.readall())
    if sys.byteorder == "big":
        row.byteswap()
    return Learned(row)
