"""The host's side of a table in the making: who gets a seat, and when all begin."""

import asyncio
import secrets
from collections import Counter
from itertools import islice

from engine import MalformedError
from p2p_stonehenge.bots.players import bot_names
from p2p_stonehenge.lobby.company import Company
from p2p_stonehenge.lobby.finding import easily_typed, join_told, opened_by
from p2p_stonehenge.lobby.known import met
from p2p_stonehenge.lobby.lobby import (
    ATTEMPTS_PER_MINUTE,
    KICK_EVERY,
    REMEMBERED,
    REPEAT,
    Formed,
    Lobby,
)
from p2p_stonehenge.lobby.setup import Setup
from p2p_stonehenge.lobby.telling import Report
from p2p_stonehenge.net.announced import Announced
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.screen.asking import Ask, agrees
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.agreed import short_id
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import Alarm
from protocol import (
    ATTEMPT_BYTES,
    SEED_BYTES,
    Advert,
    Decline,
    DeclineReason,
    Door,
    Form,
    Handshake,
    Join,
    Message,
    Seat,
    Secrets,
    Watch,
    Watchers,
    bot_identity,
    id_text,
)

FORMATION_PATIENCE, PATIENCE_WITH_A_QUEUE = 30.0, 10.0
"""Seconds that a guest has to sign, twice, and where others wait for its seat. No time runs out for a seat that is kept
for its player: nobody else can have it, and the player may be at a question."""
MAX_QUEUE = 8
"""Guests that wait for a seat, at the most."""
ADVICE = "If strangers take the seats, host again with --passphrase: then only people to whom you tell it get one."
TAG_WITHIN = 2.0
"""Seconds after an answer in which a guest who knows the passphrase shows it."""
STRANGERS_TOLD_OF = 3
"""Hosts never met before of whom a host reads that they wait for others too: at a party there are many."""
WARN_AFTER = 20
"""Wrong passphrases after which the host is warned, and again after each doubling."""


