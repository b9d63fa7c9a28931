"""Over real links: a friend sits down while others flood the host and guess, and a copied key is noticed."""

import asyncio
import secrets
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import all_games, encode
from p2p_stonehenge.lobby import hosting
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.net.client import TWICE, Network
from p2p_stonehenge.net.transport import Listener, Transport
from p2p_stonehenge.storage.home import Home
from protocol import Handshake, Identity, Join, message_bytes, read_message
from protocol.formation import PAKE_SHARE_BYTES, Caller

pytestmark = pytest.mark.network

LOOPBACK = "127.0.0.1"
FLOOD = 3000
"""Messages of each of those who disturb."""


class Guesser:
    """A client that answers each question with another word, and floods its host besides."""

    def __init__(self, host: bytes, asked: asyncio.Event) -> None:
        self.identity, self.host, self.asked = Identity(secrets.token_bytes(32)), host, asked
        self.answers = 0
        self.up = asyncio.Event()
        listener = Listener(self.hear, lambda peer, up: self.up.set(), lambda peer: None, lambda peer, text: None)
        self.transport = Transport(self.identity, "guesser", listener, interface=LOOPBACK, port=None)

    def hear(self, peer: bytes, data: bytes) -> None:
        match read_message(data):
            case Handshake(session, b"", b""):
                self.asked.set()
                secret = secrets.token_bytes(PAKE_SHARE_BYTES)
                caller = Caller("guess", guest=self.identity.id, host=self.host, session=session, secret=secret)
                self.transport.send(peer, message_bytes(caller.greeting))
            case Handshake():
                self.answers += 1
                self.transport.send(peer, message_bytes(Join()))

    async def disturb(self, address: str) -> None:
        self.transport.dial(self.host, [address])
        await self.up.wait()
        self.transport.send(self.host, message_bytes(Join()))
        noise = [message_bytes(Join()), b"\xc1" * 100, encode((3, ("x",), ())), bytes(60_000)]
        for number in range(FLOOD):
            self.transport.send(self.host, noise[number % len(noise)])
            if number % 50 == 0:
                await asyncio.sleep(0)


def test_a_friend_sits_down_while_others_flood_and_guess(tmp_path: Path) -> None:
    async def main() -> None:
        homes = [Home.open(str(tmp_path / name)) for name in ("anna", "ben")]
        told: list[str] = []
        async with (
            Network(homes[0], "anna", LOOPBACK, None) as first,
            Network(homes[1], "ben", LOOPBACK, None) as second,
        ):
            host = HostLobby(
                first, homes[0], told.append, Setup(all_games()["kingamon"], {}, 2, passphrase="old stones")
            )
            guest = GuestLobby(second, homes[1], print, first.identity.id, "old stones")
            address = f"{LOOPBACK}:{first.transport.port}"
            asked = asyncio.Event()
            guessers = [Guesser(first.identity.id, asked) for _ in range(3)]
            for guesser in guessers:
                await guesser.transport.start()
            hosting = asyncio.create_task(host.gather())
            try:
                began = asyncio.get_running_loop().time()
                flooding = asyncio.gather(*(guesser.disturb(address) for guesser in guessers))
                await asyncio.wait_for(asyncio.gather(asked.wait(), *(guesser.up.wait() for guesser in guessers)), 60)
                formed = await asyncio.wait_for(asyncio.gather(hosting, guest.gather([address])), 100)
                took = asyncio.get_running_loop().time() - began
                await flooding
            finally:
                for guesser in guessers:
                    await guesser.transport.close()
        assert formed[0].charter == formed[1].charter
        assert {seat.id for seat in formed[0].charter.body.seats} == {first.identity.id, second.identity.id}
        # However many keys and messages they have: one answer a second, of which one went to the friend.
        assert sum(guesser.answers for guesser in guessers) <= took + 1
        assert len(told) <= 10

    asyncio.run(main())


def test_a_friend_sits_down_though_another_took_the_seat_and_never_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "PATIENCE_WITH_A_QUEUE", 0.5)

    async def main() -> None:
        homes = [Home.open(str(tmp_path / name)) for name in ("anna", "ben")]
        told: list[str] = []
        async with (
            Network(homes[0], "anna", LOOPBACK, None) as first,
            Network(homes[1], "ben", LOOPBACK, None) as second,
        ):
            host = HostLobby(first, homes[0], told.append, Setup(all_games()["kingamon"], {}, 2))
            guest = GuestLobby(second, homes[1], print, first.identity.id)
            address = f"{LOOPBACK}:{first.transport.port}"
            sitter = Guesser(first.identity.id, asyncio.Event())
            await sitter.transport.start()
            hosting_ = asyncio.create_task(host.gather())
            try:
                sitter.transport.dial(sitter.host, [address])
                await sitter.up.wait()
                sitter.transport.send(sitter.host, message_bytes(Join()))
                async with asyncio.timeout(60):
                    while not host.guests:
                        await asyncio.sleep(0)
                    formed = await asyncio.gather(hosting_, guest.gather([address]))
            finally:
                await sitter.transport.close()
        assert formed[0].charter == formed[1].charter
        assert second.identity.id in {seat.id for seat in formed[0].charter.body.seats}
        assert any("host again with --passphrase" in text for text in told)

    asyncio.run(main())


def test_a_copied_key_is_noticed_by_both_who_have_it(tmp_path: Path) -> None:
    async def main() -> None:
        Home.open(str(tmp_path / "anna")).identity()
        shutil.copytree(tmp_path / "anna", tmp_path / "copy")
        told = [asyncio.Queue[str](), asyncio.Queue[str]()]
        homes = [Home.open(str(tmp_path / name)) for name in ("anna", "copy")]
        async with (
            Network(homes[0], "anna", LOOPBACK, None) as first,
            Network(homes[1], "anna", LOOPBACK, None) as second,
        ):
            for network, texts in zip((first, second), told, strict=True):
                network.handler = SimpleNamespace(trouble=lambda _peer, text, texts=texts: texts.put_nowait(text))
                await network.announce("")
            assert [await asyncio.wait_for(texts.get(), 60) for texts in told] == [TWICE, TWICE]
            assert first.identity.id not in first.sightings

    asyncio.run(main())
