"""Whole tables over a bad network in virtual time: one heap of events, one random generator, so that a seed repeats.

Clients (`simulator_client`) are real nodes with a disk of which a crash leaves what was synced and a part of the rest.
What happens to them is a plan (`simulator_plan`); what may never happen is watched after every step
(`simulator_watch`); cheats, which do not keep to the program, are in `simulator_cheats`.
"""

import hashlib
import heapq
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple
from unittest import mock

from fast_deck import FAST_DECK
from replicas import FAST, FAST_SIGNERS, IDENTITIES
from simulator_client import Client
from simulator_plan import Crash, Cut, Flap, Gone, Jump, Opening, Plan, Quit, Restore, Sleep, Slow, opening
from simulator_watch import Watch, read_event, read_message, read_record

import protocol.file
import protocol.table.node
import protocol.table.table
import protocol.transcript.verification
from engine import Turn, all_games
from protocol import Blame, Caught, Disputed, OwnFoldWrong, SecretsWrong, Send, Store, StoreSecrets, charter_record
from protocol.cards.deck import MASKED_DECK
from protocol.formation import read_charter
from protocol.identity import ED25519

TICK = 1.0
"""Seconds between two looks of a client at the clock."""
NOTICED = 3.0
"""Seconds after which a link that carries nothing is taken down."""
RECONNECTED = 0.5
"""Seconds after which a link that could carry something again is up."""
_ARRIVAL = struct.Struct("<dBB")


class Crypto(NamedTuple):
    """What signs and what deals: the real thing or its stand-ins."""

    signers: tuple[Any, ...]
    verifier: Any
    scheme: Any


class Once:
    """A deck scheme of which all replicas ask the same: each proof is made once, and checked once."""

    def __init__(self, scheme: Any) -> None:
        self.joint_key, self.open_card = scheme.joint_key, scheme.open_card
        for name in ("make_key", "proves_key", "first_deck", "shuffle", "proves_shuffle", "make_share", "proves_share"):
            setattr(self, name, lru_cache(maxsize=4096)(getattr(scheme, name)))


STAND_INS = Crypto(FAST_SIGNERS, FAST, Once(FAST_DECK))
REAL = Crypto(IDENTITIES, ED25519, Once(MASKED_DECK))


