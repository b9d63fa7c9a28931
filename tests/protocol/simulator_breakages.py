"""Ways to break the rules on purpose, one at a time, which simulated games or a test must notice.

`scripts/breakages.py` tries them; `test_breakages` sees to it that each still fits the function that it breaks.
"""

import ast
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).resolve().parents[2]


class MisfitError(Exception):
    """A function has changed so that a breakage no longer fits."""


class Breakage(NamedTuple):
    """What is broken, in words; the function, by its module and name; what of it is replaced by what.

    `old` is an expression or a statement that the function has exactly once, however it is laid out; "" stands for all
    that it does. `test` fails then; it is named where simulated games notice seldom or never.
    """

    name: str
    function: str
    old: str
    new: str
    test: str = ""

    @property
    def module(self) -> str:
        """The path of the module."""
        return self.function.partition(":")[0].replace(".", "/") + ".py"

    def broken(self) -> str:
        """Return the source of the module with the breakage. Raises MisfitError."""
        tree = ast.parse((_ROOT / self.module).read_text(encoding="utf-8"))
        within = self._function(tree)
        new = ast.parse(self.new).body
        if self.old:
            swap = _Swap(ast.parse(self.old).body[0], new)
            swap.visit(within)
            if swap.found != 1:
                raise MisfitError(f"{self.name}: {self.function} has `{self.old}` {swap.found} times, not once")
        else:
            within.body = new
        return ast.unparse(ast.fix_missing_locations(tree))

    def _function(self, tree: ast.Module) -> ast.FunctionDef:
        """Return the function in a module. Raises MisfitError."""
        scope: ast.Module | ast.ClassDef | ast.FunctionDef = tree
        for name in self.function.partition(":")[2].split("."):
            kinds = (ast.FunctionDef, ast.ClassDef)
            named = [node for node in scope.body if isinstance(node, kinds) and node.name == name]
            if len(named) != 1:
                raise MisfitError(f"{self.name}: there is no {self.function}")
            scope = named[0]
        assert isinstance(scope, ast.FunctionDef)
        return scope


class _Swap(ast.NodeTransformer):
    """Replaces an expression or a statement, wherever it stands, and counts how often."""

    def __init__(self, old: ast.stmt, new: list[ast.stmt]) -> None:
        self.found = 0
        bare = old.value if isinstance(old, ast.Expr) else old
        self._kind, self._old = type(bare), ast.dump(bare)
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        statement = node.value if isinstance(node, ast.Expr) else node
        if type(statement) is self._kind and ast.dump(statement) == self._old:
            self.found += 1
            if isinstance(node, ast.stmt):
                return self._new
            assert isinstance(self._new[0], ast.Expr)
            return self._new[0].value
        return self.generic_visit(node)


_HELD, _STEP, _EPOCHS, _FOLD = (f"protocol.table.{name}" for name in ("held", "step", "epochs", "fold"))
_OWN, _GOING, _NODE, _EXCHANGE = (f"protocol.table.{name}" for name in ("own", "going_on", "node", "exchange"))
_GALLERY, _SPECTATOR = "protocol.table.gallery", "protocol.table.spectator"
_RESUMING, _ROLLS, _DEALS = "protocol.table.resuming", "protocol.chance.rolls", "protocol.cards.deals"
_POSITION = "protocol.table.position"

