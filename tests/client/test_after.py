"""After the game: what is told, that the table stays open, another game with the sides changed, the personal record."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest
from fake_table import FakeTable
from saved_games import ANNA, BEN, agreed, home_of, keep, solo
from window import CTRL_C, CTRL_D, ENTER, SETTINGS, opened

from engine import CHANCE, Chance, all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import doctor
from p2p_stonehenge.cli.solo import following
from p2p_stonehenge.lobby.shelf import Shelf, Tally, record
from p2p_stonehenge.screen import terminal
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import text_of
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.after import report
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.style import Settings
from protocol import FIRST_GAME, LOCAL, Seat, Series, Table, charter_record, draw_locally, local_charter, make_body

LOST = ((1, "B2-B3"), (2, "B7-B6"), (1, "resign"))
WON = ((1, "B2-B3"), (2, "resign"))


class Staying(FakeTable):
    """A table that stays open, and at which another game can follow."""

    stays = True
    may_again = True
    asked = 0

    def again(self) -> None:
        self.asked += 1


def test_the_end_is_told_with_length_and_last_move() -> None:
    table = Staying("fidchess", first=1).replay("A2-A3", "A7-A6")
    assert report(table) == []
    table.act(1, "resign")
    assert report(table) == ["You lost to ben by resignation.", "It took 2 turns."]


@pytest.mark.parametrize(("key", "looked_through"), [("fidchess", True), ("celtic-whist", False)])
def test_it_is_told_how_a_game_is_looked_through_where_a_bot_can(
    key: str, looked_through: bool, tmp_path: Path
) -> None:
    home = Home.open(str(tmp_path))
    body = make_body(
        LOCAL, all_games()[key], {}, tuple(Seat(ANNA.id, f"player {seat}", 1) for seat in (1, 2)), bytes(16)
    )
    charter = local_charter(body, ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: ANNA}), home.journal(charter.table.hex()), (1,))
    table.begin()
    table.stays = True
    console = Console(table, Settings(), "ascii")
    way = f"`p2p-stonehenge analyse {table.title}` tells where the game turned."
    with pytest.raises(RefusedError, match="did you mean `why`"):
        console.enter("/analyse")
    table.play(table.turn, table.game.legal(table.seen_by(table.turn), table.turn)[0])
    table.play(1, "resign")
    assert (way in report(table)) == looked_through
    told = f"In a shell, {way}" if looked_through else "There is no command analyse"
    with pytest.raises(RefusedError, match=re.escape(told)):
        console.enter("analyse")


def test_enter_plays_again_also_where_a_refused_line_stands_selected() -> None:
    async def play() -> None:
        table = Staying("fidchess", first=1)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            table.act(1, "resign")
            await window.shows("again or quit>", "Enter: again", "`again`: another game, sides changed.")
            await window.types("zzz" + ENTER)
            await window.shows("again or quit> zzz", "Enter: again")
            await window.types(ENTER)
            await asyncio.wait_for(shown, 60)
            assert table.asked == 1

    asyncio.run(play())


def played_on(plies: int) -> Staying:
    """A game of Fidchess after so many moves, none of which captures."""
    table = Staying("fidchess", first=1)
    for _ in range(plies // 2):
        for seat in (1, 2):
            table.act(seat, next(one for one in table.game.legal(table.state, seat) if "-" in one))
    return table


@pytest.mark.parametrize("plies", [8, 40])
def test_what_enter_does_is_told_where_a_text_covers_the_board_at_the_end(plies: int) -> None:
    """It shows the board, and nothing says that it plays again before it does."""

    async def play() -> None:
        table = played_on(plies)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            await window.types("log" + ENTER)
            await window.shows("Enter shows the board")
            table.act(1, "resign")
            await window.shows("again or quit>", "Enter shows the board")
            assert re.findall(r"Enter\b.*", window.text) in (["Enter shows the board"], ["Enter shows the board)"])
            await window.types(ENTER)
            await window.shows("├──────┼", "Enter: again")
            assert table.asked == 0
            await window.types(ENTER)
            await asyncio.wait_for(shown, 60)
            assert table.asked == 1

    asyncio.run(play())


@pytest.mark.parametrize("plies", [8, 40])
def test_enter_shows_the_board_first_where_a_text_covers_it(plies: int) -> None:
    """A text that is printed above the prompt, or one in the board's place: only the next Enter plays again."""

    async def play() -> None:
        table = played_on(plies)
        with opened() as window:
            shown = asyncio.create_task(terminal.run(table, SETTINGS))
            await window.shows(">")
            table.act(1, "resign")
            await window.shows("again or quit>", "Enter: again")
            await window.types("log" + ENTER)
            await window.shows("Enter shows the board")
            await window.until(lambda: "Enter: again" not in window.text)
            await window.types(ENTER)
            await window.shows("├──────┼", "Enter: again")
            assert table.asked == 0
            await window.types(ENTER)
            await asyncio.wait_for(shown, 60)
            assert table.asked == 1

    asyncio.run(play())


