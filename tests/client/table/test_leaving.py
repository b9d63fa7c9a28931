"""Players who leave because they want to: what the others are told, and that nothing holds them."""

import asyncio
from pathlib import Path

import pytest
from local_tables import table_of
from net_tables import IDENTITIES, NAMES, Room, room_without

from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import Note


def test_who_adjourns_is_said_to_have_adjourned_and_comes_back(tmp_path: Path) -> None:
    """By wish: no word of a laptop or a network that is down."""
    room = Room(tmp_path)
    room.play()
    while room.tables[1].turn != 1:
        room.play()
    plies = room.tables[2].plies[:]
    for operator in room.tables:
        room.notes(operator)
    room.type(2, "adjourn")
    assert not room.console(2).leaving
    room.type(2, "yes")
    assert room.console(2).leaving
    room.leave(2)
    title = room.tables[1].short_id
    assert room.notes(1) == [
        "! Green (ben) adjourns the game until another day. The game is kept: "
        f"play on, or `adjourn` too: `p2p-stonehenge resume {title}` brings all back."
    ]
    room.wait(180)
    assert room.console(1).status()[-1] == "ben adjourned 3 min ago"
    assert "adjourned 3 min ago" in room.type(1, "who")[1]
    room.come_back(2)
    assert any(note.startswith("- Green (ben) is back, after 3 min") for note in room.notes(1))
    assert room.tables[2].plies == plies
    for _ in range(3):
        room.play()
    room.check()


def test_all_who_adjourn_are_said_to_have_done_so(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES[:4])
    for operator, left in ((2, "ben adjourned 0 s ago"), (3, "2 have adjourned: ben, cara")):
        room.agree_to(operator, "adjourn")
        room.leave(operator)
        assert room.console(1).status()[-1] == left
    room.agree_to(4, "quit")
    assert room.console(1).status()[-1] == "3 away: ben, cara, dora"


@pytest.mark.parametrize(
    ("seats", "turn", "ways"),
    [(2, 2, "wait or `adjourn`"), (3, 2, "wait, `adjourn` or `without ben`"), (2, 1, "play on or `adjourn`")],
)
def test_who_quits_is_said_to_have_left(tmp_path: Path, seats: int, turn: int, ways: str) -> None:
    """A player who is to move is not told to wait."""
    room = Room(tmp_path, names=NAMES[:seats])
    while room.tables[1].turn != turn:
        room.play()
    for operator in room.tables:
        room.notes(operator)
    room.agree_to(2, "quit")
    room.leave(2)
    assert room.notes(1) == [f"! Green (ben) has left the table. The game is kept: {ways}."]
    assert room.console(1).status()[-1] == "ben left 0 s ago"


@pytest.mark.parametrize("over", [False, True])
def test_nobody_reads_that_a_player_who_has_left_cannot_be_reached(tmp_path: Path, over: bool) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    table, ben = room.tables[1], IDENTITIES[1].id
    if over:
        room.agree_to(table.turn, "resign")
        room.tables[2].dismiss(0.0)
        room.carry()
    else:
        room.agree_to(2, "quit")
    room.leave(2)
    room.notes(1)
    table.trouble(ben, "ben is not reached: another program is there now, or one that hangs.")
    assert room.notes(1) == []
    assert table.awaited == (() if over else (ben,)), "one who has left a game that goes on may come back"
    if over:
        room.wait(180)
        assert room.console(1).status()[-1] == "ben has left", "no clock runs on at the end"


