"""A resumed table signs nothing before the others have said what they hold of its own chain."""

from collections.abc import Iterable
from functools import partial

import pytest
from clients import Clients, clients, first_move, id_of, message_with, of
from kinds import expect
from replicas import circle_of, events_of

from protocol import Effect, LocalFaultError, Node, Send, SignedEvent, Store, message_bytes, read_message
from protocol.events import EventKind, Head
from protocol.file import event_record, records
from protocol.messages import Events, Have
from protocol.table.resuming import PATIENCE

CHALLENGE = b"now? ask"


def played(seats: int = 2, moves: int = 4) -> Clients:
    """Clients that are linked and have made some moves."""
    table = clients("pebbles", seats, pile=60)
    table.tick()
    for _ in range(moves):
        table.play(first_move(table))
    return table


def end_of(table: Clients, operator: int, number: int) -> int:
    """Where the first so many records of a client's file end."""
    return [end for end, _ in records(table.disks[operator])][number]


def signed(effects: Iterable[Effect]) -> list[Store]:
    return [store for store in of(Store, effects) if store.sync and store.data]


def no_proofs(table: Clients) -> bool:
    return not any(node.table.held.proofs for node in table.nodes.values())


@pytest.mark.parametrize("kept", [0, 1, 3, 8])
def test_an_old_copy_takes_up_its_own_chain_before_it_signs(kept: int) -> None:
    """A restored copy that signed at once would sign one number twice, and be taken for a cheat."""
    table = played()
    node = table.resume(2, end_of(table, 2, kept), CHALLENGE)
    assert node.unheard == (1,)
    assert not signed(node.start())
    for sign in (partial(node.play, 2, "resign"), partial(node.wish_draw, 2, wish=True)):
        with pytest.raises(LocalFaultError, match="UNHEARD"):
            list(sign())
    table.link(1, 2)
    assert not node.unheard
    assert node.table.held.heads == table[1].table.held.heads
    for _ in range(3):
        table.play(first_move(table))
    assert no_proofs(table)
    table.check()


def test_of_two_players_the_other_one_is_waited_for_however_long_it_takes() -> None:
    table = played()
    node = table.resume(2, challenge=CHALLENGE)
    node.tick(0.0)
    assert not signed(node.tick(100 * PATIENCE))
    assert node.unheard == (1,)


def test_of_more_players_most_of_the_others_will_do_after_a_while() -> None:
    table = played(4, 5)
    node = table.resume(4, challenge=CHALLENGE)
    table.tick(0.0, 4)
    table.link(4, 1)
    table.link(4, 2)
    assert node.unheard == (3,)
    table.tick(PATIENCE - 1.0, 4)
    assert node.unheard == (3,)
    table.tick(2.0, 4)
    assert not node.unheard


def test_half_of_the_others_will_not_do() -> None:
    table = played(5, 3)
    node = table.resume(5, challenge=CHALLENGE)
    table.tick(0.0, 5)
    for peer in (1, 2):
        table.link(5, peer)
    table.tick(10 * PATIENCE, 5)
    assert node.unheard == (3, 4)


def test_a_client_that_signs_again_hears_nobody_any_more() -> None:
    """Not even where the one that it has heard leaves the game after that."""
    table = played(3, 1)
    table.do(3, table[3].play(3, "resign"))
    node = table.resume(1, challenge=CHALLENGE)
    table.link(1, 2)
    assert not node.unheard
    table.do(2, table[2].play(2, "resign"))
    table.wait(5)
    assert node.table.fold.position.live == (1,)
    assert not node.unheard


def test_a_client_that_holds_more_of_an_own_chain_is_waited_for_though_its_seat_is_out() -> None:
    """Only a player who has resigned since got the last event before the old copy was put back."""
    for late in (None, "event", "word", "patience"):
        table = played(3, 1)
        table.do(3, table[3].play(3, "resign"))
        table.play()
        kept = len(table.disks[1])
        table.part(1, 2)
        table.do(1, table[1].wish_draw(1, wish=True))
        last = table[1].table.held.chains[0][-1]
        assert last in table[3].table.held.chains[0]
        table.part(2, 3)
        node = table.resume(1, kept, CHALLENGE)
        table.tick(0.0, 1)
        said = Have(node.table.id, table[3].table.held.heads)
        table.up.add((1, 3))
        table.do(1, node.receive(id_of(3), message_bytes(said), table.now))
        table.link(1, 2)
        if late == "event":
            missing = table[3].table.held.chains[0][node.table.held.heads[0].length :]
            table.do(1, node.receive(id_of(3), message_with(*missing), table.now))
        elif late == "word":
            table.do(1, node.trust())
        elif late:
            table.tick(PATIENCE + 1.0, 1)
        assert node.unheard == (() if late else (3,)), late


