"""One client among its links: effects in their order, what is told to whom and how often, noise, news, the end."""

from collections.abc import Iterable
from typing import Any
from unittest.mock import Mock

import pytest
from clients import Clients, clients, first_move, id_of, message_with, of
from hypothesis import given
from hypothesis import strategies as st
from kinds import expect
from replicas import FAST, charter_of, circle_of, events_of, summary
from whist import whist

from engine import CHANCE, Result, Turn
from protocol import (
    RESULT_PATIENCE,
    Blame,
    Caught,
    Chat,
    Decline,
    DeclineReason,
    Disputed,
    Effect,
    Folded,
    Form,
    Identity,
    Join,
    Leave,
    LeaveReason,
    LocalFaultError,
    Message,
    Node,
    OwnFoldWrong,
    PeerLeft,
    PlayerChat,
    Send,
    Store,
    StoreSecrets,
    Talk,
    WantsAnother,
    Watch,
    Watchers,
    Watching,
    event_record,
    message_bytes,
    read_message,
    verify,
)
from protocol.chance import rolls
from protocol.chance.salts import bound_salt
from protocol.events import EventKind, Head, bodies
from protocol.identity.secrets import Secrets
from protocol.messages import MESSAGE_LIMIT, Events, Have, event_batches
from protocol.table.exchange import ASK_AGAIN, HAVE_EVERY, LEAVE_AFTER, REPEAT_AFTER, REPEAT_BYTES
from protocol.table.fold import Fold

NOTHING = Head(0, b"")


def sent(effects: Iterable[Effect]) -> list[Message]:
    """The messages among effects."""
    return [read_message(effect.data) for effect in effects if isinstance(effect, Send)]


def events_in(effects: Iterable[Effect]) -> set[bytes]:
    """The raw events among the messages sent."""
    return {raw for message in sent(effects) if isinstance(message, Events) for raw, _ in message.events}


# What is on disk before it is sent.


def test_what_is_signed_is_stored_then_sent() -> None:
    """Effects come in the order in which they must be carried out: safe on disk, then on the wire."""
    table = clients("fidchess")
    node = table[1]
    store, send = node.play(1, node.table.game.legal(node.table.state, 1)[0])
    (event,) = node.table.held.chains[0]
    assert store == Store(event_record(event), sync=True)
    assert send == Send(id_of(2), message_with(event))


def test_a_move_goes_together_with_the_movers_part_in_the_roll() -> None:
    """One message, and nobody waits for it."""
    table = clients("pebbles", pile=40)
    table.play()
    store, send, folded = table[2].play(2, "take 1")
    move, shown = table[2].table.held.chains[1][-2:]
    assert (move.kind, shown.kind) == (EventKind.MOVE, EventKind.REVELATION)
    assert store == Store(event_record(move) + event_record(shown), sync=True)
    assert send == Send(id_of(1), message_with(move, shown))
    assert folded == Folded()


def test_a_move_that_leads_to_no_roll_does_not_wait_for_the_fold() -> None:
    """Commitments stand, but the same seat has another die to play."""
    table = clients("kingamon")
    fold = table[1].table.fold
    before = fold.position
    assert before.bound
    effects = iter(table[1].play(1, first_move(table)))
    assert [type(next(effects)) for _ in range(2)] == [Store, Send]
    assert fold.position is before
    assert [*effects] == []
    assert (fold.position.plies, fold.position.due) == (before.plies + 1, Turn(1))


def test_a_part_is_stored_and_sent_before_a_player_is_told() -> None:
    """Nobody waits for a screen: first the disk, then the wire, then the news."""
    table = clients("pebbles", pile=40)
    table.play()
    _, send, _ = table[2].play(2, "take 1")
    log = table[1].table.fold.log
    effects = iter(table[1].receive(id_of(2), expect(Send, send).data, 1.0))
    assert expect(Store, next(effects)).sync
    told = expect(Send, next(effects))
    assert log[-1].actor != CHANCE, "nor for what this client makes of the roll"
    assert [*effects] == [Folded()]
    assert log[-1].actor == CHANCE
    shown, heard, said = table[2].receive(id_of(1), told.data, 1.0)
    assert (shown, type(heard), type(said)) == (Folded(), Store, Send), "the mover sees the roll, then says so"


