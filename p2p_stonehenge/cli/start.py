"""What `p2p-stonehenge` alone does: the start page, the command that comes of it, and the start page again.

The first prompt is there before anything of the games or of the network is read: that comes while the player looks.
"""

import asyncio
import contextlib
import socket
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING

from p2p_stonehenge.cli import around, letters
from p2p_stonehenge.cli.arguments import inherit, parse, report_fault
from p2p_stonehenge.cli.commands import COMMANDS
from p2p_stonehenge.cli.common import name_at_first
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.screen.join_page import join_page
from p2p_stonehenge.screen.keyboard import FORGOTTEN, KEYBOARD
from p2p_stonehenge.screen.pages import NotUnderstoodError, Page, Words
from p2p_stonehenge.screen.start_page import StartPage
from p2p_stonehenge.screen.start_rows import begun_by
from p2p_stonehenge.screen.turning import line_by_line, on_terminal
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.output import plain_wanted
from p2p_stonehenge.text.program import begun_on_page, behind_program, told_on_page

if TYPE_CHECKING:
    from p2p_stonehenge.lobby.facts import Saved
    from p2p_stonehenge.lobby.shelf import Shelf
    from p2p_stonehenge.net.discovery import Discovery, Sighting
    from p2p_stonehenge.storage.home import Home

LOOK_AGAIN = 1.0
"""Seconds between two looks at who is there, where nothing new was announced meanwhile."""
UNSEEN = 5.0
"""Seconds that the page goes on to show those whom it showed before a command and has not seen since."""
TABLES_KEPT = 60.0
"""Seconds of a command after which it is not known any more at which tables they are."""
TRY_AGAIN = 5.0
"""Seconds until the network is tried again where there was none."""
UNREAD = "Your saved games could not be read: `saved` shows the error, `doctor` says what to do."
"""What the page says where that is a fault of this program."""
ESCAPE = "\x1b"
LOOKS_BACK = ("replay", "verify", "export", "analyse")
"""The commands of the page of a saved game that lead back to it."""


def start(args: Namespace, obey: Callable[[Namespace], int]) -> int:
    """Show the start page and let `obey` carry out what is chosen there, until the player leaves."""
    note = line = menu = ""
    before: dict[bytes, Sighting] = {}
    if args.name is not None:
        from p2p_stonehenge.cli.play import nick_of
        from p2p_stonehenge.storage.home import Home

        nick_of(Home.open(args.home), args.name)
        args.name = None  # it may be changed on the start page
    else:
        try:
            name_at_first(args)
        except Failure:  # the player has left
            return 0
    while True:
        of_menu = menu and line.strip().lower() in LOOKS_BACK  # alone it means the game of that page
        words = () if of_menu else _command(line)
        if not words:
            showing = _Start(args, note, line, menu, before)
            words, before = asyncio.run(showing.run()), showing.here
        if not words:
            return 0
        menu = words[1] if words[0] in LOOKS_BACK and len(words) > 1 and Path(words[1]).is_absolute() else ""
        began = time.monotonic()
        note, line = _obeyed(words, args, obey, "the game's page" if menu else "the start page")
        if time.monotonic() > began + TABLES_KEPT:
            before = {id: one._replace(table="") for id, one in before.items()}
        if note:
            menu = ""


def _command(line: str) -> tuple[str, ...]:
    """Return the words of a line that is a whole command, none of another line: it is for the start page.

    A command alone that has a page there, such as `host`, is for it too.
    """
    first, *more = behind_program(line).split() or [""]
    page = not more and begun_by(first)
    return () if page or first.lower() not in COMMANDS else (first.lower(), *more)


