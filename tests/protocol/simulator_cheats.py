"""Clients that do not keep to the program. Each runs the real one, with other things coming out of it."""

import copy
from typing import TYPE_CHECKING, Any

from simulator import Client
from simulator_plan import Cheat
from simulator_watch import events_sent

from protocol import Chat, Events, Have, Head, Node, Send, message_bytes, read_message
from protocol._event import (
    COMMITMENT,
    KEY,
    MOVE,
    OPENING,
    PLEDGE,
    RESIGN,
    RESULT,
    REVELATION,
    SEATS_LIMIT,
    SEQUENCE,
    SHARES,
    SHUFFLE,
    TURN,
    VOTE,
    WISH,
    SignedEvent,
    make_event,
)
from protocol._replica import PENDING_LIMIT
from protocol._wire import event_batches

if TYPE_CHECKING:
    from simulator import Network


_OF_CHANCE = (COMMITMENT, OPENING, REVELATION, PLEDGE, KEY, SHUFFLE, SHARES)


class Cheater(Client):
    """A client whose `way` begins at some time and is used a few times."""

    def __init__(self, network: "Network", operator: int, cheat: Cheat) -> None:
        super().__init__(network, operator)
        self.honest = False
        self.cheat = cheat
        self.left = cheat.times

    @property
    def begun(self) -> bool:
        return self.network.now >= self.cheat.at

    @property
    def due(self) -> bool:
        """Whether to cheat now; to be asked once for each chance to."""
        if self.begun and self.left and not self.network.quiet:
            self.left -= 1
            return True
        return False

    def tick(self) -> Any:
        effects = list(super().tick())
        if self.begun and self.left and not self.network.quiet and self.network.rng.random() < 0.5:
            self.left -= 1
            effects += self.mischief() or []
        return effects

    def mischief(self) -> Any:
        """Do something bad once; return effects."""

    def victim(self, other: Client) -> bool:
        return other.operator in self.cheat.victims

    def forge(self, kind: int, body: Any, **other: Any) -> SignedEvent:
        """An event of its own seat that its program would not sign now."""
        table, seat = self.table, self.operator
        fold = table.fold
        fields = {"heads": table.heads, "slot": fold.position.slot, "digest": fold.digest} | other
        return make_event(
            self.signers[seat], table.id, seat, fields["heads"], fields["slot"], fields["digest"], kind, body
        )

    def publish(self, *events: SignedEvent) -> Any:
        """Take events into its own table and send them to all."""
        for event in events:
            self.table.receive(event.raw, event.signature)
        self.broadcast(*events)
        return self.node.start()

    def broadcast(self, *events: SignedEvent) -> None:
        for batch in event_batches(self.table.id, list(events)):
            for other in self.network.clients:
                if other is not self:
                    self.network.send(self, other, batch)

    def body(self, kind: int) -> Any:
        """A well-shaped body of a kind, at random."""
        rng, table = self.network.rng, self.table
        seat = self.operator
        match kind:
            case 1:
                legal = table.game.legal(table.view(seat), seat) or ("nonsense", "A1-A2", "draw")
                text = rng.choice((*legal, "resign", "nonsense"))
                return (text, *self.body(6)) if rng.random() < 0.2 else (text,)
            case 4:
                return (rng.randrange(2),)
            case 5 | 9:
                return (rng.randbytes(32),)
            case 6 | 16:
                return rng.randbytes(32), rng.randbytes(32), rng.randbytes(32)
            case 10:
                return rng.randbytes(32), rng.randbytes(64)
            case 11:
                return rng.randbytes(64 * 61), rng.randbytes(300)
            case 12:
                return rng.randbytes(32), rng.randbytes(96)
            case 7:
                return (rng.randbytes(96 * rng.randint(1, 15)),) if rng.random() < 0.5 else ()
        return ()


