"""Take-backs: by consent of all who play, of one player's last actions, never past what chance or another did."""

from random import Random
from typing import Any

import pytest
import second_verifier
from gossip import play_out
from pebbles import Pebbles
from replicas import Circle, circle_of, events_of, local_table, play_locally, replica
from verdicts import evidence_of
from whist import play_to, whist

from engine import Turn
from protocol import (
    Applied,
    LocalFaultError,
    actions_of,
    charter_record,
    event_record,
    in_effect,
    latest,
    load,
    origin_of,
    takeback_target,
    verify,
)
from protocol.events import bodies, make_event

verify_again: Any = second_verifier.verify


def table(seats: int = 2, key: str = "fidchess", **options: Any) -> Circle:
    circle = circle_of(key, seats, first=1, **options)
    circle.settle()
    return circle


def move(circle: Circle, seat: int, at: int = 0) -> str:
    """Let a seat play, and all hear of it."""
    action = circle[seat].game.legal(circle[seat].own.view(seat), seat)[at]
    circle.spread(circle[seat].own.play(seat, action))
    circle.settle()
    return action


def wish(circle: Circle, *seats: int) -> None:
    """Let seats ask for a take-back or agree to it, one after the other."""
    for seat in seats:
        circle.spread(circle[seat].own.take_back(seat))
        circle.settle()


def log(circle: Circle) -> list[tuple[int, str]]:
    logs = [[(entry.actor, entry.action) for entry in one.fold.log] for one in circle.tables]
    assert all(one == logs[0] for one in logs)
    return logs[0]


def force(circle: Circle, to: int, *seats: int) -> None:
    """Let seats sign that they wish to go back there, whatever their clients think of it."""
    for seat in seats:
        circle.spread(circle.forge(seat, bodies.Takeback(to)))
        circle.settle()


# What a take-back does.


def test_a_turn_is_taken_back_where_all_agree_and_another_is_played() -> None:
    circle = table()
    start = circle[1].fold.position
    first = move(circle, 1)
    wish(circle, 1)
    assert (circle[2].fold.position.asking, circle[2].fold.position.due) == ((1,), Turn(2))
    wish(circle, 2)
    position = circle[2].fold.position
    assert log(circle) == [(1, first), (0, "takeback 0")]
    assert (position.state, position.digest, position.due, position.asking) == (start.state, start.digest, Turn(1), ())
    assert position.slot.step > start.slot.step
    second = move(circle, 1, at=1)
    assert log(circle)[2:] == [(1, second)]
    assert circle[2].fold.replayed() == circle[1].fold.position.digest


def test_what_repetition_and_turn_limit_count_comes_back_as_well() -> None:
    circle = table(repetition=3, turn_limit=100)
    move(circle, 1)
    before = circle[1].state
    move(circle, 2)
    assert (circle[1].state.actions, len(circle[1].state.history)) == (2, 3)
    wish(circle, 2, 1)
    assert circle[1].state == before


def test_a_player_who_does_not_agree_plays_on_and_the_wish_lapses() -> None:
    circle = table()
    move(circle, 1)
    wish(circle, 1)
    move(circle, 2)
    assert circle[1].fold.position.asking == ()
    force(circle, 0, 1, 2)
    assert len(log(circle)) == 2
    with pytest.raises(LocalFaultError, match="cannot go back"):
        circle[1].own.take_back(1)


def test_everybody_who_still_plays_has_to_agree() -> None:
    circle = table(4, "qenqe")
    first = move(circle, 1)
    wish(circle, 1, 3, 2)
    assert log(circle) == [(1, first)]
    wish(circle, 4)
    assert log(circle) == [(1, first), (0, "takeback 0")]


def test_a_player_who_has_resigned_is_not_asked() -> None:
    circle = table(3, "qenqe")
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    first = move(circle, 1)
    wish(circle, 1, 2)
    assert log(circle) == [(3, "resign"), (1, first), (0, "takeback 1")]


