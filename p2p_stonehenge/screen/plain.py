"""The table line by line: nothing is ever redrawn, and an event is a sentence.

For pipes, for dumb terminals and for screen readers.
"""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from types import FrameType

from engine import Result
from p2p_stonehenge.screen.at_the_end import after, farewell, is_over
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.keyboard import FORGOTTEN, KEYBOARD
from p2p_stonehenge.screen.views import Line, row, text_of, wrap
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note, Notice, Ply, Progress, RefusedError, Said, Session
from p2p_stonehenge.text.output import columns
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.times import spell


async def run(session: Session, settings: Settings, lines: AsyncIterator[str] | None = None) -> None:
    """Tell what happens and play what `lines` say (those of standard input by default) until the game is over.

    Lines that are not typed by hand wait for the player's turn, and for the advice that the line before asked for, so
    that a prepared list of moves can be piped in; only commands with `any_time` do not wait for the turn. When such
    lines end, the client watches the table until it is the player's turn; a player who types by hand leaves the table
    by ending the input. What is typed by hand before the table, or a question, is shown is dropped. Ctrl-C drops a line
    that is half typed; the next one leaves the table.
    """
    patient = lines is not None or not sys.stdin.isatty()
    reader = _Reader(session, settings, patient)
    with contextlib.nullcontext() if patient else _cleared_first(reader):
        await reader.run(lines or typed())


@contextlib.contextmanager
def _cleared_first(reader: "_Reader") -> Iterator[None]:
    """Let the first of two Ctrl-C's without a line between them only drop the line that is half typed.

    The terminal does that, and does not tell whether there was one.
    """
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)

    def interrupted(number: int, frame: FrameType | None) -> None:
        if reader.cleared and callable(before):
            before(number, frame)
        else:
            reader.cleared = True
            loop.call_soon_threadsafe(reader.tell_cleared)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def typed() -> AsyncIterator[str]:
    """Yield the lines of standard input."""
    while (line := await KEYBOARD.line()) is not None:
        yield line


class _Reader:
    """The table of a player who reads line by line."""

    def __init__(self, session: Session, settings: Settings, patient: bool) -> None:
        self.session = session
        self.settings = settings
        self.patient = patient
        self.console = Console(session, settings, "ascii", redraws=False)
        self.changed = asyncio.Event()
        self.told_end: Result | None = None
        """The end of the game that was told at a table that stays open: it may prove to be none, and another follow."""
        self.cleared = False
        """Whether Ctrl-C has dropped a line, and none was typed since."""
        self.announcing = False
        self.announced = 0
        """The seat that was to act when it was last looked for."""

    async def run(self, lines: AsyncIterator[str]) -> None:
        self.session.listen(self._hear)
        self._forget()
        self._print(self.console.greeting())
        self._tell_end()  # another player may have ended the game before this screen began
        self._announce()
        obeying = asyncio.create_task(self._obey(lines))
        over = asyncio.create_task(self._until(lambda: self.session.closed))
        try:
            await asyncio.wait((obeying, over), return_when=asyncio.FIRST_COMPLETED)
            if obeying.done():
                obeying.result()
        finally:
            for task in (obeying, over):
                task.cancel()
            self.console.stop()
            await asyncio.gather(obeying, over, return_exceptions=True)
        self._print(farewell(self.session, self.settings.saved))

    def _hear(self, notice: Notice) -> None:
        match notice:
            case Ply():
                for event in notice.story:
                    self._write(event.text)
                self._announce_soon()
            case Progress() if self.console.seat != self.announced:
                self._announce_soon()
            case Said():
                self._print([row(f"{safe(notice.name)} says: ", safe(notice.text))])  # two parts: the second hangs
            case Note(answers=True):
                self._write(safe(notice.text))
            case Note():
                self._write(f"{'Attention' if notice.urgent else 'Note'}: {safe(notice.text)}")
        self._tell_end()
        self.changed.set()  # wakes those who wait now,
        self.changed.clear()  # and makes the next wait for the next notice

    def _tell_end(self) -> None:
        """Tell once how the game ended and what can be typed now."""
        if is_over(self.session) and self.session.result != self.told_end:
            self.told_end = self.session.result
            self._print(after(self.session, redraws=False))

    def _announce_soon(self) -> None:
        """Say whose turn it is once for all that comes together, when all of it is told."""
        if not self.announcing:
            self.announcing = True
            asyncio.get_running_loop().call_soon(self._announce)

    def _announce(self) -> None:
        """Say whose turn it is if it is the player's."""
        self.announcing = False
        seat = self.announced = self.console.seat
        if not seat:
            return
        whose = f"{self.session.label(seat)}, your turn" if len(self.session.people) > 1 else "Your turn"
        clock = self.session.clock(seat)
        left = f" {spell(clock)} left." if clock is not None else ""
        self._write(f"{safe(whose)}: {self.console.view.ask(self.session.state)}.{left}")
        self.console.drawing.width = columns() or self.console.drawing.width
        if self.settings.board != "asked":
            told = self.settings.board == "told"
            self._print(self.console.enter("position" if told else "board"))

    async def _obey(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            if self.patient and self.session.people:
                await self._until(partial(self._is_due, line))
            await asyncio.sleep(0)  # what is due to be said comes before the next line
            if self.session.closed:
                KEYBOARD.put_back(line)  # it is for what comes after this table
                return
            self._enter(line)
            if self.console.leaving:
                return
            if self.patient:
                await self.console.advised()
        await asyncio.sleep(0)
        if self.patient:
            await self._until(self._wanted)
        if self.session.result is None:
            turn = " and it is your turn" if self.console.seat else ""
            self._write(f"There is no more input{turn}: leaving the table.")
            self.session.leave()

    def _is_due(self, line: str) -> bool:
        return self.session.result is not None or self.console.is_due(line)

    def _wanted(self) -> bool:
        """Return whether a player here has to act, or the game is over."""
        return self.console.seat != 0 or self.session.result is not None

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self.changed.wait()

    def tell_cleared(self) -> None:
        """Say what the next Ctrl-C does, below the line that this one has dropped."""
        print(flush=True)
        self._write("The line is cleared. Ctrl-C once more leaves the table.")

    def _enter(self, line: str) -> None:
        self.cleared = False
        self.console.drawing.width = columns() or self.console.drawing.width
        before = self.console.questions.open
        try:
            lines = self.console.enter(line)
        except RefusedError as refusal:
            told = safe(str(refusal))
            lines = [row(told if told.startswith("Not ") else f"Not possible: {told}")]
            if KEYBOARD.forget():
                lines.append(row(f"Note: What you typed behind `{safe(line.strip())}` is dropped."))
        if self.console.questions.open not in (None, before):
            self._forget()
        self._print(lines)

    def _forget(self) -> None:
        """Drop what was typed by hand for what was shown before."""
        if KEYBOARD.forget():
            self._write(f"Note: {FORGOTTEN}")

    def _print(self, lines: list[Line]) -> None:
        """Print lines, broken between words where a terminal would break them within; elsewhere as they are."""
        width, encoding = columns(), sys.stdout.encoding or "ascii"
        for line in lines:
            for part in wrap(line, width - 1) if width else [line]:
                print(text_of(part).rstrip().encode(encoding, "replace").decode(encoding), flush=True)

    def _write(self, text: str) -> None:
        self._print([row(text)])
