"""Rules of two versions of one event, broken: proofs, whom they touch, what still stands."""

from typing import Any
from unittest import mock

from engine import MalformedError
from protocol.events import SignedEvent, SlotKind, bodies, read_event
from protocol.table import equivocation, step
from protocol.table.epochs import is_majority
from protocol.table.equivocation import Judgement, Verdict
from protocol.table.fold import Fold
from protocol.table.held import Held
from protocol.table.own import Own
from protocol.transcript import verification
from simulator_breakages.tools import (
    Breakage,
    Function,
    Stand,
    always,
    constant,
    instead,
    while_broken,
    with_own,
)


def naming_all(*kinds: type) -> Stand:
    def stand(real: Function) -> Function:
        nameable = Held.nameable

        def sign(self: Own, seat: int, body: Any) -> Any:
            whole = while_broken(Held, "nameable", lambda self, position, own, **_: nameable(self, position, own))
            return (whole(real) if isinstance(body, kinds) else real)(self, seat, body)

        return sign

    return stand


def all_as_live(real: Function) -> Function:
    def relied_on(self: Judgement, event: SignedEvent) -> bool:
        live = self._position._replace(live=tuple(range(1, len(self._chains) + 1)))
        with mock.patch.object(self, "_position", live):
            return bool(real(self, event))

    return relied_on


def by_all_that_waits(real: Function) -> Function:
    def relied_on(self: Judgement, event: SignedEvent) -> bool:
        waiting = any(one.lengths[event.seat - 1] >= event.number for one in self._waiting.values())
        return waiting or real(self, event)

    return relied_on


def named_by_nobody(real: Function) -> Function:
    def given(position: Any, chains: Any, seat: int) -> Any:
        found = real(position, chains, seat)
        return found and found._replace(lengths=(0,) * len(found.lengths))

    return given


def decided_without(self: Judgement, event: SignedEvent) -> Verdict:
    """What more than half have not named is over; what all have named is not."""
    position = self._position
    at_end = position.live if position.slot.kind == SlotKind.END else ()
    results = [found for seat in at_end if (found := step.given(position, self._chains, seat))]
    silent = {self._operators[one.seat - 1] for one in results if one.lengths[event.seat - 1] < event.number}
    judges = self._judges(event)
    return Verdict.IDLE if is_majority(len(silent & judges), len(judges)) else Verdict.COUNTS


def decided_at_the_end(self: Judgement, event: SignedEvent) -> Verdict:
    return Verdict.IDLE if self._position.slot.kind == SlotKind.END else Verdict.COUNTS


def telling_something_new(real: Function) -> Function:
    def take_proof(table: Any, *args: Any) -> None:
        proofs = len(table.held.proofs)
        real(table, *args)
        if len(table.held.proofs) == proofs:
            raise MalformedError("a proof of equivocation that proves nothing")

    return take_proof


def taking_any_proof(_: Function) -> Function:
    def take_proof(table: Any, record: Any, verifier: Any) -> None:
        table.take(read_event(*record.other))

    return take_proof


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


