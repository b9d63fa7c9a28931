"""Two ways to go through a saved game: a screen with the board above a prompt, and plain lines for typed words."""

import asyncio
from collections.abc import Callable

from prompt_toolkit import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.styles import Style
from prompt_toolkit.widgets import TextArea

from p2p_stonehenge.screen import refused
from p2p_stonehenge.screen.background import palette
from p2p_stonehenge.screen.keys import own_keys, part_keys
from p2p_stonehenge.screen.pages import hung
from p2p_stonehenge.screen.playback import PACE, Playback
from p2p_stonehenge.screen.views import Line, row, text_of, wrap
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.output import columns
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.widths import cells, cut, fit

TOLD = 2
"""Lines that the last action has in any case."""
FURNITURE = 6
"""Rows for what the ply was and how it came about, the prompt and the status line."""
LEAST = 3
"""Rows of these that a high board leaves: one line of what the ply was, the prompt and the status line."""
PAGE = 10
KEYS = ("Left Right  Home End  space plays  F1 help  Esc {}", "Left Right  F1 help  Esc {}", "F1 help")
"""What the status line says of the keys, and of what Escape does: as many as there is room for."""


def plain(playback: Playback, ask: Callable[[], str], say: Callable[[str], None]) -> None:
    """Go through a game by typed words: `ask` returns a line and raises EOFError at the end, `say` prints one."""
    say(playback.told())
    say("Enter goes on. Words: forth, back, goto N, decisive, seat NAME, board, position, how, help, quit.")
    while not playback.leaving:
        try:
            text = ask()
        except EOFError:
            return
        before = playback.ply
        try:
            told = playback.enter(text)
        except RefusedError as refusal:
            say(f"Not possible: {refusal}")
            continue
        word = text.strip().lower()
        if word == "board":
            told = [text_of(line).rstrip() for line in playback.board((columns() or 80) - 1, 40)]
        if playback.pace:
            told = ["Here each Enter goes on by an action: `play` is for the screen."]
            playback.pace = 0.0
        for line in told:
            say(line)
        if playback.ply != before or not (told or playback.leaving):
            say(playback.told())
            if how := playback.how():
                say(how)


