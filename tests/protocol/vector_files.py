"""The saved games of the test vectors: a few lines each, good ones and bad ones, the same bytes each time.

Every scenario returns the records of a file. `SCENARIOS` says of each what a verifier must find; that is written by
hand, from docs/protocol.md, not taken from the program.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from forming import agree

from engine import Turn, all_games
from protocol import (
    EVERYBODY,
    LOCAL,
    MAGIC,
    NET,
    UNWATCHED,
    Charter,
    Clock,
    Formation,
    Identity,
    Origin,
    Seat,
    Secrets,
    SignedEvent,
    SlotKind,
    Table,
    Watching,
    charter_record,
    draw_locally,
    event_record,
    local_charter,
    make_body,
    origin_of,
    proof_record,
    takeback,
)
from protocol.cards import Dealing, Hands
from protocol.cards.deck import MASKED_DECK
from protocol.events import (
    Act,
    Body,
    Epoch,
    Head,
    Leaving,
    Move,
    Resign,
    Result,
    Revelation,
    Shuffle,
    Takeback,
    Wish,
    make_event,
)

NAMES = ("anna", "ben", "cleo", "dan", "eve")
IDENTITIES = tuple(Identity(bytes([number]) * 32) for number in range(1, 6))
ATTEMPT = bytes(range(16))
Records = list[bytes]


def agreed(key: str, seats: int, origin: Origin | None = None, **options: str | int | bool) -> Charter:
    """Return the charter of a table among peers, formed as clients form it."""
    roster = tuple(Seat(one.id, name, n) for n, (one, name) in enumerate(zip(IDENTITIES, NAMES, strict=True), 1))
    watching = Watching(EVERYBODY, 3) if origin else UNWATCHED
    clock = Clock(600, 5) if origin else 0
    body = make_body(NET, all_games()[key], options, roster[:seats], ATTEMPT, clock, origin, watching)
    return agree([Formation(body, {n: IDENTITIES[n - 1]}, b"seed %d" % n) for n in range(1, seats + 1)])


class Circle:
    """Clients of one table that hear each other at once, and the file of somebody who only listens."""

    def __init__(self, key: str, seats: int, origin: Origin | None = None, **options: str | int | bool) -> None:
        self.charter = agreed(key, seats, origin, **options)
        self.clients = {
            n: Table(self.charter, {n: IDENTITIES[n - 1]}, Secrets.from_seed(bytes([n]) * 32))
            for n in range(1, seats + 1)
        }
        self.listener = Table(self.charter, {})
        self.records: Records = [MAGIC, charter_record(self.charter)[len(MAGIC) :]]
        self.silent: set[int] = set()
        """Seats of which the others hear nothing more, and that sign nothing by themselves."""

    def spread(self, *events: SignedEvent) -> None:
        """Let every client have events, the author first."""
        for event in events:
            client = self.clients[event.seat]
            if event in client.held.chains[event.seat - 1]:
                client.advance([event])
            for table in (client, *self.clients.values(), self.listener):
                proofs = len(table.held.proofs)
                accepted = table.take(event)
                if table is self.listener:
                    self.records += map(event_record, accepted)
                    self.records += map(proof_record, table.held.proofs[proofs:])

    def settle(self) -> "Circle":
        """Let all that are not silent sign what they owe, until nothing is owed."""
        while signed := [e for n, table in self.clients.items() if n not in self.silent for e in table.own.duties()]:
            self.spread(*signed)
        return self

    def to(self, kind: SlotKind) -> "Circle":
        """Let all sign what they owe, a slot at a time, until a slot of this kind is open."""
        while self.listener.fold.position.slot.kind != kind:
            self.spread(*[event for table in self.clients.values() for event in table.own.duties()])
        return self

    @property
    def mover(self) -> int:
        due = self.listener.fold.position.due
        assert isinstance(due, Turn)
        return due.seat

    def play(self, moves: int) -> "Circle":
        """Play so many moves, each chosen by the number of actions before it."""
        self.settle()
        for _ in range(moves):
            table = self.clients[self.mover]
            lawful = table.game.legal(table.own.view(self.mover), self.mover)
            chosen = lawful[(7 * table.fold.position.plies + 3) % len(lawful)]
            self.spread(table.own.play(self.mover, chosen))
            self.settle()
        return self

    def forge(
        self,
        seat: int,
        body: Body,
        *,
        heads: tuple[Head, ...] | None = None,
        digest: bytes | None = None,
        before: int = 0,
    ) -> SignedEvent:
        """Return an event for the open slot that the seat's client need not agree to; `before`: steps earlier."""
        table, position = self.listener, self.listener.fold.position
        slot = position.slot._replace(step=position.slot.step - before)
        return make_event(
            IDENTITIES[seat - 1],
            table.id,
            seat,
            table.held.heads if heads is None else heads,
            slot,
            position.digest,
            body,
        )

    def without(self, number: int, leaving: Sequence[int], signers: Sequence[int]) -> "Circle":
        """Let seats sign one agreement."""
        heads = self.listener.held.heads
        body = tuple(Leaving(seat, *heads[seat - 1]) for seat in leaving)
        signed = [self.forge(seat, Epoch(number, body), heads=heads) for seat in signers]
        self.spread(*signed)
        return self

    def second_version(self, event: SignedEvent) -> SignedEvent:
        """Return another event that the author of `event` signs with its number."""
        seat = event.seat
        return make_event(
            IDENTITIES[seat - 1], event.table, seat, event.heads, event.slot, event.digest, Move("resign")
        )


