"""From strangers to a table: a host waits for guests, all agree on a charter, everybody sits down.

A `Network` holds the transport and the discovery of one client and passes what arrives to whoever handles it now:
first a lobby, then the table.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from engine import Game, MalformedError, OptionValue, Value, all_games, option_text
from p2p_stonehenge.discovery import Discovery, Sighting
from p2p_stonehenge.failure import NETWORK, NOT_FOUND, Failure
from p2p_stonehenge.home import Home
from p2p_stonehenge.style import spell
from p2p_stonehenge.transport import Transport, fetch_card
from protocol import (
    ATTEMPT_BYTES,
    FULL,
    NET,
    Advert,
    Body,
    Charter,
    Decline,
    Form,
    Formation,
    Identity,
    Join,
    Message,
    Seat,
    Secrets,
    Signer,
    VersionMismatchError,
    bot_identity,
    id_bytes,
    id_text,
    make_body,
    message_bytes,
    read_body,
    read_message,
)

WAIT_FOR_TABLE = 60.0
"""Seconds that a guest waits for a table to appear."""
LOOK_AROUND = 1.5
"""Seconds that a guest goes on looking after the first table, in case there are several."""
KICK_EVERY = 15.0
REPEAT = 1.0
"""Seconds after which a statement of a forming charter is sent again: it may have been lost."""
FORMATION_PATIENCE = 30.0
ATTEMPTS_PER_MINUTE = 5

Report = Callable[[str], None]


class Handler(Protocol):
    """Who handles what arrives: a lobby or a table."""

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player of a trouble with the network."""


class Network:
    """The transport and the discovery of one client, from `async with` to its end."""

    def __init__(self, home: Home, nick: str, interface: str | None, port: int | None) -> None:
        self.identity: Identity = home.identity()
        self.nick = nick
        self.handler: Handler | None = None
        self.sightings: dict[bytes, Sighting] = {}
        self.seen = asyncio.Event()
        self._dialled: set[bytes] = set()
        self._announcing = asyncio.Lock()
        self.transport = Transport(
            self.identity,
            nick,
            interface=interface,
            port=port,
            on_message=lambda peer, data: self.handler.receive(peer, data) if self.handler else None,
            on_link=lambda peer, up: self.handler.link(peer, up) if self.handler else None,
            on_trouble=lambda peer, text: self.handler.trouble(peer, text) if self.handler else None,
        )
        self.discovery = Discovery(interface, self._sighted, self._lost)

    async def __aenter__(self) -> Self:
        await self.transport.start()
        await self.discovery.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.handler = None
        await self.discovery.close()
        await self.transport.close()

    async def announce(self, table: str) -> None:
        """Tell the network who is here and which table is open, if one is."""
        transport = self.transport
        async with self._announcing:
            await self.discovery.announce(self.identity.id, self.nick, transport.instance, transport.port, table)

    def _sighted(self, sighting: Sighting) -> None:
        self.sightings[sighting.id] = sighting
        self.seen.set()
        if sighting.id in self._dialled:
            self.transport.dial(sighting.id, sighting.addresses)

    def dial(self, peer: bytes, addresses: Sequence[str]) -> None:
        """Keep a link to `peer`, here and wherever it will be seen."""
        self._dialled.add(peer)
        self.transport.dial(peer, addresses)

    def _lost(self, peer: bytes) -> None:
        self.sightings.pop(peer, None)


class Formed(NamedTuple):
    """A table that all have signed: what is needed to sit down at it."""

    charter: Charter
    signers: dict[int, Signer]
    secrets: Secrets
    formation: Value