class HostLobby(Lobby):
    """A host waits until its table is full, then fixes the charter."""

    def __init__(
        self,
        network: Network,
        home: Home,
        report: Report,
        setup: Setup,
        company: Company | None = None,
        ask: Ask | None = None,
    ) -> None:
        """`company`: the players of the last table, for whom this one is; `ask` asks the player here about them."""
        super().__init__(network, home, report, company)
        self.setup = setup
        self._ask = ask
        self._waits_for: frozenset[bytes] = frozenset()
        """The players of the last table who are gone, and for whom the player here wants to wait."""
        self._kept_for = {*company.away} if company else set[bytes]()
        """Players who are gone, and keep their seats: the player here has decided that before this table was opened."""
        self.guests: list[bytes] = []
        self.queue: list[bytes] = []
        """Guests that wait for a free seat, in the order in which they came; `_next_of_queue` says who gets it."""
        self._had_seats: Counter[str] = Counter()
        """How often guests at each computer have sat down, by address."""
        self._met = met(home)
        self._strangers: set[bytes] = set()
        """Hosts of the same game, never met before, of whom the player was told."""
        series = setup.series((Seat(b"", "", 1),) * setup.players)
        self._match, self._after = series.match, "" if setup.origin else short_id(series.table)
        """The points that win the match, and what the table is called whose game the next one follows here, if any."""
        self.passphrase = words = setup.passphrase
        self.door = None if words is None else Door(words, network.identity.id, secrets.token_bytes)
        self._sent_away: dict[bytes, None] = {}
        self._silent: set[bytes] = set()
        """Guests that did not sign once."""
        self._warn_after = WARN_AFTER
        self._wrong, self._answered = 0, self.now
        """Wrong passphrases of which the player was told; when the last guest was answered."""
        self.gives_way_to: bytes | None = None
        """The player of the match who has opened its next game as well, and at whose table this client sits down."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return who sits at the table so far."""
        return (*map(self._name, self._people), *islice(bot_names(), self.setup.bots))

    @property
    def announcement(self) -> str:
        """Return the text that announces the table: `kingamon 1/2`."""
        setup = self.setup
        told = Announced(
            game=setup.game.key,
            seats=f"{len(self.names)}/{setup.players}",
            locked=bool(self.door),
            private=setup.watching.by == Watchers.NOBODY,
            after=self._after,
            match=0 if self._after else self._match,
            origin=short_id(setup.origin.table) if setup.origin else "",
        )
        return told.text

    async def gather(self) -> Formed:
        """Wait until the table is full and all have signed."""
        self.network.handler = self
        await self.network.announce(self.announcement)
        self._begin_if_full()
        beat = 0.0
        try:
            while True:
                formed = await self.wait()
                if formed:
                    return formed
                self.tick()
                beat += REPEAT
                if beat >= KICK_EVERY:
                    beat = 0.0
                    await self.network.discovery.kick()
        finally:
            self.questions.stop()
            begun = self.done.done() and not self.done.exception()
            moves = self._company and self._company.host != self.network.identity.id  # with its guests, to another host
            for guest in self.queue if begun or moves else (*self.guests, *self.queue):
                self.send(guest, Decline(DeclineReason.STARTED if begun else DeclineReason.CLOSED))

    def tick(self) -> None:
        """Do what is due after a while."""
        self._answer()
        self._tell_wrong()
        self._look_after_company()
        self._look_for_another()
        patience = PATIENCE_WITH_A_QUEUE if self.queue else FORMATION_PATIENCE
        if self.formation is None:
            self._begin_if_full()
        elif not self.setup.closed and self.now - self._began > patience:
            self._drop_silent()
        if self.setup.closed:
            self.tell_awaited()

    def awaited(self) -> str:
        """Return in words whose agreement is awaited, or who is at the last table still and has to come to this one."""
        company = self._company
        if self.formation or company is None:
            return super().awaited()
        return company.named(company.missing(self._people) - self._missing())

    def link(self, peer: bytes, up: bool) -> None:
        """Show the table to a peer that comes; a guest that goes leaves its seat."""
        if up:
            self._welcome(peer)
            self.send(peer, self._advert())
            return
        if self.door:
            self.door.forget(peer)
        if peer in self.queue:
            self._unqueue(peer)
        if peer in self.guests:
            self._leave(peer, "has left")

    def _look_after_company(self) -> None:
        """Ask the player whether to go on without those of the last table who are gone, if some are."""
        if self._company:
            sightings = self.network.sightings.values()
            self._company.note_elsewhere([one for one in sightings if one.id not in self.guests])
        missing = self._missing() - self._waits_for
        if missing and self._company and self._ask:
            self.questions.put(self._ask_about(missing, self._company, self._ask))

    def _look_for_another(self) -> None:
        """Show this table to the players of the match, which goes on here, who have opened one for its next game too.

        The first one by seats at the last table stays the host: the other client learns of this table by its advert,
        and gives way. Who is to come from the last table is shown this one until seated. Of two friends who have opened
        tables of one game, and wait for each other, the player with the greater id is told how; so are people who meet
        for the first time, in few lines.
        """
        setup = self.setup
        if self._company:
            for peer in self.network.transport.linked():
                if peer in self._company.last.charter.body.clients and peer not in self.guests:
                    self.send(peer, self._advert())
            return
        if not (setup.closed or setup.origin or self.guests):
            self._tell_of_hosts()
        if not setup.closed:
            return
        for one in opened_by({*setup.places}, setup.game.key, self._after, self.network.sightings):
            self.network.dial(one.id, one.addresses)
            self.send(one.id, self._advert())

    def _tell_of_hosts(self) -> None:
        """Tell the player here of those who wait at a table of the same game for others, and who goes to whom."""
        for one in self.network.sightings.values():
            table = one.announced
            waits = table and not (table.short_id or table.full or table.after) and table.game == self.setup.game.key
            known = self._knows(one.id)
            if waits and (known or one.id in self._strangers or len(self._strangers) < STRANGERS_TOLD_OF):
                self._strangers |= set() if known else {one.id}
                goes = f": Ctrl-C closes yours, then `{command_here()} join {easily_typed(one)}` sits down there."
                stays = f", and {quoted(one.nick)} reads how to sit down at yours."
                then = stays if self.network.identity.id < one.id else goes
                self.lines.once(f"{quoted(one.nick)} has opened a table of {self.setup.game.title} as well{then}")

    def _has_same_game(self, peer: bytes, advert: Advert) -> bool:
        """Return whether a peer hosts the same next game of the match, with a seat for this client."""
        own, setup = self._advert(), self.setup
        of_match = setup.closed and peer in setup.places
        same = (own.game, own.version, own.options, own.seats, own.origin, own.match)
        theirs = (advert.game, advert.version, advert.options, advert.seats, advert.origin, advert.match)
        return of_match and same == theirs and len(advert.names) < advert.seats

    def _missing(self) -> frozenset[bytes]:
        """Return the players of the last table who would play and are gone, or have left though a link still stands."""
        if not (company := self._company):
            return frozenset()
        return company.missing({self.network.identity.id, *self.network.transport.linked()} - company.departed)

    async def _ask_about(self, missing: frozenset[bytes], company: Company, ask: Ask) -> None:
        named, alone = company.named(missing), not company.enough_without(missing)
        if alone or missing <= self._kept_for - company.departed or not await agrees(ask, company.question(missing)):
            self._waits_for |= missing
            nobody = f"{company.gone(missing)}. " * alone
            back = f", by `{join_told(self.network.interface, self.network.nick)}`"
            solo = f"`{command_here()} solo {self.setup.game.key}`"
            then = f": then {company.way_on()}, {solo} plays against bots" * alone
            self.report(f"{nobody}Waiting for {named} to come back{back}. Ctrl-C leaves{then}.")
            return
        company.without |= missing & self._missing()
        _, self.setup = company.rematch()
        self._changed()
        if awaited := company.missing({self.network.identity.id, *self.guests}):
            self.report(f"Waiting for {company.named(awaited)}.")

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
            case Advert() as advert if self._company:
                self.give_way(peer, advert, self._company)
            case Advert() as advert if self._has_same_game(peer, advert):
                order = [*self.setup.places]  # by seats at the last table, as among those who have not left it
                if order.index(self.network.identity.id) < order.index(peer):  # it may be seen to host only later
                    self.send(peer, self._advert())
                    return
                name = self.called(peer)
                self.gives_way_to = peer
                self.refuse(f"{name} has opened a table for that game as well: you sit down there.")
            case Watch():
                private = self.setup.watching.by == Watchers.NOBODY
                self.send(peer, Decline(DeclineReason.PRIVATE) if private else self._advert())

    def blame(self, peer: bytes, error: MalformedError) -> None:
        """Send a guest that does not follow the protocol away, for good: it would disturb the others again."""
        del error
        if peer in self.guests:
            self._leave(peer, "does not follow the protocol and was sent away", for_good=True)

    def _welcome(self, peer: bytes) -> None:
        """Note that a player is here, who may have left the last table or been gone before."""
        self._waits_for -= {peer}
        self._kept_for.discard(peer)
        if self._company:
            self._company.departed.discard(peer)

    def _join(self, peer: bytes) -> None:
        self._welcome(peer)
        if peer in self.guests:
            self.send(peer, self._advert())  # the guest may not have heard that it got a seat
            self.spread()
        elif peer in self._sent_away or not self._is_for(peer):
            self.send(peer, self._advert())  # tells a table with free seats, which are kept, from a full one
            self.send(peer, Decline(DeclineReason.FULL))
        elif self.door:
            self.send(peer, self.door.ask(peer))
        else:
            self._seat(peer)

    def _is_for(self, peer: bytes) -> bool:
        """Return whether a guest may sit down at this table, where need be as one who is back in time."""
        if self._company and self._company.take_back(peer):
            self.setup = self._company.rematch().setup
        return not self.setup.closed or peer in self.setup.places

    def _answer(self) -> None:
        """Answer the next guest that claims to know the passphrase, if one is due; warn of many wrong ones."""
        answer = self.door.answer(self.now) if self.door else None
        if self.door and answer:
            self._answered = self.now
            self.send(*answer)
            # The last answer may still be followed by the right tag.
            if self.door.wrong > self._warn_after:
                told = f"{self._warn_after} wrong passphrases so far. If your friends did not mistype it, somebody is"
                self.report(Alarm(f"{told} guessing: host again with a longer one."))
                self._warn_after *= 2

    def _tell_wrong(self) -> None:
        """Tell the player of wrong passphrases: a friend may have mistyped it."""
        # The last answer may still be followed by the right tag.
        wrong = self.door.wrong - (self.now < self._answered + TAG_WITHIN) if self.door else 0
        if wrong > self._wrong and self.lines.tell("passphrases", f"Wrong passphrases so far: {wrong}."):
            self._wrong = wrong

    def _seat(self, peer: bytes) -> None:
        """Give a guest a seat, or a place in the queue for the next one."""
        if len(self.names) < self.setup.players:
            self.guests.append(peer)
            self._had_seats[self._computer(peer)] += 1
            self.network.transport.keep(peer, True)
            name = self.called(peer)
            self.introduce(peer, self.network.transport.nick_of(peer))
            told = f"{name} sits down: {len(self.names)} of {self.setup.players}.{self._with_fewer()}"
            self.lines.tell("seats", told)
            self._changed()
        elif peer in self.queue or self._make_room_for(peer):
            if peer not in self.queue:
                self.queue.append(peer)
                self.network.transport.keep(peer, True)
            self.send(peer, Decline(DeclineReason.QUEUED))
        else:
            self.send(peer, Decline(DeclineReason.FULL))

    def _with_fewer(self) -> str:
        """Return in a sentence how those begin who are here, where the game can be played by so many; or nothing."""
        here, setup = len(self.names), self.setup
        if here == setup.players or here not in setup.game.seats or setup.closed or setup.origin or self._company:
            return ""
        return f" To begin with {here}, close this table by Ctrl-C and host one with `--players {here}`."

    def _make_room_for(self, peer: bytes) -> bool:
        """Return whether the queue has a place for a guest, if need be that of another guest, who is sent away.

        That is the last one whom this player has not met, at the computer with most such guests. A guest who was not
        met either takes a place only from a computer that has more guests there.
        """
        if len(self.queue) < MAX_QUEUE:
            return True
        strangers = [one for one in reversed(self.queue) if not self._knows(one)]
        crowd = Counter(map(self._computer, strangers))
        worst = max(strangers, key=lambda one: crowd[self._computer(one)], default=None)
        if worst is None:
            return False
        if not self._knows(peer) and crowd[self._computer(worst)] <= crowd[self._computer(peer)] + 1:
            return False
        self._unqueue(worst)
        self.send(worst, Decline(DeclineReason.FULL))
        return True

    def _next_of_queue(self) -> bytes:
        """Return who gets the free seat: whom this player has met, else who comes from a computer that had fewest."""
        return min(self.queue, key=lambda one: (not self._knows(one), self._had_seats[self._computer(one)]))

    def _knows(self, peer: bytes) -> bool:
        return id_text(peer) in self._met

    def _computer(self, peer: bytes) -> str:
        return self.network.transport.where(peer).rpartition(":")[0]

    def _unqueue(self, peer: bytes) -> None:
        self.queue.remove(peer)
        self.network.transport.keep(peer, False)

    def _leave(self, peer: bytes, how: str, *, for_good: bool = False) -> None:
        if self.done.done():
            return  # the table goes on without the lobby
        self.guests.remove(peer)
        self.network.transport.keep(peer, False)
        broken = " What was being agreed on is void." if self.formation else ""
        name = self.called(peer)
        self.lines.tell("seats", f"{name} {how}: {len(self.names)} of {self.setup.players}.{broken}")
        self.abandon()
        if for_good:
            self._sent_away[peer] = None
            if len(self._sent_away) > REMEMBERED:
                del self._sent_away[next(iter(self._sent_away))]
            self.network.transport.hang_up(peer)
        if self.queue:
            first = self._next_of_queue()
            self._unqueue(first)
            self._seat(first)
        else:
            self._changed()

    def _changed(self) -> None:
        for peer in self.network.transport.linked():
            self.send(peer, self._advert())
        self._begin_if_full()
        announcing = asyncio.ensure_future(self.network.announce(self.announcement))
        announcing.add_done_callback(lambda task: task.exception())

    def _drop_silent(self) -> None:
        """Take the seat of a guest that did not sign: it goes to the end of the queue, and at its second time away.

        A friend of the table that goes on here may be at a question, and keeps the seat while nobody else wants it.
        """
        assert self.formation
        for seat in self.formation.awaited:
            id = self.formation.body.seats[seat - 1].id
            if id in self.guests and (self.queue or id not in self.setup.places):
                if id in self._silent:
                    self._leave(id, "did not sign in time and was sent away", for_good=True)
                else:
                    self._silent.add(id)
                    then = "has to wait for another seat" if self.queue else "is asked once more"
                    self._leave(id, f"did not sign in time and {then}")
                    self._seat(id)
                if not self.door:
                    self.lines.once(ADVICE)
                return

    def _begin_if_full(self) -> None:
        if len(self.names) < self.setup.players:
            return
        if not self.take_attempt():
            self.lines.once(
                f"{ATTEMPTS_PER_MINUTE} attempts to begin within a minute have failed; going on a little later."
            )
            return
        attempt, seed = secrets.token_bytes(ATTEMPT_BYTES), secrets.token_bytes(SEED_BYTES)
        kept = Secrets.from_seed(seed)
        people = self._seated()
        host = people[self.network.identity.id]
        taken = {number: Seat(id, self._name(id), number) for id, number in people.items()}
        left = [number for number in range(1, self.setup.players + 1) if number not in taken]
        called = {number: name for number, name in self.setup.bots_called.items() if number in left}
        names = (name for name in bot_names() if name not in called.values())
        for number in left:
            name = called.get(number) or next(names)
            taken[number] = Seat(bot_identity(kept.bots, number).id, name, host)
        self.start(self.setup.body(tuple(taken[number] for number in sorted(taken)), attempt), seed)
        self.spread()
        assert self.formation
        self.merge(self.formation.message())

    @property
    def _people(self) -> list[bytes]:
        """Return the ids of the host and the guests that have a seat."""
        return [self.network.identity.id, *self.guests]

    def _seated(self) -> dict[bytes, int]:
        """Return who sits where: on the place that was named, else on the first seat that is free and plays."""
        ids, places = self._people, self.setup.places
        seats = self.setup.body().live()
        seated = {id: places[id] for id in ids if places.get(id) in seats}
        free = [number for number in seats if number not in seated.values()]
        return seated | dict(zip([id for id in ids if id not in seated], free, strict=False))

    def _name(self, id: bytes) -> str:
        return self.network.nick if id == self.network.identity.id else self.network.transport.nick_of(id)

    def _advert(self) -> Advert:
        body = self.setup.body()
        origin, ply = (body.origin.table, len(body.origin.actions)) if body.origin else (b"", 0)
        game, locked = (body.game, body.version, body.options), int(self.door is not None)
        seats, time = (self.names, len(body.seats)), body.turn_time
        return Advert(*game, *seats, time, locked, origin, ply, body.watching, body.series.match)
