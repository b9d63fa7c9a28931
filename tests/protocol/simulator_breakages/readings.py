"""Sentences of the specification, misread: each by the program, as one sample file shows that they are not meant."""

from itertools import takewhile
from typing import Any

from engine import MalformedError
from protocol.cards import Hands
from protocol.cards.deals import Dealing
from protocol.chance import Breaches
from protocol.chance.rolls import Breach
from protocol.events import EventKind, SignedEvent, Slot, read_event
from protocol.formation import LOCAL, Body, charter
from protocol.table import step
from protocol.table.audit import LastRound
from protocol.table.equivocation import Judgement, ended_by
from protocol.table.held import AGREEMENTS_AT_ONE_SLOT, AT_ONE_SLOT, Held
from protocol.transcript import verification
from simulator_breakages.tools import Breakage, Function, changed, instead


def in_either_version(self: Held, event: SignedEvent) -> bool:
    def is_held(seat: int, length: int, hash: bytes) -> bool:
        chain = self.chains[seat - 1]
        if not length or length > len(chain):
            return not length
        proof = self.proof_of(chain[length - 1])
        return hash in {one.hash for one in proof or chain[length - 1 : length]}

    return all(is_held(seat, *head) for seat, head in enumerate(event.heads, 1))


def by_hash_alone(real: Function) -> Function:
    def take_proof(table: Any, record: Any, verifier: Any) -> None:
        kept, other = (read_event(*half) for half in record)
        held = table.held.proof_of(kept)
        if held and held.other.hash == other.hash:
            raise MalformedError("a proof of equivocation that proves nothing")
        real(table, record, verifier)

    return take_proof


def of_one_kind_in_a_row(self: Held, seat: int, slot: Slot, *, agreements: bool) -> int:
    def counts(event: SignedEvent) -> bool:
        return event.slot.step == slot.step and (event.kind == EventKind.EPOCH) == agreements

    most = AGREEMENTS_AT_ONE_SLOT if agreements else AT_ONE_SLOT
    return most - len([*takewhile(counts, reversed(self.chains[seat - 1]))])


def never_the_guilty(self: Judgement, event: SignedEvent) -> set[int]:
    return self._playing - self._guilty - {self._operators[event.seat - 1]}


def without_points(broken: Any) -> Any:
    return broken._replace(result=broken.result._replace(points=(0,) * len(broken.result.points)))


def at_the_very_slot(real: Function) -> Function:
    def offered(position: Any, chains: Any, seat: int, ends: Any = None) -> Any:
        return (event for event in real(position, chains, seat, ends) if event.slot == position.slot)

    return offered


def with_one_id(real: Function) -> Function:
    def check_seats(body: Body, live: Any) -> None:
        if body.kind == LOCAL and len({seat.id for seat in body.seats}) > 1:
            raise MalformedError("a local table has one signer")
        real(body, live)

    return check_seats


def like_any_before(real: Function) -> Function:
    def take_keys(self: Dealing, events: Any, scheme: Any) -> Any:
        keys = [event.body.public for event in events]
        found = [Breach(event, "a key again") for at, event in enumerate(events) if keys[at] in keys[:at]]
        return Breaches(tuple(found)) if found else real(self, events, scheme)

    return take_keys


def of_all_whose_keys_cancel_out(real: Function) -> Function:
    def take_keys(self: Dealing, events: Any, scheme: Any) -> Any:
        found = real(self, events, scheme)
        proven = all(scheme.proves_key(*event.body, self.context(event.seat)) for event in events)
        if not isinstance(found, Breaches) or not proven:
            return found
        return Breaches(tuple(Breach(event, "keys that cancel out") for event in events))

    return take_keys


def before_the_first_card(self: Hands) -> bool:
    owners = self.dealing.deal.owners
    return len(self.plays) < len(owners) - owners.count(0)


def whoever_resigned_before(self: LastRound) -> Hands | None:
    hands, log = self._fold.position.hands, self._fold.log
    audited = not self._fold.broken and hands and hands.broken_off and log[-1].action == "resign"
    return hands if audited else None


def shown_by(file: str) -> str:
    """Return the test that the program judges a sample file as the specification does."""
    return f"test_vectors.py::test_a_file_gets_the_verdict_that_the_specification_gives[{file}]"


READINGS = (
    Breakage(
        "what is named may be a second version of which a proof is held",
        instead(Held._causes_held, lambda _: in_either_version),
        shown_by("names-a-second-version"),
    ),
    Breakage(
        "a proof with another signature is one that is held already",
        instead(verification._take_proof, by_hash_alone),
        shown_by("proof-again-with-another-signature"),
    ),
    Breakage(
        "an agreement ends the row of events for one step",
        instead(Held.room, lambda _: of_one_kind_in_a_row),
        shown_by("nine-for-a-step-with-an-agreement-between"),
    ),
    Breakage(
        "where all have signed twice nobody judges",
        instead(Judgement._judges, lambda _: never_the_guilty),
        shown_by("nobody-left-to-judge"),
    ),
    Breakage(
        "who wins by an equivocation has no points of the game",
        instead(ended_by, changed(without_points)),
        shown_by("equivocation-of-the-loser"),
    ),
    Breakage(
        "a signature under the result counts in its epoch alone",
        instead(step.offered, at_the_very_slot),
        shown_by("local-result-of-another-epoch"),
    ),
    Breakage(
        "an id and its negative are two peers at a local table",
        instead(charter._check_seats, with_one_id),
        shown_by("local-id-and-its-negative"),
    ),
    Breakage(
        "a key is a repetition of one that was not proven",
        instead(Dealing._take_keys, like_any_before),
        shown_by("key-of-a-wrong-one"),
    ),
    Breakage(
        "keys that cancel out are a breach of all seats",
        instead(Dealing._take_keys, of_all_whose_keys_cancel_out),
        shown_by("keys-that-cancel-out"),
    ),
    Breakage(
        "a last round is audited before its first card",
        instead(Hands.broken_off, lambda _: before_the_first_card),
        shown_by("audit-of-no-card-played"),
    ),
    Breakage(
        "a last round is audited after two resignations",
        instead(LastRound._hands, lambda _: whoever_resigned_before),
        shown_by("audit-after-two-resignations"),
    ),
)
