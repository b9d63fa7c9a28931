"""A seated player that sends rubbish over real links: it is dropped, the table goes on, and both files stay valid."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rubbish import rubbish

from engine import all_games
from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.hosting import HostLobby
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.lobby import Formed
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.net import transport
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.shares import SEATED
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.session import Note, Ply
from protocol import Form, Node, Table, message_bytes, verify
from protocol.table.exchange import HAVE_EVERY

pytestmark = pytest.mark.network

LOOPBACK = "127.0.0.1"


class Clock:
    """Time as this program has it, waiting or at work: while a busy machine gives it none, this clock stands."""

    def __init__(self) -> None:
        self._waited, self._worked = 0.0, time.process_time()
        self._ticking = asyncio.create_task(self._tick())
        self.stop = self._ticking.cancel

    @property
    def seconds(self) -> float:
        return max(self._waited, time.process_time() - self._worked)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.1)
            self._waited += 0.1


async def seated(tmp_path: Path, play: Callable[[NetTable, NetTable], Awaitable[Any]]) -> None:
    """Let anna host and ben join over real links, then call `play` with both tables."""
    homes = [Home.open(str(tmp_path / name)) for name in ("anna", "ben")]
    async with Network(homes[0], "anna", LOOPBACK, None) as first, Network(homes[1], "ben", LOOPBACK, None) as second:
        host = HostLobby(first, homes[0], print, Setup(all_games()["kingamon"], {}, 2))
        guest = GuestLobby(second, homes[1], print, first.identity.id)
        address = f"{LOOPBACK}:{first.transport.port}"
        formed = await asyncio.gather(host.gather(), guest.gather([address]))
        first.dial(second.identity.id, ())
        second.dial(first.identity.id, ())
        tables = [sit(*both) for both in zip((first, second), homes, formed, strict=True)]
        for network, table in zip((first, second), tables, strict=True):
            table.begin(network.transport.linked())
        await play(*tables)


def sit(network: Network, home: Home, formed: Formed) -> NetTable:
    node = Node(Table(formed.charter, formed.signers, formed.secrets), formed.formation)
    table = NetTable(node, home.journal(formed.charter.table), network.transport, ())
    network.handler = table
    return table


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_rubbish_from_a_seated_player_is_dropped_and_the_game_goes_on(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is too much: what is lost then of honest events is made good within a moment."""
    monkeypatch.setattr(transport, "SEATED", SEATED._replace(burst=200))

    async def play(anna: NetTable, ben: NetTable) -> None:
        notes: list[str] = []
        clock = Clock()
        plies = [clock.seconds]

        def hear(notice: object) -> None:
            if isinstance(notice, Note):
                notes.append(notice.text)
            if isinstance(notice, Ply):
                plies.append(clock.seconds)

        anna.listen(hear)
        bots = [Bots(anna, [1], 0, Random(seed)), Bots(ben, [2], 0, Random(seed))]

        def pester(notice: object) -> None:
            if isinstance(notice, Ply):
                for data in rubbish(ben):
                    ben._jobs.sender.send(ben._node.peers[0], data)

        ben.listen(pester)
        for bot in bots:
            bot.start()
        await asyncio.gather(anna.keep_time(), ben.keep_time())
        clock.stop()
        slowest = max(after - before for before, after in pairwise(plies))
        print(f"\nrubbish with each of {len(plies)} plies: {slowest:.2f} s between two at most")
        assert slowest < HAVE_EVERY / 2
        reports = [verify(table.path.read_bytes()) for table in (anna, ben)]
        assert reports[0].ok
        assert reports[0][:8] == reports[1][:8]
        assert reports[0].finished
        assert any("malformed" in note for note in notes)
        assert any("did not sign" in note for note in notes)
        # What is told is bounded, however much comes.
        assert len([note for note in notes if "dropped" in note]) <= 20

    asyncio.run(seated(tmp_path, play))


@pytest.mark.slow
def test_a_gap_is_noticed_within_five_seconds(tmp_path: Path) -> None:
    """For a second all is lost on a link that stays up: nobody moves until somebody says again what it holds."""

    async def play(anna: NetTable, ben: NetTable) -> None:
        lost: list[float] = []
        clock, found = Clock(), asyncio.Event()
        loop, send = asyncio.get_running_loop(), ben._jobs.sender.send

        def lossy(peer: bytes, data: bytes) -> bool:
            if len(ben.plies) >= 3 and not lost:
                lost.extend((loop.time(), clock.seconds))
                anna.listen(lambda notice: found.set() if isinstance(notice, Ply) and not losing() else None)
            return losing() or send(peer, data)

        def losing() -> bool:
            return bool(lost) and loop.time() < lost[0] + 1

        ben._jobs.sender = Lossy(lossy, ben._jobs.sender.keep)
        for bot in [Bots(anna, [1], 0, Random(1)), Bots(ben, [2], 0, Random(1))]:
            bot.start()
        watching = [asyncio.create_task(table.keep_time()) for table in (anna, ben)]
        await asyncio.wait_for(found.wait(), 60)
        clock.stop()
        seconds = clock.seconds - lost[1]
        print(f"\na gap: noticed and made good after {seconds:.1f} s")
        assert seconds < 2 * HAVE_EVERY
        for task in watching:
            task.cancel()

    asyncio.run(seated(tmp_path, play))


class Lossy:
    """A sender that may lose what it is given."""

    def __init__(self, send: Callable[[bytes, bytes], bool], keep: Callable[[bytes, bool], None]) -> None:
        self.send, self.keep = send, keep

    def nick_of(self, peer: bytes) -> str:
        return "somebody"


def test_a_host_with_other_rules_is_named_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        homes = [Home.open(str(tmp_path / name)) for name in ("anna", "ben")]
        async with (
            Network(homes[0], "anna", LOOPBACK, None) as first,
            Network(homes[1], "ben", LOOPBACK, None) as second,
        ):
            host = HostLobby(first, homes[0], print, Setup(all_games()["kingamon"], {}, 2))
            start = host.start
            monkeypatch.setattr(host, "start", lambda body, seed: start(body._replace(version=99), seed))
            hosting = asyncio.create_task(host.gather())
            guest = GuestLobby(second, homes[1], print, first.identity.id)
            with pytest.raises(Failure, match="rules version 99") as failed:
                await guest.gather([f"{LOOPBACK}:{first.transport.port}"])
            assert failed.value.code == 4
            hosting.cancel()

    asyncio.run(main())


def test_a_quiet_table_is_quiet(tmp_path: Path) -> None:
    async def play(anna: NetTable, ben: NetTable) -> None:
        heard: list[bytes] = []
        all_said = asyncio.Event()
        for table in (anna, ben):
            receive = table.receive

            def note(
                peer: bytes, data: bytes, receive: Callable[[bytes, bytes], asyncio.Future[None] | None] = receive
            ) -> asyncio.Future[None] | None:
                heard.append(data)
                if data == complete:
                    all_said.set()
                return receive(peer, data)

            table.receive = note  # type: ignore[method-assign]
        # The last statement of a charter may come when both sit at the table; nobody may answer it without end.
        complete = message_bytes(Form(ben._node._formation, ()))
        ben._jobs.sender.send(ben._node.peers[0], complete)
        watching = asyncio.gather(anna.keep_time(), ben.keep_time())
        await all_said.wait()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watching, 2.5)
        assert len(heard) < 60

    asyncio.run(seated(tmp_path, play))
