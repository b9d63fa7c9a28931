"""Rules of going on without a seat, broken: epochs, and what clients agree to."""

from typing import Any
from unittest import mock

from protocol.events import EventKind
from protocol.table import epochs, going_on, step
from protocol.table.fold import Fold
from protocol.table.going_on import GoingOn
from protocol.table.held import AGREEMENTS_AT_ONE_SLOT, AT_ONE_SLOT, Held
from protocol.table.own import Own
from protocol.table.path import Path
from simulator_breakages.tools import (
    ENDLESS,
    Breakage,
    Function,
    always,
    asked,
    changed,
    constant,
    instead,
    while_broken,
    with_own,
)


def unlisted(chains: Any, agreement: Any, signed: Any) -> tuple[Any, ...]:
    return chains, agreement._replace(leaving=()), signed


def all_at_once(real: Function) -> Function:
    def advance(self: Fold, news: Any = (), **named: Any) -> None:
        for event in news:
            if event.kind == EventKind.EPOCH:
                self._path.agreements.setdefault(epochs.Agreement.of(event), {})[event.seat] = event
        real(self, news, **named)

    return advance


def or_proven(real: Function) -> Function:
    def leads_to_result(self: Fold) -> bool:
        return bool(real(self)) or bool(self.held.judgement(self.ahead).counting)

    return leads_to_result


def none_lower(real: Function) -> Function:
    def may_be(self: Path, agreement: Any, *args: Any, **named: Any) -> bool:
        return agreement.number > self.position.slot.epoch and bool(real(self, agreement, *args, **named))

    return may_be


def none_beside(real: Function) -> Function:
    def may_be(self: Path, agreement: Any, *args: Any, **named: Any) -> bool:
        return agreement.base >= self.position.slot.epoch and bool(real(self, agreement, *args, **named))

    return may_be


def of_its_epoch(real: Function) -> Function:
    def offered(position: Any, *args: Any) -> Any:
        return [event for event in real(position, *args) if event.slot == position.slot]

    return offered


def nobody_resigned(real: Function) -> Function:
    def decided(rules: Any, position: Any, chains: Any, resigned: Any) -> Any:
        return real(rules, position, chains, [()] * len(chains))

    return decided


def failed_elsewhere(real: Function) -> Function:
    def note_unsigned(self: GoingOn, now: float, *args: Any) -> None:
        here, self._signed = self._signed, max(self._signed, -ENDLESS)
        real(self, now, *args)
        self._signed = here

    return note_unsigned


def trying_again(real: Function) -> Function:
    def positions(self: Path, *args: Any) -> Any:
        self._tried.clear()
        return real(self, *args)

    return positions


def trying_once(real: Function) -> Function:
    def positions(self: Path, agreement: Any, signed: Any) -> Any:
        tried = self._tried.get(agreement)
        return None if tried and tried.signatures == len(signed) else real(self, agreement, signed)

    return positions


def as_proposed(real: Function) -> Function:
    def can_sign(self: GoingOn, agreement: Any, operators: Any) -> bool:
        return bool(real(self, agreement, operators)) and agreement == self._agreement(agreement.number, operators)

    return can_sign


def whatever_it_states(self: GoingOn, agreement: Any, operators: Any) -> bool:
    return agreement.base == self._fold.position.slot.epoch and [*agreement.leavers] == self._seats(operators)


def while_somebody_plays(real: Function) -> Function:
    def enough(rules: Any, position: Any, resigned: Any, leavers: Any, ends: Any = None) -> Any:
        playing = [seat for seat in position.live if not epochs.has_resigned(position, resigned, seat, ends)]
        return bool(playing) and real(rules, position, resigned, leavers, ends)

    return enough


def whoever_signed(_: Function) -> Function:
    def signed_by(self: GoingOn) -> dict[Any, set[int]]:
        fold = self._fold
        return {one: fold.rules.operators_of(signed) & fold.playing for one, signed in fold.agreements.items()}

    return signed_by


