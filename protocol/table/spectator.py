"""A client that watches a table: which player it asks, what it holds, and what is checked of that.

The spectator asks one player at a time, and the next one when that player is gone, refuses, or sends what no honest
client sends. Everything that it is sent goes through the checks of a player's own copy, so no player can show it a move
that was not made.
"""

from collections.abc import Callable, Iterator
from enum import Enum

from engine import MalformedError, Value, encode
from protocol.cards import MASKED_DECK, DeckScheme
from protocol.file import charter_record, event_record, proof_record
from protocol.formation import (
    NET,
    Charter,
    Clock,
    Handshake,
    Knock,
    NotIn,
    VersionMismatchError,
    read_charter,
)
from protocol.identity import ED25519, Verifier
from protocol.messages import (
    PROOFS_LIMIT,
    Advert,
    Attendance,
    Chat,
    Decline,
    Events,
    Form,
    Talk,
    Watch,
    message_bytes,
    read_message,
)
from protocol.table.effects import (
    AskNext,
    Blame,
    Folded,
    Gathering,
    PassphraseNeeded,
    Refused,
    Send,
    Sight,
    Store,
    ToldSpectator,
)
from protocol.table.gallery import A_TURN_BYTES, UNCONFIRMED, Hints
from protocol.table.held import PeerFaultError
from protocol.table.news import News
from protocol.table.table import Table
from protocol.table.turn_time import TurnTime

ASK_EVERY = 4.0
"""Seconds between two questions: a lost message is noticed within them."""
ASK_AFTER = UNCONFIRMED // 4
"""Bytes of events after which the spectator says at once what it holds: a player sends few more before it has."""
ANSWERED_WITHIN = 15.0
"""Seconds in which a player answers: with the passphrase it can take as many as others knock."""
REACHED_WITHIN = 5.0
"""Seconds in which a link to a player comes up, before the next player is asked."""
CAUGHT_UP = A_TURN_BYTES // 2
"""Bytes of events in one message below which nothing more is to come at once."""
KEPT_LIMIT = 32 << 20
"""Bytes of events that are kept of one table, as of some 60,000 actions: a player with all keys could sign more."""
PAUSE, LONGEST_PAUSE = 5.0, 60.0
"""Seconds before a player is asked again, once all have been asked; after each refusal twice as long."""


class Stage(Enum):
    """How far this client has come with the player who is asked."""

    OUTSIDE = 1
    """The player has not let it in."""
    AT_QUESTION = 2
    """The person at this client is asked for the passphrase."""
    ADMITTED = 3
    """The player sends what it has."""


