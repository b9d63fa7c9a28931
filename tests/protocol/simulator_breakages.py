"""Ways to break the rules on purpose, one at a time, which simulated games or a test must notice.

Each is bound to a name: a function, a method or a property that something else stands in for, or a constant. So it
outlives a rewriting of what it breaks, and a name that is gone is an error of the type checker and of this module.
`scripts/breakages.py` tries them, each in processes of its own.
"""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

from engine import encode
from protocol.cards.deals import Dealing
from protocol.chance.rolls import Roll
from protocol.events import SLOTS, Epoch, EventKind, Head, SignedEvent
from protocol.file import proof_record
from protocol.formation import read_charter
from protocol.identity import Secrets
from protocol.table import epochs, exchange, gallery, going_on, held, node, resuming, spectator, step
from protocol.table.effects import Send, Store
from protocol.table.exchange import Exchange
from protocol.table.fold import Fold
from protocol.table.gallery import Gallery
from protocol.table.going_on import GoingOn
from protocol.table.held import Held
from protocol.table.log import takeback_target
from protocol.table.news import News
from protocol.table.node import Node
from protocol.table.own import Own
from protocol.table.position import NOWHERE, Cheat, Earlier, Position, Rules
from protocol.table.resuming import Resuming
from protocol.table.spectator import Spectator

ENDLESS = 10**12

Function: TypeAlias = Callable[..., Any]
Stand: TypeAlias = Callable[[Function], Function]
"""Returns what stands in for a function."""


class Breakage(NamedTuple):
    """What is broken, in words; what breaks it in this process; the test that fails then.

    The test is named where simulated games notice seldom or never.
    """

    name: str
    break_it: Callable[[], None]
    test: str = ""


def instead(of: Any, stand: Stand) -> Callable[[], None]:
    """Return what puts `stand(of)` in the place of a function, a method or a property, wherever a module calls it."""
    function: Any = of.fget if isinstance(of, property) else of
    *way, last = function.__qualname__.split(".")
    home: Any = import_module(function.__module__)
    for name in way:
        home = getattr(home, name)

    def break_it() -> None:
        if isinstance(home, ModuleType):
            for module, name in bindings(of):
                setattr(module, name, stand(function))
        elif isinstance(vars(home)[last], staticmethod):
            setattr(home, last, staticmethod(stand(function)))
        else:
            setattr(home, last, property(stand(function)) if isinstance(of, property) else stand(function))

    return break_it


