"""A text that is longer than the window: it stands in the place of the board, part by part."""

from collections.abc import Sequence

from p2p_stonehenge.screen.views import Line, row, wrap
from p2p_stonehenge.text.widths import cut


class LongText:
    """The text that stands in the place of the board, if one does."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._top = 0
        """Which of its rows is the first in the window."""

    def __bool__(self) -> bool:
        return bool(self._lines)

    def show(self, lines: Sequence[Line]) -> None:
        """Show a text from its first line on."""
        self._lines, self._top = [*lines], 0

    def drop(self) -> None:
        """Show the board again."""
        self._lines = []

    def part(self, width: int, height: int) -> list[Line]:
        """Return as much of the text as fits, and how it goes on."""
        lines = self._broken(width)
        room = max(height - 1, 1)
        self._top = min(self._top, (len(lines) - 1) // room * room)  # the last part is what the others have not shown
        last = min(self._top + room, len(lines))
        told = "Enter shows the board" if last == len(lines) else "Enter goes on, other keys show the board"
        told = f"({self._top + 1}-{last} of {len(lines)}: {told})"
        rest = [row()] * (self._top + room - last if self._top else 0)  # no line of the screen moves
        return [*lines[self._top : last], *rest, row(("class:dim", cut(told, width)))]

    def turn(self, parts: int, width: int, height: int) -> None:
        """Go on by so many parts, or back; behind the last one is the board."""
        room = max(height - 1, 1)
        if parts > 0 and self._top + room >= len(self._broken(width)):
            self.drop()
        self._top = max(0, self._top + parts * room)

    def _broken(self, width: int) -> list[Line]:
        """Return the text as rows of this width."""
        return [part for line in self._lines for part in wrap(line, width - 1)]
