"""Pages on a terminal, redrawn in place, or line by line; from the first page until words for a command are found."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, completion_is_selected
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from p2p_stonehenge.screen import refused
from p2p_stonehenge.screen.background import palette
from p2p_stonehenge.screen.pages import BACK, NotUnderstoodError, Page, Words, spread
from p2p_stonehenge.text.style import Settings, folded, rules, safe

FURNITURE = 3
"""Rows below a page: what is answered, the prompt, the status."""


class Pages:
    """The pages that lie one on the other: the last one is shown. Bare of any terminal, for both ways to read."""

    def __init__(self, first: Page) -> None:
        self.open = [first]
        self.answer = ""
        """What is said of the line typed last."""
        self.tell: Callable[[str], None] = lambda _text: None
        """What tells those who read line by line what a line has changed."""

    @property
    def top(self) -> Page:
        """Return the page that is shown."""
        return self.open[-1]

    def enter(self, text: str) -> bool:
        """Do what was typed; return whether it was understood."""
        self.answer = ""
        try:
            came = self.top.enter(text)
        except NotUnderstoodError as error:
            self.answer = safe(str(error))
            return False
        self.go(came)
        return True

    def go(self, came: "Page | Words | None") -> None:
        """Open a page or go back."""
        if isinstance(came, Page):
            came.changed, came.tell = self.top.changed, self.tell
            self.open.append(came)
        elif came is not None:
            self.left = came.words if came.words or len(self.open) == 1 else None
            if came == BACK and len(self.open) > 1:
                self.open.pop()

    left: tuple[str, ...] | None = None
    """The words with which all pages were left, empty for the program's end; None while one is open."""


async def on_terminal(first: Page, settings: Settings, opened: Callable[[], None]) -> tuple[str, ...]:
    """Show pages from the first one on, and return the words for a command, none to end the program.

    `opened` is called when the first page can be seen.
    """
    return await _Window(Pages(first), settings, opened).run()


async def line_by_line(first: Page, opened: Callable[[], None]) -> tuple[str, ...]:
    """Tell pages as plain lines and return the words for a command, none to end the program."""
    from p2p_stonehenge.screen.keyboard import KEYBOARD

    pages = Pages(first)

    asking = False

    def tell(text: str) -> None:
        """Print a line, and the prompt again where one was waiting."""
        told = folded(safe(text))
        print(f"\n{told}\n{pages.top.prompt()}" if asking else told, end="" if asking else "\n", flush=True)

    pages.tell = tell
    first.tell = lambda text: tell(text) if pages.top is first else None
    opened()
    shown: Page | None = None
    while pages.left is None:
        await asyncio.sleep(0)
        if pages.top is not shown:
            shown = pages.top
            await shown.ready()
            for text in shown.told():
                print(folded(safe(text)), flush=True)
        print(pages.top.prompt(), end="", flush=True)
        asking = True
        line = await KEYBOARD.line()
        asking = False
        if line is None:
            print(flush=True)
            pages.go(BACK)
        elif not pages.enter(line):
            print(pages.answer, flush=True)
    return pages.left


class _Suggestions(Completer):
    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        for word, meaning in self.pages.top.choices(text):
            yield Completion(word, -len(text), display_meta=meaning)


class _Window:
    """A prompt below a page."""

    def __init__(self, pages: Pages, settings: Settings, opened: Callable[[], None]) -> None:
        self.pages = pages
        self.opened = opened
        pages.top.changed = self._redraw
        self.prompt: PromptSession[str] = PromptSession(
            message=self._message,
            completer=_Suggestions(pages),
            complete_while_typing=False,
            bottom_toolbar=self._status,
            key_bindings=self._keys(),
            style=Style.from_dict(rules(palette(settings.palette))),
            reserve_space_for_menu=0,
            enable_suspend=True,
            erase_when_done=True,
        )
        self.prompt.default_buffer.accept_handler = self._accept
        self.prompt.default_buffer.on_text_changed += self._forgive

    async def run(self) -> tuple[str, ...]:
        await self.prompt.prompt_async(pre_run=self.opened, set_exception_handler=False)
        return self.pages.left or ()

    def _redraw(self) -> None:
        self.prompt.app.invalidate()

    def _message(self) -> FormattedText:
        size = self.prompt.output.get_size()
        lines = self.pages.top.render(size.columns, max(size.rows - FURNITURE, 1))
        parts = [fragment for line in lines for fragment in (*line, ("", "\n"))]
        answer = f" {self.pages.answer}" if self.pages.answer else ""
        return FormattedText([*parts, ("class:refusal", answer), ("", "\n"), ("class:ask", self.pages.top.prompt())])

    def _status(self) -> FormattedText:
        width = self.prompt.output.get_size().columns
        way = "Ctrl-D leaves " if len(self.pages.open) == 1 else "Ctrl-D goes back "
        return FormattedText([("", spread(f" {self.pages.top.status()}", f"Up Down Enter  Tab  {way}", width))])

    def _accept(self, buffer: Buffer) -> bool:
        understood = self.pages.enter(buffer.text)
        self._leave()
        stays = not understood and bool(buffer.text)
        if stays:
            refused.select(buffer)
        return stays

    def _leave(self) -> None:
        app = self.prompt.app
        if self.pages.left is not None and app.is_running and not app.is_done:
            app.exit(result="")

    def _forgive(self, _: Buffer) -> None:
        self.pages.answer = ""

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        empty = Condition(lambda: not self.prompt.default_buffer.text)
        refused.complete(keys)

        def moving(by: int) -> Callable[[KeyPressEvent], None]:
            def press(event: KeyPressEvent) -> None:
                event.app.current_buffer.reset()  # a refused line gives way
                self.pages.answer = ""
                self.pages.top.move(by)

            return press

        def turning(by: int) -> Callable[[KeyPressEvent], None]:
            def press(_: KeyPressEvent) -> None:
                self.pages.answer = ""
                with contextlib.suppress(NotUnderstoodError):
                    self.pages.top.turn(by)

            return press

        for key, by in (("up", -1), ("down", 1), ("pageup", -10), ("pagedown", 10)):
            keys.add(key, filter=empty | refused.is_selected, eager=True)(moving(by))
        for key, by in (("left", -1), ("right", 1)):
            keys.add(key, filter=empty)(turning(by))

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _clear(event: KeyPressEvent) -> None:
            idle = not event.app.current_buffer.text
            event.app.current_buffer.reset()
            self.pages.answer = "Ctrl-D leaves." if idle else ""

        @keys.add("c-d", filter=empty | refused.is_selected, eager=True)
        @keys.add("escape", filter=empty & Condition(lambda: len(self.pages.open) > 1))
        def _back(_: KeyPressEvent) -> None:
            self.pages.answer = ""
            self.pages.go(BACK)
            self._leave()

        @keys.add("enter", filter=completion_is_selected)
        def _choose(event: KeyPressEvent) -> None:
            event.app.current_buffer.complete_state = None

        return keys
