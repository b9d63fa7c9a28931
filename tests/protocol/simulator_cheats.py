"""Clients that do not keep to the program. Each runs the real one, with other things coming out of it."""

import copy
from itertools import chain
from typing import TYPE_CHECKING, Any

from simulator_client import Client
from simulator_plan import Cheat
from simulator_watch import events_sent

from protocol import Chat, Node, Send, message_bytes, read_message
from protocol.events import SLOTS, EventKind, Head, Leaving, SignedEvent, SlotKind, bodies, make_event
from protocol.messages import Events, Have, event_batches
from protocol.table.held import AHEAD_LIMIT

if TYPE_CHECKING:
    from simulator import Network

_OF_CHANCE = (
    EventKind.COMMITMENT,
    EventKind.REVELATION,
    EventKind.KEY,
    EventKind.SHUFFLE,
    EventKind.SHARES,
)


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

    def forge(self, body: Any, **other: Any) -> SignedEvent:
        """An event of its own seat that its program would not sign now."""
        table, seat = self.table, self.operator
        position = table.fold.position
        fields = {"heads": table.held.heads, "slot": position.slot, "digest": position.digest} | other
        return make_event(self.signers[seat], table.id, seat, fields["heads"], fields["slot"], fields["digest"], body)

    def publish(self, *events: SignedEvent) -> Any:
        """Take events into its own table and send them to all."""
        for event in events:
            self.table.receive(event.raw, event.signature)
        self.broadcast(*events)
        return self.node.start()

    def broadcast(self, *events: SignedEvent, to: Any = None) -> None:
        for batch in event_batches(self.table.id, list(events)):
            for other in self.network.clients:
                if other is not self and (to is None or to(other)):
                    self.network.send(self, other, batch)

    def body(self, kind: EventKind) -> Any:
        """A well-shaped body of a kind, at random."""
        rng, table = self.network.rng, self.table
        seat = self.operator
        match kind:
            case EventKind.MOVE:
                legal = table.game.legal(table.own.view(seat), seat) or ("nonsense", "A1-A2", "draw")
                return bodies.Move(rng.choice((*legal, "resign", "nonsense")))
            case EventKind.PLAY:
                legal = table.game.legal(table.own.view(seat), seat) or ("W1",)
                return bodies.Play(rng.choice(legal), rng.randrange(40), rng.randbytes(96))
            case EventKind.WISH:
                return bodies.Wish(rng.randrange(2))
            case EventKind.TAKEBACK:
                plies = table.fold.position.plies
                return bodies.Takeback(
                    rng.choice((max(0, plies - 1), max(0, plies - 1), plies, rng.randrange(plies + 1)))
                )
            case EventKind.COMMITMENT:
                return bodies.Commitment(rng.randbytes(32))
            case EventKind.REVELATION:
                return bodies.Revelation(rng.randbytes(32), rng.randbytes(32))
            case EventKind.KEY:
                return bodies.Key(rng.randbytes(32), rng.randbytes(64))
            case EventKind.SHUFFLE:
                return bodies.Shuffle(rng.randbytes(64 * 61), rng.randbytes(320))
            case EventKind.SHARES:
                return bodies.Shares(rng.randbytes(96 * rng.randrange(3)))
            case EventKind.RESULT:
                return bodies.Result(rng.randbytes(96 * rng.randrange(16)))
            case EventKind.RESIGN:
                return bodies.Resign()
            case EventKind.EPOCH:
                return self.agreement()
        return bodies.Sequence()

    def agreement(self) -> bodies.Epoch:
        """An agreement to go on without anybody, with a number that may be too high."""
        rng, table = self.network.rng, self.table
        heads, seats = (
            table.held.heads,
            [seat for seat in range(1, len(table.held.chains) + 1) if seat not in self.seats],
        )
        known = max(map(table.held.agreed, range(1, len(heads) + 1)))
        number = max(known, table.fold.position.slot.epoch) + rng.choice((1, 1, 1, 2, 100, 300))
        leaving = sorted(rng.sample(seats, rng.randint(0, len(seats) - 1)))
        return bodies.Epoch(number, tuple(Leaving(seat, *heads[seat - 1]) for seat in leaving))


