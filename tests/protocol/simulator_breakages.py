"""Ways to break the rules on purpose, one at a time, which simulated games or a test must notice.

`scripts/breakages.py` tries them; `test_breakages` sees to it that each still fits its module.
"""

from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).resolve().parents[2]


class MisfitError(Exception):
    """A module has changed so that a breakage no longer fits."""


class Breakage(NamedTuple):
    """What is broken, in words; the module; its text, which it has exactly once, and what comes in its place.

    `test` fails then; it is named where simulated games notice seldom or never.
    """

    name: str
    module: str
    old: str
    new: str
    test: str = ""

    def broken(self) -> str:
        """Return the source of the module with the breakage. Raises MisfitError."""
        source = (_ROOT / self.module).read_text(encoding="utf-8")
        found = source.count(self.old)
        if found != 1:
            raise MisfitError(f"{self.name}: {self.module} has its text {found} times, not once")
        return source.replace(self.old, self.new)


BREAKAGES = (
    # What is on disk before it is sent, and what an old copy may sign.
    Breakage(
        "a restarted client signs at once",
        "protocol/_node.py",
        "self._unheard = set(self._seat_of) if resumed else set()",
        "self._unheard: set[bytes] = set()",
    ),
    Breakage(
        "an old copy asks one peer only",
        "protocol/_node.py",
        "            self._unheard.discard(peer)",
        "            self._unheard.clear()",
        "test_coming_back.py::test_of_more_players_most_of_the_others_will_do_after_a_while",
    ),
    Breakage(
        "an old copy goes by what was said before it asked",
        "protocol/_node.py",
        "if have.answers.startswith(self._challenge):",
        "if True:",
        "test_coming_back.py::test_what_waits_for_its_causes_is_given_back_before_it_counts",
    ),
    Breakage(
        "an old copy signs in the place of an own event that waits",
        "protocol/_table.py",
        "if self.fold.cut(seat) is not None or self._signed_before(seat):\n            return None",
        "if self.fold.cut(seat) is not None:\n            return None",
        "test_coming_back.py::test_an_old_copy_signs_nothing_in_the_place_of_an_own_event_that_waits",
    ),
    Breakage(
        "own events are sent before they are synced",
        "protocol/_node.py",
        "*map(event_record, signed))), sync=True)",
        "*map(event_record, signed))), sync=False)",
    ),
    Breakage(
        "own events are stored after they are sent",
        "protocol/_node.py",
        """\
                yield Store(b"".join((heard or b"", *map(event_record, signed))), sync=True)
                heard = None
                batches = event_batches(self.table.id, signed)
                yield from [Send(peer, batch) for peer in self._linked for batch in batches]
""",
        """\
                batches = event_batches(self.table.id, signed)
                yield from [Send(peer, batch) for peer in self._linked for batch in batches]
                yield Store(b"".join((heard or b"", *map(event_record, signed))), sync=True)
                heard = None
""",
    ),
    Breakage(
        "what is signed on waking is answered with before it is stored",
        "protocol/_node.py",
        "effects += [Send(peer, batch) for batch in event_batches(self.table.id, lacking)]",
        "effects = [*(Send(peer, batch) for batch in event_batches(self.table.id, lacking)), *effects]",
    ),
    Breakage(
        "who comes back is told what is not on disk",
        "protocol/_node.py",
        'effects.append(Store(b"", sync=True))',
        "pass",
        "test_coming_back.py::test_what_waits_for_its_causes_is_given_back_before_it_counts",
    ),
    Breakage(
        "events taken in are not stored",
        "protocol/_node.py",
        "records += [*map(fork_record, proofs), *map(event_record, news)]",
        "records += map(fork_record, proofs)",
    ),
    Breakage(
        "proofs of forks are not stored",
        "protocol/_node.py",
        "records += [*map(fork_record, proofs), *map(event_record, news)]",
        "records += map(event_record, news)",
    ),
    Breakage(
        "secrets of the cards move on by one deal too many",
        "protocol/_table.py",
        "self.secrets.moved_on(machine.number)",
        "self.secrets.moved_on(machine.number + 1)",
    ),
    # What is told to whom.
    Breakage(
        "no Have every 5 seconds", "protocol/_node.py", "        if now < self._next_have:\n", "        if True:\n"
    ),
    Breakage(
        "no Have when a link comes up",
        "protocol/_node.py",
        "self._linked[peer] = AT_ONCE\n        return [self._have(peer)]",
        "self._linked[peer] = AT_ONCE\n        return []",
        "test_coming_back.py::test_an_old_copy_takes_up_its_own_chain_before_it_signs",
    ),
    Breakage(
        "a Have is not answered", "protocol/_node.py", "return self._answer(peer, message) if fits else []", "return []"
    ),
    Breakage(
        "own events are not told at once",
        "protocol/_node.py",
        "yield from [Send(peer, batch) for peer in self._linked for batch in batches]",
        "yield from ()",
        "test_node.py::test_what_is_signed_is_stored_then_sent",
    ),
    Breakage(
        "proofs of forks are not told at once",
        "protocol/_node.py",
        "*(Send(peer, batch) for peer in self._linked for batch in evidence),",
        "",
        "test_absent.py::test_a_proof_of_a_fork_reaches_all",
    ),
    Breakage(
        "proofs of forks are not among what a peer lacks",
        "protocol/_replica.py",
        "if (fork.kept.seat, fork.kept.number) not in forked:",
        "if False:",
        "test_absent.py::test_a_proof_of_a_fork_reaches_all",
    ),
    Breakage(
        "who holds another version is told only what is longer",
        "protocol/_replica.py",
        "min(head.length - 1, self._named(seat)) if other else head.length",
        "head.length",
    ),
    Breakage(
        "a wrong digest is told of nobody",
        "protocol/_news.py",
        "return [Disputed(event.seat, self._table.fold.position.plies + 1) for event in news]",
        "return []",
        "test_node.py::test_a_wrong_digest_is_told_once_and_checked_once",
    ),
    Breakage(
        "a wrong digest is told of who had not heard of votes and forks",
        "protocol/_news.py",
        "news = [event for event in news if not self._table.consistent(event)]",
        "pass",
        "test_absent.py::test_who_has_not_heard_of_a_fork_is_not_said_to_have_a_wrong_state",
    ),
    # What is taken in.
    Breakage(
        "signatures are not checked",
        "protocol/_replica.py",
        "if not event.signed_by(self.charter.body.seats[event.seat - 1].id, self._verifier):",
        "if False:",
    ),
    Breakage(
        "heads may go back",
        "protocol/_replica.py",
        "if not self._causal(event):",
        "if False:",
        "test_fold.py::test_heads_that_go_back_are_refused",
    ),
    Breakage(
        "causes need not be held",
        "protocol/_replica.py",
        "if event is None or not self._held(event):",
        "if event is None:",
    ),
    Breakage(
        "the version held first stays, whatever all have named",
        "protocol/_replica.py",
        "and self.fold.passed_over(fork)",
        "and False",
        "test_exchange.py::test_an_old_copy_takes_the_version_that_all_have_named_in_whatever_order_it_comes",
    ),
    Breakage(
        "a client that died before it stored an exchange waits for ever",
        "protocol/_node.py",
        "records = self._exchange([])",
        "records: list[bytes] = []",
        "test_exchange.py::test_a_client_that_died_before_it_stored_an_exchange_makes_up_for_it",
    ),
    Breakage(
        "who has signed two versions itself goes on from the one that all have named",
        "protocol/_table.py",
        "return [fork for fork in super().passed_over() if fork.kept.seat not in self.signers]",
        "return super().passed_over()",
        "test_exchange.py::test_who_has_signed_two_versions_itself_goes_on_from_neither",
    ),
    Breakage(
        "what names another version of a fork waits for ever",
        "protocol/_replica.py",
        "if seat == event.seat or not forked or length < forked:",
        "if True:",
    ),
    Breakage(
        "who forked goes on from either version",
        "protocol/_replica.py",
        "if seat == event.seat or not forked or length < forked:",
        "if not forked or length < forked:",
        "test_forks.py::test_of_two_versions_one_chain_is_held_and_what_names_the_other_is_taken_in",
    ),
    Breakage(
        "what names another version does not wait for its proof",
        "protocol/_replica.py",
        "if seat == event.seat or not forked or length < forked:",
        "if seat == event.seat or not forked:",
        "test_forks.py::test_what_names_another_version_waits_for_the_proof_of_it",
    ),
    Breakage(
        "who answers what followed another version is refused",
        "protocol/_replica.py",
        "if not forked or named < forked - 1:",
        "if True:",
        "test_forks.py::test_of_two_versions_one_chain_is_held_and_what_names_the_other_is_taken_in",
    ),
    Breakage(
        "what two versions name puts in order what others sign",
        "protocol/_replica.py",
        "if not length or (parted and length >= parted and seat != event.seat):",
        "if not (0 < length <= len(chain) and chain[length - 1].hash == event.heads[seat - 1].hash):",
        "test_forks.py::test_what_two_versions_name_orders_nothing_in_whatever_order_it_comes",
    ),
    Breakage(
        "a version takes the place of another, and contradicts what its author had seen",
        "protocol/_replica.py",
        "            and self._causal(fork.other)\n",
        "",
        "test_exchange.py::test_no_version_is_taken_that_contradicts_what_its_author_had_seen",
    ),
    Breakage(
        "who names less of a forker than before has not named it",
        "protocol/_reading.py",
        "next((one.number for one in chain if one.heads[at].length >= event.number), len(chain) + 1)",
        "1 + sum(one.heads[at].length < event.number for one in chain)",
        "test_forks.py::test_who_names_less_of_a_forker_than_before_unsettles_nothing",
    ),
    Breakage(
        "what waits is not bounded",
        "protocol/_replica.py",
        "if limited and number > behind + PENDING_LIMIT:",
        "if False:",
    ),
    Breakage(
        "of too much that waits what came last is let go",
        "protocol/_replica.py",
        "            self._let_go(event.seat, behind)\n",
        "            return []\n",
        "test_fold.py::test_a_flood_that_comes_backwards_is_bounded_alike",
    ),
    Breakage(
        "a file is read by the limits of what comes",
        "protocol/_verify.py",
        "table.take(event, limited=False)",
        "table.take(event)",
        "test_fold.py::test_a_file_may_hold_what_came_within_the_limits_of_its_time",
    ),
    Breakage(
        "two who work together fill the memory of a third",
        "protocol/_replica.py",
        "behind = min(self.fold.position.cursors[event.seat - 1], len(chain))",
        "behind = self.fold.position.cursors[event.seat - 1]",
        "test_forks.py::test_two_who_work_together_cannot_fill_the_memory_of_a_third",
    ),
    Breakage(
        "a second version of an event is not noticed",
        "protocol/_replica.py",
        "return self._accept(cut=True) if self._note_fork(known, event) else []",
        "return []",
    ),
    # What counts.
    Breakage(
        "an event counts with any digest",
        "protocol/_reading.py",
        "event.slot == self.position.slot and event.digest == self.digest and",
        "event.slot == self.position.slot and",
        "test_cheats.py::test_a_commitment_for_another_slot_or_state_is_not_taken",
    ),
    Breakage(
        "an event counts at any slot",
        "protocol/_reading.py",
        "event.slot == self.position.slot and event.digest == self.digest and",
        "event.digest == self.digest and",
        "test_cheats.py::test_a_commitment_for_another_slot_or_state_is_not_taken",
    ),
    Breakage(
        "unlawful moves are applied",
        "protocol/_fold.py",
        'if refusal is not None or text in ("resign", "draw"):',
        'if text in ("resign", "draw"):',
        "test_cheats.py::test_an_unlawful_move_is_resigning",
    ),
    Breakage(
        "a salt need not fit its commitment",
        "protocol/_chance.py",
        "elif commitment(self.bound, event.seat, secret) != committed_to[event.seat]:",
        "elif False:",
        "test_cheats.py::test_another_salt_than_committed_is_resigning",
    ),
    Breakage(
        "a shuffle need not be proven",
        "protocol/_chance.py",
        "if not scheme.check_shuffle(self.deck, deck, joint, proof, self.context(event.seat)):",
        "if False:",
        "test_card_cheats.py::test_another_deck_with_a_proof_that_looks_right",
    ),
    Breakage(
        "resignations for a void slot apply in another order",
        "protocol/_fold.py",
        "(event for event in resigned if event.seat not in late), key=place)",
        "(event for event in resigned if event.seat not in late), key=place, reverse=True)",
        "test_fold.py::test_both_resign_at_once_in_a_gather_slot",
    ),
    Breakage(
        "void slots are final",
        "protocol/_fold.py",
        "self._next_slot(final=False)",
        "self._next_slot(final=True)",
        "test_fold.py::test_both_resign_at_once_in_a_gather_slot",
    ),
    Breakage(
        "a removal after a void slot is final",
        "protocol/_fold.py",
        "final = before is self._openings[-1]",
        "final = True",
        "test_votes.py::test_a_removal_after_a_void_slot_is_not_final",
    ),
    Breakage(
        "no SETTLE slot",
        "protocol/_fold.py",
        "TURN if final else SETTLE",
        "TURN",
        "test_order.py::test_a_turn_after_a_void_roll_waits_for_all_that_are_left",
    ),
    # Votes.
    Breakage(
        "half of the players are enough to remove one",
        "protocol/_fold.py",
        "if 2 * len(self.voters(seat)) > len(self.operators())",
        "if 2 * len(self.voters(seat)) >= len(self.operators())",
        "test_votes.py::test_half_of_the_players_are_not_enough",
    ),
    Breakage(
        "votes count seats, not players",
        "protocol/_reading.py",
        "            self._operator_of[seat - 1]\n            for seat in self.position.live\n            for event",
        "            seat\n            for seat in self.position.live\n            for event",
        "test_votes.py::test_votes_count_players_not_seats",
    ),
    Breakage(
        "a vote counts though it names what was given",
        "protocol/_reading.py",
        "            and not (given and event.heads[target - 1].length >= given.number)\n",
        "",
        "test_votes.py::test_a_vote_after_having_seen_the_contribution_is_void",
    ),
    Breakage(
        "a removal begins no new epoch",
        "protocol/_fold.py",
        "Slot(epoch + len(seats), *rest)",
        "Slot(epoch, *rest)",
        "test_votes.py::test_more_than_half_of_the_players_remove_a_seat",
    ),
    Breakage(
        "late votes are not gone back to",
        "protocol/_fold.py",
        "                return\n        del self._openings[after:]",
        "                return",
        "test_votes.py::test_a_majority_takes_back_what_one_alone_had_seen",
    ),
    Breakage(
        "votes of those who went on with the seat do not lapse",
        "protocol/_reading.py",
        "            and not self._lapsed(event)\n",
        "",
        "test_votes.py::test_who_has_gone_on_with_a_seat_no_longer_votes_against_it",
    ),
    Breakage(
        "what a vote did that lapses is not gone back to",
        "protocol/_fold.py",
        "                del self._openings[after:]\n                return",
        "                return",
        "test_votes.py::test_who_goes_on_after_all_takes_its_part_in_a_removal_back",
    ),
    Breakage(
        "equal votes for other digests are not heard",
        "protocol/_replica.py",
        "(one.kind, one.slot, one.digest, one.body) != vote for",
        "(one.kind, one.slot, one.body) != (VOTE, event.slot, event.body) for",
        "test_votes.py::test_a_vote_for_another_state_of_its_slot_is_another_vote",
    ),
    Breakage(
        "a resignation kept back undoes a removal",
        "protocol/_fold.py",
        "voted = sorted(seats & {vote.body[0] for vote in self.votes if vote.slot.step > before.slot.step})",
        "voted: list[int] = []",
        "test_votes.py::test_a_resignation_kept_back_takes_nothing_back_once_its_author_is_voted_out",
    ),
    Breakage(
        "a vote does not stand until its target is heard of",
        "protocol/_table.py",
        "self._against.add(self._operator(target))",
        "pass",
        "test_absent.py::test_a_standing_vote_is_against_the_client_that_is_gone",
    ),
    Breakage(
        "a vote stands though its target is heard of",
        "protocol/_table.py",
        "self._against.discard(self._operator(event.seat))",
        "pass",
        "test_absent.py::test_a_standing_vote_ends_when_its_target_is_heard_of",
    ),
    Breakage(
        "clients do not vote against who forked",
        "protocol/_table.py",
        "wanted = fold.cut(target) is not None or self._operator(target) in self._against",
        "wanted = self._operator(target) in self._against",
        "test_forks.py::test_a_seat_that_signed_two_versions_is_voted_out_by_the_clients",
    ),
    # Forks.
    Breakage(
        "forkers have a say in what stands",
        "protocol/_reading.py",
        "all(self.names(seat, event) for seat in others if seat not in forkers)",
        "all(self.names(seat, event) for seat in others)",
        "test_forks.py::test_who_has_forked_has_no_say_in_what_stands_of_others",
    ),
    Breakage(
        "what all had named falls with a fork",
        "protocol/_reading.py",
        "if kept not in self.position.supposed and not self.settled(kept)]",
        "if kept not in self.position.supposed]",
        "test_forks.py::test_what_is_named_late_has_its_place_where_it_was_named_first",
    ),
    Breakage(
        "what only a seat that left had not named falls",
        "protocol/_fold.py",
        "while self._close() or (self._forks and self._suppose()):",
        "while self._close():",
        "test_forks.py::test_a_late_fork_takes_nothing_back_that_only_a_seat_which_left_had_not_named",
    ),
    Breakage(
        "two forks of a seat stand together or not at all",
        "protocol/_fold.py",
        "for counts in numbers[:ATTEMPTS]:",
        "for counts in numbers[:1]:",
        "test_forks.py::test_what_all_who_are_left_have_named_stands_before_what_they_have_not",
    ),
    Breakage(
        "who names another version of a later event has not named what that one follows",
        "protocol/_reading.py",
        "            length, hash = other.heads[event.seat - 1]\n",
        "            return False\n",
        "test_forks.py::test_who_names_another_version_of_a_later_event_has_named_what_that_one_follows",
    ),
    Breakage(
        "the fold does not go back when one goes on without a forker that it had named",
        "protocol/_fold.py",
        "self._epoch_after(vote, len(before)) is None for vote in ended):",
        "False for vote in ended):",
        "test_forks.py::test_the_fold_goes_back_to_a_fork_when_one_who_had_named_it_goes_on_without_its_author",
    ),
    Breakage(
        "who has voted as well can bring a forker back",
        "protocol/_reading.py",
        " and not self._gone_on_without(seat, event)",
        "",
        "test_forks.py::test_who_has_helped_to_remove_a_forker_cannot_bring_it_back",
    ),
    Breakage(
        "a vote unsettles what its target signs when it knows of it",
        "protocol/_reading.py",
        " and not event.follows(vote)\n",
        "\n",
        "test_forks.py::test_who_was_once_voted_against_takes_nothing_back_later",
    ),
    Breakage(
        "the vote of a forker unsettles what others go on with",
        "protocol/_reading.py",
        " and vote.seat not in forkers and not",
        " and not",
        "test_forks.py::test_the_vote_of_one_who_has_forked_does_not_unsettle_what_others_go_on_with",
    ),
    Breakage(
        "who has resigned speaks for a forked event later",
        "protocol/_reading.py",
        "for one in chain[first - 1 : resigned]:",
        "for one in chain[first - 1 :]:",
        "test_forks.py::test_what_a_seat_that_has_left_names_late_takes_nothing_back",
    ),
    Breakage(
        "who was voted out speaks for a forked event in the end",
        "protocol/_reading.py",
        "if one.kind == RESULT and self._voted_out(one):",
        "if False:",
        "test_forks.py::test_what_a_seat_that_was_voted_out_names_in_the_end_takes_nothing_back",
    ),
    Breakage(
        "one who has left and holds more of an own chain is not waited for",
        "protocol/_node.py",
        "return missing or tuple(seat for id, seat in self._seat_of.items() if self._holds_more(id))",
        "return missing",
        "test_coming_back.py::test_who_is_known_to_hold_more_of_an_own_chain_is_waited_for_though_it_has_left",
    ),
    Breakage(
        "who has woken sleeps again",
        "protocol/_node.py",
        "        if not self._asleep:\n            return ()\n",
        "        if not self._unheard:\n            return ()\n",
        "test_coming_back.py::test_who_has_woken_does_not_sleep_again_when_the_last_one_heard_leaves",
    ),
    Breakage(
        "the fold does not go back to a fork",
        "protocol/_fold.py",
        "            del self._openings[self._before(kept) :]",
        "            pass",
    ),
    Breakage(
        "the fold does not go back to where a forker voted",
        "protocol/_fold.py",
        "first = min(votes, default=self._openings[-1].slot.step)",
        "first = self._openings[-1].slot.step",
        "test_forks.py::test_a_removal_by_a_vote_that_was_forked_is_taken_back",
    ),
    Breakage(
        "the fold does not go back to what is named later",
        "protocol/_replica.py",
        "                self._spoken.add(spoken)\n                self._fold.recut(fork.kept)",
        "                self._spoken.add(spoken)",
        "test_forks.py::test_what_is_named_late_has_its_place_where_it_was_named_first",
    ),
    Breakage(
        "of many forks only the last is gone back to",
        "protocol/_replica.py",
        "            fold.recut(fork.kept)\n        return True",
        "            pass\n        fold.recut(kept)\n        return True",
        "test_forks.py::test_who_has_forked_has_no_say_in_what_stands_of_others",
    ),
    Breakage(
        "proofs are kept of what does not stand anyway",
        "protocol/_fold.py",
        "return (cut is not None and cut < kept.number) or len(",
        "return len(",
        "test_forks.py::test_one_proof_is_kept_of_what_does_not_stand_anyway",
    ),
    Breakage(
        "proofs are kept of what all had named",
        "protocol/_fold.py",
        "if self.settled(kept) or any(",
        "if any(",
        "test_forks.py::test_a_fork_of_what_all_had_named_changes_nothing",
    ),
    Breakage(
        "who votes against a forker speaks for it by what else it signs",
        "protocol/_reading.py",
        "                voted = max(voted, one.slot.step)",
        "                pass",
        "test_forks.py::test_who_votes_against_a_forker_does_not_speak_for_what_it_forked",
    ),
    Breakage(
        "who goes on after a removal speaks for the removed",
        "protocol/_reading.py",
        "if any(vote.slot.epoch < one.slot.epoch and one.follows(vote) for vote in votes):",
        "if False:",
        "test_forks.py::test_who_goes_on_after_a_removal_does_not_speak_for_the_removed_either",
    ),
    Breakage(
        "what was forked makes votes against it void",
        "protocol/_reading.py",
        "            given = None\n        return {",
        "            pass\n        return {",
        "test_forks.py::test_who_has_signed_two_versions_can_be_voted_out_even_where_it_has_given_what_it_owes",
    ),
    Breakage(
        "what answers an open fork is judged",
        "protocol/_reading.py",
        "if not named and (cut is None or length <= cut):",
        "if not named:",
        "test_forks.py::test_votes_of_those_who_had_named_another_version_count",
    ),
    Breakage(
        "what goes on from another version counts",
        "protocol/_reading.py",
        "event.digest == self.digest and not self._parted(event)",
        "event.digest == self.digest",
        "test_exchange.py::test_what_answers_another_version_is_not_judged_where_two_are_left",
    ),
    Breakage(
        "two who hold two versions of a removed seat's play are parted",
        "protocol/_reading.py",
        "for seat in self.forkers() & {*self.position.live}:",
        "for seat in self.forkers():",
        "test_forks.py::test_a_seat_that_signed_two_versions_is_voted_out_by_the_clients",
    ),
    Breakage(
        "who has opened commits again when an answer was forked",
        "protocol/_table.py",
        "        if self.forks and any(\n",
        "        if False and any(\n",
        "test_forks.py::test_who_has_opened_signs_no_commitment_when_one_that_it_answered_is_forked",
    ),
)
