"""The turn time: what the player to move and the others are told of it, and what follows when it is over."""

import time
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, Room, live, room_without

from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.screen.playback import Playback
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.notes import Notes
from p2p_stonehenge.table.session import Note
from p2p_stonehenge.text.times import spell
from protocol import Clock, load


def test_a_player_whose_time_is_over_is_left_behind_by_the_clients_of_the_others(tmp_path: Path) -> None:
    """Nobody has to type anything, though the link to that player is up."""
    room = Room(tmp_path, turn_time=60)
    turn = room.tables[1].turn
    others = [operator for operator in room.tables if operator != turn]
    room.wait(0)
    for operator in room.tables:
        room.notes(operator)
    room.pass_time(59)
    assert not any("used up" in note for note in room.notes(others[0]))
    room.pass_time(6)
    label = room.tables[turn].label(turn)
    late = f"! {label} has used up the time for this turn. Your client agrees to go on without."
    for operator in others:
        told = room.notes(operator)
        assert late in told
        assert told[-1] == f"! You and the others go on without {label}, which counts as resigning."
        assert not any("`agree`, or wait" in note for note in told), "this client has done so by itself"
        assert room.tables[operator].turn in others
    told = room.notes(turn)
    assert "! Your time for this turn is up: move now, or the others go on without you." in told
    assert told[-1].startswith("! The others go on without you, which counts as resigning")
    assert room.console(turn).prompt() == "watch> "
    room.play()
    room.check()


def test_the_others_read_when_a_missing_player_is_out_by_time(tmp_path: Path) -> None:
    room = Room(tmp_path, turn_time=60)
    while room.tables[1].turn != 2:
        room.play()
    room.wait(0)
    room.notes(1)
    room.leave(2)
    room.wait(10)
    (lost,) = room.notes(1)
    told = "! Green (ben) does not answer any more. Nothing is lost so far: wait, `adjourn` or `without ben`."
    assert lost == f"{told} ben is out in 1 min unless ben is back."
    room.pass_time(26)
    (still,) = room.notes(1)
    assert still.startswith("! Still waiting for Green (ben): wait, `adjourn` or `without ben`. ben is out in ")
    assert still.endswith(" s unless ben is back.")


def test_of_two_nobody_is_said_to_be_out_by_time_while_missing(tmp_path: Path) -> None:
    room = Room(tmp_path, names=NAMES[:2], turn_time=60)
    while room.tables[1].turn != 2:
        room.play()
    room.wait(0)
    room.notes(1)
    room.leave(2)
    assert room.notes(1) == ["! Green (ben) does not answer any more. Nothing is lost: wait or `adjourn`."]


def test_a_player_whose_time_is_over_may_move_while_the_others_have_not_agreed(tmp_path: Path) -> None:
    room = Room(tmp_path, turn_time=60)
    turn = room.tables[1].turn
    others = {operator for operator in room.tables if operator != turn}
    room.wait(0)
    room.away = {*others}
    room.pass_time(61)
    assert room.console(turn).status()[0] == "your turn, no time left"
    told = [note for note in room.told[turn] if isinstance(note, Note) and "for this turn" in note.text]
    assert len(told) == 3
    assert all(note.stands() for note in told)
    table = room.tables[turn]
    table.play(turn, table.game.legal(table.state, turn)[0])
    room.away = set()
    room.carry()
    for operator in room.tables:  # what was sent meanwhile was lost
        for other in {*room.tables} - {operator}:
            room.reconnect(operator, other)
    room.pass_time(3)
    assert {table.turn for table in room.tables.values()} == {turn % 3 + 1}
    assert not any(note.stands() for note in told)
    assert {len(table.table.fold.position.live) for table in room.tables.values()} == {3}
    room.check()


@pytest.mark.parametrize(
    ("seats", "limit", "marks"), [(3, 60, (30, 10)), (2, 60, (30, 10)), (3, 38, (10,)), (3, 12, (6,))]
)
def test_who_is_to_move_is_warned_before_the_time_runs_out(
    tmp_path: Path, seats: int, limit: int, marks: tuple[int, ...]
) -> None:
    """At half of it and shortly before its end, once each; the others see it in the status line."""
    room = Room(tmp_path, names=NAMES[:seats], turn_time=limit)
    turn, other = (table := room.tables[1]).turn, table.turn % seats + 1
    room.wait(0)
    for operator in room.tables:
        room.notes(operator)
    told = []
    for left in range(limit, 1, -1):
        assert room.console(turn).status()[0] == f"your turn, {spell(left)} left"
        assert room.console(other).status()[0] == f"{table.label(turn)} to move, {spell(left)} left"
        assert f"  the three words: {room.tables[turn].words}" in room.type(other, "who")
        assert room.type(other, "who")[-1] == f"  {table.label(turn)}: {spell(left)} left"
        room.wait(1)
        told += room.notes(turn)
        assert room.notes(other) == []
    then = "your client resigns for you, as all have signed" if seats == 2 else "the others go on without you"
    assert told == [f"! {mark} s left for this turn. Then {then}." for mark in marks]
    room.play()
    assert "left" not in room.console(other).status()[0], "nothing of what the one before had left"
    room.wait(0)
    assert room.console(other).status()[0].endswith(f", {spell(limit)} left")


