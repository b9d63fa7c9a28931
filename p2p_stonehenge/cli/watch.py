"""The command `watch`: looks on at a table of others."""

import asyncio
import time
from argparse import Namespace
from functools import partial

from engine import counted, listed
from p2p_stonehenge.cli.common import name_at_first
from p2p_stonehenge.cli.join import choose_table
from p2p_stonehenge.cli.play import at_table, begin_beside, network_of, read_passphrase, run, say, telling, warning_of
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.finding import Found, find_watched
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.lobby.telling import Report
from p2p_stonehenge.lobby.watching import TICK_EVERY, WatchLobby
from p2p_stonehenge.net.announced import Announced
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import Ask, ask, can_ask, interruptible, left_early, quit_typed
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import short_id, watchers_told
from p2p_stonehenge.table.watching import WatchedTable
from protocol import Spectator, phrase

FIND_AGAIN_EVERY = 5.0
"""Seconds between two searches for players while none is reached."""


def watch(args: Namespace) -> int:
    """Watch the table that is named, or the one that is found, until the player leaves."""
    name_at_first(args)
    home = Home.open(args.home)

    async def look_on() -> int:
        passphrase = await read_passphrase(args, "The passphrase of the table")
        async with network_of(home, args, watches=True) as network:
            await network.announce("")
            asks = ask if can_ask() else None
            tell = telling(args)
            chosen = partial(choose_table, home, tell) if asks else None
            with interruptible(left_early("a table to watch was found")):
                found = await find_watched(network, args.table, tell, chosen)
                leaves = quit_typed if asks else None
                lobby = WatchLobby(network, home, tell, found, passphrase, asks, leaves=leaves)
                spectator = await lobby.gather()
            while await _watch(args, home, network, spectator, lobby):
                lobby = _following(network, home, tell, lobby, asks)
                with interruptible("You left before another game began."):
                    spectator = await lobby.gather()
            return 0

    with home.lock():
        return run(look_on())


def _following(network: Network, home: Home, tell: Report, last: WatchLobby, asks: Ask | None) -> WatchLobby:
    """Return the way to the next table of the players of a game that is over: the first of them opens it, if there."""
    spectator = last.spectator
    assert spectator.table
    before = spectator.table.charter
    names = [before.body.seats[seat - 1].name for seat in before.body.clients.values()]
    tell(f"Waiting for the next game of {listed(names)}. Ctrl-C leaves.")
    host = next(id for id in before.body.clients if id != network.identity.id)
    network.hang_up(spectator.player)
    found = Found(host, names[0], ())
    leaves = quit_typed if asks else None
    return WatchLobby(network, home, tell, found, spectator.passphrase, asks, before, last.ways, leaves)


async def _watch(args: Namespace, home: Home, network: Network, spectator: Spectator, lobby: WatchLobby) -> bool:
    """Look on at one table; return whether the player wants to follow its players into their next game."""
    assert spectator.table
    charter = spectator.table.charter
    table = WatchedTable(spectator, spectator.table, lobby.journal, network.transport, lobby.ways.turn)
    seats = charter.body.seats
    table.names = known.names(home, network.identity.id, [(seat.id, seat.name) for seat in seats])
    for number, seat in enumerate(seats, 1):
        if seat.operator == number and (warning := warning_of(home, seat.id, seat.name)):
            table.strangers[number] = warning
    names, watched = ", ".join(table.names), watchers_told(table.watching)
    say(f"Watching table {short_id(charter.table)}: {names}. May watch: {watched}.")
    say(f"Its three words, which the players read aloud: {' '.join(phrase(charter))}.")
    say(f"{counted(len(spectator.table.fold.log), 'action')} so far; {table.waiting() or 'the game is over'}.")
    await network.announce(Announced(charter.body.game, "", short_id(charter.table), watching=True).text)

    def begin() -> None:
        """Take in what the players send: not before somebody listens to what the table tells of it."""
        network.handler = table.looking_on
        table.begin()

    following = begin_beside(_follow(network, table, spectator))
    try:
        with interruptible(f"You watch no longer. The table is saved in {table.path}"):
            await at_table(args, table, begin, ())
        return table.wants_again
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        lobby.journal.close()
        Shelf(home).note(table.path, table.table)


async def _follow(network: Network, table: WatchedTable, spectator: Spectator) -> None:
    """Look at the clock, and for the players while none of them is reached."""
    kick = time.monotonic() + FIND_AGAIN_EVERY
    while True:
        await asyncio.sleep(TICK_EVERY)
        table.tick(time.monotonic())
        if not spectator.admitted and time.monotonic() > kick:
            kick = time.monotonic() + FIND_AGAIN_EVERY
            await network.discovery.kick()