class Equivocate(Cheater):
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
                    self._twins[event.hash] = self.twin(event)
            shown.append(self._twins.get(event.hash, event) if self.victim(other) else event)
        return event_batches(self.table.id, shown) if events else (data,)

    def twin(self, event: SignedEvent) -> SignedEvent:
        """Another version of an event."""
        rng, table = self.network.rng, self.table
        kinds = (event.kind, event.kind, EventKind.RESIGN, EventKind.WISH, EventKind.SEQUENCE, EventKind.EPOCH)
        kind = rng.choice(kinds)
        signer = self.signers[event.seat]
        while True:
            body = self.body(kind)
            if isinstance(body, bodies.Epoch):
                leaving = tuple(Leaving(one.seat, *event.heads[one.seat - 1]) for one in body.leaving)
                body = bodies.Epoch(max(body.number, event.slot.epoch + 1), leaving)
            twin = make_event(signer, table.id, event.seat, event.heads, event.slot, event.digest, body)
            if twin.hash != event.hash:
                return twin
            kind = EventKind.WISH


class Rewrite(Equivocate):
    """Signs another version of something old: its first event, its last one, any; for all or for its victims alone."""

    def outgoing(self, other: Client, data: bytes) -> Any:
        return (data,)

    def mischief(self) -> Any:
        rng, own = self.network.rng, self.table.held.chains[self.operator - 1]
        if own:
            event = rng.choice((own[0], own[-1], own[-1], rng.choice(own)))
            self.broadcast(self.twin(event), to=rng.choice((None, self.victim)))