class Network:
    """Clients and what lies between them."""

    def __init__(self, plan: Plan, begun: Opening, crypto: Crypto) -> None:
        from simulator_cheats import WAYS

        self.plan = plan
        self.crypto = crypto
        self.opening = begun
        self.rng = Random(plan.seed)
        self.now = 0.0
        self.loss, self.twice, self.delay = plan.loss, plan.twice, plan.delay
        self.playing = True
        self.quiet = False
        """Whether cheats do nothing new any more."""
        self.healed = False
        self.steps = 0
        self.deaths = 0
        self.trace = hashlib.blake2b(digest_size=16)
        self.up: set[tuple[int, int]] = set()
        self.blocked: dict[tuple[int, int], int] = {}
        self._heap: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._count = 0
        ways = {cheat.client: cheat for cheat in plan.cheats}
        self.clients = [
            WAYS[ways[operator].way](self, operator, ways[operator]) if operator in ways else Client(self, operator)
            for operator in self.opening.operators
        ]
        self.by_seat = {client.operator: client for client in self.clients}
        self.by_id = {client.id: client for client in self.clients}
        self.honest = [client for client in self.clients if client.honest]
        self.watch = Watch(self)
        for client in self.clients:
            self.after(self.rng.random() * 0.1, self._begin, client)
            self.after(self.rng.random() * TICK, self._tick, client)
        for fault in plan.faults:
            self.after(fault.at, self._strike, fault)

    @property
    def events(self) -> int:
        """How many events the client that knows most holds."""
        return max(sum(map(len, client.table.held.chains)) for client in self.clients)

    def close(self) -> None:
        """Take all apart, so that everything is freed at once: the garbage collector takes longer for it."""
        for client in self.clients:
            vars(client).clear()
        vars(self).clear()

    # Time.

    def after(self, delay: float, call: Callable[..., None], *args: Any) -> None:
        self._count += 1
        heapq.heappush(self._heap, (self.now + delay, self._count, call, args))

    def run(self, seconds: float) -> None:
        """Let time pass."""
        until = self.now + seconds
        heap = self._heap
        while heap and heap[0][0] <= until:
            self.now, _, call, args = heapq.heappop(heap)
            call(*args)
        self.now = until

    def heal(self) -> None:
        """End all faults but Gone and Quit: dead clients start, every link comes up and carries everything soon."""
        self.healed = True
        self.loss = self.twice = 0.0
        self.delay = 0.02
        self.blocked.clear()
        for client in self.clients:
            client.skew += max(0.0, client.ready - self.now)  # who sleeps wakes up: its clock never goes back
            client.ready = client.pause = 0.0
            client.fuse = None
            if not client.alive:
                self._resume(client)
        self._connect()

    # Clients.

    def _begin(self, client: Client) -> None:
        self.do(client, client.start())
        for other in self.clients:
            if other is not client:
                self._link(client, other, up=True)

    def _tick(self, client: Client) -> None:
        self.after(TICK, self._tick, client)
        if client.alive and self.now >= client.ready:
            self.do(client, client.tick())
            if client.alive and self.playing and self.rng.random() < 0.05 + self.plan.leave:
                self.do(client, client.play())

    def _think(self, client: Client) -> None:
        client.thinking = False
        if client.alive and self.playing:
            if self.now < client.ready:
                self._ponder(client)
            else:
                self.do(client, client.play())

    def _ponder(self, client: Client) -> None:
        """Let a player think about its move."""
        if client.thinking or not self.playing:
            return
        due = client.table.fold.position.due
        if isinstance(due, Turn) and due.seat in client.seats:
            client.thinking = True
            self.after(self.rng.expovariate(1.0 / self.plan.pace), self._think, client)

    def do(self, client: Client, effects: Any) -> None:
        """Carry out effects in order; the client may die before, within and after each."""
        if not effects:
            self._ponder(client)
            return
        self.steps += 1
        if not client.honest:
            self._do_badly(client, effects)
            return
        for effect in effects:
            if self._dies(client):
                return
            kind = type(effect)
            if kind is Send:
                receiver = self.by_id[effect.peer]
                self.watch.sent(client, receiver, effect.data)
                self.send(client, receiver, effect.data)
            elif kind is Store:
                self.watch.written(client, effect.data)
                client.disk += effect.data
                if effect.sync:
                    if self._dies(client):
                        return
                    client.safe = len(client.disk)
                    self.watch.synced(client)
            elif kind is StoreSecrets:
                client.secrets = effect.secrets
                client.kept.append((len(client.disk), client.secrets))
            elif kind in _TOLD:
                self.watch.told(client, effect)
        if not self._dies(client):
            self.watch.step(client)
            self._ponder(client)

    def _do_badly(self, client: Client, effects: Any) -> None:
        """Carry out what a cheat's program wants, as far as the cheat lets it."""
        for effect in effects:
            if isinstance(effect, Send):
                other = self.by_id[effect.peer]
                for data in client.outgoing(other, effect.data):
                    self.send(client, other, data)
        self._ponder(client)

    # Messages and links.

    def send(self, sender: Client, receiver: Client, data: bytes) -> None:
        link = (sender.operator, receiver.operator)
        if link not in self.up or link in self.blocked:
            return
        rng = self.rng
        for _ in range(1 + (rng.random() < self.twice)):
            if rng.random() >= self.loss:
                self.after(rng.expovariate(1.0 / self.delay), self._arrive, sender, sender.copies, receiver, data)

    def _arrive(self, sender: Client, copies: int, receiver: Client, data: bytes) -> None:
        # What a computer sent before its disk was replaced has arrived or is lost by the time it is back.
        if not receiver.alive or copies != sender.copies:
            return
        if self.now < receiver.ready:
            self.after(receiver.ready - self.now, self._arrive, sender, copies, receiver, data)
            return
        receiver.ready = self.now + receiver.pause
        self.trace.update(_ARRIVAL.pack(self.now, sender.operator, receiver.operator) + data)
        self.do(receiver, receiver.receive(sender, data))

    def _link(self, one: Client, other: Client, up: bool) -> None:
        """Let one client note that its link to another came up or went down."""
        if not one.alive:
            return
        if up and not (other.alive and self._passable(one, other)):
            return
        (self.up.add if up else self.up.discard)((one.operator, other.operator))
        self.do(one, one.link(other, up))

    def _lose(self, one: Client, other: Client) -> None:
        self._link(one, other, up=False)
        self.after(RECONNECTED, self._connect)

    def _passable(self, one: Client, other: Client) -> bool:
        """Return whether two clients can make a link: for that both ways must be open."""
        a, b = one.operator, other.operator
        return (a, b) not in self.blocked and (b, a) not in self.blocked

    def _connect(self) -> None:
        """Bring up every link that is down and need not be."""
        for one in self.clients:
            for other in self.clients:
                if one is not other and (one.operator, other.operator) not in self.up:
                    self._link(one, other, up=True)

    # Faults.

    def _strike(self, fault: Any) -> None:
        if self.healed:
            return
        match fault:
            case Cut():
                self._cut(fault)
            case Flap(_, one, other, times):
                self._flap(self.by_seat[one], self.by_seat[other], times)
            case Crash(_, operator, skip):
                self._doom(self.by_seat[operator], fault, skip)
            case Restore(_, operator) | Gone(_, operator):
                self._doom(self.by_seat[operator], fault, 0)
            case Quit(at, operator):
                self.do(self.by_seat[operator], self.by_seat[operator].resign())
                self._doom(self.by_seat[operator], Gone(at, operator), 0)
            case Jump(_, operator, seconds):
                self.by_seat[operator].skew += seconds
            case Slow(_, operator, length, pause):
                self.by_seat[operator].pause = pause
                self.after(length, self._hasten, self.by_seat[operator])
            case Sleep(_, operator, length):
                client = self.by_seat[operator]
                awake = max(client.ready, self.now)
                client.ready = max(awake, self.now + length)
                client.skew -= client.ready - awake

    def _cut(self, cut: Cut) -> None:
        links = [(a, b) for a in cut.one for b in cut.other]
        links += [(b, a) for a, b in links if cut.both]
        for link in links:
            self.blocked[link] = self.blocked.get(link, 0) + 1
        if cut.noticed:
            self.after(NOTICED, self._notice, links)
        self.after(cut.length, self._mend, links)

    def _notice(self, links: list[tuple[int, int]]) -> None:
        for a, b in links:
            for one, other in ((a, b), (b, a)):
                if (a, b) in self.blocked and (one, other) in self.up:
                    self._link(self.by_seat[one], self.by_seat[other], up=False)

    def _mend(self, links: list[tuple[int, int]]) -> None:
        if self.healed:
            return
        for link in links:
            self.blocked[link] -= 1
            if not self.blocked[link]:
                del self.blocked[link]
        self.after(RECONNECTED, self._connect)

    def _flap(self, one: Client, other: Client, times: int) -> None:
        if self.healed or not times:
            return
        for a, b in ((one, other), (other, one)):
            self._link(a, b, up=False)
        self.after(0.2, self._connect)
        self.after(0.5, self._flap, one, other, times - 1)

    def _hasten(self, client: Client) -> None:
        client.pause = 0.0

    # Crashes.

    def _doom(self, client: Client, ending: Crash | Restore | Gone, steps: int) -> None:
        if client.honest and client.alive:
            client.fuse, client.ending = steps, ending
            if not steps:
                self._dies(client)

    def _dies(self, client: Client) -> bool:
        """Return whether a client dies here."""
        if client.fuse is None:
            return False
        if client.fuse:
            client.fuse -= 1
            return False
        ending = client.ending
        client.fuse, client.alive = None, False
        self.deaths += 1
        self.trace.update(struct.pack("<dB", self.now, client.operator))
        if isinstance(ending, Crash):
            del client.disk[client.safe + int(ending.torn * (len(client.disk) - client.safe)) :]
        if isinstance(ending, Restore):
            self._put_back(client, ending)
        for other in self.clients:
            self.up.discard((client.operator, other.operator))
            if other is not client and self.rng.random() < 0.5:
                self.after(self.rng.random(), self._lose, other, client)
        assert ending
        if isinstance(ending, Gone):
            self.watch.miss(client)
        else:
            self.after(ending.down, self._resume, client)
        return True

    def _put_back(self, client: Client, restore: Restore) -> None:
        client.copies += 1
        first = len(charter_record(self.opening.charter))
        kept = first + int(restore.kept * (len(client.disk) - first))
        del client.disk[kept:]
        if restore.secrets:
            client.kept = [(length, secrets) for length, secrets in client.kept if length <= kept]
            client.secrets = client.kept[-1][1]
        self.watch.replaced(client)

    def _resume(self, client: Client) -> None:
        if client.alive or isinstance(client.ending, Gone):
            return
        client.resume()
        client.ready = self.now
        self.watch.resumed(client)
        self.do(client, client.start())
        for other in self.clients:
            if other is not client:
                late = 0.0 if self.healed else self.rng.choice((0.0, 0.1, 2.0))
                self.after(late, self._link, client, other, True)
                self.after(late, self._link, other, client, True)


