"""Verification: re-check a whole saved game, without secrets and without a network, and say in plain words what holds.

It proves that these keys signed these events, that the events chain, that rolls and moves are right, and that the
result follows. It does not prove that the file is complete, when it was played, or who held the keys.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine import CHANCE, MalformedError, Result
from protocol._ahead import Ahead, Spread, batches
from protocol._charter import LOCAL, Charter, read_charter
from protocol._deck import MASKED_DECK, DeckScheme
from protocol._event import RESULT, SHARE_BYTES, Fork, SignedEvent, read_event
from protocol._fold import Fold
from protocol._greeting import VersionMismatchError
from protocol._identity import ED25519, Signer, Verifier
from protocol._replica import PeerFaultError
from protocol._secrets import Secrets
from protocol._table import Table
from protocol._transcript import CharterRecord, EventRecord, ForkRecord, Record, TornError, records


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


class Report(NamedTuple):
    """What verification found. `error` says what is wrong and where; the rest then tells of the good part before.

    `events` counts the events that had an effect, `signed_events` all that are signed and chained; `digest` is that of
    the state after the last action (hex); `signed_by` are the seats that confirmed the result;
    `lines` say what was checked, in words.
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
    cheats: tuple[str, ...]
    lines: tuple[str, ...]
    error: str | None


class TranscriptError(ValueError):
    """A transcript that is not valid; `table` holds the good part before the error, if there is any."""

    def __init__(self, reason: str, table: Table | None = None) -> None:
        super().__init__(reason)
        self.table = table


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
    ahead = Ahead(verifier, spread)
    good = 0
    try:
        for batch in batches(records(data)):
            events = _look_ahead(ahead, table, batch) if table else {}
            for end, record in batch:
                if progress:
                    progress(end / len(data))
                if isinstance(record, EventRecord) and table:
                    _take(table, events.get(end) or read_event(*record))
                    good += 1
                elif isinstance(record, CharterRecord):
                    if table:
                        raise MalformedError("a second charter")
                    table = Table(read_charter(record.packed, verifier), signers or {}, secrets, ahead, scheme)
                elif isinstance(record, ForkRecord) and table:
                    _take_fork(table, record)
                else:
                    raise MalformedError("no charter before the first event")
    except VersionMismatchError as error:
        raise TranscriptError(str(error)) from error
    except TornError as error:
        raise TranscriptError(f"{error} ({good} events are good)", table) from error
    except (MalformedError, PeerFaultError) as error:
        where = f"event {good + 1} of the file" if table else "the charter"
        raise TranscriptError(f"{where}: {error}; {good} events before it are good", table) from error
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
    if table is None:
        return Report(False, "", "", False, None, 0, 0, "", (), (), (), error)
    fold = table.fold
    position = fold.position
    cheats = _cheats(table)
    return Report(
        ok=error is None,
        table=table.id.hex(),
        game=table.game.key,
        finished=position.result is not None,
        result=position.result,
        events=position.effects,
        signed_events=sum(map(len, table.chains)),
        digest=fold.digest.hex(),
        signed_by=table.confirmed(),
        cheats=cheats,
        lines=_lines(table, cheats),
        error=error,
    )


def _look_ahead(ahead: Ahead, table: Table, batch: list[tuple[int, Record]]) -> dict[int, SignedEvent]:
    """Check the signatures of some records; return their events by where each ends, but for what is no event."""
    seats = table.charter.body.seats
    events = {}
    for end, record in batch:
        if isinstance(record, EventRecord):
            try:
                events[end] = read_event(*record)
            except MalformedError:
                continue  # it is found again in its turn
    ahead.look([event.claim(seats[event.seat - 1].id) for event in events.values() if event.seat <= len(seats)])
    return events


def _take(table: Table, event: SignedEvent) -> None:
    """Add one event of a file: it must be new, and everything it names must stand before it."""
    try:
        accepted = table.take(event, limited=False)
        if accepted != [event]:
            raise PeerFaultError(_misplaced(table, event))
        if table.charter.body.kind == LOCAL and not _effective(table, event):
            raise PeerFaultError(_unlawful(table, event))
    except PeerFaultError as error:
        raise MalformedError(f"number {event.number} of seat {event.seat} is {error.reason}") from error


def _misplaced(table: Table, event: SignedEvent) -> str:
    if event in table.refused:
        return "one that contradicts what its author had seen before"
    if event.number <= len(table.chains[event.seat - 1]):
        return "in the file twice, or in two versions"
    return "one that names events which do not stand before it"


def _effective(table: Table, event: SignedEvent) -> bool:
    """Return whether an event of a local table did something; with one signer anything else is an error of the file."""
    behind = table.fold.position.cursors[0]
    confirms = event.kind == RESULT and not event.body and event.number == behind + 1 and table.fold.contributed(1)
    return event.number <= behind or confirms


def _unlawful(table: Table, event: SignedEvent) -> str:
    match event.body:
        case (int(actor), str(text)):
            refusal = table.game.refuse(table.state, actor, text)
            return f"not lawful: {refusal.text if refusal else 'it was made for another state'}"
    return "without effect"