class Spectator:
    """Watches one table. `own`: the id of this client; `random(n)` returns n fresh bytes.

    With `before`, the charter of a table that is over, it waits for the next table of the same players. `seen` returns
    what this client has kept of a table that it was shown before, None of another one.
    """

    def __init__(
        self,
        own: bytes,
        player: bytes,
        random: Callable[[int], bytes],
        passphrase: str | None = None,
        verifier: Verifier = ED25519,
        scheme: DeckScheme = MASKED_DECK,
        before: Charter | None = None,
        seen: Callable[[Charter], Table | None] = lambda _: None,
    ) -> None:
        self.table: Table | None = None
        """This client's copy, once a player has let it in."""
        self.player = player
        """The id of the player who is asked."""
        self.passphrase = passphrase
        self._stage = Stage.OUTSIDE
        self.caught_up = False
        """Whether a player had nothing more to send for the moment."""
        self._own = own
        self._verifier, self._scheme = verifier, scheme
        self._before, self._seen = before, seen
        self._turn_time: TurnTime | None = None
        self._clock: tuple[int, float] | None = None
        """The latest word of the player who is asked: after how many actions, and when the turn time ends."""
        self._linked: set[bytes] = set()
        self._hints: dict[bytes, tuple[str, ...]] = {}
        self._pause = PAUSE
        self._failed: set[bytes] = set()
        """The players that have failed since one has answered last."""
        self._knock = Knock(own, random)
        self._news: News | None = None
        self._kept = 0
        """Bytes of events that are kept."""
        self._unsaid = 0
        """Bytes of events that have come since it was said last which ones are held."""
        self._due = 0.0
        """When to ask again."""
        self._until: float | None = None
        """By when the player has to answer, None before the next look at the clock."""
        self.now = 0.0

    @property
    def admitted(self) -> bool:
        """Return whether the player who is asked sends what it has."""
        return self._stage is Stage.ADMITTED

    @property
    def players(self) -> tuple[bytes, ...]:
        """Return the ids of the players' clients, as far as they are known."""
        known = self.table.charter if self.table else self._before
        if known is None:
            return (self.player,)
        return tuple(id for id in known.body.clients if id != self._own)

    @property
    def seconds_left(self) -> float | None:
        """Return how many seconds of the turn time are left, None where no time runs or nobody can say.

        With a time for each turn this client counts from when it saw the turn begin; the word of the player it watches
        through can shorten that, never lengthen it. With clocks only that word is known.
        """
        table, body = self.table, self.table.charter.body if self.table else None
        if table is None or body is None or not body.turn_time or body.watching.delay or self._turn_time is None:
            return None
        own, said = self._turn_time.seconds_left(self.now), None
        if self._clock and self._clock[0] == table.fold.position.plies and own is not None:
            said = max(0.0, self._clock[1] - self.now)
        if isinstance(body.turn_time, Clock):
            return said
        return own if said is None or own is None else min(own, said)

    def say(self, text: str) -> list[Sight]:
        """Say a line of chat to the player who is asked, who passes it on; nothing where that player lets nobody in."""
        if self.table is None or not self.admitted:
            return []
        return [Send(self.player, message_bytes(Chat(self.table.id, text)))]

    def link(self, peer: bytes, up: bool) -> list[Sight]:
        """Note a link that came up or went down."""
        (self._linked.add if up else self._linked.discard)(peer)
        if peer != self.player:
            return []
        if up or self.admitted:  # a link that goes down in a pause ends no pause
            self._until = None
        if self.admitted:
            self._stage = Stage.OUTSIDE
        self._knock.leave()
        return [self._ask()] if up else []

    def ask(self) -> list[Sight]:
        """Ask again at once: messages were lost, or the passphrase is known now."""
        self._stage, self._until = Stage.ADMITTED if self.admitted else Stage.OUTSIDE, None
        return [self._ask()] if self.player in self._linked else []

    def tick(self, now: float) -> list[Sight]:
        """Do what is due by time; to be called at least once a second."""
        self.now = now
        if self._turn_time:
            self._turn_time.late(now)
        if self._stage is Stage.AT_QUESTION:
            return []
        linked = self.player in self._linked
        if self._until is None:
            self._until = now + (ANSWERED_WITHIN if linked else REACHED_WITHIN)
        if now >= self._until:
            return self._turn()
        return [self._ask()] if linked and now >= self._due and not self._knock.waits else []

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
                case Attendance(table) | Talk(table) if self.admitted and self.table and table == self.table.id:
                    yield from self._hear(message)
                case Decline(reason):
                    if self._before is None or self.table:  # else the next table may be opened at any moment
                        self._pause = min(2 * self._pause, LONGEST_PAUSE)
                    yield Refused(peer, reason)
                    yield from self._turn()
        except (MalformedError, VersionMismatchError, PeerFaultError) as error:
            yield from self._blame(str(error))

    # The player who is asked.

    def _ask(self) -> Send:
        self._due, self._unsaid = self.now + ASK_EVERY, 0
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
        self._stage, self._clock = Stage.OUTSIDE, None
        self._knock.leave()
        players = self.players
        at = players.index(self.player) if self.player in players else -1
        others = [*players[at + 1 :], *players[: at + 1]]
        found = next((player for player in others if player not in self._failed), None)
        pause = 0.0 if found else self._pause
        if found is None:
            self._failed.clear()
            found = others[0]
        before, self.player = self.player, found
        self._due, self._until = self.now + pause, self.now + pause + REACHED_WITHIN
        return [AskNext(before, found, self._hints.get(found, ()), pause)]

    def _shake(self, message: Handshake) -> Iterator[Sight]:
        """Show the player that this client knows the passphrase, once the player has shown it."""
        match self._knock.hear(self.player, message, self.passphrase):
            case Handshake() as answer:
                yield Send(self.player, message_bytes(answer))
                if answer.tag:
                    yield self._ask()
            case NotIn() as why:
                yield from self._lock(wrong=why is NotIn.WRONG_PASSPHRASE)

    def _lock(self, *, wrong: bool) -> Iterator[Sight]:
        """Wait for the passphrase; once it has let this client in elsewhere, this player's table has another one."""
        if self.table is not None:
            yield from self._turn()
        else:
            self.passphrase, self._stage = None, Stage.AT_QUESTION
            yield PassphraseNeeded(self.player, wrong)

    # What it sends.

    def _begin(self, packed: bytes, nonces: Value, signatures: Value, hints: Hints) -> Iterator[Sight]:
        """Take in the charter: the first one makes the table, later ones must be the same."""
        charter = self._charter(packed, nonces, signatures)
        if self._before and charter.table == self._before.table:  # the player is still at the table before
            yield from self._turn()
            return
        if self.table is None:
            self.table = self._seen(charter)
            if self.table is None:
                self.table = Table(charter, {}, None, self._verifier, self._scheme)
                yield Store(charter_record(charter), sync=True)
            self._news, self._turn_time = News(self.table), TurnTime(self.table)
            self._kept = sum(len(event.raw) for chain in self.table.held.chains for event in chain)
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
        if self._before and not {*charter.body.clients} <= {*self._before.body.clients}:
            raise MalformedError("the charter of a table with other players")
        return charter

    def _hear(self, message: Attendance | Talk) -> Iterator[Sight]:
        """Take in what the player says beside the game."""
        if isinstance(message, Attendance):
            self._clock = None if message.seconds_left is None else (message.plies, self.now + message.seconds_left)
        elif not (
            self.table and self.table.charter.body.watching.talk and message.seat <= len(self.table.fold.operators)
        ):
            return
        yield ToldSpectator(self.player, message)

    def _take(self, table: Table, events: tuple[tuple[bytes, bytes], ...]) -> Iterator[Sight]:
        """Take in events, which are checked as a player checks them."""
        self._stage, self._pause = Stage.ADMITTED, PAUSE
        self._failed.clear()
        self.caught_up |= sum(len(raw) for raw, _ in events) < CAUGHT_UP
        for raw, signature in events:
            if self._kept > KEPT_LIMIT:
                raise PeerFaultError("more events than a client that watches keeps")
            proofs = len(table.held.proofs)
            accepted = table.receive(raw, signature)
            self._kept += sum(len(event.raw) for event in accepted)
            if records := [*map(proof_record, table.held.proofs[proofs:]), *map(event_record, accepted)]:
                yield Store(b"".join(records), sync=False)
            yield Folded()
            yield from self._news.of(accepted) if self._news else ()
        self._unsaid += sum(len(raw) for raw, _ in events)
        if self._unsaid >= ASK_AFTER:
            yield self._ask()
