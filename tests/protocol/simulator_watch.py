"""What may never happen at a simulated table, and what must happen once the network is well again."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from replicas import summary
from simulator_audit import audit
from simulator_plan import Jump, Restore

from engine import Over
from protocol import Blame, Broken, Caught, Disputed, Events, Table, _event, _transcript, _wire, verify
from protocol._event import ASYNCHRONOUS, RESULT, SEQUENCE, TURN, VOTE, SignedEvent
from protocol._node import HAVE_EVERY
from protocol._reading import Position
from protocol._replica import PENDING_LIMIT
from protocol._transcript import EventRecord, ForkRecord
from protocol._wire import MESSAGE_LIMIT

if TYPE_CHECKING:
    from simulator import Client, Network

GO_ON = 3
"""Actions to be made after the network is well, unless the game ends or a cheat is waited for."""
PROMPT = 20.0
"""Seconds that this may take where all clocks run and everybody keeps to the program."""
PATIENCE = 90.0
"""Seconds that it may take otherwise."""
SUSPICION = 12.0
"""Seconds after which nobody is on the way who is still waited for."""
QUIET = 30.0
"""Seconds that all may take to come to the same state once nobody plays."""


read_message = lru_cache(maxsize=4096)(_wire.read_message)
read_event = lru_cache(maxsize=4096)(_event.read_event)
read_record = lru_cache(maxsize=4096)(_transcript._read)
"""The same answer for the same bytes, worked out once for all replicas and for what watches them."""


class ViolationError(AssertionError):
    """Something happened that never may."""


@lru_cache(maxsize=2048)
def events_sent(data: bytes) -> tuple[SignedEvent, ...]:
    """The events in a message."""
    message = read_message(data)
    return tuple(read_event(*pair) for pair in message.events) if isinstance(message, Events) else ()


@lru_cache(maxsize=2048)
def events_written(data: bytes) -> tuple[SignedEvent, ...]:
    """The events in records that are appended to a file."""
    found: list[SignedEvent] = []
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        match read_record(data[at + 4 : at + 4 + size]):
            case EventRecord(raw, signature):
                found.append(read_event(raw, signature))
            case ForkRecord(kept, other):
                found += [read_event(*kept), read_event(*other)]
        at += 4 + size
    return tuple(found)


def _goes_on(event: SignedEvent, other: SignedEvent, held: Mapping[bytes, SignedEvent]) -> bool:
    """Return whether an event goes on from this version of one of its author: if that gave way, so did the event."""
    while event.seat == other.seat and event.number > other.number:
        event = held[event.heads[event.seat - 1].hash]
    return event.hash == other.hash


class _Eye:
    """What is known of one honest client: what it wrote and synced, and how much of its log all agree on."""

    def __init__(self) -> None:
        self.written: set[bytes] = set()
        self.synced: dict[bytes, SignedEvent] = {}
        self.unsynced: list[SignedEvent] = []
        """What was written since the last sync."""
        self.passed: bytes | None = None
        """The message that was looked at last, if all in it is stored."""
        self.final = 0
        self.agreed = 0
        self.marks: list[Position] = []
        """What is final for this client, but not settled yet."""
        self.old_copy = False
        self.held: tuple[Any, ...] = ()
        """What its table held when it was looked at last: the table and how many events of each seat and proofs."""
        self.unknown: tuple[Any, ...] = ()
        """Why its first mark is not settled: a client's table held so few events of a seat."""
        self.known: tuple[Position | None, set[tuple[Table, int]]] = None, set()
        """For this mark whose table knows of which seat that it has named all that lies behind."""


