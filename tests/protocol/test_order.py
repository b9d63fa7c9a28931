"""The order of arrival does not matter: whatever is heard when, all see one game, and nothing shown goes back."""

from random import Random
from typing import Any

import pytest
from clients import Clients
from gossip import act, hear, hear_all, play_out
from hypothesis import given, settings
from hypothesis import strategies as st
from replicas import Circle, charter_of, circle_of, events_of, replica, summary
from verdicts import shuffled

from engine import Turn
from protocol import LocalFaultError, Mark, load, verify
from protocol.events import EventKind, Leaving, SlotKind

TABLES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "fidchess": ("fidchess", 2, {"turn_limit": 30}),
    "kingamon": ("kingamon", 2, {}),
    "fidchell": ("fidchell", 2, {}),
    "qenqe for 3": ("qenqe", 3, {}),
    "qenqe for 5": ("qenqe", 5, {}),
    "pebbles for 2": ("pebbles", 2, {}),
    "pebbles for 3": ("pebbles", 3, {}),
    "pebbles for 4": ("pebbles", 4, {}),
    "pebbles for 4, rolls dropped": ("pebbles", 4, {"keep": False}),
}
PLIES = 200


def circle_for(name: str) -> Circle:
    key, seats, options = TABLES[name]
    return Circle(charter_of(key, seats, options, fast=True), fast=True)


def one_game(circle: Circle, rng: Random) -> None:
    """All replicas, and fresh ones that hear all in another order, have one game.

    But a client that has agreed to go on otherwise closes no slot until that is settled.
    """
    fresh, other = (shuffled(table, rng) for table in (circle[1], circle.tables[-1]))
    free = [table for table in circle.tables if not table.own.has_agreed]
    for table in (fresh, other, *free):
        assert summary(table) == summary(fresh)
        assert table.fold.replayed() == table.fold.position.digest


@pytest.mark.many
@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_any_order_of_a_whole_game_gives_one_fold(name: str, seed: int) -> None:
    """Delay, repetition and reordering of all events of a random game: the same digest, log, result and count."""
    rng = Random(seed)
    circle = circle_for(name)
    circle.play(rng, PLIES)
    assert circle[1].fold.result is not None or circle[1].fold.position.plies == PLIES
    one_game(circle, rng)


@pytest.mark.many
@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_late_news_resignations_and_wishes_converge_and_nothing_shown_goes_back(name: str, seed: int) -> None:
    """Resignations and wishes at any moment while news travels slowly: no replica ever takes an action back."""
    rng = Random(seed)
    circle = circle_for(name)
    shown = [Mark() for _ in circle.tables]
    for _ in range(100):
        hear(circle, rng)
        act(circle, rng.choice(circle.tables), rng, resign=0.02, wish=0.05)
        for at, table in enumerate(circle.tables):
            assert table.fold.changed_since(shown[at]) == shown[at].length, "what was shown has changed"
            shown[at] = table.fold.mark
    hear_all(circle)
    one_game(circle, rng)
    assert not circle[1].fold.position.cheats, "an honest client was taken for a cheat"
    assert not circle[1].held.proofs