def test_a_player_who_was_left_behind_is_not_asked() -> None:
    circle = table(3, "qenqe")
    move(circle, 1)
    move(circle, 2)
    circle.agree(1, 3)
    circle.settle()
    assert [actor for actor, action in log(circle) if action == "resign"] == [3]
    first = move(circle, 1)
    wish(circle, 1, 2)
    assert log(circle)[-2:] == [(1, first), (0, "takeback 3")]


def test_a_player_asks_once_for_one_state() -> None:
    """A second wish for one state changes nothing, so nobody can be made to sign for ever."""
    circle = table()
    move(circle, 1)
    wish(circle, 1)
    with pytest.raises(LocalFaultError, match="TAKEBACK_ASKED"):
        circle[1].own.take_back(1)
    before = circle[2].fold.position
    force(circle, 0, 1, 1)
    assert circle[2].fold.position == before


def test_a_client_asks_once_though_nobody_answers() -> None:
    """The other client is out of reach and gives the wish no place: another one would tell it nothing more."""
    circle = table()
    move(circle, 1)
    circle.give(circle[1], circle[1].own.take_back(1))
    with pytest.raises(LocalFaultError, match="TAKEBACK_ASKED"):
        circle[1].own.take_back(1)


# How far it goes.


def test_nothing_is_taken_back_past_dice() -> None:
    circle = table(2, "pebbles")
    move(circle, 1)
    assert [actor for actor, _ in log(circle)] == [1, 0], "the die is rolled after each move"
    with pytest.raises(LocalFaultError, match="cannot go back"):
        circle[1].own.take_back(1)
    force(circle, 0, 1, 2)
    force(circle, 1, 1, 2)
    assert len(log(circle)) == 2


def test_it_is_too_late_once_a_roll_has_begun() -> None:
    circle = table(2, "pebbles")
    circle.spread(circle[1].own.play(1, "take 1"))
    with pytest.raises(LocalFaultError, match="ROLL_BEGUN"):
        circle[1].own.take_back(1)
    for seat in (1, 2):  # signed before the roll, placed after it
        circle.spread(circle.forge(seat, bodies.Takeback(0)))
    circle.settle()
    assert [actor for actor, _ in log(circle)] == [1, 0]


def test_nothing_is_taken_back_past_the_action_of_another_player() -> None:
    circle = table(3, "qenqe")
    for seat in (1, 2):
        move(circle, seat)
    for to in (0, 2, 3):
        force(circle, to, 1, 2, 3)
    assert len(log(circle)) == 2


def test_a_turn_taken_back_does_not_open_the_one_before_it() -> None:
    """The first player has seen what the second one played, though it was taken back."""
    circle = table()
    for seat in (1, 2):
        move(circle, seat)
    wish(circle, 2, 1)
    assert log(circle)[2:] == [(0, "takeback 1")]
    for to in (0, 1):
        force(circle, to, 1, 2)
    assert len(log(circle)) == 3


@pytest.mark.parametrize("cards", [0, 2])
def test_nothing_is_taken_back_once_cards_are_dealt(cards: int) -> None:
    circle = play_to(whist(3), cards)
    plies = len(log(circle))
    actor = log(circle)[-1][0]
    with pytest.raises(LocalFaultError, match="cannot go back"):
        circle[actor or 1].own.take_back(actor or 1)
    for to in range(plies + 1):
        circle.spread(circle.forge(1 + to % 3, bodies.Takeback(to)))
    force(circle, plies - 1, 1, 2, 3)
    assert len(log(circle)) == plies


def test_a_turn_that_put_a_seat_out_of_the_game_stands() -> None:
    circle = table(3, "qenqe")
    move(circle, 1)
    circle.spread(circle[3].own.resign(3))
    circle.settle()
    assert log(circle)[1:] == [(3, "resign")]
    force(circle, 0, 1, 2)
    force(circle, 1, 1, 2)
    assert len(log(circle)) == 2


def test_the_move_that_ended_the_game_stands() -> None:
    circle = table(2, "pebbles", pile=1)
    move(circle, 1)
    assert circle[1].fold.result
    with pytest.raises(LocalFaultError, match="GAME_OVER"):
        circle[1].own.take_back(1)
    force(circle, 0, 1, 2)
    assert len(log(circle)) == 1


# Bots.


