"""After the game: what is told of it, and what stays in sight while the table stays open."""

import asyncio
from pathlib import Path

import pytest
from fake_table import FakeTable, Staying
from friends import over
from local_tables import at_one_keyboard
from saved_games import ANNA
from window import CTRL_C, CTRL_D, ENTER, SETTINGS, Window, opened, play

from engine import CHANCE, Chance, all_games
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.screen.at_the_end import after
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.after import report
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import Note, Ply, RefusedError
from protocol import FIRST_GAME, LOCAL, Seat, Series, Table, draw_locally, local_charter, make_body


def test_the_end_is_told_with_length_and_last_move() -> None:
    table = Staying("fidchess", first=1).replay("A2-A3", "A7-A6")
    assert report(table) == []
    table.act(1, "resign")
    assert report(table) == ["You lost to ben by resignation.", "It took 2 turns."]


def test_what_was_taken_back_does_not_make_a_game_longer() -> None:
    table = Staying("fidchess", first=1).replay("A2-A3", "A7-A6")
    table.plies.append(Ply(3, CHANCE, "takeback 1", ()))
    table.act(1, "resign")
    assert report(table)[1] == "It took 1 turn; 1 more move was taken back."


@pytest.mark.parametrize("key", ["fidchess", "celtic-whist"])
def test_it_is_told_how_a_game_is_looked_through(key: str, tmp_path: Path) -> None:
    home = Home.open(str(tmp_path))
    body = make_body(
        LOCAL, all_games()[key], {}, tuple(Seat(ANNA.id, f"player {seat}", 1) for seat in (1, 2)), bytes(16)
    )
    charter = local_charter(body, ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: ANNA}), home.journal(charter.table), (1,))
    table.begin()
    table.stays = True
    console = Console(table, Settings(), "ascii")
    way = "`analyse` tells where the game turned."
    with pytest.raises(RefusedError, match="type it then"):
        console.enter("/analyse")
    table.play(table.turn, table.game.legal(table.seen_by(table.turn), table.turn)[0])
    table.play(1, "resign")
    assert way in report(table)


@pytest.mark.parametrize(("match", "told"), [(0, False), (1, False), (2, True)], ids=["none", "won", "goes on"])
def test_between_two_games_of_a_match_it_is_told_where_a_game_outside_of_it_begins(
    match: int, told: bool, tmp_path: Path
) -> None:
    (room := over(tmp_path, Series(match))).tables[1].stays = True
    lines = " ".join(map(text_of, after(room.tables[1], redraws=False)))
    assert ("A game outside of the match is begun on the start page." in lines) == told


@pytest.mark.parametrize(("key", "players"), [("celtic-whist", 3), ("fidchell", 3)])
def test_of_several_all_are_told_how_they_stand(tmp_path: Path, key: str, players: int) -> None:
    table = at_one_keyboard(tmp_path, key, players, first=1)
    while table.result is None:
        table.play(table.turn, "resign")
    told = report(table)
    assert any(line.startswith("Final standing: player ") and "(won" in line for line in told), told
    assert told[-1].startswith("Moves verified: each follows the rules.")
    assert ("This computer drew" in told[-1]) == (key == "celtic-whist")


def test_who_resigned_stands_behind_those_who_drew(tmp_path: Path) -> None:
    table = at_one_keyboard(tmp_path, "fidchell", 3, first=1, turn_limit=4)
    table.play(1, "resign")
    for place in ("5D4", "5D5", "5D6", "1A7"):
        table.play(table.turn, place)
    drawn, standing, *_ = report(table)
    assert drawn == "Drawn by the turn limit."
    assert standing == "Final standing: player 2 (drew), player 3 (drew), player 1 (has resigned)."


@pytest.mark.parametrize(("key", "drew"), [("fidchess", "who begins"), ("kingamon", "who begins and 1 roll")])
def test_what_chance_decided_is_counted_by_its_kind(tmp_path: Path, key: str, drew: str) -> None:
    table = at_one_keyboard(tmp_path, key, 2)
    table.play(table.turn, "resign")
    assert report(table)[-1].startswith(f"Moves verified: each follows the rules. This computer drew {drew}.")


def test_the_length_of_a_game_is_counted_as_its_rules_count() -> None:
    """Two dice are one turn, to resign is none, and cards are played in rounds."""
    table = Staying("kingamon", first=1).replay("5-6", "4/10", "3/8", "3-6")
    table.act(1, "resign")
    assert report(table)[1] == "It took 1 turn, 2 moves in all."


