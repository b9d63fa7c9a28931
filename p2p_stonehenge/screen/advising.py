"""Advice of bots to the player at a prompt: found in a thread, so that nothing waits for it, and told as a note."""

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

from engine import CHANCE, Turn
from p2p_stonehenge.bots.thought import Running
from p2p_stonehenge.table.session import Note, Notice, Ply, RefusedError, Session

PATIENCE = 3.0
"""Seconds that an adviser thinks at most."""


class Advising:
    """What bots would advise at one table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self._warnings: set[asyncio.Task[None]] = set()
        self._warned = 0
        """The last action of a rival after which a threat was looked for."""
        self._warns = False
        session.listen(self._heard)

    def hint(self, seat: int) -> None:
        """Have the best moves of `seat`, which is to act, told with their reasons. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._session.state
        self._ask(lambda running: advice.hint(game, state, seat, running))

    def why(self, seat: int, actions: Sequence[str]) -> None:
        """Have told what lawful actions of one turn of `seat` are worth, none for the best one. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._session.state
        self._ask(lambda running: advice.why(game, state, seat, actions, running))

    async def answered(self) -> None:
        """Wait until the last question is answered."""
        if self._task:
            await asyncio.wait([self._task])

    def warn_of_threats(self) -> bool:
        """Tell from now on, when the player is to act after another player, what is threatened then; or no longer.

        Return whether it is told.
        """
        self._warns = not self._warns
        return self._warns

    def _heard(self, notice: Notice) -> None:
        if self._warns and isinstance(notice, Ply) and self._session.advises:
            warning = asyncio.get_running_loop().create_task(self._warn())
            self._warnings.add(warning)
            warning.add_done_callback(self._warnings.discard)

    async def _warn(self) -> None:
        """Look for threats once all that happens at one stroke has happened, and tell the worst one."""
        from p2p_stonehenge.bots import thinking

        session = self._session
        game, state, plies = session.game, session.state, len(session.plies)
        due = game.pending(state)
        rivals = (ply.number for ply in reversed(session.plies) if ply.actor not in (CHANCE, *session.people))
        last = next(rivals, 0)
        if not isinstance(due, Turn) or due.seat not in session.people or last == self._warned:
            return
        self._warned = last
        threat = await asyncio.to_thread(thinking.threat, game, state, due.seat)
        if threat and len(session.plies) == plies:
            session.tell(Note(f"{session.label(threat.rival)} {threat.does}.", answers=True))

    def _ask(self, advice: Callable[[Running], Sequence[str]]) -> None:
        """Tell the lines of `advice` when they are found, unless somebody has acted by then."""
        if self._task and not self._task.done():
            raise RefusedError("The answer to your last question is still being thought about.")
        session, plies, end = self._session, len(self._session.plies), monotonic() + PATIENCE

        async def answer() -> None:
            lines = await asyncio.to_thread(advice, lambda: monotonic() < end)
            if len(session.plies) == plies:
                for line in lines:
                    session.tell(Note(session.in_names(line), answers=True))

        self._task = asyncio.get_running_loop().create_task(answer())
