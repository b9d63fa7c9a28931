"""Rules of chains, broken: what is on disk, what is told to whom, what is taken in."""

from collections.abc import Iterator
from typing import Any

from protocol.events import EventKind, Head, SignedEvent, bodies
from protocol.file import proof_record
from protocol.identity import Secrets
from protocol.table import exchange, held, node, resuming
from protocol.table.effects import Send, Store
from protocol.table.exchange import Exchange
from protocol.table.held import Held
from protocol.table.news import News
from protocol.table.node import Node
from protocol.table.resuming import Resuming
from protocol.transcript import verification
from simulator_breakages.tools import (
    ENDLESS,
    Breakage,
    Function,
    always,
    asked,
    constant,
    instead,
    while_broken,
    without,
)


def heard_one_heard_all(real: Function) -> Function:
    def hear(self: Resuming, peer: bytes, have: Any = None) -> None:
        real(self, peer, have)
        if peer not in self._unheard:
            self._unheard.clear()

    return hear


def taking_any_answer(real: Function) -> Function:
    def hear(self: Resuming, peer: bytes, have: Any = None) -> None:
        real(self, peer, have and have._replace(answers=self._challenge))

    return hear


def forgetting_what_it_owes(real: Function) -> Function:
    def tick(self: Node, now: float) -> Any:
        self._resuming.keeps_back = False
        return real(self, now)

    return tick


def unsynced(real: Function) -> Function:
    def out(*args: Any) -> Iterator[Any]:
        for effect in real(*args):
            yield effect._replace(sync=False) if isinstance(effect, Store) else effect

    return out


def storing_what_was_heard(real: Function) -> Function:
    def out(self: Node, signed: list[SignedEvent], heard: bytes = b"") -> Iterator[Any]:
        for effect in real(self, signed, heard):
            yield effect._replace(data=heard) if isinstance(effect, Store) else effect

    return out


def unsafe_proofs(real: Function) -> Function:
    def take(self: Node, *args: Any) -> Iterator[Any]:
        proven = len(self.table.held.proofs)
        for effect in real(self, *args):
            records = map(proof_record, self.table.held.proofs[proven:])
            told = isinstance(effect, Store) and any(record in effect.data for record in records)
            yield effect._replace(sync=False) if told else effect

    return take