def test_a_turn_begins_with_its_whole_time_on_a_computer_that_has_just_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that counts from the start shows small numbers, whose sums are rounded where a second begins."""
    clock = next(ms / 1000 for ms in range(10_000) if ms / 1000 + 60 - ms / 1000 > 60)
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    room = Room(tmp_path, names=NAMES[:3], turn_time=60)
    turn = room.tables[1].turn
    room.wait(0)
    for left in range(60, 0, -1):
        assert room.console(turn).status()[0] == f"your turn, {spell(left)} left"
        room.wait(1)


def test_who_is_not_shown_the_move_before_the_own_turn_loses_no_time_by_that(tmp_path: Path) -> None:
    """The third player's client counts the time already, and says at once that there is something to be had."""
    room = Room(tmp_path, turn_time=Clock(60, 0))
    room.wait(0)
    while room.tables[1].turn != 1:
        room.play()
    room.kept_from = {1: 2}
    for _ in range(60):  # twenty turns of each
        room.pass_time(0.5)
        mover = room.tables[3].turn
        assert room.tables[mover].turn == mover
        room.play()
    assert live(room, 3) == (1, 2, 3)
    left = [room.tables[operator].clock(2) or 0 for operator in (2, 3)]
    assert min(left) > 45, left
    assert max(left) - min(left) <= 1, left
    room.check()


def test_no_wish_makes_a_turn_longer(tmp_path: Path) -> None:
    """Neither that of whom the others wait for, nor that of another."""
    room = Room(tmp_path, names=NAMES[:3], turn_time=60)
    turn = room.tables[1].turn
    other = turn % 3 + 1
    room.wait(0)
    for operator, wish in ((turn, "draw"), (other, "draw"), (turn, "draw off"), (other, "draw off")):
        room.wait(10)
        room.type(operator, wish)
        if wish == "draw":
            room.type(operator, "yes")
    assert room.tables[other].wishes() == ()
    room.wait(1)
    assert room.console(turn).status()[0] == f"your turn, {spell(19)} left"


@pytest.mark.parametrize("limit", [60, Clock(60, 5)])
def test_of_two_connected_players_the_one_whose_time_is_over_has_lost(tmp_path: Path, limit: int | Clock) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], turn_time=limit)
    turn = room.tables[1].turn
    room.wait(0)
    room.pass_time(61)
    assert all(table.result is not None for table in room.tables.values())
    told = room.notes(turn)
    assert "! Your time is up. All have signed that this loses the game: your client resigns for you." in told
    loser, winner = (NAMES[seat - 1] for seat in (turn, 3 - turn))
    colour = room.tables[turn].game.colours[turn - 1]
    assert room.tables[turn].outcome == f"You lost to {winner}: you ran out of time."
    assert room.tables[3 - turn].outcome == f"You won: {loser} ran out of time."
    assert room.tables[3 - turn].plies[-1].story[0].text == f"{colour} ran out of time."
    assert room.console(3 - turn).drawing.look(80, 21).recent == ((turn, "ran out of time"),)
    assert room.type(3 - turn, "log")[-2].split() == ["2", colour, "ran", "out", "of", "time."]
    assert room.tables[3 - turn].fate(turn) == "ran out of time"
    saved = SavedGame(load(room.tables[turn].path.read_bytes()))
    assert saved.outcome == f"{NAMES[2 - turn]} won: {NAMES[turn - 1]} ran out of time."
    assert saved.steps[-1].kind == "late"
    playback = Playback(saved, prove(saved), len(saved), "ascii", Notes(tmp_path / "none", b"1"))
    assert "ran out of time" in "".join(text_of(line) for line in playback.board(80, 24))
    room.check()


@pytest.mark.parametrize("ends", ["time", "resign"])
def test_a_player_who_was_out_before_the_end_reads_the_own_reason_first(tmp_path: Path, ends: str) -> None:
    """Two players and a bot, which wins when the second one is out too."""
    room = Room(tmp_path, "qenqe", NAMES[:3], operators=(1, 2, 1), turn_time=60)
    room.wait(0)
    out: list[int] = []
    while room.tables[1].result is None:
        if (turn := room.tables[1].turn) == 3:
            room.tables[1].play(3, room.tables[1].game.legal(room.tables[1].state, 3)[0])
            room.carry()
        elif ends == "time":
            out.append(turn)
            room.pass_time(61)
        else:
            out.append(turn)
            room.agree_to(turn, "resign")
    first, last = out
    own = "ran out of time" if ends == "time" else "have resigned"
    why = f": {NAMES[last - 1]} ran out of time" if ends == "time" else " by resignation"
    assert room.tables[first].outcome == f"You {own}. {NAMES[2]} won{why}."
    last_why = ": you ran out of time" if ends == "time" else why
    assert room.tables[last].outcome == f"You lost to {NAMES[2]}{last_why}."