def _obeyed(
    words: tuple[str, ...], args: Namespace, obey: Callable[[Namespace], int], goes_back: str = "the start page"
) -> tuple[str, str]:
    """Carry out a command; return why it failed, for the start page, and what the player has typed after it.

    `goes_back`: where Enter leads then.
    What was typed before its end is dropped: it was for a board or a question that is not there any more.
    """
    try:
        home = ("--home", args.home) if args.home and "--home" not in words else ()
        with begun_on_page():
            obey(inherit(parse((*words, *home)), args))
    except Failure as failure:
        told = (told_on_page(str(failure)) if failure.code else "", FORGOTTEN if KEYBOARD.forget() else "")
        return " ".join(filter(None, told)), ""
    except KeyboardInterrupt:
        return f"`{words[0]}` was interrupted.", ""
    except SystemExit:  # behind what `--help` prints
        pass
    else:
        if words[0] == "replay":  # it was left by a key or a word, and leaves nothing to read
            return "", ""
    return "", asyncio.run(_pause(goes_back))


async def _pause(goes_back: str = "the start page") -> str:
    """Let the player read what a command has printed; return the line that is typed then, and not before."""
    from p2p_stonehenge.screen.asking import LeavingError, ask, can_ask
    from p2p_stonehenge.table.questions import NO, YES

    if not can_ask():
        return ""
    try:
        line = await ask(f"Enter goes back to {goes_back}. ", hidden=False)
    except LeavingError:
        return ""
    if line == ESCAPE:  # pages are left with it
        return ""
    return "" if line.lower() in (*YES, *NO) else line  # an answer to a question that is no more


