"""A client that looks on at a table: what arrives goes to its spectator, whose effects are carried out in order."""

import time
from collections.abc import Callable, Iterable
from typing import Protocol

from p2p_stonehenge.storage.home import Journal
from p2p_stonehenge.table.jobs import Sender
from protocol import AskNext, Send, Sight, Spectator, Store


class SightObserver(Protocol):
    """What `LookingOn` calls: the lobby while a way to the table is looked for, then the table."""

    def see(self, sight: Sight) -> None:
        """Take an effect that is neither for the disk nor for a peer."""

    def settle(self) -> None:
        """Note that the last effect of a message, of a link or of a moment was carried out."""

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player of a trouble with the network."""


class LookingOn:
    """Handles what arrives for a client that looks on.

    `turn` hangs up the client of one player and dials that of another one.
    """

    def __init__(
        self,
        spectator: Spectator,
        sender: Sender,
        turn: Callable[[AskNext], None],
        observer: SightObserver,
        journal: Journal | None = None,
    ) -> None:
        self.spectator = spectator
        self.journal = journal
        """The file of the table: there is one once a player has shown its charter."""
        self._sender, self._turn, self._observer = sender, turn, observer

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        self.carry_out(self.spectator.link(peer, up))

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""
        self.carry_out(self.spectator.receive(peer, data, time.monotonic()))

    def loss(self, peer: bytes) -> None:
        """Ask for what was dropped."""
        del peer
        self.carry_out(self.spectator.ask())

    def trouble(self, peer: bytes | None, text: str, stands: Callable[[], bool] = lambda: True) -> None:
        """Tell the player of a trouble with the network."""
        del stands  # of a link alone there is a condition, and what else is told here has none
        self._observer.trouble(peer, text)

    def tick(self, now: float) -> None:
        """Do what is due by time."""
        self.carry_out(self.spectator.tick(now))

    def carry_out(self, sights: Iterable[Sight]) -> None:
        """Carry out effects, each before the next one is worked out."""
        for sight in sights:
            match sight:
                case Send(peer, data):
                    self._sender.send(peer, data)
                case Store(data, sync):
                    assert self.journal
                    self.journal.append(data, sync)
                case AskNext():
                    self._turn(sight)
                    self._observer.see(sight)
                case _:
                    self._observer.see(sight)
        self._observer.settle()
