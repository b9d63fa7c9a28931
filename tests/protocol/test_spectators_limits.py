"""Spectators: how many have a place, and how much they are sent."""

from random import Random

from replicas import summary
from spectating import circle_for, house_of, plies
from watched import refusals

from protocol import (
    FULL,
    MESSAGE_LIMIT,
    PRIVATE,
    Watch,
    message_bytes,
)
from protocol.table.gallery import BYTES_A_SECOND, BYTES_AT_ONCE, PLACES, SENT_AGAIN_AFTER


def test_the_spectator_for_whom_there_is_no_place_watches_through_another_player() -> None:
    circle = circle_for()
    house = house_of(circle)
    first, second = house.galleries
    circle.play(Random(1), 3)
    watchers = [house.come(number) for number in range(PLACES + 1)]
    house.pass_time(8)
    assert refusals(watchers[-1]) == [FULL]
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
    assert refusals(watcher) == [PRIVATE]
