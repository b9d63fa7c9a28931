"""The jobs of a table among peers, done one after the other, and their effects, carried out in order."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from p2p_stonehenge.storage.home import Journal
from protocol import Effect, Node, Send, SpectatorKept, Store, StoreSecrets

Job = Callable[[], Iterable[Effect]]
"""A call of the node; the effects may come one by one, as they are worked out."""


class Sender(Protocol):
    """The part of the transport that every table needs."""

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` for `peer`; False if that is not possible now."""


class Keeper(Sender, Protocol):
    """The part of the transport that a table with seats and spectators needs."""

    def nick_of(self, peer: bytes) -> str:
        """Return what `peer` calls itself."""

    def keep(self, peer: bytes, seated: bool) -> None:
        """Let no stranger crowd out a peer, or let them again."""


class JobObserver(Protocol):
    """What `Jobs` calls while it carries out the jobs of a table."""

    def hear(self, effect: Effect) -> None:
        """Take an effect that is neither for the disk nor for a peer."""

    def settle(self) -> None:
        """Note that the last effect of a job was carried out."""

    def thread_begins(self) -> None:
        """Note that a thread will work on the table: until `settle` nothing else looks at it."""

    def thread_ended(self) -> None:
        """Note that what a thread worked out is carried out."""


class Jobs:
    """Does the jobs of a node in the order in which they come: at once, or in a thread while cards are dealt.

    While `working` is set nothing else may look at the node or its table.
    """

    def __init__(
        self, node: Node, journal: Journal, sender: Keeper, keep: Callable[[bytes], None], observer: JobObserver
    ) -> None:
        """`keep` replaces the stored secrets of the table."""
        self.working: asyncio.Task[None] | None = None
        """What waits for the thread at work, if one is."""
        self.sender = sender
        self._node, self._journal, self._keep = node, journal, keep
        self._observer = observer
        self._waiting: deque[Job] = deque()
        self._carries_out = False
        """Whether effects are being carried out: what is added meanwhile waits, as they may still be worked out."""

    def add(self, job: Job) -> None:
        """Do a job after those that came before it."""
        self._waiting.append(job)
        self._work()

    def _work(self) -> None:
        while self._waiting and self.working is None and not self._carries_out:
            job = self._waiting.popleft()
            if self._node.dealing:
                self._observer.thread_begins()
                self.working = asyncio.create_task(self._work_aside(job))
                # What fails there must not pass unseen; that the program ends meanwhile is no failure.
                self.working.add_done_callback(lambda task: None if task.cancelled() else task.result())
            else:
                self._carry_out(job())

    async def _work_aside(self, job: Job) -> None:
        try:
            effects = await asyncio.to_thread(lambda: list(job()))
        except Exception:
            self._end_thread(())
            raise
        self._end_thread(effects)

    def _end_thread(self, effects: Iterable[Effect]) -> None:
        """Carry out what a thread has worked out, and go on with what waits: also after a job that failed."""
        self.working = None
        self.carry_out(effects)
        self._observer.thread_ended()

    def attend(self, effects: Iterable[Effect]) -> None:
        """Carry out what is due to clients that watch: nothing of that changes the table, or waits for a job."""
        for effect in effects:
            self._perform(effect)

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Carry out the effects of what was done before the jobs that wait; these go on then."""
        self._carry_out(effects)
        self._work()

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        """Carry out the effects of one job, each before the next one is worked out."""
        outer, self._carries_out = self._carries_out, True
        try:
            for effect in effects:
                self._perform(effect)
            self._observer.settle()
        finally:
            self._carries_out = outer

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Send(peer, data):
                self.sender.send(peer, data)
            case Store(data, sync):
                self._journal.append(data, sync=sync)
            case StoreSecrets(secrets):
                self._keep(secrets)
            case SpectatorKept(peer, stays):
                self.sender.keep(peer, stays)
            case _:
                self._observer.hear(effect)
