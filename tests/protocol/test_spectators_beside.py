"""What spectators learn beside the game: who is there, how much time is left, the chat, and the next game."""

from random import Random
from typing import TypeVar

import pytest
from clients import id_of
from replicas import Circle, charter_of
from spectating import house_of, plies
from watched import ALL, House, Watcher

from protocol import (
    Attendance,
    Attending,
    Blame,
    Chat,
    Clock,
    Form,
    Talk,
    ToldSpectator,
    Watchers,
    Watching,
    message_bytes,
)
from protocol.table.gallery import (
    ALL_SPEAK_EVERY,
    ALL_SPOKEN_AT_ONCE,
    PLACES,
    SPEAKS_EVERY,
    SPOKEN_AT_ONCE,
    UNSENT_LINES,
)

TALK = Watching(Watchers.EVERYBODY, 0, 1)
M = TypeVar("M", Attendance, Talk)


def circle_of_time(turn_time: int | Clock, watching: Watching = ALL) -> Circle:
    return Circle(charter_of("fidchell", 3, {"first": 1}, fast=True, watching=watching, turn_time=turn_time), fast=True)


def tells(house: House, circle: Circle, left: int | None, how: Attending = Attending.PRESENT, seat: int = 1) -> None:
    """Let the client of a seat tell who is there from now on; seat 3 is there in the way of `how`."""
    players = ((1, Attending.PRESENT, 0), (2, Attending.PRESENT, 0), (3, how, 0))
    house.attendance[id_of(seat)] = Attendance(circle.charter.table, circle[1].fold.position.plies, left, players)


def told(watcher: Watcher, kind: type[M]) -> list[M]:
    return [one.message for one in watcher.of(ToldSpectator) if isinstance(one.message, kind)]


def left(watcher: Watcher) -> float:
    """How many seconds of the turn time the spectator sees."""
    seconds = watcher.spectator.seconds_left
    assert seconds is not None
    return seconds


# Who is there, and the time


def test_a_spectator_hears_who_is_there_at_once_when_that_changes() -> None:
    circle = circle_of_time(0)
    house = house_of(circle)
    tells(house, circle, None)
    watcher = house.come()
    house.pass_time(2)
    watcher.told.clear()
    tells(house, circle, None, Attending.AWAY)
    house.pass_time(1)
    (heard,) = told(watcher, Attendance)
    assert heard.players[2] == (3, Attending.AWAY, 0)


def test_a_spectator_hears_each_time_it_asks_and_no_more_often_while_nothing_changes() -> None:
    """So that a message that was lost is made up for, and the clock costs nothing."""
    circle = circle_of_time(60)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(2)
    for second in range(40):
        tells(house, circle, 60 - second)
        house.pass_time(1)
    assert 8 <= len(told(watcher, Attendance)) <= 12


def test_the_time_for_a_turn_is_counted_by_the_spectator_itself() -> None:
    """Nobody has to say anything: the turn was seen to begin."""
    circle = circle_of_time(60)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(2)
    circle.play(Random(1), 1)
    house.pass_time(1)
    house.pass_time(20)
    assert 38 <= left(watcher) <= 41


def test_a_player_can_say_that_less_time_is_left_and_never_that_more_is() -> None:
    circle = circle_of_time(60)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(20)
    tells(house, circle, 500)
    house.pass_time(5)
    assert left(watcher) <= 36
    tells(house, circle, 10)
    house.pass_time(5)
    assert 4 <= left(watcher) <= 10
    house.pass_time(20)
    assert left(watcher) <= 10, "the player says it again and again"


def test_what_is_said_of_another_turn_counts_for_nothing() -> None:
    circle = circle_of_time(60)
    house = house_of(circle)
    watcher = house.come()
    tells(house, circle, 3)
    house.pass_time(5)
    assert left(watcher) <= 3
    circle.play(Random(1), 1)
    house.pass_time(1)
    assert left(watcher) >= 58


def test_clocks_are_known_from_players_only() -> None:
    """They began before the spectator came."""
    circle = circle_of_time(Clock(300, 5))
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(3)
    assert watcher.spectator.seconds_left is None
    tells(house, circle, 450)
    house.pass_time(5)
    assert 444 <= left(watcher) <= 450


def test_the_clock_of_one_player_is_forgotten_when_another_is_asked() -> None:
    circle = circle_of_time(Clock(300, 5))
    house = house_of(circle)
    watcher = house.come()
    tells(house, circle, 100)
    house.pass_time(5)
    house.lose(id_of(1))
    house.pass_time(8)
    assert watcher.spectator.player == id_of(2)
    assert watcher.spectator.seconds_left is None


def test_with_a_delay_no_time_is_known() -> None:
    """What is left of a turn that the spectator does not see yet would tell of it."""
    circle = circle_of_time(60, Watching(Watchers.EVERYBODY, 2))
    house = house_of(circle)
    watcher = house.come()
    circle.play(Random(1), 5)
    tells(house, circle, 30)
    house.pass_time(5)
    assert watcher.spectator.seconds_left is None


