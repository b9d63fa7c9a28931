"""Which table a guest means: by the host's nick or id, by an address, or the only one that is open."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeAlias

from engine import listed
from p2p_stonehenge.failure import NETWORK, NOT_FOUND, USAGE, Failure
from p2p_stonehenge.lobby.lobby import KICK_EVERY, WAIT_FOR_TABLE
from p2p_stonehenge.lobby.telling import Report
from p2p_stonehenge.net.announced import Announced
from p2p_stonehenge.net.card import fetch_card
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.net.network import DEFAULT_PORT, is_loopback, split_address
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.names import Nearness, alike, nearest, nearness, quoted
from p2p_stonehenge.text.program import COMMAND, command_here
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.sparing import Sparing
from protocol import id_bytes, id_text

LOOK_AROUND = 1.5
"""Seconds that a guest goes on looking after the first table, in case there are several."""
TELL_AFTER = 2.5
"""Seconds of looking in vain until the player reads what is seen instead."""
NAMED_BY = 16
"""Letters of an id that nobody else's begins with."""
LISTED = 9
"""Tables of which one may be chosen: at a party there are many."""

Choose: TypeAlias = Callable[[list[Sighting], bool], Awaitable[Sighting | None]]
"""Has the player choose among hosts; whether their nicks are what was typed. None: none of them."""

CARD_PATIENCE = 2.0
"""Seconds to wait for the answer of a player who announces no table."""


class Found(NamedTuple):
    """A table to join: the host's id, what it calls itself, where it can be reached, and the table as announced."""

    host: bytes
    nick: str
    addresses: tuple[str, ...]
    announced: Announced | None = None


async def find_table(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Choose | None,
    *,
    locked: bool = False,
    knows: Callable[[bytes], bool] = lambda _: False,
) -> Found:
    """Return the table that `wanted` names, or the only open one.

    A name is a nick, the start of an id, both as NICK/ID, or an address: HOST:PORT, HOST:PORT/ID, or 192.0.2.7 with the
    usual port.
    A nick is equal but for case. A game's name means its tables, where no host has that nick. `choose` picks among
    several; while none of the name is seen it offers the others, and the search goes on meanwhile. None takes the first
    of several, and none of another name. `locked`: the guest has a passphrase. `knows` returns whether the player here
    has met the one with that id: whose name begins with that of a stranger may be meant as well. Raises Failure if none
    is found in 60 seconds.
    """
    kind = "table{} with a passphrase" if locked and wanted is None else "open table{}"
    search = _Search(network, wanted, partial(open_tables, network, locked=locked), kind, "join", knows)
    return await search.run(report, choose)


async def find_watched(
    network: Network,
    wanted: str | None,
    report: Report,
    choose: Choose | None,
) -> Found:
    """Return a player of the table to watch; as `find_table`, and a table is also named by what it is called."""
    search = _Search(network, wanted, partial(watched_tables, network), "table{} that may be watched", "watch")
    return await search.run(report, choose)