def unless_decided(real: Function) -> Function:
    return lambda self, situation: None if self._fold.decided else real(self, situation)


def of_one_mind(real: Function) -> Function:
    def due(self: GoingOn, present: set[int], late: set[int], now: float) -> Any:
        others = self._fold.playing - {self._own.operator}
        self.want(self.unwanted & others)
        with mock.patch.object(GoingOn, "debtors", return_value=others):
            return real(self, present, late, now)

    return due


def in_each_epoch(_: Function) -> Function:
    def room(self: Held, seat: int, slot: Any, *, agreements: bool) -> int:
        signed = [one for one in self.chains[seat - 1] if one.slot[:2] == slot[:2]]
        most = AGREEMENTS_AT_ONE_SLOT if agreements else AT_ONE_SLOT
        return most - sum((one.kind == EventKind.EPOCH) == agreements for one in signed)

    return room


def in_any_epoch(real: Function) -> Function:
    def decided(rules: Any, position: Any, *args: Any) -> Any:
        return real(rules, position._replace(slot=position.slot._replace(epoch=10**6)), *args)

    return decided


def without_a_place(real: Function) -> Function:
    def has_resigned(position: Any, resigned: Any, seat: int, ends: Any = None) -> bool:
        later = [event for event in resigned[seat - 1] if event.number > position.placed[seat - 1]]
        return bool(real(position, {seat - 1: later}, seat, ends))

    return has_resigned


WHERE_IT_STANDS = property(lambda fold: fold.position)
NOTHING_BEHIND = property(lambda fold: fold.position._replace(behind=(0,) * len(fold.position.behind)))