_ONCE = [
    (protocol.table.node, "read_message", read_message),
    (protocol.table.table, "read_event", read_event),
    (protocol.transcript.verification, "read_event", read_event),
    (protocol.file, "_read", read_record),
    (protocol.transcript.verification, "read_charter", lru_cache(maxsize=64)(read_charter)),
]
"""Pure functions of bytes of which every replica asks the same: each answer is worked out once."""


_TOLD = (Blame, Caught, Disputed, OwnFoldWrong, SecretsWrong)


@contextmanager
def played(plan: Plan, begun: Opening, crypto: Crypto = STAND_INS) -> Iterator[Network]:
    """A network whose tables begin as the opening says, whatever the plan's own is."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(all_games(), {plan.game: begun.game}))
        for module, name, function in _ONCE:
            stack.enter_context(mock.patch.object(module, name, function))
        yield Network(plan, begun, crypto)


def simulate(plan: Plan, crypto: Crypto = STAND_INS, *, begun: Opening | None = None, whole: bool = False) -> Network:
    """Play a plan: a bad time, then all faults end and everything must come right. Raises what went wrong.

    With `whole` the game is played to its end, which it then begins nearer to.
    """
    begun = begun or opening(plan.game, plan.opening, fast=crypto is STAND_INS, late=whole)
    with played(plan, begun, crypto) as network:
        network.run(plan.length)
        network.heal()
        network.watch.go_on()
        if whole:
            network.watch.end()
        network.watch.judge(every_file=whole)
    return network
