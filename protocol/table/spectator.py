"""A client that watches a table: which player it asks, what it holds, and what is checked of that.

It asks one player at a time, and the next one when that player is gone, refuses, or sends what cannot be. Everything
that it is sent goes through the checks of a player's own copy, so no player can show it a move that was not made.
"""

from collections.abc import Callable, Iterator

from engine import MalformedError, Value, encode
from protocol.cards import MASKED_DECK, DeckScheme
from protocol.events import causes_first
from protocol.file import charter_record, event_record, proof_record
from protocol.formation import (
    NET,
    SHARE_BYTES,
    Caller,
    Charter,
    Handshake,
    VersionMismatchError,
    read_charter,
)
from protocol.identity import ED25519, Verifier
from protocol.messages import PROOFS_LIMIT, Advert, Decline, Events, Form, Watch, message_bytes, read_message
from protocol.table.effects import (
    Blame,
    Folded,
    Gathering,
    Locked,
    Refused,
    Send,
    Sight,
    Turned,
)
from protocol.table.gallery import A_TURN_BYTES, Hints
from protocol.table.held import PeerFaultError
from protocol.table.news import News
from protocol.table.table import Table

ASK_EVERY = 4.0
"""Seconds between two questions: a lost message is noticed within them."""
ANSWERED_WITHIN = 15.0
"""Seconds in which a player answers: with the passphrase it can take as many as others knock."""
REACHED_WITHIN = 5.0
"""Seconds in which a link to a player comes up, before the next player is asked."""
CAUGHT_UP = A_TURN_BYTES // 2
"""Bytes of events in one message below which nothing more is to come at once."""
PAUSE, LONGEST_PAUSE = 5.0, 60.0
"""Seconds before a player is asked again, once all have been asked; after each refusal twice as long."""


