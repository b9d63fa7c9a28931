"""The command line: what it takes, what it says when it is wrong, how a command ends, and how fast it starts."""

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_lines import ROOT, Run, python
from hypothesis import given
from hypothesis import strategies as st
from loopback import free_port_pair

import p2p_stonehenge
from engine import all_games
from p2p_stonehenge.__main__ import main
from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.cli import arguments as cli
from p2p_stonehenge.cli import host, identity, sitting
from p2p_stonehenge.cli.commands import COMMANDS, WATCHERS
from p2p_stonehenge.cli.play import suggest
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.lesson import lessons
from protocol import Watchers

# What the parser takes.


def parse(line: str) -> dict[str, Any]:
    words = line.split()
    return vars(cli.make_parser(words).parse_args(words))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "host kingamon -o cube=true -o first=2 --players 2 --bots 1 --name anna --port 45000 --interface 127.0.0.1",
            {"options": {"cube": "true", "first": "2"}, "players": 2, "bots": 1, "name": "anna", "port": 45000},
        ),
        (
            "host fidchess",
            {
                "options": {},
                "players": None,
                "bots": None,
                "origin": None,
                "at": None,
                "port": None,
                "interface": None,
                "auto": None,
            },
        ),
        ("host fidchess --turn-time 90", {"turn_time": (90,), "watch": None, "delay": 0}),
        ("host fidchess --watch nobody", {"watch": "nobody"}),
        ("host fidchess --watch all --delay 12", {"watch": "all", "delay": 12}),
        ("join", {"table": None, "name": None, "auto": None, "passphrase": None}),
        ("join anna --passphrase old-stones", {"table": "anna", "passphrase": "old-stones"}),
        ("join anna --auto 1", {"table": "anna", "auto": "1"}),
        ("join 192.168.1.2:45000 --interface ::1", {"table": "192.168.1.2:45000", "interface": "::1"}),
        ("peers", {"seconds": 2.0, "json": False, "port": None}),
        ("peers --seconds 0.5 --json --plain", {"seconds": 0.5, "json": True, "plain": True}),
        ("solo kingamon --level 0", {"game": "kingamon", "level": "0", "hot_seat": False, "options": {}}),
        ("solo kingamon -o cube=Yes -o quick=no", {"options": {"cube": "true", "quick": "false"}}),
        ("solo kingamon --hot-seat --players 2 -o quick=true", {"hot_seat": True, "options": {"quick": "true"}}),
        ("solo kingamon --auto 1 --home /somewhere", {"auto": "1", "home": "/somewhere", "plain": False}),
        ("verify a.stonehenge --json", {"file": ["a.stonehenge"], "json": True}),
        ("replay a.stonehenge", {"file": ["a.stonehenge"], "at": None}),
        ("replay a.stonehenge --at 0", {"at": 0}),
        ("games --json", {"json": True}),
        ("rules kingamon", {"game": "kingamon", "topic": []}),
        ("rules kingamon bearing off", {"topic": ["bearing", "off"]}),
        ("forget anna", {"who": "anna"}),
        ("identity --home x", {"home": "x"}),
    ],
)
def test_parses(line: str, expected: dict[str, Any]) -> None:
    got = parse(line)
    assert got["command"] == line.split(maxsplit=1)[0]
    assert {name: got[name] for name in expected} == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_home_and_plain_and_explains_itself(command: str, run: Run) -> None:
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert "--home DIR" in out
    assert "--plain" in out
    assert max(map(len, out.splitlines())) <= 80


def test_options_of_two_command_lines_do_not_mix() -> None:
    parse("solo kingamon -o cube=true")
    assert parse("solo kingamon")["options"] == {}