AGREEMENTS = (
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
        "test_epochs.py::test_a_forged_agreement_of_too_few_is_not_entered_by_the_function_itself",
    ),
    Breakage(
        "resigned operators count among those that play",
        constant(epochs, "has_resigned", lambda *_: False),
        "test_epochs.py::test_one_operator_is_enough_where_all_others_have_resigned",
    ),
    Breakage(
        "nobody counts where all have resigned",
        instead(epochs.enough, while_somebody_plays),
        "test_epochs.py::test_all_operators_count_where_all_have_resigned",
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
        "agreements that come in together are looked at together, not as in the file",
        instead(Fold.advance, all_at_once),
        "test_epochs_any_order.py::test_who_signs_across_can_divide_a_table_by_what_each_hears_first",
    ),
    Breakage(
        "an agreement below the present epoch takes the place of nothing",
        instead(Path._may_be_in_force, none_lower),
        "test_epochs_apart.py::test_players_who_fell_apart_while_they_agreed_come_to_one_game",
    ),
    Breakage(
        "an agreement on an epoch that was left takes the place of nothing",
        instead(Path._may_be_in_force, none_beside),
        "test_epochs_agreed.py::test_of_several_in_force_the_highest_wins",
    ),
    Breakage(
        "an agreement counts that a live seat has signed before it went on otherwise",
        instead(Path._is_void, always(False)),
        "test_epochs_apart.py::test_what_a_seat_has_signed_before_it_played_on_is_void",
    ),
    Breakage(
        "agreements that are not in force are tried again each time",
        instead(Path._positions, trying_again),
        "test_epochs_apart.py::test_agreements_that_never_come_into_force_make_no_file_slow",
    ),
    Breakage(
        "agreements are tried again only if more seats sign them",
        instead(Path._positions, trying_once),
        "test_epochs_apart.py::test_what_a_seat_did_that_has_signed_nothing_may_bring_an_agreement_into_force",
    ),
    Breakage(
        "a client closes slots though it has agreed to go on otherwise",
        instead(Fold._signed, always([])),
        "test_epochs.py::test_a_client_that_has_agreed_closes_no_slot_until_the_agreement_cannot_come_into_force",
    ),
    Breakage(
        "a client waits for the agreement alone that it has signed last",
        instead(Fold._signed, lambda real: lambda self, seats: real(self, seats)[-1:]),
        "test_epochs.py::test_an_agreement_signed_before_one_that_fails_is_still_waited_for",
    ),
    Breakage(
        "a client enters a lower epoch than it has agreed to",
        instead(Path.enter, lambda real: lambda self, *_, **named: real(self, **named)),
        "test_epochs.py::test_a_client_that_has_agreed_higher_enters_no_lower_epoch",
    ),
    Breakage(
        "a slot that is kept open for an agreement is taken for the last one of its epoch",
        instead(Path._may_be_in_force, lambda real: lambda *args, **_: real(*args, further=False)),
        "test_epochs.py::test_an_agreement_in_force_where_a_resignation_has_its_place_is_entered_behind_a_higher_one",
    ),
    Breakage(
        "a client awaits an agreement although the result is decided",
        instead(Fold._leads_to_result, always(False)),
        "test_attacks_by_a_seat.py::test_who_has_agreed_and_lost_the_network_sees_the_end",
    ),
    Breakage(
        "a client awaits no agreement once a proof counts",
        instead(Fold._leads_to_result, or_proven),
        "test_attacks_while_one_waits.py"
        "::test_nothing_is_shown_that_two_versions_led_to_while_who_signed_them_may_still_leave",
    ),
    Breakage(
        "a client that awaits an agreement has no room for what others name",
        instead(Fold.ahead, lambda _: lambda self: self.position),
        "test_attacks_by_a_seat.py::test_who_waits_for_an_agreement_is_not_cut_off_by_a_player_who_signs_too_much",
    ),
    Breakage(
        "signatures under a result are lost in a new epoch",
        instead(step.offered, of_its_epoch),
        "test_equivocation_late.py::test_signatures_under_a_result_count_on_where_a_new_epoch_begins",
    ),
    Breakage(
        "who has resigned counts for a result as those who play",
        instead(epochs.decided, nobody_resigned),
        "test_attacks_on_agreements.py::test_what_clients_take_for_decided_is_not_taken_back_by_one_cheat",
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
        "who has resigned and is gone leaves with somebody else alone",
        instead(GoingOn._situation, changed(lambda one: one._replace(want=one.want - one.resigned))),
        "test_going_on.py::test_a_player_who_resigned_unheard_and_left_can_be_left_behind",
    ),
    Breakage(
        "that only such a player leaves is tried without end",
        constant(going_on, "COOL", 0.0),
        "test_going_on.py::test_who_does_not_sign_cannot_hold_the_others_up_where_another_has_resigned_and_left",
    ),
    Breakage(
        "nobody proposes that all stay behind a result that is decided",
        instead(GoingOn._to_propose, unless_decided),
        "test_end.py::test_who_agreed_to_go_on_before_the_last_move_arrived_signs_the_result",
    ),
    Breakage(
        "a client states of a leaver all that it holds",
        instead(GoingOn._can_sign, as_proposed),
        "test_epochs_apart.py::test_who_shows_one_player_more_than_the_others_is_left_behind_all_the_same",
    ),
    Breakage(
        "a client signs of a leaver what another one states, whatever it has relied on",
        instead(GoingOn._can_sign, lambda _: whatever_it_states),
        "test_epochs_apart.py::test_what_a_client_has_relied_on_it_does_not_leave_out",
    ),
    Breakage(
        "a client signs that a part of a roll which it holds does not count",
        instead(GoingOn._can_sign, while_broken(going_on, "given", lambda *_: None)),
        "test_attacks_on_agreements.py::"
        "test_who_has_seen_a_roll_gets_no_other_one_by_leaving_out_the_part_of_who_has_resigned",
    ),
    Breakage(
        "a client names what others have named of a leaver beyond the list",
        instead(Held._naming, asked(lambda self, seat, leaving: (self, seat, ()))),
        "test_epochs_apart.py::test_who_names_what_a_leaver_showed_keeps_no_other_player_from_signing",
    ),
    Breakage(
        "who can give nothing more is not set free",
        instead(GoingOn._stuck, always(False)),
        "test_going_on_all_the_same.py::test_a_part_that_comes_too_late_for_an_agreement_stops_nobody",
    ),
    Breakage(
        "who signs something else is given time again without end",
        constant(going_on, "STUBBORN", ENDLESS),
        "test_attacks_by_a_seat.py::test_a_player_who_signs_other_agreements_does_not_keep_the_others_waiting_for_ever",
    ),
    Breakage(
        "a seat that is out proposes",
        instead(GoingOn._signed_by, whoever_signed),
        "test_attacks_by_a_seat.py::test_what_a_bot_signs_that_is_out_is_no_proposal_of_its_operator",
    ),
    Breakage(
        "a client signs a number that leaps",
        instead(Own.agree, while_broken(Held, "contradicts", lambda *_: False)),
        "test_own.py::test_nobody_signs_an_agreement_whose_number_leaps",
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
        constant(going_on, "SIGNED_AT_ONCE", ENDLESS),
        "test_going_on.py::test_a_client_pauses_where_another_one_proposes_without_end",
    ),
    Breakage(
        "an agreement that cannot come into force is waited for",
        instead(GoingOn._propose, while_broken(Fold, "may_begin", lambda *_: True)),
        "test_going_on.py::test_an_agreement_that_cannot_come_into_force_is_not_waited_for",
    ),
    Breakage(
        "as many agreements may be signed at one step in each epoch",
        instead(Held.room, in_each_epoch),
        "test_attacks_while_one_waits.py::test_agreements_at_the_end_make_no_file_invalid",
    ),
    Breakage(
        "a signature under a result decides also in a later epoch",
        instead(epochs.decided, in_any_epoch),
        "test_attacks_while_one_waits.py::test_one_cheat_signs_no_result_after_an_agreement_that_undoes_it",
    ),
    Breakage(
        "a client that waits takes who is out for the others for a player",
        instead(GoingOn.due, while_broken(Fold, "ahead", WHERE_IT_STANDS)),
        "test_attacks_while_one_waits.py::"
        "test_a_client_that_waits_goes_on_without_a_cheat_that_is_out_where_the_others_stand",
    ),
    Breakage(
        "two versions are judged where a client that waits stands",
        instead(Fold._judged, with_own("_unbound", None)),
        "test_attacks_while_one_waits.py::test_two_versions_by_a_cheat_that_is_out_end_the_game_for_all_or_nobody",
    ),
    Breakage(
        "a client signs that less of a leaver counts than lies behind",
        instead(GoingOn._can_sign, while_broken(Fold, "ahead", NOTHING_BEHIND)),
        "test_attacks_while_one_waits.py::"
        "test_a_roll_that_all_have_seen_is_not_undone_by_leaving_out_the_part_of_who_leaves",
    ),
    Breakage(
        "a resignation that the end has passed over counts no more",
        instead(epochs.has_resigned, without_a_place),
        "test_attacks_while_one_waits.py::test_a_resignation_that_a_draw_passes_over_divides_no_table",
    ),
    Breakage(
        "a higher agreement excuses also who has gone",
        instead(GoingOn._owing_signatures, asked(lambda self, present: (self, self._fold.playing))),
        "test_attacks_while_one_waits.py::test_who_has_signed_a_higher_agreement_and_gone_stops_nobody",
    ),
    Breakage(
        "the time runs for who waits for the signatures of others",
        instead(GoingOn.held_up, always(False)),
        "test_attacks_while_one_waits.py::"
        "test_who_has_to_move_loses_no_game_by_time_for_what_another_one_does_not_sign",
    ),
    Breakage(
        "an agreement that was signed at another slot has failed here",
        instead(GoingOn._note_unsigned, failed_elsewhere),
        "test_going_on_all_the_same.py::test_who_asked_all_to_stay_where_one_was_left_behind_is_set_free_at_once",
    ),
)
