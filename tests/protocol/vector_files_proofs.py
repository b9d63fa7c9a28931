"""The saved games of the test vectors in which events were signed twice: which proofs count, and what comes of them."""

from collections.abc import Sequence as Seats

from vector_files_epochs import agree, turn
from vector_tables import IDENTITIES, Circle, Records, board

from protocol import SignedEvent, SlotKind
from protocol.events import Head, Proof, bodies, make_event
from protocol.file import proof_record


def anew(event: SignedEvent, heads: tuple[Head, ...] | None = None, text: str = "resign") -> SignedEvent:
    """Another version of an event: a MOVE that names and stands where the first one does."""
    signer, heads = IDENTITIES[event.seat - 1], heads or event.heads
    return make_event(signer, event.table, event.seat, heads, event.slot, event.digest, bodies.Move(text))


def twice(circle: Circle, event: SignedEvent, heads: tuple[Head, ...] | None = None) -> None:
    """Let all hear of a second version of an event."""
    circle.spread(anew(event, heads))


def played_out(seats: int, operators: Seats[int] | None = None) -> Circle:
    """A game at its turn limit; nobody has signed the result."""
    circle = Circle("qenqe", seats, operators=operators, first=1, turn_limit=10)
    while circle.listener.fold.result is None:
        circle.move(circle.mover)
    return circle


def equivocation_unseen() -> Records:
    """A wish that is signed twice, and that nobody has named: the game is over."""
    circle = board(3).play(1)
    twice(circle, circle.say(2, bodies.Wish(1)))
    return circle.records


def equivocation_of_a_breach() -> Records:
    """An unlawful move that is signed twice: its seat is out, but the move lies behind."""
    circle = board(3).play(4)
    twice(circle, circle.say(2, bodies.Move("A1-A9")))
    return circle.records


def equivocation_named_by_one() -> Records:
    """A seat that is out signs a wish twice, and one of the two others has named it: both have won nothing."""
    circle = board(3).play(3)
    circle.say(3, bodies.Resign())
    circle.say(1, bodies.Sequence())
    wish = circle.say(3, bodies.Wish(1))
    circle.say(1, bodies.Wish(1))
    twice(circle, wish)
    return circle.records


def equivocation_named_in_a_roll() -> Records:
    """Seat 3 is out and signs a wish twice; only the part of seat 4 in a roll has named it, by which seat 4 is out."""
    circle = Circle("qenqe", 5).to(SlotKind.REVEAL)
    circle.silent.add(3)
    circle.settle()
    circle.say(3, bodies.Revelation(b"s" * 32, b"n" * 32))
    circle.to(SlotKind.REVEAL)
    parts = [event for seat in (1, 2, 5) for event in circle.clients[seat].own.duties()]
    wish = circle.say(3, bodies.Wish(1))
    circle.say(4, bodies.Revelation(b"s" * 32, b"n" * 32))
    circle.spread(*parts)
    twice(circle, wish)
    return circle.records


def evidence_only() -> Records:
    """Seats 3 and 4 are out; what the latter names is no matter. What seat 2 has named of seat 1 is settled."""
    circle = Circle("qenqe", 4, first=1).play(4)
    circle.say(3, bodies.Resign())
    circle.say(4, bodies.Resign())
    circle.say(1, bodies.Sequence())
    move = circle.move(1)
    circle.move(2)
    wish = circle.say(3, bodies.Wish(1))
    circle.say(4, bodies.Wish(1))
    twice(circle, wish)
    twice(circle, move)
    return circle.records


def settled_by_another_seat() -> Records:
    """One client plays seats 1 and 2; that one of them has named a move settles it."""
    circle = Circle("qenqe", 3, operators=(1, 1, 3), first=1).play(2)
    move = circle.move(3)
    circle.say(2, bodies.Wish(1))
    twice(circle, move)
    return circle.records


def equivocation_in_doubts() -> Records:
    """Seats 2 and 4 have named a move, and then signed wishes twice; seat 3 has named the move and one of the wishes.

    The move is not settled, so that seat 1 is the lowest of those who signed twice.
    """
    circle = Circle("qenqe", 4, first=1).play(4)
    move = circle.move(1)
    circle.say(2, bodies.Wish(1))
    circle.say(4, bodies.Wish(1))
    heads = circle.heads
    wish = circle.say(2, bodies.Wish(0))
    circle.say(3, bodies.Wish(1))
    other = circle.say(4, bodies.Wish(0), heads=heads)
    for event in (wish, other, move):
        twice(circle, event)
    return circle.records


def equivocation_upon_one_version() -> Records:
    """Seat 2 signs two versions upon a settled move, of which one alone names the wish that seat 3 signed twice."""
    circle = board(3).play(3)
    move = circle.move(1)
    circle.move(2)
    circle.move(3)
    before = circle.heads
    wish = circle.say(3, bodies.Wish(1))
    upon = circle.say(2, bodies.Wish(1))
    twice(circle, move)
    twice(circle, wish)
    twice(circle, upon, before)
    return circle.records


def equivocation_before_an_agreement() -> Records:
    """Seat 1 agrees, and signs a wish twice; seat 2 places it, and resigns; seat 3 agrees, and knows nothing of that.

    The wish lay behind when seat 2 still played: of three nobody has won.
    """
    circle = board(3).play(4)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [], [1])
    wish = circle.say(1, bodies.Wish(1), slot=turn(circle, 1))
    circle.say(2, bodies.Resign())
    circle.say(2, bodies.Sequence())
    agree(circle, 1, [], [3], heads=heads, slot=slot)
    twice(circle, wish)
    return circle.records