def test_who_plays_alone_is_told_of_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("p2p_stonehenge.cli.solo.play_alone", lambda *_: 0)
    for players, told in (("1", False), ("2", True)):
        assert main(["solo", "celtic-whist", "--players", players, "--home", str(tmp_path)]) == 0
        assert ("At the table: bot Brigid. Level:" in capsys.readouterr().out) == told


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hots", "did you mean host?"),
        ("zzz", "host, join"),
        ("host", "GAME"),
        ("host kingamon -o cube", "NAME=VALUE"),
        ("host kingamon -o =true", "NAME=VALUE"),
        ("host kingamon -o cube=true -o cube=false", "twice"),
        ("host kingamon --players two", "whole number"),
        ("host kingamon --players -1", "--players"),
        ("host kingamon --port 0", "1 to 65534"),
        ("host kingamon --port 65535", "1 to 65534"),
        ("host kingamon --interface localhost", "127.0.0.1"),
        ("host kingamon --play 2", "`host` has no option '--play': did you mean --players? See p2p-stonehenge host"),
        ("host kingamon --playrs 2", "did you mean --players?"),
        (
            "solo kingamon --turntime=9",
            "`solo` has no option '--turntime': leave it out; see p2p-stonehenge solo --help",
        ),
        ("host qenqe --players 3 --level 4", "--level is for the bots at your table: add --bots N, or leave it out"),
        ("host qenqe --players 3 --bots 1 --level 9", "There is no bot of level '9'"),
        ("host qenqe --bots 1 --level expert", "5 (master); `adaptive` is for `p2p-stonehenge solo --level` alone."),
        ("solo qenqe --level expert", "5 (master), adaptive."),
        ("games --palette pink", "Argument --palette: 'pink' is none of"),
        ("hots", "There is no command 'hots': did you mean host?"),
        ("--plain hots", "There is no command 'hots': did you mean host?"),
        ("Kingamon", "'Kingamon' is a game: what to do with it is written before it, as in `solo kingamon`"),
        ("--palette pink games", "--palette: 'pink' is none of auto, dark, light, mono, safe"),
        ("--name= games", "--name: it is empty: write how others are to see you"),
        ("--passphrase host kingamon", "--passphrase is an option of `host`: write it behind the command"),
        ("--hot-seat solo kingamon --auto 1", "--auto is for bots, and with --hot-seat people play all seats"),
        ("solo kingamon --hot-seat --level 3", "--level is for bots, and with --hot-seat people play all seats"),
        ("host kingamon --delay -3", "--delay: '-3' is not possible: a delay has 0 to 1000 actions, as in 5; see"),
        ("host kingamon --players two", "--players: 'two' is no whole number: write it in digits, as in 5; see"),
        ("host kingamon --turn-time -5", "'-5' is no time for turns: write seconds for each turn, as in 90, or"),
        ("host kingamon --turn-time 10+", "'10+' is no time for turns"),
        ("host kingamon --turn-time 1+2+3", "'1+2+3' is no time for turns"),
        ("solo kingamon --match 1", "--match 1 is not possible: a match is to 2-999 points"),
        ("solo celtic-whist --players 1 --match 3", "--match is won against somebody"),
        ("solo kingamon --auto 1 --match 3", "--auto ends with the game, and --match goes on"),
        ("host kingamon --match 1000", "--match 1000 is not possible: a match is to 2-999 points"),
        ("host kingamon --auto 1 --match 3", "--auto ends with the game, and --match goes on"),
        ("host celtic-whist -o cooperative=true --match 3", "--match is won against somebody"),
        ("solo celtic-whist --players 2 -o cooperative=TRUE --match 3", "--match is won against somebody"),
        ("completion bsh", "'bsh' is none of bash, zsh, tcsh, fish, powershell"),
        ("saved a b", "`saved` has no use for 'a b': leave it out; see p2p-stonehenge saved --help"),
        ("solo --players 4 celtic whist", "`solo` has no use for 'whist': did you mean celtic-whist? See"),
        ("host fidchell 9", "--players 9 is not possible: Fidchell is for 2 to 3 players"),
        ("host fidchell 3 --players 2", "`host` has no use for '3'"),
        ("solo kingamon quick=true cube=true", "did you mean -o quick=true -o cube=true? See"),
        ("--plan", "did you mean --plain?"),
        ("host kingamon --name \u200b", "--name is empty"),
        ("peers --seconds nan", "seconds"),
        ("peers --seconds -1", "seconds"),
        ("verify", "`p2p-stonehenge verify` needs FILE, a saved game: `saved` lists them, each with a number, as in"),
        ("export", "as in `p2p-stonehenge export 1`; see p2p-stonehenge export --help"),
        ("solo", "needs GAME, one of those that `games` lists, as in `p2p-stonehenge solo kingamon`"),
        ("solo fidchell -o layuot=3", "Fidchell has no option 'layuot': did you mean layout?"),
        ("solo fidchell -o cube=true", "there is no option cube: options are first"),
        ("--nme x host fidchess", "has no option '--nme': did you mean --name?"),
        ("--nme x", "`p2p-stonehenge` has no option '--nme': did you mean --name?"),
        ("--nme x hots", "`p2p-stonehenge` has no option '--nme': did you mean --name?"),
        ("replay a --at -1", "--at"),
        ("games kingamon", "kingamon"),
        ("--colour", "--colour"),
        ("--no-color", "has no option '--no-color': write --palette mono, or set NO_COLOR=1 in the environment; see"),
        ("solo kingamon --no-colour", "'--no-colour': write --palette mono, or set NO_COLOR=1"),
        ("saved --no-color", "`saved` has no option '--no-color': set NO_COLOR=1 in the environment; see"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(line: str, says: str, run: Run) -> None:
    status, out, err = run(*line.split())
    assert (status, out) == (2, "")
    assert err.startswith("p2p-stonehenge: ")
    assert err.count("\n") == 1
    assert says in err


def test_nobody_plays_by_the_name_of_a_bot(run: Run) -> None:
    status, out, err = run("solo", "kingamon", "--name", "bot 2")
    assert (status, out) == (2, "")
    assert "'bot 2' would be taken for a bot: only a bot's name begins with 'bot '." in err


WORDS = [
    *COMMANDS,
    "kingamon",
    "-o",
    "a=b",
    "--port",
    "80",
    "--json",
    "--auto",
    "--",
    "-h",
    "--at",
    "--players",
    "",
]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=6))
def test_no_command_line_crashes_the_parser(words: list[str]) -> None:
    try:
        got = cli.make_parser(words).parse_args(words)
    except SystemExit as end:
        status = end.code
    except Failure as failure:
        status = failure.code
    else:
        status = 0 if got.command in {None, *COMMANDS} else 1
    assert status in (0, 2)


