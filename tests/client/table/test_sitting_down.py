"""How a client begins to play at a table that has just been signed."""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from net_tables import IDENTITIES, NAMES, signed

from p2p_stonehenge.cli import sitting
from p2p_stonehenge.cli.play import begin_beside, run
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.among_peers import NetTable
from protocol import FIRST_GAME, Node, Secrets, Table
from protocol.formation import UNWATCHED


def test_nothing_is_taken_in_before_somebody_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that came before was told to nobody: the lines of a client that a bot plays began with the second one."""

    async def nothing(*_: object) -> None:
        pass

    transport = SimpleNamespace(linked=tuple, send=lambda *_: None, where=lambda _: "", nick_of=lambda _: "")
    network = SimpleNamespace(
        identity=IDENTITIES[0],
        handler=None,
        table=b"",
        sightings={},
        transport=transport,
        discovery=SimpleNamespace(kick=nothing),
        announce=nothing,
        dial=lambda *_: None,
        hang_up=lambda _: None,
    )
    takes_in: list[object] = []

    async def at_table(_: Namespace, table: NetTable, begin: Callable[[], None], *__: Any) -> None:
        takes_in.append(network.handler)
        begin()
        takes_in.append(network.handler is table)
        raise asyncio.CancelledError

    monkeypatch.setattr(sitting, "at_table", at_table)
    charter = signed("fidchess", NAMES[:2], (1, 2), 0, UNWATCHED, FIRST_GAME)
    node = Node(Table(charter, {1: IDENTITIES[0]}, Secrets.from_seed(bytes(32))))
    home = Home.open(str(tmp_path))
    journal = home.journal(charter.table)
    with pytest.raises(Failure, match="You left the table"):
        asyncio.run(
            sitting.play_among_peers(Namespace(), 0, home, cast(Network, network), sitting.Place(node, journal))
        )
    assert takes_in == [None, True]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Failure("The disk is full: make room."), "^The disk is full: make room.$"),
        (
            LookupError("a fault"),
            r"fault of this program has ended it \(LookupError: a fault\). What was played is saved",
        ),
    ],
)
def test_what_fails_beside_the_screen_ends_the_game_there(error: Exception, told: str) -> None:
    """A full disk while only time passes; the screen would go on as if nothing had happened."""

    async def fails() -> None:
        raise error

    async def evening() -> None:
        begin_beside(fails())
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Failure, match=told):
        run(evening())
