"""Discovery over real multicast on loopback, within one process and across two, and hostile records."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import own_network
import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import (
    DNSAddress,
    DNSIncoming,
    DNSNsec,
    DNSOutgoing,
    DNSPointer,
    DNSQuestion,
    DNSRecord,
    DNSService,
    DNSText,
    ServiceStateChange,
    Zeroconf,
)

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.net import sieve
from p2p_stonehenge.net.client import PERHAPS, Network
from p2p_stonehenge.net.discovery import (
    SECONDS_A_CLIENT,
    Discovery,
    Sighting,
    pace,
    read_service,
    service_name,
)
from p2p_stonehenge.net.network import SERVICE
from p2p_stonehenge.net.sieve import Sieve
from p2p_stonehenge.storage.home import Home
from protocol import Identity, clean_nick, id_text

HOST = "127.0.0.1"
ANNA = Identity(b"a" * 32)


class Log:
    """What the callbacks said; `until` waits for it."""

    def __init__(self) -> None:
        self.sightings: list[Sighting] = []
        self.lost: list[bytes] = []
        self.stirred = asyncio.Event()

    def sighted(self, sighting: Sighting) -> None:
        self.sightings.append(sighting)
        self.stirred.set()

    def gone(self, id: bytes) -> None:
        self.lost.append(id)
        self.stirred.set()

    def of(self, id: bytes) -> list[Sighting]:
        """Other players may be on this computer, too."""
        return [sighting for sighting in self.sightings if sighting.id == id]

    async def until(self, check: Callable[[], Any], seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not check():
                self.stirred.clear()
                await self.stirred.wait()


@asynccontextmanager
async def looking() -> AsyncIterator[tuple[Discovery, Log]]:
    log = Log()
    discovery = Discovery(HOST, log.sighted, log.gone)
    await discovery.start()
    try:
        yield discovery, log
    finally:
        await discovery.close()


def multicast_on_loopback() -> bool:
    """Return whether an announcement on loopback is heard there at all."""

    async def probe() -> bool:
        id = Identity(os.urandom(32)).id
        async with looking() as (_, log), looking() as (other, _):
            await other.announce(id, "probe", bytes(8), 41730, "")
            try:
                await log.until(lambda: log.of(id), 3)
            except TimeoutError:
                return False
            return True

    try:
        return asyncio.run(probe())
    except Failure:
        return False


@pytest.fixture(scope="module")
def _multicast() -> None:
    if not multicast_on_loopback():
        pytest.skip("this computer does not carry multicast on loopback")


loopback = [pytest.mark.network, pytest.mark.usefixtures("_multicast")]


def on_loopback(test: Callable[..., Any]) -> Callable[..., Any]:
    for mark in loopback:
        test = mark(test)
    return test


@on_loopback
def test_peers_see_each_other_and_not_themselves() -> None:
    async def main() -> None:
        one, two = Identity(os.urandom(32)).id, Identity(os.urandom(32)).id
        async with looking() as (first, first_log), looking() as (second, second_log):
            await first.announce(one, "an\x1bna", b"instance", 41730, "kingamon 1/2")
            await second.announce(two, "bob", b"secondin", 41732, "")
            await first_log.until(lambda: first_log.of(two))
            await second_log.until(lambda: second_log.of(one))
            assert second_log.of(one) == [Sighting(one, "anna", (f"{HOST}:41730",), b"instance", "kingamon 1/2")]
            assert first_log.of(two) == [Sighting(two, "bob", (f"{HOST}:41732",), b"secondin", "")]
            await first.kick()
            await second.kick()
            late = Log()
            newcomer = Discovery(HOST, late.sighted, late.gone)
            await newcomer.start()
            await late.until(lambda: late.of(one) and late.of(two))
            await newcomer.close()
            assert first_log.of(one) == second_log.of(two) == []
            assert len(second_log.of(one)) == len(first_log.of(two)) == 1

    asyncio.run(main())


@on_loopback
def test_changes_are_seen_and_signing_off_is_too() -> None:
    async def main() -> None:
        id = Identity(os.urandom(32)).id
        async with looking() as (_, log):
            async with looking() as (other, _):
                await other.announce(id, "anna", b"instance", 41730, "kingamon 1/2")
                await log.until(lambda: log.of(id))
                await other.announce(id, "anna", b"instance", 41734, "kingamon 2/2")
                await log.until(lambda: log.of(id)[-1].table == "kingamon 2/2")
                await log.until(lambda: log.of(id)[-1].addresses == (f"{HOST}:41734",))
            await log.until(lambda: id in log.lost)
            async with looking() as (other, _):
                await other.announce(id, "anna", b"restart!", 41730, "")
                await log.until(lambda: log.of(id)[-1].instance == b"restart!")
                assert log.of(id)[-1].addresses == (f"{HOST}:41730",)

    asyncio.run(main())


PROCESS = """
import asyncio, sys
from p2p_stonehenge.net.discovery import Discovery

