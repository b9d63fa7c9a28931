"""The command `doctor`: finds out what keeps friends apart, and says for each fault what to do."""

import asyncio
import contextlib
import os
import secrets
import socket
import struct
import sys
import time
from argparse import Namespace
from collections.abc import Coroutine
from typing import Any, NamedTuple

from engine import counted
from p2p_stonehenge.cli.common import print_json
from p2p_stonehenge.failure import FAILED, Failure
from p2p_stonehenge.lobby.shelf import SHELF, Shelf
from p2p_stonehenge.net.discovery import seen_within
from p2p_stonehenge.net.network import DEFAULT_PORT, SERVICE, check_interface, is_loopback, local_addresses
from p2p_stonehenge.screen.background import palette
from p2p_stonehenge.storage.home import SUFFIX, Home
from p2p_stonehenge.storage.settings import SETTINGS, InForce, in_force, kept, place
from p2p_stonehenge.text.output import charset, folded
from p2p_stonehenge.text.palettes import palette_for
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import safe
from protocol import id_text

MULTICAST = ("224.0.0.251", 5353)
"""Where multicast DNS is spoken."""
ECHO = 1.0
"""Seconds for an own question to come back from the network."""
SMALLEST = (40, 12)
"""Columns and rows that the boards need."""
PAST = 1_735_689_600.0
"""The year 2025: no clock that is right is before it."""
DAY = 86400.0


class Finding(NamedTuple):
    """What one test found: `fixes` are what to do, in this order; none if all is well."""

    name: str
    text: str
    fixes: tuple[str, ...] = ()
    certain: bool = True
    """Whether something to do means that something is wrong: perhaps nobody else is there yet."""

    @property
    def mark(self) -> str:
        """Return in a word how it is."""
        return "ok" if not self.fixes else "FAULT" if self.certain else "note"


def doctor(args: Namespace) -> int:
    """Test home, screen, clock and network, faults last; 1 if there is one."""
    found = [check(args) for check in (_home, _screen, _clock, _interface, _port)]
    found += asyncio.run(_network(args))
    found.sort(key=lambda one: ("ok", "note", "FAULT").index(one.mark))
    if args.json:
        entries = [{"name": one.name, "ok": one.mark != "FAULT", "text": one.text, "fixes": one.fixes} for one in found]
        print_json({"findings": entries})
    else:
        for one in found:
            print(folded(f"{one.mark:<5}  {one.name:<10} {safe(one.text)}", indent=18))
            for number, fix in enumerate(one.fixes, 1):
                print(folded(f"       {number}. {fix}", indent=10))
    return FAILED if any(one.mark == "FAULT" for one in found) else 0


def _home(args: Namespace) -> Finding:
    refused = ("do what the line says, or keep your files elsewhere with --home DIR",)
    try:
        home = Home.open(args.home)
        identity, nick = home.identity(), home.nick()
        probe = home.path / f".doctor.{secrets.token_hex(4)}"
        probe.write_bytes(b"")
        probe.unlink()
    except Failure as failure:
        return Finding("home", str(failure), refused)
    except OSError as error:
        why = error.strerror or str(error)
        return Finding("home", f"nothing can be written there: {why}", ("make room, or use --home DIR elsewhere",))
    try:
        games = len(list(Shelf(home).games()))
    except Failure as failure:
        return Finding("home", str(failure), refused)
    except Exception as error:  # noqa: BLE001 - a fault of this program is found like any other
        fixes = (f"delete {home.path / SHELF}: it is made again", "if that does not help, report this line")
        return Finding("home", f"the saved games cannot be read: {error!r}", fixes)
    return Finding("home", f"{nick}, key {id_text(identity.id)[:8]}; {counted(games, 'saved game')} in {home.path}")


def _screen(args: Namespace) -> Finding:
    if not sys.stdout.isatty():
        return Finding("screen", "no terminal: lines of plain text")
    columns, rows = os.get_terminal_size()
    term = os.environ.get("TERM", "")
    home = place(args.home)
    set_to = in_force(home)
    wrong = [
        f"{name} is {setting.value!r}, {setting.by}, and can be {', '.join(SETTINGS[name].values)}"
        for name, setting in set_to.items()
        if setting.value not in SETTINGS[name].values
    ]
    if wrong := [*wrong, *kept(home).complaints]:
        return Finding("screen", "; ".join(wrong), (f"see `{command_here()} config`",))
    characters, colours = set_to["charset"], set_to["palette"]
    shown = [f"{charset(characters.value)} characters{_by(characters)}"]
    if os.environ.get("NO_COLOR"):
        shown.append("no colours (set by NO_COLOR)")
    else:
        shown.append(f"{(palette_for if args.plain else palette)(colours.value)} palette{_by(colours)}")
    text = f"{columns}x{rows}, {sys.stdout.encoding}, {term or 'no TERM'}, {', '.join(shown)}"
    if term == "dumb":
        return Finding("screen", text, ("use another terminal for boards that change in place; --plain works here",))
    if (columns, rows) < SMALLEST or rows < SMALLEST[1]:
        return Finding("screen", text, (f"make the window at least {SMALLEST[0]} columns by {SMALLEST[1]} rows",))
    return Finding("screen", text)


def _by(setting: InForce) -> str:
    """Return what set a setting, for behind its value."""
    return "" if setting.by == "default" else f" ({setting.by})"