def test_the_players_word_will_do_where_the_others_never_come() -> None:
    """Of three one is gone for good and one starts again: its player says that its copy is the newest."""
    table = played(3, 2)
    table.leave(1)
    node = table.resume(3, challenge=CHALLENGE)
    table.link(2, 3)
    assert node.unheard == (1,)
    with pytest.raises(LocalFaultError, match="UNHEARD"):
        node.play(3, "take 1")
    table.do(3, node.trust())
    assert not node.unheard
    table.play()
    assert 1 in node.table.fold.owing(), "the roll"
    table.do(2, table[2].without(1))
    table.do(3, table[3].agree())
    assert node.table.fold.position.live == table[2].table.fold.position.live == (2, 3)
    assert no_proofs(table)
    table.check(2, 3)


def test_what_is_signed_on_waking_is_on_disk_before_it_is_sent() -> None:
    """The peer's statement that wakes a resumed table also asks for what it lacks: that includes what is signed now."""
    table = clients("pebbles", 2, first="random", linked=False)
    node = table.resume(2, challenge=CHALLENGE)
    node.link(id_of(1), up=True)
    (asks,) = of(Send, node.ask(id_of(1)))
    *_, asked = table[1].receive(id_of(2), asks.data, 1.0)
    effects = list(node.receive(id_of(1), expect(Send, asked).data, 1.0))
    assert len(node.table.held.chains[1]) == 1
    assert isinstance(effects[0], Store)
    assert effects[0].sync
    assert of(Send, effects)


def overtaken() -> tuple[Clients, list[SignedEvent]]:
    """Two clients, and two events of the first, of which only the later one has reached the second."""
    table = clients("fidchess", 2, linked=False)
    first = table[1]
    table.do(1, first.wish_draw(1, wish=True))
    table.do(1, first.play(1, first.table.game.legal(first.table.state, 1)[0]))
    events = list(first.table.held.chains[0])
    table.do(2, table.tell(2, events[-1], 1))
    assert events_of(table[2].table) == []
    return table, events


def test_what_waits_for_its_causes_is_given_back_before_it_counts() -> None:
    """The first event was lost, the later one arrived: its holder says so, though it cannot use it."""
    table, events = overtaken()
    node = table.resume(1, end_of(table, 1, 0), CHALLENGE)
    (asks,) = of(Send, node.link(id_of(2), up=True))
    answer = list(table[2].receive(id_of(1), asks.data, 2.0))
    assert answer[0] == Store(b"", sync=True), "what is said to be held must outlive a crash"
    (given,) = [m for m in (read_message(send.data) for send in of(Send, answer)) if isinstance(m, Events)]
    assert given.events == ((events[-1].raw, events[-1].signature),)
    (have,) = of(Send, table[2].link(id_of(1), up=True))
    assert not signed(node.receive(id_of(2), have.data, 2.0))
    assert node.unheard == (2,), "that was no answer to the challenge"


def test_an_answer_to_another_challenge_is_none() -> None:
    """A statement that was on its way before the copy was put back says less than the peer holds now."""
    table = played()
    node = table.resume(2, end_of(table, 2, 1), CHALLENGE)
    node.link(id_of(1), up=True)
    old = Have(node.table.id, node.table.held.heads, answers=b"an older")
    list(node.receive(id_of(1), message_bytes(old), 2.0))
    assert node.unheard == (1,)
    new = Have(node.table.id, node.table.held.heads, answers=CHALLENGE)
    list(node.receive(id_of(1), message_bytes(new), 2.0))
    assert not node.unheard


def test_what_waits_here_and_there_for_what_nobody_has_is_no_hindrance() -> None:
    """An old copy was put back, and an event between it and one that arrived is lost for good."""
    table, _ = overtaken()
    node = table.resume(1, end_of(table, 1, 0), CHALLENGE)
    for _ in range(3):
        table.link(1, 2)
        table.wait(6)
        table.part(1, 2)
    assert not node.unheard


def test_what_is_signed_again_is_what_the_others_hold() -> None:
    """What an old copy signs again by itself has the same bytes, so what followed counts as well."""
    table = played(2, 2)
    chain = list(table[1].table.held.chains[0])
    kept = end_of(table, 1, 1)
    node = table.resume(1, kept, CHALLENGE)
    table.do(1, node.trust())
    again = node.table.held.chains[0]
    assert again == chain[: len(again)]
    table.link(1, 2)
    assert node.table.held.chains[0] == chain
    assert no_proofs(table)


