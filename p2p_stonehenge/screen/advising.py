"""Advice of bots to the player at a prompt: found in a thread, so that nothing waits for it, and told as a note."""

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any

from engine import CHANCE, Turn
from p2p_stonehenge.bots.thought import Running
from p2p_stonehenge.screen.status import THINKING
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.session import Note, Notice, Ply, Progress, RefusedError, Session
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import safe

PATIENCE = 5.0
"""Seconds that an adviser thinks at most."""
STOPPED = "Stopped."
STILL = "The answer to your last question is still being thought about."


class Advising:
    """What bots would advise at one table."""

    def __init__(self, session: Session, redraws: bool) -> None:
        """`redraws`: the screen always shows what a bot is doing, and takes Ctrl-C."""
        self._session, self._redraws = session, redraws
        self._task: asyncio.Task[None] | None = None
        self._level: int | None = None
        """That of the bot that looked through a game last, None for the usual one."""
        self._warnings: set[asyncio.Task[None]] = set()
        self._warned = 0
        """The last action of a rival after which a threat was looked for."""
        self.doing = ""
        """What a bot is doing about what the player here has asked it, as the screen says it; nothing if none is."""
        self.warns = False
        """Whether it is told, when the player is to act after another player, what is threatened then."""
        session.listen(self._heard)

    def hint(self, seat: int) -> None:
        """Have the best moves of `seat`, which is to act, told with their reasons. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._remembered()
        self._ask(lambda running: self._in_names(advice.hint(game, state, seat, running)))

    def why(self, seat: int, actions: Sequence[str]) -> None:
        """Have told what lawful actions of one turn of `seat` are worth, none for the best one. Raises RefusedError."""
        from p2p_stonehenge.bots import advice

        game, state = self._session.game, self._remembered()
        self._ask(lambda running: self._in_names(advice.why(game, state, seat, actions, running)))

    def _remembered(self) -> Any:
        """Return the present position as bots at the table see it: one that has been before is worth a draw."""
        from p2p_stonehenge.bots.players import recent
        from p2p_stonehenge.bots.thinking import bot_of

        session = self._session
        if not isinstance(session, TableSession):
            return session.state
        return bot_of(session.game).remembering(session.state, recent(session))

    def _in_names(self, lines: Sequence[str]) -> list[str]:
        return [self._session.in_names(line) for line in lines]

    async def answered(self) -> None:
        """Wait until the last question is answered."""
        if self._task:
            await asyncio.wait([self._task])

    def threats(self, seat: int) -> None:
        """Have told what is threatened now, when `seat` is to act. Raises RefusedError."""
        from p2p_stonehenge.bots.thinking import bot_of

        game, state = self._session.game, self._session.state

        def told(running: Running) -> list[str]:
            del running
            threat = bot_of(game).threat(state, seat)
            return [self._warning(*threat) if threat else "Nothing to warn of now."]

        self._ask(told)
        self._warned = self._last_of_rivals()

    def check_threats(self) -> None:
        """Raise RefusedError where bots know no threats."""
        from p2p_stonehenge.bots.thinking import bot_of

        if not bot_of(self._session.game).knows_threats:
            instead = "`hint` says what to play, and `why` what a move is worth."
            raise RefusedError(f"Bots name no threats in {self._session.game.title}: {instead}")

    def _heard(self, notice: Notice) -> None:
        if self.warns and isinstance(notice, Ply) and self._session.advises:
            warning = asyncio.get_running_loop().create_task(self._warn())
            self._warnings.add(warning)
            warning.add_done_callback(self._warnings.discard)

    async def _warn(self) -> None:
        """Look for threats once all that happens at one stroke has happened, and tell the worst one."""
        from p2p_stonehenge.bots.thinking import bot_of

        session = self._session
        game, state, plies = session.game, session.state, len(session.plies)
        due = game.pending(state)
        last = self._last_of_rivals()
        if not isinstance(due, Turn) or due.seat not in session.people or last == self._warned:
            return
        self._warned = last
        threat = await asyncio.to_thread(bot_of(game).threat, state, due.seat)
        if threat and len(session.plies) == plies:
            # It stands below the prompt where it is out of sight: the board does not give way to it.
            session.tell(Note(self._warning(*threat), urgent=True, stands=lambda: len(session.plies) == plies))

    def _warning(self, rival: int, does: str) -> str:
        return f"{self._session.label(rival)} {does}."

    def _last_of_rivals(self) -> int:
        """Return the number of the last action of a player who is not here; 0 before any."""
        session = self._session
        return next((ply.number for ply in reversed(session.plies) if ply.actor not in (CHANCE, *session.people)), 0)

    def analyse(self, level: str) -> str:
        """Have a game that is over looked through by a bot of a level, or no longer if that is `off`.

        Returns what is to be said at once. Raises RefusedError.
        """
        from p2p_stonehenge.bots.players import level_named, levels_told
        from p2p_stonehenge.saved import SavedGame
        from p2p_stonehenge.screen.analysing import QUICKER, WORKING, Analysis

        session = self._session
        if level == "off":
            if not self.stop():
                raise RefusedError("No game is being looked through.")
            return STOPPED
        if not session.can("analyse") or not isinstance(session, TableSession):
            raise RefusedError(self._nothing_to_analyse())
        if level and not level_named(level):  # random has no opinion
            raise RefusedError(f"Write `analyse`, or behind it the level of a bot: {levels_told(least=1)}.")
        if level and level_named(level) != self._level and self.doing.startswith(WORKING):  # that one begins anew
            self.stop()
            self._task = None
        self._check_free()
        self._level = level_named(level)
        names = [quoted(safe(name)) for name in session.names]
        analysis = Analysis(SavedGame(session.table), names, level_named(level))
        loop = asyncio.get_running_loop()

        def progress(part: float) -> None:
            loop.call_soon_threadsafe(self._does, f"{WORKING}: {part:.0%}")

        def lines(running: Running) -> list[str]:
            return [line.strip() for line in analysis.lines(running, progress)]

        self._ask(lines, inf, f"{WORKING}: 0%")
        ends = "Ctrl-C ends the analysis." if self._redraws else "`analyse` tells how far it is, `analyse off` ends it."
        return " ".join(filter(None, (analysis.takes_long(f"analyse {QUICKER}"), ends)))

    def _nothing_to_analyse(self) -> str:
        """Return why no game can be looked through here now, and what can be done instead."""
        session = self._session
        if not session.result:
            now = "; `why` tells of the best move now" if session.advises else ""
            return f"`analyse` looks through a game that is over: type it then{now}."
        if session.watches:
            return f"In a shell, `{command_here()} analyse {session.short_id}` looks through the game that you saw."
        return "No move was played that could be looked at."

    def stop(self) -> bool:
        """Let the last question go that is not answered yet; return whether there was one."""
        return self._task is not None and self._task.cancel()

    def _does(self, what: str) -> None:
        """Note what a bot is doing about the last question, unless that was answered or let go."""
        if self._task and not self._task.done():
            self.doing = what
            self._session.tell(Progress())

    def _check_free(self) -> None:
        """Raise RefusedError while the last question is not answered."""
        if self._task and not self._task.done():
            instead = f"{self.doing.capitalize()}; `analyse off` ends that."
            raise RefusedError(STILL if self.doing == THINKING else instead)

    def _ask(
        self, advice: Callable[[Running], Sequence[str]], patience: float = PATIENCE, does: str = THINKING
    ) -> None:
        """Tell the lines of `advice` when they are found, unless somebody has acted by then.

        `does`: what the screen says meanwhile.
        """
        self._check_free()
        session, plies, end = self._session, len(self._session.plies), monotonic() + patience

        def running() -> bool:  # a thread that nobody waits for any more stops
            return not task.done() and monotonic() < end and len(session.plies) == plies

        async def answer() -> None:
            lines = await asyncio.to_thread(advice, running)
            if len(session.plies) == plies:
                for line in lines:
                    session.tell(Note(line, answers=True))

        def answered(_: asyncio.Task[None]) -> None:
            if self._task is task:
                self.doing = ""
                session.tell(Progress())

        self._task = task = asyncio.get_running_loop().create_task(answer())
        task.add_done_callback(answered)
        self._does(does)