@pytest.mark.parametrize(
    ("actions", "told"), [(8, "No round was played to its end."), (50, "It took 1 round."), (100, "It took 2 rounds.")]
)
def test_a_round_that_was_given_up_is_not_counted(actions: int, told: str) -> None:
    table = Staying("celtic-whist", first=1)
    for _ in range(actions):
        due = table.game.pending(table.state)
        if isinstance(due, Chance):
            table.act(CHANCE, draw_locally(due.draw, bytes(32)))
        else:
            table.act(table.turn, table.game.legal(table.state, table.turn)[0])
    table.act(table.turn, "resign")
    assert report(table)[1:2] == [told]


def test_a_game_at_the_cube_counts_its_points_in_the_match() -> None:
    table = Staying("kingamon", first=1, cube=True).replay("5-6")
    table.series = Series(3, 2, bytes(32), (1, 2))
    while not (result := table.result):
        legal = table.game.legal(table.state, table.turn) if table.turn else ("3-1",)
        wanted = next((one for one in ("double", "drop") if one in legal), legal[0])
        table.act(table.turn or CHANCE, wanted)
    assert max(result.points) == 1
    told = report(table)[-1]
    assert told == (
        "ben won the match to 3 in 3 games: ben 3, anna 1."
        if result.winners == (2,)
        else "Match to 3, after 3 games: anna 2, ben 2."
    )


def test_the_board_stays_on_the_screen_until_the_table_is_left() -> None:
    async def play() -> None:
        table = FakeTable("fidchess", first=1)
        table.stays = True
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows("move>")
            table.act(1, "resign")
            await window.shows("You lost to ben by resignation.", "over>", "the game is over")
            await window.types("say well played" + ENTER)
            await window.shows("anna: well played")
            await window.types(CTRL_D)
            await shown
            assert window.text.count("You lost") == 1
            left = window.text.rstrip().splitlines()
            saved = ["The table is saved in", "games/7f3a.stonehenge"]
            assert left[-3:] == ["You lost to ben by resignation.", *saved]
            assert any(line.lstrip().startswith("1 │  YR  │") for line in left), "the last position stays in sight"

    asyncio.run(play())


def test_the_end_is_told_again_where_the_first_one_proved_to_be_none() -> None:
    """Two versions of an event had ended the game, as it seemed, and all others had played on."""
    table = FakeTable("fidchess", first=1)
    table.stays = True

    async def script(window: Window) -> None:
        await window.shows("move>")
        before = table.now
        table.act(1, "resign")
        await window.shows("You lost to ben by resignation.", "`result` tells more")
        table.now = before
        table.tell(Note("The game goes on.", urgent=True))
        await window.types("a2 a3" + ENTER)
        await window.shows("ben to move")
        table.act(2, "resign")
        await window.shows("You won by resignation.", "It took 1 turn.")
        await window.types(CTRL_D)

    play(table, script)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12)])
@pytest.mark.parametrize("key", all_games())
def test_board_result_and_what_can_be_typed_stay_in_sight_after_the_end(key: str, width: int, height: int) -> None:
    """Whatever is printed above the board afterwards."""

    async def play() -> None:
        table = Staying(key, first=1)
        table.series = Series(0, 1, bytes(32), (1, 0)) if height == 24 else FIRST_GAME
        with opened() as window:
            window.screen.resize(height, width)
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            table.act(1, "resign")
            await window.shows("again or quit>")
            for number in range(6):
                await window.types(f"say line {number}" + ENTER)
            await window.until(lambda: ": line 5" in window.written)
            await window.types("x" + CTRL_C)  # the own line stays below the prompt until something is typed
            score = ["Score after 2 games: "] if table.series.games else []
            await window.shows("again or quit>", " You lost to ben by resignation.", "Enter: again", "quit", *score)
            at = Console(table, SETTINGS, "unicode")
            at.drawing.window = height - FURNITURE
            board = [text_of(line).rstrip() for line in at.board(width, height - FURNITURE - len(score))]
            assert len(board) <= height - FURNITURE - len(score)
            await window.until(lambda: {*board} <= {*window.text.splitlines()})
            await window.types(CTRL_D)
            await shown

    asyncio.run(play())


def test_at_the_end_the_board_gives_way_to_the_whole_result() -> None:
    table = Staying("fidchess", first=1)

    async def script(window: Window) -> None:
        await window.shows("move>")
        table.play(1, "A2-A3")
        table.act(2, "resign")
        whole = [text_of(line)[:70] for line in after(table, redraws=True)]
        assert len(whole) > 2
        await window.shows(*whole, "Enter shows the larger board", "Enter twice: again")
        await window.types(ENTER)
        await window.shows("├──────┼", "Enter: again")

    play(table, script)


def test_at_a_table_that_does_not_stay_the_end_is_the_end() -> None:
    async def play() -> None:
        table = FakeTable("fidchess", first=1)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows("move>")
            table.act(1, "resign")
            await asyncio.wait_for(shown, 60)
            assert window.text.count("You lost") == 1

    asyncio.run(play())