def test_who_may_watch_is_typed_in_the_words_that_the_command_line_offers() -> None:
    assert tuple(host.WATCHERS) == WATCHERS
    assert {*host.WATCHERS.values()} == {*Watchers}


def test_without_a_command_it_helps_and_exits_2(run: Run) -> None:
    status, out, err = run()
    assert (status, out) == (2, "")
    for command in COMMANDS:
        assert command in err


@pytest.mark.parametrize("words", [("help",), ("?",), ("help", "kingamon"), ("--plain", "help")])
def test_help_and_a_question_mark_are_understood(words: tuple[str, ...], run: Run) -> None:
    status, out, _ = run(*words)
    assert (status, out.startswith("usage: p2p-stonehenge [-h]")) == (0, True)
    assert run("help", "saved")[1].startswith("usage: p2p-stonehenge saved")


def test_options_without_a_value_leave_the_command_behind_them_alone() -> None:
    parsers = [cli.make_parser((name,)).chosen for name in COMMANDS]
    actions = [action for parser in parsers if parser for action in parser._actions]
    flags = {name for action in actions if action.nargs == 0 for name in action.option_strings}
    assert flags == {*cli.FLAGS, "-h", "--help"}


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"p2p-stonehenge {p2p_stonehenge.__version__}\n", "")


# How a command ends.


def test_a_failure_is_one_line_and_its_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> int:
        raise Failure("port 80 is in use: choose another with --port", 4)

    monkeypatch.setattr(identity, "identity", fail)
    assert run("identity") == (4, "", "p2p-stonehenge: port 80 is in use: choose another with --port\n")


