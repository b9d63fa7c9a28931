"""The start page: what to go on with, who is here, what can be begun. Knows no network and no files."""

import asyncio
import re
import time
from collections.abc import Callable, Hashable, Mapping, Sequence

from p2p_stonehenge.screen.pages import (
    BACK,
    HELP,
    Line,
    NotUnderstoodError,
    Page,
    TextPage,
    Words,
    around,
    row,
    spread,
    text_of,
    wrapped,
)
from p2p_stonehenge.screen.start_rows import BEGIN, Begin, Entry, begun_by
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.program import behind_program
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.sparing import Sparing
from p2p_stonehenge.text.widths import cells, cut, fit

TITLES = (" STONEHENGE   five games for friends on one network", " STONEHENGE   five games for friends", " STONEHENGE")
"""What the page is called: the longest that fits beside the name of the player."""
WIDEST = (20, 18, 18)
"""Columns that the game, the time and the state of a row have at the most: others may announce what they like. The
state has more where the people leave them."""
GONE, GONE_FOR = 3, 10.0
"""Rows of tables that are gone which the page still shows, and for how many seconds."""
JOIN = "j"
"""The row that asks at which table."""
JUST_MOVED = 1.0
"""Seconds after the mark has moved by itself in which Enter may be meant for the row where it was."""
HINT_AFTER = 10.0
"""Seconds without anybody until the page says what to do."""
GUIDE_SHOWN = (
    "Up and Down choose a row, Enter takes it. Or type what stands before a row, or",
    "words of it, such as the host: the numbers are those of your own screen.",
    "Tab offers what can be typed, Ctrl-D leaves. At a table `help` works as well.",
)
"""What `help` says first,"""
GUIDE_TOLD = (
    "Type what stands before a row, or words of it, such as the host.",
    "Enter alone tells the page again, Ctrl-D leaves.",
    "At a table `help` works as well.",
)
"""or says to those who see no page,"""
GUIDE = (
    "Games of yours that are not over stand first, then open tables of friends.",
    "`b` looks back at saved games: to step through one, check it or show it.",
    "There, too, a match is left between two of its games, and offered no more;",
    "`resign` ends a game of it that is not over.",
    "",
    "A command does the same, with what it takes, as `host kingamon`:",
)
"""and what it says then; the commands come last."""