def test_an_operator_agrees_for_its_bots_and_they_go_back_with_it() -> None:
    circle = table(3, "qenqe", operators=(1, 1, 3))
    before = circle[3].state
    mine, bots = move(circle, 1), move(circle, 2)
    wish(circle, 1)
    assert len(log(circle)) == 2
    wish(circle, 3)
    assert log(circle) == [(1, mine), (2, bots), (0, "takeback 0")]
    assert circle[3].state == before


def test_only_the_last_turn_of_a_player_goes_back_where_bots_acted_in_between() -> None:
    circle = table(3, "qenqe", operators=(1, 2, 1))
    for seat in (1, 2, 3, 1):
        move(circle, seat)
    wish(circle, 1, 2)
    assert log(circle)[4:] == [(0, "takeback 3")]


def test_a_wish_signed_before_another_action_counts_for_nothing() -> None:
    """The bot has acted since: who agreed then did not agree to undo that."""
    circle = table(3, "qenqe", operators=(1, 1, 3))
    move(circle, 1)
    agreed = circle.forge(3, bodies.Takeback(0))
    bot = circle[1].own.play(2, circle[1].game.legal(circle[1].state, 2)[0])
    circle.give(circle[1], bot, agreed)
    circle.give(circle[3], agreed, bot)
    circle.settle()
    assert circle[1].fold.position.asking == ()
    wish(circle, 1)
    assert (len(log(circle)), circle[3].fold.position.asking) == (2, (1,))


# Order of arrival, agreements, files.


def test_a_move_that_had_not_heard_of_the_wish_stands() -> None:
    circle = table()
    move(circle, 1)
    asked = circle[1].own.take_back(1)
    action = circle[2].game.legal(circle[2].state, 2)[0]
    circle.give(circle[1], asked)
    circle.spread(circle[2].own.play(2, action))
    circle.give(circle[2], asked)
    circle.settle()
    assert [actor for actor, _ in log(circle)] == [1, 2]
    assert circle[1].fold.position.asking == ()


def test_a_wish_outlives_an_epoch_that_nobody_leaves() -> None:
    circle = table(3, "qenqe")
    move(circle, 1)
    wish(circle, 1, 2)
    circle.agree(1)
    circle.settle()
    wish(circle, 3)
    assert log(circle)[1:] == [(0, "takeback 0")]


def test_a_wish_lapses_where_a_player_is_left_behind() -> None:
    """What has become of that seat cannot be undone."""
    circle = table(3, "qenqe")
    move(circle, 1)
    wish(circle, 1, 3)
    circle.agree(1, 2)
    circle.settle()
    assert [action for _, action in log(circle)][1:] == ["resign"]
    assert circle[1].fold.position.asking == ()


def test_another_replica_and_both_verifiers_find_the_same() -> None:
    circle = table(3, "qenqe")
    move(circle, 1)
    wish(circle, 1, 3, 2)
    circle.play(Random(1), plies=9)
    proven = evidence_of(verify(circle.files[2], circle.verifier, scheme=circle.scheme))
    assert (proven.takebacks, proven.within) == (1, 0)
    fresh = replica(circle[1], circle.verifier)
    for event in events_of(circle[2]):
        fresh.receive(event.raw, event.signature)
    assert [(entry.actor, entry.action) for entry in fresh.fold.log] == log(circle)
    assert fresh.fold.replayed() == fresh.fold.position.digest == circle[1].fold.position.digest


@pytest.mark.parametrize("seed", range(20))
def test_files_with_take_backs_verify(seed: int) -> None:
    circle, rng = circle_of("fidchell" if seed % 2 else "kingamon"), Random(seed)
    play_out(circle, rng, steps=120, resign=0.0, wish=0.0)
    report = verify(circle.files[0], circle.verifier, scheme=circle.scheme)
    assert report.ok, report.error


def test_a_position_with_what_was_taken_back_left_out_begins_another_table() -> None:
    circle = table(2, "fidchell")
    first = move(circle, 1)
    wish(circle, 1, 2)
    second = move(circle, 1, at=1)
    third = move(circle, 2)
    assert actions_of(circle[1]) == origin_of(circle[1]).actions == ((1, second), (2, third))
    assert origin_of(circle[1], 1).actions == ((1, first),)
    assert origin_of(circle[1], 2).actions == ()
    assert origin_of(circle[1], 3).actions == ((1, second),)


