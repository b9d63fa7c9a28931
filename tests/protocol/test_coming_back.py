"""A resumed table signs nothing before the others have said what they hold of its own chain."""

import pytest
from protocol._event import MOVE, SEQUENCE
from protocol._node import RESUME_PATIENCE
from protocol._transcript import event_record
from replicas import FAST, FAST_SIGNERS, Circle, charter_of, events_of
from test_node import carry, id_of, link, nodes

from protocol import Events, LocalFaultError, Node, Secrets, Send, Store, Table, read_message
from protocol.messages import event_batches


def resumed(node, seat, kept, challenge=b""):
    """The client of `seat` again, from the first `kept` events of its file."""
    table = Table(node.table.charter, {seat: FAST_SIGNERS[seat - 1]}, Secrets.from_seed(b"seed%d" % seat), FAST)
    table.load(events_of(node.table)[:kept])
    return Node(table, resumed=True, challenge=challenge)


def play(group, moves):
    link(group)
    for _ in range(moves):
        table = group[0].table
        seat = table.fold.position.due.seat
        carry(group, {seat: group[seat - 1].play(seat, table.game.legal(table.state, seat)[0])})


def message_of(effect):
    return read_message(effect.data)


def stored(effects):
    return [effect for effect in effects if isinstance(effect, Store) and effect.sync]


@pytest.mark.parametrize("kept", [0, 1, 3, 4])
def test_an_old_copy_takes_up_its_own_chain_before_it_signs(kept):
    """Rule 20: a restored copy that signed at once would sign one number twice, and be taken for a cheat."""
    group = nodes()
    play(group, 4)
    group[1] = resumed(group[1], 2, kept)
    assert group[1].unheard == (1,)
    assert not stored(group[1].start())
    with pytest.raises(LocalFaultError, match="how far the game had come"):
        group[1].play(2, "resign")
    with pytest.raises(LocalFaultError):
        group[1].wish_draw(2, wish=True)
    for node, peer in ((group[0], 2), (group[1], 1)):
        node.link(id_of(peer), up=False)
    effects = {1: group[0].link(id_of(2), up=True), 2: group[1].link(id_of(1), up=True)}
    carry(group, effects)
    assert group[1].unheard == ()
    assert group[1].table.heads == group[0].table.heads
    play(group, 3)
    assert group[0].table.heads == group[1].table.heads
    assert not group[0].table.forks


def test_of_two_players_the_other_one_is_waited_for_however_long_it_takes():
    group = nodes()
    play(group, 4)
    node = resumed(group[1], 2, 4)
    node.tick(0.0)
    assert not stored(node.tick(100 * RESUME_PATIENCE))
    assert node.unheard == (1,)


def test_of_more_players_most_of_the_others_will_do_after_a_while():
    group = nodes("qenqe", 4)
    play(group, 5)
    node = resumed(group[3], 4, 5)
    node.tick(0.0)
    for peer in (1, 2):
        node.link(id_of(peer), up=True)
        have = [effect for effect in group[peer - 1].link(id_of(4), up=True) if isinstance(effect, Send)]
        node.receive(id_of(peer), have[0].data, 1.0)
    assert node.unheard == (3,)
    node.tick(RESUME_PATIENCE + 1.0)
    assert node.unheard == ()


def test_who_has_woken_does_not_sleep_again_when_the_last_one_heard_leaves():
    """Who left before is asked where nobody else is left: but not by who has heard enough, and signs already."""
    group = nodes("pebbles", 3)
    play(group, 1)
    carry(group, {3: group[2].play(3, "resign")})
    group[0] = node = resumed(group[0], 1, len(events_of(group[0].table)))
    carry(group, {1: node.link(id_of(2), up=True), 2: group[1].link(id_of(1), up=True)})
    assert node.unheard == ()
    carry(group, {2: group[1].play(2, "resign")})
    assert node.table.fold.position.live == (1,)
    assert node.unheard == ()


def test_who_is_known_to_hold_more_of_an_own_chain_is_waited_for_though_it_has_left():
    """Rule 20: only a player who has resigned since got the last event before the old copy was put back."""
    group = nodes("pebbles", 3)
    play(group, 1)
    carry(group, {3: group[2].play(3, "resign")})
    kept = len(events_of(group[0].table))
    last = group[0].table.wish_draw(1, wish=True)
    (batch,) = event_batches(group[0].table.id, [last])
    list(group[2].receive(id_of(1), batch, 0.0))
    for late in (None, "event", "word", "patience"):
        node = resumed(group[0], 1, kept)
        node.tick(0.0)
        for peer in (3, 2):
            node.link(id_of(peer), up=True)
            (have,) = group[peer - 1].link(id_of(1), up=True)
            list(node.receive(id_of(peer), have.data, 1.0))
        if late == "event":
            list(node.receive(id_of(3), batch, 2.0))
        elif late == "word":
            node.trust()
        elif late:
            node.tick(RESUME_PATIENCE + 1.0)
        assert node.unheard == (() if late else (3,)), late


def test_the_players_word_will_do_where_the_others_never_come():
    """Rule 20: of three one is gone for good and one starts again: it says itself that its copy is the newest."""
    group = nodes("pebbles", 3)
    play(group, 2)
    events = len(events_of(group[2].table))
    group[2] = node = resumed(group[2], 3, events)
    group[1].link(id_of(1), up=False)
    node.tick(0.0)
    carry(group, {2: group[1].link(id_of(3), up=True), 3: node.link(id_of(2), up=True)})
    assert not stored(node.tick(100 * RESUME_PATIENCE))
    assert node.unheard == (1,)
    with pytest.raises(LocalFaultError, match="newest"):
        node.play(3, "take 1")
    carry(group, {3: node.trust()})
    assert node.unheard == ()
    carry(group, {3: node.play(3, "take 1")})
    assert 1 in node.table.owing(), "the roll"
    for seat in (2, 3):
        carry(group, {seat: group[seat - 1].vote(1)})
    assert node.table.fold.position.live == group[1].table.fold.position.live == (2, 3)
    assert node.table.heads == group[1].table.heads
    assert not node.table.forks


