"""Turn times and clocks: whose time is up, what is told of it, and what the clients of the others do then."""

import pytest
from clients import Clients, first_move, id_of, of, timed
from going_on import LIMIT, agreements, live
from replicas import charter_of, events_of

from protocol import Clock, Overdue
from protocol.events import bodies
from protocol.table.going_on import GRACE, STAGGER
from protocol.table.turn_time import BACK_FOR


def of_time(key: str) -> Clients:
    """Two clients at a table at which each action has a time."""
    table = Clients(charter_of(key, 2, {"first": 1}, fast=True, turn_time=LIMIT))
    for operator in table.nodes:
        table.do(operator, table[operator].start())
    table.tick()
    return table


def play(table: Clients, action: str = "") -> str:
    """Let the seat to act make this move, or the first one that it has; return it."""
    seat = table.mover
    action = action or first_move(table)
    table.do(seat, table[seat].play(seat, action))
    return action


def captures(table: Clients) -> str:
    """A move that captures, if there is one."""
    game, state, seat = table[1].table.game, table[1].table.state, table.mover
    found = (move for move in game.legal(state, seat) if "captures" in game.story(state, seat, move)[0].text)
    return next(found, "")


def take_back(table: Clients) -> None:
    """Let both take back what the seat to act has done in its turn."""
    for operator in (table.mover, 3 - table.mover):
        table.do(operator, table[operator].take_back(operator))


