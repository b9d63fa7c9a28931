"""The saved games of the test vectors that a verifier accepts, cheats named: a few lines each."""

from vector_tables import ATTEMPT, IDENTITIES, NAMES, Circle, Records, board, last

from engine import Turn, all_games
from protocol import (
    LOCAL,
    Seat,
    Secrets,
    Series,
    SignedEvent,
    SlotKind,
    Table,
    charter_record,
    draw_locally,
    event_record,
    local_charter,
    make_body,
    origin_of,
    takeback,
)
from protocol.cards import Dealing, Hands
from protocol.cards.deck import MASKED_DECK
from protocol.events import Leaving, bodies
from protocol.file import MAGIC

# Good files.


def finished() -> Records:
    """A board game to its turn limit, both results signed."""
    return Circle("fidchess", 2, first=1, turn_limit=6).play(6).records


def in_a_match() -> Records:
    """The third game of a match, to its turn limit."""
    return Circle("fidchess", 2, series=Series(3, 2, bytes(range(32)), (1, 1)), first=1, turn_limit=2).play(2).records


def unfinished() -> Records:
    """The same, cut between two records."""
    return finished()[:5]


def resigned() -> Records:
    circle = board().play(3)
    circle.spread(circle.clients[1].own.resign(1))
    return circle.settle().records


def drawn() -> Records:
    circle = board().play(2)
    circle.spread(circle.clients[1].own.wish_draw(1, True))
    circle.settle()
    circle.spread(circle.clients[2].own.wish_draw(2, True))
    return circle.settle().records


def taken_back() -> Records:
    """Of three the second wants its turn back, all agree, and it plays another one; a second wish comes too late."""
    circle = Circle("qenqe", 3, first=1).play(2)
    for seat in (2, 3, 1):
        circle.spread(circle.clients[seat].own.take_back(seat))
        circle.settle()
    circle.play(1)
    circle.spread(circle.clients[2].own.take_back(2))
    circle.settle().play(1)
    circle.spread(circle.forge(3, bodies.Takeback(1)), circle.forge(1, bodies.Takeback(1)))
    return circle.settle().records


def not_past_dice() -> Records:
    """Both wish a turn back after which dice were rolled: nothing comes of it, and the next move counts at once."""
    circle = Circle("kingamon", 2, first=1).settle()
    circle.play(1)
    while circle.mover == 1:
        circle.play(1)
    plies = circle.listener.fold.position.plies
    for to in (plies - 2, plies - 1):
        circle.spread(circle.forge(1, bodies.Takeback(to)), circle.forge(2, bodies.Takeback(to)))
    return circle.play(1).records


def dice() -> Records:
    circle = Circle("kingamon", 2).play(8)
    circle.spread(circle.clients[2].own.resign(2))
    return circle.settle().records


def first_drawn() -> Records:
    """The seat that begins is drawn among three."""
    return Circle("qenqe", 3).play(3).records


def cards() -> Records:
    """A deal, six cards, and a resignation inside the round: the winner opens its hand."""
    circle = dealt()
    while len(plays(circle)) < 6:
        circle.play(1)
    circle.spread(circle.clients[2].own.resign(2))
    return circle.settle().records


def plays(circle: Circle) -> tuple[SignedEvent, ...]:
    hands = circle.listener.fold.position.hands
    return hands.plays if hands else ()


def leaving() -> Records:
    """The seat to act is left behind by the two others, who play on."""
    circle = board(3).play(4)
    mover = circle.mover
    stay = [seat for seat in (1, 2, 3) if seat != mover]
    return circle.without(1, [mover], stay).play(3).records


def late_word() -> Records:
    """What the seat left behind had signed, and nobody who stayed had: it counts for nothing."""
    circle = board(3).play(4)
    mover = circle.mover
    table = circle.clients[mover]
    late = circle.forge(mover, bodies.Move(table.game.legal(table.state, mover)[0]))
    circle.without(1, [mover], [seat for seat in (1, 2, 3) if seat != mover])
    circle.spread(late)
    return circle.play(2).records


def nobody_leaves() -> Records:
    circle = board(3).play(4)
    circle.spread(circle.forge(1, bodies.Epoch(1, (Leaving(3, *circle.listener.held.heads[2]),))))
    return circle.without(2, [], [1, 2, 3]).play(2).records


def withheld_reveal() -> Records:
    """Seat 3 commits to the first roll and shows nothing; the others roll anew without it."""
    circle = Circle("qenqe", 3).to(SlotKind.REVEAL)
    circle.silent.add(3)
    circle.settle()
    return circle.without(1, [3], [1, 2]).play(2).records


