"""The saved games of the test vectors that show one detail of a rule each, which the others leave open."""

from vector_files_epochs import agree, signed_across_and_gone, turn
from vector_files_proofs import anew, twice
from vector_files_refused import alone, signed_alone
from vector_tables import (
    ATTEMPT,
    BREACH,
    EQUIVOCATION,
    IDENTITIES,
    NAMES,
    Circle,
    Records,
    Scenario,
    board,
)

from engine import Turn, all_games
from protocol import (
    LOCAL,
    Seat,
    SlotKind,
    Table,
    charter_record,
    draw_locally,
    event_record,
    local_charter,
    make_body,
    takeback,
)
from protocol.events import Head, Leaving, Proof, bodies
from protocol.file import MAGIC, proof_record

NOTHING = Head(0, b"")

# Events that a file may not have.


def nine_for_a_step_of_two_kinds() -> Records:
    """A ninth event for one step, for slots of two kinds."""
    circle = board()
    kinds = (SlotKind.TURN, SlotKind.COMMIT)
    for number in range(8):
        circle.say(2, bodies.Wish(1), slot=(0, 0, kinds[number % 2]))
    return [*circle.records, event_record(circle.forge(2, bodies.Wish(1), slot=(0, 0, kinds[0])))]


def below_the_last_of_two_epochs() -> Records:
    """A seat has agreed to epochs 1 and 2, and signs for epoch 1."""
    circle = board(3)
    agree(circle, 1, [3], [1])
    agree(circle, 2, [], [1])
    return [*circle.records, event_record(circle.forge(1, bodies.Wish(1), slot=turn(circle, 1)))]


def epoch_lower_on_another_base() -> Records:
    """A seat has agreed to epoch 5 on epoch 0, and agrees to epoch 3 on epoch 1."""
    circle = board(3)
    agree(circle, 5, [3], [1])
    return [*circle.records, event_record(circle.forge(1, bodies.Epoch(3, ()), slot=turn(circle, 1)))]


def epoch_with_another_hash() -> Records:
    """An agreement lists a leaver with another hash than its author's head of that seat has."""
    circle = board(3)
    circle.move(1)
    return [*circle.records, event_record(circle.forge(2, bodies.Epoch(1, (Leaving(1, 1, bytes(32)),))))]


# Turns.


def kinds_in_any_order() -> Records:
    """Events of one step for slots whose kinds fall: of a slot only epoch and step may not go back."""
    circle = board()
    circle.say(2, bodies.Wish(1), slot=(0, 0, SlotKind.COMMIT))
    circle.say(2, bodies.Wish(0), slot=(0, 0, SlotKind.TURN))
    circle.say(1, bodies.Sequence())
    return circle.records


def move_of_200_letters() -> Records:
    """A MOVE of 200 letters that have 400 bytes: an event, and a breach."""
    circle = board()
    circle.say(1, bodies.Move("\u00e9" * 200))
    return circle.records


