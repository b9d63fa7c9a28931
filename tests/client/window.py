"""A terminal window that pyte draws: what a screen of the program writes stands on it, and what is typed reaches it."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pyte
import pytest
from fake_table import FakeTable
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_stonehenge.screen import terminal
from p2p_stonehenge.storage.settings import Settings

PATIENCE = 60.0
SETTINGS = Settings(charset="unicode", title=False, saved="games/7f3a.stonehenge")
TAB, ENTER, CTRL_C, CTRL_D = "\t", "\r", "\x03", "\x04"
F1, F3, F4, F5 = "\x1bOP", "\x1bOR", "\x1bOS", "\x1b[15~"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
BACKSPACE, DELETE, LEFT, RIGHT, HOME = "\x7f", "\x1b[3~", "\x1b[D", "\x1b[C", "\x1b[H"


class Window(io.StringIO):
    """A terminal window: what is written to it, and what stands on it."""

    encoding = "utf-8"

    def __init__(self, keyboard: PipeInput) -> None:
        super().__init__()
        self.screen = pyte.Screen(80, 24)
        self.screen.write_process_input = keyboard.send_text  # type: ignore[method-assign]  # answers where the cursor is
        self.stream = pyte.Stream(self.screen)
        self.written = ""
        self.keyboard = keyboard

    def write(self, text: str) -> int:
        self.written += text
        self.stream.feed(text)
        return len(text)

    def isatty(self) -> bool:
        return True

    def size(self) -> Size:
        return Size(rows=self.screen.lines, columns=self.screen.columns)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def line(self, start: str) -> str:
        """The last line that begins so."""
        return next((line for line in reversed(self.text.splitlines()) if line.startswith(start)), "")

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until the screen shows something; a test that waits in vain fails with the screen as its message."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while not holds():
            if asyncio.get_running_loop().time() > until:
                pytest.fail(f"in vain:\n{self.text}")
            await asyncio.sleep(0.005)

    async def shows(self, *texts: str) -> None:
        await self.until(lambda: all(text in self.text for text in texts))

    async def types(self, keys: str) -> None:
        self.keyboard.send_text(keys)
        await asyncio.sleep(0)


@contextmanager
def opened() -> Iterator[Window]:
    """A window in which what is run shows up, and takes what is typed."""
    with create_pipe_input() as keyboard:
        window = Window(keyboard)
        output = Vt100_Output(window, window.size, term="xterm", default_color_depth=ColorDepth.from_env())
        with create_app_session(input=keyboard, output=output):
            yield window


def play(table: FakeTable, script: Callable[[Window], Awaitable[None]], settings: Settings = SETTINGS) -> Window:
    """Sit at the table in a window while `script` acts, and leave it in the end."""

    async def evening(window: Window) -> None:
        sitting = asyncio.create_task(terminal.run(table, settings))
        await window.shows(">")
        await script(window)
        if not sitting.done():
            await window.types(CTRL_C + CTRL_D)
            await window.until(lambda: sitting.done() or "[y/N]" in window.text)
            await window.types(CTRL_D)
        await asyncio.wait_for(sitting, 60)

    with opened() as window:
        asyncio.run(evening(window))
    return window