class _Start:
    """One showing of the start page, and what is found out for it meanwhile."""

    def __init__(
        self,
        args: Namespace,
        note: str,
        line: str = "",
        menu: str = "",
        before: "Mapping[bytes, Sighting] | None" = None,
    ) -> None:
        """`line` was typed before the page is there: it is the first one read or, if it may mean a row, on the prompt.

        `menu`: the file of a saved game whose page is opened, unless the line is for the start page: else it is for
        that page; `before`: who was seen when the page was left.
        """
        self.args, self.line, self.menu = args, line, menu
        self.seen = _Seen(before or {})
        pages: dict[str, Callable[[], Page | Words]] = {
            "h": lambda: letters.games(self.home, "host"),
            "a": lambda: letters.games(self.home, "solo"),
            "j": lambda: join_page(self.page),
            "b": self._look_back,
            "r": letters.rules,
            "l": letters.learn,
            "o": lambda: letters.settings(self.home, self._changed),
            "d": lambda: Words(("doctor",)),
        }
        self.page = StartPage({name: command.summary for name, command in COMMANDS.items()}, pages, note)
        self.page.offered = self._offered
        self.shelf: list[Saved] | None = None
        self._games: Shelf | None = None
        """What `shelf` was read from."""
        self.here: dict[bytes, Sighting] = {**(before or {})}
        """Who is seen, by id."""
        self.table_rows = around.TableRows()
        self.news = asyncio.Event()
        """Set when the rows of tables and people are to be made anew, or the player has another name."""
        self.renamed = False
        """Whether the player has changed the name since it was announced."""
        self.tasks: list[asyncio.Task[None]] = []

    async def run(self) -> tuple[str, ...]:
        """Show the page and return the words for a command."""
        try:
            of_start = self.page.means_one_thing(self.line)
            if self.menu and not of_start:
                self.page.entered = self._to_menu
            if self.args.plain or plain_wanted():
                if self.line:
                    KEYBOARD.put_back(self.line)
                return await line_by_line(self.page, self._find_out)
            settings = Settings(self.args.charset, self.args.palette)
            if of_start:
                self.page.entered, self.line = partial(list, [self.line]), ""
            elif self.menu and self.line:
                self.page.entered, self.line = partial(self._to_menu, self.line), ""
            return await on_terminal(self.page, settings, self._find_out, self.line)
        finally:
            for task in self.tasks:
                task.cancel()
            for done in await asyncio.gather(*self.tasks, return_exceptions=True):
                if isinstance(done, Failure):
                    raise done
                if isinstance(done, Exception):
                    report_fault(done)

    def _offered(self, command: str, words: Sequence[str]) -> Mapping[str, str]:
        """Return what Tab offers for the last of the words behind a command, each with its meaning."""
        from p2p_stonehenge.cli.completing import offered

        now = time.time()
        saved = {str(place): (one, one.told(now)) for place, one in enumerate(self.shelf or (), 1)}
        tables = {one.words[1]: one.told() for one in self.page.tables.values() if one.words[0] == command}
        if command == "resume":
            tables = {number: told for number, (one, told) in saved.items() if one.unfinished}
        return offered(command, words, tables, {number: told for number, (_, told) in saved.items()})

    def _find_out(self) -> None:
        self.tasks = [asyncio.create_task(self._know()), asyncio.create_task(self._look_around())]

    # What is found out

    async def _know(self) -> None:
        """Read who the player is and the saved games, which takes a thread: the page is live from the start."""
        try:
            nick, self.shelf = await asyncio.to_thread(self._read)
            self.page.nick = self.page.nick or nick  # another one may have been chosen meanwhile
        except Failure as failure:
            self.page.unread, self.shelf = str(failure), []
        except Exception:
            self.page.unread, self.shelf = UNREAD, []
            raise  # it is reported where the page is left: in the middle of it there is no place
        finally:
            self._show_games()
        if seen := self.seen.now(time.monotonic()):
            with contextlib.suppress(Failure):  # the page says already what is wrong with the home
                self._show(self.home, seen)

    def _read(self) -> "tuple[str, list[Saved]]":
        from p2p_stonehenge.lobby.shelf import Shelf

        home = self.home
        self._games = Shelf(home)
        return home.nick(), list(self._games.games())

    async def _know_anew(self) -> None:
        """Read the saved games again where another program has changed them."""
        if self._games is None:
            return
        with contextlib.suppress(Failure):  # what was read before is shown then
            if await asyncio.to_thread(self._games.is_behind, self.shelf or ()):
                _, self.shelf = await asyncio.to_thread(self._read)
                self._show_games()

    @property
    def home(self) -> "Home":
        """Return the player's home."""
        from p2p_stonehenge.storage.home import Home

        return Home.open(self.args.home)

    def _changed(self, name: str, value: str) -> None:
        """Note a setting that the player has changed."""
        from p2p_stonehenge.cli.config import NAME

        if name == NAME:
            self.page.nick, self.renamed = self.home.nick(), True
            self.news.set()
        else:
            setattr(self.args, name, value)

    def _to_menu(self, *lines: str) -> list[str]:
        """Return what leads from the start page to the page of the saved game from which the player came.

        `lines` are for that page: they stand behind it, and are for no other one where the game is gone.
        """
        places = [str(place) for place, one in enumerate(self.shelf or (), 1) if str(one.path) == self.menu]
        return ["b", places[0], *lines] if places else []

    def _look_back(self) -> Page:
        """Return the list of saved games. Raises NotUnderstoodError where they could not be read."""
        if self.page.unread:
            raise NotUnderstoodError(self.page.unread)
        return letters.saved(lambda: self.shelf or (), self._leave)

    def _leave(self, game: "Saved") -> None:
        """Leave the match between this game and its next one."""
        self.home.leave_match(game.table)
        self.shelf = [one._replace(between=False) if one == game else one for one in self.shelf or ()]
        self._show_games()
        self.news.set()  # a friend's table for the next game is one like others now

    def _show_games(self) -> None:
        if self.shelf is not None:
            self.page.know_games([around.going_on(one, self.here) for one in self.shelf if one.goes_on])

    async def _look_around(self) -> None:
        """Look for tables and people, and be seen, as long as the page is open."""
        while True:
            try:
                await self._be_here()
            except Failure as failure:
                self.page.trouble = str(failure)
                self.page.changed()
                await asyncio.sleep(TRY_AGAIN)
                self.seen = _Seen({one.id: one for one in self.seen.now(time.monotonic())})

    async def _be_here(self) -> None:
        """Look for others and be seen by them.

        Nothing listens at the port that is announced: at a table that this player has left nobody may believe that
        the player is back, as a link would tell.
        """
        found = await asyncio.to_thread(import_module, "p2p_stonehenge.net.discovery")
        from protocol import INSTANCE_BYTES

        home = self.home
        own = home.identity().id

        def sighted(one: "Sighting") -> None:
            if one.id != own:
                self.seen.sighted(one)
                self.news.set()

        def lost(id: bytes) -> None:
            self.seen.lost(id)
            self.news.set()

        async def say_who() -> None:
            """Announce this player, where no other program of the same home does."""
            self.renamed = False
            if port:
                await discovery.announce(own, home.nick(), instance, port, "")

        instance, port = token_bytes(INSTANCE_BYTES), 0
        with contextlib.ExitStack() as held:
            discovery: Discovery = found.Discovery(self.args.interface, sighted, lost)
            try:
                await discovery.start()
                with contextlib.suppress(Failure):  # a program that is at a table is seen there
                    held.enter_context(home.lock())
                    port = held.enter_context(_unheard(self.args.interface or ""))
                await say_who()
                await self._watch(home, discovery, say_who)
            finally:
                await discovery.close()

    async def _watch(
        self,
        home: "Home",
        discovery: "Discovery",
        say_who: Callable[[], Awaitable[None]],
    ) -> None:
        from p2p_stonehenge.lobby.lobby import KICK_EVERY
        from p2p_stonehenge.net.network import local_addresses

        loop, page = asyncio.get_running_loop(), self.page
        page.place = self.args.interface or local_addresses()[0]
        began = kicked = read = loop.time()
        while True:
            now = loop.time()
            if self.renamed:
                await say_who()
            if now >= kicked + KICK_EVERY:
                kicked = now
                await discovery.kick()
            page.looking, page.trouble = now - began, discovery.warning
            if self.shelf is not None:  # the numbers of saved games come first
                if now >= read + LOOK_AGAIN:
                    read = now
                    await self._know_anew()
                self._show(home, self.seen.now(time.monotonic()))
            self.news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN):  # `wait_for` of Python 3.11 may lose that it is cancelled
                    await self.news.wait()

    def _show(self, home: "Home", seen: "list[Sighting]") -> None:
        """Show the games to go on with, the tables and the people, for those who are seen now."""
        here = {one.id: one for one in seen}
        if here != self.here:
            self.here = here
            self._show_games()
        tables, people = around.rows(_recognised(home, seen), self.shelf or (), self.table_rows)
        self.page.here = len(seen)
        self.page.know_tables(tables, people)