@pytest.mark.many
@pytest.mark.parametrize("name", TABLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_signed_nonsense_is_the_same_nonsense_for_all(name: str, seed: int) -> None:
    """A seat that signs unlawful moves, wrong digests, early revelations, false slots and agreements: one verdict."""
    rng = Random(seed)
    circle = circle_for(name)
    cheats = rng.sample(range(1, len(circle.tables) + 1), rng.randint(1, 2))
    play_out(circle, rng, steps=100, cheats=cheats, cheat=0.2)
    one_game(circle, rng)
    assert {cheat.seat for cheat in circle[1].fold.position.cheats} <= {*cheats}


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_many_games_converge(name: str) -> None:
    """The properties above over some hundred more games."""
    for seed in range(150):
        rng = Random(seed)
        circle = circle_for(name)
        cheats = rng.sample(range(1, len(circle.tables) + 1), seed % 3)
        play_out(circle, rng, steps=150, resign=0.03, wish=0.05, cheats=cheats, cheat=0.1)
        one_game(circle, rng)


# Epochs.


class Walk:
    """Clients over links that come and go, whose players say and do anything at random.

    What each has shown is compared after every step.
    """

    def __init__(self, seats: int, rng: Random, operators: tuple[int, ...] | None = None) -> None:
        options = {"first": 1, "pile": 60}
        self.clients = Clients(charter_of("pebbles", seats, options, fast=True, operators=operators))
        self.rng = rng
        self.shown: dict[int, list[Any]] = {operator: [] for operator in self.clients.nodes}

    def step(self) -> None:
        clients, rng = self.clients, self.rng
        operator = rng.choice([*clients.nodes])
        node = clients[operator]
        try:
            match rng.randrange(9):
                case 0:
                    clients.part(operator, rng.choice([*clients.nodes]))
                case 1:
                    clients.link(operator, rng.choice([*clients.nodes]))
                case 2:
                    clients.leave(operator)
                case 3:
                    clients.come(operator)
                case 4:
                    seats = [seat for seat in node.table.fold.owing() if node.table.operator(seat) != operator]
                    if seats:
                        clients.do(operator, node.without(rng.choice(seats)))
                case 5:
                    clients.do(operator, node.agree())
                case 6 if rng.random() < 0.1:
                    clients.do(operator, node.play(operator, "resign"))
                case _:
                    due = node.table.fold.position.due
                    if isinstance(due, Turn) and due.seat in node.table.own.signers:
                        clients.do(operator, node.play(due.seat, f"take {rng.randint(1, 2)}"))
        except LocalFaultError:
            pass
        clients.tick(rng.choice([0.1, 1.0, 1.0, 5.0]))
        self.look()

    def look(self) -> None:
        for operator, node in self.clients.nodes.items():
            log, before = node.table.fold.log, self.shown[operator]
            if any(entry.left_behind and entry.actor in node.table.own.signers for entry in log):
                continue  # nobody has to have heard what a client that is left behind did last
            assert log[: len(before)] == before, f"client {operator} took back what it had shown"
            self.shown[operator] = list(log)

    def end(self) -> None:
        """All links come up; after a while all have one game, and the same epoch."""
        self.clients.link(*self.clients.nodes)
        for _ in range(180):  # players who insist on different things hold up each other for a minute or two
            self.clients.tick(1.0)
            self.look()
        tables = [node.table for node in self.clients.nodes.values()]
        assert len({str(summary(table)) for table in tables}) == 1
        assert len({table.fold.position.slot.epoch for table in tables}) == 1
        assert not any(table.own.has_agreed for table in tables)
        assert not any(table.held.proofs or table.fold.position.cheats for table in tables)
        self.clients.check()


@pytest.mark.many
@pytest.mark.parametrize(("seats", "operators"), [(3, None), (4, None), (5, None), (5, (1, 1, 3, 4, 4))])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_epochs_are_alike_for_all_and_nothing_an_honest_client_showed_goes_back(
    seats: int, operators: tuple[int, ...] | None, seed: int
) -> None:
    """Links that come and go, and any word at any moment: in the end all have one game, and nobody took a step back."""
    walk = Walk(seats, Random(seed), operators)
    for _ in range(50):
        walk.step()
    walk.end()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_epochs_in_force_are_alike_for_all_who_hold_the_same_events(seed: int) -> None:
    """Agreements at random, signed by some or all, heard in any order: the same epoch, positions and log."""
    rng = Random(seed)
    circle = circle_of("pebbles", 4, first=1, pile=40)
    for _ in range(12):
        position, owing = circle[1].fold.position, circle[1].fold.owing()
        if rng.random() < 0.5 and not circle[1].fold.result:
            leavers = rng.sample(owing, min(len(owing), rng.randint(0, 1)))
            leaving = tuple(Leaving(seat, *circle[1].held.heads[seat - 1]) for seat in leavers)
            number = 1 + max(position.slot.epoch, *(circle[1].held.agreed(seat) for seat in position.live))
            signers = [seat for seat in position.live if seat not in leavers and rng.random() < 0.9]
            for seat in signers:
                circle.give(circle[seat], *circle[seat].own.agree(number, leaving))
        else:
            for table in circle.tables:
                act(circle, table, rng, resign=0.05, wish=0.0)
        circle.meet()
    fresh = [shuffled(circle[1], Random(n)) for n in range(3)]
    fresh[0].advance()
    free = [table for table in circle.tables if not table.own.has_agreed]
    for table in (*free, *fresh):
        assert summary(table) == summary(fresh[0])
        assert [one.slot for one in table.fold.positions] == [one.slot for one in fresh[0].fold.positions]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_a_file_tells_the_game_of_the_client_that_wrote_it(seed: int) -> None:
    """The fold, brought up to date with each event, is the fold of the file read from its beginning."""
    rng = Random(seed)
    circle = circle_for("pebbles for 4")
    play_out(circle, rng, steps=60, resign=0.02, wish=0.03)
    for file, table in zip(circle.files, circle.tables, strict=True):
        assert verify(file, circle.verifier, scheme=circle.scheme).ok
        assert summary(load(file, circle.verifier, scheme=circle.scheme)) == summary(table)


def test_the_log_tells_what_changed() -> None:
    """Only a replica that plays no seat can have to take something back: it signs nothing that others wait for."""
    circle = circle_of("pebbles", 4, first=1)
    watcher = replica(circle[1], circle.verifier)
    move = circle[1].own.play(1, "take 1")
    watcher.receive(move.raw, move.signature)
    assert watcher.fold.changed_since(Mark()) == 0
    read = watcher.fold.mark
    assert watcher.fold.changed_since(read) == read.length == 1
    assert [entry.actor for entry in watcher.fold.log] == [1]
    for event in [event for seat in (2, 3, 4) for event in circle[seat].own.agree(1, (Leaving(1, 0, b""),))]:
        watcher.receive(event.raw, event.signature)
    assert [watcher.fold.changed_since(read) for _ in "12"] == [0, 0], "asking changes nothing"
    assert watcher.fold.changed_since(watcher.fold.mark) == 1
    assert [(entry.actor, entry.action) for entry in watcher.fold.log] == [(1, "resign")]


def test_play_at_random_reaches_every_kind_of_slot_and_event() -> None:
    """The random play above is worth something."""
    slots, kinds = set(), set()
    for seed in range(12):
        circle = circle_for("pebbles for 4")
        play_out(circle, Random(seed), steps=100, resign=0.03)
        slots |= {event.slot.kind for event in events_of(circle[1])}
        kinds |= {event.kind for event in events_of(circle[1])}
    assert slots >= {SlotKind.TURN, SlotKind.COMMIT, SlotKind.REVEAL, SlotKind.END}
    assert kinds >= {EventKind.MOVE, EventKind.SEQUENCE, EventKind.RESIGN, EventKind.WISH, EventKind.RESULT}
