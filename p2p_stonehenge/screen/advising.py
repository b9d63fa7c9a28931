"""Advice of bots to the player at a prompt: found in a thread, so that nothing waits for it, and told as a note."""

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

from engine import CHANCE, Turn
from p2p_stonehenge.bots.thought import Running
from p2p_stonehenge.table.session import Note, Notice, Ply, Progress, RefusedError, Session

PATIENCE = 5.0
"""Seconds that an adviser thinks at most."""


class Advising:
    """What bots would advise at one table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self._warnings: set[asyncio.Task[None]] = set()
        self._warned = 0
        """The last action of a rival after which a threat was looked for."""
        self.warns = False
        """Whether it is told, when the player is to act after another player, what is threatened then."""
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

    def threats(self, seat: int) -> None:
        """Have told what is threatened now, when `seat` is to act. Raises RefusedError."""
        from p2p_stonehenge.bots import thinking

        game, state = self._session.game, self._session.state

        def told(running: Running) -> list[str]:
            del running
            threat = thinking.threat(game, state, seat)
            return [self._warning(*threat) if threat else "Nothing to warn of now."]

        self._ask(told)
        self._warned = self._last_of_rivals()

    def check_threats(self) -> None:
        """Raise RefusedError where bots know no threats."""
        from p2p_stonehenge.bots import thinking

        if not thinking.knows_threats(self._session.game):
            instead = "`hint` says what to play, and `why` what a move is worth."
            raise RefusedError(f"Bots name no threats in {self._session.game.title}: {instead}")

    def _heard(self, notice: Notice) -> None:
        if self.warns and isinstance(notice, Ply) and self._session.advises:
            warning = asyncio.get_running_loop().create_task(self._warn())
            self._warnings.add(warning)
            warning.add_done_callback(self._warnings.discard)

    async def _warn(self) -> None:
        """Look for threats once all that happens at one stroke has happened, and tell the worst one."""
        from p2p_stonehenge.bots import thinking

        session = self._session
        game, state, plies = session.game, session.state, len(session.plies)
        due = game.pending(state)
        last = self._last_of_rivals()
        if not isinstance(due, Turn) or due.seat not in session.people or last == self._warned:
            return
        self._warned = last
        threat = await asyncio.to_thread(thinking.threat, game, state, due.seat)
        if threat and len(session.plies) == plies:
            session.tell(Note(self._warning(*threat), answers=True))

    def _warning(self, rival: int, does: str) -> str:
        return f"{self._session.label(rival)} {does}."

    def _last_of_rivals(self) -> int:
        """Return the number of the last action of a player who is not here; 0 before any."""
        session = self._session
        return next((ply.number for ply in reversed(session.plies) if ply.actor not in (CHANCE, *session.people)), 0)

    def _ask(self, advice: Callable[[Running], Sequence[str]]) -> None:
        """Tell the lines of `advice` when they are found, unless somebody has acted by then."""
        if self._task and not self._task.done():
            raise RefusedError("The answer to your last question is still being thought about.")
        session, plies, end = self._session, len(self._session.plies), monotonic() + PATIENCE
        asked = True

        def think(*, now: bool) -> None:
            session.advising = now
            session.tell(Progress())

        async def answer() -> None:
            nonlocal asked
            think(now=True)
            try:
                lines = await asyncio.to_thread(
                    advice, lambda: asked and monotonic() < end and len(session.plies) == plies
                )
            finally:
                asked = False  # nobody waits for a thread that the player has left
                think(now=False)
            if len(session.plies) == plies:
                for line in lines:
                    session.tell(Note(session.in_names(line), answers=True))

        self._task = asyncio.get_running_loop().create_task(answer())