class _Lobby:
    """What host and guest share: one formation under way, and everybody who takes part in it."""

    def __init__(self, network: Network, home: Home, report: Report) -> None:
        self.network = network
        self.home = home
        self.report = report
        self.formation: Formation | None = None
        self.done: asyncio.Future[Formed] = asyncio.get_running_loop().create_future()
        self.signers: dict[int, Signer] = {}

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player."""
        del peer
        self.report(text)

    def send(self, peer: bytes, message: Message) -> None:
        """Send a message; if it is lost, it is repeated later."""
        self.network.transport.send(peer, message_bytes(message))

    def start(self, body: Body) -> None:
        """Begin an attempt to agree on `body`."""
        if self.formation:
            self.home.forget_secret(self.formation.body.attempt.hex())
        self.secrets = Secrets.from_seed(self.home.secret(body.attempt.hex()))
        self.signers = {
            number: self.network.identity
            if seat.id == self.network.identity.id
            else bot_identity(self.secrets.bots, number)
            for number, seat in enumerate(body.seats, 1)
            if body.seats[seat.operator - 1].id == self.network.identity.id
        }
        self.formation = Formation(body, self.signers, self.secrets.chance)

    def merge(self, message: Value) -> None:
        """Take in what another one holds of this attempt; tell all if that was news. Raises MalformedError."""
        if not (self.formation and isinstance(message, tuple) and message[:1] == self.formation.message()[:1]):
            return
        if self.formation.merge(message):
            self.spread()
        charter = self.formation.charter
        if charter and not self.done.done():
            self.done.set_result(Formed(charter, self.signers, self.secrets, self.formation.message()))

    def spread(self) -> None:
        """Tell everybody who takes part all that is held."""
        if self.formation:
            own = self.network.identity.id
            others = [seat.id for seat in self.formation.body.seats if seat.id != own]
            hints = tuple(
                (id, address)
                for id in others
                for address in (self.network.sightings[id].addresses if id in self.network.sightings else ())[:3]
            )
            for peer in others:
                self.send(peer, Form(self.formation.message(), hints))

    def fail(self, failure: Failure) -> None:
        """End the lobby."""
        if not self.done.done():
            self.done.set_exception(failure)


class HostLobby(_Lobby):
    """A host waits until its table is full, then fixes the charter."""

    def __init__(
        self,
        network: Network,
        home: Home,
        report: Report,
        game: Game[Any],
        options: dict[str, OptionValue],
        players: int,
        bots: int,
        turn_time: int = 0,
    ) -> None:
        super().__init__(network, home, report)
        self.game = game
        self.options = options
        self.players = players
        self.bots = bots
        self.turn_time = turn_time
        self.guests: list[bytes] = []
        self._began = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """Return who sits at the table so far."""
        guests = tuple(self.network.transport.nick_of(guest) for guest in self.guests)
        return (self.network.nick, *guests, *(f"bot {number}" for number in range(1, self.bots + 1)))

    @property
    def hint(self) -> str:
        """Return the table as it is announced: `kingamon 1/2`, or nothing once it is full."""
        taken = len(self.names)
        return f"{self.game.key} {taken}/{self.players}" if taken < self.players else ""

    async def gather(self) -> Formed:
        """Wait until the table is full and all have signed."""
        self.network.handler = self
        await self.network.announce(self.hint)
        self._begin_if_full()
        beat = 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await asyncio.wait_for(asyncio.shield(self.done), REPEAT)
            except TimeoutError:
                self.spread()
            if self.formation and loop.time() - self._began > FORMATION_PATIENCE:
                self._drop_silent()
            beat += REPEAT
            if beat >= KICK_EVERY:
                beat = 0.0
                await self.network.discovery.kick()

    def link(self, peer: bytes, up: bool) -> None:
        """Show the table to whoever comes; a guest that goes leaves its seat."""
        if up:
            self.send(peer, self._advert())
        elif peer in self.guests:
            self._leave(peer, "has left")

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""
        try:
            message = read_message(data)
            match message:
                case Join():
                    self._join(peer)
                case Form(held, _) if peer in self.guests:
                    self.merge(held)
        except MalformedError:
            if peer in self.guests:
                self._leave(peer, "does not follow the protocol and was sent away")

    def _join(self, peer: bytes) -> None:
        if peer in self.guests:
            self.spread()
        elif len(self.names) >= self.players:
            self.send(peer, Decline(FULL))
        else:
            self.guests.append(peer)
            name = self.network.transport.nick_of(peer)
            self.report(f"{name} ({id_text(peer)[:8]}) sits down: {len(self.names)} of {self.players}.")
            self._changed()

    def _leave(self, peer: bytes, how: str) -> None:
        self.guests.remove(peer)
        self.report(f"{self.network.transport.nick_of(peer)} {how}: {len(self.names)} of {self.players}.")
        if self.formation:
            self.home.forget_secret(self.formation.body.attempt.hex())
            self.formation = None
        self.network.transport.hang_up(peer)
        self._changed()

    def _changed(self) -> None:
        for peer in self.network.transport.linked():
            self.send(peer, self._advert())
        self._begin_if_full()
        announcing = asyncio.ensure_future(self.network.announce(self.hint))
        announcing.add_done_callback(lambda task: task.exception())

    def _drop_silent(self) -> None:
        assert self.formation
        for seat in self.formation.missing:
            id = self.formation.body.seats[seat - 1].id
            if id in self.guests:
                self._leave(id, "did not sign in time and was sent away")

    def _begin_if_full(self) -> None:
        if len(self.names) < self.players:
            return
        attempt = secrets.token_bytes(ATTEMPT_BYTES)
        kept = Secrets.from_seed(self.home.secret(attempt.hex()))
        ids = [self.network.identity.id, *self.guests]
        ids += [bot_identity(kept.bots, number).id for number in range(len(ids) + 1, self.players + 1)]
        people = self.players - self.bots
        seats = tuple(
            Seat(id, name, number if number <= people else 1)
            for number, (id, name) in enumerate(zip(ids, self.names, strict=True), 1)
        )
        self._began = asyncio.get_running_loop().time()
        self.start(make_body(NET, self.game, self.options, seats, attempt, self.turn_time))
        self.spread()
        assert self.formation
        self.merge(self.formation.message())

    def _advert(self) -> Advert:
        body = make_body(NET, self.game, self.options, (Seat(b"", "", 1),) * self.players, b"")
        return Advert(self.game.key, self.game.version, body.options, self.names, self.players, self.turn_time)


class GuestLobby(_Lobby):
    """A guest asks one host for a seat and signs the charter that it fixes."""

    def __init__(self, network: Network, home: Home, report: Report, host: bytes) -> None:
        super().__init__(network, home, report)
        self.host = host
        self._shown = ""
        self._attempts: list[float] = []

    async def gather(self, addresses: Sequence[str]) -> Formed:
        """Dial the host and wait until all have signed."""
        self.network.handler = self
        self.network.dial(self.host, addresses)
        if self.host in self.network.transport.linked():
            self.send(self.host, Join())
        deadline = asyncio.get_running_loop().time() + WAIT_FOR_TABLE
        while True:
            try:
                return await asyncio.wait_for(asyncio.shield(self.done), REPEAT)
            except TimeoutError:
                self.spread()
            linked = self.host in self.network.transport.linked()
            if not linked and asyncio.get_running_loop().time() > deadline:
                raise Failure(
                    "The host does not answer. Check that both computers are on one network and that no"
                    " firewall blocks Python; `p2p-stonehenge join HOST:PORT` goes to an address directly.",
                    NETWORK,
                )

    def link(self, peer: bytes, up: bool) -> None:
        """Ask for a seat as soon as the host is reached."""
        if peer != self.host:
            if up:
                self.spread()
        elif up:
            self.send(peer, Join())
        else:
            self.report("The host is gone; waiting for it to come back...")

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""
        try:
            match read_message(data):
                case Advert() as advert if peer == self.host:
                    self._show(advert)
                case Decline(reason) if peer == self.host:
                    what = "is full" if reason == FULL else "has begun its game"
                    self.fail(Failure(f"That table {what}. `p2p-stonehenge peers` lists the open ones.", NETWORK))
                case Form((bytes(packed), *_) as held, hints):
                    if peer == self.host and (self.formation is None or self.formation.body.packed() != packed):
                        self._consider(packed, hints)
                    if self.formation and peer in [seat.id for seat in self.formation.body.seats]:
                        self.merge(held)
        except VersionMismatchError as error:
            self.fail(Failure(f"{error}.", NETWORK))
        except MalformedError as error:
            self.fail(Failure(f"The host does not follow the protocol ({error}). Choose another table.", NETWORK))

    def _consider(self, packed: bytes, hints: tuple[tuple[bytes, str], ...]) -> None:
        """Check a charter that the host proposes, and take part in it."""
        body = read_body(packed)
        own = [number for number, seat in enumerate(body.seats, 1) if seat.id == self.network.identity.id]
        if (
            body.kind != NET
            or body.seats[0].id != self.host
            or len(own) != 1
            or body.seats[own[0] - 1].operator not in own
        ):
            raise MalformedError("a charter without a seat for this player")
        now = asyncio.get_running_loop().time()
        self._attempts = [when for when in self._attempts if now - when < 60] + [now]
        if len(self._attempts) > ATTEMPTS_PER_MINUTE:
            raise MalformedError("it changes the charter again and again")
        if len(self._attempts) > 1:
            self.report("The host has changed the table; agreeing anew.")
        self.start(body)
        roster = {seat.id for seat in body.seats} - {self.network.identity.id, self.host}
        for id in roster:
            known = self.network.sightings[id].addresses if id in self.network.sightings else ()
            try:
                self.network.dial(id, [*known, *(address for hinted, address in hints if hinted == id)])
            except Failure as error:
                raise MalformedError("it names an address that is none") from error

    def _show(self, advert: Advert) -> None:
        game = all_games().get(advert.game)
        title = game.title if game else advert.game
        usual = {option.name: option_text(option.default) for option in game.options} if game else {}
        chosen = ", ".join(f"{name}={value}" for name, value in advert.options if usual.get(name) != value) or "none"
        taken = f"{', '.join(advert.names)} ({len(advert.names)} of {advert.seats})"
        limit = f"; each turn has {spell(advert.turn_time)}" if advert.turn_time else ""
        text = f"{title}; at the table: {taken}; options: {chosen}{limit}"
        if text != self._shown:
            self._shown = text
            self.report(text)


class Found(NamedTuple):
    """A table to join: the host's id and where it can be reached."""

    host: bytes
    addresses: tuple[str, ...]


