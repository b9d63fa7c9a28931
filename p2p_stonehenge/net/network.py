"""Addresses and ports of this computer, and who watches sockets on its event loop."""

import asyncio
import contextlib
import ipaddress
import sys

from p2p_stonehenge.failure import NETWORK, USAGE, Failure

DEFAULT_PORT = 41730
"""The ROUTER listens here, the card on the next port; further programs on one computer take the pairs above."""
FILES = 1024
"""File descriptors that a program may want; it keeps below 256 of them also where strangers crowd its door."""
FREE_PORT = 1024
"""The first port that a program may have without special rights."""
SERVICE = "_stonehenge._tcp.local."
"""The name of this program in multicast DNS."""


class Readers:
    """Calls back when a file descriptor can be read, on any event loop; that of Windows needs a thread beside it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._thread = None
        if sys.platform == "win32" and isinstance(loop, asyncio.ProactorEventLoop):
            from tornado.platform.asyncio import SelectorThread

            self._thread = SelectorThread(loop)
        watcher = self._thread or loop
        self.add = watcher.add_reader
        self.remove = watcher.remove_reader

    def close(self) -> None:
        """End the thread, if there is one."""
        if self._thread is not None:
            self._thread.close()


def raise_limit() -> None:
    """Let this program have more file descriptors than the 256 that some systems give at first, if they may be had."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):  # some systems have another limit that they do not tell
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def local_addresses() -> tuple[str, ...]:
    """Return the IPv4 addresses of this computer: ordinary ones, then self-assigned ones, then loopback."""
    import ifaddr

    found = {ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)}
    return tuple(sorted(found, key=lambda text: (is_loopback(text), ipaddress.ip_address(text).is_link_local, text)))


def is_loopback(address: str) -> bool:
    """Return whether the IPv4 `address` is reached by this computer only."""
    return ipaddress.ip_address(address).is_loopback


def is_near(address: str, interface: str | None) -> bool:
    """Return whether a client may connect to `HOST:PORT` because somebody else says that a peer is there.

    It must be a place in a network of this computer (that of `interface`, if one is given) and a port that needs no
    rights: where a false hint leads, there may be a laptop that does not answer, but no service of this computer.
    """
    import ifaddr

    try:
        host, port = split_address(address)
        wanted = ipaddress.IPv4Address(host)
    except (ValueError, Failure):
        return False
    own = [ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)]
    networks = [ipaddress.IPv4Network(f"{ip.ip}/{ip.network_prefix}", strict=False) for ip in own]
    if interface is None:
        networks = [network for network in networks if not network.is_loopback] or networks
    else:
        networks = [network for network in networks if ipaddress.IPv4Address(interface) in network]
    ends = {end for network in networks for end in (network.network_address, network.broadcast_address)}
    return port >= FREE_PORT and wanted not in ends and any(wanted in network for network in networks)


def check_interface(interface: str) -> None:
    """Raise Failure unless `interface` is an IPv4 address of this computer."""
    try:
        known = ipaddress.IPv4Address(interface).is_loopback or interface in local_addresses()
    except ValueError:
        known = False
    if not known:
        raise Failure(
            f"This computer has no interface with the address {interface}."
            f" Use --interface with one of: {', '.join(local_addresses())}.",
            NETWORK,
        )


def split_address(text: str) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`. Raises Failure for anything else."""
    host, colon, port = text.rpartition(":")
    digits = port.isascii() and port.isdecimal()
    if colon and host and ":" not in host and digits and len(port) <= 5 and 0 < int(port) < 65535:
        return host, int(port)
    ports = " ports go from 1 to 65534," if digits else ""
    raise Failure(f"{text!r} is not an address:{ports} write HOST:PORT, such as 192.168.1.7:{DEFAULT_PORT}.", USAGE)