class Spectator:
    """Watches one table. `own`: the id of this client; `random(n)` returns n fresh bytes."""

    def __init__(
        self,
        own: bytes,
        player: bytes,
        random: Callable[[int], bytes],
        passphrase: str | None = None,
        verifier: Verifier = ED25519,
        scheme: DeckScheme = MASKED_DECK,
    ) -> None:
        self.table: Table | None = None
        """This client's copy, once a player has let it in."""
        self.player = player
        """The id of the player who is asked."""
        self.passphrase = passphrase
        self.admitted = False
        """Whether this player sends what it has."""
        self.caught_up = False
        """Whether a player had nothing more to send for the moment."""
        self._own, self._random = own, random
        self._verifier, self._scheme = verifier, scheme
        self._linked: set[bytes] = set()
        self._hints: dict[bytes, tuple[str, ...]] = {}
        self._pause = PAUSE
        self._failed: set[bytes] = set()
        """The players that have failed since one has answered last."""
        self._caller: Caller | None = None
        self._locked = False
        """Whether this client waits for its player to type the passphrase."""
        self._news: News | None = None
        self._due = 0.0
        """When to ask again."""
        self._until: float | None = None
        """By when the player has to answer, None before the next look at the clock."""
        self.now = 0.0

    @property
    def players(self) -> tuple[bytes, ...]:
        """Return the ids of the players' clients, as far as they are known."""
        if self.table is None:
            return (self.player,)
        return tuple(id for id in self.table.charter.body.clients if id != self._own)

    def file(self) -> bytes:
        """Return a saved game with all that this client was shown; empty before it was let in."""
        if self.table is None:
            return b""
        held = self.table.held
        events = causes_first(one for chain in held.chains for one in chain)
        records = [*map(event_record, events), *map(proof_record, held.proofs)]
        return b"".join([charter_record(self.table.charter), *records])

    def link(self, peer: bytes, up: bool) -> list[Sight]:
        """Note a link that came up or went down."""
        (self._linked.add if up else self._linked.discard)(peer)
        if peer != self.player:
            return []
        if up or self.admitted:  # a link that goes down in a pause ends no pause
            self._until = None
        self.admitted, self._caller = False, None
        return [self._ask()] if up else []

    def ask(self) -> list[Sight]:
        """Ask again at once: messages were lost, or the passphrase is known now."""
        self._locked, self._until = False, None
        return [self._ask()] if self.player in self._linked else []

    def tick(self, now: float) -> list[Sight]:
        """Do what is due by time; to be called about once a second."""
        self.now = now
        if self._locked:
            return []
        linked = self.player in self._linked
        if self._until is None:
            self._until = now + (ANSWERED_WITHIN if linked else REACHED_WITHIN)
        if now >= self._until:
            return self._turn()
        return [self._ask()] if linked and now >= self._due and not self._caller else []

    def receive(self, peer: bytes, data: bytes, now: float) -> Iterator[Sight]:
        """Take in a message; only what the player who is asked says is looked at."""
        self.now = now
        if peer != self.player:
            return
        try:
            message = read_message(data)
            if isinstance(message, Advert | Handshake | Form | Events):
                self._until = now + ANSWERED_WITHIN
            match message:
                case Advert():
                    yield Gathering(message)
                case Handshake():
                    yield from self._shake(message)
                case Form((bytes(packed), _, nonces, signatures), hints):
                    yield from self._begin(packed, nonces, signatures, hints)
                case Events(table, events) if self.table and table == self.table.id:
                    yield from self._take(self.table, events)
                case Decline(reason):
                    self._pause = min(2 * self._pause, LONGEST_PAUSE)
                    yield Refused(peer, reason)
                    yield from self._turn()
        except (MalformedError, VersionMismatchError) as error:
            yield from self._blame(str(error))
        except PeerFaultError as error:
            yield from self._blame(error.reason)

    # The player who is asked.

    def _ask(self) -> Send:
        self._due = self.now + ASK_EVERY
        table = self.table
        if table is None:
            return Send(self.player, message_bytes(Watch()))
        lengths = tuple(map(len, table.held.chains))
        proofs = tuple((proof.kept.seat, proof.kept.number) for proof in table.held.proofs[:PROOFS_LIMIT])
        return Send(self.player, message_bytes(Watch(table.id, lengths, proofs)))

    def _blame(self, reason: str) -> Iterator[Sight]:
        yield Blame(self.player, reason)
        yield from self._turn()

    def _turn(self) -> list[Sight]:
        """Ask the next player; once all have failed, pause before the next round."""
        self._failed.add(self.player)
        self.admitted, self._caller = False, None
        players = self.players
        at = players.index(self.player) if self.player in players else -1
        others = [*players[at + 1 :], *players[: at + 1]]
        found = next((player for player in others if player not in self._failed), None)
        pause = 0.0 if found else self._pause
        if found is None:
            self._failed.clear()
            found = others[0]
        self.player, self._due, self._until = found, self.now + pause, self.now + pause + REACHED_WITHIN
        return [Turned(found, self._hints.get(found, ()), pause)]

    def _shake(self, message: Handshake) -> Iterator[Sight]:
        """Show the player that this client knows the passphrase, once the player has shown it."""
        if not message.tag:
            self._caller = None
            if self.passphrase is None:
                yield from self._lock(wrong=False)
                return
            names = {"guest": self._own, "host": self.player, "session": message.session}
            self._caller = Caller(self.passphrase, **names, secret=self._random(SHARE_BYTES))
            yield Send(self.player, message_bytes(self._caller.greeting))
        elif self._caller:
            answer = self._caller.meet(message)
            self._caller = None
            if answer is None:
                yield from self._lock(wrong=True)
                return
            yield Send(self.player, message_bytes(answer))
            yield self._ask()

    def _lock(self, *, wrong: bool) -> Iterator[Sight]:
        """Wait for the passphrase; once it has let this client in elsewhere, this player's table has another one."""
        if self.table is not None:
            yield from self._turn()
        else:
            self.passphrase, self._locked = None, True
            yield Locked(self.player, wrong)

    # What it sends.

    def _begin(self, packed: bytes, nonces: Value, signatures: Value, hints: Hints) -> Iterator[Sight]:
        """Take in the charter: the first one makes the table, later ones must be the same."""
        charter = self._charter(packed, nonces, signatures)
        if self.table is None:
            self.table = Table(charter, {}, None, self._verifier, self._scheme)
            self._news = News(self.table)
        for id, address in hints:
            if id in self.players and address not in (known := self._hints.get(id, ())):
                self._hints[id] = (*known[-1:], address)
        yield self._ask()

    def _charter(self, packed: bytes, nonces: Value, signatures: Value) -> Charter:
        if self.table is not None:
            known = self.table.charter
            if (packed, nonces) != (known.body.packed(), known.nonces):
                raise MalformedError("the charter of another table")
            return known
        charter = read_charter(encode((packed, nonces, signatures)), self._verifier)
        if charter.body.kind != NET or self.player not in [seat.id for seat in charter.body.seats]:
            raise MalformedError("the charter of a table at which this player has no seat")
        return charter

    def _take(self, table: Table, events: tuple[tuple[bytes, bytes], ...]) -> Iterator[Sight]:
        """Take in events, which are checked as a player checks them."""
        self.admitted, self._pause = True, PAUSE
        self._failed.clear()
        self.caught_up |= sum(len(raw) for raw, _ in events) < CAUGHT_UP
        for raw, signature in events:
            accepted = table.receive(raw, signature)
            yield Folded()
            yield from self._news.of(accepted) if self._news else ()
