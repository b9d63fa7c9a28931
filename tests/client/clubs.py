"""Lobbies on wires in memory, with time set by hand: a host, its guests and those who would rather disturb them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import Value, all_games
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import lobby as lobbies
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.net.announced import read_announced
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from protocol import (
    NET,
    Advert,
    Form,
    Formation,
    Identity,
    Seat,
    make_body,
    message_bytes,
)
from protocol import read_message as really_read

ANNA, BEN, CLEO, EVE = (Identity(bytes([number]) * 32) for number in range(1, 5))
NAMES = {ANNA.id: "anna", BEN.id: "ben", CLEO.id: "cleo", EVE.id: "eve"}
GAME = all_games()["qenqe"]
WORDS = "three old stones"


class Client:
    """What a lobby has around it: links that never fail, and a note of whom it dialled."""

    def __init__(self, club: "Club", identity: Identity) -> None:
        self.club, self.identity, self.nick = club, identity, NAMES.get(identity.id, "somebody")
        self.interface = "127.0.0.1"
        self.handler: Any = None
        self.sightings: dict[bytes, Sighting] = {}
        self.dialled: dict[bytes, list[str]] = {}
        self.announced = ""
        self.transport = self
        self.heard: list[Any] = []
        self.kept: set[bytes] = set()

    async def announce(self, table: str) -> None:
        self.announced = table

    def dial(self, peer: bytes, addresses: list[str]) -> None:
        self.dialled[peer] = addresses

    def send(self, peer: bytes, data: bytes) -> bool:
        self.club.wire.append((self.identity.id, peer, data))
        return True

    def nick_of(self, peer: bytes) -> str:
        return NAMES.get(peer, "somebody")

    def where(self, peer: bytes) -> str:
        return self.club.places.get(peer, "")

    def linked(self) -> list[bytes]:
        return [id for id in self.club.clients if id != self.identity.id]

    def hang_up(self, peer: bytes) -> None:
        pass

    def keep(self, peer: bytes, seated: bool) -> None:
        (self.kept.add if seated else self.kept.discard)(peer)


class Club:
    """Clients and the wire between them. A peer without a lobby keeps what it hears, for the test to act on."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 1000.0
        self.clients: dict[bytes, Client] = {}
        self.wire: deque[tuple[bytes, bytes, bytes]] = deque()
        self.told: dict[bytes, list[str]] = {}
        self.places: dict[bytes, str] = {}
        """Where clients are linked."""

    def client(self, identity: Identity) -> Client:
        client = self.clients[identity.id] = Client(self, identity)
        return client

    def _here(self, identity: Identity) -> tuple[Any, Home, Callable[[str], None]]:
        told = self.told.setdefault(identity.id, [])
        return self.client(identity), Home.open(str(self.path / identity.id.hex()[:8])), told.append

    def host(self, players: int, passphrase: str | None = None, bots: int = 0) -> HostLobby:
        client, home, report = self._here(ANNA)
        client.handler = HostLobby(client, home, report, Setup(GAME, {}, players, bots, passphrase=passphrase))
        return client.handler  # type: ignore[no-any-return]

    def guest(
        self, identity: Identity, passphrase: str | None = None, ask: Any = None, announced: str = ""
    ) -> GuestLobby:
        client, home, report = self._here(identity)
        client.handler = GuestLobby(client, home, report, ANNA.id, passphrase, ask, read_announced(announced))
        return client.handler  # type: ignore[no-any-return]

    def meet(self, *identities: Identity) -> None:
        """Bring up the links between the host and these clients."""
        for identity in identities:
            for one, other in ((ANNA.id, identity.id), (identity.id, ANNA.id)):
                if self.clients[one].handler:
                    self.clients[one].handler.link(other, True)
        self.deliver()

    def deliver(self) -> None:
        for _ in range(2000):
            if not self.wire:
                return
            sender, receiver, data = self.wire.popleft()
            client = self.clients.get(receiver)
            if client and client.handler:
                client.handler.receive(sender, data)
            elif client:
                client.heard.append(really_read(data))
        raise AssertionError("they answer each other without end")

    def pass_time(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.now += 1
            for client in self.clients.values():
                if isinstance(client.handler, HostLobby):
                    client.handler.tick()
                if client.handler:
                    client.handler.spread()
            self.deliver()

    def propose(self, receiver: Identity, body: Any, hints: Any = ()) -> None:
        """Let the host, who has no lobby, show its table and propose a charter of it."""
        self.say(ANNA, receiver, advert_of(body))
        self.say(ANNA, receiver, Form(formation(ANNA, body=body).message(), hints))

    def say(self, sender: Identity, receiver: Identity, message: Any) -> None:
        self.wire.append((sender.id, receiver.id, message if isinstance(message, bytes) else message_bytes(message)))
        self.deliver()


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    one = Club(tmp_path)
    monkeypatch.setattr(lobbies.Lobby, "now", property(lambda _lobby: one.now))
    loop = asyncio.new_event_loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)

    waiting: deque[Any] = deque()

    def at_once(work: Any) -> Any:
        waiting.append(work)
        while waiting and not loop.is_running():  # what is begun meanwhile comes behind
            loop.run_until_complete(waiting.popleft())
        return SimpleNamespace(add_done_callback=id, done=lambda: True)

    monkeypatch.setattr(asyncio, "ensure_future", at_once)
    yield one
    for client in one.clients.values():
        if client.handler and client.handler.done.done():
            client.handler.done.exception()  # or else asyncio complains that nobody asked for it
    loop.close()


def formation(own: Identity, *others: Identity, body: Any = None) -> Formation:
    """Return a charter in the making with the host in seat 1, as the client of `own` holds it."""
    roster = (ANNA, *(others or (BEN,)))
    seats = tuple(Seat(one.id, NAMES[one.id], number) for number, one in enumerate(roster, 1))
    body = body or make_body(NET, GAME, {}, seats, b"attempt-attempt-")
    return Formation(body, {n: one for n, one in enumerate(roster, 1) if one is own}, b"seed of " + own.id)


def advert_of(body: Any) -> Advert:
    names = tuple(seat.name for seat in body.seats[:1])
    origin, ply = (body.origin.table, len(body.origin.actions)) if body.origin else (b"", 0)
    game, more = (body.game, body.version, body.options), (body.watching, body.series.match)
    return Advert(*game, names, len(body.seats), body.turn_time, 0, origin, ply, *more)


def body_of(message: Form) -> Value:
    """The body of the charter that a message proposes."""
    assert isinstance(message.formation, tuple)
    return message.formation[0]


def answers(*lines: str) -> Any:
    """Return somebody at a terminal who types these lines, and what was asked."""
    asked: list[str] = []
    left = list(lines)

    async def ask(question: str, hidden: bool) -> str:
        asked.append(question)
        return left.pop(0)

    return ask, asked


def failure(lobby: Any) -> str:
    """Return why a lobby has ended."""
    error = lobby.done.exception()
    assert isinstance(error, Failure)
    assert error.code == 4
    return str(error)


AFTER = (
    "Ctrl-C leaves: then `p2p-stonehenge host fidchell` opens another table, `p2p-stonehenge solo fidchell` plays"
    " against bots."
)
