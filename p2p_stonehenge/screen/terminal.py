"""The table on a terminal: the board stands above the prompt and changes in place, everything else scrolls by above it.

One prompt runs from the first to the last moment, so that half-typed text outlives whatever happens meanwhile.
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, completion_is_selected
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from engine import Result
from p2p_stonehenge.screen import refused, status
from p2p_stonehenge.screen.at_the_end import after, enter_plays_again, farewell, in_sight, is_over, round_before
from p2p_stonehenge.screen.attention import Attention
from p2p_stonehenge.screen.background import palette
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.kept import Kept
from p2p_stonehenge.screen.keyboard import FORGOTTEN, KEYBOARD
from p2p_stonehenge.screen.keys import own_keys, part_keys
from p2p_stonehenge.screen.long_text import LongText
from p2p_stonehenge.screen.only_card import OnlyCard
from p2p_stonehenge.screen.refusal import RefusedLine
from p2p_stonehenge.screen.scroll import Scroll
from p2p_stonehenge.screen.suggestions import Commands, Suggestions
from p2p_stonehenge.screen.telling import briefly, loss, told_plies
from p2p_stonehenge.screen.views import Fragment, Line, row, text_of, wrap
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.questions import Asked
from p2p_stonehenge.table.session import Note, Notice, Ply, Progress, RefusedError, Said, Session
from p2p_stonehenge.table.takebacks import still_stands
from p2p_stonehenge.text.output import charset
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.seats import has_suits
from p2p_stonehenge.text.widths import cells, fit

ENTER = (Keys.ControlM, Keys.ControlJ)
"""What Enter is, read as a terminal sends it or as it was kept while nobody read keys one by one."""
COMMAND_KEYS = {"f1": "help", "f3": "log", "f4": "flip", "f5": "view", "s-left": "back", "s-right": "forth 1"}
"""The commands that keys stand for."""
FURNITURE = 3
"""Rows that the board leaves to the prompt, the refusal and the status line."""
GUIDED = 3
"""Rows that a lesson takes of the board at most, at 80 columns."""


async def run(session: Session, settings: Settings) -> None:
    """Show the table and play what is typed until the game is over or the player leaves."""
    await _Screen(session, settings).run()


class _Screen:
    """A prompt with a board, and what is printed above it."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.session = session
        self.settings = settings
        self.console = Console(session, settings, charset(settings.charset))
        self.style = Style.from_dict(rules(palette(settings.palette)))
        self.folded = 0
        """Rows of a text above the prompt to which the board gives way until the next Enter; it is lower meanwhile."""
        self.answer: list[Line] = []
        """What has come since the last Enter of the answer to the last command: some take time."""
        self.long = LongText()
        self.only_card = OnlyCard(self.console)
        self.turn, self.over = session.turn, is_over(self.session)
        self.kept = Kept()
        for alarm in self.console.alarms():
            self.kept.add(alarm, None)
        for words in self.console.to_compare():
            self.kept.add(words, None, lambda: not is_over(self.session))
        self.stands: tuple[int, object] | None = None
        """The rows of an answer behind which nothing has been printed, and which position it is about."""
        self.told_end: Result | None = None
        """The end of the game that was told at a table that stays open: it may prove to be none, and another follow."""
        self.shown: Asked | None = None
        """The question that was open when the screen was drawn last: what was typed before does not answer it."""
        self.prompt: PromptSession[str] = PromptSession(
            message=self._message,
            completer=Suggestions(self.console),
            complete_while_typing=False,  # a screen reader would read each list aloud
            history=Commands(self.console),
            bottom_toolbar=self._status,
            key_bindings=self._keys(),
            style=self.style,
            reserve_space_for_menu=0,
            enable_suspend=True,
            erase_when_done=True,
        )
        part_keys(self.prompt.app)
        self.refusal = RefusedLine(self.console, self.prompt.default_buffer)
        self.scroll = Scroll(self.prompt.output, self.style)
        self.columns = self.prompt.output.get_size().columns
        self.attention = Attention(session.game.title, settings, self.prompt.output)
        # Accepting a line does not end the prompt: its board and its status line never blink.
        self.prompt.default_buffer.accept_handler = self._accept
        self.prompt.default_buffer.on_text_changed += self._forgive
        self.prompt.app.before_render += self._clear_narrowed
        self.prompt.app.after_render += self._note_drawn
        self.prompt.app.after_render += lambda _: self.only_card.note_drawn()

    async def run(self) -> None:
        self.session.listen(self._hear)
        self._entitle()
        typed = any(key.key in ENTER for key in get_typeahead(self.prompt.input))
        if KEYBOARD.forget() or typed:
            self._forgets()
        self.scroll.print(self.console.greeting())
        with patch_stdout():
            printer = asyncio.create_task(self.scroll.keep_printing())
            try:
                # What goes wrong in a callback, such as a full disk, ends the program: `play.run` sees to it.
                await self.prompt.prompt_async(pre_run=self._leave_if_over, set_exception_handler=False)
            finally:
                printer.cancel()
                self.console.stop()
                self.attention.end()
        ending = farewell(self.session, self.settings.saved)
        if self.session.result:  # what the prompt showed of the board is erased
            self.console.drawing.past, size = None, self.prompt.output.get_size()
            below = sum(len(wrap(line, size.columns - 1)) for line in ending)
            ending = [*self.console.drawing.whole(size.columns, size.rows - below - 1), *ending]
        self.scroll.add(ending)
        self.scroll.flush()

    # What is shown

    def _size(self) -> tuple[int, int]:
        """Return the columns and rows there are for a board."""
        size = self.prompt.output.get_size()
        self.console.drawing.width = size.columns
        self.console.drawing.window = size.rows - FURNITURE - GUIDED * (self.session.guide is not None)
        told = len(self._guide(size.columns)) or len(self._end(size.columns)) - 1
        return size.columns, max(size.rows - FURNITURE - max(told, 0), 1)

    def _guide(self, width: int) -> list[Line]:
        """Return what leads a learner."""
        guide = self.session.guide
        return wrap(row(("class:urgent", f" {safe(guide.text)}")), width - 1) if guide else []

    def _end(self, width: int) -> list[Line]:
        """Return what ended the game: what was printed of it may be out of sight."""
        told = [row(("class:title", f" {safe(text)}")) for text in in_sight(self.session)]
        return [part for line in told for part in wrap(line, width - 1)]

    def _board(self) -> list[Line]:
        """Return the board, or what stands in its place."""
        if self.long:
            return self.long.part(*self._size())
        drawn = self._drawn()
        larger = drawn and len(drawn) < len(self.console.board(*self._size()))
        if drawn and not (larger or self.console.drawing.is_cut):
            return drawn
        told = f"Enter shows the {'larger ' * bool(drawn)}board"
        if drawn and self.console.drawing.is_cut:
            told = "Enter shows the whole board, Page Down its other lines"
        return [*drawn, row(("class:dim", told))] if self.folded else drawn

    def _drawn(self) -> list[Line]:
        """Return the board, without its first lines where a long refusal or a long input needs their place.

        Where it gives way to a text it is as low as it has to be, or nothing if it cannot be.
        """
        width, height = self._size()
        self.console.drawing.typing = self.prompt.default_buffer.text
        room = self._free() - cells(f"{self.console.prompt()}{self.prompt.default_buffer.text}") // width
        if self.folded:
            return self.console.drawing.lower(width, room - self.folded - 1)
        return self.console.board(width, height)[-max(room, 1) :]

    def _told(self, width: int) -> list[Fragment]:
        """Return what stands between the prompt and the status: messages, why a line was refused, a question."""

        def wrapped(lines: Iterable[Line]) -> list[Fragment]:
            return [(line[0][0], text_of(part)) for line in lines for part in wrap(line, width - 1)]

        asked, self.only_card.is_told = self.console.questions.open, False
        if self.refusal.told:
            told = [row(("class:refusal", f" {self.refusal.told}"))]
        elif asked:
            told = [row(("class:urgent", f" {safe(asked.question.text)} [y/N]"))]
        elif hint := self.console.drawing.ways():
            told = [row(("class:mark-target", f" {hint}"))]
        elif self.console.deciding.let_go and not is_over(self.session):
            told = [row(("class:dim", f" {safe(self.console.deciding.let_go)}"))]
        elif self._waits_for_a_line and (only := self.only_card.told()):
            told = [row(("class:dim", f" {only}"))]
        else:
            told = self._end(width)
        below, guide = wrapped(told), wrapped(self._guide(width))
        if len(below) <= 1 or not self.refusal.told:  # a longer refusal takes the place of what leads a learner
            below += guide
        room = max(self.prompt.output.get_size().rows - FURNITURE - len(below), 0)
        return [*wrapped(self._out_of_sight(len(below)))[:room], *below]

    @property
    def _waits_for_a_line(self) -> bool:
        """Return whether nothing is typed, and no text is shown in place of the board."""
        return not (self.prompt.default_buffer.text or self.long or self.folded)

    def _out_of_sight(self, below: int) -> list[Line]:
        """Return the newest messages that must not be overlooked, if any of them is not to be seen above the board.

        `below`: the rows of what else stands below the prompt.
        """
        if self.long or self.folded:
            return []

        def first() -> int:
            above = self.prompt.output.get_size().rows - 2 - below - len(self.console.board(*self._size()))
            return self.scroll.rows - above

        return self.kept.out_of_sight(first, self.scroll.rows_of)

    def _message(self) -> FormattedText:
        lines = [fragment for line in self._board() for fragment in (*line, ("", "\n"))]
        return FormattedText([*lines, ("class:ask", self.console.prompt())])

    def _status(self) -> FormattedText:
        width, _ = self._size()
        covered, folded = bool(self.console.questions.open or self.long), bool(self.folded)
        again = enter_plays_again(self.session) if is_over(self.session) else None
        ways = status.keys(self.session, self.console.seat, again=again, covered=covered, folded=folded)
        text, keys = status.fitted(self.session, self.console.parts, ways, width)
        shown = text + keys.rjust(width - cells(text) - 1) + " "
        bold = len(text.partition("  ")[0])
        above = [(style, fit(text, width) + "\n") for style, text in self._told(width)]
        return FormattedText([*above, ("bold", shown[:bold]), ("", fit(shown[bold:], width - cells(shown[:bold])))])

    def _hear(self, notice: Notice) -> None:
        lines = self.console.hear(notice)
        if isinstance(notice, Note) and notice.answers:
            self._answer(lines)
        elif lines:
            if self._must_be_seen(notice, lines):
                stands = notice.stands if isinstance(notice, Note) else lambda: True
                self.kept.add(lines[0], self.scroll.rows, stands)
            elif isinstance(notice, Ply) and text_of(lost := loss(self.session, notice)):
                # Until the own turn, for which `_point_to_last` says it, or until that is taken back.
                stood = partial(still_stands, self.session.plies, notice)
                self.kept.add(lost, self.scroll.rows, lambda: self.console.seat == 0 and stood())
            self._add(lines)
        before, self.turn = self.turn, self.session.turn
        ended, self.over = is_over(self.session) and not self.over, is_over(self.session)
        passes = before != self.turn and not {before, self.turn}.isdisjoint(self.session.people)
        if self.refusal.stands and (passes or ended):
            self.refusal.offer(ended=ended)
        elif not isinstance(notice, Said | Progress):
            self.refusal.look_again()
        self._entitle()
        comes = self.turn in self.session.people and before not in self.session.people
        if comes:
            self._point_to_last()
            self.attention.call()
        if isinstance(notice, Ply | Progress):
            self._leave_if_over()
        self.prompt.app.invalidate()

    def _must_be_seen(self, notice: Notice, lines: Sequence[Line]) -> bool:
        """Return whether a message stays in sight until something is typed: what is urgent, or said, or too long."""
        if isinstance(notice, Said):
            return not self.console.has_panel(*self._size())  # else chat stands beside the board
        long = self.scroll.rows_of(lines) > self._above()
        return isinstance(notice, Note) and (notice.urgent or long)

    def _entitle(self) -> None:
        """Say in the title of the window whose turn it is."""
        self.attention.entitle((self.console.status() or [""])[0])

    def _point_to_last(self) -> None:
        """Have it said, once the first of what happened since the own last move is out of sight, what shows it.

        Not within a round of cards: bids, the trick on the table and the one before it stand on the board.
        """
        if has_suits(self.session.game) and not round_before(self.session):
            return
        news, (width, height) = self.console.drawing.since(), self._size()
        told = told_plies(self.session, news)
        if len(told) > 1 and not self.console.has_panel(width, height):  # else the log stands beside the board
            first = self.scroll.rows - self.scroll.rows_of(told)
            self.kept.add(briefly(self.session, news, width), first, lambda: self.console.seat != 0, points=True)

    def _clear_narrowed(self, app: Application[str]) -> None:
        """Draw all anew where the window has become narrower.

        Many terminals, such as tmux, break what was drawn into more rows: what prompt_toolkit erases begins too low.
        """
        before, self.columns = self.columns, self.prompt.output.get_size().columns
        if self.columns < before:
            self.prompt.output.erase_screen()
            self.prompt.output.cursor_goto(0, 0)
            self.scroll.print_again(self._above())
            app.renderer.reset()
            app.renderer.request_absolute_cursor_position()

    # What is typed

    def _note_drawn(self, _: Application[str]) -> None:
        self.shown, self.refusal.unseen = self.console.questions.open, False
        if self._apart([]):
            self._add([])

    def _forgets(self) -> None:
        """Say that what was typed for what was shown before is dropped."""
        self._add([row(("class:dim", f"- {FORGOTTEN}"))])

    def _accept(self, buffer: Buffer) -> bool:
        """Do what the line says; return whether it stays on the prompt, because it could not be done."""
        if self.refusal.unseen:
            return self.refusal.drop_behind()
        self.refusal.forget()
        if self.console.questions.open not in (None, self.shown):
            self._forgets()
            return False
        folded, self.folded, self.answer = self.folded, 0, []
        if self.long and not buffer.text:
            self.long.turn(1, *self._size())
            return False
        if folded and not buffer.text and not self.console.questions.open:
            return False  # Enter has shown the board: that is all it said it would do
        self.long.drop()
        self.kept.drop()
        try:
            # At a question and at the end of a game Enter does what it says there, also behind a line that was refused.
            alone = self.console.questions.open is not None or enter_plays_again(self.session)
            self._do("" if alone and buffer.selection_state is not None else buffer.text)
        except RefusedError as refusal:
            return self.refusal.refuse(str(refusal))
        return False

    def _forgive(self, buffer: Buffer) -> None:
        if self.refusal.unseen:  # typed ahead, it says nothing of the refusal
            return
        self.refusal.forget()
        if buffer.text:  # what is typed is for the board, which is to be seen
            self.console.deciding.let_go = ""
            if not (self.long or self.folded):
                self.kept.drop()
            self.long.drop()
            if self.folded and not self._drawn():
                self.folded = 0

    def _do(self, text: str) -> None:
        self.long.drop()
        self.answer, self.folded = [], 0
        self._answer(self.console.enter(text or self.only_card.ready()))
        if self.console.leaving:
            self._leave()

    def _answer(self, lines: Sequence[Line]) -> None:
        """Show more lines of an answer, apart from what stands above it: the board gives way to all of them."""
        if not lines:
            return
        between = [] if self.answer else [row()]
        self.answer += lines
        if self._is_long(self.answer):
            self.scroll.drop(self.answer)
            self.long.show(self.answer)
            self.folded = 0
            self._add([row()])  # for the one row that its parts leave above them
            return
        self._add([*between, *lines])
        self.folded, rows = 0, self.scroll.rows_of(self.answer)
        self.stands = rows, self._position()
        if rows > self._above():
            self.folded = rows

    def _add(self, lines: Sequence[Line]) -> None:
        """Have lines printed above the board."""
        self.scroll.add([*self._apart(lines), *lines])
        self.stands = None

    def _apart(self, lines: Sequence[Line]) -> list[Line]:
        """Return the empty rows that keep an answer about another position apart from `lines` and the board below them.

        They push what is left of it out of sight where it is not to be seen whole any more.
        """
        if self.stands is None or self.stands[1] == self._position():
            return []
        more, told = self.scroll.rows_of(lines), len(self._told(self.prompt.output.get_size().columns))
        whole = self.stands[0] + more < self._above()
        return [row()] * (1 if whole else max(1, self._above() + told - more))  # what is told there may go at once

    def _position(self) -> object:
        """Return which position is shown."""
        return len(self.session.plies), self.console.drawing.past

    def _is_long(self, lines: Sequence[Line]) -> bool:
        """Return whether these lines do not fit the window, with the line that brings the board back."""
        return self.scroll.rows_of(lines) > self._free() - 1

    def _free(self) -> int:
        """Return the rows that prompt, status and what stands between them leave."""
        size = self.prompt.output.get_size()
        return size.rows - 2 - len(self._told(size.columns))

    def _above(self) -> int:
        """Return the rows above the board."""
        return self._free() - len(self._drawn())

    def _leave_if_over(self) -> None:
        if self.session.closed:
            self._leave()
        elif self.session.result and self.session.result != self.told_end:
            self.told_end, self.answer = self.session.result, []
            self._answer(after(self.session, redraws=True))

    def _leave(self) -> None:
        app = self.prompt.app
        if app.is_running and not app.is_done:
            app.exit(result="")

    # Its keys

    def _keys(self) -> KeyBindings:
        keys, empty = own_keys(), Condition(lambda: not self.prompt.default_buffer.text)
        asked = Condition(lambda: self.console.questions.open is not None)
        covered = empty & Condition(lambda: bool(self.long or self.folded))
        for key, command in COMMAND_KEYS.items():
            keys.add(key, filter=~asked)(partial(self._press, command))
        for key, pages in (("pagedown", 1), ("pageup", -1)):
            keys.add(key)(partial(self._turn, pages))
        keys.add(" ", filter=covered)(self._uncover)
        keys.add("c-c")(self._interrupt)
        keys.add("<sigint>")(self._interrupt)
        keys.add("c-d", filter=empty | refused.is_selected, eager=True)(self._quit)
        refused.bind(keys)
        keys.add("enter", filter=completion_is_selected)(self._choose)
        return keys

    def _press(self, command: str, _: KeyPressEvent) -> None:
        """Obey the command of a key."""
        try:
            self._do(f"/{command}")
        except RefusedError as refusal:
            self.refusal.say(str(refusal))

    def _turn(self, pages: int, _: KeyPressEvent) -> None:
        """Go on, or back, in a long text, or else in a board that does not fit."""
        if self.long:
            self.long.turn(pages, *self._size())
        else:
            self.console.looking.turn_page(pages)

    def _uncover(self, _: KeyPressEvent) -> None:
        """Go on in a long text, and show the board again behind any text."""
        self.folded = 0
        if self.long:
            self.long.turn(1, *self._size())

    def _interrupt(self, event: KeyPressEvent) -> None:
        """Drop what was typed or, if nothing was, end what goes on: a question, a bot that thinks, a text."""
        empty, self.refusal.unseen = not event.app.current_buffer.text, False
        event.app.current_buffer.reset()
        if self.console.questions.open:
            self.refusal.say("")
            self._do("no")
        elif empty and (stopped := self.console.stop()):
            self.refusal.say(stopped)
        elif self.long or self.folded:
            self.long.drop()
            self.folded = 0
        else:
            self.refusal.say("`quit` or Ctrl-D leaves the table." if empty else "")

    def _quit(self, event: KeyPressEvent) -> None:
        """Ask whether to leave the table, or leave it where that is asked; what was refused, or told, gives way."""
        answer = "yes" if self._asks_to_quit() else "quit"
        event.app.current_buffer.reset()
        self.refusal.forget()
        self._do(answer)

    def _choose(self, event: KeyPressEvent) -> None:
        """Take the chosen text; another Enter plays it. If it is only a beginning, offer how it goes on."""
        buffer = event.app.current_buffer
        buffer.complete_state = None
        if self.console.refuse(buffer.text):
            buffer.start_completion()

    def _asks_to_quit(self) -> bool:
        asked = self.console.questions.open
        return asked is not None and asked is self.shown and asked.name == "quit"