def no_lower_slot(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    before = [one.slot for one in self.chains[event.seat - 1][-1:]]
    return self, event._replace(slot=max(event.slot, *before)) if before else event


def any_version(self: Held, event: SignedEvent) -> bool:
    return all(length <= len(chain) for length, chain in zip(event.lengths, self.chains, strict=True))


def naming(event: SignedEvent, heads: tuple[Head, ...]) -> SignedEvent:
    return event._replace(heads=heads, lengths=tuple(head.length for head in heads))


def no_lower_heads(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    for one in self.chains[event.seat - 1][-1:]:
        event = naming(event, tuple(map(max, one.heads_after, event.heads)))
    return self, event


def closed_heads(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    return self, naming(event, self.closed(event.lengths))


def no_lower_epoch(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    agreed = event.slot.epoch if event.kind == EventKind.EPOCH else max(event.slot.epoch, self.agreed(event.seat))
    return self, event._replace(slot=event.slot._replace(epoch=agreed))


def rising_number(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    if isinstance(event.body, bodies.Epoch):
        number = max(event.body.number, self.agreed(event.seat) + 1)
        event = event._replace(body=event.body._replace(number=number))
    return self, event


def unclosed(self: Held, lengths: Any) -> tuple[Head, ...]:
    return tuple(
        Head(length, chain[length - 1].hash if length else b"")
        for chain, length in zip(self.chains, lengths, strict=True)
    )


CHAINS = (
    # What is on disk before it is sent, and what an old copy may sign.
    Breakage(
        "a restarted client signs at once",
        instead(Resuming.unheard, always(())),
        "test_coming_back.py::test_an_old_copy_takes_up_its_own_chain_before_it_signs",
    ),
    Breakage(
        "an old copy asks one peer only",
        instead(Resuming.hear, heard_one_heard_all),
        "test_coming_back.py::test_of_more_players_most_of_the_others_will_do_after_a_while",
    ),
    Breakage(
        "half of the others will do for an old copy",
        constant(resuming, "is_majority", lambda some, of: 2 * some >= of),
        "test_coming_back.py::test_half_of_the_others_will_not_do",
    ),
    Breakage(
        "what was kept back is not signed by time",
        instead(Node.tick, forgetting_what_it_owes),
        "test_coming_back.py::test_what_was_kept_back_is_signed_however_far_the_clock_has_gone",
    ),
    Breakage(
        "own events wait for what is lost, whatever the player says",
        instead(Held.forgo, always(None)),
        "test_coming_back.py::test_the_players_word_will_do_where_what_own_events_rest_on_is_lost",
    ),
    Breakage(
        "an old copy goes by what was said before it asked",
        instead(Resuming.hear, taking_any_answer),
        "test_coming_back.py::test_an_answer_to_another_challenge_is_none",
    ),
    Breakage(
        "an old copy signs though a peer holds more of its chain",
        instead(Resuming._lacks, always(False)),
        "test_coming_back.py::test_a_client_that_holds_more_of_an_own_chain_is_waited_for_though_its_seat_is_out",
    ),
    Breakage(
        "an old copy signs in the place of an own event that waits",
        instead(Held.waits, always(False)),
        "test_coming_back.py::test_an_old_copy_signs_nothing_in_the_place_of_an_own_event_that_waits",
    ),
    Breakage(
        "own events are sent before they are synced",
        instead(Node._out, unsynced),
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "own events are not stored",
        instead(Node._out, storing_what_was_heard),
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "events taken in are not stored",
        instead(Node._proceed, asked(lambda self, signed, heard=b"", accepted=(): (self, signed, b"", accepted))),
        "test_node.py::test_each_file_holds_the_causes_of_what_it_holds",
    ),
    Breakage(
        "proofs are not stored",
        constant(node, "proof_record", lambda proof: b""),
        "test_equivocation_told.py::test_two_holders_of_two_versions_find_them",
    ),
    Breakage(
        "a proof is told before it is safe",
        instead(Node._take, unsafe_proofs),
        "test_equivocation_told.py::test_a_proof_is_on_disk_before_it_is_passed_on",
    ),
    Breakage(
        "what a peer that comes back goes by is not on disk",
        instead(Exchange.answer, without(Store)),
        "test_coming_back.py::test_what_waits_for_its_causes_is_given_back_before_it_counts",
    ),
    Breakage(
        "secrets of the cards move on by one deal too many",
        instead(Secrets.moved_on, asked(lambda self, deal: (self, deal + 1))),
        "test_own.py::test_secrets_are_given_up_once_all_have_a_key_for_the_next_deal",
    ),
    # What is told to whom.
    Breakage(
        "no statement every few seconds",
        instead(Exchange.tick, always(())),
        "test_node.py::test_statements_come_every_few_seconds",
    ),
    Breakage(
        "a statement is not answered",
        instead(Held.lacking, always([])),
        "test_node.py::test_what_was_lost_is_asked_for",
    ),
    Breakage(
        "a peer is told all each time it asks",
        constant(exchange, "REPEAT_AFTER", float("-inf")),
        "test_node.py::test_a_peer_that_pretends_to_hold_nothing_is_not_told_all_each_time",
    ),
    Breakage(
        "a peer is asked without end",
        instead(Exchange.take_ask, lambda _: lambda self, peer: peer in self.linked),
        "test_node.py::test_a_peer_that_pretends_to_hold_more_is_asked_seldom",
    ),
    Breakage(
        "own events are not told at once",
        instead(Node._out, without(Send)),
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "nothing is passed on to those who are apart",
        instead(Exchange.pass_on, asked(lambda self, sender, events, evidence: (self, sender, [], evidence))),
        "test_node.py::test_a_third_passes_on_at_once_what_two_cannot_tell_each_other",
    ),
    Breakage(
        "proofs are not told at once",
        instead(Exchange.pass_on, asked(lambda self, sender, events, evidence: (self, sender, events, []))),
        "test_equivocation_told.py::test_a_proof_is_on_disk_before_it_is_passed_on",
    ),
    Breakage(
        "proofs are not among what a peer lacks",
        instead(
            Held.lacking,
            asked(
                lambda self, heads, _, live, told: (
                    *(self, heads, {(kept.seat, kept.number) for kept, _ in self.proofs}, live, told),
                )
            ),
        ),
        "test_held.py::test_a_peer_without_a_proof_is_told_both_versions",
    ),
    Breakage(
        "a peer with another version is told only what is longer",
        instead(Held.lacking, while_broken(Held, "_is_other", lambda *_: False)),
        "test_held.py::test_a_peer_with_another_version_is_told_all_that_not_everybody_has_named",
    ),
    Breakage(
        "a wrong digest is told of nobody",
        instead(News._compared, always([])),
        "test_node.py::test_a_wrong_digest_is_told_once_and_checked_once",
    ),
    # What is taken in.
    Breakage(
        "signatures are not checked",
        instead(SignedEvent.signed_by, always(True)),
        "test_held.py::test_an_event_with_a_wrong_signature_is_blamed",
    ),
    Breakage(
        "signatures in a file are not checked",
        constant(verification, "judged", lambda claims, *_: [True] * len(claims)),
        "test_verify.py::test_the_first_of_two_faults_is_told",
    ),
    Breakage(
        "causes need not be held",
        instead(Held._causes_held, always(True)),
        "test_held.py::test_events_in_any_order_wait_until_their_causes_are_here",
    ),
    Breakage(
        "an event may name another version than the one held",
        instead(Held._causes_held, lambda _: any_version),
        "test_held.py::test_an_event_that_names_another_version_waits_and_is_not_waited_for",
    ),
    Breakage(
        "slots may go back",
        instead(Held.contradicts, asked(no_lower_slot)),
        "test_held.py::test_a_slot_below_that_of_the_event_before_is_refused",
    ),
    Breakage(
        "heads may go back",
        instead(Held.contradicts, asked(no_lower_heads)),
        "test_held.py::test_heads_that_go_back_are_refused",
    ),
    Breakage(
        "heads need not be closed",
        instead(Held.contradicts, asked(closed_heads)),
        "test_held.py::test_heads_that_are_not_closed_are_refused",
    ),
    Breakage(
        "an author may play on below the epoch that it agreed to",
        instead(Held.contradicts, asked(no_lower_epoch)),
        "test_held.py::test_an_event_below_the_epoch_agreed_to_is_refused",
    ),
    Breakage(
        "numbers of agreements need not rise",
        instead(Held.contradicts, asked(rising_number)),
        "test_held.py::test_an_agreement_whose_number_does_not_rise_is_refused",
    ),
    Breakage(
        "numbers of agreements may leap",
        constant(held, "EPOCH_STRIDE", ENDLESS),
        "test_held.py::test_an_agreement_whose_number_leaps_is_refused",
    ),
    Breakage(
        "any number of events is held",
        constant(held, "AHEAD_LIMIT", ENDLESS),
        "test_held.py::test_memory_is_bounded_under_a_flood_of_nonsense_in_order",
    ),
    Breakage(
        "any number of bytes is held",
        constant(held, "AHEAD_BYTES", ENDLESS),
        "test_held.py::test_bytes_are_bounded_under_a_flood_of_long_nonsense",
    ),
    Breakage(
        "any number of events waits",
        constant(held, "WAITING_LIMIT", ENDLESS),
        "test_held.py::test_memory_is_bounded_under_a_flood_of_events_that_wait",
    ),
    Breakage(
        "what has waited needs no room",
        instead(Held.accept, while_broken(Held, "_has_room", lambda *_: True)),
        "test_held_room.py::test_an_event_that_comes_first_and_late_makes_no_file_invalid",
    ),
    Breakage(
        "all that a seat that is out has signed is named",
        instead(Held.nameable, lambda _: lambda self, position, own, **how: self.heads),
        "test_held.py::test_of_a_seat_that_is_out_only_what_counts_is_named",
    ),
    Breakage(
        "what is named is not closed",
        instead(Held.closed, lambda _: unclosed),
        "test_held.py::test_what_an_event_names_had_named_is_named_too",
    ),
)
