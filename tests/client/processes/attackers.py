"""Hostile strangers, to be run by `attacking.py`: `attackers.py KIND SECONDS PORT...` attacks the clients there.

None of them has a seat; each has as many keys and addresses of this computer as it likes. It prints `attacking` when it
begins and at the end what it has done. `KINDS` lists the attacks; `spectators` are honest ones, as a measure of theirs.
"""

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client")]

from bare_curve import BareCurve, BareHost  # noqa: E402  after the path is set
from zeroconf import DNSOutgoing, DNSPointer, DNSQuestion  # noqa: E402

from p2p_stonehenge.net.card import fetch_card  # noqa: E402
from p2p_stonehenge.net.discovery import service_name  # noqa: E402
from p2p_stonehenge.net.network import SERVICE  # noqa: E402
from p2p_stonehenge.net.transport import Listener, Transport  # noqa: E402
from protocol import (  # noqa: E402
    AskNext,
    Greeting,
    Identity,
    Join,
    Send,
    Sight,
    Spectator,
    Watch,
    greeting_bytes,
    message_bytes,
)

HOST = "127.0.0.1"
AT_ONCE = 16
"""Connections that an attack keeps up."""
WATCHERS = 50
PAUSE = 0.02
"""Seconds after which an attacker that was cut off comes back, with another key from another address."""
MULTICAST = ("224.0.0.251", 5353)

_places = count()


class Victim:
    """A client under attack: its id and port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.id = asyncio.run(fetch_card(f"{HOST}:{port}")).id


def place() -> str:
    """Return another address of this computer each time."""
    number = next(_places)
    return f"127.{1 + number // 60_000 % 200}.{number // 250 % 240}.{2 + number % 250}"


def greeting(own: Identity, port: int = 999) -> bytes:
    return greeting_bytes(Greeting(own.id, os.urandom(8), "mallory", port))


def knock(victim: Victim) -> tuple[BareCurve, Identity]:
    """Come to a client with another key from another address, and shake hands."""
    own = Identity(os.urandom(32))
    return BareCurve(own, victim.id, victim.port, source=place()), own


def endless(victim: Victim, until: float, size: int, at_once: int) -> Iterator[int]:
    """Send a message whose parts never end; yield the bytes sent."""
    link, own = knock(victim)
    link.part(greeting(own), more=False)
    while time.monotonic() < until:
        yield link.parts([bytes(size)] * at_once)


def endless_where_dialled(victim: Victim, until: float, size: int, at_once: int) -> Iterator[int]:
    """Greet, and send a message whose parts never end where the client dials back."""
    with socket.socket() as listening:
        own = Identity(os.urandom(32))
        source = place()
        listening.bind((source, 0))
        listening.listen(4)
        listening.settimeout(2)
        link = BareCurve(own, victim.id, victim.port, source=source)
        link.part(greeting(own, listening.getsockname()[1]), more=False)
        back = BareHost(own, listening)
        while time.monotonic() < until:
            yield back.parts([bytes(size)] * at_once)


def messages(victim: Victim, until: float) -> Iterator[int]:
    """Send whole messages, as many as go."""
    link, own = knock(victim)
    link.part(greeting(own), more=False)
    many = [os.urandom(200)] * 50
    while time.monotonic() < until:
        link.messages(many)
        yield 200 * len(many)


def asks(victim: Victim, until: float) -> Iterator[int]:
    """Ask to watch from the game's start, as often as goes."""
    link, own = knock(victim)
    link.part(greeting(own), more=False)
    many = [message_bytes(Watch())] * 50
    while time.monotonic() < until:
        link.messages(many)
        yield len(many)


def greetings(victim: Victim, until: float) -> Iterator[int]:
    """Greet with one key after the other, ask for a seat, and stay."""
    held: list[BareCurve] = []
    while time.monotonic() < until:
        link, own = knock(victim)
        link.messages([greeting(own), message_bytes(Join())])
        held = [*held[-AT_ONCE:], link]
        yield 1


def connects(victim: Victim, until: float, beside: int = 0) -> Iterator[int]:
    """Connect and leave, as often as goes, at the ROUTER or (`beside` 1) at the card."""
    while time.monotonic() < until:
        with socket.socket() as end:
            end.settimeout(2)
            end.bind((place(), 0))
            end.connect((HOST, victim.port + beside))
        yield 1


def silent(victim: Victim, until: float) -> Iterator[int]:
    """Connect and say nothing, with as many connections as the client lets stand."""
    held: list[socket.socket] = []
    while time.monotonic() < until:
        end = socket.socket()
        end.bind((place(), 0))
        end.connect((HOST, victim.port))
        held.append(end)
        if len(held) > 200:
            held.pop(0).close()
        yield 1
        time.sleep(0.005)


