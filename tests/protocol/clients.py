"""Nodes in memory, with a disk each: what one sends reaches the other at once where a link is up; time stands still."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from forming import agree
from kinds import expect
from replicas import FAST, FAST_SIGNERS, NAMES, Circle, charter_of, summary

from engine import OptionValue, Turn, all_games
from protocol import (
    NET,
    Charter,
    Clock,
    Effect,
    Folded,
    Formation,
    Node,
    Seat,
    Send,
    SignedEvent,
    Store,
    charter_record,
    load,
    make_body,
    message_bytes,
    verify,
)
from protocol.messages import Events
from protocol.transcript.verification import Report

E = TypeVar("E")


def id_of(seat: int) -> bytes:
    return FAST_SIGNERS[seat - 1].id


def message_with(*events: SignedEvent) -> bytes:
    """A message that carries these events."""
    return message_bytes(Events(events[0].table, tuple((event.raw, event.signature) for event in events)))


def of(kind: type[E], told: Iterable[object]) -> list[E]:
    """Those effects that are of a kind."""
    return [effect for effect in told if isinstance(effect, kind)]


def clients(
    key: str = "pebbles",
    seats: int = 2,
    *,
    operators: Iterable[int] | None = None,
    linked: bool = True,
    **options: OptionValue,
) -> "Clients":
    """The clients of a new table; seat 1 begins."""
    options = {"first": 1, **options}
    return Clients(charter_of(key, seats, options, fast=True, operators=operators), linked=linked)


def timed(seats: int, turn_time: int | Clock) -> "Clients":
    """The clients of a table of pebbles at which a turn may run out of time."""
    signers = FAST_SIGNERS[:seats]
    roster = tuple(map(Seat, (signer.id for signer in signers), NAMES, range(1, seats + 1)))
    body = make_body(NET, all_games()["pebbles"], {"first": 1}, roster, b"attempt-attempt-", turn_time)
    formations = [Formation(body, {n: signer}, b"s%d" % n, FAST) for n, signer in enumerate(signers, 1)]
    return Clients(agree(formations))


def first_move(table: "Clients") -> str:
    """The first move that the seat to act has."""
    return table[1].table.game.legal(table[1].table.state, table.mover)[0]


class Clients:
    """The clients of one table by operator. `told` is what their players are told, `disks` what they have stored."""

    def __init__(self, charter: Charter, *, linked: bool = True) -> None:
        self.charter = charter
        self.forger = Circle(charter, fast=True)
        """Replicas that sign for any seat what its client would not."""
        operators = sorted({seat.operator for seat in charter.body.seats})
        self.nodes = {operator: Node(self.forger.client(operator)) for operator in operators}
        self.disks = dict.fromkeys(operators, charter_record(charter))
        self.told: dict[int, list[Effect]] = {operator: [] for operator in operators}
        self.up: set[tuple[int, int]] = set()
        self.guests: dict[bytes, Callable[[bytes, bytes], None]] = {}
        """Who takes in what is sent to a peer without a seat, by id."""
        self.now = 1.0
        self.sent = 0
        """Messages that were delivered."""
        if linked:
            self.link(*operators)

    def __getitem__(self, operator: int) -> Node:
        return self.nodes[operator]

    @property
    def mover(self) -> int:
        """The seat to act, as client 1 sees it."""
        return expect(Turn, self.nodes[1].table.fold.position.due).seat

    def do(self, operator: int, effects: Iterable[Effect]) -> None:
        """Carry out effects, and what follows from them elsewhere."""
        queue = [(operator, effect) for effect in effects]
        while queue:
            at, effect = queue.pop(0)
            if isinstance(effect, Send) and effect.peer in self.guests:
                self.guests[effect.peer](id_of(at), effect.data)
            elif isinstance(effect, Send):
                to = next(one for one in self.nodes if id_of(one) == effect.peer)
                if (at, to) in self.up:
                    self.sent += 1
                    queue += [(to, new) for new in self.nodes[to].receive(id_of(at), effect.data, self.now)]
            elif isinstance(effect, Store):
                self.disks[at] += effect.data
            elif not isinstance(effect, Folded):
                self.told[at].append(effect)

    # Links and time.

    def link(self, *operators: int) -> None:
        """Let the links among these clients come up."""
        self._links(operators, True)

    def part(self, *operators: int) -> None:
        """Let the links among these clients go down."""
        self._links(operators, False)

    def _links(self, operators: Iterable[int], up: bool) -> None:
        pairs = [(one, other) for one in operators for other in operators if one != other]
        pairs = [pair for pair in pairs if (pair in self.up) != up]
        (self.up.update if up else self.up.difference_update)(pairs)
        for one, other in pairs:
            self.do(one, self.nodes[one].link(id_of(other), up))

    def leave(self, operator: int) -> None:
        """Let all links of a client go down."""
        for other in self.nodes:
            self.part(operator, other)

    def come(self, operator: int) -> None:
        """Let all links of a client come up."""
        for other in self.nodes:
            self.link(operator, other)

    def tick(self, seconds: float = 0.0, *operators: int) -> None:
        """Let time pass, and all clients (or these) look at the clock."""
        self.now += seconds
        for operator in operators or self.nodes:
            self.do(operator, self.nodes[operator].tick(self.now))

    def wait(self, seconds: int) -> None:
        """Let time pass, with a look at the clock at odd moments, about each second."""
        end = self.now + seconds
        while self.now < end:
            self.tick(min(0.93, end - self.now))

    # Play.

    def play(self, text: str = "take 1") -> None:
        """Let the seat to act make a move."""
        tables = [node.table for node in self.nodes.values()]
        due = max(tables, key=lambda table: table.fold.position.slot[:2]).fold.position.due
        assert isinstance(due, Turn)
        operator = self.charter.body.seats[due.seat - 1].operator
        self.do(operator, self.nodes[operator].play(due.seat, text))

    def tell(self, operator: int, event: SignedEvent, sender: int) -> list[Effect]:
        """What a client does with an event that a peer sends it; nothing of that is carried out."""
        return list(self.nodes[operator].receive(id_of(sender), message_with(event), self.now))

    def resume(self, operator: int, kept: int | None = None, challenge: bytes = b"") -> Node:
        """Let a client that was killed start again from its disk, or from the first bytes of it; no link is up yet."""
        self.leave(operator)
        own = self.nodes[operator].table.own
        self.disks[operator] = self.disks[operator][:kept]
        table = load(self.disks[operator], FAST, scheme=self.forger.scheme, signers=own.signers, secrets=own.secrets)
        self.nodes[operator] = node = Node(table, resumed=True, challenge=challenge)
        self.do(operator, node.start())
        return node

    # What is true in the end.

    def check(self, *operators: int) -> Report:
        """All on these disks verifies, and tells of one game that these clients have; return the last report."""
        operators = operators or tuple(self.nodes)
        first = self.nodes[operators[0]].table
        for operator in operators:
            table = self.nodes[operator].table
            report = verify(self.disks[operator], FAST, scheme=self.forger.scheme)
            assert report.ok, report.error
            assert (report.result, report.digest) == (table.fold.result, table.fold.position.digest.hex())
            assert summary(table) == summary(first)
        return report


def one_way(table: Clients, sender: int, *receivers: int) -> None:
    """Let what one client sends reach others, and nothing of theirs reach it."""
    for receiver in receivers:
        table.up.add((sender, receiver))
        table.do(sender, table[sender].link(id_of(receiver), True))
