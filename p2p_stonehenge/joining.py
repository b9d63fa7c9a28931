"""The guest's side of a table in the making: asking for a seat, and what a host may propose."""

import secrets
from collections.abc import Callable, Sequence

from engine import MalformedError, all_games, option_text
from p2p_stonehenge.client import Network
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.home import Home
from p2p_stonehenge.lobby import (
    ATTEMPTS_PER_MINUTE,
    MAX_HINTS,
    WAIT_FOR_TABLE,
    Formed,
    Lobby,
    Report,
)
from p2p_stonehenge.network import is_near
from p2p_stonehenge.style import spell
from protocol import (
    FULL,
    NET,
    SHARE_BYTES,
    Advert,
    Caller,
    Decline,
    Form,
    Handshake,
    Join,
    Message,
    VersionMismatchError,
    read_body,
)


class GuestLobby(Lobby):
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