class Fork(Cheater):
    """Signs two versions of an event and shows its victims the second."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._twins: dict[bytes, SignedEvent] = {}
        self._seen: set[bytes] = set()

    def outgoing(self, other: Client, data: bytes) -> Any:
        events = events_sent(data)
        shown = []
        for event in events:
            if event.seat == self.operator and event.hash not in self._seen:
                self._seen.add(event.hash)
                if self.due:
                    self._twins[event.hash] = self._twin(event)
            shown.append(self._twins.get(event.hash, event) if self.victim(other) else event)
        return event_batches(self.table.id, shown) if events else (data,)

    def _twin(self, event: SignedEvent) -> SignedEvent:
        rng, table = self.network.rng, self.table
        kind = rng.choice((event.kind, event.kind, RESIGN, WISH, SEQUENCE))
        signer = self.signers[event.seat]
        while True:
            body = self.body(kind)
            twin = make_event(signer, table.id, event.seat, event.heads, event.slot, event.digest, kind, body)
            if twin.hash != event.hash:
                return twin
            kind = WISH


class Split(Cheater):
    """Runs twice with one key from some time on: one program for its victims, another for the rest."""

    _second: Node | None = None

    def _side(self, other: Client) -> Node:
        return self._second if self._second and self.victim(other) else self.node

    def _from(self, side: Node | None, effects: Any) -> Any:
        by_id = self.network.by_id
        return [one for one in effects if isinstance(one, Send) and self._side(by_id[one.peer]) is side]

    def link(self, other: Client, up: bool) -> Any:
        side = self._side(other)
        return self._from(side, side.link(other.id, up))

    def receive(self, other: Client, data: bytes) -> Any:
        side = self._side(other)
        return self._from(side, side.receive(other.id, data, self.clock))

    def tick(self) -> Any:
        if self.begun and not self._second:
            self._second = copy.deepcopy(self.node)
        effects = self._from(self.node, self.node.tick(self.clock))
        if self._second:
            effects += self._from(self._second, self._second.tick(self.clock)) + self.play()
        return effects

    def play(self) -> Any:
        effects = self._from(self.node, super().play())
        if self._second and not self.network.quiet:
            first, self.node = self.node, self._second
            played = super().play()
            self.node = first
            effects += self._from(self._second, played)
        return effects


class Withhold(Cheater):
    """Keeps back what it owes, and all that it signs after: from everybody, or from its victims alone."""

    _from_number: int | None = None

    def outgoing(self, other: Client, data: bytes) -> Any:
        events = events_sent(data)
        if self._from_number is None and self.begun:
            fresh = [event for event in events if event.seat == self.operator]
            # Times says what it likes to keep back: anything, or what chance needs.
            if fresh and (self.left % 2 or fresh[-1].slot.kind != TURN):
                self._from_number = fresh[-1].number
        if self._from_number is None or (self.left > 2 and not self.victim(other)):
            return (data,)
        if events:
            shown = [one for one in events if one.seat != self.operator or one.number < self._from_number]
            return event_batches(self.table.id, shown)
        message = read_message(data)
        if isinstance(message, Have):
            at, last = self.operator - 1, self._from_number - 1
            if message.heads[at].length > last:
                hash = self.table.chains[at][last - 1].hash if last else b""
                heads = (*message.heads[:at], Head(last, hash), *message.heads[at + 1 :])
                return (message_bytes(Have(message.table, heads)),)
        return (data,)

    def tick(self) -> Any:
        return self.node.tick(self.clock)


class Illegal(Cheater):
    """Signs what the rules refuse: an unlawful move, a false reveal, a wrong proof."""

    def mischief(self) -> Any:
        fold = self.table.fold
        machine = fold.position.machine
        kind = machine.contribution if machine else MOVE
        if kind == COMMITMENT and self.network.rng.random() < 0.5:
            kind = OPENING
        return self.publish(self.forge(kind, self.body(kind)))


class WrongDigest(Cheater):
    """Signs for another state than the one that everybody has."""

    def mischief(self) -> Any:
        kind = self.network.rng.choice((MOVE, MOVE, SEQUENCE, COMMITMENT, RESULT))
        return self.publish(self.forge(kind, self.body(kind), digest=self.network.rng.randbytes(32)))


class Chain(Cheater):
    """Forges chains: heads that nobody holds, that go back, or are not closed; numbers that do not follow."""

    def mischief(self) -> Any:
        rng, heads = self.network.rng, list(self.table.heads)
        at = rng.randrange(len(heads))
        length = heads[at].length + rng.choice((-3, -1, 0, 1, 2, 300))
        heads[at] = Head(length, rng.randbytes(32)) if length > 0 else Head(0, b"")
        if rng.random() < 0.3:
            at = self.operator - 1
            heads = [head if n == at else Head(0, b"") for n, head in enumerate(heads)]
        kind = rng.choice((MOVE, SEQUENCE, WISH, RESIGN))
        self.broadcast(self.forge(kind, self.body(kind), heads=tuple(heads)))


class Spam(Cheater):
    """Signs many events that nobody asked for, and repeats old ones."""

    def mischief(self) -> Any:
        rng = self.network.rng
        for _ in range(rng.choice((5, 20))):
            kind = rng.choice((WISH, SEQUENCE, MOVE, *_OF_CHANCE, RESULT))
            event = self.forge(kind, self.body(kind))
            self.table.receive(event.raw, event.signature)
            self.broadcast(event)
        own = self.table.chains[self.operator - 1]
        if own:
            self.broadcast(*rng.choices(own, k=10))
        return self.node.start()


class Garbage(Cheater):
    """Sends bytes: noise, changed messages, others' events changed, heads without sense."""

    def mischief(self) -> Any:
        rng, table = self.network.rng, self.table
        events = [event for chain in table.chains for event in chain]
        heads = tuple(Head(rng.randrange(1, 2**31), rng.randbytes(32)) for _ in table.chains)
        messages = [
            rng.randbytes(rng.randrange(200)),
            message_bytes(Have(table.id, heads)),
            message_bytes(Have(table.id, heads[1:])),
            message_bytes(Have(table.id, (Head(0, b""),) * len(heads))),
            message_bytes(Chat(table.id, "hello")),
            message_bytes(Have(rng.randbytes(32), table.heads)),
        ]
        if events:
            event = rng.choice(events)
            changed = bytearray(event.raw)
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            messages.append(message_bytes(Events(table.id, ((bytes(changed), event.signature),))))
            messages.append(message_bytes(Events(table.id, ((event.raw, rng.randbytes(64)),))))
        for other in self.network.clients:
            if other is not self:
                for message in rng.choices(messages, k=3):
                    self.network.send(self, other, message)


