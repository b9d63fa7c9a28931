"""`scripts/unshown.py` tells which rules the saved games of the test vectors show."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "unshown.py"


def run(*words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=True, timeout=100
    )
    return done.stdout.splitlines()


@pytest.mark.many
def test_a_rule_that_the_files_show_is_not_named() -> None:
    assert run("without `not self.operators({*agreements[agreement]})") == ["1 changes, 0 of them alter no verdict"]


@pytest.mark.many
def test_a_rule_for_which_the_files_are_too_small_is_named_with_its_line() -> None:
    named, counted = run("without `need(sum((len(one.raw)")
    assert named.startswith("second_verifier.py:")
    assert counted == "1 changes, 1 of them alter no verdict"
