"""The rules that `scripts/breakages.py` breaks on purpose are still where it breaks them, and that is noticed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from simulator_breakages import BREAKAGES, Breakage, MisfitError

SCRIPT = Path(__file__).parents[2] / "scripts" / "breakages.py"


def run(*words):
    command = [sys.executable, SCRIPT, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
def test_every_breakage_fits_its_module(breakage):
    ast.parse(breakage.broken())
    if breakage.test:
        module, test = breakage.test.split("::")
        source = Path(__file__).with_name(module).read_text(encoding="utf-8")
        assert f"def {test}(" in source


@pytest.mark.parametrize("old", ["no such text", "return"])
def test_a_breakage_whose_text_is_not_there_once_does_not_fit(old):
    with pytest.raises(MisfitError, match="not once"):
        Breakage("a breakage", "protocol/_node.py", old, "").broken()


def test_each_breakage_has_a_name_of_its_own():
    names = [breakage.name for breakage in BREAKAGES]
    assert len({*names}) == len(names)
    assert run("--list").stdout.splitlines() == names


def test_simulated_games_notice_what_is_broken():
    done = run("a Have is not answered", "--runs", "3", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    told, counted = done.stdout.splitlines()
    assert told.startswith("a Have is not answered: run 1, fidchess 0: ViolationError")
    assert counted == "1 broken: 1 noticed by simulated games within 3 runs, 0 by tests only"


def test_what_simulated_games_seldom_meet_is_noticed_by_the_test_named():
    done = run("half of the players", "--runs", "1", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "not within 1 runs, but by test_votes.py" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [(("--runs", "0"), 2, "--runs"), (("--jobs", "0"), 2, "--jobs"), (("nothing like it",), 5, "--list")],
)
def test_refusals_are_one_line(words, code, said):
    done = run(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("breakages: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