class Watch:
    """Looks at the honest clients of a network after every step."""

    def __init__(self, network: "Network") -> None:
        self.network = network
        self.eyes = {client.operator: _Eye() for client in network.honest}
        self.honest_seats = {seat for client in network.honest for seat in client.seats}
        self.signed: dict[tuple[int, int], bytes] = {}
        """The hash of every event of an honest seat that anybody may have seen, by seat and number."""
        self.given: dict[tuple[Any, ...], bytes] = {}
        """The same by seat and slot, for what a slot takes from a seat."""
        self.log: list[tuple[int, str]] = []
        """The actions that all agree on."""
        plan = network.plan
        # Votes and forks that arrive late send the fold back, but never before what is settled.
        self.twofaced = (
            len(network.clients) > 2
            or any(cheat.way in ("fork", "split", "chain") for cheat in plan.cheats)
            or any(isinstance(fault, Restore) for fault in plan.faults)
        )

    def fail(self, what: str) -> None:
        raise ViolationError(f"after {self.network.now:.3f} s and {self.network.steps} steps: {what}")

    # Steps.

    def sent(self, client: "Client", to: "Client", data: bytes) -> None:
        """A client is about to send: its own events must be safe on its disk, those of others in its file.

        Only their author may be given back what it has lost where that waits for its causes, which no file holds.
        """
        if len(data) > MESSAGE_LIMIT:
            self.fail(f"client {client.operator} sends {len(data)} bytes")
        eye = self.eyes[client.operator]
        if data is eye.passed:  # it goes to another peer, and what is stored stays so
            return
        kept = True
        for event in events_sent(data):
            own = event.seat in client.seats
            # What an old copy lacked came back from others, who hold it.
            stored = eye.synced if own and not eye.old_copy else eye.written
            if event.hash not in stored:
                kept = False
                if event.seat not in to.seats:
                    self.fail(
                        f"client {client.operator} sends number {event.number} of seat {event.seat} before it is stored"
                    )
            if own:
                self._note(client, event)
        eye.passed = data if kept else None

    def _note(self, client: "Client", event: SignedEvent) -> None:
        """An event of an honest seat can be seen by others from now on: no other may ever stand in its place."""
        if not client.honest:
            return
        before = self.signed.setdefault((event.seat, event.number), event.hash)
        if before != event.hash:
            if not self._excuse(client, event, before):
                self.fail(f"seat {event.seat} signed two events with number {event.number}")
            return
        # What a SEQUENCE gave a place to may turn out to have two versions; then it fills nothing, and a move follows.
        # A RESULT says no more than its digest, and is signed again by who came to the same end by another way: who is
        # then given the other version of what a cheat signed twice.
        if event.kind not in (*ASYNCHRONOUS, VOTE, RESULT) and (event.kind, event.slot.kind) != (SEQUENCE, TURN):
            # After a void slot the same slot may have two states, until all resignations are known.
            place = (event.seat, event.slot, event.digest)
            before = self.given.setdefault(place, event.hash)
            if before != event.hash:
                self.fail(f"seat {event.seat} signed two contributions to slot {tuple(event.slot)}")

    def _excuse(self, client: "Client", event: SignedEvent, before: bytes) -> bool:
        """Return whether nobody could have told a client with an old copy that it had signed another event before."""
        heard = {other.id for other in self.network.clients} - client.node._unheard
        for other in self.network.honest:
            chain = other.table.chains[event.seat - 1]
            held = len(chain) >= event.number and chain[event.number - 1].hash == before
            if other is not client and held and other.id in heard:
                return False
        if self.eyes[client.operator].old_copy:
            self.distrust(client)
        return not client.honest

    def distrust(self, client: "Client") -> None:
        """A client is a cheat from now on, whether it wants to be or not."""
        client.honest = False
        self.network.honest.remove(client)
        self.honest_seats -= set(client.seats)
        self.twofaced = True

    def written(self, client: "Client", data: bytes) -> None:
        eye = self.eyes[client.operator]
        events = events_written(data)
        eye.written.update(event.hash for event in events)
        eye.unsynced += events

    def synced(self, client: "Client") -> None:
        eye = self.eyes[client.operator]
        eye.synced.update((event.hash, event) for event in eye.unsynced)
        eye.unsynced.clear()

    def told(self, client: "Client", effect: Blame | Broken | Caught | Disputed) -> None:
        """No honest client is ever suspected, and none loses its way."""
        network = self.network
        match effect:
            case Blame(peer, reason) if network.by_id[peer].honest:
                self.fail(f"client {client.operator} blames client {network.by_id[peer].operator} for {reason}")
            case Caught(seat, reason) | Disputed(seat, reason) if seat in self.honest_seats:
                self.fail(f"client {client.operator} suspects seat {seat}, which is honest: {reason}")
            case Broken():
                self.fail(f"client {client.operator} disagrees with its own transcript")

    def replaced(self, client: "Client") -> None:
        """An old copy was put in the place of a client's file."""
        self.eyes[client.operator].old_copy = True

    def resumed(self, client: "Client") -> None:
        """A client has read its file again: nothing that was safe may be missing."""
        eye = self.eyes[client.operator]
        table = client.table
        events = (*chain.from_iterable(table.chains), *(fork.other for fork in table.forks))
        held = {event.hash: event for event in events}
        if not eye.old_copy:
            lost = [event for event in eye.synced.values() if event.hash not in held]
            lost = [event for event in lost if not any(_goes_on(event, fork.other, eye.synced) for fork in table.forks)]
            if lost:
                self.fail(f"client {client.operator} lost {len(lost)} events that were safe on its disk")
        eye.written, eye.synced = set(held), held
        eye.unsynced.clear()
        eye.passed = None
        eye.final = eye.agreed = 0
        eye.marks.clear()
        if not eye.old_copy:
            for seat in client.seats:
                for event in table.chains[seat - 1]:
                    self._note(client, event)

    def step(self, client: "Client") -> None:
        """A client has done something, as an honest one still."""
        if not client.honest:
            return
        table, eye = client.table, self.eyes[client.operator]
        waiting = len(table._pending)
        if waiting > PENDING_LIMIT:
            waiting = max(Counter(seat for seat, _ in table._pending).values())
        if waiting > PENDING_LIMIT or len(table.refused) > PENDING_LIMIT + 1:
            self.fail(f"client {client.operator} keeps {waiting} events of one seat that wait")
        # Whatever is in the fold follows from these, of which none ever goes away.
        held = (table, len(table.forks), *map(len, table.chains))
        if held != eye.held:
            eye.held = held
            self._look_into(client, table, eye)
        while eye.marks and self._settled(client, eye, eye.marks[0]):
            self._agree(client, eye, eye.marks.pop(0).plies)

    def _look_into(self, client: "Client", table: Table, eye: _Eye) -> None:
        """A client holds news: it takes no honest seat for a cheat, and nothing that is final changes."""
        guilty = {cheat.seat for cheat in table.fold.position.cheats} | {fork.kept.seat for fork in table.forks}
        audits = table.last_round.audits()
        guilty |= {cheat.seat for one in audits for cheat in one.cheats}
        for one in audits:
            if one.seat in self.honest_seats and not one.whole and table.fold.contributed(one.seat):
                self.fail(f"client {client.operator} could not audit seat {one.seat}, which is honest")
        if guilty & self.honest_seats:
            self.fail(f"client {client.operator} takes seats {sorted(guilty & self.honest_seats)} for cheats")
        final = table.fold._openings[-1]
        while eye.marks and eye.marks[-1].plies > final.plies:
            eye.marks.pop()
        eye.final = min(eye.final, final.plies)
        if final.plies > eye.final:
            eye.final = final.plies
            eye.marks.append(final)

    def _settled(self, client: "Client", eye: _Eye, mark: Position) -> bool:
        """Return whether all know that every live seat has signed that it knows all that lies behind.

        Where nobody signs two versions of an event, what is final for one is final for all. Otherwise who does not know
        yet that all have named a version may still vote against its author, and votes and proofs may be on their way.
        """
        if not self.twofaced:
            return True
        if _undecidable(client):
            return False
        honest = self.network.honest
        openings = client.table.fold._openings[-12:]
        if eye.unknown:
            before, one, table, seat, length = eye.unknown
            same = before is mark and one.honest and one.table is table and len(table.chains[seat - 1]) == length
            if same and any(seat in opening.live for opening in openings):
                return False
        lately = {seat for opening in openings for seat in opening.live}
        if eye.known[0] is not mark:
            eye.known = mark, set()
        known = eye.known[1]
        for one in honest:
            table = one.table
            grows = not table.fold.votes and not table.forks  # then what a seat has named never becomes less
            for seat in lately:
                if grows and (table, seat) in known:
                    continue
                if not _known(table, seat, mark):
                    eye.unknown = mark, one, table, seat, len(table.chains[seat - 1])
                    return False
                if grows:
                    known.add((table, seat))
        against = _against(client.table)
        return all(_against(one.table) == against for one in honest)

    def _agree(self, client: "Client", eye: _Eye, plies: int) -> None:
        log = client.table.fold.log
        for at in range(eye.agreed, plies):
            action = (log[at].actor, log[at].action)
            if at == len(self.log):
                self.log.append(action)
            elif self.log[at] != action:
                self.fail(f"client {client.operator} has {action} as action {at + 1}, others have {self.log[at]}")
        eye.agreed = max(eye.agreed, plies)

    # The end.

    def go_on(self) -> None:
        """The network is well: within a while the game goes on, or everybody waits for a cheat."""
        network = self.network
        before, since = self._plies(), network.now
        slow = (
            network.plan.cheats
            or network.plan.loss > 0.2
            or any(isinstance(fault, Jump) for fault in network.plan.faults)
        )
        while network.now < since + (PATIENCE if slow else PROMPT):
            network.run(1.0)
            if not network.honest or self._plies() >= before + GO_ON or self._all_over():
                return
            if network.honest and network.now > since + SUSPICION and self._stopped_by_cheats():
                return
        self.fail(f"the game does not go on: {self._state()}")

    def _playing(self) -> list["Client"]:
        """Return the honest clients that must come to the same state.

        Whoever has left, as most see it, may hold a version that those who play on have not settled on, and then sees
        no more, perhaps not even that it has been removed.
        """
        honest = self.network.honest
        if not any(client.table.forks for client in honest):
            return list(honest)
        seen = [{*client.table.fold.position.live} for client in honest]
        return [one for one in honest if 2 * sum(not live.isdisjoint(one.seats) for live in seen) > len(seen)]

    def _plies(self) -> int:
        return min((client.table.fold.position.plies for client in self._playing()), default=0)

    def _all_over(self) -> bool:
        return all(isinstance(client.table.fold.position.due, Over) for client in self._playing())

    def _stopped_by_cheats(self) -> bool:
        """Return whether every honest client waits for a cheat, and they are not enough to vote it out."""
        if any(map(_undecidable, self.network.honest)):
            return True
        # Who came back, and of those left with it a cheat says nothing, needs its player's word.
        if any(
            unheard and not unheard & self.honest_seats
            for unheard in (set(c.node.unheard) for c in self.network.honest)
        ):
            return True
        if self._may_vote():
            return False
        forks = [(client.table.fold, fork.kept.seat) for client in self.network.honest for fork in client.table.forks]
        if any(fold.cut(seat) is not None for fold, seat in forks):
            return True
        for client in self.network.honest:
            waited = set(client.table.owing())
            if not waited or waited & self.honest_seats:
                return False
        return True

    def _may_vote(self) -> bool:
        """Return whether honest clients are more than half of those whose seats are live, and these more than two."""
        live = self.network.honest[0].table.fold.position.live if self.network.honest else ()
        operators = {client.operator for client in self.network.clients if set(client.seats) & set(live)}
        honest = {client.operator for client in self.network.honest}
        return len(operators) > 2 and 2 * len(honest & operators) > len(operators)

    def _state(self) -> str:
        return "; ".join(
            f"client {client.operator} at {tuple(client.table.fold.position.slot)} after"
            f" {client.table.fold.position.plies} actions waits for {client.table.owing()}"
            f"{', forks' if client.table.forks else ''}"
            f"{f', has not heard {client.node.unheard}' if client.node.unheard else ''}"
            for client in self.network.honest
        )

    def end(self) -> None:
        """Play until the game is over, if no cheat stops it."""
        network = self.network
        while not self._all_over() and not (network.plan.cheats and self._stopped_by_cheats()):
            before, now = self._plies(), network.now
            while self._plies() == before and not self._all_over():
                network.run(1.0)
                if network.now > now + PATIENCE:
                    if self._stopped_by_cheats():
                        return
                    self.fail(f"the game does not go on: {self._state()}")
        network.run(2 * HAVE_EVERY)
        for client in network.honest:
            if self._all_over() and not self.honest_seats <= set(client.table.confirmed()):
                self.fail(f"client {client.operator} lacks the result as others signed it")

    def judge(self, *, every_file: bool = False) -> None:
        """Nobody plays any more: soon all are at the same state, and every file tells of it."""
        network = self.network
        network.playing, network.quiet = False, True
        # Clients are given a clock that never goes back; one that does keeps its client waiting for so long.
        back = sum(fault.seconds for fault in network.plan.faults if isinstance(fault, Jump) and fault.seconds < 0)
        until = network.now + QUIET - back
        while not self._alike():
            if network.now >= until:
                self.fail(f"the clients do not come to one state: {self._state()}")
            network.run(1.0)
        if network.honest:
            for client in network.honest if every_file else [network.rng.choice(network.honest)]:
                self._check_file(client)
                audit(client.table)

    def _alike(self) -> bool:
        honest = self.network.honest
        if any(map(_undecidable, honest)):
            return True
        summaries = [summary(client.table) for client in self._playing()]
        return all(one == summaries[0] for one in summaries)

    def _check_file(self, client: "Client") -> None:
        report = verify(bytes(client.disk), self.network.crypto.verifier, scheme=self.network.crypto.scheme)
        if not report.ok:
            self.fail(f"the file of client {client.operator} is not valid: {report.error}")
        fold = client.table.fold
        position = fold.position
        if (report.digest, report.result, report.events) != (fold.digest.hex(), position.result, position.effects):
            self.fail(f"the file of client {client.operator} tells of another state than its table")