class Noise(Cheater):
    """Signs anything for any slot, and shows it to its victims first."""

    def mischief(self) -> Any:
        rng, position = self.network.rng, self.table.fold.position
        slot = position.slot._replace(step=max(0, position.slot.step + rng.choice((0, 0, -1, 1, 2))))
        kind = position.machine.contribution if position.machine else MOVE
        if rng.random() < 0.5:
            kind = rng.choice((SEQUENCE, RESIGN, WISH, *_OF_CHANCE, RESULT))
        return self.publish(self.forge(kind, self.body(kind), slot=slot))


class Flood(Cheater):
    """Signs far more than anybody can use, numbers that nobody waits for among it."""

    def mischief(self) -> Any:
        self.left = 0
        heads = self.table.heads
        at = self.operator - 1
        for ahead in range(0, 2 * PENDING_LIMIT, 1):
            own = Head(heads[at].length + ahead, b"\0" * 32)
            self.broadcast(self.forge(WISH, (1,), heads=(*heads[:at], own, *heads[at + 1 :])))


class Votes(Cheater):
    """Votes against anybody: who has given what it owes or owes nothing, itself, nobody; twice; for slots to come.

    It may pretend to have heard nothing since it last signed.
    """

    def mischief(self) -> Any:
        rng, fold, effects = self.network.rng, self.table.fold, []
        for _ in range(rng.randint(1, 4)):
            slot, heads = fold.position.slot, self.table.heads
            targets = (*fold.asked(), *fold.asked(), *range(1, SEATS_LIMIT + 1))
            slot = slot._replace(step=max(0, slot.step + rng.choice((0, 0, 0, -1, 1))))
            own = self.table.chains[self.operator - 1]
            if own and rng.random() < 0.4:
                at = self.operator - 1
                heads = (*own[-1].heads[:at], heads[at], *own[-1].heads[at + 1 :])
            effects += self.publish(self.forge(VOTE, (rng.choice(targets),), slot=slot, heads=heads))
        return effects


WAYS: dict[str, type[Cheater]] = {
    "fork": Fork,
    "split": Split,
    "withhold": Withhold,
    "illegal": Illegal,
    "digest": WrongDigest,
    "chain": Chain,
    "spam": Spam,
    "garbage": Garbage,
    "noise": Noise,
    "flood": Flood,
    "votes": Votes,
}