class Replay:
    """The screen."""

    def __init__(self, playback: Playback, wanted: str) -> None:
        """`wanted`: the palette, as the player set it."""
        self.playback = playback
        self._page: list[str] = []
        """A text that stands in place of the board until the next key."""
        self._refusal = ""
        self._answer = ""
        """What is said of the line typed last in one line, below the board."""
        self._input = TextArea(height=1, prompt="go> ", multiline=False, accept_handler=lambda _: self._entered())
        self._input.buffer.on_text_changed += lambda _: self._typed()
        body: list[Window | TextArea] = [
            Window(FormattedTextControl(self._board), wrap_lines=False),
            Window(FormattedTextControl(self._told), height=self._room_below),
            self._input,
            Window(FormattedTextControl(self._status), height=1),
        ]
        self.app: Application[None] = Application(
            layout=Layout(HSplit(body), focused_element=self._input),
            key_bindings=self._keys(),
            style=Style.from_dict(rules(palette(wanted))),
            full_screen=True,
        )
        part_keys(self.app)

    async def run(self) -> None:
        """Show the game until the player leaves."""
        playing = asyncio.create_task(self._play())
        try:
            await self.app.run_async()
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    async def _play(self) -> None:
        """Go on by itself while there is a pace."""
        while True:
            pace = self.playback.pace
            await asyncio.sleep(pace or 0.05)
            if pace and self.playback.pace == pace:
                self.playback.go(self.playback.ply + 1)
                self.app.invalidate()

    # What is shown

    def _size(self) -> tuple[int, int]:
        size = self.app.output.get_size()
        return size.columns, size.rows

    def _board(self) -> FormattedText:
        return _joined(self._above())

    def _above(self) -> list[Line]:
        """Return what stands above what is told: the board, or a long text."""
        if not self._page:
            _, rows = self._size()
            return self._drawn()[-max(rows - 2 - len(self._below()), 1) :]
        lines, rest = self._part()
        return [*lines, row(("class:dim", "Enter goes on"))] if rest else lines

    def _drawn(self) -> list[Line]:
        """Return the board; its first lines give way where more than one is told below it."""
        width, rows = self._size()
        height = max(rows - LEAST, 1)
        return self.playback.board(width, height)[:height]

    def _room_below(self) -> int:
        """Return the lines of what is told below the board: as many as for most plies, where the board leaves them."""
        _, rows = self._size()
        return max(len(self._below()), min(FURNITURE, rows - len(self._above())) - 2)

    def _part(self) -> tuple[list[Line], list[str]]:
        """Return as much of a long text as fits the window, and what is left of it."""
        width, rows = self._size()
        height = max(rows - FURNITURE, 2)
        shown = (hung(text, width) if cells(text) > width else [text] for text in self._page)
        parts = [row(part) for lines in shown for part in lines]
        if len(parts) <= height:
            return parts, []
        return parts[: height - 1], [text_of(part) for part in parts[height - 1 :]]

    def _told(self) -> FormattedText:
        return _joined(self._below())

    def _below(self) -> list[Line]:
        """Return what is told: the action whole where the board leaves room for that, at least its first two lines."""
        width, rows = self._size()
        told = wrap(row(("class:title", self.playback.told())), width - 1)
        style, text = ("class:refusal", self._refusal) if self._refusal else ("class:dim", self._answer)
        text = text or self.playback.how()
        more = wrap(row((style, text)), width - 1) if text else []
        if len(told) > TOLD:  # only then the board has to be measured: it is drawn for that
            told = told[: max(TOLD, rows - 2 - len(self._drawn()) - len(more))]
        return [*told, *more]

    def _status(self) -> FormattedText:
        width, _ = self._size()
        text = f" {self.playback.status()}"
        ways = [keys.format(self._escape() or "leaves") for keys in KEYS]
        keys = next((keys for keys in ways if cells(text + keys) + 3 <= width), ways[-1])
        shown = cut(text, width - cells(keys) - 3)
        return FormattedText([("class:bottom-toolbar", fit(shown + keys.rjust(width - cells(shown) - 1), width))])

    def _escape(self) -> str:
        """Return what Escape does where it does not leave: it drops what was typed and what was said of it."""
        if self._page:
            return "shows the board"
        if self._input.text or self._refusal or self._answer:
            return "clears"
        return "stops" if self.playback.pace else ""

    # What is typed

    def _typed(self) -> None:
        self._refusal = ""

    def _entered(self) -> bool:
        """Do what was typed; return whether it stays on the prompt, because it could not be done."""
        _, self._page = self._part()
        if self._page and not self._input.text:
            return False
        self._page = []
        self._do(self._input.text)
        if self._refusal:
            refused.select(self._input.buffer)
        return bool(self._refusal)

    def _do(self, text: str) -> None:
        self._refusal = self._answer = ""
        try:
            answer = self.playback.enter(text)
        except RefusedError as refusal:
            self._refusal = str(refusal)
        else:  # a sentence leaves the board in sight
            self._answer, self._page = ("", answer) if answer[1:] else ("".join(answer), [])
        if self.playback.leaving:
            self.app.exit()

    def _keys(self) -> KeyBindings:
        keys = own_keys()
        refused.bind(keys)
        empty = Condition(lambda: not self._input.text)

        def command(text: str) -> Callable[[KeyPressEvent], None]:
            def press(_: KeyPressEvent) -> None:
                self._do(text)

            return press

        moves = {"left": "back", "right": "forth", "home": "start", "end": "end", "pagedown": "turn"}
        for key, text in (moves | {"pageup": f"back {PAGE}"}).items():
            keys.add(key, filter=empty, eager=True)(command(text))
        for key, text in (("f1", "help"), ("f4", "flip"), ("f5", "view"), ("f6", "decisive")):
            keys.add(key)(command(text))

        @keys.add(" ", filter=empty, eager=True)
        def _play(_: KeyPressEvent) -> None:
            self._do("stop" if self.playback.pace else f"play {PACE}")

        @keys.add("escape", eager=True)  # else the next key is taken for one that was pressed with Alt
        def _drop(event: KeyPressEvent) -> None:
            if self._escape():
                self._page, self._input.text, self._refusal, self._answer = [], "", "", ""
                self.playback.pace = 0.0
            else:
                event.app.exit()

        @keys.add("c-c")
        @keys.add("c-d", filter=empty | refused.is_selected, eager=True)
        def _leave(event: KeyPressEvent) -> None:
            event.app.exit()

        return keys


def _joined(lines: list[Line]) -> FormattedText:
    return FormattedText([fragment for line in lines for fragment in (*line, ("", "\n"))])
