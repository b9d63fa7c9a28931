"""Saved games that the player has renamed or copied: the table's id in the file says which game it is, not its name."""

from pathlib import Path

import pytest
from saved_games import ANNA, BEN, LOST, among_friends, home_of, keep, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.start import _Start
from p2p_stonehenge.lobby.facts import Saved
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home

THEN = 1.8e9
RENAMED = "won-with-ben"


def games(home: Home) -> list[Saved]:
    return list(Shelf(home).games())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Anna's: a game against a bot is over, one with ben goes on."""
    home = home_of(tmp_path)
    solo(home, LOST, THEN)
    among_friends(home, "kingamon", [(ANNA, "anna"), (BEN, "ben")], THEN + 1)
    return home


@pytest.mark.parametrize("cut", [0, 1, 200])
def test_a_copy_is_listed_once_as_the_game_that_it_is(home: Home, cut: int) -> None:
    before = games(home)
    for one in before:
        content = one.path.read_bytes()
        keep(home, f"{RENAMED}-{one.facts.game}", content[: len(content) - cut], THEN + 9)
    assert games(home) == before
    assert games(home) == before, "also when its content is known"


def test_a_renamed_game_keeps_its_table(home: Home) -> None:
    before = games(home)
    for one in before:
        one.path.rename(one.path.with_name(f"{RENAMED} {one.facts.game}.stonehenge"))
    told = games(home)
    assert [(one.table, one.facts, one.unfinished) for one in told] == [
        (one.table, one.facts, one.unfinished) for one in before
    ]
    assert all(RENAMED in one.path.name for one in told)


def test_of_several_copies_the_longest_is_taken(home: Home) -> None:
    path = games(home)[-1].path
    content = path.read_bytes()
    path.unlink()
    keep(home, "cut", content[:-200], THEN + 9)
    whole = keep(home, "all of it", content, THEN)
    assert games(home)[-1].path == whole


@pytest.mark.parametrize("words", [("saved",), ("record",), ("replay", "lost"), ("verify", "bot")])
def test_every_command_that_looks_for_saved_games_takes_a_copy(
    home: Home, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for number, one in enumerate(games(home)):
        renamed = one.path.rename(one.path.with_name(f"{RENAMED}{number}.stonehenge"))
        keep(home, f"cut{number}", renamed.read_bytes()[:-1], THEN + 9)
    assert main([*words, "--home", str(home.path)]) == 0
    assert capsys.readouterr().out


def test_the_start_page_lists_a_copy(home: Home) -> None:
    keep(home, RENAMED, games(home)[0].path.read_bytes(), THEN + 9)
    start = _Start(parse(("--home", str(home.path))), "")
    start.shelf = start._read()[1]
    start._show_games()
    assert [one.who for one in start.page.games or ()] == ["ben"]


@pytest.mark.parametrize("words", [(), ("bot",)])
def test_a_renamed_game_is_played_on_in_the_file_of_its_table(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    home = home_of(tmp_path)
    path = solo(home, LOST[:1], THEN)
    content = path.read_bytes()
    renamed = path.rename(path.with_name(f"{RENAMED}.stonehenge"))
    assert main(["resume", *words, "--auto", "0", "--home", str(home.path)]) == 0
    assert f"'{renamed.name}' stays as it is: the game goes on in {path.name}." in capsys.readouterr().out
    assert renamed.read_bytes() == content
    (over,) = games(home)
    assert (over.path, over.facts.result is None) == (path, False)


def test_an_old_copy_does_not_cut_the_game_that_is_played_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy is newer as a file, and its end is torn."""
    home = home_of(tmp_path)
    path = solo(home, LOST[:2], THEN)
    content = path.read_bytes()
    keep(home, "cut", content[:-200], THEN + 9)
    (home.games / "folder.stonehenge").mkdir()
    assert main(["resume", "--auto", "0", "--home", str(home.path)]) == 0
    assert "torn" not in capsys.readouterr().out
    assert path.read_bytes().startswith(content)