def test_what_waited_for_an_event_that_is_signed_again_comes_in_with_it() -> None:
    """Of a draw wish and the event that places it only the second one has arrived before an old copy was put back."""
    table = played(2, 2)
    before, kept = table[1].table.held.heads, len(table.disks[1])
    table.do(1, table[1].wish_draw(1, True))
    *_, wish, sequence = chain = list(table[1].table.held.chains[0])
    assert (wish.kind, sequence.kind) == (EventKind.WISH, EventKind.SEQUENCE)
    node = table.resume(1, kept, CHALLENGE)
    list(node.receive(id_of(2), message_bytes(Events(node.table.id, ((sequence.raw, sequence.signature),))), 2.0))
    list(node.receive(id_of(2), message_bytes(Have(node.table.id, before, answers=CHALLENGE)), 2.0))
    assert node.table.held.chains[0] == chain[:-2]
    assert not node.unheard
    stored = of(Store, node.wish_draw(1, True))
    assert node.table.held.chains[0] == chain
    assert event_record(sequence) in b"".join(store.data for store in stored)


def test_what_comes_back_is_stored_again() -> None:
    table = played(2, 3)
    whole = {event_record(event) for event in events_of(table[2].table)}
    table.resume(2, end_of(table, 2, 2), CHALLENGE)
    table.link(1, 2)
    disk = table.disks[2]
    assert all(record in disk for record in whole)
    table.check()


def test_the_result_is_not_signed_twice_from_an_old_copy() -> None:
    """Where the other seat has resigned nobody else is live, but it holds what this client had signed last."""
    table = played(2, 2)
    table.do(1, table[1].play(1, "resign"))
    table.wait(2)
    assert table[1].table.confirmed() == (1, 2)
    last = table[2].table.held.chains[1][-1]
    ends = [end for end, _ in records(table.disks[2])]
    node = table.resume(2, ends[-3], CHALLENGE)
    assert not signed(node.start())
    table.link(1, 2)
    table.wait(5)
    assert node.table.held.chains[1][-1] == last
    assert no_proofs(table)


def test_an_old_copy_signs_nothing_in_the_place_of_an_own_event_that_waits() -> None:
    """That event names what another seat has signed, which is on its way."""
    circle = circle_of("pebbles", 3, first=1)
    moved = circle[1].own.play(1, "take 1")
    circle.spread(moved)
    (named,) = circle.owed(circle[3])
    circle.give(circle[2], named)
    (own,) = circle.owed(circle[2])
    old = circle.client(2, [moved, own])
    assert old.duties() == []
    with pytest.raises(LocalFaultError, match="PLAYED_ON"):
        old.own.resign(2)
    old.receive(named.raw, named.signature)
    assert old.held.chains[1] == [own]


def test_the_players_word_will_do_where_what_own_events_rest_on_is_lost() -> None:
    """A bot's draw wish, sent to nobody and not on the disk, is named by what its player's seat signed next."""
    table = clients("pebbles", 3, operators=(1, 2, 1), first=1, pile=60)
    table.tick()
    kept = len(table.disks[1])
    table.do(1, [effect for effect in table[1].wish_draw(3, wish=True) if not isinstance(effect, Send)])
    sequence = table[1].table.held.chains[0][-1]
    assert sequence.kind == EventKind.SEQUENCE
    table.tell(2, sequence, 1)
    node = table.resume(1, kept, CHALLENGE)
    table.link(1, 2)
    assert (node.unheard, node.own_waits) == ((), True)
    with pytest.raises(LocalFaultError, match="PLAYED_ON"):
        node.play(1, "take 1")
    table.do(1, node.trust())
    assert not node.own_waits
    for _ in range(6):
        table.play(first_move(table))
    assert table[2].table.held.chains[0][0] != sequence
    assert no_proofs(table)
    table.check()


def test_a_client_that_was_not_resumed_signs_at_once() -> None:
    node = Node(circle_of("pebbles", 2, first="random").client(1))
    assert not node.unheard
    assert len(signed(node.start())) == 1


def test_what_was_kept_back_is_signed_however_far_the_clock_has_gone() -> None:
    """A peer claims to hold more of the own chain; then it wishes a draw, and this computer sleeps for long."""
    table = clients("pebbles", 2)
    table.tick()
    node = table.resume(1, challenge=CHALLENGE)
    table.come(1)
    table.tick()
    assert not node.unheard
    table.up.discard((1, 2))  # so that the claim is not taken back
    first, second = table[2].table.held.heads
    claim = Have(node.table.id, (Head(first.length + 1, bytes(32)), second), (), b"", b"", ())
    table.do(1, node.receive(id_of(2), message_bytes(claim), table.now))
    assert node.unheard == (2,)
    table.do(2, table[2].wish_draw(2, True))
    assert not node.table.held.chains[0]
    table.tick(1000.0, 1)
    assert [event.kind for event in node.table.held.chains[0]] == [EventKind.SEQUENCE]
