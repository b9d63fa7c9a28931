"""What a client does at a table among peers: from its charter until the player has left, and at the tables after it."""

import asyncio
import time
from argparse import Namespace
from contextlib import closing
from random import Random
from secrets import token_bytes
from typing import NamedTuple

from engine import listed
from p2p_stonehenge.bots.adaptive import Seated, keep_bots
from p2p_stonehenge.bots.players import LEVELS, USUAL, Bots
from p2p_stonehenge.cli.play import BOT_PAUSE, at_table, begin_beside, say, stays_over, telling, turn_limit, warning_of
from p2p_stonehenge.failure import INTERRUPTED, NETWORK, Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.again import gather_again
from p2p_stonehenge.lobby.lobby import Formed
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.announced import Announced
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import ask, interruptible
from p2p_stonehenge.storage.home import Home, Journal
from p2p_stonehenge.table.agreed import own_seats, short_id
from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.session import Note
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from protocol import Door, Node, Table, Watchers, id_text, phrase

FIND_MISSING_EVERY = 5.0
"""Seconds between two searches for a client that is missing."""
SERVE_EVERY = 0.5
"""Seconds between two looks at what those who watch are due."""


class Place(NamedTuple):
    """A player's place at a table among peers: at a new one, or taken again."""

    node: Node
    journal: Journal
    passphrase: str | None = None
    """The words that all here know."""
    resumed: bool = False
    compared: bool = True
    """Whether the player has met all others at a table before, and was asked there to compare three words with them."""


async def sit_down(
    args: Namespace, auto: int | None, home: Home, network: Network, formed: Formed, *, level: int = USUAL
) -> int:
    """Play at a table that all have just signed, until its end, and at others with the same players after it.

    `level`: of the bots that this client plays beside its player.
    """
    return await play_among_peers(args, auto, home, network, _take_place(home, network, formed, level), level=level)


async def play_among_peers(
    args: Namespace, auto: int | None, home: Home, network: Network, place: Place, *, level: int = USUAL
) -> int:
    """Play at a table until its end, or until the player leaves, and at those after it; return the exit code."""
    while True:
        table, code = await _play_at(args, auto, home, network, place, level)
        if not table.wants_again:
            return code
        formed = await _form_again(args, home, network, table)
        place = _take_place(home, network, formed._replace(passphrase=place.passphrase), level)


def _take_place(home: Home, network: Network, formed: Formed, level: int) -> Place:
    """Return the place at a table that all have just signed, and tell the player of the table."""
    charter = formed.charter
    words = formed.passphrase if charter.body.watching.by == Watchers.WITH_PASSPHRASE else None
    if words is not None:
        home.keep_passphrase(charter.table, words)
    door = door_of(network.identity.id, words)
    node = Node(Table(charter, formed.signers, formed.secrets), formed.formation, door=door)
    named = known.names(home, network.identity.id, [(seat.id, seat.name) for seat in charter.body.seats])
    say(f"The table {short_id(charter.table)} is signed by all: {', '.join(named)}.")
    if charter.body.turn_time:
        say(turn_limit(charter.body.turn_time, len(node.peers) + 1))
    compared = {*map(id_text, node.peers)} <= known.met(home)
    for seat in charter.body.seats:
        if seat.id in node.peers:
            known.meet(home, seat.id, seat.name)
    keep_bots(home, charter.table, Seated(level, follows=False))
    return Place(node, home.journal(charter.table), formed.passphrase, compared=compared)


def door_of(own: bytes, passphrase: str | None) -> Door | None:
    """Return what asks those who want to watch for the passphrase, None where nobody has to know one."""
    return None if passphrase is None else Door(passphrase, own, token_bytes)


async def _play_at(
    args: Namespace, auto: int | None, home: Home, network: Network, place: Place, level: int
) -> tuple[NetTable, int]:
    """Play at one table until its end, or until the player leaves; return it as it was left, and the exit code."""
    with closing(place.journal):
        sitting = Sitting(home, network, place, plays=auto is None)
        table, code = sitting.table, 0
        try:
            await sitting.play(args, auto, level)
            if table.result is None or not await stays_over(table, sitting.confirmed):
                say(table.way_in)
                code = NETWORK if auto is not None else 0
        finally:
            await sitting.rise()
        return table, code