def _against(table: Table) -> set[object]:
    """Return what is held against seats: proofs of two versions, and the votes that have not lapsed."""
    return {*table.forked, *(vote.hash for vote in table.fold.votes if not table.fold._lapsed(vote))}


def _known(table: Table, seat: int, mark: Position) -> bool:
    """Return whether a seat has named all that lies behind of others, as far as this table knows.

    Who votes against another does not speak for it by what it signs at that slot, and may still let the vote lapse.
    """
    signed, own = table.chains[seat - 1], seat - 1
    heads = signed[-1].heads if signed else ()
    for at, cursor in enumerate(mark.cursors):
        if cursor and at != own and not (heads and heads[at].length >= cursor):
            return False
    if not table.fold.votes:
        return True
    for at, step in {event.body[0] - 1: event.slot.step for event in signed if event.kind == VOTE}.items():
        if at != own and at < len(mark.cursors):
            spoken = next((one for one in reversed(signed) if one.slot.step > step), None)
            if mark.cursors[at] > spoken.heads[at].length if spoken else mark.slot.step > step:
                return False
    return True


def _undecidable(client: "Client") -> bool:
    """Return whether a seat signed two versions when two players were left: then each keeps what it held first."""
    return bool(client.table.forks) and len(client.table.fold.operators()) < 3