def _clock(args: Namespace) -> Finding:
    now = time.time()
    try:
        files = [path for path in Home.open(args.home).games.glob(f"*{SUFFIX}") if path.is_file()]
        times = [path.stat().st_mtime for path in files]
    except (Failure, OSError):
        times = []
    shown = time.strftime("%Y-%m-%d %H:%M")
    if now < PAST or max(times, default=0.0) > now + DAY:
        fix = "set the clock: games are listed by when they were played"
        return Finding("clock", f"{shown}, which is before you last played", (fix,))
    return Finding("clock", shown)


def _interface(args: Namespace) -> Finding:
    try:
        if args.interface:
            check_interface(args.interface)
        addresses = (args.interface,) if args.interface else local_addresses()
    except (Failure, OSError) as error:
        return Finding("interface", str(error), ("name an address of this computer",))
    outside = [one for one in addresses if not is_loopback(one)]
    port = args.port or DEFAULT_PORT
    if not outside:
        fixes = () if args.interface else ("connect to the network that your friends are on",)
        return Finding("interface", f"only this computer itself: {', '.join(addresses) or 'none'}", fixes)
    return Finding("interface", f"{', '.join(outside)}; to read out: {outside[0]}:{port}")


def _port(args: Namespace) -> Finding:
    port = args.port or DEFAULT_PORT
    taken = [number for number in (port, port + 1) if not _free(args.interface or "", number)]
    if not taken:
        return Finding("port", f"{port} and {port + 1} are free")
    numbers = " and ".join(map(str, taken))
    if args.port is None:
        return Finding("port", f"{numbers} taken, perhaps by a table of yours; the next free ones are used")
    return Finding("port", f"{numbers} taken by another program", ("choose another one with --port, or leave it out",))


def _free(interface: str, port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((interface, port))
        except OSError:
            return False
    return True


async def _network(args: Namespace) -> list[Finding]:
    addresses = [args.interface] if args.interface else [one for one in local_addresses() if not is_loopback(one)]
    jobs: list[Coroutine[Any, Any, Finding]] = [_multicast(addresses or ["127.0.0.1"]), _answers(args)]
    return list(await asyncio.gather(*jobs))


async def _multicast(addresses: list[str]) -> Finding:
    """Ask a question by multicast DNS and wait until it comes back, from each interface."""
    times = [(one, await _echo(one)) for one in addresses]
    heard = [f"{one} in {seconds * 1000:.0f} ms" for one, seconds in times if seconds is not None]
    deaf = [one for one, seconds in times if seconds is None]
    if heard:
        silent = f"; not from {', '.join(deaf)}" if deaf else ""
        return Finding("multicast", f"my own question came back: {', '.join(heard)}{silent}")
    return Finding("multicast", f"my own question did not come back from {', '.join(deaf)}", _open_firewall("5353/udp"))


async def _echo(address: str) -> float | None:
    """Return after how many seconds an own question came back, or None."""
    loop = asyncio.get_running_loop()
    question = _question()
    with contextlib.ExitStack() as held:
        try:
            probe = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(("", MULTICAST[1]))
            group = socket.inet_aton(MULTICAST[0]) + socket.inet_aton(address)
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            probe.settimeout(ECHO)
            began = loop.time()
            probe.sendto(question, MULTICAST)
            hearing = asyncio.to_thread(_hears, probe, question)
            return loop.time() - began if await hearing else None
        except OSError:
            return None


def _hears(probe: socket.socket, question: bytes) -> bool:
    """Return whether the question comes to the socket before its time is over."""
    end = time.monotonic() + ECHO
    with contextlib.suppress(OSError):
        while time.monotonic() < end:
            if probe.recv(9000) == question:
                return True
    return False


def _question() -> bytes:
    """Return a question for the tables of this network; its number, which answers ignore, makes it our own."""
    name = b"".join(bytes((len(part),)) + part.encode() for part in SERVICE.rstrip(".").split(".")) + b"\0"
    return secrets.token_bytes(2) + struct.pack("!5H", 0, 1, 0, 0, 0) + name + struct.pack("!2H", 12, 1)


async def _answers(args: Namespace) -> Finding:
    """Look for others for a while."""
    try:
        found = await seen_within(args.interface, args.seconds)
    except Failure as failure:
        return Finding("answers", str(failure), ("see the lines about interface and multicast",))
    if found:
        announced = [one.announced for one in found]
        tables = sum(table is not None and not table.short_id for table in announced)
        names = ", ".join(sorted(safe(one.nick) for one in found)[:6])
        return Finding("answers", f"{len(found)} here: {names}; {tables} open tables")
    port = args.port or DEFAULT_PORT
    fixes = (
        f"let a friend host, or open `{command_here()}`: until then nobody can answer",
        *_open_firewall(f"{port}:{port + 1}/tcp", "5353/udp"),
        f"guest Wi-Fi keeps laptops apart: `{command_here()} join ADDRESS`, or a phone's hotspot for all",
    )
    return Finding("answers", f"nobody answered in {args.seconds:g} s. If somebody should:", fixes, certain=False)


def _open_firewall(*ports: str) -> tuple[str, ...]:
    """Return what lets others in on this system."""
    if sys.platform == "darwin":
        return ("System Settings, Network, Firewall: let Python in; Privacy, Local Network: allow the terminal",)
    if sys.platform == "win32":
        return ("Windows Security, Firewall, Allow an app: let Python in on private networks",)
    return (f"open the firewall, as with: {'; '.join(f'sudo ufw allow {port}' for port in ports)}",)
