"""The commands that cost a player something or cannot be taken back: each asks first, and only a yes does it."""

from collections.abc import Callable
from typing import Literal

from p2p_stonehenge.screen.at_the_end import is_over, over_told
from p2p_stonehenge.screen.commands import Obey
from p2p_stonehenge.screen.telling import remark
from p2p_stonehenge.screen.typed import Reader
from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.questions import Asked, Questions
from p2p_stonehenge.table.session import AskedFirst, Question, RefusedError, Session
from p2p_stonehenge.text.safe import safe


class Deciding:
    """What one player decides besides moves: to offer, agree, give up or leave."""

    def __init__(self, session: Session, reader: Reader, questions: Questions, redraws: bool) -> None:
        """`redraws`: the screen always shows the open question, so that nobody need print it."""
        self._session, self._reader, self._questions, self._redraws = session, reader, questions, redraws
        self.leaving = False
        """Whether the player leaves the table."""
        self.let_go = ""
        """Where the board is redrawn: that what was asked last is not done, until the next line."""
        self.commands: dict[str, Obey] = {
            "yes": lambda _: self._yes(),
            "no": lambda _: self.no(),
            "draw": self._draw,
            "takeback": lambda _: self._ask("takeback", self._own_seat(playing=False), session.take_back),
            "resign": lambda _: self._ask("resign", self._own_seat(), self._resign),
            "without": self._without,
            "agree": lambda _: self._ask("agree", self._own_seat(), lambda _: session.agree()),
            "newest": lambda _: self._ask("newest", self._own_seat(), lambda _: session.newest()),
            "adjourn": lambda _: self._ask_to_leave("adjourn"),
            "again": lambda _: self.again(),
            "quit": lambda _: self._ask_to_leave("quit"),
        }

    def put(self, name: str, ask: Callable[[], Question], act: Callable[[], object]) -> list[Line]:
        """Do what is called `name`, by `act`: once a yes answers what `ask` returns, or at once where that is empty.

        Raises RefusedError if it cannot be asked or done now.
        """
        if not ask().text:
            act()
            return []
        text = self._questions.put(name, ask, act)
        return [] if self._redraws else [row(safe(text))]

    def _ask(self, command: AskedFirst, seat: int, act: Callable[[int], object], name: str = "") -> list[Line]:
        """Ask before a command is obeyed for, or against, a seat; `act` obeys it. Raises RefusedError."""
        return self.put(name or command, lambda: self._session.question(command, seat), lambda: act(seat))

    def _yes(self) -> list[Line]:
        told = self._questions.yes()
        return told if isinstance(told, list) else []

    def no(self) -> list[Line]:
        """Let the open question go, if any, and return that it is not done."""
        told = self._questions.no()
        if self._redraws:  # among what was printed it would still stand when the same was asked again, and done
            self.let_go = told
            return []
        return remark(told)

    def set_aside(self, asked: Asked, act: Callable[[], list[Line]]) -> list[Line]:
        """Do something else than answer the question that is `asked`; return what is to be printed of both.

        That lets the question go, which is told, unless the same is asked anew. Raises RefusedError if it cannot be
        done: then the question stays open.
        """
        dropped = self.no()
        try:
            told = act()
        except RefusedError as refusal:
            self._questions.open, self.let_go = asked, ""
            raise RefusedError(self._reader.still_asked(str(refusal))) from refusal
        if self._questions.open and self._questions.open.name == asked.name:
            self.let_go = ""
            return told
        if self._questions.open and self.let_go:  # the place of that is taken by the next question
            dropped, self.let_go = remark(self.let_go), ""
        return dropped + told

    def again(self) -> list[Line]:
        """Play another game with the same players: asked first where some of them are not here."""
        if not is_over(self._session):
            raise RefusedError("The game is not over yet: `again` plays another one after it.")

        def again(_: int) -> None:
            self._session.again()
            self.leaving = self._session.wants_again

        return self._ask("again", 0, again)

    def _ask_to_leave(self, command: Literal["adjourn", "quit"]) -> list[Line]:
        def leave(_: int) -> None:
            self._session.leave(adjourn=command == "adjourn")
            self.leaving = True

        if self._session.result or self._session.watches:
            self.leaving = True
            return []
        return self._ask(command, 0, leave)

    def _resign(self, seat: int) -> list[Line]:
        self._session.play(seat, "resign")
        if not self._session.result and seat in self._session.game.live(self._session.state):
            return [row(("class:dim", "You have resigned. It counts as soon as all who are to act have heard it."))]
        return []

    def _draw(self, switch: str) -> list[Line]:
        seat, session = self._own_seat(), self._session
        if switch != "off":
            return self._ask("draw", seat, session.wish_draw)
        if seat not in (wishes := session.wishes()) and session.may_agree(wishes):
            raise RefusedError(self._reader.offered())
        session.wish_draw(seat, wish=False)
        return []

    def _without(self, who: str) -> list[Line]:
        session = self._session
        self._own_seat()
        found = session.seats_named(who)
        if len(found) > 1:
            ways = " or ".join(f"`without {session.name_to_type(seat)}` for {session.label(seat)}" for seat in found)
            raise RefusedError(f"Write {ways}.")
        if not found:
            raise RefusedError("Write without and the name or colour of one player: `who` lists them.")
        return self._ask("without", found[0], session.without, f"without {session.name_to_type(found[0])}")

    def _own_seat(self, *, playing: bool = True) -> int:
        """Return the seat that resigns or wishes a draw from here; where people share a screen, only a seat to move.

        Unless `playing`, any seat will do: what is wished is no matter of who is to move.
        """
        people, seat = self._session.people, self._reader.seat
        if self._session.result:
            raise RefusedError("The game is over." if playing else over_told(self._session))
        if not people or self._reader.looks_on:
            raise RefusedError("You are watching: only players can do that.")
        if playing and not seat and len(people) > 1:
            raise RefusedError("Wait until one of your seats is to move.")
        return seat or people[0]