class _Seen:
    """Who is seen on the network: for a moment also those who were when the page was left."""

    def __init__(self, before: "Mapping[bytes, Sighting]") -> None:
        self._seen = dict(before)
        self._unsure = {*before}
        """Those who have not been seen again yet."""
        self._until: float | None = None

    def sighted(self, one: "Sighting") -> None:
        self._seen[one.id] = around.believed(self._seen.get(one.id), one)
        self._unsure.discard(one.id)

    def lost(self, id: bytes) -> None:
        self._seen.pop(id, None)

    def now(self, now: float) -> "list[Sighting]":
        """Return who is seen, at a time of the monotonic clock."""
        self._until = now + UNSEEN if self._until is None else self._until
        if now > self._until:
            for id in self._unsure:
                self._seen.pop(id, None)
            self._unsure.clear()
        return list(self._seen.values())


def _recognised(home: "Home", seen: "list[Sighting]") -> list[around.Present]:
    """Return those who are seen, by name, as this player knows them."""
    from p2p_stonehenge.lobby import known

    own = home.identity().id
    ordered = sorted(seen, key=lambda one: (one.nick.casefold(), one.id))
    _, *names = known.names(home, own, [(own, home.nick()), *((one.id, one.nick) for one in ordered)])
    found = []
    for one, name in zip(ordered, map(quoted, names), strict=True):
        _, strange = known.recognise(home, one.id, one.nick)
        found.append(around.Present(one, name, strange))
    return found


@contextlib.contextmanager
def _unheard(interface: str) -> Iterator[int]:
    """Hold a port at which nothing listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as held:
        held.bind((interface, 0))
        yield held.getsockname()[1]
