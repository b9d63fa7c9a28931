"""The states that a game can go back to, linked so that any of them is found fast."""

from typing import Any


class Earlier:
    """A state that the game can go back to: the one before action `ply` (from 0), which `seat` did.

    `before`: the one before that, None where the game can go back no further. It cannot go back behind what chance or
    another operator did, nor to where more seats played.
    """

    __slots__ = ("_back", "_depth", "before", "ply", "seat", "state")

    def __init__(self, seat: int, ply: int, state: Any, before: "Earlier | None") -> None:
        self.seat = seat
        self.ply = ply
        self.state = state
        self.before = before
        # Nothing cuts the links where one operator plays all seats: `_back` leads back by many at once, so that any
        # state is found in a number of steps that grows as the logarithm of theirs (Myers, An Applicative
        # Random-Access Stack, 1983).
        self._depth: int = before._depth + 1 if before else 0
        self._back: Earlier | None = before
        if before and before._back and before._back._back:
            near, far = before._back, before._back._back
            if before._depth - near._depth == near._depth - far._depth:
                self._back = far

    def __eq__(self, other: object) -> bool:
        mine: Earlier | None = self
        while isinstance(other, Earlier) and mine and mine is not other:
            if (mine.seat, mine.ply, mine.state) != (other.seat, other.ply, other.state):
                return False
            mine, other = mine.before, other.before
        return mine is other

    def __hash__(self) -> int:
        return hash((self.seat, self.ply))

    def at(self, ply: int) -> "Earlier | None":
        """Return the state before an action, None if the game cannot go back there."""
        found: Earlier | None = self
        while found and found.ply > ply:
            back = found._back
            found = back if back and back.ply >= ply else found.before
        return found if found and found.ply == ply else None
