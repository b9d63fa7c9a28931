"""The saved games of the test vectors that show what fills a slot, and wishes and resignations: a few lines each."""

from vector_tables import Circle, Records, board

from protocol import SlotKind
from protocol.chance import Roll
from protocol.events import bodies


def to_another_slot() -> Records:
    """Moves for the slot before, with the kind of another slot, and with another digest; the next one counts.

    Then two moves for one slot, of which the first counts, and one for another epoch, which does not.
    """
    circle = board().play(2)
    epoch, step = circle.at
    moves = circle.lawful(1)
    circle.say(1, bodies.Move(moves[0]), slot=(epoch, step - 1, SlotKind.TURN))
    circle.say(1, bodies.Move(moves[1]), slot=(epoch, step, SlotKind.END))
    circle.say(1, bodies.Move(moves[2]), digest=bytes(32))
    circle.say(1, bodies.Move(moves[3]))
    epoch, step = circle.at
    moves = circle.lawful(2)
    first, other = circle.forge(2, bodies.Move(moves[0])), bodies.Move(moves[1])
    circle.spread(first)
    circle.say(2, other, slot=(epoch, step, SlotKind.TURN), digest=first.digest)
    epoch, step = circle.at
    circle.say(1, bodies.Move(circle.lawful(1)[0]), slot=(epoch + 1, step, SlotKind.TURN))
    return circle.records


def sequence_or_move() -> Records:
    """A SEQUENCE that has nothing to place, and a MOVE that names a wish: neither counts; a MOVE need not name one."""
    circle = board().play(2)
    circle.say(1, bodies.Sequence())
    circle.move(1)
    circle.say(1, bodies.Wish(1))
    circle.move(2)
    circle.say(2, bodies.Sequence())
    circle.move(2)
    circle.move(1)
    heads = circle.heads
    circle.say(1, bodies.Wish(0))
    circle.move(2, heads=heads)
    return circle.records