def minority() -> Records:
    """One of three agrees with itself: not in force."""
    circle = board(3).play(4)
    others = [seat for seat in (1, 2, 3) if seat != circle.mover]
    return circle.without(1, sorted([circle.mover, others[0]]), [others[1]]).records


def owes_nothing() -> Records:
    """Two agree to go on without a seat that owes nothing: in force, for two of three can deny what it has given."""
    circle = board(3).play(4)
    mover, other, third = circle.mover, *(seat for seat in (1, 2, 3) if seat != circle.mover)
    return circle.without(1, [third], [mover, other]).records


def part_of_a_leaver() -> Records:
    """Seat 3 resigns in a roll, gives its part and is gone: the roll goes on without its signature."""
    circle = Circle("qenqe", 4).to(SlotKind.REVEAL)
    circle.spread(circle.clients[3].own.resign(3))
    for seat in (1, 2, 3):
        circle.spread(*circle.clients[seat].own.duties())
    circle.silent.add(3)
    return circle.without(1, [3], [1, 2, 4]).play(2).records


def result_of_most() -> Records:
    """Two of three have signed the result; all three agree to go on behind that: the two signatures count on."""
    circle = Circle("qenqe", 3, first=1, turn_limit=10)
    circle.silent.add(3)
    while circle.listener.fold.result is None:
        circle.play(1)
    return circle.without(1, [], [1, 2, 3]).settle().records


def early_result() -> Records:
    """A RESULT before the end has no effect."""
    circle = board().play(3)
    circle.spread(circle.forge(2, bodies.Result(b"")))
    return circle.play(1).records


def knows_too_little() -> Records:
    """A move whose heads leave out what lies behind does nothing; then the seat moves again."""
    circle = board().play(3)
    mover = circle.mover
    heads = tuple(
        head if seat == mover else last(circle, mover).heads[seat - 1]
        for seat, head in enumerate(circle.listener.held.heads, 1)
    )
    table = circle.clients[mover]
    circle.spread(circle.forge(mover, bodies.Move(table.game.legal(table.state, mover)[0]), heads=heads))
    return circle.play(1).records


def unlawful() -> Records:
    circle = board().play(3)
    circle.spread(circle.forge(circle.mover, bodies.Move("A1-A9")))
    return circle.settle().records


def wrong_salt() -> Records:
    circle = Circle("qenqe", 3).to(SlotKind.REVEAL)
    circle.silent.add(2)
    circle.settle()
    circle.spread(circle.forge(2, bodies.Revelation(b"s" * 32, b"n" * 32)))
    circle.silent.clear()
    return circle.play(1).records


def bad_shuffle() -> Records:
    """Seat 1 swaps two cards of its shuffle and keeps the proof."""
    circle = Circle("celtic-whist", 2, first=1).to(SlotKind.SHUFFLE)
    machine, secrets = circle.listener.fold.position.machine, circle.clients[1].own.secrets
    assert isinstance(machine, Dealing)
    assert secrets
    body = machine.part(1, secrets, MASKED_DECK)
    assert isinstance(body, bodies.Shuffle)
    swapped = body.deck[64:128] + body.deck[:64] + body.deck[128:]
    circle.spread(circle.forge(1, bodies.Shuffle(swapped, body.proof)))
    return circle.settle().records


def hand(circle: Circle, seat: int) -> tuple[Hands, dict[int, str], Secrets]:
    """The last deal, the cards that a seat has left by position, and its secrets."""
    hands, secrets = circle.listener.fold.position.hands, circle.clients[seat].own.secrets
    assert hands
    assert secrets
    own = hands.own(seat, secrets, MASKED_DECK)
    return hands, {at: card for at, card in own.items() if at not in hands.opened}, secrets


def wrong_card() -> Records:
    """A seat names another card than the one that its share opens."""
    circle = dealt()
    hands, own, secrets = hand(circle, circle.mover)
    body = hands.play(circle.mover, own[min(own)], own, secrets, MASKED_DECK)
    assert body
    circle.spread(circle.forge(circle.mover, body._replace(card=own[max(own)])))
    return circle.settle().records


