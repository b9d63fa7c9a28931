"""What is printed above the prompt, where it scrolls by."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import BaseStyle

from p2p_stonehenge.screen.views import Line, wrap

LINES_KEPT = 200
"""The last lines printed that can be printed anew: more than stand above a board in any window."""


class Scroll:
    """The lines above the prompt of one terminal."""

    def __init__(self, output: Output, style: BaseStyle) -> None:
        self._output, self._style = output, style
        self._printed = 0
        """How many rows were printed."""
        self._last: deque[Line] = deque(maxlen=LINES_KEPT)
        self._unprinted: list[Line] = []
        self._news = asyncio.Event()

    @property
    def rows(self) -> int:
        """Return how many rows stand above the prompt, printed or about to be."""
        return self._printed + self.rows_of(self._unprinted)

    def rows_of(self, lines: Iterable[Line]) -> int:
        """Return how many rows lines take."""
        return len(self._wrapped(lines))

    def add(self, lines: Sequence[Line]) -> None:
        """Have lines printed, everything that comes at once together."""
        self._unprinted += lines
        self._news.set()

    def drop(self, lines: Sequence[Line]) -> None:
        """Leave out those of these lines that are not printed yet."""
        self._unprinted = [line for line in self._unprinted if line not in lines]

    async def keep_printing(self) -> None:
        """Print above the prompt what is added, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            await run_in_terminal(self.flush)

    def flush(self) -> None:
        """Print what is not printed yet."""
        lines, self._unprinted = self._unprinted, []
        self.print(lines)

    def print(self, lines: Sequence[Line]) -> None:
        """Print lines at once, where no prompt stands, before those that are not printed yet."""
        self._printed += self.rows_of(lines)
        self._last.extend(lines)
        self._write(self._wrapped(lines))

    def print_again(self, rows: int) -> None:
        """Print at once the last rows that were printed, in a window that has been cleared: at most so many."""
        parts = self._wrapped(self._last)
        self._write(parts[max(len(parts) - rows, 0) :])

    def _wrapped(self, lines: Iterable[Line]) -> list[Line]:
        width = self._output.get_size().columns
        return [part for line in lines for part in wrap(line, width - 1)]

    def _write(self, parts: Sequence[Line]) -> None:
        if parts:
            text = [fragment for part in parts for fragment in (*part, ("", "\n"))]
            print_formatted_text(self._output, FormattedText(text), self._style)
