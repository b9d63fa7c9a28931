"""Which table a guest means: by the host's nick or id, by an address, or the only one that is open."""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeAlias

from engine import listed
from p2p_stonehenge.failure import NETWORK, NOT_FOUND, Failure
from p2p_stonehenge.lobby.announced import Announced, read_announced
from p2p_stonehenge.lobby.lobby import KICK_EVERY, WAIT_FOR_TABLE, Report
from p2p_stonehenge.net.card import fetch_card
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.net.network import DEFAULT_PORT, split_address
from p2p_stonehenge.text.names import BUT_FOR_CASE, alike, nearest
from p2p_stonehenge.text.program import COMMAND
from p2p_stonehenge.text.style import safe
from protocol import id_bytes, id_text

LOOK_AROUND = 1.5
"""Seconds that a guest goes on looking after the first table, in case there are several."""


By: TypeAlias = Callable[[list[Sighting], str], list[Sighting]]
"""Which hosts a name means."""
Choose: TypeAlias = Callable[[list[Sighting], bool], Awaitable[Sighting | None]]
"""Has the player choose among hosts; whether their nicks are what was typed, or only look like it. None: none of them.
"""

CARD_PATIENCE = 2.0
"""Seconds to wait for the answer of a player who announces no table."""


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
    choose: Choose | None,
    *,
    locked: bool = False,
) -> Found:
    """Return the table that `wanted` names, or the only open one.

    A name is a nick, the start of an id, or an address: HOST:PORT, HOST:PORT/ID, or 192.0.2.7 with the usual port.
    A nick is equal but for case. `choose` picks among several, and is asked whether a host is meant whose nick only
    looks like the name; None takes the first of several, and none that only looks like it. `locked`: the guest has a
    passphrase. Raises Failure if none is found in 60 seconds.
    """
    kind = "table with a passphrase" if locked and wanted is None else "open table"
    look = partial(open_tables, network, wanted, locked=locked)
    return await _find(network, wanted, report, choose, look, kind, "join")


async def find_watched(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Choose | None,
) -> Found:
    """Return a player of the table to watch; as `find_table`, and a table is also named by what it is called."""
    look = partial(watched_tables, network, wanted)
    silent = _Silent(network, wanted) if wanted is not None else None
    return await _find(network, wanted, report, choose, look, "table that may be watched", "watch", silent)


async def _find(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Choose | None,
    look: Callable[..., list[Sighting]],
    kind: str,
    command: str,
    silent: "_Silent | None" = None,
) -> Found:
    if wanted and (":" in wanted or _is_address(wanted)):
        return await _at_address(network, wanted if ":" in wanted else f"{wanted}:{DEFAULT_PORT}", report)
    report(f"Looking for a{'n' * (kind[0] == 'o')} {kind}..." if wanted is None else f"Looking for {wanted!r}...")
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT_FOR_TABLE
    kick = loop.time() + KICK_EVERY
    declined: set[bytes] = set()
    while loop.time() < deadline:
        found = look()
        if found and choose is not None:
            await asyncio.sleep(LOOK_AROUND)
            found = look()
        sighting = found[0] if found else None
        if len(found) > 1 and choose is not None:
            sighting = await choose(found, True)
        elif not found and choose is not None and wanted is not None:
            similar = [one for one in look(by=_similar) if one.id not in declined]
            sighting = await choose(similar, False) if similar else None
            if similar and sighting is None:
                declined |= {one.id for one in similar}
                deadline = loop.time() + WAIT_FOR_TABLE
        if sighting is None and silent is not None:
            sighting = await silent()
        if sighting is not None:
            return Found(sighting.id, sighting.nick, sighting.addresses, sighting.table)
        network.seen.clear()
        try:
            async with asyncio.timeout_at(min(kick, deadline)):
                await network.seen.wait()
        except TimeoutError:
            kick = loop.time() + KICK_EVERY
            await network.discovery.kick()
    alike = listed([one.nick for one in look(by=_similar)]) if wanted is not None else ""
    named = f" of {safe(wanted)[:40]!r}" if wanted is not None else ""
    raise Failure(
        f"No {kind}{named} was found in 60 seconds"
        + (f"; there is one of {alike}, whose name only looks like it. " if alike else ". ")
        + "On guest networks peers often cannot see each other:"
        f" ask the host for its address and type `{COMMAND} {command} HOST:PORT`.",
        NOT_FOUND,
    )


