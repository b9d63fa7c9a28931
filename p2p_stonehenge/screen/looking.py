"""The commands that show something of a table: its position, earlier ones, moves and cards. They change no game."""

import re
from collections.abc import Iterable

from p2p_stonehenge.screen.at_the_end import round_before
from p2p_stonehenge.screen.commands import COMMANDS, Obey
from p2p_stonehenge.screen.drawing import Drawing
from p2p_stonehenge.screen.moves import listed
from p2p_stonehenge.screen.telling import told_plies
from p2p_stonehenge.screen.typed import Reader
from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.session import Note, RefusedError, Session
from p2p_stonehenge.text.safe import safe

LOG = 10
"""Actions that `log` alone shows."""


class Looking:
    """What one player, or spectator, looks at by commands."""

    def __init__(self, session: Session, reader: Reader, drawing: Drawing, redraws: bool) -> None:
        """`redraws` says whether the screen always shows the board, so that nobody need print it."""
        self._session, self._reader, self._drawing, self._redraws = session, reader, drawing, redraws
        self.commands: dict[str, Obey] = {
            "moves": self._moves,
            "look": self._look,
            "last": lambda _: told_plies(session, drawing.last()),
            "log": lambda count: told_plies(session, session.plies[-max(int(count or LOG), 1) :]),
            "back": lambda count: self._look_back(-max(int(count or 1), 1)),
            "forth": lambda count: self._look_back(int(count) if count else len(session.plies)),
            "board": lambda _: self._board(),
            "more": lambda _: self._more(),
            "hand": lambda _: self._hand(),
            "played": lambda _: self._played(),
            "position": lambda _: self._position(),
            "flip": lambda _: self._flip(),
            "view": lambda _: self._next_layout(),
        }

    def to_present(self) -> None:
        """Show the present position where an earlier one is looked back at, and tell that the answer is about it."""
        if self._drawing.past is not None:
            self._drawing.past = None
            told = "You were looking back: the answer is about the present position."
            self._session.tell(Note(told, answers=True))

    def turn_page(self, pages: int) -> list[Line]:
        """Go on to another part of a board that does not fit the window, or show all of it where nothing is redrawn."""
        self._drawing.turn_page(pages)
        return self._board()

    def _more(self) -> list[Line]:
        """Go on to another part of the board, or return that all of it is shown."""
        told = self.turn_page(1)
        return [row("All of the board is shown.")] if self._redraws and not self._drawing.in_parts else told

    def _board(self) -> list[Line]:
        """Return the board where no screen shows it all the time."""
        return [] if self._redraws else self._drawing.render(self._drawing.width, 99)

    def _position(self) -> list[Line]:
        told = [*self._drawing.view.describe(self._drawing.shown), *filter(None, (self._session.partners,))]
        return self._of_shown([*told, *round_before(self._session)] if self._drawing.past is None else told)

    def _look(self, place: str) -> list[Line]:
        return self._of_shown([self._drawing.view.look_at(self._drawing.shown, place, self._session.viewer)])

    def _played(self) -> list[Line]:
        if not (told := self._drawing.view.played(self._drawing.shown, self._session.viewer)):
            raise RefusedError(f"No cards are played in {self._session.game.title}.")
        return [*self._of_shown(()), *told]

    def _of_shown(self, told: Iterable[str]) -> list[Line]:
        """Return what is told of the position that is shown; line by line also which one, if it is an earlier one."""
        head = [] if self._redraws else self._drawing.earlier(self._drawing.width)
        return [*head, *(row(self._session.in_names(text)) for text in told)]

    def _look_back(self, by: int) -> list[Line]:
        before = self._drawing.past
        self._drawing.look_back(by)
        if self._drawing.past == before:
            return [row("This is the first position." if by < 0 else "This is the present position.")]
        return self._board()

    def _flip(self) -> list[Line]:
        if not COMMANDS["flip"].offered(self._session):
            raise RefusedError("There is no board here that could be turned round.")
        self._drawing.flip()
        return []

    def _next_layout(self) -> list[Line]:
        width = self._drawing.width
        before = self._drawing.in_window(width)
        layout = self._drawing.next_layout() or "the largest that fits"
        same = bool(before) and self._drawing.in_window(width) == before
        needed = " This window has room for one layout alone: in a larger one they differ." if same else ""
        return [row(("class:dim", f"Layout: {layout}.{needed}"))]

    def _moves(self, origin: str) -> list[Line]:
        session, seat, width = self._session, self._reader.seat, self._drawing.width
        if not seat:
            raise RefusedError(self._reader.not_your_turn())
        self._reader.check_uncovered()
        lines = listed(session.game, session.state, seat, origin, width, session.in_names, heard=not self._redraws)
        if not lines:
            turned = re.sub(r"^(\d+) *([a-zA-Z])$", r"\2\1", origin).upper()
            meant = turned != origin.upper() and listed(session.game, session.state, seat, turned, width)
            there = session.in_names(self._drawing.view.look_at(session.state, origin, session.viewer))
            why = f": did you mean {turned}?" if meant else f". {safe(there)}" if origin.isalnum() else "."
            raise RefusedError(f"No move begins with {safe(origin)[:20]}{why}")
        self.to_present()
        return lines

    def _hand(self) -> list[Line]:
        session, seat = self._session, self._reader.seat
        if len(session.people) > 1:
            if not seat:
                raise RefusedError("Wait until one of your seats is to move.")
            session.uncovered = 0 if session.uncovered == seat else seat
        return self._board()
