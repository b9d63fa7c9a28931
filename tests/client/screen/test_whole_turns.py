"""A whole turn on one line: until Enter it can be changed, and all of it is lawful or none of it is played."""

from pathlib import Path

import pytest
from fake_table import FakeTable
from net_tables import NAMES, Room

from engine import CHANCE
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import RefusedError


def rolled(dice: str = "6-3") -> tuple[FakeTable, Console]:
    table = FakeTable("kingamon", first=1)
    table.act(CHANCE, dice)
    return table, Console(table, Settings(), "ascii")


def actions(table: FakeTable) -> list[str]:
    return [ply.action for ply in table.plies if ply.actor]


@pytest.mark.parametrize("line", ["2/8 6/9", "2/8, 6/9", "  2/8   6/9 "])
def test_a_turn_is_played_from_one_line(line: str) -> None:
    table, console = rolled()
    console.enter(line)
    assert actions(table) == ["2/8", "6/9"]
    assert table.turn != 1


@pytest.mark.parametrize(
    ("line", "played"),
    [
        ("2/8/11", ["2/8", "8/11"]),
        ("kbar/3/9", ["Kbar/3", "K3/9"]),
        ("Kbar/6/9", ["Kbar/6", "K6/9"]),
        ("bar/3/9", ["Kbar/3", "3/9"]),
    ],
)
def test_a_piece_that_goes_on_with_both_dice_is_written_once(line: str, played: list[str]) -> None:
    table, console = rolled()
    console.enter(line)
    assert actions(table) == played


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("2/8/12", "8/12: That takes a 4, but you have 3 to play."),
        ("2/8/11/12", "11/12: The turn ends with 8/11."),
        ("2/8 6/10", "6/10: "),
        ("1/2 6/9", "1/2: You have no disk on space 1."),
        ("2/8 oak", "oak: 'oak' is not a move"),
        ("2/8 6/9 4/5", "4/5: The turn ends with 6/9."),
        ("2/8 resign", "resign: `resign` stands alone."),
    ],
)
def test_of_a_turn_that_is_not_lawful_as_a_whole_nothing_is_played(line: str, says: str) -> None:
    table, console = rolled()
    with pytest.raises(RefusedError) as refusal:
        console.enter(line)
    assert str(refusal.value).startswith(says)
    assert str(refusal.value).endswith("Nothing was played.")
    assert actions(table) == []


@pytest.mark.parametrize("line", ["4C2 2C4", "4C2, 2C4"])
def test_two_pieces_placed_in_one_turn_are_no_move_from_one_field_to_the_other(line: str) -> None:
    table = FakeTable("fidchell", (2,), players=3, first=2, layout=53035)
    for seat, action in zip((2, 3, 1) * 2, ("2C1", "6C1", "4C1", "2C2", "6C2", "2C3"), strict=True):
        table.act(seat, action)
    Console(table, Settings(), "ascii").enter(line)
    assert actions(table)[6:] == ["4C2", "2C4"]


def test_after_equal_dice_another_roll_follows() -> None:
    _, console = rolled("3-3")
    told = "6/9: After 2/5 you roll again: first see the new dice. Nothing was played."
    assert console.refuse("2/5 2/5 6/9") == told


def test_where_no_piece_can_play_the_die_that_is_left_that_is_told() -> None:
    """Red holds the spaces 4 and 13: the second 4 lapses."""
    table, console = rolled("4-4")
    white, red = bytearray(31), bytearray(31)
    white[0], white[5], white[30] = 32, 1, 9
    red[0], red[17], red[26], red[30] = 32, 2, 2, 6
    state = table.now._replace(phase=3, seat=1, dice=b"", plays=(), white=bytes(white), red=bytes(red))
    table.now = table.game.apply(state, CHANCE, "4-4")
    told = "9/13: After 5/9: White cannot play the other 4. Nothing was played."
    assert console.refuse("5/9 9/13") == told


def test_a_line_that_begins_with_no_move_is_refused_as_before() -> None:
    table, console = rolled()
    with pytest.raises(RefusedError, match="is not a move"):
        console.enter("oak ash thorn")
    with pytest.raises(RefusedError):
        console.enter("2/8 " * 60)
    assert actions(table) == []


def test_tab_goes_on_behind_the_actions_that_stand_there() -> None:
    _, console = rolled()
    offered = [choice.text for choice in console.choices("2/8 ")]
    assert "2/8 6/9" in offered
    assert "2/8 8/11" in offered, "the piece that would stand there by then"
    assert [choice.text for choice in console.choices("2/8, 6")] == ["2/8, 6/9"]
    assert console.choices("2/8 6/9 ") == console.choices("oak ") == []


def test_among_peers_each_part_is_signed_in_turn(tmp_path: Path) -> None:
    room = Room(tmp_path, "kingamon", NAMES[:2])
    table = room.tables[room.tables[1].turn]
    seat = table.turn
    first = table.game.legal(table.state, seat)[0]
    second = table.game.legal(table.game.apply(table.state, seat, first), seat)[0]
    room.type(seat, f"{first} {second}")
    for other in room.tables.values():
        assert [(ply.actor, ply.action) for ply in other.plies if ply.actor][:2] == [(seat, first), (seat, second)]
    room.check()
