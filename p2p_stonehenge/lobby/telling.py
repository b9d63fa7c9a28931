"""What a player who waits for a table is told, not too often, and asked, one question at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.text.sparing import Sparing

Report = Callable[[str], None]
"""Tells the player a line."""
MOST_LINES = 256
"""Lines that are not told again."""


class Lines:
    """What the player is told of what others do; `clock` returns the time in seconds."""

    def __init__(self, report: Report, clock: Callable[[], float]) -> None:
        self._report = report
        self._sparing = Sparing(clock)
        self._told: set[str] = set()
        self._last: dict[str, str] = {}
        """The line told last of each cause of which only news is told."""

    def tell(self, cause: str, text: str) -> bool:
        """Tell the player, unless too much was told of that cause of late; return whether it was told."""
        allowed = self._sparing.take(cause)
        if allowed:
            self._report(text)
        return allowed

    def once(self, text: str) -> None:
        """Tell the player of a trouble, unless it was told before."""
        if text not in self._told and len(self._told) < MOST_LINES and self.tell("trouble", text):
            self._told.add(text)

    def news(self, cause: str, text: str) -> None:
        """Tell the player how things stand, unless that is what was told last of `cause`, one of a few."""
        if text != self._last.get(cause) and self.tell(cause, text):
            self._last[cause] = text


class Prompts:
    """What the player is asked while all else goes on; `fail` is told of a question that ends with a Failure."""

    def __init__(self, fail: Callable[[Failure], None]) -> None:
        self._fail = fail
        self._asking: asyncio.Task[None] | None = None

    @property
    def is_asking(self) -> bool:
        """Return whether the player is at a question."""
        return self._asking is not None and not self._asking.done()

    def put(self, question: Coroutine[Any, Any, None]) -> None:
        """Put a question to the player, unless another one is not answered yet."""
        if self.is_asking:
            question.close()
            return
        self._asking = asyncio.ensure_future(self._put(question))

    async def _put(self, question: Coroutine[Any, Any, None]) -> None:
        try:
            await question
        except Failure as failure:
            self._fail(failure)

    def stop(self) -> None:
        """Take back the question that the player has not answered, if there is one."""
        if self._asking is not None:
            self._asking.cancel()