def wish_again_after_0() -> Records:
    """A WISH 0 leaves `wished` as it is: before its own move the next WISH 1 of the seat changes nothing."""
    circle = board()
    circle.say(2, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.say(2, bodies.Wish(0))
    circle.say(1, bodies.Sequence())
    circle.say(2, bodies.Wish(1))
    circle.move(1)
    return circle.records


def wish_placed_by_a_move() -> Records:
    """A second WISH 1 changes nothing where a MOVE names it, which gives it its place; later it no longer waits."""
    circle = board()
    circle.say(2, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.say(2, bodies.Wish(1))
    for seat in (1, 2, 1):
        circle.move(seat)
    return circle.records


def wish_outlives_a_takeback() -> Records:
    """A wish stands before a move that is taken back, and after it: with the other seat's wish it is a draw."""
    circle = board()
    circle.say(2, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.move(1)
    circle.say(1, bodies.Takeback(0))
    circle.say(2, bodies.Takeback(0))
    circle.say(2, bodies.Sequence())
    circle.say(1, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    return circle.records


def back_twice_in_one_sequence() -> Records:
    """One SEQUENCE places the wishes of all operators for two states, one after the other: both come back in turn."""
    circle = Circle("qenqe", 3, operators=(1, 2, 1), first=3)
    circle.move(3)
    circle.move(1)
    for seat, to in ((1, 1), (2, 1), (2, 0), (3, 0)):
        circle.say(seat, bodies.Takeback(to))
    circle.say(2, bodies.Sequence())
    return circle.records


def draw_of_seats() -> Records:
    """One seat of each operator wishes a draw, and a further seat of one operator does not: there is none."""
    circle = Circle("qenqe", 3, operators=(1, 2, 2), first=1)
    circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    return circle.records


def no_draw_after_a_breach() -> Records:
    """All who are left by a breach wish a draw: it is looked for after each placed event of a SEQUENCE, not there."""
    circle = board(3)
    circle.move(1)
    circle.move(2)
    circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Wish(1))
    circle.say(3, bodies.Sequence())
    circle.say(3, bodies.Move("nonsense"))
    return circle.records


def knows_not_who_is_out() -> Records:
    """A move that does not name the breach of a seat that is out fills no slot: `behind` is that of all chains."""
    circle = board(3)
    circle.move(1)
    circle.move(2)
    heads = circle.heads
    circle.say(3, bodies.Move("nonsense"))
    circle.move(1, heads=heads)
    return circle.records


# The end.


def given_up() -> Circle:
    """A game of two that seat 1 has given up."""
    circle = board()
    circle.say(1, bodies.Resign())
    circle.say(1, bodies.Sequence())
    return circle


def result_of_another_digest() -> Records:
    circle = given_up()
    circle.say(2, bodies.Result(b""), digest=bytes(32))
    return circle.records


def result_knows_too_little() -> Records:
    """A RESULT that does not name the resignation."""
    circle = given_up()
    circle.say(2, bodies.Result(b""), heads=(NOTHING, NOTHING))
    return circle.records


# Epochs.


def bot_has_not_signed() -> Records:
    """Of two seats of one operator that stay one has not signed: each seat has to."""
    circle = Circle("qenqe", 4, operators=(1, 2, 3, 1), first=3)
    agree(circle, 1, [3], [1, 2])
    return circle.records


def stale_parts() -> Records:
    """Epoch 1 keeps the commitments of seats 1 and 4; epoch 2, which seat 5 leaves with nothing given, keeps none.

    There seats 2 and 3 commit to the roll anew, and it waits for the two others.
    """
    circle = Circle("qenqe", 5)
    for seat in (1, 4):
        circle.spread(*circle.clients[seat].own.duties())
    circle.without(1, [], [1, 2, 3, 4, 5])
    circle.without(2, [5], [1, 2, 3, 4])
    for seat in (2, 3):
        circle.spread(*circle.clients[seat].own.duties())
    return circle.records


def in_force_by_a_sequence() -> Records:
    """Seats 1 and 3 agree; by its own SEQUENCE, no EPOCH, seat 2 is out, so that nobody's signature lacks any more."""
    circle = board(3).play(4)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [], [1])
    wish = circle.say(1, bodies.Wish(1), slot=turn(circle, 1))
    known = circle.heads
    agree(circle, 1, [], [3], heads=heads, slot=slot)
    circle.say(2, bodies.Resign(), heads=known)
    known = (known[0], circle.heads[1], known[2])
    circle.say(2, bodies.Sequence(), heads=known)
    twice(circle, wish)
    return circle.records


def signed_across_by_an_operator() -> Records:
    """As `signed-across-and-gone`, but the operator of seat 2, which signed and is gone, plays seat 4 in epoch 3."""
    return signed_across_and_gone((1, 4, 3, 4, 5))


def listed_and_out() -> Records:
    """Seat 2, a bot of seat 1, is out by a wrong salt, and then signs a wish twice.

    An agreement lists that wish, so that it lies behind where epoch 1 begins; seat 3 is listed too, and stays, for it
    had given its part. Then seat 4 shows a wrong salt. Three operators played where the wish did not yet lie behind:
    nobody has won. Of the two that play at the end one has signed it twice.
    """
    circle = Circle("qenqe", 4, operators=(1, 1, 3, 4)).to(SlotKind.REVEAL)
    wrong = bodies.Revelation(b"s" * 32, b"n" * 32)
    circle.say(2, wrong)
    circle.to(SlotKind.COMMIT).to(SlotKind.REVEAL)
    circle.spread(*circle.clients[3].own.duties())
    wish = circle.say(2, bodies.Wish(1))
    agree(circle, 1, [2, 3], [1, 4])
    circle.say(4, wrong)
    circle.spread(*circle.clients[1].own.duties())
    twice(circle, wish)
    return circle.records


# Equivocation.


def equivocation_of_a_bot() -> Records:
    """A bot's move is signed twice: its operator is named."""
    circle = Circle("qenqe", 3, operators=(1, 2, 2), first=1)
    circle.move(1)
    circle.move(2)
    twice(circle, circle.move(3))
    return circle.records


def two_play_and_a_third_is_guilty() -> Records:
    """Seat 3, out by a breach, signs a wish twice, and seat 1 a move that names it: seat 2 has won."""
    circle = Circle("qenqe", 3, first=3)
    circle.say(3, bodies.Move("nonsense"))
    circle.move(1)
    circle.move(2)
    wish = circle.say(3, bodies.Wish(1))
    move = circle.move(1)
    twice(circle, wish)
    twice(circle, move)
    return circle.records


def winner_with_a_seat_out() -> Records:
    """One of the two seats of the other operator has resigned: its live seat has won."""
    circle = Circle("qenqe", 3, operators=(1, 2, 2), first=1)
    circle.say(3, bodies.Resign())
    circle.say(1, bodies.Sequence())
    twice(circle, circle.move(1))
    return circle.records


def result_that_does_not_count() -> Records:
    """A RESULT with another digest does not name the RESULT that seat 1 signs twice: it decides nothing."""
    circle = board()
    circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    heads = circle.heads
    circle.say(2, bodies.Result(b""), digest=bytes(32))
    twice(circle, circle.say(1, bodies.Result(b""), heads=heads))
    return circle.records


def upon_one_version_alone() -> Records:
    """Only the second version of seat 1's wish names the one that seat 2 signed twice: seat 1 is named too."""
    circle = board(3)
    mine = circle.forge(1, bodies.Wish(1))
    other = circle.forge(2, bodies.Wish(1))
    circle.spread(mine, other)
    twice(circle, other)
    twice(circle, mine, (NOTHING, circle.heads[1], NOTHING))
    return circle.records


def ninth_proof_above_one_that_counts() -> Records:
    """Eight proofs of a seat are held, of which the last one counts: a ninth of a higher number is not held."""
    circle = Circle("qenqe", 3, first=3)
    kept = [circle.say(3, bodies.Wish(0)) for _ in range(7)]
    kept.append(circle.move(3))
    kept.append(circle.say(3, bodies.Wish(0)))
    circle.move(1)
    return [*circle.records, *(proof_record(Proof(one, anew(one))) for one in kept)]


# Tables on one computer.


def dealt_alone() -> tuple[Table, Records]:
    """A game of cards, eight cards after the deal."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["celtic-whist"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    records, played = [MAGIC, charter_record(charter)[len(MAGIC) :]], 0
    while played < 8:
        due = table.fold.position.due
        if isinstance(due, Turn):
            event = table.act(due.seat, table.game.legal(table.state, due.seat)[0])
            played += 1
        else:
            event = table.act(0, draw_locally(due.draw, bytes(32)))  # type: ignore[union-attr]
        records.append(event_record(event))
    return table, records


def local_cards() -> Records:
    """The digest is that of the public view, though this table knows all cards."""
    return dealt_alone()[1]


def local_takeback_of_cards() -> Records:
    """What cards have shown does not come back."""
    table, records = dealt_alone()
    return [*records, signed_alone(table, bodies.Act(0, takeback(table.fold.position.plies - 1)))]


def local_takeback_with_zeros() -> Records:
    """A number has one spelling."""
    table, records = alone()
    return [*records, signed_alone(table, bodies.Act(0, takeback(0) + "0"))]


OF_DETAILS = {
    "nine-for-a-step-of-two-kinds": Scenario(
        nine_for_a_step_of_two_kinds, False, "section 4, check 8: a ninth event for one step, whatever the kind of slot"
    ),
    "below-the-last-of-two-epochs": Scenario(
        below_the_last_of_two_epochs, False, "section 4, check 8: below the last epoch agreed to"
    ),
    "epoch-lower-on-another-base": Scenario(
        epoch_lower_on_another_base, False, "section 4, check 8: an EPOCH's number rises, whatever its base"
    ),
    "epoch-with-another-hash": Scenario(
        epoch_with_another_hash, False, "section 4: each entry of `leaving` equals the author's head of that seat"
    ),
    "kinds-in-any-order": Scenario(
        kinds_in_any_order, True, "section 4, check 8: of a slot epoch and step alone do not go back"
    ),
    "move-of-200-letters": Scenario(
        move_of_200_letters, True, "section 4: a text is as long as it has characters", (2,), ((1, BREACH),)
    ),
    "wish-again-after-0": Scenario(wish_again_after_0, True, "section 6: WISH 0 leaves `wished` as it is"),
    "wish-placed-by-a-move": Scenario(wish_placed_by_a_move, True, "section 6: MOVE raises `placed` too"),
    "wish-outlives-a-takeback": Scenario(
        wish_outlives_a_takeback, True, "section 6: a take-back leaves `wishes` and `wished` as they are", ()
    ),
    "back-twice-in-one-sequence": Scenario(
        back_twice_in_one_sequence, True, "section 6: TAKEBACK fits the digest at which the slot opened"
    ),
    "draw-of-seats": Scenario(draw_of_seats, True, "section 6: a draw needs the wish of every live seat"),
    "no-draw-after-a-breach": Scenario(
        no_draw_after_a_breach, True, "section 6: only SEQUENCE looks for a draw", None, ((3, BREACH),)
    ),
    "knows-not-who-is-out": Scenario(
        knows_not_who_is_out, True, "section 6: heads reach `behind` in every chain", None, ((3, BREACH),)
    ),
    "result-of-another-digest": Scenario(
        result_of_another_digest, True, "section 6: a RESULT of another digest does not count", (2,)
    ),
    "result-knows-too-little": Scenario(
        result_knows_too_little, True, "section 6: a RESULT whose heads are below `behind` does not count", (2,)
    ),
    "bot-has-not-signed": Scenario(bot_has_not_signed, True, "section 8: not in force: every staying seat signs"),
    "stale-parts": Scenario(stale_parts, True, "section 8: where a seat leaves the parts of the slot are dropped"),
    "in-force-by-a-sequence": Scenario(
        in_force_by_a_sequence,
        True,
        "sections 8, 9: agreements are looked for after each event",
        (),
        ((1, EQUIVOCATION),),
    ),
    "signed-across-by-an-operator": Scenario(
        signed_across_by_an_operator, True, "section 8: void, for an operator that signed had another seat there"
    ),
    "listed-and-out": Scenario(
        listed_and_out,
        True,
        "sections 8, 9: what is listed of a seat that is out lies behind",
        (),
        ((2, BREACH), (4, BREACH), (2, EQUIVOCATION)),
    ),
    "equivocation-of-a-bot": Scenario(
        equivocation_of_a_bot, True, "section 9: the reason names the operator", (1,), ((3, EQUIVOCATION),)
    ),
    "two-play-and-a-third-is-guilty": Scenario(
        two_play_and_a_third_is_guilty,
        True,
        "section 9: of the two that play one is guilty, whoever else is",
        (2,),
        ((3, BREACH), (3, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "winner-with-a-seat-out": Scenario(
        winner_with_a_seat_out, True, "section 9: the live seats of the other have won", (2,), ((1, EQUIVOCATION),)
    ),
    "result-that-does-not-count": Scenario(
        result_that_does_not_count,
        True,
        "section 9: a RESULT that does not count decides nothing",
        (2,),
        ((1, EQUIVOCATION),),
    ),
    "upon-one-version-alone": Scenario(
        upon_one_version_alone,
        True,
        "section 9: who is named: not both versions rest on one that counts",
        (),
        ((2, EQUIVOCATION), (1, EQUIVOCATION)),
    ),
    "ninth-proof-above-one-that-counts": Scenario(
        ninth_proof_above_one_that_counts,
        True,
        "section 9: a ninth proof is held only below those that count",
        (),
        8 * ((3, EQUIVOCATION),),
    ),
    "local-cards": Scenario(local_cards, True, "sections 2, 10: the digest is that of the public view"),
    "local-takeback-of-cards": Scenario(
        local_takeback_of_cards, False, "sections 6, 10: nothing is `earlier` once cards were dealt"
    ),
    "local-takeback-with-zeros": Scenario(local_takeback_with_zeros, False, "section 10: `takeback n`: one spelling"),
}
