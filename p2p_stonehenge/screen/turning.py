"""Pages on a terminal, redrawn in place, or line by line; from the first page until words for a command are found."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

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
from p2p_stonehenge.screen.keys import own_keys, part_keys
from p2p_stonehenge.screen.pages import (
    BACK,
    HELP,
    LEAVE,
    NotUnderstoodError,
    Page,
    TextPage,
    Words,
    row,
    spread,
    text_of,
    wrapped,
)
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.text.output import folded
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells

FURNITURE = 2
"""Rows below a page: the prompt, the status. Between both and the page stands what is answered, one line or more."""
KEYS = ("Up Down Enter  Tab  Ctrl-D {}", "Tab  Ctrl-D {}", "Ctrl-D {}")
"""What the status line says of the keys: as many as there is room for."""


class Pages:
    """The pages that lie one on the other: the last one is shown. Bare of any terminal, for both ways to read."""

    def __init__(self, first: Page) -> None:
        self.open = [first]
        self.answer = ""
        """What is said of the line typed last."""
        self._refused: NotUnderstoodError | None = None
        """Why that line was not understood."""
        self.tell: Callable[[str], None] = lambda _text: None
        """What tells those who read line by line what a line has changed."""
        self.held = False
        """Whether a page stays as it was told: it is read line by line, by those who see no page."""

    @property
    def top(self) -> Page:
        """Return the page that is shown."""
        return self.open[-1]

    def enter(self, text: str) -> bool:
        """Do what was typed; return whether it was understood."""
        self.answer, self._refused, word = "", None, text.strip().lower()
        common = len(self.open) > 1 or isinstance(self.top, TextPage)  # the start page has words of its own
        if common and word in HELP:
            self.answer = self.top.help_told() if self.held else self.top.help()
            return True
        try:
            came = BACK if common and word in LEAVE else self.top.enter(text)
        except NotUnderstoodError as error:
            self.answer, self._refused = safe(str(error)), error
            return False
        self.go(came)
        return True

    def look(self) -> None:
        """Drop what was said of the line typed last where it is not so any more."""
        if self._refused and not self._refused.stands():
            self.answer, self._refused = "", None

    def go(self, came: "Page | Words | None") -> None:
        """Open a page or go back."""
        self.top.held = self.held  # what was typed there is done
        if isinstance(came, Page):
            came.changed, came.tell, came.held = self.top.changed, self.tell, self.held
            self.open.append(came)
        elif came is not None:
            self.left = came.words if came.words or len(self.open) == 1 else None
            if came == BACK and len(self.open) > 1:
                self.open.pop()

    left: tuple[str, ...] | None = None
    """The words with which all pages were left, empty for the program's end; None while one is open."""


async def on_terminal(first: Page, settings: Settings, opened: Callable[[], None], line: str = "") -> tuple[str, ...]:
    """Show pages from the first one on, and return the words for a command, none to end the program.

    `opened` is called when the first page can be seen. `line` was typed before, and stands on the prompt.
    """
    return await _Window(Pages(first), settings, opened, line).run()


