"""`doctor`: each fault is named with what to do, and comes last."""

import json
import os
import socket
from argparse import Namespace
from pathlib import Path

import pytest
from saved_games import home_of, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli import doctor
from p2p_stonehenge.cli.arguments import parse

pytestmark = pytest.mark.network


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
