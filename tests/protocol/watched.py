"""Spectators of tables in memory: links that come up when they are wanted, and time that stands still."""

from collections import deque
from collections.abc import Iterable, Mapping
from random import Random
from typing import TypeVar

from fast_deck import FAST_DECK
from kinds import expect
from replicas import FAST, FAST_SIGNERS, FastSigner

from protocol import (
    AskNext,
    Attendance,
    Charter,
    Door,
    Effect,
    Refused,
    Send,
    Sight,
    Spectator,
    SpectatorChat,
    SpectatorKept,
    Store,
    Table,
    Watch,
    Watchers,
    Watching,
    message_bytes,
    read_message,
)
from protocol.cards.deck import DeckScheme
from protocol.identity import Verifier
from protocol.table.gallery import Gallery

ALL = Watching(Watchers.EVERYBODY, 0)
S = TypeVar("S")


def door(passphrase: str, seat: int) -> Door:
    """The door of the client that plays a seat."""
    return Door(passphrase, FAST_SIGNERS[seat - 1].id, Random(seat).randbytes)


class Watcher:
    """One spectator's client: `told` is what its player would hear of."""

    def __init__(
        self,
        id: bytes,
        player: bytes,
        passphrase: str | None,
        verifier: Verifier,
        scheme: DeckScheme,
        before: Charter | None = None,
    ) -> None:
        self.id = id
        self.spectator = Spectator(id, player, Random(id).randbytes, passphrase, verifier, scheme, before)
        self.told: list[Sight] = []

    @property
    def table(self) -> Table:
        assert self.spectator.table
        return self.spectator.table

    @property
    def file(self) -> bytes:
        """The saved game of what was shown."""
        return b"".join(store.data for store in self.of(Store))

    def of(self, kind: type[S]) -> list[S]:
        return [sight for sight in self.told if isinstance(sight, kind)]


class House:
    """The galleries of one table, by the ids of its players' clients, and those who watch."""

    def __init__(
        self, galleries: Mapping[bytes, Gallery], verifier: Verifier = FAST, scheme: DeckScheme = FAST_DECK
    ) -> None:
        self.galleries = dict(galleries)
        self.watchers: dict[bytes, Watcher] = {}
        self.now = 1.0
        self.hints: tuple[tuple[bytes, str], ...] = ()
        """Where each player says that the others are."""
        self.kept: set[tuple[bytes, bytes]] = set()
        """Which client keeps which spectator."""
        self.attendance: dict[bytes, Attendance] = {}
        """What each player tells spectators of who is there."""
        self.overheard: list[tuple[bytes, SpectatorChat]] = []
        """What players read of spectators' chat."""
        self.gone: set[bytes] = set()
        """Players that cannot be reached."""
        self.lost = 0.0
        """Which part of all messages is lost."""
        self.sent: list[tuple[bytes, bytes, int]] = []
        """What players have sent to spectators: by whom, to whom, how many bytes."""
        self._rng = Random(1)
        self._up: set[tuple[bytes, bytes]] = set()
        self._dialled: list[tuple[float, bytes, bytes]] = []
        self._mail: deque[tuple[bytes, bytes, bytes]] = deque()
        self._verifier, self._scheme = verifier, scheme

    def come(
        self, number: int = 1, player: bytes | None = None, passphrase: str | None = None, before: Charter | None = None
    ) -> Watcher:
        """Let a spectator ask a player, by default the first; `before`: the charter of the table before."""
        return self.join(FastSigner(bytes([100 + number]) * 32).id, player, passphrase, before)

    def join(
        self, id: bytes, player: bytes | None = None, passphrase: str | None = None, before: Charter | None = None
    ) -> Watcher:
        """Let the client with this key ask a player."""
        player = player or next(iter(self.galleries))
        watcher = self.watchers[id] = Watcher(id, player, passphrase, self._verifier, self._scheme, before)
        self._dial(id, player)
        self.deliver()
        return watcher

    def lose(self, player: bytes) -> None:
        """Let a player's client be gone."""
        self.gone.add(player)
        for id in self.watchers:
            self._hang_up(id, player)
        self.deliver()

    def say(self, watcher: Watcher, data: bytes, player: bytes | None = None) -> None:
        """Let a spectator's client say something that it would not."""
        self._mail.append((watcher.id, player or watcher.spectator.player, data))
        self.deliver()

    def ask(self, watcher: Watcher, *lengths: int) -> None:
        """Let a spectator's client ask once more, and say that it holds so much."""
        self.say(watcher, message_bytes(Watch(watcher.table.id, lengths)))

    def pass_time(self, seconds: float) -> None:
        """Let time pass; players serve, and spectators look at the clock, twice a second."""
        for _ in range(round(2 * seconds)):
            self.now += 0.5
            for due, id, player in [one for one in self._dialled if one[0] <= self.now]:
                self._dialled.remove((due, id, player))
                self._dial(id, player)
            for player in self.galleries.keys() - self.gone:
                self._players_do(
                    player, self.galleries[player].serve(self.now, self.hints, self.attendance.get(player))
                )
            for watcher in self.watchers.values():
                self._do(watcher, watcher.spectator.tick(self.now))
            self.deliver()

    def deliver(self) -> None:
        while self._mail:
            sender, receiver, data = self._mail.popleft()
            if self.lost and self._rng.random() < self.lost:
                continue
            if receiver in self.watchers:
                watcher = self.watchers[receiver]
                if (receiver, sender) in self._up:
                    self._do(watcher, watcher.spectator.receive(sender, data, self.now))
            elif receiver not in self.gone:
                self._players_do(receiver, self.take(receiver, sender, data))

    def take(self, player: bytes, sender: bytes, data: bytes) -> list[Effect]:
        """What a player's client does with a message."""
        return self.galleries[player].receive(sender, read_message(data), self.now)

    def _dial(self, id: bytes, player: bytes) -> None:
        if player not in self.gone and (id, player) not in self._up:
            self._up.add((id, player))
            self._do(self.watchers[id], self.watchers[id].spectator.link(player, True))

    def _hang_up(self, id: bytes, player: bytes) -> None:
        if (id, player) in self._up:
            self._up.discard((id, player))
            if player not in self.gone:
                self._players_do(player, self.galleries[player].link(id, False))
            self._do(self.watchers[id], self.watchers[id].spectator.link(player, False))

    def _players_do(self, player: bytes, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self.sent.append((player, effect.peer, len(effect.data)))
                self._mail.append((player, effect.peer, effect.data))
            elif isinstance(effect, SpectatorChat):
                self.overheard.append((player, effect))
            else:
                peer, stays = expect(SpectatorKept, effect)
                (self.kept.add if stays else self.kept.discard)((player, peer))

    def _do(self, watcher: Watcher, sights: Iterable[Sight]) -> None:
        for sight in sights:
            if isinstance(sight, Send):
                self._mail.append((watcher.id, sight.peer, sight.data))
            elif isinstance(sight, AskNext):
                watcher.told.append(sight)
                for id, player in [one for one in self._up if one[0] == watcher.id]:
                    self._hang_up(id, player)
                self._dialled.append((self.now + sight.pause, watcher.id, sight.player))
            else:
                watcher.told.append(sight)


def refusals(watcher: Watcher) -> list[int]:
    """Why players have refused a spectator, in order."""
    return [sight.reason for sight in watcher.of(Refused)]
