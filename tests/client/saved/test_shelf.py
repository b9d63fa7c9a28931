"""Saved games are named by people and dates, and chosen by number or name."""

import datetime
import io
import json
import math
import os
import re
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest
from net_tables import NAMES, Room, room_without
from saved_games import ANNA, BEN, CLEO, among_friends, home_of, keep, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import resume
from p2p_stonehenge.cli.around import going_on
from p2p_stonehenge.cli.host import _last_table
from p2p_stonehenge.cli.saved import file_of
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import shelf
from p2p_stonehenge.lobby.facts import Facts, Saved
from p2p_stonehenge.lobby.naming import Wanted, choose, fitting
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import SAVED_LIMIT, Home
from p2p_stonehenge.text.times import day
from protocol import LOCAL, MOST_COUNTED, Exit, Identity, Series, id_text

NOW = datetime.datetime(2026, 5, 14, 20, 0, tzinfo=datetime.UTC).astimezone().replace(hour=20).timestamp()
HOUR, DAY = 3600.0, 86400.0
DAMAGED = (b"", b"[]", b'{"form": 1, "games": {"a": 3}}', b'{"form": 1, "games": 7}', b"\xff", b"[" * 200_000)
ENDLESS = {
    "table": "",
    "game": "",
    "kind": "",
    "seats": [],
    "plies": math.inf,
    "result": None,
    "series": [0, 0, "", []],
}
LOST = ((1, "B2-B3"), (2, "B7-B6"), (1, "resign"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Anna's: a game against a bot and two with friends go on, one is over, one was never finished."""
    home = home_of(tmp_path)
    solo(home, LOST[:1], NOW - 2 * DAY)
    solo(home, LOST, NOW - HOUR, nonce=1)
    among_friends(home, "kingamon", [(ANNA, "anna"), (BEN, "ben")], NOW - 4 * DAY)
    among_friends(home, "fidchess", [(BEN, "ben"), (ANNA, "anna")], NOW - DAY)
    among_friends(home, "fidchess", [(CLEO, "cleo"), (ANNA, "anna")], NOW - 400 * DAY, going=False)
    return home


def games(home: Home) -> list[Saved]:
    return list(Shelf(home).games())


def test_a_game_is_told_by_its_people_when_it_was_played_and_whose_turn_it_is(home: Home) -> None:
    then = datetime.datetime.fromtimestamp(NOW - 4 * DAY, datetime.UTC).astimezone()
    assert [game.told(NOW) for game in games(home)] == [
        "Fidchess with ben, yesterday 20:00, ben's turn",
        f"Fidchess with bot 2, {then.day + 2} May, bot 2's turn",
        f"Byzantine Kingamon with ben, {then.day} May, unfinished",
        "Fidchess with bot 2, today 19:00, lost",
        "Fidchess with cleo, 9 April 2025, broken off",
    ]


def test_a_game_that_bots_played_among_themselves_is_told_so(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    solo(home, LOST, NOW - HOUR, names=("bot 1", "bot 2"))
    assert [game.told(NOW) for game in games(home)] == ["Fidchess between 2 bots, today 19:00, bot 2 won"]


def test_a_game_that_a_program_has_open_is_marked_and_stays_open_to_it(home: Home) -> None:
    solo_game = games(home)[1]
    journal = home.journal(solo_game.table, resume=True)
    marked = games(home)[1]
    assert marked.told(NOW) == f"{solo_game.told(NOW)}, open in another window"
    assert [one.open for one in games(home)].count(True) == 1
    row = going_on(marked, {})
    assert (row.state, row.likely) == ("open elsewhere", False)
    with pytest.raises(Failure, match="open in another window"):
        home.journal(solo_game.table, resume=True)
    journal.close()
    assert games(home)[1] == solo_game
    home.journal(solo_game.table, resume=True).close()


def test_who_is_reached_is_said_to_be_here(home: Home) -> None:
    assert games(home)[0].company({id_text(BEN.id): "here"}) == "ben (here)"
    among_friends(home, "qenqe", [(ANNA, "anna"), (BEN, "ben"), (CLEO, "cleo")], NOW)
    saved = games(home)[0]
    some: tuple[tuple[Identity, ...], ...] = ((), (BEN,), (CLEO,), (BEN, CLEO))
    here = [saved.company({id_text(one.id): "here" for one in seen}) for seen in some]
    assert here == ["ben, cleo", "ben (here), cleo", "ben, cleo (here)", "ben, cleo (all here)"]
    where = {id_text(BEN.id): "waiting", id_text(CLEO.id): "busy"}
    assert saved.company(where) == "ben (waiting), cleo (busy)"


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("2", 2),
        ("ben fidchess", 1),
        ("Ben, kingamon", 3),
        ("bot", 2),
        ("bots", 2),
        ("cleo", 5),
        ("byz", 3),
        ("fidchess cl", 5),
        ("Cl\u00e9o", 5),
    ],
)
def test_a_game_is_chosen_by_number_or_by_words(home: Home, typed: str, number: int) -> None:
    assert choose(games(home), typed, NOW, Wanted.UNFINISHED, "resume").path == games(home)[number - 1].path


def test_a_player_is_named_with_the_key_beside_the_name_or_without(home: Home) -> None:
    """Two players of one name are told apart by their keys."""
    key = id_text(BEN.id)[:4]
    first, second = (game for game in games(home) if "ben" in game.opponents())
    first = first._replace(names=tuple(name.replace("ben", f"ben ({key})") for name in first.names))
    assert fitting([first, second], "ben") == [first, second]
    assert fitting([first, second], key) == fitting([first, second], f"ben ({key})") == [first]


def test_a_game_is_chosen_by_the_beginning_of_its_tables_id(home: Home) -> None:
    for game in games(home):
        assert choose(games(home), game.letters[:6], NOW, Wanted.UNFINISHED, "resume") == game


@pytest.mark.parametrize(
    ("typed", "says", "code"),
    [
        (
            "ben",
            "2 unfinished games fit 'ben': `resume 1` is Fidchess with ben, yesterday 20:00, ben's turn; `resume 3`",
            2,
        ),
        ("9", "There is no saved game 9", 5),
        ("zoe", "No saved game fits 'zoe'", 5),
        ("\x1b[2J", "No saved game fits '[2J'", 5),
    ],
)
def test_what_names_no_game_or_several_is_answered_with_what_there_is(
    home: Home, typed: str, says: str, code: int
) -> None:
    with pytest.raises(Failure) as caught:
        choose(games(home), typed, NOW, Wanted.UNFINISHED, "resume")
    assert says in str(caught.value)
    assert caught.value.code == code


def test_resume_names_only_games_that_can_be_gone_on_with(home: Home) -> None:
    solo(home, LOST[:1], NOW - 3 * DAY, nonce=2)
    listed = games(home)
    assert {one.score() for one in listed if one.facts.game == "fidchess"} == {"unfinished", "lost", "broken off"}
    with pytest.raises(Failure) as caught:
        choose(listed, "fidchess", NOW, Wanted.UNFINISHED, "resume")
    told = str(caught.value)
    assert told.startswith("3 unfinished games fit 'fidchess': `resume 1` is ")
    assert "lost" not in told
    assert "broken off" not in told
    solo(home, LOST, NOW - 5 * HOUR, nonce=3)
    with pytest.raises(Failure, match=r"^2 finished games fit 'fidchess': .* lost\.") as caught:
        choose(games(home), "fidchess", NOW, Wanted.FINISHED, "replay")
    assert "turn" not in str(caught.value)
    with pytest.raises(Failure, match=r"`host --from \d --at 1` is ") as caught:
        _last_table(Namespace(origin="fidchess", at=1, home=str(home.path), game=None))


@pytest.mark.parametrize("command", ["replay", "verify", "export", "analyse"])
def test_a_finished_game_is_looked_at_before_an_unfinished_one_and_all_are_named(
    home: Home, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Path(file_of(["bot"], str(home.path), command)) == games(home)[3].path
    told = " ".join(capsys.readouterr().err.split())
    assert "This is saved game 4, Fidchess with bot 2, " in told
    assert "lost. 'bot' fits other games too: number 2, Fidchess with bot 2, " in told


def test_a_game_that_is_taken_by_its_number_is_named(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert Path(file_of(["3"], str(home.path), "verify")) == games(home)[2].path
    told = " ".join(capsys.readouterr().err.split())
    assert "This is saved game 3, Byzantine Kingamon with ben, " in told
    assert "too" not in told


def test_without_words_the_last_game_that_is_over_is_looked_through(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not an unfinished one, which stands first in the list."""
    solo(home, LOST, NOW - 5 * HOUR, nonce=3)
    assert main(["analyse", "--level", "learner", "--home", str(home.path)]) == 0
    out, err = capsys.readouterr()
    assert " ".join(err.split()).startswith("This is saved game 4, Fidchess with bot 2, ")
    assert "too" not in err
    assert out.splitlines()[0] == "Fidchess: anna, bot 2"
    assert Path(file_of([], str(home.path), "analyse")) == games(home)[3].path


def test_without_words_a_game_must_be_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solo(home_of(tmp_path), LOST[:2], NOW)
    assert main(["analyse", "--home", str(tmp_path)]) == 5
    assert "No game is over yet that `analyse` could take: name a file." in capsys.readouterr().err


def test_a_folder_with_the_name_of_a_friend_is_no_saved_game(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cleo").mkdir()
    assert Path(file_of(["cleo"], str(home.path), "verify")) == games(home)[4].path


def test_resume_says_that_no_game_of_that_name_can_be_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = home_of(tmp_path)
    for nonce in range(2):
        solo(home, LOST, NOW - (1 + nonce) * HOUR, nonce)
    assert main(["resume", "fidchess", "--home", str(home.path)]) == 5
    told = " ".join(capsys.readouterr().err.split())
    assert "None of the 2 saved games that fit 'fidchess' can be gone on with: the last one is Fidchess" in told
    program = f"p2p-stonehenge --home {home.path}"
    assert f"lost. `{program} saved` lists all, `{program} solo fidchess` begins another one." in told


def test_a_game_is_read_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    before = games(home)
    monkeypatch.setattr(shelf, "_facts_in", lambda path: pytest.fail(f"{path} is read again"))
    assert games(home) == before


def test_tables_whose_ids_begin_alike_are_told_apart(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    read = shelf._facts_in

    def alike(path: Path) -> Facts | None:
        facts = read(path)
        return facts and facts._replace(table=bytes(8) + facts.table[8:])

    monkeypatch.setattr(shelf, "_facts_in", alike)
    assert {game.letters for game in games(home)} == {"0" * 16}
    assert len(games(home)) == 5


def test_a_game_that_was_played_on_is_read_again(home: Home) -> None:
    first = games(home)[0]
    keep(home, first.letters, first.path.read_bytes(), NOW)
    assert games(home)[0].played == NOW


@pytest.mark.parametrize(
    "content",
    [*DAMAGED, json.dumps({"form": shelf._FORM, "games": {"a": [1, 2, ENDLESS]}}).encode()],
    ids=lambda content: repr(content[:20]),
)
def test_a_damaged_list_is_made_again(home: Home, content: bytes) -> None:
    before = games(home)
    (home.path / shelf.SHELF).write_bytes(content)
    assert games(home) == before


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": [["zz", "anna", 1], ["aa", "bot 2", 1]]},
        {"seats": []},
        {"table": "../../x"},
        {"turn": 9},
        {"series": [3, 1, "00" * 32, [1]]},
        {"result": {"winners": [9], "points": [1, 0], "reason": "x"}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_was_altered_in_the_list_is_not_believed(home: Home, changed: dict[str, object]) -> None:
    before = games(home)
    path = home.path / shelf.SHELF
    value = json.loads(path.read_text())
    for _, _, told in value["games"].values():
        told.update(changed)
    path.write_text(json.dumps(value))
    assert games(home) == before


@pytest.mark.parametrize("when", [300_000_000_000, -2_000_000, -62_167_300_000])
def test_a_file_of_another_age_is_listed(
    home: Home, when: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some disks keep years beyond 9999 or before our era."""
    paths = Shelf._files
    old = [(path, stamp._replace(time=when * 10**9)) for path, stamp in paths(Shelf(home))]
    monkeypatch.setattr(Shelf, "_files", lambda _: old)
    for command in ("saved", "record"):
        assert main([command, "--home", str(home.path)]) == 0
    assert "Fidchess" in capsys.readouterr().out
    assert {day(one.played, NOW) for one in games(home)} <= {"31 Dec 1969", "1 Jan 1970", "31 Dec 9998", "1 Jan 9999"}


def test_files_that_are_no_saved_games_are_left_out(home: Home) -> None:
    before = games(home)
    keep(home, "0" * 16, b"nothing", NOW)
    keep(home, "1" * 16, before[0].path.read_bytes()[:40], NOW)
    (home.games / ("2" * 16 + ".stonehenge")).mkdir()
    assert games(home) == before
    assert games(home) == before, "also when their content is known"


def test_a_match_with_as_many_games_as_can_be_counted_has_no_further_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\nyes\n"))
    home = home_of(tmp_path)
    path = solo(home, LOST, NOW, series=Series(5, MOST_COUNTED, bytes(32), (2, 2)))
    before = {*home.games.iterdir()}
    assert main(["resume", path.name[:16], "--plain", "--home", str(home.path)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"No further game follows: the score counts to {MOST_COUNTED}." in told
    assert {*home.games.iterdir()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_neither_a_pipe_nor_a_huge_file_holds_up_what_reads_saved_games(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    local = next(game for game in games(home) if game.unfinished and not game.others)
    os.mkfifo(home.games / ("2" * 16 + ".stonehenge"))
    (home.games / ("3" * 16 + ".stonehenge")).symlink_to("nowhere")
    huge = keep(home, "4" * 16, local.path.read_bytes(), NOW)
    os.truncate(huge, SAVED_LIMIT + 1)
    for name in ("2222", "3333", "4444"):
        assert main(["resume", name, "--auto", "0", "--home", str(home.path)]) == 5
        assert f"no interrupted table that begins with {name}" in " ".join(capsys.readouterr().err.split())
    assert huge.name in [name for name, _ in Shelf(home).unreadable()]
    assert main(["saved", "--home", str(home.path)]) == 0
    assert local.title in capsys.readouterr().out
    assert main(["resume", local.letters, "--auto", "1", "--home", str(home.path)]) == 0


@pytest.mark.parametrize(
    ("ago", "said"), [(0.0, "today 20:00"), (HOUR, "today 19:00"), (DAY, "yesterday 20:00"), (365 * DAY, "14 May 2025")]
)
def test_days_are_said_as_people_say_them(ago: float, said: str) -> None:
    assert day(NOW - ago, NOW) == said


@pytest.mark.parametrize(("elsewhere", "resumed"), [(False, ["resume 1", "resume ben fidchess"]), (True, ["resume 2"])])
def test_the_examples_under_the_list_are_games_of_the_list_that_the_commands_take(
    home: Home, elsewhere: bool, resumed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the name of an opponent, not the player's own, and a line for each command: no terminal breaks it.

    To be resumed is none that is open `elsewhere`, in another window; to be looked back at one that is over.
    """
    journal = home.journal(games(home)[0].table, resume=True) if elsewhere else None
    assert main(["saved", "--home", str(home.path)]) == 0
    if journal:
        journal.close()
    listed, examples = capsys.readouterr().out.split("\nBy number, by people or by game:\n")
    told = [line.removeprefix(f"  p2p-stonehenge --home {home.path} ") for line in examples.splitlines()]
    assert told == [*resumed, "replay 4", "replay fidchess"]
    assert "  1  Fidchess with ben" in listed
    assert "  4  Fidchess with bot 2, " in listed


def test_saved_lists_all_with_numbers(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["saved", "--home", str(home.path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == list("12345")
    assert lines[0].startswith("  1  Fidchess with ben, ")
    assert main(["saved", "--json", "--home", str(home.path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], [game["number"] for game in told["games"]]) == (1, [1, 2, 3, 4, 5])
    assert told["games"][3]["result"]["winners"] == [2]


def test_saved_names_files_in_which_there_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = home_of(tmp_path)
    for number in range(4):
        (home.games / f"{number}.stonehenge").write_bytes(b"rubbish")
    (home.games / "4.stonehenge").mkdir()
    if sys.platform != "win32":
        (home.games / "5.stonehenge").symlink_to(home.games / "gone.stonehenge")
    assert main(["saved", "--home", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert "no saved game: '0.stonehenge', '1.stonehenge', '2.stonehenge', '3.stonehenge', '4.stone" in told.err
    assert "'4.stonehenge' (a folder)" in told.err
    assert ("'5.stonehenge' (a link to nothing). `verify` says" in told.err) == (sys.platform != "win32")
    assert "No game is saved yet" in told.out
    for number in range(6, 26):
        (home.games / f"{number}.stonehenge").write_bytes(b"rubbish")
    assert main(["saved", "--home", str(tmp_path)]) == 0
    assert " more. `verify` says" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize("words", [("4",), ("fidchess", "lost")])
def test_verify_and_replay_take_a_game_by_number_or_words(
    home: Home, command: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, *words, "--home", str(home.path)]) == 0
    assert {"verify": "Valid", "replay": "B2-B3"}[command] in capsys.readouterr().out
    assert main([command, "zoe", "--home", str(home.path)]) == 5
    assert "No saved game fits 'zoe'" in capsys.readouterr().err


def test_a_level_written_as_a_word_of_the_game_is_said_to_be_an_option(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", "fidchess", "lost", "club", "--home", str(home.path)]) == 5
    told = capsys.readouterr().err
    assert "No saved game fits 'fidchess lost club'" in told
    assert re.search(r"The level is an option: `\S.* analyse fidchess lost --level club`\.", told)
    assert main(["replay", "fidchess", "club", "--home", str(home.path)]) == 5
    assert "--level" not in capsys.readouterr().err


def test_without_a_saved_game_the_next_step_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["saved", "--home", str(tmp_path)]) == 0
    assert "solo kingamon" in capsys.readouterr().out


def test_an_unfinished_game_is_resumed_by_words(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", "bot", "fidchess", "--auto", "1", "--home", str(home.path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Fidchess, table" in told
    assert "This is saved game 2, Fidchess with bot 2, " in told, "the numbers change with each game that is played"
    assert "'bot fidchess' fits other games too: number 4, Fidchess with bot 2, " in told
    assert [game.unfinished for game in games(home)] == [True, True, False, False, False]
    assert main(["resume", "zoe", "--home", str(home.path)]) == 5


def test_enter_goes_on_with_a_game_whose_players_are_all_here_whoever_is_to_move(home: Home) -> None:
    ben = {BEN.id: Sighting(BEN.id, "ben", (), bytes(8), "")}
    told = [(row.what, row.who, row.state) for row in (going_on(one, ben) for one in games(home)) if row.likely]
    assert told == [("Fidchess", "ben (here)", "ben's turn"), ("Byzantine Kingamon", "ben (here)", "unfinished")]
    assert not [one.table for one in games(home) if going_on(one, {}).likely]


def test_a_friend_who_sits_at_the_game_is_told_from_one_who_is_busy_at_another_table(home: Home) -> None:
    among_friends(home, "celtic-whist", [(ANNA, "anna"), (BEN, "ben"), (CLEO, "cleo")], NOW)
    at = games(home)[0].letters[:4]

    def row(ben: str, cleo: str) -> tuple[str, bool]:
        seen = ((BEN, "ben", ben), (CLEO, "cleo", cleo))
        entry = going_on(games(home)[0], {one.id: Sighting(one.id, nick, (), bytes(8), at) for one, nick, at in seen})
        assert entry.awaited == ("at the table" in entry.who)
        return entry.who, entry.likely

    there = f"celtic-whist playing {at}"
    assert row(there, there) == ("ben, cleo (all at the table)", True)
    assert row(there, "fidchess playing ffff") == ("ben (at the table), cleo (busy)", True)
    assert row("", "celtic-whist 1/2") == ("ben (here), cleo (busy)", False)
    assert row("", f"celtic-whist watching {at}") == ("ben (here), cleo (busy)", False)
    assert row("", "") == ("ben, cleo (all here)", True)


def test_who_has_resigned_plays_no_more_though_the_game_goes_on(tmp_path: Path) -> None:
    room = Room(tmp_path, "fidchell", NAMES[:3])
    gone = room.tables[1].turn
    assert Facts.of(room.tables[1].table).live == (1, 2, 3)
    room.agree_to(gone, "resign")
    assert Facts.of(room.tables[1].table).live == tuple(seat for seat in (1, 2, 3) if seat != gone)


def test_of_a_game_left_before_its_end_it_is_told_how_and_that_its_end_is_not_known(tmp_path: Path, home: Home) -> None:
    """The others may have ended it without telling this client."""
    room = Room(tmp_path / "room", "fidchell", NAMES[:3])
    gone = room.tables[1].turn
    room.agree_to(gone, "resign")
    facts = Facts.of(room.tables[1].table)
    assert facts.gone == tuple("resigned" if seat == gone else "" for seat in (1, 2, 3))
    left_behind = room_without(tmp_path / "without", 3)
    left_behind.agree_to(1, "without cara")
    left_behind.agree_to(2, "agree")
    assert Facts.of(left_behind.tables[1].table).gone == ("", "", "left behind")
    path = among_friends(home, "qenqe", [(ANNA, "anna"), (BEN, "ben"), (CLEO, "cleo")], NOW)
    (game,) = [one for one in games(home) if one.path == path]
    for exit, how in ((Exit.RESIGNED, "resigned"), (Exit.OUT_OF_TIME, "out of time"), (Exit.BREACH, "broke rules")):
        left = game._replace(facts=game.facts._replace(live=(2, 3), gone=(exit.value, "", "")))
        assert left.told(NOW) == f"Fidchess Qenqe with ben, cleo, today 20:00, {how}, end unknown"
        assert going_on(left, {}).state == how


def test_a_game_that_goes_on_without_the_player_is_told_so_and_stands_last(home: Home) -> None:
    path = among_friends(home, "qenqe", [(ANNA, "anna"), (BEN, "ben"), (CLEO, "cleo")], NOW)
    (game,) = [one for one in games(home) if one.path == path]
    gone = game._replace(facts=game.facts._replace(live=(2, 3)))
    assert (game.out, gone.out) == (False, True)
    assert gone.told(NOW) == "Fidchess Qenqe with ben, cleo, today 20:00, out, end unknown"
    assert gone._replace(facts=gone.facts._replace(kind=LOCAL)).whose_turn() == "you are out"
    here = {one.id: Sighting(one.id, "", (), bytes(8), "") for one in (BEN, CLEO)}
    assert (going_on(game, here).likely, going_on(gone, here).likely) == (True, False)


@pytest.mark.parametrize("wanted", ["qenqe", ""])
def test_a_game_in_which_the_player_is_out_is_not_offered_beside_one_to_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    """Though something happened there later."""
    home = home_of(tmp_path)
    friends = [(ANNA, "anna"), (BEN, "ben"), (CLEO, "cleo")]
    paths = [among_friends(home, "qenqe", friends, NOW + number, number) for number in range(2)]
    playing, out = (next(one for one in games(home) if one.path == path) for path in paths)
    out = out._replace(facts=out.facts._replace(live=(2, 3)))
    monkeypatch.setattr(resume, "Shelf", lambda _: SimpleNamespace(games=lambda: [playing, out]))
    assert choose([playing, out], "qenqe", NOW, Wanted.UNFINISHED, "resume") == playing
    assert resume._find(home, wanted, asks=True)[0] == playing.path
    monkeypatch.setattr(resume, "Shelf", lambda _: SimpleNamespace(games=lambda: [out]))
    assert resume._find(home, wanted, asks=True)[0] == out.path
