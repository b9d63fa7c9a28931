"""Verification: re-check a whole saved game, without secrets and without a network, and report what holds.

It proves that these keys signed these events, that the events chain, that rolls and moves are right, and that the
result follows. It does not prove that the file is complete, when it was played, or who held the keys.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from engine import MalformedError, Result
from protocol.cards import MASKED_DECK, DeckScheme
from protocol.events import EventKind, Proof, SignedEvent, SlotKind, bodies, read_event
from protocol.file import CharterRecord, EventRecord, ProofRecord, Record, TornError, records
from protocol.formation import LOCAL, Charter, VersionMismatchError, read_charter
from protocol.identity import ED25519, Secrets, Signer, Verifier
from protocol.table import AHEAD_LIMIT, PeerFaultError, Table, acts, given, why_not_act
from protocol.transcript.ahead import Spread, batches, judged
from protocol.transcript.proofs import Evidence, evidence


def first_record(data: bytes, verifier: Verifier = ED25519) -> Charter:
    """Return the charter with which a file begins. Raises TranscriptError."""
    try:
        for _, record in records(data):
            if isinstance(record, CharterRecord):
                return read_charter(record.packed, verifier)
            break
    except ValueError as error:
        raise TranscriptError(str(error)) from error
    raise TranscriptError("the file does not begin with a charter")


class CheatKind(StrEnum):
    """In which way a seat did something against the rules."""

    BREACH = "breach"
    """It signed what the rules of the game or of the protocol forbid."""
    REVOKE = "revoke"
    """It did not follow suit, as a hand that was opened at the end brought to light."""
    EQUIVOCATION = "equivocation"
    """It signed two versions of an event."""


class FoundCheat(NamedTuple):
    """What a seat did against the rules, `event` being the number of the evidence in the seat's chain.

    `reason` says it in words.
    """

    seat: int
    event: int
    kind: CheatKind
    reason: str


class Report(NamedTuple):
    """What verification found. `error` says what is wrong and where; the rest then tells of the good part before.

    `events` counts the events that had an effect, `signed_events` all that are signed and chained; `digest` is that of
    the state after the last action (hex); `signed_by` are the seats that confirmed the result. `evidence` is what the
    good part proves, None where there is none.
    """

    ok: bool
    table: str
    game: str
    finished: bool
    result: Result | None
    events: int
    signed_events: int
    digest: str
    signed_by: tuple[int, ...]
    cheats: tuple[FoundCheat, ...]
    evidence: Evidence | None
    error: str | None


_NOTHING = Report(
    ok=False,
    table="",
    game="",
    finished=False,
    result=None,
    events=0,
    signed_events=0,
    digest="",
    signed_by=(),
    cheats=(),
    evidence=None,
    error=None,
)
"""What is reported of a file that does not even begin with a charter."""


class TranscriptError(ValueError):
    """A transcript that is not valid; `table` holds the good part before the error, if there is any.

    `author`: the seat of which an event is what is wrong, as the message says by `seat N`; else 0.
    """

    def __init__(self, reason: str, table: Table | None = None, author: int = 0) -> None:
        super().__init__(reason)
        self.table, self.author = table, author


class _EventError(Exception):
    """An event that cannot stand where it does in the file of a table."""

    def __init__(self, table: Table, event: SignedEvent, reason: str) -> None:
        super().__init__(f"number {event.number} of seat {event.seat} is {reason}")
        self.author = event.seat if event.seat <= len(table.held.chains) else 0


def load(
    data: bytes,
    verifier: Verifier = ED25519,
    progress: Callable[[float], None] | None = None,
    scheme: DeckScheme = MASKED_DECK,
    signers: Mapping[int, Signer] | None = None,
    secrets: Secrets | None = None,
    spread: Spread = map,
) -> Table:
    """Return the table that a whole file tells of, every record checked. Raises TranscriptError at the first fault.

    `progress` is told after each record which part of the file is behind, from 0 to 1. With `signers` and `secrets`
    the table can be played on. `spread` may share the work of checking signatures among threads.
    """
    table: Table | None = None
    good = 0
    try:
        for batch in batches(records(data)):
            checked = _checked(batch, table.charter, verifier, spread) if table else {}
            for end, record in batch:
                if progress:
                    progress(end / len(data))
                match record:
                    case EventRecord() if table:
                        _take(table, *(checked.get(end) or (read_event(*record), None)))
                        good += 1
                    case ProofRecord() if table:
                        _take_proof(table, record, verifier)
                    case CharterRecord(packed) if not table:
                        table = Table(read_charter(packed, verifier), signers or {}, secrets, verifier, scheme)
                    case CharterRecord():
                        raise MalformedError("a second charter")
                    case _:
                        raise MalformedError("no charter before the first event")
    except VersionMismatchError as error:
        raise TranscriptError(str(error)) from error
    except TornError as error:
        raise TranscriptError(f"{error} ({good} events are good)" if table else str(error), table) from error
    except (MalformedError, PeerFaultError, _EventError) as error:
        where = f"event {good + 1} of the file" if table else "the charter"
        before = f"; {good} events before it are good" if good else ""
        author = error.author if isinstance(error, _EventError) else 0
        raise TranscriptError(f"{where}: {error}{before}", table, author) from error
    if table is None:
        raise TranscriptError("the file ends before the charter")
    return table


def verify(
    data: bytes,
    verifier: Verifier = ED25519,
    progress: Callable[[float], None] | None = None,
    scheme: DeckScheme = MASKED_DECK,
    spread: Spread = map,
) -> Report:
    """Check every byte of a saved game. Never raises; a file that is not valid gives `ok` False and an `error`.

    `progress` and `spread` as for `load`.
    """
    try:
        table: Table | None = load(data, verifier, progress, scheme, spread=spread)
        error = None
    except TranscriptError as fault:
        table, error = fault.table, str(fault)
    return report_of(table, error)


def report_of(table: Table | None, error: str | None = None) -> Report:
    """Return what holds of a table that `load` returned, or that its TranscriptError has, with the error."""
    if table is None:
        return _NOTHING._replace(error=error)
    fold = table.fold
    return Report(
        ok=error is None,
        table=table.id.hex(),
        game=table.game.key,
        finished=fold.result is not None,
        result=fold.result,
        events=fold.position.effects,
        digest=fold.position.digest.hex(),
        signed_events=sum(map(len, table.held.chains)),
        signed_by=table.confirmed(),
        cheats=_cheats(table),
        evidence=evidence(table),
        error=error,
    )


def _checked(
    batch: list[tuple[int, Record]], charter: Charter, verifier: Verifier, spread: Spread
) -> dict[int, tuple[SignedEvent, bool]]:
    """Return the events in some records, each with whether its seat signed it, by the offset where the record ends.

    Records that hold no event of this table are left out: the error is raised when the record's turn comes.
    """
    ids = [seat.id for seat in charter.body.seats]
    ends, events, claims = [], [], []
    for end, record in batch:
        if isinstance(record, EventRecord):
            try:
                event = read_event(*record)
                claims.append(event.claim(ids[event.seat - 1]))
            except (MalformedError, IndexError):
                continue
            ends.append(end)
            events.append(event)
    return dict(zip(ends, zip(events, judged(claims, verifier, spread), strict=True), strict=True))


def _take(table: Table, event: SignedEvent, signed: bool | None) -> None:
    """Add one event of a file: it must be new, and everything that it names must stand before it.

    `signed`: whether its seat signed it, if that was checked.
    """
    local = table.charter.body.kind == LOCAL
    try:
        if local and not (event.kind == EventKind.ACT or (event.kind == EventKind.RESULT and event.body == (b"",))):
            raise PeerFaultError("without effect")
        here = event.table == table.id and len(event.heads) == len(table.held.chains)
        # Asked before the event is taken: the table of a TranscriptError holds nothing refused. Of an event that
        # its seat did not sign, or that stands in the wrong place, `take` tells.
        if local and here and signed and table.held.follows(event) and (reason := _why_idle(table, event)):
            raise PeerFaultError(reason)
        held_already = here and event.number <= len(table.held.chains[event.seat - 1])
        if held_already or table.take(event, signed=signed) != [event]:
            raise PeerFaultError(_misplaced(table, event))
    except PeerFaultError as error:
        raise _EventError(table, event, str(error)) from error


def _misplaced(table: Table, event: SignedEvent) -> str:
    held = table.held
    if event.number <= len(held.chains[event.seat - 1]):
        return "in the file twice, or in two versions"
    if event.number > table.fold.position.behind[event.seat - 1] + AHEAD_LIMIT:
        return f"more than {AHEAD_LIMIT} events ahead of what lies behind"
    if not held.follows(event):
        return "one that names events which do not stand before it"
    return "one that can never count, or more than may be ahead"


def _why_idle(table: Table, event: SignedEvent) -> str:
    """Return why the next event of a table with one signer would have no effect: there that is an error of the file.

    Nothing if it has one: it does the action that it signs, or is the only signature under the result.
    """
    rules, position, chain = table.fold.rules, table.fold.position, table.held.chains[0]
    if isinstance(event.body, bodies.Act):
        if acts(rules, position, event):
            return ""
        refusal = why_not_act(rules, position, *event.body)
        return f"not lawful: {refusal.text if refusal else 'it was signed for another state'}"
    confirms = position.slot.kind == SlotKind.END and given(position, ([*chain, event],), 1) is event
    return "" if confirms else "without effect"


def _take_proof(table: Table, record: ProofRecord, verifier: Verifier) -> None:
    """Add a proof of equivocation: its first event must stand before it, its second one be another version of that.

    It may tell nothing new here: the client that stored it may have closed fewer slots than its file allows.
    """
    if table.charter.body.kind == LOCAL:
        raise MalformedError("a proof of equivocation in a game with one signer")
    kept, other = (read_event(*half) for half in record)
    chain = table.held.chains[kept.seat - 1] if kept.seat <= len(table.held.chains) else []
    if kept.number > len(chain) or chain[kept.number - 1] != kept:
        raise MalformedError("a proof of equivocation whose first event does not stand before it")
    again = (kept.seat, kept.number) == (other.seat, other.number) and kept.hash != other.hash
    again = again and table.held.proof_of(kept) != Proof(kept, other)
    if not again or table.take(other) or not other.signed_by(table.charter.body.seats[kept.seat - 1].id, verifier):
        raise MalformedError("a proof of equivocation that proves nothing")


def _cheats(table: Table) -> tuple[FoundCheat, ...]:
    found = []
    chains, audits = table.held.chains, table.own.last_round.audits()
    breaches = [(cheat, CheatKind.BREACH) for cheat in table.fold.position.cheats]
    breaches += [(cheat, CheatKind.REVOKE) for audit in audits for cheat in audit.cheats]
    numbers = {one.hash: one.number for seat in {cheat.seat for cheat, _ in breaches} for one in chains[seat - 1]}
    for cheat, kind in breaches:
        found.append(FoundCheat(cheat.seat, numbers[cheat.event], kind, cheat.reason))
    for kept, _ in table.held.proofs:
        found.append(FoundCheat(kept.seat, kept.number, CheatKind.EQUIVOCATION, "two versions of it"))
    return tuple(found)