class Hush(Cheater):
    """Lies in its heads: pretends, as far as its chain allows, not to have heard of some of the others."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._hush()

    def resume(self) -> int:
        torn = super().resume()
        self._hush()
        return torn

    def _hush(self) -> None:
        own = self.table.own
        sign = own.sign

        def lie(seat: int, body: Any) -> SignedEvent:
            held = self.table.held
            chain = held.chains[seat - 1]
            if not self.due or not chain:
                return sign(seat, body)
            before, heads = chain[-1].heads_after, list(held.heads)
            for other in range(1, len(heads) + 1):
                if other not in self.seats and self.network.rng.random() < 0.7:
                    heads[other - 1] = before[other - 1]
            if isinstance(body, bodies.Epoch):
                body = bodies.Epoch(body.number, tuple(Leaving(one.seat, *heads[one.seat - 1]) for one in body.leaving))
            event = self.forge(body, heads=tuple(heads)) if seat == self.operator else sign(seat, body)
            if event.seat == self.operator:
                held.append(event)
            return event

        own.sign = lie  # type: ignore[method-assign]


def _apart(node: Node) -> Node:
    """Return a copy of a node that goes its own way; what never changes, nearly all of it, is in both."""
    table = node.table
    fold = table.fold
    same = (table.charter, table.game, fold.rules, *fold.positions, *fold.log, *chain.from_iterable(table.held.chains))
    return copy.deepcopy(node, {id(one): one for one in same})


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
            self._second = _apart(self.node)
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
            # `left` says what it likes to keep back: anything, or what chance needs.
            if fresh and (self.left % 2 or fresh[-1].slot.kind != SlotKind.TURN):
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
                hash = self.table.held.chains[at][last - 1].hash if last else b""
                heads = (*message.heads[:at], Head(last, hash), *message.heads[at + 1 :])
                return (message_bytes(Have(message.table, heads)),)
        return (data,)

    def tick(self) -> Any:
        return self.node.tick(self.clock)


class Illegal(Cheater):
    """Signs what the rules refuse: an unlawful move, a false revelation, a wrong proof."""

    def mischief(self) -> Any:
        kind = self.network.rng.choice(SLOTS[self.table.fold.position.slot.kind].takes)
        return self.publish(self.forge(self.body(kind)))


class WrongDigest(Cheater):
    """Signs for another state than the one that everybody has."""

    def mischief(self) -> Any:
        rng = self.network.rng
        kind = rng.choice((EventKind.MOVE, EventKind.MOVE, EventKind.SEQUENCE, EventKind.COMMITMENT, EventKind.RESULT))
        return self.publish(self.forge(self.body(kind), digest=rng.randbytes(32)))


class Chain(Cheater):
    """Forges chains: heads that nobody holds, that go back, or are not closed; numbers that do not follow."""

    def mischief(self) -> Any:
        rng, heads = self.network.rng, list(self.table.held.heads)
        at = rng.randrange(len(heads))
        length = heads[at].length + rng.choice((-3, -1, 0, 1, 2, 300))
        heads[at] = Head(length, rng.randbytes(32)) if length > 0 else Head(0, b"")
        if rng.random() < 0.3:
            at = self.operator - 1
            heads = [head if n == at else Head(0, b"") for n, head in enumerate(heads)]
        kinds = (EventKind.MOVE, EventKind.SEQUENCE, EventKind.WISH, EventKind.TAKEBACK, EventKind.RESIGN)
        kind = rng.choice(kinds)
        event = self.forge(self.body(kind), heads=tuple(heads))
        if self.table.held._causes_held(event) and not self.table.held.contradicts(event):
            self.network.watch.twofaced = True  # others take it in, and its own program will sign another version
        self.broadcast(event)


class Spam(Cheater):
    """Signs many events that nobody asked for, and repeats old ones."""

    def mischief(self) -> Any:
        rng = self.network.rng
        for _ in range(rng.choice((5, 20))):
            kinds = (
                EventKind.WISH,
                EventKind.TAKEBACK,
                EventKind.SEQUENCE,
                EventKind.MOVE,
                *_OF_CHANCE,
                EventKind.RESULT,
            )
            event = self.forge(self.body(rng.choice(kinds)))
            self.table.receive(event.raw, event.signature)
            self.broadcast(event)
        own = self.table.held.chains[self.operator - 1]
        if own:
            self.broadcast(*rng.choices(own, k=10))
        return self.node.start()


class Garbage(Cheater):
    """Sends bytes: noise, changed messages, others' events changed, heads without sense."""

    def mischief(self) -> Any:
        rng, table = self.network.rng, self.table
        events = [event for chain in table.held.chains for event in chain]
        heads = tuple(Head(rng.randrange(1, 2**31 - 1), rng.randbytes(32)) for _ in table.held.chains)
        messages = [
            rng.randbytes(rng.randrange(200)),
            message_bytes(Have(table.id, heads)),
            message_bytes(Have(table.id, heads[1:])),
            message_bytes(Have(table.id, (Head(0, b""),) * len(heads))),
            message_bytes(Chat(table.id, "hello")),
            message_bytes(Have(rng.randbytes(32), table.held.heads)),
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
    """Signs anything for any slot."""

    def mischief(self) -> Any:
        rng, position = self.network.rng, self.table.fold.position
        slot = position.slot._replace(step=max(0, position.slot.step + rng.choice((0, 0, -1, 1, 2))))
        if rng.random() < 0.2:
            slot = slot._replace(epoch=slot.epoch + rng.choice((1, 5)))
        kind = rng.choice((*SLOTS[position.slot.kind].takes, EventKind.SEQUENCE, EventKind.RESIGN, *_OF_CHANCE))
        return self.publish(self.forge(self.body(kind), slot=slot))


class Flood(Cheater):
    """Signs far more than anybody can use, numbers that nobody waits for among it."""

    def mischief(self) -> Any:
        self.left = 0
        heads = self.table.held.heads
        at = self.operator - 1
        for ahead in range(2 * AHEAD_LIMIT):
            own = Head(heads[at].length + ahead, b"\0" * 32)
            self.broadcast(self.forge(bodies.Wish(1), heads=(*heads[:at], own, *heads[at + 1 :])))


class Epochs(Cheater):
    """Agrees to go on without anybody, twice, with leaping numbers, for other bases; and agrees to whatever comes."""

    def mischief(self) -> Any:
        rng, table, effects = self.network.rng, self.table, []
        for _ in range(rng.randint(1, 3)):
            slot = table.fold.position.slot
            slot = slot._replace(epoch=max(0, slot.epoch + rng.choice((0, 0, 0, -1, 1))))
            body = self.agreement()
            if table.fold.agreements and rng.random() < 0.5:
                agreement = rng.choice(sorted(table.fold.agreements))
                if not {*agreement.leavers} & {*self.seats}:
                    heads = table.held.heads
                    body = bodies.Epoch(
                        agreement.number, tuple(Leaving(seat, *heads[seat - 1]) for seat in agreement.leavers)
                    )
            body = body._replace(number=max(body.number, slot.epoch + 1))
            effects += self.publish(self.forge(body, slot=slot))
        return effects


WAYS: dict[str, type[Cheater]] = {
    "equivocate": Equivocate,
    "rewrite": Rewrite,
    "hush": Hush,
    "split": Split,
    "withhold": Withhold,
    "illegal": Illegal,
    "digest": WrongDigest,
    "chain": Chain,
    "spam": Spam,
    "garbage": Garbage,
    "noise": Noise,
    "flood": Flood,
    "epochs": Epochs,
}