def test_what_is_signed_on_waking_is_on_disk_before_it_is_sent():
    """The peer's Have that wakes a resumed table also asks for what it lacks: that includes what is signed only now."""
    group = nodes("pebbles", first="random")
    node = resumed(group[1], 2, 0)
    node.link(id_of(1), up=True)
    (have,) = group[0].link(id_of(2), up=True)
    effects = list(node.receive(id_of(1), have.data, 1.0))
    assert len(node.table.chains[1]) == 1
    assert isinstance(effects[0], Store)
    assert effects[0].sync
    assert any(isinstance(effect, Send) for effect in effects[1:])


def overtaken():
    """Two clients, and two events of the first, of which only the later one has reached the second."""
    group = nodes()
    table = group[0].table
    events = [table.wish_draw(1, wish=True), table.play(1, table.game.legal(table.state, 1)[0])]
    link(group)
    for batch in event_batches(table.id, events[1:]):
        assert list(group[1].receive(id_of(1), batch, 1.0))
    return group, events


def test_what_waits_for_its_causes_is_given_back_before_it_counts():
    """Rule 20: of two events the later one arrived, the first was lost: who has it says so, though it cannot use it."""
    group, events = overtaken()
    assert events_of(group[1].table) == []
    group[0] = node = resumed(group[0], 1, 1, b"now?")
    answer = group[1].receive(id_of(1), node.link(id_of(2), up=True)[0].data, 2.0)
    assert answer[0] == Store(b"", sync=True), "what is said to be held must outlive a crash"
    (given,) = [message for message in map(message_of, answer[1:]) if isinstance(message, Events)]
    assert given.events == ((events[1].raw, events[1].signature),)
    (have,) = group[1].link(id_of(1), up=True)
    assert not stored(node.receive(id_of(2), have.data, 2.0))
    assert node.unheard == (2,), "that was no answer"
    carry(group, {2: answer}, now=3.0)
    assert node.unheard == ()
    assert events_of(node.table) == events


def test_what_waits_here_and_there_for_what_nobody_has_is_no_hindrance():
    """Rule 20: an old copy was put back, and an event between it and one that arrived is lost for good."""
    group, _ = overtaken()
    group[0] = node = resumed(group[0], 1, 0, b"now? ask")
    for now in (10.0, 20.0):
        carry(group, {1: node.link(id_of(2), up=True), 2: group[1].link(id_of(1), up=True)}, now=now)
    assert node.unheard == ()
    play(group, 3)
    assert group[1].table.heads == node.table.heads


def test_what_is_signed_again_is_what_the_others_hold():
    """Rule 20: what an old copy signs again by itself has the same bytes, so what followed counts as well."""
    group = nodes()
    link(group)
    group[1].wish_draw(2, wish=True)
    (wish,) = group[1].table.chains[1]
    table = group[0].table
    table.receive(wish.raw, wish.signature)
    events = [*table.duties(), table.play(1, table.game.legal(table.state, 1)[0])]
    assert [event.kind for event in events] == [SEQUENCE, MOVE]
    for batch in event_batches(table.id, events[1:]):
        assert list(group[1].receive(id_of(1), batch, 1.0))
    group[0] = node = resumed(group[0], 1, 0, b"now? ask")
    records = b""
    for now in (10.0, 20.0):
        told = carry(group, {1: node.link(id_of(2), up=True), 2: group[1].link(id_of(1), up=True)}, now=now)
        records += b"".join(effect.data for effect in stored(told[1]))
    assert records == b"".join(map(event_record, events)), "what counts again is stored again"
    assert node.table.chains[0] == events
    assert group[1].table.heads == node.table.heads
    assert not group[1].table.forks


def test_the_result_is_not_signed_twice_from_an_old_copy():
    """Where the other seat has resigned nobody else is live, but it holds what this one had signed last."""
    group = nodes()
    play(group, 2)
    carry(group, {1: group[0].play(1, "resign")})
    assert group[0].table.confirmed() == (1, 2)
    signed = group[1].table.chains[1][-1]
    node = resumed(group[1], 2, 3)
    assert node.table.fold.position.result
    assert not stored(node.start())
    group[1] = node
    carry(group, {1: group[0].link(id_of(2), up=True), 2: node.link(id_of(1), up=True)})
    assert node.table.chains[1][-1] == signed
    assert not group[0].table.forks


def test_an_old_copy_signs_nothing_in_the_place_of_an_own_event_that_waits():
    """Rule 20: it names what another seat has signed, which is on its way."""
    circle = Circle(charter_of("pebbles", 3, {"first": 1}, fast=True), fast=True)
    moved = circle[1].play(1, "take 1")
    circle.spread(moved)
    (named,) = circle.owed(circle[3])
    circle.give(circle[2], named)
    (own,) = circle.owed(circle[2])
    old = circle.client(2)
    for event in (moved, own):
        old.receive(event.raw, event.signature)
    assert old.duties() == []
    with pytest.raises(LocalFaultError, match="already"):
        old.resign(2)
    old.receive(named.raw, named.signature)
    assert old.chains[1] == [own]