def wishes() -> Records:
    """A wish outlives one own move, and counts once; taken back, or after two own moves, it is none."""
    circle = board().play(2)
    circle.say(1, bodies.Wish(0))
    circle.move(1)
    circle.say(2, bodies.Wish(1))
    circle.say(2, bodies.Wish(1))
    circle.say(2, bodies.Sequence())
    circle.move(2)
    circle.move(1)
    circle.say(2, bodies.Wish(1))
    circle.say(2, bodies.Sequence())
    circle.move(2)
    circle.move(1)
    circle.move(2)
    circle.say(1, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.say(1, bodies.Wish(0))
    circle.say(1, bodies.Sequence())
    circle.move(1)
    circle.say(2, bodies.Wish(1))
    circle.say(2, bodies.Sequence())
    circle.move(2)
    circle.say(1, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    return circle.records


def many_resign() -> Records:
    """Three resign at once: in order of the step for which they signed, then of the seat; the last one has won."""
    circle = board(3).play(4)
    circle.say(3, bodies.Wish(1), slot=(0, 2, SlotKind.TURN))
    circle.say(3, bodies.Wish(0), slot=(0, 2, SlotKind.TURN))
    circle.say(3, bodies.Resign(), slot=(1, 2, SlotKind.TURN))
    circle.say(1, bodies.Resign())
    circle.say(1, bodies.Resign())
    circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Resign())
    circle.say(2, bodies.Sequence())
    return circle.settle().records


def resigned_and_wishing() -> Records:
    """A seat resigns twice and wishes a draw; then it is out: its wish is none, and the others agree without it."""
    circle = board(3).play(3)
    circle.say(3, bodies.Resign())
    circle.say(3, bodies.Resign())
    circle.say(3, bodies.Wish(1))
    circle.say(1, bodies.Sequence())
    circle.say(3, bodies.Wish(1))
    circle.move(1)
    circle.say(1, bodies.Wish(1))
    circle.say(2, bodies.Wish(1))
    circle.say(2, bodies.Sequence())
    return circle.settle().records


def back_twice() -> Records:
    """One client plays seats 1 and 2. Its last two moves come back, one by one; each operator has to wish so."""
    circle = Circle("qenqe", 4, operators=(1, 1, 3, 4), first=1).settle()
    circle.move(1)
    circle.move(2)
    circle.say(3, bodies.Takeback(1), digest=bytes(32))
    circle.say(1, bodies.Takeback(77))
    circle.say(1, bodies.Takeback(1))
    circle.say(1, bodies.Takeback(0))
    circle.say(3, bodies.Takeback(0))
    circle.say(4, bodies.Takeback(1))
    circle.say(3, bodies.Sequence())
    circle.move(3)
    circle.say(1, bodies.Takeback(2))
    circle.say(4, bodies.Sequence())
    circle.move(4)
    circle.move(1)
    circle.move(2)
    for seat in (2, 3, 4):
        circle.say(seat, bodies.Takeback(5))
    circle.say(3, bodies.Sequence())
    circle.say(1, bodies.Takeback(5))
    for seat in (1, 3, 4):
        circle.say(seat, bodies.Takeback(4))
    circle.say(2, bodies.Sequence())
    circle.move(1, 1)
    return circle.records


def not_past_the_end_of_a_seat() -> Records:
    """The others wish that a seat had not resigned: nothing comes of it."""
    circle = board(3).play(3)
    circle.say(3, bodies.Resign())
    circle.say(1, bodies.Sequence())
    plies = circle.listener.fold.position.plies
    circle.say(1, bodies.Takeback(plies - 1))
    circle.say(2, bodies.Takeback(plies - 1))
    circle.move(1)
    return circle.records


def no_moves() -> Records:
    """A MOVE `resign`, a MOVE `draw`, and a PLAY in a game without cards: each is a breach."""
    circle = Circle("qenqe", 4, first=1).settle()
    circle.say(1, bodies.Move("resign"))
    circle.say(2, bodies.Move("draw"))
    circle.say(3, bodies.Play(circle.lawful(3)[0], 0, bytes(96)))
    return circle.settle().records


def wrong_salts() -> Records:
    """Both show a salt that was not committed to: the one with the lower seat is condemned first, and has lost."""
    circle = Circle("kingamon", 2).to(SlotKind.REVEAL)
    for event in [circle.forge(seat, bodies.Revelation(b"s" * 32, b"n" * 32)) for seat in (2, 1)]:
        circle.spread(event)
    return circle.settle().records


def commitment_signed_twice() -> Records:
    """A second commitment to one roll is without effect: it is the first one that the part has to open."""
    circle = Circle("kingamon", 2)
    circle.spread(*circle.clients[2].own.duties())
    circle.say(2, bodies.Commitment(b"c" * 32))
    return circle.settle().play(3).records


def part_signed_twice() -> Records:
    """A part of a roll that was signed for the step before as well: there it is without effect."""
    circle = Circle("kingamon", 2).to(SlotKind.REVEAL)
    table = circle.clients[2]
    slot, roll = table.fold.position.slot, table.fold.position.machine
    part = roll.part(2, slot.epoch, table.own.secrets) if isinstance(roll, Roll) and table.own.secrets else None
    assert part
    circle.say(2, part, slot=slot._replace(step=slot.step - 1))
    return circle.settle().play(3).records


def rolls_of_two_epochs() -> Records:
    """New epochs begin while the first seat has given its part of a roll, and the second one has not.

    A commitment is checked with the epoch in which it was signed. What names too little is no part of a roll.
    """
    circle = Circle("kingamon", 2)
    commitment, *_ = circle.clients[1].own.duties()
    circle.spread(commitment)
    circle.without(1, [], [1, 2])
    heads = circle.heads
    circle.spread(*circle.clients[2].own.duties())
    circle.say(1, bodies.Revelation(b"s" * 32, b"n" * 32), heads=heads)
    circle.spread(*circle.clients[1].own.duties())
    circle.without(2, [], [1, 2])
    return circle.play(3).records