def revoke() -> Records:
    """Seat 2 does not follow suit once; the last card of the round shows it."""
    circle = dealt()
    hands = circle.listener.fold.position.hands
    assert hands
    cards, revoked = sum(map(bool, hands.dealing.deal.owners)), False
    while len(plays(circle)) < cards:
        mover = circle.mover
        table = circle.clients[mover]
        lawful = table.game.legal(table.own.view(mover), mover)
        hands, own, secrets = hand(circle, mover)
        wrong = [card for card in own.values() if card not in lawful]
        if mover == 2 and wrong and not revoked:
            revoked = True
            body = hands.play(mover, wrong[0], own, secrets, MASKED_DECK)
            assert body
            circle.spread(circle.forge(mover, body))
        else:
            circle.spread(table.own.play(mover, lawful[0]))
    return circle.records


def dealt() -> Circle:
    """A round of two in which the first card has been played."""
    circle = Circle("celtic-whist", 2, first=1).settle()
    while not plays(circle):
        circle.play(1)
    return circle


def settled_equivocation() -> Records:
    """A second version of a move that the other player had answered: evidence, no more."""
    circle = board().play(4)
    circle.spread(circle.second_version(circle.listener.held.chains[0][0]))
    return circle.play(1).records


def equivocation_of_two() -> Records:
    circle = board().play(4)
    circle.spread(circle.second_version(last(circle, 2)))
    return circle.settle().records


def equivocation_of_three() -> Records:
    circle = board(3).play(4)
    circle.spread(circle.second_version(last(circle, 1)))
    return circle.settle().records


def equivocation_upon_another() -> Records:
    """The third player signs two versions of a move, and the second one two that both rest on the first of these."""
    circle = board(3).play(2)
    move = circle.clients[3].own.play(3, circle.listener.game.legal(circle.listener.state, 3)[0])
    circle.spread(move)
    circle.spread(wish := circle.forge(2, bodies.Wish(1)))
    circle.spread(circle.second_version(move), circle.second_version(wish))
    return circle.records


def equivocation_in_doubt() -> Records:
    """Two of three name a move, one of them by an event of which there are two versions: the move is not settled."""
    circle = board(3).play(3)
    move = circle.clients[1].own.play(1, circle.listener.game.legal(circle.listener.state, 1)[0])
    circle.spread(move)
    circle.spread(circle.forge(3, bodies.Wish(1)), wish := circle.forge(2, bodies.Wish(1)))
    circle.spread(circle.second_version(wish), circle.second_version(move))
    return circle.records


def equivocation_twice() -> Records:
    """A later event that a player signed twice is known first; in between another one has resigned."""
    circle = board(3).play(6)
    move = circle.clients[1].own.play(1, circle.listener.game.legal(circle.listener.state, 1)[0])
    circle.spread(move, circle.clients[2].own.resign(2))
    circle.settle()
    wish = circle.clients[1].own.wish_draw(1, True)
    circle.spread(wish, circle.second_version(wish), circle.second_version(move))
    return circle.records


def equivocation_of_a_result() -> Records:
    """All have signed the result. One signs that anew, another one the last move, which the first named only there."""
    circle = Circle("qenqe", 3, first=1, turn_limit=10)
    while circle.listener.fold.result is None:
        circle.play(1)
    circle.settle()
    move = circle.listener.held.chains[0][-2]
    circle.spread(circle.second_version(last(circle, 2)), circle.second_version(move))
    return circle.records


def local_takebacks() -> Records:
    """A game on one computer against a bot: two turns are taken back, one after the other."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    records = [MAGIC, charter_record(charter)[len(MAGIC) :]]
    for seat in (1, 2, 1, 2, 0, 0, 1):
        action = table.game.legal(table.state, seat)[0] if seat else takeback(2 * (len(records) == 6))
        records.append(event_record(table.act(seat, action)))
    return records


def local() -> Records:
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["kingamon"], {}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    records = [MAGIC, charter_record(charter)[len(MAGIC) :]]
    for number in range(8):
        due = table.fold.position.due
        if isinstance(due, Turn):
            lawful = table.game.legal(table.state, due.seat)
            event = table.act(due.seat, lawful[3 % len(lawful)])
        else:
            event = table.act(0, draw_locally(due.draw, bytes([number]) * 32))  # type: ignore[union-attr]
        records.append(event_record(event))
    records.append(event_record(table.act(2, "resign")))
    return records + [event_record(event) for event in table.duties()]


# Bad files.


def goes_on() -> Records:
    """A table that begins where three moves had been made at another one."""
    circle = board().play(3)
    other = Circle("fidchess", 2, origin_of(circle.listener), first=1).play(2)
    other.spread(other.clients[1].own.resign(1))
    return other.settle().records