async def find_table(
    network: Network, wanted: str | None, report: Report, choose: Callable[[list[Sighting]], Sighting] | None
) -> Found:
    """Return the table that `wanted` names (nick, start of an id, HOST:PORT or HOST:PORT/ID), or the only open one.

    `choose` picks among several; None takes the first. Raises Failure if none is found in 60 seconds.
    """
    if wanted and ":" in wanted:
        return await _at_address(wanted, report)
    report("Looking for an open table..." if wanted is None else f"Looking for {wanted!r}...")
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT_FOR_TABLE
    kick = loop.time() + KICK_EVERY
    while loop.time() < deadline:
        found = open_tables(network, wanted)
        if found and wanted is None and choose is not None:
            await asyncio.sleep(LOOK_AROUND)
            found = open_tables(network, wanted)
        if found:
            sighting = found[0] if len(found) == 1 or choose is None else choose(found)
            return Found(sighting.id, sighting.addresses)
        network.seen.clear()
        try:
            await asyncio.wait_for(network.seen.wait(), min(kick, deadline) - loop.time())
        except TimeoutError:
            kick = loop.time() + KICK_EVERY
            await network.discovery.kick()
    raise Failure(
        "No open table was found in 60 seconds. On guest networks peers often cannot see each other:"
        " ask the host for its address and type `p2p-stonehenge join HOST:PORT`.",
        NOT_FOUND,
    )


def open_tables(network: Network, wanted: str | None) -> list[Sighting]:
    """Return the hosts of open tables in the order of their ids, or only those that `wanted` names."""
    found = [sighting for _, sighting in sorted(network.sightings.items()) if sighting.table]
    if wanted is None:
        return found
    named = [sighting for sighting in found if sighting.nick.casefold() == wanted.casefold()]
    return named or [sighting for sighting in found if id_text(sighting.id).startswith(wanted.lower())]


async def _at_address(wanted: str, report: Report) -> Found:
    address, _, pinned = wanted.partition("/")
    report(f"Asking {address} who is there...")
    card = await fetch_card(address)
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
    return Found(card.id, (address,))
