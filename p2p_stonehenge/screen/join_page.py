"""The page that asks which of the open tables, or which address, to sit down at."""

from collections.abc import Hashable
from functools import partial

from p2p_stonehenge.screen.pages import Item, Line, ListPage, NotUnderstoodError, Page, Words
from p2p_stonehenge.screen.start_page import StartPage, table_told
from p2p_stonehenge.screen.start_rows import Entry
from p2p_stonehenge.text.program import behind_program

NOBODY_OPEN = "No table is open here yet: one that opens is shown here."
"""What the page for joining says."""


def join_page(start: StartPage) -> Page | Words:
    """Return the way to the only open table; where several are open, or none is, the page that asks which is meant."""
    tables = start.open_tables()
    return Words(tables[0].words) if len(tables) == 1 else _JoinPage(start)


class _JoinPage(ListPage):
    """Asks for one of the open tables, which come and go, or for the address of another one.

    The tables have the numbers, and are held in their places, as on the start page.
    """

    told_of_rows = True

    def __init__(self, start: StartPage) -> None:
        empty = "Type the address that the host's page shows, as in 192.168.1.20:41730"
        self._start = start
        super().__init__("", [], "table or address", empty)
        self._keys: list[Hashable] = []
        """The tables of the rows: the mark stays on its table."""
        self._look()

    @property
    def held(self) -> bool:
        """Return whether the start page holds its rows, and so these."""
        return self._start.held

    @held.setter
    def held(self, held: bool) -> None:
        self._start.held = held

    def _look(self) -> None:
        """Take in which tables are open now."""
        tables = self._start.to_join()
        marked = self._keys[self.mark] if self._keys else None
        self.title = "JOIN: which table? Or an address, as 192.168.1.20:41730" if tables else f"JOIN: {NOBODY_OPEN}"
        self.items = [
            Item(str(number), table_told(one), partial(self._sit_down, one), (one.who.strip('"').lower(),))
            for number, one in tables.items()
        ]
        self._keys = [one.key for one in tables.values()]
        self.mark = self._keys.index(marked) if marked in self._keys else 0

    def _sit_down(self, table: Entry) -> Words:
        if table not in self._start.open_tables():
            raise NotUnderstoodError(f"{table.what} of {table.who} is gone: it is not open any more.")
        return Words(table.words)

    def render(self, width: int, height: int) -> list[Line]:
        self._look()
        return super().render(width, height)

    def told(self) -> list[str]:
        self._look()
        open_now = {one.key for one in self._start.open_tables()}
        self.items = [item for key, item in zip(self._keys, self.items, strict=True) if key in open_now]
        return super().told()

    def enter(self, text: str) -> Page | Words | None:
        """Go to the table of the list, or that is named or lies at the address, that was typed."""
        self._look()
        if not text.strip() and not self.items:
            raise NotUnderstoodError("Type an address, or wait: a table that opens is shown here.")
        number = text.strip()
        if number.isdecimal():
            if number.lstrip("0") not in map(str, self._start.to_join()):  # the start page has rows of other kinds
                raise NotUnderstoodError(f"There is no row {number[:6]} here: type a number that stands there.")
            return self._start.enter(number)
        try:
            return super().enter(text)
        except NotUnderstoodError:
            words = behind_program(text).split()
            return Words(("join", *(words[1:] if words[:1] == ["join"] else words)))
