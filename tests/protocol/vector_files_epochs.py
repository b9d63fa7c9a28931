"""The saved games of the test vectors that show when an agreement is in force, and what begins with it."""

from collections.abc import Sequence as Seats

from vector_tables import Circle, Records, board

from protocol import SignedEvent, SlotKind
from protocol.events import Head, Leaving, bodies


def agree(
    circle: Circle,
    number: int,
    leaving: Seats[int],
    signers: Seats[int],
    *,
    slot: tuple[int, int, int] | None = None,
    heads: tuple[Head, ...] | None = None,
) -> None:
    """Let seats sign one agreement, each naming what these heads name, and of itself everything."""
    heads = heads or circle.heads
    body = bodies.Epoch(number, tuple(Leaving(seat, *heads[seat - 1]) for seat in leaving))
    signed: list[SignedEvent] = []
    for seat in signers:
        known = (*heads[: seat - 1], circle.heads[seat - 1], *heads[seat:])
        signed.append(circle.forge(seat, body, heads=known, slot=slot))
    for event in signed:
        circle.spread(event)
        assert event in circle.listener.held.chains[event.seat - 1], "the event is not taken in"


def turn(circle: Circle, epoch: int | None = None) -> tuple[int, int, int]:
    """The open slot, or the one with its step in another epoch."""
    now, step = circle.at
    return (now if epoch is None else epoch), step, SlotKind.TURN


def as_much_as_allowed() -> Records:
    """Numbers of agreements as high as they may be, and as many events at one step as there may be."""
    circle = board(3).play(1)
    circle.say(1, bodies.Epoch(256, ()))
    circle.say(1, bodies.Epoch(512, ()))
    for number in range(1, 13):
        circle.say(2, bodies.Epoch(number, ()))
    for _ in range(4):
        circle.say(2, bodies.Wish(0), slot=turn(circle, 12))
    circle.say(2, bodies.Epoch(768, ()), slot=turn(circle, 12))
    for _ in range(4):
        circle.say(2, bodies.Wish(0), slot=turn(circle, 768))
    circle.say(3, bodies.Wish(0), slot=(2000, 9, SlotKind.TURN))
    circle.say(3, bodies.Epoch(2257, ()), slot=(2001, 8, SlotKind.TURN))
    return circle.records


def first_of_two_moves() -> Records:
    """Two moves for one slot, then a new epoch: also where the base is folded anew the first one counts."""
    circle = board().play(2)
    first = circle.forge(1, bodies.Move(circle.lawful(1)[0]))
    other = bodies.Move(circle.lawful(1)[1])
    slot = turn(circle)
    circle.spread(first)
    circle.say(1, other, slot=slot, digest=first.digest)
    circle.move(2)
    circle.without(1, [], [1, 2])
    return circle.play(1).records


def word_before_the_agreement() -> Records:
    """The seat that leaves has moved, but those who stay agree without that move: it does not count."""
    circle = board(3).play(4)
    heads = circle.heads
    circle.move(2)
    agree(circle, 1, [2], [1, 3], heads=heads, slot=(0, 4, SlotKind.TURN))
    return circle.play(1).records


def placed_beyond_the_end() -> Records:
    """Seat 1 agrees, then resigns; seat 2, which agrees later, has placed that: it took effect before the new epoch."""
    circle = board(3).play(4)
    slot = turn(circle)
    agree(circle, 1, [], [1])
    circle.say(1, bodies.Resign(), slot=turn(circle, 1))
    circle.say(2, bodies.Sequence(), slot=slot)
    agree(circle, 1, [], [2, 3])
    return circle.play(1).records


def resigned_do_not_count() -> Records:
    """Two of four are enough: of the others one resigned, in the epoch before the base."""
    circle = Circle("qenqe", 4, first=1).play(3)
    circle.say(1, bodies.Resign())
    agree(circle, 1, [], [1, 2, 3, 4])
    agree(circle, 2, [1, 4], [2, 3])
    return circle.records


def resigned_too_late() -> Records:
    """Two of four are too few: one of the others resigned in an epoch after the base, the other one beyond its end."""
    circle = Circle("qenqe", 4, first=1).play(3)
    circle.say(1, bodies.Resign(), slot=turn(circle, 1))
    heads = circle.heads
    circle.say(4, bodies.Resign())
    agree(circle, 1, [1, 4], [2, 3], heads=heads)
    return circle.records


def resigned_do_not_decide() -> Records:
    """Two of three agree, but both have resigned: they are none of one."""
    circle = board(3).play(5)
    circle.say(1, bodies.Resign())
    circle.say(2, bodies.Resign())
    agree(circle, 1, [3], [1, 2])
    return circle.records


def all_have_resigned() -> Records:
    """All three have resigned, so all count: two are enough."""
    circle = board(3).play(5)
    for seat in (1, 2, 3):
        circle.say(seat, bodies.Resign())
    agree(circle, 1, [3], [1, 2])
    return circle.records


def three_seats_of_one() -> Records:
    """Three of five seats, all of one operator: one of three is not a majority."""
    circle = Circle("qenqe", 5, operators=(1, 1, 1, 4, 5), first=1).play(3)
    agree(circle, 1, [4, 5], [1, 2, 3])
    return circle.records


