"""Tables of Celtic Whist for the tests: up to any step of a deal, round by round, and what is true behind all views."""

from random import Random

from protocol._chance import Hands
from protocol._event import MOVE, TURN
from replicas import Circle, charter_of, summary

from engine import PUBLIC, Turn
from protocol import SignedEvent, Table, verify


def whist(seats=3, *, fast=True, operators=None, **options) -> Circle:
    """A table where nothing has been signed yet."""
    charter = charter_of("celtic-whist", seats, {"first": 1, **options}, fast=fast, operators=operators)
    return Circle(charter, fast=fast)


def reach(circle: Circle, kind: int, *, seat: int = 0) -> Circle:
    """Let the seats do one step of chance after another until a slot of this kind is open, and for `seat` if given."""
    while (position := circle.tables[0].fold.position).slot.kind != kind or (seat and circle.owed_by() != (seat,)):
        machine = position.machine
        if machine is None:
            assert circle.step(), "nobody owes anything"
            continue
        for one in circle.owed_by():
            body = machine.contribute(one, circle[one].secrets, circle.scheme)
            circle.spread(circle.forge(one, machine.contribution, body))
    return circle


def move(circle: Circle, rng: Random) -> None:
    """Let the seat to act do something, and everybody what follows."""
    table = circle[circle.tables[0].fold.position.due.seat]
    seat = table.fold.position.due.seat
    circle.spread(table.play(seat, rng.choice(table.game.legal(table.view(seat), seat))))
    circle.settle()


def play_to(circle: Circle, cards: int, seed: int = 0) -> Circle:
    """Play at random until so many cards of a round lie on the table."""
    rng = Random(seed)
    circle.settle()
    while len(circle.tables[0].state.plays) < cards or not circle.tables[0].state.leads:
        move(circle, rng)
    return circle


def share(circle: Circle, seat: int, at: int) -> bytes:
    """The share that a seat gives of a position of the last deal."""
    dealing = circle[seat].fold.position.hands.dealing
    secret = dealing.secret(seat, circle[seat].secrets)
    return circle.scheme.make_share(secret, dealing.deck, at, dealing.context(seat))


def revoke(circle: Circle, cheat: int, cards: int) -> list[tuple[SignedEvent, int]]:
    """Play on until so many cards of a round lie on the table; one seat, 0 for none, does not follow suit if it can.

    Return its revokes, each with the trick.
    """
    guilty = []
    hands = circle[1].fold.position.hands
    own = hands.own(cheat, circle[cheat].secrets, circle.scheme) if cheat else {}
    while (played := len(circle[1].fold.position.hands.plays)) < cards:
        seat = circle.mover
        table = circle[seat]
        lawful = table.game.legal(table.view(seat), seat)
        opened = circle[1].fold.position.hands.opened
        wrong = [at for at, card in own.items() if at not in opened and card not in lawful]
        if seat == cheat and wrong:
            event = circle.forge(seat, MOVE, (own[wrong[0]], wrong[0], share(circle, seat, wrong[0])))
            guilty.append((event, played // len(circle[1].fold.position.live) + 1))
        else:
            event = table.play(seat, lawful[0])
        last = played == len(hands.dealing.deal.owners) - hands.dealing.deal.owners.count(0) - 1
        circle.spread(event)
        if last:
            break
    circle.settle()
    return guilty


def dealt(circle: Circle, hands: Hands) -> dict[int, str]:
    """The cards of a deal by position, as all seats together know them."""
    found = {}
    for table in circle.tables:
        for seat in table.signers:
            found |= hands.own(seat, table.secrets, circle.scheme)
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
                expected = self.game.view(self.state, seat) if seat in table.signers else everybody
                assert table.view(seat) == expected


def verdict(circle: Circle):
    """What all replicas, and the files of all in the hands of a third person, agree on."""
    circle.meet()
    circle.settle()
    circle.meet()
    assert all(summary(table) == summary(circle.tables[0]) for table in circle.tables)
    reports = [verify(file, circle.verifier, scheme=circle.scheme) for file in circle.files]
    for report in reports:
        assert report.ok, report.error
        assert report == reports[0]._replace(lines=report.lines)
        assert sorted(report.lines) == sorted(reports[0].lines)
    position = circle.tables[0].fold.position
    assert reports[0].result == position.result
    assert position.result or position.slot.kind == TURN
    return reports[0]


def caught(circle: Circle, event, words: str):
    """The report on a game where one seat was caught, by `event`: the rest goes on, or has won."""
    report = verdict(circle)
    (cheat,) = circle.tables[0].fold.position.cheats
    assert (cheat.seat, cheat.event) == (event.seat, event.hash)
    assert report.cheats == (f"seat {event.seat} signed {cheat.reason} (its number {event.number})",)
    assert words in cheat.reason
    left = tuple(seat for seat in range(1, len(circle.charter.body.seats) + 1) if seat != event.seat)
    if len(left) == 1:
        assert report.result.winners == left
    else:
        assert circle.tables[0].fold.position.live == left
        assert isinstance(circle.tables[0].fold.position.due, Turn)
    return report


def restarted(circle: Circle, table: Table, events, secrets=None) -> Table:
    """The client of `table`, started again from these events."""
    fresh = circle.client(min(table.signers), secrets or table.secrets)
    fresh.load(events)
    return fresh
