"""Rules of the fold, broken: what counts, take-backs, breaches."""

from collections.abc import Iterator
from typing import Any

from protocol.cards.deals import Dealing
from protocol.chance.rolls import Roll
from protocol.events import SLOTS, EventKind, SignedEvent
from protocol.table import step, wishes
from protocol.table.earlier import Earlier
from protocol.table.log import takeback_target
from protocol.table.position import NOWHERE, Cheat, Position
from protocol.table.rules import Rules
from simulator_breakages.tools import ENDLESS, Breakage, Function, always, asked, changed, constant, instead


def any_digest(real: Function) -> Function:
    def given(position: Position, chains: Any, seat: int, ends: Any = None) -> Any:
        return real(position, chains, seat, ends) or next(step.offered(position, chains, seat, ends), None)

    return given


def any_slot(_: Function) -> Function:
    def offered(position: Position, chains: Any, seat: int, ends: Any = None) -> Iterator[SignedEvent]:
        for event in chains[seat - 1][position.behind[seat - 1] : ends[seat - 1] if ends else None]:
            if event.kind in SLOTS[position.slot.kind].takes and position.knows(event.lengths):
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
        return found and Earlier(found.seat, found.ply, found.state, position.earlier)

    return earlier


def wishes_stay(real: Function) -> Function:
    def with_action(position: Position, *args: Any) -> Any:
        return real(position, *args)._replace(takebacks=position.takebacks)

    return with_action


def restored_twice(real: Function) -> Function:
    return lambda self, position, to: real(self, position, to)._replace(earlier=to)


def any_local_takeback(real: Function) -> Function:
    def why_not_act(rules: Rules, position: Position, actor: int, text: str) -> Any:
        return None if takeback_target(actor, text) is not None else real(rules, position, actor, text)

    return why_not_act


def on_record_only(_: Function) -> Function:
    def condemned(rules: Rules, position: Position, event: SignedEvent, reason: str) -> Position:
        return position._replace(cheats=(*position.cheats, Cheat(event.seat, event.hash, reason)))

    return condemned


def unproven_shuffle(_: Function) -> Function:
    def take(self: Dealing, event: Any, scheme: object) -> Dealing:
        return self._replace(deck=event.body.deck, shuffles=self.shuffles + 1)

    return take


PLAY = (
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
        constant(wishes, "WISH_OUTLIVES", ENDLESS),
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
        instead(step.why_not_act, any_local_takeback),
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
)
