"""The board of Byzantine Kingamon: the ways of the two sides, and the coding of the pieces on them.

Each side counts its own way: 0 is the bar, 1-29 the spaces in the order it meets them, 30 is off. White's way 4 is
space 4 and Red's is space 26, so a piece at way w stands on the other side's way 30 - w, and one set of rules serves
both. Entering is a step from 0 and bearing off is a step to 30.

A side is 31 bytes, one for each place of its way: the number of its disks there, plus KING if its king is there.
"""

COLOURS = ("White", "Red")
"""The colours of the seats, seat 1 first."""

OFF = 30
HOME = 24
"""The first place of the opponent's home, on each side's own way."""
NEUTRAL = (12, 18)
"""The two spaces of one side only; 12 on one way is 18 on the other."""
DISKS = 10
DISK, KING, WAITING = 1, 16, 32
"""What a piece adds to its byte; a king on the bar since the start is WAITING, and KING once captured."""
START = bytes((WAITING, 0, 2, 2, 2, 2, 2, *bytes(24)))


def space(seat: int, way: int) -> int:
    """Return the space of a place on the way of `seat`; also the place of a space.

    >>> space(1, 4), space(2, 4)
    (4, 26)
    """
    return way if seat == 1 else OFF - way