BREAKAGES = (
    # What is on disk before it is sent, and what an old copy may sign.
    Breakage(
        "a restarted client signs at once",
        f"{_RESUMING}:Resuming.unheard",
        "not self.asleep",
        "True",
        "test_coming_back.py::test_an_old_copy_takes_up_its_own_chain_before_it_signs",
    ),
    Breakage(
        "an old copy asks one peer only",
        f"{_RESUMING}:Resuming.hear",
        "self._unheard.discard(peer)",
        "self._unheard.clear()",
        "test_coming_back.py::test_of_more_players_most_of_the_others_will_do_after_a_while",
    ),
    Breakage(
        "half of the others will do for an old copy",
        f"{_RESUMING}:Resuming.unheard",
        "2 * (len(others) - len(missing)) <= len(others)",
        "2 * (len(others) - len(missing)) < len(others)",
        "test_coming_back.py::test_half_of_the_others_will_not_do",
    ),
    Breakage(
        "an old copy goes by what was said before it asked",
        f"{_RESUMING}:Resuming.hear",
        "have.answers.startswith(self._challenge)",
        "True",
        "test_coming_back.py::test_an_answer_to_another_challenge_is_none",
    ),
    Breakage(
        "an old copy signs though a peer holds more of its chain",
        f"{_RESUMING}:Resuming._lacks",
        "",
        "return False",
        "test_coming_back.py::test_a_client_that_holds_more_of_an_own_chain_is_waited_for_though_its_seat_is_out",
    ),
    Breakage(
        "an old copy signs in the place of an own event that waits",
        f"{_HELD}:Held.waits",
        "",
        "return False",
        "test_coming_back.py::test_an_old_copy_signs_nothing_in_the_place_of_an_own_event_that_waits",
    ),
    Breakage(
        "own events are sent before they are synced",
        f"{_NODE}:Node._out",
        "True",
        "False",
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "own events are not stored",
        f"{_NODE}:Node._out",
        "*map(event_record, signed)",
        "*map(event_record, signed[:0])",
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "events taken in are not stored",
        f"{_NODE}:Node._take",
        "*map(event_record, news)",
        "*map(event_record, news[:0])",
        "test_node.py::test_each_file_holds_the_causes_of_what_it_holds",
    ),
    Breakage(
        "proofs are not stored",
        f"{_NODE}:Node._take",
        "*map(proof_record, held.proofs[known:])",
        "*map(proof_record, ())",
        "test_equivocation.py::test_two_holders_of_two_versions_find_them",
    ),
    Breakage(
        "a proof is told before it is safe",
        f"{_NODE}:Node._take",
        "bool(evidence)",
        "False",
        "test_equivocation.py::test_a_proof_is_on_disk_before_it_is_passed_on",
    ),
    Breakage(
        "what a peer that comes back goes by is not on disk",
        f"{_EXCHANGE}:Exchange.answer",
        'yield Store(b"", sync=True)',
        "pass",
        "test_coming_back.py::test_what_waits_for_its_causes_is_given_back_before_it_counts",
    ),
    Breakage(
        "secrets of the cards move on by one deal too many",
        f"{_OWN}:Own.forget",
        "machine.number",
        "machine.number + 1",
        "test_own.py::test_secrets_are_given_up_once_all_have_a_key_for_the_next_deal",
    ),
    # What is told to whom.
    Breakage(
        "no statement every few seconds",
        f"{_EXCHANGE}:Exchange.tick",
        "self.now < self._next_have",
        "True",
        "test_node.py::test_statements_come_every_few_seconds",
    ),
    Breakage(
        "a statement is not answered",
        f"{_EXCHANGE}:Exchange.answer",
        "yield from self.sends(lacking, [peer])",
        "pass",
        "test_node.py::test_what_was_lost_is_asked_for",
    ),
    Breakage(
        "a peer is told all each time it asks",
        f"{_EXCHANGE}:Exchange.answer",
        "self.now >= until",
        "True",
        "test_node.py::test_a_peer_that_pretends_to_hold_nothing_is_not_told_all_each_time",
    ),
    Breakage(
        "a peer is asked without end",
        f"{_EXCHANGE}:Exchange.may_ask",
        "self.now < self.linked.get(peer, float('inf'))",
        "False",
        "test_node.py::test_a_peer_that_pretends_to_hold_more_is_asked_seldom",
    ),
    Breakage(
        "own events are not told at once",
        f"{_NODE}:Node._out",
        "yield from self._exchange.sends(signed, self.linked)",
        "pass",
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "nothing is passed on to those who are apart",
        f"{_EXCHANGE}:Exchange.pass_on",
        "not any(self._apart.values())",
        "True",
        "test_node.py::test_a_third_passes_on_at_once_what_two_cannot_tell_each_other",
    ),
    Breakage(
        "proofs are not told at once",
        f"{_NODE}:Node._take",
        "*self._exchange.sends(evidence, self.linked)",
        "*()",
        "test_equivocation.py::test_a_proof_is_on_disk_before_it_is_passed_on",
    ),
    Breakage(
        "proofs are not among what a peer lacks",
        f"{_HELD}:Held.lacking",
        "(proof.kept.seat, proof.kept.number) not in proven",
        "False",
        "test_held.py::test_a_peer_without_a_proof_is_told_both_versions",
    ),
    Breakage(
        "a peer with another version is told only what is longer",
        f"{_HELD}:Held.lacking",
        "min(head.length - 1, self._named_by_all(seat, live)) if other else head.length",
        "head.length",
        "test_held.py::test_a_peer_with_another_version_is_told_all_that_not_everybody_has_named",
    ),
    Breakage(
        "a wrong digest is told of nobody",
        "protocol.table.news:News._compared",
        "",
        "return []",
        "test_node.py::test_a_wrong_digest_is_told_once_and_checked_once",
    ),
    # What is taken in.
    Breakage(
        "signatures are not checked",
        f"{_HELD}:Held.take",
        "not event.signed_by(self._ids[seat - 1], self._verifier)",
        "False",
        "test_held.py::test_an_event_with_a_wrong_signature_is_blamed",
    ),
    Breakage(
        "causes need not be held",
        f"{_HELD}:Held._causes_held",
        "",
        "return True",
        "test_held.py::test_events_in_any_order_wait_until_their_causes_are_here",
    ),
    Breakage(
        "an event may name another version than the one held",
        f"{_HELD}:Held._parted",
        "",
        "return False",
        "test_held.py::test_an_event_that_names_another_version_waits_and_is_not_waited_for",
    ),
    Breakage(
        "slots may go back",
        f"{_HELD}:Held.contradicts",
        "event.slot[:2] < chain[-1].slot[:2]",
        "False",
        "test_held.py::test_a_slot_below_that_of_the_event_before_is_refused",
    ),
    Breakage(
        "heads may go back",
        f"{_HELD}:Held.contradicts",
        "head.length < known.length",
        "False",
        "test_held.py::test_heads_that_go_back_are_refused",
    ),
    Breakage(
        "heads need not be closed",
        f"{_HELD}:Held.contradicts",
        "any(its.length > own.length for its, own in zip(named, event.heads, strict=True))",
        "False",
        "test_held.py::test_heads_that_are_not_closed_are_refused",
    ),
    Breakage(
        "an author may play on below the epoch that it agreed to",
        f"{_HELD}:Held.contradicts",
        "event.slot.epoch < agreed",
        "False",
        "test_held.py::test_an_event_below_the_epoch_agreed_to_is_refused",
    ),
    Breakage(
        "numbers of agreements need not rise",
        f"{_HELD}:Held.contradicts",
        "number <= agreed",
        "False",
        "test_held.py::test_an_agreement_whose_number_does_not_rise_is_refused",
    ),
    Breakage(
        "numbers of agreements may leap",
        f"{_HELD}:Held.contradicts",
        "number > highest + EPOCH_STRIDE",
        "False",
        "test_held.py::test_an_agreement_whose_number_leaps_is_refused",
    ),
    Breakage(
        "any number of events is held",
        f"{_HELD}:Held._too_far",
        "event.number > behind + AHEAD_LIMIT",
        "False",
        "test_held.py::test_memory_is_bounded_under_a_flood_of_events_that_wait",
    ),
    Breakage(
        "any number of bytes is held",
        f"{_HELD}:Held._too_far",
        "sizes[-1] - sizes[behind] + waiting + len(event.raw) > AHEAD_BYTES",
        "False",
        "test_held.py::test_bytes_are_bounded_under_a_flood_of_long_nonsense",
    ),
    Breakage(
        "all that a seat that is out has signed is named",
        f"{_HELD}:Held.nameable",
        "head.length if seat in playing else behind",
        "head.length",
        "test_held.py::test_of_a_seat_that_is_out_only_what_counts_is_named",
    ),
    Breakage(
        "what is named is not closed",
        f"{_HELD}:Held.nameable",
        "max(one, head.length)",
        "one",
        "test_held.py::test_what_an_event_names_had_named_is_named_too",
    ),
    # Equivocation.
    Breakage(
        "a second version of an event is not noticed",
        f"{_HELD}:Held.take",
        "self.proofs.append(Proof(chain[number - 1], event))",
        "pass",
        "test_equivocation.py::test_of_two_players_the_other_one_has_won",
    ),
    Breakage(
        "a proof of what is settled ends the game",
        f"{_HELD}:Held.settled",
        "",
        "return False",
        "test_equivocation.py::test_another_version_of_a_settled_event_is_evidence_and_nothing_else",
    ),
    Breakage(
        "an event is settled at once",
        f"{_HELD}:Held.settled",
        "",
        "return True",
        "test_equivocation.py::test_of_more_players_nobody_has_won_and_the_author_is_named",
    ),
    Breakage(
        "a seat that is out ends the game by anything",
        f"{_HELD}:Held.counts",
        "(counts or self._relied_on(kept, position)) and not self.settled(kept, position.live)",
        "not self.settled(kept, position.live)",
        "test_equivocation.py::test_a_seat_that_is_out_harms_nobody_by_two_versions_of_what_nobody_relied_on",
    ),
    Breakage(
        "every proof is kept",
        f"{_HELD}:Held._tells",
        "",
        "return True",
        "test_equivocation.py::test_a_flood_of_versions_costs_two_proofs_and_two_checks",
    ),
    Breakage(
        "of more players one wins by equivocation",
        f"{_FOLD}:Fold._judged",
        "len(self.playing) == 2",
        "True",
        "test_equivocation.py::test_of_more_players_nobody_has_won_and_the_author_is_named",
    ),
    Breakage(
        "clients sign on after a proof",
        f"{_OWN}:Own.duties",
        "self._fold.broken",
        "False",
        "test_equivocation.py::test_after_that_nothing_is_signed",
    ),
    # What counts.
    Breakage(
        "an event counts with any digest",
        f"{_STEP}:given",
        "event.digest == position.digest",
        "True",
        "test_step.py::test_a_move_for_another_state_or_slot_does_nothing",
    ),
    Breakage(
        "an event counts at any slot",
        f"{_STEP}:given",
        "event.slot == position.slot",
        "True",
        "test_step.py::test_a_move_for_another_state_or_slot_does_nothing",
    ),
    Breakage(
        "a contribution counts whatever its author knew",
        "protocol.table.position:Position.knows",
        "",
        "return True",
        "test_step.py::test_a_move_that_does_not_name_what_lies_behind_does_nothing",
    ),
    Breakage(
        "any kind of event fills any slot",
        f"{_STEP}:given",
        "event.kind in takes",
        "True",
        "test_step.py::test_no_other_kind_of_event_fills_a_turn",
    ),
    Breakage(
        "a SEQUENCE need not place anything, a move may leave something out",
        f"{_STEP}:_fills",
        "bool(named) == (event.kind == EventKind.SEQUENCE)",
        "True",
        "test_step.py::test_a_sequence_that_places_nothing_does_nothing",
    ),
    Breakage(
        "resignations have their place in another order",
        f"{_STEP}:asynchronous",
        "(event.slot.step, event.seat, event.number)",
        "(-event.slot.step, -event.seat, event.number)",
        "test_step.py::test_resignations_and_wishes_have_their_place_by_step_seat_and_number",
    ),
    Breakage(
        "wishes never lapse",
        f"{_STEP}:_moved",
        "max(0, position.wishes[at] - 1)",
        "position.wishes[at]",
        "test_step.py::test_a_wish_lapses_with_the_second_own_move",
    ),
    Breakage(
        "a seat wishes as often as it likes",
        f"{_STEP}:_changes",
        "not position.wished[at]",
        "True",
        "test_step.py::test_one_wish_between_own_moves",
    ),
    # Take-backs.
    Breakage(
        "a take-back needs nobody else's consent",
        f"{_POSITION}:Rules.taken_back",
        "earlier is None or {self.operators[seat - 1] for seat in position.live} != agreed",
        "earlier is None",
        "test_takeback.py::test_everybody_who_still_plays_has_to_agree",
    ),
    Breakage(
        "a take-back goes past dice",
        f"{_POSITION}:Rules.applied",
        "actor != CHANCE and live == position.live and (not position.deals)",
        "live == position.live and not position.deals",
        "test_takeback.py::test_nothing_is_taken_back_past_dice",
    ),
    Breakage(
        "a take-back goes past another player",
        f"{_POSITION}:Rules.applied",
        "last if alone else None",
        "last",
        "test_takeback.py::test_nothing_is_taken_back_past_the_action_of_another_player",
    ),
    Breakage(
        "a take-back brings back a seat that is out",
        f"{_POSITION}:Rules.applied",
        "live == position.live",
        "True",
        "test_takeback.py::test_a_turn_that_put_a_seat_out_of_the_game_stands",
    ),
    Breakage(
        "a take-back closes cards that were shown",
        f"{_POSITION}:Rules.applied",
        "not position.deals",
        "True",
        "test_takeback.py::test_nothing_is_taken_back_once_cards_are_dealt",
    ),
    Breakage(
        "wishes for a take-back outlive the next action",
        f"{_POSITION}:Rules._with_action",
        "(NOWHERE,) * len(position.takebacks)",
        "position.takebacks",
        "test_takeback.py::test_a_player_who_does_not_agree_plays_on_and_the_wish_lapses",
    ),
    Breakage(
        "what was taken back is taken back again",
        f"{_POSITION}:Rules.restored",
        "to.before",
        "to",
        "test_takeback.py::test_a_turn_taken_back_does_not_open_the_one_before_it",
    ),
    Breakage(
        "a wish for a take-back counts for another state",
        f"{_STEP}:_changes",
        "event.digest == position.digest",
        "True",
        "test_takeback.py::test_a_wish_signed_before_another_action_counts_for_nothing",
    ),
    Breakage(
        "a seat asks for one take-back again and again",
        f"{_STEP}:_changes",
        "position.takebacks[at] == NOWHERE",
        "True",
        "test_takeback.py::test_a_player_asks_once_for_one_state",
    ),
    Breakage(
        "a file of one computer goes back to any state",
        f"{_STEP}:may_act",
        "position.earlier_at(to) and (not isinstance(position.due, Over))",
        "True",
        "test_takeback.py::test_both_verifiers_judge_the_take_back_of_a_local_file",
    ),
    # Breaches.
    Breakage(
        "unlawful moves are applied",
        f"{_STEP}:_moved",
        "refusal is not None or text in ('resign', 'draw')",
        "text in ('resign', 'draw')",
        "test_cheats.py::test_an_unlawful_move_is_resigning",
    ),
    Breakage(
        "a breach is on record and costs nothing",
        f"{_STEP}:_condemned",
        "return rules.resigned(position, event.seat)",
        "return position",
        "test_cheats.py::test_an_unlawful_move_is_the_last_event_of_its_author",
    ),
    Breakage(
        "a salt need not fit its commitment",
        f"{_ROLLS}:Roll.take",
        "commitment(self.table, bound_to.epoch, self.number, event.seat, event.body.salt) != bound_to.hash",
        "False",
        "test_cheats.py::test_another_salt_than_committed_is_resigning",
    ),
    Breakage(
        "commitments outlive a breach",
        f"{_STEP}:given_up",
        "",
        "return position._replace(machine=None, parts=())",
        "test_epochs.py::test_where_a_seat_leaves_all_commitments_fall",
    ),
    Breakage(
        "a shuffle need not be proven",
        f"{_DEALS}:Dealing._take_shuffle",
        "not scheme.check_shuffle(self.deck, deck, joint, proof, self.context(event.seat))",
        "False",
        "test_card_cheats.py::test_another_deck_with_a_proof_that_looks_right",
    ),
    # Epochs.
    Breakage(
        "an epoch begins without a seat that stays",
        f"{_EPOCHS}:enter",
        "not staying <= signed.keys()",
        "False",
        "test_epochs.py::test_a_forged_agreement_of_too_few_is_not_entered_by_the_function_itself",
    ),
    Breakage(
        "half of the operators are enough",
        f"{_EPOCHS}:is_majority",
        "2 * stay > play",
        "2 * stay >= play",
        "test_epochs.py::test_more_than_half_of_the_operators_must_stay",
    ),
    Breakage(
        "of two operators one leaves the other",
        f"{_EPOCHS}:enter",
        "not is_majority(len(stay), len(play))",
        "False",
        "test_epochs.py::test_of_two_operators_nobody_can_leave_one_that_waits_for_an_agreement",
    ),
    Breakage(
        "resigned operators count among those that play",
        f"{_EPOCHS}:enter",
        "{seat for seat in base.live if has_resigned(base, chains, seat, ends)}",
        "set()",
        "test_epochs.py::test_one_operator_is_enough_where_all_others_have_resigned",
    ),
    Breakage(
        "a player may be left behind who owes nothing",
        f"{_EPOCHS}:enter",
        "not {operators[seat - 1] for seat in leavers} <= debtors",
        "False",
        "test_epochs.py::test_nobody_leaves_who_owes_nothing",
    ),
    Breakage(
        "nobody owes a signature",
        f"{_EPOCHS}:_owes_signature",
        "",
        "return False",
        "test_epochs.py::test_an_operator_leaves_for_a_signature_that_it_owes",
    ),
    Breakage(
        "everybody owes a signature",
        f"{_EPOCHS}:_owes_signature",
        "",
        "return True",
        "test_epochs.py::test_an_operator_owes_no_signature",
    ),
    Breakage(
        "what was given to the open slot is lost in an epoch that nobody leaves",
        f"{_EPOCHS}:_start",
        "given_before",
        "()",
        "test_epochs.py::test_an_epoch_that_nobody_leaves_carries_over_what_was_given",
    ),
    Breakage(
        "a roll goes on where a seat leaves",
        f"{_EPOCHS}:_start",
        "position = given_up(position)",
        "pass",
        "test_epochs.py::test_where_a_seat_leaves_the_roll_is_given_up",
    ),
    Breakage(
        "what a seat signed after the heads in the list counts",
        f"{_EPOCHS}:_end",
        "next((one.length for one in agreement.leaving if one.seat == seat), length)",
        "length",
        "test_epochs.py::test_nothing_of_a_leaver_counts_beyond_the_list",
    ),
    Breakage(
        "a client closes slots though it has agreed to go on otherwise",
        f"{_FOLD}:Fold._awaited",
        "",
        "return None",
        "test_epochs.py::test_a_client_that_has_agreed_closes_no_slot_until_the_agreement_cannot_come_into_force",
    ),
    Breakage(
        "a client enters a lower epoch than it has agreed to",
        f"{_FOLD}:Fold._enter",
        "awaited and awaited.base < agreement.number < awaited.number",
        "False",
        "test_epochs.py::test_a_client_that_has_agreed_higher_enters_no_lower_epoch",
    ),
    Breakage(
        "a client signs in an epoch that it has agreed to leave",
        f"{_OWN}:Own.duties",
        "promised or self._held.waits(seat)",
        "self._held.waits(seat)",
        "test_own.py::test_a_client_that_has_agreed_gives_nothing_more_in_this_epoch",
    ),
    # Ballots.
    Breakage(
        "a client agrees to anything",
        f"{_GOING}:GoingOn.due",
        "free and asked <= {own.operator} if leavers <= gone else leavers <= want",
        "True",
        "test_going_on.py::test_a_player_who_is_gone_is_left_behind_when_all_others_have_said_so",
    ),
    Breakage(
        "that nobody leaves is asked for without end",
        f"{_GOING}:GoingOn.due",
        "fold.position.renewed < RENEWALS",
        "True",
        "test_going_on.py::test_renewals_come_to_an_end",
    ),
    Breakage(
        "all propose at once",
        f"{_GOING}:GoingOn._propose",
        "now < self._aim[1] + STAGGER * rank",
        "False",
        "test_going_on.py::test_at_one_moment_only_one_client_proposes",
    ),
    Breakage(
        "agreements are proposed without end",
        f"{_GOING}:GoingOn._sign",
        "room <= 0 or (tries and now < self._signed[1] + GRACE * 2 ** max(0, tries - PATIENT))",
        "False",
        "test_going_on.py::test_a_client_pauses_where_another_one_proposes_without_end",
    ),
    Breakage(
        "an agreement that cannot come into force is waited for",
        f"{_GOING}:GoingOn._is_vain",
        "",
        "return False",
        "test_going_on.py::test_an_agreement_that_cannot_come_into_force_is_not_waited_for",
    ),
    # Spectators.
    Breakage(
        "spectators are sent all that is held",
        f"{_GALLERY}:Gallery._release",
        "self._shown() if fold.result is None else tuple(map(len, held.chains))",
        "tuple(map(len, held.chains))",
        "test_spectators.py::test_a_spectator_is_sent_only_what_lies_behind_all_seats",
    ),
    Breakage(
        "spectators are not sent what parts that count have named",
        f"{_GALLERY}:Gallery._shown",
        "named != lengths",
        "False",
        "test_spectators.py::test_a_spectator_sees_a_resignation_that_a_roll_has_named",
    ),
    Breakage(
        "nothing is delayed",
        f"{_GALLERY}:Gallery._shown",
        "fold.position.plies - self._table.charter.body.watching.delay",
        "fold.position.plies",
        "test_spectators.py::test_a_delay_keeps_the_last_actions_from_spectators_until_the_end",
    ),
    Breakage(
        "everybody may watch every table",
        f"{_GALLERY}:Gallery._admits",
        "",
        "return True",
        "test_spectators.py::test_a_table_that_nobody_may_watch_shows_nothing",
    ),
    Breakage(
        "the passphrase is asked for and not wanted",
        f"{_GALLERY}:Gallery._admits",
        "peer in self._proven",
        "True",
        "test_spectators.py::test_who_does_not_know_the_passphrase_is_asked_and_sees_nothing",
    ),
    Breakage(
        "any number of spectators has a place",
        f"{_GALLERY}:Gallery._asked",
        "len(self) < PLACES",
        "True",
        "test_spectators.py::test_the_spectator_for_whom_there_is_no_place_watches_through_another_player",
    ),
    Breakage(
        "spectators are sent as much as they ask for",
        f"{_GALLERY}:Gallery.serve",
        "self._left <= 0",
        "False",
        "test_spectators.py::test_all_spectators_together_get_so_many_bytes_a_second",
    ),
    Breakage(
        "what a spectator lacks is sent again at once",
        f"{_GALLERY}:Gallery._asked",
        "now >= spectator.again",
        "True",
        "test_spectators.py::test_a_flood_of_questions_is_answered_by_the_clock_alone",
    ),
    Breakage(
        "proofs are not shown to spectators",
        f"{_GALLERY}:Gallery._release",
        "[proof.other for proof in held.proofs[self._proofs :]]",
        "[]",
        "test_spectators.py::test_a_game_that_equivocation_ends_is_over_for_spectators_as_well",
    ),
    Breakage(
        "a spectator takes any charter",
        f"{_SPECTATOR}:Spectator._charter",
        "self.player not in [seat.id for seat in charter.body.seats]",
        "False",
        "test_spectators.py::test_a_spectator_takes_no_other_charter",
    ),
    Breakage(
        "a spectator stays with a player who says nothing",
        f"{_SPECTATOR}:Spectator.tick",
        "now >= self._until",
        "False",
        "test_spectators.py::test_a_spectator_goes_on_through_another_player",
    ),
    Breakage(
        "a spectator is sent nothing again while new events come",
        f"{_GALLERY}:Gallery.serve",
        "spectator.waits = False",
        "spectator.again, spectator.waits = now + SENT_AGAIN_AFTER, False",
        "test_spectators.py::test_a_lost_message_is_made_up_for_while_the_game_goes_on",
    ),
)
