"""Take-backs at one's own table: against bots, two at one screen, in a lesson."""

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from local_tables import at_one_keyboard, table_of
from net_tables import refused
from taking_back import entered, room_of, solo, why

from engine import CHANCE, all_games
from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.lesson import LessonTable, read
from p2p_stonehenge.table.session import Ply
from p2p_stonehenge.table.takebacks import DICE_SINCE


def test_at_a_table_with_own_bots_alone_nobody_is_asked_and_what_a_bot_did_is_not_ones_own(tmp_path: Path) -> None:
    room = room_of(tmp_path, "fidchess", 2, operators=(1, 1))
    table = room.tables[1]
    assert table.turn == 2, "the bot begins"
    table.play(2, table.game.legal(table.state, 2)[0])
    assert refused(room, 1, "takeback") == "You have done nothing yet that could be taken back."
    start = table.state
    for seat in (1, 2):
        table.play(seat, table.game.legal(table.state, seat)[0])
    assert room.type(1, "takeback") == []
    assert table.state == start


def test_alone_against_bots_the_word_is_enough_and_their_answers_go_back_too(tmp_path: Path) -> None:
    table, console = solo(tmp_path)
    start = table.state
    table.play(1, "A2-A3")
    after = table.state
    table.play(2, "A7-A6")
    assert entered(console, "takeback") == ""
    assert (table.state, table.turn) == (start, 1)
    assert table.plies[-1].story[0].text == "Yellow's A2-A3 and Green's A7-A6 are taken back."
    table.play(1, "A2-A3")
    assert table.state == after
    assert entered(console, "takeback") == ""
    assert why(console, "takeback") == "You have done nothing yet that could be taken back."


def test_alone_one_turn_after_the_other_is_taken_back(tmp_path: Path) -> None:
    table, console = solo(tmp_path)
    states = []
    for _ in range(3):
        states.append(table.state)
        for seat in (1, 2):
            table.play(seat, table.game.legal(table.state, seat)[0])
    for state in reversed(states):
        console.enter("takeback")
        assert table.state == state


def test_a_bot_that_thinks_about_a_move_taken_back_thinks_again(tmp_path: Path) -> None:
    table, console = solo(tmp_path)

    async def evening() -> None:
        bots = Bots(table, [2], 2, Random(1))
        bots.start()
        table.play(1, "A2-A3")
        await asyncio.sleep(0)
        console.enter("takeback")
        answered = asyncio.Event()
        table.listen(lambda notice: answered.set() if isinstance(notice, Ply) and notice.actor == 2 else None)
        table.play(1, "B2-B3")
        await asyncio.wait_for(answered.wait(), 60)
        bots.stop()

    asyncio.run(evening())
    assert [ply.actor for ply in table.plies] == [1, CHANCE, 1, 2]


def test_two_at_one_screen_are_asked(tmp_path: Path) -> None:
    table, console = solo(tmp_path, people=(1, 2))
    table.play(1, "A2-A3")
    assert entered(console, "takeback") == (
        "Take back Yellow's A2-A3? A yes does it at once: first ask Green (anna 2). [y/N]"
    )
    console.enter("yes")
    assert (table.turn, table.plies[-1].action) == (1, "takeback 0")


def test_several_at_one_screen_are_asked_as_such(tmp_path: Path) -> None:
    """It asked for the consent of all others, though nothing waits for that here."""
    table = at_one_keyboard(tmp_path, "fidchell", 3, first=1)
    console = Console(table, Settings(), "ascii", redraws=False)
    table.play(1, "1A7")
    told = entered(console, "takeback")
    assert told == "Take back Red's 1A7? A yes does it at once: first ask the others here. [y/N]"


def test_who_plays_on_alone_at_one_screen_is_not_asked(tmp_path: Path) -> None:
    table = table_of(tmp_path, "fidchell", (1, 2), 3)
    console = Console(table, Settings(), "ascii", redraws=False)
    table.begin()
    table.play(1, table.game.legal(table.state, 1)[0])
    table.play(2, "resign")
    for seat in (3, 1):
        table.play(seat, table.game.legal(table.state, seat)[0])
    assert entered(console, "takeback") == ""
    assert table.turn == 1


def test_two_at_one_screen_are_not_asked_within_a_turn(tmp_path: Path) -> None:
    table, console = solo(tmp_path, "kingamon", people=(1, 2))
    seat = table.turn
    table.play(seat, table.game.legal(table.state, seat)[0])
    assert table.turn == seat, "the first of two dice"
    assert entered(console, "takeback") == ""
    assert table.plies[-1].action.startswith("takeback ")


def test_dice_stand_at_ones_own_table(tmp_path: Path) -> None:
    table, console = solo(tmp_path, "kingamon")
    while table.turn == 1:
        table.play(1, table.game.legal(table.state, 1)[0])
    assert why(console, "takeback") == DICE_SINCE


def test_a_lesson_takes_nothing_back() -> None:
    table = LessonTable(all_games()["fidchess"], read("fidchess"), "anna")
    console = Console(table, Settings(), "ascii", redraws=False)
    assert why(console, "takeback") == "Nothing is taken back here."
    assert "takeback" not in entered(console, "help")


@pytest.mark.parametrize("line", ["takeback", "why", "why A1-A2"])
@pytest.mark.parametrize("key", ["fidchess", "kingamon"])
def test_after_a_game_against_bots_the_way_to_another_try_is_named(key: str, line: str, tmp_path: Path) -> None:
    table, console = solo(tmp_path, key)
    table.levels = {2: "club"}
    while len(table.plies) < 8 or table.turn != 2:
        table.play(table.turn, table.game.legal(table.state, table.turn)[0])
    table.play(2, "resign")
    own = [ply.number for ply in table.plies if ply.actor == 1]
    first = next(number for number in reversed(own) if number - 1 not in own)
    told = why(console, line)
    again = re.search(r"`p2p-stonehenge.* host --from (\w+) --at (\d+) --level club` plays on from before your", told)
    assert again
    assert again.groups() == (table.short_id, str(first - 1))
    assert table.after().way_back in told
    assert told.startswith("The game is over. `")
