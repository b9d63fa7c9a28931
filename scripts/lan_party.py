"""Many clients on one network: python scripts/lan_party.py 25 50 100 200

For each number it starts so many clients, each a process on a computer of its own (a network namespace at one
bridge): one process in ten has opened a table, the others look at the start page. Then it prints how long a newcomer
takes to see all tables, and what each client costs when nothing happens: processor, memory, packets. Clients beyond
`--real` are simulated: they announce themselves and ask as the program does, and read nothing.

Ends with status 6 where this system allows no network namespaces, and 1 if a newcomer does not see all tables.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from heapq import heapify, heapreplace
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import NamedTuple, Self

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client" / "processes")]  # runs from a checkout that is not installed

from namespaces import why_not  # noqa: E402  after the path is set

NOT_ALLOWED = 6
TABLES = 10
"""One client in so many has opened a table."""
STARTED_AT_ONCE = 6
QUIET = 25.0
"""Seconds after the last client has started until all is at rest: a client asks for the last time after 14."""
PATIENCE = 60.0
"""Seconds in which a newcomer has to see all tables."""
CROWD, NEWCOMER = 252, 253
"""The computers of the simulated clients, and of the newcomer."""
GROUP, PORT = "224.0.0.251", 5353


class Cost(NamedTuple):
    """What a client had used at one moment: seconds of the processor, MB of memory, packets received and sent."""

    processor: float
    memory: float
    received: int
    sent: int

    @classmethod
    def of(cls, pid: int) -> "Cost":
        ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        memory = next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
        wire = next(line for line in Path(f"/proc/{pid}/net/dev").read_text().splitlines() if "eth0" in line)
        counts = wire.split(":")[1].split()
        used = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
        return cls(used, memory / 1024, int(counts[1]), int(counts[9]))


class Party:
    """A bridge with so many computers 10.77.0.2, 10.77.0.3, ..., and the clients on them, from `with` to its end.

    On one more all simulated clients are, each with an address of its own, and on the last one the newcomer.
    """

    def __init__(self, computers: int, folder: Path) -> None:
        self._all = (*range(2, computers + 2), CROWD, NEWCOMER)
        self._folder = folder
        self._clients: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        begin = "mount -t tmpfs none /run && mkdir -p /run/netns && ip link set lo up && ip link add br0 type bridge &&"
        begin += " ip link set br0 up && echo ready && exec sleep infinity"
        self._hub = subprocess.Popen(["unshare", "-Urnm", "sh", "-c", begin], stdout=subprocess.PIPE, text=True)
        assert self._hub.stdout
        assert self._hub.stdout.readline() == "ready\n"
        lines = []
        for number in self._all:
            lines += [
                f"netns add n{number}",
                f"link add h{number} type veth peer name eth0 netns n{number}",
                f"link set h{number} master br0 up",
            ]
        self._ip([], lines)
        for number in self._all:
            told = [f"addr add 10.77.0.{number}/24 brd + dev eth0", "link set lo up", "link set eth0 up"]
            self._ip(["-n", f"n{number}"], told)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.kill()
        for client in self._clients:
            client.wait()
            for stream in (client.stdin, client.stdout):
                if stream:
                    stream.close()
        self._hub.kill()
        self._hub.communicate()

    def _ip(self, options: Sequence[str], lines: Sequence[str]) -> None:
        told = "".join(f"{line}\n" for line in lines)
        subprocess.run([*self._inside, "ip", *options, "-batch", "-"], input=told, text=True, check=True)

    @property
    def _inside(self) -> tuple[str, ...]:
        return ("nsenter", f"--target={self._hub.pid}", "--user", "--net", "--mount", "--preserve-credentials")

    def start(self, number: int, *words: str) -> subprocess.Popen[str]:
        """Run a command on a computer."""
        client = subprocess.Popen(
            [*self._inside, "ip", "netns", "exec", f"n{number}", sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        self._clients.append(client)
        return client

    def client(self, number: int, *words: str) -> subprocess.Popen[str]:
        """Run the program on a computer."""
        home = str(self._folder / str(number))
        return self.start(number, "-m", "p2p_stonehenge", *words, "--plain", "--home", home)

    def crowd(self, guests: Sequence[int], known: Sequence[str]) -> subprocess.Popen[str]:
        """Simulate clients that know the names `known` and those of each other."""
        self._ip(["-n", f"n{CROWD}"], [f"addr add 10.77.0.{number}/24 brd + dev eth0" for number in guests])
        names = self._folder / "names"
        names.write_text("\n".join((*known, *map(name_of, guests))), "utf-8")
        return self.start(CROWD, __file__, "--crowd", str(names), str(guests[0]), str(guests[-1]))


def known_name(home: Path) -> str:
    """Return the name under which the client with this home is announced."""
    from p2p_stonehenge.net.discovery import service_name
    from p2p_stonehenge.storage.home import Home

    return service_name(Home.open(str(home)).identity().id)


def name_of(guest: int) -> str:
    """Return the name under which a simulated client is announced."""
    from p2p_stonehenge.net.discovery import service_name
    from protocol import Identity

    return service_name(Identity(guest.to_bytes(32, "big")).id)


def hear(client: subprocess.Popen[str], text: str) -> None:
    """Read what a client prints until a line holds `text`."""
    assert client.stdout
    for line in client.stdout:
        if text in line:
            return
    raise SystemExit(f"lan_party: a client has ended before it said {text!r}")


def measure(folder: Path, clients: int, real: int, seconds: float) -> str:
    """Return the row of so many clients, of which `real` at most are processes."""
    real = min(real, clients)
    tables = max(1, real // TABLES)
    with Party(real, folder) as party:
        running: list[subprocess.Popen[str]] = []
        for first in range(2, real + 2, STARTED_AT_ONCE):
            begun = {
                party.client(
                    number, *(("host", "fidchess", "--name", f"host {number}") if number < tables + 2 else ())
                ): ("waiting for" if number < tables + 2 else "Type a number")
                for number in range(first, min(first + STARTED_AT_ONCE, real + 2))
            }
            for client, text in begun.items():
                hear(client, text)
            running += begun
        guests = range(real + 2, clients + 2)
        if guests:
            hear(party.crowd(guests, [known_name(folder / str(number)) for number in range(2, real + 2)]), "ready")
        time.sleep(QUIET)
        before = {client.pid: Cost.of(client.pid) for client in running}
        time.sleep(seconds)
        after = {client.pid: Cost.of(client.pid) for client in running}
        newcomer = party.start(NEWCOMER, __file__, "--newcomer", str(tables))
        assert newcomer.stdout
        seen = json.loads(newcomer.stdout.readline())
    rates = [(after[pid].processor - before[pid].processor) / seconds for pid in before]
    received = [(after[pid].received - before[pid].received) / seconds for pid in before]
    sent = [(after[pid].sent - before[pid].sent) / seconds for pid in before]
    memory = [cost.memory for cost in after.values()]
    when = f"{seen['first']:9.2f} s {seen['all']:7.2f} s" if seen["all"] else f"{seen['seen']:4} of {tables}, no more"
    cost = f"{100 * median(rates):8.1f} % {100 * max(rates):6.1f} % {median(memory):6.0f} MB"
    row = f"{clients:7} {real:6} {tables:6}  {when} {cost} {median(received):9.1f} {median(sent):8.2f}"
    if not seen["all"]:
        print(row, flush=True)
        raise SystemExit(1)
    return row


async def newcomer(tables: int) -> None:
    """Print when a client that looks for tables has seen the first one, and all."""
    from p2p_stonehenge.net.discovery import Discovery, Sighting

    began = time.monotonic()
    seen: dict[bytes, float] = {}
    full = asyncio.Event()

    def sighted(one: Sighting) -> None:
        if one.table:
            seen.setdefault(one.id, time.monotonic() - began)
            if len(seen) == tables:
                full.set()

    discovery = Discovery(None, sighted, lambda _: None)
    await discovery.start()
    try:
        async with asyncio.timeout(PATIENCE):
            await full.wait()
    except TimeoutError:
        pass
    moments = sorted(seen.values())
    last = moments[-1] if len(moments) == tables else 0
    print(json.dumps({"first": moments[0] if moments else 0, "all": last, "seen": len(moments)}), flush=True)


def crowd(names: Path, first: int, last: int) -> None:
    """Announce clients and ask for others as often as the program does, and read nothing."""
    from zeroconf import DNSOutgoing, DNSPointer, DNSQuestion
    from zeroconf.asyncio import AsyncServiceInfo
    from zeroconf.const import _CLASS_IN, _FLAGS_AA, _FLAGS_QR_QUERY, _FLAGS_QR_RESPONSE, _TYPE_PTR

    from p2p_stonehenge.lobby.lobby import KICK_EVERY
    from p2p_stonehenge.net.discovery import pace
    from p2p_stonehenge.net.network import SERVICE
    from protocol import Identity, id_text

    known = names.read_text("utf-8").split()
    question = DNSOutgoing(_FLAGS_QR_QUERY)
    question.add_question(DNSQuestion(SERVICE, _TYPE_PTR, _CLASS_IN))
    for name in known:
        question.add_answer_at_time(DNSPointer(SERVICE, _TYPE_PTR, _CLASS_IN, 4500, name), 0)
    asked = question.packets()
    every = pace(KICK_EVERY, len(known))
    # As zeroconf does: three announcements, and questions after so many seconds, each with what is known.
    due: list[tuple[float, int, int]] = []
    wires: dict[int, tuple[socket.socket, list[bytes]]] = {}
    began = time.monotonic()
    for number in range(first, last + 1):
        address, name = f"10.77.0.{number}", name_of(number)
        own = id_text(Identity(number.to_bytes(32, "big")).id)
        told = {"v": "1", "id": own, "nick": f"guest {number}", "inst": f"{number:016x}", "table": ""}
        info = AsyncServiceInfo(SERVICE, name, server=name, port=47100, parsed_addresses=[address], properties=told)
        announcement = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
        for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
            announcement.add_answer_at_time(record, 0)
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        wire.bind((address, PORT))
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        wires[number] = wire, announcement.packets()
        begins = began + number * 0.618 % 1 * every
        due += [(begins + at, number, 1) for at in (0.0, 0.3, 0.6)]
        due += [(begins + at, number, 0) for at in (0.1, 1.0, 5.0, 14.0)]
    heapify(due)
    print("ready", flush=True)
    while True:
        at, number, says = due[0]
        time.sleep(max(0.0, at - time.monotonic()))
        wire, said = wires[number]
        for packet in said if says else asked:
            wire.sendto(packet, (GROUP, PORT))
        heapreplace(due, (at + every, number, says))


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Many clients on one network: what each costs, how soon tables are seen."
    )
    parser.add_argument("clients", nargs="*", type=int, default=[25, 50, 100, 200], help="default: 25 50 100 200")
    parser.add_argument("--real", type=int, default=60, metavar="N", help="processes at most; default: 60")
    parser.add_argument("--seconds", type=float, default=30, metavar="S", help="of rest that are measured; default: 30")
    parser.add_argument("--newcomer", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--crowd", nargs=3, help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.newcomer is not None:
        asyncio.run(newcomer(said.newcomer))
    elif said.crowd:
        names, first, last = said.crowd
        crowd(Path(names), int(first), int(last))
    else:
        if reason := why_not():
            print(f"lan_party: {reason}", file=sys.stderr)
            raise SystemExit(NOT_ALLOWED)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        print(
            "clients   real tables  first seen  all seen  processor  worst  memory  packets in      out (each second)"
        )
        for clients in said.clients:
            folder = Path(tempfile.mkdtemp())
            try:
                print(measure(folder, clients, said.real, said.seconds), flush=True)
            finally:
                shutil.rmtree(folder)


if __name__ == "__main__":
    main()
