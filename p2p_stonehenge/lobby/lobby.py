"""From strangers to a table: what host and guests share until all have signed a charter."""

import asyncio
import secrets
from collections.abc import Callable
from typing import NamedTuple

from engine import MalformedError, Value, listed
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby.company import Company
from p2p_stonehenge.lobby.known import recognise
from p2p_stonehenge.lobby.telling import Lines, Prompts, Report
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.shares import Bucket, Limits
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import Alarm
from protocol import (
    CHARTER_LIMIT,
    SEED_BYTES,
    Advert,
    Body,
    Charter,
    Form,
    Formation,
    FormationError,
    Message,
    Secrets,
    Signer,
    bot_identity,
    message_bytes,
    read_message,
)

WAIT_FOR_TABLE = 60.0
"""Seconds that a guest waits for a table to appear."""
ANSWERS_WITHIN = 4.0
"""Seconds until a player reads that another one, who is seen, does not answer."""
LONG_AWAITED = 60.0
"""Seconds until those who wait for a player's agreement read how they can play without that player."""
KICK_EVERY = 15.0
"""Seconds between two calls of `Discovery.kick`, while others are awaited."""
REPEAT = 1.0
"""Seconds after which a statement of a forming charter is sent again: it may have been lost."""
ATTEMPTS_PER_MINUTE = 5
"""Each attempt gives an attacker between two players one guess at the three words; honest players need no more."""
LOBBY_MESSAGE = CHARTER_LIMIT + 4096
"""Bytes of the longest message of a lobby: a charter in the making with its hints takes 7,000."""
LOBBY = Limits(10, 60, 1 << 16, 1 << 18)
"""Of one peer. A charter of five seats takes some 15 messages of each peer, then one a second."""
MAX_HINTS = 3
"""Addresses of a seat that a host may name, all of them near."""
REMEMBERED = 256
"""Entries of each list that is kept of peers: those sent away, those introduced, what each has sent."""

NO_ANSWER_YET = "{} is seen, but does not answer yet: trying for up to a minute. Ctrl-C leaves."


class Formed(NamedTuple):
    """A table that all have signed: what is needed to sit down at it."""

    charter: Charter
    signers: dict[int, Signer]
    secrets: Secrets
    formation: Value
    passphrase: str | None


