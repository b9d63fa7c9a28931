"""`doctor`: each fault is named with what to do, and comes last."""

import io
import json
import os
import socket
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
from saved_games import home_of, keep, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import doctor
from p2p_stonehenge.cli.arguments import parse
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.net import discovery
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.storage.settings import SETTINGS
from p2p_stonehenge.text.output import folded

pytestmark = pytest.mark.network

FRIENDS = Path(__file__).resolve().parents[2] / "data" / "vectors" / "files" / "finished.stonehenge"


def args(home: Path, *more: str) -> Namespace:
    return parse(["doctor", "--home", str(home), "--interface", "127.0.0.1", *more])


def test_it_tests_home_screen_clock_and_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home_of(tmp_path)
    main(["doctor", "--home", str(tmp_path), "--interface", "127.0.0.1", "--seconds", "0.2", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == 1
    assert {one["name"] for one in told["findings"]} == {
        "home",
        "screen",
        "clock",
        "interface",
        "port",
        "multicast",
        "answers",
    }
    faults = [bool(one["fixes"]) for one in told["findings"]]
    assert faults == sorted(faults), "faults come last"
    (multicast,) = (one for one in told["findings"] if one["name"] == "multicast")
    assert multicast["text"].startswith("my own question came back: 127.0.0.1 in ")


def test_copies_of_a_saved_game_are_counted_as_the_game_that_they_are(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    path = solo(home, ((1, "B2-B3"), (2, "resign")), 1.7e9)
    solo(home, ((1, "B2-B3"), (2, "B7-B6")), 1.7e9, nonce=1)
    (home.games / "copy.stonehenge").write_bytes(path.read_bytes())
    (home.games / "no-game.stonehenge").write_bytes(b"nothing")
    assert "; 2 saved games in " in doctor._home(args(tmp_path)).text


def test_saved_games_that_a_fault_of_the_program_keeps_from_being_read_are_a_fault_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shelf, "games", lambda _: iter(()).__next__())
    found = doctor._home(args(tmp_path))
    assert (found.mark, found.text) == ("FAULT", "the saved games cannot be read: StopIteration()")
    made_again = f"delete {tmp_path / 'shelf.json'}: it is made again"
    assert found.fixes == (made_again, "if that does not help, report this line")


def test_the_lines_number_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PAST", 1e12)
    status = main(["doctor", "--home", str(tmp_path), "--interface", "127.0.0.1", "--seconds", "0.2"])
    assert status == 1
    lines = capsys.readouterr().out.splitlines()
    fault = next(number for number, line in enumerate(lines) if line.startswith("FAULT  clock"))
    assert lines[fault + 1] == "       1. set the clock: games are listed by when they were played"


def test_a_port_that_was_asked_for_and_is_taken_is_a_fault(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        found = doctor._port(args(tmp_path, "--port", str(min(port, 65534))))
    assert f"{port} taken by another program" in found.text
    assert "--port" in found.fixes[0]


def test_a_computer_without_a_network_is_told_to_connect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "local_addresses", lambda: ("127.0.0.1",))
    found = doctor._interface(parse(["doctor", "--home", str(tmp_path)]))
    assert found.fixes == ("connect to the network that your friends are on",)


def test_games_from_the_future_betray_a_wrong_clock(tmp_path: Path) -> None:
    solo(home_of(tmp_path), (), 4e9)
    assert doctor._clock(args(tmp_path)).fixes


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_home_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    home.path.chmod(0o500)
    try:
        assert doctor._home(args(tmp_path)).fixes
    finally:
        home.path.chmod(0o700)


def test_a_home_that_is_a_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert "--home DIR" in doctor._home(args(tmp_path / "file")).text


@pytest.mark.parametrize("name", ["nick", "known.json"])
def test_a_file_of_the_home_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    keep(Home.open(str(tmp_path)), "friends", FRIENDS.read_bytes(), 1.7e9)  # its names are looked up
    (tmp_path / name).mkdir()
    found = doctor._home(args(tmp_path))
    assert str(tmp_path / name) in found.text
    assert found.fixes == ("do what the line says, or keep your files elsewhere with --home DIR",)


def test_that_nobody_has_answered_yet_is_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "Discovery", Deaf)
    words = ["doctor", "--home", str(tmp_path), "--interface", "127.0.0.1", "--seconds", "0.01"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not any(line.startswith("FAULT") for line in lines)
    assert "note   answers    nobody answered in 0.01 s. If somebody should:" in lines
    assert main([*words, "--json"]) == 0
    (answers,) = (one for one in json.loads(capsys.readouterr().out)["findings"] if one["name"] == "answers")
    assert (answers["ok"], len(answers["fixes"])) == (True, 3)


class Deaf:
    """A search that finds nobody."""

    warning = ""

    def __init__(self, *_: object) -> None:
        pass

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass


class Terminal(io.StringIO):
    """A terminal to write to."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def of_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., doctor.Finding]:
    """What is found of a terminal of 80x24 where nothing is set but what is given, the file of the home apart."""
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((80, 24)))
    for name in ("NO_COLOR", "COLORFGBG", *(f"P2P_STONEHENGE_{name.upper()}" for name in SETTINGS)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    typed = args(tmp_path)

    def found(**environ: str) -> doctor.Finding:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.stdout", Terminal())
        return doctor._screen(typed)

    return found


def test_it_tells_what_is_in_force_on_the_screen_and_what_set_it(
    tmp_path: Path, of_screen: Callable[..., doctor.Finding]
) -> None:
    assert of_screen().text.endswith("xterm, ascii characters, either palette")
    (tmp_path / "config.toml").write_text('palette = "safe"\n')
    assert of_screen().text.endswith("ascii characters, safe palette (set in config.toml)")
    told = of_screen(P2P_STONEHENGE_PALETTE="light", P2P_STONEHENGE_CHARSET="unicode").text
    by = "set by P2P_STONEHENGE_"
    assert told.endswith(f"unicode characters ({by}CHARSET), light palette ({by}PALETTE)")
    assert of_screen(NO_COLOR="1").text.endswith("no colours (set by NO_COLOR)")


def test_a_setting_that_cannot_be_in_force_is_a_fault(tmp_path: Path, of_screen: Callable[..., doctor.Finding]) -> None:
    """Every command with a screen ends because of the first; the second is left out."""
    pink = of_screen(P2P_STONEHENGE_PALETTE="pink")
    assert pink.mark == "FAULT"
    assert "palette is 'pink', set by P2P_STONEHENGE_PALETTE, and can be auto, dark" in pink.text
    (tmp_path / "config.toml").write_text('bel = "on"\n')
    assert "There is no setting 'bel': did you mean bell?" in of_screen(P2P_STONEHENGE_PALETTE="").text


def test_on_a_terminal_no_word_is_broken_and_what_wraps_stays_in_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    line = f"ok     port       {'41730 and 41731 taken, perhaps by a table of yours; the next free ones are used'}"
    first, second = folded(line, Terminal(), indent=18).splitlines()
    assert len(first) < 80
    assert second.startswith(" " * 18 + "f")
    assert f"{first} {second.strip()}" == line