def test_that_a_player_is_not_reached_is_kept_in_sight_only_until_the_player_is_back(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchess", NAMES[:2])
    room.leave(2)
    room.tables[1].trouble(IDENTITIES[1].id, "ben is not reached: another program is there now, or one that hangs.")
    (note,) = [told for told in room.told[1] if isinstance(told, Note) and "another program" in told.text]
    assert note.stands()
    room.come_back(2)
    assert not note.stands()


def test_a_player_who_has_resigned_leaves_without_an_alarm(tmp_path: Path) -> None:
    """The others need not wait: they are not told that they could."""
    room = Room(tmp_path)
    while room.tables[1].turn != 2:
        room.play()
    room.agree_to(3, "resign")
    for operator in room.tables:
        room.notes(operator)
    room.type(3, "quit")
    room.leave(3)
    assert room.notes(1) == room.notes(2) == ["- Blue (cara) has left the table; the game goes on."]
    room.play()
    assert room.tables[1].turn == 1
    assert room.type(2, "who")[2] == "  Blue    cara  has resigned"
    room.check()


def test_a_lost_link_and_a_wanted_leave_are_told_apart(tmp_path: Path) -> None:
    """Each says what happened, by whose doing, and what can be typed now."""
    lost, left = Room(tmp_path / "lost"), Room(tmp_path / "left")
    lost.leave(3)
    left.agree_to(3, "quit")
    left.leave(3)
    assert "! Blue (cara) does not answer any more. Nothing is lost" in "".join(lost.notes(1))
    assert "! Blue (cara) has left the table." in "".join(left.notes(1))
    for room, state in ((lost, "away for 3 min"), (left, "left 3 min ago")):
        room.wait(180)
        while room.tables[1].turn != 3:
            room.play()
        room.agree_to(1, "without cara")
        told = f"! Red (anna) wants to go on without Blue (cara) ({state}): `agree`, or wait."
        assert told in room.notes(2)


def test_who_says_again_and_again_that_it_leaves_is_told_once(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.notes(1)
    for _ in range(50):
        room.tables[2].leave()
        room.carry()
    assert len(room.notes(1)) == 1


def test_adjourning_alone_needs_nobody(tmp_path: Path) -> None:
    room = room_without(tmp_path, 2, seats=2)
    room.agree_to(1, "adjourn")
    assert room.console(1).leaving
    assert room.notes(1) == []


def test_who_leaves_while_cards_are_shuffled_need_not_wait(tmp_path: Path) -> None:
    """A thread is at work on the table; to leave needs nothing of it."""

    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        while (working := room.tables[2]._jobs.working) is None:
            room.carry()
            await asyncio.sleep(0)
        room.agree_to(2, "quit")
        assert room.console(2).leaving
        assert not working.done()

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_who_interrupts_the_program_while_cards_are_shuffled_sees_no_error(tmp_path: Path) -> None:
    async def evening() -> list[object]:
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        room = Room(tmp_path, "celtic-whist", NAMES[:3])
        while (working := room.tables[1]._jobs.working) is None:
            room.carry()
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait([working])
        await asyncio.sleep(0)
        return errors

    assert asyncio.run(asyncio.wait_for(evening(), 60)) == []


@pytest.mark.parametrize("command", ["quit", "adjourn"])
def test_who_is_out_of_the_game_leaves_unasked(tmp_path: Path, command: str) -> None:
    """It asked whether to leave a game that goes on, which costs that player nothing."""
    room = Room(tmp_path)
    out = room.tables[1].turn
    room.agree_to(out, "resign")
    room.play()
    assert room.tables[out].out
    assert room.type(out, "help")[-1].split() == ["quit", "leave", "the", "table"]
    assert room.type(out, command) == []
    assert room.console(out).leaving
    other = out % 3 + 1
    assert any("the game goes on." in note for note in room.notes(other))


def test_who_is_out_and_takes_bots_along_is_asked(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", NAMES[:4], operators=(1, 1, 3, 4))
    while room.tables[1].turn != 1:
        room.play()
    room.agree_to(1, "resign")
    room.play()
    assert room.tables[1].out
    (asked,) = room.type(1, "quit")
    assert "Your bot, ben, leaves with you: until then the game waits for it." in asked
    assert not room.console(1).leaving


def test_who_resigns_against_bots_that_play_on_leaves_unasked(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchell", seats=3)
    table.begin()
    console = Console(table, Settings(), "ascii", redraws=False)
    console.enter("resign")
    console.enter("yes")
    assert table.out
    assert console.enter("quit") == []
    assert console.leaving


@pytest.mark.parametrize("stands", [True, False])
def test_what_is_told_of_a_friend_who_is_elsewhere_stands_as_long_as_that_is_so(tmp_path: Path, stands: bool) -> None:
    room = Room(tmp_path)
    room.tables[1].trouble(None, "dora is at another game of yours.", lambda: stands)
    note = room.told[1][-1]
    assert isinstance(note, Note)
    assert note.stands() == stands
