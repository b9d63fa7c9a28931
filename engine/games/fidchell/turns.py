"""Who acts next in Fidchell, and what that seat may do."""

from collections.abc import Sequence
from functools import cache

from engine.games.fidchell.board import Board


@cache
def turns(playing: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the seats still playing in the order of their turns after that of `seat`, which comes last.

    >>> turns((1, 2, 3), 2), turns((1, 3), 2)
    ((3, 1, 2), (3, 1))
    """
    return tuple(sorted(playing, key=lambda other: (other <= seat, other)))


def turn(board: Board, standing: tuple[int, ...], hands: tuple[int, ...], order: Sequence[int]) -> tuple[int, int]:
    """Return the first seat of `order` that can act, and what it may do as `Board.ways` has it; (0, 0) if none can."""
    occupied = 0
    for some in standing:
        occupied |= some
    for seat in order:
        if ways := board.ways(standing[seat - 1], occupied, hands[seat - 1]):
            return seat, ways
    return 0, 0