def one_number_twice() -> Records:
    """An operator signs one number with two seats, for two agreements: the one that compares higher counts.

    In the epoch of the other one the game had ended, and a further agreement was signed on it. The new epoch has the
    same number, and the same agreement can be signed on it once more.
    """
    circle = Circle("qenqe", 4, operators=(1, 1, 3, 4), first=1).play(3)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [1, 3], [2, 4])
    circle.say(2, bodies.Resign())
    circle.say(4, bodies.Sequence())
    agree(circle, 2, [], [4])
    agree(circle, 1, [2, 4], [1, 3], heads=heads, slot=slot)
    agree(circle, 2, [], [1, 3])
    return circle.play(1).records


def comes_back() -> Records:
    """Two have gone on without seat 3; then all sign a higher agreement on the same base, and seat 3 is back."""
    circle = board(3).play(5)
    slot = turn(circle)
    agree(circle, 1, [3], [1, 2])
    agree(circle, 2, [], [1, 2, 3], slot=slot)
    return circle.play(1).records


def signed_across() -> Records:
    """Seats 1 and 2 sign (2, base 0), and go on to an epoch 3; they have a seat there: the former is void.

    That they resign afterwards, and an epoch 4 begins without them, is no matter.
    """
    circle = Circle("qenqe", 5, first=1).play(3)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [], [1, 2, 3, 4, 5])
    agree(circle, 2, [4, 5], [1, 2], heads=heads, slot=slot)
    agree(circle, 3, [3], [1, 2, 4, 5])
    circle.say(1, bodies.Resign())
    circle.say(2, bodies.Resign())
    circle.say(4, bodies.Sequence())
    agree(circle, 4, [], [4, 5])
    agree(circle, 2, [4, 5], [3], heads=heads, slot=slot)
    return circle.records


def signed_across_and_gone(operators: Seats[int] | None = None) -> Records:
    """As before, but who signed (2, base 0) has no seat where epoch 3 begins: it is not void, and counts."""
    circle = Circle("qenqe", 5, operators=operators, first=1).play(3)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [], [1, 2, 3, 4, 5])
    agree(circle, 2, [4, 5], [1, 2], heads=heads, slot=slot)
    circle.say(1, bodies.Resign(), slot=turn(circle, 2))
    circle.say(2, bodies.Resign(), slot=turn(circle, 2))
    circle.say(4, bodies.Sequence())
    agree(circle, 3, [3], [4, 5])
    agree(circle, 2, [4, 5], [3], heads=heads, slot=slot)
    return circle.records


def late_and_lower() -> Records:
    """Seat 2 signs late, and nobody who signed with it plays any longer; but epoch 2 has left the same base."""
    circle = Circle("qenqe", 5, first=1).play(2)
    heads, slot = circle.heads, turn(circle)
    agree(circle, 1, [3, 4], [1, 5])
    circle.say(1, bodies.Resign(), slot=turn(circle, 1))
    circle.say(5, bodies.Resign(), slot=turn(circle, 1))
    circle.say(3, bodies.Sequence())
    agree(circle, 2, [2], [3, 4])
    agree(circle, 1, [3, 4], [2], heads=heads, slot=slot)
    return circle.records


def less_than_lies_behind() -> Records:
    """Seat 3 is left behind with a wish that it signed after its signature under a later agreement.

    When the others sign that one it is not in force: the end of seat 3 would be before that wish.
    """
    circle = board(3).play(5)
    circle.say(3, bodies.Epoch(2, ()), slot=turn(circle, 1))
    circle.say(3, bodies.Wish(1), slot=turn(circle, 2))
    agree(circle, 1, [3], [1, 2])
    agree(circle, 2, [], [1, 2])
    return circle.records


def less_than_was_placed() -> Records:
    """As before, but the last event of the seat is a resignation that was placed: in a new epoch that lies behind."""
    circle = Circle("qenqe", 4, first=1).play(4)
    circle.say(4, bodies.Epoch(2, ()), slot=turn(circle, 1))
    circle.say(4, bodies.Resign(), slot=turn(circle, 2))
    circle.say(1, bodies.Sequence())
    agree(circle, 1, [], [1, 2, 3])
    agree(circle, 2, [], [1, 2, 3])
    return circle.records


def signatures_lie_behind() -> Records:
    """A move that does not name a live seat's signature does not count; that of a seat that is out may be left out."""
    circle = Circle("qenqe", 4, first=1).play(4)
    circle.say(4, bodies.Resign())
    circle.say(1, bodies.Sequence())
    agree(circle, 1, [], [4, 1, 2, 3])
    heads = circle.heads
    before = [chain[-1].heads[seat] for seat, chain in enumerate(circle.listener.held.chains)]
    circle.move(1, heads=(heads[0], before[1], heads[2], before[3]))
    heads = circle.heads
    circle.move(1, 1, heads=(*heads[:3], before[3]))
    return circle.records


def parts_of_leavers() -> Records:
    """Seat 2 is out by a wrong salt. Seat 3 resigns, gives its part of the next roll, and is left behind: it stays.

    Then it is left behind with seat 5, which has given nothing: both leave, and no part is kept for the next roll.
    """
    circle = Circle("qenqe", 5).to(SlotKind.REVEAL)
    circle.silent.add(2)
    circle.settle()
    circle.silent.add(5)
    circle.say(2, bodies.Revelation(b"s" * 32, b"n" * 32))
    circle.say(3, bodies.Resign())
    circle.settle()
    agree(circle, 1, [2, 3], [1, 4, 5])
    agree(circle, 2, [3, 5], [1, 4])
    circle.silent.add(3)
    return circle.settle().records
