"""A player who is out of the game leaves, with bots on that computer which still play: what each player reads."""

import re
from pathlib import Path

from net_tables import Room, refused

from p2p_stonehenge.table.comings import ADVISE_AFTER
from p2p_stonehenge.table.session import Said

HOST_FROM = "`quit`; then `p2p-stonehenge host --from {}` goes on with bots of your own."
BOTS = "Green (bot 1) and Yellow (bot 2) on the computer of White (anna)"


def resigned(folder: Path, *more: str) -> Room:
    """A table at which anna has two bots and has resigned; ben is to move. What was said is forgotten."""
    names = ("anna", "ben", "bot 1", "bot 2", *more)
    room = Room(folder, "qenqe", names, operators=(1, 2, 1, 1, 5)[: len(names)])
    room.play()
    room.agree_to(1, "resign")
    while room.tables[2].turn != 2:
        room.play()
    for operator in room.tables:
        room.notes(operator)
    return room


def left(room: Room) -> None:
    """Let anna leave, and the others play until a bot is to move."""
    room.tables[1].leave()
    room.carry()
    room.leave(1)
    while room.tables[2].turn not in (3, 4):
        turn = room.tables[2].turn
        room.tables[turn].play(turn, room.tables[turn].game.legal(room.tables[turn].state, turn)[0])
        room.carry()
    room.pass_time(1)


def test_who_leaves_with_bots_that_play_reads_that_they_go_too(tmp_path: Path) -> None:
    room = resigned(tmp_path / "two")
    bots = "Your bots, bot 1 and bot 2, leave with you: until then the game waits for them."
    kept = "The game is kept: `p2p-stonehenge resume {}` lets your bots play on, and you watch."
    (asked,) = room.type(1, "quit")
    assert asked == f"Leave the table? {kept.format(room.tables[1].short_id)} {bots} [y/N]"
    assert kept.format(room.tables[1].short_id) == room.tables[1].way_in, "which is told when the table is left"
    room = resigned(tmp_path / "three", "cara")
    assert room.type(1, "adjourn")[0].endswith(f"{bots} If the others do not wait, they can go on without them. [y/N]")
    assert "Your bots" not in room.type(2, "quit")[0]


def test_of_two_the_other_is_told_of_the_bots_and_of_going_on_with_own_ones(tmp_path: Path) -> None:
    room = resigned(tmp_path)
    way = HOST_FROM.format(room.tables[2].short_id)
    left(room)
    gone = (
        "! White (anna) has left the table; bot 1 and bot 2 play on that computer. The game is kept: play on, `adjourn`"
    )
    waits = "! The game waits for Green (bot 1) on the computer of White (anna) now: wait, `adjourn`"
    assert room.notes(2) == [f"{gone} or {way}", f"{waits} or {way}"]
    for line in ("without anna", "without bot 1"):
        assert refused(room, 2, line) == f"The game goes on with {BOTS}: wait, `adjourn` or {way}"


def test_who_only_loses_the_connection_is_told_of_with_the_bots(tmp_path: Path) -> None:
    room = resigned(tmp_path)
    room.leave(1)
    (told,) = room.notes(2)
    assert told.startswith("! White (anna) does not answer any more; bot 1 and bot 2 play on that computer. Nothing is")


def test_two_others_go_on_without_the_bots_by_the_name_of_their_player(tmp_path: Path) -> None:
    room = resigned(tmp_path, "cara")
    left(room)
    (asked,) = room.type(2, "without anna")
    assert asked.startswith(f"Go on without {BOTS}, left ")
    assert asked.endswith("As soon as cara agrees, bot 1 and bot 2 have lost, as by resigning. [y/N]")
    room.type(2, "yes")
    assert room.notes(2)[-1] == f"- You want to go on without {BOTS}: now the others who stay have to agree."
    assert room.notes(5)[-1].startswith(f"! Blue (ben) wants to go on without {BOTS} (left ")
    room.agree_to(5, "agree")
    assert room.notes(5)[0] == f"- You agree to go on without {BOTS}."
    assert refused(room, 2, "without anna") == "White (anna) plays no more: the game goes on without that player."
    room.check()


def test_a_player_with_a_seat_is_named_and_not_the_bots(tmp_path: Path) -> None:
    room = Room(tmp_path, "qenqe", ("anna", "ben", "bot 1", "cara"), operators=(1, 2, 1, 4))
    while room.tables[2].turn != 1:
        room.play()
    room.leave(1)
    room.pass_time(ADVISE_AFTER)
    (asked,) = room.type(2, "without anna")
    assert re.match(  # the seconds that this computer takes count as well
        r"Go on without White \(anna\), away for 3\d s\? As soon as cara agrees, anna and bot 1 have lost", asked
    )
    assert not any(isinstance(one, Said) for one in room.told[2])
