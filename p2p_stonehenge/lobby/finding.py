"""Which table a guest means: by the host's nick or id, by an address, or the only one that is open."""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from p2p_stonehenge.failure import NETWORK, NOT_FOUND, Failure
from p2p_stonehenge.lobby.announced import Announced, read_announced
from p2p_stonehenge.lobby.lobby import KICK_EVERY, WAIT_FOR_TABLE, Report
from p2p_stonehenge.net.card import fetch_card
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.net.network import DEFAULT_PORT
from p2p_stonehenge.text.names import alike
from protocol import id_bytes, id_text

LOOK_AROUND = 1.5
"""Seconds that a guest goes on looking after the first table, in case there are several."""


class Found(NamedTuple):
    """A table to join: the host's id, what it calls itself, where it can be reached, and the table as announced."""

    host: bytes
    nick: str
    addresses: tuple[str, ...]
    hint: str = ""


async def find_table(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Callable[[list[Sighting]], Awaitable[Sighting]] | None,
    *,
    locked: bool = False,
) -> Found:
    """Return the table that `wanted` names, or the only open one.

    A name is a nick, the start of an id, or an address: HOST:PORT, HOST:PORT/ID, or 192.0.2.7 with the usual port.
    `choose` picks among several; None takes the first. `locked`: the guest has a passphrase. Raises Failure if none is
    found in 60 seconds.
    """
    kind = "table with a passphrase" if locked and wanted is None else "open table"
    look = partial(open_tables, network, wanted, locked=locked)
    return await _find(network, wanted, report, choose, look, kind, "join")


async def find_watched(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Callable[[list[Sighting]], Awaitable[Sighting]] | None,
) -> Found:
    """Return a player of the table to watch; as `find_table`, and a table is also named by what it is called."""
    look = partial(watched_tables, network, wanted)
    return await _find(network, wanted, report, choose, look, "table that may be watched", "watch")


async def _find(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Callable[[list[Sighting]], Awaitable[Sighting]] | None,
    look: Callable[[], list[Sighting]],
    kind: str,
    command: str,
) -> Found:
    if wanted and (":" in wanted or _is_address(wanted)):
        return await _at_address(network, wanted if ":" in wanted else f"{wanted}:{DEFAULT_PORT}", report)
    report(f"Looking for a{'n' * (kind[0] == 'o')} {kind}..." if wanted is None else f"Looking for {wanted!r}...")
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT_FOR_TABLE
    kick = loop.time() + KICK_EVERY
    while loop.time() < deadline:
        found = look()
        if found and choose is not None:
            await asyncio.sleep(LOOK_AROUND)
            found = look()
        if found:
            sighting = found[0] if len(found) == 1 or choose is None else await choose(found)
            return Found(sighting.id, sighting.nick, sighting.addresses, sighting.table)
        network.seen.clear()
        try:
            async with asyncio.timeout_at(min(kick, deadline)):
                await network.seen.wait()
        except TimeoutError:
            kick = loop.time() + KICK_EVERY
            await network.discovery.kick()
    raise Failure(
        f"No {kind} was found in 60 seconds. On guest networks peers often cannot see each other:"
        f" ask the host for its address and type `p2p-stonehenge {command} HOST:PORT`.",
        NOT_FOUND,
    )


def open_tables(network: Network, wanted: str | None, *, locked: bool = False) -> list[Sighting]:
    """Return the hosts of open tables, or those that `wanted` names, also of full ones: a seat may become free.

    Those that take a passphrase come first if `locked`, else last; then the order is that of the ids. Who has a
    passphrase and names no table wants one that takes it.
    """
    seen = _announced(network)
    tables = {sighting: told for sighting, told in seen.items() if not told.title}
    found = sorted(tables, key=lambda one: (tables[one].locked != locked, one.id))
    if wanted is None:
        return [one for one in found if not tables[one].full and (tables[one].locked or not locked)]
    return _named(found, wanted)


def watched_tables(network: Network, wanted: str | None) -> list[Sighting]:
    """Return the players of tables that may be watched, one of each table, or those that `wanted` names.

    Tables at which the game has begun come first; then the order is that of the ids.
    """
    tables = {sighting: told for sighting, told in _announced(network).items() if not told.private}
    found = sorted(tables, key=lambda one: (not tables[one].title, one.id))
    if wanted is not None:
        by_title = [one for one in found if tables[one].title and tables[one].title == wanted.lower()]
        return by_title[:1] or _named(found, wanted)
    first = {tables[one].title or one.id: one for one in reversed(found)}
    return [one for one in found if one in first.values()]


def _announced(network: Network) -> dict[Sighting, Announced]:
    """Return whoever announces a table, and what is announced."""
    found = {sighting: read_announced(sighting.table) for sighting in network.sightings.values()}
    return {sighting: told for sighting, told in found.items() if told}


def _named(found: list[Sighting], wanted: str) -> list[Sighting]:
    named = [sighting for sighting in found if alike(sighting.nick, wanted)]
    return named or [sighting for sighting in found if id_text(sighting.id).startswith(wanted.lower())]


def _is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


async def _at_address(network: Network, wanted: str, report: Report) -> Found:
    address, _, pinned = wanted.partition("/")
    report(f"Asking {address} who is there...")
    card = await fetch_card(address)
    if card.id == network.identity.id:
        raise Failure(
            f"{address} is this program itself, so nobody else hosts a table there. Ask the host for the address"
            " that `host` prints.",
            NOT_FOUND,
        )
    report(f"It is {card.nick} ({id_text(card.id)[:8]}).")
    if pinned:
        try:
            expected = id_bytes(pinned)
        except ValueError:
            raise Failure(
                "What follows `/` is not a peer's id: 52 letters and digits, as `identity` prints it.", 2
            ) from None
        if expected != card.id:
            raise Failure("Another player answers at that address than the one you named. Do not trust it.", NETWORK)
    return Found(card.id, card.nick, (address,))