class Lobby:
    """One formation under way, and everybody who takes part in it."""

    def __init__(self, network: Network, home: Home, report: Report, company: Company | None = None) -> None:
        """`company`: the players of the last table, where they play again."""
        self.network = network
        self.home = home
        self.report = report
        self._company = company
        self.passphrase: str | None = None
        """The words that host and guests of this table know."""
        self.formation: Formation | None = None
        self.done: asyncio.Future[Formed] = asyncio.get_running_loop().create_future()
        self.signers: dict[int, Signer] = {}
        self.attempts: list[float] = []
        self.lines = Lines(report, lambda: self.now)
        self.questions = Prompts(self.fail)
        self._began = self.now
        self._told_awaited = 0
        """How often the player here was told, in this attempt, whose agreement is awaited."""
        self._buckets: dict[bytes, Bucket] = {}
        self._introduced: dict[tuple[bytes, str], None] = {}

    @property
    def now(self) -> float:
        """Return the time in seconds."""
        return asyncio.get_running_loop().time()

    def loss(self, peer: bytes) -> None:
        """Do nothing: every statement in a lobby is repeated."""

    def trouble(self, peer: bytes | None, text: str, stands: Callable[[], bool] = lambda: True) -> None:
        """Tell the player here of a trouble, but of none with a player who has left or without whom others play."""
        del stands  # a line that is printed stays
        company = self._company
        if peer is None or company is None or peer not in company.departed | company.without:
            self.lines.once(text)

    def called(self, peer: bytes) -> str:
        """Return what sentences call a peer."""
        return quoted(self.network.transport.nick_of(peer))

    def introduce(self, peer: bytes, name: str) -> bool:
        """Tell the player, once, whether it knows this peer; return whether that is a warning."""
        told, warning = recognise(self.home, peer, name)
        if (peer, name) not in self._introduced and self.lines.tell(
            "warnings" if warning else "people", Alarm(told) if warning else told
        ):
            self._introduced[peer, name] = None
            if len(self._introduced) > REMEMBERED:
                del self._introduced[next(iter(self._introduced))]
        return warning

    def awaited(self) -> str:
        """Return in words whose agreement is awaited."""
        seats = self.formation.body.seats if self.formation else ()
        unsigned = self.formation.awaited if self.formation else ()
        return listed([seats[seat - 1].name for seat in unsigned if seats[seat - 1].operator == seat])

    def tell_awaited(self) -> None:
        """Tell the player, in each attempt soon and after a while, who is awaited, and what can be done.

        There is no limit for an agreement among friends.
        """
        due = sum(self.now > self._began + after for after in (ANSWERS_WITHIN, LONG_AWAITED))
        if due <= self._told_awaited:
            return
        self._told_awaited, named = due, self.awaited()
        if named and due > 1:
            another = f"`{command_here()} host` opens a table for those who play without {named}"
            self.lines.tell("awaited", f"Still waiting for {named}. Wait on, or leave with Ctrl-C: then {another}.")
        elif named and self.formation:
            told = f"Waiting for {named} to agree: {named} may be at a question about this table. Ctrl-C leaves."
            self.lines.tell("awaited", told)

    def send(self, peer: bytes, message: Message) -> None:
        """Send a message; if it is lost, it is repeated later."""
        self.network.transport.send(peer, message_bytes(message))

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message, unless it is longer than any of a lobby or too many came before."""
        bucket = self._buckets.setdefault(peer, Bucket(LOBBY, self.now))
        if len(self._buckets) > REMEMBERED:
            del self._buckets[next(iter(self._buckets))]
        if not bucket.take(self.now, 1, len(data)):
            self.lines.once(f"{self.called(peer)} sends more than is sensible; some of it is dropped.")
        elif len(data) <= LOBBY_MESSAGE:
            try:
                message = read_message(data)
                if self._company and (said := self._company.hear(peer, message)):
                    self.lines.tell(f"chat {peer.hex()}", said)
                self.hear(peer, message)
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
        """Return the id of the client that signed two different statements, None if the sender of these is to blame."""
        if not (self.formation and error.seat):
            return None
        seats = self.formation.body.seats
        return seats[seats[error.seat - 1].operator - 1].id

    def take_attempt(self) -> bool:
        """Return whether another attempt may begin within this minute, and count it if so."""
        self.attempts = [when for when in self.attempts if self.now - when < 60]
        if len(self.attempts) >= ATTEMPTS_PER_MINUTE:
            return False
        self.attempts.append(self.now)
        return True

    def start(self, body: Body, seed: bytes = b"") -> None:
        """Begin an attempt to agree on `body`; `seed`: of this client's secrets, if some were needed before."""
        self.abandon()
        self._began, self._told_awaited = self.now, 0
        # On the disk once all have signed, under the name of the table, which no other table can have: each client's
        # own random bytes are in it.
        self.secrets = Secrets.from_seed(seed or secrets.token_bytes(SEED_BYTES))
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
            self.formation = None

    def merge(self, message: Value) -> None:
        """Take in what another client holds of this attempt; tell all if that was news. Raises FormationError."""
        if not (self.formation and isinstance(message, tuple) and message[:1] == self.formation.message()[:1]):
            return
        if self.formation.merge(message):
            self.spread()
        charter = self.formation.charter
        if charter and not self.done.done():
            self.home.new_secret(charter.table, self.secrets.kept(charter.table))
            self._warn_of(charter)
            formed = Formed(charter, self.signers, self.secrets, self.formation.message(), self.passphrase)
            self.done.set_result(formed)

    def _warn_of(self, charter: Charter) -> None:
        """Warn of players at the table that were not introduced, because too many others were.

        A seat that plays no more has the name of the player who left it, and a key of the host's.
        """
        body = charter.body
        for seat in (body.seats[number - 1] for number in body.live()):
            told, warning = recognise(self.home, seat.id, seat.name)
            if warning and (seat.id, seat.name) not in self._introduced and seat.id != self.network.identity.id:
                self.report(Alarm(told))

    def spread(self) -> None:
        """Send all that this client holds of the attempt to every other seat of the charter."""
        if self.formation:
            own = self.network.identity.id
            others = [seat.id for seat in self.formation.body.seats if seat.id != own]
            hints = tuple((id, address) for id in others for address in self._places(id))
            for peer in others:
                self.send(peer, Form(self.formation.message(), hints))

    def _places(self, peer: bytes) -> tuple[str, ...]:
        """Return where a peer is: where it is linked, also where nobody is seen, then where it is seen."""
        network = self.network
        linked, sighting = network.transport.where(peer), network.sightings.get(peer)
        seen = sighting.addresses if sighting else ()
        return tuple(dict.fromkeys((*filter(None, (linked,)), *seen)))[:MAX_HINTS]

    def give_way(self, peer: bytes, advert: Advert, company: Company) -> None:
        """End this lobby if a player of the last table who comes before the host has opened the table.

        Not while a charter is being signed: others may hold all signatures already. The table is shown again.
        """
        if self.formation is None and company.leads_to(peer, advert, self.network.sightings.get(peer)):
            self.refuse(f"{self.called(peer)} is back and has opened the table: you sit down there.")

    def refuse(self, text: str) -> None:
        """End the lobby with a reason that lies with another client or the network."""
        self.fail(Failure(text, NETWORK))

    def fail(self, failure: Failure) -> None:
        """End the lobby."""
        if not self.done.done():
            self.done.set_exception(failure)

    async def wait(self) -> Formed | None:
        """Return the table once all have signed, or None if that takes longer than a second. Raises Failure."""
        if self.network.warning:
            self.lines.once(self.network.warning)
        try:
            async with asyncio.timeout(REPEAT):
                return await asyncio.shield(self.done)
        except TimeoutError:
            self.spread()
            return None
        except BaseException:
            self.abandon()
            raise