def board(seats: int = 2) -> Circle:
    """A game without chance in its play; seat 1 begins."""
    return Circle("fidchess" if seats == 2 else "qenqe", seats, first=1)


def last(circle: Circle, seat: int) -> SignedEvent:
    return circle.listener.held.chains[seat - 1][-1]


# Good files.


def finished() -> Records:
    """A board game to its turn limit, both results signed."""
    return Circle("fidchess", 2, first=1, turn_limit=6).play(6).records


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
    circle.spread(circle.forge(3, Takeback(1)), circle.forge(1, Takeback(1)))
    return circle.settle().records


def not_past_dice() -> Records:
    """Both wish a turn back after which dice were rolled: nothing comes of it."""
    circle = Circle("kingamon", 2, first=1).settle()
    circle.play(1)
    while circle.mover == 1:
        circle.play(1)
    plies = circle.listener.fold.position.plies
    for to in (plies - 2, plies - 1):
        circle.spread(circle.forge(1, Takeback(to)), circle.forge(2, Takeback(to)))
    circle.settle()
    return circle.records


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
    late = circle.forge(mover, Move(table.game.legal(table.state, mover)[0]))
    circle.without(1, [mover], [seat for seat in (1, 2, 3) if seat != mover])
    circle.spread(late)
    return circle.play(2).records


def nobody_leaves() -> Records:
    circle = board(3).play(4)
    circle.spread(circle.forge(1, Epoch(1, (Leaving(3, *circle.listener.held.heads[2]),))))
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
    """Two agree to go on without a seat that owes nothing: not in force."""
    circle = board(3).play(4)
    mover, other, third = circle.mover, *(seat for seat in (1, 2, 3) if seat != circle.mover)
    return circle.without(1, [third], [mover, other]).records


def early_result() -> Records:
    """A RESULT before the end has no effect."""
    circle = board().play(3)
    circle.spread(circle.forge(2, Result(b"")))
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
    circle.spread(circle.forge(mover, Move(table.game.legal(table.state, mover)[0]), heads=heads))
    return circle.play(1).records


def unlawful() -> Records:
    circle = board().play(3)
    circle.spread(circle.forge(circle.mover, Move("A1-A9")))
    return circle.settle().records


def wrong_salt() -> Records:
    circle = Circle("qenqe", 3).to(SlotKind.REVEAL)
    circle.silent.add(2)
    circle.settle()
    circle.spread(circle.forge(2, Revelation(b"s" * 32, b"n" * 32)))
    circle.silent.clear()
    return circle.play(1).records