def packets(victim: Victim, until: float, *, fake: bool) -> Iterator[int]:
    """Send multicast DNS packets: `fake` tables that nobody has, each a question for its finder, or noise."""
    del victim
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOST))
        end.bind((HOST, 0))
        while time.monotonic() < until:
            out = DNSOutgoing(0x8400 if fake else 0)
            for _ in range(20):
                name = service_name(os.urandom(32))
                if fake:
                    out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, 4500, name), 0)
                else:
                    out.add_question(DNSQuestion(name, 33, 1))
            for packet in out.packets():
                with suppress(OSError):
                    end.sendto(packet, MULTICAST)
                yield 1
            time.sleep(0.001)


class Watcher:
    """An honest spectator at an address of its own: its links, and what it is shown."""

    def __init__(self, victims: list[Victim], number: int) -> None:
        self._victims = {victim.id: f"{HOST}:{victim.port}" for victim in victims}
        player = victims[number % len(victims)].id
        own = Identity(os.urandom(32))
        self.spectator = Spectator(own.id, player, os.urandom)
        listener = Listener(
            message=lambda peer, data: self._do(self.spectator.receive(peer, data, time.monotonic())),
            link=lambda peer, up: self._do(self.spectator.link(peer, up)),
            loss=lambda peer: self._do(self.spectator.ask()),
            trouble=lambda peer, text: None,
        )
        self.links = Transport(own, f"watcher {number}", listener, interface=place(), port=None)

    async def watch(self, until: float) -> None:
        await self.links.start()
        player = self.spectator.player
        self.links.dial(player, [self._victims[player]])
        while time.monotonic() < until:
            await asyncio.sleep(0.5)
            self._do(self.spectator.tick(time.monotonic()))
        await self.links.close()

    def _do(self, sights: Iterable[Sight]) -> None:
        for sight in sights:
            if isinstance(sight, Send):
                self.links.send(sight.peer, sight.data)
            elif isinstance(sight, AskNext):
                self.links.hang_up(sight.before)
                asyncio.get_running_loop().call_later(
                    sight.pause, self.links.dial, sight.player, [self._victims[sight.player]]
                )


def spectators(victims: list[Victim], until: float) -> int:
    """Let `WATCHERS` honest spectators watch, as many as are let in; return how many have seen the game."""

    async def watch() -> int:
        watchers = [Watcher(victims, number) for number in range(WATCHERS)]
        await asyncio.gather(*(watcher.watch(until) for watcher in watchers))
        return sum(watcher.spectator.caught_up for watcher in watchers)

    return asyncio.run(watch())


def _several(attack: Callable[..., Iterator[int]], *more: object) -> Callable[[list[Victim], float], int]:
    """Return what keeps `AT_ONCE` of an attack going until a moment, against the victims in turn."""

    def go(victims: list[Victim], until: float) -> int:
        done = [0] * AT_ONCE

        def again(number: int) -> None:
            while time.monotonic() < until:
                with suppress(OSError, AssertionError):
                    for step in attack(victims[number % len(victims)], until, *more):
                        done[number] += step
                time.sleep(PAUSE)

        threads = [threading.Thread(target=again, args=(number,), daemon=True) for number in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, until + 3 - time.monotonic()))
        return sum(done)

    return go


def _one(attack: Callable[..., Iterator[int]], **more: object) -> Callable[[list[Victim], float], int]:
    """Return what does an attack on each victim until a moment."""

    def go(victims: list[Victim], until: float) -> int:
        total = 0
        with suppress(OSError):
            for steps in zip(*(attack(victim, until, **more) for victim in victims), strict=False):
                total += sum(steps)
        return total

    return go


def nothing(victims: list[Victim], until: float) -> int:
    """Do nothing: what the figures come to by chance."""
    del victims
    time.sleep(until - time.monotonic())
    return 0


KINDS: dict[str, tuple[str, Callable[[list[Victim], float], int]]] = {
    "nothing": ("attacks", nothing),
    "parts": ("messages of endless empty parts, bytes", _several(endless, 0, 1)),
    "long-parts": ("messages of endless long parts, bytes", _several(endless, 60_000, 1)),
    "dialled": ("endless empty parts where the client dials back, bytes", _several(endless_where_dialled, 0, 1)),
    "dialled-long": (
        "endless long parts where the client dials back, bytes",
        _several(endless_where_dialled, 60_000, 1),
    ),
    "messages": ("whole messages, bytes", _several(messages)),
    "asks": ("questions of spectators", _several(asks)),
    "keys": ("greetings, each with another key and address", _several(greetings)),
    "connects": ("connections at the ROUTER", _one(connects)),
    "cards": ("connections at the card", _one(connects, beside=1)),
    "silent": ("silent connections", _one(silent)),
    "spectators": (f"of {WATCHERS} spectators have seen the game", spectators),
    "fake-tables": ("packets with 20 fake tables each", _one(packets, fake=True)),
    "questions": ("packets with 20 questions each", _one(packets, fake=False)),
}


def main(kind: str, seconds: float, ports: list[int]) -> None:
    os.nice(5)
    victims = [Victim(port) for port in ports]
    print("attacking", flush=True)
    print(f"{KINDS[kind][1](victims, time.monotonic() + seconds)} {KINDS[kind][0]}", flush=True)
    sys.stdout.flush()
    os._exit(0)  # threads may still wait for a connection


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), [int(port) for port in sys.argv[3:]])