class _Search:
    """The search for one table. `tables` returns those there are, or those of a name; `kind` says what they are.

    Its `{}` stands for whose table is wanted.
    """

    def __init__(
        self,
        network: Network,
        wanted: str | None,
        tables: Callable[..., list[Sighting]],
        kind: str,
        command: str,
        knows: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        self._network, self._wanted, self._tables, self._knows = network, wanted, tables, knows
        self._command = command
        quoted = f"{safe(wanted.rpartition('/')[0] or wanted)[:40]!r}" if wanted is not None else ""
        self._kind = kind.format(f" of {quoted}" if quoted else "")
        self._what = quoted or f"a{'n' * (kind[0] == 'o')} {self._kind}"
        self._silent = _Silent(network, wanted) if wanted is not None and command == "watch" else None
        self._offered: set[str | bytes] | None = None
        """The other tables that the player has read of, None before the player has read of any."""
        self._asking: asyncio.Task[Sighting | None] | None = None
        """Asks the player whether one of the others is meant."""

    async def run(self, report: Report, choose: Choose | None) -> Found:
        """Look until the table is found, or another one is chosen. Raises Failure."""
        wanted = self._wanted
        if wanted and (":" in wanted or _is_address(wanted)):
            return await _at_address(self._network, wanted if ":" in wanted else f"{wanted}:{DEFAULT_PORT}", report)
        report(f"Looking for {self._what}...")
        try:
            one = await self._look(report, choose)
        finally:
            await self._ask_no_more()
        return Found(one.id, one.nick, one.addresses, one.announced)

    async def _look(self, report: Report, choose: Choose | None) -> Sighting:
        loop, network, sparing = asyncio.get_running_loop(), self._network, Sparing(time.monotonic)
        began = loop.time()
        deadline, kick, tell = began + WAIT_FOR_TABLE, began + KICK_EVERY, began + TELL_AFTER
        while True:
            network.seen.clear()
            if self._asking and self._asking.done():
                if other := self._asking.result():
                    return other
                self._asking, deadline = None, loop.time() + WAIT_FOR_TABLE
                report(f"The search for {self._what} goes on. Ctrl-C leaves.")
            if found := await self._found(report, choose):
                return found
            now = loop.time()
            if now >= tell and (taken := self._taken()):
                raise Failure(taken, NOT_FOUND)
            if now >= tell and self._is_news() and sparing.take(""):
                await self._tell_of_others(report, choose)
            if now >= deadline and not self._asking:
                raise Failure(self._in_vain(), NOT_FOUND)
            if now >= kick:
                kick = now + KICK_EVERY
                if not self._asking:
                    still = f"Still looking for {self._what}, for {now - began:.0f} seconds now."
                    report(" ".join(filter(None, (still, self._here(), "Ctrl-C leaves."))))
                await network.discovery.kick()
            until = min(moment for moment in (kick, deadline, tell) if moment > now)
            await self._wait(until - loop.time())

    async def _wait(self, seconds: float) -> None:
        """Wait until somebody new is seen or the player has answered, for so long at most."""
        seen = asyncio.ensure_future(self._network.seen.wait())
        try:
            waits = {seen, self._asking} if self._asking else {seen}
            await asyncio.wait(waits, timeout=max(0.0, seconds), return_when=asyncio.FIRST_COMPLETED)
        finally:
            seen.cancel()

    async def _found(self, report: Report, choose: Choose | None) -> Sighting | None:
        """Return the table that is meant, if it is seen."""
        found = self._tables(self._wanted)
        if found:
            if await self._ask_no_more():
                report("")  # what follows does not belong behind the question
            if choose is not None:
                await asyncio.sleep(LOOK_AROUND)
                found = self._with_friends(self._tables(self._wanted))
            if len(found) > 1 and choose is not None:
                return await choose(found, True)
        if not found and self._silent is not None:
            return await self._silent()
        return found[0] if found else None

    def _with_friends(self, named: list[Sighting]) -> list[Sighting]:
        """Return the hosts that are named, where they are strangers behind the friends whose names begin so."""
        if self._wanted is None or any(self._knows(one.id) for one in named):
            return named
        begun = [one for one in self._tables(None) if nearness(self._wanted, one.nick) == Nearness.BEGUN]
        return [*(one for one in begun if self._knows(one.id)), *named]

    # While it is not seen

    def _taken(self) -> str:
        """Return that the table with just this host, as a list of tables named it, has begun without the player here.

        Where a host is named by its nick alone, its next table may be meant: the search goes on.
        """
        nick, _, id = (self._wanted or "").rpartition("/")
        if self._command != "join" or len(id) != NAMED_BY:
            return ""
        for one in _named([*self._network.sightings.values()], self._wanted or ""):
            table = one.announced
            if table and table.short_id and not table.watching and nick in ("", one.nick):
                looks_on = f" `{command_here()} watch {easily_typed(one)}` looks on." * (not table.private)
                return f"The last seat at {quoted(one.nick)}'s table was taken before you sat down.{looks_on}"
        return ""

    def _players(self) -> list[Sighting]:
        """Return the players of all tables that can be offered instead."""
        if self._wanted is None:
            return []
        if self._command == "watch":
            return [one for one, table in _announced(self._network).items() if table.short_id and not table.private]
        return self._tables(None)

    def _others(self) -> list[Sighting]:
        """Return one player of each of these tables, those with names like the wanted one first."""
        players = self._players()
        similar = self._similar(players)
        return _one_of_each(sorted(players, key=lambda one: (one not in similar, one.id)))

    def _similar(self, others: list[Sighting]) -> list[Sighting]:
        """Return those of which the wanted name may be a slip of the pen, or that only look like it."""
        wanted = self._wanted or ""
        if looking := [one for one in others if alike(one.nick, wanted)]:
            return looking
        begun = [others[place] for place in nearest(wanted, [one.nick for one in others])]
        meant = closest(wanted.casefold(), [one.nick.casefold() for one in others])
        return begun or [one for one in others if one.nick.casefold() == meant]

    def _is_news(self) -> bool:
        """Return whether the player has not read of what is seen instead."""
        return self._offered is None or not {*map(_table_of, self._players())} <= self._offered

    async def _tell_of_others(self, report: Report, choose: Choose | None) -> None:
        """Tell that the wanted table is not seen, and what is; ask whether one of those is meant."""
        others = self._others()
        self._offered = (self._offered or set()) | {*map(_table_of, others)}
        if await self._ask_no_more():
            report("")
        report(self._not_yet(others))
        if others and choose is not None:
            self._asking = asyncio.ensure_future(choose(others[:LISTED], False))
        elif others:
            tables = [f"{quoted(one.nick)} ({told.told})" for one in others[:LISTED] if (told := one.announced)]
            report(f"Open here: {'; '.join(tables)}.")

    async def _ask_no_more(self) -> bool:
        """Withdraw the question whether another table is meant; return whether it stood open.

        What is told after that stands below it, and not in it.
        """
        asking, self._asking = self._asking, None
        if asking is None or not asking.cancel():
            return False
        await asyncio.wait({asking})
        return True

    def _not_yet(self, others: list[Sighting]) -> str:
        """Return in words that the wanted table is not seen, and why that may be."""
        told = [f"No {self._kind} yet."]
        seen = {one: one.announced for one in self._network.sightings.values()}
        begun = {one: table for one, table in seen.items() if table and table.short_id and not table.private}
        named = [*begun] if self._wanted is None else _named([*seen], self._wanted)
        sitting = [quoted(one.nick) for one in named if one in begun and not begun[one].watching]
        if self._command == "join" and sitting:
            told.append(f"{listed(sitting[:LISTED])} {'plays' if len(sitting) == 1 else 'play'} already:")
            told.append(f"`{command_here()} watch` looks on.")
        elif self._wanted is not None and named:
            watches = f"watches table {begun[named[0]].short_id}" if named[0] in begun else "shows no table"
            told.append(f"{quoted(named[0].nick)} is here, but {watches}.")
        if self._wanted is not None and (similar := self._similar(others)):
            nicks = " or ".join(quoted(one.nick) for one in similar[:LISTED])
            unsure = any(alike(one.nick, self._wanted) for one in similar)
            like = f"{nicks} only looks like that name and may be another player."
            told.append(like if unsure else f"Did you mean {nicks}?")
        elif not others and len(told) == 1:
            told.append(self._here() or "No other is seen either.")
            told.append("What comes is found by itself. Ctrl-C leaves.")
        return " ".join(told)

    def _here(self) -> str:
        """Return which people are seen, of whom none is at a table of the kind that is looked for; else nothing."""
        if self._tables(None):
            return ""
        nicks = sorted((quoted(one.nick) for one in self._network.sightings.values()), key=str.casefold)
        more = [f"{len(nicks) - LISTED} more"] if len(nicks) > LISTED else []
        alone = "at no table that may be watched" if self._command == "watch" else "without an open table"
        several = "none at a table that may be watched" if self._command == "watch" else "none with an open table"
        are = f"is here, {alone}" if len(nicks) == 1 else f"are here, {several}"
        return f"{listed([*nicks[:LISTED], *more])} {are}." * bool(nicks)

    def _in_vain(self) -> str:
        """Return what the player reads at the end of a search in vain."""
        like = listed([quoted(one.nick) for one in self._others() if alike(one.nick, self._wanted or "")][:LISTED])
        unseen = "" if self._network.sightings else "On guest networks peers often cannot see each other: "
        ask = f"{unseen}ask the host for its address and type `{command_here()} {self._command} HOST:PORT`."
        return (
            f"No {self._kind} was found in 60 seconds"
            + (f"; there is one of {like}, whose name only looks like it. " if like else ". ")
            + " ".join(filter(None, (self._here(), ask[:1].upper() + ask[1:])))
        )


def open_tables(network: Network, wanted: str | None, *, locked: bool = False) -> list[Sighting]:
    """Return the hosts of open tables, or those that `wanted` names, also of full ones: a seat may become free.

    Those that take a passphrase come first if `locked`, else last; then the order is that of the ids. A guest that
    has a passphrase and names no table gets only tables that take one.
    """
    seen = _announced(network)
    tables = {sighting: told for sighting, told in seen.items() if not told.short_id}
    found = sorted(tables, key=lambda one: (tables[one].locked != locked, one.id))
    free = [one for one in found if not tables[one].full and (tables[one].locked or not locked)]
    return free if wanted is None else _named(found, wanted) or _of_game(free, wanted)


def opened_by(
    people: Collection[bytes], game: str, last: str, sightings: Mapping[bytes, Sighting], *, goes_on: bool = False
) -> list[Sighting]:
    """Return those of these people who have opened the table of the game after that at table `last`.

    They await others there, and say so: another table of theirs, of the same game too, is none of that match.
    `goes_on`: the table that goes on from `last` is meant.
    """
    seen = {one: one.announced for id, one in sightings.items() if id in people}
    tables = {one: table for one, table in seen.items() if table and not table.full and table.game == game}
    return [one for one, table in tables.items() if (table.origin if goes_on else table.after) == last]


def watched_tables(network: Network, wanted: str | None) -> list[Sighting]:
    """Return the players of tables that may be watched, one of each table, or those that `wanted` names.

    Tables that await players are there to be watched later: they count where none plays, or where their host is named.
    Tables at which the game has begun come first; then the order is that of the ids. A name is that of a player, or
    what a table is called, else of a game, else a word of the name of one player; of games only tables that play count.
    """
    tables = {sighting: told for sighting, told in _announced(network).items() if not told.private}
    found = sorted(tables, key=lambda one: (not tables[one].short_id, one.id))
    playing = [one for one in found if tables[one].short_id]
    if wanted is not None:
        by_id = [one for one in found if tables[one].short_id and tables[one].short_id == wanted.lower()]
        named = by_id[:1] or _one_of_each(_named(found, wanted))
        return named or _one_of_each(_of_game(playing, wanted)) or _with_word(playing, wanted)
    return _one_of_each(playing or found)


def _announced(network: Network) -> dict[Sighting, Announced]:
    """Return the peers that announce a table at which they sit, each with what it announces."""
    found = {sighting: sighting.announced for sighting in network.sightings.values()}
    return {sighting: told for sighting, told in found.items() if told and not told.watching}


def _one_of_each(found: list[Sighting]) -> list[Sighting]:
    """Return of each table that plays the first player, and all hosts of tables that have not begun."""
    tables: dict[str | bytes, Sighting] = {}
    for one in found:
        tables.setdefault(_table_of(one), one)
    return [*tables.values()]


def _table_of(one: Sighting) -> str | bytes:
    """Return what a table is known by: what it is called, or its host's id before the game has begun."""
    table = one.announced
    return (table and table.short_id) or one.id


def _named(found: list[Sighting], wanted: str) -> list[Sighting]:
    """Return the hosts with a nick that is equal to the name, else equal but for case, else with such an id.

    `anna/ID` means both at once: of those with such an id the one of that nick.
    """
    named = [found[place] for place in nearest(wanted, [one.nick for one in found], Nearness.BUT_FOR_CASE)]
    nick, _, start = wanted.rpartition("/")
    return named or [one for one in found if id_text(one.id).startswith(start.lower()) and nick in ("", one.nick)]


def _of_game(found: list[Sighting], wanted: str) -> list[Sighting]:
    """Return the players of tables of the game with this name."""
    return [one for one in found if (table := one.announced) and table.game == wanted.lower()]


def _with_word(found: list[Sighting], wanted: str) -> list[Sighting]:
    """Return the only player with this word in the name, none where there are several."""
    fits = [one for one in found if wanted.casefold() in one.nick.casefold().split()]
    return fits if len(fits) == 1 else []


def easily_typed(one: Sighting) -> str:
    """Return what a player types for a peer: the nick, where that is one plain word, else the beginning of the id."""
    return one.nick if one.nick.isalnum() else id_text(one.id)[:NAMED_BY]


def join_told(interface: str | None, host: str = "") -> str:
    """Return the command by which others sit down at the table of a client with this interface; `host`: its nick.

    A client that only this computer reaches is found on its interface alone; of others each has an address of its own.
    """
    at = f" --interface {interface}" if interface and is_loopback(interface) else ""
    return f"{COMMAND} join{host and ' '}{host}{at}"


def name_of(one: Sighting) -> str:
    """Return what means this player and no other one of its name; a name that could be an option, or an address, is
    left out."""
    id = id_text(one.id)[:NAMED_BY]
    return f"{one.nick}/{id}" if one.nick[:1].isalnum() and ":" not in one.nick else id


class _Silent:
    """Finds a player of that name who is at a table, but announces none: it admits no spectators, or has to be asked.

    A player who is at no table has a port at which nothing listens.
    """

    def __init__(self, network: Network, wanted: str) -> None:
        self._network, self._wanted = network, wanted
        self._asked: set[tuple[bytes, bytes]] = set()

    async def __call__(self) -> Sighting | None:
        """Return the player, None if there is none; each program is asked once whether it listens."""
        tables = {one: one.announced for one in self._network.sightings.values()}
        quiet = [one for one, table in tables.items() if table is None]
        private = [one for one, table in tables.items() if table is not None and not table.watching]
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
    """Return whether a text is written like an address, right or wrong: four numbers with dots between."""
    return re.fullmatch(r"\d+(\.\d+){3}", text) is not None


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
    report(f"It is {quoted(card.nick)} ({id_text(card.id)[:8]}).")
    if pinned:
        try:
            expected = id_bytes(pinned)
        except ValueError:
            raise Failure(
                "What follows `/` is not a peer's id: 52 letters and digits, as `identity` prints it.", USAGE
            ) from None
        if expected != card.id:
            raise Failure("Another player answers at that address than the one you named. Do not trust it.", NETWORK)
    return Found(card.id, card.nick, (address,))
