"""Starts a network of namespaces (hub.py) and rules over its cables; `why_not` says why that is not possible here."""

import functools
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

HUB = Path(__file__).with_name("hub.py")
_BEGIN = 'mount -t tmpfs none /run && mkdir -p /run/netns && ip link set lo up && exec "$0" "$@"'


class Cables:
    """A network of `number` computers 10.77.0.1, 10.77.0.2, ..., from `with` to its end. Raises OSError."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> Self:
        self._hub = subprocess.Popen(
            ["unshare", "-Urnm", "sh", "-c", _BEGIN, sys.executable, str(HUB), str(self._number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._hub.stdout
        if self._hub.stdout.readline() != "ready\n":
            _, told = self._hub.communicate()
            raise OSError(told.strip().splitlines()[-1] if told.strip() else "unshare says nothing")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hub.kill()
        self._hub.communicate()

    def within(self, number: int) -> tuple[str, ...]:
        """Return what a command begins with to run on a computer."""
        space = ("nsenter", f"--target={self._hub.pid}", "--user", "--net", "--mount", "--preserve-credentials")
        return (*space, "ip", "netns", "exec", f"n{number}")

    def lose(self, percent: int, one: int | str = "*", other: int | str = "*") -> None:
        """Lose so many of the packets from `one` to `other` from now on."""
        assert self._hub.stdin
        assert self._hub.stdout
        self._hub.stdin.write(f"{one} {other} {percent}\n")
        self._hub.stdin.flush()
        assert self._hub.stdout.readline() == "done\n"

    def ip(self, number: int, *words: str) -> None:
        """Run `ip` on a computer."""
        subprocess.run([*self.within(number), "ip", *words], check=True, capture_output=True)


@functools.cache
def why_not() -> str:
    """Return why no such network can be made here, or nothing."""
    missing = [name for name in ("unshare", "nsenter", "ip") if shutil.which(name) is None]
    if sys.platform != "linux" or missing:
        return f"namespaces need Linux with {', '.join(missing) or 'its tools'}"
    try:
        with Cables(1) as cables:
            cables.ip(1, "link", "show", "eth0")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces here: {error}"
    return ""


_ROUTER = """
mount -t tmpfs none /run && mkdir -p /run/netns && ip link set lo up && sysctl -qw net.ipv4.ip_forward=1 || exit 1
number=0
for address in "$@"; do
  number=$((number + 1))
  ip netns add n$number && ip link add h$number type veth peer name eth0 netns n$number || exit 1
  ip addr add 10.99.$number.1/32 dev h$number && ip link set h$number up || exit 1
  ip route add ${address%/*} dev h$number || exit 1
  ip -n n$number link set lo up && ip -n n$number addr add $address dev eth0 noprefixroute || exit 1
  ip -n n$number link set eth0 up && ip -n n$number route add 10.99.$number.1 dev eth0 || exit 1
  ip -n n$number route add default via 10.99.$number.1 || exit 1
done
echo ready
exec sleep infinity
"""


class Routed(Cables):
    """Computers with these addresses, each in a network of its own, and a router between them that knows no multicast.

    So it is between two networks, and among the computers of an overlay: with WireGuard they have addresses of one
    network, as `10.8.0.2/24`, with Tailscale each a network of its own.
    """

    def __init__(self, *addresses: str) -> None:
        super().__init__(len(addresses))
        self._addresses = addresses

    def __enter__(self) -> Self:
        command = ["unshare", "-Urnm", "sh", "-c", _ROUTER, "sh", *self._addresses]
        self._hub = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._hub.stdout
        if self._hub.stdout.readline() != "ready\n":
            _, told = self._hub.communicate()
            raise OSError(told.strip().splitlines()[-1] if told.strip() else "unshare says nothing")
        return self


@functools.cache
def why_no_router() -> str:
    """Return why no router can be made here, or nothing."""
    if reason := why_not():
        return reason
    try:
        with Routed("10.77.1.2", "10.77.2.2"):
            return ""
    except OSError as error:
        return f"no router between namespaces here: {error}"


class WireGuard(Routed):
    """Computers behind a router that WireGuard joins: 10.8.0.1, 10.8.0.2, ... in an encrypted network of their own.

    The others know the first one's address alone, and reach each other through it, as behind routers of homes.
    """

    _PORT = 51820

    def __init__(self, number: int) -> None:
        super().__init__(*(f"10.77.{place}.2" for place in range(1, number + 1)))

    def __enter__(self) -> Self:
        super().__enter__()
        self._tunnels: list[subprocess.Popen[bytes]] = []
        try:
            self._join()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for tunnel in self._tunnels:
            tunnel.kill()
            tunnel.wait()
        super().__exit__(kind, error, trace)

    def _join(self) -> None:
        """Start a tunnel on each computer. Raises OSError."""
        secrets = [self._wg("genkey") for _ in self._addresses]
        keys = [self._wg("pubkey", said=secret) for secret in secrets]
        for place, secret in enumerate(secrets, 1):
            name = f"wg{place}"  # the computers share the folder of their tunnels' sockets
            tunnel = subprocess.Popen(
                [*self.within(place), "wireguard-go", "--foreground", name],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self._tunnels.append(tunnel)
            self._await(place, name, tunnel)
            self._wg("set", name, "private-key", "/dev/stdin", "listen-port", str(self._PORT), at=place, said=secret)
            for other in range(2, len(keys) + 1) if place == 1 else (1,):
                network = f"10.8.0.{other}/32" if place == 1 else "10.8.0.0/24"
                way = () if place == 1 else ("endpoint", f"{self._addresses[0]}:{self._PORT}")
                keep = ("persistent-keepalive", "5")
                self._wg("set", name, "peer", keys[other - 1], "allowed-ips", network, *way, *keep, at=place)
            self.ip(place, "addr", "add", f"10.8.0.{place}/24", "dev", name)
            self.ip(place, "link", "set", name, "up", "mtu", "1420")
        subprocess.run([*self.within(1), "sysctl", "-qw", "net.ipv4.ip_forward=1"], check=True, capture_output=True)

    def _await(self, place: int, name: str, tunnel: "subprocess.Popen[bytes]") -> None:
        """Wait until a tunnel can be set up. Raises OSError if there is none within 10 s."""
        until = time.monotonic() + 10
        while tunnel.poll() is None and time.monotonic() < until:
            with suppress(OSError):
                self._wg("show", name, at=place)
                return
            time.sleep(0.02)
        raise OSError("wireguard-go makes no tunnel")

    def _wg(self, *words: str, at: int = 0, said: str = "") -> str:
        """Run `wg`, on a computer if one is named, and return what it prints. Raises OSError."""
        within = self.within(at) if at else ()
        done = subprocess.run([*within, "wg", *words], input=said, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OSError(done.stderr.strip())
        return done.stdout.strip()


@functools.cache
def why_no_wireguard() -> str:
    """Return why WireGuard cannot be run between namespaces here, or nothing."""
    if missing := [name for name in ("wireguard-go", "wg") if shutil.which(name) is None]:
        return f"{' and '.join(missing)} not installed (Debian: wireguard-go, wireguard-tools)"
    if reason := why_no_router():
        return reason
    try:
        with WireGuard(1):
            return ""
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no WireGuard between namespaces here: {error}"
