"""The guest's side of a table in the making: asking for a seat, and what a host may propose."""

import asyncio
import secrets
from collections.abc import Collection, Iterable, Sequence

from engine import MalformedError, all_games, counted, option_text
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby.company import Company
from p2p_stonehenge.lobby.lobby import (
    ANSWERS_WITHIN,
    ATTEMPTS_PER_MINUTE,
    MAX_HINTS,
    NO_ANSWER_YET,
    WAIT_FOR_TABLE,
    Formed,
    Lobby,
)
from p2p_stonehenge.lobby.objections import NOTHING_HELD, Objection, OwnFiles, Proposal, files_matter
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.telling import Report
from p2p_stonehenge.lobby.terms import Terms, match_limit, time_limit
from p2p_stonehenge.net.announced import Announced
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.network import is_near
from p2p_stonehenge.screen.asking import Ask, agrees, ask_passphrase
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import short_id, watchers_told
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import Alarm
from p2p_stonehenge.text.times import spell
from protocol import (
    NET,
    Advert,
    Body,
    Decline,
    DeclineReason,
    Form,
    Handshake,
    Join,
    Knock,
    Message,
    NotIn,
    VersionMismatchError,
    Watch,
    is_bot_name,
    passes_for_bot,
    read_body,
)

_VALUES = {"true": "", "false": " no"}
"""How an option that is set, or is not although it usually is, is told behind its name."""
WAIT_FOR_SEAT = 60.0
"""Seconds that the client of a bot waits for a seat to become free: no person sits there to leave."""


