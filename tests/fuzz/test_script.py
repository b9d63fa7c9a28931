"""The script that fuzzes: what it says where it cannot."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from targets import TARGETS

from engine import all_games

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_ATHERIS = (
    "import runpy, sys; sys.modules['atheris'] = None; runpy.run_path('scripts/fuzz.py', run_name='__main__')"
)


def fuzz(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", WITHOUT_ATHERIS, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_the_table_of_targets_names_them_all() -> None:
    page = (ROOT / "docs" / "testing.md").read_text("utf-8")
    table = page.partition("| Target |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall("`(.+?)`", row.split("|")[1])]
    games = [f"parse-{key}" for key in all_games()]
    assert sorted([*named, *games]) == sorted([*fuzz("--list").stdout.split(), "parse-GAME"])


def test_targets_are_listed() -> None:
    assert fuzz("--list").stdout.splitlines() == list(TARGETS)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "--list"),
        (("message", "--seconds", "0"), 2, "--seconds"),
        (("nothing", "--input", "README.md"), 5, "--list"),
        (("message", "--input", "nowhere"), 5, "nowhere"),
        (("message",), 6, "pip install"),
        (("all",), 6, "pip install"),
        (("all", "--jobs", "0"), 2, "--jobs"),
    ],
)
def test_refusals_are_one_line(words: tuple[str, ...], code: int, said: str) -> None:
    done = fuzz(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("fuzz: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_one_input_is_given_to_a_target() -> None:
    done = fuzz("message", "--input", "README.md")
    assert done.returncode == 0, done.stderr
    assert "keeps its promises" in done.stdout
