"""The rules that `scripts/breakages.py` breaks on purpose are still where it breaks them, and that is noticed."""

import ast
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from simulator_breakages import BREAKAGES, Breakage, MisfitError

SCRIPT = Path(__file__).parents[2] / "scripts" / "breakages.py"


def run(*words: str) -> CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.many
@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
def test_every_breakage_fits_its_function(breakage: Breakage) -> None:
    ast.parse(breakage.broken())
    if breakage.test:
        module, test = breakage.test.split("::")
        source = Path(__file__).with_name(module).read_text(encoding="utf-8")
        assert f"def {test}(" in source


@pytest.mark.parametrize(
    ("function", "old", "said"),
    [
        ("protocol.table.held:Held.take", "no_such_name", "0 times, not once"),
        ("protocol.table.held:Held.take", "second", "times, not once"),
        ("protocol.table.held:Held.took", "", "there is no"),
        ("protocol.table.held:Hold.take", "", "there is no"),
    ],
)
def test_a_breakage_of_what_is_not_there_once_does_not_fit(function: str, old: str, said: str) -> None:
    """A function that is renamed or rewritten makes the breakage fail, rather than break nothing."""
    with pytest.raises(MisfitError, match=said):
        Breakage("a breakage", function, old, "True").broken()


def test_each_breakage_has_a_name_of_its_own() -> None:
    names = [breakage.name for breakage in BREAKAGES]
    assert len({*names}) == len(names)
    assert run("--list").stdout.splitlines() == names


def test_simulated_games_notice_what_is_broken() -> None:
    done = run("a statement is not answered", "--runs", "3", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    told, counted = done.stdout.splitlines()
    assert told.startswith("a statement is not answered: run ")
    assert counted == "1 broken: 1 noticed by simulated games within 3 runs, 0 by tests only"


@pytest.mark.many
def test_what_simulated_games_seldom_meet_is_noticed_by_the_test_named() -> None:
    done = run("half of the operators", "--runs", "0", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "not within 0 runs, but by test_epochs.py" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [(("--runs", "-1"), 2, "--runs"), (("--jobs", "0"), 2, "--jobs"), (("nothing like it",), 5, "--list")],
)
def test_refusals_are_one_line(words: tuple[str, ...], code: int, said: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("breakages: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