def test_what_is_shown_with_a_roll_is_worked_out_before_anybody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the choice of a move and the roll after it nobody makes a salt or commits to one."""
    table = clients("pebbles", pile=40)
    table.play()
    made = Mock(wraps=bound_salt)
    monkeypatch.setattr(rolls, "bound_salt", made)
    before = bound_salt.cache_info().misses
    list(table[2].play(2, "take 1"))
    made.assert_called()
    assert bound_salt.cache_info().misses == before


def test_what_is_heard_is_stored_with_what_it_leads_to_and_before_it_is_sent() -> None:
    table = clients("pebbles", pile=40)
    send, *_ = of(Send, table[1].play(1, "take 1"))
    effects = list(table[2].receive(id_of(1), send.data, 1.0))
    assert isinstance(effects[0], Store)
    assert effects[0].sync
    assert effects[0].data.startswith(event_record(table[1].table.held.chains[0][0]))
    assert table[2].table.held.chains[1][0].raw in events_in(effects[1:])


def test_each_file_holds_the_causes_of_what_it_holds() -> None:
    table = clients("pebbles", 3, pile=40)
    for _ in range(6):
        table.play()
    report = table.check()
    assert report.events > 20


def test_secrets_of_a_deal_that_is_over_are_given_up() -> None:
    """Once all have signed a key for the next deal: whoever steals the computer later opens no old hand."""
    table = Clients(whist(2).charter)
    table.wait(6)
    while table[1].table.fold.position.deals < 2:
        due = table[1].table.fold.position.due
        assert isinstance(due, Turn)
        view = table[due.seat].table.own.view(due.seat)
        table.play(table[1].table.game.legal(view, due.seat)[0])
    kept = of(StoreSecrets, table.told[1])
    secrets = expect(Secrets, table[1].table.own.secrets)
    assert [keep.secrets for keep in kept][-1] == secrets.kept(table[1].table.id)
    assert secrets.deal > 0


# Noise.


NODE = Node(circle_of("fidchess", 2, first=1).client(1))
TABLE = NODE.table.id

NO_CODE: Any = 3
NOISE = {
    "oversized": bytes(MESSAGE_LIMIT + 1),
    "oversized and well formed": message_bytes(Events(TABLE, ((bytes(16384), bytes(64)),) * 4)),
    "a malformed event": message_bytes(Events(TABLE, ((b"raw", bytes(64)),))),
    "a signature of nothing": message_bytes(Events(TABLE, ((b"raw", b""),))),
    "an event too long": message_bytes(Events(TABLE, ((bytes(16385), bytes(64)),))),
    "long chat": message_bytes(Chat(TABLE, "x" * 201)),
    "chat that moves the cursor": message_bytes(Chat(TABLE, "\x1b[2J")),
    "a farewell for no reason": message_bytes(Leave(TABLE, NO_CODE)),
    "deep": b"\x91" * 100,
}


@pytest.mark.parametrize("data", NOISE.values(), ids=NOISE)
def test_noise_is_blamed(data: bytes) -> None:
    effects = list(NODE.receive(id_of(2), data, 1.0))
    assert isinstance(effects[0], Blame)
    assert effects[0].reason.isprintable()
    assert not any(isinstance(effect, Store | Caught | OwnFoldWrong | PlayerChat) for effect in effects)
    assert NODE.table.held.heads == (NOTHING,) * 2


@given(st.binary(max_size=200))
def test_garbage_is_blamed(data: bytes) -> None:
    """Noise from a seated peer: at most a word about it, and no change."""
    before = NODE.table.held.heads
    assert all(isinstance(effect, Blame | Send) for effect in NODE.receive(id_of(2), data, 1.0))
    assert NODE.table.held.heads == before


def test_what_is_good_before_a_fault_is_taken_in() -> None:
    """Of a message with one bad event the events before it count, and the sender is blamed once."""
    table = clients("pebbles", 3, linked=False)
    good = table.forger.forge(1, bodies.Move("take 1"))
    data = message_bytes(
        Events(table[1].table.id, ((good.raw, good.signature), (good.raw, bytes(64)), (b"", bytes(64))))
    )
    effects = list(table[2].receive(id_of(1), data, 1.0))
    assert len(of(Blame, effects)) == 1
    assert table[2].table.held.chains[0] == [good]
    assert event_record(good) in b"".join(effect.data for effect in of(Store, effects))


QUIET = {
    "another table's heads": Have(bytes(32), (NOTHING,) * 2),
    "too few heads": Have(TABLE, (NOTHING,)),
    "another table's events": Events(bytes(32), ((b"raw", bytes(64)),)),
    "another table's chat": Chat(bytes(32), "hello"),
    "empty chat": Chat(TABLE, ""),
    "another table's farewell": Leave(bytes(32), LeaveReason.QUIT),
    "a formation": Form((), ()),
    "a wish to join": Join(),
}


@pytest.mark.parametrize("message", QUIET.values(), ids=QUIET)
def test_what_concerns_others_is_ignored(message: Any) -> None:
    assert NODE.receive(id_of(2), message_bytes(message), 1.0) == []


def test_a_peer_without_a_seat_is_ignored() -> None:
    """A stranger on the network reads nothing, changes nothing and gets no answer."""
    table = clients("fidchess")
    stranger = Identity(b"s" * 32).id
    event = table.forger[1].own.play(1, table[1].table.game.legal(table[1].table.state, 1)[0])
    for message in (Have(table[1].table.id, (NOTHING,) * 2), Chat(table[1].table.id, "hello"), Form((), ())):
        assert table[2].receive(stranger, message_bytes(message), 1.0) == []
    assert table[2].receive(stranger, message_with(event), 1.0) == []
    (answer,) = table[2].receive(stranger, message_bytes(Join()), 1.0)
    assert answer == Send(stranger, message_bytes(Decline(DeclineReason.STARTED))), (
        "all it hears is that it came too late"
    )
    assert table[2].link(stranger, up=True) == []
    assert table[2].linked == (id_of(1),)
    assert table[2].table.held.chains[0] == []


# What is told to whom.


def test_statements_come_every_few_seconds() -> None:
    node = Node(circle_of("fidchess", 2, first=1).client(1))
    node.link(id_of(2), up=True)
    assert len(node.tick(1.0)) == 1
    assert node.tick(1.0 + HAVE_EVERY / 2) == []
    assert len(node.tick(1.1 + HAVE_EVERY)) == 1


def test_a_late_message_does_not_raise_a_dead_link() -> None:
    """A message of a peer whose link is down is used, but the peer does not count as linked by it."""
    table = clients("fidchess")
    table.part(1, 2)
    said = message_bytes(Have(table[1].table.id, (NOTHING, Head(3, bytes(32)))))
    list(table[1].receive(id_of(2), said, 9.0))
    assert table[1].linked == ()
    with pytest.raises(LocalFaultError, match="NOBODY_HEARS"):
        table[1].say("hello")


@pytest.mark.parametrize("talk", [0, 1])
def test_who_has_lost_all_links_may_still_talk_to_spectators_where_they_talk(talk: int) -> None:
    table = Clients(charter_of("fidchess", 2, {"first": 1}, fast=True, watching=Watching(Watchers.EVERYBODY, 0, talk)))
    table.part(1, 2)
    spectator = b"s" * 32
    list(table[1].receive(spectator, message_bytes(Watch(table[1].table.id, (0, 0))), 9.0))
    assert len(table[1].gallery) == 1
    if talk:
        assert table[1].say("hello") == []
        told = map(read_message, [one.data for one in of(Send, table[1].gallery.serve(10.0, ()))])
        assert [one.text for one in told if isinstance(one, Talk)] == ["hello"]
    else:
        with pytest.raises(LocalFaultError, match="NOBODY_HEARS"):
            table[1].say("hello")


def test_a_peer_that_pretends_to_hold_more_is_asked_seldom() -> None:
    table = clients("fidchess")
    said = message_bytes(Have(table[1].table.id, (NOTHING, Head(3, bytes(32)))))
    asked = [len(sent(table[1].receive(id_of(2), said, 10.0 + n / 100))) for n in range(100)]
    assert sum(asked) == 2


def test_a_peer_that_pretends_to_hold_nothing_is_not_told_all_each_time() -> None:
    """A request costs a few bytes and its answer the whole game: the longer it is, the more seldom it is given."""
    table = clients("pebbles", 3, pile=40)
    table.play()
    nothing = message_bytes(Have(table[1].table.id, (NOTHING,) * 3))

    def told(now: float) -> int:
        return len(events_in(table[1].receive(id_of(2), nothing, now)))

    events = events_of(table[1].table)
    held, again = len(events), REPEAT_AFTER + sum(len(event.raw) for event in events) / REPEAT_BYTES
    assert held > 6
    assert [told(10.0 + again * n / 100) for n in range(100)] == [held] + [0] * 99
    assert told(10.0 + again) == held
    table[1].link(id_of(2), up=True)
    assert told(10.0 + again) == held, "a link that comes back starts anew"


def test_what_was_lost_is_asked_for() -> None:
    """A move, an acknowledgement, or the answer to a question, where a peer was not heard for a moment."""
    table = clients("fidchess")
    table.up.clear()
    table.do(1, table[1].play(1, table[1].table.game.legal(table[1].table.state, 1)[0]))
    assert table[2].table.held.chains[0] == []
    table.up = {(1, 2), (2, 1)}
    table.do(2, table[2].ask(id_of(1)))
    assert table[2].table.held.chains[0] == table[1].table.held.chains[0]
    table.tick(ASK_AGAIN)
    assert table[1].acknowledged
    assert table[1].ask(id_of(3)) == []


def test_a_wish_for_another_game_is_heard_once_this_one_is_over() -> None:
    table = clients("fidchess")
    assert table[2].receive(id_of(1), message_bytes(Join()), table.now) == []
    table.do(1, table[1].play(1, "resign"))
    assert table[2].receive(id_of(1), message_bytes(Join()), table.now) == [WantsAnother(1)]
    assert [expect(Send, effect).peer for effect in table[1].again([id_of(2)])] == [id_of(2)]


def test_events_travel_through_a_third() -> None:
    """No link between two seats: the third passes on what they signed."""
    table = clients("pebbles", 3, linked=False, pile=40)
    table.link(1, 2)
    table.link(2, 3)
    table.play()
    table.wait(30)
    assert isinstance(table[1].table.fold.position.due, Turn)
    assert len({str(summary(node.table)) for node in table.nodes.values()}) == 1


@pytest.mark.parametrize(("seats", "cut"), [(3, (1, 2)), (5, (2, 4))])
def test_a_third_passes_on_at_once_what_two_cannot_tell_each_other(seats: int, cut: tuple[int, ...]) -> None:
    """Once these have said that they are apart. It takes few messages more, and none where all are linked."""

    def messages(*cut: int) -> int:
        table = clients("pebbles", seats, pile=60)
        table.part(*cut)
        table.tick()
        before = table.sent
        for _ in range(2 * seats):
            table.play()
            assert len({str(summary(node.table)) for node in table.nodes.values()}) == 1
        return table.sent - before

    assert messages(*cut) < 1.1 * messages()


def test_batches_stay_below_the_limit() -> None:
    """The largest events still fit into messages, in order, none lost."""
    circle = circle_of("fidchess", 2, first=1)
    event = circle.forge(1, bodies.Move("x" * 200))
    large = [event._replace(raw=bytes([n]) * 16384) for n in range(9)]
    batches = event_batches(event.table, large)
    assert all(len(batch) <= MESSAGE_LIMIT for batch in batches)
    read = [expect(Events, read_message(batch)).events for batch in batches]
    assert [raw for events in read for raw, _ in events] == [event.raw for event in large]


# Players.


def test_a_player_who_leaves_by_wish_is_known_to_have_left() -> None:
    table = clients("fidchess", linked=False)
    assert table[1].leave(LeaveReason.ADJOURN) == [], "nobody is linked who could hear it"
    table.link(1, 2)
    table.do(1, table[1].leave(LeaveReason.QUIT))
    table.do(1, table[1].leave(LeaveReason.ADJOURN))
    assert table.told == {1: [], 2: [PeerLeft(1, LeaveReason.QUIT), PeerLeft(1, LeaveReason.ADJOURN)]}


def test_chat_reaches_the_others_and_nothing_else() -> None:
    table = clients("fidchess")
    table.do(1, table[1].say("  hello\n there "))
    assert table.told == {1: [], 2: [PlayerChat(1, "hello there")]}
    with pytest.raises(LocalFaultError, match="NOTHING_TO_SAY"):
        table[1].say(" \n")


def test_a_cheat_is_told_once() -> None:
    table = clients("fidchess")
    event = table.forger.forge(1, bodies.Move("A2-A9"))
    told = [table.tell(2, event, 1) for _ in range(3)]
    assert [len(of(Caught, effects)) for effects in told] == [1, 0, 0]


def test_a_wrong_digest_is_told_once_and_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose fold is wrong? A seat is told of once for each slot; the own fold is replayed once, not for each event."""
    replays: list[Fold] = []
    replayed = Fold.replayed

    def counted(fold: Fold) -> bytes:
        replays.append(fold)
        return replayed(fold)

    monkeypatch.setattr(Fold, "replayed", counted)
    table = clients("pebbles", 3, first="random", linked=False)
    told: list[Effect] = []
    for number, seat in enumerate((1, 3) * 10):
        event = table.forger.forge(seat, bodies.Commitment(bytes(32)), digest=bytes([number]) * 32)
        table.forger.give(table.forger[seat], event)
        told += table.tell(2, event, seat)
    assert [effect for effect in told if isinstance(effect, Disputed | OwnFoldWrong)] == [
        Disputed(1, 1),
        Disputed(3, 1),
    ]
    assert len(replays) == 1


