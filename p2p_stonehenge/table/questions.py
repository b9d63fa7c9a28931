"""What is asked before something is done that costs a player something or cannot be taken back.

A question can be answered, let go or outlived: only a yes does anything, a no or something else that is done lets the
question go, and a question lapses when what it was asked about is no longer so.
"""

from collections.abc import Callable
from typing import NamedTuple

from p2p_stonehenge.table.session import BusyError, Question, RefusedError

YES, NO = ("y", "yes"), ("n", "no")
"""Answers, and never anything else, also when no question is open."""


class Asked(NamedTuple):
    """An open question: what it is about, how it is asked again, how it was asked, and what a yes does."""

    name: str
    ask: Callable[[], Question]
    question: Question
    act: Callable[[], object]

    def outlived(self) -> str:
        """Return in a sentence why it would not be the same question now; nothing if it would, or nobody can tell."""
        try:
            now = self.ask()
        except BusyError:
            return ""
        except RefusedError as refusal:
            return str(refusal)
        return "" if now.about == self.question.about else now.changed or "The table has moved on."


class Questions:
    """The one question that is open at a prompt, if any. Its methods return what to tell the player."""

    def __init__(self) -> None:
        self.open: Asked | None = None
        self.lapsed = ""
        """Why the last question is not open any more, where it has lapsed and nothing was done since."""

    def put(self, name: str, ask: Callable[[], Question], act: Callable[[], object]) -> str:
        """Ask whether to do `name`; `act` does it. Raises RefusedError if that cannot be asked now."""
        self.open = Asked(name, ask, ask(), act)
        return f"{self.open.question.text} [y/N]"

    def lapse(self) -> str:
        """Let the question go if the table has moved on since it was asked."""
        if not self.open or not (why := self.open.outlived()):
            return ""
        lapsed, self.open = self.open, None
        self.lapsed = f"`{lapsed.name}` is not asked any more. {why}"
        return self.lapsed

    def no(self) -> str:
        """Let the question go."""
        dropped, self.open = self.open, None
        return f"Not done: `{dropped.name}`." if dropped else ""

    def yes(self) -> object:
        """Do what was asked about and return what that returns. Raises RefusedError if it cannot be done any more.

        Where it cannot be done for a moment, it is still asked.
        """
        asked, self.open = self.open, None
        why = asked.outlived() if asked else "The table has moved on."
        if not asked or why:
            raise RefusedError(f"That is not asked any more. {why}")
        try:
            return asked.act()
        except BusyError:
            self.open = asked
            raise
