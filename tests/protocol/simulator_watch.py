"""What may never happen at a simulated table, and what must happen once the network is well again."""

from collections import Counter
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from replicas import summary
from simulator_audit import audit
from simulator_plan import Gone, Jump, Restore

from protocol import Blame, Caught, Disputed, Mark, OwnFoldWrong, SecretsWrong, Table, messages, origin_of, verify
from protocol import file as records
from protocol.events import ASYNCHRONOUS, EventKind, SignedEvent, signed
from protocol.file import EventRecord, ProofRecord
from protocol.messages import MESSAGE_LIMIT, WAITING_LIMIT, Events
from protocol.table.exchange import HAVE_EVERY

if TYPE_CHECKING:
    from simulator import Network
    from simulator_client import Client

GO_ON = 3
"""Actions to be made after the network is well, unless the game ends or a cheat is waited for."""
PROMPT = 20.0
"""Seconds that this may take where all clocks run and everybody keeps to the program."""
PATIENCE = 120.0
"""Seconds that it may take otherwise."""
SUSPICION = 12.0
"""Seconds after which nobody is on the way who is still waited for."""
QUIET = 30.0
"""Seconds that all may take to come to the same state once nobody plays."""
TWOFACED = ("equivocate", "rewrite", "split")
"""Ways of cheating by which two versions of an event are about."""


read_message = lru_cache(maxsize=4096)(messages.read_message)
read_event = lru_cache(maxsize=4096)(signed.read_event)
read_record = lru_cache(maxsize=4096)(records._read)
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
            case ProofRecord(kept, other):
                found += [read_event(*kept), read_event(*other)]
        at += 4 + size
    return tuple(found)


