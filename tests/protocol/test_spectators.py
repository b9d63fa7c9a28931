"""Spectators: what they are shown and when, how much of it, who is let in, what hostile ones and players can do."""

from random import Random

import pytest
from clients import id_of
from fast_deck import FAST_DECK
from gossip import hear_all, play_out
from hypothesis import given, settings
from hypothesis import strategies as st
from replicas import FAST, FAST_SIGNERS, Circle, summary
from spectating import WORDS, circle_for, house_of, plies
from watched import ALL, refusals
from whist import hands_of, honest, move, play_to

from engine import OptionValue, Turn
from protocol import (
    AskNext,
    Blame,
    Decline,
    DeclineReason,
    Form,
    PassphraseNeeded,
    Refused,
    Send,
    Store,
    Watch,
    Watchers,
    Watching,
    message_bytes,
    verify,
)
from protocol.events import SlotKind, bodies
from protocol.formation import UNWATCHED
from protocol.messages import MESSAGE_LIMIT
from protocol.table.gallery import BYTES_A_SECOND, BYTES_AT_ONCE, PLACES, SENT_AGAIN_AFTER
from protocol.table.spectator import ANSWERED_WITHIN, PAUSE, REACHED_WITHIN

# What they see.


@pytest.mark.parametrize(("key", "options"), [("pebbles", {}), ("kingamon", {}), ("fidchell", {"turn_limit": 20})])
def test_a_spectator_sees_the_game_to_its_end(key: str, options: dict[str, OptionValue]) -> None:
    circle = circle_for(key, 2, ALL, **options)
    house, rng = house_of(circle), Random(3)
    circle.settle()
    watcher = house.come()
    house.pass_time(1)
    for end in range(3, 999, 3):
        if circle[1].fold.result:
            break
        circle.play(rng, end)
        house.pass_time(1)
        assert plies(watcher) == circle[1].fold.position.plies
    house.pass_time(1)
    assert summary(watcher.table) == summary(circle[1])
    assert watcher.table.confirmed() == (1, 2)
    report = verify(watcher.file, FAST, scheme=FAST_DECK)
    assert report.ok
    assert report.signed_by == (1, 2)
    for store in range(1, len(stores := watcher.of(Store)), 7):  # a program can be killed behind each of them
        assert verify(b"".join(one.data for one in stores[:store]), FAST, scheme=FAST_DECK).ok


def test_who_comes_late_sees_all_that_was_played() -> None:
    circle = circle_for("qenqe", 3)
    house = house_of(circle)
    circle.play(Random(1), 60)
    watcher = house.come()
    house.pass_time(2)
    assert summary(watcher.table) == summary(circle[1])


@pytest.mark.parametrize("key", ["kingamon", "celtic-whist"])
def test_a_spectator_is_sent_only_what_lies_behind_all_seats(key: str) -> None:
    """No part of a roll or a deal that may still fall, and no move before it has its place."""
    circle = circle_for(key)
    house, rng = house_of(circle), Random(2)
    watcher = house.come()
    house.pass_time(1)
    seen, partly = set(), 0
    while circle[1].fold.result is None and circle[1].fold.position.slot.step < 60:
        position = circle[1].fold.position
        owing = circle.owed_by()
        for seat in owing if position.machine else ():
            circle.spread(circle[seat].own.duties()[0])
            house.pass_time(0.5)
            position = circle[1].fold.position
            held = tuple(map(len, watcher.table.held.chains))
            assert all(map(int.__le__, held, position.behind)), position.slot
            assert watcher.table.fold.position.slot == position.slot
            partly += sum(map(len, circle[1].held.chains)) > sum(held)
        if not position.machine:
            move_one(circle, rng)
            house.pass_time(0.5)
        seen.add(position.slot.kind)
    assert SlotKind.REVEAL in seen or SlotKind.SHARE in seen
    assert partly > 5


def move_one(circle: Circle, rng: Random) -> None:
    due = circle[1].fold.position.due
    assert isinstance(due, Turn)
    table = circle[due.seat]
    circle.spread(table.own.play(due.seat, rng.choice(table.game.legal(table.own.view(due.seat), due.seat))))


@pytest.mark.parametrize("delay", [1, 5])
def test_a_delay_keeps_the_last_actions_from_spectators_until_the_end(delay: int) -> None:
    circle = circle_for("kingamon", watching=Watching(Watchers.EVERYBODY, delay), quick=True)
    house, rng = house_of(circle), Random(4)
    watcher = house.come()
    house.pass_time(1)
    while circle[1].fold.result is None:
        circle.play(rng, circle[1].fold.position.plies + 1)
        house.pass_time(0.5)
        behind = circle[1].fold.position.plies - plies(watcher)
        if circle[1].fold.result is None:
            # The actions of one slot are seen together: a move and what it leads to at once.
            assert plies(watcher) == 0 or delay <= behind <= delay + 2
            assert plies(watcher) + delay <= circle[1].fold.position.plies or plies(watcher) == 0
    house.pass_time(1)
    assert summary(watcher.table) == summary(circle[1])


