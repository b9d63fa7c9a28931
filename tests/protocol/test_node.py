"""Nodes over a bad network: games end, alike for all; what is sent was stored; noise costs nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol._event import COMMITMENT, MOVE, REVELATION
from protocol._fold import Fold
from protocol._node import ASK_AGAIN, HAVE_EVERY, REPEAT_AFTER, REPEAT_BYTES
from protocol._transcript import ForkRecord
from replicas import FAST, FAST_SIGNERS, Circle, charter_of, events_of, summary

from engine import CHANCE, Turn
from protocol import (
    ADJOURN,
    QUIT,
    STARTED,
    Blame,
    Broken,
    Caught,
    Chat,
    Decline,
    Disputed,
    Events,
    Folded,
    Form,
    Have,
    Head,
    Heard,
    Identity,
    Join,
    Leave,
    Left,
    LocalFaultError,
    Node,
    Secrets,
    Send,
    Store,
    Table,
    _chance,
    charter_record,
    event_record,
    message_bytes,
    read_message,
    records,
    verify,
)
from protocol.messages import MESSAGE_LIMIT, event_batches

# One node and its links.


def nodes(key="fidchess", seats=2, **options):
    charter = charter_of(key, seats, {"first": 1, **options}, fast=True)
    return [
        Node(Table(charter, {n: FAST_SIGNERS[n - 1]}, Secrets.from_seed(b"seed%d" % n), FAST))
        for n in range(1, seats + 1)
    ]


def id_of(seat):
    return FAST_SIGNERS[seat - 1].id


def link(group):
    for a, node in enumerate(group, 1):
        for b in range(1, len(group) + 1):
            if a != b:
                node.link(id_of(b), up=True)


def carry(group, effects_of, now=1.0):
    """Deliver what nodes send, until all is quiet; return all other effects by seat."""
    told = {seat: [] for seat in range(1, len(group) + 1)}
    queue = [(seat, effect) for seat, effects in effects_of.items() for effect in effects]
    while queue:
        seat, effect = queue.pop(0)
        if isinstance(effect, Send):
            receiver = next(n for n in told if id_of(n) == effect.peer)
            queue += [(receiver, new) for new in group[receiver - 1].receive(id_of(seat), effect.data, now)]
        elif not isinstance(effect, Folded):
            told[seat].append(effect)
    return told


def first_move(node):
    return node.table.game.legal(node.table.state, 1)[0]


def test_what_is_signed_is_stored_then_sent():
    """Effects come in the order in which they must be carried out: safe on disk, then on the wire."""
    group = nodes()
    link(group)
    store, send = group[0].play(1, first_move(group[0]))
    (event,) = group[0].table.chains[0]
    assert store == Store(event_record(event), sync=True)
    assert send.peer == id_of(2)
    assert read_message(send.data) == Events(group[0].table.id, ((event.raw, event.signature),))


def test_what_is_signed_is_sent_before_what_follows_from_it_is_worked_out(monkeypatch):
    """Nobody waits for a client to apply its own move, nor for it to apply the roll that its own salt completes."""
    group = nodes("pebbles")
    link(group)
    carry(group, {1: group[0].play(1, "take 1")})
    folded = []
    advance = Fold.advance
    monkeypatch.setattr(Fold, "advance", lambda fold: (folded.append(len(fold.log)), advance(fold))[1])
    move = iter(group[1].play(2, "take 1"))
    assert isinstance(next(move), Store)
    send = next(move)
    assert not folded
    assert list(move) == []
    answer = iter(group[0].receive(id_of(2), send.data, 1.0))
    stored, sent = next(answer), next(answer)
    assert stored.sync
    assert isinstance(sent, Send)
    before = len(folded)
    assert list(answer) == [Folded()]
    assert len(folded) > before, "the roll"
    assert group[0].table.fold.log[-1].actor == CHANCE
    shown, heard, said = group[1].receive(id_of(1), sent.data, 1.0)
    assert (shown, type(heard), type(said)) == (Folded(), Store, Send), "the mover sees the roll, then says so"


def test_what_is_shown_with_a_roll_is_worked_out_before_anybody_waits_for_it(monkeypatch):
    """Between the choice of a move and the roll after it nobody makes a salt or commits to one."""
    _chance._shown.cache_clear()
    group = nodes("pebbles")
    link(group)
    carry(group, {1: group[0].play(1, "take 1")})
    made = []
    monkeypatch.setattr(_chance, "salt", lambda *about: made.append(about))
    _, move = group[1].play(2, "take 1")
    assert group[1].table.chains[1][-1].shows
    answer = iter(group[0].receive(id_of(2), move.data, 1.0))
    assert isinstance(next(answer), Store)
    assert group[0].table.chains[0][-1].kind == REVELATION
    assert made == []


def test_what_is_heard_is_stored_before_what_it_leads_to():
    """A move is stored before the commitment that answers it: the file never holds an event without its causes."""
    group = nodes("pebbles")
    link(group)
    told = carry(group, {1: group[0].play(1, "take 1")})
    for seat in (1, 2):
        data = charter_record(group[0].table.charter) + b"".join(effect.data for effect in told[seat])
        report = verify(data, FAST)
        assert report.ok, report.error
        assert report.events == 1 + 2 + 2


@given(st.binary(max_size=200))
def test_garbage_is_blamed(data):
    """Noise from a seated peer: at most a word about it, and no change."""
    node = NODES[0]
    before = node.table.heads
    for effect in node.receive(id_of(2), data, 1.0):
        assert isinstance(effect, Blame | Send)
    assert node.table.heads == before


NODES = nodes()

NOISE = {
    "oversized": bytes(MESSAGE_LIMIT + 1),
    "oversized and well formed": message_bytes(Events(NODES[0].table.id, ((bytes(16384), bytes(64)),) * 4)),
    "a malformed event": message_bytes(Events(NODES[0].table.id, ((b"raw", bytes(64)),))),
    "a signature of nothing": message_bytes(Events(NODES[0].table.id, ((b"raw", b""),))),
    "an event too long": message_bytes(Events(NODES[0].table.id, ((bytes(16385), bytes(64)),))),
    "long chat": message_bytes(Chat(NODES[0].table.id, "x" * 201)),
    "chat that moves the cursor": message_bytes(Chat(NODES[0].table.id, "\x1b[2J")),
    "a farewell for no reason": message_bytes(Leave(NODES[0].table.id, 3)),
    "deep": b"\x91" * 100,
}


@pytest.mark.parametrize("data", NOISE.values(), ids=NOISE)
def test_noise_is_blamed(data):
    effects = list(NODES[0].receive(id_of(2), data, 1.0))
    assert isinstance(effects[0], Blame)
    assert effects[0].reason.isprintable()
    assert not any(isinstance(effect, Store | Caught | Broken | Heard) for effect in effects)
    assert NODES[0].table.heads == (Head(0, b""),) * 2


QUIET = {
    "another table's heads": Have(bytes(32), (Head(0, b""),) * 2),
    "too few heads": Have(NODES[0].table.id, (Head(0, b""),)),
    "another table's events": Events(bytes(32), ((b"raw", bytes(64)),)),
    "another table's chat": Chat(bytes(32), "hello"),
    "empty chat": Chat(NODES[0].table.id, ""),
    "another table's farewell": Leave(bytes(32), 1),
    "a formation": Form((), ()),
    "a wish to join": Join(),
}


@pytest.mark.parametrize("message", QUIET.values(), ids=QUIET)
def test_what_concerns_others_is_ignored(message):
    assert NODES[0].receive(id_of(2), message_bytes(message), 1.0) == []


def test_a_peer_without_a_seat_is_ignored():
    """A third client on the network reads nothing, changes nothing and gets no answer."""
    group = nodes()
    link(group)
    stranger = Identity(b"s" * 32).id
    event = group[0].table.play(1, first_move(group[0]))
    for message in (
        Have(group[1].table.id, group[1].table.heads),
        Events(group[1].table.id, ((event.raw, event.signature),)),
        Chat(group[1].table.id, "hello"),
        Form((), ()),
    ):
        assert group[1].receive(stranger, message_bytes(message), 1.0) == []
    (answer,) = group[1].receive(stranger, message_bytes(Join()), 1.0)
    assert answer == Send(stranger, message_bytes(Decline(STARTED))), "all it hears is that it came too late"
    assert group[1].link(stranger, up=True) == []
    assert group[1].linked == (id_of(1),)
    assert group[1].table.chains[0] == []


def test_a_late_message_does_not_raise_a_dead_link():
    """A message of a peer whose link is down is used, but the peer does not count as linked by it."""
    group = nodes()
    link(group)
    group[0].link(id_of(2), up=False)
    ahead = (Head(0, b""), Head(3, bytes(32)))
    group[0].receive(id_of(2), message_bytes(Have(group[0].table.id, ahead)), 9.0)
    assert group[0].linked == ()
    with pytest.raises(LocalFaultError, match="connected"):
        group[0].say("hello")


def test_a_peer_that_pretends_to_hold_more_is_asked_seldom():
    group = nodes()
    link(group)
    ahead = message_bytes(Have(group[0].table.id, (Head(0, b""), Head(3, bytes(32)))))
    asked = [group[0].receive(id_of(2), ahead, 1.0 + n / 100) for n in range(100)]
    assert sum(map(len, asked)) == 2


def test_a_peer_that_pretends_to_hold_nothing_is_not_told_all_each_time():
    """A request costs a few bytes and its answer the whole game: the longer it is, the more seldom it is given."""
    group = nodes("pebbles", 3)
    link(group)
    carry(group, {1: group[0].play(1, "take 1")})
    nothing = message_bytes(Have(group[0].table.id, (Head(0, b""),) * 3))

    def told(now):
        sends = [effect for effect in group[0].receive(id_of(2), nothing, now) if isinstance(effect, Send)]
        return sum(len(read_message(effect.data).events) for effect in sends)

    events = events_of(group[0].table)
    held, again = len(events), REPEAT_AFTER + sum(len(event.raw) for event in events) / REPEAT_BYTES
    assert held > 6
    assert [told(10.0 + again * n / 100) for n in range(100)] == [held] + [0] * 99
    assert told(10.0 + again) == held
    group[0].link(id_of(2), up=True)
    assert told(10.0 + again) == held, "a link that comes back starts anew"


def test_what_was_lost_is_asked_for():
    """A move, an acknowledgement, or the answer to who asks, where a peer was not heard for a moment."""
    group = nodes()
    link(group)
    group[0].play(1, first_move(group[0]))
    group[0].receive(id_of(2), group[1].ask(id_of(1))[0].data, 1.0)
    carry(group, {2: group[1].ask(id_of(1))}, 1.1)
    assert group[1].table.chains[0] == [], "what was told a moment ago"
    (asked,) = group[1].tick(1.0 + ASK_AGAIN)
    move, *_ = group[0].receive(id_of(2), asked.data, 1.0 + ASK_AGAIN)
    list(group[1].receive(id_of(1), move.data, 1.6))
    assert group[1].table.chains[0] == group[0].table.chains[0]
    assert not group[0].acknowledged
    carry(group, {1: group[0].ask(id_of(2))}, 1.7)
    assert group[0].acknowledged
    assert group[0].ask(id_of(3)) == []


def test_an_event_that_comes_late_takes_no_acknowledgement_back():
    group = nodes()
    link(group)
    carry(group, {1: group[0].play(1, first_move(group[0]))})
    list(group[1].play(2, group[1].table.game.legal(group[1].table.state, 2)[0]))
    carry(group, {1: group[0].wish_draw(1, True)}, 2.0)
    assert len(group[0].table.chains[1]) == 1
    assert group[0].acknowledged


def test_a_player_who_leaves_by_wish_is_known_to_have_left():
    group = nodes()
    assert group[0].leave(ADJOURN) == [], "nobody is linked who could hear it"
    link(group)
    assert carry(group, {1: group[0].leave(QUIT)}) == {1: [], 2: [Left(1, QUIT)]}
    assert carry(group, {1: group[0].leave(ADJOURN)}) == {1: [], 2: [Left(1, ADJOURN)]}


def test_chat_reaches_the_others_and_nothing_else():
    group = nodes()
    link(group)
    told = carry(group, {1: group[0].say("  hello\n there ")})
    assert told == {1: [], 2: [Heard(1, "hello there")]}
    with pytest.raises(LocalFaultError, match="nothing to say"):
        group[0].say(" \n")


def test_events_travel_through_a_third():
    """No link between two seats: the third passes on what they signed."""
    group = nodes("pebbles", 3)
    for a, b in ((1, 2), (2, 1), (2, 3), (3, 2)):
        group[a - 1].link(id_of(b), up=True)
    carry(group, {1: group[0].play(1, "take 1")})
    for now in (10.0, 20.0, 30.0, 40.0, 50.0, 60.0):
        carry(group, {seat: node.tick(now) for seat, node in enumerate(group, 1)}, now)
    assert isinstance(group[0].table.fold.position.due, Turn)
    assert len({summary(node.table)[0] for node in group}) == 1


@pytest.mark.parametrize(("seats", "cut"), [(3, (1, 2)), (5, (2, 4))])
def test_a_third_passes_on_at_once_what_two_cannot_tell_each_other(seats, cut):
    """Once these have said that they are apart. It takes few messages more, and none where all are linked."""

    def messages(cut):
        """Play some moves with no time passing; return how many messages they took."""
        group = nodes("pebbles", seats, pile=60)
        for a in range(1, seats + 1):
            for b in {*range(1, seats + 1)} - {a}:
                if {a, b} != {*cut}:
                    group[a - 1].link(id_of(b), up=True)
        carry(group, {seat: node.tick(1.0) for seat, node in enumerate(group, 1)})
        taken = []
        for node in group:
            node.receive = lambda *args, receive=node.receive: taken.append(args) or receive(*args)
        for _ in range(2 * seats):
            turn = group[0].table.fold.position.due.seat
            carry(group, {turn: group[turn - 1].play(turn, "take 1")})
            assert len({summary(node.table)[0] for node in group}) == 1
        return len(taken)

    assert messages(cut) < 1.1 * messages(())


def test_statements_come_every_few_seconds():
    node = nodes()[0]
    node.link(id_of(2), up=True)
    assert len(node.tick(1.0)) == 1
    assert node.tick(1.0 + HAVE_EVERY / 2) == []
    assert len(node.tick(1.1 + HAVE_EVERY)) == 1


# Forks.


def two_versions(group):
    """Two moves that seat 1 signed with one number."""
    circle = Circle(group[0].table.charter, fast=True)
    legal = circle[1].game.legal(circle[1].state, 1)
    return [circle.forge(1, MOVE, (move,)) for move in legal[:2]]


def told_of(node, event, peer):
    """What a node does with an event from a peer."""
    return list(node.receive(id_of(peer), message_bytes(Events(node.table.id, ((event.raw, event.signature),))), 1.0))


@pytest.mark.parametrize("longer", [False, True])
def test_two_holders_of_two_versions_find_the_fork(longer):
    """A seat shows each peer another move: as soon as these two compare what they hold, both have the proof on disk."""
    group = nodes("pebbles", 3)
    one, two = two_versions(group)
    link(group)
    disks = {2: charter_record(group[0].table.charter), 3: charter_record(group[0].table.charter)}
    for seat, event in ((2, one), (3, two)):
        for effect in told_of(group[seat - 1], event, 1):
            disks[seat] += effect.data if isinstance(effect, Store) else b""
    if longer:
        circle = Circle(group[0].table.charter, fast=True)
        circle.give(circle[1], two)
        for event in circle[1].duties():
            for effect in told_of(group[2], event, 1):
                disks[3] += effect.data if isinstance(effect, Store) else b""
        assert group[2].table.heads[0].length == 2
    told = carry(group, {seat: group[seat - 1].tick(10.0) for seat in (2, 3)}, 10.0)
    for seat in (2, 3):
        node = group[seat - 1]
        assert [fork.kept.seat for fork in node.table.forks] == [1]
        assert [effect.seat for effect in told[seat] if isinstance(effect, Caught)] == [1]
        assert node.table.fold.position.live == (2, 3), "and have removed the seat"
        disks[seat] += b"".join(effect.data for effect in told[seat] if isinstance(effect, Store))
        report = verify(disks[seat], FAST)
        assert report.ok, report.error
        assert report.cheats == ("seat 1 signed two versions of its number 1",)
        assert any(line.startswith("CHEAT") for line in report.lines)


def test_a_resumed_table_does_not_store_its_proof_again():
    """A second record of one proof would make the own file invalid."""
    group = nodes()
    one, two = two_versions(group)
    link(group)
    disk = charter_record(group[1].table.charter)
    for event in (one, two):
        disk += b"".join(effect.data for effect in told_of(group[1], event, 1) if isinstance(effect, Store))
    assert verify(disk, FAST).cheats == ("seat 1 signed two versions of its number 1",)
    resumed = Table(group[1].table.charter, {2: FAST_SIGNERS[1]}, Secrets.from_seed(b"seed2"), FAST)
    kept, other = group[1].table.forks[0]
    resumed.load([one], [group[1].table.forks[0]])
    assert resumed.forks == [(kept, other)] == [(one, two)]
    node = Node(resumed)
    node.link(id_of(1), up=True)
    for event in (one, two):
        disk += b"".join(effect.data for effect in told_of(node, event, 1) if isinstance(effect, Store))
    report = verify(disk, FAST)
    assert report.ok, report.error
    assert sum(isinstance(record, ForkRecord) for _, record in records(disk)) == 1


def test_a_cheat_is_told_once():
    group = nodes()
    link(group)
    circle = Circle(group[0].table.charter, fast=True)
    event = circle.forge(1, MOVE, ("A2-A9",))
    told = [told_of(group[1], event, 1) for _ in range(3)]
    assert [sum(isinstance(effect, Caught) for effect in effects) for effects in told] == [1, 0, 0]


# Two states.


def test_a_wrong_digest_is_told_once_and_checked_once(monkeypatch):
    """Rule 6: whose fold is wrong? A seat is told of once for each slot; the own fold is checked from zero, but a
    flood of such events does not make the client refold for each."""
    refolds = []
    refolded = Table.refolded
    monkeypatch.setattr(Table, "refolded", lambda table: refolds.append(table) or refolded(table))
    group = nodes("pebbles", 3, first="random")
    link(group)
    circle = Circle(group[0].table.charter, fast=True)
    disputes = []
    for seat in (1, 3) * 10:
        event = circle.forge(seat, COMMITMENT, (bytes(32),), digest=bytes([len(disputes)]) * 32)
        circle.give(circle[seat], event)
        circle[seat].receive(event.raw, event.signature)
        effects = told_of(group[1], event, seat) + told_of(group[1], event, seat)
        disputes += [effect for effect in effects if isinstance(effect, Disputed | Broken)]
    assert disputes == [Disputed(1, 1), Disputed(3, 1)]
    assert refolds == [group[1].table]


def test_a_client_whose_own_state_is_wrong_stops():
    """Rule 6: if the refold disagrees with the running state, the fault is here: the client says so and blames
    nobody."""
    group = nodes()
    link(group)
    table = group[1].table
    broken = table.game.apply(table.state, 1, first_move(group[0]))
    table.fold.position = table.fold._openings[-1] = table.fold.position._replace(state=broken)
    event = Circle(table.charter, fast=True).forge(1, MOVE, (group[0].table.game.legal(group[0].table.state, 1)[1],))
    assert Broken() in told_of(group[1], event, 1)


def test_batches_stay_below_the_limit():
    """The largest events still fit into messages, in order, none lost."""
    circle = Circle(charter_of("fidchess", 2, {"first": 1, "turn_limit": 60}, fast=True), fast=True)
    event = circle.forge(1, MOVE, ("x" * 200,))
    large = [event._replace(raw=bytes([n]) * 16384) for n in range(9)]
    batches = event_batches(event.table, large)
    assert all(len(batch) <= MESSAGE_LIMIT for batch in batches)
    assert [raw for batch in batches for raw, _ in read_message(batch).events] == [event.raw for event in large]
    assert events_of(circle[1]) == []