async def line_by_line(first: Page, opened: Callable[[], None]) -> tuple[str, ...]:
    """Tell pages as plain lines and return the words for a command, none to end the program."""
    from p2p_stonehenge.screen.keyboard import KEYBOARD

    pages = Pages(first)

    asking = False

    def tell(text: str) -> None:
        """Print a line, and the prompt again where one was waiting."""
        told = folded(safe(text), indent=2)
        print(f"\n{told}\n{pages.top.prompt()}" if asking else told, end="" if asking else "\n", flush=True)

    pages.tell = tell
    pages.held = first.held = True
    first.tell = lambda text: tell(text) if pages.top is first or pages.top.told_of_rows else None
    opened()
    await first.ready()
    for line_before in first.typed_before():
        if not pages.enter(line_before):
            break
    shown: Page | None = None
    while pages.left is None:
        await asyncio.sleep(0)
        if pages.top is not shown:
            shown = pages.top
            await shown.ready()
            for text in shown.told():
                print(folded(safe(text), indent=2), flush=True)
            if isinstance(shown, TextPage):
                pages.go(BACK)
                shown = pages.top  # it is as it was told before
        print(pages.top.prompt(), end="", flush=True)
        asking = True
        line = await KEYBOARD.line()
        asking = False
        if line is None:
            print(flush=True)
            pages.go(BACK)
        elif pages.top.marks_a_row and not line.strip():
            shown = None
        else:
            pages.enter(line)
            if pages.answer:
                print(folded(pages.answer, indent=2), flush=True)
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

    def __init__(self, pages: Pages, settings: Settings, opened: Callable[[], None], line: str) -> None:
        self.pages = pages
        self.opened = opened
        self.line = line
        pages.top.changed, pages.top.held = self._redraw, bool(line)
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
        part_keys(self.prompt.app)
        self.prompt.default_buffer.accept_handler = self._accept
        self.prompt.default_buffer.on_text_changed += self._forgive

    async def run(self) -> tuple[str, ...]:
        entering = asyncio.create_task(self._enter_typed_before())
        try:
            await self.prompt.prompt_async(pre_run=self.opened, set_exception_handler=False, default=self.line)
        finally:
            entering.cancel()
        return self.pages.left or ()

    async def _enter_typed_before(self) -> None:
        """Enter what is for the first page, unless the player does something else before that page is ready."""
        first = self.pages.top
        await first.ready()
        if self.pages.top is first and not self.prompt.default_buffer.text:
            for line in first.typed_before():
                if not self.pages.enter(line):
                    break
            self._leave()
            self._redraw()

    def _redraw(self) -> None:
        self.prompt.app.invalidate()

    def _message(self) -> FormattedText:
        size = self.prompt.output.get_size()
        self.pages.look()
        answer = wrapped(self.pages.answer, size.columns - 1, " ") or [row("")]
        lines = self.pages.top.render(size.columns, max(size.rows - FURNITURE - len(answer), 1))
        told = [("class:refusal", text_of(line)) for line in answer]
        parts = [fragment for line in (*lines, *([one] for one in told)) for fragment in (*line, ("", "\n"))]
        return FormattedText([*parts, ("class:ask", self.pages.top.prompt())])

    def _way(self) -> str:
        """Return what Ctrl-D does."""
        return "leaves" if len(self.pages.open) == 1 else "goes back"

    def _status(self) -> FormattedText:
        width, status = self.prompt.output.get_size().columns, f" {self._said()}"
        ways = [f"{keys.format(self._way())} " for keys in KEYS]
        keys = next((keys for keys in ways if cells(status + keys) + 2 <= width), ways[-1])
        return FormattedText([("", spread(status, keys, width))])

    def _said(self) -> str:
        """Return what the page says in the line at the bottom; a refused line gives way to what Enter does."""
        buffer, page = self.prompt.default_buffer, self.pages.top
        return page.status() if buffer.selection_state else page.status_of(safe(buffer.text))

    def _accept(self, buffer: Buffer) -> bool:
        text = "" if buffer.selection_state else buffer.text  # Enter does what it says, a refused line gives way
        understood = self.pages.enter(text)
        self._leave()
        stays = not understood and bool(text)
        if stays:
            refused.select(buffer)
        return stays

    def _leave(self) -> None:
        app = self.prompt.app
        if self.pages.left is not None and app.is_running and not app.is_done:
            app.exit(result="")

    def _forgive(self, buffer: Buffer) -> None:
        self.pages.answer, self.pages.top.held = "", bool(buffer.text)

    def _keys(self) -> KeyBindings:
        keys = own_keys()
        empty = Condition(lambda: not self.prompt.default_buffer.text)
        further = Condition(lambda: len(self.pages.open) > 1)
        refused.bind(keys)
        for key, by in (("up", -1), ("down", 1), ("pageup", -10), ("pagedown", 10)):
            keys.add(key, filter=empty | refused.is_selected, eager=True)(partial(self._move, by))
        for key, by in (("left", -1), ("right", 1)):
            keys.add(key, filter=empty)(partial(self._turn, by))
        keys.add("c-c")(self._clear)
        keys.add("<sigint>")(self._clear)
        keys.add("c-d", filter=empty | refused.is_selected, eager=True)(self._back)
        keys.add("escape", filter=empty & further, eager=True)(self._back)  # else it waits for a letter, as Alt
        keys.add("enter", filter=completion_is_selected)(self._choose)
        return keys

    def _move(self, by: int, event: KeyPressEvent) -> None:
        """Move the mark by so many rows."""
        event.app.current_buffer.reset()  # a refused line gives way
        self.pages.answer = ""
        self.pages.top.move(by)

    def _turn(self, by: int, _: KeyPressEvent) -> None:
        """Change what the marked row holds."""
        self.pages.answer = ""
        try:
            self.pages.top.turn(by)
        except NotUnderstoodError as error:
            self.pages.answer = safe(str(error))

    def _clear(self, event: KeyPressEvent) -> None:
        """Drop what was typed; where nothing was, say how the page is left."""
        idle = not event.app.current_buffer.text
        event.app.current_buffer.reset()
        self.pages.answer = f"Ctrl-D {self._way()}." if idle else ""

    def _back(self, event: KeyPressEvent) -> None:
        """Go back to the page before, or leave the first one."""
        event.app.current_buffer.reset()  # a refused line stays behind
        self.pages.answer = ""
        self.pages.go(BACK)
        self._leave()

    def _choose(self, event: KeyPressEvent) -> None:
        """Take the chosen text; another Enter enters it."""
        event.app.current_buffer.complete_state = None
