"""Commands that texts tell: typed into a shell as they stand, they do what the text says."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from saved_games import LOST, home_of, solo

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.failure import USAGE


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


@pytest.mark.parametrize("written", ["--home {} verify", "verify --home {}", "verify --home={} --json"])
def test_the_example_for_a_missing_argument_is_about_the_home_that_the_command_line_names(
    written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solo(home_of(tmp_path), LOST, 1.0)
    assert main(written.format(tmp_path).split()) == USAGE
    example = capsys.readouterr().err.partition("as in `")[2].partition("`")[0]
    assert example == f"p2p-stonehenge --home {tmp_path} verify 1"
    assert main(example.split()[1:]) == 0


def test_texts_name_the_command_by_which_the_program_was_started(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "p2p_stonehenge", "saved", "--home", str(tmp_path)]
    environment = {**os.environ, "P2P_STONEHENGE_COMMAND": "python3 scripts/play.py"}
    told = subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout
    assert f"`python3 scripts/play.py --home {tmp_path} solo kingamon` begins one" in told
    refused = subprocess.run([*words, "--strange"], capture_output=True, text=True, check=False, env=environment)
    assert "see python3 scripts/play.py saved --help" in refused.stderr