@pytest.mark.parametrize(("key", "players"), [("celtic-whist", 3), ("fidchell", 3)])
def test_of_several_all_are_told_how_they_stand(tmp_path: Path, key: str, players: int) -> None:
    home = home_of(tmp_path)
    seats = tuple(Seat(ANNA.id, f"player {seat}", 1) for seat in range(1, players + 1))
    body = make_body(LOCAL, all_games()[key], {"first": 1}, seats, bytes(16))
    charter = local_charter(body, ANNA, bytes(32))
    table = LocalTable(Table(charter, {1: ANNA}), home.journal(charter.table.hex()), range(1, players + 1))
    table.begin()
    while table.result is None:
        table.play(table.turn, "resign")
    told = report(table)
    assert any(line.startswith("Final standing: player ") and "(won" in line for line in told), told
    assert told[-1].startswith("Moves verified: each follows the rules.")
    assert ("This computer drew" in told[-1]) == (key == "celtic-whist")


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


def console(table: FakeTable) -> Console:
    return Console(table, Settings(), "ascii")


def test_again_and_result_are_for_games_that_are_over() -> None:
    table = Staying("fidchess", first=1)
    at = console(table)
    with pytest.raises(RefusedError):
        at.enter("again")
    assert not [choice for choice in at.choices("ag") if choice.text == "again"]
    table.act(1, "resign")
    assert [choice.text for choice in at.choices("ag")] == ["again"]
    assert text_of(at.enter("result")[0]) == "You lost to ben by resignation."
    assert at.prompt() == "again or quit> "
    at.enter("")
    assert (table.asked, at.leaving) == (1, True)


def test_among_friends_talk_goes_on_and_another_game_says_how() -> None:
    table = FakeTable("fidchess", first=1)
    table.stays = True
    table.act(1, "resign")
    at = console(table)
    assert at.prompt() == "over> "
    assert at.enter("") == []
    assert not at.leaving
    with pytest.raises(RefusedError, match="one of you hosts it"):
        at.enter("again")
    at.enter('"well played')
    at.enter("log")
    at.enter("quit")
    assert at.leaving


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
            assert left[-2:] == ["You lost to ben by resignation.", "The table is saved in games/7f3a.stonehenge"]
            assert any(line.lstrip().startswith("1 │  YR  │") for line in left), "the last position stays in sight"

    asyncio.run(play())


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
            board = [text_of(line).rstrip() for line in at.board(width, height - FURNITURE - len(score))]
            assert len(board) <= height - FURNITURE - len(score)
            await window.until(lambda: {*board} <= {*window.text.splitlines()})
            await window.types(CTRL_D)
            await shown

    asyncio.run(play())


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


def body(*names: str) -> list[str]:
    seats = tuple(Seat(ANNA.id, name, 1) for name in names)
    made = make_body(LOCAL, all_games()["qenqe"], {}, seats, bytes(16))
    last = Table(local_charter(made, ANNA, bytes(32)), {1: ANNA})
    return [seat.name for seat in following(last).seats]


def test_sides_are_changed_and_everybody_keeps_the_name() -> None:
    assert body("anna", "bot Brigid") == ["bot Brigid", "anna"]
    assert body("anna", "bot Brigid", "bot Conall") == ["bot Conall", "anna", "bot Brigid"]
    assert body("player 1", "player 2") == ["player 2", "player 1"]


