"""What a verifier must find in the saved games of the test vectors.

Every scenario returns the records of a file. `SCENARIOS` says of each what a verifier must find; that is written by
hand, from docs/protocol.md, not taken from the program.
"""

from vector_files_bad import (
    altered_byte,
    another_program,
    another_table,
    below_own_epoch,
    empty_proof,
    heads_go_back,
    leap,
    local_takeback_too_far,
    local_without_effect,
    missing_record,
    of_version_1,
    repeated_record,
    second_without_proof,
    slot_goes_back,
    swapped_records,
    too_far_ahead,
    too_much_for_a_slot,
    torn_tail,
    without_charter,
)
from vector_files_cards import OF_CARDS
from vector_files_details import OF_DETAILS
from vector_files_epochs import (
    all_have_resigned,
    as_much_as_allowed,
    comes_back,
    first_of_two_moves,
    late_and_lower,
    less_than_lies_behind,
    less_than_was_placed,
    one_number_twice,
    parts_of_leavers,
    placed_beyond_the_end,
    resigned_do_not_count,
    resigned_do_not_decide,
    resigned_too_late,
    signatures_lie_behind,
    signed_across,
    signed_across_and_gone,
    three_seats_of_one,
    word_before_the_agreement,
)
from vector_files_good import (
    bad_shuffle,
    cards,
    dice,
    drawn,
    early_result,
    equivocation_in_doubt,
    equivocation_of_a_result,
    equivocation_of_three,
    equivocation_of_two,
    equivocation_twice,
    equivocation_upon_another,
    finished,
    first_drawn,
    goes_on,
    in_a_match,
    knows_too_little,
    late_word,
    leaving,
    local,
    local_takebacks,
    minority,
    nobody_leaves,
    not_past_dice,
    owes_nothing,
    part_of_a_leaver,
    resigned,
    result_of_most,
    revoke,
    settled_equivocation,
    taken_back,
    unfinished,
    unlawful,
    withheld_reveal,
    wrong_card,
    wrong_salt,
)
from vector_files_proofs import (
    equivocation_after_a_resignation,
    equivocation_before_an_agreement,
    equivocation_beside_two_seats,
    equivocation_in_a_roll,
    equivocation_in_doubts,
    equivocation_named_by_one,
    equivocation_named_in_a_roll,
    equivocation_of_a_breach,
    equivocation_of_both,
    equivocation_of_the_winner,
    equivocation_unseen,
    equivocation_upon_one_version,
    evidence_only,
    half_of_the_results,
    many_proofs,
    result_of_another_step,
    results_of_most,
    results_of_seats,
    results_of_seats_that_are_out,
    results_of_the_honest,
    results_that_differ,
    settled_by_another_seat,
)
from vector_files_readings import OF_READINGS
from vector_files_refused import (
    a_head_too_many,
    another_hash,
    empty_record,
    epoch_again,
    heads_leave_out,
    local_proof,
    local_result_with_shares,
    local_results,
    local_shares_at_the_end,
    local_takeback_by_a_seat,
    local_to_another_digest,
    local_to_another_slot,
    local_wish,
    no_charter,
    proof_again,
    proof_beyond_the_chain,
    proof_of_another_table,
    proof_of_other_versions,
    proof_of_two_numbers,
    proof_of_two_seats,
    proof_unsigned,
    proof_with_a_head_too_many,
    proof_with_another_signature,
    record_of_no_array,
    second_charter,
    too_many_agreements,
    torn_length,
    unknown_record,
)
from vector_files_turns import (
    back_twice,
    commitment_signed_twice,
    many_resign,
    no_moves,
    not_past_the_end_of_a_seat,
    part_signed_twice,
    resigned_and_wishing,
    rolls_of_two_epochs,
    sequence_or_move,
    to_another_slot,
    wishes,
    wrong_salts,
)
from vector_tables import BREACH, EQUIVOCATION, Scenario