def equivocation_in_a_roll() -> Records:
    """While commitments are given a wish is signed twice that the others have not named: nothing is decided."""
    circle = Circle("qenqe", 3)
    parts = [event for seat in (2, 3) for event in circle.clients[seat].own.duties()]
    wish = circle.say(1, bodies.Wish(1))
    circle.spread(*parts)
    twice(circle, wish)
    return circle.records


def wished_twice(circle: Circle, without: Seats[int], *, seat: int = 1) -> Records:
    """At the end a seat signs a wish twice; the seats in `without` have signed the result without naming it."""
    heads = circle.heads
    wish = circle.say(seat, bodies.Wish(1))
    for one in without:
        circle.say(one, bodies.Result(b""), heads=heads)
    twice(circle, wish)
    return circle.records


def half_of_the_results() -> Records:
    """Two of the four others have signed the result without naming the wish: nothing is decided."""
    return wished_twice(played_out(5), (2, 3))


def results_that_differ() -> Records:
    """Of the three others one has signed the result without naming the wish, two name it: nothing is decided."""
    circle = played_out(4)
    heads = circle.heads
    wish = circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Result(b""), heads=heads)
    heads = (*circle.heads[:1], heads[1], *circle.heads[2:])
    circle.say(3, bodies.Result(b""), heads=heads)
    circle.say(4, bodies.Result(b""), heads=heads)
    twice(circle, wish)
    return circle.records


def results_of_most() -> Records:
    """Two of the three others have signed the result without naming the wish: it is decided."""
    return wished_twice(played_out(4), (2, 3))


def results_of_the_honest() -> Records:
    """Seat 2, whose result does not name the wish of seat 1, signed a move twice: only seats 3 and 4 decide."""
    circle = played_out(4)
    heads = circle.heads
    move = circle.listener.held.chains[1][0]
    wish = circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Result(b""), heads=heads)
    circle.say(3, bodies.Result(b""))
    circle.say(4, bodies.Result(b""))
    twice(circle, move)
    twice(circle, wish)
    return circle.records


def results_of_seats() -> Records:
    """One client plays seats 1 and 2: the result of one of them, and that of seat 4, decide about seat 3."""
    return wished_twice(played_out(4, (1, 1, 3, 4)), (2, 4), seat=3)


def results_of_seats_that_are_out() -> Records:
    """As before, but seat 2 has resigned: its result decides nothing."""
    circle = Circle("qenqe", 4, operators=(1, 1, 3, 4), first=1, turn_limit=10)
    for seat in (1, 2):
        circle.move(seat)
    circle.say(2, bodies.Resign())
    circle.say(3, bodies.Sequence())
    while circle.listener.fold.result is None:
        circle.move(circle.mover)
    heads = circle.heads
    wish = circle.say(3, bodies.Wish(1))
    circle.say(2, bodies.Result(b""), heads=heads)
    circle.say(4, bodies.Result(b""), heads=heads)
    twice(circle, wish)
    return circle.records


def equivocation_of_both() -> Records:
    """Both players sign wishes twice behind the end: nobody is left to decide but they."""
    circle = Circle("fidchess", 2, first=1, turn_limit=2)
    circle.move(1)
    circle.move(2)
    wishes = [circle.forge(seat, bodies.Wish(1)) for seat in (1, 2)]
    circle.spread(*wishes)
    for wish in wishes:
        twice(circle, wish)
    return circle.records


def equivocation_beside_two_seats() -> Records:
    """One client plays seats 2 and 3: both have won, but without seat 1 the game would go on, so that points are 0."""
    circle = Circle("qenqe", 3, operators=(1, 2, 2), first=1).play(3)
    twice(circle, circle.move(1))
    return circle.records


def result_of_another_step() -> Records:
    """A RESULT for a later step than that of the end does not count."""
    circle = played_out(2)
    epoch, step = circle.at
    circle.say(1, bodies.Result(b""), slot=(epoch, step + 1, SlotKind.END))
    circle.say(2, bodies.Result(b""))
    return circle.records


def equivocation_of_the_winner() -> Records:
    """The winner signs a wish twice behind the end, and has not the other's result: the other one has won, points 0."""
    circle = board()
    for seat, text in ((1, "B1-A3"), (2, "A7-B5"), (1, "A3xA8")):
        circle.say(seat, bodies.Move(text))
    twice(circle, circle.say(1, bodies.Wish(1)))
    return circle.records


def equivocation_after_a_resignation() -> Records:
    """The other player has resigned, and the winner signs the result twice: nobody else plays, it is settled."""
    circle = board().play(2)
    circle.say(2, bodies.Resign())
    circle.say(1, bodies.Sequence())
    twice(circle, circle.say(1, bodies.Result(b"")))
    return circle.records


def many_proofs() -> Records:
    """Of one number one proof is held; of a seat eight, and then those that count, lie behind, and come first.

    Seat 1 has signed twice its nine settled moves, and of its last turn a wish, the SEQUENCE that places it, the move,
    and a wish after that.
    """
    circle = board().play(18)
    circle.say(1, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.move(1)
    circle.say(1, bodies.Wish(0))
    chain = circle.listener.held.chains[0]
    again = Proof(chain[0], anew(chain[0], text="draw"))
    found = [
        Proof(chain[number - 1], anew(chain[number - 1])) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 12, 10, 11)
    ]
    return [*circle.records, *map(proof_record, [found[0], again, *found[1:]])]