def bad_shuffle() -> Records:
    """Seat 1 swaps two cards of its shuffle and keeps the proof."""
    circle = Circle("celtic-whist", 2, first=1).to(SlotKind.SHUFFLE)
    machine, secrets = circle.listener.fold.position.machine, circle.clients[1].own.secrets
    assert isinstance(machine, Dealing)
    assert secrets
    body = machine.part(1, secrets, MASKED_DECK)
    assert isinstance(body, Shuffle)
    swapped = body.deck[64:128] + body.deck[:64] + body.deck[128:]
    circle.spread(circle.forge(1, Shuffle(swapped, body.proof)))
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
    circle = board().play(3)
    circle.spread(circle.second_version(last(circle, 1)))
    return circle.settle().records


def equivocation_of_three() -> Records:
    circle = board(3).play(4)
    circle.spread(circle.second_version(last(circle, 1)))
    return circle.settle().records


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


def altered_byte() -> Records:
    records = finished()
    records[4] = records[4][:-1] + bytes([records[4][-1] ^ 1])
    return records


def torn_tail() -> Records:
    records = finished()
    return [*records[:-1], records[-1][:-7]]


def missing_record() -> Records:
    records = finished()
    return records[:3] + records[4:]


def repeated_record() -> Records:
    records = finished()
    return [*records[:5], records[4]]


def swapped_records() -> Records:
    records = finished()
    return [*records[:4], records[5], records[4], *records[6:]]


def without_charter() -> Records:
    records = finished()
    return [records[0], *records[2:]]


def of_version_1() -> Records:
    return [b"p2p-stonehenge transcript 1\n", *finished()[1:]]


def another_program() -> Records:
    return [b'[Event "?"]\n']


def second_without_proof() -> Records:
    circle = board().play(3)
    return [*circle.records, event_record(circle.second_version(last(circle, 1)))]


def empty_proof() -> Records:
    """A proof whose two events are one."""
    circle = board().play(3)
    kept = event_record(last(circle, 1))[4:]
    body = b"\x95\x03" + 2 * kept[2:]
    return [*circle.records, len(body).to_bytes(4, "big") + body]


def heads_go_back() -> Records:
    circle = board().play(4)
    seat = circle.mover
    heads = tuple(head if n == seat else Head(0, b"") for n, head in enumerate(circle.listener.held.heads, 1))
    return [*circle.records, event_record(circle.forge(seat, Move("A1-A2"), heads=heads))]


def slot_goes_back() -> Records:
    circle = board().play(4)
    return [*circle.records, event_record(circle.forge(circle.mover, Resign(), before=3))]


def below_own_epoch() -> Records:
    """A seat that agreed to epoch 1 signs for epoch 0 once more."""
    circle = board(3).play(4)
    others = [seat for seat in (1, 2, 3) if seat != circle.mover]
    circle.without(1, [circle.mover], others[:1])
    return [*circle.records, event_record(circle.forge(others[0], Wish(1)))]


def leap() -> Records:
    """An agreement whose number lies 257 above everything that its author knew."""
    circle = board(3).play(4)
    return [*circle.records, event_record(circle.forge(1, Epoch(257, ())))]


def too_far_ahead() -> Records:
    """1025 events of a seat that closes nothing, each for a slot further on."""
    circle = board().play(2)
    records = list(circle.records)
    for number in range(1025):
        event = circle.forge(2, Wish(0), before=-number)
        records.append(event_record(event))
        circle.spread(event)
    return records


def too_much_for_a_slot() -> Records:
    """A ninth event for one slot."""
    circle = board().play(2)
    events = []
    for _ in range(9):
        events.append(circle.forge(2, Wish(0), before=-1))
        circle.spread(events[-1])
    return [*circle.records, event_record(events[-1])]


def goes_on() -> Records:
    """A table that begins where three moves had been made at another one."""
    circle = board().play(3)
    other = Circle("fidchess", 2, origin_of(circle.listener), first=1).play(2)
    other.spread(other.clients[1].own.resign(1))
    return other.settle().records


def another_table() -> Records:
    other = Circle("fidchess", 2, first=2).play(1)
    return [*board().play(2).records, other.records[-1]]


def local_without_effect() -> Records:
    """At a local table an unlawful action makes the file invalid."""
    seats = tuple(Seat(IDENTITIES[0].id, name, 1) for name in NAMES[:2])
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    position = table.fold.position
    event = make_event(IDENTITIES[0], table.id, 1, table.held.heads, position.slot, position.digest, Act(1, "A1-A9"))
    return [MAGIC, charter_record(charter)[len(MAGIC) :], event_record(event)]


