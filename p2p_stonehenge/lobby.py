"""From strangers to a table: a host waits for guests, all agree on a charter, everybody sits down."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine import Game, MalformedError, OptionValue, Value, all_games, option_text
from p2p_stonehenge.client import Network
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.gate import Allowance, Bucket
from p2p_stonehenge.home import Home
from p2p_stonehenge.known import recognise
from p2p_stonehenge.network import is_near
from p2p_stonehenge.style import ALARM, spell
from protocol import (
    ATTEMPT_BYTES,
    FULL,
    NET,
    SHARE_BYTES,
    Advert,
    Body,
    Caller,
    Charter,
    Decline,
    Door,
    Form,
    Formation,
    FormationError,
    Handshake,
    Join,
    Message,
    Seat,
    Secrets,
    Signer,
    VersionMismatchError,
    bot_identity,
    make_body,
    message_bytes,
    read_body,
    read_message,
)

WAIT_FOR_TABLE = 60.0
"""Seconds that a guest waits for a table to appear."""
KICK_EVERY = 15.0
REPEAT = 1.0
"""Seconds after which a statement of a forming charter is sent again: it may have been lost."""
FORMATION_PATIENCE = 30.0
ATTEMPTS_PER_MINUTE = 5
"""Each attempt gives whoever sits between two players one guess at the three words; nobody needs more."""
LOCKED = " passphrase"
"""Ends the announcement of a table that takes a passphrase."""
WARN_AFTER = 20
"""Wrong passphrases after which the host is warned, and again after each doubling."""
LOBBY_MESSAGE = 8192
"""Bytes of the longest message of a lobby: a charter in the making with its hints takes 7,000."""
LOBBY = Allowance(10, 60, 1 << 16, 1 << 18)
"""Of one peer. A charter of five seats takes some 15 messages of each peer, then one a second."""
MAX_HINTS = 3
"""Addresses of a seat that a host may name, all of them near."""
REMEMBERED = 256
"""Peers of which it is remembered that they were sent away, or what they have sent."""

Report = Callable[[str], None]


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
        self.attempts: list[float] = []
        self._buckets: dict[bytes, Bucket] = {}
        self._told: set[str] = set()
        self._introduced: dict[tuple[bytes, str], None] = {}

    @property
    def now(self) -> float:
        """Return the time in seconds."""
        return asyncio.get_running_loop().time()

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell the player."""
        del peer
        self.once(text)

    def introduce(self, peer: bytes, name: str) -> bool:
        """Tell the player, once, whether it knows this peer; return whether that is a warning."""
        told, warning = recognise(self.home, peer, name)
        if (peer, name) not in self._introduced:
            self._introduced[peer, name] = None
            if len(self._introduced) > REMEMBERED:
                del self._introduced[next(iter(self._introduced))]
            self.report(ALARM + told if warning else told)
        return warning

    def once(self, text: str) -> None:
        """Tell the player, unless it was told before; a peer cannot fill the screen."""
        if text not in self._told and len(self._told) < REMEMBERED:
            self._told.add(text)
            self.report(text)

    def send(self, peer: bytes, message: Message) -> None:
        """Send a message; if it is lost, it is repeated later."""
        self.network.transport.send(peer, message_bytes(message))

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message, unless it is longer than any of a lobby or too many came before."""
        bucket = self._buckets.setdefault(peer, Bucket(LOBBY, self.now))
        if len(self._buckets) > REMEMBERED:
            del self._buckets[next(iter(self._buckets))]
        if not bucket.take(self.now, 1, len(data)):
            self.once(f"{self.network.transport.nick_of(peer)} sends more than is sensible; some of it is dropped.")
        elif len(data) <= LOBBY_MESSAGE:
            try:
                self.hear(peer, read_message(data))
            except FormationError as error:
                self.blame(self._culprit(error) or peer, error)
            except MalformedError as error:
                self.blame(peer, error)

    def hear(self, peer: bytes, message: Message) -> None:
        """Do what a message asks for. Raises MalformedError if its sender does not follow the protocol."""
        raise NotImplementedError

    def blame(self, peer: bytes, error: MalformedError) -> None:
        """Do what is due to a peer that does not follow the protocol."""
        raise NotImplementedError

    def _culprit(self, error: FormationError) -> bytes | None:
        """Return whose client has signed two different things, or None if whoever sent them is to blame."""
        if not (self.formation and error.seat):
            return None
        seats = self.formation.body.seats
        return seats[seats[error.seat - 1].operator - 1].id

    def may_attempt(self) -> bool:
        """Return whether another attempt may begin within this minute, and count it if so."""
        self.attempts = [when for when in self.attempts if self.now - when < 60]
        if len(self.attempts) >= ATTEMPTS_PER_MINUTE:
            return False
        self.attempts.append(self.now)
        return True

    def start(self, body: Body) -> None:
        """Begin an attempt to agree on `body`."""
        self.abandon()
        self.secrets = Secrets.from_seed(self.home.secret(body.attempt.hex()))
        self.signers = {
            number: self.network.identity
            if seat.id == self.network.identity.id
            else bot_identity(self.secrets.bots, number)
            for number, seat in enumerate(body.seats, 1)
            if body.seats[seat.operator - 1].id == self.network.identity.id
        }
        # Kept nowhere: a program that starts again must not show a nonce that somebody may know already.
        self.formation = Formation(body, self.signers, secrets.token_bytes(32))

    def abandon(self) -> None:
        """Give up the attempt under way, if there is one; what all have signed stays."""
        if self.formation and self.formation.charter is None:
            self.home.forget_secret(self.formation.body.attempt.hex())
            self.formation = None

    def merge(self, message: Value) -> None:
        """Take in what another one holds of this attempt; tell all if that was news. Raises FormationError."""
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
            seen = [self.network.sightings[id] for id in others if id in self.network.sightings]
            hints = tuple((one.id, address) for one in seen for address in one.addresses[:MAX_HINTS])
            for peer in others:
                self.send(peer, Form(self.formation.message(), hints))

    def refuse(self, text: str) -> None:
        """End the lobby because of what is at the other end."""
        self.fail(Failure(text, NETWORK))

    def fail(self, failure: Failure) -> None:
        """End the lobby."""
        if not self.done.done():
            self.done.set_exception(failure)

    async def wait(self) -> Formed | None:
        """Return the table once all have signed, or None if that takes longer than a second. Raises Failure."""
        if self.network.warning:
            self.once(self.network.warning)
        try:
            return await asyncio.wait_for(asyncio.shield(self.done), REPEAT)
        except TimeoutError:
            self.spread()
            return None
        except BaseException:
            self.abandon()
            raise


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
        passphrase: str | None = None,
    ) -> None:
        super().__init__(network, home, report)
        self.game = game
        self.options = options
        self.players = players
        self.bots = bots
        self.turn_time = turn_time
        self.guests: list[bytes] = []
        self.door = None if passphrase is None else Door(passphrase, network.identity.id, secrets.token_bytes)
        self._sent_away: dict[bytes, None] = {}
        self._warn_after = WARN_AFTER
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
        return f"{self.game.key} {taken}/{self.players}{LOCKED * bool(self.door)}" if taken < self.players else ""

    async def gather(self) -> Formed:
        """Wait until the table is full and all have signed."""
        self.network.handler = self
        await self.network.announce(self.hint)
        self._begin_if_full()
        beat = 0.0
        while True:
            formed = await self.wait()
            if formed:
                return formed
            self.tick()
            beat += REPEAT
            if beat >= KICK_EVERY:
                beat = 0.0
                await self.network.discovery.kick()

    def tick(self) -> None:
        """Do what is due after a while."""
        self._answer()
        if self.formation is None:
            self._begin_if_full()
        elif self.now - self._began > FORMATION_PATIENCE:
            self._drop_silent()

    def link(self, peer: bytes, up: bool) -> None:
        """Show the table to whoever comes; a guest that goes leaves its seat."""
        if up:
            self.send(peer, self._advert())
            return
        if self.door:
            self.door.forget(peer)
        if peer in self.guests:
            self._leave(peer, "has left")

    def hear(self, peer: bytes, message: Message) -> None:
        """Take in a message."""
        match message:
            case Join():
                self._join(peer)
            case Handshake() if self.door and peer not in self.guests:
                if self.door.hear(peer, message):
                    self._seat(peer)
                self._answer()
            case Form(held, _) if peer in self.guests:
                self.merge(held)

    def blame(self, peer: bytes, error: MalformedError) -> None:
        """Send a guest away, for good: who comes back only disturbs the others again."""
        del error
        if peer in self.guests:
            self._leave(peer, "does not follow the protocol and was sent away", for_good=True)

    def _join(self, peer: bytes) -> None:
        if peer in self.guests:
            self.spread()
        elif len(self.names) >= self.players or peer in self._sent_away:
            self.send(peer, Decline(FULL))
        elif self.door:
            self.send(peer, self.door.ask(peer))
        else:
            self._seat(peer)

    def _answer(self) -> None:
        """Answer the next guest that claims to know the passphrase, if one is due; warn of many wrong ones."""
        answer = self.door.answer(self.now) if self.door else None
        if self.door and answer:
            self.send(*answer)
            # The last answer may still be followed by the right tag.
            if self.door.wrong > self._warn_after:
                self.report(
                    f"{ALARM}{self._warn_after} wrong passphrases so far. If your friends did not mistype it,"
                    " somebody is guessing: host again with a longer one."
                )
                self._warn_after *= 2

    def _seat(self, peer: bytes) -> None:
        if len(self.names) >= self.players:
            self.send(peer, Decline(FULL))
            return
        self.guests.append(peer)
        name = self.network.transport.nick_of(peer)
        self.introduce(peer, name)
        self.report(f"{name} sits down: {len(self.names)} of {self.players}.")
        self._changed()

    def _leave(self, peer: bytes, how: str, *, for_good: bool = False) -> None:
        if self.done.done():
            return  # the table goes on without the lobby
        self.guests.remove(peer)
        broken = " What was being agreed on is void." if self.formation else ""
        self.report(f"{self.network.transport.nick_of(peer)} {how}: {len(self.names)} of {self.players}.{broken}")
        self.abandon()
        if for_good:
            self._sent_away[peer] = None
            if len(self._sent_away) > REMEMBERED:
                del self._sent_away[next(iter(self._sent_away))]
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
                self._leave(id, "did not sign in time and was sent away", for_good=True)
                return

    def _begin_if_full(self) -> None:
        if len(self.names) < self.players:
            return
        if not self.may_attempt():
            self.once(f"{ATTEMPTS_PER_MINUTE} attempts to begin within a minute have failed; going on a little later.")
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
        self._began = self.now
        self.start(make_body(NET, self.game, self.options, seats, attempt, self.turn_time))
        self.spread()
        assert self.formation
        self.merge(self.formation.message())

    def _advert(self) -> Advert:
        body = make_body(NET, self.game, self.options, (Seat(b"", "", 1),) * self.players, b"")
        locked = int(self.door is not None)
        return Advert(self.game.key, self.game.version, body.options, self.names, self.players, self.turn_time, locked)


class GuestLobby(_Lobby):
    """A guest asks one host for a seat and signs the charter that it fixes.

    With a `passphrase` only a host that knows it, too, is trusted. `ask` asks the player for one; it is given the name
    of the host.
    """

    def __init__(
        self,
        network: Network,
        home: Home,
        report: Report,
        host: bytes,
        passphrase: str | None = None,
        ask: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(network, home, report)
        self.host = host
        self.passphrase = passphrase
        self._ask = ask
        self._caller: Caller | None = None
        self._proven = False
        self._shown = ""

    async def gather(self, addresses: Sequence[str]) -> Formed:
        """Dial the host and wait until all have signed."""
        self.network.handler = self
        self.network.dial(self.host, addresses)
        if self.host in self.network.transport.linked():
            self.send(self.host, Join())
        deadline = self.now + WAIT_FOR_TABLE
        while True:
            formed = await self.wait()
            if formed:
                return formed
            if self.host not in self.network.transport.linked() and self.now > deadline:
                self.abandon()
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
            self.introduce(peer, self.network.transport.nick_of(peer))
            self.send(peer, Join())
        else:
            self.report("The host is gone; waiting for it to come back...")

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message."""
        try:
            super().receive(peer, data)
        except VersionMismatchError as error:
            self.refuse(f"{error}.")

    def hear(self, peer: bytes, message: Message) -> None:
        """Take in a message: of the host, or of another guest what it holds of the charter."""
        match message:
            case Advert() as advert if peer == self.host:
                self._show(advert)
                if not advert.locked:
                    self._distrust()
            case Decline(reason) if peer == self.host:
                what = "is full" if reason == FULL else "has begun its game"
                self.refuse(f"That table {what}. `p2p-stonehenge peers` lists the open ones.")
            case Handshake() if peer == self.host:
                self._shake(message)
            case Form((bytes(packed), *_) as held, hints):
                if peer == self.host:
                    self._distrust()
                    if not self.done.done() and (self.formation is None or self.formation.body.packed() != packed):
                        self._consider(packed, hints)
                if self.formation and peer in [seat.id for seat in self.formation.body.seats]:
                    self.merge(held)

    def blame(self, peer: bytes, error: MalformedError) -> None:
        """End if it is the host; another guest is for the host to send away, a stranger is nobody."""
        if peer == self.host:
            self.refuse(f"The host does not follow the protocol ({error}). Choose another table.")
        elif self.formation and peer in [seat.id for seat in self.formation.body.seats]:
            name = self.network.transport.nick_of(peer)
            self.once(f"{name} does not follow the protocol; the host has to begin again without it.")

    def _distrust(self) -> None:
        """End if this guest has a passphrase that the host has not shown to know."""
        if self.passphrase is not None and not self._proven:
            self.refuse(
                "That table takes no passphrase, so it is not the one that yours is for: somebody may use the host's"
                " name. To play there all the same, leave --passphrase out."
            )

    def _shake(self, message: Handshake) -> None:
        """Show the host that this guest knows the passphrase, once the host has shown it."""
        name = self.network.transport.nick_of(self.host)
        if message.tag and self._caller:
            answer = self._caller.meet(message)
            self._caller = None
            if answer is None:
                self.refuse(f"That is not the passphrase of {name}'s table: ask {name} for it, then type it again.")
            else:
                self._proven = True
                self.send(self.host, answer)
        elif not message.tag and not self.done.done():
            if self.passphrase is None and self._ask:
                self.passphrase = self._ask(name)
            if self.passphrase is None:
                self.refuse(f"{name}'s table takes a passphrase: add --passphrase and the words that {name} tells you.")
                return
            own, secret = self.network.identity.id, secrets.token_bytes(SHARE_BYTES)
            words = self.passphrase
            self._caller = Caller(words, guest=own, host=self.host, session=message.session, secret=secret)
            self.send(self.host, self._caller.greeting)

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
        if not self.may_attempt():
            self.once(f"The host began {ATTEMPTS_PER_MINUTE} times within a minute; taking part again a little later.")
            return
        if len(self.attempts) > 1:
            self.report("The host has changed the table: what was being agreed on is void, agreeing anew.")
        self.start(body)
        for number, seat in enumerate(body.seats, 1):
            if seat.operator == number and number not in own:
                self.introduce(seat.id, seat.name)
        roster = {seat.id for seat in body.seats} - {self.network.identity.id, self.host}
        for id in roster:
            known = self.network.sightings[id].addresses if id in self.network.sightings else ()
            hinted = [address for named, address in hints if named == id and is_near(address, self.network.interface)]
            self.network.dial(id, [*known, *hinted[:MAX_HINTS]])

    def _show(self, advert: Advert) -> None:
        game = all_games().get(advert.game)
        title = game.title if game else advert.game
        usual = {option.name: option_text(option.default) for option in game.options} if game else {}
        chosen = ", ".join(f"{name}={value}" for name, value in advert.options if usual.get(name) != value) or "none"
        taken = f"{', '.join(advert.names)} ({len(advert.names)} of {advert.seats})"
        limit = f"; each turn has {spell(advert.turn_time)}" if advert.turn_time else ""
        locked = "; takes a passphrase" if advert.locked else ""
        text = f"{title}; at the table: {taken}; options: {chosen}{limit}{locked}"
        if text != self._shown:
            self._shown = text
            self.report(text)