def test_no_card_opens_for_spectators_before_it_is_played() -> None:
    """Whatever a spectator holds: of a card in a hand the share of its owner is missing, so nobody can open it."""
    circle = circle_for("celtic-whist", 3)
    house, rng = house_of(circle), Random(5)
    watcher = house.come()
    play_to(circle, 1)
    house.pass_time(2)
    for _ in range(30):
        house.pass_time(0.5)
        table = watcher.table
        hands = table.fold.position.hands
        assert hands == hands_of(circle)
        for at, owner in enumerate(hands.dealing.deal.owners):
            if owner and at not in hands.opened:
                shares = hands._others(at)
                assert len(shares) == 2
                assert FAST_DECK.open_card(hands.dealing.deck, at, shares) is None
        assert table.state == circle[1].game.view(circle[1].state, 0)
        move(circle, rng)


@pytest.mark.parametrize("name", ["pebbles", "kingamon", "qenqe"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_spectators_come_to_the_game_of_the_players_whatever_is_late_or_lost(name: str, seed: int) -> None:
    """Also with resignations, wishes, lost messages and spectators who change from player to player."""
    rng = Random(seed)
    circle = circle_for(name, 3 if name != "kingamon" else 2, Watching(Watchers.EVERYBODY, rng.choice([0, 0, 2])))
    house = house_of(circle)
    players = [*house.galleries]
    watchers = [house.come(number, rng.choice(players)) for number in range(3)]
    house.lost = 0.2
    for _ in range(12):
        play_out(circle, rng, steps=rng.randint(1, 60), cheats=(1,), cheat=0.01)
        house.pass_time(rng.choice([0.5, 3]))
        for watcher in watchers:
            if watcher.spectator.table:
                position, shown = circle[1].fold.position, watcher.table.fold.position
                assert shown.plies <= position.plies
    house.lost = 0.0
    hear_all(circle)
    house.pass_time(2 * (ANSWERED_WITHIN + PAUSE))
    for watcher in watchers:
        there = next(table for table in circle.tables if id_of(table.own.operator) == watcher.spectator.player)
        if there.fold.result or not circle.charter.body.watching.delay:
            assert summary(watcher.table) == summary(there)
            assert watcher.table.held.proofs == [] or there.held.proofs
        assert verify(watcher.file, FAST, scheme=FAST_DECK).ok


def test_a_game_that_equivocation_ends_is_over_for_spectators_as_well() -> None:
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    circle.settle()
    watcher = house.come()
    house.pass_time(1)
    versions = [circle.forge(1, bodies.Move(f"take {n}")) for n in (1, 2)]
    for event in versions:
        circle.spread(event)
    house.pass_time(3)
    result = circle[2].fold.result
    assert result
    assert watcher.table.fold.result == result
    assert verify(watcher.file, FAST, scheme=FAST_DECK).cheats


def test_spectators_see_that_a_player_was_left_behind() -> None:
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    circle.play(Random(1), 2)
    watcher = house.come()
    house.pass_time(1)
    circle.agree(1, circle.mover)
    house.pass_time(1)
    assert watcher.table.fold.position.slot.epoch == 1
    assert summary(watcher.table) == summary(circle[2])


def test_a_spectator_sees_a_resignation_that_a_roll_has_named() -> None:
    """It waits for its place, and a part of the roll rests on it: without it the roll could not be followed."""
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    watcher = house.come()
    while circle[1].fold.position.slot.kind != SlotKind.COMMIT:
        if not circle.step():
            move_one(circle, Random(1))
    circle.spread(circle.forge(3, honest(circle, 3)))
    circle.spread(circle.forge(3, bodies.Resign()))
    for seat in (1, 2):
        circle.spread(circle.forge(seat, honest(circle, seat)))
    house.pass_time(2)
    assert circle[1].fold.position.slot.kind != SlotKind.COMMIT
    assert watcher.table.fold.position.slot == circle[1].fold.position.slot


# Who is let in.


def test_a_table_that_nobody_may_watch_shows_nothing() -> None:
    circle = circle_for(watching=UNWATCHED)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(3)
    assert DeclineReason.PRIVATE in refusals(watcher)
    assert watcher.spectator.table is None
    assert not house.kept


def test_a_player_who_has_lost_the_file_may_watch_the_own_table() -> None:
    """Whoever has a seat is sent everything by right, also at a table that nobody else may watch."""
    circle = circle_for("pebbles", 3, UNWATCHED)
    house = house_of(circle)
    circle.play(Random(1), 4)
    watcher = house.join(id_of(3), id_of(1))
    house.pass_time(2)
    assert summary(watcher.table) == summary(circle[1])


def test_the_passphrase_lets_in_who_knows_it() -> None:
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    circle.play(Random(1), 3)
    watcher = house.come(passphrase=WORDS)
    house.pass_time(4)
    assert not watcher.of(PassphraseNeeded)
    assert summary(watcher.table) == summary(circle[1])


def test_who_does_not_know_the_passphrase_is_asked_and_sees_nothing() -> None:
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    circle.play(Random(1), 3)
    none, wrong = house.come(1), house.come(2, passphrase="another one")
    house.pass_time(5)
    assert [locked.wrong for locked in none.of(PassphraseNeeded)] == [False]
    assert [locked.wrong for locked in wrong.of(PassphraseNeeded)] == [True]
    assert none.spectator.table is wrong.spectator.table is None
    none.spectator.passphrase = WORDS
    house._do(none, none.spectator.ask())
    house.deliver()
    house.pass_time(4)
    assert summary(none.table) == summary(circle[1])


def test_a_player_who_declines_while_the_passphrase_is_awaited_is_not_waited_for() -> None:
    """Who watches was at the question still, and asked nobody, until the passphrase was typed."""
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    watcher = house.come()
    house.pass_time(2)
    assert len(watcher.of(PassphraseNeeded)) == 1
    spectator = watcher.spectator
    player, now = spectator.player, spectator.now
    told = [*spectator.receive(player, message_bytes(Decline(DeclineReason.FULL)), now)]
    assert [type(sight) for sight in told] == [Refused, AskNext]
    assert any(isinstance(sight, Send) for seconds in range(60) for sight in spectator.tick(now + seconds))


def test_a_link_that_breaks_while_the_passphrase_is_awaited_leaves_the_question() -> None:
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    watcher = house.come()
    house.pass_time(2)
    spectator = watcher.spectator
    assert spectator.link(spectator.player, up=False) == []
    assert spectator.tick(spectator.now + 100) == []


def test_spectators_guess_one_passphrase_a_second_together() -> None:
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle, WORDS)
    for number in range(8):
        house.come(number, passphrase=f"guess {number}")
    house.pass_time(4)
    assert sum(map(bool, (watcher.of(PassphraseNeeded) for watcher in house.watchers.values()))) in (3, 4)


def test_a_player_without_the_passphrase_sends_spectators_to_the_others() -> None:
    """After an older copy, or where nobody asked for it here."""
    circle = circle_for(watching=Watching(Watchers.WITH_PASSPHRASE, 0))
    house = house_of(circle)
    watcher = house.come(passphrase=WORDS)
    house.pass_time(2)
    assert refusals(watcher) == [DeclineReason.PRIVATE]


# Limits.


def test_the_spectator_for_whom_there_is_no_place_watches_through_another_player() -> None:
    circle = circle_for()
    house = house_of(circle)
    first, second = house.galleries
    circle.play(Random(1), 3)
    watchers = [house.come(number) for number in range(PLACES + 1)]
    house.pass_time(8)
    assert refusals(watchers[-1]) == [DeclineReason.FULL]
    assert watchers[-1].spectator.player == second
    assert all(summary(watcher.table) == summary(circle[1]) for watcher in watchers)
    assert house.kept == {(first, one.id) for one in watchers[:-1]} | {(second, watchers[-1].id)}


def test_a_place_is_free_again_when_a_spectator_goes() -> None:
    circle = circle_for()
    house = house_of(circle)
    only = next(iter(house.galleries))
    watchers = [house.come(number) for number in range(PLACES)]
    house.pass_time(1)
    assert len(house.galleries[only]) == PLACES
    house._hang_up(watchers[0].id, only)
    assert len(house.galleries[only]) == PLACES - 1
    assert (only, watchers[0].id) not in house.kept
    house.come(99)
    house.pass_time(1)
    assert len(house.galleries[only]) == PLACES


def test_all_spectators_together_get_so_many_bytes_a_second() -> None:
    """However much they lack: a whole game of cards for eight of them takes its time."""
    circle = circle_for("celtic-whist", 3)
    circle.play(Random(1), 200)
    house = house_of(circle)
    only = next(iter(house.galleries))
    for number in range(PLACES):
        house.come(number)
    for seconds in range(1, 30):
        house.pass_time(1)
        spent = sum(size for player, _, size in house.sent if player == only)
        assert spent <= BYTES_AT_ONCE + seconds * BYTES_A_SECOND + MESSAGE_LIMIT
    assert spent > 15 * BYTES_A_SECOND
    shown = [plies(watcher) for watcher in house.watchers.values()]
    assert max(shown) - min(shown) < 60, "each gets as much as the others"
    house.pass_time(60)
    assert {plies(watcher) for watcher in house.watchers.values()} == {circle[1].fold.position.plies}


def test_who_asks_again_and_again_takes_nothing_from_the_others() -> None:
    """Seven say at every moment that they hold nothing; the eighth sees the game as soon as if they were honest."""

    def seconds(hostile: bool) -> float:
        circle = circle_for("celtic-whist", 3)
        circle.play(Random(1), 60)
        house = house_of(circle)
        *others, honest = [house.come(number) for number in range(PLACES)]
        for half in range(600):
            house.pass_time(0.5)
            for other in others if hostile else ():
                for _ in range(20):
                    house.say(other, message_bytes(Watch()))
                    house.ask(other, 0, 0, 0)
            if honest.spectator.table and plies(honest) == circle[1].fold.position.plies:
                return half / 2
        raise AssertionError("never")

    assert seconds(hostile=True) <= seconds(hostile=False) + 2


def test_a_flood_of_questions_is_answered_by_the_clock_alone() -> None:
    circle = circle_for("fidchell")
    house = house_of(circle)
    circle.play(Random(1), 6)
    watcher = house.come()
    house.pass_time(3)
    house.sent.clear()
    for _ in range(20):
        before = len(house.sent)
        for _ in range(100):
            house.ask(watcher, 0, 0)
            house.say(watcher, message_bytes(Watch()))
        assert len(house.sent) == before
        house.pass_time(0.5)
    answers = [size for _, _, size in house.sent if size > 100]
    assert 3 <= len(answers) <= 10 / SENT_AGAIN_AFTER + 1, "in 10 seconds"


def test_a_spectator_of_another_table_is_refused() -> None:
    circle = circle_for()
    house = house_of(circle)
    watcher = house.come()
    house.say(watcher, message_bytes(Watch(bytes(32), (0, 0))))
    assert refusals(watcher) == [DeclineReason.PRIVATE]


# A hostile spectator, a hostile player.


@pytest.mark.parametrize("what", ["another table", "no seat", "nonsense", "no message"])
def test_a_spectator_takes_no_other_charter(what: str) -> None:
    circle, other = circle_for(), circle_for("pebbles", 3)
    house = house_of(circle)
    player = next(iter(house.galleries))
    watcher = house.come()
    if what == "another table":
        house.pass_time(1)
    charter = other.charter if what == "another table" else circle.charter
    form = Form((charter.body.packed(), (), charter.nonces, charter.signatures), ())
    if what == "no seat":
        watcher.spectator.player = player = FAST_SIGNERS[4].id
    if what == "nonsense":
        form = Form((b"x", (), (), ()), ())
    data = b"\xc1" if what == "no message" else message_bytes(form)
    told = list(watcher.spectator.receive(player, data, house.now))
    assert [type(sight) for sight in told if not isinstance(sight, Send)] == [Blame, AskNext]
    assert (watcher.spectator.table is None) == (what != "another table")


@pytest.mark.parametrize("how", ["gone", "silent"])
def test_a_spectator_goes_on_through_another_player(how: str) -> None:
    circle = circle_for("pebbles", 3)
    house = house_of(circle)
    first, second, _ = house.galleries
    watcher = house.come()
    circle.play(Random(1), 2)
    house.pass_time(1)
    if how == "gone":
        house.lose(first)
    else:
        house.galleries[first].serve = lambda *_: iter(())  # type: ignore[method-assign]  # it falls silent
    circle.play(Random(1), 6)
    house.pass_time(REACHED_WITHIN + 4 if how == "gone" else ANSWERED_WITHIN + 8)
    assert watcher.spectator.player == second
    assert watcher.spectator.admitted
    assert summary(watcher.table) == summary(circle[1])


def test_a_lost_message_is_made_up_for_while_the_game_goes_on() -> None:
    """Also where new events come all the time."""
    circle = circle_for("fidchell")
    house, rng = house_of(circle), Random(1)
    watcher = house.come()
    house.pass_time(1)
    for end in range(4, 44):
        house.lost = 1.0 if end == 10 else 0.0
        circle.play(rng, end)
        house.pass_time(0.5)
        if end > 10 + 2 * 5:
            assert plies(watcher) >= end - 1


def test_a_lost_message_is_made_up_for() -> None:
    circle = circle_for("fidchell")
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(1)
    house.lost = 1.0
    circle.play(Random(1), 9)
    house.pass_time(2)
    house.lost = 0.0
    house.pass_time(8)
    assert summary(watcher.table) == summary(circle[1])