def test_a_client_whose_own_state_is_wrong_stops() -> None:
    """If the replay disagrees with the running state, the fault is here: the client says so and blames nobody."""
    table = clients("fidchess", linked=False)
    fold = table[2].table.fold
    state = fold.rules.game.apply(fold.position.state, 1, fold.rules.game.legal(fold.position.state, 1)[0])
    fold.positions[-1] = fold.position._replace(state=state, digest=fold.rules.digest(state))
    event = table.forger.forge(1, bodies.Move("A2-A3"))
    assert OwnFoldWrong() in table.tell(2, event, 1)


# The end.


def over(seats: int = 3, *, linked: bool = True) -> Clients:
    """Clients of a game that one move has ended."""
    table = clients("pebbles", seats, pile=3, linked=linked)
    table.tick()
    table.play("take 3")
    return table


def test_a_client_is_done_when_all_have_signed_the_result_and_said_so() -> None:
    table = over()
    assert all(node.table.confirmed() == (1, 2, 3) for node in table.nodes.values())
    table.tick(HAVE_EVERY)
    assert all(node.done(table.now) for node in table.nodes.values())
    table.check()


def test_a_game_that_goes_on_is_not_done() -> None:
    table = clients("pebbles", 3)
    assert not table[1].done(1.0)
    assert not table[1].done(1000.0)


