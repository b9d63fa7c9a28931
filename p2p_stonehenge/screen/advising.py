"""Advice of bots to the player at a prompt: found in a thread, so that nothing waits for it, and told as a note."""

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

from p2p_stonehenge.bots.thinking import Running
from p2p_stonehenge.table.session import Note, RefusedError, Session

PATIENCE = 1.0
"""Seconds that an adviser thinks at most."""


class Advising:
    """What bots would advise at one table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None

    def hint(self, seat: int) -> None:
        """Have the best moves of `seat`, which is to act, told with their reasons. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._session.state
        self._ask(lambda running: advice.hint(game, state, seat, running))

    def why(self, seat: int, action: str) -> None:
        """Have told what a lawful action of `seat` is worth, and the answer to it. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._session.state
        self._ask(lambda running: advice.why(game, state, seat, action, running))

    def _ask(self, advice: Callable[[Running], Sequence[str]]) -> None:
        """Tell the lines of `advice` when they are found, unless somebody has acted by then."""
        if self._task and not self._task.done():
            raise RefusedError("The last question is still thought about.")
        session, plies, end = self._session, len(self._session.plies), monotonic() + PATIENCE

        async def answer() -> None:
            lines = await asyncio.to_thread(advice, lambda: monotonic() < end)
            if len(session.plies) == plies:
                for line in lines:
                    session.tell(Note(line))

        self._task = asyncio.get_running_loop().create_task(answer())
