"""Which table a guest means, and what it reads where there is none."""

import asyncio
from typing import Any

import pytest
from test_transport import ANNA, BOB, CARA, free_port, in_loop, running

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import finding
from p2p_stonehenge.lobby.finding import find_table
from p2p_stonehenge.net.discovery import Sighting


class Seen:
    """A network on which these hosts are seen."""

    def __init__(self, *hosts: tuple[Any, str, str]) -> None:
        self.identity = CARA
        self.sightings = {
            one.id: Sighting(one.id, nick, ("127.0.0.1:41730",), bytes(8), table) for one, nick, table in hosts
        }
        self.seen = asyncio.Event()


def look(network: Any, wanted: str | None, choice: int | None) -> tuple[bytes, list[list[str]]]:
    """Return which host was found, and which were to be chosen from."""
    offered: list[list[str]] = []

    async def choose(found: list[Sighting]) -> Sighting:
        offered.append([one.nick for one in found])
        assert choice is not None
        return found[choice]

    async def main() -> bytes:
        return (await find_table(network, wanted, lambda _text: None, choose)).host

    return asyncio.run(main()), offered


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LOOK_AROUND", 0.01)


def test_of_two_hosts_with_one_name_the_player_chooses() -> None:
    """Also of two whose names only look alike."""
    for nick in ("anna", "ANNA", "\u0430nna"):
        network = Seen((ANNA, "anna", "qenqe 1/2"), (BOB, nick, "qenqe 1/2"), (CARA, "cara", "qenqe 1/2"))
        _, offered = look(network, "anna", 1)
        assert sorted(offered[0]) == sorted(["anna", nick])


def test_a_full_table_is_found_by_name_only() -> None:
    """A seat may become free; nobody who asks for any table waits for that."""
    network = Seen((ANNA, "anna", "qenqe 2/2"), (BOB, "bob", "qenqe 1/2 passphrase"))
    assert look(network, "anna", None)[0] == ANNA.id
    assert look(network, None, None)[0] == BOB.id


@pytest.mark.network
@in_loop
async def test_the_own_address_is_said_to_be_that() -> None:
    async with running(ANNA, "anna") as (anna, _):
        network: Any = Seen()
        network.identity = ANNA
        with pytest.raises(Failure, match="is this program itself") as refusal:
            await find_table(network, f"127.0.0.1:{anna.port}", lambda _text: None, None)
        assert refusal.value.code == 5


@pytest.mark.network
@in_loop
async def test_an_address_without_a_port_has_the_usual_one() -> None:
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "DEFAULT_PORT", free_port())
        with pytest.raises(Failure, match=r"Nobody listens at 127\.0\.0\.1:\d+"):
            await find_table(Seen(), "127.0.0.1", asked.append, None)  # type: ignore[arg-type]
    assert asked[0].startswith("Asking 127.0.0.1:")