@pytest.mark.parametrize("words", [("identity",), ("verify",)])
def test_what_went_wrong_is_wrapped_at_words_on_a_terminal(
    words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path is left whole, to be copied; in a pipe each complaint is one line."""
    path = "games/of-anna/and-ben/that-are-kept/here"

    def fail(args: object) -> int:
        raise Failure(f"There is no interrupted table in {path} now: `host` begins a new one.", 5)

    monkeypatch.setattr(identity, "identity", fail)
    monkeypatch.setenv("COLUMNS", "30")
    *_, piped = run(*words)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    *_, shown = run(*words)
    assert piped.count("\n") == 1
    assert shown.split() == piped.split()
    assert all(len(line) <= 30 or line == path for line in shown.splitlines())


def test_ctrl_c_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(identity, "identity", interrupted)
    assert run("identity") == (130, "", "")


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(args: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(identity, "identity", wrong)
    with pytest.raises(ZeroDivisionError):
        main(["identity"])


def test_learn_without_a_game_lists_the_lessons(run: Run) -> None:
    status, out, err = run("learn")
    assert (status, err) == (0, "")
    for key in lessons():
        assert f"{key:14}{all_games()[key].title}\n" in out
    assert "p2p-stonehenge learn GAME" in out


@pytest.mark.skipif(os.name != "posix", reason="a reader that has gone shows itself in another way")
def test_rules_without_a_game_lists_the_games(run: Run) -> None:
    status, out, err = run("rules")
    assert (status, err) == (0, "")
    for key, game in all_games().items():
        assert f"{key:14}{game.title}\n" in out
    assert "p2p-stonehenge rules GAME" in out


@pytest.mark.parametrize("words", [("rules", "kingamon"), ("--help",)])
def test_a_reader_that_has_gone_is_no_traceback(words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        command = [sys.executable, "-m", "p2p_stonehenge", *words]
        done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert done.stderr == b""
    assert done.returncode == 1 or words == ("--help",)  # where argparse itself looks away


def test_letters_that_the_terminal_lacks_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "nick").write_text("ánna", encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = python("-m", "p2p_stonehenge", "identity", "--home", str(tmp_path), env=ascii_only)
    assert done.returncode == 0, done.stderr
    assert "nick  ?nna" in done.stdout


# Start.

HEAVY = {"zmq", "zeroconf", "prompt_toolkit", "nacl"}


@pytest.mark.parametrize(
    ("line", "banned"),
    [
        ("--version", HEAVY | {"asyncio", "msgpack", "typing", "pathlib", "engine", "protocol"}),
        ("rules kingamon", HEAVY | {"asyncio", "msgpack", "typing", "pathlib", "engine", "protocol"}),
        ("games", HEAVY | {"asyncio", "protocol"}),
        ("host --help", HEAVY | {"asyncio", "engine", "protocol"}),
    ],
)
def test_light_commands_import_little(line: str, banned: set[str]) -> None:
    done = python("-X", "importtime", "-m", "p2p_stonehenge", *line.split())
    assert done.returncode == 0
    imported = {row.rsplit("|", 1)[1].strip() for row in done.stderr.splitlines() if row.startswith("import time:")}
    assert "p2p_stonehenge.cli.arguments" in imported
    assert not banned & {name.split(".")[0] for name in imported}


def test_the_installed_command_is_the_same() -> None:
    installed = shutil.which("p2p-stonehenge", path=str(Path(sys.executable).parent))
    if installed is None:
        pytest.skip("the project is not installed here")
    done = subprocess.run([installed, "rules", "chess"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (5, "")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--home", "saved", "saved"], ["saved", "--home", "saved"]),
        (["--plain", "games", "--json"], ["games", "--plain", "--json"]),
        (["--home=x", "--port", "42", "peers"], ["peers", "--home=x", "--port", "42"]),
        (["--name", "anna", "--plain", "host", "qenqe"], ["host", "--name", "anna", "--plain", "qenqe"]),
        (
            ["--interface", "127.0.0.1", "--name=host", "--bell", "off", "--ascii", "--home", "x", "saved"],
            ["saved", "--interface", "127.0.0.1", "--name=host", "--bell", "off", "--ascii", "--home", "x"],
        ),
        (["--strange", "1", "saved"], ["saved", "--strange", "1"]),
        (["--hot-seat", "solo", "kingamon"], ["solo", "--hot-seat", "kingamon"]),
        (["--json", "games"], ["games", "--json"]),
        (["solo", "kingamon", "--plain"], ["solo", "kingamon", "--plain"]),
        (["--plain"], ["--plain"]),
        (["--plain", "nonsense", "saved"], ["--plain", "nonsense", "saved"]),
    ],
)
def test_options_may_stand_before_the_command(typed: list[str], meant: list[str]) -> None:
    assert list(cli.command_first(typed)) == meant


@pytest.mark.parametrize("command", ["saved", "games", "identity", "record", "learn", "rules"])
@pytest.mark.parametrize("before", [True, False])
def test_options_that_many_commands_have_stand_at_every_command(run: Run, command: str, before: bool) -> None:
    options = ("--interface", "127.0.0.1", "--port=4242", "--palette", "light", "--ascii", "--bell", "off")
    code, printed, complained = run(*options, command) if before else run(command, *options)
    assert (code, complained) == (0, "")
    assert printed


@pytest.mark.network
def test_the_bots_at_a_hosted_table_play_at_the_level_that_was_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[tuple[int, ...], int]] = []

    class Noted(Bots):
        def __init__(self, table: Any, seats: tuple[int, ...], level: int, *more: Any) -> None:
            asked.append((seats, level))
            super().__init__(table, seats, 0, *more)

    monkeypatch.setattr(sitting, "Bots", Noted)
    words = "host fidchess -o turn_limit=2 --players 2 --bots 1 --level strong --auto random --interface 127.0.0.1"
    assert run(*words.split(), "--port", str(free_port_pair()), "--home", str(tmp_path))[0] == 0
    assert sorted(level for _, level in asked) == [0, 4]


class Wide(io.StringIO):
    """Stands for a terminal to print on."""

    def isatty(self) -> bool:
        return True


def test_what_a_bot_plays_for_me_is_wrapped_at_words_in_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Wide()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stdout", out)
    words = "solo celtic-whist --players 3 --auto 0 -o first=1 --home"
    assert main([*words.split(), str(tmp_path)]) == 0
    lines = out.getvalue().splitlines()
    assert "took" in out.getvalue()
    assert "Saved in" in out.getvalue()
    assert all(len(line) < 40 or " " not in line.strip() for line in lines), max(lines, key=len)


def test_where_nobody_is_seen_the_next_steps_are_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_: object) -> None:
        pass

    monkeypatch.setattr("p2p_stonehenge.net.discovery.Discovery.start", nothing)
    monkeypatch.setattr("p2p_stonehenge.net.discovery.Discovery.close", nothing)
    code, out, _ = run("peers", "--seconds", "0.1", "--home", str(tmp_path))
    assert code == 0
    assert "Nobody was seen" in out
    assert "doctor` looks for what is in the way" in out
    assert "`--interface ADDRESS`" in out
    code, out, _ = run("peers", "--seconds", "0.1", "--home", str(tmp_path), "--interface", "127.0.0.1")
    assert "--interface 127.0.0.1 doctor` looks for" in " ".join(out.split()), "on that network"


def test_what_ends_a_game_that_bots_may_play_on_for_ever_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends, told = "(3: a position for the 3rd time is a draw)", {}
    for key in ("fidchess", "kingamon"):
        command = ["-m", "p2p_stonehenge", "solo", key, "--plain", "--home", str(tmp_path / key)]
        told[key] = python(*command, input="resign\nyes\n", timeout=100).stdout
        assert "You lost" in told[key]
        suggest(all_games()[key], {})
        told[key] += capsys.readouterr().out
    assert f"Against bots repetition is 3 {ends}; with -o repetition=off the game goes on." in told["fidchess"]
    assert f"Bots may move to and fro without end; -o repetition=3 ends that {ends}." in told["fidchess"]
    assert "repetition" not in told["kingamon"]
    suggest(all_games()["fidchess"], {"repetition": "off"})
    assert capsys.readouterr().out == "", "somebody has chosen"


@pytest.mark.parametrize(
    ("words", "names"), [((), ["player 1", "player 2"]), (("--name", "Gwen"), ["Gwen", "player 2"])]
)
def test_a_name_given_at_one_keyboard_is_that_of_the_first_seat(
    tmp_path: Path, words: tuple[str, ...], names: list[str]
) -> None:
    command = ("solo", "fidchess", "--hot-seat", *words, "--plain", "--home", str(tmp_path))
    python("-m", "p2p_stonehenge", *command, input="quit\nyes\n")
    (saved,) = Shelf(Home.open(str(tmp_path))).games()
    assert [name for _, name, _ in saved.facts.seats] == names


@pytest.mark.parametrize(
    ("typed", "key", "players"),
    [
        ("host qen", "qenqe", None),
        ("host fidchess qenqe", "qenqe", None),
        ("host Fidchess", "fidchess", None),
        ("host fidchell 3", "fidchell", 3),
        ("solo Celtic Whist 4 players --level 3", "celtic-whist", 4),
        ("host Byzantine Kingamon", "kingamon", None),
        ("learn whist", "celtic-whist", None),
    ],
)
def test_a_game_is_taken_as_people_name_it_with_its_number_of_players(
    typed: str, key: str, players: int | None
) -> None:
    args = cli.parse(typed.split())
    assert (args.game, getattr(args, "players", None)) == (key, players)