def test_a_client_waits_some_seconds_for_signatures_that_do_not_come() -> None:
    table = clients("pebbles", 3, pile=3)
    table.leave(3)
    table.play("take 3")
    for second in range(int(RESULT_PATIENCE)):
        assert not table[1].done(10.0 + second)
    assert table[1].done(10.0 + RESULT_PATIENCE)


def test_a_client_whose_computer_slept_at_the_end_still_waits_for_signatures() -> None:
    table = clients("pebbles", 3, pile=3)
    table.leave(3)
    table.play("take 3")
    assert not table[1].done(10.0)
    assert not table[1].done(10.0 + 100 * RESULT_PATIENCE)


def test_a_client_stays_until_its_signature_has_arrived_or_another_one_delivers_it() -> None:
    table = over()
    table.part(1, 2)
    assert table[1].table.confirmed() == (1, 2, 3)
    table[1]._exchange.theirs.pop(id_of(2), None)
    now = table.now
    assert not table[1].done(now), "nobody says that client 2 has it"
    table.tick(LEAVE_AFTER)
    table.tick(HAVE_EVERY)
    assert table[1].done(table.now), "client 3 is linked to client 2 and holds all"


def test_a_seat_that_was_left_behind_or_caught_is_not_waited_for() -> None:
    table = clients("pebbles", 3, pile=60)
    event = table.forger.forge(1, bodies.Move("take 9"))
    table.leave(1)
    for operator in (2, 3):
        table.do(operator, table.tell(operator, event, 1))
    table.do(2, table[2].play(2, "resign"))
    table.wait(6)
    assert expect(Result, table[3].table.fold.result).winners == (3,)
    assert table[3].done(table.now)
    assert table[3].table.confirmed() == (2, 3)


def test_what_a_client_stored_is_read_back_as_what_it_has() -> None:
    table = clients("fidchess")
    for _ in range(6):
        table.play(first_move(table))
    before = summary(table[2].table)
    assert summary(table.resume(2).table) == before
    assert verify(table.disks[2], FAST, scheme=table.forger.scheme).ok
