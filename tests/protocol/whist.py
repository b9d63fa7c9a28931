"""Tables of Celtic Whist for the tests: up to any step of a deal, round by round, and what is true behind all views."""

from collections.abc import Iterable
from random import Random
from typing import Any

from kinds import expect
from replicas import Circle, charter_of

from engine import PUBLIC, OptionValue, Turn
from protocol import Secrets, SignedEvent
from protocol.cards import Dealing, Hands
from protocol.events import SlotKind, bodies

STEPS = (SlotKind.KEY, SlotKind.SHUFFLE, SlotKind.SHARE)
"""The slots of a deal."""


def whist(
    seats: int = 3, *, fast: bool = True, operators: Iterable[int] | None = None, **options: OptionValue
) -> Circle:
    """A table where nothing has been signed yet."""
    charter = charter_of("celtic-whist", seats, {"first": 1, **options}, fast=fast, operators=operators)
    return Circle(charter, fast=fast)


def honest(circle: Circle, seat: int) -> Any:
    """What the client of a seat would give to the open slot of a roll or deal."""
    table = circle[seat]
    position = table.fold.position
    machine, secrets = position.machine, table.own.secrets
    assert machine
    assert secrets
    if isinstance(machine, Dealing):
        body = machine.part(seat, secrets, circle.scheme)
        assert body
        return body
    return machine.part(seat, position.slot.epoch, secrets)


def reach(circle: Circle, kind: SlotKind, *, seat: int = 0) -> Circle:
    """Let the seats close one slot after another until one of this kind is open, and for `seat` if given."""
    while circle.tables[0].fold.position.slot.kind != kind or (seat and circle.owed_by() != (seat,)):
        assert circle.step(), "nobody owes anything"
    return circle


def move(circle: Circle, rng: Random) -> None:
    """Let the seat to act do something, and everybody what follows."""
    table = circle[circle.mover]
    seat = circle.mover
    circle.spread(table.own.play(seat, rng.choice(table.game.legal(table.own.view(seat), seat))))
    circle.settle()


def play_to(circle: Circle, cards: int, seed: int = 0) -> Circle:
    """Play at random until so many cards of a round lie on the table."""
    rng = Random(seed)
    circle.settle()
    while len(circle.tables[0].state.plays) < cards or not circle.tables[0].state.leads:
        move(circle, rng)
    return circle


def hands_of(circle: Circle) -> Hands:
    """The last deal, as everybody sees it."""
    return expect(Hands, circle.tables[0].fold.position.hands)


def secrets_of(circle: Circle, seat: int) -> Secrets:
    """What the client of a seat keeps to itself."""
    return expect(Secrets, circle[seat].own.secrets)


def dealing_of(circle: Circle, seat: int = 1) -> Dealing:
    """The deal that the seats are making, as the client of one sees it."""
    return expect(Dealing, circle[seat].fold.position.machine)


def round_secret(circle: Circle, dealing: Dealing, seat: int) -> bytes:
    """The secret of a seat in a deal."""
    return expect(bytes, dealing.secret(seat, secrets_of(circle, seat)))


def own_cards(circle: Circle, seat: int) -> dict[int, str]:
    """What was dealt to a seat, by position."""
    return hands_of(circle).own(seat, secrets_of(circle, seat), circle.scheme)


def share(circle: Circle, seat: int, at: int) -> bytes:
    """The share that a seat gives of a position of the last deal."""
    dealing = hands_of(circle).dealing
    secret = round_secret(circle, dealing, seat)
    return circle.scheme.make_share(secret, dealing.deck, at, dealing.context(seat))


def revoke(circle: Circle, cheat: int, cards: int) -> list[tuple[SignedEvent, int]]:
    """Play on until so many cards of a round lie on the table; one seat, 0 for none, does not follow suit if it can.

    Return its revokes, each with the trick.
    """
    guilty = []
    hands = hands_of(circle)
    own = own_cards(circle, cheat) if cheat else {}
    while (played := len(hands_of(circle).plays)) < cards:
        seat = circle.mover
        table = circle[seat]
        lawful = table.game.legal(table.own.view(seat), seat)
        opened = hands_of(circle).opened
        wrong = [at for at, card in own.items() if at not in opened and card not in lawful]
        if seat == cheat and wrong:
            event = circle.forge(seat, bodies.Play(own[wrong[0]], wrong[0], share(circle, seat, wrong[0])))
            guilty.append((event, played // len(circle[1].fold.position.live) + 1))
        else:
            event = table.own.play(seat, lawful[0])
        last = played == len(hands.dealing.deal.owners) - hands.dealing.deal.owners.count(0) - 1
        circle.spread(event)
        if last:
            break
    circle.settle()
    return guilty


def dealt(circle: Circle, hands: Hands) -> dict[int, str]:
    """The cards of a deal by position, as all seats together know them."""
    found: dict[int, str] = {}
    for table in circle.tables:
        for seat in table.own.signers:
            assert table.own.secrets
            found |= hands.own(seat, table.own.secrets, circle.scheme)
    return found


class Truth:
    """The game with all cards open, as only all seats together can know it."""

    def __init__(self, circle: Circle) -> None:
        self.circle = circle
        self.game = circle.tables[0].game
        self.state = self.game.start(dict(circle.charter.body.options), len(circle.charter.body.seats))
        self.known = 0

    def check(self) -> None:
        """Every view is what the game says that this viewer may see, and nothing else."""
        log = self.circle.tables[0].fold.log
        for entry in log[self.known :]:
            action = entry.hands.seen(dealt(self.circle, entry.hands)) if entry.hands else entry.action
            self.state = self.game.apply(self.state, entry.actor, action)
        self.known = len(log)
        everybody = self.game.view(self.state, PUBLIC)
        for table in self.circle.tables:
            assert table.state == everybody
            for seat in range(1, len(self.circle.charter.body.seats) + 1):
                expected = self.game.view(self.state, seat) if seat in table.own.signers else everybody
                assert table.own.view(seat) == expected


def rounds(circle: Circle, number: int, rng: Random) -> Truth:
    """Play until so many deals are done, looking at all views all the time."""
    truth = Truth(circle)
    circle.settle()
    truth.check()
    while circle[1].fold.position.deals < number and not circle[1].fold.result:
        move(circle, rng)
        truth.check()
    assert circle[1].fold.result or isinstance(circle[1].fold.position.due, Turn)
    return truth