class _Eye:
    """What is known of one honest client: what it wrote and synced, and how much of its log was looked at."""

    def __init__(self) -> None:
        self.written: set[bytes] = set()
        self.synced: dict[bytes, SignedEvent] = {}
        self.unsynced: list[SignedEvent] = []
        """What was written since the last sync."""
        self.passed: bytes | None = None
        """The message that was looked at last, if all in it is stored."""
        self.seen = Mark()
        """How far its log was looked at."""
        self.log: list[Any] = []
        self.stands = 0
        """Of these, those that may not go back: all but last ones that say that a player was left behind."""
        self.old_copy = False
        self.held: tuple[Any, ...] = ()
        """What its table held when it was looked at last: the table and how many events of each seat and proofs."""


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
        self.log: dict[tuple[int, int], tuple[int, str]] = {}
        """The actions that some honest client has seen, by epoch and number."""
        plan = network.plan
        # Where two versions of an event are about, clients may part before the proof reaches all.
        self.twofaced = any(cheat.way in TWOFACED for cheat in plan.cheats) or any(
            isinstance(fault, Restore) for fault in plan.faults
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
        if event.kind not in ASYNCHRONOUS and event.kind != EventKind.EPOCH:
            before = self.given.setdefault((event.seat, event.slot), event.hash)
            if before != event.hash:
                self.fail(f"seat {event.seat} signed two contributions to slot {tuple(event.slot)}")

    def _excuse(self, client: "Client", event: SignedEvent, before: bytes) -> bool:
        """Return whether nobody could have told a client with an old copy that it had signed another event before."""
        resuming = client.node._resuming
        heard = {other.id for other in self.network.clients} - resuming._unheard
        for other in self.network.honest:
            chain = other.table.held.chains[event.seat - 1]
            held = len(chain) >= event.number and chain[event.number - 1].hash == before
            # An event that was on its way when its author went back may have come only after the answer.
            said = resuming._said.get(other.id)
            knew = said is None or said[event.seat - 1].length >= event.number
            if other is not client and held and knew and other.id in heard:
                return False
        if self.eyes[client.operator].old_copy:
            self.distrust(client)
        return not client.honest

    def distrust(self, client: "Client") -> None:
        """A client is a cheat from now on, whether it wants to be or not."""
        self.miss(client)
        self.twofaced = True

    def miss(self, client: "Client") -> None:
        """Expect nothing more of a client."""
        client.honest = False
        self.network.honest.remove(client)
        self.honest_seats -= set(client.seats)

    def written(self, client: "Client", data: bytes) -> None:
        eye = self.eyes[client.operator]
        events = events_written(data)
        eye.written.update(event.hash for event in events)
        eye.unsynced += events

    def synced(self, client: "Client") -> None:
        eye = self.eyes[client.operator]
        eye.synced.update((event.hash, event) for event in eye.unsynced)
        eye.unsynced.clear()

    def told(self, client: "Client", effect: Blame | Caught | Disputed | OwnFoldWrong | SecretsWrong) -> None:
        """No honest client is ever suspected, and none loses its way."""
        network = self.network
        match effect:
            case Blame(peer, reason) if network.by_id[peer].honest:
                self.fail(f"client {client.operator} blames client {network.by_id[peer].operator} for {reason}")
            case Caught(seat, reason) | Disputed(seat, reason) if seat in self.honest_seats:
                self.fail(f"client {client.operator} suspects seat {seat}, which is honest: {reason}")
            case OwnFoldWrong():
                self.fail(f"client {client.operator} disagrees with its own transcript")
            case SecretsWrong():
                self.fail(f"client {client.operator} takes its own secrets for wrong ones")

    def replaced(self, client: "Client") -> None:
        """An old copy was put in the place of a client's file."""
        self.eyes[client.operator].old_copy = True

    def resumed(self, client: "Client") -> None:
        """A client has read its file again: nothing that was safe may be missing."""
        eye = self.eyes[client.operator]
        held = client.table.held
        events = (*chain.from_iterable(held.chains), *(proof.other for proof in held.proofs))
        known = {event.hash: event for event in events}
        if not eye.old_copy:
            lost = [event for event in eye.synced.values() if event.hash not in known]
            if lost:
                self.fail(f"client {client.operator} lost {len(lost)} events that were safe on its disk")
        eye.written, eye.synced = set(known), known
        eye.unsynced.clear()
        eye.passed = None
        eye.seen, eye.stands, eye.log = Mark(), 0, []
        if not eye.old_copy:
            for seat in client.seats:
                for event in held.chains[seat - 1]:
                    self._note(client, event)

    def step(self, client: "Client") -> None:
        """A client has done something, as an honest one still."""
        if not client.honest:
            return
        table, eye = client.table, self.eyes[client.operator]
        if len(table.held.waiting) > WAITING_LIMIT:
            waiting = max(Counter(seat for seat, _ in table.held.waiting).values())
            if waiting > WAITING_LIMIT:
                self.fail(f"client {client.operator} keeps {waiting} events of one seat that wait")
        # Whatever is in the fold follows from these, of which none ever goes away.
        held = (table, len(table.held.proofs), *map(len, table.held.chains))
        if held != eye.held:
            eye.held = held
            self._look_into(client, table, eye)

    def _look_into(self, client: "Client", table: Table, eye: _Eye) -> None:
        """A client holds news: it takes no honest seat for a cheat, and nothing that it has shown goes back."""
        fold = table.fold
        guilty = {cheat.seat for cheat in fold.position.cheats} | {proof.kept.seat for proof in table.held.proofs}
        audits = table.own.last_round.audits()
        guilty |= {cheat.seat for one in audits for cheat in one.cheats}
        for one in audits:
            if one.seat in self.honest_seats and not one.whole and fold.given(one.seat):
                self.fail(f"client {client.operator} could not audit seat {one.seat}, which is honest")
        if guilty & self.honest_seats:
            self.fail(f"client {client.operator} takes seats {sorted(guilty & self.honest_seats)} for cheats")
        changed = fold.changed_since(eye.seen)
        while changed < min(len(eye.log), len(fold.log)) and eye.log[changed] == fold.log[changed]:
            changed += 1  # two agreements came at once: one cut it off, the next one has it back
        plays = client.operator in fold.playing and not any(map(table.fold.has_resigned, client.seats))
        # Nobody has to have heard what a client did last that is left behind; a seat of it may stay on a winner's side.
        left = any(entry.left_behind and entry.actor in client.seats for entry in fold.log)
        if changed < eye.stands and plays and not left and not eye.old_copy:
            self.fail(f"client {client.operator} takes action {changed + 1} back, of {eye.seen.length}")
        # What a client saw that was left behind, or did not agree yet, need not stand.
        epoch = fold.position.slot.epoch
        for at in range(changed, len(fold.log)):
            action = (fold.log[at].actor, fold.log[at].action)
            before = self.log.setdefault((epoch, at), action)
            if before != action and not self.twofaced and plays and not table.own.has_agreed:
                self.fail(
                    f"client {client.operator} has {action} as action {at + 1} of epoch {epoch}, another {before}"
                )
        eye.seen, eye.stands, eye.log = fold.mark, len(fold.log), [*fold.log]
        # An agreement signed earlier, by which another player leaves, may come into force late: the one exception.
        while eye.stands and fold.log[eye.stands - 1].left_behind:
            eye.stands -= 1
        if left:  # nobody who left this client behind had to hold what it has seen
            eye.stands = 0

    # The end.

    def go_on(self) -> None:
        """The network is well: within a while the game goes on, or everybody waits for a cheat."""
        network = self.network
        before, since = self._plies(), network.now
        slow = (
            network.plan.cheats
            or network.plan.loss > 0.2
            or any(isinstance(fault, Jump | Restore | Gone) for fault in network.plan.faults)
            or any(client.table.fold.agreements for client in network.clients)
        )
        while network.now < since + (PATIENCE if slow else PROMPT):
            network.run(1.0)
            if not network.honest or self._plies() >= before + GO_ON or self._all_over():
                return
            if network.honest and network.now > since + SUSPICION and self._stopped_by_cheats():
                return
        self.fail(f"the game does not go on: {self._state()}")

    def _playing(self) -> list["Client"]:
        """Return the honest clients that must come to the same state: those that still play, as most of them see it."""
        honest = self.network.honest
        if not self.twofaced and not any(client.table.held.proofs for client in honest):
            return list(honest)
        seen = [{*client.table.fold.position.live} for client in honest]
        found = [one for one in honest if 2 * sum(not live.isdisjoint(one.seats) for live in seen) > len(seen)]
        return [one for one in found if not any(map(one.table.fold.has_resigned, one.seats)) and not self._misled(one)]

    def _misled(self, client: "Client") -> bool:
        """Return whether the game has ended for a client alone, by the version of an event that nobody else held first.

        That can happen to a client with an old copy, and to one that the others have left behind at the end.
        """
        broken, others = client.table.fold.broken, [one.table for one in self.network.honest if one is not client]
        paths = [agreement.leavers for other in others for agreement in other.fold._path.entered.values()]
        if not broken or not (self.eyes[client.operator].old_copy or any({*client.seats} & {*out} for out in paths)):
            return False
        proofs = [proof for proof in client.table.held.proofs if proof.kept.seat == broken.seat]
        first = {event.hash for other in others for event in other.held.chains[broken.seat - 1]}
        return any(proof.other.hash in first and proof.kept.hash not in first for proof in proofs)

    def _plies(self) -> int:
        return min((client.table.fold.position.plies for client in self._playing()), default=0)

    def _all_over(self) -> bool:
        return all(client.table.fold.result is not None for client in self._playing())

    def _few(self) -> bool:
        """Return whether not all clients are honest and here."""
        return len(self.network.honest) < len(self.network.clients)

    def _stopped_by_cheats(self) -> bool:
        """Return whether the honest clients wait for cheats, and are not enough to go on without these."""
        honest = [client for client in self._playing() if client.operator in client.table.fold.playing]
        if not honest:
            return True
        # A client that came back, and whom a cheat does not answer, needs its player's word.
        unheard = [set(client.node.unheard) for client in honest]
        if any(seats and not seats & self.honest_seats for seats in unheard):
            return True
        table = honest[0].table
        live = table.fold.position.live
        playing = {table.operator(seat) for seat in live if not table.fold.has_resigned(seat)} or table.fold.playing
        operators = {client.operator for client in honest} & playing
        if len(operators) > 1 and 2 * len(operators) > len(playing):
            return False
        for client in honest:
            waited = {*client.table.fold.owing(), *client.node.going_on.missing()}
            if not waited - self.honest_seats and not client.table.own.has_agreed:
                return False
        return True

    def _state(self) -> str:
        return "; ".join(
            f"client {client.operator} at {tuple(client.table.fold.position.slot)} after"
            f" {client.table.fold.position.plies} actions waits for {client.table.fold.owing()}"
            f"{', has agreed' if client.table.own.has_agreed else ''}"
            f"{f', lacks signatures of {client.node.going_on.missing()}' if client.table.own.has_agreed else ''}"
            f"{', broken' if client.table.fold.broken else ''}"
            f"{f', has not heard {client.node.unheard}' if client.node.unheard else ''}"
            for client in self.network.honest
        )

    def end(self) -> None:
        """Play until the game is over, if no cheat stops it."""
        network = self.network
        while not self._all_over() and not (self._few() and self._stopped_by_cheats()):
            before, now = self._plies(), network.now
            while self._plies() == before and not self._all_over():
                network.run(1.0)
                if network.now > now + PATIENCE:
                    if self._stopped_by_cheats():
                        return
                    self.fail(f"the game does not go on: {self._state()}")
        # A client whose clock went back does what is due by time only when its clock is where it was.
        back = max((-fault.seconds for fault in network.plan.faults if isinstance(fault, Jump)), default=0.0)
        network.run(2 * HAVE_EVERY + max(0.0, back))
        for client in network.honest:
            over = self._all_over() and not client.table.fold.broken
            if over and not self.honest_seats & {*client.table.fold.position.live} <= set(client.table.confirmed()):
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
        playing = self._playing()
        if any(client.table.fold.broken for client in playing):
            # Which version is held matters to nobody: the game has ended for all, and each names a culprit.
            results = [client.table.fold.result for client in playing]
            if None in results or len({result[:2] for result in results if result}) > 1:
                return False
            # With the same proofs they agree as well where another table goes on, unless one awaits an agreement.
            found = [
                ([(proof.kept.seat, proof.kept.number) for proof in held.proofs], origin_of(client.table).actions)
                for client in playing
                if (held := client.table.held) and not client.table.own.has_agreed
            ]
            return all(actions == other for proofs, actions in found for same, other in found if proofs == same)
        if self._few() and self._stopped_by_cheats():
            # A client that waits for an agreement with cheats shows nothing new meanwhile.
            playing = [client for client in playing if not client.table.own.has_agreed]
        summaries = [summary(client.table) for client in playing]
        if self._all_over() and any(client.table.held.proofs for client in playing):
            # Nor here: with one version all have signed the result, with the other some may have begun an epoch since.
            summaries = [(digest, result, *told) for digest, _, result, _, *told in summaries]
        return all(one == summaries[0] for one in summaries)

    def _check_file(self, client: "Client") -> None:
        report = verify(bytes(client.disk), self.network.crypto.verifier, scheme=self.network.crypto.scheme)
        if not report.ok:
            self.fail(f"the file of client {client.operator} is not valid: {report.error}")
        fold = client.table.fold
        position = fold.position
        told = (report.digest, report.result, report.events)
        # What waits for its causes stands in no file: there the cheat is named, and the game is not finished.
        broken = fold.broken is not None and fold.broken.seat in [cheat.seat for cheat in report.cheats]
        if told != (position.digest.hex(), fold.result, position.effects) and not (
            client.table.own.has_agreed or broken
        ):
            self.fail(f"the file of client {client.operator} tells of another state than its table")
