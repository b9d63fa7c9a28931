"""Pages: lists of which a player chooses something, by number, by letter, by words or with the arrows.

A page is pure text and knows no terminal. Imports nothing of the games: the first page is there at once.
"""

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from p2p_stonehenge.screen.views import Line, row, text_of, wrap
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, cut, fit


class NotUnderstoodError(Exception):
    """What was typed means nothing on this page; the message says what does, as long as it `stands`."""

    def __init__(self, text: str, stands: Callable[[], bool] = lambda: True) -> None:
        super().__init__(text)
        self.stands = stands


class Words(NamedTuple):
    """What a page was left with: the words of a command line."""

    words: tuple[str, ...]


LEAST = 5
"""Rows of a list that stay in sight before its title and the text of the marked row take their place."""
HELP, LEAVE = ("help", "?"), ("back", "q", "quit", "exit")
"""What can be typed on any page: how to use it; going back to the page before, from the first one out."""
BACK = Words(())
"""Goes back to the page before; from the first one it leaves the program."""


class Page(ABC):
    """Something to choose from. What is typed leads on to another page, ends with words, or stays here."""

    told_of_rows = False
    """Whether those who see no page hear of it here, too, when a row of the first page comes or goes."""
    marks_a_row = False
    """Whether Enter alone takes the row with the mark: to those who see no mark it tells the page again."""

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None
        """Called when the page looks different; `tell` says what is new to those who see no page."""
        self.tell: Callable[[str], None] = lambda _text: None
        self.held = False
        """Whether what was shown or told has to stay as it is: something is typed that may mean a row of it."""

    async def ready(self) -> None:  # noqa: B027 - most pages know all from the start
        """Wait until the page can be told as a whole."""

    def typed_before(self) -> list[str]:
        """Return the lines that are entered once the page is ready, as if they were typed there one after the other."""
        return []

    @abstractmethod
    def render(self, width: int, height: int) -> list[Line]:
        """Return the page, at most so wide and so high, with the marked row in sight."""

    @abstractmethod
    def told(self) -> list[str]:
        """Return the page as sentences for those who read line by line."""

    @abstractmethod
    def prompt(self) -> str:
        """Return what asks for a line."""

    def status(self) -> str:
        """Return what the line at the bottom says."""
        return ""

    def status_of(self, typed: str) -> str:
        """Return what that line says while something is typed."""
        return self.status()

    @abstractmethod
    def help(self) -> str:
        """Return how to use the page."""

    def help_told(self) -> str:
        """Return that for those who see no page."""
        return self.help()

    def move(self, by: int) -> None:  # noqa: B027 - a page without rows has no mark
        """Move the mark by so many rows."""

    def turn(self, by: int) -> None:  # noqa: B027 - few pages have rows with values
        """Change the value of the marked row. Raises NotUnderstoodError."""

    @abstractmethod
    def enter(self, text: str) -> "Page | Words | None":
        """Do what was typed. Raises NotUnderstoodError."""

    def choices(self, text: str) -> list[tuple[str, str]]:
        """Return the words that go on from `text`, each with its meaning."""
        del text
        return []


class Item(NamedTuple):
    """A row of a list: what is typed for it, the text, and where it leads."""

    key: str
    text: str
    leads: "Callable[[], Page | Words]"
    words: tuple[str, ...] = ()
    """Names that mean this row, too."""
    marked: bool = False
    """Whether Enter takes this row unless another one is marked."""


class ListPage(Page):
    """A list under a title."""

    marks_a_row = True

    def __init__(self, title: str, items: Sequence[Item], ask: str, empty: str = "There is nothing here yet.") -> None:
        super().__init__()
        self.title, self.items, self.ask, self.empty = title, list(items), ask, empty
        self.mark = next((number for number, item in enumerate(items) if item.marked), 0)

    def render(self, width: int, height: int) -> list[Line]:
        rows = [self._row(number, width) for number in range(len(self.items))]
        title = [row(("class:title", text_of(line))) for line in wrapped(self.title, width - 1, " ")]
        head = [*title, row("")]
        if not rows:
            return [*head, *wrapped(self.empty, width - 1, "   ")][:height]
        if len(head) + sum(map(len, rows)) <= height:
            return [*head, *(line for lines in rows for line in lines)]
        below: list[Line] = []
        if len(rows[self.mark]) > 1:  # what is cut there stands here as a whole
            below = [row(""), *wrapped(" ".join(self.items[self.mark].text.split()), width - 1, " ")]
        if len(head) + len(below) + LEAST > height:
            head, below = title, []
        body = [[(style, cut(self._text(number), width))] for number, [[(style, _)], *_] in enumerate(rows)]
        return [*head, *around(body, self.mark, height - len(head) - len(below)), *below][:height]

    def _text(self, number: int) -> str:
        item = self.items[number]
        return f" {'>' if number == self.mark else ' '} {item.key:>2}  {item.text}"

    def _row(self, number: int, width: int) -> list[Line]:
        """Return a row as a whole, on as many lines as it needs."""
        style = "class:ask" if number == self.mark else ""
        return [row((style, part)) for part in hung(self._text(number), width - 1)]

    def told(self) -> list[str]:
        items = [f"{item.key}. {' '.join(item.text.split())}." for item in self.items]
        return [self.title, *(items or [self.empty]), "Type a number or a word, or `back`."]

    def prompt(self) -> str:
        return f"{self.ask}> "

    def status(self) -> str:
        return f"Enter takes {self.items[self.mark].key}" if self.items else ""

    def help(self) -> str:
        return (
            "Type what stands before a row, or a word of it; Up and Down choose a row, Enter takes it."
            " `back` or Ctrl-D goes back."
        )

    def help_told(self) -> str:
        return (
            "Type what stands before a row, or a word of it. Enter alone tells the page again."
            " `back` or Ctrl-D goes back."
        )

    def move(self, by: int) -> None:
        self.mark = max(0, min(len(self.items) - 1, self.mark + by))

    def enter(self, text: str) -> "Page | Words | None":
        word = " ".join(text.lower().split())
        if not word:
            return self.items[self.mark].leads() if self.items else None
        fits = [item for item in self.items if word in (item.key, *item.words[:1])]
        fits = fits or [item for item in self.items if word in item.words]
        fits = fits or [item for item in self.items if any(name.startswith(word) for name in item.words)]
        fits = fits or [item for item in self.items if {*word.split()} <= {*item.words}]  # as a title of two words
        first, *more = word.split()
        if not fits and more and any(first in (item.key, *item.words) for item in self.items):
            raise NotUnderstoodError(f"Type `{safe(first)[:20]}` alone: nothing stands behind it here.")
        if len(fits) != 1:
            meant = "" if fits else closest(word, (name for item in self.items for name in item.words))
            raise NotUnderstoodError(
                f"{'Several fit that' if fits else 'There is no such row'}:"
                f" {f'did you mean {meant}?' if meant else 'type what stands before a row.'}"
            )
        return fits[0].leads()

    def choices(self, text: str) -> list[tuple[str, str]]:
        word = text.lower().strip()
        return [(item.words[0], item.text) for item in self.items if item.words and item.words[0].startswith(word)]