def _take_fork(table: Table, record: ForkRecord) -> None:
    """Add another version of an event, or hold it from here on if it is known: all others have named that one then."""
    kept, other = (read_event(*half) for half in record)
    known = Fork(other, kept)
    if known in table.forks:
        if known not in table.passed_over() or table.exchange(known):
            raise MalformedError("an exchange of two versions for which there is no reason")
        return
    chain = table.chains[kept.seat - 1] if kept.seat <= len(table.chains) else []
    if kept.number > len(chain) or chain[kept.number - 1].hash != kept.hash:
        raise MalformedError("a proof of two versions whose first does not stand before it")
    held = len(table.forks)
    accepted = table.receive(*record.other)
    if accepted or table.forks[held:] != [Fork(kept, other)]:
        raise MalformedError("a proof of two versions that proves nothing")


def _cheats(table: Table) -> tuple[str, ...]:
    found = []
    audits = table.last_round.audits()
    for cheat in (*table.fold.position.cheats, *(cheat for audit in audits for cheat in audit.cheats)):
        event = next(e for e in table.chains[cheat.seat - 1] if e.hash == cheat.event)
        found.append(f"seat {cheat.seat} signed {cheat.reason} (its number {event.number})")
    for fork in table.forks:
        found.append(f"seat {fork.kept.seat} signed two versions of its number {fork.kept.number}")
    return tuple(found)


def _lines(table: Table, cheats: tuple[str, ...]) -> tuple[str, ...]:
    body, fold = table.charter.body, table.fold
    position = fold.position
    drawn = Counter("chance" if entry.actor == CHANCE else "move" for entry in fold.log)
    total = sum(map(len, table.chains))
    seats = ", ".join(f"{number} {seat.name}" for number, seat in enumerate(body.seats, 1))
    lines = [
        f"{table.game.title}, rules version {body.version}, seats: {seats}",
        f"charter signed by all {len(body.signers)} signers",
        *([f"each turn was to take {body.turn_time} seconds at most: not checked"] if body.turn_time else []),
        f"{position.effects} events with an effect among {total}, each signed by its seat, chained to the one before",
        f"{drawn['move']} actions of seats, all lawful, each made for the state that the moves before it give",
    ]
    operators = {seat.operator for seat in body.seats}
    if body.kind == LOCAL:
        lines.append(f"{drawn['chance']} chance values: local table, chance not proven")
    elif len(operators) < 2:
        lines.append(f"{drawn['chance']} chance values: one player's client made all shares in them, chance not proven")
    else:
        lines.append(f"{drawn['chance']} chance values, each made by all seats together and checked step by step")
    deals = [entry.hands for entry in fold.log if entry.hands]
    if deals:
        shuffles = sum(len(hands.dealing.keys) for hands in deals)
        shares = sum(len(bundle) for hands in deals for bundle in hands.shares) // SHARE_BYTES
        lines.append(f"{len(deals)} deals: {shuffles} shuffles and {shares} shares of cards proven")
        lines.append(f"cards played, each proven to be the one dealt: {_cards_played(fold)}")
    removed = [entry.actor for entry in fold.log if entry.removed]
    lines += [f"seat {seat} was voted out by more than half of the players" for seat in removed]
    if position.result and position.hands and position.hands.broken_off:
        lines += _audit_lines(table)
    if position.result:
        lines.append(f"result: {result_text(table.charter, position.result)}")
        confirmed = ", ".join(map(str, table.confirmed())) or "nobody"
        lines.append(f"result confirmed by seats: {confirmed}")
    else:
        lines.append("the game is not finished in this file")
        lines += [f"seat {seat} claims that the other player is gone: unconfirmed" for seat in fold.claims()]
    lines += [f"CHEAT: {cheat}" for cheat in cheats]
    lines.append("not proven: that the file is complete, when it was played, that seats are different people")
    if deals:
        lines.append("not proven: that players did not show each other their cards")
    if removed:
        lines.append("not proven: that a seat which was voted out was absent")
    return tuple(lines)


def _audit_lines(table: Table) -> list[str]:
    audits = table.last_round.audits()
    whole = [audit.seat for audit in audits if audit.whole]
    lines = [f"last round audited for seat {seat}: the cards that it still held are open" for seat in whole]
    if not lines or len(lines) < len(audits):
        lines.append("last round not audited: its last cards were not played, so a revoke in it would not show")
    return lines


def _cards_played(fold: Fold) -> int:
    dealt, played = None, 0
    for entry in fold.log:
        dealt = entry.hands or dealt
        played += entry.actor != CHANCE and dealt is not None and dealt.names(entry.action)
    return played


def result_text(charter: Charter, result: Result) -> str:
    """Return a result in words, with the names of the winners."""
    names = [charter.body.seats[seat - 1].name for seat in result.winners]
    who = " and ".join(names) + (" wins" if len(names) == 1 else " win") if names else "nobody wins"
    return f"{who} ({result.reason}); points {'-'.join(map(str, result.points))}"
