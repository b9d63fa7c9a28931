"""Evenings at real terminals: one game after the other, alone, at one screen and among friends, and whole matches."""

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest
from saved_games import home_of

from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)

from real_terminal import RealTerminal, Terminals


def test_enter_plays_another_game_with_the_sides_changed(tmp_path: Path) -> None:
    home_of(tmp_path)
    words = ["solo", "fidchess", "-o", "first=1", "--home", str(tmp_path)]
    at = RealTerminal([sys.executable, "-m", "p2p_stonehenge", *words])
    try:
        at.shows("Yellow (anna)", "move>")
        at.agrees("resign")
        at.shows("You lost to bot Brigid", "again or quit>", "Enter shows the larger board")
        at.types("\r")
        at.shows("Enter: again")
        at.types("\r")
        at.shows("Yellow (bot Brigid), Green (anna)", "your turn")
        at.agrees("resign")
        at.shows("Score after 2 games: bot Brigid 2, anna 0.", "again or quit>", "Enter shows the larger board")
        at.types("\r")
        at.shows("Enter: again")
        at.types("\r")
        at.shows("Yellow (anna)", "move>")
        at.agrees("quit")
        assert at.ends() == 0
    finally:
        at.close()
    assert [game.unfinished for game in Shelf(Home.open(str(tmp_path))).games()] == [True, False, False]


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


@pytest.mark.network
@pytest.mark.slow
def test_friends_play_again_and_the_score_is_counted(tmp_path: Path) -> None:
    """The seats move on; each client counts for itself, and both come to the same."""
    anna, ben = (f"{name}-{os.getpid()}" for name in ("anna", "ben"))
    with closing(Terminals(tmp_path)) as play:
        play.start(anna, "host", "fidchess", "-o", "first=1")
        play.shows("waiting for", by=anna)
        play.start(ben, "join", anna)
        play.shows("your turn", by=anna)
        play.at[anna].agrees("resign")
        play.shows("again or quit>")
        assert "Score" not in play.at[ben].text
        for name in (ben, anna):
            play.at[name].types("again\r")
        play.shows("your turn", by=ben)
        play.at[ben].agrees("resign")
        play.shows("Score after 2 games:", f"{ben} 1", f"{anna} 1", "again or quit>")
        play.at[ben].types("quit\r")
        play.ends(ben)
        play.shows(f"({ben}) has left the table.", by=anna)
        play.at[anna].types("again\r")
        play.shows(f"nobody to play again with: {ben} has left", "over>", by=anna)
        play.at[anna].types("quit\r")
        play.ends(anna)


def play_a_game_of_three(play: Terminals, host: str, second: str, third: str) -> None:
    """Let three players sit down in this order at a table of Fidchell, and two of them resign."""
    play.start(host, "host", "fidchell", "-o", "first=1", "--players", "3")
    play.shows("waiting for", by=host)
    for name in (second, third):
        play.start(name, "join", host)
        play.shows(f"{name} sits down", by=host)
    play.shows("your turn", by=host)
    play.shows("to move  all here", by=third)
    for name in (third, host):
        play.at[name].agrees("resign")
    play.shows("again or quit>")


@pytest.mark.network
@pytest.mark.slow
def test_whose_computer_slept_while_friends_asked_for_another_game_plays_it_with_all(tmp_path: Path) -> None:
    anna, ben, cara = (f"{name}-{os.getpid()}" for name in ("anna", "ben", "cara"))
    with closing(Terminals(tmp_path, rows=40)) as play:
        play_a_game_of_three(play, anna, ben, cara)
        play.at[ben].types("again\r")
        play.shows("wants to play again: type", by=cara)
        pid = play.at[cara].process.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            play.at[anna].types("again\r")
            play.shows(f"Play again without {cara}?", by=anna)
        finally:
            os.kill(pid, signal.SIGCONT)
        play.at[cara].until(lambda: play.at[cara].text.count("wants to play again: type") == 2)
        play.at[cara].types("again\r")
        play.at[cara].until(lambda: any(told in play.at[cara].text for told in ("[y/N]", " to move", "your turn")))
        assert "[y/N]" not in play.at[cara].text
        play.shows("all here")


