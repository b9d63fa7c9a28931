"""Where a real transport listens, the card it answers there, and the addresses that people type."""

import asyncio
import errno
import socket
from contextlib import suppress

import pytest
from transports import ANNA, BOB, CARA, HOST, MALLORY, at, free_port, in_loop, peer, run, running

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.net import inbox as inbox_module
from p2p_stonehenge.net.card import fetch_card
from p2p_stonehenge.net.network import DEFAULT_PORT, split_address
from protocol import Card as ProtocolCard
from protocol import card_bytes

pytestmark = pytest.mark.network


@in_loop
async def test_ports_by_default_and_on_request() -> None:
    async with running(ANNA, "anna") as (anna, _), running(BOB, "bob") as (bob, _):
        assert {anna.port % 2, bob.port % 2} == {0}
        assert 41730 <= anna.port < bob.port < 41770
        for wanted in (anna.port, anna.port + 1, anna.port - 1):
            late, _ = peer(CARA, "cara", wanted)
            with pytest.raises(Failure, match=r"Port \d+ is in use.*--port") as refusal:
                await late.start()
            assert refusal.value.code == 4
            await late.close()
    port = free_port()
    async with running(CARA, "cara", port) as (cara, _):
        assert cara.port == port


@in_loop
async def test_no_pair_of_ports_left() -> None:
    async with running(ANNA, "anna"):
        old, inbox_module.PORT_PAIRS = inbox_module.PORT_PAIRS, 1
        first = DEFAULT_PORT
        try:
            blocker = None
            with suppress(OSError):  # somebody may have it already
                blocker = await asyncio.start_server(print, HOST, first)
            late, _ = peer(BOB, "bob")
            with pytest.raises(Failure, match="in use") as refusal:
                await late.start()
            assert refusal.value.code == 4
            if blocker is not None:
                blocker.close()
        finally:
            inbox_module.PORT_PAIRS = old


@pytest.mark.parametrize("interface", ["192.0.2.250", "fe80::1", "eth0", ""])
def test_interface_that_is_not_here(interface: str) -> None:
    async def main() -> None:
        made, _ = peer(ANNA, "anna", interface=interface)
        with pytest.raises(Failure, match=r"no interface.*127\.0\.0\.1") as refusal:
            await made.start()
        assert refusal.value.code == 4

    run(main)


@in_loop
async def test_anybody_can_read_the_card_and_dial_with_it() -> None:
    """The port above answers with the signed card alone, and its key is the one to dial with."""
    async with running(ANNA, "anna") as (anna, _), running(CARA, "cara") as (cara, log):
        card = await fetch_card(f"{HOST}:{anna.port}")
        assert card == ProtocolCard(ANNA.id, "anna", anna.port)
        assert await asyncio.gather(*(fetch_card(f"localhost:{anna.port}") for _ in range(50))) == [card] * 50
        cara.dial(card.id, at(anna))
        await log.entry("link", ANNA.id, True)


FOREIGN = card_bytes(ProtocolCard(ANNA.id, "anna", 1000), ANNA).replace(b"\xaastonehenge\x02", b"\xaastonehenge\x03")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "not p2p-stonehenge"),
        (b"SSH-2.0-OpenSSH\r\n", "not p2p-stonehenge"),
        (b"x" * 5_000_000, "not p2p-stonehenge"),
        (card_bytes(ProtocolCard(ANNA.id, "anna", 1000), MALLORY), "not p2p-stonehenge"),
        (FOREIGN, "speaks protocol 3, this program speaks 2"),
    ],
    ids=["nothing", "text", "endless", "forged", "other version"],
)
def test_what_is_no_card(answer: bytes, words: str) -> None:
    async def main() -> None:
        port = free_port()

        def hand_out(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer)
            writer.close()

        server = await asyncio.start_server(hand_out, HOST, port + 1)
        with pytest.raises(Failure, match=words) as refusal:
            await fetch_card(f"{HOST}:{port}")
        assert refusal.value.code == 4
        server.close()
        await server.wait_closed()

    run(main)


@in_loop
async def test_nobody_and_silence_instead_of_a_card() -> None:
    port = free_port()
    with pytest.raises(Failure, match="Nobody listens") as refusal:
        await fetch_card(f"{HOST}:{port}")
    assert refusal.value.code == 4
    with socket.socket() as silent:
        silent.bind((HOST, port + 1))
        silent.listen()
        with pytest.raises(Failure, match=r"No answer .* 0\.1 seconds") as refusal:
            await fetch_card(f"{HOST}:{port}", timeout=0.1)
    assert refusal.value.code == 4


@pytest.mark.parametrize("code", [errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EMFILE])
def test_a_host_that_cannot_be_reached_is_named_as_it_was_typed(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    async def unreachable(host: str, port: int, **_: object) -> None:
        raise OSError(code, f"Connect call failed ('{host}', {port})")

    monkeypatch.setattr(asyncio, "open_connection", unreachable)
    with pytest.raises(Failure) as refusal:
        asyncio.run(fetch_card("192.0.2.77:41730"))
    assert str(refusal.value).startswith("192.0.2.77:41730 cannot be reached from here: ")
    assert "41731" not in str(refusal.value)
    assert refusal.value.code == 4


@pytest.mark.parametrize(
    "text",
    [
        "",
        "host",
        ":41730",
        "host:",
        "host:0",
        "host:65535",
        "host:x",
        "host:+1",
        "host:1_0",
        "::1:41730",
        "h:²",
        "h:0000099999",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(Failure, match="HOST:PORT") as refusal:
        split_address(text)
    assert refusal.value.code == 2


def test_a_port_that_cannot_be_is_named_as_what_is_wrong() -> None:
    with pytest.raises(
        Failure, match=r"^'10\.0\.0\.1:99999' is not an address: ports go from 1 to 65534, write HOST:PORT"
    ):
        split_address("10.0.0.1:99999")