SCENARIOS = {
    "finished": Scenario(finished, True, "section 6: a game to its turn limit, both results signed", ()),
    "in-a-match": Scenario(in_a_match, True, "section 3: a game of a match, with the score before it", ()),
    "unfinished": Scenario(unfinished, True, "section 11: a file that ends between two records"),
    "resigned": Scenario(resigned, True, "section 6: RESIGN, placed by SEQUENCE or at its author's turn", (2,)),
    "drawn": Scenario(drawn, True, "section 6: WISH of all live seats, placed by SEQUENCE", ()),
    "taken-back": Scenario(taken_back, True, "section 6: TAKEBACK of all operators that play brings a state back"),
    "not-past-dice": Scenario(not_past_dice, True, "section 6: no TAKEBACK reaches past what chance did"),
    "dice": Scenario(dice, True, "section 7: rolls, the first ones by COMMIT, later ones by `next`", (1,)),
    "first-drawn": Scenario(first_drawn, True, "section 7: a pick among three"),
    "cards": Scenario(cards, True, "section 7: a deal, cards played, the last round audited", (1,)),
    "goes-on": Scenario(goes_on, True, "section 3: a table that goes on from another one", (2,)),
    "leaving": Scenario(leaving, True, "section 8: two leave the third behind and play on"),
    "late-word": Scenario(late_word, True, "section 8: an event of a leaver beyond `leaving` does not count"),
    "nobody-leaves": Scenario(nobody_leaves, True, "section 8: an agreement fails, the next one keeps everybody"),
    "withheld-reveal": Scenario(withheld_reveal, True, "sections 7, 8: no value is rolled, the others roll anew"),
    "minority": Scenario(minority, True, "section 8: one of three is not a majority: not in force"),
    "owes-nothing": Scenario(owes_nothing, True, "section 8: two of three leave a seat that owes nothing: in force"),
    "part-of-a-leaver": Scenario(part_of_a_leaver, True, "section 8: a roll goes on whose part a leaver has given"),
    "result-of-most": Scenario(
        result_of_most, True, "section 8: at END nobody leaves, and a RESULT counts in any epoch", winners=()
    ),
    "early-result": Scenario(early_result, True, "section 6: RESULT before the end has no effect"),
    "knows-too-little": Scenario(knows_too_little, True, "section 6: heads below `behind` fill no slot"),
    "unlawful": Scenario(unlawful, True, "section 6: a breach equals resigning", (1,), ((2, BREACH),)),
    "wrong-salt": Scenario(wrong_salt, True, "section 7: a salt that was not committed to", None, ((2, BREACH),)),
    "bad-shuffle": Scenario(bad_shuffle, True, "section 7: a proof of shuffle that fails", (2,), ((1, BREACH),)),
    "wrong-card": Scenario(wrong_card, True, "section 7: a share that opens another card", (1,), ((2, BREACH),)),
    "revoke": Scenario(revoke, True, "section 6: revokes show with the last card, and lose", (1,), ((2, BREACH),)),
    "settled-equivocation": Scenario(
        settled_equivocation, True, "section 9: a settled event: evidence, no more", None, ((1, EQUIVOCATION),)
    ),
    "equivocation-of-two": Scenario(
        equivocation_of_two, True, "section 9: of two the other has won", (1,), ((2, EQUIVOCATION),)
    ),
    "equivocation-of-three": Scenario(
        equivocation_of_three, True, "section 9: of three nobody has won", (), ((1, EQUIVOCATION),)
    ),
    "equivocation-upon-another": Scenario(
        equivocation_upon_another,
        True,
        "section 9: who signs twice upon one of two versions is not named in the reason",
        (),
        ((3, EQUIVOCATION), (2, EQUIVOCATION)),
    ),
    "equivocation-in-doubt": Scenario(
        equivocation_in_doubt,
        True,
        "section 9: an event in doubt settles nothing",
        (),
        ((2, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "equivocation-twice": Scenario(
        equivocation_twice,
        True,
        "section 9: of two events signed twice the earlier one says who still played",
        (),
        ((1, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "equivocation-of-a-result": Scenario(
        equivocation_of_a_result,
        True,
        "section 9: what all others have named in their results is settled",
        (),
        ((2, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "local": Scenario(local, True, "section 10: a game on one computer", (1,)),
    "local-takebacks": Scenario(local_takebacks, True, "section 10: `takeback` on one computer"),
    "to-another-slot": Scenario(
        to_another_slot,
        True,
        "section 6: a contribution to another slot, epoch, kind or digest; a second one to one slot",
    ),
    "sequence-or-move": Scenario(
        sequence_or_move, True, "section 6: SEQUENCE where something waits, MOVE where nothing does, by what each names"
    ),
    "wishes": Scenario(wishes, True, "section 6: how long a WISH lasts, and when it changes something", ()),
    "many-resign": Scenario(
        many_resign, True, "section 6: the order in which SEQUENCE places: step, seat, number", (2,)
    ),
    "resigned-and-wishing": Scenario(
        resigned_and_wishing, True, "section 6: RESIGN and WISH of a seat that has resigned change nothing", ()
    ),
    "back-twice": Scenario(
        back_twice, True, "section 6: TAKEBACK, of operators, twice in a row; when it changes something"
    ),
    "not-past-the-end-of-a-seat": Scenario(
        not_past_the_end_of_a_seat, True, "section 6: no TAKEBACK reaches past the end of a seat"
    ),
    "no-moves": Scenario(
        no_moves,
        True,
        "section 6: MOVE `resign`, MOVE `draw` and PLAY without cards are breaches",
        (4,),
        ((1, BREACH), (2, BREACH), (3, BREACH)),
    ),
    "wrong-salts": Scenario(
        wrong_salts,
        True,
        "section 6: breaches of one roll are condemned in seat order",
        (2,),
        ((1, BREACH), (2, BREACH)),
    ),
    "commitment-signed-twice": Scenario(
        commitment_signed_twice, True, "section 6: the first event of a seat that counts is its contribution"
    ),
    "part-signed-twice": Scenario(
        part_signed_twice, True, "section 4: what is signed for a slot that is not open has no effect"
    ),
    "rolls-of-two-epochs": Scenario(
        rolls_of_two_epochs, True, "section 7: a commitment binds with the epoch in which it was signed"
    ),
    "as-much-as-allowed": Scenario(
        as_much_as_allowed, True, "section 4, check 8: numbers of EPOCHs, and events for one step, up to the limits"
    ),
    "first-of-two-moves": Scenario(
        first_of_two_moves, True, "section 6: of two moves for one slot the first counts, also when folded anew"
    ),
    "word-before-the-agreement": Scenario(
        word_before_the_agreement,
        True,
        "section 8: an event of a leaver beyond `leaving` does not count, though it came first",
    ),
    "placed-beyond-the-end": Scenario(
        placed_beyond_the_end, True, "section 8: SEQUENCE in the base places what it names, also beyond an end"
    ),
    "resigned-do-not-count": Scenario(
        resigned_do_not_count, True, "section 8: who has resigned is not counted: two of four are two of three"
    ),
    "resigned-too-late": Scenario(
        resigned_too_late, True, "section 8: who has resigned beyond the end, or in a later epoch, is counted"
    ),
    "resigned-do-not-decide": Scenario(
        resigned_do_not_decide, True, "section 8: of those who stay none counts that has resigned"
    ),
    "all-have-resigned": Scenario(all_have_resigned, True, "section 8: where all have resigned all are counted"),
    "three-seats-of-one": Scenario(
        three_seats_of_one, True, "section 8: more than half of the operators, not of the seats"
    ),
    "one-number-twice": Scenario(
        one_number_twice, True, "section 8: of two agreements with one number the higher by `leaving` counts"
    ),
    "comes-back": Scenario(comes_back, True, "section 8: a higher agreement on the same base brings a leaver back"),
    "signed-across": Scenario(
        signed_across, True, "section 8: void, for who signed across had a seat in the first epoch above"
    ),
    "signed-across-and-gone": Scenario(
        signed_across_and_gone, True, "section 8: not void, for who signed across had no seat there"
    ),
    "late-and-lower": Scenario(late_and_lower, True, "section 8: a lower agreement that comes late is not entered"),
    "less-than-lies-behind": Scenario(
        less_than_lies_behind, True, "section 8: not in force, for the end of a leaver is before what was listed"
    ),
    "less-than-was-placed": Scenario(
        less_than_was_placed, True, "section 8: not in force, for the end of a seat is before what was placed"
    ),
    "signatures-lie-behind": Scenario(
        signatures_lie_behind, True, "section 8: the signatures of live seats lie behind in the new epoch"
    ),
    "parts-of-leavers": Scenario(
        parts_of_leavers, True, "section 8: parts are kept if each leaver has given; else none is", None, ((2, BREACH),)
    ),
    "equivocation-unseen": Scenario(
        equivocation_unseen,
        True,
        "section 9: an event of a live seat matters, though nobody has named it",
        (),
        ((2, EQUIVOCATION),),
    ),
    "equivocation-of-a-breach": Scenario(
        equivocation_of_a_breach,
        True,
        "section 9: an event of a seat that is out matters if it lies behind",
        (),
        (
            (2, BREACH),
            (2, EQUIVOCATION),
        ),
    ),
    "equivocation-named-by-one": Scenario(
        equivocation_named_by_one,
        True,
        "section 9: an event of a seat that is out matters if a live seat has named it",
        (),
        ((3, EQUIVOCATION),),
    ),
    "equivocation-named-in-a-roll": Scenario(
        equivocation_named_in_a_roll,
        True,
        "section 9: it matters if what lies behind of a seat that is out has named it",
        (),
        (
            (3, BREACH),
            (4, BREACH),
            (3, EQUIVOCATION),
        ),
    ),
    "evidence-only": Scenario(
        evidence_only,
        True,
        "section 9: else it does not matter; and it is settled without seats that are out",
        None,
        (
            (3, EQUIVOCATION),
            (1, EQUIVOCATION),
        ),
    ),
    "settled-by-another-seat": Scenario(
        settled_by_another_seat,
        True,
        "section 9: it is enough that one seat of each operator has named it",
        None,
        ((3, EQUIVOCATION),),
    ),
    "equivocation-in-doubts": Scenario(
        equivocation_in_doubts,
        True,
        "section 9: events in doubt, and what names them, settle nothing",
        (),
        (
            (2, EQUIVOCATION),
            (4, EQUIVOCATION),
            (1, EQUIVOCATION),
        ),
    ),
    "equivocation-upon-one-version": Scenario(
        equivocation_upon_one_version,
        True,
        "section 9: who is named: both versions must rest on one that counts",
        (),
        (
            (1, EQUIVOCATION),
            (3, EQUIVOCATION),
            (2, EQUIVOCATION),
        ),
    ),
    "equivocation-before-an-agreement": Scenario(
        equivocation_before_an_agreement,
        True,
        "sections 8, 9: what lay behind the end of a base still does in the new epoch",
        (),
        ((1, EQUIVOCATION),),
    ),
    "equivocation-in-a-roll": Scenario(
        equivocation_in_a_roll, True, "section 9: before END nothing is decided", (), ((1, EQUIVOCATION),)
    ),
    "half-of-the-results": Scenario(
        half_of_the_results, True, "section 9: half of the judges do not decide", (), ((1, EQUIVOCATION),)
    ),
    "results-that-differ": Scenario(
        results_that_differ,
        True,
        "section 9: results that name it decide together with no others",
        (),
        ((1, EQUIVOCATION),),
    ),
    "results-of-most": Scenario(
        results_of_most, True, "section 9: more than half of the judges decide without it", (), ((1, EQUIVOCATION),)
    ),
    "results-of-the-honest": Scenario(
        results_of_the_honest,
        True,
        "section 9: no judge has a held proof, and all who judge have named it",
        (),
        (
            (2, EQUIVOCATION),
            (1, EQUIVOCATION),
        ),
    ),
    "results-of-seats": Scenario(
        results_of_seats,
        True,
        "section 9: judges are operators: the result of any live seat is enough",
        (),
        ((3, EQUIVOCATION),),
    ),
    "results-of-seats-that-are-out": Scenario(
        results_of_seats_that_are_out,
        True,
        "section 9: the result of a seat that is out decides nothing",
        (),
        ((3, EQUIVOCATION),),
    ),
    "equivocation-of-both": Scenario(
        equivocation_of_both,
        True,
        "section 9: where all have a held proof all are judges",
        (),
        (
            (1, EQUIVOCATION),
            (2, EQUIVOCATION),
        ),
    ),
    "equivocation-beside-two-seats": Scenario(
        equivocation_beside_two_seats,
        True,
        "section 9: two operators, three seats: points 0 where the game would not be over",
        (2, 3),
        ((1, EQUIVOCATION),),
    ),
    "result-of-another-step": Scenario(result_of_another_step, True, "section 6: RESULT counts at its own step", ()),
    "equivocation-of-the-winner": Scenario(
        equivocation_of_the_winner,
        True,
        "section 9: of two the other has won, with no points of another result",
        (2,),
        ((1, EQUIVOCATION),),
    ),
    "equivocation-after-a-resignation": Scenario(
        equivocation_after_a_resignation,
        True,
        "section 9: nobody else plays, so it is settled",
        (1,),
        ((1, EQUIVOCATION),),
    ),
    "many-proofs": Scenario(
        many_proofs, True, "sections 9, 11: which proofs are held", (2,), 10 * ((1, EQUIVOCATION),)
    ),
    "altered-byte": Scenario(altered_byte, False, "section 4, check 5: the signature"),
    "torn-tail": Scenario(torn_tail, False, "section 11: the file ends inside a record"),
    "missing-record": Scenario(missing_record, False, "section 4, check 6: a cause that does not stand before"),
    "repeated-record": Scenario(repeated_record, False, "section 11: an event that stands twice"),
    "swapped-records": Scenario(swapped_records, False, "section 4, check 6: a cause that does not stand before"),
    "without-charter": Scenario(without_charter, False, "section 11: the first record is the charter"),
    "of-version-1": Scenario(of_version_1, False, "section 11: told apart by its first line"),
    "another-program": Scenario(another_program, False, "section 11: a wrong first line"),
    "second-without-proof": Scenario(second_without_proof, False, "section 11: a second version outside of a proof"),
    "empty-proof": Scenario(empty_proof, False, "section 11: a proof of two equal events"),
    "heads-go-back": Scenario(heads_go_back, False, "section 4, check 8: heads that go back"),
    "slot-goes-back": Scenario(slot_goes_back, False, "section 4, check 8: a slot below that of the event before"),
    "below-own-epoch": Scenario(below_own_epoch, False, "section 4, check 8: below the epoch agreed to"),
    "leap": Scenario(leap, False, "section 4, check 8: an EPOCH's number lies at most 256 above what it names"),
    "too-far-ahead": Scenario(too_far_ahead, False, "section 4, check 7: more than 1024 events ahead"),
    "too-much-for-a-slot": Scenario(
        too_much_for_a_slot, False, "section 4, check 8: a ninth event for one step, in whichever epochs"
    ),
    "another-table": Scenario(another_table, False, "section 4, check 2: an event of another table"),
    "local-takeback-too-far": Scenario(local_takeback_too_far, False, "section 10: no further than `earlier` goes"),
    "local-without-effect": Scenario(local_without_effect, False, "section 10: an event without effect"),
    "a-head-too-many": Scenario(a_head_too_many, False, "section 4, check 2: as many heads as chains"),
    "another-hash": Scenario(another_hash, False, "section 4, check 6: another version of a cause"),
    "heads-leave-out": Scenario(
        heads_leave_out, False, "section 4, check 8: what the last event that is named of a chain has named"
    ),
    "epoch-again": Scenario(epoch_again, False, "section 4, check 8: an EPOCH's number is above all in its chain"),
    "too-many-agreements": Scenario(too_many_agreements, False, "section 4, check 8: a 129th EPOCH for one step"),
    "proof-of-another-table": Scenario(
        proof_of_another_table, False, "section 11: the second event of a proof, check 2: the table"
    ),
    "proof-with-a-head-too-many": Scenario(
        proof_with_a_head_too_many, False, "section 11: the second event of a proof, check 2: the number of heads"
    ),
    "proof-of-two-seats": Scenario(proof_of_two_seats, False, "section 11: no second version: another seat"),
    "proof-of-two-numbers": Scenario(proof_of_two_numbers, False, "section 11: no second version: another number"),
    "proof-beyond-the-chain": Scenario(
        proof_beyond_the_chain, False, "section 11: the first event of a proof does not stand before it"
    ),
    "proof-of-other-versions": Scenario(
        proof_of_other_versions,
        False,
        "section 11: the first event of a proof does not stand before it: another version",
    ),
    "proof-with-another-signature": Scenario(
        proof_with_another_signature,
        False,
        "section 11: the first event of a proof does not stand before it byte for byte",
    ),
    "proof-unsigned": Scenario(
        proof_unsigned, False, "section 11: the second event of a proof, check 5: the signature"
    ),
    "proof-again": Scenario(proof_again, False, "section 11: a proof that is kept already"),
    "local-to-another-slot": Scenario(local_to_another_slot, False, "section 10: an event that does not fit the slot"),
    "local-to-another-digest": Scenario(
        local_to_another_digest, False, "section 10: an event that does not fit the digest"
    ),
    "local-wish": Scenario(local_wish, False, "section 10: an event that is no ACT"),
    "local-proof": Scenario(local_proof, False, "section 10: a second version of an event"),
    "local-shares-at-the-end": Scenario(
        local_shares_at_the_end, False, "section 10: at END a RESULT, and nothing else"
    ),
    "local-result-with-shares": Scenario(
        local_result_with_shares, False, "section 10: at END a RESULT with empty shares"
    ),
    "local-takeback-by-a-seat": Scenario(
        local_takeback_by_a_seat, False, "section 10: `takeback` by another than chance"
    ),
    "local-results": Scenario(local_results, False, "section 10: at END one RESULT"),
    "torn-length": Scenario(
        torn_length, False, "section 11: the file ends inside a record, of which all but the end is whole"
    ),
    "no-charter": Scenario(no_charter, False, "section 11: a file without records has no charter"),
    "second-charter": Scenario(second_charter, False, "section 11: the charter is the first record, and no other"),
    "unknown-record": Scenario(unknown_record, False, "section 11: a record of an unknown kind"),
    "empty-record": Scenario(empty_record, False, "section 11: an empty record"),
    "record-of-no-array": Scenario(record_of_no_array, False, "section 11: a record that is no array"),
    **OF_DETAILS,
    **OF_READINGS,
    **OF_CARDS,
}