class GuestLobby(Lobby):
    """A guest asks one host for a seat and signs the charter that it fixes.

    With a `passphrase` only a host that knows it, too, is trusted. `ask` asks the player; None if no person sits here:
    then what would have to be asked is refused. `announced` is the table as the host announced it.
    A guest of the `company` of the last table asks until it is seated: its host may open the table only later.
    `offered`: the table of this client's own for the same game, for which it sits down at the host's. `given_up`:
    the random bytes of the attempts in which this client has taken part, also in lobbies before this one.
    """

    def __init__(
        self,
        network: Network,
        home: Home,
        report: Report,
        host: bytes,
        passphrase: str | None = None,
        ask: Ask | None = None,
        announced: Announced | None = None,
        *,
        company: Company | None = None,
        offered: Setup | None = None,
        given_up: set[bytes] | None = None,
    ) -> None:
        super().__init__(network, home, report, company)
        self.host = host
        self.passphrase = passphrase
        self._ask = ask
        self._announced = announced
        self._missed = False
        """Whether the player was told that the host is gone."""
        self._types_passphrase = False
        """Whether the player is at the question for the passphrase."""
        self._terms: Terms | None = None
        """What the player sat down to: as the host advertised it first, or as the player has agreed to since."""
        self._offered = offered
        self._deadline = self.now + WAIT_FOR_TABLE
        self._answers_by = self.now + ANSWERS_WITHIN
        self._knock = Knock(network.identity.id, secrets.token_bytes)
        self._proven = False
        self._sits = False
        """Whether the host has told that a player of this name has a seat: an advert has no more than names."""
        self._has_seats = False
        """Whether the host has told of free seats: a table that declines all the same keeps them for its players."""
        self.closed = False
        """Whether the host has closed the table before the game began."""
        self._given_up: set[bytes] = set() if given_up is None else given_up
        self._agreed_to: set[Objection] = set()
        """What a charter may have otherwise than it would have to be: the player has agreed to that."""
        self._compared: Body | None = None
        """The charter that was compared last, and to which there is no objection, without what differs each time."""

    async def gather(self, addresses: Sequence[str]) -> Formed:
        """Dial the host and wait until all have signed."""
        self.network.handler = self
        self.network.dial(self.host, addresses)
        if self.host in self.network.transport.linked():
            self.send(self.host, Join())
        try:
            while True:
                formed = await self.wait()
                if formed:
                    return formed
                self.tick()
                if self.host in self.network.transport.linked():
                    continue
                if self._company:  # the player is asked about the host, and no time runs out for that
                    continue
                if self.now > self._answers_by and self.host in self.network.sightings:
                    self.lines.once(NO_ANSWER_YET.format(quoted(self.network.sightings[self.host].nick)))
                if self.now > self._deadline:
                    self.abandon()
                    raise Failure(
                        "The host does not answer. Check that both computers are on one network and that no"
                        f" firewall blocks Python; `{command_here()} join HOST:PORT` goes to an address directly.",
                        NETWORK,
                    )
        finally:
            self.questions.stop()

    def tick(self) -> None:
        """Do what is due after a while: ask for a seat that the host may give only now, or about a host who is gone."""
        if self._company:
            if self.host in self.network.transport.linked():
                if self.formation:
                    self.tell_awaited()
                    return
                self.send(self.host, Join())
                if self.now > self._answers_by and not self._sits:
                    name = self._company.named({self.host})
                    self.lines.once(f"Waiting for {name}, who may be at a question about the next game. Ctrl-C leaves.")
            elif not self._company.enough_without(self._company.lost_with(self.host)):
                self._miss_host()
            elif self._ask:
                self.questions.put(self._ask_without_host(self._company, self._ask))

    def link(self, peer: bytes, up: bool) -> None:
        """Ask for a seat as soon as the host is reached."""
        if up and self._company:
            self._company.departed.discard(peer)
        if peer != self.host:
            if up:
                self.spread()
        elif up:
            self._missed = False
            self.introduce(peer, self.network.transport.nick_of(peer))
            self.send(peer, Join())
        else:
            self._deadline = self.now + WAIT_FOR_TABLE
            self._answers_by = self._deadline
            self._miss_host()

    def _miss_host(self) -> None:
        """Tell the player, once until it is back, that the host is gone; of a company without others the lobby ends."""
        if self._missed or self._types_passphrase:  # a host keeps no link to a guest without a seat
            return
        self._missed = True
        if company := self._company:
            lost = company.lost_with(self.host)
            if not company.enough_without(lost):  # else the player is asked
                if self.host in company.departed:
                    self.refuse(f"{company.gone(lost)}. {company.way_on()}.")
                else:
                    self._take_over(company)
            return
        name = self.called(self.host)
        self.lines.tell("gone", f"{name} is gone: waiting up to a minute for {name} to come back. Ctrl-C leaves.")

    def _take_over(self, company: Company) -> None:
        """End this lobby: the next of the players opens the table, at which the host who is gone keeps a seat."""
        company.away.add(self.host)
        self.refuse(f"{company.named({self.host})} is gone: the next player at the table opens it.")

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
            case Advert() as advert if self._company:
                self.give_way(peer, advert, self._company)
            case Decline(reason) if peer == self.host:
                self._declined(reason)
            case Handshake() if peer == self.host:
                self._shake(message)
            case Watch() if self._company:  # it follows from the table before, and the host has to tell of this one
                self.send(peer, Decline(DeclineReason.PRIVATE))
            case Form((bytes(packed), *_) as held, hints):
                if peer == self.host:
                    self._distrust()
                    if not self.done.done() and (self.formation is None or self.formation.body.packed() != packed):
                        self._consider(packed, hints)
                if self.formation and peer in [seat.id for seat in self.formation.body.seats]:
                    self.merge(held)

    def blame(self, peer: bytes, error: MalformedError) -> None:
        """End the lobby if `peer` is the host. Guests are sent away by the host, strangers are ignored."""
        if peer == self.host:
            self.refuse(f"The host does not follow the protocol ({error}). Choose another table.")
        elif self.formation and peer in [seat.id for seat in self.formation.body.seats]:
            name = self.called(peer)
            self.lines.once(f"{name} does not follow the protocol; the host has to begin again without it.")

    def _declined(self, reason: int) -> None:
        name = self.called(self.host)
        if reason == DeclineReason.QUEUED:
            stay = "Ctrl-C leaves." if self._ask else f"Waiting {spell(round(WAIT_FOR_SEAT))}."
            self.lines.once(f"All seats at {name}'s table are taken; you get the next one that becomes free. {stay}")
            if self._ask is None:
                asyncio.get_running_loop().call_later(WAIT_FOR_SEAT, self._give_up, name)
        elif reason == DeclineReason.CLOSED:
            self.closed = True
            what = f"{name} has closed the table before the game began"
            self.refuse(f"{what}. `{command_here()} join` looks for another.")
        else:
            begun = f"has begun its game: `{command_here()} watch {name}` looks on, if that table may be watched"
            kept = f"is kept for the players of its {'match' if self._terms and self._terms.match else 'last game'}"
            full = kept if self._has_seats and not self._company else "is full"
            what = full if reason == DeclineReason.FULL else begun
            self.refuse(f"That table {what}. `{command_here()} peers` lists the open ones.")

    def _give_up(self, name: str) -> None:
        if self.formation is None:
            self.refuse(f"No seat at {name}'s table became free. `{command_here()} peers` lists the open ones.")

    def _distrust(self) -> None:
        """End if this guest has a passphrase that the host has not shown to know."""
        if self.passphrase is not None and not self._proven:
            self.refuse(
                "That table takes no passphrase, and you gave one: another player may be using the host's"
                " name. To play there all the same, leave --passphrase out."
            )

    def _shake(self, message: Handshake) -> None:
        """Show the host that this guest knows the passphrase, once the host has shown it."""
        name = self.called(self.host)
        if self.done.done() and not message.tag:
            return
        match self._knock.hear(self.host, message, self.passphrase):
            case Handshake() as answer:
                self._proven |= bool(answer.tag)
                self.send(self.host, answer)
            case NotIn.WRONG_PASSPHRASE if self._ask is None:
                self.refuse(f"That is not the passphrase of {name}'s table: ask {name} for it, then type it again.")
            case NotIn.WRONG_PASSPHRASE:
                self.passphrase = None
                self.report(f"That is not the passphrase of {name}'s table: ask {name} for it.")
                self.send(self.host, Join())
            case NotIn.NEEDS_PASSPHRASE if self._ask is not None:
                self.questions.put(self._ask_passphrase(self._ask, name))
            case NotIn.NEEDS_PASSPHRASE:
                self.refuse(f"{name}'s table takes a passphrase: join at a terminal, or add --passphrase.")

    async def _ask_passphrase(self, ask: Ask, host: str) -> None:
        """Ask for the passphrase; then the host puts its own question again."""
        self._types_passphrase = True
        try:
            self.passphrase = await ask_passphrase(ask, f"The passphrase of {host}'s table")
        finally:
            self._types_passphrase = False
        if self.host not in self.network.transport.linked():
            self._miss_host()
        self.send(self.host, Join())

    def _consider(self, packed: bytes, hints: tuple[tuple[bytes, str], ...]) -> None:
        """Check a charter that the host proposes, and take part in it."""
        body = read_body(packed)
        if fault := charter_fault(body, self.network.identity.id, self.host):
            raise MalformedError(fault)
        if self._company and (missing := self._company.missing(body.clients)):
            self.questions.put(self._ask_without(missing, self._company))
            return
        own = body.clients[self.network.identity.id]
        called = body.seats[own - 1].name
        if called != self.network.nick:  # the others would keep this player's key under that name
            host = self.called(self.host)
            names = f"you are called {quoted(called)}, not {self.network.nick}"
            self.refuse(f"{host} proposes a table at which {names}. Choose another table.")
            return
        if body.attempt in self._given_up:
            # Whoever still takes part in it holds this client's commitment, and would read another one as a breach.
            self.lines.once(f"{self.called(self.host)} proposes once more what was given up.")
            return
        if not self._accepts(body):
            return
        if not self.take_attempt():
            self.lines.once(
                f"The host began {ATTEMPTS_PER_MINUTE} times within a minute; taking part again a little later."
            )
            return
        if len(self.attempts) > 1:
            told = "The players or the terms are others now: what was being agreed on is void. Agreeing anew."
            self.lines.tell("rounds", told)
        self._given_up.add(body.attempt)
        self.start(body)
        for number, seat in enumerate(body.seats, 1):
            if seat.operator == number != own:
                self.introduce(seat.id, seat.name)
        roster = {seat.id for seat in body.seats} - {self.network.identity.id, self.host}
        for id in roster:
            known = self.network.sightings[id].addresses if id in self.network.sightings else ()
            hinted = [address for named, address in hints if named == id and is_near(address, self.network.interface)]
            self.network.dial(id, [*known, *hinted[:MAX_HINTS]])

    def _accepts(self, body: Body) -> bool:
        """Return whether there is no objection to a charter, or the player has agreed to all; if not, ask or refuse.

        The host proposes it again, when the player has agreed or the own files were read.
        """
        if _but_for_attempt(body) == self._compared:
            return True
        agreed = self._company.setup(body.clients) if self._company else self._offered
        terms = Terms.offered(agreed) if agreed else self._terms
        if terms is None:  # the table was shown before this guest looked
            self.send(self.host, Join())
            return False
        announced, name = self._announced, self.called(self.host)
        proposal = Proposal(body, name, self.network.identity.id, terms, agreed, announced.after if announced else "")
        if files_matter(body, agreed):
            self.questions.put(self._compare(proposal))
            return False
        if objections := self._not_agreed_to(proposal, proposal.objections(NOTHING_HELD)):
            self.questions.put(self._put_objections(proposal, objections))
            return False
        return True

    async def _compare(self, proposal: Proposal) -> None:
        """Compare a charter with this player's own files, and ask the player where it differs."""
        held = await asyncio.to_thread(OwnFiles.of, proposal.body, self.home, proposal.own)
        # To compare takes as long as the longest saved game.
        objections = self._not_agreed_to(proposal, await asyncio.to_thread(lambda: [*proposal.objections(held)]))
        if objections:
            await self._put_objections(proposal, objections)
        if not objections or self._ask is None:
            if remark := proposal.remark(held):
                self.lines.once(remark)
            self.send(self.host, Join())  # the host proposes it again at once, not only after a second

    def _not_agreed_to(self, proposal: Proposal, objections: Iterable[Objection]) -> list[Objection]:
        """Return the objections that the player has not agreed to; where there are none, keep that."""
        found = [one for one in objections if one not in self._agreed_to]
        if not found:
            self._compared = _but_for_attempt(proposal.body)
        return found

    async def _put_objections(self, proposal: Proposal, objections: Sequence[Objection]) -> None:
        """Ask the player whether to sign in spite of them. Raises Failure where that is refused."""
        if final := [one.text for one in objections if one.final]:
            raise Failure(final[0], NETWORK)
        if self._ask is None and (grave := [one.text for one in objections if not one.slight]):
            raise Failure(" ".join([*grave, "Nobody is here to agree to that."]), NETWORK)
        for one in objections:
            self.report(Alarm(one.text) if one.alarm else one.text)
        if self._ask and not await agrees(self._ask, "Play at that table all the same?"):
            raise Failure(f"You did not agree to that table. `{command_here()} peers` lists the open ones.", NETWORK)
        self._agreed_to.update(objections)
        self._compared = _but_for_attempt(proposal.body)
        if self._terms:
            self._terms = Terms.proposed(proposal.body)

    async def _ask_without(self, missing: frozenset[bytes], company: Company) -> None:
        """Ask the player whether to play without players of the last table; the host proposes that again."""
        if self._ask is None or not await agrees(self._ask, company.question(missing)):
            raise _disagreed(company, missing)
        company.without |= missing

    async def _ask_without_host(self, company: Company, ask: Ask) -> None:
        """Ask the player whether to play without the host, who is gone; if so, this lobby ends."""
        if not await agrees(ask, company.question({self.host})):
            if self.host in company.departed:  # a player who comes back does not find the table of a guest
                raise _disagreed(company, {self.host})
            if self.host not in self.network.transport.linked():
                self._take_over(company)
        elif self.host not in self.network.transport.linked():
            company.without |= {self.host}
            self.refuse(f"{company.named({self.host})} is gone.")

    def _show(self, advert: Advert) -> None:
        self._has_seats = len(advert.names) < advert.seats
        self._sits = self.network.nick in advert.names
        if self._terms is None and not self._company:
            self._terms = Terms.advertised(advert)
            if self._announced and self._announced.game != advert.game:
                name = self.called(self.host)
                self.refuse(f"{name} has another game than the one that was announced. Choose another table.")
                return
        game = all_games().get(advert.game)
        title = game.title if game else advert.game
        usual = {option.name: option_text(option.default) for option in game.options} if game else {}
        others = [(name, value) for name, value in advert.options if usual.get(name) != value]
        chosen = ", ".join(f"{name}{_VALUES.get(value, f' {value}')}" for name, value in others)
        rules = f"options: {chosen}" if chosen else "the usual rules"
        taken = f"{', '.join(advert.names)} ({len(advert.names)} of {advert.seats})"
        clients = advert.seats - sum(map(is_bot_name, advert.names))
        limit = f"; time: {time_limit(advert.turn_time, clients)}" if advert.turn_time else ""
        locked = "; takes a passphrase" if advert.locked else ""
        goes_on = (
            f"; goes on from table {short_id(advert.origin)} after {counted(advert.ply, 'action')}"
            if advert.origin
            else ""
        )
        watched = f"; may watch: {watchers_told(advert.watching)}"
        match = f"; {match_limit(advert.match, game)}" if advert.match else ""
        text = f"{title}; at the table: {taken}; {rules}{match}{limit}{locked}{watched}{goes_on}"
        more = advert.seats - len(advert.names)
        if more and self._sits:
            text += f". Waiting for {more} more" + "; Ctrl-C leaves" * (self._ask is not None)
        self.lines.news("advert", text)