if sys.platform != "win32":
    from real_terminal import RealTerminal

    def test_enter_plays_another_game_with_the_sides_changed(tmp_path: Path) -> None:
        home_of(tmp_path)
        words = ["solo", "fidchess", "-o", "first=1", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words])
        try:
            at.shows("Yellow (anna)", "move>")
            at.types("resign\r")
            at.shows("[y/N]")
            at.types("yes\r")
            at.shows("You lost to bot Brigid", "again or quit>")
            at.types("\r")
            at.shows("Yellow (bot Brigid), Green (anna)", "your turn")
            at.types("resign\r")
            at.shows("[y/N]")
            at.types("yes\r")
            at.shows("Score after 2 games: bot Brigid 2, anna 0.", "again or quit>")
            at.types("\r")
            at.shows("Yellow (anna)", "move>")
            at.types("quit\r")
            at.shows("[y/N]")
            at.types("yes\r")
            assert at.ends() == 0
        finally:
            at.close()
        assert [game.unfinished for game in Shelf(Home.open(str(tmp_path))).games()] == [True, False, False]

    @pytest.mark.network
    @pytest.mark.slow
    def test_friends_play_again_and_the_score_is_counted(tmp_path: Path) -> None:
        """The seats move on; each client counts for itself, and both come to the same."""
        anna, ben = (f"{name}-{os.getpid()}" for name in ("anna", "ben"))
        wanted = {anna: ["host", "fidchess", "-o", "first=1"], ben: ["join", anna]}
        at: dict[str, RealTerminal] = {}

        def both(*texts: str, by: str = "") -> None:
            """Wait until one player's terminal, or each, shows something; both go on being read."""
            ends = [at[by]] if by else list(at.values())
            for end in ends:
                other = next(one for one in at.values() if one is not end)

                def shown(end: RealTerminal = end, other: RealTerminal = other) -> bool:
                    other._read(0.0)
                    return all(text in end.text for text in texts)

                end.until(shown)

        def resigns(loser: str) -> None:
            at[loser].types("resign\r")
            both("[y/N]", by=loser)
            at[loser].types("yes\r")
            both("again or quit>")

        try:
            for name, words in wanted.items():
                options = ("--name", name, "--home", str(tmp_path / name), "--interface", "127.0.0.1")
                at[name] = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words, *options], 100)
                if name == anna:
                    at[anna].shows("waiting for")
            both("your turn", by=anna)
            resigns(anna)
            assert "Score" not in at[ben].text
            for name in (ben, anna):
                at[name].types("again\r")
            both("your turn", by=ben)
            resigns(ben)
            both("Score after 2 games:", f"{ben} 1", f"{anna} 1", by=anna)
            both("Score after 2 games:", f"{anna} 1", f"{ben} 1", by=ben)
            at[ben].types("quit\r")
            at[ben].ends()
            at[anna].shows(f"({ben}) has left the table.")
            at[anna].types("again\r")
            at[anna].shows(f"nobody to play again with: {ben} has left", "over>")
            at[anna].types("quit\r")
            assert at[anna].ends() == 0
        finally:
            for end in at.values():
                end.close()

    def test_a_match_ends_with_the_player_who_has_its_points_and_another_one_follows(tmp_path: Path) -> None:
        home_of(tmp_path)
        words = ["solo", "fidchess", "--hot-seat", "-o", "first=1", "--match", "2", "--plain", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words], 160, 200)
        asked = "your turn: move."

        def loses(game: int, told: str) -> None:
            at.until(lambda: at.text.count(asked) == game)
            at.agrees("resign")
            at.shows(told)
            at.types("again\r")

        try:
            at.shows(asked)
            at.types("who\r")
            at.shows("options: match to 2 (player 1 0, player 2 0)")
            loses(1, "Match to 2, after 1 game: player 2 1, player 1 0.")
            loses(2, "Match to 2, after 2 games: player 2 1, player 1 1.")
            loses(3, "player 2 won the match to 2 in 3 games: player 2 2, player 1 1.")
            assert at.text.count("the next game of the match, sides changed") == 2
            at.shows("another match, sides changed")
            at.until(lambda: at.text.count(asked) == 4)
            at.types("who\r")
            at.shows("options: match to 2 (player 2 0, player 1 0)")
            at.agrees("quit")
            assert at.ends() == 0
        finally:
            at.close()

    def test_a_match_goes_on_with_a_game_that_was_left_and_between_two_games(tmp_path: Path) -> None:
        home_of(tmp_path)
        asked = "your turn: move."

        def play(*words: str) -> "closing[RealTerminal]":
            options = ("--plain", "--home", str(tmp_path))
            return closing(RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words, *options], 160, 200))

        def loses(at: RealTerminal, told: str) -> None:
            at.agrees("resign")
            at.shows(told)

        with play("solo", "fidchess", "--hot-seat", "-o", "first=1", "--match", "2") as at:
            at.shows(asked)
            loses(at, "Match to 2, after 1 game: player 2 1, player 1 0.")
            at.types("again\r")
            at.until(lambda: at.text.count(asked) == 2)
            at.agrees("quit")
            assert at.ends() == 0
        with play("resume") as again:
            again.shows(asked)
            loses(again, "Match to 2, after 2 games: player 2 1, player 1 1.")
            again.types("quit\r")
            again.shows("begins the next game of the match.")
            assert again.ends() == 0
        with play("resume") as between:
            between.shows(asked)
            loses(between, "player 2 won the match to 2 in 3 games: player 2 2, player 1 1.")
            between.types("quit\r")
            assert between.ends() == 0
        with play("resume") as over:
            over.shows("There is no interrupted table")
            assert over.ends() == 5

    def test_line_by_line_the_table_stays_open_as_well(tmp_path: Path) -> None:
        home_of(tmp_path)
        words = ["solo", "fidchess", "-o", "first=1", "--plain", "--home", str(tmp_path)]
        at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words])
        try:
            at.shows("Your turn: move.")
            at.agrees("resign")
            at.shows("You lost to bot Brigid", "another game, sides changed")
            at.types("again\r")
            at.shows("Yellow (bot Brigid), Green (anna)")
            at.agrees("quit")
            assert at.ends() == 0
        finally:
            at.close()


