"""The rules that `scripts/breakages.py` breaks on purpose are still where it breaks them, and that is noticed."""

import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from simulator_breakages import BREAKAGES
from simulator_breakages.tools import Breakage, always, bindings, constant, instead
from vector_files import SCENARIOS

from protocol.table import held, step
from protocol.table.fold import Fold
from protocol.table.held import Held

SCRIPT = Path(__file__).parents[2] / "scripts" / "breakages.py"


def run(*words: str) -> CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.parametrize("breakage", [one for one in BREAKAGES if one.test], ids=lambda breakage: breakage.name)
def test_the_test_of_a_breakage_is_there(breakage: Breakage) -> None:
    module, test = breakage.test.split("::")
    source = Path(__file__).with_name(module).read_text(encoding="utf-8")
    name, _, file = test.rstrip("]").partition("[")
    assert f"def {name}(" in source
    assert not file or file in SCENARIOS


def test_a_breakage_stands_in_wherever_the_name_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method, a property, a function that other modules have taken, and a constant."""
    taken = bindings(step.given)
    assert len(taken) > 2
    for owner, name in [(Held, "waits"), (Fold, "playing"), (held, "AHEAD_LIMIT"), *taken]:
        monkeypatch.setattr(owner, name, getattr(owner, name))
    for break_it in (
        instead(Held.waits, always("waits")),
        instead(Fold.playing, always("playing")),
        instead(step.given, always("given")),
        constant(held, "AHEAD_LIMIT", 7),
    ):
        break_it()
    seen: list[object] = [object.__new__(Held).waits(1), object.__new__(Fold).playing, held.AHEAD_LIMIT]
    assert seen == ["waits", "playing", 7]
    assert all(getattr(module, name)(1, 2, 3) == "given" for module, name in taken)


def test_a_breakage_of_a_name_that_is_gone_is_an_error() -> None:
    with pytest.raises(AssertionError, match="has no AHEAD"):
        constant(held, "AHEAD", 1)
    with pytest.raises(AttributeError, match="took"):
        instead(getattr(Held, "took"), always(None))  # noqa: B009  a name that mypy would refuse


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