def test_points_that_are_won_by_time_are_told_so(tmp_path: Path) -> None:
    """The rules know of resignations only, and the player has not typed one."""
    room = Room(tmp_path, "kingamon", NAMES[:2], turn_time=60)
    turn = room.tables[1].turn
    room.wait(0)
    room.pass_time(61)
    loser, winner = (room.tables[1].game.colours[seat - 1] for seat in (turn, 3 - turn))
    told = f"{winner} wins 1 point: {loser} ran out of time."
    assert room.tables[1].plies[-1].story[-1].text == told
    saved = SavedGame(load(room.tables[1].path.read_bytes()))
    assert saved.steps[-1].told.endswith(told)


def test_a_clock_is_shown_and_its_end_is_announced(tmp_path: Path) -> None:
    room = Room(tmp_path, names=NAMES[:3], turn_time=Clock(60, 5))
    turn = room.tables[1].turn
    other = turn % 3 + 1
    room.wait(0)
    assert room.console(other).status()[0] == f"{room.tables[other].label(turn)} to move, 1 min left"
    told = []
    for _ in range(52):
        room.wait(1)
        told += room.notes(turn)
    then = "the others go on without you"
    assert told == [f"! {left} s left on your clock. Then {then}." for left in (30, 10)]
    room.play()
    room.wait(0)
    assert room.console(turn).status()[0].endswith(", 1 min left"), "the clock of the next player"


def test_a_player_who_is_late_loses_nothing_while_the_other_is_at_another_table(tmp_path: Path) -> None:
    """What the player reads is what the client does, however long the link has been up."""
    room = Room(tmp_path, "fidchess", NAMES[:2], turn_time=60)
    turn = room.tables[1].turn
    room.pass_time(1)
    room.leave(3 - turn)
    room.pass_time(30)
    room.tables[turn].link(IDENTITIES[2 - turn].id, up=True)
    room.pass_time(32)
    assert room.notes(turn)[-1].endswith("Nobody loses by that while you two are not connected: move now.")
    room.pass_time(90)
    assert room.tables[turn].result is None


def test_both_clocks_are_shown(tmp_path: Path) -> None:
    """Where two play beside each other; `who` tells all of them."""
    room = Room(tmp_path, "fidchess", NAMES[:2], turn_time=Clock(60, 5))
    turn = room.tables[1].turn
    room.wait(0)
    for _ in range(10):
        room.wait(1)
    assert room.console(turn).status()[0] == f"your turn, 50 s left; {NAMES[2 - turn]} 1 min"
    assert room.console(3 - turn).status()[0].endswith(" to move, 50 s left; you 1 min")
    room.play()
    room.wait(0)
    assert room.console(turn).status()[0].endswith(" to move, 1 min left; you 55 s")
    told = room.type(turn, "who")
    assert [line.split("  ")[-1] for line in told[:2]] == (
        ["55 s on the clock", "1 min on the clock"] if turn == 1 else ["1 min on the clock", "55 s on the clock"]
    )


@pytest.mark.parametrize("limit", [60, Clock(60, 5)])
def test_who_resumes_reads_that_the_screens_show_different_times(tmp_path: Path, limit: int | Clock) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2], turn_time=limit)
    turn = room.tables[1].turn
    other = 3 - turn
    room.wait(0)
    room.wait(20)
    room.leave(turn)
    room.come_back(turn)
    room.wait(0)
    assert room.console(turn).status()[0].startswith("your turn, 1 min left")
    assert "to move, 40 s left" in room.console(other).status()[0]
    told = "- This program has started again and counts all times anew: the others may see less time left than you do."
    assert room.notes(turn)[0] == told


def test_of_two_nobody_loses_the_game_when_the_time_is_over(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2, turn_time=60)
    room.wait(0)
    room.wait(61)
    assert "! Green (ben) has used up the time for this turn. Wait on, or `adjourn`." in room.notes(1)
    room.pass_time(5)
    room.come_back(2)
    room.play()
    room.check()


def test_who_is_late_after_a_cut_reads_how_long_the_game_still_waits(tmp_path: Path) -> None:
    """Of two nobody loses by time before the link has been back for a minute."""
    room = Room(tmp_path, "fidchess", NAMES[:2], turn_time=60)
    turn = room.tables[1].turn
    room.pass_time(1)
    room.leave(3 - turn)
    room.pass_time(20)
    room.come_back(3 - turn)
    room.notes(turn)
    for _ in range(41):
        room.pass_time(1)
    said = "That loses the game in 21 s, as you two were not connected: move now."
    assert room.notes(turn)[-1] == f"! Your time is up. {said}"
    assert room.tables[turn].result is None
    for _ in range(23):
        room.pass_time(1)
    assert room.tables[turn].result is not None