# The personal record.


def test_the_record_counts_games_results_and_opponents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    solo(home, WON, 1e9, nonce=1)
    solo(home, WON, 1e9, nonce=2)
    solo(home, WON[:1], 1e9, nonce=3)
    charter = agreed("kingamon", [(ANNA, "anna"), (BEN, "ben")], first="1")
    keep(home, charter.table.hex()[:16], charter_record(charter), 1e9)
    by_game, by_opponent = record(Shelf(home).games())
    assert by_game == {"Fidchess": Tally(3, 2, 1, 0)}
    assert by_opponent == {"bots": {"Fidchess": Tally(3, 2, 1, 0)}}
    assert main(["record", "--home", str(home.path)]) == 0
    assert capsys.readouterr().out == "Fidchess  3 games: 2 won, 1 lost\n\nbots  Fidchess  3 games: 2 won, 1 lost\n"
    assert main(["record", "--json", "--home", str(home.path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["opponents"]["bots"]["Fidchess"] == {"played": 3, "won": 2, "lost": 1, "drawn": 0}


def test_the_record_of_each_opponent_is_sorted_as_that_of_all(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, 1e9)
    (lost,) = Shelf(home).games()
    kinds = ("fidchess", "kingamon", "kingamon")
    by_game, by_opponent = record(lost._replace(facts=lost.facts._replace(game=key)) for key in kinds)
    assert [*by_game] == [*by_opponent["bots"]] == ["Byzantine Kingamon", "Fidchess"]


def test_without_a_game_that_is_over_the_next_step_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--home", str(tmp_path)]) == 0
    assert "solo kingamon" in capsys.readouterr().out


def test_one_of_a_thing_is_told_in_the_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = solo(home_of(tmp_path), ((1, "resign"),), 1.0)
    assert "; 1 saved game in " in doctor._home(Namespace(home=str(tmp_path))).text
    assert main(["verify", str(path), "--details"]) == 0
    told = capsys.readouterr().out
    assert "1 action of seats" in told
    assert "charter signed by 1 signer" in told


def test_the_list_of_saved_games_offers_what_can_be_done_with_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that is over cannot be gone on with: it is looked at."""
    solo(home_of(tmp_path), LOST, 1.0)
    assert main(["saved", "--home", str(tmp_path)]) == 0
    assert f"  p2p-stonehenge --home {tmp_path} replay 1\n" in capsys.readouterr().out
    solo(home_of(tmp_path), LOST[:2], 2.0, nonce=1)
    assert main(["saved", "--home", str(tmp_path)]) == 0
    assert f"  p2p-stonehenge --home {tmp_path} resume 1\n" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="another shell quotes otherwise")
def test_told_commands_find_the_home_that_the_command_line_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed into a shell as it was told, the command looks into the same home."""
    home = tmp_path / "the games of Ana's"
    solo(home_of(home), LOST, 1.0)
    assert main(["saved", "--home", str(home)]) == 0
    told = capsys.readouterr().out.splitlines()[-2].strip()
    assert told == f"p2p-stonehenge --home {shlex.quote(str(home))} replay 1"
    assert main([*shlex.split(told)[1:-2], "saved"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].strip() == told
    monkeypatch.setenv("P2P_STONEHENGE_HOME", str(home))  # a shell keeps that by itself
    assert main(["saved"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].strip() == "p2p-stonehenge replay 1"


def test_texts_name_the_command_by_which_the_program_was_started(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "p2p_stonehenge", "saved", "--home", str(tmp_path)]
    environment = {**os.environ, "P2P_STONEHENGE_COMMAND": "python3 scripts/play.py"}
    told = subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout
    assert f"`python3 scripts/play.py --home {tmp_path} solo kingamon` begins one" in told
    refused = subprocess.run([*words, "--strange"], capture_output=True, text=True, check=False, env=environment)
    assert "see python3 scripts/play.py saved --help" in refused.stderr