def test_a_player_who_runs_out_of_time_is_left_behind_by_the_clients_of_the_others() -> None:
    table = timed(3, LIMIT)
    table.leave(1)
    table.tick()
    table.tick(LIMIT - 1)
    assert table.told == {1: [], 2: [], 3: []}
    table.wait(2 + int(STAGGER))
    assert live(table, 2, 3) == (2, 3)
    assert of(Overdue, table.told[2]) == of(Overdue, table.told[3]) == [Overdue(1)]
    assert {len(agreements(table, operator)) for operator in (2, 3)} == {1}, "in turn: one proposes, one signs the same"
    table.wait(LIMIT // 2)
    assert not of(Overdue, table.told[2][1:])[1:], "the next turn has its own time"
    table.play()
    table.check(2, 3)


def test_a_player_who_is_connected_and_sleeps_runs_out_of_time() -> None:
    table = timed(3, LIMIT)
    table.tick()
    table.wait(LIMIT + 5)
    assert live(table, 2, 3) == (2, 3)
    assert live(table, 1) == (2, 3), "its own client sees it as well"
    table.check(1, 2, 3)


def test_the_time_begins_anew_with_every_turn() -> None:
    table = timed(3, LIMIT)
    for _ in range(6):
        table.tick()
        table.tick(LIMIT - 1)
        table.play()
    assert table.told == {1: [], 2: [], 3: []}


def test_a_turn_has_its_own_time_however_fast_the_other_player_answered() -> None:
    table = timed(2, LIMIT)
    table.tick()
    table.tick(LIMIT - 1)
    table.play()
    table.play()
    assert table[1].seconds_left is None, "nobody has looked at the clock since"
    table.tick()
    assert table[1].seconds_left == LIMIT


def test_a_wish_for_a_draw_makes_no_turn_longer() -> None:
    table = timed(3, LIMIT)
    table.tick()
    table.tick(LIMIT - 2)
    table.do(2, table[2].wish_draw(2, True))
    table.tick(1)
    assert table[1].seconds_left == pytest.approx(1.0)
    table.tick(1)
    assert of(Overdue, table.told[2]) == [Overdue(1)]


def test_the_time_begins_anew_with_every_action_of_a_turn() -> None:
    table = of_time("kingamon")
    for _ in range(3):
        assert table[2].seconds_left == LIMIT
        table.tick(LIMIT - 1)
        play(table)
        table.tick()


def test_what_is_taken_back_and_done_again_gets_no_time_of_its_own() -> None:
    """Clients agree by themselves to what a player takes back within a turn: else it could last for ever."""
    table = of_time("kingamon")
    play(table)
    table.tick()
    for seconds in (5, 14, 23):
        table.tick(5)
        take_back(table)
        table.tick(4)
        play(table, table[1].table.game.legal(table[1].table.state, 1)[-1])
        table.tick()
        assert table.mover == 1
        assert table[1].seconds_left == table[2].seconds_left == LIMIT - seconds - 4
    table.tick(LIMIT)
    result = table[2].table.fold.result
    assert result is not None
    assert result.winners == (2,)
    table.check()


def test_a_turn_that_is_taken_back_again_and_again_runs_out_of_time() -> None:
    table = of_time("kingamon")
    for _ in range(2):
        play(table)
        table.tick()
        table.tick(LIMIT - 1)
        if table[1].table.fold.result is None:
            take_back(table)
        table.tick()
    assert table[1].table.fold.result is not None


def test_two_actions_taken_back_at_once_get_no_time_of_their_own_either() -> None:
    table = of_time("fidchell")
    made: list[str] = []
    while len(made) < 2:  # each capture gives another action
        mover = table.mover
        made.append(play(table, captures(table)))
        if table.mover != mover:
            made.clear()
    table.tick()
    table.tick(5)
    take_back(table)
    table.tick()
    for action in made:
        assert table[1].seconds_left == LIMIT - 5
        play(table, action)
        table.tick()
    assert table[1].seconds_left == LIMIT - 5
    assert table.mover == mover
    play(table, captures(table))
    table.tick()
    assert table[1].seconds_left == LIMIT
    table.check()


def test_the_time_left_is_told() -> None:
    table = timed(2, LIMIT)
    table.part(1, 2)
    table.tick()
    assert table[1].seconds_left == LIMIT
    table.tick(12.5)
    assert table[1].seconds_left == LIMIT - 12.5
    table.tick(1000.0)
    assert table[1].seconds_left == 0.0


@pytest.mark.parametrize("limit", [LIMIT, Clock(LIMIT, 5)])
def test_of_two_connected_players_the_one_whose_time_is_up_resigns(limit: int | Clock) -> None:
    """By its own client: the other one could not agree to anything alone."""
    table = timed(2, limit)
    table.tick()
    table.tick(LIMIT - 1)
    assert table[1].table.fold.result is None
    table.tick(1)
    for operator in (1, 2):
        result = table[operator].table.fold.result
        assert result is not None
        assert result.winners == (2,)
    assert table.told[1] == [Overdue(1)]
    assert agreements(table, 2) == []
    table.check()


@pytest.mark.parametrize("limit", [LIMIT, Clock(LIMIT, 5)])
def test_of_two_players_nobody_loses_by_time_while_they_are_apart(limit: int | Clock) -> None:
    """Neither the one who is cut off, nor when the link is back."""
    table = timed(2, limit)
    table.tick()
    table.leave(1)
    for _ in range(3):
        table.tick(LIMIT)
    assert table.told == {1: [Overdue(1)], 2: [Overdue(1)]}
    table.come(1)
    table.wait(5)
    assert table[1].table.fold.result is None
    assert agreements(table, 2) == []
    table.play()
    table.check()


def test_of_two_players_nobody_loses_by_time_while_the_other_one_is_at_another_table() -> None:
    """A link alone says nothing: the program behind it may speak of another table."""
    table = timed(2, LIMIT)
    table.tick()
    table.leave(2)
    table[1].link(id_of(2), up=True)
    for _ in range(3):
        table.tick(LIMIT, 1)
    assert table[1].table.fold.result is None


def test_of_two_players_the_one_who_comes_back_late_loses_by_time_after_a_minute() -> None:
    """Else a cable pulled at the right second would give any time for a move."""
    table = timed(2, LIMIT)
    table.tick()
    table.tick(LIMIT - 1)
    table.leave(1)
    table.tick(1)
    table.come(1)
    table.wait(int(BACK_FOR) - 2)
    assert table[1].table.fold.result is None
    table.wait(4)
    result = table[2].table.fold.result
    assert result is not None
    assert result.winners == (2,)
    table.check()


def test_who_has_moved_already_and_waits_for_what_that_move_names_gives_nothing_up() -> None:
    """From an older copy: the other player has sent the next move of this one, and keeps back what that names."""
    table = timed(2, LIMIT)
    table.tick()
    copy = table.forger.client(2, events_of(table[1].table))
    wish = table.forger.forge(2, bodies.Wish(1), at=copy)
    copy.receive(wish.raw, wish.signature)
    table.tell(1, table.forger.forge(1, bodies.Move("take 1"), at=copy), 2)
    assert table[1].table.held.waits(1)
    table.tick(LIMIT, 1)
    table.tick(1, 1)
    assert table[1].table.fold.result is None
    table.do(1, table.tell(1, wish, 2))
    table.tick()
    assert table[1].table.fold.position.plies
    table.check()


def test_who_plays_on_with_a_bot_alone_loses_by_time_as_well() -> None:
    """The other player ran out of time before; nobody is left who could agree to go on without this one."""
    table = Clients(charter_of("pebbles", 3, {"first": 2}, fast=True, operators=(1, 2, 1), turn_time=LIMIT))
    table.tick()
    table.tick(LIMIT)
    assert live(table) == (1, 3)
    table.play()
    table.leave(2)
    table.tick()
    table.tick(LIMIT - 1, 1)
    assert table[1].table.fold.result is None
    table.tick(1, 1)
    result = table[1].table.fold.result
    assert result is not None
    assert result.winners == (3,)
    table.come(2)
    table.check()


# A clock.


def test_a_clock_counts_the_turns_of_each_player_together() -> None:
    """The next player's turn gives the one before the increment; rolls are on nobody's clock."""
    table = timed(2, Clock(60, 5))
    table.tick()
    left = {1: 60.0, 2: 60.0}
    for seconds in (20, 1, 40, 3, 0, 2):
        mover = table.mover
        assert table[3 - mover].seconds_left == pytest.approx(left[mover])
        table.tick(seconds)
        left[mover] -= seconds
        assert table[mover].seconds_left == pytest.approx(left[mover])
        while table.mover == mover:
            table.play()
            table.tick()
        left[mover] += 5
    table.check()


def test_a_bot_has_a_clock_of_its_own() -> None:
    """The bot's turns take nothing from the clock of the player who brought the bot."""
    table = Clients(charter_of("pebbles", 3, {"first": 1}, fast=True, operators=(1, 2, 1), turn_time=Clock(60, 5)))
    table.tick()
    for seconds in (20, 1, 7):
        table.tick(seconds)
        table.play()
        table.tick()
    assert [table[2].clock(seat) for seat in (1, 2, 3)] == [60 - 20 + 5, 60 - 1 + 5, 60 - 7 + 5]
    table.check()


def test_a_clock_gives_its_increment_however_fast_the_other_player_answers() -> None:
    """Also where the other one has moved before the next look at the clock."""
    table = timed(2, Clock(60, 5))
    table.tick()
    for turns in range(4):
        assert table[1].seconds_left == pytest.approx(60 + turns * (5 - 3))
        table.tick(3)
        table.play()
        table.play()
        table.tick()
    assert table[1].table.fold.result is None
    table.play()
    table.tick()
    assert table[1].seconds_left == pytest.approx(60 + 4 * 5), "none of it was the time of the other one"
    table.check()


def test_who_runs_out_of_a_clock_is_left_behind_by_the_clients_of_the_others() -> None:
    table = timed(3, Clock(LIMIT, 0))
    table.tick()
    for seconds in (LIMIT - 1, 1, 1):
        table.tick(seconds)
        table.play()
        table.tick()
    assert live(table) == (1, 2, 3)
    table.tick(2)
    table.wait(int(STAGGER) + 1)
    assert live(table, 2, 3) == (2, 3)
    assert of(Overdue, table.told[2]) == [Overdue(1)]
    table.check(2, 3)


def test_a_client_that_starts_again_counts_by_a_full_clock() -> None:
    """No time is signed: the others' clocks decide, and they go on."""
    table = timed(3, Clock(60, 0))
    table.tick()
    table.tick(20)
    table.resume(2, challenge=b"question")
    table.come(2)
    table.tick()
    assert (table[1].seconds_left, table[2].seconds_left, table[3].seconds_left) == (40.0, 60.0, 40.0)


def test_a_table_without_a_limit_waits_for_ever() -> None:
    table = timed(3, 0)
    table.tick()
    table.tick(10 * 86400)
    assert table.told == {1: [], 2: [], 3: []}
    assert table[1].seconds_left is None


def test_clients_that_were_apart_when_time_was_up_agree_when_they_meet() -> None:
    """Whoever has lost the network cannot know who is gone; but two of three must not wait for each other's word."""
    table = timed(3, LIMIT)
    table.tick()
    table.leave(1)
    table.part(2, 3)
    table.wait(LIMIT + 40)
    assert [of(Overdue, table.told[operator]) for operator in (2, 3)] == [[Overdue(1)]] * 2
    assert live(table) == (1, 2, 3)
    table.link(2, 3)
    table.wait(int(GRACE + STAGGER) + 10)
    assert live(table, 2, 3) == (2, 3)
    table.check(2, 3)