class TextPage(Page):
    """A long text, a window at a time; those who see no page are told all of it, and are on the page before again."""

    def __init__(self, title: str, text: str, told: str = "") -> None:
        """`told`: the text for those, where it is another one."""
        super().__init__()
        self.title = title
        self._lines, self._told = text.splitlines(), (told or text).splitlines()
        self._top, self._rows, self._width = 0, 1, 80

    def render(self, width: int, height: int) -> list[Line]:
        self._rows, self._width = max(height - 1, 1), width
        lines = self._wrapped()
        self._top = max(0, min(self._top, len(lines) - self._rows))
        shown = lines[self._top : self._top + self._rows]
        return [*map(row, shown), *([row("")] * (self._rows - len(shown)) if len(lines) > self._rows else [])]

    def _wrapped(self) -> list[str]:
        def parts(line: str) -> list[str]:
            columns = "  " in line.strip()
            return (
                hung(line, self._width) if columns else textwrap.wrap(line, self._width, subsequent_indent="  ") or [""]
            )

        return [part for line in self._lines for part in parts(line)]

    def told(self) -> list[str]:
        return self._told

    def prompt(self) -> str:
        return f"{self.title}> "

    def status(self) -> str:
        lines = len(self._wrapped())
        last = min(self._top + self._rows, lines)
        return f"{self._top + 1}-{last} of {lines} lines" + ("  Enter goes on" if last < lines else "  Enter goes back")

    def move(self, by: int) -> None:
        self._top = max(0, self._top + by)

    def help(self) -> str:
        return "Enter turns the page, Up and Down move it, a word finds where it stands. `back` or Ctrl-D goes back."

    def enter(self, text: str) -> "Page | Words | None":
        """Turn to the next part; `/WORD` or a word finds it; at the end, go back."""
        lines = self._wrapped()
        sought = text.strip().lower().removeprefix("/").strip()
        if sought:
            order = [*range(self._top + 1, len(lines)), *range(self._top + 1)]
            found = next((number for number in order if sought in lines[number].lower()), None)
            if found is None:
                raise NotUnderstoodError(f"{sought[:30]!r} is not in this text: Enter turns the page, q goes back.")
            self._top = found
            return None
        if self._top + self._rows >= len(lines):
            return BACK
        self._top += self._rows
        return None


def hung(text: str, width: int) -> list[str]:
    """Return a row as lines, what does not fit on the first one below its last column."""
    columns = [match.end() for match in re.finditer(r" {2,}", text) if match.end() <= width // 2]
    indent = " " * (columns[-1] if columns else 0)
    return textwrap.wrap(text, width, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False) or [""]


def no_row(word: str, names: Sequence[str]) -> NotUnderstoodError:
    """Return what a page of named rows, each with a value, says of a word that is the name of none."""
    meant = closest(word, names)
    ways = f"did you mean {meant}?" if meant else "type a number, and a value if you like."
    return NotUnderstoodError(f"There is no row {safe(word)[:20]!r}: {ways}")


def around(lines: Sequence[Line], mark: int, height: int) -> list[Line]:
    """Return as many lines as fit, the marked one among them; what is left out is counted."""
    if len(lines) <= height or height < 3:
        return list(lines[max(0, mark - height + 1) :][: max(height, 1)])
    room = height - 2
    first = max(0, min(mark - room // 2, len(lines) - room))
    above, below = first, len(lines) - first - room
    return [
        row(("class:dim", f"      {above} more above" if above else "")),
        *lines[first : first + room],
        row(("class:dim", f"      {below} more below" if below else "")),
    ]


def spread(left: str, right: str, width: int) -> str:
    """Return two texts at both ends of a line; the right one is kept, the left one is cut."""
    if cells(right) + 2 > width:
        return cut(left, width)
    return fit(cut(left, width - cells(right) - 1), width - cells(right)) + right


def wrapped(text: str, width: int, indent: str = "") -> list[Line]:
    """Return a text as lines behind an indent."""
    return [row(part) for part in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)]


__all__ = [
    "BACK",
    "HELP",
    "LEAVE",
    "Item",
    "Line",
    "ListPage",
    "NotUnderstoodError",
    "Page",
    "TextPage",
    "Words",
    "around",
    "hung",
    "no_row",
    "row",
    "spread",
    "text_of",
    "wrap",
    "wrapped",
]