# Tables on one computer.


def test_one_turn_after_the_other_is_taken_back_at_ones_own_table() -> None:
    """All seats have one operator, so nobody else's action lies in between."""
    one = local_table("fidchess", {"first": 1})
    states = [one.state]
    for seat in (1, 2, 1, 2):
        one.act(seat, one.game.legal(one.state, seat)[0])
        states.append(one.state)
    for to in (2, 0):
        one.act(0, f"takeback {to}")
        assert one.state == states[to]
    assert in_effect(one.fold.log) == []
    assert one.fold.replayed() == one.fold.position.digest


@pytest.mark.parametrize("seed", range(200))
def test_what_is_in_effect_is_what_a_walk_from_the_beginning_leaves(seed: int) -> None:
    rng = Random(seed)
    log: list[Applied] = []
    stand: list[int] = []
    for place in range(rng.randrange(40)):
        if stand and rng.random() < 0.4:
            to = rng.choice(stand)
            log.append(Applied(0, f"takeback {to}", None))
            stand = [one for one in stand if one < to]
        else:
            log.append(Applied(rng.choice((0, 1, 2)), "move", None))
            stand.append(place)
    assert in_effect(log) == stand
    assert [*latest(log)] == stand[::-1]


@pytest.mark.parametrize("text", ["takeback 2", "takeback 00", "takeback -1", "takeback", "takeback 1 ", "Takeback 0"])
def test_a_take_back_to_nowhere_is_refused_at_ones_own_table(text: str) -> None:
    one = local_table("fidchess", {"first": 1})
    for seat in (1, 2):
        one.act(seat, one.game.legal(one.state, seat)[0])
    with pytest.raises(LocalFaultError):
        one.act(0, text)
    with pytest.raises(LocalFaultError):
        one.act(1, "takeback 0")


def test_the_end_of_a_game_stands_at_ones_own_table_too() -> None:
    one = local_table("fidchess", {"first": 1, "turn_limit": 1})
    one.act(1, "A2-A3")
    assert one.fold.result
    with pytest.raises(LocalFaultError, match="cannot go back"):
        one.act(0, "takeback 0")


@pytest.mark.parametrize("key", ["kingamon", "celtic-whist"])
def test_dice_and_cards_stand_at_ones_own_table_too(key: str) -> None:
    one = local_table(key, {"first": 1})
    play_locally(one, Random(3), plies=8)
    for to in range(8):
        at = one.fold.position.earlier_at(to)
        assert (at is None) == (key == "celtic-whist" or any(entry.actor == 0 for entry in one.fold.log[to:]))


def local_file(text: str) -> bytes:
    """A file of a local table in which two moves come before chance acts as `text` says."""
    one = local_table("fidchess", {"first": 1})
    events = [one.act(seat, one.game.legal(one.state, seat)[0]) for seat in (1, 2)]
    position, heads = one.fold.position, one.held.heads
    event = make_event(one.own.signers[1], one.id, 1, heads, position.slot, position.digest, bodies.Act(0, text))
    return charter_record(one.charter) + b"".join(map(event_record, (*events, event)))


@pytest.mark.parametrize("to", range(4))
def test_both_verifiers_judge_the_take_back_of_a_local_file(to: int) -> None:
    file = local_file(f"takeback {to}")
    report = verify(file)
    assert report.ok == (to < 2)
    if report.ok:
        assert load(file).fold.log[-1].action == f"takeback {to}"
        assert verify_again(file)["digest"] == report.digest
    else:
        assert "cannot go back there" in (report.error or "")
        with pytest.raises(ValueError):
            verify_again(file)


def test_no_game_has_a_move_that_reads_as_a_take_back() -> None:
    assert takeback_target(0, "takeback 7") == 7
    state = Pebbles().start({"first": 1}, 2)
    assert Pebbles().refuse(state, 0, "takeback 0") is not None