def local_takeback_too_far() -> Records:
    """Another person has acted since the state that is to come back."""
    seats = tuple(Seat(IDENTITIES[0].id, name, n) for n, name in enumerate(NAMES[:2], 1))
    body = make_body(LOCAL, all_games()["fidchess"], {"first": 1}, seats, ATTEMPT)
    charter = local_charter(body, IDENTITIES[0], bytes(32))
    table = Table(charter, {1: IDENTITIES[0]})
    made = [table.act(seat, table.game.legal(table.state, seat)[0]) for seat in (1, 2)]
    position = table.fold.position
    heads, back = table.held.heads, Act(0, takeback(0))
    made.append(make_event(IDENTITIES[0], table.id, 1, heads, position.slot, position.digest, back))
    return [MAGIC, charter_record(charter)[len(MAGIC) :], *map(event_record, made)]


class Scenario(NamedTuple):
    """What a verifier must find: `winners` of a finished game, None for an unfinished one; cheats as (seat, kind)."""

    make: Callable[[], Records]
    ok: bool
    rule: str
    winners: tuple[int, ...] | None = None
    cheats: tuple[tuple[int, str], ...] = ()


BREACH, REVOKE, EQUIVOCATION = "breach", "revoke", "equivocation"
SCENARIOS = {
    "finished": Scenario(finished, True, "section 6: a game to its turn limit, both results signed", ()),
    "unfinished": Scenario(unfinished, True, "section 12: a file that ends between two records"),
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
    "owes-nothing": Scenario(owes_nothing, True, "section 8: a leaver has to owe something: not in force"),
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
        equivocation_of_two, True, "section 9: of two the other has won", (2,), ((1, EQUIVOCATION),)
    ),
    "equivocation-of-three": Scenario(
        equivocation_of_three, True, "section 9: of three nobody has won", (), ((1, EQUIVOCATION),)
    ),
    "local": Scenario(local, True, "section 11: a game on one computer", (1,)),
    "local-takebacks": Scenario(local_takebacks, True, "section 11: `takeback` on one computer"),
    "altered-byte": Scenario(altered_byte, False, "section 4, check 6: the signature"),
    "torn-tail": Scenario(torn_tail, False, "section 12: the file ends inside a record"),
    "missing-record": Scenario(missing_record, False, "section 4, check 7: a cause that does not stand before"),
    "repeated-record": Scenario(repeated_record, False, "section 12: an event that stands twice"),
    "swapped-records": Scenario(swapped_records, False, "section 4, check 7: a cause that does not stand before"),
    "without-charter": Scenario(without_charter, False, "section 12: the first record is the charter"),
    "of-version-1": Scenario(of_version_1, False, "section 12: told apart by its first line"),
    "another-program": Scenario(another_program, False, "section 12: a wrong first line"),
    "second-without-proof": Scenario(second_without_proof, False, "section 12: a second version outside of a proof"),
    "empty-proof": Scenario(empty_proof, False, "section 12: a proof of two equal events"),
    "heads-go-back": Scenario(heads_go_back, False, "section 4, check 8: heads that go back"),
    "slot-goes-back": Scenario(slot_goes_back, False, "section 4, check 8: a slot below that of the event before"),
    "below-own-epoch": Scenario(below_own_epoch, False, "section 4, check 8: below the epoch agreed to"),
    "leap": Scenario(leap, False, "section 4, check 8: an EPOCH's number that leaps by more than 256"),
    "too-far-ahead": Scenario(too_far_ahead, False, "section 4, check 5: more than 1024 events ahead"),
    "too-much-for-a-slot": Scenario(too_much_for_a_slot, False, "section 4, check 8: a ninth event for one slot"),
    "another-table": Scenario(another_table, False, "section 4, check 2: an event of another table"),
    "local-takeback-too-far": Scenario(local_takeback_too_far, False, "section 11: no further than `earlier` goes"),
    "local-without-effect": Scenario(local_without_effect, False, "section 11: an event without effect"),
}