def bindings(value: object) -> list[tuple[ModuleType, str]]:
    """Return where modules of the protocol have a function, each with its name there."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "protocol"]
    return [(module, name) for module in modules for name, own in vars(module).items() if own is value]


def constant(module: ModuleType, name: str, value: object) -> Callable[[], None]:
    """Return what gives a constant of a module another value, or a function that it has taken from another module."""
    assert hasattr(module, name), f"{module.__name__} has no {name}"
    return lambda: setattr(module, name, value)


def always(value: object) -> Stand:
    """Return a stand-in that returns `value`."""
    return lambda _: lambda *args, **named: value


def changed(change: Callable[[Any], Any]) -> Stand:
    """Return a stand-in that returns what the function returns, changed."""
    return lambda real: lambda *args, **named: change(real(*args, **named))


def asked(change: Callable[..., tuple[Any, ...]]) -> Stand:
    """Return a stand-in that calls the function with changed arguments."""
    return lambda real: lambda *args, **named: real(*change(*args, **named))


def without(kind: type) -> Stand:
    """Return a stand-in for a generator of effects that leaves one kind of them out."""
    return lambda real: lambda *args: [effect for effect in real(*args) if not isinstance(effect, kind)]


def while_broken(owner: object, name: str, value: object) -> Stand:
    """Return a stand-in during which, and only then, `owner` has another `name`."""
    assert hasattr(owner, name), f"{owner} has no {name}"

    def stand(real: Function) -> Function:
        def broken(*args: Any) -> Any:
            with mock.patch.object(owner, name, value):
                return real(*args)

        return broken

    return stand


# Stand-ins of more than a line.


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


def no_lower_heads(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    for one in self.chains[event.seat - 1][-1:]:
        event = event._replace(heads=tuple(map(max, one.heads_after, event.heads)))
    return self, event


def closed_heads(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    return self, event._replace(heads=self.closed(head.length for head in event.heads))


def no_lower_epoch(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    agreed = event.slot.epoch if event.kind == EventKind.EPOCH else max(event.slot.epoch, self.agreed(event.seat))
    return self, event._replace(slot=event.slot._replace(epoch=agreed))


def rising_number(self: Held, event: SignedEvent) -> tuple[Held, SignedEvent]:
    if isinstance(event.body, Epoch):
        number = max(event.body.number, self.agreed(event.seat) + 1)
        event = event._replace(body=event.body._replace(number=number))
    return self, event


def won_by_others(real: Function) -> Function:
    def judged(self: Fold) -> Any:
        broken = real(self)
        others = tuple(seat for seat in self.position.live if broken and seat != broken.seat)
        return broken and broken._replace(result=broken.result._replace(winners=others))

    return judged


def signing_on(real: Function) -> Function:
    def duties(self: Own) -> Any:
        with mock.patch.object(self._fold, "broken", None):
            return real(self)

    return duties


def any_digest(real: Function) -> Function:
    def given(position: Position, chains: Any, seat: int, ends: Any = None) -> Any:
        return real(position, chains, seat, ends) or next(step.offered(position, chains, seat, ends), None)

    return given


def any_slot(_: Function) -> Function:
    def offered(position: Position, chains: Any, seat: int, ends: Any = None) -> Iterator[SignedEvent]:
        for event in chains[seat - 1][position.behind[seat - 1] : ends[seat - 1] if ends else None]:
            if event.kind in SLOTS[position.slot.kind].takes and position.knows(event.heads):
                yield event

    return offered


def all_kinds() -> None:
    for kind, rule in SLOTS.items():
        SLOTS[kind] = rule._replace(takes=tuple(EventKind))


def without_consent(self: Rules, position: Position, to: int) -> Position:
    earlier = position.earlier_at(to)
    return self.restored(position, earlier) if earlier else position


def chance_is_a_seat(self: Rules, position: Position, actor: int, live: Any) -> tuple[Any, ...]:
    return self, position, actor or live[0], live


def past_others(real: Function) -> Function:
    def earlier(self: Rules, position: Position, actor: int, live: Any) -> Earlier | None:
        found: Earlier | None = real(self, position, actor, live)
        return found and found._replace(before=position.earlier)

    return earlier


def wishes_stay(real: Function) -> Function:
    def with_action(position: Position, *args: Any) -> Any:
        return real(position, *args)._replace(takebacks=position.takebacks)

    return with_action


def restored_twice(real: Function) -> Function:
    return lambda self, position, to: real(self, position, to)._replace(earlier=to)


def any_local_takeback(real: Function) -> Function:
    def may_act(rules: Rules, position: Position, actor: int, text: str) -> Any:
        return None if takeback_target(actor, text) is not None else real(rules, position, actor, text)

    return may_act


def on_record_only(_: Function) -> Function:
    def condemned(rules: Rules, position: Position, event: SignedEvent, reason: str) -> Position:
        return position._replace(cheats=(*position.cheats, Cheat(event.seat, event.hash, reason)))

    return condemned


def unproven_shuffle(_: Function) -> Function:
    def take(self: Dealing, event: Any, scheme: object) -> Dealing:
        return self._replace(deck=event.body.deck, shuffles=self.shuffles + 1)

    return take


def unlisted(chains: Any, agreement: Any, signed: Any) -> tuple[Any, ...]:
    return chains, agreement._replace(leaving=()), signed


def of_one_mind(real: Function) -> Function:
    def due(self: GoingOn, present: set[int], late: set[int], now: float) -> Any:
        others = self._fold.playing - {self._own.operator}
        self.want(self.unwanted & others)
        with mock.patch.object(GoingOn, "debtors", return_value=others):
            return real(self, present, late, now)

    return due


def sent_again_later(real: Function) -> Function:
    def due(self: Gallery, watching: Any, *args: Any) -> Any:
        messages = real(self, watching, *args)
        if messages:
            watching.again = self._when + gallery.SENT_AGAIN_AFTER
        return messages

    return due


def unmetered(real: Function) -> Function:
    def serve(self: Gallery, *args: Any) -> Iterator[Any]:
        for effect in real(self, *args):
            self._left = gallery.BYTES_AT_ONCE
            yield effect

    return serve


def proofs_kept_back(real: Function) -> Function:
    def release(self: Gallery) -> None:
        self._proofs = len(self._table.held.proofs)
        real(self)

    return release


def any_passphrase(real: Function) -> Function:
    def admits(self: Gallery, peer: bytes) -> bool:
        self._proven.add(peer)
        return bool(real(self, peer))

    return admits


def any_charter(_: Function) -> Function:
    def charter(self: Spectator, packed: bytes, nonces: Any, signatures: Any) -> Any:
        return read_charter(encode((packed, nonces, signatures)), self._verifier)

    return charter


def all_lengths(self: Gallery) -> tuple[int, ...]:
    return tuple(map(len, self._table.held.chains))


def undelayed(self: Gallery) -> tuple[int, ...]:
    return tuple(head.length for head in self._table.held.closed(self._table.fold.position.behind))


def unclosed(self: Held, lengths: Any) -> tuple[Head, ...]:
    return tuple(
        Head(length, chain[length - 1].hash if length else b"")
        for chain, length in zip(self.chains, lengths, strict=True)
    )


BREAKAGES = (
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
        instead(Node._publish, asked(lambda self, signed, heard=b"", accepted=(): (self, signed, b"", accepted))),
        "test_node.py::test_each_file_holds_the_causes_of_what_it_holds",
    ),
    Breakage(
        "proofs are not stored",
        constant(node, "proof_record", lambda proof: b""),
        "test_equivocation.py::test_two_holders_of_two_versions_find_them",
    ),
    Breakage(
        "a proof is told before it is safe",
        instead(Node._take, unsafe_proofs),
        "test_equivocation.py::test_a_proof_is_on_disk_before_it_is_passed_on",
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
        instead(Exchange.may_ask, lambda _: lambda self, peer: peer in self.linked),
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
        "test_equivocation.py::test_a_proof_is_on_disk_before_it_is_passed_on",
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
        "causes need not be held",
        instead(Held._causes_held, always(True)),
        "test_held.py::test_events_in_any_order_wait_until_their_causes_are_here",
    ),
    Breakage(
        "an event may name another version than the one held",
        instead(Held._parted, always(False)),
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
        "test_held.py::test_memory_is_bounded_under_a_flood_of_events_that_wait",
    ),
    Breakage(
        "any number of bytes is held",
        constant(held, "AHEAD_BYTES", ENDLESS),
        "test_held.py::test_bytes_are_bounded_under_a_flood_of_long_nonsense",
    ),
    Breakage(
        "all that a seat that is out has signed is named",
        instead(Held.nameable, lambda _: lambda self, position, own: self.heads),
        "test_held.py::test_of_a_seat_that_is_out_only_what_counts_is_named",
    ),
    Breakage(
        "what is named is not closed",
        instead(Held.closed, lambda _: unclosed),
        "test_held.py::test_what_an_event_names_had_named_is_named_too",
    ),
    # Equivocation.
    Breakage(
        "a second version of an event is not noticed",
        instead(Held._tells, always(False)),
        "test_equivocation.py::test_of_two_players_the_other_one_has_won",
    ),
    Breakage(
        "a proof of what is settled ends the game",
        instead(Held.settled, always(False)),
        "test_equivocation.py::test_another_version_of_a_settled_event_is_evidence_and_nothing_else",
    ),
    Breakage(
        "an event is settled at once",
        instead(Held.settled, always(True)),
        "test_equivocation.py::test_of_more_players_nobody_has_won_and_the_author_is_named",
    ),
    Breakage(
        "a seat that is out ends the game by anything",
        instead(Held._relied_on, always(True)),
        "test_equivocation.py::test_a_seat_that_is_out_harms_nobody_by_two_versions_of_what_nobody_relied_on",
    ),
    Breakage(
        "every proof is kept",
        instead(Held._tells, always(True)),
        "test_equivocation.py::test_a_flood_of_versions_costs_two_proofs_and_two_checks",
    ),
    Breakage(
        "of more players one wins by equivocation",
        instead(Fold._judged, won_by_others),
        "test_equivocation.py::test_of_more_players_nobody_has_won_and_the_author_is_named",
    ),
    Breakage(
        "clients sign on after a proof",
        instead(Own.duties, signing_on),
        "test_equivocation.py::test_after_that_nothing_is_signed",
    ),
    # What counts.
    Breakage(
        "an event counts with any digest",
        instead(step.given, any_digest),
        "test_step.py::test_a_move_for_another_state_or_slot_does_nothing",
    ),
    Breakage(
        "an event counts at any slot",
        instead(step.offered, any_slot),
        "test_step.py::test_a_move_for_another_state_or_slot_does_nothing",
    ),
    Breakage(
        "a contribution counts whatever its author knew",
        instead(Position.knows, always(True)),
        "test_step.py::test_a_move_that_does_not_name_what_lies_behind_does_nothing",
    ),
    Breakage(
        "any kind of event fills any slot",
        all_kinds,
        "test_step.py::test_no_other_kind_of_event_fills_a_turn",
    ),
    Breakage(
        "a SEQUENCE need not place anything, a move may leave something out",
        instead(step._fills, always(True)),
        "test_step.py::test_a_sequence_that_places_nothing_does_nothing",
    ),
    Breakage(
        "resignations have their place in another order",
        instead(step.asynchronous, changed(lambda events: sorted(events, key=lambda one: (-one.slot.step, -one.seat)))),
        "test_step.py::test_resignations_and_wishes_have_their_place_by_step_seat_and_number",
    ),
    Breakage(
        "wishes never lapse",
        constant(step, "WISH_OUTLIVES", ENDLESS),
        "test_step.py::test_a_wish_lapses_with_the_second_own_move",
    ),
    Breakage(
        "a seat wishes as often as it likes",
        instead(step._changes, asked(lambda position, event: (position._replace(wished=(0,) * 5), event))),
        "test_step.py::test_one_wish_between_own_moves",
    ),
    # Take-backs.
    Breakage(
        "a take-back needs nobody else's consent",
        instead(Rules.taken_back, lambda _: without_consent),
        "test_takeback.py::test_everybody_who_still_plays_has_to_agree",
    ),
    Breakage(
        "a take-back goes past dice",
        instead(Rules._earlier, asked(chance_is_a_seat)),
        "test_takeback.py::test_nothing_is_taken_back_past_dice",
    ),
    Breakage(
        "a take-back goes past another player",
        instead(Rules._earlier, past_others),
        "test_takeback.py::test_nothing_is_taken_back_past_the_action_of_another_player",
    ),
    Breakage(
        "a take-back brings back a seat that is out",
        instead(Rules._earlier, asked(lambda self, position, actor, live: (self, position, actor, position.live))),
        "test_takeback.py::test_a_turn_that_put_a_seat_out_of_the_game_stands",
    ),
    Breakage(
        "a take-back closes cards that were shown",
        instead(
            Rules._earlier, asked(lambda self, position, actor, live: (self, position._replace(deals=0), actor, live))
        ),
        "test_takeback.py::test_nothing_is_taken_back_once_cards_are_dealt",
    ),
    Breakage(
        "wishes for a take-back outlive the next action",
        instead(Rules._with_action, wishes_stay),
        "test_takeback.py::test_a_player_who_does_not_agree_plays_on_and_the_wish_lapses",
    ),
    Breakage(
        "what was taken back is taken back again",
        instead(Rules.restored, restored_twice),
        "test_takeback.py::test_a_turn_taken_back_does_not_open_the_one_before_it",
    ),
    Breakage(
        "a wish for a take-back counts for another state",
        instead(step._changes, asked(lambda position, event: (position, event._replace(digest=position.digest)))),
        "test_takeback.py::test_a_wish_signed_before_another_action_counts_for_nothing",
    ),
    Breakage(
        "a seat asks for one take-back again and again",
        instead(step._changes, asked(lambda position, event: (position._replace(takebacks=(NOWHERE,) * 5), event))),
        "test_takeback.py::test_a_player_asks_once_for_one_state",
    ),
    Breakage(
        "a file of one computer goes back to any state",
        instead(step.may_act, any_local_takeback),
        "test_takeback.py::test_both_verifiers_judge_the_take_back_of_a_local_file",
    ),
    # Breaches.
    Breakage(
        "unlawful moves are applied",
        instead(Rules.judge, always(None)),
        "test_cheats.py::test_an_unlawful_move_is_resigning",
    ),
    Breakage(
        "a breach is on record and costs nothing",
        instead(step._condemned, on_record_only),
        "test_cheats.py::test_an_unlawful_move_is_the_last_event_of_its_author",
    ),
    Breakage(
        "a salt need not fit its commitment",
        instead(Roll._opens, always(True)),
        "test_cheats.py::test_another_salt_than_committed_is_resigning",
    ),
    Breakage(
        "commitments outlive a breach",
        instead(step.given_up, lambda _: lambda position: position._replace(machine=None, parts=())),
        "test_epochs.py::test_where_a_seat_leaves_all_commitments_fall",
    ),
    Breakage(
        "a shuffle need not be proven",
        instead(Dealing._take_shuffle, unproven_shuffle),
        "test_card_cheats.py::test_another_deck_with_a_proof_that_looks_right",
    ),
    # Epochs.
    Breakage(
        "an epoch begins without a seat that stays",
        instead(epochs.lacking, always(set())),
        "test_epochs.py::test_a_forged_agreement_of_too_few_is_not_entered_by_the_function_itself",
    ),
    Breakage(
        "half of the operators are enough",
        instead(epochs.is_majority, lambda _: lambda stay, play: 2 * stay >= play),
        "test_epochs.py::test_more_than_half_of_the_operators_must_stay",
    ),
    Breakage(
        "of two operators one leaves the other",
        instead(epochs.enough, always(True)),
        "test_epochs.py::test_of_two_operators_nobody_can_leave_one_that_waits_for_an_agreement",
    ),
    Breakage(
        "resigned operators count among those that play",
        constant(epochs, "has_resigned", lambda *_: False),
        "test_epochs.py::test_one_operator_is_enough_where_all_others_have_resigned",
    ),
    Breakage(
        "a player may be left behind who owes nothing",
        constant(epochs, "owing", lambda base, chains, ends: base.live),
        "test_epochs.py::test_nobody_leaves_who_owes_nothing",
    ),
    Breakage(
        "nobody owes a signature",
        instead(epochs._owes_signature, always(False)),
        "test_epochs.py::test_an_operator_leaves_for_a_signature_that_it_owes",
    ),
    Breakage(
        "everybody owes a signature",
        instead(epochs._owes_signature, always(True)),
        "test_epochs.py::test_an_operator_owes_no_signature",
    ),
    Breakage(
        "what was given to the open slot is lost in an epoch that nobody leaves",
        instead(epochs._start, changed(lambda position: position._replace(parts=()))),
        "test_epochs.py::test_an_epoch_that_nobody_leaves_carries_over_what_was_given",
    ),
    Breakage(
        "a roll goes on where a seat leaves",
        constant(epochs, "given_up", lambda position: position),
        "test_epochs.py::test_where_a_seat_leaves_the_roll_is_given_up",
    ),
    Breakage(
        "what a seat signed after the heads in the list counts",
        instead(epochs._ends, asked(unlisted)),
        "test_epochs.py::test_nothing_of_a_leaver_counts_beyond_the_list",
    ),
    Breakage(
        "a client closes slots though it has agreed to go on otherwise",
        instead(Fold._awaited, always(None)),
        "test_epochs.py::test_a_client_that_has_agreed_closes_no_slot_until_the_agreement_cannot_come_into_force",
    ),
    Breakage(
        "a client enters a lower epoch than it has agreed to",
        instead(Fold._enter, asked(lambda self, awaited: (self, None))),
        "test_epochs.py::test_a_client_that_has_agreed_higher_enters_no_lower_epoch",
    ),
    Breakage(
        "a client signs in an epoch that it has agreed to leave",
        instead(Own.duties, while_broken(Held, "agreed", lambda *_: 0)),
        "test_own.py::test_a_client_that_has_agreed_gives_nothing_more_in_this_epoch",
    ),
    # Ballots.
    Breakage(
        "a client agrees to anything",
        instead(GoingOn.due, of_one_mind),
        "test_going_on.py::test_a_player_who_is_gone_is_left_behind_when_all_others_have_said_so",
    ),
    Breakage(
        "that nobody leaves is asked for without end",
        constant(going_on, "RENEWALS", ENDLESS),
        "test_going_on.py::test_renewals_come_to_an_end",
    ),
    Breakage(
        "all propose at once",
        constant(going_on, "STAGGER", 0.0),
        "test_going_on.py::test_at_one_moment_only_one_client_proposes",
    ),
    Breakage(
        "agreements are proposed without end",
        constant(going_on, "AT_ONCE", ENDLESS),
        "test_going_on.py::test_a_client_pauses_where_another_one_proposes_without_end",
    ),
    Breakage(
        "an agreement that cannot come into force is waited for",
        instead(GoingOn._may_succeed, lambda _: lambda self, agreement: bool(self._fold.lacking(agreement))),
        "test_going_on.py::test_an_agreement_that_cannot_come_into_force_is_not_waited_for",
    ),
    # Spectators.
    Breakage(
        "spectators are sent all that is held",
        instead(Gallery._shown, lambda _: all_lengths),
        "test_spectators.py::test_a_spectator_is_sent_only_what_lies_behind_all_seats",
    ),
    Breakage(
        "spectators are not sent what parts that count have named",
        instead(Gallery._shown, while_broken(Held, "closed", unclosed)),
        "test_spectators.py::test_a_spectator_sees_a_resignation_that_a_roll_has_named",
    ),
    Breakage(
        "nothing is delayed",
        instead(Gallery._shown, lambda _: undelayed),
        "test_spectators.py::test_a_delay_keeps_the_last_actions_from_spectators_until_the_end",
    ),
    Breakage(
        "everybody may watch every table",
        instead(Gallery._admits, always(True)),
        "test_spectators.py::test_a_table_that_nobody_may_watch_shows_nothing",
    ),
    Breakage(
        "the passphrase is asked for and not wanted",
        instead(Gallery._admits, any_passphrase),
        "test_spectators.py::test_who_does_not_know_the_passphrase_is_asked_and_sees_nothing",
    ),
    Breakage(
        "any number of spectators has a place",
        constant(gallery, "PLACES", ENDLESS),
        "test_spectators.py::test_the_spectator_for_whom_there_is_no_place_watches_through_another_player",
    ),
    Breakage(
        "spectators are sent as much as they ask for",
        instead(Gallery.serve, unmetered),
        "test_spectators.py::test_all_spectators_together_get_so_many_bytes_a_second",
    ),
    Breakage(
        "what a spectator lacks is sent again at once",
        constant(gallery, "SENT_AGAIN_AFTER", 0.0),
        "test_spectators.py::test_a_flood_of_questions_is_answered_by_the_clock_alone",
    ),
    Breakage(
        "proofs are not shown to spectators",
        instead(Gallery._release, proofs_kept_back),
        "test_spectators.py::test_a_game_that_equivocation_ends_is_over_for_spectators_as_well",
    ),
    Breakage(
        "a spectator takes any charter",
        instead(Spectator._charter, any_charter),
        "test_spectators.py::test_a_spectator_takes_no_other_charter",
    ),
    Breakage(
        "a spectator stays with a player who says nothing",
        constant(spectator, "ANSWERED_WITHIN", float("inf")),
        "test_spectators.py::test_a_spectator_goes_on_through_another_player",
    ),
    Breakage(
        "a spectator is sent nothing again while new events come",
        instead(Gallery._due, sent_again_later),
        "test_spectators.py::test_a_lost_message_is_made_up_for_while_the_game_goes_on",
    ),
)
