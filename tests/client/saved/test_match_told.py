"""A game of a match, looked back at: each way tells which game it was, the score before it and after it."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from command_lines import python
from looking_back import PEOPLE, played_together, saved
from saved_games import ANNA, among_friends, home_of, keep

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import host
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.cli.around import going_on
from p2p_stonehenge.cli.start import _Start
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.saved import prove
from p2p_stonehenge.screen.playback import Playback
from p2p_stonehenge.screen.start_rows import Entry
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.notes import Notes
from protocol import Series, id_bytes

SECOND = Series(5, 1, b"t" * 32, (3, 1))
BEFORE = "Game 2 of a match to 5: ana 3, ben 1 before it."
AFTER = "Match to 5, after 2 games: ana 4, ben 1."


def game(series: Series = SECOND, names: tuple[str, ...] = ("ana", "ben")) -> bytes:
    """Return the file of a game that ana won."""
    return played_together("fidchess", 2, (), 4, names, series)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.stonehenge"
    path.write_bytes(game())
    return path


def words_of(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "command",
    [("verify",), ("replay",), ("export", "--format", "txt"), ("export", "--format", "html")],
    ids=["verify", "replay", "txt", "html"],
)
def test_a_saved_game_of_a_match_is_told_with_its_score(
    command: tuple[str, ...], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command[0], str(file), *command[1:]]) == 0
    told = words_of(capsys.readouterr().out)
    assert BEFORE in told
    assert AFTER in told


def test_programs_read_the_match_as_fields(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(file), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["series"] == {
        "match": 5,
        "game": 2,
        "table_before": (b"t" * 32).hex(),
        "points_before": [3, 1],
        "points_after": [4, 1],
        "winners": [],
    }


def test_the_replay_tells_the_match_at_the_start_and_at_the_end() -> None:
    one = saved(game())
    playback = Playback(one, prove(one), 0, "ascii", Notes(Path("/nowhere/game.stonehenge"), one.table.id))
    assert BEFORE in playback.told()
    playback.enter("end")
    assert playback.told().endswith(AFTER)
    playback.enter("back")
    assert "atch" not in playback.told()


def test_the_list_of_saved_games_tells_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = home_of(tmp_path)
    keep(home, saved(game()).table.id.hex()[:16], game(), 2e9)
    among_friends(home, "fidchess", [(ANNA, "anna"), (PEOPLE[1], "ben")], 1e9)
    for _ in range(2):  # read from the file, then from what is kept of it
        assert main(["saved", "--home", str(tmp_path)]) == 0
        told = capsys.readouterr().out.splitlines()
        assert told.count(f"     {AFTER}") == 1
        assert main(["saved", "--home", str(tmp_path), "--json"]) == 0
        told_json = json.loads(capsys.readouterr().out)["games"]
        assert [one["series"] for one in told_json] == [None, {"match": 5, "game": 2, "points_before": [3, 1]}]


@pytest.mark.parametrize(
    ("series", "before", "after"),
    [
        (Series(), "", ""),
        (Series(3), "Game 1 of a match to 3.", "Match to 3, after 1 game: ana 1, ben 0."),
        (Series(3, 2, b"t" * 32, (2, 0)), "Game 3 of a match to 3: ana 2, ben 0 before it.", "ana won the match to 3"),
        (Series(0, 1, b"t" * 32, (0, 1)), "Game 2: ben 1, ana 0 before it.", "Score after 2 games: ana 1, ben 1."),
    ],
    ids=["alone", "first", "last", "evening"],
)
def test_first_last_and_matchless_games_are_told_as_what_they_are(series: Series, before: str, after: str) -> None:
    one = saved(game(series))
    assert one.game_of_match == before
    assert one.score.startswith(after)
    assert bool(one.score) == bool(after)


def test_players_of_one_name_are_told_apart_in_the_score() -> None:
    assert "Yellow (ana) 3" in saved(game(names=("ana", "Ana"))).game_of_match


def test_a_match_between_two_games_is_told_with_the_way_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By `saved` and by `resume`, until the next game is there; nothing is left of a match that is won."""
    home = Home.open(str(tmp_path))
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    first = saved(game(Series(3))).table.id
    keep(home, first.hex()[:16], game(Series(3)), 2e9)
    keep(
        home,
        saved(game(Series(3, 2, b"t" * 32, (2, 0)))).table.id.hex()[:16],
        game(Series(3, 2, b"t" * 32, (2, 0))),
        1e9,
    )
    (then, won) = Shelf(home).games()
    assert (then.between, won.between) == (True, False)
    assert then.goes_on == ("host", "--from", then.letters)
    entry = going_on(then, {})
    assert then._replace(own=(2,)).match() == "match 0-1", "own points first"
    row = (entry.who, entry.score, entry.state, entry.words)
    assert row == ("ben", "match 1-0", "next game", then.goes_on), "of the start page"
    assert main(["saved", "--home", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert re.search(r"Match to 3, after 1 game: ana 1, ben 0\. The next one: `\S+ .*host --from 1`\.", told)
    assert told.splitlines()[3].strip() == "ana won the match to 3 in 3 games: ana 3, ben 0."
    for words in ((), ("1",), (then.letters,)):
        assert main(["resume", *words, "--home", str(tmp_path), "--auto", "0"]) == 5
        told = words_of(capsys.readouterr().err)
        assert f"host --from {then.letters}` begins the next game of the match of Fidchess with ben." in told
        assert re.search(r"If ben has opened it: `\S+ .*join ben`\.", told)
    second = game(Series(3, 1, first, (1, 0)))
    keep(home, saved(second).table.id.hex()[:16], second, 3e9)
    assert [one.between for one in Shelf(home).games()] == [True, False, False]


def test_the_start_page_leads_to_the_table_that_a_friend_has_opened_for_the_next_game(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    home = Home.open(str(tmp_path))
    keep(home, saved(game(Series(3))).table.id.hex()[:16], game(Series(3)), 2e9)
    start = _Start(parse(("--home", str(tmp_path))), "")
    start.shelf = list(Shelf(home).games())
    (last,) = start.shelf
    (ben,) = map(id_bytes, last.others)
    told: list[str] = []
    start.page.tell = told.append
    title = last.letters[:4]
    for announced, opens in {
        "": False,
        "fidchess playing 3f9a": False,
        f"fidchess 1/2 {title}": True,
        f"fidchess 1/2 {title} passphrase": True,
        f"fidchess 2/2 {title}": False,
        f"kingamon 1/2 {title}": False,
        "fidchess 1/2": False,
        "fidchess 1/2 ffff": False,
    }.items():
        start._show(home, [Sighting(ben, "ben", (), bytes(8), announced)])
        assert start.page.games
        (row,) = start.page.games
        join = ("join", f"ben/{last.others[0][:16]}")
        assert row.words == (join if opens else last.goes_on), announced
        assert row.likely is (opens or not announced), "a friend at another table is busy"
        if opens:
            assert row.told() == "Fidchess with ben (waiting), match 1-0, next game: open, join ben"
            assert not start.page.open_tables(), "it is not shown a second time"
            assert told == ["Now: 1. Fidchess with ben (waiting), match 1-0, next game: open, join ben."]
        else:
            other = bool(announced) and "playing" not in announced
            assert [one.words for one in start.page.open_tables()] == [join] * other, "another table stands for itself"


def test_the_score_of_a_match_of_more_than_two_says_whose_points_it_names(tmp_path: Path) -> None:
    """And the row of the start page leaves out bots before it cuts a word."""
    home = Home.open(str(tmp_path))
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    keep(home, "11" * 8, game(Series(3)), 2e9)
    (two,) = Shelf(home).games()
    told = []
    for points in ((0, 0, 0, 1), (2, 1, 0, 0), (1, 1, 0, 0)):
        series, seats = Series(3, 1, b"t" * 32, points), (*two.facts.seats, *two.facts.seats)
        facts = two.facts._replace(series=series, seats=seats, result=None)
        told.append(two._replace(facts=facts, names=("ana", "Gus", "tim", "bot Aoife"), own=(1,)).match())
    assert told == ["match: you 0, best 1", "match: you 2, next 1", "match: you 1, best 1"]
    who = "Gus, tim (all here), bot Aoife"
    row = Entry("1", "Celtic Whist", who, "today", "next game", (), score=told[0], briefly="Gus, tim (all here)")
    for width, shown in (
        (60, "Gus, tim (all here), bot Aoife, match: you 0, best 1"),
        (45, "Gus, tim (all here), match: you 0, best 1"),
        (35, "Gus, tim (all here), you 0, best 1"),
    ):
        assert row.people(width) == shown


def test_a_match_is_not_played_on_from_an_older_game_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.open(str(tmp_path))
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    first = saved(game(Series(3))).table.id
    second = game(Series(3, 1, first, (1, 0)))
    for file, when in ((game(Series(3)), 2e9), (second, 3e9)):
        keep(home, saved(file).table.id.hex()[:16], file, when)
    words = ["host", "--from", first.hex()[:16], "--home", str(tmp_path)]
    assert main(words) == 2
    told = words_of(capsys.readouterr().err)
    assert "A later game of that match is among your saved games: Fidchess with ben," in told
    assert "saved` tells how the match goes on." in told
    monkeypatch.setattr(host, "can_ask", lambda: True)
    asked: list[str] = []

    async def answered(_ask: object, question: str) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr(host, "agrees", answered)
    assert main(words) == 2
    assert asked == ["Play on from the older game all the same?"]


def test_a_match_alone_is_gone_on_with_between_two_games(tmp_path: Path) -> None:
    """Its next game needs no table on the network: `resume` begins it."""

    def play(*words: str, typed: str = "resign\nyes\n") -> str:
        done = python("-m", "p2p_stonehenge", *words, "--home", str(tmp_path), input=typed, timeout=60)
        return words_of(done.stdout + done.stderr)

    assert "by resignation." in play("solo", "kingamon", "--match", "3")
    (first,) = Shelf(Home.open(str(tmp_path))).games()
    assert (first.between, first.goes_on) == (True, ("resume", first.letters))
    told = play("resume")
    assert f"resume {first.letters}` begins the next game of the match" in told
    assert "has opened it" not in told
    assert "Game 2 of a match to 3: bot Brigid 1," in play("resume", "1")
    games = {one.facts.series.games: one for one in Shelf(Home.open(str(tmp_path))).games()}
    assert games[1].facts.series.table == first.table
    assert [games[number].between for number in (0, 1)] == [False, True]


def test_the_list_of_saved_games_is_wrapped_at_words_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    home = home_of(tmp_path)
    (home.path / "identity.key").write_bytes(bytes([1]) * 32)
    keep(home, saved(game(Series(3))).table.id.hex()[:16], game(Series(3)), 2e9)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["saved", "--home", str(tmp_path), "--interface", "127.0.0.1"]) == 0
    listed, _, _ = out.getvalue().partition("By number")
    first, *rest = listed.splitlines()
    assert first.startswith("  1  Fidchess with ben,")
    assert all(line.startswith("     ") and (len(line) < 40 or " " not in line.strip()) for line in rest if line), rest
    assert re.search(r"The next one: `\S+ .* host --from 1`\.", words_of(listed))


def test_two_players_of_one_name_are_told_apart_by_what_verify_says() -> None:
    """It read: anna won, anna and anna each fixed a secret part, signed by anna and anna."""
    told = " ".join(prove(saved(played_together("kingamon", 2, (), 4, ("anna", "anna")))).shown)
    both = "White (anna) and Red (anna)"
    assert "White (anna) won" in told
    assert f"{both} each fixed a secret part" in told
    assert f"signed by {both}" in told