def charter_fault(body: Body, own: bytes, host: bytes) -> str:
    """Return what is wrong with a charter that `host` proposes to the player with the id `own`; else nothing."""
    ids = [seat.id for seat in body.seats]
    if body.kind != NET or host not in ids or ids.count(own) != 1 or own not in body.clients:
        return "a charter without a seat for this player"
    if any(passes_for_bot(body.seats[number - 1].name) for number in body.clients.values()):
        return "a charter with a player called like a bot"
    hosts = ids.index(host) + 1
    if any(seat.operator not in (number, hosts) for number, seat in enumerate(body.seats, 1)):
        # Who plays a bot answers for what is signed with its key, which the host could keep.
        return "a charter with a bot that another player than the host plays"
    return ""


def _but_for_attempt(body: Body) -> Body:
    """Return a charter without what differs in each attempt: its random bytes, and the keys of bots."""
    seats = tuple(one if one.operator == at else one._replace(id=b"") for at, one in enumerate(body.seats, 1))
    return body._replace(attempt=b"", seats=seats)


def _disagreed(company: Company, ids: Collection[bytes]) -> Failure:
    """Return why the player plays at no table: not without these players of the last one."""
    return Failure(f"You did not agree to play without {company.named(ids)}. {company.way_on()}.", NETWORK)