async def main():
    discovery = Discovery("127.0.0.1", lambda _: None, lambda _: None)
    await discovery.start()
    await discovery.announce(bytes.fromhex(sys.argv[1]), "other", b"instance", int(sys.argv[2]), "fidchess 1/2")
    print("announced", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await discovery.close()

asyncio.run(main())
"""


@on_loopback
def test_another_process_is_found_also_if_it_was_killed_and_came_back_elsewhere() -> None:
    async def main() -> None:
        id = Identity(os.urandom(32)).id

        @asynccontextmanager
        async def other(port: int) -> AsyncIterator[subprocess.Popen[str]]:
            pipe = subprocess.PIPE
            call = [sys.executable, "-c", PROCESS, id.hex(), str(port)]
            with subprocess.Popen(call, stdin=pipe, stdout=pipe, text=True) as process:
                try:
                    assert process.stdout is not None
                    assert await asyncio.to_thread(process.stdout.readline) == "announced\n"
                    yield process
                finally:
                    process.kill()

        async with looking() as (_, log):
            async with other(41730):
                await log.until(lambda: log.of(id))
                assert log.of(id) == [Sighting(id, "other", (f"{HOST}:41730",), b"instance", "fidchess 1/2")]
            async with other(41740) as second:
                await log.until(lambda: log.of(id)[-1].addresses == (f"{HOST}:41740",))
                assert id not in log.lost
                assert second.stdin is not None
                second.stdin.close()
                await log.until(lambda: id in log.lost)
                assert await asyncio.to_thread(second.wait) == 0

    asyncio.run(main())


@pytest.mark.network
@pytest.mark.parametrize("interface", ["192.0.2.250", "nonsense"])
def test_interface_that_is_not_here(interface: str) -> None:
    async def main() -> None:
        discovery = Discovery(interface, print, print)
        with pytest.raises(Failure, match=r"no interface.*--interface") as refusal:
            await discovery.start()
        assert refusal.value.code == 4
        await discovery.close()

    asyncio.run(main())


@pytest.mark.parametrize("found", [(), ("127.0.0.1",)])
@on_loopback
def test_computer_without_a_network(monkeypatch: pytest.MonkeyPatch, found: tuple[str, ...]) -> None:
    monkeypatch.setattr("p2p_stonehenge.net.discovery.local_addresses", lambda: found)

    async def main() -> None:
        discovery = Discovery(None, print, print)
        if found:
            await discovery.start()
            assert "only players on this computer" in discovery.warning
        else:
            with pytest.raises(Failure, match="connect it to a network") as refusal:
                await discovery.start()
            assert refusal.value.code == 4
        await discovery.close()

    asyncio.run(main())


@on_loopback
def test_new_addresses_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[str, ...]] = [(HOST,)]
    monkeypatch.setattr("p2p_stonehenge.net.discovery.local_addresses", lambda: found[0])
    monkeypatch.setattr("p2p_stonehenge.net.discovery.POLL", 0.01)

    async def main() -> None:
        id = Identity(os.urandom(32)).id
        moving = Discovery(None, lambda _: None, lambda _: None)
        await moving.start()
        async with looking() as (_, log):
            await moving.announce(id, "anna", b"instance", 41730, "")
            await log.until(lambda: log.of(id))
            found[0] = (HOST, "127.0.0.2")
            await log.until(lambda: set(log.of(id)[-1].addresses) == {f"{HOST}:41730", "127.0.0.2:41730"})
        await moving.close()

    asyncio.run(main())


LETTERS = id_text(ANNA.id)
NAME = f"{LETTERS[:8]}-{LETTERS[8:]}.{SERVICE}"
GOOD: dict[bytes, bytes | None] = {
    b"v": b"1",
    b"id": LETTERS.encode(),
    b"nick": b"anna",
    b"inst": b"instance".hex().encode(),
    b"table": b"fidchess 1/2",
}


def test_good_record() -> None:
    addresses = ["192.168.1.7", "224.0.0.1", "0.0.0.0", "10.0.0.1", "255.255.255.255"]
    seen = ("192.168.1.7:41730", "10.0.0.1:41730")
    assert read_service(NAME, GOOD, addresses, 41730) == Sighting(ANNA.id, "anna", seen, b"instance", "fidchess 1/2")
    assert read_service(NAME, {**GOOD, b"table": None, b"more": b"x"}, addresses, 41730) is not None


@pytest.mark.parametrize(
    "change",
    [
        {b"v": b"2"},
        {b"v": None},
        {b"id": None},
        {b"id": LETTERS[:-1].encode()},
        {b"id": id_text(Identity(b"b" * 32).id).encode()},
        {b"id": b"a" * 52},
        {b"id": "ä".encode() * 26},
        {b"inst": b"00"},
        {b"inst": b"00" * 9},
        {b"inst": b"zz" * 8},
        {b"nick": b"\xff"},
        {b"nick": b"bot 2"},
        {b"nick": "\uff42ot 2".encode()},
        {b"table": b"x" * 41},
        {b"table": b"\x1b[2J"},
        {b"table": "kingämon".encode()},
    ],
)
def test_bad_record(change: dict[bytes, bytes | None]) -> None:
    assert read_service(NAME, {**GOOD, **change}, [HOST], 41730) is None


def test_bad_surroundings() -> None:
    for name in (NAME.replace("-", "_"), NAME.replace(LETTERS[:8], "aaaaaaaa"), SERVICE, ""):
        assert read_service(name, GOOD, [HOST], 41730) is None
    for port in (None, 0, 65535):
        assert read_service(NAME, GOOD, [HOST], port) is None
    assert read_service(NAME, GOOD, [], 41730) is None
    assert read_service(NAME, GOOD, ["224.0.0.1"], 41730) is None
    sighting = read_service(NAME, GOOD, [f"10.0.0.{number}" for number in range(200)], 41730)
    assert sighting is not None
    assert len(sighting.addresses) == 8


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), st.none() | st.binary(max_size=255) | st.text().map(str.encode)))
def test_whatever_a_record_says_is_safe_to_print(change: dict[bytes, bytes | None]) -> None:
    sighting = read_service(NAME, {**GOOD, **change}, [HOST], 41730)
    if sighting is not None:
        assert sighting.id == ANNA.id
        assert sighting.nick == clean_nick(sighting.nick)
        assert sighting.table.isascii()
        assert not sighting.table or sighting.table.isprintable()


def test_hint_that_others_would_refuse_is_refused_here() -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="hint"):
            await Discovery(HOST, print, print).announce(ANNA.id, "anna", b"instance", 41730, "Kingamon\n")

    asyncio.run(main())


@pytest.mark.parametrize("name", ["", SERVICE, "x._http._tcp.local.", "a" * 80 + f".{SERVICE}", f"{LETTERS}.{SERVICE}"])
def test_names_that_no_peer_has_are_not_looked_up(name: str) -> None:
    async def main() -> None:
        discovery, nothing = Discovery(HOST, print, print), cast(Zeroconf, None)
        discovery._changed(nothing, SERVICE, name, ServiceStateChange.Added)
        assert not discovery._looking
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def packet(*names: str, ttl: int = 4500, answer: bool = True) -> bytes:
    """Return a packet that announces names."""
    out = DNSOutgoing(0x8400 if answer else 0)
    for name in names:
        out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, ttl, name), 0)
    if not answer:
        out.add_question(DNSQuestion(SERVICE, 12, 1))
    return out.packets()[0]


class Sifted:
    """A sieve, with time set by hand and a note of which names it forgot."""

    def __init__(self) -> None:
        self.now, self.forgotten = 1000.0, list[str]()
        self.sieve = Sieve(lambda: self.now, self.forgotten.append)

    def hears(self, source: str, *names: str) -> bool:
        self.now += 1
        return self.sieve.take_packet(packet(*names), source)


def name_of(number: int) -> str:
    return service_name(number.to_bytes(32, "big"))


def test_fake_tables_push_no_table_of_a_friend_off_the_list() -> None:
    """Neither from one address nor from many, and no friend is signed off by another computer."""
    here = Sifted()
    friend = name_of(0)
    assert here.hears("10.0.0.7", friend)
    for number in range(1, 2000):
        here.hears("10.0.0.66", name_of(number))
    assert len(here.sieve._names) == sieve.NAMES_OF_ONE_SOURCE + 1
    for number in range(2000, 4000):
        here.now -= 0.99  # a minute in all, in which the friend is silent
        here.hears(f"10.0.{number % 7}.66", name_of(number))
    assert friend.split(".")[0] not in here.forgotten
    assert len(here.sieve._names) <= sieve.MAX_NAMES
    here.hears("10.0.0.7", friend)
    assert not here.sieve.take_packet(packet(friend, ttl=0), "10.0.0.66")
    here.now += sieve.BINDING
    assert here.hears("10.0.0.8", friend), "computers change networks"


def test_a_name_that_a_stranger_took_in_a_silence_goes_back_to_whose_it_was() -> None:
    here, friend = Sifted(), name_of(0)
    assert here.hears("10.0.0.7", friend)
    here.now += sieve.BINDING
    assert here.hears("10.0.0.66", friend)
    assert here.hears("10.0.0.7", friend)
    assert not here.hears("10.0.0.66", friend)
    here.now += sieve.BINDING
    assert here.hears("10.0.0.8", friend), "computers change networks"
    assert not here.hears("10.0.0.66", friend)


def test_packets_that_name_many_or_come_too_often_are_not_looked_at() -> None:
    here = Sifted()
    assert not here.hears("10.0.0.66", *map(name_of, range(sieve.IN_ONE_PACKET + 1)))
    assert not here.sieve._names
    assert here.sieve.take_packet(packet(*map(name_of, range(20)), answer=False), "10.0.0.66"), (
        "a question tells what is known"
    )
    assert not here.sieve.take_packet(b"\0" * 12 + b"\x05_http\x04_tcp", "10.0.0.66")
    heard = sum(here.sieve.take_packet(packet(name_of(1)), "10.0.0.66") for _ in range(2000))
    assert heard <= sieve.PACKETS.burst
    assert here.hears("10.0.0.7", name_of(2))


FRIEND = service_name(bytes(32))
UNIQUE = 0x8001
"""The class of what takes the place of the records before it."""


@pytest.mark.parametrize(
    "record",
    [
        DNSPointer(SERVICE, 12, 1, 4500, f"x1.{SERVICE}"),
        DNSPointer(SERVICE, 12, 1, 4500, FRIEND.replace("a", "A")),
        DNSPointer(SERVICE.replace("tcp", "TCP"), 12, 1, 4500, FRIEND),
        DNSPointer(f"x.{SERVICE}", 12, 1, 4500, FRIEND),
        DNSPointer(SERVICE, 12, 3, 4500, FRIEND),
        DNSPointer(SERVICE, 12, UNIQUE, 4500, FRIEND),
        DNSPointer("_services._dns-sd._udp.local.", 12, 1, 4500, SERVICE),
        DNSPointer("_http._tcp.local.", 12, 1, 4500, "x._http._tcp.local."),
        DNSText(FRIEND.upper(), 16, UNIQUE, 120, b""),
        DNSText("x.local.", 16, UNIQUE, 120, b""),
        DNSText(FRIEND, 16, 1, 120, b""),
        DNSAddress(FRIEND, 1, 1, 120, bytes(4)),
        DNSService(FRIEND, 33, UNIQUE, 120, 0, 0, 40001, "x.local."),
        DNSNsec("x.local.", 47, UNIQUE, 120, "x.local.", [1]),
    ],
)
def test_what_no_honest_program_announces_is_not_kept(record: DNSRecord) -> None:
    """It would count as no name, or as that of a friend, and be said again with each question."""
    here = Sifted()
    out = DNSOutgoing(0x8400)
    out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, 4500, service_name(b"b" * 32)), 0)
    out.add_answer_at_time(record, 0)
    assert not here.sieve.take_packet(out.packets()[0], "10.0.0.66")
    assert not here.sieve._names


@on_loopback
def test_all_that_a_program_answers_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the questions which players there are, and what is known of one."""
    id, heard, whole = Identity(os.urandom(32)).id, list[bytes](), sieve.announced
    name = service_name(id)
    label = name.split(".", 1)[0]

    def announced(data: bytes) -> set[str] | None:
        if label.encode() in data:  # others may be heard here as well
            heard.append(data)
        return whole(data)

    def kinds() -> set[int]:
        return {record.type for data in heard for record in DNSIncoming(data).answers()}

    async def main() -> None:
        async with looking() as (discovery, _):
            await discovery.announce(id, "anna", bytes(8), 40001, "kingamon 1/2")
            for asked, kind in ((SERVICE, 12), (name, 1), (name, 16), (name, 28), (name, 33)):
                out = DNSOutgoing(0)
                out.add_question(DNSQuestion(asked, kind, 1))
                discovery._zeroconf.zeroconf.async_send(out)
            async with asyncio.timeout(60):
                while not kinds() >= {1, 12, 16, 33, 47}:
                    await asyncio.sleep(0.05)

    monkeypatch.setattr(sieve, "announced", announced)
    asyncio.run(main())
    assert all(whole(data) == {label} for data in heard)


@on_loopback
def test_a_name_of_which_nobody_tells_more_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten packets made a thousand questions with each search."""
    asked: list[str] = []

    async def ask(self: Any, zeroconf: Any, timeout: float) -> bool:
        asked.append(self.name)
        return False

    monkeypatch.setattr("p2p_stonehenge.net.discovery.AsyncServiceInfo.async_request", ask)

    async def main() -> None:
        fakes = [service_name(os.urandom(32)) for _ in range(12)]
        async with looking() as (discovery, _):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOST))
                for name in fakes:
                    end.sendto(packet(name), ("224.0.0.251", 5353))
            async with asyncio.timeout(60):
                while not set(fakes) <= set(asked):
                    await discovery.kick()
                    await asyncio.sleep(0.05)
            for _ in range(3):
                await discovery.kick()
                await asyncio.sleep(0.1)
        assert all(asked.count(name) == 1 for name in fakes)

    asyncio.run(main())


@on_loopback
def test_who_announces_another_key_owner_is_checked_before_the_player_is_told(tmp_path: Any) -> None:
    async def main() -> None:
        home = Home.open(str(tmp_path))
        told: asyncio.Queue[str] = asyncio.Queue()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("p2p_stonehenge.net.outbox.PROBE", 0.3)
            async with Network(home, "anna", HOST, None) as network, looking() as (liar, _):
                network.handler = cast(Any, SimpleNamespace(trouble=lambda _peer, text: told.put_nowait(text)))
                await network.announce("")
                # Its address is this program's own: the key is shown there, by nobody else.
                await liar.announce(network.identity.id, "anna", b"another!", network.transport.port, "")
                assert await asyncio.wait_for(told.get(), 60) == PERHAPS

    asyncio.run(main())


@on_loopback
def test_a_port_that_needs_rights_and_a_place_far_away_are_not_dialled() -> None:
    async def main() -> None:
        async with looking() as (discovery, log):
            for number, (address, port) in enumerate((("127.0.0.1", 901), ("192.0.2.9", 41730), ("127.0.0.1", 41730))):
                id = Identity(os.urandom(32)).id
                text = id_text(id)
                fields = {**GOOD, b"id": text.encode()}
                info: Any = SimpleNamespace(properties=fields, port=port, parsed_addresses=lambda _v, a=address: [a])
                discovery._sighted(service_name(id), info)
                assert bool(log.of(id)) == (number == 2)

    asyncio.run(main())


def test_tests_without_the_mark_reach_no_network() -> None:
    with socket.socket() as plain, pytest.raises(RuntimeError, match="mark this test"):
        plain.connect((HOST, 9))
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        with pytest.raises(RuntimeError, match="mark this test"):
            dealer.connect(f"tcp://{HOST}:9")
        dealer.bind("inproc://here")


@pytest.mark.network
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux parts networks")
def test_a_test_with_the_mark_has_a_network_of_its_own() -> None:
    """Else its clients meet those of tests that run beside it, whose names and tables stand among what it awaits."""
    here = Path("/proc/self/ns/net").stat().st_ino
    if reason := own_network.why_not():
        pytest.skip(reason)
    assert Path("/proc/self/ns/net").stat().st_ino != here, "looking for a reason ends in the network of the computer"


@pytest.mark.parametrize(("seen", "seconds"), [(0, 15.0), (4, 15.0), (25, 15.0), (50, 30.0), (200, 120.0)])
def test_on_a_full_network_each_client_asks_more_seldom(seen: int, seconds: float) -> None:
    """So that all together never ask more often than 25 do, which is once in 0.6 seconds."""
    assert pace(15.0, seen) == pytest.approx(seconds)


@pytest.mark.network
def test_where_many_are_seen_asking_again_and_again_sends_nothing() -> None:
    """A page that is open asks every 15 seconds; two hundred of them would be heard 545 times a second by each."""

    async def main() -> None:
        async with looking() as (discovery, _):
            asked: list[None] = []

            async def say_all() -> None:
                asked.append(None)

            discovery._say_all = say_all  # type: ignore[method-assign]
            crowd = {str(number): cast(Sighting, None) for number in range(10_000)}
            discovery._seen = crowd
            for _ in range(3):
                await discovery.kick()
            assert len(asked) == 1
            discovery._seen = {}
            for _ in range(3):
                await discovery.kick()
            assert len(asked) == 4
            assert SECONDS_A_CLIENT * len(crowd) > 3600, "the first of them cannot have been long ago"

    asyncio.run(main())