@pytest.mark.network
@pytest.mark.slow
def test_who_opens_the_next_game_and_is_killed_finds_a_table_of_all_to_come_back_to(tmp_path: Path) -> None:
    """One would play without that player, and the next one would not: the latter opens the table for all three."""
    anna, ben, cara = (f"{name}-{os.getpid()}" for name in ("anna", "ben", "cara"))
    with closing(Terminals(tmp_path, rows=40)) as play:
        play_a_game_of_three(play, anna, ben, cara)
        play.at[ben].types("again\r")
        play.shows("wants to play again", by=cara)
        play.at.pop(anna).close()
        play.shows("does not answer any more", by=cara)
        play.at[cara].types("again\r")
        play.shows(f"Play again without {anna}?", by=cara)
        play.at[cara].types("yes\r")
        play.shows(f"Play again without {anna}?", by=ben)
        play.shows(f"Waiting for {ben}, who may be at a question about the next game. Ctrl-C leaves.", by=cara)
        play.at[ben].types("no\r")
        play.shows(f"Waiting for {anna} to come back, by `p2p-stonehenge join {ben}", by=ben)
        play.shows("(2 of 3)", by=cara)
        play.start(anna, "join", ben)
        play.shows("is signed by all", by=anna)
        play.shows("all here", by=anna)


@pytest.mark.network
@pytest.mark.slow
def test_friends_play_a_match_to_its_end_with_a_break_in_the_middle(tmp_path: Path) -> None:
    """Both read one score at each point, also after both programs were started again."""
    anna, ben = (f"{name}-{os.getpid()}" for name in ("anna", "ben"))
    with closing(Terminals(tmp_path, rows=40)) as play:
        play.start(anna, "host", "fidchess", "-o", "first=1", "--match", "2")
        play.shows("waiting for", by=anna)
        play.start(ben, "join", anna)
        play.shows(f"match to 2 ({anna} 0, {ben} 0)")
        play.shows("The three words: ", "Read them aloud: all must have the same.")
        play.shows("your turn", by=anna)
        play.at[anna].agrees("resign")
        play.shows(f"Match to 2, after 1 game: {ben} 1, {anna} 0.", "again or quit>")
        for name in (ben, anna):
            play.at[name].types("again\r")
        play.shows(f"match to 2 ({ben} 1, {anna} 0)")
        play.shows("your turn", by=ben)
        assert not any("The three words: " in at.text for at in play.at.values()), "they were told at the first table"
        play.shows(f"({ben}) to move", by=anna)
        for name in (anna, ben):
            play.at[name].types("adjourn\r")
            play.shows("adjourn? [y/N]>", by=name)
            play.at[name].types("yes\r")
            play.ends(name)
        for name in (anna, ben):
            play.start(name, "resume")
        play.shows(f"match to 2 ({ben} 1, {anna} 0)")
        play.shows("your turn", by=ben)
        play.at[ben].agrees("resign")
        play.shows(f"Match to 2, after 2 games: {ben} 1, {anna} 1.", "again or quit>")
        for name in (ben, anna):  # nobody stays at the table: the match goes on from the saved game
            play.at[name].types("quit\r")
        for name in (ben, anna):
            play.ends(name)
        play.start(ben, "host", "fidchess", "--from", "1")
        play.shows("Game 3 of a match to 2: ", "before it.", "waiting for", by=ben)
        play.start(anna, "host", "--from", "1")  # both open a table, and their clients agree on one
        play.shows(f"match to 2 ({anna} 1, {ben} 1)")
        play.shows("your turn", by=anna)
        play.at[anna].agrees("resign")
        play.shows(f"{ben} won the match to 2 in 3 games: {ben} 2, {anna} 1.", "again or quit>")
        for name in (ben, anna):
            play.at[name].types("again\r")
        play.shows(f"match to 2 ({ben} 0, {anna} 0)", "your turn", by=ben)