class Sitting:
    """One client at one table among peers: the table, and what goes on beside its screen."""

    def __init__(self, home: Home, network: Network, place: Place, *, plays: bool) -> None:
        """`plays`: a person plays the own seat, and no bot."""
        node, journal, charter = place.node, place.journal, place.node.table.charter
        self._home, self._network, self._node, self._journal = home, network, node, journal
        self._locked = place.passphrase is not None
        self._own = own_seats(charter, network.identity.id)
        self.table = NetTable(
            node,
            journal,
            network.transport,
            self._own[:1] if plays else (),
            lambda secrets: home.keep_secret(charter.table, secrets),
            self._elsewhere,
            resumed=place.resumed,
        )
        self.table.compared = place.compared
        self.table.names = known.names(home, network.identity.id, [(seat.id, seat.name) for seat in charter.body.seats])
        self.confirmed = asyncio.Event()
        """Set once no signature under the result is awaited any more."""
        self._left = False
        """Whether the player sees the table no more."""
        self._beside: list[asyncio.Task[None]] = []

    async def play(self, args: Namespace, auto: int | None, level: int) -> None:
        """Play until the game is over or the player leaves; `auto`: the level of a bot in the place of the player.

        Raises Failure for a player who leaves by Ctrl-C.
        """
        table, own = self.table, self._own
        self._introduce()
        await self._announce()
        self._network.table = table.table.id
        live = table.game.live(table.state)
        table.levels = dict.fromkeys((seat for seat in own[1:] if seat in live), LEVELS[level])
        bots = [] if auto is None else [Bots(table, own[:1], auto, Random())]
        if own[1:]:
            bots.append(Bots(table, own[1:], level, Random(), BOT_PAUSE if table.people else 0.0))
        self._left = auto is not None
        self._beside = [*map(begin_beside, (self._confirm(), self._find_again(), self._attend()))]
        try:
            await at_table(args, table, self._begin, bots, self.confirmed)
        except asyncio.CancelledError:  # Ctrl-C, where no prompt takes it
            table.leave()
            way_in = table.way_in if table.result is None else ""
            raise Failure(f"You left the table. {way_in}".rstrip(), INTERRUPTED) from None
        self._left = True
        self.table.forgo()

    async def rise(self) -> None:
        """Leave the table: end what goes on beside it, and keep its file."""
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        self.table.dismiss(time.monotonic())
        self._journal.close()  # this client may be asked for the end of this game while the next one is played
        Shelf(self._home).note(self.table.path, self.table.table)

    def _introduce(self) -> None:
        """Say what holds for the table as a whole, and note which players have a known name and another key."""
        table, charter = self.table, self._node.table.charter
        if self._node.peers:
            told = "" if table.compared else " Read them aloud: all must have the same."
            say(f"Its three words: {' '.join(phrase(charter))}.{told}")
        live = table.game.live(table.state)
        for number, seat in enumerate(charter.body.seats, 1):
            if seat.operator != number and number in live:
                bot, player = table.names[number - 1], quoted(table.names[seat.operator - 1])
                say(f"{bot} is a bot of {player}, whose computer sees all that it sees.")
            if seat.id in self._node.peers and (warning := warning_of(self._home, seat.id, seat.name)):
                table.strangers[number] = warning

    def _begin(self) -> None:
        """Take in what the others send: not before somebody listens to what the table tells of it."""
        self._network.handler = self.table
        self.table.begin(self._network.transport.linked())

    async def _announce(self) -> None:
        """Announce a table that plays, as far as others may watch it through this client."""
        table, by = self.table.table, self._node.table.charter.body.watching.by
        asks = by == Watchers.WITH_PASSPHRASE
        closed = by == Watchers.NOBODY or (asks and not self._locked) or table.fold.result
        told = Announced(table.game.key, short_id=short_id(table.id), locked=asks)
        await self._network.announce("" if closed else told.text)

    async def _confirm(self) -> None:
        """Wait for what is signed under the result, tell what it brings to light and forget the secrets."""
        table = self.table
        while True:
            await table.keep_time()
            told = table.audited()
            if missing := [table.label(seat) for seat in table.owing]:
                told.append(f"The result is not confirmed by {', '.join(missing)}; your own record is complete.")
            if table.may_go_on:
                told.append(
                    "Should it turn out that all others had played on after that event, the game is not over: stay and"
                    f" see, or `{command_here()} resume {table.short_id}` goes on later."
                )
            else:
                self._home.forget_secret(table.table.id)
            for line in told:
                if self._left:
                    say(line)
                else:
                    table.tell(Note(line))
            await self._network.announce("")
            self.confirmed.set()
            if not await table.goes_on():
                return
            self.confirmed.clear()
            await self._announce()

    async def _attend(self) -> None:
        """Send those who watch what is due, as long as this client is at the table."""
        while True:
            await asyncio.sleep(SERVE_EVERY)
            self.table.look(time.monotonic())
            reached = [(peer, self._network.transport.where(peer)) for peer in self._node.peers]
            self.table.serve(time.monotonic(), [(peer, address) for peer, address in reached if address])

    async def _find_again(self) -> None:
        """Dial the other clients of the table, and look for them anew while one is missing that may come back."""
        network, node = self._network, self._node
        for peer in node.peers:
            network.dial(peer, network.sightings[peer].addresses if peer in network.sightings else ())
        while True:
            await asyncio.sleep(FIND_MISSING_EVERY)
            sought = {*self.table.sought}
            for peer in {*node.peers} - sought - {*node.linked}:
                network.hang_up(peer)
            if not sought <= {*node.linked}:
                await network.discovery.kick()

    def _elsewhere(self, peer: bytes) -> str:
        """Return how to reach the table that a player who has left this one announces; nothing if none is."""
        return told_elsewhere(self._network, self.table.short_id, peer)


def told_elsewhere(network: Network, last: str, peer: bytes) -> str:
    """Return how to reach the table announced by a player who has left table `last`; nothing if none is."""
    sighting = network.sightings.get(peer)
    seen = sighting.announced if sighting else None
    if sighting is None or seen is None or seen.short_id == last or seen.private or seen.full:
        return ""
    does, what = ("watch", "shows the game") if seen.short_id else ("join", "leads to the table")
    return f" `{command_here()} {does} {sighting.nick}` {what} at which {sighting.nick} is now."


async def _form_again(args: Namespace, home: Home, network: Network, table: NetTable) -> Formed:
    """Sign another table with the players of one that is over and want that too. Raises Failure if this one leaves."""
    if others := table.silent:
        say(f"Waiting for {listed(others)} to play again as well, by `again`.")
        say("What you type meanwhile is not read. Ctrl-C leaves.")
    network.table, network.again = b"", table.table.id  # a player who comes back to the last table learns that
    with interruptible(f"You left before another game began. {table.after().way_on}".rstrip()):
        try:
            return await gather_again(
                network, home, telling(args), table.table, ask, table.plays_without, table.departed
            )
        except BaseException:  # those who are still at the last table read at once that this player has left
            table.leave()
            raise
        finally:
            network.again = b""
