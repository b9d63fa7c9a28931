"""A table as somebody sees it who watches: what arrives, what is told of it, and through which player it comes."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from engine import Over, Turn, listed
from p2p_stonehenge.table.base import TableSession, may_watch
from p2p_stonehenge.table.session import Note, Progress, Question, RefusedError
from p2p_stonehenge.text.sparing import Sparing
from protocol import (
    FULL,
    SLOTS,
    Blame,
    Caught,
    Folded,
    Lost,
    Proposed,
    Refused,
    Send,
    Sight,
    Spectator,
    Table,
    Turned,
    Watching,
    phrase,
)

LOOKING = frozenset(
    ("look", "last", "log", "back", "forth", "board", "more", "position", "who", "flip", "view", "rules", "result")
) | {"help", "quit"}
"""Commands for those who only look."""
ONLY_LOOKING = "You are watching: you may look, not play or talk. `help` lists what you can type."


class Sender(Protocol):
    """The part of the transport that is needed here."""

    def send(self, peer: bytes, data: bytes) -> bool:
        """Queue `data` for `peer`; False if that is not possible now."""


class WatchedTable(TableSession):
    """A table that this client watches. `turn(before, turned)` hangs up one player's client and dials another one's."""

    watches = True
    path: Path
    """Where what was seen is kept."""

    def __init__(
        self, spectator: Spectator, table: Table, sender: Sender, turn: Callable[[bytes, Turned], None]
    ) -> None:
        super().__init__(table, ())
        self.words = " ".join(phrase(table.charter))
        self._spectator = spectator
        self._sender = sender
        self._turn = turn
        self._sparing = Sparing(time.monotonic)
        self._seat_of = table.charter.body.clients
        self._through = b""
        """The player through whom this client has watched last."""
        self._asked = spectator.player
        self._tell_plies()

    # What arrives

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        self._do(self._spectator.link(peer, up))

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""
        self._do(self._spectator.receive(peer, data, time.monotonic()))

    def loss(self, peer: bytes) -> None:
        """Ask for what was dropped."""
        del peer
        self._do(self._spectator.ask())

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell of a trouble with the network."""
        if (peer is None or peer in self._seat_of) and self._sparing.allows("network"):
            self.tell(Note(text, urgent=True))

    def tick(self, now: float) -> None:
        """Do what is due by time."""
        self._do(self._spectator.tick(now))

    def _do(self, sights: Iterable[Sight]) -> None:
        for sight in sights:
            if isinstance(sight, Send):
                self._sender.send(sight.peer, sight.data)
            elif isinstance(sight, Folded):
                self._tell_plies()
            elif isinstance(sight, Turned):
                before, self._asked = self._asked, sight.player
                self._turn(before, sight)
            elif (text := self._told(sight)) and self._sparing.allows("news"):
                self.tell(Note(text, urgent=isinstance(sight, Blame | Caught | Lost)))
        self._tell_through()

    def _told(self, sight: Sight) -> str:
        """Return what is told of what has happened, if anything."""
        match sight:
            case Refused() | Blame() if self.result is not None:
                return ""
            case Refused(player, reason):
                what = "has no place for another spectator" if reason == FULL else "does not let you watch"
                return f"{self._name(player)} {what}: asking the next player."
            case Blame(player, reason):
                return f"{self._name(player)} sent {reason}; it was dropped: asking the next player."
            case Caught(seat, reason):
                return f"CHEAT: {self.label(seat)} {reason}."
            case Proposed(seat, leaving) if leaving:
                return f"{self.label(seat)} wants to go on without {listed([self.label(one) for one in leaving])}."
            case Lost():
                return "This program disagrees with its own record of this table: watch it anew."
        return ""

    def _tell_through(self) -> None:
        """Tell through whom the game is seen, when that changes."""
        player = self._spectator.player if self._spectator.admitted else b""
        if player == self._through:
            return
        before, self._through = self._through, player
        if self.result is not None:  # nothing more is to come
            return
        if not self._sparing.allows("through"):
            self.tell(Progress())
        elif player:
            self.tell(Note(f"You watch through {self._name(player)}."))
        else:
            self.tell(Note(f"{self._name(before)} is not reached any more: asking the other players."))

    def _name(self, player: bytes) -> str:
        seat = self._seat_of.get(player)
        return self.label(seat) if seat else "Somebody"

    # What is shown

    def waiting(self) -> str:
        due = self.game.pending(self.table.state)
        if isinstance(due, Turn):
            return f"{self.label(due.seat)} to move"
        names = listed([self.label(seat) for seat in self.table.fold.owing()])
        if isinstance(due, Over) or not names:
            return ""
        return f"waiting for {SLOTS[self.table.fold.position.slot.kind].owed} of {names}"

    def wishes(self) -> tuple[int, ...]:
        return self.table.fold.position.wishing

    def links(self) -> str:
        if self.result is not None:
            return ""
        delay = self.watching.delay
        behind = f", {delay} action{'s' * (delay > 1)} behind" if delay else ""
        return f"watching through {self._name(self._through)}{behind}" if self._through else "looking for a player"

    @property
    def watching(self) -> Watching:
        """Return who may watch this table."""
        return self.table.charter.body.watching

    def watched(self) -> str:
        return may_watch(self.watching)

    def has(self, command: str) -> bool:
        return command in LOOKING and super().has(command)

    def question(self, command: str, seat: int = 0) -> Question:
        raise RefusedError(ONLY_LOOKING)

    def play(self, seat: int, action: str) -> None:
        raise RefusedError(ONLY_LOOKING)

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        raise RefusedError(ONLY_LOOKING)

    def say(self, text: str) -> None:
        raise RefusedError(ONLY_LOOKING)