class StartPage(Page):
    """What `p2p-stonehenge` alone shows.

    `pages` opens the page behind a letter. The rows are numbered from 1 on as they stand there; while something is
    typed, and until the page is told anew to those who read line by line, each row keeps its number and its place.
    """

    marks_a_row = True

    def __init__(
        self,
        commands: Mapping[str, str],
        pages: Mapping[str, Callable[[], Page | Words]],
        note: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`commands`: the words that begin a command line, each with what it does."""
        super().__init__()
        self._clock = clock
        self._commands, self._pages = commands, pages
        self._read = asyncio.Event()
        self._sparing = Sparing(clock)
        self.entered: Callable[[], list[str]] = list
        """Returns the lines that are entered once the page is ready."""
        self.offered: Callable[[str, Sequence[str]], Mapping[str, str]] = lambda _command, _words: {}
        """Returns what the last of the words behind a command may become, each with its meaning."""
        self.note = note
        """What came of the last command."""
        self.nick = ""
        self.place = ""
        """The address of this computer; which port a table has is known when it is opened."""
        self.trouble = ""
        """Why nobody can be found."""
        self.games: list[Entry] | None = None
        """What to go on with; None until the saved games have been read."""
        self.unread = ""
        """Why the saved games cannot be read, and what to do."""
        self.tables: dict[Hashable, Entry] = {}
        self.gone: dict[Hashable, float] = {}
        """Tables that are gone and still shown, and since when."""
        self.people: tuple[str, ...] = ()
        """Who is here besides: a guest at a table that awaits others announces no table, and is among them."""
        self.here = 0
        """How many others are seen, those at tables and of games to go on with too."""
        self.looking: float | None = None
        """For how many seconds nobody has been found; None before the search began."""
        self._numbers: dict[Hashable, int] = {}
        self._highest = 0
        """The highest number given since all rows were numbered."""
        self._mark: Hashable = None
        self._is_chosen = False
        """Whether the player has moved the mark, or typed something: else it goes where friends wait."""
        self._has_shown_hosting = False
        """Whether the page was shown with the mark where it is while nothing is likely."""
        self._moved: float | None = None
        """When the mark left that row by itself."""
        self._warned: set[tuple[Hashable, Hashable]] = set()
        """The games that Enter takes although friends wait at another one, each with that one."""

    # What is known

    def know_games(self, games: list[Entry]) -> None:
        """Take in the unfinished games; tell of those that go on in another way than before."""
        before = {game.key: game.words for game in self.games or ()}
        self.games = games
        self._number()
        for game in games:
            if before.get(game.key, game.words) != game.words and self._sparing.take(""):
                self.tell(f"Now: {self._numbers[game.key]}. {game.told()}.")
        self._choose_mark()
        self._read.set()
        self.changed()

    async def ready(self) -> None:
        await self._read.wait()

    def typed_before(self) -> list[str]:
        return self.entered()

    def means_one_thing(self, line: str) -> bool:
        """Return whether a line is a letter or a word of what can be begun, whichever rows the page has."""
        return begun_by(behind_program(line)) is not None

    def know_tables(self, tables: list[Entry], people: tuple[str, ...]) -> None:
        """Take in which tables are open, and who is here besides; a table that is gone keeps its row for a while.

        Tell of those that come, begin, or are gone.
        """
        before, here, now = self.tables, {table.key: table for table in tables}, self._clock()
        self.people = people
        self.tables = before | here
        self._number()
        for table in tables:
            if (table.key not in before or table.key in self.gone) and self._sparing.take(""):
                self.tell(f"Open now: {self._numbers[table.key]}. {table_told(table)}.")
            elif table.key in before and table.words[0] != before[table.key].words[0] and self._sparing.take(""):
                self.tell(f"Now: {self._numbers[table.key]}. {table_told(table)}.")
        for key in before.keys() - here.keys() - self.gone.keys():
            if self._sparing.take(""):
                self.tell(f"Gone: {self._numbers[key]}. {before[key].what} of {before[key].who}.")
        gone = [key for key in before if key not in here]
        shown = {*people, *(name for table in tables for name in table.who.split(", "))}
        # The host is here, or at a table that is shown. A row that is held stays: else its number would be missing.
        elsewhere = {key for key in gone if before[key].who in shown and not self.held}
        since = {key: self.gone.get(key, now) for key in gone if key not in elsewhere}
        fresh = [key for key in since if self.held or now < since[key] + GONE_FOR]
        self.gone = {key: since[key] for key in fresh[-GONE:]}
        rows = [table for key, table in self.tables.items() if key in here or key in self.gone]
        # Friends who look at pages of their own see the same order, whichever table was found first.
        rows = rows if self.held else sorted(rows, key=lambda table: (table.words[0] != "join", table.who.casefold()))
        self.tables = {table.key: table for table in rows}
        self._number()
        self._choose_mark()
        self.changed()

    def _number(self, anew: bool = False) -> None:
        """Number the rows as they stand there; while they are held, unless `anew`, only those that have no number."""
        rows = [*(game.key for game in self.games or ()), *self.tables]
        if anew or not self.held:
            self._numbers, self._highest = {}, 0
        for key in rows:
            if key not in self._numbers:
                self._highest += 1
                self._numbers[key] = self._highest
        self._numbers = {key: self._numbers[key] for key in rows}

    def open_tables(self) -> list[Entry]:
        """Return the tables at which one can sit down."""
        return [table for key, table in self.tables.items() if key not in self.gone and table.words[0] == "join"]

    def to_join(self) -> dict[int, Entry]:
        """Return these by their numbers; while rows are held, those that are gone, too."""
        gone = () if self.held else self.gone
        joined = {key: table for key, table in self.tables.items() if key not in gone and table.words[0] == "join"}
        return {self._numbers[key]: table for key, table in joined.items()}

    # What is shown

    def render(self, width: int, height: int) -> list[Line]:
        self._has_shown_hosting |= self._mark is None
        name = f"you are {self.nick}" if self.nick else ""
        told = next((title for title in TITLES if cells(f"{title} {name} ") <= width), TITLES[-1])
        title = spread(told, f"{name} ", width)
        sections = [self._going_on(width), self._open(width), self._begin(width)]
        lines: list[Line] = [row(("class:title", title))]
        if self.note:
            lines += [row(("class:refusal", text_of(line))) for line in wrapped(self.note, width - 1, " ")]
        needed = len(lines) + sum(len(section) + 1 for section in sections)
        for section in sections:
            lines += [row(""), *section] if section and needed <= height else section
        marked = (number for number, line in enumerate(lines) if any(style == "class:ask" for style, _ in line))
        return around(lines, next(marked), height)

    def _going_on(self, width: int) -> list[Line]:
        if self.games is None:
            return [row(("class:title", " GO ON WITH")), row(("class:dim", "      looking at your saved games..."))]
        if self.unread:
            return [row(("class:title", " GO ON WITH")), *wrapped(self.unread, width - 1, "      ")]
        if not self.games:
            return []
        return [row(("class:title", " GO ON WITH")), *self._lines(self.games, width)]

    def _open(self, width: int) -> list[Line]:
        head = row(("class:title", spread(" OPEN HERE", f"{self.place} ", width)))
        lines = self._lines([*self.tables.values()], width)
        if self.people:
            lines.append(row(cut(f"      also here:  {', '.join(self.people)}", width)))
        if not lines:
            lines = [row(cut(f"      {text}", width)) for text in self._nobody()]
        return [head, *lines]

    def _nobody(self) -> list[str]:
        """Return what is tried while nobody is found."""
        if self.trouble:
            return [self.trouble]
        if self.looking is None:
            return ["looking for friends..."]
        if self.here:
            return ["nobody but the players of your games above, and no other table yet"]
        told = [f"nobody found yet, in {self.looking:.0f} s of looking"]
        if self.looking >= HINT_AFTER:
            told += [
                "Tables appear by themselves. If a friend sits beside you, one of you",
                "hosts and reads out the address shown; the other types:  join ADDRESS",
            ]
        return told

    def _begin(self, width: int) -> list[Line]:
        column = 38 if width >= 72 else width
        begun = [self._cell(begin, column) for begin in BEGIN]
        if width < 72:
            return [row(("class:title", " BEGIN")), *([cell] for cell in begun)]
        half = (len(begun) + 1) // 2
        pairs = ([begun[n], *([begun[n + half]] if n + half < len(begun) else [])] for n in range(half))
        return [row(("class:title", " BEGIN")), *pairs]

    def _cell(self, begin: Begin, width: int) -> tuple[str, str]:
        marked = self.mark == begin.letter
        text = f" {'>' if marked else ' '}  {begin.letter}  {begin.text}"
        return ("class:ask" if marked else "", fit(cut(text, width), width))

    def _lines(self, entries: Sequence[Entry], width: int) -> list[Line]:
        """Return the rows of one heading, each in a line."""
        return [self._line(entry, width, entries) for entry in entries]

    def _line(self, entry: Entry, width: int, beside: Sequence[Entry]) -> Line:
        """Return a row, in columns with those `beside` it."""
        marked = self.mark == entry.key
        state = "gone" if entry.key in self.gone else entry.state
        head = f" {'>' if marked else ' '} {self._numbers[entry.key]:>2}  "
        if width >= 72:
            what, when, last = self._columns(width - 1 - len(head), beside)
            who = width - 1 - len(head) - what - when - last
            parts = ((cut(entry.what, what - 1), what), (entry.people(who - 1), who), (cut(entry.when, when - 1), when))
            text = "".join(fit(part, size) for part, size in parts) + state
        else:
            text = entry._replace(state=state).told()
        return row(("class:ask" if marked else "class:dim" if state == "gone" else "", cut(head + text, width - 1)))

    def _columns(self, width: int, entries: Sequence[Entry]) -> tuple[int, int, int]:
        """Return how wide the columns of game, time and state are; the people have the rest of the `width`.

        The first one is as wide under all headings. A long state takes no column that the people need.
        """
        games = max(cells(entry.what) for entry in (*(self.games or ()), *self.tables.values()))
        times = max(cells(entry.when) for entry in entries)
        states = max(cells(entry.state or "gone") for entry in entries)
        people = max(entry.people_cells for entry in entries)
        what, when = min(games + 2, WIDEST[0]), min(times + 2, WIDEST[1])
        return what, when, min(states, max(WIDEST[2], width - what - when - people - 2))

    def told(self) -> list[str]:
        self.tables = {key: table for key, table in self.tables.items() if key not in self.gone}
        self.gone = {}
        self._number(anew=True)
        lines = [self.note] if self.note else []
        seen = f"Unfinished games: {len(self.games or ())}. Open tables: {len(self.tables)}."
        lines.append(f"You are {self.nick}. {seen}")
        if self.unread:
            lines.append(self.unread)
        lines += [f"{self._numbers[entry.key]}. {entry.told()}." for entry in self.games or ()]
        lines += [f"{self._numbers[entry.key]}. {table_told(entry)}." for entry in self.tables.values()]
        if self.people:
            lines.append(f"Also here: {', '.join(self.people)}.")
        if self.trouble:
            lines.append(self.trouble)
        ways = ", ".join(begin.names[0] for begin in BEGIN)
        return [*lines, f"Type a number or: {ways}. Or a command: rules kingamon. `help` lists them."]

    def help(self) -> str:
        return " ".join((*GUIDE_SHOWN, *GUIDE))

    def prompt(self) -> str:
        return f"{self.nick}, where to> " if self.nick else "where to> "

    def status(self) -> str:
        return self._status(self._row_told(self.mark))

    def status_of(self, typed: str) -> str:
        word = typed.strip().lower()
        row = next((key for key, number in self._numbers.items() if str(number) == word), None)
        begin = begun_by(word)
        takes = self._row_told(row) if row is not None else begin.text if begin else typed.strip()
        return self._status(takes) if word else self.status()

    def _row_told(self, key: Hashable) -> str:
        """Return in a few words what the row with this key leads to."""
        entry = self._entry(key)
        return entry.what if entry else next((begin.text for begin in BEGIN if begin.letter == key), "")

    def _status(self, takes: str) -> str:
        """Return the line at the bottom where Enter does what `takes` says."""
        tables = self.open_tables()
        # Enter stays where it is when a table opens: this says which key leads there.
        joins = ""
        if tables and self.mark not in (JOIN, *(one.key for one in tables)):
            joins = f"j: {len(tables)} open tables" if len(tables) > 1 else f"j: join {tables[0].who}"
        parts = (f"Enter: {takes}", joins, f"others here: {self.here}" if self.here else "")
        return "   ".join(part for part in parts if part)

    # What is chosen

    def _rows(self) -> list[Hashable]:
        return [*(game.key for game in self.games or ()), *self.tables, *(begin.letter for begin in BEGIN)]

    @property
    def mark(self) -> Hashable:
        """Return the row that Enter takes: the one gone to with the arrows, or else the one that was likely first.

        It stays on that row, and where the row is no more it is on that of hosting: never on another one that came.
        Before it was put on a row it is on that of joining while several tables are open.
        """
        if self._mark is None and len(self._free()) > 1:
            return JOIN  # which asks for one of them
        return self._mark if self._mark in self._rows() else BEGIN[0].letter

    def _free(self) -> list[Entry]:
        """Return the open tables that are for this player as well."""
        return [table for table in self.open_tables() if table.likely]

    def _choose_mark(self) -> None:
        """Put the mark on the row that is likely, unless it was put on one before: a game, or the only open table.

        Until the player has chosen, it goes on from there to the first row where friends wait.
        """
        friends, marked = self._awaited(), self._entry(self._mark)
        if not self._is_chosen and not self.held and friends and not (marked and marked.awaited):
            self._moved = self._clock() if self._mark is not None or self._has_shown_hosting else None
            self._mark = friends.key
            return
        if self._mark is not None:
            return
        tables = self._free()
        rows = [*(self.games or ()), *(tables if len(tables) == 1 else ())]
        self._mark = next((entry.key for entry in rows if entry.likely), None)
        if self._mark is not None and self._has_shown_hosting:
            self._moved = self._clock()

    def _awaited(self) -> Entry | None:
        """Return the first row at which friends wait for the player here."""
        return next((entry for entry in (*(self.games or ()), *self._free()) if entry.awaited), None)

    def move(self, by: int) -> None:
        rows = self._rows()
        at, self._is_chosen = rows.index(self.mark) + by, True
        self._mark = rows[max(0, min(len(rows) - 1, at))]
        self._warned |= {(self._mark, one.key) for one in (*(self.games or ()), *self._free()) if one.awaited}

    def _entry(self, key: Hashable) -> Entry | None:
        return next((entry for entry in (*(self.games or ()), *self.tables.values()) if entry.key == key), None)

    def enter(self, text: str) -> Page | Words | None:
        self.note = ""
        if not text.strip():
            self._point_to_what_came()
            self._point_to_friends()
            return self._take(self.mark)
        self._is_chosen = True
        words = behind_program(text).split()  # commands are told, and copied, with the program before them
        if not words:
            raise NotUnderstoodError("This is the start page already: type a command alone, as `join anna`.")
        first = words[0].lower().removeprefix("/") or words[0]
        for read in (self._by_number, self._by_letter, self._help_asked, self._by_command, self._by_row):
            found = read(first, words)
            if found is not None:
                return found
        raise NotUnderstoodError(self._why_not(first))

    def _point_to_what_came(self) -> None:
        """Raise NotUnderstoodError, once, where the mark has just moved by itself: Enter was meant for another row."""
        moved, self._moved = self._moved, None
        marked = self._entry(self.mark)
        if marked and moved is not None and self._clock() < moved + JUST_MOVED:
            told = f"Just come: {marked.told()}. Enter once more takes it, `h` hosts a table."
            raise NotUnderstoodError(told, lambda: bool(self._entry(marked.key)) and marked.key not in self.gone)

    def _point_to_friends(self) -> None:
        """Raise NotUnderstoodError, once, where friends have come to another game since the mark was put there."""
        marked = self._entry(self.mark)
        friends = self._awaited()
        if marked is None or friends is None or marked.awaited or (marked.key, friends.key) in self._warned:
            return
        self._warned.add((marked.key, friends.key))
        there = f"{self._numbers[friends.key]}. {friends.told()}"
        raise NotUnderstoodError(f"Friends wait at {there}. Enter once more takes {marked.what} all the same.")

    # The ways to understand a line, tried in turn: each is given the first word and all of them, and returns where they
    # lead, or None where they are no such thing. They raise NotUnderstoodError for one that leads nowhere.

    def _by_number(self, first: str, words: Sequence[str]) -> Page | Words | None:
        if not first.isdecimal() or len(words) > 1:
            return None
        key = next((key for key, number in self._numbers.items() if str(number) == first.lstrip("0")), None)
        if key is None:
            raise NotUnderstoodError(f"There is no row {first[:6]}: type a number or a letter that stands there.")
        return self._take(key)

    def _by_letter(self, first: str, words: Sequence[str]) -> Page | Words | None:
        begin = begun_by(first) if len(words) == 1 else None
        return self._take(begin.letter) if begin else None

    def _help_asked(self, first: str, _: Sequence[str]) -> Page | Words | None:
        if first not in HELP:
            return None
        columns = (f"  {name:<12}{about}" for name, about in self._commands.items())
        sentences = (f"{name}: {about}." for name, about in self._commands.items())
        shown, told = (*GUIDE_SHOWN, *GUIDE, "", *columns), (*GUIDE_TOLD, *GUIDE, *sentences)
        return TextPage("help", "\n".join(shown), "\n".join(told))

    def _by_command(self, first: str, words: Sequence[str]) -> Page | Words | None:
        """Take a command line, whose command may be shortened as long as it is one alone."""
        if first == "name":  # the one setting that friends see
            return Words(("config", first, *words[1:]))
        named = self._commands_meant(first)
        return Words((named[0], *words[1:])) if len(named) == 1 else None

    def _by_row(self, _: str, words: Sequence[str]) -> Page | Words | None:
        key = self._row_of(words)
        return self._take(key) if key else None

    def _commands_meant(self, first: str) -> list[str]:
        """Return the commands that a word may mean."""
        return [{"alone": "solo"}.get(first, first)] if first in (*self._commands, "alone") else self._begun(first)

    def _begun(self, first: str) -> list[str]:
        """Return the commands that begin so."""
        return [name for name in self._commands if name.startswith(first)]

    def _why_not(self, first: str) -> str:
        """Return why a line is not understood, and what to type instead."""
        from engine import all_games  # which loads every game: the page is there before

        if first in all_games():
            return f"{first} is a game: `host {first}` plays with friends, `solo {first}` alone."
        named = self._begun(first)
        also = f" ({', '.join(named)})" if named else ""
        meant = "" if named else closest(first, (*self._commands, *(name for begin in BEGIN for name in begin.names)))
        ways = f"did you mean {meant}?" if meant else "type a number, a letter or a word from here."
        return f"{safe(first)[:20]} is no command{also}: {ways}"

    def _row_of(self, words: Sequence[str]) -> Hashable:
        """Return the game or table whose row has words that begin so, None if none has. Raises NotUnderstoodError."""
        typed = [word.strip(",()").lower() for word in words]
        rows = [*(self.games or ()), *(table for key, table in self.tables.items() if key not in self.gone)]
        told = {entry.key: re.sub('[,("]', " ", entry.told()).lower().split() for entry in rows}
        fits = [
            key for key, parts in told.items() if all(any(part.startswith(word) for part in parts) for word in typed)
        ]
        if len(fits) > 1:
            numbers = ", ".join(str(self._numbers[key]) for key in fits[:9])
            raise NotUnderstoodError(f"Several rows fit that: type the number, {numbers}.")
        return fits[0] if fits else None

    def _take(self, key: Hashable) -> Page | Words:
        entry = self._entry(key)
        if entry:
            if key in self.gone:
                raise NotUnderstoodError(f"{entry.what} of {entry.who} is gone: it is not open any more.")
            return Words(entry.words)
        if key == "q":
            return BACK
        return self._pages[str(key)]()

    def choices(self, text: str) -> list[tuple[str, str]]:
        before, blank, word = text.lstrip().rpartition(" ")
        words = behind_program(before).split()
        if words:
            first, *more = words
            named = self._commands_meant(first.lower())
            known = self.offered(named[0], [*more, word]) if len(named) == 1 else {}
        else:
            known = {name: begin.text for begin in BEGIN for name in begin.names[:1]}
            known |= {name: "" for name in self._commands if name not in known}
        fits = ((name, meaning) for name, meaning in known.items() if name.lower().startswith(word.lower()))
        return [(f"{before}{blank}{name}", meaning) for name, meaning in fits]


def table_told(table: Entry) -> str:
    """Return a table as a sentence."""
    return ", ".join(part for part in (f"{table.what} of {table.who}", table.when, table.state) if part)