def open_tables(network: Network, wanted: str | None, *, locked: bool = False, by: By | None = None) -> list[Sighting]:
    """Return the hosts of open tables, or those that `wanted` names, also of full ones: a seat may become free.

    Those that take a passphrase come first if `locked`, else last; then the order is that of the ids. A guest that
    has a passphrase and names no table gets only tables that take one. `by` says which of them a name means.
    """
    seen = _announced(network)
    tables = {sighting: told for sighting, told in seen.items() if not told.title}
    found = sorted(tables, key=lambda one: (tables[one].locked != locked, one.id))
    if wanted is None:
        return [one for one in found if not tables[one].full and (tables[one].locked or not locked)]
    return (by or _named)(found, wanted)


def watched_tables(network: Network, wanted: str | None, *, by: By | None = None) -> list[Sighting]:
    """Return the players of tables that may be watched, one of each table, or those that `wanted` names.

    Tables at which the game has begun come first; then the order is that of the ids.
    """
    tables = {sighting: told for sighting, told in _announced(network).items() if not told.private}
    found = sorted(tables, key=lambda one: (not tables[one].title, one.id))
    if wanted is not None:
        by_title = [one for one in found if tables[one].title and tables[one].title == wanted.lower()]
        return by_title[:1] or (by or _named)(found, wanted)
    first = {tables[one].title or one.id: one for one in reversed(found)}
    return [one for one in found if one in first.values()]


def _announced(network: Network) -> dict[Sighting, Announced]:
    """Return the peers that announce a table, each with what it announces."""
    found = {sighting: read_announced(sighting.table) for sighting in network.sightings.values()}
    return {sighting: told for sighting, told in found.items() if told}


def _named(found: list[Sighting], wanted: str) -> list[Sighting]:
    """Return the hosts with a nick that is equal to the name, else equal but for case, else with such an id."""
    named = [found[place] for place in nearest(wanted, [one.nick for one in found], BUT_FOR_CASE)]
    return named or [one for one in found if id_text(one.id).startswith(wanted.lower())]


def _similar(found: list[Sighting], wanted: str) -> list[Sighting]:
    """Return the hosts with a nick that only looks like the name: another player may be meant."""
    return [one for one in found if alike(one.nick, wanted)]


class _Silent:
    """Finds a player of that name who is at a table, but announces none: it admits no spectators, or has to be asked.

    A player who is at no table has a port at which nothing listens.
    """

    def __init__(self, network: Network, wanted: str) -> None:
        self._network, self._wanted = network, wanted
        self._asked: set[tuple[bytes, bytes]] = set()

    async def __call__(self) -> Sighting | None:
        """Return the player, None if there is none; each program is asked once whether it listens."""
        quiet = [one for one in self._network.sightings.values() if read_announced(one.table) is None]
        private = [one for one in self._network.sightings.values() if one.table and one not in quiet]
        for one in _named([*private, *quiet], self._wanted):
            if (one.id, one.instance) in self._asked:
                continue
            self._asked.add((one.id, one.instance))
            for address in one.addresses:
                with suppress(Failure):
                    if (await fetch_card(address, CARD_PATIENCE)).id == one.id:
                        return one
        return None


def _is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


async def _at_address(network: Network, wanted: str, report: Report) -> Found:
    address, _, pinned = wanted.partition("/")
    split_address(address)
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