@pytest.mark.parametrize("message", ["attendance", "talk"])
def test_a_player_who_is_not_asked_and_another_table_tell_nothing(message: str) -> None:
    circle = circle_of_time(0, TALK)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(2)
    watcher.told.clear()
    for sender, table in ((id_of(2), circle.charter.table), (id_of(1), bytes(32))):
        line = Talk(table, 1, "", "x") if message == "talk" else Attendance(table, 0, None, ())
        assert not list(watcher.spectator.receive(sender, message_bytes(line), house.now))


# Chat


def test_a_spectator_reads_the_chat_and_is_heard_where_the_charter_lets_it() -> None:
    circle = circle_of_time(0, TALK)
    house = house_of(circle)
    one, two = house.come(1), house.come(2)
    house.pass_time(2)
    house.galleries[id_of(1)].tell(Talk(circle.charter.table, 2, "", "my move"))
    house.say(one, message_bytes(Chat(circle.charter.table, "well played")))
    ((player, heard),) = house.overheard
    assert (player, heard.peer, heard.text) == (id_of(1), one.id, "well played")
    house.galleries[player].tell(Talk(circle.charter.table, 0, "wim", heard.text), but=one.id)
    house.pass_time(1)
    assert [line.text for line in told(one, Talk)] == ["my move"]
    assert [line.text for line in told(two, Talk)] == ["my move", "well played"]


def test_where_the_charter_lets_nobody_talk_no_line_goes_either_way() -> None:
    circle = circle_of_time(0)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(2)
    house.galleries[id_of(1)].tell(Talk(circle.charter.table, 2, "", "my move"))
    house.say(watcher, message_bytes(Chat(circle.charter.table, "well played")))
    house.pass_time(2)
    assert not house.overheard
    assert not told(watcher, Talk)
    talk = message_bytes(Talk(circle.charter.table, 2, "", "my move"))
    assert not list(watcher.spectator.receive(id_of(1), talk, house.now)), "nor if a player sends one anyway"


def test_a_stranger_who_does_not_watch_is_not_heard() -> None:
    circle = circle_of_time(0, TALK)
    house = house_of(circle)
    line = Chat(circle.charter.table, "hello")
    assert house.galleries[id_of(1)].receive(b"s" * 32, line, house.now) == []
    watchers = [house.come(number) for number in range(PLACES)]
    late = house.come(99)
    house.pass_time(0.5)
    house.say(late, message_bytes(line), id_of(1))
    assert not house.overheard
    assert len(watchers) == PLACES


def test_what_spectators_say_is_bounded_for_each_and_for_all() -> None:
    """However much they send: nobody's screen fills, and who is silent keeps the own lines."""
    circle = circle_of_time(0, TALK)
    house = house_of(circle)
    watchers = [house.come(number) for number in range(PLACES)]
    house.pass_time(2)
    line = message_bytes(Chat(circle.charter.table, "look at me"))
    for _ in range(50):
        house.say(watchers[0], line)
    assert len(house.overheard) == SPOKEN_AT_ONCE
    for _ in range(120):
        for watcher in watchers:
            house.say(watcher, line)
        house.pass_time(0.5)
    assert len(house.overheard) <= ALL_SPOKEN_AT_ONCE + 62 / ALL_SPEAK_EVERY
    by_one = sum(1 for _, heard in house.overheard if heard.peer == watchers[0].id)
    assert by_one <= SPOKEN_AT_ONCE + 62 / SPEAKS_EVERY


def test_chat_waits_for_a_spectator_within_bounds() -> None:
    circle = circle_of_time(0, TALK)
    house = house_of(circle)
    watcher = house.come()
    house.pass_time(2)
    for number in range(100):
        house.galleries[id_of(1)].tell(Talk(circle.charter.table, 2, "", f"line {number}"))
    house.pass_time(1)
    assert [line.text for line in told(watcher, Talk)] == [f"line {n}" for n in range(100 - UNSENT_LINES, 100)]


# The next game


def next_house(house: House, circle: Circle) -> House:
    """The galleries of the next table, with those who follow from the one before."""
    after = house_of(circle)
    after.now = house.now
    return after


def test_a_spectator_who_follows_waits_for_another_table_of_the_same_players() -> None:
    before = circle_of_time(0)
    house = house_of(before)
    watcher = house.come(before=before.charter)
    house.pass_time(12)
    assert watcher.spectator.table is None, "the players are still at the table before"
    again = Circle(charter_of("fidchell", 3, {"first": 2}, fast=True, watching=ALL), fast=True)
    house.galleries = next_house(house, again).galleries
    again.play(Random(2), 4)
    house.pass_time(25)
    assert watcher.table.charter == again.charter
    assert plies(watcher) == again[1].fold.position.plies


def test_a_spectator_follows_to_no_table_with_other_players() -> None:
    before = Circle(charter_of("pebbles", 2, {"first": 1}, fast=True, watching=ALL), fast=True)
    other = circle_of_time(0)
    house = house_of(other)
    watcher = house.come(before=before.charter)
    house.pass_time(12)
    assert watcher.spectator.table is None
    charter = other.charter
    form = Form((charter.body.packed(), (), charter.nonces, charter.signatures), ())
    (blame, *_) = watcher.spectator.receive(watcher.spectator.player, message_bytes(form), house.now)
    assert isinstance(blame, Blame)
    assert blame.reason == "the charter of a table with other players"