VERSIONS = (
    Breakage(
        "a second version of an event is not noticed",
        instead(Judgement.adds, always(False)),
        "test_equivocation.py::test_of_two_players_the_other_one_has_won",
    ),
    Breakage(
        "a proof ends a game whose result all have signed",
        instead(Judgement._decided, always(Verdict.COUNTS)),
        "test_equivocation.py::test_two_versions_end_nothing_behind_a_result_that_all_have_signed",
    ),
    Breakage(
        "a proof ends no game in which a result is due",
        instead(Judgement._decided, lambda _: decided_at_the_end),
        "test_equivocation.py::test_two_versions_end_the_game_while_a_signature_under_the_result_is_missing",
    ),
    Breakage(
        "a proof of what is settled ends the game",
        instead(Judgement.settled, always(False)),
        "test_equivocation.py::test_another_version_of_a_settled_event_is_evidence_and_nothing_else",
    ),
    Breakage(
        "an event is settled at once",
        instead(Judgement.settled, always(True)),
        "test_equivocation.py::test_of_more_players_nobody_has_won_and_the_author_is_named",
    ),
    Breakage(
        "a seat that is out ends the game by anything",
        instead(Judgement._relied_on, always(True)),
        "test_equivocation.py::test_a_seat_that_is_out_harms_nobody_by_two_versions_of_what_nobody_relied_on",
    ),
    Breakage(
        "what a seat that is out signs about another one counts",
        instead(Judgement._relied_on, all_as_live),
        "test_equivocation_late.py::test_two_that_are_out_do_not_end_the_game_of_the_others",
    ),
    Breakage(
        "what can never be taken in ends the game by what it names",
        instead(Judgement._relied_on, by_all_that_waits),
        "test_equivocation_late.py::test_an_event_that_nobody_can_ever_take_in_ends_no_game",
    ),
    Breakage(
        "what a seat that plays names counts only once it is taken in",
        instead(Judgement._relied_on, with_own("_waiting", {})),
        "test_equivocation_late.py::test_who_names_one_of_two_versions_ends_the_game_for_all",
    ),
    Breakage(
        "a RESULT names all that is held",
        instead(Own.sign, naming_all(bodies.Result)),
        "test_equivocation_late.py::test_a_signature_under_the_result_rests_on_no_other_signature",
    ),
    Breakage(
        "a resignation, a wish or a take-back names all that is held",
        instead(Own.sign, naming_all(bodies.Resign, bodies.Wish, bodies.Takeback)),
        "test_equivocation_late.py::test_nor_does_one_whose_wish_another_player_has_answered",
    ),
    Breakage(
        "a result stands only once all without a proof have signed it",
        constant(equivocation, "is_majority", lambda some, of: some >= of),
        "test_equivocation_late.py::test_a_pair_takes_no_result_back_by_the_signature_of_one_of_them",
    ),
    Breakage(
        "a result stands once half of those without a proof have signed it",
        constant(equivocation, "is_majority", lambda some, of: 2 * some >= of),
        "test_equivocation.py::test_two_versions_end_the_game_while_a_signature_under_the_result_is_missing",
    ),
    Breakage(
        "a result needs those with a proof as well",
        instead(Judgement._decided, with_own("_proofs", ())),
        "test_equivocation_late.py::test_a_player_who_has_signed_two_versions_before_is_not_asked_whether_a_result_stands",
    ),
    Breakage(
        "a result that is signed anew unsettles what it named",
        instead(Judgement._decided, lambda _: decided_without),
        "test_equivocation_twice.py::test_two_take_back_no_result_that_all_have_signed",
    ),
    Breakage(
        "a result stands on signatures that name what its author signed anew",
        constant(equivocation, "given", named_by_nobody(step.given)),
        "test_equivocation_late.py::test_a_signature_that_names_one_of_two_versions_is_none_for_anybody",
    ),
    Breakage(
        "a proof in a file must tell something new",
        instead(verification._take_proof, telling_something_new),
        "test_verify_cheats.py::test_a_proof_that_is_not_kept_stands_in_a_valid_file",
    ),
    Breakage(
        "a proof in a file need not prove anything",
        instead(verification._take_proof, taking_any_proof),
        "test_verify_cheats.py::test_a_proof_must_prove",
    ),
    Breakage(
        "of each seat one proof is kept",
        constant(equivocation, "PROOFS_KEPT", 1),
        "test_equivocation_twice.py::test_who_is_named_does_not_depend_on_which_second_version_came_first",
    ),
    Breakage(
        "every proof is kept",
        instead(Judgement.adds, always(True)),
        "test_equivocation_told.py::test_a_flood_of_versions_costs_a_few_proofs_and_checks",
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
    Breakage(
        "the version that is held counts for how the game ended, and where another table goes on",
        constant(equivocation, "_before", lambda positions, events: positions[-1]),
        "test_equivocation.py::test_an_agreement_signed_in_two_versions_makes_nobody_the_winner",
    ),
)
